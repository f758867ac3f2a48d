//! KaTeX's own script as the measure of our HTML: both are parsed and compared as trees.

use std::collections::{BTreeMap, BTreeSet};

use reckoner::math::{Engine, Facts, Formula, Macros, Style};
use rquickjs::{CatchResultExt, Context, Function, Runtime};
use scraper::{ElementRef, Html, Node};

const KATEX: &str = include_str!("katex.min.js");

/// What we give KaTeX to make it do as we do: what is trusted, and our macros.
const SETUP: &str = r#"
globalThis.render = (tex, display, macros) => {
    const trust = (it) => it.command === "\\href" || it.command === "\\url"
        ? ["http", "https", "mailto"].includes(it.protocol)
        : ["\\htmlId", "\\htmlClass"].includes(it.command);
    const own = {
        "\\mbox": "\\text{#1}", "\\mspace": "\\mskip#1", "⊤": "\\top",
        "\\@operator": "\\gdef#1{\\operatorname{#2}}",
        "\\@operatorstar": "\\gdef#1{\\operatorname*{#2}}",
        "\\DeclareMathOperator": "\\@ifstar\\@operatorstar\\@operator",
    };
    return katex.renderToString(tex, {
        displayMode: display, trust, strict: "ignore", macros: {...own, ...JSON.parse(macros)},
    });
};
"#;

/// Differences that no reader can see, each by what is done to both trees to make them equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// A span around a single span, one of which adds no class, is one span: the radicand of
    /// `\\sqrt2`, which KaTeX pads itself and we by a group, and small delimiters.
    Nested,
    /// The class that aligns arrows to the left, which fill their whole line anyway.
    Aligned,
    /// The class of small type on what has no text of its own.
    Small,
    /// The drawing of a root as tall as it needs to be, which ours draws two hundredths larger.
    Root,
    /// The parts of a formula between wide spaces, where ours may break and KaTeX's may not.
    Parted,
    /// Where the MathML of a formula lies, which is not seen.
    Laid,
}

impl Rule {
    /// All of them.
    pub(crate) const ALL: &[Self] =
        &[Self::Nested, Self::Aligned, Self::Small, Self::Root, Self::Parted, Self::Laid];
}

/// KaTeX, ready to run.
pub(crate) struct Oracle {
    context: Context,
    macros: Macros,
}

impl Oracle {
    /// KaTeX with the macros of a book.
    pub(crate) fn new(macros: &Macros) -> Self {
        let runtime = Runtime::new().expect("a JavaScript runtime");
        runtime.set_max_stack_size(1 << 20);
        let context = Context::full(&runtime).expect("a JavaScript context");
        context.with(|it| {
            it.eval::<(), _>(KATEX).catch(&it).expect("KaTeX runs");
            it.eval::<(), _>(SETUP).catch(&it).expect("the setup runs");
        });
        Self { context, macros: macros.clone() }
    }

    /// KaTeX's HTML, or its message.
    pub(crate) fn html(&self, tex: &str, style: Style) -> Result<String, String> {
        let macros = self.macros.0.iter().map(|(name, it)| (name, &it.body));
        let macros: BTreeMap<_, _> = macros.collect();
        let macros = serde_json::to_string(&macros).expect("names and texts");
        self.context.with(|it| {
            let render: Function = it.globals().get("render").expect("the setup ran");
            let arguments = (tex, style == Style::Display, macros);
            render.call(arguments).catch(&it).map_err(|it| it.to_string())
        })
    }

    /// How our HTML of `formula` differs from KaTeX's, if it does.
    pub(crate) fn difference(
        &self,
        engine: &Engine,
        formula: &Formula,
        rules: &[Rule],
    ) -> Option<String> {
        let ours = engine.render(formula, &Facts::default());
        let theirs = self.html(formula.tex.trim(), formula.style);
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => {
                let ours = tree(ours.html.as_str(), &ours.styles, rules);
                different(&ours, &tree(&theirs, &BTreeMap::new(), rules))
            }
            (Err(_), Err(_)) => None,
            (Ok(_), Err(message)) => Some(format!("only KaTeX refuses: {message}")),
            (Err(faults), Ok(_)) => Some(format!("only we refuse: {faults:?}")),
        }
    }
}

/// An element or a text, with all that does not matter taken away.
#[derive(Debug, PartialEq)]
enum Tree {
    Text(String),
    Element {
        name: String,
        attributes: BTreeMap<String, String>,
        classes: BTreeSet<String>,
        style: BTreeMap<String, String>,
        children: Vec<Tree>,
    },
}

fn tree(html: &str, styles: &BTreeMap<String, String>, rules: &[Rule]) -> Vec<Tree> {
    let mut tree = children(Html::parse_fragment(html).root_element(), styles);
    for node in &mut tree {
        rules.iter().for_each(|rule| apply(*rule, node));
    }
    tree
}

