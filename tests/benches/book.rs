//! A synthetic book of 30 and of 300 chapters: time of each stage, growth, memory.
//!
//! Every chapter has 1,500 words, 20 displayed and 40 inline formulas and 3 blocks of code, all
//! different and the same in every run. After the measurements of criterion a table is printed:
//! time a page and the ratio of the two books, then CPU seconds and peak memory of the real program
//! that builds each from cold.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock and starts programs")]
#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput};
use reckoner::eval::{Echo, Outputs};
use reckoner::ir::{Block, BlockKind, Document, Inline, Node};
use reckoner::link;
use reckoner::math::{Engine, Facts, Formula};
use reckoner::pipeline::{self, Draft, Input, Memo, Options, Values};
use reckoner::source::{FileId, Source};
use reckoner::{cite, parse, project, render};

const SIZES: [usize; 2] = [30, 300];
const WORDS: usize = 1500;
const INLINE: usize = 40;
const DISPLAYS: usize = 20;
const CODES: usize = 3;

/// Numbers that look random and are the same in every run (splitmix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % sides as u64).expect("below `sides`")
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.roll(list.len())]
    }
}

const VOCABULARY: [&str; 24] = [
    "the", "matrix", "of", "weights", "is", "a", "row", "vector", "and", "every", "token", "has",
    "its", "own", "query", "key", "value", "which", "we", "scale", "by", "width", "model", "layer",
];
const LETTERS: [&str; 12] =
    ["a", "b", "x", "y", "Q", "K", "V", "W", "\\alpha", "\\sigma", "\\delta", "\\mathbf{h}"];

/// A formula of the size that real ones have.
fn tex(dice: &mut Dice, display: bool) -> String {
    let mut letter = || dice.pick(&LETTERS);
    let (a, b, c, d) = (letter(), letter(), letter(), letter());
    let n = dice.roll(1000);
    match (display, dice.roll(4)) {
        (false, 0) => format!("{a}_{{{n}}}"),
        (false, 1) => format!("{a} = {b} + {n}"),
        (false, 2) => format!("{a} \\in \\mathbb{{R}}^{{{n} \\times m}}"),
        (false, _) => format!("\\frac{{{a}}}{{{b}_{n}}}"),
        (true, 0) => {
            format!(
                "\\operatorname{{softmax}}\\left(\\frac{{{a} {b}^\\top}}{{\\sqrt{{{c}_{{{n}}}}}}}\\right) {d}"
            )
        }
        (true, 1) => format!(
            "\\begin{{aligned}} {a} &= \\sum_{{i=1}}^{{{n}}} {b}_i {c} \\\\ &= {d} \\end{{aligned}}"
        ),
        (true, 2) => format!(
            "\\begin{{pmatrix}} {a} & {b} \\\\ {c} & {n} \\end{{pmatrix}} \\int_0^{{{d}}} e^{{-x^2}} dx"
        ),
        (true, _) => format!(
            "{a} = \\max\\left(0, {b} {c} + {d}_{{{n}}}\\right) \\quad \\text{{for all }} {c}"
        ),
    }
}

fn chapter(index: usize, chapters: usize) -> String {
    let mut dice = Dice(index as u64);
    let mut out = format!("# Chapter {index}\n");
    for part in 0..DISPLAYS {
        if part % 4 == 0 {
            let _ = write!(out, "\n## Section {part} {{#sec:{index}-{part}}}\n");
        }
        out.push('\n');
        let words = WORDS / DISPLAYS;
        for word in 0..words {
            if word % (words * DISPLAYS / INLINE) == 3 {
                let _ = write!(out, "${}$ ", tex(&mut dice, false));
            }
            out.push_str(dice.pick(&VOCABULARY));
            out.push(if word % 15 == 14 { '\n' } else { ' ' });
        }
        let (to, at) = (dice.roll(chapters), dice.roll(DISPLAYS));
        let _ = writeln!(out, "as [](#eq:{to}-{at}) says.");
        let label = format!("#eq:{index}-{part} name=\"Formula {part}\"");
        let _ = write!(out, "\n```math {{{label}}}\n{}\n```\n", tex(&mut dice, true));
        if part < CODES {
            let _ = write!(out, "\n```rust\nfn f{part}(x: f64) -> f64 {{\n    // Doubles.\n");
            let _ = write!(out, "    let y = x * {}.0;\n    y + 2.0\n}}\n```\n", dice.roll(100));
        }
    }
    out
}

/// The files of a book.
fn files(chapters: usize) -> Vec<(String, String)> {
    let mut outline = String::new();
    let mut out = vec![("book.toml".into(), "title = \"Bench\"\nlanguage = \"en\"\n".into())];
    for index in 0..chapters {
        let _ = writeln!(outline, "- [Chapter {index}](c{index}.md)");
        out.push((format!("c{index}.md"), chapter(index, chapters)));
    }
    out.push(("SUMMARY.md".into(), outline));
    out
}

fn input(chapters: usize) -> Input {
    let mut input = Input { theme: project::embedded_theme(), ..Input::default() };
    for (path, text) in files(chapters) {
        input.sources.insert(FileId::new(&path), Source::new(&path, &text));
    }
    input
}

const OPTIONS: Options = Options { pdf: false, values: Values::Computed };

/// A book with all that its stages need.
struct Bench {
    input: Input,
    draft: Draft,
    formulas: Vec<Formula>,
}

