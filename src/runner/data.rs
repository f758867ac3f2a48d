//! The folder of files that snippets may read to what it has in it.

use std::collections::BTreeMap;
use std::path::Path;

use super::at;
use crate::eval::Unavailable;
use crate::memo::fingerprint as print;

/// A fingerprint of every file and name in a folder.
pub(super) fn fingerprint(folder: &Path) -> Result<u128, Unavailable> {
    let mut out = BTreeMap::new();
    collect(folder, "", &mut out)?;
    Ok(print(&out))
}

#[expect(clippy::disallowed_methods, reason = "this is the rim")]
fn collect(folder: &Path, name: &str, out: &mut BTreeMap<String, u128>) -> Result<(), Unavailable> {
    let failed = |path: &Path, it: std::io::Error| at("read", path, &it);
    for entry in std::fs::read_dir(folder).map_err(|it| failed(folder, it))? {
        let entry = entry.map_err(|it| failed(folder, it))?;
        let path = entry.path();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(|it| failed(&path, it))?;
        if kind.is_dir() {
            collect(&path, &name, out)?;
        } else if kind.is_file() {
            let bytes = std::fs::read(&path).map_err(|it| failed(&path, it))?;
            out.insert(name, print(&bytes));
        } else {
            // A link that leads out of the folder cannot be followed by a snippet.
            let target = std::fs::read_link(&path).unwrap_or_default();
            out.insert(name, print(&target));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "a test touches the world")]
    #[test]
    fn any_change_of_a_file_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a/b.csv");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let mut seen = BTreeSet::new();
        seen.insert(fingerprint(folder.path()).unwrap());
        for text in ["1,2", "1,3"] {
            std::fs::write(&file, text).unwrap();
            assert!(seen.insert(fingerprint(folder.path()).unwrap()));
        }
        std::fs::rename(&file, file.with_file_name("c.csv")).unwrap();
        assert!(seen.insert(fingerprint(folder.path()).unwrap()));
    }
}
