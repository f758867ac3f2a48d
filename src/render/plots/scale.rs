//! Values to places: linear and logarithmic axes with round ticks.

use super::short;
use crate::value::Axis;

/// One axis of a plot.
pub(in crate::render) struct Scale {
    from: f64,
    to: f64,
    /// Whether it is logarithmic.
    pub log: bool,
    start: f64,
    end: f64,
    /// Where a number or a name stands.
    pub ticks: Vec<(f64, String)>,
}

impl Scale {
    /// A scale for `values`, of which those that it cannot show are left out. `round`: it begins
    /// and ends at a tick.
    pub(super) fn new(values: &[f64], axis: &Axis, round: bool, count: usize) -> Self {
        let shown = values.iter().copied().filter(|it| it.is_finite() && (!axis.log || *it > 0.0));
        let (mut from, mut to) = shown
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| {
                (low.min(it), high.max(it))
            });
        if !axis.names.is_empty() {
            from = from.min(-0.5);
            to = to.max(axis.names.len() as f64 - 0.5);
        }
        if from > to {
            (from, to) = if axis.log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        if axis.log {
            return Self::logarithmic(from, to);
        }
        if from == to {
            let pad = if from == 0.0 { 1.0 } else { from.abs() / 2.0 };
            (from, to) = (from - pad, to + pad);
        }
        if !axis.names.is_empty() {
            let ticks = (0..).map(f64::from).zip(axis.names.clone()).collect();
            return Self { from, to, log: false, start: 0.0, end: 1.0, ticks };
        }
        let step = step((to - from) / count as f64);
        if round {
            (from, to) = ((from / step).floor() * step, (to / step).ceil() * step);
        }
        let ticks = multiples(from, to, step);
        Self { from, to, log: false, start: 0.0, end: 1.0, ticks }
    }

    fn logarithmic(from: f64, to: f64) -> Self {
        let (low, high) = (from.log10().floor(), to.log10().ceil());
        let high = if high <= low { low + 1.0 } else { high };
        let every = ((high - low) / 6.0).ceil().max(1.0);
        let mut ticks = Vec::new();
        let mut power = low;
        while power <= high + 0.5 {
            let value = 10_f64.powf(power);
            let exact = power.abs() <= 3.0;
            let text = if exact { short(value) } else { format!("10{}", superscript(power)) };
            ticks.push((value, text));
            power += every;
        }
        let (from, to) = (10_f64.powf(low), 10_f64.powf(high));
        Self { from, to, log: true, start: 0.0, end: 1.0, ticks }
    }

    /// A scale with a band for each of `count` things, from 0.
    pub(super) fn bands(count: usize, names: &[String]) -> Self {
        let name = |it: usize| names.get(it).cloned().unwrap_or_else(|| it.to_string());
        let ticks = (0..count).map(|it| (it as f64, name(it))).collect();
        Self { from: -0.5, to: count as f64 - 0.5, log: false, start: 0.0, end: 1.0, ticks }
    }

    /// Says where the scale begins and ends in the picture.
    pub(super) fn place(&mut self, start: f64, end: f64) {
        (self.start, self.end) = (start, end);
    }

    /// Whether `value` is between the ends.
    pub(super) fn spans(&self, value: f64) -> bool {
        (self.from..=self.to).contains(&value)
    }

    /// Where `value` is in the picture. Values that are not on the scale are at its ends.
    pub(super) fn at(&self, value: f64) -> f64 {
        let part = if self.log {
            (value.max(f64::MIN_POSITIVE) / self.from).ln() / (self.to / self.from).ln()
        } else {
            (value - self.from) / (self.to - self.from)
        };
        let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
        self.start + part * (self.end - self.start)
    }

    /// Width of a band.
    pub(super) fn band(&self) -> f64 {
        ((self.end - self.start) / (self.to - self.from)).abs()
    }

