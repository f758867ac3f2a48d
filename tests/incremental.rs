//! A rebuild gives what a clean build gives, and does no more than it must.

use reckoner::eval::{Echo, Package, Runner, Runs, Unavailable};
use reckoner::pipeline::{self, Input, Memo, Options, Values};
use reckoner::project;
use reckoner::source::{FileId, Source};

const BOOK: [(&str, &str); 6] = [
    ("book.toml", "title = \"Small\"\nlanguage = \"en\"\n"),
    ("SUMMARY.md", "- [Numbers](numbers.md)\n- [Primes](primes.md)\n- [Sums](sums.md)\n"),
    ("notation.toml", "[[symbol]]\nkey = \"n\"\ntex = 'n'\nmeaning = \"a number\"\n"),
    (
        "numbers.md",
        "# Numbers\n\n> [!theorem] Least {#thm:least}\n> Every set has a least member.\n\n\
         See [](#thm:euclid) here.\n\n```rust {#snip:one run}\nshow!(\"one\", 1);\n```\n",
    ),
    (
        "primes.md",
        "# Primes\n\n> [!theorem] Euclid {#thm:euclid}\n> There are many primes.\n\n\
         It needs [](#thm:least) too. The value is `=one.one`.\n",
    ),
    (
        "sums.md",
        "# Sums\n\nNothing is cited.\n\n```math {#eq:sum name=\"Sum\" symbols=\"n\"}\n\
         \\sum_{k=1}^n k\n```\n",
    ),
];

fn input(edit: Option<(&str, &str, &str)>) -> Input {
    let mut input = Input { theme: project::embedded_theme(), ..Input::default() };
    for (path, text) in BOOK {
        let text = match edit {
            Some((edited, from, to)) if edited == path => {
                assert!(text.contains(from), "the edit must change something");
                text.replacen(from, to, 1)
            }
            _ => text.to_owned(),
        };
        input.sources.insert(FileId::new(path), Source::new(path, &text));
    }
    input
}

/// Counts the programs that would have to run: those with a key it has not seen.
#[derive(Default)]
struct Counting {
    seen: std::collections::BTreeSet<String>,
    ran: usize,
}

impl Runner for Counting {
    fn run(&mut self, package: &Package) -> Result<Runs, Unavailable> {
        self.ran += package.units.iter().filter(|it| self.seen.insert(it.key.clone())).count();
        Echo.run(package)
    }
}

const OPTIONS: Options = Options { pdf: false, values: Values::Computed };

/// Builds the book, then edits it; returns how many chapters were parsed, snippets run and pages
/// rendered for the edit. The result must be that of a clean build.
fn work(path: &str, from: &str, to: &str) -> [usize; 3] {
    let mut memo = Memo::default();
    let mut runner = Counting::default();
    let count = |memo: &Memo, it: &Counting| [memo.documents.runs, it.ran, memo.pages.runs];
    pipeline::build(&input(None), OPTIONS, &mut runner, &mut memo, &mut ()).unwrap();
    let before = count(&memo, &runner);

    let edited = input(Some((path, from, to)));
    let warm = pipeline::build(&edited, OPTIONS, &mut runner, &mut memo, &mut ()).unwrap();
    let mut fresh = Memo::default();
    let cold = pipeline::build(&edited, OPTIONS, &mut Echo, &mut fresh, &mut ()).unwrap();
    assert_eq!(warm.diagnostics, cold.diagnostics);
    for (path, bytes) in &cold.value {
        assert!(warm.value.get(path) == Some(bytes), "{path} differs from a clean build");
    }
    assert_eq!(warm.value.len(), cold.value.len());
    let after = count(&memo, &runner);
    [0, 1, 2].map(|it| after[it] - before[it])
}

#[test]
fn nothing_is_done_for_no_edit() {
    assert_eq!(work("numbers.md", "here", "here"), [0, 0, 0]);
}

#[test]
fn prose_touches_one_page_and_runs_nothing() {
    assert_eq!(work("numbers.md", "here", "below, after a long detour"), [1, 0, 1]);
    assert_eq!(work("numbers.md", "# Numbers\n", "# Numbers\n\nMore lines.\n"), [1, 0, 1]);
}

#[test]
fn a_snippet_runs_again_and_renders_who_shows_it() {
    assert_eq!(work("numbers.md", "\"one\", 1", "\"one\", 2"), [1, 1, 2]);
}

#[test]
fn a_new_theorem_renders_only_who_cites_it() {
    let new = "# Primes\n\n> [!theorem] New {#thm:new}\n> One is not prime.\n";
    assert_eq!(work("primes.md", "# Primes\n", new), [1, 0, 2]);
}

#[test]
fn a_new_formula_renders_its_page() {
    assert_eq!(work("sums.md", "\\sum_{k=1}^n k", "\\sum_{k=1}^n k^2"), [1, 0, 1]);
}

