//! What rests on what: the graph of formulas, and who uses a label.

use std::collections::{BTreeMap, BTreeSet};

use super::codes::CYCLE;
use super::number::Numbered;
use super::resolve::in_formula;
use super::{Links, Target, TargetKind, Whole};
use crate::diag::Diagnostic;
use crate::ir::{BlockKind, Destination, Document, Inline, Label, Node};
use crate::source::Place;

/// Reports every circle of dependencies once.
pub(super) fn check(whole: &Whole<'_>, numbered: &Numbered, diagnostics: &mut Vec<Diagnostic>) {
    let mut edges: Edges<'_> = BTreeMap::new();
    for document in whole.documents {
        for block in document.all_blocks() {
            let BlockKind::Display(display) = &block.kind else { continue };
            let Some(label) = display.labels.first() else { continue };
            for dep in &display.deps {
                // Aliases lead to the main label, so that a circle through one is found too.
                let target = numbered.labels.get(&dep.value);
                let Some(main) = target.and_then(|it| it.label.as_ref()) else { continue };
                let place = Place { file: document.file.clone(), span: dep.span };
                edges.entry(&label.value).or_default().push((main, place));
            }
        }
    }
    let circles = Circles {
        what: "formulas rest on each other",
        help: "take out the dependency that the derivation does not need",
    };
    circles.report(&edges, diagnostics);
    prerequisites(whole, numbered, diagnostics);
}

/// Reports every circle of chapters that require each other once.
fn prerequisites(whole: &Whole<'_>, numbered: &Numbered, diagnostics: &mut Vec<Diagnostic>) {
    let own = |page: &str| {
        let chapter = numbered.chapters.iter().find(|it| it.target.page == page)?;
        chapter.target.label.as_ref()
    };
    let mut edges: Edges<'_> = BTreeMap::new();
    for (document, local) in whole.documents.iter().zip(&numbered.chapters) {
        let Some(from) = &local.target.label else { continue };
        for wanted in &document.front.prerequisites {
            let chapter = Label(format!("ch:{}", wanted.value));
            let found = numbered.labels.get(&wanted.value).or(numbered.labels.get(&chapter));
            let Some(to) = found.and_then(|it| own(&it.page)) else { continue };
            let place = Place { file: document.file.clone(), span: wanted.span };
            edges.entry(from).or_default().push((to, place));
        }
    }
    let circles = Circles {
        what: "chapters require each other",
        help: "take out a prerequisite, so that there is a chapter to begin with",
    };
    circles.report(&edges, diagnostics);
}

/// What rests on what, each with the place that says so.
type Edges<'a> = BTreeMap<&'a Label, Vec<(&'a Label, Place)>>;

/// How circles are reported.
struct Circles {
    what: &'static str,
    help: &'static str,
}

impl Circles {
    fn report(&self, edges: &Edges<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let mut done = BTreeSet::new();
        for start in edges.keys() {
            self.walk(start, edges, &mut done, diagnostics);
        }
    }

    /// Depth first, with a stack of our own: the graph is as deep as the author makes it.
    fn walk<'a>(
        &self,
        start: &'a Label,
        edges: &Edges<'a>,
        done: &mut BTreeSet<&'a Label>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut path: Vec<(&Label, usize)> = vec![(start, 0)];
        while let Some((label, next)) = path.last_mut() {
            let label = *label;
            if done.contains(label) {
                path.pop();
                continue;
            }
            let Some((to, place)) = edges.get(label).and_then(|it| it.get(*next)) else {
                done.insert(label);
                path.pop();
                continue;
            };
            *next += 1;
            if let Some(at) = path.iter().position(|it| it.0 == *to) {
                let circle: Vec<_> = path[at..].iter().map(|it| format!("`{}`", it.0)).collect();
                let message = format!("{}: {} → `{to}`", self.what, circle.join(" → "));
                diagnostics.push(Diagnostic::error(CYCLE, place.clone(), message).help(self.help));
            } else {
                path.push((to, 0));
            }
        }
    }
}

/// Tells every chapter who uses what it defines.
pub(super) fn backlinks(whole: &Whole<'_>, numbered: &Numbered, links: &mut [Links]) {
    let pages: BTreeMap<String, usize> =
        links.iter().enumerate().map(|(index, it)| (it.page.clone(), index)).collect();
    for (index, document) in whole.documents.iter().enumerate() {
        for (label, user) in uses(document, index, numbered) {
            let Some(target) = numbered.labels.get(label) else { continue };
            let (Some(main), true) = (&target.label, has_backlinks(target.kind)) else { continue };
            if user.label.as_ref() == Some(main) {
                continue;
            }
            let Some(page) = pages.get(&target.page) else { continue };
            let users = links[*page].used_by.entry(main.clone()).or_default();
            if !users.contains(&user) {
                users.push(user);
            }
        }
    }
}

