//! Search for the meaning of each column, by its name and by its content.

use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, BTreeSet};

use super::proposal::{Certainty, ProposalNote};
use super::words;
use plymap_log::{ColumnSpec, Fill, LogSpec, PipelineStep, Sample};

pub(super) use actions::{Actions, NAMES, Shares};
pub(super) use element_numbers::number_elements;
pub(super) use finder::Finder;
pub(super) use found::Found;
pub(super) use level_names::Levels;
pub(super) use plays::Plays;

use levels::{block_columns, level_columns, people_columns};

mod actions;
mod attempts;
mod element_numbers;
mod events;
mod finder;
mod found;
mod level_names;
mod levels;
mod numbers;
mod plays;
mod replay;
mod times;

impl<'a> Finder<'a> {
    /// Returns a finder for each choice of the columns of levels and people in the sample that `spec` gives, which is
    /// `known` with its preset; none without a column of levels.
    pub fn all(sample: &'a Sample, plays: &'a Plays<'a>, spec: &LogSpec, known: &'a LogSpec) -> Vec<Self> {
        let plain = Self {
            sample,
            plays,
            known,
            level: vec![None; sample.rows.len()],
            level_places: Vec::new(),
            used: BTreeSet::new(),
            people: None,
            n_named: 0,
            found: Found::new(spec),
            moves: Vec::new(),
            halves: None,
        };
        let usual_level = plain.usual("level");
        let of_columns = level_columns(sample, plays.levels, usual_level);
        let mut choices: Vec<Self> = of_columns.iter().map(|column| plain.clone().with_levels(column)).collect();
        if choices.is_empty() && plays.levels.len() == 1 {
            choices.push(plain.with_only_level());
        }
        let people = people_columns(sample, &known.usual_columns);
        let blocks = if people.is_empty() && sample.files.len() == 1 { block_columns(sample) } else { Vec::new() };
        let with_people = |choice: Self| {
            let is_free = |place: &usize| !choice.used.contains(place);
            let free: Vec<usize> = people.iter().copied().filter(is_free).collect();
            // A column that could name people is better than none.
            let places: Vec<Option<usize>> = match free.is_empty() {
                true => blocks.iter().copied().filter(is_free).map(Some).chain([None]).collect(),
                false => free.into_iter().map(Some).collect(),
            };
            places.into_iter().map(move |place| choice.clone().with_people(place)).collect::<Vec<_>>()
        };
        choices.into_iter().flat_map(with_people).collect()
    }

    /// Finds everything but the moves, which are written so.
    pub fn found_beside(mut self, actions: &Actions) -> Found {
        self.used.extend(&actions.places);
        self.moves.clone_from(&actions.places);
        if actions.needs_number {
            number_elements(&mut self.found.spec.steps);
        }
        self.find_events();
        self.find_by_name("condition", words::condition, |_, _| true);
        self.find_by_name("session", words::session, |finder, column| {
            2 * finder.distinct(column).len() <= finder.n_play()
        });
        self.find_by_name("attempt", words::attempt, Self::numbers_attempts);
        self.find_repetitions();
        if !self.numbers_elements(actions) {
            self.find_counters();
        }
        self.find_times();
        self.join_halves();
        self.found
    }

    fn find_by_name(&mut self, key: &str, is_called_so: fn(&str) -> bool, fits: impl Fn(&Self, usize) -> bool) {
        if self.usual(key).is_some() {
            return;
        }
        let is_it = |place: usize| is_called_so(self.name(place));
        let place = self.free().find(|&place| is_it(place) && !self.distinct(place).is_empty() && fits(self, place));
        if let Some(place) = place {
            self.used.insert(place);
            let name = self.name(place);
            if name != key {
                let n = self.distinct(place).len();
                self.found.name(key, name, Certainty::Likely, format!("by its name; it has {}", counted(n, "value")));
            }
        }
    }
}

/// A step that fills in the participant, where programs name the person in one row of each file alone.
pub(super) fn fill_of_participants(
    sample: &Sample,
    usual: &BTreeMap<String, ColumnSpec>,
) -> Option<(PipelineStep, ProposalNote)> {
    let place = people_columns(sample, usual).into_iter().next()?;
    let named: Vec<(usize, &str)> = sample.rows.iter().filter_map(|row| Some((row.file, row.cell(place)?))).collect();
    let files: BTreeSet<usize> = named.iter().map(|(file, _)| *file).collect();
    let people: BTreeSet<_> = named.iter().collect();
    let n_missing = sample.rows.len() - named.len();
    if people.len() != files.len() || n_missing <= named.len() {
        return None;
    }
    let reason = format!("{} without a person, and each file names only one", counted(n_missing, "row"));
    let step = PipelineStep::Fill(Fill { columns: vec![sample.columns[place].clone()], by: Vec::new() });
    Some((step, ProposalNote { entry: "fill".to_owned(), certainty: Certainty::Likely, reason }))
}

#[cfg(test)]
mod tests {
    use crate::quoted::quoted;

    #[test]
    fn columns_are_quoted_where_they_are_no_words() {
        assert_eq!((quoted("level"), quoted("mouse.time")), ("level".to_owned(), "`mouse.time`".to_owned()));
    }
}
