//! Snippets that misbehave, with the real compiler: each ends within its limit with a message at
//! its line, the others keep their results, and nothing is left running.

#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#![expect(clippy::disallowed_methods, reason = "a test touches the world")]

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use reckoner::diag::{Checked, Diagnostic};
use reckoner::eval::{self, Outputs, Runner, Runs};
use reckoner::ir::Document;
use reckoner::parse;
use reckoner::runner::{Limits, Local};
use reckoner::source::{Source, position};
use reckoner::value::{Real, Value};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

/// A book of one chapter on disk, and what a build of it needs.
struct Bench {
    folder: tempfile::TempDir,
    limits: Limits,
}

struct Built {
    text: String,
    outputs: Outputs,
    runs: Runs,
    diagnostics: Vec<Diagnostic>,
    taken: Duration,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let limits = Limits {
            time: Duration::from_secs(2),
            output: 1 << 16,
            memory: 2 << 30,
            compile: Duration::from_secs(30),
            compile_memory: 3 << 30,
        };
        Self { folder, limits }
    }

    /// Writes a file beside the chapters.
    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join("book").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Builds a chapter of snippets: each an id and its code.
    fn build(&self, snippets: &[(&str, &str)]) -> Built {
        let block = |it: &(&str, &str)| format!("```rust {{#snip:{} run}}\n{}\n```\n", it.0, it.1);
        let text = format!("# Bad\n\n{}", snippets.iter().map(block).collect::<String>());
        self.build_chapters(&[("bad.md", &text)])
    }

    fn build_chapters(&self, chapters: &[(&str, &str)]) -> Built {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let document = |it: &(&str, &str)| {
            let Checked { value, diagnostics } = parse::document(&Source::new(it.0, it.1));
            assert_eq!(diagnostics, []);
            value
        };
        let documents: Vec<Document> = chapters.iter().map(document).collect();
        let documents: Vec<&Document> = documents.iter().collect();
        let Checked { value: package, mut diagnostics } = eval::package(&documents, None, None);
        let kept = self.folder.path().join("target/reckoner");
        let mut runner = Local::new(kept, self.limits)
            .confined_by(env!("CARGO_BIN_EXE_reckoner"))
            .data(self.folder.path().join("book/data"));
        assert_eq!(runner.gap(), None, "this machine cannot run these tests");
        let start = Instant::now();
        let runs = runner.run(&package).unwrap();
        let taken = start.elapsed();
        let outputs = eval::outputs(&package, &runs, &documents).take(&mut diagnostics);
        self.assert_nothing_runs();
        Built { text: chapters[0].1.to_owned(), outputs, runs, diagnostics, taken }
    }

    /// No process was started from the folder of this book, or works for it.
    fn assert_nothing_runs(&self) {
        let folder = self.folder.path().to_str().unwrap();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let command = String::from_utf8_lossy(&command).replace('\0', " ");
            assert!(!command.contains(folder), "{command} is left running");
        }
    }
}

impl Built {
    /// The one message about a snippet: its code, the line of the snippet that it is at (0 is the
    /// fence), what it says and its way out.
    fn message(&self, id: &str) -> (&str, usize, &str, &str) {
        let fence = self.text.find(&format!("#snip:{id} ")).unwrap();
        let end = fence + self.text[fence..].find("\n```\n").unwrap();
        let inside = |it: &&Diagnostic| (fence..end).contains(&it.place.span.range().start);
        let found: Vec<&Diagnostic> = self.diagnostics.iter().filter(inside).collect();
        let [one] = found[..] else { panic!("{id}: {found:#?}\n{:#?}", self.runs.runs.get(id)) };
        let line = |at: usize| position(&self.text, at).0;
        let start = one.place.span.range().start;
        let help = one.help.as_deref().unwrap_or_default();
        ((one.code.0), line(start) - line(fence), &one.message, help)
    }

    fn value(&self, id: &str, key: &str) -> &Value {
        let output = &self.outputs[id];
        let shown = output.shown.iter().find(|it| it.key == key);
        &shown
            .unwrap_or_else(|| {
                panic!("{id} has no `{key}`: {output:?}\n{:?}", self.runs.runs.get(id))
            })
            .value
    }
}

/// Each with what its message must be: code, line and words.
type Bad = (&'static str, &'static str, (&'static str, usize, &'static str));

