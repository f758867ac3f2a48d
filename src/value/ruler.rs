//! The data of a plot to its axes: where they begin and end, and what is written along them.
//!
//! Both renderers draw what is decided here, so that a plot has the same axes on a page and in
//! print.

use super::{Axis, Format, Mark, Plot, Real, Value};

/// Room left free at each end of an axis, as a part of what the data take.
const MARGIN: f64 = 0.04;
/// No number of an axis is beyond this, so that differences are finite.
const LIMIT: f64 = 1e300;
/// An axis has at most so many ticks.
const TICKS: usize = 8;
/// In a plot with equal units no side is more than so many times as long as the other.
const ASPECT: f64 = 4.0;

/// An axis of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruler {
    /// Where it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// Whether it is logarithmic.
    pub log: bool,
    /// What is written along it, and where.
    pub ticks: Vec<(f64, String)>,
}

/// How names along an axis stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Names {
    /// Each below its place.
    Level,
    /// On a slope, ending below their places, since they would run into each other otherwise.
    Sloping,
}

impl Names {
    /// How `names` stand that are `apart` from each other, where a letter is `letter` wide.
    pub fn new<'a>(names: impl Iterator<Item = &'a str> + Clone, apart: f64, letter: f64) -> Self {
        let width = |it: &str| (it.chars().count() as f64 + 1.0) * letter;
        let pairs = names.clone().zip(names.skip(1));
        let mut touching = pairs.filter(|it| f64::midpoint(width(it.0), width(it.1)) > apart);
        if touching.next().is_some() { Names::Sloping } else { Names::Level }
    }
}

impl Ruler {
    /// A ruler with a place for each of `count` things, from 0.
    pub(super) fn places(count: usize, names: &[String]) -> Self {
        let number = |it: usize| if names.is_empty() { it.to_string() } else { String::new() };
        let name = |it: usize| names.get(it).cloned().unwrap_or_else(|| number(it));
        let ticks = (0..count).map(|it| (it as f64, name(it))).collect();
        Self { low: -0.5, high: count as f64 - 0.5, log: false, ticks }
    }

    /// Whether `value` can be shown.
    pub fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }

    /// How far from the beginning to the end `value` is, from 0 to 1.
    pub fn part(&self, value: f64) -> f64 {
        let f = |it: f64| {
            if self.log { it.max(f64::MIN_POSITIVE).log10() } else { it.clamp(-LIMIT, LIMIT) }
        };
        let part = (f(value) - f(self.low)) / (f(self.high) - f(self.low));
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The ticks of which each is `room` from the last, on an axis that is `length` long.
    pub fn ticks_apart(&self, length: f64, room: f64) -> impl Iterator<Item = &(f64, String)> {
        let place = |it: &(f64, String)| self.part(it.0) * length;
        let pairs = self.ticks.windows(2).map(|it| (place(&it[1]) - place(&it[0])).abs());
        let least = pairs.fold(f64::INFINITY, f64::min).max(0.01);
        self.ticks.iter().step_by((room / least).ceil().clamp(1.0, 1e6) as usize)
    }

    fn linear(values: &[f64]) -> Self {
        let (low, high) = ends(values.iter().copied().filter(|it| it.is_finite()), (0.0, 1.0));
        let (mut low, mut high) = (low.clamp(-LIMIT, LIMIT), high.clamp(-LIMIT, LIMIT));
        if high - low <= high.abs().max(low.abs()) * 1e-12 {
            let room = if low == 0.0 { 1.0 } else { low.abs() / 2.0 };
            (low, high) = (low - room, high + room);
        }
        let room = (high - low) * MARGIN;
        Self { low: low - room, high: high + room, log: false, ticks: Vec::new() }
    }

    fn logarithmic(values: &[f64]) -> Self {
        let fine = || values.iter().copied().filter(|it| it.is_finite() && *it > 0.0);
        let (low, high) = ends(fine(), (1.0, 10.0));
        let (mut low, mut high) = (low.log10(), high.log10());
        if high - low < 1e-9 {
            (low, high) = (low - 0.3, high + 0.3);
        }
        let room = (high - low) * MARGIN;
        let power = |it: f64| 10_f64.powf(it).clamp(f64::MIN_POSITIVE, f64::MAX);
        let (low, high) = (power(low - room), power(high + room));
        let ticks = logarithmic_ticks(low, high, fine().all(is_power_of_two));
        Self { low, high, log: true, ticks }
    }

    /// Makes the axis as long as `length`, with the data in its middle.
    fn grow(&mut self, length: f64) {
        let by = ((length - (self.high - self.low)) / 2.0).max(0.0);
        (self.low, self.high) = (self.low - by, self.high + by);
    }
}

