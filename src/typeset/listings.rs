//! Code and what it printed to Typst markup.

use std::ops::Range;

use super::Writer;
use crate::ir::{Code, Inline, Snippet};
use crate::link::Target;
use crate::value::{Format, Number, Table, Value, Written, matrix_tex};

/// A table with more rows than this may go on over pages, and a text with more lines.
const ROWS: usize = 18;

/// A line of code as it is shown, and which of its bytes lead where.
type Commented<'a> = (String, Vec<(Range<usize>, &'a Target)>);

impl Writer<'_> {
    /// Writes code that is only shown.
    pub(super) fn code(&mut self, code: &Code) {
        self.draft.markup("#b.listing(");
        self.draft.key(code.labels.first().map(|it| &it.value.0[..]));
        self.draft.string(&code.language);
        self.draft.markup(", ");
        self.draft.string(code.text.trim_end_matches('\n'));
        self.draft.markup(")");
    }

    /// Writes a snippet and its outputs.
    pub(super) fn snippet(&mut self, snippet: &Snippet) {
        let label = format!("snip:{}", snippet.id);
        let outputs = self.outputs;
        let shown = self.placed.rest(&snippet.id, outputs);
        let failure = outputs.get(&snippet.id).and_then(|it| it.failure.as_deref());
        self.draft.markup("#b.listing(");
        self.draft.key(Some(&label));
        if let Some(target) = self.links.target(&label).filter(|it| !it.number.is_empty()) {
            self.draft.markup("number: ");
            self.draft.string(&format!("{}\u{a0}{}", target.word(), target.number));
            self.draft.markup(", ");
        }
        if !snippet.title.is_empty() {
            self.draft.markup("title: ");
            self.bracketed(&snippet.title);
            self.draft.markup(", ");
        }
        let links = self.links;
        let mut visible = Vec::new();
        for (index, line) in snippet.lines.iter().enumerate() {
            // Empty lines at the beginning are left out.
            let leads = visible.is_empty() && line.text.is_empty();
            if !(line.hidden || snippet.hide || leads) {
                visible.push((index, crate::link::commented(&line.text, links)));
            }
        }
        self.ways(snippet, &visible);
        self.draft.string("rust");
        self.draft.markup(", ");
        let code: Vec<&str> = visible.iter().map(|it| &it.1.0[..]).collect();
        self.draft.string(code.join("\n").trim_end_matches('\n'));
        for one in shown {
            let plot = matches!(one.value, Value::Plot(_));
            self.draft.markup(if plot { ",\n  b.beside[" } else { ",\n  [" });
            self.shown(&one.key, &one.value);
            self.draft.markup("]");
        }
        if let Some(failure) = failure {
            self.draft.markup(",\n  [#b.failed(");
            self.draft.string(failure);
            self.draft.markup(")]");
        }
        self.draft.markup(")");
    }

    /// Writes which names of the code lead to which listings, and which of its comments to which
    /// formulas: line and letters from 1 and 0.
    fn ways(&mut self, snippet: &Snippet, visible: &[(usize, Commented<'_>)]) {
        let names = self.links.names.get(&snippet.id).map_or(&[][..], |it| it);
        let mut first = true;
        for (at, (index, (text, mentioned))) in visible.iter().enumerate() {
            let names = names.iter().filter(|it| it.0.line == *index);
            let names = names.map(|(name, target)| (name.start..name.end, target));
            let mentioned = mentioned.iter().map(|it| (it.0.clone(), it.1));
            for (range, target) in names.chain(mentioned) {
                let Some(key) = super::inlines::key_of(target) else { continue };
                let letters = |end: usize| text[..end].chars().count();
                let (start, end) = (letters(range.start), letters(range.end));
                self.draft.markup(if first { "ways: (" } else { "" });
                first = false;
                self.draft.markup(&format!("({}, {start}, {end}, ", at + 1));
                self.draft.string(&key);
                self.draft.markup("), ");
            }
        }
        self.draft.markup(if first { "" } else { "), " });
    }

    pub(super) fn shown(&mut self, key: &str, value: &Value) {
        self.draft.markup("#b.shown(");
        self.draft.string(key);
        match in_line(value) {
            Some(written) => {
                self.draft.markup(")[");
                self.written(&written);
            }
            None => {
                let lines = |it: &str| it.lines().count();
                if let Value::Plot(plot) = value {
                    self.draft.markup(", block: true, width: auto)[#");
                    self.plot(plot, "");
                    return self.draft.markup("]");
                }
                let (block, long) = match value {
                    Value::Table(table) => (true, table.rows.len() > ROWS),
                    Value::Plot(_) | Value::List(_) => (true, false),
                    Value::Text(text) => (lines(text) > 1, lines(text) > ROWS),
                    Value::Int(_) | Value::Float(_) | Value::Bool(_) => (false, false),
                };
                self.draft.markup(match (block, long) {
                    (true, true) => ", block: true, long: true)[",
                    (true, false) => ", block: true)[",
                    (false, _) => ")[",
                });
                self.shown_value(value);
            }
        }
        self.draft.markup("]");
    }

    /// Writes the value of an output.
    pub(super) fn shown_value(&mut self, value: &Value) {
        match value {
            Value::Table(table) => self.value_table(table, None, &[]),
            Value::Plot(plot) => {
                self.draft.markup("#");
                self.plot(plot, "");
            }
            Value::Text(text) if text.lines().count() > 1 => self.plain_lines(text),
            Value::Text(text) => {
                self.draft.markup("#raw(");
                // Nothing at all could not be seen.
                self.draft.string(if text.is_empty() { "\"\"" } else { text });
                self.draft.markup(")");
            }
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::List(_) => {
                if let Some(written) = value.written(Format::default()) {
                    self.shown_written(&written);
                }
            }
        }
    }

    fn shown_written(&mut self, written: &Written) {
        match written {
            Written::Number(_) | Written::Text(_) => self.written(written),
            Written::Matrix(rows) => self.displayed(matrix_tex(rows), written),
            Written::List(_) => self.plain_lines(&written.text()),
        }
    }

    fn plain_lines(&mut self, text: &str) {
        self.draft.markup("#b.plain-lines(");
        self.draft.string(text);
        self.draft.markup(")");
    }

    /// Writes a table that a snippet printed.
    pub(super) fn value_table(&mut self, table: &Table, label: Option<&str>, caption: &[Inline]) {
        self.open_table(label, caption);
        self.draft.markup(&format!("columns: {}, align: (", table.columns.len().max(1)));
        for column in 0..table.columns.len() {
            let numbers = table.rows.iter().all(|it| it.get(column).is_some_and(Value::is_number));
            self.draft.markup(if numbers { "right, " } else { "left, " });
        }
        self.draft.markup("), head: (");
        for column in &table.columns {
            self.draft.markup("[");
            self.loose(column);
            self.draft.markup("], ");
        }
        self.draft.markup("),\n");
        let tails = table.tails();
        for (row, written) in table.rows.iter().zip(table.written()) {
            for ((cell, written), tail) in row.iter().zip(written).zip(&tails) {
                self.draft.markup("[");
                match (cell, written, tail) {
                    (Value::Text(text), _, _) => self.loose(text),
                    (_, Some(Written::Number(number)), Some(tail)) => self.aligned(&number, tail),
                    (_, Some(written), _) => self.written(&written),
                    (_, None, _) => {}
                }
                self.draft.markup("], ");
            }
            self.draft.markup("\n");
        }
        self.draft.markup(")");
    }

    /// Writes a number of a column with as much room behind its point as `tail` takes.
    fn aligned(&mut self, number: &Number, tail: &Number) {
        let before = Number { decimals: String::new(), exponent: None, ..number.clone() };
        self.written(&Written::Number(before));
        self.draft.markup("#b.tail[");
        self.tail(number);
        self.draft.markup("][");
        self.tail(tail);
        self.draft.markup("]");
    }

    /// Writes what of a number follows its point.
    fn tail(&mut self, number: &Number) {
        if !number.decimals.is_empty() {
            self.draft.text(&format!(".{}", number.decimals));
        }
        if let Some(exponent) = number.exponent {
            self.made(format!("{{}}\\times 10^{{{exponent}}}"));
        }
    }
}

/// A vector that is short enough to stand in the line of its key. A display would vanish there:
/// it may not stand in a paragraph.
fn in_line(value: &Value) -> Option<Written> {
    const WIDTH: usize = 56;
    let Value::List(items) = value else { return None };
    let written = value.written(Format::default())?;
    let is_vector = !items.is_empty() && items.iter().all(Value::is_number);
    (is_vector && written.text().chars().count() <= WIDTH).then_some(written)
}
