//! The text of `outputs.lock` to outputs.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use super::{HELP, VERSION};
use crate::diag::Diagnostic;
use crate::eval::{Shown, codes, marks};
use crate::source::{Source, Span};
use crate::value::{Axis, Plot, Real, Table, Value};

/// What the file holds of one program.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) shown: Vec<Shown>,
    /// Where it stands in the file.
    pub(super) place: Span,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "version")]
    _version: u32,
    #[serde(default, rename = "snippet")]
    snippets: Vec<Snippet>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Snippet {
    id: Spanned<String>,
    key: String,
    shown: Vec<Spanned<Kept>>,
}

/// A scalar or a list under `value`; a table under `columns` and `rows`; else a plot.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    key: String,
    value: Option<Cell>,
    columns: Option<Vec<String>>,
    rows: Option<Vec<Vec<Cell>>>,
    title: Option<String>,
    x: Option<KeptAxis>,
    y: Option<KeptAxis>,
    equal: Option<bool>,
    marks: Option<Vec<KeptMark>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptAxis {
    label: String,
    log: bool,
    names: Vec<String>,
}

#[derive(Deserialize)]
struct KeptMark {
    kind: String,
    name: String,
    #[serde(flatten)]
    rows: BTreeMap<String, Vec<Vec<f64>>>,
}

/// A scalar or a list.
struct Cell(Value);

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(OfCell)
    }
}

struct OfCell;

impl<'de> Visitor<'de> for OfCell {
    type Value = Cell;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, text, a truth value or a list")
    }

    fn visit_i64<E: de::Error>(self, it: i64) -> Result<Cell, E> {
        Ok(Cell(Value::Int(it.into())))
    }

    fn visit_f64<E: de::Error>(self, it: f64) -> Result<Cell, E> {
        Ok(Cell(Value::Float(real(it))))
    }

    fn visit_bool<E: de::Error>(self, it: bool) -> Result<Cell, E> {
        Ok(Cell(Value::Bool(it)))
    }

    fn visit_str<E: de::Error>(self, it: &str) -> Result<Cell, E> {
        Ok(Cell(Value::Text(it.to_owned())))
    }

    fn visit_string<E: de::Error>(self, it: String) -> Result<Cell, E> {
        Ok(Cell(Value::Text(it)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Cell, A::Error> {
        let mut list = Vec::with_capacity(items.size_hint().unwrap_or_default());
        while let Some(Cell(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Cell(Value::List(list)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Cell, A::Error> {
        let wrong = || de::Error::custom("a large whole number is written `{ int = \"…\" }`");
        let (name, digits) = map.next_entry::<String, String>()?.ok_or_else(wrong)?;
        let int = digits.parse().ok().filter(|_| name == "int");
        Ok(Cell(Value::Int(int.ok_or_else(wrong)?)))
    }
}

/// There is one NaN, as there is one way to show it.
fn real(number: f64) -> Real {
    Real(if number.is_nan() { f64::NAN } else { number })
}

/// Reads the file; `None`, and a message at its line, if that cannot be done.
pub(super) fn read(source: &Source, out: &mut Vec<Diagnostic>) -> Option<BTreeMap<String, Entry>> {
    let told = file(source).and_then(|it| entries(it, source));
    told.map_err(|fault| out.push(fault)).ok()
}

fn fault(source: &Source, span: Span, message: String) -> Diagnostic {
    Diagnostic::error(codes::LOCK_FILE, source.place(span), message).help(HELP)
}

fn file(source: &Source) -> Result<File, Diagnostic> {
    let line = |mark: &str| {
        let found = source.text.match_indices(mark);
        let mut starts = found.filter(|it| it.0 == 0 || source.text[..it.0].ends_with('\n'));
        let start = starts.next()?.0;
        let length = source.text[start..].find('\n').unwrap_or(source.text.len() - start);
        Some(Span::new(start, start + length))
    };
    for mark in ["<<<<<<< ", ">>>>>>> ", "=======\n"] {
        if let Some(span) = line(mark) {
            let message = "`outputs.lock` has the marks of a merge that is not finished".into();
            return Err(fault(source, span, message));
        }
    }
    let version = line("version = ");
    let of = |it: Span| source.slice(it).trim_start_matches("version = ").trim().to_owned();
    match version.map(|it| (it, of(it))) {
        Some((_, version)) if version == VERSION.to_string() => {}
        Some((span, version)) => {
            let message = format!(
                "`outputs.lock` is of version {version}; this program knows version {VERSION}"
            );
            return Err(fault(source, span, message));
        }
        None => {
            let message = "`outputs.lock` does not say its version".into();
            return Err(fault(source, Span::new(0, 0), message));
        }
    }
    toml::from_str(&source.text).map_err(|error| {
        let end = source.text.trim_end().len();
        let span = error
            .span()
            .map_or(Span::new(0, 0), |it| Span::new(it.start.min(end), it.end.min(end)));
        let why = error.message().lines().next().unwrap_or_default();
        fault(source, span, format!("`outputs.lock` cannot be read: {why}"))
    })
}

fn entries(file: File, source: &Source) -> Result<BTreeMap<String, Entry>, Diagnostic> {
    let mut out = BTreeMap::new();
    for snippet in file.snippets {
        let place = Span::from(snippet.id.span());
        let id = snippet.id.into_inner();
        let mut shown = Vec::with_capacity(snippet.shown.len());
        for kept in snippet.shown {
            let span = Span::from(kept.span());
            let (key, value) = value(kept.into_inner());
            let wrong =
                || fault(source, span, format!("`{key}` is neither a value, a table nor a plot"));
            shown.push(Shown { value: value.ok_or_else(wrong)?, key });
        }
        if out.insert(id.clone(), Entry { key: snippet.key, shown, place }).is_some() {
            return Err(fault(source, place, format!("`outputs.lock` has `{id}` twice")));
        }
    }
    Ok(out)
}

fn value(kept: Kept) -> (String, Option<Value>) {
    let Kept { key, value, columns, rows, title, x, y, equal, marks } = kept;
    let table = columns.zip(rows).and_then(|(columns, rows)| {
        let row = |it: Vec<Cell>| it.into_iter().map(|it| it.0).collect::<Vec<_>>();
        let rows: Vec<_> = rows.into_iter().map(row).collect();
        let fits = rows.iter().all(|it| it.len() == columns.len());
        fits.then_some(Value::Table(Table { columns, rows }))
    });
    let axis = |it: KeptAxis| Axis { label: it.label, log: it.log, names: it.names };
    let plot = || {
        let marks = marks?.into_iter().map(mark).collect::<Option<_>>()?;
        let (x, y) = (axis(x?), axis(y?));
        Some(Value::Plot(Plot { title: title?, x, y, equal: equal?, marks }))
    };
    (key, value.map(|it| it.0).or(table).or_else(plot))
}

fn mark(kept: KeptMark) -> Option<crate::value::Mark> {
    let mut rows = kept.rows;
    marks::mark(&kept.kind, kept.name, |name| {
        let rows = rows.remove(name)?;
        Some(rows.into_iter().map(|it| it.into_iter().map(real).collect()).collect())
    })
}
