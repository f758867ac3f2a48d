//! The parse tree to readable text: `softmax(QKᵀ/√dₖ)V`.
//!
//! For titles, search, bookmarks and alternative texts, where no layout is to be had.

use katex::build_html::DomType;
use katex::parser::parse_node::{AnyParseNode as Node, ParseNodeArray, ParseNodeOp};
use katex::types::Mode;

use unicode_normalization::UnicodeNormalization;

use super::context::context;
use super::equation::{self, is_not};
use super::{Tree, children};

/// Writes `tree`. A formula that shows nothing readable is written as its `tex`.
pub(super) fn write(tree: &Tree, tex: &str) -> String {
    let mut out = String::new();
    nodes(tree, &mut out);
    let out = joined(&out);
    let words: Vec<&str> = out.split_whitespace().collect();
    match (words.is_empty(), tex.trim()) {
        (false, _) => words.join(" "),
        (true, "") => "empty formula".into(),
        (true, tex) => tex.to_owned(),
    }
}

/// Ends a word: a letter after it is another word, anything else follows at once.
const WORD: char = '\u{2061}';

/// `text` with word ends made spaces where they are needed.
fn joined(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != WORD {
            out.push(c);
        } else if chars.peek().is_some_and(|it| it.is_alphanumeric() || "√∛∜{".contains(*it))
        {
            out.push(' ');
        }
    }
    out
}

fn of(tree: &Tree) -> String {
    let mut out = String::new();
    nodes(tree, &mut out);
    out.trim().to_owned()
}

fn one(node: &Node) -> String {
    of(std::slice::from_ref(node))
}

fn nodes(tree: &Tree, out: &mut String) {
    for (index, node) in tree.iter().enumerate() {
        if index > 0 && is_not(&tree[index - 1]) {
            // The stroke goes through the symbol, so it is written after it.
            let symbol: String = one(node).chars().chain(['\u{338}']).nfc().collect();
            out.push_str(&format!(" {symbol} "));
        } else if !is_not(node) {
            self::node(node, out);
        }
    }
}

fn node(node: &Node, out: &mut String) {
    match node {
        Node::Atom(_) | Node::MathOrd(_) | Node::TextOrd(_) => symbol(node, out),
        Node::SupSub(it) => {
            let base = it.base.as_deref().map(one).unwrap_or_default();
            out.push_str(&base);
            let limits = matches!(it.base.as_deref(), Some(Node::HorizBrace(_)));
            if limits {
                return;
            }
            script(it.sub.as_deref(), SUB, '_', out);
            script(it.sup.as_deref(), SUP, '^', out);
            if matches!(it.base.as_deref(), Some(Node::Op(_) | Node::OperatorName(_))) {
                out.push(' ');
            }
        }
        Node::Genfrac(it) => {
            let (over, under) = (one(&it.numer), one(&it.denom));
            let pair = if it.has_bar_line {
                format!("{}/{}", grouped(&over), grouped(&under))
            } else {
                format!("{over} {under}")
            };
            let delim = |it: &Option<String>| it.as_deref().map(delimiter).unwrap_or_default();
            out.push_str(&format!("{}{pair}{}", delim(&it.left_delim), delim(&it.right_delim)));
        }
        Node::Sqrt(it) => {
            match it.index.as_ref().map(one).as_deref() {
                None => out.push('√'),
                Some("3") => out.push('∛'),
                Some("4") => out.push('∜'),
                Some(index) => {
                    out.push_str(&scripted(index, SUP, '^'));
                    out.push('√');
                }
            }
            out.push_str(&grouped(&one(&it.body)));
        }
        Node::Op(op) => operator(op, out),
        Node::OperatorName(it) => name(&of(&it.body), out),
        Node::Accent(it) => accent(&one(&it.base), &it.label, out),
        Node::LeftRight(it) => {
            out.push_str(&delimiter(&it.left));
            nodes(&it.body, out);
            out.push_str(&delimiter(&it.right));
        }
        Node::Middle(it) => out.push_str(&delimiter(&it.delim)),
        Node::Delimsizing(it) => out.push_str(&delimiter(&it.delim)),
        Node::Array(it) => table(it, out),
        Node::Kern(it) => {
            if it.dimension.number > 0.0 && it.dimension.unit != "mu" || it.dimension.number > 4.0 {
                out.push(' ');
            }
        }
        Node::Spacing(it) => {
            if !matches!(&*it.text, "\\nobreak" | "\\allowbreak") {
                out.push(' ');
            }
        }
        Node::XArrow(it) => {
            let label = it.body.as_deref().map(one).unwrap_or_default();
            let arrow = equation::arrow(&it.label).unwrap_or('→');
            out.push_str(&format!(" {arrow} "));
            if !label.is_empty() {
                out.push_str(&format!("({label}) "));
            }
        }
        Node::Verb(it) => out.push_str(&it.body),
        Node::Url(it) => out.push_str(&it.url),
        Node::HtmlMathMl(it) => nodes(&it.mathml, out),
        Node::Mclass(it) if it.mclass == DomType::Mrel && !it.is_character_box => {
            out.push_str(&format!(" {} ", of(&it.body)));
        }
        // A lone sign in braces is an ordinary one: `10{,}000`.
        Node::OrdGroup(it) if it.body.len() == 1 && matches!(it.body[0], Node::Atom(_)) => {
            out.push_str(&one(&it.body[0]));
        }
        Node::MathChoice(it) => nodes(&it.text, out),
        Node::Tag(it) => {
            nodes(&it.body, out);
            out.push_str(&format!(" {}", of(&it.tag)));
        }
        Node::Font(it) if it.font == "mathbb" => {
            let text = one(&it.body);
            out.extend(text.chars().map(double_struck));
        }
        Node::Phantom(_) | Node::Hphantom(_) | Node::Vphantom(_) | Node::Rule(_) => {}
        Node::Cr(_) => out.push_str("; "),
        other => children::each(other, &mut |it| nodes(it, out)),
    }
}

