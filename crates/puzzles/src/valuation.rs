//! An evaluated level, a level with state values: by a map of all its states, or by an algorithm of its game.

use std::sync::{Arc, OnceLock};

use crate::diagnostic::Diagnostic;
use crate::distance::{DistanceTable, Evaluation, GameOracle, MapOracle, MoveEvaluation, Oracle, OracleError};
use crate::game::{Attribute, Distance, Preparation, StateCode, Store, Unit, Valuation, Value, ValueError};
use crate::graph::metrics::{MoveNumbers, StateNumbers, Structure, solution_from};
use crate::graph::shortest_solutions::ShortestSolutions;
use crate::graph::{LevelMap, MapError, MapOptions};
use crate::level::LevelSource;
use crate::rules::{LegalMove, Rules};

mod composed;
mod loaded;

pub use loaded::{LoadError, LoadedLevel, load_levels, published_moves, read_with_settings};

impl LevelSource {
    /// Diagnostic of a level that is useless although it is well formed: it is solved at its start, or cannot be
    /// solved at all. `n_states` is known where the level was mapped.
    pub fn start_diagnostic(&self, start: Option<Value>, n_states: Option<u64>) -> Option<Diagnostic> {
        let fault = |code, message: String, help: &str| {
            Diagnostic::error(code, &self.source, self.span.clone(), message).labelled("this level").with_help(help)
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

/// Reason why the positions of a level could not be valued.
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
    /// `true` if the caller asked to stop.
    pub fn is_interruption(&self) -> bool {
        matches!(
            self,
            Self::Map(MapError::Interrupted)
                | Self::Value(ValueError::Interrupted)
                | Self::Oracle(OracleError::Value { source: ValueError::Interrupted, .. })
        )
    }
}

/// Options of valuing levels.
#[derive(Clone, Copy, Default)]
pub struct ValuationOptions<'a> {
    /// Options of mapping levels, where they are mapped.
    pub map: MapOptions<'a>,
    /// Place where games keep what took long to compute.
    pub store: Option<&'a dyn Store>,
}

/// Every state of a level, with its distance, and numbers of the map, made when they are first asked for.
#[derive(Debug)]
pub struct WholeMap {
    /// All states and the moves between them.
    pub map: LevelMap,
    /// Their distances.
    pub distances: DistanceTable,
    /// Numbers of its states.
    pub states: StateNumbers,
    moves: OnceLock<MoveNumbers>,
    solutions: OnceLock<Option<ShortestSolutions>>,
    structure: OnceLock<Structure>,
}

impl WholeMap {
    /// The distances of a map.
    pub fn new(map: LevelMap) -> Self {
        let distances = DistanceTable::new(&map);
        let states = StateNumbers::new(&map, &distances);
        let (moves, solutions, structure) = Default::default();
        Self { map, distances, states, moves, solutions, structure }
    }

    /// Numbers of its moves.
    pub fn moves(&self) -> &MoveNumbers {
        self.moves.get_or_init(|| MoveNumbers::new(&self.map))
    }

    /// The shortest solutions; absent if there is none.
    pub fn solutions(&self) -> Option<&ShortestSolutions> {
        self.solutions.get_or_init(|| ShortestSolutions::new(&self.map, &self.distances)).as_ref()
    }

    /// Its connectivity.
    pub fn structure(&self) -> &Structure {
        self.structure.get_or_init(|| Structure::new(&self.map))
    }

    /// These numbers of the map.
    pub fn summary(&self, numbers: MapNumbers) -> MapSummary {
        let structure = || {
            let &Structure { n_components, n_articulation_points, n_bridges, .. } = self.structure();
            StructureNumbers { n_components, n_articulation_points, n_bridges }
        };
        MapSummary {
            states: self.states.clone(),
            moves: numbers.moves.then(|| *self.moves()),
            solutions: numbers.solutions.then(|| self.solutions().cloned()),
            structure: numbers.structure.then(structure),
        }
    }
}

/// Numbers of maps beside those of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapNumbers {
    /// Those of moves.
    pub moves: bool,
    /// Those of the shortest solutions.
    pub solutions: bool,
    /// Those of the connectivity.
    pub structure: bool,
}

impl MapNumbers {
    /// All numbers.
    pub const ALL: Self = Self { moves: true, solutions: true, structure: true };

    /// Those of states alone, for which distances are enough.
    pub const DISTANCES: Self = Self { moves: false, solutions: false, structure: false };
}

/// An evaluated level: a level with state values. Copies share rules and map.
#[derive(Clone, Debug)]
pub struct ValuedLevel {
    /// Name of the level.
    pub id: String,
    /// Name of its game.
    pub game: &'static str,
    /// The other columns of its table of levels that change nothing, in order; without what is missing.
    pub extra: Vec<(String, String)>,
    /// Remarks on what was taken for granted when it was read; see [`LoadedLevel::remarks`].
    pub remarks: Vec<String>,
    /// Its rules.
    pub rules: Arc<dyn Rules>,
    /// All its states, where it was mapped.
    pub whole: Option<Arc<WholeMap>>,
    /// The value of its start; absent if no goal can be reached.
    pub start_value: Option<Value>,
}

