//! What became of the programs to outputs, and to messages at the lines of the Markdown.

use std::collections::BTreeMap;

use super::record::{At, Records, records};
use super::{
    End, Fault, Output, Outputs, Package, Role, Run, Runs, Shown, Spot, Unit, codes, endings, uses,
};
use crate::diag::{Checked, Code, Diagnostic};
use crate::ir::Document;
use crate::source::Place;

/// Turns what became of the programs into the outputs of all snippets, and checks every use of a
/// computed value in `documents`.
pub fn outputs(package: &Package, runs: &Runs, documents: &[&Document]) -> Checked<Outputs> {
    let mut diagnostics = Vec::new();
    let mut value = Outputs::new();
    for unit in &package.units {
        let run = runs.runs.get(&unit.name);
        let output = one(package, unit, run, &mut diagnostics);
        match unit.role {
            Role::Program { .. } => drop(value.insert(unit.name.clone(), output)),
            Role::Library { .. } => {}
        }
    }
    for document in documents {
        uses::check(document, &value, &mut diagnostics);
    }
    Checked { value, diagnostics }
}

/// Whether a panic of a program can be told at a place of the book. Inside of a library, it takes
/// a program that knows its lines.
pub fn is_placed(package: &Package, unit: &Unit, run: &Run) -> bool {
    let Run::Ran { stdout, .. } = run else { return true };
    let own = |at: &At| package.units.iter().any(|it| it.path == at.file);
    let panic = records(stdout).panic.filter(|_| !unit.is_to_panic());
    panic.is_none_or(|it| it.1.iter().any(own))
}

fn one(package: &Package, unit: &Unit, run: Option<&Run>, out: &mut Vec<Diagnostic>) -> Output {
    let failed = |why: String| Output { shown: Vec::new(), failure: Some(why) };
    if let Some(flaw) = &unit.flaw {
        return failed(format!("it does not compile: {flaw}"));
    }
    match run {
        None => failed("it did not run".into()),
        Some(Run::Compiled) => Output::default(),
        Some(Run::Blocked(library)) => {
            failed(format!("it needs `{library}`, which does not compile"))
        }
        Some(Run::Refused(faults)) => {
            out.extend(faults.iter().map(|it| refused(package, unit, it)));
            let first = faults.first().map_or("", |it| &it.message);
            failed(format!("it does not compile: {first}"))
        }
        Some(Run::Halted(end)) => {
            let ending = endings::of_compiler(*end);
            let help = ending.help;
            out.push(Diagnostic::error(ending.code, unit.label(), &ending.message).help(help));
            failed(ending.message)
        }
        Some(Run::Ran { end, stdout, stderr }) => {
            let records = records(stdout);
            let ran = Ran { package, unit, end: *end, records: &records, stderr };
            let failure = ran.failure(out);
            Output { shown: ran.shown(out), failure }
        }
    }
}

/// A fault of the compiler, told at its place in the chapter.
fn refused(package: &Package, unit: &Unit, fault: &Fault) -> Diagnostic {
    let mut spots = fault.spots.iter();
    let at = |spot: &Spot| package.place(spot);
    let first = spots.by_ref().find_map(|it| Some((at(it)?, it)));
    let (place, label) = match first {
        Some((place, spot)) => (place, &spot.label[..]),
        None => (unit.label(), ""),
    };
    let mut message = fault.message.clone();
    if !label.is_empty() && !message.contains(label) {
        message = format!("{message}: {label}");
    }
    if let Some(code) = &fault.code {
        message = format!("{message} [{code}]");
    }
    let mut out = Diagnostic::error(codes::COMPILE, place.clone(), message);
    for spot in spots {
        match at(spot) {
            Some(other) if other != place && !spot.label.is_empty() => {
                out.related.push((other, spot.label.clone()));
            }
            Some(_) | None => {}
        }
    }
    match &fault.notes[..] {
        [] => out,
        notes => out.help(notes.join("\n")),
    }
}

/// A program that ran.
struct Ran<'a> {
    package: &'a Package,
    unit: &'a Unit,
    end: End,
    records: &'a Records,
    stderr: &'a str,
}

