//! Answers of the server.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use plymap_log::Event as Kind;
use plymap_play::page_files::{FILES, PAGE};
use plymap_play::{Claim, Event, EventPage, Lease, Position, Refused, Sender, claim_of, played, started};
use plymap_puzzles::game::StateCode;
use plymap_puzzles::valuation::ValuedLevel;
use serde::Deserialize;
use serde_json::json;

use super::links::{LONGEST_NAME, is_name};
use super::served::{PlayedLevel, Served};
use crate::cli::hint;
use plymap_server::api_error::{ApiError, JSON, answer, refused};

/// The largest request: 500 events.
pub(super) const MOST_BYTES: usize = 1 << 18;

/// The most events of one request.
const MOST_EVENTS: usize = 500;

/// The longest action or position in a recorded event.
const LONGEST_TEXT: usize = 2_000;

/// The longest answer to a question.
const LONGEST_ANSWER: usize = 20_000;

/// The description of all answers.
const DESCRIPTION: &str = include_str!("openapi.json");

type Answer = Result<Response, ApiError>;

pub(super) fn router(served: Arc<Served>) -> Router {
    Router::new()
        .route("/", get(|| async { Html(PAGE) }))
        // Browsers ask for it by themselves.
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        .route("/play/{name}", get(file))
        .route("/api/openapi.json", get(|| async { ([(header::CONTENT_TYPE, JSON)], DESCRIPTION) }))
        .route("/media/{name}", get(media))
        .route("/api/study", get(study))
        .route("/api/levels/{level}", get(level))
        .route("/api/levels/{level}/map", get(map))
        .route("/api/levels/{level}/position", get(position))
        .route("/api/levels/{level}/play", post(play))
        .route("/api/levels/{level}/hint", get(hints))
        .route("/api/sessions/{participant}/{session}", get(session).post(begin))
        .route("/api/sessions/{participant}/{session}/lease", post(lease))
        .route("/api/events", post(events))
        .fallback(|| async { refused(StatusCode::NOT_FOUND, "there is nothing at this address") })
        .method_not_allowed_fallback(|| async {
            refused(StatusCode::METHOD_NOT_ALLOWED, "this address does not take such requests")
        })
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(served)
}

fn bad(why: &str) -> ApiError {
    refused(StatusCode::BAD_REQUEST, why)
}

/// Does what can take longer than a connection should wait, on a thread for such things.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    let failed = |_| refused(StatusCode::INTERNAL_SERVER_ERROR, "the answer could not be computed");
    tokio::task::spawn_blocking(work).await.map_err(failed)
}

/// Computes what has nothing to do with the log, where there is a place for it: there are fewer of them than threads, so that
/// nothing that is recorded waits for what is computed.
async fn computed<T: Send + 'static>(
    served: &Arc<Served>,
    work: impl FnOnce(&Served) -> T + Send + 'static,
) -> Result<T, ApiError> {
    // It belongs to the thread, which goes on where the request is given up.
    let place = Arc::clone(&served.computing).acquire_owned().await;
    let served = Arc::clone(served);
    apart(move || {
        let _place = place;
        work(&served)
    })
    .await
}

impl Served {
    fn level(&self, name: &str) -> Result<&PlayedLevel, ApiError> {
        let place = self.places.get(name).copied();
        place
            .map(|place| &self.levels[place])
            .ok_or_else(|| refused(StatusCode::NOT_FOUND, &format!("the study has no level {name:?}")))
    }
}

fn state_of(level: &ValuedLevel, text: Option<&str>) -> Result<StateCode, ApiError> {
    let Some(text) = text else { return Ok(level.rules.start()) };
    level.rules.parse_state(text).map_err(|error| bad(&error.to_string()))
}

/// Fails if a script of the rules had an error.
fn no_script_error(level: &ValuedLevel) -> Result<(), ApiError> {
    let error = level.rules.script_error();
    error.map_or(Ok(()), |error| Err(refused(StatusCode::INTERNAL_SERVER_ERROR, &error)))
}

async fn file(Path(name): Path<String>) -> Response {
    match FILES.iter().find(|(file_name, ..)| *file_name == name) {
        Some((_, kind, content)) => ([(header::CONTENT_TYPE, *kind)], *content).into_response(),
        None => refused(StatusCode::NOT_FOUND, "the page has no such file").into_response(),
    }
}

