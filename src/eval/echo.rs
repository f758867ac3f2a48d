//! Programs to results without a compiler, for tests of all that comes after.

use super::{End, Package, Role, Run, Runner, Runs, Unavailable, Unit};

/// Runs nothing: it reads the lines `show!("key", literal);` of each program and says what they
/// would print; so it does with `table!("key", record);` and `plot!("key", record);`, where the
/// record is JSON as the prelude writes it. A line `panic!("words");` panics; a line `// ends:` ends
/// it in the way that it names, as JSON, and `// halts:` the compiler. Every other line is passed
/// over.
#[derive(Clone, Copy, Debug, Default)]
pub struct Echo;

impl Runner for Echo {
    fn run(&mut self, package: &Package) -> Result<Runs, Unavailable> {
        let mut out = Runs::default();
        for unit in package.units.iter().filter(|it| it.flaw.is_none()) {
            let broken = |name: &&String| package.unit(name).is_some_and(|it| it.flaw.is_some());
            let run = match (unit.needs.iter().find(broken), &unit.role) {
                (Some(library), _) => Run::Blocked(library.clone()),
                (None, Role::Library { .. }) => Run::Compiled,
                (None, Role::Program { .. }) => echo(unit),
            };
            out.runs.insert(unit.name.clone(), run);
        }
        Ok(out)
    }
}

fn echo(unit: &Unit) -> Run {
    let mut stdout = String::new();
    let file = &unit.path;
    for (index, line) in unit.text.lines().enumerate() {
        let number = index + 1;
        let code = line.trim();
        if let Some(words) = inside(code, "panic!(") {
            let column = line.len() - line.trim_start().len() + 1;
            let frame = format!("{{\"file\":{file:?},\"line\":{number},\"column\":{column}}}");
            stdout.push_str(&format!(
                "\u{1}{{\"kind\":\"panic\",\"message\":{words},\"frames\":[{frame}]}}\n"
            ));
            return ran(101, stdout);
        }
        if let Some(end) = code.strip_prefix("// ends: ").and_then(end) {
            return Run::Ran { end, stdout, stderr: String::new() };
        }
        if let Some(end) = code.strip_prefix("// halts: ").and_then(end) {
            return Run::Halted(end);
        }
        let kinds = ["show", "table", "plot"];
        let called = kinds.map(|kind| Some((kind, inside(code, &format!("{kind}!("))?)));
        let Some((kind, inside)) = called.into_iter().flatten().next() else { continue };
        let Some((key, value)) = inside.split_once(',') else { continue };
        let value = if kind == "show" { json(value.trim()) } else { value.trim().to_owned() };
        stdout.push_str(&format!(
            "\u{1}{{\"kind\":\"{kind}\",\"key\":{key},\"file\":{file:?},\"line\":{number},\"value\":{value}}}\n"
        ));
    }
    stdout.push_str("\u{1}{\"kind\":\"end\"}\n");
    ran(0, stdout)
}

fn end(json: &str) -> Option<End> {
    serde_json::from_str(json).ok()
}

fn ran(code: i32, stdout: String) -> Run {
    Run::Ran { end: End::Code(code), stdout, stderr: String::new() }
}

fn inside<'a>(code: &'a str, call: &str) -> Option<&'a str> {
    code.strip_prefix(call)?.strip_suffix(");")
}

/// A literal of Rust as the prelude writes it.
fn json(literal: &str) -> String {
    let list = literal.trim_start_matches("vec!");
    let mut out = String::new();
    let mut word = String::new();
    let mut quoted = false;
    for c in list.chars() {
        let ends = !quoted && (matches!(c, '[' | ']' | ',') || c.is_whitespace());
        if ends {
            out.push_str(&scalar(&std::mem::take(&mut word)));
            out.push(c);
            continue;
        }
        quoted ^= c == '"';
        word.push(c);
    }
    out.push_str(&scalar(&word));
    out
}

fn scalar(word: &str) -> String {
    let is_number = word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    if word.starts_with('"') {
        format!("{{\"text\":{word}}}")
    } else if is_number && word.contains(['.', 'e']) {
        format!("\"{word}\"")
    } else {
        word.to_owned()
    }
}
