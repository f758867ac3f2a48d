//! The package of snippets to results, by the compiler and a process for each program.
//!
//! This is the only place that starts a compiler or a snippet. What it knows is kept below one
//! folder: the package, what cargo built, and a file for each result, named by the content that it
//! follows from. An unchanged snippet costs nothing, whatever is around it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::eval::{self, Package, Role, Run, Runner, Runs, Unavailable, Unit};
use crate::memo::fingerprint;

mod cache;
mod cargo;
mod confine;
mod data;
mod process;

pub use confine::enter;
pub use process::Limits;

use cargo::Toolchain;
use confine::Sandbox;
use process::Job;

/// Compiles with the cargo of this machine and runs what it made.
#[derive(Debug)]
pub struct Local {
    /// `target/reckoner`.
    folder: PathBuf,
    limits: Limits,
    sandbox: Sandbox,
    /// Files that snippets may read.
    data: Option<PathBuf>,
    /// What `rustc -vV` says, once it was asked.
    compiler: Option<String>,
    /// Where the compiler is, once it was needed.
    toolchain: OnceLock<Toolchain>,
}

impl Local {
    /// A runner that keeps everything below `folder`, usually `target/reckoner`.
    pub fn new(folder: impl Into<PathBuf>, limits: Limits) -> Self {
        let (folder, sandbox) = (folder.into(), Sandbox::new(None));
        Self { folder, limits, sandbox, data: None, compiler: None, toolchain: OnceLock::new() }
    }

    /// Confines the programs and the compiler by `launcher`: an executable that calls [`enter`]
    /// before anything else.
    #[must_use]
    pub fn confined_by(mut self, launcher: impl Into<PathBuf>) -> Self {
        self.sandbox = Sandbox::new(Some(launcher.into()));
        self
    }

    /// Lets snippets read the files of a folder. It is called `data`, and a snippet that reads of
    /// it says so in its code: `"data/prices.csv"`.
    #[must_use]
    pub fn data(mut self, folder: impl Into<PathBuf>) -> Self {
        self.data = std::path::absolute(folder.into()).ok().filter(|it| it.is_dir());
        self
    }

    /// What snippets could do that they should not, because of what this system lacks.
    pub fn gap(&self) -> Option<&'static str> {
        self.sandbox.gap()
    }

    fn package(&self) -> PathBuf {
        self.folder.join("package")
    }

    fn results(&self) -> PathBuf {
        self.folder.join("results")
    }

    /// Version and host of the compiler.
    fn compiler(&mut self) -> Result<&str, Unavailable> {
        if self.compiler.is_none() {
            self.compiler = Some(cargo::version(&self.package())?);
        }
        Ok(self.compiler.as_deref().unwrap_or_default())
    }

    fn toolchain(&self) -> Result<&Toolchain, Unavailable> {
        if let Some(known) = self.toolchain.get() {
            return Ok(known);
        }
        let found = cargo::toolchain(&self.package())?;
        Ok(self.toolchain.get_or_init(|| found))
    }
}

impl Runner for Local {
    fn run(&mut self, package: &Package) -> Result<Runs, Unavailable> {
        if package.units.is_empty() {
            return Ok(Runs::default());
        }
        for folder in [self.package(), self.results()] {
            std::fs::create_dir_all(&folder).map_err(|it| at("make the folder", &folder, &it))?;
        }
        // Two builds of one book take turns.
        let path = self.folder.join("lock");
        let lock = File::create(&path).map_err(|it| at("make", &path, &it))?;
        lock.lock().map_err(|it| at("lock", &path, &it))?;
        // A result that any other limit made is not kept.
        let (output, walls) = (self.limits.output, self.sandbox.key());
        let compiler = fingerprint(&(self.compiler()?, output, walls));
        let readers = data::readers(package);
        let data = match &self.data {
            Some(folder) if !readers.is_empty() => data::fingerprint(folder)?,
            Some(_) | None => 0,
        };
        let out = Runs::default();
        let mut work = Work { runner: self, package, compiler, readers, data, out };
        let stale = work.remember();
        if !stale.is_empty() {
            work.compile_and_run(stale)?;
        }
        Ok(work.out)
    }
}

