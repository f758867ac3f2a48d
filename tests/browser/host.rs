//! The real book, built once and served from memory on this machine alone.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use reckoner::pipeline::{self, Memo, Options, Site};
use reckoner::project;
use reckoner::runner::{Limits, Local};

/// A page with every fault that the tests look for, to see that they would be seen.
pub(super) const FAULTY: &str = "faulty.html";

/// A folder that has the whole site too.
pub(super) const BELOW: &str = "below/a/folder/";

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
    let site = Arc::new(site);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let port = listener.local_addr().expect("it listens on a port").port();
    let served = site.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // Chromium opens connections ahead and may never use them: nobody else must wait.
            let served = served.clone();
            thread::spawn(move || answer(&stream, &served));
        }
    });
    Host { site, address: format!("http://127.0.0.1:{port}/") }
}

/// Answers the one request of a connection. A browser that went away needs no answer.
fn answer(mut stream: &TcpStream, site: &Site) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next()?.ok()?;
    // The head ends with an empty line.
    while !lines.next()?.ok()?.is_empty() {}
    let path = request.split(' ').nth(1)?.trim_start_matches('/').split('?').next()?;
    let path = reckoner::link::decoded(path);
    // The site is also below a folder, as many hosts have it.
    let path = path.strip_prefix(BELOW).map_or(path.clone(), str::to_owned);
    let path = if path.is_empty() { "index.html".to_owned() } else { path };
    let (status, path) = match site.contains_key(&path) {
        true => ("200 OK", path),
        false => ("404 Not Found", "404.html".into()),
    };
    let (kind, body) = (kind(&path), &site[&path]);
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body).ok()
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
