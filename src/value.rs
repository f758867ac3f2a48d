//! Typed results of snippets: what a value is, how it is found by path and how it is written.
//!
//! Both renderers write a value through [`Value::written`] and [`Format`], so a number looks the
//! same on a page and in print.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A floating-point number that is equal to, and hashes like, its bits.
#[derive(Clone, Copy, Debug)]
pub struct Real(pub f64);

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Real {}

impl Hash for Real {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// What a snippet showed under one key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A whole number, exact.
    Int(i128),
    /// A double.
    Float(Real),
    /// A truth value.
    Bool(bool),
    /// Text.
    Text(String),
    /// A list. A list of numbers is a vector; a list of vectors of one length is a matrix.
    List(Vec<Value>),
    /// A table with a name for each column.
    Table(Table),
    /// A plot, as data.
    Plot(Plot),
}

/// Rows of cells under named columns. Every row has as many cells as there are columns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table {
    /// Names of the columns. May hold `$…$`.
    pub columns: Vec<String>,
    /// The rows. A cell is a scalar.
    pub rows: Vec<Vec<Value>>,
}

/// A plot as data; each renderer draws it with its own means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Plot {
    /// Its title; may be empty.
    pub title: String,
    /// Label of the horizontal axis.
    pub x: Axis,
    /// Label of the vertical axis.
    pub y: Axis,
    /// What is drawn.
    pub marks: Vec<Mark>,
}

/// An axis of a plot.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Axis {
    /// Its label with unit.
    pub label: String,
    /// Whether it is logarithmic.
    pub log: bool,
    /// Names of categories or of heat-map rows and columns; empty for a numeric axis.
    pub names: Vec<String>,
}

/// One thing drawn in a plot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Points joined by a line.
    Line {
        /// Name in the legend.
        name: String,
        /// The points; a point that is not finite breaks the line.
        points: Vec<(Real, Real)>,
    },
    /// Points alone.
    Scatter {
        /// Name in the legend.
        name: String,
        /// The points.
        points: Vec<(Real, Real)>,
    },
    /// One bar for each name of the horizontal axis.
    Bars {
        /// Name in the legend.
        name: String,
        /// Heights.
        heights: Vec<Real>,
    },
    /// A matrix as a grid of shades; row 0 on top.
    Heat {
        /// The rows, all of one length.
        rows: Vec<Vec<Real>>,
    },
    /// An arrow from a point to a point, for vectors in the plane.
    Arrow {
        /// Text at its tip.
        name: String,
        /// Tail.
        from: (Real, Real),
        /// Tip.
        to: (Real, Real),
    },
}

/// How a number is to be written: `:.3` has 3 decimals, `:3e` three significant digits with a
/// power of ten, `:,` groups of thousands, none 6 significant digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Format {
    /// Digits after the point.
    pub decimals: Option<u8>,
    /// Significant digits, if `decimals` is not given.
    pub significant: Option<u8>,
    /// Whether to write a power of ten always.
    pub scientific: bool,
    /// Whether to write as per cent.
    pub percent: bool,
}

impl Format {
    /// Reads what stands after the colon: ``, `.3`, `4`, `3e`, `,`, `.1%`.
    ///
    /// # Errors
    /// A message, when `text` is not of this form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let bad = || format!("`{text}` is not a number format; use `.3`, `4`, `3e`, `.1%` or `,`");
        let mut format = Self::default();
        // Thousands are grouped always, so `,` asks for what is done anyway.
        let mut rest = text.strip_prefix(',').unwrap_or(text);
        if let Some(left) = rest.strip_suffix('%') {
            (format.percent, rest) = (true, left);
        }
        if let Some(left) = rest.strip_suffix('e') {
            (format.scientific, rest) = (true, left);
        }
        let digits = |it: &str| it.parse().ok().filter(|it: &u8| *it <= 20).ok_or_else(bad);
        if let Some(left) = rest.strip_prefix('.') {
            format.decimals = Some(digits(left)?);
        } else if !rest.is_empty() {
            format.significant = Some(digits(rest)?.max(1));
        }
        Ok(format)
    }
}

/// One step of a path into a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// `[3]`: element, from 0.
    Index(usize),
    /// `["name"]`: the column of a table.
    Name(String),
}

