//! CPU seconds of 200 snippets in 20 chapters, by us and by rustdoc, which also compiles and runs
//! the code of a text.
//!
//! The snippets are like those of the book: matrices, factorizations, sums and sequences, plots, with
//! imports from the `lib` blocks of their own chapter and of others. The dependencies are built
//! before anything is measured. rustdoc gets the same code as doctests, once each as a program of its
//! own and once merged into one, as it does since the edition of 2024.

#![expect(
    clippy::disallowed_methods,
    reason = "a benchmark starts programs and reads what they took"
)]
#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use reckoner::eval::{self, Run, Runner, Runs};
use reckoner::ir::Document;
use reckoner::parse;
use reckoner::runner::{Limits, Local};
use reckoner::source::Source;

const CHAPTERS: usize = 20;
const SNIPPETS: usize = 10;

const MANIFEST: &str = "[package]\nname = \"corpus\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
    [dependencies]\n\
    nalgebra = { version = \"0.35\", default-features = false, features = [\"std\", \"macros\"] }\n";

/// What a chapter gives to others.
fn library(chapter: usize) -> String {
    format!(
        r#"use nalgebra::DMatrix;

/// A real matrix.
pub type Matrix = DMatrix<f64>;

/// A matrix of small numbers.
pub fn sample(rows: usize, columns: usize) -> Matrix {{
    Matrix::from_fn(rows, columns, |i, j| ((i * 7 + j * 3 + {chapter}) % 11) as f64 - 5.0)
}}

/// The softmax of every row.
pub fn softmax(scores: &Matrix) -> Matrix {{
    let mut out = scores.clone();
    for mut row in out.row_iter_mut() {{
        let largest = row.max();
        row.apply(|it| *it = (*it - largest).exp());
        let sum = row.sum();
        row /= sum;
    }}
    out
}}

/// A layer of a network.
pub struct Layer {{
    pub weights: Matrix,
    pub bias: Matrix,
}}

impl Layer {{
    pub fn new(inputs: usize, outputs: usize) -> Self {{
        Layer {{ weights: sample(inputs, outputs) / 10.0, bias: Matrix::zeros(1, outputs) }}
    }}

    pub fn forward(&self, x: &Matrix) -> Matrix {{
        let mut out = x * &self.weights;
        for mut row in out.row_iter_mut() {{
            row += self.bias.row(0);
        }}
        out.map(|it| it.max(0.0))
    }}
}}
"#
    )
}

/// The code of a snippet. `book` is how the library is called.
fn code(chapter: usize, index: usize, book: &str) -> String {
    let (other, n) = ((chapter + 7) % CHAPTERS, chapter * SNIPPETS + index);
    match index {
        0 => format!(
            "let a = sample(3, 4);\nlet b = a.transpose();\nshow!(\"AB\", &a * &b);\nshow!(\"trace\", (&a * &b).trace());\n\
             show!(\"sum\", (&a + &a * {n}.0).sum());\nshow!(\"row\", a.row(0));"
        ),
        1 => format!(
            "let a = sample(4, 4) + Matrix::identity(4, 4) * 20.0;\nlet lu = a.clone().lu();\n\
             show!(\"det\", lu.determinant());\nlet x = lu.solve(&sample(4, 1)).ok_or(\"singular\")?;\n\
             show!(\"x\", x);\nshow!(\"residual\", (&a * &x - sample(4, 1)).norm() + {n}.0);"
        ),
        2 => format!(
            "let a = sample(5, 3);\nlet svd = a.clone().svd(true, true);\nshow!(\"singular\", svd.singular_values.as_slice());\n\
             let back = svd.recompose()?;\nshow!(\"error\", (back - a).norm() < 1e-9);\nshow!(\"n\", {n});"
        ),
        3 => format!(
            "let p = softmax(&sample(2, 5));\nshow!(\"p\", p);\nlet entropy: f64 = p.iter().map(|it| -it * it.ln()).sum();\n\
             show!(\"entropy\", entropy + {n}.0);\nlet ones = p.column_sum();\nshow!(\"ones\", ones);"
        ),
        4 => format!(
            "use {book}::c{other:02}::{{sample as far, Layer}};\n\nlet layer = Layer::new(4, 3);\n\
             let hidden = layer.forward(&far(2, 4));\nshow!(\"hidden\", hidden);\nshow!(\"mean\", hidden.mean() + {n}.0);"
        ),
        5 => format!(
            "let mut x = {n}.0_f64 + 2.0;\nlet mut rows = Vec::new();\nfor step in 0..6 {{\n    x = 0.5 * (x + 2.0 / x);\n    \
             rows.push(row![step, x, (x - 2.0_f64.sqrt()).abs()]);\n}}\ntable!(\"newton\", [\"step\", \"x\", \"error\"], rows);"
        ),
        6 => format!(
            "let curve = (0..50).map(|k| {{\n    let x = f64::from(k) / 10.0;\n    (x, (-x).exp() * (x + {n}.0).sin())\n}});\n\
             plot!(\"curve\", Plot::new(\"Damped\").x(\"x\").y(\"y\").line(\"f\", curve));"
        ),
        7 => format!(
            "let words = \"the cat sat on the mat and the dog sat\";\nlet mut counts = std::collections::BTreeMap::new();\n\
             for word in words.split_whitespace() {{\n    *counts.entry(word).or_insert(0usize) += 1;\n}}\n\
             for (word, count) in &counts {{\n    show!(format!(\"count-{{word}}\"), *count + {n});\n}}"
        ),
        8 => format!(
            "let a = sample(3, 3);\nlet s = &a * a.transpose();\nlet mut eigen: Vec<f64> =\n    s.clone().symmetric_eigen().eigenvalues.iter().copied().collect();\n\
             eigen.sort_by(|a, b| b.total_cmp(a));\nshow!(\"eigenvalues\", eigen);\nlet q = s.qr().q();\n\
             show!(\"orthogonal\", (q.transpose() * &q - Matrix::identity(3, 3)).norm() < 1e-9);\nshow!(\"n\", {n});"
        ),
        _ => format!(
            "#[derive(Clone, Debug)]\nstruct Point {{\n    x: f64,\n    y: f64,\n}}\n\nlet points: Vec<Point> =\n    (0..10).map(|k| Point {{ x: f64::from(k), y: f64::from(k * k) + {n}.0 }}).collect();\n\
             let n = points.len() as f64;\nlet (mx, my) = (points.iter().map(|it| it.x).sum::<f64>() / n, points.iter().map(|it| it.y).sum::<f64>() / n);\n\
             let slope = points.iter().map(|it| (it.x - mx) * (it.y - my)).sum::<f64>()\n    / points.iter().map(|it| (it.x - mx).powi(2)).sum::<f64>();\n\
             show!(\"slope\", slope);\nshow!(\"text\", format!(\"{{:?}}\", points[0]));"
        ),
    }
}

fn chapters() -> Vec<String> {
    let one = |chapter: usize| {
        let mut out =
            format!("# Chapter {chapter}\n\n```rust {{lib}}\n{}```\n\n", library(chapter));
        for index in 0..SNIPPETS {
            let code = code(chapter, index, "book");
            let _ = write!(
                out,
                "Words.\n\n```rust {{#snip:c{chapter:02}-{index} run}}\n{code}\n```\n\n"
            );
        }
        out
    };
    (0..CHAPTERS).map(one).collect()
}

/// Compiles and runs what is stale, and says what it took. Every snippet must be fine.
fn run(runner: &mut Local, chapters: &[String]) -> (f64, Runs) {
    let source = |(index, text): (usize, &String)| Source::new(&format!("c{index:02}.md"), text);
    let sources: Vec<Source> = chapters.iter().enumerate().map(source).collect();
    let documents: Vec<Document> = sources.iter().map(|it| parse::document(it).value).collect();
    let documents: Vec<&Document> = documents.iter().collect();
    let manifest = Source::new("Cargo.toml", MANIFEST);
    let package = eval::package(&documents, Some(&manifest), None).value;
    let start = seconds();
    let runs = runner.run(&package).unwrap();
    let took = seconds() - start;
    let outputs = eval::outputs(&package, &runs, &documents);
    assert_eq!(outputs.diagnostics, [], "the corpus is without mistakes");
    assert_eq!(outputs.value.len(), CHAPTERS * SNIPPETS);
    let ran = |it: &Run| matches!(it, Run::Ran { .. } | Run::Compiled);
    assert!(runs.runs.values().all(ran));
    (took, runs)
}

/// CPU seconds of this process and of all that it has waited for.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("this benchmark runs on Linux");
    let fields = text.rsplit(") ").next().unwrap().split(' ').skip(11).take(4);
    let ticks: f64 = fields.map(|it| it.parse::<f64>().unwrap()).sum();
    // The kernel tells user space hundredths on every machine.
    ticks / 100.0
}

