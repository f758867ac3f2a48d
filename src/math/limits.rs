//! How deep and how long a formula can become, and what it must not have, before it is parsed.
//!
//! The engine recurses as deep as the formula nests and knows no limit, so a formula that could
//! overflow the stack must not reach it. The measure is an upper bound: it counts groups, pairs
//! and arguments, follows macros without expanding them, and never guesses low.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::context::context;
use super::scan;

/// Bytes that a formula may have.
pub(super) const LENGTH: usize = 8 * 1024;
/// How deep a formula may nest.
pub(super) const DEPTH: usize = 64;
/// How deep a formula may nest to be rendered on any stack.
pub(super) const SHALLOW: usize = 12;
/// Bytes of stack for the deepest formula, in a build without optimisation too.
pub(super) const STACK: usize = 64 << 20;
/// How many tokens a formula may have when all macros are expanded.
const SIZE: usize = 64 * 1024;

/// What a macro adds where it is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weight {
    /// Levels around its arguments or in its body.
    depth: usize,
    /// Levels that it leaves open, as `\displaystyle` does.
    open: usize,
    /// Tokens of its body.
    size: usize,
    /// How often its body uses arguments.
    copies: usize,
}

/// Weights of macros by name.
pub(super) type Weights = BTreeMap<String, Weight>;

/// Why a formula is not given to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Excess {
    /// It is too long.
    Length,
    /// It has a character that no font shows.
    Control(Range<usize>),
    /// It nests too deep at this place.
    Depth(Range<usize>),
    /// Its macros make it too long at this place.
    Size(Range<usize>),
    /// The body of this macro nests too deep.
    Macro(String),
    /// This macro calls itself; where it is defined.
    Loop(String, Range<usize>),
}

/// Commands that put all that follows in their group one level deeper.
const SWITCHES: &[&str] = &[
    "\\Huge",
    "\\LARGE",
    "\\Large",
    "\\\\globallong",
    "\\bf",
    "\\cal",
    "\\color",
    "\\displaystyle",
    "\\footnotesize",
    "\\global",
    "\\huge",
    "\\it",
    "\\large",
    "\\long",
    "\\normalsize",
    "\\rm",
    "\\scriptscriptstyle",
    "\\scriptsize",
    "\\scriptstyle",
    "\\sf",
    "\\small",
    "\\textstyle",
    "\\tiny",
    "\\tt",
];

/// Commands that define a macro.
const DEFINITIONS: &[&str] = &[
    "\\DeclareMathOperator",
    "\\def",
    "\\edef",
    "\\futurelet",
    "\\gdef",
    "\\let",
    "\\newcommand",
    "\\providecommand",
    "\\renewcommand",
    "\\xdef",
];

/// Levels that a macro of the engine's own can add at most.
const BUILT_IN: usize = 6;

/// Checks that `tex` can be given to the engine, and how deep it can nest.
pub(super) fn check(tex: &str, book: &Weights) -> Result<usize, Excess> {
    if tex.len() > LENGTH {
        return Err(Excess::Length);
    }
    let control = |it: &(usize, char)| it.1.is_control() && !matches!(it.1, '\n' | '\t' | '\r');
    if let Some((at, c)) = tex.char_indices().find(control) {
        return Err(Excess::Control(at..at + c.len_utf8()));
    }
    let definitions = definitions(tex);
    if definitions.is_empty() {
        return walk(tex, book).map(|it| it.depth);
    }
    let mut weights = book.clone();
    weigh(&definitions, &mut weights)?;
    walk(tex, &weights).map(|it| it.depth)
}

/// A macro and a body that it may have.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) body: String,
    pub(super) place: Range<usize>,
}

/// Weighs macros, each after those that it calls. A macro that calls itself has no weight.
pub(super) fn weigh(definitions: &[Definition], weights: &mut Weights) -> Result<(), Excess> {
    let mut bodies: BTreeMap<&str, Vec<&Definition>> = BTreeMap::new();
    for it in definitions {
        bodies.entry(&it.name).or_default().push(it);
        // A new meaning replaces the book's.
        weights.remove(&it.name);
    }
    let mut open = BTreeSet::new();
    bodies.keys().try_for_each(|name| weigh_one(name, &bodies, weights, &mut open))
}

