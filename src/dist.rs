//! A finished site to a folder: the only writer of the program.
//!
//! The folder is written whole beside the old one and then takes its place, so that a reader, a
//! full disk or a crash never meets half of a site. A list in it says which files a build has put
//! there; what somebody else has put there, as `.git` or `CNAME`, is carried over.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::pipeline::Site;
use crate::project::{Failure, MARK};

/// Writes `site` to `out`, in place of what an earlier build put there.
///
/// # Errors
/// When a file cannot be written, or `out` is a folder that this program did not make, or has a
/// file of somebody else where the site has one. The old site is then as it was.
pub fn write(site: &Site, out: &Path) -> Result<(), Failure> {
    let out = real(out)?;
    recover(&out)?;
    check_own(&out)?;
    let foreign = foreign(&out)?;
    check_room(site, &out, &foreign)?;
    let fresh = beside(&out, "new")?;
    remove(&fresh)?;
    let written = fill(site, &fresh).and_then(|()| swap(site, &fresh, &out));
    written.map_err(|failure| {
        // The half-written folder is ours alone; if it cannot be removed, the next build does.
        let _ = remove(&fresh);
        let last = if out.exists() { "the last site is as it was; " } else { "" };
        failure.help(format!("{last}free some room or name another folder by `--out DIR`"))
    })
}

/// Removes what `write` has made. What somebody else has put there stays, and is returned.
///
/// # Errors
/// When `out` is a folder that this program did not make, or cannot be removed.
pub fn clean(out: &Path) -> Result<Vec<PathBuf>, Failure> {
    let out = real(out)?;
    recover(&out)?;
    check_own(&out)?;
    remove(&beside(&out, "new")?)?;
    let foreign = foreign(&out)?;
    if foreign.is_empty() {
        remove(&out)?;
        return Ok(foreign);
    }
    let own = listed(&out).unwrap_or_default();
    remove_files(&out, own.iter())?;
    remove_file(&out.join(MARK))?;
    Ok(foreign.into_iter().map(|it| out.join(it)).collect())
}

/// The folder itself without `..`, also where `out` is a link to it: the link stays.
fn real(out: &Path) -> Result<PathBuf, Failure> {
    let found = match out.canonicalize() {
        Ok(found) => Ok(found),
        // It is not there yet, but the folder that it will be in may be.
        Err(_) => match (out.parent(), out.file_name()) {
            (Some(parent), Some(name)) if !parent.as_os_str().is_empty() => {
                parent.canonicalize().map(|it| it.join(name)).or_else(|_| std::path::absolute(out))
            }
            _ => std::path::absolute(out),
        },
    };
    found.map_err(|it| Failure::at("find", out, &it).help("name another folder by `--out DIR`"))
}

/// Finishes what a crash left between the steps of [`swap`].
fn recover(out: &Path) -> Result<(), Failure> {
    let old = beside(out, "old")?;
    if !old.join(MARK).exists() {
        return Ok(());
    }
    if !out.exists() {
        return fs::rename(&old, out).map_err(|it| Failure::at("bring back", out, &it));
    }
    carry_over(&old, out)?;
    remove(&old)
}

fn check_own(out: &Path) -> Result<(), Failure> {
    let Ok(entries) = fs::read_dir(out) else {
        return match out.symlink_metadata() {
            Ok(meta) if !meta.is_dir() => {
                Err(Failure::at("write to", out, &"it is a file, not a folder")
                    .help("name a folder by `--out DIR`"))
            }
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                Err(Failure::at("write to", out, &error).help("name a folder by `--out DIR`"))
            }
            Ok(_) | Err(_) => Ok(()),
        };
    };
    let is_empty = entries.into_iter().next().is_none();
    if is_empty || out.join(MARK).exists() {
        return Ok(());
    }
    let reason = "no build of a book made this folder";
    Err(Failure::at("touch", out, &reason)
        .help("name another folder by `--out DIR`, or empty it yourself"))
}

