//! Which column is which, by its name and by what stands in it.

use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Certainty, Remark, words};
use plymap_log::{ColumnSpec, Fill, LogSpec, Sample, SampleRow, Transform};
use plymap_puzzles::rules::Rules;

pub(super) use actions::{Actions, LIST, NAMES, NUMBER, Shares};
pub(super) use replay::Plays;

use levels::{block_columns, level_columns, people_columns};

mod actions;
mod attempts;
mod events;
mod levels;
mod numbers;
mod replay;
mod times;

/// The levels by name.
pub(super) type Levels<'a> = [(&'a str, &'a dyn Rules)];

/// How rows may be read as far as it is found, and why.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub spec: LogSpec,
    pub remarks: Vec<Remark>,
    /// Whether a column tells events.
    has_events: bool,
}

impl Found {
    /// Nothing beside what a preset says.
    pub fn new(spec: &LogSpec) -> Self {
        Self { spec: spec.clone(), ..Self::default() }
    }

    fn say(&mut self, entry: &str, certainty: Certainty, reason: impl Into<String>) {
        self.remarks.push(Remark { entry: entry.to_owned(), certainty, reason: reason.into() });
    }

    fn name(&mut self, key: &str, column: &str, certainty: Certainty, reason: impl Into<String>) {
        // A column that has the canonical name needs no entry.
        if key != column {
            self.spec.columns.insert(key.to_owned(), ColumnSpec::column(column));
        }
        self.say(key, certainty, reason);
    }
}

/// A sample of which it is decided which column names levels, and which people.
#[derive(Clone)]
pub(super) struct Finder<'a> {
    sample: &'a Sample,
    plays: &'a Plays<'a>,
    /// What the preset says.
    known: &'a LogSpec,
    /// The level of each row.
    level: Vec<Option<usize>>,
    level_places: Vec<usize>,
    used: BTreeSet<usize>,
    /// The column of participants.
    people: Option<usize>,
    /// Columns of levels and people that are called so.
    pub n_named: usize,
    found: Found,
    /// Columns that moves stand in.
    moves: Vec<usize>,
    /// The column that tells the beginning of actions from their end.
    halves: Option<usize>,
}

impl<'a> Finder<'a> {
    /// One for each choice of the columns of levels and people in the sample that `spec` gives, which is `known` with its
    /// preset; nothing without a column of levels.
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

    /// Everything but the moves, where these are written so.
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

    fn column(&self, place: usize) -> impl Iterator<Item = (&'a SampleRow, Option<usize>, &'a str)> + use<'_, 'a> {
        let rows = self.sample.rows.iter().zip(&self.level);
        rows.filter_map(move |(row, level)| Some((row, *level, row.cell(place)?)))
    }

    fn name(&self, place: usize) -> &'a str {
        &self.sample.columns[place]
    }

    fn free(&self) -> impl Iterator<Item = usize> {
        // Numbers that a step made tell nothing of a log.
        let is_own = |place: &usize| [NUMBER, LIST].contains(&self.name(*place));
        (0..self.sample.columns.len()).filter(move |place| !self.used.contains(place) && !is_own(place))
    }

    /// Rows whose level is known.
    fn n_play(&self) -> usize {
        self.level.iter().flatten().count()
    }

    /// What stands in a column in rows whose level is known.
    fn distinct(&self, place: usize) -> BTreeSet<&'a str> {
        self.column(place).filter(|(_, level, _)| level.is_some()).map(|(_, _, cell)| cell).collect()
    }

    /// The column that the preset names for an entry, if the files have it.
    fn usual(&self, key: &str) -> Option<usize> {
        place_of(self.sample, self.known.usual_columns.get(key)?)
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

    fn has_column(&self, name: &str) -> bool {
        self.sample.place(name).is_some()
    }

    /// Who played in a row, as far as it is known.
    fn person(&self, row: usize) -> (usize, Option<&'a str>) {
        let row = &self.sample.rows[row];
        (row.file, self.people.and_then(|place| row.cell(place)))
    }

    /// Rows of the same person at the same level, one behind the other; rows of other people may stand between them.
    fn runs(&self) -> Vec<Vec<usize>> {
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
fn place_of(sample: &Sample, column: &ColumnSpec) -> Option<usize> {
    match column {
        ColumnSpec::Column { column, .. } => sample.place(column),
        ColumnSpec::FirstOf(list) => list.iter().find_map(|column| place_of(sample, column)),
        _ => None,
    }
}

/// A step that fills in the participant, where programs name the person in one row of each file alone.
pub(super) fn fill_of_participants(
    sample: &Sample,
    usual: &BTreeMap<String, ColumnSpec>,
) -> Option<(Transform, Remark)> {
    let place = people_columns(sample, usual).into_iter().next()?;
    let named: Vec<(usize, &str)> = sample.rows.iter().filter_map(|row| Some((row.file, row.cell(place)?))).collect();
    let files: BTreeSet<usize> = named.iter().map(|(file, _)| *file).collect();
    let people: BTreeSet<_> = named.iter().collect();
    let n_missing = sample.rows.len() - named.len();
    if people.len() != files.len() || n_missing <= named.len() {
        return None;
    }
    let reason = format!("{} without a person, and each file names only one", counted(n_missing, "row"));
    let step = Transform::Fill(Fill { columns: vec![sample.columns[place].clone()], by: Vec::new() });
    Some((step, Remark { entry: "fill".to_owned(), certainty: Certainty::Likely, reason }))
}

/// Has the last step that makes rows number them, and the one before it the lists that these stood in.
pub(super) fn number_elements(steps: &mut [Transform]) {
    let names = [Some(NUMBER), Some(LIST)].into_iter().chain(std::iter::repeat(None));
    numbers_of(steps).zip(names).for_each(|(number, name)| *number = name.map(str::to_owned));
}

fn forget_numbers(steps: &mut [Transform]) {
    numbers_of(steps).for_each(|number| *number = None);
}

/// The columns of numbers of the steps that make rows, the last first.
fn numbers_of(steps: &mut [Transform]) -> impl Iterator<Item = &mut Option<String>> {
    steps.iter_mut().rev().filter_map(|step| match step {
        Transform::Split(split) if split.into.is_empty() => Some(&mut split.number),
        Transform::Wide(wide) => Some(&mut wide.number),
        _ => None,
    })
}

/// A column as expressions name it.
pub(super) fn quoted(column: &str) -> String {
    let is_word = column.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && column.chars().next().is_some_and(|letter| letter.is_alphabetic());
    if is_word { column.to_owned() } else { format!("`{column}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_quoted_where_they_are_no_words() {
        assert_eq!((quoted("level"), quoted("mouse.time")), ("level".to_owned(), "`mouse.time`".to_owned()));
    }
}
