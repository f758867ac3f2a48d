//! A plot to words: what it shows, and how much of its data has no place on its axes.

use super::ruler::short;
use super::{Axis, Mark, Plot, Real};

/// How much of a plot is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Points, bars, cells and arrows that have a place.
    pub shown: usize,
    /// Those that have none: not finite, or not positive along a logarithmic axis.
    pub left_out: usize,
}

impl Plot {
    /// How much of it is drawn. A point of a line that is not finite counts as nothing: it breaks
    /// the line, and that is what its author means.
    pub fn drawn(&self) -> Drawn {
        let mut out = Drawn::default();
        let fits = |it: Real, axis: &Axis| it.0.is_finite() && (!axis.log || it.0 > 0.0);
        let both = |it: &(Real, Real)| fits(it.0, &self.x) && fits(it.1, &self.y);
        let mut count = |fits: bool| match fits {
            true => out.shown += 1,
            false => out.left_out += 1,
        };
        for mark in &self.marks {
            match mark {
                Mark::Line { points, .. } => {
                    let finite =
                        points.iter().filter(|it| it.0.0.is_finite() && it.1.0.is_finite());
                    finite.for_each(|it| count(both(it)));
                }
                Mark::Scatter { points, .. } => points.iter().for_each(|it| count(both(it))),
                Mark::Bars { heights, .. } => {
                    heights.iter().for_each(|it| count(fits(*it, &self.y)));
                }
                // An empty interval has no bar, on any axis.
                Mark::Histogram { counts, .. } => counts.iter().for_each(|_| count(true)),
                Mark::Heat { rows } => rows.iter().flatten().for_each(|_| count(true)),
                Mark::Arrow { from, to, .. } => count(both(from) && both(to)),
            }
        }
        out
    }

    /// What a reader who does not see the plot is told: its axes, what is drawn, from where to
    /// where. Formulas in labels stay as they are written.
    pub fn spoken(&self) -> String {
        let mut out = String::from("Plot");
        let labels = [(": ", &self.title), (", ", &self.y.label), (" against ", &self.x.label)];
        for (word, text) in labels.into_iter().filter(|it| !it.1.is_empty()) {
            out.push_str(word);
            out.push_str(text);
        }
        let names: Vec<String> = self.marks.iter().filter_map(name).collect();
        if !names.is_empty() {
            out.push_str("; shown: ");
            out.push_str(&names.join(", "));
        }
        let (x, y) = self.values();
        for (word, axis, values) in [("across", &self.x, x), ("up", &self.y, y)] {
            let finite = || values.iter().copied().filter(|it| it.is_finite());
            let low = finite().fold(f64::INFINITY, f64::min);
            let high = finite().fold(f64::NEG_INFINITY, f64::max);
            if axis.names.is_empty() && low < high {
                let log = if axis.log { " on a logarithmic scale" } else { "" };
                out.push_str(&format!("; {word} from {} to {}{log}", short(low), short(high)));
            }
        }
        out
    }
}

/// A mark in words.
fn name(mark: &Mark) -> Option<String> {
    match mark {
        Mark::Line { name, .. }
        | Mark::Scatter { name, .. }
        | Mark::Bars { name, .. }
        | Mark::Histogram { name, .. }
        | Mark::Arrow { name, .. } => Some(name.clone()).filter(|it| !it.is_empty()),
        Mark::Heat { rows } => {
            let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
            let finite = || rows.iter().flatten().map(|it| it.0).filter(|it| it.is_finite());
            let low = finite().fold(f64::INFINITY, f64::min);
            let high = finite().fold(f64::NEG_INFINITY, f64::max);
            let mut out = format!("heat map of {} by {columns} cells", rows.len());
            if low <= high {
                out.push_str(&format!(" from {} to {}", short(low), short(high)));
            }
            Some(out)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(log: bool, mark: Mark) -> Plot {
        let axis = |label: &str| Axis { label: label.into(), log, names: Vec::new() };
        let (x, y) = (axis("n"), axis("error"));
        Plot { title: String::new(), x, y, equal: false, marks: vec![mark] }
    }

    fn points() -> Vec<(Real, Real)> {
        let list = [(1.0, 2.0), (-1.0, 2.0), (3.0, f64::NAN), (4.0, f64::INFINITY), (5.0, 0.0)];
        list.iter().map(|it| (Real(it.0), Real(it.1))).collect()
    }

    #[test]
    fn what_has_no_place_is_counted() {
        let line = || Mark::Line { name: "a".into(), points: points() };
        let scatter = || Mark::Scatter { name: "a".into(), points: points() };
        let drawn = |log, mark| plot(log, mark).drawn();
        assert_eq!(drawn(false, line()), Drawn { shown: 3, left_out: 0 });
        assert_eq!(drawn(true, line()), Drawn { shown: 1, left_out: 2 });
        assert_eq!(drawn(false, scatter()), Drawn { shown: 3, left_out: 2 });
        assert_eq!(drawn(true, scatter()), Drawn { shown: 1, left_out: 4 });
    }

    #[test]
    fn words_say_axes_names_and_ranges() {
        let line = Mark::Line { name: "a".into(), points: points() };
        let expected = "Plot, error against n; shown: a; across from −1 to 5; up from 0 to 2";
        assert_eq!(plot(false, line).spoken(), expected);
        let rows = vec![vec![Real(0.5), Real(f64::NAN)]];
        let expected = "Plot, error against n; shown: heat map of 1 by 2 cells from 0.5 to 0.5";
        assert_eq!(plot(false, Mark::Heat { rows }).spoken(), expected);
    }
}
