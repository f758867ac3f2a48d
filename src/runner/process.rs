//! One program to its result, within limits.

use std::io::Read;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wait_timeout::ChildExt;

use super::confine::{self, Sandbox};
use super::{absolute, at};
use crate::eval::{End, Run, Unavailable};

/// What snippets may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Time by the clock, and of the processor; no more than [`Limits::LONGEST`] counts.
    pub time: Duration,
    /// Bytes on standard output, and as many on standard error.
    pub output: usize,
    /// Bytes of address space.
    pub memory: u64,
    /// Time for one compilation, by the clock and of the processor.
    pub compile: Duration,
    /// Bytes of address space for the compiler, and as many for the linker.
    pub compile_memory: u64,
}

impl Limits {
    /// The longest time that any snippet may take.
    pub const LONGEST: Duration = Duration::from_secs(30);

    /// The time of a snippet in whole seconds.
    fn seconds(self) -> u64 {
        self.time.min(Self::LONGEST).as_secs().max(1)
    }

    /// What a snippet's program is held to by the system.
    pub(super) fn of_snippet(self) -> Bounds {
        Bounds { seconds: self.seconds(), memory: self.memory, file: 0, files: 64 }
    }

    /// What the compiler is held to by the system.
    pub(super) fn of_compiler(self) -> Bounds {
        let seconds = self.compile.as_secs().max(1);
        Bounds { seconds, memory: self.compile_memory, file: FILE, files: 1024 }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(10),
            output: 1 << 20,
            memory: 2 << 30,
            compile: Duration::from_secs(120),
            compile_memory: 4 << 30,
        }
    }
}

/// The largest file that the compiler may write: no program of snippets is that large.
const FILE: u64 = 512 << 20;

/// What the system holds a process to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Bounds {
    /// Time of the processor.
    pub(super) seconds: u64,
    /// Bytes of address space.
    pub(super) memory: u64,
    /// Bytes of a file that it writes.
    pub(super) file: u64,
    /// Open files.
    pub(super) files: u64,
}

/// Bytes of the stack of a program's first thread, on every machine.
pub(super) const STACK: u64 = 8 << 20;

/// How many threads a snippet may have. The system counts those of a user, not of a process, so
/// that we look.
const THREADS: u64 = 256;

/// How often a running program is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// How long to wait for the pipes of a program that has ended. Only a process that has left the
/// group can hold them open.
pub(super) const DRAIN: Duration = Duration::from_secs(1);

/// How much of standard error is kept.
const STDERR: usize = 4096;

/// A program to run, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job<'a> {
    /// The snippet.
    pub(super) id: &'a str,
    /// Its program.
    pub(super) program: &'a Path,
    /// The folder of files that it may read.
    pub(super) data: Option<&'a Path>,
}

/// Runs a snippet confined, in a process group of its own, with nothing of our environment and no
/// input. Whatever it started is ended with it.
pub(super) fn run(
    job: Job<'_>,
    folder: &Path,
    limits: Limits,
    sandbox: &Sandbox,
) -> Result<Run, Unavailable> {
    let nowhere = absolute(&folder.join("empty"))?;
    std::fs::create_dir_all(&nowhere).map_err(|it| at("make the folder", &nowhere, &it))?;
    let program = absolute(job.program)?;
    let mut command = sandbox.snippet(&program, job.data, limits)?;
    // If we are stopped, it stops by itself after so many seconds.
    let longest = Limits::LONGEST.as_secs().to_string();
    command.arg(job.id).env_clear().env("RECKONER_RECORDS", longest);
    // A book's folder of data is found by its name.
    command.current_dir(job.data.and_then(Path::parent).unwrap_or(&nowhere));
    // Each arena of the C library's allocator takes 64 MiB of address space for a start.
    command.env("MALLOC_ARENA_MAX", "2");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|it| at("start", &program, &it))?;
    let flooded = Arc::new(AtomicBool::new(false));
    let stdout = child.stdout.take().map(|it| drain(it, limits.output, &flooded));
    let stderr = child.stderr.take().map(|it| drain(it, limits.output, &flooded));
    let (end, status) =
        wait(&mut child, limits, &flooded).map_err(|it| at("wait for", &program, &it))?;
    let (stdout, stderr) = (collect(stdout), collect(stderr));
    if let Some(why) = confine::failure(&stderr) {
        let tried = format!("cannot confine the snippet `{}`", job.id);
        return Err(Unavailable { tried, why: why.to_owned() });
    }
    // A flood may be over before anybody looked.
    let end = match end {
        Some(end) => end,
        None if flooded.load(Ordering::Relaxed) => End::OutputLimit(limits.output as u64),
        None => ended(status, &stderr, limits.of_snippet()),
    };
    let stderr = stderr.chars().take(STDERR).collect();
    Ok(Run::Ran { end, stdout, stderr })
}

/// Waits for the end or for a limit; either way nothing of the group is left.
fn wait(
    child: &mut Child,
    limits: Limits,
    flooded: &AtomicBool,
) -> std::io::Result<(Option<End>, ExitStatus)> {
    // Whole seconds, as they are told.
    let time = Duration::from_secs(limits.seconds());
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
            End::TimeLimit(limits.seconds())
        } else if threads(child).is_some_and(|it| it > THREADS) {
            End::ThreadLimit(THREADS)
        } else {
            continue;
        };
        end_group(child);
        child.kill()?;
        return Ok((Some(limit), child.wait()?));
    }
}

/// How many threads a process has, where the system tells.
#[expect(clippy::disallowed_methods, reason = "this is the rim")]
fn threads(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("Threads:"))?;
    line.trim().parse().ok()
}

/// Ends every process of the child's group. None left is fine.
pub(super) fn end_group(child: &Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// How a process that was not stopped by us came to its end, by its status and its last words.
pub(super) fn ended(status: ExitStatus, stderr: &str, bounds: Bounds) -> End {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        use rustix::process::Signal;
        return if signal == Signal::XCPU.as_raw() {
            End::ProcessorLimit(bounds.seconds)
        } else if signal == Signal::XFSZ.as_raw() {
            End::FileLimit(bounds.file)
        } else if let Some(asked) = refused_memory(stderr) {
            End::MemoryLimit { limit: bounds.memory, asked }
        } else if stderr.contains("thread 'main'") && stderr.contains("overflowed its stack") {
            End::StackLimit(STACK)
        } else {
            End::Signal(signal)
        };
    }
    End::Code(status.code().unwrap_or(-1))
}

/// The bytes that a program asked for in vain, after which Rust's standard library, or LLVM inside
/// of the compiler, ends it; 0 if it does not say.
fn refused_memory(stderr: &str) -> Option<u64> {
    let asked = |line: &str| {
        let rest = line.split_once("memory allocation of ")?.1;
        rest.strip_suffix(" bytes failed")?.parse().ok()
    };
    let vague = |it: &str| it.contains("LLVM ERROR: out of memory") || it.contains("bad_alloc");
    let told = stderr.lines().find_map(asked);
    told.or_else(|| stderr.lines().any(vague).then_some(0))
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
