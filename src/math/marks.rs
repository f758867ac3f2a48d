//! Symbols of the notation table, found among the boxes of a formula.
//!
//! A mark is an attribute of a box that is there anyway, or of a span around some that stand side
//! by side in a line, so that nothing is drawn otherwise.

use std::collections::BTreeMap;

use katex::dom_tree::{DomSpan, HtmlDomNode as Node, SymbolNode};
use katex::namespace::KeyMap;
use katex::types::{ClassList, CssStyle};

use super::markup::symbol_style;

/// The attribute of a box that shows a symbol.
const MARK: &str = "data-preview";

/// Classes that say how large a box is, or what is beside it, but not what it shows.
const INDIFFERENT: [&str; 12] = [
    "mord", "mbin", "mrel", "mop", "mopen", "mclose", "mpunct", "minner", "mtight", "sizing",
    "large-op", "small-op",
];

/// What a symbol looks like, and the mark that it gets.
struct Pattern<'a> {
    mark: &'a str,
    boxes: Vec<Node>,
    size: usize,
}

/// Marks the symbols in `boxes`. `symbols`: mark → boxes of the symbol as a formula of its own. A
/// part of a larger symbol is not marked.
pub(super) fn mark(boxes: &mut DomSpan, symbols: &BTreeMap<&str, DomSpan>) {
    let pattern = |mark, boxes: Vec<Node>| Pattern { mark, size: size(&boxes), boxes };
    let mut patterns: Vec<Pattern<'_>> = Vec::new();
    for (mark, symbol) in symbols {
        patterns.extend(shapes(symbol).into_iter().map(|it| pattern(*mark, it)));
    }
    patterns.sort_by_key(|it| std::cmp::Reverse(it.size));
    if let (Some(html), false) = (html(boxes), patterns.is_empty()) {
        list(&mut html.children, &patterns, true);
    }
}

/// The span of what is seen.
fn html(span: &mut DomSpan) -> Option<&mut DomSpan> {
    if span.classes.contains("katex-html") {
        return Some(span);
    }
    span.children.iter_mut().find_map(|it| match it {
        Node::DomSpan(it) => html(it),
        _ => None,
    })
}

/// What an entry of the table shows: one symbol, or some with commas between. Of one with an
/// argument, as `f(x)`, the part before it.
fn shapes(symbol: &DomSpan) -> Vec<Vec<Node>> {
    let mut symbol = symbol.clone();
    let Some(html) = html(&mut symbol) else { return Vec::new() };
    let inside = html.children.iter().filter_map(|it| match it {
        Node::DomSpan(base) => Some(base.children.iter().filter(|it| !is_beside(it))),
        _ => None,
    });
    let boxes: Vec<Node> = inside.flatten().cloned().collect();
    let is = |node: &Node, class: &str| node.has_class(class);
    let shapes = match boxes.iter().position(|it| is(it, "mopen")) {
        Some(0) => vec![boxes],
        Some(argument) => vec![boxes[..argument].to_vec()],
        None => boxes.split(|it| is(it, "mpunct")).map(<[Node]>::to_vec).collect(),
    };
    shapes.into_iter().filter(|it| size(it) > 0).collect()
}

/// Whether a box shows nothing: a space or a strut.
fn is_beside(node: &Node) -> bool {
    ["mspace", "strut", "katex-strut", "katex-mspace"].iter().any(|it| node.has_class(it))
}

/// How many characters and drawings there are.
fn size(boxes: &[Node]) -> usize {
    let one = |it: &Node| match it {
        Node::DomSpan(it) => size(&it.children),
        Node::Anchor(it) => size(&it.children),
        Node::Fragment(it) => size(&it.children),
        Node::Symbol(it) => usize::from(it.text.chars().any(|it| it != '\u{200b}')),
        Node::SvgNode(_) => 1,
        Node::Img(_) | Node::MathML(_) => 0,
    };
    boxes.iter().map(one).sum()
}

