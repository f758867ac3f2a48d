//! The real book: no mistake in it, the outline covered, every number right, every link landing.

#![expect(clippy::disallowed_methods, reason = "tests are outside of the line")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use reckoner::diag::{Diagnostic, Severity};
use reckoner::eval::Echo;
use reckoner::ir::{BlockKind, Document, Label};
use reckoner::pipeline::{self, Input, Memo, Options, Site};
use reckoner::project;
use reckoner::report;
use reckoner::runner::{Limits, Local};
use reckoner::source::{FileId, Source};
use scraper::{Html, Selector};
use serde_json::Value;

struct Built {
    input: Input,
    site: Site,
    diagnostics: Vec<Diagnostic>,
}

fn build() -> Built {
    let read = project::read(Path::new("book")).expect("the book can be read");
    let mut runner = Local::new("target/reckoner", Limits::default())
        .confined_by(env!("CARGO_BIN_EXE_reckoner"));
    let options = Options { pdf: cfg!(feature = "pdf"), ..Options::default() };
    let built =
        pipeline::build(&read.value, options, &mut runner, &mut Memo::default(), &mut ()).unwrap();
    let diagnostics = read.diagnostics.into_iter().chain(built.diagnostics).collect();
    Built { input: read.value, site: built.value, diagnostics }
}

fn book() -> &'static Built {
    static BOOK: OnceLock<Built> = OnceLock::new();
    BOOK.get_or_init(build)
}

fn json(path: &str) -> Value {
    serde_json::from_slice(&book().site[path]).unwrap()
}

fn toml(path: &str) -> toml::Table {
    fs::read_to_string(path).unwrap().parse().unwrap()
}

/// Chapters of the course that are written: id → module number.
fn written() -> BTreeMap<String, i64> {
    let outline = toml("book/outline.toml");
    let modules = outline["module"].as_array().unwrap();
    let id = |it: &toml::Value| (it["id"].as_str().unwrap().to_owned(), it["number"].as_integer());
    let all = modules.iter().map(id).map(|(id, number)| (id, number.unwrap()));
    all.filter(|it| Path::new(&format!("book/{}.md", it.0)).exists()).collect()
}

#[test]
fn there_is_nothing_wrong_with_the_book() {
    let built = book();
    let bad: Vec<Diagnostic> =
        built.diagnostics.iter().filter(|it| it.severity != Severity::Note).cloned().collect();
    assert!(bad.is_empty(), "\n{}", report::plain(&bad, &built.input.sources));
}

#[test]
fn the_outline_is_whole() {
    let outline = toml("book/outline.toml");
    let modules = outline["module"].as_array().unwrap();
    assert_eq!(modules.len(), 27);
    let topics: usize = modules.iter().map(|it| it["topics"].as_array().unwrap().len()).sum();
    assert_eq!(topics, 154);
    let home = page("index.html");
    let text: String = home.root_element().text().collect();
    for module in modules {
        let title = module["title"].as_str().unwrap();
        assert!(text.contains(title), "the course page does not list {title}");
        for topic in module["topics"].as_array().unwrap() {
            let topic = topic.as_str().unwrap();
            assert!(text.contains(topic), "the course page does not list {topic}");
        }
    }
    let numbers: BTreeSet<i64> = written().into_values().collect();
    assert_eq!(unwritten(&numbers, WRITTEN), [0_i64; 0], "chapters of these modules have no file");
}

/// Every module up to this one is written.
const WRITTEN: i64 = 14;

/// The modules from 1 to `last` that are not among `numbers`.
fn unwritten(numbers: &BTreeSet<i64>, last: i64) -> Vec<i64> {
    (1..=last).filter(|it| !numbers.contains(it)).collect()
}

#[test]
fn an_unwritten_module_is_noticed() {
    assert_eq!(unwritten(&BTreeSet::from([1, 2, 4, 9]), 5), [3, 5]);
}

