//! How the study reads its logs: the first rows with the meaning of each column, and what replay makes of all rows.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use plymap_import::{Trial, replayed};
use plymap_log::{ColumnSpec, Consequence, DiagnosticSummary, LogDiagnostic, LogSpec, Role, Sample, Unit, sample};
use plymap_play::Position;
use plymap_play::page_picture::Board;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::{LoadedLevel, load_levels};
use plymap_run::study::Study;
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::edit::certainty;
use crate::problem::Problem;
use crate::project::Project;

/// Number of files of which first rows are shown.
const FILES_SHOWN: usize = 3;
/// The most rows that are shown at once.
const MOST_ROWS: u64 = 200;
/// Number of rows that are shown of those that cannot be used.
const UNUSED_SHOWN: usize = 100;
/// Number of attempts that play, with so many moves of each.
const ATTEMPTS_SHOWN: usize = 3;
const MOVES_SHOWN: usize = 60;
/// Number of different values of a column that are shown.
const EXAMPLES_SHOWN: usize = 3;

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
const PART_KEYS: [&str; 6] = ["piece", "from", "to", "direction", "distance", "part"];

/// A reading of the logs.
#[derive(Debug, Serialize)]
pub struct Reading {
    columns: Vec<ColumnView>,
    roles: Vec<RoleView>,
    part_keys: [&'static str; 6],
    spec: SpecView,
    rows: Vec<RowView>,
    n_rows: u64,
    /// Why nothing can be replayed: a column that is needed has no meaning yet.
    error: Option<String>,
    share: f64,
    #[serde(flatten)]
    totals: Totals,
    seconds: f64,
    notes: Vec<NoteView>,
    diagnostics: Vec<DiagnosticSummary>,
    unused: Vec<LogDiagnostic>,
    attempts: Vec<AttemptView>,
}

/// A column of the files.
#[derive(Debug, Serialize)]
struct ColumnView {
    name: String,
    role: Option<&'static str>,
    unit: Option<Unit>,
    /// `part` if moves are made of it and of others.
    part: Option<&'static str>,
    /// True if a template, a step or a filter reads it.
    is_used: bool,
    examples: Vec<String>,
}

/// A meaning that a column can have.
#[derive(Debug, Serialize)]
struct RoleView {
    key: &'static str,
    units: Vec<Unit>,
}

/// How the log is read, as the study says it.
#[derive(Debug, Serialize)]
struct SpecView {
    columns: BTreeMap<String, String>,
    /// The entries of these columns, of which a page changes a part.
    entries: BTreeMap<String, Json>,
    steps: Vec<String>,
    preset: Option<String>,
}

/// A row of the files.
#[derive(Debug, Serialize)]
struct RowView {
    file: String,
    line: u64,
    cells: Vec<Option<String>>,
    outcome: &'static str,
    code: String,
    reason: String,
    fix: String,
}

/// Certainty of an entry and its reason.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct NoteView {
    entry: String,
    certainty: &'static str,
    reason: String,
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
    /// Reads the logs of the study of a project, and replays all of their rows; `n` rows from number `first` on are
    /// shown.
    ///
    /// # Errors
    ///
    /// The study, its levels or its logs cannot be read.
    pub fn new(project: &Project, first: u64, n: u64) -> Result<Self, Problem> {
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
        let shown = LogSpec { max_rows: Some(first + n), max_files: Some(FILES_SHOWN), ..spec.clone() };
        let sample = sample(&shown)?;
        let whole = spec.with_preset()?;
        let diagnostics: Vec<&LogDiagnostic> =
            trial.iter().flat_map(|trial| trial.log.diagnostics.iter().chain(&trial.replay.diagnostics)).collect();
        let totals = trial.as_ref().map(Totals::of).unwrap_or_default();
        Ok(Self {
            columns: columns(&sample, &whole),
            roles: Role::ALL.map(role).into(),
            part_keys: PART_KEYS,
            spec: SpecView::new(&whole, spec.preset.clone()),
            rows: rows(&sample, &diagnostics, trial.as_ref(), first, n),
            n_rows: trial.as_ref().map_or(sample.n_read, |trial| trial.log.n_read),
            error,
            share: trial.as_ref().map_or(0.0, Trial::share),
            totals,
            notes: notes(&project.text()?.unwrap_or_default()),
            diagnostics: trial.as_ref().map(Trial::diagnostics).unwrap_or_default(),
            unused: diagnostics
                .iter()
                .filter(|diagnostic| is_unused(diagnostic))
                .take(UNUSED_SHOWN)
                .map(|&it| it.clone())
                .collect(),
            attempts: trial.as_ref().map(|trial| attempts(trial, &levels)).unwrap_or_default(),
            seconds: begin.elapsed().as_secs_f64(),
        })
    }
}

