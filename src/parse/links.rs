//! Destinations of links and pictures to what they mean.

use crate::ir::{Destination, Label};
use crate::source::FileId;

/// What a destination means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A place of the book.
    Reference(Destination),
    /// A label without its `#`, as in `(eq:x)`.
    Bare(Destination, String),
    /// Keys of the bibliography.
    Citation(Vec<String>),
    /// An address, or a file beside the chapter.
    Url(String),
    /// Nothing.
    Nothing,
}

/// Prefixes of labels. None of them is a scheme of an address.
const PREFIXES: &[&str] = &[
    "ch", "cor", "def", "eq", "ex", "exa", "exr", "fig", "lem", "part", "prop", "rem", "sec",
    "snip", "sym", "tab", "thm",
];

/// What `url` means in the chapter `from`.
pub(super) fn target(from: &FileId, url: &str) -> Target {
    if let Some(anchor) = url.strip_prefix('#') {
        let label = decode(anchor);
        let reference = Target::Reference(Destination::Label(Label(label)));
        return if anchor.is_empty() { Target::Nothing } else { reference };
    }
    if let Some(keys) = url.strip_prefix("cite:") {
        let keys = keys.split(',').map(|it| decode(it.trim()));
        return Target::Citation(keys.filter(|it| !it.is_empty()).collect());
    }
    if let Some(scheme) = scheme(url) {
        if PREFIXES.contains(&scheme) && url.len() > scheme.len() + 1 {
            return Target::Bare(Destination::Label(Label(decode(url))), url.to_string());
        }
        return Target::Url(url.to_string());
    }
    let (path, anchor) = match url.split_once('#') {
        Some((path, anchor)) => (path, Some(decode(anchor)).filter(|it| !it.is_empty())),
        None => (url, None),
    };
    if path.to_ascii_lowercase().ends_with(".md") && !path.starts_with("//") {
        return Target::Reference(Destination::Page { file: resolve(from, path), anchor });
    }
    if url.is_empty() { Target::Nothing } else { Target::Url(url.replace('\\', "/")) }
}

/// The file of the book that a picture's `url` means; `None` if it is no file.
pub(super) fn picture(from: &FileId, url: &str) -> Option<FileId> {
    let inside = !url.is_empty() && scheme(url).is_none() && !url.starts_with("//");
    Some(resolve(from, url)).filter(|it| inside && !it.path().starts_with(".."))
}

/// A path as seen from the file `from`; one that begins with `/` is seen from the book folder.
pub(super) fn resolve(from: &FileId, path: &str) -> FileId {
    let path = decode(path).replace('\\', "/");
    match from.path().rsplit_once('/') {
        Some((folder, _)) if !path.starts_with('/') => FileId::new(&format!("{folder}/{path}")),
        Some(_) | None => FileId::new(&path),
    }
}

/// The scheme of an address. One letter is a drive, not a scheme.
fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    let valid = scheme.chars().all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it));
    let letter = scheme.starts_with(|it: char| it.is_ascii_alphabetic());
    (valid && letter && scheme.len() > 1).then_some(scheme)
}

/// Undoes `%20` and the like. What is no escape stays.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digit = |it: usize| bytes.get(it).and_then(|it| char::from(*it).to_digit(16));
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(u8::try_from(high * 16 + low).expect("two hex digits are a byte"));
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_mean_what_they_say() {
        let from = FileId::new("part/one.md");
        let label = |it: &str| Target::Reference(Destination::Label(Label(it.into())));
        assert_eq!(target(&from, "#eq:a"), label("eq:a"));
        assert_eq!(target(&from, "#%C3%9Cbung"), label("Übung"));
        let page = |file: &str, anchor: Option<&str>| {
            let (file, anchor) = (FileId::new(file), anchor.map(str::to_string));
            Target::Reference(Destination::Page { file, anchor })
        };
        assert_eq!(target(&from, "../two.md#x"), page("two.md", Some("x")));
        assert_eq!(target(&from, "./sub\\two.md"), page("part/sub/two.md", None));
        assert_eq!(target(&from, "/two.md"), page("two.md", None));
        assert_eq!(target(&from, "cite:a, b"), Target::Citation(vec!["a".into(), "b".into()]));
        for url in ["https://x.org/a.md", "mailto:a@b.c", "//x.org/a.md", "data.csv"] {
            assert_eq!(target(&from, url), Target::Url(url.into()));
        }
        assert!(matches!(target(&from, "eq:a"), Target::Bare(..)));
        assert_eq!(target(&from, ""), Target::Nothing);
        assert_eq!(picture(&from, "a%20b.svg"), Some(FileId::new("part/a b.svg")));
        assert_eq!(picture(&from, "https://x.org/a.svg"), None);
        assert_eq!(picture(&from, "../../a.svg"), None);
        assert!(PREFIXES.is_sorted());
    }
}
