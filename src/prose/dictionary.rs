//! Words to whether American English has them.
//!
//! The dictionary is the one that SCOWL makes for Hunspell, as Debian packages it; its licence is
//! beside it. It is read at the first word that is looked up, once a process.

use std::hash::{BuildHasherDefault, DefaultHasher};
use std::sync::LazyLock;

use spellbook::Dictionary;

/// Hashes alike in every run, so that equal words have equal suggestions in equal order.
type Hasher = BuildHasherDefault<DefaultHasher>;

static AMERICAN: LazyLock<Dictionary<Hasher>> = LazyLock::new(|| {
    let (rules, words) = (include_str!("en_US.aff"), include_str!("en_US.dic"));
    Dictionary::new_with_hasher(rules, words, Hasher::default())
        .expect("the dictionary is a constant, and a test reads it")
});

/// The most words that are suggested.
const MOST: usize = 3;

/// Whether the dictionary has `word`, capitalized or not.
pub(super) fn has(word: &str) -> bool {
    AMERICAN.check(word)
}

/// The words of the dictionary that are most like `word`: a letter more, less, other or moved.
pub(super) fn suggestions(word: &str) -> Vec<String> {
    let mut out = Vec::new();
    // What is short is like everything. A look at all words by their likeness would take most of the time of a build.
    AMERICAN.suggester().with_ngram_suggestions(false).suggest(word, &mut out);
    let is_short = |it: &str| it.chars().count() < 3;
    out.retain(|it| !it.contains('-') && !is_short(it));
    // Two words in place of one are a guess, for want of a better.
    if out.iter().any(|it| !it.contains(' ')) {
        out.retain(|it| !it.contains(' '));
    }
    out.truncate(MOST);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_is_american() {
        for word in ["behavior", "color", "normalize", "Center", "don't", "naive", "modeling"] {
            assert!(has(word), "{word}");
        }
        for word in ["behaviour", "colour", "normalise", "centre", "modelling", "wrod"] {
            assert!(!has(word), "{word}");
        }
    }

    #[test]
    fn what_is_meant_is_suggested() {
        for (word, meant) in [("behaviour", "behavior"), ("normalise", "normalize"), ("teh", "the")]
        {
            assert!(suggestions(word).iter().any(|it| it == meant), "{:?}", suggestions(word));
        }
    }
}