async fn study(State(served): State<Arc<Served>>) -> Response {
    ([(header::CONTENT_TYPE, JSON)], served.study.clone()).into_response()
}

async fn media(State(served): State<Arc<Served>>, Path(name): Path<String>) -> Answer {
    let none = || refused(StatusCode::NOT_FOUND, "the experiment has no such image");
    let (kind, content) = served.media.get(&format!("media/{name}")).ok_or_else(none)?;
    Ok(([(header::CONTENT_TYPE, *kind)], content.clone()).into_response())
}

async fn level(State(served): State<Arc<Served>>, Path(name): Path<String>) -> Answer {
    computed(&served, move |served| {
        let level = &served.level(&name)?.valued;
        let rules = &*level.rules;
        let start = started(rules, &mut rand::rng());
        let board = plymap_play::page_picture::Board::of(&rules.picture(start));
        let described = json!({
            "level": level.id,
            "unit": rules.unit().name(),
            "aim": rules.aim(),
            "hints": served.page.has_hints(),
            "is_start_drawn": rules.is_start_drawn(),
            "board": board,
            "start": Position::new(rules, start),
        });
        no_script_error(level)?;
        Ok(answer(&described))
    })
    .await?
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapQuery {
    #[serde(default)]
    hints: bool,
}

type AskedMap = Result<Query<MapQuery>, axum::extract::rejection::QueryRejection>;

async fn map(State(served): State<Arc<Served>>, Path(name): Path<String>, query: AskedMap) -> Answer {
    let Query(MapQuery { hints }) = query.map_err(|error| bad(&error.to_string()))?;
    if hints {
        check_hints(&served)?;
    }
    let served_map = &served.level(&name)?.maps[usize::from(hints)];
    let map = match served_map.file.get() {
        Some(file) => file.clone(),
        None => {
            let making = Arc::clone(&served_map.making).lock_owned().await;
            let make = move |served: &Served| {
                let _making = making;
                served.level(&name).map(|level| level.map(hints).clone())
            };
            computed(&served, make).await??
        }
    };
    let none = || refused(StatusCode::NOT_FOUND, "this level has no map for pages: ask for its positions");
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], map.ok_or_else(none)?).into_response())
}

