//! Views to pages, by the templates of the theme.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde::Serialize;
use tera::{Context, Tera};

use super::Theme;
use crate::diag::{Code, Diagnostic};
use crate::html::Html;
use crate::memo::fingerprint;
use crate::source::{FileId, Place, Span};

pub(super) const TEMPLATE: Code = Code("render-template");

type Parsed = Result<Arc<Tera>, String>;

/// Templates that were parsed, by their fingerprint. Equal templates give equal parses, so nothing
/// that a page shows depends on what is remembered.
static PARSED: LazyLock<Mutex<BTreeMap<u128, Parsed>>> = LazyLock::new(Mutex::default);

/// How many sets of templates are remembered: more than one only while somebody edits them.
const SETS: usize = 4;

/// Fills the template `name` with `view`. If the theme is at fault, the page is `body` alone.
pub(super) fn fill(
    theme: &Theme,
    name: &str,
    view: &impl Serialize,
    body: &Html,
    diagnostics: &mut Vec<Diagnostic>,
) -> String {
    let filled = parsed(theme).and_then(|it| {
        let context = Context::from_serialize(view).map_err(|it| it.to_string())?;
        it.render(name, &context).map_err(|it| it.to_string())
    });
    filled.unwrap_or_else(|reason| {
        let file = FileId::new(&format!("themes/default/templates/{name}"));
        let place = Place { file, span: Span::NONE };
        let reason = reason.lines().filter(|it| !it.trim().is_empty()).collect::<Vec<_>>();
        let message = format!("the template `{name}` fails: {}", reason.join(" "));
        let diagnostic = Diagnostic::error(TEMPLATE, place, message);
        diagnostics.push(diagnostic.help("mend the template, or remove it to have the default"));
        format!("<!doctype html>\n<meta charset=\"utf-8\">\n<title>{name}</title>\n{body}")
    })
}

fn parsed(theme: &Theme) -> Parsed {
    let print = fingerprint(&theme.templates);
    let lock = || PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = lock().get(&print) {
        return found.clone();
    }
    let mut tera = Tera::default();
    let templates = theme.templates.iter().map(|it| (&it.0[..], &it.1[..]));
    let parsed = tera
        .add_raw_templates(templates.collect::<Vec<_>>())
        .map(|()| Arc::new(tera))
        .map_err(|it| it.to_string());
    let mut remembered = lock();
    if remembered.len() >= SETS {
        remembered.clear();
    }
    remembered.insert(print, parsed.clone());
    parsed
}