/// A number taken apart, so that a renderer can set it as text or as maths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number {
    /// Whether it is negative.
    pub negative: bool,
    /// Digits before the point in groups of three, or `NaN` or `∞` alone.
    pub whole: Vec<String>,
    /// Digits after the point; may be empty.
    pub decimals: String,
    /// The power of ten.
    pub exponent: Option<i32>,
    /// Whether `%` follows.
    pub percent: bool,
}

/// A value taken apart for display.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Written {
    /// A number.
    Number(Number),
    /// A word or text.
    Text(String),
    /// A vector or a matrix: its rows.
    Matrix(Vec<Vec<Written>>),
    /// A list of lists of unequal length, or deeper than a matrix.
    List(Vec<Written>),
}

impl Value {
    /// The part of the value at `path`.
    ///
    /// # Errors
    /// A message that says which step has no element and what there is.
    pub fn at(&self, path: &[Step]) -> Result<&Value, String> {
        let Some((step, rest)) = path.split_first() else { return Ok(self) };
        match (self, step) {
            (Value::List(items), Step::Index(index)) => match items.get(*index) {
                Some(item) => item.at(rest),
                None => Err(format!("there is no element [{index}]: the list has {}", items.len())),
            },
            (Value::Table(table), Step::Index(index)) => match (table.rows.get(*index), rest) {
                (None, _) => {
                    Err(format!("there is no row [{index}]: the table has {}", table.rows.len()))
                }
                (Some(row), [Step::Index(column), rest @ ..]) => match row.get(*column) {
                    Some(cell) => cell.at(rest),
                    None => Err(format!("there is no column [{column}] in the table")),
                },
                (Some(row), [Step::Name(name), rest @ ..]) => {
                    match table.columns.iter().position(|it| it == name) {
                        Some(column) => row[column].at(rest),
                        None => Err(format!(
                            "the table has no column `{name}`; it has {}",
                            table.columns.join(", ")
                        )),
                    }
                }
                (Some(_), []) => Err("a row of a table is not a value; name a column too".into()),
            },
            (_, Step::Index(index)) => Err(format!("[{index}] of a value that is not a list")),
            (_, Step::Name(name)) => Err(format!("[\"{name}\"] of a value that is not a table")),
        }
    }

    /// Rows and columns, if the value is a matrix: equal rows of numbers.
    pub fn shape(&self) -> Option<(usize, usize)> {
        let Value::List(rows) = self else { return None };
        let width = |row: &Value| match row {
            Value::List(cells) if cells.iter().all(Value::is_number) => Some(cells.len()),
            _ => None,
        };
        let first = width(rows.first()?)?;
        rows.iter().all(|it| width(it) == Some(first)).then_some((rows.len(), first))
    }

    /// Whether it is one number.
    pub fn is_number(&self) -> bool {
        matches!(self, Value::Int(_) | Value::Float(_))
    }

    /// As a number, exact for whole numbers below 2⁵³.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(int) => Some(*int as f64),
            Value::Float(real) => Some(real.0),
            Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Table(_) | Value::Plot(_) => {
                None
            }
        }
    }

    /// The value taken apart for display; `None` for tables and plots, which are blocks of their
    /// own.
    pub fn written(&self, format: Format) -> Option<Written> {
        Some(match self {
            Value::Int(int) => Written::Number(whole(*int, format)),
            Value::Float(real) => Written::Number(number(real.0, format)),
            Value::Bool(truth) => Written::Text(truth.to_string()),
            Value::Text(text) => Written::Text(text.clone()),
            Value::List(items) => {
                let parts = |it: &[Value]| it.iter().map(|it| it.written(format)).collect();
                if !items.is_empty() && items.iter().all(Value::is_number) {
                    Written::Matrix(vec![parts(items)?])
                } else if self.shape().is_some() {
                    let row = |row: &Value| match row {
                        Value::List(cells) => parts(cells),
                        _ => None,
                    };
                    Written::Matrix(items.iter().map(row).collect::<Option<_>>()?)
                } else {
                    Written::List(parts(items)?)
                }
            }
            Value::Table(_) | Value::Plot(_) => return None,
        })
    }
}

