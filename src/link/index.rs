//! The tables of the whole book: contents, formulas, notation, works, course.

use std::collections::BTreeMap;

use super::codes::UNCOVERED;
use super::number::{Numbered, planned_chapter, roman};
use super::{
    ContentsEntry, FormulaEntry, Index, Links, ModuleEntry, SymbolEntry, Target, TargetKind, Whole,
    WorkEntry,
};
use crate::diag::Diagnostic;
use crate::ir::{
    Block, BlockKind, Display, Document, Entry, Inline, Label, detached, detached_formula, plain,
};
use crate::source::{Place, Span};

/// Words that a reader takes in a minute.
const WORDS_A_MINUTE: usize = 200;

pub(super) fn book(
    whole: &Whole<'_>,
    numbered: &Numbered,
    links: &[Links],
    diagnostics: &mut Vec<Diagnostic>,
) -> Index {
    let formulas = formulas(whole, numbered, links);
    let modules = modules(whole, numbered, &formulas, diagnostics);
    Index {
        contents: contents(whole, numbered),
        symbols: symbols(whole, numbered, &formulas),
        works: works(numbered, links),
        modules,
        formulas,
    }
}

fn contents(whole: &Whole<'_>, numbered: &Numbered) -> Vec<ContentsEntry> {
    let mut out = Vec::new();
    let mut parts = 0;
    for entry in &whole.book.outline {
        match entry {
            Entry::Part { title, label } => {
                parts += 1;
                let label = label.as_ref().map(|it| it.value.clone());
                let target = Target {
                    kind: TargetKind::Part,
                    number: roman(parts),
                    title: detached(title),
                    anchor: label.as_ref().map(|it| it.0.clone()).unwrap_or_default(),
                    label,
                    ..Target::default()
                };
                out.push(ContentsEntry { depth: 0, target, sections: Vec::new(), minutes: 0 });
            }
            Entry::Chapter(chapter) => {
                let index = chapter.file.as_ref().and_then(|it| numbered.files.get(it));
                let depth = chapter.depth;
                let written = index.map(|it| (&numbered.chapters[*it], whole.documents[*it]));
                out.push(match written {
                    Some((local, document)) => ContentsEntry {
                        depth,
                        target: local.target.clone(),
                        sections: local.sections.clone(),
                        minutes: minutes(document),
                    },
                    None => {
                        let target = planned_chapter(chapter, whole);
                        ContentsEntry { depth, target, sections: Vec::new(), minutes: 0 }
                    }
                });
            }
        }
    }
    out
}

/// Minutes that a reader needs: for the words, and half of one for each display and snippet.
pub fn minutes(document: &Document) -> u32 {
    let is_slow = |it: &&Block| matches!(it.kind, BlockKind::Display(_) | BlockKind::Snippet(_));
    let halves = document.all_blocks().filter(is_slow).count();
    let minutes = document.words().div_ceil(WORDS_A_MINUTE) + halves.div_ceil(2);
    u32::try_from(minutes).unwrap_or(u32::MAX)
}

fn formulas(whole: &Whole<'_>, numbered: &Numbered, links: &[Links]) -> Vec<FormulaEntry> {
    let mut out = Vec::new();
    for ((document, local), links) in whole.documents.iter().zip(&numbered.chapters).zip(links) {
        for block in document.all_blocks() {
            let BlockKind::Display(display) = &block.kind else { continue };
            let Some(label) = display.labels.first() else { continue };
            let Some(target) = numbered.labels.get(&label.value) else { continue };
            out.push(formula(display, target, &local.target, links, numbered));
        }
    }
    out
}

