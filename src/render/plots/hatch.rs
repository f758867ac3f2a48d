//! Bars to patterns of lines, so that series can be told apart without colour.
//!
//! The lines are drawn one by one, cut at the edges of each bar: a pattern of SVG would need an
//! `id`, and two plots on one page would have the same.

use super::px;

/// From line to line.
const STEP: f64 = 6.0;

/// The lines of a look within a rectangle, as the data of a path; none for a look that is solid.
/// Lines of neighbours meet, since all are of one grid.
pub(super) fn path(look: usize, (x, y): (f64, f64), (width, height): (f64, f64)) -> Option<String> {
    if !(width > 1.0 && height > 1.0) {
        return None;
    }
    let (right, bottom) = (x + width, y + height);
    let mut out = String::new();
    let mut add = |from: (f64, f64), to: (f64, f64)| {
        if (to.0 - from.0).hypot(to.1 - from.1) > 0.5 {
            let ends = [from.0, from.1, to.0, to.1].map(px);
            out.push_str(&format!("M{} {}L{} {}", ends[0], ends[1], ends[2], ends[3]));
        }
    };
    let (rising, falling, level, upright) = match look {
        2 => (true, false, false, false),
        3 => (false, true, false, false),
        4 => (true, true, false, false),
        5 => (false, false, true, false),
        6 => (false, false, false, true),
        _ => return None,
    };
    if rising {
        // Along such a line the sum of both coordinates is the same.
        for at in grid(x + y, right + bottom) {
            let (a, b) = (x.max(at - bottom), right.min(at - y));
            add((a, at - a), (b, at - b));
        }
    }
    if falling {
        for at in grid(y - right, bottom - x) {
            let (a, b) = (x.max(y - at), right.min(bottom - at));
            add((a, at + a), (b, at + b));
        }
    }
    if level {
        grid(y, bottom).for_each(|at| add((x, at), (right, at)));
    }
    if upright {
        grid(x, right).for_each(|at| add((at, y), (at, bottom)));
    }
    Some(out).filter(|it| !it.is_empty())
}

/// The places of a grid between two ends.
fn grid(from: f64, to: f64) -> impl Iterator<Item = f64> {
    let first = (from / STEP).ceil() as i32;
    let last = (to / STEP).floor() as i32;
    (first..=last).map(|it| f64::from(it) * STEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_within_their_bar() {
        for look in 2..=6 {
            let path = path(look, (10.0, 20.0), (13.0, 40.0)).unwrap();
            let numbers = path.split(['M', 'L', ' ']).filter(|it| !it.is_empty());
            let numbers: Vec<f64> = numbers.map(|it| it.parse().unwrap()).collect();
            assert!(numbers.len() >= 8, "{look}: {path}");
            for at in numbers.chunks(2) {
                let inside = (10.0..=23.0).contains(&at[0]) && (20.0..=60.0).contains(&at[1]);
                assert!(inside, "{look}: {path}");
            }
        }
        assert_eq!(path(1, (0.0, 0.0), (10.0, 10.0)), None);
        assert_eq!(path(2, (0.0, 0.0), (10.0, 0.0)), None);
    }
}
