//! What a reader finds: the terms of words and formulas, and the index of a small book.

#![expect(clippy::disallowed_methods, reason = "tests are outside of the line")]

use std::collections::{BTreeMap, BTreeSet};

use reckoner::diag::Severity;
use reckoner::eval::Echo;
use reckoner::math::Macros;
use reckoner::pipeline::{self, Input, Memo, Options, Site};
use reckoner::project;
use reckoner::search::{self, Tables};
use reckoner::source::{FileId, Source};
use serde_json::Value;

fn cases(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string("tests/data/search-cases.json").unwrap();
    let mut all: BTreeMap<String, Vec<Value>> = serde_json::from_str(&text).unwrap();
    let found = all.remove(name).unwrap();
    assert!(found.len() >= 20, "{name}");
    found
}

#[test]
fn words_are_folded() {
    let tables = Tables::new("en", &Macros::default());
    for case in cases("words") {
        let mut terms = Vec::new();
        search::words(case[0].as_str().unwrap(), &tables, &mut terms);
        assert_eq!(serde_json::json!(terms), case[1], "{}", case[0]);
    }
}

#[test]
fn formulas_that_say_the_same_are_equal() {
    let tables = Tables::new("en", &Macros::default());
    for case in cases("formulas") {
        let tokens = search::tokens(case[0].as_str().unwrap(), &tables);
        assert_eq!(tokens.join(" "), case[1].as_str().unwrap(), "{}", case[0]);
    }
}

#[test]
fn only_english_is_stemmed() {
    for (language, expected) in [("en", "matrix"), ("en-GB", "matrix"), ("de", "matrices")] {
        let mut terms = Vec::new();
        search::words("matrices", &Tables::new(language, &Macros::default()), &mut terms);
        assert_eq!(terms, [expected], "{language}");
    }
}

const CHAPTER: &str = "+++\nsummary = \"About *means*.\"\n+++\n\n# Means & ends\n\nBefore all sections.\n\n\
    ## The mean of $x_1, x_2$ {#sec:mean}\n\nThe mean, see [](#eq:mean), is `mean_of(x)`.\n\n\
    ```math {#eq:mean name=\"Arithmetic mean\" symbols=\"x\" if=\"$n>0$\"}\n\\bar x = \\frac1n\\sum_{i=1}^n x_i\n```\n\n\
    > [!theorem] Jensen {#thm:jensen}\n> The mean is convex.\n\n\
    ### Details\n\n$$\\left(\\nabla f\\right)$$\n\nDeep words.[^a]\n\n[^a]: A remark.\n";

fn input(chapter: &str) -> Input {
    let mut input = Input { theme: project::embedded_theme(), ..Input::default() };
    for (path, text) in [
        ("book.toml", "title = \"Small\"\nlanguage = \"en\"\n"),
        ("SUMMARY.md", "- [Means](means.md)\n- [Other](other.md)\n"),
        ("notation.toml", "[[symbol]]\nkey = \"x\"\ntex = 'x'\nmeaning = \"a sample\"\n"),
        ("means.md", chapter),
        ("other.md", "# Other\n\nNothing <b>here</b> & there.\n"),
    ] {
        input.sources.insert(FileId::new(path), Source::new(path, text));
    }
    input
}

fn built(chapter: &str, memo: &mut Memo) -> Site {
    let built =
        pipeline::build(&input(chapter), Options::default(), &mut Echo, memo, &mut ()).unwrap();
    assert!(built.diagnostics.iter().all(|it| it.severity == Severity::Note));
    built.value.into_iter().filter(|it| it.0.starts_with("search/")).collect()
}

struct Read {
    index: Value,
    terms: BTreeMap<String, Vec<usize>>,
    entries: Vec<Value>,
    formulas: Vec<Value>,
}

/// The index as a browser reads it.
fn read(site: &Site) -> Read {
    let file =
        |name: &str| -> Value { serde_json::from_slice(&site[&format!("search/{name}")]).unwrap() };
    let index = file("index.json");
    let names = |key: &str| -> Vec<String> {
        let list = index[key].as_array().unwrap().iter();
        list.map(|it| it.as_str().or(it[1].as_str()).unwrap().to_owned()).collect()
    };
    let all = |key: &str| -> Vec<Value> {
        names(key).iter().flat_map(|it| file(it).as_array().unwrap().clone()).collect()
    };
    let mut terms = BTreeMap::new();
    for name in names("terms") {
        terms.extend(serde_json::from_value::<BTreeMap<String, Vec<usize>>>(file(&name)).unwrap());
    }
    let (entries, formulas) = (all("entries"), all("formulas"));
    let count: BTreeSet<usize> =
        [&index["lengths"], &index["heads"]].map(|it| it.as_array().unwrap().len()).into();
    assert_eq!(count, [entries.len()].into());
    Read { index, terms, entries, formulas }
}

impl Read {
    /// The addresses of the entries that have a term.
    fn found(&self, term: &str) -> Vec<&str> {
        let mut entry = 0;
        let list = self.terms.get(term).map_or(&[][..], |it| it);
        let address = |it: &[usize]| {
            entry += it[0];
            self.entries[entry][0].as_str().unwrap()
        };
        list.chunks(2).map(address).collect()
    }
}

