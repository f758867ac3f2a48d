//! What a label means does not depend on what stands beside the thing, nor on the folder of its
//! chapter.

use std::collections::BTreeMap;

use proptest::prelude::*;
use reckoner::eval::Echo;
use reckoner::ir::Destination;
use reckoner::link::{Target, TargetKind};
use reckoner::pipeline::{self, Input, Memo, Options};
use reckoner::project;
use reckoner::source::{FileId, Source};

/// A picture.
const SQUARE: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

/// Labelled things, each a block of its own; `N` is the number of the chapter.
const THINGS: [&str; 9] = [
    "## Section {#sec:N}",
    "### Inner {#sec:inner-N}",
    "$$ a $$ {#eq:N #eq:alias-N}",
    "$$\n\\begin{aligned}\nb &= c \\label{eq:line-N} \\\\\nd &= e\n\\end{aligned}\n$$",
    "> [!theorem] Title {#thm:N}\n> $$ x $$ {#eq:inside-N}",
    "> [!exercise] {#ex:N}\n> Do it.",
    "![Alt](pic.svg){#fig:N}\nCaption.",
    "| a |\n|---|\n| 1 |\n\nTable: Caption {#tab:N}",
    "```rust {#snip:N run}\nshow!(\"x\", 1);\n```",
];

/// Blocks without a number, which may stand beside anything.
const NEIGHBOURS: [&str; 12] = [
    "Words.",
    "- item\n  - inner\n\n  more",
    "1. one\n2. two",
    "> a quote\n>\n> - with a list",
    "***",
    "$$ unnumbered $$",
    "```text\n# no heading {#eq:0}\n```",
    "| a | b |\n|---|---|\n| `|` | $|x|$ |",
    "**Bold** ![in text](pic.svg) words",
    "> [!note] A note\n> Words.",
    "A paragraph\nof `code $x` and $20 and *more*.",
    "- [ ] task\n\n  ```math\n  y\n  ```",
];

/// What a reader sees of a target, without its page.
type Seen = (TargetKind, String, String, String);

/// Every label of a book of two chapters in `folders`, with what it means. The chapters have all
/// things in order, with `between` before each.
fn labels(folders: [&str; 2], between: &[Vec<usize>]) -> BTreeMap<String, Seen> {
    let mut input = Input { theme: project::embedded_theme(), ..Input::default() };
    let mut outline = String::new();
    for (index, folder) in folders.iter().enumerate() {
        let mut text = format!("# Chapter {index}\n\n");
        for (thing, neighbours) in THINGS.iter().zip(between) {
            for neighbour in neighbours {
                text += &format!("{}\n\n", NEIGHBOURS[*neighbour]);
            }
            text += &format!("{}\n\n", thing.replace('N', &index.to_string()));
        }
        let other = 1 - index;
        text += &format!(
            "[](#eq:{other}), [](#eq:alias-{other}), [](#ch:c{other}), [](#tab:{other}).\n"
        );
        let path = format!("{folder}c{index}.md");
        outline += &format!("- [Chapter {index}]({path})\n");
        input.sources.insert(FileId::new(&path), Source::new(&path, &text));
        input.assets.insert(FileId::new(&format!("{folder}pic.svg")), SQUARE[..].into());
    }
    for (path, text) in [("SUMMARY.md", &outline[..]), ("book.toml", "title = \"T\"\n")] {
        input.sources.insert(FileId::new(path), Source::new(path, text));
    }
    let options = Options::default();
    let draft = pipeline::draft(&input, options, &mut Echo, &mut Memo::default(), &mut ()).unwrap();
    assert_eq!(draft.diagnostics, []);
    let seen = |it: &Target| {
        let label = it.label.as_ref().map(|it| it.0.clone()).unwrap_or_default();
        (it.kind, it.number.clone(), it.anchor.clone(), label)
    };
    let mut out = BTreeMap::new();
    for (destination, target) in draft.value.linked.links.iter().flat_map(|it| &it.targets) {
        let Destination::Label(label) = destination else { panic!("labels only") };
        // A chapter in a folder can be called by its whole path too.
        if !label.0.contains('/') {
            out.insert(label.0.clone(), seen(target));
        }
    }
    out
}

fn beside() -> impl Strategy<Value = Vec<Vec<usize>>> {
    let few = prop::collection::vec(0..NEIGHBOURS.len(), 0..3);
    prop::collection::vec(few, THINGS.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn neighbours_do_not_matter(between in beside()) {
        let alone = labels(["", ""], &vec![Vec::new(); THINGS.len()]);
        prop_assert_eq!(labels(["", ""], &between), alone);
    }

    #[test]
    fn folders_do_not_matter(
        first in prop::sample::select(vec!["", "part/", "a/b/c/"]),
        second in prop::sample::select(vec!["", "part/", "z/"]),
    ) {
        let none = vec![Vec::new(); THINGS.len()];
        let here = labels(["", ""], &none);
        prop_assert!(here.len() >= 24, "{here:?}");
        prop_assert_eq!(labels([first, second], &none), here);
    }
}