fn check_hints(served: &Served) -> Result<(), ApiError> {
    let why =
        "hints are not allowed: the server was started without --hints, and no condition of the experiment has them";
    if served.page.has_hints() { Ok(()) } else { Err(refused(StatusCode::FORBIDDEN, why)) }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StateQuery {
    state: Option<String>,
}

type AskedState = Result<Query<StateQuery>, axum::extract::rejection::QueryRejection>;

fn requested_state(query: AskedState) -> Result<Option<String>, ApiError> {
    query.map(|Query(query)| query.state).map_err(|error| bad(&error.to_string()))
}

async fn position(State(served): State<Arc<Served>>, Path(name): Path<String>, query: AskedState) -> Answer {
    let state = requested_state(query)?;
    computed(&served, move |served| {
        let level = &served.level(&name)?.valued;
        let position = Position::new(&*level.rules, state_of(level, state.as_deref())?);
        no_script_error(level)?;
        Ok(answer(&json!(position)))
    })
    .await?
}

async fn hints(State(served): State<Arc<Served>>, Path(name): Path<String>, query: AskedState) -> Answer {
    let state = requested_state(query)?;
    check_hints(&served)?;
    computed(&served, move |served| {
        let level = &served.level(&name)?.valued;
        let state = state_of(level, state.as_deref())?;
        let evaluation = level.evaluated(state).map_err(|error| bad(&error.to_string()))?;
        no_script_error(level)?;
        Ok(answer(&json!(hint::answer(level, &evaluation))))
    })
    .await?
}

/// Parses a body of JSON. It must say that it is JSON: a form of another page cannot.
fn body<'a, T: Deserialize<'a>>(headers: &HeaderMap, body: &'a Bytes) -> Result<T, ApiError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some(JSON) {
        return Err(refused(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be JSON, with the type application/json",
        ));
    }
    serde_json::from_slice(body).map_err(|error| bad(&format!("the body: {error}")))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayRequest {
    state: String,
    action: String,
}

type Body = Result<Bytes, axum::extract::rejection::BytesRejection>;

fn bytes(body: Body) -> Result<Bytes, ApiError> {
    body.map_err(|error| refused(error.status(), &error.body_text()))
}

async fn play(
    State(served): State<Arc<Served>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    payload: Body,
) -> Answer {
    let payload = bytes(payload)?;
    let PlayRequest { state, action } = body(&headers, &payload)?;
    computed(&served, move |served| {
        let level = &served.level(&name)?.valued;
        let rules = &*level.rules;
        let state = state_of(level, Some(&state))?;
        let step = played(rules, state, &action, &mut rand::rng()).map_err(|error| bad(&error.to_string()))?;
        no_script_error(level)?;
        Ok(answer(&json!({ "notation": step.notation, "position": Position::new(rules, step.next) })))
    })
    .await?
}

fn checked_name(what: &str, name: &str) -> Result<(), ApiError> {
    if is_name(name) {
        return Ok(());
    }
    Err(bad(&format!("the {what} must be 1 to {LONGEST_NAME} letters, digits, hyphens, underscores or full stops")))
}

/// Sender of a request, which carries their secret as a bearer token (RFC 6750).
struct Asker {
    participant: String,
    session: String,
    claim: Claim,
}

impl Asker {
    fn new(served: &Served, headers: &HeaderMap, participant: String, session: String) -> Result<Self, ApiError> {
        checked_name("participant", &participant)?;
        checked_name("session", &session)?;
        let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = token.and_then(|text| text.strip_prefix("Bearer ")).map(str::trim).filter(|text| !text.is_empty());
        let claim = token.map(claim_of);
        let expected = served.links.as_ref().map(|links| links.get(&participant));
        let why = match (expected, claim) {
            (None, Some(claim)) => return Ok(Self { participant, session, claim }),
            (Some(Some(expected)), Some(claim)) if *expected == claim => {
                return Ok(Self { participant, session, claim });
            }
            // Whose session it is could not be told later, and whoever asks for it first would have it.
            (None, None) => {
                "requests for a session need a token, as `Authorization: Bearer`: that of the link, or one that the page draws"
            }
            // The same for those who are not invited: whoever guesses is not to learn who is.
            _ => "this experiment is for those who were sent a link, and this link is not whole, or none of them",
        };
        Err(refused(StatusCode::UNAUTHORIZED, why))
    }

    fn sender(&self, lease: Option<Lease>) -> Sender<'_> {
        Sender { participant: &self.participant, session: &self.session, claim: Some(self.claim), lease }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FromQuery {
    #[serde(default)]
    from: usize,
}

type AskedFrom = Result<Query<FromQuery>, axum::extract::rejection::QueryRejection>;

type Names = Path<(String, String)>;

async fn session(
    State(served): State<Arc<Served>>,
    Path((participant, session)): Names,
    headers: HeaderMap,
    query: AskedFrom,
) -> Answer {
    let Query(FromQuery { from }) = query.map_err(|error| bad(&error.to_string()))?;
    let asker = Asker::new(&served, &headers, participant, session)?;
    let events = apart(move || served.journal.events(asker.sender(None), from).map(page_of)).await?;
    events.map_err(|why| not_taken(&why))
}

/// The answer with events of a session: no longer than the longest request with which they came. The others are asked for again.
fn page_of(mut page: EventPage) -> Response {
    let mut n_bytes = 0;
    let fits = |event: &&Event| {
        n_bytes += json!(event).to_string().len();
        n_bytes <= MOST_BYTES
    };
    let n_events = page.events.iter().take_while(fits).count();
    page.events.truncate(n_events.max(1));
    answer(&json!(page))
}

/// Request that begins a session.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BeginRequest {
    /// The condition that the link names.
    #[serde(default)]
    condition: Option<String>,
    time_ms: f64,
    onset_s: f64,
}

async fn begin(
    State(served): State<Arc<Served>>,
    Path((participant, session)): Names,
    headers: HeaderMap,
    payload: Body,
) -> Answer {
    let payload = bytes(payload)?;
    let BeginRequest { condition, time_ms, onset_s } = body(&headers, &payload)?;
    let asker = Asker::new(&served, &headers, participant, session)?;
    apart(move || {
        let condition = condition.as_deref();
        let unknown =
            |names: Vec<&str>| bad(&format!("there is no condition {condition:?}; there are {}", names.join(", ")));
        served.page.condition(0, condition).map_err(unknown)?;
        let assigned = |number| served.page.condition(number, condition).ok().flatten().map(str::to_owned);
        let first = Event::of_no_level(time_ms, onset_s);
        let sender = asker.sender(None);
        let begun = served.journal.begin(sender, condition.unwrap_or_default(), first, assigned);
        let lease = begun.and_then(|()| served.journal.lease(sender));
        lease.map(page_of).map_err(|why| not_taken(&why))
    })
    .await?
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaseRequest {}

async fn lease(
    State(served): State<Arc<Served>>,
    Path((participant, session)): Names,
    headers: HeaderMap,
    payload: Body,
) -> Answer {
    let payload = bytes(payload)?;
    let LeaseRequest {} = body(&headers, &payload)?;
    let asker = Asker::new(&served, &headers, participant, session)?;
    let lease = apart(move || served.journal.lease(asker.sender(None)).map(page_of)).await?;
    lease.map_err(|why| not_taken(&why))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EventsRequest {
    participant: String,
    session: String,
    #[serde(default)]
    lease: Option<Lease>,
    events: Vec<Event>,
}

impl Served {
    fn check(&self, event: &Event) -> Result<(), ApiError> {
        let why = |why: &str| Err(bad(&format!("event {}: {why}", event.seq)));
        let is_play = Kind::NAMES.contains(&event.event.as_str());
        if !is_play && !Kind::BESIDE_PLAY.contains(&event.event.as_str()) {
            let known = Kind::NAMES.iter().chain(&Kind::BESIDE_PLAY).copied().collect::<Vec<_>>().join(", ");
            return why(&format!("there is no event {:?}; there are {known}", event.event));
        }
        let is_of_level = is_play || !event.level.is_empty();
        if is_of_level && !self.places.contains_key(&event.level) {
            return why(&format!("the study has no level {:?}", event.level));
        }
        if event.attempt == 0 {
            return why("attempts are numbered from 1");
        }
        let is_long = |text: &str| text.len() > LONGEST_TEXT;
        let texts = [Some(&event.action), event.state_after.as_ref(), event.condition.as_ref(), event.block.as_ref()];
        if texts.into_iter().flatten().any(|text| is_long(text)) {
            return why(&format!("one of its texts is longer than {LONGEST_TEXT} bytes"));
        }
        if event.value.as_ref().is_some_and(|value| value.len() > LONGEST_ANSWER) {
            return why(&format!("its value is longer than {LONGEST_ANSWER} bytes"));
        }
        Ok(())
    }
}

async fn events(State(served): State<Arc<Served>>, headers: HeaderMap, payload: Body) -> Answer {
    let payload = bytes(payload)?;
    let EventsRequest { participant, session, lease, events } = body(&headers, &payload)?;
    let asker = Asker::new(&served, &headers, participant, session)?;
    if events.len() > MOST_EVENTS {
        return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, &format!("at most {MOST_EVENTS} events in a request")));
    }
    apart(move || {
        events.iter().try_for_each(|event| served.check(event))?;
        let appended = served.journal.append(asker.sender(lease), &events);
        appended.map(|n_events| answer(&json!({ "n_events": n_events }))).map_err(|why| not_taken(&why))
    })
    .await?
}

fn not_taken(why: &Refused) -> ApiError {
    let error = why.to_string();
    match why {
        Refused::Gap { n_events, .. } => {
            ApiError(StatusCode::CONFLICT, json!({ "error": error, "n_events": n_events }))
        }
        Refused::Conflict { n_events, .. } => {
            ApiError(StatusCode::CONFLICT, json!({ "error": error, "n_events": n_events, "conflict": true }))
        }
        Refused::Overtaken { n_events } => {
            ApiError(StatusCode::CONFLICT, json!({ "error": error, "n_events": n_events, "overtaken": true }))
        }
        Refused::OutOfOrder { .. } => bad(&error),
        Refused::Full => refused(StatusCode::PAYLOAD_TOO_LARGE, &error),
        Refused::NotYours => refused(StatusCode::UNAUTHORIZED, &error),
        // Where the log is, and what happened to it, is for the researcher alone.
        Refused::LogFile(_) => {
            let error = "the log of this experiment is not where it was, or not as it was left: nothing is recorded until \
                         whoever runs the experiment has mended that";
            ApiError(StatusCode::SERVICE_UNAVAILABLE, json!({ "error": error, "log": "gone" }))
        }
        Refused::Io(_) => refused(StatusCode::INSUFFICIENT_STORAGE, &error),
    }
}

#[cfg(test)]
mod tests;
