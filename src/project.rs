//! project.