#[test]
fn every_topic_of_a_written_module_has_a_section() {
    let outline = toml("book/outline.toml");
    let mut count = 0;
    for module in outline["module"].as_array().unwrap() {
        let id = module["id"].as_str().unwrap();
        if !written().contains_key(id) {
            continue;
        }
        let topics = module["topics"].as_array().unwrap().iter().map(|it| it.as_str().unwrap());
        let topics: Vec<&str> = topics.collect();
        let path = format!("{id}.md");
        let source = &book().input.sources[&FileId::new(&path)];
        let document = reckoner::parse::document(source).value;
        assert_eq!(without_section(&topics, &document), [""; 0], "{path}");
        count += topics.len();
    }
    assert!(count >= 90, "only {count} topics were looked at");
}

/// The topics that the front matter does not map to a section with words in it.
fn without_section<'a>(topics: &[&'a str], document: &Document) -> Vec<&'a str> {
    let is_heading = |label: &Label| {
        document.all_blocks().any(|it| match &it.kind {
            BlockKind::Heading(it) => it.labels.iter().any(|it| it.value == *label),
            _ => false,
        })
    };
    let has_section = |topic: &&&str| {
        let mapped = document.front.topics.iter().find(|it| it.0.value == **topic);
        mapped.is_some_and(|it| is_heading(&it.1.value))
    };
    topics.iter().filter(|it| !has_section(it)).copied().collect()
}

#[test]
fn a_topic_without_a_section_is_noticed() {
    let text = "+++\n[topics]\n\"A\" = \"sec:a\"\n\"B\" = \"eq:b\"\n\"C\" = \"sec:gone\"\n+++\n\
                # Title\n\n## A {#sec:a}\n\n$$ b $$ {#eq:b}\n";
    let document = reckoner::parse::document(&Source::new("one.md", text)).value;
    assert_eq!(without_section(&["A", "B", "C", "D"], &document), ["B", "C", "D"]);
}

#[test]
fn every_snippet_of_a_written_module_shows_its_values_once() {
    let values = std::str::from_utf8(&book().site["values.json"]).unwrap();
    let text = fs::read_to_string("tests/data/references.json").unwrap();
    let references: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    let numbers: BTreeSet<i64> = written().into_values().collect();
    let is_written = |it: &&Value| numbers.contains(&it["module"].as_i64().unwrap());
    let ids: Vec<&str> =
        references.iter().filter(|it| is_written(&it.1)).map(|it| &it.0[..]).collect();
    assert!(ids.len() >= 40, "only {} snippets have references", ids.len());
    assert_eq!(not_once(&ids, values), [""; 0]);
}

/// The keys of the outermost object of `json` as they are written, so also those written twice.
fn keys(json: &str) -> Vec<String> {
    struct Keys(Vec<String>);
    impl<'de> serde::Deserialize<'de> for Keys {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_map(Visitor)
        }
    }
    struct Visitor;
    impl<'de> serde::de::Visitor<'de> for Visitor {
        type Value = Keys;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
            let mut keys = Vec::new();
            while let Some((key, _)) = map.next_entry::<String, serde::de::IgnoredAny>()? {
                keys.push(key);
            }
            Ok(Keys(keys))
        }
    }
    serde_json::from_str::<Keys>(json).unwrap().0
}

/// Those of `ids` that are not exactly once a key of `values`.
fn not_once<'a>(ids: &[&'a str], values: &str) -> Vec<&'a str> {
    let keys = keys(values);
    let count = |id: &str| keys.iter().filter(|it| *it == id).count();
    ids.iter().filter(|it| count(it) != 1).copied().collect()
}

#[test]
fn a_snippet_that_is_missing_or_there_twice_is_noticed() {
    let values = r#"{"a": {"b": 1}, "c": {}, "d": {}, "c": {}}"#;
    assert_eq!(not_once(&["a", "b", "c", "d"], values), ["b", "c"]);
}

