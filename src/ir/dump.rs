//! A readable form of the tree without spans, for tests.
//!
//! One line a block, indented under what holds it. In running text a formula is `$…$`, code is
//! `` `…` ``, emphasis `*…*`, strong `**…**`, struck out `~~…~~`; what has no form of its own in
//! Markdown stands in `‹…›`, and a line end in the source is `⏎`.

use std::fmt::Write;

use super::{
    Alignment, Block, BlockKind, Destination, Display, Document, Environment, Figure, FigureSource,
    Heading, Inline, Label, List, Snippet, SnippetMode, Spanned, Table, ValuePath, ValueUse,
};
use crate::math::Style;
use crate::value::{Format, Step};

impl Document {
    /// The tree as indented text.
    pub fn dump(&self) -> String {
        let mut dump = Dump { out: String::new(), depth: 0 };
        dump.line(&format!("title{} {}", labels(&self.labels), inlines(&self.title)));
        self.front(&mut dump);
        dump.blocks(&self.blocks);
        for (index, note) in self.footnotes.iter().enumerate() {
            dump.line(&format!("footnote {index} {}", note.name));
            dump.inner(&note.blocks);
        }
        dump.out
    }

    fn front(&self, dump: &mut Dump) {
        let front = &self.front;
        if !front.summary.is_empty() {
            dump.line(&format!("summary {}", inlines(&front.summary)));
        }
        if !front.prerequisites.is_empty() {
            let list: Vec<_> = front.prerequisites.iter().map(|it| &it.value.0[..]).collect();
            dump.line(&format!("prerequisites {}", list.join(" ")));
        }
        for (topic, label) in &front.topics {
            dump.line(&format!("topic {:?} → {}", topic.value, label.value));
        }
    }
}

/// Running text in the short form.
fn inlines(list: &[Inline]) -> String {
    list.iter().map(inline).collect()
}

fn inline(inline: &Inline) -> String {
    match inline {
        Inline::Text(text) => text.clone(),
        Inline::Emphasis(it) => format!("*{}*", inlines(it)),
        Inline::Strong(it) => format!("**{}**", inlines(it)),
        Inline::Strike(it) => format!("~~{}~~", inlines(it)),
        Inline::Code(text) => format!("`{text}`"),
        Inline::Math(formula) => match formula.style {
            Style::Inline => format!("${}$", one_line(&formula.tex)),
            Style::Display => format!("$${}$$", one_line(&formula.tex)),
        },
        Inline::Value(it) => format!("‹value {}›", value(it)),
        Inline::Link { url, title, body, .. } if title.is_empty() => {
            format!("‹link {}→{url}›", spaced(body))
        }
        Inline::Link { url, title, body, .. } => {
            format!("‹link {}→{url} {title:?}›", spaced(body))
        }
        Inline::Reference(it) => {
            let to = match &it.to {
                Destination::Label(label) => format!("#{label}"),
                Destination::Page { file, anchor: None } => file.to_string(),
                Destination::Page { file, anchor: Some(anchor) } => format!("{file}#{anchor}"),
            };
            format!("‹ref {}→{to}›", spaced(&it.body))
        }
        Inline::Citation { keys, body } => {
            let keys: Vec<_> = keys.iter().map(|it| &it.value[..]).collect();
            format!("‹cite {}→{}›", spaced(body), keys.join(","))
        }
        Inline::Image { file, alt, .. } => format!("‹image {alt} →{file}›"),
        Inline::Footnote(index) => format!("‹note {index}›"),
        Inline::SoftBreak => "⏎".to_string(),
        Inline::HardBreak => "‹break›".to_string(),
        Inline::Html(html) => format!("‹html {}›", one_line(html)),
    }
}

fn spaced(body: &[Inline]) -> String {
    if body.is_empty() { String::new() } else { inlines(body) + " " }
}

fn one_line(text: &str) -> String {
    text.replace('\n', "⏎")
}

fn value(it: &ValueUse) -> String {
    let Format { decimals, significant, scientific, percent, grouped } = it.format;
    let mut out = path(&it.path);
    if it.format != Format::default() {
        out.push(':');
        out.push_str(if grouped { "," } else { "" });
        match (decimals, significant) {
            (Some(digits), _) => out.push_str(&format!(".{digits}")),
            (None, Some(digits)) => out.push_str(&digits.to_string()),
            (None, None) => {}
        }
        out.push_str(if scientific { "e" } else { "" });
        out.push_str(if percent { "%" } else { "" });
    }
    out
}

fn path(path: &ValuePath) -> String {
    let mut out = path.snippet.clone();
    if !path.key.is_empty() {
        out = format!("{out}.{}", path.key);
    }
    for step in &path.steps {
        match step {
            Step::Index(index) => out.push_str(&format!("[{index}]")),
            Step::Name(name) => out.push_str(&format!("[{name:?}]")),
        }
    }
    out
}

fn labels(list: &[Spanned<Label>]) -> String {
    list.iter().map(|it| format!(" #{}", it.value)).collect()
}

struct Dump {
    out: String,
    depth: usize,
}

impl Dump {
    fn line(&mut self, text: &str) {
        let text = text.trim_end();
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{:1$}{text}", "", self.depth * 2);
    }

