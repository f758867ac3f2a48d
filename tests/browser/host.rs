//! The real book, built once and served from memory on this machine alone.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use reckoner::eval::Echo;
use reckoner::pipeline::{self, Input, Memo, Options, Site};
use reckoner::project;
use reckoner::runner::{Limits, Local};
use reckoner::source::{FileId, Source};
use tiny_http::{Header, Request, Response, Server};

/// A page with every fault that the tests look for, to see that they would be seen.
pub(super) const FAULTY: &str = "faulty.html";

/// The folder of a small book whose author has not thought of phones.
pub(super) const NARROW: &str = "narrow/";

/// The book as a reader's browser gets it.
#[derive(Clone)]
pub(super) struct Host {
    /// The site.
    pub(super) site: Arc<Site>,
    /// The address, with a `/` at the end.
    pub(super) address: String,
}

/// Builds the book and serves it until the program ends.
pub(super) fn start() -> Host {
    let input = project::read(Path::new("book")).expect("the book can be read").value;
    let mut runner = Local::new("target/reckoner", Limits::default())
        .confined_by(env!("CARGO_BIN_EXE_reckoner"));
    let options = Options::default();
    let built = pipeline::build(&input, options, &mut runner, &mut Memo::default(), &mut ());
    let mut site = built.expect("snippets can run").value;
    site.insert(FAULTY.into(), include_bytes!("faulty.html").as_slice().into());
    site.insert("faulty.js".into(), include_bytes!("faulty.js").as_slice().into());
    site.extend(narrow().into_iter().map(|it| (format!("{NARROW}{}", it.0), it.1)));
    let site = Arc::new(site);
    let server = Server::http((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let port = server.server_addr().to_ip().expect("it listens on a port").port();
    let served = site.clone();
    thread::spawn(move || {
        for request in server.incoming_requests() {
            // A browser that turns the page reads no further: nobody else must wait for it.
            let served = served.clone();
            thread::spawn(move || answer(request, &served));
        }
    });
    Host { site, address: format!("http://127.0.0.1:{port}/") }
}

fn narrow() -> Site {
    let mut input = Input { theme: project::embedded_theme(), ..Input::default() };
    for (path, text) in [
        ("book.toml", "title = \"Narrow\"\n"),
        ("SUMMARY.md", "- [Wide formulas in lines](wide.md)\n"),
        ("wide.md", include_str!("wide.md")),
    ] {
        input.sources.insert(FileId::new(path), Source::new(path, text));
    }
    let built =
        pipeline::build(&input, Options::default(), &mut Echo, &mut Memo::default(), &mut ());
    let built = built.expect("nothing runs");
    assert_eq!(built.diagnostics, []);
    built.value
}

fn answer(request: Request, site: &Site) {
    let path = request.url().trim_start_matches('/').split('?').next().unwrap_or_default();
    let path = reckoner::link::decoded(path);
    let path = if path.is_empty() { "index.html".to_owned() } else { path };
    let (status, path) =
        if site.contains_key(&path) { (200, path) } else { (404, "404.html".into()) };
    let header = |line: &str| line.parse::<Header>().expect("our headers are ASCII");
    let response = Response::from_data(&site[&path][..])
        .with_status_code(status)
        .with_header(header(&format!("Content-Type: {}", kind(&path))))
        .with_header(header("Connection: close"));
    // A browser that went away needs no answer.
    let _ = request.respond(response);
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |it| it.1) {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