impl Ran<'_> {
    /// Why it failed, if it did; also told to the author.
    fn failure(&self, out: &mut Vec<Diagnostic>) -> Option<String> {
        let (code, place, message, help) = self.judged()?;
        let mut diagnostic = Diagnostic::error(code, place, message.clone());
        diagnostic.help = help;
        out.push(diagnostic);
        Some(message)
    }

    fn judged(&self) -> Option<(Code, Place, String, Option<String>)> {
        let label = self.unit.label();
        match self.end {
            End::Code(0) if self.unit.is_to_panic() => Some((
                codes::NO_PANIC,
                label,
                "the snippet should panic, but it came to its end".into(),
                Some("take `should_panic` away, or make it fail as the text says".into()),
            )),
            End::Code(_) if self.unit.is_to_panic() && self.has_failed() => None,
            End::Code(0) if self.records.ended => None,
            End::Code(code) => Some(self.ended_badly(code)),
            End::Signal(_)
            | End::TimeLimit(_)
            | End::OutputLimit(_)
            | End::ProcessorLimit(_)
            | End::MemoryLimit { .. }
            | End::StackLimit(_)
            | End::ThreadLimit(_)
            | End::FileLimit(_) => {
                let ending = endings::of_program(self.end, self.stderr);
                let help = format!("{}; {}", self.progress(), ending.help);
                Some((ending.code, self.last(), ending.message, Some(help)))
            }
        }
    }

    fn has_failed(&self) -> bool {
        self.records.panic.is_some() || self.records.error.is_some()
    }

    fn ended_badly(&self, code: i32) -> (Code, Place, String, Option<String>) {
        if let Some(error) = &self.records.error {
            if endings::is_denied(error) {
                let message = format!("the snippet was not permitted what it tried: {error}");
                return (codes::DENIED, self.last(), message, Some(endings::PERMITTED.into()));
            }
            let message = format!("the snippet returned an error: {error}");
            let help = "a `?` in it met this error; see `reckoner explain eval-error`";
            return (codes::ERROR, self.last(), message, Some(help.into()));
        }
        if let Some((message, frames)) = self.records.panic.as_ref().filter(|_| code != 0) {
            let (place, help) = self.panicked(frames);
            if endings::is_denied(message) {
                let message = format!("the snippet was not permitted what it tried: {message}");
                return (codes::DENIED, place, message, Some(endings::PERMITTED.into()));
            }
            let help = help.or_else(|| endings::of_panic(message).map(str::to_owned));
            let message = format!("the snippet panicked: {message}");
            return (codes::PANIC, place, message, help);
        }
        let message = format!("the snippet ended with exit code {code} before its last line");
        let help = "a snippet ends by reaching its end, not by `std::process::exit`";
        (codes::EXIT, self.last(), message, Some(help.into()))
    }

    /// The innermost place of a panic that is in the book. Optimization may lose it; then how far
    /// the snippet came, and a word on where the panic is.
    fn panicked(&self, frames: &[At]) -> (Place, Option<String>) {
        let own = |at: &At| {
            let unit = self.package.units.iter().find(|it| it.path == at.file)?;
            Some(unit.expression((at.line, at.column)))
        };
        if let Some(place) = frames.iter().find_map(own) {
            return (place, None);
        }
        let file = frames.first().map_or("", |it| &it.file);
        let crate_path = file.rsplit_once("/src/").map_or(file, |it| it.0);
        let name = crate_path.rsplit('/').next().unwrap_or_default();
        (self.last(), Some(format!("the panic is inside of `{name}`; {}", self.progress())))
    }

    /// The last place that it is known to have reached.
    fn last(&self) -> Place {
        let reached = self.records.shown.last().and_then(|(_, _, at)| self.line(at));
        reached.unwrap_or_else(|| self.unit.label())
    }

    fn progress(&self) -> String {
        match self.records.shown.last() {
            Some((key, _, _)) => format!("it ended after `{key}` was shown"),
            None => "it ended before anything was shown".into(),
        }
    }

    fn line(&self, at: &At) -> Option<Place> {
        let unit = self.package.units.iter().find(|it| it.path == at.file)?;
        Some(unit.place((at.line, 1), (at.line, u32::MAX)))
    }

    /// The values, each under a key of its own.
    fn shown(&self, out: &mut Vec<Diagnostic>) -> Vec<Shown> {
        let mut first: BTreeMap<&str, Place> = BTreeMap::new();
        let mut shown = Vec::new();
        for (key, value, at) in &self.records.shown {
            let place = self.line(at).unwrap_or_else(|| self.unit.label());
            if let Some(before) = first.get(&key[..]) {
                let message = format!("key `{key}` is shown a second time");
                out.push(
                    Diagnostic::error(codes::DUPLICATE_KEY, place, message)
                        .help("give each output a key of its own; the first one is kept")
                        .related(before.clone(), "first shown here"),
                );
                continue;
            }
            if key.is_empty() || key.contains(|c: char| c.is_whitespace() || "[]:{}`".contains(c)) {
                let message = format!("`{key}` cannot be the key of an output");
                let help = "a key has no spaces and none of `[ ] : { }` and backticks, so that \
                            the text can name it";
                out.push(Diagnostic::error(codes::KEY, place.clone(), message).help(help));
            }
            first.insert(key, place);
            shown.push(Shown { key: key.clone(), value: value.clone() });
        }
        self.strays(out);
        shown
    }

    /// What was printed but cannot be shown.
    fn strays(&self, out: &mut Vec<Diagnostic>) {
        let stopped = match self.end {
            End::OutputLimit(_)
            | End::TimeLimit(_)
            | End::ProcessorLimit(_)
            | End::MemoryLimit { .. }
            | End::StackLimit(_)
            | End::ThreadLimit(_)
            | End::FileLimit(_) => true,
            End::Code(_) | End::Signal(_) => false,
        };
        if !self.records.stray.is_empty() && !stopped {
            let message = "text that is printed is not shown in the book";
            let help = "use `show!(\"key\", value)` instead of `println!`";
            out.push(Diagnostic::warning(codes::STRAY, self.unit.label(), message).help(help));
        }
        if self.records.broken > 0 && !stopped {
            let message = format!("{} outputs cannot be read", self.records.broken);
            let help = "lists nest at most 100 levels deep";
            out.push(Diagnostic::error(codes::KEY, self.unit.label(), message).help(help));
        }
    }
}
