//! Chapters to an index that a browser searches, in files that it fetches as it needs them.
//!
//! What can be found is an [`Entry`]: a chapter, a section, a numbered theorem and the like with a
//! title, a formula with a label, an entry of the notation table. A [`Part`] has the entries of one
//! chapter and follows from that chapter alone; [`files`] joins the parts. Terms come from the
//! document. `assets/search.js` of the theme is the reader's side.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::eval::Outputs;
use crate::html::Html;
use crate::ir::{Document, Symbol};
use crate::link::Links;
use crate::math::Engine;

mod draw;
mod parts;
mod shards;
mod tables;
mod tex;
mod words;

pub use tables::Tables;
pub use tex::tokens;
pub use words::words;

/// All that goes into the entries of one chapter.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Chapter<'a> {
    /// The maths engine with the book's macros.
    pub engine: &'a Engine,
    /// The language of the text.
    pub language: &'a str,
    /// The text.
    pub document: &'a Document,
    /// The outputs that it mentions.
    pub outputs: &'a Outputs,
    /// Where its references go.
    pub links: &'a Links,
}

/// All that goes into the entries of the notation table.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Notation<'a> {
    /// The maths engine with the book's macros.
    pub engine: &'a Engine,
    /// The language of the text.
    pub language: &'a str,
    /// The table.
    pub symbols: &'a [Symbol],
}

/// All that goes into the files.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Whole<'a> {
    /// The maths engine with the book's macros.
    pub engine: &'a Engine,
    /// The language of the text.
    pub language: &'a str,
    /// The parts in book order, the notation last.
    pub parts: &'a [&'a Part],
}

/// The entries of one chapter, or of the notation table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Part(pub Vec<Entry>);

/// What can be found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// Its address below the site's root.
    pub address: String,
    /// What it is called, without links.
    pub title: Html,
    /// What it is in, from the outside: the chapter, then the section.
    pub crumbs: Vec<Html>,
    /// Its number with the word for it, `Equation 8.3`; may be empty.
    pub number: String,
    /// Its text, formulas as readable text.
    pub text: String,
    /// Its formula; may be empty.
    pub drawn: Html,
    /// What it is found by: term → how often, five times for each in the title, and whether the
    /// title has it.
    pub terms: BTreeMap<String, (u32, bool)>,
    /// How many terms it has.
    pub length: u32,
    /// How many terms its title has.
    pub title_length: u32,
    /// Its formulas as tokens with spaces between.
    pub formulas: Vec<String>,
}

/// What an entry is. The number is the one in the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Kind {
    /// A chapter: its title, its summary, and the text before its first section.
    #[default]
    Chapter = 0,
    /// A section of level 2 or 3.
    Section = 1,
    /// A theorem, a definition, an exercise.
    Environment = 2,
    /// A formula with a label.
    Formula = 3,
    /// An entry of the notation table.
    Symbol = 4,
}

/// The entries of one chapter in reading order.
pub fn chapter(chapter: &Chapter<'_>) -> Part {
    parts::chapter(chapter)
}

/// The entries of the notation table.
pub fn notation(notation: &Notation<'_>) -> Part {
    parts::notation(notation)
}

/// The files of the index: path below the site's root → bytes.
pub fn files(whole: &Whole<'_>) -> BTreeMap<String, Arc<[u8]>> {
    shards::files(whole)
}
