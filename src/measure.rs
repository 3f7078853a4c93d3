//! From labelled moves to what is measured of attempts, trials, participants and levels.
//!
//! A trial is one participant at one level (in one sitting): all attempts up to and including the first
//! that reaches a goal. What is played after that solution is counted, but not measured. Where values are
//! points, each attempt is a game, and a trial is all of them. An attempt ends where it solves the level, or with a
//! a give-up: what its rows tell after that is counted, but not measured ([`AttemptEnd`]).
//!
//! Everything here is a count, a sum, a share or a median of the table `moves`; nothing is estimated.

use std::collections::BTreeMap;

use polars::prelude::{DataFrame, PolarsResult};

use crate::label::{Quality, unit_of};
use crate::log::{Consequence, LogIssue};
use crate::table::{Columns, Table};
use plymap_puzzles::game::Unit;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::stats::describe::quantile;

mod rows;
#[cfg(test)]
pub(crate) mod tests;

pub use rows::{AttemptEnd, AttemptRows, Row, RowMove, Rows};

/// The measures of a run of moves; those of a longer run are the sum of its parts.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// Number of moves after a give-up, in the same attempt; all rows behind it are counted nowhere else.
    pub n_after_give_up: u64,
    /// Number of rows of each other event.
    pub n_events: BTreeMap<String, u64>,
    /// Sum of the times of all rows, in whole nanoseconds: sums of seconds would depend on their order,
    /// and equal times would no longer tie. Logs that give the time of day as the time of a move (1.8e18 ns) are
    /// summed like any other; what no sum can hold stays at the largest.
    pub time_ns: i128,
    /// Rows whose time is missing, the first rows of attempts left out.
    pub n_times_missing: u64,
    /// Attempts whose first row has no time: their clock starts with that row.
    pub n_starts_untimed: u64,
    /// Times of first moves.
    pub first_latencies_s: Vec<f64>,
    /// Times of all later moves, by the quality of the move, in the order of [`Quality::ALL`].
    pub inter_move_s: [Vec<f64>; Quality::ALL.len()],
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
        for (event, count) in &other.n_events {
            *self.n_events.entry(event.clone()).or_default() += count;
        }
        self.time_ns = self.time_ns.saturating_add(other.time_ns);
        self.n_times_missing += other.n_times_missing;
        self.n_starts_untimed += other.n_starts_untimed;
        self.first_latencies_s.extend(&other.first_latencies_s);
        for (times, others) in self.inter_move_s.iter_mut().zip(&other.inter_move_s) {
            times.extend(others);
        }
        self.n_left_out += other.n_left_out;
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
        let n_times = self.first_latencies_s.len() + self.inter_move_s.iter().map(Vec::len).sum::<usize>();
        (self.n_times_missing == 0 && n_times > 0).then_some(self.time_ns as f64 / 1e9)
    }

    /// Median time of the moves after a first one.
    pub fn median_inter_move_s(&self) -> Option<f64> {
        median(&self.inter_move_s.concat())
    }

    /// Median time of first moves.
    pub fn median_first_latency_s(&self) -> Option<f64> {
        median(&self.first_latencies_s)
    }

    fn n_of(&self, event: &str) -> u64 {
        self.n_events.get(event).copied().unwrap_or(0)
    }
}

fn share(count: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| count as f64 / of as f64)
}

fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5).ok()
}

/// One run at a level between resets.
#[derive(Clone, Debug, Default, PartialEq)]
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
    pub tally: Tally,
    /// Whether a row was added to it.
    pub has_rows: bool,
}