    fn inner(&mut self, list: &[Block]) {
        self.depth += 1;
        self.blocks(list);
        self.depth -= 1;
    }

    fn blocks(&mut self, list: &[Block]) {
        for block in list {
            match &block.kind {
                BlockKind::Heading(it) => self.heading(it),
                BlockKind::Paragraph(it) => self.line(&format!("p {}", inlines(it))),
                BlockKind::Display(it) => self.display(it),
                BlockKind::Environment(it) => self.environment(it),
                BlockKind::Code(it) => {
                    self.line(&format!("code {}{}", it.language, labels(&it.labels)));
                    self.text(&it.text);
                }
                BlockKind::Snippet(it) => self.snippet(it),
                BlockKind::Figure(it) => self.figure(it),
                BlockKind::Table(it) => self.table(it),
                BlockKind::List(it) => self.list(it),
                BlockKind::Quote(it) => {
                    self.line("quote");
                    self.inner(it);
                }
                BlockKind::Rule => self.line("rule"),
                BlockKind::Html(it) => {
                    self.line("html");
                    self.text(it);
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        for line in text.lines() {
            self.line(&format!("  |{line}"));
        }
    }

    fn heading(&mut self, it: &Heading) {
        let numbered = if it.numbered { "" } else { " unnumbered" };
        let (level, labels, anchor) = (it.level, labels(&it.labels), &it.anchor);
        self.line(&format!("h{level}{labels} @{anchor}{numbered} {}", inlines(&it.body)));
    }

    fn display(&mut self, it: &Display) {
        self.line(&format!("display{} $${}$$", labels(&it.labels), one_line(&it.formula.tex)));
        self.depth += 1;
        for line in &it.lines {
            self.line(&format!("line {} #{}", line.row, line.label));
        }
        let words = |list: &[Spanned<String>]| {
            list.iter().map(|it| &it.value[..]).collect::<Vec<_>>().join(" ")
        };
        let fields = [
            ("name", inlines(&it.name)),
            ("symbols", words(&it.symbols)),
            ("deps", labels(&it.deps).trim().to_string()),
            ("source", words(&it.source)),
            ("snippet", labels(&it.snippet).trim().to_string()),
            ("if", inlines(&it.conditions)),
        ];
        for (name, text) in fields {
            if !text.is_empty() {
                self.line(&format!("{name} {text}"));
            }
        }
        self.depth -= 1;
    }

    fn environment(&mut self, it: &Environment) {
        let folded = if it.folded { " folded" } else { "" };
        let of = it.of.as_ref().map(|it| format!(" of={}", it.value)).unwrap_or_default();
        let (kind, labels) = (it.kind.word(), labels(&it.labels));
        self.line(&format!("{kind}{labels}{folded}{of} {}", inlines(&it.title)));
        self.inner(&it.blocks);
    }

    fn snippet(&mut self, it: &Snippet) {
        let mode = match it.mode {
            SnippetMode::Run => "run",
            SnippetMode::Lib => "lib",
        };
        let flags = [
            ("hide", it.hide),
            ("fold", it.fold),
            ("should_panic", it.should_panic),
            ("opt=1", it.optimized),
        ];
        let flags = flags.iter().filter(|it| it.1).map(|it| format!(" {}", it.0));
        let flags: String = flags.collect();
        let (id, line) = (&it.id, it.first_line);
        self.line(&format!("snippet {id} {mode}{flags} line {line} {}", inlines(&it.title)));
        for line in &it.lines {
            let hidden = if line.hidden { "#" } else { "|" };
            self.line(&format!("  {:>2} {hidden}{}", line.column, line.text));
        }
    }

    fn figure(&mut self, it: &Figure) {
        let source = match &it.source {
            FigureSource::File(file, _) => file.to_string(),
            FigureSource::Output(output) => format!("snip:{}", path(output)),
        };
        self.line(&format!("figure{} {source} {:?}", labels(&it.labels), it.alt));
        if !it.caption.is_empty() {
            self.line(&format!("  caption {}", inlines(&it.caption)));
        }
    }

    fn table(&mut self, it: &Table) {
        let columns = it.alignments.iter().map(|it| match it {
            Alignment::Default => '-',
            Alignment::Left => '<',
            Alignment::Center => '^',
            Alignment::Right => '>',
        });
        self.line(&format!("table {}{}", columns.collect::<String>(), labels(&it.labels)));
        for row in std::iter::once(&it.head).chain(&it.rows) {
            let cells: Vec<_> = row.iter().map(|it| inlines(it)).collect();
            self.line(&format!("  | {}", cells.join(" | ")));
        }
        if !it.caption.is_empty() {
            self.line(&format!("  caption {}", inlines(&it.caption)));
        }
    }

    fn list(&mut self, it: &List) {
        let start = it.start.map(|it| format!(" {it}.")).unwrap_or_default();
        self.line(&format!("list{start}{}", if it.tight { "" } else { " loose" }));
        self.depth += 1;
        for item in &it.items {
            let task = match item.task {
                Some(true) => " [x]",
                Some(false) => " [ ]",
                None => "",
            };
            self.line(&format!("item{task}"));
            self.inner(&item.blocks);
        }
        self.depth -= 1;
    }
}
