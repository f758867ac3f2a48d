//! Outputs to `outputs.lock`, and back.
//!
//! The file holds what every program showed, at full precision, with the key of the program. Whoever
//! has it can build the book without running anything, or run everything and compare.

use std::collections::{BTreeMap, BTreeSet};

use super::{Output, Outputs, Package, Role, Runs, Unit, codes, drift, outputs, uses};
use crate::diag::{Checked, Code, Diagnostic};
use crate::ir::Document;
use crate::source::{FileId, Place, Source, Span};

mod read;
mod write;

use read::{Entry, read};

/// The name of the file in the book folder.
pub const LOCK: &str = "outputs.lock";

/// The version of the form of the file.
const VERSION: u32 = 1;

/// What anybody does about a lock that is not as it should be.
const HELP: &str = "run `reckoner build` and commit `outputs.lock`";

/// The text of the file.
pub fn lock(package: &Package, outputs: &Outputs) -> String {
    let entries = programs(package).filter_map(|it| Some((it, outputs.get(&it.name)?)));
    write::text(entries.map(|(unit, output)| (&unit.name[..], &unit.key[..], &output.shown[..])))
}

/// The outputs that the file holds. What it holds of another book than this is an error.
pub fn frozen(
    package: &Package,
    lock: Option<&Source>,
    documents: &[&Document],
) -> Checked<Outputs> {
    let mut diagnostics = Vec::new();
    let mut entries = entries(package, lock, &mut diagnostics);
    let mut value = Outputs::new();
    for unit in programs(package) {
        let output = match (&unit.flaw, entries.remove(&unit.name[..])) {
            (Some(flaw), _) => Output::failed(format!("it does not compile: {flaw}")),
            (None, Some(entry)) => Output { shown: entry.shown, failure: None },
            (None, None) => Output::failed("the lock does not have its outputs".into()),
        };
        value.insert(unit.name.clone(), output);
    }
    for document in documents {
        uses::check(document, &value, &mut diagnostics);
    }
    Checked { value, diagnostics }
}

/// Compares outputs that were just computed with those of the file. Where they agree within
/// `tolerance`, those of the file are taken, so that a book looks the same on every machine.
pub fn compared(
    package: &Package,
    runs: &Runs,
    outputs: Outputs,
    lock: Option<&Source>,
    tolerance: f64,
) -> Checked<Outputs> {
    let mut diagnostics = Vec::new();
    let mut value = outputs;
    let mut entries = entries(package, lock, &mut diagnostics);
    for unit in programs(package) {
        let Some(entry) = entries.remove(&unit.name[..]) else { continue };
        let Some(output) = value.get_mut(&unit.name).filter(|it| it.failure.is_none()) else {
            continue;
        };
        let found = differences(&unit.name, &entry, output, tolerance);
        if found.is_empty() {
            output.shown = entry.shown;
        }
        for (key, message) in found {
            let run = runs.runs.get(&unit.name);
            let place = run.and_then(|it| outputs::shown_at(package, unit, it, &key));
            let place = place.unwrap_or_else(|| unit.label());
            diagnostics.push(
                Diagnostic::error(codes::LOCK_DRIFT, place, message)
                    .help(format!("if the new value is right, {HELP}")),
            );
        }
    }
    Checked { value, diagnostics }
}

/// For each output that differs its key and how it differs.
fn differences(id: &str, entry: &Entry, output: &Output, tolerance: f64) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let now: BTreeMap<&str, _> = output.shown.iter().map(|it| (&it.key[..], &it.value)).collect();
    let before: BTreeSet<&str> = entry.shown.iter().map(|it| &it.key[..]).collect();
    for shown in &entry.shown {
        let key = &shown.key;
        let Some(value) = now.get(&key[..]) else {
            found
                .push((key.clone(), format!("`{id}` no longer shows `{key}`, which the lock has")));
            continue;
        };
        let Some(drift) = drift::between(&shown.value, value, tolerance) else { continue };
        let drift::Drift { path, before, after, more } = drift;
        let more = if more == 0 { String::new() } else { format!(", and {more} more differ") };
        let message = format!("`{id}.{key}{path}` is {after}, and the lock has {before}{more}");
        found.push((key.clone(), message));
    }
    for shown in output.shown.iter().filter(|it| !before.contains(&it.key[..])) {
        let message = format!("`{id}` shows `{}`, which the lock does not have", shown.key);
        found.push((shown.key.clone(), message));
    }
    found
}

/// The entries of the file that are of the programs as they are now. All others are errors.
fn entries(
    package: &Package,
    lock: Option<&Source>,
    out: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Entry> {
    let units: BTreeMap<&str, &Unit> = programs(package).map(|it| (&it.name[..], it)).collect();
    let Some(source) = lock else {
        if !units.is_empty() {
            let place = Place { file: FileId::new(LOCK), span: Span::NONE };
            out.push(outdated(codes::LOCK_FILE, place, "the book has no `outputs.lock`".into()));
        }
        return BTreeMap::new();
    };
    let Some(read) = read(source, out) else { return BTreeMap::new() };
    for unit in units.values().filter(|it| it.flaw.is_none()) {
        let id = &unit.name;
        let message = match read.get(id) {
            Some(entry) if entry.key == unit.key => continue,
            Some(_) => format!("`outputs.lock` is out of date: `{id}` was changed since"),
            None => format!("`outputs.lock` is out of date: it does not have `{id}`"),
        };
        out.push(outdated(codes::LOCK_OUTDATED, unit.label(), message));
    }
    let mut kept = BTreeMap::new();
    for (id, entry) in read {
        match units.get(&id[..]) {
            Some(unit) if unit.key == entry.key => drop(kept.insert(id, entry)),
            Some(_) => {}
            None => {
                let message = format!("`outputs.lock` is out of date: the book has no `{id}`");
                out.push(outdated(codes::LOCK_OUTDATED, source.place(entry.place), message));
            }
        }
    }
    kept
}

fn outdated(code: Code, place: Place, message: String) -> Diagnostic {
    Diagnostic::error(code, place, message).help(HELP)
}

fn programs(package: &Package) -> impl Iterator<Item = &Unit> {
    package.units.iter().filter(|it| match it.role {
        Role::Program { .. } => true,
        Role::Library { .. } => false,
    })
}
