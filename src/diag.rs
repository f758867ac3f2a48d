//! What the program tells the author.

use crate::source::{Place, Source, Span};

/// The stable name of a kind of mistake, `link-unknown-label`: stage, then what is wrong.
///
/// Every stage lists its codes in a table `CODES` with the text that `reckoner explain` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

/// A code with the text that explains it.
#[derive(Clone, Copy, Debug)]
pub struct Explained {
    /// The code.
    pub code: Code,
    /// A few paragraphs of Markdown: what is wrong, an example, a way out.
    pub text: &'static str,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The book is wrong; exit code 1.
    Error,
    /// The book is probably not what the author wants.
    Warning,
    /// Worth knowing, such as a reference to a chapter that is still planned.
    Note,
}

impl Severity {
    /// The word shown: `error`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A message about a place in the book.
///
/// The message is lower case, has code in backticks and no full stop at its end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Diagnostic {
    /// Where.
    pub place: Place,
    /// How bad.
    pub severity: Severity,
    /// Which kind of mistake.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// A way out.
    pub help: Option<String>,
    /// Other places that matter, such as the first definition of a label, each with a word on it.
    pub related: Vec<(Place, String)>,
}

impl Diagnostic {
    /// A diagnostic of `severity` without help or related places.
    pub fn new(severity: Severity, code: Code, place: Place, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { place, severity, code, message, help: None, related: Vec::new() }
    }

    /// An error.
    pub fn error(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, place, message)
    }

    /// A warning.
    pub fn warning(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, place, message)
    }

    /// A note.
    pub fn note(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, place, message)
    }

    /// Adds a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, place: Place, word: impl Into<String>) -> Self {
        self.related.push((place, word.into()));
        self
    }
}

/// A value, and what was noticed while making it.
///
/// Stages return this and not `Result`: a broken chapter still yields a chapter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Checked<T> {
    /// The value, as good as the input allowed.
    pub value: T,
    /// In source order.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Checked<T> {
    /// A value about which there is nothing to say.
    pub fn fine(value: T) -> Self {
        Self { value, diagnostics: Vec::new() }
    }

    /// Takes the value and appends the diagnostics to `out`.
    pub fn take(self, out: &mut Vec<Diagnostic>) -> T {
        out.extend(self.diagnostics);
        self.value
    }
}

/// The excerpt that a message shows: the lines of `span` in plain text with carets, for tests and
/// for the browser. At most three lines; long lines are cut.
pub fn excerpt(source: &Source, span: Span) -> String {
    const WIDTH: usize = 100;
    let text = &source.text;
    let (line, column) = crate::source::position(text, span.range().start);
    let Some(shown) = text.lines().nth(line - 1) else { return String::new() };
    let skip = (column - 1).saturating_sub(WIDTH * 3 / 4);
    let cut: String = shown.chars().skip(skip).take(WIDTH).collect();
    let room = (cut.chars().count() + 1).saturating_sub(column - 1 - skip).max(1);
    let first = source.slice(span).lines().next().unwrap_or_default();
    let carets = first.chars().count().clamp(1, room);
    let gutter = " ".repeat(line.to_string().len());
    let pad = " ".repeat(column - 1 - skip);
    format!("{gutter} |\n{line} | {cut}\n{gutter} | {pad}{}\n", "^".repeat(carets))
}
