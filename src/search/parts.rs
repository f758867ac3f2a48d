//! A chapter, or the notation table, to what can be found in it.

use std::collections::BTreeMap;

use super::draw::Draw;
use super::tables::Tables;
use super::{Chapter, Entry, Kind, Notation, Part, tex, words};
use crate::eval::Outputs;
use crate::html::Html;
use crate::ir::{
    Block, BlockKind, Body, Display, Document, Environment, Heading, Inline, Passage, PassageKind,
    Piece, Symbol,
};
use crate::link::{Links, Target, TargetKind, environment_word};
use crate::source::Span;

/// How many times a term of a title counts.
const TITLE: u32 = 5;

/// Sections of this level and above are entries; what is deeper is text of theirs.
const LEVEL: u8 = 3;

/// The entries of one chapter in reading order: of each section its own first.
pub(super) fn chapter(chapter: &Chapter<'_>) -> Part {
    let Chapter { engine, language, document, outputs, links } = *chapter;
    let draw = Draw { engine, outputs, links };
    let tables = Tables::new(language, engine.macros());
    let mut finder =
        Finder { draw, tables, document, passages: document.passages(), out: Vec::new() };
    finder.chapter();
    Part(finder.out)
}

/// The entries of the notation table.
pub(super) fn notation(notation: &Notation<'_>) -> Part {
    let Notation { engine, language, symbols } = *notation;
    let (outputs, links) = (Outputs::new(), Links::default());
    let draw = Draw { engine, outputs: &outputs, links: &links };
    let tables = Tables::new(language, engine.macros());
    Part(symbols.iter().map(|it| symbol(it, draw, &tables)).collect())
}

fn symbol(symbol: &Symbol, draw: Draw<'_>, tables: &Tables) -> Entry {
    let anchor = format!("sym:{}", symbol.key);
    let target = Target { page: "symbols.html".into(), anchor, ..Target::default() };
    let mut entry = Entry {
        kind: Kind::Symbol,
        address: target.address(),
        title: draw.html(&symbol.meaning),
        drawn: draw.formula(&symbol.tex, BTreeMap::new()),
        text: draw.line(&symbol.shape),
        ..Entry::default()
    };
    entry.titled(&indexed(&symbol.meaning), tables);
    entry.body(&indexed(&symbol.shape), tables);
    entry.formula(&symbol.tex.tex, tables);
    // A symbol of one sign is found by the sign first.
    if let [only] = &tex::tokens(&symbol.tex.tex, tables)[..]
        && let Some(term) = entry.terms.get_mut(&format!("\\{only}"))
    {
        *term = (TITLE, true);
    }
    entry
}

struct Finder<'a> {
    draw: Draw<'a>,
    tables: Tables,
    document: &'a Document,
    passages: Vec<Passage<'a>>,
    out: Vec<Entry>,
}

impl<'a> Finder<'a> {
    fn chapter(&mut self) {
        let (document, links) = (self.document, self.draw.links);
        let is_section = |it: &&'a Block| section(it).is_some();
        let starts: Vec<&'a Block> = document.blocks.iter().filter(is_section).collect();
        let title = self.draw.html(&document.title);
        let number = links.number.clone().unwrap_or_default();
        let chapter = Target { page: links.page.clone(), ..Target::default() };
        let mut entry = Entry {
            kind: Kind::Chapter,
            address: chapter.address(),
            title: title.clone(),
            crumbs: if links.part.is_empty() { vec![] } else { vec![self.draw.html(&links.part)] },
            number: numbered(TargetKind::Chapter, &number),
            ..Entry::default()
        };
        entry.titled(&indexed(&document.title), &self.tables);
        entry.term(&number);
        let first = starts.first().map_or(u32::MAX, |it| it.span.start);
        let crumb = match &number[..] {
            "" => title,
            number => {
                let mut crumb = Html::new();
                crumb.text(number).text(" ").html(&title);
                crumb
            }
        };
        let mut crumbs = vec![crumb];
        self.section(entry, 0..first, &crumbs);
        for (index, block) in starts.iter().enumerate() {
            let Some(heading) = section(block) else { continue };
            let end = starts.get(index + 1).map_or(u32::MAX, |it| it.span.start);
            crumbs.truncate(usize::from(heading.level - 1).min(crumbs.len()));
            let entry = self.of_heading(heading, &crumbs);
            let title = entry.title.clone();
            self.section(entry, block.span.start..end, &crumbs);
            crumbs.push(title);
        }
    }