impl Attempt {
    /// Adds the next row.
    pub fn push(&mut self, row: &Row) {
        let is_first = !self.has_rows;
        self.has_rows = true;
        let tally = &mut self.tally;
        if !self.end.measures(row) {
            let n_after = match self.end {
                AttemptEnd::GaveUp => &mut tally.n_after_give_up,
                _ => &mut tally.n_after_goal,
            };
            *n_after += u64::from(row.made.is_some());
            return;
        }
        self.end = self.end.after(row);
        match row.rt_s {
            Some(time) => tally.time_ns = tally.time_ns.saturating_add((time * 1e9).round() as i128),
            // The clock starts with a start event; it needs no time of its own.
            None if is_first => tally.n_starts_untimed += u64::from(row.event != "start"),
            None => tally.n_times_missing += 1,
        }
        let Some(made) = &row.made else {
            *tally.n_events.entry(row.event.to_owned()).or_default() += 1;
            return;
        };
        if made.ply == 0 {
            self.start_value = made.value_before;
        }
        self.end_value = made.value_after;
        self.reaches_goal = made.is_goal;
        tally.n_moves += 1;
        tally.cost_sum += u64::from(made.cost);
        if let Some(quality) = made.quality {
            tally.n_by_quality[quality.index()] += 1;
        }
        tally.n_optimal += u64::from(made.is_optimal);
        tally.n_undos += u64::from(made.is_undo);
        tally.n_revisits += u64::from(made.is_revisit);
        if let Some(chance) = made.chance {
            tally.n_choices += 1;
            tally.chance_sum += chance;
        }
        if let Some(regret) = made.regret {
            tally.n_regrets += 1;
            tally.regret_sum += regret;
        }
        match (row.rt_s, made.quality) {
            (Some(time), _) if made.ply == 0 => tally.first_latencies_s.push(time),
            (Some(time), Some(quality)) => tally.inter_move_s[quality.index()].push(time),
            _ => {}
        }
    }

    /// Whether it ends with the level solved, or, where values are points, with the end of the game.
    pub fn is_solved(&self) -> bool {
        self.end == AttemptEnd::Finished
    }
}

/// One participant at one level.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Who played.
    pub participant: String,
    /// In which sitting.
    pub session: String,
    /// At which level.
    pub level: String,
    /// Experimental condition of the first attempt that has one.
    pub condition: Option<String>,
    /// Attempts up to and including the first solution.
    pub n_attempts: u64,
    /// Attempts after the first solution; not measured.
    pub n_attempts_after: u64,
    /// Distance to the goal at the start of the level, where values are distances.
    pub start_distance: Option<u32>,
    /// The attempt that solved the level, or, where values are points, was played to the end.
    pub solution: Option<Attempt>,
    /// Time of the first move of the first attempt; absent where it has none.
    pub first_move_latency_s: Option<f64>,
    /// Attempts that reached a goal; more than one only where values are points and each attempt is a game.
    pub n_goals: u64,
    /// The most points that an attempt gained, where values are points.
    pub best_score: u64,
    /// Whether every attempt began as far from the goal as the level does.
    pub starts_regularly: bool,
    /// All attempts up to and including the first solution.
    pub tally: Tally,
}

impl Trial {
    /// Whether the level was solved; unknown if it was not, but rows of the trial were left out.
    pub fn is_solved(&self) -> Option<bool> {
        match self.solution {
            Some(_) => Some(true),
            None => (self.tally.n_left_out == 0).then_some(false),
        }
    }

    /// Whether all that was played until the solution, or until the end, is known.
    pub fn is_whole(&self) -> bool {
        self.tally.n_left_out == 0
    }

    /// Whether the level was solved in the fewest moves; unknown where the excess of a solved trial is.
    pub fn is_perfect(&self) -> Option<bool> {
        match self.solution {
            Some(_) => Some(self.excess_moves()? == 0),
            None => self.is_solved(),
        }
    }

    /// What was spent beyond the fewest possible, over all attempts, in the level's metric; absent if the
    /// level was not solved, if rows were left out, or if an attempt did not begin at the level's start.
    pub fn excess_moves(&self) -> Option<i64> {
        let from_start = self.is_whole() && self.starts_regularly;
        (self.solution.is_some() && from_start).then_some(())?;
        Some(self.tally.cost_sum as i64 - i64::from(self.start_distance?))
    }
}

