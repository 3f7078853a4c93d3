//! Candidates for the columns of levels and of people.

use super::finder::{Finder, place_of};
use super::level_names::{Levels, Names};
use crate::proposal::Certainty;
use crate::quoted::quoted;
use crate::words;
use plymap_log::{ColumnSpec, PipelineStep, Replace, Sample, SampleRow};
use plymap_statistics::stats::apa::counted;
use plymap_tables::did_you_mean::plain;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// The most columns that are tried as those of levels, and of people.
const TRIED: usize = 3;

/// A column that may name the levels, or two that do so together.
pub(super) struct LevelColumn {
    places: Vec<usize>,
    /// Separator of two columns.
    between: &'static str,
    /// The level of each row.
    of_rows: Vec<Option<usize>>,
    is_called_so: bool,
}

/// Columns half of whose cells name levels, the most likely first.
pub(super) fn level_columns(sample: &Sample, levels: &Levels<'_>, usual: Option<usize>) -> Vec<LevelColumn> {
    let names = Names::new(levels);
    let mut ranked: Vec<(Rank, LevelColumn)> = Vec::new();
    for (place, name) in sample.columns.iter().enumerate() {
        let mut level_of: HashMap<&str, Option<usize>> = HashMap::new();
        let mut of_cell = |cell| *level_of.entry(cell).or_insert_with(|| names.find(cell));
        let of_rows: Vec<Option<usize>> = sample.rows.iter().map(|row| of_cell(row.cell(place)?)).collect();
        let n_all = sample.rows.iter().filter(|row| row.cell(place).is_some()).count();
        let n_met = of_rows.iter().flatten().count();
        let is_called_so = usual == Some(place) || words::level(name).is_some();
        // The levels at hand may be some of those that were played; a number is soon met.
        let is_word = || sample.rows.iter().filter_map(|row| row.cell(place)).any(|cell| cell.parse::<f64>().is_err());
        if n_met == 0 || (!is_called_so && 2 * n_met < n_all && !is_word()) {
            continue;
        }
        let n_levels = of_rows.iter().flatten().collect::<BTreeSet<_>>().len();
        let is_of_people = words::participant(name).is_some() && plain(name) != "id";
        let rank = (2 * n_met >= n_all, is_called_so, !is_of_people, n_levels, n_met);
        ranked.push((rank, LevelColumn { places: vec![place], between: "", of_rows, is_called_so }));
    }
    if ranked.iter().all(|(rank, _)| !rank.0) {
        ranked.extend(two_level_columns(sample, &names));
    }
    ranked.sort_by_key(|(rank, column)| (Reverse(*rank), column.places.clone()));
    ranked.into_iter().map(|(_, column)| column).take(TRIED).collect()
}

/// Likelihood that a column names the levels: half of its cells do, it is called so, it is not called after people;
/// levels and cells that it names.
type Rank = (bool, bool, bool, usize, usize);

/// Separators that are possible between two columns that name a level together.
const BETWEEN: [&str; 6] = ["-", "_", "", " ", ".", "/"];

/// Pairs of columns that together name levels, such as a set and a number in it.
fn two_level_columns(sample: &Sample, names: &Names<'_>) -> Vec<(Rank, LevelColumn)> {
    let distinct = |place: usize| sample.rows.iter().filter_map(|row| row.cell(place)).collect::<BTreeSet<_>>();
    let is_short = |place: &usize| {
        let values = distinct(*place);
        (1..=SHORT).contains(&values.len()) && values.iter().all(|value| value.chars().count() <= SHORT)
    };
    let short: Vec<usize> = (0..sample.columns.len()).filter(is_short).collect();
    // What no name of a level begins or ends with is no part of one.
    let can_be = |place: usize, is_part: &dyn Fn(&str, &str) -> bool| {
        distinct(place).into_iter().any(|value| names.exact.keys().any(|name| is_part(name, value)))
    };
    let with_part = |is_part: &dyn Fn(&str, &str) -> bool| -> Vec<usize> {
        let mut parts: Vec<usize> = short.iter().copied().filter(|&place| can_be(place, is_part)).collect();
        parts.sort_by_key(|&place| words::level(&sample.columns[place]).is_none());
        parts.truncate(PARTS);
        parts
    };
    let (ones, others) =
        (with_part(&|name, value| name.starts_with(value)), with_part(&|name, value| name.ends_with(value)));
    let mut pairs = Vec::new();
    for (&left, &right) in ones.iter().flat_map(|left| others.iter().map(move |right| (left, right))) {
        if left == right {
            continue;
        }
        for between in BETWEEN {
            let mut level_of: HashMap<(&str, &str), Option<usize>> = HashMap::new();
            let mut of_cells = |left, right| {
                let name = || format!("{left}{between}{right}");
                *level_of.entry((left, right)).or_insert_with(|| names.exact.get(name().as_str()).copied())
            };
            let cells =
                |row: &'_ SampleRow| Some((row.cell(left).map(str::to_owned)?, row.cell(right).map(str::to_owned)?));
            let of_rows: Vec<Option<usize>> =
                sample.rows.iter().map(|row| of_cells(row.cell(left)?, row.cell(right)?)).collect();
            let n_met = of_rows.iter().flatten().count();
            if n_met > 0 && 2 * n_met >= sample.rows.iter().filter_map(cells).count() {
                let n_levels = of_rows.iter().flatten().collect::<BTreeSet<_>>().len();
                let places = vec![left, right];
                let column = LevelColumn { places, between, of_rows, is_called_so: false };
                pairs.push(((true, false, true, n_levels, n_met), column));
            }
        }
    }
    pairs
}

