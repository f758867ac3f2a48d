//! What became of the programs: the words between the package and whoever runs it.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Package;

/// Compiles and runs the programs of a package: the one effect of this stage, given from outside.
pub trait Runner {
    /// Compiles and runs what is not remembered, each program in a process of its own.
    ///
    /// # Errors
    /// When the surroundings fail: there is no compiler, no room, no network for a dependency. A
    /// mistake in a snippet is no error but a [`Run`].
    fn run(&mut self, package: &Package) -> Result<Runs, Unavailable>;
}

/// Why nothing could be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// What was tried, as in "cannot compile the snippets".
    pub tried: String,
    /// What went wrong.
    pub why: String,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.tried, self.why)
    }
}

impl std::error::Error for Unavailable {}

/// What became of every unit of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Runs {
    /// By [`super::Unit::name`].
    pub runs: BTreeMap<String, Run>,
    /// How often a compiler was started.
    pub compiled: usize,
    /// How many programs were started. The others were remembered.
    pub started: usize,
}

/// What became of one unit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Run {
    /// The compiler refused it.
    Refused(Vec<Fault>),
    /// It was not compiled, because it needs this unit, which failed.
    Blocked(String),
    /// The compiler was halted, and this alone does it.
    Halted(End),
    /// It compiled. A library does no more than that.
    Compiled,
    /// It ran.
    Ran {
        /// How it ended.
        end: End,
        /// What it wrote, up to the limit.
        stdout: String,
        /// The start of what it wrote to standard error.
        stderr: String,
    },
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum End {
    /// By itself, with an exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It was stopped after so many seconds.
    TimeLimit(u64),
    /// It was stopped after so many bytes of output.
    OutputLimit(u64),
    /// The system stopped it after so many seconds of processor time.
    ProcessorLimit(u64),
    /// It could not do without more memory.
    MemoryLimit {
        /// The bytes that it may have.
        limit: u64,
        /// The bytes that it asked for last, 0 if it did not say.
        asked: u64,
    },
    /// Its stack of so many bytes was full.
    StackLimit(u64),
    /// It was stopped because it had more threads than so many.
    ThreadLimit(u64),
    /// It wrote a file of more than so many bytes.
    FileLimit(u64),
}

/// What the compiler has to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fault {
    /// In one line.
    pub message: String,
    /// Its number, `E0308`.
    pub code: Option<String>,
    /// The place to blame first, then others.
    pub spots: Vec<Spot>,
    /// Ways out and notes.
    pub notes: Vec<String>,
}

/// A place in a file of the package. Lines and columns are from 1, columns in characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Spot {
    /// The file, below the package's folder.
    pub path: String,
    /// Line and column of the first character.
    pub start: (u32, u32),
    /// Line and column behind the last character.
    pub end: (u32, u32),
    /// A word on it.
    pub label: String,
}
