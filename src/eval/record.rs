//! What a program printed to records: typed values, and how it failed.

use serde::Deserialize;
use serde_json::Value as Json;

use crate::value::{Axis, Mark, Plot, Real, Table, Value};

/// Begins a record; see the prelude.
const MARK: char = '\u{1}';

/// What a program told through the prelude.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Records {
    /// Keys and values in the order in which they were shown, each with its place.
    pub(super) shown: Vec<(String, Value, At)>,
    /// The last panic: message, and the place with its callers.
    pub(super) panic: Option<(String, Vec<At>)>,
    /// The error that the body returned.
    pub(super) error: Option<String>,
    /// Whether the body came to its end.
    pub(super) ended: bool,
    /// Other text on standard output.
    pub(super) stray: String,
    /// Records that cannot be read; the prelude writes none.
    pub(super) broken: usize,
}

/// A place in a file of the package; column 0 if only the line is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct At {
    pub(super) file: String,
    pub(super) line: u32,
    #[serde(default)]
    pub(super) column: u32,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Record {
    Show(Keyed),
    Table(Keyed),
    Plot(Keyed),
    Panic { message: String, frames: Vec<At> },
    Error { message: String },
    End,
}

#[derive(Deserialize)]
struct Keyed {
    key: String,
    file: String,
    line: u32,
    value: Json,
}

/// Reads standard output.
pub(super) fn records(stdout: &str) -> Records {
    let mut out = Records::default();
    for line in stdout.lines() {
        let Some(record) = line.strip_prefix(MARK) else {
            out.stray.push_str(line);
            continue;
        };
        if read(record, &mut out).is_none() {
            out.broken += 1;
        }
    }
    out
}

/// Whether two runs of a program showed the same, whatever else they printed.
pub(super) fn same(first: &str, second: &str) -> bool {
    let (first, second) = (records(first), records(second));
    (first.shown, first.ended) == (second.shown, second.ended)
}

fn read(record: &str, out: &mut Records) -> Option<()> {
    let (keyed, value) = match serde_json::from_str(record).ok()? {
        Record::Show(it) => {
            let value = scalar_or_list(&it.value)?;
            (it, value)
        }
        Record::Table(it) => {
            let value = Value::Table(table(&it.value)?);
            (it, value)
        }
        Record::Plot(it) => {
            let value = Value::Plot(plot(&it.value)?);
            (it, value)
        }
        Record::Panic { message, frames } => {
            out.panic = Some((message, frames));
            return Some(());
        }
        Record::Error { message } => {
            out.error = Some(message);
            return Some(());
        }
        Record::End => {
            out.ended = true;
            return Some(());
        }
    };
    out.shown.push((keyed.key, value, At { file: keyed.file, line: keyed.line, column: 0 }));
    Some(())
}

fn scalar_or_list(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Number(it) => Value::Int(it.as_i64()?.into()),
        Json::String(_) => Value::Float(real(json)?),
        Json::Bool(it) => Value::Bool(*it),
        Json::Array(items) => Value::List(list(items, scalar_or_list)?),
        Json::Object(it) => match (it.get("int"), it.get("text")) {
            (Some(int), _) => Value::Int(int.as_str()?.parse().ok()?),
            (None, Some(text)) => Value::Text(text.as_str()?.to_owned()),
            (None, None) => return None,
        },
        Json::Null => return None,
    })
}

/// Numbers with a point are strings, since a string keeps every digit in every reader.
fn real(json: &Json) -> Option<Real> {
    json.as_str()?.parse().ok().map(Real)
}

/// A coordinate of a plot: any number.
fn coordinate(json: &Json) -> Option<Real> {
    match scalar_or_list(json)? {
        Value::Bool(it) => Some(Real(f64::from(u8::from(it)))),
        other => other.as_f64().map(Real),
    }
}

fn list<T>(items: &[Json], one: fn(&Json) -> Option<T>) -> Option<Vec<T>> {
    items.iter().map(one).collect()
}

