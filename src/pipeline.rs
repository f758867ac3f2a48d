//! The line: from what was read to the finished site.
//!
//! Every step is a function of values. The memo remembers what functions gave for equal values, so
//! that a second build does only what an edit made necessary; there is nothing to invalidate.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::archive;
use crate::cite::{self, Bibliography};
use crate::diag::{Checked, Code, Diagnostic, Explained, Severity};
use crate::eval::{self, Outputs, Package, Runner, Unavailable};
use crate::ir::{Book, Document, Entry, Prose};
use crate::link::{self, Linked};
use crate::math::Engine;
use crate::memo::{Table, fingerprint};
use crate::parse;
use crate::picture;
use crate::prose;
use crate::render::{self, Downloads, Frame, Page, Theme};
use crate::search;
use crate::source::{FileId, Place, Source, Span};
#[cfg(feature = "pdf")]
use crate::typeset;

const MACRO: Code = Code("book-macro");
const EMPTY: Code = Code("book-empty");

/// What the line itself has to say to authors.
pub const CODES: &[Explained] = &[
    Explained {
        code: MACRO,
        text: "A macro of the book cannot be used: it calls itself without end, or its body cannot \
               be read. Mend it in macros.tex, where it is given once for all formulas:\n\n\
               ```tex\n\\newcommand{\\R}{\\mathbb R}\n```",
    },
    Explained {
        code: EMPTY,
        text: "All chapters of the book are planned, `- [Title]()`, and none has a file. Write one:\
               \n\n```md\n# Summary\n\n- [First chapter](first.md)\n```\n\n`reckoner new my-book` makes a small book that \
               builds.",
    },
];

/// All that a build depends on, besides the compiler that runs the snippets.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The text files of the book folder: Markdown, TOML, BibTeX, TeX, Cargo.toml and its lock.
    pub sources: BTreeMap<FileId, Source>,
    /// The other files of the book folder: pictures.
    pub assets: BTreeMap<FileId, Arc<[u8]>>,
    /// How pages look.
    pub theme: Theme,
}

/// The finished site: path below `dist/` → bytes.
pub type Site = BTreeMap<String, Arc<[u8]>>;

/// What earlier builds found out. An empty memo gives the same site, only later.
#[derive(Debug, Default)]
pub struct Memo {
    /// By all sources that are not chapters.
    pub books: Table<Checked<Book>>,
    /// By source file.
    pub documents: Table<Checked<Document>>,
    /// By `references.bib`.
    pub works: Table<Checked<Bibliography>>,
    /// By the file of a picture.
    pub pictures: Table<Option<String>>,
    /// By `words.txt`.
    pub words: Table<Checked<prose::Known>>,
    /// By chapter and what its prose is checked for.
    pub prose: Table<Checked<BTreeSet<String>>>,
    /// By chapter, its outputs and its links.
    pub pages: Table<Checked<Page>>,
    /// By the index and the formulas that the chapters have drawn.
    pub whole: Table<Checked<Vec<Page>>>,
    /// By chapter, its outputs and its links: what can be found in it. The notation table is one more.
    pub found: Table<search::Part>,
    /// By all that can be found.
    pub searches: Table<Site>,
    /// By the files of the book's code.
    pub archives: Table<Vec<u8>>,
    /// By the whole book.
    pub pdfs: Table<Checked<Option<Vec<u8>>>>,
}

/// A step of a build, for those who wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Chapters are parsed.
    Parse,
    /// Snippets are compiled and run.
    Run,
    /// Labels and numbers are settled.
    Link,
    /// Pages are rendered and the PDF is typeset, side by side.
    Render,
}

/// Told when a phase begins, and of how many things it has to do.
pub trait Progress {
    /// A phase begins.
    fn begin(&mut self, phase: Phase, count: usize);
}

/// Tells nobody.
impl Progress for () {
    fn begin(&mut self, _: Phase, _: usize) {}
}

