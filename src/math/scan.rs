//! TeX to its commands and groups, as far as they can be seen without expanding anything.

use std::ops::Range;

/// The control sequences of `tex` in order, with backslash and name. Comments and `\verb` are
/// passed over.
pub(super) fn commands(tex: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + tex[at..].find(['\\', '%'])?;
            if tex[start..].starts_with('%') {
                at = tex[start..].find('\n').map_or(tex.len(), |it| start + it);
                continue;
            }
            let end = command_end(tex, start);
            at = end;
            if &tex[start..end] == "\\verb" {
                let rest = tex[end..].strip_prefix('*').unwrap_or(&tex[end..]);
                let mark = rest.chars().next()?;
                let body = tex.len() - rest.len() + mark.len_utf8();
                at = tex[body..].find(mark).map_or(tex.len(), |it| body + it + mark.len_utf8());
            }
            return Some(start..end);
        }
    })
}

/// Where the control sequence that starts at `start` ends; of another character, its end.
pub(super) fn command_end(tex: &str, start: usize) -> usize {
    let Some(rest) = tex.get(start..) else { return start };
    let first = |it: &str| it.chars().next().map_or(0, char::len_utf8);
    let Some(rest) = rest.strip_prefix('\\') else { return start + first(rest) };
    let letters = rest.find(|c: char| !c.is_ascii_alphabetic() && c != '@').unwrap_or(rest.len());
    start + 1 + if letters > 0 { letters } else { first(rest) }
}

/// The group in braces that follows at `at`, braces included.
pub(super) fn group(tex: &str, at: usize) -> Option<Range<usize>> {
    let start = at + tex[at..].find(|c: char| !c.is_whitespace())?;
    if !tex[start..].starts_with('{') {
        return None;
    }
    let mut depth = 0_usize;
    let mut escaped = false;
    for (index, c) in tex[start..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' if depth == 1 => return Some(start..start + index + 1),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Where the argument that follows at `at` ends: a group, a control sequence or a character.
pub(super) fn argument_end(tex: &str, at: usize) -> usize {
    let Some(start) = tex[at..].find(|c: char| !c.is_whitespace()).map(|it| at + it) else {
        return at;
    };
    match tex[start..].chars().next() {
        Some('{') => group(tex, start).map_or(at, |it| it.end),
        Some('\\') => command_end(tex, start),
        Some('}') | None => at,
        Some(c) => start + c.len_utf8(),
    }
}

/// The start of the control sequence that ends at `at` or before white space at `at`.
pub(super) fn command_before(tex: &str, at: usize) -> Option<usize> {
    let before = tex[..at].trim_end();
    commands(before).last().filter(|it| it.end == before.len()).map(|it| it.start)
}

/// `text` written so that TeX prints it as it is, within `\text`.
pub(super) fn text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            c => out.push(c),
        }
    }
    out
}
