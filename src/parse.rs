//! Text to tree, one file at a time. Cannot fail: odd input gives odd blocks and a diagnostic.
//!
//! Formulas go first. A survey of the text as Markdown says where code, link destinations and HTML
//! are; a scan finds the formulas outside of them; a mask puts letters in their place, as many
//! bytes as they had, so that Markdown can make nothing of them. The masked text is parsed once
//! more, and the TeX is read back from the source by its place.

mod attributes;
mod blocks;
mod checks;
mod codes;
mod fences;
mod fields;
mod figures;
mod fragment;
mod front;
mod headings;
mod inlines;
mod links;
mod mask;
mod maths;
mod prefix;
mod scan;
mod survey;
mod tree;
mod value;

use std::collections::BTreeMap;

use crate::diag::{Checked, Diagnostic};
use crate::ir::{Book, Document, Inline};
use crate::source::{FileId, Source};

pub use codes::CODES;
pub use headings::slug;
pub use value::value;

/// Reads what the book is, besides its chapters: `book.toml`, `SUMMARY.md`, and the files that
/// they name. `sources` are all text files of the book folder.
pub fn book(sources: &BTreeMap<FileId, Source>) -> Checked<Book> {
    let _ = sources;
    Checked::default()
}

/// Parses one chapter.
pub fn document(source: &Source) -> Checked<Document> {
    let mut diagnostics = Vec::new();
    let (front, front_title, start) = front::front(source, &mut diagnostics);
    let masked = mask::mask(source, start);
    let mut tree = tree::Tree::new(source, &masked);
    let blocks = tree.blocks();
    tree.report_stray();
    let (title, labels) = match tree.title.take() {
        Some(title) => (title.body, title.labels),
        None => (front_title, Vec::new()),
    };
    let footnotes = tree.take_footnotes();
    diagnostics.extend(masked.finds.diagnostics.iter().cloned());
    diagnostics.append(&mut tree.diagnostics);
    let title = if title.is_empty() {
        let end = source.text[start..].find('\n').map_or(source.text.len(), |it| start + it);
        let place = source.place((start..end).into());
        let help = "begin it with `# Title`";
        let message = "the chapter has no title";
        diagnostics.push(Diagnostic::warning(codes::NO_TITLE, place, message).help(help));
        front::title_of(source.file.stem())
    } else {
        title
    };
    diagnostics.sort_by(|a, b| (a.place.span, a.code).cmp(&(b.place.span, b.code)));
    diagnostics.dedup();
    let value = Document { file: source.file.clone(), front, title, labels, blocks, footnotes };
    Checked { value, diagnostics }
}

/// Running text from text that stands in no file, such as the name of a line in a plot.
pub fn inline(text: &str) -> Vec<Inline> {
    front::loose(text)
}
