//! A log as it was read: rows, files, and an account of everything else.

use super::canonical::CanonicalRows;
use super::personal::PersonalData;
use super::pipeline_step::StepCount;
use super::pseudonym::KeyFile;
use super::reject::LogDiagnostic;
use crate::log_file::LogFile;
use std::collections::HashMap;

/// A log as it was read: the canonical rows, and an account of everything else.
#[derive(Clone, Debug)]
pub struct Log {
    /// The canonical log.
    pub rows: CanonicalRows,
    /// For rows of it the first row that was rejected of their attempt, or perhaps of it, where that stands before
    /// them in the order of play: nobody knows in which position they were played.
    pub behind_rejected: HashMap<usize, RowPlace>,
    /// The files, in the order in which they were read.
    pub files: Vec<LogFile>,
    /// Everything that was noticed, by file and row.
    pub diagnostics: Vec<LogDiagnostic>,
    /// Rows that are to be used: those of the files, header and blank lines not counted, as the steps of the study
    /// leave and make them.
    pub n_read: u64,
    /// Rows that are not in `rows`; each has one diagnostic that says why.
    pub n_rejected: u64,
    /// Counts of the steps of the study, in their order; the last one is that of ignored events,
    /// if there are any.
    pub steps: Vec<StepCount>,
    /// Files whose columns were joined.
    pub joined: Vec<LogFile>,
    /// Text columns of the canonical log without any value in the whole log.
    pub empty_columns: Vec<String>,
    /// Columns of the files that are read as times.
    pub time_columns: Vec<String>,
    /// Personal data beyond play.
    pub personal: PersonalData,
    /// Path of the key of the codes of participants, if they have codes and the key is kept.
    pub key: Option<KeyFile>,
}

/// Place of a rejected row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowPlace {
    /// Number of the file among the files of the log.
    pub file: usize,
    /// Row in it, as `source_row` counts.
    pub row: u64,
    /// `true` if it is beyond doubt that it belongs to the attempt that it breaks.
    pub is_of_attempt: bool,
}
