//! `m05-s01.Y[0][1]:.3` to the path of a computed value and its format.

use crate::ir::{ValuePath, ValueUse};
use crate::source::Span;
use crate::value::{Format, Step};

/// Reads `snippet.key[0]["column"]:.3`, as it stands in `` `=…` `` and in `\val{…}`.
///
/// # Errors
/// A message that says what is wrong.
pub(super) fn value(text: &str, span: Span) -> Result<ValueUse, String> {
    let (path, rest) = read_path(text, span)?;
    let format = match rest.strip_prefix(':') {
        Some(format) => Format::parse(format)?,
        None if rest.is_empty() => Format::default(),
        None => return Err(format!("`{rest}` is neither `[…]` nor a format such as `:.3`")),
    };
    Ok(ValueUse { path, format })
}

fn read_path(text: &str, span: Span) -> Result<(ValuePath, &str), String> {
    let name = text.find(|c: char| !is_name_char(c)).unwrap_or(text.len());
    let (snippet, rest) = text.split_at(name);
    let Some(rest) = rest.strip_prefix('.').filter(|_| name > 0) else {
        return Err(format!("`{text}` does not name a snippet and a key, as `m05-s01.Y` does"));
    };
    let key = rest.find(['[', ':']).unwrap_or(rest.len());
    let (key, mut rest) = rest.split_at(key);
    if key.is_empty() || key.contains(char::is_whitespace) {
        return Err(format!("`{key}` is not the key of an output"));
    }
    let mut steps = Vec::new();
    while let Some(inner) = rest.strip_prefix('[') {
        let (step, after) = read_step(inner)?;
        steps.push(step);
        rest = after;
    }
    let path = ValuePath { snippet: snippet.to_string(), key: key.to_string(), steps, span };
    Ok((path, rest))
}

/// Reads `3]` or `"column"]`.
fn read_step(inner: &str) -> Result<(Step, &str), String> {
    let unclosed = || format!("`[{inner}` is not closed by `]`");
    if let Some(quoted) = inner.strip_prefix('"') {
        let (name, after) = quoted.split_once('"').ok_or_else(unclosed)?;
        let after = after.strip_prefix(']').ok_or_else(unclosed)?;
        return Ok((Step::Name(name.to_string()), after));
    }
    let (digits, after) = inner.split_once(']').ok_or_else(unclosed)?;
    let index = digits.parse().map_err(|_| {
        format!("`[{digits}]` is neither a number from 0 nor a name in double quotes")
    })?;
    Ok((Step::Index(index), after))
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_'
}
