//! The book's dependencies to warnings: crates whose results depend on the machine.

use std::collections::{BTreeMap, BTreeSet};

use toml::de::DeTable;
use toml::{Table, Value};

use super::codes;
use crate::diag::Diagnostic;
use crate::source::{Source, Span};

/// Crates whose results depend on the machine, sorted, each with the reason.
const KNOWN: &[(&str, &str)] = &[
    ("accelerate-src", LIBRARY),
    ("blas-src", LIBRARY),
    ("cblas-sys", LIBRARY),
    ("gemm", KERNELS),
    ("intel-mkl-src", LIBRARY),
    ("lapack-src", LIBRARY),
    ("lapack-sys", LIBRARY),
    ("matrixmultiply", KERNELS),
    ("multiversion", KERNELS),
    ("netlib-src", LIBRARY),
    ("openblas-src", LIBRARY),
    ("pulp", KERNELS),
    ("rayon", THREADS),
    ("torch-sys", LIBRARY),
];

const KERNELS: &str = "its kernels are chosen by the processor and round differently";
const LIBRARY: &str = "it calls a library of the system";
const THREADS: &str = "it adds numbers in the order in which threads end";

/// Warns of each dependency in `Cargo.toml` that brings such a crate, as `Cargo.lock` says.
pub(super) fn check(manifest: Option<&Source>, lock: Option<&Source>, out: &mut Vec<Diagnostic>) {
    let (Some(manifest), Some(lock)) = (manifest, lock) else { return };
    // A manifest that is not TOML is told elsewhere, a lock that is not is cargo's to tell.
    let Ok(table) = DeTable::parse(&manifest.text) else { return };
    let Ok(lock) = toml::from_str(&lock.text) else { return };
    let needs = needs(&lock);
    let Some(dependencies) = table.get_ref().get("dependencies") else { return };
    for (name, value) in dependencies.get_ref().as_table().into_iter().flatten() {
        let renamed = value.get_ref().get("package").and_then(|it| it.get_ref().as_str());
        let package = renamed.unwrap_or(name.get_ref());
        let brought = brought_by(package, &needs);
        for (culprit, why) in KNOWN.iter().filter(|it| brought.contains(it.0)) {
            let through = format!(", which `{package}` uses");
            let through = if *culprit == package { "" } else { &through };
            let message =
                format!("values may depend on the machine by `{culprit}`{through}: {why}");
            let place = manifest.place(Span::from(name.span()));
            out.push(Diagnostic::warning(codes::MACHINE, place, message).help(help(package)));
        }
    }
}

fn help(package: &str) -> &'static str {
    match package {
        "nalgebra" => {
            "take it without `std`: `default-features = false, features = [\"alloc\", \"libm\", \
             \"macros\"]`, and let cargo make `Cargo.lock` anew"
        }
        _ => "use another crate, or show only what does not depend on its last digits",
    }
}

/// For each package of the lock the names of those that it uses.
fn needs(lock: &Table) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut out: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in lock.get("package").and_then(Value::as_array).into_iter().flatten() {
        let Some(name) = package.get("name").and_then(Value::as_str) else { continue };
        // `name`, or `name version` where there are several.
        let used = package.get("dependencies").and_then(Value::as_array).into_iter().flatten();
        let names = used.filter_map(Value::as_str).map(|it| it.split(' ').next().unwrap_or(it));
        out.entry(name).or_default().extend(names);
    }
    out
}

/// `package` and all that it uses, directly or not.
fn brought_by<'a>(
    package: &'a str,
    needs: &BTreeMap<&'a str, BTreeSet<&'a str>>,
) -> BTreeSet<&'a str> {
    let mut out = BTreeSet::new();
    let mut open = vec![package];
    while let Some(name) = open.pop() {
        if needs.contains_key(name) && out.insert(name) {
            open.extend(&needs[name]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(KNOWN.is_sorted_by(|a, b| a.0 < b.0));
    }
}
