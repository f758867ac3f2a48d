//! Marks of plots to names and rows of numbers, and back.

use crate::value::{Mark, Real};

/// Rows of numbers under a name.
pub(super) type Rows = Vec<Vec<Real>>;

/// A mark taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts<'a> {
    /// The kind of mark.
    pub(super) kind: &'static str,
    /// What it is called in the plot; empty if nothing.
    pub(super) name: &'a str,
    /// Its numbers.
    pub(super) rows: Vec<(&'static str, Rows)>,
}

impl<'a> Parts<'a> {
    /// Takes a mark apart.
    pub(super) fn of(mark: &'a Mark) -> Self {
        let pair = |it: &(Real, Real)| vec![it.0, it.1];
        let pairs = |it: &[(Real, Real)]| it.iter().map(pair).collect();
        let (kind, name, rows): (_, &str, _) = match mark {
            Mark::Line { name, points } => ("line", name, vec![("points", pairs(points))]),
            Mark::Scatter { name, points } => ("scatter", name, vec![("points", pairs(points))]),
            Mark::Bars { name, heights } => {
                ("bars", name, vec![("heights", vec![heights.clone()])])
            }
            Mark::Histogram { name, edges, counts } => {
                let rows = vec![("edges", vec![edges.clone()]), ("counts", vec![counts.clone()])];
                ("histogram", name, rows)
            }
            Mark::Heat { rows } => ("heat", "", vec![("rows", rows.clone())]),
            Mark::Arrow { name, from, to } => {
                ("arrow", name, vec![("from", vec![pair(from)]), ("to", vec![pair(to)])])
            }
        };
        Self { kind, name, rows }
    }
}

/// Puts a mark together; `take` gives the rows of a name.
pub(super) fn mark(
    kind: &str,
    name: String,
    mut take: impl FnMut(&str) -> Option<Rows>,
) -> Option<Mark> {
    let pair = |row: &Vec<Real>| match row[..] {
        [x, y] => Some((x, y)),
        _ => None,
    };
    let one = |rows: Rows| pair(rows.first()?);
    Some(match kind {
        "line" => {
            Mark::Line { name, points: take("points")?.iter().map(pair).collect::<Option<_>>()? }
        }
        "scatter" => {
            Mark::Scatter { name, points: take("points")?.iter().map(pair).collect::<Option<_>>()? }
        }
        "bars" => Mark::Bars { name, heights: take("heights")?.pop()? },
        "histogram" => {
            Mark::Histogram { name, edges: take("edges")?.pop()?, counts: take("counts")?.pop()? }
        }
        "heat" => Mark::Heat { rows: take("rows")? },
        "arrow" => Mark::Arrow { name, from: one(take("from")?)?, to: one(take("to")?)? },
        _ => return None,
    })
}
