//! Arguments to a command to an exit code.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Parser, Subcommand, ValueEnum};
use reckoner::coverage::{self, Row};
use reckoner::diag::{Checked, Diagnostic, Severity};
use reckoner::eval::LOCK;
use reckoner::ir::Document;
use reckoner::pipeline::{self, Draft, Input, Memo, Options, Phase, Progress, Site, Values};
use reckoner::project::{self, Failure};
use reckoner::report::{self, Bar, Format, Manner};
use reckoner::runner::{Limits, Local};
use reckoner::source::FileId;
use reckoner::{create, dist, explain, runner, serve};

/// The book is as its author wants it.
const FINE: u8 = 0;
/// The book has errors.
const BOOK: u8 = 1;
/// The surroundings failed: a file, the disk, the compiler, a port.
const SURROUNDINGS: u8 = 2;

/// Compiles Markdown, mathematics and Rust snippets into a linked textbook.
///
/// A book is a folder with SUMMARY.md (its outline), book.toml (its title and the like) and a
/// Markdown file for each chapter. `reckoner build` makes a static site and a PDF of it: formulas
/// are numbered and linked, snippets are run and their numbers put into the text.
///
/// Exit codes: 0 all is fine, 1 the book has errors, 2 the surroundings failed (a file cannot be
/// read or written, there is no compiler, no port is free) or the command line is wrong. Warnings
/// and notes do not change it.
///
/// NO_COLOR=1 turns colors off. Results of snippets are kept in target/reckoner beside the book
/// folder, and only changed snippets run again.
#[derive(Debug, Parser)]
#[command(name = "reckoner", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Makes the site and the PDF.
    ///
    /// The new site is written beside the old one and takes its place when it is whole; if the
    /// book has errors the best possible site is written all the same, and the exit code is 1.
    ///
    /// What the snippets show is kept in outputs.lock in the book folder, to be committed with it. A
    /// build writes that file if no snippet failed.
    Build {
        #[command(flatten)]
        book: BookArgs,
        /// Where the site goes. A folder that no build made is never replaced.
        #[arg(long, value_name = "DIR", default_value = "dist")]
        out: PathBuf,
        #[command(flatten)]
        values: ValueArgs,
    },
    /// Does everything that `build` does, but writes no site.
    ///
    /// If the book has a course outline, a table says what is written of each module: topics,
    /// formulas (of those that labels.toml lists), snippets, figures, exercises, and words of running
    /// text. With `--format json` it is one object on a line of its own, `"kind": "coverage"`.
    Check {
        #[command(flatten)]
        book: BookArgs,
        #[command(flatten)]
        values: ValueArgs,
    },
    /// Shows the book in a browser and rebuilds it at every change.
    ///
    /// The site is kept in memory. The page reloads when a build is ready. What is wrong with the
    /// book is shown in the terminal and on the page; while the book cannot be read or built at
    /// all, the last site stays.
    Serve {
        #[command(flatten)]
        book: BookArgs,
        /// The port. If it is taken, the next free one is used and said.
        #[arg(long, value_name = "PORT", default_value_t = 3000)]
        port: u16,
    },
    /// Makes a small book that builds, to start from.
    New {
        /// The folder to make. It must not exist, or be empty.
        dir: PathBuf,
    },
    /// Explains a diagnostic by its code, as `link-unknown-label`.
    Explain {
        /// The code in brackets after `error` or `warning`; without it, all codes are listed.
        code: Option<String>,
    },
    /// Removes the site and the kept results of snippets.
    Clean {
        /// The book folder.
        #[arg(long, value_name = "DIR", default_value = "book")]
        book: PathBuf,
        /// Where the site is.
        #[arg(long, value_name = "DIR", default_value = "dist")]
        out: PathBuf,
    },
}

