//! Diagnostics of a log that is read or replayed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::raw::RowDiagnostic;
use plymap_tables::{ColumnDoc, Columns, Table, count, text, whole};

/// Consequence of a diagnostic for its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consequence {
    /// It is not in the canonical log.
    Rejected,
    /// It is in the canonical log, but could not be replayed and is left out of everything after it.
    Excluded,
    /// It could be replayed, and the study leaves it out.
    LeftOut,
    /// It is used, without its time.
    TimeMissing,
    /// It is used as it is; worth knowing.
    Kept,
}

impl Consequence {
    /// Every consequence, the gravest first.
    pub const ALL: [Self; 5] = [Self::Rejected, Self::Excluded, Self::LeftOut, Self::TimeMissing, Self::Kept];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::Excluded => "excluded",
            Self::LeftOut => "left_out",
            Self::TimeMissing => "time_missing",
            Self::Kept => "kept",
        }
    }
}

impl fmt::Display for Consequence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// One thing that is wrong with, or worth knowing of, one row or one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogDiagnostic {
    /// Short stable name of the rule, such as `missing-action`.
    pub code: Cow<'static, str>,
    /// Consequence for the row.
    pub consequence: Consequence,
    /// The file, as the study names it.
    pub file: String,
    /// Row as `source_row` counts it; 0 for the whole file.
    pub row: u64,
    /// Column as the file names it; empty for the whole row.
    pub column: String,
    /// Value that stands there.
    pub value: String,
    /// Rule that is broken.
    pub rule: String,
    /// Remedy.
    pub fix: String,
    /// Participant of the row, where it is known: a row that cannot be parsed is attributed to the
    /// attempt that its cells and the rows beside it suggest, in doubt to the one before it.
    pub participant: Option<String>,
    /// Session of the row, where it is known.
    pub session: Option<String>,
    /// Level of the row, where it is known.
    pub level: Option<String>,
    /// Attempt of the row, where it is known.
    pub attempt: Option<i64>,
}

impl LogDiagnostic {
    /// A diagnostic of a row, or of a whole file where `row` is 0, of which nobody knows whose it is.
    pub(super) fn new(diagnostic: RowDiagnostic, consequence: Consequence, file: &str, row: u64) -> Self {
        Self {
            code: diagnostic.code,
            consequence,
            file: file.to_owned(),
            row,
            column: diagnostic.column,
            value: diagnostic.value,
            rule: diagnostic.rule,
            fix: diagnostic.fix,
            participant: None,
            session: None,
            level: None,
            attempt: None,
        }
    }
}

impl fmt::Display for LogDiagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_diagnostic(formatter, &self.file, self.row, &self.column, &self.value, &self.rule)?;
        write!(formatter, "; {} [{}, {}]", self.fix, self.code, self.consequence)
    }
}

/// All diagnostics of one kind, told by the first of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct DiagnosticSummary {
    /// Short stable name of the rule.
    pub code: String,
    /// Consequence for the rows.
    pub consequence: Consequence,
    /// Number of diagnostics.
    pub n: u64,
    /// File of the first.
    pub file: String,
    /// Row of the first; 0 for the whole file.
    pub row: u64,
    /// Column of the first; empty for the whole row.
    pub column: String,
    /// Value of the first.
    pub value: String,
    /// Rule that the first breaks.
    pub rule: String,
    /// Remedy.
    pub fix: String,
}

impl fmt::Display for DiagnosticSummary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} × {} ({}), first at ", self.n, self.code, self.consequence)?;
        write_diagnostic(formatter, &self.file, self.row, &self.column, &self.value, &self.rule)?;
        write!(formatter, "; {}", self.fix)
    }
}

/// Counts diagnostics by code, consequence and column, and shows the first of each.
///
/// The gravest consequence comes first, then what happens most often, then code and column by name;
/// "first" means first in `diagnostics`.
pub fn summarise(diagnostics: &[LogDiagnostic]) -> Vec<DiagnosticSummary> {
    let mut kinds: BTreeMap<(Consequence, &str, &str), (u64, &LogDiagnostic)> = BTreeMap::new();
    for diagnostic in diagnostics {
        kinds.entry((diagnostic.consequence, &*diagnostic.code, &diagnostic.column)).or_insert((0, diagnostic)).0 += 1;
    }
    let mut summaries: Vec<DiagnosticSummary> = kinds
        .into_values()
        .map(|(n, first)| DiagnosticSummary {
            code: first.code.clone().into_owned(),
            consequence: first.consequence,
            n,
            file: first.file.clone(),
            row: first.row,
            column: first.column.clone(),
            value: first.value.clone(),
            rule: first.rule.clone(),
            fix: first.fix.clone(),
        })
        .collect();
    summaries.sort_by_key(|summary| (summary.consequence, std::cmp::Reverse(summary.n)));
    summaries
}

