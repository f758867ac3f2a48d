//! Markdown inside of a value, such as a name or a caption in TOML, to running text.

use super::mask;
use super::tree::Tree;
use crate::diag::Diagnostic;
use crate::ir::{Inline, Reference};
use crate::math::Formula;
use crate::source::{FileId, Source, Span};

/// Where the text stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// Byte for byte at this place.
    At(Span),
    /// Somewhere inside; every place in it is the whole.
    Whole(Span),
}

/// A heading takes one line of running text and lets no other block begin.
const HEADING: &str = "# ";

/// The running text in `text` of `file`.
pub(super) fn inline(
    file: &FileId,
    text: &str,
    base: Base,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Inline> {
    let line = text.replace('\n', " ");
    let source = Source { file: file.clone(), text: format!("{HEADING}{line}").into() };
    let masked = mask::mask(&source, 0);
    let mut tree = Tree::new(&source, &masked);
    tree.next();
    let mut out = tree.inlines();
    let shift = |span: Span| match base {
        Base::Whole(whole) => whole,
        Base::At(whole) => {
            let range = span.range();
            let moved = |it: usize| whole.range().start + it.saturating_sub(HEADING.len());
            Span::new(moved(range.start), moved(range.end).min(whole.range().end))
        }
    };
    move_spans(&mut out, &shift);
    let said = masked.finds.diagnostics.iter().cloned().chain(tree.diagnostics);
    diagnostics.extend(said.map(|mut it| {
        it.place.span = shift(it.place.span);
        it
    }));
    out
}

fn move_spans(list: &mut [Inline], shift: &impl Fn(Span) -> Span) {
    for inline in list {
        match inline {
            Inline::Emphasis(it) | Inline::Strong(it) | Inline::Strike(it) => move_spans(it, shift),
            Inline::Math(Formula { span, .. }) | Inline::Image { span, .. } => *span = shift(*span),
            Inline::Value(it) => it.path.span = shift(it.path.span),
            Inline::Link { body, span, .. } | Inline::Reference(Reference { body, span, .. }) => {
                move_spans(body, shift);
                *span = shift(*span);
            }
            Inline::Citation { keys, body } => {
                move_spans(body, shift);
                for key in keys {
                    key.span = shift(key.span);
                }
            }
            Inline::Text(_)
            | Inline::Code(_)
            | Inline::Footnote(_)
            | Inline::SoftBreak
            | Inline::HardBreak
            | Inline::Html(_) => {}
        }
    }
}