/// Marks what stands in a list of boxes. `in_line`: side by side, not above each other.
fn list(nodes: &mut Vec<Node>, patterns: &[Pattern<'_>], in_line: bool) {
    let mut at = 0;
    while at < nodes.len() {
        let found = patterns.iter().find_map(|it| Some((it.mark, prefix(&nodes[at..], it)?)));
        match found {
            Some((mark, 1)) => one(&mut nodes[at], mark),
            Some((mark, count)) if in_line => {
                let inside: Vec<Node> = nodes.splice(at..at + count, []).collect();
                nodes.insert(at, around(inside, mark).into());
            }
            Some(_) | None => inside(&mut nodes[at], patterns),
        }
        at += 1;
    }
}

fn inside(node: &mut Node, patterns: &[Pattern<'_>]) {
    match node {
        Node::DomSpan(it) => {
            let stacked = it.classes.iter().any(|it| it.contains("vlist"));
            list(&mut it.children, patterns, !stacked);
        }
        Node::Anchor(it) => list(&mut it.children, patterns, true),
        Node::Fragment(it) => list(&mut it.children, patterns, true),
        Node::Img(_) | Node::Symbol(_) | Node::SvgNode(_) | Node::MathML(_) => {}
    }
}

/// How many of `nodes` from the first on show what `pattern` shows.
fn prefix(nodes: &[Node], pattern: &Pattern<'_>) -> Option<usize> {
    if nodes.first().is_none_or(is_beside) {
        return None;
    }
    let mut at = 0;
    for wanted in &pattern.boxes {
        at += nodes[at..].iter().take_while(|it| is_beside(it)).count();
        if !same(nodes.get(at)?, wanted) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// Whether two boxes show the same, in whatever size.
fn same(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Symbol(a), Node::Symbol(b)) => {
            a.text == b.text && looks(&a.classes).eq(looks(&b.classes))
        }
        (Node::DomSpan(a), Node::DomSpan(b)) => {
            looks(&a.classes).eq(looks(&b.classes)) && all_same(&a.children, &b.children)
        }
        (Node::Anchor(a), Node::Anchor(b)) => all_same(&a.children, &b.children),
        (Node::Fragment(a), Node::Fragment(b)) => all_same(&a.children, &b.children),
        (Node::SvgNode(_), Node::SvgNode(_)) => true,
        _ => false,
    }
}

fn all_same(a: &[Node], b: &[Node]) -> bool {
    let shown = |list: &'_ [Node]| -> Vec<usize> {
        (0..list.len()).filter(|it| !is_beside(&list[*it])).collect()
    };
    let (these, those) = (shown(a), shown(b));
    these.len() == those.len() && these.iter().zip(&those).all(|(x, y)| same(&a[*x], &b[*y]))
}

/// The classes that say what a box shows.
fn looks(classes: &ClassList) -> impl Iterator<Item = &str> {
    classes
        .iter()
        .flat_map(str::split_whitespace)
        .map(|it| it.strip_prefix("katex-").unwrap_or(it))
        .filter(|it| !INDIFFERENT.contains(it))
        .filter(|it| !it.starts_with("size") && !it.starts_with("reset-size"))
}

fn one(node: &mut Node, mark: &str) {
    match node {
        Node::DomSpan(it) => {
            it.attributes.insert(MARK.into(), mark.into());
        }
        Node::Symbol(it) => *node = letter(it, mark).into(),
        Node::Anchor(_) | Node::Fragment(_) | Node::Img(_) | Node::SvgNode(_) | Node::MathML(_) => {
        }
    }
}

/// A symbol as the span that it is written as, which can have an attribute.
fn letter(symbol: &SymbolNode, mark: &str) -> DomSpan {
    let bare = SymbolNode {
        classes: ClassList::Empty,
        style: CssStyle::default(),
        italic: 0.0,
        ..symbol.clone()
    };
    let mut span = around(vec![bare.into()], mark);
    span.classes = symbol.classes.clone();
    let style = symbol_style(symbol.italic, &symbol.style);
    if !style.is_empty() {
        span.attributes.insert("style".into(), style);
    }
    span
}

fn around(children: Vec<Node>, mark: &str) -> DomSpan {
    let mut attributes = KeyMap::default();
    attributes.insert(MARK.into(), mark.into());
    DomSpan {
        children,
        attributes,
        classes: ClassList::Empty,
        height: 0.0,
        depth: 0.0,
        width: None,
        max_font_size: 0.0,
        style: CssStyle::default(),
        is_middle: None,
        italic: None,
    }
}
