//! Two values of one output to what differs between them.

use super::marks::Parts;
use crate::value::{Axis, Mark, Plot, Real, Table, Value};

/// The first part of a value that differs from that of before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Drift {
    /// Steps to it, `[0][1]`; empty if it is the whole value.
    pub(super) path: String,
    /// What it was.
    pub(super) before: String,
    /// What it is.
    pub(super) after: String,
    /// How many parts differ besides.
    pub(super) more: usize,
}

/// What differs, if anything does. A number may differ by `tolerance` of its size.
pub(super) fn between(before: &Value, after: &Value, tolerance: f64) -> Option<Drift> {
    let mut walk = Walk { tolerance, path: String::new(), found: None };
    walk.value(before, after);
    walk.found
}

struct Walk {
    tolerance: f64,
    path: String,
    found: Option<Drift>,
}

impl Walk {
    fn value(&mut self, before: &Value, after: &Value) {
        match (before, after) {
            (Value::Float(a), Value::Float(b)) => self.real(*a, *b),
            (Value::List(a), Value::List(b)) if a.len() == b.len() => self.list(a, b, Self::value),
            (Value::Table(a), Value::Table(b)) => self.table(a, b),
            (Value::Plot(a), Value::Plot(b)) => self.plot(a, b),
            (a, b) if a == b => {}
            (a, b) => self.differs(described(a), described(b)),
        }
    }

    fn real(&mut self, before: Real, after: Real) {
        let (a, b) = (before.0, after.0);
        let within = self.tolerance * a.abs().max(b.abs());
        let near = within.is_finite() && self.tolerance > 0.0 && (a - b).abs() <= within;
        if !near && before != after && !(a.is_nan() && b.is_nan()) {
            self.differs(format!("{a:?}"), format!("{b:?}"));
        }
    }

    fn differs(&mut self, before: String, after: String) {
        match &mut self.found {
            Some(first) => first.more += 1,
            None => {
                let path = self.path.clone();
                self.found = Some(Drift { path, before, after, more: 0 });
            }
        }
    }

    fn equal<T: PartialEq>(&mut self, step: &str, before: &T, after: &T, word: fn(&T) -> String) {
        if before != after {
            self.at(step, |it| it.differs(word(before), word(after)));
        }
    }

    fn at(&mut self, step: &str, then: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push_str(step);
        then(self);
        self.path.truncate(length);
    }

    /// Compares lists of equal length.
    fn list<T>(&mut self, before: &[T], after: &[T], one: fn(&mut Self, &T, &T)) {
        for (index, (a, b)) in before.iter().zip(after).enumerate() {
            self.at(&format!("[{index}]"), |it| one(it, a, b));
        }
    }

    /// Compares lists of any length.
    fn items<T>(&mut self, step: &str, before: &[T], after: &[T], one: fn(&mut Self, &T, &T)) {
        let count = |it: &[T]| format!("a list of {}", it.len());
        self.at(step, |it| match before.len() == after.len() {
            true => it.list(before, after, one),
            false => it.differs(count(before), count(after)),
        });
    }

    fn table(&mut self, before: &Table, after: &Table) {
        if before.columns != after.columns || before.rows.len() != after.rows.len() {
            let shape = |it: &Table| {
                format!("a table of {} rows under {}", it.rows.len(), it.columns.join(", "))
            };
            return self.differs(shape(before), shape(after));
        }
        for (index, (a, b)) in before.rows.iter().zip(&after.rows).enumerate() {
            for ((name, a), b) in before.columns.iter().zip(a).zip(b) {
                self.at(&format!("[{index}][{name:?}]"), |it| it.value(a, b));
            }
        }
    }

    fn plot(&mut self, before: &Plot, after: &Plot) {
        let Plot { title, x, y, equal, marks } = before;
        self.equal(".title", title, &after.title, |it| format!("{it:?}"));
        self.equal(".equal", equal, &after.equal, bool::to_string);
        self.at(".x", |it| it.axis(x, &after.x));
        self.at(".y", |it| it.axis(y, &after.y));
        self.items(".marks", marks, &after.marks, Self::mark);
    }

    fn axis(&mut self, before: &Axis, after: &Axis) {
        let Axis { label, log, names } = before;
        self.equal(".label", label, &after.label, |it| format!("{it:?}"));
        self.equal(".log", log, &after.log, bool::to_string);
        self.equal(".names", names, &after.names, |it| format!("{it:?}"));
    }