fn weigh_one<'a>(
    name: &'a str,
    bodies: &BTreeMap<&'a str, Vec<&'a Definition>>,
    weights: &mut Weights,
    open: &mut BTreeSet<&'a str>,
) -> Result<(), Excess> {
    let Some(mine) = bodies.get(name) else { return Ok(()) };
    if weights.contains_key(name) {
        return Ok(());
    }
    let place = mine.first().map_or(0..0, |it| it.place.clone());
    if !open.insert(name) || open.len() > DEPTH {
        return Err(Excess::Loop(name.to_owned(), place));
    }
    let mut weight = Weight::default();
    for it in mine {
        for command in scan::commands(&it.body) {
            weigh_one(&it.body[command], bodies, weights, open)?;
        }
        let one = walk(&it.body, weights).map_err(|_| Excess::Macro(it.name.clone()))?;
        weight.depth = weight.depth.max(one.depth);
        weight.open = weight.open.max(one.open);
        weight.size = weight.size.max(one.size);
        weight.copies = weight.copies.max(one.copies);
    }
    open.remove(name);
    weights.insert(name.to_owned(), weight);
    Ok(())
}

/// The macros that `tex` defines, those in bodies of others too.
fn definitions(tex: &str) -> Vec<Definition> {
    let mut out: Vec<Definition> = Vec::new();
    for command in scan::commands(tex) {
        let Ok(_) = DEFINITIONS.binary_search(&&tex[command.clone()]) else { continue };
        let Some(name) = scan::commands(&tex[command.end..]).next() else { continue };
        let name = command.end + name.start..command.end + name.end;
        let is_let = matches!(&tex[command.clone()], "\\let" | "\\futurelet");
        let body = if is_let {
            let rest = tex[name.end..].trim_start().trim_start_matches('=').trim_start();
            let target = rest.starts_with('\\').then(|| &rest[..scan::command_end(rest, 0)]);
            // What is not a macro yet keeps the meaning that the engine gives it.
            target.filter(|it| out.iter().any(|old| old.name == **it)).unwrap_or_default()
        } else {
            let open = tex[name.end..].trim_start_matches('}').find('{');
            let skipped = tex[name.end..].len() - tex[name.end..].trim_start_matches('}').len();
            let group = open.and_then(|it| scan::group(tex, name.end + skipped + it));
            group.map_or("", |it| &tex[it.start + 1..it.end - 1])
        };
        let place = command.start..name.end;
        out.push(Definition { name: tex[name].to_owned(), body: body.to_owned(), place });
    }
    out
}

/// A group, pair or environment that is open.
struct Frame {
    close: Close,
    outer: (usize, usize),
    base: usize,
    pending: (usize, usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Close {
    Brace,
    Bracket,
    Right,
    End,
}

/// Walks over TeX with the depth and the number of copies of the present place.
struct Walk<'a> {
    weights: &'a Weights,
    frames: Vec<Frame>,
    depth: usize,
    copies: usize,
    /// Levels and copies that the next argument gets.
    pending: (usize, usize),
    sum: Weight,
}

fn walk(tex: &str, weights: &Weights) -> Result<Weight, Excess> {
    let sum = Weight::default();
    let mut walk = Walk { weights, frames: Vec::new(), depth: 0, copies: 1, pending: (0, 1), sum };
    let mut at = 0;
    while let Some(c) = tex[at..].chars().next() {
        let end = if c == '\\' { scan::command_end(tex, at) } else { at + c.len_utf8() };
        if c == '%' {
            at = tex[at..].find('\n').map_or(tex.len(), |it| at + it);
            continue;
        }
        walk.token(&tex[at..end]);
        if walk.sum.depth > DEPTH {
            return Err(Excess::Depth(at..end));
        }
        if walk.sum.size > SIZE {
            return Err(Excess::Size(at..end));
        }
        at = end;
    }
    walk.sum.open = walk.depth;
    Ok(walk.sum)
}

impl Walk<'_> {
    fn token(&mut self, token: &str) {
        match token {
            "{" => self.enter(Close::Brace, 1),
            "}" => self.leave(Close::Brace),
            "[" if self.pending.0 > 0 => self.enter(Close::Bracket, 1),
            "]" => self.leave(Close::Bracket),
            "&" | "\\\\" | "\\cr" => self.depth = self.frames.last().map_or(0, |it| it.base),
            "^" | "_" => self.pending.0 += 1,
            "#" => self.sum.copies += 1,
            "\\begin" => self.enter(Close::End, 2),
            "\\end" => self.leave(Close::End),
            "\\left" => self.enter(Close::Right, 1),
            "\\right" => self.leave(Close::Right),
            _ if token.starts_with('\\') => self.command(token),
            _ if token.trim().is_empty() => return,
            _ => self.pending = (0, 1),
        }
        self.sum.size = self.sum.size.saturating_add(self.copies);
        self.sum.depth = self.sum.depth.max(self.depth + self.pending.0);
    }

