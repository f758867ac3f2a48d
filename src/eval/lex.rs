//! The code of a snippet to what is known of it before the compiler sees it.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// How deep brackets may nest. Real code stays below 20; a compiler would need a stack for more.
const DEPTH: usize = 200;

/// What a snippet imports from the book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Imports {
    /// Names that follow `book::`.
    pub(super) modules: BTreeSet<String>,
    /// Whether the book is used in a way that does not say which module.
    pub(super) any: bool,
    /// Whether the code has an effect on the whole program that it is in.
    pub(super) whole: bool,
    /// Whether the code ends like a statement, so that another can follow.
    pub(super) complete: bool,
}

/// Words that reach beyond the module in which they stand: names that the linker sees, macros of the
/// whole crate, what there is one of in a program.
const WHOLE: &[&str] = &[
    "export_name",
    "global_allocator",
    "global_asm",
    "link_section",
    "macro_export",
    "no_mangle",
    "panic_handler",
];

/// A place in the code that is no Rust: line from 0, column in characters from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) message: String,
}

/// Reads the code, or says where its brackets or literals are broken. A broken snippet would make
/// the compiler misread all that stands behind it.
pub(super) fn imports(code: &str) -> Result<Imports, Flaw> {
    let result = match code.parse::<TokenStream>() {
        Ok(stream) => walk(stream),
        Err(error) => {
            let start = error.span().start();
            Err(flaw(code, start.line.saturating_sub(1), start.column))
        }
    };
    // Spans point into a table that grows with every text that this thread ever read.
    proc_macro2::extra::invalidate_current_thread_spans();
    result
}

fn flaw(code: &str, line: usize, column: usize) -> Flaw {
    let rest: String = code.lines().nth(line).unwrap_or_default().chars().skip(column).collect();
    let message = match rest.chars().next() {
        Some(open @ ('{' | '(' | '[')) => format!("this `{open}` is never closed"),
        Some(close @ ('}' | ')' | ']')) => {
            format!("this `{close}` does not match what is open before it")
        }
        Some('"') => "this string is never closed".into(),
        Some('/') if rest.starts_with("/*") => "this comment is never closed".into(),
        Some(other) => format!("`{other}` begins nothing that Rust knows"),
        None => "the code ends in the middle of something".into(),
    };
    Flaw { line, column, message }
}

/// Goes through all tokens with a stack of its own, since the author decides how deep they nest.
fn walk(stream: TokenStream) -> Result<Imports, Flaw> {
    let mut out = Imports { complete: true, ..Imports::default() };
    for token in stream.clone() {
        out.complete = match token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
    }
    let mut open = vec![(stream, 0)];
    while let Some((stream, depth)) = open.pop() {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(ident) => {
                    let before = index.checked_sub(1).map(|it| &tokens[it]);
                    note(&ident.to_string(), before, &tokens[index + 1..], &mut out);
                }
                TokenTree::Group(group) if depth >= DEPTH => {
                    let start = group.span_open().start();
                    let (line, column) = (start.line.saturating_sub(1), start.column);
                    let message = format!("brackets nest deeper than {DEPTH} levels");
                    return Err(Flaw { line, column, message });
                }
                TokenTree::Group(group) => open.push((group.stream(), depth + 1)),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    Ok(out)
}

/// Notes what `word` and the tokens `after` it import.
fn note(word: &str, before: Option<&TokenTree>, after: &[TokenTree], out: &mut Imports) {
    let is_field = matches!(before, Some(TokenTree::Punct(it)) if it.as_char() == '.');
    match word {
        // `self` and `Self` are of the chapter itself; a `super` may lead to any chapter.
        "super" => out.any = true,
        _ if WHOLE.contains(&word) => out.whole = true,
        "book" | "crate" if !is_field => match path_tail(after) {
            Some(TokenTree::Ident(module)) => drop(out.modules.insert(module.to_string())),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                heads(group.stream(), out);
            }
            Some(_) => out.any = true,
            // A variable may be called `book`.
            None => out.any |= word == "crate" || is_renamed(after),
        },
        _ => {}
    }
}

fn is_renamed(after: &[TokenTree]) -> bool {
    matches!(after.first(), Some(TokenTree::Ident(it)) if it == "as")
}

/// The token behind `::`.
fn path_tail(after: &[TokenTree]) -> Option<&TokenTree> {
    match after {
        [TokenTree::Punct(a), TokenTree::Punct(b), tail, ..]
            if a.as_char() == ':' && b.as_char() == ':' =>
        {
            Some(tail)
        }
        _ => None,
    }
}

/// The first name of each entry of `{a::x, b}`.
fn heads(list: TokenStream, out: &mut Imports) {
    let mut first = true;
    for token in list {
        match &token {
            TokenTree::Ident(name) if first => drop(out.modules.insert(name.to_string())),
            TokenTree::Punct(it) if it.as_char() == ',' => {
                first = true;
                continue;
            }
            _ if first => out.any = true,
            _ => {}
        }
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(code: &str) -> (Vec<String>, bool) {
        let imports = imports(code).unwrap();
        (imports.modules.into_iter().collect(), imports.any)
    }

    #[test]
    fn imports_are_found_in_every_form() {
        for (code, expected, any) in [
            ("use book::a::f;", vec!["a"], false),
            ("use book::{a::f, b::{g, h}, c};", vec!["a", "b", "c"], false),
            ("fn f() { let y = vec![book::a::f(1)]; }", vec!["a"], false),
            ("use crate::a::f;", vec!["a"], false),
            ("let book = 1; show!(\"n\", book); x.book", vec![], false),
            ("use book::*;", vec![], true),
            ("use book as b;", vec![], true),
            ("use super::a;", vec![], true),
            ("// use book::a;\nlet s = \"book::b\";", vec![], false),
        ] {
            let found = modules(code);
            assert_eq!((found.0.iter().map(String::as_str).collect(), found.1), (expected, any));
        }
    }

    #[test]
    fn code_for_the_whole_program_is_noticed() {
        assert!(WHOLE.is_sorted());
        assert!(imports("#[unsafe(no_mangle)] extern \"C\" fn exp() {}").unwrap().whole);
        assert!(imports("#[macro_export] macro_rules! m { () => {} }").unwrap().whole);
        assert!(!imports("macro_rules! m { () => {} } // macro_export").unwrap().whole);
    }

    #[test]
    fn broken_code_is_found_where_it_breaks() {
        for (code, line, column, message) in [
            ("fn f() {\n  g(1;\n}", 2, 0, "this `}` does not match what is open before it"),
            ("let x = 1;\n  if x > 0 {\n", 1, 11, "this `{` is never closed"),
            ("let é = (1));", 0, 11, "this `)` does not match what is open before it"),
            ("let s = \"abc;\n", 0, 8, "this string is never closed"),
            ("let a = 1; /* b", 0, 11, "this comment is never closed"),
        ] {
            let flaw = imports(code).unwrap_err();
            assert_eq!((flaw.line, flaw.column, &flaw.message[..]), (line, column, message));
        }
    }

    #[test]
    fn nesting_has_an_end() {
        let code = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(imports(&code).unwrap_err().column, DEPTH);
        assert!(imports(&format!("{}{}", "[".repeat(DEPTH), "]".repeat(DEPTH))).is_ok());
    }
}
