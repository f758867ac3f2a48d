//! What a link shows before it is followed: a fragment of HTML for each place that links lead to.
//!
//! A fragment is made with the page that the place is on, of what the page has anyway. A link says
//! by `data-preview` which fragment it shows; the script fetches it when somebody wants to see it.

use std::sync::Arc;

use super::Page;
use super::writer::Writer;
use crate::html::Html;
use crate::ir::{Label, Spanned};
use crate::link::{Target, TargetKind};
use crate::memo::fingerprint;

/// The folder of the fragments.
const FOLDER: &str = "preview";

/// A name with more bytes than this is cut: file systems allow 255.
const LONGEST: usize = 120;

/// A fragment takes blocks as long as they are not more than this together.
pub(super) const ENOUGH: usize = 10 * 1024;

/// Links that say nothing beside what they lead to: numbers at the margin, names of snippets, marks.
const DROPPED: [&str; 4] =
    ["class=\"number\"", "class=\"snippet-id\"", "class=\"permalink\"", "role=\"doc-noteref\""];

/// A drawing of more bytes is not shown, only its caption.
pub(super) const LARGEST: usize = 96 * 1024;

/// Blocks of a section that show what it is about.
pub(super) const BLOCKS: usize = 2;

/// The fragment that links to `target` show; `None` where there is nothing to be shown.
pub(super) fn of(target: &Target) -> Option<String> {
    let is_shown = match target.kind {
        TargetKind::Part | TargetKind::Planned => false,
        // An anchor in the author's own HTML is a section without a title.
        TargetKind::Section => !target.title.is_empty(),
        TargetKind::Chapter
        | TargetKind::Equation
        | TargetKind::Environment(_)
        | TargetKind::Figure
        | TargetKind::Table
        | TargetKind::Snippet
        | TargetKind::Symbol => target.is_written(),
    };
    is_shown.then(|| name(&target.page, &target.anchor))
}

/// The name of the fragment for a place: the page, and the anchor if there is one. It is fit for an
/// address and for every file system: `:` is written `.`, an upper-case letter `~` and the lower-case
/// one, and any other byte `_` and two digits.
pub(super) fn name(page: &str, anchor: &str) -> String {
    let page = page.strip_suffix(".html").unwrap_or(page);
    let mut out: String = page.split('/').map(plain).collect::<Vec<_>>().join("/");
    if !anchor.is_empty() {
        out.push('/');
        out.push_str(&plain(anchor));
    }
    out
}

fn plain(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' => out.push(char::from(byte)),
            b'A'..=b'Z' => out.extend(['~', char::from(byte.to_ascii_lowercase())]),
            b':' => out.push('.'),
            other => out.push_str(&format!("_{other:02x}")),
        }
    }
    if out.len() > LONGEST {
        out.truncate(LONGEST);
        out.push_str(&format!("~~{:016x}", fingerprint(&text) >> 64));
    }
    out
}

/// The files of the fragments of `pages`: path → HTML.
pub(super) fn files<'a>(pages: &'a [&Page]) -> impl Iterator<Item = (String, Arc<str>)> + 'a {
    let all = pages.iter().flat_map(|it| &it.previews);
    all.map(|(name, html)| (format!("{FOLDER}/{name}.txt"), html.clone()))
}

