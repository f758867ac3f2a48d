//! What readers do with formulas: look ahead, ask what a symbol means, read on a phone, copy.

use std::thread;
use std::time::Duration;

use crate::host::NARROW;
use crate::reader::{ESCAPE, Reader};
use crate::{CHAPTER, World};

/// The card, if one is shown.
const CARD: &str = "document.querySelector('.preview:popover-open')";

/// Whether a card is shown as a whole, on the screen and not over its link.
const IN_SIGHT: &str = "(() => { const box = document.querySelector('.preview:popover-open')\
    ?.getBoundingClientRect(); if (!box || !box.height) return false;\
    const lines = [...link.getClientRects()];\
    return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight && \
    lines.some(it => box.top >= it.bottom || box.bottom <= it.top); })()";

/// How wide and high the page is, and where its parts are.
const LAYOUT: &str = "JSON.stringify([document.documentElement.scrollWidth, \
    document.documentElement.scrollHeight, ...[...document.querySelectorAll('main > *')]\
    .map(it => it.offsetTop)])";

/// Waits for the pictures that are not in sight yet, which move what is below them.
const PICTURES: &str = "Promise.all([...document.querySelectorAll('main img')].map(it => {\
    it.loading = 'eager'; return it.decode().catch(() => 0); })).then(() => 1)";

/// Longer than a card takes to come or to go.
const LONG: Duration = Duration::from_millis(900);

fn shown(reader: &Reader) -> bool {
    reader.is(&format!("{CARD} !== null"))
}

/// Names the first link of the text whose preview has such a name, and says which it is.
fn link(reader: &Reader, pattern: &str) -> String {
    let found = reader.eval(&format!(
        "(window.link = [...document.querySelectorAll('main a[data-preview]')]\
         .find(it => {pattern}.test(it.dataset.preview) && it.checkVisibility()))?.dataset.preview"
    ));
    found.as_str().unwrap_or_else(|| panic!("no link to {pattern}")).to_owned()
}

pub(crate) fn a_preview_comes_by_pointer_and_stays(world: &World) {
    let reader = world.reader();
    for theme in ["light", "dark"] {
        reader.theme(theme);
        reader.open(CHAPTER);
        // A formula of another chapter.
        link(&reader, "/^(?!self-attention).*eq\\./");
        assert!(reader.is("!link.pathname.endsWith('self-attention.html')"));
        reader.eval(PICTURES);
        let before = reader.eval(LAYOUT);
        reader.points("link");
        reader.wait(IN_SIGHT);
        assert_eq!(reader.eval(LAYOUT), before, "nothing moves");
        let number = reader.eval("link.textContent");
        let number = number.as_str().expect("a link has words").to_owned();
        let head = reader.eval("document.querySelector('.preview-head').textContent");
        assert!(head.as_str().is_some_and(|it| it.contains(&number)), "{head} is not {number}");
        assert!(reader.is("document.querySelector('.preview .katex-html').offsetWidth > 20"));
        assert!(reader.is("document.querySelectorAll('.preview math').length > 0"));
        assert!(
            reader
                .is("!document.querySelector('.preview :is(a, button, [id]:not(.preview-head))')")
        );
        assert!(
            reader.is("getComputedStyle(document.querySelector('.preview')).backgroundColor === \
            getComputedStyle(document.querySelector('.card')).backgroundColor")
        );

        // The pointer goes onto the card, slowly, and stays there.
        let card = "document.querySelector('.preview').getBoundingClientRect()";
        let x = reader.number(&format!("{card}.left + 30"));
        let y = reader.number(&format!("({card}.top + {card}.bottom) / 2"));
        reader.moves(x, y);
        thread::sleep(LONG);
        assert!(shown(&reader), "a card stays under the pointer");

        // Escape takes it away, and it stays away while the pointer is where it was.
        reader.points("link");
        reader.wait(IN_SIGHT);
        reader.press(ESCAPE);
        assert!(!shown(&reader));
        thread::sleep(LONG);
        assert!(!shown(&reader), "a card that was refused stays away");
        reader.points("link");
        reader.wait(IN_SIGHT);
        reader.moves(2.0, 2.0);
        reader.wait(&format!("{CARD} === null"));
    }
    // Near each edge of a small screen.
    reader.screen(390);
    reader.wait("innerWidth === 390");
    reader.points("link");
    reader.wait(IN_SIGHT);
    assert_eq!(reader.faults(), Vec::<String>::new());
    reader.leave();
}

