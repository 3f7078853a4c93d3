//! What requests carry and how they are answered: values of bodies and queries, work on a thread of its own.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use plymap_server::api_error::answer;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::opened::Opened;
use crate::problem::Problem;

/// Time that a page waits for news of a task before it asks again.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Policy of the report and of maps in their frames: their own policies, stricter, stand in them.
pub const POLICY_OF_FRAMES: &str =
    "default-src 'self' 'unsafe-inline' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// What requests are answered from.
pub type Shared = State<Arc<Opened>>;
/// Answer to a request.
pub type Answer = Result<Response, Problem>;

/// Computes an answer on a thread for such work.
pub async fn computed<T: Send + 'static>(
    opened: Arc<Opened>,
    work: impl FnOnce(&Opened) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let failed =
        |_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "a bug in plymap ended the answer; please report it");
    tokio::task::spawn_blocking(move || work(&opened)).await.map_err(failed)?
}

/// Answers with a value that is computed so.
pub async fn answered(
    opened: Arc<Opened>,
    work: impl FnOnce(&Opened) -> Result<Value, Problem> + Send + 'static,
) -> Answer {
    computed(opened, work).await.map(|value| answer(&value))
}

/// Returns the value in the body of a request.
pub fn body<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, Problem> {
    serde_json::from_slice(bytes).map_err(|error| Problem::bad(format!("the body of the request: {error}")))
}

/// Returns the value that the pairs of a query are the fields of.
pub fn query<T: DeserializeOwned>(pairs: Vec<(String, String)>) -> Result<T, Problem> {
    let object: serde_json::Map<String, Value> = pairs.into_iter().map(|(key, value)| (key, value.into())).collect();
    serde_json::from_value(object.into()).map_err(|error| Problem::bad(format!("the query of the request: {error}")))
}

/// Parameters of a query, which may not be what they should.
pub type Parameters<T> = Result<Query<T>, axum::extract::rejection::QueryRejection>;

/// Returns the parameters of a query.
pub fn parameters<T>(query: Parameters<T>) -> Result<T, Problem> {
    query.map(|Query(parameters)| parameters).map_err(|error| Problem::bad(error.body_text()))
}
