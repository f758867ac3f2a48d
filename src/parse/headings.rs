//! Headings to the title and the sections, with their anchors.

use std::ops::Range;

use super::tree::Tree;
use super::{checks, codes};
use crate::diag::Diagnostic;
use crate::ir::{Block, BlockKind, Heading, Inline, Label, Spanned, plain};

/// The title of a chapter.
pub(super) struct Title {
    pub body: Vec<Inline>,
    pub labels: Vec<Spanned<Label>>,
    pub range: Range<usize>,
}

impl<'a> Tree<'a> {
    /// A heading whose start was just taken.
    pub(super) fn heading(&mut self, level: u8, range: &Range<usize>, out: &mut Vec<Block>) {
        let setext = !self.slice(range.clone()).starts_with('#');
        if setext && self.formulas(range).iter().any(|it| it.style == crate::math::Style::Display) {
            // The line below a formula was meant as a rule, not to make the formula a heading.
            self.inside(range, |it| it.split(range, out));
            out.push(Self::block(range, BlockKind::Rule));
            return;
        }
        let body = self.inside(range, Self::inlines);
        let list = self.attributes(range);
        let labels = list.map(|it| it.labels.clone()).unwrap_or_default();
        let mut numbered = true;
        if let Some(list) = list {
            self.check(list, &checks::HEADING);
            numbered = !list.classes.iter().any(|it| it.value == "unnumbered");
        }
        if level == 1 {
            match &self.title {
                None => {
                    self.title = Some(Title { body, labels, range: range.clone() });
                    self.level = 1;
                    return;
                }
                Some(first) => self.second_title(first.range.clone(), range),
            }
        }
        let level = self.heading_level(level.max(2), range);
        let anchor = self.anchor(&body, &labels);
        let heading = Heading { level, body, labels, anchor, numbered };
        out.push(Self::block(range, BlockKind::Heading(heading)));
    }

    fn second_title(&mut self, first: Range<usize>, range: &Range<usize>) {
        let message = "a chapter has one title; this heading is shown as a section";
        let place = self.source.place(range.clone().into());
        let first = self.source.place(first.into());
        let diagnostic = Diagnostic::warning(codes::DUPLICATE_TITLE, place, message);
        let diagnostic = diagnostic.help("write it with `##`").related(first, "the title is here");
        self.diagnostics.push(diagnostic);
    }

    fn heading_level(&mut self, level: u8, range: &Range<usize>) -> u8 {
        let most = self.level + 1;
        if level > most {
            let (is, most) = ("#".repeat(level.into()), "#".repeat(most.into()));
            let message = "this heading skips a level";
            let help = format!("write `{most}` instead of `{is}`");
            self.warn(codes::HEADING_LEVEL, range.clone(), message, help);
        }
        self.level = level.min(most);
        self.level
    }

    /// The first label, or the words made an anchor that no other heading has.
    fn anchor(&mut self, body: &[Inline], labels: &[Spanned<Label>]) -> String {
        let wanted = match labels.first() {
            Some(label) => label.value.0.clone(),
            None => slug(&plain(body)),
        };
        let mut anchor = wanted.clone();
        let mut count = 0;
        while !self.anchors.insert(anchor.clone()) {
            count = self.counts.get(&wanted).copied().unwrap_or(count) + 1;
            self.counts.insert(wanted.clone(), count);
            anchor = format!("{wanted}-{count}");
        }
        anchor
    }
}

/// The words of a heading as an anchor: letters of every script and digits are kept, in lower
/// case; spaces become `-`.
pub fn slug(words: &str) -> String {
    let mut out = String::new();
    for c in words.trim().chars() {
        if c.is_alphanumeric() || c == '_' || is_mark(c) {
            out.extend(c.to_lowercase());
        } else if c.is_whitespace() || c == '-' {
            out.push('-');
        }
    }
    if out.is_empty() { "section".to_string() } else { out }
}

/// Marks and joiners inside of words, which are no letters of their own: of Latin, Hebrew, Arabic
/// and the scripts of South Asia, without their full stops.
fn is_mark(c: char) -> bool {
    match c {
        '\u{964}' | '\u{965}' => false,
        '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' => true,
        '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}' => true,
        '\u{200c}' | '\u{200d}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn anchors_keep_every_script() {
        assert_eq!(slug("The Übung, part 2"), "the-übung-part-2");
        assert_eq!(slug("پارسی"), "پارسی");
        assert_eq!(slug("線形 代数"), "線形-代数");
        assert_eq!(slug("हिन्दी"), "हिन्दी");
        assert_eq!(slug("शून्य।"), "शून्य");
        assert_eq!(slug("\\epsilon-greedy"), "epsilon-greedy");
        assert_eq!(slug("!?"), "section");
    }
}
