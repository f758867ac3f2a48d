//! What the engine calls a mistake to what an author reads: a code, a message and a way out.

use katex::types::{Mode, ParseErrorKind as Kind};

use super::context::context;
use super::explain;
use super::macros;
use crate::diag::Code;

const BRACES: &str = "put the argument into braces after the command";
const INVISIBLE: &str = "use `.` for an invisible delimiter";
const PAIRS: &str = "give every `{`, `\\left` and `\\begin` its end, in their order";

/// Code, message and way out of a mistake at `text`.
pub(super) fn of(kind: &Kind, text: &str) -> (Code, String, Option<String>) {
    let (code, help): (Code, Option<String>) = match kind {
        Kind::UndefinedControlSequence { name } => return unknown(name, text),
        Kind::NoSuchEnvironment { name } => {
            let message = format!("unknown environment `{name}`");
            return (explain::ENVIRONMENT, message, near_environment(name));
        }
        Kind::MismatchedEnvironmentEnd { begin, end } => {
            let message = format!("`\\begin{{{begin}}}` is ended by `\\end{{{end}}}`");
            return (explain::ENVIRONMENT, message, Some(format!("end it by `\\end{{{begin}}}`")));
        }
        Kind::StrictModeError { code, .. } if code == "commentAtEnd" => {
            let message = "the comment at the end hides the rest of the line".into();
            return (explain::STRICT, message, Some("remove the comment, or end its line".into()));
        }
        Kind::StrictModeError { message, .. } => {
            return (explain::STRICT, lower(message), Some(strict_help(message).into()));
        }
        Kind::UnexpectedEndOfMacroArgument { .. } => {
            let message = "the formula ends where an argument or a `}` is expected";
            return (explain::ARGUMENT, message.into(), Some(BRACES.into()));
        }
        Kind::MacroTooManyExpansions => {
            let message = "the macros of the formula never end, or take too many steps";
            return (explain::LOOP, message.into(), None);
        }
        Kind::DisplayModeOnly { env } => {
            let help = match env.trim_end_matches('*') {
                "align" => "use `aligned`, or show the formula by `$$`",
                "alignat" => "use `alignedat`, or show the formula by `$$`",
                "gather" => "use `gathered`, or show the formula by `$$`",
                _ => "show the formula by `$$`",
            };
            let message = format!("`{env}` can be used only in a displayed formula");
            return (explain::MODE, message, Some(help.into()));
        }
        Kind::ExpectedToken { expected, found } => return token(expected, found),
        Kind::ExpectedArrayDelimiter { found } | Kind::ExpectedCdDelimiter { found } => {
            let (message, help) = match &found[..] {
                "EOF" => ("the environment is never ended".into(), "end it by `\\end{…}`"),
                _ => (format!("`{found}` ends nothing inside of an environment"), PAIRS),
            };
            return (explain::ENVIRONMENT, message, Some(help.into()));
        }
        Kind::InvalidDelimiterAfter { function, .. }
        | Kind::InvalidDelimiterTypeAfter { function } => {
            let found = if text.starts_with(&function[..]) { "a group" } else { &quoted(text) };
            let message = format!("{found} is no delimiter, which `{function}` asks for");
            let help = "use one as `(`, `[`, `\\{`, `|` or `\\langle`, or `.` for an invisible one";
            return (explain::DELIMITER, message, Some(help.into()));
        }
        Kind::ExpectedRightAfterLeft => {
            let message = "`\\left` has no `\\right`".into();
            return (explain::DELIMITER, message, Some(INVISIBLE.into()));
        }
        Kind::MiddleWithoutPrecedingLeft => {
            let message = "`\\middle` stands outside of `\\left` and `\\right`".into();
            return (explain::DELIMITER, message, Some("use `\\mid` or `\\bigm|` there".into()));
        }
        Kind::ExpectedGroupAs { context } => {
            let message = format!("the {} is missing", argument(context));
            return (explain::ARGUMENT, message, Some(BRACES.into()));
        }
        Kind::FunctionMissingArguments { func, context } => {
            let message = format!("`{func}` cannot be the {} without braces", argument(context));
            return (explain::ARGUMENT, message, Some(format!("write `{{{func}…}}`")));
        }
        Kind::ExpectedGroupAfterSymbol { symbol } => {
            let message = format!("nothing follows `{symbol}`");
            return (explain::ARGUMENT, message, Some(BRACES.into()));
        }
        Kind::FunctionDisallowedInMode { func, mode } => return in_mode(func, *mode),
        Kind::UnsupportedAccentInMode { accent, mode } => return in_mode(accent, *mode),
        Kind::TagNotAllowedInInlineMode => (explain::MODE, Some("show the formula by `$$`".into())),
        Kind::DoubleSuperscript | Kind::DoubleSubscript => {
            (explain::SCRIPT, Some("write `{x^a}^b` or `x^{a^b}`".into()))
        }
        Kind::InvalidEnvironmentName { .. } | Kind::ExpectedEnvironmentAfterEnd { .. } => {
            (explain::ENVIRONMENT, None)
        }
        Kind::UnknownDelimiterLabel | Kind::IllegalDelimiter { .. } => {
            (explain::DELIMITER, Some(INVISIBLE.into()))
        }
        Kind::InvalidSize { .. }
        | Kind::InvalidUnit { .. }
        | Kind::InvalidColor { .. }
        | Kind::ExpectedSizeArgument => (explain::ARGUMENT, Some(BRACES.into())),
        Kind::ExpectedControlSequence
        | Kind::ExpectedMacroDefinition
        | Kind::MacroDefinitionMismatch
        | Kind::MacroIncompletePlaceholder
        | Kind::InvalidMacroArgumentNumber { .. } => (explain::MACRO, None),
        other => {
            let text = other.to_string();
            let is_macro = text.contains("command") && text.contains("defin");
            (if is_macro { explain::MACRO } else { explain::SYNTAX }, None)
        }
    };
    (code, lower(&kind.to_string()), help)
}

