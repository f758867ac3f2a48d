//! A package to the crates that are compiled of it, each by one call of the compiler.
//!
//! Cargo compiles what the snippets need. The rest is so little that it would take cargo longer to
//! find out what there is to do than it takes the compiler to do it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::manifest::EMPTY;
use super::package::lints;
use super::tangle::PRELUDE;
use super::{Package, Role, Unit};

/// The generic code of the dependencies that snippets use most.
const WARM: &str = include_str!("prelude/warm.rs");

/// A crate. Files are named as in the package, so that all places in them are places in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Crate {
    /// Its name.
    pub name: &'static str,
    /// Its edition.
    pub edition: String,
    /// The file that the compiler is given.
    pub root: String,
    /// Path → text of every file.
    pub files: BTreeMap<String, String>,
}

impl Package {
    /// The files of a package that needs what the snippets need and has no code: cargo makes their
    /// dependencies of it.
    pub fn needed(&self) -> BTreeMap<String, String> {
        let mut out = self.frame.clone();
        out.insert("Cargo.toml".into(), self.needed.clone());
        out.insert(EMPTY.into(), String::new());
        for (path, _) in PRELUDE {
            out.insert((*path).to_owned(), String::new());
        }
        out
    }

    /// What every snippet can print with.
    pub fn prelude(&self) -> Crate {
        let file = |it: &(&str, &str)| (it.0.to_owned(), it.1.to_owned());
        let files = PRELUDE.iter().map(file).collect();
        let root = "prelude/src/lib.rs".into();
        Crate { name: "reckoner_prelude", edition: "2024".into(), root, files }
    }

    /// Code that need not be compiled for each snippet anew, if there is any.
    pub fn warm(&self) -> Option<Crate> {
        let root = "warm.rs";
        let files = BTreeMap::from([(root.to_owned(), WARM.to_owned())]);
        let warm =
            Crate { name: "reckoner_warm", edition: "2024".into(), root: root.into(), files };
        self.matrices.then_some(warm)
    }

    /// The library of all chapters, but for the units `without`.
    pub fn library(&self, without: &BTreeSet<String>, warm: bool) -> Crate {
        let mut text = format!("extern crate self as book;\n{}", linked(warm));
        let mut files = BTreeMap::new();
        for unit in self.units.iter().filter(|it| !without.contains(&it.name)) {
            let Role::Library { module } = &unit.role else { continue };
            let _ = write!(text, "#[path = {:?}]\npub mod {module};\n", unit.path);
            files.insert(unit.path.clone(), unit.text.clone());
        }
        let root = "book.rs".to_owned();
        files.insert(root.clone(), text);
        Crate { name: "book", edition: self.edition.clone(), root, files }
    }

    /// A program of these units. Nothing that a unit can see of it depends on the others.
    pub fn program(&self, units: &[&Unit], warm: bool) -> Crate {
        let mut text = linked(warm).to_owned();
        let mut list = String::new();
        let mut files = BTreeMap::new();
        for unit in units {
            let Role::Program { module, .. } = &unit.role else { continue };
            let _ = write!(text, "#[path = {:?}]\n{}mod {module};\n", unit.path, lints(unit));
            let _ = writeln!(list, "        ({:?}, {module}::run),", unit.name);
            files.insert(unit.path.clone(), unit.text.clone());
        }
        let _ = write!(
            text,
            "\npub fn main() -> std::process::ExitCode {{\n    reckoner_prelude::main(&[\n{list}    ])\n}}\n"
        );
        let root = "snippets.rs".to_owned();
        files.insert(root.clone(), text);
        Crate { name: "snippets", edition: self.edition.clone(), root, files }
    }

    /// A program whose code is all in the crate of [`Package::program`], compiled as a library.
    pub fn starter(&self) -> Crate {
        let root = "starter.rs";
        let text = "fn main() -> std::process::ExitCode {\n    snippets::main()\n}\n";
        let files = BTreeMap::from([(root.to_owned(), text.to_owned())]);
        Crate { name: "starter", edition: self.edition.clone(), root: root.into(), files }
    }
}

/// A crate that is not named is not linked.
fn linked(warm: bool) -> &'static str {
    if warm { "extern crate reckoner_warm as _;\n" } else { "" }
}
