//! Blocks of a chapter to Typst markup.

use super::Writer;
use crate::eval::placed_by;
use crate::ir::{
    Alignment, Block, BlockKind, Destination, Environment, EnvironmentKind, Figure, FigureSource,
    Heading, Inline, List, Reference, Table, plain,
};
use crate::link::environment_word;
use crate::source::{FileId, Span};
use crate::value::Value;

/// Containers and emphasis nested deeper than this are set as if they were not nested, since the typesetter refuses a
/// book in which anything is nested too deep.
pub(super) const DEPTH: usize = 10;

/// A paragraph with at most so many characters is not torn from the display after it, nor from what
/// follows a colon.
const SHORT: usize = 360;

/// A paragraph with at most so many characters below a heading is not left with it at the foot of a
/// page.
const LINES: usize = 280;

impl Writer<'_> {
    /// Writes blocks, with blank lines between them.
    pub(super) fn blocks(&mut self, blocks: &[Block]) {
        self.depth += 1;
        for (index, block) in blocks.iter().enumerate() {
            self.origin(block.span);
            match &block.kind {
                BlockKind::Paragraph(body) => {
                    let next = blocks.get(index + 1).map(|it| &it.kind);
                    let before = index.checked_sub(1).map(|it| &blocks[it].kind);
                    let follows = matches!(before, Some(BlockKind::Paragraph(_)));
                    self.paragraph(body, leads(body, before, next), follows);
                }
                BlockKind::Environment(it) if self.depth <= DEPTH => {
                    self.run_in();
                    let next = blocks.get(index + 1).map(|it| &it.kind);
                    self.environment(it, introduces(it, next));
                }
                BlockKind::Heading(_)
                | BlockKind::Display(_)
                | BlockKind::Environment(_)
                | BlockKind::Code(_)
                | BlockKind::Snippet(_)
                | BlockKind::Figure(_)
                | BlockKind::Table(_)
                | BlockKind::List(_)
                | BlockKind::Quote(_)
                | BlockKind::Rule
                | BlockKind::Html(_) => {
                    self.run_in();
                    self.block(block);
                }
            }
            self.draft.markup("\n\n");
        }
        self.depth -= 1;
    }

    /// Writes a paragraph. One that `leads` to something stays on its page.
    fn paragraph(&mut self, body: &[Inline], leads: bool, follows: bool) {
        if leads {
            self.draft.markup(if follows { "#b.lead(indent: true)[" } else { "#b.lead[" });
        }
        self.run_in();
        self.inlines(body);
        if leads {
            self.draft.markup("]");
        }
    }

    /// Writes the name of a proof or solution, which stands in the line of its first words.
    fn run_in(&mut self) {
        let Some((kind, name)) = self.pending.take() else { return };
        self.draft.markup("#b.run-in(");
        self.draft.string(kind.word());
        self.draft.markup(", ");
        self.bracketed(&name);
        self.draft.markup(")");
    }

    fn block(&mut self, block: &Block) {
        match &block.kind {
            BlockKind::Heading(it) => self.heading(it),
            BlockKind::Paragraph(it) => self.paragraph(it, false, false),
            BlockKind::Display(it) => self.display(it, block.span, false),
            BlockKind::Environment(it) if self.depth > DEPTH => self.blocks(&it.blocks),
            BlockKind::Environment(it) => self.environment(it, false),
            BlockKind::Code(it) => self.code(it),
            BlockKind::Snippet(it) => self.snippet(it),
            BlockKind::Figure(it) => self.figure(it),
            BlockKind::Table(it) => self.table(it),
            BlockKind::List(it) if self.depth > DEPTH => {
                it.items.iter().for_each(|it| self.blocks(&it.blocks));
            }
            BlockKind::List(it) => self.list(it),
            BlockKind::Quote(it) if self.depth > DEPTH => self.blocks(it),
            BlockKind::Quote(it) => self.contained("#b.quoted[", it),
            BlockKind::Rule => self.draft.markup("#b.pause-rule"),
            BlockKind::Html(_) => {}
        }
    }

    /// Blocks in brackets.
    pub(super) fn contained(&mut self, open: &str, blocks: &[Block]) {
        self.draft.markup(open);
        // Nothing but a paragraph stays in line with what is before it.
        match blocks {
            [Block { kind: BlockKind::Paragraph(body), span }] => {
                self.origin(*span);
                self.inlines(body);
            }
            blocks => {
                self.draft.markup("\n");
                self.blocks(blocks);
            }
        }
        self.draft.markup("]");
    }

    fn heading(&mut self, heading: &Heading) {
        // PDF/UA allows no level to be left out on the way down.
        let level = (self.base + heading.level.saturating_sub(1)).min(self.level + 1);
        self.level = level;
        let key = match heading.labels.first() {
            Some(label) => label.value.0.clone(),
            None => format!("{}#{}", self.links.page, heading.anchor),
        };
        self.draft.markup(&format!("#b.section({level}, {}, ", heading.level));
        self.draft.key(Some(&key));
        if let Some(number) = self.links.headings.get(&heading.anchor).filter(|it| !it.is_empty()) {
            self.draft.markup("number: ");
            self.draft.string(number);
        }
        self.draft.markup(")");
        self.bracketed(&heading.body);
    }

    /// Writes an environment; `leads`: it stays with what follows.
    fn environment(&mut self, environment: &Environment, leads: bool) {
        let kind = environment.kind;
        let number = self.numbers.get(&std::ptr::from_ref(environment).addr()).cloned();
        let run_in = matches!(
            kind,
            EnvironmentKind::Proof | EnvironmentKind::Solution | EnvironmentKind::Hint
        );
        match kind {
            EnvironmentKind::Proof => self.draft.markup("#b.proof("),
            EnvironmentKind::Solution | EnvironmentKind::Hint => self.draft.markup("#b.aside("),
            EnvironmentKind::Theorem
            | EnvironmentKind::Lemma
            | EnvironmentKind::Proposition
            | EnvironmentKind::Corollary
            | EnvironmentKind::Definition
            | EnvironmentKind::Example
            | EnvironmentKind::Exercise
            | EnvironmentKind::Remark
            | EnvironmentKind::Pitfall
            | EnvironmentKind::Recall
            | EnvironmentKind::Note
            | EnvironmentKind::Tip
            | EnvironmentKind::Warning
            | EnvironmentKind::Card => {
                self.draft.markup("#b.environment(");
                self.draft.string(kind.word());
                self.draft.markup(", ");
                self.draft.string(environment_word(kind));
                self.draft.markup(", ");
            }
        }
        self.draft.key(environment.labels.first().map(|it| &it.value.0[..]));
        if let Some(number) = number.filter(|it| !it.is_empty()) {
            self.draft.markup("number: ");
            self.draft.string(&number);
            self.draft.markup(", ");
        }
        if leads && !run_in {
            self.draft.markup("leads: true, ");
        }
        if run_in {
            self.pending = Some((kind, name_of(environment)));
        } else if !environment.title.is_empty() {
            self.draft.markup("title: ");
            self.bracketed(&environment.title);
        }
        self.draft.markup(")[\n");
        if kind == EnvironmentKind::Proof {
            self.proof(&environment.blocks);
        } else {
            self.blocks(&environment.blocks);
        }
        self.run_in();
        self.draft.markup("]");
    }

    /// The blocks of a proof, with its end box in the last line: of text, or of a formula that has
    /// no number there.
    fn proof(&mut self, blocks: &[Block]) {
        if let Some((Block { kind: BlockKind::Display(display), span }, rest)) = blocks.split_last()
            && self.has_free_end(display)
        {
            self.blocks(rest);
            self.run_in();
            self.draft.markup("\n\n");
            self.origin(*span);
            return self.display(display, *span, true);
        }
        if let Some((Block { kind: BlockKind::Paragraph(body), span }, rest)) = blocks.split_last()
        {
            self.blocks(rest);
            self.origin(*span);
            self.paragraph(body, false, false);
        } else {
            self.blocks(blocks);
        }
        self.draft.markup("#b.end-of-proof\n");
    }

    fn list(&mut self, list: &List) {
        match list.start {
            Some(start) => self.draft.markup(&format!("#enum(start: {start}, ")),
            None => self.draft.markup("#list("),
        }
        // A list with boxes draws its own bullets.
        let boxes = list.start.is_none() && list.items.iter().any(|it| it.task.is_some());
        if boxes {
            self.draft.markup("marker: none, body-indent: 0pt, ");
        }
        self.draft.markup(&format!("tight: {}, ", list.tight));
        for item in &list.items {
            let mark = match item.task {
                Some(true) => "[#b.ticked ",
                Some(false) => "[#b.unticked ",
                None if boxes => "[#b.plain-item ",
                None => "[",
            };
            self.contained(mark, &item.blocks);
            self.draft.markup(", ");
        }
        self.draft.markup(")");
    }

    fn table(&mut self, table: &Table) {
        self.open_table(table.labels.first().map(|it| &it.value.0[..]), &table.caption);
        let align: Vec<_> = table.alignments.iter().map(|it| alignment(*it)).collect();
        self.draft.markup(&format!("columns: {}, align: (", table.head.len().max(1)));
        for one in align {
            self.draft.markup(one);
            self.draft.markup(", ");
        }
        self.draft.markup("), head: (");
        for cell in &table.head {
            self.bracketed(cell);
            self.draft.markup(", ");
        }
        self.draft.markup("),\n");
        for row in &table.rows {
            for cell in row {
                self.bracketed(cell);
                self.draft.markup(", ");
            }
            self.draft.markup("\n");
        }
        self.draft.markup(")");
    }

    /// Opens a table with its label, number and caption.
    pub(super) fn open_table(&mut self, label: Option<&str>, caption: &[Inline]) {
        self.draft.markup("#b.tabular(");
        self.captioned("Table", label, caption);
    }

    fn captioned(&mut self, word: &str, label: Option<&str>, caption: &[Inline]) {
        self.draft.key(label);
        if let Some(number) = label.and_then(|it| self.number(it)) {
            self.draft.markup("number: ");
            self.draft.string(&format!("{word}\u{a0}{number}"));
            self.draft.markup(", ");
        }
        if !caption.is_empty() {
            self.draft.markup("caption: ");
            self.bracketed(caption);
            self.draft.markup(", ");
        }
    }

    fn figure(&mut self, figure: &Figure) {
        let label = figure.labels.first().map(|it| it.value.0.as_str());
        let path = match &figure.source {
            FigureSource::File(file, span) => {
                self.origin(*span);
                self.draft.markup("#b.picture-figure(");
                self.captioned("Figure", label, &figure.caption);
                self.draft.markup("alt: ");
                self.draft.string(if figure.alt.is_empty() { file.path() } else { &figure.alt });
                self.draft.markup(", ");
                self.picture(file, &figure.alt, "", "b.lost-figure");
                return self.draft.markup(")");
            }
            FigureSource::Output(path) => path,
        };
        self.origin(path.span);
        match &placed_by(self.outputs, path)[..] {
            [(_, Value::Table(table))] => self.value_table(table, label, &figure.caption),
            [(_, value)] => {
                self.draft.markup("#b.picture-figure(");
                self.captioned("Figure", label, &figure.caption);
                match value {
                    Value::Plot(plot) => self.plot(plot, &figure.alt),
                    Value::Int(_)
                    | Value::Float(_)
                    | Value::Bool(_)
                    | Value::Text(_)
                    | Value::List(_)
                    | Value::Table(_) => {
                        self.draft.markup("[");
                        self.shown_value(value);
                        self.draft.markup("]");
                    }
                }
                self.draft.markup(")");
            }
            [] => self.draft.markup("#b.no-output"),
            all => {
                self.draft.markup("#b.picture-figure(");
                self.captioned("Figure", label, &figure.caption);
                self.draft.markup("[");
                for (key, value) in all {
                    self.shown(key, value);
                    self.draft.markup("\n");
                }
                self.draft.markup("])");
            }
        }
    }

    /// A picture as an expression of code; `more` are further arguments. Where it cannot be shown,
    /// `words` of the template show its alternative text.
    pub(super) fn picture(&mut self, file: &FileId, alt: &str, more: &str, words: &str) {
        let alt = if alt.is_empty() { file.path() } else { alt };
        let mut instead = format!("{words}[");
        super::markup::escape(alt, &mut instead);
        instead.push(']');
        if self.links.lost.contains(file) {
            return self.draft.markup(&instead);
        }
        let path = format!("/book/{}", file.path());
        let mut code = String::from("image(");
        super::markup::literal(&path, &mut code);
        code.push_str(", alt: ");
        super::markup::literal(alt, &mut code);
        if !more.is_empty() {
            code.push_str(", ");
            code.push_str(more);
        }
        code.push(')');
        self.draft.picture(&code, instead, file);
    }

    /// Notes that what follows is from `span` of this chapter.
    pub(super) fn origin(&mut self, span: Span) {
        if let (Some(document), true) = (self.document, span != Span::NONE) {
            self.draft.origin(&document.file, span);
        }
    }
}

