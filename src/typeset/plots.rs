//! Plots as data to drawings of Typst: axes, ticks, a legend, marks told apart without colour.

use super::Writer;
use crate::value::{Axis, Format, Mark, Plot, Real, Value};

/// Width of the drawing in points, within its labels.
const WIDTH: f64 = 250.0;

/// Height of the drawing in points, within its labels.
const HEIGHT: f64 = 150.0;

/// A heat map's cell is at most so many points wide.
const CELL: f64 = 26.0;

/// The least and the greatest number of an axis.
type Range = (f64, f64);

/// How numbers of an axis become points of the drawing.
struct Scale {
    range: Range,
    log: bool,
    size: f64,
}

impl Scale {
    /// Where `value` is, from the axis' start.
    fn at(&self, value: f64) -> f64 {
        let f = |it: f64| if self.log { it.log10() } else { it };
        let (low, high) = (f(self.range.0), f(self.range.1));
        self.size * (f(value) - low) / (high - low)
    }

    /// Whether `value` can be shown.
    fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }
}

impl Writer<'_> {
    /// Writes a plot as an expression of code.
    pub(super) fn plot(&mut self, plot: &Plot, alt: &str) {
        let alt = if alt.is_empty() { spoken(plot) } else { alt.to_owned() };
        let heat = plot.marks.iter().find_map(|it| match it {
            Mark::Heat { rows } => Some(rows),
            Mark::Line { .. } | Mark::Scatter { .. } | Mark::Bars { .. } | Mark::Arrow { .. } => {
                None
            }
        });
        self.draft.markup("b.drawing(");
        self.draft.string(&alt);
        self.draft.markup(", title: [");
        self.loose(&plot.title);
        self.draft.markup("], x: [");
        self.loose(&plot.x.label);
        self.draft.markup("], y: [");
        self.loose(&plot.y.label);
        self.draft.markup("], ");
        match heat {
            Some(rows) => self.heat(plot, rows),
            None => self.lines(plot),
        }
        self.draft.markup(")");
    }

    fn heat(&mut self, plot: &Plot, rows: &[Vec<Real>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(1).max(1);
        let cell = (WIDTH / columns as f64).min(CELL);
        let height = (cell * rows.len() as f64).min(HEIGHT * 2.0);
        let tall = height / rows.len().max(1) as f64;
        let finite = || rows.iter().flatten().map(|it| it.0).filter(|it| it.is_finite());
        let low = finite().fold(f64::INFINITY, f64::min);
        let high = finite().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let width = cell * columns as f64;
        self.frame(width, height, false);
        self.draft.markup("xticks: (");
        self.names(&plot.x.names, columns, cell);
        self.draft.markup("), yticks: (");
        self.names(&plot.y.names, rows.len(), tall);
        self.draft.markup(&format!(
            "), low: \"{}\", high: \"{}\", cells: (",
            tick(low),
            tick(high)
        ));
        for row in rows {
            self.draft.markup("(");
            for value in row {
                let span = high - low;
                let shade = if span > 0.0 { (value.0 - low) / span } else { 0.5 };
                let shade = if shade.is_finite() { shade.clamp(0.0, 1.0) } else { 0.0 };
                self.draft.markup(&format!("{shade:.3}, "));
            }
            self.draft.markup("), ");
        }
        self.draft.markup("), ");
    }

    /// Ticks for `count` named places, or numbers from 0, each in the middle of its `step`.
    fn names(&mut self, names: &[String], count: usize, step: f64) {
        let every = (count * 10).div_ceil((WIDTH / 2.0) as usize * 2).max(1);
        let every = if step >= 12.0 { 1 } else { every.max((12.0 / step).ceil() as usize) };
        for index in (0..count).step_by(every) {
            self.draft.markup(&format!("({:.2}, [", (index as f64 + 0.5) * step));
            match names.get(index) {
                Some(name) => self.loose(name),
                None if names.is_empty() => self.draft.text(&index.to_string()),
                None => {}
            }
            self.draft.markup("]), ");
        }
    }

    fn frame(&mut self, width: f64, height: f64, grid: bool) {
        self.draft.markup(&format!("size: ({width:.2}, {height:.2}), grid-lines: {grid}, "));
    }

    fn lines(&mut self, plot: &Plot) {
        let (xs, ys) = extent(plot);
        // Vectors in the plane keep their angles.
        let arrows = plot.marks.iter().any(|it| matches!(it, Mark::Arrow { .. }));
        let (width, height) = if arrows { square(&xs, &ys) } else { (WIDTH, HEIGHT) };
        let x = Scale { range: xs, log: plot.x.log, size: width };
        let y = Scale { range: ys, log: plot.y.log, size: height };
        self.frame(width, height, true);
        self.axis("xticks", &plot.x, &x);
        self.axis("yticks", &plot.y, &y);
        self.draft.markup("marks: (");
        let groups = plot.marks.iter().filter(|it| matches!(it, Mark::Bars { .. })).count().max(1);
        let mut group = 0;
        for (index, mark) in plot.marks.iter().enumerate() {
            self.mark(index, mark, (&x, &y), (group, groups));
            group += usize::from(matches!(mark, Mark::Bars { .. }));
        }
        self.draft.markup("), ");
    }

    fn axis(&mut self, word: &str, axis: &Axis, scale: &Scale) {
        self.draft.markup(word);
        self.draft.markup(": (");
        if axis.names.is_empty() {
            for value in ticks(scale) {
                self.draft.markup(&format!("({:.2}, [", scale.at(value)));
                self.draft.text(&tick(value));
                self.draft.markup("]), ");
            }
        } else {
            for (index, name) in axis.names.iter().enumerate() {
                self.draft.markup(&format!("({:.2}, [", scale.at(index as f64)));
                self.loose(name);
                self.draft.markup("]), ");
            }
        }
        self.draft.markup("), ");
    }

    fn mark(
        &mut self,
        index: usize,
        mark: &Mark,
        (x, y): (&Scale, &Scale),
        (group, groups): (usize, usize),
    ) {
        let shows = |a: f64, b: f64| x.shows(a) && y.shows(b);
        let (kind, name) = match mark {
            Mark::Line { name, .. } => ("line", name),
            Mark::Scatter { name, .. } => ("scatter", name),
            Mark::Bars { name, .. } => ("bars", name),
            Mark::Arrow { name, .. } => ("arrow", name),
            Mark::Heat { .. } => return,
        };
        self.draft.markup(&format!("(kind: \"{kind}\", style: {index}, name: ["));
        self.loose(name);
        self.draft.markup("], points: (");
        match mark {
            Mark::Line { points, .. } => {
                let shown = |it: &&(Real, Real)| shows(it.0.0, it.1.0);
                for run in points.chunk_by(|a, b| shown(&a) == shown(&b)) {
                    if run.first().is_some_and(|it| shown(&it)) {
                        self.draft.markup("(");
                        run.iter().for_each(|it| self.point(x.at(it.0.0), y.at(it.1.0)));
                        self.draft.markup("), ");
                    }
                }
            }
            Mark::Scatter { points, .. } => {
                for (a, b) in points.iter().filter(|it| shows(it.0.0, it.1.0)) {
                    self.point(x.at(a.0), y.at(b.0));
                }
            }
            Mark::Bars { heights, .. } => {
                let wide = 0.72 / groups as f64;
                let zero = if y.log { 0.0 } else { y.at(0.0) };
                for (place, height) in heights.iter().enumerate().filter(|it| y.shows(it.1.0)) {
                    let left = place as f64 - 0.36 + wide * group as f64;
                    let (from, to) = (x.at(left), x.at(left + wide));
                    let top = y.at(height.0);
                    let (low, high) = if top < zero { (top, zero) } else { (zero, top) };
                    let tall = high - low;
                    self.draft
                        .markup(&format!("({from:.2}, {low:.2}, {:.2}, {tall:.2}), ", to - from));
                }
            }
            Mark::Arrow { from, to, .. } => {
                if shows(from.0.0, from.1.0) && shows(to.0.0, to.1.0) {
                    self.point(x.at(from.0.0), y.at(from.1.0));
                    self.point(x.at(to.0.0), y.at(to.1.0));
                }
            }
            Mark::Heat { .. } => {}
        }
        self.draft.markup(")), ");
    }

    fn point(&mut self, x: f64, y: f64) {
        self.draft.markup(&format!("({x:.2}, {y:.2}), "));
    }
}

