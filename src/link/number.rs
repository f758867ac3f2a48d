//! Walks the book once and gives every thing its number and address.
//!
//! Every count starts again at each chapter: sections, formulas, theorems (all kinds together),
//! exercises, figures, tables and snippets. A chapter without a number has counts without a prefix
//! and takes none from the others; parts never reset anything.

use std::collections::{BTreeMap, BTreeSet};

use super::codes::DUPLICATE;
use super::resolve::in_formula;
use super::{Target, TargetKind, Whole};
use crate::diag::Diagnostic;
use crate::ir::{
    Block, BlockKind, ChapterEntry, Destination, Display, Document, Entry, Environment,
    EnvironmentKind, Figure, Heading, Inline, Label, Node, Numbering, Reference, Snippet, Spanned,
    Symbol, Table, detached,
};
use crate::source::{FileId, Place, Span};

/// Every number and address of the book.
#[derive(Debug, Default)]
pub(super) struct Numbered {
    /// Targets by label, aliases too.
    pub labels: BTreeMap<Label, Target>,
    /// Where each label is written, if in a chapter.
    pub places: BTreeMap<Label, Place>,
    /// For each chapter in book order, what is local to its page.
    pub chapters: Vec<Local>,
    /// Index into `chapters` by file.
    pub files: BTreeMap<FileId, usize>,
    /// The notation table by key.
    pub symbols: BTreeMap<String, Symbol>,
    /// Labels of chapters that are not written, with their names.
    pub planned: BTreeMap<Label, Target>,
}

/// What is local to a page.
#[derive(Debug, Default)]
pub(super) struct Local {
    /// The chapter itself.
    pub target: Target,
    /// Title of its part.
    pub part: Vec<Inline>,
    /// Headings and other anchors of the page.
    pub anchors: BTreeMap<String, Target>,
    /// Numbers of headings by anchor.
    pub headings: BTreeMap<String, String>,
    /// Sections of level 2 in order.
    pub sections: Vec<Target>,
    /// Numbers of environments in reading order.
    pub environments: Vec<String>,
    /// Numbers of displays in reading order.
    pub displays: Vec<String>,
}

impl Default for Target {
    fn default() -> Self {
        Self {
            kind: TargetKind::Chapter,
            number: String::new(),
            title: Vec::new(),
            page: String::new(),
            anchor: String::new(),
            label: None,
        }
    }
}

pub(super) fn book(whole: &Whole<'_>, diagnostics: &mut Vec<Diagnostic>) -> Numbered {
    let mut out = Numbered::default();
    symbols(whole, &mut out);
    parts(whole, &mut out, diagnostics);
    let referenced = match whole.book.settings.numbering {
        Numbering::Referenced => Some(referenced(whole)),
        Numbering::Labelled | Numbering::All => None,
    };
    let locals = chapters(whole, &mut out);
    for (document, local) in whole.documents.iter().zip(locals) {
        let (counts, out) = (Counts::default(), &mut out);
        let referenced = referenced.as_ref();
        let mut walk = Walk { whole, document, out, local, counts, referenced, diagnostics };
        walk.chapter();
        let local = walk.local;
        out.chapters.push(local);
    }
    planned(whole, &mut out);
    out
}

/// Gives each chapter its number and the labels that it has by its file alone: `ch:name`, which
/// stays when the file moves to another folder, and `ch:folder/name`. The first is left out if two
/// files have the name.
fn chapters(whole: &Whole<'_>, out: &mut Numbered) -> Vec<Local> {
    let mut names = BTreeMap::<&str, usize>::new();
    for document in whole.documents {
        *names.entry(document.file.name()).or_default() += 1;
    }
    let listed = listed(whole);
    let mut locals = Vec::new();
    for (index, document) in whole.documents.iter().enumerate() {
        let file = &document.file;
        let short = (names[file.name()] == 1).then_some(file.name());
        let own = short.into_iter().chain([file.stem()]).map(|it| Label(format!("ch:{it}")));
        let own: Vec<Label> = own.collect();
        let (entry, part) = listed.get(file).copied().unzip();
        let entry: Option<&ChapterEntry> = entry;
        let number = entry.and_then(|it| it.number.clone()).unwrap_or_default();
        let part = part.flatten().filter(|_| !number.is_empty());
        let target = Target {
            kind: TargetKind::Chapter,
            number,
            title: detached(&document.title),
            page: format!("{}.html", file.stem()),
            anchor: String::new(),
            label: Some(
                document.labels.first().map_or_else(|| own[0].clone(), |it| it.value.clone()),
            ),
        };
        for label in own {
            out.labels.insert(label.clone(), target.clone());
            let span = entry.map_or(Span::NONE, |it| it.span);
            out.places.insert(label, Place { file: FileId::new("SUMMARY.md"), span });
        }
        out.files.insert(file.clone(), index);
        let part = part.map(detached).unwrap_or_default();
        locals.push(Local { target, part, ..Local::default() });
    }
    locals
}

