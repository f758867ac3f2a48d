//! The book to a PDF: Typst markup, with a map back to our spans, and its typesetting.
//!
//! Numbers and names are those of the links and never counted by the typesetter, so that print
//! and site say the same. Only page numbers are found while setting.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diag::{Checked, Code, Explained};
use crate::eval::{Outputs, Placed};
use crate::ir::{Book, Document, EnvironmentKind, Inline, Node};
use crate::link::{Index, Links, Target};
use crate::math::Engine;
use crate::source::{FileId, Place};

mod blocks;
#[cfg(feature = "pdf")]
mod fonts;
mod formulas;
mod inlines;
mod listings;
mod markup;
mod plots;
#[cfg(feature = "pdf")]
mod press;
#[cfg(feature = "pdf")]
mod volume;

use markup::Draft;

/// What this stage has to say to authors.
pub const CODES: &[Explained] = &[
    Explained {
        code: ENGINE,
        text: "The typesetter of the PDF refused something that this program wrote for it. The \
               text of the book is right; this is a fault of the program.\n\nThe part is shown in \
               the PDF as its source in a red box, and the site is not touched. Please report it \
               with the lines that the message points to. Writing the formula or the picture in \
               another way is a way round.",
    },
    Explained {
        code: EXPORT,
        text: "The PDF breaks a rule of PDF/UA or PDF/A.\n\nIt is written all the same, but \
               without the mark that says that it keeps these standards. Change what the message \
               names.",
    },
    Explained {
        code: GLYPHS,
        text: "Characters of a chapter are in none of the fonts of the PDF, such as those of \
               Chinese, Japanese or Arabic, or an emoji; it shows empty boxes for them, and lacks \
               the mark that says that it keeps PDF/UA and PDF/A. The site is not touched: \
               browsers have fonts of their own.\n\nPut a font that has the characters, as TTF or \
               OTF, into the folder `theme/fonts/` of the book. It is used for what the fonts of \
               the program lack. Or replace the character, or write it as a formula.",
    },
    Explained {
        code: FONT,
        text: "A file of `theme/fonts/` is not a font that the PDF can be set in. It takes TTF, \
               OTF and collections of them (TTC). WOFF and WOFF2 are packed for the Web; the same \
               font is mostly to be had as TTF or OTF too.",
    },
    Explained {
        code: PICTURE,
        text: "The PDF cannot show a picture that browsers may show, since its format is not one \
               of SVG, PNG, JPEG, GIF and WebP or it uses something that only browsers have. Its \
               alternative text stands in its place.\n\nSave it in one of these formats.",
    },
    Explained {
        code: WIDE,
        text: "A displayed formula is so wide that it had to be set at less than 70 % of its size \
               to stay within the margins of the printed page.\n\nBreak it over several lines with \
               `aligned`, or give a long part a name of its own.",
    },
];

/// A fault of this program's markup.
const ENGINE: Code = Code("typeset-engine");

/// A breach of the standards of the PDF.
const EXPORT: Code = Code("typeset-export");

/// Characters without a glyph.
const GLYPHS: Code = Code("typeset-glyphs");

/// A font that cannot be used.
const FONT: Code = Code("typeset-font");

/// A picture that print cannot show.
const PICTURE: Code = Code("typeset-picture");

/// A formula too wide for the page.
const WIDE: Code = Code("typeset-wide");

/// All that goes into the PDF.
#[derive(Clone, Debug, Hash)]
pub struct Volume<'a> {
    /// The book's settings, outline, course and notation.
    pub book: &'a Book,
    /// The chapters in order.
    pub chapters: Vec<Chapter<'a>>,
    /// The index.
    pub index: &'a Index,
    /// The maths engine with the book's macros.
    pub engine: &'a Engine,
    /// Pictures, by path below the book folder.
    pub assets: &'a BTreeMap<FileId, Arc<[u8]>>,
    /// Fonts of the book's theme, by path below its folder.
    pub fonts: BTreeMap<&'a str, &'a Arc<[u8]>>,
}

/// A chapter with what was found out about it.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Chapter<'a> {
    /// The text.
    pub document: &'a Document,
    /// What its programs printed, and those of other chapters that it mentions.
    pub outputs: &'a Outputs,
    /// Where its references go.
    pub links: &'a Links,
}

/// Typst markup with a map from its bytes to ours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Markup {
    /// The markup.
    pub text: String,
    /// Where the part of the markup from this byte on is from; sorted.
    pub origins: Vec<(usize, Place)>,
}

