//! What holds for every text that an author could write: no panic, no hang, places inside the
//! file, formulas as they stand in it.

#![expect(clippy::disallowed_methods, reason = "a test reads its cases")]

use proptest::prelude::*;
use reckoner::diag::Diagnostic;
use reckoner::ir::{Block, BlockKind, Display, Document, FigureSource, Inline, Node};
use reckoner::math::Formula;
use reckoner::parse;
use reckoner::source::{Source, Span};

/// Random Markdown made of the characters and words that mean something.
fn active() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        12 => "[$`*_\\[\\](){}#>|\\\\!~^=+<&:\n -]",
        4 => "[a-c1é線 ]",
        1 => Just("$$".to_string()),
        1 => Just("\n\n".to_string()),
        1 => Just("\n> ".to_string()),
        1 => Just("\n- ".to_string()),
        1 => Just("\n  ".to_string()),
        1 => Just("```".to_string()),
        1 => Just("```math {#eq:a name=\"$x$\"}\n".to_string()),
        1 => Just("```rust {#snip:a run}\n# x\n".to_string()),
        1 => Just("> [!proof] T {#thm:x}\n".to_string()),
        1 => Just("{#eq:a}".to_string()),
        1 => Just("|--|--|\n".to_string()),
        1 => Just("![a](b.svg)".to_string()),
        1 => Just("[](cite:a,b)".to_string()),
        1 => Just("`=a.b[0]`".to_string()),
        1 => Just("\n[^n]: ".to_string()),
        1 => Just("[^n]".to_string()),
        1 => Just("\\begin{cases}x\\label{eq:b}\\\\".to_string()),
        1 => Just("Table: x {#tab:a}".to_string()),
        1 => Just("\\[".to_string()),
        1 => Just("\\]".to_string()),
        1 => Just("+++\n".to_string()),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|it| it.concat())
}

fn parsed(text: &str) -> (Source, Document, Vec<Diagnostic>) {
    let source = Source::new("part/chapter.md", text);
    let checked = parse::document(&source);
    (source, checked.value, checked.diagnostics)
}

/// Every place that the document names.
fn spans(document: &Document, diagnostics: &[Diagnostic]) -> Vec<Span> {
    let mut out: Vec<Span> = document.labels.iter().map(|it| it.span).collect();
    out.push(document.front.span);
    out.extend(document.footnotes.iter().map(|it| it.span));
    out.extend(diagnostics.iter().map(|it| it.place.span));
    for node in document.nodes() {
        match node {
            Node::Block(block) => block_spans(block, &mut out),
            Node::Inline(inline) => match inline {
                Inline::Math(it) => out.push(it.span),
                Inline::Value(it) => out.push(it.path.span),
                Inline::Reference(it) => out.push(it.span),
                Inline::Citation { keys, .. } => out.extend(keys.iter().map(|it| it.span)),
                Inline::Link { span, .. } | Inline::Image { span, .. } => out.push(*span),
                Inline::Text(_)
                | Inline::Emphasis(_)
                | Inline::Strong(_)
                | Inline::Strike(_)
                | Inline::Code(_)
                | Inline::Footnote(_)
                | Inline::SoftBreak
                | Inline::HardBreak
                | Inline::Html(_) => {}
            },
        }
    }
    out
}

fn block_spans(block: &Block, out: &mut Vec<Span>) {
    out.push(block.span);
    match &block.kind {
        BlockKind::Heading(it) => out.extend(it.labels.iter().map(|it| it.span)),
        BlockKind::Display(it) => {
            out.push(it.formula.span);
            out.extend(it.labels.iter().map(|it| it.span));
            out.extend(it.lines.iter().map(|it| it.span));
            out.extend(it.deps.iter().map(|it| it.span));
        }
        BlockKind::Environment(it) => out.extend(it.labels.iter().map(|it| it.span)),
        BlockKind::Snippet(it) => out.push(it.id_span),
        BlockKind::Figure(it) => match &it.source {
            FigureSource::File(_, span) => out.push(*span),
            FigureSource::Output(path) => out.push(path.span),
        },
        BlockKind::Table(it) => out.extend(it.labels.iter().map(|it| it.span)),
        BlockKind::Code(_)
        | BlockKind::Paragraph(_)
        | BlockKind::List(_)
        | BlockKind::Quote(_)
        | BlockKind::Rule
        | BlockKind::Html(_) => {}
    }
}

