//! Formulas to the negative values in them that need brackets.
//!
//! A value is written with its sign, so `$x - \\val{…}$` may print `x − −3` and `$\\val{…}^2$` the
//! square of 3 and not of −3.

use super::uses::{in_formula, value};
use super::{Outputs, codes};
use crate::diag::Diagnostic;
use crate::math::{self, Formula};
use crate::parse;
use crate::source::{Place, Span};
use crate::value::Written;

/// Every use of a negative value in `formula` that its surroundings make wrong, each with the text
/// between the braces of `\val`.
pub(super) fn bare(formula: &Formula, outputs: &Outputs) -> Vec<(Span, String)> {
    let tex = &formula.tex;
    let mut out = Vec::new();
    for (at, text) in in_formula(tex) {
        let Some(start) = tex[..at].rfind("\\val") else { continue };
        let end = at + text.len() + 1;
        if binds(&tex[..start], &tex[end..]) && is_negative(text, outputs) {
            out.push((formula.span.sub(start..end), text.to_owned()));
        }
    }
    out
}

/// The warning of such a use.
pub(super) fn warning(place: Place, text: &str) -> Diagnostic {
    let message = "the value is negative, and its sign joins what stands beside it";
    Diagnostic::warning(codes::SIGN, place, message)
        .help(format!("write `(\\val{{{text}}})`, which is right for every value"))
}

/// Whether the value is a number that is written with a sign. A list has brackets of its own.
fn is_negative(text: &str, outputs: &Outputs) -> bool {
    let written = || {
        let it = parse::value(text, Span::NONE).ok()?;
        value(outputs, &it.path)?.written(it.format)
    };
    match written() {
        Some(Written::Number(number)) => number.negative,
        Some(Written::Text(_) | Written::Matrix(_) | Written::List(_)) | None => false,
    }
}

/// Commands after which a sign is read as an operation, or whose sign closes something; sorted.
const OPERATIONS: &[&str] = &[
    ")", "]", "ast", "cdot", "div", "minus", "mp", "partial", "plus", "pm", "rangle", "rbrace",
    "rbrack", "rceil", "rfloor", "rvert", "rVert", "times", "}",
];

/// Commands that are space and nothing else, sorted.
const SPACES: &[&str] = &["!", ",", ":", ";", "quad", "qquad"];

/// Commands whose argument is no factor; sorted.
const WORDS: &[&str] =
    &["begin", "color", "end", "hspace", "label", "mbox", "operatorname", "text"];

/// Whether a sign between `before` and `behind` is read together with one of them.
fn binds(before: &str, behind: &str) -> bool {
    let (mut before, mut behind) = (before.trim_end(), behind.trim_start());
    loop {
        // A group around the value alone changes nothing; an argument is apart from the rest.
        let group = before.strip_suffix('{').zip(behind.strip_prefix('}'));
        let Some((outer, rest)) = group.filter(|it| !takes_argument(it.0)) else { break };
        (before, behind) = (outer.trim_end(), rest.trim_start());
    }
    behind.starts_with('^') || joins(before)
}

/// Whether a sign behind `before` is read as an operation, or is lost in a product.
fn joins(before: &str) -> bool {
    let before = before.trim_end();
    match command(before) {
        Some(name) if SPACES.contains(&name) => joins(&before[..before.len() - name.len() - 1]),
        Some(name) => OPERATIONS.contains(&name) || math::is_greek(name),
        None if before.ends_with('}') => !ends_in_words(before),
        None => before.ends_with(|c: char| c.is_alphanumeric() || "+-−*/·×)]!'".contains(c)),
    }
}

/// The command that `before` ends with, without its backslash.
fn command(before: &str) -> Option<&str> {
    let at = before.rfind('\\')?;
    let name = &before[at + 1..];
    let letters = !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphabetic());
    let sign = name.chars().count() == 1;
    let slashes = before[..=at].bytes().rev().take_while(|it| *it == b'\\').count();
    (slashes % 2 == 1 && (letters || sign)).then_some(name)
}

/// Whether a group that opens behind `before` is an argument: `\frac{`, `^{`, `}{`.
fn takes_argument(before: &str) -> bool {
    let before = before.trim_end();
    before.ends_with(['^', '_', '}', ']']) || command(before).is_some()
}

/// Whether `before` ends with the argument of a command such as `\text`.
fn ends_in_words(before: &str) -> bool {
    let mut rest = before;
    while let Some(group) = rest.strip_suffix('}') {
        let Some(open) = opening(group) else { return false };
        rest = &group[..open];
    }
    let rest = rest.strip_suffix('*').unwrap_or(rest);
    command(rest.trim_end()).is_some_and(|it| WORDS.contains(&it))
}

/// The byte of the `{` that is open at the end of `text`.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().rev() {
        let slashes = text[..at].bytes().rev().take_while(|it| *it == b'\\').count();
        match c {
            _ if slashes % 2 == 1 => {}
            '}' => depth += 1,
            '{' if depth == 0 => return Some(at),
            '{' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surroundings_that_take_a_sign_are_told_from_others() {
        for (before, behind) in [
            ("x-", ""),
            ("2", ""),
            ("2 ", "^2"),
            ("", " ^{2}"),
            ("{", "}^2"),
            (r"a \cdot ", ""),
            (r"\alpha", ""),
            (r"\frac{1}{2}", ""),
            (r"\left(x\right)", ""),
            (r"a + \,", ""),
            (r"\}", ""),
        ] {
            assert!(binds(before, behind), "{before}…{behind}");
        }
        for (before, behind) in [
            ("", ""),
            ("x = ", ""),
            ("(", ")^2"),
            (r"\le", ""),
            (r"\log", ""),
            (r"\sqrt{", "}^2"),
            ("x^{", "}"),
            (r"\begin{array}{cc}", ""),
            (r"\text{if }", ""),
            (r"\operatorname*{argmax}", ""),
            (r"a \\", ""),
            ("a &", ""),
        ] {
            assert!(!binds(before, behind), "{before}…{behind}");
        }
    }
}