    /// Leaves out names that would run into each other.
    pub(super) fn thin(&mut self, letter: f64) {
        let widest = self.ticks.iter().map(|it| it.1.chars().count()).max().unwrap_or(0);
        self.thin_by((widest as f64 + 1.5) * letter);
    }

    /// Leaves out ticks so that those left are `room` apart.
    pub(super) fn thin_by(&mut self, room: f64) {
        let [first, second, ..] = &self.ticks[..] else { return };
        let apart = (self.at(second.0) - self.at(first.0)).abs().max(0.1);
        let every = (room / apart).ceil().max(1.0) as usize;
        let ticks = std::mem::take(&mut self.ticks);
        self.ticks = ticks.into_iter().step_by(every).collect();
    }
}

/// Makes a unit as long across as up, in an area `ratio` times as wide as high, so that a circle
/// would be one.
pub(super) fn equal_units(x: &mut Scale, y: &mut Scale, ratio: f64) {
    let (across, up) = (x.to - x.from, y.to - y.from);
    let grow = |scale: &mut Scale, by: f64| {
        scale.from -= by / 2.0;
        scale.to += by / 2.0;
        let step = step((scale.to - scale.from) / 6.0);
        scale.ticks = multiples(scale.from, scale.to, step);
    };
    if across < up * ratio {
        grow(x, up * ratio - across);
    } else {
        grow(y, across / ratio - up);
    }
}

/// The round number nearest above `raw`: 1, 2 or 5 times a power of ten.
fn step(raw: f64) -> f64 {
    let power = 10_f64.powf(raw.log10().floor());
    let step = match raw / power {
        it if it <= 1.0 + 1e-9 => power,
        it if it <= 2.0 + 1e-9 => 2.0 * power,
        it if it <= 5.0 + 1e-9 => 5.0 * power,
        _ => 10.0 * power,
    };
    if step.is_finite() && step > 0.0 { step } else { 1.0 }
}

fn multiples(from: f64, to: f64, step: f64) -> Vec<(f64, String)> {
    let first = (from / step - 1e-6).ceil();
    let count = ((to / step + 1e-6).floor() - first).clamp(0.0, 50.0) as u32;
    (0..=count)
        .map(|it| {
            // Rounded, since 3 × 0.1 is not 0.3.
            let value = (first + f64::from(it)) * step;
            let value = if value.abs() < step * 1e-6 { 0.0 } else { value };
            (value, short(value))
        })
        .collect()
}

fn superscript(power: f64) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        c => {
            ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][c.to_digit(10).unwrap_or(0) as usize]
        }
    };
    format!("{power:.0}").chars().map(digit).collect()
}

/// A place in the picture, to a tenth.
pub(super) fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(values: &[f64], log: bool) -> Vec<String> {
        let axis = Axis { log, ..Axis::default() };
        Scale::new(values, &axis, true, 5).ticks.into_iter().map(|it| it.1).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(&[0.03, 0.97], false), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(ticks(&[-3.0, 7.0], false), ["−4", "−2", "0", "2", "4", "6", "8"]);
        assert_eq!(ticks(&[1.0, 900.0], true), ["1", "10", "100", "1000"]);
        assert_eq!(ticks(&[0.0, f64::NAN], true), ["1", "10"]);
        assert_eq!(ticks(&[1e-9, 1e-8], true), ["10⁻⁹", "10⁻⁸"]);
        assert!(!ticks(&[], false).is_empty());
        assert!(!ticks(&[f64::MAX, f64::MIN], false).is_empty());
    }

    #[test]
    fn places_stay_in_the_picture() {
        let mut scale = Scale::new(&[1.0, 2.0], &Axis::default(), true, 5);
        scale.place(10.0, 20.0);
        assert_eq!((scale.at(1.0), scale.at(2.0)), (10.0, 20.0));
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e300] {
            assert!((10.0..=20.0).contains(&scale.at(odd)));
        }
    }
}