impl Plot {
    /// The horizontal and the vertical axis.
    pub fn rulers(&self) -> (Ruler, Ruler) {
        let (xs, ys) = self.values();
        let heights = self.marks.iter().any(|it| matches!(it, Mark::Bars { .. }));
        let counts = self.marks.iter().any(|it| matches!(it, Mark::Histogram { .. }));
        let mut x = ruler(&xs, &self.x);
        let mut y = ruler(&ys, &self.y);
        if heights && self.x.names.is_empty() && !self.x.log {
            // The room of a bar is room enough.
            (x.low, x.high) = ends(xs.iter().copied().filter(|it| it.is_finite()), (0.0, 1.0));
        }
        if (heights || counts) && self.y.names.is_empty() {
            ground(&mut y, &ys);
        }
        let length = |it: &Ruler| it.high - it.low;
        if self.has_equal_units() {
            self.room_for_names(&mut x, &mut y);
            let (wide, tall) = (length(&x), length(&y));
            x.grow(tall / ASPECT);
            y.grow(wide / ASPECT);
        }
        let step = step(length(&x).max(length(&y)));
        for (ruler, axis, values) in [(&mut x, &self.x, &xs), (&mut y, &self.y, &ys)] {
            if ruler.log || !axis.names.is_empty() {
                continue;
            }
            // Whole numbers have nothing between them.
            let whole = values.iter().all(|it| it.fract() == 0.0) && length(ruler) >= 2.0;
            let least = if whole { 1.0 } else { 0.0 };
            let (own, step) = (self::step(length(ruler)).max(least), step.max(least));
            let shared = self.has_equal_units() && length(ruler) >= step * 2.0;
            ruler.ticks = multiples(ruler.low, ruler.high, if shared { step } else { own });
        }
        (x, y)
    }

    /// Makes the axes so long that the name beyond the tip of each arrow has room.
    fn room_for_names(&self, x: &mut Ruler, y: &mut Ruler) {
        /// Letters that have room across and, as high as wide, up a small drawing.
        const LETTERS: (f64, f64) = (60.0, 36.0);
        let letter = ((x.high - x.low) / LETTERS.0).max((y.high - y.low) / LETTERS.1);
        for mark in &self.marks {
            let Mark::Arrow { name, from, to } = mark else { continue };
            let (dx, dy) = (to.0.0 - from.0.0, to.1.0 - from.1.0);
            let length = dx.hypot(dy);
            let count = name.chars().filter(|it| !"$\\{}^_".contains(*it)).count();
            if count == 0 || !length.is_normal() || !(letter * count as f64).is_finite() {
                continue;
            }
            let (cos, sin) = (dx / length, dy / length);
            let half = (count as f64 * letter / 2.0, letter);
            let edge = (half.0 / cos.abs().max(1e-9)).min(half.1 / sin.abs().max(1e-9));
            let reach = edge + letter * super::tips::GAP;
            let at = (to.0.0 + cos * reach, to.1.0 + sin * reach);
            for (ruler, at, half) in [(&mut *x, at.0, half.0), (&mut *y, at.1, half.1)] {
                (ruler.low, ruler.high) = (ruler.low.min(at - half), ruler.high.max(at + half));
            }
        }
    }

    /// Whether a unit is as long across as up.
    pub fn has_equal_units(&self) -> bool {
        let numeric = |it: &Axis| !it.log && it.names.is_empty();
        let wanted = |it: &Mark| matches!(it, Mark::Arrow { .. });
        let against = |it: &Mark| {
            matches!(it, Mark::Bars { .. } | Mark::Histogram { .. } | Mark::Heat { .. })
        };
        (self.equal || self.marks.iter().any(wanted))
            && numeric(&self.x)
            && numeric(&self.y)
            && !self.marks.iter().any(against)
    }