/// One thing was expected and another found; either may be the end, which the engine calls `EOF`.
fn token(expected: &str, found: &str) -> (Code, String, Option<String>) {
    let (code, message, help) = match (expected, found) {
        ("EOF", "}") => (explain::SYNTAX, "this `}` has no `{` before it".into(), PAIRS),
        ("EOF", "&") => {
            let help = "put the lines into `\\begin{aligned}…\\end{aligned}`; the sign is `\\&`";
            (explain::SYNTAX, "`&` aligns columns, and there are none here".into(), help)
        }
        ("EOF", "\\right") => (explain::DELIMITER, "`\\right` has no `\\left`".into(), INVISIBLE),
        ("EOF", "\\end") => (explain::ENVIRONMENT, "`\\end` has no `\\begin`".into(), PAIRS),
        ("EOF", _) => (explain::SYNTAX, format!("`{found}` cannot stand here"), PAIRS),
        ("\\right", "EOF") => (explain::DELIMITER, "`\\left` has no `\\right`".into(), INVISIBLE),
        (_, "EOF") => (explain::SYNTAX, format!("the formula ends without `{expected}`"), PAIRS),
        _ => (explain::SYNTAX, format!("`{found}` stands where `{expected}` is expected"), PAIRS),
    };
    (code, message, Some(help.into()))
}

/// What the engine expects as an argument, as "argument of `\\sqrt`".
fn argument(context: &str) -> String {
    match context.strip_prefix("argument to ") {
        Some(command) => format!("argument of `{}`", command.trim_matches('\'')),
        None => context.to_owned(),
    }
}

fn in_mode(command: &str, mode: Mode) -> (Code, String, Option<String>) {
    let (place, help) = match mode {
        Mode::Math => ("in mathematics", "put it into `\\text{…}`"),
        Mode::Text => ("in text", "in `\\text{…}`, put mathematics in dollars"),
    };
    (explain::MODE, format!("`{command}` cannot stand {place}"), Some(help.into()))
}

