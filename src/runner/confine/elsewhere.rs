//! The command line to itself, where a process cannot replace itself.

use std::ffi::OsString;
use std::process::ExitCode;

pub(super) fn enter(_: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    None
}
