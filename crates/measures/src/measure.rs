//! From labelled moves to what is measured of attempts, trials, participants and levels.
//!
//! A trial is one participant at one level (in one sitting): all attempts up to and including the first
//! that reaches a goal. What is played after that solution is counted, but not measured. Where values are
//! points, each attempt is a game, and a trial is all of them. An attempt ends where it solves the level, or with a
//! give-up or a limit: what its rows tell after that is counted, but not measured ([`AttemptEnd`]). It lasts until that
//! end, which may be long after its last move; a trial without a move is a trial, of 0 moves.
//!
//! Everything here is a count, a sum, a share or a median of labelled rows; nothing is estimated.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::label::{LabelledAttempt, LabelledLog, LabelledRow, Quality, unit_of};
use plymap_log::{Consequence, Event, FileRow, LogIssue};
use plymap_puzzles::game::Unit;
use plymap_puzzles::valuation::ValuedLevel;

mod amounts;
mod attempt_end;
mod registry;
mod summary;
mod tables;
#[cfg(test)]
mod tests;

pub use amounts::Amounts;
pub use attempt_end::AttemptEnd;
pub use registry::{
    EXCESS_MOVES, FIRST_MOVE_LATENCY, MEAN_EXCESS_MOVES, MEAN_REGRET, MEASURES, MEDIAN_INTER_MOVE, Measure,
    MeasureColumns, MeasureValue, N_MOVES, N_SOLVED, N_TRIALS, Needs, SHARE_OPTIMAL, SHARE_OPTIMAL_BY_CHANCE, TIME,
};
pub use summary::Summary;
pub use tables::{Conditions, LevelPlay};
pub use tables::{attempts_table, conditions_table, level_play_table, participants_table, trials_table};

/// The measures of a run of moves; those of a longer run are the sum of its parts.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    /// Number of moves.
    pub n_moves: u64,
    /// Sum of the costs of the moves in the level's metric: n_moves where each move counts 1; where values
    /// are points, the points that were gained.
    pub cost_sum: u64,
    /// Number of moves of each quality, in the order of [`Quality::ALL`].
    pub n_by_quality: [u64; Quality::ALL.len()],
    /// Number of optimal moves.
    pub n_optimal: u64,
    /// Number of moves with a chance level: all that were made where a move was possible.
    pub n_choices: u64,
    /// Sum of n_optimal / n_legal over those moves.
    pub chance_sum: f64,
    /// Sum of regret over the moves that have one, and their number.
    pub regret_sum: f64,
    /// Number of moves that have a regret.
    pub n_regrets: u64,
    /// Number of moves that lead back to the position before the previous one.
    pub n_undos: u64,
    /// Number of moves to a position that the attempt had been in.
    pub n_revisits: u64,
    /// Number of moves after the level was solved; all rows behind the solution are counted nowhere else.
    pub n_after_goal: u64,
    /// Number of moves after a give-up or a limit, in the same attempt; all rows behind it are counted nowhere else.
    pub n_after_give_up: u64,
    /// Number of rows of each other event.
    pub n_events: BTreeMap<Event, u64>,
    /// Sum of the times of all rows, in whole nanoseconds: sums of seconds would depend on their order,
    /// and equal times would no longer tie. Logs that give the time of day as the time of a move (1.8e18 ns) are
    /// summed like any other; what no sum can hold stays at the largest.
    pub time_ns: i128,
    /// Rows that have a time: moves, and what else takes time, such as waiting until a limit.
    pub n_times: u64,
    /// Rows whose time is missing, the first rows of attempts left out.
    pub n_times_missing: u64,
    /// Attempts whose first row has no time: their clock starts with that row.
    pub n_starts_untimed: u64,
    /// Times of first moves.
    pub first_latencies_s: Amounts,
    /// Times of all later moves, by the quality of the move, in the order of [`Quality::ALL`].
    pub inter_move_s: [Amounts; Quality::ALL.len()],
    /// Rows that were rejected or excluded, those behind the end of an attempt left out.
    pub n_left_out: u64,
}

