//! Chapters to one Cargo package, and the way back from its lines to theirs.
//!
//! The library `book` has a module for each chapter with `lib` snippets. Each chapter with `run`
//! snippets is a program, and each snippet a module of it that runs in a process of its own:
//! `cargo run --bin nn-fundamentals m05-s01`.

use std::collections::{BTreeMap, BTreeSet};

use super::lex::{self, Imports};
use super::manifest::{self, Manifests};
use super::{Fault, Spot, codes};
use crate::diag::{Checked, Diagnostic};
use crate::ir::{Block, BlockKind, Document, Snippet, SnippetMode, plain};
use crate::memo::fingerprint;
use crate::source::{FileId, Place, Source, Span};

/// What the prelude is made of: path in the package → text.
const PRELUDE: &[(&str, &str)] = &[
    ("prelude/src/lib.rs", include_str!("prelude/lib.rs")),
    ("prelude/src/matrix.rs", include_str!("prelude/matrix.rs")),
];

/// The snippets of the book as one Cargo package, and where its lines come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Package {
    /// The libraries and programs, in book order. Names and paths are unique.
    pub units: Vec<Unit>,
    /// The files that are not of a unit: manifests, lock and prelude.
    frame: BTreeMap<String, String>,
}

/// What compiles, or fails to, as one: the library of a chapter or one program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    /// The snippet's id; for a library its path, `book::nn_fundamentals`.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// Its file below the package's folder.
    pub path: String,
    /// The whole text of its file.
    pub text: String,
    /// A fingerprint of all that its result depends on, besides the compiler. Nothing in it says
    /// where in the chapter the snippet stands.
    pub key: String,
    /// The libraries that it needs, directly or not.
    pub needs: BTreeSet<String>,
    /// Why it is not given to the compiler.
    pub flaw: Option<String>,
    /// The code itself, snippet by snippet.
    parts: Vec<Part>,
}

/// What a unit is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// `lib` snippets of a chapter.
    Library {
        /// Its module in `book`.
        module: String,
    },
    /// A `run` snippet.
    Program {
        /// The binary of its chapter.
        binary: String,
        /// Its module in the binary.
        module: String,
        /// Whether it must fail.
        should_panic: bool,
    },
}

