//! Source to a text that Markdown can do nothing to: formulas and attribute lists made inert.
//!
//! Every byte stays where it is, so all places in the masked text are places in the source.

use super::scan::{self, Finds};
use super::survey::{Callout, Survey};
use crate::source::Source;

/// Looks at a text before the last look is believed. Each look after the first is needed only
/// where TeX seemed to be code that reaches out of its formula.
const LOOKS: usize = 8;

/// A source made ready for the Markdown parser.
#[derive(Debug)]
pub(super) struct Masked {
    /// The text with formulas as letters and attribute lists as spaces; byte for byte as long as
    /// the source.
    pub text: String,
    /// What was masked.
    pub finds: Finds,
}

/// Masks `source`, whose text begins behind its front matter at byte `start`.
pub(super) fn mask(source: &Source, start: usize) -> Masked {
    let mut masked: Vec<u8> = source.text.bytes().collect();
    masked[..start].fill(b'\n');
    let mut finds = Finds::default();
    let mut at = start;
    for look in 1.. {
        let text = String::from_utf8(masked).expect("whole characters are masked");
        let survey = Survey::new(&text, &source.text);
        masked = text.into_bytes();
        let (formulas, lists) = (finds.formulas.len(), finds.attributes.len());
        let again = scan::scan(source, &survey, at, look == LOOKS, &mut finds);
        for found in &finds.formulas[formulas..] {
            masked[found.whole.clone()].fill(b'X');
            if let Some(list) = &found.attributes {
                masked[list.span.range()].fill(b' ');
            }
        }
        for list in &finds.attributes[lists..] {
            masked[list.span.range()].fill(b' ');
        }
        match again {
            Some(next) => at = next,
            None => {
                finds.callouts = survey.callouts;
                break;
            }
        }
    }
    mask_callouts(&mut masked, &finds.callouts);
    Masked { text: String::from_utf8(masked).expect("whole characters are masked"), finds }
}

/// Makes the first line of a callout a heading, so that Markdown ends its title with the line.
fn mask_callouts(masked: &mut [u8], callouts: &[Callout]) {
    for callout in callouts {
        let marker = &mut masked[callout.marker.clone()];
        let hashes = (marker.len() - 1).min(6);
        marker.fill(b' ');
        marker[..hashes].fill(b'#');
    }
}