/// How a book is to be built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether to make the PDF.
    pub pdf: bool,
    /// Where the outputs of the snippets come from.
    pub values: Values,
}

/// Where the outputs of the snippets come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Values {
    /// The snippets run.
    #[default]
    Computed,
    /// The snippets run, and must show what `outputs.lock` has.
    Locked,
    /// From `outputs.lock`; nothing runs.
    Frozen,
}

/// The book before it is rendered: every chapter with all that was found out about it.
#[derive(Debug)]
pub struct Draft {
    /// The chapters in book order.
    pub documents: Vec<Arc<Checked<Document>>>,
    /// The snippets.
    pub package: Package,
    /// The package of all snippets, as it is published: path → text.
    pub code: BTreeMap<String, String>,
    /// The outputs of all snippets.
    pub outputs: Outputs,
    /// Whether no snippet failed.
    pub sound: bool,
    /// For each chapter, the outputs that it shows.
    pub shown: Vec<Outputs>,
    /// Numbers, addresses, index.
    pub linked: Linked,
    /// What is the same for all pages.
    pub frame: Frame,
}

impl Draft {
    /// What `outputs.lock` should be, if the book needs one and no snippet failed.
    pub fn lock(&self) -> Option<String> {
        let wanted = self.sound && !self.outputs.is_empty();
        wanted.then(|| eval::lock(&self.package, &self.outputs))
    }
}

/// Builds the book. One without a chapter, which has an error, gives a site without a file.
///
/// # Errors
/// When the surroundings fail: there is no compiler for the snippets.
pub fn build(
    input: &Input,
    options: Options,
    runner: &mut dyn Runner,
    memo: &mut Memo,
    progress: &mut dyn Progress,
) -> Result<Checked<Site>, Unavailable> {
    let draft = draft(input, options, runner, memo, progress)?;
    Ok(finish(&draft, input, options, memo, progress))
}

/// Renders a draft.
pub fn finish(
    draft: &Checked<Draft>,
    input: &Input,
    options: Options,
    memo: &mut Memo,
    progress: &mut dyn Progress,
) -> Checked<Site> {
    let Checked { value: draft, diagnostics } = draft;
    let mut diagnostics = diagnostics.clone();
    if draft.documents.is_empty() {
        // The pages of the whole book alone are no book: the last good one is worth more.
        return Checked { value: Site::new(), diagnostics };
    }
    progress.begin(Phase::Render, draft.documents.len());
    let site = site(draft, input, options, memo, &mut diagnostics);
    diagnostics.sort();
    diagnostics.dedup();
    sweep(memo);
    Checked { value: site, diagnostics }
}

