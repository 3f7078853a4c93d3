//! A level with everything that its map tells: rules, states, distances, numbers; and their tables.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::prelude::{Column, DataFrame, PolarsResult};
use rayon::prelude::*;

use crate::distance::{Distance, DistanceTable, MapOracle};
use crate::fault::{Fault, Severity, SourceText};
use crate::game::{Game, LevelText, RuleOptions, Rules};
use crate::graph::metrics::{MapMetrics, Structure};
use crate::graph::{LevelMap, MapError, MapOptions};
use crate::level::{LevelColumns, LevelError, LevelSource, read_levels_and_faults};
use crate::table::{ColumnDoc, Table};

/// A level that its game has understood.
#[derive(Debug)]
pub struct LoadedLevel {
    /// Where it comes from.
    pub origin: LevelSource,
    /// Its rules.
    pub rules: Box<dyn Rules>,
}

impl LoadedLevel {
    /// A level as its game understands it.
    ///
    /// # Errors
    ///
    /// Every fault of the level.
    pub fn new(origin: LevelSource, game: &Game, options: &RuleOptions) -> Result<Self, Vec<Fault>> {
        let text = LevelText { text: &origin.text, source: &origin.source, span: origin.span.clone() };
        let rules = (game.load)(&text, options)?;
        Ok(Self { origin, rules })
    }
}

/// Why levels could not be loaded: every fault of every file and level.
#[derive(Debug, thiserror::Error)]
#[error("{} faults in the levels, the first: {}", .0.len(), .0[0])]
pub struct LoadError(pub Vec<Fault>);

/// Reads all levels of some files and folders with the rules of a game. All faults of all levels are
/// collected before it gives up.
///
/// # Errors
///
/// [`LoadError`]: every file that cannot be read, every fault of every level.
pub fn load_levels(
    files: &[PathBuf],
    columns: &LevelColumns,
    game: &Game,
    options: &RuleOptions,
) -> Result<Vec<LoadedLevel>, LoadError> {
    let mut sources = Vec::new();
    let mut faults = Vec::new();
    let mut first_of: HashMap<String, PathBuf> = HashMap::new();
    for file in files {
        match read_levels_and_faults(file, columns) {
            Ok((found, at_fault)) => {
                // Names that are repeated within one file or folder are among its faults already.
                faults.extend(found.iter().filter_map(|level| Some(repeated_name(level, first_of.get(&level.id)?))));
                first_of.extend(found.iter().map(|level| (level.id.clone(), level.source.path.clone())));
                sources.extend(found);
                faults.extend(at_fault);
            }
            Err(error) => faults.push(unreadable(file, &error)),
        }
    }
    let loaded: Vec<_> = sources.into_par_iter().map(|origin| LoadedLevel::new(origin, game, options)).collect();
    let mut levels = Vec::with_capacity(loaded.len());
    for level in loaded {
        match level {
            Ok(level) => levels.push(level),
            Err(found) => faults.extend::<Vec<Fault>>(found),
        }
    }
    if faults.iter().any(|fault| fault.severity == Severity::Error) { Err(LoadError(faults)) } else { Ok(levels) }
}

/// A file that cannot be read, as a fault beside those of other files.
fn unreadable(file: &Path, error: &LevelError) -> Fault {
    let source = Arc::new(SourceText { path: file.to_owned(), text: String::new() });
    let fault = Fault::error("unreadable-file", &source, 0..0, error.to_string());
    match error {
        LevelError::Io { .. } => {
            fault.with_help("check the path; it starts from the folder of the study, or from where plymap was called")
        }
        _ => fault,
    }
}

fn repeated_name(level: &LevelSource, first: &Path) -> Fault {
    let message = format!("two levels are named {:?}; the first stands in {}", level.id, first.display());
    let fault = Fault::error("repeated-level", &level.source, level.span.clone(), message);
    fault.labelled("the second").with_help("rename one of them")
}

impl LevelSource {
    /// What makes a level useless although it is well formed: it is solved at its start, or cannot be
    /// solved at all.
    pub fn fault_of_map(&self, metrics: &MapMetrics) -> Option<Fault> {
        let fault = |code, message: String, help: &str| {
            Fault::error(code, &self.source, self.span.clone(), message).labelled("this level").with_help(help)
        };
        match metrics.start_distance {
            None => Some(fault(
                "unsolvable",
                format!(
                    "level {:?} cannot be solved: none of its {} states is a goal that the start can reach",
                    self.id, metrics.n_states
                ),
                "check its pieces, its walls and its exit",
            )),
            Some(Distance(0)) => Some(fault(
                "already-solved",
                format!("level {:?} is solved at its start", self.id),
                "check the goal rule, or move a piece in the way",
            )),
            Some(_) => None,
        }
    }
}

