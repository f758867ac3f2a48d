//! TOML of the book to typed fields, with a message at the exact place of what is wrong.

use std::ops::RangeInclusive;

use toml::Spanned as At;
use toml::de::{DeTable, DeValue};

use super::fragment::{self, Base};
use super::{checks, codes};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Inline, Spanned};
use crate::source::{Place, Source, Span};

/// The way out when TOML has read a backslash of TeX.
const TEX: &str = "write TeX in single quotes, where a backslash is itself: `'\\bar n'`";

/// A table of a TOML file.
pub(super) struct Fields<'a> {
    source: &'a Source,
    /// Byte of the file at which the TOML begins.
    start: usize,
    table: &'a DeTable<'a>,
    /// Where the table is.
    pub span: Span,
}

/// A value of a TOML file.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    source: &'a Source,
    start: usize,
    pub key: &'a str,
    pub key_span: Span,
    value: &'a DeValue<'a>,
    /// Where the value is.
    pub span: Span,
}

/// Reads the TOML at `range` of `source` and hands it to `read`, as much of it as can be read.
pub(super) fn read<T>(
    source: &Source,
    range: std::ops::Range<usize>,
    code: Code,
    out: &mut Vec<Diagnostic>,
    read: impl FnOnce(&Fields<'_>, &mut Vec<Diagnostic>) -> T,
) -> T {
    let text = &source.text[range.clone()];
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let at = error.span().unwrap_or(0..0);
        let span = Span::new(range.start + at.start, range.start + at.end.min(text.len()));
        let message = error.message().trim().replace('\n', "; ");
        let message = message.trim_end_matches('.').to_string();
        let mut diagnostic = Diagnostic::error(code, source.place(span), message);
        if diagnostic.message.contains("escape") {
            diagnostic = diagnostic.help(TEX);
        }
        out.push(diagnostic);
    }
    let span = range.clone().into();
    let fields = Fields { source, start: range.start, table: table.get_ref(), span };
    read(&fields, out)
}

impl<'a> Fields<'a> {
    /// All fields in the order in which they are written.
    pub(super) fn all(&self) -> Vec<Field<'a>> {
        let span =
            |it: std::ops::Range<usize>| Span::new(self.start + it.start, self.start + it.end);
        let field = |(key, value): (&'a At<_>, &'a At<DeValue<'a>>)| {
            let name: &'a std::borrow::Cow<'a, str> = key.get_ref();
            Field {
                source: self.source,
                start: self.start,
                key: name,
                key_span: span(key.span()),
                value: value.get_ref(),
                span: span(value.span()),
            }
        };
        let mut all: Vec<_> = self.table.iter().map(field).collect();
        all.sort_by_key(|it| it.key_span);
        all
    }

    /// Whether there is a field `key`.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.iter().any(|(it, _)| it.get_ref() == key)
    }

    /// Says that `key` is missing.
    pub(super) fn missing(&self, key: &str, out: &mut Vec<Diagnostic>) {
        let line = self.source.slice(self.span).lines().next().map_or(0, str::len);
        let place = self.source.place(self.span.sub(0..line));
        out.push(Diagnostic::error(
            codes::BOOK_FIELD,
            place,
            format!("the field `{key}` is missing"),
        ));
    }
}

impl<'a> Field<'a> {
    /// Warns that the key means nothing here.
    pub(super) fn unknown(&self, known: &[&str], code: Code, out: &mut Vec<Diagnostic>) {
        let place = self.source.place(self.key_span);
        let message = format!("the key `{}` means nothing here", self.key);
        let help = match checks::near(self.key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are `{}`", known.join("`, `")),
        };
        out.push(Diagnostic::warning(code, place, message).help(help));
    }

    /// The same field, for messages on the part of its value at `span`.
    pub(super) fn at(&self, span: Span) -> Self {
        Self { span, ..*self }
    }

    /// Where the value is, as a place.
    pub(super) fn place(&self) -> Place {
        self.source.place(self.span)
    }

    /// Says that the value is not what it should be.
    pub(super) fn wrong(&self, wanted: &str, out: &mut Vec<Diagnostic>) {
        let place = self.source.place(self.span);
        let message = format!("`{}` should be {wanted}", self.key);
        out.push(Diagnostic::error(codes::BOOK_FIELD, place, message));
    }

    /// A text.
    pub(super) fn text(&self, out: &mut Vec<Diagnostic>) -> Option<Spanned<String>> {
        let text = self.value.as_str();
        if text.is_none() {
            self.wrong("text in quotes", out);
        }
        Some(Spanned { value: text?.to_string(), span: self.span })
    }