/// Number of columns that are tried as the first part of names, and as the second.
const PARTS: usize = 40;

/// Largest number of values of a column that may be a part of names, and greatest length of a value, in letters.
const SHORT: usize = 40;

/// Columns whose names are those of people, the most likely first.
pub(super) fn people_columns(sample: &Sample, usual: &BTreeMap<String, ColumnSpec>) -> Vec<usize> {
    let usual = usual.get("participant").and_then(|column| place_of(sample, column));
    let is_used = |place: usize| sample.rows.iter().any(|row| row.cell(place).is_some());
    // A preset knows who is who, where several columns are called after people; `id` alone may be that of anything.
    let is_known = |place: &usize| is_used(*place) && plain(&sample.columns[*place]) != "id";
    if let Some(place) = usual.filter(is_known) {
        return vec![place];
    }
    let called = sample.columns.iter().enumerate().filter_map(|(place, name)| Some((words::participant(name)?, place)));
    let mut called: Vec<(usize, usize)> = called.filter(|(_, place)| is_used(*place)).collect();
    called.sort_unstable();
    // A number of a run or session is a name of people where nothing else is.
    if called.iter().any(|(_, place)| !words::may_be_no_participant(&sample.columns[*place])) {
        called.retain(|(_, place)| !words::may_be_no_participant(&sample.columns[*place]));
    }
    let others = called.into_iter().map(|(_, place)| place).filter(|place| Some(*place) != usual);
    usual.into_iter().chain(others).take(TRIED).collect()
}

/// Columns each of whose values stands in rows of its own, one behind the other, as the rows of people often do; first
/// those that are called after ids.
pub(super) fn block_columns(sample: &Sample) -> Vec<usize> {
    let is_it = |place: &usize| {
        let cells: Option<Vec<&str>> = sample.rows.iter().map(|row| row.cell(*place)).collect();
        let Some(cells) = cells else { return false };
        let n_values = cells.iter().collect::<BTreeSet<_>>().len();
        let n_blocks = 1 + cells.windows(2).filter(|pair| pair[0] != pair[1]).count();
        n_values == n_blocks && (2..=cells.len() / 2).contains(&n_values)
    };
    let mut columns: Vec<usize> = (0..sample.columns.len()).filter(is_it).collect();
    // Times are no names, nor is what people are like.
    columns.retain(|&place| can_name_levels(&sample.columns[place]));
    let n_values = |place: usize| sample.rows.iter().map(|row| row.cell(place)).collect::<BTreeSet<_>>().len();
    let is_called_so =
        |place: usize| words::is_called(&sample.columns[place], &["id", "key", "code", "session", "game"]);
    columns.sort_by_cached_key(|&place| (!is_called_so(place), n_values(place)));
    columns.truncate(TRIED);
    columns
}

fn can_name_levels(name: &str) -> bool {
    !words::tells_times(name) && !words::tells_of_people(name)
}

