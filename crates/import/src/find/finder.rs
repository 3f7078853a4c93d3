//! A sample of a log with the roles of its columns, as far as they are decided.

use std::collections::{BTreeSet, HashMap};

use super::element_numbers::{LIST, NUMBER};
use super::found::Found;
use super::plays::Plays;
use plymap_log::{ColumnSpec, LogSpec, Sample, SampleRow};

/// A sample of which it is decided which column names levels, and which people.
#[derive(Clone)]
pub(crate) struct Finder<'a> {
    pub(super) sample: &'a Sample,
    pub(super) plays: &'a Plays<'a>,
    /// Settings of the preset.
    pub(super) known: &'a LogSpec,
    /// The level of each row.
    pub(super) level: Vec<Option<usize>>,
    pub(super) level_places: Vec<usize>,
    pub(super) used: BTreeSet<usize>,
    /// The column of participants.
    pub(super) people: Option<usize>,
    /// Columns of levels and people that are called so.
    pub n_named: usize,
    pub(super) found: Found,
    /// Columns that moves stand in.
    pub(super) moves: Vec<usize>,
    /// The column that tells the beginning of actions from their end.
    pub(super) halves: Option<usize>,
}

impl<'a> Finder<'a> {
    pub(super) fn column(
        &self,
        place: usize,
    ) -> impl Iterator<Item = (&'a SampleRow, Option<usize>, &'a str)> + use<'_, 'a> {
        let rows = self.sample.rows.iter().zip(&self.level);
        rows.filter_map(move |(row, level)| Some((row, *level, row.cell(place)?)))
    }

    pub(super) fn name(&self, place: usize) -> &'a str {
        &self.sample.columns[place]
    }

    pub(super) fn free(&self) -> impl Iterator<Item = usize> {
        // Numbers that a step made tell nothing of a log.
        let is_own = |place: &usize| [NUMBER, LIST].contains(&self.name(*place));
        (0..self.sample.columns.len()).filter(move |place| !self.used.contains(place) && !is_own(place))
    }

    /// Rows whose level is known.
    pub(super) fn n_play(&self) -> usize {
        self.level.iter().flatten().count()
    }

    /// Cells of a column in rows whose level is known.
    pub(super) fn distinct(&self, place: usize) -> BTreeSet<&'a str> {
        self.column(place).filter(|(_, level, _)| level.is_some()).map(|(_, _, cell)| cell).collect()
    }

    /// The column that the preset names for an entry, if the files have it.
    pub(super) fn usual(&self, key: &str) -> Option<usize> {
        place_of(self.sample, self.known.usual_columns.get(key)?)
    }

    pub(super) fn has_column(&self, name: &str) -> bool {
        self.sample.place(name).is_some()
    }

    /// Participant of a row, as far as it is known.
    pub(super) fn person(&self, row: usize) -> (usize, Option<&'a str>) {
        let row = &self.sample.rows[row];
        (row.file, self.people.and_then(|place| row.cell(place)))
    }

    /// Rows of the same person at the same level, one behind the other; rows of other people may stand between them.
    pub(super) fn runs(&self) -> Vec<Vec<usize>> {
        let mut runs: Vec<Vec<usize>> = Vec::new();
        let mut open: HashMap<(usize, Option<&str>), usize> = HashMap::new();
        for (row, level) in self.level.iter().enumerate() {
            let Some(level) = level else { continue };
            match open.get(&self.person(row)) {
                Some(&run) if self.level[runs[run][0]] == Some(*level) => runs[run].push(row),
                _ => {
                    open.insert(self.person(row), runs.len());
                    runs.push(vec![row]);
                }
            }
        }
        runs
    }
}

/// The column of a sample that an entry names.
pub(super) fn place_of(sample: &Sample, column: &ColumnSpec) -> Option<usize> {
    match column {
        ColumnSpec::Column { column, .. } => sample.place(column),
        ColumnSpec::FirstOf(list) => list.iter().find_map(|column| place_of(sample, column)),
        _ => None,
    }
}