pub(crate) fn a_preview_comes_by_focus(world: &World) {
    let reader = world.reader();
    reader.open(CHAPTER);
    link(&reader, "/thm\\.|eq\\./");
    reader.eval("link.focus()");
    reader.wait(IN_SIGHT);
    // It is a named part of the page, and the link says that there is more to it.
    assert!(reader.is("link.getAttribute('aria-details') === 'preview'"));
    assert!(reader.is("document.querySelector('#preview[role=dialog]')\
        .getAttribute('aria-labelledby') === 'preview-head'"));
    thread::sleep(LONG);
    assert!(shown(&reader), "a card stays while its link has the focus");
    reader.press(ESCAPE);
    assert!(!shown(&reader));
    assert!(reader.is("document.activeElement === link && !link.hasAttribute('aria-details')"));
    // The next link, and then something that has no card.
    reader.eval("link.blur(); link.focus()");
    reader.wait(IN_SIGHT);
    reader.eval("document.querySelector('#theme').focus()");
    reader.wait(&format!("{CARD} === null"));
    // A card that is too high for the screen is the next stop of the keyboard.
    link(&reader, "/eq\\.at-sdpa$/");
    reader.eval("link.focus()");
    reader.wait(IN_SIGHT);
    if reader.is("document.querySelector('.preview').scrollHeight > \
        document.querySelector('.preview').clientHeight + 1")
    {
        reader.press(("Tab", 9, None));
        reader.wait("document.activeElement === document.querySelector('.preview')");
        assert!(shown(&reader));
        reader.press(ESCAPE);
        assert!(!shown(&reader) && reader.is("document.activeElement === link"));
    }
    assert_eq!(reader.faults(), Vec::<String>::new());
    reader.leave();
}

/// Every preview that a page asks for.
const ASKED: &str =
    "[...new Set([...document.querySelectorAll('[data-preview]')].map(it => it.dataset.preview))]";

pub(crate) fn everything_has_a_preview(world: &World) {
    let reader = world.reader();
    let mut lost = Vec::new();
    for page in world.pages() {
        reader.open(&page);
        let there = |it: &String| world.host.site.contains_key(&format!("preview/{it}.txt"));
        lost.extend(reader.strings(ASKED).into_iter().filter(|it| !there(it)));
        // Every link to a place of the book that stands in its text asks for one.
        lost.extend(reader.strings(
            "[...document.querySelectorAll('main :is(.ref, .value)[href*=\"#\"]')]\
             .filter(it => !it.dataset.preview).map(it => `${location.pathname} ${it.outerHTML}`)",
        ));
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));

    reader.open(CHAPTER);
    let kinds = ["\\/eq\\.", "\\/sec\\.", "\\/fig\\.", "\\/snip\\.", "\\/sym\\."];
    for kind in kinds {
        let name = link(&reader, &format!("/{kind}/"));
        reader.eval("document.activeElement.blur(); link.focus()");
        reader.wait(IN_SIGHT);
        let text = reader.eval(&format!("{CARD}.textContent"));
        assert!(text.as_str().is_some_and(|it| it.trim().len() > 10), "{name}: {text}");
        reader.press(ESCAPE);
    }
    let here = [
        (CHAPTER, "main .cite"),
        ("narrow/wide.html", "main .footnote a"),
        ("bibliography.html", "main .ref"),
    ];
    for (page, selector) in here {
        if reader.eval("location.pathname") != format!("/{page}") {
            reader.open(page);
        }
        reader.eval(&format!("window.link = document.querySelector('{selector}')"));
        reader.eval("document.activeElement.blur(); link.focus()");
        reader.wait(IN_SIGHT);
        assert!(reader.is(&format!("{CARD}.textContent.trim().length > 10")), "{selector}");
        assert!(reader.is(&format!("!{CARD}.querySelector('a')")), "{selector}");
        reader.press(ESCAPE);
    }
    assert_eq!(reader.faults(), Vec::<String>::new());
    reader.leave();
}