/// All measures of a study, from the finest to the coarsest.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// By participant, session, level and attempt.
    pub attempts: Vec<Attempt>,
    /// By participant, session and level.
    pub trials: Vec<Trial>,
    /// Unit of values, regrets and costs.
    pub unit: Unit,
}

impl Default for Measures {
    fn default() -> Self {
        Self { attempts: Vec::new(), trials: Vec::new(), unit: Unit::Moves }
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

    /// The measures of a table of labelled moves, whose rows stand in the order of the canonical log.
    /// `issues` tell which attempts lack rows.
    ///
    /// # Errors
    ///
    /// If a column of the table is missing or has another type.
    pub fn new(moves: &DataFrame, issues: &[LogIssue], levels: &[ValuedLevel]) -> PolarsResult<Self> {
        let unit = unit_of(levels);
        let attempts = with_gaps(attempts(moves, unit)?, issues, levels);
        Ok(Self::of_attempts(attempts, levels))
    }

    /// The measures of attempts, in ascending order of participant, session, level and number.
    pub fn of_attempts(attempts: Vec<Attempt>, levels: &[ValuedLevel]) -> Self {
        let unit = unit_of(levels);
        let trials = trials(&attempts, levels, unit);
        Self { attempts, trials, unit }
    }

    /// Names of the participants, ascending.
    pub fn participants(&self) -> Vec<&str> {
        distinct(self.trials.iter().map(|trial| trial.participant.as_str()))
    }

    /// Names of the levels that were played, ascending.
    pub fn levels(&self) -> Vec<&str> {
        distinct(self.trials.iter().map(|trial| trial.level.as_str()))
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    names.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

/// An attempt, and the place in the log of the row that ended it, if one did: its file, and its row there.
type EndedAttempt<'a> = (Attempt, Option<(&'a str, u64)>);

fn attempts(moves: &DataFrame, unit: Unit) -> PolarsResult<Vec<EndedAttempt<'_>>> {
    let rows = Rows::new(moves, unit)?;
    let measured = |of: AttemptRows| {
        let mut attempt = Attempt {
            participant: of.participant.to_owned(),
            session: of.session.to_owned(),
            level: of.level.to_owned(),
            attempt: of.attempt,
            condition: of.condition.map(str::to_owned),
            ..Attempt::default()
        };
        let mut ended_at = None;
        for row in of.rows {
            attempt.push(&rows.row(row));
            if ended_at.is_none() && attempt.end.is_final() {
                ended_at = Some(rows.place(row));
            }
        }
        (attempt, ended_at)
    };
    Ok(rows.attempts().into_iter().map(measured).collect())
}

/// The attempts with the number of their rows that were left out; attempts of which no row is left are
/// among them, without moves. What stands behind the row that ended an attempt is no gap in it.
fn with_gaps(attempts: Vec<EndedAttempt>, issues: &[LogIssue], levels: &[ValuedLevel]) -> Vec<Attempt> {
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
    let with_gap = |(mut attempt, ended_at): EndedAttempt| {
        let places = left_out.remove(&attempt_key(&attempt)).unwrap_or_default();
        let is_behind = |(file, row): (&str, u64)| ended_at.is_some_and(|(in_file, at)| file == in_file && row > at);
        attempt.tally.n_left_out = places.into_iter().filter(|&place| !is_behind(place)).count() as u64;
        attempt
    };
    let mut attempts: Vec<Attempt> = attempts.into_iter().map(with_gap).collect();
    attempts.extend(left_out.into_iter().map(|((participant, session, level, attempt), places)| Attempt {
        participant,
        session,
        level,
        attempt,
        tally: Tally { n_left_out: places.len() as u64, ..Tally::default() },
        ..Attempt::default()
    }));
    attempts.sort_by_key(attempt_key);
    attempts
}

type AttemptKey = (String, String, String, i64);

fn attempt_key(attempt: &Attempt) -> AttemptKey {
    (attempt.participant.clone(), attempt.session.clone(), attempt.level.clone(), attempt.attempt)
}

