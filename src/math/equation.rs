//! The parse tree to Typst maths markup.
//!
//! Symbols are written as escaped characters and classes, never as names: names change between
//! versions of Typst, and a name could be shadowed. Everything Typst would decide otherwise than
//! TeX (spacing of inner atoms, unary operators, limits) is written out.

use katex::parser::parse_node::{AnyParseNode as Node, ParseNodeGenfrac, ParseNodeSupSub};
use katex::types::Mode;

use super::{Style, Tree};

mod arrays;
mod boxes;
mod colors;
mod delimiters;
mod operators;
mod spacing;
mod symbols;
mod text;

pub(super) use delimiters::delimiter;
pub(super) use spacing::is_not;
pub(super) use symbols::{accent_mark, arrow};

/// A construct that the PDF cannot show, by its command.
#[derive(Debug)]
pub(super) struct Unsupported(pub(super) String);

type Written = Result<String, Unsupported>;

fn unsupported<T>(what: &str) -> Result<T, Unsupported> {
    Err(Unsupported(what.to_owned()))
}

/// Something invisible, where Typst wants something and TeX has nothing.
const NOTHING: &str = "#box()";

/// Writes the content of an equation.
pub(super) fn write(tree: &Tree, style: Style) -> Written {
    let level = match style {
        Style::Display => Level::Display,
        Style::Inline => Level::Text,
    };
    let mut writer = Writer { level, breaks: style == Style::Inline };
    let body = writer.list(tree)?;
    let body = if body.is_empty() { NOTHING.to_owned() } else { body };
    match super::tree::numbered(tree) {
        Some(table) => writer.beside(&body, table),
        None => Ok(body),
    }
}

/// TeX's four sizes of a formula's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Display,
    Text,
    Script,
    ScriptScript,
}

impl Level {
    fn of(size: usize) -> Self {
        match size {
            0 => Self::Display,
            1 => Self::Text,
            2 => Self::Script,
            _ => Self::ScriptScript,
        }
    }

    /// The level of numerators.
    fn smaller(self) -> Self {
        match self {
            Self::Display => Self::Text,
            Self::Text => Self::Script,
            Self::Script | Self::ScriptScript => Self::ScriptScript,
        }
    }

    /// The level of scripts.
    fn script(self) -> Self {
        self.max(Self::Text).smaller()
    }

    /// Typst's function for it.
    fn function(self) -> &'static str {
        match self {
            Self::Display => "display",
            Self::Text => "inline",
            Self::Script => "script",
            Self::ScriptScript => "sscript",
        }
    }
}

struct Writer {
    level: Level,
    /// Whether the next list is a whole formula in running text, which lines may break.
    breaks: bool,
}

