//! Rules about the source itself.

#![expect(clippy::disallowed_methods, reason = "tests are outside of the line")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules in the order that `lib.rs` declares them: the order of the layers.
fn layers() -> Vec<String> {
    let lib = fs::read_to_string("src/lib.rs").unwrap();
    let name = |line: &str| Some(line.strip_prefix("pub mod ")?.strip_suffix(';')?.to_owned());
    lib.lines().filter_map(name).collect()
}

/// Every Rust file below `src` with the top-level module that it is of.
fn files() -> Vec<(String, PathBuf, String)> {
    fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|it| it == "rs") {
                out.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    walk(Path::new("src"), &mut paths);
    paths.sort();
    // The prelude is a crate of its own, which the snippets of a book use.
    paths.retain(|it| !it.starts_with("src/eval/prelude"));
    let module = |path: &Path| {
        let first = path.iter().nth(1).unwrap().to_str().unwrap();
        first.strip_suffix(".rs").unwrap_or(first).to_owned()
    };
    let read = |path: PathBuf| (module(&path), path.clone(), fs::read_to_string(path).unwrap());
    paths.into_iter().map(read).collect()
}

/// The text without comments, and without its tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap();
    text.lines().filter(|it| !it.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The modules of this crate that `text` names, in code.
fn uses(text: &str, layers: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let code = code(text);
    for rest in code.split("crate::").skip(1) {
        let group = rest.strip_prefix('{').and_then(|it| Some(top_level(it.split_once("};")?.0)));
        let paths = group.unwrap_or_else(|| vec![rest]);
        for path in paths {
            let end = path.find(|c: char| !c.is_alphanumeric() && c != '_' && !c.is_whitespace());
            let name = path[..end.unwrap_or(path.len())].trim();
            found.extend(layers.iter().find(|it| *it == name).cloned());
        }
    }
    found
}

/// Splits `a::{b, c}, d` at the commas outside of braces.
fn top_level(group: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut start = 0;
    let mut out = Vec::new();
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                out.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&group[start..]);
    out
}

fn violations(module: &str, text: &str, layers: &[String]) -> Vec<String> {
    let rank = |name: &str| layers.iter().position(|it| it == name).unwrap_or(layers.len());
    let upward = |used: &String| rank(module) < rank(used);
    let message = |used| format!("`{module}` uses `{used}`, which is declared below it");
    uses(text, layers).into_iter().filter(upward).map(message).collect()
}

#[test]
fn dependencies_point_one_way() {
    let layers = layers();
    assert!(layers.len() > 15, "{layers:?}");
    for (module, path, text) in files() {
        let found = violations(&module, &text, &layers);
        assert!(found.is_empty(), "{}: {found:?}", path.display());
    }
}

#[test]
fn an_upward_use_is_noticed() {
    let text = "use crate::diag::Checked;\nuse crate::{ir::{Block, Inline}, link, parse};\n";
    let found = violations("parse", text, &layers());
    assert_eq!(found, ["`parse` uses `link`, which is declared below it"]);
}

#[test]
fn the_two_renderers_never_see_each_other() {
    for (module, path, text) in files() {
        let used = uses(&text, &layers());
        let other = match &module[..] {
            "render" => "typeset",
            "typeset" => "render",
            _ => continue,
        };
        assert!(!used.contains(other), "{} uses `{other}`", path.display());
    }
}

#[test]
fn every_file_says_what_it_is_for_and_is_short() {
    for (_, path, text) in files() {
        assert!(text.starts_with("//! "), "{} has no module doc", path.display());
        let lines = text.lines().count();
        assert!(lines <= 600, "{} has {lines} lines", path.display());
        let name = path.file_stem().unwrap().to_str().unwrap();
        let vague = ["mod", "utils", "util", "types", "common", "helpers"].contains(&name);
        assert!(!vague, "{} has a name that says nothing", path.display());
    }
}