fn formulas(document: &Document) -> Vec<&Formula> {
    let formula = |node| match node {
        Node::Inline(Inline::Math(formula)) => Some(formula),
        Node::Block(Block { kind: BlockKind::Display(display), .. }) => {
            let Display { formula, .. } = &**display;
            Some(formula)
        }
        Node::Inline(_) | Node::Block(_) => None,
    };
    document.nodes().into_iter().filter_map(formula).collect()
}

/// Whether `tex` is `written` up to bytes that were blanked.
fn is_blanked(tex: &str, written: &str) -> bool {
    tex.len() == written.len()
        && tex.bytes().zip(written.bytes()).all(|(tex, written)| tex == written || tex == b' ')
}

fn check(text: &str) {
    let (source, document, diagnostics) = parsed(text);
    for span in spans(&document, &diagnostics) {
        assert!(source.text.get(span.range()).is_some(), "{span:?} is no place in {text:?}");
    }
    for formula in formulas(&document) {
        let written = source.slice(formula.span);
        assert!(is_blanked(&formula.tex, written), "{:?} is not {written:?}", formula.tex);
    }
    // Deep nesting, links to nothing and the like are said, and what is said can be explained.
    for diagnostic in &diagnostics {
        let known = parse::CODES.iter().any(|it| it.code == diagnostic.code);
        assert!(known, "{:?} is not in the table", diagnostic.code);
    }
    assert_eq!(document, parsed(text).1, "two looks at one text differ");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_a_tree_with_true_places(text in active()) {
        check(&text);
    }

    #[test]
    fn a_formula_does_not_depend_on_the_blocks_around_it(before in active(), after in active()) {
        // A fence shuts off whatever the text before it left open.
        let probe = "Here $a_b*c$ and\n\n$$\nx_1\n= y_2\n\n- z\n$$ {#eq:probe}\n\n> $$a\n> > b$$\n";
        let shut = "\n\n~~~ text\n~~~~~~~~~\n";
        let (_, alone, _) = parsed(probe);
        let text = format!("{shut}{probe}{shut}");
        let (_, shut_in, _) = parsed(&text);
        let own: Vec<_> = formulas(&alone).into_iter().map(|it| it.tex.clone()).collect();
        let inside: Vec<_> = formulas(&shut_in).into_iter().map(|it| it.tex.clone()).collect();
        prop_assert_eq!(&own, &inside);
        let harmless: String = before.replace(['`', '~', '<', '+'], "");
        let behind: String = after.replace(['`', '~', '<', '+'], "");
        let text = format!("{harmless}{shut}{probe}{shut}{behind}");
        let (_, document, _) = parsed(&text);
        let all: Vec<_> = formulas(&document).into_iter().map(|it| it.tex.clone()).collect();
        prop_assert!(
            all.windows(own.len()).any(|it| it == own),
            "{:?} is not among {:?} of {:?}", own, all, text
        );
    }

    #[test]
    fn a_book_of_any_text_is_read(summary in active(), toml in active()) {
        let files = [
            ("SUMMARY.md", &summary), ("book.toml", &toml), ("notation.toml", &toml),
            ("outline.toml", &toml), ("labels.toml", &toml), ("macros.tex", &summary),
        ];
        let sources = files.iter().map(|(path, text)| Source::new(path, text));
        let sources = sources.map(|it| (it.file.clone(), it)).collect();
        for diagnostic in parse::book(&sources).diagnostics {
            let source = &sources[&diagnostic.place.file];
            prop_assert!(source.text.get(diagnostic.place.span.range()).is_some());
        }
    }
}

