//! Snippets with the real compiler: what they show, how they fail, and that each failure stays
//! where it is.

#![expect(clippy::disallowed_methods, reason = "a test touches the world")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use reckoner::diag::{Checked, Diagnostic};
use reckoner::eval::{self, Output, Outputs, Runner, Runs};
use reckoner::ir::Document;
use reckoner::parse;
use reckoner::runner::{Limits, Local};
use reckoner::source::{FileId, Source, position};
use reckoner::value::{Real, Step, Value};

/// A book of chapters on disk below a folder that lasts as long as the test.
struct Bench {
    folder: tempfile::TempDir,
    limits: Limits,
}

/// What a build of it gave.
struct Built {
    outputs: Outputs,
    runs: Runs,
    /// `file:line:column code message`.
    messages: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let limits = Limits { time: Duration::from_secs(3), output: 1 << 16, ..Limits::default() };
        Self { folder, limits }
    }

    fn build(&self, chapters: &[(&str, &str)]) -> Built {
        let sources: Vec<Source> = chapters.iter().map(|it| Source::new(it.0, it.1)).collect();
        let documents: Vec<Document> = sources.iter().map(document).collect();
        let documents: Vec<&Document> = documents.iter().collect();
        let Checked { value: package, mut diagnostics } = eval::package(&documents, None, None);
        let runs = Local::new(self.folder.path(), self.limits).run(&package).unwrap();
        let outputs = eval::outputs(&package, &runs, &documents).take(&mut diagnostics);
        let texts: BTreeMap<&FileId, &Source> = sources.iter().map(|it| (&it.file, it)).collect();
        let message = |it: &Diagnostic| {
            let text = texts.get(&it.place.file).map_or("", |it| &it.text);
            let (line, column) = position(text, it.place.span.range().start);
            format!("{}:{line}:{column} {} {}", it.place.file, it.code.0, it.message)
        };
        let messages = diagnostics.iter().map(message).collect();
        Built { outputs, runs, messages, diagnostics }
    }
}

/// Parses a chapter, which must be without mistakes.
fn document(source: &Source) -> Document {
    let parsed = parse::document(source);
    assert_eq!(parsed.diagnostics, []);
    parsed.value
}

fn value<'a>(output: &'a Output, key: &str) -> &'a Value {
    let shown = output.shown.iter().find(|it| it.key == key);
    &shown.unwrap_or_else(|| panic!("no `{key}` in {output:?}")).value
}

fn float(value: f64) -> Value {
    Value::Float(Real(value))
}

const BASE: (&str, &str) = (
    "base.md",
    r#"# Base

```rust {#snip:base-lib lib}
/// Halves a number.
pub fn half(x: f64) -> f64 {
    assert!(x.is_finite(), "half of {x}");
    x / 2.0
}
```

```rust {#snip:s1 run title="Halves"}
# let hidden = 5.0;
show!("y", half(hidden));
show!("text", "a \"b\"\n");
show!("big", u64::MAX);
show!("matrix", [[0.1, 0.2], [f64::NAN, 1e-300]]);
table!("table", ["n", "half"], (0..2).map(|n| row![n, half(f64::from(n))]));
plot!("plot", Plot::new("P").x("x").line("l", (0..3).map(|i| (i, i * i))));
let end: usize = "3".parse()?;
show!("end", end)
```
"#,
);

#[test]
fn values_arrive_whole_and_a_prose_edit_runs_nothing() {
    let bench = Bench::new();
    let later = "# Later\n\n> ```rust {#snip:s2 run}\n> use book::base::half;\n> show!(\"z\", half(3.0));\n> ```\n";
    let first = bench.build(&[BASE, ("later.md", later)]);
    assert_eq!(first.messages, [""; 0]);
    let s1 = &first.outputs["s1"];
    let keys: Vec<_> = s1.shown.iter().map(|it| &it.key[..]).collect();
    assert_eq!(keys, ["y", "text", "big", "matrix", "table", "plot", "end"]);
    assert_eq!(value(s1, "y"), &float(2.5));
    assert_eq!(value(s1, "text"), &Value::Text("a \"b\"\n".into()));
    assert_eq!(value(s1, "big"), &Value::Int(u64::MAX.into()));
    assert_eq!(value(s1, "end"), &Value::Int(3));
    assert_eq!(value(s1, "matrix").at(&[Step::Index(1), Step::Index(1)]), Ok(&float(1e-300)));
    let cell = [Step::Index(1), Step::Name("half".into())];
    assert_eq!(value(s1, "table").at(&cell), Ok(&float(0.5)));
    assert!(matches!(value(s1, "plot"), Value::Plot(it) if it.marks.len() == 1));
    assert_eq!(value(&first.outputs["s2"], "z"), &float(1.5));
    // Cargo for what they need, the prelude, the library, and each program.
    assert_eq!((first.runs.compiled, first.runs.started), (5, 2));

    let moved = BASE.1.replace("# Base\n", "# Base\n\nA long story.\n\nAnd more.\n");
    let second = bench.build(&[("base.md", &moved), ("later.md", later)]);
    assert_eq!((second.runs.compiled, second.runs.started), (0, 0));
    assert_eq!(second.outputs, first.outputs);

    let edited = later.replace("3.0", "5.0");
    let third = bench.build(&[("base.md", &moved), ("later.md", &edited)]);
    assert_eq!((third.runs.compiled, third.runs.started), (1, 1));
    assert_eq!(value(&third.outputs["s2"], "z"), &float(2.5));

    let library = moved.replace("x / 2.0", "x * 0.5");
    let fourth = bench.build(&[("base.md", &library), ("later.md", &edited)]);
    assert_eq!(fourth.runs.started, 2, "both import the library");
}

