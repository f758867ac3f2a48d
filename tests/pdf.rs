//! A small book with every construct is typeset without a fault, twice to the same bytes.
#![cfg(feature = "pdf")]
#![expect(clippy::disallowed_methods, reason = "tests are outside of the line")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use reckoner::diag::Diagnostic;
use reckoner::eval::{Output, Outputs, Shown};
use reckoner::ir::{Book, Document};
use reckoner::link::{self, Index};
use reckoner::math::{Engine, Macros};
use reckoner::source::{FileId, Source};
use reckoner::typeset::{Chapter, Volume, pdf};
use reckoner::value::{Axis, Mark, Plot, Real, Table as Grid, Value};

const SETTINGS: &str = include_str!("data/pdf/book.toml");
const SUMMARY: &str = include_str!("data/pdf/SUMMARY.md");
const CHAPTER: &str = include_str!("data/pdf/attention.md");
const PREFACE: &str = include_str!("data/pdf/preface.md");
const NOTATION: &str = include_str!("data/pdf/notation.toml");
const WORKS: &str = include_str!("data/pdf/references.bib");

fn plot(marks: Vec<Mark>) -> Value {
    let axis = |it: &str| Axis { label: it.into(), ..Axis::default() };
    let (x, y) = (axis("position"), axis("weight"));
    Value::Plot(Plot { title: "Weights".into(), x, y, equal: false, marks })
}

fn real(it: f64) -> Real {
    Real(it)
}

fn line(name: &str, slope: f64) -> Mark {
    let points = (0..20).map(|it| (real(it as f64), real((-slope * it as f64).exp()))).collect();
    Mark::Line { name: name.into(), points }
}

fn outputs() -> Outputs {
    let row = |it: [f64; 3]| Value::List(it.map(|it| Value::Float(real(it))).to_vec());
    let matrix = Value::List(vec![row([0.1, 0.2, 0.7]), row([1.0 / 3.0, 0.5, 1.0 / 6.0])]);
    let table = Grid {
        columns: vec!["n".into(), "error".into()],
        rows: vec![
            vec![Value::Int(10), Value::Float(real(1e-9))],
            vec![Value::Int(1000000), Value::Float(real(0.25))],
        ],
    };
    let arrow = |x: f64, y: f64, name: &str| Mark::Arrow {
        name: name.into(),
        from: (real(0.0), real(0.0)),
        to: (real(x), real(y)),
    };
    let heat =
        (0..6).map(|i| (0..6).map(|j| real(1.0 / (1.0 + (i as f64 - j as f64).abs()))).collect());
    let scatter = Mark::Scatter {
        name: "seen".into(),
        points: vec![(real(2.0), real(0.5)), (real(9.0), real(0.2))],
    };
    let bars = |name: &str, k: f64| Mark::Bars {
        name: name.into(),
        heights: [1.0, 3.0, -2.0].map(|it| real(it * k)).to_vec(),
    };
    let shown = |key: &str, value: Value| Shown { key: key.into(), value };
    let output = Output {
        shown: vec![
            shown("A", matrix),
            shown("largest", Value::Float(real(0.7))),
            shown("word", Value::Text("cat sat".into())),
            shown("errors", Value::Table(table)),
            shown("curves", plot(vec![line("slow", 0.1), line("fast", 0.4), scatter])),
            shown("plane", plot(vec![arrow(2.0, 1.0, "u"), arrow(-1.0, 1.5, "v")])),
            shown("heat", plot(vec![Mark::Heat { rows: heat.collect() }])),
            shown("bars", plot(vec![bars("a", 1.0), bars("b", 0.5)])),
        ],
        failure: None,
    };
    Outputs::from([("m08-s01".into(), output)])
}

/// A book made of the files in `tests/data/pdf`.
struct Made {
    book: Book,
    documents: Vec<Document>,
    linked: link::Linked,
    outputs: Outputs,
    engine: Engine,
    assets: BTreeMap<FileId, Arc<[u8]>>,
}

