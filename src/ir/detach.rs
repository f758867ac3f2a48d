//! Inlines without spans, fit to be shown on the pages of other files.

use super::{Inline, Reference, Spanned, ValuePath, ValueUse};
use crate::math::Formula;
use crate::source::Span;

/// A copy of `list` that knows no place. Footnote marks are dropped, and references become their
/// words, since a title is often a link already.
pub fn detached(list: &[Inline]) -> Vec<Inline> {
    let mut out = Vec::new();
    for inline in list {
        match inline {
            Inline::Text(_)
            | Inline::Code(_)
            | Inline::SoftBreak
            | Inline::HardBreak
            | Inline::Html(_) => out.push(inline.clone()),
            Inline::Emphasis(it) => out.push(Inline::Emphasis(detached(it))),
            Inline::Strong(it) => out.push(Inline::Strong(detached(it))),
            Inline::Strike(it) => out.push(Inline::Strike(detached(it))),
            Inline::Math(it) => out.push(Inline::Math(formula(it))),
            Inline::Value(ValueUse { path, format }) => {
                let path = ValuePath { span: Span::NONE, ..path.clone() };
                out.push(Inline::Value(ValueUse { path, format: *format }));
            }
            Inline::Link { body, .. } | Inline::Reference(Reference { body, .. }) => {
                out.extend(detached(body));
            }
            Inline::Citation { keys, body } => {
                let bare =
                    |it: &Spanned<String>| Spanned { value: it.value.clone(), span: Span::NONE };
                let keys = keys.iter().map(bare).collect();
                out.push(Inline::Citation { keys, body: detached(body) });
            }
            Inline::Image { file, alt, .. } => {
                let (file, alt) = (file.clone(), alt.clone());
                out.push(Inline::Image { file, alt, span: Span::NONE });
            }
            Inline::Footnote(_) => {}
        }
    }
    out
}

/// A copy of a formula that knows no place.
pub fn formula(it: &Formula) -> Formula {
    Formula { span: Span::NONE, ..it.clone() }
}
