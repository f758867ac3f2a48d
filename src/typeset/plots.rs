//! Plots as data to drawings of Typst: axes, ticks, a legend, marks told apart without colour.

use super::Writer;
use crate::value::{Heat, Mark, Names, Plot, Real, Ruler, is_stepped};

/// Width of the drawing in points, within its labels.
const WIDTH: f64 = 250.0;

/// Height of the drawing in points, within its labels.
const HEIGHT: f64 = 150.0;

/// Greatest height of a drawing whose units are equal, and of a heat map of few rows.
const SQUARE: f64 = 150.0;

/// Greatest height of a heat map.
const TALL: f64 = 180.0;

/// A heat map of more rows than this is high.
const ROWS: usize = 16;

/// Cells that are smaller than this are not square: they are too small to be told apart, and the
/// whole is as wide as it may be.
const FINE: f64 = 4.0;

/// A heat map's cell is at most so many points wide, unless names need more.
const CELL: f64 = 26.0;

/// Width of a letter of the labels, about.
const LETTER: f64 = 3.9;

/// Height of a line of the labels.
const LINE: f64 = 9.0;

/// Width of a digit in a cell, about.
const DIGIT: f64 = 3.3;

/// From this shade on a cell needs white digits.
const DARK: f64 = 0.65;

/// Names along the horizontal axis take at most so many letters of room.
const NAME: usize = 28;

/// The slope of names that have no room side by side, in degrees; the template's.
const SLOPE: f64 = 35.0;

/// A line has about so many markers.
const SPOTS: usize = 9;

/// Told of points that are not drawn.
const NO_PLACE: &str = "Without a place on the axes";

/// The axes of a drawing and its size.
struct Frame<'a> {
    x: &'a Ruler,
    y: &'a Ruler,
    size: (f64, f64),
}

impl Frame<'_> {
    fn across(&self, value: f64) -> f64 {
        self.x.part(value) * self.size.0
    }

    fn up(&self, value: f64) -> f64 {
        self.y.part(value) * self.size.1
    }

    fn shows(&self, point: &(Real, Real)) -> bool {
        self.x.shows(point.0.0) && self.y.shows(point.1.0)
    }
}

