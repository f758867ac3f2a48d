//! What a formula may ask of the page: links to safe places, names and classes; nothing else.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use katex::types::{
    ErrorLocationProvider, StrictMode, StrictReturn, StrictSetting, TrustContext, TrustFunction,
    TrustSetting,
};

/// The colour in which the engine writes a command that is not trusted. No author writes it, so a
/// node of this colour in the parse tree is a refused command.
pub(super) const REFUSED: &str = "#f00bad0b";

static STRANGERS: LazyLock<Arc<TrustFunction>> =
    LazyLock::new(|| Arc::new(|it| Some(allows(it, &BTreeSet::new()))));

static STRICT: LazyLock<StrictSetting> =
    LazyLock::new(|| StrictSetting::Function(Arc::new(strict)));

/// Trusts web addresses, and the `addresses` of the book that stand for labels in this formula.
pub(super) fn links(addresses: BTreeSet<String>) -> TrustSetting {
    if addresses.is_empty() {
        return TrustSetting::Function(STRANGERS.clone());
    }
    TrustSetting::Function(Arc::new(move |it| Some(allows(it, &addresses))))
}

fn allows(wish: &TrustContext, addresses: &BTreeSet<String>) -> bool {
    let name = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "-_:. ".contains(c))
    };
    match wish.command.as_str() {
        "\\href" | "\\url" => match wish.protocol.as_deref() {
            Some("http" | "https" | "mailto") => true,
            Some(_) | None => wish.url.as_ref().is_some_and(|it| addresses.contains(it)),
        },
        "\\htmlId" => wish.id.as_deref().is_some_and(name),
        "\\htmlClass" => wish.class.as_deref().is_some_and(name),
        _ => false,
    }
}

/// Where the engine is laxer than LaTeX, the author hears of it.
pub(super) fn lax() -> StrictSetting {
    STRICT.clone()
}

fn strict(code: &str, _: &str, _: Option<&dyn ErrorLocationProvider>) -> Option<StrictReturn> {
    let mode = match code {
        // Trust decides on these; `\sout` in maths is harmless.
        "htmlExtension" | "mathVsSout" => StrictMode::Ignore,
        _ => StrictMode::Error,
    };
    Some(StrictReturn::Mode(mode))
}
