//! Text files, and places in them.

use std::fmt;
use std::sync::Arc;

/// Names a file of the book: its path below the book folder, with `/` between the parts.
///
/// The identity is the path and not an index, so that a new chapter leaves the places of all
/// other chapters as they were.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(Arc<str>);

impl FileId {
    /// Names the file at `path`. Backslashes become slashes and `./` is dropped, so that one file
    /// has one name.
    pub fn new(path: &str) -> Self {
        let path = path.replace('\\', "/");
        let mut parts = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." if parts.last().is_some_and(|it| *it != "..") => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        Self(parts.join("/").into())
    }

    /// The path below the book folder.
    pub fn path(&self) -> &str {
        &self.0
    }

    /// The path without its extension: `part/one` for `part/one.md`.
    pub fn stem(&self) -> &str {
        match self.0.rsplit_once('.') {
            Some((stem, extension)) if !extension.contains('/') && !stem.is_empty() => stem,
            _ => &self.0,
        }
    }

    /// The name of the file without its folder and extension: `one` for `part/one.md`.
    pub fn name(&self) -> &str {
        let stem = self.stem();
        stem.rsplit_once('/').map_or(stem, |it| it.1)
    }
}

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text file of the book, read whole.
///
/// The text is valid UTF-8 with `\n` line ends and no byte order mark; `project` sees to that.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// Which file this is.
    pub file: FileId,
    /// The text as written.
    pub text: Arc<str>,
}

impl Source {
    /// A source from its path and text.
    pub fn new(path: &str, text: &str) -> Self {
        Self { file: FileId::new(path), text: text.into() }
    }

    /// The place of `span` in this file.
    pub fn place(&self, span: Span) -> Place {
        Place { file: self.file.clone(), span }
    }

    /// The text under `span`; empty if the span is not of this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }
}

/// Line and column of byte `at` of `text`, both from 1, the column in characters.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// A byte range of one file, which the value that holds the span knows.
///
/// Spans stay inside values that belong to their own file. A span that reached another chapter's
/// page would force that page to be rendered again whenever text moved here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of a value that came from no file or has left its file.
    pub const NONE: Self = Self { start: 0, end: 0 };

    /// A span of bytes `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end) }
    }

    /// The bytes.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The part `range` of this span, counted from its start.
    #[expect(clippy::should_implement_trait, reason = "a part, not a difference")]
    pub fn sub(self, range: std::ops::Range<usize>) -> Self {
        let start = self.start as usize;
        Self::new(start + range.start, start + range.end)
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// A span and the file it is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Where in it.
    pub span: Span,
}
