//! `notation.toml`, `macros.tex` and `macros.toml` to symbols and macros.

use std::collections::BTreeMap;

use super::course::formula;
use super::fields::{self, Fields};
use super::{codes, fragment};
use crate::diag::Diagnostic;
use crate::ir::Symbol;
use crate::math::{Formula, Macros, Style};
use crate::source::{Source, Span};

/// Fields of a symbol.
const SYMBOL: &[&str] = &["key", "meaning", "scope", "shape", "tex"];

/// Reads the notation table.
pub(super) fn symbols(source: &Source, out: &mut Vec<Diagnostic>) -> Vec<Symbol> {
    let whole = 0..source.text.len();
    let symbols = fields::read(source, whole, codes::TOML, out, |fields, out| {
        let mut symbols = Vec::new();
        for field in fields.all() {
            match field.key {
                "symbol" => {
                    let tables = field.tables(out);
                    symbols.extend(tables.iter().map(|it| symbol(it, out)));
                }
                _ => field.unknown(&["symbol"], codes::BOOK_FIELD, out),
            }
        }
        symbols
    });
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for symbol in &symbols {
        let Some(first) = seen.insert(&symbol.key, symbol.span) else { continue };
        let place = source.place(symbol.span);
        let message = format!("the symbol `{}` is listed twice", symbol.key);
        let diagnostic = Diagnostic::error(codes::SYMBOL, place, message);
        let help = format!("give a local meaning a key of its own, as `{}.local`", symbol.key);
        out.push(diagnostic.help(help).related(source.place(first), "it is listed here first"));
    }
    symbols
}

fn symbol(fields: &Fields<'_>, out: &mut Vec<Diagnostic>) -> Symbol {
    let mut symbol = Symbol {
        key: String::new(),
        tex: Formula { tex: String::new(), style: Style::Inline, span: fields.span },
        meaning: Vec::new(),
        shape: Vec::new(),
        scope: String::new(),
        span: fields.span,
    };
    for field in fields.all() {
        match field.key {
            "key" => {
                symbol.key = field.text(out).map(|it| it.value).unwrap_or_default();
                symbol.span = match field.base() {
                    fragment::Base::At(span) | fragment::Base::Whole(span) => span,
                };
            }
            "tex" => symbol.tex = formula(field, out),
            "meaning" => symbol.meaning = field.inline(out),
            "shape" => symbol.shape = field.inline(out),
            "scope" => symbol.scope = field.text(out).map(|it| it.value).unwrap_or_default(),
            _ => field.unknown(SYMBOL, codes::BOOK_FIELD, out),
        }
    }
    for key in ["key", "tex", "meaning"] {
        if !fields.has(key) {
            fields.missing(key, out);
        }
    }
    symbol
}

/// Reads `macros.toml`: `"\\R" = "\\mathbb R"`.
pub(super) fn macros_toml(source: &Source, out: &mut Vec<Diagnostic>) -> Macros {
    let whole = 0..source.text.len();
    fields::read(source, whole, codes::TOML, out, |fields, out| {
        let mut macros = Macros::default();
        for field in fields.all() {
            let Some(body) = field.text(out) else { continue };
            let name = format!("\\{}", field.key.trim_start_matches('\\'));
            macros.0.insert(name, body.value);
        }
        macros
    })
}

/// Reads `macros.tex`: lines `\newcommand{\name}[n]{body}`.
pub(super) fn macros_tex(source: &Source, out: &mut Vec<Diagnostic>) -> Macros {
    let mut macros = Macros::default();
    let text = &source.text[..];
    let mut at = 0;
    while let Some(skipped) = next_command(&text[at..]) {
        let start = at + skipped;
        let mut reader = Reader { text, at: start };
        match reader.command() {
            Some((name, body)) => {
                macros.0.insert(name, body);
                at = reader.at;
            }
            None => {
                let line = text[start..].find('\n').map_or(text.len(), |it| start + it);
                let place = source.place((start..line).into());
                let help = "write `\\newcommand{\\name}{body}`";
                let diagnostic = Diagnostic::error(codes::MACRO, place, "this is not a macro");
                out.push(diagnostic.help(help));
                at = line;
            }
        }
    }
    macros
}

/// Where the first text stands that is neither white space nor a comment.
fn next_command(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find(|it: char| !it.is_whitespace())?;
        if !text[at..].starts_with('%') {
            return Some(at);
        }
        at += text[at..].find('\n')?;
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// A macro, as name and body.
    fn command(&mut self) -> Option<(String, String)> {
        let command = self.name()?;
        let starred = self.take("*");
        let name = if self.take("{") {
            self.spaces();
            let name = self.name()?;
            self.spaces();
            self.take("}").then_some(name)?
        } else {
            self.name()?
        };
        if command == "\\DeclareMathOperator" {
            let star = if starred { "*" } else { "" };
            return Some((name.to_string(), format!("\\operatorname{star}{{{}}}", self.group()?)));
        }
        if !["\\newcommand", "\\renewcommand", "\\providecommand", "\\def"].contains(&command) {
            return None;
        }
        // The number of arguments is seen from the body.
        let rest = &self.text[self.at..];
        let arguments = rest.find(['{', '\n']).filter(|it| rest[*it..].starts_with('{'))?;
        let between = rest[..arguments].trim();
        let digits = |it: &str| it.chars().all(|it| it.is_ascii_digit() || "[]# ".contains(it));
        digits(between).then_some(())?;
        self.at += arguments;
        Some((name.to_string(), self.group()?.to_string()))
    }

    fn spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// A command with its backslash: letters, or one other character.
    fn name(&mut self) -> Option<&'a str> {
        let rest = self.text[self.at..].strip_prefix('\\')?;
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = if letters > 0 { letters } else { rest.chars().next()?.len_utf8() };
        let name = &self.text[self.at..self.at + 1 + length];
        self.at += name.len();
        Some(name)
    }

    /// What is inside of balanced braces.
    fn group(&mut self) -> Option<&'a str> {
        self.spaces();
        let bytes = self.text.as_bytes();
        let start = self.at;
        (bytes.get(start) == Some(&b'{')).then_some(())?;
        let (mut at, mut open) = (start, 0_usize);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'{' => open += 1,
                b'}' => open -= 1,
                _ => {}
            }
            at += 1;
            if open == 0 {
                self.at = at;
                return Some(&self.text[start + 1..at - 1]);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_read_or_refused() {
        let text = "% a comment\n\\newcommand{\\R}{\\mathbb R}\n\\newcommand\\norm[1]{\\lVert #1 \\rVert}
            \\def\\abs#1{|#1|} \\DeclareMathOperator*{\\argmax}{arg\\,max}\noops {\n\\newcommand{\\x}{\n";
        let source = Source::new("macros.tex", text);
        let mut out = Vec::new();
        let macros = macros_tex(&source, &mut out).0;
        assert_eq!(macros["\\R"], "\\mathbb R");
        assert_eq!(macros["\\norm"], "\\lVert #1 \\rVert");
        assert_eq!(macros["\\abs"], "|#1|");
        assert_eq!(macros["\\argmax"], "\\operatorname*{arg\\,max}");
        let bad: Vec<_> = out.iter().map(|it| source.slice(it.place.span)).collect();
        assert_eq!(bad, ["oops {", "\\newcommand{\\x}{"]);
    }
}
