//! Which column names levels, and which people: each choice that can be made.

use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Finder, Levels, place_of, quoted, words};
use crate::import::Certainty;
use crate::log::{ColumnSpec, Replace, Sample, Transform};
use crate::nearest::plain;

/// The most columns that are tried as those of levels, and of people.
const TRIED: usize = 3;

/// The names of levels, and other ways in which logs write them.
pub(super) struct Names<'a> {
    exact: HashMap<&'a str, usize>,
    alike: HashMap<String, usize>,
}

impl<'a> Names<'a> {
    fn new(levels: &Levels<'a>) -> Self {
        let numbered = || levels.iter().enumerate().map(|(number, (id, _))| (*id, number));
        let mut alike: HashMap<String, usize> = HashMap::new();
        let mut is_twice: BTreeSet<String> = BTreeSet::new();
        for (id, number) in numbered() {
            if alike.insert(plain(id), number).is_some() {
                is_twice.insert(plain(id));
            }
        }
        // What could be two levels is neither.
        alike.retain(|name, _| !name.is_empty() && !is_twice.contains(name));
        Self { exact: numbered().collect(), alike }
    }

    /// The level that a cell names.
    fn find(&self, cell: &str) -> Option<usize> {
        // Files of levels are often logged with their ending, or with the folder that they lie in.
        let name = || cell.rsplit(['/', '\\']).next().unwrap_or(cell);
        let stem = || match name().rsplit_once('.') {
            // The name of a number is no name of a file.
            Some((stem, end)) if !(end.chars().all(|letter| letter == '0') && stem.parse::<i64>().is_ok()) => {
                self.alike.get(&plain(stem))
            }
            Some((stem, _)) => self.exact.get(stem).or_else(|| self.alike.get(&plain(stem))),
            None => self.alike.get(&plain(name())),
        };
        let is_number = cell.parse::<f64>().is_ok();
        let alike = || self.alike.get(&plain(cell)).filter(|_| !is_number);
        self.exact.get(cell).or_else(alike).or_else(stem).copied()
    }
}

/// A column that may name the levels.
pub(super) struct LevelColumn {
    place: usize,
    /// The level of each row.
    of_rows: Vec<Option<usize>>,
    is_called_so: bool,
}

/// Columns half of whose cells name levels, the most likely first.
pub(super) fn level_columns(sample: &Sample, levels: &Levels<'_>, usual: Option<usize>) -> Vec<LevelColumn> {
    let names = Names::new(levels);
    let mut found: Vec<((bool, bool, usize, usize), LevelColumn)> = Vec::new();
    for (place, name) in sample.columns.iter().enumerate() {
        let mut seen: HashMap<&str, Option<usize>> = HashMap::new();
        let mut of_cell = |cell| *seen.entry(cell).or_insert_with(|| names.find(cell));
        let of_rows: Vec<Option<usize>> = sample.rows.iter().map(|row| of_cell(row.cells[place].as_deref()?)).collect();
        let n_all = sample.rows.iter().filter(|row| row.cells[place].is_some()).count();
        let n_met = of_rows.iter().flatten().count();
        if n_met == 0 || 2 * n_met < n_all {
            continue;
        }
        let n_levels = of_rows.iter().flatten().collect::<BTreeSet<_>>().len();
        let is_called_so = usual == Some(place) || words::level(name).is_some();
        let is_of_people = words::participant(name).is_some() && plain(name) != "id";
        found.push(((is_called_so, !is_of_people, n_levels, n_met), LevelColumn { place, of_rows, is_called_so }));
    }
    found.sort_by_key(|(rank, column)| (std::cmp::Reverse(*rank), column.place));
    found.into_iter().map(|(_, column)| column).take(TRIED).collect()
}

/// Columns whose names are those of people, the most likely first.
pub(super) fn people_columns(sample: &Sample, usual: &BTreeMap<String, ColumnSpec>) -> Vec<usize> {
    let usual = usual.get("participant").and_then(|column| place_of(sample, column));
    let is_used = |place: usize| sample.rows.iter().any(|row| row.cells[place].is_some());
    // A preset knows who is who, where several columns are called after people; `id` alone may be that of anything.
    let is_known = |place: &usize| is_used(*place) && plain(&sample.columns[*place]) != "id";
    if let Some(place) = usual.filter(is_known) {
        return vec![place];
    }
    let called = sample.columns.iter().enumerate().filter_map(|(place, name)| Some((words::participant(name)?, place)));
    let mut called: Vec<(usize, usize)> = called.filter(|(_, place)| is_used(*place)).collect();
    called.sort_unstable();
    let others = called.into_iter().map(|(_, place)| place).filter(|place| Some(*place) != usual);
    usual.into_iter().chain(others).take(TRIED).collect()
}

/// Columns each of whose values stands in rows of its own, one behind the other, as the rows of people often do.
pub(super) fn block_columns(sample: &Sample) -> Vec<usize> {
    let is_it = |place: &usize| {
        let cells: Option<Vec<&str>> = sample.rows.iter().map(|row| row.cells[*place].as_deref()).collect();
        let Some(cells) = cells else { return false };
        let n_values = cells.iter().collect::<BTreeSet<_>>().len();
        let n_blocks = 1 + cells.windows(2).filter(|pair| pair[0] != pair[1]).count();
        n_values == n_blocks && (2..=cells.len() / 2).contains(&n_values)
    };
    (0..sample.columns.len()).filter(is_it).take(TRIED).collect()
}

