//! Search: what a reader types, and where it leads.

use serde_json::Value;

use crate::host::BELOW;
use crate::looks::{ALL, accessibility};
use crate::reader::{ENTER, Key, Reader};
use crate::{CHAPTER, World};

const DOWN: Key = ("ArrowDown", 40, None);
const UP: Key = ("ArrowUp", 38, None);
const HOME: Key = ("Home", 36, None);
const END: Key = ("End", 35, None);
const ESCAPE: Key = ("Escape", 27, None);

/// Where the results lead, in their order.
const HITS: &str = "[...document.querySelectorAll('.hit')].map(it => it.getAttribute('href')\
    .slice(new URL('.', location).href.length))";

/// The number of the result that is chosen; nothing if none is.
const CHOSEN: &str = "(() => { const all = [...document.querySelectorAll('.hit')];\
    const chosen = all.filter(it => it.ariaSelected === 'true').map(it => it.id);\
    const active = document.querySelector('#search').getAttribute('aria-activedescendant');\
    return JSON.stringify([chosen, active]); })()";

impl Reader {
    /// Types a text into the empty search field, and waits for its results.
    fn asks(&self, text: &str) -> Vec<String> {
        self.eval("document.querySelector('#search').value = ''; document.querySelector('#search').focus()");
        match text {
            // Nobody types nothing.
            "" => self.eval("document.querySelector('#search').dispatchEvent(new Event('input'))"),
            text => {
                self.types(text);
                Value::Null
            }
        };
        let query = Value::from(text);
        self.wait(&format!("document.querySelector('#search').dataset.shown === {query}"));
        self.strings(HITS)
    }

    fn says(&self) -> Value {
        self.eval("document.querySelector('.search-said').textContent")
    }

    fn has_chosen(&self, at: usize) {
        let expected = serde_json::json!([[format!("hit-{at}")], format!("hit-{at}")]);
        assert_eq!(self.eval(CHOSEN), Value::from(expected.to_string()));
        let in_sight = "(() => { const box = document.querySelector('.hit[aria-selected=true]')\
            .getBoundingClientRect(); return box.top >= 0 && box.top < innerHeight; })()";
        assert!(self.is(in_sight));
    }
}

pub(crate) fn both_sides_read_alike(world: &World) {
    let reader = world.reader();
    reader.open(CHAPTER);
    let cases: Value =
        serde_json::from_str(include_str!("../data/search-cases.json")).expect("is JSON");
    let read = format!(
        "Promise.all([import('/assets/search.js'), fetch('/search/index.json').then(it => it.json())])\
         .then(([it, {{ tables }}]) => {{ const cases = {cases}; return {{\
         words: cases.words.map(([text]) => [text, it.words(text, tables)]),\
         formulas: cases.formulas.map(([tex]) => [tex, it.tokens(tex, tables).join(' ')]) }}; }})"
    );
    let found = reader.eval(&read);
    for kind in ["words", "formulas"] {
        let both = found[kind].as_array().into_iter().zip(cases[kind].as_array());
        for (found, expected) in both.flat_map(|(it, other)| it.iter().zip(other)) {
            assert_eq!(found, expected);
        }
        assert_eq!(found[kind], cases[kind]);
    }
    reader.leave();
}

pub(crate) fn a_formula_is_found_by_all_its_names(world: &World) {
    let reader = world.reader();
    reader.open(CHAPTER);
    let found = reader.asks("softmax");
    assert_eq!(found[0], "nn-fundamentals.html#eq:nn-softmax");
    assert!(reader.is("document.querySelector('.hit .hit-formula .katex-html').checkVisibility()"));
    assert!(
        reader.is("document.querySelector('.hit mark').textContent.toLowerCase() === 'softmax'")
    );
    let crumbs = reader.eval("document.querySelector('.hit-crumbs').textContent");
    assert_eq!(crumbs, "5 Neural Network Fundamentals › Softmax");
    let names = reader.eval("document.querySelector('.hit').textContent");
    assert!(names.as_str().is_some_and(|it| it.contains("softmax(z)")), "{names}");

    let nabla = reader.asks("nabla");
    assert!(nabla.len() > 5 && nabla.iter().any(|it| it == "calculus.html#eq:ca-gradient"));
    for other in ["∇", "\\nabla"] {
        assert_eq!(reader.asks(other), nabla, "{other}");
    }
    assert!(reader.asks("\\nab").iter().all(|it| nabla.contains(it)), "as it is typed");
    let small = reader.asks("γ");
    assert!(small.iter().any(|it| it == "nn-fundamentals.html#eq:nn-layernorm"), "{small:?}");
    assert!(!reader.asks("Γ").contains(&"nn-fundamentals.html#eq:nn-layernorm".to_owned()));

    let attention = "self-attention.html#eq:at-sdpa".to_owned();
    let typed = reader.asks("\\frac{QK^\\top}{\\sqrt{d_k}}");
    assert!(typed.contains(&attention), "{typed:?}");
    assert_eq!(reader.asks("\\frac {Q K^{\\top}}{ \\sqrt{d_{k}} }"), typed);
    assert_eq!(reader.asks("\\dfrac{Q\\,K^T}{\\sqrt{d_k}}"), typed);
    let whole = reader.asks("softmax\\left( \\frac{QK^\\top}{\\sqrt{d_k}} \\right) V");
    assert_eq!(whole.first(), Some(&attention), "{whole:?}");

    let prefix = reader.asks("temper");
    assert!(prefix.contains(&"nn-fundamentals.html#eq:nn-softmax-temperature".to_owned()));
    assert_eq!(reader.asks("8.13")[0], attention);
    assert_eq!(reader.faults(), Vec::<String>::new());
    reader.leave();
}

