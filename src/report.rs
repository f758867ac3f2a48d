//! Diagnostics and progress to the terminal: the only printer of the program.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Level, Origin, Renderer, Snippet};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::coverage::Row;
use crate::diag::{Diagnostic, Severity};
use crate::pipeline::{Phase, Progress};
use crate::source::{FileId, Place, Source, position};

mod coverage;

/// The sources that excerpts are cut from.
pub type Sources = BTreeMap<FileId, Source>;

/// How diagnostics are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// With excerpts and carets.
    Human,
    /// One JSON object a line.
    Json,
}

/// How a run tells what it found.
#[derive(Clone, Copy, Debug)]
pub struct Manner<'a> {
    /// How diagnostics are printed.
    pub format: Format,
    /// Whether notes are printed too.
    pub notes: bool,
    /// Whether progress and summaries are left out.
    pub quiet: bool,
    /// The book folder, put before paths: terminals make them links, and tools open them.
    pub book: &'a Path,
}

impl Manner<'_> {
    /// What stands before the path of a source, so that a tool finds the file from here.
    fn prefix(&self) -> String {
        let folder = self.book.to_string_lossy();
        let folder = folder.trim_start_matches("./").trim_end_matches('/');
        if matches!(folder, "" | ".") { String::new() } else { format!("{folder}/") }
    }
}

/// The most that is printed of one severity; the rest is counted.
const SHOWN: usize = 100;

/// Prints all diagnostics and a line that counts them. Notes are counted only, unless asked for.
pub fn diagnostics(list: &[Diagnostic], sources: &Sources, manner: Manner<'_>) {
    match manner.format {
        Format::Human => {
            let prefix = manner.prefix();
            let renderer = renderer(stderr().is_terminal() && !no_color());
            let mut text = String::new();
            for diagnostic in shown(list, manner.notes) {
                text.push_str(&human(diagnostic, sources, &renderer, &prefix));
                text.push_str("\n\n");
            }
            if !manner.quiet {
                text.push_str(&counted(list, manner.notes));
            }
            error_line(text.trim_end());
        }
        Format::Json => {
            for diagnostic in list {
                line(&json(diagnostic, sources, &manner.prefix()));
            }
        }
    }
}

/// Prints what is written of each module of the course, if the book has one.
pub fn coverage(rows: &[Row], manner: Manner<'_>) {
    if rows.is_empty() || manner.quiet {
        return;
    }
    match manner.format {
        Format::Human => error_line(&coverage::table(rows)),
        Format::Json => line(&coverage::object(rows).to_string()),
    }
}

/// The first of each severity, in their order: a flood of warnings hides no error.
fn shown(list: &[Diagnostic], notes: bool) -> Vec<&Diagnostic> {
    let mut counts = BTreeMap::<Severity, usize>::new();
    let is_shown = |it: &&Diagnostic| {
        let count = counts.entry(it.severity).or_default();
        *count += 1;
        *count <= SHOWN && (notes || it.severity != Severity::Note)
    };
    list.iter().filter(is_shown).collect()
}

/// The diagnostics as plain text, as the browser's panel and the tests show them.
pub fn plain(list: &[Diagnostic], sources: &Sources) -> String {
    plain_below(list, sources, "")
}

fn plain_below(list: &[Diagnostic], sources: &Sources, prefix: &str) -> String {
    let renderer = renderer(false);
    let mut out = String::new();
    for diagnostic in list {
        out.push_str(&human(diagnostic, sources, &renderer, prefix));
        out.push_str("\n\n");
    }
    out
}

fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some()
}

fn renderer(styled: bool) -> Renderer {
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).term_width(120)
}

/// What an excerpt shows of a place.
struct Excerpt {
    /// The line, or the part of it around the span.
    text: String,
    /// The span within `text`.
    range: Range<usize>,
    /// Line and column of the span in the file.
    position: (usize, usize),
    /// Whether the beginning of the line is left out.
    is_cut: bool,
}