const BAD: &[Bad] = &[
    (
        "loop",
        "show!(\"x\", 1);\nlet mut n = 0u64;\nloop { n = std::hint::black_box(n + 1); }",
        ("eval-time-limit", 1, "the snippet was stopped after 2 seconds"),
    ),
    (
        "sleep",
        "std::thread::sleep(std::time::Duration::from_secs(1000));",
        ("eval-time-limit", 0, "the snippet was stopped after 2 seconds"),
    ),
    (
        "deadlock",
        "let lock = std::sync::Mutex::new(1);\nlet one = lock.lock().unwrap();\nshow!(\"x\", *one);\n\
         let two = lock.lock().unwrap();",
        ("eval-time-limit", 3, "the snippet was stopped after 2 seconds"),
    ),
    (
        "threads-busy",
        "show!(\"x\", 1);\nstd::thread::scope(|s| for _ in 0..8 { s.spawn(|| loop { \
         std::hint::black_box(1); }); });",
        ("eval-time-limit", 1, "the snippet was stopped after 2 seconds"),
    ),
    (
        "allocation",
        "show!(\"x\", 1);\nlet big = vec![1u8; 10 << 30];\nshow!(\"y\", big[5]);",
        (
            "eval-memory-limit",
            1,
            "the snippet ran out of memory: it may have 2 GiB, and asked for 10 GiB more",
        ),
    ),
    (
        "leak",
        "show!(\"x\", 1);\nloop { std::mem::forget(std::hint::black_box(vec![0u8; 64 << 20])); }",
        (
            "eval-memory-limit",
            1,
            "the snippet ran out of memory: it may have 2 GiB, and asked for 64 MiB more",
        ),
    ),
    (
        "stack",
        "show!(\"x\", 1);\nfn down(n: u64) -> u64 { if std::hint::black_box(n) == 0 { 0 } else { \
         down(n + 1) + 1 } }\nshow!(\"y\", down(1));",
        ("eval-stack-overflow", 1, "the snippet overflowed its stack of 8 MiB"),
    ),
    (
        "flood",
        "show!(\"x\", 1);\nloop { println!(\"and on and on and on and on and on and on\"); }",
        ("eval-output-limit", 1, "the snippet was stopped after 64 KiB of output"),
    ),
    (
        "stderr-flood",
        "show!(\"x\", 1);\nloop { eprintln!(\"and on and on and on and on and on and on\"); }",
        ("eval-output-limit", 1, "the snippet was stopped after 64 KiB of output"),
    ),
    (
        "fork-bomb",
        "show!(\"x\", 1);\nloop {\n    std::process::Command::new(std::env::current_exe()?)\
         .args(std::env::args().skip(1)).spawn()?;\n}",
        (
            "eval-denied",
            1,
            "the snippet was not permitted what it tried: Operation not permitted (os error 1)",
        ),
    ),
    (
        "thread-bomb",
        "show!(\"x\", 1);\nloop {\n    std::thread::Builder::new().stack_size(16384)\
         .spawn(|| loop { std::thread::park() })?;\n}",
        ("eval-thread-limit", 1, "the snippet was stopped because it had more than 256 threads"),
    ),
    (
        "write",
        "show!(\"x\", 1);\nstd::fs::write(\"note.txt\", \"hello\").unwrap();",
        (
            "eval-denied",
            2,
            "the snippet was not permitted what it tried: called `Result::unwrap()`",
        ),
    ),
    (
        "write-data",
        "std::fs::write(\"data/x.csv\", \"hello\").unwrap();",
        (
            "eval-denied",
            1,
            "the snippet was not permitted what it tried: called `Result::unwrap()`",
        ),
    ),
    (
        "remove-data",
        "std::fs::remove_file(\"data/x.csv\")?;",
        ("eval-denied", 0, "the snippet was not permitted what it tried: Operation not permitted"),
    ),
    (
        "read",
        "let text = std::fs::read_to_string(\"/etc/passwd\")?;\nshow!(\"x\", text);",
        (
            "eval-denied",
            0,
            "the snippet was not permitted what it tried: Permission denied (os error 13)",
        ),
    ),
    (
        "read-book",
        "let _ = \"data\";\nshow!(\"x\", std::fs::read_to_string(\"../book/secret.txt\").unwrap());",
        (
            "eval-denied",
            2,
            "the snippet was not permitted what it tried: called `Result::unwrap()`",
        ),
    ),
    (
        "read-link",
        "show!(\"x\", std::fs::read_to_string(\"data/link.txt\").unwrap());",
        (
            "eval-denied",
            1,
            "the snippet was not permitted what it tried: called `Result::unwrap()`",
        ),
    ),
    (
        "read-folder",
        "show!(\"x\", std::fs::read_dir(\"/\")?.count());",
        (
            "eval-denied",
            0,
            "the snippet was not permitted what it tried: Permission denied (os error 13)",
        ),
    ),
    (
        "read-parent",
        "let parent = std::os::unix::process::parent_id();\nlet path = format!(\"/proc/{parent}/environ\");\n\
         show!(\"x\", std::fs::read(path).unwrap().len());",
        (
            "eval-denied",
            3,
            "the snippet was not permitted what it tried: called `Result::unwrap()`",
        ),
    ),
    (
        "tcp",
        "let listener = std::net::TcpListener::bind(\"127.0.0.1:0\")?;",
        ("eval-denied", 0, "the snippet was not permitted what it tried: Operation not permitted"),
    ),
    (
        "tcp-out",
        "let stream = std::net::TcpStream::connect(\"127.0.0.1:22\").unwrap();",
        (
            "eval-denied",
            1,
            "the snippet was not permitted what it tried: called `Result::unwrap()`",
        ),
    ),
    (
        "udp",
        "let socket = std::net::UdpSocket::bind(\"127.0.0.1:0\")?;",
        ("eval-denied", 0, "the snippet was not permitted what it tried: Operation not permitted"),
    ),
    (
        "unix-socket",
        "let pair = std::os::unix::net::UnixDatagram::unbound()?;",
        ("eval-denied", 0, "the snippet was not permitted what it tried: Operation not permitted"),
    ),
    (
        "become-another",
        "use std::os::unix::process::CommandExt;\n\
         return Err(std::process::Command::new(\"/bin/sh\").exec().into());",
        (
            "eval-denied",
            0,
            "the snippet was not permitted what it tried: Permission denied (os error 13)",
        ),
    ),
    (
        "exit",
        "show!(\"x\", 1);\nstd::process::exit(0);",
        ("eval-exit", 1, "the snippet ended with exit code 0 before its last line"),
    ),
    (
        "abort",
        "show!(\"x\", 1);\nstd::process::abort();",
        ("eval-exit", 1, "the snippet was ended by signal 6, an abort"),
    ),
];

