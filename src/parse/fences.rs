//! Code blocks to code, snippets and named formulas.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event};

use super::attributes::{self, Attributes};
use super::tree::Tree;
use super::{checks, codes};
use crate::ir::{BlockKind, Code, Label, Snippet, SnippetLine, SnippetMode, Spanned};
use crate::source::Span;

/// The first line of a fenced block.
struct Opening {
    /// The language; may be empty.
    language: String,
    attributes: Option<Attributes>,
    /// The line without its indent.
    line: Range<usize>,
}

impl<'a> Tree<'a> {
    /// A code block whose start was just taken.
    pub(super) fn fence(&mut self, kind: &CodeBlockKind<'a>, range: &Range<usize>) -> BlockKind {
        let texts = self.texts();
        self.close();
        let code = |opening: Opening, text: String| Code {
            language: opening.language,
            text,
            labels: opening.attributes.map(|it| it.labels).unwrap_or_default(),
        };
        let text = texts.iter().map(|(text, _)| &text[..]).collect::<String>();
        if matches!(kind, CodeBlockKind::Indented) {
            let (language, attributes) = (String::new(), None);
            let opening = Opening { language, attributes, line: range.clone() };
            return BlockKind::Code(code(opening, text));
        }
        let opening = self.opening(range);
        self.check_closed(range, &opening);
        self.check_words(&opening);
        self.check_includes(&texts);
        if opening.language == "math" {
            let lines: Vec<_> = texts.into_iter().map(|it| it.1).collect();
            let display = self.fenced_display(&lines, opening.attributes.as_ref(), &opening.line);
            return BlockKind::Display(Box::new(display));
        }
        match &opening.attributes {
            Some(list) if opening.language == "rust" => {
                match self.snippet(list, &texts, &opening.line) {
                    Some(snippet) => BlockKind::Snippet(Box::new(snippet)),
                    None => BlockKind::Code(code(opening, text)),
                }
            }
            Some(list) => {
                self.check(list, &checks::CODE);
                BlockKind::Code(code(opening, text))
            }
            None => BlockKind::Code(code(opening, text)),
        }
    }

    /// The text of a code block, in parts that each stand in one piece in the file.
    fn texts(&mut self) -> Vec<(String, Range<usize>)> {
        let mut texts = Vec::new();
        while let Some((Event::Text(text), range)) = self.peek() {
            // Letters that stand for a formula here are code again.
            let masked = !self.formulas(range).is_empty();
            let text =
                if masked { self.slice(range.clone()).to_string() } else { text.to_string() };
            texts.push((text, range.clone()));
            self.next();
        }
        texts
    }

    /// Reads the first line of the fenced block at `range`.
    fn opening(&mut self, range: &Range<usize>) -> Opening {
        let text = self.slice(range.clone());
        let end = range.start + text.find('\n').unwrap_or(text.len());
        let start = end - self.slice(range.start..end).trim_start().len();
        let line = start..end;
        let fence = self.slice(line.clone()).chars().next().unwrap_or('`');
        let info = self.slice(line.clone()).trim_start_matches(fence).trim();
        let at = info.find(|it: char| it.is_whitespace() || it == '{' || it == ',');
        let language = info[..at.unwrap_or(info.len())].to_string();
        let offset = info.as_ptr() as usize - self.source.text.as_ptr() as usize;
        let attributes = info.find('{').and_then(|it| {
            attributes::read(&self.source.text, offset + it)
                .map_err(|fault| {
                    let message = format!("the attributes cannot be read: {}", fault.message);
                    self.error(codes::ATTRIBUTES, offset + it..fault.at.max(offset + it), message);
                })
                .ok()
        });
        Opening { language, attributes, line }
    }

    /// Says when the block at `range` is closed by the end of what is around it only.
    fn check_closed(&mut self, range: &Range<usize>, opening: &Opening) {
        let line = self.slice(opening.line.clone());
        let fence = line.chars().next().unwrap_or('`');
        let count = line.chars().take_while(|it| *it == fence).count();
        let text = self.slice(opening.line.end.min(range.end)..range.end).trim_end();
        let last = text.rsplit('\n').next().unwrap_or_default();
        let last = last.trim_start_matches(|it: char| it.is_whitespace() || it == '>');
        let closed = last.chars().all(|it| it == fence) && last.chars().count() >= count;
        if !closed {
            let message = "this code block is not closed";
            self.error(codes::FENCE, opening.line.clone(), message);
        }
    }

    /// Says of words behind the language that mean something in braces only.
    fn check_words(&mut self, opening: &Opening) {
        let (language, line) = (&opening.language, opening.line.clone());
        let allowed = match &language[..] {
            "rust" => &checks::SNIPPET,
            "math" => &checks::FORMULA,
            _ => &checks::CODE,
        };
        let text = self.slice(line.clone());
        let Some(at) = text.find(&language[..]).filter(|_| !language.is_empty()) else { return };
        let words = text[at + language.len()..].split('{').next().unwrap_or_default();
        let means = |word: &&str| {
            let key = word.split_once('=').map(|it| it.0);
            let label = word.strip_prefix('#').is_some_and(|it| it.contains(':'));
            label
                || allowed.flags.contains(word)
                || key.is_some_and(|it| allowed.keys.contains(&it))
        };
        let Some(word) = words.split_whitespace().find(means) else { return };
        let start = word.as_ptr() as usize - self.source.text.as_ptr() as usize;
        let message = format!("`{word}` means something in braces only");
        let help = match &language[..] {
            "rust" => "write ```` ```rust {#snip:name run} ````",
            "math" => "write ```` ```math {#eq:name} ````",
            _ => "write `{#snip:name}` behind the language",
        };
        self.warn(codes::FLAG, start..start + word.len(), message, help);
    }