impl Made {
    fn new(chapter: &str) -> Self {
        Self::with(SUMMARY, chapter)
    }

    fn with(summary: &str, chapter: &str) -> Self {
        let sources: BTreeMap<FileId, Source> = [
            ("book.toml", SETTINGS),
            ("SUMMARY.md", summary),
            ("preface.md", PREFACE),
            ("attention.md", chapter),
            ("notation.toml", NOTATION),
            ("references.bib", WORKS),
        ]
        .map(|(path, text)| (FileId::new(path), Source::new(path, text)))
        .into();
        let source = |path: &str| &sources[&FileId::new(path)];
        let mut diagnostics = Vec::new();
        let book = reckoner::parse::book(&sources).take(&mut diagnostics);
        let documents = ["preface.md", "attention.md"]
            .map(|it| reckoner::parse::document(source(it)).take(&mut diagnostics))
            .to_vec();
        let bibliography = reckoner::cite::library(source("references.bib")).take(&mut diagnostics);
        let svg: &[u8] = include_bytes!("data/pdf/x.svg");
        let assets = BTreeMap::from([(FileId::new("figures/x.svg"), Arc::from(svg))]);
        let files: BTreeSet<FileId> = assets.keys().cloned().collect();
        let whole = link::Whole {
            book: &book,
            summary: Some(source("SUMMARY.md")),
            documents: &documents.iter().collect::<Vec<_>>(),
            bibliography: &bibliography,
            files: &files,
            broken: &BTreeMap::new(),
        };
        let linked = link::book(&whole).take(&mut diagnostics);
        let serious: Vec<&Diagnostic> =
            diagnostics.iter().filter(|it| it.severity != reckoner::diag::Severity::Note).collect();
        assert!(serious.is_empty(), "the book has faults: {serious:#?}");
        let (engine, faults) = Engine::new(&book.macros);
        assert!(faults.is_empty());
        Self { book, documents, linked, outputs: outputs(), engine, assets }
    }

    fn volume(&self) -> Volume<'_> {
        let links = &self.linked.links;
        let chapter = |(document, links)| Chapter { document, outputs: &self.outputs, links };
        Volume {
            book: &self.book,
            chapters: self.documents.iter().zip(links).map(chapter).collect(),
            index: &self.linked.index,
            engine: &self.engine,
            assets: &self.assets,
            fonts: BTreeMap::new(),
        }
    }
}

#[test]
fn every_construct_is_typeset_twice_to_the_same_bytes() {
    let made = Made::new(CHAPTER);
    let first = pdf(&made.volume());
    assert_eq!(first.diagnostics, []);
    let bytes = first.value.expect("the book is typeset");
    if let Some(path) = std::env::var_os("RECKONER_KEEP_PDF") {
        std::fs::write(path, &bytes).expect("the place to keep the PDF can be written");
    }
    assert!(pdf(&made.volume()).value == Some(bytes.clone()), "two runs differ");
    let holds = |it: &str| bytes.windows(it.len()).any(|part| part == it.as_bytes());
    for part in ["/Outlines", "/PageLabels", "/StructTreeRoot", "/Dests", "pdfuaid", "pdfaid"] {
        assert!(holds(part), "the PDF has no {part}");
    }
}

#[test]
fn a_formula_too_wide_for_the_page_is_told_with_its_place() {
    let sum = (0..60).map(|it| format!("x_{{{it}}}")).collect::<Vec<_>>().join(" + ");
    let text = format!("# Wide\n\nFirst:\n\n$$\n{sum}\n$$\n");
    let made = Made::new(&text);
    let diagnostics = pdf(&made.volume()).diagnostics;
    let [wide] = &diagnostics[..] else { panic!("one warning, not {diagnostics:#?}") };
    assert_eq!(wide.code.0, "typeset-wide");
    assert!(text[wide.place.span.range()].contains("x_{59}"), "{wide:?}");
}

