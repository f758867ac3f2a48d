//! Plots as data to SVG. Colours, dashes and fonts are the style sheet's, by classes; each series
//! also has a dash and a marker of its own, so that a plot reads in gray.

use super::writer::Writer;
use crate::html::Html;
use crate::value::{Mark, Plot, Real, Table, Value};

mod data;
mod marks;
mod scale;

use scale::{Scale, px};

/// Width of the picture in its own units; the page scales it.
const WIDTH: f64 = 520.0;
/// The page shows it so many times as large, if there is room.
const SCALE: f64 = 1.1;
/// Height of the plain plotting area.
const HEIGHT: f64 = 260.0;
/// Width of a character of the labels, about.
const LETTER: f64 = 6.6;
/// Height of a line of text.
const LINE: f64 = 18.0;

/// Where things are drawn.
pub(super) struct Area {
    pub x: Scale,
    pub y: Scale,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Writer<'_> {
    /// Writes a plot with its data below. `alt` says in words what it shows.
    pub(super) fn plot(&mut self, plot: &Plot, alt: &str) {
        let plot = self.worded(plot);
        let name = if plot.title.is_empty() { alt } else { &plot.title };
        let svg = drawing(&plot, alt);
        let attributes = [
            ("class", Some("scroll plot-frame")),
            ("role", Some("group")),
            ("tabindex", Some("0")),
            ("aria-label", Some(name)),
        ];
        self.out.open("div", &attributes).html(&svg).close("div").markup("\n");
        self.plot_data(&plot);
    }

    /// The plot with its formulas as readable text, since a picture has no maths.
    fn worded(&mut self, plot: &Plot) -> Plot {
        let mut out = plot.clone();
        let mut all: Vec<&mut String> = vec![&mut out.title];
        for axis in [&mut out.x, &mut out.y] {
            all.push(&mut axis.label);
            all.extend(&mut axis.names);
        }
        for mark in &mut out.marks {
            match mark {
                Mark::Line { name, .. }
                | Mark::Scatter { name, .. }
                | Mark::Bars { name, .. }
                | Mark::Arrow { name, .. } => all.push(name),
                Mark::Heat { .. } => {}
            }
        }
        for text in all {
            if text.contains('$') {
                *text = self.plain_with_math(text);
            }
        }
        out
    }

    fn plot_data(&mut self, plot: &Plot) {
        let (table, thinned) = data::table(plot);
        let Table { columns, rows } = &table;
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        let words = self.words;
        self.out.markup("<details class=\"data\"><summary>").text(words.data);
        self.out.markup("</summary>");
        self.scroll(words.data, |it| it.value_table_body(&table));
        if thinned {
            self.out.markup("<p>").text(words.every_nth).markup("</p>");
        }
        self.out.markup("</details>\n");
    }
}

fn drawing(plot: &Plot, alt: &str) -> Html {
    let heat = plot.marks.iter().find_map(|it| match it {
        Mark::Heat { rows } => Some(rows),
        Mark::Line { .. } | Mark::Scatter { .. } | Mark::Bars { .. } | Mark::Arrow { .. } => None,
    });
    let legend = legend_rows(plot);
    let title = if plot.title.is_empty() { 0.0 } else { LINE + 4.0 };
    let top = 8.0 + title + legend.len() as f64 * LINE + if legend.is_empty() { 0.0 } else { 6.0 };
    let area = match heat {
        Some(rows) => heat_area(plot, rows, top),
        None => area(plot, top),
    };
    let height = area.bottom + LINE + 6.0 + if plot.x.label.is_empty() { 0.0 } else { LINE };
    let width = area.right.max(if heat.is_some() { 240.0 } else { 0.0 }) + 12.0;
    let mut svg = Html::new();
    let view = format!("0 0 {} {}", px(width), px(height));
    let natural = if heat.is_some() && width < WIDTH * 0.8 { "plot small" } else { "plot" };
    let attributes = [
        ("class", Some(natural)),
        ("viewBox", Some(&view[..])),
        ("width", Some(&px(width * SCALE)[..])),
        ("height", Some(&px(height * SCALE)[..])),
        ("role", Some("img")),
    ];
    svg.open("svg", &attributes);
    let name = if plot.title.is_empty() { alt } else { &plot.title };
    svg.open("title", &[]).text(name).close("title");
    if !alt.is_empty() && alt != name {
        svg.open("desc", &[]).text(alt).close("desc");
    }
    if !plot.title.is_empty() {
        label(&mut svg, "plot-title", (area.left, LINE - 2.0), &plot.title);
    }
    draw_legend(&mut svg, plot, &legend, area.left, title + 4.0);
    axes(&mut svg, plot, &area, heat.is_some());
    let mut series = 0;
    for mark in &plot.marks {
        marks::mark(&mut svg, plot, &area, mark, series);
        if marks::name(mark).is_some() {
            series += 1;
        }
    }
    svg.close("svg");
    svg
}