/// Parses, runs and links the book.
///
/// # Errors
/// When the surroundings fail: there is no compiler for the snippets.
pub fn draft(
    input: &Input,
    options: Options,
    runner: &mut dyn Runner,
    memo: &mut Memo,
    progress: &mut dyn Progress,
) -> Result<Checked<Draft>, Unavailable> {
    let mut diagnostics = Vec::new();
    let book = memo.books.get(&outside_chapters(input), parse::book);
    diagnostics.extend_from_slice(&book.diagnostics);
    let book = &book.value;

    let sources = chapters(book, input, &mut diagnostics);
    progress.begin(Phase::Parse, sources.len());
    let documents = memo.documents.get_all(&sources, |it| parse::document(it));
    diagnostics.extend(documents.iter().flat_map(|it| it.diagnostics.iter().cloned()));
    let trees: Vec<&Document> = documents.iter().map(|it| &it.value).collect();

    diagnostics.extend(prose_of(book, input, &sources, &trees, memo));

    let source = |path: &str| input.sources.get(&FileId::new(path));
    let Checked { value: (package, outputs), diagnostics: told } =
        outputs(input, book, options.values, &trees, runner, progress)?;
    let sound = told.iter().all(|it| it.severity != Severity::Error);
    diagnostics.extend(told);
    let shown = trees.iter().map(|it| eval::of_chapter(&outputs, it)).collect();

    let settings = &book.settings;
    let about =
        eval::About { title: &settings.title, license: &settings.license, documents: &trees };
    let code = eval::published(&package, about);
    let code_name = (!code.is_empty()).then(|| format!("{}.zip", code_folder(&settings.title)));

    progress.begin(Phase::Link, trees.len());
    let works = source("references.bib").map(|it| memo.works.get(&it, |it| cite::library(it)));
    diagnostics.extend(works.iter().flat_map(|it| it.diagnostics.iter().cloned()));
    let none = Bibliography::default();
    let linked = link::book(&link::Whole {
        book,
        summary: source("SUMMARY.md"),
        documents: &trees,
        bibliography: works.as_deref().map_or(&none, |it| &it.value),
        files: &input
            .assets
            .keys()
            .cloned()
            .chain(code_name.iter().map(|it| FileId::new(it)))
            .collect(),
        broken: &broken(input, &mut memo.pictures),
    })
    .take(&mut diagnostics);

    let engine = engine(book, input, &mut diagnostics);
    let pdf = options.pdf.then(|| pdf_name(&book.settings.title));
    let contents = linked.index.contents.clone();
    let frame = Frame::new(
        book.clone(),
        contents,
        input.theme.clone(),
        engine,
        Downloads { pdf, code: code_name },
    );
    diagnostics.sort();
    diagnostics.dedup();
    Ok(Checked {
        value: Draft { documents, package, code, outputs, sound, shown, linked, frame },
        diagnostics,
    })
}

/// What is noticed about the prose of the chapters.
fn prose_of(
    book: &Book,
    input: &Input,
    sources: &[&Source],
    documents: &[&Document],
    memo: &mut Memo,
) -> Vec<Diagnostic> {
    let wanted = &book.settings.prose;
    if *wanted == Prose::default() {
        return Vec::new();
    }
    let list = input.sources.get(&FileId::new(prose::WORDS));
    let list = list.filter(|_| wanted.spelling.is_some());
    let known = list.map(|it| memo.words.get(&it, |it| prose::known(it)));
    let none = Checked::default();
    let Checked { value: words, diagnostics } = known.as_deref().unwrap_or(&none);
    let both = sources.iter().zip(documents);
    let chapters: Vec<_> =
        both.map(|(source, document)| prose::Chapter::new(book, source, document, words)).collect();
    let found = memo.prose.get_all(&chapters, |it| prose::chapter(it));
    let mut out = diagnostics.clone();
    out.extend(found.iter().flat_map(|it| it.diagnostics.iter().cloned()));
    if let Some(list) = list {
        let used = found.iter().flat_map(|it| &it.value).map(|it| &it[..]).collect();
        out.extend(prose::unused(list, words, &used));
    }
    out
}

/// The files that snippets may read: path → bytes.
fn data(input: &Input) -> BTreeMap<&str, &[u8]> {
    let texts = input.sources.iter().map(|it| (it.0.path(), it.1.text.as_bytes()));
    let all = texts.chain(input.assets.iter().map(|it| (it.0.path(), &it.1[..])));
    all.filter(|it| it.0.starts_with("data/")).collect()
}

