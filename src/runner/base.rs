//! What the snippets need to what the compiler must be told to use it.
//!
//! Cargo is asked once, and again when the manifest, the lock or the compiler changes or a file is
//! gone. What it said is kept on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::{absolute, at, cache, cargo};
use crate::eval::{Package, Unavailable};
use crate::memo::fingerprint;

/// The dependencies as cargo compiled them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Base {
    /// What it follows from.
    key: String,
    /// What the snippets may name.
    pub(super) book: Externs,
    /// What the prelude may name.
    pub(super) prelude: Externs,
    /// Features of the prelude.
    pub(super) features: Vec<String>,
    /// Folders where the compiler finds the rest: `dependency=/…/deps`.
    pub(super) search: BTreeSet<String>,
    /// Every file that cargo made, with its size and time, by which a change is noticed.
    files: BTreeMap<PathBuf, (u64, Option<SystemTime>)>,
}

/// Name of a crate in code → its file.
pub(super) type Externs = BTreeMap<String, PathBuf>;

impl Base {
    /// What compilations with it depend on.
    pub(super) fn print(&self) -> u128 {
        fingerprint(&self.key)
    }

    fn is_whole(&self) -> bool {
        self.files.iter().all(|(path, mark)| self::mark(path).as_ref() == Some(mark))
    }
}

fn mark(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let data = std::fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()))
}

/// The dependencies of `package`, compiled below `folder` if they are not yet. Returns also
/// whether cargo was started.
pub(super) fn base(
    folder: &Path,
    package: &Package,
    compiler: u128,
) -> Result<(Base, bool), Unavailable> {
    let files = package.needed();
    // The paths that are kept are of this folder: one that was moved or copied is asked for again.
    let key = format!("{:032x}", fingerprint(&(&files, compiler, absolute(folder)?)));
    let record = folder.join("build/base.json");
    let kept = cache::read(&record).and_then(|it| serde_json::from_slice::<Base>(&it).ok());
    if let Some(kept) = kept.filter(|it| it.key == key && it.is_whole()) {
        return Ok((kept, false));
    }
    let place = folder.join("needed");
    cargo::write(&place, &files)?;
    let (made, known) = cargo::dependencies(&place, &folder.join("build"))?;
    let base = joined(key, &made, &known).ok_or_else(|| Unavailable {
        tried: "cannot find what cargo compiled for the snippets".into(),
        why: "`cargo metadata` and `cargo build` do not speak of the same packages".into(),
    })?;
    let text = serde_json::to_string(&base).map_err(|it| Unavailable {
        tried: "cannot keep where the dependencies of the snippets are".into(),
        why: it.to_string(),
    })?;
    cache::write(&record, &text)?;
    Ok((base, true))
}

/// A line of `cargo build --message-format=json`.
#[derive(Deserialize)]
struct Line {
    package_id: Option<String>,
    target: Option<Target>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
    #[serde(default)]
    linked_paths: Vec<String>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

/// What `cargo metadata` says.
#[derive(Deserialize)]
struct Metadata {
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Resolve {
    root: Option<String>,
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
    features: Vec<String>,
}

/// A dependency by the name that code has for it.
#[derive(Deserialize)]
struct Dependency {
    name: String,
    pkg: String,
}

/// Joins what cargo made with the names that it is known by.
fn joined(key: String, made: &str, known: &str) -> Option<Base> {
    let resolve = serde_json::from_str::<Metadata>(known).ok()?.resolve;
    let mut out = Base { key, ..Base::default() };
    let mut libraries: BTreeMap<String, PathBuf> = BTreeMap::new();
    let lines = made.lines().filter_map(|it| serde_json::from_str::<Line>(it).ok());
    for Line { package_id, target, filenames, linked_paths } in lines {
        out.search.extend(linked_paths);
        let is_library = target.is_some_and(|it| it.kind.iter().any(|it| it != "custom-build"));
        let library = filenames.iter().find(|it| is_library && is_linked(it));
        let (Some(id), Some(library)) = (package_id, library) else { continue };
        let folder = library.parent()?.to_str()?;
        out.search.insert(format!("dependency={folder}"));
        out.files.insert(library.clone(), mark(library)?);
        libraries.insert(id, library.clone());
    }
    let node = |id: &str| resolve.nodes.iter().find(|it| it.id == id);
    let book = node(resolve.root.as_ref()?)?;
    let prelude = book.deps.iter().find(|it| it.name == "reckoner_prelude")?;
    let prelude = node(&prelude.pkg)?;
    let externs = |node: &Node| -> Option<Externs> {
        let mine = node.deps.iter().filter(|it| it.name != "reckoner_prelude");
        mine.map(|it| Some((it.name.clone(), libraries.get(&it.pkg)?.clone()))).collect()
    };
    out.features = prelude.features.clone();
    (out.book, out.prelude) = (externs(book)?, externs(prelude)?);
    Some(out)
}

/// Whether a file is what the compiler takes for a crate: a library or a macro.
fn is_linked(file: &Path) -> bool {
    let ending = file.extension().and_then(|it| it.to_str()).unwrap_or_default();
    ending == "rlib" || ending == std::env::consts::DLL_EXTENSION
}

/// Makes `path` if it is not there.
pub(super) fn folder(path: &Path) -> Result<(), Unavailable> {
    std::fs::create_dir_all(path).map_err(|it| at("make the folder", path, &it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_code() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            cache::write(&path, "x").unwrap();
            path
        };
        let (a, m) =
            (file("liba-1.rlib"), file(&format!("libm-2.{}", std::env::consts::DLL_EXTENSION)));
        let made = format!(
            "{{\"reason\":\"compiler-artifact\",\"package_id\":\"A\",\"target\":{{\"kind\":[\"lib\"]}},\"filenames\":[{a:?},\"liba-1.rmeta\"]}}\n\
             {{\"reason\":\"compiler-artifact\",\"package_id\":\"A\",\"target\":{{\"kind\":[\"custom-build\"]}},\"filenames\":[\"build-script\"]}}\n\
             {{\"reason\":\"build-script-executed\",\"package_id\":\"A\",\"linked_paths\":[\"native=/x\"]}}\n\
             {{\"reason\":\"compiler-artifact\",\"package_id\":\"M\",\"target\":{{\"kind\":[\"proc-macro\"]}},\"filenames\":[{m:?}]}}\n\
             {{\"reason\":\"build-finished\",\"success\":true}}\n"
        );
        let known = "{\"resolve\":{\"root\":\"B\",\"nodes\":[\
            {\"id\":\"B\",\"features\":[],\"deps\":[{\"name\":\"renamed\",\"pkg\":\"A\"},{\"name\":\"reckoner_prelude\",\"pkg\":\"P\"}]},\
            {\"id\":\"P\",\"features\":[\"f\"],\"deps\":[{\"name\":\"m\",\"pkg\":\"M\"}]}]}}";
        let base = joined("k".into(), &made, known).unwrap();
        assert_eq!(base.book, Externs::from([("renamed".to_owned(), a.clone())]));
        assert_eq!(base.prelude, Externs::from([("m".to_owned(), m)]));
        assert_eq!(base.features, ["f"]);
        assert_eq!(base.search.len(), 2);
        assert!(base.is_whole());
        std::fs::remove_file(a).unwrap();
        assert!(!base.is_whole(), "a file is gone");
    }
}