pub(crate) fn no_preview_where_none_can_be(world: &World) {
    // A finger follows a link.
    let reader = world.reader();
    reader.open(CHAPTER);
    link(&reader, "/eq\\./");
    reader.eval(
        "link.dispatchEvent(new PointerEvent('pointerover', { pointerType: 'touch', bubbles: true }))",
    );
    thread::sleep(LONG);
    assert!(reader.is("!document.querySelector('.preview, script[src*=\"preview.js\"]')"));
    reader.leave();

    // Nothing can be fetched: nothing comes, and nothing is said.
    let reader = world.reader();
    reader.first("window.fetch = () => Promise.reject(new TypeError('there is no network'))");
    reader.open(CHAPTER);
    link(&reader, "/^(?!self-attention).*eq\\./");
    reader.eval("link.focus()");
    reader.wait("document.querySelector('.preview') !== null");
    thread::sleep(LONG);
    assert!(!shown(&reader));
    assert_eq!(reader.faults(), Vec::<String>::new());
    reader.leave();

    let reader = world.reader();
    reader.without_scripts();
    reader.open(CHAPTER);
    link(&reader, "/eq\\./");
    reader.points("link");
    thread::sleep(LONG);
    assert!(reader.is("!document.querySelector('.preview')"));
    reader.leave();
}

pub(crate) fn symbols_tell_their_meaning(world: &World) {
    let reader = world.reader();
    reader.open(CHAPTER);
    // In the drawing by pointer, in the list by keyboard; both are lit.
    reader.eval(
        "window.card = [...document.querySelectorAll('.formula-card')]\
         .find(it => it.querySelector('.katex-html [data-preview=\"symbols/sym.~q\"]'))",
    );
    let drawn = "card.querySelector('.katex-html [data-preview=\"symbols/sym.~q\"]')";
    let listed = "card.querySelector('.where a[data-preview=\"symbols/sym.~q\"]')";
    for way in [drawn, listed] {
        reader.eval(&format!("window.link = {way}"));
        if way == drawn {
            reader.points("link");
        } else {
            reader.eval("link.focus()");
        }
        reader.wait(&format!("{CARD}?.textContent.includes('queries')"));
        assert!(reader.is(&format!("{CARD}.querySelector('.shape') !== null")));
        assert!(reader.is(&format!("{drawn}.matches('.lit') && {listed}.matches('.lit')")));
        reader.press(ESCAPE);
        assert!(reader.is("!document.querySelector('.lit')"));
        reader.moves(1.0, 1.0);
    }
    reader.leave();
}

/// Of the displays in sight: all, those too wide if no line broke, those that scroll, and those of
/// them that are no tables: a table has no place to break at.
const DISPLAYS: &str = "(() => { const all = [...document.querySelectorAll('main .equation > .scroll')]\
    .filter(it => it.checkVisibility()); const wide = () => \
    all.filter(it => it.scrollWidth > it.clientWidth + 1).length; const now = wide();\
    const sheet = new CSSStyleSheet();\
    sheet.replaceSync('.katex-display > .katex { white-space: nowrap !important }');\
    document.adoptedStyleSheets = [sheet]; const unbroken = wide();\
    document.adoptedStyleSheets = []; return [all.length, unbroken, now, all.filter(it => it.scrollWidth > it.clientWidth + 1 && \
    !it.querySelector('.mtable')).length]; })()";

/// What is wrong with the regions of a page: a stop that hides nothing, or something hidden without.
const REGIONS: &str = "[...document.querySelectorAll('.scroll')].filter(it => it.checkVisibility())\
    .filter(it => { const wide = it.scrollWidth > it.clientWidth + 1;\
    const region = it.tabIndex === 0 && it.getAttribute('role') === 'region' && \
    it.getAttribute('aria-label') && it.dataset.more.includes('after');\
    return wide ? !region : it.hasAttribute('tabindex') || it.hasAttribute('role'); })\
    .map(it => it.outerHTML.slice(0, 200))";