fn trials(attempts: &[Attempt], levels: &[ValuedLevel], unit: Unit) -> Vec<Trial> {
    let start_distances: BTreeMap<&str, Option<u32>> =
        levels.iter().map(|level| (level.id.as_str(), level.start_distance().map(|distance| distance.0))).collect();
    let mut trials: Vec<Trial> = Vec::new();
    for attempt in attempts {
        let continues = |trial: &Trial| {
            (&trial.participant, &trial.session, &trial.level)
                == (&attempt.participant, &attempt.session, &attempt.level)
        };
        if !trials.last().is_some_and(continues) {
            trials.push(Trial {
                participant: attempt.participant.clone(),
                session: attempt.session.clone(),
                level: attempt.level.clone(),
                condition: None,
                n_attempts: 0,
                n_attempts_after: 0,
                start_distance: start_distances.get(attempt.level.as_str()).copied().flatten(),
                solution: None,
                first_move_latency_s: first_latency(attempt),
                n_goals: 0,
                best_score: 0,
                starts_regularly: true,
                tally: Tally::default(),
            });
        }
        let Some(trial) = trials.last_mut() else { continue };
        if trial.condition.is_none() {
            trial.condition.clone_from(&attempt.condition);
        }
        // A level is solved once; games for points go on.
        if trial.solution.is_some() && unit.is_distance() {
            trial.n_attempts_after += 1;
            continue;
        }
        trial.n_attempts += 1;
        trial.n_goals += u64::from(attempt.reaches_goal);
        trial.best_score = trial.best_score.max(attempt.tally.cost_sum);
        trial.starts_regularly &=
            attempt.tally.n_moves == 0 || attempt.start_value == trial.start_distance.map(f64::from);
        trial.tally.add(&attempt.tally);
        if trial.solution.is_none() {
            trial.solution = attempt.is_solved().then(|| attempt.clone());
        }
    }
    trials
}

/// Time of the first move of an attempt, since the level appeared.
fn first_latency(attempt: &Attempt) -> Option<f64> {
    attempt.tally.first_latencies_s.first().copied().filter(|_| attempt.tally.n_starts_untimed == 0)
}

impl Columns {
    /// The measures that every table of players has.
    fn tally<T>(self, rows: &[T], unit: Unit, tally: impl Fn(&T) -> &Tally + Copy) -> Self {
        let mut columns = self.count(rows, "n_moves", "number of moves", |row| tally(row).n_moves);
        if !unit.is_distance() {
            columns = columns.count(rows, "score", "points gained by all moves", |row| tally(row).cost_sum).number(
                rows,
                "points_lost",
                unit.name(),
                "sum of regret over all moves",
                |row| Some(tally(row).regret_sum),
            );
        }
        for &quality in Quality::of_unit(unit) {
            let name = format!("n_{}", quality.name().replace('-', "_"));
            let meaning = format!("number of moves of quality {quality}");
            columns = columns.count(rows, &name, &meaning, |row| tally(row).n_by_quality[quality.index()]);
        }
        columns
            .count(rows, "n_optimal", "number of optimal moves", |row| tally(row).n_optimal)
            .number(rows, "share_optimal", "", "n_optimal / n_moves", |row| tally(row).share_optimal())
            .number(
                rows,
                "share_optimal_by_chance",
                "",
                "chance level: mean of n_optimal / n_legal over the same positions",
                |row| tally(row).share_optimal_by_chance(),
            )
            .number(rows, "mean_regret", unit.name(), MEAN_REGRET, |row| tally(row).mean_regret())
            .count(rows, "n_without_regret", WITHOUT_REGRET, |row| tally(row).n_without_regret())
            .count(rows, "n_undos", "number of moves back to the position before the previous move", |row| {
                tally(row).n_undos
            })
            .count(rows, "n_revisits", "number of moves to a position that the attempt had been in", |row| {
                tally(row).n_revisits
            })
            .count(rows, "n_after_goal", "number of moves after the level was solved, counted nowhere else", |row| {
                tally(row).n_after_goal
            })
            .count(
                rows,
                "n_after_give_up",
                "number of moves after a give-up in the same attempt, counted nowhere else",
                |row| tally(row).n_after_give_up,
            )
            .count(rows, "n_undo_events", "number of logged undo events", |row| tally(row).n_of("undo"))
            .count(rows, "n_resets", "number of logged resets", |row| tally(row).n_of("reset"))
            .count(rows, "n_hints", "number of logged hints", |row| tally(row).n_of("hint"))
            .count(rows, "n_give_ups", "number of logged give-ups", |row| tally(row).n_of("give_up"))
            .number(rows, "time_s", "s", TIME, |row| tally(row).time_s())
            .number(rows, "median_inter_move_s", "s", "median time of the moves after a first one", |row| {
                tally(row).median_inter_move_s()
            })
            .number(rows, "median_first_move_latency_s", "s", "median time of first moves, over attempts", |row| {
                tally(row).median_first_latency_s()
            })
    }
}

