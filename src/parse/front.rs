//! TOML between `+++` lines to what stands before a chapter.

use std::ops::Range;

use super::fields;
use super::{codes, fragment};
use crate::diag::Diagnostic;
use crate::ir::{Front, Inline, Label, Spanned};
use crate::source::{Source, Span};

/// The line before and behind front matter.
const FENCE: &str = "+++";

/// The line before and behind front matter of other programs, which is YAML.
const YAML: &str = "---";

/// The title that front matter gives, with its place.
pub(super) type Title = Spanned<Vec<Inline>>;

/// What the front matter of `source` says: itself, the title, and where the text begins.
pub(super) fn front(source: &Source, out: &mut Vec<Diagnostic>) -> (Front, Title, usize) {
    let none = |end| {
        let title = Spanned { value: Vec::new(), span: Span::NONE };
        (Front::default(), title, end)
    };
    let text = &source.text[..];
    // Blank lines before it are reported, but it is read all the same.
    let lead = text.len() - text.trim_start().len();
    let start = text[..lead].rfind('\n').map_or(0, |it| it + 1);
    let first = text[start..].lines().next().unwrap_or_default();
    let place = source.place((start..start + first.len()).into());
    if first.trim_end() == YAML && start == 0 {
        return none(yaml(source, out));
    }
    if first.trim_end() != FENCE {
        return none(0);
    }
    let Some((toml, end)) = fenced(text, start + first.len() + 1, FENCE) else {
        let message = "the front matter is not closed by a line `+++`";
        let help = "write a line `+++` behind its last line";
        out.push(Diagnostic::error(codes::FRONT, place, message).help(help));
        return none(start + first.len());
    };
    if start > 0 {
        let message = "front matter begins on the first line of its file";
        out.push(Diagnostic::warning(codes::FRONT, place, message).help("remove the blank lines"));
    }
    let (mut front, title) = fields::read(source, toml, codes::FRONT, out, |fields, out| {
        let mut front = Front::default();
        let mut title = Spanned { value: Vec::new(), span: Span::NONE };
        for field in fields.all() {
            match field.key {
                "title" => title = Spanned { value: field.inline(out), span: field.span },
                "summary" => front.summary = field.inline(out),
                "prerequisites" => {
                    let label =
                        |it: Spanned<String>| Spanned { value: Label(it.value), span: it.span };
                    front.prerequisites = field.texts(out).into_iter().map(label).collect();
                }
                "topics" => front.topics = topics(field, out),
                "words" => front.words = field.span_of_numbers(out),
                _ => {
                    let known = ["title", "summary", "prerequisites", "topics", "words"];
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

/// Reports front matter in YAML, and where the text behind it begins: at 0 if `---` is only a rule.
fn yaml(source: &Source, out: &mut Vec<Diagnostic>) -> usize {
    let text = &source.text[..];
    let first = text.lines().next().unwrap_or_default();
    let Some((inner, end)) = fenced(text, first.len() + 1, YAML) else { return 0 };
    let is_key = |line: &str| {
        let key = line.split_once(':').map(|it| it.0.trim());
        key.is_some_and(|it| !it.is_empty() && !it.contains(char::is_whitespace))
    };
    let second = text[inner].lines().next().unwrap_or_default();
    if !is_key(second) && !second.is_empty() {
        return 0;
    }
    let place = source.place((0..first.len()).into());
    let message = "front matter is TOML between lines `+++`, and this is YAML between lines `---`";
    let help = "write `+++` for `---`, and `title = \"…\"` for `title: …`";
    out.push(Diagnostic::error(codes::FRONT, place, message).help(help));
    end
}

/// The lines from byte `start` to a line `fence`, and where the text behind it begins.
fn fenced(text: &str, start: usize, fence: &str) -> Option<(Range<usize>, usize)> {
    let mut at = start;
    for line in text.get(start..)?.split_inclusive('\n') {
        if line.trim_end() == fence {
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
    fragment::inline(&file, text, fragment::Base::Whole(Span::NONE), &mut Vec::new())
}
