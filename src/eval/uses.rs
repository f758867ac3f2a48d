//! Computed values that the text uses to the outputs that they name.

use std::collections::{BTreeMap, BTreeSet};

use super::{Output, Outputs, Shown, codes, signs};
use crate::diag::Diagnostic;
use crate::ir::{BlockKind, Document, FigureSource, Inline, Node, ValuePath, ValueUse};
use crate::math::Formula;
use crate::parse;
use crate::source::{Place, Span};
use crate::value::{Format, Value};

/// The value at `path`; `None` if there is none, which [`super::outputs`] has told the author.
pub fn value<'a>(outputs: &'a Outputs, path: &ValuePath) -> Option<&'a Value> {
    let output = outputs.get(&path.snippet)?;
    output.shown.iter().find(|it| it.key == path.key)?.value.at(&path.steps).ok()
}

/// What every `\val{…}` in `tex` stands for: the text between the braces → TeX. A value that there
/// is not is left out; [`super::outputs`] has told the author.
pub fn values(tex: &str, outputs: &Outputs) -> BTreeMap<String, String> {
    let one = |text: &str| {
        let it = parse::value(text, Span::NONE).ok()?;
        Some(value(outputs, &it.path)?.written(it.format)?.tex())
    };
    let found = in_formula(tex).into_iter();
    found.filter_map(|(_, text)| Some((text.to_owned(), one(text)?))).collect()
}

/// The outputs that a figure shows: all of a snippet for an empty key.
pub fn placed_by<'a>(outputs: &'a Outputs, path: &ValuePath) -> Vec<(&'a str, &'a Value)> {
    let Some(output) = outputs.get(&path.snippet) else { return Vec::new() };
    let shown = output.shown.iter().filter(|it| path.key.is_empty() || it.key == path.key);
    let at = |it: &'a Shown| Some((&it.key[..], it.value.at(&path.steps).ok()?));
    shown.filter_map(at).collect()
}

/// What figures of a chapter place, and so does not stand under its snippet again: snippet and
/// key. An empty key stands for all of a snippet.
#[derive(Clone, Debug, Default)]
pub struct Placed(BTreeSet<(String, String)>);

impl Placed {
    /// What the figures of `document` place.
    pub fn of(document: &Document) -> Self {
        let paths = document.nodes().into_iter().filter_map(figure);
        Self(paths.map(|it| (it.snippet.clone(), it.key.clone())).collect())
    }

    /// The outputs of `snippet` that are left to stand under it.
    pub fn rest<'a>(&self, snippet: &str, outputs: &'a Outputs) -> Vec<&'a Shown> {
        let placed = |key: &str| self.0.contains(&(snippet.to_owned(), key.to_owned()));
        let shown = outputs.get(snippet).map_or(&[][..], |it| &it.shown);
        shown.iter().filter(|it| !placed("") && !placed(&it.key)).collect()
    }
}

/// The outputs of the snippets that a chapter has or mentions: all that its page may show.
pub fn of_chapter(outputs: &Outputs, document: &Document) -> Outputs {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for (path, _) in used(document) {
        names.insert(path.path.snippet);
    }
    for block in document.all_blocks() {
        if let BlockKind::Snippet(snippet) = &block.kind {
            names.insert(snippet.id.clone());
        }
    }
    names.into_iter().filter_map(|it| Some((it.clone(), outputs.get(&it)?.clone()))).collect()
}

/// How a value is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// In running text or a formula, which has no room for a table or a plot.
    Text,
    /// As a figure.
    Figure,
}

/// Checks every use of a computed value in the chapter.
pub(super) fn check(document: &Document, outputs: &Outputs, out: &mut Vec<Diagnostic>) {
    let place = |span| Place { file: document.file.clone(), span };
    for formula in document.nodes().into_iter().filter_map(formula) {
        for (at, text) in in_formula(&formula.tex) {
            if let Err(message) = parse::value(text, Span::NONE) {
                let span = formula.span.sub(at..at + text.len());
                out.push(Diagnostic::error(codes::UNKNOWN, place(span), message));
            }
        }
    }
    for formula in document.nodes().into_iter().filter_map(formula) {
        let found = signs::bare(formula, outputs);
        out.extend(found.into_iter().map(|(span, it)| signs::warning(place(span), &it)));
    }
    for (it, how) in used(document) {
        if let Err((message, help)) = resolve(&it.path, how, outputs) {
            let mut diagnostic = Diagnostic::error(codes::UNKNOWN, place(it.path.span), message);
            diagnostic.help = help;
            out.push(diagnostic);
        }
    }
}

