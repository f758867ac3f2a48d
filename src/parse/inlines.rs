//! Events to running text.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Tag};

use super::codes;
use super::links::{self, Target};
use super::maths;
use super::scan::Found;
use super::tree::Tree;
use super::value::{looks_like_value, value};
use crate::ir::{Inline, Reference, Spanned, plain};
use crate::math::Style;

/// A part of a paragraph.
pub(super) enum Piece<'a> {
    /// Running text.
    Inline(Inline),
    /// A displayed formula, which splits the paragraph.
    Display(&'a Found),
}

/// The pieces of a paragraph, each with its place.
pub(super) type Pieces<'a> = Vec<(Piece<'a>, Range<usize>)>;

impl<'a> Tree<'a> {
    /// Running text up to the end of its element or to the start of a block, where a displayed
    /// formula cannot stand.
    pub(super) fn inlines(&mut self) -> Vec<Inline> {
        let pieces = self.pieces();
        self.flatten(pieces)
    }

    /// Sets displayed formulas in the line, and says so.
    pub(super) fn flatten(&mut self, pieces: Pieces<'a>) -> Vec<Inline> {
        let mut out = Vec::new();
        for (piece, _) in pieces {
            match piece {
                Piece::Inline(inline) => push(&mut out, inline),
                Piece::Display(found) => {
                    let message = "a displayed formula cannot stand here; it is set in the line";
                    let help = "write `$…$`, or move it to a paragraph of its own";
                    self.warn(codes::DISPLAY_PLACE, found.whole.clone(), message, help);
                    push(&mut out, Inline::Math(maths::formula(self.source, found, Style::Inline)));
                }
            }
        }
        trim(&mut out);
        out
    }

    /// Running text with displayed formulas up to the end of its element or the start of a block.
    pub(super) fn pieces(&mut self) -> Pieces<'a> {
        let mut out = Vec::new();
        while let Some((event, range)) = self.peek() {
            let range = range.clone();
            let starts_block = matches!(event, Event::Start(tag) if is_block(tag));
            if starts_block || matches!(event, Event::End(_) | Event::Rule | Event::Html(_)) {
                break;
            }
            let Some((event, _)) = self.next() else { break };
            self.piece(event, range, &mut out);
        }
        out
    }

    fn piece(&mut self, event: Event<'a>, range: Range<usize>, out: &mut Pieces<'a>) {
        let inline = match event {
            Event::Text(text) => return self.text(&text, range, out),
            Event::Start(Tag::Emphasis) => Inline::Emphasis(self.inside(&range, Self::inlines)),
            Event::Start(Tag::Strong) => Inline::Strong(self.inside(&range, Self::inlines)),
            Event::Start(Tag::Strikethrough) => Inline::Strike(self.inside(&range, Self::inlines)),
            Event::Start(Tag::Link { link_type, dest_url, title, .. }) => {
                let body = self.inside(&range, Self::inlines);
                return self.link(link_type, &dest_url, &title, body, range, out);
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let alt = plain(&self.inside(&range, Self::inlines));
                self.image(&dest_url, alt, &range)
            }
            Event::Code(text) => self.code(&text, &range),
            Event::InlineHtml(text) => match self.inline_html(&text, &range) {
                Some(inline) => inline,
                None => return,
            },
            Event::FootnoteReference(name) => match self.notes.get(&name.to_lowercase()) {
                Some(index) => Inline::Footnote(*index),
                None => Inline::Text(self.slice(range.clone()).to_string()),
            },
            Event::SoftBreak => Inline::SoftBreak,
            Event::HardBreak => Inline::HardBreak,
            // Not switched on, not inline, or taken by the item around it.
            Event::Start(_)
            | Event::End(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::Rule
            | Event::TaskListMarker(_) => return,
        };
        out.push((Piece::Inline(inline), range));
    }

    /// Text, with the formulas in it put back.
    fn text(&self, text: &str, range: Range<usize>, out: &mut Pieces<'a>) {
        let formulas = self.formulas(&range);
        if formulas.is_empty() {
            out.push((Piece::Inline(Inline::Text(text.to_string())), range));
            return;
        }
        let mut at = range.start;
        for found in formulas {
            let before = at..found.whole.start;
            if !before.is_empty() {
                let text = self.masked.text[before.clone()].to_string();
                out.push((Piece::Inline(Inline::Text(text)), before));
            }
            let piece = match found.style {
                Style::Inline => {
                    let formula = maths::formula(self.source, found, Style::Inline);
                    Piece::Inline(Inline::Math(formula))
                }
                Style::Display => Piece::Display(found),
            };
            out.push((piece, found.whole.clone()));
            at = found.whole.end;
        }
        if at < range.end {
            let text = self.masked.text[at..range.end].to_string();
            out.push((Piece::Inline(Inline::Text(text)), at..range.end));
        }
    }

    fn code(&mut self, text: &str, range: &Range<usize>) -> Inline {
        if !self.formulas(range).is_empty() {
            // A formula was masked before this turned out to be code; code wins.
            let raw = self.slice(range.clone()).trim_matches('`').trim();
            return Inline::Code(raw.to_string());
        }
        if !looks_like_value(text) {
            return Inline::Code(text.to_string());
        }
        match value(&text[1..], range.clone().into()) {
            Ok(value) => Inline::Value(value),
            Err(message) => {
                self.error(codes::VALUE, range.clone(), message);
                Inline::Code(text.to_string())
            }
        }
    }

    fn inline_html(&mut self, text: &str, range: &Range<usize>) -> Option<Inline> {
        let name: String = text[1..].chars().take_while(|it| it.is_alphanumeric()).collect();
        if text.starts_with("<!--") {
            return None;
        }
        if name.eq_ignore_ascii_case("br") {
            return Some(Inline::HardBreak);
        }
        if !name.is_empty() {
            let message = format!("`<{name}>` is shown on the site only");
            self.note(codes::RAW_HTML, range.clone(), message);
        }
        Some(Inline::Html(self.slice(range.clone()).to_string()))
    }

    fn link(
        &mut self,
        kind: LinkType,
        url: &str,
        title: &str,
        body: Vec<Inline>,
        range: Range<usize>,
        out: &mut Pieces<'a>,
    ) {
        let url = if kind == LinkType::Email { format!("mailto:{url}") } else { url.to_string() };
        let span = range.clone().into();
        let inline = match links::target(&self.source.file, &url) {
            Target::Reference(to) => Inline::Reference(Reference { to, body, span }),
            Target::Bare(to, label) => {
                let message = format!("`{label}` is a label, and a reference to it needs `#`");
                let help = format!("write `[…](#{label})`");
                self.warn(codes::REFERENCE, range.clone(), message, help);
                Inline::Reference(Reference { to, body, span })
            }
            Target::Citation(keys) if !keys.is_empty() => {
                // A key stands in the file as it is, unless the link is defined elsewhere.
                let raw = self.slice(range.clone());
                let place = |key: &str| match raw.rfind("cite:") {
                    Some(at) => {
                        raw[at..].find(key).map(|it| span.sub(at + it..at + it + key.len()))
                    }
                    None => None,
                };
                let key = |key: &String| {
                    let span = place(key).unwrap_or(span);
                    Spanned { value: key.clone(), span }
                };
                Inline::Citation { keys: keys.iter().map(key).collect(), body }
            }
            Target::Citation(_) | Target::Nothing => {
                self.error(codes::REFERENCE, range.clone(), "this link leads nowhere");
                out.extend(body.into_iter().map(|it| (Piece::Inline(it), range.clone())));
                return;
            }
            Target::Url(url) => Inline::Link { url, title: title.to_string(), body, span },
        };
        out.push((Piece::Inline(inline), range));
    }

    /// A picture in the text.
    pub(super) fn image(&mut self, url: &str, alt: String, range: &Range<usize>) -> Inline {
        if url.starts_with("snip:") {
            let message =
                "an output of a snippet can only be a figure, alone at the start of a paragraph";
            self.error(codes::FIGURE_SOURCE, range.clone(), message);
            return Inline::Text(alt);
        }
        match links::picture(&self.source.file, url) {
            Some(file) => Inline::Image { file, alt, span: range.clone().into() },
            None => {
                self.bad_picture(url, range);
                Inline::Text(alt)
            }
        }
    }

    /// Says that `url` is no file of the book.
    pub(super) fn bad_picture(&mut self, url: &str, range: &Range<usize>) {
        let message = if url.is_empty() {
            "a picture without a file".to_string()
        } else {
            format!("a picture is a file of the book, which this is not: <{url}>")
        };
        self.error(codes::IMAGE_PATH, range.clone(), message);
    }
}