impl Writer<'_> {
    /// How much of the page is written.
    pub(super) fn written_so_far(&self) -> usize {
        self.out.as_str().len()
    }

    /// Keeps what was written since `start`, up to `end`, as what links to `anchor` show.
    pub(super) fn keep(&mut self, anchor: &str, head: &Html, start: usize, end: usize) {
        let cut = end < self.written_so_far();
        let body = bare(&self.out.as_str()[start..end]);
        let more = if cut { "<p class=\"preview-more\">…</p>" } else { "" };
        self.keep_html(anchor, head, &format!("{body}{more}"));
    }

    /// Keeps a fragment of HTML that is no link and has none.
    pub(super) fn keep_html(&mut self, anchor: &str, head: &Html, body: &str) {
        let head = bare(head.as_str());
        let html = format!("<p class=\"preview-head\">{head}</p>\n{}", body.trim_start());
        self.previews.insert(name(self.page, anchor), html.into());
    }

    /// Keeps what was written since `start` for a thing with labels, which is called by its word,
    /// number and title.
    pub(super) fn keep_labelled(&mut self, labels: &[Spanned<Label>], start: usize) {
        let Some(label) = labels.first() else { return };
        self.keep_label(&label.value.0, start);
    }

    /// Keeps what was written since `start` for the thing with this label.
    pub(super) fn keep_label(&mut self, label: &str, start: usize) {
        let links = self.links;
        let Some(target) = links.target(label) else { return };
        let head = self.called(target);
        self.keep(&target.anchor, &head, start, self.written_so_far());
    }

    /// Word, number and title of a target.
    pub(super) fn called(&mut self, target: &Target) -> Html {
        let title = self.title(&target.title);
        let mut out = Html::new();
        if !target.number.is_empty() && !target.word().is_empty() {
            out.markup("<span class=\"preview-number\">").text(target.word()).text("\u{a0}");
            out.text(&target.number).markup("</span> ");
        } else if title.is_empty() {
            out.text(target.word());
        }
        out.html(&title);
        out
    }
}

/// HTML without links, anchors and buttons: a fragment is shown on many pages, beside the link that
/// leads to what it shows.
pub(super) fn bare(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let tag = &rest[at..at + tag_length(&rest[at..])];
        rest = &rest[at + tag.len()..];
        let name = tag.trim_start_matches(['<', '/']);
        let name = &name[..name.find(|it: char| !it.is_alphanumeric()).unwrap_or(name.len())];
        match name {
            "a" if DROPPED.iter().any(|it| tag.contains(it)) => {
                rest = rest.split_once("</a>").map_or("", |it| it.1);
            }
            "a" => {}
            "button" if tag.starts_with("</") => {}
            "button" => rest = rest.split_once("</button>").map_or("", |it| it.1),
            _ => bare_tag(tag, &mut out),
        }
    }
    out.push_str(rest);
    // Places to jump to are empty now.
    out.replace("<span class=\"anchor\"></span>", "")
}

/// Bytes of the tag that `html` begins with. A `>` within quotes does not end it.
fn tag_length(html: &str) -> usize {
    let mut quote = None;
    for (at, c) in html.char_indices() {
        match (quote, c) {
            (None, '>') => return at + 1,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    html.len()
}

/// Writes a tag without the attributes that have a meaning on its own page alone.
fn bare_tag(tag: &str, out: &mut String) {
    const OWN: [&str; 3] = [" id=\"", " data-preview=\"", " tabindex=\""];
    let mut rest = tag;
    while let Some((at, own)) = OWN.iter().filter_map(|it| Some((rest.find(it)?, it))).min() {
        out.push_str(&rest[..at]);
        let value = &rest[at + own.len()..];
        rest = value.find('"').map_or("", |it| &value[it + 1..]);
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_fit_for_every_file_system() {
        for (page, anchor, expected) in [
            ("a.html", "", "a"),
            ("part/A b.html", "eq:Q_k", "part/~a_20b/eq.~q_5fk"),
            ("a.html", "γ", "a/_ce_b3"),
            ("a.html", "..", "a/_2e_2e"),
        ] {
            assert_eq!(name(page, anchor), expected);
        }
        let long = "é".repeat(100);
        let (one, other) = (name("a.html", &long), name("a.html", &format!("{long}2")));
        assert_ne!(one, other);
        assert!(one.len() < 150 && other.len() < 150);
    }

    #[test]
    fn a_fragment_has_no_links_anchors_and_buttons() {
        let html = "<div id=\"x\" class=\"b\"><a href=\"#>\" title='>'>x</a>, 1 &lt; 2\
                    <a class=\"number\" href=\"#y\">(8.3)</a>\
                    <span class=\"anchor\" id=\"y\"></span><button type=\"button\">Copy</button>\
                    <i data-preview=\"a/b\">Q</i><abbr tabindex=\"0\" lang=\"en\">c</abbr>";
        let expected = "<div class=\"b\">x, 1 &lt; 2<i>Q</i><abbr lang=\"en\">c</abbr>";
        assert_eq!(bare(html), expected);
        assert_eq!(
            (bare("<"), bare("a<a href="), bare("<button>x")),
            ("<".into(), "a".into(), String::new())
        );
    }
}
