//! Finds what every reference means, and gathers what each page needs to know.

use std::collections::BTreeMap;

use super::codes::{FILE, PAGE, PICTURE, PLANNED, SYMBOL, TOPIC, UNKNOWN, WORK};
use super::number::Numbered;
use super::{Links, Target, Whole};
use crate::diag::{Code, Diagnostic};
use crate::eval::{self, Name};
use crate::ir::{
    Block, BlockKind, Destination, Display, Document, FigureSource, Inline, Label, Node, Reference,
    Spanned,
};
use crate::source::{FileId, Place, Span};

pub(super) fn book(
    whole: &Whole<'_>,
    numbered: &Numbered,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Links> {
    let mut all = Vec::new();
    let names = eval::names(whole.documents);
    let mut labels: BTreeMap<&str, Vec<(&Label, &Target)>> = BTreeMap::new();
    for (label, target) in &numbered.labels {
        labels.entry(&target.page).or_default().push((label, target));
    }
    for (index, document) in whole.documents.iter().enumerate() {
        let local = &numbered.chapters[index];
        let neighbour = |it: Option<usize>| Some(numbered.chapters.get(it?)?.target.clone());
        let links = Links {
            page: local.target.page.clone(),
            number: Some(local.target.number.clone()).filter(|it| !it.is_empty()),
            part: local.part.clone(),
            headings: local.headings.clone(),
            environments: local.environments.clone(),
            displays: local.displays.clone(),
            previous: neighbour(index.checked_sub(1)),
            next: neighbour(Some(index + 1)),
            ..Links::default()
        };
        let mut page = Page { whole, numbered, document, index, links, diagnostics };
        let own = labels.get(&local.target.page[..]).into_iter().flatten();
        let own = own.map(|it| (Destination::Label(it.0.clone()), it.1.clone()));
        page.links.targets.extend(own);
        page.mentioned();
        page.commented();
        page.links.names = named(document, &names, numbered);
        all.push(page.links);
    }
    all
}

/// The names in the code of a chapter, with the snippets that they lead to.
fn named(
    document: &Document,
    names: &BTreeMap<String, Vec<Name>>,
    numbered: &Numbered,
) -> BTreeMap<String, Vec<(Name, Target)>> {
    let target = |it: &Name| {
        let label = Label(format!("snip:{}", it.snippet));
        Some((it.clone(), numbered.labels.get(&label)?.clone()))
    };
    let of = |block: &Block| {
        let BlockKind::Snippet(snippet) = &block.kind else { return None };
        let names = names.get(&snippet.id)?;
        Some((snippet.id.clone(), names.iter().filter_map(target).collect()))
    };
    document.all_blocks().filter_map(of).collect()
}

/// Labels that a formula mentions by `\ref`, `\eqref` and `\href{#…}`, with their bytes.
pub(super) fn in_formula(tex: &str) -> Vec<(std::ops::Range<usize>, &str)> {
    let mut out = Vec::new();
    for command in ["\\ref{", "\\eqref{", "\\href{#"] {
        for (at, _) in tex.match_indices(command) {
            let start = at + command.len();
            let Some(len) = tex[start..].find('}') else { continue };
            out.push((start..start + len, &tex[start..start + len]));
        }
    }
    out
}

/// The nearest of `candidates` to `word`, if it is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LEAST: f64 = 0.7;
    // What stands between the words is what authors mix up most.
    let fold = |it: &str| it.to_lowercase().replace(['_', ' ', '.', '-'], "");
    let word = fold(word);
    // Words of very different lengths cannot be near, and most are; so a large book stays quick.
    let similar = |it: &&str| {
        let (long, short) = (word.len().max(it.len()), word.len().min(it.len()));
        word.len() <= 200 && short as f64 >= LEAST * long as f64 - 4.0
    };
    let score = |it: &'a str| (strsim::normalized_damerau_levenshtein(&word, &fold(it)), it);
    let scores = candidates.filter(similar).map(score);
    let best = scores.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)))?;
    (best.0 >= LEAST).then_some(best.1)
}

struct Page<'a, 'b> {
    whole: &'a Whole<'a>,
    numbered: &'a Numbered,
    document: &'a Document,
    index: usize,
    links: Links,
    diagnostics: &'b mut Vec<Diagnostic>,
}

impl Page<'_, '_> {
    fn mentioned(&mut self) {
        let document = self.document;
        for label in &document.front.prerequisites {
            self.prerequisite(label);
        }
        for (topic, label) in &document.front.topics {
            self.topic(topic);
            self.label(&label.value, label.span);
        }
        for node in document.nodes() {
            match node {
                Node::Block(block) => self.block(block),
                Node::Inline(inline) => self.inline(inline),
            }
        }
    }