    fn command(&mut self, name: &str) {
        if let Some(weight) = self.weights.get(name) {
            self.sum.size = self.sum.size.saturating_add(weight.size.saturating_mul(self.copies));
            self.sum.depth = self.sum.depth.max(self.depth + self.pending.0 + weight.depth);
            self.depth += weight.open;
            if weight.copies == 0 {
                self.pending = (0, 1);
            } else {
                let copies = self.pending.1.saturating_mul(weight.copies);
                self.pending = (self.pending.0 + weight.depth, copies);
            }
        } else if SWITCHES.binary_search(&name).is_ok() {
            self.depth += 1;
            self.pending.0 += 1;
        } else if let Some(function) = context().functions.get(name) {
            let takes = function.num_args + function.num_optional_args > 0;
            self.pending = if takes { (self.pending.0 + 1, self.pending.1) } else { (0, 1) };
        } else if context().symbols.contains(katex::types::Mode::Math, name) {
            self.pending = (0, 1);
        } else {
            self.sum.depth = self.sum.depth.max(self.depth + self.pending.0 + BUILT_IN);
            self.pending.0 += 1;
        }
    }

    fn enter(&mut self, close: Close, levels: usize) {
        let outer = (self.depth, self.copies);
        self.depth += levels + self.pending.0;
        self.copies = self.copies.saturating_mul(self.pending.1.max(1));
        self.frames.push(Frame { close, outer, base: self.depth, pending: self.pending });
        self.pending = (0, 1);
    }

    fn leave(&mut self, close: Close) {
        // A bracket that no `]` closes ends with the group around it.
        while close != Close::Bracket
            && self.frames.last().is_some_and(|it| it.close == Close::Bracket)
        {
            self.pop();
        }
        if self.frames.last().is_some_and(|it| it.close == close) {
            self.pop();
        }
    }

    fn pop(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        (self.depth, self.copies) = frame.outer;
        self.pending = frame.pending;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(SWITCHES.is_sorted());
        assert!(DEFINITIONS.is_sorted());
    }

    #[test]
    fn what_could_overflow_the_stack_is_refused() {
        let deep = [
            "{".repeat(100),
            "\\frac".repeat(100),
            "\\mathrm".repeat(100),
            "\\displaystyle ".repeat(100),
            "\\left(".repeat(100),
            "\\begin{matrix}".repeat(100),
            "\\sqrt[".repeat(100),
            "\\def\\a#1{\\sqrt{\\sqrt{\\sqrt{#1}}}}\\def\\b#1{\\a{\\a{\\a{#1}}}}\\b{\\b{\\b{\\b{\\b{\\b{\\b{x}}}}}}}".into(),
        ];
        for tex in deep {
            let found = check(&tex, &Weights::new());
            assert!(matches!(found, Err(Excess::Depth(_))), "{tex}: {found:?}");
        }
        let looping =
            ["\\def\\a{\\a}\\a", "\\def\\a{\\b}\\def\\b{{\\a}}x", "\\def\\a{\\def\\b{\\a}\\b}"];
        for tex in looping {
            let found = check(tex, &Weights::new());
            assert!(matches!(found, Err(Excess::Loop(..))), "{tex}: {found:?}");
        }
        let laughs = "\\def\\a#1{#1#1#1#1#1#1#1#1#1#1}\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}";
        assert!(matches!(check(laughs, &Weights::new()), Err(Excess::Size(_))));
        assert_eq!(check(&"x".repeat(9000), &Weights::new()), Err(Excess::Length));
    }

    #[test]
    fn what_books_write_passes() {
        let flat = "\\alpha\\beta".repeat(300);
        let tex = [
            flat.as_str(),
            "\\let\\old\\vec\\renewcommand{\\vec}[1]{\\old{#1}}\\vec{x}",
            "\\newcommand{\\R}{\\mathbb{R}}\\R\\R\\R",
            &"\\frac{a}{b}+".repeat(200),
        ];
        for tex in tex {
            assert!(check(tex, &Weights::new()).is_ok_and(|it| it < 10), "{tex}");
        }
    }
}