fn excerpt(place: &Place, sources: &Sources) -> Option<Excerpt> {
    const MOST: usize = 400;
    let text = &sources.get(&place.file)?.text;
    let (start, end) = (place.span.range().start, place.span.range().end);
    // A mistake of the file as a whole has no excerpt, nor has one of an empty file.
    if start > text.len() || end > text.len() || start > end || end == 0 {
        return None;
    }
    let first = text[..start].rfind('\n').map_or(0, |it| it + 1);
    // A long span shows its first lines only, a long line the part around the span.
    let to = text[start..].find('\n').map_or(text.len(), |it| start + it);
    let end = end.clamp(start, to);
    let from = floor(text, first.max(start.saturating_sub(MOST)));
    let to = floor(text, to.min(end.max(start) + MOST).max(start));
    let end = floor(text, end.min(to));
    Some(Excerpt {
        text: text[from..to].to_owned(),
        range: start - from..end.max(start) - from,
        position: position(text, start),
        is_cut: from > first,
    })
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn human(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer, prefix: &str) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(&*diagnostic.message).id(diagnostic.code.0);
    let places = std::iter::once((&diagnostic.place, "", AnnotationKind::Primary));
    let related = diagnostic.related.iter().map(|it| (&it.0, &*it.1, AnnotationKind::Context));
    let mut elements: Vec<Element<'_>> = Vec::new();
    for (place, word, kind) in places.chain(related) {
        let path = format!("{prefix}{}", place.file);
        let Some(excerpt) = excerpt(place, sources) else {
            let is_there = sources.contains_key(&place.file);
            let origin = Origin::path(path);
            elements.push(if is_there { origin.line(1).char_column(1) } else { origin }.into());
            continue;
        };
        let (line, column) = excerpt.position;
        let annotation = kind.span(excerpt.range).label((!word.is_empty()).then_some(word));
        let snippet = Snippet::source(excerpt.text).line_start(line).annotation(annotation);
        if excerpt.is_cut {
            // The renderer would count columns from the cut.
            elements.push(Origin::path(path).line(line).char_column(column).into());
            elements.push(snippet.into());
        } else {
            elements.push(snippet.path(path).into());
        }
    }
    let mut group = title.elements(elements);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    renderer.render(&[group])
}

fn json(diagnostic: &Diagnostic, sources: &Sources, prefix: &str) -> String {
    let place = |it: &Place| {
        let text = sources.get(&it.file).map_or("", |it| &*it.text);
        let (line, column) = position(text, it.span.range().start);
        let (end_line, end_column) = position(text, it.span.range().end);
        json!({
            "file": format!("{prefix}{}", it.file), "line": line, "column": column,
            "end_line": end_line, "end_column": end_column,
            "start": it.span.start, "end": it.span.end,
        })
    };
    let related: Vec<_> = diagnostic
        .related
        .iter()
        .map(|(it, word)| json!({ "place": place(it), "message": word }))
        .collect();
    json!({
        "severity": diagnostic.severity.name(),
        "code": diagnostic.code.0,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "place": place(&diagnostic.place),
        "related": related,
        "text": plain_below(std::slice::from_ref(diagnostic), sources, prefix).trim_end(),
    })
    .to_string()
}

/// `2 errors, 1 warning, 300 notes`, and how to see what was left out.
fn counted(list: &[Diagnostic], notes: bool) -> String {
    let count = |it: Severity| list.iter().filter(|found| found.severity == it).count();
    let mut words = Vec::new();
    let mut is_cut = false;
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let many = count(severity);
        if many > 0 {
            let plural = if many == 1 { "" } else { "s" };
            words.push(format!("{many} {}{plural}", severity.name()));
            is_cut |= many > SHOWN && (notes || severity != Severity::Note);
        }
    }
    let mut out = words.join(", ");
    if !notes && count(Severity::Note) > 0 {
        out.push_str(" (`--notes` shows the notes)");
    }
    if is_cut {
        out.push_str(&format!("; the first {SHOWN} of each, `--format json` prints all"));
    }
    out
}

