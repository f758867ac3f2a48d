//! Classes of atoms, and the space between them where Typst's differs from TeX's.

use katex::build_html::DomType;
use katex::parser::parse_node::{AnyParseNode as Node, ParseNodeMathChoice};
use katex::spacing_data::MeasurementOwned;
use katex::symbols::Atom;

use super::super::Tree;
use super::{Level, Writer, Written, is_text, symbols, unsupported};

/// TeX's classes of atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Ord,
    Op,
    Bin,
    Rel,
    Open,
    Close,
    Punct,
    Inner,
}

impl Class {
    pub(super) fn of(kind: DomType) -> Self {
        match kind {
            DomType::Mord => Self::Ord,
            DomType::Mop => Self::Op,
            DomType::Mbin => Self::Bin,
            DomType::Mrel => Self::Rel,
            DomType::Mopen => Self::Open,
            DomType::Mclose => Self::Close,
            DomType::Mpunct => Self::Punct,
            DomType::Minner => Self::Inner,
        }
    }

    pub(super) fn of_atom(kind: Atom) -> Self {
        match kind {
            Atom::Bin => Self::Bin,
            Atom::Close => Self::Close,
            Atom::Inner => Self::Inner,
            Atom::Open => Self::Open,
            Atom::Punct => Self::Punct,
            Atom::Rel => Self::Rel,
        }
    }

    /// Typst's name for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ord | Self::Inner => "normal",
            Self::Op => "large",
            Self::Bin => "binary",
            Self::Rel => "relation",
            Self::Open => "opening",
            Self::Close => "closing",
            Self::Punct => "punctuation",
        }
    }
}

/// A length in em of the present size.
pub(super) fn em(length: &MeasurementOwned, level: Level) -> f64 {
    let (factor, absolute) = match length.unit.as_str() {
        "em" => (1.0, false),
        "ex" => (0.431, false),
        "mu" => (1.0 / 18.0, false),
        "pt" => (0.1, true),
        "bp" => (0.100_4, true),
        "mm" => (0.284_5, true),
        "cm" => (2.845, true),
        "in" => (7.227, true),
        "pc" => (1.2, true),
        "px" => (0.075_3, true),
        "dd" => (0.107, true),
        "cc" => (1.284, true),
        "nd" => (0.106_7, true),
        "nc" => (1.280_4, true),
        _ => (0.000_001_5, true),
    };
    let scale = match (absolute, level) {
        (false, _) | (true, Level::Display | Level::Text) => 1.0,
        (true, Level::Script) => 1.0 / 0.7,
        (true, Level::ScriptScript) => 2.0,
    };
    length.number * factor * scale
}

/// A horizontal space.
pub(super) fn space(width: f64) -> String {
    if width.abs() < 1e-9 { String::new() } else { format!("#h({width:.4}em)") }
}

/// TeX's space between two atoms, in em.
fn between(left: Class, right: Class, level: Level) -> f64 {
    use Class::{Bin, Close, Inner, Op, Open, Ord, Punct, Rel};
    let (thin, medium, thick) = (3.0 / 18.0, 4.0 / 18.0, 5.0 / 18.0);
    let (width, always) = match (left, right) {
        (Ord | Op | Close, Op) | (Op, Ord) => (thin, true),
        (Inner, Op) => (thin, true),
        (Op, Inner) => (thin, false),
        (Ord | Close | Inner, Bin) | (Bin, Ord | Op | Open | Inner) => (medium, false),
        (Ord | Op | Close | Inner, Rel) | (Rel, Ord | Op | Open | Inner) => (thick, false),
        (Ord | Close, Inner) | (Inner, Ord | Open | Punct | Inner) => (thin, false),
        (Punct, Bin) => (0.0, false),
        (Punct, _) => (thin, false),
        _ => (0.0, false),
    };
    if level >= Level::Script && !always { 0.0 } else { width }
}

/// What has been written of a list, and what the next atom must know.
#[derive(Default)]
struct Row {
    out: String,
    /// The class of the atom before, after its change.
    left: Option<Class>,
    /// Explicit space since that atom.
    kern: Option<f64>,
    /// Whether `\not` stands before.
    not: bool,
}

impl Row {
    fn kern(&mut self, width: f64) {
        if width != 0.0 || self.kern.is_some() {
            self.kern = Some(self.kern.unwrap_or(0.0) + width);
        }
    }

