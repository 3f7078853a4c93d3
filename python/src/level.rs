//! Levels, their positions and their maps.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Failed, word};
use crate::figure::{Figure, pages, styles};
use crate::table::Table;
use crate::work::work;
use plymap::plymap_puzzles::diagnostic::SourceText;
use plymap::plymap_puzzles::game::{StateCode, Value};
use plymap::plymap_puzzles::graph::{LevelMap, MapOptions};
use plymap::plymap_puzzles::level::{LevelColumns, levels_of_text};
use plymap::plymap_puzzles::progress::Progress;
use plymap::plymap_puzzles::registry::{Game, RuleOptions};
use plymap::plymap_puzzles::valuation::{LoadedLevel, ValuationOptions, ValuedLevel, WholeMap, load_levels};
use plymap_measures::level_remarks;
use plymap_measures::level_tables::{distance_table, edge_table, moves_table};
use plymap_report::figures;
use plymap_report::settings::StateColours;
use plymap_tables::safe_stem;
use plymap_tables::store::FolderStore;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Level that `plymap.Level` holds.
#[pyclass(frozen, module = "plymap._native")]
pub struct Level {
    loaded: LoadedLevel,
    game: &'static str,
    max_states: usize,
    expand_goals: bool,
    /// The level with the values of its positions, once somebody has asked for them.
    valued: Mutex<Option<ValuedLevel>>,
}

/// Evaluation of a position: its value, true if it is a goal, its optimal moves, and all its legal moves.
type Hint = (Option<f64>, bool, Vec<String>, Table);

/// Solution: its moves, its positions, and the number of shortest solutions, where that is known.
type Solved = (Vec<String>, Vec<String>, Option<u64>);

/// The rules of a game with their options, as JSON; `.lua` names a script.
pub fn rules(game: &str, options: &str) -> Result<(&'static Game, RuleOptions), Failed> {
    let table = serde_json::from_str(options).map_err(|error| Failed::new(format!("rules: {error}")))?;
    let options = RuleOptions::of_game(Some(game), table, PathBuf::new());
    let game = Game::find(game).map_err(|error| Failed::of(&error))?;
    (game.check_options)(&options).map_err(|error| Failed::of(&error))?;
    Ok((game, options))
}

/// Reads levels from files and folders, or from a text; and what was taken for granted then, each as a sentence.
#[pyfunction]
#[pyo3(signature = (paths, text, name, game, options, id_column, board_column, max_states, expand_goals))]
#[expect(clippy::too_many_arguments, reason = "the package gives each of them a default")]
pub fn read_levels(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    text: Option<String>,
    name: &str,
    game: &str,
    options: &str,
    id_column: Option<String>,
    board_column: Option<String>,
    max_states: Option<usize>,
    expand_goals: bool,
) -> PyResult<(Vec<Level>, Vec<String>)> {
    let columns = LevelColumns { id: id_column, board: board_column };
    let read = || -> Result<(Vec<Level>, Vec<String>), Failed> {
        let (game, options) = rules(game, options)?;
        let loaded = match text {
            None => load_levels(&paths, &columns, game, &options)?,
            Some(text) => {
                let source = Arc::new(SourceText { path: name.into(), text });
                let mut faults = Vec::new();
                let mut loaded = Vec::new();
                for origin in levels_of_text(&source, &columns)? {
                    match LoadedLevel::new(origin, game, &options) {
                        Ok(level) => loaded.push(level),
                        Err(found) => faults.extend(found),
                    }
                }
                if !faults.is_empty() {
                    return Err(faults.into());
                }
                loaded
            }
        };
        let max_states = max_states.unwrap_or(MapOptions::DEFAULT_MAX_STATES);
        let remarks = level_remarks::of_loaded(&loaded);
        let level = |loaded| Level { loaded, game: game.name, max_states, expand_goals, valued: Mutex::default() };
        Ok((loaded.into_iter().map(level).collect(), remarks))
    };
    py.detach(read).map_err(|failed| failed.raised(py))
}

