//! Running text to HTML.

use super::writer::Writer;
use crate::html::Html;
use crate::ir::{Destination, Inline, Reference, Spanned, ValueUse};
use crate::math::Formula;
use crate::value::Written;

/// Punctuation that stays on the line of the formula before it.
const CLOSING: [char; 12] = ['.', ',', ';', ':', '!', '?', ')', ']', '’', '”', '-', '–'];
/// Punctuation that stays on the line of the formula after it.
const OPENING: [char; 4] = ['(', '[', '‘', '“'];
/// A formula of at most so many bytes and boxes stays on one line with its punctuation.
const KEPT: usize = 80;
const BOXES: usize = 3;
/// A formula that shows at most so many characters is broken on no screen.
const WHOLE: usize = 14;
/// Where the part of a formula begins that is seen.
const SEEN: &str = "class=\"katex-html\"";
/// What a box is called in the maths engine's HTML: a formula breaks between boxes alone.
const BOX: &str = "class=\"katex-base\"";
/// How the class of a box begins, that of a part of one too.
const BOXED: &str = "class=\"katex-base";

impl Writer<'_> {
    /// Writes running text.
    pub(super) fn inlines(&mut self, list: &[Inline]) {
        let mut rest = list;
        while let [inline, after @ ..] = rest {
            rest = after;
            match (inline, after) {
                (Inline::Math(formula), [Inline::Text(text), more @ ..]) => {
                    let closing = text.len() - text.trim_start_matches(CLOSING).len();
                    self.kept("", formula, &text[..closing]);
                    rest = self.text_before(&text[closing..], more);
                }
                (Inline::Text(text), more) => rest = self.text_before(text, more),
                (inline, _) => self.inline(inline),
            }
        }
    }

    /// Writes text, and with it a formula that its last bracket opens. Returns what is left.
    fn text_before<'t>(&mut self, text: &str, after: &'t [Inline]) -> &'t [Inline] {
        let [Inline::Math(formula), more @ ..] = after else {
            self.out.text(text);
            return after;
        };
        let words = text.trim_end_matches(OPENING);
        self.out.text(words);
        let opening = &text[words.len()..];
        match more {
            [Inline::Text(text), more @ ..] => {
                let closing = text.len() - text.trim_start_matches(CLOSING).len();
                self.kept(opening, formula, &text[..closing]);
                self.text_before(&text[closing..], more)
            }
            more => {
                self.kept(opening, formula, "");
                more
            }
        }
    }

    /// Writes a formula and the punctuation at its sides. Browsers would break lines between them,
    /// as they do at every box; a long formula may be broken for this.
    fn kept(&mut self, opening: &str, formula: &Formula, closing: &str) {
        let html = self.inline_math(formula);
        let boxes = html.as_str().matches(BOX).count();
        let alone = opening.is_empty() && closing.is_empty();
        let class = match () {
            () if alone && boxes <= 1 => None,
            () if visible(html.as_str()) <= WHOLE => Some("keep whole"),
            () if !alone && formula.tex.len() <= KEPT && boxes <= BOXES => Some("keep"),
            () => None,
        };
        if class.is_some() {
            self.out.open("span", &[("class", class)]);
        }
        self.out.text(opening).html(&html).text(closing);
        self.out.markup(if class.is_some() { "</span>" } else { "" });
    }

    fn inline(&mut self, inline: &Inline) {
        match inline {
            Inline::Text(text) => {
                self.out.text(text);
            }
            Inline::Emphasis(body) => self.wrapped("em", body),
            Inline::Strong(body) => self.wrapped("strong", body),
            Inline::Strike(body) => self.wrapped("del", body),
            Inline::Code(text) => {
                self.out.element("code", &[], |it| {
                    it.text(text);
                });
            }
            Inline::Math(formula) => self.math(formula),
            Inline::Value(value) => self.value_use(value),
            Inline::Link { url, title, body, .. } => self.link(url, title, body),
            Inline::Reference(reference) => self.reference(reference),
            Inline::Citation { keys, body } => self.citation(keys, body),
            Inline::Image { file, alt, .. } => {
                let src = self.href(file.path());
                let attributes =
                    [("class", Some("inline-image")), ("src", Some(&src[..])), ("alt", Some(alt))];
                image(&mut self.out, &attributes);
            }
            Inline::Footnote(index) => self.footnote_mark(*index),
            Inline::SoftBreak => {
                self.out.markup("\n");
            }
            Inline::HardBreak => {
                self.out.markup("<br>\n");
            }
            Inline::Html(html) if !self.calm => {
                self.out.html(&Html::trusted(html.clone()));
            }
            Inline::Html(_) => {}
        }
    }

    fn wrapped(&mut self, tag: &str, body: &[Inline]) {
        self.out.open(tag, &[]);
        self.inlines(body);
        self.out.close(tag);
    }

    fn link(&mut self, url: &str, title: &str, body: &[Inline]) {
        if self.calm {
            return self.inlines(body);
        }
        let outside = url.contains("://");
        let title = Some(title).filter(|it| !it.is_empty());
        let rel = outside.then_some("noopener");
        self.out.open("a", &[("href", Some(url)), ("title", title), ("rel", rel)]);
        match body {
            [] => {
                self.out.text(url);
            }
            body => self.inlines(body),
        }
        self.out.close("a");
    }

    fn reference(&mut self, reference: &Reference) {
        let links = self.links;
        let Some(target) = links.targets.get(&reference.to) else {
            // The linker has reported it; nothing is lost but the link.
            let name = match &reference.to {
                Destination::Label(label) => &label.0,
                Destination::Page { file, .. } => file.path(),
            };
            self.out.open("span", &[("class", Some("missing"))]);
            match &reference.body[..] {
                [] => {
                    self.out.text(name);
                }
                body => self.inlines(body),
            }
            self.out.close("span");
            return;
        };
        self.to(target, "ref", |it| match &reference.body[..] {
            [] => it.name_of(target),
            body => it.inlines(body),
        });
    }

    /// Writes `(Vaswani et al., 2017; Phuong and Hutter, 2022)`, or the author's words.
    pub(super) fn citation(&mut self, keys: &[Spanned<String>], body: &[Inline]) {
        if let ([first, ..], false) = (keys, body.is_empty()) {
            return self.work(&first.value, |it| it.inlines(body));
        }
        self.out.markup("(");
        for (index, key) in keys.iter().enumerate() {
            self.out.markup(if index > 0 { "; " } else { "" });
            let links = self.links;
            let short = links.works.get(&key.value).map_or(&key.value, |it| &it.short);
            self.work(&key.value, |it| {
                it.out.text(short);
            });
        }
        self.out.markup(")");
    }

    fn work(&mut self, key: &str, body: impl FnOnce(&mut Self)) {
        let known = self.links.works.contains_key(key);
        if self.calm || !known {
            return body(self);
        }
        self.cited.insert(key.to_owned());
        let href = super::address::relative(self.page, &format!("{}#cite:{key}", self.page));
        self.out.open("a", &[("class", Some("cite")), ("href", Some(&href))]);
        let before = std::mem::replace(&mut self.calm, true);
        body(self);
        self.calm = before;
        self.out.close("a");
    }

    fn footnote_mark(&mut self, index: usize) {
        if self.calm {
            return;
        }
        let number = (index + 1).to_string();
        let count = self.mentions.entry(index).or_default();
        *count += 1;
        let id = (*count == 1).then(|| format!("fnref:{number}"));
        let name = format!("{} {number}", self.words.footnote);
        self.out.open("sup", &[("class", Some("footnote"))]);
        let href = format!("#fn:{number}");
        let attributes = [
            ("id", id.as_deref()),
            ("href", Some(&href[..])),
            ("role", Some("doc-noteref")),
            ("aria-label", Some(&name)),
        ];
        self.out.element("a", &attributes, |it| {
            it.text(&number);
        });
        self.out.close("sup");
    }

    fn value_use(&mut self, value: &ValueUse) {
        let path = &value.path;
        let written =
            crate::eval::value(self.outputs, path).and_then(|it| it.written(value.format));
        let Some(written) = written else {
            let name = format!("{}.{}", path.snippet, path.key);
            self.out.element("span", &[("class", Some("missing"))], |it| {
                it.text(&name);
            });
            return;
        };
        let links = self.links;
        match links.target(&format!("snip:{}", path.snippet)) {
            Some(target) => self.to(target, "value", |it| it.written(&written)),
            None => {
                self.out.open("span", &[("class", Some("value"))]);
                self.written(&written);
                self.out.close("span");
            }
        }
    }

    /// Writes a value within a line.
    pub(super) fn written(&mut self, written: &Written) {
        match written {
            Written::Text(text) => {
                self.out.text(text);
            }
            Written::Number(number) => {
                self.out.text(&number.text());
            }
            Written::Matrix(_) | Written::List(_) => self.made(&written.tex()),
        }
    }

    /// Writes text that may hold `$…$`, as names of columns do.
    pub(super) fn text_with_math(&mut self, text: &str) {
        if text.matches('$').count() % 2 == 1 {
            self.out.text(text);
            return;
        }
        for (index, part) in text.split('$').enumerate() {
            match index % 2 {
                0 => {
                    self.out.text(part);
                }
                _ => self.made(part),
            }
        }
    }

    /// Text that may hold `$…$` as plain words.
    pub(super) fn plain_with_math(&mut self, text: &str) -> String {
        if text.matches('$').count() % 2 == 1 {
            return text.to_owned();
        }
        let mut out = String::new();
        for (index, part) in text.split('$').enumerate() {
            match index % 2 {
                0 => out.push_str(part),
                _ => out.push_str(&self.math_plain(part)),
            }
        }
        out
    }
}

/// Writes an image. An empty alternative text is written as such, since leaving it out means that
/// nobody has thought of it.
pub(super) fn image(out: &mut Html, attributes: &[(&str, Option<&str>)]) {
    let has_text =
        attributes.iter().any(|it| it.0 == "alt" && it.1.is_some_and(|it| !it.is_empty()));
    let mut attributes = attributes.to_vec();
    if !has_text {
        attributes.retain(|it| it.0 != "alt");
        attributes.push(("alt", Some("")));
    }
    attributes.push(("loading", Some("lazy")));
    out.open("img", &attributes);
}

/// How many characters a formula shows.
fn visible(html: &str) -> usize {
    characters(html.split_once(SEEN).map_or("", |it| it.1))
}

/// How many characters the longest part of a formula shows that no line can break.
pub(super) fn widest(html: &str) -> usize {
    html.split(BOXED).skip(1).map(characters).max().unwrap_or(0)
}

/// How many characters HTML shows that begins within a tag.
fn characters(seen: &str) -> usize {
    let mut inside = true;
    let mut count = 0;
    for c in seen.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c => count += usize::from(!inside && !c.is_whitespace() && c != '\u{200b}'),
        }
    }
    count
}
