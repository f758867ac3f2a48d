//! Labels to numbers and addresses, over the whole book.
//!
//! Numbers follow from the order of labels alone, never from rendering, so one pass settles them
//! and there is no fixed point to search for.

use std::collections::{BTreeMap, BTreeSet};

use crate::cite::{Bibliography, Work};
use crate::diag::{Checked, Explained};
use crate::eval::Name;
use crate::html;
use crate::ir::{Book, Destination, Document, EnvironmentKind, Inline, Label, Symbol};
use crate::math::Formula;
use crate::source::{FileId, Source};

mod codes;
mod comments;
mod facts;
mod graph;
mod index;
mod json;
mod number;
mod resolve;
mod titles;

pub use comments::commented;
pub use facts::Fact;
pub use index::{alphabetical, minutes};
pub use json::formulas as formulas_json;
pub use resolve::{decoded, nearest};

/// What this stage has to say to authors.
pub const CODES: &[Explained] = codes::CODES;

/// All that the linker looks at.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'a> {
    /// The book.
    pub book: &'a Book,
    /// Its SUMMARY.md, for the places of what the outline says.
    pub summary: Option<&'a Source>,
    /// The chapters in book order.
    pub documents: &'a [&'a Document],
    /// The works that it may cite.
    pub bibliography: &'a Bibliography,
    /// The files that the site carries besides its pages.
    pub files: &'a BTreeSet<FileId>,
    /// Those of them that are pictures and cannot be shown, with what is wrong.
    pub broken: &'a BTreeMap<FileId, String>,
}

/// What the linker finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Linked {
    /// What the whole-book pages need.
    pub index: Index,
    /// What each chapter needs, in book order.
    pub links: Vec<Links>,
}

/// Links the book.
pub fn book(whole: &Whole<'_>) -> Checked<Linked> {
    let mut diagnostics = Vec::new();
    let numbered = number::book(whole, &mut diagnostics);
    let mut links = resolve::book(whole, &numbered, &mut diagnostics);
    graph::check(whole, &numbered, &mut diagnostics);
    titles::check(whole, &mut diagnostics);
    graph::backlinks(whole, &numbered, &mut links);
    graph::derivations(whole, &numbered, &mut links);
    let index = index::book(whole, &numbered, &links, &mut diagnostics);
    diagnostics.sort();
    Checked { value: Linked { index, links }, diagnostics }
}

/// Where a destination is, as seen from anywhere. Holds no spans.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// What it is.
    pub kind: TargetKind,
    /// Its number, `8.3`; empty if it has none.
    pub number: String,
    /// Its name or title; may be empty.
    pub title: Vec<Inline>,
    /// Path of its page below the site's root, `self-attention.html`; empty if planned.
    pub page: String,
    /// The anchor on the page; empty for the page itself.
    pub anchor: String,
    /// The main label, which names the same thing in the PDF; `None` for an anchor that has none.
    pub label: Option<Label>,
}

/// What a target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetKind {
    /// A part of the book.
    Part,
    /// A chapter.
    Chapter,
    /// A section or a smaller division.
    Section,
    /// A displayed formula or a line of one.
    Equation,
    /// A theorem and the like.
    Environment(EnvironmentKind),
    /// A figure.
    Figure,
    /// A table.
    Table,
    /// A snippet or a listing.
    Snippet,
    /// An entry of the notation table.
    Symbol,
    /// Something of a chapter that is not written yet: shown by its name, not linked.
    Planned,
}

/// All that one chapter needs to know of the rest of the book. Holds no spans.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Links {
    /// Path of the page, `self-attention.html`.
    pub page: String,
    /// The chapter's number.
    pub number: Option<String>,
    /// Title of the part that it is in.
    pub part: Vec<Inline>,
    /// Targets of all destinations that the chapter defines or mentions. Every label of the
    /// chapter, aliases too, is here as `Destination::Label`; also symbols as `#sym:key`.
    pub targets: BTreeMap<Destination, Target>,
    /// Numbers of headings, by anchor: also of those without a label.
    pub headings: BTreeMap<String, String>,
    /// Numbers of environments in reading order, one for each; empty where it has none.
    pub environments: Vec<String>,
    /// Numbers of displayed formulas in reading order, one for each; empty where it has none.
    pub displays: Vec<String>,
    /// Who uses the labels that this chapter defines: main label → users in book order.
    pub used_by: BTreeMap<Label, Vec<Target>>,
    /// Boxes of this chapter that derive a formula, by their place among the environments in reading
    /// order: the anchor that leads there.
    pub boxes: BTreeMap<usize, String>,
    /// Where the formulas that this chapter defines are derived: main label → the section of the
    /// box, with the anchor of the box.
    pub derived_in: BTreeMap<Label, Vec<Target>>,
    /// Names in the code of snippets that other snippets define, by the id of the snippet that has
    /// them, each with the snippet that it leads to.
    pub names: BTreeMap<String, Vec<(Name, Target)>>,
    /// Works cited here, by key.
    pub works: BTreeMap<String, Work>,
    /// Entries of the notation table that formulas here name.
    pub symbols: BTreeMap<String, Symbol>,
    /// Pictures that are not there or cannot be shown.
    pub lost: BTreeSet<FileId>,
    /// The page before.
    pub previous: Option<Target>,
    /// The page after.
    pub next: Option<Target>,
}

