//! Outcomes that nobody knows, and those that the log and the replay tell differently.

use super::anomaly::Concerned;
use super::anomaly::{Anomaly, DoctorInput};
use plymap_log::{Event, FileRow};
use plymap_statistics::stats::apa::counted;
use std::collections::{BTreeMap, BTreeSet};

/// Rules of how attempts and trials end.
pub(super) fn anomalies(play: &DoctorInput<'_>) -> Vec<Anomaly> {
    [unknown(play), contradicted(play)].into_iter().flatten().collect()
}

/// Trials of which nobody knows whether they were solved, and what that leaves open.
fn unknown(play: &DoctorInput<'_>) -> Option<Anomaly> {
    let trials = &play.measures.trials;
    let unknown: Vec<_> = trials.iter().filter(|trial| trial.is_solved.is_none()).collect();
    if unknown.is_empty() {
        return None;
    }
    let people: BTreeSet<usize> = unknown.iter().map(|trial| trial.participant).collect();
    let n_solved = trials.iter().filter(|trial| trial.is_solved == Some(true)).count();
    // Bounds instead of an estimate: rows are seldom lost by chance.
    let percent = |n: usize| format!("{:.1}", 100.0 * n as f64 / trials.len() as f64);
    Some(Anomaly {
        code: "unknown-outcomes".to_owned(),
        n: unknown.len() as u64,
        of: trials.len() as u64,
        counted: "trials".to_owned(),
        n_trials: unknown.len() as u64,
        n_participants: people.len() as u64,
        first: Vec::new(),
        message: format!(
            "the outcome of {} of {} is not known, for rows of them were left out: between {} % and {} % were solved",
            unknown.len(),
            counted(trials.len(), "trial"),
            percent(n_solved),
            percent(n_solved + unknown.len())
        ),
        advice: "shares of solved trials are of those whose outcome is known; rejects names the rows".to_owned(),
    })
}

/// Trials of which the log tells another outcome than the replay: by its events, or by a column `solved` of its own.
fn contradicted(play: &DoctorInput<'_>) -> Option<Anomaly> {
    let log = play.labelled;
    let solved = play.log.rows.extra("solved");
    let logged = |row: usize| play.log.rows.at(row).extra(solved?).and_then(truth);
    // Where no row that is used says yes, the rows that say it may be among those that were left out.
    let has_left_out = play.log.steps.iter().any(|step| step.n_left_out > 0);
    let tells_failure = !has_left_out || (0..play.log.rows.len()).any(|row| logged(row) == Some(true));
    let mut concerned = Concerned::new(play);
    let mut trials: BTreeMap<[&str; 3], LoggedOutcome> = BTreeMap::new();
    for attempt in &log.attempts {
        let trial = trials.entry([&attempt.participant, &attempt.session, &attempt.level]).or_default();
        // Whether a goal was reached at all, and since the last reset.
        let (mut reached, mut stands) = (false, false);
        for number in attempt.rows.clone() {
            let row = log.rows.at(number);
            let is_goal = |state| play.levels[row.step.level as usize].rules.is_goal(state);
            // A level may start on a goal, so that the position before the row counts too.
            let at_goal = reached || is_goal(row.step.before);
            match row.event {
                Event::Solved if !at_goal => trial.falsely_solved.push(log.places[number]),
                Event::GiveUp if stands => trial.falsely_given_up.push(log.places[number]),
                Event::Reset => stands = false,
                _ => {}
            }
            let is_solving = row.label.is_some_and(|label| label.is_goal);
            (reached, stands) = (at_goal || is_solving, stands || is_solving);
            if logged(row.step.row as usize) == Some(true) {
                trial.called_solved.push(log.places[number]);
            }
        }
        trial.is_reached |= reached;
        if let Some(last) = attempt.rows.clone().last().filter(|_| reached)
            && tells_failure
            && logged(log.rows.at(last).step.row as usize) == Some(false)
        {
            trial.falsely_given_up.push(log.places[last]);
        }
    }
    let unknown: BTreeSet<[&str; 3]> = play
        .measures
        .trials
        .iter()
        .filter(|trial| trial.is_solved.is_none())
        .map(|trial| {
            [&play.measures.participants[trial.participant], trial.session.as_str(), &play.measures.levels[trial.level]]
        })
        .collect();
    let (mut n_solved, mut n_given_up) = (0, 0);
    concerned.of = trials.len() as u64;
    for (name, mut trial) in trials {
        // Where rows were left out, the goal may have been reached in them.
        if !trial.is_reached && !unknown.contains(&name) {
            trial.falsely_solved.append(&mut trial.called_solved);
        }
        n_solved += u64::from(!trial.falsely_solved.is_empty());
        n_given_up += u64::from(!trial.falsely_given_up.is_empty());
        if let Some(&place) = trial.falsely_solved.iter().chain(&trial.falsely_given_up).min() {
            concerned.n += 1;
            concerned.add_trial(name, Some(place));
        }
    }
    let said = [
        of_trials(n_solved, "that a goal was reached, and none was"),
        of_trials(n_given_up, "that no goal was reached, or that somebody gave up, and a goal was reached"),
    ];
    let message = said.into_iter().flatten().collect::<Vec<_>>().join("; ");
    let advice =
        "what the replay shows counts. Check the goal rule in [rules], and whether the last moves are in the log";
    concerned.anomaly("outcome-contradicts-replay", "trials", &message, advice)
}

fn of_trials(n: u64, text: &str) -> Option<String> {
    (n > 0).then(|| format!("the log says of {} {text}", counted(n, "trial")))
}

/// Outcome of a trial as the log tells it.
#[derive(Default)]
struct LoggedOutcome {
    is_reached: bool,
    /// Rows that say `solved` in a column.
    called_solved: Vec<FileRow>,
    falsely_solved: Vec<FileRow>,
    falsely_given_up: Vec<FileRow>,
}

fn truth(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "1" | "yes" => Some(true),
        "false" | "0" | "no" => Some(false),
        _ => None,
    }
}
