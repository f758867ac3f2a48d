//! The book around its chapters: title page, imprint, contents, parts, indexes, bibliography.

use std::collections::BTreeMap;

use super::inlines::{chapter_key, key_of};
use super::markup::Draft;
use super::{Chapter, Volume, Writer, draft};
use crate::eval::Outputs;
use crate::ir::{Inline, Settings};
use crate::link::{ContentsEntry, Links, SymbolEntry, Target, TargetKind};
use crate::math::{Facts, Formula, Style};
use crate::source::Span;

/// The files of the book: the main one first, then one for each chapter.
pub(super) fn drafts(volume: &Volume<'_>) -> Vec<(String, Draft)> {
    let site = volume.book.settings.site.as_deref();
    let mut out: Vec<_> = volume
        .chapters
        .iter()
        .enumerate()
        .map(|(index, it)| (path(index), draft(it, volume.engine, site)))
        .collect();
    out.insert(0, ("main.typ".to_owned(), main(volume)));
    out
}

fn path(chapter: usize) -> String {
    format!("chapter/{chapter}.typ")
}

fn main(volume: &Volume<'_>) -> Draft {
    let links = whole_links(volume);
    let outputs = Outputs::new();
    let mut writer = Writer::new(volume.engine, &links, &outputs);
    writer.site = volume.book.settings.site.as_deref();
    writer.settings(&volume.book.settings);
    writer.contents(volume);
    writer.body(volume);
    writer.formula_index(volume);
    writer.notation(volume);
    writer.bibliography(volume);
    writer.draft
}

/// Links for the lists of the whole book: they cite works and mention no other destination.
fn whole_links(volume: &Volume<'_>) -> Links {
    let works = volume.index.works.iter().map(|it| (it.key.clone(), it.work.clone())).collect();
    Links { works, ..Links::default() }
}