impl Tally {
    /// Adds another run of moves to this one.
    pub fn add(&mut self, other: &Self) {
        self.n_moves += other.n_moves;
        self.cost_sum += other.cost_sum;
        for (sum, count) in self.n_by_quality.iter_mut().zip(other.n_by_quality) {
            *sum += count;
        }
        self.n_optimal += other.n_optimal;
        self.n_choices += other.n_choices;
        self.chance_sum += other.chance_sum;
        self.regret_sum += other.regret_sum;
        self.n_regrets += other.n_regrets;
        self.n_undos += other.n_undos;
        self.n_revisits += other.n_revisits;
        self.n_after_goal += other.n_after_goal;
        self.n_after_give_up += other.n_after_give_up;
        for (&event, count) in &other.n_events {
            *self.n_events.entry(event).or_default() += count;
        }
        self.time_ns = self.time_ns.saturating_add(other.time_ns);
        self.n_times += other.n_times;
        self.n_times_missing += other.n_times_missing;
        self.n_starts_untimed += other.n_starts_untimed;
        self.first_latencies_s.add(&other.first_latencies_s);
        for (times, others) in self.inter_move_s.iter_mut().zip(&other.inter_move_s) {
            times.add(others);
        }
        self.n_left_out += other.n_left_out;
    }

    /// Gives back what was taken ahead for more times.
    fn shrink(&mut self) {
        self.first_latencies_s.shrink();
        self.inter_move_s.iter_mut().for_each(Amounts::shrink);
    }

    /// Share of optimal moves; absent without moves.
    pub fn share_optimal(&self) -> Option<f64> {
        share(self.n_optimal, self.n_moves)
    }

    /// Mean of n_optimal / n_legal over the moves: the share of optimal moves that uniformly random choice would reach
    /// in the same positions.
    pub fn share_optimal_by_chance(&self) -> Option<f64> {
        (self.n_choices > 0).then(|| self.chance_sum / self.n_choices as f64)
    }

    /// Number of moves that have no regret: illegal ones, and those into dead ends or from there.
    pub fn n_without_regret(&self) -> u64 {
        self.n_moves - self.n_regrets
    }

    /// Mean regret over the moves that have one.
    pub fn mean_regret(&self) -> Option<f64> {
        (self.n_regrets > 0).then(|| self.regret_sum / self.n_regrets as f64)
    }

    /// Time of the run; absent if the time of any row but first ones is missing, or there is no time.
    pub fn time_s(&self) -> Option<f64> {
        (self.n_times_missing == 0 && self.n_times > 0).then_some(self.time_ns as f64 / 1e9)
    }

    /// Median time of the moves after a first one.
    pub fn median_inter_move_s(&self) -> Option<f64> {
        let mut all = Amounts::default();
        self.inter_move_s.iter().for_each(|times| all.add(times));
        all.median()
    }

    /// Median time of first moves.
    pub fn median_first_latency_s(&self) -> Option<f64> {
        self.first_latencies_s.median()
    }

    /// Number of rows of an event.
    pub fn n_of(&self, event: Event) -> u64 {
        self.n_events.get(&event).copied().unwrap_or(0)
    }
}

fn share(count: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| count as f64 / of as f64)
}

/// One run at a level between resets.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Attempt {
    /// Who played.
    pub participant: String,
    /// In which sitting.
    pub session: String,
    /// At which level.
    pub level: String,
    /// Number of the attempt, as logged.
    pub attempt: i64,
    /// Experimental condition of its first row that has one.
    pub condition: Option<String>,
    /// Value of the position at its start, in the unit of the measures.
    pub start_value: Option<f64>,
    /// Value of the position at its end.
    pub end_value: Option<f64>,
    /// How it ends.
    pub end: AttemptEnd,
    /// Whether it ends in a goal: the level solved, or the target reached.
    pub reaches_goal: bool,
    /// What happened in it.
    #[serde(with = "shared")]
    pub tally: Arc<Tally>,
    /// Whether a row was added to it.
    pub has_rows: bool,
}

impl Attempt {
    /// What was spent beyond the distance at its start, in the level's metric; absent if it does not solve the level, or rows
    /// of it were left out.
    pub fn excess_moves(&self) -> Option<f64> {
        let is_whole = self.is_solved() && self.tally.n_left_out == 0;
        Some(self.tally.cost_sum as f64 - self.start_value.filter(|_| is_whole)?)
    }

