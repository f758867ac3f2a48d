//! The boxes of a formula to segments: what stands between wide spaces.
//!
//! A formula that is too wide for a screen breaks between its segments before it breaks at
//! relations and operators. The engine lets no line end at a wide space.

use katex::dom_tree::{DomSpan, HtmlDomNode};
use katex::namespace::KeyMap;
use katex::types::{ClassList, CssProperty, CssStyle};

/// A box that lines may end at.
const BASE: &str = "katex-base";

/// A part of such a box, after a wide space.
const PART: &[&str] = &[BASE, "katex-part"];

/// In em.
const WIDE: f64 = 1.0;

/// Parts a formula at its wide spaces, if it has any.
pub(super) fn part(boxes: &mut DomSpan) {
    let Some(html) = find(boxes) else { return };
    let parted: Vec<HtmlDomNode> =
        std::mem::take(&mut html.children).into_iter().flat_map(parts).collect();
    if !parted.iter().any(is_wide) {
        html.children = parted;
        return;
    }
    let mut segment = Vec::new();
    for node in parted {
        if node.has_class(BASE) {
            segment.push(node);
        } else {
            close(&mut segment, &mut html.children);
            html.children.push(node);
        }
    }
    close(&mut segment, &mut html.children);
}

fn close(segment: &mut Vec<HtmlDomNode>, out: &mut Vec<HtmlDomNode>) {
    if !segment.is_empty() {
        let classes = ClassList::Static("katex-segment");
        let segment = DomSpan {
            children: std::mem::take(segment),
            attributes: KeyMap::default(),
            classes,
            height: 0.0,
            depth: 0.0,
            width: None,
            max_font_size: 0.0,
            style: CssStyle::default(),
            is_middle: None,
            italic: None,
        };
        out.push(segment.into());
    }
}

/// The span of what is seen.
fn find(span: &mut DomSpan) -> Option<&mut DomSpan> {
    if span.classes.contains("katex-html") {
        return Some(span);
    }
    span.children.iter_mut().find_map(|it| match it {
        HtmlDomNode::DomSpan(span) => find(span),
        HtmlDomNode::Anchor(_)
        | HtmlDomNode::Fragment(_)
        | HtmlDomNode::Img(_)
        | HtmlDomNode::Symbol(_)
        | HtmlDomNode::SvgNode(_)
        | HtmlDomNode::MathML(_) => None,
    })
}

/// A box as the parts before, between and after its wide spaces, and these spaces. Every part has
/// the strut of the whole.
fn parts(node: HtmlDomNode) -> Vec<HtmlDomNode> {
    let HtmlDomNode::DomSpan(span) = node else { return vec![node] };
    if !span.classes.contains(BASE) || !span.children.iter().any(is_wide) {
        return vec![span.into()];
    }
    let mut rest = span.children.clone().into_iter();
    let strut: Vec<HtmlDomNode> = rest.by_ref().take(1).collect();
    let mut out = Vec::new();
    let mut open = strut.clone();
    let close = |children: Vec<HtmlDomNode>, out: &mut Vec<HtmlDomNode>| {
        let first = out.is_empty();
        let classes = if first { ClassList::Static(BASE) } else { ClassList::Const(PART) };
        if children.len() > 1 || first {
            out.push(DomSpan { classes, children, ..span.clone() }.into());
        }
    };
    for child in rest {
        if is_wide(&child) {
            close(std::mem::replace(&mut open, strut.clone()), &mut out);
            out.push(child);
        } else {
            open.push(child);
        }
    }
    close(open, &mut out);
    out
}

fn is_wide(node: &HtmlDomNode) -> bool {
    let HtmlDomNode::DomSpan(span) = node else { return false };
    let width = span.style.get(CssProperty::MarginRight).and_then(|it| it.strip_suffix("em"));
    span.classes.contains("mspace")
        && width.and_then(|it| it.parse::<f64>().ok()).is_some_and(|it| it >= WIDE)
}
