//! Formulas: equal to KaTeX's, whole, and refused with a place.

#[path = "katex/corpus.rs"]
mod corpus;
#[path = "katex/oracle.rs"]
mod oracle;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use corpus::{MACROS, PIECES, corpus, engine, formula, hard, macros};
use oracle::{Oracle, Rule};
use proptest::prelude::*;
use reckoner::ir::{Block, BlockKind, Inline, Node};
use reckoner::math::{CODES, Engine, Facts, Fault, Formula, Macros, Rendered, Style, style_sheet};
use reckoner::parse;

/// Formulas of the corpus whose HTML is meant to differ from KaTeX's, with the reason.
const ACCEPTED: &[(&str, &str)] = &[
    ("c103", "KaTeX writes `undefined` into its MathML"),
    ("c130", "references are ours"),
    ("c131", "references are ours"),
    ("c134", "refused: data attributes"),
    ("c135", "refused: styles"),
    ("c137", "references are ours"),
    ("c138", "refused: an address that is neither of the web nor a label"),
    ("c139", "an address in upright letters, not in typewriter"),
    ("c200", "refused: a character that no font of formulas has"),
    ("c201", "refused: a character that no font of formulas has"),
    ("c32", "numbers are ours"),
    ("c33", "numbers are ours"),
    ("c36", "numbers are ours"),
    ("c38", "numbers are ours"),
];

/// Formulas of the corpus that are refused: by code, and whether KaTeX refuses them too.
const REFUSED: &[(&str, &str, bool)] = &[
    // The parser blanks labels before formulas are rendered.
    ("c129", "math-command", true),
    ("c134", "math-trust", false),
    ("c135", "math-trust", false),
    ("c136", "math-command", true),
    ("c138", "math-trust", false),
    ("c156", "math-command", true),
    // These define what has a meaning already.
    ("c166", "math-macro", true),
    ("c200", "math-strict", false),
    ("c201", "math-strict", false),
    ("c283", "math-macro", true),
];

#[test]
fn html_is_that_of_katex() {
    let (engine, oracle) = (engine(), Oracle::new(&macros(MACROS)));
    assert!(ACCEPTED.is_sorted_by(|a, b| a.0 < b.0));
    for (id, it) in corpus() {
        let found = oracle.difference(&engine, &it, Rule::ALL);
        match ACCEPTED.iter().find(|(accepted, _)| *accepted == id) {
            Some((_, reason)) => assert!(found.is_some(), "{id} no longer differs ({reason})"),
            None => assert_eq!(found, None, "{id}: {}", it.tex),
        }
    }
}

/// The formulas of the real book, but for what only the generator knows: values and references.
fn book() -> (Macros, Vec<Formula>) {
    let read = reckoner::project::read(Path::new("book")).expect("the book can be read").value;
    let book = parse::book(&read.sources).value;
    let mut formulas = Vec::new();
    for source in read.sources.values().filter(|it| it.file.path().ends_with(".md")) {
        for node in parse::document(source).value.nodes() {
            match node {
                Node::Inline(Inline::Math(it)) => formulas.push(it.clone()),
                Node::Block(Block { kind: BlockKind::Display(it), .. }) => {
                    formulas.push(it.formula.clone());
                }
                Node::Inline(_) | Node::Block(_) => {}
            }
        }
    }
    let ours = ["\\val{", "\\ref{", "\\eqref{", "\\href{#"];
    formulas.retain(|it| !ours.iter().any(|ours| it.tex.contains(ours)));
    formulas.sort_unstable();
    formulas.dedup_by(|a, b| (&a.tex, a.style) == (&b.tex, b.style));
    (book.macros, formulas)
}

