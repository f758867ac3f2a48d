//! Outputs to `values.json`.

use std::fmt::Write as _;

use super::Outputs;
use crate::value::{Axis, Mark, Plot, Real, Table, Value};

/// Every output at full precision: snippet → key → value.
///
/// Whole numbers are written whole, other numbers in the fewest digits that give the same double.
/// JSON has no number for `"NaN"`, `"inf"` and `"-inf"`, so they are strings. A table is a list of
/// objects, one for each row; a plot is its data.
pub fn values_json(outputs: &Outputs) -> String {
    let mut out = String::from("{");
    let mut first = true;
    for (id, output) in outputs.iter().filter(|it| !it.1.shown.is_empty()) {
        out.push_str(if first { "\n" } else { ",\n" });
        first = false;
        let _ = write!(out, "{}: {{", quoted(id));
        for (index, shown) in output.shown.iter().enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            let _ = write!(out, "  {}: {}", quoted(&shown.key), value(&shown.value));
        }
        out.push_str("\n}");
    }
    out.push_str("\n}\n");
    out
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn value(value: &Value) -> String {
    match value {
        Value::Int(it) => it.to_string(),
        Value::Float(it) => real(it),
        Value::Bool(it) => it.to_string(),
        Value::Text(it) => quoted(it),
        Value::List(items) => list(items, self::value),
        Value::Table(it) => table(it),
        Value::Plot(it) => plot(it),
    }
}

fn real(real: &Real) -> String {
    match real.0 {
        it if it.is_finite() => format!("{it:?}"),
        it => format!("\"{it:?}\""),
    }
}

fn list<T>(items: &[T], one: fn(&T) -> String) -> String {
    format!("[{}]", items.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn table(table: &Table) -> String {
    let rows: Vec<String> = table
        .rows
        .iter()
        .map(|row| {
            let cells = table.columns.iter().zip(row);
            let cells: Vec<_> =
                cells.map(|it| format!("{}: {}", quoted(it.0), value(it.1))).collect();
            format!("{{{}}}", cells.join(", "))
        })
        .collect();
    format!("[{}]", rows.join(", "))
}

fn plot(plot: &Plot) -> String {
    let axis = |it: &Axis| {
        let names = list(&it.names, |it| quoted(it));
        format!("{{\"label\": {}, \"log\": {}, \"names\": {names}}}", quoted(&it.label), it.log)
    };
    let (title, x, y) = (quoted(&plot.title), axis(&plot.x), axis(&plot.y));
    let marks = list(&plot.marks, mark);
    let equal = plot.equal;
    format!(
        "{{\"title\": {title}, \"x\": {x}, \"y\": {y}, \"equal\": {equal}, \"marks\": {marks}}}"
    )
}

fn mark(mark: &Mark) -> String {
    let named = |kind: &str, name: &str, field: &str, data: String| {
        format!("{{\"kind\": \"{kind}\", \"name\": {}, \"{field}\": {data}}}", quoted(name))
    };
    match mark {
        Mark::Line { name, points } => named("line", name, "points", list(points, point)),
        Mark::Scatter { name, points } => named("scatter", name, "points", list(points, point)),
        Mark::Bars { name, heights } => named("bars", name, "heights", list(heights, real)),
        Mark::Histogram { name, edges, counts } => {
            let data = format!("{}, \"counts\": {}", list(edges, real), list(counts, real));
            named("histogram", name, "edges", data)
        }
        Mark::Heat { rows } => {
            let rows = list(rows, |row| list(row, real));
            format!("{{\"kind\": \"heat\", \"rows\": {rows}}}")
        }
        Mark::Arrow { name, from, to } => {
            let ends = format!("{}, \"to\": {}", point(from), point(to));
            named("arrow", name, "from", ends)
        }
    }
}

fn point((x, y): &(Real, Real)) -> String {
    format!("[{}, {}]", real(x), real(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Output, Shown};

    #[test]
    fn every_kind_of_value_is_json() {
        let float = |it| Value::Float(Real(it));
        let columns = vec!["n".to_owned(), "error".to_owned()];
        let rows = vec![vec![Value::Int(1), float(0.5)]];
        let plot = Plot {
            title: String::new(),
            x: Axis::default(),
            y: Axis::default(),
            equal: true,
            marks: vec![
                Mark::Arrow {
                    name: "v".into(),
                    from: (Real(0.0), Real(0.0)),
                    to: (Real(1.0), Real(2.0)),
                },
                Mark::Heat { rows: vec![vec![Real(1.0)]] },
            ],
        };
        let values = [
            ("Y", Value::List(vec![float(5.1), float(f64::NAN), float(1e-300)])),
            ("n", Value::Int(3)),
            ("t", Value::Table(Table { columns, rows })),
            ("w", Value::Text("a\"b".into())),
            ("p", Value::Plot(plot)),
        ];
        let shown = values.map(|(key, value)| Shown { key: key.into(), value }).into();
        let outputs = Outputs::from([("s1".to_owned(), Output { shown, failure: None })]);
        let text = values_json(&outputs);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["s1"]["t"][0]["error"], 0.5);
        assert_eq!(json["s1"]["p"]["marks"][0]["to"][1], 2.0);
        assert_eq!(json["s1"]["p"]["equal"], true);
        assert!(text.contains("\"Y\": [5.1, \"NaN\", 1e-300]"), "{text}");
    }
}
