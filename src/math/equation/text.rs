//! Text within a formula.

use katex::parser::parse_node::{AnyParseNode as Node, ParseNodeText};
use katex::types::Mode;
use unicode_normalization::UnicodeNormalization;

use super::super::Tree;
use super::super::context::context;
use super::symbols::{accent_mark, quoted};
use super::{Level, Writer, Written, is_text, spacing, unsupported};

impl Writer {
    pub(super) fn text_node(&mut self, it: &ParseNodeText) -> Written {
        let body = self.words(&it.body)?;
        if body.is_empty() {
            return Ok(body);
        }
        Ok(match it.font.as_deref() {
            Some("\\textbf") => format!("bold({body})"),
            Some("\\textit" | "\\emph") => format!("italic({body})"),
            Some("\\texttt") => format!("mono({body})"),
            Some("\\textsf") => format!("sans({body})"),
            Some(_) | None => body,
        })
    }

    /// Text or mathematics, as its first node says.
    pub(super) fn text_or_list(&mut self, body: &Tree) -> Written {
        if body.first().is_some_and(is_text) { self.words(body) } else { self.list(body) }
    }

    /// Words: letters in a row are one string, and spaces at its ends are kept.
    pub(super) fn words(&mut self, body: &Tree) -> Written {
        let mut out = String::new();
        let mut word = String::new();
        for node in body {
            match node {
                Node::TextOrd(_) | Node::MathOrd(_) | Node::Atom(_) if is_text(node) => {
                    word.push_str(&letters(node));
                }
                Node::Spacing(_) => word.push(' '),
                Node::OrdGroup(it) if it.body.iter().all(is_letter) => {
                    it.body.iter().for_each(|it| word.push_str(&letters(it)));
                }
                Node::Accent(it) => match (accent_mark(&it.label), base_letters(&it.base)) {
                    (Some(mark), Some(base)) => word.extend(base.chars().chain([mark]).nfc()),
                    _ => return unsupported(&it.label),
                },
                Node::Kern(it) => {
                    flush(&mut word, &mut out);
                    out += &spacing::space(spacing::em(&it.dimension, Level::Text));
                }
                other => {
                    flush(&mut word, &mut out);
                    out += &self.node(other, None)?;
                }
            }
        }
        flush(&mut word, &mut out);
        Ok(out)
    }
}

fn is_letter(node: &Node) -> bool {
    matches!(node, Node::TextOrd(_) | Node::MathOrd(_) | Node::Atom(_)) && is_text(node)
}

/// What an accent in text stands on.
fn base_letters(node: &Node) -> Option<String> {
    match node {
        Node::OrdGroup(it) => {
            it.body.iter().all(is_letter).then(|| it.body.iter().map(letters).collect())
        }
        node => is_letter(node).then(|| letters(node)),
    }
}

fn letters(node: &Node) -> String {
    let text = node.text().unwrap_or_default();
    match context().symbols.get(Mode::Text, text).and_then(|it| it.replace) {
        Some(c) => c.into(),
        None => match text {
            "---" => "—".into(),
            "--" => "–".into(),
            "``" => "“".into(),
            "''" => "”".into(),
            text => text.to_owned(),
        },
    }
}

/// Typst trims spaces at the ends of a string in mathematics, so those are hard ones.
fn flush(word: &mut String, out: &mut String) {
    if word.is_empty() {
        return;
    }
    let text = word.trim_start_matches(' ');
    let before = word.len() - text.len();
    let body = text.trim_end_matches(' ');
    let after = text.len() - body.len();
    let hard = |count| "\u{a0}".repeat(count);
    out.push_str(&quoted(&format!("{}{body}{}", hard(before), hard(after))));
    word.clear();
}
