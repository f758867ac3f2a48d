//! A document to the passages of text that its author wrote, in reading order.
//!
//! What is counted, looked up and searched in prose is the same everywhere, because it starts here.

use super::{Block, BlockKind, Display, Document, Figure, FigureSource, Inline, Reference, Table};
use crate::source::Span;

/// Stands in the text of a passage for what is no word: code, a formula, a value, a picture.
pub const OBJECT: char = '\u{fffc}';

/// A run of words that belong together: a paragraph, a heading, a caption.
#[derive(Clone, Copy, Debug)]
pub struct Passage<'a> {
    /// What it is.
    pub kind: PassageKind,
    /// Whether it stands in a block quote, and so may be somebody else's words.
    pub quoted: bool,
    /// Whether it stands in an exercise, a hint or a solution.
    pub exercise: bool,
    /// The part of the file that it is in.
    pub span: Span,
    /// What stands before it in that part, as `title=`; empty if nothing needs to.
    pub after: &'static str,
    /// Its words.
    pub body: Body<'a>,
}

/// What a passage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PassageKind {
    /// The title of the chapter.
    Title,
    /// The summary in its front matter.
    Summary,
    /// A heading, or the title of an environment.
    Heading,
    /// A paragraph, also one of a list, an environment or a footnote.
    Paragraph,
    /// The caption of a figure, a table or a snippet.
    Caption,
    /// A cell of a table.
    Cell,
    /// The name of a formula, or the conditions under which it holds.
    Formula,
    /// The alternative text of a figure or picture.
    Alternative,
}

/// The words of a passage.
#[derive(Clone, Copy, Debug)]
pub enum Body<'a> {
    /// Running text.
    Inlines(&'a [Inline]),
    /// Text without any form.
    Plain(&'a str),
}

/// A part of a passage.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// Words.
    Text(&'a str),
    /// A line end.
    Space,
    /// Code, as it is shown.
    Code(&'a str),
    /// Raw HTML, which separates nothing.
    Html(&'a str),
    /// A formula, a value, a picture, an address, or a reference without words of its own.
    Object(Span),
    /// A link begins or ends at this byte.
    Edge(u32),
}

impl Document {
    /// Every passage of the chapter in reading order, title first, footnotes last.
    pub fn passages(&self) -> Vec<Passage<'_>> {
        let mut found = Found { quoted: false, exercise: false, out: Vec::new() };
        found.add(PassageKind::Title, self.title_span, "", &self.title);
        found.add(PassageKind::Summary, self.front.span, "summary", &self.front.summary);
        found.blocks(&self.blocks);
        for note in &self.footnotes {
            found.blocks(&note.blocks);
        }
        found.out
    }

    /// How many words there are to read in the chapter.
    ///
    /// They are those of the title, headings, paragraphs, lists, environments, captions, tables and
    /// footnotes. A word has no white space in it and at least one letter or digit; in a cell of a
    /// table it has a letter. Front matter, formulas with their names, code, computed values and
    /// alternative texts are not counted, nor are references without words of their own.
    pub fn words(&self) -> usize {
        self.passages().iter().map(Passage::words).sum()
    }

    /// How many of [`Document::words`] are running text: paragraphs and lists outside of exercises,
    /// hints and solutions.
    pub fn running_words(&self) -> usize {
        let runs = |it: &&Passage<'_>| it.kind == PassageKind::Paragraph && !it.exercise;
        self.passages().iter().filter(runs).map(Passage::words).sum()
    }
}

impl Passage<'_> {
    fn words(&self) -> usize {
        let is_word: fn(char) -> bool = match self.kind {
            PassageKind::Title
            | PassageKind::Heading
            | PassageKind::Paragraph
            | PassageKind::Caption => char::is_alphanumeric,
            PassageKind::Cell => char::is_alphabetic,
            PassageKind::Summary | PassageKind::Formula | PassageKind::Alternative => return 0,
        };
        self.text().split_whitespace().filter(|it| it.contains(is_word)).count()
    }
}

impl<'a> Passage<'a> {
    /// Its parts in order.
    pub fn pieces(&self) -> Vec<Piece<'a>> {
        let mut out = Vec::new();
        match self.body {
            Body::Inlines(list) => pieces(list, &mut out),
            Body::Plain(text) => out.push(Piece::Text(text)),
        }
        out
    }

    /// Its words, joined across emphasis and the like, with [`OBJECT`] for what is no word.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for piece in self.pieces() {
            piece.append(&mut out);
        }
        out
    }
}

impl Piece<'_> {
    /// Appends what it is in the text of its passage.
    pub fn append(&self, out: &mut String) {
        match self {
            Self::Text(text) => out.push_str(text),
            Self::Space => out.push(' '),
            Self::Code(_) | Self::Object(_) => out.push(OBJECT),
            Self::Html(_) | Self::Edge(_) => {}
        }
    }
}