/// The scales of a plot on two axes.
fn area(plot: &Plot, top: f64) -> Area {
    let (mut across, mut up) = (Vec::new(), Vec::new());
    let mut bars = false;
    let mut arrows = false;
    for mark in &plot.marks {
        match mark {
            Mark::Line { points, .. } | Mark::Scatter { points, .. } => {
                across.extend(points.iter().map(|it| it.0.0));
                up.extend(points.iter().map(|it| it.1.0));
            }
            Mark::Bars { heights, .. } => {
                bars = true;
                across.extend([-0.5, heights.len() as f64 - 0.5]);
                up.extend(heights.iter().map(|it| it.0));
            }
            Mark::Arrow { from, to, .. } => {
                arrows = true;
                across.extend([from.0.0, to.0.0]);
                up.extend([from.1.0, to.1.0]);
            }
            Mark::Heat { .. } => {}
        }
    }
    if bars && !plot.y.log {
        up.push(0.0);
    }
    let mut y = Scale::new(&up, &plot.y, true, 5);
    let widest = y.ticks.iter().map(|it| it.1.chars().count()).max().unwrap_or(0);
    let left = 18.0 + widest as f64 * LETTER + if plot.y.label.is_empty() { 0.0 } else { LINE };
    let right = WIDTH - 16.0;
    let bottom = top + HEIGHT;
    let mut x = Scale::new(&across, &plot.x, arrows, 6);
    if arrows && !plot.x.log && !plot.y.log {
        scale::equal_units(&mut x, &mut y, (right - left) / HEIGHT);
    }
    x.place(left, right);
    y.place(bottom, top);
    x.thin(LETTER);
    Area { x, y, left, right, top, bottom }
}

/// The scales of a heat map: a band for each row and column.
fn heat_area(plot: &Plot, rows: &[Vec<Real>], top: f64) -> Area {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut y = Scale::bands(rows.len().max(1), &plot.y.names);
    let mut x = Scale::bands(columns, &plot.x.names);
    let widest = y.ticks.iter().map(|it| it.1.chars().count()).max().unwrap_or(0);
    let left = 14.0 + widest as f64 * LETTER + if plot.y.label.is_empty() { 0.0 } else { LINE };
    let room = WIDTH - left - 16.0;
    let side = (room / columns as f64).min(380.0 / rows.len().max(1) as f64).clamp(3.0, 52.0);
    // Names of a few columns shall not run into each other.
    let named = x.ticks.iter().map(|it| it.1.chars().count()).max().unwrap_or(0);
    let side = side.max(((named as f64 + 2.0) * LETTER).min(84.0)).min(room / columns as f64);
    let right = left + side * columns as f64;
    let bottom = top + side * rows.len().max(1) as f64;
    x.place(left, right);
    y.place(top, bottom);
    x.thin(LETTER);
    y.thin_by(LINE - 4.0);
    Area { x, y, left, right, top, bottom }
}

fn axes(svg: &mut Html, plot: &Plot, area: &Area, heat: bool) {
    for (value, text) in &area.x.ticks {
        let x = area.x.at(*value);
        if !heat && plot.x.names.is_empty() {
            line(svg, "grid", (x, area.top), (x, area.bottom));
        }
        label(svg, "tick-x", (x, area.bottom + LINE - 3.0), text);
    }
    for (value, text) in &area.y.ticks {
        let y = area.y.at(*value);
        if !heat {
            line(svg, "grid", (area.left, y), (area.right, y));
        }
        label(svg, "tick-y", (area.left - 6.0, y + 4.0), text);
    }
    if !heat {
        let ground = match area.y.spans(0.0) {
            true if !area.y.log => area.y.at(0.0),
            true | false => area.bottom,
        };
        line(svg, "axis", (area.left, ground), (area.right, ground));
        line(svg, "axis", (area.left, area.top), (area.left, area.bottom));
    }
    let middle = f64::midpoint(area.left, area.right);
    if !plot.x.label.is_empty() {
        label(svg, "label-x", (middle, area.bottom + 2.0 * LINE - 2.0), &plot.x.label);
    }
    if !plot.y.label.is_empty() {
        let at = (14.0, f64::midpoint(area.top, area.bottom));
        let turn = format!("rotate(-90 {} {})", px(at.0), px(at.1));
        text(svg, "label-x", at, &plot.y.label, Some(&turn));
    }
}

