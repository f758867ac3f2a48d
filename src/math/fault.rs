//! What the engine says to what an author reads: a place, a code, a message and a way out.

use std::ops::Range;

use katex::macro_expander::MacroMap;
use katex::types::{ParseError, ParseErrorKind as Kind, Settings};

use super::Fault;
use super::context::context;
use super::explain;
use super::limits::{self, Excess};
use super::macros;
use super::prepare::Prepared;
use super::scan;
use super::words;

/// A fault of a formula that is not given to the engine.
pub(super) fn excess(excess: &Excess, prepared: &Prepared) -> Fault {
    let (range, code, message, help) = match excess {
        Excess::Length => {
            let message = format!("the formula has more than {} bytes", limits::LENGTH);
            (0..prepared.tex.len(), explain::LENGTH, message, "split it")
        }
        Excess::Control(range) => {
            let message = "the formula has a control character".into();
            (range.clone(), explain::SYNTAX, message, "delete it; it cannot be seen")
        }
        Excess::Depth(range) => {
            let message = format!("the formula nests more than {} levels deep", limits::DEPTH);
            (range.clone(), explain::DEPTH, message, "name a part of it and show it on its own")
        }
        Excess::Size(range) => {
            let message = "the macros make the formula too long".into();
            (range.clone(), explain::LENGTH, message, "use an argument only once in a macro")
        }
        Excess::Macro(name) => {
            let range = find(&prepared.tex, name).unwrap_or(0..prepared.tex.len());
            let message = format!("the macro `{name}` nests too deep");
            (range, explain::DEPTH, message, "name a part of it and show it on its own")
        }
        Excess::Loop(name, range) => {
            let help = "a macro cannot call itself, directly or through others";
            (range.clone(), explain::LOOP, format!("the macro `{name}` never ends"), help)
        }
    };
    Fault { range: prepared.source(range), code, message, help: Some(help.into()) }
}

/// A fault that the engine found while parsing or building.
pub(super) fn parse(
    error: &ParseError,
    prepared: &Prepared,
    map: &MacroMap,
    settings: &Settings,
) -> Fault {
    let tex = &prepared.tex;
    let range = place(error, tex, map, settings);
    let text = &tex[range.clone()];
    let (code, message, help) = words::of(&error.kind, text);
    Fault { range: prepared.source(range), code, message, help }
}

/// A fault of a construct that only one of the outputs could show.
pub(super) fn unsupported(what: &str, tex: &str) -> Fault {
    let word = || tex.find(what).map(|it| it..it + what.len());
    let range = find(tex, what).or_else(word).unwrap_or(0..tex.len());
    let message = format!("the PDF cannot show `{what}`");
    let help = Some("write it by other means; site and PDF must not differ".into());
    Fault { range, code: explain::UNSUPPORTED, message, help }
}

/// A fault of a command that is not trusted.
pub(super) fn refused(command: &str, tex: &str) -> Fault {
    let range = find(tex, command).unwrap_or(0..tex.len());
    let range = range.start..scan::argument_end(tex, range.end);
    let (message, help) = match command {
        "\\href" | "\\url" => (
            format!("`{command}` cannot link there"),
            "link to an `http:`, `https:` or `mailto:` address or to a label, `#eq:attention`",
        ),
        _ => (
            format!("`{command}` is not allowed in formulas"),
            "formulas may have links, `\\htmlId` and `\\htmlClass` with plain names",
        ),
    };
    Fault { range, code: explain::TRUST, message, help: Some(help.into()) }
}

/// A fault of a line break in a display.
pub(super) fn line_break(tex: &str) -> Fault {
    let mut depth = 0_usize;
    let mut found = None;
    for it in scan::commands(tex) {
        match &tex[it.clone()] {
            "\\begin" => depth += 1,
            "\\end" => depth = depth.saturating_sub(1),
            "\\\\" | "\\newline" if depth == 0 => found = found.or(Some(it)),
            _ => {}
        }
    }
    Fault {
        range: found.unwrap_or(0..tex.len()),
        code: explain::LINE,
        message: "a line break does nothing in a displayed formula".into(),
        help: Some("put the lines into `\\begin{aligned}…\\end{aligned}`".into()),
    }
}