#[test]
fn a_theorem_changes_its_page_and_what_links_to_it_show() {
    let (from, to) = ("There are many primes.", "There is no last prime.");
    assert_eq!(work("primes.md", from, to), [1, 0, 1]);
    let shown = |edit| {
        let (mut memo, input) = (Memo::default(), input(edit));
        let built = pipeline::build(&input, OPTIONS, &mut Echo, &mut memo, &mut ()).unwrap();
        String::from_utf8_lossy(&built.value["preview/primes/thm.euclid.txt"]).into_owned()
    };
    assert!(shown(None).contains(from));
    assert!(shown(Some(("primes.md", from, to))).contains(to));
}

#[test]
fn a_title_reaches_every_sidebar() {
    assert_eq!(work("sums.md", "# Sums", "# Totals"), [1, 0, 3]);
}

#[test]
fn a_symbol_reaches_every_page() {
    assert_eq!(work("notation.toml", "a number", "a natural number"), [0, 0, 3]);
}

#[test]
fn the_outline_moves_chapters() {
    let swapped = "- [Primes](primes.md)\n- [Numbers](numbers.md)\n";
    let from = "- [Numbers](numbers.md)\n- [Primes](primes.md)\n";
    assert_eq!(work("SUMMARY.md", from, swapped)[0], 0);
}

#[test]
fn warnings_survive_a_rebuild() {
    let edited = input(Some(("sums.md", "Nothing", "[](#thm:none)")));
    let mut memo = Memo::default();
    let cold = pipeline::build(&edited, OPTIONS, &mut Echo, &mut memo, &mut ()).unwrap();
    let warm = pipeline::build(&edited, OPTIONS, &mut Echo, &mut memo, &mut ()).unwrap();
    assert_eq!(cold.diagnostics.len(), 1);
    assert_eq!(cold.diagnostics, warm.diagnostics);
    assert_eq!(memo.documents.runs, 3);
}

#[test]
fn an_edit_of_prose_is_looked_at_in_one_chapter() {
    let lints = |mut input: Input| {
        let more =
            "[prose]\nalt = true\navoid = [\"obviously\"]\nspelling = \"en-US\"\nwords = [1, 99]\n";
        let text = format!("{}{more}", BOOK[0].1);
        input.sources.insert(FileId::new("book.toml"), Source::new("book.toml", &text));
        input.sources.insert(FileId::new("words.txt"), Source::new("words.txt", "euclid\n"));
        input
    };
    let mut memo = Memo::default();
    let mut build = |input: &Input| {
        let built = pipeline::build(input, OPTIONS, &mut Echo, &mut memo, &mut ()).unwrap();
        (built.diagnostics, memo.prose.runs)
    };
    let first = lints(input(None));
    let (told, runs) = build(&first);
    assert_eq!((told.len(), runs), (0, 3), "{told:?}");
    assert_eq!(build(&first).1, 3);
    let edited = lints(input(Some(("sums.md", "Nothing", "Obviously, notihng"))));
    let (told, runs) = build(&edited);
    let codes: Vec<_> = told.iter().map(|it| it.code.0).collect();
    assert_eq!((codes, runs), (vec!["prose-avoided", "prose-spelling"], 4));
    let cold = pipeline::build(&edited, OPTIONS, &mut Echo, &mut Memo::default(), &mut ()).unwrap();
    assert_eq!(cold.diagnostics, told);
    // Without a wish nothing is looked at.
    let plain = pipeline::build(&input(None), OPTIONS, &mut Echo, &mut memo, &mut ()).unwrap();
    assert_eq!((plain.diagnostics.len(), memo.prose.runs), (0, 4));
}

#[test]
fn an_edit_of_prose_is_searched_in_one_chapter() {
    let mut memo = Memo::default();
    let mut runs = |input: &Input| {
        pipeline::build(input, OPTIONS, &mut Echo, &mut memo, &mut ()).unwrap();
        (memo.found.runs, memo.searches.runs)
    };
    // Three chapters and the notation table.
    assert_eq!(runs(&input(None)), (4, 1));
    assert_eq!(runs(&input(None)), (4, 1));
    assert_eq!(runs(&input(Some(("numbers.md", "here", "below")))), (5, 2));
    // A space is no word.
    assert_eq!(runs(&input(Some(("sums.md", "Nothing is", "Nothing  is")))), (6, 2));
    // The table, and the chapter that names the symbol.
    assert_eq!(runs(&input(Some(("notation.toml", "a number", "a natural number")))).0, 8);
}

#[test]
fn a_repair_takes_its_message_away() {
    let mut memo = Memo::default();
    let broken = input(Some(("sums.md", "Nothing", "[](#thm:none)")));
    pipeline::build(&broken, OPTIONS, &mut Echo, &mut memo, &mut ()).unwrap();
    let fine = pipeline::build(&input(None), OPTIONS, &mut Echo, &mut memo, &mut ()).unwrap();
    assert_eq!(fine.diagnostics, []);
}
