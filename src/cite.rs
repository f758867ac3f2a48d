//! The bibliography: `references.bib` to citations and entries, the same for both outputs.

use std::collections::BTreeMap;

use crate::diag::{Checked, Explained};
use crate::source::{Source, Span};

/// What this stage has to say to authors.
pub const CODES: &[Explained] = &[];

/// The works that the book may cite, by key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bibliography(pub BTreeMap<String, Work>);

/// A work.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Work {
    /// In the text, without brackets: `Vaswani et al., 2017`.
    pub short: String,
    /// In the list of references.
    pub entry: Vec<Piece>,
    /// What the list is sorted by.
    pub order: String,
    /// Where it is defined in the .bib file.
    pub span: Span,
}

/// A run of text of an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Whether it is in italics.
    pub italic: bool,
    /// Where it leads.
    pub url: Option<String>,
}

/// Reads a BibLaTeX file.
pub fn library(source: &Source) -> Checked<Bibliography> {
    let _ = source;
    Checked::default()
}