/// Books that are to be built one after the other, so that none takes another's time.
static TURN: Mutex<()> = Mutex::new(());

/// Snippets that may do what they do, and what they show as `x`.
fn good() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("fine", "show!(\"x\", 4);", Value::Int(4)),
        (
            "scope",
            "let sum: u64 = std::thread::scope(|scope| {\n\
             let all: Vec<_> = (0..16).map(|it| scope.spawn(move || vec![it; 1000].iter().sum::<u64>())).collect();\n\
             all.into_iter().map(|it| it.join().unwrap()).sum()\n});\nshow!(\"x\", sum);",
            Value::Int(120_000),
        ),
        (
            "data",
            "let text = std::fs::read_to_string(\"data/prices/x.csv\")?;\n\
             let files = std::fs::read_dir(\"data\")?.count();\n\
             let sum: f64 = text.split(',').map(|it| it.trim().parse::<f64>().unwrap()).sum();\n\
             show!(\"x\", sum + files as f64);",
            Value::Float(Real(5.5)),
        ),
        (
            "big",
            "let big = vec![7u8; 200 << 20];\nlet copy = big.clone();\n\
             show!(\"x\", copy[(200 << 20) - 1]);",
            Value::Int(7),
        ),
        (
            "deep-thread",
            "let deep = std::thread::Builder::new().stack_size(256 << 20);\n\
             fn down(n: u64) -> u64 { if std::hint::black_box(n) == 0 { 0 } else { down(n - 1) + 1 } }\n\
             show!(\"x\", deep.spawn(|| down(1_000_000))?.join().unwrap());",
            Value::Int(1_000_000),
        ),
        (
            "clean",
            "show!(\"x\", std::env::vars().filter(|it| !it.0.starts_with(\"RECKONER_\") && \
             it.0 != \"MALLOC_ARENA_MAX\").count());",
            Value::Int(0),
        ),
        (
            "caught",
            "let caught = std::panic::catch_unwind(|| [1][std::hint::black_box(3)]);\n\
             show!(\"x\", caught.is_err());",
            Value::Bool(true),
        ),
    ]
}

