//! The book folder to [`Input`]: the only reader of the program.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use include_dir::{Dir, include_dir};
use walkdir::{DirEntry, WalkDir};

use crate::diag::{Checked, Code, Diagnostic, Explained};
use crate::pipeline::Input;
use crate::prose::WORDS;
use crate::render::Theme;
use crate::source::{FileId, Source, Span};

/// The theme that comes with the program.
static THEME: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/themes/default");

const UTF8: Code = Code("read-utf8");

/// What the reader has to say to authors.
pub const CODES: &[Explained] = &[Explained {
    code: UTF8,
    text: "A file has bytes that are not UTF-8, the encoding of all sources. They are shown as the \
           replacement character. Save the file as UTF-8; editors call it so in \"Save with \
           encoding\".",
}];

/// Endings of files that are read as text, as `words.txt` is. Every other file is an asset.
const TEXT: [&str; 5] = ["bib", "lock", "md", "tex", "toml"];

/// Text files above this are refused: no chapter is that long, and spans have 32 bits.
const LARGEST: u64 = 64 << 20;

/// The way out when the system refuses a file.
const HELP: &str = "is it there, and may you read it? see `ls -l`";

/// Marks a folder as one that a build made and may replace. It is no source of a book, wherever it
/// is.
pub const MARK: &str = ".reckoner";

/// What went wrong in the surroundings, with what was tried.
#[derive(Debug)]
pub struct Failure {
    /// What was tried, as in "cannot read `book/one.md`".
    pub tried: String,
    /// What the system says.
    pub reason: String,
    /// A way out.
    pub help: Option<String>,
}

impl Failure {
    /// A failure at a path.
    pub fn at(verb: &str, path: &Path, reason: &impl ToString) -> Self {
        let tried = format!("cannot {verb} `{}`", path.display());
        Self { tried, reason: reason.to_string(), help: None }
    }

    /// Adds a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.tried, self.reason)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

/// Reads the book folder and the theme.
///
/// # Errors
/// When the folder is not there or a file of it cannot be read.
pub fn read(book: &Path) -> Result<Checked<Input>, Failure> {
    find(book)?;
    let mut input = Input { theme: theme(book)?, ..Input::default() };
    let mut diagnostics = Vec::new();
    for (name, path) in files(book)? {
        let extension = name.rsplit_once('.').map_or("", |it| it.1);
        let file = FileId::new(&name);
        if name.starts_with("theme/") {
            continue;
        }
        if TEXT.contains(&extension) || name == WORDS {
            let source = text(&file, &path, &mut diagnostics)?;
            input.sources.insert(file, source);
        } else {
            input.assets.insert(file, bytes(&path)?.into());
        }
    }
    Ok(Checked { value: input, diagnostics })
}

/// Looks whether there is a book folder.
///
/// # Errors
/// When there is none, with what may be meant.
pub fn find(book: &Path) -> Result<(), Failure> {
    if book.is_dir() {
        return Ok(());
    }
    if book.exists() {
        return Err(Failure::at("read the book folder", book, &"it is a file")
            .help("name the folder that has SUMMARY.md by `--book DIR`"));
    }
    let missing = io::Error::from(io::ErrorKind::NotFound);
    let here = Path::new("SUMMARY.md").is_file();
    Err(Failure::at("read the book folder", book, &missing).help(match here {
        true => "this folder looks like one: `--book .`",
        false => "name it by `--book DIR`, or make a book by `reckoner new DIR`",
    }))
}

/// Files below `folder` by their path with slashes, without hidden files, build folders and what
/// editors leave behind.
fn files(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let wanted = |entry: &DirEntry| entry.depth() == 0 || is_wanted(entry);
    let mut out = BTreeMap::new();
    for entry in WalkDir::new(folder).follow_links(true).into_iter().filter_entry(wanted) {
        let entry = entry.map_err(|it| {
            let path = it.path().unwrap_or(folder).to_owned();
            let is_link = path.is_symlink();
            let reason = match it.io_error() {
                Some(error) => error.to_string(),
                None => "the link leads to a folder that it is in".to_owned(),
            };
            Failure::at("read", &path, &reason).help(match is_link {
                true => "mend the link, or take it out of the book folder",
                false => HELP,
            })
        })?;
        if !entry.file_type().is_file() {
            continue;
        }
        let below = entry.path().strip_prefix(folder).expect("walkdir stays below its root");
        let Some(parts) = below.iter().map(|it| it.to_str()).collect::<Option<Vec<_>>>() else {
            let reason = "its name is not UTF-8";
            return Err(Failure::at("use", entry.path(), &reason).help("rename the file"));
        };
        if parts.iter().any(|it| it.contains(char::is_control)) {
            let reason = "its name has a line end or another control character";
            return Err(Failure::at("use", entry.path(), &reason).help("rename the file"));
        }
        out.insert(parts.join("/"), entry.path().to_owned());
    }
    Ok(out)
}

/// Whether a file or folder is of the book: not hidden, not built, not left behind by an editor.
pub fn is_wanted(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    let built = entry.depth() == 1 && matches!(&*name, "target" | "dist");
    let built = built || (entry.file_type().is_dir() && entry.path().join(MARK).exists());
    !built && is_source_name(&name)
}

/// Whether a file name may be of a source: not hidden, not left behind by an editor.
pub fn is_source_name(name: &str) -> bool {
    let dropping = name.ends_with('~')
        || name.ends_with(".swp")
        || name.ends_with(".swx")
        || name.ends_with(".tmp")
        || name.ends_with(".bak")
        || (name.starts_with('#') && name.ends_with('#'))
        || name == "4913";
    !name.starts_with('.') && !dropping
}

#[expect(clippy::disallowed_methods, reason = "this is the only reader")]
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|it| Failure::at("read", path, &it).help(HELP))
}

