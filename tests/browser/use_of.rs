//! What a reader does: reads without scripts, filters, copies, follows links, unfolds.

use serde_json::Value;

use crate::reader::ENTER;
use crate::{CHAPTER, KINDS, World};

/// All that a page says in sight, part by part. Buttons and the filter are the scripts' own.
const SAID: &str = "[...document.querySelectorAll('main :is(h1, h2, h3, h4, p, li, dt, dd, th, td, \
    summary, figcaption, pre, text, .number)')]\
    .filter(it => !it.closest('.filter, button') && it.checkVisibility()).map(it => {\
    const copy = it.cloneNode(true); copy.querySelectorAll('button').forEach(it => it.remove());\
    return copy.textContent; })";

pub(crate) fn pages_say_the_same_without_scripts(world: &World) {
    let (with, without) = (world.reader(), world.reader());
    without.without_scripts();
    for page in KINDS {
        with.open(page);
        without.open(page);
        assert!(without.is("typeof all === 'undefined'"), "{page} ran a script");
        let (expected, found) = (with.strings(SAID), without.strings(SAID));
        assert!(!expected.is_empty(), "{page} says nothing");
        for (expected, found) in expected.iter().zip(&found) {
            assert_eq!(expected, found, "{page}");
        }
        assert_eq!(expected.len(), found.len(), "{page}");
    }
    with.leave();
    without.leave();
}

/// The formulas in sight, each as its place and the words it is found by.
const SHOWN: &str = "[...document.querySelectorAll('.index-card')]\
    .filter(it => it.checkVisibility()).map(it => it.id + ' ' + it.dataset.words)";

pub(crate) fn the_formula_index_filters(world: &World) {
    let reader = world.reader();
    reader.open("formulas.html");
    let all = reader.strings(SHOWN);
    let json: Value = serde_json::from_slice(&world.host.site["formulas.json"]).expect("is JSON");
    assert_eq!(all.len(), json.as_array().expect("is a list").len());
    let count = "Number(document.querySelector('#filter-count').value)";
    assert_eq!(reader.number(count), all.len() as f64);

    reader.eval("document.querySelector('#filter').focus()");
    reader.types("softmax");
    let expected: Vec<&String> = all.iter().filter(|it| it.contains("softmax")).collect();
    assert!(expected.len() > 1 && expected.len() < all.len());
    assert_eq!(reader.strings(SHOWN).iter().collect::<Vec<_>>(), expected);
    assert_eq!(reader.number(count), expected.len() as f64);
    let letters = "[...document.querySelectorAll('.letter li')].every(it => \
        it.checkVisibility() === it.dataset.words.includes('softmax'))";
    assert!(reader.is(letters), "the list from A to Z is filtered too");

    for _ in "softmax".chars() {
        reader.press(("Backspace", 8, None));
    }
    assert_eq!(reader.strings(SHOWN), all);
    assert_eq!(reader.number(count), all.len() as f64);
    reader.leave();

    let reader = world.reader();
    reader.without_scripts();
    reader.open("formulas.html");
    assert_eq!(reader.strings(SHOWN), all);
    assert!(reader.is("!document.querySelector('#filter').checkVisibility()"));
    reader.leave();
}

pub(crate) fn a_formula_is_copied_once(world: &World) {
    let reader = world.reader();
    reader.open(CHAPTER);
    let json: Value = serde_json::from_slice(&world.host.site["formulas.json"]).expect("is JSON");
    let label =
        reader.eval("(window.button = document.querySelector('.copy-tex')).closest('.card').id");
    let label = label.as_str().expect("a card has a label");
    let formula = json.as_array().into_iter().flatten().find(|it| it["label"] == label);
    let tex = formula.unwrap_or_else(|| panic!("no formula {label}"))["tex"].as_str();
    reader.eval("button.focus()");
    reader.press(ENTER);
    reader.wait("button.textContent === button.dataset.copied");
    assert_eq!(Some(reader.clipboard().trim()), tex.map(str::trim), "{label}");
    reader.wait("button.textContent !== button.dataset.copied");
    reader.leave();
}

