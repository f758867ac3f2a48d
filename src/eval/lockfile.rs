//! `Cargo.lock` of the book to that of the published package, which has the prelude too.

use std::collections::BTreeSet;

use toml::{Table, Value};

/// What the prelude may need and a book need not have: name, version and checksum.
const KNOWN: &[(&str, &str, &str)] =
    &[("libm", "0.2.16", "b6d2cec3eae94f9f509c767b45932f1ada8350c4bdb85af2fcab4a3c14807981")];

/// Where cargo has all of them from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// One `[[package]]`, in the order in which cargo sorts them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    name: String,
    version: String,
    source: Option<String>,
    checksum: Option<String>,
    dependencies: BTreeSet<String>,
}

/// The lock of the package with these manifests. `None` if dependencies are not locked: then cargo
/// chooses versions when the package is built.
pub(super) fn completed(lock: Option<&str>, package: &str, prelude: &str) -> Option<String> {
    let (package, prelude) = (manifest(package)?, manifest(prelude)?);
    let mut entries = match lock {
        Some(lock) => read(lock)?,
        None => Vec::new(),
    };
    let own: Vec<&str> = package.2.iter().map(|it| &it[..]).filter(|it| *it != prelude.0).collect();
    let root = entries.iter().position(|it| it.source.is_none() && it.name == package.0);
    let mut root = match root {
        Some(at) => entries.remove(at),
        None if own.is_empty() => entry(&package.0, &package.1),
        None => return None,
    };
    // A lock that lacks a dependency is of an older manifest, and one that is made up would be wrong.
    let locked = |name: &str| root.dependencies.iter().any(|it| is_of(it, name));
    if !own.iter().all(|it| locked(it)) {
        return None;
    }
    let mut added = entry(&prelude.0, &prelude.1);
    for name in &prelude.2 {
        let shared = root.dependencies.iter().find(|it| is_of(it, name)).cloned();
        let dependency = match shared {
            Some(it) => it,
            None => known(&mut entries, &mut root, name)?,
        };
        added.dependencies.insert(dependency);
    }
    root.dependencies.insert(added.name.clone());
    entries.retain(|it| it.source.is_some() || it.name != added.name);
    entries.extend([root, added]);
    entries.sort();
    Some(write(&entries))
}

/// Adds what the prelude alone needs; returns how a dependency on it is written.
fn known(entries: &mut Vec<Entry>, root: &mut Entry, name: &str) -> Option<String> {
    let (name, version, checksum) = KNOWN.iter().find(|it| it.0 == name)?;
    let others: Vec<String> = entries
        .iter()
        .filter(|it| it.name == *name && it.version != *version)
        .map(|it| it.version.clone())
        .collect();
    if !entries.iter().any(|it| it.name == *name && it.version == *version) {
        let (source, checksum) = (Some(REGISTRY.to_owned()), Some((*checksum).to_owned()));
        entries.push(Entry { source, checksum, ..entry(name, version) });
        if let [other] = &others[..] {
            // So far one version was meant by the name alone.
            for entry in entries.iter_mut().chain([root]) {
                if entry.dependencies.remove(*name) {
                    entry.dependencies.insert(format!("{name} {other}"));
                }
            }
        }
    }
    Some(if others.is_empty() { (*name).to_owned() } else { format!("{name} {version}") })
}

fn entry(name: &str, version: &str) -> Entry {
    Entry {
        name: name.into(),
        version: version.into(),
        source: None,
        checksum: None,
        dependencies: BTreeSet::new(),
    }
}

/// Whether a dependency as it is written, `name` or `name version`, is of this name.
fn is_of(dependency: &str, name: &str) -> bool {
    dependency.split(' ').next() == Some(name)
}

/// Name, version and names of the dependencies.
fn manifest(text: &str) -> Option<(String, String, Vec<String>)> {
    let table: Table = toml::from_str(text).ok()?;
    let package = table.get("package")?.as_table()?;
    let field = |key: &str| Some(package.get(key)?.as_str()?.to_owned());
    let none = Table::default();
    let dependencies = table.get("dependencies").and_then(Value::as_table).unwrap_or(&none);
    let name = |(key, value): (&String, &Value)| {
        value.get("package").and_then(Value::as_str).unwrap_or(key).to_owned()
    };
    Some((field("name")?, field("version")?, dependencies.iter().map(name).collect()))
}

