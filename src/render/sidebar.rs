//! The contents as a tree: beside every page, and as a page.

use super::views::Base;
use super::writer::Writer;
use crate::html::{Html, encoded};
use crate::ir::{BlockKind, Heading};
use crate::link::{ContentsEntry, Target, TargetKind};

/// Pages of the whole book that the tree leads to.
fn extras(words: &super::strings::Strings) -> [(&'static str, &'static str); 3] {
    [
        ("formulas.html", words.formula_index),
        ("symbols.html", words.notation),
        ("bibliography.html", words.bibliography),
    ]
}

impl<'a> Writer<'a> {
    /// What every template sees.
    pub(super) fn base(&mut self, title: &str, description: &str) -> Base {
        let frame = self.frame;
        let settings = &frame.book.settings;
        let or = |text: &str, other: &str| {
            if text.is_empty() { other.to_owned() } else { text.to_owned() }
        };
        let sidebar = self.sidebar();
        Base {
            language: or(&settings.language, "en"),
            direction: direction(&settings.language),
            title: match title {
                "" => settings.title.clone(),
                title => format!("{title} · {}", settings.title),
            },
            description: or(description, &settings.description),
            canonical: settings
                .site
                .as_ref()
                .map(|it| format!("{it}{}", encoded(canonical(self.page)))),
            root: self.root(),
            book: settings.title.clone(),
            authors: settings.authors.join(", "),
            license: settings.license.clone(),
            updated: settings.updated.clone().unwrap_or_default(),
            sidebar: sidebar.into_string(),
            pdf: frame.pdf.as_ref().map(|it| self.href(it)),
            words: self.words,
        }
    }

    fn sidebar(&mut self) -> Html {
        let frame = self.frame;
        let words = self.words;
        self.apart(|it| {
            it.tree(&frame.contents, false);
            it.out.markup("<ul class=\"tree extras\">\n");
            for (page, title) in extras(words) {
                let current = (it.page == page).then_some("page");
                let href = it.href(page);
                it.out
                    .markup("<li>")
                    .open("a", &[("href", Some(&href)), ("aria-current", current)]);
                it.out.text(title).markup("</a></li>\n");
            }
            it.out.markup("</ul>\n");
        })
    }

    /// Writes the contents. `whole`: with the sections and reading times of all chapters, else
    /// with the sections of this one.
    pub(super) fn tree(&mut self, contents: &[ContentsEntry], whole: bool) {
        let mut open = false;
        let mut parts = false;
        for entry in contents {
            let target = &entry.target;
            if target.kind == TargetKind::Part {
                self.out.markup(if open { "</ol>\n" } else { "" });
                open = false;
                parts = true;
                let title = self.title(&target.title);
                let id = whole.then_some(&target.anchor[..]).filter(|it| !it.is_empty());
                let tag = if whole { "h2" } else { "p" };
                self.out.open(tag, &[("class", Some("part")), ("id", id)]).html(&title);
                self.out.close(tag).markup("\n");
                continue;
            }
            // What follows the last part is in none.
            let apart = parts && entry.is_apart();
            self.out.markup(if apart && open { "</ol>\n" } else { "" });
            self.out.markup(match (open, apart) {
                (_, true) => "<ol class=\"tree apart\">\n",
                (true, false) => "",
                (false, false) => "<ol class=\"tree\">\n",
            });
            parts &= !apart;
            open = true;
            self.tree_entry(entry, whole);
        }
        self.out.markup(if open { "</ol>\n" } else { "" });
    }

    fn tree_entry(&mut self, entry: &ContentsEntry, whole: bool) {
        let target = &entry.target;
        let class = format!("depth-{}", entry.depth.min(3));
        let current = target.is_written() && target.page == self.page;
        self.out.open("li", &[("class", Some(&class))]);
        let title = self.title(&target.title);
        if target.is_written() {
            let href = self.href(&target.page);
            let page = current.then_some("page");
            self.out.open("a", &[("href", Some(&href)), ("aria-current", page)]);
            self.numbered(&target.number, &title);
            self.out.close("a");
        } else {
            self.out.markup("<span class=\"planned\">");
            self.numbered(&target.number, &title);
            self.out.markup(" <span class=\"tag\">").text(self.words.planned);
            self.out.markup("</span></span>");
        }
        if whole && entry.minutes > 0 {
            // Of its own direction: `12 min` is not turned round in a book that runs to the left.
            self.out.markup(" <bdi class=\"minutes\">").text(&entry.minutes.to_string());
            self.out.text("\u{a0}").text(self.words.reading_minutes).markup("</bdi>");
        }
        if whole {
            self.sections(entry.sections.iter());
        } else if current {
            let sections = self.own_sections();
            self.sections(sections.iter());
        }
        self.out.markup("</li>\n");
    }

    fn sections<'t>(&mut self, sections: impl Iterator<Item = &'t Target>) {
        let mut any = false;
        for section in sections {
            self.out.markup(if any { "" } else { "\n<ol>\n" });
            any = true;
            let title = self.title(&section.title);
            let href = self.href(&section.href());
            self.out.markup("<li>").open("a", &[("href", Some(&href))]);
            self.numbered(&section.number, &title);
            self.out.markup("</a></li>\n");
        }
        self.out.markup(if any { "</ol>" } else { "" });
    }

    fn numbered(&mut self, number: &str, title: &Html) {
        if !number.is_empty() {
            self.out.markup("<span class=\"n\">").text(number).markup("</span> ");
        }
        self.out.html(title);
    }

    /// The headings of this chapter.
    pub(super) fn headings(&self) -> Vec<&'a Heading> {
        let blocks = self.document.iter().flat_map(|it| &it.blocks);
        blocks
            .filter_map(|it| match &it.kind {
                BlockKind::Heading(heading) => Some(heading),
                _ => None,
            })
            .collect()
    }

    fn own_sections(&self) -> Vec<Target> {
        let target = |it: &Heading| Target {
            number: self.links.headings.get(&it.anchor).cloned().unwrap_or_default(),
            title: crate::ir::detached(&it.body),
            page: self.page.to_owned(),
            anchor: it.anchor.clone(),
            ..Target::default()
        };
        self.headings().into_iter().filter(|it| it.level == 2).map(target).collect()
    }
}

/// The address of a page at its host: the home page is the folder.
fn canonical(page: &str) -> &str {
    page.strip_suffix("index.html").filter(|it| it.is_empty() || it.ends_with('/')).unwrap_or(page)
}

/// In which direction a language is written.
fn direction(language: &str) -> &'static str {
    match language.split('-').next().unwrap_or_default() {
        "ar" | "fa" | "he" | "ur" | "yi" => "rtl",
        _ => "ltr",
    }
}