const LEFT_OUT: &str =
    "rows that were rejected or excluded, those behind a solution or give-up left out; see the table rejects";

const MEAN_REGRET: &str = "mean regret of a move, over the moves that have one";

const WITHOUT_REGRET: &str = "number of moves without a regret, which mean_regret leaves out: illegal ones, and those after which no goal can be reached";

const TIME: &str = "sum of the times of all rows up to the solution or give-up; from the first row on where that has no time; empty if the time of a later row is missing";

/// The table `attempts`: one row for each run at a level between resets.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn attempts_table(measures: &Measures) -> PolarsResult<Table> {
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
    let whole = |value: Option<f64>| value.map(|value| value as i64);
    let columns = if unit.is_distance() {
        columns
            .whole(rows, "start_distance", unit.name(), "distance to the goal before its first move", |row| {
                whole(row.start_value)
            })
            .whole(
                rows,
                "end_distance",
                unit.name(),
                "distance to the goal after its last move; after the move that solved the level, if it did",
                |row| whole(row.end_value),
            )
            .whole(
                rows,
                "excess_moves",
                unit.name(),
                "cost of all moves - start_distance; empty if the attempt does not solve the level",
                |row| row.is_solved().then_some(row.tally.cost_sum as i64 - whole(row.start_value)?),
            )
    } else {
        columns
            .flag(rows, "reached_target", "whether it ends with the target reached", |row| Some(row.reaches_goal))
            .number(rows, "start_points", unit.name(), "expected points before its first move", |row| row.start_value)
    };
    columns.tally(rows, unit, |row| &row.tally).into_table("attempts", "Each run at a level between resets.")
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
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn trials_table(measures: &Measures) -> PolarsResult<Table> {
    let (rows, unit) = (&measures.trials, measures.unit);
    let mut columns = Columns::new()
        .text(rows, "participant", "who played", |row| row.participant.clone())
        .text(rows, "session", "sitting", |row| row.session.clone())
        .text(rows, "level", "level that was played", |row| row.level.clone())
        .label(rows, "condition", "experimental condition: that of the trial's first row that has one", |row| {
            row.condition.clone()
        })
        .flag(rows, solved_name(unit), solved_meaning(unit), Trial::is_solved)
        .count(rows, "n_left_out", LEFT_OUT, |row| row.tally.n_left_out)
        .whole(rows, "solved_in_attempt", "", "number of the attempt that solved it", |row| {
            row.solution.as_ref().map(|attempt| attempt.attempt)
        })
        .count(
            rows,
            "n_attempts",
            if unit.is_distance() {
                "attempts up to and including the first solution; all other columns count these"
            } else {
                "attempts, each a game; all other columns count them all"
            },
            |row| row.n_attempts,
        )
        .count(rows, "n_attempts_after", "attempts after the first solution, not measured", |row| row.n_attempts_after);
    if !unit.is_distance() {
        columns = columns
            .count(rows, "n_reached_target", "number of attempts that reached the target", |row| row.n_goals)
            .count(rows, "best_score", "most points that an attempt gained", |row| row.best_score);
    }
    if unit.is_distance() {
        columns = columns
            .whole(rows, "start_distance", unit.name(), "fewest moves that solve the level", |row| {
                row.start_distance.map(i64::from)
            })
            .whole(
                rows,
                "excess_moves",
                unit.name(),
                "cost of all moves - start_distance, over all attempts; empty if not solved, if rows were left out, or if an attempt did not begin at the level's start",
                Trial::excess_moves,
            );
    }
    columns
        .whole(rows, "n_moves_of_solution", "", "moves of the attempt that solved the level", |row| {
            row.solution.as_ref().map(|attempt| attempt.tally.n_moves as i64)
        })
        .number(rows, "time_of_solution_s", "s", "time of the attempt that solved the level", |row| {
            row.solution.as_ref()?.tally.time_s()
        })
        .number(rows, "first_move_latency_s", "s", "time of the first move of the first attempt", |row| {
            row.first_move_latency_s
        })
        .tally(rows, unit, |row| &row.tally)
        .into_table(
            "trials",
            if unit.is_distance() {
                "Each participant at each level, up to and including the first solution."
            } else {
                "Each participant at each level, all games."
            },
        )
}