impl Writer {
    /// Does `write` at `level`.
    fn at<T>(&mut self, level: Level, write: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.level, level);
        let result = write(self);
        self.level = outer;
        result
    }

    /// The content of an argument: a group is only a pair of braces there.
    fn argument(&mut self, node: &Node) -> Written {
        let body = match node {
            Node::OrdGroup(group) => self.list(&group.body)?,
            node => self.list(std::slice::from_ref(node))?,
        };
        Ok(if body.is_empty() { NOTHING.to_owned() } else { body })
    }

    fn optional(
        &mut self,
        node: Option<&Node>,
        level: Level,
    ) -> Result<Option<String>, Unsupported> {
        node.map(|it| self.at(level, |writer| writer.argument(it))).transpose()
    }

    /// A list as an argument.
    fn full(&mut self, tree: &Tree) -> Written {
        let body = self.list(tree)?;
        Ok(if body.is_empty() { NOTHING.to_owned() } else { body })
    }

    /// One node. `class` is the class that its neighbours force on it.
    fn node(&mut self, node: &Node, class: Option<spacing::Class>) -> Written {
        match node {
            Node::MathOrd(_) | Node::TextOrd(_) | Node::Atom(_) => self.symbol(node, class),
            Node::OrdGroup(it) => self.group(&it.body, it.semisimple == Some(true)),
            Node::SupSub(it) => self.scripts(it),
            Node::Genfrac(it) => self.fraction(it),
            Node::LeftRight(it) => {
                let body = self.list(&it.body)?;
                delimiters::pair(&it.left, &it.right, &body)
            }
            Node::Middle(it) => delimiters::middle(&it.delim),
            Node::Delimsizing(it) => delimiters::sized(it),
            Node::Sqrt(it) => {
                let body = self.argument(&it.body)?;
                Ok(match self.optional(it.index.as_ref(), Level::ScriptScript)? {
                    None => format!("sqrt({body})"),
                    Some(index) => format!("root({index},{body})"),
                })
            }
            Node::Op(it) => self.operator(it),
            Node::OperatorName(it) => self.operator_name(it),
            Node::Text(it) => self.text_node(it),
            Node::Styling(it) => {
                let level = Level::of(it.style.size);
                let body = self.at(level, |writer| writer.list(&it.body))?;
                Ok(if body.is_empty() { body } else { format!("{}({body})", level.function()) })
            }
            Node::Font(it) => {
                let body = self.argument(&it.body)?;
                symbols::font(&it.font, &body)
            }
            Node::Accent(it) => self.accent(it),
            Node::AccentUnder(it) => self.accent_under(it),
            Node::Overline(it) => Ok(format!("overline({})", self.argument(&it.body)?)),
            Node::Underline(it) => Ok(format!("underline({})", self.argument(&it.body)?)),
            Node::HorizBrace(it) => self.brace(it, None),
            Node::XArrow(it) => self.arrow(it),
            Node::Array(it) => self.array(it),
            Node::Mclass(it) => {
                let body = self.full(&it.body)?;
                let class = class.unwrap_or(spacing::Class::of(it.mclass));
                Ok(format!("class(\"{}\",{body})", class.name()))
            }
            Node::MathChoice(it) => {
                let list = self.choice(it).to_vec();
                self.list(&list)
            }
            Node::HtmlMathMl(it) => self.list(&it.mathml),
            Node::Spacing(_) | Node::Kern(_) | Node::Internal(_) => {
                self.list(std::slice::from_ref(node))
            }
            other => self.boxed(other),
        }
    }

    /// A pair of braces. It is one ordinary atom, whatever is in it.
    fn group(&mut self, body: &Tree, open: bool) -> Written {
        let written = self.full(body)?;
        if open || body.is_empty() {
            return Ok(written);
        }
        let plain = matches!(self.ends(body), Some((spacing::Class::Ord, spacing::Class::Ord)));
        Ok(if plain { written } else { format!("class(\"normal\",{written})") })
    }

    fn fraction(&mut self, it: &ParseNodeGenfrac) -> Written {
        let forced = it.size.map(|it| Level::of(it.size));
        let inner = forced.unwrap_or(self.level).smaller();
        let over = self.at(inner, |writer| writer.argument(&it.numer))?;
        let under = self.at(inner, |writer| writer.argument(&it.denom))?;
        let thickness = it.bar_size.as_ref().map(|it| spacing::em(it, Level::Text));
        let body = match thickness {
            _ if !it.has_bar_line => stack(&over, &under, inner),
            Some(0.0) => stack(&over, &under, inner),
            Some(_) | None => format!("frac({over},{under})"),
        };
        let body = match (&it.left_delim, &it.right_delim) {
            (None, None) => body,
            (left, right) => {
                let name = |it: &Option<String>| it.clone().unwrap_or_else(|| ".".into());
                delimiters::pair(&name(left), &name(right), &body)?
            }
        };
        Ok(match forced {
            Some(level) => format!("{}({body})", level.function()),
            None => body,
        })
    }

    fn scripts(&mut self, it: &ParseNodeSupSub) -> Written {
        let level = self.level.script();
        if let Some(Node::HorizBrace(brace)) = it.base.as_deref() {
            let (note, other, side) = match brace.is_over {
                true => (&it.sup, &it.sub, "b"),
                false => (&it.sub, &it.sup, "t"),
            };
            let note = self.optional(note.as_deref(), level)?;
            let body = self.brace(brace, note)?;
            return Ok(match self.optional(other.as_deref(), level)? {
                None => body,
                Some(other) => format!("attach(limits({body}),{side}:{other})"),
            });
        }
        let (base, limits) = match it.base.as_deref() {
            None => (NOTHING.to_owned(), None),
            Some(base) => (self.scripted(base)?, operators::limits(base)),
        };
        let sup = it.sup.as_deref().map(|it| self.superscript(it, level)).transpose()?;
        let sub = self.optional(it.sub.as_deref(), level)?;
        let (base, above, below) = match limits {
            Some(inline) => (format!("limits({base},inline:#{inline})"), "t", "b"),
            None => (base, "tr", "br"),
        };
        let mut out = format!("attach({base}");
        for (side, script) in [(above, sup), (below, sub)] {
            if let Some(script) = script {
                out += &format!(",{side}:{script}");
            }
        }
        Ok(out + ")")
    }

    /// What scripts are attached to.
    fn scripted(&mut self, base: &Node) -> Written {
        let body = self.node(base, None)?;
        Ok(if body.is_empty() { NOTHING.to_owned() } else { body })
    }

    /// A superscript; primes at its start are Typst's primes.
    fn superscript(&mut self, node: &Node, level: Level) -> Written {
        let is_prime = |it: &Node| it.text() == Some("\\prime");
        let list = match node {
            Node::OrdGroup(group) => &group.body[..],
            node => std::slice::from_ref(node),
        };
        let primes = list.iter().take_while(|it| is_prime(it)).count();
        if primes == 0 {
            return self.at(level, |writer| writer.argument(node));
        }
        let rest = self.at(level, |writer| writer.list(&list[primes..]))?;
        Ok(format!("primes(#{primes}){rest}"))
    }
}

/// One thing over another, without a line between.
fn stack(over: &str, under: &str, level: Level) -> String {
    let size = level.function();
    format!("mat(delim:#none,row-gap:#0.15em,{size}({over});{size}({under}))")
}

/// Whether `node` is text and not mathematics.
fn is_text(node: &Node) -> bool {
    node.mode() == Mode::Text
}

/// A colour given by its digits.
fn quoted_color(digits: &str) -> String {
    format!("rgb({})", symbols::quoted(digits))
}
