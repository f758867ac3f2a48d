//! Runs every file in `tests/cases`.
//!
//! A case is a small book and what becomes of it, in one file. A line `-- name --` starts a part.
//! Parts named `book/…` are the input; the others are expected, and only those that the case has
//! are compared: `ir/STEM`, `links/STEM` (where the chapter's references go, and who uses what it
//! defines), `html/STEM`, `typst/STEM`, `site/PATH`, `messages` (`messages/STAGE`: those of one
//! stage). `UPDATE=1` rewrites the expected parts. A part `values` says `locked` or `frozen`, where the
//! outputs are not to be computed alone; `<key of ID>` in `outputs.lock` stands for that key.

#![expect(clippy::disallowed_methods, reason = "tests are outside of the line")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use reckoner::diag::Diagnostic;
use reckoner::eval::{Echo, LOCK};
use reckoner::ir::{Destination, plain};
use reckoner::link::{Links, Target};
use reckoner::pipeline::{self, Draft, Input, Memo, Options, Values};
use reckoner::source::{FileId, Source};
use reckoner::{project, render, report, typeset};

type Part = (String, String);

fn main() {
    let mut trials = Vec::new();
    for path in cases(Path::new("tests/cases")) {
        let name = path.strip_prefix("tests/cases").unwrap().with_extension("");
        let name = name.to_str().unwrap().replace('\\', "/");
        trials.push(Trial::test(name, move || run(&path)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn cases(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(cases(&path));
        } else if path.extension().is_some_and(|it| it == "txt") {
            out.push(path);
        }
    }
    out.sort();
    out
}

fn read(text: &str) -> Result<Vec<Part>, Failed> {
    let mut parts = Vec::<Part>::new();
    for line in text.split_inclusive('\n') {
        match line.trim_end().strip_prefix("-- ").and_then(|it| it.strip_suffix(" --")) {
            Some(name) => parts.push((name.to_owned(), String::new())),
            None => match parts.last_mut() {
                Some(part) => part.1.push_str(line),
                // Words above the first part say what the case is about.
                None => parts.push((String::new(), line.to_owned())),
            },
        }
    }
    Ok(parts)
}

fn write(parts: &[Part]) -> String {
    let one = |(name, body): &Part| match &name[..] {
        "" => body.clone(),
        name => format!("-- {name} --\n{body}"),
    };
    parts.iter().map(one).collect()
}

/// The input of a case. A book without an outline has its chapters in order of appearance.
fn input(parts: &[Part]) -> Input {
    let mut input = Input::default();
    let mut outline = String::new();
    for (name, text) in parts {
        let Some(path) = name.strip_prefix("book/") else { continue };
        let source = Source::new(path, text);
        let is_text =
            ["md", "toml", "bib", "tex", "lock", "words.txt"].iter().any(|it| path.ends_with(it));
        if is_text {
            if path.ends_with(".md") && path != "SUMMARY.md" {
                outline.push_str(&format!("- [{path}]({path})\n"));
            }
            input.sources.insert(source.file.clone(), source);
        } else {
            input.assets.insert(source.file, text.as_bytes().into());
        }
    }
    let summary = FileId::new("SUMMARY.md");
    input.sources.entry(summary).or_insert_with(|| Source::new("SUMMARY.md", &outline));
    let settings = FileId::new("book.toml");
    let default = "title = \"Case\"\nlanguage = \"en\"\n";
    input.sources.entry(settings).or_insert_with(|| Source::new("book.toml", default));
    input.theme = project::embedded_theme();
    input
}

fn run(path: &Path) -> Result<(), Failed> {
    let expected = fs::read_to_string(path).map_err(|it| it.to_string())?;
    let parts = read(&expected)?;
    let actual = write(&actual(&parts)?);
    if actual == expected {
        return Ok(());
    }
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, &actual).map_err(|it| it.to_string().into());
    }
    let line = actual.lines().zip(expected.lines()).position(|(a, b)| a != b);
    let line = line.unwrap_or(actual.lines().count().min(expected.lines().count()));
    let show = |text: &str| {
        let from = line.saturating_sub(2);
        text.lines().skip(from).take(8).map(|it| format!("    {it}\n")).collect::<String>()
    };
    Err(format!(
        "{} differs at line {}; `UPDATE=1` rewrites it\n  expected\n{}  actual\n{}",
        path.display(),
        line + 1,
        show(&expected),
        show(&actual)
    )
    .into())
}