/// Whether a paragraph must not end a page before what is `next`.
fn leads(body: &[Inline], before: Option<&BlockKind>, next: Option<&BlockKind>) -> bool {
    let text = plain(body);
    let (length, colon) = (text.chars().count(), text.trim_end().ends_with(':'));
    let headed = matches!(before, Some(BlockKind::Heading(_)));
    match next {
        Some(BlockKind::Display(_)) => length <= SHORT,
        // A figure with a number floats.
        Some(BlockKind::Figure(it)) if !it.labels.is_empty() => false,
        Some(
            BlockKind::Environment(_)
            | BlockKind::Code(_)
            | BlockKind::Snippet(_)
            | BlockKind::Figure(_)
            | BlockKind::Table(_),
        ) => (colon && length <= SHORT) || (headed && length <= LINES),
        Some(BlockKind::List(_) | BlockKind::Quote(_)) => colon && length <= SHORT,
        Some(
            BlockKind::Paragraph(_) | BlockKind::Heading(_) | BlockKind::Rule | BlockKind::Html(_),
        )
        | None => false,
    }
}

/// Whether an environment is not to be parted from what is `next`: an exercise from its hint, and a
/// card that says in a line what the text then says at length.
fn introduces(environment: &Environment, next: Option<&BlockKind>) -> bool {
    let hinted = match next {
        Some(BlockKind::Environment(it)) => it.kind == EnvironmentKind::Hint,
        _ => false,
    };
    hinted || (environment.kind == EnvironmentKind::Card && next.is_some())
}

fn alignment(alignment: Alignment) -> &'static str {
    match alignment {
        Alignment::Default | Alignment::Left => "left",
        Alignment::Center => "center",
        Alignment::Right => "right",
    }
}

/// The name of a proof, hint or solution: its own title or else its word, and what it belongs to
/// where the author says so.
fn name_of(environment: &Environment) -> Vec<Inline> {
    let mut name = environment.title.clone();
    if name.is_empty() {
        name.push(Inline::Text(environment_word(environment.kind).into()));
    }
    if let Some(of) = &environment.of {
        let to = Destination::Label(of.value.clone());
        name.push(Inline::Text(" of ".into()));
        name.push(Inline::Reference(Reference { to, body: Vec::new(), span: of.span }));
    }
    name
}
