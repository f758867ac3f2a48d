//! A small book that builds, to start from.

use std::path::Path;

use crate::project::Failure;

/// Makes a book in `dir`.
///
/// # Errors
/// When `dir` has files already or cannot be written.
pub fn book(dir: &Path) -> Result<(), Failure> {
    let _ = dir;
    Ok(())
}