type Listed<'a> = (&'a ChapterEntry, Option<&'a [Inline]>);

/// The line of the outline of each file, and the title of its part.
fn listed<'a>(whole: &Whole<'a>) -> BTreeMap<&'a FileId, Listed<'a>> {
    let mut part = None;
    let mut out = BTreeMap::new();
    for entry in &whole.book.outline {
        match entry {
            Entry::Part { title, .. } => part = Some(&title[..]),
            Entry::Chapter(it) => {
                if let Some(file) = &it.file {
                    out.entry(file).or_insert((it, part));
                }
            }
        }
    }
    out
}

fn symbols(whole: &Whole<'_>, out: &mut Numbered) {
    for symbol in &whole.book.notation {
        let bare = Symbol {
            tex: crate::ir::detached_formula(&symbol.tex),
            meaning: detached(&symbol.meaning),
            shape: detached(&symbol.shape),
            span: Span::NONE,
            ..symbol.clone()
        };
        // `parse::book` has reported a key that is listed twice.
        out.symbols.entry(symbol.key.clone()).or_insert(bare);
        let label = Label(format!("sym:{}", symbol.key));
        let target = Target {
            kind: TargetKind::Symbol,
            title: vec![Inline::Math(crate::ir::detached_formula(&symbol.tex))],
            page: "symbols.html".into(),
            anchor: label.0.clone(),
            label: Some(label.clone()),
            number: String::new(),
        };
        out.labels.insert(label, target);
    }
}

fn parts(whole: &Whole<'_>, out: &mut Numbered, diagnostics: &mut Vec<Diagnostic>) {
    let mut count = 0;
    for entry in &whole.book.outline {
        let Entry::Part { title, label } = entry else { continue };
        count += 1;
        let Some(label) = label else { continue };
        let target = Target {
            kind: TargetKind::Part,
            number: roman(count),
            title: detached(title),
            page: "contents.html".into(),
            anchor: label.value.0.clone(),
            label: Some(label.value.clone()),
        };
        let file = FileId::new("SUMMARY.md");
        let place = Place { file, span: label.span };
        define(out, diagnostics, &label.value, target, Some(place));
    }
}

