//! Mapping of the columns of the files to those of the canonical log.

use super::error::LogError;
use super::file_settings::Unit;
use super::pipeline_step::PipelineStep;
use super::role::Role;
use super::source::Source;
use super::spec::{ColumnSpec, LogSpec, SessionRule};
use plymap_tables::did_you_mean::nearest;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Columns of the canonical log that the reader writes itself.
const WRITTEN_HERE: [&str; 3] = ["time_source", "source_file", "source_row"];

/// Source of the values of a canonical column.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Origin {
    /// The column at this place of [`Mapping::columns`].
    Column(usize),
    /// The first of the columns at these places that a file has.
    FirstOf(Vec<usize>),
    /// The same value everywhere.
    Constant(String),
}

/// A canonical column that the log has.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Bound {
    pub origin: Origin,
    pub unit: Unit,
    /// First `move_index` in the files.
    pub first: i64,
}

/// A column of the files that is kept as it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Extra {
    /// Place in [`Mapping::columns`].
    pub column: usize,
    /// Name in the canonical log.
    pub name: String,
}

/// So many files without a column are named.
pub(super) const FILES_NAMED: usize = 3;

/// A column that some files lack.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Lacking {
    pub column: String,
    /// Numbers of the first files without it, at most [`FILES_NAMED`].
    pub first: Vec<usize>,
    /// Number of files without it.
    pub n_lacking: usize,
    /// Files with anything in them.
    pub n_files: usize,
}

/// Meaning of the columns of a log's files.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Mapping {
    /// Columns of all files, in order of appearance.
    pub columns: Vec<String>,
    bound: [Option<Bound>; Role::ALL.len()],
    pub extras: Vec<Extra>,
    /// Columns that some of the files lack.
    pub lacking: Vec<Lacking>,
    /// Places of the columns that tell one row from another.
    pub row_number: Vec<usize>,
    /// `true` if files and counters tell sessions.
    pub finds_sessions: bool,
    /// `true` if steps make several rows of one row of the files.
    pub takes_apart: bool,
    /// `true` if a session may be left out, as one that names of files tell.
    pub is_session_optional: bool,
}

impl Mapping {
    pub(super) fn new(spec: &LogSpec, sources: &[Source]) -> Result<Self, LogError> {
        refuse_one_column(sources)?;
        let columns = union(sources);
        let mut bound: [Option<Bound>; Role::ALL.len()] = Default::default();
        for (key, column) in &spec.columns {
            let Some(role) = Role::from_key(key) else { continue };
            bound[role as usize] = Some(bind(key, column, &columns, sources)?);
        }
        // A column of the preset that the files lack is no fault: presets are of programs, not of one experiment.
        for (key, column) in &spec.usual_columns {
            let Some(role) = Role::from_key(key) else { continue };
            if let Ok(usual) = bind(key, column, &columns, sources) {
                bound[role as usize] = Some(usual);
            }
        }
        // Canonical names are looked for last, so that what the study says always wins.
        let mut used: HashSet<usize> = bound.iter().flatten().flat_map(columns_of).copied().collect();
        for role in Role::ALL {
            let place = columns.iter().position(|column| column == role.name()).filter(|place| !used.contains(place));
            if let (None, Some(place)) = (&bound[role as usize], place) {
                bound[role as usize] = Some(Bound { origin: Origin::Column(place), unit: Unit::Seconds, first: 0 });
                used.insert(place);
            }
        }
        let extras = extras(&columns, &read_whole(&bound, &columns, sources));
        let single = bound.iter().flatten().filter_map(|bound| match bound.origin {
            Origin::Column(place) => Some(columns[place].as_str()),
            _ => None,
        });
        let lacking = lacking(sources, &single.collect::<Vec<_>>());
        let row_number = row_number(spec, &columns, sources)?;
        let session = bound[Role::Session as usize].as_ref();
        let finds_sessions = session.is_none() && spec.sessions == SessionRule::Files;
        let of_names = |place: &usize| spec.entities.values().any(|name| *name == columns[*place]);
        let is_session_optional = session.is_some_and(|bound| columns_of(bound).iter().any(of_names));
        let takes_apart = spec.steps.iter().any(|step| matches!(step, PipelineStep::Split(_) | PipelineStep::Wide(_)));
        let mapping =
            Self { columns, bound, extras, lacking, row_number, finds_sessions, takes_apart, is_session_optional };
        mapping.refuse_missing(sources)?;
        Ok(mapping)
    }

