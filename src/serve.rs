//! The book in a browser, rebuilt at every change.
//!
//! The site is served from memory, so a reader never meets half of it and there is no file that a
//! request could reach. Every answer has a thread of its own.

use std::net::{Ipv4Addr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tiny_http::{Header, Method, Request, Response, Server, StatusCode};

use crate::diag::{Checked, Severity};
use crate::eval::Unavailable;
use crate::pipeline::{self, Memo, Options, Site};
use crate::project::{self, Failure};
use crate::report::{self, Bar, Manner};
use crate::runner::Local;
use crate::watch;

/// The script that reloads the page.
const RELOAD: &str = include_str!("serve/reload.js");

/// Where the server's own answers are.
const OWN: &str = "/__reckoner/";

/// Ports tried after the one that was asked for.
const PORTS: u16 = 100;

/// How long a browser waits for news before it asks again.
const PATIENCE: Duration = Duration::from_secs(20);

/// A failure to run snippets, as a failure of the surroundings.
pub fn unavailable(it: Unavailable) -> Failure {
    Failure { tried: it.tried, reason: it.why, help: None }
}

/// What is served.
#[derive(Debug, Default)]
struct Live {
    site: Arc<Site>,
    /// Counts the builds.
    version: u64,
    /// What is wrong with the book, as text; empty if nothing is.
    messages: String,
}

/// What is served now, and a bell for those who wait for the next.
#[derive(Debug, Default)]
struct Stage {
    live: Mutex<Live>,
    bell: Condvar,
}

impl Stage {
    /// A thread that panicked while it held the lock left a whole value: it only ever swaps.
    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, site: Option<Site>, messages: String) {
        let mut live = self.live();
        if let Some(site) = site {
            live.site = Arc::new(site);
        }
        live.messages = messages;
        live.version += 1;
        drop(live);
        self.bell.notify_all();
    }
}

/// Serves the book until the program is ended.
///
/// # Errors
/// When the book cannot be read at first, or no port is free.
pub fn book(manner: Manner<'_>, options: Options, runner: Local, port: u16) -> Result<(), Failure> {
    project::find(manner.book)?;
    let server = listen(port)?;
    let stage = Arc::new(Stage::default());
    let mut builder = Builder { manner, options, runner, memo: Memo::default() };
    // Watched before it is read, so that no edit goes unseen.
    let watch = watch::folders(&watched(manner))?;
    let (site, messages) = builder.build()?;
    stage.show(Some(site), messages);
    if let Some(address) = server.server_addr().to_ip() {
        report::line(&format!("the book is at <http://{address}/>; Ctrl-C ends"));
    }
    let serving = stage.clone();
    thread::spawn(move || {
        for request in server.incoming_requests() {
            let stage = serving.clone();
            thread::spawn(move || answer(request, &stage));
        }
    });
    while watch.wait() {
        match catch_unwind(AssertUnwindSafe(|| builder.build())) {
            Ok(Ok((site, messages))) => {
                if messages.is_empty() && !stage.live().messages.is_empty() {
                    report::error_line("all is fine again");
                }
                stage.show(Some(site).filter(|it| !it.is_empty()), messages);
            }
            Ok(Err(failure)) => {
                report::error_line(&format!("error: {failure}"));
                stage.show(None, failure.to_string());
            }
            Err(_) => {
                // What a panic left behind in the memo is not to be trusted.
                builder.memo = Memo::default();
                stage.show(None, "the build failed by a fault of this program".into());
            }
        }
    }
    Ok(())
}

/// The book folder, and the theme beside it if there is one.
fn watched(manner: Manner<'_>) -> Vec<PathBuf> {
    let book = std::path::absolute(manner.book).unwrap_or_else(|_| manner.book.to_owned());
    let theme = book.parent().map(|it| it.join("themes")).filter(|it| it.is_dir());
    std::iter::once(book).chain(theme).collect()
}

/// Builds the book again and again, and remembers.
struct Builder<'a> {
    manner: Manner<'a>,
    options: Options,
    runner: Local,
    memo: Memo,
}

impl Builder<'_> {
    /// The site, and what is wrong with the book as text.
    fn build(&mut self) -> Result<(Site, String), Failure> {
        let read = project::read(self.manner.book)?;
        let mut bar = Bar::new(self.manner.quiet);
        let (input, runner) = (&read.value, &mut self.runner);
        let built = pipeline::build(input, self.options, runner, &mut self.memo, &mut bar);
        bar.finish();
        let Checked { value: site, mut diagnostics } = built.map_err(unavailable)?;
        diagnostics.extend(read.diagnostics);
        diagnostics.sort();
        report::diagnostics(&diagnostics, &input.sources, self.manner);
        diagnostics.retain(|it| it.severity != Severity::Note);
        Ok((site, report::plain(&diagnostics, &input.sources)))
    }
}

/// Listens on this machine alone, on `port` or the next free one.
fn listen(port: u16) -> Result<Server, Failure> {
    let mut reason = String::new();
    for candidate in port..=port.saturating_add(PORTS) {
        match Server::http(SocketAddr::from((Ipv4Addr::LOCALHOST, candidate))) {
            Ok(server) => {
                if candidate != port {
                    report::error_line(&format!("port {port} is taken; using {candidate}"));
                }
                return Ok(server);
            }
            Err(error) => reason = error.to_string(),
        }
    }
    let tried = format!("cannot listen on port {port} or the {PORTS} after it");
    Err(Failure { tried, reason, help: Some("name another by `--port`".into()) })
}

