//! A small book with every construct is typeset without a fault, twice to the same bytes.
#![cfg(feature = "pdf")]

use std::collections::BTreeMap;
use std::sync::Arc;

use reckoner::cite::{Piece, Work};
use reckoner::eval::{Output, Outputs, Shown};
use reckoner::ir::*;
use reckoner::link::*;
use reckoner::math::{Engine, Formula, Macros, Style};
use reckoner::source::{FileId, Span};
use reckoner::typeset::{Chapter, Volume, pdf};
use reckoner::value::{Axis, Mark, Plot, Real, Table as Grid, Value};

const WORDS: &str = "Attention compares every query with every key, turns the scores of a row \
    into weights that sum to one, and mixes the values by these weights. Nothing in this depends \
    on the order of the rows: a permutation of the keys with the same permutation of the values \
    leaves the output as it was (see below), 100 % of the time & <always>.";

fn text(text: &str) -> Inline {
    Inline::Text(text.into())
}

fn block(kind: BlockKind) -> Block {
    Block { span: Span::new(1, 2), kind }
}

fn paragraph() -> Block {
    block(BlockKind::Paragraph(vec![text(WORDS)]))
}

fn spanned<T>(value: T) -> Spanned<T> {
    Spanned { value, span: Span::NONE }
}

fn label(text: &str) -> Spanned<Label> {
    spanned(Label(text.into()))
}

fn formula(tex: &str, style: Style) -> Formula {
    Formula { tex: tex.into(), style, span: Span::new(3, 9) }
}

fn math(tex: &str) -> Inline {
    Inline::Math(formula(tex, Style::Inline))
}

fn target(kind: TargetKind, number: &str, label: &str, title: &str) -> Target {
    Target {
        kind,
        number: number.into(),
        title: if title.is_empty() { Vec::new() } else { vec![text(title)] },
        page: "attention.html".into(),
        anchor: if kind == TargetKind::Chapter { String::new() } else { label.into() },
        label: Some(Label(label.into())),
    }
}

fn reference(label: &str, body: Vec<Inline>) -> Inline {
    let to = Destination::Label(Label(label.into()));
    Inline::Reference(Reference { to, body, span: Span::NONE })
}

fn heading(level: u8, words: &str, label_text: &str) -> Block {
    block(BlockKind::Heading(Heading {
        level,
        body: vec![text(words)],
        labels: if label_text.is_empty() { Vec::new() } else { vec![label(label_text)] },
        anchor: if label_text.is_empty() { words.into() } else { label_text.into() },
        numbered: true,
    }))
}

fn display(tex: &str, labels: &[&str], name: &str) -> Block {
    block(BlockKind::Display(Box::new(Display {
        formula: formula(tex, Style::Display),
        labels: labels.iter().map(|it| label(it)).collect(),
        lines: Vec::new(),
        name: if name.is_empty() { Vec::new() } else { vec![text(name)] },
        symbols: if name.is_empty() { vec![] } else { vec![spanned("Q".into()), spanned("K".into())] },
        deps: Vec::new(),
        source: if name.is_empty() { vec![] } else { vec![spanned("vaswani2017".into())] },
        snippet: Vec::new(),
        conditions: if name.is_empty() { vec![] } else { vec![text("the softmax acts on rows")] },
    })))
}

fn environment(kind: EnvironmentKind, title: &str, blocks: Vec<Block>) -> Block {
    block(BlockKind::Environment(Box::new(Environment {
        kind,
        title: if title.is_empty() { Vec::new() } else { vec![text(title)] },
        labels: Vec::new(),
        folded: false,
        of: None,
        blocks,
    })))
}

fn snippet(id: &str, code: &str) -> Block {
    let line = |it: &str| SnippetLine { text: it.into(), hidden: false, column: 1, at: 0 };
    block(BlockKind::Snippet(Box::new(Snippet {
        id: id.into(),
        id_span: Span::NONE,
        mode: SnippetMode::Run,
        hide: false,
        fold: false,
        should_panic: false,
        title: vec![text("Softmax of a matrix")],
        lines: code.lines().map(line).collect(),
        first_line: 1,
    })))
}

fn figure(source: FigureSource, labels: &[&str]) -> Block {
    block(BlockKind::Figure(Box::new(Figure {
        alt: "A curve that falls.".into(),
        source,
        caption: vec![text("Weights by position. Notice that they fall.")],
        labels: labels.iter().map(|it| label(it)).collect(),
    })))
}

