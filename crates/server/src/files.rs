//! Files of a folder, for a browser.

use std::path::{Component, Path};

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use plymap_tables::regular;

/// A file of a folder, and nothing else.
pub fn file_of(folder: &Path, path: &str) -> Response {
    let path = Path::new(path);
    let is_within = path.components().all(|part| matches!(part, Component::Normal(_)));
    match is_within.then(|| regular::read(&folder.join(path))).and_then(Result::ok) {
        Some(bytes) => {
            ([(header::CONTENT_TYPE, content_type(path)), (header::CACHE_CONTROL, "no-store")], bytes).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "pdf" => "application/pdf",
        "json" => "application/json",
        "csv" | "md" | "py" | "tex" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
