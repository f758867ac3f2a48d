//! The package of snippets to results, by the compiler and a process for each program.
//!
//! This is the only place that starts a compiler or a snippet. What it knows is kept below one
//! folder: the package, what cargo built, and a file for each result, named by the content that it
//! follows from. An unchanged snippet costs nothing, whatever is around it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::eval::{self, Package, Role, Run, Runner, Runs, Unavailable, Unit};
use crate::memo::fingerprint;

mod cache;
mod cargo;
mod process;

pub use process::Limits;

/// Compiles with the cargo of this machine and runs what it made.
#[derive(Debug)]
pub struct Local {
    /// `target/reckoner`.
    folder: PathBuf,
    limits: Limits,
    /// What `rustc -vV` says, once it was asked.
    compiler: Option<String>,
}

impl Local {
    /// A runner that keeps everything below `folder`, usually `target/reckoner`.
    pub fn new(folder: impl Into<PathBuf>, limits: Limits) -> Self {
        Self { folder: folder.into(), limits, compiler: None }
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
        let limits = self.limits;
        let compiler = fingerprint(&(self.compiler()?, limits));
        let mut work = Work { runner: self, package, compiler, out: Runs::default() };
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
    /// Fingerprint of the compiler and the limits.
    compiler: u128,
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
        let key = fingerprint(&(self.compiler, &unit.key));
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
            let made = cargo::build(&self.runner.folder, &binaries, self.package)?;
            if made.faults.is_empty() {
                break made.executables;
            }
            self.refuse(&made, &mut stale)?;
        };
        self.run_all(&stale, &executables)
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

    /// Runs every stale program twice, several at a time.
    fn run_all(
        &mut self,
        stale: &BTreeSet<String>,
        executables: &BTreeMap<String, String>,
    ) -> Result<(), Unavailable> {
        let mut jobs: Vec<(&str, &str)> = Vec::new();
        for name in stale {
            match self.package.unit(name).map(|it| &it.role) {
                None => {}
                Some(Role::Library { .. }) => self.keep(name, Run::Compiled)?,
                Some(Role::Program { binary, .. }) => {
                    let path = executables.get(binary).ok_or_else(|| Unavailable {
                        tried: format!("cannot run `{name}`"),
                        why: format!("cargo made no program `{binary}`"),
                    })?;
                    jobs.push((name, path));
                }
            }
        }
        self.out.started += jobs.len();
        // Side by side, so that the wait for one changed snippet is not twice as long.
        let jobs: Vec<_> = jobs.into_iter().flat_map(|it| [it, it]).collect();
        let mut first: BTreeMap<&str, Run> = BTreeMap::new();
        for (name, run) in run_jobs(&jobs, &self.runner.folder, self.runner.limits) {
            match first.remove(name) {
                None => drop(first.insert(name, run?)),
                Some(before) => self.keep(name, before.with(run?))?,
            }
        }
        Ok(())
    }
}

/// Runs programs, as many at a time as the machine has processors.
fn run_jobs<'a>(
    jobs: &[(&'a str, &str)],
    folder: &Path,
    limits: Limits,
) -> Vec<(&'a str, Result<Run, Unavailable>)> {
    let out = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((name, path)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let run = process::run(Path::new(path), name, folder, limits);
                    let mut out = out.lock().expect("no worker panics while it holds the lock");
                    out.push((*name, run));
                }
            });
        }
    });
    out.into_inner().expect("no worker panics while it holds the lock")
}

/// What failed, at which path, and why.
fn at(tried: &str, path: &Path, why: &std::io::Error) -> Unavailable {
    Unavailable { tried: format!("cannot {tried} `{}`", path.display()), why: why.to_string() }
}
