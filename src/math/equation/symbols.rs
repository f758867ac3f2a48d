//! Symbols, fonts, accents and arrows: which character, and what Typst takes it for.

use katex::parser::parse_node::AnyParseNode as Node;
use unicode_math_class::MathClass;
use unicode_normalization::UnicodeNormalization;

use super::super::context::context;
use super::spacing::Class;
use super::{Unsupported, Writer, Written, is_text, unsupported};

/// The class that Typst gives a character.
pub(super) fn class(c: char) -> Option<MathClass> {
    match c {
        ':' => Some(MathClass::Relation),
        '⋯' | '⋱' | '⋰' | '⋮' | '.' | '/' | '\u{22A5}' => Some(MathClass::Normal),
        '⅋' | '⟇' => Some(MathClass::Binary),
        c => unicode_math_class::class(c),
    }
}

/// A character of mathematics, so that nothing of it means anything to Typst.
pub(super) fn escape(c: char) -> String {
    match c {
        // `\u` begins a code point.
        'u' => "\\u{75}".into(),
        'a'..='z' | 'A'..='Z' | '0'..='9' => format!("\\{c}"),
        c => format!("\\u{{{:x}}}", c as u32),
    }
}

/// A string of Typst.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out + "\""
}

/// The character that a symbol stands for.
pub(super) fn character(node: &Node) -> Result<char, Unsupported> {
    let Some(text) = node.text() else { return unsupported("\\not") };
    let mut chars = text.chars();
    let single = chars.next().filter(|_| chars.next().is_none());
    let is_letter =
        |c: &char| ('\u{1d400}'..='\u{1d7ff}').contains(c) || "ℂℍℕℙℚℝℤℓℎℬℰℱℋℐℒℳℛℭℌℑℜℨ".contains(*c);
    if let Some(c) = single.filter(is_letter) {
        return Ok(c);
    }
    let replaced = context().symbols.get(node.mode(), text).and_then(|it| it.replace);
    let found = replaced.or(single).filter(|it| !it.is_control());
    found.map_or_else(|| unsupported(if text.trim().len() > 1 { text } else { "\\char" }), Ok)
}

/// A symbol with a stroke through it.
pub(super) fn negated(node: &Node) -> Written {
    let c = match node {
        Node::Atom(_) | Node::MathOrd(_) | Node::TextOrd(_) => character(node)?,
        Node::Mclass(it) if it.body.len() == 1 => character(&it.body[0])?,
        Node::HtmlMathMl(it) if it.mathml.len() == 1 => character(&it.mathml[0])?,
        _ => return unsupported("\\not"),
    };
    let text: String = [c, '\u{338}'].into_iter().nfc().map(escape).collect();
    Ok(format!("class(\"relation\",{text})"))
}

impl Writer {
    pub(super) fn symbol(&mut self, node: &Node, forced: Option<Class>) -> Written {
        if is_text(node) {
            return self.words(std::slice::from_ref(node));
        }
        let own = match node {
            Node::Atom(it) => Class::of_atom(it.family),
            _ => Class::Ord,
        };
        Ok(classed(character(node)?, own, forced))
    }
}

/// A character, with its class where Typst would take it for another.
fn classed(c: char, own: Class, forced: Option<Class>) -> String {
    let c = match (c, own) {
        ('∣', _) => '|',
        ('∥', Class::Ord | Class::Open | Class::Close) => '‖',
        (c, _) => c,
    };
    let is_forced = forced.is_some();
    let want = forced.unwrap_or(own);
    let found = class(c);
    let fits = match want {
        Class::Ord | Class::Inner => match found {
            None | Some(MathClass::Normal | MathClass::Alphabetic | MathClass::Special) => true,
            Some(MathClass::Diacritic) => true,
            Some(MathClass::Vary) => is_forced,
            Some(_) => false,
        },
        Class::Bin => match found {
            Some(MathClass::Binary) => true,
            Some(MathClass::Vary) => !is_forced,
            Some(_) | None => false,
        },
        Class::Rel => found == Some(MathClass::Relation),
        Class::Open => found == Some(MathClass::Opening),
        Class::Close => found == Some(MathClass::Closing),
        Class::Punct => found == Some(MathClass::Punctuation),
        Class::Op => found == Some(MathClass::Large),
    };
    if fits { escape(c) } else { format!("class(\"{}\",{})", want.name(), escape(c)) }
}

/// `body` in a font.
pub(super) fn font(name: &str, body: &str) -> Written {
    Ok(match name {
        "mathrm" | "textrm" | "mathup" => format!("upright({body})"),
        "mathbf" => format!("bold(upright({body}))"),
        "mathit" => format!("italic({body})"),
        "mathbb" | "Bbb" => format!("bb({body})"),
        "mathcal" => format!("cal({body})"),
        "mathscr" => format!("scr({body})"),
        "mathfrak" | "frak" => format!("frak({body})"),
        "mathsf" => format!("sans(upright({body}))"),
        "mathsfit" => format!("sans(italic({body}))"),
        "mathtt" => format!("mono({body})"),
        "mathnormal" => body.to_owned(),
        "boldsymbol" => format!("bold({body})"),
        name => return unsupported(&format!("\\{name}")),
    })
}

/// The combining character of an accent.
pub(in super::super) fn accent_mark(label: &str) -> Option<char> {
    Some(match label {
        "\\hat" | "\\widehat" | "\\^" => '\u{302}',
        "\\tilde" | "\\widetilde" | "\\~" => '\u{303}',
        "\\bar" | "\\=" => '\u{304}',
        "\\vec" | "\\overrightarrow" => '\u{20d7}',
        "\\dot" | "\\." => '\u{307}',
        "\\ddot" | "\\\"" => '\u{308}',
        "\\dddot" => '\u{20db}',
        "\\ddddot" => '\u{20dc}',
        "\\acute" | "\\'" => '\u{301}',
        "\\grave" | "\\`" => '\u{300}',
        "\\breve" | "\\u" => '\u{306}',
        "\\check" | "\\v" => '\u{30c}',
        "\\mathring" | "\\r" => '\u{30a}',
        "\\H" => '\u{30b}',
        "\\c" => '\u{327}',
        "\\textcircled" => '\u{20dd}',
        "\\overleftarrow" => '\u{20d6}',
        "\\overleftrightarrow" => '\u{20e1}',
        "\\overleftharpoon" => '\u{20d0}',
        "\\overrightharpoon" => '\u{20d1}',
        _ => return None,
    })
}

/// The character of an arrow that grows.
pub(in super::super) fn arrow(label: &str) -> Option<char> {
    Some(match label.trim_start_matches('\\') {
        "xrightarrow" | "cdrightarrow" => '→',
        "xleftarrow" | "cdleftarrow" => '←',
        "xleftrightarrow" => '↔',
        "xRightarrow" => '⇒',
        "xLeftarrow" => '⇐',
        "xLeftrightarrow" => '⇔',
        "xmapsto" => '↦',
        "xhookrightarrow" => '↪',
        "xhookleftarrow" => '↩',
        "xtwoheadrightarrow" => '↠',
        "xtwoheadleftarrow" => '↞',
        "xlongequal" | "cdlongequal" => '=',
        "xrightharpoonup" => '⇀',
        "xrightharpoondown" => '⇁',
        "xleftharpoonup" => '↼',
        "xleftharpoondown" => '↽',
        "xrightleftharpoons" => '⇌',
        "xleftrightharpoons" => '⇋',
        "xtofrom" | "xrightleftarrows" => '⇄',
        _ => return None,
    })
}
