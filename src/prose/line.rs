//! A passage to a line of text that knows where its words stand in the source.
//!
//! The tree keeps no place for each word. But words stand in the source as in the tree, letter by
//! letter and in the same order; only marks of Markdown are between them. So each run of letters is
//! looked for behind the one before, and what has a place of its own (a formula, a link) is passed
//! over by it.

use std::ops::Range;

use crate::ir::{Passage, Piece};
use crate::source::Span;

/// The text of a passage.
pub(super) struct Line {
    /// Its words, joined across marks of Markdown.
    pub text: String,
    /// Where the search ended in the source.
    pub end: usize,
    /// Runs of letters and digits: bytes of `text`, and the byte of the source at which they begin.
    runs: Vec<(Range<usize>, usize)>,
    /// The first line of the part of the source, for a word that cannot be found, as one with a
    /// letter that is written `&eacute;`.
    whole: Span,
}

impl Line {
    /// The text of `passage`, found in `source` from byte `from` on, or else from where the part of
    /// the source begins.
    pub(super) fn new(source: &str, passage: &Passage<'_>, from: Option<usize>) -> Self {
        let part = passage.span.range();
        let part = part.start.min(source.len())..part.end.min(source.len());
        let slice = source.get(part.clone()).unwrap_or_default();
        let first = slice.lines().next().unwrap_or_default();
        let start = from.unwrap_or(part.start);
        let mut line = Self {
            text: String::new(),
            end: start,
            runs: Vec::new(),
            whole: Span::new(part.start, part.start + first.len()),
        };
        let rest = source.get(start..part.end).unwrap_or_default();
        if let Some(at) = rest.find(passage.after) {
            line.end = start + at + passage.after.len();
        }
        for piece in passage.pieces() {
            line.piece(piece, source, part.end);
        }
        line
    }

    fn piece(&mut self, piece: Piece<'_>, source: &str, end: usize) {
        let start = self.text.len();
        piece.append(&mut self.text);
        match piece {
            Piece::Text(text) => {
                for run in runs(text) {
                    let Some(at) = find_run(source, self.end..end, &text[run.clone()]) else {
                        continue;
                    };
                    self.end = at + run.len();
                    self.runs.push((start + run.start..start + run.end, at));
                }
            }
            Piece::Code(text) | Piece::Html(text) => {
                let rest = source.get(self.end..end).unwrap_or_default();
                if let Some(at) = rest.find(text) {
                    self.end += at + text.len();
                }
            }
            Piece::Object(span) => self.end = self.end.max(span.range().end.min(end)),
            Piece::Edge(at) => self.end = self.end.max((at as usize).min(end)),
            Piece::Space => {}
        }
    }

    /// Where the bytes `range` of the text are in the source.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        let first = self.runs.partition_point(|it| it.0.end <= range.start);
        let after = self.runs.partition_point(|it| it.0.start < range.end);
        let Some([first, ..]) = self.runs.get(first..after) else { return self.whole };
        let last = &self.runs[after - 1];
        let start = first.1 + range.start.saturating_sub(first.0.start);
        let end = last.1 + (range.end.min(last.0.end) - last.0.start);
        Span::new(start, end)
    }
}

/// The runs of letters and digits in `text`.
fn runs(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices().filter(|it| it.1.is_alphanumeric()) {
        let end = at + c.len_utf8();
        match out.last_mut() {
            Some(last) if last.end == at => last.end = end,
            Some(_) | None => out.push(at..end),
        }
    }
    out
}

/// How far behind the word before a word is looked for. What is longer than this between two words
/// has a place of its own.
const REACH: usize = 1 << 14;

/// Where `run` stands near the start of `range` of `source`, with no letter or digit beside it.
fn find_run(source: &str, range: Range<usize>, run: &str) -> Option<usize> {
    let rest = source.get(range.clone())?;
    let rest = &rest[..rest.floor_char_boundary(REACH)];
    let is_apart = |at: usize| {
        let before = source[..range.start + at].chars().next_back();
        let after = source[range.start + at + run.len()..].chars().next();
        let is_letter = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
        !is_letter(before) && !is_letter(after)
    };
    let mut found = rest.match_indices(run).map(|it| it.0);
    found.find(|it| is_apart(*it)).map(|it| range.start + it)
}