    pub(super) fn bound(&self, role: Role) -> Option<&Bound> {
        self.bound[role as usize].as_ref()
    }

    /// Name of the column of `role` in the files, or its canonical name where it is a constant.
    pub(super) fn source_name(&self, role: Role) -> &str {
        match self.bound(role).and_then(|bound| columns_of(bound).first().copied()) {
            Some(place) => &self.columns[place],
            None => role.name(),
        }
    }

    /// For each of [`Mapping::columns`], its index in a file with these columns.
    pub(super) fn positions(&self, file_columns: &[String]) -> Vec<Option<usize>> {
        positions(&self.columns, file_columns)
    }

    /// Refuses a log none of whose files has the columns that every log needs.
    fn refuse_missing(&self, sources: &[Source]) -> Result<(), LogError> {
        let Some(source) = sources.iter().find(|source| !source.is_empty) else { return Ok(()) };
        let has = |role| self.bound(role).is_some();
        for role in [Role::Participant, Role::Level] {
            if !has(role) {
                let takes = |other: Role| other != role && self.source_name(other) == role.name();
                let taker = Role::ALL.into_iter().find(|&other| has(other) && takes(other));
                if let Some(other) = taker {
                    let (needed, column) = (role.name(), role.name().to_owned());
                    let path = source.file.path.clone();
                    return Err(LogError::TakenColumn { path, needed, column, taken_by: other.key() });
                }
                return Err(missing(source, role, role.name()));
            }
        }
        if !has(Role::Action) && !has(Role::StateAfter) {
            return Err(missing(source, Role::Action, "what was done (action, or state_after)"));
        }
        Ok(())
    }
}

fn columns_of(bound: &Bound) -> &[usize] {
    match &bound.origin {
        Origin::Column(place) => std::slice::from_ref(place),
        Origin::FirstOf(places) => places,
        Origin::Constant(_) => &[],
    }
}

/// Places of the columns that say nothing beyond the canonical log. Of several that are read as one, a file may have
/// two: the second of them is not read there.
fn read_whole(bound: &[Option<Bound>], columns: &[String], sources: &[Source]) -> HashSet<usize> {
    let mut whole = HashSet::new();
    let lists = distinct(sources);
    for places in bound.iter().flatten().map(columns_of) {
        let has = |list: &[String], place: usize| list.contains(&columns[place]);
        for (number, &place) in places.iter().enumerate() {
            let is_behind = |list: &[String]| places[..number].iter().any(|&first| has(list, first));
            if !lists.iter().any(|list| has(list, place) && is_behind(list)) {
                whole.insert(place);
            }
        }
    }
    whole
}

