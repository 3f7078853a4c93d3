//! The quality of every logged move: replayed log x oracle -> labelled moves.

use std::fmt;

use polars::prelude::{
    BooleanChunked, Column, DataFrame, DataType, IdxCa, NamedFrom, NewChunkedArray, PolarsResult, Series,
};
use rayon::prelude::*;

use crate::log::replay::{Played, Replay, Step};
use crate::log::{Consequence, Log, LogIssue};
use crate::table::{ColumnDoc, Table};
use plymap_puzzles::distance::{Judgement, Oracle, OracleError, regret};
use plymap_puzzles::game::{Unit, Value};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;

/// What a move did to the value of the position.
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
    /// No other move lets expect more points.
    Best,
    /// It gives away up to [`SLIP`] of the expected points.
    Slip,
    /// It gives away up to [`MISTAKE`] of them.
    Mistake,
    /// It gives away more.
    Blunder,
    /// The rules do not allow the move; the position did not change.
    Illegal,
}

/// The largest share of the expected points that a slip gives away.
pub const SLIP: f64 = 0.02;
/// The largest share of the expected points that a mistake gives away.
pub const MISTAKE: f64 = 0.1;

impl Quality {
    /// All of them, the best first.
    pub const ALL: [Self; 9] = [
        Self::Better,
        Self::Same,
        Self::Worse,
        Self::DeadEnd,
        Self::Best,
        Self::Slip,
        Self::Mistake,
        Self::Blunder,
        Self::Illegal,
    ];

