//! runner.