/// A snippet in a file of the package.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Part {
    /// The chapter.
    file: FileId,
    /// Line of the package's file that has the first line of the snippet, from 1.
    first: usize,
    /// For each line the byte of the chapter where it starts, and its text.
    lines: Vec<(u32, String)>,
    /// The label of the snippet.
    label: Span,
}

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
    Checked { value: Package { units, frame }, diagnostics }
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
    /// Module of its chapter, for each unit.
    homes: Vec<String>,
    modules: BTreeSet<String>,
    binaries: BTreeSet<String>,
    programs: BTreeSet<String>,
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
        let mut inner = BTreeSet::new();
        for snippet in of(SnippetMode::Run) {
            if snippet.id.is_empty() {
                let place = Place { file: document.file.clone(), span: snippet.id_span };
                let message = "a snippet that runs needs a label";
                let help = "give it one that is unique in the book, as in `{#snip:m05-s01 run}`";
                out.push(Diagnostic::error(codes::NO_LABEL, place, message).help(help));
            } else if self.programs.insert(snippet.id.clone()) {
                let own = has_library.then_some(&module[..]);
                let name = unique(&mut inner, &identifier(&snippet.id));
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
        self.push(role, &name, path, text, (parts, flaw, imports, module));
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
        let role = Role::Program { binary: binary.into(), module: module.into(), should_panic };
        let path = format!("src/bin/{binary}/{module}.rs");
        self.push(role, &snippet.id, path, text, (parts, flaw, imports, own.unwrap_or_default()));
    }

    fn push(
        &mut self,
        role: Role,
        name: &str,
        path: String,
        text: String,
        (parts, flaw, imports, home): (Vec<Part>, Option<String>, Imports, &str),
    ) {
        let (key, needs) = (String::new(), BTreeSet::new());
        self.units.push(Unit { name: name.into(), role, path, text, key, needs, flaw, parts });
        self.imports.push(imports);
        self.homes.push(home.into());
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
            let codes: Vec<_> = needs.iter().map(|it| self.units[*it].code()).collect();
            let unit = &self.units[index];
            let key =
                fingerprint(&(frame, unit.code(), unit.is_to_panic(), &self.homes[index], codes));
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

impl Part {
    /// Appends the code of `snippet` to `text`.
    fn of(document: &Document, snippet: &Snippet, text: &mut String) -> Self {
        let first = text.matches('\n').count() + 1;
        let lines: Vec<_> = snippet.lines.iter().map(|it| (it.at, it.text.clone())).collect();
        for (_, line) in &lines {
            text.push_str(line);
            text.push('\n');
        }
        Self { file: document.file.clone(), first, lines, label: snippet.id_span }
    }

    /// The byte of the chapter at line and column, both from 1, of the package's file; the nearest
    /// there is.
    fn byte(&self, (line, column): (u32, u32)) -> usize {
        let line = (line as usize).saturating_sub(self.first);
        let Some((at, text)) = self.lines.get(line).or(self.lines.last()) else {
            return self.label.range().start;
        };
        let column =
            if line < self.lines.len() { (column as usize).saturating_sub(1) } else { usize::MAX };
        *at as usize + text.char_indices().nth(column).map_or(text.len(), |it| it.0)
    }
}

impl Unit {
    /// The code of the author, and nothing else of the file.
    fn code(&self) -> Vec<&str> {
        self.parts.iter().flat_map(|it| it.lines.iter().map(|it| &it.1[..])).collect()
    }

    /// Whether it must fail.
    pub fn is_to_panic(&self) -> bool {
        match &self.role {
            Role::Library { .. } => false,
            Role::Program { should_panic, .. } => *should_panic,
        }
    }

    /// Where its first snippet is labelled.
    pub fn label(&self) -> Place {
        match self.parts.first() {
            Some(part) => Place { file: part.file.clone(), span: part.label },
            None => manifest::place(),
        }
    }

    /// The place in the chapter of a place in this unit's file.
    pub fn place(&self, start: (u32, u32), end: (u32, u32)) -> Place {
        let line = start.0 as usize;
        let Some(part) = self.parts.iter().rfind(|it| it.first <= line).or(self.parts.first())
        else {
            return manifest::place();
        };
        let (from, to) = (part.byte(start), part.byte(end));
        Place { file: part.file.clone(), span: Span::new(from, to.max(from)) }
    }
}

impl Package {
    /// The unit called `name`.
    pub fn unit(&self, name: &str) -> Option<&Unit> {
        self.units.iter().find(|it| it.name == name)
    }

    /// The place in the book of a place in the package, if it is in a unit's file.
    pub(super) fn place(&self, spot: &Spot) -> Option<Place> {
        let unit = self.units.iter().find(|it| it.path == spot.path)?;
        Some(unit.place(spot.start, spot.end))
    }

    /// The unit that a fault is of: the first whose file it names.
    pub fn culprit(&self, fault: &Fault) -> Option<&Unit> {
        fault.spots.iter().find_map(|spot| self.units.iter().find(|it| it.path == spot.path))
    }

    /// Every file of the package but those of the units `without`: path → text. With nothing left
    /// out it is what the site publishes.
    pub fn files(&self, without: &BTreeSet<String>) -> BTreeMap<String, String> {
        let mut out = self.frame.clone();
        let mut modules = String::new();
        let mut binaries: BTreeMap<&str, Vec<(&Unit, &str)>> = BTreeMap::new();
        for unit in self.units.iter().filter(|it| !without.contains(&it.name)) {
            out.insert(unit.path.clone(), unit.text.clone());
            match &unit.role {
                Role::Library { module } => modules.push_str(&format!("pub mod {module};\n")),
                Role::Program { binary, module, .. } => {
                    binaries.entry(binary).or_default().push((unit, module));
                }
            }
        }
        let head = "//! What the chapters define, a module for each.\n\n\
                    extern crate self as book;\n\n";
        out.insert("src/lib.rs".into(), format!("{head}{modules}"));
        for (binary, units) in binaries {
            out.insert(format!("src/bin/{binary}/main.rs"), main(binary, &units));
        }
        out
    }
}

/// The program of a chapter.
fn main(binary: &str, units: &[(&Unit, &str)]) -> String {
    let mut out = format!(
        "//! The snippets of a chapter: `cargo run --bin {binary}` for all, with an id for one.\n\n"
    );
    for (unit, module) in units {
        if unit.is_to_panic() {
            out.push_str("#[allow(arithmetic_overflow, unconditional_panic)]\n");
        }
        out.push_str(&format!("mod {module};\n"));
    }
    out.push_str("\nfn main() -> std::process::ExitCode {\n    reckoner_prelude::main(&[\n");
    for (unit, module) in units {
        out.push_str(&format!("        ({:?}, {module}::run),\n", unit.name));
    }
    out.push_str("    ])\n}\n");
    out
}

fn snippet(block: &Block) -> Option<&Snippet> {
    let BlockKind::Snippet(snippet) = &block.kind else { return None };
    Some(snippet)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `nn-fundamentals` as the name of a module: `nn_fundamentals`.
fn identifier(text: &str) -> String {
    let is_word = |c: char| {
        let name = format!("a{c}");
        c == '_' || c.is_ascii_alphanumeric() || (!c.is_ascii() && is_identifier(&name))
    };
    let mut name: String = text.chars().map(|c| if is_word(c) { c } else { '_' }).collect();
    if !is_identifier(&name) || name == "_" {
        name.insert(0, '_');
    }
    const TAKEN: &[&str] = &[
        "Self",
        "abstract",
        "as",
        "async",
        "await",
        "become",
        "book",
        "box",
        "break",
        "const",
        "continue",
        "crate",
        "do",
        "dyn",
        "else",
        "enum",
        "extern",
        "false",
        "final",
        "fn",
        "for",
        "gen",
        "if",
        "impl",
        "in",
        "let",
        "lib",
        "loop",
        "macro",
        "main",
        "match",
        "mod",
        "move",
        "mut",
        "override",
        "priv",
        "pub",
        "reckoner_prelude",
        "ref",
        "return",
        "self",
        "static",
        "struct",
        "super",
        "trait",
        "true",
        "try",
        "type",
        "typeof",
        "unsafe",
        "unsized",
        "use",
        "virtual",
        "where",
        "while",
        "yield",
    ];
    if TAKEN.binary_search(&&name[..]).is_ok() {
        name.push('_');
    }
    name
}

fn is_identifier(name: &str) -> bool {
    let first = name.chars().next();
    let ascii = name.is_ascii() && first.is_some_and(|it| it == '_' || it.is_ascii_alphabetic());
    let other = || {
        name.parse::<proc_macro2::TokenStream>().is_ok_and(|it| {
            let mut tokens = it.into_iter();
            matches!(tokens.next(), Some(proc_macro2::TokenTree::Ident(_)))
                && tokens.next().is_none()
        })
    };
    ascii || other()
}

/// The chapter's stem as the name of a binary, `part/one` as `part-one`.
fn binary_name(stem: &str) -> String {
    let name = identifier(stem).replace('_', "-");
    let name = name.trim_matches('-');
    // Cargo keeps folders of these names beside the binaries.
    let taken = ["", "book", "build", "deps", "examples", "incremental", "test"].contains(&name);
    if taken || name.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("chapter-{name}").trim_end_matches('-').to_owned();
    }
    name.to_owned()
}

/// `name`, or else `name_2`, … if it is taken.
fn unique(taken: &mut BTreeSet<String>, name: &str) -> String {
    let mut candidate = name.to_owned();
    let mut count = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{name}_{count}");
        count += 1;
    }
    candidate
}
