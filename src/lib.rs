//! Compiles a folder of Markdown into one linked book: a static site and a PDF.
//!
//! The program is one straight line, and [`pipeline::build`] is that line.
//!
//! ```text
//! book/ themes/
//!    │ project::read                                            effect
//!    ▼
//!  Input ─ parse::document ─▶ Document                          per chapter
//!                                │ eval
//!                                ▼
//!                             Program ─ run ─▶ Output           effect, injected
//!                                │
//!                                ├ link::book ─▶ Index + Links  whole book
//!                                ▼
//!      Chapter { document, outputs, links, theme }
//!                                │ render::page ─▶ Page         per chapter
//!                                │ search::chapter ─▶ Part      per chapter
//!      Volume  { documents, outputs, links }
//!                                │ typeset::pdf ─▶ bytes        per book
//!                                ▼
//!                 Site (path → bytes) ─ dist::write ─▶ dist/    effect
//!                                     └ serve ─▶ browser        effect
//! ```
//!
//! Three invariants hold the line straight, and tests hold the invariants:
//!
//! 1. **One way.** A module uses only modules declared above it in this file.
//! 2. **Pure stages.** No stage reads a file, asks the time, starts a process, prints, or knows
//!    that it is cached.
//! 3. **Facts beside, not inside.** The document is never changed after `parse`. Numbers, targets
//!    and outputs are values of their own, beside it.

// Words that know no stage.
pub mod source;

pub mod diag;

pub mod memo;

pub mod html;

pub mod archive;

pub mod value;

// What the stages speak of.
pub mod math;

pub mod ir;

// The stages, in the order in which they run.
pub mod parse;

pub mod eval;

pub mod cite;

pub mod picture;

pub mod prose;

pub mod link;

pub mod coverage;

pub mod search;

pub mod render;

pub mod typeset;

// The line that joins them.
pub mod pipeline;

// The rim: everything that touches the world.
pub mod project;

pub mod explain;

pub mod create;

pub mod runner;

pub mod dist;

pub mod report;

pub mod watch;

pub mod serve;