    /// Width and height of the drawing within its labels, of which `most` are the greatest ones.
    pub fn size(
        &self,
        (x, y): (&Ruler, &Ruler),
        plain: (f64, f64),
        most: (f64, f64),
    ) -> (f64, f64) {
        if !self.has_equal_units() {
            return plain;
        }
        let (wide, tall) = (x.high - x.low, y.high - y.low);
        let unit = (most.0 / wide).min(most.1 / tall);
        (wide * unit, tall * unit)
    }

    /// The marks that the legend names; an arrow is named at its tip.
    pub fn legend(&self) -> Vec<usize> {
        let named = |it: &Mark| match it {
            Mark::Line { name, .. }
            | Mark::Scatter { name, .. }
            | Mark::Bars { name, .. }
            | Mark::Histogram { name, .. } => !name.trim().is_empty(),
            Mark::Heat { .. } | Mark::Arrow { .. } => false,
        };
        (0..self.marks.len()).filter(|it| named(&self.marks[*it])).collect()
    }

    /// What is drawn along each axis.
    pub(super) fn values(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        // A point that one axis cannot show does not stretch the other.
        let mut point = |x: f64, y: f64| {
            let fits = |it: f64, log: bool| it.is_finite() && (!log || it > 0.0);
            if fits(x, self.x.log) && fits(y, self.y.log) {
                xs.push(x);
                ys.push(y);
            }
        };
        for mark in &self.marks {
            match mark {
                Mark::Line { points, .. } | Mark::Scatter { points, .. } => {
                    points.iter().for_each(|it| point(it.0.0, it.1.0));
                }
                Mark::Bars { heights, .. } => {
                    for (index, height) in heights.iter().enumerate() {
                        point(index as f64 - 0.5, height.0);
                        point(index as f64 + 0.5, height.0);
                    }
                }
                Mark::Histogram { edges, counts, .. } => {
                    for (ends, count) in edges.windows(2).zip(counts) {
                        point(ends[0].0, count.0);
                        point(ends[1].0, count.0);
                    }
                }
                Mark::Arrow { from, to, .. } => {
                    point(from.0.0, from.1.0);
                    point(to.0.0, to.1.0);
                }
                Mark::Heat { .. } => {}
            }
        }
        (xs, ys)
    }
}

fn ruler(values: &[f64], axis: &Axis) -> Ruler {
    match (&axis.names[..], axis.log) {
        ([], true) => Ruler::logarithmic(values),
        ([], false) => Ruler::linear(values),
        (names, true | false) => {
            let mut ruler = Ruler::places(names.len(), names);
            let seen = values.iter().copied().filter(|it| it.is_finite());
            let (low, high) = ends(seen, (0.0, 0.0));
            (ruler.low, ruler.high) = (ruler.low.min(low), ruler.high.max(high));
            ruler
        }
    }
}

/// Lets bars stand on an end of their axis.
fn ground(ruler: &mut Ruler, heights: &[f64]) {
    let mut values: Vec<f64> = heights.iter().copied().filter(|it| ruler.shows(*it)).collect();
    if ruler.log {
        // Bars have no natural ground here; the least of them shall still be seen.
        let least = values.iter().copied().fold(ruler.high, f64::min).log10();
        ruler.low = ruler.low.min(10_f64.powf((least - 0.1).floor())).max(f64::MIN_POSITIVE);
        let two = values.into_iter().all(is_power_of_two);
        ruler.ticks = logarithmic_ticks(ruler.low, ruler.high, two);
        return;
    }
    values.push(0.0);
    let (least, most) = ends(values.iter().copied(), (0.0, 1.0));
    *ruler = Ruler::linear(&values);
    if least != most && least == 0.0 {
        ruler.low = 0.0;
    } else if least != most && most == 0.0 {
        ruler.high = 0.0;
    }
}