    /// The space before an atom of class `right`.
    fn gap(&mut self, right: Class, level: Level) {
        let own = self.left.map_or(0.0, |left| between(left, right, level));
        if let Some(kern) = self.kern.take() {
            // Typst drops its own space beside an explicit one.
            self.out += &format!("#h({:.4}em)", kern + own);
            return;
        }
        let Some(left) = self.left else { return };
        let inner = left == Class::Inner || right == Class::Inner;
        let typst_does = matches!(left, Class::Bin | Class::Rel | Class::Punct)
            || matches!(right, Class::Bin | Class::Rel);
        if inner && !typst_does {
            self.out += &space(own);
        }
    }
}

impl Writer {
    /// A list of nodes, with TeX's spacing between them.
    pub(super) fn list(&mut self, tree: &Tree) -> Written {
        if let Some(flat) = self.chosen(tree) {
            return self.list(&flat);
        }
        let breaks = std::mem::take(&mut self.breaks);
        let mut row = Row::default();
        for (index, node) in tree.iter().enumerate() {
            if is_not(node) {
                row.not = true;
            } else if let Some(width) = self.width(node) {
                row.kern(width);
            } else if let Some(ends) = self.ends(std::slice::from_ref(node)) {
                let held = breaks && self.holds(tree, index, ends);
                self.atom(&mut row, node, ends, (&tree[index + 1..], held))?;
            } else {
                if let Some(kern) = row.kern.take() {
                    row.out += &space(kern);
                }
                row.out += &self.node(node, None)?;
            }
        }
        if row.not {
            return unsupported("\\not");
        }
        if let Some(kern) = row.kern {
            row.out += &space(kern);
        }
        Ok(row.out)
    }

    fn atom(
        &mut self,
        row: &mut Row,
        node: &Node,
        (mut left, mut right): (Class, Class),
        (rest, held): (&Tree, bool),
    ) -> Result<(), super::Unsupported> {
        let mut forced = None;
        if left == Class::Bin {
            let next = self.end(rest, End::Left);
            let first = matches!(
                row.left,
                None | Some(Class::Bin | Class::Op | Class::Rel | Class::Open | Class::Punct)
            );
            let last = matches!(next, None | Some(Class::Rel | Class::Close | Class::Punct));
            if first || last {
                (left, right, forced) = (Class::Ord, Class::Ord, Some(Class::Ord));
            } else if row.kern.is_some() {
                forced = Some(Class::Bin);
            }
        }
        let held = held && forced != Some(Class::Ord) && !row.not;
        if held {
            // Typst breaks a line after what has the class of an operator or a relation, so this has
            // neither, and the space on both sides is written out.
            row.kern = Some(row.kern.unwrap_or(0.0));
            forced = matches!(node, Node::Atom(_)).then_some(Class::Ord);
        }
        row.gap(left, self.level);
        let written = match std::mem::take(&mut row.not) {
            true => symbols::negated(node)?,
            false => self.node(node, forced)?,
        };
        let classed = !held || written.starts_with("class(\"normal\",");
        row.out += &if classed { written } else { format!("class(\"normal\",{written})") };
        row.left = Some(right);
        row.kern = held.then_some(0.0);
        Ok(())
    }

    /// Whether a line must not be broken after the operator or relation at `index` of a formula in
    /// running text: it may be after a relation, and in a long formula after a plus or minus, but not
    /// within parentheses, nor where a single atom is all that is left.
    fn holds(&self, tree: &Tree, index: usize, ends: (Class, Class)) -> bool {
        /// A sum may be broken if so many atoms are on both sides.
        const LONG: usize = 5;
        let sum = matches!(&tree[index], Node::Atom(it) if matches!(&*it.text, "+" | "-"));
        let class = match ends {
            (Class::Rel, _) | (_, Class::Rel) => Class::Rel,
            (Class::Bin, _) | (_, Class::Bin) => Class::Bin,
            _ => return false,
        };
        let mut depth = 0_i32;
        for node in &tree[..index] {
            match self.class(node, End::Left) {
                Some(Class::Open) => depth += 1,
                Some(Class::Close) => depth -= 1,
                _ => {}
            }
        }
        let atoms = |part: &Tree| {
            let punct = |it: &Class| !matches!(it, Class::Punct);
            part.iter().filter_map(|it| self.class(it, End::Left)).filter(punct).count()
        };
        let (before, after) = (atoms(&tree[..index]), atoms(&tree[index + 1..]));
        let free = match class {
            Class::Rel => after > 1,
            _ => sum && before >= LONG && after >= LONG,
        };
        depth > 0 || !free
    }

