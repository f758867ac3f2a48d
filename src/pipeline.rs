//! The line: from what was read to the finished site.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::render::Theme;
use crate::source::{FileId, Source};

/// All that a build depends on, besides the compiler that runs the snippets.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The text files of the book folder: Markdown, TOML, BibTeX, TeX, Cargo.toml and its lock.
    pub sources: BTreeMap<FileId, Source>,
    /// The other files of the book folder: pictures.
    pub assets: BTreeMap<FileId, Arc<[u8]>>,
    /// How pages look.
    pub theme: Theme,
}

/// The finished site: path below `dist/` → bytes.
pub type Site = BTreeMap<String, Arc<[u8]>>;
