//! `plymap watch`

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::extract::{Path as UrlPath, Query, State};
use axum::http::header;
use axum::middleware::from_fn;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use clap::Args;
use plymap_puzzles::progress::Progress as _;
use plymap_run::study::Study;
use plymap_run::study_files;
use tokio::sync::watch::{self, Receiver, Sender};

use super::caching::say_damaged;
use super::output::say;
use super::run::{What, print_summary};
use super::{Bars, ExitCode, Failure};
use plymap_server::{file_of, only_local};

/// Interval at which files are looked at. Their times and sizes are asked for, which every file system can tell.
const PAUSE: Duration = Duration::from_millis(200);

/// Time that a page waits for news before it asks again.
const PATIENCE: Duration = Duration::from_secs(20);

/// Page in the browser: the report in a frame, which is loaded again after each run.
const PAGE: &str = include_str!("watch.html");

/// Run a study again whenever one of its files changes, and show its report.
///
/// The report is served on this machine only, at the printed address; the page reloads after each run. Unchanged stages
/// come from the cache; --fast and --only shorten the rest. Ctrl-C ends it.
///
/// Example: plymap watch data/demo/study.toml --fast
#[derive(Debug, Args)]
pub struct Watch {
    #[command(flatten)]
    what: What,
    /// Port of the page; default: a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
}

/// State of the study: the number of runs, and the outcome of the last.
#[derive(Clone, Debug, Default)]
struct News {
    n_runs: u64,
    /// Folder of the last run that ended well.
    folder: PathBuf,
    has_failed: bool,
}

impl Watch {
    pub fn run(self, bars: &Bars) -> Result<ExitCode, Failure> {
        let (sender, receiver) = watch::channel(News::default());
        let address = serve(self.port, receiver)?;
        say!("plymap: the report is at http://{address}; Ctrl-C ends watching");
        while !bars.is_cancelled() {
            let before = self.looks();
            self.run_once(bars, &sender);
            while !bars.is_cancelled() && self.looks() == before {
                thread::sleep(PAUSE);
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Runs the study. What is at fault is printed, and is no reason to stop watching.
    fn run_once(&self, bars: &Bars, sender: &Sender<News>) {
        let result = self.what.run(None, bars).and_then(|summary| print_summary(&summary).map(|_| summary));
        say_damaged();
        if bars.is_cancelled() {
            return;
        }
        bars.clear();
        sender.send_modify(|news| {
            news.n_runs += 1;
            news.has_failed = result.is_err();
            if let Ok(summary) = &result {
                news.folder.clone_from(&summary.folder);
            }
        });
        if let Err(failure) = result {
            failure.print();
        }
        say!("plymap: waiting for a change");
    }

    /// Time and size of each file that the study reads; where it cannot be read, of the study alone.
    fn looks(&self) -> BTreeMap<PathBuf, Option<(SystemTime, u64)>> {
        let file = Study::file(&self.what.study);
        let files = Study::read(&file).ok().and_then(|study| study_files(&study, &file).ok());
        let look = |file: &PathBuf| {
            let metadata = file.metadata().ok()?;
            Some((metadata.modified().ok()?, metadata.len()))
        };
        files.unwrap_or_else(|| vec![file]).into_iter().map(|file| (file.clone(), look(&file))).collect()
    }
}

/// Begins to serve the report, on the loopback interface alone.
fn serve(port: u16, news: Receiver<News>) -> Result<SocketAddr, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        Failure::message(format!("port {port} cannot be used: {error}; name another one with --port"))
    })?;
    listener.set_nonblocking(true).map_err(Failure::message)?;
    let address = listener.local_addr().map_err(Failure::message)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Failure::message)?;
    let router = Router::new()
        .route("/", get(|| async { Html(PAGE) }))
        .route("/news", get(wait))
        .route("/run/{*path}", get(file))
        .layer(from_fn(only_local))
        .with_state(Arc::new(news));
    thread::spawn(move || {
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            axum::serve(listener, router).await
        })
    });
    Ok(address)
}

/// The number of runs, as soon as it is another than the page has seen.
async fn wait(State(news): State<Arc<Receiver<News>>>, Query(query): Query<BTreeMap<String, u64>>) -> Response {
    let mut news = Receiver::clone(&news);
    let n_seen = query.get("seen").copied().unwrap_or_default();
    let _ = tokio::time::timeout(PATIENCE, news.wait_for(|news| news.n_runs != n_seen)).await;
    let News { n_runs, has_failed, .. } = *news.borrow();
    let said = serde_json::json!({ "n_runs": n_runs, "has_failed": has_failed }).to_string();
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], said).into_response()
}

/// A file of the last run.
async fn file(State(news): State<Arc<Receiver<News>>>, UrlPath(path): UrlPath<String>) -> Response {
    let folder = news.borrow().folder.clone();
    file_of(&folder, &path)
}