/// Crates that only one module names, and that module.
const OWNERS: &[(&str, &[&str])] = &[
    ("annotate_snippets", &["report"]),
    ("clap", &["main"]),
    // Named by nobody: they hold features, see Cargo.toml.
    ("either", &[]),
    ("hashbrown", &[]),
    ("hayagriva", &["cite"]),
    ("image", &["picture"]),
    ("include_dir", &["create", "project"]),
    ("indicatif", &["report"]),
    ("katex", &["math"]),
    ("landlock", &["runner"]),
    ("libc", &["runner"]),
    ("notify", &["watch"]),
    ("notify_debouncer_full", &["watch"]),
    ("phf_shared", &[]),
    ("proc_macro2", &["eval"]),
    ("pulldown_cmark", &["parse"]),
    ("rayon", &["memo", "pipeline"]),
    ("roxmltree", &["picture"]),
    ("rustix", &["runner"]),
    ("seccompiler", &["runner"]),
    ("siphasher", &["memo"]),
    ("spellbook", &["prose"]),
    ("stable_deref_trait", &[]),
    ("strsim", &["eval", "link", "math", "parse"]),
    ("syntect", &["render"]),
    ("tera", &["render"]),
    ("tiny_http", &["serve"]),
    ("toml", &["eval", "parse"]),
    ("two_face", &["render"]),
    ("typst", &["typeset"]),
    ("typst_kit", &["typeset"]),
    ("typst_layout", &["typeset"]),
    ("typst_pdf", &["typeset"]),
    ("unicode_math_class", &["math"]),
    ("unicode_normalization", &["math", "search"]),
    ("unicode_width", &["report"]),
    ("wait_timeout", &["runner"]),
    ("walkdir", &["project"]),
    ("zip", &["archive"]),
];

/// Plain records to and from text: a trait that every stage may implement, and its JSON.
const SHARED: [&str; 2] = ["serde", "serde_json"];

#[test]
fn every_dependency_has_one_owner() {
    let mut users: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let files = files();
    // A part of a stage may be called like a crate, as `math/typst.rs`.
    let is_part = |module: &str, name: &str| {
        files.iter().any(|it| it.0 == module && it.2.contains(&format!("mod {name};")))
    };
    for (module, _, text) in &files {
        let code = code(text);
        for (name, _) in OWNERS {
            if is_part(module, name) {
                continue;
            }
            let named = code.match_indices(name).any(|(at, _)| {
                let before = code[..at].chars().next_back();
                let after = &code[at + name.len()..];
                let whole = before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':');
                whole && after.starts_with("::") && !code[..at].ends_with("crate::")
            });
            if named {
                users.entry(name).or_default().insert(module.clone());
            }
        }
    }
    for (name, owners) in OWNERS {
        for user in users.get(name).into_iter().flatten() {
            assert!(owners.contains(&&user[..]), "`{user}` names `{name}`, which is {owners:?}'s");
        }
    }
}

#[test]
fn every_dependency_is_listed() {
    let manifest = fs::read_to_string("Cargo.toml").unwrap();
    let section = manifest.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
    for line in section.lines().filter(|it| !it.starts_with('#') && !it.trim().is_empty()) {
        let name = line.split([' ', '=']).next().unwrap().replace('-', "_");
        let name = if name == "katex_rs" { "katex".to_owned() } else { name };
        let known = OWNERS.iter().any(|it| it.0 == name) || SHARED.contains(&&name[..]);
        assert!(known, "`{name}` has no owner in the table of tests/architecture.rs");
    }
}

#[test]
fn the_dark_palette_is_one() {
    // It stands twice in the style sheet: for those who chose it, and for those whose system did.
    let css = fs::read_to_string("themes/default/assets/book.css").unwrap();
    let colors = |head: &str| {
        let body = css.split(head).nth(1).unwrap().split('}').next().unwrap();
        body.lines().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect::<Vec<_>>()
    };
    let chosen = colors(":root[data-theme=\"dark\"] {");
    assert!(chosen.len() > 20, "{chosen:?}");
    assert_eq!(chosen, colors(":root:not([data-theme=\"light\"]) {"));
}

#[test]
fn scripts_of_a_page_that_is_only_read_are_small() {
    let size = |name: &str| fs::metadata(format!("themes/default/assets/{name}")).unwrap().len();
    let base = fs::read_to_string("themes/default/templates/base.html").unwrap();
    let scripts: Vec<&str> = base
        .split("<script src=\"{{ base.root }}assets/")
        .skip(1)
        .map(|it| it.split('"').next().unwrap())
        .collect();
    assert_eq!(scripts, ["theme.js", "book.js"]);
    assert!(scripts.iter().map(|it| size(it)).sum::<u64>() <= 10_000, "before any compression");
}
