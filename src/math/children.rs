//! The lists of nodes that stand directly in a node of the parse tree.

use std::slice::from_ref;

use katex::parser::parse_node::{AnyParseNode as Node, ParseNodeArrayTag, ParseNodeOp};

use super::Tree;

/// Calls `f` with each list in `node`, in reading order.
pub(super) fn each(node: &Node, f: &mut dyn FnMut(&Tree)) {
    let mut one = |it: &Node| f(from_ref(it));
    match node {
        Node::Array(it) => {
            it.body.iter().for_each(|row| f(row));
            for tag in it.tags.iter().flatten() {
                if let ParseNodeArrayTag::Nodes(nodes) = tag {
                    f(nodes);
                }
            }
        }
        Node::SupSub(it) => {
            [&it.base, &it.sub, &it.sup].into_iter().flatten().for_each(|it| one(it));
        }
        Node::Genfrac(it) => [&it.numer, &it.denom].into_iter().for_each(|it| one(it)),
        Node::Sqrt(it) => it.index.iter().chain([&it.body]).for_each(one),
        Node::XArrow(it) => [&it.body, &it.below].into_iter().flatten().for_each(|it| one(it)),
        Node::MathChoice(it) => {
            [&it.display, &it.text, &it.script, &it.scriptscript].into_iter().for_each(|it| f(it));
        }
        Node::HtmlMathMl(it) => [&it.html, &it.mathml].into_iter().for_each(|it| f(it)),
        Node::Tag(it) => [&it.body, &it.tag].into_iter().for_each(|it| f(it)),
        Node::Op(ParseNodeOp::Body { body, .. }) => f(body),
        Node::OrdGroup(it) => f(&it.body),
        Node::LeftRight(it) => f(&it.body),
        Node::Text(it) => f(&it.body),
        Node::Styling(it) => f(&it.body),
        Node::Color(it) => f(&it.body),
        Node::Phantom(it) => f(&it.body),
        Node::Hbox(it) => f(&it.body),
        Node::Href(it) => f(&it.body),
        Node::Html(it) => f(&it.body),
        Node::Mclass(it) => f(&it.body),
        Node::OperatorName(it) => f(&it.body),
        Node::Pmb(it) => f(&it.body),
        Node::Sizing(it) => f(&it.body),
        Node::Font(it) => one(&it.body),
        Node::Accent(it) => one(&it.base),
        Node::AccentUnder(it) => one(&it.base),
        Node::Overline(it) => one(&it.body),
        Node::Underline(it) => one(&it.body),
        Node::Hphantom(it) => one(&it.body),
        Node::Vphantom(it) => one(&it.body),
        Node::CdLabel(it) => one(&it.label),
        Node::CdLabelParent(it) => one(&it.fragment),
        Node::Enclose(it) => one(&it.body),
        Node::HorizBrace(it) => one(&it.base),
        Node::Lap(it) => one(&it.body),
        Node::Raisebox(it) => one(&it.body),
        Node::Smash(it) => one(&it.body),
        Node::Vcenter(it) => one(&it.body),
        Node::Op(ParseNodeOp::Symbol { .. })
        | Node::AccentToken(_)
        | Node::Atom(_)
        | Node::ColorToken(_)
        | Node::Cr(_)
        | Node::Delimsizing(_)
        | Node::Environment(_)
        | Node::Includegraphics(_)
        | Node::Infix(_)
        | Node::Internal(_)
        | Node::Kern(_)
        | Node::LeftRightRight(_)
        | Node::MathOrd(_)
        | Node::Middle(_)
        | Node::OpToken(_)
        | Node::Raw(_)
        | Node::Rule(_)
        | Node::Size(_)
        | Node::Spacing(_)
        | Node::TextOrd(_)
        | Node::Url(_)
        | Node::Verb(_) => {}
    }
}
