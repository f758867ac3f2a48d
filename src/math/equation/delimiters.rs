//! Delimiters: which character, and how large.

use katex::parser::parse_node::ParseNodeDelimsizing;
use unicode_math_class::MathClass;

use super::spacing::Class;
use super::symbols::{class, escape};
use super::{NOTHING, Written, unsupported};

/// TeX's name of a delimiter → character, sorted by name.
const DELIMITERS: &[(&str, char)] = &[
    ("(", '('),
    (")", ')'),
    ("/", '/'),
    ("<", '⟨'),
    (">", '⟩'),
    ("[", '['),
    ("\\@llcorner", '⌞'),
    ("\\@lrcorner", '⌟'),
    ("\\@ulcorner", '⌜'),
    ("\\@urcorner", '⌝'),
    ("\\Downarrow", '⇓'),
    ("\\Uparrow", '⇑'),
    ("\\Updownarrow", '⇕'),
    ("\\Vert", '‖'),
    ("\\backslash", '\\'),
    ("\\downarrow", '↓'),
    ("\\gt", '⟩'),
    ("\\lVert", '‖'),
    ("\\langle", '⟨'),
    ("\\lbrace", '{'),
    ("\\lbrack", '['),
    ("\\lceil", '⌈'),
    ("\\lfloor", '⌊'),
    ("\\lgroup", '⟮'),
    ("\\llbracket", '⟦'),
    ("\\llcorner", '⌞'),
    ("\\lmoustache", '⎰'),
    ("\\lparen", '('),
    ("\\lrcorner", '⌟'),
    ("\\lt", '⟨'),
    ("\\lvert", '|'),
    ("\\rVert", '‖'),
    ("\\rangle", '⟩'),
    ("\\rbrace", '}'),
    ("\\rbrack", ']'),
    ("\\rceil", '⌉'),
    ("\\rfloor", '⌋'),
    ("\\rgroup", '⟯'),
    ("\\rmoustache", '⎱'),
    ("\\rparen", ')'),
    ("\\rrbracket", '⟧'),
    ("\\rvert", '|'),
    ("\\ulcorner", '⌜'),
    ("\\uparrow", '↑'),
    ("\\updownarrow", '↕'),
    ("\\urcorner", '⌝'),
    ("\\vert", '|'),
    ("\\{", '{'),
    ("\\|", '‖'),
    ("\\}", '}'),
    ("]", ']'),
    ("|", '|'),
    ("‖", '‖'),
    ("↑", '↑'),
    ("↓", '↓'),
    ("↕", '↕'),
    ("∣", '|'),
    ("∥", '‖'),
    ("⌈", '⌈'),
    ("⌉", '⌉'),
    ("⌊", '⌊'),
    ("⌋", '⌋'),
    ("⎰", '⎰'),
    ("⎱", '⎱'),
    ("⟦", '⟦'),
    ("⟧", '⟧'),
    ("⟨", '⟨'),
    ("⟩", '⟩'),
    ("⟮", '⟮'),
    ("⟯", '⟯'),
];

/// The character of a delimiter; `Some(None)` for the invisible one.
pub(in super::super) fn delimiter(name: &str) -> Option<Option<char>> {
    if name == "." {
        return Some(None);
    }
    let at = DELIMITERS.binary_search_by_key(&name, |it| it.0).ok()?;
    Some(Some(DELIMITERS[at].1))
}

fn known(name: &str) -> Result<Option<char>, super::Unsupported> {
    delimiter(name).map_or_else(|| unsupported(name), Ok)
}

/// `\left … \right`.
pub(super) fn pair(left: &str, right: &str, body: &str) -> Written {
    let side = |c: Option<char>, want: MathClass, name: Class| match c {
        None => NOTHING.to_owned(),
        Some(c) if class(c) == Some(want) => escape(c),
        Some(c) => format!("class(\"{}\",{})", name.name(), escape(c)),
    };
    let left = side(known(left)?, MathClass::Opening, Class::Open);
    let right = side(known(right)?, MathClass::Closing, Class::Close);
    Ok(format!("class(\"normal\",lr({left}{body}{right}))"))
}

/// `\middle`. TeX sets it as an opening after and a closing before; KaTeX leaves no space.
pub(super) fn middle(name: &str) -> Written {
    Ok(known(name)?.map(|c| format!("class(\"normal\",mid({}))", escape(c))).unwrap_or_default())
}

/// `\big` and its like.
pub(super) fn sized(it: &ParseNodeDelimsizing) -> Written {
    let Some(c) = known(&it.delim)? else { return Ok(String::new()) };
    let size = match it.size {
        1 => 1.2,
        2 => 1.8,
        3 => 2.4,
        _ => 3.0,
    };
    let class = Class::of(it.mclass).name();
    Ok(format!("class(\"{class}\",lr(size:#{size}em,{}))", escape(c)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sorted() {
        assert!(super::DELIMITERS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
