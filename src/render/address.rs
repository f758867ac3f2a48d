//! Addresses below the site's root to addresses as seen from a page.

use crate::html::{anchor as anchor_of, encoded};

/// The address `to`, below the site's root and maybe with an anchor, as seen from the page `from`.
pub(super) fn relative(from: &str, to: &str) -> String {
    let (path, anchor) = parts(to);
    let mut out = String::new();
    if path != from || anchor.is_none() {
        let mut here: Vec<&str> = from.split('/').collect();
        let mut there: Vec<&str> = path.split('/').collect();
        here.pop();
        while !here.is_empty() && there.len() > 1 && here.first() == there.first() {
            here.remove(0);
            there.remove(0);
        }
        out.push_str(&"../".repeat(here.len()));
        out.push_str(&encoded(&there.join("/")));
    }
    if let Some(anchor) = anchor {
        out.push('#');
        out.push_str(&anchor_of(anchor));
    }
    out
}

/// The path and the anchor. Only pages have anchors; elsewhere `#` is a part of a file's name.
fn parts(to: &str) -> (&str, Option<&str>) {
    const PAGE: &str = ".html";
    if let Some(anchor) = to.strip_prefix('#') {
        return ("", Some(anchor));
    }
    match to.find(&format!("{PAGE}#")) {
        Some(at) => (&to[..at + PAGE.len()], Some(&to[at + PAGE.len() + 1..])),
        None => (to, None),
    }
}

/// The way from `page` to the site's root: empty, or `../` for each folder.
pub(super) fn root(page: &str) -> String {
    "../".repeat(page.matches('/').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_seen_from_the_page() {
        for (from, to, expected) in [
            ("a.html", "b.html#x", "b.html#x"),
            ("a.html", "a.html#x", "#x"),
            ("a.html", "a.html", "a.html"),
            ("part/a.html", "b.html", "../b.html"),
            ("part/a.html", "part/b.html#x", "b.html#x"),
            ("part/a.html", "other/b.html", "../other/b.html"),
            ("a.html", "part/b.html", "part/b.html"),
            ("a.html", "b c.html#Γ", "b%20c.html#%CE%93"),
            ("a.html", "a?b.html#eq:x", "a%3Fb.html#eq:x"),
            ("a.html", "a:b.html", "a%3Ab.html"),
            ("a.html", "a#b.html#x", "a%23b.html#x"),
            ("a.html", "a#b.html", "a%23b.html"),
            ("a.html", "a%b.html", "a%25b.html"),
            ("a.html", "c#1.svg", "c%231.svg"),
            ("", "#eq:x", "#eq:x"),
        ] {
            assert_eq!(relative(from, to), expected, "{from} → {to}");
        }
        assert_eq!(root("part/a.html"), "../");
    }
}
