//! The quality of every logged move: replayed log x oracle -> labelled moves.

use std::fmt;

use polars::prelude::{BooleanChunked, Column, DataFrame, IdxCa, NamedFrom, NewChunkedArray, PolarsResult, Series};
use rayon::prelude::*;

use crate::distance::{Distance, Judgement, Oracle, UnknownState, regret};
use crate::log::replay::{Played, Replay, Step};
use crate::log::{Consequence, Log, LogIssue};
use crate::mapping::MappedLevel;
use crate::table::{ColumnDoc, Table};

/// What a move did to the distance to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quality {
    /// The goal is nearer.
    Better,
    /// The goal is as far as before.
    Same,
    /// The goal is farther.
    Worse,
    /// No goal can be reached any more.
    DeadEnd,
    /// The rules do not allow the move; the position did not change.
    Illegal,
}

impl Quality {
    /// All of them, the best first.
    pub const ALL: [Self; 5] = [Self::Better, Self::Same, Self::Worse, Self::DeadEnd, Self::Illegal];

    /// The word that tables show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Same => "same",
            Self::Worse => "worse",
            Self::DeadEnd => "dead-end",
            Self::Illegal => "illegal",
        }
    }

    /// What a legal move from one distance to another is.
    pub fn of_distances(before: Option<Distance>, after: Option<Distance>) -> Self {
        match (before, after) {
            (_, None) => Self::DeadEnd,
            (None, Some(_)) => Self::Better,
            (Some(before), Some(after)) if after < before => Self::Better,
            (Some(before), Some(after)) if after == before => Self::Same,
            _ => Self::Worse,
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The label of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// What the oracle says of the move.
    pub judgement: Judgement,
    /// What it lost against the best move; absent for illegal moves and where no goal can be reached.
    pub regret: Option<i64>,
    /// What it did to the distance.
    pub quality: Quality,
}

impl Label {
    fn new(played: &Played, judgement: Judgement) -> Self {
        if !played.is_legal {
            return Self { judgement, regret: None, quality: Quality::Illegal };
        }
        let regret = regret(played.cost, judgement.before, judgement.after);
        Self { judgement, regret, quality: Quality::of_distances(judgement.before, judgement.after) }
    }
}

/// A log with the quality of every move.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The table `moves`: the canonical log's columns of each replayed row, then the labels. Rows that are
    /// no moves (resets, hints, …) keep their place, without labels.
    pub moves: Table,
    /// Replayed rows that are not in the table, because the oracle does not know their positions.
    pub issues: Vec<LogIssue>,
}

/// Labels every replayed move with the oracle of its level. `levels` are those that the log was replayed on,
/// in the same order.
///
/// # Errors
///
/// If a column of the canonical log is missing or has another type.
pub fn label(log: &Log, replay: &Replay, levels: &[MappedLevel]) -> PolarsResult<Labelled> {
    let judged: Vec<Result<Option<Label>, UnknownState>> = replay
        .steps
        .par_iter()
        .map(|step| {
            let Some(played) = step.played else { return Ok(None) };
            let judgement = levels[step.level as usize].oracle().judge(step.before, step.after)?;
            Ok(Some(Label::new(&played, judgement)))
        })
        .collect();
    let mut issues = Vec::new();
    let (mut steps, mut labels) = (Vec::with_capacity(judged.len()), Vec::with_capacity(judged.len()));
    for (step, judged) in replay.steps.iter().zip(judged) {
        match judged {
            Ok(label) => {
                steps.push(*step);
                labels.push(label);
            }
            Err(unknown) => issues.push(off_the_map(log, step, unknown)?),
        }
    }
    Ok(Labelled { moves: moves_table(log, &steps, &labels, levels)?, issues })
}