impl Writer<'_> {
    fn settings(&mut self, settings: &Settings) {
        let title = if settings.title.is_empty() { "Untitled" } else { &settings.title };
        let (lang, region) = settings.language.split_once('-').unwrap_or((&settings.language, ""));
        let date = settings.updated.as_deref().and_then(date);
        self.draft.markup("#import \"/template.typ\" as b\n#show: b.book.with(");
        self.named("title", title);
        self.draft.markup("authors: (");
        for author in &settings.authors {
            self.draft.string(author);
            self.draft.markup(", ");
        }
        self.draft.markup("), ");
        if !settings.description.is_empty() {
            self.named("description", &settings.description);
        }
        if (2..=3).contains(&lang.len()) && lang.bytes().all(|it| it.is_ascii_alphabetic()) {
            self.named("lang", &lang.to_lowercase());
        }
        if region.len() == 2 && region.bytes().all(|it| it.is_ascii_alphabetic()) {
            self.named("region", &region.to_uppercase());
        }
        if let Some((year, month, day)) = date {
            let date = format!("datetime(year: {year}, month: {month}, day: {day})");
            self.draft.markup(&format!("date: {date}"));
        }
        self.draft.markup(")\n#b.front(");
        self.named("title", title);
        self.draft.markup("authors: (");
        for author in &settings.authors {
            self.draft.string(author);
            self.draft.markup(", ");
        }
        self.draft.markup("), ");
        for (name, value) in [
            ("description", Some(&settings.description)),
            ("license", Some(&settings.license)),
            ("updated", settings.updated.as_ref()),
            ("site", settings.site.as_ref()),
        ] {
            if let Some(value) = value.filter(|it| !it.is_empty()) {
                self.named(name, value);
            }
        }
        self.draft.markup(")\n");
    }

    fn named(&mut self, name: &str, value: &str) {
        self.draft.markup(name);
        self.draft.markup(": ");
        self.draft.string(value);
        self.draft.markup(", ");
    }

    fn contents(&mut self, volume: &Volume<'_>) {
        self.draft.markup("#b.back(");
        self.draft.define("contents");
        self.draft.markup("\"contents\", [Contents])[\n");
        let mut parted = false;
        for (at, entry) in volume.index.contents.iter().enumerate() {
            let key = entry_key(at, volume);
            if std::mem::replace(&mut parted, !entry.is_apart()) && entry.is_apart() {
                self.draft.markup("#b.contents-apart\n");
            }
            let function = match entry.target.kind {
                TargetKind::Part => "#b.contents-part(".to_owned(),
                TargetKind::Chapter
                | TargetKind::Section
                | TargetKind::Equation
                | TargetKind::Environment(_)
                | TargetKind::Figure
                | TargetKind::Table
                | TargetKind::Snippet
                | TargetKind::Symbol
                | TargetKind::Planned => format!("#b.contents-chapter({}, ", entry.depth),
            };
            self.contents_line(&function, key.as_deref(), &entry.target);
            if key.is_none() {
                continue;
            }
            for section in &entry.sections {
                let function = format!("#b.contents-section({}, ", entry.depth);
                self.contents_line(&function, key_of(section).as_deref(), section);
            }
        }
        self.draft.markup("]\n");
    }

    fn contents_line(&mut self, function: &str, key: Option<&str>, target: &Target) {
        self.draft.markup(function);
        self.optional(key);
        self.optional(Some(&target.number[..]).filter(|it| !it.is_empty()));
        self.title(&target.title);
        self.draft.markup(")\n");
    }

    fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.draft.string(text),
            None => self.draft.markup("none"),
        }
        self.draft.markup(", ");
    }

    fn body(&mut self, volume: &Volume<'_>) {
        let mut started = false;
        let mut left: Vec<usize> = (0..volume.chapters.len()).collect();
        for (at, entry) in volume.index.contents.iter().enumerate() {
            if entry.target.kind == TargetKind::Part {
                // A part of which nothing is written has a line in the contents, but no page.
                if is_written(at, volume) {
                    self.begin_part(&entry.target, &mut started);
                }
                continue;
            }
            let here = |index: &usize| is_of(entry, &volume.chapters[*index]);
            if let Some(at) = left.iter().position(here) {
                self.begin_chapter(left.remove(at), volume, &mut started);
            }
        }
        for index in left {
            self.begin_chapter(index, volume, &mut started);
        }
    }

    fn begin_part(&mut self, part: &Target, started: &mut bool) {
        let first = !std::mem::replace(started, true);
        if first {
            self.draft.markup("#set page(numbering: \"1\")\n");
        }
        let key = part_key(part);
        self.draft.define(&key);
        self.draft.markup("#b.part(");
        self.draft.string(&key);
        self.draft.markup(&format!(", first: {first}, "));
        if !part.number.is_empty() {
            self.named("number", &part.number);
        }
        self.title(&part.title);
        self.draft.markup(")\n");
    }

    fn begin_chapter(&mut self, index: usize, volume: &Volume<'_>, started: &mut bool) {
        let Chapter { document, links, .. } = volume.chapters[index];
        let first = !*started && links.number.is_some();
        if first {
            self.draft.markup("#set page(numbering: \"1\")\n");
            *started = true;
        }
        self.draft.markup("#b.chapter(");
        self.draft.string(&chapter_key(document, links));
        self.draft.markup(", ");
        if links.part.is_empty() {
            let title = Inline::Text(volume.book.settings.title.clone());
            self.title(&[title]);
        } else {
            self.title(&links.part);
        }
        self.draft.markup(", [");
        if let Some(number) = &links.number {
            self.draft.text(number);
            self.draft.markup("#h(.5em)#");
            self.title(&document.title);
        } else {
            self.draft.markup("#");
            self.title(&document.title);
        }
        self.draft.markup(&format!("], first: {first}, include \"/{}\")\n", path(index)));
    }

    fn formula_index(&mut self, volume: &Volume<'_>) {
        let named = |it: &&crate::link::FormulaEntry| !it.target.title.is_empty();
        if !volume.index.formulas.iter().any(|it| named(&it)) {
            return;
        }
        self.draft.define("formula-index");
        self.draft.markup("#b.back(\"formula-index\", [Index of formulas])[\n");
        for entry in volume.index.formulas.iter().filter(named) {
            self.draft.markup("#b.index-formula(");
            self.optional(key_of(&entry.target).as_deref());
            self.draft.string(&entry.target.number);
            self.draft.markup(", ");
            self.title(&entry.target.title);
            self.draft.markup(", ");
            let formula = Formula { style: Style::Display, ..entry.formula.clone() };
            match self.engine.render(&formula, &Facts::default()) {
                Ok(made) => {
                    self.draft.markup("b.display(");
                    self.draft.string(&made.plain);
                    self.draft.markup(", ");
                    self.draft.fragile(&format!("$ {} $", made.typst), &formula.tex);
                    self.draft.markup("))\n");
                }
                Err(_) => self.draft.markup("none)\n"),
            }
        }
        self.draft.markup("]\n");
    }

    fn notation(&mut self, volume: &Volume<'_>) {
        if volume.index.symbols.is_empty() {
            return;
        }
        self.draft.define("notation-index");
        self.draft.markup("#b.back(\"notation-index\", [Index of notation])[#b.symbols-head\n");
        let mut groups: BTreeMap<u32, Vec<&SymbolEntry>> = BTreeMap::new();
        for entry in &volume.index.symbols {
            groups.entry(first_chapter(&entry.symbol.scope)).or_default().push(entry);
        }
        for (chapter, entries) in groups {
            self.symbols_of(chapter, &entries, volume);
        }
        self.draft.markup("]\n");
    }

    /// Writes the symbols whose first chapter is `chapter`; 0 stands for the whole book.
    fn symbols_of(&mut self, chapter: u32, entries: &[&SymbolEntry], volume: &Volume<'_>) {
        let number = chapter.to_string();
        let own = volume.index.contents.iter().map(|it| &it.target);
        let own = own.filter(|it| it.kind != TargetKind::Part).find(|it| it.number == number);
        self.draft.markup("#b.symbols-group(");
        self.optional(Some(&number[..]).filter(|_| chapter > 0));
        match own {
            Some(target) => self.title(&target.title),
            None if chapter > 0 => self.draft.markup("[Chapter]"),
            None => self.draft.markup("[In the whole book]"),
        }
        self.draft.markup(")\n");
        for entry in entries {
            let scope = &entry.symbol.scope;
            let key = format!("sym:{}", entry.symbol.key);
            self.draft.markup("#b.index-symbol(");
            let fresh = self.draft.define(&key);
            self.optional(Some(&key[..]).filter(|_| fresh));
            self.draft.markup("[");
            self.math(&Formula { span: Span::NONE, ..entry.symbol.tex.clone() });
            self.draft.markup("], ");
            self.bracketed(&entry.symbol.meaning);
            self.draft.markup(", ");
            self.bracketed(&entry.symbol.shape);
            self.draft.markup(", ");
            let wider = chapter > 0 && *scope != number;
            self.optional(wider.then(|| format!("chapters\u{a0}{scope}")).as_deref());
            self.draft.markup("[");
            if let Some(first) = entry.formulas.first() {
                self.page_pointer(first);
            }
            self.draft.markup("])\n");
        }
    }

    /// "(8.3), p. 112", with the page always.
    fn page_pointer(&mut self, target: &Target) {
        let Some(key) = key_of(target) else { return };
        self.draft.markup("#b.where(");
        self.draft.string(&key);
        self.draft.markup(", ");
        self.draft.string(&target.number);
        self.draft.markup(")");
    }

    fn bibliography(&mut self, volume: &Volume<'_>) {
        if volume.index.works.is_empty() {
            return;
        }
        self.draft.define("bibliography");
        self.draft.markup("#b.back(\"bibliography\", [Bibliography])[\n");
        for entry in &volume.index.works {
            let key = format!("cite:{}", entry.key);
            self.draft.markup("#b.work(");
            let fresh = self.draft.define(&key);
            self.optional(Some(&key[..]).filter(|_| fresh));
            self.draft.markup("[");
            for piece in &entry.work.entry {
                if let Some(url) = &piece.url {
                    self.draft.markup("#link(");
                    self.draft.string(url);
                    self.draft.markup(")[");
                }
                self.draft.markup(if piece.italic { "#emph[" } else { "" });
                self.draft.text(&piece.text);
                self.draft.markup(if piece.italic { "]" } else { "" });
                self.draft.markup(if piece.url.is_some() { "]" } else { "" });
            }
            self.draft.markup("])\n");
        }
        self.draft.markup("]\n");
    }
}