fn bind(key: &str, spec: &ColumnSpec, columns: &[String], sources: &[Source]) -> Result<Bound, LogError> {
    let (column, unit, first) = match spec {
        ColumnSpec::Value { value } => {
            return Ok(Bound { origin: Origin::Constant(value.clone()), unit: Unit::Seconds, first: 0 });
        }
        ColumnSpec::Template { template } => (template, &None, &None),
        ColumnSpec::Column { column, unit, first } => (column, unit, first),
        ColumnSpec::FirstOf(list) => {
            let lists = Lists::new(sources.iter().enumerate().map(|(number, source)| (number, &source.output_columns)));
            let n_with = |column: &ColumnSpec| match column {
                ColumnSpec::Column { column, .. } => lists.n_with.get(column.as_str()).copied().unwrap_or(0),
                _ => 0,
            };
            let n = sources.iter().filter(|source| !source.is_empty).count();
            // Where none is there, the message is about the first.
            if let Some(column) = list.iter().find(|column| n_with(column) == n) {
                return bind(key, column, columns, sources);
            }
            let some: Vec<&ColumnSpec> = list.iter().filter(|column| n_with(column) > 0).collect();
            let Some(&column) = some.first().or(list.first().as_ref()) else {
                let reason = "the list is empty; name a column".to_owned();
                return Err(LogError::BadColumn { key: key.to_owned(), reason });
            };
            let first = bind(key, column, columns, sources)?;
            let others =
                some.iter().map(|column| bind(key, column, columns, sources)).collect::<Result<Vec<_>, _>>()?;
            // Of columns with times in several units one is read.
            let is_alike = others.iter().all(|other| (other.unit, other.first) == (first.unit, first.first));
            if others.len() < 2 || !is_alike {
                return Ok(first);
            }
            let places = others.iter().flat_map(columns_of).copied().collect();
            return Ok(Bound { origin: Origin::FirstOf(places), ..first });
        }
    };
    let place = place_of(&format!("[columns] {key}"), column, columns, sources)?;
    let unit = unit.or_else(|| sources.iter().find_map(|source| source.units.get(column).copied()));
    Ok(Bound { origin: Origin::Column(place), unit: unit.unwrap_or(Unit::Seconds), first: first.unwrap_or(0) })
}

/// Place of a column that the study names among those of all files.
fn place_of(key: &str, column: &str, columns: &[String], sources: &[Source]) -> Result<usize, LogError> {
    let place = columns.iter().position(|known| known == column);
    let Some(source) = sources.iter().find(|source| !source.is_empty) else { return Ok(place.unwrap_or_default()) };
    place.ok_or_else(|| LogError::UnknownColumn {
        path: source.file.path.clone(),
        key: key.into(),
        column: column.into(),
        nearest: nearest(column, source.output_columns.iter().map(String::as_str)),
        has: source.output_columns.join(", "),
    })
}

/// Places of the columns that tell one row from another: all that the study names, or those of its preset that there
/// are.
fn row_number(spec: &LogSpec, columns: &[String], sources: &[Source]) -> Result<Vec<usize>, LogError> {
    let place = |name: &String| place_of("row_number of [log]", name, columns, sources);
    match spec.row_number.is_empty() {
        true => Ok(spec.usual_row_number.iter().filter_map(|name| place(name).ok()).collect()),
        false => spec.row_number.iter().map(place).collect(),
    }
}

fn missing(source: &Source, role: Role, needed: &'static str) -> LogError {
    let has = || source.output_columns.iter().map(String::as_str);
    let near = nearest(role.name(), has());
    let example = format!("{} = {:?}", role.key(), near.as_deref().unwrap_or("name in the file"));
    let has = has().collect::<Vec<_>>().join(", ");
    LogError::MissingColumn { path: source.file.path.clone(), needed, nearest: near, has, example }
}

/// For each of these columns, its index in a file with those.
pub(super) fn positions(columns: &[String], file_columns: &[String]) -> Vec<Option<usize>> {
    let places: HashMap<&str, usize> =
        file_columns.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
    columns.iter().map(|name| places.get(name.as_str()).copied()).collect()
}

/// The columns of all files behind the steps, in order of appearance.
pub(super) fn union(sources: &[Source]) -> Vec<String> {
    let mut names = HashSet::new();
    distinct(sources).into_iter().flat_map(|list| list.iter()).filter(|&name| names.insert(name)).cloned().collect()
}

fn extras(columns: &[String], used: &HashSet<usize>) -> Vec<Extra> {
    let mut used_names: HashSet<String> =
        Role::ALL.iter().map(|role| role.name()).chain(WRITTEN_HERE).map(str::to_owned).collect();
    // A name that is free is never taken from its column by the new name of another.
    let clashes: HashSet<String> = used_names.clone();
    used_names.extend(columns.iter().cloned());
    let rest = columns.iter().enumerate().filter(|(place, _)| !used.contains(place));
    rest.map(|(column, name)| {
        let mut name = name.clone();
        if clashes.contains(&name) {
            while !used_names.insert(name.clone()) {
                name = format!("log_{name}");
            }
        }
        Extra { column, name }
    })
    .collect()
}