fn apply(rule: Rule, node: &mut Tree) {
    let Tree::Element { name, attributes, classes, children, style } = node else { return };
    for child in children.iter_mut() {
        apply(rule, child);
    }
    match rule {
        Rule::Aligned => {
            classes.remove("svg-align");
        }
        Rule::Small => {
            if !children.iter().any(|it| matches!(it, Tree::Text(_))) {
                classes.remove("mtight");
            }
        }
        Rule::Root => {
            let tall = |it: &Tree| match it {
                Tree::Element { attributes, .. } => {
                    attributes.get("d").is_some_and(|it| it.starts_with("M702 80H4"))
                }
                Tree::Text(_) => false,
            };
            if children.iter().any(tall) {
                attributes.remove("viewBox");
                children.clear();
            }
        }
        Rule::Parted if classes.contains("katex-html") => *children = joined(children),
        Rule::Parted => {}
        Rule::Laid if classes.contains("katex-mathml") => style.clear(),
        Rule::Laid => {}
        Rule::Nested => {
            if let [Tree::Element { name: inner, attributes: a, classes: c, style: s, .. }] =
                &children[..]
                && name == "span"
                && inner == "span"
                && a.is_empty()
                && attributes.is_empty()
                && s.iter().all(|(key, _)| !style.contains_key(key))
                && (c.is_subset(classes) || classes.is_subset(c))
                && !(c.is_empty() || classes.is_empty())
            {
                let Some(Tree::Element { classes: c, style: s, children: inner, .. }) =
                    children.pop()
                else {
                    return;
                };
                classes.extend(c);
                style.extend(s);
                *children = inner;
            }
        }
    }
}

/// The boxes of a formula without segments, and without parts of boxes.
fn joined(nodes: &mut Vec<Tree>) -> Vec<Tree> {
    let is = |node: &Tree, class: &str| match node {
        Tree::Element { classes, .. } => classes.contains(class),
        Tree::Text(_) => false,
    };
    let inside = |node: Tree| match node {
        Tree::Element { children, .. } => children,
        Tree::Text(_) => Vec::new(),
    };
    let flat =
        std::mem::take(nodes).into_iter().flat_map(|node| match is(&node, "katex-segment") {
            true => inside(node),
            false => vec![node],
        });
    let mut out: Vec<Tree> = Vec::new();
    for node in flat {
        let more = match () {
            () if is(&node, "katex-part") => inside(node).split_off(1),
            () if is(&node, "mspace") => vec![node],
            () => {
                out.push(node);
                continue;
            }
        };
        match out.last_mut() {
            Some(Tree::Element { children, .. }) => {
                children.extend(more);
                order_spaces(children);
            }
            Some(Tree::Text(_)) | None => out.extend(more),
        }
    }
    out
}

fn children(element: ElementRef, styles: &BTreeMap<String, String>) -> Vec<Tree> {
    let mut out: Vec<Tree> = Vec::new();
    for child in element.children() {
        match child.value() {
            Node::Text(text) => match out.last_mut() {
                Some(Tree::Text(before)) => before.push_str(text),
                _ => out.push(Tree::Text(text.to_string())),
            },
            Node::Element(_) => {
                let child = ElementRef::wrap(child).expect("an element");
                out.push(self::element(child, styles));
            }
            _ => {}
        }
    }
    order_spaces(&mut out);
    out
}

/// Spaces side by side add up in any order.
fn order_spaces(out: &mut [Tree]) {
    let is_space = |it: &Tree| match it {
        Tree::Element { name, classes, .. } => name == "mspace" || classes.contains("mspace"),
        Tree::Text(_) => false,
    };
    for run in out.chunk_by_mut(|a, b| is_space(a) && is_space(b)) {
        run.sort_by_cached_key(|it| format!("{it:?}"));
    }
}

fn element(it: ElementRef, styles: &BTreeMap<String, String>) -> Tree {
    let mut declarations = it.attr("style").unwrap_or_default().to_owned();
    let mut classes = BTreeSet::new();
    for class in it.value().classes() {
        match styles.get(class) {
            Some(meaning) => declarations.push_str(meaning),
            None => {
                classes.insert(class.to_owned());
            }
        }
    }
    let style = declarations.split(';').filter_map(|it| it.split_once(':'));
    let style =
        style.map(|(name, value)| (name.trim().to_owned(), rounded(value.trim()))).collect();
    let attributes = it.value().attrs().filter(|it| !matches!(it.0, "class" | "style"));
    let spaced = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
    let attributes =
        attributes.map(|(name, value)| (name.to_owned(), rounded(&spaced(value)))).collect();
    let name = it.value().name().to_owned();
    Tree::Element { name, attributes, classes, style, children: children(it, styles) }
}

/// `text` with each number of it rounded to three places.
fn rounded(text: &str) -> String {
    let mut out = String::new();
    let mut number = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_digit() || c == '.' || c == '-' && number.is_empty() {
            number.push(c);
            continue;
        }
        match number.parse::<f64>() {
            Ok(value) => {
                let scale = if value.abs() < 100.0 { 1e3 } else { 1.0 };
                let value = (value * scale).round() / scale;
                out += &(if value == 0.0 { 0.0 } else { value }).to_string();
            }
            Err(_) => out += &number,
        }
        number.clear();
        if c == '-' {
            number.push(c);
        } else if c != '\0' {
            out.push(c);
        }
    }
    out
}

/// The first difference, with the way to it.
fn different(ours: &[Tree], theirs: &[Tree]) -> Option<String> {
    if let Some((a, b)) = ours.iter().zip(theirs).find(|(a, b)| a != b) {
        if let (
            Tree::Element { name, attributes, classes, style, children },
            Tree::Element {
                name: their_name,
                attributes: their_attributes,
                classes: their_classes,
                style: their_style,
                children: their_children,
            },
        ) = (a, b)
            && (name, attributes, classes, style)
                == (their_name, their_attributes, their_classes, their_style)
        {
            let inner = different(children, their_children)?;
            return Some(format!("{name}{classes:?} > {inner}"));
        }
        return Some(format!("ours {}, KaTeX's {}", short(a), short(b)));
    }
    let (a, b) = (ours.len(), theirs.len());
    (a != b).then(|| format!("we have {a} children, KaTeX has {b}"))
}

fn short(tree: &Tree) -> String {
    format!("{tree:?}").chars().take(300).collect()
}
