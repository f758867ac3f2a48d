//! Formulas to HTML: in a line, displayed, and as cards with all that is known about them.

use std::collections::BTreeMap;

use super::writer::Writer;
use super::{Drawn, preview};
use crate::diag::Diagnostic;
use crate::eval;
use crate::html::Html;
use crate::ir::{Destination, Display, Label, Symbol};
use crate::link::{Fact, Target};
use crate::math::{Facts, Formula, Style};
use crate::source::Span;

/// More users than this are folded.
const USERS: usize = 6;

/// A part of a formula with more characters than this may be wider than the column of a phone.
const WIDE: usize = 18;

impl Writer<'_> {
    /// Writes a formula within a line.
    pub(super) fn math(&mut self, formula: &Formula) {
        let html = self.inline_math(formula);
        self.out.html(&html);
    }

    /// The HTML of a formula within a line.
    pub(super) fn inline_math(&mut self, formula: &Formula) -> Html {
        let facts = self.facts(&formula.tex, BTreeMap::new());
        let html = self.rendered(formula, &facts);
        self.bounded(html)
    }

    /// Writes TeX made by this program within a line.
    pub(super) fn made(&mut self, tex: &str) {
        let formula = Formula { tex: tex.to_owned(), style: Style::Inline, span: Span::NONE };
        let html = self.rendered(&formula, &Facts::default());
        let html = self.bounded(html);
        self.out.html(&html);
    }

    /// A formula within a line, which on a narrow screen scrolls by itself if a part of it that no
    /// line can break is wide.
    fn bounded(&self, html: Html) -> Html {
        if super::inlines::widest(html.as_str()) <= WIDE {
            return html;
        }
        // Nothing in a link is a region of its own.
        let name = (!self.calm).then_some(self.words.formula);
        let mut out = Html::new();
        out.open("span", &[("class", Some("wide")), ("data-name", name)]).html(&html);
        out.close("span");
        out
    }

    /// TeX as readable text.
    pub(super) fn math_plain(&mut self, tex: &str) -> String {
        let formula = Formula { tex: tex.to_owned(), style: Style::Inline, span: Span::NONE };
        let facts = self.facts(tex, BTreeMap::new());
        self.frame.engine.plain(&formula, &facts).unwrap_or_else(|| tex.to_owned())
    }

    /// The HTML of a formula. One that the engine refuses is shown as its TeX and reported.
    pub(super) fn rendered(&mut self, formula: &Formula, facts: &Facts) -> Html {
        self.drawn(formula, facts, None)
    }

    /// The HTML of a formula, which is also kept under its label, if it has one and looks the same
    /// on every page.
    fn drawn(&mut self, formula: &Formula, facts: &Facts, label: Option<&Label>) -> Html {
        match self.frame.engine.render(formula, facts) {
            Ok(made) => {
                self.styles.extend(made.styles);
                if let Some(label) = label.filter(|_| facts.targets.is_empty()) {
                    let drawn = Drawn { html: made.html.clone(), plain: made.plain };
                    self.drawn.insert(label.clone(), drawn);
                }
                made.html
            }
            Err(faults) => {
                for fault in faults {
                    let Some(place) = self.place(formula.span.sub(fault.range)) else { continue };
                    let mut diagnostic = Diagnostic::error(fault.code, place, fault.message);
                    diagnostic.help = fault.help;
                    self.diagnostics.push(diagnostic);
                }
                let mut html = Html::new();
                html.element("code", &[("class", Some("fault"))], |it| {
                    it.text(formula.tex.trim());
                });
                html
            }
        }
    }

    /// What `\val`, `\ref` and `\href` of a formula stand for.
    fn facts(&self, tex: &str, tags: BTreeMap<usize, String>) -> Facts {
        let mut facts = Facts { values: eval::values(tex, self.outputs), tags, ..Facts::default() };
        if tex.contains("ref") {
            for (to, target) in &self.links.targets {
                if let Destination::Label(label) = to {
                    let there = (target.number.clone(), self.href(&target.href()));
                    facts.targets.insert(label.0.clone(), there);
                }
            }
        }
        facts
    }

    /// Writes a displayed formula; one with a name is a card.
    pub(super) fn display(&mut self, display: &Display) {
        let number = self.links.displays.get(self.displays).cloned().unwrap_or_default();
        self.displays += 1;
        if display.name.is_empty() {
            let start = self.written_so_far();
            self.equation(display, &number, true);
            return self.keep_display(display, start);
        }
        let id = display.labels.first().map(|it| it.value.0.clone());
        let name_id = id.as_ref().map(|it| format!("{it}-name"));
        let attributes = [
            ("class", Some("card formula-card")),
            ("id", id.as_deref()),
            ("role", Some("group")),
            ("aria-labelledby", name_id.as_deref()),
        ];
        self.out.open("div", &attributes);
        self.out.open("div", &[("class", Some("card-head"))]);
        self.out.open("p", &[("class", Some("card-name")), ("id", name_id.as_deref())]);
        self.inlines(&display.name);
        self.out.close("p");
        if let Some(id) = &id {
            self.permalink(id, self.words.this_formula, &display.name);
        }
        self.copy_buttons();
        self.out.close("div");
        let start = self.written_so_far();
        self.equation(display, &number, false);
        self.where_list(display);
        self.keep_display(display, start);
        self.card_facts(display);
        self.tex_source(&display.formula.tex);
        self.out.close("div").markup("\n");
    }

    /// Keeps what links to a formula and to its lines show: what was written since `start`, and
    /// under which conditions it holds.
    fn keep_display(&mut self, display: &Display, start: usize) {
        let body = preview::bare(&self.out.as_str()[start..]);
        let conditions = self.apart(|it| it.fact(Fact::HoldsIf, display));
        let conditions = match conditions.is_empty() {
            true => String::new(),
            false => format!("<dl class=\"facts\">{}</dl>\n", preview::bare(conditions.as_str())),
        };
        let main = display.labels.first().map(|it| &it.value);
        let links = self.links;
        for label in main.into_iter().chain(display.lines.iter().map(|it| &it.label)) {
            let Some(target) = links.target(&label.0) else { continue };
            let head = self.called(target);
            self.keep_html(&target.anchor, &head, &format!("{body}{conditions}"));
        }
    }

    /// Writes buttons that copy the formula; without script they are not there.
    fn copy_buttons(&mut self) {
        let words = self.words;
        self.out.markup("<span class=\"copy\" hidden>");
        for (class, word) in [("copy-tex", words.copy_tex), ("copy-mathml", words.copy_mathml)] {
            let attributes = [
                ("class", Some(class)),
                ("type", Some("button")),
                ("data-copied", Some(words.copied)),
            ];
            self.out.element("button", &attributes, |it| {
                it.text(word);
            });
        }
        self.out.markup("</span>");
    }

    /// Writes a formula on a line of its own, with its number at the right.
    fn equation(&mut self, display: &Display, number: &str, anchored: bool) {
        let links = self.links;
        let tag = |label: &str| {
            links.target(label).map(|it| it.number.clone()).filter(|it| !it.is_empty())
        };
        let tags: BTreeMap<usize, String> =
            display.lines.iter().filter_map(|it| Some((it.row, tag(&it.label.0)?))).collect();
        let id = display.labels.first().map(|it| &it.value.0[..]);
        let class = if tags.is_empty() { "equation" } else { "equation tagged" };
        self.out.open("div", &[("class", Some(class)), ("id", id.filter(|_| anchored))]);
        for label in display.labels.iter().skip(1) {
            self.anchor(&label.value.0);
        }
        for line in &display.lines {
            self.anchor(&line.label.0);
        }
        let mut facts = self.facts(&display.formula.tex, tags);
        facts.marks = self.marks(display);
        let label = display.labels.first().map(|it| &it.value);
        let formula = self.drawn(&display.formula, &facts, label);
        let name = match number {
            "" => self.words.formula.to_owned(),
            number => format!("{} {number}", self.words.formula),
        };
        self.scroll(&name, |it| {
            it.out.html(&formula);
        });
        self.number(number, id);
        self.out.close("div").markup("\n");
    }

    /// The symbols of a formula that the notation table tells about: fragment → TeX.
    fn marks(&self, display: &Display) -> BTreeMap<String, String> {
        let known = display.symbols.iter().filter_map(|it| self.links.symbols.get(&it.value));
        known.map(|it| (symbol_preview(it), it.tex.tex.clone())).collect()
    }

    /// Writes a formula's number, which is a link to the formula.
    fn number(&mut self, number: &str, id: Option<&str>) {
        if number.is_empty() {
            return;
        }
        let text = format!("({number})");
        let href = id.map(|it| super::address::relative("", &format!("#{it}")));
        let tag = if href.is_some() { "a" } else { "span" };
        self.out.element(tag, &[("class", Some("number")), ("href", href.as_deref())], |it| {
            it.text(&text);
        });
    }

    /// Writes a place that an address can lead to.
    pub(super) fn anchor(&mut self, id: &str) {
        self.out.open("span", &[("class", Some("anchor")), ("id", Some(id))]).close("span");
    }

    /// Writes something that may be too wide: it scrolls by itself and never widens the page. Where
    /// something is hidden, the script makes it a region with this name and a tab stop.
    pub(super) fn scroll(&mut self, name: &str, body: impl FnOnce(&mut Self)) {
        self.out.open("div", &[("class", Some("scroll")), ("data-name", Some(name))]);
        body(self);
        self.out.close("div");
    }

    /// Writes what the symbols of a formula mean.
    fn where_list(&mut self, display: &Display) {
        let links = self.links;
        let known: Vec<&Symbol> =
            display.symbols.iter().filter_map(|it| links.symbols.get(&it.value)).collect();
        if known.is_empty() {
            return;
        }
        let words = self.words;
        self.out.element("p", &[("class", Some("where-word"))], |it| {
            it.text(words.r#where);
        });
        self.out.open("dl", &[("class", Some("where"))]);
        for symbol in known {
            self.out.markup("<div><dt>");
            self.symbol_link(symbol);
            self.out.markup("</dt><dd>");
            self.meaning(symbol);
            self.out.markup("</dd></div>");
        }
        self.out.markup("</dl>\n");
    }

    /// Writes a symbol as a link to its entry in the notation index. It has a name in letters,
    /// since a formula alone is none for every screen reader: those that are seen, in their order,
    /// so that the link can be called by voice.
    pub(super) fn symbol_link(&mut self, symbol: &Symbol) {
        let href = self.href(&format!("symbols.html#sym:{}", symbol.key));
        let html = self.apart(|it| it.made(&symbol.tex.tex));
        let name = seen(html.as_str());
        let shown = symbol_preview(symbol);
        let attributes = [
            ("href", Some(&href[..])),
            ("aria-label", Some(&name)),
            ("data-preview", Some(&shown)),
        ];
        self.out.open("a", &attributes).html(&html).markup("</a>");
    }

    /// Writes the meaning and the shape of a symbol.
    fn meaning(&mut self, symbol: &Symbol) {
        let file = self.file.take();
        self.inlines(&symbol.meaning);
        if !symbol.shape.is_empty() {
            self.out.markup(" <span class=\"shape\">");
            self.inlines(&symbol.shape);
            self.out.markup("</span>");
        }
        self.file = file;
    }

    /// Writes conditions, what the formula rests on, source, what computes it and what uses it.
    fn card_facts(&mut self, display: &Display) {
        let facts = self.apart(|it| Fact::ALL.into_iter().for_each(|fact| it.fact(fact, display)));
        if !facts.is_empty() {
            self.out.markup("<dl class=\"facts\">").html(&facts).markup("</dl>\n");
        }
    }

    fn fact(&mut self, fact: Fact, display: &Display) {
        let links = self.links;
        let targets = |labels: &[crate::ir::Spanned<Label>]| -> Vec<&Target> {
            labels.iter().filter_map(|it| links.target(&it.value.0)).collect()
        };
        let (class, body) = match fact {
            Fact::HoldsIf => ("holds-if", self.apart(|it| it.inlines(&display.conditions))),
            Fact::RestsOn => ("rests-on", self.apart(|it| it.names(&targets(&display.deps)))),
            Fact::DerivedIn => {
                let label = display.labels.first();
                let boxes = label.and_then(|it| links.derived_in.get(&it.value));
                let boxes: Vec<&Target> = boxes.into_iter().flatten().collect();
                ("derived-in", self.apart(|it| it.names(&boxes)))
            }
            Fact::Source => ("source", self.apart(|it| it.sources(display))),
            Fact::ComputedIn => {
                ("computed-in", self.apart(|it| it.names(&targets(&display.snippet))))
            }
            Fact::UsedIn => {
                let users = display.labels.first().and_then(|it| links.used_by.get(&it.value));
                let users: Vec<&Target> = users.into_iter().flatten().collect();
                ("used-in", self.apart(|it| it.users(&users)))
            }
        };
        if body.is_empty() {
            return;
        }
        self.out.open("div", &[("class", Some(class))]).markup("<dt>").text(fact.word());
        self.out.markup("</dt><dd>").html(&body).markup("</dd></div>");
    }

    fn sources(&mut self, display: &Display) {
        for (index, key) in display.source.iter().enumerate() {
            self.out.markup(if index > 0 { "; " } else { "" });
            let links = self.links;
            let short = links.works.get(&key.value).map_or(&key.value, |it| &it.short);
            let words = [crate::ir::Inline::Text(short.clone())];
            self.citation(std::slice::from_ref(key), &words);
        }
    }

    /// Writes who uses something; the rest of a long list is folded.
    pub(super) fn users(&mut self, users: &[&Target]) {
        let (first, rest) = users.split_at(users.len().min(USERS));
        self.names(first);
        if !rest.is_empty() {
            self.out.markup("<details class=\"more\"><summary>+").text(&rest.len().to_string());
            self.out.markup("</summary>");
            self.names(rest);
            self.out.markup("</details>");
        }
    }

    /// Writes the TeX of a formula, readable without script.
    pub(super) fn tex_source(&mut self, tex: &str) {
        let words = self.words;
        self.out.markup("<details class=\"tex\"><summary>").text(words.tex).markup("</summary>");
        self.out.markup("<pre><code>").text(tex.trim()).markup("</code></pre></details>\n");
    }
}

/// The fragment that tells about a symbol.
fn symbol_preview(symbol: &Symbol) -> String {
    preview::name("symbols.html", &format!("sym:{}", symbol.key))
}

/// The letters of a formula's HTML that are seen, in their order.
fn seen(html: &str) -> String {
    let drawn = html.rsplit_once("<span class=\"katex-html\"").map_or(html, |it| it.1);
    let mut out = String::new();
    // A part begins behind the `<` of a tag; the first one is within a tag already.
    for part in drawn.split('<') {
        let text = part.split_once('>').map_or("", |it| it.1);
        out.extend(text.chars().filter(|it| *it != '\u{200b}'));
    }
    for (written, meant) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
        out = out.replace(written, meant);
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::seen;

    #[test]
    fn letters_are_those_that_are_seen() {
        let html = "<span class=\"katex\"><math><mi>y</mi></math><span class=\"katex-html\" \
                    aria-hidden=\"true\"><span>x</span><span>&lt;</span>\u{200b}<i>t</i></span></span>";
        assert_eq!(seen(html), "x<t");
    }
}