impl Bench {
    fn new(chapters: usize) -> Self {
        let input = input(chapters);
        let draft =
            pipeline::draft(&input, OPTIONS, &mut Echo, &mut Memo::default(), &mut ()).unwrap();
        assert_eq!(draft.diagnostics, [], "the synthetic book is without mistakes");
        let draft = draft.value;
        let formulas = draft.documents.iter().flat_map(|it| formulas(&it.value)).collect();
        Self { input, draft, formulas }
    }

    fn chapters(&self) -> Vec<&Source> {
        self.input.sources.values().filter(|it| it.file.path().starts_with('c')).collect()
    }

    fn parse(&self) -> usize {
        self.chapters()
            .into_iter()
            .map(|it| black_box(parse::document(it)).value.blocks.len())
            .sum()
    }

    fn maths(&self) -> usize {
        let (engine, facts) = (Engine::new(&Default::default()).0, Facts::default());
        let done = self.formulas.iter().filter(|it| black_box(engine.render(it, &facts)).is_ok());
        done.count()
    }

    fn link(&self) -> usize {
        let documents: Vec<&Document> = self.draft.documents.iter().map(|it| &it.value).collect();
        let whole = link::Whole {
            book: &self.draft.frame.book,
            summary: self.input.sources.get(&FileId::new("SUMMARY.md")),
            documents: &documents,
            bibliography: &cite::Bibliography::default(),
            files: &BTreeSet::new(),
            broken: &BTreeMap::new(),
        };
        black_box(link::book(&whole)).value.index.formulas.len()
    }

    fn render(&self) -> usize {
        let parts = self.draft.documents.iter().zip(&self.draft.linked.links);
        let outputs = Outputs::default();
        let page = |(document, links): (&std::sync::Arc<_>, _)| {
            let document: &reckoner::diag::Checked<Document> = document;
            let document = &document.value;
            let frame = &self.draft.frame;
            render::page(&render::Chapter { frame, document, outputs: &outputs, links })
        };
        parts.map(|it| page(it).value.html.len()).sum()
    }

    fn build(&self) -> usize {
        let memo = &mut Memo::default();
        let site = pipeline::build(&self.input, OPTIONS, &mut Echo, memo, &mut ()).unwrap();
        assert_eq!(site.diagnostics, [], "the synthetic book is without mistakes");
        site.value.len()
    }
}

fn formulas(document: &Document) -> Vec<Formula> {
    let one = |node| match node {
        Node::Inline(Inline::Math(it)) => Some(it.clone()),
        Node::Block(Block { kind: BlockKind::Display(it), .. }) => Some(it.formula.clone()),
        Node::Inline(_) | Node::Block(_) => None,
    };
    document.nodes().into_iter().filter_map(one).collect()
}

type Stage = (&'static str, fn(&Bench) -> usize);

const STAGES: [Stage; 5] = [
    ("parse", Bench::parse),
    ("maths", Bench::maths),
    ("link", Bench::link),
    ("render", Bench::render),
    ("build", Bench::build),
];

/// The shortest of a few runs: what else the machine does only adds.
fn shortest(bench: &Bench, stage: fn(&Bench) -> usize) -> f64 {
    let once = |_| {
        let start = Instant::now();
        black_box(stage(bench));
        start.elapsed().as_secs_f64()
    };
    (0..3).map(once).fold(f64::INFINITY, f64::min)
}

fn growth(books: &BTreeMap<usize, Bench>) {
    println!("\nstage    ms a page (30)  ms a page (300)  ratio 300:30 (10 is linear)");
    for (name, stage) in STAGES {
        let [small, large] = SIZES.map(|it| shortest(&books[&it], stage));
        let [a, b] = [small * 1e3 / 30.0, large * 1e3 / 300.0];
        println!("{name:8} {a:14.2}  {b:15.2}  {:12.1}", large / small);
    }
}

/// Builds a book by the real program from cold; its user and system seconds and its peak memory.
fn program(chapters: usize) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files(chapters) {
        let path = folder.path().join("book").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    // The second line of `times` is what the children of the shell took.
    let script = "\"$0\" build --no-pdf --quiet && times";
    let out = Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_reckoner")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let times = String::from_utf8_lossy(&out.stdout);
    let times = times.lines().nth(1).unwrap_or_default();
    println!("{chapters} chapters: CPU time, user and system: {times}");
    if let Some(peak) = peak(folder.path()) {
        println!("{chapters} chapters: peak memory {:.0} MB", peak as f64 / 1e3);
    }
}

/// Peak memory in kB of one more build, read while it runs.
fn peak(folder: &Path) -> Option<u64> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_reckoner"))
        .args(["build", "--no-pdf", "--quiet"])
        .current_dir(folder)
        .spawn()
        .ok()?;
    let status = format!("/proc/{}/status", child.id());
    let mut most = None;
    while child.try_wait().ok()?.is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|it| it.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse().ok());
        most = most.max(kilobytes);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    most
}

fn main() {
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let books: BTreeMap<usize, Bench> = SIZES.iter().map(|it| (*it, Bench::new(*it))).collect();
    for (name, stage) in STAGES {
        let mut group = criterion.benchmark_group(name);
        // The large book is for growth, which the table below shows.
        group.throughput(Throughput::Elements(30));
        group.bench_function(BenchmarkId::from_parameter(30), |it| it.iter(|| stage(&books[&30])));
        group.finish();
    }
    criterion.final_summary();
    growth(&books);
    println!();
    for size in SIZES {
        program(size);
    }
}
