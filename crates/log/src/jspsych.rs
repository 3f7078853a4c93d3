//! Raw files of the Tower of London task in jsPsych, read into one log.
//!
//! The task writes one file for each participant, and in it one row for each click: a pick (`tol_tohand`, or `to_hand`
//! of its first authors) takes the uppermost ball of a peg into the hand, a drop (`tol_toboard`) puts it down.
//! Practice rows (`tol_practice`) are of both kinds. [`import_tower`] joins each pick with its drop to one move.
//! Nothing is left out in silence: [`Imported::rows`] says of every raw row what became of it, and
//! [`Imported::diagnostics`] what was odd.
//!
//! # What becomes of rows
//!
//! - A pick and its drop on another peg are one move. `rt_s` is the time since the move before it, or since the
//!   problem was shown: pick, drop, and whatever was picked up and put back before.
//! - A pick and its drop on the same peg change nothing: a put-back. It is no move; the next move counts it in
//!   `n_put_backs` and its time in `put_back_s`, which is part of `rt_s`.
//! - A click without effect is no move either; its time is counted with that of put-backs.
//! - Feedback that says the problem was solved is the event `solved`.
//! - A problem that the task ended otherwise, because its time was up for instance, ends with the event `limit`, be it
//!   without any move. Its `rt_s` is the time since the last move, so that the rows of a problem last as long as it
//!   did. Where nothing tells how a problem ended, what was put back behind its last move is a `null_move`.
//! - Rows of other tasks (instructions, quizzes, pauses) are not play.
//! - A row that cannot be used has a diagnostic that says why.

use std::path::PathBuf;

use plymap_puzzles::progress::Progress;

mod click;
mod game;
mod imported;
mod levels;
mod limits;
mod play;
mod position;
mod read;
mod write;

pub use imported::{
    BALLS, FEEDBACK_TASK, ImportError, Imported, ImportedFile, ImportedLevel, ImportedRow, LogRow, Micros, PlayedMove,
    Rest, RowOutcome, TOWER_TASKS,
};

/// Reads raw files of the Tower of London task, in any format of logs, with the columns of its first authors or those
/// of others. The result does not depend on the order in which they are given.
///
/// # Errors
///
/// [`ImportError`] where no row could be trusted. Single rows that cannot be used do not stop the import: each has
/// a diagnostic, and [`ImportedRow::outcome`] says what became of it.
pub fn import_tower(files: &[PathBuf], progress: &dyn Progress) -> Result<Imported, ImportError> {
    let raw = read::read_files(files, progress)?;
    let mut import = play::Import::default();
    for file in &raw {
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        import.file(file);
    }
    match raw.first() {
        Some(first) if import.has_no_games() => {
            Err(ImportError::NoGames { path: first.path.clone(), reason: import.why_no_games() })
        }
        _ => Ok(import.finish()),
    }
}

#[cfg(test)]
mod tests;