fn strings(json: &Json) -> Option<Vec<String>> {
    list(json.as_array()?, |it| it.as_str().map(str::to_owned))
}

fn table(json: &Json) -> Option<Table> {
    let columns = strings(json.get("columns")?)?;
    let row = |it: &Json| list(it.as_array()?, scalar_or_list);
    let rows = list(json.get("rows")?.as_array()?, row)?;
    rows.iter().all(|it| it.len() == columns.len()).then_some(Table { columns, rows })
}

fn plot(json: &Json) -> Option<Plot> {
    let text = |key: &str| Some(json.get(key)?.as_str()?.to_owned());
    let axis = |key: &str| {
        let axis = json.get(key)?;
        Some(Axis {
            label: axis.get("label")?.as_str()?.to_owned(),
            log: axis.get("log")?.as_bool()?,
            names: strings(axis.get("names")?)?,
        })
    };
    let marks = list(json.get("marks")?.as_array()?, mark)?;
    let equal = json.get("equal")?.as_bool()?;
    Some(Plot { title: text("title")?, x: axis("x")?, y: axis("y")?, equal, marks })
}

fn mark(json: &Json) -> Option<Mark> {
    let name = || Some(json.get("name")?.as_str()?.to_owned());
    let points = || list(json.get("points")?.as_array()?, point);
    let numbers = |json: &Json| list(json.as_array()?, coordinate);
    Some(match json.get("kind")?.as_str()? {
        "line" => Mark::Line { name: name()?, points: points()? },
        "scatter" => Mark::Scatter { name: name()?, points: points()? },
        "bars" => Mark::Bars { name: name()?, heights: numbers(json.get("heights")?)? },
        "histogram" => {
            let (edges, counts) = (numbers(json.get("edges")?)?, numbers(json.get("counts")?)?);
            let fits = edges.len() == counts.len() + 1 || edges.len() + counts.len() == 0;
            fits.then_some(Mark::Histogram { name: name()?, edges, counts })?
        }
        "heat" => Mark::Heat { rows: list(json.get("rows")?.as_array()?, numbers)? },
        "arrow" => Mark::Arrow {
            name: name()?,
            from: point(json.get("from")?)?,
            to: point(json.get("to")?)?,
        },
        _ => return None,
    })
}

fn point(json: &Json) -> Option<(Real, Real)> {
    match &json.as_array()?[..] {
        [x, y] => Some((coordinate(x)?, coordinate(y)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(value: &str) -> Value {
        let line = format!(
            "\n\u{1}{{\"kind\":\"show\",\"key\":\"k\",\"file\":\"f\",\"line\":3,\"value\":{value}}}\n"
        );
        let records = records(&line);
        assert_eq!((records.broken, records.stray.as_str()), (0, ""));
        records.shown[0].1.clone()
    }

    #[test]
    fn values_keep_type_and_every_digit() {
        let float = |it| Value::Float(Real(it));
        for (json, value) in [
            ("5", Value::Int(5)),
            ("\"5.0\"", float(5.0)),
            ("{\"int\":\"170141183460469231731687303715884105727\"}", Value::Int(i128::MAX)),
            ("\"0.1\"", float(0.1)),
            ("\"2.225073858507201e-308\"", float(2.225073858507201e-308)),
            ("\"-0.0\"", float(-0.0)),
            ("\"inf\"", float(f64::INFINITY)),
            ("{\"text\":\"5\"}", Value::Text("5".into())),
            ("[true,[]]", Value::List(vec![Value::Bool(true), Value::List(vec![])])),
        ] {
            assert_eq!(show(json), value, "{json}");
        }
        assert!(matches!(show("\"NaN\""), Value::Float(Real(it)) if it.is_nan()));
    }

    #[test]
    fn text_beside_records_is_told_apart() {
        let records = records("hello\n\n\u{1}{\"kind\":\"end\"}\n\u{1}nonsense\n");
        assert_eq!((records.stray.as_str(), records.ended, records.broken), ("hello", true, 1));
    }
}
