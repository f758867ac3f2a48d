//! A formula found in the text to the formula and the labels of its lines.

use std::ops::Range;

use super::attributes::{Attributes, Pair};
use super::scan::Found;
use super::tree::Tree;
use super::{checks, codes, fragment};
use crate::diag::Diagnostic;
use crate::ir::{Display, Inline, Label, LineLabel, Spanned};
use crate::math::{Formula, Style};
use crate::source::{Source, Span};

/// The formula `found`, set in `style`.
pub(super) fn formula(source: &Source, found: &Found, style: Style) -> Formula {
    let mut tex = source.text.as_bytes()[found.tex.clone()].to_vec();
    for quote in &found.quotes {
        tex[quote - found.tex.start] = b' ';
    }
    let tex = String::from_utf8(tex).expect("quote markers are whole characters");
    trimmed(tex, found.tex.start, style)
}

/// A formula from its TeX, which begins at byte `start`, without white space at its ends.
fn trimmed(tex: String, start: usize, style: Style) -> Formula {
    let begin = tex.len() - tex.trim_start().len();
    let mut end = tex.trim_end().len().max(begin);
    let slashes = tex[begin..end].bytes().rev().take_while(|it| *it == b'\\').count();
    // `\ ` is a space that TeX is asked for.
    if slashes % 2 == 1 && end < tex.len() {
        end += 1;
    }
    let span = Span::new(start + begin, start + end);
    Formula { tex: tex[begin..end].to_string(), style, span }
}

impl<'a> Tree<'a> {
    /// The displayed formula `found`.
    pub(super) fn display(&mut self, found: &'a Found) -> Display {
        let formula = formula(self.source, found, Style::Display);
        self.display_of(formula, found.attributes.as_ref())
    }

    /// A displayed formula from a fence, whose lines are at `lines`.
    pub(super) fn fenced_display(
        &mut self,
        lines: &[Range<usize>],
        attributes: Option<&Attributes>,
        whole: &Range<usize>,
    ) -> Display {
        let start = lines.first().map_or(whole.end, |it| it.start);
        let end = lines.last().map_or(whole.end, |it| it.end);
        let mut tex = String::with_capacity(end - start);
        let mut at = start;
        for line in lines {
            // What stands between the lines is the prefix of the quote or list around them.
            tex.extend(std::iter::repeat_n(' ', line.start.saturating_sub(at)));
            tex.push_str(self.slice(line.start.max(at)..line.end.max(at)));
            at = line.end.max(at);
        }
        let formula = trimmed(tex, start, Style::Display);
        if formula.tex.is_empty() {
            self.warn(codes::EMPTY_FORMULA, whole.clone(), "a formula is empty", "write its TeX");
        }
        self.display_of(formula, attributes)
    }

    fn display_of(&mut self, mut formula: Formula, attributes: Option<&Attributes>) -> Display {
        let mut labels = Vec::new();
        let lines = self.line_labels(&mut formula, &mut labels);
        let labelled = attributes.map(|it| !it.labels.is_empty()).unwrap_or(!labels.is_empty());
        if labelled || !lines.is_empty() {
            self.check_tag(&formula);
        }
        let mut display = Display {
            formula,
            labels,
            lines,
            name: Vec::new(),
            symbols: Vec::new(),
            deps: Vec::new(),
            source: Vec::new(),
            snippet: Vec::new(),
            conditions: Vec::new(),
        };
        let Some(list) = attributes else { return display };
        self.check(list, &checks::FORMULA);
        let inner = std::mem::replace(&mut display.labels, list.labels.clone());
        display.labels.extend(inner);
        for pair in &list.pairs {
            match &pair.key.value[..] {
                "name" => display.name = self.inline_value(pair),
                "if" => display.conditions = self.inline_value(pair),
                "symbols" => display.symbols = pair.words(),
                "source" => display.source = pair.words(),
                "deps" => display.deps = label_words(pair),
                "snippet" => display.snippet = label_words(pair),
                _ => {}
            }
        }
        display
    }

    /// The Markdown in the value of `pair`.
    pub(super) fn inline_value(&mut self, pair: &Pair) -> Vec<Inline> {
        let Spanned { value, span } = &pair.value;
        let place = if pair.is_verbatim() {
            fragment::Base::At(*span)
        } else {
            fragment::Base::Whole(*span)
        };
        let known = self.diagnostics.len();
        let out = fragment::inline(&self.source.file, value, place, &mut self.diagnostics);
        let told = self.diagnostics[known..].iter().any(|it| it.code == codes::MATHS_UNCLOSED);
        let open = |it: &Inline| matches!(it, Inline::Text(text) if has_open_dollar(text));
        if !told && !value.contains("\\$") && out.iter().any(open) {
            let message = "a `$` in this value opens no formula";
            let help = "close the formula by `$`; a dollar sign in text is `\\$`";
            self.warn(codes::MATHS_UNCLOSED, *span, message, help);
        }
        out
    }

