//! TeX to what both outputs need, by one parser: what one output accepts, the other accepts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use katex::dom_tree::DomSpan;
use katex::macro_expander::MacroMap;
use katex::parser::parse_node::AnyParseNode;
use katex::types::Settings;

use crate::html::Html;
use crate::source::Span;

mod children;
mod context;
mod cover;
mod equation;
mod explain;
mod fault;
mod greek;
mod limits;
mod macros;
mod marks;
mod markup;
mod plain;
mod prepare;
mod scan;
mod segments;
mod tree;
mod trust;
mod words;

pub use greek::is_greek;

/// Whether a formula stands in a line or on lines of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Style {
    /// In running text.
    Inline,
    /// On lines of its own.
    Display,
}

/// TeX as the author wrote it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Formula {
    /// The TeX between the delimiters, byte for byte as in the source, but `\label{…}` and
    /// block-quote markers at line starts are blanked by spaces, so that offsets hold.
    pub tex: String,
    /// In a line or displayed.
    pub style: Style,
    /// Where `tex` is in the file.
    pub span: Span,
}

/// The book's macros, by name with backslash. Parsed once for all formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Macros(pub BTreeMap<String, Macro>);

/// What a macro of the book stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Macro {
    /// How many arguments it takes; its body need not use them all.
    pub arguments: usize,
    /// Its body, with `#1` for the first argument.
    pub body: String,
}

impl From<&str> for Macro {
    /// A macro that takes the arguments that its body uses.
    fn from(body: &str) -> Self {
        Self { arguments: macros::arguments(body), body: body.to_owned() }
    }
}

/// What a formula may use besides its own TeX.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Facts {
    /// What `\val{key}` stands for: the text between the braces → TeX.
    pub values: BTreeMap<String, String>,
    /// What `\ref{label}`, `\eqref{label}` and `\href{#label}{…}` stand for: label → number and
    /// address as seen from the page. In a PDF, `#` and the name of a label that the document
    /// has; any other address is left out there.
    pub targets: BTreeMap<String, (String, String)>,
    /// Numbers to print beside rows of the outermost `aligned`, `align`, `gather(ed)` or `cases`:
    /// row from 0 → number.
    pub tags: BTreeMap<usize, String>,
    /// Symbols to be marked by an attribute `data-preview`: its value → TeX of the symbol.
    pub marks: BTreeMap<String, String>,
}

/// A formula ready for both outputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rendered {
    /// KaTeX's HTML with MathML, style attributes as classes.
    pub html: Html,
    /// What those classes stand for: class → declarations. See [`style_sheet`].
    pub styles: BTreeMap<String, String>,
    /// Typst maths markup, the content of an equation without the dollar signs.
    pub typst: String,
    /// Readable text: for titles, search, bookmarks and alternative texts.
    pub plain: String,
}

/// Why a formula was refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// Bytes of the formula's TeX that are to blame.
    pub range: std::ops::Range<usize>,
    /// Which kind of mistake, one of this stage's codes.
    pub code: crate::diag::Code,
    /// What is wrong.
    pub message: String,
    /// A way out.
    pub help: Option<String>,
}

/// What this stage has to say to authors.
pub const CODES: &[crate::diag::Explained] = explain::CODES;

/// The macros of the book, made ready for all formulas. Equal and hashed like its macros.
#[derive(Clone, Debug)]
pub struct Engine {
    macros: Macros,
    ready: Arc<Ready>,
}

/// What follows from the macros.
#[derive(Debug, Default)]
struct Ready {
    definitions: MacroMap,
    weights: limits::Weights,
}

impl PartialEq for Engine {
    fn eq(&self, other: &Self) -> bool {
        self.macros == other.macros
    }
}

impl Eq for Engine {}

impl Hash for Engine {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.macros.hash(state);
    }
}

impl Engine {
    /// Makes the macros ready. Faults are of macros that cannot be: their name and why. Where one is
    /// used, a mark stands for it, so that nothing else is said of it.
    pub fn new(macros: &Macros) -> (Self, Vec<(String, Fault)>) {
        let macros::Weighed { sound, weights, mut faults } = macros::weigh(macros);
        let definitions = macros::ready(&sound);
        let ready = Arc::new(Ready { definitions, weights });
        let engine = Self { macros: macros.clone(), ready };
        for (name, it) in &sound.0 {
            faults.extend(engine.try_macro(name, it).map(|it| (name.clone(), it)));
        }
        (engine, faults)
    }

    /// The macros of the book.
    pub fn macros(&self) -> &Macros {
        &self.macros
    }

    /// Uses a macro of the book once, to find commands in it that do not exist.
    fn try_macro(&self, name: &str, it: &Macro) -> Option<Fault> {
        let tex = name.to_owned() + &"{x}".repeat(it.arguments);
        let formula = Formula { tex, style: Style::Display, span: Span::NONE };
        let fault = self.render(&formula, &Facts::default()).err()?.into_iter().next()?;
        // Half of a pair is fine in a macro; a command that no formula can use is not.
        [explain::COMMAND, explain::ENVIRONMENT, explain::LOOP]
            .contains(&fault.code)
            .then_some(fault)
    }

