//! Markdown to the places where no formula begins, and to the lines that may end in attributes.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

/// The Markdown that books are written in, besides what is our own.
///
/// Maths, heading attributes and callouts are ours, because the parser's own break formulas, drop
/// `{n}` from headings and know no titles.
pub(super) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_SMART_PUNCTUATION);

/// What a first look at the text finds. Every list is in source order.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Code, link destinations, HTML: a dollar sign in them is a dollar sign. Disjoint.
    pub opaque: Vec<Opaque>,
    /// Quotes, list items and footnotes, outer before inner.
    pub containers: Vec<Container>,
    /// Headings, rows of tables, titles of callouts, captions.
    pub regions: Vec<Region>,
    /// Ends of images: an attribute list may follow.
    pub images: BTreeSet<usize>,
    /// Beginnings of callouts.
    pub callouts: Vec<Callout>,
    /// Names of the footnotes that are defined, in lower case.
    pub notes: BTreeSet<String>,
}

/// A range in which nothing begins.
#[derive(Debug)]
pub(super) struct Opaque {
    /// The range.
    pub range: Range<usize>,
    /// Where the whole construct begins: the `[` of a link.
    pub whole: usize,
}

/// A block whose lines have a prefix.
#[derive(Clone, Debug)]
pub(super) struct Container {
    /// Its bytes.
    pub range: Range<usize>,
    /// Where the line begins on which it begins.
    pub line: usize,
    /// What it is.
    pub kind: ContainerKind,
}

/// Kinds of containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContainerKind {
    /// Lines begin with `>`.
    Quote,
    /// Lines are indented.
    Item,
    /// A footnote: lines are indented by four.
    Note,
}

/// A part of the text that may end in an attribute list.
#[derive(Debug)]
pub(super) struct Region {
    /// Its bytes.
    pub range: Range<usize>,
    /// Whether a formula in it ends on its line.
    pub single: bool,
}

/// `[!theorem]-` at the beginning of a quote.
#[derive(Clone, Debug)]
pub(super) struct Callout {
    /// From `[` to `]` or the sign after it.
    pub marker: Range<usize>,
    /// The word.
    pub word: Range<usize>,
    /// `-` is folded, `+` is open.
    pub sign: Option<char>,
}

impl Survey {
    /// Looks at `masked`; `text` is the same text with its formulas.
    pub(super) fn new(masked: &str, text: &str) -> Self {
        let parser = Parser::new_ext(masked, OPTIONS);
        let mut survey = Self::default();
        for (_, definition) in parser.reference_definitions().iter() {
            survey.hide(definition.span.clone(), definition.span.start);
        }
        let mut surveyor = Surveyor { survey, text, links: Vec::new(), line: 0, seen: 0 };
        for (event, range) in parser.into_offset_iter() {
            surveyor.event(event, range);
        }
        surveyor.survey.finish()
    }

    fn hide(&mut self, range: Range<usize>, whole: usize) {
        if !range.is_empty() {
            self.opaque.push(Opaque { range, whole });
        }
    }

    /// Sorts the ranges and joins those that overlap.
    fn finish(mut self) -> Self {
        self.opaque.sort_by_key(|it| (it.range.start, it.range.end));
        self.opaque.dedup_by(|next, before| {
            let overlap = next.range.start < before.range.end;
            if overlap {
                before.range.end = before.range.end.max(next.range.end);
                before.whole = before.whole.min(next.whole);
            }
            overlap
        });
        self.regions.sort_by_key(|it| it.range.start);
        self
    }
}

struct Surveyor<'a> {
    survey: Survey,
    text: &'a str,
    /// Open links: where each begins, and where the last part of its text ends.
    links: Vec<(usize, usize)>,
    /// Where the line of byte `seen` begins.
    line: usize,
    seen: usize,
}

impl Surveyor<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        let end = range.end;
        match event {
            Event::Start(tag) => return self.start(&tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Code(_) | Event::Html(_) | Event::InlineHtml(_) => {
                self.survey.hide(range.clone(), range.start);
            }
            Event::Text(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
        if let Some((_, last)) = self.links.last_mut() {
            *last = end.max(*last);
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::BlockQuote(_) => {
                self.container(ContainerKind::Quote, &range);
                self.callout(range.start);
            }
            Tag::Item => self.container(ContainerKind::Item, &range),
            Tag::FootnoteDefinition(name) => {
                self.container(ContainerKind::Note, &range);
                self.survey.notes.insert(name.to_lowercase());
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) | Tag::HtmlBlock => {
                self.survey.hide(range.clone(), range.start);
            }
            Tag::Heading { .. } => {
                let single = self.text[range.start..].starts_with('#');
                self.survey.regions.push(Region { range, single });
            }
            Tag::TableHead | Tag::TableRow => {
                self.survey.regions.push(Region { range, single: true });
            }
            Tag::Paragraph if self.text[range.start..].starts_with("Table:") => {
                self.survey.regions.push(Region { range, single: false });
            }
            Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. } => {
                self.survey.hide(range.clone(), range.start);
                self.links.push((range.start, range.end));
            }
            Tag::Link { .. } => self.links.push((range.start, range.start + 1)),
            Tag::Image { .. } => self.links.push((range.start, range.start + 2)),
            Tag::Paragraph
            | Tag::List(_)
            | Tag::Table(_)
            | Tag::TableCell
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        if !matches!(tag, TagEnd::Link | TagEnd::Image) {
            return;
        }
        if let Some((start, last)) = self.links.pop() {
            self.survey.hide(last.min(range.end)..range.end, start);
        }
        if tag == TagEnd::Image {
            self.survey.images.insert(range.end);
        }
    }

    fn container(&mut self, kind: ContainerKind, range: &Range<usize>) {
        // Containers come in source order, so the text is looked through once.
        if range.start > self.seen {
            let passed = &self.text.as_bytes()[self.seen..range.start];
            if let Some(at) = passed.iter().rposition(|it| *it == b'\n') {
                self.line = self.seen + at + 1;
            }
            self.seen = range.start;
        }
        let container = Container { range: range.clone(), line: self.line, kind };
        self.survey.containers.push(container);
    }

    /// Whether the quote at `quote` is a callout: `> [!word]` or `> [!word]-`.
    fn callout(&mut self, quote: usize) {
        let text = self.text;
        let Some(rest) = text[quote..].strip_prefix('>') else { return };
        let rest = rest.trim_start_matches([' ', '\t']);
        let start = text.len() - rest.len();
        let Some(inner) = rest.strip_prefix("[!") else { return };
        let length = inner.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
        let Some(length) = length.filter(|it| *it > 0) else { return };
        let Some(after) = inner[length..].strip_prefix(']') else { return };
        if after.starts_with(['(', '[', ':']) {
            return;
        }
        let word = start + 2..start + 2 + length;
        let sign = after.chars().next().filter(|it| matches!(it, '-' | '+'));
        let end = word.end + 1 + usize::from(sign.is_some());
        let line = text[end..].find('\n').map_or(text.len(), |it| end + it);
        self.survey.regions.push(Region { range: end..line, single: true });
        self.survey.callouts.push(Callout { marker: start..end, word, sign });
    }
}
