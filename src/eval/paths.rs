//! Tokens to the items that they define and the paths that they import.

use proc_macro2::{Delimiter, Ident, TokenTree};

/// Words before the name of an item.
const ITEMS: [&str; 8] = ["const", "enum", "fn", "mod", "static", "struct", "trait", "type"];

/// An item that tokens define, not counting what stands inside of it.
pub(super) struct Item {
    pub(super) name: String,
    /// Whether it is a macro that stands at the top of its library.
    pub(super) exported: bool,
}

/// One name that a `use` imports.
pub(super) struct Leaf {
    /// The path as it is written.
    pub(super) path: Vec<Ident>,
    /// The name that it has here; `None` for all names of the path.
    pub(super) name: Option<Ident>,
}

/// Whether a token is this character.
pub(super) fn is(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(it)) if it.as_char() == character)
}

/// Whether `::` begins at this token.
pub(super) fn is_path(tokens: &[TokenTree], at: usize) -> bool {
    is(tokens.get(at), ':') && is(tokens.get(at + 1), ':')
}

pub(super) fn ident(token: Option<&TokenTree>) -> Option<&Ident> {
    match token {
        Some(TokenTree::Ident(it)) => Some(it),
        Some(TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_)) | None => None,
    }
}

/// Whether the token at `at` is the name of an item that begins before it.
pub(super) fn is_item_name(tokens: &[TokenTree], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let word = |at: usize| ident(tokens.get(at)).map(ToString::to_string).unwrap_or_default();
    match &word(before)[..] {
        // `*const T` defines nothing.
        "const" | "static" => is(tokens.get(at + 1), ':') && !is_path(tokens, at + 1),
        "mut" => before.checked_sub(1).is_some_and(|it| word(it) == "static"),
        other => ITEMS.contains(&other) && !matches!(&word(at)[..], "fn" | "unsafe" | "extern"),
    }
}

/// The items that tokens define.
pub(super) fn items(tokens: &[TokenTree]) -> Vec<Item> {
    let mut out = Vec::new();
    let mut exported = false;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(it) if it.delimiter() == Delimiter::Bracket => {
                let first = it.stream().into_iter().next();
                exported |= ident(first.as_ref()).is_some_and(|it| it == "macro_export");
            }
            TokenTree::Ident(name) if is_item_name(tokens, at) => {
                out.push(Item { name: name.to_string(), exported: false });
            }
            TokenTree::Ident(name) if at >= 2 && is(tokens.get(at - 1), '!') => {
                if ident(tokens.get(at - 2)).is_some_and(|it| it == "macro_rules") {
                    out.push(Item { name: name.to_string(), exported });
                    exported = false;
                }
            }
            TokenTree::Group(_)
            | TokenTree::Ident(_)
            | TokenTree::Punct(_)
            | TokenTree::Literal(_) => {}
        }
    }
    out
}

/// What all `use`s among the tokens import.
pub(super) fn uses(tokens: &[TokenTree]) -> Vec<Leaf> {
    let mut out = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if ident(Some(token)).is_some_and(|it| it == "use") {
            leaves(&tokens[at + 1..], &mut Vec::new(), &mut out, 0);
        }
    }
    out
}

/// Reads a tree of imports up to its end; returns how many tokens it has.
fn leaves(
    tokens: &[TokenTree],
    before: &mut Vec<Ident>,
    out: &mut Vec<Leaf>,
    depth: usize,
) -> usize {
    let base = before.len();
    let mut at = 0;
    let mut open = false;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Ident(it) if it == "as" => {
                let name = ident(tokens.get(at + 1)).cloned();
                out.extend(name.map(|it| Leaf { path: before.clone(), name: Some(it) }));
                open = false;
                at += 1;
            }
            TokenTree::Ident(it) => {
                before.push(it.clone());
                open = true;
            }
            TokenTree::Group(it) if it.delimiter() == Delimiter::Brace && depth < 16 => {
                let inner: Vec<TokenTree> = it.stream().into_iter().collect();
                let mut start = 0;
                while start < inner.len() {
                    start += leaves(&inner[start..], before, out, depth + 1);
                }
                open = false;
            }
            TokenTree::Punct(it) if it.as_char() == '*' => {
                out.push(Leaf { path: before.clone(), name: None });
                open = false;
            }
            TokenTree::Punct(it) if matches!(it.as_char(), ',' | ';') => break,
            TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Literal(_) => {}
        }
        at += 1;
    }
    if open {
        out.extend(whole(before));
    }
    before.truncate(base);
    at + 1
}

/// A path under its last name; `a::self` is `a`.
fn whole(path: &[Ident]) -> Option<Leaf> {
    let (last, rest) = path.split_last()?;
    if last == "self" {
        return Some(Leaf { path: rest.to_vec(), name: Some(rest.last()?.clone()) });
    }
    Some(Leaf { path: path.to_vec(), name: Some(last.clone()) })
}

/// A path from the top of the library `book`; `None` if it leads elsewhere. `module` is the module
/// that the path stands in, if that is one of the library.
pub(super) fn from_top(path: &[String], module: Option<&str>) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    match (&first[..], module) {
        ("book", _) | ("crate" | "super", Some(_)) => Some(rest.to_vec()),
        ("self", Some(module)) => {
            Some([module.to_owned()].into_iter().chain(rest.iter().cloned()).collect())
        }
        _ => None,
    }
}
