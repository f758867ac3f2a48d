//! Changes of files to a signal to look again.
//!
//! What changed does not matter: a rebuild reads everything and remembers what is equal.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::event::ModifyKind;
use notify::{EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};

use crate::project::{Failure, is_source_name};

/// Long enough for an editor's dance of files, short enough not to be felt.
const DEBOUNCE: Duration = Duration::from_millis(20);

/// Watches folders for as long as it lives.
#[derive(Debug)]
pub struct Watch {
    _debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
    changes: Receiver<()>,
}

/// Watches `folders`.
///
/// # Errors
/// When the system cannot watch them.
pub fn folders(folders: &[PathBuf]) -> Result<Watch, Failure> {
    let (sender, changes) = channel();
    let tell = move |result: DebounceEventResult| {
        let wanted = match &result {
            Ok(events) => events.iter().any(|it| {
                changes_content(it.event.kind) && it.event.paths.iter().any(|it| is_source(it))
            }),
            // An overflow of the system's queue: something changed, we cannot know what.
            Err(_) => true,
        };
        if wanted {
            // Nobody listens only when the program ends.
            let _ = sender.send(());
        }
    };
    let failed = |it: &notify::Error| Failure {
        tried: "cannot watch the book folder".into(),
        reason: it.to_string(),
        help: Some("raise the limit of watches of the system, or use `reckoner build`".into()),
    };
    let mut debouncer = new_debouncer(DEBOUNCE, None, tell).map_err(|it| failed(&it))?;
    for folder in folders {
        debouncer.watch(folder, RecursiveMode::Recursive).map_err(|it| failed(&it))?;
    }
    Ok(Watch { _debouncer: debouncer, changes })
}

impl Watch {
    /// Waits for a change. Changes that came meanwhile count as one. `false` if none can come any
    /// more.
    pub fn wait(&self) -> bool {
        if self.changes.recv().is_err() {
            return false;
        }
        while self.changes.try_recv().is_ok() {}
        true
    }
}

fn changes_content(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => false,
        EventKind::Any
        | EventKind::Create(_)
        | EventKind::Modify(_)
        | EventKind::Remove(_)
        | EventKind::Other => true,
    }
}

fn is_source(path: &Path) -> bool {
    path.file_name().is_none_or(|it| is_source_name(&it.to_string_lossy()))
}
