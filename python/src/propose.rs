//! Studies proposed from the files of an experiment.

use std::path::{Path, PathBuf};

use plymap::plymap_import::{
    GameProposal, Proposal as Proposed, StudyText, levels_of_games, propose_game, study_name, study_toml,
};
use plymap::plymap_puzzles::level::LevelColumns;
use plymap::plymap_puzzles::registry::{Game, RuleOptions};
use plymap::plymap_puzzles::valuation::load_levels;
use pyo3::prelude::*;

use crate::error::Failed;
use crate::work::work;

/// Proposal that `plymap.Proposal` holds.
#[pyclass(frozen, module = "plymap._native")]
pub struct Proposal {
    proposed: Proposed,
    game: String,
    levels: Vec<PathBuf>,
    rules: toml::Table,
}

#[pymethods]
impl Proposal {
    #[getter]
    fn game(&self) -> &str {
        &self.game
    }

    #[getter]
    fn source(&self) -> &str {
        &self.proposed.source
    }

    /// Entry, certainty and reason of each note.
    #[getter]
    fn notes(&self) -> Vec<(String, String, String)> {
        let notes = self.proposed.notes.iter();
        notes.map(|note| (note.entry.clone(), note.certainty.to_string(), note.reason.clone())).collect()
    }

    #[getter]
    fn n_moves(&self) -> usize {
        self.proposed.trial.n_moves
    }

    #[getter]
    fn n_unused(&self) -> u64 {
        self.proposed.trial.n_unused
    }

    #[getter]
    fn share(&self) -> f64 {
        self.proposed.trial.share()
    }

    #[getter]
    fn is_doubtful(&self) -> bool {
        self.proposed.is_doubtful()
    }

    /// Diagnostics of the rows, one sentence for each kind.
    #[getter]
    fn diagnostics(&self) -> Vec<String> {
        self.proposed.trial.diagnostics().iter().map(ToString::to_string).collect()
    }

    /// The text of a study.toml that lies in this folder.
    fn toml(&self, py: Python<'_>, folder: PathBuf) -> PyResult<String> {
        self.text(&folder).map_err(|failed| failed.raised(py))
    }
}

impl Proposal {
    fn text(&self, folder: &Path) -> Result<String, Failed> {
        let about =
            StudyText { name: study_name(folder), game: &self.game, levels: &self.levels, rules: &self.rules, folder };
        study_toml(&self.proposed, &about).map_err(|error| Failed::of(&error))
    }
}

/// Finds out how files may be read as play at these levels; `rules` are options of the game in JSON.
#[pyfunction]
#[pyo3(signature = (files, levels, game, rules, preset, show=None))]
pub fn propose(
    py: Python<'_>,
    files: Vec<PathBuf>,
    levels: Vec<PathBuf>,
    game: Option<String>,
    rules: &str,
    preset: Option<String>,
    show: Option<Bound<'_, PyAny>>,
) -> PyResult<Proposal> {
    work(py, show.as_ref(), |progress| {
        let rules: toml::Table = serde_json::from_str(rules).map_err(|error| Failed::new(format!("rules: {error}")))?;
        let columns = LevelColumns::default();
        let games = match &game {
            Some(name) => {
                let game = Game::find(name).map_err(|error| Failed::of(&error))?;
                let options = RuleOptions::of_game(Some(name), rules.clone(), PathBuf::new());
                (game.check_options)(&options).map_err(|error| Failed::of(&error))?;
                vec![(load_levels(&levels, &columns, game, &options)?, game)]
            }
            None => match levels_of_games(&levels, &columns, &rules) {
                (read, Some((_, faults))) if read.is_empty() => return Err(faults.into()),
                (read, _) => read,
            },
        };
        let proposed = propose_game(&files, preset.as_deref(), games, game.is_some(), progress);
        let GameProposal { proposal, game: found, .. } = proposed.map_err(|error| Failed::of(&error))?;
        Ok(Proposal { proposed: proposal, game: game.unwrap_or_else(|| found.name.to_owned()), levels, rules })
    })
}
