//! `words.txt` to the words of the book that no dictionary has.

use std::collections::{BTreeMap, BTreeSet};

use super::{codes, dictionary, token};
use crate::diag::{Checked, Diagnostic};
use crate::source::{Source, Span};

/// The words of the book that no dictionary has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Known {
    words: BTreeMap<String, Span>,
}

impl Known {
    /// The entry that makes `word` known: itself, or for an entry in lower case its capitalized
    /// form.
    pub(super) fn entry(&self, word: &str) -> Option<&str> {
        let lower = word.to_lowercase();
        let is_capitalized = || {
            let rest = word.chars().skip(1);
            rest.clone().eq(lower.chars().skip(1)) || word.chars().all(|it| !it.is_lowercase())
        };
        let found = self.words.get_key_value(word);
        let found = found.or_else(|| self.words.get_key_value(&lower).filter(|_| is_capitalized()));
        found.map(|it| &it.0[..])
    }
}

/// Reads the list.
pub fn known(source: &Source) -> Checked<Known> {
    let mut known = Known::default();
    let mut out = Vec::new();
    let mut before = String::new();
    let mut at = 0;
    for line in source.text.split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let word = line.trim();
        if word.is_empty() || word.starts_with('#') {
            continue;
        }
        let span = Span::new(start, start + word.len());
        let place = source.place(span);
        if !is_one_word(word) {
            let message = format!("`{word}` is not one word");
            let help = "write one word a line, and comments behind `#` on lines of their own";
            out.push(Diagnostic::warning(codes::WORDS, place, message).help(help));
            continue;
        }
        let note = |message: String| Diagnostic::note(codes::WORDS, place.clone(), message);
        if known.words.contains_key(word) {
            out.push(note(format!("`{word}` is listed twice")).help("remove one"));
            continue;
        }
        if is_known_anyway(word) {
            out.push(note(format!("`{word}` is known without the list")).help("remove it"));
            continue;
        }
        let order = word.to_lowercase();
        if order < before {
            let help = format!("it stands before `{before}`");
            out.push(note(format!("`{word}` is not in its place")).help(help));
        }
        before = order;
        known.words.insert(token::bare(word), span);
    }
    Checked { value: known, diagnostics: out }
}

/// Says which words of the list no chapter uses.
pub fn unused(source: &Source, known: &Known, used: &BTreeSet<&str>) -> Vec<Diagnostic> {
    let idle = known.words.iter().filter(|it| !used.contains(&it.0[..]));
    let note = |(word, span): (&String, &Span)| {
        let message = format!("no chapter uses `{word}`");
        Diagnostic::note(codes::WORDS, source.place(*span), message).help("remove it")
    };
    idle.map(note).collect()
}

/// Whether `line` is a word as chapters have it.
fn is_one_word(line: &str) -> bool {
    matches!(&token::tokens(line)[..], [only] if *only == (0..line.len()))
}

/// Whether nothing in `word` would be reported if it were not listed.
fn is_known_anyway(word: &str) -> bool {
    let parts = token::parts(word, 0..word.len());
    let has = |it: &str| dictionary::has(&token::bare(it));
    parts.into_iter().all(|it| has(&word[it])) || has(word)
}