#[test]
fn every_symbol_of_a_formula_is_in_the_notation_table() {
    let table = toml("book/notation.toml");
    let key = |it: &toml::Value| it["key"].as_str().unwrap().to_owned();
    let known: BTreeSet<String> = table["symbol"].as_array().unwrap().iter().map(key).collect();
    let formulas = json("formulas.json");
    assert_eq!(unknown_symbols(&formulas, &known), [""; 0]);
    let named =
        formulas.as_array().unwrap().iter().flat_map(|it| it["symbols"].as_array().unwrap());
    assert!(named.count() > 500, "formulas name few symbols");
}

/// The symbols that a formula names and the notation table does not have, each with the formula.
fn unknown_symbols(formulas: &Value, known: &BTreeSet<String>) -> Vec<String> {
    let mut out = Vec::new();
    for formula in formulas.as_array().unwrap() {
        let symbols = formula["symbols"].as_array().unwrap();
        let symbols = symbols.iter().map(|it| it.as_str().unwrap());
        let unknown = symbols.filter(|it| !known.contains(*it));
        out.extend(unknown.map(|it| format!("{it} of {}", formula["label"].as_str().unwrap())));
    }
    out
}

#[test]
fn a_symbol_without_an_entry_is_noticed() {
    let formulas = serde_json::json!([{"label": "eq:a", "symbols": ["x", "y.la"]}]);
    let known = BTreeSet::from(["x".to_owned(), "y".to_owned()]);
    assert_eq!(unknown_symbols(&formulas, &known), ["y.la of eq:a"]);
}

#[test]
fn no_written_chapter_calls_what_is_written_planned() {
    let labels = toml("book/labels.toml");
    let of_chapter = |it: &String| labels[it].as_table().unwrap().keys().cloned();
    let mut own: BTreeSet<String> = written().keys().flat_map(of_chapter).collect();
    own.extend(written().keys().map(|it| format!("ch:{it}")));
    let found = called_planned(&book().diagnostics, &own);
    assert!(found.is_empty(), "\n{}", report::plain(&found, &book().input.sources));
}

/// The notes that call one of the `own` labels planned.
fn called_planned(list: &[Diagnostic], own: &BTreeSet<String>) -> Vec<Diagnostic> {
    let is_own = |it: &&Diagnostic| {
        let label = it.message.split('`').nth(1).expect("the note names its label");
        own.contains(label)
    };
    list.iter().filter(|it| it.code.0 == "link-planned").filter(is_own).cloned().collect()
}

#[test]
fn a_written_label_that_is_called_planned_is_noticed() {
    let files = [
        ("book.toml", "title = \"T\"\n"),
        ("SUMMARY.md", "- [One](one.md)\n- [Two](two.md)\n- [Three]()\n"),
        ("labels.toml", "[one]\n\"eq:a\" = \"A\"\n[three]\n\"eq:c\" = \"C\"\n"),
        ("one.md", "# One\n\nThe formula is not there.\n"),
        ("two.md", "# Two\n\n[](#eq:a) and [](#eq:c)\n"),
    ];
    let source = |it: &(&str, &str)| (FileId::new(it.0), Source::new(it.0, it.1));
    let input = Input {
        sources: files.iter().map(source).collect(),
        theme: project::embedded_theme(),
        ..Input::default()
    };
    let (mut memo, options) = (Memo::default(), Options::default());
    let built = pipeline::build(&input, options, &mut Echo, &mut memo, &mut ()).unwrap();
    let own = BTreeSet::from(["eq:a".to_owned(), "ch:one".to_owned()]);
    let found = called_planned(&built.diagnostics, &own);
    assert_eq!(found.len(), 1, "{:?}", built.diagnostics);
    assert_eq!(found[0].place.file, FileId::new("two.md"));
    assert_eq!(called_planned(&built.diagnostics, &BTreeSet::from(["eq:c".to_owned()])).len(), 1);
}

