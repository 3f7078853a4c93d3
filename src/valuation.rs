//! An evaluated level, a level with state values: by a map of all its states, or by an algorithm of its game; and the
//! tables of levels and of distances.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::prelude::{Column, DataFrame, NamedFrom, PolarsResult, Series};
use rayon::prelude::*;

use crate::distance::{DistanceTable, Evaluation, GameOracle, Judgement, MapOracle, Oracle, OracleError};
use crate::fault::{Fault, Severity, SourceText};
use crate::game::{Attribute, Distance, LevelText, Preparation, StateCode, Store, Unit, Valuation, Value, ValueError};
use crate::graph::metrics::{MapMetrics, Structure, solution_from};
use crate::graph::{LevelMap, MapError, MapOptions};
use crate::level::{LevelColumns, LevelError, LevelSource, read_levels_and_faults};
use crate::rules::{Game, LegalMove, RuleOptions, Rules};
use crate::table::{ColumnDoc, Table};

mod edges;

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
    /// solved at all. `n_states` is known where the level was mapped.
    pub fn fault_of_start(&self, start: Option<Value>, n_states: Option<u64>) -> Option<Fault> {
        let fault = |code, message: String, help: &str| {
            Fault::error(code, &self.source, self.span.clone(), message).labelled("this level").with_help(help)
        };
        match start {
            None => Some(fault(
                "unsolvable",
                match n_states {
                    Some(n) => format!(
                        "level {:?} cannot be solved: none of its {n} states is a goal that the start can reach",
                        self.id
                    ),
                    None => format!("level {:?} cannot be solved from its start", self.id),
                },
                "check the level and the rules of its game; `plymap explain` shows its start",
            )),
            Some(Value::Distance(Distance(0))) => Some(fault(
                "already-solved",
                format!("level {:?} is solved at its start", self.id),
                "check the goal of the level and the rules of its game",
            )),
            Some(_) => None,
        }
    }
}

/// Why the positions of a level could not be valued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValuationError {
    /// The level could not be mapped.
    #[error(transparent)]
    Map(#[from] MapError),
    /// Its game could not value it.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// Its game could not prepare to value it.
    #[error(transparent)]
    Value(#[from] ValueError),
}

impl ValuationError {
    /// Whether the caller asked to stop.
    pub fn is_interruption(&self) -> bool {
        matches!(
            self,
            Self::Map(MapError::Interrupted)
                | Self::Value(ValueError::Interrupted)
                | Self::Oracle(OracleError::Value { source: ValueError::Interrupted, .. })
        )
    }
}

/// How levels are valued.
#[derive(Clone, Copy, Default)]
pub struct ValuationOptions<'a> {
    /// How levels are mapped, where they are.
    pub map: MapOptions<'a>,
    /// Where games keep what took long to compute.
    pub store: Option<&'a dyn Store>,
}

/// Every state of a level, with its distance and what the map looks like.
#[derive(Debug)]
pub struct WholeMap {
    /// All states and the moves between them.
    pub map: LevelMap,
    /// Their distances.
    pub distances: DistanceTable,
    /// What the map looks like in numbers.
    pub metrics: MapMetrics,
    /// Its connectivity.
    pub structure: Structure,
}

impl WholeMap {
    fn new(map: LevelMap) -> Self {
        let distances = DistanceTable::new(&map);
        let metrics = MapMetrics::new(&map, &distances);
        let structure = Structure::new(&map);
        Self { map, distances, metrics, structure }
    }
}

/// An evaluated level: a level with state values.
#[derive(Debug)]
pub struct ValuedLevel {
    /// Name of the level.
    pub id: String,
    /// Name of its game.
    pub game: &'static str,
    /// The other columns of its table of levels, in order.
    pub extra: Vec<(String, String)>,
    /// Its rules.
    pub rules: Box<dyn Rules>,
    /// All its states, where it was mapped.
    pub whole: Option<WholeMap>,
    /// The value of its start; absent if no goal can be reached.
    pub start_value: Option<Value>,
}

/// The oracle of a level, of either kind.
#[derive(Clone, Copy)]
pub enum LevelOracle<'a> {
    /// The level is mapped whole.
    Map(MapOracle<'a>),
    /// Its game values positions.
    Game(GameOracle<'a>),
}

impl Oracle for LevelOracle<'_> {
    fn unit(&self) -> Unit {
        match self {
            Self::Map(oracle) => oracle.unit(),
            Self::Game(oracle) => oracle.unit(),
        }
    }

    fn evaluate(&self, state: StateCode) -> Result<Evaluation, OracleError> {
        match self {
            Self::Map(oracle) => oracle.evaluate(state),
            Self::Game(oracle) => oracle.evaluate(state),
        }
    }

    fn judge(&self, before: StateCode, after: StateCode, cost: u32) -> Result<Judgement, OracleError> {
        match self {
            Self::Map(oracle) => oracle.judge(before, after, cost),
            Self::Game(oracle) => oracle.judge(before, after, cost),
        }
    }
}