/// What a reader who does not see the plot is told, if the author says nothing.
fn spoken(plot: &Plot) -> String {
    let names: Vec<&str> = plot
        .marks
        .iter()
        .map(|it| match it {
            Mark::Line { name, .. }
            | Mark::Scatter { name, .. }
            | Mark::Bars { name, .. }
            | Mark::Arrow { name, .. } => &name[..],
            Mark::Heat { .. } => "heat map",
        })
        .filter(|it| !it.is_empty())
        .collect();
    let mut out = String::from("Plot");
    for (word, text) in [(": ", &plot.title), (", ", &plot.y.label), (" against ", &plot.x.label)] {
        if !text.is_empty() {
            out.push_str(word);
            out.push_str(text);
        }
    }
    if !names.is_empty() {
        out.push_str("; shown: ");
        out.push_str(&names.join(", "));
    }
    out
}

/// The least ranges that hold all marks, with a little room.
fn extent(plot: &Plot) -> (Range, Range) {
    let (mut xs, mut ys) = (Vec::new(), Vec::new());
    for mark in &plot.marks {
        match mark {
            Mark::Line { points, .. } | Mark::Scatter { points, .. } => {
                for (x, y) in points {
                    xs.push(x.0);
                    ys.push(y.0);
                }
            }
            Mark::Bars { heights, .. } => {
                xs.extend([-0.5, heights.len() as f64 - 0.5]);
                ys.extend(heights.iter().map(|it| it.0));
                if !plot.y.log {
                    ys.push(0.0);
                }
            }
            Mark::Arrow { from, to, .. } => {
                xs.extend([from.0.0, to.0.0]);
                ys.extend([from.1.0, to.1.0]);
            }
            Mark::Heat { .. } => {}
        }
    }
    let bars = plot.marks.iter().any(|it| matches!(it, Mark::Bars { .. }));
    (range(&xs, plot.x.log, !bars), range(&ys, plot.y.log, true))
}