fn resolve(path: &ValuePath, how: Use, outputs: &Outputs) -> Result<(), (String, Option<String>)> {
    let Some(output) = outputs.get(&path.snippet) else {
        let near = near(&path.snippet, outputs.keys());
        return Err((format!("no snippet `{}` runs in this book", path.snippet), near));
    };
    let shown = output.shown.iter().find(|it| it.key == path.key);
    let value = match shown {
        Some(shown) => shown.value.at(&path.steps),
        None if path.key.is_empty() && path.steps.is_empty() => return Ok(()),
        // The snippet's failure is told already, and is why the value is missing.
        None if output.failure.is_some() => return Ok(()),
        None => return Err(no_key(path, output)),
    };
    let value =
        value.map_err(|message| (format!("`{}.{}`: {message}", path.snippet, path.key), None))?;
    let name = format!("{}.{}", path.snippet, path.key);
    let (kind, help) = match value {
        Value::Table(_) => {
            let cell = format!("name a cell, `{name}[0][\"column\"]`");
            ("a table", format!("{cell}, or show all of it: `![…](snip:{name})`"))
        }
        Value::Plot(_) => ("a plot", format!("show it as a figure: `![…](snip:{name})`")),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Text(_) | Value::List(_) => {
            return Ok(());
        }
    };
    if how == Use::Figure {
        return Ok(());
    }
    Err((format!("`{name}` is {kind}, which does not fit into a line"), Some(help)))
}

fn no_key(path: &ValuePath, output: &Output) -> (String, Option<String>) {
    let keys: Vec<String> = output.shown.iter().map(|it| it.key.clone()).collect();
    let help = near(&path.key, keys.iter()).or_else(|| {
        let list = keys.join("`, `");
        (!keys.is_empty() && keys.len() <= 12).then(|| format!("it shows `{list}`"))
    });
    (format!("snippet `{}` shows nothing under `{}`", path.snippet, path.key), help)
}

/// "did you mean", if some name is near.
fn near<'a>(name: &str, among: impl Iterator<Item = &'a String>) -> Option<String> {
    let folded = name.to_lowercase();
    let best = among
        .map(|it| (strsim::osa_distance(&folded, &it.to_lowercase()), it))
        .min_by_key(|it| (it.0, it.1.clone()))?;
    let allowed = name.chars().count().div_ceil(3);
    (best.0 <= allowed).then(|| format!("did you mean `{}`?", best.1))
}

/// Every use of a computed value in the chapter, in reading order.
fn used(document: &Document) -> Vec<(ValueUse, Use)> {
    let mut out = Vec::new();
    for node in document.nodes() {
        if let Some(formula) = formula(node) {
            out.extend(used_by(formula));
        } else if let Node::Inline(Inline::Value(it)) = node {
            out.push((it.clone(), Use::Text));
        } else if let Some(path) = figure(node) {
            let (path, format) = (path.clone(), Format::default());
            out.push((ValueUse { path, format }, Use::Figure));
        }
    }
    out
}

fn formula(node: Node<'_>) -> Option<&Formula> {
    if let Node::Inline(Inline::Math(formula)) = node {
        return Some(formula);
    }
    let Node::Block(block) = node else { return None };
    let BlockKind::Display(display) = &block.kind else { return None };
    Some(&display.formula)
}

fn figure(node: Node<'_>) -> Option<&ValuePath> {
    let Node::Block(block) = node else { return None };
    let BlockKind::Figure(figure) = &block.kind else { return None };
    match &figure.source {
        FigureSource::Output(path) => Some(path),
        FigureSource::File(..) => None,
    }
}

fn used_by(formula: &Formula) -> Vec<(ValueUse, Use)> {
    let one = |(at, text): (usize, &str)| {
        let span = formula.span.sub(at..at + text.len());
        Some((parse::value(text, span).ok()?, Use::Text))
    };
    in_formula(&formula.tex).into_iter().filter_map(one).collect()
}

/// The texts between the braces of `\val{…}`, each with its byte.
pub(super) fn in_formula(tex: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    for (at, command) in tex.match_indices("\\val") {
        let escaped = tex[..at].bytes().rev().take_while(|it| *it == b'\\').count() % 2 == 1;
        let rest = &tex[at + command.len()..];
        // As for every command of TeX, white space may stand before the brace.
        let Some(inner) = rest.trim_start().strip_prefix('{').filter(|_| !escaped) else {
            continue;
        };
        if let Some(length) = inner.find('}') {
            out.push((tex.len() - inner.len(), &inner[..length]));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_formula_are_found() {
        let tex = r"\val{a.Y[0]:.3} + \\\val{b.Z} + \\val{no} + \value{x} + \val {c.W} + \val{open";
        assert_eq!(in_formula(tex), [(5, "a.Y[0]:.3"), (25, "b.Z"), (62, "c.W")]);
    }

    #[test]
    fn near_names_are_near() {
        let names = ["Y".to_owned(), "softmax".to_owned()];
        assert_eq!(near("Yy", names.iter()).as_deref(), Some("did you mean `Y`?"));
        assert_eq!(near("sofmax", names.iter()).as_deref(), Some("did you mean `softmax`?"));
        assert_eq!(near("gradient", names.iter()), None);
    }
}
