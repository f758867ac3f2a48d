//! Code and what it printed to Typst markup.

use super::Writer;
use crate::ir::{Code, Inline, Snippet};
use crate::value::{Format, Table, Value, Written};

/// A matrix with more columns than this is set as rows of text.
const COLUMNS: usize = 16;

/// A matrix with more rows than this is set as rows of text.
const ROWS: usize = 24;

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
        let visible: Vec<&str> =
            snippet.lines.iter().filter(|it| !it.hidden).map(|it| &it.text[..]).collect();
        self.draft.string("rust");
        self.draft.markup(", ");
        let code = if snippet.hide { String::new() } else { visible.join("\n") };
        self.draft.string(code.trim_matches('\n'));
        for one in shown {
            self.draft.markup(",\n  [");
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

    pub(super) fn shown(&mut self, key: &str, value: &Value) {
        self.draft.markup("#b.shown(");
        self.draft.string(key);
        match in_line(value) {
            Some(written) => {
                self.draft.markup(")[");
                self.written(&written);
            }
            None => {
                let block = match value {
                    Value::Table(_) | Value::Plot(_) | Value::List(_) => true,
                    Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Text(_) => false,
                };
                self.draft.markup(if block { ", block: true)[" } else { ")[" });
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
            Value::Text(text) => {
                self.draft.markup("#raw(");
                self.draft.string(text);
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
            Written::Matrix(rows)
                if rows.len() <= ROWS && rows.iter().all(|it| it.len() <= COLUMNS) =>
            {
                self.displayed(written);
            }
            Written::Matrix(rows) => {
                let line = |row: &Vec<Written>| {
                    row.iter().map(Written::text).collect::<Vec<_>>().join("  ")
                };
                self.plain_lines(&rows.iter().map(line).collect::<Vec<_>>().join("\n"));
            }
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
        for (row, written) in table.rows.iter().zip(table.written()) {
            for (cell, written) in row.iter().zip(written) {
                self.draft.markup("[");
                match (cell, written) {
                    (Value::Text(text), _) => self.loose(text),
                    (_, Some(written)) => self.written(&written),
                    (_, None) => {}
                }
                self.draft.markup("], ");
            }
            self.draft.markup("\n");
        }
        self.draft.markup(")");
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
