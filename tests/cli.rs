//! The real program, as an author meets it: commands, exit codes, bad input, a hostile disk.

#![expect(clippy::disallowed_methods, reason = "tests are outside of the line")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_reckoner");

/// Nothing may take longer, on the slowest machine with every core taken.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder with a book in `book/`, in which commands are run.
struct Desk {
    folder: TempDir,
}

/// What a command did.
struct Done {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            desk.write(path, text.as_bytes());
        }
        desk
    }

    /// A book of one chapter.
    fn of(chapter: &str) -> Self {
        Self::new(&[
            ("book/SUMMARY.md", "- [One](one.md)\n"),
            ("book/book.toml", "title = \"Case\"\nlanguage = \"en\"\n"),
            ("book/one.md", chapter),
        ])
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path()).env("NO_COLOR", "1");
        command
    }

    /// Runs the program with words split at spaces.
    fn run(&self, arguments: &str) -> Done {
        let arguments: Vec<_> = arguments.split(' ').filter(|it| !it.is_empty()).collect();
        finished(self.command(PROGRAM, &arguments))
    }

    /// Runs a line of bash in which `$0` is the program.
    fn bash(&self, line: &str) -> Done {
        finished(self.command("bash", &["-c", line, PROGRAM]))
    }

    fn build(&self) -> Done {
        self.run("build --no-pdf")
    }

    /// Every file below a folder with its bytes.
    fn tree(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        fn walk(folder: &Path, out: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, out);
                } else {
                    out.insert(path.clone(), fs::read(&path).unwrap());
                }
            }
        }
        let mut out = BTreeMap::new();
        walk(&self.path(folder), &mut out);
        out
    }
}

/// Waits for a command, but not for ever.
fn finished(mut command: Command) -> Done {
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let out = reader(child.stdout.take().unwrap());
    let err = reader(child.stderr.take().unwrap());
    let status = waited(&mut child);
    Done { code: status.code(), out: out.join().unwrap(), err: err.join().unwrap() }
}

fn reader(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    })
}

