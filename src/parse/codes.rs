//! What this stage has to say to authors: codes with the texts that explain them.

use crate::diag::{Code, Explained};

macro_rules! codes {
    ($($name:ident = $code:literal: $text:literal;)*) => {
        $(pub(super) const $name: Code = Code($code);)*

        /// What this stage has to say to authors, sorted by code.
        pub const CODES: &[Explained] = &[$(Explained { code: $name, text: $text }),*];
    };
}

codes! {
    ATTRIBUTES = "parse-attributes": "An attribute list cannot be read.\n\nIt is written `{#label .class flag key=\"value\"}` on one line: labels after `#`, classes after `.`, values in double or single quotes (`\\\"` for a quote inside).\n\nExample of a mistake: `## Query {#sec:query` without the brace at its end.";
    BOOK_FIELD = "parse-book-field": "A field of a TOML file of the book is missing or has the wrong type.\n\nThe message names the field and what it should be, as in `title = \"…\"` for text and `minutes = 10` for a whole number.";
    BOOK_TITLE = "parse-book-title": "The book has no title.\n\nWrite `title = \"…\"` into `book.toml`.";
    CALLOUT_KIND = "parse-callout-kind": "A callout names a kind that does not exist, or its mark is not closed by `]`.\n\nKinds are theorem, lemma, proposition, corollary, definition, example, exercise, remark, proof, solution, hint, pitfall, recall, note, tip, warning and card. The block is shown as a note. If the brackets are meant as text, write `> \\[!word]`.";
    CHAPTER_NAME = "parse-chapter-name": "A chapter has a name that it cannot have.\n\nThe file of a chapter ends in `.md`, in lower case; neither it nor its folder begins with a dot; and it is not named as a page that the book makes by itself: `404`, `bibliography`, `contents`, `formulas`, `symbols`. `index.md` and `README.md` are allowed; the first takes the place of the home page.";
    COMMENT = "parse-comment": "A comment `<!--` is not closed by `-->`.\n\nIn HTML it reaches to the end of the page, so nothing behind it is shown. Close it, or write `\\<!--` if the characters are meant.";
    DEPTH = "parse-depth": "Blocks or emphasis are nested deeper than 64 levels.\n\nWhat stands deeper is left out. Usually a run of `>`, `-` or `*` was meant as text: put it into a code block or escape it.";
    DISPLAY_PLACE = "parse-display-place": "A displayed formula stands where only text in one line can be: in a heading, a table cell, a link or emphasised words.\n\nIt is set in the line. Write `$…$` there, or move the formula to a paragraph of its own; a label only works there.";
    DUPLICATE_CHAPTER = "parse-duplicate-chapter": "`SUMMARY.md` lists one file twice.\n\nA chapter has one place in the book. The second line is ignored.";
    DUPLICATE_FOOTNOTE = "parse-duplicate-footnote": "A footnote is defined twice in one chapter.\n\nThe first definition is used. Give the other another name.";
    DUPLICATE_TITLE = "parse-duplicate-title": "A chapter has more than one heading of level 1.\n\nThe first one is the title of the chapter; the others are shown as sections. Write them with `##`, or move the text to a chapter of its own.";
    EMPTY_BOOK = "parse-empty-book": "The book has no chapters.\n\nList them in `SUMMARY.md`, one a line: `- [Title](file.md)`.";
    EMPTY_FORMULA = "parse-empty-formula": "A formula has nothing between its delimiters.\n\nFour dollar signs in a row are written `\\$\\$\\$\\$`.";
    FENCE = "parse-fence": "A code block is not closed.\n\nIt reaches to the end of the chapter or of the quote or list around it. Close it by a line with as many backticks as it was opened by.";
    FIGURE_SOURCE = "parse-figure-source": "An output of a snippet can only be a figure of its own.\n\nPut `![…](snip:…)` at the start of a paragraph, and use `` `=m05-s01.Y` `` for a value in running text.";
    FLAG = "parse-flag": "An attribute list has a word that means nothing there.\n\nSnippets know `run`, `lib`, `hide`, `fold` and `should_panic`; headings know `.unnumbered`. They stand in braces: ```` ```rust {#snip:name run} ````.";
    FOOTNOTE_UNKNOWN = "parse-footnote-unknown": "A footnote is mentioned but not defined.\n\nWrite its text on a line of its own: `[^name]: The text.` If the brackets are meant as text, write `\\[^name]`.";
    FOOTNOTE_UNUSED = "parse-footnote-unused": "A footnote is defined but never mentioned.\n\nIt is left out. Mention it by `[^name]`.";
    FRONT = "parse-front": "The front matter cannot be read.\n\nIt is TOML (not YAML) between two lines `+++` (not `---`) at the very start of the file, with the keys `title`, `summary`, `prerequisites`, `words` and the table `[topics]`.";
    HEADING_LEVEL = "parse-heading-level": "A heading skips a level, as `####` right below `##`.\n\nIt is shown one level below the heading before it. Readers who listen, and the outline of the PDF, need every level.";
    IMAGE_PATH = "parse-image-path": "A picture is not a file of the book.\n\nPictures are files below the book folder, so that the book works without a network: `![…](figures/x.svg)`.";
    INCLUDE = "parse-include": "mdBook's `{{#include …}}`, `{{#rustdoc_include …}}`, `{{#playground …}}` and `{{#title …}}` are not taken over.\n\nPut the text or the code itself into the chapter, so that it reads as it stands on any host. Code that runs is a snippet, ```` ```rust {#snip:name run} ````; items for other chapters to import are ```` ```rust {lib} ````. To show the words themselves, put them into backticks.";
    KEY = "parse-key": "A key means nothing in this place.\n\nAttribute lists of formulas know `name`, `symbols`, `deps`, `source`, `snippet` and `if`; those of snippets `title` and `opt`; those of proofs and solutions `of`.";
    LABEL = "parse-label": "A label cannot be used.\n\nA label has letters, digits, `:`, `-`, `_` and `.`, as in `eq:attention`. What stands before the colon says what it labels: `sec`, `eq`, `fig`, `tab`, `snip`, and `thm`, `lem`, `prop`, `cor`, `def`, `exa`, `ex`, `rem` for callouts; other words are free. Inside an alignment, `\\label{…}` needs a closing brace.";
    LANGUAGE = "parse-language": "The language of the book is not known, or the words that the pages put around the text are not there in it.\n\nA language is a tag of BCP 47: `\"en\"`, `\"de\"`, `\"pt-BR\"`, `\"zh-Hans\"`. The text may be in any language; words such as \"Contents\" and \"Theorem\" are there in English.";
    MACRO = "parse-macro": "A line of `macros.tex` is not a macro.\n\nWrite `\\newcommand{\\R}{\\mathbb R}` or `\\newcommand{\\norm}[1]{\\lVert #1 \\rVert}`, one a line. Lines that begin with `%` are comments.";
    MATHS_SPACE = "parse-maths-space": "A dollar sign stands before a space, which makes it a dollar sign and not the beginning of a formula.\n\nWrite `$\\alpha$` without spaces inside of the dollar signs, and `\\$` for a dollar sign.";
    MATHS_UNCLOSED = "parse-maths-unclosed": "A formula is not closed.\n\nA displayed formula ends with the delimiter that it began with, before the next code block and before the quote or list item around it ends. A formula in a line ends in its paragraph; its closing `$` follows a character that is not a space and does not stand before a digit. A dollar sign is written `\\$`.";
    MDBOOK = "parse-mdbook": "A setting of mdBook has no meaning here.\n\nIt is ignored, so that a book can be built by both programs.";
    MISSING_CHAPTER = "parse-missing-chapter": "`SUMMARY.md` names a file that does not exist.\n\nThe chapter is taken as planned. Write the file, correct the path (it is relative to the book folder), or write `[Title]()` for a chapter that is planned.";
    NO_TITLE = "parse-no-title": "A chapter has no title.\n\nBegin it with a heading of level 1: `# Self Attention`.";
    PROSE_TEX = "parse-prose-tex": "A TeX command stands outside of a formula, where it means nothing.\n\nRefer to a label by a link without words, `[](#eq:attention)`, to the bibliography by `[](cite:key)`, and to a computed value by `` `=m05-s01.Y` ``. A formula stands between dollar signs, `$\\alpha$`. A backslash itself is `\\\\`.";
    RAW_HTML = "parse-raw-html": "Raw HTML is shown on the site only.\n\nThe PDF leaves it out. Use Markdown where there is a form for it.";
    REFERENCE = "parse-reference": "A link or citation names nothing.\n\nA reference is `[](#label)`, a citation `[](cite:key)` with one or more keys separated by commas.";
    SETTING = "parse-setting": "A setting of `book.toml` is not known.\n\nKnown are `title`, `authors`, `description`, `language`, `updated`, `site`, `license`, `numbering`, `tolerance`, `prose`, `course` and `labels`.\n\nThe table `[prose]` knows `avoid`, `words`, `spelling` and `alt`.";
    SNIPPET = "parse-snippet": "The attributes of a snippet do not fit together.\n\nA snippet has a label `#snip:name` and one of `run` and `lib`.\n\nA `run` snippet that computes for long may say `opt=1`, which compiles it with light optimization; its values stay the same.";
    STRAY_ATTRIBUTES = "parse-stray-attributes": "An attribute list belongs to nothing.\n\nIt stands on the line of what it describes: after a heading, after the closing `$$` of a formula, after `![…](…)`, at the end of a `Table:` paragraph, after the title of a callout or in the first line of a code block.";
    SUMMARY_LINE = "parse-summary-line": "A line of `SUMMARY.md` is none of a part title, a chapter link or a rule.\n\nParts are headings, chapters are links in a list: `- [Title](file.md)`.";
    SYMBOL = "parse-symbol": "The notation table has a key twice.\n\nGive a meaning that is local to a chapter a key of its own, such as `A.la`.";
    TAG = "parse-tag": "A formula has a label and a `\\tag`, which would give it two numbers.\n\nNumbers come from labels alone, so that they are right when formulas move. Remove `\\tag{…}`; a formula without a label may keep it.";
    TITLE_DIFFERS = "parse-title-differs": "The front matter gives a chapter another title than its heading.\n\nThe heading is the title. Remove `title = \"…\"` from the front matter, or the heading; front matter alone is enough.";
    TOML = "parse-toml": "A TOML file of the book cannot be read.\n\nThe message is of the TOML reader and the place is exact.";
    VALUE = "parse-value": "A computed value is not written as one.\n\nIts form is `` `=snippet.key[0][\"column\"]:.3` ``: the label of the snippet without `snip:`, the key given to `show!`, steps into the value, and a format. Formats are `.3` (decimals), `4` (significant digits), `3e` (power of ten), `.1%` and `,`.";
}
