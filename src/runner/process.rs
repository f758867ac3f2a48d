//! One program to its result, within limits.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use wait_timeout::ChildExt;

use super::at;
use crate::eval::{End, Run, Unavailable};

/// What a snippet may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Time by the clock; no more than [`Limits::LONGEST`] counts.
    pub time: Duration,
    /// Bytes on standard output, and as many on standard error.
    pub output: usize,
}

impl Limits {
    /// The longest time that any snippet may take.
    pub const LONGEST: Duration = Duration::from_secs(30);
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), output: 1 << 20 }
    }
}

/// How often a running program is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// How long to wait for the pipes of a program that has ended. Only a process that has left the
/// group can hold them open.
const DRAIN: Duration = Duration::from_secs(1);

/// How much of standard error is kept.
const STDERR: usize = 4096;

/// Runs the snippet `id` of a program in a process group of its own, with nothing of our
/// environment and no input. Whatever it started is ended with it.
pub(super) fn run(
    program: &Path,
    id: &str,
    folder: &Path,
    limits: Limits,
) -> Result<Run, Unavailable> {
    let nowhere = folder.join("empty");
    std::fs::create_dir_all(&nowhere).map_err(|it| at("make the folder", &nowhere, &it))?;
    let mut command = command(program);
    // If we are stopped, it stops by itself after so many seconds.
    let longest = Limits::LONGEST.as_secs().to_string();
    command.arg(id).current_dir(&nowhere).env_clear().env("RECKONER_RECORDS", longest);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|it| at("start", program, &it))?;
    let flooded = Arc::new(AtomicBool::new(false));
    let stdout = child.stdout.take().map(|it| drain(it, limits.output, &flooded));
    let stderr = child.stderr.take().map(|it| drain(it, limits.output, &flooded));
    let (end, status) =
        wait(&mut child, limits, &flooded).map_err(|it| at("wait for", program, &it))?;
    let (stdout, stderr) = (collect(stdout), collect(stderr));
    // A flood may be over before anybody looked.
    let end = match end {
        Some(end) => end,
        None if flooded.load(Ordering::Relaxed) => End::OutputLimit(limits.output as u64),
        None => ended(status),
    };
    let stderr = stderr.chars().take(STDERR).collect();
    Ok(Run::Ran { end, stdout, stderr })
}

#[expect(clippy::disallowed_methods, reason = "this is the rim")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

/// Waits for the end or for a limit; either way nothing of the group is left.
fn wait(
    child: &mut Child,
    limits: Limits,
    flooded: &AtomicBool,
) -> std::io::Result<(Option<End>, ExitStatus)> {
    let time = limits.time.min(Limits::LONGEST);
    let mut left = time;
    loop {
        let glance = GLANCE.min(left);
        if let Some(status) = child.wait_timeout(glance)? {
            end_group(child);
            return Ok((None, status));
        }
        left = left.saturating_sub(glance);
        let limit = if flooded.load(Ordering::Relaxed) {
            End::OutputLimit(limits.output as u64)
        } else if left.is_zero() {
            End::TimeLimit(time.as_secs())
        } else {
            continue;
        };
        end_group(child);
        child.kill()?;
        return Ok((Some(limit), child.wait()?));
    }
}

/// Ends every process of the child's group. None left is fine.
fn end_group(child: &Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

fn ended(status: ExitStatus) -> End {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return End::Signal(signal);
    }
    End::Code(status.code().unwrap_or(-1))
}

/// Reads a pipe in a thread of its own, which a process that keeps the pipe open can only make
/// late, not us.
fn drain(
    mut pipe: impl Read + Send + 'static,
    limit: usize,
    flooded: &Arc<AtomicBool>,
) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    let flooded = flooded.clone();
    std::thread::spawn(move || {
        let mut room = limit;
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            let kept = count.min(room);
            room -= kept;
            if kept < count {
                flooded.store(true, Ordering::Relaxed);
            }
            if sender.send(buffer[..kept].to_vec()).is_err() || kept < count {
                break;
            }
        }
    });
    receiver
}

fn collect(receiver: Option<Receiver<Vec<u8>>>) -> String {
    let mut out = Vec::new();
    let Some(receiver) = receiver else { return String::new() };
    while let Ok(part) = receiver.recv_timeout(DRAIN) {
        out.extend(part);
    }
    String::from_utf8_lossy(&out).into_owned()
}