    /// mdBook puts files into code; the words are not code.
    fn check_includes(&mut self, texts: &[(String, Range<usize>)]) {
        for (_, range) in texts {
            for (at, _) in self.slice(range.clone()).match_indices("{{#") {
                let found = super::prose::include(self.source, range.start + at);
                self.diagnostics.extend(found.map(|it| it.1));
            }
        }
    }

    fn snippet(
        &mut self,
        list: &Attributes,
        texts: &[(String, Range<usize>)],
        line: &Range<usize>,
    ) -> Option<Snippet> {
        let flag = |name: &str| list.flags.iter().any(|it| it.value == name);
        let mode = match (flag("run"), flag("lib")) {
            (true, false) => SnippetMode::Run,
            (false, true) => SnippetMode::Lib,
            (true, true) => {
                self.error(codes::SNIPPET, list.span, "a snippet is either `run` or `lib`");
                SnippetMode::Run
            }
            (false, false) => {
                let runs = !list.pairs.is_empty() || !list.flags.is_empty();
                self.check(list, if runs { &checks::SNIPPET } else { &checks::CODE });
                let snippet = list.labels.iter().any(|it| it.value.0.starts_with("snip:"));
                if snippet || runs {
                    let message = "this snippet has neither `run` nor `lib`; it is only shown";
                    self.warn(codes::SNIPPET, list.span, message, "add `run` to run it");
                }
                return None;
            }
        };
        self.check(list, &checks::SNIPPET);
        let (id, id_span) = self.snippet_name(list, mode, line)?;
        let title = list.pairs.iter().find(|it| it.key.value == "title");
        Some(Snippet {
            id,
            id_span,
            mode,
            hide: flag("hide"),
            fold: flag("fold"),
            should_panic: flag("should_panic"),
            optimized: self.optimized(list, mode),
            title: title.map(|it| self.inline_value(it)).unwrap_or_default(),
            lines: self.snippet_lines(texts),
            first_line: u32::try_from(self.line(line.start)).unwrap_or(u32::MAX),
        })
    }

    /// Whether the snippet asks for optimization: `opt=1`. `opt=0` says that it does not.
    fn optimized(&mut self, list: &Attributes, mode: SnippetMode) -> bool {
        let Some(pair) = list.pairs.iter().find(|it| it.key.value == "opt") else { return false };
        match (&pair.value.value[..], mode) {
            ("0", SnippetMode::Run) => false,
            ("1", SnippetMode::Run) => true,
            (_, SnippetMode::Lib) => {
                let message = "`opt` means nothing on a `lib` snippet";
                let help = "remove it; all that chapters share is compiled with light optimization";
                self.warn(codes::KEY, pair.key.span, message, help);
                false
            }
            (other, SnippetMode::Run) => {
                let message = format!("`opt` is 0 or 1, not `{other}`");
                self.error(codes::SNIPPET, pair.value.span, message);
                false
            }
        }
    }

    /// The name of a snippet. A `lib` block needs none: its line is name enough.
    fn snippet_name(
        &mut self,
        list: &Attributes,
        mode: SnippetMode,
        line: &Range<usize>,
    ) -> Option<(String, Span)> {
        if let Some(Spanned { value: Label(label), span }) = list.labels.first() {
            let Some(id) = label.strip_prefix("snip:").filter(|it| !it.is_empty()) else {
                let message =
                    format!("the label of a snippet begins with `snip:`; this is `{label}`");
                self.error(codes::SNIPPET, *span, message);
                return Some((label.replace(':', "-"), *span));
            };
            return Some((id.to_string(), *span));
        }
        let stem = self.source.file.stem().replace('/', "-");
        let number = self.line(line.start);
        if mode == SnippetMode::Run {
            let message = "a snippet that runs has a label: `#snip:name`";
            self.error(codes::SNIPPET, list.span, message);
        }
        Some((format!("{stem}-line-{number}"), line.clone().into()))
    }

    fn snippet_lines(&self, texts: &[(String, Range<usize>)]) -> Vec<SnippetLine> {
        let mut lines: Vec<(String, usize)> = Vec::new();
        let mut open = false;
        for (text, range) in texts {
            let mut at = range.start;
            for part in text.split_inclusive('\n') {
                let words = part.strip_suffix('\n').unwrap_or(part);
                match lines.last_mut().filter(|_| open) {
                    Some((line, _)) => line.push_str(words),
                    None => lines.push((words.to_string(), at)),
                }
                open = !part.ends_with('\n');
                at += part.len();
            }
        }
        lines.into_iter().map(|(text, at)| self.snippet_line(text, at)).collect()
    }

    /// A line, without the `# ` that hides it. As in rustdoc, it may be indented.
    fn snippet_line(&self, text: String, at: usize) -> SnippetLine {
        let inner = text.trim_start();
        let indent = text.len() - inner.len();
        let (hidden, cut) = match inner.strip_prefix('#') {
            Some(rest) if rest.trim().is_empty() => (true, text.len()),
            Some(rest) if rest.starts_with(' ') => (true, indent + 2),
            Some(_) | None => (false, 0),
        };
        let column = self.slice(self.line_start(at)..at).chars().count() + cut + 1;
        let fit = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        let text = text[cut..].to_string();
        SnippetLine { text, hidden, column: fit(column), at: fit(at + cut) }
    }
}
