//! Parts to the files that a browser fetches.
//!
//! `search/index.json` comes first: it says which file has the terms from which on, which file has
//! the entries from which on, how long entries are, and how TeX is read. Every other file has the
//! fingerprint of its bytes in its name, so that a browser may keep it for ever.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::tables::Tables;
use super::{Entry, Whole};
use crate::memo::fingerprint;

/// The file that is fetched first.
const INDEX: &str = "search/index.json";

/// No file grows far beyond this many bytes, before compression.
const SIZE: usize = 24 * 1024;

type Files = BTreeMap<String, Arc<[u8]>>;

/// The files of the index.
pub(super) fn files(whole: &Whole<'_>) -> Files {
    let entries: Vec<&Entry> = whole.parts.iter().flat_map(|it| &it.0).collect();
    let mut files = Files::new();
    let tables = Tables::new(whole.language, whole.engine.macros());
    let lengths: Vec<u32> = entries.iter().map(|it| coarse(it.length)).collect();
    let total: u64 = lengths.iter().map(|it| u64::from(*it)).sum();
    let head = |it: &&Entry| it.title_length.min(99) * 8 + it.kind as u32;
    let index = json!({
        "terms": terms(&entries, &mut files),
        "entries": texts(&entries, &mut files),
        "formulas": formulas(&entries, &mut files),
        "lengths": lengths,
        "heads": entries.iter().map(head).collect::<Vec<u32>>(),
        "mean": total / (entries.len() as u64).max(1),
        "tables": tables,
    });
    files.insert(INDEX.into(), index.to_string().into_bytes().into());
    files
}

/// A length to about one part in eight, so that lengths are few and the index is small.
fn coarse(length: u32) -> u32 {
    let shift = (u32::BITS - length.leading_zeros()).saturating_sub(3);
    length >> shift << shift
}

/// Writes a file and returns its name.
fn write(kind: &str, text: String, files: &mut Files) -> String {
    let name = format!("{kind}-{:016x}.json", fingerprint(&text) >> 64);
    files.insert(format!("search/{name}"), text.into_bytes().into());
    name
}

/// Parts a list, whose items are written already, into files; returns the first of each with the
/// file's name. `open` and `close` stand around the items of a file.
fn shards(
    kind: &str,
    items: Vec<(Value, String)>,
    (open, close): (&str, &str),
    files: &mut Files,
) -> Vec<(Value, String)> {
    let mut out = Vec::new();
    let mut text = String::new();
    let mut first: Option<Value> = None;
    for (key, item) in items {
        if let Some(start) = first.take_if(|_| text.len() + item.len() > SIZE) {
            let full = format!("{open}{}{close}", std::mem::take(&mut text));
            out.push((start, write(kind, full, files)));
        }
        text.push_str(if text.is_empty() { "" } else { ",\n" });
        text.push_str(&item);
        first.get_or_insert(key);
    }
    if let Some(start) = first {
        out.push((start, write(kind, format!("{open}{text}{close}"), files)));
    }
    out
}

/// The terms in the order of JavaScript, each with the entries that have it: how much further each
/// entry is than the one before, and twice how often it has the term, and one more if its title has.
fn terms(entries: &[&Entry], files: &mut Files) -> Vec<(Value, String)> {
    let mut terms: BTreeMap<Vec<u16>, (&str, Vec<usize>)> = BTreeMap::new();
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        for (term, (often, titled)) in &entry.terms {
            let before = last.insert(term, index).unwrap_or_default();
            let (_, list) =
                terms.entry(term.encode_utf16().collect()).or_insert((term, Vec::new()));
            list.push(index - before);
            list.push(*often as usize * 2 + usize::from(*titled));
        }
    }
    let item = |(term, list): (&str, Vec<usize>)| {
        let key = json!(term);
        (key.clone(), format!("{key}:{}", json!(list)))
    };
    shards("t", terms.into_values().map(item).collect(), ("{", "}"), files)
}

/// What results show.
fn texts(entries: &[&Entry], files: &mut Files) -> Vec<(Value, String)> {
    let item = |(index, it): (usize, &&Entry)| {
        let crumbs: Vec<&str> = it.crumbs.iter().map(|it| it.as_str()).collect();
        let shown =
            json!([it.address, it.title.as_str(), crumbs, it.number, it.text, it.drawn.as_str()]);
        (json!(index), shown.to_string())
    };
    shards("e", entries.iter().enumerate().map(item).collect(), ("[", "]"), files)
}

/// The formulas as tokens, each with the entry that has it.
fn formulas(entries: &[&Entry], files: &mut Files) -> Vec<String> {
    let all = entries.iter().enumerate().flat_map(|(index, it)| {
        it.formulas.iter().map(move |it| (json!(index), json!([index, it]).to_string()))
    });
    let shards = shards("f", all.collect(), ("[", "]"), files);
    shards.into_iter().map(|it| it.1).collect()
}
