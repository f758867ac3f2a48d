//! Chapters and labels to names that Rust and cargo take.

use std::collections::BTreeSet;

/// Words that a module cannot be called: those of Rust, and those that the package uses.
const TAKEN: &[&str] = &[
    "Self",
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "book",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "lib",
    "loop",
    "macro",
    "main",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "reckoner_prelude",
    "ref",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// `nn-fundamentals` as the name of a module: `nn_fundamentals`.
pub(super) fn identifier(text: &str) -> String {
    let is_word = |c: char| {
        let name = format!("a{c}");
        c == '_' || c.is_ascii_alphanumeric() || (!c.is_ascii() && is_identifier(&name))
    };
    let mut name: String = text.chars().map(|c| if is_word(c) { c } else { '_' }).collect();
    if !is_identifier(&name) || name == "_" {
        name.insert(0, '_');
    }
    if TAKEN.binary_search(&&name[..]).is_ok() {
        name.push('_');
    }
    name
}

fn is_identifier(name: &str) -> bool {
    let first = name.chars().next();
    let ascii = name.is_ascii() && first.is_some_and(|it| it == '_' || it.is_ascii_alphabetic());
    let other = || {
        name.parse::<proc_macro2::TokenStream>().is_ok_and(|it| {
            let mut tokens = it.into_iter();
            matches!(tokens.next(), Some(proc_macro2::TokenTree::Ident(_)))
                && tokens.next().is_none()
        })
    };
    ascii || other()
}

/// The chapter's stem as the name of a binary, `part/one` as `part-one`.
pub(super) fn binary_name(stem: &str) -> String {
    let name = identifier(stem).replace('_', "-");
    let name = name.trim_matches('-');
    // Cargo keeps folders of these names beside the binaries.
    let taken = ["", "book", "build", "deps", "examples", "incremental", "test"].contains(&name);
    if taken || name.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("chapter-{name}").trim_end_matches('-').to_owned();
    }
    name.to_owned()
}

/// `name`, or else `name_2`, … if it is taken.
pub(super) fn unique(taken: &mut BTreeSet<String>, name: &str) -> String {
    let mut candidate = name.to_owned();
    let mut count = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{name}_{count}");
        count += 1;
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_chapters_become_names_of_modules() {
        assert!(TAKEN.is_sorted());
        for (stem, module, binary) in [
            ("nn-fundamentals", "nn_fundamentals", "nn-fundamentals"),
            ("part/one", "part_one", "part-one"),
            ("01-start", "_01_start", "chapter-01-start"),
            ("loop", "loop_", "loop"),
            ("build", "build", "chapter-build"),
            ("数学", "数学", "数学"),
            ("a b²", "a_b_", "a-b"),
            ("---", "___", "chapter"),
        ] {
            assert_eq!((&identifier(stem)[..], &binary_name(stem)[..]), (module, binary));
        }
    }
}