impl ValuedLevel {
    /// Evaluation of a position that somebody asks about. Behind a move of a game of chance, before chance has its
    /// turn, nobody chooses: where no player can meet the position, it has a value and no moves.
    ///
    /// # Errors
    ///
    /// As of [`Oracle::evaluate`].
    pub fn evaluated(&self, state: StateCode) -> Result<Evaluation, OracleError> {
        self.oracle().evaluate(state).or_else(|error| match self.rules.value_after(state) {
            Ok(value) if !self.rules.unit().is_distance() => {
                Ok(Evaluation { state, is_goal: self.rules.is_goal(state), value, moves: Vec::new() })
            }
            _ => Err(error),
        })
    }
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

    fn evaluate_move(&self, before: StateCode, after: StateCode, cost: u32) -> Result<MoveEvaluation, OracleError> {
        match self {
            Self::Map(oracle) => oracle.evaluate_move(before, after, cost),
            Self::Game(oracle) => oracle.evaluate_move(before, after, cost),
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
        let rules = &*level.rules;
        if rules.valuation() == Valuation::Map {
            let whole = Arc::new(WholeMap::new(rules.map(&options.map)?));
            let start_value = whole.distances.get(0).map(Value::Distance);
            return Ok(Self { whole: Some(whole), ..Self::unmapped(level, game, start_value) });
        }
        rules.prepare(&Preparation { progress: options.map.progress, store: options.store })?;
        let start = rules.start();
        let start_value =
            rules.value(start).map_err(|source| OracleError::Value { state: rules.format_state(start), source })?;
        Ok(Self::unmapped(level, game, start_value))
    }

    /// A level whose start has this value, found elsewhere.
    pub fn unmapped(level: LoadedLevel, game: &'static str, start_value: Option<Value>) -> Self {
        let LoadedLevel { origin: LevelSource { id, .. }, properties: extra, remarks, rules } = level;
        Self { id, game, extra, remarks, rules, whole: None, start_value }
    }

    /// The oracle of the level.
    pub fn oracle(&self) -> LevelOracle<'_> {
        let rules = &*self.rules;
        match self.whole.as_deref() {
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
        if let Some(WholeMap { map, distances, .. }) = self.whole.as_deref()
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

    /// Number of shortest paths from a position to the nearest goals; nothing where the level is not mapped, the
    /// position is not on the map, no goal can be reached, or they are 2^64 or more.
    pub fn n_shortest(&self, state: StateCode) -> Option<u64> {
        let WholeMap { map, distances, .. } = self.whole.as_deref()?;
        distances.n_shortest(&map.graph)[map.node(state)? as usize]
    }

    fn solution_through(&self, states: Vec<StateCode>) -> Solution {
        let moves = states.windows(2).filter_map(|pair| self.rules.move_between(pair[0], pair[1])).collect();
        Solution { states, moves }
    }

    /// The row of the level in the level table, with all numbers of its map.
    pub fn summary(&self) -> LevelSummary {
        self.summary_with(MapNumbers::ALL)
    }

    /// The row of the level in the level table, with these numbers of its map.
    pub fn summary_with(&self, numbers: MapNumbers) -> LevelSummary {
        LevelSummary {
            id: self.id.clone(),
            game: self.game,
            unit: self.rules.unit(),
            valuation: self.rules.valuation(),
            start_value: self.start_value,
            map: self.whole.as_ref().map(|whole| whole.summary(numbers)),
            attributes: self.rules.attributes(self.rules.start()),
            extra: self.extra.clone(),
        }
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

/// Row of the level table.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSummary {
    /// Name of the level.
    pub id: String,
    /// Name of its game.
    pub game: &'static str,
    /// Unit of its values.
    pub unit: Unit,
    /// Source of the values of its positions.
    pub valuation: Valuation,
    /// Value of its start; absent if no goal can be reached.
    pub start_value: Option<Value>,
    /// Numbers of its map, where it has one.
    pub map: Option<MapSummary>,
    /// Attributes of the start beyond its value.
    pub attributes: Vec<Attribute>,
    /// The other columns of its table of levels, in order.
    pub extra: Vec<(String, String)>,
}

impl LevelSummary {
    /// The row of a level whose game finds distances without a map; nothing where it does not, where the map of these
    /// options is another, and where it might have too many states.
    pub fn by_distances(level: &LoadedLevel, game: &'static str, options: &MapOptions) -> Option<Self> {
        let rules = &level.rules;
        if rules.valuation() != Valuation::Map || !options.expand_goals {
            return None;
        }
        let (index, distances) = rules.ranked_distances(options.max_states as u64)?;
        let start = index.rank(u64::try_from(rules.start().0).ok()?)?;
        let states = StateNumbers::of_ranks(&distances, start);
        Some(Self {
            id: level.origin.id.clone(),
            game,
            unit: rules.unit(),
            valuation: Valuation::Map,
            start_value: states.start_distance.map(Value::Distance),
            map: Some(MapSummary { states, moves: None, solutions: None, structure: None }),
            attributes: rules.attributes(rules.start()),
            extra: level.properties.clone(),
        })
    }
}

/// Numbers of the map of a level: those of its states, and such as were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct MapSummary {
    /// Numbers of its states.
    pub states: StateNumbers,
    /// Numbers of its moves.
    pub moves: Option<MoveNumbers>,
    /// The shortest solutions, where there are some.
    pub solutions: Option<Option<ShortestSolutions>>,
    /// Numbers of its connectivity.
    pub structure: Option<StructureNumbers>,
}

/// Numbers of the connectivity of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StructureNumbers {
    /// Number of strongly connected components.
    pub n_components: u64,
    /// Number of states whose removal disconnects the map.
    pub n_articulation_points: u64,
    /// Number of edges whose removal disconnects the map.
    pub n_bridges: u64,
}
