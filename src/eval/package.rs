//! The snippets of the book as one Cargo package, and the way back from its lines to theirs.

use std::collections::{BTreeMap, BTreeSet};

use super::{Fault, Spot, manifest};
use crate::ir::{Document, Snippet};
use crate::memo::fingerprint;
use crate::source::{FileId, Place, Span};

/// The snippets of the book as one Cargo package, and where its lines come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Package {
    /// The libraries and programs, in book order. Names and paths are unique.
    pub units: Vec<Unit>,
    /// The files that are not of a unit: manifests, lock and prelude.
    pub(super) frame: BTreeMap<String, String>,
    /// The manifest that has what snippets need and none of them.
    pub(super) needed: String,
    /// The edition of the author's code.
    pub(super) edition: String,
    /// Whether the snippets may use nalgebra.
    pub(super) matrices: bool,
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
    /// Whether it cannot share a program with others, because it changes the whole of it.
    pub alone: bool,
    /// The code itself, snippet by snippet.
    pub(super) parts: Vec<Part>,
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
        /// Its module, of which there is one of this name in the book.
        module: String,
        /// Whether it must fail.
        should_panic: bool,
        /// Whether it asks for optimization.
        optimized: bool,
    },
}

/// A snippet in a file of the package.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Part {
    /// The chapter.
    file: FileId,
    /// Line of the package's file that has the first line of the snippet, from 1.
    first: usize,
    /// For each line the byte of the chapter where it starts, and its text.
    lines: Vec<(u32, String)>,
    /// The label of the snippet.
    label: Span,
}

impl Part {
    /// Appends the code of `snippet` to `text`.
    pub(super) fn of(document: &Document, snippet: &Snippet, text: &mut String) -> Self {
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
    /// The code of the author, snippet by snippet, and nothing else of the file.
    pub(super) fn code(&self) -> Vec<Vec<&str>> {
        self.parts.iter().map(|part| part.lines.iter().map(|it| &it.1[..]).collect()).collect()
    }

    /// Whether it must fail.
    pub fn is_to_panic(&self) -> bool {
        match &self.role {
            Role::Library { .. } => false,
            Role::Program { should_panic, .. } => *should_panic,
        }
    }

    /// Whether it asks for optimization.
    pub fn is_optimized(&self) -> bool {
        match &self.role {
            Role::Library { .. } => false,
            Role::Program { optimized, .. } => *optimized,
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

impl Unit {
    /// The place of the expression that starts at a place in this unit's file, as far as its line
    /// goes.
    pub(super) fn expression(&self, (line, column): (u32, u32)) -> Place {
        let text = self.text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default();
        let mut open = 0;
        let mut length = 0;
        for c in text.chars().skip((column as usize).saturating_sub(1)) {
            match c {
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' if open > 0 => open -= 1,
                ')' | ']' | '}' => break,
                ';' | ',' if open == 0 => break,
                _ => {}
            }
            length += 1;
        }
        self.place((line, column), (line, column + length.max(1)))
    }
}

impl Package {
    /// The units whose code, or a library that they need, names the folder of data. The others get
    /// no access, so that what is in it cannot change their results.
    pub fn readers(&self) -> BTreeSet<&str> {
        let names = |text: &str| text.contains("\"data") || text.contains("data/");
        let direct: BTreeSet<&str> =
            self.units.iter().filter(|it| names(&it.text)).map(|it| &it.name[..]).collect();
        let reads = |name: &str| direct.contains(name);
        let reader = |it: &&Unit| reads(&it.name) || it.needs.iter().any(|it| reads(it));
        self.units.iter().filter(reader).map(|it| &it.name[..]).collect()
    }

    /// The package of a book with files of data, which `data` is a fingerprint of: the keys of
    /// those that may read them follow from it too.
    #[must_use]
    pub fn with_data(mut self, data: u128) -> Self {
        let readers: BTreeSet<String> = self.readers().into_iter().map(str::to_owned).collect();
        for unit in self.units.iter_mut().filter(|it| readers.contains(&it.name)) {
            unit.key = format!("{:032x}", fingerprint(&(&unit.key, data)));
        }
        self
    }

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

/// What stands before the module of a program: one that is to fail may do so in plain sight of the
/// compiler.
pub(super) fn lints(unit: &Unit) -> &'static str {
    if unit.is_to_panic() { "#[allow(arithmetic_overflow, unconditional_panic)]\n" } else { "" }
}

/// The program of a chapter.
fn main(binary: &str, units: &[(&Unit, &str)]) -> String {
    let mut out = format!(
        "//! The snippets of a chapter: `cargo run --bin {binary}` for all, with an id for one.\n\n"
    );
    for (unit, module) in units {
        out.push_str(&format!("{}mod {module};\n", lints(unit)));
    }
    out.push_str("\nfn main() -> std::process::ExitCode {\n    reckoner_prelude::main(&[\n");
    for (unit, module) in units {
        out.push_str(&format!("        ({:?}, {module}::run),\n", unit.name));
    }
    out.push_str("    ])\n}\n");
    out
}
