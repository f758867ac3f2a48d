//! A chapter to its page.

use super::views::{self, Link, Section};
use super::writer::Writer;
use super::{Chapter, Page};
use super::{preview, theme};
use crate::diag::Checked;
use crate::html::Html;
use crate::ir::{Document, Label};
use crate::link::{Links, Target, TargetKind};

/// Renders the page of one chapter.
pub(super) fn page(chapter: &Chapter<'_>) -> Checked<Page> {
    let mut writer = Writer::of_chapter(chapter);
    let Chapter { document, links, .. } = *chapter;
    // The summary counts as text, so that its footnotes and citations are listed.
    let summary = writer.apart(|it| it.inlines(&document.front.summary));
    let body = writer.apart(|it| {
        it.blocks(&document.blocks);
        it.footnotes();
        it.bibliography();
    });
    let name = writer.plain(&document.title);
    let description = writer.plain(&document.front.summary);
    keep_chapter(&mut writer, links, document, &summary);
    let view = views::Chapter {
        base: writer.base(&name, &description),
        part: writer.title(&links.part).into_string(),
        number: links.number.clone().unwrap_or_default(),
        title: writer.title(&document.title).into_string(),
        summary: summary.into_string(),
        minutes: crate::link::minutes(document),
        prerequisites: prerequisites(chapter, &mut writer),
        sections: sections(&mut writer),
        body: body.as_str().to_owned(),
        previous: links.previous.as_ref().map(|it| writer.link_to(it)),
        next: links.next.as_ref().map(|it| writer.link_to(it)),
    };
    let Writer { frame, mut diagnostics, styles, drawn, previews, .. } = writer;
    let html = theme::fill(&frame.theme, "page.html", &view, &body, &mut diagnostics);
    let html = html.into();
    Checked { value: Page { path: links.page.clone(), html, styles, drawn, previews }, diagnostics }
}

/// Keeps what links to the chapter show: its number, its title and its summary.
fn keep_chapter(writer: &mut Writer<'_>, links: &Links, document: &Document, summary: &Html) {
    let target = Target {
        kind: TargetKind::Chapter,
        number: links.number.clone().unwrap_or_default(),
        title: document.title.clone(),
        page: links.page.clone(),
        ..Target::default()
    };
    let head = writer.called(&target);
    writer.keep_html("", &head, &format!("<p>{}</p>\n", preview::bare(summary.as_str())));
}

fn prerequisites(chapter: &Chapter<'_>, writer: &mut Writer<'_>) -> Vec<Link> {
    let Chapter { document, links, .. } = *chapter;
    let known = |it: &Label| links.target(&it.0).or_else(|| links.target(&format!("ch:{it}")));
    let found = document.front.prerequisites.iter().filter_map(|it| known(&it.value));
    found.map(|it| writer.link_to(it)).collect()
}

/// Sections of level 2 and 3.
fn sections(writer: &mut Writer<'_>) -> Vec<Section> {
    let links = writer.links;
    let headings = writer.headings();
    let shown = headings.into_iter().filter(|it| it.level <= 3);
    shown
        .map(|it| {
            let link = Link {
                href: super::address::relative("", &format!("#{}", it.anchor)),
                number: links.headings.get(&it.anchor).cloned().unwrap_or_default(),
                title: writer.title(&it.body).into_string(),
            };
            Section { level: it.level, link }
        })
        .collect()
}

impl Writer<'_> {
    /// A link for a template.
    pub(super) fn link_to(&mut self, target: &Target) -> Link {
        let title = self.title(&target.title);
        let title = if title.is_empty() { self.calmly(|it| it.name_of(target)) } else { title };
        Link {
            href: if target.is_written() { self.href(&target.href()) } else { String::new() },
            number: target.number.clone(),
            title: title.into_string(),
        }
    }
}
