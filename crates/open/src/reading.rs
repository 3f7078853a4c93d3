//! How the study reads its logs: the first rows with the meaning of each column, and what replay makes of all rows.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Instant;

use plymap_import::{Trial, replayed};
use plymap_log::{
    ColumnSpec, Consequence, DiagnosticSummary, Event, IGNORE, LogDiagnostic, LogError, LogSpec, PipelineStep, Role,
    Sample, Unit, sample, sample_within,
};
use plymap_measures::measure::{AttemptKey, rows_left_out};
use plymap_play::Position;
use plymap_play::page_picture::Board;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::{LoadedLevel, load_levels};
use plymap_run::study::Study;
use serde::Serialize;
use serde_json::Value as Json;

use crate::notes::{NoteView, notes};
use crate::problem::Problem;
use crate::project::Project;

mod account;
mod meaning;
mod table;

use account::Account;
#[cfg(test)]
pub use account::BESIDE_EVENTS;
use meaning::{Meanings, entry};
#[cfg(test)]
pub use table::OUTCOMES;
use table::{ColumnView, FilesAlike, FilesView, RowView};

/// The most cells that are looked at, of all files together.
const MOST_CELLS: u64 = 2_000_000;
/// Number of rows of each file that are looked at for values of events.
const ROWS_OF_EVENTS: u64 = 2_000;
/// The most values of the column of events that are shown.
const EVENTS_SHOWN: usize = 50;
/// The most rows that are shown at once.
const MOST_ROWS: u64 = 200;
/// Number of rows that are shown of those that cannot be used.
const UNUSED_SHOWN: usize = 100;
/// Number of attempts that play, with so many moves of each.
const ATTEMPTS_SHOWN: usize = 3;
const MOVES_SHOWN: usize = 60;

/// The units of times.
const UNITS: [Unit; 7] = [
    Unit::Seconds,
    Unit::Milliseconds,
    Unit::Microseconds,
    Unit::Nanoseconds,
    Unit::Iso8601,
    Unit::EpochSeconds,
    Unit::EpochMilliseconds,
];

/// What columns may be of which moves are made; how they make them is found by replay.
pub const PART_KEYS: [&str; 10] =
    ["piece", "from", "to", "from_row", "from_column", "to_row", "to_column", "direction", "distance", "part"];

