/// A snippet of the book.
struct Snippet {
    id: &'static str,
    /// Whether it must panic.
    panics: bool,
    body: fn() -> reckoner_prelude::Outcome,
}

/// A chapter with its program and its snippets.
struct Chapter {
    title: &'static str,
    binary: &'static str,
    snippets: &'static [Snippet],
}

/// Runs all snippets, or those of the chapters and those with the ids that the arguments name.
fn main() -> std::process::ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let list = wanted.iter().any(|it| it == "--list");
    let is_wanted = |name: &str| wanted.iter().any(|it| it == name);
    let (mut found, mut failed) = (0, Vec::new());
    for chapter in CHAPTERS {
        let all = list || wanted.is_empty() || is_wanted(chapter.binary);
        let chosen: Vec<&Snippet> =
            chapter.snippets.iter().filter(|it| all || is_wanted(it.id)).collect();
        if chosen.is_empty() {
            continue;
        }
        println!("\n══ {} ({}) ══", chapter.title, chapter.binary);
        for snippet in chosen {
            found += 1;
            println!("{}── {} ──", if list { "" } else { "\n" }, snippet.id);
            if !list && !runs(snippet) {
                failed.push(snippet.id);
            }
        }
    }
    if found == 0 {
        eprintln!("no chapter and no snippet is called so; `cargo run -- --list` says what there is");
        return std::process::ExitCode::from(2);
    }
    if !failed.is_empty() {
        eprintln!("\nfailed: {}", failed.join(", "));
        return std::process::ExitCode::FAILURE;
    }
    std::process::ExitCode::SUCCESS
}

/// Runs a snippet and tells whether it ended as it must.
fn runs(snippet: &Snippet) -> bool {
    match std::panic::catch_unwind(snippet.body) {
        Ok(Ok(())) if snippet.panics => {
            eprintln!("it ended, but it must panic");
            false
        }
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            eprintln!("error: {error}");
            false
        }
        Err(_) => snippet.panics,
    }
}
