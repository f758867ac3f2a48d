//! Attribute lists against what may stand in them.

use super::attributes::Attributes;
use super::codes;
use super::tree::Tree;

/// What an attribute list may have in one place.
pub(super) struct Allowed {
    /// What it describes, for messages.
    pub what: &'static str,
    pub classes: &'static [&'static str],
    pub flags: &'static [&'static str],
    pub keys: &'static [&'static str],
}

pub(super) const HEADING: Allowed =
    Allowed { what: "a heading", classes: &["unnumbered"], flags: &[], keys: &[] };
pub(super) const FORMULA: Allowed = Allowed {
    what: "a formula",
    classes: &[],
    flags: &[],
    keys: &["name", "symbols", "deps", "source", "snippet", "if"],
};
pub(super) const SNIPPET: Allowed = Allowed {
    what: "a snippet",
    classes: &[],
    flags: &["run", "lib", "hide", "fold", "should_panic"],
    keys: &["title", "opt"],
};
pub(super) const CODE: Allowed = Allowed { what: "code", classes: &[], flags: &[], keys: &[] };
pub(super) const CALLOUT: Allowed =
    Allowed { what: "a callout", classes: &[], flags: &[], keys: &["of"] };
pub(super) const FIGURE: Allowed =
    Allowed { what: "a figure", classes: &[], flags: &[], keys: &[] };
pub(super) const TABLE: Allowed = Allowed { what: "a table", classes: &[], flags: &[], keys: &[] };

pub(super) const PART: Allowed = Allowed { what: "a part", classes: &[], flags: &[], keys: &[] };

impl Tree<'_> {
    /// Warns of classes, flags and keys of `list` that mean nothing in its place.
    pub(super) fn check(&mut self, list: &Attributes, allowed: &Allowed) {
        let what = allowed.what;
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