/// The snippets of the book and what they show.
fn outputs(
    input: &Input,
    book: &Book,
    values: Values,
    documents: &[&Document],
    runner: &mut dyn Runner,
    progress: &mut dyn Progress,
) -> Result<Checked<(Package, Outputs)>, Unavailable> {
    let mut diagnostics = Vec::new();
    let source = |path: &str| input.sources.get(&FileId::new(path));
    let (manifest, lock) = (source("Cargo.toml"), source(eval::LOCK));
    let mut package =
        eval::package(documents, manifest, source("Cargo.lock")).take(&mut diagnostics);
    let data = data(input);
    if !data.is_empty() {
        package = package.with_data(fingerprint(&data));
    }
    progress.begin(Phase::Run, package.units.len());
    let outputs = match values {
        Values::Frozen => eval::frozen(&package, lock, documents),
        Values::Computed => eval::outputs(&package, &runner.run(&package)?, documents),
        Values::Locked => {
            let runs = runner.run(&package)?;
            let outputs = eval::outputs(&package, &runs, documents).take(&mut diagnostics);
            eval::compared(&package, &runs, outputs, lock, book.settings.tolerance.0.0)
        }
    };
    let outputs = outputs.take(&mut diagnostics);
    Ok(Checked { value: (package, outputs), diagnostics })
}

/// Everything that is not a chapter's text: what the book is follows from it.
fn outside_chapters(input: &Input) -> BTreeMap<FileId, Source> {
    let is_chapter = |it: &FileId| it.path().ends_with(".md") && !it.path().ends_with("SUMMARY.md");
    let is_apart = |it: &FileId| [eval::LOCK, prose::WORDS].contains(&it.path());
    let other = |it: &(&FileId, &Source)| !is_chapter(it.0) && !is_apart(it.0);
    let mut out: BTreeMap<FileId, Source> =
        input.sources.iter().filter(other).map(|it| (it.0.clone(), it.1.clone())).collect();
    // The outline is checked against the files that there are, not against what they say.
    for file in input.sources.keys().filter(|it| is_chapter(it)) {
        out.insert(file.clone(), Source::new(file.path(), ""));
    }
    out
}

/// The sources of the chapters, each once, in book order.
fn chapters<'a>(
    book: &Book,
    input: &'a Input,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<&'a Source> {
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for entry in &book.outline {
        let Entry::Chapter(chapter) = entry else { continue };
        let source = chapter.file.as_ref().and_then(|it| input.sources.get(it));
        // `parse::book` has reported a file that is missing or named twice.
        out.extend(source.filter(|it| seen.insert(it.file.clone())));
    }
    if out.is_empty() && !diagnostics.iter().any(|it| it.severity == Severity::Error) {
        let place = Place { file: FileId::new("SUMMARY.md"), span: Span::NONE };
        diagnostics.push(
            Diagnostic::error(EMPTY, place, "no chapter of the book is written yet")
                .help("give one a file in SUMMARY.md: `- [Title](file.md)`"),
        );
    }
    out
}

/// The pictures that cannot be shown, with what is wrong.
fn broken(input: &Input, pictures: &mut Table<Option<String>>) -> BTreeMap<FileId, String> {
    let assets: Vec<_> = input.assets.iter().collect();
    let faults = pictures.get_all(&assets, |it| picture::fault(it.0, it.1));
    let found = assets.iter().zip(faults);
    found.filter_map(|(it, fault)| Some((it.0.clone(), (*fault).clone()?))).collect()
}

fn engine(book: &Book, input: &Input, diagnostics: &mut Vec<Diagnostic>) -> Engine {
    let (engine, faults) = Engine::new(&book.macros);
    for (name, fault) in faults {
        let of_macros = input.sources.values().filter(|it| it.file.stem() == "macros");
        let place = of_macros
            .filter_map(|it| Some(it.place(macro_name(&it.text, &name)?)))
            .next()
            .unwrap_or(Place { file: FileId::new("macros.tex"), span: Span::NONE });
        let mut diagnostic = Diagnostic::error(MACRO, place, fault.message);
        let help = || format!("give `{name}` another body");
        diagnostic.help = Some(fault.help.unwrap_or_else(help));
        diagnostics.push(diagnostic);
    }
    engine
}

/// Where `text` names the macro `name` first: `\a` is not the beginning of `\alpha`.
fn macro_name(text: &str, name: &str) -> Option<Span> {
    let ends = |at: usize| !text[at..].starts_with(|it: char| it.is_ascii_alphabetic());
    let mut found = text.match_indices(name).map(|it| Span::new(it.0, it.0 + name.len()));
    found.find(|it| ends(it.range().end))
}

