//! Values that are the same in every run and on every machine, and the file that locks them.

#![expect(clippy::disallowed_methods, reason = "tests are outside of the line")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use reckoner::eval::{self, LOCK};
use reckoner::parse;
use reckoner::source::Source;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_reckoner");

/// A folder with a book in `book/`, in which commands are run.
struct Desk {
    folder: TempDir,
}

/// What a command did.
struct Done {
    code: Option<i32>,
    err: String,
}

impl Desk {
    fn of(chapter: &str) -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        desk.write("book/SUMMARY.md", "- [One](one.md)\n");
        desk.write("book/book.toml", "title = \"Case\"\nlanguage = \"en\"\n");
        desk.write("book/one.md", chapter);
        desk
    }

    /// The same book in another folder, which has nothing else.
    fn copy(&self) -> Self {
        let copy = Self::of(&self.read("book/one.md"));
        copy.write("book/outputs.lock", &self.lock());
        copy
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn lock(&self) -> String {
        self.read("book/outputs.lock")
    }

    /// Runs the program with a changed lock and puts the old one back.
    fn with_lock(&self, lock: &str, arguments: &str) -> Done {
        let before = self.lock();
        self.write("book/outputs.lock", lock);
        let done = self.run(arguments);
        assert_eq!(self.lock(), lock, "nothing but a plain build writes the lock");
        self.write("book/outputs.lock", &before);
        done
    }

    fn run(&self, arguments: &str) -> Done {
        finished(self.command(arguments))
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(arguments.split(' ')).arg("--no-pdf").current_dir(self.folder.path());
        command.env("NO_COLOR", "1");
        command
    }

    /// Every file below a folder, by its path there.
    fn tree(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        fn walk(folder: &Path, root: &Path, out: &mut BTreeMap<String, Vec<u8>>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, root, out);
                } else {
                    let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                    out.insert(name, fs::read(&path).unwrap());
                }
            }
        }
        let (root, mut out) = (self.path(folder), BTreeMap::new());
        walk(&root, &root, &mut out);
        out
    }
}

fn finished(mut command: Command) -> Done {
    let output = command.stdin(Stdio::null()).output().unwrap();
    Done { code: output.status.code(), err: String::from_utf8(output.stderr).unwrap() }
}

impl Done {
    #[track_caller]
    fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.err);
        self
    }

    #[track_caller]
    fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.err.contains(part), "no `{part}` in\n{}", self.err);
        }
        self
    }
}

const BOOK: &str = r#"# One

```rust {#snip:tools lib}
pub fn half(x: f64) -> f64 { x / 2.0 }
```

```rust {#snip:s1 run}
show!("loss", half(0.1).exp());
show!("whole", u64::MAX);
show!("text", "say \"a\\b\"\n\u{1}é");
show!("list", [f64::NAN, f64::INFINITY, -0.0, 1e-300, 5e22]);
show!("ragged", vec![vec![1], vec![], vec![2, 3]]);
table!("table", ["n", "root"], (0..3).map(|n| row![n, f64::from(n).sqrt()]));
plot!("plot", Plot::new("P").x("x").y_log().x_names(["a", "b"]).bars("b", [1, 2])
    .line("l", (0..3).map(|i| (i, i * i))).arrow("v", (0.0, 0.5), (1.0, f64::NAN)));
```

```rust {#snip:s2 run should_panic}
show!("draws", Random::new(7).below(1000));
panic!("as the text says");
```

The loss is `=s1.loss:.12`.
"#;

/// One long test, since it needs the compiler once.
#[test]
fn a_book_is_locked() {
    let desk = Desk::of(BOOK);
    desk.run("check").code(0);
    assert!(!desk.path("book/outputs.lock").exists(), "`check` writes nothing");
    desk.run("check --locked").code(1).says(&["[eval-lock-file]", "has no `outputs.lock`"]);

    desk.run("build").code(0);
    let lock = desk.lock();
    for line in [
        "id = \"s1\"",
        "  { key = \"loss\", value = 1.0512710963760241 },",
        "  { key = \"whole\", value = { int = \"18446744073709551615\" } },",
        "  { key = \"list\", value = [nan, inf, -0.0, 1e-300, 5e22] },",
        "    [2, 1.4142135623730951],",
    ] {
        assert!(lock.lines().any(|it| it == line), "no line {line}\n{lock}");
    }
    let written = fs::metadata(desk.path("book/outputs.lock")).unwrap().modified().unwrap();
    desk.run("build").code(0);
    let again = fs::metadata(desk.path("book/outputs.lock")).unwrap().modified().unwrap();
    assert_eq!(written, again, "an equal lock is not written again");
    desk.run("build --locked --out locked").code(0);
    assert!(desk.tree("dist") == desk.tree("locked"));

    nothing_runs_when_frozen(&desk);
    drift_is_told(&desk);
    an_outdated_lock_is_told(&desk);
    a_bad_lock_is_told(&desk);
    what_differs_is_told(&desk);
}

