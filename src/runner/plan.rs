//! Stale units to calls of the compiler.
//!
//! Many programs are compiled as one crate, since most of a call is not for the code of a snippet.
//! A few are compiled each by itself, since an edit is of one. What the compiler says of a program
//! is asked again of the program alone, so that nobody's mistakes depend on the neighbours.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::direct::{Direct, Library, Made, Manner};
use super::{Work, base, cargo, direct, parallel};
use crate::eval::{Fault, Role, Run, Told, Unavailable, Unit};
use crate::memo::fingerprint;

/// How many programs are compiled each by itself.
const FEW: usize = 8;

/// Name of a unit → its program.
pub(super) type Programs = BTreeMap<String, PathBuf>;

/// Compiles for one call of the runner.
pub(super) struct Plan {
    direct: Direct,
    book: Library,
}

impl Work<'_> {
    /// Compiles the stale units. Those that cannot be compiled are stale no more.
    pub(super) fn compile(
        &mut self,
        stale: &mut BTreeSet<String>,
    ) -> Result<(Plan, Programs), Unavailable> {
        self.write()?;
        let toolchain = self.runner.toolchain()?.clone();
        let compiler = fingerprint(&(self.compiler, &toolchain.rustc));
        let (base, asked) = base::base(&self.runner.folder, self.package, compiler)?;
        let mut direct = Direct::new(self.runner, toolchain, base, self.package)?;
        direct.clear()?;
        let book = self.library(&mut direct, stale)?;
        self.out.compiled += usize::from(asked) + std::mem::take(&mut direct.started);
        let plan = Plan { direct, book };
        let programs = self.programs(&plan, stale)?;
        Ok((plan, programs))
    }

    /// Writes the package as the site publishes it, for whoever wants to run it by hand.
    fn write(&self) -> Result<(), Unavailable> {
        let flawed = self.package.units.iter().filter(|it| it.flaw.is_some());
        let without = flawed.map(|it| it.name.clone()).collect();
        cargo::write(&self.runner.package(), &self.package.files(&without))
    }

    /// Compiles the library of all chapters. Each round refuses one more unit, so rounds end.
    fn library(
        &mut self,
        direct: &mut Direct,
        stale: &mut BTreeSet<String>,
    ) -> Result<Library, Unavailable> {
        loop {
            let mut without = self.failed();
            without.extend(self.blocked());
            let made = self.package.library(&without, direct.is_warm());
            match direct.book(self.package, &made)? {
                Made::Refused(Told { halted: Some(end), rendered, .. }) => {
                    let Some(name) = self.halting(direct)? else {
                        let why = format!("the compiler was halted: {end:?} {rendered}");
                        let tried = "cannot compile what the snippets need".into();
                        return Err(Unavailable { tried, why });
                    };
                    stale.remove(&name);
                    self.keep(&name, Run::Halted(end))?;
                    self.block(stale);
                }
                Made::Refused(told) => self.refuse(told, stale)?,
                Made::Done(library) => {
                    let compiled = |it: &&Unit| {
                        matches!(it.role, Role::Library { .. }) && stale.contains(&it.name)
                    };
                    for unit in self.package.units.iter().filter(compiled) {
                        self.keep(&unit.name, Run::Compiled)?;
                    }
                    return Ok(library);
                }
            }
        }
    }

    /// The first unit that halts the compiler with nothing beside it but what it needs.
    fn halting(&mut self, direct: &mut Direct) -> Result<Option<String>, Unavailable> {
        let package = self.package;
        let mut out = self.failed();
        out.extend(self.blocked());
        let is_library = |it: &&Unit| matches!(it.role, Role::Library { .. });
        let mut units: Vec<&Unit> = package.units.iter().filter(is_library).collect();
        units.retain(|it| !out.contains(&it.name));
        // What is needed comes before what needs it.
        units.sort_by_key(|it| it.needs.len());
        for unit in &units {
            let others = units.iter().filter(|it| it.name != unit.name);
            let others = others.filter(|it| !unit.needs.contains(&it.name));
            let mut without = out.clone();
            without.extend(others.map(|it| it.name.clone()));
            let made = package.library(&without, direct.is_warm());
            match direct.book(package, &made)? {
                Made::Refused(told) if told.halted.is_some() => return Ok(Some(unit.name.clone())),
                Made::Refused(_) | Made::Done(_) => {}
            }
        }
        Ok(None)
    }

    /// Hands each fault of the library to its unit.
    fn refuse(&mut self, told: Told, stale: &mut BTreeSet<String>) -> Result<(), Unavailable> {
        let mut faults: BTreeMap<&str, Vec<Fault>> = BTreeMap::new();
        for fault in &told.faults {
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
            return Err(direct::refused(told));
        }
        for name in culprits {
            stale.remove(name);
            self.keep(name, Run::Refused(faults[name].clone()))?;
        }
        self.block(stale);
        Ok(())
    }

    /// Compiles the stale programs.
    fn programs(
        &mut self,
        plan: &Plan,
        stale: &mut BTreeSet<String>,
    ) -> Result<Programs, Unavailable> {
        let package = self.package;
        let is_stale =
            |it: &&Unit| matches!(it.role, Role::Program { .. }) && stale.contains(&it.name);
        let (mut alone, together): (Vec<&Unit>, Vec<&Unit>) =
            package.units.iter().filter(is_stale).partition(|it| it.alone);
        let few = together.len() <= FEW;
        let mut programs = Programs::new();
        for optimized in [false, true] {
            let mut group = together.clone();
            group.retain(|it| it.is_optimized() == optimized);
            while group.len() > FEW && !few {
                let manner = Manner { optimized, lines: false };
                self.out.compiled += 1;
                match plan.program(self, &group, manner)? {
                    Made::Done(path) => {
                        programs.extend(group.drain(..).map(|it| (it.name.clone(), path.clone())));
                    }
                    Made::Refused(told) => alone.extend(suspects(&mut group, &told)),
                }
            }
            alone.append(&mut group);
        }
        for (unit, made) in self.each_alone(plan, &alone, false)? {
            match made {
                Made::Done(path) => drop(programs.insert(unit.name.clone(), path)),
                Made::Refused(told) => {
                    stale.remove(&unit.name);
                    let run = match told.halted {
                        Some(end) => Run::Halted(end),
                        None => Run::Refused(told.faults),
                    };
                    self.keep(&unit.name, run)?;
                }
            }
        }
        Ok(programs)
    }

    /// Compiles each of `units` by itself, as many at a time as the machine has processors.
    pub(super) fn each_alone<'a>(
        &mut self,
        plan: &Plan,
        units: &[&'a Unit],
        lines: bool,
    ) -> Result<Vec<(&'a Unit, Made<PathBuf>)>, Unavailable> {
        self.out.compiled += units.len();
        let one = |unit: &&'a Unit| {
            let manner = Manner { optimized: unit.is_optimized(), lines };
            plan.program(self, &[unit], manner)
        };
        let made = parallel(units, one);
        units.iter().copied().zip(made).map(|(unit, made)| Ok((unit, made?))).collect()
    }
}

impl Plan {
    fn program(
        &self,
        work: &Work<'_>,
        units: &[&Unit],
        manner: Manner,
    ) -> Result<Made<PathBuf>, Unavailable> {
        let made = work.package.program(units, self.direct.is_warm());
        self.direct.program(work.package, &made, &self.book, manner)
    }

    /// Removes the programs, which have run.
    pub(super) fn end(self) -> Result<(), Unavailable> {
        self.direct.clear()
    }
}

/// Takes from `group` whom the compiler names; if it names nobody, all of them.
fn suspects<'a>(group: &mut Vec<&'a Unit>, told: &Told) -> Vec<&'a Unit> {
    // A fault in a macro of a library names the library too.
    let named: BTreeSet<&str> =
        told.faults.iter().flat_map(|it| &it.spots).map(|it| &it.path[..]).collect();
    let (suspects, others): (Vec<&Unit>, Vec<&Unit>) =
        group.drain(..).partition(|it| named.contains(&it.path[..]));
    if suspects.is_empty() {
        return others;
    }
    *group = others;
    suspects
}
