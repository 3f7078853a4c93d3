//! Attempts at the levels that are exported.

use polars::prelude::{IdxCa, PolarsError};

use super::error::ExportError;
use plymap_measures::label::LabelledAttempt;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_run::Play;
use plymap_run::study::Study;
use plymap_tables::Table;

/// Attempts at the exported levels, with the moves of all levels.
pub(super) struct Attempts<'a> {
    pub study: &'a Study,
    /// The table `moves`, of all levels.
    pub moves: Table,
    /// The attempts at the chosen levels; their rows are those of `moves`.
    pub chosen: Vec<&'a LabelledAttempt>,
}

impl<'a> Attempts<'a> {
    pub fn new(
        study: &'a Study,
        play: Option<&'a Play>,
        (levels, chosen): (&[ValuedLevel], &[&ValuedLevel]),
        format: &'static str,
    ) -> Result<Self, ExportError> {
        let play = play.ok_or(ExportError::NoLog { format })?;
        let is_chosen = |attempt: &&LabelledAttempt| chosen.iter().any(|level| level.id == attempt.level);
        let chosen: Vec<_> = play.labelled.attempts.iter().filter(is_chosen).collect();
        if chosen.is_empty() {
            return Err(ExportError::NothingPlayed);
        }
        Ok(Self { study, moves: play.all_moves(levels)?, chosen })
    }

    pub fn n_rows(&self) -> u64 {
        self.chosen.iter().map(|attempt| attempt.rows.len() as u64).sum()
    }

    /// The rows of `moves` that belong to these attempts.
    pub fn rows_of(&self, attempts: &[&LabelledAttempt]) -> Result<Table, PolarsError> {
        let rows = attempts.iter().flat_map(|attempt| attempt.rows.clone()).map(|row| row as u32).collect();
        let data = self.moves.data.take(&IdxCa::from_vec("row".into(), rows))?;
        Ok(Table { data, ..self.moves.clone() })
    }

    /// Returns the description of the study, or else the caption of the table `moves`.
    pub fn description(&self) -> &str {
        self.study.study.description.as_deref().unwrap_or(&self.moves.caption)
    }
}
