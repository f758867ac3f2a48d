//! Where the MathML of a formula within a line lies: over the drawing, for whoever explores a page
//! by touch.
//!
//! The style sheet lays it over the line of text that the drawing stands in. What reaches above or
//! below that line is known here alone.

use katex::dom_tree::{DomSpan, HtmlDomNode as Node};

/// How far a line of KaTeX's main face reaches above and below its base line, in em.
const LINE: (f64, f64) = (0.9, 0.27);

/// Steps of the excess, in em: few steps are few classes.
const STEP: f64 = 0.2;

/// Gives the MathML of a formula the margins with which it covers the drawing.
pub(super) fn lay(boxes: &mut DomSpan) {
    let (height, depth) = extent(boxes);
    let steps = |excess: f64| (excess / STEP).ceil().max(0.0) * STEP;
    let (above, below) = (steps(height - LINE.0), steps(depth - LINE.1));
    if above + below <= 0.0 {
        return;
    }
    let is_mathml = |it: &&mut Node| it.has_class("katex-mathml");
    if let Some(Node::DomSpan(it)) = boxes.children.iter_mut().find(is_mathml) {
        let margins = format!("margin:-{above:.1}em 0 -{below:.1}em");
        it.attributes.insert("style".into(), margins);
    }
}

/// How far the drawing reaches above and below its base line.
fn extent(boxes: &DomSpan) -> (f64, f64) {
    let drawn = boxes.children.iter().filter_map(|it| match it {
        Node::DomSpan(it) if it.classes.contains("katex-html") => Some(&it.children),
        _ => None,
    });
    let of = |it: &Node| match it {
        Node::DomSpan(it) => (it.height, it.depth),
        _ => (0.0, 0.0),
    };
    drawn.flatten().map(of).fold((0.0, 0.0), |a, b| (a.0.max(b.0), a.1.max(b.1)))
}
