//! Results on disk, a file for each, named by what it follows from.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::at;
use crate::eval::{End, Run, Unavailable};

/// The remembered result; a file that cannot be read is no result.
pub(super) fn load(path: &Path) -> Option<Run> {
    let run = serde_json::from_slice(&read(path)?).ok()?;
    if age(path).is_some_and(|it| it > DAY) {
        // It is asked for. That it cannot be noted means that it is looked for again one day.
        let _ = File::open(path).and_then(|it| it.set_modified(now()));
    }
    Some(run)
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a result is kept that no build asks for.
const KEPT: Duration = DAY.saturating_mul(30);

/// Removes the results that no build has asked for in a long time. One that stays is no harm.
pub(super) fn prune(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if age(&entry.path()).is_some_and(|it| it > KEPT) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// How long ago a result was made or, by the day, asked for.
fn age(path: &Path) -> Option<Duration> {
    now().duration_since(path.metadata().ok()?.modified().ok()?).ok()
}

#[expect(clippy::disallowed_methods, reason = "the clock says what is kept, never what it is")]
fn now() -> SystemTime {
    SystemTime::now()
}

#[expect(clippy::disallowed_methods, reason = "this is the rim")]
pub(super) fn read(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}

/// Keeps a result that would be the same the next time; a time limit or a signal may be the
/// machine's doing, and what differed once is to be told as long as it is there.
pub(super) fn store(path: &Path, run: &Run) -> Result<(), Unavailable> {
    let lasts = match run {
        Run::Blocked(_) | Run::Halted(_) | Run::Differs(_) => false,
        // A crate that is not found is the fault of what is on this machine today.
        Run::Refused(faults) => !faults.iter().any(|it| it.code.as_deref() == Some("E0463")),
        Run::Compiled => true,
        Run::Ran { end, .. } => match end {
            End::Code(_) | End::OutputLimit(_) => true,
            End::Signal(_)
            | End::TimeLimit(_)
            | End::ProcessorLimit(_)
            | End::MemoryLimit { .. }
            | End::StackLimit(_)
            | End::ThreadLimit(_)
            | End::FileLimit(_) => false,
        },
    };
    if !lasts {
        return Ok(());
    }
    let text = serde_json::to_string(run).expect("a result has text and numbers only");
    write(path, &text)
}

/// Writes a file whole or not at all, and only if it changes.
#[expect(clippy::disallowed_methods, reason = "this is the rim")]
pub(super) fn write(path: &Path, text: &str) -> Result<(), Unavailable> {
    if read(path).is_some_and(|it| it == text.as_bytes()) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|it| at("make the folder", folder, &it))?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = Path::new(&beside);
    std::fs::write(beside, text).map_err(|it| at("write", beside, &it))?;
    std::fs::rename(beside, path).map_err(|it| at("write", path, &it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_asks_for_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let made = |name: &str, days: u32| {
            let path = folder.path().join(name);
            store(&path, &Run::Compiled).unwrap();
            File::open(&path).unwrap().set_modified(now() - DAY * days).unwrap();
            path
        };
        let (fresh, asked, old) = (made("a.json", 29), made("b.json", 31), made("c.json", 31));
        assert_eq!(load(&asked), Some(Run::Compiled));
        prune(folder.path());
        assert_eq!([&fresh, &asked, &old].map(|it| it.exists()), [true, true, false]);
    }
}