fn plot(marks: Vec<Mark>) -> Value {
    let axis = |it: &str| Axis { label: it.into(), ..Axis::default() };
    Value::Plot(Plot { title: "Weights".into(), x: axis("position"), y: axis("weight"), marks })
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
        rows: vec![vec![Value::Int(10), Value::Float(real(1e-9))], vec![Value::Int(1000000), Value::Float(real(0.25))]],
    };
    let arrow = |x: f64, y: f64, name: &str| Mark::Arrow {
        name: name.into(),
        from: (real(0.0), real(0.0)),
        to: (real(x), real(y)),
    };
    let heat = (0..6).map(|i| (0..6).map(|j| real(1.0 / (1.0 + (i as f64 - j as f64).abs()))).collect());
    let scatter = Mark::Scatter { name: "seen".into(), points: vec![(real(2.0), real(0.5)), (real(9.0), real(0.2))] };
    let bars = |name: &str, k: f64| Mark::Bars { name: name.into(), heights: [1.0, 3.0, -2.0].map(|it| real(it * k)).to_vec() };
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

fn table() -> Block {
    block(BlockKind::Table(Box::new(Table {
        alignments: vec![Alignment::Left, Alignment::Right],
        head: vec![vec![text("Name")], vec![text("Size")]],
        rows: vec![vec![vec![text("query")], vec![math("n\\times d")]]],
        caption: vec![text("Shapes of everything.")],
        labels: vec![label("tab:shapes")],
    })))
}

fn document() -> Document {
    use EnvironmentKind as Kind;
    let list = |start| {
        let item = |task| Item { task, blocks: vec![paragraph()] };
        block(BlockKind::List(List { start, tight: true, items: vec![item(None), item(None)] }))
    };
    let mentions = block(BlockKind::Paragraph(vec![
        text("See "),
        reference("eq:sdpa", Vec::new()),
        text(" and "),
        reference("sec:far", vec![text("the far section")]),
        text(" with "),
        Inline::Citation { keys: vec![spanned("vaswani2017".into())], body: Vec::new() },
        text(" and a note"),
        Inline::Footnote(0),
        text(" and code "),
        Inline::Code("let x = 1;".into()),
        text(" and "),
        reference("eq:planned", Vec::new()),
        Inline::Math(formula("Q", Style::Inline)),
        text("."),
    ]));
    let code = "// rows sum to one\nfn softmax(x: &[f64]) -> Vec<f64> {\n    let top = x.iter().cloned().fold(f64::MIN, f64::max);\n    x.iter().map(|it| (it - top).exp()).collect()\n}\nshow!(\"A\", 1.5e3);\n01234567890123456789012345678901234567890123456789012345678901234567890123456789";
    let mut blocks = vec![
        paragraph(),
        mentions,
        heading(2, "Query", "sec:query"),
        paragraph(),
        display("a", &[], ""),
        display("b", &["eq:plain"], ""),
        display("c", &["eq:sdpa"], "Scaled dot-product attention"),
        environment(Kind::Definition, "Attention", vec![paragraph(), display("d", &[], "")]),
        environment(Kind::Theorem, "Cauchy–Schwarz", vec![paragraph()]),
        environment(Kind::Proof, "", vec![paragraph(), paragraph()]),
        environment(Kind::Pitfall, "", vec![paragraph()]),
        environment(Kind::Card, "In one line", vec![display("e", &[], "")]),
        heading(4, "Deep", ""),
        list(None),
        list(Some(3)),
        block(BlockKind::Quote(vec![paragraph()])),
        block(BlockKind::Rule),
        table(),
        figure(FigureSource::File(FileId::new("figures/x.svg"), Span::NONE), &["fig:x"]),
        figure(FigureSource::File(FileId::new("figures/none.svg"), Span::NONE), &[]),
        snippet("m08-s01", code),
    ];
    for _ in 0..6 {
        blocks.extend([paragraph(), paragraph(), paragraph()]);
    }
    blocks.extend([
        heading(2, "Exercises", "sec:far"),
        environment(Kind::Exercise, "", vec![paragraph()]),
        environment(Kind::Hint, "", vec![paragraph()]),
        environment(Kind::Solution, "", vec![paragraph(), display("f", &[], "")]),
    ]);
    Document {
        file: FileId::new("attention.md"),
        front: Front { summary: vec![text("What attention is.")], ..Front::default() },
        title: vec![text("Self Attention")],
        labels: vec![label("ch:attention")],
        blocks,
        footnotes: vec![Footnote { name: "a".into(), blocks: vec![paragraph()], span: Span::NONE }],
    }
}

