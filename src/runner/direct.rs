//! A crate to what the compiler makes of it, by one call.
//!
//! Each call has a folder of its own with exactly the files of its crate, so what it makes follows
//! from them. The folder is the same for the same crate wherever the book is, if there is a wrapper:
//! a shared cache of compilations takes the folder for a part of the question.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::base::{Base, Externs, folder};
use super::cargo::{Toolchain, of_wrapper, output, wrapper};
use super::confine::{self, Sandbox};
use super::process::Limits;
use super::{Local, absolute, at, cache};
use crate::eval::{self, Crate, Package, Told, Unavailable, told};
use crate::memo::fingerprint;

/// What every compilation is told. Lints are of no use to readers; an overflow is a mistake.
const FLAGS: &[&str] = &[
    "--emit=dep-info,link",
    "--error-format=json",
    "-Awarnings",
    "-Cembed-bitcode=no",
    "-Cdebug-assertions=on",
    "-Coverflow-checks=on",
    "-Ccodegen-units=1",
];

/// Fingerprint of all that is told to the compiler and may change what a program prints.
pub(super) fn manner() -> u128 {
    fingerprint(&(FLAGS, eval::FLAGS))
}

/// The compiler, and what all snippets are compiled against.
#[derive(Debug)]
pub(super) struct Direct {
    /// `target/reckoner`, from the root.
    folder: PathBuf,
    toolchain: Toolchain,
    sandbox: Sandbox,
    limits: Limits,
    /// What is put before the compiler, as cargo does it.
    wrapper: Option<OsString>,
    base: Base,
    prelude: Library,
    warm: Option<Library>,
    /// How often a compiler was started until here.
    pub(super) started: usize,
}

/// A library that was compiled.
#[derive(Clone, Debug)]
pub(super) struct Library {
    name: &'static str,
    path: PathBuf,
    /// What it follows from.
    print: u128,
}

/// What came of a call.
#[derive(Debug)]
pub(super) enum Made<T> {
    Done(T),
    Refused(Told),
}

/// How a program is compiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) optimized: bool,
    /// Whether it knows the lines of its code.
    pub(super) lines: bool,
}

/// One call.
struct Job<'a> {
    made: &'a Crate,
    kind: &'a str,
    optimization: u8,
    lines: bool,
    externs: Vec<(&'a str, &'a Path)>,
    features: &'a [String],
    /// The folder that it goes to.
    out: PathBuf,
    wrapper: Option<&'a OsStr>,
}

impl Direct {
    /// Compiles what every snippet needs, unless that is done.
    pub(super) fn new(
        runner: &Local,
        toolchain: Toolchain,
        base: Base,
        package: &Package,
    ) -> Result<Self, Unavailable> {
        let wrapper = wrapper();
        let (folder, path) = (absolute(&runner.folder)?, PathBuf::new());
        let (sandbox, limits) = (runner.sandbox.clone(), runner.limits);
        let (warm, started) = (None, 0);
        let prelude = Library { name: "reckoner_prelude", path, print: 0 };
        let mut out =
            Self { folder, toolchain, sandbox, limits, wrapper, base, prelude, warm, started };
        let externs = out.base.prelude.clone();
        let (made, features) = (package.prelude(), out.base.features.clone());
        out.prelude = match out.library(package, &made, &externs, &features, out.base.print())? {
            Made::Done(library) => library,
            Made::Refused(told) => return Err(refused(told)),
        };
        let Some(made) = package.warm() else { return Ok(out) };
        let externs = out.externs(None);
        // It is made for the nalgebra of today. Another one costs time, no more.
        out.warm = match out.library(package, &made, &externs, &[], out.print())? {
            Made::Done(library) => Some(library),
            Made::Refused(_) => None,
        };
        Ok(out)
    }

    /// Whether the crates of the book are to link what was made for all.
    pub(super) fn is_warm(&self) -> bool {
        self.warm.is_some()
    }

    /// What the crates of the book depend on.
    fn print(&self) -> u128 {
        fingerprint(&(self.base.print(), self.prelude.print, self.warm.as_ref().map(|it| it.print)))
    }

    /// What the crates of the book may name.
    fn externs(&self, book: Option<&Library>) -> Externs {
        let mut out = self.base.book.clone();
        let own = [Some(&self.prelude), self.warm.as_ref(), book];
        out.extend(own.into_iter().flatten().map(|it| (it.name.to_owned(), it.path.clone())));
        out
    }