    /// Adds the next row.
    pub fn push(&mut self, row: &LabelledRow) {
        let tally = Arc::make_mut(&mut self.tally);
        if row.is_time_in_next {
            *tally.n_events.entry(row.event).or_default() += u64::from(self.end.measures(row));
            return;
        }
        let is_first = !self.has_rows;
        self.has_rows = true;
        if !self.end.measures(row) {
            let n_after = match self.end {
                AttemptEnd::GaveUp | AttemptEnd::Limit => &mut tally.n_after_give_up,
                _ => &mut tally.n_after_goal,
            };
            *n_after += u64::from(row.made().is_some());
            return;
        }
        self.end = self.end.after(row);
        match row.rt_s {
            Some(time) => {
                tally.time_ns = tally.time_ns.saturating_add((time * 1e9).round() as i128);
                tally.n_times += 1;
            }
            // The clock starts with a start event; it needs no time of its own.
            None if is_first => tally.n_starts_untimed += u64::from(row.event != Event::Start),
            None => tally.n_times_missing += 1,
        }
        let Some((played, label)) = row.made() else {
            *tally.n_events.entry(row.event).or_default() += 1;
            return;
        };
        if played.ply == 0 {
            self.start_value = label.value_before();
        }
        self.end_value = label.value_after();
        self.reaches_goal = label.is_goal;
        tally.n_moves += 1;
        tally.cost_sum += u64::from(played.cost);
        tally.n_by_quality[label.quality.index()] += 1;
        tally.n_optimal += u64::from(label.is_optimal());
        tally.n_undos += u64::from(played.is_undo);
        tally.n_revisits += u64::from(played.is_revisit);
        if let Some(chance) = label.chance() {
            tally.n_choices += 1;
            tally.chance_sum += chance;
        }
        if let Some(regret) = label.regret {
            tally.n_regrets += 1;
            tally.regret_sum += regret;
        }
        match row.rt_s {
            Some(time) if played.ply == 0 => tally.first_latencies_s.push(time),
            Some(time) => tally.inter_move_s[label.quality.index()].push(time),
            None => {}
        }
    }

    /// Whether it ends with the level solved, or, where values are points, with the end of the game.
    pub fn is_solved(&self) -> bool {
        self.end == AttemptEnd::Finished
    }
}

/// What is measured of the attempt that ended a trial.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Solution {
    /// Number of the attempt, as logged.
    pub attempt: i64,
    /// Number of its moves.
    pub n_moves: u64,
    /// Its time, in seconds.
    pub time_s: Option<f64>,
    /// See [`Attempt::excess_moves`].
    pub excess_moves: Option<f64>,
}

impl Solution {
    fn new(of: &Attempt) -> Self {
        let (n_moves, time_s) = (of.tally.n_moves, of.tally.time_s());
        Self { attempt: of.attempt, n_moves, time_s, excess_moves: of.excess_moves() }
    }
}

/// One participant at one level: all attempts up to and including the first solution.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Trial {
    /// Number of the participant in [`Measures::participants`].
    pub participant: usize,
    /// Number of the level in [`Measures::levels`].
    pub level: usize,
    /// Sitting.
    pub session: String,
    /// Experimental condition of the first attempt that has one.
    pub condition: Option<String>,
    /// Place of the trial among those of its participant, from 0, in the order of the log; absent where the order in
    /// which levels were played is not known.
    pub order: Option<usize>,
    /// Whether the level was solved, or, where values are points, a game played to its end; absent if it was not, but
    /// rows of the trial were left out.
    pub is_solved: Option<bool>,
    /// Number of moves over all attempts; absent where rows were left out.
    pub n_moves: Option<f64>,
    /// Time over all attempts, in seconds; absent where rows were left out.
    pub time_s: Option<f64>,
    /// What was spent beyond the fewest possible, over all attempts, in the level's metric; absent if the level was not
    /// solved, if rows were left out, or if an attempt did not begin at the level's start.
    pub excess_moves: Option<f64>,
    /// Share of optimal moves; absent where rows were left out.
    pub share_optimal: Option<f64>,
    /// Mean regret over the moves that have one: neither illegal, nor into a dead end or from there; absent where rows
    /// were left out.
    pub mean_regret: Option<f64>,
    /// Time of the first move of the first attempt, in seconds; absent where it has none.
    pub first_move_latency_s: Option<f64>,
    /// Median time of the moves after a first one, in seconds; absent where rows were left out.
    pub median_inter_move_s: Option<f64>,
    /// Attempts up to and including the first solution.
    pub n_attempts: u64,
    /// Attempts after the first solution; not measured.
    pub n_attempts_after: u64,
    /// Distance to the goal at the start of the level, where values are distances.
    pub start_distance: Option<u32>,
    /// The first attempt that solved the level, or, where values are points, was played to the end.
    pub solution: Option<Solution>,
    /// Attempts that reached a goal; more than one only where values are points and each attempt is a game.
    pub n_goals: u64,
    /// The most points that an attempt gained, where values are points.
    pub best_score: u64,
    /// What happened in all attempts up to and including the first solution, as far as it is known. That of a single
    /// attempt is its own.
    #[serde(serialize_with = "shared::serialize")]
    pub tally: Arc<Tally>,
}

