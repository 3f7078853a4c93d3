//! A row as it stands in its file, and what can be wrong with it.

use super::error::LogError;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Receives the rows of a file, one after the other.
pub(super) type Sink<'s> = dyn FnMut(RawRow<'_>) -> Result<(), LogError> + 's;

/// A row as it stands in its file.
pub(super) struct RawRow<'a> {
    /// Line of the file, or row of a Parquet file, from 1.
    pub line: u64,
    /// One cell for each column of the file; fewer or more where the row is faulty.
    pub cells: &'a [Option<&'a str>],
    /// Reason why the cells cannot be trusted.
    pub fault: Option<Box<RowDiagnostic>>,
    /// Diagnostics that leave it in use.
    pub notices: &'a [RowDiagnostic],
}

/// A diagnostic of a row or file, before its place in the log is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowDiagnostic {
    /// Code of the kind.
    pub code: Cow<'static, str>,
    /// The column; empty where it is of the whole row.
    pub column: String,
    /// The value, cut short.
    pub value: String,
    /// The rule that it breaks.
    pub rule: String,
    /// Remedy.
    pub fix: String,
}

/// Longest value that a diagnostic shows, in characters.
const SHOWN: usize = 120;

impl RowDiagnostic {
    pub(super) fn new(
        code: &'static str,
        column: &str,
        value: &str,
        rule: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        let mut shown: String = value.chars().take(SHOWN).collect();
        if shown.len() < value.len() {
            shown.push('…');
        }
        Self::uncut(code, column, shown, rule, fix)
    }

    /// The same with the whole value.
    pub(super) fn uncut(
        code: &'static str,
        column: &str,
        value: impl Into<String>,
        rule: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self { code: code.into(), column: column.to_owned(), value: value.into(), rule: rule.into(), fix: fix.into() }
    }

    /// `true` if cells may stand under the wrong column, or be lost.
    pub(super) fn breaks_cells(&self) -> bool {
        matches!(&*self.code, "ragged-row" | "unclosed-quote" | "text-after-quote" | "invalid-json" | "not-an-object")
    }
}
