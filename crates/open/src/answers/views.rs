//! Answers from play: what is explored, with its figures, tables and maps.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};
use plymap_server::api_error::answer;
use serde::Deserialize;
use serde_json::json;

use crate::explore::{
    FigureRequest, FiguresRequest, Filter, GroupRequest, LevelView, MapRequest, Overview, ParticipantView,
    TableRequest, TrialRow, TrialView, View, ViewFile, being_read,
};
use crate::opened::Opened;
use crate::problem::Problem;
use crate::request::{Answer, PATIENCE, POLICY_OF_FRAMES, Shared, computed, query};
use crate::task::{self, MAP, Task, Work};

/// Time that a request waits for play that is being read before it says so.
const SHORT_PATIENCE: Duration = Duration::from_millis(1_500);

/// Makes sure that the play of the study is there, and reads it if it is not; what takes long is a task, of which the page
/// hears by the problem.
pub async fn ready(opened: &Arc<Opened>) -> Result<(), Problem> {
    let is_there = |opened: &Arc<Opened>| {
        let opened = Arc::clone(opened);
        computed(opened, |opened| Ok(opened.views.whole(&opened.project)?.is_some()))
    };
    if is_there(opened).await? {
        return Ok(());
    }
    let working = Arc::clone(opened);
    let make = move |progress: &Work| working.views.make(&working.project, progress);
    let begun = opened.tasks.begin_or_join("play", String::new(), make)?;
    let Some(task) = opened.tasks.ended(begun.number, SHORT_PATIENCE).await else {
        // What became of it is no longer told by the tasks, but by what is there.
        return if is_there(opened).await? { Ok(()) } else { Err(being_read()) };
    };
    match task.state {
        task::State::Running => Err(being_read()),
        task::State::Failed | task::State::Stopped => Err(failed(task)),
        _ => Ok(()),
    }
}

/// Computes an answer from the play that fits the filters of a query; the other pairs are what is asked of it.
async fn of_view<T: Send + 'static>(
    opened: Arc<Opened>,
    pairs: Vec<(String, String)>,
    work: impl FnOnce(&View, Vec<(String, String)>) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let (filter, others) = Filter::of_query(pairs)?;
    ready(&opened).await?;
    computed(opened, move |opened| {
        let view = opened.views.filtered(&opened.project, &filter)?;
        work(&view, others)
    })
    .await
}