fn nothing_runs_when_frozen(desk: &Desk) {
    let copy = desk.copy();
    let mut command = copy.command("build --frozen");
    command.env("PATH", copy.path("nothing-here"));
    finished(command).code(0);
    assert!(!copy.path("target").exists());
    assert!(copy.tree("dist") == desk.tree("dist"), "frozen is not plain");
    // The test would not see a compiler that is found all the same.
    let mut command = copy.command("build");
    command.env("PATH", copy.path("nothing-here"));
    finished(command).code(2).says(&["cannot start `rustc`"]);
}

fn drift_is_told(desk: &Desk) {
    let edit = |from: &str, to: &str| {
        let lock = desk.lock();
        assert_eq!(lock.matches(from).count(), 1, "{from}");
        lock.replace(from, to)
    };
    let far = edit("1.0512710963760241", "1.0512710963");
    desk.with_lock(&far, "build --locked --out locked").code(1).says(&[
        "error[eval-lock-drift]: `s1.loss` is 1.0512710963760241, and the lock has 1.0512710963",
        "book/one.md:8:1",
        "show!(\"loss\", half(0.1).exp());",
        "run `reckoner build`",
    ]);
    let settings = desk.read("book/book.toml");
    desk.write("book/book.toml", &format!("{settings}tolerance = 1e-9\n"));
    desk.with_lock(&far, "check --locked").code(0);
    desk.write("book/book.toml", &settings);

    // Within the tolerance the lock decides what the book shows.
    let near = edit("1.0512710963760241", "1.0512710963760250");
    desk.with_lock(&near, "build --locked --out locked").code(0);
    desk.with_lock(&near, "build --frozen --out frozen").code(0);
    assert!(desk.tree("locked") == desk.tree("frozen"));
    assert!(desk.read("frozen/values.json").contains("\"loss\": 1.051271096376025"));

    let cell = edit("[2, 1.4142135623730951]", "[2, 1.5]");
    let told = "`s1.table[2][\"root\"]` is 1.4142135623730951, and the lock has 1.5";
    desk.with_lock(&cell, "check --locked").code(1).says(&[told]);
    let key = edit("key = \"text\"", "key = \"words\"");
    desk.with_lock(&key, "check --locked").code(1).says(&[
        "`s1` no longer shows `words`, which the lock has",
        "`s1` shows `text`, which the lock does not have",
    ]);
}

fn an_outdated_lock_is_told(desk: &Desk) {
    let before = desk.read("book/one.md");
    let lock = desk.lock();
    let edited = before.replace("x / 2.0", "x * 0.5");
    desk.write("book/one.md", &edited);
    for flag in ["--locked", "--frozen"] {
        let done = desk.with_lock(&lock, &format!("check {flag}")).code(1);
        done.says(&["error[eval-lock-outdated]", "`s1` was changed since", "book/one.md:7:"]);
    }
    desk.write("book/one.md", &before.replace("snip:s2", "snip:s3"));
    let done = desk.with_lock(&lock, "check --frozen").code(1);
    done.says(&["it does not have `s3`", "the book has no `s2`", "book/outputs.lock:"]);
    // A mistake in a snippet, and the values of all others are kept.
    desk.write("book/one.md", &before.replace("Random::new(7)", "random"));
    desk.run("build").code(1).says(&["error[eval-compile]"]);
    assert_eq!(desk.lock(), lock);
    // Prose is not locked.
    desk.write("book/one.md", &format!("{before}\nMore words.\n"));
    desk.with_lock(&lock, "check --frozen").code(0);
    desk.write("book/one.md", &before);
}

