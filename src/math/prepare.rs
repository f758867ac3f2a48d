//! What an author wrote to what the engine reads: values and references put in, with a map back.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Facts;
use super::scan;

/// TeX for the engine.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The TeX.
    pub(super) tex: String,
    /// Addresses that stand for labels of the book; links may go there.
    pub(super) addresses: BTreeSet<String>,
    pieces: Vec<Piece>,
}

/// A part of the author's TeX and what became of it.
#[derive(Debug)]
struct Piece {
    from: Range<usize>,
    to: Range<usize>,
}

impl Prepared {
    /// Where `range` of the prepared TeX is in the author's. What was put in is to blame whole.
    pub(super) fn source(&self, range: Range<usize>) -> Range<usize> {
        let start = self.place(range.start).start;
        let end = if range.is_empty() { start } else { self.place(range.end - 1).end };
        start..end.max(start)
    }

    /// The byte of the author's TeX that became byte `at`, or what it was put in for.
    fn place(&self, at: usize) -> Range<usize> {
        let (mut from, mut to) = (0, 0);
        for piece in &self.pieces {
            if at < piece.to.start {
                break;
            }
            if at < piece.to.end {
                return piece.from.clone();
            }
            (from, to) = (piece.from.end, piece.to.end);
        }
        let at = from + (at - to);
        at..at + 1
    }
}

/// Puts values and references into `tex`.
pub(super) fn prepare(tex: &str, facts: &Facts) -> Prepared {
    let mut out = Prepared { tex: String::new(), addresses: BTreeSet::new(), pieces: Vec::new() };
    let mut copied = 0;
    for command in scan::commands(tex) {
        let Some((end, text)) = replacement(tex, command.clone(), facts, &mut out.addresses) else {
            continue;
        };
        if command.start < copied {
            continue;
        }
        out.tex.push_str(&tex[copied..command.start]);
        let start = out.tex.len();
        out.tex.push_str(&text);
        out.pieces.push(Piece { from: command.start..end, to: start..out.tex.len() });
        copied = end;
    }
    out.tex.push_str(&tex[copied..]);
    out
}

/// What stands for `command` and the argument that it takes along, and where that ends.
fn replacement(
    tex: &str,
    command: Range<usize>,
    facts: &Facts,
    addresses: &mut BTreeSet<String>,
) -> Option<(usize, String)> {
    let name = &tex[command.clone()];
    if !matches!(name, "\\val" | "\\ref" | "\\eqref" | "\\href") {
        return None;
    }
    let argument = scan::group(tex, command.end)?;
    let key = tex[argument.start + 1..argument.end - 1].trim();
    let text = match name {
        "\\val" => facts.values.get(key).map_or_else(placeholder, |it| format!("{{{it}}}")),
        "\\href" => {
            let label = key.strip_prefix('#')?;
            match facts.targets.get(label) {
                Some((_, address)) => link(address, addresses),
                // The words stay; the linker has reported the label.
                None => String::new(),
            }
        }
        _ => match facts.targets.get(key) {
            Some((number, address)) => {
                let number = scan::text(number);
                let number = if name == "\\eqref" { format!("({number})") } else { number };
                format!("{}{{\\text{{{number}}}}}", link(address, addresses))
            }
            None => placeholder(),
        },
    };
    Some((argument.end, text))
}

fn link(address: &str, addresses: &mut BTreeSet<String>) -> String {
    addresses.insert(address.to_owned());
    let mut out = String::from("\\href{");
    for c in address.chars() {
        if "#$%&~_^{}".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out + "}"
}

/// What is printed for a key that nothing stands for. The linker has reported it.
fn placeholder() -> String {
    "\\textbf{??}".into()
}
