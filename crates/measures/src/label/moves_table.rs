//! The table `moves`: the canonical log's columns of each replayed row, and the label of each move. It is written and
//! never read back.

use super::labelled_log::unit_of;
use super::quality::Quality;
use super::row::Label;
use super::rows::LabelledRows;
use super::rows::{AFTER_GOAL, HAS_PIECES, REVISIT, SAME_PIECE, Transition, UNDO, has_mark};
use plymap_log::{CanonicalRows, Event, TimeSource};
use plymap_puzzles::game::{StateCode, Unit};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_tables::interner::Interner;
use plymap_tables::{Column, ColumnDoc, Columns, Table, count, flag, number, text, whole};
use polars::prelude::{self, DataFrame, IdxCa, NewChunkedArray as _, PolarsResult};
use std::ops::Range;

/// The columns of the canonical log.
const LOG_COLUMNS: [Column; 13] = [
    text("participant", "who played"),
    text("session", "session of the participant; 1 where the log has none"),
    text("level", "level that was played"),
    whole("attempt", "run at the level between resets"),
    whole("move_index", "position of the row within its attempt, from 0, as logged"),
    text("event", "what happened").levels(&Event::NAMES),
    text("action", "the action as it was logged"),
    number("onset_s", "when the row happened, since the zero of the log").unit("s"),
    number("rt_s", "time since what happened before it in the attempt; of a first move, since the level appeared")
        .unit("s"),
    text("time_source", "whether the time was logged or derived").levels(&TimeSource::NAMES),
    text("condition", "experimental condition"),
    SOURCE_FILE,
    SOURCE_ROW,
];

/// The file of a row.
pub const SOURCE_FILE: Column = text("source_file", "file of the log that the row stands in");

/// The place of a row in its file.
pub const SOURCE_ROW: Column =
    count("source_row", "line of that file, as an editor shows it; row of a Parquet file, from 1");

/// Loss of a move, in the tables of moves, of edges and of one position.
pub const fn regret_column(unit: Unit) -> Column {
    let meaning = match unit {
        Unit::Points => "value_before - gain - value_after: points that the move gives away; 0 for an optimal move",
        _ => "value_after + cost - value_before: 0 for an optimal move; empty for an illegal one",
    };
    number("regret", meaning)
}

/// `true` of a move that loses nothing.
pub const IS_OPTIMAL: Column = flag("is_optimal", "whether no other move is better: regret is 0");

/// Columns of values and of their differences: whole numbers for distances, real ones for points.
trait ValueColumns {
    /// Values of positions.
    fn distances(self, unit: Unit, column: Column, values: Vec<Option<f64>>) -> Self;

    /// Differences of such values.
    fn differences(self, unit: Unit, column: Column, values: Vec<Option<f64>>) -> Self;
}

impl ValueColumns for Columns {
    fn distances(self, unit: Unit, column: Column, values: Vec<Option<f64>>) -> Self {
        match unit.is_distance() {
            true => self.values(column, values.into_iter().map(|value| Some(value? as u32)).collect()),
            false => self.values(column, values),
        }
    }

    fn differences(self, unit: Unit, column: Column, values: Vec<Option<f64>>) -> Self {
        match unit.is_distance() {
            true => self.values(column, values.into_iter().map(|value| Some(value? as i64)).collect()),
            false => self.values(column, values),
        }
    }
}

/// The table `moves` of these labelled rows of a log; `empty` are its columns without any value.
pub fn moves_table(
    log: &CanonicalRows,
    empty: &[String],
    rows: &LabelledRows,
    range: Range<usize>,
    levels: &[ValuedLevel],
) -> PolarsResult<Table> {
    let rows = &Piece::new(rows, range);
    // Replay may know better: an action that changed nothing is no move, and its time can be part of that of the next one.
    let mut data = log.table_of(|| rows.of_log().map(|(row, event, rt_s)| (log.at(row as usize), event, rt_s)));
    let (added, docs) = label_columns(rows, levels).into_parts();
    for doc in &docs {
        keep_logged(&mut data, &doc.name, empty.contains(&doc.name));
    }
    let documented =
        |column: &prelude::Column| match LOG_COLUMNS.iter().find(|known| known.name == column.name().as_str()) {
            Some(known) => (*known).into(),
            None => ColumnDoc::new(column.name(), "column of the log, kept as it was"),
        };
    let mut columns: Vec<ColumnDoc> = data.columns().iter().map(documented).collect();
    data.hstack_mut(&added)?;
    columns.extend(docs);
    let caption =
        "Every replayed row of the logs; each move with its value before and after, and its quality.".to_owned();
    Ok(Table { name: "moves".to_owned(), caption, data, columns })
}

