//! A small book that builds, to start from.

use std::fs;
use std::path::Path;

use include_dir::{Dir, include_dir};

use crate::project::Failure;

static TEMPLATE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/create/template");

/// Makes a folder with a book in it.
///
/// # Errors
/// When `dir` has files already or cannot be written.
pub fn book(dir: &Path) -> Result<(), Failure> {
    let taken = match fs::read_dir(dir) {
        Ok(mut entries) => entries.next().is_some().then_some("it is there already and not empty"),
        Err(_) => dir.exists().then_some("it is a file"),
    };
    if let Some(reason) = taken {
        return Err(
            Failure::at("make a book in", dir, &reason).help("name a folder that is not there yet")
        );
    }
    put(&TEMPLATE, dir)
}

#[expect(clippy::disallowed_methods, reason = "a new book is written once, by this command")]
fn put(from: &Dir<'_>, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to).map_err(|it| Failure::at("make the folder", to, &it))?;
    for file in from.files() {
        let name = file.path().file_name().expect("a file has a name");
        // A file that began with a dot here would be at work in this repository.
        let name = if name == "gitignore" { ".gitignore".as_ref() } else { name };
        let path = to.join(name);
        fs::write(&path, file.contents()).map_err(|it| Failure::at("write", &path, &it))?;
    }
    for folder in from.dirs() {
        let name = folder.path().file_name().expect("a folder has a name");
        put(folder, &to.join(name))?;
    }
    Ok(())
}
