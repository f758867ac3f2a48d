//! Events to blocks.

use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use super::checks::{self, near};
use super::codes;
use super::inlines::{Piece, Pieces, push, trim};
use super::survey::Callout;
use super::tree::Tree;
use crate::diag::Diagnostic;
use crate::ir::{
    Block, BlockKind, Environment, EnvironmentKind, Footnote, Inline, Item, Label, List, Spanned,
};

/// Words of other programs for kinds of callouts, sorted.
const ALIASES: &[(&str, EnvironmentKind)] =
    &[("caution", EnvironmentKind::Warning), ("important", EnvironmentKind::Note)];

impl<'a> Tree<'a> {
    /// Blocks up to the end of their container or of the text.
    pub(super) fn blocks(&mut self) -> Vec<Block> {
        let mut out = Vec::new();
        while let Some((event, range)) = self.peek() {
            let range = range.clone();
            if matches!(event, Event::End(_)) {
                break;
            }
            let inline = !matches!(event, Event::Start(tag) if super::inlines::is_block(tag));
            if inline && !matches!(event, Event::Rule | Event::Html(_)) {
                self.tight(&mut out);
                continue;
            }
            let Some((event, _)) = self.next() else { break };
            match event {
                Event::Start(tag) => self.tagged(tag, range, &mut out),
                Event::Rule => out.push(Self::block(&range, BlockKind::Rule)),
                Event::End(_)
                | Event::Text(_)
                | Event::Code(_)
                | Event::InlineMath(_)
                | Event::DisplayMath(_)
                | Event::Html(_)
                | Event::InlineHtml(_)
                | Event::FootnoteReference(_)
                | Event::SoftBreak
                | Event::HardBreak
                | Event::TaskListMarker(_) => {}
            }
        }
        out
    }

    /// Text of a tight item, which has no paragraph around it.
    fn tight(&mut self, out: &mut Vec<Block>) {
        let Some((_, first)) = self.peek() else { return };
        let range = first.clone();
        self.paragraph(&range, out);
    }

