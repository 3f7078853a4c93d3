//! plymap turns the logs of people playing puzzles into results that a paper can print.
//!
//! It maps the whole state graph of a level and computes the distance to the goal of every state, or has
//! the game value positions where no map can hold them. It replays what people did, labels the quality of
//! each move, and writes statistics, tables, figures and a report. Data goes one way:
//!
//! ```text
//! level file ─> level ─> game ─> graph ─> rules ─> distance ─> valuation ─┐
//! raw log ────> log ───> canonical log ─> replay ─────────────────────────┴─> label
//!
//! label ─> measure ─> analysis (stats) ─> figures (chart) ─> report
//! ```
//!
//! [`plymap_run::run()`] is the whole pipeline for a [`plymap_run::study::Study`]; each stage can also be used alone:
//!
//! ```
//! use plymap_puzzles::distance::Oracle;
//! use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel};
//!
//! // Level 1 of "a Game About Rectangles": each letter is a piece, A is the red one.
//! let text = "BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n";
//! let level = LoadedLevel::from_text("level-1", text, Default::default(), &Default::default()).unwrap();
//! let level = ValuedLevel::new(level, "rush-hour", &Default::default()).unwrap();
//! assert_eq!(level.n_states(), Some(1_247));
//!
//! // The start is 8 moves from the goal, and 4 of its 11 legal moves are optimal.
//! let start = level.oracle().evaluate(level.rules.start()).unwrap();
//! assert_eq!((start.value.unwrap().number(), start.n_optimal(), start.moves.len()), (8.0, 4, 11));
//! ```

// `cli/output.rs` writes out what a terminal would obey; nothing else prints.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

/// Converts errors of files, tables and reports into errors of a command, which holds those of a run.
macro_rules! errors_of_a_run {
    ($command:ty: $($part:ty),+) => {
        $(impl From<$part> for $command {
            fn from(error: $part) -> Self {
                Self::Run(error.into())
            }
        })+
    };
}

pub mod calibration;
pub mod cli;
pub mod experiment;
pub mod export;
pub mod power;
pub mod search_study;
pub mod simulation;
pub mod tournament;

pub use plymap_analysis;
pub use plymap_choice;
pub use plymap_figures;
pub use plymap_import;
pub use plymap_log;
pub use plymap_measures;
pub use plymap_play;
pub use plymap_players;
pub use plymap_puzzles;
pub use plymap_report;
pub use plymap_run;
pub use plymap_server;
pub use plymap_statistics;
pub use plymap_tables;
