//! Plots to tables of their data, for those who do not see them.

use crate::value::{Format, Mark, Plot, Real, Table, Value};

/// A series lists at most so many points.
const POINTS: usize = 60;

/// The data of a plot, and whether points were left out.
pub(super) fn table(plot: &Plot) -> (Table, bool) {
    let or = |label: &str, other: &str| {
        if label.is_empty() { other.to_owned() } else { label.to_owned() }
    };
    let (x, y) = (or(&plot.x.label, "x"), or(&plot.y.label, "y"));
    if let Some(Mark::Heat { rows }) = plot.marks.iter().find(|it| matches!(it, Mark::Heat { .. }))
    {
        return (heat(plot, rows), false);
    }
    let mut rows = Vec::new();
    let mut thinned = false;
    for mark in &plot.marks {
        match mark {
            Mark::Line { name, points } | Mark::Scatter { name, points } => {
                let every = points.len().div_ceil(POINTS).max(1);
                thinned |= every > 1;
                for (across, up) in points.iter().step_by(every) {
                    rows.push(vec![text(name), Value::Float(*across), Value::Float(*up)]);
                }
            }
            Mark::Bars { name, heights } => {
                for (index, height) in heights.iter().enumerate() {
                    let place = plot.x.names.get(index).cloned();
                    let place = place.unwrap_or_else(|| index.to_string());
                    rows.push(vec![text(name), Value::Text(place), Value::Float(*height)]);
                }
            }
            Mark::Histogram { name, edges, counts } => {
                for (ends, count) in edges.windows(2).zip(counts) {
                    let between = format!("{} … {}", written(ends[0]), written(ends[1]));
                    rows.push(vec![text(name), Value::Text(between), Value::Float(*count)]);
                }
            }
            Mark::Arrow { name, from, to } => {
                rows.push(vec![text(name), Value::Float(from.0), Value::Float(from.1)]);
                rows.push(vec![text(name), Value::Float(to.0), Value::Float(to.1)]);
            }
            Mark::Heat { .. } => {}
        }
    }
    let mut columns = vec![or("", "series"), x, y];
    if rows.iter().all(|it| it[0] == text("")) || plot.marks.len() == 1 {
        columns.remove(0);
        rows.iter_mut().for_each(|it| drop(it.remove(0)));
    }
    (Table { columns, rows }, thinned)
}

fn heat(plot: &Plot, rows: &[Vec<Real>]) -> Table {
    let name = |names: &[String], index: usize| {
        names.get(index).cloned().unwrap_or_else(|| index.to_string())
    };
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut columns = vec![plot.y.label.clone()];
    columns.extend((0..width).map(|it| name(&plot.x.names, it)));
    let row = |(index, cells): (usize, &Vec<Real>)| {
        let mut row = vec![Value::Text(name(&plot.y.names, index))];
        row.extend(cells.iter().map(|it| Value::Float(*it)));
        row
    };
    let rows = rows.iter().take(POINTS).enumerate().map(row).collect();
    Table { columns, rows }
}

fn written(value: Real) -> String {
    Value::Float(value).written(Format::default()).map_or_else(String::new, |it| it.text())
}

fn text(name: &str) -> Value {
    Value::Text(name.to_owned())
}