/// Whether `tag` stands on lines of its own.
pub(super) fn is_block(tag: &Tag<'_>) -> bool {
    match tag {
        Tag::Emphasis
        | Tag::Strong
        | Tag::Strikethrough
        | Tag::Superscript
        | Tag::Subscript
        | Tag::Link { .. }
        | Tag::Image { .. } => false,
        Tag::Paragraph
        | Tag::Heading { .. }
        | Tag::BlockQuote(_)
        | Tag::CodeBlock(_)
        | Tag::HtmlBlock
        | Tag::List(_)
        | Tag::Item
        | Tag::FootnoteDefinition(_)
        | Tag::DefinitionList
        | Tag::DefinitionListTitle
        | Tag::DefinitionListDefinition
        | Tag::Table(_)
        | Tag::TableHead
        | Tag::TableRow
        | Tag::TableCell
        | Tag::MetadataBlock(_) => true,
    }
}

/// Appends an inline; text joins text.
pub(super) fn push(out: &mut Vec<Inline>, inline: Inline) {
    match (out.last_mut(), inline) {
        (Some(Inline::Text(before)), Inline::Text(text)) => before.push_str(&text),
        (_, Inline::Text(text)) if text.is_empty() => {}
        (_, inline) => out.push(inline),
    }
}

/// Takes white space from both ends.
pub(super) fn trim(list: &mut Vec<Inline>) {
    let is_break = |it: &Inline| matches!(it, Inline::SoftBreak | Inline::HardBreak);
    loop {
        match list.first_mut() {
            Some(Inline::Text(text)) if text.starts_with([' ', '\t']) => {
                *text = text.trim_start_matches([' ', '\t']).to_string();
            }
            Some(Inline::Text(text)) if text.is_empty() => drop(list.remove(0)),
            Some(first) if is_break(first) => drop(list.remove(0)),
            Some(_) | None => break,
        }
    }
    loop {
        match list.last_mut() {
            Some(Inline::Text(text)) if text.ends_with([' ', '\t']) => {
                *text = text.trim_end_matches([' ', '\t']).to_string();
            }
            Some(Inline::Text(text)) if text.is_empty() => drop(list.pop()),
            Some(last) if is_break(last) => drop(list.pop()),
            Some(_) | None => break,
        }
    }
}
