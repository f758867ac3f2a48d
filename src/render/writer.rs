//! What the parts of this stage share while they write one page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::address::{relative, root};
use super::strings::{self, Strings};
use super::{Chapter, Drawn, Frame, preview};
use crate::diag::Diagnostic;
use crate::eval::{Outputs, Placed};
use crate::html::Html;
use crate::ir::{Document, Inline, Label};
use crate::link::{Links, Target, TargetKind};
use crate::source::{FileId, Place, Span};

/// Writes the HTML of one page.
pub(super) struct Writer<'a> {
    pub frame: &'a Frame,
    pub document: Option<&'a Document>,
    pub outputs: &'a Outputs,
    pub links: &'a Links,
    /// Path of the page below the site's root.
    pub page: &'a str,
    /// The file that spans of formulas are of; `None` where spans have left their files.
    pub file: Option<FileId>,
    pub words: &'static Strings,
    pub out: Html,
    pub diagnostics: Vec<Diagnostic>,
    /// Classes that stand for the declarations of the formulas.
    pub styles: BTreeMap<String, String>,
    /// The named formulas so far.
    pub drawn: BTreeMap<Label, Drawn>,
    /// What links to places of this page show, by the names of the fragments.
    pub previews: BTreeMap<String, Arc<str>>,
    /// Environments and displays so far; their numbers are listed in reading order.
    pub environments: usize,
    pub displays: usize,
    /// Keys of the works cited so far.
    pub cited: BTreeSet<String>,
    /// How often each footnote was mentioned so far.
    pub mentions: BTreeMap<usize, usize>,
    /// Outputs that a figure of the chapter places, which are not shown under their snippet.
    pub placed: Placed,
    /// In a title or a link: nothing may be a link itself.
    pub calm: bool,
}

impl<'a> Writer<'a> {
    /// A writer for the page of a chapter.
    pub(super) fn of_chapter(chapter: &Chapter<'a>) -> Self {
        let Chapter { frame, document, outputs, links } = *chapter;
        let mut writer = Self::new(frame, outputs, links, &links.page);
        writer.document = Some(document);
        writer.file = Some(document.file.clone());
        writer.placed = Placed::of(document);
        writer
    }

    /// A writer for the page at `page`.
    pub(super) fn new(
        frame: &'a Frame,
        outputs: &'a Outputs,
        links: &'a Links,
        page: &'a str,
    ) -> Self {
        Self {
            frame,
            document: None,
            outputs,
            links,
            page,
            file: None,
            words: strings::of(&frame.book.settings.language),
            out: Html::new(),
            diagnostics: Vec::new(),
            styles: BTreeMap::new(),
            drawn: BTreeMap::new(),
            previews: BTreeMap::new(),
            environments: 0,
            displays: 0,
            cited: BTreeSet::new(),
            mentions: BTreeMap::new(),
            placed: Placed::default(),
            calm: false,
        }
    }

    /// What `body` writes, apart from the page.
    pub(super) fn apart(&mut self, body: impl FnOnce(&mut Self)) -> Html {
        let before = std::mem::take(&mut self.out);
        body(self);
        std::mem::replace(&mut self.out, before)
    }

    /// What `body` writes, apart from the page and without links.
    pub(super) fn calmly(&mut self, body: impl FnOnce(&mut Self)) -> Html {
        let before = std::mem::replace(&mut self.calm, true);
        let html = self.apart(body);
        self.calm = before;
        html
    }

    /// A title as HTML without links, fit to stand in one.
    pub(super) fn title(&mut self, title: &[Inline]) -> Html {
        self.calmly(|it| it.inlines(title))
    }

    /// The address of something below the site's root, as seen from this page.
    pub(super) fn href(&self, to: &str) -> String {
        match self.elsewhere() {
            Some(root) => format!("{root}{}", relative("", to)),
            None => relative(self.page, to),
        }
    }

    /// The way to the site's root.
    pub(super) fn root(&self) -> String {
        self.elsewhere().unwrap_or_else(|| root(self.page))
    }

