//! Text to its formulas, attribute lists and callouts, with everything else left to Markdown.

use std::ops::Range;

use super::attributes::{self, Attributes};
use super::codes;
use super::prefix::Containers;
use super::prose;
use super::seek::{Delimiter, Look, Seeker};
use super::survey::{Callout, Survey};
use crate::diag::Diagnostic;
use crate::math::Style;
use crate::source::{Source, Span};

/// A formula in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The formula with its delimiters.
    pub whole: Range<usize>,
    /// The TeX between them.
    pub tex: Range<usize>,
    /// In a line or displayed.
    pub style: Style,
    /// Quote markers inside the TeX.
    pub quotes: Vec<usize>,
    /// The attribute list behind it.
    pub attributes: Option<Attributes>,
}

/// Everything that a scan finds, in source order.
#[derive(Debug, Default)]
pub(super) struct Finds {
    pub formulas: Vec<Found>,
    pub attributes: Vec<Attributes>,
    pub callouts: Vec<Callout>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads `source` from byte `at` on, guided by `survey`. Stops early, with the place, when a
/// formula shows that the survey was misled by TeX that looked like Markdown, unless it is the
/// `last` survey.
pub(super) fn scan(
    source: &Source,
    survey: &Survey,
    at: usize,
    last: bool,
    finds: &mut Finds,
) -> Option<usize> {
    let text = &source.text;
    let line = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let mut scanner = Scanner {
        source,
        text,
        survey,
        finds,
        containers: Containers::default(),
        next_container: 0,
        next_opaque: 0,
        next_region: 0,
        line,
        last,
        line_end: line..line,
        barren: [0; 2],
        told: 0,
    };
    scanner.run(at)
}

struct Scanner<'a> {
    source: &'a Source,
    text: &'a str,
    survey: &'a Survey,
    finds: &'a mut Finds,
    containers: Containers,
    next_container: usize,
    next_opaque: usize,
    next_region: usize,
    /// Where the current line begins.
    line: usize,
    /// Whether the survey is to be believed whatever comes.
    last: bool,
    /// A line whose end is known, and its end.
    line_end: Range<usize>,
    /// Up to where no `\)` and no `\]` closes anything.
    barren: [usize; 2],
    /// Up to where TeX in prose has been told.
    told: usize,
}

