//! What a snippet can print: typed values, tables and plots.
//!
//! A snippet says `show!("Y", y)`. When the book is built, every call becomes one record on
//! standard output, a line of JSON after [`MARK`], and the generator sets the value in the page.
//! When somebody runs the tangled package by hand, the same call prints readable text.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::{PanicHookInfo, catch_unwind};
use std::process::ExitCode;

#[cfg(feature = "nalgebra")]
mod matrix;

/// What every snippet can use without saying so.
pub mod prelude {
    pub use crate::{Plot, Show, plot, row, show, table};
}

/// What a snippet's body returns, so that `?` works in it.
pub type Outcome = Result<(), Box<dyn Error>>;

/// Begins a record. It is no character that text has.
const MARK: char = '\u{1}';

/// A value as it is printed.
#[derive(Clone, Debug)]
pub enum Value {
    /// A whole number.
    Int(i128),
    /// A double.
    Float(f64),
    /// A single, with the digits that a single needs.
    Single(f32),
    /// A truth value.
    Bool(bool),
    /// Text.
    Text(String),
    /// A list; a list of lists of one length is a matrix.
    List(Vec<Value>),
}

/// What `show!` takes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shown",
    label = "no number, text, truth value, vector or matrix",
    note = "`show!` takes numbers, `bool`, text, and slices, arrays, `Vec`s and matrices of them"
)]
pub trait Show {
    /// The value to print.
    fn to_value(&self) -> Value;
}

macro_rules! show_as {
    ($variant:ident($target:ty): $($kind:ty)*) => {
        $(impl Show for $kind {
            fn to_value(&self) -> Value {
                Value::$variant(<$target>::from(self.clone()))
            }
        })*
    };
}

show_as!(Int(i128): i8 i16 i32 i64 i128 u8 u16 u32 u64);
show_as!(Float(f64): f64);
show_as!(Single(f32): f32);
show_as!(Bool(bool): bool);
show_as!(Text(String): &str String char Cow<'_, str>);

impl Show for usize {
    fn to_value(&self) -> Value {
        Value::Int(*self as i128)
    }
}

impl Show for isize {
    fn to_value(&self) -> Value {
        Value::Int(*self as i128)
    }
}

impl Show for u128 {
    fn to_value(&self) -> Value {
        let int = i128::try_from(*self);
        Value::Int(int.unwrap_or_else(|_| {
            panic!("{self} is too large to show: whole numbers are below 2^127")
        }))
    }
}

impl Show for str {
    fn to_value(&self) -> Value {
        Value::Text(self.to_owned())
    }
}

impl Show for Value {
    fn to_value(&self) -> Value {
        self.clone()
    }
}

impl<T: Show> Show for &T {
    fn to_value(&self) -> Value {
        (**self).to_value()
    }
}

impl<T: Show> Show for &[T] {
    fn to_value(&self) -> Value {
        (**self).to_value()
    }
}

impl<T: Show> Show for [T] {
    fn to_value(&self) -> Value {
        Value::List(self.iter().map(Show::to_value).collect())
    }
}

impl<T: Show> Show for Vec<T> {
    fn to_value(&self) -> Value {
        self.as_slice().to_value()
    }
}

impl<T: Show, const N: usize> Show for [T; N] {
    fn to_value(&self) -> Value {
        self.as_slice().to_value()
    }
}

impl<A: Show, B: Show> Show for (A, B) {
    fn to_value(&self) -> Value {
        Value::List(vec![self.0.to_value(), self.1.to_value()])
    }
}

impl<A: Show, B: Show, C: Show> Show for (A, B, C) {
    fn to_value(&self) -> Value {
        Value::List(vec![self.0.to_value(), self.1.to_value(), self.2.to_value()])
    }
}

/// Prints a value under a key: `show!("Y", y)`.
#[macro_export]
macro_rules! show {
    ($key:expr, $value:expr $(,)?) => {
        $crate::print_value(&$key, $crate::Show::to_value(&$value), (file!(), line!()))
    };
}

/// Prints a table under a key: `table!("error", ["n", "error"], rows)`, where `rows` yields
/// `row![n, error]`, or tuples or arrays.
#[macro_export]
macro_rules! table {
    ($key:expr, $columns:expr, $rows:expr $(,)?) => {
        $crate::print_table(&$key, $columns, $rows, (file!(), line!()))
    };
}

/// One row of a `table!`.
#[macro_export]
macro_rules! row {
    ($($cell:expr),* $(,)?) => {
        ::std::vec![$($crate::Show::to_value(&$cell)),*]
    };
}

/// Prints a plot under a key: `plot!("curve", Plot::new("Softmax").line("p", points))`.
#[macro_export]
macro_rules! plot {
    ($key:expr, $plot:expr $(,)?) => {
        $crate::print_plot(&$key, $plot, (file!(), line!()))
    };
}

/// A row of a `table!`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a row of a table",
    label = "no row, but a cell or something else",
    note = "`table!` takes a list of rows, `[row![1, 0.5], row![2, 0.25]]`; a row may also be a tuple or an array of values that `show!` takes"
)]
pub trait Row {
    /// Its cells.
    fn cells(&self) -> Vec<Value>;
}