/// The files that the last build put into `out`; `None` if it left no list.
fn listed(out: &Path) -> Option<BTreeSet<String>> {
    let bytes = crate::project::bytes(&out.join(MARK)).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    (!text.is_empty()).then(|| text.lines().map(str::to_owned).collect())
}

/// What is in `out` and was put there by nobody but its owner: files, and folders that hold
/// nothing of ours.
fn foreign(out: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let Some(own) = listed(out) else { return Ok(found) };
    let folders: BTreeSet<&Path> =
        own.iter().flat_map(|it| Path::new(it).ancestors().skip(1)).collect();
    let mut open = vec![PathBuf::new()];
    while let Some(folder) = open.pop() {
        let here = out.join(&folder);
        let failed = |it| Failure::at("read", &here, &it);
        for entry in fs::read_dir(&here).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = folder.join(entry.file_name());
            let is_folder = entry.file_type().is_ok_and(|it| it.is_dir());
            if is_folder && folders.contains(path.as_path()) {
                open.push(path);
            } else if !path.to_str().is_some_and(|it| it == MARK || own.contains(it)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Refuses a site that would have a file where somebody else's is.
fn check_room(site: &Site, out: &Path, foreign: &[PathBuf]) -> Result<(), Failure> {
    let names: BTreeSet<&Path> = site.keys().flat_map(|it| Path::new(it).ancestors()).collect();
    let taken = |it: &&PathBuf| {
        names.contains(it.as_path())
            || it.ancestors().any(|it| it.to_str().is_some_and(|it| site.contains_key(it)))
    };
    let Some(path) = foreign.iter().find(taken) else { return Ok(()) };
    let reason = "the site has a file of that name, and no build put this one there";
    Err(Failure::at("replace", &out.join(path), &reason).help("move it away or rename it"))
}

fn beside(out: &Path, word: &str) -> Result<PathBuf, Failure> {
    let Some(name) = out.file_name() else {
        return Err(Failure::at("write to", out, &"it is the root of all folders")
            .help("name a folder by `--out DIR`"));
    };
    Ok(out.with_file_name(format!(".{}.{word}", name.to_string_lossy())))
}

fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::at("remove", folder, &error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn remove_file(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::at("remove", path, &error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Removes files below `out`, and the folders that this leaves empty.
fn remove_files<'a>(out: &Path, files: impl Iterator<Item = &'a String>) -> Result<(), Failure> {
    let mut folders = BTreeSet::new();
    for file in files {
        remove_file(&out.join(file))?;
        folders.extend(Path::new(file).ancestors().skip(1).filter(|it| *it != Path::new("")));
    }
    // The deepest first; one that holds something else stays.
    for folder in folders.iter().rev() {
        let _ = fs::remove_dir(out.join(folder));
    }
    Ok(())
}

/// The list of files that a build puts into its folder.
fn list(site: &Site) -> String {
    site.keys().map(|it| format!("{it}\n")).collect()
}

fn fill(site: &Site, folder: &Path) -> Result<(), Failure> {
    create(folder)?;
    put(&folder.join(MARK), list(site).as_bytes())?;
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
fn swap(site: &Site, fresh: &Path, out: &Path) -> Result<(), Failure> {
    let old = beside(out, "old")?;
    remove(&old)?;
    let had = out.exists();
    if had && let Err(error) = fs::rename(out, &old) {
        // A folder that something is mounted on cannot be moved.
        return match error.kind() {
            ErrorKind::ResourceBusy => {
                replace_inside(site, out)?;
                remove(fresh)
            }
            _ => Err(Failure::at("move aside", out, &error)),
        };
    }
    if let Err(error) = fs::rename(fresh, out) {
        if had {
            let _ = fs::rename(&old, out);
        }
        return Err(Failure::at("put the new site in the place of", out, &error));
    }
    if had {
        carry_over(&old, out)?;
    }
    remove(&old)
}

/// Moves what is not of a build from an old site to the new one. [`check_room`] has seen that there
/// is room for it.
fn carry_over(old: &Path, out: &Path) -> Result<(), Failure> {
    for path in foreign(old)? {
        let target = out.join(&path);
        if let Some(parent) = target.parent() {
            create(parent)?;
        }
        fs::rename(old.join(&path), &target).map_err(|it| Failure::at("move", &target, &it))?;
    }
    Ok(())
}

/// Writes the site file by file into a folder that cannot be moved. Each file is whole at any time;
/// pages come after what they need.
fn replace_inside(site: &Site, out: &Path) -> Result<(), Failure> {
    let mut stale = listed(out).unwrap_or_default();
    let known: BTreeSet<String> = stale.iter().chain(site.keys()).cloned().collect();
    let known: String = known.iter().map(|it| format!("{it}\n")).collect();
    put(&out.join(MARK), known.as_bytes())?;
    let is_page = |path: &str| path.ends_with(".html");
    let (pages, other): (Vec<_>, Vec<_>) = site.iter().partition(|it| is_page(it.0));
    for (path, bytes) in other.into_iter().chain(pages) {
        let target = out.join(path);
        if let Some(parent) = target.parent() {
            create(parent)?;
        }
        let half = beside(&target, "new")?;
        put(&half, bytes)?;
        fs::rename(&half, &target).map_err(|it| Failure::at("write", &target, &it))?;
        stale.remove(path);
    }
    remove_files(out, stale.iter())?;
    put(&out.join(MARK), list(site).as_bytes())
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

    #[test]
    fn what_somebody_else_put_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        write(&site("one"), &out).unwrap();
        for path in [".git/HEAD", "CNAME", "part/mine.txt", "own/x.txt"] {
            create(out.join(path).parent().unwrap()).unwrap();
            put(&out.join(path), b"mine").unwrap();
        }
        write(&Site::from([("b.html".to_owned(), b"two"[..].into())]), &out).unwrap();
        assert!(!out.join("part/a.html").exists() && text(&out.join("b.html")) == "two");
        for path in [".git/HEAD", "CNAME", "part/mine.txt", "own/x.txt"] {
            assert_eq!(text(&out.join(path)), "mine", "{path}");
        }
        for taken in ["CNAME", "own", "own/x.txt/y"] {
            let bad = Site::from([(taken.to_owned(), b"x"[..].into())]);
            let failure = write(&bad, &out).unwrap_err().to_string();
            assert!(failure.contains("no build put this one there"), "{failure}");
        }
        let kept = clean(&out).unwrap();
        let names = [".git", "CNAME", "own", "part"].map(|it| out.canonicalize().unwrap().join(it));
        assert_eq!(kept, names);
        assert!(!out.join("b.html").exists() && !out.join(MARK).exists());
    }

    #[test]
    fn a_crash_before_the_last_step_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (out, old) = (folder.path().join("dist"), folder.path().join(".dist.old"));
        write(&site("one"), &old).unwrap();
        put(&old.join("CNAME"), b"mine").unwrap();
        write(&site("two"), &out).unwrap();
        assert_eq!(
            (text(&out.join("CNAME")), text(&out.join("index.html"))),
            ("mine".into(), "two".into())
        );
        assert!(!old.exists());
    }

    #[test]
    fn a_way_that_leads_through_the_folder_itself_is_fine() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        write(&site("one"), &out).unwrap();
        write(&site("two"), &out.join("part/../../dist")).unwrap();
        assert_eq!(text(&out.join("index.html")), "two");
    }

    #[test]
    fn a_folder_that_cannot_be_moved_is_filled_file_by_file() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        write(&site("one"), &out).unwrap();
        put(&out.join("CNAME"), b"mine").unwrap();
        replace_inside(&Site::from([("b.html".to_owned(), b"two"[..].into())]), &out).unwrap();
        let names: BTreeSet<_> =
            fs::read_dir(&out).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(names, ["b.html", "CNAME", MARK].map(Into::into).into());
        assert_eq!(listed(&out), Some(["b.html".to_owned()].into()));
    }
}
