//! `[prose]` of `book.toml` to what the prose of the chapters is checked for.

use std::collections::BTreeSet;

use super::codes;
use super::fields::Field;
use crate::diag::Diagnostic;
use crate::ir::{Prose, Spanned, Spelling};

/// What the table may say.
const KNOWN: &[&str] = &["alt", "avoid", "spelling", "words"];

/// The dictionaries that come with the program.
const DICTIONARIES: &[(&str, Spelling)] = &[("en-US", Spelling::American)];

/// Reads the table.
pub(super) fn prose(field: Field<'_>, out: &mut Vec<Diagnostic>) -> Prose {
    let mut prose = Prose::default();
    let Some(table) = field.table(out) else { return prose };
    for field in table.all() {
        match field.key {
            "alt" => prose.alternatives = field.truth(out).unwrap_or_default(),
            "avoid" => prose.avoid = avoid(field, out),
            "spelling" => prose.spelling = spelling(field, out),
            "words" => prose.words = field.span_of_numbers(out),
            _ => field.unknown(KNOWN, codes::SETTING, out),
        }
    }
    prose
}

/// Words and phrases, each with one space between its words.
fn avoid(field: Field<'_>, out: &mut Vec<Diagnostic>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut phrases = Vec::new();
    for Spanned { value, span } in field.texts(out) {
        let phrase = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let item = field.at(span);
        if !phrase.contains(char::is_alphanumeric) {
            item.wrong("a list of words and phrases, as `[\"obviously\", \"of course\"]`", out);
        } else if seen.insert(phrase.to_lowercase()) {
            phrases.push(phrase);
        } else {
            let message = format!("`{phrase}` is listed twice");
            let diagnostic = Diagnostic::warning(codes::SETTING, item.place(), message);
            out.push(diagnostic.help("upper and lower case are alike here: remove one"));
        }
    }
    phrases
}

fn spelling(field: Field<'_>, out: &mut Vec<Diagnostic>) -> Option<Spelling> {
    let word = field.text(out)?.value;
    let found = DICTIONARIES.iter().find(|it| it.0.eq_ignore_ascii_case(&word));
    if found.is_none() {
        field.wrong("\"en-US\", the one dictionary that there is", out);
    }
    found.map(|it| it.1)
}