impl Number {
    /// As Unicode text: `−1 234.5×10⁻³` with thin spaces between groups.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if self.negative {
            out.push('−');
        }
        out.push_str(&self.whole.join("\u{202f}"));
        if !self.decimals.is_empty() {
            out.push('.');
            out.push_str(&self.decimals);
        }
        if let Some(exponent) = self.exponent {
            out.push_str("×10");
            for c in exponent.to_string().chars() {
                out.push(match c {
                    '-' => '⁻',
                    c => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']
                        [c.to_digit(10).expect("a written integer has digits only") as usize],
                });
            }
        }
        if self.percent {
            out.push_str("\u{202f}%");
        }
        out
    }

    /// As TeX: `-1\,234.5\times 10^{-3}`.
    pub fn tex(&self) -> String {
        let mut out = String::new();
        if self.negative {
            out.push('-');
        }
        match &self.whole[..] {
            [one] if one == "∞" => out.push_str("\\infty"),
            [one] if one == "NaN" => out.push_str("\\text{NaN}"),
            groups => out.push_str(&groups.join("\\,")),
        }
        if !self.decimals.is_empty() {
            out.push('.');
            out.push_str(&self.decimals);
        }
        if let Some(exponent) = self.exponent {
            out.push_str(&format!("\\times 10^{{{exponent}}}"));
        }
        if self.percent {
            out.push_str("\\,\\%");
        }
        out
    }
}

impl Written {
    /// As Unicode text on one line.
    pub fn text(&self) -> String {
        let join = |it: &[Written]| it.iter().map(Written::text).collect::<Vec<_>>().join(", ");
        match self {
            Written::Number(number) => number.text(),
            Written::Text(text) => text.clone(),
            Written::Matrix(rows) if rows.len() == 1 => format!("[{}]", join(&rows[0])),
            Written::Matrix(rows) => {
                let rows: Vec<_> = rows.iter().map(|it| format!("[{}]", join(it))).collect();
                format!("[{}]", rows.join(", "))
            }
            Written::List(items) => format!("[{}]", join(items)),
        }
    }

    /// As TeX, for a value inside a formula.
    pub fn tex(&self) -> String {
        let tex = |with: &str, items: &[Written]| {
            items.iter().map(Written::tex).collect::<Vec<_>>().join(with)
        };
        match self {
            Written::Number(number) => number.tex(),
            Written::Text(text) => format!("\\text{{{}}}", escape_tex(text)),
            Written::Matrix(rows) => {
                let rows: Vec<_> = rows.iter().map(|it| tex(" & ", it)).collect();
                format!("\\begin{{bmatrix}}{}\\end{{bmatrix}}", rows.join(" \\\\ "))
            }
            Written::List(items) => format!("\\left[{}\\right]", tex(",\\ ", items)),
        }
    }
}

/// Writes text so that TeX's text mode shows it as it is.
pub fn escape_tex(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => out.extend(['\\', c]),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            c => out.push(c),
        }
    }
    out
}

fn whole(int: i128, format: Format) -> Number {
    if format.scientific || format.percent || format.decimals.is_some() {
        return number(int as f64, format);
    }
    let digits = int.unsigned_abs().to_string();
    Number {
        negative: int < 0,
        whole: groups(&digits),
        decimals: String::new(),
        exponent: None,
        percent: false,
    }
}

fn number(value: f64, format: Format) -> Number {
    let alone = |word: &str| Number {
        negative: value < 0.0,
        whole: vec![word.into()],
        decimals: String::new(),
        exponent: None,
        percent: false,
    };
    if value.is_nan() {
        return alone("NaN");
    }
    if value.is_infinite() {
        return alone("∞");
    }
    let scaled = if format.percent { value * 100.0 } else { value };
    let mut out = match (format.decimals, format.scientific) {
        (Some(decimals), false) => fixed(scaled, decimals.into()),
        (decimals, true) => {
            let digits = decimals.map_or(format.significant.unwrap_or(6), |it| it + 1);
            powered(scaled, digits.into(), decimals.is_some())
        }
        (None, false) => significant(scaled, format.significant.unwrap_or(6).into()),
    };
    out.percent = format.percent;
    out
}