fn read(lock: &str) -> Option<Vec<Entry>> {
    let table: Table = toml::from_str(lock).ok()?;
    let one = |value: &Value| {
        let field = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let dependencies = value.get("dependencies").and_then(Value::as_array);
        let words = dependencies.into_iter().flatten();
        Some(Entry {
            name: field("name")?,
            version: field("version")?,
            source: field("source"),
            checksum: field("checksum"),
            dependencies: words.map(|it| it.as_str().map(str::to_owned)).collect::<Option<_>>()?,
        })
    };
    match table.get("package") {
        Some(packages) => packages.as_array()?.iter().map(one).collect(),
        None => Some(Vec::new()),
    }
}

/// Writes the lock as cargo does, so that cargo leaves it as it is.
fn write(entries: &[Entry]) -> String {
    let mut out = String::from(
        "# This file is automatically @generated by Cargo.\n# It is not intended for manual \
         editing.\nversion = 4\n",
    );
    for entry in entries {
        out.push_str("\n[[package]]\n");
        let fields = [
            ("name", Some(&entry.name)),
            ("version", Some(&entry.version)),
            ("source", entry.source.as_ref()),
            ("checksum", entry.checksum.as_ref()),
        ];
        for (key, value) in fields {
            out.extend(value.map(|it| format!("{key} = \"{it}\"\n")));
        }
        if !entry.dependencies.is_empty() {
            let list: Vec<String> =
                entry.dependencies.iter().map(|it| format!(" \"{it}\",\n")).collect();
            out.push_str(&format!("dependencies = [\n{}]\n", list.concat()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGE: &str = "[package]\nname = \"book\"\nversion = \"0.1.0\"\n[dependencies]\n\
        nalgebra = \"0.35\"\nreckoner-prelude = { path = \"prelude\" }\n";
    const BARE: &str = "[package]\nname = \"book\"\nversion = \"0.1.0\"\n[dependencies]\n\
        reckoner-prelude = { path = \"prelude\" }\n";
    const PRELUDE: &str = "[package]\nname = \"reckoner-prelude\"\nversion = \"0.1.0\"\n\
        [dependencies]\nlibm = \"=0.2.16\"\nnalgebra = { version = \"0.35\", optional = true }\n";
    const PLAIN: &str = "[package]\nname = \"reckoner-prelude\"\nversion = \"0.1.0\"\n";

    fn lock(libm: &str) -> String {
        let root =
            "[[package]]\nname = \"book\"\nversion = \"0.1.0\"\ndependencies = [\"nalgebra\"]\n";
        let other = format!(
            "[[package]]\nname = \"nalgebra\"\nversion = \"0.35.1\"\nsource = \"r\"\ndependencies = [{libm}]\n"
        );
        format!("version = 4\n{root}{other}")
    }

    #[test]
    fn the_prelude_is_added_with_what_it_needs() {
        let made = completed(Some(&lock("")), PACKAGE, PRELUDE).unwrap();
        let entries = read(&made).unwrap();
        let names: Vec<_> = entries.iter().map(|it| &it.name[..]).collect();
        assert_eq!(names, ["book", "libm", "nalgebra", "reckoner-prelude"]);
        let needs =
            |at: usize| entries[at].dependencies.iter().map(|it| &it[..]).collect::<Vec<_>>();
        assert_eq!(needs(0), ["nalgebra", "reckoner-prelude"]);
        assert_eq!(needs(3), ["libm", "nalgebra"]);
        assert_eq!(completed(Some(&made), PACKAGE, PRELUDE), Some(made));
    }

    #[test]
    fn two_versions_of_a_name_are_told_apart() {
        let other = "[[package]]\nname = \"libm\"\nversion = \"0.1.4\"\nsource = \"r\"\n";
        let lock = lock("\"libm\"") + other;
        let entries = read(&completed(Some(&lock), PACKAGE, PRELUDE).unwrap()).unwrap();
        let needs = |name: &str| {
            let entry = entries.iter().find(|it| it.name == name).unwrap();
            entry.dependencies.iter().cloned().collect::<Vec<_>>().join(", ")
        };
        assert_eq!(needs("nalgebra"), "libm 0.1.4");
        assert_eq!(needs("reckoner-prelude"), "libm 0.2.16, nalgebra");
    }

    #[test]
    fn nothing_is_made_up() {
        assert_eq!(completed(None, PACKAGE, PLAIN), None, "nobody chose a version of nalgebra");
        assert_eq!(completed(Some("version = 4\n"), PACKAGE, PLAIN), None);
        let bare = completed(None, BARE, PLAIN).unwrap();
        assert_eq!(bare.matches("[[package]]").count(), 2, "{bare}");
    }
}