/// The same code as doctests of a crate that has the libraries.
fn doctests(folder: &Path, edition: &str) {
    let mut lib = String::from("//! Doctests.\n");
    for chapter in 0..CHAPTERS {
        let _ = write!(lib, "pub mod c{chapter:02} {{\n{}}}\n", library(chapter));
        for index in 0..SNIPPETS {
            let code = code(chapter, index, "corpus");
            let _ = write!(
                lib,
                "/// ```\n/// use corpus::c{chapter:02}::*;\n/// use reckoner_prelude::prelude::*;\n\
                 /// fn run() -> reckoner_prelude::Outcome {{\n"
            );
            for line in code.lines() {
                // A line of rustdoc that begins with `#[` is code too.
                let _ = writeln!(lib, "/// {line}");
            }
            let _ = write!(
                lib,
                "/// Ok(())\n/// }}\n/// run().unwrap();\n/// ```\npub fn f{chapter}_{index}() {{}}\n"
            );
        }
    }
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("src/lib.rs"), lib).unwrap();
    let manifest = MANIFEST.replace("2024", edition);
    let rest = "reckoner-prelude = { path = \"prelude\", features = [\"nalgebra\"] }\n\n\
        [profile.dev.package.\"*\"]\nopt-level = 3\ndebug = false\n\n[workspace]\n";
    std::fs::write(folder.join("Cargo.toml"), format!("{manifest}{rest}")).unwrap();
}

