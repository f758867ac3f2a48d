//! Code to HTML with a class on each word, so that the style sheet has the colours.

use std::ops::Range;
use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::writer::Writer;
use crate::html::Html;

/// More bytes of code than this are shown plain: the grammars are not fast on long lines.
const LIMIT: usize = 64 * 1024;

/// Grammars of syntect and of the languages that it lacks, such as TOML. Constant data.
static GRAMMARS: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// Scope and class. The last one that a scope begins with counts, so the more exact stand below.
const CLASSES: &[(&str, &str)] = &[
    ("comment", "hc"),
    ("constant", "hn"),
    ("constant.character.escape", "he"),
    ("constant.language", "hk"),
    ("entity.name", "hf"),
    ("entity.name.function", "hf"),
    ("entity.name.impl", "ht"),
    ("entity.name.struct", "ht"),
    ("entity.name.tag", "hk"),
    ("entity.name.trait", "ht"),
    ("entity.name.type", "ht"),
    ("entity.other.attribute-name", "ha"),
    ("keyword", "hk"),
    ("keyword.operator", "ho"),
    ("markup.bold", "hk"),
    ("markup.heading", "hk"),
    ("meta.annotation", "ha"),
    ("punctuation.definition.comment", "hc"),
    ("punctuation.definition.string", "hs"),
    ("storage.modifier", "hk"),
    ("storage.type", "hk"),
    ("string", "hs"),
    ("support.function", "hf"),
    ("support.macro", "hm"),
    ("support.type", "ht"),
    ("variable.language", "hk"),
];

static SCOPES: LazyLock<Vec<(Scope, &str)>> = LazyLock::new(|| {
    let scope = |it: &str| Scope::new(it).expect("every scope of the table is well formed");
    CLASSES.iter().map(|(name, class)| (scope(name), *class)).collect()
});

/// A name in code that leads to where it is defined.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// Bytes of the code.
    pub range: Range<usize>,
    pub href: String,
    /// The fragment that the link shows.
    pub preview: Option<String>,
    /// What a reader learns before going there.
    pub title: String,
    /// Whether it is the first way there. The others go to the same place, and the keyboard need
    /// not stop at each.
    pub first: bool,
}

impl Writer<'_> {
    /// Writes a block of code. `ways` are in order and do not overlap.
    pub(super) fn highlighted(&mut self, language: &str, code: &str, ways: &[Way]) {
        let code = code.trim_end_matches('\n');
        let class = format!("language-{language}");
        let class = Some(&class[..]).filter(|_| !language.is_empty());
        let attributes = [
            ("class", Some("code")),
            ("role", Some("group")),
            ("tabindex", Some("0")),
            ("aria-label", Some(self.words.code)),
        ];
        self.out.open("pre", &attributes).open("code", &[("class", class)]);
        let html = html(language, code, ways);
        self.out.html(&html);
        self.out.markup("</code></pre>\n");
    }
}

/// The code with a class on each word that its language gives a meaning.
fn html(language: &str, code: &str, ways: &[Way]) -> Html {
    let grammar = Some(language)
        .filter(|it| !it.is_empty() && code.len() <= LIMIT)
        .and_then(|it| GRAMMARS.find_syntax_by_token(it));
    let colored = grammar.and_then(|it| colored(it, code, ways));
    colored.unwrap_or_else(|| {
        let mut plain = Spans::new(ways);
        plain.push(None, code);
        plain.finish()
    })
}

/// `None` if the grammar gives up.
fn colored(grammar: &SyntaxReference, code: &str, ways: &[Way]) -> Option<Html> {
    let mut state = ParseState::new(grammar);
    let mut stack = ScopeStack::new();
    let mut spans = Spans::new(ways);
    // The grammars want the line end; the last line's is taken away again.
    let text = format!("{code}\n");
    for line in text.split_inclusive('\n') {
        let changes = state.parse_line(line, &GRAMMARS).ok()?;
        let mut start = 0;
        for (at, change) in changes {
            spans.push(class(&stack), line.get(start..at)?);
            stack.apply(&change).ok()?;
            start = at;
        }
        spans.push(class(&stack), line.get(start..)?);
    }
    Some(spans.finish())
}

/// The class of the innermost scope that has one.
fn class(stack: &ScopeStack) -> Option<&'static str> {
    let one =
        |scope: &Scope| SCOPES.iter().rev().find(|it| it.0.is_prefix_of(*scope)).map(|it| it.1);
    stack.as_slice().iter().rev().find_map(one)
}

