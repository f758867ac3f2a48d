//! What cargo prints with `--message-format=json` to faults and executables.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{End, Fault, Package, Spot};

/// Stands where the compiler has the number of an error, in the message of whoever halted it.
const HALTED: &str = "reckoner-halted";

/// Tells that the compiler was halted, in one line that cargo takes for a message of the compiler.
pub fn halted(end: End) -> String {
    let end = serde_json::to_string(&end).expect("an end is words and numbers");
    serde_json::json!({
        "$message_type": "diagnostic",
        "message": end,
        "code": { "code": HALTED, "explanation": null },
        "level": "error",
        "spans": [],
        "children": [],
        "rendered": "error: the compiler was halted\n",
    })
    .to_string()
}

/// What cargo says that it made, and what it could not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Artifacts {
    /// Executables: name of the binary → path.
    pub executables: BTreeMap<String, String>,
    /// Errors of the compiler, in its order, without repeats.
    pub faults: Vec<Fault>,
    /// Crates whose compilation was halted, and why.
    pub halted: BTreeMap<String, End>,
    /// Whole text of errors for whoever cannot place them.
    pub rendered: String,
}

#[derive(Deserialize)]
struct Line {
    reason: String,
    message: Option<Message>,
    target: Option<Target>,
    executable: Option<String>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Message {
    message: String,
    level: String,
    code: Option<ErrorCode>,
    #[serde(default)]
    spans: Vec<MessageSpan>,
    #[serde(default)]
    children: Vec<Message>,
    rendered: Option<String>,
}

#[derive(Deserialize)]
struct ErrorCode {
    code: String,
}

#[derive(Deserialize)]
struct MessageSpan {
    file_name: String,
    line_start: u32,
    line_end: u32,
    column_start: u32,
    column_end: u32,
    is_primary: bool,
    label: Option<String>,
    suggested_replacement: Option<String>,
    expansion: Option<Expansion>,
}

#[derive(Deserialize)]
struct Expansion {
    span: Box<MessageSpan>,
}

/// Reads cargo's messages. A line that is none is passed over, as cargo's users are told to do.
pub fn artifacts(stdout: &str, package: &Package) -> Artifacts {
    let mut out = Artifacts::default();
    for line in stdout.lines().filter(|it| it.starts_with('{')) {
        let Ok(line) = serde_json::from_str::<Line>(line) else { continue };
        let name = line.target.map(|it| it.name).unwrap_or_default();
        if let Some(path) = line.executable {
            out.executables.insert(name.clone(), path);
        }
        let Some(message) = line.message.filter(|_| line.reason == "compiler-message") else {
            continue;
        };
        if message.code.as_ref().is_some_and(|it| it.code == HALTED) {
            out.halted.extend(serde_json::from_str(&message.message).ok().map(|it| (name, it)));
            continue;
        }
        let is_fault = message.level.starts_with("error");
        let is_sum = message.spans.is_empty() && message.message.starts_with("aborting due to");
        if is_fault && !is_sum {
            out.rendered.push_str(message.rendered.as_deref().unwrap_or(&message.message));
            let fault = fault(message, package);
            if !out.faults.contains(&fault) {
                out.faults.push(fault);
            }
        }
    }
    out
}

fn fault(message: Message, package: &Package) -> Fault {
    let notes = message.children.iter().map(note).collect();
    let (primary, other): (Vec<_>, Vec<_>) =
        message.spans.into_iter().partition(|it| it.is_primary);
    let mut spots: Vec<Spot> = Vec::new();
    for span in primary.into_iter().chain(other) {
        let spot = spot(span, package);
        if !spots.contains(&spot) {
            spots.push(spot);
        }
    }
    Fault { message: message.message, code: message.code.map(|it| it.code), spots, notes }
}

/// A note or a way out, with the code that it proposes.
fn note(child: &Message) -> String {
    let proposed: Vec<&str> = child
        .spans
        .iter()
        .filter_map(|it| it.suggested_replacement.as_deref())
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .collect();
    let level = if child.level == "help" { "" } else { "note: " };
    if proposed.is_empty() {
        return format!("{level}{}", child.message);
    }
    format!("{level}{}: `{}`", child.message, proposed.join("` … `"))
}

/// A place, or where the author called the macro that the place is in.
fn spot(mut span: MessageSpan, package: &Package) -> Spot {
    let label = span.label.take().unwrap_or_default();
    while !package.units.iter().any(|it| it.path == span.file_name) {
        match span.expansion {
            Some(outer) => span = *outer.span,
            None => break,
        }
    }
    Spot {
        path: span.file_name,
        start: (span.line_start, span.column_start),
        end: (span.line_end, span.column_end),
        label,
    }
}