#[test]
fn formulas_of_the_book_are_those_of_katex() {
    let (macros, formulas) = book();
    assert!(formulas.len() > 100, "{} formulas", formulas.len());
    let (engine, oracle) = (Engine::new(&macros).0, Oracle::new(&macros));
    let differ =
        |it: &Formula| Some(format!("{}: {}", it.tex, oracle.difference(&engine, it, Rule::ALL)?));
    let found: Vec<String> = formulas.iter().filter_map(differ).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A rule that nothing needs any more must go.
#[test]
fn every_rule_of_the_comparison_is_needed() {
    let (engine, oracle) = (engine(), Oracle::new(&macros(MACROS)));
    let needs = [
        (Rule::Nested, r"\sqrt2", Style::Inline),
        (Rule::Aligned, r"x\xrightarrow{f}y", Style::Display),
        (Rule::Small, r"x^{'}", Style::Inline),
        (Rule::Root, r"\sqrt{\frac1n\sum_{i=1}^n\left(x_i-\bar x\right)^2}", Style::Display),
        (Rule::Parted, r"a=b,\qquad c\quad d", Style::Display),
        (Rule::Laid, r"\frac12", Style::Inline),
    ];
    assert_eq!(needs.map(|it| it.0), Rule::ALL);
    for (rule, tex, style) in needs {
        let others: Vec<Rule> = Rule::ALL.iter().copied().filter(|it| *it != rule).collect();
        let it = formula(tex, style);
        assert_ne!(oracle.difference(&engine, &it, &others), None, "{rule:?}");
        assert_eq!(oracle.difference(&engine, &it, Rule::ALL), None, "{rule:?}");
    }
}

#[test]
fn the_corpus_is_refused_where_it_should_be() {
    let (engine, oracle) = (engine(), Oracle::new(&macros(MACROS)));
    for (id, it) in corpus().into_iter().chain(hard()) {
        let found = engine.render(&it, &Facts::default());
        match (REFUSED.iter().find(|(refused, ..)| *refused == id), found) {
            (Some((_, code, both)), Err(faults)) => {
                assert_eq!(faults[0].code.0, *code, "{id}");
                assert_eq!(oracle.html(&it.tex, it.style).is_err(), *both, "{id}");
            }
            (Some(_), Ok(_)) => panic!("{id} is not refused"),
            (None, Err(faults)) => panic!("{id} {}: {faults:?}", it.tex),
            (None, Ok(rendered)) => {
                assert!(!rendered.plain.is_empty(), "{id}");
                assert!(!rendered.typst.is_empty(), "{id}");
                assert_whole(&rendered);
            }
        }
    }
}

/// No style attribute, every class of a style has its rule, every element is closed.
fn assert_whole(rendered: &Rendered) {
    let html = rendered.html.as_str();
    assert!(!html.contains(" style="), "{html}");
    let sheet = style_sheet(&rendered.styles);
    let mut open: Vec<&str> = Vec::new();
    for part in html.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(!text.contains('>'), "{part}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{html}"),
            None => open.push(tag.split(' ').next().expect("a name")),
        }
        let classes = tag.split_once(" class=\"").map_or("", |it| it.1);
        for class in classes.split('"').next().unwrap_or_default().split(' ') {
            if class.starts_with("k-") {
                assert!(sheet.contains(&format!(".{class}:not(#_){{")), "{class}");
            }
        }
    }
    assert_eq!(open, Vec::<&str>::new(), "{html}");
}

fn faults(tex: &str, style: Style) -> Vec<Fault> {
    engine().render(&formula(tex, style), &Facts::default()).expect_err(tex)
}

