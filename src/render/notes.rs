//! What stands below a chapter's text: footnotes and the works that it cites.

use super::writer::Writer;
use crate::cite::Piece;
use crate::html::Html;

impl Writer<'_> {
    /// Writes the footnotes.
    pub(super) fn footnotes(&mut self) {
        let Some(document) = self.document.filter(|it| !it.footnotes.is_empty()) else { return };
        let words = self.words;
        let attributes = [
            ("class", Some("footnotes")),
            ("role", Some("doc-endnotes")),
            ("aria-label", Some(words.footnotes)),
        ];
        self.out.open("section", &attributes).markup("\n<ol>\n");
        for (index, note) in document.footnotes.iter().enumerate() {
            let number = index + 1;
            self.out.open("li", &[("id", Some(&format!("fn:{number}")))]).markup("\n");
            let href = format!("#fnref:{number}");
            let attributes = [
                ("class", Some("back")),
                ("href", Some(&href[..])),
                ("role", Some("doc-backlink")),
                ("aria-label", Some(words.back_to_text)),
            ];
            let mut back = Html::new();
            back.open("a", &attributes).markup("↩</a>");
            self.blocks_with_end(&note.blocks, &back);
            self.out.markup("</li>\n");
        }
        self.out.markup("</ol></section>\n");
    }

    /// Writes the works that were cited so far, in the order of the bibliography.
    pub(super) fn bibliography(&mut self) {
        let links = self.links;
        let mut works: Vec<_> = links.works.iter().filter(|it| self.cited.contains(it.0)).collect();
        if works.is_empty() {
            return;
        }
        works.sort_by_key(|it| it.1.order);
        self.out.markup("<section class=\"references\" aria-labelledby=\"references-title\">\n");
        self.out.markup("<h2 id=\"references-title\">").text(self.words.references);
        self.out.markup("</h2>\n<ul>\n");
        for (key, work) in works {
            self.out.open("li", &[("id", Some(&format!("cite:{key}")))]);
            self.work_entry(&work.entry);
            self.out.markup("</li>\n");
        }
        self.out.markup("</ul></section>\n");
    }

    /// Writes an entry of the bibliography.
    pub(super) fn work_entry(&mut self, entry: &[Piece]) {
        for piece in entry {
            if let Some(url) = &piece.url {
                self.out.open("a", &[("href", Some(url)), ("rel", Some("noopener"))]);
            }
            let tag = if piece.italic { "i" } else { "" };
            if !tag.is_empty() {
                self.out.open(tag, &[]);
            }
            self.out.text(&piece.text);
            if !tag.is_empty() {
                self.out.close(tag);
            }
            if piece.url.is_some() {
                self.out.close("a");
            }
        }
    }
}
