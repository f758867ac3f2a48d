//! Blocks to HTML.

use super::inlines::image;
use super::preview;
use super::writer::Writer;
use crate::eval::placed_by;
use crate::html::Html;
use crate::ir::{
    Alignment, Block, BlockKind, Code, Environment, EnvironmentKind, Figure, FigureSource, Heading,
    Inline, Item, Label, List, Spanned, Table,
};
use crate::link::{Target, TargetKind, environment_word};

/// A section whose first blocks are written.
struct Opened<'a> {
    heading: &'a Heading,
    start: usize,
    /// The end of the blocks that are shown.
    end: usize,
    blocks: usize,
}

impl Writer<'_> {
    /// Writes blocks in order.
    pub(super) fn blocks(&mut self, blocks: &[Block]) {
        let mut opened: Option<Opened<'_>> = None;
        for block in blocks {
            if let BlockKind::Heading(heading) = &block.kind {
                self.keep_section(opened.take());
                self.heading(heading);
                let start = self.written_so_far();
                opened = Some(Opened { heading, start, end: start, blocks: 0 });
                continue;
            }
            self.block(block);
            let at = self.written_so_far();
            let is_enough = |it: &mut Opened<'_>| {
                let fits = at - it.start <= preview::ENOUGH;
                if fits || it.blocks == 0 {
                    it.end = at;
                }
                it.blocks += 1;
                it.blocks >= preview::BLOCKS || !fits
            };
            let done = opened.take_if(is_enough);
            self.keep_section(done);
        }
        self.keep_section(opened);
    }

    /// Keeps what links to a section show: its first blocks.
    fn keep_section(&mut self, opened: Option<Opened<'_>>) {
        let Some(Opened { heading, start, end, .. }) = opened else { return };
        let target = Target {
            kind: TargetKind::Section,
            number: self.links.headings.get(&heading.anchor).cloned().unwrap_or_default(),
            title: heading.body.clone(),
            ..Target::default()
        };
        let head = self.called(&target);
        self.keep(&heading.anchor, &head, start, end);
    }

    /// Writes blocks, and `end` at the end of the last line.
    pub(super) fn blocks_with_end(&mut self, blocks: &[Block], end: &Html) {
        match blocks.split_last() {
            Some((Block { kind: BlockKind::Paragraph(body), .. }, before)) => {
                self.blocks(before);
                self.out.markup("<p>");
                self.inlines(body);
                self.out.markup(" ").html(end).markup("</p>\n");
            }
            Some(_) | None => {
                self.blocks(blocks);
                self.out.markup("<p class=\"end\">").html(end).markup("</p>\n");
            }
        }
    }

    fn block(&mut self, block: &Block) {
        match &block.kind {
            BlockKind::Heading(it) => self.heading(it),
            BlockKind::Paragraph(body) => {
                self.out.markup("<p>");
                self.inlines(body);
                self.out.markup("</p>\n");
            }
            BlockKind::Display(it) => self.display(it),
            BlockKind::Environment(it) => self.environment(it),
            BlockKind::Code(it) => self.code(it),
            BlockKind::Snippet(it) => self.snippet(it),
            BlockKind::Figure(it) => self.figure(it),
            BlockKind::Table(it) => self.table(it),
            BlockKind::List(it) => self.list(it),
            BlockKind::Quote(it) => {
                self.out.markup("<blockquote>\n");
                self.blocks(it);
                self.out.markup("</blockquote>\n");
            }
            BlockKind::Rule => {
                self.out.markup("<hr>\n");
            }
            BlockKind::Html(html) => {
                self.out.html(&Html::trusted(html.clone())).markup("\n");
            }
        }
    }

    fn heading(&mut self, heading: &Heading) {
        let tag = format!("h{}", heading.level.clamp(2, 6));
        let links = self.links;
        let number = links.headings.get(&heading.anchor).filter(|it| !it.is_empty());
        self.out.open(&tag, &[("id", Some(&heading.anchor))]);
        for label in heading.labels.iter().filter(|it| it.value.0 != heading.anchor) {
            self.anchor(&label.value.0);
        }
        if let Some(number) = number {
            self.out.markup("<span class=\"heading-number\">").text(number).markup("</span> ");
        }
        self.inlines(&heading.body);
        self.permalink(&heading.anchor, self.words.this_section, &heading.body);
        self.out.close(&tag).markup("\n");
    }

    /// Writes a link to what it stands in, which `words` and its title name.
    pub(super) fn permalink(&mut self, anchor: &str, words: &str, title: &[Inline]) {
        let name = format!("{words}: {}", self.plain(title));
        let href = super::address::relative("", &format!("#{anchor}"));
        let attributes =
            [("class", Some("permalink")), ("href", Some(&href[..])), ("aria-label", Some(&name))];
        self.out.markup(" ").open("a", &attributes).markup("#</a>");
    }

    fn environment(&mut self, environment: &Environment) {
        let links = self.links;
        let number = links.environments.get(self.environments).map_or("", |it| it);
        let made = links.boxes.get(&self.environments).map(|it| &it[..]);
        self.environments += 1;
        let class = format!("env env-{}", environment.kind.word());
        let id = environment.labels.first().map(|it| &it.value.0[..]).or(made);
        let tag = if environment.folded { "details" } else { "div" };
        self.out.open(tag, &[("class", Some(&class)), ("id", id)]);
        let head = if environment.folded { "summary" } else { "p" };
        self.out.open(head, &[("class", Some("env-head"))]);
        let name = self.apart(|it| it.environment_name(environment, number));
        self.out.html(&name).close(head).markup("\n");
        self.aliases(&environment.labels);
        self.out.markup("<div class=\"env-body\">\n");
        let start = self.written_so_far();
        let shown = self.environment_body(environment);
        if let Some(id) = id {
            self.keep(id, &name, start, shown);
        }
        self.out.markup("</div>").close(tag).markup("\n");
    }

    /// Writes the blocks of an environment. Returns where those end that a link to it shows.
    fn environment_body(&mut self, environment: &Environment) -> usize {
        let start = self.written_so_far();
        let mut shown = start;
        let ends = environment.kind == EnvironmentKind::Proof;
        let count = environment.blocks.len() - usize::from(ends && !environment.blocks.is_empty());
        let (before, last) = environment.blocks.split_at(count);
        let mut enough = |at: usize| {
            let fits = shown == start || at - start <= preview::ENOUGH;
            shown = if fits { at } else { shown };
        };
        for block in before {
            self.blocks(std::slice::from_ref(block));
            enough(self.written_so_far());
        }
        if ends {
            let end = "<span class=\"qed\" aria-hidden=\"true\"></span>";
            self.blocks_with_end(last, &Html::trusted(end));
            enough(self.written_so_far());
        }
        shown
    }

    /// The name of an environment: word, number and title. The title of a proof, hint or solution
    /// takes the place of its word.
    fn environment_name(&mut self, environment: &Environment, number: &str) {
        let word = environment_word(environment.kind);
        let renames = matches!(
            environment.kind,
            EnvironmentKind::Proof | EnvironmentKind::Hint | EnvironmentKind::Solution
        ) && !environment.title.is_empty();
        if renames {
            self.out.markup("<span class=\"env-word\">");
            self.inlines(&environment.title);
            self.out.markup("</span>");
        } else if !word.is_empty() {
            self.out.markup("<span class=\"env-word\">").text(word);
            if !number.is_empty() {
                self.out.text("\u{a0}").text(number);
            }
            self.out.markup("</span>");
        }
        let links = self.links;
        let of = environment.of.as_ref().and_then(|it| links.target(&it.value.0));
        if let Some(target) = of {
            self.out.markup(" ").text(self.words.of).markup(" ");
            self.to(target, "ref", |it| it.name_of(target));
        }
        if !renames && !environment.title.is_empty() {
            self.out.markup(" <span class=\"env-title\">");
            self.inlines(&environment.title);
            self.out.markup("</span>");
        }
    }

    /// Writes places for all labels but the first.
    pub(super) fn aliases(&mut self, labels: &[Spanned<Label>]) {
        for label in labels.iter().skip(1) {
            self.anchor(&label.value.0);
        }
    }

    fn code(&mut self, code: &Code) {
        let id = code.labels.first().map(|it| &it.value.0[..]);
        let start = self.written_so_far();
        self.out.open("div", &[("class", Some("listing")), ("id", id)]);
        self.aliases(&code.labels);
        self.highlighted(&code.language, &code.text, &[]);
        self.out.markup("</div>\n");
        self.keep_labelled(&code.labels, start);
    }

    fn list(&mut self, list: &List) {
        let tag = if list.start.is_some() { "ol" } else { "ul" };
        let start = list.start.filter(|it| *it != 1).map(|it| it.to_string());
        let tasks = list.items.iter().any(|it| it.task.is_some());
        let class = tasks.then_some("tasks");
        self.out.open(tag, &[("class", class), ("start", start.as_deref())]).markup("\n");
        for item in &list.items {
            self.out.markup("<li>");
            self.item(item, list.tight);
            self.out.markup("</li>\n");
        }
        self.out.close(tag).markup("\n");
    }

    fn item(&mut self, item: &Item, tight: bool) {
        if let Some(done) = item.task {
            let name = if done { self.words.done } else { self.words.to_do };
            let attributes = [
                ("type", Some("checkbox")),
                ("disabled", Some("")),
                ("checked", done.then_some("")),
                ("aria-label", Some(name)),
            ];
            self.out.open("input", &attributes).markup(" ");
        }
        for block in &item.blocks {
            match &block.kind {
                BlockKind::Paragraph(body) if tight => self.inlines(body),
                _ => self.block(block),
            }
        }
    }

    fn table(&mut self, table: &Table) {
        let id = table.labels.first().map(|it| &it.value.0[..]);
        let start = self.written_so_far();
        self.out.open("figure", &[("class", Some("table")), ("id", id)]);
        self.aliases(&table.labels);
        self.caption(&table.labels, &table.caption, true);
        let name = self.plain(&table.caption);
        let name = if name.is_empty() { self.words.table.to_owned() } else { name };
        self.scroll(&name, |it| it.table_body(table));
        self.out.markup("</figure>\n");
        self.keep_labelled(&table.labels, start);
    }

    fn table_body(&mut self, table: &Table) {
        let class = |column: usize| match table.alignments.get(column) {
            Some(Alignment::Center) => Some("center"),
            Some(Alignment::Right) => Some("right"),
            Some(Alignment::Default | Alignment::Left) | None => None,
        };
        self.out.markup("<table>\n");
        if table.head.iter().any(|it| !it.is_empty()) {
            self.out.markup("<thead><tr>");
            for (column, cell) in table.head.iter().enumerate() {
                // A heading without words is not one.
                let tag = if cell.is_empty() { "td" } else { "th" };
                let scope = (tag == "th").then_some("col");
                self.out.open(tag, &[("scope", scope), ("class", class(column))]);
                self.inlines(cell);
                self.out.close(tag);
            }
            self.out.markup("</tr></thead>\n");
        }
        self.out.markup("<tbody>\n");
        for row in &table.rows {
            self.out.markup("<tr>");
            for (column, cell) in row.iter().enumerate() {
                self.out.open("td", &[("class", class(column))]);
                self.inlines(cell);
                self.out.markup("</td>");
            }
            self.out.markup("</tr>\n");
        }
        self.out.markup("</tbody></table>");
    }

    fn figure(&mut self, figure: &Figure) {
        let id = figure.labels.first().map(|it| &it.value.0[..]);
        let table = id.is_some_and(|it| it.starts_with("tab:"));
        let class = if table { "table" } else { "figure" };
        let start = self.written_so_far();
        self.out.open("figure", &[("class", Some(class)), ("id", id)]);
        self.aliases(&figure.labels);
        if table {
            self.caption(&figure.labels, &figure.caption, true);
        }
        match &figure.source {
            FigureSource::File(file, _) => {
                let src = self.href(file.path());
                let attributes = [("src", Some(&src[..])), ("alt", Some(&figure.alt[..]))];
                let before = self.plain(&figure.caption);
                let name = if before.is_empty() { figure.alt.clone() } else { before };
                self.scroll(&name, |it| image(&mut it.out, &attributes));
            }
            FigureSource::Output(path) => {
                let shown = placed_by(self.outputs, path);
                match &shown[..] {
                    [] => {
                        let output = self.outputs.get(&path.snippet);
                        match output.and_then(|it| it.failure.as_deref()) {
                            Some(failure) => self.failure(failure),
                            None => self.no_output(),
                        }
                    }
                    [(_, value)] => self.shown_value(value, &figure.alt),
                    all => all.iter().for_each(|(key, value)| self.shown(key, value)),
                }
            }
        }
        let caption = self.written_so_far();
        if !table {
            self.caption(&figure.labels, &figure.caption, false);
        }
        self.out.markup("</figure>\n");
        // A drawing of very many parts is not worth the wait.
        let is_large = caption - start > preview::LARGEST;
        self.keep_labelled(&figure.labels, if is_large { caption } else { start });
    }

    /// Writes "Figure 8.1." and the caption.
    fn caption(&mut self, labels: &[Spanned<Label>], caption: &[Inline], table: bool) {
        let links = self.links;
        let target = labels.first().and_then(|it| links.target(&it.value.0));
        let number = target.map_or("", |it| &it.number);
        if number.is_empty() && caption.is_empty() {
            return;
        }
        self.out.markup("<figcaption>");
        if !number.is_empty() {
            let word = if table { self.words.table } else { self.words.figure };
            self.out.markup("<span class=\"caption-number\">").text(word).text("\u{a0}");
            self.out.text(number).markup(".</span> ");
        }
        self.inlines(caption);
        self.out.markup("</figcaption>\n");
    }
}
