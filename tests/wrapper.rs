//! What is put before the compiler by `RUSTC_WRAPPER`: it sees every compilation, and a shared
//! cache of compilations serves snippets.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "a test touches the world")]

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// A book below `folder`, of so many snippets.
fn book(folder: &Path, snippets: usize, edit: &str) {
    let mut text = String::from(
        "# One\n\n```rust {lib}\npub fn half(x: f64) -> f64 {\n    x / 2.0\n}\n```\n\n\
         ```rust {#snip:slow run opt=1}\nshow!(\"sum\", (0..1000).map(f64::from).map(half).sum::<f64>());\n```\n",
    );
    for index in 0..snippets {
        let code = format!("show!(\"x\", half({index}.0).exp());\n");
        text.push_str(&format!("\n```rust {{#snip:s{index} run}}\n{code}```\n"));
    }
    text.push_str(edit);
    let book = folder.join("book");
    std::fs::create_dir_all(&book).unwrap();
    std::fs::write(book.join("SUMMARY.md"), "# Summary\n\n- [One](one.md)\n").unwrap();
    std::fs::write(book.join("book.toml"), "title = \"Cached\"\nlanguage = \"en\"\n").unwrap();
    std::fs::write(book.join("one.md"), text).unwrap();
}

/// Builds the book and returns its values.
fn build(folder: &Path, environment: &BTreeMap<&str, String>) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_reckoner"))
        .args(["build", "--no-pdf", "--quiet"])
        .current_dir(folder)
        .env_remove("RUSTC_WRAPPER")
        .envs(environment)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output));
    std::fs::read_to_string(folder.join("dist/values.json")).unwrap()
}

fn text(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
    format!("{out}{err}")
}

const FAULTY: &str = "\n```rust {#snip:edit run}\nshow!(\"x\", half(0.5));\n```\n";

#[test]
fn every_compilation_goes_through_the_wrapper() {
    let folder = tempfile::tempdir().unwrap();
    let (log, wrapper) = (folder.path().join("log"), folder.path().join("wrapper"));
    let script = format!("#!/bin/sh\necho \"$@\" >> '{}'\nexec \"$@\"\n", log.display());
    std::fs::write(&wrapper, script).unwrap();
    std::fs::set_permissions(&wrapper, PermissionsExt::from_mode(0o755)).unwrap();
    let environment = BTreeMap::from([("RUSTC_WRAPPER", wrapper.display().to_string())]);
    let calls = |name: &str| -> Vec<String> {
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        let name = format!(" --crate-name {name} ");
        text.lines().filter(|it| it.contains(&name)).map(str::to_owned).collect()
    };
    book(folder.path(), 9, "");
    let wrapped = build(folder.path(), &environment);
    assert_eq!(calls("reckoner_prelude").len(), 2, "by cargo without code, then by us");
    assert_eq!(calls("book").iter().filter(|it| it.ends_with(" book.rs")).count(), 1);
    let programs = calls("snippets");
    assert_eq!(programs.len(), 2, "nine together, and one that asks for optimization");
    for (program, level) in programs.iter().zip([0, 1]) {
        assert!(program.contains(&format!(" -Copt-level={level} ")), "{program}");
    }
    // One edit is one call in the sight of the wrapper.
    std::fs::remove_file(&log).unwrap();
    book(folder.path(), 9, FAULTY);
    build(folder.path(), &environment);
    assert_eq!(calls("snippets").len(), 1);
    assert_eq!(std::fs::read_to_string(&log).unwrap().matches("--crate-name").count(), 1);

    let bare = tempfile::tempdir().unwrap();
    book(bare.path(), 9, "");
    assert_eq!(build(bare.path(), &BTreeMap::new()), wrapped, "values do not depend on it");
}

/// A number of `sccache --show-stats --stats-format=json`.
fn count(stats: &serde_json::Value, key: &str) -> u64 {
    stats["stats"][key]["counts"]["Rust"].as_u64().unwrap_or(0)
}

#[test]
fn a_shared_cache_serves_a_clean_build_in_another_folder() {
    // tests/run installs it; without it this test says nothing about the program.
    let top = tempfile::tempdir().unwrap();
    let port = 20000 + std::process::id() % 20000;
    let environment = BTreeMap::from([
        ("RUSTC_WRAPPER", "sccache".to_owned()),
        ("SCCACHE_DIR", top.path().join("store").display().to_string()),
        ("SCCACHE_SERVER_PORT", port.to_string()),
        ("SCCACHE_IDLE_TIMEOUT", "60".to_owned()),
    ]);
    let sccache = |arguments: &[&str]| {
        let output = Command::new("sccache").args(arguments).envs(&environment).output();
        let output = output.expect("sccache is installed; tests/run does it");
        assert!(output.status.success(), "{}", text(&output));
        output.stdout
    };
    let stats = || -> serde_json::Value {
        serde_json::from_slice(&sccache(&["--show-stats", "--stats-format=json"])).unwrap()
    };
    sccache(&["--start-server"]);
    let built = ["one", "two"].map(|name| {
        let folder = top.path().join(name);
        book(&folder, 9, "");
        let first = build(&folder, &environment);
        book(&folder, 9, FAULTY);
        let second = build(&folder, &environment);
        let stats = stats();
        (first, second, count(&stats, "cache_hits"), count(&stats, "cache_misses"))
    });
    let all = stats();
    sccache(&["--stop-server"]);
    let [one, two] = built;
    assert_eq!((&one.0, &one.1), (&two.0, &two.1), "results are equal");
    // The prelude, the library, nine snippets together, one with optimization, one edited.
    assert_eq!(two.2, one.2 + 5, "what we compile is found: {all:#}");
    // What cargo compiles in the book's own folder is found if the folder is the same: two crates
    // without code, and one whose build script has a folder of its own.
    assert_eq!(two.3, one.3 + 3, "nothing else is compiled twice: {all:#}");
}