/// Numbers of formulas that are not on the screen.
const NUMBERS: &str = "[...document.querySelectorAll('.equation > .number')]\
    .filter(it => { const box = it.getBoundingClientRect();\
    return it.checkVisibility() && (box.left < 0 || box.right > innerWidth || box.width < 10); })\
    .map(it => it.textContent)";

pub(crate) fn displays_break_before_they_scroll(world: &World) {
    let reader = world.reader();
    for width in [360, 320] {
        reader.screen(width);
        let mut sums = [0.0; 4];
        let mut wrong = Vec::new();
        for page in world.pages() {
            reader.open(&page);
            let counts: Vec<f64> = serde_json::from_value(reader.eval(DISPLAYS)).expect("numbers");
            (0..4).for_each(|it| sums[it] += counts[it]);
            reader
                .eval("new Promise(it => requestAnimationFrame(() => requestAnimationFrame(it)))");
            wrong.extend(reader.strings(REGIONS).into_iter().chain(reader.strings(NUMBERS)));
            let excess = "document.documentElement.scrollWidth - innerWidth";
            if reader.number(excess) > 0.0 {
                wrong.push(format!("{page} is wider than {width} px"));
            }
        }
        let [all, unbroken, scroll, stiff] = sums;
        assert!(wrong.is_empty(), "{width} px: {}", wrong.join("\n"));
        assert!(all > 300.0 && unbroken > all / 4.0, "{sums:?}");
        assert!(scroll < unbroken && stiff <= all / 50.0, "{width} px: {sums:?}");
    }
    reader.leave();
}

pub(crate) fn a_wide_formula_in_a_line_scrolls(world: &World) {
    let page = format!("{NARROW}wide.html");
    let excess = "Math.max(0, document.documentElement.scrollWidth - innerWidth)";
    for scripts in [true, false] {
        let reader = world.reader();
        if !scripts {
            reader.without_scripts();
        }
        for width in [320, 390] {
            reader.screen(width);
            reader.open(&page);
            assert_eq!(reader.number(excess), 0.0, "{width} px");
        }
        reader.screen(320);
        let wide = "[...document.querySelectorAll('main .wide')]";
        let count = reader.number(&format!("{wide}.length"));
        assert!(count >= 8.0, "only {count} wide formulas");
        let hidden = format!("{wide}.filter(it => it.scrollWidth > it.clientWidth + 1)");
        let hides = reader.number(&format!("{hidden}.length"));
        assert!(hides >= 6.0, "only {hides} hide something");
        // The text before a formula and its own letters stand on one line.
        let apart = "(() => { const it = document.querySelector('main p .wide');\
            const [strut] = it.querySelectorAll('.katex-strut'); const range = document.createRange();\
            range.selectNodeContents(it.previousSibling); const text = [...range.getClientRects()].at(-1);\
            const letter = it.querySelector('.mord').getBoundingClientRect();\
            return letter.top < text.bottom && letter.bottom > text.top || letter.top > text.bottom - 2; })()";
        assert!(reader.is(apart));
        if scripts {
            let regions = format!(
                "{hidden}.every(it => it.tabIndex === 0 && \
                it.getAttribute('role') === 'region' && it.getAttribute('aria-label'))"
            );
            reader.wait(&regions);
            reader.eval(&format!("{hidden}[0].focus()"));
            reader.press(("ArrowRight", 39, None));
            reader.wait(&format!("{hidden}[0].scrollLeft > 0"));
            reader.screen(1440);
            reader.wait(&format!("{wide}.every(it => !it.hasAttribute('tabindex'))"));
        }
        reader.leave();
    }
}

/// How far each drawing reaches out of its MathML, of those that stand on one line. A box is some
/// pixels higher than what is drawn in it.
const UNCOVERED: &str = "[...document.querySelectorAll('main .katex')]\
    .filter(it => it.checkVisibility() && (it.closest('.katex-display') || it.getClientRects().length === 1))\
    .map(it => { const math = it.querySelector('math').getBoundingClientRect();\
    const boxes = [...it.querySelectorAll('.katex-base')].map(it => it.getBoundingClientRect());\
    const out = Math.max(...boxes.flatMap(box => [math.left - box.left, box.right - math.right, \
    math.top - box.top, box.bottom - math.bottom]));\
    return [out, `${out.toFixed(1)} px: ${it.querySelector('annotation').textContent}`]; })";

