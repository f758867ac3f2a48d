//! Inlines and formulas to what a result shows: small HTML, and readable text.

use std::collections::BTreeMap;

use crate::eval::{self, Outputs};
use crate::html::Html;
use crate::ir::{Destination, Inline, ValueUse};
use crate::link::Links;
use crate::math::{Engine, Facts, Formula};

/// What is needed to draw.
#[derive(Clone, Copy)]
pub(super) struct Draw<'a> {
    pub engine: &'a Engine,
    pub outputs: &'a Outputs,
    pub links: &'a Links,
}

impl Draw<'_> {
    /// What `\val`, `\ref` and `\href` of a formula stand for. Links lead nowhere: a result is one.
    fn facts(&self, tex: &str, tags: BTreeMap<usize, String>) -> Facts {
        let mut facts = Facts { values: eval::values(tex, self.outputs), tags, ..Facts::default() };
        if tex.contains("ref") {
            for (to, target) in &self.links.targets {
                if let Destination::Label(label) = to {
                    facts.targets.insert(label.0.clone(), (target.number.clone(), String::new()));
                }
            }
        }
        facts
    }

    /// A formula as readable text.
    pub(super) fn plain(&self, formula: &Formula) -> String {
        let facts = self.facts(&formula.tex, BTreeMap::new());
        let plain = self.engine.plain(formula, &facts);
        plain.unwrap_or_else(|| formula.tex.trim().to_owned())
    }

    /// A formula as drawn, with its readable text for those who hear it. One that the engine
    /// refuses, which its page reports, is its text.
    pub(super) fn formula(&self, formula: &Formula, tags: BTreeMap<usize, String>) -> Html {
        let facts = self.facts(&formula.tex, tags);
        let mut out = Html::new();
        match self.engine.render(formula, &facts) {
            Ok(made) => {
                out.element("span", &[("class", Some("unseen"))], |it| {
                    it.text(&made.plain);
                });
                out.html(&seen(&made.html));
            }
            Err(_) => {
                out.text(formula.tex.trim());
            }
        }
        out
    }

    /// Inlines as HTML without links.
    pub(super) fn html(&self, list: &[Inline]) -> Html {
        let mut out = Html::new();
        for inline in list {
            self.html_of(inline, &mut out);
        }
        out
    }

    fn html_of(&self, inline: &Inline, out: &mut Html) {
        let mut tagged = |tag: &str, list: &[Inline]| {
            let body = self.html(list);
            out.element(tag, &[], |it| {
                it.html(&body);
            });
        };
        match inline {
            Inline::Emphasis(it) => tagged("em", it),
            Inline::Strong(it) => tagged("strong", it),
            Inline::Strike(it) => tagged("s", it),
            Inline::Link { body, .. } | Inline::Citation { body, .. } => {
                out.html(&self.html(body));
            }
            Inline::Reference(it) if !it.body.is_empty() => {
                out.html(&self.html(&it.body));
            }
            Inline::Code(text) => {
                out.element("code", &[], |it| {
                    it.text(text);
                });
            }
            Inline::Math(formula) => {
                out.html(&self.formula(formula, BTreeMap::new()));
            }
            Inline::Text(_)
            | Inline::Reference(_)
            | Inline::Value(_)
            | Inline::Image { .. }
            | Inline::Footnote(_)
            | Inline::SoftBreak
            | Inline::HardBreak
            | Inline::Html(_) => {
                out.text(&self.text(inline));
            }
        }
    }

    /// A list as readable text, each formula between the marks of an isolate, by which a result sees
    /// where it begins and ends.
    pub(super) fn line(&self, list: &[Inline]) -> String {
        list.iter().map(|it| self.text(it)).collect()
    }

    /// An inline as readable text.
    pub(super) fn text(&self, inline: &Inline) -> String {
        match inline {
            Inline::Text(text) | Inline::Code(text) => text.clone(),
            Inline::Emphasis(it) | Inline::Strong(it) | Inline::Strike(it) => self.line(it),
            Inline::Math(formula) => format!("\u{2068}{}\u{2069}", self.plain(formula)),
            Inline::Value(ValueUse { path, format }) => {
                let value = eval::value(self.outputs, path).and_then(|it| it.written(*format));
                value.map_or_else(String::new, |it| it.text())
            }
            Inline::Link { body, .. } | Inline::Citation { body, .. } => self.line(body),
            Inline::Reference(it) if it.body.is_empty() => {
                let Some(target) = self.links.targets.get(&it.to) else { return String::new() };
                match (target.word(), &target.number[..]) {
                    ("", _) | (_, "") => self.line(&target.title),
                    (word, number) => format!("{word}\u{a0}{number}"),
                }
            }
            Inline::Reference(it) => self.line(&it.body),
            Inline::SoftBreak | Inline::HardBreak => " ".into(),
            Inline::Image { .. } | Inline::Footnote(_) | Inline::Html(_) => String::new(),
        }
    }
}

/// A drawn formula without its MathML, which would say the same a second time, and without links.
fn seen(html: &Html) -> Html {
    const START: &str = "<span class=\"katex-mathml\">";
    const END: &str = "</math></span>";
    let mut rest = html.as_str();
    let mut out = String::new();
    while let Some((before, behind)) = rest.split_once(START) {
        out.push_str(before);
        rest = behind.split_once(END).map_or("", |it| it.1);
    }
    out.push_str(rest);
    let mut html = String::new();
    for (index, part) in out.split("<a ").enumerate() {
        html.push_str(if index == 0 { part } else { part.split_once('>').map_or("", |it| it.1) });
    }
    Html::trusted(html.replace("</a>", ""))
}
