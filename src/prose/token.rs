//! A line of text to the words that are looked up.

use std::ops::Range;

use crate::ir::OBJECT;

/// What makes a number or a letter an ordinal behind a hyphen: `n-th`.
const ORDINALS: [&str; 4] = ["nd", "rd", "st", "th"];

/// Words of the text with their hyphens, apostrophes and inner full stops: `e.g`, `don't`,
/// `well-known`.
pub(super) fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut chars = text.char_indices().peekable();
    // Whether the character before belongs to the last word, so that this one continues it.
    let mut is_open = false;
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let joins = is_open && is_joint(c) && chars.peek().is_some_and(|it| is_part(it.1));
        match out.last_mut() {
            Some(last) if is_open && (is_part(c) || joins) => last.end = end,
            Some(_) | None if is_part(c) => {
                out.push(at..end);
                is_open = true;
            }
            Some(_) | None => is_open = false,
        }
    }
    out
}

/// The words of a token that are looked up: those between its hyphens and full stops, without
/// numbers, single letters, acronyms, what is joined to code or a formula, and addresses.
pub(super) fn parts(text: &str, token: Range<usize>) -> Vec<Range<usize>> {
    let whole = &text[token.clone()];
    if whole.contains('@') {
        return Vec::new();
    }
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut at = token.start;
    for part in whole.split(|it: char| is_hyphen(it) || it == '.') {
        let range = at..at + part.len();
        // Every joint that is split at is in the text between this part and the next.
        let joint = text[range.end..].chars().next().map_or(0, char::len_utf8);
        at = range.end + joint;
        let is_ordinal = text[..range.start].ends_with(is_hyphen) && ORDINALS.contains(&part);
        if !is_ordinal && is_word(&bare(part)) {
            out.push(range);
        }
    }
    out
}

/// The word as a dictionary has it: straight apostrophes, no soft hyphens, no `'s`.
pub(super) fn bare(word: &str) -> String {
    let plain = |it: char| match it {
        '\u{2019}' | '\u{2bc}' => Some('\''),
        '\u{2010}' | '\u{2011}' => Some('-'),
        '\u{ad}' | '\u{200b}' | '\u{200c}' | '\u{200d}' => None,
        it => Some(it),
    };
    let word: String = word.chars().filter_map(plain).collect();
    match word.strip_suffix("'s").or_else(|| word.strip_suffix("'S")) {
        Some(owner) => owner.to_owned(),
        None => word,
    }
}

/// Whether `word` is one that a dictionary could have.
fn is_word(word: &str) -> bool {
    let letters = word.chars().filter(|it| it.is_alphabetic()).count();
    let odd = |it: char| it.is_numeric() || it == OBJECT || it == '_';
    let latin = |it: char| it.is_ascii_alphabetic() || ('\u{c0}'..='\u{24f}').contains(&it);
    letters > 1 && !word.contains(odd) && word.contains(latin) && !is_acronym(word)
}

/// Whether `word` has two to six letters, all capital but for an `s` of the plural: `GPU`, `GPUs`.
fn is_acronym(word: &str) -> bool {
    let stem = word.strip_suffix('s').unwrap_or(word);
    (2..=6).contains(&stem.chars().count()) && stem.chars().all(char::is_uppercase)
}

fn is_part(c: char) -> bool {
    let is_mark = matches!(c, '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200b}'..='\u{200d}');
    c.is_alphanumeric() || is_mark || c == OBJECT || c == '_'
}

/// Whether `c` between two letters is inside of a word.
fn is_joint(c: char) -> bool {
    is_hyphen(c) || matches!(c, '\'' | '\u{2019}' | '\u{2bc}' | '.' | '@')
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of `text` that are looked up.
    fn words(text: &str) -> Vec<String> {
        let tokens = tokens(text);
        let parts = tokens.into_iter().flat_map(|it| parts(text, it));
        parts.map(|it| bare(&text[it])).collect()
    }

    #[test]
    fn words_end_where_a_reader_ends_them() {
        assert_eq!(
            words("A well-known, \u{201c}quoted\u{201d} word."),
            ["well", "known", "quoted", "word"]
        );
        assert_eq!(
            words("encoder\u{2013}decoder and/or left- and right-most"),
            ["encoder", "decoder", "and", "or", "left", "and", "right", "most"]
        );
        assert_eq!(
            words("Don\u{2019}t 'quote' the layers' Gauss's rule"),
            ["Don't", "quote", "the", "layers", "Gauss", "rule"]
        );
        assert_eq!(
            words("by Xu et al. (e.g. here, i.e. there)"),
            ["by", "Xu", "et", "al", "here", "there"]
        );
        assert_eq!(words("soft\u{ad}hyphen"), ["softhyphen"]);
    }

    #[test]
    fn what_is_no_word_is_passed_over() {
        assert_eq!(
            words("GPT-2 has 3rd x86_64 GPUs and BLEU, not ACRONYMS"),
            ["has", "and", "not", "ACRONYMS"]
        );
        assert_eq!(words("\u{fffc}th \u{fffc}-dimensional \u{fffc}s"), ["dimensional"]);
        assert_eq!(words("the n-th, \u{fffc}-st and (i+1)-th"), ["the", "and"]);
        assert_eq!(words("a\u{3b1} \u{3b1}\u{3b2} me@example.org n k"), ["a\u{3b1}"]);
    }
}
