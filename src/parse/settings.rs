//! `book.toml` to the settings of the book.

use super::fields::{self, Field, Fields};
use super::{checks, codes};
use crate::diag::Diagnostic;
use crate::ir::{Numbering, Settings, Tolerance};
use crate::source::{Source, Span};
use crate::value::Real;

/// What `book.toml` may say.
const KNOWN: &[&str] = &[
    "authors",
    "course",
    "description",
    "labels",
    "language",
    "license",
    "numbering",
    "site",
    "title",
    "tolerance",
    "updated",
];

/// Tables of mdBook's `book.toml` besides `[book]`.
const MDBOOK: &[&str] = &["build", "output", "preprocessor", "rust"];

/// Keys of mdBook's `[book]` that mean nothing here.
const MDBOOK_KEYS: &[&str] = &["multilingual", "text-direction"];

/// Settings, and files that they name.
pub(super) struct Named {
    pub settings: Settings,
    /// The course outline.
    pub course: Name,
    /// The labels of planned chapters.
    pub labels: Name,
    /// The folder of `SUMMARY.md`, as mdBook has it.
    pub folder: String,
}

/// A file that the settings name, or the usual one.
#[derive(Clone)]
pub(super) struct Name {
    pub path: String,
    /// Where it is named; `None` if it is the usual one, which need not be there.
    pub span: Option<Span>,
}

impl Default for Named {
    fn default() -> Self {
        let usual = |path: &str| Name { path: path.to_string(), span: None };
        let settings = Settings { language: "en".to_string(), ..Settings::default() };
        let (course, labels) = (usual("outline.toml"), usual("labels.toml"));
        Self { settings, course, labels, folder: "src".to_string() }
    }
}

/// Reads `book.toml`.
pub(super) fn settings(source: &Source, out: &mut Vec<Diagnostic>) -> Named {
    let whole = 0..source.text.len();
    fields::read(source, whole, codes::TOML, out, |fields, out| {
        let mut named = Named::default();
        read(fields, false, &mut named, source, out);
        if named.settings.title.is_empty() {
            let place = source.place(Span::NONE);
            let help = "write `title = \"…\"`";
            out.push(
                Diagnostic::error(codes::BOOK_TITLE, place, "the book has no title").help(help),
            );
        }
        named
    })
}

fn read(
    fields: &Fields<'_>,
    mdbook: bool,
    named: &mut Named,
    source: &Source,
    out: &mut Vec<Diagnostic>,
) {
    for field in fields.all() {
        match field.key {
            "book" if !mdbook => {
                if let Some(table) = field.table(out) {
                    read(&table, true, named, source, out);
                }
            }
            "src" if mdbook => named.folder = text(field, out),
            key if !mdbook && MDBOOK.contains(&key) || mdbook && MDBOOK_KEYS.contains(&key) => {
                let place = source.place(field.key_span);
                let message = format!("mdBook's `{key}` has no meaning here");
                out.push(Diagnostic::note(codes::MDBOOK, place, message));
            }
            _ => setting(field, named, out),
        }
    }
}

fn setting(field: Field<'_>, named: &mut Named, out: &mut Vec<Diagnostic>) {
    let settings = &mut named.settings;
    match field.key {
        "title" => settings.title = text(field, out),
        "authors" => settings.authors = field.texts(out).into_iter().map(|it| it.value).collect(),
        "description" => settings.description = text(field, out),
        "language" => settings.language = text(field, out),
        "license" => settings.license = text(field, out),
        "updated" => settings.updated = field.fact(out),
        "site" => {
            settings.site =
                Some(text(field, out)).map(|it| it.trim_end_matches('/').to_string() + "/")
        }
        "tolerance" => settings.tolerance = tolerance(field, out),
        "numbering" => settings.numbering = numbering(field, out),
        "course" => named.course = Name { path: text(field, out), span: Some(field.span) },
        "labels" => named.labels = Name { path: text(field, out), span: Some(field.span) },
        _ => field.unknown(KNOWN, codes::SETTING, out),
    }
}

fn text(field: Field<'_>, out: &mut Vec<Diagnostic>) -> String {
    field.text(out).map(|it| it.value).unwrap_or_default()
}

fn tolerance(field: Field<'_>, out: &mut Vec<Diagnostic>) -> Tolerance {
    let number = field.fact(out).and_then(|it| it.parse().ok());
    match number.filter(|it| (0.0..1.0).contains(it)) {
        Some(number) => Tolerance(Real(number)),
        None => {
            field.wrong("a number from 0 up to 1, as in `1e-12`", out);
            Tolerance::default()
        }
    }
}

fn numbering(field: Field<'_>, out: &mut Vec<Diagnostic>) -> Numbering {
    const WORDS: &[(&str, Numbering)] = &[
        ("labelled", Numbering::Labelled),
        ("all", Numbering::All),
        ("referenced", Numbering::Referenced),
    ];
    let word = text(field, out);
    if let Some(found) = WORDS.iter().find(|it| it.0 == word) {
        return found.1;
    }
    let near = checks::near(&word, WORDS.iter().map(|it| it.0));
    let near = near.map(|it| format!("; did you mean \"{it}\"?")).unwrap_or_default();
    field.wrong(&format!("\"labelled\", \"all\" or \"referenced\"{near}"), out);
    Numbering::default()
}