/// A symbol; relations and binary operators get room, so that words do not run together.
fn symbol(node: &Node, out: &mut String) {
    let Some(text) = node.text() else { return };
    let found = context().symbols.get(node.mode(), text).and_then(|it| it.replace);
    let shown = match (found, text) {
        (Some(c), _) => c.to_string(),
        (None, "\\prime") => "′".into(),
        (None, text) => text.trim_start_matches('\\').to_owned(),
    };
    let shown = match shown.as_str() {
        "∣" => "|",
        "∥" => "‖",
        shown => shown,
    };
    match node {
        Node::Atom(it) if it.mode == Mode::Math && it.family == katex::symbols::Atom::Rel => {
            out.push_str(&format!(" {shown} "));
        }
        Node::Atom(it) if it.mode == Mode::Math && it.family == katex::symbols::Atom::Bin => {
            let unary = out.is_empty() || out.ends_with([' ', '(', '[', '{', ',']);
            let tight = unary || matches!(shown, "∗" | "⋅" | "∘");
            out.push_str(&if tight { shown.to_owned() } else { format!(" {shown} ") });
        }
        Node::Atom(it) if it.mode == Mode::Math && it.family == katex::symbols::Atom::Punct => {
            out.push_str(&format!("{shown} "));
        }
        _ => out.push_str(shown),
    }
}

fn operator(op: &ParseNodeOp, out: &mut String) {
    match op {
        ParseNodeOp::Body { body, .. } => nodes(body, out),
        ParseNodeOp::Symbol { name: text, symbol, .. } => {
            let found = context().symbols.get(Mode::Math, text).and_then(|it| it.replace);
            match found.filter(|_| *symbol) {
                Some(c) => out.push(c),
                None => name(text.trim_start_matches('\\'), out),
            }
        }
    }
}

/// The name of an operator, apart from a letter before it.
fn name(text: &str, out: &mut String) {
    if out.ends_with(char::is_alphanumeric) {
        out.push(' ');
    }
    out.push_str(text);
    out.push(WORD);
}

fn script(node: Option<&Node>, table: &[(char, char)], mark: char, out: &mut String) {
    // A name and its script belong together.
    if out.ends_with(WORD) {
        out.pop();
    }
    let Some(node) = node else { return };
    let text = one(node);
    if text.chars().all(|c| "′*∗†‡".contains(c)) {
        out.push_str(&text);
    } else if mark == '^' && text == "∘" {
        out.push('°');
    } else {
        out.push_str(&scripted(&text, table, mark));
    }
}

/// `text` in small letters if there are such for all of it.
fn scripted(text: &str, table: &[(char, char)], mark: char) -> String {
    let small = |c: char| table.binary_search_by_key(&c, |it| it.0).ok().map(|at| table[at].1);
    let all: Option<String> =
        text.chars().filter(|c| !matches!(*c, ' ' | WORD)).map(small).collect();
    match all {
        Some(it) => it,
        None if text.chars().count() == 1 => format!("{mark}{text}"),
        None if text.chars().all(char::is_alphanumeric) => format!("{mark}{text}{WORD}"),
        None if text.starts_with('(') && text.find(')') == Some(text.len() - 1) => {
            format!("{mark}{text}")
        }
        None => format!("{mark}({text})"),
    }
}

/// In brackets if it is more than one thing.
fn grouped(text: &str) -> String {
    let simple = !text.contains([' ', '/', '+', '-', '−', '=', ',']);
    let closed = text.ends_with(')') && text.matches('(').count() == 1;
    let call = closed && text.split('(').next().is_some_and(|it| !it.contains(' '));
    if simple || call { text.to_owned() } else { format!("({text})") }
}

fn accent(base: &str, label: &str, out: &mut String) {
    let mark = equation::accent_mark(label);
    match mark {
        Some(mark) if base.chars().count() == 1 => out.extend(base.chars().chain([mark])),
        Some(_) | None => out.push_str(base),
    }
}

fn delimiter(name: &str) -> String {
    equation::delimiter(name).flatten().map(String::from).unwrap_or_default()
}

