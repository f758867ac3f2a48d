//! Code to HTML with a class on each word, so that the style sheet has the colours.

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

impl Writer<'_> {
    /// Writes a block of code.
    pub(super) fn highlighted(&mut self, language: &str, code: &str) {
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
        let html = html(language, code);
        self.out.html(&html);
        self.out.markup("</code></pre>\n");
    }
}

/// The code with a class on each word that its language gives a meaning.
fn html(language: &str, code: &str) -> Html {
    let grammar = Some(language)
        .filter(|it| !it.is_empty() && code.len() <= LIMIT)
        .and_then(|it| GRAMMARS.find_syntax_by_token(it));
    let colored = grammar.and_then(|it| colored(it, code));
    colored.unwrap_or_else(|| {
        let mut plain = Html::new();
        plain.text(code);
        plain
    })
}

/// `None` if the grammar gives up.
fn colored(grammar: &SyntaxReference, code: &str) -> Option<Html> {
    let mut state = ParseState::new(grammar);
    let mut stack = ScopeStack::new();
    let mut spans = Spans::default();
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

/// Joins neighbours of one class.
#[derive(Default)]
struct Spans {
    out: Html,
    class: Option<&'static str>,
    text: String,
}

impl Spans {
    fn push(&mut self, class: Option<&'static str>, text: &str) {
        // Space has no colour, so it goes with what stands before it.
        if class != self.class && !text.trim().is_empty() {
            self.flush();
            self.class = class;
        }
        self.text.push_str(text);
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let word = text.trim_end();
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
        let rust = html("rust", "// sum\nlet s: f64 = 1.5 < x && true;").into_string();
        let expected = "<span class=\"hc\">// sum</span>\n<span class=\"hk\">let</span> s";
        assert!(rust.starts_with(expected), "{rust}");
        assert!(rust.contains("<span class=\"hn\">1.5</span>"), "{rust}");
        assert!(rust.contains("&lt;"), "{rust}");
        let toml = html("toml", "[a]\nb = \"c\"").into_string();
        assert!(toml.contains("class=\"hs\""), "{toml}");
        assert_eq!(html("no-such-language", "a < b").as_str(), "a &lt; b");
    }
}
