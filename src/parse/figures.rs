//! Images, tables and their captions to figures and tables.

use std::ops::Range;

use pulldown_cmark as cm;
use pulldown_cmark::{Event, Tag};

use super::attributes::Attributes;
use super::inlines::{Piece, push, trim};
use super::tree::Tree;
use super::{checks, codes, links, value};
use crate::ir::{
    Alignment, Block, BlockKind, Figure, FigureSource, Inline, Label, Spanned, Table, plain,
};
use crate::source::Span;

/// What the caption of a table begins with.
const CAPTION: &str = "Table:";

impl<'a> Tree<'a> {
    /// Reads a paragraph that is a figure: an image first, alone on its line or with attributes
    /// behind it, then the caption.
    pub(super) fn figure(&mut self, range: &Range<usize>, out: &mut Vec<Block>) -> bool {
        let Some((Event::Start(Tag::Image { dest_url, .. }), image)) = self.peek() else {
            return false;
        };
        let (url, image) = (dest_url.to_string(), image.clone());
        self.next();
        let alt = plain(&self.inside(&image, Self::inlines));
        let list = self.attributes_at(image.end);
        let alone = match self.peek() {
            Some((Event::SoftBreak | Event::HardBreak | Event::End(_), _)) | None => true,
            Some(_) => self.slice(image.end..self.source.text.len()).starts_with('\n'),
        };
        let figure = list.is_some() || alone;
        let source = if figure { self.figure_source(&url, &image) } else { None };
        let pieces = self.pieces();
        match source {
            Some(source) => {
                let end = pieces.last().map_or(range.end, |it| it.1.end.max(range.end));
                let caption = self.flatten(pieces);
                let labels = self.labels(list, &checks::FIGURE);
                let figure = Figure { alt, source, caption, labels };
                let kind = BlockKind::Figure(Box::new(figure));
                out.push(Self::block(&(range.start..end), kind));
            }
            None => {
                // What is wrong with a figure has been said.
                let inline = if figure { Inline::Text(alt) } else { self.image(&url, alt, &image) };
                let first = (Piece::Inline(inline), image);
                let pieces = std::iter::once(first).chain(pieces).collect();
                self.split_pieces(pieces, range, out);
            }
        }
        true
    }

    fn figure_source(&mut self, url: &str, at: &Range<usize>) -> Option<FigureSource> {
        let span: Span = at.clone().into();
        let Some(output) = url.strip_prefix("snip:") else {
            let file = links::picture(&self.source.file, url);
            if file.is_none() {
                self.bad_picture(url, at);
            }
            return file.map(|it| FigureSource::File(it, span));
        };
        match value::output(output, span) {
            Ok(path) => Some(FigureSource::Output(path)),
            Err(message) => {
                self.error(codes::VALUE, span, message);
                None
            }
        }
    }

    fn labels(
        &mut self,
        list: Option<&'a Attributes>,
        allowed: &checks::Allowed,
    ) -> Vec<Spanned<Label>> {
        let Some(list) = list else { return Vec::new() };
        self.check(list, allowed);
        list.labels.clone()
    }

    /// Gives a paragraph `Table: …` to the table before it.
    pub(super) fn caption(&mut self, range: &Range<usize>, out: &mut [Block]) -> bool {
        if !self.slice(range.clone()).starts_with(CAPTION) {
            return false;
        }
        let Some(Block { kind: BlockKind::Table(table), span }) = out.last_mut() else {
            return false;
        };
        if !table.caption.is_empty() || !table.labels.is_empty() {
            return false;
        }
        let mut caption = self.inlines();
        cut_word(&mut caption);
        table.caption = caption;
        let list = self.attributes(range);
        table.labels = self.labels(list, &checks::TABLE);
        *span = Span::new(span.range().start, range.end);
        true
    }

    /// A table whose start was just taken.
    pub(super) fn table(&mut self, columns: &[cm::Alignment], range: &Range<usize>) -> BlockKind {
        let mut table = Table {
            alignments: columns.iter().map(|it| alignment(*it)).collect(),
            head: Vec::new(),
            rows: Vec::new(),
            caption: Vec::new(),
            labels: Vec::new(),
        };
        let mut last = range.clone();
        let rows = self.inside(range, |it| {
            let mut rows = Vec::new();
            while let Some((Event::Start(Tag::TableHead | Tag::TableRow), range)) = it.peek() {
                last = range.clone();
                it.next();
                rows.push(it.inside(&last, Self::row));
            }
            rows
        });
        let mut rows = rows.into_iter();
        table.head = rows.next().unwrap_or_default();
        table.rows = rows.collect();
        self.caption_row(&mut table, &last);
        for row in &mut table.rows {
            row.resize(table.head.len(), Vec::new());
        }
        BlockKind::Table(Box::new(table))
    }

    fn row(&mut self) -> Vec<Vec<Inline>> {
        let mut cells = Vec::new();
        while let Some((Event::Start(Tag::TableCell), range)) = self.peek() {
            let range = range.clone();
            self.next();
            cells.push(self.inside(&range, Self::inlines));
        }
        cells
    }

    /// Without a blank line before it, Markdown takes the caption for a row.
    fn caption_row(&mut self, table: &mut Table, last: &Range<usize>) {
        let line = self.slice(last.clone()).trim_start();
        let Some([first, rest @ ..]) = table.rows.last_mut().map(|it| &mut it[..]) else { return };
        if !line.starts_with(CAPTION) || rest.iter().any(|it| !it.is_empty()) {
            return;
        }
        let mut caption = std::mem::take(first);
        cut_word(&mut caption);
        table.caption = caption;
        table.rows.pop();
        let list = self.attributes(last);
        table.labels = self.labels(list, &checks::TABLE);
    }
}

/// Takes `Table:` from the front.
fn cut_word(caption: &mut Vec<Inline>) {
    if let Some(Inline::Text(text)) = caption.first_mut() {
        *text = text.strip_prefix(CAPTION).unwrap_or(text).to_string();
    }
    let mut cut = Vec::new();
    for inline in std::mem::take(caption) {
        push(&mut cut, inline);
    }
    trim(&mut cut);
    *caption = cut;
}

fn alignment(alignment: cm::Alignment) -> Alignment {
    match alignment {
        cm::Alignment::None => Alignment::Default,
        cm::Alignment::Left => Alignment::Left,
        cm::Alignment::Center => Alignment::Center,
        cm::Alignment::Right => Alignment::Right,
    }
}
