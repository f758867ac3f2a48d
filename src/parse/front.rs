//! TOML between `+++` lines to what stands before a chapter.

use std::ops::Range;

use super::fields;
use super::{codes, fragment};
use crate::diag::Diagnostic;
use crate::ir::{Front, Inline, Label, Spanned};
use crate::source::Source;

/// The line before and behind front matter.
const FENCE: &str = "+++";

/// What the front matter of `source` says: itself, the title, and where the text begins.
pub(super) fn front(source: &Source, out: &mut Vec<Diagnostic>) -> (Front, Vec<Inline>, usize) {
    let none = (Front::default(), Vec::new(), 0);
    let first = source.text.lines().next().unwrap_or_default();
    if first.trim_end() != FENCE {
        return none;
    }
    let Some((toml, end)) = fenced(&source.text, first.len() + 1) else {
        let place = source.place((0..first.len()).into());
        let message = "the front matter is not closed by a line `+++`";
        out.push(Diagnostic::error(codes::FRONT, place, message));
        return (Front::default(), Vec::new(), first.len());
    };
    let (mut front, title) = fields::read(source, toml, codes::FRONT, out, |fields, out| {
        let mut front = Front::default();
        let mut title = Vec::new();
        for field in fields.all() {
            match field.key {
                "title" => title = field.inline(out),
                "summary" => front.summary = field.inline(out),
                "prerequisites" => {
                    let label =
                        |it: Spanned<String>| Spanned { value: Label(it.value), span: it.span };
                    front.prerequisites = field.texts(out).into_iter().map(label).collect();
                }
                "topics" => front.topics = topics(field, out),
                _ => {
                    let known = ["title", "summary", "prerequisites", "topics"];
                    field.unknown(&known, codes::FRONT, out);
                }
            }
        }
        (front, title)
    });
    front.span = (0..end).into();
    (front, title, end)
}

fn topics(
    field: fields::Field<'_>,
    out: &mut Vec<Diagnostic>,
) -> Vec<(Spanned<String>, Spanned<Label>)> {
    let Some(table) = field.table(out) else { return Vec::new() };
    let topic = |it: fields::Field<'_>, out: &mut Vec<Diagnostic>| {
        let label = it.text(out)?;
        let name = label.value.strip_prefix('#').unwrap_or(&label.value);
        let label = Spanned { value: Label(name.to_string()), span: label.span };
        Some((Spanned { value: it.key.to_string(), span: it.key_span }, label))
    };
    table.all().into_iter().filter_map(|it| topic(it, out)).collect()
}

/// The lines from byte `start` to a line `+++`, and where the text behind it begins.
fn fenced(text: &str, start: usize) -> Option<(Range<usize>, usize)> {
    let mut at = start;
    for line in text.get(start..)?.split_inclusive('\n') {
        if line.trim_end() == FENCE {
            return Some((start..at, at + line.len()));
        }
        at += line.len();
    }
    None
}

/// The words of a file name as a title: `self-attention` is `Self attention`.
pub(super) fn title_of(stem: &str) -> Vec<Inline> {
    let name = stem.rsplit('/').next().unwrap_or(stem).replace(['-', '_'], " ");
    let mut chars = name.chars();
    let first = chars.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
    let title = first + chars.as_str();
    if title.is_empty() { Vec::new() } else { vec![Inline::Text(title)] }
}

/// Running text from text that stands in no file.
pub(super) fn loose(text: &str) -> Vec<Inline> {
    let file = crate::source::FileId::new("");
    fragment::inline(&file, text, fragment::Base::Whole(crate::source::Span::NONE), &mut Vec::new())
}
