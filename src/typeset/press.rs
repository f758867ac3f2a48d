//! Typst markup of the book to PDF bytes, in memory: no disk, no network, no clock.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime, Duration, Label, Selector, Smart, Value};
use typst::introspection::{Introspector, MetadataElem};
use typst::syntax::{DiagSpan, FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::{LazyHash, PicoStr};
use typst::{Library, LibraryExt, World, WorldExt};
use typst_kit::fonts::FontStore;
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use super::markup::{Draft, Fragile};
use super::{ENGINE, EXPORT, PICTURE, Shared, Volume, WIDE, fonts};
use crate::diag::{Checked, Diagnostic};
use crate::source::Place;

/// How the book looks.
const TEMPLATE: &str = include_str!("template.typ");

/// Colours of code.
const COLOURS: &str = include_str!("code.tmTheme");

/// A book with more refused parts than this is not typeset.
const REFUSALS: usize = 100;

static LIBRARY: LazyLock<LazyHash<Library>> = LazyLock::new(|| LazyHash::new(Library::default()));

/// The only door through which Typst sees anything.
struct Press {
    main: FileId,
    sources: HashMap<FileId, Source>,
    files: HashMap<FileId, Bytes>,
    fonts: Arc<FontStore>,
}

impl World for Press {
    fn library(&self) -> &LazyHash<Library> {
        &LIBRARY
    }

    fn book(&self) -> &LazyHash<FontBook> {
        self.fonts.book()
    }

    fn main(&self) -> FileId {
        self.main
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        self.sources.get(&id).cloned().ok_or(FileError::NotSource)
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        let none = || FileError::NotFound(id.get().vpath().get_without_slash().into());
        self.files.get(&id).cloned().ok_or_else(none)
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.font(index)
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

/// Typesets `drafts`, the first of which is the main file, each under its path.
pub(super) fn print(
    mut drafts: Vec<(String, Draft)>,
    volume: &Volume<'_>,
) -> Checked<Option<Vec<u8>>> {
    let mut diagnostics = Vec::new();
    let mut press = Press::new(volume, fonts::of(volume, &mut diagnostics));
    press.near(&drafts, true);
    for round in 0.. {
        press.load(&drafts);
        let made = typst::compile::<PagedDocument>(&press);
        let faults = match made.output {
            Ok(document) => {
                // A page number that appears or not may move what it is about, for ever.
                let loops = made.warnings.iter().any(|it| it.message.contains("converge"));
                if loops && round < REFUSALS && press.near(&drafts, false) {
                    continue;
                }
                press.wide(&document, &drafts, &mut diagnostics);
                let value = press.export(&document, volume, &drafts, &mut diagnostics);
                typst::comemo::evict(4);
                return Checked { value, diagnostics };
            }
            Err(faults) => faults,
        };
        let found = press.replace(&faults, &mut drafts, &mut diagnostics);
        if !found || round == REFUSALS {
            let told = |it: &SourceDiagnostic| press.told(it, &drafts, volume);
            diagnostics.extend(faults.iter().map(told));
            break;
        }
    }
    typst::comemo::evict(4);
    Checked { value: None, diagnostics }
}

impl Press {
    fn new(volume: &Volume<'_>, fonts: Arc<FontStore>) -> Self {
        let mut files = HashMap::from([(id("code.tmTheme"), Bytes::from_string(COLOURS))]);
        for (file, bytes) in volume.assets {
            files.insert(asset(file), Bytes::new(Shared(bytes.clone())));
        }
        let template = Source::new(id("template.typ"), TEMPLATE.to_owned());
        let sources = HashMap::from([(template.id(), template)]);
        Self { main: id("main.typ"), sources, files, fonts }
    }

    fn load(&mut self, drafts: &[(String, Draft)]) {
        for (path, draft) in drafts {
            let id = id(path);
            let old = self.sources.get(&id);
            if old.is_none_or(|it| it.text() != draft.markup.text) {
                self.sources.insert(id, Source::new(id, draft.markup.text.clone()));
            }
        }
    }

    /// Writes which labels there are, and whether pages of near targets are left out. Whether
    /// that is news.
    fn near(&mut self, drafts: &[(String, Draft)], near: bool) -> bool {
        let mut text = format!("#let near = {near}\n#let known = (");
        let mut any = false;
        for key in drafts.iter().flat_map(|it| &it.1.keys) {
            super::markup::literal(key, &mut text);
            text.push_str(": 1,\n");
            any = true;
        }
        text.push_str(if any { ")\n" } else { ":)\n" });
        let source = Source::new(id("known.typ"), text);
        let old = self.sources.insert(source.id(), source.clone());
        old.is_none_or(|it| it.text() != source.text())
    }

    /// Puts what is never refused in the place of what was. Whether anything was replaced.
    fn replace(
        &self,
        faults: &[SourceDiagnostic],
        drafts: &mut [(String, Draft)],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> bool {
        let mut replaced = false;
        for fault in faults {
            for span in spans(fault) {
                let Some((index, part)) = self.fragile(span, drafts) else { continue };
                let draft = &mut drafts[index].1;
                diagnostics.extend(refusal(draft, part, &fault.message));
                draft.replace(part);
                replaced = true;
                break;
            }
            if replaced {
                // The other places have moved; they are found in the next round.
                return true;
            }
        }
        replaced
    }

    /// The draft and its part that a fault at `span` is of: the span is in the part's markup, or in
    /// the picture that it shows.
    fn fragile(&self, span: DiagSpan, drafts: &[(String, Draft)]) -> Option<(usize, usize)> {
        if let Some((index, range)) = self.at(span, drafts) {
            return Some((index, drafts[index].1.fragile_at(range.start)?));
        }
        let file = span.id()?;
        drafts.iter().enumerate().find_map(|(index, (_, draft))| {
            let shows = |it: &Fragile| it.picture.as_ref().is_some_and(|it| asset(it) == file);
            Some((index, draft.fragile.iter().position(shows)?))
        })
    }

    /// The draft and the bytes of it that `span` is of.
    fn at(
        &self,
        span: impl Into<DiagSpan>,
        drafts: &[(String, Draft)],
    ) -> Option<(usize, Range<usize>)> {
        let span = span.into();
        let file = span.id()?;
        let index = drafts.iter().position(|it| id(&it.0) == file)?;
        Some((index, self.range(span)?))
    }

    fn told(
        &self,
        fault: &SourceDiagnostic,
        drafts: &[(String, Draft)],
        volume: &Volume<'_>,
    ) -> Diagnostic {
        let place = self.place_of(fault, drafts).unwrap_or_else(|| start(volume));
        let message = match &fault.message {
            it if it.starts_with("maximum") => "the PDF cannot nest as deep as this".to_owned(),
            it => format!("the PDF could not be made: {it}"),
        };
        let help = "the site is made all the same; write this in another way, and please report it";
        Diagnostic::error(ENGINE, place, message).help(help)
    }

    fn place_of(&self, fault: &SourceDiagnostic, drafts: &[(String, Draft)]) -> Option<Place> {
        spans(fault).find_map(|span| {
            let (index, range) = self.at(span, drafts)?;
            drafts[index].1.place(range.start)
        })
    }

    /// Warns of formulas that had to be set much smaller.
    fn wide(
        &self,
        document: &PagedDocument,
        drafts: &[(String, Draft)],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Some(label) = Label::new(PicoStr::intern("typeset-wide")) else { return };
        let introspector: &dyn Introspector = document.introspector().as_ref();
        for content in introspector.query(&Selector::Label(label)) {
            let marked = content.to_packed::<MetadataElem>().map(|it| &it.value);
            let Some(Value::Content(body)) = marked else { continue };
            let Some((index, range)) = self.at(body.span(), drafts) else { continue };
            let Some(place) = drafts[index].1.place(range.start) else { continue };
            let message =
                "this formula is so wide that the PDF sets it at less than 70 % of its size";
            let help = "break it over several lines with `aligned`";
            diagnostics.push(Diagnostic::warning(WIDE, place, message).help(help));
        }
    }

    fn export(
        &self,
        document: &PagedDocument,
        volume: &Volume<'_>,
        drafts: &[(String, Draft)],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<u8>> {
        let settings = &volume.book.settings;
        // PDF/A asks for a date, and a book that does not say its day has none.
        let dated = settings.updated.as_deref().and_then(super::volume::date).is_some();
        let wanted = [PdfStandard::Ua_1, PdfStandard::A_2a];
        let standards = PdfStandards::new(&wanted[..if dated { 2 } else { 1 }])
            .expect("PDF/UA-1 and PDF/A-2a agree");
        let mut options = PdfOptions {
            ident: Smart::Custom(format!("{} {:?}", settings.title, settings.site)),
            creator: Smart::Custom(Some("Ready Reckoner".to_owned())),
            standards,
            ..PdfOptions::default()
        };
        let faults = match destinations(document, &options) {
            Ok(bytes) => return Some(bytes),
            Err(faults) => faults,
        };
        let (glyphs, rest): (Vec<_>, Vec<_>) =
            faults.iter().partition(|it| it.message.contains("could not be displayed"));
        if !glyphs.is_empty() {
            let found = |it: &(String, Draft)| fonts::missing(&it.1, &self.fonts);
            diagnostics.extend(drafts.iter().filter_map(found));
        }
        for fault in rest.iter().take(20) {
            let place = self.place_of(fault, drafts).unwrap_or_else(|| start(volume));
            let what = fault.message.split_once("error: ").map_or(&fault.message[..], |it| it.1);
            let message = format!("the PDF breaks a rule of PDF/UA or PDF/A: {what}");
            diagnostics.push(Diagnostic::warning(EXPORT, place, message));
        }
        options.standards = PdfStandards::default();
        destinations(document, &options).ok()
    }
}

/// Writes the PDF with a named destination for every label, so that `book.pdf#eq:attention`
/// opens at the formula.
fn destinations(
    document: &PagedDocument,
    options: &PdfOptions,
) -> typst::diag::SourceResult<Vec<u8>> {
    use typst::comemo::Track;
    let introspector: &dyn Introspector = document.introspector().as_ref();
    let mut anchors = Vec::new();
    for element in introspector.query_labelled() {
        let (Some(label), Some(location)) = (element.label(), element.location()) else { continue };
        let name = label.resolve();
        if name.as_str() != "typeset-wide" {
            anchors.push((location, typst::ecow::EcoString::from(name.as_str())));
        }
    }
    let resolver = typst::model::LateLinkResolver::new(None, introspector);
    typst_pdf::pdf_in_bundle(document, options, &anchors, resolver.track())
}

/// Where a message goes that is about no place: the first chapter.
fn start(volume: &Volume<'_>) -> Place {
    let file = volume.chapters.first().map(|it| it.document.file.clone());
    let file = file.unwrap_or_else(|| crate::source::FileId::new("SUMMARY.md"));
    Place { file, span: crate::source::Span::NONE }
}

/// The spans of a message: its own, then where it was called from.
fn spans(fault: &SourceDiagnostic) -> impl Iterator<Item = DiagSpan> {
    let own = fault.span;
    std::iter::once(own).chain(fault.trace.iter().map(|it| it.span.into()))
}

fn id(path: &str) -> FileId {
    let path = VirtualPath::new(path)
        .unwrap_or_else(|_| VirtualPath::new("unnamed").expect("a plain word is a path"));
    RootedPath::new(VirtualRoot::Project, path).intern()
}

/// The typesetter's name of a file of the book.
fn asset(file: &crate::source::FileId) -> FileId {
    id(&format!("book/{file}"))
}

/// Says that a part was refused.
fn refusal(draft: &Draft, part: usize, why: &str) -> Option<Diagnostic> {
    let fragile = &draft.fragile[part];
    let place = draft.place(fragile.range.start)?;
    Some(match &fragile.picture {
        Some(file) => {
            let message = format!("the PDF cannot show the picture `{file}`: {why}");
            let help = "its alternative text stands there; make it anew as SVG, PNG or JPEG";
            Diagnostic::warning(PICTURE, place, message).help(help)
        }
        None => {
            let message = format!("the typesetter refused this: {why}");
            let help = "this is a fault of the program; the PDF shows the source instead";
            Diagnostic::error(ENGINE, place, message).help(help)
        }
    })
}
