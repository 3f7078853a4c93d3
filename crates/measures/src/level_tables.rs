//! The tables of levels, of the distances of their states and of the edges of their maps.

use plymap_puzzles::game::{Attribute, Distance, Unit, Valuation, Value};
use plymap_puzzles::valuation::{LevelSummary, MapSummary, ValuedLevel, WholeMap};
use plymap_tables::{Column, ColumnDoc, Columns, Table, count, flag, number, text};

mod edges;
mod expected_moves;
mod position;

pub use edges::edge_table;
pub use edges::moves_on_map;
pub use expected_moves::{ExpectedMoves, ExpectedSummary, expected_moves_table};
pub use position::{moves_table, quality};

/// Position in a table of distances.
pub const STATE: Column = text("state", "the position in the notation of the game");

/// Distance in a table of distances; its unit is that of the level.
pub const DISTANCE: Column = count("distance", "fewest moves to the nearest goal; empty where no goal can be reached");

/// The distance table of the level: one row for each state, with columns for each of these players. Nothing if it was not
/// mapped.
pub fn distance_table(level: &ValuedLevel, players: &[ExpectedMoves]) -> Option<Table> {
    let whole @ WholeMap { map, distances, .. } = level.whole.as_deref()?;
    let nodes = || 0..map.n_states() as u32;
    let unit = level.rules.unit().name();
    let mut columns = Columns::new()
        .values(count("state_id", "number of the state, breadth first from the start, which is 0"), nodes().collect())
        .values(STATE, nodes().map(|node| level.rules.format_state(map.code(node))).collect())
        .values(DISTANCE.unit(unit), distances.iter().map(|value| value.map(|Distance(value)| value)).collect())
        .values(
            count("n_legal", "number of legal moves"),
            nodes().map(|node| map.graph.successors(node).len() as u32).collect(),
        )
        .values(
            count("n_optimal", "number of legal moves after which the goal is nearer by their cost; 0 in a goal"),
            nodes().map(|node| distances.n_optimal(&map.graph, node) as u32).collect(),
        )
        .values(
            count(
                "n_shortest",
                "number of shortest paths to the nearest goals; empty where there is none, or 2^64 or more",
            ),
            distances.n_shortest(&map.graph),
        )
        .values(count("depth", "fewest moves from the start").unit(unit), map.depths().to_vec())
        .values(
            count("component", "strongly connected component: states of one component can be reached from each other"),
            whole.structure().component.clone(),
        )
        .values(
            flag("is_goal", "whether the level is solved in this state"),
            nodes().map(|node| map.is_goal(node)).collect(),
        )
        .values(flag("is_start", "whether this is the start"), nodes().map(|node| node == 0).collect());
    for player in players {
        columns = player.added_to(columns);
    }
    let caption = format!("Every state of level {} that can be reached from its start.", level.id);
    Some(columns.into_table(&level.id, &caption))
}

