//! Names in the code of snippets to the `lib` snippets that define them.
//!
//! The compiler decides what a name means; this only says where a reader finds it, so it reads
//! tokens and not types. Where it cannot be sure, because a name is bound again nearby, it says
//! nothing.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};

use super::names::{identifier, unique};
use super::paths::{self, Leaf};
use super::scope::{self, Code};
use crate::ir::{BlockKind, Document, Snippet, SnippetMode};

/// A name in the code of a snippet that another snippet defines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// Line of the snippet, from 0; hidden lines count.
    pub line: usize,
    /// First byte of the line that is of the name.
    pub start: usize,
    /// The byte after the name.
    pub end: usize,
    /// The item: `nn_fundamentals::softmax`.
    pub item: String,
    /// The snippet that defines it.
    pub snippet: String,
}

impl Name {
    /// Its bytes in its line.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// What a path of the library leads to.
#[derive(Clone, Debug)]
enum Definition {
    /// The snippet that defines it.
    Here(String),
    /// Another path, which it stands for.
    There(Vec<String>),
}

/// What the `lib` snippets of a book define.
#[derive(Clone, Debug, Default)]
pub(super) struct Catalogue {
    modules: BTreeMap<String, BTreeMap<String, Definition>>,
    /// Macros that stand at the top of the library, wherever they are defined.
    macros: BTreeMap<String, String>,
}

/// How many times an item may be passed on from module to module.
const STEPS: usize = 8;

impl Catalogue {
    /// The item at a path from the top of the library: how many segments of the path name it, its
    /// own path and its snippet.
    pub(super) fn find(&self, path: &[String]) -> Option<(usize, String, String)> {
        let mut path = path.to_vec();
        let mut named = 2;
        for step in 0..STEPS {
            let (module, name) = match &path[..] {
                [] => return None,
                [name] => {
                    let snippet = self.macros.get(name)?;
                    return Some((
                        if step == 0 { 1 } else { named },
                        name.clone(),
                        snippet.clone(),
                    ));
                }
                [module, name, ..] => (module, name),
            };
            match self.modules.get(module)?.get(name)? {
                Definition::Here(snippet) => {
                    return Some((named, format!("{module}::{name}"), snippet.clone()));
                }
                Definition::There(other) => {
                    let rest = path[2..].to_vec();
                    // An imported module names its items one segment later.
                    named += usize::from(other.len() == 1 && !rest.is_empty());
                    path = other.iter().cloned().chain(rest).collect();
                }
            }
        }
        None
    }

    /// The names that a module has.
    pub(super) fn names(&self, module: &str) -> impl Iterator<Item = &String> {
        self.modules.get(module).into_iter().flat_map(BTreeMap::keys)
    }

