#![doc = include_str!("../README.md")]
//! # Reading
//!
//! [`read_log`] takes files as laboratories and web pages write them (CSV, TSV, NDJSON, JSON, Parquet,
//! plain or compressed) and returns one row for each thing that a participant did.
//! It guesses nothing: every cell is read as text, columns are found by name or by the study's
//! `[columns]`, and whatever cannot be used is reported in a [`LogDiagnostic`] with file, row, column, value,
//! rule and fix.
//!
//! # The canonical log
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `participant` | text | who played |
//! | `session` | text | session of the participant; counted from `1` where no column tells it |
//! | `level` | text | level that was played |
//! | `attempt` | integer | run at the level between resets, from 1 where it is derived |
//! | `move_index` | integer? | position of the row within its attempt, from 0 |
//! | `event` | text | `start`, `move`, `undo`, `reset`, `hint`, `give_up`, `solved`, `null_move` or `limit` |
//! | `action` | text? | the move in the game's notation |
//! | `state_before`, `state_after` | text? | recorded positions |
//! | `onset_s` | number? | when the row happened, in seconds since the zero of the log |
//! | `rt_s` | number? | seconds since what happened before it in the attempt |
//! | `time_source` | text? | `logged`, `rt from onset` or `onset from rt` |
//! | `condition` | text? | experimental condition |
//! | … | text? | every other column of the files, as it was written |
//! | `source_file`, `source_row` | text, integer | where the row stands: the line an editor shows, or the row of a Parquet file, from 1 |
//!
//! # Invariant
//!
//! Rows are conserved: `n_read == rows.len() + n_rejected`, and there is exactly one diagnostic with
//! [`Consequence::Rejected`] for each rejected row.

mod archive;
mod assemble;
mod batch;
mod canonical;
mod cells;
mod columns;
mod delimited;
mod encoding;
mod entry;
mod error;
mod event;
mod file_format;
mod file_settings;
mod files;
mod held;
mod held_files;
mod held_rows;
mod inputs;
mod json;
mod json_object;
pub mod jspsych;
mod limit;
mod log;
mod log_file;
mod open;
mod order;
mod parquet;
mod paths;
mod pattern;
mod personal;
mod pipeline;
mod pipeline_step;
mod preset;
mod pseudonym;
mod raw;
mod read;
mod recorded;
mod reject;
pub mod replay;
mod role;
mod row;
mod sample;
mod separator;
mod session;
pub mod shard;
mod sidecar;
mod source;
mod spec;
mod sqlite;
mod stray;
mod survey;
pub mod testing;
mod texts;
mod time;
mod whole;
mod workbook;
mod xes;

pub use canonical::{CanonicalRow, CanonicalRows};
pub use entry::FileRow;
pub use error::{LogError, LogErrorPlace};
pub use event::Event;
pub use file_settings::{Frame, RepeatedColumns, Unit};
pub use files::is_log;
pub use held::Files;
pub use held_files::Held;
pub use inputs::input_files;
pub use log::{Log, RowPlace};
pub use log_file::LogFile;
pub use open::{read_log, read_log_within};
pub use order::TimeSource;
pub use parquet::is_read;
pub use pattern::without_numbers;
pub use personal::{PersonalColumn, PersonalData, PersonalKind};
pub use pipeline::n_nested;
pub use pipeline_step::{Fill, Join, Notation, Pair, PipelineStep, Replace, Split, StepCount, Wide};
pub use preset::{Preset, presets};
pub use pseudonym::{KEY_NAME, KeyFile, make_key};
pub use raw::RowDiagnostic;
pub use reject::{Consequence, DiagnosticSummary, LogDiagnostic, diagnostics_table, summarise};
pub use role::Role;
pub use sample::{Sample, SampleRow, sample};
pub use sample::{read_rows, sample_within};
pub use spec::{Clock, ColumnSpec, IGNORE, IllegalMoves, LogSpec, NullMoves, SessionRule};
pub use time::{PLAUSIBLE_MEDIAN, instant_seconds, is_instant};
