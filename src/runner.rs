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

use crate::eval::{self, Package, Run, Runner, Runs, Unavailable, Unit};
use crate::memo::fingerprint;

mod base;
mod cache;
mod cargo;
mod confine;
mod data;
mod direct;
mod plan;
mod process;

pub use confine::enter;
pub use process::Limits;

use cargo::Toolchain;
use confine::Sandbox;
use direct::Made;
use plan::{Plan, Programs};
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
        let toolchain = OnceLock::new();
        Self { folder, limits, sandbox, data: None, compiler: None, toolchain }
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
        let compiler = fingerprint(&(self.compiler()?, direct::manner(), output, walls));
        let readers = package.readers();
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
                let refused = self.out.runs.get(&unit.name).is_some_and(is_refused);
                if unit.flaw.is_none() && !refused {
                    self.out.runs.insert(unit.name.clone(), Run::Blocked(library.clone()));
                }
            }
        }
    }

    /// Names of the units that cannot be given to the compiler, by themselves.
    fn failed(&self) -> BTreeSet<String> {
        let is_refused = |name: &String| self.out.runs.get(name).is_some_and(is_refused);
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
        let (plan, programs) = self.compile(&mut stale)?;
        self.run_all(&plan, &programs)?;
        plan.end()?;
        cache::prune(&self.runner.results());
        Ok(())
    }

    fn blocked(&self) -> Vec<String> {
        let is_blocked = |it: &(&String, &Run)| matches!(it.1, Run::Blocked(_));
        self.out.runs.iter().filter(is_blocked).map(|it| it.0.clone()).collect()
    }

    fn keep(&mut self, name: &str, run: Run) -> Result<(), Unavailable> {
        if let Some(unit) = self.package.unit(name) {
            cache::store(&self.file(unit), &run)?;
        }
        self.out.runs.insert(name.to_owned(), run);
        Ok(())
    }

    /// Runs every program twice, several at a time.
    fn run_all(&mut self, plan: &Plan, programs: &Programs) -> Result<(), Unavailable> {
        let runs = self.run_jobs(programs)?;
        let is_placed = |name: &str, run: &Run| {
            self.package.unit(name).is_none_or(|it| eval::is_placed(self.package, it, run))
        };
        let (placed, lost): (Vec<_>, Vec<_>) =
            runs.into_iter().partition(|(name, run)| is_placed(name, run));
        for (name, run) in placed {
            self.keep(&name, run)?;
        }
        if lost.is_empty() {
            return Ok(());
        }
        // A program that knows its lines is larger and takes longer to compile; few need them.
        let units: Vec<&Unit> = lost.iter().filter_map(|it| self.package.unit(&it.0)).collect();
        let mut lined = Programs::new();
        for (unit, made) in self.each_alone(plan, &units, true)? {
            if let Made::Done(path) = made {
                lined.insert(unit.name.clone(), path);
            }
        }
        let mut runs: BTreeMap<String, Run> = lost.into_iter().collect();
        runs.extend(self.run_jobs(&lined)?);
        runs.into_iter().try_for_each(|(name, run)| self.keep(&name, run))
    }

    fn run_jobs(&mut self, programs: &Programs) -> Result<Vec<(String, Run)>, Unavailable> {
        self.out.started += programs.len();
        // Side by side, so that the wait for one changed snippet is not twice as long.
        let jobs: Vec<(&String, &PathBuf)> = programs.iter().flat_map(|it| [it, it]).collect();
        let Local { folder, limits, sandbox, data, .. } = self.runner;
        let runs = parallel(&jobs, |(name, path)| {
            let data = data.as_deref().filter(|_| self.readers.contains(&name[..]));
            process::run(Job { id: name, program: path, data }, folder, *limits, sandbox)
        });
        let mut runs = runs.into_iter();
        let mut out = Vec::new();
        while let (Some(first), Some(second)) = (runs.next(), runs.next()) {
            out.push(first?.with(second?));
        }
        Ok(programs.keys().cloned().zip(out).collect())
    }
}

/// Whether the compiler did not get through with it.
fn is_refused(run: &Run) -> bool {
    matches!(run, Run::Refused(_) | Run::Halted(_))
}

/// Does something with every item, with as many at a time as the machine has processors.
fn parallel<T: Sync, R: Send>(items: &[T], one: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let done = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = one(item);
                    let mut done = done.lock().expect("no worker panics while it holds the lock");
                    done.insert(index, result);
                }
            });
        }
    });
    let done = done.into_inner().expect("no worker panics while it holds the lock");
    done.into_values().collect()
}

fn absolute(path: &Path) -> Result<PathBuf, Unavailable> {
    std::path::absolute(path).map_err(|it| at("find", path, &it))
}

/// What failed, at which path, and why.
fn at(tried: &str, path: &Path, why: &std::io::Error) -> Unavailable {
    Unavailable { tried: format!("cannot {tried} `{}`", path.display()), why: why.to_string() }
}