fn range(values: &[f64], log: bool, room: bool) -> Range {
    let fine = || values.iter().copied().filter(|it| it.is_finite() && (!log || *it > 0.0));
    let low = fine().fold(f64::INFINITY, f64::min);
    let high = fine().fold(f64::NEG_INFINITY, f64::max);
    match (low <= high, log) {
        (false, true) => (1.0, 10.0),
        (false, false) => (0.0, 1.0),
        (true, true) if low == high => (low / 2.0, high * 2.0),
        (true, true) => {
            let room = (high / low).powf(0.04);
            (low / room, high * room)
        }
        (true, false) if low == high => {
            let room = if low == 0.0 { 1.0 } else { low.abs() / 2.0 };
            (low - room, high + room)
        }
        (true, false) => {
            let room = if room { (high - low) * 0.05 } else { 0.0 };
            // Zero is a natural end of an axis.
            let bottom = if low == 0.0 { 0.0 } else { low - room };
            (bottom, high + room)
        }
    }
}

/// A size on which both axes have the same unit.
fn square(xs: &Range, ys: &Range) -> (f64, f64) {
    let (wide, tall) = (xs.1 - xs.0, ys.1 - ys.0);
    let unit = (WIDTH / wide).min(HEIGHT * 1.4 / tall);
    ((unit * wide).max(60.0), (unit * tall).max(60.0))
}

/// Round numbers along an axis: steps of 1, 2 or 5 times a power of ten, or powers of ten.
fn ticks(scale: &Scale) -> Vec<f64> {
    let (low, high) = scale.range;
    if scale.log {
        let (first, last) = (low.log10().ceil() as i32, high.log10().floor() as i32);
        let step = ((last - first) / 6 + 1).max(1) as usize;
        let powers: Vec<f64> = (first..=last).step_by(step).map(|it| 10f64.powi(it)).collect();
        return if powers.len() >= 2 { powers } else { vec![low, high] };
    }
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|it| it * power).into_iter().find(|it| *it >= rough);
    let Some(step) = step.filter(|it| it.is_normal()) else { return vec![low, high] };
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    // Counting in steps keeps 0.3 from becoming 0.30000000000000004.
    (first..=last.min(first.saturating_add(20)))
        .map(|it| if step < 1.0 { it as f64 / (1.0 / step).round() } else { it as f64 * step })
        .collect()
}

fn tick(value: f64) -> String {
    let format = Format { significant: Some(4), ..Format::default() };
    let written = Value::Float(Real(value)).written(format);
    written.map_or_else(String::new, |it| it.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let of = |low, high, log| ticks(&Scale { range: (low, high), log, size: 1.0 });
        assert_eq!(of(0.0, 1.0, false), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(of(-3.2, 11.0, false), [0.0, 5.0, 10.0]);
        assert_eq!(of(0.5, 2000.0, true), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(range(&[], false, true), (0.0, 1.0));
        assert_eq!(range(&[f64::NAN, 2.0], false, true), (1.0, 3.0));
    }
}
