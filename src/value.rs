//! Typed results of snippets: what a value is, how it is found by path and how it is written.
//!
//! Both renderers write a value through [`Value::written`] and [`Format`], so a number looks the
//! same on a page and in print.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

mod corners;
mod heat;
mod minus;
mod number;
mod ruler;
mod spoken;
mod tips;

pub use corners::matrix_tex;
pub use heat::{Heat, Shade};
pub use number::{Format, Number};
pub use ruler::{Names, Ruler, is_stepped};
pub use spoken::Drawn;

use number::Together;

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
    /// Whether a unit is as long across as up, as it always is in a plot with arrows.
    pub equal: bool,
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
    /// Bars that touch, over intervals of a numeric axis.
    Histogram {
        /// Name in the legend.
        name: String,
        /// The ends of the intervals, rising: one more than there are counts.
        edges: Vec<Real>,
        /// How many data are in each interval.
        counts: Vec<Real>,
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

/// One step of a path into a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// `[3]`: element, from 0.
    Index(usize),
    /// `["name"]`: the column of a table.
    Name(String),
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
            Value::Int(_) | Value::Float(_) => self.cell(Together::new([].into_iter(), format))?,
            Value::Bool(truth) => Written::Text(truth.to_string()),
            Value::Text(text) => Written::Text(text.clone()),
            Value::List(items) if !items.is_empty() && items.iter().all(Value::is_number) => {
                let together = Together::new(items.iter().filter_map(Value::as_f64), format);
                Written::Matrix(vec![
                    items.iter().map(|it| it.cell(together)).collect::<Option<_>>()?,
                ])
            }
            Value::List(items) if self.shape().is_some() => {
                let all = items.iter().flat_map(Value::items).filter_map(Value::as_f64);
                let together = Together::new(all, format);
                let row = |row: &Value| row.items().iter().map(|it| it.cell(together)).collect();
                Written::Matrix(items.iter().map(row).collect::<Option<_>>()?)
            }
            Value::List(items) => {
                Written::List(items.iter().map(|it| it.written(format)).collect::<Option<_>>()?)
            }
            Value::Table(_) | Value::Plot(_) => return None,
        })
    }

    /// The elements of a list; none of any other value.
    fn items(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Text(_) => &[],
            Value::Table(_) | Value::Plot(_) => &[],
        }
    }

    /// A value as one of several that stand together.
    fn cell(&self, together: Together) -> Option<Written> {
        Some(match self {
            Value::Int(int) => Written::Number(together.whole(*int)),
            Value::Float(real) => Written::Number(together.number(real.0)),
            Value::Bool(_) | Value::Text(_) | Value::List(_) => {
                return self.written(together.format());
            }
            Value::Table(_) | Value::Plot(_) => return None,
        })
    }
}

impl Table {
    /// The cells taken apart for display, the numbers of each column alike.
    pub fn written(&self) -> Vec<Vec<Option<Written>>> {
        let column =
            |at: usize| self.rows.iter().filter_map(move |it| it.get(at)).filter_map(Value::as_f64);
        let together: Vec<Together> = (0..self.columns.len())
            .map(|it| Together::new(column(it), Format::default()))
            .collect();
        let row = |row: &Vec<Value>| {
            row.iter().zip(&together).map(|(cell, together)| cell.cell(*together)).collect()
        };
        self.rows.iter().map(row).collect()
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
            (float(0.0), "2e", "0"),
            (Value::Int(109_482_240), ",", "109\u{202f}482\u{202f}240"),
            (Value::Int(-1234), "", "−1234"),
            (Value::Int(7), ".2", "7.00"),
            (Value::Int(1234), ",", "1\u{202f}234"),
            (float(123_456_789.123), ",", "123\u{202f}456\u{202f}789"),
            (float(-1234.5), ",", "−1\u{202f}234.5"),
            (float(1234.5), ",.2", "1\u{202f}234.50"),
            (float(1e-9), ",", "1×10⁻⁹"),
            (float(12_345_678.0), "", "12\u{202f}345\u{202f}678"),
            (float(12_345_678.0), "3", "1.23×10⁷"),
            (float(120.0), "3", "120"),
            (float(1e307), ".1%", "1.0×10³⁰⁹\u{202f}%"),
            (float(-1e20), ".1%", "−1.0×10²²\u{202f}%"),
            (float(2e17), ".2", "2.00×10¹⁷"),
            (float(f64::INFINITY), ".1%", "∞"),
        ] {
            assert_eq!(text(value.clone(), format), expected, "{value:?} {format:?}");
        }
        assert!(Format::parse("%3").is_err());
        assert!(Format::parse(".21").unwrap_err().contains("at most 20 digits"));
    }

    #[test]
    fn numbers_that_stand_together_have_the_same_decimals() {
        let list = |it: &[f64]| Value::List(it.iter().map(|it| Value::Float(Real(*it))).collect());
        for (values, expected) in [
            (&[2.828, 4.429_44][..], "[2.82800, 4.42944]"),
            (&[0.5, 0.25, 1.0], "[0.50, 0.25, 1]"),
            (&[1.0, -2.0, 30.0], "[1, −2, 30]"),
            (&[123.456_789, 0.001_234_5], "[123.457, 0.0012345]"),
            (&[1.5, 2e-16], "[1.5, 2×10⁻¹⁶]"),
            (&[1e300, f64::NAN, 0.1], "[1×10³⁰⁰, NaN, 0.1]"),
            (&[0.999_999_999, 0.5], "[1.0, 0.5]"),
        ] {
            assert_eq!(text(list(values), ""), expected, "{values:?}");
        }
        assert_eq!(text(list(&[0.5, 0.25]), ".1"), "[0.5, 0.2]");
        let grouped = "[1\u{202f}234.50, 0.25]";
        assert_eq!(text(list(&[1234.5, 0.25]), ","), grouped);
        let matrix = Value::List(vec![list(&[0.5, 0.0]), list(&[1.0 / 3.0, 10.0])]);
        assert_eq!(text(matrix, ""), "[[0.500000, 0], [0.333333, 10]]");
    }

    #[test]
    fn the_columns_of_a_table_are_written_each_for_itself() {
        let row = |n, error| vec![Value::Int(n), Value::Float(Real(error)), Value::Bool(true)];
        let columns = ["n", "error", "fine"].map(String::from).into();
        let table = Table { columns, rows: vec![row(1, 0.5), row(10_000, 0.125)] };
        let text = |it: &Vec<Option<Written>>| {
            it.iter().map(|it| it.as_ref().unwrap().text()).collect::<Vec<_>>().join(" ")
        };
        let rows: Vec<_> = table.written().iter().map(text).collect();
        assert_eq!(rows, ["1 0.500 true", "10\u{202f}000 0.125 true"]);
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
