//! The edges of a mapped level as a table, for other programs.

use polars::prelude::{Column, DataFrame, PolarsResult};

use crate::table::{ColumnDoc, Table};
use plymap_puzzles::distance::regret;
use plymap_puzzles::game::Value;
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};

/// The table of edges: one row for each legal move of each state of the map, in the order of states. It takes some
/// 150 bytes for each row. Nothing if the level was not mapped.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn edge_table(level: &ValuedLevel) -> PolarsResult<Option<Table>> {
    let Some(WholeMap { map, distances, .. }) = &level.whole else { return Ok(None) };
    let n = map.graph.n_arcs();
    let (mut from, mut to, mut cost) = (Vec::with_capacity(n), Vec::with_capacity(n), Vec::with_capacity(n));
    let (mut notation, mut lost, mut is_optimal) = (Vec::with_capacity(n), Vec::with_capacity(n), Vec::new());
    for node in 0..map.n_states() as u32 {
        if map.graph.successors(node).is_empty() {
            // A goal that is not expanded has legal moves and no edge.
            continue;
        }
        let before = distances.get(node).map(Value::Distance);
        let position = level.rules.format_state(map.code(node));
        for legal in level.rules.legal_moves(map.code(node)) {
            let Some(after) = map.node(legal.after) else { continue };
            let loss = regret(legal.cost, before, distances.get(after).map(Value::Distance));
            from.push(position.clone());
            to.push(level.rules.format_state(legal.after));
            notation.push(legal.notation);
            cost.push(legal.cost);
            is_optimal.push(loss == Some(0.0));
            lost.push(loss);
        }
    }
    let data = DataFrame::new_infer_height(vec![
        Column::new("from".into(), from),
        Column::new("to".into(), to),
        Column::new("move".into(), notation),
        Column::new("cost".into(), cost),
        Column::new("regret".into(), lost),
        Column::new("is_optimal".into(), is_optimal),
    ])?;
    let unit = level.rules.unit().name();
    Ok(Some(Table {
        name: level.id.clone(),
        caption: format!("Every legal move of every state of level {}.", level.id),
        data,
        columns: vec![
            ColumnDoc::new("from", "the position before the move, as in the table of distances"),
            ColumnDoc::new("to", "the position after it"),
            ColumnDoc::new("move", "the move in the notation of the game"),
            ColumnDoc::new("cost", "what it costs").unit(unit),
            ColumnDoc::new("regret", "what it loses against the best move; empty where no goal can be reached")
                .unit(unit),
            ColumnDoc::new("is_optimal", "whether it loses nothing"),
        ],
    }))
}