pub(crate) fn the_theme_stays_without_a_flash(world: &World) {
    let reader = world.reader();
    // Notes the theme as soon as there is anything to draw.
    reader.first(
        "new MutationObserver((_, it) => { if (document.body) { it.disconnect(); \
         window.drawn = document.documentElement.dataset.theme ?? ''; } })\
         .observe(document, { childList: true, subtree: true })",
    );
    let ground = "getComputedStyle(document.body).backgroundColor";
    reader.open(CHAPTER);
    assert_eq!(reader.eval("drawn"), "");
    let light = reader.eval(ground);
    // The keyboard chooses the last of the list.
    reader.eval("document.querySelector('#theme').focus()");
    reader.types("d");
    reader.wait("document.documentElement.dataset.theme === 'dark'");
    let dark = reader.eval(ground);
    assert_ne!(light, dark);
    for _ in 0..2 {
        reader.reload();
        assert_eq!(reader.eval("drawn"), "dark");
        assert_eq!(reader.eval(ground), dark);
        assert_eq!(reader.eval("document.querySelector('#theme').value"), "dark");
        reader.open("index.html");
    }
    reader.leave();
}

/// Whether what the address names is in sight, below the bar at the top.
const IN_SIGHT: &str = "(() => { const it = document.getElementById(decodeURIComponent(\
    location.hash.slice(1)));\
    const box = it.getBoundingClientRect(); const bar = document.querySelector('.top');\
    return it.checkVisibility() && box.top >= bar.getBoundingClientRect().bottom - 1 && \
    box.top < innerHeight; })()";

pub(crate) fn links_land_in_sight(world: &World) {
    let reader = world.reader();
    for width in [1440, 390] {
        reader.screen(width);
        reader.open(CHAPTER);
        let links = "[...document.querySelectorAll('main p a[href^=\"#eq\"]')]";
        let count = reader.number(&format!("{links}.length"));
        assert!(count >= 8.0, "only {count} links to formulas");
        for at in [0, count as usize / 2, count as usize - 1] {
            reader.eval(&format!("{links}[{at}].focus()"));
            reader.press(ENTER);
            reader.wait("location.hash.startsWith('#eq')");
            reader.wait(IN_SIGHT);
            reader.eval("history.replaceState(null, '', location.pathname)");
        }
    }
    reader.screen(1440);
    reader.open("formulas.html");
    reader.eval(&format!(
        "[...document.querySelectorAll('.card-name a[href^=\"{CHAPTER}#\"]')].at(-1).focus()"
    ));
    reader.press(ENTER);
    reader
        .wait(&format!("location.pathname === '/{CHAPTER}' && document.readyState === 'complete'"));
    reader.wait(IN_SIGHT);
    reader.leave();
}

pub(crate) fn folds_open_by_keyboard(world: &World) {
    let reader = world.reader();
    reader.open(CHAPTER);
    let folds = "[...document.querySelectorAll('main details.env-solution')]";
    let count = reader.number(&format!("{folds}.length"));
    assert!(count >= 3.0, "only {count} solutions");
    assert!(reader.is(&format!("{folds}.every(it => !it.open)")));
    reader.eval(&format!("(window.fold = {folds}[0]).querySelector('summary').focus()"));
    reader.press(ENTER);
    reader.wait("fold.open && fold.querySelector('p').checkVisibility()");
    reader.press(ENTER);
    reader.wait("!fold.open");
    // A link into a fold opens it.
    let id = reader.eval(&format!("({folds}[0].querySelector('[id]') ?? {folds}[0]).id"));
    if let Some(id) = id.as_str().filter(|it| !it.is_empty()) {
        reader.eval(&format!("location.hash = {id:?}"));
        reader.wait("fold.open");
    }
    reader.leave();
}