fn table(array: &ParseNodeArray, out: &mut String) {
    let row = |row: &Vec<Node>| {
        let cells: Vec<String> = row.iter().map(one).filter(|it| !it.is_empty()).collect();
        let aligned = array.col_separation_type.is_some();
        let join = |out: String, cell: &String| {
            let tight = aligned || out.is_empty() || out.ends_with([',', ';']);
            out + if tight { " " } else { ", " } + cell
        };
        cells.iter().fold(String::new(), join).trim().to_owned()
    };
    let rows: Vec<String> = array.body.iter().map(row).collect();
    out.push_str(&rows.join("; "));
}

fn double_struck(c: char) -> char {
    match c {
        'C' => 'ℂ',
        'H' => 'ℍ',
        'N' => 'ℕ',
        'P' => 'ℙ',
        'Q' => 'ℚ',
        'R' => 'ℝ',
        'Z' => 'ℤ',
        '1' => '𝟙',
        'A'..='Z' => char::from_u32('𝔸' as u32 + c as u32 - 'A' as u32).unwrap_or(c),
        c => c,
    }
}

/// Superscript letters.
const SUP: &[(char, char)] = &[
    ('(', '⁽'),
    (')', '⁾'),
    ('+', '⁺'),
    ('-', '⁻'),
    ('0', '⁰'),
    ('1', '¹'),
    ('2', '²'),
    ('3', '³'),
    ('4', '⁴'),
    ('5', '⁵'),
    ('6', '⁶'),
    ('7', '⁷'),
    ('8', '⁸'),
    ('9', '⁹'),
    ('=', '⁼'),
    ('A', 'ᴬ'),
    ('B', 'ᴮ'),
    ('D', 'ᴰ'),
    ('E', 'ᴱ'),
    ('G', 'ᴳ'),
    ('H', 'ᴴ'),
    ('I', 'ᴵ'),
    ('J', 'ᴶ'),
    ('K', 'ᴷ'),
    ('L', 'ᴸ'),
    ('M', 'ᴹ'),
    ('N', 'ᴺ'),
    ('O', 'ᴼ'),
    ('P', 'ᴾ'),
    ('R', 'ᴿ'),
    ('T', 'ᵀ'),
    ('U', 'ᵁ'),
    ('V', 'ⱽ'),
    ('W', 'ᵂ'),
    ('a', 'ᵃ'),
    ('b', 'ᵇ'),
    ('c', 'ᶜ'),
    ('d', 'ᵈ'),
    ('e', 'ᵉ'),
    ('f', 'ᶠ'),
    ('g', 'ᵍ'),
    ('h', 'ʰ'),
    ('i', 'ⁱ'),
    ('j', 'ʲ'),
    ('k', 'ᵏ'),
    ('l', 'ˡ'),
    ('m', 'ᵐ'),
    ('n', 'ⁿ'),
    ('o', 'ᵒ'),
    ('p', 'ᵖ'),
    ('r', 'ʳ'),
    ('s', 'ˢ'),
    ('t', 'ᵗ'),
    ('u', 'ᵘ'),
    ('v', 'ᵛ'),
    ('w', 'ʷ'),
    ('x', 'ˣ'),
    ('y', 'ʸ'),
    ('z', 'ᶻ'),
    ('β', 'ᵝ'),
    ('γ', 'ᵞ'),
    ('δ', 'ᵟ'),
    ('θ', 'ᶿ'),
    ('−', '⁻'),
    ('⊤', 'ᵀ'),
];

/// Subscript letters.
const SUB: &[(char, char)] = &[
    ('(', '₍'),
    (')', '₎'),
    ('+', '₊'),
    ('-', '₋'),
    ('0', '₀'),
    ('1', '₁'),
    ('2', '₂'),
    ('3', '₃'),
    ('4', '₄'),
    ('5', '₅'),
    ('6', '₆'),
    ('7', '₇'),
    ('8', '₈'),
    ('9', '₉'),
    ('=', '₌'),
    ('a', 'ₐ'),
    ('e', 'ₑ'),
    ('h', 'ₕ'),
    ('i', 'ᵢ'),
    ('j', 'ⱼ'),
    ('k', 'ₖ'),
    ('l', 'ₗ'),
    ('m', 'ₘ'),
    ('n', 'ₙ'),
    ('o', 'ₒ'),
    ('p', 'ₚ'),
    ('r', 'ᵣ'),
    ('s', 'ₛ'),
    ('t', 'ₜ'),
    ('u', 'ᵤ'),
    ('v', 'ᵥ'),
    ('x', 'ₓ'),
    ('β', 'ᵦ'),
    ('γ', 'ᵧ'),
    ('ρ', 'ᵨ'),
    ('φ', 'ᵩ'),
    ('χ', 'ᵪ'),
    ('−', '₋'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(SUP.is_sorted_by(|a, b| a.0 < b.0));
        assert!(SUB.is_sorted_by(|a, b| a.0 < b.0));
    }
}
