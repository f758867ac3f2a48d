//! A confinement to walls around this process: Landlock and a seccomp filter.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

use super::{Confinement, Kind, Parts};

mod calls;

/// The newest walls that this program knows; the system puts up those that it has.
const NEWEST: ABI = ABI::V6;

/// What this system has. The asking is without effect on this process.
pub(super) fn parts() -> Parts {
    let files = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .is_ok();
    Parts { files, calls: calls::are_there() }
}

/// Walls this process in, for good.
pub(super) fn put_up(confinement: &Confinement) -> Result<(), String> {
    let failed = |it: rustix::io::Errno| format!("cannot give up new privileges: {it}");
    rustix::thread::set_no_new_privs(true).map_err(failed)?;
    if confinement.parts.files {
        let status = around_files(confinement).map_err(|it| format!("Landlock: {it}"))?;
        if status == RulesetStatus::NotEnforced {
            return Err("Landlock is not enforced".into());
        }
    }
    if confinement.parts.calls {
        calls::filter(confinement.kind).map_err(|it| format!("seccomp: {it}"))?;
    }
    Ok(())
}

fn around_files(confinement: &Confinement) -> Result<RulesetStatus, RulesetError> {
    let read_file: BitFlags<AccessFs> = AccessFs::ReadFile.into();
    let read = read_file | AccessFs::ReadDir;
    let (libraries, tools) = match confinement.kind {
        Kind::Snippet => (LIBRARIES, SNIPPET),
        Kind::Compiler => (SYSTEM, COMPILER),
    };
    let execute = match confinement.kind {
        Kind::Snippet => read_file,
        Kind::Compiler => read | AccessFs::Execute,
    };
    let interpreter = confinement.start.first().and_then(|it| interpreter(it));
    let start = confinement.start.iter().chain(&interpreter);
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(libraries, execute))?
        .add_rules(path_beneath_rules(tools, read))?
        .add_rules(path_beneath_rules(start, read | AccessFs::Execute))?
        .add_rules(path_beneath_rules(&confinement.read, read))?
        .add_rules(path_beneath_rules(&confinement.write, AccessFs::from_all(NEWEST)))?
        .restrict_self()?;
    Ok(status.ruleset)
}

/// Where systems keep the libraries that a program is loaded with. What is not there is passed
/// over.
const LIBRARIES: &[&str] = &[
    "/gnu/store",
    "/lib/aarch64-linux-gnu",
    "/lib/x86_64-linux-gnu",
    "/lib64",
    "/nix/store",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib/libc.so.6",
    "/usr/lib/libgcc_s.so.1",
    "/usr/lib/libm.so.6",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib64",
];

/// What else the start of a program reads, and what tells its stack from other memory, so that a
/// stack overflow is called by its name.
const SNIPPET: &[&str] = &["/etc/ld.so.cache", "/proc/self/maps"];

/// Where systems keep a linker, and the libraries that it links.
const SYSTEM: &[&str] = &[
    "/bin",
    "/gnu/store",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/opt",
    "/run/current-system",
    "/usr",
];

/// What else the compiler and the linker read.
const COMPILER: &[&str] = &[
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/proc/meminfo",
    "/proc/self/maps",
    "/sys/devices/system/cpu",
];

/// The program that loads this one, by its ELF headers; the system checks that it may start too.
fn interpreter(program: &Path) -> Option<PathBuf> {
    use std::io::Read;
    let mut head = Vec::new();
    std::fs::File::open(program).ok()?.take(4096).read_to_end(&mut head).ok()?;
    interpreter_of(&head)
}

/// Type of a program header that names the loader.
const INTERPRETER: u64 = 3;

fn interpreter_of(head: &[u8]) -> Option<PathBuf> {
    let number = |at: usize, size: usize| {
        let bytes = head.get(at..at + size)?;
        Some(bytes.iter().rev().fold(0, |all, it| all << 8 | u64::from(*it)))
    };
    let place = |at: usize, size: usize| usize::try_from(number(at, size)?).ok();
    // The fields of a 64-bit file whose numbers begin with the low byte.
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (table, size, count) = (place(32, 8)?, place(54, 2)?, place(56, 2)?);
    let entry =
        (0..count).map(|it| table + it * size).find(|it| number(*it, 4) == Some(INTERPRETER))?;
    let (from, length) = (place(entry + 8, 8)?, place(entry + 32, 8)?);
    let path = std::str::from_utf8(head.get(from..from.checked_add(length)?)?).ok()?;
    Some(PathBuf::from(path.trim_end_matches('\0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_of_a_program_is_found() {
        let own = std::env::current_exe().unwrap();
        let found = interpreter(&own).unwrap();
        assert!(found.is_file() && found.is_absolute(), "{found:?}");
        assert_eq!(interpreter_of(b"\x7fELF\x02\x01 and no more"), None);
        assert_eq!(interpreter_of(b"#!/bin/sh\n"), None);
    }

    #[test]
    fn tables_of_paths_are_sorted() {
        for table in [LIBRARIES, SNIPPET, SYSTEM, COMPILER] {
            assert!(table.is_sorted_by(|a, b| a < b), "{table:?}");
        }
    }
}
