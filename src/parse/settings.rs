//! `book.toml` to the settings of the book.

use super::fields::{self, Field, Fields};
use super::{checks, codes, languages, lints};
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
    "prose",
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
        "language" => {
            if let Some(tag) = languages::language(field, out) {
                settings.language = tag;
            }
        }
        "tolerance" => settings.tolerance = tolerance(field, out),
        "license" => settings.license = text(field, out),
        "updated" => settings.updated = updated(field, out),
        "site" => settings.site = site(field, out),
        "numbering" => settings.numbering = numbering(field, out),
        "prose" => settings.prose = lints::prose(field, out),
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

fn updated(field: Field<'_>, out: &mut Vec<Diagnostic>) -> Option<String> {
    let day = field.fact(out)?;
    if !is_day(&day) {
        field.wrong("a day, as `updated = \"2026-07-22\"`", out);
        return None;
    }
    Some(day)
}

/// Whether `text` is a day of the calendar, `2026-07-22`.
fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = &parts[..] else { return false };
    let digits = |it: &str, count| it.len() == count && it.bytes().all(|it| it.is_ascii_digit());
    if !(digits(year, 4) && digits(month, 2) && digits(day, 2)) {
        return false;
    }
    let number = |it: &str| it.parse::<u32>().unwrap_or_default();
    let year = number(year);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match number(month) {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => 0,
    };
    (1..=days).contains(&number(day))
}

fn site(field: Field<'_>, out: &mut Vec<Diagnostic>) -> Option<String> {
    let site = field.text(out)?.value;
    let rest = site.strip_prefix("https://").or_else(|| site.strip_prefix("http://"));
    let host = rest.unwrap_or_default().split(['/', '?', '#']).next().unwrap_or_default();
    let odd = |it: char| it.is_whitespace() || it.is_control() || "<>\"?#".contains(it);
    if host.is_empty() || site.contains(odd) {
        field.wrong("the address of the site, as `site = \"https://example.org/book\"`", out);
        return None;
    }
    Some(site.trim_end_matches('/').to_string() + "/")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_of_the_calendar() {
        for day in ["2026-07-22", "2024-02-29", "2000-12-31"] {
            assert!(is_day(day), "{day}");
        }
        for day in ["yesterday", "2026-7-22", "2023-02-29", "2026-13-01", "2026-01-00", "22.7.2026"]
        {
            assert!(!is_day(day), "{day}");
        }
    }
}