#[derive(Debug, Args)]
struct BookArgs {
    /// The book folder.
    #[arg(long, value_name = "DIR", default_value = "book")]
    book: PathBuf,
    /// Leaves the PDF out, which is most of the time of a small change.
    #[arg(long)]
    no_pdf: bool,
    /// How diagnostics are printed: `human` with excerpts to standard error, `json` one object a
    /// line to standard output.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Output,
    /// Prints diagnostics only: no progress, no summary.
    #[arg(long, short)]
    quiet: bool,
    /// Prints notes too, such as references to chapters that are planned.
    #[arg(long)]
    notes: bool,
}

#[derive(Clone, Copy, Debug, Args)]
struct ValueArgs {
    /// Runs the snippets and fails where they do not show what outputs.lock has, which is not
    /// changed.
    #[arg(long, conflicts_with = "frozen")]
    locked: bool,
    /// Takes all that the snippets show from outputs.lock. No compiler and no snippet is started.
    #[arg(long)]
    frozen: bool,
}

impl ValueArgs {
    fn values(self) -> Values {
        match self {
            Self { frozen: true, .. } => Values::Frozen,
            Self { locked: true, .. } => Values::Locked,
            Self { .. } => Values::Computed,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Output {
    Human,
    Json,
}

impl BookArgs {
    fn options(&self, values: Values) -> Options {
        Options { pdf: !self.no_pdf && cfg!(feature = "pdf"), values }
    }

    fn manner(&self) -> Manner<'_> {
        let format = match self.format {
            Output::Human => Format::Human,
            Output::Json => Format::Json,
        };
        Manner { format, notes: self.notes, quiet: self.quiet, book: &self.book }
    }
}

fn main() -> ExitCode {
    // We may have been started to be something else.
    if let Some(code) = runner::enter(std::env::args_os()) {
        return code;
    }
    let cli = Cli::parse();
    let code = match cli.command {
        Command::Build { book, out, values } => build(&book, values.values(), Some(&out)),
        Command::Check { book, values } => build(&book, values.values(), None),
        Command::Serve { book, port } => serve_book(&book, port),
        Command::New { dir } => create::book(&dir).map(|()| {
            let (name, quoted) = (dir.display(), report::shell(&dir));
            report::line(&format!(
                "made a book in {name}; `cd {quoted} && reckoner serve` shows it"
            ));
            FINE
        }),
        Command::Explain { code } => Ok(explain_code(code.as_deref())),
        Command::Clean { book, out } => clean(&book, &out),
    };
    match code {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            report::error_line(&format!("error: {failure}"));
            ExitCode::from(SURROUNDINGS)
        }
    }
}

/// Where results of snippets are kept: beside the book folder.
fn kept(book: &Path) -> PathBuf {
    let book = std::path::absolute(book).unwrap_or_else(|_| book.to_owned());
    book.parent().unwrap_or(Path::new(".")).join("target/reckoner")
}

fn build(args: &BookArgs, values: Values, out: Option<&Path>) -> Result<u8, Failure> {
    let start = clock();
    let read = project::read(&args.book)?;
    let mut bar = Bar::new(args.quiet);
    let built = line(args, values, &read.value, &mut bar);
    bar.finish();
    let Built { site, lock, coverage, mut diagnostics } = built?;
    diagnostics.extend(read.diagnostics);
    diagnostics.sort();
    report::diagnostics(&diagnostics, &read.value.sources, args.manner());
    if out.is_none() {
        report::coverage(&coverage, args.manner());
    }
    // A site without a chapter takes the place of none.
    if let Some(out) = out.filter(|_| !site.is_empty()) {
        dist::write(&site, out)?;
        if let Some(lock) = lock.filter(|_| values == Values::Computed) {
            keep(&lock, &args.book, &read.value)?;
        }
    }
    if !args.quiet {
        let seconds = start.elapsed().as_secs_f64();
        report::error_line(&format!("{} in {seconds:.1} s", summary(&site, out)));
    }
    Ok(exit_code(&diagnostics))
}

/// Writes what the snippets showed into the book folder, if that has changed.
fn keep(lock: &str, book: &Path, input: &Input) -> Result<(), Failure> {
    let before = input.sources.get(&FileId::new(LOCK));
    if before.is_some_and(|it| *it.text == *lock) {
        return Ok(());
    }
    dist::put_whole(&book.join(LOCK), lock.as_bytes())
        .map_err(|it| it.help("`--locked` and `--frozen` write nothing into the book folder"))
}

/// `wrote dist: 8 pages, 40 files, 1.2 MB`.
fn summary(site: &Site, out: Option<&Path>) -> String {
    if site.is_empty() && out.is_some() {
        return "wrote nothing, since no chapter could be read; stopped".to_owned();
    }
    let pages = site.keys().filter(|it| it.ends_with(".html")).count();
    let bytes: usize = site.values().map(|it| it.len()).sum();
    let verb = out.map_or("checked".to_owned(), |it| format!("wrote {}:", it.display()));
    let size = bytes as f64 / 1e6;
    let without = if site.keys().any(|it| it.ends_with(".pdf")) { "" } else { ", no PDF" };
    format!("{verb} {pages} pages, {} files, {size:.1} MB{without}", site.len())
}

#[expect(clippy::disallowed_methods, reason = "the time of a build is shown, never used")]
fn clock() -> Instant {
    Instant::now()
}

fn exit_code(diagnostics: &[Diagnostic]) -> u8 {
    let wrong = diagnostics.iter().any(|it| it.severity == Severity::Error);
    if wrong { BOOK } else { FINE }
}

/// What compiles and runs the snippets of a book. Where it cannot confine them it says so once.
fn local(args: &BookArgs) -> Local {
    let mut runner = Local::new(kept(&args.book), Limits::default()).data(args.book.join("data"));
    if let Ok(own) = std::env::current_exe() {
        runner = runner.confined_by(own);
    }
    if let Some(gap) = runner.gap().filter(|_| !args.quiet) {
        report::error_line(&format!("note: snippets are not sandboxed: {gap}"));
    }
    runner
}

/// What a build gave.
struct Built {
    site: Site,
    /// What `outputs.lock` should be.
    lock: Option<String>,
    /// What is written of each module of the course.
    coverage: Vec<Row>,
    diagnostics: Vec<Diagnostic>,
}

fn line(
    args: &BookArgs,
    values: Values,
    input: &Input,
    progress: &mut dyn Progress,
) -> Result<Built, Failure> {
    let options = args.options(values);
    let mut runner = match values {
        // It will not be asked for anything.
        Values::Frozen => Local::new(kept(&args.book), Limits::default()),
        Values::Computed | Values::Locked => local(args),
    };
    let mut memo = Memo::default();
    progress.begin(Phase::Parse, input.sources.len());
    let draft = pipeline::draft(input, options, &mut runner, &mut memo, progress)
        .map_err(serve::unavailable)?;
    let lock = draft.value.lock();
    let Draft { frame, documents, linked, .. } = &draft.value;
    let documents: Vec<&Document> = documents.iter().map(|it| &it.value).collect();
    let coverage = coverage::modules(&frame.book, &documents, &linked.index);
    let Checked { value: site, diagnostics } =
        pipeline::finish(&draft, input, options, &mut memo, progress);
    Ok(Built { site, lock, coverage, diagnostics })
}

fn serve_book(args: &BookArgs, port: u16) -> Result<u8, Failure> {
    serve::book(args.manner(), args.options(Values::Computed), local(args), port)?;
    Ok(FINE)
}

fn explain_code(code: Option<&str>) -> u8 {
    match code {
        None => {
            for explained in explain::all() {
                report::line(explained.code.0);
            }
            FINE
        }
        Some(code) => match explain::text(code) {
            Ok(text) => {
                report::line(text);
                FINE
            }
            Err(message) => {
                report::error_line(&format!("error: {message}"));
                SURROUNDINGS
            }
        },
    }
}

fn clean(book: &Path, out: &Path) -> Result<u8, Failure> {
    project::find(book)?;
    for stays in dist::clean(out)? {
        let stays = stays.display();
        report::error_line(&format!("`{stays}` stays, since no build put it there"));
    }
    let kept = kept(book);
    match std::fs::remove_dir_all(&kept) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::at("remove", &kept, &error))
        }
        Ok(()) | Err(_) => Ok(FINE),
    }
}
