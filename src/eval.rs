//! The snippets of the book to programs, and what they printed to typed outputs.
//!
//! [`package`] tangles all snippets into one Cargo package. Somebody else compiles and runs it: a
//! [`Runner`], which is the only effect here and is given from outside. [`outputs`] turns what the
//! programs did into values, or into messages at the line of the Markdown that is to blame.
//!
//! Every place in a [`Run`] is a line and column of a file of the package, and such a file holds
//! nothing but its snippet and a head of fixed length. So a result stays right wherever the
//! snippet moves in its chapter, and can be remembered by the content of the snippet alone.

use std::collections::BTreeMap;

use crate::value::Value;

mod codes;
mod crates;
mod echo;
mod endings;
mod json;
mod lex;
mod manifest;
mod names;
mod outputs;
mod package;
mod record;
mod run;
mod rustc;
mod signs;
mod tangle;
mod uses;

pub use codes::CODES;
pub use crates::Crate;
pub use echo::Echo;
pub use json::values_json;
pub use outputs::{is_placed, outputs};
pub use package::{Package, Role, Unit};
pub use run::{End, Fault, Run, Runner, Runs, Spot, Unavailable};
pub use rustc::{Told, halted, told};
pub use tangle::package;
pub use uses::{Placed, of_chapter, placed_by, value, values};

/// What the snippets of a chapter (and those that it mentions) showed, by snippet id.
pub type Outputs = BTreeMap<String, Output>;

/// What one snippet showed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Output {
    /// Keys and values in the order in which they were shown.
    pub shown: Vec<Shown>,
    /// Why it failed, for the place where its output would be; details are in the diagnostics.
    pub failure: Option<String>,
}

/// A value under a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shown {
    /// The key given to `show!`.
    pub key: String,
    /// The value.
    pub value: Value,
}