#[test]
fn every_program_is_kept_within_its_limits() {
    let bench = Bench::new();
    bench.write("secret.txt", "secret");
    bench.write("data/x.csv", "1");
    std::os::unix::fs::symlink("../secret.txt", bench.folder.path().join("book/data/link.txt"))
        .unwrap();
    let bad = BAD.iter().map(|it| (it.0, it.1));
    let snippets: Vec<_> = bad.chain([("fine", "show!(\"x\", 4);")]).collect();
    let built = bench.build(&snippets);
    let mut wrong = Vec::new();
    for (id, code, (kind, line, words)) in BAD {
        let (its, at, message, help) = built.message(id);
        if (its, at) != (*kind, *line) || !message.starts_with(words) || help.is_empty() {
            wrong.push(format!("{id}: {its} {at} {message} ({help}) {:?}", built.runs.runs[*id]));
        }
        assert!(built.outputs[*id].failure.is_some(), "{id}");
        if code.starts_with("show!(\"x\", 1);") {
            assert_eq!(built.value(id, "x"), &Value::Int(1), "{id}: what it had shown is kept");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(built.value("fine", "x"), &Value::Int(4));
    assert_eq!(built.diagnostics.len(), BAD.len());
    assert_eq!(std::fs::read_to_string(bench.folder.path().join("book/data/x.csv")).unwrap(), "1");
    assert!(!bench.folder.path().join("book/note.txt").exists());
    assert!(built.taken < Duration::from_secs(60), "{:?}", built.taken);
}

#[test]
fn what_snippets_need_they_have() {
    let mut bench = Bench::new();
    bench.limits = Limits::default();
    bench.write("data/prices/x.csv", "1, 2.5\n");
    bench.write("data/x.csv", "1");
    let good = good();
    let snippets: Vec<_> = good.iter().map(|it| (it.0, it.1)).collect();
    let built = bench.build(&snippets);
    for (id, _, value) in &good {
        assert_eq!(built.outputs[*id].failure, None, "{id}");
        assert_eq!(built.value(id, "x"), value, "{id}");
    }
    let again = bench.build(&snippets);
    assert_eq!(again.runs.started, 0);
    bench.write("data/prices/x.csv", "1, 3.5\n");
    let again = bench.build(&snippets);
    assert_eq!(again.runs.started, 1, "only one reads data");
    assert_eq!(again.value("data", "x"), &Value::Float(Real(6.5)));
}

/// Builds a small book by the real program on a system that lacks a call: what it says.
fn without(call: i64, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book");
    std::fs::create_dir(&book).unwrap();
    let chapter = "# One\n\n```rust {#snip:s1 run}\nshow!(\"x\", 1);\n```\n\nIt is `=s1.x`.\n";
    std::fs::write(book.join("SUMMARY.md"), "# Summary\n\n- [One](one.md)\n").unwrap();
    std::fs::write(book.join("book.toml"), "title = \"Small\"\n").unwrap();
    std::fs::write(book.join("one.md"), chapter).unwrap();
    let rules = [(call, Vec::new())].into_iter().collect();
    let refusal = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let here = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, here).unwrap();
    let filter: BpfProgram = filter.try_into().unwrap();
    let output = std::thread::scope(|scope| {
        let build = || {
            seccompiler::apply_filter(&filter).unwrap();
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_reckoner"));
            command.args(["check", "--no-pdf"]).args(arguments).current_dir(folder.path());
            command.output().unwrap()
        };
        scope.spawn(build).join().unwrap()
    });
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn a_system_without_walls_builds_the_book_and_says_so_once() {
    let note = |said: &str| said.matches("note: snippets are not sandboxed: ").count();
    let said = without(libc::SYS_landlock_create_ruleset, &[]);
    assert!(said.contains("this system has no Landlock") && note(&said) == 1, "{said}");
    let said = without(libc::SYS_seccomp, &[]);
    assert!(said.contains("this system has no seccomp filters") && note(&said) == 1, "{said}");
    assert_eq!(note(&without(libc::SYS_seccomp, &["--quiet"])), 0);
    // Any other call may be missing.
    assert_eq!(note(&without(libc::SYS_swapon, &[])), 0);
}

/// What is wrong with the compilation of each: code, line and words.
const BAD_TO_COMPILE: &[Bad] = &[
    (
        "macro-bomb",
        "macro_rules! bomb { ($($t:tt)*) => { bomb!($($t)* $($t)*); } }\nbomb!(a b c d);",
        (
            "eval-compiler-limit",
            0,
            "on this snippet the compiler ran out of memory: it may have 1.3 GiB, and asked for ",
        ),
    ),
    (
        "huge-static",
        "static HUGE: [u8; 12 << 30] = [1; 12 << 30];\nshow!(\"x\", HUGE[5]);",
        ("eval-compile", 1, "tried to allocate more memory than available to compiler"),
    ),
    (
        "large-static",
        "static LARGE: [u8; 600 << 20] = [1; 600 << 20];\n\
         show!(\"x\", LARGE[std::hint::black_box(5)]);",
        (
            "eval-compiler-limit",
            0,
            "on this snippet the compiler wrote a program of more than 512 MiB",
        ),
    ),
    (
        "include",
        "let text =\n    include_str!(\"/etc/passwd\");\nshow!(\"x\", text);",
        ("eval-compile", 2, "couldn't read `/etc/passwd`: Permission denied (os error 13)"),
    ),
    (
        "include-book",
        "show!(\"x\", include_str!(concat!(env!(\"OUT_OF_BOOK\"))));",
        ("eval-compile", 1, "environment variable `OUT_OF_BOOK` not defined at compile time"),
    ),
    (
        "home",
        "show!(\"x\", env!(\"HOME\"));",
        ("eval-compile", 1, "environment variable `HOME` not defined at compile time"),
    ),
];

#[test]
fn the_compiler_is_kept_within_its_limits() {
    assert_told(3 << 30, &BAD_TO_COMPILE[1..]);
    // Memory is full sooner where there is less.
    assert_told(5 << 28, &BAD_TO_COMPILE[..2]);
}

fn assert_told(memory: u64, bad: &[Bad]) {
    let mut bench = Bench::new();
    bench.limits.compile_memory = memory;
    let snippets = bad.iter().map(|it| (it.0, it.1));
    let snippets: Vec<_> = snippets.chain([("fine", "show!(\"x\", 4);")]).collect();
    let built = bench.build(&snippets);
    let mut wrong = Vec::new();
    for (id, _, (kind, line, words)) in bad {
        let (its, at, message, help) = built.message(id);
        if (its, at) != (*kind, *line) || !message.starts_with(words) {
            wrong.push(format!("{id}: {its} {at} {message} ({help}) {:?}", built.runs.runs[*id]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(built.value("fine", "x"), &Value::Int(4));
    assert_eq!(built.diagnostics.len(), bad.len());
    // Each is compiled with the others and then alone.
    assert!(built.taken < 2 * bench.limits.compile, "{:?}", built.taken);
}

#[test]
fn a_library_that_halts_the_compiler_blocks_only_what_needs_it() {
    let mut bench = Bench::new();
    bench.limits.compile_memory = 5 << 28;
    let bomb = BAD_TO_COMPILE[0].1;
    let bad = format!(
        "# Bad\n\n```rust {{#snip:bomb lib}}\npub fn f() -> u8 {{\n    {bomb}\n    1\n}}\n```\n\n\
         ```rust {{#snip:user run}}\nshow!(\"x\", f());\n```\n"
    );
    let good = "# Good\n\n```rust {#snip:lib lib}\npub fn g() -> u8 { 2 }\n```\n\n\
                ```rust {#snip:other run}\nshow!(\"x\", g());\n```\n";
    let built = bench.build_chapters(&[("bad.md", &bad), ("good.md", good)]);
    let [one] = &built.diagnostics[..] else { panic!("{:#?}", built.diagnostics) };
    assert!(one.message.starts_with("on this snippet the compiler ran out of memory"), "{one:?}");
    assert_eq!(position(&built.text, one.place.span.range().start).0, 3);
    let blocked = built.outputs["user"].failure.as_deref();
    assert_eq!(blocked, Some("it needs `book::bad`, which does not compile"));
    assert_eq!(built.value("other", "x"), &Value::Int(2));
}
