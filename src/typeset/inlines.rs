//! Running text to Typst markup.

use super::Writer;
use super::blocks::DEPTH;
use crate::ir::{Destination, Document, Inline, Reference, Spanned, ValueUse, plain};
use crate::link::{Links, Target, TargetKind};
use crate::math::{Facts, Formula, Style};
use crate::source::Span;
use crate::value::Written;

/// Formulas with at most so many readable characters are not broken over two lines.
const SHORT: usize = 14;

/// What makes a formula taller than a line.
const TALL: [&str; 2] = ["frac(", "mat("];

impl Writer<'_> {
    /// Writes running text.
    pub(super) fn inlines(&mut self, list: &[Inline]) {
        for inline in list {
            self.inline(inline);
        }
    }

    /// Writes running text as an argument in brackets.
    pub(super) fn bracketed(&mut self, list: &[Inline]) {
        self.draft.markup("[");
        self.inlines(list);
        self.draft.markup("]");
    }

    fn inline(&mut self, inline: &Inline) {
        match inline {
            Inline::Text(text) => self.draft.text(text),
            Inline::Emphasis(body) => self.wrapped("#emph", body),
            Inline::Strong(body) => self.wrapped("#strong", body),
            Inline::Strike(body) => self.wrapped("#strike", body),
            Inline::Code(text) => self.code_words(text),
            Inline::Math(formula) => self.math(formula),
            Inline::Value(value) => self.value_use(value),
            Inline::Link { url, body, span, .. } => self.link(url, body, *span),
            Inline::Reference(reference) => self.reference(reference),
            Inline::Citation { keys, body } => self.citation(keys, body),
            Inline::Image { file, alt, span } => {
                self.origin(*span);
                self.draft.markup("#box(");
                self.picture(file, alt, "height: 1em", "b.lost");
                self.draft.markup(")");
            }
            Inline::Footnote(index) => self.footnote(*index),
            Inline::SoftBreak => self.draft.markup("\n"),
            Inline::HardBreak => self.draft.markup("#linebreak()"),
            Inline::Html(_) => {}
        }
    }

    fn wrapped(&mut self, function: &str, body: &[Inline]) {
        if self.depth > DEPTH {
            return self.inlines(body);
        }
        self.depth += 1;
        self.draft.markup(function);
        self.bracketed(body);
        self.depth -= 1;
    }

    /// Code within a line. It may be broken at its spaces, and not at its hyphens unless it is long.
    fn code_words(&mut self, text: &str) {
        const LONG: usize = 32;
        let whole = |it: &str| it.contains('-') && it.chars().count() <= LONG;
        if !text.split(' ').any(whole) {
            return self.call("#raw", text);
        }
        for (index, word) in text.split(' ').enumerate() {
            if index > 0 {
                self.call("#raw", " ");
            }
            if whole(word) {
                self.draft.markup("#box(raw(");
                self.draft.string(word);
                self.draft.markup("))");
            } else if !word.is_empty() {
                self.call("#raw", word);
            }
        }
    }

    fn call(&mut self, function: &str, text: &str) {
        self.draft.markup(function);
        self.draft.markup("(");
        self.draft.string(text);
        self.draft.markup(")");
    }

    /// Writes a formula within a line.
    pub(super) fn math(&mut self, formula: &Formula) {
        self.origin(formula.span);
        let facts = self.facts(&formula.tex);
        match self.engine.render(formula, &facts) {
            Ok(made) => {
                let short = made.plain.chars().count() <= SHORT;
                let tall = TALL.iter().any(|it| made.typst.contains(it));
                self.draft.markup(match (short, tall) {
                    (false, false) => "#b.m(",
                    (false, true) => "#b.tall(",
                    (true, false) => "#b.mb(",
                    (true, true) => "#b.tall-box(",
                });
                self.draft.string(&made.plain);
                self.draft.markup(", ");
                self.draft.fragile(&format!("${}$", made.typst), &formula.tex);
                self.draft.markup(")");
            }
            Err(_) => self.refused(&formula.tex),
        }
    }

    /// Shows TeX that the engine refused; the site reports why.
    pub(super) fn refused(&mut self, tex: &str) {
        self.call("#b.refused", tex);
    }

    /// TeX made by this program, set within a line.
    pub(super) fn made(&mut self, tex: String) {
        let formula = Formula { tex, style: Style::Inline, span: Span::NONE };
        let Ok(made) = self.engine.render(&formula, &Facts::default()) else {
            return self.refused(&formula.tex);
        };
        self.draft.markup("#b.m(");
        self.draft.string(&made.plain);
        self.draft.markup(", ");
        self.draft.fragile(&format!("${}$", made.typst), &formula.tex);
        self.draft.markup(")");
    }

    /// What `\val`, `\ref` and `\href` of a formula stand for.
    pub(super) fn facts(&self, tex: &str) -> Facts {
        let mut facts = Facts::default();
        if tex.contains("\\val") || tex.contains("ref") {
            facts.values = crate::eval::values(tex, self.outputs);
            for (to, target) in &self.links.targets {
                if let Destination::Label(label) = to {
                    let there = (target.number.clone(), target.href());
                    facts.targets.insert(label.0.clone(), there);
                }
            }
        }
        facts
    }

    fn value_use(&mut self, value: &ValueUse) {
        self.origin(value.path.span);
        let Some(found) = crate::eval::value(self.outputs, &value.path) else { return };
        match found.written(value.format) {
            Some(written) => self.written(&written),
            None => self.draft.text("…"),
        }
    }

    /// Writes a value within a line.
    pub(super) fn written(&mut self, written: &Written) {
        match written {
            Written::Text(text) => self.draft.text(text),
            Written::Number(number)
                if number.whole.len() == 1
                    && number.exponent.is_none()
                    && !number.percent
                    && number.whole[0] != "∞" =>
            {
                self.draft.text(&number.text());
            }
            Written::Number(_) | Written::Matrix(_) | Written::List(_) => self.made(written.tex()),
        }
    }

    /// Text of a snippet that may hold inline Markdown, as names of columns do.
    pub(super) fn loose(&mut self, text: &str) {
        let document = self.document.take();
        self.inlines(&crate::parse::inline(text));
        self.document = document;
    }

    fn link(&mut self, url: &str, body: &[Inline], span: Span) {
        self.origin(span);
        let absolute = match (url.contains(':'), &self.site) {
            (true, _) => url.to_owned(),
            (false, Some(site)) => format!("{site}{}", url.trim_start_matches("./")),
            (false, None) => return self.inlines(body),
        };
        self.draft.markup("#link(");
        self.draft.string(&absolute);
        self.draft.markup(")[");
        match body {
            [] => self.draft.text(&absolute),
            body => self.inlines(body),
        }
        self.draft.markup("]");
    }

    fn reference(&mut self, reference: &Reference) {
        self.origin(reference.span);
        let target = self.links.targets.get(&reference.to);
        let key = target.and_then(key_of);
        let own_words = !reference.body.is_empty();
        if let Some(key) = &key {
            self.draft.markup("#b.see(");
            self.draft.string(key);
            self.draft.markup(if own_words { ", words: true)[" } else { ")[" });
        }
        match (own_words, target) {
            (true, _) => self.inlines(&reference.body),
            (false, Some(target)) => self.name_of(target),
            (false, None) => match &reference.to {
                Destination::Label(label) => self.draft.text(&label.0),
                Destination::Page { file, .. } => self.draft.text(file.path()),
            },
        }
        if key.is_some() {
            self.draft.markup("]");
        }
    }

    /// Writes what a reference without words of its own shows: "Equation 8.3".
    pub(super) fn name_of(&mut self, target: &Target) {
        let title = self.calm(&target.title);
        match (target.word(), target.number.is_empty(), title.is_empty()) {
            ("", _, false) | (_, true, false) => self.inlines(&title),
            ("", false, true) => self.draft.text(&target.number),
            ("", true, true) => self.draft.text(&target.anchor),
            (word, true, true) => self.draft.text(word),
            (word, false, _) => self.draft.text(&format!("{word}\u{a0}{}", target.number)),
        }
    }

    fn citation(&mut self, keys: &[Spanned<String>], body: &[Inline]) {
        let one = |it: &mut Self, key: &str, own: bool| {
            it.draft.markup("#b.see(");
            it.draft.string(&format!("cite:{key}"));
            it.draft.markup(", page: false)[");
            match (own, it.links.works.get(key)) {
                (true, _) => it.inlines(body),
                (false, Some(work)) => it.draft.text(&work.short),
                (false, None) => it.draft.text(key),
            }
            it.draft.markup("]");
        };
        if let (false, Some(key)) = (body.is_empty(), keys.first()) {
            return one(self, &key.value, true);
        }
        self.draft.markup("\\(");
        for (index, key) in keys.iter().enumerate() {
            if index > 0 {
                self.draft.markup("\\; ");
            }
            one(self, &key.value, false);
        }
        self.draft.markup("\\)");
    }

    fn footnote(&mut self, index: usize) {
        let number = index + 1;
        let Some(note) = self.document.and_then(|it| it.footnotes.get(index)) else { return };
        let key = format!("fn:{}:{number}", self.links.page);
        if self.in_note || self.calm {
            self.draft.markup(&format!("#super[{number}]"));
        } else if self.draft.keys.contains(&key) {
            self.draft.markup(&format!("#b.note-again({number}, "));
            self.draft.string(&key);
            self.draft.markup(")");
        } else {
            self.draft.markup(&format!("#b.note({number}, "));
            self.draft.key(Some(&key));
            self.draft.markup(")[");
            self.in_note = true;
            self.blocks(&note.blocks);
            self.in_note = false;
            self.draft.markup("]");
        }
    }

    /// `list` without what must not stand in a title that is printed again: notes and links.
    pub(super) fn calm(&self, list: &[Inline]) -> Vec<Inline> {
        let mut out = Vec::new();
        for inline in list {
            match inline {
                Inline::Footnote(_) | Inline::Html(_) => {}
                Inline::Link { body, .. } => out.extend(self.calm(body)),
                Inline::Reference(it) if it.body.is_empty() => {
                    let target = self.links.targets.get(&it.to);
                    let text = target.map_or_else(String::new, |it| plain(&it.title));
                    out.extend((!text.is_empty()).then_some(Inline::Text(text)));
                }
                Inline::Reference(it) => out.extend(self.calm(&it.body)),
                Inline::SoftBreak | Inline::HardBreak => out.push(Inline::Text(" ".into())),
                Inline::Emphasis(it) => out.push(Inline::Emphasis(self.calm(it))),
                Inline::Strong(it) => out.push(Inline::Strong(self.calm(it))),
                Inline::Strike(it) => out.push(Inline::Strike(self.calm(it))),
                Inline::Text(_)
                | Inline::Code(_)
                | Inline::Math(_)
                | Inline::Value(_)
                | Inline::Citation { .. }
                | Inline::Image { .. } => out.push(inline.clone()),
            }
        }
        out
    }
}

/// What names a target in the PDF: its label, else its address on the site. `None` if it is not in
/// the PDF.
pub(super) fn key_of(target: &Target) -> Option<String> {
    match (&target.label, target.kind) {
        (_, TargetKind::Planned) => None,
        (Some(label), _) => Some(label.0.clone()),
        (None, _) if target.anchor.is_empty() => Some(target.page.clone()),
        (None, _) => Some(format!("{}#{}", target.page, target.anchor)),
    }
}

/// What names a chapter in the PDF.
pub(super) fn chapter_key(document: &Document, links: &Links) -> String {
    let own = links
        .targets
        .values()
        .find(|it| it.kind == TargetKind::Chapter && it.anchor.is_empty() && it.page == links.page);
    let first = document.labels.first().map(|it| it.value.0.clone());
    let key = own.and_then(key_of).or(first);
    key.unwrap_or_else(|| format!("ch:{}", document.file.stem()))
}
