//! Answers in JSON, and answers with an error status.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// Content type of JSON.
pub const JSON: &str = "application/json";

/// A value as JSON.
pub fn answer(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, JSON)], value.to_string()).into_response()
}

/// An answer with an error status: the reason, and what else a page may need to know.
pub struct ApiError(pub StatusCode, pub Value);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.0, answer(&self.1)).into_response()
    }
}

/// An error answer with its reason.
pub fn refused(status: StatusCode, why: &str) -> ApiError {
    ApiError(status, json!({ "error": why }))
}
