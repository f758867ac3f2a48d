//! Displayed formulas to Typst markup: plain, numbered, or a card with name and "where" list.

use std::collections::BTreeMap;

use super::Writer;
use crate::ir::{Display, Inline, Label, Spanned};
use crate::link::{Fact, Target};
use crate::math::{Formula, Style};
use crate::source::Span;
use crate::value::Written;

/// What a fact says.
enum Stated<'a> {
    Words(&'a [Inline]),
    Works(&'a [Spanned<String>]),
    Targets(Vec<&'a Target>),
}

impl Stated<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Self::Words(it) => it.is_empty(),
            Self::Works(it) => it.is_empty(),
            Self::Targets(it) => it.is_empty(),
        }
    }
}

impl<'a> Writer<'a> {
    /// Writes a displayed formula; one with a name stands in a card. `ends`: a proof ends with it,
    /// which has a free end.
    pub(super) fn display(&mut self, display: &Display, span: Span, ends: bool) {
        if !is_card(display) {
            return self.equation(display, true, ends);
        }
        self.origin(span);
        let label = display.labels.first().map(|it| it.value.0.as_str());
        self.draft.markup("#b.card(");
        if let Some(number) = label.and_then(|it| self.number(it)) {
            self.draft.markup("number: ");
            self.draft.string(&number);
            self.draft.markup(", ");
        }
        if !display.name.is_empty() {
            self.draft.markup("name: ");
            self.bracketed(&display.name);
            self.draft.markup(", ");
        }
        self.symbols(display);
        self.facts_of(display);
        self.draft.markup(")[");
        self.equation(display, false, false);
        self.draft.markup("]");
    }

    /// Whether nothing stands at the right end of a displayed formula.
    pub(super) fn has_free_end(&self, display: &Display) -> bool {
        let label = display.labels.first().map(|it| it.value.0.as_str());
        let number = label.and_then(|it| self.number(it));
        !is_card(display) && number.is_none() && display.lines.is_empty()
    }

    fn symbols(&mut self, display: &Display) {
        let links = self.links;
        let known: Vec<_> =
            display.symbols.iter().filter_map(|it| links.symbols.get(&it.value)).collect();
        if known.is_empty() {
            return;
        }
        self.draft.markup("symbols: (");
        for symbol in known {
            self.draft.markup("([");
            // The symbol's place is in another file, which origins of this chapter do not name.
            self.math(&Formula { span: Span::NONE, ..symbol.tex.clone() });
            self.draft.markup("], ");
            self.elsewhere(&symbol.meaning);
            self.draft.markup(", ");
            self.elsewhere(&symbol.shape);
            self.draft.markup("), ");
        }
        self.draft.markup("), ");
    }

    /// Text from another file: its spans must not be taken for places of this one.
    fn elsewhere(&mut self, list: &[Inline]) {
        let document = self.document.take();
        self.bracketed(list);
        self.document = document;
    }

    /// Under which conditions it holds, what it rests on and the like, each with its word.
    fn facts_of(&mut self, display: &Display) {
        let mut open = false;
        for fact in Fact::ALL {
            let known = self.fact(fact, display);
            if known.is_empty() {
                continue;
            }
            self.draft.markup(if open { "" } else { "facts: (" });
            open = true;
            self.draft.markup("(");
            self.draft.string(fact.word());
            self.draft.markup(", [");
            self.stated(&known);
            self.draft.markup("]), ");
        }
        self.draft.markup(if open { "), " } else { "" });
    }

