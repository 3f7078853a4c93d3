//! A headless browser in which simulated people play the page of an experiment.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::experiment::simulated::{SPEED, Script};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path as UrlPath, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use plymap_puzzles::progress::Progress as _;

use crate::cli::output::say;
use crate::cli::{Bars, Failure};
use plymap_server::{Access, Bound, Deadlines, file_of};

/// Usual names of the programs of Chromium and Chrome.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Maximum size of the data of one person, in bytes.
const MOST_BYTES: usize = 1 << 28;

/// Time that a session may take beyond its script: pages are turned, questions answered, and browsers start slowly.
const PATIENCE: Duration = Duration::from_secs(120);

/// Interval between two checks whether the user wants to stop.
const PAUSE: Duration = Duration::from_millis(100);

/// The browser: that which was named, or the first of the usual ones.
pub fn find(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let candidates = named.map_or_else(|| NAMES.map(PathBuf::from).to_vec(), |named| vec![named.to_owned()]);
    match candidates.iter().find(|program| can_start(program)) {
        Some(program) => Ok(program.clone()),
        None => Err(Failure::message(match named {
            Some(named) => format!("{} cannot be started; name a Chromium or Chrome with --browser", named.display()),
            None => format!("no browser was found ({}); install Chromium, or name it with --browser", NAMES.join(", ")),
        })),
    }
}

fn can_start(program: &Path) -> bool {
    let version = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Message of a page.
enum News {
    Saved { file: String, content: String },
    Failed(String),
}

/// Server of the page that simulated people play.
struct SimulationServer {
    folder: PathBuf,
    scripts: HashMap<String, String>,
    news: Mutex<Sender<News>>,
}

impl SimulationServer {
    fn tell(&self, news: News) {
        // Nobody listens any more where the user has stopped.
        let _ = self.news.lock().unwrap_or_else(PoisonError::into_inner).send(news);
    }
}

/// Lets the page be played by each script, one after the other; returns the files that it sent.
pub fn play(browser: &Path, site: &Path, scripts: &[Script], bars: &Bars) -> Result<Vec<(String, String)>, Failure> {
    let (sender, news) = channel();
    let of_script = |script: &Script| (format!("{}.json", script.participant), script.json().to_string());
    let server = Arc::new(SimulationServer {
        folder: site.to_owned(),
        scripts: scripts.iter().map(of_script).collect(),
        news: Mutex::new(sender),
    });
    let router = Router::new()
        .route(
            "/",
            get(|State(server): State<Arc<SimulationServer>>| async move { file_of(&server.folder, "index.html") }),
        )
        .route("/simulated/save", post(save))
        .route("/simulated/failed", post(failed))
        .route("/simulated/{script}", get(script))
        .route("/{*path}", get(file))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(server);
    let bound = Bound::new(&Access::local(), MOST_BYTES, Deadlines::default(), |news| say!("plymap: {news}"))?;
    let address = bound.address();
    drop(bound.serve(router));
    bars.begin("playing in a browser", Some(scripts.len() as u64));
    let mut files = Vec::new();
    for (number, script) in scripts.iter().enumerate() {
        let participant = &script.participant;
        // Participants come evenly to conditions, as they would from a server.
        let url = format!("http://{address}/?participant={participant}&number={number}&simulate=1");
        let window = Window::open(browser, &url)?;
        let until = Instant::now() + PATIENCE + Duration::from_secs_f64(script.seconds.max(0.0) * 2.0 / SPEED);
        files.push(window.wait(&news, participant, until, bars)?);
        bars.advance(1);
    }
    bars.end();
    Ok(files)
}

/// Browser that plays; it ends with this.
struct Window {
    child: Child,
    _profile: tempfile::TempDir,
}

impl Window {
    fn open(browser: &Path, url: &str) -> Result<Self, Failure> {
        let profile = tempfile::tempdir().map_err(Failure::message)?;
        let child = Command::new(browser)
            .args(["--headless=new", "--disable-gpu", "--no-first-run", "--no-default-browser-check"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            // It sees nothing but our own page, and containers forbid the sandbox.
            .args(["--no-sandbox", "--disable-dev-shm-usage", "--window-size=900,1000"])
            // A page that is not looked at is slowed down otherwise.
            .args(["--disable-background-timer-throttling", "--disable-renderer-backgrounding"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure::message(format!("{} cannot be started: {error}", browser.display())))?;
        Ok(Self { child, _profile: profile })
    }

    fn wait(
        mut self,
        news: &Receiver<News>,
        participant: &str,
        until: Instant,
        bars: &Bars,
    ) -> Result<(String, String), Failure> {
        loop {
            match news.recv_timeout(PAUSE) {
                Ok(News::Saved { file, content }) => return Ok((file, content)),
                Ok(News::Failed(why)) => {
                    return Err(Failure::message(format!("{participant} could not go on: {why}")));
                }
                Err(RecvTimeoutError::Timeout) if bars.is_cancelled() => return Err(Failure::Interrupted),
                Err(RecvTimeoutError::Timeout) if Instant::now() < until => {}
                Err(_) => {
                    let ended = self
                        .child
                        .try_wait()
                        .ok()
                        .flatten()
                        .map_or(String::new(), |status| format!("; the browser ended: {status}"));
                    return Err(Failure::message(format!("{participant} did not come to an end in time{ended}")));
                }
            }
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn script(State(server): State<Arc<SimulationServer>>, UrlPath(name): UrlPath<String>) -> Response {
    match server.scripts.get(&name) {
        Some(script) => ([(header::CONTENT_TYPE, "application/json")], script.clone()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn file(State(server): State<Arc<SimulationServer>>, UrlPath(path): UrlPath<String>) -> Response {
    file_of(&server.folder, &path)
}

async fn save(
    State(server): State<Arc<SimulationServer>>,
    Query(query): Query<HashMap<String, String>>,
    content: String,
) -> Response {
    let is_plain = |name: &&String| {
        !name.starts_with('.') && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
    };
    let Some(file) = query.get("file").filter(is_plain) else { return StatusCode::BAD_REQUEST.into_response() };
    server.tell(News::Saved { file: file.clone(), content });
    StatusCode::NO_CONTENT.into_response()
}

async fn failed(State(server): State<Arc<SimulationServer>>, why: String) -> Response {
    server.tell(News::Failed(why));
    StatusCode::NO_CONTENT.into_response()
}