/// A level mapped whole.
#[derive(Debug)]
pub struct MappedLevel {
    /// Name of the level.
    pub id: String,
    /// Name of its game.
    pub game: &'static str,
    /// The other columns of its table of levels, in order.
    pub extra: Vec<(String, String)>,
    /// Its rules.
    pub rules: Box<dyn Rules>,
    /// All its states.
    pub map: LevelMap,
    /// Their distances.
    pub distances: DistanceTable,
    /// What the map looks like in numbers.
    pub metrics: MapMetrics,
    /// How it hangs together.
    pub structure: Structure,
}

impl MappedLevel {
    /// Maps a level.
    ///
    /// # Errors
    ///
    /// [`MapError`] if a limit is passed or the caller asks to stop.
    pub fn new(level: LoadedLevel, game: &'static str, options: &MapOptions) -> Result<Self, MapError> {
        let LoadedLevel { origin: LevelSource { id, extra, .. }, rules } = level;
        let map = rules.map(options)?;
        let distances = DistanceTable::new(&map);
        let metrics = MapMetrics::new(&map, &distances);
        let structure = Structure::new(&map);
        Ok(Self { id, game, extra, rules, map, distances, metrics, structure })
    }

    /// The oracle of the level.
    pub fn oracle(&self) -> MapOracle<'_> {
        MapOracle { rules: &*self.rules, map: &self.map, distances: &self.distances }
    }

    /// The row of the level in the level table.
    pub fn summary(&self) -> LevelSummary {
        LevelSummary {
            id: self.id.clone(),
            game: self.game,
            unit: self.rules.unit().name(),
            metrics: self.metrics.clone(),
            extra: self.extra.clone(),
            n_components: self.structure.n_components,
            n_articulation_points: self.structure.n_articulation_points,
            n_bridges: self.structure.n_bridges,
        }
    }

    /// The distance table of the level: one row for each state.
    ///
    /// # Errors
    ///
    /// Never in practice: polars builds the frame from columns of equal length.
    pub fn distance_table(&self) -> PolarsResult<Table> {
        let nodes = || 0..self.map.n_states() as u32;
        let column = |name: &str, values: Vec<u32>| Column::new(name.into(), values);
        let data = DataFrame::new_infer_height(vec![
            column("state_id", nodes().collect()),
            Column::new(
                "state".into(),
                nodes().map(|node| self.rules.format_state(self.map.code(node))).collect::<Vec<_>>(),
            ),
            Column::new(
                "distance".into(),
                self.distances.iter().map(|value| value.map(|Distance(value)| value)).collect::<Vec<_>>(),
            ),
            column("n_legal", nodes().map(|node| self.map.graph.successors(node).len() as u32).collect()),
            column("n_optimal", nodes().map(|node| self.distances.n_optimal(&self.map.graph, node) as u32).collect()),
            Column::new("n_shortest".into(), self.distances.n_shortest(&self.map.graph)),
            column("depth", self.map.depths().to_vec()),
            column("component", self.structure.component.clone()),
            Column::new("is_goal".into(), nodes().map(|node| self.map.is_goal(node)).collect::<Vec<_>>()),
            Column::new("is_start".into(), nodes().map(|node| node == 0).collect::<Vec<_>>()),
        ])?;
        let unit = self.rules.unit().name();
        Ok(Table {
            name: self.id.clone(),
            caption: format!("Every state of level {} that can be reached from its start.", self.id),
            data,
            columns: vec![
                ColumnDoc::new("state_id", "number of the state, breadth first from the start, which is 0"),
                ColumnDoc::new("state", "the position in the notation of the game"),
                ColumnDoc::new("distance", "fewest moves to the nearest goal; empty where no goal can be reached")
                    .unit(unit),
                ColumnDoc::new("n_legal", "number of legal moves"),
                ColumnDoc::new("n_optimal", "number of legal moves after which the goal is nearer by their cost"),
                ColumnDoc::new(
                    "n_shortest",
                    "number of shortest ways to the nearest goals; empty where there is none, or 2^64 or more",
                ),
                ColumnDoc::new("depth", "fewest moves from the start").unit(unit),
                ColumnDoc::new(
                    "component",
                    "strongly connected component: states of one component can be reached from each other",
                ),
                ColumnDoc::new("is_goal", "whether the level is solved in this state"),
                ColumnDoc::new("is_start", "whether this is the start"),
            ],
        })
    }
}