    fn of_heading(&self, heading: &Heading, crumbs: &[Html]) -> Entry {
        let links = self.draw.links;
        let number = links.headings.get(&heading.anchor).cloned().unwrap_or_default();
        let target = Target {
            page: links.page.clone(),
            anchor: heading.anchor.clone(),
            ..Target::default()
        };
        let mut entry = Entry {
            kind: Kind::Section,
            address: target.address(),
            title: self.draw.html(&heading.body),
            crumbs: crumbs.to_vec(),
            number: numbered(TargetKind::Section, &number),
            ..Entry::default()
        };
        entry.titled(&indexed(&heading.body), &self.tables);
        entry.term(&number);
        entry
    }

    /// Adds the section that covers these bytes of the file, and what it has that can be found by
    /// itself.
    fn section(&mut self, mut entry: Entry, bytes: std::ops::Range<u32>, crumbs: &[Html]) {
        let title = |it: &Passage<'_>| {
            it.kind == PassageKind::Title
                || it.kind == PassageKind::Heading
                    && it.span.start == bytes.start
                    && bytes.start > 0
        };
        let within = |it: Span| bytes.contains(&it.start);
        let passages: Vec<_> =
            self.passages.iter().filter(|it| within(it.span) && !title(it)).copied().collect();
        self.fill(&mut entry, &passages);
        let document = self.document;
        let blocks: Vec<&'a Block> = document.all_blocks().filter(|it| within(it.span)).collect();
        for block in &blocks {
            // A formula with a label is found by itself.
            if let BlockKind::Display(it) = &block.kind
                && it.labels.is_empty()
            {
                entry.formulas.push(tex::tokens(&it.formula.tex, &self.tables).join(" "));
            }
        }
        let mut inside = crumbs.to_vec();
        if entry.kind == Kind::Section {
            inside.push(entry.title.clone());
        }
        self.out.push(entry);
        for block in blocks {
            let found = match &block.kind {
                BlockKind::Display(it) => self.display(it, &inside),
                BlockKind::Environment(it) => self.environment(it, block.span, &inside),
                _ => None,
            };
            self.out.extend(found);
        }
    }

    fn display(&self, display: &Display, crumbs: &[Html]) -> Option<Entry> {
        let label = &display.labels.first()?.value.0;
        let target = self.draw.links.target(label)?;
        let tag = |it: &crate::ir::LineLabel| {
            let number = &self.draw.links.target(&it.label.0)?.number;
            Some((it.row, number.clone())).filter(|it| !it.1.is_empty())
        };
        let tags: BTreeMap<usize, String> = display.lines.iter().filter_map(tag).collect();
        let mut entry = Entry {
            kind: Kind::Formula,
            address: target.address(),
            title: self.draw.html(&display.name),
            crumbs: crumbs.to_vec(),
            number: numbered(TargetKind::Equation, &target.number),
            text: self.draw.line(&display.conditions),
            drawn: self.draw.formula(&display.formula, tags.clone()),
            ..Entry::default()
        };
        entry.titled(&indexed(&display.name), &self.tables);
        entry.body(&indexed(&display.conditions), &self.tables);
        for number in tags.values().chain([&target.number]) {
            entry.term(number);
        }
        entry.formula(&display.formula.tex, &self.tables);
        Some(entry)
    }

    fn environment(&self, it: &Environment, span: Span, crumbs: &[Html]) -> Option<Entry> {
        let label = &it.labels.first()?.value.0;
        let target = self.draw.links.target(label)?;
        if it.title.is_empty() {
            return None;
        }
        let mut entry = Entry {
            kind: Kind::Environment,
            address: target.address(),
            title: self.draw.html(&it.title),
            crumbs: crumbs.to_vec(),
            number: numbered(TargetKind::Environment(it.kind), &target.number),
            ..Entry::default()
        };
        entry.titled(&indexed(&it.title), &self.tables);
        entry.body(environment_word(it.kind), &self.tables);
        entry.term(&target.number);
        // The text is found by the section.
        let is_in = |it: &&Passage<'_>| {
            it.span.start > span.start
                && it.span.start < span.end
                && it.kind != PassageKind::Formula
        };
        let first = self.passages.iter().find(is_in);
        entry.text = first.map(|it| self.shown(it)).unwrap_or_default();
        Some(entry)
    }

    /// Gives an entry the text and the terms of passages.
    fn fill(&self, entry: &mut Entry, passages: &[Passage<'a>]) {
        let mut text = String::new();
        let mut found = String::new();
        for passage in passages {
            let shown = self.shown(passage);
            if passage.kind != PassageKind::Alternative && !shown.is_empty() {
                let ended = text.ends_with(['.', '?', '!', ':', ';', '…', '。']);
                text.push_str(match text.is_empty() {
                    true => "",
                    false if ended => " ",
                    false => " · ",
                });
                text.push_str(&shown);
            }
            for piece in passage.pieces() {
                match piece {
                    Piece::Code(it) => found.push_str(it),
                    other => other.append(&mut found),
                }
            }
            found.push('\n');
        }
        entry.text = text;
        entry.body(&found, &self.tables);
    }

    /// A passage as readable text.
    fn shown(&self, passage: &Passage<'_>) -> String {
        let text = match passage.body {
            Body::Plain(text) => text.to_owned(),
            Body::Inlines(list) => self.draw.line(list),
        };
        let words = text.split(|it: char| it.is_ascii_whitespace()).filter(|it| !it.is_empty());
        // A citation, which has no words here, leaves its space behind.
        words.collect::<Vec<_>>().join(" ").replace(" .", ".").replace(" ,", ",")
    }
}

