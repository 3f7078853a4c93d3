//! The tables of levels, of the distances of their states and of the edges of their maps.

use polars::prelude::{Column, DataFrame, NamedFrom, PolarsResult, Series};

use crate::table::{ColumnDoc, Table};
use plymap_puzzles::game::{Attribute, Distance, Valuation, Value};
use plymap_puzzles::valuation::{LevelSummary, MapSummary, ValuedLevel, WholeMap};

mod edges;

pub use edges::edge_table;

/// The distance table of the level: one row for each state. Nothing if it was not mapped.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn distance_table(level: &ValuedLevel) -> PolarsResult<Option<Table>> {
    let Some(WholeMap { map, distances, structure, .. }) = &level.whole else { return Ok(None) };
    let nodes = || 0..map.n_states() as u32;
    let column = |name: &str, values: Vec<u32>| Column::new(name.into(), values);
    let data = DataFrame::new_infer_height(vec![
        column("state_id", nodes().collect()),
        Column::new("state".into(), nodes().map(|node| level.rules.format_state(map.code(node))).collect::<Vec<_>>()),
        Column::new(
            "distance".into(),
            distances.iter().map(|value| value.map(|Distance(value)| value)).collect::<Vec<_>>(),
        ),
        column("n_legal", nodes().map(|node| map.graph.successors(node).len() as u32).collect()),
        column("n_optimal", nodes().map(|node| distances.n_optimal(&map.graph, node) as u32).collect()),
        Column::new("n_shortest".into(), distances.n_shortest(&map.graph)),
        column("depth", map.depths().to_vec()),
        column("component", structure.component.clone()),
        Column::new("is_goal".into(), nodes().map(|node| map.is_goal(node)).collect::<Vec<_>>()),
        Column::new("is_start".into(), nodes().map(|node| node == 0).collect::<Vec<_>>()),
    ])?;
    let unit = level.rules.unit().name();
    Ok(Some(Table {
        name: level.id.clone(),
        caption: format!("Every state of level {} that can be reached from its start.", level.id),
        data,
        columns: vec![
            ColumnDoc::new("state_id", "number of the state, breadth first from the start, which is 0"),
            ColumnDoc::new("state", "the position in the notation of the game"),
            ColumnDoc::new("distance", "fewest moves to the nearest goal; empty where no goal can be reached")
                .unit(unit),
            ColumnDoc::new("n_legal", "number of legal moves"),
            ColumnDoc::new(
                "n_optimal",
                "number of legal moves after which the goal is nearer by their cost; 0 in a goal",
            ),
            ColumnDoc::new(
                "n_shortest",
                "number of shortest paths to the nearest goals; empty where there is none, or 2^64 or more",
            ),
            ColumnDoc::new("depth", "fewest moves from the start").unit(unit),
            ColumnDoc::new(
                "component",
                "strongly connected component: states of one component can be reached from each other",
            ),
            ColumnDoc::new("is_goal", "whether the level is solved in this state"),
            ColumnDoc::new("is_start", "whether this is the start"),
        ],
    }))
}

