//! `SUMMARY.md` to the outline of the book.

use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use super::tree::Tree;
use super::{checks, codes, inlines, links, mask, names};
use crate::diag::Diagnostic;
use crate::ir::{ChapterEntry, Entry, Inline, PAGES, plain};
use crate::source::{FileId, Place, Source, Span};

/// The outline that `summary` lists; `sources` are the files of the book.
pub(super) fn outline(
    summary: &Source,
    sources: &BTreeMap<FileId, Source>,
    out: &mut Vec<Diagnostic>,
) -> Vec<Entry> {
    let masked = mask::mask(summary, 0);
    let mut tree = Tree::new(summary, &masked);
    let lines = tree.summary();
    out.extend(masked.finds.diagnostics.iter().cloned());
    out.append(&mut tree.diagnostics);
    let (entries, counts, seen) = (Vec::new(), Vec::new(), BTreeMap::new());
    let mut writer = Writer { summary, sources, entries, counts, seen, out };
    for line in lines {
        match line {
            Line::Part(entry) => writer.entries.push(entry),
            Line::Chapter(link) => writer.chapter(link, None),
            Line::List(items) => writer.items(items, 0),
        }
    }
    let entries = writer.entries;
    if !entries.iter().any(|it| matches!(it, Entry::Chapter(_))) {
        let place = summary.place(Span::NONE);
        let help = "list them in `SUMMARY.md`: `- [Title](file.md)`";
        out.push(
            Diagnostic::error(codes::EMPTY_BOOK, place, "the book has no chapters").help(help),
        );
    }
    entries
}

/// What stands in the outline.
enum Line {
    Part(Entry),
    /// A chapter before or behind the numbered ones.
    Chapter(Link),
    List(Vec<Item>),
}

struct Link {
    title: Vec<Inline>,
    url: String,
    range: Range<usize>,
}

/// A numbered chapter and those nested in it.
#[derive(Default)]
struct Item {
    link: Option<Link>,
    inner: Vec<Item>,
}

impl Tree<'_> {
    fn summary(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        while let Some((event, range)) = self.next() {
            match event {
                Event::Start(Tag::Heading { .. }) => {
                    let part = self.part(&range);
                    // mdBook's files begin with a heading that is no part.
                    let words = if let Entry::Part { title, .. } = &part {
                        plain(title)
                    } else {
                        String::new()
                    };
                    if !lines.is_empty() || !words.eq_ignore_ascii_case("summary") {
                        lines.push(Line::Part(part));
                    }
                }
                Event::Start(Tag::Paragraph) => {
                    let links = self.inside(&range, |it| it.links(&range));
                    lines.extend(links.into_iter().map(Line::Chapter));
                }
                Event::Start(Tag::List(_)) => {
                    lines.push(Line::List(self.inside(&range, Self::items)));
                }
                Event::Start(Tag::HtmlBlock) => self.skip(),
                Event::Start(_) => {
                    self.odd(&range);
                    self.skip();
                }
                Event::End(_)
                | Event::Text(_)
                | Event::Code(_)
                | Event::InlineMath(_)
                | Event::DisplayMath(_)
                | Event::Html(_)
                | Event::InlineHtml(_)
                | Event::FootnoteReference(_)
                | Event::SoftBreak
                | Event::HardBreak
                | Event::Rule
                | Event::TaskListMarker(_) => {}
            }
        }
        lines
    }

    fn part(&mut self, range: &Range<usize>) -> Entry {
        let title = self.inside(range, Self::inlines);
        let list = self.attributes(range);
        if let Some(list) = list {
            self.check(list, &checks::PART);
        }
        Entry::Part { title, label: list.and_then(|it| it.labels.first().cloned()) }
    }

    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while let Some((Event::Start(Tag::Item), range)) = self.peek() {
            let range = range.clone();
            self.next();
            items.push(self.inside(&range, |it| it.summary_item(&range)));
        }
        items
    }

    fn summary_item(&mut self, range: &Range<usize>) -> Item {
        let mut item = Item::default();
        while let Some((event, inner)) = self.peek() {
            let inner = inner.clone();
            match event {
                Event::End(_) => break,
                Event::Start(Tag::List(_)) => {
                    self.next();
                    item.inner.extend(self.inside(&inner, Self::items));
                }
                Event::Start(Tag::Paragraph) => {
                    self.next();
                    let links = self.inside(&inner, |it| it.links(&inner));
                    item.link = item.link.or(links.into_iter().next());
                }
                Event::Start(tag) if inlines::is_block(tag) => {
                    self.next();
                    self.odd(&inner);
                    self.skip();
                }
                Event::Rule => drop(self.next()),
                _ => {
                    let links = self.links(range);
                    item.link = item.link.or(links.into_iter().next());
                }
            }
        }
        item
    }

    /// The links of a paragraph, or of an item before the list inside it.
    fn links(&mut self, around: &Range<usize>) -> Vec<Link> {
        let mut links = Vec::new();
        let mut odd = false;
        while let Some((event, range)) = self.peek() {
            let range = range.clone();
            match event {
                Event::End(_) | Event::Rule => break,
                Event::Start(Tag::Link { dest_url, .. }) => {
                    let url = dest_url.to_string();
                    self.next();
                    let title = self.inside(&range, Self::inlines);
                    links.push(Link { title, url, range });
                }
                Event::Start(tag) if inlines::is_block(tag) => break,
                Event::Start(_) => {
                    odd = true;
                    self.next();
                    self.skip();
                }
                Event::SoftBreak | Event::HardBreak => drop(self.next()),
                _ => {
                    odd |= !self.slice(range).trim().is_empty();
                    self.next();
                }
            }
        }
        if odd || links.is_empty() {
            self.odd(around);
        }
        links
    }

    fn odd(&mut self, range: &Range<usize>) {
        let text = self.slice(range.clone());
        let line = range.start..range.start + text.find('\n').unwrap_or(text.len());
        let message = "this line of the outline is no part, chapter or rule";
        self.warn(codes::SUMMARY_LINE, line, message, "a chapter is written `- [Title](file.md)`");
    }
}