#[test]
fn a_small_book_is_found() {
    let read = read(&built(CHAPTER, &mut Memo::default()));
    let addresses: Vec<&str> = read.entries.iter().map(|it| it[0].as_str().unwrap()).collect();
    let expected = [
        "means.html",
        "means.html#sec:mean",
        "means.html#eq:mean",
        "means.html#thm:jensen",
        "means.html#details",
        "other.html",
        "symbols.html#sym:x",
    ];
    assert_eq!(addresses, expected);
    // Kinds, without the lengths of titles.
    let kinds = read.index["heads"].as_array().unwrap().iter();
    assert_eq!(kinds.map(|it| it.as_u64().unwrap() % 8).collect::<Vec<_>>(), [0, 1, 3, 2, 1, 0, 4]);

    assert_eq!(read.found("befor"), ["means.html"]);
    assert_eq!(read.found("about"), ["means.html"], "the summary is text");
    assert_eq!(
        read.found("mean"),
        ["means.html", "means.html#sec:mean", "means.html#eq:mean"],
        "a theorem's text is its section's"
    );
    assert_eq!(read.found("jensen"), ["means.html#sec:mean", "means.html#thm:jensen"]);
    assert_eq!(read.found("deep"), ["means.html#details"]);
    assert_eq!(read.found("remark"), ["means.html#details"], "a footnote is text");
    assert_eq!(read.found("\\sum"), ["means.html#eq:mean"]);
    assert_eq!(read.found("\\x"), ["means.html#eq:mean", "symbols.html#sym:x"]);
    assert_eq!(
        read.found("1.1"),
        ["means.html#sec:mean", "means.html#eq:mean", "means.html#thm:jensen"]
    );
    assert_eq!(read.found("b"), Vec::<&str>::new(), "HTML is no word");

    // Formulas: with a label by themselves, without one by their section.
    let formulas: Vec<String> = read.formulas.iter().map(ToString::to_string).collect();
    let expected =
        ["[2,\"bar x = frac 1 n sum _ i = 1 ^ n x _ i\"]", "[4,\"( nabla f )\"]", "[6,\"x\"]"];
    assert_eq!(formulas, expected);

    // What is shown.
    let section = &read.entries[1];
    assert!(section[1].as_str().unwrap().contains("katex-html"), "{section}");
    assert!(!section[1].as_str().unwrap().contains("mathml"), "{section}");
    assert_eq!(section[2].to_string(), "[\"1 Means &amp; ends\"]");
    assert_eq!(section[3], "Section\u{a0}1.1");
    let text = section[4].as_str().unwrap();
    assert!(text.starts_with("The mean, see Equation\u{a0}1.1, is mean_of(x)."), "{text}");
    assert!(
        text.contains("Arithmetic mean · \u{2068}n > 0\u{2069} · Jensen · The mean is convex.")
    );
    assert_eq!(read.entries[2][4], "\u{2068}n > 0\u{2069}");
    assert_eq!(read.entries[3][3], "Theorem\u{a0}1.1");
    assert_eq!(read.entries[3][4], "The mean is convex.");
}

#[test]
fn files_are_named_by_what_they_say() {
    let mut memo = Memo::default();
    let before = built(CHAPTER, &mut memo);
    assert_eq!(before, built(CHAPTER, &mut Memo::default()));
    let runs = memo.found.runs;
    assert_eq!(runs, 3, "two chapters and the notation table");
    let edited = CHAPTER.replace("Deep words", "Deeper words");
    let after = built(&edited, &mut memo);
    assert_eq!(memo.found.runs, runs + 1, "one chapter is looked at again");
    assert_eq!(after, built(&edited, &mut Memo::default()));
    for (path, bytes) in &after {
        let same = before.get(path).is_none_or(|it| it == bytes);
        assert!(same || path == "search/index.json", "{path} has a name that is taken");
    }
    // No formula was touched.
    assert!(before.keys().any(|it| it.starts_with("search/f-") && after.contains_key(it)));
}

#[test]
fn a_long_book_is_in_short_files() {
    let mut chapter = String::from("# Long\n");
    for section in 0..400 {
        chapter.push_str(&format!("\n## Section {section}\n\n"));
        for word in 0..40 {
            chapter.push_str(&format!("word{section}x{word} "));
        }
        chapter.push('\n');
    }
    let site = built(&chapter, &mut Memo::default());
    let read = read(&site);
    assert!(site.len() > 20, "{} files", site.len());
    assert!(site.values().all(|it| it.len() < 32 * 1024));
    assert_eq!(read.found("word399x7"), ["means.html#section-399"]);
    // The first term of each file is known, in the order in which JavaScript compares.
    let starts = read.index["terms"].as_array().unwrap().iter();
    let starts: Vec<Vec<u16>> =
        starts.map(|it| it[0].as_str().unwrap().encode_utf16().collect()).collect();
    assert!(starts.is_sorted() && starts.len() > 3);
}