/// Symbol, formula, what is marked of it.
const MARKED: &[(&str, &str, &[&str])] = &[
    ("Q", r"\operatorname{softmax}(QK^\top)", &["Q"]),
    ("d_k", r"\frac{1}{\sqrt{d_k}}x^{d_k}_{d}", &["dk", "dk"]),
    ("k", r"d_k\text{ if }k", &["k", "k"]),
    ("n", r"\sin n+\operatorname{n}(\mathrm n)", &["n"]),
    ("W_{QK}", r"W_Q W_{QK}W_{QK}^\top", &["WQK"]),
    (r"\hat x", r"x\hat x\hat{\hat x}", &["x^", "x^"]),
    (r"\odot", r"a\odot b_{\odot}", &["⊙", "⊙"]),
    (r"\eta,\ \eta_t", r"\eta\eta_t\eta_0", &["η", "ηt", "η"]),
    (r"\operatorname{PE}(p)", r"x+\operatorname{PE}(q)", &["PE"]),
    (r"\nabla f", r"-\nabla f(x),\nabla g", &["∇f"]),
    (r"\mathbb E", r"\mathbb E[E]", &["E"]),
    ("x^2", r"x^2x^3", &["x2"]),
    (r"\undefined", "x", &[]),
];

#[test]
fn symbols_are_marked_and_nothing_is_drawn_otherwise() {
    let engine = engine();
    let marked = scraper::Selector::parse(".katex-html [data-preview]").expect("a selector");
    for (symbol, tex, expected) in MARKED {
        let it = formula(tex, Style::Display);
        let plain = engine.render(&it, &Facts::default()).expect("it is sound");
        let marks = BTreeMap::from([("it".to_owned(), (*symbol).to_owned())]);
        let facts = Facts { marks, ..Facts::default() };
        let made = engine.render(&it, &facts).expect("it is sound");
        let html = scraper::Html::parse_fragment(made.html.as_str());
        let texts = html.select(&marked).map(|it| it.text().collect::<String>());
        let texts: Vec<String> = texts.map(|it| it.replace('\u{200b}', "")).collect();
        assert_eq!(texts, *expected, "{symbol} in {tex}");
        // Where a span was put around, there are more tags.
        let wrapped = made.html.as_str().replace(" data-preview=\"it\"", "");
        if expected != &["∇f"] {
            assert_eq!(wrapped, plain.html.as_str(), "{symbol} in {tex}");
        }
        assert_eq!(made.styles, plain.styles);
    }
}

