//! The formulas of the corpus, and what they need.

use reckoner::math::{Engine, Formula, Macros, Style};
use reckoner::source::Span;

const CORPUS: &str = include_str!("../data/maths-corpus.jsonl");

/// Macros for the formulas of the corpus that are written for a book which has them.
pub(crate) const MACROS: &[(&str, &str)] = &[
    ("\\Attn", "\\operatorname{Attention}"),
    ("\\E", "\\mathbb{E}"),
    ("\\KL", "D_{\\mathrm{KL}}\\left(#1\\,\\|\\,#2\\right)"),
    ("\\Loss", "\\mathcal{L}"),
    ("\\RR", "\\mathbb{R}"),
    ("\\T", "\\top"),
    ("\\Vocab", "\\mathcal{V}"),
    ("\\argmax", "\\operatorname*{arg\\,max}"),
    ("\\bigO", "\\mathcal{O}"),
    ("\\bracket", "\\left[#1\\right]"),
    ("\\dk", "d_k"),
    ("\\dmodel", "d_{\\text{model}}"),
    ("\\given", "\\mid"),
    ("\\inner", "\\left\\langle#1,#2\\right\\rangle"),
    ("\\norm", "\\left\\lVert#1\\right\\rVert"),
    ("\\paren", "\\left(#1\\right)"),
    ("\\pdv", "\\frac{\\partial#1}{\\partial#2}"),
    ("\\softmax", "\\operatorname{softmax}"),
    ("\\vect", "\\mathbf{#1}"),
];

pub(crate) fn macros(list: &[(&str, &str)]) -> Macros {
    Macros(list.iter().map(|(name, body)| (name.to_string(), (*body).into())).collect())
}

pub(crate) fn engine() -> Engine {
    let (engine, faults) = Engine::new(&macros(MACROS));
    assert_eq!(faults, []);
    engine
}

pub(crate) fn formula(tex: &str, style: Style) -> Formula {
    Formula { tex: tex.to_owned(), style, span: Span::NONE }
}

/// The formulas of the corpus, each with its name.
pub(crate) fn corpus() -> Vec<(String, Formula)> {
    let line = |line: &str| {
        let it: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let display = it["display"].as_bool().expect("a style");
        let style = if display { Style::Display } else { Style::Inline };
        let text = |key: &str| it[key].as_str().expect("a text").to_owned();
        (text("id"), formula(&text("tex"), style))
    };
    CORPUS.lines().map(line).collect()
}

/// Formulas that the corpus lacks, of constructs that are hard to typeset.
pub(crate) fn hard() -> Vec<(String, Formula)> {
    let list = [
        r"\begin{CD}A@>f>>B@<<g<C\\@VhVV@|@AAkA\\D@=E@.F\end{CD}",
        r"\phase{-78^\circ}+\angl{n}",
        r"\textcolor{rebeccapurple}{x}+\textcolor{#abc}{y}+\colorbox{mistyrose}{$z$}",
        r"\begin{array}{||c:c|}\hline\hline a&\frac12\\\hdashline c&d\\\hline\end{array}",
        r"\begin{array}{l|r}a&b\\\hline c&d\end{array}",
        r"\left\{\frac{a}{b}\middle|\frac{c}{d}\middle\|e\right\rangle",
        r"\begin{align}a&=b\tag{A}\\c&=d\tag*{B}\end{align}",
        r"\begin{gather}a\tag{$x^2$}\\b\end{gather}",
        r"\overset{!}{=}\underset{n\to\infty}{\longrightarrow}\stackrel{?}{<}",
        r"\href{https://example.org/a\%20b}{x}^2+\url{https://example.org}",
        r#"\verb|a_b{c|+\text{\'e\"o\^u\~n}+\text{a--b---c ``d''}"#,
        r"\rule[1em]{1em}{2pt}+\raisebox{-1ex}{\text{low}}+\rlap{\text{a}}\llap{\text{b}}",
        r"\mathllap{\sum}\smash[b]{y}\vphantom{\frac ab}\hphantom{x}",
        r"\Huge a\tiny b\pmb{c}\boldsymbol{\nabla}",
        r"\utilde{AB}+\underleftrightarrow{CD}+\Overrightarrow{EF}+\overleftharpoon{GH}",
        r"\xtwoheadrightarrow{a}\xhookleftarrow[b]{c}\xtofrom{d}\xleftharpoondown{e}",
        r"\not\in\not\subset\not=\not<\nVdash\varsubsetneqq\ngeqslant",
        r"\oiint\oiiint\iiint\intop\smallint\bigsqcup",
        r"\left\lmoustache x\right\rmoustache\left\lgroup x\right\rgroup\Bigg\Updownarrow",
        r"\mathbb{AZaz09}\mathcal{AZ}\mathscr{AZ}\mathfrak{AZaz}\mathtt{AZaz09}",
        r"\mathsf{AZaz09\Gamma}\mathsfit{ab}\mathbf{\Gamma1}\bm{\alpha}",
        r"\sum\nolimits_a^b\int\limits_a^b\operatorname*{X}_a\operatorname{Y}\nolimits_b",
        r"\begin{pmatrix}\end{pmatrix}\begin{cases}\end{cases}",
        r"\begin{smallmatrix}a&b\end{smallmatrix}\substack{a\\b}",
        r"\begin{alignedat}{2}a&=b&c&=d\end{alignedat}\begin{split}a&=b\end{split}",
        r"\htmlClass{term}{Q}\htmlId{q}{K}\mathchoice{D}{T}{S}{X}_{\mathchoice{D}{T}{S}{X}}",
        r"f''''_a{}^{\prime\prime}+{}^{*}x'^2_3+\dddot x\ddddot y",
        r"{a\above1pt b}+{a\brack b}+{a\brace b}",
        r"\yen\circledR\maltese\checkmark\eth\digamma\Finv\beth\gimel\daleth",
        r"\KaTeX\LaTeX\TeX\minuso\plim_n",
    ];
    let one = |(index, tex): (usize, &str)| (format!("h{index}"), formula(tex, Style::Display));
    list.into_iter().enumerate().map(one).collect()
}

/// Characters and commands that do something.
pub(crate) const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\\",
    "&",
    "#",
    "%",
    "^",
    "_",
    "~",
    "$",
    "'",
    "|",
    "(",
    ")",
    " ",
    "\n",
    "a",
    "1",
    "é",
    "∑",
    "𝐱",
    "<",
    "\"",
    "\\\\",
    "\\{",
    "\\frac",
    "\\sqrt",
    "\\left(",
    "\\right)",
    "\\right.",
    "\\middle|",
    "\\begin{aligned}",
    "\\end{aligned}",
    "\\begin{array}{c|c}",
    "\\end{array}",
    "\\begin{CD}",
    "\\end{CD}",
    "@>>>",
    "@VVV",
    "\\hline",
    "\\text{",
    "\\def\\a",
    "\\a",
    "#1",
    "\\let",
    "\\newcommand",
    "\\tag{",
    "\\href{",
    "\\url{",
    "\\val{",
    "\\ref{",
    "\\verb|",
    "\\limits",
    "\\over",
    "\\color{red}",
    "\\displaystyle",
    "\\rm",
    "\\not",
    "\\kern1em",
    "\\rule{1em}",
    "\\char",
    "\\sum",
    "\\operatorname{",
    "\\underbrace{",
    "\\xrightarrow{",
    "\\hat",
    "\\mathbb",
    "\\norm",
    "\\mathchoice",
    "\\genfrac",
    "\\smash",
    "\\rlap{",
    "\\htmlId{",
    "\\big",
    "\\binom",
];