fn off_the_map(log: &Log, step: &Step, unknown: UnknownState) -> PolarsResult<LogIssue> {
    let row = step.row as usize;
    let text = |name: &str| -> PolarsResult<String> {
        Ok(log.moves.column(name)?.str()?.get(row).unwrap_or_default().to_owned())
    };
    Ok(LogIssue {
        code: "off-the-map",
        consequence: Consequence::Excluded,
        file: text("source_file")?,
        row: log.moves.column("source_row")?.u64()?.get(row).unwrap_or_default(),
        column: "action".to_owned(),
        value: text("action")?,
        rule: unknown.to_string(),
        fix: "positions beyond a goal are on the map with expand_goals = true in [map]; a log that starts elsewhere needs a level with that start".to_owned(),
        participant: Some(text("participant")?),
        session: Some(text("session")?),
        level: Some(text("level")?),
        attempt: log.moves.column("attempt")?.i64()?.get(row),
    })
}

fn moves_table(log: &Log, steps: &[Step], labels: &[Option<Label>], levels: &[MappedLevel]) -> PolarsResult<Table> {
    let rows = IdxCa::from_vec("row".into(), steps.iter().map(|step| step.row).collect());
    let mut data = log.moves.take(&rows)?;
    let state = |step: &Step, code| levels[step.level as usize].rules.format_state(code);
    let states = |code: fn(&Step) -> _| steps.par_iter().map(|step| state(step, code(step))).collect::<Vec<String>>();
    let played = |name: &str, value: fn(&Played) -> Option<bool>| {
        Column::new(name.into(), steps.iter().map(|step| step.played.as_ref().and_then(value)).collect::<Vec<_>>())
    };
    let judged = |name: &str, value: fn(&Label) -> Option<u32>| Column::new(name.into(), labelled(labels, value));
    let signed = |name: &str, value: fn(&Label) -> Option<i64>| Column::new(name.into(), labelled(labels, value));
    let added = [
        Column::new("ply".into(), steps.iter().map(|step| step.played.map(|played| played.ply)).collect::<Vec<_>>()),
        Column::new("state_before".into(), states(|step| step.before)),
        Column::new("state_after".into(), states(|step| step.after)),
        judged("n_legal", |label| Some(label.judgement.n_legal)),
        judged("n_optimal", |label| Some(label.judgement.n_optimal)),
        judged("value_before", |label| label.judgement.before.map(|Distance(value)| value)),
        judged("value_after", |label| label.judgement.after.map(|Distance(value)| value)),
        signed("delta", |label| Some(i64::from(label.judgement.after?.0) - i64::from(label.judgement.before?.0))),
        Column::new("cost".into(), steps.iter().map(|step| step.played.map(|played| played.cost)).collect::<Vec<_>>()),
        signed("regret", |label| label.regret),
        Column::new("quality".into(), labelled(labels, |label| Some(label.quality.name()))),
        Column::new("is_optimal".into(), labelled(labels, |label| Some(label.regret == Some(0)))),
        played("is_after_goal", |played| Some(played.is_after_goal)),
        played("is_undo", |played| Some(played.is_undo)),
        played("is_revisit", |played| Some(played.is_revisit)),
        played("same_piece_as_last", |played| played.same_piece_as_last),
        Column::new("p_optimal_by_chance".into(), labelled(labels, chance)),
        log_rt(log, steps)?,
    ];
    for column in added {
        keep_logged(&mut data, column.name())?;
        data.with_column(column)?;
    }
    let columns = data.columns().iter().map(|column| documented(column.name())).collect();
    let caption =
        "Every replayed row of the logs; each move with its distance before and after, and its quality.".to_owned();
    Ok(Table { name: "moves".to_owned(), caption, data, columns })
}

/// Renames a column of the log that bears the name of a label, so that what was recorded stays beside
/// what was computed; a column without any value is replaced.
fn keep_logged(data: &mut DataFrame, name: &str) -> PolarsResult<()> {
    let Ok(logged) = data.column(name) else { return Ok(()) };
    if logged.null_count() == logged.len() {
        data.drop_in_place(name)?;
    } else {
        let mut kept = format!("log_{name}");
        while data.column(&kept).is_ok() {
            kept.insert_str(0, "log_");
        }
        data.rename(name, kept.into())?;
    }
    Ok(())
}

fn labelled<T>(labels: &[Option<Label>], value: impl Fn(&Label) -> Option<T>) -> Vec<Option<T>> {
    labels.iter().map(|label| label.as_ref().and_then(&value)).collect()
}