/// Renders the pages and typesets the PDF, side by side.
fn site(
    draft: &Draft,
    input: &Input,
    options: Options,
    memo: &mut Memo,
    diagnostics: &mut Vec<Diagnostic>,
) -> Site {
    let Memo { pages, whole, found, searches, archives, pdfs, .. } = memo;
    let ((chapters, whole, search), pdf) = rayon::join(
        || {
            let chapters = chapter_pages(draft, pages);
            let whole = whole_pages(draft, &chapters, whole);
            (chapters, whole, search_files(draft, found, searches))
        },
        || pdf(draft, input, options, pdfs),
    );
    let mut site = Site::new();
    for (file, bytes) in &input.assets {
        site.insert(file.path().to_owned(), bytes.clone());
    }
    for (path, bytes) in &input.theme.assets {
        site.insert(path.clone(), bytes.clone());
    }
    diagnostics.extend(chapters.iter().flat_map(|it| &it.diagnostics).cloned());
    diagnostics.extend_from_slice(&whole.diagnostics);
    let all: Vec<&Page> = chapters.iter().map(|it| &it.value).chain(&whole.value).collect();
    for (path, text) in render::shared(&all) {
        site.insert(path, text.into_bytes().into());
    }
    for (path, html) in render::previews(&all) {
        site.insert(path, html.into());
    }
    for page in all {
        site.insert(page.path.clone(), page.html.clone().into());
    }
    site.extend(search.iter().map(|it| (it.0.clone(), it.1.clone())));
    site.insert("values.json".into(), eval::values_json(&draft.outputs).into_bytes().into());
    let formulas = link::formulas_json(&draft.linked.index);
    site.insert("formulas.json".into(), formulas.into_bytes().into());
    if let Some(path) = &draft.frame.downloads.code {
        site.insert(path.clone(), archive(draft, input, archives)[..].into());
    }
    if let (Some(pdf), Some(path)) = (pdf, &draft.frame.downloads.pdf) {
        diagnostics.extend_from_slice(&pdf.diagnostics);
        if let Some(bytes) = &pdf.value {
            site.insert(path.clone(), bytes[..].into());
        }
    }
    site
}

/// The code of the book as an archive, with the data that it reads, and with the author's licence
/// if there is a file of it.
fn archive(draft: &Draft, input: &Input, archives: &mut Table<Vec<u8>>) -> Arc<Vec<u8>> {
    let folder = code_folder(&draft.frame.book.settings.title);
    let code = draft.code.iter().map(|it| (it.0.clone(), it.1.clone().into_bytes()));
    let is_license = |it: &&FileId| it.path().starts_with("LICENSE") && !it.path().contains('/');
    let licenses = input.assets.keys().filter(is_license);
    let licenses = licenses.map(|it| (it.path().to_owned(), input.assets[it].to_vec()));
    let data = data(input).into_iter().map(|it| (it.0.to_owned(), it.1.to_vec()));
    let files = code.chain(data).chain(licenses).collect();
    archives.get(&(folder, files), |it| archive::pack(&it.0, &it.1))
}

fn chapter_pages(draft: &Draft, pages: &mut Table<Checked<Page>>) -> Vec<Arc<Checked<Page>>> {
    let parts = draft.documents.iter().zip(&draft.shown).zip(&draft.linked.links);
    let chapter = |((document, outputs), links)| {
        let document: &Arc<Checked<Document>> = document;
        render::Chapter { frame: &draft.frame, document: &document.value, outputs, links }
    };
    let chapters: Vec<render::Chapter<'_>> = parts.map(chapter).collect();
    pages.get_all(&chapters, |it| render::page(it))
}

