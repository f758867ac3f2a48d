//! Pieces of text to Typst markup that shows them as they are, with a map back to our spans.

use std::collections::BTreeSet;
#[cfg(feature = "pdf")]
use std::ops::Range;

use super::Markup;
use crate::source::{FileId, Place, Span};

/// Markup being written.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// What is written so far.
    pub(super) markup: Markup,
    /// Parts that the typesetter may refuse, in order.
    #[cfg(feature = "pdf")]
    pub(super) fragile: Vec<Fragile>,
    /// Keys of the labels that the markup defines.
    pub(super) keys: BTreeSet<String>,
}

/// A part of the markup that the typesetter may refuse, with what then stands in its place.
#[cfg(feature = "pdf")]
#[derive(Clone, Debug)]
pub(super) struct Fragile {
    /// Bytes of the markup.
    pub(super) range: Range<usize>,
    /// Markup that is never refused.
    pub(super) instead: String,
    /// The picture that it shows.
    pub(super) picture: Option<FileId>,
}

impl Draft {
    /// Appends markup of this program's own.
    pub(super) fn markup(&mut self, markup: &str) {
        self.markup.text.push_str(markup);
    }

    /// Appends text that shows as it is.
    pub(super) fn text(&mut self, text: &str) {
        escape(text, &mut self.markup.text);
    }

    /// Appends a string literal.
    pub(super) fn string(&mut self, text: &str) {
        literal(text, &mut self.markup.text);
    }

    /// Says that what follows is from `span` of `file`.
    pub(super) fn origin(&mut self, file: &FileId, span: Span) {
        let at = self.markup.text.len();
        let place = Place { file: file.clone(), span };
        match self.markup.origins.last_mut() {
            Some(last) if last.0 == at => last.1 = place,
            Some(_) | None => self.markup.origins.push((at, place)),
        }
    }

    /// Appends markup that may be refused; `shown` stands in its place then.
    #[cfg(feature = "pdf")]
    pub(super) fn fragile(&mut self, markup: &str, shown: &str) {
        let mut instead = String::from("[#b.refused(");
        literal(shown, &mut instead);
        instead.push_str(")]");
        self.push_fragile(markup, instead, None);
    }

    /// Appends the markup of a picture; `instead` stands in its place if it is refused.
    #[cfg(feature = "pdf")]
    pub(super) fn picture(&mut self, markup: &str, instead: String, file: &FileId) {
        self.push_fragile(markup, instead, Some(file.clone()));
    }

    #[cfg(feature = "pdf")]
    fn push_fragile(&mut self, markup: &str, instead: String, picture: Option<FileId>) {
        let start = self.markup.text.len();
        self.markup.text.push_str(markup);
        self.fragile.push(Fragile { range: start..self.markup.text.len(), instead, picture });
    }

    /// Appends the markup of a picture, which only a typesetter could refuse.
    #[cfg(not(feature = "pdf"))]
    pub(super) fn picture(&mut self, markup: &str, _: String, _: &FileId) {
        self.markup.text.push_str(markup);
    }

    /// Appends markup that only a typesetter could refuse.
    #[cfg(not(feature = "pdf"))]
    pub(super) fn fragile(&mut self, markup: &str, _: &str) {
        self.markup.text.push_str(markup);
    }

    /// Where the byte `at` of the markup is from.
    #[cfg(feature = "pdf")]
    pub(super) fn place(&self, at: usize) -> Option<Place> {
        let after = self.markup.origins.partition_point(|it| it.0 <= at);
        let index = after.checked_sub(1)?;
        Some(self.markup.origins[index].1.clone())
    }

    /// The part that may be refused and has byte `at`, as an index.
    #[cfg(feature = "pdf")]
    pub(super) fn fragile_at(&self, at: usize) -> Option<usize> {
        self.fragile.iter().position(|it| it.range.contains(&at))
    }

    /// Puts in the place of a part what is never refused.
    #[cfg(feature = "pdf")]
    pub(super) fn replace(&mut self, part: usize) {
        let Fragile { range, instead, .. } = self.fragile.remove(part);
        let (old, new) = (range.len(), instead.len());
        self.markup.text.replace_range(range.clone(), &instead);
        let moved = |at: usize| if at >= range.end { at - old + new } else { at };
        for origin in &mut self.markup.origins {
            origin.0 = moved(origin.0);
        }
        for other in &mut self.fragile {
            other.range = moved(other.range.start)..moved(other.range.end);
        }
    }

    /// Notes that the markup defines `key`; false if it did already.
    pub(super) fn define(&mut self, key: &str) -> bool {
        self.keys.insert(key.to_owned())
    }

    /// Appends `key: "…", ` for a label defined here, or nothing if there is none or a second one.
    pub(super) fn key(&mut self, key: Option<&str>) {
        if let Some(key) = key.filter(|it| self.define(it)) {
            self.markup("key: ");
            self.string(key);
            self.markup(", ");
        }
    }
}

/// Writes `text` so that markup shows it as it is: a backslash before every ASCII punctuation
/// character, since an obvious subset is not enough, and no control characters.
pub(super) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push(' '),
            c if c.is_control() => {}
            c if c.is_ascii_punctuation() => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
}

/// Writes `text` as a string literal of Typst code.
pub(super) fn literal(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_shows_as_it_is() {
        let mut out = String::new();
        escape("= 1. a_b* #x[0]\u{2028}\u{7}é", &mut out);
        assert_eq!(out, "\\= 1\\. a\\_b\\* \\#x\\[0\\] é");
        out.clear();
        literal("a\"\\\n\u{1}", &mut out);
        assert_eq!(out, "\"a\\\"\\\\\\n\"");
    }
}
