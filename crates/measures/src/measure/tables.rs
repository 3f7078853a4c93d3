//! The tables of what was measured: attempts, trials, participants, levels and conditions.

use super::Measures;
use super::registry::MeasureColumns;
use super::summary::Summary;
use super::trial::Trial;
use plymap_puzzles::game::Unit;
use plymap_tables::{Columns, Table};
use std::collections::BTreeMap;

const LEFT_OUT: &str =
    "rows that were rejected or excluded, those behind a solution, give-up or limit left out; see the table rejects";

/// The table `attempts`: one row for each run at a level between resets.
pub fn attempts_table(measures: &Measures) -> Table {
    let (rows, unit) = (&measures.attempts, measures.unit);
    let columns = Columns::new()
        .text(rows, "participant", "who played", |row| row.participant.clone())
        .text(rows, "session", "sitting", |row| row.session.clone())
        .text(rows, "level", "level that was played", |row| row.level.clone())
        .whole(rows, "attempt", "", "number of the attempt, as logged or derived", |row| Some(row.attempt))
        .flag(rows, solved_name(unit), solved_meaning(unit), |row| {
            if row.is_solved() { Some(true) } else { (row.tally.n_left_out == 0).then_some(false) }
        })
        .count(rows, "n_left_out", LEFT_OUT, |row| row.tally.n_left_out);
    let columns = match unit.is_distance() {
        true => columns,
        false => columns
            .flag(rows, "reached_target", "whether it ends with the target reached", |row| Some(row.reaches_goal)),
    };
    columns
        .of_attempt(rows, unit)
        .of_moves(rows, unit, |row| &row.tally)
        .into_table("attempts", "Each run at a level between resets.")
}

/// The name of the column that says whether a level was solved, or, where values are points, a game finished.
fn solved_name(unit: Unit) -> &'static str {
    if unit.is_distance() { "solved" } else { "finished" }
}

/// Meaning of that column.
fn solved_meaning(unit: Unit) -> &'static str {
    if unit.is_distance() {
        "whether the level was solved; empty if it was not, but rows were left out"
    } else {
        "whether a game was played to its end, or to its target; empty if none was, but rows were left out"
    }
}

/// The table `trials`: one row for each participant at each level.
pub fn trials_table(measures: &Measures) -> Table {
    let (rows, unit) = (&measures.trials[..], measures.unit);
    Columns::new()
        .text(rows, "participant", "who played", |row| measures.participants[row.participant].clone())
        .text(rows, "session", "sitting", |row| row.session.clone())
        .text(rows, "level", "level that was played", |row| measures.levels[row.level].clone())
        .label(rows, "condition", "experimental condition: that of the trial's first row that has one", |row| {
            row.condition.clone()
        })
        .whole(
            rows,
            "trial_number",
            "",
            "number of the trial within its participant, from 1, in the order in which their first rows stand in the log",
            |row| Some(row.order? as i64 + 1),
        )
        .flag(rows, solved_name(unit), solved_meaning(unit), |row| row.is_solved)
        .count(rows, "n_left_out", LEFT_OUT, |row| row.tally.n_left_out)
        .of_trial(rows, unit)
        .of_moves(rows, unit, |row| &row.tally)
        .into_table(
            "trials",
            if unit.is_distance() {
                "Each participant at each level, up to and including the first solution."
            } else {
                "Each participant at each level, all games."
            },
        )
}

/// Trials of one participant, of one level or of one condition, taken together.
#[derive(Default)]
struct TrialGroup {
    name: String,
    /// The condition that all of them have.
    condition: Option<String>,
    n_participants: u64,
    last_participant: Option<String>,
    summary: Summary,
}

impl TrialGroup {
    fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Takes one more trial, in the order of participants.
    fn push(&mut self, trial: &Trial, participant: &str) {
        if self.summary.n_trials == 0 {
            self.condition.clone_from(&trial.condition);
        } else if self.condition != trial.condition {
            self.condition = None;
        }
        if self.last_participant.as_deref() != Some(participant) {
            self.n_participants += 1;
            self.last_participant = Some(participant.to_owned());
        }
        self.summary.push(trial);
    }
}

/// Trials by a name of each, in ascending order of the names.
#[derive(Default)]
struct TrialGroups(BTreeMap<String, TrialGroup>);

