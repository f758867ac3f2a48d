//! Attribute lists against what may stand in them.

use super::attributes::Attributes;
use super::codes;
use super::tree::Tree;
use crate::diag::Diagnostic;
use crate::ir::{Label, Spanned};

/// What an attribute list may have in one place.
pub(super) struct Allowed {
    /// What it describes, for messages.
    pub what: &'static str,
    pub classes: &'static [&'static str],
    pub flags: &'static [&'static str],
    pub keys: &'static [&'static str],
    /// What its labels begin with; the first is the usual one. None if that is checked elsewhere.
    pub prefixes: &'static [&'static str],
}

/// What labels begin with, sorted, and what they name. Other beginnings are free.
const PREFIXES: &[(&str, &str)] = &[
    ("ch", "a chapter"),
    ("cor", "a corollary"),
    ("def", "a definition"),
    ("eq", "a formula"),
    ("ex", "an exercise"),
    ("exa", "an example"),
    ("exr", "an exercise"),
    ("fig", "a figure"),
    ("lem", "a lemma"),
    ("part", "a part"),
    ("prop", "a proposition"),
    ("rem", "a remark"),
    ("sec", "a section"),
    ("snip", "a snippet"),
    ("sym", "a symbol"),
    ("tab", "a table"),
    ("thm", "a theorem"),
];

pub(super) const HEADING: Allowed = Allowed {
    what: "a heading",
    classes: &["unnumbered"],
    flags: &[],
    keys: &[],
    prefixes: &["sec", "ch"],
};
pub(super) const FORMULA: Allowed = Allowed {
    what: "a formula",
    classes: &[],
    flags: &[],
    keys: &["name", "symbols", "deps", "source", "snippet", "if"],
    prefixes: &["eq"],
};
pub(super) const SNIPPET: Allowed = Allowed {
    what: "a snippet",
    classes: &[],
    flags: &["run", "lib", "hide", "fold", "should_panic"],
    keys: &["title", "opt"],
    prefixes: &[],
};
pub(super) const CODE: Allowed =
    Allowed { what: "code", classes: &[], flags: &[], keys: &[], prefixes: &["snip"] };
pub(super) const CALLOUT: Allowed = Allowed {
    what: "a callout",
    classes: &[],
    flags: &[],
    keys: &["of"],
    prefixes: &["thm", "cor", "def", "ex", "exa", "exr", "lem", "prop", "rem"],
};
pub(super) const FIGURE: Allowed =
    Allowed { what: "a figure", classes: &[], flags: &[], keys: &[], prefixes: &["fig", "tab"] };
pub(super) const TABLE: Allowed =
    Allowed { what: "a table", classes: &[], flags: &[], keys: &[], prefixes: &["tab"] };

pub(super) const PART: Allowed =
    Allowed { what: "a part", classes: &[], flags: &[], keys: &[], prefixes: &["part"] };

impl Tree<'_> {
    /// Warns of classes, flags and keys of `list` that mean nothing in its place.
    pub(super) fn check(&mut self, list: &Attributes, allowed: &Allowed) {
        let what = allowed.what;
        for label in &list.labels {
            self.check_label(label, allowed);
        }
        for class in list.classes.iter().filter(|it| !allowed.classes.contains(&&it.value[..])) {
            let message = format!("`.{}` means nothing on {what}", class.value);
            let help = help(&class.value, allowed.classes, ".");
            self.warn(codes::FLAG, class.span, message, help);
        }
        for flag in list.flags.iter().filter(|it| !allowed.flags.contains(&&it.value[..])) {
            let message = format!("`{}` means nothing on {what}", flag.value);
            self.warn(codes::FLAG, flag.span, message, help(&flag.value, allowed.flags, ""));
        }
        for key in list.pairs.iter().map(|it| &it.key) {
            if !allowed.keys.contains(&&key.value[..]) {
                let message = format!("the key `{}` means nothing on {what}", key.value);
                self.warn(codes::KEY, key.span, message, help(&key.value, allowed.keys, ""));
            }
        }
    }
}

impl Tree<'_> {
    /// Says when a label begins as those of another kind of thing.
    pub(super) fn check_label(&mut self, label: &Spanned<Label>, allowed: &Allowed) {
        let Some((prefix, name)) = label.value.0.split_once(':') else { return };
        let Some(usual) = allowed.prefixes.first() else { return };
        let known = PREFIXES.iter().find(|it| it.0 == prefix);
        let Some((_, names)) = known.filter(|_| !allowed.prefixes.contains(&prefix)) else {
            return;
        };
        let message = format!("`{prefix}:` is of {names}, and this labels {}", allowed.what);
        let help = format!("write `#{usual}:{name}`, also where it is mentioned");
        let place = self.source.place(label.span);
        self.diagnostics.push(Diagnostic::error(codes::LABEL, place, message).help(help));
    }
}

fn help(word: &str, known: &[&str], sign: &str) -> String {
    match near(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{sign}{near}`?"),
        None if known.is_empty() => "remove it".to_string(),
        None => {
            let known: Vec<_> = known.iter().map(|it| format!("`{sign}{it}`")).collect();
            format!("there {} {}", if known.len() == 1 { "is" } else { "are" }, known.join(", "))
        }
    }
}

/// The one of `known` that is most like `word`, if it is like it.
pub(super) fn near<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word: String = word.chars().take(64).collect::<String>().to_lowercase();
    let rated = known.map(|it| (strsim::osa_distance(&word, it), it));
    let (distance, best) = rated.min_by_key(|it| it.0)?;
    (distance * 3 <= word.len().max(best.len())).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_known() {
        assert!(PREFIXES.is_sorted());
        let all = [HEADING, FORMULA, SNIPPET, CODE, CALLOUT, FIGURE, TABLE, PART];
        for prefix in all.iter().flat_map(|it| it.prefixes) {
            assert!(PREFIXES.iter().any(|it| it.0 == *prefix), "{prefix}");
        }
    }
}
