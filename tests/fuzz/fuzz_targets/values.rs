//! Attribute lists, formats of values and notation of any text.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use reckoner::parse;
use reckoner::source::Source;
use reckoner::value::{Format, Real, Value};

fuzz_target!(|text: &str| {
    let line = text.replace('\n', " ");
    for chapter in [
        format!("# A {{{line}}}\n"),
        format!("```math {{{line}}}\nx\n```\n"),
        format!("> [!theorem] T {{{line}}}\n> x\n"),
        format!("`={line}`\n"),
    ] {
        let checked = parse::document(&Source::new("chapter.md", &chapter));
        for diagnostic in checked.diagnostics {
            assert!(chapter.get(diagnostic.place.span.range()).is_some(), "{diagnostic:?}");
        }
    }
    if let Ok(format) = Format::parse(text) {
        for number in [0.0, -1.5, 1e300, 1e-300, f64::NAN, f64::INFINITY] {
            let value = Value::Float(Real(number));
            if let Some(written) = value.written(format) {
                assert!(!written.text().is_empty() && !written.tex().is_empty());
            }
        }
    }
    let files = ["book.toml", "notation.toml", "macros.tex", "labels.toml", "SUMMARY.md"];
    let source = |it: &&str| (Source::new(it, text).file, Source::new(it, text));
    let sources: BTreeMap<_, _> = files.iter().map(source).collect();
    parse::book(&sources);
});