/// A path as a shell takes it.
pub fn shell(path: &Path) -> String {
    let text = path.to_string_lossy();
    let dashed = if text.starts_with('-') { format!("./{text}") } else { text.into_owned() };
    let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '/' | '.' | '-' | '_' | '~');
    if dashed.chars().all(is_plain) {
        return dashed;
    }
    format!("'{}'", dashed.replace('\'', "'\\''"))
}

/// Prints a line to standard output. A closed pipe is no error.
pub fn line(text: &str) {
    let _ = writeln!(stdout(), "{text}");
}

/// Prints a line to standard error; nothing for an empty text.
pub fn error_line(text: &str) {
    if !text.is_empty() {
        let _ = writeln!(stderr(), "{text}");
    }
}

/// Shows phases, counts and time on a terminal; silent elsewhere.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar on the terminal, or one that shows nothing.
    pub fn new(quiet: bool) -> Self {
        if quiet || !stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden() };
        }
        let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
        let style = style.expect("the template is a constant");
        let bar = ProgressBar::new_spinner().with_style(style);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begin(&mut self, phase: Phase, count: usize) {
        let plural = if count == 1 { "" } else { "s" };
        let text = match phase {
            Phase::Parse => format!("parsing {count} chapter{plural}"),
            Phase::Run => format!("running {count} snippet{plural}"),
            Phase::Link => format!("linking {count} chapter{plural}"),
            Phase::Render => format!("rendering {count} chapter{plural} and typesetting"),
        };
        self.bar.set_message(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;
    use crate::source::Span;

    fn place(span: Span) -> Place {
        Place { file: FileId::new("a.md"), span }
    }

    fn sources(text: &str) -> Sources {
        Sources::from([(FileId::new("a.md"), Source::new("a.md", text))])
    }

    #[test]
    fn a_path_can_be_pasted_into_a_shell() {
        let shell = |it: &str| shell(Path::new(it));
        assert_eq!(shell("my-book"), "my-book");
        assert_eq!(shell("spa ce \"q"), "'spa ce \"q'");
        assert_eq!(shell("it's"), r"'it'\''s'");
        assert_eq!(shell("--dash"), "./--dash");
    }

    #[test]
    fn a_missing_file_has_no_excerpt() {
        let diagnostic = Diagnostic::error(Code("test"), place(Span::NONE), "gone").help("make it");
        let text = plain(&[diagnostic], &Sources::new());
        assert_eq!(text, "error[test]: gone\n--> a.md\n = help: make it\n\n");
    }

    #[test]
    fn a_long_line_is_cut_and_its_column_kept() {
        let text = format!("{}é$x$\nmore", "ä".repeat(100_000));
        let at = text.find('$').unwrap();
        let diagnostic = Diagnostic::error(Code("test"), place(Span::new(at, at + 3)), "long");
        let shown = plain(std::slice::from_ref(&diagnostic), &sources(&text));
        assert!(shown.len() < 2000, "{}", shown.len());
        assert!(shown.contains("a.md:1:100002"), "{shown}");
        let json = json(&diagnostic, &sources(&text), "book/");
        assert!(json.contains("\"column\":100002"), "{json}");
        assert!(json.contains("\"file\":\"book/a.md\""), "{json}");
    }

    #[test]
    fn a_flood_of_warnings_hides_no_error() {
        let warning = |at| Diagnostic::warning(Code("test"), place(Span::new(at, at + 1)), "odd");
        let mut list: Vec<_> = (0..300).map(warning).collect();
        list.push(Diagnostic::error(Code("test"), place(Span::new(400, 401)), "wrong"));
        let shown = shown(&list, false);
        assert_eq!(shown.len(), SHOWN + 1);
        assert_eq!(shown.last().unwrap().severity, Severity::Error);
        let counted = counted(&list, false);
        assert_eq!(
            counted,
            "1 error, 300 warnings; the first 100 of each, `--format json` prints all"
        );
    }
}
