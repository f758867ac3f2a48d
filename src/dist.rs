//! dist.
