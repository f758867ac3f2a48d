//! Text to the terms that it is found by.
//!
//! Case, accents and endings are folded; no word is left out. Chinese, Japanese and Korean, which
//! have no spaces, give pairs of characters. A Greek letter or another sign that stands alone is the
//! term of mathematics that its command is, `\gamma`. The browser's side does the same;
//! `tests/data/search-cases.json` holds them together.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::tables::Tables;

/// Appends the terms of `text` to `out`, in order.
pub fn words(text: &str, tables: &Tables, out: &mut Vec<String>) {
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        let end = run(&chars, at);
        if end > at {
            let word: String = chars[at..end].iter().collect();
            terms(&word, tables, out);
            at = end;
        } else {
            sign(chars[at], tables, out);
            at += 1;
        }
    }
}

/// Where the run of letters and digits that starts at `at` ends: a number with points, or a word,
/// which may have apostrophes inside.
fn run(chars: &[char], at: usize) -> usize {
    let many = |at: usize, wanted: fn(char) -> bool| {
        chars[at..].iter().position(|it| !wanted(*it)).map_or(chars.len(), |it| at + it)
    };
    let is = |at: usize, wanted: fn(char) -> bool| chars.get(at).is_some_and(|it| wanted(*it));
    let is_digit: fn(char) -> bool = |it| it.is_ascii_digit();
    let mut end = many(at, is_digit);
    while end > at && is(end, |it| it == '.') && is(end + 1, is_digit) {
        end = many(end + 1, is_digit);
    }
    if chars[at..end].contains(&'.') && !is(end, is_inner) {
        return end;
    }
    end = many(at, is_inner);
    while end > at && is(end, |it| matches!(it, '\'' | '’')) && is(end + 1, is_inner) {
        end = many(end + 1, is_inner);
    }
    end
}

fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

/// The term of a sign that names something.
fn sign(c: char, tables: &Tables, out: &mut Vec<String>) {
    out.extend(tables.signs.get(&c.to_string()).and_then(|it| name(it)));
}

/// The term of mathematics for the tokens of a sign, if it is a name.
fn name(tokens: &str) -> Option<String> {
    let is_name = tokens.len() > 1 && tokens.bytes().all(|it| it.is_ascii_alphabetic());
    is_name.then(|| format!("\\{tokens}"))
}

/// Appends the terms of a run of letters and digits.
fn terms(word: &str, tables: &Tables, out: &mut Vec<String>) {
    let mut chars = word.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && let Some(term) = tables.signs.get(&c.to_string()).and_then(|it| name(it))
    {
        return out.push(term);
    }
    let folded: Vec<char> = folded(word).chars().collect();
    for part in folded.chunk_by(|a, b| is_unspaced(*a) == is_unspaced(*b)) {
        if !is_unspaced(part[0]) {
            let word: String = part.iter().collect();
            let word = word.trim_matches('\'');
            if !word.is_empty() {
                out.push(if tables.english { stemmed(word) } else { word.replace('\'', "") });
            }
        } else if part.len() == 1 {
            out.push(part[0].to_string());
        } else {
            out.extend(part.windows(2).map(|it| it.iter().collect::<String>()));
        }
    }
}

/// The word in small letters without accents.
fn folded(word: &str) -> String {
    let bare = word.nfkd().filter(|it| !('\u{300}'..='\u{36f}').contains(it)).nfc();
    let mut out = String::new();
    for c in bare.collect::<String>().to_lowercase().chars() {
        match c {
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ø' => out.push('o'),
            'đ' => out.push('d'),
            'ł' => out.push('l'),
            'ı' => out.push('i'),
            'ς' => out.push('σ'),
            '’' => out.push('\''),
            // `İ` leaves a dot behind.
            '\u{300}'..='\u{36f}' => {}
            c if is_inner(c) || matches!(c, '\'' | '.') => out.push(c),
            _ => {}
        }
    }
    out
}

/// Whether a character is of a script without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

/// Words whose stems do not follow from their endings, sorted.
pub(super) const IRREGULAR: &[(&str, &str)] = &[
    ("analyses", "analysi"),
    ("analysis", "analysi"),
    ("axes", "axi"),
    ("axis", "axi"),
    ("bases", "basi"),
    ("basis", "basi"),
    ("bias", "bias"),
    ("biased", "bias"),
    ("biases", "bias"),
    ("calculus", "calculus"),
    ("criteria", "criterion"),
    ("embed", "embed"),
    ("hypotheses", "hypothesi"),
    ("hypothesis", "hypothesi"),
    ("indices", "index"),
    ("lemmata", "lemma"),
    ("matrices", "matrix"),
    ("maxima", "maximum"),
    ("minima", "minimum"),
    ("series", "series"),
    ("vertices", "vertex"),
];

/// The word without the endings of English: `matrices` → `matrix`, `scaling` → `scal`.
fn stemmed(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word).replace('\'', "");
    if let Ok(at) = IRREGULAR.binary_search_by_key(&&word[..], |it| it.0) {
        return IRREGULAR[at].1.to_owned();
    }
    if word.len() < 4 || !word.bytes().all(|it| it.is_ascii_lowercase()) {
        return word;
    }
    let word = singular(word);
    let word = without(&word, "ing").or_else(|| without(&word, "ed")).unwrap_or(word);
    match word.strip_suffix('e') {
        Some(stem) if stem.len() >= 3 => stem.to_owned(),
        _ => word,
    }
}

fn singular(word: String) -> String {
    let ends = |list: &[&str]| list.iter().any(|it| word.ends_with(it));
    if word.len() > 4 && word.ends_with("ies") {
        return format!("{}y", &word[..word.len() - 3]);
    }
    if ends(&["sses", "xes", "ches", "shes", "zzes"]) {
        return word[..word.len() - 2].to_owned();
    }
    if word.ends_with('s') && !ends(&["ss", "us", "is"]) {
        return word[..word.len() - 1].to_owned();
    }
    word
}

/// The word without `ending`, if a stem with a vowel is left.
fn without(word: &str, ending: &str) -> Option<String> {
    let stem = word.strip_suffix(ending)?;
    if stem.len() < 3 || !stem.contains(['a', 'e', 'i', 'o', 'u', 'y']) || stem.ends_with('e') {
        return None;
    }
    let bytes = stem.as_bytes();
    let [.., a, b] = bytes else { return None };
    let doubled = a == b && !b"aeioulsz".contains(b);
    Some(stem[..stem.len() - usize::from(doubled)].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn irregular_words_are_sorted() {
        assert!(IRREGULAR.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["scale", "scales", "scaled", "scaling"][..],
            &["matrix", "matrices"],
            &["embed", "embedded", "embedding", "embeddings"],
            &["probability", "probabilities"],
            &["box", "boxes"],
            &["loss", "losses"],
            &["query", "queries"],
            &["train", "training", "trained"],
            &["model", "model's", "models"],
        ] {
            let stems: Vec<String> = forms.iter().map(|it| stemmed(it)).collect();
            assert!(stems.iter().all(|it| *it == stems[0]), "{forms:?} → {stems:?}");
        }
        for (word, other) in
            [("string", "str"), ("bias", "bia"), ("need", "ne"), ("norm", "normal")]
        {
            assert_ne!(stemmed(word), stemmed(other), "{word} and {other}");
        }
    }
}
