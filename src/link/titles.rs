//! Titles in the outline against those of the chapters.

use super::Whole;
use super::codes::TITLE;
use crate::diag::Diagnostic;
use crate::ir::{Entry, plain};

/// Says where SUMMARY.md calls a chapter otherwise than it calls itself. A path for a title is no
/// other name.
pub(super) fn check(whole: &Whole<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(summary) = whole.summary else { return };
    let words = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
    for entry in &whole.book.outline {
        let Entry::Chapter(chapter) = entry else { continue };
        let Some(file) = &chapter.file else { continue };
        let Some(document) = whole.documents.iter().find(|it| it.file == *file) else { continue };
        let (here, there) = (words(&plain(&chapter.title)), words(&plain(&document.title)));
        if here == there || here.is_empty() || here == file.path() {
            continue;
        }
        let message = format!("the outline calls `{file}` \"{here}\", and its heading \"{there}\"");
        let help = "the heading is shown; make them alike";
        let place = summary.place(chapter.span);
        diagnostics.push(Diagnostic::note(TITLE, place, message).help(help));
    }
}