fn a_bad_lock_is_told(desk: &Desk) {
    let lock = desk.lock();
    let merge = lock.replace("[[snippet]]\nid = \"s2\"", "<<<<<<< HEAD\n[[snippet]]\nid = \"s2\"");
    let line = merge.lines().position(|it| it.starts_with("<<<")).unwrap() + 1;
    let place = format!("book/outputs.lock:{line}:1");
    let cut = &lock[..lock.find("1.4142").unwrap()];
    let cut_place = format!("book/outputs.lock:{}:", cut.lines().count());
    let version = lock.replace("version = 1", "version = 2");
    let twice = format!("{lock}\n[[snippet]]\nid = \"s1\"\nkey = \"\"\nshown = []\n");
    let strange = lock.replace("{ key = \"loss\", value", "{ key = \"loss\", worth");
    for (bad, parts) in [
        (&merge[..], &["marks of a merge", &place[..]][..]),
        (cut, &["`outputs.lock` cannot be read: ", &cut_place]),
        (&version, &["is of version 2; this program knows version 1"]),
        (&twice, &["has `s1` twice"]),
        (&strange, &["cannot be read: unknown field `worth`"]),
        ("", &["does not say its version", "book/outputs.lock"]),
    ] {
        for flag in ["--frozen", "--locked"] {
            let done = desk.with_lock(bad, &format!("check {flag}")).code(1);
            done.says(parts).says(&["[eval-lock-file]", "run `reckoner build`"]);
        }
    }
    desk.write("book/outputs.lock", &merge);
    desk.run("build").code(0);
    assert_eq!(desk.lock(), lock, "a plain build needs nothing of the old lock");
}

fn what_differs_is_told(desk: &Desk) {
    let lock = desk.lock();
    let chapter = r#"# One

```rust {#snip:order run}
show!("fine", 1);
let map: std::collections::HashMap<u32, u32> = (0..100).map(|i| (i, i * i)).collect();
show!("map", map.values().copied().collect::<Vec<_>>());
```

```rust {#snip:time run}
show!("now", std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_nanos() as u64);
```

```rust {#snip:place run}
show!("at", format!("{:p}", Box::new(1)));
```

```rust {#snip:key run}
let state = std::hash::RandomState::new();
let number = std::hash::BuildHasher::hash_one(&state, 1);
show!(format!("key{number}"), 1);
```

```rust {#snip:fine run}
let mut random = Random::new(1);
show!("random", [random.uniform(), random.normal()]);
eprintln!("{:p}", &random);
```
"#;
    desk.write("book/one.md", chapter);
    for _ in 0..2 {
        // What differs is not remembered, so it is told again.
        let done = desk.run("build").code(1);
        assert_eq!(done.err.matches("error[eval-differs]").count(), 4, "{}", done.err);
        done.says(&[
            "error[eval-differs]: `map[0]` is ",
            "book/one.md:6:1",
            " in one run and ",
            "error[eval-differs]: `now` is ",
            "book/one.md:10:1",
            "error[eval-differs]: `at` is \"0x",
            "book/one.md:14:1",
            "error[eval-differs]: one run of the snippet shows `key",
            "use `BTreeMap`, and `Random::new(seed)`",
        ]);
    }
    assert_eq!(desk.lock(), lock, "a book with mistakes does not change the lock");
}

/// What the functions of the standard library give, for many arguments, each beside that of the
/// crate `libm`.
const ELEMENTARY: &str = include_str!("data/elementary.md");

