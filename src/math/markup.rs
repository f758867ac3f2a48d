//! The engine's tree of boxes to HTML that a strict content security policy lets through.
//!
//! The engine could print itself, but in the order of a hash table and with `style` attributes.

use std::collections::BTreeMap;

use katex::ClassList;
use katex::dom_tree::{DomSpan, HtmlDomNode, SvgChildNode, SvgNode, SymbolNode};
use katex::mathml_tree::{MathDomNode, MathNode, SpaceNode};
use katex::namespace::KeyMap;
use katex::svg_geometry::PATH_MAP;
use katex::types::CssStyle;
use katex::units::make_em;

use crate::html::Html;
use crate::memo::fingerprint;

/// Writes `tree` and gathers its styles: class → declarations.
pub(super) fn write(tree: &DomSpan) -> (Html, BTreeMap<String, String>) {
    let mut writer = Writer { html: Html::new(), styles: BTreeMap::new() };
    writer.span(tree);
    (writer.html, writer.styles)
}

/// The name of the class that stands for `declarations`, made from its content alone.
fn class_of(declarations: &str) -> String {
    format!("k-{:09x}", fingerprint(&declarations) >> 92)
}

struct Writer {
    html: Html,
    styles: BTreeMap<String, String>,
}

impl Writer {
    fn node(&mut self, node: &HtmlDomNode) {
        match node {
            HtmlDomNode::DomSpan(span) => self.span(span),
            HtmlDomNode::Anchor(it) => {
                self.open("a", &it.classes, &it.style.to_string(), &it.attributes);
                self.nodes(&it.children);
                self.html.close("a");
            }
            // Pictures are not trusted (`trust.rs`), so the engine makes none.
            HtmlDomNode::Img(it) => {
                self.html.text(&it.alt);
            }
            HtmlDomNode::Symbol(it) => self.symbol(it),
            HtmlDomNode::SvgNode(it) => self.svg(it),
            HtmlDomNode::MathML(it) => self.math(it),
            HtmlDomNode::Fragment(it) => self.nodes(&it.children),
        }
    }

    fn nodes(&mut self, nodes: &[HtmlDomNode]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn span(&mut self, span: &DomSpan) {
        self.open("span", &span.classes, &span.style.to_string(), &span.attributes);
        self.nodes(&span.children);
        self.html.close("span");
    }

    fn symbol(&mut self, it: &SymbolNode) {
        if it.italic <= 0.0 && it.classes.is_empty() && it.style.is_empty() {
            self.html.text(&it.text);
            return;
        }
        let style = symbol_style(it.italic, &it.style);
        self.open("span", &it.classes, &style, &KeyMap::default());
        self.html.text(&it.text);
        self.html.close("span");
    }

    fn svg(&mut self, svg: &SvgNode) {
        let mut attributes = svg.attributes.clone();
        attributes.insert("xmlns".into(), "http://www.w3.org/2000/svg".into());
        self.open("svg", &ClassList::Empty, "", &attributes);
        for child in &svg.children {
            match child {
                SvgChildNode::Path(path) => {
                    let named = || PATH_MAP.get(&path.path_name).copied().unwrap_or_default();
                    let data = path.alternate.as_deref().unwrap_or_else(named);
                    self.html.element("path", &[("d", Some(data))], |_| {});
                }
                SvgChildNode::Line(line) => {
                    self.open("line", &ClassList::Empty, "", &line.attributes);
                    self.html.close("line");
                }
            }
        }
        self.html.close("svg");
    }

    fn math(&mut self, node: &MathNode) {
        let tag = node.node_type.as_ref();
        self.open(tag, &node.classes, "", &node.attributes);
        self.math_nodes(&node.children);
        self.html.close(tag);
    }

    fn math_nodes(&mut self, nodes: &[MathDomNode]) {
        for node in nodes {
            match node {
                MathDomNode::Math(it) => self.math(it),
                MathDomNode::Text(it) => {
                    self.html.text(&it.text);
                }
                MathDomNode::Space(it) => self.space(it),
                MathDomNode::Fragment(it) => self.math_nodes(&it.children),
            }
        }
    }

    fn space(&mut self, space: &SpaceNode) {
        match &space.character {
            Some(text) => self.html.open("mtext", &[]).text(text).close("mtext"),
            None => {
                let width = make_em(space.width);
                self.html.open("mspace", &[("width", Some(&width))]).close("mspace")
            }
        };
    }

    /// Opens an element: its class first, with the class of its style last, then the other
    /// attributes by name.
    fn open(
        &mut self,
        tag: &str,
        classes: &ClassList,
        style: &str,
        attributes: &KeyMap<String, String>,
    ) {
        let mut names: Vec<&str> = classes.iter().filter(|it| !it.is_empty()).collect();
        let mut rest: Vec<(&str, Option<&str>)> = Vec::with_capacity(attributes.len() + 1);
        let mut declarations = style.to_owned();
        rest.extend(attributes.iter().map(|(name, value)| (name.as_str(), Some(value.as_str()))));
        rest.sort_unstable();
        rest.retain(|(name, value)| match (*name, *value) {
            ("class", Some(value)) => {
                names.extend(value.split_whitespace());
                false
            }
            ("style", Some(value)) => {
                declarations.push_str(value);
                false
            }
            _ => true,
        });
        let class = self.style(declarations);
        names.extend(class.as_deref());
        let names = names.join(" ");
        if !names.is_empty() {
            rest.insert(0, ("class", Some(&names)));
        }
        self.html.open(tag, &rest);
    }

    /// The class that stands for `declarations`, remembered for the style sheet.
    fn style(&mut self, declarations: String) -> Option<String> {
        if declarations.is_empty() {
            return None;
        }
        let class = class_of(&declarations);
        self.styles.entry(class.clone()).or_insert(declarations);
        Some(class)
    }
}

/// The declarations of a symbol: room for its slant, then its own.
pub(super) fn symbol_style(italic: f64, style: &CssStyle) -> String {
    if italic > 0.0 {
        format!("margin-right:{};{style}", make_em(italic))
    } else {
        style.to_string()
    }
}