    /// Compiles the library of all chapters, unless it is there.
    pub(super) fn book(
        &mut self,
        package: &Package,
        made: &Crate,
    ) -> Result<Made<Library>, Unavailable> {
        let externs = self.externs(None);
        self.library(package, made, &externs, &[], self.print())
    }

    /// Compiles a library, unless it is there. `print` is what it depends on besides its code. One
    /// that was refused is there too, as nothing.
    fn library(
        &mut self,
        package: &Package,
        made: &Crate,
        externs: &Externs,
        features: &[String],
        print: u128,
    ) -> Result<Made<Library>, Unavailable> {
        let out = self.folder.join("build/libraries").join(made.name);
        let print = fingerprint(&(made, print, manner(), &self.toolchain.rustc));
        let (path, stamp) = (out.join(format!("lib{}.rlib", made.name)), out.join("made"));
        let library = Library { name: made.name, path, print };
        let line = format!("{print:032x}");
        if cache::read(&stamp).is_some_and(|it| it == line.as_bytes()) && library.path.is_file() {
            return Ok(Made::Done(library));
        }
        remove(&out)?;
        self.started += 1;
        let wrapper = self.wrapper.as_deref();
        // Panics inside of other crates are told at the lines of the book that called them.
        let externs = externs.iter().map(|it| (&it.0[..], it.1.as_path())).collect();
        let job = Job {
            made,
            kind: "rlib",
            optimization: 1,
            lines: true,
            externs,
            features,
            out,
            wrapper,
        };
        match self.call(package, job)? {
            Made::Refused(told) => Ok(Made::Refused(told)),
            Made::Done(()) => {
                cache::write(&stamp, &line)?;
                Ok(Made::Done(library))
            }
        }
    }

    /// Compiles a program into a folder of its own.
    pub(super) fn program(
        &self,
        package: &Package,
        made: &Crate,
        book: &Library,
        manner: Manner,
    ) -> Result<Made<PathBuf>, Unavailable> {
        let print = fingerprint(&(made, manner.optimized, manner.lines));
        let out = self.programs().join(format!("{print:032x}"));
        let externs = self.externs(Some(book));
        let externs = externs.iter().map(|it| (&it.0[..], it.1.as_path())).collect();
        let optimization = u8::from(manner.optimized);
        let path = |name: &str| out.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let (lines, wrapper) = (manner.lines, self.wrapper.as_deref());
        let (kind, features) = (if wrapper.is_some() { "rlib" } else { "bin" }, &[][..]);
        let job =
            Job { made, kind, optimization, lines, externs, features, out: out.clone(), wrapper };
        if let Made::Refused(told) = self.call(package, job)? {
            return Ok(Made::Refused(told));
        }
        if wrapper.is_none() {
            return Ok(Made::Done(path(made.name)));
        }
        // A cache of compilations keeps libraries only, so the program is one but for its start.
        let (library, starter) = (out.join(format!("lib{}.rlib", made.name)), package.starter());
        let job = Job {
            made: &starter,
            kind: "bin",
            optimization,
            lines,
            externs: vec![(made.name, &library), (book.name, &book.path)],
            features,
            out: out.clone(),
            wrapper: None,
        };
        Ok(match self.call(package, job)? {
            Made::Refused(told) => Made::Refused(told),
            Made::Done(()) => Made::Done(path(starter.name)),
        })
    }

    /// Where programs are until they have run.
    fn programs(&self) -> PathBuf {
        self.folder.join("build/programs")
    }

    /// Removes all programs.
    pub(super) fn clear(&self) -> Result<(), Unavailable> {
        remove(&self.programs())
    }