/// A reading of the logs.
#[derive(Debug, Serialize)]
pub struct Reading {
    /// The files by their columns, and the number of those that are shown.
    tables: Vec<FilesView>,
    table: usize,
    columns: Vec<ColumnView>,
    rows: Vec<RowView>,
    /// Number of the rows of these files; none where they are not counted.
    n_rows: Option<u64>,
    /// Names of the columns of all files.
    all_columns: Vec<String>,
    roles: Vec<RoleView>,
    part_keys: [&'static str; PART_KEYS.len()],
    events: Vec<EventView>,
    event_names: Vec<&'static str>,
    /// Names that the entry `table` of the study can have.
    table_names: Vec<String>,
    spec: SpecView,
    account: Account,
    /// Why nothing can be replayed: a column that is needed has no meaning yet.
    error: Option<String>,
    #[serde(flatten)]
    totals: Totals,
    seconds: f64,
    notes: Vec<NoteView>,
    diagnostics: Vec<DiagnosticSummary>,
    unused: Vec<LogDiagnostic>,
    attempts: Vec<AttemptView>,
}

/// A meaning that a column can have.
#[derive(Debug, Serialize)]
struct RoleView {
    key: &'static str,
    /// Name of the column that is read so where nothing says another.
    name: &'static str,
    units: Vec<Unit>,
}

/// How the log is read, as the study says it.
#[derive(Debug, Serialize)]
struct SpecView {
    columns: BTreeMap<String, String>,
    /// The entries of these columns, of which a page changes a part.
    entries: BTreeMap<String, Json>,
    steps: Vec<StepView>,
    /// True if the steps stand in the study itself, and not in its preset.
    has_own_steps: bool,
    preset: Option<String>,
    table: Option<String>,
}

/// A step that is taken before columns are read.
#[derive(Debug, Serialize)]
struct StepView {
    name: &'static str,
    text: String,
}

/// A value of the column of events.
#[derive(Debug, Serialize)]
struct EventView {
    value: String,
    /// Event that it means; none where nobody has said it, so that its rows are rejected.
    meaning: Option<String>,
}

/// An attempt that plays.
#[derive(Debug, Serialize)]
struct AttemptView {
    participant: String,
    session: String,
    level: String,
    attempt: i64,
    board: Board,
    frames: Vec<Frame>,
}

/// A position of an attempt, and how it was reached.
#[derive(Debug, Serialize)]
struct Frame {
    position: Position,
    action: String,
    time_s: Option<f64>,
    is_goal: bool,
}

impl Reading {
    /// Reads the logs of the study of a project, and replays all of their rows; of the files of table `number`, `n` rows
    /// from number `first` on are shown.
    ///
    /// # Errors
    ///
    /// The study, its levels or its logs cannot be read.
    pub fn new(project: &Project, number: usize, first: u64, n: u64) -> Result<Self, Problem> {
        let begin = Instant::now();
        let study = project.study()?;
        let levels = loaded(&study)?;
        let spec = study.log_spec().ok_or_else(Problem::no_logs)?;
        let rules: Vec<(&str, &dyn Rules)> =
            levels.iter().map(|level| (level.origin.id.as_str(), &*level.rules)).collect();
        let (trial, error) = match replayed(&spec, &rules, &Silent) {
            Ok(trial) => (Some(trial), None),
            Err(error) => (None, Some(Problem::from(error).error)),
        };
        let n = n.min(MOST_ROWS);
        let sample =
            sample_within(&LogSpec { max_rows: Some((first + n).max(ROWS_OF_EVENTS)), ..spec.clone() }, MOST_CELLS)?;
        let whole = spec.with_preset()?;
        let diagnostics: Vec<&LogDiagnostic> =
            trial.iter().flat_map(|trial| trial.log.diagnostics.iter().chain(&trial.replay.diagnostics)).collect();
        let meanings = Meanings::new(&whole, &sample);
        let made = made(&whole);
        let alike = FilesAlike::all(&sample, &made);
        // The files may have changed since their tables were counted.
        let number = number.min(alike.len().saturating_sub(1));
        let shown = alike.get(number).ok_or_else(|| Problem::conflict("no file of the log has a column"))?;
        let unused = diagnostics.iter().filter(|diagnostic| is_unused(diagnostic)).take(UNUSED_SHOWN);
        Ok(Self {
            tables: alike.iter().map(FilesAlike::view).collect(),
            table: number,
            columns: shown.columns(&spec, &whole, &meanings),
            rows: shown.row_views(&diagnostics, trial.as_ref(), first, n),
            n_rows: trial.as_ref().and_then(|trial| shown.n_rows(trial)),
            all_columns: sample.columns.iter().filter(|name| !made.contains(name.as_str())).cloned().collect(),
            roles: Role::ALL.map(role).into(),
            part_keys: PART_KEYS,
            events: events(&sample, &whole, &meanings, trial.as_ref()),
            event_names: Event::NAMES.into_iter().chain([IGNORE]).collect(),
            table_names: tables(&spec),
            spec: SpecView::new(&whole, &spec, &meanings),
            account: trial.as_ref().map(Account::of).unwrap_or_default(),
            error,
            totals: trial.as_ref().map(|trial| Totals::of(trial, &levels)).unwrap_or_default(),
            notes: notes(&project.text()?.unwrap_or_default()),
            diagnostics: trial.as_ref().map(Trial::diagnostics).unwrap_or_default(),
            unused: unused.map(|&it| it.clone()).collect(),
            attempts: trial.as_ref().map(|trial| attempts(trial, &levels)).unwrap_or_default(),
            seconds: begin.elapsed().as_secs_f64(),
        })
    }
}

/// What replay made of all rows.
#[derive(Debug, Default, Serialize)]
struct Totals {
    /// The share of moves among all rows that should be.
    share: f64,
    n_moves: usize,
    /// Number of rows that should be moves, and cannot be used.
    n_unused: u64,
    /// Number of all rows that cannot be used.
    n_left_over: u64,
    n_attempts: usize,
    n_solved: usize,
    n_participants: usize,
    n_levels: usize,
}

impl Totals {
    fn of(trial: &Trial, levels: &[LoadedLevel]) -> Self {
        // As they are measured: with attempts at known levels of which no row can be used.
        let known: HashSet<&str> = levels.iter().map(|level| level.origin.id.as_str()).collect();
        let diagnostics = trial.log.diagnostics.iter().chain(&trial.replay.diagnostics);
        let lacking = rows_left_out(diagnostics, &known);
        let rows = trial.replay.steps.iter().map(|step| trial.log.rows.at(step.row as usize));
        let places = rows.map(|row| (row.participant(), row.session(), row.level(), row.attempt()));
        let attempts: HashSet<_> = places.chain(lacking.keys().map(borrowed)).collect();
        let n_left_over = trial.log.n_rejected + trial.replay.n_rejected + trial.replay.n_excluded;
        let replayed: HashSet<u32> = trial.replay.steps.iter().map(|step| step.row).collect();
        // Rows that are known to be no moves, such as a reset behind a rejected row.
        let rows = trial.log.rows.iter().zip(0..).filter(|(_, number)| !replayed.contains(number));
        let n_others = rows.filter(|(row, _)| row.event() != Event::Move).count() as u64;
        let n_unused = trial.n_unused.saturating_sub(n_others);
        Self {
            share: trial.n_moves as f64 / (trial.n_moves as f64 + n_unused as f64).max(1.0),
            n_moves: trial.n_moves,
            n_unused,
            n_left_over,
            n_attempts: attempts.len(),
            n_solved: trial.n_solved,
            n_participants: attempts.iter().map(|(participant, ..)| participant).collect::<HashSet<_>>().len(),
            n_levels: attempts.iter().map(|(_, _, level, _)| level).collect::<HashSet<_>>().len(),
        }
    }
}

fn borrowed((participant, session, level, attempt): &AttemptKey) -> (&str, &str, &str, i64) {
    (participant, session, level, *attempt)
}

/// Reads the levels of a study.
///
/// # Errors
///
/// Their faults.
pub fn loaded(study: &Study) -> Result<Vec<LoadedLevel>, Problem> {
    Ok(load_levels(&study.level_files(), &study.level_columns(), study.game(), &study.rule_options())?)
}

fn role(role: Role) -> RoleView {
    let units = if matches!(role, Role::Onset | Role::Rt) { UNITS.to_vec() } else { Vec::new() };
    RoleView { key: role.key(), name: role.name(), units }
}

fn is_unused(diagnostic: &LogDiagnostic) -> bool {
    matches!(diagnostic.consequence, Consequence::Rejected | Consequence::Excluded)
}

impl SpecView {
    /// Describes how a log is read, as the study says it with its preset and by itself.
    fn new(spec: &LogSpec, own: &LogSpec, meanings: &Meanings) -> Self {
        let columns = || spec.columns.iter().map(|(key, column)| (key.as_str(), column)).chain(meanings.of_preset());
        let text = |column: &ColumnSpec| match column {
            ColumnSpec::Template { template } => template.clone(),
            ColumnSpec::Column { column, unit: None, first: None } => column.clone(),
            column => toml::Value::try_from(column).map(|value| value.to_string()).unwrap_or_default(),
        };
        let step = |step: &PipelineStep| StepView {
            name: step.name(),
            text: toml::Value::try_from(step).map(|step| step.to_string()).unwrap_or_default(),
        };
        Self {
            columns: columns().map(|(role, column)| (role.to_owned(), text(column))).collect(),
            entries: columns().map(|(role, column)| (role.to_owned(), entry(column))).collect(),
            steps: spec.steps.iter().map(step).collect(),
            has_own_steps: !own.steps.is_empty(),
            preset: own.preset.clone(),
            table: spec.table.clone(),
        }
    }
}

/// Returns the names of columns that are none of the files, but made of others by templates.
fn made(spec: &LogSpec) -> BTreeSet<&str> {
    fn template(column: &ColumnSpec) -> Option<&str> {
        match column {
            ColumnSpec::Template { template } => Some(template),
            _ => None,
        }
    }
    spec.columns.values().chain(spec.usual_columns.values()).filter_map(template).collect()
}

/// Returns the values of the column of events with their meanings; none where a template makes events.
fn events(sample: &Sample, spec: &LogSpec, meanings: &Meanings, trial: Option<&Trial>) -> Vec<EventView> {
    let places: Vec<usize> =
        meanings.columns_of(Role::Event).iter().filter_map(|column| sample.place(column)).collect();
    if places.is_empty() {
        return Vec::new();
    }
    let of_rows = places.iter().flat_map(|&place| sample.rows.iter().filter_map(move |row| row.cell(place)));
    let listed = spec.events.keys().map(String::as_str);
    let unknown = trial.iter().flat_map(|trial| &trial.log.diagnostics).filter(|it| it.code == "unknown-event");
    // Beyond the rows that were looked at, those that are called as what they mean.
    let logged = trial.iter().flat_map(|trial| trial.log.rows.iter()).map(|row| row.event());
    let logged: BTreeSet<Event> = logged.filter(|event| !spec.events.values().any(|it| it == event.name())).collect();
    let values: BTreeSet<&str> = of_rows
        .chain(listed)
        .chain(unknown.map(|it| it.value.as_str()))
        .chain(logged.iter().map(|event| event.name()))
        .collect();
    let meaning = |value: &str| match spec.events.get(value) {
        Some(event) => Some(event.clone()),
        None if Event::BESIDE_PLAY.contains(&value) => Some(IGNORE.to_owned()),
        None => Event::from_name(value).map(|event| event.name().to_owned()),
    };
    let view = |value: &str| EventView { value: value.to_owned(), meaning: meaning(value) };
    values.into_iter().take(EVENTS_SHOWN).map(view).collect()
}

/// Returns the tables of the files, where the study names one of several.
fn tables(spec: &LogSpec) -> Vec<String> {
    let any = LogSpec { table: None, max_rows: Some(1), max_files: Some(1), ..spec.clone() };
    match spec.table.as_ref().map(|_| sample(&any)) {
        Some(Err(LogError::NoTable { has, .. })) => has,
        _ => Vec::new(),
    }
}

fn attempts(trial: &Trial, levels: &[LoadedLevel]) -> Vec<AttemptView> {
    let mut attempts: Vec<AttemptView> = Vec::new();
    let mut last = None;
    for step in trial.replay.steps.iter().filter(|step| step.played.is_some()) {
        let row = trial.log.rows.at(step.row as usize);
        let rules = &*levels[step.level as usize].rules;
        if last.replace(row.place()) != Some(row.place()) {
            if attempts.len() == ATTEMPTS_SHOWN {
                break;
            }
            attempts.push(AttemptView {
                participant: row.participant().to_owned(),
                session: row.session().to_owned(),
                level: row.level().to_owned(),
                attempt: row.attempt(),
                board: Board::of(&rules.picture(step.before)),
                frames: vec![Frame {
                    position: Position::still(rules, step.before),
                    action: String::new(),
                    time_s: None,
                    is_goal: rules.is_goal(step.before),
                }],
            });
        }
        let frames = &mut attempts.last_mut().expect("one was begun").frames;
        if frames.len() <= MOVES_SHOWN {
            frames.push(Frame {
                position: Position::still(rules, step.after),
                action: row.action().unwrap_or_default().to_owned(),
                time_s: row.rt_s(),
                is_goal: rules.is_goal(step.after),
            });
        }
    }
    attempts
}