impl<T: Show> Row for [T] {
    fn cells(&self) -> Vec<Value> {
        self.iter().map(Show::to_value).collect()
    }
}

impl<T: Show> Row for Vec<T> {
    fn cells(&self) -> Vec<Value> {
        self.as_slice().cells()
    }
}

impl<T: Show, const N: usize> Row for [T; N] {
    fn cells(&self) -> Vec<Value> {
        self.as_slice().cells()
    }
}

impl<T: Row + ?Sized> Row for &T {
    fn cells(&self) -> Vec<Value> {
        (**self).cells()
    }
}

macro_rules! rows {
    ($($($name:ident)*;)*) => {
        $(impl<$($name: Show),*> Row for ($($name,)*) {
            #[expect(non_snake_case, reason = "a cell is named as its type")]
            fn cells(&self) -> Vec<Value> {
                let ($($name,)*) = self;
                vec![$($name.to_value()),*]
            }
        })*
    };
}

rows! { A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H; }

/// Where a snippet called.
type Place = (&'static str, u32);

#[doc(hidden)]
pub fn print_value<K: AsRef<str> + ?Sized>(key: &K, value: Value, place: Place) {
    let key = key.as_ref();
    if recorded() {
        return record("show", key, place, &json(&value));
    }
    match &value {
        Value::List(rows) if rows.iter().any(|it| matches!(it, Value::List(_))) => {
            println!("{key} =");
            rows.iter().for_each(|it| println!("  {}", text(it)));
        }
        _ => println!("{key} = {}", text(&value)),
    }
}

#[doc(hidden)]
#[track_caller]
pub fn print_table<K, C, R>(key: &K, columns: C, rows: R, place: Place)
where
    K: AsRef<str> + ?Sized,
    C: IntoIterator<Item: ToString>,
    R: IntoIterator<Item: Row>,
{
    let key = key.as_ref();
    let columns: Vec<String> = columns.into_iter().map(|it| it.to_string()).collect();
    let rows: Vec<Vec<Value>> = rows.into_iter().map(|it| it.cells()).collect();
    for (index, row) in rows.iter().enumerate() {
        let (cells, wanted) = (row.len(), columns.len());
        assert!(cells == wanted, "row {index} has {cells} cells, but there are {wanted} columns");
    }
    if recorded() {
        let rows = json(&Value::List(rows.into_iter().map(Value::List).collect()));
        let columns = strings(&columns);
        return record("table", key, place, &format!("{{\"columns\":{columns},\"rows\":{rows}}}"));
    }
    println!("{key}:\n  {}", columns.join(" | "));
    for row in rows {
        println!("  {}", row.iter().map(text).collect::<Vec<_>>().join(" | "));
    }
}

#[doc(hidden)]
pub fn print_plot<K: AsRef<str> + ?Sized>(key: &K, plot: Plot, place: Place) {
    let key = key.as_ref();
    if recorded() {
        return record("plot", key, place, &plot.json());
    }
    println!("{key}: plot \"{}\"", plot.title);
    plot.marks.iter().for_each(|it| println!("  {it}"));
}

/// A plot as data; the generator draws it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Plot {
    title: String,
    x: Axis,
    y: Axis,
    equal: bool,
    /// Each is a JSON object, ready for the record.
    marks: Vec<String>,
}

