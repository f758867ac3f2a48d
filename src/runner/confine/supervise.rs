//! One compilation to its end, within limits.
//!
//! We are called where the compiler would be. We start the compiler confined, pass on what it says,
//! end it at its limits, and tell of that in the compiler's own form, so that it comes through
//! whatever is between us and who wants to know.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use wait_timeout::ChildExt;

use super::{COMPILE, Confinement, ENTER, command};
use crate::eval::{End, halted};
use crate::runner::process::{DRAIN, end_group, ended};

/// What of the environment reaches the compiler, by the start of the name: a snippet may look at
/// it with `env!`, so there must be nothing of the author's in it.
const KEPT: &[&str] = &[
    "CARGO",
    "DEVELOPER_DIR",
    "LANG",
    "LD_LIBRARY_PATH",
    "MACOSX_",
    "OUT_DIR",
    "PATH",
    "RUSTC",
    "SDKROOT",
];

/// How much of the last words of the compiler is looked at.
const LAST: usize = 20;

/// Compiles. Errors are those of our surroundings.
pub(super) fn compile(
    mut confinement: Confinement,
    arguments: impl Iterator<Item = OsString>,
) -> Result<ExitCode, String> {
    confinement.parent = std::process::id();
    let arguments: Vec<OsString> = arguments.collect();
    confinement.write.extend(output(&arguments));
    let seconds = confinement.bounds.seconds;
    let mut child = start(&confinement, arguments).map_err(|it| format!("cannot start: {it}"))?;
    let words = child.stderr.take().map(pass_on);
    let wait = |it: std::io::Error| format!("cannot wait: {it}");
    let status = child.wait_timeout(Duration::from_secs(seconds)).map_err(wait)?;
    end_group(&child);
    let end = match status {
        Some(status) => (status, judged(status, &confinement, words)),
        None => {
            child.kill().map_err(wait)?;
            (child.wait().map_err(wait)?, Some(End::TimeLimit(seconds)))
        }
    };
    let (status, halt) = end;
    if let Some(end) = halt {
        let _ = writeln!(std::io::stderr(), "{}", halted(end));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)))
}

/// The folder of the file that the compiler is to make. A cache of compilations has one of its own
/// for the list of what a crate is made of.
fn output(arguments: &[OsString]) -> Option<PathBuf> {
    let at = arguments.iter().position(|it| it == "-o")?;
    Path::new(arguments.get(at + 1)?).parent().map(Path::to_owned)
}

fn start(confinement: &Confinement, arguments: Vec<OsString>) -> std::io::Result<Child> {
    let text = serde_json::to_string(confinement)?;
    let mut command = command(&std::env::current_exe()?);
    // First of what it may start is the compiler.
    command.arg(ENTER).arg(text).args(confinement.start.first()).args(arguments);
    let is_kept = |name: &OsStr| {
        let name = name.to_string_lossy();
        KEPT.iter().any(|it| name.starts_with(it)) && name != COMPILE
    };
    command.env_clear().envs(std::env::vars_os().filter(|it| is_kept(&it.0)));
    if let Some(temporary) = confinement.write.first() {
        command.env("TMPDIR", temporary);
    }
    command.stdin(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    command.spawn()
}

/// Passes on standard error; the last lines that are no messages of the compiler's come back.
fn pass_on(pipe: impl Read + Send + 'static) -> Receiver<Vec<String>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut last = Vec::new();
        let mut pipe = BufReader::new(pipe);
        let mut line = Vec::new();
        while let Ok(1..) = pipe.read_until(b'\n', &mut line) {
            let _ = std::io::stderr().write_all(&line);
            if !line.starts_with(b"{") && last.len() < LAST {
                last.push(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            line.clear();
        }
        let _ = sender.send(last);
    });
    receiver
}

/// How the compiler was halted, unless it came to an end that it chose.
fn judged(
    status: ExitStatus,
    confinement: &Confinement,
    words: Option<Receiver<Vec<String>>>,
) -> Option<End> {
    let words = words.and_then(|it| it.recv_timeout(DRAIN).ok()).unwrap_or_default().join("\n");
    if status.signal().is_none() && matches!(status.code(), Some(0 | 1)) {
        return None;
    }
    Some(ended(status, &words, confinement.bounds))
}
