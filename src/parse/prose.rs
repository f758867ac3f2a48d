//! What stands in the text but is written as in other programs, to what an author is told.

use super::codes;
use crate::diag::Diagnostic;
use crate::ir::EnvironmentKind;
use crate::math;
use crate::source::{Source, Span};

/// TeX in prose.
pub(super) struct Tex {
    /// How many bytes to show.
    pub shown: usize,
    /// How many bytes are of it, so that the rest is not told again.
    pub length: usize,
    pub message: String,
    pub help: String,
}

/// Whether `c` before a backslash makes it a part of a word or of a path, `C:\alpha`.
pub(super) fn joins(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, ':' | '\\' | '/' | '_' | '.')
}

/// The TeX at the beginning of `text`, which begins with a backslash and a letter.
pub(super) fn tex(text: &str) -> Option<Tex> {
    let rest = &text[1..];
    let name = &rest[..rest.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let line = text.find('\n').unwrap_or(text.len());
    let inner = rest[name.len()..].strip_prefix('{');
    // Labels are short; a look without bounds would be slow on a long line of such commands.
    let end = inner.and_then(|it| it.bytes().take(200).position(|it| it == b'}' || it == b'\n'));
    let argument =
        inner.zip(end).filter(|it| it.0[it.1..].starts_with('}')).map(|it| &it.0[..it.1]);
    let message = format!("`\\{name}` has no meaning outside of a formula");
    if let Some(argument) = argument {
        let shown = 1 + name.len() + argument.len() + 2;
        let known = match name {
            "ref" | "eqref" => Some(format!("write `[](#{argument})`")),
            "cite" => Some(format!("write `[](cite:{argument})`")),
            "val" => Some(format!("write `` `={argument}` ``")),
            "label" => Some(format!("write `{{#{argument}}}` behind what it labels")),
            _ => None,
        };
        if let Some(help) = known {
            return Some(Tex { shown, length: shown, message, help });
        }
        if name == "begin" {
            let close = format!("\\end{{{argument}}}");
            let length = text.find(&close).map_or(line, |it| it + close.len());
            let help = "put the formula between lines `$$`, or into a fence ```` ```math ````";
            return Some(Tex { shown, length, message, help: help.to_string() });
        }
        let help = "put the formula between dollar signs, or write `\\\\` for a backslash";
        return Some(Tex { shown, length: line, message, help: help.to_string() });
    }
    let help = format!("write `$\\{name}$`, or `\\\\{name}` for a backslash");
    let shown = 1 + name.len();
    math::is_greek(name).then_some(Tex { shown, length: line, message, help })
}

/// Words of mdBook that stand between `{{#` and `}}`.
const INCLUDES: &[&str] = &["include", "playground", "playpen", "rustdoc_include", "title"];

/// `{{#include …}}` at byte `at`: its end, and what is said of it.
pub(super) fn include(source: &Source, at: usize) -> Option<(usize, Diagnostic)> {
    let inner = source.text[at..].strip_prefix("{{#")?;
    let word = INCLUDES.iter().find(|it| {
        let rest = inner.strip_prefix(**it);
        rest.is_some_and(|it| it.starts_with([' ', '\t', '}']))
    })?;
    let line = inner.lines().next().unwrap_or_default();
    let length = line.find("}}").map_or(line.len(), |it| it + 2);
    let end = at + 3 + length;
    let message = format!("`{{{{#{word}}}}}` of mdBook is not taken over");
    let help = match *word {
        "title" => "write `title = \"…\"` into the front matter, between lines `+++`",
        _ => {
            "put the text itself here; code that runs is a snippet, ```` ```rust {#snip:name run} ````"
        }
    };
    let place = source.place(Span::new(at, end));
    Some((end, Diagnostic::error(codes::INCLUDE, place, message).help(help)))
}

/// `> [!theorem` without its bracket, at byte `at` of the line that begins at `line`.
pub(super) fn open_callout(source: &Source, at: usize, line: usize) -> Option<Diagnostic> {
    let inner = source.text[at..].strip_prefix("[!")?;
    let before = source.text[line..at].trim_end();
    let quoted = before.ends_with('>') && before.chars().all(|it| " \t>-+*".contains(it));
    let length = inner.find(|c: char| !c.is_alphanumeric()).unwrap_or(inner.len());
    let word = &inner[..length];
    if !quoted || inner[length..].starts_with(']') || EnvironmentKind::named(word).is_none() {
        return None;
    }
    let place = source.place(Span::new(at, at + 2 + length));
    let message = format!("the mark of this callout is not closed, `[!{word}]`");
    let help = format!("write `> [!{word}] Title`");
    Some(Diagnostic::warning(codes::CALLOUT_KIND, place, message).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tex_is_told_from_text() {
        for text in [r"\alpha is", r"\frac{a}{b}", r"\begin{aligned} a", r"\ref{eq:x}"] {
            assert!(tex(text).is_some(), "{text}");
        }
        for text in [r"\n", r"\temp", r"\foo bar", r"\begin", r"\alphabet"] {
            assert!(tex(text).is_none(), "{text}");
        }
        let all = tex("\\begin{a}\nx \\frac{1}{2}\n\\end{a} y").expect("TeX");
        assert_eq!((all.shown, all.length), (9, 31));
        assert!(INCLUDES.is_sorted());
    }
}