/// The columns that labels add, in their order.
fn label_columns(rows: &Piece<'_>, levels: &[ValuedLevel]) -> Columns {
    let unit = unit_of(levels);
    let of_transitions =
        position_columns(rows, levels).beside(value_columns(rows, unit)).beside(quality_columns(rows, unit));
    let chance = Columns::new().values(
        number(
            "p_optimal_by_chance",
            "n_optimal / n_legal: probability that a uniformly random legal move is optimal (chance level)",
        ),
        rows.of_labels(Label::chance),
    );
    let marks = IdxCa::from_iter_values("".into(), rows.numbers().map(|number| rows.rows.marks(number).into()));
    Columns::new()
        .values(
            count(
                "ply",
                "number of the move within its attempt, from 0, resets not counted; empty for rows that are no moves",
            ),
            rows.numbers().map(|number| rows.rows.ply(number)).collect(),
        )
        .beside(of_transitions.taken(&rows.places))
        .beside(mark_columns().taken(&marks))
        .beside(chance.taken(&rows.places))
        .values(
            number("log_rt", "natural logarithm of rt_s; empty where it is not positive"),
            rows.of_log().map(|(.., rt_s)| rt_s.filter(|&time| time > 0.0).map(f64::ln)).collect(),
        )
}

/// Positions before and after each move, as their levels write them.
fn position_columns(rows: &Piece<'_>, levels: &[ValuedLevel]) -> Columns {
    let mut met = Interner::default();
    let mut codes_of = |code: fn(&Transition) -> StateCode| -> Vec<u32> {
        rows.transitions.iter().map(|(transition, _)| met.number((transition.level, code(transition)))).collect()
    };
    let (before, after) = (codes_of(|transition| transition.before), codes_of(|transition| transition.after));
    let written = |&(level, code): &(u32, StateCode)| levels[level as usize].rules.format_state(code);
    let positions: Vec<String> = met.into_items().iter().map(written).collect();
    let position = |position: u32| positions[position as usize].as_str();
    Columns::new()
        .coded(text("state_before", "position before the row, as replayed"), position, before.into_iter().map(Some))
        .coded(text("state_after", "position after the row, as replayed"), position, after.into_iter().map(Some))
}

/// The first text for distances, the second for points.
fn by_unit(unit: Unit, of_distance: &'static str, of_points: &'static str) -> &'static str {
    if unit.is_distance() { of_distance } else { of_points }
}

/// Legal moves of each position, values before and after each move, its cost, regret and rank.
fn value_columns(rows: &Piece<'_>, unit: Unit) -> Columns {
    let values_unit = by_unit(unit, "moves, or cells under that metric", "points");
    Columns::new()
        .values(
            count("n_legal", "number of legal moves in the position before"),
            rows.of_labels(|label| Some(label.evaluation.n_legal)),
        )
        .values(
            count("n_optimal", "number of optimal moves in the position before"),
            rows.of_labels(|label| Some(label.evaluation.n_optimal)),
        )
        .distances(
            unit,
            number("value_before", by_unit(unit,
                "distance to the goal before the move; empty where no goal can be reached",
                "expected points before the move under optimal play"))
            .unit(values_unit),
            rows.of_labels(Label::value_before),
        )
        .distances(
            unit,
            number("value_after", by_unit(unit,
                "distance to the goal after the move; empty where no goal can be reached",
                "expected points after the move, before chance has its turn; without what the move gains"))
            .unit(values_unit),
            rows.of_labels(Label::value_after),
        )
        .differences(
            unit,
            number("delta", "value_after - value_before").unit(values_unit),
            rows.of_labels(|label| Some(label.value_after()? - label.value_before()?)),
        )
        .values(
            if unit.is_distance() {
                number("cost", "what the move costs in the level's metric; 0 for an illegal move")
            } else {
                number("gain", "points that the move gains")
            }
            .unit(values_unit),
            rows.transitions.iter().map(|(transition, _)| Some(transition.choice?.cost)).collect(),
        )
        .differences(
            unit,
            regret_column(unit).unit(values_unit),
            rows.of_labels(|label| label.regret),
        )
        .values(
            count(
                "rank",
                "1 + the number of legal moves that are better; equally good moves share a rank; empty for an illegal one",
            ),
            rows.of_labels(|label| (label.quality != Quality::Illegal).then_some(label.evaluation.rank)),
        )
}