/// All diagnostics as the table `rejects`, one row each, in the order of `diagnostics`.
pub fn diagnostics_table(diagnostics: &[LogDiagnostic]) -> Table {
    fn present<'a>(
        diagnostics: &'a [LogDiagnostic],
        text: impl Fn(&'a LogDiagnostic) -> &'a str,
    ) -> Vec<Option<&'a str>> {
        diagnostics.iter().map(|diagnostic| Some(text(diagnostic)).filter(|text| !text.is_empty())).collect()
    }
    Columns::new()
        .column(diagnostics, text("code", "short stable name of the rule"), |diagnostic| diagnostic.code.clone().into_owned())
        .values(
            ColumnDoc::new(
                "consequence",
                "what became of the row: not in the canonical log (rejected), in it but not replayed (excluded), \
                 replayed but left out by the study (left_out), used without its time (time_missing), or used as it is (kept)",
            )
            .levels(&Consequence::ALL.map(Consequence::name)),
            diagnostics.iter().map(|diagnostic| diagnostic.consequence.name()).collect(),
        )
        .column(diagnostics, text("file", "file of the log, as the study names it"), |diagnostic| diagnostic.file.clone())
        .values(
            count(
                "row",
                "line of the file as an editor shows it, or row of a Parquet file, from 1; missing where the diagnostic is \
                 about the whole file",
            ),
            diagnostics.iter().map(|diagnostic| Some(diagnostic.row).filter(|&row| row > 0)).collect(),
        )
        .values(
            text("column", "column as the file names it; missing where the diagnostic is about the whole row"),
            present(diagnostics, |diagnostic| &diagnostic.column),
        )
        .values(text("value", "what stands there; missing where nothing does"), present(diagnostics, |diagnostic| &diagnostic.value))
        .column(diagnostics, text("rule", "what is wrong"), |diagnostic| diagnostic.rule.clone())
        .column(diagnostics, text("fix", "what to do about it"), |diagnostic| diagnostic.fix.clone())
        .column(diagnostics, text("participant", "participant of the row, where it is known"), |diagnostic| diagnostic.participant.clone())
        .column(diagnostics, text("session", "session of the row, where it is known"), |diagnostic| diagnostic.session.clone())
        .column(diagnostics, text("level", "level of the row, where it is known"), |diagnostic| diagnostic.level.clone())
        .column(diagnostics, whole("attempt", "attempt of the row, where it is known"), |diagnostic| diagnostic.attempt)
        .into_table(
            "rejects",
            "Everything that was noticed in the logs: one row for each diagnostic, with where it is, what it breaks, what \
             became of the row and what to do.",
        )
}

fn write_diagnostic(
    formatter: &mut fmt::Formatter<'_>,
    file: &str,
    row: u64,
    column: &str,
    value: &str,
    rule: &str,
) -> fmt::Result {
    formatter.write_str(file)?;
    if row > 0 {
        write!(formatter, ":{row}")?;
    }
    if !column.is_empty() {
        write!(formatter, ", column {column}")?;
    }
    if !value.is_empty() {
        write!(formatter, ", {value:?}")?;
    }
    write!(formatter, ": {rule}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(code: &'static str, consequence: Consequence, row: u64) -> LogDiagnostic {
        LogDiagnostic {
            code: code.into(),
            consequence,
            file: "log.csv".to_owned(),
            row,
            column: String::new(),
            value: String::new(),
            rule: "it is wrong".to_owned(),
            fix: "fix it".to_owned(),
            participant: None,
            session: None,
            level: None,
            attempt: None,
        }
    }

    #[test]
    fn summaries_put_the_gravest_and_most_frequent_first() {
        let diagnostics = [
            diagnostic("bad-time", Consequence::TimeMissing, 2),
            diagnostic("missing-level", Consequence::Rejected, 5),
            diagnostic("missing-action", Consequence::Rejected, 7),
            diagnostic("missing-action", Consequence::Rejected, 9),
        ];
        let summaries = summarise(&diagnostics);
        let shown: Vec<_> = summaries.iter().map(|kind| (kind.code.as_str(), kind.n, kind.row)).collect();
        assert_eq!(shown, [("missing-action", 2, 7), ("missing-level", 1, 5), ("bad-time", 1, 2)]);
        assert_eq!(
            summarise(&diagnostics)[0].to_string(),
            "2 × missing-action (rejected), first at log.csv:7: it is wrong; fix it"
        );
    }

    #[test]
    fn the_table_documents_each_of_its_columns() {
        let table = diagnostics_table(&[diagnostic("empty-file", Consequence::Kept, 0)]);
        let documented: Vec<_> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let written: Vec<_> = table.data.get_column_names().iter().map(|name| name.as_str()).collect();
        assert_eq!(written, documented);
        assert_eq!(table.data.column("row").unwrap().null_count(), 1);
    }
}
