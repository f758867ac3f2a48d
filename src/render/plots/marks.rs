//! What is drawn in a plot: lines, points, bars, shades and arrows.

use super::{Area, label, line, px, short};
use crate::html::Html;
use crate::value::{Mark, Plot, Real};

/// How many looks of a series the style sheet has.
const LOOKS: usize = 6;
/// A line has about so many markers, to be told from others in gray.
const MARKERS: usize = 9;
/// How many shades the style sheet has.
const SHADES: usize = 10;
/// From this side on a cell of a heat map has its value written in it.
const CELL: f64 = 34.0;

/// The name of a mark that belongs into the legend.
pub(super) fn name(mark: &Mark) -> Option<&str> {
    match mark {
        Mark::Line { name, .. }
        | Mark::Scatter { name, .. }
        | Mark::Bars { name, .. }
        | Mark::Arrow { name, .. } => Some(name),
        Mark::Heat { .. } => None,
    }
}

fn look(series: usize) -> usize {
    series % LOOKS + 1
}

/// Draws `mark`, the `series`th of its plot.
pub(super) fn mark(svg: &mut Html, plot: &Plot, area: &Area, mark: &Mark, series: usize) {
    match mark {
        Mark::Line { points, .. } => polyline(svg, area, points, series),
        Mark::Scatter { points, .. } => {
            for point in points.iter().filter(|it| shown(area, it)) {
                marker(svg, series, (area.x.at(point.0.0), area.y.at(point.1.0)));
            }
        }
        Mark::Bars { heights, .. } => bars(svg, plot, area, heights, series),
        Mark::Heat { rows } => heat(svg, area, rows),
        Mark::Arrow { name, from, to } => {
            arrow(svg, area, (from.0.0, from.1.0), (to.0.0, to.1.0), name, series);
        }
    }
}

fn shown(area: &Area, point: &(Real, Real)) -> bool {
    let fits = |value: f64, log: bool| value.is_finite() && (!log || value > 0.0);
    fits(point.0.0, area.x.log) && fits(point.1.0, area.y.log)
}

fn polyline(svg: &mut Html, area: &Area, points: &[(Real, Real)], series: usize) {
    let class = format!("line s{}", look(series));
    // A point that cannot be shown breaks the line.
    for run in points.split(|it| !shown(area, it)).filter(|it| !it.is_empty()) {
        let places: Vec<String> = run
            .iter()
            .map(|it| format!("{},{}", px(area.x.at(it.0.0)), px(area.y.at(it.1.0))))
            .collect();
        let attributes = [("class", Some(&class[..])), ("points", Some(&places.join(" ")[..]))];
        svg.open("polyline", &attributes).close("polyline");
    }
    let every = points.len().div_ceil(MARKERS).max(1);
    for point in points.iter().step_by(every).filter(|it| shown(area, it)) {
        marker(svg, series, (area.x.at(point.0.0), area.y.at(point.1.0)));
    }
}

/// Draws a point: circle, square, triangle, diamond, ring and cross in turn.
fn marker(svg: &mut Html, series: usize, (x, y): (f64, f64)) {
    let class = format!("point s{}", look(series));
    let corners = |list: &[(f64, f64)]| {
        let places: Vec<_> =
            list.iter().map(|it| format!("{},{}", px(x + it.0), px(y + it.1))).collect();
        places.join(" ")
    };
    let points = match look(series) {
        2 => corners(&[(-3.2, -3.2), (3.2, -3.2), (3.2, 3.2), (-3.2, 3.2)]),
        3 => corners(&[(0.0, -4.2), (4.0, 3.2), (-4.0, 3.2)]),
        4 => corners(&[(0.0, -4.6), (4.6, 0.0), (0.0, 4.6), (-4.6, 0.0)]),
        6 => corners(&[(-4.0, -3.2), (4.0, -3.2), (0.0, 4.2)]),
        _ => {
            let radius = if look(series) == 1 { "3.4" } else { "2.2" };
            let attributes = [
                ("class", Some(&class[..])),
                ("cx", Some(&px(x)[..])),
                ("cy", Some(&px(y)[..])),
                ("r", Some(radius)),
            ];
            svg.open("circle", &attributes).close("circle");
            return;
        }
    };
    svg.open("polygon", &[("class", Some(&class)), ("points", Some(&points))]).close("polygon");
}

