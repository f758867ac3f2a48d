//! The package of snippets to the files that the site publishes, which build and run by themselves.

use std::collections::{BTreeMap, BTreeSet};

use super::names::{identifier, unique};
use super::package::lints;
use super::{Package, Role, Unit, lockfile};
use crate::ir::{Document, plain};

/// The program that runs the snippets of all chapters, after the table of them.
const WHOLE: &str = include_str!("prelude/whole.rs");

/// What the files say of the book.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its licence; may be empty.
    pub license: &'a str,
    /// Its chapters.
    pub documents: &'a [&'a Document],
}

/// A chapter with snippets.
struct Chapter<'a> {
    title: String,
    /// Its program, if it has one.
    binary: Option<&'a str>,
    units: Vec<&'a Unit>,
}

/// The files of the published package: path → text. None if the book has no snippets.
///
/// A snippet whose brackets do not match is left out, since nothing could be built with it.
pub fn published(package: &Package, about: About<'_>) -> BTreeMap<String, String> {
    let flawed = package.units.iter().filter(|it| it.flaw.is_some()).map(|it| it.name.clone());
    let without: BTreeSet<String> = flawed.collect();
    let chapters = chapters(package, &without, about.documents);
    if chapters.is_empty() {
        return BTreeMap::new();
    }
    let mut files = package.files(&without);
    let binaries: Vec<&str> = chapters.iter().filter_map(|it| it.binary).collect();
    let mut taken = binaries.iter().map(|it| (*it).to_owned()).collect();
    let whole = unique(&mut taken, "whole-book").replace('_', "-");
    let text =
        |files: &BTreeMap<String, String>, path: &str| files.get(path).cloned().unwrap_or_default();
    let lock = files.remove("Cargo.lock");
    let (manifest, prelude) = (text(&files, "Cargo.toml"), text(&files, "prelude/Cargo.toml"));
    let lock = lockfile::completed(lock.as_deref(), &manifest, &prelude);
    files.insert("README.md".into(), readme(about, &chapters, lock.is_some()));
    files.extend(lock.map(|it| ("Cargo.lock".to_owned(), it)));
    if !binaries.is_empty() {
        files.insert(format!("src/bin/{whole}/main.rs"), main(&chapters));
        let head = "[package]\n";
        let run = format!("{head}default-run = \"{whole}\"\n");
        files.insert("Cargo.toml".into(), manifest.replacen(head, &run, 1));
    }
    files
}

/// The chapters in book order.
fn chapters<'a>(
    package: &'a Package,
    without: &BTreeSet<String>,
    documents: &[&Document],
) -> Vec<Chapter<'a>> {
    let mut out = Vec::new();
    for document in documents {
        let is_own = |it: &&Unit| it.label().file == document.file && !without.contains(&it.name);
        let units: Vec<&Unit> = package.units.iter().filter(is_own).collect();
        let binary = units.iter().find_map(|it| match &it.role {
            Role::Program { binary, .. } => Some(&binary[..]),
            Role::Library { .. } => None,
        });
        if !units.is_empty() {
            out.push(Chapter { title: one_line(&plain(&document.title)), binary, units });
        }
    }
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a unit is about, as its file says in its first line.
fn head(unit: &Unit) -> &str {
    unit.text.lines().next().unwrap_or_default().trim_start_matches("//!").trim()
}

