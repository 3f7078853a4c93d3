//! Answers to the requests of the page.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::stream::unfold;
use plymap_puzzles::registry::GAMES;
use plymap_server::api_error::{answer, refused};
use plymap_server::file_of;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::check::Check;
use crate::edit::{Edit, chosen, edited};
use crate::examples::{self, EXAMPLES};
use crate::explore::Filter;
use crate::notes::confirmed;
use crate::opened::Opened;
use crate::page::{FILES, PAGE};
use crate::problem::Problem;
use crate::project::{FileKind, revision};
use crate::proposal::{make_of_parts, propose};
use crate::reading::Reading;
use crate::request::{Answer, PATIENCE, POLICY_OF_FRAMES, Parameters, Shared, answered, body, computed, parameters};
use crate::result::interrupted;
use crate::take::{Take, write_archive};
use crate::upload::Part;

mod views;

/// Maximum size of the body of a request, in bytes: a part of a file.
pub const MOST_BYTES: usize = 8 << 20;

/// Header of requests that change something: a page from elsewhere cannot send it.
const HEADER: &str = "x-plymap";

/// Returns the answers to requests below a token; there is nothing at other addresses.
pub fn router(opened: Arc<Opened>, token: &str) -> Router {
    let inner = Router::new()
        .route("/page/{name}", get(page_file))
        .route("/play/{name}", get(play_file))
        .route("/api/project", get(project))
        .route("/api/revision", get(study_revision))
        .route("/api/files", post(upload))
        .route("/api/files/kind", post(sort))
        .route("/api/files/remove", post(remove))
        .route("/api/files/back", post(bring_back))
        .route("/api/start", post(start))
        .route("/api/study", post(study))
        .route("/api/edit", post(edit))
        .route("/api/parts", post(parts))
        .route("/api/undo", post(undo))
        .route("/api/propose", post(begin_proposal))
        .route("/api/task", get(task_state))
        .route("/api/stop", post(stop))
        .route("/api/reading", get(reading))
        .route("/api/check", get(check))
        .route("/api/run", post(begin_run))
        .route("/api/result", get(result))
        .route("/api/explore", get(views::overview))
        .route("/api/explore/{what}", get(views::explore))
        .route("/api/figure", get(views::figure))
        .route("/api/figures", get(views::figures))
        .route("/api/map", get(views::map))
        .route("/api/map/state", get(views::map_state))
        .route("/api/table", get(views::table))
        .route("/api/table/groups", get(views::groups_table))
        .route("/api/take", get(take))
        .route("/take.zip", get(archive))
        .route("/study.toml", get(study_text))
        .route("/run/{*path}", get(run_file))
        .route("/preview/{*path}", get(preview_file))
        .layer(from_fn(only_of_page))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(opened);
    Router::new()
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        // All addresses of the page are relative to this one.
        .route(&format!("/{token}/"), get(|| async { Html(PAGE) }))
        .nest(&format!("/{token}"), inner)
        .fallback(|| async { refused(StatusCode::NOT_FOUND, "there is nothing at this address") })
        .method_not_allowed_fallback(|| async {
            refused(StatusCode::METHOD_NOT_ALLOWED, "this address does not take such requests")
        })
}

/// Refuses changes that the page does not ask for.
async fn only_of_page(request: Request, next: Next) -> Response {
    if request.method() == Method::POST && !request.headers().contains_key(HEADER) {
        return refused(StatusCode::FORBIDDEN, "requests that change something have the header x-plymap")
            .into_response();
    }
    next.run(request).await
}

