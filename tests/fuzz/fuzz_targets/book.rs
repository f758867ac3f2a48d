//! A book of any files: a line `-- path --` begins a file. It builds twice to the same bytes, warm
//! and cold, and every message is of a place inside of its file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use reckoner::eval::Echo;
use reckoner::pipeline::{self, Input, Memo, Options};
use reckoner::source::{FileId, Source};
use reckoner::{project, report};

fuzz_target!(|text: &str| {
    let input = input(text);
    let mut memo = Memo::default();
    let options = Options::default();
    let cold = pipeline::build(&input, options, &mut Echo, &mut memo, &mut ());
    let warm = pipeline::build(&input, options, &mut Echo, &mut memo, &mut ());
    let (Ok(cold), Ok(warm)) = (cold, warm) else { panic!("nothing outside can fail") };
    assert!(cold.value == warm.value && cold.diagnostics == warm.diagnostics);
    for diagnostic in &cold.diagnostics {
        if let Some(source) = input.sources.get(&diagnostic.place.file) {
            let range = diagnostic.place.span.range();
            assert!(source.text.get(range).is_some(), "{diagnostic:?} is outside");
        }
    }
    report::plain(&cold.diagnostics, &input.sources);
});

fn input(text: &str) -> Input {
    let mut input = Input { theme: project::embedded_theme(), ..Input::default() };
    let mut path = "one.md".to_owned();
    let mut body = String::new();
    for line in text.split_inclusive('\n').chain(["-- end --"]) {
        match line.trim_end().strip_prefix("-- ").and_then(|it| it.strip_suffix(" --")) {
            Some(next) => {
                let source = Source::new(&path, &body);
                input.sources.insert(source.file.clone(), source);
                path = next.to_owned();
                body.clear();
            }
            None => body.push_str(line),
        }
    }
    let summary = Source::new("SUMMARY.md", "- [One](one.md)\n- [Two](two.md)\n");
    input.sources.entry(FileId::new("SUMMARY.md")).or_insert(summary);
    input
}
