//! Arrows to the places of their names: beyond the tip, or beside it where other marks are.

use super::{Mark, Plot, Ruler};

/// Between a tip and its name, in letters.
pub(super) const GAP: f64 = 0.9;
/// Where a name is tried, turned from the direction of its arrow, in eighths of a turn.
const TURNS: [f64; 7] = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0];
/// How far from the tip a name is tried, in gaps.
const STEPS: [f64; 3] = [1.0, 2.2, 3.6];
/// Marks are looked at in so many places at most.
const SAMPLES: usize = 20_000;

/// A place of the drawing, from its lower left corner.
type Spot = (f64, f64);

impl Plot {
    /// The middle of each mark's name, if the mark is an arrow with a name.
    ///
    /// `size` is that of the drawing; a letter is `letter` wide, and a line of text is twice as
    /// high.
    pub fn tips(&self, rulers: (&Ruler, &Ruler), size: Spot, letter: f64) -> Vec<Option<Spot>> {
        let mut taken = self.samples(rulers, size, letter);
        let place = |mark: &Mark| match mark {
            Mark::Arrow { name, from, to } if !name.trim().is_empty() => {
                let ends = [from, to].map(|it| spot(rulers, size, (it.0.0, it.1.0)));
                let half = ((name.chars().count() as f64 * letter) / 2.0, letter);
                let at = beyond(ends, half, size, letter * GAP, &taken);
                // The next name shall not stand on this one.
                for part in -4..=4 {
                    taken.push((at.0 + half.0 * f64::from(part) / 4.0, at.1));
                }
                Some(at)
            }
            Mark::Arrow { .. }
            | Mark::Line { .. }
            | Mark::Scatter { .. }
            | Mark::Bars { .. }
            | Mark::Histogram { .. }
            | Mark::Heat { .. } => None,
        };
        self.marks.iter().map(place).collect()
    }

    /// Places where something is drawn.
    fn samples(&self, rulers: (&Ruler, &Ruler), size: Spot, letter: f64) -> Vec<Spot> {
        let mut out = Vec::new();
        for mark in &self.marks {
            let (points, joined): (Vec<Spot>, bool) = match mark {
                Mark::Line { points, .. } => {
                    (points.iter().map(|it| (it.0.0, it.1.0)).collect(), true)
                }
                Mark::Scatter { points, .. } => {
                    (points.iter().map(|it| (it.0.0, it.1.0)).collect(), false)
                }
                Mark::Arrow { from, to, .. } => {
                    ([from, to].map(|it| (it.0.0, it.1.0)).into(), true)
                }
                Mark::Bars { .. } | Mark::Histogram { .. } | Mark::Heat { .. } => continue,
            };
            let shown = |it: &Spot| rulers.0.shows(it.0) && rulers.1.shows(it.1);
            for run in points.split(|it| !shown(it)) {
                let run: Vec<Spot> = run.iter().map(|it| spot(rulers, size, *it)).collect();
                out.extend(&run);
                for pair in run.windows(2).filter(|_| joined) {
                    let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
                    let count = (dx.hypot(dy) / letter * 2.0).ceil().clamp(1.0, 400.0);
                    let part = |it: u32| {
                        (
                            pair[0].0 + dx * f64::from(it) / count,
                            pair[0].1 + dy * f64::from(it) / count,
                        )
                    };
                    out.extend((1..count as u32).map(part));
                }
                if out.len() > SAMPLES {
                    out.truncate(SAMPLES);
                    return out;
                }
            }
        }
        out
    }
}

fn spot((x, y): (&Ruler, &Ruler), size: Spot, value: Spot) -> Spot {
    (x.part(value.0) * size.0, y.part(value.1) * size.1)
}

/// The place near the tip of an arrow where a name of this half width and height covers least.
fn beyond([from, to]: [Spot; 2], half: Spot, size: Spot, gap: f64, taken: &[Spot]) -> Spot {
    let along = (to.1 - from.1).atan2(to.0 - from.0);
    let mut best = (f64::INFINITY, to);
    for (turn, step) in TURNS.into_iter().flat_map(|turn| STEPS.map(|step| (turn, step))) {
        let (sin, cos) = (along + turn * std::f64::consts::FRAC_PI_4).sin_cos();
        // From its middle to its edge in this direction.
        let reach = (half.0 / cos.abs().max(1e-9)).min(half.1 / sin.abs().max(1e-9)) + gap * step;
        let wanted = (to.0 + cos * reach, to.1 + sin * reach);
        let at = (within(wanted.0, half.0, size.0), within(wanted.1, half.1, size.1));
        let moved = (wanted.0 - at.0).hypot(wanted.1 - at.1) / gap;
        let covers = |it: &&Spot| {
            (it.0 - at.0).abs() < half.0 + gap / 2.0 && (it.1 - at.1).abs() < half.1 + gap / 2.0
        };
        let covered = taken.iter().filter(covers).count() as f64;
        let cost = covered * 2.0 + moved + turn.abs() + step;
        if cost < best.0 {
            best = (cost, at);
        }
    }
    best.1
}

/// The place nearest to `at` where a name does not reach over the edge.
fn within(at: f64, half: f64, size: f64) -> f64 {
    let (low, high) = (half, size - half);
    if low < high { at.clamp(low, high) } else { size / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Axis, Real};

    fn tips(marks: Vec<Mark>) -> Vec<Option<Spot>> {
        let axis = Axis::default;
        let plot = Plot { title: String::new(), x: axis(), y: axis(), equal: false, marks };
        let (x, y) = plot.rulers();
        plot.tips((&x, &y), (200.0, 200.0), 6.0)
    }

    fn arrow(name: &str, to: (f64, f64)) -> Mark {
        Mark::Arrow {
            name: name.into(),
            from: (Real(0.0), Real(0.0)),
            to: (Real(to.0), Real(to.1)),
        }
    }

    #[test]
    fn names_stand_beyond_the_tip_where_nothing_else_is() {
        let room = Mark::Scatter {
            name: String::new(),
            points: [(-2.0, -2.0), (2.0, 2.0)].map(|it| (Real(it.0), Real(it.1))).into(),
        };
        let at = tips(vec![room.clone(), arrow("v", (1.0, 0.0)), arrow("", (0.0, 1.0))]);
        let (x, y) = at[1].unwrap();
        assert!(x > 150.0 && (y - 100.0).abs() < 1.0, "{at:?}");
        assert_eq!((at[0], at[2]), (None, None));
        let wall = [(1.2, -1.0), (1.2, 1.0)].map(|it| (Real(it.0), Real(it.1)));
        let wall = Mark::Line { name: String::new(), points: wall.into() };
        let beside = tips(vec![room, arrow("v", (1.0, 0.0)), wall])[1].unwrap();
        assert!(beside.0 < x, "{beside:?}");
    }

    #[test]
    fn names_stay_in_the_drawing() {
        let long = "a name of many words that is wider than it all";
        for name in ["v", long] {
            for to in [(1.0, 0.0), (-1.0, 3.0), (0.0, 0.0), (f64::NAN, 1.0)] {
                let (x, y) = tips(vec![arrow(name, to)])[0].unwrap();
                let inside = |it: f64| (-6.0..=206.0).contains(&it);
                assert!(inside(x) && inside(y), "{to:?}: {x} {y}");
            }
        }
    }
}
