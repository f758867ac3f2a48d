//! The tables of the engine, made once for the whole program, with its known fault mended.

use std::sync::LazyLock;

use katex::KatexContext;
use katex::define_function::HtmlBuilder;
use katex::dom_tree::HtmlDomNode;
use katex::options::Options;
use katex::parser::parse_node::{NodeType, ParseNode, ParseNodeOrdGroup};
use katex::types::ParseError;

struct Tables {
    context: KatexContext,
    sqrt: Option<HtmlBuilder>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut context = KatexContext::default();
    let sqrt = context.html_group_builders.insert(NodeType::Sqrt, sqrt);
    Tables { context, sqrt }
});

/// The engine's tables. They do not depend on the book.
pub(super) fn context() -> &'static KatexContext {
    &TABLES.context
}

/// Draws a root. The engine pads its radicand, but a radicand without braces (`\sqrt2`) is a bare
/// symbol, which takes no padding, and would be drawn over the sign. A group takes it.
fn sqrt(
    node: &ParseNode,
    options: &Options,
    context: &KatexContext,
) -> Result<HtmlDomNode, ParseError> {
    let draw = TABLES.sqrt.expect("the engine draws roots");
    match node {
        ParseNode::Sqrt(root) if !matches!(root.body, ParseNode::OrdGroup(_)) => {
            let mut root = root.clone();
            let mode = root.mode;
            let body = vec![root.body];
            root.body =
                ParseNode::OrdGroup(ParseNodeOrdGroup { mode, loc: None, body, semisimple: None });
            draw(&ParseNode::Sqrt(root), options, context)
        }
        _ => draw(node, options, context),
    }
}