fn chance(label: &Label) -> Option<f64> {
    let Judgement { n_legal, n_optimal, .. } = label.judgement;
    (n_legal > 0).then(|| f64::from(n_optimal) / f64::from(n_legal))
}

/// Natural logarithm of the time of each move, where it is positive.
fn log_rt(log: &Log, steps: &[Step]) -> PolarsResult<Column> {
    let times = log.moves.column("rt_s")?.f64()?;
    let log_time = |step: &Step| times.get(step.row as usize).filter(|&time| time > 0.0).map(f64::ln);
    Ok(Series::new("log_rt".into(), steps.iter().map(log_time).collect::<Vec<_>>()).into())
}

/// What a column of the table `moves` means.
fn documented(name: &str) -> ColumnDoc {
    let doc = |meaning: &str| ColumnDoc::new(name, meaning);
    match name {
        "participant" => doc("who played"),
        "session" => doc("sitting of the participant; 1 where the log has none"),
        "level" => doc("level that was played"),
        "attempt" => doc("run at the level between resets"),
        "move_index" => doc("position of the row within its attempt, from 0, as logged"),
        "event" => doc("what happened").levels(&["start", "move", "undo", "reset", "hint", "give_up", "solved"]),
        "action" => doc("the action as it was logged"),
        "onset_s" => doc("when the row happened, since the zero of the log").unit("s"),
        "rt_s" => doc("time since what happened before it in the attempt; of a first move, since the level appeared")
            .unit("s"),
        "time_source" => {
            doc("whether the time was logged or derived").levels(&["logged", "rt from onset", "onset from rt"])
        }
        "condition" => doc("experimental condition"),
        "source_file" => doc("file of the log that the row stands in"),
        "source_row" => doc("line of that file, as an editor shows it; row of a Parquet file, from 1"),
        "ply" => {
            doc("number of the move within its attempt, from 0, resets not counted; empty for rows that are no moves")
        }
        "state_before" => doc("position before the row, as replayed"),
        "state_after" => doc("position after the row, as replayed"),
        "n_legal" => doc("number of legal moves in the position before"),
        "n_optimal" => doc("number of optimal moves in the position before"),
        "value_before" => doc("distance to the goal before the move; empty where no goal can be reached")
            .unit("moves, or cells under that metric"),
        "value_after" => doc("distance to the goal after the move; empty where no goal can be reached")
            .unit("moves, or cells under that metric"),
        "delta" => doc("value_after - value_before").unit("moves, or cells under that metric"),
        "cost" => doc("what the move costs in the level's metric").unit("moves, or cells under that metric"),
        "regret" => {
            doc("value_after + cost - value_before: 0 for an optimal move").unit("moves, or cells under that metric")
        }
        "quality" => doc("what the move did to the distance").levels(&Quality::ALL.map(Quality::name)),
        "is_optimal" => doc("whether no other move leads to a goal sooner: regret is 0"),
        "is_after_goal" => doc("whether the attempt had solved the level before the move; such moves are not measured"),
        "is_undo" => doc("whether the move leads back to the position before the previous move"),
        "is_revisit" => doc("whether the attempt has been in the position after the move before"),
        "same_piece_as_last" => {
            doc("whether the move moves the same piece as the previous one; empty on the first move")
        }
        "p_optimal_by_chance" => {
            doc("n_optimal / n_legal: chance that a move drawn evenly from the legal ones is optimal")
        }
        "log_rt" => doc("natural logarithm of rt_s; empty where it is not positive"),
        _ => doc("column of the log, kept as it was"),
    }
}

/// The rows of the table `moves` that are measured: moves until the level was solved.
///
/// # Errors
///
/// If a column of the table is missing or has another type.
pub fn measured_moves(moves: &DataFrame) -> PolarsResult<DataFrame> {
    let is_measured = moves.column("is_after_goal")?.bool()?.iter().map(|after_goal| Some(after_goal == Some(false)));
    moves.filter(&BooleanChunked::from_iter_options("is_measured".into(), is_measured))
}
