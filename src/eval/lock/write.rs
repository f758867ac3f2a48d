//! Outputs to the text of `outputs.lock`: TOML, with a line for each value or row.

use std::fmt::Write as _;

use super::VERSION;
use crate::eval::Shown;
use crate::eval::marks::Parts;
use crate::value::{Axis, Mark, Plot, Real, Value};

const HEAD: &str = "\
# What every snippet of the book showed, at full precision.
#
# `reckoner build` writes this file; commit it, but do not edit it. `reckoner build --locked` runs
# the snippets and fails if a value has changed; `reckoner build --frozen` takes the values from here
# and runs nothing.

";

/// Writes snippets, each as its id, its key and what it showed.
pub(super) fn text<'a>(snippets: impl Iterator<Item = (&'a str, &'a str, &'a [Shown])>) -> String {
    let mut out = format!("{HEAD}version = {VERSION}\n");
    for (id, key, shown) in snippets {
        let _ =
            write!(out, "\n[[snippet]]\nid = {}\nkey = {}\nshown = [\n", quoted(id), quoted(key));
        for shown in shown {
            let _ = write!(out, "  {{ key = {}, ", quoted(&shown.key));
            value(&shown.value, &mut out);
            out.push_str(" },\n");
        }
        out.push_str("]\n");
    }
    out
}

fn value(value: &Value, out: &mut String) {
    match value {
        Value::Table(table) => {
            let columns: Vec<String> = table.columns.iter().map(|it| quoted(it)).collect();
            let _ = write!(out, "columns = [{}], rows = ", columns.join(", "));
            lines(table.rows.iter().map(|row| list(row)), "  ", out);
        }
        Value::Plot(it) => plot(it, out),
        Value::List(items) if items.iter().any(|it| matches!(it, Value::List(_))) => {
            out.push_str("value = ");
            lines(items.iter().map(scalar), "  ", out);
        }
        Value::List(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Text(_) => {
            let _ = write!(out, "value = {}", scalar(value));
        }
    }
}

/// A list with a line for each item.
fn lines(items: impl Iterator<Item = String>, indent: &str, out: &mut String) {
    out.push_str("[\n");
    for item in items {
        let _ = writeln!(out, "{indent}  {item},");
    }
    let _ = write!(out, "{indent}]");
}

/// A value that fits into a line.
fn scalar(value: &Value) -> String {
    match value {
        Value::Int(it) => match i64::try_from(*it) {
            Ok(it) => it.to_string(),
            // TOML's whole numbers have 64 bits.
            Err(_) => format!("{{ int = \"{it}\" }}"),
        },
        Value::Float(it) => real(*it),
        Value::Bool(it) => it.to_string(),
        Value::Text(it) => quoted(it),
        Value::List(items) => list(items),
        Value::Table(_) | Value::Plot(_) => unreachable!("no list has a table or a plot in it"),
    }
}

fn list(items: &[Value]) -> String {
    format!("[{}]", items.iter().map(scalar).collect::<Vec<_>>().join(", "))
}

/// The fewest digits that give the same double.
fn real(real: Real) -> String {
    if real.0.is_nan() { "nan".into() } else { format!("{:?}", real.0) }
}

fn plot(plot: &Plot, out: &mut String) {
    let axis = |it: &Axis| {
        let names: Vec<String> = it.names.iter().map(|it| quoted(it)).collect();
        let (label, names) = (quoted(&it.label), names.join(", "));
        format!("{{ label = {label}, log = {}, names = [{names}] }}", it.log)
    };
    let (title, x, y) = (quoted(&plot.title), axis(&plot.x), axis(&plot.y));
    let equal = plot.equal;
    let _ = write!(out, "title = {title}, x = {x}, y = {y}, equal = {equal}, marks = ");
    lines(plot.marks.iter().map(mark), "  ", out);
}

fn mark(mark: &Mark) -> String {
    let Parts { kind, name, rows } = Parts::of(mark);
    let mut out = format!("{{ kind = \"{kind}\", name = {}", quoted(name));
    for (name, rows) in rows {
        let _ = write!(out, ", {name} = ");
        let row = |it: &Vec<Real>| {
            let numbers: Vec<String> = it.iter().map(|it| real(*it)).collect();
            format!("[{}]", numbers.join(", "))
        };
        lines(rows.iter().map(row), "    ", &mut out);
    }
    out.push_str(" }");
    out
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