/// Whether a line has no markers: on one that is upright or goes in steps they would stand for
/// nothing.
pub fn is_stepped(points: &[(Real, Real)]) -> bool {
    let upright = |it: &[(Real, Real)]| it[0].0.0 == it[1].0.0;
    let level = |it: &[(Real, Real)]| it[0].1.0 == it[1].1.0;
    points.windows(2).any(upright) && points.windows(2).all(|it| upright(it) || level(it))
}

/// The least and the greatest of `values`, or `none` if there are none.
fn ends(values: impl Iterator<Item = f64>, none: (f64, f64)) -> (f64, f64) {
    let (low, high) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)));
    if low <= high { (low, high) } else { none }
}

/// The round step that gives an axis of this length as many ticks as it may have.
fn step(length: f64) -> f64 {
    let power = 10_f64.powf((length / TICKS as f64).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|it| it * power);
    let wide = |it: &f64| length / it < TICKS as f64;
    steps.into_iter().find(wide).filter(|it| it.is_normal()).unwrap_or(length)
}

fn multiples(low: f64, high: f64, step: f64) -> Vec<(f64, String)> {
    let first = (low / step - 1e-6).ceil();
    let count = ((high / step + 1e-6).floor() - first).clamp(0.0, 50.0) as u32;
    // Counting in steps keeps 0.3 from becoming 0.30000000000000004.
    let whole = |it: f64| if step < 1.0 { it / (1.0 / step).round() } else { it * step };
    let value = |it: u32| whole(first + f64::from(it)) + 0.0;
    (0..=count).map(|it| (value(it), short(value(it)))).collect()
}

/// Powers of two if the data are such, powers of ten, 2 and 5 times them on a short axis, or round
/// numbers on a very short one.
fn logarithmic_ticks(low: f64, high: f64, two: bool) -> Vec<(f64, String)> {
    let inside = |it: &f64| (low..=high).contains(it);
    let twos: Vec<i32> =
        (low.log2().ceil() as i32..=high.log2().floor() as i32).take(2200).collect();
    if two && twos.len() >= 3 {
        return powers(2, &twos);
    }
    let tens: Vec<i32> = (low.log10().floor() as i32..=high.log10().ceil() as i32).collect();
    let all = tens.iter().flat_map(|it| [1.0, 2.0, 5.0].map(|by| by * 10_f64.powi(*it)));
    let fine: Vec<f64> = all.filter(inside).collect();
    if (3..=TICKS).contains(&fine.len()) {
        return fine.into_iter().map(|it| (it, short(it))).collect();
    }
    let tens: Vec<i32> = tens.into_iter().filter(|it| inside(&10_f64.powi(*it))).collect();
    if tens.len() >= 2 {
        return powers(10, &tens);
    }
    multiples(low, high, step(high - low))
}

/// Some of the powers of `base`, all written alike.
fn powers(base: i32, exponents: &[i32]) -> Vec<(f64, String)> {
    let every = exponents.len().div_ceil(TICKS).max(1) as i32;
    // Those that every so many steps lead to 1.
    let chosen = exponents.iter().filter(|it| *it % every == 0);
    let value = |it: i32| f64::from(base).powi(it);
    let plain = chosen.clone().all(|it| (0.001..=10_000.0).contains(&value(*it)));
    chosen
        .map(|it| {
            let text = if plain { short(value(*it)) } else { format!("{base}{}", raised(*it)) };
            (value(*it), text)
        })
        .collect()
}

fn is_power_of_two(value: f64) -> bool {
    value.log2().fract() == 0.0
}

fn raised(exponent: i32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |it: char| it.to_digit(10).map_or('⁻', |it| digits[it as usize]);
    exponent.to_string().chars().map(raised).collect()
}

