//! Errors of a run.

use std::path::PathBuf;

use polars::prelude::PolarsError;

use crate::baseline::BaselineError;
use plymap_certify::CertifyError;
use plymap_figures::ChartError;
use plymap_log::LogError;
use plymap_measures::selection::SelectionError;
use plymap_players::PlayError;
use plymap_players::cohort::CohortError;
use plymap_players::policy::PolicyError;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::{LoadError, ValuationError};
use plymap_report::ReportError;
use plymap_report::claims::ClaimsError;
use plymap_tables::{FileError, TableError};

/// Error of a run. Nothing was written, and an earlier run is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Levels could not be loaded, or hold faults.
    #[error(transparent)]
    Levels(#[from] LoadError),
    /// The positions of a level could not be valued.
    #[error("level {level:?}: {source}")]
    Valuation {
        /// The level.
        level: String,
        /// Error of the valuation.
        source: ValuationError,
    },
    /// Expected numbers of moves were asked for of a player who cannot play the level.
    #[error("level {level:?}, expected moves of {player}: {source}")]
    ExpectedMoves {
        /// The level.
        level: String,
        /// The player, as asked for.
        player: String,
        /// Reason.
        source: Box<PolicyError>,
    },
    /// A distance of a map is wrong, or the rules fail: a defect of plymap.
    #[error("{0}; please report this as a defect of plymap, with the level and its rules")]
    Uncertified(CertifyError),
    /// A log could not be read.
    #[error(transparent)]
    Log(LogError),
    /// More rows of the logs than the study allows cannot be used.
    #[error(
        "{unused} of {read} rows of the logs were rejected or excluded, more than max_unused = {most} in [log] allows; plymap check says why"
    )]
    TooManyUnused {
        /// Rows that were rejected or excluded.
        unused: u64,
        /// Rows of the logs.
        read: u64,
        /// The largest share that the study allows.
        most: f64,
    },
    /// Nobody's skill and tempo can be read from the log.
    #[error("nobody has two moves with a time: there is nobody to simulate people after")]
    Nobody,
    /// A selection of the study cannot be made.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// `[figures]` names a level that the study does not have.
    #[error("[figures] levels names {level:?}, and the study has no such level; it has {known}")]
    UnknownLevel {
        /// The name.
        level: String,
        /// The levels that there are.
        known: String,
    },
    /// A figure is asked for that no study has.
    #[error(
        "{named_in} names the figure {name:?}, and there is none whose name is or begins with it; there are {known}"
    )]
    UnknownFigure {
        /// Place of the name: `[figures]`, or the option.
        named_in: &'static str,
        /// The name.
        name: String,
        /// The figures that there are.
        known: String,
    },
    /// A figure of an analysis is asked for that the study leaves out.
    #[error(
        "{named_in} names the figure {name:?}, which is drawn from the analysis {analysis:?}; add it to analyses in [statistics]"
    )]
    FigureOfNoAnalysis {
        /// Place of the name: `[figures]`, or the option.
        named_in: &'static str,
        /// The name.
        name: String,
        /// The analysis.
        analysis: &'static str,
    },
    /// A section is asked for that no report has.
    #[error("there is no section {name:?}; there are {known}")]
    UnknownSection {
        /// The name.
        name: String,
        /// Known sections.
        known: String,
    },
    /// A section is asked for whose analysis the study leaves out.
    #[error("the section {name:?} needs the analysis of this name; add it to analyses in [statistics]")]
    SectionOfNoAnalysis {
        /// The name.
        name: String,
    },
    /// A table could not be built.
    #[error("a table could not be built")]
    Frame(#[from] PolarsError),
    /// A figure could not be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// A file or folder could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table could not be written or read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The report could not be written.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// Claims could not be read.
    #[error(transparent)]
    Claims(#[from] ClaimsError),
    /// A cohort of simulated players is not one.
    #[error(transparent)]
    Cohort(#[from] CohortError),
    /// A simulated player could not play.
    #[error(transparent)]
    Play(PlayError),
    /// There is no shard of this number.
    #[error("{}: there is no shard {number}; they are numbered from 1 to {n}", folder.display())]
    NoShard {
        /// Folder of the shards.
        folder: PathBuf,
        /// The number.
        number: usize,
        /// Number of shards.
        n: usize,
    },
    /// A shard was not labelled yet.
    #[error("{}: shard {shard} was not labelled yet; plymap run STUDY --shards {} --shard {shard} does it", folder.display(), folder.display())]
    NoPart {
        /// Folder of the shards.
        folder: PathBuf,
        /// Its number, from 1.
        shard: usize,
    },
    /// A shard was labelled with other levels or rules, or the log was divided anew since.
    #[error("{}: shard {shard} was labelled with other levels or rules, or before the log was divided anew; plymap run STUDY --shards {} --shard {shard} labels it anew", folder.display(), folder.display())]
    OtherPart {
        /// Folder of the shards.
        folder: PathBuf,
        /// Its number, from 1.
        shard: usize,
    },
    /// A file of a part is not as it was written.
    #[error(
        "{}: {why}; plymap run STUDY --shards {} --shard {shard} labels this shard anew",
        path.display(),
        folder.display()
    )]
    BadPart {
        /// The file.
        path: PathBuf,
        /// Fault of the file.
        why: String,
        /// Folder of the shards.
        folder: PathBuf,
        /// The number of the shard, from 1.
        shard: usize,
    },
    /// A file beside the shards has the name of none of theirs.
    #[error(
        "{}: the log is divided into {n} shards, and no file of theirs has this name; remove it, and all others of shards \
         beyond {n}, where an earlier division left it; give it back its name, such as part-0001.moves, where it has another",
        path.display()
    )]
    OtherShard {
        /// The file.
        path: PathBuf,
        /// Number of shards.
        n: usize,
    },
    /// Rows of the log were lost or invented: a defect of plymap.
    #[error("{read} rows were read, but {accounted} are accounted for; please report this as a defect of plymap")]
    RowsNotConserved {
        /// Rows read.
        read: u64,
        /// Rows replayed, rejected and excluded.
        accounted: u64,
    },
    /// The caller asked to stop.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl From<BaselineError> for RunError {
    fn from(error: BaselineError) -> Self {
        match error {
            BaselineError::Cohort(error) => error.into(),
            BaselineError::Play(error) => error.into(),
        }
    }
}

impl From<LogError> for RunError {
    fn from(error: LogError) -> Self {
        match error {
            LogError::Cancelled => Self::Interrupted,
            error => Self::Log(error),
        }
    }
}

impl From<PlayError> for RunError {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Interrupted => Self::Interrupted,
            error => Self::Play(error),
        }
    }
}

/// Fails if the caller asks to stop.
pub fn continues(progress: &dyn Progress) -> Result<(), RunError> {
    if progress.is_cancelled() { Err(RunError::Interrupted) } else { Ok(()) }
}