/// Quality of each move, and the kind of position that it leads to.
fn quality_columns(rows: &Piece<'_>, unit: Unit) -> Columns {
    let qualities: Vec<&str> = Quality::of_unit(unit).iter().map(|quality| quality.name()).collect();
    Columns::new()
        .coded(
            ColumnDoc::new(
                "quality",
                by_unit(
                    unit,
                    "what the move did to the distance",
                    "what the move gives away: nothing, up to 2 %, up to 10 % or more of value_before",
                ),
            )
            .levels(&qualities),
            |quality| Quality::ALL[quality as usize].name(),
            rows.of_labels(|label| Some(label.quality as u32)).into_iter(),
        )
        .values(IS_OPTIMAL, rows.of_labels(|label| Some(label.is_optimal())))
        .values(
            flag(
                "is_goal",
                "whether the position after the move is a goal: the level is solved, or the target reached",
            ),
            rows.of_labels(|label| Some(label.is_goal)),
        )
        .values(
            flag(
                "is_end",
                by_unit(
                    unit,
                    "whether the level is solved after the move",
                    "whether the game is over after the move, or its target is reached",
                ),
            ),
            rows.of_labels(|label| Some(label.is_end)),
        )
}

/// Truth values of a row, by all that its marks can be.
fn mark_columns() -> Columns {
    let with_marks = |value: fn(u8) -> Option<bool>| (0..=u8::MAX).map(value).collect();
    Columns::new()
        .values(
            flag(
                "is_after_goal",
                "whether the attempt had solved the level before the move; such moves are not measured. A reset within the attempt does not end that",
            ),
            with_marks(|marks| has_mark(marks, AFTER_GOAL)),
        )
        .values(
            flag("is_undo", "whether the move leads back to the position before the previous move"),
            with_marks(|marks| has_mark(marks, UNDO)),
        )
        .values(
            flag(
                "is_revisit",
                "whether the attempt has been in the position after the move before; false for an illegal move",
            ),
            with_marks(|marks| has_mark(marks, REVISIT)),
        )
        .values(
            flag(
                "same_piece_as_last",
                "whether the move moves the same piece (disk, lamp, colour …) as the previous one; empty on the first move, and in games without such parts",
            ),
            with_marks(|marks| has_mark(marks, HAS_PIECES)?.then(|| has_mark(marks, SAME_PIECE))?),
        )
}

/// Labelled rows of which a table is made.
struct Piece<'r> {
    rows: &'r LabelledRows,
    range: Range<usize>,
    /// The different things that the rows did, with their labels.
    transitions: Vec<(Transition, Option<Label>)>,
    /// Number of the move of each row among these.
    places: IdxCa,
}

impl<'r> Piece<'r> {
    fn new(rows: &'r LabelledRows, range: Range<usize>) -> Self {
        let numbers = range.clone().map(|row| rows.transition(row));
        let (places, met): (Vec<u32>, Vec<u32>) = if range == (0..rows.len()) {
            (numbers.collect(), (0..rows.n_transitions() as u32).collect())
        } else {
            let mut met = Interner::default();
            (numbers.map(|number| met.number(number)).collect(), met.into_items())
        };
        let transitions = met.into_iter().map(|number| rows.of_transition(number)).collect();
        Self { rows, range, transitions, places: IdxCa::from_vec("".into(), places) }
    }

    /// The numbers of the rows among all.
    fn numbers(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Of each row its number in the log, its event and its time.
    fn of_log(&self) -> impl Iterator<Item = (u32, Event, Option<f64>)> {
        self.numbers().map(|number| self.rows.log_row(number))
    }

    /// For each transition a value that depends on its label.
    fn of_labels<T>(&self, value: impl Fn(&Label) -> Option<T>) -> Vec<Option<T>> {
        self.transitions.iter().map(|(_, label)| label.as_ref().and_then(&value)).collect()
    }
}

/// Renames a column of the log that bears the name of a label, so that what was recorded stays beside
/// what was computed, and returns its new name; a column that is empty in the whole log is replaced.
pub fn keep_logged(data: &mut DataFrame, name: &str, is_empty: bool) -> Option<String> {
    data.column(name).ok()?;
    if is_empty {
        data.drop_in_place(name).expect("the column is there");
        return None;
    }
    let mut kept = format!("log_{name}");
    while data.column(&kept).is_ok() {
        kept.insert_str(0, "log_");
    }
    data.rename(name, kept.clone().into()).expect("no column has the new name");
    Some(kept)
}
