//! A formula of any text: it is rendered for both outputs, or refused at a place inside of it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use reckoner::math::{Engine, Facts, Formula, Style};
use reckoner::source::Span;

fuzz_target!(|text: &str| {
    let (engine, _) = Engine::new(&Default::default());
    for style in [Style::Inline, Style::Display] {
        let formula = Formula { tex: text.to_owned(), style, span: Span::new(0, text.len()) };
        match engine.render(&formula, &Facts::default()) {
            Ok(rendered) => {
                let html = rendered.html.clone().into_string();
                assert!(!html.contains("<script") && !html.contains("javascript:"), "{html}");
                assert!(!html.contains(" style="), "styles are classes");
                assert_eq!(Ok(rendered), engine.render(&formula, &Facts::default()));
            }
            Err(faults) => {
                assert!(!faults.is_empty());
                for fault in faults {
                    assert!(text.get(fault.range.clone()).is_some(), "{fault:?} is outside");
                }
            }
        }
    }
});