fn text(file: &FileId, path: &Path, diagnostics: &mut Vec<Diagnostic>) -> Result<Source, Failure> {
    let size = path.metadata().map_or(0, |it| it.len());
    if size > LARGEST {
        let reason = format!("it has {size} bytes, and a text file may have {LARGEST}");
        return Err(Failure::at("read", path, &reason).help("split it into chapters"));
    }
    let bytes = bytes(path)?;
    let (text, bad) = decoded(&bytes);
    let source = Source { file: file.clone(), text: text.into() };
    if let Some(at) = bad {
        let end = at + char::REPLACEMENT_CHARACTER.len_utf8();
        let place = source.place(Span::new(at, end));
        diagnostics.push(
            Diagnostic::error(UTF8, place, "bytes that are not UTF-8")
                .help("save the file as UTF-8"),
        );
    }
    Ok(source)
}

/// Text with `\n` line ends and no byte order mark, and where its first bad byte was.
fn decoded(bytes: &[u8]) -> (String, Option<usize>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lossy = String::from_utf8_lossy(bytes);
    let text = lossy.replace("\r\n", "\n").replace('\r', "\n");
    let bad = std::str::from_utf8(bytes)
        .is_err()
        .then(|| text.find(char::REPLACEMENT_CHARACTER).unwrap_or(0));
    (text, bad)
}

/// The theme that comes with the program.
pub fn embedded_theme() -> Theme {
    let mut all = BTreeMap::new();
    embedded(&THEME, &mut all);
    sorted(all)
}

/// The theme: the one that comes with the program, replaced file by file by `themes/default`
/// beside the book folder and by `theme` in it.
fn theme(book: &Path) -> Result<Theme, Failure> {
    let mut all: BTreeMap<String, Arc<[u8]>> = BTreeMap::new();
    embedded(&THEME, &mut all);
    let beside = book.parent().map(|it| it.join("themes/default"));
    let beside = beside.filter(|it| it.is_dir() && !it.starts_with(book));
    for folder in beside.into_iter().chain([book.join("theme")]).filter(|it| it.is_dir()) {
        for (name, path) in files(&folder)? {
            all.insert(name, bytes(&path)?.into());
        }
    }
    Ok(sorted(all))
}

/// Templates by name apart from all other files.
fn sorted(all: BTreeMap<String, Arc<[u8]>>) -> Theme {
    let mut theme = Theme::default();
    for (name, bytes) in all {
        match name.strip_prefix("templates/") {
            Some(template) => {
                let (text, _) = decoded(&bytes);
                theme.templates.insert(template.to_owned(), text);
            }
            None => {
                theme.assets.insert(name, bytes);
            }
        }
    }
    theme
}

fn embedded(dir: &'static Dir<'static>, out: &mut BTreeMap<String, Arc<[u8]>>) {
    for file in dir.files() {
        let path = file.path().to_str().expect("names of our files are ASCII").replace('\\', "/");
        out.insert(path, file.contents().into());
    }
    for dir in dir.dirs() {
        embedded(dir, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_marks_are_made_one() {
        assert_eq!(decoded(b"\xef\xbb\xbfa\r\nb\rc\n"), ("a\nb\nc\n".into(), None));
        assert_eq!(decoded(b"a\xffb"), ("a\u{fffd}b".into(), Some(1)));
    }

    #[test]
    fn editors_leave_nothing_in_the_book() {
        for name in [".hidden", "a.md~", ".a.md.swp", "#a.md#", "4913", "a.md.swp"] {
            assert!(!is_source_name(name), "{name}");
        }
        assert!(is_source_name("a.md"));
    }
}