/// Texts that make a careless parser slow or overflow its stack. Each is parsed in a thread with a
/// stack of 2 MiB, as those of a thread pool have.
#[test]
fn long_and_deep_texts_are_parsed_in_linear_time() {
    let deep = 10_000;
    let mut lists = String::new();
    for depth in 0..300 {
        lists.push_str(&format!("{}- a\n", "  ".repeat(depth)));
    }
    let texts = [
        "> ".repeat(deep) + "a",
        "- ".repeat(deep) + "a",
        "[".repeat(deep) + "a",
        "![".repeat(deep) + "a",
        "[".repeat(deep) + &"](a)".repeat(deep),
        "*a **a ".repeat(deep),
        "*".repeat(deep) + "a" + &"*".repeat(deep),
        "> [!note] a\n".repeat(deep),
        lists,
        "$".repeat(100 * deep),
        "$a ".repeat(30 * deep),
        "${".repeat(30 * deep),
        "\\(".repeat(30 * deep),
        "\\[".repeat(30 * deep),
        "\\ref{".repeat(10 * deep),
        "# ".to_string() + &"{#a ".repeat(10 * deep),
        "# ".to_string() + &"{a=\"".repeat(10 * deep),
        "| ".repeat(10 * deep),
        "$x$ ".repeat(20 * deep),
        "$x$\n".repeat(10 * deep),
        "$$ `x $$ `y\n\n".repeat(deep),
        "`=a.b` ".repeat(10 * deep),
        "[^a] ".repeat(10 * deep),
        "## a\n".repeat(5 * deep),
        "- [x] a\n".repeat(5 * deep),
        "```rust {#snip:a run}\n# a\n```\n".repeat(deep),
        "http://a.b/$x$ ".repeat(5 * deep),
        format!("$${}$$ {{#eq:a}}", "x + ".repeat(25 * deep)),
        format!("```math {{#eq:a}}\n{}\n```", "\\label{a}\\\\\n".repeat(5 * deep)),
        format!("$${}$$", "{".repeat(deep)),
        "&".repeat(30 * deep),
        "<a ".repeat(10 * deep),
        "\\".repeat(100 * deep),
    ];
    for (index, text) in texts.into_iter().enumerate() {
        let name = format!("{index} {:?}", text.chars().take(40).collect::<String>());
        let (sender, receiver) = std::sync::mpsc::channel();
        let parse = move || sender.send(parsed(&text).1.nodes().len());
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(parse);
        thread.expect("a thread starts");
        // The slowest takes 2 s unoptimised; quadratic work would take hours.
        let done = receiver.recv_timeout(std::time::Duration::from_secs(60));
        assert!(done.is_ok(), "{name}: {done:?}");
    }
}

#[test]
fn a_deep_text_says_what_is_left_out() {
    let (_, _, diagnostics) = parsed(&("> ".repeat(200) + "a"));
    let codes: Vec<_> = diagnostics.iter().map(|it| it.code.0).collect();
    assert!(codes.contains(&"parse-depth"), "{codes:?}");
}

#[test]
fn every_message_has_a_golden_case_and_an_explanation() {
    let folder = std::fs::read_dir("tests/cases/parse").expect("the cases are there");
    let cases = folder.map(|it| it.expect("a case can be listed").path());
    let text: String =
        cases.map(|it| std::fs::read_to_string(it).expect("a case is text")).collect();
    for explained in parse::CODES {
        let code = explained.code.0;
        assert!(text.contains(&format!("[{code}]")), "no case shows {code}");
        assert!(explained.text.contains("\n\n"), "{code} is not explained");
    }
    assert!(parse::CODES.is_sorted_by(|a, b| a.code < b.code));
}

#[test]
fn a_book_of_mdbook_has_its_outline_where_mdbook_has_it() {
    let files = [
        ("book.toml", "[book]\ntitle = \"T\"\nsrc = \"text\"\n"),
        ("text/SUMMARY.md", "# Summary\n\n- [A](a.md)\n- [B](sub/b.md)\n"),
        ("text/a.md", "# A\n"),
        ("text/sub/b.md", "# B\n"),
    ];
    let sources = files.iter().map(|(path, text)| Source::new(path, text));
    let book = parse::book(&sources.map(|it| (it.file.clone(), it)).collect());
    assert_eq!(book.diagnostics, []);
    assert_eq!(book.value.settings.title, "T");
    let files = book.value.outline.iter().map(|it| match it {
        reckoner::ir::Entry::Chapter(chapter) => chapter.file.clone().expect("it is written"),
        reckoner::ir::Entry::Part { title, .. } => panic!("a part {title:?}"),
    });
    let paths: Vec<_> = files.map(|it| it.to_string()).collect();
    assert_eq!(paths, ["text/a.md", "text/sub/b.md"]);
}
