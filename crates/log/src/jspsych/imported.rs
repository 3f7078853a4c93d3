//! Result of an import.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::LogError;
use crate::event::Event;
use crate::reject::LogDiagnostic;

/// Reason why raw files could not be imported at all.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// No file was given.
    #[error("no file is given; name at least one file of the task")]
    NoFiles,
    /// A file cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A file lacks a column of the task.
    #[error(
        "{}: there is no column {column}, which the task writes; the file has {has}: check that it is a raw file of the \
         Tower of London task",
        path.display()
    )]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The names that the column may have.
        column: String,
        /// Every column of the file.
        has: String,
    },
    /// A header names a column of the task twice.
    #[error("{}:1: column {column:?} is named twice; give the columns different names", path.display())]
    RepeatedColumn {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
    },
    /// Two files have the same content.
    #[error("{} has the same content as {}; name each file once", path.display(), first.display())]
    SameFile {
        /// The second of them.
        path: PathBuf,
        /// The first of them.
        first: PathBuf,
    },
    /// No file holds a row of the task that can be used.
    #[error("{}: {reason}; check that these are raw files of the Tower of London task", path.display())]
    NoGames {
        /// The first file.
        path: PathBuf,
        /// Reason: no row is of the task, or the first cannot be used.
        reason: String,
    },
    /// A result could not be written.
    #[error("{}: the file cannot be written: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Message of the system.
        source: io::Error,
    },
    /// The caller asked to stop.
    #[error("the import was stopped before it was done")]
    Cancelled,
}

/// The tasks whose rows are play.
pub const TOWER_TASKS: [&str; 3] = ["tol_tohand", "tol_toboard", "tol_practice"];

/// The task whose rows say how a problem ended.
pub const FEEDBACK_TASK: &str = "tol_feedback";

/// Letters of the balls that the task numbers 1, 2 and 3: green, red and blue, as the published task draws them
/// (Sochat et al., 2016). Balls beyond 3 keep their number, up to 9.
pub const BALLS: [char; 3] = ['G', 'R', 'B'];

/// Raw files, as they were read.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The files in the order of their names.
    pub files: Vec<ImportedFile>,
    /// Every problem that was played, in the order of first appearance.
    pub levels: Vec<ImportedLevel>,
    /// The log, by file and row.
    pub log: Vec<LogRow>,
    /// Outcome of every raw row, by file and row.
    pub rows: Vec<ImportedRow>,
    /// Diagnostics, by file and row.
    pub diagnostics: Vec<LogDiagnostic>,
}

/// One raw file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedFile {
    /// Its name, without folder unless two files have the same.
    pub name: String,
    /// The participant whose rows come first in it.
    pub participant: String,
    /// Number of the file among those of the participant, from 1.
    pub session: u32,
    /// Rows in it, without the header.
    pub n_rows: usize,
}

/// One problem of the task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedLevel {
    /// Its name: the problem's id; where that stands for several problems, with `-1`, `-2`, … behind it, and a
    /// `+` where that is the id of another problem.
    pub id: String,
    /// The problem's id in the raw files.
    pub problem: String,
    /// `practice` or `test`.
    pub condition: &'static str,
    /// Start and target, as the level notation of the Tower of London has them.
    pub board: String,
    /// Number of times that it was played.
    pub n_games: usize,
    /// The fewest moves as the task recorded them, if it did, and always the same.
    pub recorded_min_moves: Option<u64>,
}

/// A time in whole microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Micros(pub i64);

/// One row of the log: a move, or how the problem ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRow {
    /// Number of the game among all games of the files, from 0.
    pub game: usize,
    /// Participant.
    pub participant: String,
    /// Session, from 1.
    pub session: u32,
    /// Name of the level.
    pub level: String,
    /// Number of the game among those of the participant at this level in this session, from 1.
    pub attempt: u32,
    /// `practice` or `test`.
    pub condition: &'static str,
    /// The problem's id in the raw file.
    pub problem: String,
    /// Number of the game in its file, from 1.
    pub problem_number: u32,
    /// `move`, `solved`, `limit` or `null_move`.
    pub event: Event,
    /// The move, of a `move`.
    pub played: Option<PlayedMove>,
    /// Time behind the last move, of a `limit` or `null_move`.
    pub rest: Option<Rest>,
    /// Number of the file.
    pub file: usize,
    /// Line of the last raw row that it is made of: the drop, the feedback, or the one at which the time was up.
    pub line: u64,
}

/// Time between the last move of a problem, or its beginning, and its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// Time of its end, since the experiment began.
    pub onset: Option<Micros>,
    /// Duration.
    pub rt: Option<Micros>,
    /// Number of put-backs in it.
    pub n_put_backs: u32,
    /// Time of those put-backs, of clicks without effect, and of picks without a drop.
    pub put_back: Option<Micros>,
}

/// One move: a pick and its drop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Number of the move in its game, from 0.
    pub index: u64,
    /// The move in the notation of the Tower of London.
    pub action: String,
    /// The position before the pick.
    pub before: String,
    /// The position after the drop.
    pub after: String,
    /// Time at which the ball was put down, since the experiment began.
    pub onset: Option<Micros>,
    /// Time since the move before it, or since the problem was shown.
    pub rt: Option<Micros>,
    /// Time of its pick alone.
    pub pick: Option<Micros>,
    /// Time of its drop alone.
    pub drop: Option<Micros>,
    /// Number of put-backs since the move before it.
    pub n_put_backs: u32,
    /// Time of those put-backs, of clicks without effect, and of picks without a drop.
    pub put_back: Option<Micros>,
    /// The number of the move as the task counted it: with put-backs.
    pub recorded_number: Option<u64>,
    /// The fewest moves of the problem as the task recorded them.
    pub recorded_min_moves: Option<u64>,
    /// Line of its pick.
    pub pick_line: u64,
}

