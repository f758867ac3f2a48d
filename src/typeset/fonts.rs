//! The fonts of the program and of the book to a store, and text to the characters that none has.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use typst::foundations::Bytes;
use typst::text::Font;
use typst_kit::fonts::FontStore;

use super::markup::Draft;
use super::{FONT, GLYPHS, Shared, Volume};
use crate::diag::Diagnostic;
use crate::source::{FileId, Place, Span};

/// So many missing characters are shown.
const LISTED: usize = 24;

static EMBEDDED: LazyLock<Arc<FontStore>> = LazyLock::new(|| Arc::new(embedded()));

fn embedded() -> FontStore {
    let mut fonts = FontStore::new();
    fonts.extend(typst_kit::fonts::embedded());
    fonts
}

/// The fonts that come with the program, then those of the book, for characters that the first
/// have not.
pub(super) fn of(volume: &Volume<'_>, diagnostics: &mut Vec<Diagnostic>) -> Arc<FontStore> {
    if volume.fonts.is_empty() {
        return EMBEDDED.clone();
    }
    let mut store = embedded();
    for (path, bytes) in &volume.fonts {
        let mut count = 0;
        for font in Font::iter(Bytes::new(Shared(Arc::clone(bytes)))) {
            let info = font.info().clone();
            store.push((font, info));
            count += 1;
        }
        if count == 0 {
            let place = Place { file: FileId::new(&format!("theme/{path}")), span: Span::NONE };
            let message = format!("`theme/{path}` is no font that the PDF can be set in");
            let help = "give it as TTF or OTF; WOFF is for the site alone";
            diagnostics.push(Diagnostic::warning(FONT, place, message).help(help));
        }
    }
    Arc::new(store)
}

/// One warning for all characters of a chapter that no font has, at the first of them.
pub(super) fn missing(draft: &Draft, fonts: &FontStore) -> Option<Diagnostic> {
    let mut found = BTreeSet::new();
    let mut list = Vec::new();
    let mut first = None;
    for (at, c) in draft.markup.text.char_indices() {
        if c.is_ascii() || is_invisible(c) || has(fonts, c) || !found.insert(c) {
            continue;
        }
        first = first.or_else(|| draft.place(at));
        list.push(c);
    }
    let shown: Vec<String> = list.iter().take(LISTED).map(|it| format!("`{it}`")).collect();
    let more = list.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (are, them) = if list.len() == 1 { ("character", "it") } else { ("characters", "them") };
    let message = format!(
        "no font of the PDF has {} {are} of this chapter: {}{more}",
        list.len(),
        shown.join(" ")
    );
    let help = format!("put a font with {them}, as TTF or OTF, into `theme/fonts/` of the book");
    Some(Diagnostic::warning(GLYPHS, first?, message).help(help))
}

fn has(fonts: &FontStore, c: char) -> bool {
    let book = fonts.book();
    let of = |index: usize| book.info(index).map(|it| it.coverage.contains(c.into()));
    (0..).map_while(of).any(|it| it)
}

/// Whether a character is not drawn: a space, or one that only joins or parts others.
fn is_invisible(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}
