//! `notation.toml` and `macros.toml` to symbols and macros.

use std::collections::BTreeMap;

use super::course::formula;
use super::fields::{self, Fields};
use super::{codes, fragment};
use crate::diag::Diagnostic;
use crate::ir::Symbol;
use crate::math::{Formula, Macro, Macros, Style};
use crate::source::{Source, Span};

/// Fields of a symbol.
const SYMBOL: &[&str] = &["key", "meaning", "scope", "shape", "tex"];

/// Reads the notation table.
pub(super) fn symbols(source: &Source, out: &mut Vec<Diagnostic>) -> Vec<Symbol> {
    let whole = 0..source.text.len();
    let symbols = fields::read(source, whole, codes::TOML, out, |fields, out| {
        let mut symbols = Vec::new();
        for field in fields.all() {
            match field.key {
                "symbol" => {
                    let tables = field.tables(out);
                    symbols.extend(tables.iter().map(|it| symbol(it, out)));
                }
                _ => field.unknown(&["symbol"], codes::BOOK_FIELD, out),
            }
        }
        symbols
    });
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for symbol in &symbols {
        let Some(first) = seen.insert(&symbol.key, symbol.span) else { continue };
        let place = source.place(symbol.span);
        let message = format!("the symbol `{}` is listed twice", symbol.key);
        let diagnostic = Diagnostic::error(codes::SYMBOL, place, message);
        let help = format!("give a local meaning a key of its own, as `{}.local`", symbol.key);
        out.push(diagnostic.help(help).related(source.place(first), "it is listed here first"));
    }
    symbols
}

fn symbol(fields: &Fields<'_>, out: &mut Vec<Diagnostic>) -> Symbol {
    let mut symbol = Symbol {
        key: String::new(),
        tex: Formula { tex: String::new(), style: Style::Inline, span: fields.span },
        meaning: Vec::new(),
        shape: Vec::new(),
        scope: String::new(),
        span: fields.span,
    };
    for field in fields.all() {
        match field.key {
            "key" => {
                symbol.key = field.text(out).map(|it| it.value).unwrap_or_default();
                symbol.span = match field.base() {
                    fragment::Base::At(span) | fragment::Base::Whole(span) => span,
                };
            }
            "tex" => symbol.tex = formula(field, out),
            "meaning" => symbol.meaning = field.inline(out),
            "shape" => symbol.shape = field.inline(out),
            "scope" => symbol.scope = field.text(out).map(|it| it.value).unwrap_or_default(),
            _ => field.unknown(SYMBOL, codes::BOOK_FIELD, out),
        }
    }
    for key in ["key", "tex", "meaning"] {
        if !fields.has(key) {
            fields.missing(key, out);
        }
    }
    symbol
}

/// Reads `macros.toml`: `"\\R" = "\\mathbb R"`.
pub(super) fn macros_toml(source: &Source, out: &mut Vec<Diagnostic>) -> Macros {
    let whole = 0..source.text.len();
    fields::read(source, whole, codes::TOML, out, |fields, out| {
        let mut macros = Macros::default();
        for field in fields.all() {
            let Some(body) = field.tex(out) else { continue };
            let name = format!("\\{}", field.key.trim_start_matches('\\'));
            if macros.0.insert(name.clone(), Macro::from(&body.value[..])).is_some() {
                let place = source.place(field.key_span);
                let message = format!("the macro `{name}` is defined twice");
                out.push(Diagnostic::error(codes::MACRO, place, message).help("remove one"));
            }
        }
        macros
    })
}