#[test]
fn the_tangled_package_runs_by_hand() {
    let bench = Bench::new();
    bench.build(&[BASE]);
    let output = std::process::Command::new("cargo")
        .args(["run", "--quiet", "--offline", "--bin", "base", "s1"])
        .current_dir(bench.folder.path().join("package"))
        .env("CARGO_TARGET_DIR", bench.folder.path().join("build"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("y = 2.5\n"), "{text}");
}

#[test]
fn every_failure_is_told_at_its_line_and_stays_alone() {
    let bench = Bench::new();
    let text = r#"# Bad

```rust {#snip:types run}
let é = 1;
let x: f64 = "no";
```

> ```rust {#snip:brace run}
> # let a = 1;
> if a > 0 {
> ```

- ```rust {#snip:panic run}
  show!("before", 1);
  let list = vec![1];
  show!("after", list[list.len()]);
  ```

```rust {#snip:deep run}
show!("x", book::base::half(f64::INFINITY));
```

```rust {#snip:error run}
let n: usize = "x".parse()?;
```

```rust {#snip:expected run should_panic}
show!("x", 1);
[1, 2][2];
```

```rust {#snip:unexpected run should_panic}
show!("x", 1);
```

```rust {#snip:twice run}
show!("x", 1);
show!("x", 2);
```

```rust {#snip:fine run}
show!("x", 4);
```

```rust {#snip:unshown run}
show!("map", std::collections::BTreeMap::<u8, u8>::new());
```
"#;
    let built = bench.build(&[BASE, ("bad.md", text)]);
    let expected = [
        "bad.md:10:12 eval-syntax this `{` is never closed",
        "bad.md:5:14 eval-compile mismatched types: expected `f64`, found `&str` [E0308]",
        "bad.md:46:1 eval-compile `BTreeMap<u8, u8>` cannot be shown: \
         no number, text, truth value, vector or matrix [E0277]",
        "bad.md:16:22 eval-panic the snippet panicked: index out of bounds: the len is 1 but the index is 1",
        "base.md:6:5 eval-panic the snippet panicked: half of inf",
        "bad.md:23:11 eval-error the snippet returned an error: invalid digit found in string",
        "bad.md:32:11 eval-no-panic the snippet should panic, but it came to its end",
        "bad.md:38:1 eval-duplicate-key key `x` is shown a second time",
    ];
    let mut messages = built.messages.clone();
    messages.sort();
    let mut expected = expected.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(messages, expected);
    assert_eq!(value(&built.outputs["panic"], "before"), &Value::Int(1));
    assert_eq!(value(&built.outputs["fine"], "x"), &Value::Int(4));
    assert_eq!(built.outputs["expected"].failure, None);
    for id in ["types", "brace", "panic", "deep", "error", "unexpected"] {
        assert!(built.outputs[id].failure.is_some(), "{id}");
    }

    let moved = format!("# Moved\n\nDown.\n\n{}", text.strip_prefix("# Bad\n").unwrap());
    let again = bench.build(&[BASE, ("bad.md", &moved)]);
    assert_eq!((again.runs.compiled, again.runs.started), (0, 0));
    assert_eq!(again.diagnostics.len(), built.diagnostics.len());
    assert!(again.messages.iter().any(|it| it.starts_with("bad.md:8:14 eval-compile")));
    assert!(again.messages.iter().any(|it| it.starts_with("bad.md:19:22 eval-panic")));
}

#[test]
fn a_broken_library_blocks_only_what_needs_it() {
    let bench = Bench::new();
    let broken = "# Broken\n\n```rust {#snip:b-lib lib}\npub fn f() -> u8 {\n    \"no\"\n}\n```\n\n\
                  ```rust {#snip:b1 run}\nshow!(\"x\", f());\n```\n";
    let user = "# User\n\n```rust {#snip:u1 run}\nuse book::broken::f;\nshow!(\"x\", f());\n```\n\n\
                ```rust {#snip:u2 run}\nshow!(\"x\", 2);\n```\n";
    let built = bench.build(&[BASE, ("broken.md", broken), ("user.md", user)]);
    let expected =
        "broken.md:5:5 eval-compile mismatched types: expected `u8`, found `&str` [E0308]";
    assert_eq!(built.messages, [expected]);
    for id in ["b1", "u1"] {
        let failure = built.outputs[id].failure.as_deref();
        assert_eq!(failure, Some("it needs `book::broken`, which does not compile"));
    }
    assert_eq!(value(&built.outputs["u2"], "x"), &Value::Int(2));
}

#[test]
fn whatever_does_not_end_is_ended() {
    let bench = Bench::new();
    let text = r#"# Endless

```rust {#snip:loop run}
show!("x", 1);
let mut n = 0u64;
loop { n = std::hint::black_box(n + 1); }
```

```rust {#snip:sleep run}
std::thread::sleep(std::time::Duration::from_secs(1000));
```

```rust {#snip:input run}
show!("bytes", std::io::read_to_string(std::io::stdin())?.len());
```

```rust {#snip:flood run}
show!("x", 1);
loop { println!("and on and on and on and on and on and on and on and on and on"); }
```

```rust {#snip:exit run}
show!("x", 1);
std::process::exit(0);
```

```rust {#snip:abort run}
std::process::abort();
```

```rust {#snip:stack run}
fn down(n: u64) -> u64 { if std::hint::black_box(n) == 0 { 0 } else { down(n + 1) + 1 } }
show!("never", down(1));
```

```rust {#snip:child run}
let child = std::process::Command::new("/bin/sleep").arg("987").spawn()?;
show!("child", child.id());
```

```rust {#snip:fine run}
show!("x", 4);
```
"#;
    let start = Instant::now();
    let built = bench.build(&[("endless.md", text)]);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let codes: Vec<_> =
        built.messages.iter().map(|it| it.split(" the snippet").next().unwrap()).collect();
    let expected = [
        "endless.md:4:1 eval-time-limit",
        "endless.md:9:11 eval-time-limit",
        "endless.md:18:1 eval-output-limit",
        "endless.md:23:1 eval-exit",
        "endless.md:27:11 eval-exit",
        "endless.md:31:11 eval-stack-overflow",
    ];
    assert_eq!(codes, expected, "{:#?}", built.messages);
    assert_eq!(value(&built.outputs["loop"], "x"), &Value::Int(1));
    assert_eq!(value(&built.outputs["input"], "bytes"), &Value::Int(0));
    assert_eq!(value(&built.outputs["fine"], "x"), &Value::Int(4));
    let Value::Int(child) = value(&built.outputs["child"], "child") else { panic!() };
    assert!(!is_running(*child), "nothing is left behind");
}

/// Whether a process is there and no zombie.
fn is_running(id: i128) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(id.to_string()).join("stat"));
    status.is_ok_and(|it| !it.contains(") Z "))
}