/// Joins neighbours of one class, and cuts where a way begins or ends.
struct Spans<'a> {
    out: Html,
    class: Option<&'static str>,
    text: String,
    /// Ways from the current one on.
    ways: &'a [Way],
    /// Byte of the code up to which text was given.
    at: usize,
    /// Whether the text is of the first of the ways.
    inside: bool,
}

impl<'a> Spans<'a> {
    fn new(ways: &'a [Way]) -> Self {
        Self { out: Html::new(), class: None, text: String::new(), ways, at: 0, inside: false }
    }

    fn push(&mut self, class: Option<&'static str>, mut text: &str) {
        while let Some(way) = self.ways.first() {
            let edge = if self.inside { way.range.end } else { way.range.start };
            let Some((before, after)) = text.split_at_checked(edge.saturating_sub(self.at)) else {
                break;
            };
            self.piece(class, before);
            self.flush();
            self.ways = if self.inside { &self.ways[1..] } else { self.ways };
            self.inside = !self.inside;
            text = after;
        }
        self.piece(class, text);
    }

    fn piece(&mut self, class: Option<&'static str>, text: &str) {
        // Space has no colour, so it goes with what stands before it.
        if class != self.class && !text.trim().is_empty() {
            self.flush();
            self.class = class;
        }
        self.text.push_str(text);
        self.at += text.len();
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let word = text.trim_end();
        if let (true, false, Some(way)) = (self.inside, text.is_empty(), self.ways.first()) {
            let class = self.class.map_or_else(|| "name".into(), |it| format!("name {it}"));
            let attributes = [
                ("class", Some(&class[..])),
                ("href", Some(&way.href[..])),
                ("title", Some(&way.title[..])),
                ("data-preview", way.preview.as_deref()),
                ("tabindex", (!way.first).then_some("-1")),
            ];
            self.out.open("a", &attributes).text(&text).close("a");
            return;
        }
        match self.class {
            Some(class) if !word.is_empty() => {
                self.out.open("span", &[("class", Some(class))]).text(word).close("span");
                self.out.text(&text[word.len()..]);
            }
            Some(_) | None => {
                self.out.text(&text);
            }
        }
    }

    fn finish(mut self) -> Html {
        self.text.truncate(self.text.trim_end_matches('\n').len());
        self.flush();
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_classes_and_text_stays() {
        assert!(CLASSES.is_sorted_by(|a, b| a.0 < b.0));
        let rust = html("rust", "// sum\nlet s: f64 = 1.5 < x && true;", &[]).into_string();
        let expected = "<span class=\"hc\">// sum</span>\n<span class=\"hk\">let</span> s";
        assert!(rust.starts_with(expected), "{rust}");
        assert!(rust.contains("<span class=\"hn\">1.5</span>"), "{rust}");
        assert!(rust.contains("&lt;"), "{rust}");
        let toml = html("toml", "[a]\nb = \"c\"", &[]).into_string();
        assert!(toml.contains("class=\"hs\""), "{toml}");
        assert_eq!(html("no-such-language", "a < b", &[]).as_str(), "a &lt; b");
    }

    #[test]
    fn names_are_links_inside_of_highlighted_code() {
        let way = |range: Range<usize>, first| Way {
            range,
            href: "b.html#x".into(),
            preview: Some("b/x".into()),
            title: "a::f".into(),
            first,
        };
        let code = "let y = f(f) < g;";
        let ways = [way(8..9, true), way(10..11, false)];
        for language in ["rust", "no-such-language"] {
            let html = html(language, code, &ways).into_string();
            let parsed = scraper::Html::parse_fragment(&html);
            assert_eq!(parsed.root_element().text().collect::<String>(), code);
            let links = scraper::Selector::parse("a[href='b.html#x'][title='a::f']").unwrap();
            let links: Vec<_> = parsed.select(&links).collect();
            assert_eq!(
                links.iter().map(|it| it.text().collect::<String>()).collect::<String>(),
                "ff"
            );
            let stops: Vec<_> = links.iter().map(|it| it.attr("tabindex")).collect();
            assert_eq!(stops, [None, Some("-1")], "{html}");
        }
        let plain = html("rust", code, &[]).into_string();
        let linked = html("rust", code, &ways).into_string();
        let kept = |class: &str| (plain.contains(class), linked.contains(class));
        assert_eq!((kept("\"hk\""), linked.contains("name hf")), ((true, true), true), "{linked}");
    }
}