fn readme(about: About<'_>, chapters: &[Chapter<'_>], locked: bool) -> String {
    let mut out = format!("# {}: the code\n\n", about.title);
    out.push_str(
        "Every snippet of the book as one Cargo package. It needs Rust, from <https://rustup.rs>.\n",
    );
    let example = chapters.iter().find_map(|it| Some((it.binary?, it.units.last()?)));
    if let Some((binary, unit)) = example {
        let id = &unit.name;
        out.push_str(&format!(
            "\n```sh\ncargo run                          # all snippets, chapter after chapter\n\
             cargo run -- --list                # what there is\n\
             cargo run --bin {binary}    # those of one chapter\n\
             cargo run --bin {binary} {id}    # one\n```\n"
        ));
    }
    out.push_str(match locked {
        true => {
            "\n`Cargo.lock` has the versions that the book was built with; with `--locked` cargo takes \
             no others.\n"
        }
        false => "\nThe versions of the dependencies are the newest that fit.\n",
    });
    out.push_str(
        "\nA number that is printed here is the number in the book. `show!`, `table!` and `plot!` are \
         of the crate in `prelude/`, which prints what the book sets.\n\n## Chapters\n",
    );
    for chapter in chapters {
        out.push_str(&format!("\n### {}\n\n", chapter.title));
        for unit in &chapter.units {
            out.push_str(&match &unit.role {
                Role::Library { .. } => {
                    format!("- `{}`: what other chapters import, `{}`\n", unit.name, unit.path)
                }
                Role::Program { binary, .. } => {
                    format!("- `cargo run --bin {binary} {}`: {}\n", unit.name, head(unit))
                }
            });
        }
    }
    if !about.license.is_empty() {
        out.push_str(&format!("\n## Licence\n\n{}\n", about.license));
    }
    out
}

/// The program that runs all snippets. Each is the module that its chapter's program has too.
fn main(chapters: &[Chapter<'_>]) -> String {
    let mut out = String::from(
        "//! The snippets of all chapters: `cargo run`, with the name of a chapter or an id for some.\n\n",
    );
    let mut table = String::new();
    let mut taken = BTreeSet::new();
    for chapter in chapters {
        let Some(binary) = chapter.binary else { continue };
        let mut rows = String::new();
        for unit in &chapter.units {
            let Role::Program { module, should_panic, .. } = &unit.role else { continue };
            let name = unique(&mut taken, &identifier(&format!("{binary}_{module}")));
            out.push_str(lints(unit));
            out.push_str(&format!("#[path = \"../{binary}/{module}.rs\"]\nmod {name};\n"));
            rows.push_str(&format!(
                "        Snippet {{ id: {:?}, panics: {should_panic}, body: {name}::run }},\n",
                unit.name
            ));
        }
        table.push_str(&format!(
            "    Chapter {{ title: {:?}, binary: {binary:?}, snippets: &[\n{rows}    ] }},\n",
            chapter.title
        ));
    }
    out.push_str(&format!("\nconst CHAPTERS: &[Chapter] = &[\n{table}];\n\n{WHOLE}"));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::package;
    use crate::parse;
    use crate::source::Source;

    fn files(chapters: &[(&str, &str)]) -> BTreeMap<String, String> {
        let documents: Vec<_> =
            chapters.iter().map(|it| parse::document(&Source::new(it.0, it.1)).value).collect();
        let documents: Vec<&Document> = documents.iter().collect();
        let package = package(&documents, None, None).value;
        published(&package, About { title: "Case", license: "CC BY 4.0", documents: &documents })
    }

    #[test]
    fn the_package_says_what_it_has() {
        let run = "```rust {#snip:s run title=\"A sum\"}\nshow!(\"x\", 1);\n```\n";
        let made = files(&[("whole-book.md", &format!("# One *more*\n\n{run}"))]);
        assert!(made["README.md"].contains("- `cargo run --bin whole-book s`: A sum (s)"));
        assert!(made["README.md"].contains("### One more\n"), "{}", made["README.md"]);
        assert!(made["README.md"].ends_with("## Licence\n\nCC BY 4.0\n"));
        let whole = "src/bin/whole-book-2/main.rs";
        assert!(made["Cargo.toml"].contains("default-run = \"whole-book-2\""));
        assert!(made[whole].contains("#[path = \"../whole-book/s.rs\"]"), "{}", made[whole]);
        assert!(made["Cargo.lock"].contains("name = \"reckoner-prelude\""));
    }

    #[test]
    fn what_cannot_be_built_is_left_out() {
        assert!(files(&[("a.md", "# A\n\nWords.\n")]).is_empty());
        let broken = "# A\n\n```rust {#snip:s run}\nf(];\n```\n";
        assert!(files(&[("a.md", broken)]).is_empty());
        let library = "# A\n\n```rust {#snip:l lib}\npub fn f() {}\n```\n";
        let made = files(&[("a.md", library)]);
        assert!(!made["Cargo.toml"].contains("default-run"), "{}", made["Cargo.toml"]);
    }
}
