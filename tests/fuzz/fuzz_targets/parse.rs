//! A chapter of any text: places are inside of it, and formulas are what stands there.

#![no_main]

use libfuzzer_sys::fuzz_target;
use reckoner::ir::{Inline, Node};
use reckoner::parse;
use reckoner::source::Source;

fuzz_target!(|text: &str| {
    let source = Source::new("chapter.md", text);
    let checked = parse::document(&source);
    for diagnostic in &checked.diagnostics {
        let range = diagnostic.place.span.range();
        assert!(text.get(range.clone()).is_some(), "{diagnostic:?} is outside");
    }
    for node in checked.value.nodes() {
        if let Node::Inline(Inline::Math(formula)) = node {
            assert!(text.get(formula.span.range()).is_some(), "{formula:?} is outside");
        }
    }
    assert_eq!(checked, parse::document(&source), "the same text gives the same document");
});
