//! Matrices and columns of numbers to how they stand: what is left out, and where points align.

use super::{Number, Table, Value, Written};

/// A matrix with more rows or columns than this is shown by its corners.
const SIDE: usize = 10;
/// A row has at most about so many letters, which a printed line has room for.
const LETTERS: usize = 60;
/// Letters between two columns, about.
const BETWEEN: usize = 2;

/// A vector or a matrix as TeX, the numbers of each column with their points below each other; of
/// a large one the corners and the shape.
pub fn matrix_tex(rows: &[Vec<Written>]) -> String {
    let width = rows.first().map_or(0, Vec::len);
    let down = shown(rows.len(), SIDE);
    let across = columns(rows, &down);
    let decimals: Vec<usize> =
        across.iter().map(|column| column.map_or(0, |column| decimals(rows, column))).collect();
    let line = |row: &Option<usize>| {
        let cell = |(column, decimals): (&Option<usize>, &usize)| match (row, column) {
            (Some(row), Some(column)) => padded(&rows[*row][*column], *decimals),
            (Some(_), None) => "\\cdots".into(),
            (None, Some(_)) => "\\vdots".into(),
            (None, None) => "\\ddots".into(),
        };
        across.iter().zip(&decimals).map(cell).collect::<Vec<_>>().join(" & ")
    };
    let lines: Vec<String> = down.iter().map(line).collect();
    let mut tex = format!("\\begin{{bmatrix*}}[r]{}\\end{{bmatrix*}}", lines.join(" \\\\ "));
    if down.contains(&None) || across.contains(&None) {
        let shape = match rows.len() {
            1 => width.to_string(),
            height => format!("{height}\\times {width}"),
        };
        tex.push_str(&format!("_{{{shape}}}"));
    }
    tex
}

/// Which of `count` rows or columns are shown; `None` stands for those left out.
fn shown(count: usize, most: usize) -> Vec<Option<usize>> {
    if count <= most {
        return (0..count).map(Some).collect();
    }
    let head = (most / 2).max(1);
    let tail = most.saturating_sub(head + 1).clamp(1, 2);
    (0..head).map(Some).chain([None]).chain((count - tail..count).map(Some)).collect()
}

/// The columns that are shown: as many as a line has room for.
fn columns(rows: &[Vec<Written>], down: &[Option<usize>]) -> Vec<Option<usize>> {
    let count = rows.first().map_or(0, Vec::len);
    let letters = |column: usize| {
        let cells = down.iter().flatten().filter_map(|it| rows[*it].get(column));
        cells.map(|it| it.text().chars().count()).max().unwrap_or(0)
    };
    let mut most = SIDE;
    loop {
        let chosen = shown(count, most);
        let wide = |it: &Option<usize>| it.map_or(2, letters) + BETWEEN;
        if most <= 3 || chosen.iter().map(wide).sum::<usize>() <= LETTERS {
            return chosen;
        }
        most -= 1;
    }
}

/// How many decimals the numbers of a column have at most; none if a power of ten is among them.
fn decimals(rows: &[Vec<Written>], column: usize) -> usize {
    let mut most = 0;
    for cell in rows.iter().filter_map(|it| it.get(column)) {
        match cell {
            Written::Number(Number { exponent: None, decimals, .. }) => {
                most = most.max(decimals.len());
            }
            Written::Number(_) | Written::Text(_) | Written::Matrix(_) | Written::List(_) => {
                return 0;
            }
        }
    }
    most
}

/// A cell with room for the decimals that others of its column have.
fn padded(cell: &Written, decimals: usize) -> String {
    let own = match cell {
        Written::Number(number) => number.decimals.len(),
        Written::Text(_) | Written::Matrix(_) | Written::List(_) => decimals,
    };
    let mut out = cell.tex();
    if own < decimals {
        let point = if own == 0 { "." } else { "" };
        out.push_str(&format!("\\phantom{{{point}{}}}", "0".repeat(decimals - own)));
    }
    out
}

impl Table {
    /// For each column the number that reaches furthest to the right of the points, if the numbers
    /// reach differently far: all others leave room for it.
    pub fn tails(&self) -> Vec<Option<Number>> {
        let written = self.written();
        let column = |at: usize| {
            let is_numeric = self.rows.iter().all(|it| it.get(at).is_some_and(Value::is_number));
            let numbers = written.iter().filter_map(|it| match it.get(at)? {
                Some(Written::Number(number)) => Some(number),
                Some(Written::Text(_) | Written::Matrix(_) | Written::List(_)) | None => None,
            });
            let numbers: Vec<&Number> = numbers.collect();
            let longest = numbers.iter().max_by_key(|it| it.tail())?;
            let even = numbers.iter().all(|it| it.tail() == longest.tail());
            (is_numeric && !even).then(|| (*longest).clone())
        };
        (0..self.columns.len()).map(column).collect()
    }
}

impl Number {
    /// How far it reaches to the right of its point, in tenths of a digit.
    fn tail(&self) -> usize {
        let decimals = if self.decimals.is_empty() { 0 } else { 5 + 10 * self.decimals.len() };
        let exponent = self.exponent.map_or(0, |it| 35 + 6 * it.to_string().len());
        decimals + exponent + if self.percent { 20 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Format, Real};

    fn matrix(rows: &[&[f64]]) -> String {
        let float = |it: &f64| Value::Float(Real(*it));
        let row = |it: &&[f64]| Value::List(it.iter().map(float).collect());
        let value = Value::List(rows.iter().map(row).collect());
        match value.written(Format::default()) {
            Some(Written::Matrix(rows)) => matrix_tex(&rows),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn points_stand_below_each_other() {
        let tex = matrix(&[&[0.5, 1.0], &[0.25, 20.0], &[3.0, 1.0]]);
        let expected = "0.50 & 1 \\\\ 0.25 & 20 \\\\ 3\\phantom{.00} & 1\\end";
        assert!(tex.contains(expected), "{tex}");
        assert!(!matrix(&[&[0.5], &[2e-16]]).contains("phantom"));
    }

    #[test]
    fn large_matrices_show_their_corners_and_their_shape() {
        let row: Vec<f64> = (0..12).map(f64::from).collect();
        let rows: Vec<&[f64]> = (0..20).map(|_| &row[..]).collect();
        let tex = matrix(&rows);
        assert_eq!((tex.matches("\\\\").count(), tex.matches("\\ddots").count()), (7, 1));
        assert!(tex.ends_with("_{20\\times 12}"), "{tex}");
        let long: Vec<f64> = (0..10).map(|it| f64::from(it) + 0.123_456_7).collect();
        let tex = matrix(&[&long]);
        assert!(tex.ends_with("_{1\\times 10}") || tex.ends_with("_{10}"), "{tex}");
        assert!(tex.matches('&').count() < 9, "{tex}");
        assert!(!matrix(&[&row[..3]]).contains("dots"));
    }

    #[test]
    fn columns_know_what_reaches_furthest() {
        let row =
            |a: f64, b: i128| vec![Value::Float(Real(a)), Value::Int(b), Value::Text("x".into())];
        let columns = ["a", "b", "c"].map(String::from).into();
        let rows = vec![row(0.5, 1), row(0.0625, 1000), row(2.0, 5)];
        let tails = Table { columns, rows }.tails();
        let text: Vec<_> = tails.iter().map(|it| it.as_ref().map(Number::text)).collect();
        assert_eq!(text, [Some("0.0625".to_owned()), None, None]);
    }
}
