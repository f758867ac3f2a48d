//! The book as a tree, independent of any output format.
//!
//! A document is never changed after `parse`. Numbers, addresses and outputs are facts that live
//! beside it, in [`crate::link::Links`] and [`crate::eval::Outputs`].

use std::borrow::Borrow;
use std::fmt;
use std::ops::RangeInclusive;

use crate::math::Formula;
use crate::source::{FileId, Span};
use crate::value::{Format, Step};

mod book;
mod detach;
mod dump;
mod passages;
mod walk;

pub use book::{
    Book, ChapterEntry, Course, Entry, Module, Numbering, PAGES, Planned, Prose, Settings,
    Spelling, Symbol, Tolerance,
};
pub use detach::{detached, formula as detached_formula};
pub use passages::{Body, OBJECT, Passage, PassageKind, Piece};
pub use walk::{Node, blocks, inlines, plain};

/// What an author calls a thing: `eq:attention`, `thm:euclid`. Unique in the whole book.
///
/// The part before the colon is a habit, not a type: what a label is follows from where it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub String);

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for Label {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// A thing and where the author wrote it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spanned<T> {
    /// The thing.
    pub value: T,
    /// Where it is written.
    pub span: Span,
}

/// One chapter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Document {
    /// The file it was parsed from. Its page has the file's stem as address.
    pub file: FileId,
    /// What stands before the text.
    pub front: Front,
    /// The title, from the first level-1 heading or else from the front matter.
    pub title: Vec<Inline>,
    /// Where the title is; empty if it was made of the name of the file.
    pub title_span: Span,
    /// Labels of the chapter itself: those on its title. The first is the main one, the rest are
    /// aliases. `ch:stem` always works too.
    pub labels: Vec<Spanned<Label>>,
    /// The blocks in reading order, without the title.
    pub blocks: Vec<Block>,
    /// The footnotes in order of their first mention.
    pub footnotes: Vec<Footnote>,
}

/// Front matter of a chapter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Front {
    /// One or two sentences.
    pub summary: Vec<Inline>,
    /// Chapters to read first: stems or labels.
    pub prerequisites: Vec<Spanned<Label>>,
    /// Topic of the outline → the label that covers it, as written.
    pub topics: Vec<(Spanned<String>, Spanned<Label>)>,
    /// How many words of running text the chapter should have, if not as many as others.
    pub words: Option<RangeInclusive<u32>>,
    /// Where the front matter is; empty if there is none.
    pub span: Span,
}

/// A footnote.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Footnote {
    /// Its name in the source.
    pub name: String,
    /// Its text.
    pub blocks: Vec<Block>,
    /// Where it is defined.
    pub span: Span,
}

/// A part of a chapter that stands on lines of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Where it is in the file.
    pub span: Span,
    /// What it is.
    pub kind: BlockKind,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// A heading of level 2 to 6.
    Heading(Heading),
    /// Running text.
    Paragraph(Vec<Inline>),
    /// A displayed formula.
    Display(Box<Display>),
    /// A theorem, definition, proof, exercise, pitfall and so on.
    Environment(Box<Environment>),
    /// Code that is only shown.
    Code(Code),
    /// Code that runs at build time.
    Snippet(Box<Snippet>),
    /// The output of a snippet shown at this place: a link to a snippet alone in its paragraph
    /// with an exclamation mark, `![caption](snip:m05-s01.Y)`, or a figure or picture file.
    Figure(Box<Figure>),
    /// A table.
    Table(Box<Table>),
    /// A list.
    List(List),
    /// A quotation.
    Quote(Vec<Block>),
    /// A thematic break.
    Rule,
    /// Raw HTML, for the site alone.
    Html(String),
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heading {
    /// 2 to 6.
    pub level: u8,
    /// The words.
    pub body: Vec<Inline>,
    /// Labels the author gave it, first the main one, then aliases.
    pub labels: Vec<Spanned<Label>>,
    /// The anchor on its page, made of the words or of the first label; unique on the page.
    pub anchor: String,
    /// Whether it has a number (`{.unnumbered}` takes it away).
    pub numbered: bool,
}