/// The table of all levels: one row for each. It has no columns for numbers of maps that were not asked for.
pub fn levels_table(levels: &[LevelSummary]) -> Table {
    let mut columns = map_columns(levels)
        .values(
            text("unit", "unit of values").levels(&["moves", "cells", "points"]),
            levels.iter().map(|level| level.unit.name()).collect(),
        )
        .values(
            text("method", "how positions are valued: by a map of all states, exactly by an algorithm of the game, or by an estimate of it")
                .levels(&["map", "exact", "estimate"]),
            levels.iter().map(|level| method_name(level.valuation)).collect(),
        )
        .values(
            text("distance_histogram", "number of states at distance 0, 1, 2, …, separated by spaces"),
            of_maps(levels, |map| {
                Some(map.states.histogram.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
            }),
        );
    if levels.iter().any(|level| !level.unit.is_distance()) {
        let points = |level: &LevelSummary| level.start_value.filter(|_| !level.unit.is_distance()).map(Value::number);
        columns = columns.column(
            levels,
            number(
                "start_points",
                "expected points from the start under optimal play; with a drawn start, the mean over the draws",
            )
            .unit(Unit::Points.name()),
            points,
        );
    }
    columns = with_attributes(columns, levels);
    columns = with_extra_columns(columns, levels);
    columns.into_table("levels", "Each level and the numbers of its state graph.")
}

/// Names of levels and games, and the numbers of their maps.
fn map_columns(levels: &[LevelSummary]) -> Columns {
    let maps = || levels.iter().filter_map(|level| level.map.as_ref());
    let has_moves = maps().all(|map| map.moves.is_some());
    let has_solutions = maps().all(|map| map.solutions.is_some());
    let has_structure = maps().all(|map| map.structure.is_some());
    Columns::new()
        .column(levels, text("level", "name of the level"), |level| level.id.clone())
        .column(levels, text("game", "name of the game"), |level| level.game.to_owned())
        .values(
            count("n_states", "number of states that can be reached from the start; this and all other numbers of the map are empty where the level is not mapped"),
            of_maps(levels, |map| Some(map.states.n_states)),
        )
        .values_if(
            has_moves,
            count("n_arcs", "number of legal moves, summed over all states"),
            of_maps(levels, |map| Some(map.moves?.n_arcs)),
        )
        .values_if(
            has_moves,
            count("n_edges", "number of unordered pairs of states that a move joins"),
            of_maps(levels, |map| Some(map.moves?.n_edges)),
        )
        .values(
            count("n_goals", "number of states in which the level is solved"),
            of_maps(levels, |map| Some(map.states.n_goals)),
        )
        .values(
            count("start_distance", "fewest moves from the start to a goal; empty if there is no solution")
                .unit("as in column unit"),
            levels.iter().map(|level| Some(level.start_value?.as_distance()?.0)).collect(),
        )
        .values(
            count("max_distance", "largest distance of any state that can reach a goal").unit("as in column unit"),
            of_maps(levels, |map| Some(map.states.max_distance()?.0)),
        )
        .values_if(
            has_solutions,
            count("n_shortest", "number of shortest solutions; empty if there is none, or 2^64 or more"),
            of_maps(levels, |map| map.solutions.as_ref()?.as_ref()?.n_solutions),
        )
        .column(levels, flag("solvable", "whether a goal can be reached from the start; empty where values are points"), |level| level.unit.is_distance().then_some(level.start_value.is_some()))
        .values(
            count("n_dead_ends", "number of states from which no goal can be reached"),
            of_maps(levels, |map| Some(map.states.n_dead_ends)),
        )
        .values_if(
            has_moves,
            number("mean_branching", "mean number of legal moves over all expanded states"),
            of_maps(levels, |map| Some(map.moves?.mean_branching)),
        )
        .values_if(
            has_moves,
            count("max_branching", "largest number of legal moves of a state"),
            of_maps(levels, |map| Some(map.moves?.max_branching)),
        )
        .values_if(
            has_solutions,
            number("share_optimal_on_solution", "n_optimal / n_legal, averaged over the plies of a shortest solution on which each optimal move is chosen with equal probability"),
            of_maps(levels, |map| map.solutions.as_ref()?.as_ref()?.share_optimal),
        )
        .values_if(
            has_structure,
            count("n_components", "number of strongly connected components"),
            of_maps(levels, |map| Some(map.structure?.n_components)),
        )
        .values_if(
            has_structure,
            count("n_articulation_points", "number of states whose removal disconnects the graph, moves taken as undirected"),
            of_maps(levels, |map| Some(map.structure?.n_articulation_points)),
        )
        .values_if(
            has_structure,
            count("n_bridges", "number of edges whose removal disconnects the graph, moves taken as undirected"),
            of_maps(levels, |map| Some(map.structure?.n_bridges)),
        )
}

/// The attributes of the starts that the columns do not have yet.
fn with_attributes(mut columns: Columns, levels: &[LevelSummary]) -> Columns {
    let mut attributes: Vec<&Attribute> = Vec::new();
    for attribute in levels.iter().flat_map(|level| &level.attributes) {
        if !columns.has(attribute.name) && !attributes.iter().any(|known| known.name == attribute.name) {
            attributes.push(attribute);
        }
    }
    for Attribute { name, meaning, .. } in attributes {
        let of_levels = levels.iter().map(|level| level.attributes.iter().find(|attribute| attribute.name == *name));
        let doc = ColumnDoc::new(name, &format!("of the start: {meaning}"));
        columns = match of_levels.clone().flatten().all(|attribute| attribute.whole().is_some()) {
            true => columns.values(doc, of_levels.map(|attribute| attribute?.whole()).collect()),
            false => columns.values(doc, of_levels.map(|attribute| Some(attribute?.value.clone())).collect()),
        };
    }
    columns
}

/// The further columns of the level files, each under a name that is free.
fn with_extra_columns(mut columns: Columns, levels: &[LevelSummary]) -> Columns {
    let extra_names = extra_names(levels);
    for name in &extra_names {
        // A column of the file that bears the name of a number of the map stands beside it.
        let mut title = name.clone();
        while columns.has(&title) || (title != *name && extra_names.contains(&title)) {
            title = format!("file_{title}");
        }
        columns = columns.column(levels, ColumnDoc::new(&title, "column of the level file, kept as it was"), |level| {
            level.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
        });
    }
    columns
}

/// A value of the map of each level that is mapped.
fn of_maps<T>(levels: &[LevelSummary], value: impl Fn(&MapSummary) -> Option<T>) -> Vec<Option<T>> {
    levels.iter().map(|level| value(level.map.as_ref()?)).collect()
}

/// The word of the column `method`.
pub fn method_name(valuation: Valuation) -> &'static str {
    match valuation {
        Valuation::Map => "map",
        Valuation::Exact => "exact",
        Valuation::Estimate => "estimate",
    }
}

/// The names of the columns of level files, each once, in the order in which they are met.
fn extra_names(levels: &[LevelSummary]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut seen_names = std::collections::HashSet::new();
    for (name, _) in levels.iter().flat_map(|level| &level.extra) {
        if seen_names.insert(name) {
            names.push(name.clone());
        }
    }
    names
}