/// What replay made of all rows.
#[derive(Debug, Default, Serialize)]
struct Totals {
    n_moves: usize,
    n_unused: u64,
    n_attempts: usize,
    n_solved: usize,
    n_participants: usize,
    n_levels: usize,
}

impl Totals {
    fn of(trial: &Trial) -> Self {
        let participants: HashSet<&str> = trial.log.rows.iter().map(|row| row.participant()).collect();
        let levels: HashSet<u32> = trial.replay.steps.iter().map(|step| step.level).collect();
        Self {
            n_moves: trial.n_moves,
            n_unused: trial.n_unused,
            n_attempts: trial.n_attempts,
            n_solved: trial.n_solved,
            n_participants: participants.len(),
            n_levels: levels.len(),
        }
    }
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
    RoleView { key: role.key(), units }
}

fn is_unused(diagnostic: &LogDiagnostic) -> bool {
    matches!(diagnostic.consequence, Consequence::Rejected | Consequence::Excluded)
}

impl SpecView {
    fn new(spec: &LogSpec, preset: Option<String>) -> Self {
        let text = |column: &ColumnSpec| match column {
            ColumnSpec::Template { template } => template.clone(),
            ColumnSpec::Column { column, unit: None, first: None } => column.clone(),
            column => toml::Value::try_from(column).map(|value| value.to_string()).unwrap_or_default(),
        };
        let step = |step| toml::Value::try_from(step).map(|step: toml::Value| step.to_string()).unwrap_or_default();
        Self {
            columns: spec.columns.iter().map(|(role, column)| (role.clone(), text(column))).collect(),
            entries: spec.columns.iter().map(|(role, column)| (role.clone(), entry(column))).collect(),
            steps: spec.steps.iter().map(step).collect(),
            preset,
        }
    }
}

/// Returns the entry of a column as a study has it: its name alone where that says all.
fn entry(column: &ColumnSpec) -> Json {
    match column {
        ColumnSpec::Column { column, unit: None, first: None } => json!(column),
        ColumnSpec::FirstOf(columns) => columns.iter().map(entry).collect(),
        column => json!(column),
    }
}

fn columns(sample: &Sample, spec: &LogSpec) -> Vec<ColumnView> {
    let steps: String =
        spec.steps.iter().filter_map(|step| toml::Value::try_from(step).ok()).map(|step| step.to_string()).collect();
    let view = |(place, name): (usize, &String)| {
        let meaning = Role::ALL.into_iter().find_map(|role| Some((role, read_by(role, name, spec)?)));
        let is_in_template = spec.columns.values().any(|column| column.template_names().contains(name));
        let mut examples: Vec<String> = Vec::new();
        for cell in sample.rows.iter().filter_map(|row| row.cell(place)) {
            if examples.len() < EXAMPLES_SHOWN && !examples.iter().any(|example| example == cell) {
                examples.push(cell.to_owned());
            }
        }
        ColumnView {
            name: name.clone(),
            role: meaning.map(|(role, _)| role.key()),
            unit: meaning.and_then(|(_, unit)| unit),
            part: is_part(name, spec).then_some("part"),
            is_used: is_in_template || steps.contains(&format!("\"{name}\"")),
            examples,
        }
    };
    sample.columns.iter().enumerate().map(view).collect()
}

/// Returns the unit of a column, if a meaning is read from it; a column that is called as a meaning needs no entry.
fn read_by(role: Role, name: &str, spec: &LogSpec) -> Option<Option<Unit>> {
    fn unit_of(column: &ColumnSpec, name: &str) -> Option<Option<Unit>> {
        match column {
            ColumnSpec::Column { column, unit, .. } => (column == name).then_some(*unit),
            ColumnSpec::FirstOf(columns) => columns.iter().find_map(|column| unit_of(column, name)),
            _ => None,
        }
    }
    match spec.columns.get(role.key()) {
        Some(column) => unit_of(column, name),
        None => [role.key(), role.name()].contains(&name).then_some(None),
    }
}

/// Returns true if moves are made of a column and of others.
fn is_part(name: &String, spec: &LogSpec) -> bool {
    spec.columns.get(Role::Action.key()).is_some_and(|column| column.template_names().contains(name))
}