fn actual(parts: &[Part]) -> Result<Vec<Part>, Failed> {
    let mut input = input(parts);
    let part = |name: &str| parts.iter().find(|it| it.0 == name).map_or("", |it| it.1.trim());
    let values = match part("values") {
        "" => Values::Computed,
        "locked" => Values::Locked,
        "frozen" => Values::Frozen,
        other => return Err(format!("there are no `{other}` values").into()),
    };
    let options = Options { values, ..Options::default() };
    let mut memo = Memo::default();
    with_keys(&mut input)?;
    let draft = pipeline::draft(&input, options, &mut Echo, &mut memo, &mut ())
        .map_err(|it| it.to_string())?
        .value;
    let site = pipeline::build(&input, options, &mut Echo, &mut memo, &mut ())
        .map_err(|it| it.to_string())?;
    let mut out = Vec::new();
    for (name, body) in parts {
        let (area, stem) = name.split_once('/').unwrap_or((name, ""));
        let text = match area {
            "" | "book" | "values" => body.clone(),
            "ir" => draft.documents[chapter(&draft, stem)?].value.dump(),
            "links" => links(&draft.linked.links[chapter(&draft, stem)?]),
            "html" => html(&draft, chapter(&draft, stem)?),
            "typst" => markup(&draft, chapter(&draft, stem)?),
            "site" => match site.value.get(stem) {
                Some(bytes) => String::from_utf8(bytes.to_vec())?,
                None => return Err(format!("the site has no file `{stem}`").into()),
            },
            "messages" => {
                let mut list = site.diagnostics.clone();
                list.retain(|it| it.code.0.starts_with(stem));
                messages(&list, &input.sources)
            }
            other => return Err(format!("a case has no part `{other}`").into()),
        };
        let text = if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" };
        out.push((name.clone(), text));
    }
    Ok(out)
}

/// Puts the keys of the snippets into the lock.
fn with_keys(input: &mut Input) -> Result<(), Failed> {
    let Some(lock) = input.sources.get(&FileId::new(LOCK)) else { return Ok(()) };
    let mut text = lock.text.to_string();
    let draft =
        pipeline::draft(input, Options::default(), &mut Echo, &mut Memo::default(), &mut ())
            .map_err(|it| it.to_string())?;
    for unit in &draft.value.package.units {
        text = text.replace(&format!("<key of {}>", unit.name), &unit.key);
    }
    input.sources.insert(FileId::new(LOCK), Source::new(LOCK, &text));
    Ok(())
}

fn chapter(draft: &Draft, stem: &str) -> Result<usize, Failed> {
    let found = draft.documents.iter().position(|it| it.value.file.stem() == stem);
    found.ok_or_else(|| format!("the case has no chapter `{stem}`").into())
}

/// One line for each destination of a chapter: what a reference to it prints, and where it leads.
fn links(links: &Links) -> String {
    let shown = |it: &Target| {
        let words = [it.word(), &it.number, &plain(&it.title)];
        let words: Vec<_> = words.into_iter().filter(|it| !it.is_empty()).collect();
        let to = if it.is_written() { it.href() } else { "nowhere yet".to_owned() };
        format!("{} → {to}", words.join(" "))
    };
    let mut out = format!("{} {}\n", links.page, links.number.as_deref().unwrap_or("unnumbered"));
    for (destination, target) in &links.targets {
        let written = match destination {
            Destination::Label(label) => format!("#{label}"),
            Destination::Page { file, anchor: None } => file.to_string(),
            Destination::Page { file, anchor: Some(anchor) } => format!("{file}#{anchor}"),
        };
        out.push_str(&format!("{written}: {}\n", shown(target)));
    }
    for (label, users) in &links.used_by {
        let users: Vec<_> = users.iter().map(shown).collect();
        out.push_str(&format!("{label} is used by {}\n", users.join("; ")));
    }
    for (key, work) in &links.works {
        out.push_str(&format!("{key}: {}\n", work.short));
    }
    out
}

fn html(draft: &Draft, index: usize) -> String {
    let chapter = render::Chapter {
        frame: &draft.frame,
        document: &draft.documents[index].value,
        outputs: &draft.shown[index],
        links: &draft.linked.links[index],
    };
    render::content(&chapter).value.into_string()
}

fn markup(draft: &Draft, index: usize) -> String {
    let chapter = typeset::Chapter {
        document: &draft.documents[index].value,
        outputs: &draft.shown[index],
        links: &draft.linked.links[index],
    };
    typeset::chapter(&chapter, &draft.frame.engine).value.text
}

fn messages(list: &[Diagnostic], sources: &BTreeMap<FileId, Source>) -> String {
    // Blank lines between messages are one newline, so that a case has no trailing space.
    let text = report::plain(list, sources);
    text.lines().map(|it| format!("{}\n", it.trim_end())).collect()
}
