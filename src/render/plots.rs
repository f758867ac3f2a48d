//! Plots as data to SVG. Colours, dashes and fonts are the style sheet's, by classes; each series
//! also has a dash and a marker of its own, so that a plot reads in gray.

use super::writer::Writer;
use crate::html::Html;
use crate::value::{Heat, Mark, Names, Plot, Ruler, Table};

mod data;
mod hatch;
mod legend;
mod marks;

/// Width of the picture in its own units; the page scales it.
const WIDTH: f64 = 520.0;
/// The page shows it so many times as large, if there is room.
const SCALE: f64 = 1.1;
/// Height of the plain plotting area.
const HEIGHT: f64 = 260.0;
/// Greatest height of a plotting area whose units are equal.
const TALL: f64 = 380.0;
/// Least width of what stands above a plotting area.
const HEAD: f64 = 240.0;
/// Width of a character of the labels, about.
const LETTER: f64 = 6.6;
/// Height of a line of text.
const LINE: f64 = 18.0;
/// A name along an axis has at most so many characters.
const NAME: usize = 28;
/// The slope of names that have no room side by side, in degrees.
const SLOPE: f64 = 35.0;

/// Where things are drawn.
pub(super) struct Area {
    pub x: Ruler,
    pub y: Ruler,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    /// Height of what stands along the horizontal axis.
    below: f64,
}

impl Area {
    fn across(&self, value: f64) -> f64 {
        self.left + self.x.part(value) * (self.right - self.left)
    }

    fn up(&self, value: f64) -> f64 {
        self.bottom - self.y.part(value) * (self.bottom - self.top)
    }

    /// Where a row of a heat map is; the first is on top.
    fn down(&self, row: f64) -> f64 {
        self.top + self.y.part(row) * (self.bottom - self.top)
    }

    /// Width of a place along the horizontal axis.
    fn band(&self) -> f64 {
        (self.right - self.left) / (self.x.high - self.x.low)
    }

    /// How names stand along the horizontal axis.
    fn names(&self) -> Names {
        Names::new(self.x.ticks.iter().map(|it| &it.1[..]), self.band(), LETTER)
    }

    /// Makes room for what is written along the horizontal axis.
    fn make_room(mut self, named: bool) -> Self {
        self.below = LINE;
        if named && self.names() == Names::Sloping {
            let (sin, cos) = SLOPE.to_radians().sin_cos();
            let width = |it: &str| it.chars().count() as f64 * LETTER * 0.85;
            let widest = self.x.ticks.iter().map(|it| width(&it.1)).fold(0.0, f64::max);
            self.below = widest * sin + LINE;
            let over = |it: &(f64, String)| width(&it.1) * cos + 8.0 - self.across(it.0);
            let over = self.x.ticks.iter().map(over).fold(0.0, f64::max);
            (self.left, self.right) = (self.left + over, self.right + over);
        }
        self
    }
}