/// Tells every chapter where its formulas are derived: in the boxes that say that they are `of` one.
/// A box without a label has an anchor made of that of the formula.
pub(super) fn derivations(whole: &Whole<'_>, numbered: &Numbered, links: &mut [Links]) {
    let pages: BTreeMap<String, usize> =
        links.iter().enumerate().map(|(index, it)| (it.page.clone(), index)).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (index, document) in whole.documents.iter().enumerate() {
        let local = &numbered.chapters[index];
        let mut section = &local.target;
        let mut environments = 0;
        for block in document.all_blocks() {
            let BlockKind::Environment(it) = &block.kind else {
                if let BlockKind::Heading(it) = &block.kind {
                    section = local.anchors.get(&it.anchor).unwrap_or(section);
                }
                continue;
            };
            environments += 1;
            let target = it.of.as_ref().and_then(|it| numbered.labels.get(&it.value));
            let Some(target) = target.filter(|it| it.kind == TargetKind::Equation) else {
                continue;
            };
            let (Some(main), Some(page)) = (&target.label, pages.get(&target.page)) else {
                continue;
            };
            let anchor = it.labels.first().map_or_else(
                || made_anchor(&main.0, counts.entry(format!("{index} {main}")).or_default()),
                |it| it.value.0.clone(),
            );
            links[index].boxes.insert(environments - 1, anchor.clone());
            let there = Target { anchor, ..section.clone() };
            links[*page].derived_in.entry(main.clone()).or_default().push(there);
        }
    }
}

/// The anchor of a box that derives the formula `label`; `count` boxes on its page were before it.
fn made_anchor(label: &str, count: &mut usize) -> String {
    *count += 1;
    match *count {
        1 => format!("{label}-derivation"),
        count => format!("{label}-derivation-{count}"),
    }
}

fn has_backlinks(kind: TargetKind) -> bool {
    match kind {
        TargetKind::Equation
        | TargetKind::Environment(_)
        | TargetKind::Figure
        | TargetKind::Table
        | TargetKind::Snippet => true,
        TargetKind::Part
        | TargetKind::Chapter
        | TargetKind::Section
        | TargetKind::Symbol
        | TargetKind::Planned => false,
    }
}

/// The labels that a chapter uses, each with the formula or else the section that uses it.
fn uses<'a>(document: &'a Document, index: usize, numbered: &Numbered) -> Vec<(&'a str, Target)> {
    let local = &numbered.chapters[index];
    let mut section = local.target.clone();
    let mut out = Vec::new();
    for node in document.nodes() {
        match node {
            Node::Block(block) => match &block.kind {
                BlockKind::Heading(it) => {
                    if let Some(target) = local.anchors.get(&it.anchor) {
                        section = target.clone();
                    }
                }
                BlockKind::Display(it) => {
                    let own = it.labels.first().and_then(|it| numbered.labels.get(&it.value));
                    let user = own.unwrap_or(&section);
                    out.extend(it.deps.iter().map(|it| (&it.value.0[..], user.clone())));
                    let mentioned = in_formula(&it.formula.tex).into_iter();
                    out.extend(mentioned.map(|it| (it.1, user.clone())));
                }
                BlockKind::Environment(it) => {
                    out.extend(it.of.iter().map(|it| (&it.value.0[..], section.clone())));
                }
                BlockKind::Paragraph(_)
                | BlockKind::Code(_)
                | BlockKind::Snippet(_)
                | BlockKind::Figure(_)
                | BlockKind::Table(_)
                | BlockKind::List(_)
                | BlockKind::Quote(_)
                | BlockKind::Rule
                | BlockKind::Html(_) => {}
            },
            Node::Inline(Inline::Reference(reference)) => {
                if let Destination::Label(label) = &reference.to {
                    out.push((&label.0[..], section.clone()));
                }
            }
            Node::Inline(Inline::Math(it)) => {
                out.extend(in_formula(&it.tex).into_iter().map(|it| (it.1, section.clone())));
            }
            Node::Inline(_) => {}
        }
    }
    out
}
