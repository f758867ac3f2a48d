//! Addresses below the site's root to addresses as seen from a page.

/// The address `to`, below the site's root and maybe with an anchor, as seen from the page `from`.
pub(super) fn relative(from: &str, to: &str) -> String {
    let (path, anchor) = match to.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (to, None),
    };
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
        out.push_str(&encoded(anchor));
    }
    out
}

/// The way from `page` to the site's root: empty, or `../` for each folder.
pub(super) fn root(page: &str) -> String {
    "../".repeat(page.matches('/').count())
}

/// `text` with what may not stand in an address written as per cent and two digits.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' | b'%' => {
                out.push_str(&format!("%{byte:02X}"));
            }
            0..=0x1f | 0x7f..=0xff => out.push_str(&format!("%{byte:02X}")),
            _ => out.push(char::from(byte)),
        }
    }
    out
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
        ] {
            assert_eq!(relative(from, to), expected, "{from} → {to}");
        }
        assert_eq!(root("part/a.html"), "../");
    }
}