/// `digits` significant digits without trailing zeros; a power of ten outside of 10⁻⁴ … 10⁶, but
/// whole numbers below 10¹⁵ stay whole.
fn significant(value: f64, digits: usize) -> Number {
    if value == 0.0 {
        return fixed(0.0, 0);
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return fixed(value, 0);
    }
    let exponent: i32 = {
        let text = format!("{:.*e}", digits - 1, value);
        text.split_once('e').and_then(|(_, it)| it.parse().ok()).expect("`{:e}` has an exponent")
    };
    let top = i32::try_from(digits).unwrap_or(6).max(6);
    if !(-4..top).contains(&exponent) {
        return powered(value, digits, false);
    }
    let decimals = usize::try_from(i32::try_from(digits).unwrap_or(6) - 1 - exponent).unwrap_or(0);
    let mut out = fixed(value, decimals);
    out.decimals.truncate(out.decimals.trim_end_matches('0').len());
    out
}

fn fixed(value: f64, decimals: usize) -> Number {
    let text = format!("{:.*}", decimals, value.abs());
    let (before, after) = text.split_once('.').unwrap_or((&text, ""));
    let zero = text.bytes().all(|it| matches!(it, b'0' | b'.'));
    Number {
        negative: value < 0.0 && !zero,
        whole: groups(before),
        decimals: after.into(),
        exponent: None,
        percent: false,
    }
}

fn powered(value: f64, digits: usize, keep_zeros: bool) -> Number {
    let text = format!("{:.*e}", digits.saturating_sub(1), value.abs());
    let (mantissa, exponent) = text.split_once('e').expect("`{:e}` has an exponent");
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let after = if keep_zeros { after } else { after.trim_end_matches('0') };
    Number {
        negative: value < 0.0,
        whole: groups(before),
        decimals: after.into(),
        exponent: Some(exponent.parse().expect("`{:e}` has a whole exponent")),
        percent: false,
    }
}

/// Groups of three from the right; four digits stay together, as is usual in tables.
fn groups(digits: &str) -> Vec<String> {
    if digits.len() <= 4 {
        return vec![digits.into()];
    }
    let first = digits.len() % 3;
    let mut out = Vec::new();
    if first > 0 {
        out.push(digits[..first].into());
    }
    let mut rest = &digits[first..];
    while !rest.is_empty() {
        out.push(rest[..3].into());
        rest = &rest[3..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: Value, format: &str) -> String {
        value.written(Format::parse(format).unwrap()).unwrap().text()
    }

    #[test]
    fn numbers_have_six_digits_unless_said_otherwise() {
        let float = |it| Value::Float(Real(it));
        for (value, format, expected) in [
            (float(0.445_808_274_1), "", "0.445808"),
            (float(2.0), "", "2"),
            (float(-0.1), "", "−0.1"),
            (float(1e-9), "", "1×10⁻⁹"),
            (float(1_234_567.8), "", "1.23457×10⁶"),
            (float(65_536.0), "", "65\u{202f}536"),
            (float(0.000_123_456_789), "", "0.000123457"),
            (float(-0.0004), ".2", "0.00"),
            (float(0.0), "", "0"),
            (float(f64::NAN), "", "NaN"),
            (float(f64::NEG_INFINITY), ".2", "−∞"),
            (float(0.12345), ".1%", "12.3\u{202f}%"),
            (float(123_456.0), "3e", "1.23×10⁵"),
            (Value::Int(109_482_240), ",", "109\u{202f}482\u{202f}240"),
            (Value::Int(-1234), "", "−1234"),
            (Value::Int(7), ".2", "7.00"),
        ] {
            assert_eq!(text(value.clone(), format), expected, "{value:?} {format:?}");
        }
        assert!(Format::parse("%3").is_err());
    }

    #[test]
    fn paths_say_what_is_missing() {
        let row = |a, b| Value::List(vec![Value::Int(a), Value::Int(b)]);
        let matrix = Value::List(vec![row(1, 2), row(3, 4)]);
        let path = [Step::Index(1), Step::Index(0)];
        assert_eq!(matrix.at(&path), Ok(&Value::Int(3)));
        assert_eq!(matrix.shape(), Some((2, 2)));
        let message = matrix.at(&[Step::Index(2)]).unwrap_err();
        assert_eq!(message, "there is no element [2]: the list has 2");
    }
}