fn formula(
    display: &Display,
    target: &Target,
    chapter: &Target,
    links: &Links,
    numbered: &Numbered,
) -> FormulaEntry {
    let known = |it: &Label| numbered.labels.get(it).or(numbered.planned.get(it)).cloned();
    let tag = |it: &crate::ir::LineLabel| {
        let number = &numbered.labels.get(&it.label)?.number;
        Some((it.row, number.clone())).filter(|it| !it.1.is_empty())
    };
    let mention = |(_, label): (std::ops::Range<usize>, &str)| {
        let target = known(&Label(label.to_owned()))?;
        Some((label.to_owned(), target))
    };
    FormulaEntry {
        target: target.clone(),
        formula: detached_formula(&display.formula),
        tags: display.lines.iter().filter_map(tag).collect(),
        mentions: super::resolve::in_formula(&display.formula.tex)
            .into_iter()
            .filter_map(mention)
            .collect(),
        chapter: chapter.clone(),
        symbols: display.symbols.iter().map(|it| it.value.clone()).collect(),
        snippets: display.snippet.iter().filter_map(|it| known(&it.value)).collect(),
        uses: display.deps.iter().filter_map(|it| known(&it.value)).collect(),
        used_by: target
            .label
            .as_ref()
            .and_then(|it| links.used_by.get(it))
            .cloned()
            .unwrap_or_default(),
    }
}

fn symbols(whole: &Whole<'_>, numbered: &Numbered, formulas: &[FormulaEntry]) -> Vec<SymbolEntry> {
    let mut users: BTreeMap<&str, Vec<Target>> = BTreeMap::new();
    for formula in formulas {
        for symbol in &formula.symbols {
            users.entry(symbol).or_default().push(formula.target.clone());
        }
    }
    let entry = |it: &crate::ir::Symbol| {
        let symbol = numbered.symbols.get(&it.key)?.clone();
        let formulas = users.get(&it.key[..]).cloned().unwrap_or_default();
        Some(SymbolEntry { symbol, formulas })
    };
    whole.book.notation.iter().filter_map(entry).collect()
}

fn works(numbered: &Numbered, links: &[Links]) -> Vec<WorkEntry> {
    let mut works: BTreeMap<(u32, &str), WorkEntry> = BTreeMap::new();
    for (local, links) in numbered.chapters.iter().zip(links) {
        for (key, work) in &links.works {
            let entry = works.entry((work.order, key)).or_insert_with(|| WorkEntry {
                key: key.clone(),
                work: work.clone(),
                chapters: Vec::new(),
            });
            entry.chapters.push(local.target.clone());
        }
    }
    works.into_values().collect()
}

fn modules(
    whole: &Whole<'_>,
    numbered: &Numbered,
    formulas: &[FormulaEntry],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<ModuleEntry> {
    let mut out = Vec::new();
    for module in whole.book.course.iter().flat_map(|it| &it.modules) {
        let label = Label(format!("ch:{}", module.id));
        let known = numbered.labels.get(&label).or(numbered.planned.get(&label));
        let chapter = known.cloned().unwrap_or_else(|| Target {
            number: module.number.to_string(),
            title: vec![Inline::Text(module.title.clone())],
            ..Target::default()
        });
        let document = whole.documents.iter().find(|it| it.file.name() == module.id);
        let mut topics = Vec::new();
        for topic in &module.topics {
            let mapped = document.and_then(|it| {
                it.front.topics.iter().find(|it| it.0.value == *topic).map(|it| &it.1.value)
            });
            let target = mapped.and_then(|it| numbered.labels.get(it)).cloned();
            if let (Some(document), None) = (document, mapped) {
                let file = document.file.clone();
                let span = Span::new(0, document.front.span.range().end.min(3));
                let message = format!("no section of this chapter covers the topic `{topic}`");
                diagnostics.push(
                    Diagnostic::error(UNCOVERED, Place { file, span }, message)
                        .help(format!("map it in the front matter: \"{topic}\" = \"sec:…\"")),
                );
            }
            topics.push((topic.clone(), target));
        }
        let count = formulas.iter().filter(|it| it.chapter == chapter).count();
        let mut module = module.clone();
        module.example = detached_formula(&module.example);
        out.push(ModuleEntry { module, chapter, topics, formulas: count });
    }
    out
}

/// Sorts names as a reader would look them up: by letters, upper and lower case alike.
pub fn alphabetical(entry: &FormulaEntry) -> (String, String) {
    (plain(&entry.target.title).to_lowercase(), entry.target.number.clone())
}