/// What the level table says of one level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSummary {
    /// Name of the level.
    pub id: String,
    /// Name of its game.
    pub game: &'static str,
    /// Unit of its distances.
    pub unit: &'static str,
    /// The other columns of its table of levels, in order.
    pub extra: Vec<(String, String)>,
    /// What the map looks like in numbers.
    pub metrics: MapMetrics,
    /// Number of strongly connected components.
    pub n_components: u64,
    /// Number of states whose removal disconnects the map.
    pub n_articulation_points: u64,
    /// Number of edges whose removal disconnects the map.
    pub n_bridges: u64,
}

/// The table of all levels: one row for each.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn levels_table(levels: &[LevelSummary]) -> PolarsResult<Table> {
    let whole = |name: &str, value: fn(&LevelSummary) -> u64| {
        Column::new(name.into(), levels.iter().map(value).collect::<Vec<u64>>())
    };
    let distance = |name: &str, value: fn(&MapMetrics) -> Option<Distance>| {
        Column::new(
            name.into(),
            levels.iter().map(|level| value(&level.metrics).map(|Distance(value)| value)).collect::<Vec<_>>(),
        )
    };
    let text = |name: &str, value: fn(&LevelSummary) -> String| {
        Column::new(name.into(), levels.iter().map(value).collect::<Vec<_>>())
    };
    let mut data = DataFrame::new_infer_height(vec![
        text("level", |level| level.id.clone()),
        text("game", |level| level.game.to_owned()),
        whole("n_states", |level| level.metrics.n_states),
        whole("n_arcs", |level| level.metrics.n_arcs),
        whole("n_edges", |level| level.metrics.n_edges),
        whole("n_goals", |level| level.metrics.n_goals),
        distance("start_distance", |metrics| metrics.start_distance),
        distance("max_distance", |metrics| metrics.max_distance),
        Column::new("n_shortest".into(), levels.iter().map(|level| level.metrics.n_shortest).collect::<Vec<_>>()),
        Column::new(
            "solvable".into(),
            levels.iter().map(|level| level.metrics.start_distance.is_some()).collect::<Vec<_>>(),
        ),
        whole("n_dead_ends", |level| level.metrics.n_dead_ends),
        Column::new(
            "mean_branching".into(),
            levels.iter().map(|level| level.metrics.mean_branching).collect::<Vec<_>>(),
        ),
        whole("max_branching", |level| level.metrics.max_branching),
        Column::new(
            "share_optimal_on_way".into(),
            levels.iter().map(|level| level.metrics.share_optimal_on_way).collect::<Vec<_>>(),
        ),
        whole("n_components", |level| level.n_components),
        whole("n_articulation_points", |level| level.n_articulation_points),
        whole("n_bridges", |level| level.n_bridges),
        text("unit", |level| level.unit.to_owned()),
        text("distance_histogram", |level| {
            level.metrics.histogram.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
        }),
    ])?;
    let mut columns = level_columns();
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
        ColumnDoc::new("n_states", "number of states that can be reached from the start"),
        ColumnDoc::new("n_arcs", "number of legal moves, summed over all states"),
        ColumnDoc::new("n_edges", "number of unordered pairs of states that a move joins"),
        ColumnDoc::new("n_goals", "number of states in which the level is solved"),
        ColumnDoc::new("start_distance", "fewest moves from the start to a goal; empty if there is no solution")
            .unit("as in column unit"),
        ColumnDoc::new("max_distance", "largest distance of any state that can reach a goal").unit("as in column unit"),
        ColumnDoc::new("n_shortest", "number of shortest solutions; empty if there is none, or 2^64 or more"),
        ColumnDoc::new("solvable", "whether a goal can be reached from the start"),
        ColumnDoc::new("n_dead_ends", "number of states from which no goal can be reached"),
        ColumnDoc::new("mean_branching", "mean number of legal moves over all expanded states"),
        ColumnDoc::new("max_branching", "largest number of legal moves of a state"),
        ColumnDoc::new(
            "share_optimal_on_way",
            "n_optimal / n_legal, averaged over the plies of a shortest solution on which each optimal move is chosen with equal probability",
        ),
        ColumnDoc::new("n_components", "number of strongly connected components"),
        ColumnDoc::new(
            "n_articulation_points",
            "number of states whose removal disconnects the graph, moves taken as undirected",
        ),
        ColumnDoc::new("n_bridges", "number of edges whose removal disconnects the graph, moves taken as undirected"),
        ColumnDoc::new("unit", "unit of the distances").levels(&["moves", "cells"]),
        ColumnDoc::new("distance_histogram", "number of states at distance 0, 1, 2, …, separated by spaces"),
    ]
}