impl Writer<'_> {
    /// Writes a plot with its data below. `alt` says in words what it shows.
    pub(super) fn plot(&mut self, plot: &Plot, alt: &str) {
        let plot = self.worded(plot);
        let name = if plot.title.is_empty() { alt } else { &plot.title };
        let drawn = plot.drawn();
        let words = self.words;
        let nothing = if drawn.left_out == 0 { words.no_data } else { words.no_place };
        let svg = drawing(&plot, alt, nothing);
        let attributes = [("class", Some("scroll plot-frame")), ("data-name", Some(name))];
        self.out.open("div", &attributes).html(&svg).close("div").markup("\n");
        if drawn.left_out > 0 {
            let (out, all) = (drawn.left_out, drawn.left_out + drawn.shown);
            let count = format!(": {out} {} {all}", words.of);
            self.out.markup("<p class=\"plot-note\">").text(words.no_place).text(&count);
            self.out.markup("</p>\n");
        }
        self.plot_data(&plot);
    }

    /// The plot with its formulas as readable text, since a picture has no maths.
    fn worded(&mut self, plot: &Plot) -> Plot {
        let mut out = plot.with_minus();
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
                | Mark::Histogram { name, .. }
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

/// The picture. `nothing` stands in a plot without data.
fn drawing(plot: &Plot, alt: &str, nothing: &str) -> Html {
    let heat = plot.heat();
    let title = legend::title(&plot.title);
    let over = if title.is_empty() { 0.0 } else { title.len() as f64 * LINE + 4.0 };
    let placed = |top: f64| match &heat {
        Some(heat) => heat_area(plot, heat, top),
        None => area(plot, top),
    };
    let wide = placed(0.0);
    let rows = legend::rows(plot, (wide.right - wide.left).max(HEAD));
    let top = 8.0 + over + rows.len() as f64 * LINE + if rows.is_empty() { 0.0 } else { 6.0 };
    let area = placed(top);
    let below = area.bottom + area.below + if plot.x.label.is_empty() { 0.0 } else { LINE };
    let scale = heat
        .as_ref()
        .map_or((0.0, 0.0), |it| (legend::scale_width(it), legend::scale_bottom(it, &area)));
    let height = below.max(scale.1) + 6.0;
    let heads = rows.iter().filter_map(|it| it.last()).map(|it| it.1 + it.2);
    let head = heads.fold(legend::title_width(&title), f64::max);
    let width = (area.right + scale.0).max(area.left + head).max(HEAD) + 12.0;
    let mut svg = Html::new();
    open(&mut svg, plot, alt, (width, height));
    for (index, line) in title.iter().enumerate() {
        let y = LINE - 2.0 + index as f64 * LINE;
        label(&mut svg, "plot-title", (area.left, y), line);
    }
    legend::draw(&mut svg, plot, &rows, (area.left, over + 4.0));
    axes(&mut svg, plot, &area, heat.is_some());
    axis_labels(&mut svg, plot, &area, (area.right + scale.0 + 12.0, height));
    if let Some(heat) = &heat {
        marks::heat(&mut svg, &area, heat);
        legend::scale(&mut svg, heat, &area);
    }
    marks::marks(&mut svg, plot, &area);
    if plot.drawn().shown == 0 {
        legend::nothing(&mut svg, &area, nothing);
    }
    svg.close("svg");
    svg
}

/// Opens the picture, with its name and what it shows in words.
fn open(svg: &mut Html, plot: &Plot, alt: &str, (width, height): (f64, f64)) {
    let view = format!("0 0 {} {}", px(width), px(height));
    let natural = if width < WIDTH * 0.8 { "plot small" } else { "plot" };
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
    let own = Some(alt).filter(|it| !it.is_empty() && *it != name);
    let words = own.map_or_else(String::new, |it| format!("{it} "));
    svg.open("desc", &[]).text(&words).text(&plot.spoken()).close("desc");
}

/// Room on the left for what is written along the vertical axis.
fn margin(plot: &Plot, y: &Ruler) -> f64 {
    let widest = y.ticks.iter().map(|it| it.1.chars().count()).max().unwrap_or(0);
    18.0 + widest as f64 * LETTER + if plot.y.label.is_empty() { 0.0 } else { LINE }
}

/// Where a plot on two axes is drawn.
fn area(plot: &Plot, top: f64) -> Area {
    let (mut x, mut y) = plot.rulers();
    clip_names(&mut x);
    clip_names(&mut y);
    let left = margin(plot, &y);
    let room = (WIDTH - 16.0 - left).max(WIDTH / 2.0);
    let (wide, tall) = plot.size((&x, &y), (room, HEIGHT), (room, TALL));
    let area = Area { x, y, left, right: left + wide, top, bottom: top + tall, below: 0.0 };
    area.make_room(!plot.x.names.is_empty())
}

/// Where a heat map is drawn.
fn heat_area(plot: &Plot, heat: &Heat, top: f64) -> Area {
    let (mut x, mut y) = (heat.x.clone(), heat.y.clone());
    clip_names(&mut x);
    clip_names(&mut y);
    let (rows, columns) = (y.high - y.low, x.high - x.low);
    let left = margin(plot, &y);
    let room = (WIDTH - left - 16.0).max(WIDTH / 2.0);
    let side = (room / columns).min(TALL / rows).clamp(3.0, 52.0);
    // Names of a few columns have room beside each other if the cells are a little wider.
    let named = x.ticks.iter().map(|it| it.1.chars().count()).max().unwrap_or(0);
    let wide = (named as f64 + 1.2) * LETTER;
    let wide = if wide < 84.0_f64.min(room / columns) { side.max(wide) } else { side };
    let (right, bottom) = (left + wide * columns, top + side * rows);
    Area { x, y, left, right, top, bottom, below: 0.0 }.make_room(!plot.x.names.is_empty())
}

fn clip_names(ruler: &mut Ruler) {
    for (_, name) in &mut ruler.ticks {
        *name = legend::clipped(name, NAME);
    }
}

fn axes(svg: &mut Html, plot: &Plot, area: &Area, heat: bool) {
    let widest = area.x.ticks.iter().map(|it| it.1.chars().count()).max().unwrap_or(0);
    let named = !plot.x.names.is_empty();
    let slopes = named && area.names() == Names::Sloping;
    let room = match (named, slopes) {
        (_, true) => LINE - 4.0,
        (true, false) => 0.0,
        (false, false) => (widest as f64 + 1.0) * LETTER,
    };
    for (value, words) in area.x.ticks_apart(area.right - area.left, room) {
        let x = area.across(*value);
        if !heat && !named {
            line(svg, "grid", (x, area.top), (x, area.bottom));
        }
        if slopes {
            let at = (x + 4.0, area.bottom + LINE - 6.0);
            let turn = format!("rotate(-{SLOPE} {} {})", px(at.0), px(at.1));
            text(svg, "tick-x sloping", at, words, Some(&turn));
        } else {
            label(svg, "tick-x", (x, area.bottom + LINE - 3.0), words);
        }
    }
    for (value, text) in area.y.ticks_apart(area.bottom - area.top, LINE - 4.0) {
        let y = if heat { area.down(*value) } else { area.up(*value) };
        if !heat {
            line(svg, "grid", (area.left, y), (area.right, y));
        }
        label(svg, "tick-y", (area.left - 6.0, y + 4.0), text);
    }
    if !heat {
        let stands = |it: &Mark| matches!(it, Mark::Bars { .. } | Mark::Histogram { .. });
        let bars = plot.marks.iter().any(stands);
        let zero = (area.y.low..=area.y.high).contains(&0.0) && !area.y.log && bars;
        let ground = if zero { area.up(0.0) } else { area.bottom };
        line(svg, "axis", (area.left, ground), (area.right, ground));
        line(svg, "axis", (area.left, area.top), (area.left, area.bottom));
    }
}

/// Writes the labels of both axes, each at the middle of its axis if it has room there.
fn axis_labels(svg: &mut Html, plot: &Plot, area: &Area, (width, height): (f64, f64)) {
    let middle = |low: f64, high: f64, label: &str, all: f64| {
        let half = label.chars().count() as f64 * LETTER / 2.0 + 2.0;
        f64::midpoint(low, high).min(all - half).max(half.min(all / 2.0))
    };
    let fits = |label: &str, room: f64| legend::clipped(label, (room / LETTER) as usize);
    if !plot.x.label.is_empty() {
        let words = fits(&plot.x.label, width);
        let middle = middle(area.left, area.right, &words, width);
        label(svg, "label-x", (middle, area.bottom + area.below + LINE - 2.0), &words);
    }
    if !plot.y.label.is_empty() {
        let words = fits(&plot.y.label, height);
        let at = (14.0, middle(area.top, area.bottom, &words, height));
        let turn = format!("rotate(-90 {} {})", px(at.0), px(at.1));
        text(svg, "label-x", at, &words, Some(&turn));
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

/// A place in the picture, to a tenth.
fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Axis, Real};

    fn drawn(marks: Vec<Mark>, log: bool) -> String {
        let axis = || Axis { label: "n < m".into(), log, names: Vec::new() };
        let plot = Plot { title: String::new(), x: axis(), y: axis(), equal: false, marks };
        drawing(&plot, "words", "nothing").into_string()
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
            (
                Mark::Histogram {
                    name: name.clone(),
                    edges: (0..8).map(|it| Real(f64::from(it))).collect(),
                    counts: heights.clone(),
                },
                "class=\"hist clear s1\"",
            ),
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
        assert!(drawn(Vec::new(), true).contains(">nothing</text></svg>"));
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
        let bars = |it: f64| Mark::Bars { name: it.to_string(), heights: vec![Real(it + 9.0)] };
        let svg = drawn((0..6).map(|it| bars(f64::from(it))).collect(), false);
        for look in 2..=6 {
            assert!(svg.contains(&format!("hatch s{look}")), "{svg}");
        }
    }

    /// The colours of a palette of the style sheet by name.
    fn palette(head: &str) -> std::collections::BTreeMap<String, [f64; 3]> {
        let css = include_str!("../../themes/default/assets/book.css");
        let body = css.split(head).nth(1).unwrap().split('}').next().unwrap();
        let one = |it: &str| {
            let (name, value) = it.trim().strip_prefix("--")?.split_once(": #")?;
            let part = |at: usize| {
                let byte = u8::from_str_radix(value.get(at..at + 2)?, 16).ok()?;
                let part = f64::from(byte) / 255.0;
                Some(if part <= 0.04045 {
                    part / 12.92
                } else {
                    ((part + 0.055) / 1.055).powf(2.4)
                })
            };
            Some((name.to_owned(), [part(0)?, part(2)?, part(4)?]))
        };
        body.split(';').filter_map(one).collect()
    }

    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let light = |it: [f64; 3]| 0.2126 * it[0] + 0.7152 * it[1] + 0.0722 * it[2] + 0.05;
        let (a, b) = (light(a), light(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn both_palettes_read_in_gray() {
        for head in [":root {", ":root[data-theme=\"dark\"] {"] {
            let colors = palette(head);
            let of = |name: String| colors[&name];
            for look in 1..=6 {
                let ratio = contrast(of(format!("s{look}")), colors["raised"]);
                assert!(ratio >= 3.0, "s{look} on its ground in {head}: {ratio:.2}");
            }
            let ratio = |shade: usize, to: &str| contrast(of(format!("h{shade}")), colors[to]);
            for shade in 0..marks::SHADES {
                let to = if shade * 2 > marks::SHADES { "on-high" } else { "on-low" };
                let found = ratio(shade, to);
                assert!(found >= 4.5, "h{shade} under its number in {head}: {found:.2}");
            }
            // Each shade is further from black, or from white, than the one before.
            let end = if head == ":root {" { [1.0; 3] } else { [0.0; 3] };
            let steps: Vec<f64> =
                (0..marks::SHADES).map(|it| contrast(of(format!("h{it}")), end)).collect();
            let rises = steps.windows(2).all(|it| it[1] > it[0] * 1.08);
            assert!(rises, "shades in {head}: {steps:.2?}");
        }
    }
}
