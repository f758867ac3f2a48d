//! Operators, braces over and under, accents and arrows that grow.

use katex::parser::parse_node::{
    AnyParseNode as Node, ParseNodeAccent, ParseNodeAccentUnder, ParseNodeHorizBrace, ParseNodeOp,
    ParseNodeOperatorName, ParseNodeXArrow,
};
use katex::types::Mode;
use unicode_math_class::MathClass;

use super::super::Tree;
use super::super::context::context;
use super::symbols::{self, accent_mark, class, escape, quoted};
use super::{Writer, Written, unsupported};

/// Whether scripts of `base` stand above and below; if so, whether in running text too.
pub(super) fn limits(base: &Node) -> Option<bool> {
    match base {
        Node::Op(it) => it.limits().then(|| it.always_handle_sup_sub()),
        Node::OperatorName(it) if it.limits => Some(it.always_handle_sup_sub),
        Node::OperatorName(it) if it.always_handle_sup_sub => Some(false),
        _ => None,
    }
}

impl Writer {
    pub(super) fn operator(&mut self, op: &ParseNodeOp) -> Written {
        let (name, symbol, limits) = match op {
            ParseNodeOp::Body { body, .. } => {
                return Ok(format!("class(\"large\",{})", self.full(body)?));
            }
            ParseNodeOp::Symbol { name, symbol, limits, .. } => (name, *symbol, *limits),
        };
        if !symbol {
            return Ok(format!("op({},limits:#{limits})", quoted(name.trim_start_matches('\\'))));
        }
        let found = context().symbols.get(Mode::Math, name).and_then(|it| it.replace);
        let mut letters = name.chars();
        let c = match (found, name.as_str(), letters.next(), letters.next()) {
            (Some(c), ..) => c,
            (None, "\\oiint", ..) => '∯',
            (None, "\\oiiint", ..) => '∰',
            (None, _, Some(c), None) => c,
            (None, ..) => return unsupported(name),
        };
        Ok(if class(c) == Some(MathClass::Large) {
            escape(c)
        } else {
            format!("class(\"large\",{})", escape(c))
        })
    }

    pub(super) fn operator_name(&mut self, it: &ParseNodeOperatorName) -> Written {
        let body = self.upright(&it.body)?;
        let body = if body.is_empty() { super::NOTHING.to_owned() } else { body };
        Ok(format!("op({body},limits:#{})", it.limits || it.always_handle_sup_sub))
    }

    /// The name of an operator: letters in a row are one word.
    fn upright(&mut self, body: &Tree) -> Written {
        let mut out = String::new();
        let mut word = String::new();
        for node in body {
            let letter = match node {
                Node::MathOrd(_) | Node::TextOrd(_) | Node::Atom(_) => {
                    symbols::character(node).ok()
                }
                _ => None,
            };
            match letter {
                Some('−') => word.push('-'),
                Some('∗') => word.push('*'),
                Some(c) => word.push(c),
                None => {
                    flush(&mut word, &mut out);
                    let body = self.node(node, None)?;
                    if !body.is_empty() {
                        out += &format!("upright({body})");
                    }
                }
            }
        }
        flush(&mut word, &mut out);
        Ok(out)
    }

    /// `\underbrace` and its like, with a note.
    pub(super) fn brace(&mut self, it: &ParseNodeHorizBrace, note: Option<String>) -> Written {
        let function = match it.label.as_str() {
            "\\overbrace" => "overbrace",
            "\\underbrace" => "underbrace",
            "\\overbracket" => "overbracket",
            "\\underbracket" => "underbracket",
            label => return unsupported(label),
        };
        let body = self.argument(&it.base)?;
        let note = note.map(|it| format!(",{it}")).unwrap_or_default();
        Ok(format!("{function}({body}{note})"))
    }

    pub(super) fn accent(&mut self, it: &ParseNodeAccent) -> Written {
        let body = self.argument(&it.base)?;
        match it.label.as_str() {
            "\\overgroup" => return Ok(format!("overparen({body})")),
            "\\overlinesegment" => return Ok(format!("overbracket({body})")),
            "\\widecheck" => return Ok(format!("accent({body},\\u{{30c}})")),
            "\\Overrightarrow" => return Ok(stretched(&body, "t", '⇒')),
            _ => {}
        }
        let Some(mark) = accent_mark(&it.label) else { return unsupported(&it.label) };
        let size = if it.is_stretchy == Some(true) { "" } else { ",size:#0%" };
        Ok(format!("accent({body},{}{size})", escape(mark)))
    }

    pub(super) fn accent_under(&mut self, it: &ParseNodeAccentUnder) -> Written {
        let body = self.argument(&it.base)?;
        Ok(match it.label.as_str() {
            "\\underrightarrow" => stretched(&body, "b", '→'),
            "\\underleftarrow" => stretched(&body, "b", '←'),
            "\\underleftrightarrow" => stretched(&body, "b", '↔'),
            "\\utilde" => format!("attach(limits({body}),b:stretch(\\u{{7e}},size:#100%))"),
            "\\undergroup" => format!("underparen({body})"),
            "\\underlinesegment" => format!("underbracket({body})"),
            label => return unsupported(label),
        })
    }

    /// An arrow as long as what stands on it.
    pub(super) fn arrow(&mut self, it: &ParseNodeXArrow) -> Written {
        let Some(arrow) = symbols::arrow(&it.label) else { return unsupported(&it.label) };
        let level = self.level.script();
        let above = self.optional(it.body.as_deref(), level)?;
        let below = self.optional(it.below.as_deref(), level)?;
        let mut out = format!(
            "class(\"relation\",attach(limits(stretch({},size:#(100%+1em)))",
            escape(arrow)
        );
        for (side, label) in [("t", above), ("b", below)] {
            if let Some(label) = label {
                out += &format!(",{side}:{label}");
            }
        }
        Ok(out + "))")
    }
}

fn flush(word: &mut String, out: &mut String) {
    if !word.is_empty() {
        out.push_str(&quoted(word));
        word.clear();
    }
}

/// `body` with an arrow of its length on `side`.
fn stretched(body: &str, side: &str, arrow: char) -> String {
    format!("attach(limits({body}),{side}:stretch({},size:#100%))", escape(arrow))
}
