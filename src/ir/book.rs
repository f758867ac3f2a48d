//! What the book is, besides its chapters.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::{Inline, Label, Spanned};
use crate::math::{Formula, Macros};
use crate::source::{FileId, Span};
use crate::value::Real;

/// What the book is, besides its chapters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Book {
    /// `book.toml`.
    pub settings: Settings,
    /// `SUMMARY.md`.
    pub outline: Vec<Entry>,
    /// The course outline, if the book has one.
    pub course: Option<Course>,
    /// `notation.toml`, in its order.
    pub notation: Vec<Symbol>,
    /// `macros.tex` or `macros.toml`.
    pub macros: Macros,
    /// Labels of chapters that are not written yet.
    pub planned: Vec<Planned>,
}

/// Settings of the book.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settings {
    /// The title.
    pub title: String,
    /// The authors.
    pub authors: Vec<String>,
    /// A sentence or two.
    pub description: String,
    /// `en`, `de`: a BCP 47 tag.
    pub language: String,
    /// The day of the edition, `2026-07-22`: the date in the PDF and the site map.
    pub updated: Option<String>,
    /// Where the site is hosted, with a slash at its end.
    pub site: Option<String>,
    /// The licence of the text.
    pub license: String,
    /// Which displays have numbers.
    pub numbering: Numbering,
    /// By how much a computed number may differ from the locked one.
    pub tolerance: Tolerance,
    /// What the prose of the chapters is checked for.
    pub prose: Prose,
}

/// What the prose of the chapters is checked for: nothing, unless `book.toml` asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prose {
    /// Words and phrases that the book does without.
    pub avoid: Vec<String>,
    /// How many words of running text a chapter of the course has, or a numbered chapter if the book
    /// has no course.
    pub words: Option<RangeInclusive<u32>>,
    /// The dictionary in which words are looked up.
    pub spelling: Option<Spelling>,
    /// Whether every figure and picture needs an alternative text.
    pub alternatives: bool,
}

/// A dictionary that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spelling {
    /// `en-US`.
    American,
}

/// By which part of its size a computed number may differ from the one in `outputs.lock`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tolerance(pub Real);

impl Default for Tolerance {
    fn default() -> Self {
        Self(Real(1e-12))
    }
}

/// Pages of the whole book, without their ending: no chapter may have the name of one. The home page
/// is not among them, since a chapter may take its place.
pub const PAGES: &[&str] = &["404", "bibliography", "contents", "formulas", "symbols"];

/// Which displayed formulas have numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Numbering {
    /// Those with a label.
    #[default]
    Labelled,
    /// All.
    All,
    /// Those with a label that something refers to.
    Referenced,
}

/// A line of the outline.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// A part.
    Part {
        /// Its title.
        title: Vec<Inline>,
        /// Its label, if given by `{#part:x}`.
        label: Option<Spanned<Label>>,
    },
    /// A chapter.
    Chapter(ChapterEntry),
}

impl Book {
    /// Whether the chapter of `file` has a number in the outline.
    pub fn is_numbered(&self, file: &FileId) -> bool {
        self.outline.iter().any(|it| match it {
            Entry::Part { .. } => false,
            Entry::Chapter(it) => it.file.as_ref() == Some(file) && it.number.is_some(),
        })
    }
}

/// A chapter in the outline.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChapterEntry {
    /// Its title in the outline. The page's own title wins where they differ.
    pub title: Vec<Inline>,
    /// Its file; `None` for a chapter that is planned (`[Title]()`).
    pub file: Option<FileId>,
    /// Number, as `3` or `3.1` for a nested chapter; `None` for prefix and suffix chapters.
    pub number: Option<String>,
    /// Depth of nesting, from 0.
    pub depth: u8,
    /// Where it is in SUMMARY.md.
    pub span: Span,
}

/// The course that the book covers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Course {
    /// Facts of the course: title, description, level, estimated_hours, instructor, seo_title,
    /// seo_description, created, updated, price. As written, numbers as text.
    pub facts: BTreeMap<String, String>,
    /// Its modules in order.
    pub modules: Vec<Module>,
}

/// A module of the course: one chapter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Module {
    /// From 1.
    pub number: u32,
    /// Title of the module and of its chapter.
    pub title: String,
    /// Title of its lesson.
    pub lesson: String,
    /// The stem of the chapter's file.
    pub id: String,
    /// Minutes of the lesson.
    pub minutes: u32,
    /// What it is about.
    pub description: String,
    /// What it covers.
    pub topics: Vec<String>,
    /// A formula that stands for the module; its TeX may be empty.
    pub example: Formula,
    /// The way through the whole model that the last module shows, step by step; may be empty.
    pub pipeline: Vec<String>,
}

/// An entry of the notation table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol {
    /// How formulas name it: `d_k`, `A.la` for a local meaning.
    pub key: String,
    /// How it looks.
    pub tex: Formula,
    /// What it means.
    pub meaning: Vec<Inline>,
    /// Its shape or type.
    pub shape: Vec<Inline>,
    /// Chapters where it has this meaning, as the author says it.
    pub scope: String,
    /// Where it is in notation.toml.
    pub span: Span,
}

/// A label of a chapter that is not written yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Planned {
    /// The label.
    pub label: Label,
    /// What it will be called.
    pub name: Vec<Inline>,
    /// Id of the module, the stem of the chapter's file.
    pub chapter: String,
    /// Where it is listed.
    pub span: Span,
}
