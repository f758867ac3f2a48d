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
mod course;
mod fences;
mod fields;
mod figures;
mod fragment;
mod front;
mod headings;
mod inlines;
mod languages;
mod links;
mod lints;
mod macros;
mod mask;
mod maths;
mod names;
mod notation;
mod outline;
mod prefix;
mod prose;
mod scan;
mod seek;
mod settings;
mod survey;
mod tree;
mod value;

use std::collections::BTreeMap;

use crate::diag::{Checked, Diagnostic};
use crate::ir::{self, Book, Document, Entry, Inline};
use crate::math::Macros;
use crate::source::{FileId, Place, Source, Span};

pub use codes::CODES;
pub use headings::slug;
pub use value::value;

/// Reads what the book is, besides its chapters: `book.toml`, `SUMMARY.md`, and the files that
/// they name. `sources` are all text files of the book folder.
pub fn book(sources: &BTreeMap<FileId, Source>) -> Checked<Book> {
    let mut out = Vec::new();
    let named = match file(sources, "book.toml") {
        Some(source) => settings::settings(source, &mut out),
        None => {
            let place = Place { file: FileId::new("book.toml"), span: Span::NONE };
            let help = "write `book.toml` with `title = \"…\"`";
            let message = "the book has no `book.toml` and so no title";
            out.push(Diagnostic::error(codes::BOOK_TITLE, place, message).help(help));
            settings::Named::default()
        }
    };
    let course = named_file(sources, &named.course, &mut out);
    let labels = named_file(sources, &named.labels, &mut out);
    let value = Book {
        outline: outline(sources, &named.folder, &mut out),
        course: course.map(|it| course::course(it, &mut out)),
        notation: file(sources, "notation.toml")
            .map(|it| notation::symbols(it, &mut out))
            .unwrap_or_default(),
        macros: macros(sources, &mut out),
        planned: labels.map(|it| course::planned(it, &mut out)).unwrap_or_default(),
        settings: named.settings,
    };
    out.sort_by(|a, b| (&a.place, a.code).cmp(&(&b.place, b.code)));
    Checked { value, diagnostics: out }
}

fn file<'a>(sources: &'a BTreeMap<FileId, Source>, path: &str) -> Option<&'a Source> {
    sources.get(&FileId::new(path))
}

/// A file that `book.toml` names, or the usual one, which need not be there.
fn named_file<'a>(
    sources: &'a BTreeMap<FileId, Source>,
    name: &settings::Name,
    out: &mut Vec<Diagnostic>,
) -> Option<&'a Source> {
    let found = file(sources, &name.path);
    if let (None, Some(span)) = (found, name.span) {
        let place = Place { file: FileId::new("book.toml"), span };
        let message = format!("there is no file `{}` in the book folder", name.path);
        out.push(Diagnostic::error(codes::BOOK_FIELD, place, message));
    }
    found
}

/// The outline from `SUMMARY.md`, in the book folder or where mdBook has it.
fn outline(
    sources: &BTreeMap<FileId, Source>,
    folder: &str,
    out: &mut Vec<Diagnostic>,
) -> Vec<Entry> {
    let summary = file(sources, "SUMMARY.md");
    let summary = summary.or_else(|| file(sources, &format!("{folder}/SUMMARY.md")));
    if let Some(summary) = summary {
        return outline::outline(summary, sources, out);
    }
    let place = Place { file: FileId::new("SUMMARY.md"), span: Span::NONE };
    let help = "list its chapters there: `- [Title](file.md)`";
    let message = "the book has no `SUMMARY.md`";
    out.push(Diagnostic::error(codes::EMPTY_BOOK, place, message).help(help));
    Vec::new()
}

/// The macros of the book; those of `macros.tex` win.
fn macros(sources: &BTreeMap<FileId, Source>, out: &mut Vec<Diagnostic>) -> Macros {
    let mut macros =
        file(sources, "macros.toml").map(|it| notation::macros_toml(it, out)).unwrap_or_default();
    if let Some(source) = file(sources, "macros.tex") {
        macros.0.append(&mut macros::macros_tex(source, out).0);
    }
    macros
}

/// Parses one chapter.
pub fn document(source: &Source) -> Checked<Document> {
    let mut diagnostics = Vec::new();
    let (front, front_title, start) = front::front(source, &mut diagnostics);
    let masked = mask::mask(source, start);
    let mut tree = tree::Tree::new(source, &masked);
    let blocks = tree.blocks();
    tree.report_stray();
    let (title, title_span, labels) = match tree.title.take() {
        Some(title) => {
            check_title(source, &front_title, &title.body, &mut diagnostics);
            (title.body, title.range.into(), title.labels)
        }
        None => (front_title.value, front_title.span, Vec::new()),
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
    diagnostics.sort_by_key(|it| (it.place.span, it.code));
    diagnostics.dedup();
    let file = source.file.clone();
    let value = Document { file, front, title, title_span, labels, blocks, footnotes };
    Checked { value, diagnostics }
}

/// Says when the front matter gives another title than the heading.
fn check_title(
    source: &Source,
    front: &front::Title,
    heading: &[Inline],
    out: &mut Vec<Diagnostic>,
) {
    // A title that could not be read whole is not compared.
    if !out.is_empty() || front.value.is_empty() || ir::plain(&front.value) == ir::plain(heading) {
        return;
    }
    let message = "the title here differs from the heading, which is shown";
    let help = "remove one of them, or make them alike";
    let place = source.place(front.span);
    out.push(Diagnostic::note(codes::TITLE_DIFFERS, place, message).help(help));
}

/// Running text from text that stands in no file, such as the name of a line in a plot.
pub fn inline(text: &str) -> Vec<Inline> {
    front::loose(text)
}