impl Writer<'_> {
    /// Writes a plot as an expression of code.
    pub(super) fn plot(&mut self, plot: &Plot, alt: &str) {
        let plot = &plot.with_minus();
        let alt = if alt.is_empty() { plot.spoken() } else { alt.to_owned() };
        self.draft.markup("b.drawing(");
        self.draft.string(&alt);
        self.draft.markup(", title: [");
        self.loose(&plot.title);
        self.draft.markup("], x: [");
        self.loose(&plot.x.label);
        self.draft.markup("], y: [");
        self.loose(&plot.y.label);
        self.draft.markup("], ");
        let drawn = plot.drawn();
        if drawn.left_out > 0 {
            let all = drawn.left_out + drawn.shown;
            self.draft.markup("note: [");
            self.draft.text(&format!("{NO_PLACE}: {} of {all}", drawn.left_out));
            self.draft.markup("], ");
        } else if drawn.shown == 0 {
            self.draft.markup("note: [No data], ");
        }
        match plot.heat() {
            Some(heat) => self.heat(&heat, plot),
            None => self.lines(plot),
        }
        self.draft.markup(")");
    }

    fn heat(&mut self, heat: &Heat, plot: &Plot) {
        let (rows, columns) = (heat.y.ticks.len() as f64, heat.x.ticks.len() as f64);
        let most = if heat.y.ticks.len() > ROWS { TALL } else { SQUARE };
        let side = (WIDTH / columns).min(most / rows).min(CELL);
        // Names of a few columns have room beside each other if the cells are a little wider.
        let wide = (letters(&heat.x) as f64 + 1.2) * LETTER;
        let wide = match wide < 42.0_f64.min(WIDTH / columns) {
            _ if side < FINE => WIDTH / columns,
            true => side.max(wide),
            false => side,
        };
        let frame = Frame { x: &heat.x, y: &heat.y, size: (wide * columns, side * rows) };
        let named = (!plot.x.names.is_empty(), !plot.y.names.is_empty());
        self.frame(&frame, false, named);
        let most = heat.rows.iter().flatten().map(|it| it.text.chars().count()).max().unwrap_or(0);
        let written = most as f64 * DIGIT + 2.0 <= wide && side >= LINE;
        let scale = [("low", &heat.low), ("middle", &heat.middle), ("high", &heat.high)];
        for (name, number) in scale {
            self.draft.markup(&format!("{name}: \"{number}\", "));
        }
        if !heat.unshaded.is_empty() {
            self.draft.markup(&format!("unshaded: \"{}\", ", heat.unshaded.join(", ")));
        }
        self.draft.markup("cells: (");
        for row in &heat.rows {
            self.draft.markup("(");
            for cell in row {
                let text = if written { &cell.text[..] } else { "" };
                let dark = cell.part.is_some_and(|it| it >= DARK);
                let part = cell.part.map_or_else(|| "none".into(), |it| format!("{it:.3}"));
                self.draft.markup(&format!("({part}, {dark}, \"{text}\"), "));
            }
            self.draft.markup("), ");
        }
        self.draft.markup("), ");
    }

    /// Writes the size of a drawing and what stands along its axes, each with names or numbers.
    fn frame(&mut self, frame: &Frame<'_>, grid: bool, named: (bool, bool)) {
        let (width, height) = frame.size;
        self.draft.markup(&format!("size: ({width:.2}, {height:.2}), grid-lines: {grid}, "));
        let margin = (letters(frame.y) as f64 * LETTER + 6.0).clamp(20.0, 110.0);
        self.draft.markup(&format!("margin: {margin:.1}, "));
        let band = width / (frame.x.high - frame.x.low);
        let names = Names::new(frame.x.ticks.iter().map(|it| &it.1[..]), band, LETTER);
        let slopes = named.0 && names == Names::Sloping;
        if slopes {
            let width = letters(frame.x).min(NAME) as f64 * LETTER * 0.9;
            let reach = width * SLOPE.to_radians().sin();
            self.draft.markup(&format!("slope: {:.1}, ", reach + LINE));
        }
        let apart = match (slopes, named.0) {
            (true, _) => LINE,
            (false, true) => 0.0,
            (false, false) => (letters(frame.x) as f64 + 1.0) * LETTER,
        };
        self.draft.markup("xticks: (");
        for (value, text) in frame.x.ticks_apart(width, apart) {
            self.tick(frame.across(*value), text, named.0);
        }
        self.draft.markup("), yticks: (");
        for (value, text) in frame.y.ticks_apart(height, LINE) {
            self.tick(frame.up(*value), text, named.1);
        }
        self.draft.markup("), ");
    }

    fn tick(&mut self, place: f64, text: &str, named: bool) {
        self.draft.markup(&format!("({place:.2}, ["));
        if named {
            self.loose(text);
        } else {
            self.draft.text(text);
        }
        self.draft.markup("]), ");
    }

    fn lines(&mut self, plot: &Plot) {
        let (x, y) = plot.rulers();
        let size = plot.size((&x, &y), (WIDTH, HEIGHT), (WIDTH, SQUARE));
        let frame = Frame { x: &x, y: &y, size };
        self.frame(&frame, true, (!plot.x.names.is_empty(), !plot.y.names.is_empty()));
        self.draft.markup("marks: (");
        let groups = plot.marks.iter().filter(|it| matches!(it, Mark::Bars { .. })).count().max(1);
        let mut group = 0;
        let histograms = plot.marks.iter().filter(|it| matches!(it, Mark::Histogram { .. }));
        let clear = histograms.count() > 1;
        let legend = plot.legend();
        let tips = plot.tips((&x, &y), size, LETTER);
        for (index, (mark, tip)) in plot.marks.iter().zip(tips).enumerate() {
            let (kind, name) = match mark {
                Mark::Line { name, .. } => ("line", name),
                Mark::Scatter { name, .. } => ("scatter", name),
                Mark::Bars { name, .. } => ("bars", name),
                Mark::Histogram { name, .. } if clear => ("clear", name),
                Mark::Histogram { name, .. } => ("histogram", name),
                Mark::Arrow { name, .. } => ("arrow", name),
                Mark::Heat { .. } => continue,
            };
            self.draft.markup(&format!("(kind: \"{kind}\", style: {index}, name: ["));
            self.loose(name);
            self.draft.markup(&format!("], legend: {}, tip: ", legend.contains(&index)));
            match tip {
                Some((x, y)) => self.draft.markup(&format!("({x:.2}, {y:.2})")),
                None => self.draft.markup("none"),
            }
            self.draft.markup(", points: (");
            self.points(mark, &frame, (group, groups));
            self.draft.markup(")");
            if let Mark::Line { points, .. } = mark {
                self.spots(points, &frame);
            }
            self.draft.markup("), ");
            group += usize::from(matches!(mark, Mark::Bars { .. }));
        }
        self.draft.markup("), ");
    }

    fn points(&mut self, mark: &Mark, frame: &Frame<'_>, (group, groups): (usize, usize)) {
        match mark {
            Mark::Line { points, .. } => {
                for run in points.split(|it| !frame.shows(it)).filter(|it| !it.is_empty()) {
                    self.draft.markup("(");
                    run.iter().for_each(|it| self.point(frame, it));
                    self.draft.markup("), ");
                }
            }
            Mark::Scatter { points, .. } => {
                points.iter().filter(|it| frame.shows(it)).for_each(|it| self.point(frame, it));
            }
            Mark::Bars { heights, .. } => {
                let wide = 0.72 / groups as f64;
                let zero = if frame.y.log { 0.0 } else { frame.up(0.0) };
                for (place, height) in heights.iter().enumerate() {
                    if !frame.y.shows(height.0) {
                        continue;
                    }
                    let left = place as f64 - 0.36 + wide * group as f64;
                    let (from, to) = (frame.across(left), frame.across(left + wide));
                    let top = frame.up(height.0);
                    let (low, tall, across) = (top.min(zero), (top - zero).abs(), to - from);
                    self.draft.markup(&format!("({from:.2}, {low:.2}, {across:.2}, {tall:.2}), "));
                }
            }
            Mark::Histogram { edges, counts, .. } => {
                let zero = if frame.y.log { 0.0 } else { frame.up(0.0) };
                for (ends, count) in edges.windows(2).zip(counts) {
                    let (from, to) = (frame.across(ends[0].0), frame.across(ends[1].0));
                    let top = if frame.y.shows(count.0) { frame.up(count.0) } else { zero };
                    let (low, tall, across) = (top.min(zero), (top - zero).abs(), to - from);
                    self.draft.markup(&format!("({from:.2}, {low:.2}, {across:.2}, {tall:.2}), "));
                }
            }
            Mark::Arrow { from, to, .. } => {
                if frame.shows(from) && frame.shows(to) {
                    self.point(frame, from);
                    self.point(frame, to);
                }
            }
            Mark::Heat { .. } => {}
        }
    }

    /// Writes where a line has markers, so that it is told from others in gray.
    fn spots(&mut self, points: &[(Real, Real)], frame: &Frame<'_>) {
        self.draft.markup(", spots: (");
        let points = if is_stepped(points) { &[] } else { points };
        let every = points.len().div_ceil(SPOTS).max(1);
        let spots = points.iter().step_by(every).filter(|it| frame.shows(it));
        spots.for_each(|it| self.point(frame, it));
        self.draft.markup(")");
    }

    fn point(&mut self, frame: &Frame<'_>, point: &(Real, Real)) {
        let (x, y) = (frame.across(point.0.0), frame.up(point.1.0));
        self.draft.markup(&format!("({x:.2}, {y:.2}), "));
    }
}

/// How many letters the longest of what is written along an axis has.
fn letters(ruler: &Ruler) -> usize {
    ruler.ticks.iter().map(|it| it.1.chars().count()).max().unwrap_or(0)
}