/// A displayed formula. It is numbered if and only if it has a label (or a line of it has).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Display {
    /// The TeX.
    pub formula: Formula,
    /// Its label, then aliases.
    pub labels: Vec<Spanned<Label>>,
    /// Labels of single lines of an alignment.
    pub lines: Vec<LineLabel>,
    /// What mathematicians call it; a formula with a name is in the formula index.
    pub name: Vec<Inline>,
    /// Entries of the notation table that it uses, in the order of its "where" list.
    pub symbols: Vec<Spanned<String>>,
    /// Formulas that it rests on.
    pub deps: Vec<Spanned<Label>>,
    /// Where it is from: keys of the bibliography.
    pub source: Vec<Spanned<String>>,
    /// The snippet that computes it.
    pub snippet: Vec<Spanned<Label>>,
    /// When it holds.
    pub conditions: Vec<Inline>,
}

/// A label of one line of a displayed formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineLabel {
    /// The label.
    pub label: Label,
    /// The line, from 0.
    pub row: usize,
    /// Where `\label{…}` is.
    pub span: Span,
}

/// A callout: `> [!theorem] Title {#thm:x}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Environment {
    /// Which.
    pub kind: EnvironmentKind,
    /// Its title; may be empty.
    pub title: Vec<Inline>,
    /// Its label, then aliases.
    pub labels: Vec<Spanned<Label>>,
    /// Whether a reader opens it first (`[!solution]-`).
    pub folded: bool,
    /// What a proof or solution belongs to: `{of="thm:x"}`, else the environment before it.
    pub of: Option<Spanned<Label>>,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

/// Kinds of environments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum EnvironmentKind {
    Theorem,
    Lemma,
    Proposition,
    Corollary,
    Definition,
    Example,
    Exercise,
    Remark,
    Proof,
    Solution,
    Hint,
    Pitfall,
    Recall,
    Note,
    Tip,
    Warning,
    /// A box of the author's own title, as `[!card] In one line`.
    Card,
}

impl EnvironmentKind {
    /// Every kind with the word an author writes, sorted by the word.
    pub const ALL: &[(&str, Self)] = &[
        ("card", Self::Card),
        ("corollary", Self::Corollary),
        ("definition", Self::Definition),
        ("example", Self::Example),
        ("exercise", Self::Exercise),
        ("hint", Self::Hint),
        ("lemma", Self::Lemma),
        ("note", Self::Note),
        ("pitfall", Self::Pitfall),
        ("proof", Self::Proof),
        ("proposition", Self::Proposition),
        ("recall", Self::Recall),
        ("remark", Self::Remark),
        ("solution", Self::Solution),
        ("theorem", Self::Theorem),
        ("tip", Self::Tip),
        ("warning", Self::Warning),
    ];

    /// The kind that an author calls `word`, upper or lower case.
    pub fn named(word: &str) -> Option<Self> {
        let word = word.to_lowercase();
        let index = Self::ALL.binary_search_by_key(&&word[..], |it| it.0).ok()?;
        Some(Self::ALL[index].1)
    }

    /// The word an author writes.
    pub fn word(self) -> &'static str {
        let found = Self::ALL.iter().find(|it| it.1 == self);
        found.expect("`ALL` has every kind").0
    }

    /// Whether it has a number: one run of numbers a chapter for all theorem-like kinds, one for
    /// exercises.
    pub fn is_numbered(self) -> bool {
        match self {
            Self::Theorem
            | Self::Lemma
            | Self::Proposition
            | Self::Corollary
            | Self::Definition
            | Self::Example
            | Self::Remark
            | Self::Exercise => true,
            Self::Proof
            | Self::Solution
            | Self::Hint
            | Self::Pitfall
            | Self::Recall
            | Self::Note
            | Self::Tip
            | Self::Warning
            | Self::Card => false,
        }
    }
}

/// Code that is only shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The language; empty for plain text.
    pub language: String,
    /// The code.
    pub text: String,
    /// Its label.
    pub labels: Vec<Spanned<Label>>,
}

/// Code that runs at build time, or gives items to later snippets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snippet {
    /// Its name without `snip:`: `m05-s01`. Its label is `snip:` and this.
    pub id: String,
    /// Where the label is written; the whole fence line if it has none.
    pub id_span: Span,
    /// What becomes of it.
    pub mode: SnippetMode,
    /// `hide`: the code is not shown, only the output.
    pub hide: bool,
    /// `fold`: the code is folded.
    pub fold: bool,
    /// `should_panic`: it must fail.
    pub should_panic: bool,
    /// `opt=1`: it is compiled with light optimization, because it computes a lot.
    pub optimized: bool,
    /// `title="…"`: what it shows; its caption.
    pub title: Vec<Inline>,
    /// The lines between the fences, as they stand in the file.
    pub lines: Vec<SnippetLine>,
    /// Line of the opening fence in the file, from 1.
    pub first_line: u32,
}