/// Whether `entry` is the line of `chapter` in the contents.
fn is_of(entry: &ContentsEntry, chapter: &Chapter<'_>) -> bool {
    !entry.target.page.is_empty() && entry.target.page == chapter.links.page
}

/// The label in the PDF of a line of the contents, if what it names is in the PDF.
fn entry_key(at: usize, volume: &Volume<'_>) -> Option<String> {
    let entry = &volume.index.contents[at];
    if entry.target.kind == TargetKind::Part {
        return is_written(at, volume).then(|| part_key(&entry.target));
    }
    let chapter = volume.chapters.iter().find(|it| is_of(entry, it))?;
    Some(chapter_key(chapter.document, chapter.links))
}

/// Whether a chapter of the part at line `at` of the contents is written.
fn is_written(at: usize, volume: &Volume<'_>) -> bool {
    let rest = &volume.index.contents[at + 1..];
    let own = rest.iter().take_while(|it| it.target.kind != TargetKind::Part);
    let mut own = own.take_while(|it| !it.is_apart());
    own.any(|entry| volume.chapters.iter().any(|it| is_of(entry, it)))
}

/// The first chapter of a scope as the notation table has it, `8–14` or `2, 5`; 0 for the whole book.
fn first_chapter(scope: &str) -> u32 {
    let end = scope.find(|c: char| !c.is_ascii_digit()).unwrap_or(scope.len());
    scope[..end].parse().unwrap_or(0)
}

fn part_key(part: &Target) -> String {
    let unnamed = || format!("part:{}", crate::ir::plain(&part.title));
    part.label.as_ref().map_or_else(unnamed, |it| it.0.clone())
}

/// Year, month and day of `2026-07-22`; `None` if there is no such day.
pub(super) fn date(text: &str) -> Option<(u16, u8, u8)> {
    let mut parts = text.splitn(3, '-');
    let year: u16 = parts.next()?.parse().ok()?;
    let month: u8 = parts.next()?.parse().ok()?;
    let day: u8 = parts.next()?.get(..2)?.parse().ok()?;
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u8::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days).contains(&day).then_some((year, month, day))
}