/// The first use of `command`.
fn find(tex: &str, command: &str) -> Option<Range<usize>> {
    scan::commands(tex).find(|it| &tex[it.clone()] == command)
}

/// Where the mistake is, in the prepared TeX.
fn place(error: &ParseError, tex: &str, map: &MacroMap, settings: &Settings) -> Range<usize> {
    let again = Settings { macros: macros::placed(map).into(), ..settings.clone() };
    let found = katex::parse(context(), tex, &again).err();
    let at = found.filter(|it| it.kind.to_string() == error.kind.to_string());
    let at = at.and_then(|it| Some((it.position()?, it.length()?)));
    let (start, length) = match at {
        Some((start, length)) if start + length <= tex.len() => (start, length),
        Some(_) | None => return last_token(tex, first_prefix(error, tex, map, settings)),
    };
    if length > 0 || start == tex.len() && !ends_with_call(tex, map) {
        let end = start + length;
        return grow(tex, start..end);
    }
    let call = scan::command_before(tex, start).unwrap_or(start);
    let name = &tex[call..scan::command_end(tex, call).min(tex.len())];
    let count = map.contains_key(name).then(|| count_arguments(tex, start, &error.kind));
    let end = (0..count.unwrap_or(0)).fold(call + name.len(), |at, _| scan::argument_end(tex, at));
    grow(tex, call..end)
}

/// How many groups follow the call of a macro.
fn count_arguments(tex: &str, at: usize, kind: &Kind) -> usize {
    if matches!(kind, Kind::UnexpectedEndOfMacroArgument { .. }) {
        return 0;
    }
    let mut at = at;
    (0..9).take_while(|_| scan::group(tex, at).map(|it| at = it.end).is_some()).count()
}

fn ends_with_call(tex: &str, map: &MacroMap) -> bool {
    scan::command_before(tex, tex.len()).is_some_and(|it| map.contains_key(tex[it..].trim_end()))
}

/// At least one whole character, on character boundaries. The end of the formula is shown by its
/// last character.
fn grow(tex: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start.min(tex.len());
    if start == tex.len() && range.is_empty() {
        start = tex.trim_end().char_indices().last().map_or(0, |(it, _)| it);
    }
    while !tex.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = range.end.max(start + 1).min(tex.len());
    while !tex.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Where the shortest beginning of `tex` ends that has the mistake already. Parsing goes from left
/// to right, so a longer beginning has it too, and the place can be found by halving.
fn first_prefix(error: &ParseError, tex: &str, map: &MacroMap, settings: &Settings) -> usize {
    let ends: Vec<usize> =
        tex.char_indices().map(|(it, _)| it).skip(1).chain([tex.len()]).collect();
    let has_it = |end: &usize| {
        let settings = Settings { macros: map.clone().into(), ..settings.clone() };
        let found = katex::parse(context(), &tex[..*end], &settings).err();
        found.is_some_and(|it| it.kind.to_string() == error.kind.to_string())
    };
    ends.get(ends.partition_point(|it| !has_it(it))).copied().unwrap_or(tex.len())
}

/// The token that ends at `end`, with its command: for `\begin{x}` the whole of it.
fn last_token(tex: &str, end: usize) -> Range<usize> {
    let before = &tex[..end];
    let start = if before.ends_with('}') { before.rfind('\\') } else { None };
    let command = scan::commands(before).last().filter(|it| it.end == end).map(|it| it.start);
    let start = start.or(command).or_else(|| before.char_indices().last().map(|(it, _)| it));
    grow(tex, start.unwrap_or(0)..end)
}