    /// Labels that comments of code mention. One that is unknown is no mistake: it is a comment.
    fn commented(&mut self) {
        for block in self.document.all_blocks() {
            let BlockKind::Snippet(snippet) = &block.kind else { continue };
            for line in snippet.lines.iter().filter(|it| !it.hidden) {
                for (_, label) in super::comments::labels(&line.text) {
                    let label = Label(label.to_owned());
                    let Some(target) = self.numbered.labels.get(&label) else { continue };
                    let target = target.clone();
                    self.links.targets.entry(Destination::Label(label)).or_insert(target);
                }
            }
        }
    }

    fn place(&self, span: Span) -> Place {
        Place { file: self.document.file.clone(), span }
    }

    fn error(&mut self, code: Code, span: Span, message: String, help: Option<String>) {
        let mut diagnostic = Diagnostic::error(code, self.place(span), message);
        diagnostic.help = help;
        self.diagnostics.push(diagnostic);
    }

    fn prerequisite(&mut self, label: &Spanned<Label>) {
        let chapter = Label(format!("ch:{}", label.value));
        let known =
            |it: &Label| self.numbered.labels.get(it).or(self.numbered.planned.get(it)).cloned();
        match known(&label.value).or_else(|| known(&chapter)) {
            Some(target) => {
                self.links.targets.insert(Destination::Label(label.value.clone()), target);
            }
            None => self.label(&label.value, label.span),
        }
    }

