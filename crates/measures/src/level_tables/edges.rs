//! The edges of a mapped level as a table, for other programs.

use crate::label::moves_table::{IS_OPTIMAL, regret_column};
use plymap_puzzles::distance::regret;
use plymap_puzzles::game::Value;
use plymap_puzzles::graph::LevelMap;
use plymap_puzzles::rules::LegalMove;
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use plymap_tables::{Columns, Table, number, text};

/// The moves between the states of a map that start in one of them, each with the state that it leads to.
pub fn moves_on_map(level: &ValuedLevel, map: &LevelMap, node: u32) -> impl Iterator<Item = (LegalMove, u32)> {
    // A goal that is not expanded has legal moves and no edge.
    let is_expanded = !map.graph.successors(node).is_empty();
    let legal = if is_expanded { level.rules.legal_moves(map.code(node)) } else { Vec::new() };
    legal.into_iter().filter_map(|legal| map.node(legal.after).map(|after| (legal, after)))
}

/// The table of edges: one row for each legal move of each state of the map, in the order of states. It takes some
/// 150 bytes for each row. Nothing if the level was not mapped.
pub fn edge_table(level: &ValuedLevel) -> Option<Table> {
    let WholeMap { map, distances, .. } = level.whole.as_deref()?;
    let n = map.graph.n_arcs();
    let (mut from, mut to, mut cost) = (Vec::with_capacity(n), Vec::with_capacity(n), Vec::with_capacity(n));
    let (mut notation, mut lost, mut is_optimal) = (Vec::with_capacity(n), Vec::with_capacity(n), Vec::new());
    for node in 0..map.n_states() as u32 {
        let before = distances.get(node).map(Value::Distance);
        let position = level.rules.format_state(map.code(node));
        for (legal, after) in moves_on_map(level, map, node) {
            let loss = regret(legal.cost, before, distances.get(after).map(Value::Distance));
            from.push(position.clone());
            to.push(level.rules.format_state(legal.after));
            notation.push(legal.notation);
            cost.push(legal.cost);
            is_optimal.push(loss == Some(0.0));
            lost.push(loss);
        }
    }
    let unit = level.rules.unit();
    let columns = Columns::new()
        .values(text("from", "the position before the move, as in the table of distances"), from)
        .values(text("to", "the position after it"), to)
        .values(text("move", "the move in the notation of the game"), notation)
        .values(number("cost", "what it costs").unit(unit.name()), cost)
        .values(regret_column(unit).unit(unit.name()), lost)
        .values(IS_OPTIMAL, is_optimal);
    Some(columns.into_table(&level.id, &format!("Every legal move of every state of level {}.", level.id)))
}