/// Runs cargo; returns what it took and printed.
fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> (f64, String) {
    let start = seconds();
    let output = Command::new("cargo")
        .args(arguments)
        .arg("--offline")
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    (seconds() - start, out.into_owned())
}

/// rustdoc on the corpus, with all crates built before.
fn rustdoc(kept: &Path, folder: &Path, edition: &str) -> f64 {
    doctests(folder, edition);
    let prelude = folder.join("prelude");
    let _ = std::fs::remove_dir_all(&prelude);
    assert!(
        Command::new("cp")
            .arg("-r")
            .arg(kept.join("package/prelude"))
            .arg(&prelude)
            .status()
            .unwrap()
            .success()
    );
    let target = kept.join("build");
    cargo(folder, &target, &["build"]);
    let (took, printed) = cargo(folder, &target, &["test", "--doc"]);
    let passed: usize = printed
        .lines()
        .filter_map(|it| {
            it.strip_prefix("test result: ok. ")?.split(' ').next()?.parse::<usize>().ok()
        })
        .sum();
    assert_eq!(passed, CHAPTERS * SNIPPETS, "{printed}");
    took
}

/// What an edit of snippet `index` of a chapter takes, on average.
fn edits(runner: &mut Local, chapters: &mut [String], index: usize) -> f64 {
    const EDITS: usize = 4;
    let mut sum = 0.0;
    for chapter in 0..EDITS {
        let head = format!("{{#snip:c{chapter:02}-{index} run}}\n");
        let edited = chapters[chapter].replace(&head, &format!("{head}show!(\"edit\", 1);\n"));
        assert_ne!(edited, std::mem::replace(&mut chapters[chapter], edited.clone()));
        let (took, runs) = run(runner, chapters);
        assert_eq!((runs.compiled, runs.started), (1, 1), "an edit is one call of the compiler");
        sum += took;
    }
    sum / EDITS as f64
}

const KINDS: [(&str, usize); 4] =
    [("product", 0), ("factorization", 2), ("import", 4), ("standard library", 7)];

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("reckoner");
    let mut chapters = chapters();
    // Builds the dependencies, the prelude and what is warm.
    let mut runner =
        Local::new(&kept, Limits::default()).confined_by(env!("CARGO_BIN_EXE_reckoner"));
    let (first, _) = run(&mut runner, &chapters);
    std::fs::remove_dir_all(kept.join("results")).unwrap();
    std::fs::remove_dir_all(kept.join("build/libraries/book")).unwrap();
    let (cold, runs) = run(&mut runner, &chapters);
    println!("first build of all, with the dependencies: {first:.1} CPU s");
    println!("cold: {} calls of the compiler, {} programs", runs.compiled, runs.started);
    let (nothing, _) = run(&mut runner, &chapters);
    chapters[3] = chapters[3].replacen("Words.", "Many more words.\n\nAnd more.", 1);
    let (prose, runs) = run(&mut runner, &chapters);
    assert_eq!((runs.compiled, runs.started), (0, 0), "prose compiles nothing");
    let edits = KINDS.map(|(kind, index)| (kind, edits(&mut runner, &mut chapters, index)));
    let library = chapters[5].replace("% 11)", "% 12)");
    chapters[5] = library;
    let (library, runs) = run(&mut runner, &chapters);
    println!("a library: {} calls of the compiler, {} programs", runs.compiled, runs.started);

    let one = rustdoc(&kept, &folder.path().join("one"), "2021");
    let merged = rustdoc(&kept, &folder.path().join("merged"), "2024");
    println!("\n{:34} {:>9} {:>12} {:>12}", "", "CPU s", "one by one", "merged");
    let line = |name: &str, took: f64| {
        println!(
            "{name:34} {took:9.2} {:11.2}% {:11.2}%",
            took / one * 100.0,
            took / merged * 100.0
        );
    };
    line("rustdoc, one by one", one);
    line("rustdoc, merged", merged);
    line("cold", cold);
    for (kind, took) in edits {
        line(&format!("edit of a snippet: {kind}"), took);
    }
    line("edit of a library, 12 programs", library);
    line("edit of prose", prose);
    line("nothing", nothing);
    let bar = [("cold", cold, 4.9), ("edit", edits.map(|it| it.1).iter().sum::<f64>() / 4.0, 0.24)];
    for (name, took, wanted) in bar {
        let (ours, wanted) = (took / one * 100.0, wanted / 55.0 * 100.0);
        println!("{name}: {ours:.2}% of one by one; the bar is {wanted:.2}%");
    }
}
