//! What is drawn in a plot: lines, points, bars, shades and arrows.

use super::{Area, hatch, label, line, px};
use crate::html::Html;
use crate::value::{Heat, Mark, Plot, Real, is_stepped};

/// How many looks of a series the style sheet has.
const LOOKS: usize = 6;
/// A line has about so many markers, to be told from others in gray.
const MARKERS: usize = 9;
/// How many shades the style sheet has.
pub(super) const SHADES: usize = 10;
/// Width of a digit in a cell, about.
const DIGIT: f64 = 6.2;
/// Width of a letter at the tip of an arrow, about.
const TIP: f64 = 7.0;

/// The name of a mark; may be empty.
pub(super) fn name(mark: &Mark) -> &str {
    match mark {
        Mark::Line { name, .. }
        | Mark::Scatter { name, .. }
        | Mark::Bars { name, .. }
        | Mark::Histogram { name, .. }
        | Mark::Arrow { name, .. } => name,
        Mark::Heat { .. } => "",
    }
}

fn look(series: usize) -> usize {
    series % LOOKS + 1
}

/// Draws all marks but heat maps: bars below, then lines and points, above them the names of
/// arrows.
pub(super) fn marks(svg: &mut Html, plot: &Plot, area: &Area) {
    for (series, mark) in plot.marks.iter().enumerate() {
        match mark {
            Mark::Bars { heights, .. } => bars(svg, plot, area, heights, series),
            Mark::Histogram { edges, counts, .. } => {
                histogram(svg, plot, area, (edges, counts), series);
            }
            Mark::Line { .. } | Mark::Scatter { .. } | Mark::Heat { .. } | Mark::Arrow { .. } => {}
        }
    }
    for (series, mark) in plot.marks.iter().enumerate() {
        match mark {
            Mark::Line { points, .. } => polyline(svg, area, points, series),
            Mark::Scatter { points, .. } => {
                for point in points.iter().filter(|it| shown(area, it)) {
                    marker(svg, series, (area.across(point.0.0), area.up(point.1.0)));
                }
            }
            Mark::Arrow { from, to, .. } if shown(area, from) && shown(area, to) => {
                arrow(svg, area, (from.0.0, from.1.0), (to.0.0, to.1.0), series);
            }
            Mark::Arrow { .. } | Mark::Bars { .. } | Mark::Histogram { .. } | Mark::Heat { .. } => {
            }
        }
    }
    let size = (area.right - area.left, area.bottom - area.top);
    for (mark, tip) in plot.marks.iter().zip(plot.tips((&area.x, &area.y), size, TIP)) {
        if let Some((x, y)) = tip {
            label(svg, "tip", (area.left + x, area.bottom - y + 4.5), name(mark));
        }
    }
}

fn shown(area: &Area, point: &(Real, Real)) -> bool {
    area.x.shows(point.0.0) && area.y.shows(point.1.0)
}

fn polyline(svg: &mut Html, area: &Area, points: &[(Real, Real)], series: usize) {
    let class = format!("line s{}", look(series));
    // A point that cannot be shown breaks the line.
    for run in points.split(|it| !shown(area, it)).filter(|it| !it.is_empty()) {
        let places: Vec<String> = run
            .iter()
            .map(|it| format!("{},{}", px(area.across(it.0.0)), px(area.up(it.1.0))))
            .collect();
        let attributes = [("class", Some(&class[..])), ("points", Some(&places.join(" ")[..]))];
        svg.open("polyline", &attributes).close("polyline");
    }
    if is_stepped(points) {
        return;
    }
    let every = points.len().div_ceil(MARKERS).max(1);
    for point in points.iter().step_by(every).filter(|it| shown(area, it)) {
        marker(svg, series, (area.across(point.0.0), area.up(point.1.0)));
    }
}

