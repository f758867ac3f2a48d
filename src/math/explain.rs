//! The codes of mistakes in formulas, each with the text that `reckoner explain` prints.

use crate::diag::{Code, Explained};

pub(super) const ARGUMENT: Code = Code("math-argument");
pub(super) const COMMAND: Code = Code("math-command");
pub(super) const DELIMITER: Code = Code("math-delimiter");
pub(super) const DEPTH: Code = Code("math-depth");
pub(super) const ENVIRONMENT: Code = Code("math-environment");
pub(super) const LENGTH: Code = Code("math-length");
pub(super) const LINE: Code = Code("math-line");
pub(super) const LOOP: Code = Code("math-loop");
pub(super) const MACRO: Code = Code("math-macro");
pub(super) const MODE: Code = Code("math-mode");
pub(super) const SCRIPT: Code = Code("math-script");
pub(super) const STRICT: Code = Code("math-strict");
pub(super) const SYNTAX: Code = Code("math-syntax");
pub(super) const TRUST: Code = Code("math-trust");
pub(super) const UNSUPPORTED: Code = Code("math-unsupported");

/// Every code, sorted.
pub(super) const CODES: &[Explained] = &[
    Explained {
        code: ARGUMENT,
        text: "A command did not get what it takes.\n\n`\\frac{a}` has a numerator but no \
            denominator; `x^` has nothing to raise; `\\hspace{2}` has a number but no unit.\n\n\
            Give the missing part, in braces if it is longer than one character: \
            `\\frac{a}{b}`, `x^{n+1}`, `\\hspace{2em}`.",
    },
    Explained {
        code: COMMAND,
        text: "A command is not known.\n\n`\\sofmax(z)` is a slip; `\\norm{x}` is a macro that \
            this book does not define; `\\usepackage` is not mathematics.\n\nCorrect the name, or \
            define the macro for the whole book by a line of `macros.tex`: \
            `\\newcommand{\\norm}[1]{\\left\\lVert #1\\right\\rVert}`.",
    },
    Explained {
        code: DELIMITER,
        text: "A delimiter cannot stand here, or its partner is missing.\n\n`\\left(` needs a \
            `\\right` in the same group and the same cell of a table; `\\left a` asks for a \
            letter that grows.\n\nUse `\\right.` for an invisible partner.",
    },
    Explained {
        code: DEPTH,
        text: "A formula nests too deep.\n\nGroups, fractions, roots, scripts, environments and \
            the macros that hold them may nest 64 levels deep; formulas of real books stay below \
            ten. Name a part of the formula and show it on its own.",
    },
    Explained {
        code: ENVIRONMENT,
        text: "An environment is not known, or begins under one name and ends under another.\n\n\
            `\\begin{algin}` is a slip for `align`; `\\begin{cases} … \\end{aligned}` does not \
            match.\n\nFor lines of a derivation use `aligned`, for case distinctions `cases`, for \
            matrices `pmatrix` or `bmatrix`.",
    },
    Explained {
        code: LENGTH,
        text: "A formula is too long.\n\nA formula may have 8 KiB of TeX, and 65,536 tokens when \
            its macros are expanded. Split it, or compute it in a snippet and show the part that \
            matters.",
    },
    Explained {
        code: LINE,
        text: "A line break does nothing here.\n\nLaTeX ignores `\\\\` in a displayed formula \
            outside of an environment.\n\nPut the lines into an environment: `\\begin{aligned} a \
            &= b \\\\ &= c \\end{aligned}`, or `gathered` for centred lines.",
    },
    Explained {
        code: LOOP,
        text: "A macro calls itself.\n\n`\\newcommand{\\a}{\\a}` never ends, and neither do two \
            macros that call each other.\n\nTo add to a command that exists, keep its old meaning \
            by another name first: `\\let\\oldvec\\vec \\renewcommand{\\vec}[1]{\\oldvec{#1}}`.",
    },
    Explained {
        code: MACRO,
        text: "A macro cannot be defined like this.\n\nA line of `macros.tex` is \
            `\\newcommand{\\name}[2]{body with #1 and #2}`. The name is a backslash with letters, \
            the body has its braces in pairs, takes at most nine arguments and uses only commands \
            that exist. In a formula, `\\newcommand` is for new names and `\\renewcommand` for \
            names that exist.",
    },
    Explained {
        code: MODE,
        text: "A command cannot stand here.\n\n`\\text{\\alpha}` has a symbol of mathematics in \
            text; `align` and `\\tag` work only in displayed formulas.\n\nWithin `\\text{…}` put \
            mathematics in dollars: `\\text{if $\\alpha > 0$}`. For lines within a larger formula \
            use `aligned` and not `align`.",
    },
    Explained {
        code: SCRIPT,
        text: "A symbol has two superscripts or two subscripts.\n\n`x^2^3` could mean two \
            things.\n\nWrite `{x^2}^3` or `x^{2^3}`.",
    },
    Explained {
        code: STRICT,
        text: "LaTeX would not accept this, or would set it differently.\n\nA letter with an \
            accent in mathematics (`é`), a character that the fonts of formulas lack, a `%` \
            comment without a line after it, more columns than an `array` declares.\n\nPut words \
            into `\\text{…}` and write symbols as commands.",
    },
    Explained {
        code: SYNTAX,
        text: "The TeX of a formula is not complete or not in order.\n\nMost often a brace is \
            missing or too many, or `&` stands outside of an environment.\n\nThe place is where \
            it was noticed; the slip may be before it.",
    },
    Explained {
        code: TRUST,
        text: "A formula asks for what a page does not give.\n\nLinks of formulas go to `http:`, \
            `https:` and `mailto:` addresses, and to labels of the book: \
            `\\href{#eq:attention}{A}`. Styles, data attributes and pictures are not for \
            formulas. `\\htmlId` and `\\htmlClass` take plain names.",
    },
    Explained {
        code: UNSUPPORTED,
        text: "The PDF cannot show this.\n\nSite and PDF are made from one parse of each formula, \
            and what one of them cannot show is refused for both, so that they never differ.\n\n\
            The message names the construct; write it by other means.",
    },
];
