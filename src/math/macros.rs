//! Macros of the book, and a few that authors expect, to what the engine expands.
//!
//! The engine would report a mistake inside a macro at a place of the macro's body. So each token
//! of a body carries the place right after the macro's name in the formula, with no length.

use std::sync::{Arc, LazyLock};

use katex::lexer::Lexer;
use katex::macro_expander::MacroMap;
use katex::macros::builtins::BUILTIN_MACROS;
use katex::macros::{MacroDefinition, MacroExpansion, MacroExpansionResult};
use katex::types::{Settings, SourceLocation, Token};

use super::limits::{self, Definition, Excess, Weights};
use super::{Fault, Macros, explain, scan};

/// Macros that LaTeX authors expect and KaTeX lacks.
pub(super) const EXTRA: &[(&str, &str)] = &[
    ("\\@operator", "\\gdef#1{\\operatorname{#2}}"),
    ("\\@operatorstar", "\\gdef#1{\\operatorname*{#2}}"),
    ("\\DeclareMathOperator", "\\@ifstar\\@operatorstar\\@operator"),
    ("\\mbox", "\\text{#1}"),
    ("\\mspace", "\\mskip#1"),
    // The engine knows most symbols of Unicode, but not this one, which transposes.
    ("⊤", "\\top"),
];

/// All macros of a book for the engine.
pub(super) fn ready<'a>(book: impl Iterator<Item = (&'a str, &'a str)>) -> MacroMap {
    let mut map = MacroMap::default();
    for (name, body) in EXTRA.iter().copied().chain(book) {
        map.insert(name.to_owned(), definition(body));
    }
    map
}

/// The macros of the engine itself, made to carry places too. Only for finding the place of a
/// mistake, since they are many.
pub(super) fn placed(map: &MacroMap) -> MacroMap {
    static PLACED: LazyLock<MacroMap> = LazyLock::new(|| {
        let texts = BUILTIN_MACROS.entries().filter_map(|(name, it)| Some((*name, it.as_str()?)));
        texts.map(|(name, body)| (name.to_owned(), definition(body))).collect()
    });
    let mut all = PLACED.clone();
    all.extend(map.iter().map(|(name, it)| (name.clone(), it.clone())));
    all
}

/// How many arguments `body` takes: the highest `#n` of an unbroken row.
pub(super) fn arguments(body: &str) -> usize {
    let body = body.replace("##", "");
    (1..=9).take_while(|it| body.contains(&format!("#{it}"))).count()
}

fn definition(body: &str) -> MacroDefinition {
    let num_args = arguments(body);
    let mut tokens = tokens(body);
    tokens.reverse();
    MacroDefinition::Function(Arc::new(move |context| {
        // Ends of arguments have no place. They are taken off to see what comes after them, and
        // put back behind the body; but not where the macro's own arguments would be beyond them.
        let mut ends = Vec::new();
        let mut next = context.future_mut()?;
        while num_args == 0 && next.text == "EOF" && next.loc.is_none() {
            ends.push(context.pop_token()?);
            next = context.future_mut()?;
        }
        let place = next.loc.map(|it| SourceLocation::new(it.input_arc(), it.start(), it.start()));
        let placed = |it: &Token| Token { loc: place.clone().or(it.loc.clone()), ..it.clone() };
        let tokens = ends.into_iter().rev().chain(tokens.iter().map(placed)).collect();
        let expansion = MacroExpansion { tokens, num_args, ..MacroExpansion::default() };
        Ok(MacroExpansionResult::Expansion(expansion))
    }))
}

fn tokens(body: &str) -> Vec<Token> {
    let settings = Settings::default();
    let mut lexer = Lexer::new(body.into(), &settings);
    let mut out = Vec::new();
    while let Ok(token) = lexer.lex() {
        if token.text == "EOF" {
            break;
        }
        out.push(token);
    }
    out
}

/// The names of the engine's own macros.
pub(super) fn built_in() -> impl Iterator<Item = &'static str> {
    BUILTIN_MACROS.keys().copied()
}

/// The weights of the macros that can be, and what is wrong with the others.
pub(super) fn weights(book: &Macros) -> (Weights, Vec<(String, Fault)>) {
    let mut weights = Weights::new();
    let mut faults = Vec::new();
    let extra = EXTRA.iter().map(|(name, body)| (*name, *body));
    let mut sound: Vec<Definition> = extra.map(|(name, body)| defined(name, body)).collect();
    for (name, body) in &book.0 {
        match shape(name, body) {
            None => sound.push(defined(name, body)),
            Some(message) => faults.push((name.clone(), malformed(body, message))),
        }
    }
    while let Err(excess) = limits::weigh(&sound, &mut weights) {
        let (Excess::Loop(name, _) | Excess::Macro(name)) = &excess else { break };
        let body = book.0.get(name).map_or("", String::as_str);
        faults.push((name.clone(), endless(name, body, &excess)));
        sound.retain(|it| it.name != *name);
        weights.clear();
    }
    (weights, faults)
}

fn defined(name: &str, body: &str) -> Definition {
    Definition { name: name.to_owned(), body: body.to_owned(), place: 0..body.len() }
}

/// What is wrong with the shape of a macro.
fn shape(name: &str, body: &str) -> Option<&'static str> {
    let word = name.strip_prefix('\\').unwrap_or_default();
    let letters = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == '@');
    if !letters && word.chars().count() != 1 {
        return Some("a macro is named by a backslash and letters");
    }
    if body.len() > limits::LENGTH {
        return Some("the body of the macro is too long");
    }
    let braced = format!("{{{body}}}");
    if scan::group(&braced, 0) != Some(0..braced.len()) {
        return Some("the braces in the macro's body are not in pairs");
    }
    let used = body.replace("##", "");
    let highest = (1..=9).filter(|it| used.contains(&format!("#{it}"))).max().unwrap_or(0);
    let holes = used.matches('#').count()
        > used
            .match_indices('#')
            .filter(|(at, _)| used[at + 1..].starts_with(|c: char| c.is_ascii_digit() && c != '0'))
            .count();
    (holes || highest > arguments(body))
        .then_some("the macro's arguments are not `#1`, `#2` and so on")
}

fn malformed(body: &str, message: &str) -> Fault {
    let help = "write `\\newcommand{\\name}[1]{body with #1}`".to_owned();
    Fault { range: 0..body.len(), code: explain::MACRO, message: message.into(), help: Some(help) }
}

fn endless(name: &str, body: &str, excess: &Excess) -> Fault {
    let (code, message) = match excess {
        Excess::Loop(..) => (explain::LOOP, format!("the macro `{name}` calls itself")),
        Excess::Length
        | Excess::Control(_)
        | Excess::Depth(_)
        | Excess::Size(_)
        | Excess::Macro(_) => (explain::DEPTH, format!("the macro `{name}` nests too deep")),
    };
    Fault { range: 0..body.len(), code, message, help: None }
}
