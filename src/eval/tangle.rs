//! Chapters to one Cargo package.
//!
//! The library `book` has a module for each chapter with `lib` snippets. Each chapter with `run`
//! snippets is a program, and each snippet a module of it that runs in a process of its own:
//! `cargo run --bin nn-fundamentals m05-s01`.

use std::collections::{BTreeMap, BTreeSet};

use super::lex::{self, Imports};
use super::manifest::{self, Manifests};
use super::names::{binary_name, identifier, unique};
use super::package::Part;
use super::{Package, Role, Unit, codes};
use crate::diag::{Checked, Diagnostic};
use crate::ir::{Block, BlockKind, Document, Snippet, SnippetMode, plain};
use crate::memo::fingerprint;
use crate::source::{Place, Source, Span};

/// What the prelude is made of: path in the package → text.
pub(super) const PRELUDE: &[(&str, &str)] = &[
    ("prelude/src/lib.rs", include_str!("prelude/lib.rs")),
    ("prelude/src/matrix.rs", include_str!("prelude/matrix.rs")),
];

/// Tangles the snippets of `documents`, which are in book order. `manifest` and `lock` are
/// `Cargo.toml` and `Cargo.lock` of the book folder.
pub fn package(
    documents: &[&Document],
    manifest: Option<&Source>,
    lock: Option<&Source>,
) -> Checked<Package> {
    let mut diagnostics = Vec::new();
    let manifests = manifest::manifests(manifest).take(&mut diagnostics);
    let frame = frame(&manifests, lock);
    let mut tangle = Tangle::default();
    for document in documents {
        tangle.chapter(document, &mut diagnostics);
    }
    let units = tangle.finish(&frame);
    let Manifests { needed, edition, matrices, .. } = manifests;
    Checked { value: Package { units, frame, needed, edition, matrices }, diagnostics }
}

fn frame(manifests: &Manifests, lock: Option<&Source>) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    out.insert("Cargo.toml".to_owned(), manifests.package.clone());
    out.insert("prelude/Cargo.toml".to_owned(), manifests.prelude.clone());
    if let Some(lock) = lock {
        out.insert("Cargo.lock".to_owned(), lock.text.to_string());
    }
    out.extend(PRELUDE.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    out
}

/// Units under construction; `needs` holds direct imports until the end.
#[derive(Default)]
struct Tangle {
    units: Vec<Unit>,
    /// Imports of each unit.
    imports: Vec<Imports>,
    modules: BTreeSet<String>,
    /// Modules of programs: one of a name in the book, since all may be of one program.
    inner: BTreeSet<String>,
    binaries: BTreeSet<String>,
    programs: BTreeSet<String>,
}

/// What is known of the code of a unit.
struct Read {
    parts: Vec<Part>,
    flaw: Option<String>,
    imports: Imports,
}

impl Tangle {
    fn chapter(&mut self, document: &Document, out: &mut Vec<Diagnostic>) {
        let snippets: Vec<&Snippet> = document.all_blocks().filter_map(snippet).collect();
        if snippets.is_empty() {
            return;
        }
        let stem = document.file.stem();
        let module = unique(&mut self.modules, &identifier(stem));
        let binary = unique(&mut self.binaries, &binary_name(stem));
        let of = |mode| snippets.iter().copied().filter(move |it| it.mode == mode);
        let libraries: Vec<_> = of(SnippetMode::Lib).collect();
        let has_library = !libraries.is_empty();
        if has_library {
            self.library(document, &module, &libraries, out);
        }
        for snippet in of(SnippetMode::Run) {
            if self.programs.insert(snippet.id.clone()) {
                let own = has_library.then_some(&module[..]);
                let name = unique(&mut self.inner, &identifier(&snippet.id));
                self.program(document, snippet, own, (&binary, &name), out);
            }
            // A second snippet of one label is `link`'s to report, as any label.
        }
    }

    fn library(
        &mut self,
        document: &Document,
        module: &str,
        snippets: &[&Snippet],
        out: &mut Vec<Diagnostic>,
    ) {
        let title = one_line(&plain(&document.title));
        let mut text = format!(
            "//! {title}, from `{}`.\n\nuse reckoner_prelude::prelude::*;\n",
            document.file.path()
        );
        let mut imports = Imports::default();
        let mut parts = Vec::new();
        let mut flaw = None;
        for snippet in snippets {
            text.push('\n');
            match self.read(document, snippet, out) {
                Ok(found) => {
                    imports.modules.extend(found.modules);
                    imports.any |= found.any;
                }
                Err(message) => flaw = Some(message),
            }
            parts.push(Part::of(document, snippet, &mut text));
        }
        let path = format!("src/{module}.rs");
        let (role, name) = (Role::Library { module: module.into() }, format!("book::{module}"));
        self.push(role, &name, path, text, Read { parts, flaw, imports });
    }