    /// Renders `formula` for both outputs, or says all that is wrong with it.
    ///
    /// # Errors
    /// The faults, at least one, each with its place in the formula's TeX.
    pub fn render(&self, formula: &Formula, facts: &Facts) -> Result<Rendered, Vec<Fault>> {
        let prepared = prepare::prepare(&formula.tex, facts);
        let depth = limits::check(&prepared.tex, &self.ready.weights)
            .map_err(|it| vec![fault::excess(&it, &prepared)])?;
        if depth <= limits::SHALLOW {
            return self.write(formula, facts, &prepared);
        }
        // Rare, and the engine's stack grows with the depth.
        std::thread::scope(|scope| {
            let work = || self.write(formula, facts, &prepared);
            let thread = std::thread::Builder::new().stack_size(limits::STACK);
            let thread = thread.spawn_scoped(scope, work).expect("memory for a stack");
            thread.join().unwrap_or_else(|it| std::panic::resume_unwind(it))
        })
    }

    /// The readable text alone, at a fraction of the work; `None` for a formula that cannot be read.
    pub fn plain(&self, formula: &Formula, facts: &Facts) -> Option<String> {
        let prepared = prepare::prepare(&formula.tex, facts);
        let depth = limits::check(&prepared.tex, &self.ready.weights).ok()?;
        if depth > limits::SHALLOW {
            return self.render(formula, facts).ok().map(|it| it.plain);
        }
        let settings = self.settings(formula.style, &prepared.addresses);
        let mut tree = katex::parse(context::context(), &prepared.tex, &settings).ok()?;
        tree::number(&mut tree, &facts.tags);
        Some(plain::write(&tree, &formula.tex))
    }

    /// Renders a formula that is neither too long nor too deep for the stack.
    fn write(
        &self,
        formula: &Formula,
        facts: &Facts,
        prepared: &prepare::Prepared,
    ) -> Result<Rendered, Vec<Fault>> {
        let settings = self.settings(formula.style, &prepared.addresses);
        let failed = |it| vec![fault::parse(&it, prepared, &self.ready.definitions, &settings)];
        let mut tree =
            katex::parse(context::context(), &prepared.tex, &settings).map_err(failed)?;
        tree::number(&mut tree, &facts.tags);
        let faults = tree::faults(&tree, formula);
        if !faults.is_empty() {
            return Err(faults);
        }
        let written = equation::write(&tree, formula.style);
        let typst = written.map_err(|it| vec![fault::unsupported(&it.0, &formula.tex)])?;
        let plain = plain::write(&tree, &formula.tex);
        let tex = formula.tex.trim();
        let mut boxes = katex::build_tree::build_tree(context::context(), &tree, tex, &settings)
            .map_err(failed)?;
        tree::lift_numbers(&mut boxes);
        if formula.style == Style::Inline {
            cover::lay(&mut boxes);
        }
        if !facts.marks.is_empty() {
            marks::mark(&mut boxes, &self.symbols(facts));
        }
        segments::part(&mut boxes);
        let (html, styles) = markup::write(&boxes);
        Ok(Rendered { html, styles, typst, plain })
    }

    /// The boxes of the symbols to be marked. One that the engine refuses is reported where it is
    /// written, and not marked.
    fn symbols<'f>(&self, facts: &'f Facts) -> BTreeMap<&'f str, DomSpan> {
        let settings = self.settings(Style::Inline, &BTreeSet::new());
        let boxes = |tex: &str| {
            let depth = limits::check(tex, &self.ready.weights).ok()?;
            let sound = depth <= limits::SHALLOW;
            let tree = katex::parse(context::context(), tex, &settings).ok().filter(|_| sound)?;
            katex::build_tree::build_tree(context::context(), &tree, tex, &settings).ok()
        };
        facts.marks.iter().filter_map(|(mark, tex)| Some((&mark[..], boxes(tex)?))).collect()
    }

    fn settings(&self, style: Style, addresses: &BTreeSet<String>) -> Settings {
        Settings::builder()
            .display_mode(style == Style::Display)
            .macros(self.ready.definitions.clone())
            .strict(trust::lax())
            .trust(trust::links(addresses.clone()))
            .error_color(trust::REFUSED.to_owned())
            .build()
    }
}

/// The rules for the classes that formulas of a page use, in the order of their names.
///
/// Inline styles would win over every rule of KaTeX's style sheet; so do these.
pub fn style_sheet(styles: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    for (class, declarations) in styles {
        let declarations = declarations.trim_end_matches(';');
        writeln!(out, ".{class}:not(#_){{{declarations}}}").expect("a string takes all");
    }
    out
}

/// The tree of a formula as the engine parsed it.
type Tree = [AnyParseNode];