fn answer(request: Request, stage: &Stage) {
    const TEXT: &str = "text/plain; charset=utf-8";
    if !is_ours(&request) {
        return send(request, 403, TEXT, b"not for this host\n");
    }
    if !matches!(request.method(), Method::Get | Method::Head) {
        return send(request, 405, TEXT, b"only GET and HEAD\n");
    }
    let url = request.url().to_owned();
    let path = url.split(['?', '#']).next().unwrap_or_default();
    match path.strip_prefix(OWN) {
        Some("reload.js") => return send(request, 200, kind("reload.js"), RELOAD.as_bytes()),
        Some("news") => {
            let news = news(stage, &url);
            return send(request, 200, kind("news.json"), news.as_bytes());
        }
        Some(_) => return send(request, 404, TEXT, b"not found\n"),
        None => {}
    }
    let site = stage.live().site.clone();
    let (status, name) = find(&site, path);
    match site.get(&name) {
        Some(bytes) if name.ends_with(".html") => {
            send(request, status, kind(&name), &with_reload(bytes));
        }
        Some(bytes) => send(request, status, kind(&name), bytes),
        None => send(request, status, TEXT, b"not found\n"),
    }
}

/// Whether the request names this machine as its host: a page of another site that resolves its
/// name to this machine must learn nothing.
fn is_ours(request: &Request) -> bool {
    let host = request.headers().iter().find(|it| it.field.equiv("Host"));
    let host = host.map_or("", |it| it.value.as_str());
    let name = host.rsplit_once(':').map_or(host, |it| it.0);
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

/// The file of a path, or the page that says that there is none.
fn find(site: &Site, path: &str) -> (u16, String) {
    let name = path.trim_start_matches('/');
    let decoded = crate::link::decoded(name);
    let index = format!("{decoded}index.html");
    let page = format!("{decoded}.html");
    for candidate in [decoded, index, page] {
        if site.contains_key(&candidate) {
            return (200, candidate);
        }
    }
    (404, "404.html".into())
}

/// The page with the script that reloads it.
fn with_reload(bytes: &[u8]) -> Vec<u8> {
    let script: &[u8] = b"<script src=\"/__reckoner/reload.js\" defer></script>\n";
    let at = bytes.windows(7).rposition(|it| it == b"</body>").unwrap_or(bytes.len());
    [&bytes[..at], script, &bytes[at..]].concat()
}

/// Waits until there is a newer build than the browser knows, and says which.
fn news(stage: &Stage, url: &str) -> String {
    let known: u64 = url.rsplit_once("since=").and_then(|it| it.1.parse().ok()).unwrap_or_default();
    let guard = stage.live();
    let waited = stage.bell.wait_timeout_while(guard, PATIENCE, |it| it.version == known);
    let (live, _) = waited.unwrap_or_else(PoisonError::into_inner);
    serde_json::json!({ "version": live.version, "messages": live.messages }).to_string()
}

/// Answers; the server leaves out the body for HEAD.
fn send(request: Request, status: u16, kind: &str, body: &[u8]) {
    let header =
        |name: &str, value: &str| Header::from_bytes(name, value).expect("our headers are ASCII");
    let headers = vec![
        header("Content-Type", kind),
        header("Cache-Control", "no-store"),
        header("X-Content-Type-Options", "nosniff"),
    ];
    let response = Response::new(StatusCode(status), headers, body, Some(body.len()), None);
    // A browser that went away needs no answer.
    let _ = request.respond(response);
}

/// Media types by ending, sorted.
const KINDS: &[(&str, &str)] = &[
    ("css", "text/css; charset=utf-8"),
    ("gif", "image/gif"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("webp", "image/webp"),
    ("woff2", "font/woff2"),
    ("xml", "application/xml"),
];

fn kind(name: &str) -> &'static str {
    let ending = name.rsplit_once('.').map_or("", |it| it.1);
    match KINDS.binary_search_by_key(&ending, |it| it.0) {
        Ok(index) => KINDS[index].1,
        Err(_) => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_find_pages_and_nothing_else() {
        let mut site = Site::new();
        for path in ["index.html", "a.html", "part/b.html", "404.html"] {
            site.insert(path.into(), Arc::from(&b""[..]));
        }
        assert_eq!(find(&site, "/"), (200, "index.html".into()));
        assert_eq!(find(&site, "/a.html"), (200, "a.html".into()));
        assert_eq!(find(&site, "/part/b"), (200, "part/b.html".into()));
        for path in ["/../../etc/passwd", "/%2e%2e/etc/passwd", "/..\\x", "/a.html%00"] {
            assert_eq!(find(&site, path).0, 404, "{path}");
        }
    }

    #[test]
    fn media_types_are_sorted_and_found() {
        assert!(KINDS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(kind("a/b.svg"), "image/svg+xml");
        assert_eq!(kind("a/b"), "application/octet-stream");
    }

    #[test]
    fn the_script_stands_at_the_end() {
        let page = with_reload(b"<body>x</body></html>");
        let page = String::from_utf8(page).unwrap();
        assert!(page.starts_with("<body>x<script") && page.ends_with("</body></html>"), "{page}");
    }
}