pub(crate) fn the_mathml_covers_the_drawing(world: &World) {
    let reader = world.reader();
    for page in [CHAPTER, "calculus.html"] {
        reader.open(page);
        let count = reader.number(&format!("{UNCOVERED}.length"));
        assert!(count > 200.0, "only {count} formulas");
        let wrong =
            reader.strings(&format!("{UNCOVERED}.filter(it => it[0] > 6).map(it => it[1])"));
        assert!(wrong.is_empty(), "{page}: {} of {count}\n{}", wrong.len(), wrong.join("\n"));
        // Nobody sees it, points at it or selects it.
        assert!(reader.is("[...document.querySelectorAll('main .katex-mathml')].every(it => {\
            const style = getComputedStyle(it); return style.opacity === '0' && \
            style.pointerEvents === 'none' && style.userSelect === 'none' && \
            style.position === 'absolute'; })"));
    }
    reader.leave();
}

pub(crate) fn formulas_are_copied_as_tex(world: &World) {
    let reader = world.reader();
    reader.open(CHAPTER);
    // A paragraph with formulas and nothing else that is special.
    reader.eval(
        "window.text = [...document.querySelectorAll('main > p')].find(it => \
         it.querySelectorAll('.katex').length >= 2 && !it.querySelector('.footnote'))",
    );
    let expected = "(() => { const copy = text.cloneNode(true);\
        for (const it of copy.querySelectorAll('.katex')) \
        it.replaceWith('$' + it.querySelector('annotation').textContent + '$');\
        return copy.textContent.replace(/\\s+/g, ' ').trim(); })()";
    let expected = reader.eval(expected).as_str().expect("a paragraph has a text").to_owned();
    assert!(expected.matches('$').count() >= 4, "{expected}");
    reader.eval("getSelection().selectAllChildren(text)");
    reader.copies();
    let words = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&reader.clipboard()), words(&expected));

    // A part of a formula is the formula; a display has two signs; HTML has no trace of the drawing.
    let copied = |select: &str, kind: &str| {
        let copied = reader.eval(&format!(
            "(() => {{ {select}; const data = new DataTransfer(); document.dispatchEvent(\
             new ClipboardEvent('copy', {{ clipboardData: data, cancelable: true }}));\
             return data.getData('{kind}'); }})()"
        ));
        copied.as_str().expect("something is copied").to_owned()
    };
    let part = "const letter = text.querySelector('.katex-html .mord'); \
        getSelection().selectAllChildren(letter)";
    let tex = reader.eval("text.querySelector('annotation').textContent");
    assert_eq!(copied(part, "text/plain"), format!("${}$", tex.as_str().expect("is TeX")));
    let display = "getSelection().selectAllChildren(document.querySelector('.formula-card'))";
    let tex = reader.eval("document.querySelector('.formula-card .tex code').textContent.trim()");
    let tex = tex.as_str().expect("is TeX");
    let plain = copied(display, "text/plain");
    assert_eq!(plain.matches(&format!("$${tex}$$")).count(), 1, "{plain}");
    assert_eq!(plain.matches(tex).count(), 1, "{plain}");
    let html = copied(display, "text/html");
    for trace in ["class=", "katex", "<math", "<button", "data-", " id="] {
        assert!(!html.contains(trace), "{trace} in {html:.600}");
    }
    assert!(html.contains("$$"));

    // The buttons of a card.
    reader.eval("document.querySelector('.copy-mathml').click()");
    reader.wait("document.querySelector('.copy-mathml').textContent === 'Copied'");
    let mathml = reader.clipboard();
    assert!(mathml.starts_with("<math") && mathml.trim_end().ends_with("</math>"), "{mathml:.200}");
    assert_eq!(reader.faults(), Vec::<String>::new());
    reader.leave();
}
