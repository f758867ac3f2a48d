//! Chapters to what is noticed about their prose: words to avoid, length, spelling, alternative
//! texts.
//!
//! Nothing is looked at unless `book.toml` asks for it. What is looked at is the document, so that
//! code, formulas and front matter are never taken for words; the source only says where a word
//! stands.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use crate::diag::{Checked, Diagnostic};
use crate::ir::{BlockKind, Book, Document, Inline, Node, Passage, Prose, Spelling};
use crate::source::{Source, Span};

mod avoid;
mod codes;
mod dictionary;
mod line;
mod list;
mod spelling;
mod token;

pub use codes::CODES;
pub use list::{Known, known, unused};

use line::Line;

/// The file with the words of the book that no dictionary has.
pub const WORDS: &str = "words.txt";

/// All that is looked at in one chapter.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Chapter<'a> {
    /// Its text, for the places of words.
    pub source: &'a Source,
    /// Its tree.
    pub document: &'a Document,
    /// What is asked for.
    pub prose: &'a Prose,
    /// How many words it should have.
    pub words: Option<&'a RangeInclusive<u32>>,
    /// The words of the book that no dictionary has.
    pub known: &'a Known,
}

impl<'a> Chapter<'a> {
    /// The chapter `document` of `book`.
    ///
    /// The number of words is of chapters of the course, or of numbered chapters if the book has no
    /// course; front matter may give another one than `book.toml`.
    pub fn new(
        book: &'a Book,
        source: &'a Source,
        document: &'a Document,
        known: &'a Known,
    ) -> Self {
        let prose = &book.settings.prose;
        let is_counted = match &book.course {
            Some(course) => course.modules.iter().any(|it| it.id == document.file.name()),
            None => book.is_numbered(&document.file),
        };
        let own = document.front.words.as_ref();
        let words = prose.words.as_ref().filter(|_| is_counted).map(|it| own.unwrap_or(it));
        Self { source, document, prose, words, known }
    }
}

/// Looks at one chapter. The value is the words of the book's own list that it uses.
pub fn chapter(chapter: &Chapter<'_>) -> Checked<BTreeSet<String>> {
    let mut out = Vec::new();
    let mut used = BTreeSet::new();
    length(chapter, &mut out);
    if chapter.prose.alternatives {
        alternatives(chapter, &mut out);
    }
    if chapter.prose.spelling.is_some() || !chapter.prose.avoid.is_empty() {
        let lines = lines(chapter);
        let phrases: Vec<_> = chapter.prose.avoid.iter().map(|it| avoid::Phrase::new(it)).collect();
        for line in &lines {
            for (phrase, span) in avoid::found(line, &phrases) {
                out.push(avoided(chapter.source, phrase, span));
            }
        }
        match chapter.prose.spelling {
            Some(Spelling::American) => {
                used = spelling::check(chapter, &lines).take(&mut out);
            }
            None => {}
        }
    }
    out.sort_by_key(|it| (it.place.span, it.code));
    Checked { value: used, diagnostics: out }
}

/// The passages that are the author's own, each with its place in the source.
fn lines(chapter: &Chapter<'_>) -> Vec<Line> {
    let mut out = Vec::new();
    let mut before: Option<(Span, usize)> = None;
    for passage in chapter.document.passages() {
        // What is in one part of the source stands there in the order in which it is read.
        let from = before.filter(|it| it.0 == passage.span).map(|it| it.1);
        let line = Line::new(&chapter.source.text, &passage, from);
        before = Some((passage.span, line.end));
        let Passage { quoted, .. } = passage;
        if !quoted {
            out.push(line);
        }
    }
    out
}

fn avoided(source: &Source, phrase: &str, span: Span) -> Diagnostic {
    let message = format!("`{phrase}` is a word that this book avoids");
    let help = "say it without; `book.toml` lists such words under `[prose]`";
    Diagnostic::warning(codes::AVOIDED, source.place(span), message).help(help)
}

fn length(chapter: &Chapter<'_>, out: &mut Vec<Diagnostic>) {
    let Some(range) = chapter.words else { return };
    let count = u32::try_from(chapter.document.running_words()).unwrap_or(u32::MAX);
    if range.contains(&count) {
        return;
    }
    let (least, most) = range.clone().into_inner();
    let what = if count < least { "few" } else { "many" };
    let plural = if count == 1 { "" } else { "s" };
    let message = format!(
        "the chapter has {count} word{plural} of running text, too {what} for a range of {least} to \
         {most}"
    );
    let help = match chapter.document.front.words {
        Some(_) => "the range is of its front matter; change it there, or the text",
        None => "`words = […, …]` in its front matter gives it a range of its own",
    };
    let place = chapter.source.place(chapter.document.title_span);
    out.push(Diagnostic::warning(codes::LENGTH, place, message).help(help));
}

/// Says which figures and pictures have no alternative text.
fn alternatives(chapter: &Chapter<'_>, out: &mut Vec<Diagnostic>) {
    for node in chapter.document.nodes() {
        let (alt, span, what) = match node {
            Node::Inline(Inline::Image { alt, span, .. }) => (alt, *span, "picture"),
            Node::Inline(_) => continue,
            Node::Block(block) => match &block.kind {
                BlockKind::Figure(it) => (&it.alt, it.source.span(), "figure"),
                BlockKind::Heading(_)
                | BlockKind::Paragraph(_)
                | BlockKind::Display(_)
                | BlockKind::Environment(_)
                | BlockKind::Code(_)
                | BlockKind::Snippet(_)
                | BlockKind::Table(_)
                | BlockKind::List(_)
                | BlockKind::Quote(_)
                | BlockKind::Rule
                | BlockKind::Html(_) => continue,
            },
        };
        if alt.trim().is_empty() {
            let message = format!("this {what} has no alternative text");
            let help = "say in the brackets what it shows: `![…](…)`";
            let place = chapter.source.place(span);
            out.push(Diagnostic::warning(codes::ALTERNATIVE, place, message).help(help));
        }
    }
}
