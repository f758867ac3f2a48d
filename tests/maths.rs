//! Formulas: equal to KaTeX's, whole, and refused with a place.
use reckoner::math::*;
use reckoner::source::Span;
use std::collections::BTreeMap;

#[test]
fn dump() {
    let engine = Engine::new(&Macros(BTreeMap::new())).0;
    for line in include_str!("data/maths-corpus.jsonl").lines() {
        let it: serde_json::Value = serde_json::from_str(line).unwrap();
        let style = if it["display"].as_bool().unwrap() { Style::Display } else { Style::Inline };
        let tex = it["tex"].as_str().unwrap().to_owned();
        let f = Formula { tex: tex.clone(), style, span: Span::NONE };
        match engine.render(&f, &Facts::default()) {
            Ok(r) => println!("{}\t{}\n\t{}\n\t{}", it["id"], tex, r.plain, r.typst),
            Err(e) => println!(
                "{}\t{}\n\tFAULT {:?} [{}]",
                it["id"],
                tex,
                e,
                tex.get(e[0].range.clone()).unwrap_or("BAD RANGE")
            ),
        }
    }
}