fn links() -> Links {
    let mut links = Links { page: "attention.html".into(), ..Links::default() };
    links.number = Some("8".into());
    links.part = vec![text("Attention")];
    for (kind, number, label, title) in [
        (TargetKind::Chapter, "8", "ch:attention", "Self Attention"),
        (TargetKind::Section, "8.1", "sec:query", "Query"),
        (TargetKind::Section, "8.2", "sec:far", "Exercises"),
        (TargetKind::Equation, "8.1", "eq:plain", ""),
        (TargetKind::Equation, "8.2", "eq:sdpa", "Scaled dot-product attention"),
        (TargetKind::Figure, "8.1", "fig:x", ""),
        (TargetKind::Table, "8.1", "tab:shapes", ""),
        (TargetKind::Planned, "", "eq:planned", "Masked attention"),
    ] {
        let to = Destination::Label(Label(label.into()));
        links.targets.insert(to, target(kind, number, label, title));
    }
    links.headings = [("sec:query", "8.1"), ("sec:far", "8.2"), ("Deep", "8.1.1")]
        .map(|(a, b)| (a.into(), b.into()))
        .into();
    links.environments = ["8.1", "8.2", "", "", "", "8.1"].map(String::from).to_vec();
    links.works.insert("vaswani2017".into(), work());
    for key in ["Q", "K"] {
        links.symbols.insert(key.into(), symbol(key));
    }
    links
}

fn symbol(key: &str) -> Symbol {
    Symbol {
        key: key.into(),
        tex: formula(key, Style::Inline),
        meaning: vec![text("matrix of queries")],
        shape: vec![math("n\\times d_k")],
        scope: "all".into(),
        span: Span::NONE,
    }
}

fn work() -> Work {
    let piece = |text: &str, italic| Piece { text: text.into(), italic, url: None };
    Work {
        short: "Vaswani et al., 2017".into(),
        entry: vec![piece("Vaswani et al. ", false), piece("Attention is all you need", true)],
        order: 0,
    }
}

fn index() -> Index {
    let entry = |depth, target: Target, sections| ContentsEntry { depth, target, sections, minutes: 1 };
    let mut planned = target(TargetKind::Planned, "9", "ch:later", "Multi-Head Attention");
    planned.page = String::new();
    let sdpa = target(TargetKind::Equation, "8.2", "eq:sdpa", "Scaled dot-product attention");
    let chapter = target(TargetKind::Chapter, "8", "ch:attention", "Self Attention");
    Index {
        contents: vec![
            entry(0, target(TargetKind::Part, "I", "part:attention", "Attention"), vec![]),
            entry(0, chapter.clone(), vec![target(TargetKind::Section, "8.1", "sec:query", "Query")]),
            entry(0, planned, vec![]),
        ],
        formulas: vec![FormulaEntry {
            target: sdpa.clone(),
            formula: formula("QK", Style::Display),
            tags: BTreeMap::new(),
            chapter: chapter.clone(),
            symbols: vec!["Q".into()],
            snippets: vec![],
            uses: vec![],
            used_by: vec![],
        }],
        symbols: vec![SymbolEntry { symbol: symbol("Q"), formulas: vec![sdpa] }],
        works: vec![WorkEntry { key: "vaswani2017".into(), work: work(), chapters: vec![chapter] }],
        modules: vec![],
    }
}

fn book() -> Book {
    Book {
        settings: Settings {
            title: "Complete Mathematics of Transformers".into(),
            authors: vec!["A. Author".into()],
            description: "Every formula derived and checked.".into(),
            language: "en-US".into(),
            updated: Some("2026-07-22".into()),
            site: Some("https://example.org/book/".into()),
            license: "CC BY 4.0".into(),
            ..Settings::default()
        },
        ..Book::default()
    }
}

#[test]
fn every_construct_is_typeset_twice_to_the_same_bytes() {
    let (engine, _) = Engine::new(&Macros::default());
    let (book, document, outputs, links, index) = (book(), document(), outputs(), links(), index());
    let svg: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 900 300' width='900' \
        height='300'><path d='M0 0L900 300' stroke='#000'/></svg>";
    let assets = BTreeMap::from([(FileId::new("figures/x.svg"), Arc::from(svg))]);
    let volume = Volume {
        book: &book,
        chapters: vec![Chapter { document: &document, outputs: &outputs, links: &links }],
        index: &index,
        engine: &engine,
        assets: &assets,
    };
    let first = pdf(&volume);
    assert_eq!(first.diagnostics, []);
    let bytes = first.value.expect("the book is typeset");
    if let Some(path) = option_env!("RECKONER_KEEP_PDF") {
        std::io::Write::write_all(&mut std::fs::File::create(path).unwrap(), &bytes).unwrap();
    }
    assert!(pdf(&volume).value == Some(bytes.clone()), "two runs differ");
    let holds = |it: &str| bytes.windows(it.len()).any(|part| part == it.as_bytes());
    for part in ["/Outlines", "/PageLabels", "/StructTreeRoot", "/Dests", "pdfuaid", "pdfaid"] {
        assert!(holds(part), "the PDF has no {part}");
    }
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
    };
    let made = pdf(&volume);
    assert_eq!(made.diagnostics, []);
    assert!(made.value.is_some_and(|it| it.starts_with(b"%PDF-")));
}