pub(crate) fn search_works_by_keyboard(world: &World) {
    let reader = world.reader();
    reader.open(CHAPTER);
    let loaded = "performance.getEntriesByType('resource').some(it => it.name.includes('search'))";
    assert!(!reader.is(loaded), "nothing is loaded for those who do not search");
    let focused = "document.activeElement === document.querySelector('#search')";
    reader.press(("/", 191, Some("/")));
    reader.wait(focused);
    assert!(reader.is("document.querySelector('#search').value === ''"));
    let found = reader.asks("softmax");
    assert!(found.len() > 8);
    let said = reader.says();
    assert!(said.as_str().is_some_and(|it| it.ends_with(" results")), "{said}");
    assert!(reader.is("document.querySelector('#search').ariaExpanded === 'true'"));
    reader.press(DOWN);
    reader.has_chosen(0);
    reader.press(DOWN);
    reader.has_chosen(1);
    reader.press(UP);
    reader.press(UP);
    reader.has_chosen(found.len() - 1);
    reader.press(HOME);
    reader.has_chosen(0);
    reader.press(END);
    // The next results come when the last is near.
    reader.press(UP);
    reader.wait(&format!("document.querySelectorAll('.hit').length > {}", found.len()));
    reader.press(HOME);
    reader.press(ESCAPE);
    assert!(reader.is("!document.querySelector('.search-panel').checkVisibility()"));
    assert!(reader.is("document.querySelector('#search').ariaExpanded === 'false'"));
    assert!(reader.is(focused), "the first Escape keeps the text");
    reader.press(ESCAPE);
    assert!(reader.is("document.querySelector('#search').value === ''"));
    reader.press(ESCAPE);
    assert!(!reader.is(focused));

    // Who writes elsewhere keeps the key; who does not want it turns it off.
    reader.eval("document.querySelector('#search').focus()");
    reader.wait("document.querySelector('.search-key input').checkVisibility()");
    reader
        .eval("document.querySelector('.search-key input').click(), document.activeElement.blur()");
    reader.press(("/", 191, Some("/")));
    assert!(!reader.is(focused));
    reader.open("formulas.html");
    reader.eval("document.querySelector('#filter').focus()");
    reader.types("a/b");
    assert!(reader.is("document.querySelector('#filter').value === 'a/b'"));

    // Enter goes to the first result.
    let found = reader.asks("scaled dot-product attention");
    reader.press(ENTER);
    reader.wait(&format!(
        "location.href.endsWith('/{}') && document.readyState === 'complete'",
        found[0]
    ));
    reader.leave();
}

pub(crate) fn a_click_goes_to_the_place(world: &World) {
    let reader = world.reader();
    for width in [1440, 390] {
        reader.screen(width);
        reader.open("index.html");
        let found = reader.asks("log-sum-exp");
        assert!(found[0].contains("#eq:nn-logsumexp"), "{found:?}");
        assert!(reader.number("document.documentElement.scrollWidth - innerWidth") <= 0.0);
        let inside = "(() => { const box = document.querySelector('.search-panel')\
            .getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth && \
            box.bottom <= innerHeight + 1; })()";
        assert!(reader.is(inside), "{width} px");
        reader.eval("document.querySelector('.hit').click()");
        reader.wait("location.hash === '#eq:nn-logsumexp' && document.readyState === 'complete'");
    }
    reader.leave();
}

pub(crate) fn nothing_found_says_so(world: &World) {
    let reader = world.reader();
    reader.open(CHAPTER);
    assert_eq!(reader.asks("xyzzyq"), Vec::<String>::new());
    assert_eq!(reader.says(), "Nothing found");
    let ways = "[...document.querySelectorAll('.search-else a')].filter(it => it.checkVisibility())\
        .map(it => it.getAttribute('href'))";
    assert_eq!(reader.strings(ways), ["formulas.html", "symbols.html", "contents.html"]);
    // What was fetched is kept: a field that cannot reach the network still finds it.
    let found = reader.asks("softmax");
    reader.open("preface.html");
    reader.eval("window.fetch = () => Promise.reject(new Error('no network'))");
    assert_eq!(reader.asks("softmax"), found);
    reader.leave();

    let reader = world.reader();
    reader.without_scripts();
    reader.open(CHAPTER);
    assert!(reader.is("!document.querySelector('.search').checkVisibility()"));
    let link = "document.querySelector('.find')";
    assert!(reader.is(&format!("{link}.checkVisibility()")));
    assert_eq!(reader.eval(&format!("{link}.getAttribute('href')")), "formulas.html");
    reader.leave();
}

pub(crate) fn results_are_accessible(world: &World) {
    let reader = world.reader();
    for (theme, width) in [("light", 1440), ("dark", 390)] {
        reader.theme(theme);
        reader.screen(width);
        reader.open("preface.html");
        for query in ["softmax", "xyzzyq", ""] {
            reader.asks("s");
            reader.asks(query);
            let found = accessibility(&reader, ALL);
            assert!(found.is_empty(), "`{query}`, {theme}:\n{}", found.join("\n"));
        }
    }
    reader.leave();
}

pub(crate) fn search_works_below_any_address(world: &World) {
    let reader = world.reader();
    reader.open(CHAPTER);
    // The page is the same at any address; only what it is relative to differs.
    let expected = reader.asks("softmax");
    reader.open(&format!("{BELOW}{CHAPTER}"));
    assert_eq!(reader.asks("softmax"), expected);
    assert!(
        reader.is("document.querySelector('.hit').href.startsWith(new URL('.', location).href)")
    );
    reader.leave();
}
