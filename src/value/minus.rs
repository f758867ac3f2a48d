//! Hyphens in the words of a plot to minus signs, where they stand for one.

use super::{Mark, Plot};

impl Plot {
    /// The plot with a minus sign wherever a hyphen stands for one.
    pub fn with_minus(&self) -> Plot {
        let mut out = self.clone();
        let mut all: Vec<&mut String> = vec![&mut out.title];
        for axis in [&mut out.x, &mut out.y] {
            all.push(&mut axis.label);
            all.extend(&mut axis.names);
        }
        for mark in &mut out.marks {
            match mark {
                Mark::Line { name, .. }
                | Mark::Scatter { name, .. }
                | Mark::Bars { name, .. }
                | Mark::Histogram { name, .. }
                | Mark::Arrow { name, .. } => all.push(name),
                Mark::Heat { .. } => {}
            }
        }
        all.into_iter().filter(|it| it.contains('-')).for_each(|it| *it = minus(it));
        out
    }
}

/// Text with a minus sign for each hyphen that stands before a number or between blanks. Formulas
/// and code are left as they are.
fn minus(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut verbatim = None;
    let mut out = String::new();
    for (index, &c) in letters.iter().enumerate() {
        if matches!(c, '$' | '`') {
            verbatim = match verbatim {
                None => Some(c),
                Some(open) if open == c => None,
                open => open,
            };
        }
        let before = |by: usize| index.checked_sub(by).map(|it| letters[it]);
        let after = letters.get(index + 1).copied();
        let starts =
            before(1).is_none_or(|it| it.is_whitespace() || "([{=,<>≤≥±+*/×·^|".contains(it));
        let power = before(1) == Some('e') && before(2).is_some_and(|it| it.is_ascii_digit());
        let number = after.is_some_and(|it| it.is_ascii_digit() || matches!(it, '.' | '∞' | 'π'));
        let between = before(1) == Some(' ') && after == Some(' ');
        let is_minus = ((starts || power) && number) || between;
        out.push(if c == '-' && verbatim.is_none() && is_minus { '−' } else { c });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyphens_that_stand_for_a_minus_become_one() {
        for (text, expected) in [
            ("-1", "−1"),
            ("x - y, 1e-9", "x − y, 1e−9"),
            ("top-1 of GPT-2", "top-1 of GPT-2"),
            ("$x-1$ (-2)", "$x-1$ (−2)"),
            ("pre-norm", "pre-norm"),
        ] {
            assert_eq!(minus(text), expected);
        }
    }
}
