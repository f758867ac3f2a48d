//! Every formula of the corpus is typeset and exported as an accessible PDF for archives, which
//! fails where a glyph is missing.
#![cfg(feature = "pdf")]

use std::fmt::Write;

use reckoner::math::{Engine, Facts, Formula, Macros, Style};
use reckoner::source::Span;
use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World, WorldExt};
use typst_kit::fonts::FontStore;
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

#[path = "katex/corpus.rs"]
mod corpus;

struct Page {
    library: LazyHash<Library>,
    fonts: FontStore,
    main: Source,
}

impl World for Page {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        self.fonts.book()
    }

    fn main(&self) -> FileId {
        self.main.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        (id == self.main.id()).then(|| self.main.clone()).ok_or(FileError::NotSource)
    }

    fn file(&self, _: FileId) -> FileResult<Bytes> {
        Err(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.font(index)
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

const HEAD: &str = "#set document(title: \"Formulas\", date: datetime(year: 2026, month: 1, day: 1))\n#set text(lang: \"en\")\n\
    #show math.equation: set text(weight: \"regular\")\n= Formulas\n";

impl Page {
    fn new() -> Self {
        let path = RootedPath::new(VirtualRoot::Project, VirtualPath::new("main.typ").unwrap());
        let main = Source::new(path.intern(), String::new());
        let mut fonts = FontStore::new();
        fonts.extend(typst_kit::fonts::embedded());
        Self { library: LazyHash::new(Library::default()), fonts, main }
    }

    /// The fault of a document of these lines, with the line, or the document.
    fn typeset(&mut self, lines: &[String]) -> Result<PagedDocument, (usize, String)> {
        self.main.replace(&format!("{HEAD}{}", lines.join("\n")));
        let made = typst::compile::<PagedDocument>(self);
        made.output.map_err(|faults| {
            let fault = &faults[0];
            let at = self.range(fault.span).map_or(0, |it| it.start);
            let line = self.main.text()[..at].matches('\n').count();
            (line.saturating_sub(HEAD.matches('\n').count()), fault.message.to_string())
        })
    }

    fn export(&self, document: &PagedDocument) -> Result<Vec<u8>, String> {
        let standards = [PdfStandard::A_2a, PdfStandard::Ua_1];
        let standards = PdfStandards::new(&standards).expect("standards that go together");
        let options = PdfOptions { standards, ..PdfOptions::default() };
        typst_pdf::pdf(document, &options).map_err(|faults| {
            faults.iter().fold(String::new(), |mut out, it| {
                let at = self.range(it.span).map_or(0, |it| it.start);
                let line = self.main.text()[..at].matches('\n').count();
                let line = self.main.text().lines().nth(line).unwrap_or_default();
                writeln!(out, "{}: {line}", it.message).expect("a string takes all");
                out
            })
        })
    }
}

fn line(formula: &Formula, engine: &Engine) -> Option<String> {
    let made = engine.render(formula, &Facts::default()).ok()?;
    let block = formula.style == Style::Display;
    let alt = made.plain.replace('\\', "\\\\").replace('"', "\\\"");
    Some(format!("#math.equation(block:{block},alt:\"{alt}\",${}$)", made.typst))
}

#[test]
fn every_formula_is_typeset() {
    let engine = corpus::engine();
    let mut names = Vec::new();
    let mut lines = Vec::new();
    for (id, formula) in corpus::corpus().into_iter().chain(corpus::hard()) {
        match line(&formula, &engine) {
            // The fonts of the test have no Chinese.
            Some(_) if id == "c202" => {}
            Some(line) => {
                names.push(format!("{id} {}", formula.tex));
                lines.push(line);
            }
            None => assert!(id.starts_with('c'), "{id} is refused"),
        }
    }
    let mut page = Page::new();
    let mut wrong = Vec::new();
    let document = loop {
        match page.typeset(&lines) {
            Ok(document) => break document,
            Err((at, message)) => {
                wrong.push(format!("{}: {message}\n    {}", names[at], lines[at]));
                lines[at] = "x".into();
            }
        }
    };
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    if let Err(message) = page.export(&document) {
        panic!("{message}");
    }
}

/// What nobody thought of: random TeX that is accepted is typeset too.
#[test]
fn what_is_accepted_is_typeset() {
    let mut page = Page::new();
    let engine = Engine::new(&Macros::default()).0;
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut lines = Vec::new();
    let mut texts = Vec::new();
    while lines.len() < 400 {
        let tex: String =
            (0..1 + random(12)).map(|_| corpus::PIECES[random(corpus::PIECES.len())]).collect();
        let style = if random(2) == 0 { Style::Inline } else { Style::Display };
        if let Some(line) = line(&Formula { tex: tex.clone(), style, span: Span::NONE }, &engine) {
            lines.push(line);
            texts.push(tex);
        }
    }
    let mut wrong = Vec::new();
    let document = loop {
        match page.typeset(&lines) {
            Ok(document) => break document,
            Err((at, message)) => {
                wrong.push(format!("{}: {message}\n    {}", texts[at], lines[at]));
                lines[at] = "x".into();
            }
        }
    };
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    page.export(&document).expect("a PDF");
}
