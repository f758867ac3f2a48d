//! Lines of a chapter to the words that nobody knows, each told once.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::line::Line;
use super::list::Known;
use super::{Chapter, WORDS, codes, dictionary, token};
use crate::diag::{Checked, Diagnostic};
use crate::source::Place;

/// Words for which others are suggested, in one chapter: the rest would only take time.
const SUGGESTED: usize = 25;

/// Looks every word of `lines` up. The value is the words of the book's own list that they use.
pub(super) fn check(chapter: &Chapter<'_>, lines: &[Line]) -> Checked<BTreeSet<String>> {
    let known = chapter.known;
    let mut reader =
        Reader { known, used: BTreeSet::new(), looked_up: BTreeMap::new(), told: BTreeSet::new() };
    let mut diagnostics = Vec::new();
    for line in lines {
        for part in reader.unknown(&line.text) {
            let word = token::bare(&line.text[part.clone()]);
            if reader.told.insert(word.to_lowercase()) {
                let is_early = reader.told.len() <= SUGGESTED;
                let place = chapter.source.place(line.span(part));
                diagnostics.push(unknown(place, &word, is_early));
            }
        }
    }
    Checked { value: reader.used, diagnostics }
}

/// What was found out on the way through a chapter.
struct Reader<'a> {
    known: &'a Known,
    /// Words of the list that were met.
    used: BTreeSet<String>,
    /// What the dictionary said of a word.
    looked_up: BTreeMap<String, bool>,
    /// Words that were reported, in lower case.
    told: BTreeSet<String>,
}

impl Reader<'_> {
    /// The words of `text` that are in no list.
    fn unknown(&mut self, text: &str) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        for token in token::tokens(text) {
            let whole = token::bare(&text[token.clone()]);
            if self.is_listed(&whole) {
                continue;
            }
            let parts = token::parts(text, token);
            out.extend(parts.into_iter().filter(|it| !self.is_fine(&text[it.clone()], &whole)));
        }
        out
    }

    fn is_listed(&mut self, word: &str) -> bool {
        let entry = self.known.entry(word);
        self.used.extend(entry.map(str::to_owned));
        entry.is_some()
    }

    /// Whether `part` is known, or the compound of which it is: `ex` is no word, `ex officio` is.
    fn is_fine(&mut self, part: &str, whole: &str) -> bool {
        let word = token::bare(part);
        self.is_listed(&word) || self.is_in_dictionary(&word) || self.is_in_dictionary(whole)
    }

    fn is_in_dictionary(&mut self, word: &str) -> bool {
        if let Some(found) = self.looked_up.get(word) {
            return *found;
        }
        let found = dictionary::has(word);
        self.looked_up.insert(word.to_owned(), found);
        found
    }
}

fn unknown(place: Place, word: &str, with_suggestions: bool) -> Diagnostic {
    let message = format!("`{word}` is not in the dictionary of American English");
    let suggestions = if with_suggestions { dictionary::suggestions(word) } else { Vec::new() };
    let list = suggestions.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" or ");
    let help = match suggestions.len() {
        0 => format!("mend it, or add it to `{WORDS}` if it is right"),
        _ => format!("did you mean {list}? if it is right, add it to `{WORDS}`"),
    };
    Diagnostic::warning(codes::SPELLING, place, message).help(help)
}