/// Which series stand in each line of the legend, with their index and place.
fn legend_rows(plot: &Plot) -> Vec<Vec<(usize, f64)>> {
    let named: Vec<&str> = plot.marks.iter().filter_map(marks::name).collect();
    let arrows = plot.marks.iter().all(|it| matches!(it, Mark::Arrow { .. }));
    if arrows || named.iter().all(|it| it.is_empty()) {
        return Vec::new();
    }
    let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut x = f64::INFINITY;
    for (index, name) in named.into_iter().enumerate() {
        let width = 44.0 + name.chars().count() as f64 * LETTER;
        if x + width > WIDTH - 60.0 {
            rows.push(Vec::new());
            x = 0.0;
        }
        rows.last_mut().expect("the first name starts a row").push((index, x));
        x += width;
    }
    rows
}

fn draw_legend(svg: &mut Html, plot: &Plot, rows: &[Vec<(usize, f64)>], left: f64, top: f64) {
    let named: Vec<&Mark> = plot.marks.iter().filter(|it| marks::name(it).is_some()).collect();
    for (row, entries) in rows.iter().enumerate() {
        let y = top + row as f64 * LINE + LINE / 2.0;
        for (index, x) in entries {
            let mark = named[*index];
            marks::sample(svg, mark, *index, (left + x, y));
            label(svg, "legend", (left + x + 32.0, y + 4.0), marks::name(mark).unwrap_or_default());
        }
    }
}

fn line(svg: &mut Html, class: &str, from: (f64, f64), to: (f64, f64)) {
    svg.open(
        "line",
        &[
            ("class", Some(class)),
            ("x1", Some(&px(from.0))),
            ("y1", Some(&px(from.1))),
            ("x2", Some(&px(to.0))),
            ("y2", Some(&px(to.1))),
        ],
    )
    .close("line");
}

fn label(svg: &mut Html, class: &str, at: (f64, f64), words: &str) {
    text(svg, class, at, words, None);
}

fn text(svg: &mut Html, class: &str, at: (f64, f64), words: &str, turn: Option<&str>) {
    let attributes = [
        ("class", Some(class)),
        ("x", Some(&px(at.0)[..])),
        ("y", Some(&px(at.1)[..])),
        ("transform", turn),
    ];
    svg.element("text", &attributes, |it| {
        it.text(words);
    });
}

/// A number as in a label.
fn short(value: f64) -> String {
    let format = crate::value::Format { significant: Some(4), ..crate::value::Format::default() };
    Value::Float(Real(value)).written(format).map_or_else(String::new, |it| it.text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Axis;

    fn drawn(marks: Vec<Mark>, log: bool) -> String {
        let axis = || Axis { label: "n < m".into(), log, names: Vec::new() };
        let plot = Plot { title: String::new(), x: axis(), y: axis(), marks };
        drawing(&plot, "words").into_string()
    }

    #[test]
    fn every_mark_is_drawn_and_odd_numbers_do_no_harm() {
        let odd = [0.0, -1.0, 5.0, f64::NAN, f64::INFINITY, f64::MAX, f64::MIN_POSITIVE];
        let points: Vec<_> = odd.iter().map(|it| (Real(*it), Real(*it))).collect();
        let heights: Vec<_> = odd.iter().map(|it| Real(*it)).collect();
        let name = String::from("a & b");
        let marks = [
            (Mark::Line { name: name.clone(), points: points.clone() }, "<polyline"),
            (Mark::Scatter { name: name.clone(), points }, "<circle"),
            (Mark::Bars { name: name.clone(), heights: heights.clone() }, "class=\"bar s1\""),
            (Mark::Heat { rows: vec![heights, Vec::new()] }, "class=\"cell h"),
            (Mark::Arrow { name, from: points_at(0.0), to: points_at(2.0) }, "class=\"tip\""),
        ];
        for (mark, expected) in marks {
            for log in [false, true] {
                let svg = drawn(vec![mark.clone(), mark.clone()], log);
                // A cell may say NaN, a place may not be one.
                for place in ["\"NaN", ",NaN", " NaN", "inf"] {
                    assert!(!svg.contains(place), "{place} in {svg}");
                }
                assert!(!svg.contains("& b") && svg.contains("<title>words</title>"), "{svg}");
                assert!(log || svg.contains(expected), "{svg}");
            }
        }
        assert!(drawn(Vec::new(), true).ends_with("</svg>"));
    }

    fn points_at(value: f64) -> (Real, Real) {
        (Real(value), Real(value))
    }

    #[test]
    fn series_differ_in_more_than_colour() {
        let line = |it: f64| Mark::Line { name: it.to_string(), points: vec![points_at(it)] };
        let svg = drawn((0..6).map(|it| line(f64::from(it))).collect(), false);
        for look in 1..=6 {
            assert!(svg.contains(&format!("line s{look}")), "{svg}");
        }
        assert!(svg.matches("<polygon").count() >= 4, "{svg}");
    }
}
