//! Writes HTML. Text is escaped unless the caller says that it is HTML already.

use std::fmt;

/// Text that is HTML already. Text of the author enters only through [`Html::text`].
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Html(String);

impl Html {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Trusts `html`: for what this program or its engines wrote, never for text of a reader.
    pub fn trusted(html: impl Into<String>) -> Self {
        Self(html.into())
    }

    /// Appends text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        escape(text, &mut self.0);
        self
    }

    /// Appends HTML.
    pub fn html(&mut self, html: &Html) -> &mut Self {
        self.0.push_str(&html.0);
        self
    }

    /// Appends markup of this program's own. `'static`, so that no author's text slips in.
    pub fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Opens an element. Attributes are escaped; one with `None` is left out, one with an empty
    /// value is written without a value.
    pub fn open(&mut self, tag: &str, attributes: &[(&str, Option<&str>)]) -> &mut Self {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            let Some(value) = value else { continue };
            self.0.push(' ');
            self.0.push_str(name);
            if !value.is_empty() {
                self.0.push_str("=\"");
                escape(value, &mut self.0);
                self.0.push('"');
            }
        }
        self.0.push('>');
        self
    }

    /// Closes an element.
    pub fn close(&mut self, tag: &str) -> &mut Self {
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
        self
    }

    /// An element with what `body` writes inside.
    pub fn element(
        &mut self,
        tag: &str,
        attributes: &[(&str, Option<&str>)],
        body: impl FnOnce(&mut Html),
    ) -> &mut Self {
        self.open(tag, attributes);
        body(self);
        self.close(tag)
    }

    /// The HTML so far.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The HTML.
    pub fn into_string(self) -> String {
        self.0
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Appends `text` to `out` with the five characters that mean something in HTML written as
/// entities, and control characters that HTML forbids replaced.
pub fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

/// A path as it stands in an address: what has a meaning there, or may not stand there, as per cent
/// and two digits.
pub fn encoded(path: &str) -> String {
    escaped(path, b"?#:")
}

/// An anchor as it stands in an address behind `#`.
pub fn anchor(name: &str) -> String {
    escaped(name, b"")
}

fn escaped(text: &str, more: &[u8]) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        let fits = byte.is_ascii_graphic() && !b"\"<>\\^`{|}%".contains(&byte);
        if fits && !more.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_attributes_too() {
        let mut html = Html::new();
        html.element("p", &[("id", Some("a\"b")), ("hidden", Some("")), ("x", None)], |it| {
            it.text("1 < 2 & 3");
        });
        assert_eq!(html.as_str(), "<p id=\"a&quot;b\" hidden>1 &lt; 2 &amp; 3</p>");
    }
}
