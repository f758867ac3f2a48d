//! A finished site to a folder: the only writer of the program.
//!
//! The folder is written whole beside the old one and then takes its place, so that a reader, a
//! full disk or a crash never meets half of a site.

use std::fs;
use std::path::{Path, PathBuf};

use crate::pipeline::Site;
use crate::project::Failure;

/// Marks a folder as one that this program made and may replace.
const MARK: &str = ".reckoner";

/// Writes `site` to `out`, in place of what an earlier build put there.
///
/// # Errors
/// When a file cannot be written, or `out` is a folder that this program did not make. The old
/// site is then as it was.
pub fn write(site: &Site, out: &Path) -> Result<(), Failure> {
    let out = absolute(out)?;
    check_own(&out)?;
    let fresh = beside(&out, "new")?;
    remove(&fresh)?;
    let written = fill(site, &fresh);
    if let Err(failure) = written {
        // The half-written folder is ours alone; if it cannot be removed, the next build does.
        let _ = remove(&fresh);
        return Err(failure.help(
            "the last site is as it was; free some room or name another \
                                 folder by `--out DIR`",
        ));
    }
    swap(&fresh, &out)
}

/// Removes what `write` has made.
///
/// # Errors
/// When `out` is a folder that this program did not make, or cannot be removed.
pub fn clean(out: &Path) -> Result<(), Failure> {
    let out = absolute(out)?;
    check_own(&out)?;
    for leftover in ["new", "old"] {
        remove(&beside(&out, leftover)?)?;
    }
    remove(&out)
}

fn absolute(out: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(out).map_err(|it| Failure::at("find", out, &it))
}

fn check_own(out: &Path) -> Result<(), Failure> {
    let Ok(entries) = fs::read_dir(out) else {
        return match out.symlink_metadata() {
            Ok(meta) if !meta.is_dir() => {
                Err(Failure::at("write to", out, &"it is a file, not a folder"))
            }
            Ok(_) | Err(_) => Ok(()),
        };
    };
    let is_empty = entries.into_iter().next().is_none();
    if is_empty || out.join(MARK).exists() {
        return Ok(());
    }
    let reason = "it has files that no build of a book put there";
    Err(Failure::at("replace", out, &reason)
        .help("name another folder by `--out DIR`, or empty it yourself"))
}

fn beside(out: &Path, word: &str) -> Result<PathBuf, Failure> {
    let Some(name) = out.file_name() else {
        return Err(Failure::at("write to", out, &"it has no name"));
    };
    Ok(out.with_file_name(format!(".{}.{word}", name.to_string_lossy())))
}

fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::at("remove", folder, &error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn fill(site: &Site, folder: &Path) -> Result<(), Failure> {
    create(folder)?;
    put(&folder.join(MARK), b"")?;
    for (path, bytes) in site {
        let target = folder.join(path);
        if let Some(parent) = target.parent() {
            create(parent)?;
        }
        put(&target, bytes)?;
    }
    Ok(())
}

fn create(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|it| Failure::at("make the folder", folder, &it))
}

#[expect(clippy::disallowed_methods, reason = "this is the only writer")]
fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|it| Failure::at("write", path, &it))
}

/// Puts `fresh` in the place of `out`; if that fails, the old one comes back.
fn swap(fresh: &Path, out: &Path) -> Result<(), Failure> {
    let old = beside(out, "old")?;
    remove(&old)?;
    let had = out.exists();
    if had {
        fs::rename(out, &old).map_err(|it| Failure::at("move aside", out, &it))?;
    }
    if let Err(error) = fs::rename(fresh, out) {
        if had {
            let _ = fs::rename(&old, out);
        }
        return Err(Failure::at("put the new site in the place of", out, &error));
    }
    remove(&old)
}