fn file(name: &str, files: &[(&str, &str, &'static str)]) -> Response {
    match files.iter().find(|(file_name, ..)| *file_name == name) {
        Some((_, kind, content)) => ([(header::CONTENT_TYPE, (*kind).to_owned())], *content).into_response(),
        None => refused(StatusCode::NOT_FOUND, "the page has no such file").into_response(),
    }
}

async fn page_file(Path(name): Path<String>) -> Response {
    file(&name, FILES)
}

async fn play_file(Path(name): Path<String>) -> Response {
    file(&name, plymap_play::page_files::FILES)
}

/// Returns the state of the project, as the page begins with it.
fn state(opened: &Opened) -> Result<Value, Problem> {
    let project = &opened.project;
    let text = project.text();
    let (study, problem) = match &text {
        Ok(Some(_)) => project.study().map_or_else(|problem| (None, Some(problem)), |study| (Some(study), None)),
        Ok(None) => (None, None),
        Err(problem) => (None, Some(problem.clone())),
    };
    // One that cannot be read is there, too, and stays.
    let has_study = !matches!(text, Ok(None));
    let text = text.unwrap_or_default();
    let task = opened.tasks.now();
    Ok(json!({
        "path": project.folder,
        "name": study.as_ref().map(|study| study.study.name.clone()),
        "has_study": has_study,
        "revision": revision(text.as_deref()),
        "chosen": text.as_deref().map(chosen).unwrap_or_default(),
        "study": text.unwrap_or_default(),
        "error": problem.as_ref().map(|problem| &problem.error),
        "faults": problem.map(|problem| problem.faults).unwrap_or_default(),
        "files": { "levels": project.files(FileKind::Levels)?, "logs": project.files(FileKind::Logs)? },
        "removed": project.removed(),
        "game": study.as_ref().map(|study| study.game().name),
        "games": GAMES.iter().map(|game| game.name).filter(|name| *name != "lua").collect::<Vec<_>>(),
        "examples": EXAMPLES,
        "can_undo": project.can_undo(),
        "interrupted": study.as_ref().and_then(|study| interrupted(project, study, task.is_run())),
        "task": task,
        "version": opened.version,
        "language": opened.language,
        "command": format!("plymap open \"{}\"", project.study_file().display()),
    }))
}

async fn project(State(opened): Shared) -> Answer {
    answered(opened, state).await
}

/// Answers by what an open page notices that the study was changed elsewhere.
async fn study_revision(State(opened): Shared) -> Answer {
    answered(opened, |opened| Ok(json!({ "revision": opened.project.revision()? }))).await
}

async fn upload(State(opened): Shared, part: Parameters<Part>, bytes: Bytes) -> Answer {
    let part = parameters(part)?;
    answered(opened, move |opened| {
        let received = opened.project.receive(&part, &bytes)?;
        if !part.last {
            return Ok(json!(received));
        }
        let mut state = state(opened)?;
        state["received"] = json!(received);
        Ok(state)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedFile {
    name: String,
    #[serde(default)]
    kind: Option<FileKind>,
}

async fn sort(State(opened): Shared, bytes: Bytes) -> Answer {
    answered(opened, move |opened| {
        let NamedFile { name, kind } = body(&bytes)?;
        opened.project.sort(&name, kind.ok_or_else(|| Problem::bad("say the kind: levels or logs"))?)?;
        state(opened)
    })
    .await
}

async fn remove(State(opened): Shared, bytes: Bytes) -> Answer {
    answered(opened, move |opened| {
        opened.project.remove(&body::<NamedFile>(&bytes)?.name)?;
        state(opened)
    })
    .await
}

async fn bring_back(State(opened): Shared, bytes: Bytes) -> Answer {
    answered(opened, move |opened| {
        let brought_back = opened.project.bring_back(&body::<NamedFile>(&bytes)?.name)?;
        let mut state = state(opened)?;
        state["brought_back"] = json!(brought_back);
        Ok(state)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    example: String,
}

async fn start(State(opened): Shared, bytes: Bytes) -> Answer {
    answered(opened, move |opened| {
        examples::write(&opened.project, &body::<Start>(&bytes)?.example)?;
        state(opened)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StudyBody {
    text: String,
    /// Revision of the study that the page had seen.
    seen: String,
}

async fn study(State(opened): Shared, bytes: Bytes) -> Answer {
    answered(opened, move |opened| {
        let StudyBody { text, seen } = body(&bytes)?;
        opened.project.write(&text, &seen)?;
        state(opened)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edits {
    edits: Vec<Edit>,
    /// Entry of which the proposal asks whether it is right, such as `columns.onset`, and somebody says that it is.
    #[serde(default)]
    confirmed: Option<String>,
    /// Revision of the study that the page had seen: places in lists are those in it.
    seen: String,
}

async fn edit(State(opened): Shared, bytes: Bytes) -> Answer {
    answered(opened, move |opened| {
        let Edits { edits, confirmed, seen } = body(&bytes)?;
        opened.project.change(&seen, |text| {
            let none = || Problem::conflict("there is no study to edit yet").says("no_study", []);
            let text = text.ok_or_else(none)?;
            with_edits(text, &edits, confirmed.as_deref())
                .map_err(|why| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, why))
        })?;
        state(opened)
    })
    .await
}

/// Returns the text with these edits, of which one changes something, and without the question that was answered.
fn with_edits(text: &str, edits: &[Edit], entry: Option<&str>) -> Result<String, String> {
    let after = edited(text, edits)?;
    if let Some(entry) = entry {
        return confirmed(&after, entry).ok_or_else(|| format!("the study asks nothing of {entry}"));
    }
    match edits.iter().find(|edit| after == text && edit.value.is_null()) {
        Some(kept) => Err(format!(
            "{} has no entry to take out: a column that is called like its meaning is read as such; give the meaning \
             another column, or rename the column",
            kept.path.join(".")
        )),
        None => Ok(after),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PartsBody {
    parts: BTreeMap<String, String>,
    seen: String,
}

async fn parts(State(opened): Shared, bytes: Bytes) -> Answer {
    answered(opened, move |opened| {
        let PartsBody { parts, seen } = body(&bytes)?;
        make_of_parts(&opened.project, &parts.into_values().collect(), &seen)?;
        state(opened)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UndoBody {
    seen: String,
}

async fn undo(State(opened): Shared, bytes: Bytes) -> Answer {
    answered(opened, move |opened| {
        let brought_back = opened.project.undo(&body::<UndoBody>(&bytes)?.seen)?;
        let mut state = state(opened)?;
        state["brought_back"] = json!(brought_back);
        Ok(state)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProposalBody {
    #[serde(default)]
    game: Option<String>,
    seen: String,
}

async fn begin_proposal(State(opened): Shared, bytes: Bytes) -> Answer {
    let ProposalBody { game, seen } = body(&bytes)?;
    let working = Arc::clone(&opened);
    let task =
        opened.tasks.begin("propose", move |progress| propose(&working.project, game.as_deref(), &seen, progress))?;
    Ok(answer(&json!(task)))
}

#[derive(Deserialize)]
struct Seen {
    seen: Option<u64>,
}

async fn task_state(State(opened): Shared, seen: Parameters<Seen>) -> Answer {
    let task = match parameters(seen)?.seen {
        Some(seen) => opened.tasks.after(seen, PATIENCE).await,
        None => opened.tasks.now(),
    };
    Ok(answer(&json!(task)))
}

async fn stop(State(opened): Shared) -> Answer {
    opened.tasks.stop();
    Ok(answer(&json!(opened.tasks.now())))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    /// Number of the table, from 0: files with the same columns.
    #[serde(default)]
    table: usize,
    #[serde(default)]
    first: u64,
    #[serde(default = "rows_at_first")]
    n: u64,
}

fn rows_at_first() -> u64 {
    30
}

async fn reading(State(opened): Shared, rows: Parameters<Rows>) -> Answer {
    let rows = parameters(rows)?;
    answered(opened, move |opened| Ok(json!(Reading::new(&opened.project, rows.table, rows.first, rows.n)?))).await
}

async fn check(State(opened): Shared) -> Answer {
    let began = Instant::now();
    views::ready(&opened).await?;
    answered(opened, move |opened| {
        let view = opened.views.filtered(&opened.project, &Filter::default())?;
        Ok(json!(Check::new(&view, began)))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunBody {
    #[serde(default)]
    fast: bool,
}

async fn begin_run(State(opened): Shared, bytes: Bytes) -> Answer {
    let RunBody { fast } = body(&bytes)?;
    let working = Arc::clone(&opened);
    let task = opened.tasks.begin("run", move |progress| working.runs.run(&working.project, fast, progress))?;
    Ok(answer(&json!(task)))
}

async fn result(State(opened): Shared) -> Answer {
    answered(opened, |opened| Ok(json!(opened.runs.outcome(&opened.project, opened.tasks.now().is_run())?))).await
}

async fn take(State(opened): Shared) -> Answer {
    answered(opened, |opened| Ok(json!(Take::new(&opened.project)?))).await
}

async fn archive(State(opened): Shared) -> Answer {
    // In a file without a name, which is gone when it is sent.
    let (file, n_bytes) = computed(opened, |opened| {
        let failed = |error: std::io::Error| Problem::conflict(format!("the archive cannot be written: {error}"));
        let mut file = tempfile::tempfile().map_err(failed)?;
        write_archive(&opened.project, &mut file)?;
        std::io::Seek::rewind(&mut file).map_err(failed)?;
        let n_bytes = file.metadata().map_err(failed)?.len();
        Ok((file, n_bytes))
    })
    .await?;
    let headers = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"study.zip\"".to_owned()),
        (header::CONTENT_LENGTH, n_bytes.to_string()),
    ];
    let (sender, receiver) = tokio::sync::mpsc::channel::<std::io::Result<Bytes>>(2);
    tokio::task::spawn_blocking(move || read_in_parts(file, &sender));
    let parts = unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
    Ok((headers, Body::from_stream(parts)).into_response())
}

/// Size of the parts in which a file is sent, in bytes.
const PART: usize = 1 << 18;

fn read_in_parts(mut file: std::fs::File, sender: &tokio::sync::mpsc::Sender<std::io::Result<Bytes>>) {
    loop {
        let mut part = vec![0; PART];
        let read = std::io::Read::read(&mut file, &mut part);
        if matches!(read, Ok(0)) {
            return;
        }
        let has_failed = read.is_err();
        let read = read.map(|n| {
            part.truncate(n);
            Bytes::from(part)
        });
        // Who asked may be gone.
        if sender.blocking_send(read).is_err() || has_failed {
            return;
        }
    }
}

async fn study_text(State(opened): Shared) -> Answer {
    let text =
        computed(opened, |opened| opened.project.text()?.ok_or_else(|| Problem::missing("there is no study yet")))
            .await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

async fn run_file(State(opened): Shared, Path(path): Path<String>) -> Answer {
    file_of_results(opened, path, false).await
}

async fn preview_file(State(opened): Shared, Path(path): Path<String>) -> Answer {
    file_of_results(opened, path, true).await
}

async fn file_of_results(opened: Arc<Opened>, path: String, is_fast: bool) -> Answer {
    computed(opened, move |opened| {
        let study = opened.project.study()?;
        let mut response = file_of(&opened.project.results(&study, is_fast), &path);
        let policy = HeaderValue::from_static(POLICY_OF_FRAMES);
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        Ok(response)
    })
    .await
}
