//! The bibliography: `references.bib` to citations and entries, the same for both outputs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use hayagriva::archive::{ArchivedStyle, locales};
use hayagriva::citationberg::{FontStyle, IndependentStyle, Locale, Style};
use hayagriva::io::BibLaTeXError;
use hayagriva::types::{MaybeTyped, PageRangesPart};
use hayagriva::{
    BibliographyDriver, BibliographyRequest, CitationItem, CitationRequest, ElemChild,
    ElemChildren, Library,
};

use crate::diag::{Checked, Code, Diagnostic, Explained};
use crate::source::{Source, Span};

const SYNTAX: Code = Code("cite-syntax");

/// What this stage has to say to authors.
pub const CODES: &[Explained] = &[Explained {
    code: SYNTAX,
    text: "An entry of the bibliography cannot be read. The file is BibLaTeX:\n\n\
           ```\n@inproceedings{vaswani2017,\n  author = {Vaswani, Ashish and Shazeer, Noam},\n  \
           title = {Attention Is All You Need},\n  date = {2017},\n}\n```\n\n\
           Look for a missing comma, brace or equals sign at the place shown, or for a value that \
           its field cannot have. The other entries are used as they are.",
}];

/// The works that the book may cite, by key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bibliography(pub BTreeMap<String, Work>);

/// A work. Holds no spans: it is shown on pages of other files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Work {
    /// In the text, without brackets: `Vaswani et al., 2017`.
    pub short: String,
    /// In the list of references.
    pub entry: Vec<Piece>,
    /// What the list is sorted by: place in the order of the citation style.
    pub order: u32,
}

/// A run of text of an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Whether it is in italics.
    pub italic: bool,
    /// Where it leads.
    pub url: Option<String>,
}

/// Reads a BibLaTeX file. An entry that cannot be read is reported and left out.
pub fn library(source: &Source) -> Checked<Bibliography> {
    let mut text = source.text.to_string();
    let mut diagnostics = Vec::new();
    // Every round blanks at least one entry, so there are no more rounds than entries.
    for round in 0..=source.text.matches('@').count() {
        let errors = match hayagriva::io::from_biblatex_str(&text) {
            Ok(library) => return Checked { value: works(&with_commas(library)), diagnostics },
            Err(errors) => errors,
        };
        // An entry that is not closed swallows those behind it, so it goes alone and first.
        if round == 0 && report_open(source, &mut text, &mut diagnostics) {
            continue;
        }
        for error in errors {
            let (range, message) = match error {
                BibLaTeXError::Parse(it) => (it.span.clone(), it.kind.to_string()),
                BibLaTeXError::Type(it) => (it.span.clone(), it.kind.to_string()),
            };
            let place = source.place(clamp(&range, &text));
            diagnostics.push(
                Diagnostic::error(SYNTAX, place, format!("{message} in the bibliography"))
                    .help("the entry is left out; the others are used"),
            );
            blank(&mut text, range.start);
        }
    }
    Checked { value: Bibliography::default(), diagnostics }
}

/// Reports and blanks the entries whose braces are not in pairs; whether there are any.
fn report_open(source: &Source, text: &mut String, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let starts = entries(text);
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut open = Vec::new();
    for (start, end) in starts.iter().copied().zip(ends) {
        let depth = braces(&text[start..end]);
        if depth != 0 {
            open.push((start, depth));
        }
    }
    for (start, depth) in &open {
        let line = text[*start..].lines().next().unwrap_or_default().trim_end();
        let place = source.place(Span::new(*start, start + line.len()));
        let key = line.split_once('{').map_or(line, |it| it.1).trim_end_matches(',').trim();
        let count = depth.unsigned_abs();
        let what = if *depth > 0 { "is not closed" } else { "is closed more than once" };
        let help = match (*depth > 0, count) {
            (true, 1) => "a `}` is missing in it".to_owned(),
            (true, _) => format!("{count} `}}` are missing in it"),
            (false, 1) => "it has a `}` too many".to_owned(),
            (false, _) => format!("it has {count} `}}` too many"),
        };
        let message = format!("the entry `{key}` of the bibliography {what}");
        let help = format!("{help}; the entry is left out, the others are used");
        diagnostics.push(Diagnostic::error(SYNTAX, place, message).help(help));
    }
    open.iter().for_each(|it| blank(text, it.0));
    !open.is_empty()
}