#[test]
fn elementary_functions_are_those_of_libm_at_every_optimization() {
    let source = Source::new("one.md", ELEMENTARY);
    let document = parse::document(&source).value;
    let manifest = Source::new("Cargo.toml", "[dependencies]\nlibm = \"0.2\"\n");
    let package = eval::package(&[&document], Some(&manifest), None);
    assert_eq!(package.diagnostics, []);
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for (path, text) in package.value.files(&Default::default()) {
        let far = "[dependencies.far]\npath = \"far\"\n\n[profile.dev]";
        write(&path, &if path == "Cargo.toml" { text.replace("[profile.dev]", far) } else { text });
    }
    // A function that no other crate of the program calls, but through this one.
    write("far/Cargo.toml", "[package]\nname = \"far\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    write(
        "far/src/lib.rs",
        "#[inline(never)]\npub fn atanh(x: f64) -> f64 {\n    x.atan2(0.7)\n}\n",
    );
    let run = |optimization: &str| {
        let mut cargo = Command::new("cargo");
        cargo.args(["run", "--quiet", "--offline", "--bin", "one"]).current_dir(folder.path());
        cargo.env("CARGO_TARGET_DIR", folder.path().join("target"));
        cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", optimization).env_remove("RUSTFLAGS");
        let output = cargo.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let plain = run("0");
    assert!(plain.contains("differs = 0\n"), "{plain}");
    for optimization in ["1", "3"] {
        assert_eq!(run(optimization), plain, "at optimization {optimization}");
    }
    // The C library of this machine gives other last digits, or nothing was shown here.
    #[cfg(target_env = "gnu")]
    {
        let sum = (1..=4000)
            .fold(0_u64, |sum, i| sum.wrapping_add((f64::from(i) / 257.1).tanh().to_bits()));
        assert!(plain.contains("tanh_bits = "), "{plain}");
        assert!(!plain.contains(&format!("tanh_bits = {sum}\n")), "{plain}");
    }
}

#[test]
fn a_value_does_not_depend_on_how_a_snippet_is_compiled() {
    let plain = ELEMENTARY.replace("far::atanh(x)", "x.atan2(0.7)");
    let optimized = plain.replace("snip:elementary run", "snip:optimized run opt=1");
    let desk = Desk::of(&format!("{plain}\n{}", optimized.trim_start_matches("# Elementary")));
    desk.write("book/Cargo.toml", "[dependencies]\nlibm = \"0.2\"\n");
    desk.run("build").code(0);
    let values: serde_json::Value = serde_json::from_str(&desk.read("dist/values.json")).unwrap();
    assert_eq!(values["elementary"]["differs"], 0);
    assert_eq!(values["elementary"], values["optimized"]);
}

#[test]
fn a_lock_of_some_megabytes_is_read_in_no_time() {
    let chapter = "# One\n\n```rust {#snip:s1 run}\nshow!(\"x\", 1);\n```\n";
    let document = parse::document(&Source::new("one.md", chapter)).value;
    let package = eval::package(&[&document], None, None).value;
    let row = |i: u32| {
        format!("    [{:?}, {:?}, -1e-7, 12345],\n", f64::from(i).sin(), 1.0 / f64::from(i))
    };
    let rows: String = (1..60_000).map(row).collect();
    let key = &package.units[0].key;
    let text = format!(
        "version = 1\n\n[[snippet]]\nid = \"s1\"\nkey = \"{key}\"\nshown = [\n  {{ key = \"x\", value = [\n{rows}  ] }},\n]\n"
    );
    let lock = Source::new(LOCK, &text);
    let start = std::time::Instant::now();
    let read = eval::frozen(&package, Some(&lock), &[&document]);
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(read.diagnostics, []);
    assert_eq!(
        eval::lock(&package, &read.value).split_once("version").unwrap().1,
        text.split_once("version").unwrap().1
    );
    assert!(text.len() > 3_000_000);
    // Without optimization and on a busy machine.
    assert!(seconds < 10.0, "{} bytes in {seconds} s", text.len());
}

#[test]
fn an_edit_of_data_makes_the_lock_outdated() {
    let text = "let text = std::fs::read_to_string(\"data/x.txt\")?;\nshow!(\"n\", text.len());";
    let desk = Desk::of(&format!(
        "# One\n\n```rust {{#snip:s1 run}}\n{text}\n```\n\n```rust {{#snip:s2 run}}\nshow!(\"n\", 1);\n```\n"
    ));
    desk.write("book/data/x.txt", "abc");
    desk.run("build").code(0);
    desk.run("check --frozen").code(0);
    desk.write("book/data/x.txt", "abcd");
    let done = desk.run("check --frozen").code(1);
    assert_eq!(done.err.matches("error[eval-lock-outdated]").count(), 1, "{}", done.err);
    desk.run("check --locked").code(1).says(&["error[eval-lock-"]);
    desk.run("build").code(0);
    desk.run("check --frozen").code(0);
}