pub async fn overview(State(opened): Shared, Query(pairs): Query<Vec<(String, String)>>) -> Answer {
    of_view(opened, pairs, |view, _| Ok(answer(&json!(Overview::new(view)?)))).await
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct OneTrial {
    of: String,
    session: String,
    at: String,
}

pub async fn explore(
    State(opened): Shared,
    Path(what): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Answer {
    let value = of_view(opened, pairs, move |view, others| {
        Ok(match what.as_str() {
            "trials" => {
                let trials = &view.play.measures.trials;
                let rows: Vec<TrialRow> = trials.iter().map(|trial| TrialRow::new(view, trial)).collect();
                json!({ "n": rows.len(), "n_rows": view.play.labelled.rows.len(), "rows": rows })
            }
            "trial" => {
                let OneTrial { of, session, at } = query(others)?;
                json!(TrialView::new(view, &of, &session, &at)?)
            }
            "participant" => json!(ParticipantView::new(view, &query::<Named>(others)?.name)?),
            "level" => json!(LevelView::new(view, &query::<Named>(others)?.name)?),
            "groups" => json!(view.groups(&query::<GroupRequest>(others)?)?),
            _ => return Err(Problem::missing("there is nothing at this address")),
        })
    })
    .await?;
    Ok(answer(&value))
}

fn sent(file: ViewFile) -> Response {
    let ViewFile { name, kind, bytes } = file;
    let how = if kind.starts_with("image/") { "inline" } else { "attachment" };
    let disposition = HeaderValue::from_str(&format!("{how}; filename=\"{}\"", name.replace(['"', '\\'], "_")));
    let disposition = disposition.unwrap_or_else(|_| HeaderValue::from_static(how));
    ([(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CONTENT_DISPOSITION, disposition)], bytes)
        .into_response()
}

pub async fn figure(State(opened): Shared, Query(pairs): Query<Vec<(String, String)>>) -> Answer {
    of_view(opened, pairs, |view, others| view.figure(&query::<FigureRequest>(others)?)).await.map(sent)
}

pub async fn figures(State(opened): Shared, Query(pairs): Query<Vec<(String, String)>>) -> Answer {
    of_view(opened, pairs, |view, others| Ok(answer(&json!(view.figures(&query::<FiguresRequest>(others)?)?)))).await
}

pub async fn table(State(opened): Shared, Query(pairs): Query<Vec<(String, String)>>) -> Answer {
    of_view(opened, pairs, |view, others| view.table(&query::<TableRequest>(others)?)).await.map(sent)
}

pub async fn groups_table(State(opened): Shared, Query(pairs): Query<Vec<(String, String)>>) -> Answer {
    of_view(opened, pairs, |view, others| view.groups_table(&query::<GroupRequest>(others)?)).await.map(sent)
}

/// Returns the map of a level, for which it waits as long as it takes.
pub async fn map(State(opened): Shared, Query(pairs): Query<Vec<(String, String)>>) -> Answer {
    let (view, request) = map_request(&opened, pairs).await?;
    while !is_drawn(&opened, &view, &request.name).await? {}
    let page = computed(opened, move |opened| {
        let maps = opened.maps.drawn(&view, &request.name).ok_or_else(|| Problem::conflict("ask for the map again"))?;
        view.map_page(&request, &maps)
    });
    Ok(([(header::CONTENT_SECURITY_POLICY, POLICY_OF_FRAMES)], Html(page.await?)).into_response())
}

/// Returns whether the map of a level is drawn, which it begins where it is not.
pub async fn map_state(State(opened): Shared, Query(pairs): Query<Vec<(String, String)>>) -> Answer {
    let (view, request) = map_request(&opened, pairs).await?;
    Ok(answer(&json!({ "is_drawn": is_drawn(&opened, &view, &request.name).await? })))
}

async fn map_request(opened: &Arc<Opened>, pairs: Vec<(String, String)>) -> Result<(Arc<View>, MapRequest), Problem> {
    let (filter, others) = Filter::of_query(pairs)?;
    let request: MapRequest = query(others)?;
    ready(opened).await?;
    computed(Arc::clone(opened), move |opened| {
        let view = opened.views.filtered(&opened.project, &filter)?;
        view.mapped(&request.name)?;
        Ok((view, request))
    })
    .await
}

/// Returns true if a map is drawn; else it is being drawn, as a task, of which the end is waited for.
async fn is_drawn(opened: &Arc<Opened>, view: &Arc<View>, level: &str) -> Result<bool, Problem> {
    if opened.maps.drawn(view, level).is_some() {
        return Ok(true);
    }
    // A view that is being drawn has its address to itself.
    let of = format!("{:p} {level}", Arc::as_ptr(view));
    let (working, drawn, name) = (Arc::clone(opened), Arc::clone(view), level.to_owned());
    let draw = move |progress: &Work| working.maps.draw(&drawn, &name, progress);
    let task = opened.tasks.begin_or_join(MAP, of.clone(), draw)?;
    match opened.tasks.ended(task.number, PATIENCE).await {
        // Why another map was not drawn says nothing of this one.
        Some(task) if task.of == of && matches!(task.state, task::State::Failed | task::State::Stopped) => {
            Err(failed(task))
        }
        _ => Ok(opened.maps.drawn(view, level).is_some()),
    }
}

/// Returns why a task did not do what it was to do.
fn failed(Task { error, faults, message, .. }: Task) -> Problem {
    Problem { status: StatusCode::UNPROCESSABLE_ENTITY, error: error.unwrap_or_default(), faults, message }
}