/// Trials of one participant or of one level, taken together.
struct Group<'a> {
    name: &'a str,
    trials: Vec<&'a Trial>,
    tally: Tally,
}

impl<'a> Group<'a> {
    fn new(name: &'a str, trials: Vec<&'a Trial>) -> Self {
        let mut tally = Tally::default();
        trials.iter().for_each(|trial| tally.add(&trial.tally));
        Self { name, trials, tally }
    }
}

fn groups<'a>(trials: &'a [Trial], name: impl Fn(&'a Trial) -> &'a str) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<&str, Vec<&Trial>> = BTreeMap::new();
    for trial in trials {
        groups.entry(name(trial)).or_default().push(trial);
    }
    groups.into_iter().map(|(name, trials)| Group::new(name, trials)).collect()
}

impl Group<'_> {
    fn n_solved(&self) -> u64 {
        self.trials.iter().filter(|trial| trial.solution.is_some()).count() as u64
    }

    fn n_cut(&self) -> u64 {
        self.trials.iter().filter(|trial| trial.is_solved().is_none()).count() as u64
    }

    /// Trials that were, or were not, solved in the fewest moves; those of which it is unknown are neither.
    fn n_perfect(&self, is_perfect: bool) -> u64 {
        self.trials.iter().filter(|trial| trial.is_perfect() == Some(is_perfect)).count() as u64
    }

    fn median_of_solved(&self, value: impl Fn(&Trial) -> Option<f64>) -> Option<f64> {
        let solved = self.trials.iter().filter(|trial| trial.solution.is_some() && trial.is_whole());
        median(&solved.filter_map(|trial| value(trial)).collect::<Vec<_>>())
    }
}