/// The heading of a block that begins a section of its own.
fn section(block: &Block) -> Option<&Heading> {
    match &block.kind {
        BlockKind::Heading(heading) if heading.level <= LEVEL => Some(heading),
        _ => None,
    }
}

/// A number with the word for it; the word alone for what is always called by it.
fn numbered(kind: TargetKind, number: &str) -> String {
    let word = kind.word();
    match (kind, number) {
        (TargetKind::Chapter | TargetKind::Section, "") => String::new(),
        (_, "") => word.to_owned(),
        _ => format!("{word}\u{a0}{number}").trim_start().to_owned(),
    }
}

/// The words of `list` that are found: without its formulas.
fn indexed(list: &[Inline]) -> String {
    let mut out = String::new();
    let mut nodes = Vec::new();
    crate::ir::inlines(list, &mut nodes);
    for node in nodes {
        let crate::ir::Node::Inline(inline) = node else { continue };
        match inline {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::SoftBreak | Inline::HardBreak | Inline::Math(_) => out.push(' '),
            _ => {}
        }
    }
    out
}

impl Entry {
    /// Adds the terms of its title.
    fn titled(&mut self, title: &str, tables: &Tables) {
        let mut terms = Vec::new();
        words(title, tables, &mut terms);
        self.title_length = count(&terms);
        self.length += count(&terms);
        for term in terms {
            let known = self.terms.entry(term).or_default();
            *known = (known.0 + TITLE, true);
        }
    }

    /// Adds the terms of its text.
    fn body(&mut self, text: &str, tables: &Tables) {
        let mut terms = Vec::new();
        words(text, tables, &mut terms);
        self.length += count(&terms);
        terms.into_iter().for_each(|it| self.terms.entry(it).or_default().0 += 1);
    }

    /// Adds a term as it is, if it is any.
    fn term(&mut self, term: &str) {
        if !term.is_empty() {
            self.terms.entry(term.to_owned()).or_default().0 += TITLE;
        }
    }

    /// Adds its formula, which is found as a whole and by the names in it.
    fn formula(&mut self, tex: &str, tables: &Tables) {
        let tokens = tex::tokens(tex, tables);
        for token in &tokens {
            if token.chars().all(char::is_alphabetic) {
                self.terms.entry(format!("\\{token}")).or_default().0 += 1;
            }
        }
        self.length += count(&tokens) / 4;
        self.formulas.push(tokens.join(" "));
    }
}

fn count(list: &[String]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}
