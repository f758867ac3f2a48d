//! A readable form of the tree without spans, for tests.

use super::Document;

impl Document {
    /// The tree as indented text.
    pub fn dump(&self) -> String {
        format!("{:#?}\n", self.blocks)
    }
}
