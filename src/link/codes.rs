//! The mistakes that only the whole book shows.

use crate::diag::{Code, Explained};

pub(super) const DUPLICATE: Code = Code("link-duplicate-label");
pub(super) const UNKNOWN: Code = Code("link-unknown-label");
pub(super) const PLANNED: Code = Code("link-planned");
pub(super) const PAGE: Code = Code("link-unknown-page");
pub(super) const FILE: Code = Code("link-missing-file");
pub(super) const PICTURE: Code = Code("link-broken-picture");
pub(super) const SYMBOL: Code = Code("link-unknown-symbol");
pub(super) const WORK: Code = Code("link-unknown-work");
pub(super) const CYCLE: Code = Code("link-cycle");
pub(super) const TOPIC: Code = Code("link-unknown-topic");
pub(super) const TITLE: Code = Code("link-title-differs");
pub(super) const UNCOVERED: Code = Code("link-topic-uncovered");

/// What the linker has to say to authors.
pub(super) const CODES: &[Explained] = &[
    Explained {
        code: DUPLICATE,
        text: "Two things have the same label. Labels are unique in the whole book, so that a \
               reference needs no path: `[](#thm:euclid)` means one thing wherever it stands.\n\n\
               Both places are shown. Rename one of them, and the references that mean it.",
    },
    Explained {
        code: UNKNOWN,
        text: "A reference to a label that nothing in the book has. If a label is near, it is \
               offered.\n\nA label is given by `{#eq:name}` after a heading, in the info string of \
               a fence, in the title of a callout, after an image or after `$$`. A heading without \
               a label can be reached on its own page by its anchor, its words in lower case with \
               hyphens: `[](#my-heading)`.",
    },
    Explained {
        code: PLANNED,
        text: "A reference to a label of a chapter that is planned but not written yet \
               (`[Title]()` in SUMMARY.md and a table in labels.toml). It is printed as the name of \
               what will be there, without a link. Nothing needs to be done.",
    },
    Explained {
        code: PAGE,
        text: "A link to a Markdown file that is not a chapter of the book, or to an anchor that \
               the page does not have. Paths are relative to the file of the link. Add the file to \
               SUMMARY.md, or link by a label: `[words](#label)`.",
    },
    Explained {
        code: FILE,
        text: "A picture or a file that is linked is not one that the site carries. It carries all \
               files of the book folder but those that it reads: Markdown, TOML, TeX and BibTeX. \
               Paths are relative to the file that names them.",
    },
    Explained {
        code: PICTURE,
        text: "A picture of the book cannot be shown: its file is empty or cut off, an SVG is no \
               XML, or the file holds something else than its ending says. Its alternative text \
               stands in its place, and all else is made.\n\nOpen the file in a browser, and make \
               it anew from what it was made of.",
    },
    Explained {
        code: SYMBOL,
        text: "A formula names a symbol, in `symbols=\"…\"`, that the notation table does not \
               have. Add it to notation.toml:\n\n```toml\n[[symbol]]\nkey = \"d_k\"\ntex = 'd_k'\n\
               meaning = \"width of queries and keys\"\nshape = \"integer\"\n```",
    },
    Explained {
        code: WORK,
        text: "A citation of a work that references.bib does not have. If a key is near, it is \
               offered.",
    },
    Explained {
        code: CYCLE,
        text: "Formulas rest on each other in a circle by their `deps`. What a formula rests on \
               must come before it: take out the dependency that is not needed for the derivation. \
               So it is with chapters that require each other, or themselves, by `prerequisites`.",
    },
    Explained {
        code: TOPIC,
        text: "The front matter maps a topic that the module of this chapter does not have. Topics \
               are spelled as in the course outline.",
    },
    Explained {
        code: TITLE,
        text: "SUMMARY.md calls a chapter otherwise than its own heading does. The heading is shown \
               everywhere, also in the contents. Make them alike, so that the outline reads as the \
               book does; nothing is wrong otherwise.",
    },
    Explained {
        code: UNCOVERED,
        text: "The course outline has a topic that no section of its chapter covers. Map it in the \
               front matter of the chapter:\n\n```toml\n[topics]\n\"Query\" = \"sec:query\"\n```",
    },
];