    fn tagged(&mut self, tag: Tag<'a>, range: Range<usize>, out: &mut Vec<Block>) {
        let kind = match tag {
            Tag::Paragraph => return self.inside(&range, |it| it.paragraph(&range, out)),
            Tag::Heading { level, .. } => return self.heading(level as u8, &range, out),
            Tag::BlockQuote(_) => self.quote(&range),
            Tag::CodeBlock(kind) => self.fence(&kind, &range),
            Tag::HtmlBlock => match self.html(&range) {
                Some(html) => html,
                None => return,
            },
            Tag::List(start) => BlockKind::List(self.list(start, &range)),
            Tag::FootnoteDefinition(name) => return self.footnote(&name, &range),
            Tag::Table(alignments) => self.table(&alignments, &range),
            // Not switched on, or taken by what is around it.
            Tag::Item
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. }
            | Tag::MetadataBlock(_) => return self.skip(),
        };
        out.push(Self::block(&range, kind));
    }

    /// A paragraph: a figure, the caption of the table before it, or text that displayed formulas
    /// split.
    fn paragraph(&mut self, range: &Range<usize>, out: &mut Vec<Block>) {
        if self.figure(range, out) || self.caption(range, out) {
            return;
        }
        if self.slice(range.clone()).starts_with("{#")
            && let Ok(list) = super::attributes::read(&self.source.text, range.start)
        {
            self.stray(list.span);
        }
        self.split(range, out);
    }

    /// Running text, split at its displayed formulas.
    pub(super) fn split(&mut self, range: &Range<usize>, out: &mut Vec<Block>) {
        let pieces = self.pieces();
        self.split_pieces(pieces, range, out);
    }

    /// Blocks from `pieces` of a paragraph over `range`.
    pub(super) fn split_pieces(
        &mut self,
        pieces: Pieces<'a>,
        range: &Range<usize>,
        out: &mut Vec<Block>,
    ) {
        let mut text = Vec::new();
        let mut at = range.start;
        let end = pieces.last().map_or(range.end, |it| it.1.end.max(range.end));
        for (piece, place) in pieces {
            match piece {
                Piece::Inline(inline) => push(&mut text, inline),
                Piece::Display(found) => {
                    finish(&mut text, at..place.start, out);
                    let display = self.display(found);
                    let list = found.attributes.as_ref().map(|it| it.span.range().end);
                    at = list.unwrap_or(place.end);
                    out.push(Self::block(&(place.start..at), BlockKind::Display(display.into())));
                }
            }
        }
        finish(&mut text, at..end.max(at), out);
    }

    fn html(&mut self, range: &Range<usize>) -> Option<BlockKind> {
        let mut html = String::new();
        while let Some((Event::Html(text) | Event::Text(text), _)) = self.peek() {
            html.push_str(text);
            self.next();
        }
        self.close();
        if !self.formulas(range).is_empty() {
            html = self.slice(range.clone()).to_string();
        }
        let html = html.trim_end();
        if html.starts_with("<!--") && !html.contains("-->") {
            let message = "this comment is not closed, so nothing behind it is shown";
            let mark = range.start..range.start + "<!--".len();
            self.warn(codes::COMMENT, mark, message, "close it by `-->`");
            return None;
        }
        if html.starts_with("<!--") && html.ends_with("-->") {
            return None;
        }
        if !html.starts_with("</") {
            let end = range.start + html.lines().next().map_or(0, str::len);
            let message = "raw HTML is shown on the site only";
            self.note(codes::RAW_HTML, range.start..end.min(range.end), message);
        }
        Some(BlockKind::Html(html.to_string()))
    }

    fn list(&mut self, start: Option<u64>, range: &Range<usize>) -> List {
        let mut list = List { start, tight: true, items: Vec::new() };
        let tight = &mut list.tight;
        list.items = self.inside(range, |it| {
            let mut items = Vec::new();
            while let Some((Event::Start(Tag::Item), range)) = it.peek() {
                let range = range.clone();
                it.next();
                items.extend(it.inside(&range, |it| Some(it.item(tight))));
            }
            items
        });
        list
    }

    fn item(&mut self, tight: &mut bool) -> Item {
        let task = self.task_mark();
        *tight &= !self.holds_paragraph();
        Item { task, blocks: self.blocks() }
    }

    fn footnote(&mut self, name: &str, range: &Range<usize>) {
        let blocks = self.inside(range, Self::blocks);
        let key = name.to_lowercase();
        let end = range.start + self.slice(range.clone()).find('\n').unwrap_or(range.len());
        let mark = range.start..end;
        if let Some(first) = self.footnotes.get(&key) {
            let first = self.source.place(first.span);
            let place = self.source.place(mark.into());
            let message = format!("the footnote `{name}` is defined twice");
            let diagnostic = Diagnostic::warning(codes::DUPLICATE_FOOTNOTE, place, message);
            let diagnostic = diagnostic.help("give it another name");
            self.diagnostics.push(diagnostic.related(first, "the first is here"));
            return;
        }
        if !self.notes.contains_key(&key) {
            let message = format!("the footnote `{name}` is never mentioned");
            let help = format!("mention it by `[^{name}]`, or remove it");
            self.warn(codes::FOOTNOTE_UNUSED, mark, message, help);
        }
        let span = range.clone().into();
        self.footnotes.insert(key, Footnote { name: name.to_string(), blocks, span });
    }

    fn quote(&mut self, range: &Range<usize>) -> BlockKind {
        let callouts = &self.masked.finds.callouts;
        let callout = match self.peek() {
            Some((Event::Start(Tag::Heading { .. }), heading)) => callouts
                .binary_search_by_key(&heading.start, |it| it.marker.start)
                .ok()
                .map(|it| (&callouts[it], heading.clone())),
            Some(_) | None => None,
        };
        match callout {
            None => BlockKind::Quote(self.inside(range, Self::blocks)),
            Some((callout, heading)) => {
                let environment = self.inside(range, |it| Some(it.callout(callout, &heading)));
                environment
                    .map_or(BlockKind::Quote(Vec::new()), |it| BlockKind::Environment(Box::new(it)))
            }
        }
    }

    fn callout(&mut self, callout: &Callout, heading: &Range<usize>) -> Environment {
        self.next();
        let title = self.inside(heading, Self::inlines);
        let kind = self.callout_kind(callout);
        let mut environment = Environment {
            kind,
            title,
            labels: Vec::new(),
            folded: callout.sign == Some('-'),
            of: None,
            blocks: Vec::new(),
        };
        if let Some(list) = self.attributes(heading) {
            self.check(list, &checks::CALLOUT);
            environment.labels = list.labels.clone();
            let of = list.pairs.iter().find(|it| it.key.value == "of");
            environment.of = of.map(|it| {
                let name = it.value.value.trim_start_matches('#');
                Spanned { value: Label(name.to_string()), span: it.value.span }
            });
        }
        environment.blocks = self.blocks();
        environment
    }

    fn callout_kind(&mut self, callout: &Callout) -> EnvironmentKind {
        let word = self.slice(callout.word.clone());
        let lower = word.to_lowercase();
        let alias = ALIASES.iter().find(|it| it.0 == lower).map(|it| it.1);
        if let Some(kind) = EnvironmentKind::named(word).or(alias) {
            return kind;
        }
        let message = format!("there is no kind of callout `{word}`; it is shown as a note");
        let help = match near(word, EnvironmentKind::ALL.iter().map(|it| it.0)) {
            Some(near) => format!("did you mean `[!{near}]`?"),
            None => "`reckoner explain parse-callout-kind` lists the kinds".to_string(),
        };
        self.warn(codes::CALLOUT_KIND, callout.word.clone(), message, help);
        EnvironmentKind::Note
    }

    /// The mark of a task at the beginning of an item. In a loose list it is inside of the first
    /// paragraph; as a part of running text it is nothing.
    fn task_mark(&self) -> Option<bool> {
        let event = match self.peek() {
            Some((Event::Start(Tag::Paragraph), _)) => self.peek_second(),
            event => event,
        };
        match event {
            Some((Event::TaskListMarker(done), _)) => Some(*done),
            Some(_) | None => None,
        }
    }

    /// Whether the item that begins here has a paragraph of its own, as items of loose lists do.
    fn holds_paragraph(&self) -> bool {
        self.at_this_level().any(|it| matches!(it, Event::Start(Tag::Paragraph)))
    }
}

/// Ends a paragraph of text.
fn finish(text: &mut Vec<Inline>, range: Range<usize>, out: &mut Vec<Block>) {
    trim(text);
    if !text.is_empty() {
        let kind = BlockKind::Paragraph(std::mem::take(text));
        out.push(Block { span: range.into(), kind });
    }
}