    fn add(&mut self, module: &str, snippet: &Snippet) {
        let Some(tokens) = tokens(snippet) else { return };
        // A snippet that is not shown, or has no label, is no place to go to.
        let shown = !snippet.hide && !snippet.id.is_empty();
        let items = self.modules.entry(module.to_owned()).or_default();
        for item in paths::items(&tokens) {
            if !shown {
                continue;
            }
            if item.exported {
                self.macros.insert(item.name.clone(), snippet.id.clone());
            }
            items.insert(item.name, Definition::Here(snippet.id.clone()));
        }
        for Leaf { path, name, .. } in paths::uses(&tokens) {
            let words: Vec<String> = path.iter().map(ToString::to_string).collect();
            if let (Some(name), Some(path)) = (name, paths::from_top(&words, Some(module))) {
                items.entry(name.to_string()).or_insert(Definition::There(path));
            }
        }
    }
}

/// The names in the code of every snippet that `lib` snippets of the book define, by the id of the
/// snippet that has them.
pub fn names(documents: &[&Document]) -> BTreeMap<String, Vec<Name>> {
    let mut taken = BTreeSet::new();
    let mut catalogue = Catalogue::default();
    let mut chapters: Vec<(String, Vec<&Snippet>)> = Vec::new();
    for document in documents {
        let snippets: Vec<&Snippet> = document.all_blocks().filter_map(snippet).collect();
        if snippets.is_empty() {
            continue;
        }
        // As `tangle` names the modules.
        let module = unique(&mut taken, &identifier(document.file.stem()));
        for library in snippets.iter().filter(|it| it.mode == SnippetMode::Lib) {
            catalogue.add(&module, library);
        }
        chapters.push((module, snippets));
    }
    let mut out = BTreeMap::new();
    for (module, snippets) in &chapters {
        for snippet in snippets.iter().filter(|it| !it.id.is_empty() && !it.hide) {
            let found = of_snippet(&catalogue, module, snippet);
            if !found.is_empty() {
                out.insert(snippet.id.clone(), found);
            }
        }
    }
    // Spans point into a table that grows with every text that this thread ever read.
    proc_macro2::extra::invalidate_current_thread_spans();
    out
}

fn of_snippet(catalogue: &Catalogue, module: &str, snippet: &Snippet) -> Vec<Name> {
    let Some(tokens) = tokens(snippet) else { return Vec::new() };
    let is_library = snippet.mode == SnippetMode::Lib;
    let code = Code { catalogue, module, is_library, snippet: &snippet.id };
    let mut out = BTreeSet::new();
    for (ident, item, defined) in scope::mentions(&code, &tokens) {
        let (start, word) = (ident.span().start(), ident.to_string());
        let line = start.line.saturating_sub(1);
        let Some(text) = snippet.lines.get(line).map(|it| &it.text) else { continue };
        let Some((at, _)) = text.char_indices().nth(start.column) else { continue };
        if text[at..].starts_with(&word) {
            let end = at + word.len();
            out.insert(Name { line, start: at, end, item, snippet: defined });
        }
    }
    out.into_iter().collect()
}

fn tokens(snippet: &Snippet) -> Option<Vec<TokenTree>> {
    let code: Vec<&str> = snippet.lines.iter().map(|it| &it.text[..]).collect();
    Some(code.join("\n").parse::<TokenStream>().ok()?.into_iter().collect())
}

fn snippet(block: &crate::ir::Block) -> Option<&Snippet> {
    let BlockKind::Snippet(snippet) = &block.kind else { return None };
    Some(snippet)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use crate::source::Source;

    const BASE: &str = "# Base\n\n```rust {#snip:base-lib lib}\npub fn half(x: f64) -> f64 { x / 2.0 }\n\
        pub struct Point;\n#[macro_export]\nmacro_rules! twice { ($x:expr) => { $x * 2.0 } }\n```\n\n\
        ```rust {#snip:base-more lib}\npub fn quarter(x: f64) -> f64 { half(half(x)) }\n```\n";
    const THROUGH: &str = "# Through\n\n```rust {#snip:through lib}\npub use crate::base::{half, Point as Spot};\nuse crate::base;\n```\n";

    /// Every mention in a program as `line:word → snippet`.
    fn found(code: &str) -> Vec<String> {
        let user = format!("# User\n\n```rust {{#snip:user run}}\n{code}\n```\n");
        let chapters = [("base.md", BASE), ("through.md", THROUGH), ("user.md", &user)];
        let documents: Vec<_> =
            chapters.iter().map(|it| parse::document(&Source::new(it.0, it.1)).value).collect();
        let documents: Vec<&Document> = documents.iter().collect();
        let names = names(&documents);
        let lines: Vec<&str> = code.lines().collect();
        let show =
            |it: &Name| format!("{}:{} → {}", it.line, &lines[it.line][it.range()], it.snippet);
        names.get("user").map_or_else(Vec::new, |it| it.iter().map(show).collect())
    }

    #[test]
    fn imports_and_their_uses_lead_to_the_definition() {
        for (code, expected) in [
            ("use book::base::half;\nhalf(1.0);", &["0:half → base-lib", "1:half → base-lib"][..]),
            (
                "use book::base::{half as h, quarter};\nh(1.0) + quarter(2.0);",
                &[
                    "0:half → base-lib",
                    "0:h → base-lib",
                    "0:quarter → base-more",
                    "1:h → base-lib",
                    "1:quarter → base-more",
                ],
            ),
            ("book::base::half(1.0);", &["0:half → base-lib"]),
            ("use book::base;\nlet é = base::half(1.0);", &["1:half → base-lib"]),
            ("use book::base::*;\nshow!(\"x\", half(1.0));", &["1:half → base-lib"]),
            (
                "use book::through::{half, Spot};\nlet p: Spot = Spot;",
                &[
                    "0:half → base-lib",
                    "0:Spot → base-lib",
                    "1:Spot → base-lib",
                    "1:Spot → base-lib",
                ],
            ),
            ("let x = book::twice!(1.0);", &["0:twice → base-lib"]),
            (
                "use book::base::half;\nxs.iter().map(half);",
                &["0:half → base-lib", "1:half → base-lib"],
            ),
            (
                "use book::base::Point;\nfn f(p: &Point) -> Vec<Point> { vec![Point::new()] }",
                &[
                    "0:Point → base-lib",
                    "1:Point → base-lib",
                    "1:Point → base-lib",
                    "1:Point → base-lib",
                ],
            ),
            ("use book::base::nothing;\nnothing();", &[]),
            ("use std::base::half;\nhalf();", &[]),
        ] {
            assert_eq!(found(code), expected, "{code}");
        }
    }

    #[test]
    fn a_name_that_is_bound_again_leads_nowhere() {
        for (code, expected) in [
            ("half(1.0);", 0),
            ("use book::base::half;\nx.half(); Foo { half: 1 }; 'half: loop {}", 1),
            ("use book::base::half;\nlet half = half(1.0);\nhalf;", 2),
            ("use book::base::half;\nlet (a, half) = (1, 2);\nhalf;", 1),
            ("use book::base::half;\nif let Some(half) = half() { half } else { half() }", 3),
            ("use book::base::half;\nfor half in half() { half; }\nhalf();", 3),
            ("use book::base::half;\nxs.map(|half| half + 1);\nhalf();", 2),
            ("use book::base::half;\nfn g(half: f64) -> f64 { half }\nhalf();", 2),
            ("use book::base::half;\n{ fn half() {} half(); }\nhalf();", 2),
            ("use book::base::half;\nmatch x { half => half, }\nhalf();", 2),
            (
                "use book::base::half;\n#[doc = \"half\"]\n/// half\nfn f() {}\n// half\n\"half\";",
                1,
            ),
            ("use book::base::half;\n0..half(1); a || half(2); (1 | half(3));", 4),
        ] {
            assert_eq!(found(code).len(), expected, "{code}: {:?}", found(code));
        }
    }

    #[test]
    fn a_chapter_knows_its_own_library() {
        let text = format!("{BASE}\n```rust {{#snip:own run}}\nhalf(quarter(1.0));\n```\n");
        let document = parse::document(&Source::new("base.md", &text)).value;
        let names = names(&[&document]);
        let snippets = |id: &str| names[id].iter().map(|it| it.snippet.clone()).collect::<Vec<_>>();
        assert_eq!(snippets("own"), ["base-lib", "base-more"]);
        assert_eq!(snippets("base-more"), ["base-lib", "base-lib"]);
        assert!(!names.contains_key("base-lib"), "a snippet does not lead to itself");
    }
}