#[derive(Clone, Debug, Default)]
struct Axis {
    label: String,
    log: bool,
    names: Vec<String>,
}

impl Plot {
    /// A plot without axes' labels and marks. The title may be empty.
    pub fn new(title: impl Into<String>) -> Self {
        let (x, y) = (Axis::default(), Axis::default());
        Self { title: title.into(), x, y, equal: false, marks: Vec::new() }
    }

    /// Label of the horizontal axis, with its unit.
    pub fn x(mut self, label: impl Into<String>) -> Self {
        self.x.label = label.into();
        self
    }

    /// Label of the vertical axis, with its unit.
    pub fn y(mut self, label: impl Into<String>) -> Self {
        self.y.label = label.into();
        self
    }

    /// A logarithmic horizontal axis.
    pub fn x_log(mut self) -> Self {
        self.x.log = true;
        self
    }

    /// A logarithmic vertical axis.
    pub fn y_log(mut self) -> Self {
        self.y.log = true;
        self
    }

    /// A unit as long across as up, so that circles are round; arrows ask for it too.
    pub fn equal(mut self) -> Self {
        self.equal = true;
        self
    }

    /// Names along the horizontal axis: categories of bars, columns of a heat map.
    pub fn x_names<N: ToString>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.x.names = names.into_iter().map(|it| it.to_string()).collect();
        self
    }

    /// Names along the vertical axis: rows of a heat map, from the top.
    pub fn y_names<N: ToString>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.y.names = names.into_iter().map(|it| it.to_string()).collect();
        self
    }

    /// Points joined by a line. A point that is not finite breaks the line.
    pub fn line<P: Point>(self, name: &str, points: impl IntoIterator<Item = P>) -> Self {
        self.mark("line", &[("name", quoted(name)), ("points", json_points(points))])
    }

    /// Points alone.
    pub fn scatter<P: Point>(self, name: &str, points: impl IntoIterator<Item = P>) -> Self {
        self.mark("scatter", &[("name", quoted(name)), ("points", json_points(points))])
    }

    /// Bars, one for each name of the horizontal axis.
    pub fn bars<N: Number>(self, name: &str, heights: impl IntoIterator<Item = N>) -> Self {
        let heights = heights.into_iter().map(|it| Value::Float(it.number())).collect();
        self.mark("bars", &[("name", quoted(name)), ("heights", json(&Value::List(heights)))])
    }

    /// A matrix as a grid of shades, row 0 on top.
    #[track_caller]
    pub fn heat(self, matrix: &(impl Show + ?Sized)) -> Self {
        let Value::List(rows) = matrix.to_value() else { panic!("`heat` takes a matrix") };
        let length = |row: &Value| match row {
            Value::List(cells) => cells.len(),
            _ => panic!("`heat` takes a matrix; a vector is a matrix of one row, `&[row]`"),
        };
        let even = rows.windows(2).all(|it| length(&it[0]) == length(&it[1]));
        assert!(even && rows.first().is_some_and(|it| length(it) > 0), "`heat` takes a matrix");
        self.mark("heat", &[("rows", json(&Value::List(rows)))])
    }

    /// An arrow from a point to a point, with a text at its tip.
    pub fn arrow(self, name: &str, from: impl Point, to: impl Point) -> Self {
        let (from, to) = (json_point(&from), json_point(&to));
        self.mark("arrow", &[("name", quoted(name)), ("from", from), ("to", to)])
    }

    fn mark(mut self, kind: &str, fields: &[(&str, String)]) -> Self {
        let mut out = format!("{{\"kind\":\"{kind}\"");
        for (name, value) in fields {
            let _ = write!(out, ",\"{name}\":{value}");
        }
        out.push('}');
        self.marks.push(out);
        self
    }

    fn json(&self) -> String {
        let axis = |it: &Axis| {
            let (label, names) = (quoted(&it.label), strings(&it.names));
            format!("{{\"label\":{label},\"log\":{},\"names\":{names}}}", it.log)
        };
        let (title, x, y) = (quoted(&self.title), axis(&self.x), axis(&self.y));
        let (equal, marks) = (self.equal, self.marks.join(","));
        format!(
            "{{\"title\":{title},\"x\":{x},\"y\":{y},\"equal\":{equal},\"marks\":[{marks}]}}"
        )
    }
}

