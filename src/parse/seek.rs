//! The beginning of a formula to its end, as far as its delimiters say.

use crate::math::Style;

/// What begins and ends a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delimiter {
    Dollar,
    Dollars,
    Paren,
    Bracket,
}

impl Delimiter {
    pub(super) fn width(self) -> usize {
        match self {
            Self::Dollar => 1,
            Self::Dollars | Self::Paren | Self::Bracket => 2,
        }
    }

    pub(super) fn style(self) -> Style {
        match self {
            Self::Dollar | Self::Paren => Style::Inline,
            Self::Dollars | Self::Bracket => Style::Display,
        }
    }
}

/// What a look at one line for the end of a formula gave.
pub(super) enum Look {
    End(usize),
    /// The opening was none.
    Never,
    /// Perhaps on the next line.
    Later,
}

/// Dollar signs inside braces that are passed over, as in `\text{if $x$}`, before a formula is
/// given up; it keeps the scan linear.
const INNER: usize = 16;

/// Looks for the end of a formula, line by line.
pub(super) struct Seeker<'a> {
    text: &'a str,
    delimiter: Delimiter,
    braces: usize,
    inner: usize,
    /// Whether white space is right before.
    space: bool,
}

impl<'a> Seeker<'a> {
    /// Looks for what closes a formula that `delimiter` opened.
    pub(super) fn new(text: &'a str, delimiter: Delimiter) -> Self {
        Self { text, delimiter, braces: 0, inner: 0, space: false }
    }

    /// Looks at the bytes `from..end`, a line without its end.
    pub(super) fn line(&mut self, from: usize, end: usize) -> Look {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while at < end {
            let next = bytes.get(at + 1).copied().filter(|_| at + 1 < end);
            match (bytes[at], self.delimiter) {
                (b'\\', Delimiter::Paren) if next == Some(b')') => return Look::End(at),
                (b'\\', Delimiter::Bracket) if next == Some(b']') => return Look::End(at),
                (b'\\', _) => {
                    self.space = false;
                    at += 2;
                    continue;
                }
                (b'$', Delimiter::Dollars) if next == Some(b'$') => return Look::End(at),
                (b'$', Delimiter::Dollar) => {
                    if self.braces > 0 && self.inner < INNER {
                        self.inner += 1;
                    } else if self.space || next.is_some_and(|it| it.is_ascii_digit()) {
                        return Look::Never;
                    } else {
                        return Look::End(at);
                    }
                }
                (b'{', _) => self.braces += 1,
                (b'}', _) => self.braces = self.braces.saturating_sub(1),
                _ => {}
            }
            self.space = bytes[at] == b' ' || bytes[at] == b'\t';
            at += 1;
        }
        self.space = true;
        Look::Later
    }
}