/// Gives the chapters their files and numbers.
struct Writer<'a> {
    summary: &'a Source,
    sources: &'a BTreeMap<FileId, Source>,
    entries: Vec<Entry>,
    /// How many chapters there are so far at each depth around the current one.
    counts: Vec<u32>,
    /// Where each file is listed.
    seen: BTreeMap<FileId, Span>,
    out: &'a mut Vec<Diagnostic>,
}

impl Writer<'_> {
    fn items(&mut self, items: Vec<Item>, depth: usize) {
        for item in items {
            if let Some(link) = item.link {
                self.chapter(link, Some(depth));
            }
            self.items(item.inner, depth + 1);
        }
    }

    fn chapter(&mut self, link: Link, depth: Option<usize>) {
        let span: Span = link.range.clone().into();
        let Ok(file) = self.file(&link, span) else { return };
        let number = depth.map(|it| self.count(it));
        let depth = u8::try_from(depth.unwrap_or(0)).unwrap_or(u8::MAX);
        let title = link.title;
        self.entries.push(Entry::Chapter(ChapterEntry { title, file, number, depth, span }));
    }

    fn count(&mut self, depth: usize) -> String {
        self.counts.resize(depth + 1, 0);
        self.counts[depth] += 1;
        let numbers: Vec<_> = self.counts.iter().map(u32::to_string).collect();
        numbers.join(".")
    }

    /// A page of the whole book would take the place of a chapter of its name.
    fn check_page(&mut self, file: &FileId, place: Place) {
        let Some(page) = PAGES.iter().find(|it| it.eq_ignore_ascii_case(file.stem())) else {
            return;
        };
        let message = format!("`{page}.html` is a page that the book makes by itself");
        let help = format!("give `{file}` another name, as `{}-chapter.md`", file.stem());
        self.out.push(Diagnostic::error(codes::CHAPTER_NAME, place, message).help(help));
    }

    /// The file of a chapter; none if it is planned, an error if the line is to be left out.
    fn file(&mut self, link: &Link, span: Span) -> Result<Option<FileId>, ()> {
        let path = link.url.split('#').next().unwrap_or_default();
        if path.is_empty() {
            return Ok(None);
        }
        let place = self.summary.place(span);
        let file = links::resolve(&self.summary.file, path);
        if let Some(first) = self.seen.get(&file) {
            let message = format!("`{file}` is listed twice");
            let first = self.summary.place(*first);
            let diagnostic = Diagnostic::error(codes::DUPLICATE_CHAPTER, place, message);
            let diagnostic =
                diagnostic.help("a chapter has one place in the book; remove this line");
            self.out.push(diagnostic.related(first, "it is listed here first"));
            return Err(());
        }
        self.seen.insert(file.clone(), span);
        if self.sources.contains_key(&file) {
            self.check_page(&file, place);
            return Ok(Some(file));
        }
        if let Some((message, help)) = names::refused(&file) {
            self.out.push(Diagnostic::error(codes::CHAPTER_NAME, place, message).help(help));
            return Ok(None);
        }
        let message = format!("there is no file `{file}` in the book folder");
        let known = self.sources.keys().filter(|it| it.path().ends_with(".md"));
        let help = match checks::near(file.stem(), known.map(FileId::stem)) {
            Some(near) => format!("did you mean `{near}.md`?"),
            None => "write the file, or `[Title]()` for a chapter that is planned".to_string(),
        };
        self.out.push(Diagnostic::error(codes::MISSING_CHAPTER, place, message).help(help));
        Ok(None)
    }
}