/// A coordinate or a height.
pub trait Number {
    /// The number as a double.
    fn number(&self) -> f64;
}

macro_rules! numbers {
    ($($kind:ty)*) => {
        $(impl Number for $kind {
            fn number(&self) -> f64 {
                *self as f64
            }
        })*
    };
}

numbers!(f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl<T: Number> Number for &T {
    fn number(&self) -> f64 {
        (**self).number()
    }
}

/// A point of the plane.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a point",
    label = "no pair of numbers",
    note = "a plot takes points `(x, y)`, as `xs.zip(ys)` yields"
)]
pub trait Point {
    /// Both coordinates.
    fn point(&self) -> (f64, f64);
}

impl<X: Number, Y: Number> Point for (X, Y) {
    fn point(&self) -> (f64, f64) {
        (self.0.number(), self.1.number())
    }
}

impl<X: Number> Point for [X; 2] {
    fn point(&self) -> (f64, f64) {
        (self[0].number(), self[1].number())
    }
}

impl<P: Point> Point for &P {
    fn point(&self) -> (f64, f64) {
        (**self).point()
    }
}

fn json_point(point: &impl Point) -> String {
    let (x, y) = point.point();
    format!("[{},{}]", json(&Value::Float(x)), json(&Value::Float(y)))
}

fn json_points<P: Point>(points: impl IntoIterator<Item = P>) -> String {
    let points: Vec<String> = points.into_iter().map(|it| json_point(&it)).collect();
    format!("[{}]", points.join(","))
}

/// A whole number of JSON is an `Int` (`{"int":"…"}` if it is too large for most readers). A string
/// is a `Float`, in the fewest digits that give the same bits, or `NaN`, `inf`, `-inf`. Text is
/// `{"text":"…"}`.
fn json(value: &Value) -> String {
    match value {
        Value::Int(it) if i64::try_from(*it).is_ok() => it.to_string(),
        Value::Int(it) => format!("{{\"int\":\"{it}\"}}"),
        Value::Float(it) => format!("\"{it:?}\""),
        Value::Single(it) => format!("\"{it:?}\""),
        Value::Bool(it) => it.to_string(),
        Value::Text(it) => format!("{{\"text\":{}}}", quoted(it)),
        Value::List(items) => {
            format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(","))
        }
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Int(it) => it.to_string(),
        Value::Float(it) => format!("{it:?}"),
        Value::Single(it) => format!("{it:?}"),
        Value::Bool(it) => it.to_string(),
        Value::Text(it) => it.clone(),
        Value::List(items) => {
            format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn strings(list: &[String]) -> String {
    format!("[{}]", list.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(","))
}

/// Ends the process if it outlives whoever started it and should have stopped it.
fn end_in_time() {
    let limit = std::env::var("RECKONER_RECORDS").ok().and_then(|it| it.parse().ok());
    let limit = std::time::Duration::from_secs(limit.unwrap_or(60));
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        std::process::abort();
    });
}