/// One line of a snippet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SnippetLine {
    /// The text without container prefix (quote or list indent), the hiding `# ` and line end.
    pub text: String,
    /// Whether a reader does not see it (`# ` before it).
    pub hidden: bool,
    /// Column in the file of its first character, from 1.
    pub column: u32,
    /// Byte of the file where `text` starts.
    pub at: u32,
}

/// What becomes of a snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SnippetMode {
    /// It runs in a process of its own.
    Run,
    /// Its items are a part of its chapter's module, which later snippets import.
    Lib,
}

/// A picture, or outputs of a snippet, with a caption.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Figure {
    /// What it shows, for those who do not see it.
    pub alt: String,
    /// Where the picture is from.
    pub source: FigureSource,
    /// The caption; may be empty.
    pub caption: Vec<Inline>,
    /// Its label, then aliases. A figure without a label has no number.
    pub labels: Vec<Spanned<Label>>,
}

/// Where a picture is from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FigureSource {
    /// A file, as a path below the book folder, with the place of its mention.
    File(FileId, Span),
    /// An output of a snippet: `snip:m05-s01.curve`.
    Output(ValuePath),
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// One for each column.
    pub alignments: Vec<Alignment>,
    /// The head row.
    pub head: Vec<Vec<Inline>>,
    /// The rows; every row has as many cells as the head.
    pub rows: Vec<Vec<Vec<Inline>>>,
    /// The caption; may be empty.
    pub caption: Vec<Inline>,
    /// Its label, then aliases. A table without a label has no number.
    pub labels: Vec<Spanned<Label>>,
}

/// Alignment of a table's column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Alignment {
    Default,
    Left,
    Center,
    Right,
}

/// A list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct List {
    /// The first number of an ordered list.
    pub start: Option<u64>,
    /// Whether there are no blank lines between the items.
    pub tight: bool,
    /// The items.
    pub items: Vec<Item>,
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// Whether a box stands before it, and is ticked.
    pub task: Option<bool>,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

/// A part of running text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Inline {
    /// Plain text. Never empty, never beside another text.
    Text(String),
    /// Emphasis.
    Emphasis(Vec<Inline>),
    /// Strong emphasis.
    Strong(Vec<Inline>),
    /// Struck out.
    Strike(Vec<Inline>),
    /// Code.
    Code(String),
    /// A formula.
    Math(Formula),
    /// A computed value.
    Value(ValueUse),
    /// A link out of the book, or to a file that the site carries.
    Link {
        /// The address as written: a URL, never a path with backslashes.
        url: String,
        /// Its title.
        title: String,
        /// What is clicked.
        body: Vec<Inline>,
        /// Where it is.
        span: Span,
    },
    /// A reference into the book.
    Reference(Reference),
    /// One or more works of the bibliography, in one pair of brackets.
    Citation {
        /// The keys.
        keys: Vec<Spanned<String>>,
        /// Words of the author instead of the usual form; may be empty.
        body: Vec<Inline>,
    },
    /// A picture in the text.
    Image {
        /// Where it is.
        file: FileId,
        /// What it shows.
        alt: String,
        /// Where it is mentioned.
        span: Span,
    },
    /// A footnote mark: index into the document's footnotes.
    Footnote(usize),
    /// A line end in the source.
    SoftBreak,
    /// A line end that the author wants.
    HardBreak,
    /// Raw HTML, for the site alone.
    Html(String),
}

/// A reference into the book.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// What is meant.
    pub to: Destination,
    /// The author's words; empty for "Equation 8.3".
    pub body: Vec<Inline>,
    /// Where it is.
    pub span: Span,
}

/// What a reference means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Destination {
    /// `#eq:attention`: a label anywhere in the book, or else an anchor of this page.
    Label(Label),
    /// `other.md` or `other.md#anchor`.
    Page {
        /// The file.
        file: FileId,
        /// The anchor or label on it.
        anchor: Option<String>,
    },
}

/// An output of a snippet, or a part of it: `m05-s01.Y[0][1]`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValuePath {
    /// The snippet.
    pub snippet: String,
    /// The key given to `show!`; empty for all outputs of the snippet.
    pub key: String,
    /// The way into the value.
    pub steps: Vec<Step>,
    /// Where it is written.
    pub span: Span,
}

/// A computed value in the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueUse {
    /// Which.
    pub path: ValuePath,
    /// How it is written.
    pub format: Format,
}