#[test]
fn every_label_of_a_written_chapter_is_there_once() {
    let labels = toml("book/labels.toml");
    let count: usize = labels.values().map(|it| it.as_table().unwrap().len()).sum();
    assert_eq!(count, 552);
    let formulas = json("formulas.json");
    let found: Vec<(&str, &str)> = formulas
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["label"].as_str().unwrap(), it["chapter"].as_str().unwrap()))
        .collect();
    for chapter in written().keys() {
        for label in labels[chapter].as_table().unwrap().keys() {
            let places: Vec<_> = found.iter().filter(|it| it.0 == label).collect();
            assert_eq!(places.len(), 1, "{label} of {chapter}");
            assert_eq!(places[0].1, format!("ch:{chapter}"), "{label}");
        }
    }
    let names: BTreeSet<_> = found.iter().map(|it| it.0).collect();
    assert_eq!(names.len(), found.len());
    for formula in formulas.as_array().unwrap() {
        let named = !formula["name"].as_str().unwrap().is_empty();
        assert!(named, "{} has no name", formula["label"]);
        assert!(!formula["number"].as_str().unwrap().is_empty(), "{}", formula["label"]);
    }
}

#[test]
fn every_snippet_prints_what_an_independent_computation_gives() {
    let values = json("values.json");
    let text = fs::read_to_string("tests/data/references.json").unwrap();
    let references: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    let numbers: BTreeSet<i64> = written().into_values().collect();
    let mut checked = 0;
    let mut wrong = Vec::new();
    for (id, snippet) in &references {
        if !numbers.contains(&snippet["module"].as_i64().unwrap()) {
            continue;
        }
        let outputs = &values[id];
        for key in snippet["prints"].as_array().unwrap() {
            if outputs[key.as_str().unwrap()].is_null() {
                wrong.push(format!("{id} does not print {key}"));
            }
        }
        for (key, reference) in snippet["reference"].as_object().unwrap() {
            checked += 1;
            if let Err(why) = agrees(&outputs[key], reference) {
                wrong.push(format!("{id}.{key}: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(checked > 100, "only {checked} values were checked");
}

/// Whether a value agrees with its reference, within the tolerance that the reference states.
fn agrees(actual: &Value, reference: &Value) -> Result<(), String> {
    let number = |it: &Value| it.as_f64().ok_or_else(|| format!("{it} is not a number"));
    let expected = &reference["value"];
    match reference["kind"].as_str() {
        Some("max") => {
            let (actual, most) = (number(actual)?, number(expected)?);
            let fine = (0.0..=most).contains(&actual);
            fine.then_some(()).ok_or_else(|| format!("{actual} exceeds {most}"))
        }
        Some("range") => {
            let actual = number(actual)?;
            let range = number(&reference["lo"])?..=number(&reference["hi"])?;
            let fine = range.contains(&actual);
            fine.then_some(()).ok_or_else(|| format!("{actual} is outside of {range:?}"))
        }
        Some("num") => {
            let tolerance = (number(&reference["rtol"])?, number(&reference["atol"])?);
            near(actual, expected, tolerance)
        }
        other => Err(format!("unknown kind {other:?}")),
    }
}

fn near(actual: &Value, expected: &Value, (rtol, atol): (f64, f64)) -> Result<(), String> {
    match (actual, expected) {
        (Value::Array(a), Value::Array(b)) => {
            if a.len() != b.len() {
                return Err(format!("{} elements, not {}", a.len(), b.len()));
            }
            a.iter().zip(b).try_for_each(|(a, b)| near(a, b, (rtol, atol)))
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            let fine = (a - b).abs() <= atol + rtol * b.abs();
            fine.then_some(()).ok_or_else(|| format!("{a} is not {b}"))
        }
        (a, b) if a == b => Ok(()),
        (a, b) => Err(format!("{a} is not {b}")),
    }
}

#[test]
fn a_wrong_value_is_noticed() {
    let reference: Value =
        serde_json::from_str(r#"{"value": [[1.0, 2.0]], "kind": "num", "rtol": 1e-9, "atol": 0}"#)
            .unwrap();
    let value = |text| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(agrees(&value("[[1, 2.000000001]]"), &reference), Ok(()));
    assert!(agrees(&value("[[1, 2.00001]]"), &reference).is_err());
    assert!(agrees(&value("[1, 2]"), &reference).is_err());
    assert!(agrees(&Value::Null, &reference).is_err());
}

fn page(path: &str) -> Html {
    let bytes = book().site.get(path).unwrap_or_else(|| panic!("there is no {path}"));
    Html::parse_document(std::str::from_utf8(bytes).unwrap())
}

fn pages() -> BTreeMap<&'static str, Html> {
    let html = |it: &&String| it.ends_with(".html");
    book().site.keys().filter(html).map(|it| (&it[..], page(it))).collect()
}

/// The path of `url` as seen from `page`, and its anchor.
fn resolve(page: &str, url: &str) -> (String, String) {
    let (path, anchor) = url.split_once('#').unwrap_or((url, ""));
    let path = path.split('?').next().unwrap();
    if path.is_empty() {
        return (page.to_owned(), anchor.to_owned());
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let mut path = parts.join("/");
    if path.is_empty() || path.ends_with('/') {
        path.push_str("index.html");
    }
    (path, anchor.to_owned())
}

#[test]
fn every_link_lands_and_nothing_is_fetched_from_elsewhere() {
    let pages = pages();
    assert!(pages.len() >= 8, "{:?}", pages.keys());
    let id = Selector::parse("[id]").unwrap();
    let link = Selector::parse("[href], [src]").unwrap();
    let mut ids: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (path, html) in &pages {
        let mut own = BTreeSet::new();
        for element in html.select(&id) {
            let id = element.value().id().unwrap().to_owned();
            assert!(own.insert(id.clone()), "{path} has the id `{id}` twice");
        }
        ids.insert(path, own);
    }
    let mut wrong = Vec::new();
    let mut count = 0;
    for (path, html) in &pages {
        for element in html.select(&link) {
            let element = element.value();
            let url = element.attr("href").or(element.attr("src")).unwrap();
            let goes_out = url.starts_with("http://") || url.starts_with("https://");
            if goes_out || url.starts_with("mailto:") {
                let is_link = element.name() == "a" || element.attr("rel") == Some("canonical");
                if !is_link {
                    wrong.push(format!("{path} fetches {url}"));
                }
                continue;
            }
            count += 1;
            let (target, anchor) = resolve(path, url);
            let anchor = reckoner::link::decoded(&anchor);
            let file = reckoner::link::decoded(&target);
            if !book().site.contains_key(&file) {
                wrong.push(format!("{path}: {url} leads nowhere"));
            } else if !anchor.is_empty()
                && ids.get(&file[..]).is_some_and(|it| !it.contains(&anchor))
            {
                wrong.push(format!("{path}: {url} has no such anchor"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(count > 1000, "only {count} links");
}

#[test]
fn pages_keep_a_strict_policy() {
    let scripts = Selector::parse("script:not([src])").unwrap();
    let styled = Selector::parse("[style], style").unwrap();
    for (path, html) in pages() {
        let data = |it: &scraper::ElementRef<'_>| {
            it.value().attr("type").is_some_and(|it| it.ends_with("json"))
        };
        assert_eq!(html.select(&scripts).filter(|it| !data(it)).count(), 0, "{path}");
        assert_eq!(html.select(&styled).count(), 0, "{path}");
    }
}

#[test]
fn nothing_failed_is_left_in_a_page() {
    let failed = Selector::parse(".failure, .fault, .missing").unwrap();
    for (path, html) in pages() {
        let marks: Vec<String> = html.select(&failed).map(|it| it.html()).collect();
        assert!(marks.is_empty(), "{path} shows {marks:?}");
        let text: String = html.root_element().text().collect();
        for sign in ["???", "coming soon", "no output"] {
            assert!(!text.contains(sign), "{path} says `{sign}`");
        }
    }
}

/// A word of a page of the PDF: page, left edge, right edge, text.
#[cfg(feature = "pdf")]
type Word = (usize, f64, f64, String);

/// All words of the PDF with their places, as poppler finds them.
#[cfg(feature = "pdf")]
fn words_in_print(pdf: &[u8]) -> Vec<Word> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.pdf");
    fs::write(&file, pdf).unwrap();
    let output = std::process::Command::new("pdftotext").arg("-bbox").arg(&file).arg("-").output();
    let output = output.expect("there is no pdftotext; `bash tests/run` installs it").stdout;
    let text = String::from_utf8(output).unwrap();
    let mut page = 0;
    let mut out = Vec::new();
    for line in text.lines() {
        page += usize::from(line.contains("<page "));
        let number = |name: &str| {
            let rest = line.split_once(&format!("{name}=\""))?.1;
            rest.split_once('"')?.0.parse::<f64>().ok()
        };
        let (Some(left), Some(right)) = (number("xMin"), number("xMax")) else { continue };
        let word = line.split_once("\">").map_or("", |it| it.1).trim_end_matches("</word>");
        out.push((page, left, right, word.to_owned()));
    }
    out
}

/// What stands outside of the column, where more than punctuation hangs in the margin.
#[cfg(feature = "pdf")]
fn outside_of_the_column(words: &[Word]) -> Vec<&Word> {
    // 7 in wide, with 22 mm inside and 27 mm outside. Right-hand pages are odd.
    const MM: f64 = 72.0 / 25.4;
    const HANGING: f64 = 4.0;
    let is_outside = |it: &&Word| {
        let left = if it.0 % 2 == 1 { 22.0 } else { 27.0 } * MM;
        let right = left + 504.0 - 49.0 * MM;
        it.1 < left - HANGING || it.2 > right + HANGING
    };
    words.iter().filter(is_outside).collect()
}

#[cfg(feature = "pdf")]
#[test]
fn no_word_in_print_leaves_its_column() {
    let is_pdf = |it: &&String| it.ends_with(".pdf");
    let name = book().site.keys().find(is_pdf).expect("there is a PDF");
    let words = words_in_print(&book().site[name]);
    assert!(words.len() > 50_000, "only {} words were found", words.len());
    let outside = outside_of_the_column(&words);
    assert!(outside.is_empty(), "{outside:?}");
    // The same words on the other side of the sheet would be.
    let turned: Vec<Word> = words.into_iter().map(|it| (it.0 + 1, it.1, it.2, it.3)).collect();
    assert!(outside_of_the_column(&turned).len() > 1000);
}

#[test]
fn two_builds_are_equal_byte_for_byte() {
    let second = build();
    assert_eq!(book().site.keys().collect::<Vec<_>>(), second.site.keys().collect::<Vec<_>>());
    for (path, bytes) in &book().site {
        assert!(second.site[path] == *bytes, "{path} differs between two builds");
    }
}

#[test]
fn there_is_one_text_on_the_architecture() {
    // The appendix shows what the first lines of `lib.rs` say.
    let lib = fs::read_to_string("src/lib.rs").unwrap();
    let doc: Vec<&str> = lib
        .lines()
        .take_while(|it| it.starts_with("//!"))
        .map(|it| it.trim_start_matches("//!").trim())
        .filter(|it| !it.is_empty())
        .collect();
    let appendix = fs::read_to_string("book/how-this-book-is-made.md").unwrap();
    let shown: Vec<&str> = appendix.lines().map(str::trim).collect();
    let picture = doc.iter().position(|it| it.starts_with("book/ themes/")).unwrap();
    for line in &doc[picture..] {
        let line = line.replace("[`pipeline::build`]", "`pipeline::build`");
        assert!(shown.contains(&&line[..]), "the appendix lacks the line\n{line}");
    }
}
