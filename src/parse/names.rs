//! The name of a file to the reason why no chapter can have it.

use crate::source::FileId;

/// Folders of the book folder that hold no sources.
const FOLDERS: &[&str] = &["dist", "target", "theme"];

/// Why the file is not read, whether it is there or not, and a way out.
pub(super) fn refused(file: &FileId) -> Option<(String, String)> {
    let path = file.path();
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |it| it);
    if path.starts_with("../") {
        let message = format!("`{path}` is outside of the book folder");
        return Some((message, "move it into the book folder".to_string()));
    }
    let first = path.split('/').next().unwrap_or_default();
    if FOLDERS.contains(&first) && !folder.is_empty() {
        let message = format!("files of the folder `{first}` are no chapters");
        return Some((message, format!("move `{name}` to another folder")));
    }
    if let Some(hidden) = path.split('/').find(|it| it.starts_with('.')) {
        let message =
            format!("`{hidden}` begins with a dot, and such files and folders are not read");
        let bare = hidden.trim_start_matches('.');
        let help = format!("rename it, as `{}`", if bare.is_empty() { "chapter" } else { bare });
        return Some((message, help));
    }
    if name.ends_with(".md") {
        return None;
    }
    let stem = match name.rsplit_once('.') {
        Some((stem, ending)) if ending.eq_ignore_ascii_case("md") => stem,
        Some(_) | None => name,
    };
    let message = format!("`{path}` cannot be a chapter, since its name does not end in `.md`");
    Some((message, format!("rename the file to `{stem}.md`; lower case matters")))
}
