//! The formulas of the book as JSON, for programs.

use serde_json::{Value, json};

use super::{FormulaEntry, Index, Target};
use crate::ir::plain;

/// `formulas.json`: label, number, name, TeX, symbols, chapter, address, snippets, what it uses and
/// what uses it.
pub fn formulas(index: &Index) -> String {
    let list: Vec<Value> = index.formulas.iter().map(formula).collect();
    let mut text = serde_json::to_string_pretty(&list).expect("a JSON value can be written");
    text.push('\n');
    text
}

fn formula(entry: &FormulaEntry) -> Value {
    let labels = |it: &[Target]| it.iter().map(name).collect::<Vec<_>>();
    json!({
        "label": name(&entry.target),
        "number": entry.target.number,
        "name": plain(&entry.target.title),
        "tex": entry.formula.tex.trim(),
        "symbols": entry.symbols,
        "chapter": name(&entry.chapter),
        "address": entry.target.address(),
        "snippets": labels(&entry.snippets),
        "uses": labels(&entry.uses),
        "used_by": labels(&entry.used_by),
    })
}

/// The label, or the address of a section that has none.
fn name(target: &Target) -> String {
    target.label.as_ref().map_or_else(|| target.address(), |it| it.0.clone())
}