/// A header of one column with marks that separate is one that was not taken apart.
fn refuse_one_column(sources: &[Source]) -> Result<(), LogError> {
    for source in sources.iter().filter(|source| source.is_delimited()) {
        if let [column] = &*source.output_columns
            && let Some(mark) = [';', '\t', ',', '|'].into_iter().find(|&mark| column.contains(mark))
        {
            return Err(LogError::OneColumn { path: source.file.path.clone(), column: column.clone(), mark });
        }
    }
    Ok(())
}

/// The lists of columns that files have, each once, in the order of the first file of each.
struct Lists<'s> {
    /// The names in each, and the files that have it.
    lists: Vec<(HashSet<&'s str>, Vec<usize>)>,
    /// Number of files that have a column.
    n_with: HashMap<&'s str, usize>,
    n_files: usize,
}

impl<'s> Lists<'s> {
    fn new(files: impl Iterator<Item = (usize, &'s Arc<[String]>)>) -> Self {
        let mut numbers: HashMap<*const String, usize> = HashMap::new();
        let mut lists_of_files = Self { lists: Vec::new(), n_with: HashMap::new(), n_files: 0 };
        for (file, list) in files {
            // By address: equal lists are shared, so that thousands of files need no comparison of texts.
            let number = *numbers.entry(list.as_ptr()).or_insert(lists_of_files.lists.len());
            if number == lists_of_files.lists.len() {
                lists_of_files.lists.push((list.iter().map(String::as_str).collect(), Vec::new()));
            }
            lists_of_files.lists[number].1.push(file);
            lists_of_files.n_files += 1;
        }
        for (names, files) in &lists_of_files.lists {
            names.iter().for_each(|name| *lists_of_files.n_with.entry(name).or_default() += files.len());
        }
        lists_of_files
    }

    fn n_without(&self, name: &str) -> usize {
        self.n_files - self.n_with.get(name).copied().unwrap_or(0)
    }

    /// The first files without a column.
    fn first_without(&self, name: &str) -> Vec<usize> {
        let lists = self.lists.iter().filter(|(names, _)| !names.contains(name));
        let mut files: Vec<usize> = lists.flat_map(|(_, files)| files.iter().take(FILES_NAMED)).copied().collect();
        files.sort_unstable();
        files.truncate(FILES_NAMED);
        files
    }
}

/// The columns that some files have and others lack: of those that are named in the study all, of the rest those of
/// files in which every row has the same columns. What is nested, and JSON rows, may leave out keys.
fn lacking(sources: &[Source], named: &[&str]) -> Vec<Lacking> {
    let files = || sources.iter().enumerate().filter(|(_, source)| !source.is_empty);
    let fixed = || files().filter(|(_, source)| source.has_fixed_columns());
    let all = Lists::new(files().map(|(number, source)| (number, &source.output_columns)));
    let of_fixed = Lists::new(fixed().map(|(number, source)| (number, &source.columns)));
    let is_named: HashSet<&str> = named.iter().copied().collect();
    let mut seen_names = HashSet::new();
    // In the order in which they first come.
    let columns = of_fixed.lists.iter().map(|(_, files)| &sources[files[0]].columns);
    let columns = columns.flat_map(|columns| columns.iter().map(String::as_str));
    let names = named.iter().copied().chain(columns).filter(|name| seen_names.insert(*name));
    let sought = names.map(|name| (name, if is_named.contains(name) { &all } else { &of_fixed }));
    let sought = sought.filter(|(name, lists)| lists.n_without(name) > 0);
    let lacking = |(name, lists): (&str, &Lists<'_>)| Lacking {
        column: name.to_owned(),
        first: lists.first_without(name),
        n_lacking: lists.n_without(name),
        n_files: all.n_files,
    };
    sought.map(lacking).collect()
}

/// The lists of columns behind the steps, each once, in their order.
fn distinct(sources: &[Source]) -> Vec<&Arc<[String]>> {
    let mut seen_lists = HashSet::new();
    sources.iter().map(|source| &source.output_columns).filter(|list| seen_lists.insert(list.as_ptr())).collect()
}

/// Places of columns in each file, by the columns of each; files that share theirs share that, too.
pub(crate) fn positions_of<'s>(
    lists: impl Iterator<Item = &'s Arc<[String]>>,
    of_list: impl Fn(&[String]) -> Vec<Option<usize>>,
) -> Vec<Arc<[Option<usize>]>> {
    let mut known: HashMap<*const String, Arc<[Option<usize>]>> = HashMap::new();
    lists.map(|list| Arc::clone(known.entry(list.as_ptr()).or_insert_with(|| of_list(list).into()))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Log, read_log};
    use super::*;
    use plymap_puzzles::progress::Silent;

    #[test]
    fn an_extra_column_never_hides_a_canonical_one() {
        let columns = ["level", "log_level", "instance", "d_before"].map(str::to_owned);
        let names: Vec<_> = extras(&columns, &HashSet::from([2])).into_iter().map(|extra| extra.name).collect();
        assert_eq!(names, ["log_log_level", "log_level", "d_before"]);
    }

    /// Rows that are read of such files with such entries of a study.
    fn read(files: &[(&str, &str)], entries: &str) -> Result<Log, String> {
        #[derive(Deserialize)]
        struct Tables {
            log: LogSpec,
            #[serde(default)]
            columns: std::collections::BTreeMap<String, ColumnSpec>,
        }
        let folder = tempfile::TempDir::new().unwrap();
        for (name, content) in files {
            std::fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let Tables { log, columns } = toml::from_str(entries).unwrap();
        let files = files.iter().map(|(name, _)| name.into()).collect();
        let spec = LogSpec { files, columns, folder: folder.path().to_owned(), ..log };
        read_log(&spec, &Silent).map_err(|error| error.to_string())
    }

    #[test]
    fn a_column_behind_another_that_is_read_is_kept() {
        let files = [
            ("a.csv", "participant,level,action,grp,arm\na,1,A+1,x,left\n"),
            ("b.csv", "participant,level,action,arm\nb,1,A+1,y\n"),
            ("c.csv", "participant,level,action,grp\nc,1,A+1,z\n"),
        ];
        let log = read(&files, "[log]\n[columns]\ncondition = ['grp', 'arm']").unwrap();
        let arm = log.rows.extra("arm").unwrap();
        let row = |number| (log.rows.at(number).condition(), log.rows.at(number).extra(arm));
        assert_eq!([row(0), row(1)], [(Some("x"), Some("left")), (Some("y"), Some("y"))]);
        let log = read(&files[1..], "[log]\n[columns]\ncondition = ['grp', 'arm']").unwrap();
        assert_eq!((log.rows.at(0).condition(), log.rows.extra("arm")), (Some("y"), None), "it says nothing more");
    }

    #[test]
    fn a_row_number_that_no_file_has_is_refused_but_in_a_preset() {
        let files = [("a.csv", "participant,level,action,trial_index\na,1,A+1,0\n")];
        let refused = read(&files, "[log]\nrow_number = ['trial_indx']").map(|log| log.n_read).unwrap_err();
        assert_eq!(
            refused,
            "a.csv: row_number of [log] names the column \"trial_indx\", which the file does not have (did you mean \
             \"trial_index\"?); it has participant, level, action, trial_index"
        );
        assert_eq!(read(&files, "[log]\npreset = 'jspsych'").map(|log| log.n_read), Ok(1), "no time_elapsed");
    }

    #[test]
    fn a_file_is_compared_with_all_that_are_equal() {
        let rows = "level,action\n1,A+1\n";
        let files = [("P1/a.csv", rows), ("P2/a.csv", rows), ("P2/b.csv", rows)];
        let refused = read(&files, "log.path = '{participant}/{_}.csv'").map(|log| log.n_read).unwrap_err();
        assert!(refused.starts_with("P2/b.csv has the same content as P2/a.csv;"), "{refused}");
        assert_eq!(read(&files[..2], "log.path = '{participant}/{_}.csv'").map(|log| log.n_read), Ok(2));
    }
}
