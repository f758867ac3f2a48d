//! Snippets and what they printed to HTML.

use std::collections::BTreeSet;

use super::highlight::Way;
use super::preview;
use super::writer::Writer;
use crate::ir::Snippet;
use crate::value::{Format, Number, Table, Value, Written, matrix_tex};

/// A table with more rows than this is folded.
const ROWS: usize = 24;

impl Writer<'_> {
    /// Writes a snippet, and its outputs below.
    pub(super) fn snippet(&mut self, snippet: &Snippet) {
        let id = format!("snip:{}", snippet.id);
        let id = Some(&id[..]).filter(|_| !snippet.id.is_empty());
        let start = self.written_so_far();
        self.out.open("figure", &[("class", Some("snippet")), ("id", id)]);
        if !snippet.hide {
            self.snippet_caption(snippet);
            self.snippet_code(snippet);
        }
        self.snippet_outputs(snippet);
        self.out.markup("</figure>\n");
        if let Some(id) = id {
            self.keep_label(id, start);
        }
    }

    fn snippet_caption(&mut self, snippet: &Snippet) {
        let links = self.links;
        let id = format!("snip:{}", snippet.id);
        let target = links.target(&id);
        self.out.markup("<figcaption>");
        if let Some(target) = target.filter(|it| !it.number.is_empty()) {
            let name = format!("{}\u{a0}{}.", target.word(), target.number);
            self.out.markup("<span class=\"caption-number\">").text(&name).markup("</span> ");
        }
        self.inlines(&snippet.title);
        if target.is_some() {
            let href = super::address::relative("", &format!("#{id}"));
            self.out.markup(" ").open("a", &[("class", Some("snippet-id")), ("href", Some(&href))]);
            self.out.text(&snippet.id).markup("</a>");
        }
        self.out.markup("</figcaption>\n");
    }

    fn snippet_code(&mut self, snippet: &Snippet) {
        let (code, ways) = self.visible(snippet);
        let code = &code[..];
        if code.is_empty() {
            return;
        }
        if snippet.fold {
            self.out.markup("<details class=\"code-fold\"><summary>").text(self.words.code);
            self.out.markup("</summary>");
        }
        self.highlighted("rust", code, &ways);
        if snippet.fold {
            self.out.markup("</details>\n");
        }
    }

    /// The code that a reader sees, and the names in it that lead to other snippets.
    fn visible(&self, snippet: &Snippet) -> (String, Vec<Way>) {
        let names = self.links.names.get(&snippet.id).map_or(&[][..], |it| it);
        let mut seen = BTreeSet::new();
        let mut ways = Vec::new();
        let mut code = String::new();
        for (index, line) in snippet.lines.iter().enumerate().filter(|it| !it.1.hidden) {
            // Empty lines at the beginning are left out.
            if code.is_empty() && line.text.is_empty() {
                continue;
            }
            let start = code.len();
            for (name, target) in names.iter().filter(|it| it.0.line == index) {
                let range = start + name.start..start + name.end;
                let href = self.href(&target.href());
                let number = format!("{}\u{a0}{}", target.word(), target.number);
                let title = match &target.number[..] {
                    "" => name.item.clone(),
                    _ => format!("{}, {number}", name.item),
                };
                let (preview, first) = (preview::of(target), seen.insert(&name.item));
                ways.push(Way { range, href, preview, title, first });
            }
            let (text, mentioned) = crate::link::commented(&line.text, self.links);
            for (range, target) in mentioned {
                let range = start + range.start..start + range.end;
                let href = self.href(&target.href());
                let title = text[range.start - start..range.end - start].to_owned();
                let preview = preview::of(target);
                ways.push(Way { range, href, preview, title, first: true });
            }
            code.push_str(&text);
            code.push('\n');
        }
        code.truncate(code.trim_end_matches('\n').len());
        (code, ways)
    }

    fn snippet_outputs(&mut self, snippet: &Snippet) {
        let outputs = self.outputs;
        let Some(output) = outputs.get(&snippet.id) else { return };
        let shown = self.placed.rest(&snippet.id, outputs);
        if shown.is_empty() && output.failure.is_none() {
            return;
        }
        let name = [
            ("class", Some("outputs")),
            ("role", Some("group")),
            ("aria-label", Some(self.words.output)),
        ];
        self.out.open("div", &name).markup("\n");
        for one in shown {
            self.shown(&one.key, &one.value);
        }
        if let Some(failure) = &output.failure {
            self.failure(failure);
        }
        self.out.markup("</div>\n");
    }

    /// Writes what a snippet that failed has to say, in the place of its output.
    pub(super) fn failure(&mut self, failure: &str) {
        self.out.markup("<div class=\"failure\"><p>").text(self.words.failed).markup("</p>");
        if !failure.is_empty() {
            self.out.markup("<pre><code>").text(failure).markup("</code></pre>");
        }
        self.out.markup("</div>\n");
    }

    /// Writes that an output is not there, though its snippet has not failed.
    pub(super) fn no_output(&mut self) {
        self.out.markup("<div class=\"failure\"><p>").text(self.words.no_output);
        self.out.markup("</p></div>\n");
    }

    /// Writes an output with its key.
    pub(super) fn shown(&mut self, key: &str, value: &Value) {
        let class = if is_block(value) { "shown block" } else { "shown" };
        self.out.open("div", &[("class", Some(class))]);
        self.out.markup("<code class=\"key\">").text(key).markup("</code> ");
        self.shown_value(value, key);
        self.out.markup("</div>\n");
    }

    /// Writes a value. `alt` says in words what it shows, if it is a plot.
    pub(super) fn shown_value(&mut self, value: &Value, alt: &str) {
        match value {
            Value::Table(table) => self.value_table(table, alt),
            Value::Plot(plot) => self.plot(plot, alt),
            Value::Text(text) if text.contains('\n') => {
                self.out.markup("<pre class=\"lines\"><code>").text(text).markup("</code></pre>");
            }
            Value::Text(text) => {
                // Nothing at all could not be seen.
                let text = if text.is_empty() { "\"\"" } else { text };
                self.out.markup("<code>").text(text).markup("</code>");
            }
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::List(_) => {
                let Some(written) = value.written(Format::default()) else { return };
                match &written {
                    Written::Number(_) | Written::Text(_) => {
                        self.out.markup("<span class=\"number-value\">");
                        self.written(&written);
                        self.out.markup("</span>");
                    }
                    Written::Matrix(rows) => self.scroll(alt, |it| it.made(&matrix_tex(rows))),
                    Written::List(_) => self.scroll(alt, |it| it.made(&written.tex())),
                }
            }
        }
    }

    fn value_table(&mut self, table: &Table, name: &str) {
        let fold = table.rows.len() > ROWS;
        if fold {
            let rows = table.rows.len().to_string();
            self.out.markup("<details class=\"data\"><summary>").text(self.words.table);
            self.out.markup(" (").text(&rows).markup(")</summary>");
        }
        self.scroll(name, |it| it.value_table_body(table));
        if fold {
            self.out.markup("</details>");
        }
    }

    /// Writes a table that a snippet printed.
    pub(super) fn value_table_body(&mut self, table: &Table) {
        let is_number = |column: usize| {
            table.rows.iter().all(|it| it.get(column).is_some_and(Value::is_number))
        };
        let class: Vec<_> =
            (0..table.columns.len()).map(|it| is_number(it).then_some("right")).collect();
        self.out.markup("<table class=\"values\"><thead><tr>");
        for (column, class) in table.columns.iter().zip(&class) {
            self.out.open("th", &[("scope", Some("col")), ("class", *class)]);
            self.text_with_math(column);
            self.out.markup("</th>");
        }
        self.out.markup("</tr></thead>\n<tbody>\n");
        let tails = table.tails();
        for (row, written) in table.rows.iter().zip(table.written()) {
            self.out.markup("<tr>");
            for (((cell, class), written), tail) in row.iter().zip(&class).zip(written).zip(&tails)
            {
                self.out.open("td", &[("class", *class)]);
                match (cell, written, tail) {
                    (Value::Text(text), _, _) => self.text_with_math(text),
                    (_, Some(Written::Number(number)), Some(tail)) => self.aligned(&number, tail),
                    (_, Some(written), _) => self.written(&written),
                    (_, None, _) => {}
                }
                self.out.markup("</td>");
            }
            self.out.markup("</tr>\n");
        }
        self.out.markup("</tbody></table>");
    }

    /// Writes a number of a column with as much room behind its point as `tail` takes.
    fn aligned(&mut self, number: &Number, tail: &Number) {
        let (before, after) = number.parts();
        self.out.text(&before);
        self.out.open("span", &[("class", Some("tail")), ("data-room", Some(&tail.parts().1))]);
        self.out.markup("<span>").text(&after).markup("</span></span>");
    }
}

/// Whether a value stands on lines of its own.
fn is_block(value: &Value) -> bool {
    match value {
        Value::Table(_) | Value::Plot(_) => true,
        Value::Text(text) => text.contains('\n'),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::List(_) => false,
    }
}
