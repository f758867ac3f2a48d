//! What each template sees. A field whose text says HTML is written by this stage and goes into the
//! page as it is (`| safe`); every other field is text.

use serde::Serialize;

use super::strings::Strings;

/// What every template sees, as `base`.
#[derive(Debug, Serialize)]
pub(super) struct Base {
    /// The language of the text, `en`.
    pub language: String,
    /// `ltr` or `rtl`.
    pub direction: &'static str,
    /// Title of the window.
    pub title: String,
    /// What search engines show.
    pub description: String,
    /// The address of the page at the book's host, if it is known.
    pub canonical: Option<String>,
    /// The way to the site's root: empty or `../`.
    pub root: String,
    /// Title of the book.
    pub book: String,
    /// The authors.
    pub authors: String,
    /// The licence.
    pub license: String,
    /// The day of the edition.
    pub updated: String,
    /// HTML: the contents, as a tree.
    pub sidebar: String,
    /// Address of the PDF.
    pub pdf: Option<String>,
    /// Address of the archive of the code.
    pub code: Option<String>,
    /// The words of the interface.
    pub words: &'static Strings,
}

/// A link in the frame of a page.
#[derive(Debug, Serialize)]
pub(super) struct Link {
    /// Where it leads; empty if there is nothing yet.
    pub href: String,
    /// The number of what it leads to; may be empty.
    pub number: String,
    /// HTML: what is clicked.
    pub title: String,
}

/// A line of the page's own contents.
#[derive(Debug, Serialize)]
pub(super) struct Section {
    /// 2 or 3.
    pub level: u8,
    /// Where it leads.
    pub link: Link,
}

/// `page.html`: a chapter.
#[derive(Debug, Serialize)]
pub(super) struct Chapter {
    pub base: Base,
    /// HTML: the part that the chapter is in; may be empty.
    pub part: String,
    /// The chapter's number; may be empty.
    pub number: String,
    /// HTML.
    pub title: String,
    /// HTML; may be empty.
    pub summary: String,
    /// Minutes that a reader needs.
    pub minutes: u32,
    /// Chapters to read first.
    pub prerequisites: Vec<Link>,
    /// The sections.
    pub sections: Vec<Section>,
    /// HTML: the text with footnotes and references.
    pub body: String,
    /// The page before.
    pub previous: Option<Link>,
    /// The page after.
    pub next: Option<Link>,
}

/// `home.html`: the course page.
#[derive(Debug, Serialize)]
pub(super) struct Home {
    pub base: Base,
    /// The title.
    pub title: String,
    /// A sentence or two.
    pub description: String,
    /// What it says on the cover: word and fact.
    pub facts: Vec<(String, String)>,
    /// The first chapter.
    pub start: Option<Link>,
    /// HTML: formulas that show what the book is like.
    pub samples: Vec<Sample>,
    /// The modules of the course.
    pub modules: Vec<Module>,
    /// HTML: the contents, for a book that is no course.
    pub contents: String,
}

/// A formula on the course page.
#[derive(Debug, Serialize)]
pub(super) struct Sample {
    /// Its chapter.
    pub link: Link,
    /// HTML.
    pub formula: String,
}

/// A module on the course page.
#[derive(Debug, Serialize)]
pub(super) struct Module {
    /// Its chapter; without an address if it is planned.
    pub link: Link,
    /// Title of its lesson.
    pub lesson: String,
    /// What it is about.
    pub description: String,
    /// Minutes of the lesson.
    pub minutes: u32,
    /// How many formulas it has.
    pub formulas: usize,
    /// HTML: the formula that stands for it.
    pub example: String,
    /// What it covers, with the section for each.
    pub topics: Vec<Link>,
}

/// `formulas.html`: the formula index.
#[derive(Debug, Serialize)]
pub(super) struct Formulas {
    pub base: Base,
    /// All formulas in book order, by chapter.
    pub chapters: Vec<FormulaChapter>,
    /// All named formulas by letter.
    pub letters: Vec<Letter>,
    /// How many there are.
    pub count: usize,
}

/// The formulas of one chapter.
#[derive(Debug, Serialize)]
pub(super) struct FormulaChapter {
    pub link: Link,
    pub formulas: Vec<Formula>,
}

/// The names that begin with one letter.
#[derive(Debug, Serialize)]
pub(super) struct Letter {
    pub letter: String,
    pub formulas: Vec<Letters>,
}

/// A formula in the list from A to Z.
#[derive(Debug, Serialize)]
pub(super) struct Letters {
    pub link: Link,
    /// What the filter looks at.
    pub words: String,
}

/// A formula in the index.
#[derive(Debug, Serialize)]
pub(super) struct Formula {
    pub link: Link,
    /// Its anchor in the index.
    pub anchor: String,
    /// What the filter looks at: name, number, label, symbols and TeX in lower case.
    pub words: String,
    /// HTML.
    pub formula: String,
    /// HTML: links to its symbols.
    pub symbols: String,
    /// HTML: links to the snippets that compute it.
    pub snippets: String,
    /// HTML: links to what it rests on.
    pub uses: String,
    /// HTML: links to where it is used.
    pub used_by: String,
}

/// `symbols.html`: the notation index.
#[derive(Debug, Serialize)]
pub(super) struct Symbols {
    pub base: Base,
    pub symbols: Vec<SymbolRow>,
}

/// A symbol in the notation index.
#[derive(Debug, Serialize)]
pub(super) struct SymbolRow {
    pub anchor: String,
    /// HTML.
    pub symbol: String,
    /// HTML.
    pub meaning: String,
    /// HTML; may be empty.
    pub shape: String,
    /// Chapters where it has this meaning.
    pub scope: String,
    /// HTML: links to the formulas that name it.
    pub formulas: String,
}

/// `bibliography.html`.
#[derive(Debug, Serialize)]
pub(super) struct Bibliography {
    pub base: Base,
    pub works: Vec<WorkRow>,
}

/// A work in the bibliography.
#[derive(Debug, Serialize)]
pub(super) struct WorkRow {
    pub anchor: String,
    /// HTML.
    pub entry: String,
    /// HTML: links to the chapters that cite it.
    pub chapters: String,
}

/// `contents.html`.
#[derive(Debug, Serialize)]
pub(super) struct Contents {
    pub base: Base,
    /// HTML.
    pub contents: String,
}

/// `404.html`.
#[derive(Debug, Serialize)]
pub(super) struct Missing {
    pub base: Base,
}
