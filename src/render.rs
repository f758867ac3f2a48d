//! Chapters to HTML pages, and the index to the pages of the whole book.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::diag::{Checked, Explained};
use crate::eval::Outputs;
use crate::html::Html;
use crate::ir::{Book, Document, Label};
use crate::link::{ContentsEntry, Index, Links};
use crate::math::Engine;
use crate::memo::fingerprint;

mod address;
mod blocks;
mod chapters;
mod course;
mod formulas;
mod highlight;
mod indexes;
mod inlines;
mod notes;
mod plots;
mod preview;
mod sidebar;
mod snippets;
mod strings;
mod theme;
mod views;
mod writer;

use writer::Writer;

/// What this stage has to say to authors.
pub const CODES: &[Explained] = &[Explained {
    code: theme::TEMPLATE,
    text: "A template of the theme cannot be used. Templates are Tera's, and what each may show is \
           the view of the same name in `src/render/views.rs`. A page whose template fails is \
           built from the text alone.",
}];

/// The style sheet with the classes that formulas use instead of style attributes.
const STYLES: &str = "assets/katex-styles.css";

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
    /// The HTML, shared by the memo and the site.
    pub html: Arc<str>,
    /// Style classes of its formulas: class → declarations. See [`shared`].
    pub styles: BTreeMap<String, String>,
    /// Its named formulas by label, for the pages that show them again.
    pub drawn: BTreeMap<Label, Drawn>,
    /// What links to places of the page show before they are followed, by the names of the
    /// fragments.
    pub previews: BTreeMap<String, Arc<str>>,
}

/// A formula as its chapter shows it. Nothing in it depends on where the page is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Drawn {
    html: Html,
    plain: String,
}

/// Files for readers to take away, by their paths below the site's root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Downloads {
    /// The PDF, if there is one.
    pub pdf: Option<String>,
    /// The archive of the code, if there is any.
    pub code: Option<String>,
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
    /// What can be had besides the pages.
    pub downloads: Downloads,
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
        downloads: Downloads,
    ) -> Self {
        for entry in &mut contents {
            entry.sections.clear();
            entry.minutes = 0;
        }
        let print = fingerprint(&(&book, &contents, &theme, &engine, &downloads));
        Self { book, contents, theme, engine, downloads, print }
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
    /// What all programs of the book printed, for values in formulas.
    pub outputs: &'a Outputs,
    /// The pages of the chapters, which have drawn most formulas already.
    pub drawn: &'a BTreeMap<&'a Label, &'a Drawn>,
}

/// Renders the page of one chapter.
pub fn page(chapter: &Chapter<'_>) -> Checked<Page> {
    chapters::page(chapter)
}

/// Renders the text of one chapter without the page around it; what golden cases show.
pub fn content(chapter: &Chapter<'_>) -> Checked<Html> {
    let mut writer = Writer::of_chapter(chapter);
    writer.blocks(&chapter.document.blocks);
    writer.footnotes();
    writer.bibliography();
    Checked { value: writer.out, diagnostics: writer.diagnostics }
}

/// Renders the pages of the whole book: home (course page), contents, formula index, notation,
/// bibliography, not found. A chapter that has the address of one of them takes its place.
pub fn whole(whole: &Whole<'_>) -> Checked<Vec<Page>> {
    let mut diagnostics = Vec::new();
    let taken: BTreeSet<&str> = whole.frame.contents.iter().map(|it| &it.target.page[..]).collect();
    let pages = indexes::PAGES
        .iter()
        .filter(|it| !taken.contains(it.0))
        .map(|(_, render)| render(whole).take(&mut diagnostics))
        .collect();
    Checked { value: pages, diagnostics }
}

/// The files of what links show before they are followed: path → HTML.
pub fn previews(pages: &[&Page]) -> BTreeMap<String, Arc<str>> {
    preview::files(pages).collect()
}

/// Files that all pages share, from what the pages say that they need: path → text.
pub fn shared(pages: &[&Page]) -> BTreeMap<String, String> {
    let mut styles = BTreeMap::new();
    for page in pages {
        styles.extend(page.styles.iter().map(|it| (it.0.clone(), it.1.clone())));
    }
    BTreeMap::from([(STYLES.to_owned(), crate::math::style_sheet(&styles))])
}
