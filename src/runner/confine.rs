//! What a program may take and touch, to a command that holds it to that.
//!
//! A program that is to be confined is started by way of our own executable: it sets limits on
//! itself, walls itself in (which files it may open, then which calls of the system it may make),
//! and then becomes the program. None of that can be undone, and none of it needs privileges.
//!
//! A snippet may read the files of the book's `data` folder and what the system loads to start it,
//! and nothing else. The compiler reads the toolchain, the system's libraries and the package, and
//! writes into the build folder: a snippet's macros run inside of it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde::{Deserialize, Serialize};

use super::cargo::{self, Toolchain};
use super::process::{Bounds, Limits};
use crate::eval::Unavailable;

#[cfg(unix)]
mod enter;
#[cfg(not(unix))]
#[path = "confine/elsewhere.rs"]
mod enter;
#[cfg(unix)]
mod supervise;

#[cfg_attr(
    not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))),
    path = "confine/no_walls.rs"
)]
mod walls;

/// First argument of our executable when it is to become a confined program.
const ENTER: &str = "__confine";

/// Tells our executable to compile confined, and how. It is in the environment because cargo gives
/// its wrapper no arguments of ours.
const COMPILE: &str = "RECKONER_CONFINE";

/// Begins what our executable says on standard error if it cannot confine.
const CANNOT: &str = "\u{1}cannot confine: ";

/// What a process may take and touch. It reaches our executable as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Confinement {
    kind: Kind,
    /// The process ends when this one does.
    parent: u32,
    bounds: Bounds,
    /// What it may read, with all below.
    read: Vec<PathBuf>,
    /// What it may read and start.
    start: Vec<PathBuf>,
    /// What it may read and write; the first is for temporary files.
    write: Vec<PathBuf>,
    /// What this system has to wall it in.
    parts: Parts,
}

/// Who is confined, which settles the calls of the system that it may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    Snippet,
    Compiler,
}

/// What a system has to wall a process in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Parts {
    /// Landlock: which files it may open.
    files: bool,
    /// A seccomp filter: which calls of the system it may make.
    calls: bool,
}

/// How programs are confined on this machine.
#[derive(Clone, Debug)]
pub(super) struct Sandbox {
    /// Our executable. Without it programs have limits of time and output only.
    launcher: Option<PathBuf>,
    parts: Parts,
}

impl Sandbox {
    /// Looks what this system has. `launcher` is an executable whose first deed is [`enter`].
    pub(super) fn new(launcher: Option<PathBuf>) -> Self {
        let launcher = launcher.filter(|_| cfg!(unix));
        let parts = if launcher.is_some() { walls::parts() } else { Parts::default() };
        Self { launcher, parts }
    }

    /// What a snippet could do here and should not, because of what this system lacks.
    pub(super) fn gap(&self) -> Option<&'static str> {
        match (self.parts.files, self.parts.calls) {
            (true, true) => None,
            (false, true) => Some("this system has no Landlock, so they can read files and names"),
            (true, false) => {
                Some("this system has no seccomp filters, so they can use the network")
            }
            (false, false) => Some("this system has neither Landlock nor seccomp filters"),
        }
    }

    /// What changes the results of programs: the walls.
    pub(super) fn key(&self) -> (bool, bool) {
        (self.parts.files, self.parts.calls)
    }

    /// A command that runs the program of a snippet, which may read `data`.
    pub(super) fn snippet(
        &self,
        program: &Path,
        data: Option<&Path>,
        limits: Limits,
    ) -> Result<Command, Unavailable> {
        let Some(launcher) = &self.launcher else { return Ok(command(program)) };
        let confinement = Confinement {
            kind: Kind::Snippet,
            parent: std::process::id(),
            bounds: limits.of_snippet(),
            read: data.map(Path::to_owned).into_iter().collect(),
            start: vec![program.to_owned()],
            write: Vec::new(),
            parts: self.parts,
        };
        let mut command = command(launcher);
        command.arg(ENTER).arg(confinement.text()?).arg(program);
        Ok(command)
    }

    /// The start of a command that compiles confined; the compiler's arguments are to follow. It
    /// may read `place` besides. `wrapper` is outside of the walls, so that a cache of compilations
    /// may use the network; what it takes for the compiler is our executable under that name.
    pub(super) fn compiler(
        &self,
        toolchain: &Toolchain,
        (folder, place): (&Path, &Path),
        limits: Limits,
        wrapper: Option<&OsStr>,
    ) -> Result<Command, Unavailable> {
        let Some(launcher) = &self.launcher else {
            return Ok(behind(wrapper, toolchain.rustc.as_os_str()));
        };
        let confinement = self.compilation(toolchain, folder, place, limits)?;
        let mut command = match wrapper {
            None => cargo::command(launcher),
            Some(_) => behind(wrapper, disguise(launcher, folder)?.as_os_str()),
        };
        command.env(COMPILE, confinement.text()?);
        Ok(command)
    }

    fn compilation(
        &self,
        toolchain: &Toolchain,
        folder: &Path,
        place: &Path,
        limits: Limits,
    ) -> Result<Confinement, Unavailable> {
        let folder = super::absolute(folder)?;
        let temporary = folder.join("temporary");
        std::fs::create_dir_all(&temporary)
            .map_err(|it| super::at("make the folder", &temporary, &it))?;
        let mut read = vec![super::absolute(place)?];
        // Macros of dependencies point there, and messages quote them. Not the folder above: it
        // has the author's passwords for registries.
        read.extend(["registry/src", "git/checkouts"].map(|it| toolchain.home.join(it)));
        Ok(Confinement {
            kind: Kind::Compiler,
            parent: 0,
            bounds: limits.of_compiler(),
            read,
            start: vec![toolchain.rustc.clone(), toolchain.sysroot.clone()],
            write: vec![temporary, folder.join("build")],
            parts: self.parts,
        })
    }
}

impl Confinement {
    fn text(&self) -> Result<String, Unavailable> {
        serde_json::to_string(self).map_err(|it| Unavailable {
            tried: "cannot confine snippets in folders of these names".into(),
            why: it.to_string(),
        })
    }
}

/// A command in the environment of the compiler, by way of `wrapper`.
fn behind(wrapper: Option<&OsStr>, program: &OsStr) -> Command {
    let Some(wrapper) = wrapper else { return cargo::command(program) };
    let mut command = cargo::command(wrapper);
    command.arg(program);
    command
}

/// Our executable under the compiler's name, by which a cache of compilations knows what it has
/// before it.
fn disguise(launcher: &Path, folder: &Path) -> Result<PathBuf, Unavailable> {
    let path = super::absolute(folder)?.join("confined").join("rustc");
    if std::fs::read_link(&path).is_ok_and(|it| it == launcher) {
        return Ok(path);
    }
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let _ = std::fs::remove_file(&path);
    #[cfg(unix)]
    let made = made.and_then(|()| std::os::unix::fs::symlink(launcher, &path));
    made.map_err(|it| super::at("make", &path, &it)).map(|()| path)
}

#[expect(clippy::disallowed_methods, reason = "this is the rim")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

/// Becomes a confined program, or confines the compiler, if the surroundings say so. This must be
/// the first deed of the executable that [`super::Local::confined_by`] names.
pub fn enter(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    enter::enter(arguments)
}

/// What our executable said when it could not confine a program.
pub(super) fn failure(stderr: &str) -> Option<&str> {
    Some(stderr.strip_prefix(CANNOT)?.lines().next().unwrap_or_default())
}
