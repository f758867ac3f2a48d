//! What a reader sees: no fault, nothing cut off, readable lines, access for all.

use crate::host::FAULTY;
use crate::reader::Reader;
use crate::{CHAPTER, KINDS, World};

/// Widths of screens: a small phone, a phone, a tablet, a desk.
const WIDTHS: &[u32] = &[320, 390, 768, 1440];

/// The screen for a page whose like is looked at on all: what fits there fits any wider one.
const NARROW: &[u32] = &[320];

/// What a page itself can say about its faults.
const MISSING_WORDS: &str = "[...document.querySelectorAll('img:not([alt]), img[alt=\"\"], \
    svg:not([aria-label], [aria-hidden], :has(> title)):not(.katex svg)')]\
    .map(it => 'no words for ' + it.outerHTML.slice(0, 120))";

/// How much wider than the screen a page is.
const EXCESS: &str = "Math.max(0, document.documentElement.scrollWidth - innerWidth)";

/// The paragraphs of which something sticks out of the screen.
const OUTSIDE: &str = "[...new Set([...document.querySelectorAll('main *')].filter(it => \
    it.getBoundingClientRect().right > innerWidth + 1 && it.checkVisibility() && \
    !it.closest('.scroll, pre, svg, .katex-mathml'))\
    .map(it => it.closest('p, li, dd, td, h2, h3, figure') ?? it))]\
    .slice(0, 8).map(it => it.outerHTML.slice(0, 60) + it.textContent.slice(0, 200))";

/// Axe, the checker of accessibility.
const AXE: &str = include_str!("axe.min.js");

/// Runs axe. The drawing of a formula is hidden from assistive software and has the text's colours;
/// its MathML stays in.
const RUN_AXE: &str = "axe.run({ exclude: ['.katex-html'] }, { resultTypes: ['violations'], \
    runOnly: RULES }).then(it => it.violations.flatMap(rule => rule.nodes.slice(0, 4).map(node => \
    `${rule.id}: ${node.target} ${node.html.slice(0, 160)} ${node.any.map(it => it.message)}`)))";

/// All rules of WCAG 2.2, A and AA.
pub(crate) const ALL: &str = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']";

/// The rules that look at colours.
const COLORS: &str = "['color-contrast', 'link-in-text-block']";

/// The rules that look at sizes.
const SIZES: &str = "['target-size', 'scrollable-region-focusable', 'css-orientation-lock']";

pub(crate) fn every_fault_is_noticed(world: &World) {
    let reader = world.reader();
    reader.open(FAULTY);
    let faults = reader.faults().join("\n");
    for sign in [
        "console: \"a warning of the faulty page\"",
        "exception: Error: an exception of the faulty page",
        "Content Security Policy",
        "request elsewhere: http://elsewhere.example/x.png",
        "request failed: net::ERR_NAME_NOT_RESOLVED",
        "status 404",
    ] {
        assert!(faults.contains(sign), "`{sign}` is not among\n{faults}");
    }
    assert!(reader.strings(MISSING_WORDS).len() >= 2);
    assert!(reader.number(EXCESS) > 100.0);
    let violations = accessibility(&reader, ALL).join("\n");
    for rule in ["image-alt", "document-title", "html-has-lang"] {
        assert!(violations.contains(rule), "`{rule}` is not among\n{violations}");
    }
    reader.leave();
}

pub(crate) fn pages_load_without_a_fault_and_fit_the_screen(world: &World) {
    let reader = world.reader();
    let pages = world.pages();
    assert!(KINDS.iter().all(|it| pages.iter().any(|page| page == it)), "{pages:?}");
    let mut wrong = Vec::new();
    for page in pages {
        // One page of each kind is looked at on every screen.
        let widths = if KINDS.contains(&&page[..]) { WIDTHS } else { NARROW };
        // Most of the time is taken by the layout, so that the first is that of the load.
        reader.screen(widths[0]);
        reader.open(&page);
        let faults = reader.faults();
        let words = reader.strings(MISSING_WORDS);
        wrong.extend(faults.into_iter().chain(words).map(|it| format!("{page}: {it}")));
        for &width in widths {
            reader.screen(width);
            let excess = reader.number(EXCESS);
            if excess > 0.0 {
                let outside = reader.strings(OUTSIDE).join("; ");
                wrong.push(format!("{page} is {excess} px too wide for {width} px: {outside}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    reader.open("nowhere.html");
    let faults = reader.faults();
    assert!(faults.iter().all(|it| it.contains("404")), "{faults:?}");
    reader.leave();
}

pub(crate) fn every_kind_of_page_has_a_dark_theme(world: &World) {
    let reader = world.reader();
    for page in KINDS {
        reader.open(page);
        let ground = || reader.eval("getComputedStyle(document.body).backgroundColor");
        let light = ground();
        reader.theme("dark");
        assert_ne!(light, ground(), "{page} has no dark theme");
        reader.theme("light");
    }
    reader.leave();
}

/// Characters of each full line of the paragraphs without formulas.
const LINES: &str = "[...document.querySelectorAll('main > p')]\
    .filter(it => !it.querySelector('.katex, code') && it.textContent.length > 240).flatMap(it => {\
    const lines = []; let top; const range = document.createRange();\
    const walk = document.createTreeWalker(it, NodeFilter.SHOW_TEXT);\
    while (walk.nextNode()) for (let at = 0; at < walk.currentNode.length; at++) {\
      range.setStart(walk.currentNode, at); range.setEnd(walk.currentNode, at + 1);\
      const box = range.getBoundingClientRect(); if (!box.width) continue;\
      if (top === undefined || box.top > top + 8) { lines.push(0); top = box.top; }\
      lines[lines.length - 1]++; }\
    return lines.slice(0, -1); })";

pub(crate) fn lines_have_a_readable_length(world: &World) {
    let reader = world.reader();
    for page in [CHAPTER, "preface.html"] {
        reader.open(page);
        let lines = reader.eval(LINES);
        let lines: Vec<f64> = serde_json::from_value(lines).expect("lengths are numbers");
        assert!(lines.len() >= 4, "{page} has only {} full lines without formulas", lines.len());
        let mean = lines.iter().sum::<f64>() / lines.len() as f64;
        assert!((60.0..=75.0).contains(&mean), "{page} has {mean:.1} characters a line");
    }
    reader.leave();
}

/// Leaves so many cards in the formula index. All are made by one template.
const CARDS: &str = "[...document.querySelectorAll('.index-card')].slice(40)\
    .forEach(it => it.remove())";

pub(crate) fn accessibility(reader: &Reader, rules: &str) -> Vec<String> {
    reader.eval(CARDS);
    // The page's policy binds its own scripts, not those of the tests.
    reader.eval(&format!("{AXE}; 1"));
    reader.strings(&RUN_AXE.replace("RULES", rules))
}

pub(crate) fn pages_are_accessible(world: &World) {
    let reader = world.reader();
    let mut wrong = Vec::new();
    for page in KINDS {
        // A dark theme has other colours and a small screen other sizes; all else is the same.
        let screens = [("light", 1440, ALL), ("dark", 1440, COLORS), ("light", 390, SIZES)];
        for (theme, width, rules) in screens {
            reader.theme(theme);
            reader.screen(width);
            reader.open(page);
            let found = accessibility(&reader, rules);
            wrong.extend(found.into_iter().map(|it| format!("{page}, {theme}, {width} px: {it}")));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    reader.leave();
}
