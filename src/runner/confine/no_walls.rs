//! A confinement to nothing, on systems that have no walls for a process without privileges.

use super::{Confinement, Parts};

pub(super) fn parts() -> Parts {
    Parts::default()
}

pub(super) fn put_up(_: &Confinement) -> Result<(), String> {
    Ok(())
}