impl Level {
    /// Returns the level with the values of its positions: mapped now, unless it was before.
    pub fn valued(&self, progress: &dyn Progress) -> Result<ValuedLevel, Failed> {
        let mut valued = self.valued.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(valued) = &*valued {
            return Ok(valued.clone());
        }
        let store = FolderStore::of_user();
        let map = MapOptions {
            max_states: self.max_states,
            expand_goals: self.expand_goals,
            progress,
            ..MapOptions::default()
        };
        let options = ValuationOptions { map, store: store.as_ref().map(|store| store as _) };
        progress.begin(&format!("mapping {}", self.loaded.origin.id), None);
        let level = ValuedLevel::new(self.loaded.clone(), self.game, &options).map_err(|error| match error {
            error if error.is_interruption() => Failed::interrupted(),
            error => Failed::new(format!("level {:?}: {error}", self.loaded.origin.id)),
        })?;
        progress.end();
        Ok(valued.insert(level).clone())
    }

    fn position(&self, state: Option<&str>) -> Result<StateCode, Failed> {
        let wrong = |error| Failed::new(format!("level {:?}: {error}", self.loaded.origin.id));
        state.map_or(Ok(self.loaded.rules.start()), |text| self.loaded.rules.parse_state(text).map_err(wrong))
    }

    /// Fails if a script had an error while an answer was made.
    fn checked(&self) -> Result<(), Failed> {
        let error = self.loaded.rules.script_error();
        error.map_or(Ok(()), |error| Err(Failed::new(format!("level {:?}: {error}", self.loaded.origin.id))))
    }
}

#[pymethods]
impl Level {
    #[getter]
    fn id(&self) -> &str {
        &self.loaded.origin.id
    }

    #[getter]
    fn game(&self) -> &str {
        self.game
    }

    #[getter]
    fn text(&self) -> &str {
        &self.loaded.origin.text
    }

    #[getter]
    fn unit(&self) -> &str {
        self.loaded.rules.unit().name()
    }

    #[getter]
    fn is_distance(&self) -> bool {
        self.loaded.rules.unit().is_distance()
    }

    #[getter]
    fn start(&self) -> String {
        self.loaded.rules.format_state(self.loaded.rules.start())
    }

    #[pyo3(signature = (show=None))]
    fn map(&self, py: Python<'_>, show: Option<Bound<'_, PyAny>>) -> PyResult<Map> {
        let level = work(py, show.as_ref(), |progress| self.valued(progress))?;
        let whole = level.whole.clone().ok_or_else(|| {
            let how = "its game values positions without a map, see hint()";
            Failed::new(format!("level {:?} is not mapped: {how}", level.id)).raised(py)
        })?;
        Ok(Map { level, whole })
    }

    #[pyo3(signature = (state=None, show=None))]
    fn hint(&self, py: Python<'_>, state: Option<&str>, show: Option<Bound<'_, PyAny>>) -> PyResult<Hint> {
        work(py, show.as_ref(), |progress| {
            let state = self.position(state)?;
            let level = self.valued(progress)?;
            let evaluation = level.evaluated(state).map_err(|error| Failed::of(&error))?;
            self.checked()?;
            let best = evaluation.moves.iter().filter(|valued| valued.is_optimal());
            let best = best.map(|valued| valued.legal.notation.clone()).collect();
            Ok((evaluation.value.map(Value::number), evaluation.is_goal, best, Table(moves_table(&level, &evaluation))))
        })
    }

    #[pyo3(signature = (state=None, show=None))]
    fn solve(&self, py: Python<'_>, state: Option<&str>, show: Option<Bound<'_, PyAny>>) -> PyResult<Option<Solved>> {
        work(py, show.as_ref(), |progress| {
            let state = self.position(state)?;
            let level = self.valued(progress)?;
            let path = level.solution_from(state).map_err(|error| Failed::of(&error))?;
            self.checked()?;
            let rules = &level.rules;
            Ok(path.map(|path| {
                let moves = path.moves.into_iter().map(|played| played.notation).collect();
                let states = path.states.into_iter().map(|state| rules.format_state(state)).collect();
                (moves, states, level.n_shortest(state))
            }))
        })
    }