    fn mark(&mut self, before: &Mark, after: &Mark) {
        let (before, after) = (Parts::of(before), Parts::of(after));
        let words = |it: &Parts| format!("{} {:?}", it.kind, it.name);
        if words(&before) != words(&after) {
            return self.differs(words(&before), words(&after));
        }
        for ((step, a), (_, b)) in before.rows.iter().zip(&after.rows) {
            let row = |it: &mut Self, a: &Vec<Real>, b: &Vec<Real>| {
                it.items("", a, b, |it, a, b| it.real(*a, *b));
            };
            self.items(&format!(".{step}"), a, b, row);
        }
    }
}

/// A value in a few words.
fn described(value: &Value) -> String {
    const MOST: usize = 40;
    match value {
        Value::Int(it) => it.to_string(),
        Value::Float(it) => format!("{:?}", it.0),
        Value::Bool(it) => it.to_string(),
        Value::Text(it) if it.chars().count() <= MOST => format!("{it:?}"),
        Value::Text(it) => format!("{:?}…", it.chars().take(MOST).collect::<String>()),
        Value::List(it) => format!("a list of {}", it.len()),
        Value::Table(it) => format!("a table of {} rows", it.rows.len()),
        Value::Plot(_) => "a plot".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(it: f64) -> Value {
        Value::Float(Real(it))
    }

    fn drift(before: &Value, after: &Value) -> String {
        match between(before, after, 1e-12) {
            Some(it) => format!("{}: {} → {}, {} more", it.path, it.before, it.after, it.more),
            None => String::new(),
        }
    }

    #[test]
    fn numbers_may_differ_by_a_part_of_their_size() {
        for (a, b, same) in [
            (1.0, 1.0 + 1e-13, true),
            (1.0, 1.0 + 1e-11, false),
            (1e-300, 1.1e-300, false),
            (-2e300, -2e300 * (1.0 + 1e-13), true),
            (0.0, 1e-300, false),
            (0.0, -0.0, true),
            (f64::NAN, f64::NAN, true),
            (f64::NAN, 1.0, false),
            (f64::INFINITY, f64::INFINITY, true),
            (f64::INFINITY, f64::NEG_INFINITY, false),
            (f64::INFINITY, 1.0, false),
        ] {
            assert_eq!(between(&float(a), &float(b), 1e-12).is_none(), same, "{a} {b}");
        }
        assert_eq!(drift(&Value::Int(1), &float(1.0)), ": 1 → 1.0, 0 more");
    }

    #[test]
    fn the_first_difference_has_a_path_and_the_others_are_counted() {
        let row = |a, b| Value::List(vec![float(a), float(b)]);
        let matrix = |a, b| Value::List(vec![row(0.0, a), row(b, 1.0)]);
        let found = drift(&matrix(1.0, 2.0), &matrix(1.5, 2.5));
        assert_eq!(found, "[0][1]: 1.0 → 1.5, 1 more");
        let found = drift(&row(1.0, 2.0), &Value::List(vec![float(1.0)]));
        assert_eq!(found, ": a list of 2 → a list of 1, 0 more");
        let table = |it| {
            let columns = vec!["n".to_owned(), "a b".to_owned()];
            Value::Table(Table { columns, rows: vec![vec![Value::Int(1), float(it)]] })
        };
        assert_eq!(drift(&table(1.0), &table(2.0)), "[0][\"a b\"]: 1.0 → 2.0, 0 more");
    }

    #[test]
    fn every_part_of_a_plot_counts() {
        let points = vec![(Real(0.0), Real(1.0)), (Real(1.0), Real(2.0))];
        let line = Mark::Line { name: "l".into(), points };
        let (x, y) = (Axis::default(), Axis { log: true, ..Axis::default() });
        let plot = Plot { title: "P".into(), x, y, equal: false, marks: vec![line] };
        type Edit = fn(&mut Plot);
        let edits: [(Edit, &str); 6] = [
            (|it| it.title.push('!'), ".title: \"P\" → \"P!\", 0 more"),
            (|it| it.equal = true, ".equal: false → true, 0 more"),
            (|it| it.x.names.push("n".into()), ".x.names: [] → [\"n\"], 0 more"),
            (|it| it.y.log = false, ".y.log: true → false, 0 more"),
            (|it| it.marks.clear(), ".marks: a list of 1 → a list of 0, 0 more"),
            (
                |it| match &mut it.marks[0] {
                    Mark::Line { points, .. } => points[1].1 = Real(3.0),
                    other => panic!("{other:?}"),
                },
                ".marks[0].points[1][1]: 2.0 → 3.0, 0 more",
            ),
        ];
        for (edit, expected) in edits {
            let mut edited = plot.clone();
            edit(&mut edited);
            let found = drift(&Value::Plot(plot.clone()), &Value::Plot(edited));
            assert_eq!(found, expected);
        }
    }
}