impl Scanner<'_> {
    fn run(&mut self, start: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = start;
        while at < bytes.len() {
            let next = match self.hidden(at) {
                Some(end) => self.after_hidden(end),
                None => match bytes[at] {
                    b'\\' => self.backslash(at),
                    b'$' => self.dollar(at),
                    b'{' => self.brace(at),
                    b'[' => self.bracket(at),
                    b'h' | b'f' | b'w' | b'm' => self.address(at),
                    _ => Ok(at + 1),
                },
            };
            let next = match next {
                Ok(next) => next,
                Err(again) => return Some(again),
            };
            if let Some(end) = bytes[at..next.min(bytes.len())].iter().rposition(|it| *it == b'\n')
            {
                self.line = at + end + 1;
            }
            at = next;
        }
        None
    }

    /// The end of the hidden range that holds byte `at`.
    fn hidden(&mut self, at: usize) -> Option<usize> {
        let list = &self.survey.opaque;
        while list.get(self.next_opaque).is_some_and(|it| it.range.end <= at) {
            self.next_opaque += 1;
        }
        list.get(self.next_opaque).filter(|it| it.range.start <= at).map(|it| it.range.end)
    }

    /// Behind an image there may be an attribute list.
    fn after_hidden(&mut self, end: usize) -> Result<usize, usize> {
        if self.survey.images.contains(&end) && self.text[end..].starts_with('{') {
            return Ok(self.list_behind(end).map_or(end, |it| {
                let after = it.span.range().end;
                self.finds.attributes.push(it);
                after
            }));
        }
        Ok(end)
    }

    fn backslash(&mut self, at: usize) -> Result<usize, usize> {
        match self.text.as_bytes().get(at + 1) {
            Some(b'(') => self.formula(at, Delimiter::Paren),
            // Behind a word it is an escaped bracket: `f\[i\]`.
            Some(b'[') if self.text[..at].ends_with(char::is_alphanumeric) => Ok(at + 2),
            Some(b'[') => self.formula(at, Delimiter::Bracket),
            Some(byte) if byte.is_ascii_alphabetic() => {
                self.prose_tex(at);
                Ok(at + 1)
            }
            Some(byte) if byte.is_ascii() => Ok(at + 2),
            Some(_) | None => Ok(at + 1),
        }
    }

    /// TeX that authors write into prose out of habit. What follows on its line, or in its
    /// environment, is not told again.
    fn prose_tex(&mut self, at: usize) {
        if at < self.told || self.text[..at].ends_with(prose::joins) {
            return;
        }
        let Some(found) = prose::tex(&self.text[at..]) else { return };
        self.told = at + found.length;
        let place = self.source.place(Span::new(at, at + found.shown));
        self.say(Diagnostic::warning(codes::PROSE_TEX, place, found.message).help(found.help));
    }

    fn dollar(&mut self, at: usize) -> Result<usize, usize> {
        if self.text[at + 1..].starts_with('$') {
            self.formula(at, Delimiter::Dollars)
        } else {
            self.formula(at, Delimiter::Dollar)
        }
    }

    /// A formula that opens at `at`, if it is one.
    fn formula(&mut self, at: usize, delimiter: Delimiter) -> Result<usize, usize> {
        let from = at + delimiter.width();
        let next = self.text.as_bytes().get(from);
        if delimiter == Delimiter::Dollar && next.is_none_or(|it| it.is_ascii_whitespace()) {
            self.spaced(at);
            return Ok(from);
        }
        let Some((end, depth)) = self.close(at, delimiter) else {
            self.unclosed(at, delimiter);
            return Ok(from);
        };
        let whole = at..end + delimiter.width();
        if self.text[from..end].trim().is_empty() {
            let place = self.source.place(whole.clone().into());
            self.say(Diagnostic::warning(codes::EMPTY_FORMULA, place, "a formula is empty"));
            return Ok(whole.end);
        }
        let Some(misled) = self.is_free(&whole, end, delimiter) else { return Ok(from) };
        let quotes = self.quotes(from..end, depth);
        let (tex, style, next) = (from..end, delimiter.style(), whole.end);
        let attributes = (style == Style::Display).then(|| self.list_after(next)).flatten();
        let next = attributes.as_ref().map_or(next, |it| it.span.range().end);
        self.finds.formulas.push(Found { whole, tex, style, quotes, attributes });
        if misled && !self.last { Err(next) } else { Ok(next) }
    }

    /// A dollar sign before a space is one, but `$ \alpha $` was meant as a formula.
    fn spaced(&mut self, at: usize) {
        let rest = self.text[at + 1..].trim_start_matches([' ', '\t']);
        let command = rest.strip_prefix('\\');
        if command.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_alphabetic())) {
            let place = self.source.place(Span::new(at, at + 1));
            let message = "a formula does not begin with a space; this `$` is a dollar sign";
            let help = "remove the spaces inside of the dollar signs, or write `\\$`";
            self.told = self.end_of_line(at);
            self.say(Diagnostic::warning(codes::MATHS_SPACE, place, message).help(help));
        }
    }

    /// Whether hidden ranges leave `whole` a formula: `None` if code or a link wins over it, else
    /// whether one of them reaches out of it, so that it was no code at all.
    fn is_free(&self, whole: &Range<usize>, end: usize, delimiter: Delimiter) -> Option<bool> {
        let list = &self.survey.opaque;
        let first = list.partition_point(|it| it.range.end <= whole.start);
        let inside = list[first..].iter().take_while(|it| it.range.start < whole.end);
        let mut misled = false;
        for hidden in inside {
            if hidden.whole < whole.start {
                return None;
            }
            let ends_hidden = hidden.range.contains(&end);
            if ends_hidden && delimiter.style() == Style::Inline {
                return None;
            }
            misled |= hidden.range.end > whole.end;
        }
        Some(misled)
    }

    /// Where the formula that opens at `at` closes, and how many containers its lines go on with.
    fn close(&mut self, at: usize, delimiter: Delimiter) -> Option<(usize, usize)> {
        let memo = match delimiter {
            Delimiter::Dollar | Delimiter::Dollars => None,
            Delimiter::Paren => Some(0),
            Delimiter::Bracket => Some(1),
        };
        if memo.is_some_and(|it| at < self.barren[it]) {
            return None;
        }
        let text = self.text;
        let (list, next) = (&self.survey.containers, &mut self.next_container);
        self.containers.advance(text, list, next, at);
        let depth = self.containers.depth(text, self.line);
        let single = self.is_single(at);
        let display = delimiter.style() == Style::Display && self.begins_line(at, delimiter);
        let mut look = Seeker::new(text, delimiter);
        let (mut from, mut blank) = (at + delimiter.width(), false);
        let mut end = self.end_of_line(at);
        loop {
            match look.line(from, end) {
                Look::End(end) => return Some((end, depth)),
                Look::Never => return None,
                Look::Later if single || end >= text.len() => break,
                Look::Later => {}
            }
            let Some(start) = self.next_line(end + 1, depth, display, &mut blank) else { break };
            from = start;
            end = text[start..].find('\n').map_or(text.len(), |it| start + it);
        }
        if let Some(memo) = memo {
            self.barren[memo] = end;
        }
        None
    }

    /// Where the text of the line at `start` begins, if a formula may go on there.
    fn next_line(
        &self,
        start: usize,
        depth: usize,
        display: bool,
        blank: &mut bool,
    ) -> Option<usize> {
        let line = self.containers.line(self.text, start, depth, |_| ());
        let rest = &self.text[line.text..];
        let rest = rest[..rest.find('\n').unwrap_or(rest.len())].trim_start();
        if rest.is_empty() {
            *blank = true;
            return (display && !line.leaves_quote).then_some(line.text);
        }
        // `# d` may be TeX; a heading has words.
        let words = rest.trim_start_matches('#').strip_prefix(' ').unwrap_or_default();
        let heading = rest.starts_with('#')
            && words.chars().take(2).filter(|it| it.is_alphabetic()).count() == 2;
        let fence = rest.starts_with("```") || rest.starts_with("~~~");
        if fence || heading && (*blank || !display) {
            return None;
        }
        if line.depth < depth {
            // A lazy line goes on with a paragraph, but not with a quote or behind a blank line.
            let marker = rest.trim_start_matches(|it: char| it.is_ascii_digit());
            let item = marker.starts_with(['-', '+', '*', '.', ')', '>'])
                && marker[1..].starts_with([' ', '\t']);
            if line.leaves_quote || *blank || item {
                return None;
            }
        }
        Some(line.text)
    }

    /// Whether a display opens a line of its own, so that blank lines cannot end it.
    fn begins_line(&mut self, at: usize, delimiter: Delimiter) -> bool {
        let end = self.end_of_line(at);
        let before = &self.text[self.line..at];
        let marks = |it: char| it.is_ascii_digit() || " \t>-+*.)".contains(it);
        before.len() < 1000 && before.chars().all(marks)
            || self.text[at + delimiter.width()..end].trim().is_empty()
    }

    fn is_single(&mut self, at: usize) -> bool {
        let list = &self.survey.regions;
        while list.get(self.next_region).is_some_and(|it| it.range.end <= at) {
            self.next_region += 1;
        }
        let region = list.get(self.next_region).filter(|it| it.range.start <= at);
        region.is_some_and(|it| it.single) || self.text[self.line..at].trim_start().starts_with('|')
    }

    fn end_of_line(&mut self, at: usize) -> usize {
        if !self.line_end.contains(&at) {
            let end = self.text[at..].find('\n').map_or(self.text.len(), |it| at + it);
            self.line_end = at..end;
        }
        self.line_end.end
    }

    /// Quote markers at the beginnings of the lines of `tex`.
    fn quotes(&self, tex: Range<usize>, depth: usize) -> Vec<usize> {
        let mut quotes = Vec::new();
        for (at, _) in self.text[tex.clone()].match_indices('\n') {
            let start = tex.start + at + 1;
            self.containers.line(self.text, start, depth, |it| quotes.push(it));
        }
        quotes.retain(|it| *it < tex.end);
        quotes
    }

    fn unclosed(&mut self, at: usize, delimiter: Delimiter) {
        let end = self.end_of_line(at);
        let rest = &self.text[at + delimiter.width()..end];
        let (word, wanted) = match delimiter {
            Delimiter::Dollars => ("$$", true),
            Delimiter::Bracket => ("\\[", rest.trim().is_empty()),
            Delimiter::Paren => ("\\(", false),
            Delimiter::Dollar => ("$", {
                let word = rest.chars().take(100).take_while(|it| !it.is_whitespace());
                let word: String = word.collect();
                let command = |it: &str| it.starts_with(|c: char| c.is_ascii_alphabetic());
                word.split('\\').skip(1).any(command) || word.contains(['^']) || word.contains("_{")
            }),
        };
        if !wanted {
            return;
        }
        // The TeX behind it is a part of the same mistake.
        self.told = end;
        let place = self.source.place(Span::new(at, at + delimiter.width()));
        let message = format!("the formula that begins with `{word}` is not closed");
        let help = match delimiter {
            Delimiter::Dollars => "close it by `$$`; dollar signs in text are written `\\$`",
            Delimiter::Bracket => "close it by `\\]`",
            Delimiter::Dollar | Delimiter::Paren => {
                "close it by `$` right behind its last character; a dollar sign in text is `\\$`"
            }
        };
        let diagnostic = match delimiter {
            Delimiter::Dollars | Delimiter::Bracket => Diagnostic::error,
            Delimiter::Dollar | Delimiter::Paren => Diagnostic::warning,
        };
        self.say(diagnostic(codes::MATHS_UNCLOSED, place, message).help(help));
    }

    /// An attribute list at the end of a heading, a title or a caption.
    fn brace(&mut self, at: usize) -> Result<usize, usize> {
        if let Some((end, it)) = prose::include(self.source, at) {
            self.say(it);
            return Ok(end);
        }
        self.is_single(at);
        let region = self.survey.regions.get(self.next_region);
        if region.is_none_or(|it| it.range.start > at) {
            self.loose_list(at);
            return Ok(at + 1);
        }
        let end = self.end_of_line(at);
        match attributes::read(self.text, at) {
            Ok(list) if is_list(&list) => {
                let after = list.span.range().end;
                let rest = self.text[after..end.max(after)].trim_start();
                if !rest.trim_start_matches('#').trim().is_empty() {
                    return Ok(at + 1);
                }
                self.finds.attributes.push(list);
                Ok(after)
            }
            Ok(_) => Ok(at + 1),
            Err(fault) => {
                self.bad_list(at, &fault);
                Ok(at + 1)
            }
        }
    }

    /// Says that a list with a label at the end of a line of text does nothing there.
    fn loose_list(&mut self, at: usize) {
        if !self.text[at..].starts_with("{#") {
            return;
        }
        let Ok(list) = attributes::read(self.text, at) else { return };
        let after = list.span.range().end;
        let end = self.end_of_line(at).max(after);
        if self.text[after..end].trim().is_empty() {
            self.say(stray(self.source, list.span));
        }
    }

    /// An attribute list behind the end of a display, on the same line.
    fn list_after(&mut self, end: usize) -> Option<Attributes> {
        let rest = &self.text[end..];
        let at = end + rest.len() - rest.trim_start_matches([' ', '\t']).len();
        self.text[at..].starts_with('{').then(|| self.list_behind(at)).flatten()
    }

    fn list_behind(&mut self, at: usize) -> Option<Attributes> {
        match attributes::read(self.text, at) {
            Ok(list) => is_list(&list).then_some(list),
            Err(fault) => {
                self.bad_list(at, &fault);
                None
            }
        }
    }

    /// Says what is wrong with a list that was meant as one: `{#…` or `{.…`.
    fn bad_list(&mut self, at: usize, fault: &attributes::Fault) {
        let inner = &self.text[at + 1..];
        let label = inner.strip_prefix(['#', '.']);
        if label.is_some_and(|it| it.starts_with(|c: char| c.is_alphabetic())) {
            let place = self.source.place(Span::new(at, fault.at));
            let message = format!("an attribute list cannot be read: {}", fault.message);
            self.say(Diagnostic::error(codes::ATTRIBUTES, place, message));
        }
    }

    /// A mention of a footnote that is not defined is plain text to Markdown.
    fn bracket(&mut self, at: usize) -> Result<usize, usize> {
        if let Some(it) = prose::open_callout(self.source, at, self.line) {
            self.say(it);
        }
        let Some(inner) = self.text[at + 1..].strip_prefix('^') else { return Ok(at + 1) };
        let end = inner.find(|c: char| c == ']' || c == '[' || c.is_whitespace()).unwrap_or(0);
        let name = &inner[..end];
        let known = self.survey.notes.contains(&name.to_lowercase());
        if end > 0 && inner[end..].starts_with(']') && !known {
            let place = self.source.place(Span::new(at, at + 3 + end));
            let message = format!("there is no footnote `{name}`");
            let help = format!("define it on a line of its own: `[^{name}]: …`");
            self.say(Diagnostic::error(codes::FOOTNOTE_UNKNOWN, place, message).help(help));
        }
        Ok(at + 1)
    }

    /// An address in plain text: dollar signs in it are its own.
    fn address(&mut self, at: usize) -> Result<usize, usize> {
        let rest = &self.text[at..];
        let inside = self.text[..at].ends_with(|it: char| it.is_alphanumeric());
        let schemes = ["https://", "http://", "ftp://", "www.", "mailto:"];
        if inside || !schemes.iter().any(|it| rest.starts_with(it)) {
            return Ok(at + 1);
        }
        let ends = |it: char| it.is_whitespace() || matches!(it, '<' | '>' | '"' | '|' | ')' | ']');
        Ok(at + rest.find(ends).unwrap_or(rest.len()))
    }

    fn say(&mut self, diagnostic: Diagnostic) {
        self.finds.diagnostics.push(diagnostic);
    }
}

/// Says that the attribute list at `span` belongs to nothing.
pub(super) fn stray(source: &Source, span: Span) -> Diagnostic {
    let message = "these attributes belong to nothing";
    let help = "write them on the line of what they describe, right behind it; a paragraph, an item \
                and a picture in a line have none";
    Diagnostic::warning(codes::STRAY_ATTRIBUTES, source.place(span), message).help(help)
}

/// Whether it was meant as attributes: `{n}` is text.
fn is_list(list: &Attributes) -> bool {
    !list.labels.is_empty() || !list.classes.is_empty() || !list.pairs.is_empty()
}
