//! The real book in real Chromium, as readers meet it.
//!
//! Every trial is a reader with a profile of its own; the book is built once.

#![expect(clippy::disallowed_methods, reason = "tests are outside of the line")]

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use headless_chrome::Browser;
use libtest_mimic::{Arguments, Failed, Trial};

use host::Host;
use reader::Reader;

mod formulas;
mod host;
mod looks;
mod reader;
mod search;
mod use_of;

/// One page of each kind.
const KINDS: [&str; 7] = [
    "index.html",
    "contents.html",
    "self-attention.html",
    "formulas.html",
    "symbols.html",
    "bibliography.html",
    "404.html",
];

/// The chapter that is looked at closely.
const CHAPTER: &str = "self-attention.html";

/// What all trials share.
struct World {
    host: Host,
    browser: Browser,
}

impl World {
    fn reader(&self) -> Reader {
        Reader::new(&self.browser, &self.host.address)
    }

    /// Every page of the site but the faulty one.
    fn pages(&self) -> Vec<String> {
        let page = |it: &&String| {
            it.ends_with(".html") && *it != host::FAULTY && !it.starts_with(host::NARROW)
        };
        self.host.site.keys().filter(page).cloned().collect()
    }
}

/// What a trial says when Chromium itself does not answer any more.
const LOST: [&str; 4] = [
    "The event waited for never came",
    "Unable to make method calls because underlying connection is closed",
    "Sending after closing is not allowed",
    "readyState === 'complete'` never becomes true",
];

/// A test of one thing that readers do.
type Test = fn(&World);

const TESTS: &[(&str, Test)] = &[
    ("every fault of a page is noticed", looks::every_fault_is_noticed),
    (
        "pages load without a fault and fit the screen",
        looks::pages_load_without_a_fault_and_fit_the_screen,
    ),
    ("every kind of page has a dark theme", looks::every_kind_of_page_has_a_dark_theme),
    ("lines have a readable length", looks::lines_have_a_readable_length),
    ("pages are accessible", looks::pages_are_accessible),
    ("pages say the same without scripts", use_of::pages_say_the_same_without_scripts),
    ("the formula index filters", use_of::the_formula_index_filters),
    ("a formula is copied once", use_of::a_formula_is_copied_once),
    ("the theme stays without a flash", use_of::the_theme_stays_without_a_flash),
    ("links land in sight", use_of::links_land_in_sight),
    ("folds open by keyboard", use_of::folds_open_by_keyboard),
    ("search reads alike on both sides", search::both_sides_read_alike),
    ("search finds a formula by all its names", search::a_formula_is_found_by_all_its_names),
    ("search works by keyboard", search::search_works_by_keyboard),
    ("search leads to the place by a click", search::a_click_goes_to_the_place),
    ("search says that nothing is found", search::nothing_found_says_so),
    ("search has accessible results", search::results_are_accessible),
    ("search works below any address", search::search_works_below_any_address),
    ("a preview comes by pointer and stays", formulas::a_preview_comes_by_pointer_and_stays),
    ("a preview comes by focus", formulas::a_preview_comes_by_focus),
    ("everything that is linked has a preview", formulas::everything_has_a_preview),
    ("no preview where none can be", formulas::no_preview_where_none_can_be),
    ("symbols tell their meaning", formulas::symbols_tell_their_meaning),
    ("displays break before they scroll", formulas::displays_break_before_they_scroll),
    ("a wide formula in a line scrolls", formulas::a_wide_formula_in_a_line_scrolls),
    ("the MathML covers the drawing", formulas::the_mathml_covers_the_drawing),
    ("formulas are copied as TeX", formulas::formulas_are_copied_as_tex),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let world = Arc::new(if arguments.list { None } else { Some(World::start()) });
    let trial = |(name, test): &(&str, Test)| {
        let (world, test) = (world.clone(), *test);
        Trial::test(*name, move || {
            let world =
                (*world).as_ref().ok_or_else(|| Failed::from("the tests are only listed"))?;
            let Err(panic) = catch_unwind(AssertUnwindSafe(|| test(world))) else { return Ok(()) };
            let text = panic.downcast_ref::<String>().map_or("", |it| it);
            if !LOST.iter().any(|it| text.contains(it)) {
                resume_unwind(panic);
            }
            // Nothing was found out about the page: another browser has a try.
            test(&world.again());
            Ok(())
        })
    };
    let conclusion = libtest_mimic::run(&arguments, TESTS.iter().map(trial).collect());
    // The browser ends with the world.
    drop(world);
    conclusion.exit_code()
}

impl World {
    fn start() -> Self {
        let browser = reader::chromium();
        Self { host: host::start(), browser }
    }

    /// The same site before a browser of its own.
    fn again(&self) -> Self {
        Self { host: self.host.clone(), browser: reader::chromium() }
    }
}
