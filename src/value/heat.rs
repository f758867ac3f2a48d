//! A heat map to its shades and the numbers in its cells.

use std::collections::BTreeSet;

use super::ruler::{Ruler, short};
use super::{Format, Mark, Plot, Real, Value};

/// A heat map of at most so many rows and columns has its numbers written in its cells.
const NUMBERS: usize = 12;

/// A heat map as both renderers draw it.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// Its columns, by their names or from 0.
    pub x: Ruler,
    /// Its rows, by their names or from 0.
    pub y: Ruler,
    /// The cells of each row.
    pub rows: Vec<Vec<Shade>>,
    /// The least number, in words; it has shade 0.
    pub low: String,
    /// The number in the middle between the two, in words.
    pub middle: String,
    /// The greatest number, in words; it has shade 1.
    pub high: String,
    /// The numbers that have no shade, each once, in words: `NaN`, `∞`.
    pub unshaded: Vec<String>,
}

/// A cell of a heat map.
#[derive(Clone, Debug, PartialEq)]
pub struct Shade {
    /// From 0 to 1; `None` for a number that is not finite.
    pub part: Option<f64>,
    /// Its number, if that is to be shown; it may still be too wide for the cell.
    pub text: String,
}

impl Plot {
    /// The heat map that the plot is, if it is one.
    pub fn heat(&self) -> Option<Heat> {
        let rows = self.marks.iter().find_map(|it| match it {
            Mark::Heat { rows } => Some(rows),
            Mark::Line { .. }
            | Mark::Scatter { .. }
            | Mark::Bars { .. }
            | Mark::Histogram { .. }
            | Mark::Arrow { .. } => None,
        })?;
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let finite = || rows.iter().flatten().map(|it| it.0).filter(|it| it.is_finite());
        let low = finite().fold(f64::INFINITY, f64::min);
        let high = finite().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let format = numbers(finite());
        let written = rows.len() <= NUMBERS && columns <= NUMBERS;
        let shade = |it: &Real| {
            let part =
                if high > low { (it.0 / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) } else { 0.5 };
            // Halves of the least numbers may be equal where the numbers are not.
            let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.5 };
            let part = it.0.is_finite().then_some(part);
            let text = Value::Float(*it).written(format).filter(|_| written);
            Shade { part, text: text.map_or_else(String::new, |it| it.text()) }
        };
        Some(Heat {
            x: Ruler::places(columns, &self.x.names),
            y: Ruler::places(rows.len().max(1), &self.y.names),
            rows: rows.iter().map(|row| row.iter().map(shade).collect()).collect(),
            low: short(low),
            middle: middle(low, high),
            high: short(high),
            unshaded: unshaded(rows.iter().flatten()),
        })
    }
}

/// The numbers that are not finite, each once, in words.
fn unshaded<'a>(values: impl Iterator<Item = &'a Real>) -> Vec<String> {
    let words: BTreeSet<String> =
        values.filter(|it| !it.0.is_finite()).map(|it| short(it.0)).collect();
    words.into_iter().collect()
}

/// The number in the middle. Nothing much smaller than the range is written as itself: it is what
/// rounding has left of 0.
fn middle(low: f64, high: f64) -> String {
    let middle = low / 2.0 + high / 2.0;
    let range = high / 2.0 - low / 2.0;
    short(if middle.abs() < range * 1e-3 { 0.0 } else { middle })
}

/// How the numbers in the cells are written: all whole or all with two decimals, if that says
/// enough.
fn numbers(values: impl Iterator<Item = f64> + Clone) -> Format {
    let most = values.clone().map(f64::abs).fold(0.0, f64::max);
    let decimals = if values.clone().all(|it| it.fract() == 0.0) { 0 } else { 2 };
    match most {
        _ if most == 0.0 || (0.1..1000.0).contains(&most) => {
            Format { decimals: Some(decimals), ..Format::default() }
        }
        _ => Format { significant: Some(2), ..Format::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Axis;

    fn heat(rows: &[&[f64]]) -> Heat {
        let rows = rows.iter().map(|row| row.iter().map(|it| Real(*it)).collect()).collect();
        let (x, y) = (Axis::default(), Axis::default());
        let marks = vec![Mark::Heat { rows }];
        Plot { title: String::new(), x, y, equal: false, marks }.heat().unwrap()
    }

    #[test]
    fn cells_have_shades_and_even_numbers() {
        let text = |it: &Heat| {
            let cells = it.rows.iter().flatten().map(|it| &it.text[..]);
            cells.collect::<Vec<_>>().join(" ")
        };
        let shades = heat(&[&[1.0, 0.0], &[0.25, f64::NAN]]);
        assert_eq!(text(&shades), "1.00 0.00 0.25 NaN");
        assert_eq!((shades.rows[1][0].part, shades.rows[1][1].part), (Some(0.25), None));
        let scale = [&shades.low, &shades.middle, &shades.high].map(|it| &it[..]);
        assert_eq!((scale, &shades.unshaded[..]), (["0", "0.5", "1"], &["NaN".to_owned()][..]));
        assert_eq!(text(&heat(&[&[1.0, -20.0]])), "1 −20");
        assert_eq!(text(&heat(&[&[0.0002, 0.01]])), "0.0002 0.01");
        assert_eq!(text(&heat(&[&[0.5; 13]])).trim(), "");
        let extreme = heat(&[&[f64::MAX, f64::MIN, 0.0]]);
        let parts: Vec<_> = extreme.rows[0].iter().map(|it| it.part).collect();
        assert_eq!(parts, [Some(1.0), Some(0.0), Some(0.5)]);
        assert_eq!(heat(&[&[f64::NAN, f64::INFINITY]]).unshaded, ["NaN", "∞"]);
        assert_eq!(heat(&[]).x.ticks.len(), 1);
        assert_eq!((middle(-1.0, 1.000_001), middle(1.0, 4.0)), ("0".into(), "2.5".into()));
    }
}