    /// The list with `\mathchoice` decided, if it has any.
    fn chosen(&self, tree: &Tree) -> Option<Vec<Node>> {
        if !tree.iter().any(|it| matches!(it, Node::MathChoice(_))) {
            return None;
        }
        let mut flat = Vec::new();
        for node in tree {
            match node {
                Node::MathChoice(it) => {
                    for node in self.choice(it) {
                        match node {
                            Node::OrdGroup(group) => flat.extend(group.body.iter().cloned()),
                            node => flat.push(node.clone()),
                        }
                    }
                }
                node => flat.push(node.clone()),
            }
        }
        Some(flat)
    }

    pub(super) fn choice<'a>(&self, it: &'a ParseNodeMathChoice) -> &'a Tree {
        match self.level {
            Level::Display => &it.display,
            Level::Text => &it.text,
            Level::Script => &it.script,
            Level::ScriptScript => &it.scriptscript,
        }
    }

    /// The width of a node that is nothing but space.
    fn width(&self, node: &Node) -> Option<f64> {
        match node {
            Node::Kern(it) => Some(em(&it.dimension, self.level)),
            Node::Spacing(it) if !is_text(node) => Some(match &*it.text {
                "\\nobreak" | "\\allowbreak" | "" => 0.0,
                _ => 0.333,
            }),
            Node::Internal(_) => Some(0.0),
            _ => None,
        }
    }

    /// The classes at both ends of a list.
    pub(super) fn ends(&self, tree: &Tree) -> Option<(Class, Class)> {
        Some((self.end(tree, End::Left)?, self.end(tree, End::Right)?))
    }

    fn end(&self, tree: &Tree, end: End) -> Option<Class> {
        match end {
            End::Left => tree.iter().find_map(|it| self.class(it, end)),
            End::Right => tree.iter().rev().find_map(|it| self.class(it, end)),
        }
    }

    /// The class at one end of a node; `None` for what is no atom.
    fn class(&self, node: &Node, end: End) -> Option<Class> {
        Some(match node {
            Node::Atom(it) => Class::of_atom(it.family),
            Node::Op(_) | Node::OperatorName(_) => Class::Op,
            Node::SupSub(it) => match it.base.as_deref() {
                Some(Node::HorizBrace(_)) => Class::Inner,
                Some(base) => self.class(base, end).unwrap_or(Class::Ord),
                None => Class::Ord,
            },
            Node::OrdGroup(it) if it.semisimple == Some(true) => return self.end(&it.body, end),
            Node::LeftRight(_) | Node::Middle(_) => Class::Inner,
            Node::Mclass(it) => Class::of(it.mclass),
            Node::Pmb(it) => Class::of(it.mclass),
            Node::Delimsizing(it) => Class::of(it.mclass),
            Node::Color(it) => return self.end(&it.body, end),
            Node::Styling(it) => return self.end(&it.body, end),
            Node::Sizing(it) => return self.end(&it.body, end),
            Node::Html(it) => return self.end(&it.body, end),
            Node::Href(it) => return self.end(&it.body, end),
            Node::HtmlMathMl(it) => return self.end(&it.mathml, end),
            Node::Phantom(it) => return self.end(&it.body, end),
            Node::MathChoice(it) => return self.end(self.choice(it), end),
            Node::Font(it) => match &*it.body {
                Node::Atom(_) | Node::Op(_) => return self.class(&it.body, end),
                _ => Class::Ord,
            },
            Node::XArrow(_) => Class::Rel,
            Node::Kern(_)
            | Node::Spacing(_)
            | Node::Internal(_)
            | Node::Cr(_)
            | Node::Rule(_)
            | Node::Raw(_)
            | Node::Size(_)
            | Node::ColorToken(_)
            | Node::Infix(_) => return None,
            _ => Class::Ord,
        })
    }
}

/// An end of a node or list.
#[derive(Clone, Copy)]
enum End {
    Left,
    Right,
}

/// Whether this is `\not`, which the engine gives as a combining stroke.
pub(in super::super) fn is_not(node: &Node) -> bool {
    match node {
        Node::HtmlMathMl(it) => {
            matches!(&it.mathml[..], [Node::TextOrd(it)] if &*it.text == "\u{338}")
        }
        _ => false,
    }
}
