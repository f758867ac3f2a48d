//! The parse tree: numbers of rows put in, and what must not be in it found.

use std::collections::BTreeMap;

use katex::dom_tree::{DomSpan, HtmlDomNode};
use katex::parser::parse_node::{
    AnyParseNode as Node, ParseNodeArray, ParseNodeArrayTag, ParseNodeText, ParseNodeTextOrd,
};
use katex::types::{Mode, TokenText};

use super::{Fault, Formula, Style, Tree, children, fault, trust};

/// Gives `numbers` to the rows of the outermost table on the base line, and takes all automatic
/// numbers away: those of the engine are counters of a style sheet, which know no book.
pub(super) fn number(tree: &mut [Node], numbers: &BTreeMap<usize, String>) {
    let wanted = numbers.keys().next_back().map_or(0, |it| it + 1);
    if let Some(table) = find_table(tree) {
        let own = table.tags.take().unwrap_or_default();
        let rows = table.body.len();
        if wanted == 0 && !own.iter().any(|it| matches!(it, ParseNodeArrayTag::Nodes(_))) {
            return;
        }
        let tag = |row| match (numbers.get(&row), own.get(row)) {
            (Some(number), _) => ParseNodeArrayTag::Nodes(vec![text(&format!("({number})"))]),
            (None, Some(ParseNodeArrayTag::Nodes(it))) => ParseNodeArrayTag::Nodes(it.clone()),
            (None, Some(ParseNodeArrayTag::Bool(_)) | None) => ParseNodeArrayTag::Bool(false),
        };
        table.tags = Some((0..rows).map(tag).collect());
    }
}

/// The outermost table that stands on the base line of the formula.
fn find_table(tree: &mut [Node]) -> Option<&mut ParseNodeArray> {
    tree.iter_mut().find_map(|node| match node {
        Node::Array(it) => Some(it),
        Node::OrdGroup(it) => find_table(&mut it.body),
        Node::LeftRight(it) => find_table(&mut it.body),
        Node::Styling(it) => find_table(&mut it.body),
        Node::Color(it) => find_table(&mut it.body),
        Node::Tag(it) => find_table(&mut it.body),
        Node::Html(it) => find_table(&mut it.body),
        _ => None,
    })
}

/// The same table, to read its numbers.
pub(super) fn numbered(tree: &Tree) -> Option<&ParseNodeArray> {
    let table = tree.iter().find_map(|node| match node {
        Node::Array(it) => Some(it),
        Node::OrdGroup(it) => numbered(&it.body),
        Node::LeftRight(it) => numbered(&it.body),
        Node::Styling(it) => numbered(&it.body),
        Node::Color(it) => numbered(&it.body),
        Node::Tag(it) => numbered(&it.body),
        Node::Html(it) => numbered(&it.body),
        _ => None,
    });
    table.filter(|it| it.tags.iter().flatten().any(|it| matches!(it, ParseNodeArrayTag::Nodes(_))))
}

fn text(words: &str) -> Node {
    let letter = |c: char| {
        let text = TokenText::from(c.to_string());
        Node::TextOrd(ParseNodeTextOrd { mode: Mode::Text, loc: None, text })
    };
    let body = words.chars().map(letter).collect();
    Node::Text(ParseNodeText { mode: Mode::Text, loc: None, body, font: Some("\\text".into()) })
}

/// What the engine accepts and we do not.
pub(super) fn faults(tree: &Tree, formula: &Formula) -> Vec<Fault> {
    let mut faults = Vec::new();
    let top = match tree {
        [Node::Tag(it)] => &it.body,
        tree => tree,
    };
    let breaks = top.iter().any(|it| matches!(it, Node::Cr(_)));
    if formula.style == Style::Display && breaks {
        faults.push(fault::line_break(&formula.tex));
    }
    refused(tree, &mut |command| faults.push(fault::refused(command, &formula.tex)));
    faults
}

fn refused(tree: &Tree, found: &mut impl FnMut(&str)) {
    for node in tree {
        if let Node::Color(it) = node
            && it.color == trust::REFUSED
        {
            let letters = |it: &Node| match it {
                Node::Text(it) => it.body.iter().filter_map(Node::text).collect::<String>(),
                _ => String::new(),
            };
            found(&it.body.iter().map(letters).collect::<String>());
            continue;
        }
        children::each(node, &mut |it| refused(it, found));
    }
}

/// Moves the numbers of rows from their table to the end of the formula, where KaTeX's style sheet
/// puts them at the margin. They keep their height, since both stand on one base line.
pub(super) fn lift_numbers(boxes: &mut DomSpan) {
    let mut found = None;
    take_tag(&mut boxes.children, &mut found);
    let Some(tag) = found else { return };
    let mut at = boxes;
    loop {
        if at.classes.contains("katex-html") {
            at.children.push(tag);
            return;
        }
        let next = at.children.iter_mut().rev().find_map(|it| match it {
            HtmlDomNode::DomSpan(span) => Some(span),
            _ => None,
        });
        match next {
            Some(next) => at = next,
            None => return,
        }
    }
}

fn take_tag(nodes: &mut Vec<HtmlDomNode>, found: &mut Option<HtmlDomNode>) {
    if let Some(index) = nodes.iter().position(|it| it.has_class("katex-tag")) {
        *found = Some(nodes.remove(index));
        return;
    }
    for node in nodes {
        let nested = match node {
            HtmlDomNode::DomSpan(it) => &mut it.children,
            HtmlDomNode::Anchor(it) => &mut it.children,
            HtmlDomNode::Fragment(it) => &mut it.children,
            HtmlDomNode::Img(_)
            | HtmlDomNode::Symbol(_)
            | HtmlDomNode::SvgNode(_)
            | HtmlDomNode::MathML(_) => continue,
        };
        take_tag(nested, found);
        if found.is_some() {
            return;
        }
    }
}