    fn program(
        &mut self,
        document: &Document,
        snippet: &Snippet,
        own: Option<&str>,
        (binary, module): (&str, &str),
        out: &mut Vec<Diagnostic>,
    ) {
        let title = one_line(&plain(&snippet.title));
        let head =
            if title.is_empty() { snippet.id.clone() } else { format!("{title} ({})", snippet.id) };
        let (mut imports, flaw) = match self.read(document, snippet, out) {
            Ok(imports) => (imports, None),
            Err(message) => (Imports::default(), Some(message)),
        };
        let import = own.map_or(String::new(), |it| format!("use book::{it}::*;\n"));
        imports.modules.extend(own.map(str::to_owned));
        let mut text = format!(
            "//! {head}\n\n{import}use reckoner_prelude::prelude::*;\n\n\
             pub fn run() -> reckoner_prelude::Outcome {{\n"
        );
        let parts = vec![Part::of(document, snippet, &mut text)];
        text.push_str(if imports.complete { "    Ok(())\n}\n" } else { "    ;\n    Ok(())\n}\n" });
        let should_panic = snippet.should_panic;
        let path = format!("src/bin/{binary}/{module}.rs");
        let (binary, module, optimized) = (binary.into(), module.into(), snippet.optimized);
        let role = Role::Program { binary, module, should_panic, optimized };
        self.push(role, &snippet.id, path, text, Read { parts, flaw, imports });
    }

    fn push(&mut self, role: Role, name: &str, path: String, text: String, read: Read) {
        let Read { parts, flaw, imports } = read;
        let (name, key, needs, alone) =
            (name.into(), String::new(), BTreeSet::new(), imports.whole);
        self.units.push(Unit { name, role, path, text, key, needs, flaw, alone, parts });
        self.imports.push(imports);
    }

    /// Reads the code of a snippet; a flaw is reported at its place.
    fn read(
        &self,
        document: &Document,
        snippet: &Snippet,
        out: &mut Vec<Diagnostic>,
    ) -> Result<Imports, String> {
        let code: Vec<&str> = snippet.lines.iter().map(|it| &it.text[..]).collect();
        let flaw = match lex::imports(&code.join("\n")) {
            Ok(imports) => return Ok(imports),
            Err(flaw) => flaw,
        };
        let span = snippet.lines.get(flaw.line).map_or(snippet.id_span, |line| {
            let mut rest = line.text.char_indices().skip(flaw.column);
            let at = rest.next().map_or(line.text.len(), |it| it.0);
            let end = rest.next().map_or(line.text.len(), |it| it.0);
            Span::new(line.at as usize + at, line.at as usize + end)
        });
        let place = Place { file: document.file.clone(), span };
        let help = "the snippet is left out; the others still run";
        out.push(Diagnostic::error(codes::SYNTAX, place, flaw.message.clone()).help(help));
        Err(flaw.message)
    }

    /// Settles what each unit needs, and its key.
    fn finish(mut self, frame: &BTreeMap<String, String>) -> Vec<Unit> {
        let libraries: BTreeMap<String, usize> = self
            .units
            .iter()
            .enumerate()
            .filter_map(|(index, it)| match &it.role {
                Role::Library { module } => Some((module.clone(), index)),
                Role::Program { .. } => None,
            })
            .collect();
        let direct: Vec<BTreeSet<usize>> = self
            .imports
            .iter()
            .map(|it| {
                // A name that is no chapter may be a macro, which lives at the top of the library.
                let all = it.any || it.modules.iter().any(|it| !libraries.contains_key(it));
                let named = libraries.iter().filter(|(name, _)| all || it.modules.contains(*name));
                named.map(|it| *it.1).collect()
            })
            .collect();
        let frame = fingerprint(frame);
        for index in 0..self.units.len() {
            let needs = closure(index, &direct);
            let needed: Vec<_> = needs.iter().map(|it| self.units[*it].code()).collect();
            let unit = &self.units[index];
            // The path is in what a program prints of its places.
            let key = fingerprint(&(frame, &unit.path, unit.code(), unit.is_to_panic(), needed));
            let names = needs.iter().map(|it| self.units[*it].name.clone()).collect();
            let unit = &mut self.units[index];
            (unit.key, unit.needs) = (format!("{key:032x}"), names);
        }
        self.units
    }
}

/// All that `start` needs, without itself.
fn closure(start: usize, direct: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    let mut open = vec![start];
    while let Some(index) = open.pop() {
        open.extend(direct[index].iter().copied().filter(|it| out.insert(*it)));
    }
    out.remove(&start);
    out
}

