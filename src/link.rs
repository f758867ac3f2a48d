//! Labels to numbers and addresses, over the whole book.
//!
//! Numbers follow from the order of labels alone, never from rendering, so one pass settles them
//! and there is no fixed point to search for.

use std::collections::BTreeMap;

use crate::cite::Work;
use crate::ir::{Destination, EnvironmentKind, Inline, Label, Symbol};
use crate::math::Formula;

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
    /// Who uses the labels that this chapter defines: main label → users in book order.
    pub used_by: BTreeMap<Label, Vec<Target>>,
    /// Works cited here, by key.
    pub works: BTreeMap<String, Work>,
    /// Entries of the notation table that formulas here name.
    pub symbols: BTreeMap<String, Symbol>,
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
