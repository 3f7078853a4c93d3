//! The legal moves of one position as a table.

use crate::label::Quality;
use crate::label::moves_table::{IS_OPTIMAL, regret_column};
use plymap_puzzles::distance::{Evaluation, ValuedMove};
use plymap_puzzles::game::Value;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_tables::{Column, Columns, Table, number, text};

/// Effect of a move on the value, in the words of the labels.
pub fn quality(before: Option<Value>, valued: &ValuedMove) -> &'static str {
    Quality::of_values(before, valued.after, valued.regret).name()
}

/// The legal moves of a position as a table, the best first.
pub fn moves_table(level: &ValuedLevel, evaluation: &Evaluation) -> Table {
    let unit = level.rules.unit();
    let mut moves: Vec<&ValuedMove> = evaluation.moves.iter().collect();
    moves.sort_by(|left, right| {
        let regret = |valued: &ValuedMove| valued.regret.unwrap_or(f64::INFINITY);
        regret(left).total_cmp(&regret(right))
    });
    let moves = &moves[..];
    let value = |columns: Columns, column: Column, value: fn(&ValuedMove) -> Option<f64>| match unit.is_distance() {
        true => columns.column(moves, column.unit(unit.name()), |valued| value(valued).map(|value| value as i64)),
        false => columns.column(moves, column.unit(unit.name()), |valued| value(valued)),
    };
    let mut columns = Columns::new()
        .column(moves, text("move", "the move in the notation of logs"), |valued| valued.legal.notation.clone());
    if !unit.is_distance() {
        let doc = number("gain", "points that it gains").unit(unit.name());
        columns = columns.values(doc, moves.iter().map(|valued| valued.legal.cost).collect());
    }
    let value_after = if unit.is_distance() { "distance_after" } else { "points_after" };
    columns =
        value(columns, number(value_after, "value of the position after it"), |valued| valued.after.map(Value::number));
    value(columns, regret_column(unit), |valued| valued.regret)
        .column(moves, text("quality", "what it does to the value of the position"), |valued| {
            quality(evaluation.value, valued).to_owned()
        })
        .column(moves, IS_OPTIMAL, |valued| Some(valued.is_optimal()))
        .column(moves, text("state_after", "the position after it, before chance has its turn"), |valued| {
            level.rules.format_state(valued.legal.after)
        })
        .into_table("moves", &format!("Legal moves of a position of level {}.", level.id))
}