    fn call(&self, package: &Package, job: Job<'_>) -> Result<Made<()>, Unavailable> {
        // The lock is held until the folder is gone.
        let (place, _lock) = self.place(&job);
        for (path, text) in &job.made.files {
            cache::write(&place.join(path), text)?;
        }
        folder(&job.out)?;
        let output = output(&mut self.command(&job, &place)?);
        remove(&place)?;
        let output = output?;
        if output.status.success() {
            return Ok(Made::Done(()));
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        if let Some(why) = stderr.lines().find_map(confine::failure) {
            let tried = "cannot confine the compiler".to_owned();
            return Err(Unavailable { tried, why: why.to_owned() });
        }
        let told = told(&stderr, package);
        let no_linker = |it: &str| it.starts_with("linker `") && it.ends_with("not found");
        let silent = told.faults.is_empty() && told.halted.is_none();
        if silent || told.faults.iter().any(|it| no_linker(&it.message)) {
            return Err(refused(told));
        }
        Ok(Made::Refused(told))
    }

    fn command(&self, job: &Job<'_>, place: &Path) -> Result<Command, Unavailable> {
        let mut out = self.compiler(job.wrapper, place)?;
        out.current_dir(place).args(FLAGS).args(eval::FLAGS);
        out.args(["--crate-name", job.made.name]).arg(format!("--edition={}", job.made.edition));
        out.args(["--crate-type", job.kind]).arg(format!("-Copt-level={}", job.optimization));
        out.arg(if job.lines { "-Cdebuginfo=line-tables-only" } else { "-Cdebuginfo=0" });
        if job.kind == "bin" && !job.lines {
            out.arg("-Cstrip=debuginfo");
        }
        for feature in job.features {
            out.arg("--cfg").arg(format!("feature={feature:?}"));
        }
        for path in &self.base.search {
            out.arg("-L").arg(path);
        }
        for (name, path) in &job.externs {
            let mut text = OsString::from(name);
            text.push("=");
            text.push(path);
            out.arg("--extern").arg(text);
        }
        let mut folders: Vec<&Path> = job.externs.iter().filter_map(|it| it.1.parent()).collect();
        folders.extend(
            [&self.prelude].into_iter().chain(&self.warm).filter_map(|it| it.path.parent()),
        );
        folders.sort();
        folders.dedup();
        for path in folders {
            let mut text = OsString::from("dependency=");
            text.push(path);
            out.arg("-L").arg(text);
        }
        out.arg("--out-dir").arg(&job.out).arg(&job.made.root);
        Ok(out)
    }

    /// The compiler, confined, behind its wrapper.
    fn compiler(&self, wrapper: Option<&OsStr>, place: &Path) -> Result<Command, Unavailable> {
        let Self { toolchain, folder, limits, .. } = self;
        let mut out = self.sandbox.compiler(toolchain, (folder, place), *limits, wrapper)?;
        if wrapper.is_some() {
            out.envs(of_wrapper());
        }
        Ok(out)
    }

    /// The folder for the files of a crate, and what keeps others from it.
    fn place(&self, job: &Job<'_>) -> (PathBuf, Option<File>) {
        let name = format!("{:032x}", fingerprint(&(job.made, job.optimization, job.lines)));
        let shared = job.wrapper.and_then(|_| shared(&name));
        let own = || (self.folder.join("build/crates").join(&name), None);
        shared.map_or_else(own, |(path, lock)| (path, Some(lock)))
    }
}

/// A folder that is the same for every book, if nobody else can write to it. Builds of two books
/// that compile the same crate take turns.
fn shared(name: &str) -> Option<(PathBuf, File)> {
    let top = private(&std::env::temp_dir())?;
    let lock = File::create(top.join(format!("lock-{}", &name[..2]))).ok()?;
    lock.lock().ok()?;
    Some((top.join(name), lock))
}

/// A folder below `top` that is of this user alone.
fn private(top: &Path) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, MetadataExt};
        let user = rustix::process::geteuid().as_raw();
        let path = top.join(format!("reckoner-crates-{user}"));
        // One that is there already may be another user's.
        let _ = std::fs::DirBuilder::new().mode(0o700).create(&path);
        let data = path.symlink_metadata().ok()?;
        let safe = data.is_dir() && data.uid() == user && data.mode() & 0o077 == 0;
        safe.then_some(path)
    }
    #[cfg(not(unix))]
    {
        let path = top.join("reckoner-crates");
        std::fs::create_dir_all(&path).ok()?;
        Some(path)
    }
}

fn remove(path: &Path) -> Result<(), Unavailable> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(at("remove", path, &error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// The fault is of no unit.
pub(super) fn refused(told: Told) -> Unavailable {
    Unavailable { tried: "cannot compile what the snippets need".into(), why: told.rendered }
}