#[test]
fn characters_without_a_glyph_are_told_once_and_the_book_is_made() {
    let made = Made::new("# Glyphs\n\nA smile \u{1f600} here.\n\n漢字, 漢字, and 漢字 again.\n");
    let result = pdf(&made.volume());
    assert!(result.value.is_some());
    let [told] = &result.diagnostics[..] else { panic!("{:#?}", result.diagnostics) };
    assert_eq!(told.code.0, "typeset-glyphs");
    assert_eq!(
        told.message,
        "no font of the PDF has 3 characters of this chapter: `\u{1f600}` `漢` `字`"
    );
    assert_eq!(told.place.file, FileId::new("attention.md"));
}

#[test]
fn a_file_that_is_no_font_is_told_and_the_book_is_made() {
    let made = Made::new("# Fonts\n\nWords.\n");
    let bytes: Arc<[u8]> = Arc::from(&b"no font"[..]);
    let mut volume = made.volume();
    volume.fonts.insert("fonts/a.ttf", &bytes);
    let result = pdf(&volume);
    assert!(result.value.is_some());
    let codes: Vec<_> = result.diagnostics.iter().map(|it| it.code.0).collect();
    assert_eq!(codes, ["typeset-font"]);
}

#[test]
fn nothing_is_nested_too_deep_for_the_typesetter() {
    let mut text = format!("# Deep\n\n{} words\n\n{} more\n\n", ">".repeat(20), ">".repeat(40));
    for depth in 0..30 {
        text.push_str(&format!("{}- item\n", "  ".repeat(depth)));
    }
    text.push_str(&format!("\n{}end *a **b *c **d e** d* b** a*\n", "> - ".repeat(15)));
    text.push_str(&format!("\n{}c{}\n", "*a **b ".repeat(25), "** a*".repeat(25)));
    for depth in 1..20 {
        let mark = ">".repeat(depth);
        text.push_str(&format!("\n{mark} [!note] Note\n{mark}\n"));
    }
    let made = Made::new(&text);
    let result = pdf(&made.volume());
    assert_eq!(result.diagnostics, []);
    assert!(result.value.is_some());
}

#[test]
fn a_picture_that_print_cannot_show_is_told_and_the_book_is_made() {
    let text = "# Pictures\n\n![A square](figures/x.svg)\n\nIn ![a line](figures/x.svg).\n";
    let mut made = Made::new(text);
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\"/>";
    made.assets.insert(FileId::new("figures/x.svg"), Arc::from(svg.as_bytes()));
    let result = pdf(&made.volume());
    assert!(result.value.is_some());
    let codes: Vec<_> = result.diagnostics.iter().map(|it| it.code.0).collect();
    assert_eq!(codes, ["typeset-picture"; 2]);
    assert!(text[result.diagnostics[0].place.span.range()].contains("A square"));
}

#[test]
fn a_part_has_a_page_only_if_a_chapter_of_it_is_written() {
    let summary = "# Summary\n\n# First {#part:first}\n\n- [One](attention.md)\n\n\
                   # Second {#part:second}\n\n- [Two]()\n\n---\n\n[After](preface.md)\n";
    let made = Made::with(summary, "# One\n\nWords.\n");
    let result = pdf(&made.volume());
    assert_eq!(result.diagnostics, []);
    let bytes = result.value.expect("the book is typeset");
    let holds = |it: &str| bytes.windows(it.len()).any(|part| part == it.as_bytes());
    assert!(holds("(part:first)"));
    assert!(!holds("(part:second)"));
}

#[test]
fn a_book_of_nothing_is_a_book() {
    let (engine, _) = Engine::new(&Macros::default());
    let volume = Volume {
        book: &Book::default(),
        chapters: Vec::new(),
        index: &Index::default(),
        engine: &engine,
        assets: &BTreeMap::new(),
        fonts: BTreeMap::new(),
    };
    let made = pdf(&volume);
    assert_eq!(made.diagnostics, []);
    assert!(made.value.is_some_and(|it| it.starts_with(b"%PDF-")));
}
