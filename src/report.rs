//! Diagnostics and progress to the terminal: the only printer of the program.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::time::Duration;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::diag::{Diagnostic, Severity};
use crate::pipeline::{Phase, Progress};
use crate::source::{FileId, Place, Source, position};

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

/// The most that is printed of one severity; the rest is counted.
const SHOWN: usize = 200;

/// Prints all diagnostics and a line that counts them. Notes are counted only, unless asked for.
pub fn diagnostics(list: &[Diagnostic], sources: &Sources, format: Format, notes: bool) {
    match format {
        Format::Human => {
            let renderer = renderer(stderr().is_terminal() && !no_color());
            let mut text = String::new();
            let shown = list.iter().filter(|it| notes || it.severity != Severity::Note);
            for diagnostic in shown.take(SHOWN) {
                text.push_str(&human(diagnostic, sources, &renderer));
                text.push_str("\n\n");
            }
            text.push_str(&counted(list, notes));
            error_line(&text);
        }
        Format::Json => {
            for diagnostic in list {
                line(&json(diagnostic, sources));
            }
        }
    }
}

/// The diagnostics as plain text, as the browser's panel and the tests show them.
pub fn plain(list: &[Diagnostic], sources: &Sources) -> String {
    let renderer = renderer(false);
    let mut out = String::new();
    for diagnostic in list {
        out.push_str(&human(diagnostic, sources, &renderer));
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

/// The lines of a place: their text, the number of the first, and the span within.
fn lines(place: &Place, sources: &Sources) -> Option<(String, usize, std::ops::Range<usize>)> {
    const MOST: usize = 400;
    let text = &sources.get(&place.file)?.text;
    let (start, end) = (place.span.range().start, place.span.range().end);
    if start > text.len() || end > text.len() || start > end {
        return None;
    }
    let from = text[..start].rfind('\n').map_or(0, |it| it + 1);
    // A long span shows its first lines only, a long line the part around the span.
    let to = text[start..].find('\n').map_or(text.len(), |it| start + it);
    let end = end.clamp(start, to);
    let from = floor(text, from.max(start.saturating_sub(MOST)));
    let to = floor(text, to.min(end.max(start) + MOST).max(start));
    let end = floor(text, end.min(to));
    let (line, _) = position(text, start);
    Some((text[from..to].to_owned(), line, start - from..end.max(start) - from))
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn human(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(&*diagnostic.message).id(diagnostic.code.0);
    let places = std::iter::once((&diagnostic.place, "", AnnotationKind::Primary));
    let related = diagnostic.related.iter().map(|it| (&it.0, &*it.1, AnnotationKind::Context));
    let mut elements = Vec::new();
    for (place, word, kind) in places.chain(related) {
        let path = place.file.path().to_owned();
        let Some((text, line, range)) = lines(place, sources) else {
            elements.push(Snippet::source(String::new()).path(path));
            continue;
        };
        let annotation = kind.span(range).label((!word.is_empty()).then_some(word));
        elements.push(
            Snippet::source(text).line_start(line).path(path).fold(true).annotation(annotation),
        );
    }
    let mut group = title.elements(elements);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    renderer.render(&[group])
}

fn json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = |it: &Place| {
        let text = sources.get(&it.file).map_or("", |it| &*it.text);
        let (line, column) = position(text, it.span.range().start);
        let (end_line, end_column) = position(text, it.span.range().end);
        json!({
            "file": it.file.path(), "line": line, "column": column,
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
        "text": plain(std::slice::from_ref(diagnostic), sources).trim_end(),
    })
    .to_string()
}

/// `2 errors, 1 warning, 300 notes`.
fn counted(list: &[Diagnostic], notes: bool) -> String {
    let count = |it: Severity| list.iter().filter(|found| found.severity == it).count();
    let words: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .filter(|it| count(*it) > 0)
        .map(|it| {
            let many = if count(it) == 1 { "" } else { "s" };
            format!("{} {}{many}", count(it), it.name())
        })
        .collect();
    let hint = if !notes && count(Severity::Note) > 0 { " (`--notes` shows them)" } else { "" };
    if words.is_empty() { String::new() } else { format!("{}{hint}", words.join(", ")) }
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
        let text = match phase {
            Phase::Parse => format!("parsing {count} chapters"),
            Phase::Run => format!("running {count} snippets"),
            Phase::Link => format!("linking {count} chapters"),
            Phase::Render => format!("rendering {count} chapters and typesetting"),
        };
        self.bar.set_message(text);
    }
}