/// Whether the generator runs the snippet.
fn recorded() -> bool {
    std::env::var_os("RECKONER_RECORDS").is_some()
}

fn record(kind: &str, key: &str, (file, line): Place, value: &str) {
    let (key, file) = (quoted(key), quoted(file));
    write_record(&format!(
        "{{\"kind\":\"{kind}\",\"key\":{key},\"file\":{file},\"line\":{line},\"value\":{value}}}"
    ));
}

/// Writes the record on a line of its own, whatever the snippet has printed before.
fn write_record(record: &str) {
    let mut out = std::io::stdout().lock();
    // Nobody is left to tell if the pipe is gone.
    let _ = out.write_all(format!("\n{MARK}{record}\n").as_bytes()).and_then(|()| out.flush());
}

/// Tells where a snippet panicked; if that is inside of a library, also who called it.
fn on_panic(info: &PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("a value that is not text");
    let (file, line, column) =
        info.location().map_or(("", 0, 0), |it| (it.file(), it.line(), it.column()));
    let mut frames = vec![frame(file, line, column)];
    if !file.starts_with("src/") {
        frames.extend(callers(&std::backtrace::Backtrace::force_capture().to_string()));
    }
    let (message, frames) = (quoted(message), frames.join(","));
    write_record(&format!("{{\"kind\":\"panic\",\"message\":{message},\"frames\":[{frames}]}}"));
}

fn frame(file: &str, line: u32, column: u32) -> String {
    format!("{{\"file\":{},\"line\":{line},\"column\":{column}}}", quoted(file))
}

/// The places of a backtrace that are in the book's own code: `at /…/src/bin/a/b.rs:12:5`.
fn callers(backtrace: &str) -> Vec<String> {
    let place = |line: &str| {
        let mut parts = line.trim().strip_prefix("at ")?.rsplitn(3, ':');
        let column = parts.next()?.parse().ok()?;
        let line = parts.next()?.parse().ok()?;
        Some(frame(own(parts.next()?)?, line, column))
    };
    backtrace.lines().filter_map(place).collect()
}

/// The path of a file of the book. The folder that it was compiled in is named by a fingerprint.
fn own(file: &str) -> Option<&str> {
    let is_print = |it: &str| it.len() == 32 && it.chars().all(|it| it.is_ascii_hexdigit());
    let folder = |at: usize| file[..at].rsplit('/').next().unwrap_or_default();
    let mut found = file.match_indices("/src/").filter(|it| is_print(folder(it.0)));
    found.next().map(|it| &file[it.0 + 1..])
}

/// Runs the snippet that the first argument names, or else all of them one after the other.
pub fn main(snippets: &[(&str, fn() -> Outcome)]) -> ExitCode {
    if recorded() {
        std::panic::set_hook(Box::new(on_panic));
        end_in_time();
    }
    let wanted = std::env::args().nth(1);
    let chosen: Vec<_> =
        snippets.iter().filter(|it| wanted.as_deref().is_none_or(|id| id == it.0)).collect();
    let mut code = 0;
    for (id, body) in &chosen {
        if !recorded() {
            println!("\n── {id} ──");
        }
        code = code.max(finish(catch_unwind(*body)));
    }
    if chosen.is_empty() {
        eprintln!("there is no such snippet; there are:");
        snippets.iter().for_each(|it| eprintln!("  {}", it.0));
        code = 2;
    }
    ExitCode::from(code)
}

fn finish(outcome: std::thread::Result<Outcome>) -> u8 {
    match outcome {
        Ok(Ok(())) if recorded() => write_record("{\"kind\":\"end\"}"),
        Ok(Ok(())) => {}
        Ok(Err(error)) if recorded() => {
            let message = quoted(&error.to_string());
            write_record(&format!("{{\"kind\":\"error\",\"message\":{message}}}"));
            return 1;
        }
        Ok(Err(error)) => {
            eprintln!("error: {error}");
            return 1;
        }
        Err(_) => return 101,
    }
    0
}