impl Trial {
    /// The trial of these attempts of one participant at one level.
    fn new(
        (participant, level): (usize, usize),
        attempts: &[Attempt],
        start_distance: Option<u32>,
        unit: Unit,
    ) -> Self {
        let first = attempts.first();
        let mut trial = Self {
            participant,
            level,
            session: first.map_or_else(String::new, |attempt| attempt.session.clone()),
            condition: attempts.iter().find_map(|attempt| attempt.condition.clone()),
            start_distance,
            first_move_latency_s: first.and_then(first_latency),
            ..Self::default()
        };
        let mut starts_regularly = true;
        for attempt in attempts {
            // A level is solved once; games for points go on.
            if trial.solution.is_some() && unit.is_distance() {
                trial.n_attempts_after += 1;
                continue;
            }
            trial.n_attempts += 1;
            trial.n_goals += u64::from(attempt.reaches_goal);
            trial.best_score = trial.best_score.max(attempt.tally.cost_sum);
            starts_regularly &= attempt.tally.n_moves == 0 || attempt.start_value == start_distance.map(f64::from);
            match trial.n_attempts {
                1 => trial.tally = attempt.tally.clone(),
                _ => Arc::make_mut(&mut trial.tally).add(&attempt.tally),
            }
            if trial.solution.is_none() {
                trial.solution = attempt.is_solved().then(|| Solution::new(attempt));
            }
        }
        trial.measure(starts_regularly);
        trial
    }

    /// Takes the measures of the whole trial: none where rows were left out.
    fn measure(&mut self, starts_regularly: bool) {
        let tally = &self.tally;
        let is_whole = tally.n_left_out == 0;
        self.is_solved = if self.solution.is_some() { Some(true) } else { is_whole.then_some(false) };
        if !is_whole {
            return;
        }
        self.n_moves = Some(tally.n_moves as f64);
        self.time_s = tally.time_s();
        self.share_optimal = tally.share_optimal();
        self.mean_regret = tally.mean_regret();
        self.median_inter_move_s = tally.median_inter_move_s();
        if let Some(distance) = self.start_distance.filter(|_| self.solution.is_some() && starts_regularly) {
            self.excess_moves = Some((tally.cost_sum as i64 - i64::from(distance)) as f64);
        }
    }

    /// Whether the level was solved in the fewest moves; unknown where the excess of a solved trial is.
    pub fn is_perfect(&self) -> Option<bool> {
        match self.solution {
            Some(_) => self.excess_moves.map(|excess| excess == 0.0),
            None => self.is_solved,
        }
    }
}

/// All measures of a study, from the finest to the coarsest.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Measures {
    /// Names of the participants, ascending.
    pub participants: Vec<String>,
    /// Names of the levels that were played, ascending.
    pub levels: Vec<String>,
    /// By participant, session, level and attempt.
    pub attempts: Vec<Attempt>,
    /// By participant, session and level.
    #[serde(serialize_with = "shared::serialize")]
    pub trials: Arc<Vec<Trial>>,
    /// Unit of values, regrets and costs.
    pub unit: Unit,
}

/// What is shared, serialized as if it were not.
pub mod shared {
    use super::Arc;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes what is shared.
    ///
    /// # Errors
    ///
    /// As the serializer.
    pub fn serialize<T: Serialize, S: Serializer>(shared: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
        (**shared).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Arc<T>, D::Error> {
        T::deserialize(from).map(Arc::new)
    }
}

/// How prose says that a trial came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Of a trial: `solved`, or `finished` where values are points.
    pub solved: &'static str,
    /// What its time is the time of: `time to solve`, or `time of the game`.
    pub time: &'static str,
}