fn unknown(name: &str, text: &str) -> (Code, String, Option<String>) {
    // These are replaced before the engine reads the formula, unless their braces are missing.
    let braces = match name {
        "\\val" => Some("\\val{snippet.key}"),
        "\\ref" => Some("\\ref{eq:name}"),
        "\\eqref" => Some("\\eqref{eq:name}"),
        _ => None,
    };
    if let Some(right) = braces {
        let message = format!("`{name}` takes a name in braces");
        return (explain::ARGUMENT, message, Some(format!("write `{right}`")));
    }
    if macros::built_in().any(|it| it == name) {
        return failed(name);
    }
    // Known, so it is unknown only where it stands.
    let known = |mode| context().symbols.contains(mode, name);
    if known(Mode::Math) {
        let message = format!("`{name}` cannot stand in text");
        return (explain::MODE, message, Some("put it in dollars, as in `\\text{if $x$}`".into()));
    }
    if known(Mode::Text) {
        let message = format!("`{name}` can stand only in text");
        return (explain::MODE, message, Some("put it into `\\text{…}`".into()));
    }
    let message = if text.starts_with(name) || text.is_empty() {
        format!("unknown command `{name}`")
    } else {
        format!("unknown command `{name}` in what `{text}` stands for")
    };
    let names = context().functions.keys().map(String::as_str);
    let names = names.chain(macros::built_in()).filter(|it| !it.contains('@'));
    let help = match near(name, names) {
        Some(it) => format!("did you mean `{it}`?"),
        None => "define it in the book's macros, or use `\\operatorname{…}`".into(),
    };
    (explain::COMMAND, message, Some(help))
}

/// The engine takes a macro of its own that fails for an unknown one.
fn failed(name: &str) -> (Code, String, Option<String>) {
    let (message, help) = match name {
        "\\newcommand" => ("has a meaning already, or is no macro", "use `\\renewcommand`"),
        "\\renewcommand" => ("has no meaning yet, or is no macro", "use `\\newcommand`"),
        _ => {
            let help = Some("look at its arguments".into());
            return (explain::SYNTAX, format!("`{name}` cannot stand here like this"), help);
        }
    };
    (explain::MACRO, format!("what `{name}` defines {message}"), Some(help.into()))
}

fn near_environment(name: &str) -> Option<String> {
    let it = near(name, context().environments.keys().map(String::as_str))?;
    Some(format!("did you mean `{it}`?"))
}

/// The name nearest to `name`, if it is near at all; of equally near ones the first in the
/// alphabet.
fn near<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = if name.chars().count() > 5 { 2 } else { 1 };
    let far = names.map(|it| (strsim::osa_distance(name, it), it));
    far.filter(|(it, _)| *it <= limit).min().map(|(_, it)| it)
}

fn strict_help(message: &str) -> &'static str {
    if message.contains("column") {
        "declare a letter for each column"
    } else {
        "put words into `\\text{…}`, and write symbols as commands"
    }
}

/// The message as ours begin: with a lower-case letter, without a full stop, TeX in backticks.
fn lower(message: &str) -> String {
    let message = message.trim_end_matches('.').replace("'EOF'", "the end");
    let chars: Vec<char> = message.chars().collect();
    let is_letter = |at: usize| chars.get(at).is_some_and(|it| it.is_alphabetic());
    let mut out = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let apostrophe = at > 0 && is_letter(at - 1) && is_letter(at + 1);
        match c {
            '\'' if !apostrophe => out.push('`'),
            // Not of a name as `LaTeX`.
            c if at == 0 && !chars[1..].iter().take(5).any(|it| it.is_uppercase()) => {
                out.extend(c.to_lowercase());
            }
            c => out.push(c),
        }
    }
    out
}

fn quoted(text: &str) -> String {
    format!("`{text}`")
}
