//! The snippets of the book to programs, and what they printed to typed outputs.

use std::collections::BTreeMap;

use crate::value::Value;

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