fn rectangle(svg: &mut Html, class: &str, x: f64, y: f64, width: f64, height: f64) {
    let attributes = [
        ("class", Some(class)),
        ("x", Some(&px(x)[..])),
        ("y", Some(&px(y)[..])),
        ("width", Some(&px(width)[..])),
        ("height", Some(&px(height)[..])),
    ];
    svg.open("rect", &attributes).close("rect");
}

/// Draws the bars of one series; those of several stand side by side.
fn bars(svg: &mut Html, plot: &Plot, area: &Area, heights: &[Real], series: usize) {
    let is_bars = |it: &&Mark| matches!(it, Mark::Bars { .. });
    let count = plot.marks.iter().filter(is_bars).count().max(1);
    let before = plot.marks.iter().take(series).filter(is_bars).count();
    let width = area.x.band() * 0.8 / count as f64;
    let class = format!("bar s{}", look(series));
    let zero = if area.y.log { area.bottom } else { area.y.at(0.0) };
    for (index, height) in heights.iter().enumerate().filter(|it| it.1.0.is_finite()) {
        let left = area.x.at(index as f64) - area.x.band() * 0.4 + before as f64 * width;
        let top = area.y.at(height.0);
        rectangle(svg, &class, left, top.min(zero), width * 0.94, (top - zero).abs());
    }
}

fn heat(svg: &mut Html, area: &Area, rows: &[Vec<Real>]) {
    let finite = || rows.iter().flatten().map(|it| it.0).filter(|it| it.is_finite());
    let low = finite().fold(f64::INFINITY, f64::min);
    let high = finite().fold(f64::NEG_INFINITY, f64::max);
    let (width, height) = (area.x.band(), area.y.band());
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let part = if high > low { (cell.0 - low) / (high - low) } else { 0.5 };
            let shade = (part * (SHADES - 1) as f64).round();
            let shade = if shade.is_finite() { shade as usize } else { 0 };
            let (x, y) = (area.x.at(column as f64), area.y.at(row as f64));
            let class = format!("cell h{shade}");
            rectangle(svg, &class, x - width / 2.0, y - height / 2.0, width, height);
            if width >= CELL {
                let class = if shade * 2 > SHADES { "cell-value strong" } else { "cell-value" };
                label(svg, class, (x, y + 4.0), &two_digits(cell.0));
            }
        }
    }
}

fn two_digits(value: f64) -> String {
    let text = format!("{value:.2}");
    match value {
        _ if value.fract() == 0.0 || value.abs() >= 1000.0 => short(value),
        _ => text.replace('-', "−"),
    }
}

fn arrow(svg: &mut Html, area: &Area, from: (f64, f64), to: (f64, f64), name: &str, series: usize) {
    let (x1, y1) = (area.x.at(from.0), area.y.at(from.1));
    let (x2, y2) = (area.x.at(to.0), area.y.at(to.1));
    let length = (x2 - x1).hypot(y2 - y1);
    if length < 0.5 || !length.is_finite() {
        return marker(svg, series, (x1, y1));
    }
    let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
    let neck = (x2 - dx * 9.0, y2 - dy * 9.0);
    line(svg, &format!("line s{}", look(series)), (x1, y1), neck);
    let corners =
        [(x2, y2), (neck.0 - dy * 4.5, neck.1 + dx * 4.5), (neck.0 + dy * 4.5, neck.1 - dx * 4.5)];
    let points: Vec<_> = corners.iter().map(|it| format!("{},{}", px(it.0), px(it.1))).collect();
    let class = format!("point s{}", look(series));
    let attributes = [("class", Some(&class[..])), ("points", Some(&points.join(" ")[..]))];
    svg.open("polygon", &attributes).close("polygon");
    if !name.is_empty() {
        let at = (x2 + dx * 12.0, y2 + dy * 12.0 + 4.0);
        label(svg, "tip", at, name);
    }
}

/// Draws what stands before a name of the legend.
pub(super) fn sample(svg: &mut Html, mark: &Mark, series: usize, (x, y): (f64, f64)) {
    let look = look(series);
    match mark {
        Mark::Line { .. } | Mark::Arrow { .. } => {
            line(svg, &format!("line s{look}"), (x, y), (x + 26.0, y));
            marker(svg, series, (x + 13.0, y));
        }
        Mark::Scatter { .. } => marker(svg, series, (x + 13.0, y)),
        Mark::Bars { .. } => rectangle(svg, &format!("bar s{look}"), x + 4.0, y - 6.0, 18.0, 12.0),
        Mark::Heat { .. } => {}
    }
}
