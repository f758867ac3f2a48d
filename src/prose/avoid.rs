//! Phrases in a line of text, as whole words.

use std::ops::Range;

use super::line::Line;
use crate::source::Span;

/// A word or phrase to look for.
pub(super) struct Phrase<'a> {
    /// As the author lists it.
    written: &'a str,
    /// As it is looked for.
    folded: String,
}

impl<'a> Phrase<'a> {
    pub(super) fn new(written: &'a str) -> Self {
        Self { written, folded: fold(written).0 }
    }
}

/// Where `phrases` stand in `line`.
pub(super) fn found<'a>(line: &Line, phrases: &[Phrase<'a>]) -> Vec<(&'a str, Span)> {
    if phrases.is_empty() {
        return Vec::new();
    }
    let (folded, bytes) = fold(&line.text);
    let mut out = Vec::new();
    for phrase in phrases {
        for (at, _) in folded.match_indices(&phrase.folded) {
            let range = at..at + phrase.folded.len();
            if is_whole(&folded, range.clone()) {
                let end = bytes.get(range.end).copied().unwrap_or(line.text.len());
                out.push((phrase.written, line.span(bytes[range.start]..end)));
            }
        }
    }
    out
}

/// Lower case, straight apostrophes and one space between words; for each byte, the byte of `text`
/// that it is of.
fn fold(text: &str) -> (String, Vec<usize>) {
    let mut out = String::new();
    let mut bytes = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '\u{2019}' | '\u{2bc}' => out.push('\''),
            '\u{ad}' => {}
            c if c.is_whitespace() && out.ends_with(' ') => {}
            c if c.is_whitespace() => out.push(' '),
            c => out.extend(c.to_lowercase()),
        }
        bytes.resize(out.len(), at);
    }
    (out, bytes)
}

/// Whether no word goes on before or behind `range`. A hyphen and an apostrophe between letters are
/// inside of a word.
fn is_whole(text: &str, range: Range<usize>) -> bool {
    let goes_on = |mut beside: Box<dyn Iterator<Item = char> + '_>| match beside.next() {
        Some('-' | '\u{2010}' | '\u{2011}' | '\'') => {
            beside.next().is_some_and(char::is_alphanumeric)
        }
        Some(c) => c.is_alphanumeric() || c == crate::ir::OBJECT || c == '_',
        None => false,
    };
    let before = goes_on(Box::new(text[..range.start].chars().rev()));
    !before && !goes_on(Box::new(text[range.end..].chars()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_of_whole_words() {
        let whole = |text: &str| {
            let at = text.find("simply").unwrap();
            is_whole(text, at..at + "simply".len())
        };
        for text in
            ["simply", "it (simply) is", "so simply.", "'simply'", "is, simply - as", "simply-"]
        {
            assert!(whole(text), "{text}");
        }
        for text in ["oversimply", "simply-connected", "quasi-simply", "simply's", "simply2"] {
            assert!(!whole(text), "{text}");
        }
    }

    #[test]
    fn folding_knows_where_it_was() {
        let (folded, bytes) = fold("É  Don\u{2019}t");
        assert_eq!(folded, "é don't");
        assert_eq!(bytes.len(), folded.len());
        assert_eq!(&bytes[..], [0, 0, 2, 4, 5, 6, 7, 10]);
    }
}