fn group_columns(columns: Columns, rows: &[Group], unit: Unit) -> Columns {
    let solved = solved_name(unit);
    let in_which = if unit.is_distance() {
        "in which the level was solved"
    } else {
        "in which a game was played to its end, or to its target"
    };
    let mut columns = columns
        .count(rows, "n_trials", "number of trials", |row| row.trials.len() as u64)
        .count(rows, &format!("n_{solved}"), &format!("number of trials {in_which}"), Group::n_solved)
        .count(
            rows,
            "n_cut",
            &format!("number of trials that were not {solved}, but lack rows that were left out"),
            Group::n_cut,
        )
        .number(rows, &format!("share_{solved}"), "", &format!("n_{solved} / (n_trials - n_cut)"), |row| {
            share(row.n_solved(), row.trials.len() as u64 - row.n_cut())
        })
        .count(rows, "n_attempts", "number of attempts up to and including first solutions", |row| {
            row.trials.iter().map(|trial| trial.n_attempts).sum()
        })
        .number(
            rows,
            "median_moves_of_solved",
            "",
            "median over solved trials without rows left out of n_moves",
            |row| row.median_of_solved(|trial| Some(trial.tally.n_moves as f64)),
        );
    if !unit.is_distance() {
        columns = columns.count(rows, "n_reached_target", "number of games that reached the target", |row| {
            row.trials.iter().map(|trial| trial.n_goals).sum()
        });
    }
    if unit.is_distance() {
        columns = columns
            .count(rows, "n_perfect", "number of trials in which the level was solved in the fewest moves: excess_moves is 0", |row| {
                row.n_perfect(true)
            })
            .number(
                rows,
                "share_perfect",
                "",
                "n_perfect / number of trials of which it is known: solved with excess_moves, or not solved without rows left out",
                |row| share(row.n_perfect(true), row.n_perfect(true) + row.n_perfect(false)),
            );
        columns = columns.number(
            rows,
            "median_excess_moves",
            unit.name(),
            "median over solved trials without rows left out of excess_moves",
            |row| row.median_of_solved(|trial| trial.excess_moves().map(|moves| moves as f64)),
        );
    }
    columns
        .number(
            rows,
            "median_time_of_solved_s",
            "s",
            "median over solved trials without rows left out of time_s",
            |row| row.median_of_solved(|trial| trial.tally.time_s()),
        )
        .tally(rows, unit, |row| &row.tally)
}

/// The table `participants`: one row for each participant.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn participants_table(measures: &Measures) -> PolarsResult<Table> {
    let rows = groups(&measures.trials, |trial| &trial.participant);
    let names = Columns::new().text(&rows, "participant", "who played", |row| row.name.to_owned());
    group_columns(names, &rows, measures.unit).into_table("participants", "Each participant over all trials.")
}

/// The table `level_play`: one row for each level that was played.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn level_play_table(measures: &Measures) -> PolarsResult<Table> {
    let rows = groups(&measures.trials, |trial| &trial.level);
    let names = Columns::new().text(&rows, "level", "level that was played", |row| row.name.to_owned()).count(
        &rows,
        "n_participants",
        "number of participants",
        |row| distinct(row.trials.iter().map(|trial| trial.participant.as_str())).len() as u64,
    );
    group_columns(names, &rows, measures.unit).into_table("level_play", "Each level over all trials at it.")
}

/// What stands for all trials, and for those without a condition, in the table `conditions`.
const ALL_CONDITIONS: &str = "(all)";
const NO_CONDITION: &str = "(none)";

/// The table `conditions`: one row for all trials, and one for each experimental condition of the log.
///
/// # Errors
///
/// Never in practice: polars builds the frame from columns of equal length.
pub fn conditions_table(measures: &Measures) -> PolarsResult<Table> {
    let trials = &measures.trials;
    let mut rows = vec![Group::new(ALL_CONDITIONS, trials.iter().collect())];
    if trials.iter().any(|trial| trial.condition.is_some()) {
        rows.extend(groups(trials, |trial| trial.condition.as_deref().unwrap_or(NO_CONDITION)));
    }
    let unit = measures.unit;
    let meaning = "experimental condition of the trial's first row that has one; (all) for all trials, (none) for those without a condition";
    let columns = Columns::new().text(&rows, "condition", meaning, |row| row.name.to_owned()).count(
        &rows,
        "n_participants",
        "number of participants",
        |row| distinct(row.trials.iter().map(|trial| trial.participant.as_str())).len() as u64,
    );
    let mut columns = group_columns(columns, &rows, unit);
    for &quality in Quality::of_unit(unit) {
        let name = format!("share_{}", quality.name().replace('-', "_"));
        let meaning = format!("moves of quality {quality} / n_moves");
        columns = columns.number(&rows, &name, "", &meaning, |row| {
            share(row.tally.n_by_quality[quality.index()], row.tally.n_moves)
        });
    }
    columns.into_table("conditions", "All trials, and those of each experimental condition.")
}