/// The table of all levels: one row for each.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn levels_table(levels: &[LevelSummary]) -> PolarsResult<Table> {
    fn column<T, P: ?Sized>(name: &str, levels: &[LevelSummary], value: impl Fn(&LevelSummary) -> Option<T>) -> Column
    where
        Series: NamedFrom<Vec<Option<T>>, P>,
    {
        Column::new(name.into(), levels.iter().map(value).collect::<Vec<_>>())
    }
    let of_map =
        |name: &str, value: fn(&MapSummary) -> u64| column(name, levels, |level| level.map.as_ref().map(value));
    let text = |name: &str, value: fn(&LevelSummary) -> String| column(name, levels, |level| Some(value(level)));
    let is_distance = |level: &LevelSummary| level.unit.is_distance();
    let mut data = DataFrame::new_infer_height(vec![
        text("level", |level| level.id.clone()),
        text("game", |level| level.game.to_owned()),
        of_map("n_states", |map| map.metrics.n_states),
        of_map("n_arcs", |map| map.metrics.n_arcs),
        of_map("n_edges", |map| map.metrics.n_edges),
        of_map("n_goals", |map| map.metrics.n_goals),
        column("start_distance", levels, |level| Some(level.start_value?.as_distance()?.0)),
        column("max_distance", levels, |level| Some(level.map.as_ref()?.metrics.max_distance?.0)),
        column("n_shortest", levels, |level| level.map.as_ref()?.metrics.n_shortest),
        column("solvable", levels, |level| is_distance(level).then_some(level.start_value.is_some())),
        of_map("n_dead_ends", |map| map.metrics.n_dead_ends),
        column("mean_branching", levels, |level| Some(level.map.as_ref()?.metrics.mean_branching)),
        of_map("max_branching", |map| map.metrics.max_branching),
        column("share_optimal_on_solution", levels, |level| level.map.as_ref()?.metrics.share_optimal_on_solution),
        of_map("n_components", |map| map.n_components),
        of_map("n_articulation_points", |map| map.n_articulation_points),
        of_map("n_bridges", |map| map.n_bridges),
        text("unit", |level| level.unit.name().to_owned()),
        text("method", |level| method_name(level.valuation).to_owned()),
        column("distance_histogram", levels, |level| {
            let histogram = &level.map.as_ref()?.metrics.histogram;
            Some(histogram.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
        }),
    ])?;
    let mut columns = level_columns();
    if levels.iter().any(|level| !is_distance(level)) {
        let points = column("start_points", levels, |level| {
            level.start_value.filter(|_| !is_distance(level)).map(Value::number)
        });
        data.with_column(points)?;
        columns.push(ColumnDoc::new(
            "start_points",
            "expected points from the start under optimal play; with a drawn start, the mean over the draws",
        ));
    }
    let mut attributes: Vec<&Attribute> = Vec::new();
    for attribute in levels.iter().flat_map(|level| &level.attributes) {
        let is_column = columns.iter().any(|column| column.name == attribute.name);
        if !is_column && !attributes.iter().any(|known| known.name == attribute.name) {
            attributes.push(attribute);
        }
    }
    for attribute in attributes {
        let known: Vec<Option<&Attribute>> =
            levels.iter().map(|level| level.attributes.iter().find(|known| known.name == attribute.name)).collect();
        let is_whole = known.iter().flatten().all(|attribute| attribute.whole().is_some());
        let attributes = known.into_iter();
        data.with_column(if is_whole {
            Column::new(
                attribute.name.into(),
                attributes.map(|attribute| attribute.and_then(Attribute::whole)).collect::<Vec<_>>(),
            )
        } else {
            Column::new(
                attribute.name.into(),
                attributes.map(|attribute| attribute.map(|attribute| attribute.value.clone())).collect::<Vec<_>>(),
            )
        })?;
        columns.push(ColumnDoc::new(attribute.name, &format!("of the start: {}", attribute.meaning)));
    }
    for name in extra_names(levels) {
        let of_level =
            |level: &LevelSummary| level.extra.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone());
        // A column of the file that bears the name of a number of the map stands beside it.
        let mut title = name.clone();
        while columns.iter().any(|column| column.name == title)
            || (title != name && extra_names(levels).contains(&title))
        {
            title = format!("file_{title}");
        }
        data.with_column(Column::new(title.as_str().into(), levels.iter().map(of_level).collect::<Vec<_>>()))?;
        columns.push(ColumnDoc::new(&title, "column of the level file, kept as it was"));
    }
    Ok(Table {
        name: "levels".to_owned(),
        caption: "Each level and the numbers of its state graph.".to_owned(),
        data,
        columns,
    })
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
    let mut seen = std::collections::HashSet::new();
    for (name, _) in levels.iter().flat_map(|level| &level.extra) {
        if seen.insert(name) {
            names.push(name.clone());
        }
    }
    names
}

fn level_columns() -> Vec<ColumnDoc> {
    vec![
        ColumnDoc::new("level", "name of the level"),
        ColumnDoc::new("game", "name of the game"),
        ColumnDoc::new("n_states", "number of states that can be reached from the start; this and all other numbers of the map are empty where the level is not mapped"),
        ColumnDoc::new("n_arcs", "number of legal moves, summed over all states"),
        ColumnDoc::new("n_edges", "number of unordered pairs of states that a move joins"),
        ColumnDoc::new("n_goals", "number of states in which the level is solved"),
        ColumnDoc::new("start_distance", "fewest moves from the start to a goal; empty if there is no solution")
            .unit("as in column unit"),
        ColumnDoc::new("max_distance", "largest distance of any state that can reach a goal").unit("as in column unit"),
        ColumnDoc::new("n_shortest", "number of shortest solutions; empty if there is none, or 2^64 or more"),
        ColumnDoc::new("solvable", "whether a goal can be reached from the start; empty where values are points"),
        ColumnDoc::new("n_dead_ends", "number of states from which no goal can be reached"),
        ColumnDoc::new("mean_branching", "mean number of legal moves over all expanded states"),
        ColumnDoc::new("max_branching", "largest number of legal moves of a state"),
        ColumnDoc::new(
            "share_optimal_on_solution",
            "n_optimal / n_legal, averaged over the plies of a shortest solution on which each optimal move is chosen with equal probability",
        ),
        ColumnDoc::new("n_components", "number of strongly connected components"),
        ColumnDoc::new(
            "n_articulation_points",
            "number of states whose removal disconnects the graph, moves taken as undirected",
        ),
        ColumnDoc::new("n_bridges", "number of edges whose removal disconnects the graph, moves taken as undirected"),
        ColumnDoc::new("unit", "unit of values").levels(&["moves", "cells", "points"]),
        ColumnDoc::new(
            "method",
            "how positions are valued: by a map of all states, exactly by an algorithm of the game, or by an estimate of it",
        )
        .levels(&["map", "exact", "estimate"]),
        ColumnDoc::new("distance_histogram", "number of states at distance 0, 1, 2, …, separated by spaces"),
    ]
}