/// A number as in a label.
pub(super) fn short(value: f64) -> String {
    let significant = (value.fract() != 0.0).then_some(4);
    let format = Format { significant, ..Format::default() };
    Value::Float(Real(value)).written(format).map_or_else(String::new, |it| it.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: &[(f64, f64)], log: bool) -> Plot {
        let points = points.iter().map(|it| (Real(it.0), Real(it.1))).collect();
        let axis = || Axis { log, ..Axis::default() };
        let marks = vec![Mark::Line { name: String::new(), points }];
        Plot { title: String::new(), x: axis(), y: axis(), equal: false, marks }
    }

    fn ticks(values: &[f64], log: bool) -> String {
        let points: Vec<_> = values.iter().map(|it| (*it, *it)).collect();
        let ticks = plot(&points, log).rulers().0.ticks;
        ticks.into_iter().map(|it| it.1).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(&[0.03, 0.97], false), "0 0.2 0.4 0.6 0.8 1");
        assert_eq!(ticks(&[-3.0, 7.0], false), "−2 0 2 4 6");
        assert_eq!(ticks(&[5.0], false), "3 4 5 6 7");
        assert_eq!(ticks(&[1.0, 900.0], true), "1 10 100 1000");
        assert_eq!(ticks(&[3.0, 250.0], true), "5 10 20 50 100 200");
        assert_eq!(ticks(&[4.0, 16.0, 256.0], true), "4 8 16 32 64 128 256");
        assert_eq!(ticks(&[1.0, 1_048_576.0], true), "2⁰ 2³ 2⁶ 2⁹ 2¹² 2¹⁵ 2¹⁸");
        assert_eq!(ticks(&[3e-9, 2e3], true), "10⁻⁸ 10⁻⁶ 10⁻⁴ 10⁻² 10⁰ 10²");
        assert_eq!(ticks(&[3.0, 3.3], true), "3 3.05 3.1 3.15 3.2 3.25 3.3");
        for odd in [&[][..], &[f64::NAN], &[f64::MAX, f64::MIN], &[5e-324, f64::MAX], &[0.0, -1.0]]
        {
            assert!(ticks(odd, false).len() > 2, "{odd:?}");
            assert!(ticks(odd, true).len() > 2, "{odd:?}");
        }
    }

    #[test]
    fn data_have_a_margin() {
        let (x, y) = plot(&[(0.0, 1.0), (10.0, 2.0)], false).rulers();
        assert_eq!((x.low, x.high, y.low, y.high), (-0.4, 10.4, 0.96, 2.04));
        let (x, _) = plot(&[(4.0, 1.0), (256.0, 1.0)], true).rulers();
        assert!(x.low > 3.0 && x.low < 4.0 && x.high > 256.0 && x.high < 320.0, "{x:?}");
        assert!((0.0..1.0).contains(&x.part(4.0)) && x.part(f64::NAN) == 0.0);
        let bars = Mark::Bars { name: String::new(), heights: vec![Real(1.0), Real(4.0)] };
        let (x, y) = Plot { marks: vec![bars], ..plot(&[], false) }.rulers();
        assert_eq!((x.low, x.high, y.low), (-0.5, 1.5, 0.0));
    }

    #[test]
    fn equal_units_change_the_drawing_and_not_the_ranges() {
        let mut plot = plot(&[(-3.0, -1.0), (3.0, 1.0)], false);
        plot.equal = true;
        let (x, y) = plot.rulers();
        assert_eq!((x.low, x.high, y.low, y.high), (-3.24, 3.24, -1.08, 1.08));
        let (wide, tall) = plot.size((&x, &y), (1.0, 1.0), (400.0, 300.0));
        assert!((wide - 400.0).abs() < 1e-9 && (tall - 400.0 / 3.0).abs() < 1e-9);
        plot.y.log = true;
        assert!(!plot.has_equal_units());
    }

    #[test]
    fn steps_and_upright_lines_have_no_markers() {
        let line = |it: &[(f64, f64)]| {
            is_stepped(&it.iter().map(|it| (Real(it.0), Real(it.1))).collect::<Vec<_>>())
        };
        assert!(line(&[(1.0, 0.0), (1.0, 5.0)]));
        assert!(line(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (2.0, 1.0)]));
        assert!(!line(&[(0.0, 1.0), (1.0, 1.0)]) && !line(&[(0.0, 0.0), (1.0, 1.0)]));
    }

    #[test]
    fn names_that_would_touch_slope() {
        let names = |it: &[&'static str]| Names::new(it.iter().copied(), 40.0, 6.0);
        assert_eq!(names(&["a", "bb", "c"]), Names::Level);
        assert_eq!(names(&["a", "interest", "c"]), Names::Level);
        assert_eq!(names(&["bank", "interest", "rates"]), Names::Sloping);
    }
}