/// How many braces are open at the end of `entry`.
fn braces(entry: &str) -> i64 {
    let mut depth = 0;
    let mut escaped = false;
    for c in entry.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// Where entries begin: at an `@` at the beginning of a line.
fn entries(text: &str) -> Vec<usize> {
    let entry = |it: &(usize, &str)| it.0 == 0 || text.as_bytes()[it.0 - 1] == b'\n';
    text.match_indices('@').filter(entry).map(|it| it.0).collect()
}

fn clamp(range: &Range<usize>, text: &str) -> Span {
    let start = range.start.min(text.len().saturating_sub(1));
    Span::new(start, range.end.clamp(start, text.len()))
}

/// Overwrites the entry around byte `at` by spaces.
fn blank(text: &mut String, at: usize) {
    let at = at.min(text.len());
    let starts = entries(text);
    let start = starts.iter().rev().find(|it| **it <= at).or(starts.first()).copied().unwrap_or(0);
    let end = starts.iter().find(|it| **it > start).copied().unwrap_or(text.len());
    let keep = |c: char| if c == '\n' { '\n'.to_string() } else { " ".repeat(c.len_utf8()) };
    let blanked: String = text[start..end].chars().map(keep).collect();
    text.replace_range(start..end, &blanked);
}

/// The works with a comma between the ranges of pages, which the reader of BibLaTeX leaves out.
fn with_commas(library: Library) -> Library {
    let parted = |mut entry: hayagriva::Entry| {
        if let Some(MaybeTyped::Typed(pages)) = entry.page_range() {
            let mut pages = pages.clone();
            let is_page = |it: &PageRangesPart| it.start().is_some();
            let mut parts: Vec<PageRangesPart> = Vec::new();
            for part in pages.ranges {
                if is_page(&part) && parts.last().is_some_and(is_page) {
                    parts.push(PageRangesPart::Comma);
                }
                parts.push(part);
            }
            pages.ranges = parts;
            entry.set_page_range(MaybeTyped::Typed(pages));
        }
        entry
    };
    library.into_iter().map(parted).collect()
}

fn works(library: &Library) -> Bibliography {
    let style = style();
    let locales: Vec<Locale> = locales();
    let mut driver = BibliographyDriver::new();
    for entry in library.iter() {
        let items = vec![CitationItem::with_entry(entry)];
        driver.citation(CitationRequest::from_items(items, &style, &locales));
    }
    let request = BibliographyRequest { style: &style, locale: None, locale_files: &locales };
    let rendered = driver.finish(request);
    let short: BTreeMap<&str, String> = library
        .iter()
        .zip(&rendered.citations)
        .map(|(entry, it)| (entry.key(), bare(&it.citation)))
        .collect();
    let mut works = BTreeMap::new();
    for (order, item) in rendered.bibliography.iter().flat_map(|it| &it.items).enumerate() {
        let mut entry = Vec::new();
        pieces(&item.content, &mut entry);
        // The style says of everything without a publisher that it was read on the Web.
        entry.iter_mut().for_each(|it| it.text = it.text.replace(" [WWW Document]", ""));
        single_stops(&mut entry);
        let title = library.get(&item.key).and_then(|it| it.title()).map(ToString::to_string);
        let entry = title.map_or(entry.clone(), |it| with_title(entry, &it));
        let short = short.get(&item.key[..]).cloned().unwrap_or_default();
        let order = u32::try_from(order).unwrap_or(u32::MAX);
        works.insert(item.key.clone(), Work { short, entry, order });
    }
    Bibliography(works)
}

/// Takes away the second of two full stops, which the style puts behind a title that has no publisher.
fn single_stops(entry: &mut [Piece]) {
    let mut before = ' ';
    for piece in entry {
        let mut text = String::new();
        let mut letters = piece.text.chars().peekable();
        while let Some(c) = letters.next() {
            let doubled = c == '.' && before == '.' && letters.peek().is_none_or(|it| *it == ' ');
            if !doubled {
                text.push(c);
            }
            before = c;
        }
        piece.text = text;
    }
}

/// The entry with the title of the work in italics.
fn with_title(entry: Vec<Piece>, title: &str) -> Vec<Piece> {
    let Some(at) = entry.iter().position(|it| !it.italic && it.text.contains(title)) else {
        return entry;
    };
    let mut out = Vec::new();
    for (index, piece) in entry.into_iter().enumerate() {
        match piece.text.split_once(title) {
            Some((before, after)) if index == at => {
                let part =
                    |text: &str, italic| Piece { text: text.into(), italic, ..piece.clone() };
                let parts = [part(before, false), part(title, true), part(after, false)];
                out.extend(parts.into_iter().filter(|it| !it.text.is_empty()));
            }
            _ => out.push(piece),
        }
    }
    out
}

fn style() -> IndependentStyle {
    match ArchivedStyle::ElsevierHarvard.get() {
        Style::Independent(style) => style,
        Style::Dependent(_) => unreachable!("the archive's Harvard style is independent"),
    }
}

/// A citation without the brackets that the style puts around it.
fn bare(citation: &ElemChildren) -> String {
    let mut list = Vec::new();
    pieces(citation, &mut list);
    let text: String = list.into_iter().map(|it| it.text).collect();
    let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    inner.unwrap_or(&text).to_owned()
}

fn pieces(children: &ElemChildren, out: &mut Vec<Piece>) {
    for child in &children.0 {
        match child {
            ElemChild::Text(it) => {
                push(out, &it.text, it.formatting.font_style == FontStyle::Italic, None);
            }
            ElemChild::Elem(it) => pieces(&it.children, out),
            ElemChild::Markup(it) => push(out, it, false, None),
            ElemChild::Link { text, url } => {
                push(out, &text.text, text.formatting.font_style == FontStyle::Italic, Some(url));
            }
            ElemChild::Transparent { .. } => {}
        }
    }
}

fn push(out: &mut Vec<Piece>, text: &str, italic: bool, url: Option<&String>) {
    match out.last_mut() {
        Some(last) if last.italic == italic && last.url.as_ref() == url => {
            let _ = last.text.write_str(text);
        }
        _ => out.push(Piece { text: text.to_owned(), italic, url: url.cloned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "@inproceedings{vaswani2017,\n  author = {Vaswani, Ashish and Shazeer, Noam \
                        and Parmar, Niki},\n  title = {Attention Is All You Need},\n  booktitle = \
                        {Advances in Neural Information Processing Systems},\n  date = {2017},\n}\n";

    #[test]
    fn a_work_has_a_short_and_a_full_form() {
        let Checked { value, diagnostics } = library(&Source::new("references.bib", GOOD));
        assert_eq!(diagnostics, []);
        let work = &value.0["vaswani2017"];
        assert_eq!(work.short, "Vaswani et al., 2017");
        let entry: String = work.entry.iter().map(|it| &it.text[..]).collect();
        assert!(!entry.contains("WWW"), "{entry}");
        assert!(
            entry.starts_with("Vaswani, A., Shazeer, N., Parmar, N., 2017. Attention"),
            "{entry}"
        );
    }

    #[test]
    fn ranges_of_pages_are_parted() {
        let entry = |pages: &str| {
            let text = format!(
                "@article{{shannon1948,\n  author = {{Shannon, Claude}},\n  title = {{A Theory}},\n  \
                 journal = {{Journal}},\n  pages = {{{pages}}},\n  date = {{1948}},\n}}\n"
            );
            let Checked { value, diagnostics } = library(&Source::new("references.bib", &text));
            assert_eq!(diagnostics, []);
            let pieces = value.0["shannon1948"].entry.iter().map(|it| &it.text[..]);
            pieces.collect::<String>()
        };
        for (written, printed) in [
            ("379--423, 623--656", "379–423, 623–656."),
            ("1, 3--5,9", "1, 3–5, 9."),
            ("379--423", "379–423."),
            ("e17", "e17."),
        ] {
            let entry = entry(written);
            assert!(entry.ends_with(printed), "{entry}");
            assert!(entry.contains(&format!(" {printed}")), "{entry}");
        }
    }

    #[test]
    fn a_broken_entry_leaves_the_others() {
        let text = format!("@article{{broken,\n  title = {{x}}\n  date = {{2000}},\n}}\n{GOOD}");
        let Checked { value, diagnostics } = library(&Source::new("references.bib", &text));
        assert_eq!(diagnostics.len(), 1);
        assert!(value.0.contains_key("vaswani2017"), "{diagnostics:?}");
    }

    #[test]
    fn an_open_entry_is_told_alone() {
        let entry = |key: &str, end: &str| {
            format!("@misc{{{key},\n  title = {{T {key}}},\n  date = {{2000}},\n{end}\n")
        };
        let (a, b, c, d) = (entry("a", "}"), entry("b", ""), entry("c", "}"), entry("d", "}"));
        let text = format!("{a}{b}{c}{d}");
        let Checked { value, diagnostics } = library(&Source::new("references.bib", &text));
        let [one] = &diagnostics[..] else { panic!("{diagnostics:?}") };
        assert_eq!(one.message, "the entry `b` of the bibliography is not closed");
        assert_eq!(one.place.span.range().start, a.len());
        assert_eq!(value.0.keys().collect::<Vec<_>>(), ["a", "c", "d"]);
    }
}