fn rows(sample: &Sample, diagnostics: &[&LogDiagnostic], trial: Option<&Trial>, first: u64, n: u64) -> Vec<RowView> {
    let mut said: HashMap<(&str, u64), &LogDiagnostic> = HashMap::new();
    for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.row > 0) {
        let known = said.entry((diagnostic.file.as_str(), diagnostic.row)).or_insert(diagnostic);
        if diagnostic.consequence < known.consequence {
            *known = diagnostic;
        }
    }
    let steps = trial.iter().flat_map(|trial| trial.replay.steps.iter().map(move |step| (trial, step)));
    let moves: HashSet<(&str, u64)> = steps
        .filter(|(_, step)| step.played.is_some())
        .map(|(trial, step)| trial.log.rows.at(step.row as usize))
        .map(|row| (row.file_name(), row.line()))
        .collect();
    let names: Vec<String> = sample.files.iter().map(|file| file.path.display().to_string()).collect();
    let view = |row: &plymap_log::SampleRow| {
        let place = (names[row.file].as_str(), row.line);
        let diagnostic = said.get(&place);
        let outcome = match diagnostic.map(|diagnostic| diagnostic.consequence) {
            Some(Consequence::Rejected) => "rejected",
            Some(Consequence::Excluded) => "excluded",
            Some(Consequence::LeftOut) => "left-out",
            _ if trial.is_none() => "unread",
            _ if moves.contains(&place) => "move",
            _ => "kept",
        };
        let text = |part: fn(&LogDiagnostic) -> &str| diagnostic.map_or_else(String::new, |it| part(it).to_owned());
        RowView {
            file: names[row.file].clone(),
            line: row.line,
            cells: row.cells.clone(),
            outcome,
            code: text(|diagnostic| &diagnostic.code),
            reason: text(|diagnostic| &diagnostic.rule),
            fix: text(|diagnostic| &diagnostic.fix),
        }
    };
    sample.rows.iter().skip(first as usize).take(n as usize).map(view).collect()
}

/// Returns what the comments of a study say of the certainty of its entries; an entry without is chosen by somebody.
pub fn notes(text: &str) -> Vec<NoteView> {
    let mut notes = Vec::new();
    let mut pending: Vec<(&'static str, String)> = Vec::new();
    let mut section = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(note) = certainty(line) {
            pending.push((note.0, note.1.to_owned()));
        } else if let Some(comment) = line.strip_prefix('#') {
            // Of a meaning without a column: its key stands first.
            let of_key = comment.trim().split_once(": ").and_then(|(key, rest)| {
                let comment = format!("# {rest}");
                let (certainty, reason) = certainty(&comment)?;
                Some(NoteView { entry: format!("{section}.{key}"), certainty, reason: reason.to_owned() })
            });
            notes.extend(of_key);
        } else if line.starts_with('[') {
            section = line.trim_matches(['[', ']']).to_owned();
            pending.clear();
        } else if !line.is_empty() {
            let word = line.trim_start_matches(['{', ' ']).split(['=', ' ']).next().unwrap_or_default();
            let key = word.trim_matches('"');
            let entry = format!("{section}.{key}");
            if pending.is_empty() && section == "columns" {
                pending.push(("chosen", String::new()));
            }
            let of_entry = |(certainty, reason)| NoteView { entry: entry.clone(), certainty, reason };
            notes.extend(pending.drain(..).map(of_entry));
        }
    }
    notes
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_part_of_a_move_where_its_whole_name_stands() {
        let template = |template: &str| ColumnSpec::Template { template: template.to_owned() };
        let action = template("{piece_id} far{`how far`}{step + 1}");
        let spec = LogSpec { columns: [("action".to_owned(), action)].into(), ..LogSpec::default() };
        let is_part = |name: &str| is_part(&name.to_owned(), &spec);
        assert_eq!(["piece_id", "how far", "step"].map(is_part), [true; 3]);
        assert_eq!(["id", "piece", "far", "how", ""].map(is_part), [false; 5]);
    }

    #[test]
    fn comments_of_a_proposal_are_read_again() {
        let text = "# likely: it reads the levels\n[levels]\n# likely: it fits\ngame = \"x\"\n[columns]\n# sure: by name\n\
                    # QUESTION: or not\nrt = \"t\"\nlevel = \"board\"\n# onset: likely: no column tells it\n[log.events]\n\
                    # likely: so called\nmove = \"move\"\n";
        let said: Vec<(String, &str)> = notes(text).into_iter().map(|note| (note.entry, note.certainty)).collect();
        let expected = [
            ("levels.game", "likely"),
            ("columns.rt", "sure"),
            ("columns.rt", "ask"),
            ("columns.level", "chosen"),
            ("columns.onset", "likely"),
            ("log.events.move", "likely"),
        ];
        assert_eq!(said, expected.map(|(entry, certainty)| (entry.to_owned(), certainty)));
    }
}