/// Draws a point: circle, square, triangle, diamond, ring and hanging triangle in turn.
fn marker(svg: &mut Html, series: usize, (x, y): (f64, f64)) {
    let ring = if look(series) == 5 { " ring" } else { "" };
    let class = format!("point s{}{ring}", look(series));
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
            let radius = if look(series) == 1 { "3.4" } else { "3" };
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

/// Draws a rectangle from its upper left corner.
pub(super) fn rectangle(svg: &mut Html, class: &str, at: (f64, f64), size: (f64, f64)) {
    let attributes = [
        ("class", Some(class)),
        ("x", Some(&px(at.0)[..])),
        ("y", Some(&px(at.1)[..])),
        ("width", Some(&px(size.0)[..])),
        ("height", Some(&px(size.1)[..])),
    ];
    svg.open("rect", &attributes).close("rect");
}

fn path(svg: &mut Html, class: &str, data: &str) {
    svg.open("path", &[("class", Some(class)), ("d", Some(data))]).close("path");
}

/// Draws a rectangle with the pattern of its series.
fn patterned(svg: &mut Html, kind: &str, series: usize, at: (f64, f64), size: (f64, f64)) {
    let look = look(series);
    rectangle(svg, &format!("{kind} s{look}"), at, size);
    if let Some(lines) = hatch::path(look, at, size) {
        path(svg, &format!("hatch s{look}"), &lines);
    }
}

/// Draws the bars of one series; those of several stand side by side.
fn bars(svg: &mut Html, plot: &Plot, area: &Area, heights: &[Real], series: usize) {
    let is_bars = |it: &&Mark| matches!(it, Mark::Bars { .. });
    let count = plot.marks.iter().filter(is_bars).count().max(1);
    let before = plot.marks.iter().take(series).filter(is_bars).count();
    let width = area.band() * 0.8 / count as f64;
    let zero = if area.y.log { area.bottom } else { area.up(0.0) };
    for (index, height) in heights.iter().enumerate().filter(|it| area.y.shows(it.1.0)) {
        let left = area.across(index as f64) - area.band() * 0.4 + before as f64 * width;
        let top = area.up(height.0);
        let size = (width * 0.94, (top - zero).abs());
        patterned(svg, "bar", series, (left, top.min(zero)), size);
    }
}

/// Draws a histogram: bars that touch. Those of several lie over each other, so they are clear and
/// have an outline with the dashes of their series.
fn histogram(
    svg: &mut Html,
    plot: &Plot,
    area: &Area,
    (edges, counts): (&[Real], &[Real]),
    series: usize,
) {
    let is_histogram = |it: &&Mark| matches!(it, Mark::Histogram { .. });
    let alone = plot.marks.iter().filter(is_histogram).count() == 1;
    let zero = if area.y.log { area.bottom } else { area.up(0.0) };
    let mut outline = Vec::new();
    for (ends, count) in edges.windows(2).zip(counts) {
        let (left, right) = (area.across(ends[0].0), area.across(ends[1].0));
        let top = if area.y.shows(count.0) { area.up(count.0) } else { zero };
        outline.extend([(left, top), (right, top)]);
        if (top - zero).abs() > 0.0 {
            let (at, size) = ((left, top.min(zero)), (right - left, (top - zero).abs()));
            patterned(svg, if alone { "hist" } else { "hist clear" }, series, at, size);
        }
    }
    if let (false, Some(first), Some(last)) = (alone, outline.first(), outline.last()) {
        let (first, last) = ((first.0, zero), (last.0, zero));
        let places = [first].into_iter().chain(outline.iter().copied()).chain([last]);
        let places: Vec<String> = places.map(|it| format!("{},{}", px(it.0), px(it.1))).collect();
        let class = format!("line s{}", look(series));
        let attributes = [("class", Some(&class[..])), ("points", Some(&places.join(" ")[..]))];
        svg.open("polyline", &attributes).close("polyline");
    }
}

/// Draws what stands for a number that has no shade.
pub(super) fn unshaded(svg: &mut Html, (x, y): (f64, f64), (width, height): (f64, f64)) {
    rectangle(svg, "cell none", (x, y), (width, height));
    if let Some(lines) = hatch::path(2, (x, y), (width, height)) {
        path(svg, "hatch none", &lines);
    }
}

/// Draws the cells of a heat map.
pub(super) fn heat(svg: &mut Html, area: &Area, heat: &Heat) {
    let width = area.band();
    let height = (area.bottom - area.top) / (area.y.high - area.y.low);
    let widest = heat.rows.iter().flatten().map(|it| it.text.chars().count()).max().unwrap_or(0);
    let written = widest as f64 * DIGIT + 4.0 <= width && height >= 14.0;
    for (row, cells) in heat.rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let (x, y) = (area.across(column as f64), area.down(row as f64));
            let at = (x - width / 2.0, y - height / 2.0);
            let Some(part) = cell.part else {
                unshaded(svg, at, (width, height));
                if written && !cell.text.is_empty() {
                    label(svg, "cell-value none", (x, y + 4.0), &cell.text);
                }
                continue;
            };
            let shade = (part * (SHADES - 1) as f64).round() as usize;
            rectangle(svg, &format!("cell h{shade}"), at, (width, height));
            if written && !cell.text.is_empty() {
                let class = if shade * 2 > SHADES { "cell-value strong" } else { "cell-value" };
                label(svg, class, (x, y + 4.0), &cell.text);
            }
        }
    }
}

fn arrow(svg: &mut Html, area: &Area, from: (f64, f64), to: (f64, f64), series: usize) {
    let (x1, y1) = (area.across(from.0), area.up(from.1));
    let (x2, y2) = (area.across(to.0), area.up(to.1));
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
}

/// Draws what stands before a name of the legend.
pub(super) fn sample(svg: &mut Html, plot: &Plot, series: usize, (x, y): (f64, f64)) {
    let look = look(series);
    let histograms = plot.marks.iter().filter(|it| matches!(it, Mark::Histogram { .. })).count();
    match &plot.marks[series] {
        Mark::Line { points, .. } if is_stepped(points) => {
            line(svg, &format!("line s{look}"), (x, y), (x + 26.0, y));
        }
        Mark::Line { .. } | Mark::Arrow { .. } => {
            line(svg, &format!("line s{look}"), (x, y), (x + 26.0, y));
            marker(svg, series, (x + 13.0, y));
        }
        Mark::Scatter { .. } => marker(svg, series, (x + 13.0, y)),
        Mark::Bars { .. } => patterned(svg, "bar", series, (x + 4.0, y - 6.0), (18.0, 12.0)),
        Mark::Histogram { .. } if histograms == 1 => {
            patterned(svg, "hist", series, (x + 4.0, y - 6.0), (18.0, 12.0));
        }
        Mark::Histogram { .. } => {
            patterned(svg, "hist clear", series, (x + 1.0, y - 6.0), (24.0, 12.0));
            line(svg, &format!("line s{look}"), (x + 1.0, y - 6.0), (x + 25.0, y - 6.0));
        }
        Mark::Heat { .. } => {}
    }
}
