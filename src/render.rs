//! Chapters to HTML pages, and the index to the pages of the whole book.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::diag::{Checked, Explained};
use crate::eval::Outputs;
use crate::html::Html;
use crate::ir::{Book, Document};
use crate::link::{ContentsEntry, Index, Links};
use crate::math::Engine;
use crate::memo::fingerprint;

/// What this stage has to say to authors.
pub const CODES: &[Explained] = &[];

/// Templates, style sheets, scripts and fonts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Theme {
    /// Templates by name, as `page.html`.
    pub templates: BTreeMap<String, String>,
    /// Every other file by its path below the theme's folder.
    pub assets: BTreeMap<String, Arc<[u8]>>,
}

/// A finished file of the site.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Page {
    /// The path below `dist/`.
    pub path: String,
    /// The HTML.
    pub html: String,
    /// Style classes of its formulas: class → declarations. See [`shared`].
    pub styles: BTreeMap<String, String>,
}

/// What every page needs of the whole book. Holds no spans that a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The book's settings, course and notation.
    pub book: Book,
    /// The contents, for the sidebar; without the sections of chapters and their reading times,
    /// which would make every page depend on the text of every other.
    pub contents: Vec<ContentsEntry>,
    /// The theme.
    pub theme: Theme,
    /// The maths engine with the book's macros.
    pub engine: Engine,
    /// Where the PDF is, below the site's root, if there is one.
    pub pdf: Option<String>,
    /// Stands for all of the above in keys: it is far too large to be hashed for every page.
    print: u128,
}

impl Frame {
    /// A frame.
    pub fn new(
        book: Book,
        mut contents: Vec<ContentsEntry>,
        theme: Theme,
        engine: Engine,
        pdf: Option<String>,
    ) -> Self {
        for entry in &mut contents {
            entry.sections.clear();
            entry.minutes = 0;
        }
        let print = fingerprint(&(&book, &contents, &theme, &engine, &pdf));
        Self { book, contents, theme, engine, pdf, print }
    }
}

impl Hash for Frame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.print.hash(state);
    }
}

/// All that goes into one page.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Chapter<'a> {
    /// What is the same for all pages.
    pub frame: &'a Frame,
    /// The text.
    pub document: &'a Document,
    /// What its programs printed, and those of other chapters that it mentions.
    pub outputs: &'a Outputs,
    /// Where its references go.
    pub links: &'a Links,
}

/// All that goes into the pages of the whole book.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Whole<'a> {
    /// What is the same for all pages.
    pub frame: &'a Frame,
    /// The index.
    pub index: &'a Index,
}

/// Renders the page of one chapter.
pub fn page(chapter: &Chapter<'_>) -> Checked<Page> {
    let Checked { value, diagnostics } = content(chapter);
    let path = chapter.links.page.clone();
    Checked {
        value: Page { path, html: value.into_string(), styles: BTreeMap::new() },
        diagnostics,
    }
}

/// Renders the text of one chapter without the page around it; what golden cases show.
pub fn content(chapter: &Chapter<'_>) -> Checked<Html> {
    let _ = chapter;
    Checked::default()
}

/// Renders the pages of the whole book: home (course page), contents, formula index, notation,
/// bibliography, not found.
pub fn whole(whole: &Whole<'_>) -> Checked<Vec<Page>> {
    let _ = whole;
    Checked::default()
}

/// Files that all pages share, from what the pages say that they need: path → text.
pub fn shared(pages: &[&Page]) -> BTreeMap<String, String> {
    let _ = pages;
    BTreeMap::new()
}