/// Outcome of a raw row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowOutcome {
    /// The pick of a move.
    Pick,
    /// The drop of a move.
    Drop,
    /// The pick of a put-back.
    PutBackPick,
    /// The drop of a put-back.
    PutBackDrop,
    /// Feedback: the event `solved`.
    Solved,
    /// Feedback that does not say that the problem was solved: the event `limit`.
    NotSolved,
    /// A click without effect: on an empty peg, or on a full one with a ball in the hand.
    Idle,
    /// The time was up before a peg was clicked: the event `limit`.
    NoClick,
    /// A row of another task.
    OtherTask,
    /// A pick that no drop follows.
    PickWithoutDrop,
    /// A drop that no pick precedes.
    DropWithoutPick,
    /// The row contradicts itself or the pick before it.
    Contradiction,
    /// A cell of the row cannot be read.
    Unreadable,
}

impl RowOutcome {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Pick,
        Self::Drop,
        Self::PutBackPick,
        Self::PutBackDrop,
        Self::Solved,
        Self::NotSolved,
        Self::Idle,
        Self::NoClick,
        Self::OtherTask,
        Self::PickWithoutDrop,
        Self::DropWithoutPick,
        Self::Contradiction,
        Self::Unreadable,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pick => "pick",
            Self::Drop => "drop",
            Self::PutBackPick => "put-back-pick",
            Self::PutBackDrop => "put-back-drop",
            Self::Solved => "solved",
            Self::NotSolved => "not-solved",
            Self::Idle => "idle-click",
            Self::NoClick => "no-click",
            Self::OtherTask => "other-task",
            Self::PickWithoutDrop => "pick-without-drop",
            Self::DropWithoutPick => "drop-without-pick",
            Self::Contradiction => "contradiction",
            Self::Unreadable => "unreadable",
        }
    }

    /// Meaning.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Pick => "first half of a move",
            Self::Drop => "second half of a move",
            Self::PutBackPick => "a ball is picked up and put back: first half",
            Self::PutBackDrop => "a ball is picked up and put back: second half",
            Self::Solved => "feedback, in the log as the event solved",
            Self::NotSolved => "feedback that does not say that the problem was solved, in the log as the event limit",
            Self::Idle => "a click without effect: on an empty peg, or on a full one with a ball in the hand",
            Self::NoClick => "the time was up before a peg was clicked, in the log as the event limit",
            Self::OtherTask => "no play: instructions, quiz, pause and the like",
            Self::PickWithoutDrop => "a pick that no drop follows",
            Self::DropWithoutPick => "a drop that no pick precedes",
            Self::Contradiction => "the row contradicts itself or the pick before it",
            Self::Unreadable => "a cell of the row cannot be read",
        }
    }

    /// `true` if the row is half of a move.
    pub fn is_move(self) -> bool {
        matches!(self, Self::Pick | Self::Drop)
    }
}

/// A raw row and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedRow {
    /// Number of the file.
    pub file: usize,
    /// Line in it, from 1; the header is line 1. Of JSON the number of the row.
    pub line: u64,
    /// Participant.
    pub participant: String,
    /// Its task.
    pub task: String,
    /// Outcome of the row.
    pub outcome: RowOutcome,
    /// The game it belongs to, if any, as [`LogRow::game`] counts.
    pub game: Option<usize>,
    /// The move that it is half of, or that its time is counted with.
    pub move_index: Option<u64>,
    /// Its time.
    pub rt: Option<Micros>,
}

impl Imported {
    /// Number of raw rows that were read.
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// Numbers of raw rows by task and outcome, in the order of their names.
    pub fn counts(&self) -> Vec<(String, RowOutcome, usize)> {
        let mut counts = std::collections::BTreeMap::new();
        for row in &self.rows {
            *counts.entry((row.task.clone(), row.outcome)).or_insert(0) += 1;
        }
        counts.into_iter().map(|((task, outcome), count)| (task, outcome, count)).collect()
    }

    /// Number of raw rows with this outcome.
    pub fn n_of(&self, outcome: RowOutcome) -> usize {
        self.rows.iter().filter(|row| row.outcome == outcome).count()
    }

    /// The moves of the log with their rows.
    pub fn moves(&self) -> impl Iterator<Item = (&LogRow, &PlayedMove)> {
        self.log.iter().filter_map(|row| Some((row, row.played.as_ref()?)))
    }

    /// Writes `log.csv`, `levels.csv`, `study.toml`, `import.json` and `import.csv` into a folder, which is made if
    /// it is not there.
    ///
    /// # Errors
    ///
    /// [`ImportError::Unwritable`].
    pub fn write(&self, folder: &Path, study: &str) -> Result<(), ImportError> {
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |source| ImportError::Unwritable { path, source }
        };
        std::fs::create_dir_all(folder).map_err(fail(folder))?;
        for (name, text) in [
            ("log.csv", self.log_csv()),
            ("levels.csv", self.levels_csv()),
            ("study.toml", self.study_toml(study)),
            ("import.json", self.import_json()),
            ("import.csv", self.import_csv()),
        ] {
            let path = folder.join(name);
            std::fs::write(&path, text).map_err(fail(&path))?;
        }
        Ok(())
    }
}