fn pieces<'a>(list: &'a [Inline], out: &mut Vec<Piece<'a>>) {
    for inline in list {
        match inline {
            Inline::Text(text) => out.push(Piece::Text(text)),
            Inline::Emphasis(it) | Inline::Strong(it) | Inline::Strike(it) => pieces(it, out),
            Inline::Code(text) => out.push(Piece::Code(text)),
            Inline::Html(text) => out.push(Piece::Html(text)),
            Inline::Math(it) => out.push(Piece::Object(it.span)),
            Inline::Value(it) => out.push(Piece::Object(it.path.span)),
            Inline::Image { span, .. } => out.push(Piece::Object(*span)),
            Inline::Link { url, body, span, .. } => match &body[..] {
                // An address that is shown as it is.
                [Inline::Text(text)] if url.ends_with(text) => out.push(Piece::Object(*span)),
                _ => within(body, *span, out),
            },
            Inline::Reference(Reference { body, span, .. }) => within(body, *span, out),
            Inline::Citation { keys, body } => {
                let spans = keys.iter().map(|it| it.span);
                let end = spans.max_by_key(|it| it.end).unwrap_or(Span::NONE);
                if body.is_empty() {
                    out.push(Piece::Object(end));
                } else {
                    pieces(body, out);
                    out.push(Piece::Edge(end.end));
                }
            }
            Inline::Footnote(_) => {}
            Inline::SoftBreak | Inline::HardBreak => out.push(Piece::Space),
        }
    }
}

fn within<'a>(body: &'a [Inline], span: Span, out: &mut Vec<Piece<'a>>) {
    if body.is_empty() {
        out.push(Piece::Object(span));
        return;
    }
    out.push(Piece::Edge(span.start));
    pieces(body, out);
    out.push(Piece::Edge(span.end));
}

struct Found<'a> {
    quoted: bool,
    exercise: bool,
    out: Vec<Passage<'a>>,
}

impl<'a> Found<'a> {
    fn add(&mut self, kind: PassageKind, span: Span, after: &'static str, list: &'a [Inline]) {
        if !list.is_empty() {
            self.push(kind, span, after, Body::Inlines(list));
        }
        let mut nodes = Vec::new();
        super::inlines(list, &mut nodes);
        for node in nodes {
            let super::Node::Inline(Inline::Image { alt, span, .. }) = node else { continue };
            self.alternative(alt, *span);
        }
    }

    fn alternative(&mut self, alt: &'a str, span: Span) {
        if !alt.is_empty() {
            self.push(PassageKind::Alternative, span, "![", Body::Plain(alt));
        }
    }

    fn push(&mut self, kind: PassageKind, span: Span, after: &'static str, body: Body<'a>) {
        let Self { quoted, exercise, .. } = *self;
        self.out.push(Passage { kind, quoted, exercise, span, after, body });
    }

    fn blocks(&mut self, list: &'a [Block]) {
        for block in list {
            self.block(block);
        }
    }

    fn block(&mut self, block: &'a Block) {
        let span = block.span;
        match &block.kind {
            BlockKind::Heading(it) => self.add(PassageKind::Heading, span, "", &it.body),
            BlockKind::Paragraph(it) => self.add(PassageKind::Paragraph, span, "", it),
            BlockKind::Display(it) => {
                let Display { name, conditions, .. } = &**it;
                self.add(PassageKind::Formula, span, "name=", name);
                self.add(PassageKind::Formula, span, "if=", conditions);
            }
            BlockKind::Environment(it) => {
                use super::EnvironmentKind::{Exercise, Hint, Solution};
                let before = self.exercise;
                self.exercise |= matches!(it.kind, Exercise | Hint | Solution);
                self.add(PassageKind::Heading, span, "]", &it.title);
                self.blocks(&it.blocks);
                self.exercise = before;
            }
            BlockKind::Snippet(it) => self.add(PassageKind::Caption, span, "title=", &it.title),
            BlockKind::Figure(it) => self.figure(it, span),
            BlockKind::Table(it) => self.table(it, span),
            BlockKind::List(it) => it.items.iter().for_each(|it| self.blocks(&it.blocks)),
            BlockKind::Quote(it) => {
                let before = std::mem::replace(&mut self.quoted, true);
                self.blocks(it);
                self.quoted = before;
            }
            BlockKind::Code(_) | BlockKind::Rule | BlockKind::Html(_) => {}
        }
    }

    fn figure(&mut self, figure: &'a Figure, span: Span) {
        let image = figure.source.span();
        self.alternative(&figure.alt, image);
        let rest = Span { start: image.end, ..span };
        self.add(PassageKind::Caption, rest, "", &figure.caption);
    }

    fn table(&mut self, table: &'a Table, span: Span) {
        for cell in table.head.iter().chain(table.rows.iter().flatten()) {
            self.add(PassageKind::Cell, span, "", cell);
        }
        self.add(PassageKind::Caption, span, "", &table.caption);
    }
}

impl FigureSource {
    /// Where the picture is mentioned.
    pub fn span(&self) -> Span {
        match self {
            Self::File(_, span) => *span,
            Self::Output(path) => path.span,
        }
    }
}
