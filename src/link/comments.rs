//! Labels in the comments of code, which mean nothing to a reader, to numbers and names.

use std::ops::Range;

use super::{Links, Target, TargetKind};
use crate::ir::plain;

/// A shown line of code is not made longer than this by the names of what its comment mentions.
const WIDE: usize = 80;

/// The labels in the comment of a line of code, with their bytes.
pub(super) fn labels(line: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let comment = line.match_indices("//").map(|it| it.0);
    // An address in a string is no comment.
    let comment = comment.filter(|at| !line[..*at].ends_with(':')).min().unwrap_or(line.len());
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_' | '.');
    let mut at = comment;
    std::iter::from_fn(move || {
        let start = at + line[at..].find(is_letter)?;
        let rest = &line[start..];
        let end = start + rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        at = end;
        let word = line[start..end].trim_end_matches([':', '-', '_', '.']);
        Some((start..start + word.len(), word))
    })
    .filter(|it| it.1.split_once(':').is_some_and(|it| !it.0.is_empty() && !it.1.is_empty()))
}

/// A line of code as readers see it: a label in its comment stands as number and name, `(1.9) Matrix
/// product`. Also the bytes of those, and where they lead.
pub fn commented<'a>(line: &str, links: &'a Links) -> (String, Vec<(Range<usize>, &'a Target)>) {
    let known: Vec<_> = labels(line)
        .filter_map(|(range, label)| Some((range, links.target(label)?)))
        .filter(|it| it.1.kind != TargetKind::Planned && !it.1.number.is_empty())
        .collect();
    if known.is_empty() {
        return (line.to_owned(), Vec::new());
    }
    let long = written(line, &known, true);
    if long.0.chars().count() <= WIDE { long } else { written(line, &known, false) }
}

fn written<'a>(
    line: &str,
    known: &[(Range<usize>, &'a Target)],
    named: bool,
) -> (String, Vec<(Range<usize>, &'a Target)>) {
    let (mut out, mut at, mut ways) = (String::new(), 0, Vec::new());
    for (range, target) in known {
        out.push_str(&line[at..range.start]);
        let start = out.len();
        let bracketed = out.ends_with('(') && line[range.end..].starts_with(')');
        match (target.kind, target.word()) {
            (TargetKind::Equation, _) if bracketed => out.push_str(&target.number),
            (TargetKind::Equation, _) => out.push_str(&format!("({})", target.number)),
            (_, "") => out.push_str(&target.number),
            (_, word) => out.push_str(&format!("{word} {}", target.number)),
        }
        let title = plain(&target.title);
        if named && !title.is_empty() {
            out.push(' ');
            out.push_str(&title);
        }
        ways.push((start..out.len(), *target));
        at = range.end;
    }
    out.push_str(&line[at..]);
    (out, ways)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Destination, Inline, Label};

    #[test]
    fn labels_of_comments_become_numbers_and_names() {
        let label = Label("eq:a-b".into());
        let target = Target {
            kind: TargetKind::Equation,
            number: "1.9".into(),
            title: vec![Inline::Text("Matrix product".into())],
            page: "a.html".into(),
            anchor: label.0.clone(),
            label: Some(label.clone()),
        };
        let targets = [(Destination::Label(label), target)].into();
        let links = Links { targets, ..Links::default() };
        for (line, expected) in [
            ("let a = b; // eq:a-b", "let a = b; // (1.9) Matrix product"),
            ("/// eq:a-b: by rows; eq:none.", "/// (1.9) Matrix product: by rows; eq:none."),
            ("let eq:a-b = \"https://eq:a-b\";", "let eq:a-b = \"https://eq:a-b\";"),
            ("    // eq:a-b.", "    // (1.9) Matrix product."),
        ] {
            let (text, ways) = commented(line, &links);
            assert_eq!(text, expected);
            for (range, _) in ways {
                assert_eq!(&text[range], "(1.9) Matrix product");
            }
        }
        assert_eq!(commented("// H (eq:a-b)", &links).0, "// H (1.9 Matrix product)");
        let long = format!("{} // eq:a-b", "x".repeat(60));
        assert!(commented(&long, &links).0.ends_with("// (1.9)"));
    }
}