impl<'a> Finder<'a> {
    /// With a column as that of levels.
    pub(super) fn with_levels(mut self, choice: &LevelColumn) -> Self {
        let LevelColumn { places, between, of_rows, is_called_so } = choice;
        self.level.clone_from(of_rows);
        self.used.extend(places);
        self.level_places.clone_from(places);
        self.n_named += usize::from(*is_called_so);
        let n_levels = self.level.iter().flatten().collect::<BTreeSet<_>>().len();
        let reason =
            format!("it names {n_levels} of {}{}", counted(self.plays.levels.len(), "level"), self.in_first_rows());
        if let [first, second] = places[..] {
            let template = format!("{{{}}}{between}{{{}}}", quoted(self.name(first)), quoted(self.name(second)));
            self.found.spec.columns.insert("level".to_owned(), ColumnSpec::Template { template });
            self.found.say("level", Certainty::Likely, format!("together {}", &reason["it ".len()..]));
            return self;
        }
        let place = places[0];
        let column = self.name(place);
        let (mut others, mut values, mut unknown) = (0, toml::Table::new(), BTreeSet::new());
        for (row, level) in self.sample.rows.iter().zip(of_rows) {
            match (row.cell(place), level) {
                (None, _) => others += 1,
                (Some(cell), Some(number)) if cell == self.plays.levels[*number].0 => {}
                (Some(cell), Some(number)) => drop(values.insert(cell.to_owned(), self.plays.levels[*number].0.into())),
                (Some(cell), None) => drop(unknown.insert(cell)),
            }
        }
        if others > 0 {
            self.found.spec.steps.push(PipelineStep::Where(format!("{} is not missing", quoted(column))));
            let reason =
                format!("{others} of {} without a level, as instructions are", counted(self.sample.rows.len(), "row"));
            self.found.say("where", Certainty::Likely, reason);
        }
        if !values.is_empty() {
            let reason = format!("the log writes {} otherwise", counted(values.len(), "level"));
            self.found.say("replace", Certainty::Likely, reason);
            self.found.spec.steps.push(PipelineStep::Replace(Replace { column: column.to_owned(), values, by: None }));
        }
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
        let value = self.plays.levels[0].0.to_owned();
        self.found.spec.columns.insert("level".to_owned(), ColumnSpec::Value { value });
        self.found.say("level", Certainty::Likely, "no column names the level, and there is only one");
        self
    }

    /// With a column as that of people, or with each file as one of them.
    pub(super) fn with_people(mut self, place: Option<usize>) -> Self {
        self.set_people(place);
        self
    }

    fn set_people(&mut self, place: Option<usize>) {
        let n_files = self.sample.paths.len();
        let usual = self.usual("participant");
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
            let is_unsure = words::may_be_no_participant(self.name(place)) || (n == 1 && n_files == 1);
            let certainty = if is_unsure { Certainty::Likely } else { Certainty::Sure };
            let reason = format!("it names {}{}", counted(n, "person"), self.in_first_rows());
            return self.found.name("participant", self.name(place), certainty, reason);
        }
        if n_files > 1 {
            let (pattern, reason) = self.path_of_participants();
            self.found.spec.path = Some(pattern);
            return self.found.say("path", Certainty::Ask, reason);
        }
        self.found.spec.columns.insert("participant".to_owned(), ColumnSpec::Value { value: "1".to_owned() });
        let reason =
            "no column is called after people, and there is one file: name the column, if several people played";
        self.found.say("participant", Certainty::Ask, reason);
    }

    /// Returns what has to be said behind a number of things that were met, where not all rows were looked at.
    fn in_first_rows(&self) -> String {
        let most = self.found.spec.max_rows.unwrap_or(u64::MAX);
        let mut n_of_file = vec![0; self.sample.files.len()];
        self.sample.rows.iter().for_each(|row| n_of_file[row.file] += 1);
        let is_part = self.sample.files.len() < self.sample.paths.len() || n_of_file.iter().any(|n| *n >= most);
        if is_part {
            format!(" in the first {} that were looked at", counted(self.sample.rows.len(), "row"))
        } else {
            String::new()
        }
    }

    /// The common part of the names of files is no name of a person.
    fn path_of_participants(&self) -> (String, String) {
        let paths: Vec<Vec<String>> = self.sample.paths.iter().map(|path| parts_of(path)).collect();
        // Files that are all called alike lie in folders of people.
        let depth = paths.iter().map(Vec::len).min().unwrap_or(1);
        let differs =
            |place: &usize| paths.iter().map(|path| &path[*place]).collect::<BTreeSet<_>>().len() == paths.len();
        let place = (0..depth).find(differs).unwrap_or(0);
        let names: Vec<String> = paths.iter().map(|path| path[place].clone()).collect();
        let is_same = |below: usize| paths.iter().all(|path| path[below] == paths[0][below]);
        let below: String = (0..place)
            .rev()
            .map(|below| if is_same(below) { format!("/{}", paths[0][below]) } else { "/{_}".to_owned() })
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
        (format!("{before}{{participant}}{behind}{below}"), reason)
    }

    /// The column that names levels, as messages say it.
    pub fn what_names_levels(&self) -> String {
        let names: Vec<String> = self.level_places.iter().map(|&place| format!("{:?}", self.name(place))).collect();
        match &names[..] {
            [] => "there is one level".to_owned(),
            [one] => format!("{one} names the levels"),
            _ => format!("{} together name the levels", names.join(" and ")),
        }
    }
}

fn parts_of(path: &Path) -> Vec<String> {
    path.components().rev().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
}
