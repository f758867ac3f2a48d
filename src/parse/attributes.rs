//! `{#label .class flag key="value"}` to its parts, with their places.

use crate::ir::{Label, Spanned};
use crate::source::Span;

/// An attribute list, in the order in which it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes {
    /// `#label`: the first is the main one, the rest are aliases.
    pub labels: Vec<Spanned<Label>>,
    /// `.class`, without the dot.
    pub classes: Vec<Spanned<String>>,
    /// Words alone.
    pub flags: Vec<Spanned<String>>,
    /// `key="value"`.
    pub pairs: Vec<Pair>,
    /// The whole list with its braces.
    pub span: Span,
}

/// `key="value"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// The key.
    pub key: Spanned<String>,
    /// The value with `\"` undone, and its place between the quotes.
    pub value: Spanned<String>,
}

impl Pair {
    /// Whether the value stands in the file byte for byte, so that places in it are exact.
    pub(super) fn is_verbatim(&self) -> bool {
        self.value.value.len() == self.value.span.range().len()
    }

    /// The words of the value with their places.
    pub(super) fn words(&self) -> Vec<Spanned<String>> {
        let base = self.value.value.as_ptr() as usize;
        let word = |word: &str| {
            let at = word.as_ptr() as usize - base;
            let inner = self.value.span.sub(at..at + word.len());
            let span = if self.is_verbatim() { inner } else { self.value.span };
            Spanned { value: word.to_string(), span }
        };
        self.value.value.split_whitespace().map(word).collect()
    }
}

/// Why a text is not an attribute list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Where reading stopped.
    pub at: usize,
    /// What is wrong there.
    pub message: &'static str,
}

/// Whether `c` may stand in a label.
pub(super) fn is_label_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, ':' | '-' | '_' | '.' | '/')
}

/// Reads the attribute list whose `{` is at byte `at` of `text`. It ends on its line.
pub(super) fn read(text: &str, at: usize) -> Result<Attributes, Fault> {
    let mut reader = Reader { text, at: at + 1 };
    let mut out = Attributes::default();
    loop {
        reader.skip(|c| c == ' ' || c == '\t');
        match reader.peek() {
            Some('}') => break,
            Some('#') => out.labels.push(reader.label()?),
            Some('.') => {
                reader.at += 1;
                out.classes.push(reader.word("a class has letters, digits, `-` and `_`")?);
            }
            Some(c) if c.is_alphabetic() || c == '_' => reader.flag_or_pair(&mut out)?,
            Some(c) if c != '\n' => {
                return Err(reader.fault("expected `#label`, `.class` or `key=\"value\"`"));
            }
            Some(_) | None => return Err(reader.fault("the list is not closed by `}` on its line")),
        }
        if !matches!(reader.peek(), Some(' ' | '\t' | '}' | '\n') | None) {
            return Err(reader.fault("expected a space or `}`"));
        }
    }
    out.span = Span::new(at, reader.at + 1);
    Ok(out)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn fault(&self, message: &'static str) -> Fault {
        Fault { at: self.at, message }
    }

    fn skip(&mut self, want: impl Fn(char) -> bool) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.find(|c| !want(c)).unwrap_or(rest.len());
        self.at
    }

    fn label(&mut self) -> Result<Spanned<Label>, Fault> {
        let start = self.at + 1;
        self.at = start;
        let end = self.skip(is_label_char);
        if start == end {
            return Err(self.fault("a label has letters, digits, `:`, `-`, `_` and `.`"));
        }
        let value = Label(self.text[start..end].to_string());
        Ok(Spanned { value, span: Span::new(start, end) })
    }

    fn word(&mut self, message: &'static str) -> Result<Spanned<String>, Fault> {
        let start = self.at;
        let end = self.skip(|c| c.is_alphanumeric() || c == '-' || c == '_');
        if start == end {
            return Err(self.fault(message));
        }
        Ok(Spanned { value: self.text[start..end].to_string(), span: Span::new(start, end) })
    }

    fn flag_or_pair(&mut self, out: &mut Attributes) -> Result<(), Fault> {
        let key = self.word("expected a word")?;
        if self.peek() != Some('=') {
            out.flags.push(key);
            return Ok(());
        }
        self.at += 1;
        let value = match self.peek() {
            Some(quote @ ('"' | '\'')) => self.quoted(quote)?,
            Some(c) if is_label_char(c) => {
                let start = self.at;
                let end = self.skip(is_label_char);
                Spanned { value: self.text[start..end].to_string(), span: Span::new(start, end) }
            }
            Some(_) | None => return Err(self.fault("a value stands in quotes")),
        };
        out.pairs.push(Pair { key, value });
        Ok(())
    }

    fn quoted(&mut self, quote: char) -> Result<Spanned<String>, Fault> {
        let start = self.at + 1;
        let mut value = String::new();
        let mut chars = self.text[start..].char_indices();
        while let Some((at, c)) = chars.next() {
            if c == quote {
                self.at = start + at + 1;
                return Ok(Spanned { value, span: Span::new(start, start + at) });
            }
            // Only the quote needs an escape; every other backslash is TeX's.
            if c == '\\' && chars.as_str().starts_with(quote) {
                value.push(quote);
                chars.next();
            } else if c == '\n' {
                break;
            } else {
                value.push(c);
            }
        }
        Err(self.fault("the value is not closed by its quote on this line"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_are_read_with_their_places() {
        let text =
            r#"x {#eq:a #eq:b .wide run opt=1 name="The \"$\ell_p$\" } norm" deps='eq:c eq:d'} y"#;
        let list = read(text, 2).expect("the list is right");
        let labels: Vec<_> = list.labels.iter().map(|it| &it.value.0[..]).collect();
        assert_eq!(labels, ["eq:a", "eq:b"]);
        assert_eq!(list.classes[0].value, "wide");
        assert_eq!(list.flags[0].value, "run");
        assert_eq!(list.pairs[0].value.value, "1");
        assert_eq!(list.pairs[1].value.value, "The \"$\\ell_p$\" } norm");
        assert!(!list.pairs[1].is_verbatim());
        let words = list.pairs[2].words();
        assert_eq!(&text[words[1].span.range()], "eq:d");
        assert_eq!(&text[list.span.range().end..], " y");
    }

    #[test]
    fn what_is_no_list_is_said_to_be_none() {
        for text in ["{", "{#}", "{n+1}", "{a=}", "{a=\"b}", "{#a\n}", "{#a!}", "{.}"] {
            assert!(read(text, 0).is_err(), "{text}");
        }
    }
}