fn snippet(block: &Block) -> Option<&Snippet> {
    let BlockKind::Snippet(snippet) = &block.kind else { return None };
    Some(snippet)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn tangle(chapters: &[(&str, &str)]) -> (Package, Vec<Diagnostic>) {
        let documents: Vec<_> =
            chapters.iter().map(|it| parse::document(&Source::new(it.0, it.1)).value).collect();
        let documents: Vec<&Document> = documents.iter().collect();
        let made = package(&documents, None, None);
        (made.value, made.diagnostics)
    }

    const LIB: &str = "# A\n\n```rust {#snip:l lib}\npub fn f() {}\n```\n\n";
    const RUN: &str = "```rust {#snip:s run}\nshow!(\"x\", 1);\n```\n";

    fn key(package: &Package, name: &str) -> String {
        package.unit(name).unwrap().key.clone()
    }

    #[test]
    fn a_key_follows_from_code_alone() {
        let before = tangle(&[("a.md", &format!("{LIB}{RUN}"))]).0;
        let moved = tangle(&[("a.md", &format!("{LIB}Words.\n\n> Quote\n\n{RUN}"))]).0;
        assert_eq!(key(&before, "s"), key(&moved, "s"));
        assert_eq!(key(&before, "book::a"), key(&moved, "book::a"));
        let edited = LIB.replace("f()", "f(_: u8)");
        let edited = tangle(&[("a.md", &format!("{edited}{RUN}"))]).0;
        assert_ne!(key(&before, "s"), key(&edited, "s"), "the library is seen by the program");
    }

    #[test]
    fn a_key_has_the_libraries_that_are_imported_and_no_others() {
        let user = |code: &str| format!("# B\n\n```rust {{#snip:t run}}\n{code}\n```\n");
        let other = LIB.replace("f()", "g()").replace("snip:l", "snip:m");
        let edited = LIB.replace("{}", "{ }");
        let keys = |code: &str, lib: &str| {
            let user = user(code);
            let package = tangle(&[("a.md", lib), ("c.md", &other), ("b.md", &user)]).0;
            (key(&package, "t"), package.unit("t").unwrap().needs.clone())
        };
        let code = "use book::a::f;";
        assert_ne!(keys(code, LIB).0, keys(code, &edited).0);
        assert_eq!(keys(code, LIB).1, BTreeSet::from(["book::a".to_owned()]));
        let code = "use book::c::g;";
        assert_eq!(keys(code, LIB).0, keys(code, &edited).0);
        let code = "book::a_macro!();";
        assert_eq!(keys(code, LIB).1.len(), 2, "a macro may be of any chapter");
    }

    #[test]
    fn imports_reach_through_other_libraries() {
        let through = "# C\n\n```rust {#snip:c lib}\npub use crate::a::f;\n```\n";
        let user = "# B\n\n```rust {#snip:t run}\nuse book::c::f;\n```\n";
        let package = tangle(&[("a.md", LIB), ("c.md", through), ("b.md", user)]).0;
        let needs: Vec<_> = package.unit("t").unwrap().needs.iter().cloned().collect();
        assert_eq!(needs, ["book::a", "book::c"]);
    }

    #[test]
    fn a_broken_snippet_is_told_where_it_breaks_and_left_out() {
        let text = "# A\n\n> ```rust {#snip:s run}\n> # let é = 1;\n> f(é];\n> ```\n";
        let (package, diagnostics) = tangle(&[("a.md", text)]);
        let source = Source::new("a.md", text);
        assert_eq!(source.slice(diagnostics[0].place.span), "]");
        assert!(package.unit("s").unwrap().flaw.is_some());
        assert!(!package.files(&BTreeSet::from(["s".into()])).contains_key("src/bin/a/s.rs"));
    }

    #[test]
    fn a_place_of_the_package_is_a_place_of_the_chapter() {
        let text = "# A\n\n- item\n\n  ```rust {#snip:s run}\n  # let é = 1;\n  f(é);\n  ```\n";
        let package = tangle(&[("a.md", text)]).0;
        let source = Source::new("a.md", text);
        let unit = package.unit("s").unwrap();
        let line = |words: &str| unit.text.lines().position(|it| it == words).unwrap() as u32 + 1;
        let of = |start, end| source.slice(unit.place(start, end).span).to_owned();
        assert_eq!(of((line("let é = 1;"), 5), (line("let é = 1;"), 6)), "é");
        assert_eq!(of((line("f(é);"), 3), (line("f(é);"), 4)), "é");
        let past = unit.place((line("f(é);") + 2, 3), (line("f(é);") + 2, 4));
        assert_eq!(&text[..past.span.range().start], text.strip_suffix("\n  ```\n").unwrap());
    }

    #[test]
    fn two_chapters_of_one_name_have_files_of_their_own() {
        let twice = format!("{LIB}{RUN}");
        let other = twice.replace("snip:l", "snip:l2").replace("snip:s", "snip:s2");
        let package = tangle(&[("a-b.md", &twice), ("a_b.md", &other)]).0;
        let paths: Vec<_> = package.units.iter().map(|it| &it.path[..]).collect();
        let expected = ["src/a_b.rs", "src/bin/a-b/s.rs", "src/a_b_2.rs", "src/bin/a-b_2/s2.rs"];
        assert_eq!(paths, expected);
    }
}