/// TeX → the part to blame, code, message.
#[test]
fn faults_have_their_place() {
    use Style::{Display, Inline};
    let table = [
        (Inline, r"a+\sofmax(z)", r"\sofmax", "math-command", r"unknown command `\sofmax`"),
        (Inline, r"é^2", "é", "math-strict", "Unicode text"),
        (Inline, r"\frac{a}{b", "b", "math-argument", "`}` is expected"),
        (Inline, r"x + \frac{a}", r"}", "math-argument", "ends where"),
        (Inline, r"x^2^3", "^", "math-script", "double superscript"),
        (Inline, r"a + \left( b", "b", "math-delimiter", r"`\left` has no `\right`"),
        (Inline, r"\left a b \right)", "a", "math-delimiter", "is no delimiter"),
        (Display, r"x\begin{algin}a\end{algin}", r"\begin{algin}", "math-environment", "algin"),
        (Display, r"\begin{cases}a\end{aligned}", r"\end{aligned}", "math-environment", "cases"),
        (Inline, r"\begin{align}a\end{align}", r"\begin{align}", "math-mode", "display"),
        (Inline, r"\text{ü \alpha}", r"\alpha", "math-mode", "in text"),
        (Inline, r"a \tag{1}", r"\tag{1}", "math-mode", r"\tag"),
        (Display, r"a \\ b", r"\\", "math-line", "line break"),
        (Inline, r"\def\a{\a}\a", r"\def\a", "math-loop", "never ends"),
        (Inline, r"\newcommand{\frac}{x}y", r"\newcommand", "math-macro", "meaning already"),
        (
            Inline,
            r"\href{javascript:alert(1)}{x}",
            r"\href{javascript:alert(1)}",
            "math-trust",
            "link",
        ),
        (Inline, r"x\htmlData{a=b}{y}", r"\htmlData{a=b}", "math-trust", "not allowed"),
        (Inline, r"x\includegraphics{a.png}", r"\includegraphics{a.png}", "math-trust", "allowed"),
        (Inline, r"\textcolor{blurple}{x}", "blurple", "math-unsupported", "blurple"),
        (Inline, r"a % note", "%", "math-strict", "comment"),
        (Inline, r"\KaTeX\LaTeX\badness", r"\badness", "math-command", r"`\badness`"),
        (Inline, r"x + \norm y \bad", r"\bad", "math-command", r"\bad"),
        (Inline, r"x + \paren", r"\paren", "math-argument", "ends where"),
        (Inline, r"2 + \wrong{x}{y} + 3", r"\wrong{x}{y}", "math-mode", "in text"),
    ];
    let (engine, _) =
        Engine::new(&macros(&[MACROS, &[("\\wrong", "\\text{\\alpha #1}")]].concat()));
    let mut wrong = Vec::new();
    for (style, tex, blamed, code, message) in table {
        match engine.render(&formula(tex, style), &Facts::default()) {
            Ok(_) => wrong.push(format!("{tex}: accepted")),
            Err(found) => {
                let it = &found[0];
                let text = tex.get(it.range.clone()).unwrap_or("not on character boundaries");
                if text != blamed || it.code.0 != code || !it.message.contains(message) {
                    wrong.push(format!("{tex}: `{text}` {} {}", it.code.0, it.message));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn codes_are_explained() {
    assert!(CODES.is_sorted_by(|a, b| a.code < b.code));
    assert!(CODES.iter().all(|it| it.code.0.starts_with("math-") && it.text.len() > 80));
}

#[test]
fn limits_end_quickly() {
    for tex in ["{".repeat(10_000), "x".repeat(1 << 20), "\\frac".repeat(1000)] {
        let found = faults(&tex, Style::Inline);
        assert!(matches!(found[0].code.0, "math-length" | "math-depth"), "{:?}", found[0]);
    }
}

/// What is allowed fits a thread's stack, with much to spare.
#[test]
fn the_deepest_formulas_fit_the_stack_of_a_thread() {
    let nest = |open: &str, close: &str, times: usize| {
        format!("{}x{}", open.repeat(times), close.repeat(times))
    };
    let deep = [
        nest("\\frac{1}{", "}", 30),
        nest("\\sqrt{", "}", 30),
        nest("{", "}", 60),
        nest("\\left(", "\\right)", 60),
        nest("\\begin{matrix}", "\\end{matrix}", 30),
        nest("x^{", "}", 30),
        nest("\\text{$", "$}", 30),
        nest("\\underbrace{", "}_{a}", 30),
        nest("\\displaystyle ", "", 30),
        nest("\\textcolor{red}{", "}", 30),
    ];
    let shallow = [
        nest("\\frac{1}{", "}", 6),
        nest("\\text{$", "$}", 4),
        nest("\\begin{matrix}", "\\end{matrix}", 6),
        nest("\\left(", "\\right)", 12),
        nest("\\displaystyle ", "", 6),
    ];
    let deep: Vec<String> = deep.into_iter().chain(shallow).collect();
    let engine = engine();
    let work = move || {
        for tex in &deep {
            engine.render(&formula(tex, Style::Display), &Facts::default()).expect(tex);
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
    thread.expect("a thread").join().expect("no overflow");
}

#[test]
fn macros_of_the_book_are_checked() {
    let list = [
        ("\\good", "\\operatorname{good}"),
        ("\\R", "\\mathbb{R}"),
        ("\\open", "\\left("),
        ("\\me", "x\\me"),
        ("\\you", "\\them"),
        ("\\them", "\\you"),
        ("\\slip", "\\mathbf{\\xi}\\mathbff{x}"),
        ("\\braces", "{x"),
        ("\\holes", "#2"),
        ("noslash", "x"),
    ];
    let (engine, faults) = Engine::new(&macros(&list));
    let found: BTreeSet<(&str, &str)> =
        faults.iter().map(|(name, it)| (name.as_str(), it.code.0)).collect();
    let expected = [
        ("\\braces", "math-macro"),
        ("\\holes", "math-macro"),
        ("\\me", "math-loop"),
        ("\\slip", "math-command"),
        ("noslash", "math-macro"),
    ];
    for it in expected {
        assert!(found.contains(&it), "{it:?} in {found:?}");
    }
    let of_pair = found.iter().filter(|it| ["\\you", "\\them"].contains(&it.0)).count();
    assert!(of_pair > 0 && found.len() <= expected.len() + 2, "{found:?}");
    let fine =
        engine.render(&formula("\\good\\R\\open x\\right)", Style::Inline), &Facts::default());
    assert_eq!(fine.expect("good macros work").plain, "good ℝ(x)");
    assert!(engine == engine.clone());
}

fn facts() -> Facts {
    let own = |it: &[(&str, &str)]| -> BTreeMap<String, String> {
        it.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
    };
    Facts {
        values: own(&[("m08-s01.O[0][1]:.3", "0.125"), ("m.t[\"error\"]", "-2")]),
        targets: BTreeMap::from([(
            "eq:at".to_owned(),
            ("8.7".to_owned(), "self_attention.html#eq:at".to_owned()),
        )]),
        tags: BTreeMap::new(),
        marks: BTreeMap::new(),
    }
}

/// A size in a macro is read from tokens of the body and of the arguments.
#[test]
fn macros_may_have_sizes() {
    let list = [("\\gap", "\\hspace{#1em}"), ("\\up", "\\raisebox{0.2em}{$x$}")];
    let (engine, faults) = Engine::new(&macros(&list));
    assert_eq!(faults, []);
    for tex in [r"a\gap{2}b", r"\frac{a}{\up}", r"\sqrt{\frac{\up}{\sqrt{\up}}}\up"] {
        engine.render(&formula(tex, Style::Inline), &Facts::default()).expect(tex);
    }
}

#[test]
fn values_and_references_are_put_in() {
    let render = |tex: &str| engine().render(&formula(tex, Style::Inline), &facts());
    let it = render(r#"a=\val{m08-s01.O[0][1]:.3}-\val{m.t["error"]}"#).expect("values");
    assert_eq!(it.plain, "a = 0.125 − −2");
    assert!(it.typst.contains(r"\0\u{2e}\1\2\5"), "{}", it.typst);

    let it = render(r"x\text{ by }\eqref{eq:at}\ \ref{eq:at}\href{#eq:at}{y}").expect("references");
    assert_eq!(it.plain, "x by (8.7) 8.7y");
    let link = "href=\"self_attention.html#eq:at\"";
    assert!(it.html.as_str().matches(link).count() >= 3, "{}", it.html);

    let it = render(r"\val{no}\ref{no}\eqref{no}\href{#no}{y}").expect("placeholders");
    assert_eq!(it.plain, "??????y");

    // Places are those of the author's TeX, before and after what was put in.
    for (tex, blamed) in [
        (r"\val{m08-s01.O[0][1]:.3}+\bad", r"\bad"),
        (r"\bad+\eqref{eq:at}", r"\bad"),
        (r"\ref{eq:at}α\ref{eq:at}^2^3", "^"),
    ] {
        let found = render(tex).expect_err(tex);
        assert_eq!(&tex[found[0].range.clone()], blamed);
    }
    // The address of the book is allowed to the book, not to authors.
    assert!(render(r"\href{self_attention.html#eq:x}{y}").is_err());
}

#[test]
fn rows_get_their_numbers() {
    let tags = BTreeMap::from([(0, "8.1".to_owned()), (2, "8.2".to_owned())]);
    let facts = Facts { tags, ..Facts::default() };
    for tex in [
        r"\begin{aligned}a&=b\\c&=d\\e&=f\end{aligned}",
        r"\begin{align}a&=b\\c&=d\\e&=f\end{align}",
        r"\begin{gathered}a=b\\c=d\\e=f\end{gathered}",
        r"f(x)=\begin{cases}a&b\\c&d\\e&f\end{cases}",
    ] {
        let it = engine().render(&formula(tex, Style::Display), &facts).expect(tex);
        let html = it.html.as_str();
        let tag = html.find("class=\"katex-tag").expect("a number");
        // It is the last child of the visible formula, where the style sheet moves it to the margin.
        let after = &html[tag..];
        let open = 1 + after.matches("<span").count();
        assert_eq!(after.matches("</span>").count() - open, 3, "{html}");
        assert!(after.contains(">(8.1)<") && after.contains(">(8.2)<"), "{after}");
        assert!(it.typst.contains("\"(8.1)\"") && it.typst.contains("\"(8.2)\""), "{}", it.typst);
        assert!(!html.contains("\"eqn-num\""), "{html}");
    }
}

#[test]
fn links_go_to_safe_places_alone() {
    let works =
        |tex: &str| engine().render(&formula(tex, Style::Inline), &Facts::default()).is_ok();
    for tex in [
        r"\href{https://example.org/a?b=c&d}{x}",
        r"\href{http://example.org}{x}",
        r"\href{mailto:a@example.org}{x}",
        r"\url{https://example.org}",
    ] {
        assert!(works(tex), "{tex}");
    }
    for address in ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "//evil", "a.html"] {
        let tex = format!("\\href{{{address}}}{{x}}");
        assert!(!works(&tex), "{tex}");
        assert!(!works(&format!("\\def\\a{{{tex}}}\\a")), "{tex}");
    }
}

#[test]
fn plain_text_can_be_read() {
    let table = [
        (r"\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V", "softmax(QKᵀ/√dₖ)V"),
        (r"\frac{a+b}{c}", "(a + b)/c"),
        (r"\sum_{i=1}^n x_i", "∑ᵢ₌₁ⁿ xᵢ"),
        (r"x_{\text{model}}", "x_model"),
        (r"10{,}000", "10,000"),
        (r"\begin{bmatrix}1&0\\0&1\end{bmatrix}", "[1, 0; 0, 1]"),
        (r"a\not=b", "a ≠ b"),
        (r"90^\circ", "90°"),
        (r"\quad", r"\quad"),
    ];
    for (tex, text) in table {
        let it = engine().render(&formula(tex, Style::Inline), &Facts::default());
        assert_eq!(it.expect(tex).plain, text);
    }
}

#[test]
fn characters_of_any_length_have_a_place() {
    for tex in ["®並", "<3(®勇ਲH", "é並\\frac", "並®\\foo"] {
        for style in [Style::Inline, Style::Display] {
            for fault in engine().render(&formula(tex, style), &facts()).err().unwrap_or_default() {
                assert!(tex.get(fault.range.clone()).is_some(), "{tex}: {fault:?}");
            }
        }
    }
}

/// TeX from the characters and commands that do something.
fn active() -> impl Strategy<Value = String> {
    let parts = prop_oneof![prop::sample::select(PIECES).prop_map(str::to_owned), "\\PC{0,3}",];
    prop::collection::vec(parts, 0..40).prop_map(|it| it.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever an author writes is rendered whole, or refused with a place in it.
    #[test]
    fn anything_is_rendered_or_refused(tex in active(), display: bool) {
        let style = if display { Style::Display } else { Style::Inline };
        match engine().render(&formula(&tex, style), &facts()) {
            Ok(rendered) => assert_whole(&rendered),
            Err(faults) => {
                prop_assert!(!faults.is_empty());
                for it in faults {
                    prop_assert!(tex.get(it.range.clone()).is_some(), "{:?}", it);
                    prop_assert!(CODES.iter().any(|code| code.code == it.code), "{:?}", it);
                    prop_assert!(!it.message.is_empty());
                }
            }
        }
    }
}