impl TrialGroups {
    fn push(&mut self, name: &str, trial: &Trial, participant: &str) {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_owned(), TrialGroup::named(name));
        }
        if let Some(group) = self.0.get_mut(name) {
            group.push(trial, participant);
        }
    }

    fn into_rows(self) -> Vec<TrialGroup> {
        self.0.into_values().collect()
    }
}

/// Columns of tables that group trials.
trait GroupColumns {
    fn n_participants(self, rows: &[TrialGroup]) -> Self;

    fn of_groups(self, rows: &[TrialGroup], unit: Unit) -> Self;
}

impl GroupColumns for Columns {
    fn n_participants(self, rows: &[TrialGroup]) -> Self {
        self.count(rows, "n_participants", "number of participants", |row| row.n_participants)
    }

    fn of_groups(self, rows: &[TrialGroup], unit: Unit) -> Self {
        self.of_trials(rows, unit, |row| &row.summary).of_moves(rows, unit, |row| &row.summary.tally)
    }
}

/// The table `participants`: one row for each participant.
pub fn participants_table(measures: &Measures) -> Table {
    let mut groups = TrialGroups::default();
    for trial in &*measures.trials {
        let participant = &measures.participants[trial.participant];
        groups.push(participant, trial, participant);
    }
    let rows = groups.into_rows();
    Columns::new()
        .text(&rows, "participant", "who played", |row| row.name.clone())
        .label(&rows, "condition", "experimental condition, if all trials of the participant have the same", |row| {
            row.condition.clone()
        })
        .of_groups(&rows, measures.unit)
        .into_table("participants", "Each participant over all trials.")
}

/// The table `level_play`: one row for each level that was played.
pub fn level_play_table(measures: &Measures) -> Table {
    let mut levels = LevelPlay::default();
    levels.push(measures);
    levels.into_table()
}

/// The table `level_play` while it is made.
#[derive(Default)]
pub struct LevelPlay {
    groups: TrialGroups,
    unit: Unit,
}

impl LevelPlay {
    /// Takes the trials of more participants, in their order.
    pub fn push(&mut self, measures: &Measures) {
        self.unit = measures.unit;
        for trial in &*measures.trials {
            self.groups.push(&measures.levels[trial.level], trial, &measures.participants[trial.participant]);
        }
    }

    /// The table.
    pub fn into_table(self) -> Table {
        let rows = self.groups.into_rows();
        Columns::new()
            .text(&rows, "level", "level that was played", |row| row.name.clone())
            .n_participants(&rows)
            .of_groups(&rows, self.unit)
            .into_table("level_play", "Each level over all trials at it.")
    }
}

/// Names of all trials, and of those without a condition, in the table `conditions`.
const ALL_CONDITIONS: &str = "(all)";
const NO_CONDITION: &str = "(none)";

/// The table `conditions`: one row for all trials, and one for each experimental condition of the log.
pub fn conditions_table(measures: &Measures) -> Table {
    let mut conditions = Conditions::default();
    conditions.push(measures);
    conditions.into_table()
}

/// The table `conditions` while it is made.
#[derive(Default)]
pub struct Conditions {
    all: TrialGroup,
    groups: TrialGroups,
    has_any: bool,
    unit: Unit,
}

impl Conditions {
    /// Takes the trials of more participants, in their order.
    pub fn push(&mut self, measures: &Measures) {
        self.unit = measures.unit;
        for trial in &*measures.trials {
            let participant = &measures.participants[trial.participant];
            self.has_any |= trial.condition.is_some();
            self.all.push(trial, participant);
            self.groups.push(trial.condition.as_deref().unwrap_or(NO_CONDITION), trial, participant);
        }
    }

    /// The table.
    pub fn into_table(self) -> Table {
        let mut rows = vec![TrialGroup { name: ALL_CONDITIONS.to_owned(), ..self.all }];
        if self.has_any {
            rows.extend(self.groups.into_rows());
        }
        let meaning = "experimental condition of the trial's first row that has one; `(all)` for all trials, `(none)` for those without a condition";
        Columns::new()
            .text(&rows, "condition", meaning, |row| row.name.clone())
            .n_participants(&rows)
            .of_groups(&rows, self.unit)
            .into_table("conditions", "All trials, and those of each experimental condition.")
    }
}