/// One call of the runner.
struct Work<'a> {
    runner: &'a Local,
    package: &'a Package,
    /// Fingerprint of the compiler, the walls, and the limit that results depend on.
    compiler: u128,
    /// The units that may read data.
    readers: BTreeSet<&'a str>,
    /// Fingerprint of the data.
    data: u128,
    out: Runs,
}

impl Work<'_> {
    /// Takes from the cache what is there; the rest is stale.
    fn remember(&mut self) -> BTreeSet<String> {
        let mut stale = BTreeSet::new();
        for unit in self.package.units.iter().filter(|it| it.flaw.is_none()) {
            match cache::load(&self.file(unit)) {
                Some(run) => drop(self.out.runs.insert(unit.name.clone(), run)),
                None => drop(stale.insert(unit.name.clone())),
            }
        }
        self.block(&mut stale);
        stale
    }

    /// Blocks what needs a library that failed.
    fn block(&mut self, stale: &mut BTreeSet<String>) {
        let failed = self.failed();
        for unit in &self.package.units {
            if let Some(library) = unit.needs.iter().find(|it| failed.contains(*it)) {
                // A result from before is of other code: this one cannot have compiled.
                stale.remove(&unit.name);
                let refused = matches!(self.out.runs.get(&unit.name), Some(Run::Refused(_)));
                if unit.flaw.is_none() && !refused {
                    self.out.runs.insert(unit.name.clone(), Run::Blocked(library.clone()));
                }
            }
        }
    }

    /// Names of the units that cannot be given to the compiler, by themselves.
    fn failed(&self) -> BTreeSet<String> {
        let is_refused = |name: &String| matches!(self.out.runs.get(name), Some(Run::Refused(_)));
        let units = self.package.units.iter();
        units
            .filter(|it| it.flaw.is_some() || is_refused(&it.name))
            .map(|it| it.name.clone())
            .collect()
    }

    fn file(&self, unit: &Unit) -> PathBuf {
        let data = if self.readers.contains(&unit.name[..]) { self.data } else { 0 };
        let key = fingerprint(&(self.compiler, &unit.key, data));
        self.runner.results().join(format!("{key:032x}.json"))
    }

    fn compile_and_run(&mut self, mut stale: BTreeSet<String>) -> Result<(), Unavailable> {
        let executables = loop {
            let mut without = self.failed();
            without.extend(self.blocked());
            let files = self.package.files(&without);
            cargo::write(&self.runner.package(), &files)?;
            let (binaries, library) = self.targets(&stale);
            if binaries.is_empty() && !library {
                break BTreeMap::new();
            }
            self.out.compiled += 1;
            let made = self.cargo(&binaries)?;
            if made.faults.is_empty() {
                break made.executables;
            }
            self.refuse(&made, &mut stale)?;
        };
        self.run_all(&stale, &executables)
    }

    fn cargo(&self, binaries: &BTreeSet<String>) -> Result<eval::Artifacts, Unavailable> {
        let Local { folder, limits, sandbox, .. } = self.runner;
        let toolchain = self.runner.toolchain()?;
        cargo::build(folder, binaries, self.package, |cargo| {
            sandbox.wrap(cargo, toolchain, folder, *limits)
        })
    }

    fn blocked(&self) -> Vec<String> {
        let is_blocked = |it: &(&String, &Run)| matches!(it.1, Run::Blocked(_));
        self.out.runs.iter().filter(is_blocked).map(|it| it.0.clone()).collect()
    }

    /// The binaries that have something stale, and whether a library has.
    fn targets(&self, stale: &BTreeSet<String>) -> (BTreeSet<String>, bool) {
        let mut binaries = BTreeSet::new();
        let mut library = false;
        for unit in self.package.units.iter().filter(|it| stale.contains(&it.name)) {
            match &unit.role {
                Role::Library { .. } => library = true,
                Role::Program { binary, .. } => drop(binaries.insert(binary.clone())),
            }
        }
        (binaries, library)
    }

    /// Hands each fault to its unit. Each round refuses one more unit at least, so rounds end.
    fn refuse(
        &mut self,
        made: &eval::Artifacts,
        stale: &mut BTreeSet<String>,
    ) -> Result<(), Unavailable> {
        let mut faults: BTreeMap<&str, Vec<eval::Fault>> = BTreeMap::new();
        for fault in &made.faults {
            if let Some(unit) = self.package.culprit(fault) {
                faults.entry(&unit.name).or_default().push(fault.clone());
            }
        }
        // A unit may be at fault only because a library that it needs is.
        let names: BTreeSet<&str> = faults.keys().copied().collect();
        let alone = |name: &&str| {
            let unit = self.package.unit(name);
            !unit.is_some_and(|it| it.needs.iter().any(|it| names.contains(&it[..])))
        };
        let mut culprits: Vec<&str> = names.iter().copied().filter(alone).collect();
        if culprits.is_empty() {
            culprits = names.iter().copied().collect();
        }
        if culprits.is_empty() {
            let why = made.rendered.clone();
            return Err(Unavailable { tried: "cannot compile what the snippets need".into(), why });
        }
        for name in culprits {
            stale.remove(name);
            let run = Run::Refused(faults[name].clone());
            self.keep(name, run)?;
        }
        self.block(stale);
        Ok(())
    }

    fn keep(&mut self, name: &str, run: Run) -> Result<(), Unavailable> {
        if let Some(unit) = self.package.unit(name) {
            cache::store(&self.file(unit), &run)?;
        }
        self.out.runs.insert(name.to_owned(), run);
        Ok(())
    }

    /// Runs every stale program, several at a time.
    fn run_all(
        &mut self,
        stale: &BTreeSet<String>,
        executables: &BTreeMap<String, String>,
    ) -> Result<(), Unavailable> {
        let mut jobs: Vec<Job> = Vec::new();
        for name in stale {
            match self.package.unit(name).map(|it| &it.role) {
                None => {}
                Some(Role::Library { .. }) => self.keep(name, Run::Compiled)?,
                Some(Role::Program { binary, .. }) => {
                    let path = executables.get(binary).ok_or_else(|| Unavailable {
                        tried: format!("cannot run `{name}`"),
                        why: format!("cargo made no program `{binary}`"),
                    })?;
                    let data = self.runner.data.as_deref();
                    let data = data.filter(|_| self.readers.contains(&name[..]));
                    jobs.push(Job { id: name, program: Path::new(path), data });
                }
            }
        }
        self.out.started += jobs.len();
        for (name, run) in run_jobs(&jobs, self.runner) {
            self.keep(&name, run?)?;
        }
        Ok(())
    }
}

/// Runs programs, as many at a time as the machine has processors.
fn run_jobs(jobs: &[Job], runner: &Local) -> BTreeMap<String, Result<Run, Unavailable>> {
    let out = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Local { folder, limits, sandbox, .. } = runner;
                    let run = process::run(*job, folder, *limits, sandbox);
                    let mut out = out.lock().expect("no worker panics while it holds the lock");
                    out.insert(job.id.to_owned(), run);
                }
            });
        }
    });
    out.into_inner().expect("no worker panics while it holds the lock")
}

fn absolute(path: &Path) -> Result<PathBuf, Unavailable> {
    std::path::absolute(path).map_err(|it| at("find", path, &it))
}

/// What failed, at which path, and why.
fn at(tried: &str, path: &Path, why: &std::io::Error) -> Unavailable {
    Unavailable { tried: format!("cannot {tried} `{}`", path.display()), why: why.to_string() }
}