    /// TeX. In double quotes TOML takes the backslash for itself: `"\\bar"` begins with a control
    /// character.
    pub(super) fn tex(&self, out: &mut Vec<Diagnostic>) -> Option<Spanned<String>> {
        let text = self.text(out)?;
        let written = self.source.slice(self.span);
        if !text.value.contains(|it: char| it.is_control() && !written.contains(it)) {
            return Some(text);
        }
        let place = self.source.place(self.span);
        let message = format!("TOML has read a backslash of `{}` for itself", self.key);
        out.push(Diagnostic::error(codes::BOOK_FIELD, place, message).help(TEX));
        None
    }

    /// A text, or a number, a date or a truth value as it is written.
    pub(super) fn fact(&self, out: &mut Vec<Diagnostic>) -> Option<String> {
        let written = || self.source.slice(self.span).to_string();
        match self.value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_) => Some(written()),
            DeValue::Array(_) | DeValue::Table(_) => {
                self.wrong("text", out);
                None
            }
        }
    }

    /// A whole number above 0.
    pub(super) fn number(&self, out: &mut Vec<Diagnostic>) -> Option<u32> {
        let number = self.value.as_integer();
        let number = number.and_then(|it| u32::from_str_radix(it.as_str(), it.radix()).ok());
        let number = number.filter(|it| *it > 0);
        if number.is_none() {
            self.wrong("a whole number above 0", out);
        }
        number
    }

    /// The least and the most of a number, `[2500, 5500]`.
    pub(super) fn span_of_numbers(&self, out: &mut Vec<Diagnostic>) -> Option<RangeInclusive<u32>> {
        let items: Vec<_> = self.value.as_array().into_iter().flatten().collect();
        let number = |it: &At<DeValue<'_>>| {
            let number = it.get_ref().as_integer()?;
            u32::from_str_radix(number.as_str(), number.radix()).ok()
        };
        let range = match items[..] {
            [least, most] => number(least).zip(number(most)).map(|(least, most)| least..=most),
            _ => None,
        };
        let range = range.filter(|it| !it.is_empty());
        if range.is_none() {
            self.wrong("two whole numbers, the least and the most, as `[2500, 5500]`", out);
        }
        range
    }

    /// `true` or `false`.
    pub(super) fn truth(&self, out: &mut Vec<Diagnostic>) -> Option<bool> {
        let truth = self.value.as_bool();
        if truth.is_none() {
            self.wrong("`true` or `false`", out);
        }
        truth
    }

    /// A list of texts; one text alone is a list of one.
    pub(super) fn texts(&self, out: &mut Vec<Diagnostic>) -> Vec<Spanned<String>> {
        if let Some(text) = self.value.as_str() {
            return vec![Spanned { value: text.to_string(), span: self.span }];
        }
        let Some(items) = self.value.as_array() else {
            self.wrong("a list of texts", out);
            return Vec::new();
        };
        let texts =
            items.iter().map(|it| Self { value: it.get_ref(), span: self.part(it), ..*self });
        texts.filter_map(|it| it.text(out)).collect()
    }

    /// A table.
    pub(super) fn table(&self, out: &mut Vec<Diagnostic>) -> Option<Fields<'a>> {
        let table = self.value.as_table();
        if table.is_none() {
            self.wrong("a table", out);
        }
        Some(self.fields(table?, self.span))
    }

    /// A list of tables, `[[…]]`.
    pub(super) fn tables(&self, out: &mut Vec<Diagnostic>) -> Vec<Fields<'a>> {
        let Some(items) = self.value.as_array() else {
            self.wrong("a list of tables", out);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in items.iter() {
            match item.get_ref().as_table() {
                Some(table) => tables.push(self.fields(table, self.part(item))),
                None => self.wrong("a list of tables", out),
            }
        }
        tables
    }

    /// Running text.
    pub(super) fn inline(&self, out: &mut Vec<Diagnostic>) -> Vec<Inline> {
        let Some(text) = self.text(out) else { return Vec::new() };
        fragment::inline(&self.source.file, &text.value, self.base(), out)
    }

    /// Where the text of the value stands: exactly, if nothing in it is escaped.
    pub(super) fn base(&self) -> Base {
        let written = self.source.slice(self.span);
        let text = self.value.as_str().unwrap_or_default();
        let quotes = written.len().checked_sub(text.len()).filter(|it| *it % 2 == 0);
        let inner = quotes.map(|it| self.span.sub(it / 2..it / 2 + text.len()));
        match inner {
            Some(inner) if self.source.slice(inner) == text => Base::At(inner),
            Some(_) | None => Base::Whole(self.span),
        }
    }

    fn part(&self, it: &At<DeValue<'_>>) -> Span {
        Span::new(self.start + it.span().start, self.start + it.span().end)
    }

    fn fields(&self, table: &'a DeTable<'a>, span: Span) -> Fields<'a> {
        Fields { source: self.source, start: self.start, table, span }
    }
}