impl Measures {
    /// The words for what players bring to an end.
    pub fn words(&self) -> Words {
        if self.unit.is_distance() {
            Words { solved: "solved", time: "time to solve" }
        } else {
            Words { solved: "finished", time: "time of the game" }
        }
    }

    /// The measures of a labelled log. `issues` tell which attempts lack rows.
    pub fn new(log: &LabelledLog, issues: &[LogIssue], levels: &[ValuedLevel]) -> Self {
        Self::of_played(played_attempts(log, issues, levels), levels)
    }

    /// The measures of attempts of a log, in ascending order of participant, session, level and number.
    pub fn of_played(attempts: Vec<PlayedAttempt>, levels: &[ValuedLevel]) -> Self {
        let is_same = |one: &PlayedAttempt, other: &PlayedAttempt| trial_key(&one.attempt) == trial_key(&other.attempt);
        let order = order_of_trials(attempts.chunk_by(is_same));
        let attempts = attempts.into_iter().map(|played| played.attempt).collect();
        let mut measures = Self::of_attempts(attempts, levels);
        for (trial, order) in Arc::make_mut(&mut measures.trials).iter_mut().zip(order) {
            trial.order = order;
        }
        measures
    }

    /// The measures of attempts, in ascending order of participant, session, level and number.
    pub fn of_attempts(attempts: Vec<Attempt>, levels: &[ValuedLevel]) -> Self {
        let unit = unit_of(levels);
        let start_distances: HashMap<&str, Option<u32>> =
            levels.iter().map(|level| (level.id.as_str(), level.start_distance().map(|distance| distance.0))).collect();
        let participants = distinct(attempts.iter().map(|attempt| &attempt.participant));
        let played = distinct(attempts.iter().map(|attempt| &attempt.level));
        let trial_of = |attempts: &[Attempt]| {
            let first = attempts.first()?;
            let numbers = (index(&participants, &first.participant)?, index(&played, &first.level)?);
            let start_distance = start_distances.get(first.level.as_str()).copied().flatten();
            Some(Trial::new(numbers, attempts, start_distance, unit))
        };
        let same_trial = |one: &Attempt, other: &Attempt| trial_key(one) == trial_key(other);
        let trials = Arc::new(attempts.chunk_by(same_trial).filter_map(trial_of).collect());
        Self { participants, levels: played, attempts, trials, unit }
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    names.collect::<BTreeSet<_>>().into_iter().cloned().collect()
}

/// The index of a name among names in ascending order.
pub fn index(names: &[String], name: &str) -> Option<usize> {
    names.binary_search_by(|known| known.as_str().cmp(name)).ok()
}

/// Participant, session and level.
pub(crate) type TrialKey<'a> = (&'a str, &'a str, &'a str);

fn trial_key(attempt: &Attempt) -> TrialKey<'_> {
    (&attempt.participant, &attempt.session, &attempt.level)
}

/// An attempt as it was measured, and where it stands in the log.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PlayedAttempt {
    /// The attempt.
    pub attempt: Attempt,
    /// Number of its rows in the table `moves`: none where all were left out.
    pub n_rows: u64,
    /// Its first row in the order of the files.
    pub first: Option<FileRow>,
}

/// The attempts of a labelled log, in ascending order of participant, session, level and number. `issues` tell which lack
/// rows.
pub fn played_attempts(log: &LabelledLog, issues: &[LogIssue], levels: &[ValuedLevel]) -> Vec<PlayedAttempt> {
    with_gaps(log.attempts.iter().map(|of| attempt(log, of)).collect(), issues, levels)
}

