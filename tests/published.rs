//! The archive of the code, as a reader meets it: unpacked somewhere, built and run by cargo alone.

#![expect(clippy::disallowed_methods, reason = "tests are outside of the line")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use reckoner::diag::Severity;
use reckoner::pipeline::{self, Input, Memo, Options, Site};
use reckoner::project;
use reckoner::runner::{Limits, Local};
use reckoner::source::{FileId, Source};

fn input(chapters: &[(&str, &str)]) -> Input {
    let mut input = Input { theme: project::embedded_theme(), ..Input::default() };
    let outline: String = chapters.iter().map(|it| format!("- [{0}]({0})\n", it.0)).collect();
    let settings = "title = \"A small book\"\nlanguage = \"en\"\nlicense = \"CC BY 4.0\"\n";
    let fixed = [("SUMMARY.md", &outline[..]), ("book.toml", settings)];
    for (path, text) in fixed.iter().chain(chapters) {
        let source = Source::new(path, text);
        input.sources.insert(source.file.clone(), source);
    }
    input.assets.insert(FileId::new("LICENSE"), b"The licence.".as_slice().into());
    input
}

fn site(input: &Input, target: &Path) -> Site {
    let mut runner = Local::new(target, Limits::default());
    let options = Options::default();
    let built = pipeline::build(input, options, &mut runner, &mut Memo::default(), &mut ());
    let built = built.expect("there is a compiler");
    let bad: Vec<_> = built.diagnostics.iter().filter(|it| it.severity != Severity::Note).collect();
    assert!(bad.is_empty(), "{bad:?}");
    built.value
}

/// Unpacks the archive below `folder`; returns its own folder.
fn unpack(bytes: &[u8], folder: &Path) -> PathBuf {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut top = PathBuf::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let path = folder.join(file.enclosed_name().expect("a path within the folder"));
        top = folder.join(file.enclosed_name().unwrap().iter().next().unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut text = Vec::new();
        file.read_to_end(&mut text).unwrap();
        fs::write(path, text).unwrap();
    }
    top
}

/// What `cargo run` with these arguments prints; it must end well. `target` is shared, so that
/// nothing is compiled twice.
fn run(package: &Path, target: &Path, arguments: &[&str]) -> String {
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--quiet", "--locked", "--offline"]).args(arguments);
    cargo.current_dir(package).env("CARGO_TARGET_DIR", target);
    let output = cargo.output().unwrap();
    let (out, err) = (&output.stdout, String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {err}");
    String::from_utf8_lossy(out).into_owned()
}

const BASE: &str = "# Base *rules*\n\n```rust {#snip:base-lib lib}\npub fn half(x: f64) -> f64 {\n    \
    x / 2.0\n}\n```\n\n```rust {#snip:base-s1 run title=\"A half\"}\nshow!(\"y\", half(3.0));\n```\n";
const USER: &str = "# User\n\n```rust {#snip:user-s1 run}\nuse book::base::half;\n\
    show!(\"z\", half(0.5));\n```\n\n```rust {#snip:user-s2 run should_panic}\n\
    let none: Vec<f64> = vec![];\nnone[3];\n```\n";

#[test]
fn a_small_book_runs_where_it_is_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let mut input = input(&[("base.md", BASE), ("user.md", USER)]);
    input.assets.insert(FileId::new("data/x.csv"), b"1,2".as_slice().into());
    let site = site(&input, &folder.path().join("reckoner"));
    let bytes = &site["a-small-book-code.zip"];
    let package = unpack(bytes, folder.path());
    assert!(package.ends_with("a-small-book-code"));
    let read = |path: &str| fs::read_to_string(package.join(path)).unwrap();
    assert_eq!(read("LICENSE"), "The licence.");
    assert_eq!(read("data/x.csv"), "1,2");
    assert!(read("README.md").contains("cargo run --bin user user-s1"), "{}", read("README.md"));
    let target = folder.path().join("target");
    let all = run(&package, &target, &[]);
    for words in ["══ Base rules (base) ══", "y = 1.5", "══ User (user) ══", "z = 0.25"]
    {
        assert!(all.contains(words), "{words} in {all}");
    }
    assert_eq!(
        run(&package, &target, &["--bin", "base", "base-s1"]).trim(),
        "── base-s1 ──\ny = 1.5"
    );
    let one = run(&package, &target, &["user-s1"]);
    assert!(one.contains("z = 0.25") && !one.contains("y = "), "{one}");
    let list = run(&package, &target, &["--", "--list"]);
    assert!(list.contains("user-s2") && !list.contains(" = "), "{list}");
    let home = String::from_utf8_lossy(&site["index.html"]);
    assert!(home.matches("href=\"a-small-book-code.zip\"").count() >= 2, "{home}");
    assert!(read("Cargo.toml").contains("[workspace]"), "it stands in no other workspace");
}

#[test]
fn the_archive_is_a_function_of_the_book() {
    let folder = tempfile::tempdir().unwrap();
    let input = input(&[("base.md", BASE)]);
    let of = |it: &Input, name: &str| {
        site(it, &folder.path().join(name))["a-small-book-code.zip"].clone()
    };
    assert_eq!(of(&input, "one"), of(&input, "two"));
    let words = BASE.replace("# Base *rules*", "# Base *rules*\n\nMore words.");
    let mut other = input.clone();
    other.sources.insert(FileId::new("base.md"), Source::new("base.md", &words));
    assert_eq!(of(&input, "one"), of(&other, "one"), "prose is no code");
}

#[test]
fn the_real_book_runs_where_it_is_unpacked() {
    let read = project::read(Path::new("book")).expect("the book can be read");
    let built = site(&read.value, Path::new("target/reckoner"));
    let archives: BTreeMap<_, _> = built.iter().filter(|it| it.0.ends_with("-code.zip")).collect();
    let [(name, bytes)] = &archives.into_iter().collect::<Vec<_>>()[..] else {
        panic!("one archive")
    };
    let folder = tempfile::tempdir().unwrap();
    let package = unpack(bytes, folder.path());
    assert_eq!(package.file_name().unwrap().to_str(), name.strip_suffix(".zip"));
    let values: serde_json::Value = serde_json::from_slice(&built["values.json"]).unwrap();
    // What cargo has built here before is built again only where it changed.
    let target = std::path::absolute("target/published").unwrap();
    let all = run(&package, &target, &[]);
    let mut compared = 0;
    for (id, outputs) in values.as_object().unwrap() {
        let start = all.find(&format!("── {id} ──")).unwrap_or_else(|| panic!("{id} did not run"));
        let part = all[start..].split_once('\n').map_or("", |it| it.1);
        let part = part.split("\n── ").next().unwrap_or_default();
        for (key, value) in outputs.as_object().unwrap().iter().filter(|it| it.1.is_number()) {
            let line = part.lines().find_map(|it| it.strip_prefix(&format!("{key} = ")));
            let Some(printed) = line else { continue };
            let printed: f64 = printed.parse().unwrap();
            // The JSON of the test reads some numbers with another last bit.
            let shown = value.as_f64().unwrap();
            let near = (printed - shown).abs() <= shown.abs() * 1e-15;
            assert!(near, "{id}.{key}: {printed} is printed, {shown} is in the book");
            compared += 1;
        }
    }
    assert!(compared > 50, "only {compared} values were compared");
}
