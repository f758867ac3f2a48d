//! The authors' guide: every failure that it shows is what an author sees.
//!
//! A fence of Markdown with a snippet, followed by a fence of text, is a claim of the guide: that
//! this chapter gives that message. All of them are built as one book, and the messages compared
//! letter by letter. `UPDATE=1` writes what is seen into the guide.

#![expect(clippy::disallowed_methods, reason = "tests are outside of the line")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use reckoner::diag::{Diagnostic, Severity};
use reckoner::pipeline::{self, Input, Memo, Options};
use reckoner::project;
use reckoner::report;
use reckoner::runner::{Limits, Local};
use reckoner::source::FileId;

const GUIDE: &str = "book/authors-guide-snippets.md";

/// A chapter that the guide shows, and what it says becomes of it.
struct Claim {
    chapter: String,
    message: String,
    /// Bytes of the guide where the message is.
    at: std::ops::Range<usize>,
}

/// The claims of the guide, in order.
fn claims(guide: &str) -> Vec<Claim> {
    const OPEN: &str = "\n````md\n";
    const SHUT: &str = "\n````\n\n```text\n";
    let mut out = Vec::new();
    for (start, _) in guide.match_indices(OPEN) {
        let start = start + OPEN.len();
        let end = start + guide[start..].find("\n````\n").expect("a fence is closed");
        if !guide[end..].starts_with(SHUT) {
            continue;
        }
        let from = end + SHUT.len();
        let to = from + guide[from - 1..].find("\n```\n").expect("a fence is closed");
        let chapter = format!("# Chapter\n\n{}\n", &guide[start..end]);
        let message = guide[from..to].trim_end().to_owned();
        out.push(Claim { chapter, message, at: from..to });
    }
    out
}

fn file(index: usize) -> String {
    // As long as `chapter.md`, so that nothing moves when the name is put back.
    format!("chap{index:03}.md")
}

/// The messages of each chapter, when all are built as one book.
fn messages(claims: &[Claim]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut summary = String::from("# Summary\n\n");
    for (index, claim) in claims.iter().enumerate() {
        let name = file(index);
        writeln!(summary, "- [Chapter {index}]({name})").unwrap();
        fs::write(folder.path().join(&name), &claim.chapter).unwrap();
    }
    fs::write(folder.path().join("SUMMARY.md"), summary).unwrap();
    fs::write(folder.path().join("book.toml"), "title = \"Claims\"\n").unwrap();
    let read = project::read(folder.path()).unwrap();
    let mut runner = Local::new(folder.path().join("kept"), Limits::default())
        .confined_by(env!("CARGO_BIN_EXE_reckoner"));
    let built = build(&read.value, &mut runner);
    let of = |index: usize| {
        let name = FileId::new(&file(index));
        let own: Vec<Diagnostic> = built
            .iter()
            .filter(|it| it.place.file == name && it.severity != Severity::Note)
            .cloned()
            .collect();
        let text = report::plain(&own, &read.value.sources);
        text.replace(&file(index), "chapter.md").trim_end().to_owned()
    };
    (0..claims.len()).map(of).collect()
}

fn build(input: &Input, runner: &mut Local) -> Vec<Diagnostic> {
    let options = Options { pdf: false };
    pipeline::build(input, options, runner, &mut Memo::default(), &mut ()).unwrap().diagnostics
}

#[test]
fn every_failure_is_shown_as_an_author_sees_it() {
    let guide = fs::read_to_string(GUIDE).unwrap();
    let claims = claims(&guide);
    assert!(claims.len() >= 14, "only {} failures are shown", claims.len());
    let messages = messages(&claims);
    if std::env::var_os("UPDATE").is_some() {
        let mut updated = guide.clone();
        for (claim, message) in claims.iter().zip(&messages).rev() {
            updated.replace_range(claim.at.clone(), &format!("{message}\n"));
        }
        return fs::write(Path::new(GUIDE), updated).unwrap();
    }
    for (claim, message) in claims.iter().zip(&messages) {
        assert!(!message.is_empty(), "nothing is wrong with\n{}", claim.chapter);
        assert_eq!(
            *message, claim.message,
            "the guide shows another message for\n{}",
            claim.chapter
        );
    }
}

#[test]
fn every_code_of_snippets_is_shown() {
    let guide = fs::read_to_string(GUIDE).unwrap();
    for explained in reckoner::eval::CODES {
        assert!(guide.contains(explained.code.0), "the guide does not show {}", explained.code.0);
    }
}