    /// The root of a page that a host shows at any address: the one for what is not there.
    fn elsewhere(&self) -> Option<String> {
        let site = self.frame.book.settings.site.as_ref().filter(|_| self.page == "404.html")?;
        let (_, path) = site.split_once("://")?;
        let folder = path.find('/').map_or("/", |it| &path[it..]);
        Some(format!("{}/", folder.trim_end_matches('/')))
    }

    /// The place of `span`, if spans have a file here.
    pub(super) fn place(&self, span: Span) -> Option<Place> {
        let file = self.file.clone()?;
        Some(Place { file, span })
    }

    /// Writes a link to `target` with `body` inside; no link where none can be.
    pub(super) fn to(&mut self, target: &Target, class: &str, body: impl FnOnce(&mut Self)) {
        if !target.is_written() {
            let classes = [("class", Some("planned")), ("title", Some(self.words.planned))];
            self.out.open("span", &classes);
            body(self);
            self.out.close("span");
        } else if self.calm {
            body(self);
        } else {
            let href = self.href(&target.href());
            let class = Some(class).filter(|it| !it.is_empty());
            let shown = preview::of(target);
            let attributes =
                [("class", class), ("href", Some(&href[..])), ("data-preview", shown.as_deref())];
            self.out.open("a", &attributes);
            let before = std::mem::replace(&mut self.calm, true);
            body(self);
            self.calm = before;
            self.out.close("a");
        }
    }

    /// Writes what a reference without words of its own shows: "Equation 8.3".
    pub(super) fn name_of(&mut self, target: &Target) {
        let word = target.word();
        match (word.is_empty(), target.number.is_empty(), target.title.is_empty()) {
            (false, false, _) => {
                self.out.text(word).text("\u{a0}").text(&target.number);
            }
            (_, _, false) => {
                let title = self.title(&target.title);
                self.out.html(&title);
            }
            (false, true, true) => {
                self.out.text(word);
            }
            (true, false, true) => {
                self.out.text(&target.number);
            }
            (true, true, true) => {
                let label = target.label.as_ref().map_or(&target.anchor, |it| &it.0);
                self.out.text(label);
            }
        }
    }

    /// Writes links to `targets`, each by its short name, with commas between; semicolons where a
    /// name may have commas of its own.
    pub(super) fn names(&mut self, targets: &[&Target]) {
        for (index, target) in targets.iter().enumerate() {
            self.out.markup(if index > 0 { crate::link::between(targets) } else { "" });
            self.to(target, "ref", |it| {
                it.name_of(target);
                if target.kind == TargetKind::Chapter && !target.number.is_empty() {
                    let title = it.title(&target.title);
                    it.out.markup(", ").html(&title);
                }
            });
        }
    }

    /// A list as plain words, formulas too.
    pub(super) fn plain(&mut self, list: &[Inline]) -> String {
        let mut out = String::new();
        for inline in list {
            self.plain_one(inline, &mut out);
        }
        out
    }

    fn plain_one(&mut self, inline: &Inline, out: &mut String) {
        match inline {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::Emphasis(it) | Inline::Strong(it) | Inline::Strike(it) => {
                out.push_str(&self.plain(it));
            }
            Inline::Math(formula) => out.push_str(&self.math_plain(&formula.tex)),
            Inline::Value(value) => {
                let written = crate::eval::value(self.outputs, &value.path)
                    .and_then(|it| it.written(value.format));
                out.push_str(&written.map_or_else(String::new, |it| it.text()));
            }
            Inline::Link { body, .. } => out.push_str(&self.plain(body)),
            Inline::Reference(it) if it.body.is_empty() => {
                let links = self.links;
                if let Some(target) = links.targets.get(&it.to) {
                    let text = match (target.word(), &target.number[..]) {
                        ("", _) | (_, "") => self.plain(&target.title),
                        (word, number) => format!("{word}\u{a0}{number}"),
                    };
                    out.push_str(&text);
                }
            }
            Inline::Reference(it) => out.push_str(&self.plain(&it.body)),
            Inline::Citation { body, .. } => out.push_str(&self.plain(body)),
            Inline::Image { alt, .. } => out.push_str(alt),
            Inline::Footnote(_) | Inline::Html(_) => {}
            Inline::SoftBreak | Inline::HardBreak => out.push(' '),
        }
    }
}