    #[pyo3(signature = (state=None, width="single", show=None))]
    fn draw(
        &self,
        py: Python<'_>,
        state: Option<&str>,
        width: &str,
        show: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Figure>> {
        work(py, show.as_ref(), |progress| {
            let (state, styles) = (self.position(state)?, styles(width)?);
            let level = self.valued(progress)?;
            pages(Some(figures::position(&level, state, &safe_stem(&level.id))), &styles)
        })
    }

    #[pyo3(signature = (width="double", show=None))]
    fn draw_solution(&self, py: Python<'_>, width: &str, show: Option<Bound<'_, PyAny>>) -> PyResult<Vec<Figure>> {
        work(py, show.as_ref(), |progress| {
            let styles = styles(width)?;
            let level = self.valued(progress)?;
            pages(figures::solution(&level, &safe_stem(&level.id)), &styles)
        })
    }
}

/// Map that `plymap.Map` holds.
#[pyclass(frozen, module = "plymap._native")]
pub struct Map {
    level: ValuedLevel,
    whole: Arc<WholeMap>,
}

impl Map {
    fn map(&self) -> &LevelMap {
        &self.whole.map
    }

    fn numbers(&self, select: fn(&WholeMap) -> &[u32]) -> Numbers {
        Numbers { whole: self.whole.clone(), select }
    }
}

/// Numbers that a map holds, which `numpy.asarray` takes without a copy, for reading alone.
#[pyclass(frozen, module = "plymap._native")]
pub struct Numbers {
    whole: Arc<WholeMap>,
    select: fn(&WholeMap) -> &[u32],
}

#[pymethods]
impl Numbers {
    /// The array interface of NumPy, version 3.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let numbers = (self.select)(&self.whole);
        let array = PyDict::new(py);
        array.set_item("version", 3)?;
        array.set_item("shape", (numbers.len(),))?;
        array.set_item("typestr", if cfg!(target_endian = "big") { ">u4" } else { "<u4" })?;
        array.set_item("data", (numbers.as_ptr() as usize, true))?;
        Ok(array)
    }
}

#[pymethods]
impl Map {
    #[getter]
    fn n_states(&self) -> usize {
        self.map().n_states()
    }

    #[getter]
    fn n_arcs(&self) -> usize {
        self.map().graph.n_arcs()
    }

    #[getter]
    fn n_edges(&self) -> u64 {
        self.whole.moves().n_edges
    }

    #[getter]
    fn distances(&self) -> Numbers {
        self.numbers(|whole| whole.distances.values())
    }

    #[getter]
    fn depths(&self) -> Numbers {
        self.numbers(|whole| whole.map.depths())
    }

    #[getter]
    fn offsets(&self) -> Numbers {
        self.numbers(|whole| whole.map.graph.offsets())
    }

    #[getter]
    fn targets(&self) -> Numbers {
        self.numbers(|whole| whole.map.graph.targets())
    }

    #[getter]
    fn goals(&self) -> Vec<u32> {
        self.map().goals().collect()
    }

    /// A state in the notation of the game.
    fn state(&self, number: usize) -> PyResult<String> {
        let n = self.map().n_states();
        if number >= n {
            let said = format!("there is no state {number}; the {n} states are numbered from 0");
            return Err(PyIndexError::new_err(said));
        }
        Ok(self.level.rules.format_state(self.map().code(number as u32)))
    }

    /// The number of a state; nothing if it is not on the map.
    fn number(&self, py: Python<'_>, state: &str) -> PyResult<Option<u32>> {
        let code = self.level.rules.parse_state(state);
        let code = code.map_err(|error| Failed::new(format!("level {:?}: {error}", self.level.id)).raised(py))?;
        Ok(self.map().node(code))
    }

    /// All states with their distances.
    fn table(&self, py: Python<'_>) -> PyResult<Table> {
        made(py, || distance_table(&self.level, &[]))
    }

    /// All moves between states.
    fn moves(&self, py: Python<'_>) -> PyResult<Table> {
        made(py, || edge_table(&self.level))
    }

    #[pyo3(signature = (colours="distance", width="double"))]
    fn draw(&self, py: Python<'_>, colours: &str, width: &str) -> PyResult<Vec<Figure>> {
        work(py, None, |_| {
            let (colours, styles) = (word::<StateColours>("colours", colours)?, styles(width)?);
            pages(figures::state_graph(&self.level, &safe_stem(&self.level.id), colours), &styles)
        })
    }
}

fn made(py: Python<'_>, table: impl Fn() -> Option<plymap_tables::Table> + Sync + Send) -> PyResult<Table> {
    let table = py.detach(table).ok_or_else(|| Failed::new("the level is not mapped").raised(py))?;
    Ok(Table(table))
}
