//! `book/Cargo.toml` to the manifests of the tangled package.

use std::fmt::Write as _;

use toml::{Table, Value};

use super::codes;
use crate::diag::{Checked, Diagnostic};
use crate::source::{FileId, Place, Source, Span};

/// The manifests, and what else follows from the author's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Manifests {
    /// Of the package.
    pub(super) package: String,
    /// Of the prelude.
    pub(super) prelude: String,
    /// As `package`, but of a package without code: the lock of one is that of the other.
    pub(super) needed: String,
    /// The edition of the author's code.
    pub(super) edition: String,
    /// Whether the snippets may use nalgebra.
    pub(super) matrices: bool,
}

/// How the programs are compiled: quick to compile, yet not slow; a panic inside of a dependency
/// finds its caller by the line tables.
const PROFILE: &str = r#"
[lints.rust]
warnings = "allow"

[profile.dev]
opt-level = 1
debug = "line-tables-only"
incremental = true

[profile.dev.package."*"]
opt-level = 3
debug = false

[workspace]
"#;

/// How cargo compiles what snippets need: once, and to run fast.
const NEEDED_PROFILE: &str = r#"
[profile.dev]
incremental = false

[profile.dev.package."*"]
opt-level = 3
debug = false

[workspace]
"#;

/// Makes the manifests from the author's; without one there are no dependencies.
pub(super) fn manifests(source: Option<&Source>) -> Checked<Manifests> {
    let mut diagnostics = Vec::new();
    let table = source.map_or_else(Table::default, |it| read(it, &mut diagnostics));
    let dependencies = match table.get("dependencies") {
        Some(Value::Table(it)) => it.clone(),
        Some(_) | None => Table::default(),
    };
    if let Some(source) = source {
        refuse_paths(source, &dependencies, &mut diagnostics);
    }
    let matrix = dependencies.get("nalgebra").cloned();
    let field = |key: &str, default: &str| {
        let package = table.get("package").and_then(Value::as_table);
        let text = package.and_then(|it| it.get(key)).and_then(Value::as_str);
        text.unwrap_or(default).to_owned()
    };
    let edition = field("edition", "2024");
    let head = format!(
        "[package]\nname = {}\nversion = {}\nedition = {}\npublish = false\n\n[lib]\nname = \"book\"\n",
        Value::from(field("name", "book")),
        Value::from(field("version", "0.1.0")),
        Value::from(&edition[..]),
    );
    let mut dependencies = dependencies;
    dependencies.insert("reckoner-prelude".into(), prelude_dependency(matrix.is_some()));
    let mut body = section("dependencies", dependencies);
    if let Some(Value::Table(patch)) = table.get("patch") {
        body.push_str(&section("patch", patch.clone()));
    }
    let package = format!("{head}\n{body}{PROFILE}");
    let needed = format!("{head}path = \"{EMPTY}\"\n\n{body}{NEEDED_PROFILE}");
    let prelude = prelude_manifest(matrix.as_ref());
    let matrices = matrix.is_some();
    Checked { value: Manifests { package, prelude, needed, edition, matrices }, diagnostics }
}

/// The library of a package without code.
pub(super) const EMPTY: &str = "empty.rs";

fn read(source: &Source, out: &mut Vec<Diagnostic>) -> Table {
    match toml::from_str(&source.text) {
        Ok(table) => table,
        Err(error) => {
            let span = error.span().map_or(Span::new(0, 0), Span::from);
            let message = format!("`{}` is not TOML: {}", source.file, error.message());
            out.push(Diagnostic::error(codes::MANIFEST, source.place(span), message));
            Table::default()
        }
    }
}

/// A path is of the author's folder, which the tangled package, published, does not have.
fn refuse_paths(source: &Source, dependencies: &Table, out: &mut Vec<Diagnostic>) {
    for (name, value) in dependencies {
        let Some(path) = value.get("path").and_then(Value::as_str) else { continue };
        let at = source.text.find(path).unwrap_or(0);
        let message =
            format!("dependency `{name}` is a path, which the published code cannot have");
        let place = source.place(Span::new(at, at + path.len()));
        let help = "use a published version or `git`, or put the code into a `lib` snippet";
        out.push(Diagnostic::error(codes::MANIFEST, place, message).help(help));
    }
}

fn section(name: &str, content: Table) -> String {
    let mut outer = Table::default();
    outer.insert(name.into(), Value::Table(content));
    // Every value came from TOML, so it can be written as TOML.
    toml::to_string(&outer).unwrap_or_default()
}

fn prelude_dependency(matrix: bool) -> Value {
    let mut table = Table::default();
    table.insert("path".into(), "prelude".into());
    if matrix {
        table.insert("features".into(), vec!["nalgebra"].into());
    }
    Value::Table(table)
}

/// The prelude takes the same nalgebra as the book.
fn prelude_manifest(matrix: Option<&Value>) -> String {
    let mut out = String::from(
        "[package]\nname = \"reckoner-prelude\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         description = \"What a snippet can print: typed values, tables and plots\"\n\
         publish = false\n",
    );
    let Some(matrix) = matrix else { return out };
    let mut table = match matrix {
        Value::Table(table) => table.clone(),
        version => Table::from_iter([("version".to_owned(), version.clone())]),
    };
    table.insert("optional".into(), true.into());
    let dependencies = Table::from_iter([("nalgebra".to_owned(), Value::Table(table))]);
    let _ = write!(out, "\n[features]\nnalgebra = [\"dep:nalgebra\"]\n\n");
    out.push_str(&section("dependencies", dependencies));
    out
}

/// Where a fault is told that is of no snippet.
pub(super) fn place() -> Place {
    Place { file: FileId::new("Cargo.toml"), span: Span::NONE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prelude_takes_the_nalgebra_of_the_book() {
        let text = "[dependencies]\nnalgebra = \"0.35\"\n";
        let made = manifests(Some(&Source::new("Cargo.toml", text))).value;
        assert!(made.prelude.contains("version = \"0.35\""), "{}", made.prelude);
        assert!(made.package.contains("features = [\"nalgebra\"]"), "{}", made.package);
        assert!(!manifests(None).value.prelude.contains("nalgebra"));
    }

    #[test]
    fn a_path_is_refused_where_it_stands() {
        let text = "[dependencies]\nmine = { path = \"../mine\" }\n";
        let source = Source::new("Cargo.toml", text);
        let made = manifests(Some(&source));
        assert_eq!(source.slice(made.diagnostics[0].place.span), "../mine");
    }
}
