//! `macros.tex` to macros.

use std::collections::BTreeMap;

use super::codes;
use crate::diag::Diagnostic;
use crate::math::{Macro, Macros};
use crate::source::{Source, Span};

/// Commands that define a macro.
const DEFINITIONS: &[&str] = &["\\def", "\\newcommand", "\\providecommand", "\\renewcommand"];

/// Reads `macros.tex`: lines `\newcommand{\name}[n]{body}`.
pub(super) fn macros_tex(source: &Source, out: &mut Vec<Diagnostic>) -> Macros {
    let mut macros = Macros::default();
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    let text = &source.text[..];
    let mut at = 0;
    while let Some(skipped) = next_command(&text[at..]) {
        let start = at + skipped;
        let mut reader = Reader { text, at: start, name_at: start };
        match reader.command() {
            Ok(Defined { command, name, body }) => {
                let span = Span::new(reader.name_at, reader.name_at + name.len());
                at = reader.at;
                let first = seen.get(&name).copied();
                if command == "\\providecommand" && first.is_some() {
                    continue;
                }
                if let (Some(first), false) = (first, command == "\\renewcommand") {
                    let message = format!("the macro `{name}` is defined twice");
                    let help = "remove one, or write `\\renewcommand` here if this one is meant";
                    let it = Diagnostic::error(codes::MACRO, source.place(span), message);
                    out.push(
                        it.help(help).related(source.place(first), "it is defined here first"),
                    );
                }
                seen.insert(name.clone(), span);
                macros.0.insert(name, body);
            }
            Err(reason) => {
                let line = text[start..].find('\n').map_or(text.len(), |it| start + it);
                let place = source.place((start..line).into());
                let help = "write `\\newcommand{\\name}[1]{body with #1}`";
                let message = reason.unwrap_or_else(|| "this is not a macro".to_string());
                out.push(Diagnostic::error(codes::MACRO, place, message).help(help));
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
    /// Where the name of the macro begins.
    name_at: usize,
}

/// A macro with the command that defines it.
struct Defined<'a> {
    command: &'a str,
    name: String,
    body: Macro,
}

/// Why a text is no macro, if more is to be said than that.
type Refused = Option<String>;

impl<'a> Reader<'a> {
    fn command(&mut self) -> Result<Defined<'a>, Refused> {
        let command = self.name().ok_or(None)?;
        let starred = self.take("*");
        let braced = self.take("{");
        self.spaces();
        self.name_at = self.at;
        let name = self.name().ok_or(None)?.to_string();
        self.spaces();
        if braced && !self.take("}") {
            return Err(None);
        }
        if command == "\\DeclareMathOperator" {
            let star = if starred { "*" } else { "" };
            let words = self.group().ok_or(None)?;
            let body = Macro { arguments: 0, body: format!("\\operatorname{star}{{{words}}}") };
            return Ok(Defined { command, name, body });
        }
        if !DEFINITIONS.contains(&command) {
            return Err(None);
        }
        let rest = &self.text[self.at..];
        let end = rest.find(['{', '\n']).filter(|it| rest[*it..].starts_with('{')).ok_or(None)?;
        let between = rest[..end].trim();
        let arguments = if command == "\\def" { parameters(between) } else { count(between) };
        let arguments = arguments.map_err(Some)?;
        self.at += end;
        let body = self.group().ok_or(None)?.to_string();
        Ok(Defined { command, name, body: Macro { arguments, body } })
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

/// The number of arguments in `[2]`; none is 0.
fn count(between: &str) -> Result<usize, String> {
    if between.is_empty() {
        return Ok(0);
    }
    let inner = between.strip_prefix('[').and_then(|it| it.split_once(']'));
    let Some((inner, rest)) = inner else {
        return Err(format!("`{between}` is not a number of arguments, as `[1]`"));
    };
    if !rest.trim().is_empty() {
        let rest = rest.trim();
        return Err(format!("arguments that may be left out, `{rest}`, are not supported"));
    }
    let digit = inner.trim().parse().ok().filter(|it| *it <= 9);
    digit.ok_or_else(|| format!("`[{inner}]` is not a number of arguments from 0 to 9"))
}

/// The number of arguments in `#1#2`.
fn parameters(between: &str) -> Result<usize, String> {
    let dense: String = between.chars().filter(|it| *it != ' ').collect();
    let right =
        |count: &usize| (1..=*count).map(|it| format!("#{it}")).collect::<String>() == dense;
    (0..=9).find(right).ok_or_else(|| format!("`{between}` is not `#1#2` and so on"))
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
        assert_eq!(macros["\\R"].body, "\\mathbb R");
        assert_eq!(macros["\\norm"].body, "\\lVert #1 \\rVert");
        assert_eq!(macros["\\abs"].body, "|#1|");
        assert_eq!(macros["\\argmax"].body, "\\operatorname*{arg\\,max}");
        assert_eq!(macros["\\abs"].arguments, 1);
        let bad: Vec<_> = out.iter().map(|it| source.slice(it.place.span)).collect();
        assert_eq!(bad, ["oops {", "\\newcommand{\\x}{"]);
    }

    #[test]
    fn arguments_are_as_many_as_declared() {
        let read = |text: &str| {
            let mut out = Vec::new();
            let macros = macros_tex(&Source::new("macros.tex", text), &mut out).0;
            (macros, out.into_iter().map(|it| it.message).collect::<Vec<_>>())
        };
        let (macros, out) = read("\\newcommand{\\zz}[2]{#2} \\def\\y#1#2{#1}");
        assert_eq!((macros["\\zz"].arguments, macros["\\y"].arguments), (2, 2));
        assert_eq!(out, [""; 0]);
        for (text, reason) in [
            ("\\newcommand{\\q}[12]{x}", "`[12]` is not a number of arguments from 0 to 9"),
            (
                "\\newcommand{\\q}[2][a]{x}",
                "arguments that may be left out, `[a]`, are not supported",
            ),
            ("\\def\\q#2{x}", "`#2` is not `#1#2` and so on"),
        ] {
            assert_eq!(read(text).1, [reason], "{text}");
        }
    }
}