    /// A formula with a label has its number from it, and a tag would be another.
    fn check_tag(&mut self, formula: &Formula) {
        let tag = |at: usize| {
            let rest = &formula.tex[at + "\\tag".len()..];
            let slashes = formula.tex[..at].bytes().rev().take_while(|it| *it == b'\\').count();
            slashes % 2 == 0 && rest.trim_start_matches('*').trim_start().starts_with('{')
        };
        let found = formula.tex.match_indices("\\tag").map(|it| it.0).find(|it| tag(*it));
        let Some(at) = found else { return };
        let end = formula.tex[at..].find('}').map_or(formula.tex.len(), |it| at + it + 1);
        let place = self.source.place(formula.span.sub(at..end));
        let message = "a formula with a label has its number from it, and `\\tag` is a second one";
        let help = "remove `\\tag{…}`, or the label";
        self.diagnostics.push(Diagnostic::error(codes::TAG, place, message).help(help));
    }

    /// Takes `\label{…}` out of `formula`: labels of lines are returned, those outside of an
    /// alignment are of the whole formula.
    fn line_labels(
        &mut self,
        formula: &mut Formula,
        whole: &mut Vec<Spanned<Label>>,
    ) -> Vec<LineLabel> {
        if !formula.tex.contains("\\label") {
            return Vec::new();
        }
        let mut lines = Vec::new();
        let mut tex = formula.tex.clone().into_bytes();
        for found in find_labels(&formula.tex) {
            let span = formula.span.sub(found.range.clone());
            tex[found.range.clone()].fill(b' ');
            let name = found.name.trim();
            if name.is_empty() || !name.chars().all(super::attributes::is_label_char) {
                self.error(codes::LABEL, span, format!("`{name}` cannot be a label"));
                continue;
            }
            let label = Label(name.to_string());
            match found.row {
                Some(row) => lines.push(LineLabel { label, row, span }),
                None => whole.push(Spanned { value: label, span }),
            }
            self.check_label(&Spanned { value: Label(name.to_string()), span }, &checks::FORMULA);
        }
        formula.tex = String::from_utf8(tex).expect("whole commands are blanked");
        lines
    }
}

/// Whether `text` has a dollar sign before something that is no amount.
fn has_open_dollar(text: &str) -> bool {
    let mut parts = text.split('$').skip(1);
    parts.any(|it| !it.starts_with(|c: char| c.is_ascii_digit() || c.is_whitespace()))
}

fn label_words(pair: &Pair) -> Vec<Spanned<Label>> {
    let label = |it: Spanned<String>| {
        let name = it.value.strip_prefix('#').unwrap_or(&it.value);
        Spanned { value: Label(name.to_string()), span: it.span }
    };
    pair.words().into_iter().map(label).collect()
}

/// Environments whose rows may have labels of their own, sorted.
const ALIGNMENTS: &[&str] = &[
    "align",
    "align*",
    "alignat",
    "alignat*",
    "aligned",
    "alignedat",
    "cases",
    "dcases",
    "drcases",
    "eqnarray",
    "gather",
    "gather*",
    "gathered",
    "rcases",
    "split",
];

/// A `\label{…}` in TeX.
struct FoundLabel {
    range: Range<usize>,
    name: String,
    /// The row of the outermost alignment around it, if there is one.
    row: Option<usize>,
}

/// An open environment: whether it is an alignment, its row, and the braces open around it.
struct Level {
    aligns: bool,
    row: usize,
    braces: usize,
}

fn find_labels(tex: &str) -> Vec<FoundLabel> {
    let bytes = tex.as_bytes();
    let mut levels: Vec<Level> = Vec::new();
    let mut found = Vec::new();
    let (mut at, mut braces) = (0, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'{' => braces += 1,
            b'}' => braces = braces.saturating_sub(1),
            b'\\' => {
                let rest = &tex[at + 1..];
                if rest.starts_with('\\') {
                    if let Some(level) = levels.last_mut().filter(|it| it.braces == braces) {
                        level.row += 1;
                    }
                    at += 2;
                    continue;
                }
                if let Some(name) = argument(rest, "begin") {
                    let aligns = ALIGNMENTS.binary_search(&name).is_ok();
                    levels.push(Level { aligns, row: 0, braces });
                } else if argument(rest, "end").is_some() {
                    levels.pop();
                } else if let Some(name) = argument(rest, "label") {
                    let end = at + 1 + rest.find('}').map_or(rest.len(), |it| it + 1);
                    let row = levels.iter().find(|it| it.aligns).map(|it| it.row);
                    found.push(FoundLabel { range: at..end, name: name.to_string(), row });
                    at = end;
                    continue;
                }
                at += 1 + rest.chars().next().map_or(0, char::len_utf8);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The argument of `command`, if `rest` is the command behind its backslash.
fn argument<'a>(rest: &'a str, command: &str) -> Option<&'a str> {
    let inner = rest.strip_prefix(command)?.trim_start_matches(' ').strip_prefix('{')?;
    let end = inner.bytes().take(200).position(|it| it == b'}')?;
    Some(&inner[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_know_their_rows() {
        let rows = |tex: &str| -> Vec<_> {
            find_labels(tex).into_iter().map(|it| (it.name, it.row)).collect()
        };
        let tex = r"\begin{aligned} a &= {b \\ c} \label{x} \\[1em] \begin{matrix} 1 \\ 2 \end{matrix}
            \\ d \label{y} \end{aligned} \label{z}";
        let expected = [("x".into(), Some(0)), ("y".into(), Some(2)), ("z".into(), None)];
        assert_eq!(rows(tex), expected);
        assert_eq!(rows(r"a \label{x} \\ b"), [("x".into(), None)]);
        assert_eq!(rows(r"\\label{x} \labelx{y} \label{z"), []);
        assert!(ALIGNMENTS.is_sorted());
    }
}