/// The markup of one chapter's text; what golden cases show.
pub fn chapter(chapter: &Chapter<'_>, engine: &Engine) -> Checked<Markup> {
    Checked::fine(draft(chapter, engine, None).markup)
}

/// Typesets the book. `None` if the typesetter refused it; the diagnostics say why.
#[cfg(feature = "pdf")]
pub fn pdf(volume: &Volume<'_>) -> Checked<Option<Vec<u8>>> {
    press::print(volume::drafts(volume), volume)
}

/// Bytes that the book shares with the typesetter.
#[cfg(feature = "pdf")]
struct Shared(Arc<[u8]>);

#[cfg(feature = "pdf")]
impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Writes markup of one chapter or of a list of the whole book.
struct Writer<'a> {
    draft: Draft,
    engine: &'a Engine,
    links: &'a Links,
    outputs: &'a Outputs,
    /// The chapter; `None` in text that is from elsewhere and has no places here.
    document: Option<&'a Document>,
    /// Where the site is, for links to files that only the site carries.
    site: Option<&'a str>,
    /// Numbers of environments by their address in memory.
    numbers: BTreeMap<usize, String>,
    /// Outputs that figures show.
    placed: Placed,
    /// Level of the chapter's title among the headings of the PDF.
    base: u8,
    /// Level of the last heading.
    level: u8,
    /// How deep blocks are nested.
    depth: usize,
    /// A proof or solution whose name and title stand in the line of the next words.
    pending: Option<(EnvironmentKind, Vec<Inline>)>,
    /// Whether this is the text of a footnote.
    in_note: bool,
    /// Whether this is a title that is printed more than once.
    calm: bool,
}

impl<'a> Writer<'a> {
    fn new(engine: &'a Engine, links: &'a Links, outputs: &'a Outputs) -> Self {
        Self {
            draft: Draft::default(),
            engine,
            links,
            outputs,
            document: None,
            site: None,
            numbers: BTreeMap::new(),
            placed: Placed::default(),
            base: 1,
            level: 1,
            depth: 0,
            pending: None,
            in_note: false,
            calm: false,
        }
    }

    /// Writes a title without notes and links, in brackets.
    fn title(&mut self, title: &[Inline]) {
        let calm = std::mem::replace(&mut self.calm, true);
        let title = self.calm(title);
        self.bracketed(&title);
        self.calm = calm;
    }

    /// Writes a link to `target` with its name, and its number or title.
    fn pointer(&mut self, target: &Target) {
        let key = inlines::key_of(target);
        if let Some(key) = &key {
            self.draft.markup("#b.see(");
            self.draft.string(key);
            self.draft.markup(")[");
        }
        self.name_of(target);
        if key.is_some() {
            self.draft.markup("]");
        }
    }
}

/// Writes one chapter: its title, then its text.
fn draft(chapter: &Chapter<'_>, engine: &Engine, site: Option<&str>) -> Draft {
    let Chapter { document, outputs, links } = *chapter;
    let mut writer = Writer::new(engine, links, outputs);
    writer.site = site;
    writer.document = Some(document);
    writer.placed = Placed::of(document);
    writer.numbers = numbers(document, links);
    writer.base = if links.part.is_empty() { 1 } else { 2 };
    writer.level = writer.base;
    writer.draft.markup("#import \"/template.typ\" as b\n");
    writer.opening(document);
    writer.blocks(&document.blocks);
    writer.draft
}

impl Writer<'_> {
    fn opening(&mut self, document: &Document) {
        self.draft.origin(&document.file, document.front.span);
        self.draft.markup(&format!("#b.chapter-title({}, ", self.base));
        let key = inlines::chapter_key(document, self.links);
        self.draft.key(Some(&key));
        if let Some(number) = &self.links.number {
            self.draft.markup("number: ");
            self.draft.string(number);
        }
        self.draft.markup(")");
        self.title(&document.title);
        self.draft.markup("\n\n");
        if !document.front.summary.is_empty() {
            self.draft.markup("#b.summary");
            self.bracketed(&document.front.summary);
            self.draft.markup("\n\n");
        }
    }
}

/// The numbers of environments, by their address: they are written in another order than read
/// where one stands in a footnote.
fn numbers(document: &Document, links: &Links) -> BTreeMap<usize, String> {
    let mut out = BTreeMap::new();
    let mut numbers = links.environments.iter();
    for node in document.nodes() {
        if let Node::Block(block) = node
            && let crate::ir::BlockKind::Environment(environment) = &block.kind
        {
            let number = numbers.next().cloned().unwrap_or_default();
            out.insert(std::ptr::from_ref(&**environment).addr(), number);
        }
    }
    out
}
