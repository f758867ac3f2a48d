//! A package on disk to the dependencies that cargo compiles for it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::{absolute, at, cache};
use crate::eval::Unavailable;

/// What of the environment reaches the compiler. Flags for another build do not.
const KEPT: &[&str] = &[
    "ALL_PROXY",
    "CARGO_HOME",
    "CARGO_NET_OFFLINE",
    "HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LOCALAPPDATA",
    "NO_PROXY",
    "PATH",
    "PATHEXT",
    "ProgramData",
    "ProgramFiles",
    "ProgramFiles(x86)",
    "RUSTC_WRAPPER",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SystemRoot",
    "TEMP",
    "TMP",
    "TMPDIR",
    "USERPROFILE",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "windir",
];

/// What of the environment a wrapper of the compiler may need besides: a cache of compilations has
/// its settings there. A confined compiler sees none of it.
const OF_WRAPPERS: &[&str] = &["ACTIONS_", "AWS_", "SCCACHE_", "XDG_CACHE_HOME"];

/// What the author puts before the compiler, as cargo knows it.
pub(super) fn wrapper() -> Option<OsString> {
    std::env::var_os("RUSTC_WRAPPER").filter(|it| !it.is_empty())
}

/// What of the environment the wrapper may need, if there is one.
pub(super) fn of_wrapper() -> impl Iterator<Item = (OsString, OsString)> {
    let wanted = |name: &str| OF_WRAPPERS.iter().any(|it| name.starts_with(it));
    let all = std::env::vars_os().filter(move |it| it.0.to_str().is_some_and(wanted));
    all.filter(|_| wrapper().is_some())
}

/// The compiler that compiles the snippets.
#[derive(Clone, Debug)]
pub(super) struct Toolchain {
    /// The compiler itself, which is not always the `rustc` of the PATH.
    pub(super) rustc: PathBuf,
    /// The folder of the compiler and its libraries.
    pub(super) sysroot: PathBuf,
    /// Where cargo keeps the sources of dependencies.
    pub(super) home: PathBuf,
}

/// Finds the compiler.
pub(super) fn toolchain(package: &Path) -> Result<Toolchain, Unavailable> {
    let sysroot = PathBuf::from(ask(package, &["--print", "sysroot"])?.trim_end());
    let own = sysroot.join("bin").join(format!("rustc{}", std::env::consts::EXE_SUFFIX));
    let rustc = if own.is_file() { own } else { PathBuf::from("rustc") };
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    Ok(Toolchain { rustc, sysroot, home: home.unwrap_or_default() })
}

/// Which compiler there is: all that `rustc -vV` says.
pub(super) fn version(package: &Path) -> Result<String, Unavailable> {
    ask(package, &["-vV"])
}

fn ask(package: &Path, what: &[&str]) -> Result<String, Unavailable> {
    let output = output(command("rustc").args(what).current_dir(package))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Unavailable { tried: format!("cannot ask `rustc {}`", what.join(" ")), why })
}

/// Writes a package and removes what is no longer of it, so that cargo does not find a program of
/// before.
pub(super) fn write(folder: &Path, files: &BTreeMap<String, String>) -> Result<(), Unavailable> {
    remove_others(&folder.join("src"), "src", files)?;
    for (path, text) in files {
        cache::write(&folder.join(path), text)?;
    }
    Ok(())
}

/// Removes files below `src` that are not among `files`.
fn remove_others(
    folder: &Path,
    name: &str,
    files: &BTreeMap<String, String>,
) -> Result<(), Unavailable> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        let inside = format!("{name}/");
        let is_folder = entry.file_type().is_ok_and(|it| it.is_dir());
        let keep =
            files.keys().any(|it| if is_folder { it.starts_with(&inside) } else { *it == name });
        let result = match (is_folder, keep) {
            (true, true) => remove_others(&path, &name, files).map(|()| Ok(()))?,
            (false, true) => Ok(()),
            (true, false) => std::fs::remove_dir_all(&path),
            (false, false) => std::fs::remove_file(&path),
        };
        result.map_err(|it| at("remove", &path, &it))?;
    }
    Ok(())
}

/// Compiles the dependencies of the package in `place`. Returns what cargo says that it made, and
/// what it knows of them. The network is asked only for one that is not on this machine.
pub(super) fn dependencies(place: &Path, target: &Path) -> Result<(String, String), Unavailable> {
    let target = absolute(target)?;
    let mut last = String::new();
    for offline in [true, false] {
        let ask = |arguments: &[&str]| {
            let mut cargo = command("cargo");
            cargo.args(arguments).args(offline.then_some("--offline")).current_dir(place);
            cargo.env("CARGO_TARGET_DIR", &target).envs(of_wrapper());
            output(&mut cargo)
        };
        let made = ask(&["build", "--quiet", "--message-format=json-render-diagnostics"])?;
        if made.status.success() {
            let known = ask(&["metadata", "--format-version=1"])?;
            let text = |it: Vec<u8>| String::from_utf8_lossy(&it).into_owned();
            return Ok((text(made.stdout), text(known.stdout)));
        }
        last = String::from_utf8_lossy(&made.stderr).trim().to_owned();
    }
    Err(Unavailable { tried: "cannot compile what the snippets need".into(), why: last })
}

/// A command in a clean environment.
#[expect(clippy::disallowed_methods, reason = "this is the rim")]
pub(super) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_clear().stdin(Stdio::null());
    command.envs(KEPT.iter().filter_map(|it| Some((it, std::env::var_os(it)?))));
    command
}

/// Runs a command to its end.
pub(super) fn output(command: &mut Command) -> Result<Output, Unavailable> {
    command.output().map_err(|why| {
        let program = command.get_program().to_string_lossy().into_owned();
        let hint = "; install Rust from https://rustup.rs, or put it on the PATH";
        let hint = if why.kind() == std::io::ErrorKind::NotFound { hint } else { "" };
        Unavailable { tried: format!("cannot start `{program}`"), why: format!("{why}{hint}") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_says_what_to_install() {
        let error = output(&mut command("reckoner-has-no-such-program")).unwrap_err();
        assert!(error.to_string().starts_with("cannot start `reckoner-has-no-such-program`: "));
        assert!(error.to_string().contains("install Rust"), "{error}");
        assert!(KEPT.is_sorted(), "a table is read in order");
    }

    #[test]
    fn files_of_before_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let files =
            |paths: &[&str]| paths.iter().map(|it| ((*it).to_owned(), String::new())).collect();
        write(folder.path(), &files(&["Cargo.toml", "src/lib.rs", "src/bin/a/main.rs"])).unwrap();
        write(folder.path(), &files(&["Cargo.toml", "src/lib.rs", "src/bin/b/main.rs"])).unwrap();
        assert!(folder.path().join("src/bin/b/main.rs").exists());
        assert!(!folder.path().join("src/bin/a").exists());
        assert!(folder.path().join("Cargo.toml").exists());
    }
}