fn waited(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the program hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

impl Done {
    #[track_caller]
    fn code(&self, code: i32) -> &Self {
        assert!(!self.err.contains("panicked"), "{}", self.err);
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    /// Standard error has each of `parts`.
    #[track_caller]
    fn says(&self, parts: &[&str]) -> &Self {
        for part in parts {
            assert!(self.err.contains(part), "no `{part}` in\n{}", self.err);
        }
        self
    }
}

const FINE: &str = "# One\n\n$$ a $$ {#eq:a}\n\nBy [](#eq:a).\n";

// Commands.

#[test]
fn build_makes_a_site_and_says_so() {
    let desk = Desk::of(FINE);
    let done = desk.build();
    done.code(0).says(&["wrote dist: ", " pages, ", " MB", " in "]);
    assert_eq!(done.out, "");
    let site = desk.tree("dist");
    for path in ["one.html", "values.json", "formulas.json", ".reckoner"] {
        assert!(site.contains_key(&desk.path("dist").join(path)), "no {path}");
    }
    let hidden = fs::read_dir(desk.folder.path()).unwrap();
    let hidden =
        hidden.filter(|it| it.as_ref().unwrap().file_name().to_str().unwrap().starts_with('.'));
    assert_eq!(hidden.count(), 0, "nothing is left beside the site");
}

#[test]
fn two_builds_are_equal() {
    let desk = Desk::of(FINE);
    desk.build().code(0);
    let first = desk.tree("dist");
    desk.build().code(0);
    assert_eq!(desk.tree("dist"), first);
    desk.run("build --no-pdf --out other").code(0);
    let rest = |tree: BTreeMap<PathBuf, Vec<u8>>| tree.into_values().collect::<Vec<_>>();
    assert_eq!(rest(desk.tree("other")), rest(first));
}

#[test]
fn the_site_is_not_a_source_of_the_book_wherever_it_is() {
    let desk = Desk::of(FINE);
    desk.run("build --no-pdf --out book/site").code(0);
    let first = desk.tree("book/site");
    desk.run("build --no-pdf --out book/site").code(0);
    assert_eq!(desk.tree("book/site"), first);
}

#[test]
fn check_writes_nothing() {
    let desk = Desk::of(FINE);
    desk.run("check --no-pdf").code(0).says(&["checked "]);
    assert!(!desk.path("dist").exists() && !desk.path("target").exists());
}

/// A book with a course of two modules, the first of which is written.
fn course() -> Desk {
    Desk::new(&[
        ("book/SUMMARY.md", "- [One](one.md)\n- [Two]()\n"),
        ("book/book.toml", "title = \"Case\"\nlanguage = \"en\"\n"),
        (
            "book/outline.toml",
            "[[module]]\nnumber = 1\ntitle = \"One\"\nid = \"one\"\ntopics = [\"A\"]\n\
             [[module]]\nnumber = 2\ntitle = \"Two\"\nid = \"two\"\ntopics = [\"B\", \"C\"]\n",
        ),
        (
            "book/labels.toml",
            "[one]\n\"eq:a\" = \"A\"\n[two]\n\"eq:b\" = \"B\"\n\"eq:c\" = \"C\"\n",
        ),
        (
            "book/one.md",
            "+++\n[topics]\n\"A\" = \"sec:a\"\n+++\n# One\n\n## The topic {#sec:a}\n\nThree more words.\n\n\
             ```math {#eq:a name=\"A\"}\na\n```\n\n![Alt](x.svg)\nCaption.\n\n> [!exercise]\n> Do it.\n",
        ),
        ("book/x.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
    ])
}

#[test]
fn check_says_what_is_written_of_a_course() {
    let desk = course();
    let table = "   Module  Topics  Formulas  Snippets  Figures  Exercises  Words\n\
                 -  ------  ------  --------  --------  -------  ---------  -----\n\
                 1  One        1/1       1/1         0        1          1      3\n\
                 2  Two        0/2         -         -        -          -      -\n\
                 -  ------  ------  --------  --------  -------  ---------  -----\n   \
                 Total      1/3       1/3         0        1          1      3\n";
    let done = desk.run("check --no-pdf");
    done.code(0);
    let (_, end) = done.err.split_once(table).unwrap_or_else(|| panic!("{}", done.err));
    assert!(end.starts_with("checked ") && end.lines().count() == 1, "{}", done.err);
    assert_eq!(done.out, "");

    let json = desk.run("check --no-pdf --format json");
    assert!(!json.code(0).err.contains("Module"), "{}", json.err);
    let lines: Vec<serde_json::Value> =
        json.out.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let tables: Vec<_> = lines.iter().filter(|it| it["kind"] == "coverage").collect();
    assert_eq!(tables.len(), 1, "{}", json.out);
    assert!(tables[0].get("code").is_none(), "{}", json.out);
    assert_eq!(tables[0]["total"]["written"]["words"], 3);
    assert_eq!(tables[0]["modules"][1]["written"], serde_json::Value::Null);
}

#[test]
fn only_a_check_of_a_course_has_a_table() {
    let desk = course();
    for arguments in ["check --no-pdf --quiet", "check --no-pdf --quiet --format json"] {
        let done = desk.run(arguments);
        let done = done.code(0);
        assert!(!done.err.contains("Topics") && !done.out.contains("coverage"), "{}", done.err);
    }
    assert!(!desk.build().code(0).err.contains("Topics"));
    assert!(!Desk::of(FINE).run("check --no-pdf").code(0).err.contains("Topics"));
}

#[test]
fn the_list_of_words_is_a_source_and_no_file_of_the_site() {
    let desk = Desk::of("# One\n\nThe wrod and the thign.\n");
    desk.write("book/book.toml", b"title = \"Case\"\n[prose]\nspelling = \"en-US\"\n");
    desk.write("book/words.txt", b"thign\n");
    let done = desk.build();
    done.code(0).says(&["warning[prose-spelling]", "`wrod`", "--> book/one.md:3:5", "`word`"]);
    assert!(!done.err.contains("`thign`"), "{}", done.err);
    assert!(!desk.path("dist/words.txt").exists());
}

#[test]
fn errors_make_exit_code_1_and_the_site_all_the_same() {
    let desk = Desk::of("# One\n\nBy [](#eq:none).\n");
    let place = "--> book/one.md:3:4";
    desk.build().code(1).says(&["error[link-unknown-label]", place, "^^^^^^^^^^^^", "1 error\n"]);
    assert!(desk.path("dist/one.html").exists());
    desk.run("check --no-pdf").code(1).says(&[place]);
}

#[test]
fn warnings_and_notes_make_exit_code_0() {
    let desk = Desk::of("# One\n\nBy \\ref{x}. <b>Raw</b>\n");
    let done = desk.build();
    done.code(0).says(&["warning[parse-prose-tex]", "1 warning, ", "`--notes` shows the notes"]);
    assert!(!done.err.contains("note["), "{}", done.err);
    desk.run("build --no-pdf --notes").code(0).says(&["note[parse-raw-html]"]);
}

#[test]
fn quiet_says_what_is_wrong_and_nothing_else() {
    let fine = Desk::of(FINE).run("build --no-pdf --quiet");
    assert_eq!((fine.code, fine.out, fine.err), (Some(0), String::new(), String::new()));
    let wrong = Desk::of("# One\n\n[](#eq:none)\n").run("build --no-pdf -q");
    wrong.code(1).says(&["error[link-unknown-label]"]);
    assert!(!wrong.err.contains("wrote"));
}

#[test]
fn json_is_one_object_a_line() {
    let desk = Desk::of("# One\n\nä [](#eq:none)\n\n$$ a $$ {#eq:a}\n\n$$ b $$ {#eq:a}\n");
    let done = desk.run("build --no-pdf --format json");
    done.code(1);
    let list: Vec<serde_json::Value> =
        done.out.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(list.len(), 2);
    let (unknown, twice) = (&list[0], &list[1]);
    assert_eq!(unknown["code"], "link-unknown-label");
    assert_eq!(unknown["severity"], "error");
    let place = &unknown["place"];
    assert_eq!((&place["file"], &place["line"]), (&"book/one.md".into(), &3.into()));
    assert_eq!((&place["column"], &place["end_column"]), (&3.into(), &15.into()));
    assert!(unknown["text"].as_str().unwrap().contains("^^^^^^^^^^^^"));
    assert_eq!(twice["related"][0]["place"]["line"], 5);
    assert!(!done.err.contains("error["), "diagnostics stand in one stream only");
}

#[test]
fn a_new_book_builds_without_a_word() {
    let desk = Desk::new(&[]);
    desk.run("new my/book").code(0);
    let built = finished({
        let mut command = desk.command(PROGRAM, &["build", "--no-pdf", "--quiet", "--notes"]);
        command.current_dir(desk.path("my/book"));
        command
    });
    assert_eq!((built.code, built.out, built.err), (Some(0), String::new(), String::new()));
    assert!(desk.path("my/book/.gitignore").exists());
    let values = fs::read_to_string(desk.path("my/book/dist/values.json")).unwrap();
    assert!(values.contains("\"mean\": {"), "{values}");
    desk.run("new my").code(2).says(&["cannot make a book in `my`", "not empty", "help: "]);
    desk.run("new my/book/README.md").code(2).says(&["cannot make a book"]);
}

#[test]
fn explain_knows_every_code() {
    let desk = Desk::new(&[]);
    let all = desk.run("explain");
    all.code(0);
    assert_eq!(all.out.lines().count(), reckoner::explain::all().len());
    let one = desk.run("explain link-cycle");
    one.code(0);
    assert!(one.out.contains("deps"), "{}", one.out);
    desk.run("explain link-cicle").code(2).says(&["did you mean `link-cycle`?"]);
    desk.run("explain nothing-of-the-sort").code(2).says(&["`reckoner explain` lists all"]);
}

#[test]
fn clean_removes_what_builds_made_and_nothing_else() {
    let desk = Desk::of("# One\n\n```rust {#snip:a run}\nshow!(\"x\", 1);\n```\n");
    desk.build().code(0);
    assert!(desk.path("target/reckoner").is_dir());
    desk.write("target/mine", b"mine");
    desk.run("clean").code(0);
    assert!(!desk.path("dist").exists() && !desk.path("target/reckoner").exists());
    assert!(desk.path("target/mine").exists() && desk.path("book/one.md").exists());
    desk.run("clean").code(0);
    desk.run("clean --out book").code(2).says(&["no build of a book made this folder"]);
    desk.build().code(0);
    desk.write("dist/CNAME", b"mine");
    desk.run("clean").code(0).says(&["CNAME` stays, since no build put it there"]);
    assert_eq!(desk.tree("dist").into_keys().collect::<Vec<_>>(), [desk.path("dist/CNAME")]);
    desk.run("clean --book nowhere").code(2).says(&["cannot read the book folder `nowhere`"]);
    assert!(desk.path("book/one.md").exists());
}

#[test]
fn help_is_whole() {
    let desk = Desk::new(&[]);
    let help = desk.run("--help");
    help.code(0);
    for word in ["build", "check", "serve", "new", "explain", "clean", "Exit codes", "NO_COLOR"] {
        assert!(help.out.contains(word), "no `{word}` in\n{}", help.out);
    }
    for command in ["build", "check", "serve", "new", "explain", "clean"] {
        let help = desk.run(&format!("{command} --help"));
        help.code(0);
        assert!(help.out.contains("Usage: reckoner"), "{}", help.out);
    }
    for option in ["--book", "--out", "--no-pdf", "--format", "--quiet", "--notes"] {
        assert!(desk.run("build --help").out.contains(option), "no {option}");
    }
    assert!(desk.run("--version").code(0).out.starts_with("reckoner "));
    desk.run("biuld").code(2).says(&["build"]);
    desk.run("").code(2);
}

// Bad input. Each is an error with its place and a way out; a site from before stays.

/// Builds `FINE`, breaks the book, and looks whether the site is as it was.
#[track_caller]
fn fails(breaks: impl FnOnce(&Desk), code: i32, parts: &[&str]) {
    let desk = Desk::of(FINE);
    desk.build().code(0);
    let before = desk.tree("dist");
    breaks(&desk);
    desk.build().code(code).says(parts);
    if code == 2 {
        assert_eq!(desk.tree("dist"), before, "the last site is not as it was");
    } else {
        assert!(desk.path("dist/values.json").exists());
    }
}

#[test]
fn no_book() {
    let desk = Desk::new(&[]);
    desk.build().code(2).says(&["cannot read the book folder `book`", "reckoner new DIR"]);
    desk.write("SUMMARY.md", b"");
    desk.build().code(2).says(&["`--book .`"]);
    desk.run("serve --book none").code(2).says(&["cannot read the book folder `none`"]);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file() {
    let link = |desk: &Desk, to: &str| {
        std::os::unix::fs::symlink(to, desk.path("book/two.md")).unwrap();
    };
    fails(|it| link(it, "nowhere.md"), 2, &["cannot read `book/two.md`", "help: mend the link"]);
    fails(|it| link(it, "."), 2, &["cannot read `book/two.md`", "leads to a folder that it is in"]);
    // Whoever is root can read everything.
    if fs::read("/proc/1/mem").is_err()
        && fs::metadata("/root").is_ok_and(|it| it.permissions().readonly())
    {
        let shut = |it: &Desk| {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(it.path("book/one.md"), fs::Permissions::from_mode(0o000)).unwrap();
        };
        fails(shut, 2, &["cannot read `book/one.md`"]);
    }
}

#[test]
fn a_folder_in_the_place_of_a_chapter() {
    let breaks = |desk: &Desk| {
        fs::remove_file(desk.path("book/one.md")).unwrap();
        fs::create_dir(desk.path("book/one.md")).unwrap();
    };
    fails(breaks, 1, &["error[parse-missing-chapter]", "--> book/SUMMARY.md:1:3", "help: "]);
}

#[test]
fn bytes_that_are_no_text() {
    let breaks = |desk: &Desk| desk.write("book/one.md", b"# One\n\nBad \xff\xfe here.\n");
    let parts = ["error[read-utf8]", "--> book/one.md:3:5", "3 | Bad ", "save the file as UTF-8"];
    fails(breaks, 1, &parts);
    let breaks = |desk: &Desk| desk.write("book/one.md", &[0; 5000]);
    let desk = Desk::of(FINE);
    breaks(&desk);
    desk.build();
}

#[test]
fn line_ends_make_no_difference() {
    let desk = Desk::of(
        "# One\n\n$$\na\n$$ {#eq:a}\n\n- [](#eq:a)\n\n```rust {#snip:a run}\nshow!(\"x\", 1);\n```\n",
    );
    desk.build().code(0);
    let unix = desk.tree("dist");
    for path in ["book/one.md", "book/SUMMARY.md", "book/book.toml"] {
        let text = fs::read_to_string(desk.path(path)).unwrap();
        desk.write(path, format!("\u{feff}{}", text.replace('\n', "\r\n")).as_bytes());
    }
    desk.build().code(0);
    assert_eq!(desk.tree("dist"), unix);
    desk.write("book/one.md", b"# One\r\n\r\nBad [](#eq:none)\r\n");
    desk.build().code(1).says(&["--> book/one.md:3:5"]);
}

#[test]
fn an_empty_book() {
    fails(
        |it| it.write("book/SUMMARY.md", b""),
        1,
        &["the book has no chapters", "- [Title](file.md)"],
    );
    let gone = |it: &Desk| fs::remove_file(it.path("book/SUMMARY.md")).unwrap();
    fails(gone, 1, &["SUMMARY.md", "help: "]);
    fails(|it| it.write("book/SUMMARY.md", b"- [One]()\n"), 1, &["error[book-empty]"]);
    let desk = Desk::new(&[]);
    fs::create_dir(desk.path("book")).unwrap();
    desk.build().code(1).says(&["SUMMARY.md"]);
    let desk = Desk::of("");
    desk.build();
    assert!(desk.path("dist/one.html").exists());
}

#[test]
fn a_missing_chapter() {
    let outline = "- [One](one.md)\n- [Two](tow.md)\n";
    let parts = ["error[parse-missing-chapter]", "--> book/SUMMARY.md:2:3", "`[Title]()`"];
    fails(|it| it.write("book/SUMMARY.md", outline.as_bytes()), 1, &parts);
}

#[test]
fn a_chapter_that_is_listed_twice() {
    let outline = "- [One](one.md)\n- [Again](./one.md)\n";
    let parts = ["error[parse-duplicate-chapter]", ":2:3", "it is listed here first", "help: "];
    fails(|it| it.write("book/SUMMARY.md", outline.as_bytes()), 1, &parts);
}

#[test]
fn formulas_that_rest_on_each_other() {
    let text = "# One\n\n```math {#eq:a name=\"A\" deps=\"eq:b\"}\na\n```\n\n\
                ```math {#eq:b name=\"B\" deps=\"eq:a\"}\nb\n```\n";
    let parts = ["error[link-cycle]", "`eq:a` → `eq:b` → `eq:a`", "--> book/one.md:7:31", "help: "];
    fails(|it| it.write("book/one.md", text.as_bytes()), 1, &parts);
}

#[test]
fn a_long_chain_of_formulas() {
    let mut text = "# One\n".to_owned();
    for index in 0..2000 {
        let next = if index == 1999 { 0 } else { index + 1 };
        text += &format!("\n```math {{#eq:{index} name=\"N\" deps=\"eq:{next}\"}}\nx\n```\n");
    }
    fails(|it| it.write("book/one.md", text.as_bytes()), 1, &["error[link-cycle]", "1 error\n"]);
}

#[test]
fn a_formula_of_a_megabyte() {
    let text = format!("# One\n\nHere $${}$$ it is.\n", "x+".repeat(500_000));
    let parts = ["error[math-length]", "--> book/one.md:3:", "help: "];
    fails(|it| it.write("book/one.md", text.as_bytes()), 1, &parts);
    let text = format!("# One\n\n$${}", "x+".repeat(500_000));
    fails(|it| it.write("book/one.md", text.as_bytes()), 1, &["book/one.md:3:"]);
}

#[test]
fn ten_thousand_braces() {
    let text = format!("# One\n\n${}x{}$\n", "{".repeat(10_000), "}".repeat(10_000));
    fails(|it| it.write("book/one.md", text.as_bytes()), 1, &["error[math-", "book/one.md:3:"]);
    let text = format!("# One\n\n${}x{}$\n", "{".repeat(4000), "}".repeat(4000));
    fails(|it| it.write("book/one.md", text.as_bytes()), 1, &["error[math-depth]", "help: "]);
}

#[test]
fn ten_thousand_lists_and_quotes() {
    for mark in ["- ", "> ", "1. ", "> [!note] ", "*a **b ", "[", "![", "<b>"] {
        let text = format!("# One\n\n{}x\n", mark.repeat(10_000));
        let desk = Desk::of(&text);
        let done = desk.build();
        assert!(matches!(done.code, Some(0 | 1)), "{mark}: {:?} {}", done.code, done.err);
        if matches!(mark, "- " | "> ") {
            done.code(1).says(&["error[parse-depth]", "book/one.md:3:"]);
        }
    }
}

#[test]
fn a_macro_without_end() {
    let text = "# One\n\nHere $\\def\\a{\\a}\\a$ it is.\n";
    let parts = ["error[math-", "--> book/one.md:3:", "\\a"];
    fails(|it| it.write("book/one.md", text.as_bytes()), 1, &parts);
    let text = b"\\newcommand{\\a}{\\b}\n\\newcommand{\\b}{\\a}\n";
    let parts = ["error[book-macro]", "--> book/macros.tex:1:13", "help: "];
    fails(|it| it.write("book/macros.tex", text), 1, &parts);
}

// A hostile disk.

#[test]
fn an_output_folder_with_foreign_files() {
    let desk = Desk::of(FINE);
    desk.write("dist/thesis.txt", b"the only copy");
    let parts = ["cannot touch `", "no build of a book made this folder", "help: name another"];
    desk.build().code(2).says(&parts);
    assert_eq!(desk.tree("dist").into_values().collect::<Vec<_>>(), [b"the only copy"]);
    desk.run("build --no-pdf --out .").code(2).says(&["cannot touch"]);
    desk.run("build --no-pdf --out book").code(2).says(&["cannot touch"]);
    desk.run("build --no-pdf --out book/one.md").code(2).says(&["it is a file", "help: "]);
    desk.run("build --no-pdf --out /").code(2).says(&["the root of all folders", "help: "]);
    fs::create_dir(desk.path("empty")).unwrap();
    desk.run("build --no-pdf --out empty").code(0);
}

#[test]
fn an_output_folder_that_cannot_be_written() {
    let desk = Desk::of(FINE);
    desk.write("file", b"");
    desk.run("build --no-pdf --out file/dist").code(2).says(&["cannot write to `", "help: "]);
    if cfg!(target_os = "linux") {
        let done = desk.run("build --no-pdf --out /proc/dist");
        done.code(2).says(&["cannot make the folder `/proc/.dist.new`", "help: "]);
    }
}

/// A file that may grow no further stands for a disk that is full.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_midway() {
    let desk = Desk::of(FINE);
    desk.build().code(0);
    let before = desk.tree("dist");
    desk.write("book/one.md", b"# Two\n\nOther text.\n");
    let done = desk.bash("trap '' XFSZ; ulimit -f 8; exec \"$0\" build --no-pdf");
    done.code(2).says(&["error: cannot write `", "the last site is as it was", "help: "]);
    assert_eq!(desk.tree("dist"), before);
    assert!(!desk.path(".dist.new").exists(), "the half of a site is taken away");

    // The system ends the program in the middle of writing.
    let killed = desk.bash("ulimit -f 8; exec \"$0\" build --no-pdf");
    assert_ne!(killed.code, Some(0));
    assert_eq!(desk.tree("dist"), before);
    desk.build().code(0);
    assert!(fs::read_to_string(desk.path("dist/one.html")).unwrap().contains("Other text."));
    assert!(!desk.path(".dist.new").exists() && !desk.path(".dist.old").exists());
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_panic() {
    let desk = Desk::new(&[]);
    let done = desk.bash("\"$0\" explain | true; \"$0\" explain >/dev/full; echo fine >&2");
    done.code(0).says(&["fine"]);
}

// The preview.

/// A preview that ends with the test.
struct Preview {
    child: Child,
    address: String,
    err: std::sync::mpsc::Receiver<String>,
}

impl Drop for Preview {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Preview {
    fn of(desk: &Desk, port: u16) -> Self {
        let port = port.to_string();
        let mut command = desk.command(PROGRAM, &["serve", "--no-pdf", "--port", &port]);
        let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let mut first = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut first).unwrap();
        let (send, err) = std::sync::mpsc::channel();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|it| send.send(it)));
        let address = first.split(['<', '>']).nth(1).and_then(|it| it.strip_prefix("http://"));
        let Some(address) = address else { panic!("no address in {first:?}: {:?}", err.recv()) };
        let address = address.trim_end_matches('/').to_owned();
        Self { child, address, err }
    }

    /// Status line, headers and body of an answer.
    fn ask(&self, head: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "{head}\r\nConnection: close\r\n\r\n").unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    fn get(&self, path: &str) -> (String, String) {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {}", self.address))
    }

    fn news(&self, since: &str) -> serde_json::Value {
        serde_json::from_str(&self.get(&format!("/__reckoner/news?since={since}")).1).unwrap()
    }
}

#[test]
fn serve_answers_pages_and_refuses_strangers() {
    let desk = Desk::of(FINE);
    let preview = Preview::of(&desk, 0);
    let (head, page) = preview.get("/one.html");
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("text/html"), "{head}");
    assert!(page.contains("<script src=\"/__reckoner/reload.js\""), "{page}");
    assert!(preview.get("/one").0.starts_with("HTTP/1.1 200"));
    assert!(preview.get("/__reckoner/reload.js").1.contains("location.reload"));
    assert!(preview.get("/formulas.json").0.contains("application/json"));
    for path in ["/none.html", "/../book/one.md", "/%2e%2e/book/one.md", "/__reckoner/x"] {
        assert!(preview.get(path).0.starts_with("HTTP/1.1 404"), "{path}");
    }
    let own = format!("Host: {}", preview.address);
    let (head, body) = preview.ask(&format!("HEAD /one.html HTTP/1.1\r\n{own}"));
    assert!(head.starts_with("HTTP/1.1 200") && body.is_empty(), "{head}\n{body}");
    let post = preview.ask(&format!("POST /one.html HTTP/1.1\r\n{own}\r\nContent-Length: 0"));
    assert!(post.0.starts_with("HTTP/1.1 405"), "{}", post.0);
    for host in ["Host: example.org", "Host: 127.0.0.1.example.org:3000", "X: y"] {
        let (head, _) = preview.ask(&format!("GET /one.html HTTP/1.1\r\n{host}"));
        assert!(head.starts_with("HTTP/1.1 403"), "{host}: {head}");
    }
    assert!(!desk.path("dist").exists(), "the site stays in memory");
}

#[test]
fn serve_builds_again_after_an_edit() {
    let desk = Desk::of(FINE);
    let preview = Preview::of(&desk, 0);
    let first = preview.news("");
    assert_eq!(first["messages"], "");
    desk.write("book/one.md", b"# One\n\nNew words and [](#eq:none).\n");
    let second = preview.news(&first["version"].to_string());
    assert_ne!(second["version"], first["version"]);
    // An editor may write in two steps; the last build counts.
    let start = Instant::now();
    while !preview.get("/one.html").1.contains("New words") {
        assert!(start.elapsed() < PATIENCE, "the page stays old");
    }
    let messages = preview.news("").to_string();
    assert!(messages.contains("unknown label `eq:none`"), "{messages}");
    let shown = preview.err.iter().take(50).any(|it| it.contains("link-unknown-label"));
    assert!(shown, "the terminal says it too");

    // The book goes away: the last site stays, and a return is noticed.
    let known = preview.news("")["version"].to_string();
    desk.write("book/one.md", b"\xff\n");
    assert!(preview.news(&known)["messages"].as_str().unwrap().contains("not UTF-8"));
    desk.write("book/one.md", b"# Back\n");
    let start = Instant::now();
    while !preview.get("/one.html").1.contains("Back") {
        assert!(start.elapsed() < PATIENCE, "the page stays old");
    }
    assert_eq!(preview.news("")["messages"], "");
}

#[test]
fn serve_takes_the_next_port() {
    let desk = Desk::of(FINE);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let preview = Preview::of(&desk, port);
    assert_ne!(preview.address, format!("127.0.0.1:{port}"));
    let said = preview.err.recv_timeout(PATIENCE).unwrap();
    assert!(said.contains(&format!("port {port} is taken")), "{said}");
    assert!(preview.get("/one.html").0.starts_with("HTTP/1.1 200"));
}

// What only the real program meets.

#[test]
fn printed_text_is_not_an_output() {
    let desk =
        Desk::of("# One\n\n```rust {#snip:a run}\nprintln!(\"seen\");\nshow!(\"x\", 1);\n```\n");
    let parts = ["warning[eval-stray-output]", "--> book/one.md:3:11", "show!(\"key\", value)"];
    desk.build().code(0).says(&parts);
}

#[test]
fn a_broken_template_is_the_authors() {
    let desk = Desk::of(FINE);
    desk.write("book/theme/templates/page.html", b"{% if %}");
    desk.build().code(1).says(&["error[render-template]", "page.html", "help: "]);
}

/// Codes that no input is known to bring about: they report a fault of the program itself. Written
/// so that this list is not taken for a test of them.
const UNSHOWN: [&str; 2] = [concat!("typeset-", "engine"), concat!("typeset-", "export")];

// Every code is shown somewhere.

#[test]
fn every_code_occurs_in_a_golden_case_or_a_test() {
    fn walk(folder: &Path, out: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|it| it == "txt" || it == "rs") {
                out.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut shown = String::new();
    walk(Path::new("tests"), &mut shown);
    let missing: Vec<_> = reckoner::explain::all()
        .into_iter()
        .map(|it| it.code.0)
        .filter(|code| {
            // In a message of a case, or in a string of a test.
            let is_shown = |(at, _): (usize, &str)| {
                let (before, after) = (&shown[..at], &shown[at + code.len()..]);
                before.ends_with(['[', '"', ' ']) && after.starts_with([']', '"', ' ', ':'])
            };
            !shown.match_indices(code).any(is_shown)
        })
        .collect();
    assert_eq!(missing, UNSHOWN, "no case shows these");
}

#[test]
fn a_book_inside_of_the_output_folder_stays() {
    let desk = Desk::of(FINE);
    desk.run("build --no-pdf --out site").code(0);
    fs::rename(desk.path("book"), desk.path("site/book")).unwrap();
    desk.run("build --no-pdf --book site/book --out site").code(0);
    desk.run("clean --book site/book --out site").code(0);
    assert!(desk.path("site/book/one.md").exists());
}

#[test]
fn a_folder_that_is_no_book_replaces_no_site() {
    let desk = Desk::of(FINE);
    desk.build().code(0);
    let before = desk.tree("dist");
    fs::create_dir(desk.path("empty")).unwrap();
    let done = desk.run("build --no-pdf --book empty");
    done.code(1).says(&["SUMMARY.md", "wrote nothing, since no chapter could be read"]);
    assert_eq!(desk.tree("dist"), before);
}
