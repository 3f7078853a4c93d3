//! The tables of what was measured: attempts, trials, participants, levels and conditions.

use std::collections::BTreeMap;

use super::{Measures, Summary, Trial};
use crate::table::{Columns, Table};
use plymap_puzzles::game::Unit;

const LEFT_OUT: &str =
    "rows that were rejected or excluded, those behind a solution or give-up left out; see the table rejects";

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

/// What that column means.
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
struct TrialGroup<'a> {
    name: &'a str,
    /// The condition that all of them have.
    condition: Option<&'a str>,
    n_participants: u64,
    summary: Summary,
}

impl<'a> TrialGroup<'a> {
    fn new(name: &'a str, trials: &[&'a Trial]) -> Self {
        let mut participants: Vec<usize> = trials.iter().map(|trial| trial.participant).collect();
        participants.sort_unstable();
        participants.dedup();
        let first = trials.first().and_then(|trial| trial.condition.as_deref());
        let condition = first.filter(|_| trials.iter().all(|trial| trial.condition.as_deref() == first));
        Self {
            name,
            condition,
            n_participants: participants.len() as u64,
            summary: Summary::new(trials.iter().copied()),
        }
    }
}

/// Trials by a name of each, in ascending order of the names.
fn groups<'a>(trials: &'a [Trial], name: impl Fn(&'a Trial) -> &'a str) -> Vec<TrialGroup<'a>> {
    let mut groups: BTreeMap<&str, Vec<&Trial>> = BTreeMap::new();
    for trial in trials {
        groups.entry(name(trial)).or_default().push(trial);
    }
    groups.into_iter().map(|(name, trials)| TrialGroup::new(name, &trials)).collect()
}

impl Columns {
    fn n_participants(self, rows: &[TrialGroup]) -> Self {
        self.count(rows, "n_participants", "number of participants", |row| row.n_participants)
    }

    fn of_groups(self, rows: &[TrialGroup], unit: Unit) -> Self {
        self.of_trials(rows, unit, |row| &row.summary).of_moves(rows, unit, |row| &row.summary.tally)
    }
}

/// The table `participants`: one row for each participant.
pub fn participants_table(measures: &Measures) -> Table {
    let rows = groups(&measures.trials, |trial| &measures.participants[trial.participant]);
    Columns::new()
        .text(&rows, "participant", "who played", |row| row.name.to_owned())
        .label(&rows, "condition", "experimental condition, if all trials of the participant have the same", |row| {
            row.condition.map(str::to_owned)
        })
        .of_groups(&rows, measures.unit)
        .into_table("participants", "Each participant over all trials.")
}

/// The table `level_play`: one row for each level that was played.
pub fn level_play_table(measures: &Measures) -> Table {
    let rows = groups(&measures.trials, |trial| &measures.levels[trial.level]);
    Columns::new()
        .text(&rows, "level", "level that was played", |row| row.name.to_owned())
        .n_participants(&rows)
        .of_groups(&rows, measures.unit)
        .into_table("level_play", "Each level over all trials at it.")
}

/// What stands for all trials, and for those without a condition, in the table `conditions`.
const ALL_CONDITIONS: &str = "(all)";
const NO_CONDITION: &str = "(none)";

/// The table `conditions`: one row for all trials, and one for each experimental condition of the log.
pub fn conditions_table(measures: &Measures) -> Table {
    let trials = &measures.trials;
    let mut rows = vec![TrialGroup::new(ALL_CONDITIONS, &trials.iter().collect::<Vec<_>>())];
    if trials.iter().any(|trial| trial.condition.is_some()) {
        rows.extend(groups(trials, |trial| trial.condition.as_deref().unwrap_or(NO_CONDITION)));
    }
    let unit = measures.unit;
    let meaning = "experimental condition of the trial's first row that has one; `(all)` for all trials, `(none)` for those without a condition";
    Columns::new()
        .text(&rows, "condition", meaning, |row| row.name.to_owned())
        .n_participants(&rows)
        .of_groups(&rows, unit)
        .into_table("conditions", "All trials, and those of each experimental condition.")
}