#[test]
fn a_missing_compiler_is_the_fault_of_the_surroundings() {
    let folder = tempfile::tempdir().unwrap();
    // A file where the folder should be.
    let path = folder.path().join("file");
    std::fs::write(&path, "").unwrap();
    let source = Source::new(BASE.0, BASE.1);
    let document = document(&source);
    let package = eval::package(&[&document], None, None).value;
    let error = Local::new(&path, Limits::default()).run(&package).unwrap_err();
    assert!(error.to_string().contains("cannot make the folder"), "{error}");
    assert_eq!(Local::new(&path, Limits::default()).run(&Default::default()), Ok(Runs::default()));
}

/// A chapter of these snippets: label with flags, and code.
fn chapter(name: &str, snippets: &[(&str, &str)]) -> String {
    let one = |it: &(&str, &str)| format!("```rust {{#snip:{} run}}\n{}\n```\n\n", it.0, it.1);
    format!("# {name}\n\n{}", snippets.iter().map(one).collect::<String>())
}

/// Snippets whose values could depend on how they are compiled.
const DELICATE: &[(&str, &str)] = &[
    ("plain", "show!(\"x\", (1..=20).map(f64::from).map(f64::ln).sum::<f64>());"),
    ("quick opt=1", "show!(\"x\", (1..=20).map(f64::from).map(f64::ln).sum::<f64>());"),
    (
        "folded opt=1",
        "show!(\"x\", [1.0f64.exp(), 0.3f64.powf(0.7), 2.0f64.tanh(), 1e9f64.sin()]);",
    ),
    ("unfolded", "show!(\"x\", [1.0f64.exp(), 0.3f64.powf(0.7), 2.0f64.tanh(), 1e9f64.sin()]);"),
    (
        "named",
        "struct Own;\nshow!(\"x\", std::any::type_name_of_val(&Own));\nshow!(\"m\", module_path!());",
    ),
    ("place", "show!(\"x\", format!(\"{} {} {}\", file!(), line!(), column!()));"),
    ("overflow opt=1", "let x: u8 = \"200\".parse()?;\nshow!(\"x\", x + x);"),
    ("checked", "debug_assert!(std::env::args().count() == 0, \"debug\");"),
    ("exported", "#[macro_export] macro_rules! same { () => { 1 } }\nshow!(\"x\", same!());"),
    ("exported2", "#[macro_export] macro_rules! same { () => { 2 } }\nshow!(\"x\", same!());"),
    ("types", "let x: f64 = \"no\";"),
    ("within", "let v = vec![1];\nlet s: String = format!(\"{}\", v[0] + \"a\");"),
    ("own-macro", "macro_rules! half { ($x:expr) => { $x / 2.0 } }\nshow!(\"x\", half!(\"two\"));"),
    ("inside", "let map = std::collections::HashMap::<u8, u8>::new();\nshow!(\"x\", map[&1]);"),
    (
        "impl",
        "struct V;\nimpl std::ops::Mul<V> for f64 { type Output = f64; fn mul(self, _: V) -> f64 { self } }\nshow!(\"x\", 2.0 * V);",
    ),
    ("neighbour", "let one = \"1.5\".parse().map(|it: f64| 2.0 * it)?;\nshow!(\"x\", one);"),
];

