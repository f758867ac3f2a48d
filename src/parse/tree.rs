//! Events of the Markdown parser to what the block and inline builders ask for.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::attributes::Attributes;
use super::codes;
use super::mask::Masked;
use super::scan::Found;
use super::survey::OPTIONS;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Block, Footnote};
use crate::source::{Place, Source, Span};

/// How deep blocks and inlines may be nested together.
const DEPTH: usize = 64;

/// The events of a text, read from the front, and what was found beside them.
pub(super) struct Tree<'a> {
    pub source: &'a Source,
    pub masked: &'a Masked,
    events: Vec<(Event<'a>, Range<usize>)>,
    at: usize,
    depth: usize,
    /// Which attribute lists have found their owner.
    used: BTreeSet<usize>,
    /// Footnotes in order of their first mention: name in lower case → index.
    pub notes: BTreeMap<String, usize>,
    /// Footnotes by name in lower case.
    pub footnotes: BTreeMap<String, Footnote>,
    /// Anchors that are taken.
    pub anchors: BTreeSet<String>,
    /// How often an anchor was wanted again.
    pub counts: BTreeMap<String, usize>,
    /// Level of the heading before.
    pub level: u8,
    /// The title of the chapter, once it is found.
    pub title: Option<super::headings::Title>,
    /// Beginnings of lines.
    lines: Vec<usize>,
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Tree<'a> {
    /// Parses `masked`, which was made of `source`.
    pub(super) fn new(source: &'a Source, masked: &'a Masked) -> Self {
        let events: Vec<_> = Parser::new_ext(&masked.text, OPTIONS).into_offset_iter().collect();
        let notes = mentions(&events);
        let breaks = source.text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            source,
            masked,
            events,
            at: 0,
            depth: 0,
            used: BTreeSet::new(),
            notes,
            footnotes: BTreeMap::new(),
            anchors: BTreeSet::new(),
            counts: BTreeMap::new(),
            level: 1,
            title: None,
            lines: std::iter::once(0).chain(breaks).collect(),
            diagnostics: Vec::new(),
        }
    }

    /// The next event.
    pub(super) fn peek(&self) -> Option<&(Event<'a>, Range<usize>)> {
        self.events.get(self.at)
    }

    /// The event after the next.
    pub(super) fn peek_second(&self) -> Option<&(Event<'a>, Range<usize>)> {
        self.events.get(self.at + 1)
    }

    /// The events of the element that was just opened, without those of elements inside.
    pub(super) fn at_this_level(&self) -> impl Iterator<Item = &Event<'a>> {
        let mut open = 0_usize;
        let rest = self.events[self.at.min(self.events.len())..].iter();
        let level = rest.map_while(move |(event, _)| {
            let before = open;
            match event {
                Event::Start(_) => open += 1,
                Event::End(_) => open = open.checked_sub(1)?,
                _ => {}
            }
            Some((before, event))
        });
        level.filter(|(open, _)| *open == 0).map(|(_, event)| event)
    }

    /// Takes the next event.
    pub(super) fn next(&mut self) -> Option<(Event<'a>, Range<usize>)> {
        let event = self.events.get(self.at).cloned();
        self.at += 1;
        event
    }

    /// Takes the end of the element that was just read.
    pub(super) fn close(&mut self) {
        if matches!(self.peek(), Some((Event::End(_), _))) {
            self.at += 1;
        }
    }

    /// Reads what is inside of an element whose start was just taken, up to and with its end. What
    /// is nested too deep is left out.
    pub(super) fn inside<T: Default>(
        &mut self,
        range: &Range<usize>,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.depth >= DEPTH {
            self.skip();
            let end =
                self.source.text[range.start..].find('\n').map_or(range.end, |it| range.start + it);
            let message = format!("what is nested deeper than {DEPTH} levels is left out");
            let known = self.diagnostics.iter().any(|it| it.code == codes::DEPTH);
            if !known {
                self.error(codes::DEPTH, range.start..end.min(range.end), message);
            }
            return T::default();
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        self.close();
        value
    }

    /// Passes over the rest of an element and its end.
    pub(super) fn skip(&mut self) {
        let mut open = 1;
        while open > 0 {
            match self.events.get(self.at) {
                Some((Event::Start(_), _)) => open += 1,
                Some((Event::End(_), _)) => open -= 1,
                Some(_) => {}
                None => return,
            }
            self.at += 1;
        }
    }

    /// The footnotes that are mentioned, in order of their first mention. One that is mentioned is
    /// defined, or it would not be a mention.
    pub(super) fn take_footnotes(&mut self) -> Vec<Footnote> {
        let mut notes: Vec<_> = std::mem::take(&mut self.notes).into_iter().collect();
        notes.sort_by_key(|it| it.1);
        let mut footnotes = std::mem::take(&mut self.footnotes);
        let empty =
            |name: &str| Footnote { name: name.to_string(), blocks: Vec::new(), span: Span::NONE };
        notes.iter().map(|it| footnotes.remove(&it.0).unwrap_or_else(|| empty(&it.0))).collect()
    }

    /// Formulas inside `range`.
    pub(super) fn formulas(&self, range: &Range<usize>) -> &'a [Found] {
        let all = &self.masked.finds.formulas;
        let first = all.partition_point(|it| it.whole.start < range.start);
        let count = all[first..].partition_point(|it| it.whole.end <= range.end);
        &all[first..first + count]
    }

    /// The last attribute list inside `range`.
    pub(super) fn attributes(&mut self, range: &Range<usize>) -> Option<&'a Attributes> {
        let all = &self.masked.finds.attributes;
        let first = all.partition_point(|it| it.span.range().start < range.start);
        let count = all[first..].partition_point(|it| it.span.range().end <= range.end);
        let index = (first + count).checked_sub(1).filter(|it| *it >= first)?;
        self.used.insert(index);
        Some(&all[index])
    }

    /// The attribute list that begins at byte `at`.
    pub(super) fn attributes_at(&mut self, at: usize) -> Option<&'a Attributes> {
        let all = &self.masked.finds.attributes;
        let index = all.binary_search_by_key(&at, |it| it.span.range().start).ok()?;
        self.used.insert(index);
        Some(&all[index])
    }

    /// Says which attribute lists belong to nothing.
    pub(super) fn report_stray(&mut self) {
        for (index, list) in self.masked.finds.attributes.iter().enumerate() {
            if !self.used.contains(&index) {
                self.stray(list.span);
            }
        }
    }

    /// Says that the attribute list at `span` belongs to nothing.
    pub(super) fn stray(&mut self, span: Span) {
        self.diagnostics.push(super::scan::stray(self.source, span));
    }

    /// The line of byte `at`, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|it| *it <= at)
    }

    /// Where the line of byte `at` begins.
    pub(super) fn line_start(&self, at: usize) -> usize {
        self.lines[self.line(at) - 1]
    }

    /// The source under `range`.
    pub(super) fn slice(&self, range: Range<usize>) -> &'a str {
        &self.source.text[range]
    }

    fn place(&self, span: impl Into<Span>) -> Place {
        self.source.place(span.into())
    }

    pub(super) fn error(&mut self, code: Code, at: impl Into<Span>, message: impl Into<String>) {
        let place = self.place(at);
        self.diagnostics.push(Diagnostic::error(code, place, message));
    }

    pub(super) fn warn(
        &mut self,
        code: Code,
        at: impl Into<Span>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let place = self.place(at);
        self.diagnostics.push(Diagnostic::warning(code, place, message).help(help));
    }

    pub(super) fn note(&mut self, code: Code, at: impl Into<Span>, message: impl Into<String>) {
        let place = self.place(at);
        self.diagnostics.push(Diagnostic::note(code, place, message));
    }

    /// A block over `range`.
    pub(super) fn block(range: &Range<usize>, kind: crate::ir::BlockKind) -> Block {
        Block { span: range.clone().into(), kind }
    }
}

/// The footnotes in order of their first mention, where a footnote's own text is read behind the
/// body: name in lower case → index.
fn mentions(events: &[(Event<'_>, Range<usize>)]) -> BTreeMap<String, usize> {
    let mut by_owner: BTreeMap<Option<String>, Vec<String>> = BTreeMap::new();
    let mut owners: Vec<String> = Vec::new();
    for (event, _) in events {
        match event {
            Event::Start(Tag::FootnoteDefinition(name)) => owners.push(name.to_lowercase()),
            Event::End(TagEnd::FootnoteDefinition) => drop(owners.pop()),
            Event::FootnoteReference(name) => {
                by_owner.entry(owners.last().cloned()).or_default().push(name.to_lowercase());
            }
            Event::Start(_)
            | Event::End(_)
            | Event::Text(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }
    let mut queue = by_owner.remove(&None).unwrap_or_default();
    let mut order = BTreeMap::new();
    let mut next = 0;
    while let Some(name) = queue.get(next).cloned() {
        next += 1;
        let index = order.len();
        order.entry(name.clone()).or_insert(index);
        queue.extend(by_owner.remove(&Some(name)).unwrap_or_default());
    }
    order
}