/// The number of each trial within its participant, in the order in which their first rows stand in the files of the log,
/// and the files as they were read; absent where no row of the trial is left.
fn order_of_trials<'a>(trials: impl Iterator<Item = &'a [PlayedAttempt]>) -> Vec<Option<usize>> {
    let first = |trial: &'a [PlayedAttempt]| trial.iter().filter_map(|played| played.first).min();
    let trials: Vec<_> = trials.map(|trial| (trial[0].attempt.participant.as_str(), first(trial))).collect();
    let mut numbers: Vec<usize> = (0..trials.len()).filter(|&number| trials[number].1.is_some()).collect();
    numbers.sort_by_key(|&number| trials[number]);
    let mut order = vec![None; trials.len()];
    for same in numbers.chunk_by(|&one, &other| trials[one].0 == trials[other].0) {
        same.iter().enumerate().for_each(|(place, &number)| order[number] = Some(place));
    }
    order
}

/// An attempt, and the place in the log of the row that ended it, if one did: its file, and its row there.
type EndedAttempt<'a> = (PlayedAttempt, Option<(&'a str, u64)>);

fn attempt<'a>(log: &'a LabelledLog, of: &LabelledAttempt) -> EndedAttempt<'a> {
    let mut attempt = Attempt {
        participant: of.participant.clone(),
        session: of.session.clone(),
        level: of.level.clone(),
        attempt: of.attempt,
        condition: of.condition.clone(),
        ..Attempt::default()
    };
    let mut ended_at = None;
    for row in of.rows.clone() {
        attempt.push(&log.rows.at(row));
        if ended_at.is_none() && attempt.end.is_final() {
            let at = log.places[row];
            ended_at = Some((log.files.get(at.file()).map_or("", String::as_str), at.row()));
        }
    }
    attempt.end = attempt.end.or_implied(of);
    Arc::make_mut(&mut attempt.tally).shrink();
    let first = log.places[of.rows.clone()].iter().min().copied();
    (PlayedAttempt { attempt, n_rows: of.rows.len() as u64, first }, ended_at)
}

/// The attempts with the number of their rows that were left out; attempts of which no row is left are
/// among them, without moves. What stands behind the row that ended an attempt is no gap in it.
fn with_gaps(attempts: Vec<EndedAttempt>, issues: &[LogIssue], levels: &[ValuedLevel]) -> Vec<PlayedAttempt> {
    let known: std::collections::HashSet<&str> = levels.iter().map(|level| level.id.as_str()).collect();
    let mut left_out: BTreeMap<AttemptKey, Vec<(&str, u64)>> = BTreeMap::new();
    for issue in
        issues.iter().filter(|issue| matches!(issue.consequence, Consequence::Rejected | Consequence::Excluded))
    {
        let (Some(participant), Some(session)) = (&issue.participant, &issue.session) else { continue };
        let (Some(level), Some(attempt)) = (&issue.level, issue.attempt) else { continue };
        if known.contains(level.as_str()) && issue.code != "duplicate-row" {
            let key = (participant.clone(), session.clone(), level.clone(), attempt);
            left_out.entry(key).or_default().push((issue.file.as_str(), issue.row));
        }
    }
    let with_gap = |(mut played, ended_at): EndedAttempt| {
        let places = left_out.remove(&attempt_key(&played)).unwrap_or_default();
        let is_behind = |(file, row): (&str, u64)| ended_at.is_some_and(|(in_file, at)| file == in_file && row > at);
        let n_left_out = places.into_iter().filter(|&place| !is_behind(place)).count() as u64;
        Arc::make_mut(&mut played.attempt.tally).n_left_out = n_left_out;
        played
    };
    let mut attempts: Vec<PlayedAttempt> = attempts.into_iter().map(with_gap).collect();
    attempts.extend(left_out.into_iter().map(|((participant, session, level, attempt), places)| {
        let tally = Tally { n_left_out: places.len() as u64, ..Tally::default() };
        let attempt = Attempt { participant, session, level, attempt, tally: tally.into(), ..Attempt::default() };
        PlayedAttempt { attempt, n_rows: 0, first: None }
    }));
    attempts.sort_by_key(attempt_key);
    attempts
}

type AttemptKey = (String, String, String, i64);

fn attempt_key(PlayedAttempt { attempt, .. }: &PlayedAttempt) -> AttemptKey {
    (attempt.participant.clone(), attempt.session.clone(), attempt.level.clone(), attempt.attempt)
}

/// Time of the first move of an attempt, since the level appeared.
fn first_latency(attempt: &Attempt) -> Option<f64> {
    attempt.tally.first_latencies_s.first().filter(|_| attempt.tally.n_starts_untimed == 0)
}
