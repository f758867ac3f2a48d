//! Results on disk, a file for each, named by what it follows from.

use std::path::Path;

use super::at;
use crate::eval::{End, Run, Unavailable};

/// The remembered result; a file that cannot be read is no result.
pub(super) fn load(path: &Path) -> Option<Run> {
    serde_json::from_slice(&read(path)?).ok()
}

#[expect(clippy::disallowed_methods, reason = "this is the rim")]
fn read(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}

/// Keeps a result that would be the same the next time; a time limit or a signal may be the
/// machine's doing, and what differed once is to be told as long as it is there.
pub(super) fn store(path: &Path, run: &Run) -> Result<(), Unavailable> {
    let lasts = match run {
        Run::Blocked(_) | Run::Differs(_) => false,
        Run::Refused(_) | Run::Compiled => true,
        Run::Ran { end, .. } => match end {
            End::Code(_) | End::OutputLimit(_) => true,
            End::Signal(_) | End::TimeLimit(_) => false,
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