    fn fact<'d>(&self, fact: Fact, display: &'d Display) -> Stated<'d>
    where
        'a: 'd,
    {
        let links = self.links;
        let targets = |labels: &[Spanned<Label>]| {
            Stated::Targets(labels.iter().filter_map(|it| links.target(&it.value.0)).collect())
        };
        match fact {
            Fact::HoldsIf => Stated::Words(&display.conditions),
            Fact::RestsOn => targets(&display.deps),
            Fact::Source => Stated::Works(&display.source),
            Fact::ComputedIn => targets(&display.snippet),
            // In print it stands below the formula.
            Fact::DerivedIn => Stated::Targets(Vec::new()),
            // In print the index of formulas leads to a formula, and nothing leads on from there.
            Fact::UsedIn => Stated::Targets(Vec::new()),
        }
    }

    fn stated(&mut self, stated: &Stated<'_>) {
        match stated {
            Stated::Words(words) => self.inlines(words),
            Stated::Works(keys) => {
                let body = Inline::Citation { keys: keys.to_vec(), body: Vec::new() };
                self.inlines(&[body]);
            }
            Stated::Targets(targets) => {
                let between = crate::link::between(targets).trim_end();
                for (index, target) in targets.iter().enumerate() {
                    if index > 0 {
                        self.draft.text(between);
                        self.draft.markup(" ");
                    }
                    self.pointer(target);
                }
            }
        }
    }

    /// The formula alone. `numbered`: with its number beside it, which a card has in its head.
    fn equation(&mut self, display: &Display, numbered: bool, ends: bool) {
        let label = display.labels.first().map(|it| it.value.0.as_str());
        let tags: BTreeMap<usize, String> = display
            .lines
            .iter()
            .filter_map(|it| Some((it.row, self.number(&it.label.0)?)))
            .collect();
        let formula = &display.formula;
        self.origin(formula.span);
        // The numbers of rows are set by the template, beside the formula.
        let facts = self.facts(&formula.tex);
        let Ok(made) = self.engine.render(formula, &facts) else {
            return self.refused(&formula.tex);
        };
        self.draft.markup("#b.display(");
        self.draft.string(&made.plain);
        self.draft.markup(", ");
        self.draft.key(label);
        if let Some(number) = label.filter(|_| numbered).and_then(|it| self.number(it)) {
            self.draft.markup("number: ");
            self.draft.string(&number);
            self.draft.markup(", ");
        }
        self.draft.markup(if ends { "ends: true, " } else { "" });
        self.rows(display, &tags);
        self.draft.fragile(&format!("$ {} $", made.typst), &formula.tex);
        self.draft.markup(")");
    }

    /// Numbers and labels of single rows.
    fn rows(&mut self, display: &Display, tags: &BTreeMap<usize, String>) {
        if display.lines.is_empty() {
            return;
        }
        let rows = display.formula.tex.matches("\\\\").count() + 1;
        self.draft.markup(&format!("rows: {rows}, tags: ("));
        for line in &display.lines {
            self.draft.markup(&format!("({}, ", line.row));
            self.draft.string(tags.get(&line.row).map_or("", |it| &it[..]));
            self.draft.markup(", ");
            if self.draft.define(&line.label.0) {
                self.draft.string(&line.label.0);
            } else {
                self.draft.markup("none");
            }
            self.draft.markup("), ");
        }
        self.draft.markup("), ");
    }

    /// A value on lines of its own, as a formula.
    pub(super) fn displayed(&mut self, tex: String, written: &Written) {
        let formula = Formula { tex, style: Style::Display, span: Span::NONE };
        match self.engine.render(&formula, &crate::math::Facts::default()) {
            Ok(made) => {
                self.draft.markup("#b.matrix(");
                self.draft.string(&written.text());
                self.draft.markup(", ");
                self.draft.fragile(&format!("$ {} $", made.typst), &formula.tex);
                self.draft.markup(")");
            }
            Err(_) => self.draft.text(&written.text()),
        }
    }

    /// The number that `label` has, if it has one.
    pub(super) fn number(&self, label: &str) -> Option<String> {
        let target = self.links.target(label)?;
        (!target.number.is_empty()).then(|| target.number.clone())
    }
}

/// Whether a displayed formula has a name or the like.
fn is_card(display: &Display) -> bool {
    !display.name.is_empty()
        || !display.conditions.is_empty()
        || !display.source.is_empty()
        || !display.symbols.is_empty()
}
