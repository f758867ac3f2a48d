//! The command line of our executable to a confined program in its place.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::ExitCode;

use rustix::process::{Resource, Rlimit, setrlimit};

use super::{CANNOT, COMPILE, Confinement, ENTER, Kind, command, supervise, walls};
use crate::runner::process::{Bounds, STACK};

/// What a shell says of a program that it cannot start.
const UNSTARTED: u8 = 126;

/// See [`super::enter`].
pub(super) fn enter(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.skip(1).peekable();
    if arguments.next_if(|it| it == ENTER).is_some() {
        // On success nobody is left to come back.
        return Some(fail(&become_program(arguments)));
    }
    #[expect(clippy::disallowed_methods, reason = "this is the rim")]
    let compile = std::env::var(COMPILE).ok()?;
    Some(match serde_json::from_str(&compile) {
        Ok(confinement) => {
            supervise::compile(confinement, arguments).unwrap_or_else(|it| fail(&it))
        }
        Err(error) => fail(&format!("`{COMPILE}` is not ours: {error}")),
    })
}

#[expect(clippy::print_stderr, reason = "whoever started us reads it there")]
fn fail(why: &str) -> ExitCode {
    eprintln!("{CANNOT}{why}");
    ExitCode::from(UNSTARTED)
}

/// Comes back with the reason if it cannot be.
fn become_program(mut arguments: impl Iterator<Item = OsString>) -> String {
    let text = arguments.next().unwrap_or_default();
    let confinement: Confinement = match serde_json::from_str(&text.to_string_lossy()) {
        Ok(it) => it,
        Err(error) => return format!("the first argument is not ours: {error}"),
    };
    let Some(program) = arguments.next() else { return "there is no program".into() };
    let mut command = command(program.as_ref());
    command.args(arguments);
    let confined = limit(&confinement).and_then(|()| walls::put_up(&confinement));
    match confined {
        Ok(()) => format!("cannot start `{}`: {}", program.display(), command.exec()),
        Err(why) => why,
    }
}

/// Sets limits, and ends with whoever started us.
fn limit(confinement: &Confinement) -> Result<(), String> {
    let set = |resource, current: u64, maximum: u64| {
        let limit = Rlimit { current: Some(current), maximum: Some(maximum) };
        setrlimit(resource, limit).map_err(|it| format!("cannot limit {resource:?}: {it}"))
    };
    let Bounds { seconds, memory, file, files } = confinement.bounds;
    // The second limit is for a program that does not heed the first.
    set(Resource::Cpu, seconds, seconds + 1)?;
    set(Resource::Fsize, file, file)?;
    set(Resource::Nofile, files, files)?;
    set(Resource::Core, 0, 0)?;
    if confinement.kind == Kind::Snippet {
        set(Resource::Stack, STACK, STACK)?;
    }
    // Systems that cannot limit address space say so; time limits are left.
    let space = set(Resource::As, memory, memory);
    if cfg!(target_os = "linux") {
        space?;
        end_with_parent(confinement.parent)?;
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn end_with_parent(parent: u32) -> Result<(), String> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    let failed = |it: rustix::io::Errno| format!("cannot end with the build: {it}");
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(failed)?;
    // It may have ended before we asked.
    let now = getppid().map(|it| it.as_raw_nonzero().get());
    if now.is_some_and(|it| u32::try_from(it) == Ok(parent)) {
        return Ok(());
    }
    Err("whoever wanted it has ended".into())
}

#[cfg(not(target_os = "linux"))]
fn end_with_parent(_: u32) -> Result<(), String> {
    Ok(())
}