impl<'a> Finder<'a> {
    /// With a column as that of levels.
    pub(super) fn with_levels(mut self, choice: &LevelColumn) -> Self {
        let LevelColumn { place, of_rows, is_called_so } = choice;
        self.level.clone_from(of_rows);
        self.used.insert(*place);
        self.level_place = Some(*place);
        self.n_named += usize::from(*is_called_so);
        let (column, place) = (self.name(*place), *place);
        let (mut others, mut values, mut unknown) = (0, toml::Table::new(), BTreeSet::new());
        for (row, level) in self.sample.rows.iter().zip(of_rows) {
            match (row.cells[place].as_deref(), level) {
                (None, _) => others += 1,
                (Some(cell), Some(number)) if cell == self.levels[*number].0 => {}
                (Some(cell), Some(number)) => drop(values.insert(cell.to_owned(), self.levels[*number].0.into())),
                (Some(cell), None) => drop(unknown.insert(cell)),
            }
        }
        if others > 0 {
            self.found.steps.push(Transform::Where(format!("{} is not missing", quoted(column))));
            let reason =
                format!("{others} of {} without a level, as instructions are", counted(self.sample.rows.len(), "row"));
            self.found.say("where", Certainty::Likely, reason);
        }
        if !values.is_empty() {
            let reason = format!("the log writes {} otherwise", counted(values.len(), "level"));
            self.found.say("replace", Certainty::Likely, reason);
            self.found.steps.push(Transform::Replace(Replace { column: column.to_owned(), values, by: None }));
        }
        let n_levels = self.level.iter().flatten().collect::<BTreeSet<_>>().len();
        let reason = format!("it names {n_levels} of {}", counted(self.levels.len(), "level"));
        let some: Vec<&str> = unknown.iter().take(3).copied().collect();
        let other = || format!("; there is no level for {}, such as {some:?}", counted(unknown.len(), "value"));
        match unknown.is_empty() {
            true => self.found.name("level", column, Certainty::Sure, reason),
            false => self.found.name("level", column, Certainty::Ask, reason + &other()),
        }
        self
    }

    /// With all rows as play at the only level.
    pub(super) fn with_only_level(mut self) -> Self {
        self.level.fill(Some(0));
        let value = self.levels[0].0.to_owned();
        self.found.columns.insert("level".to_owned(), ColumnSpec::Value { value });
        self.found.say("level", Certainty::Likely, "no column names the level, and there is only one");
        self
    }

    /// With a column as that of people, or with each file as one of them.
    pub(super) fn with_people(mut self, place: Option<usize>, usual: &BTreeMap<String, ColumnSpec>) -> Self {
        self.set_people(place, usual);
        self
    }

    fn set_people(&mut self, place: Option<usize>, usual: &BTreeMap<String, ColumnSpec>) {
        let n_files = self.sample.files.len();
        let usual = usual.get("participant").and_then(|column| place_of(self.sample, column));
        if let Some(place) = place {
            self.used.insert(place);
            self.people = Some(place);
            let is_called_so = words::participant(self.name(place)).is_some();
            let is_known = usual == Some(place) || is_called_so;
            self.n_named += usize::from(is_known && plain(self.name(place)) != "id");
            if usual == Some(place) {
                let reason = format!("{:?}, as the preset says", self.name(place));
                return self.found.say("participant", Certainty::Sure, reason);
            }
            let n = self.column(place).map(|(_, _, cell)| cell).collect::<BTreeSet<_>>().len();
            if !is_called_so {
                let reason =
                    format!("no column is called after people; each of its {n} values stands in rows of its own");
                return self.found.name("participant", self.name(place), Certainty::Ask, reason);
            }
            let certainty = if n > 1 || n_files > 1 { Certainty::Sure } else { Certainty::Likely };
            let reason = format!("it names {}", counted(n, "person"));
            return self.found.name("participant", self.name(place), certainty, reason);
        }
        if n_files > 1 {
            let (pattern, reason) = self.path_of_participants();
            self.found.path = Some(pattern);
            return self.found.say("path", Certainty::Ask, reason);
        }
        self.found.columns.insert("participant".to_owned(), ColumnSpec::Value { value: "1".to_owned() });
        let reason =
            "no column is called after people, and there is one file: name the column, if several people played";
        self.found.say("participant", Certainty::Ask, reason);
    }

    /// What the names of files have in common is no name of a person.
    fn path_of_participants(&self) -> (String, String) {
        let names: Vec<String> = self
            .sample
            .files
            .iter()
            .map(|file| file.path.file_name().unwrap_or_default().to_string_lossy().into_owned())
            .collect();
        let first = &names[0];
        let common = |ends: &dyn Fn(&str, &str) -> bool, parts: Vec<&str>| -> String {
            parts
                .into_iter()
                .filter(|part| names.iter().all(|name| ends(name, part)))
                .max_by_key(|part| part.len())
                .unwrap_or("")
                .to_owned()
        };
        let marks = |(at, letter): (usize, char)| (!letter.is_alphanumeric()).then_some((at, letter.len_utf8()));
        let places: Vec<(usize, usize)> = first.char_indices().filter_map(marks).collect();
        let before =
            common(&|name, part| name.starts_with(part), places.iter().map(|(at, n)| &first[..at + n]).collect());
        let behind = common(&|name, part| name.ends_with(part), places.iter().map(|(at, _)| &first[*at..]).collect());
        let reason = format!("no column is called after people: each of the {} files is taken for one", names.len());
        (format!("{before}{{participant}}{behind}"), reason)
    }

    /// The column that names levels, as messages say it.
    pub fn what_names_levels(&self) -> String {
        match self.level_place {
            Some(place) => format!("{:?} names the levels", self.name(place)),
            None => "there is one level".to_owned(),
        }
    }
}
