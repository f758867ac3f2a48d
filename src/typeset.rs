//! The book to a PDF: Typst markup, with a map back to our spans, and its typesetting.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diag::{Checked, Explained};
use crate::eval::Outputs;
use crate::ir::{Book, Document};
use crate::link::{Index, Links};
use crate::math::Engine;
use crate::source::{FileId, Place};

/// What this stage has to say to authors.
pub const CODES: &[Explained] = &[];

/// All that goes into the PDF.
#[derive(Clone, Debug, Hash)]
pub struct Volume<'a> {
    /// The book's settings, outline, course and notation.
    pub book: &'a Book,
    /// The chapters in order.
    pub chapters: Vec<Chapter<'a>>,
    /// The index.
    pub index: &'a Index,
    /// The maths engine with the book's macros.
    pub engine: &'a Engine,
    /// Pictures, by path below the book folder.
    pub assets: &'a BTreeMap<FileId, Arc<[u8]>>,
}

/// A chapter with what was found out about it.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Chapter<'a> {
    /// The text.
    pub document: &'a Document,
    /// What its programs printed, and those of other chapters that it mentions.
    pub outputs: &'a Outputs,
    /// Where its references go.
    pub links: &'a Links,
}

/// Typst markup with a map from its bytes to ours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Markup {
    /// The markup.
    pub text: String,
    /// Where the part of the markup from this byte on is from; sorted.
    pub origins: Vec<(usize, Place)>,
}

/// The markup of one chapter's text; what golden cases show.
pub fn chapter(chapter: &Chapter<'_>, engine: &Engine) -> Checked<Markup> {
    let _ = (chapter, engine);
    Checked::default()
}

/// Typesets the book. `None` if the typesetter refused it; the diagnostics say why.
#[cfg(feature = "pdf")]
pub fn pdf(volume: &Volume<'_>) -> Checked<Option<Vec<u8>>> {
    let _ = volume;
    Checked::default()
}