    fn topic(&mut self, topic: &Spanned<String>) {
        let stem = self.document.file.name();
        let modules = self.whole.book.course.iter().flat_map(|it| &it.modules);
        let Some(module) = modules.into_iter().find(|it| it.id == stem) else { return };
        if module.topics.contains(&topic.value) {
            return;
        }
        let near = nearest(&topic.value, module.topics.iter().map(|it| &it[..]));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its topics are {}", module.topics.join(", ")),
        };
        let message = format!("module {} has no topic `{}`", module.number, topic.value);
        self.error(TOPIC, topic.span, message, Some(help));
    }

    fn block(&mut self, block: &Block) {
        match &block.kind {
            BlockKind::Display(it) => {
                self.formula(&it.formula.tex, it.formula.span);
                self.display(it);
            }
            BlockKind::Environment(it) => {
                if let Some(of) = &it.of {
                    self.label(&of.value, of.span);
                }
            }
            BlockKind::Figure(it) => match &it.source {
                FigureSource::File(file, span) => self.picture(file, *span),
                FigureSource::Output(_) => {}
            },
            BlockKind::Heading(_)
            | BlockKind::Paragraph(_)
            | BlockKind::Code(_)
            | BlockKind::Snippet(_)
            | BlockKind::Table(_)
            | BlockKind::List(_)
            | BlockKind::Quote(_)
            | BlockKind::Rule
            | BlockKind::Html(_) => {}
        }
    }

    fn display(&mut self, display: &Display) {
        for label in display.deps.iter().chain(&display.snippet) {
            self.label(&label.value, label.span);
        }
        for key in &display.source {
            self.work(key);
        }
        for key in &display.symbols {
            match self.numbered.symbols.get(&key.value) {
                Some(symbol) => {
                    self.links.symbols.insert(key.value.clone(), symbol.clone());
                }
                None => {
                    let known = self.numbered.symbols.keys().map(|it| &it[..]);
                    let help = match nearest(&key.value, known) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "add it to notation.toml".into(),
                    };
                    let message = format!("symbol `{}` is not in the notation table", key.value);
                    self.error(SYMBOL, key.span, message, Some(help));
                }
            }
        }
    }

    fn inline(&mut self, inline: &Inline) {
        match inline {
            Inline::Math(it) => self.formula(&it.tex, it.span),
            Inline::Reference(it) => self.reference(it),
            Inline::Citation { keys, .. } => keys.iter().for_each(|it| self.work(it)),
            Inline::Image { file, span, .. } => self.picture(file, *span),
            Inline::Link { url, span, .. } => self.link(url, *span),
            Inline::Text(_)
            | Inline::Emphasis(_)
            | Inline::Strong(_)
            | Inline::Strike(_)
            | Inline::Code(_)
            | Inline::Value(_)
            | Inline::Footnote(_)
            | Inline::SoftBreak
            | Inline::HardBreak
            | Inline::Html(_) => {}
        }
    }

    fn formula(&mut self, tex: &str, span: Span) {
        for (range, label) in in_formula(tex) {
            self.label(&Label(label.to_owned()), span.sub(range));
        }
    }

    fn reference(&mut self, reference: &Reference) {
        match &reference.to {
            Destination::Label(label) => self.label(label, reference.span),
            Destination::Page { file, anchor } => {
                self.page(file, anchor.as_deref(), &reference.to, reference.span);
            }
        }
    }

    /// Resolves a label: of the book, else an anchor of this page, else of a planned chapter.
    fn label(&mut self, label: &Label, span: Span) {
        let key = Destination::Label(label.clone());
        let found = self.numbered.labels.get(label);
        let found = found.or_else(|| anchor(self.numbered, self.index, &label.0));
        if let Some(target) = found {
            self.links.targets.insert(key, target.clone());
        } else if let Some(target) = self.numbered.planned.get(label) {
            self.links.targets.insert(key, target.clone());
            let message = format!("`{label}` is of a chapter that is not written yet");
            self.diagnostics.push(Diagnostic::note(PLANNED, self.place(span), message));
        } else {
            let anchors = self.numbered.chapters[self.index].anchors.keys().map(|it| &it[..]);
            let known = self.numbered.labels.keys().map(|it| &it.0[..]);
            let planned = self.numbered.planned.keys().map(|it| &it.0[..]);
            let near = nearest(&label.0, known.chain(planned).chain(anchors));
            let near = near.map(str::to_owned);
            let message = match &near {
                Some(near) => format!("unknown label `{label}`; did you mean `{near}`?"),
                None => format!("unknown label `{label}`"),
            };
            let mut diagnostic = Diagnostic::error(UNKNOWN, self.place(span), message);
            if near.is_none() {
                let help = "a label is given by `{#name}` on a heading, formula, callout or figure";
                diagnostic = diagnostic.help(help);
            }
            if let Some(place) = near.and_then(|it| self.numbered.places.get(&Label(it))) {
                diagnostic = diagnostic.related(place.clone(), "it is defined here");
            }
            self.diagnostics.push(diagnostic);
        }
    }

    fn page(&mut self, file: &FileId, anchor_name: Option<&str>, to: &Destination, span: Span) {
        let Some(&index) = self.numbered.files.get(file) else {
            let known = self.numbered.files.keys().map(FileId::path);
            let help = match nearest(file.path(), known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "add it to SUMMARY.md, or link by a label".into(),
            };
            let message = format!("`{file}` is not a chapter of the book");
            return self.error(PAGE, span, message, Some(help));
        };
        let chapter = &self.numbered.chapters[index];
        let Some(name) = anchor_name.filter(|it| !it.is_empty()) else {
            self.links.targets.insert(to.clone(), chapter.target.clone());
            return;
        };
        let label = self.numbered.labels.get(name).filter(|it| it.page == chapter.target.page);
        match label.or_else(|| anchor(self.numbered, index, name)) {
            Some(target) => {
                self.links.targets.insert(to.clone(), target.clone());
            }
            None => {
                let near = nearest(name, chapter.anchors.keys().map(|it| &it[..]));
                let help = match near {
                    Some(near) => format!("did you mean `#{near}`?"),
                    None => "a heading has its words in lower case with hyphens as anchor".into(),
                };
                let message = format!("`{file}` has no heading or label `#{name}`");
                self.error(PAGE, span, message, Some(help));
            }
        }
    }

    fn work(&mut self, key: &Spanned<String>) {
        match self.whole.bibliography.0.get(&key.value) {
            Some(work) => {
                self.links.works.insert(key.value.clone(), work.clone());
            }
            None => {
                let known = self.whole.bibliography.0.keys().map(|it| &it[..]);
                let help = match nearest(&key.value, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "add it to references.bib".into(),
                };
                let message = format!("the bibliography has no work `{}`", key.value);
                self.error(WORK, key.span, message, Some(help));
            }
        }
    }

    fn picture(&mut self, file: &FileId, span: Span) {
        self.file(file, span);
        let why = self.whole.broken.get(file);
        if let Some(why) = why {
            let message = format!("the picture `{file}` cannot be shown: {why}");
            let help = "make the file anew; its alternative text stands in its place";
            self.error(PICTURE, span, message, Some(help.to_owned()));
        }
        if why.is_some() || !self.whole.files.contains(file) {
            self.links.lost.insert(file.clone());
        }
    }

    fn file(&mut self, file: &FileId, span: Span) {
        if self.whole.files.contains(file) {
            return;
        }
        let near = nearest(file.path(), self.whole.files.iter().map(FileId::path));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("a path is relative to `{}`, which names it", self.document.file),
        };
        let message = format!("the site has no file `{file}`");
        self.error(FILE, span, message, Some(help));
    }

    /// A link that is no reference: to somewhere else, or to a file that the site carries.
    fn link(&mut self, url: &str, span: Span) {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        if path.is_empty() || path.starts_with('/') || url.contains(':') {
            return;
        }
        let folder = self.document.file.path().rsplit_once('/').map_or("", |it| it.0);
        self.file(&FileId::new(&format!("{folder}/{}", decoded(path))), span);
    }
}

/// An anchor of a page, by its id or by the words of the heading as they stand.
fn anchor<'a>(numbered: &'a Numbered, index: usize, name: &str) -> Option<&'a Target> {
    let anchors: &BTreeMap<String, Target> = &numbered.chapters[index].anchors;
    let name = decoded(name);
    let words = name.to_lowercase().replace([' ', '_'], "-");
    anchors.get(&name).or_else(|| anchors.get(&words))
}

/// Undoes `%20` and the like. Bytes that are no UTF-8 stay as they are written.
pub fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|it| std::str::from_utf8(it).ok());
        let value = hex.and_then(|it| u8::from_str_radix(it, 16).ok());
        match value.filter(|_| bytes[at] == b'%') {
            Some(value) => {
                out.push(value);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}
