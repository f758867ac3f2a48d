//! A finished site to a folder: the only writer of the program.
//!
//! The folder is written whole beside the old one and then takes its place, so that a reader, a
//! full disk or a crash never meets half of a site.

use std::fs;
use std::path::{Path, PathBuf};

use crate::pipeline::Site;
use crate::project::{Failure, MARK};

/// Writes `site` to `out`, in place of what an earlier build put there.
///
/// # Errors
/// When a file cannot be written, or `out` is a folder that this program did not make. The old
/// site is then as it was.
pub fn write(site: &Site, out: &Path) -> Result<(), Failure> {
    let out = real(out)?;
    restore(&out)?;
    check_own(&out)?;
    let fresh = beside(&out, "new")?;
    remove(&fresh)?;
    let written = fill(site, &fresh).and_then(|()| swap(&fresh, &out));
    written.map_err(|failure| {
        // The half-written folder is ours alone; if it cannot be removed, the next build does.
        let _ = remove(&fresh);
        let last = if out.exists() { "the last site is as it was; " } else { "" };
        failure.help(format!("{last}free some room or name another folder by `--out DIR`"))
    })
}

/// Writes one file, whole or not at all.
///
/// # Errors
/// When it cannot be written. The old one is then as it was.
pub fn put_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    // A link stays a link.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let fresh = beside(path, "new")?;
    let written = put(&fresh, bytes);
    let moved = written
        .and_then(|()| fs::rename(&fresh, path).map_err(|it| Failure::at("write", path, &it)));
    moved.inspect_err(|_| drop(fs::remove_file(&fresh)))
}

/// Removes what `write` has made.
///
/// # Errors
/// When `out` is a folder that this program did not make, or cannot be removed.
pub fn clean(out: &Path) -> Result<(), Failure> {
    let out = real(out)?;
    check_own(&out)?;
    for leftover in ["new", "old"] {
        remove(&beside(&out, leftover)?)?;
    }
    remove(&out)
}

/// The folder itself, where `out` is a link to it: the link stays.
fn real(out: &Path) -> Result<PathBuf, Failure> {
    let found = if out.is_symlink() { out.canonicalize() } else { std::path::absolute(out) };
    found.map_err(|it| Failure::at("find", out, &it).help("name another folder by `--out DIR`"))
}

/// Brings back a site that a crash left aside between the two renames of [`swap`].
fn restore(out: &Path) -> Result<(), Failure> {
    let old = beside(out, "old")?;
    if out.exists() || !old.join(MARK).exists() {
        return Ok(());
    }
    fs::rename(&old, out).map_err(|it| Failure::at("bring back", out, &it))
}

fn check_own(out: &Path) -> Result<(), Failure> {
    let Ok(entries) = fs::read_dir(out) else {
        return match out.symlink_metadata() {
            Ok(meta) if !meta.is_dir() => {
                Err(Failure::at("write to", out, &"it is a file, not a folder")
                    .help("name a folder by `--out DIR`"))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
                Err(Failure::at("write to", out, &error).help("name a folder by `--out DIR`"))
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
        return Err(
            Failure::at("write to", out, &"it has no name").help("name a folder by `--out DIR`")
        );
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

#[cfg(test)]
mod tests {
    use super::*;

    fn site(text: &str) -> Site {
        [("index.html", text), ("part/a.html", text)]
            .map(|(path, text)| (path.to_owned(), text.as_bytes().into()))
            .into()
    }

    fn text(path: &Path) -> String {
        String::from_utf8(crate::project::bytes(path).unwrap()).unwrap()
    }

    #[test]
    fn a_site_takes_the_place_of_the_last_one() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        write(&site("one"), &out).unwrap();
        write(&Site::from([("b.html".to_owned(), b"two"[..].into())]), &out).unwrap();
        assert!(!out.join("index.html").exists() && text(&out.join("b.html")) == "two");
        let beside = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(beside, 1, "nothing is left beside it");
    }

    #[test]
    fn a_crash_between_the_renames_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        write(&site("one"), &out).unwrap();
        fs::rename(&out, folder.path().join(".dist.old")).unwrap();
        // This site cannot be written: one path is a file and a folder.
        let pair = |path: &str| (path.to_owned(), b"x"[..].into());
        let bad = Site::from([pair("a"), pair("a/b")]);
        let failure = write(&bad, &out).unwrap_err().to_string();
        assert!(failure.contains("the last site is as it was"), "{failure}");
        assert_eq!(text(&out.join("part/a.html")), "one");
    }

    #[test]
    fn a_link_to_the_folder_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("dist"));
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&site("one"), &link).unwrap();
        assert!(link.is_symlink() && text(&real.join("index.html")) == "one");
        clean(&link).unwrap();
        assert!(!real.exists());
    }
}