#[test]
fn together_or_alone_makes_no_difference() {
    let whole = chapter("Whole", DELICATE);
    let together = Bench::new();
    let many = together.build(&[("whole.md", &whole)]);
    let alone = Bench::new();
    // Every step has one more, so each is compiled by itself.
    let mut last = None;
    for count in (4..=DELICATE.len()).step_by(4) {
        let text = chapter("Whole", &DELICATE[..count]);
        last = Some(alone.build(&[("whole.md", &text)]));
    }
    let last = last.unwrap();
    assert_eq!(many.outputs, last.outputs);
    assert_eq!(many.messages, last.messages);
    assert_eq!(many.outputs["plain"].shown[0].value, many.outputs["quick"].shown[0].value);
    assert_eq!(many.outputs["folded"].shown[0].value, many.outputs["unfolded"].shown[0].value);
    let codes: Vec<&str> = many.messages.iter().map(|it| it.split(": ").next().unwrap()).collect();
    // The line of each is the author's own, also through macros and from inside of a library.
    let expected = [
        "whole.md:31:12 eval-panic the snippet panicked",
        "whole.md:35:1 eval-panic the snippet panicked",
        "whole.md:49:14 eval-compile mismatched types",
        "whole.md:54:36 eval-compile cannot add `&str` to `{integer}`",
        "whole.md:58:39 eval-compile cannot divide `&str` by `{float}` [E0369]",
        "whole.md:64:15 eval-panic the snippet panicked",
    ];
    assert_eq!(codes, expected, "{:#?}", many.messages);
    let macros = many.diagnostics.iter().find(|it| it.message.starts_with("cannot divide"));
    let related = &macros.unwrap().related[0];
    let (line, column) = position(&whole, related.0.span.range().start);
    assert_eq!((line, column, &related.1[..]), (59, 12, "the macro is called here"));
    assert_eq!(value(&many.outputs["exported2"], "x"), &Value::Int(2));

    let edited = whole.replace("2.0 * V", "3.0 * V");
    let edited = together.build(&[("whole.md", &edited)]);
    assert_eq!((edited.runs.compiled, edited.runs.started), (1, 1));
    assert_eq!(value(&edited.outputs["impl"], "x"), &float(3.0));
}

#[test]
fn what_is_gone_is_made_again() {
    let bench = Bench::new();
    let text = |n: u8| chapter("A", &[("a", &format!("show!(\"x\", {n});"))]);
    bench.build(&[("a.md", &text(1))]);
    for gone in ["base.json", "libraries/book", "debug/deps", ""] {
        let path = bench.folder.path().join("build").join(gone);
        if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap();
        } else {
            std::fs::remove_file(path).unwrap();
        }
        let built = bench.build(&[("a.md", &text(1))]);
        assert_eq!(built.messages, [""; 0], "without `{gone}`");
        std::fs::remove_dir_all(bench.folder.path().join("results")).unwrap();
    }
}
