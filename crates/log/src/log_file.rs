//! One file of a log.

use std::path::PathBuf;

use super::raw::RowDiagnostic;
use plymap_statistics::stats::apa::counted;

/// One file of a log.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LogFile {
    /// Path that it was read from, as the study names it.
    pub path: PathBuf,
    /// Size as it lies on the disk.
    pub bytes: u64,
    /// SHA-256 of the file as it lies on the disk, in hexadecimal.
    pub sha256: String,
    /// Format that it was read as: `csv`, `tsv`, `ndjson`, `json`, `json-columns`, `json-by-key`, `json-object` (one
    /// row), `parquet` and others, with `+gzip` or `+zstd`.
    pub format: String,
    /// Rows in it, rejected ones included.
    pub n_rows: u64,
    /// Lines above its header that are none of its rows.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_above: u64,
    /// Diagnostics of the file as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<RowDiagnostic>,
    /// Encoding that its text was converted from, if that is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// Message on lines above a header.
pub(crate) fn above_header(n: u64) -> String {
    let are = if n == 1 { "is none of the table, and was" } else { "are none of the table, and were" };
    format!("{} above the header {are} left out", counted(n, "line"))
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}
