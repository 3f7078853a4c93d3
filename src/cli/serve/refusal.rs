//! Answers in JSON, and what is answered to what cannot be answered.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

pub const JSON: &str = "application/json";

/// A value as JSON.
pub fn answer(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, JSON)], value.to_string()).into_response()
}

/// What is answered to what cannot be answered: why, and what else a page may need to know.
pub struct Refusal(pub StatusCode, pub Value);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, answer(&self.1)).into_response()
    }
}

/// A refusal with its reason.
pub fn refused(status: StatusCode, why: &str) -> Refusal {
    Refusal(status, json!({ "error": why }))
}