fn whole_pages(
    draft: &Draft,
    chapters: &[Arc<Checked<Page>>],
    pages: &mut Table<Checked<Vec<Page>>>,
) -> Arc<Checked<Vec<Page>>> {
    let Draft { frame, outputs, linked, .. } = draft;
    let drawn = chapters.iter().flat_map(|it| &it.value.drawn).collect();
    let key = render::Whole { frame, index: &linked.index, outputs, drawn: &drawn };
    pages.get(&key, |it| render::whole(it))
}

/// The files of the search index.
fn search_files(
    draft: &Draft,
    found: &mut Table<search::Part>,
    searches: &mut Table<Site>,
) -> Arc<Site> {
    let (engine, book) = (&draft.frame.engine, &draft.frame.book);
    let language = &book.settings.language[..];
    let parts = draft.documents.iter().zip(&draft.shown).zip(&draft.linked.links);
    let chapter = |((document, outputs), links)| {
        let document: &Arc<Checked<Document>> = document;
        search::Chapter { engine, language, document: &document.value, outputs, links }
    };
    let chapters: Vec<search::Chapter<'_>> = parts.map(chapter).collect();
    let mut parts = found.get_all(&chapters, |it| search::chapter(it));
    let notation = search::Notation { engine, language, symbols: &book.notation };
    parts.push(found.get(&notation, |it| search::notation(it)));
    let parts: Vec<&search::Part> = parts.iter().map(|it| &**it).collect();
    searches.get(&search::Whole { engine, language, parts: &parts }, |it| search::files(it))
}

type Pdf = Checked<Option<Vec<u8>>>;

#[cfg(feature = "pdf")]
fn pdf(draft: &Draft, input: &Input, options: Options, pdfs: &mut Table<Pdf>) -> Option<Arc<Pdf>> {
    if !options.pdf {
        return None;
    }
    let parts = draft.documents.iter().zip(&draft.shown).zip(&draft.linked.links);
    let chapter = |((document, outputs), links)| {
        let document: &Arc<Checked<Document>> = document;
        typeset::Chapter { document: &document.value, outputs, links }
    };
    let volume = typeset::Volume {
        book: &draft.frame.book,
        chapters: parts.map(chapter).collect(),
        index: &draft.linked.index,
        engine: &draft.frame.engine,
        assets: &input.assets,
        fonts: fonts(&input.theme),
    };
    Some(pdfs.get(&volume, |it| typeset::pdf(it)))
}

/// The fonts that a book brings for the PDF.
#[cfg(feature = "pdf")]
fn fonts(theme: &Theme) -> BTreeMap<&str, &Arc<[u8]>> {
    let is_font = |path: &str| {
        let ending = path.rsplit_once('.').map_or("", |it| it.1);
        path.starts_with("fonts/") && ["otf", "ttc", "ttf"].contains(&ending)
    };
    let assets = theme.assets.iter().map(|(path, bytes)| (&path[..], bytes));
    assets.filter(|it| is_font(it.0)).collect()
}

#[cfg(not(feature = "pdf"))]
fn pdf(_: &Draft, _: &Input, _: Options, _: &mut Table<Pdf>) -> Option<Arc<Pdf>> {
    None
}

/// The name of the PDF: the title in lower case with hyphens.
fn pdf_name(title: &str) -> String {
    let slug = parse::slug(title);
    format!("{}.pdf", if slug.is_empty() { "book" } else { &slug })
}

/// The folder in the archive of the code: the title as for the PDF.
fn code_folder(title: &str) -> String {
    let slug = parse::slug(title);
    format!("{}-code", if slug.is_empty() { "book" } else { &slug })
}

fn sweep(memo: &mut Memo) {
    memo.books.sweep();
    memo.documents.sweep();
    memo.works.sweep();
    memo.pictures.sweep();
    memo.words.sweep();
    memo.prose.sweep();
    memo.pages.sweep();
    memo.whole.sweep();
    memo.found.sweep();
    memo.searches.sweep();
    memo.archives.sweep();
    memo.pdfs.sweep();
}