/// What the whole-book pages need. Holds no spans.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Index {
    /// The contents in order of the outline, planned chapters too.
    pub contents: Vec<ContentsEntry>,
    /// Every labelled formula, in book order.
    pub formulas: Vec<FormulaEntry>,
    /// The notation table with the first formula of each symbol.
    pub symbols: Vec<SymbolEntry>,
    /// The works that the book cites, sorted, with the chapters that cite them.
    pub works: Vec<WorkEntry>,
    /// Modules of the course with what covers each topic.
    pub modules: Vec<ModuleEntry>,
}

/// A line of the contents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ContentsEntry {
    /// 0 for parts and prefix, numbered and suffix chapters; more for nested chapters.
    pub depth: u8,
    /// What it is: a part, a chapter or (no page) a planned chapter.
    pub target: Target,
    /// Sections of level 2 of the chapter.
    pub sections: Vec<Target>,
    /// Minutes a reader needs, computed from the text.
    pub minutes: u32,
}

/// A labelled formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FormulaEntry {
    /// Where it is: number, name, page, label.
    pub target: Target,
    /// The TeX.
    pub formula: Formula,
    /// Numbers of its rows, if lines of it are labelled.
    pub tags: BTreeMap<usize, String>,
    /// What the formula itself mentions by `\ref` and the like.
    pub mentions: BTreeMap<String, Target>,
    /// The chapter that it is in.
    pub chapter: Target,
    /// Symbols from the notation table.
    pub symbols: Vec<String>,
    /// The snippets that compute it.
    pub snippets: Vec<Target>,
    /// Formulas that it rests on.
    pub uses: Vec<Target>,
    /// Formulas that rest on it, and places that mention it.
    pub used_by: Vec<Target>,
}

/// A notation entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymbolEntry {
    /// The entry.
    pub symbol: Symbol,
    /// The formulas that name it.
    pub formulas: Vec<Target>,
}

/// A cited work.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WorkEntry {
    /// Its key.
    pub key: String,
    /// The work.
    pub work: Work,
    /// Chapters that cite it.
    pub chapters: Vec<Target>,
}

/// A module of the course.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModuleEntry {
    /// The module as the course has it.
    pub module: crate::ir::Module,
    /// Its chapter; planned if not written.
    pub chapter: Target,
    /// Topics in order, with the section that covers each.
    pub topics: Vec<(String, Option<Target>)>,
    /// How many labelled formulas its chapter has.
    pub formulas: usize,
}

impl ContentsEntry {
    /// Whether this is a chapter before or after the numbered ones, which is in no part.
    pub fn is_apart(&self) -> bool {
        self.target.kind != TargetKind::Part && self.target.number.is_empty()
    }
}

impl Links {
    /// Where the thing with this label is.
    pub fn target(&self, label: &str) -> Option<&Target> {
        self.targets.get(&Destination::Label(Label(label.to_owned())))
    }
}

impl Target {
    /// The page and the anchor, below the site's root.
    pub fn href(&self) -> String {
        match &self.anchor[..] {
            "" => self.page.clone(),
            anchor => format!("{}#{anchor}", self.page),
        }
    }

    /// The page and the anchor as they stand in an address.
    pub fn address(&self) -> String {
        match &self.anchor[..] {
            "" => html::encoded(&self.page),
            anchor => format!("{}#{}", html::encoded(&self.page), html::anchor(anchor)),
        }
    }

    /// What it is called before its number: `Equation`. Empty for a thing that is called by its
    /// name alone.
    pub fn word(&self) -> &'static str {
        self.kind.word()
    }

    /// Whether a reader can go there.
    pub fn is_written(&self) -> bool {
        !self.page.is_empty()
    }
}

impl TargetKind {
    /// What it is called before its number.
    pub fn word(self) -> &'static str {
        match self {
            Self::Part => "Part",
            Self::Chapter => "Chapter",
            Self::Section => "Section",
            Self::Equation => "Equation",
            Self::Environment(kind) => environment_word(kind),
            Self::Figure => "Figure",
            Self::Table => "Table",
            Self::Snippet => "Snippet",
            Self::Symbol | Self::Planned => "",
        }
    }
}

/// What stands between the names of `targets`: a comma, but a semicolon where one of them is called
/// by its title, which may have commas of its own.
pub fn between(targets: &[&Target]) -> &'static str {
    let by_number = |it: &&Target| {
        !it.number.is_empty() && !it.word().is_empty() && it.kind != TargetKind::Chapter
    };
    if targets.iter().all(by_number) { ", " } else { "; " }
}

/// What an environment is called.
pub fn environment_word(kind: EnvironmentKind) -> &'static str {
    match kind {
        EnvironmentKind::Theorem => "Theorem",
        EnvironmentKind::Lemma => "Lemma",
        EnvironmentKind::Proposition => "Proposition",
        EnvironmentKind::Corollary => "Corollary",
        EnvironmentKind::Definition => "Definition",
        EnvironmentKind::Example => "Example",
        EnvironmentKind::Exercise => "Exercise",
        EnvironmentKind::Remark => "Remark",
        EnvironmentKind::Proof => "Proof",
        EnvironmentKind::Solution => "Solution",
        EnvironmentKind::Hint => "Hint",
        EnvironmentKind::Pitfall => "Pitfall",
        EnvironmentKind::Recall => "Recall",
        EnvironmentKind::Note => "Note",
        EnvironmentKind::Tip => "Tip",
        EnvironmentKind::Warning => "Warning",
        EnvironmentKind::Card => "",
    }
}