    /// Those that moves can have where values are in this unit, the best first.
    pub fn of_unit(unit: Unit) -> &'static [Self] {
        if unit.is_distance() {
            &[Self::Better, Self::Same, Self::Worse, Self::DeadEnd, Self::Illegal]
        } else {
            &[Self::Best, Self::Slip, Self::Mistake, Self::Blunder, Self::Illegal]
        }
    }

    /// Its index in [`Quality::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The word that tables show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Same => "same",
            Self::Worse => "worse",
            Self::DeadEnd => "dead-end",
            Self::Best => "best",
            Self::Slip => "slip",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::Illegal => "illegal",
        }
    }

    /// What a legal move from a position of one value to one of another is.
    pub fn of_values(before: Option<Value>, after: Option<Value>, regret: Option<f64>) -> Self {
        if let (Some(Value::Points(points)), Some(regret)) = (before, regret) {
            return Self::of_loss(regret, points);
        }
        let distance = |value: Option<Value>| value.and_then(Value::as_distance);
        match (distance(before), distance(after)) {
            (_, None) => Self::DeadEnd,
            (None, Some(_)) => Self::Better,
            (Some(before), Some(after)) if after < before => Self::Better,
            (Some(before), Some(after)) if after == before => Self::Same,
            _ => Self::Worse,
        }
    }

    /// What a move is that loses so many of the expected points.
    fn of_loss(lost: f64, of: f64) -> Self {
        match lost {
            _ if lost <= 0.0 => Self::Best,
            _ if lost <= SLIP * of => Self::Slip,
            _ if lost <= MISTAKE * of => Self::Mistake,
            _ => Self::Blunder,
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
    pub regret: Option<f64>,
    /// What it did to the value of the position.
    pub quality: Quality,
}

impl Label {
    fn new(played: &Played, judgement: Judgement) -> Self {
        if !played.is_legal {
            return Self { judgement, regret: None, quality: Quality::Illegal };
        }
        Self::of_legal(played.cost, judgement)
    }

    /// The label of a legal move that costs so much.
    pub fn of_legal(cost: u32, judgement: Judgement) -> Self {
        let regret = regret(cost, judgement.before, judgement.after);
        Self { judgement, regret, quality: Quality::of_values(judgement.before, judgement.after, regret) }
    }

    /// Share of optimal moves among the legal ones.
    pub fn chance(&self) -> Option<f64> {
        let Judgement { n_legal, n_optimal, .. } = self.judgement;
        (n_legal > 0).then(|| f64::from(n_optimal) / f64::from(n_legal))
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
/// in the same order. Whoever asks to stop throws the result away: what was not yet labelled has no label.
///
/// # Errors
///
/// If a column of the canonical log is missing or has another type.
pub fn label(log: &Log, replay: &Replay, levels: &[ValuedLevel], progress: &dyn Progress) -> PolarsResult<Labelled> {
    progress.begin("labelling moves", Some(replay.steps.len() as u64));
    let judged: Vec<Result<Option<Label>, OracleError>> = replay
        .steps
        .par_iter()
        .map(|step| {
            progress.advance(1);
            let Some(played) = step.played.filter(|_| !progress.is_cancelled()) else { return Ok(None) };
            let judgement = levels[step.level as usize].oracle().judge(step.before, played.chosen, played.cost)?;
            Ok(Some(Label::new(&played, judgement)))
        })
        .collect();
    progress.end();
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

fn off_the_map(log: &Log, step: &Step, unknown: OracleError) -> PolarsResult<LogIssue> {
    let row = step.row as usize;
    let text = |name: &str| -> PolarsResult<String> {
        Ok(log.moves.column(name)?.str()?.get(row).unwrap_or_default().to_owned())
    };
    Ok(LogIssue {
        code: match unknown {
            OracleError::UnknownState { .. } => "off-the-map",
            OracleError::Value { .. } => "not-valued",
        },
        consequence: Consequence::Excluded,
        file: text("source_file")?,
        row: log.moves.column("source_row")?.u64()?.get(row).unwrap_or_default(),
        column: "action".to_owned(),
        value: text("action")?,
        rule: unknown.to_string(),
        fix: match unknown {
            OracleError::UnknownState { .. } => "positions beyond a goal are on the map with expand_goals = true in [map]; a log that starts elsewhere needs a level with that start",
            OracleError::Value { .. } => "the page of the game in docs says what it can value",
        }
        .to_owned(),
        participant: Some(text("participant")?),
        session: Some(text("session")?),
        level: Some(text("level")?),
        attempt: log.moves.column("attempt")?.i64()?.get(row),
    })
}

fn moves_table(log: &Log, steps: &[Step], labels: &[Option<Label>], levels: &[ValuedLevel]) -> PolarsResult<Table> {
    let rows = IdxCa::from_vec("row".into(), steps.iter().map(|step| step.row).collect());
    let mut data = log.moves.take(&rows)?;
    let state = |step: &Step, code| levels[step.level as usize].rules.format_state(code);
    let states = |code: fn(&Step) -> _| steps.par_iter().map(|step| state(step, code(step))).collect::<Vec<String>>();
    let played = |name: &str, value: fn(&Played) -> Option<bool>| {
        Column::new(name.into(), steps.iter().map(|step| step.played.as_ref().and_then(value)).collect::<Vec<_>>())
    };
    let judged = |name: &str, value: fn(&Label) -> Option<u32>| Column::new(name.into(), labelled(labels, value));
    let unit = unit_of(levels);
    let value = |name: &str, value: &dyn Fn(&Label) -> Option<f64>| {
        numbers(name, labelled(labels, value), unit, DataType::UInt32)
    };
    let difference = |name: &str, value: &dyn Fn(&Label) -> Option<f64>| {
        numbers(name, labelled(labels, value), unit, DataType::Int64)
    };
    let before = |label: &Label| label.judgement.before.map(Value::number);
    let after = |label: &Label| label.judgement.after.map(Value::number);
    let costs = steps.iter().map(|step| step.played.map(|played| played.cost)).collect::<Vec<_>>();
    let ends = |step: &Step| step.played.map(|_| levels[step.level as usize].rules.is_end(step.after));
    let reaches = |step: &Step| step.played.map(|_| levels[step.level as usize].rules.is_goal(step.after));
    let added = [
        Column::new("ply".into(), steps.iter().map(|step| step.played.map(|played| played.ply)).collect::<Vec<_>>()),
        Column::new("state_before".into(), states(|step| step.before)),
        Column::new("state_after".into(), states(|step| step.after)),
        judged("n_legal", |label| Some(label.judgement.n_legal)),
        judged("n_optimal", |label| Some(label.judgement.n_optimal)),
        value("value_before", &before)?,
        value("value_after", &after)?,
        difference("delta", &|label| Some(after(label)? - before(label)?))?,
        Column::new(cost_name(unit).into(), costs),
        difference("regret", &|label| label.regret)?,
        judged("rank", |label| (label.quality != Quality::Illegal).then_some(label.judgement.rank)),
        Column::new("quality".into(), labelled(labels, |label| Some(label.quality.name()))),
        Column::new("is_optimal".into(), labelled(labels, |label| Some(label.regret == Some(0.0)))),
        Column::new("is_goal".into(), steps.par_iter().map(reaches).collect::<Vec<_>>()),
        Column::new("is_end".into(), steps.par_iter().map(ends).collect::<Vec<_>>()),
        played("is_after_goal", |played| Some(played.is_after_goal)),
        played("is_undo", |played| Some(played.is_undo)),
        played("is_revisit", |played| Some(played.is_revisit)),
        played("same_piece_as_last", |played| played.same_piece_as_last),
        Column::new("p_optimal_by_chance".into(), labelled(labels, Label::chance)),
        log_rt(log, steps)?,
    ];
    for column in added {
        keep_logged(&mut data, column.name())?;
        data.with_column(column)?;
    }
    let columns = data.columns().iter().map(|column| documented(column.name(), unit)).collect();
    let caption =
        "Every replayed row of the logs; each move with its value before and after, and its quality.".to_owned();
    Ok(Table { name: "moves".to_owned(), caption, data, columns })
}

/// The unit of the values of some levels, which are of one game under the same rules.
pub fn unit_of(levels: &[ValuedLevel]) -> Unit {
    levels.first().map_or(Unit::Moves, |level| level.rules.unit())
}

/// The name of the column that tells what a move costs, or gains where values are points.
pub fn cost_name(unit: Unit) -> &'static str {
    if unit.is_distance() { "cost" } else { "gain" }
}

/// Distances as whole numbers of this type, points as real ones.
fn numbers(name: &str, values: Vec<Option<f64>>, unit: Unit, whole: DataType) -> PolarsResult<Column> {
    let column = Column::new(name.into(), values);
    if unit.is_distance() { column.cast(&whole) } else { Ok(column) }
}

/// Renames a column of the log that bears the name of a label, so that what was recorded stays beside
/// what was computed, and returns its new name; a column without any value is replaced.
pub(crate) fn keep_logged(data: &mut DataFrame, name: &str) -> PolarsResult<Option<String>> {
    let Ok(logged) = data.column(name) else { return Ok(None) };
    if logged.null_count() == logged.len() {
        data.drop_in_place(name)?;
        Ok(None)
    } else {
        let mut kept = format!("log_{name}");
        while data.column(&kept).is_ok() {
            kept.insert_str(0, "log_");
        }
        data.rename(name, kept.clone().into())?;
        Ok(Some(kept))
    }
}

fn labelled<T>(labels: &[Option<Label>], value: impl Fn(&Label) -> Option<T>) -> Vec<Option<T>> {
    labels.iter().map(|label| label.as_ref().and_then(&value)).collect()
}

/// Natural logarithm of the time of each move, where it is positive.
fn log_rt(log: &Log, steps: &[Step]) -> PolarsResult<Column> {
    let times = log.moves.column("rt_s")?.f64()?;
    let log_time = |step: &Step| times.get(step.row as usize).filter(|&time| time > 0.0).map(f64::ln);
    Ok(Series::new("log_rt".into(), steps.iter().map(log_time).collect::<Vec<_>>()).into())
}

/// What a column of the table `moves` means.
fn documented(name: &str, unit: Unit) -> ColumnDoc {
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
        "value_before" | "value_after" | "delta" | "cost" | "gain" | "regret" | "quality" | "is_optimal" | "is_end" => {
            of_value(name, unit)
        }
        "is_goal" => doc("whether the position after the move is a goal: the level is solved, or the target reached"),
        "rank" => doc(
            "1 + the number of legal moves that are better; equally good moves share a rank; empty for an illegal one",
        ),
        "is_after_goal" => doc(
            "whether the attempt had solved the level before the move; such moves are not measured. A reset within the attempt does not end that",
        ),
        "is_undo" => doc("whether the move leads back to the position before the previous move"),
        "is_revisit" => {
            doc("whether the attempt has been in the position after the move before; false for an illegal move")
        }
        "same_piece_as_last" => doc(
            "whether the move moves the same piece (disk, lamp, colour …) as the previous one; empty on the first move, and in games without such parts",
        ),
        "p_optimal_by_chance" => {
            doc("n_optimal / n_legal: probability that a uniformly random legal move is optimal (chance level)")
        }
        "log_rt" => doc("natural logarithm of rt_s; empty where it is not positive"),
        _ => doc("column of the log, kept as it was"),
    }
}

/// What a column means that depends on what values are.
fn of_value(name: &str, unit: Unit) -> ColumnDoc {
    let is_distance = unit.is_distance();
    let doc = |of_distance: &str, of_points: &str| {
        ColumnDoc::new(name, if is_distance { of_distance } else { of_points }).unit(unit.name())
    };
    match name {
        "value_before" => doc(
            "distance to the goal before the move; empty where no goal can be reached",
            "expected points before the move under optimal play",
        ),
        "value_after" => doc(
            "distance to the goal after the move; empty where no goal can be reached",
            "expected points after the move, before chance has its turn; without what the move gains",
        ),
        "delta" => doc("value_after - value_before", "value_after - value_before"),
        "cost" | "gain" => {
            doc("what the move costs in the level's metric; 0 for an illegal move", "points that the move gains")
        }
        "regret" => doc(
            "value_after + cost - value_before: 0 for an optimal move; empty for an illegal one",
            "value_before - gain - value_after: points that the move gives away; 0 for an optimal move",
        ),
        "quality" => quality_doc(unit),
        "is_optimal" => ColumnDoc::new(name, "whether no other move is better: regret is 0"),
        _ if is_distance => ColumnDoc::new(name, "whether the level is solved after the move"),
        _ => ColumnDoc::new(name, "whether the game is over after the move, or its target is reached"),
    }
}

/// What the quality of a move means.
pub(crate) fn quality_doc(unit: Unit) -> ColumnDoc {
    let meaning = if unit.is_distance() {
        "what the move did to the distance"
    } else {
        "what the move gives away: nothing, up to 2 %, up to 10 % or more of value_before"
    };
    let names: Vec<&str> = Quality::of_unit(unit).iter().map(|quality| quality.name()).collect();
    ColumnDoc::new("quality", meaning).levels(&names)
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