pub(super) fn roman(mut number: usize) -> String {
    const STEPS: [(usize, &str); 9] = [
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut out = String::new();
    for (value, letters) in STEPS {
        while number >= value {
            number -= value;
            out.push_str(letters);
        }
    }
    out
}

fn planned(whole: &Whole<'_>, out: &mut Numbered) {
    for entry in &whole.book.outline {
        let Entry::Chapter(chapter) = entry else { continue };
        if chapter.file.is_some() {
            continue;
        }
        let target = planned_chapter(chapter, whole);
        if let Some(label) = target.label.clone() {
            out.planned.insert(label, target);
        }
    }
    for planned in &whole.book.planned {
        let target = Target {
            kind: TargetKind::Planned,
            title: detached(&planned.name),
            label: Some(planned.label.clone()),
            ..Target::default()
        };
        out.planned.insert(planned.label.clone(), target);
    }
}

/// The target of a chapter that is not written: its label is known from the course.
pub(super) fn planned_chapter(chapter: &ChapterEntry, whole: &Whole<'_>) -> Target {
    let number = chapter.number.clone().unwrap_or_default();
    let modules = whole.book.course.iter().flat_map(|it| &it.modules);
    let title = crate::ir::plain(&chapter.title);
    let module = modules.into_iter().find(|it| it.title == title);
    let label = module.map(|it| Label(format!("ch:{}", it.id)));
    Target {
        kind: TargetKind::Chapter,
        number,
        title: detached(&chapter.title),
        label,
        ..Target::default()
    }
}

/// All labels that something refers to, by aliases too.
fn referenced(whole: &Whole<'_>) -> BTreeSet<Label> {
    let mut out = BTreeSet::new();
    let in_tex = |tex: &str, out: &mut BTreeSet<Label>| {
        out.extend(in_formula(tex).into_iter().map(|it| Label(it.1.to_owned())));
    };
    for node in whole.documents.iter().flat_map(|it| it.nodes()) {
        match node {
            Node::Inline(Inline::Reference(Reference {
                to: Destination::Label(label), ..
            })) => {
                out.insert(label.clone());
            }
            Node::Inline(Inline::Math(it)) => in_tex(&it.tex, &mut out),
            Node::Inline(_) => {}
            Node::Block(block) => {
                if let BlockKind::Display(it) = &block.kind {
                    in_tex(&it.formula.tex, &mut out);
                    out.extend(it.deps.iter().map(|it| it.value.clone()));
                }
            }
        }
    }
    out
}

fn define(
    out: &mut Numbered,
    diagnostics: &mut Vec<Diagnostic>,
    label: &Label,
    target: Target,
    place: Option<Place>,
) {
    if let (Some(place), true) = (&place, out.labels.contains_key(label)) {
        let message = format!("label `{label}` is defined twice");
        let mut diagnostic = Diagnostic::error(DUPLICATE, place.clone(), message)
            .help("labels are unique in the whole book: rename one of them");
        if let Some(first) = out.places.get(label) {
            diagnostic = diagnostic.related(first.clone(), "first defined here");
        }
        diagnostics.push(diagnostic);
        return;
    }
    out.labels.insert(label.clone(), target);
    if let Some(place) = place {
        out.places.insert(label.clone(), place);
    }
}

#[derive(Default)]
struct Counts {
    sections: [usize; 2],
    /// Whether the section of level 2 around has no number.
    in_unnumbered: bool,
    equations: usize,
    theorems: usize,
    exercises: usize,
    figures: usize,
    tables: usize,
    snippets: usize,
}

struct Walk<'a, 'b> {
    whole: &'a Whole<'a>,
    document: &'a Document,
    out: &'b mut Numbered,
    local: Local,
    counts: Counts,
    referenced: Option<&'b BTreeSet<Label>>,
    diagnostics: &'b mut Vec<Diagnostic>,
}

impl Walk<'_, '_> {
    fn chapter(&mut self) {
        let document = self.document;
        let target = self.local.target.clone();
        // `{#ch:name}` on the title of that chapter says what is so already.
        let is_own = |it: &Label| self.out.labels.get(it) == Some(&target);
        let labels = document.labels.iter().filter(|it| !is_own(&it.value));
        let labels: Vec<_> = labels.cloned().collect();
        self.labels(&labels, &target);
        for node in document.nodes() {
            match node {
                Node::Block(block) => self.block(block),
                Node::Inline(Inline::Html(html)) => self.html(html),
                Node::Inline(_) => {}
            }
        }
    }

    /// The number of the `count`th thing of a kind in this chapter.
    fn within(&self, count: usize) -> String {
        match &self.local.target.number[..] {
            "" => count.to_string(),
            chapter => format!("{chapter}.{count}"),
        }
    }

    fn target(&self, kind: TargetKind, number: String, labels: &[Spanned<Label>]) -> Target {
        let label = labels.first().map(|it| it.value.clone());
        Target {
            kind,
            number,
            title: Vec::new(),
            page: self.local.target.page.clone(),
            anchor: label.as_ref().map(|it| it.0.clone()).unwrap_or_default(),
            label,
        }
    }

    /// Defines all `labels` as names of `target`.
    fn labels(&mut self, labels: &[Spanned<Label>], target: &Target) {
        for label in labels {
            let place = Place { file: self.document.file.clone(), span: label.span };
            define(self.out, self.diagnostics, &label.value, target.clone(), Some(place));
        }
    }

    fn block(&mut self, block: &Block) {
        match &block.kind {
            BlockKind::Heading(it) => self.heading(it),
            BlockKind::Display(it) => self.display(it),
            BlockKind::Environment(it) => self.environment(it),
            BlockKind::Code(it) => {
                let target = self.target(TargetKind::Snippet, String::new(), &it.labels);
                self.labels(&it.labels, &target);
            }
            BlockKind::Snippet(it) => self.snippet(it),
            BlockKind::Figure(it) => self.figure(it),
            BlockKind::Table(it) => self.table(it),
            BlockKind::Html(html) => self.html(html),
            BlockKind::Paragraph(_)
            | BlockKind::List(_)
            | BlockKind::Quote(_)
            | BlockKind::Rule => {}
        }
    }

    fn heading(&mut self, heading: &Heading) {
        let mut number = String::new();
        let chapter = &self.local.target.number;
        let Counts { sections: [sections, subsections], in_unnumbered, .. } = &mut self.counts;
        match (heading.level, heading.numbered && !chapter.is_empty()) {
            (2, true) => {
                *sections += 1;
                *subsections = 0;
                number = format!("{chapter}.{sections}");
                *in_unnumbered = false;
            }
            (2, false) => *in_unnumbered = true,
            // What stands below an unnumbered section is no part of the numbered one before.
            (3, true) if *sections > 0 && !*in_unnumbered => {
                *subsections += 1;
                number = format!("{chapter}.{sections}.{subsections}");
            }
            _ => {}
        }
        let target = Target {
            title: detached(&heading.body),
            anchor: heading.anchor.clone(),
            ..self.target(TargetKind::Section, number.clone(), &heading.labels)
        };
        self.labels(&heading.labels, &target);
        if heading.level == 2 {
            self.local.sections.push(target.clone());
        }
        self.local.headings.insert(heading.anchor.clone(), number);
        self.local.anchors.insert(heading.anchor.clone(), target);
    }

    fn display(&mut self, display: &Display) {
        let wanted = match self.whole.book.settings.numbering {
            Numbering::All => display.lines.is_empty() || !display.labels.is_empty(),
            Numbering::Labelled => !display.labels.is_empty(),
            Numbering::Referenced => display.labels.iter().any(|it| self.is_referenced(&it.value)),
        };
        let mut number = String::new();
        if wanted {
            self.counts.equations += 1;
            number = self.within(self.counts.equations);
        }
        let title = detached(&display.name);
        let target =
            Target { title, ..self.target(TargetKind::Equation, number.clone(), &display.labels) };
        self.labels(&display.labels, &target);
        for (index, line) in display.lines.iter().enumerate() {
            // Lines of a display with a number of its own are 8.3a, 8.3b; others count on.
            let line_number = if wanted {
                format!("{number}{}", letters(index))
            } else if self.referenced.is_some() && !self.is_referenced(&line.label) {
                String::new()
            } else {
                self.counts.equations += 1;
                self.within(self.counts.equations)
            };
            let label = Spanned { value: line.label.clone(), span: line.span };
            let labels = [label];
            let target = self.target(TargetKind::Equation, line_number, &labels);
            self.labels(&labels, &target);
        }
        self.local.displays.push(number);
    }

    fn is_referenced(&self, label: &Label) -> bool {
        self.referenced.is_none_or(|it| it.contains(label))
    }

    fn environment(&mut self, environment: &Environment) {
        let kind = environment.kind;
        let mut number = String::new();
        if kind == EnvironmentKind::Exercise {
            self.counts.exercises += 1;
            number = self.within(self.counts.exercises);
        } else if kind.is_numbered() {
            self.counts.theorems += 1;
            number = self.within(self.counts.theorems);
        }
        let kind = TargetKind::Environment(kind);
        let title = detached(&environment.title);
        let target = Target { title, ..self.target(kind, number.clone(), &environment.labels) };
        self.labels(&environment.labels, &target);
        self.local.environments.push(number);
    }

    fn snippet(&mut self, snippet: &Snippet) {
        let mut number = String::new();
        if !snippet.hide {
            self.counts.snippets += 1;
            number = self.within(self.counts.snippets);
        }
        if snippet.id.is_empty() {
            return;
        }
        let value = Label(format!("snip:{}", snippet.id));
        let labels = [Spanned { value, span: snippet.id_span }];
        let title = detached(&snippet.title);
        let target = Target { title, ..self.target(TargetKind::Snippet, number, &labels) };
        self.labels(&labels, &target);
    }

    fn figure(&mut self, figure: &Figure) {
        let Some(first) = figure.labels.first() else { return };
        let (kind, count) = if first.value.0.starts_with("tab:") {
            (TargetKind::Table, &mut self.counts.tables)
        } else {
            (TargetKind::Figure, &mut self.counts.figures)
        };
        *count += 1;
        let number = *count;
        let target = self.target(kind, self.within(number), &figure.labels);
        self.labels(&figure.labels, &target);
    }

    fn table(&mut self, table: &Table) {
        if table.labels.is_empty() {
            return;
        }
        self.counts.tables += 1;
        let number = self.within(self.counts.tables);
        let target = self.target(TargetKind::Table, number, &table.labels);
        self.labels(&table.labels, &target);
    }

    /// Ids in raw HTML are anchors of the page.
    fn html(&mut self, html: &str) {
        for id in ids(html) {
            let target = Target {
                anchor: id.to_owned(),
                ..self.target(TargetKind::Section, String::new(), &[])
            };
            self.local.anchors.entry(id.to_owned()).or_insert(target);
        }
    }
}

/// The values of all attributes `id` and `name`.
fn ids(html: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for name in ["id=", "name="] {
        for (at, _) in html.match_indices(name) {
            if !html[..at].ends_with(|it: char| it.is_whitespace() || it == '"' || it == '\'') {
                continue;
            }
            let rest = &html[at + name.len()..];
            let id = match rest.chars().next().filter(|it| matches!(it, '"' | '\'')) {
                Some(quote) => rest[1..].split(quote).next(),
                None => rest.split(|it: char| it.is_whitespace() || it == '>').next(),
            };
            out.extend(id.filter(|it| !it.is_empty()));
        }
    }
    out
}

/// a, b, …, z, aa, ab, …
fn letters(mut index: usize) -> String {
    let mut out = Vec::new();
    loop {
        out.insert(0, b'a' + u8::try_from(index % 26).expect("below 26"));
        if index < 26 {
            return String::from_utf8(out).expect("letters are ASCII");
        }
        index = index / 26 - 1;
    }
}