impl ValuedLevel {
    /// Maps a level, or prepares its game to value positions, whichever the game asks for.
    ///
    /// # Errors
    ///
    /// [`ValuationError`] if a limit is passed or the caller asks to stop.
    pub fn new(level: LoadedLevel, game: &'static str, options: &ValuationOptions) -> Result<Self, ValuationError> {
        let LoadedLevel { origin: LevelSource { id, extra, .. }, rules } = level;
        let valued = |whole, start_value, rules| Self { id, game, extra, rules, whole, start_value };
        if rules.valuation() == Valuation::Map {
            let whole = WholeMap::new(rules.map(&options.map)?);
            let start_value = whole.distances.get(0).map(Value::Distance);
            return Ok(valued(Some(whole), start_value, rules));
        }
        rules.prepare(&Preparation { progress: options.map.progress, store: options.store })?;
        let start = rules.start();
        let start_value =
            rules.value(start).map_err(|source| OracleError::Value { state: rules.format_state(start), source })?;
        Ok(valued(None, start_value, rules))
    }

    /// The oracle of the level.
    pub fn oracle(&self) -> LevelOracle<'_> {
        let rules = &*self.rules;
        match &self.whole {
            Some(WholeMap { map, distances, .. }) => LevelOracle::Map(MapOracle { rules, map, distances }),
            None => LevelOracle::Game(GameOracle { rules }),
        }
    }

    /// The distance of the start, where values are distances and a goal can be reached.
    pub fn start_distance(&self) -> Option<Distance> {
        self.start_value.and_then(Value::as_distance)
    }

    /// Number of states; absent where the level was not mapped.
    pub fn n_states(&self) -> Option<u64> {
        self.whole.as_ref().map(|whole| whole.map.n_states() as u64)
    }

    /// The first optimal moves from a position to the nearest goal. Nothing if none can be reached, if chance
    /// decides, or if values are no distances.
    ///
    /// # Errors
    ///
    /// [`OracleError`] if a position of the path cannot be valued.
    pub fn solution_from(&self, state: StateCode) -> Result<Option<Solution>, OracleError> {
        if !self.rules.unit().is_distance() || self.rules.has_chance() {
            return Ok(None);
        }
        if let Some(WholeMap { map, distances, .. }) = &self.whole
            && let Some(node) = map.node(state)
        {
            let path = solution_from(map, distances, node);
            return Ok(path.map(|path| self.solution_through(path.into_iter().map(|node| map.code(node)).collect())));
        }
        let mut solution = Solution { states: vec![state], moves: Vec::new() };
        let mut evaluation = self.oracle().evaluate(state)?;
        if evaluation.value.is_none() {
            return Ok(None);
        }
        while let Some(best) = evaluation.moves.into_iter().find(|valued| valued.is_optimal()) {
            if evaluation.is_goal {
                break;
            }
            solution.states.push(best.legal.next);
            evaluation = self.oracle().evaluate(best.legal.next)?;
            solution.moves.push(best.legal);
        }
        Ok(Some(solution))
    }

    fn solution_through(&self, states: Vec<StateCode>) -> Solution {
        let moves = states.windows(2).filter_map(|pair| self.rules.move_between(pair[0], pair[1])).collect();
        Solution { states, moves }
    }

    /// The row of the level in the level table.
    pub fn summary(&self) -> LevelSummary {
        LevelSummary {
            id: self.id.clone(),
            game: self.game,
            unit: self.rules.unit(),
            valuation: self.rules.valuation(),
            start_value: self.start_value,
            map: self.whole.as_ref().map(|whole| MapSummary {
                metrics: whole.metrics.clone(),
                n_components: whole.structure.n_components,
                n_articulation_points: whole.structure.n_articulation_points,
                n_bridges: whole.structure.n_bridges,
            }),
            attributes: self.rules.attributes(self.rules.start()),
            extra: self.extra.clone(),
        }
    }

    /// The distance table of the level: one row for each state. Nothing if it was not mapped.
    ///
    /// # Errors
    ///
    /// Never in practice: polars builds the frame from columns of equal length.
    pub fn distance_table(&self) -> PolarsResult<Option<Table>> {
        let Some(WholeMap { map, distances, structure, .. }) = &self.whole else { return Ok(None) };
        let nodes = || 0..map.n_states() as u32;
        let column = |name: &str, values: Vec<u32>| Column::new(name.into(), values);
        let data = DataFrame::new_infer_height(vec![
            column("state_id", nodes().collect()),
            Column::new(
                "state".into(),
                nodes().map(|node| self.rules.format_state(map.code(node))).collect::<Vec<_>>(),
            ),
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
        let unit = self.rules.unit().name();
        Ok(Some(Table {
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
}

/// A path to a goal: one state more than moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The states, the first and the goal included.
    pub states: Vec<StateCode>,
    /// The moves between them.
    pub moves: Vec<LegalMove>,
}

/// What the level table says of one level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSummary {
    /// Name of the level.
    pub id: String,
    /// Name of its game.
    pub game: &'static str,
    /// Unit of its values.
    pub unit: Unit,
    /// How its positions are valued.
    pub valuation: Valuation,
    /// Value of its start; absent if no goal can be reached.
    pub start_value: Option<Value>,
    /// Numbers of its map, where it has one.
    pub map: Option<MapSummary>,
    /// What else its game knows of the start.
    pub attributes: Vec<Attribute>,
    /// The other columns of its table of levels, in order.
    pub extra: Vec<(String, String)>,
}

/// Numbers of the map of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct MapSummary {
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
        columns.push(ColumnDoc::new("start_points", "expected points from the start under optimal play"));
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
        ColumnDoc::new("solvable", "whether a goal can be reached from the start"),
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
