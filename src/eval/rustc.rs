//! What the compiler prints with `--error-format=json` to faults.

use serde::Deserialize;

use super::{End, Fault, Package, Spot};

/// Stands where the compiler has the number of an error, in the message of whoever halted it.
const HALTED: &str = "reckoner-halted";

/// Tells that the compiler was halted, in one line like those of the compiler, so that it comes
/// through whatever is between us.
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

/// What the compiler says when it cannot compile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Its errors, in its order, without repeats.
    pub faults: Vec<Fault>,
    /// Why it was halted, if it was.
    pub halted: Option<End>,
    /// Whole text of errors, and all else that it said, for whoever cannot place them.
    pub rendered: String,
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

/// Reads the compiler's messages from its standard error.
pub fn told(stderr: &str, package: &Package) -> Told {
    let mut out = Told::default();
    for line in stderr.lines() {
        let Ok(message) = serde_json::from_str::<Message>(line) else {
            // It stumbled, or a wrapper of it has something to say.
            out.rendered.push_str(line);
            out.rendered.push('\n');
            continue;
        };
        if message.code.as_ref().is_some_and(|it| it.code == HALTED) {
            out.halted = serde_json::from_str(&message.message).ok();
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
        for spot in trace(span, package) {
            if !spots.contains(&spot) {
                spots.push(spot);
            }
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

/// A place, or where the author called the macro that the place is in; in a macro of the author's
/// own, both.
fn trace(mut span: MessageSpan, package: &Package) -> Vec<Spot> {
    let is_own = |path: &str| package.units.iter().any(|it| it.path == path);
    let mut label = span.label.take().unwrap_or_default();
    let mut out = Vec::new();
    loop {
        let outer = span.expansion.take();
        if is_own(&span.file_name) || outer.is_none() && out.is_empty() {
            out.push(Spot {
                path: span.file_name,
                start: (span.line_start, span.column_start),
                end: (span.line_end, span.column_end),
                label: std::mem::replace(&mut label, "the macro is called here".into()),
            });
        }
        match outer {
            Some(outer) => span = *outer.span,
            None => return out,
        }
    }
}
