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
use super::{Fault, Macro, Macros, explain, scan};

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

/// What is shown where a macro is used that cannot be.
const BROKEN: &str = "\\textbf{??}";

/// All macros of a book for the engine.
pub(super) fn ready(book: &Macros) -> MacroMap {
    let mut map = MacroMap::default();
    for (name, body) in EXTRA {
        map.insert((*name).to_owned(), definition(body, arguments(body)));
    }
    for (name, it) in &book.0 {
        map.insert(name.clone(), definition(&it.body, it.arguments));
    }
    map
}

/// The macros of the engine itself, made to carry places too. Only for finding the place of a
/// mistake, since they are many.
pub(super) fn placed(map: &MacroMap) -> MacroMap {
    static PLACED: LazyLock<MacroMap> = LazyLock::new(|| {
        let texts = BUILTIN_MACROS.entries().filter_map(|(name, it)| Some((*name, it.as_str()?)));
        texts.map(|(name, body)| (name.to_owned(), definition(body, arguments(body)))).collect()
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

fn definition(body: &str, num_args: usize) -> MacroDefinition {
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

/// The macros of a book as they can be used.
pub(super) struct Weighed {
    /// All macros; a mark is the body of those that cannot be.
    pub(super) sound: Macros,
    pub(super) weights: Weights,
    /// What is wrong with the others.
    pub(super) faults: Vec<(String, Fault)>,
}

/// Finds the macros that can be, and their weights.
pub(super) fn weigh(book: &Macros) -> Weighed {
    let mut out = Weighed { sound: book.clone(), weights: Weights::new(), faults: Vec::new() };
    for (name, it) in &book.0 {
        if let Some(message) = shape(name, it) {
            out.refuse(name, malformed(&it.body, message));
        }
    }
    loop {
        let extra = EXTRA.iter().map(|(name, body)| defined(name, body));
        let own = out.sound.0.iter().map(|(name, it)| defined(name, &it.body));
        let all: Vec<Definition> = extra.chain(own).collect();
        let Err(excess) = limits::weigh(&all, &mut out.weights) else { return out };
        let (Excess::Loop(name, _) | Excess::Macro(name)) = &excess else { return out };
        let body = book.0.get(name).map_or("", |it| &it.body);
        out.refuse(name, endless(name, body, &excess));
        out.weights.clear();
    }
}

impl Weighed {
    fn refuse(&mut self, name: &str, fault: Fault) {
        self.faults.push((name.to_owned(), fault));
        if let Some(it) = self.sound.0.get_mut(name) {
            it.body = BROKEN.to_owned();
            it.arguments = it.arguments.min(9);
        }
    }
}

fn defined(name: &str, body: &str) -> Definition {
    Definition { name: name.to_owned(), body: body.to_owned(), place: 0..body.len() }
}

/// What is wrong with the shape of a macro.
fn shape(name: &str, it: &Macro) -> Option<String> {
    let Macro { arguments, body } = it;
    let word = name.strip_prefix('\\').unwrap_or_default();
    let letters = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == '@');
    if !letters && word.chars().count() != 1 {
        return Some("a macro is named by a backslash and letters".to_owned());
    }
    if body.len() > limits::LENGTH {
        return Some("the body of the macro is too long".to_owned());
    }
    if body.contains(|it: char| it.is_control() && !matches!(it, '\n' | '\t')) {
        return Some("the body of the macro has a control character".to_owned());
    }
    let braced = format!("{{{body}}}");
    if scan::group(&braced, 0) != Some(0..braced.len()) {
        return Some("the braces in the macro's body are not in pairs".to_owned());
    }
    let used = body.replace("##", "");
    for (at, _) in used.match_indices('#') {
        match used[at + 1..].chars().next().and_then(|it| it.to_digit(10)) {
            Some(number @ 1..) if number as usize <= *arguments => {}
            Some(number @ 1..) => {
                let takes = if *arguments == 1 { "argument" } else { "arguments" };
                return Some(format!(
                    "the body uses `#{number}`, and it takes {arguments} {takes}"
                ));
            }
            Some(_) | None => {
                return Some("the macro's arguments are not `#1`, `#2` and so on".to_owned());
            }
        }
    }
    None
}

fn malformed(body: &str, message: String) -> Fault {
    let help = "write `\\newcommand{\\name}[1]{body with #1}`".to_owned();
    Fault { range: 0..body.len(), code: explain::MACRO, message, help: Some(help) }
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
