//! Traps and costs: where many people err, and what an error costs.

use super::columns::{LEVEL, N_ERRORS, P_ADJUSTED, POSITION};
use super::context::Context;
use super::dataset::{AttemptRow, Dataset, MoveRow, OtherKind};
use plymap_statistics::record::N;
use plymap_statistics::sequence::cost::{CostSummary, Course, ErrorCosts, error_costs};
use plymap_statistics::sequence::trap::{Trap, Visit, traps};
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::survival::kaplan_meier::SurvivalQuantile;
use plymap_tables::{Columns, Table, count, number, text};
use std::collections::HashMap;

/// First visits that a position needs to be in the table of traps.
const LEAST_VISITS: usize = 5;

/// Results about errors.
pub struct Errors {
    traps: Vec<(String, String, Trap)>,
    n_rare: usize,
    n_without_chance: usize,
    costs: Vec<CostRow>,
    is_pilot: bool,
}

struct CostRow {
    scope: String,
    summary: Option<CostSummary>,
    n_untimed: u64,
    reason: Option<String>,
}

impl Errors {
    /// Counts the first visit of each participant to each position, and follows each error to its recovery.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let mut visited = std::collections::HashSet::new();
        let (mut visits, mut n_without_chance) = (Vec::new(), 0);
        let lapses = lapses(data);
        for attempt in &data.attempts {
            for row in data.moves_of(attempt) {
                if row.n_legal == 0 || row.n_optimal == 0 {
                    n_without_chance += 1;
                    continue;
                }
                // Visits of one person to one position are not independent: the first one counts.
                if visited.insert((attempt.participant, row.before)) {
                    visits.push(Visit {
                        state: row.before,
                        participant: attempt.participant as u32,
                        is_error: row.is_error(),
                        chance: (lapses[attempt.participant] * chance_of_error(row)).min(1.0),
                    });
                }
            }
        }
        let traps = traps(&visits, LEAST_VISITS, context.confidence());
        let mut rows: Vec<(String, String, Trap)> = traps
            .states
            .into_iter()
            .map(|trap| {
                let (level, position) = &data.positions[trap.state as usize];
                (data.levels[*level].clone(), position.clone(), trap)
            })
            .collect();
        // The surest traps first.
        let p = |trap: &Trap| trap.p_value.unwrap_or(f64::INFINITY);
        rows.sort_by(|left, right| {
            p(&left.2).total_cmp(&p(&right.2)).then_with(|| (&left.0, &left.1).cmp(&(&right.0, &right.1)))
        });
        Self {
            traps: rows,
            n_rare: traps.n_rare,
            n_without_chance,
            costs: costs(context),
            is_pilot: context.is_pilot(),
        }
    }

    /// The tables `traps` and `error_costs`, which games for points do not have.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.traps()];
        if !self.costs.is_empty() {
            tables.push(self.costs());
        }
        tables
    }

    fn traps(&self) -> Table {
        let rows = &self.traps[..];
        let caption = format!(
            "Positions in which people err more often than elsewhere, the surest traps first: first visits of each participant, at least {LEAST_VISITS} of them ({} positions have fewer; {} moves from positions without an optimal move are left out).",
            self.n_rare, self.n_without_chance
        );
        Columns::new()
            .column(rows, LEVEL, |row| row.0.clone())
            .column(rows, POSITION, |row| row.1.clone())
            .column(rows, N.means("number of participants who came here; their first visit counts"), |row| row.2.errors.n)
            .column(rows, N_ERRORS, |row| row.2.errors.successes)
            .column(rows, number("share_errors", "n_errors / n"), |row| row.2.errors.estimate)
            .column(rows, number("lower", "lower end of its interval (Wilson, 1927)"), |row| row.2.errors.lower)
            .column(rows, number("upper", "upper end of its interval"), |row| row.2.errors.upper)
            .column(rows, number("expected", "mean probability of an error, if each participant erred here as often as elsewhere with as many ways to err: the share of errors among the legal moves, times by how much the participant errs more or less often than such a draw over all positions"), |row| {
                Some(row.2.chance)
            })
            .column(rows, number("p_value", "one-sided exact p: probability of so many errors or more if each participant erred here as often as it does elsewhere"), |row| row.2.p_value)
            .column(rows, P_ADJUSTED.means("adjusted for the false discovery rate over all these positions (Benjamini and Hochberg, 1995)"), |row| row.2.p_adjusted)
            .column(rows, text("reason", "why the p value is missing"), |row| {
                row.2.test_reason.as_ref().map(ToString::to_string)
            })
            .into_table("traps", &caption)
    }

    fn costs(&self) -> Table {
        let rows = &self.costs[..];
        let n_of = |value: fn(&CostSummary) -> usize| {
            move |row: &CostRow| row.summary.as_ref().map_or(0, |summary| value(summary) as u64)
        };
        let moves = |value: fn(&SurvivalQuantile) -> Option<f64>| {
            move |row: &CostRow| row.summary.as_ref().and_then(|summary| value(&summary.moves.median))
        };
        let seconds = |value: fn(&SurvivalQuantile) -> Option<f64>| {
            move |row: &CostRow| row.summary.as_ref().and_then(|summary| value(&summary.seconds.median))
        };
        Columns::new()
            .column(rows, text("scope", "all levels, or one level"), |row| row.scope.clone())
            .column(rows, count("n_errors", "moves that led farther from the goal, made after recovery from earlier ones"), n_of(|summary| summary.n))
            .column(rows, count("n_recovered", "errors after which the goal was as near again as before"), n_of(|summary| summary.n_recovered))
            .column(rows, count("n_dead_ends", "errors after which no goal could be reached"), n_of(|summary| summary.n_dead_ends))
            .column(rows, count("n_untimed", "attempts that are left out because a row between their moves has no time"), |row| row.n_untimed)
            .column(rows, number("median_moves", "median number of moves until recovery, the error and logged undos included; Kaplan-Meier, as some are never recovered from").unit("moves"), moves(|median| median.estimate))
            .column(rows, number("moves_lower", "lower end of its interval").unit("moves"), moves(|median| median.lower))
            .column(rows, number("moves_upper", "upper end of its interval").unit("moves"), moves(|median| median.upper))
            .column(rows, number("median_s", "median time until recovery, the time before the error included").unit("s"), seconds(|median| median.estimate))
            .column(rows, number("s_lower", "lower end of its interval").unit("s"), seconds(|median| median.lower))
            .column(rows, number("s_upper", "upper end of its interval").unit("s"), seconds(|median| median.upper))
            .column(rows, text("reason", "why a result is missing"), |row| row.reason.clone())
            .into_table("error_costs", "What an error costs until the goal is as near as before it, in moves and in seconds.")
    }

    /// The traps, and what an error costs, in words.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let n_traps = self.traps.iter().filter(|row| row.2.p_adjusted.is_some_and(|p| p < 0.05)).count();
        if !self.traps.is_empty() && !self.is_pilot {
            sentences.push(format!(
                "Of {} that at least {LEAST_VISITS} people met, {}: people err there more often than each of them does elsewhere with as many ways to err (adjusted p < .05).",
                apa::counted(self.traps.len(), "position"),
                match n_traps {
                    0 => "none is a trap".to_owned(),
                    1 => "one is a trap".to_owned(),
                    n => format!("{} are traps", apa::count(n)),
                }
            ));
        }
        let all = self.costs.first().and_then(|row| row.summary.as_ref());
        if let Some((summary, moves, seconds)) =
            all.and_then(|summary| Some((summary, summary.moves.median.estimate?, summary.seconds.median.estimate?)))
        {
            sentences.push(format!(
                "The median error costs {moves:.0} moves and {seconds:.1} s until the goal is as near as before it ({} of {} {} recovered from).",
                apa::count(summary.n_recovered),
                apa::counted(summary.n, "error"),
                if summary.n_recovered == 1 { "is" } else { "are" }
            ));
        }
        sentences
    }
}

/// Distances of positions that were reached one after the other, and when: the moves of an attempt as far as each was
/// made where the one before it led, and logged undos as far as they lead back to where the goal is no farther.
#[derive(Default)]
struct Trajectory {
    distances: Vec<Option<u32>>,
    times: Vec<f64>,
}

impl Trajectory {
    fn push(&mut self, distance: Option<u32>, time_s: f64) {
        self.distances.push(distance);
        self.times.push(time_s);
    }
}

/// The trajectories of an attempt; nothing if a time between its moves is missing.
///
/// An undo takes an error back, and is no error where it takes back a good move: there, and at a reset, the trajectory
/// ends. Time that passes without a move (a hint, an illegal move) is part of the trajectory.
fn trajectories(data: &Dataset, attempt: &AttemptRow) -> Option<Vec<Trajectory>> {
    let moves = data.moves_of(attempt);
    let whole = |value: Option<f64>| value.map(|value| value as u32);
    let known: HashMap<u32, Option<u32>> = moves
        .iter()
        .flat_map(|row| [(row.before, whole(row.value_before)), (row.after, whole(row.value_after))])
        .collect();
    let mut others = attempt.others.iter().filter(|other| other.n_before > 0).peekable();
    let (mut trajectories, mut trajectory, mut now) = (Vec::new(), Trajectory::default(), 0.0);
    // The position at which the trajectory stands; absent where it has ended.
    let mut at: Option<u32> = None;
    for index in 0..=moves.len() {
        while let Some(other) = others.next_if(|other| other.n_before <= index) {
            match other.rt_s {
                Some(time) => now += time,
                None if index < moves.len() => return None,
                None => break,
            }
            let back = match other.kind {
                OtherKind::Still | OtherKind::Illegal => continue,
                OtherKind::Undo(position) => position.and_then(|position| Some((position, *known.get(&position)?))),
                OtherKind::Reset => None,
            };
            // No distance is the largest: that of a dead end.
            let far = |distance: Option<u32>| distance.map_or(u64::MAX, u64::from);
            let last = trajectory.distances.last().copied().flatten();
            let back = back.filter(|&(_, distance)| at.is_some() && far(distance) <= far(last));
            at = back.map(|(position, _)| position);
            if let Some((_, distance)) = back {
                trajectory.push(distance, now);
            }
        }
        let Some(row) = moves.get(index) else { break };
        if at != Some(row.before) {
            trajectories.push(std::mem::take(&mut trajectory));
            trajectory.push(whole(row.value_before), now);
        }
        now += row.rt_s.or((row.ply == 0).then_some(0.0))?;
        trajectory.push(whole(row.value_after), now);
        at = Some(row.after);
    }
    trajectories.push(trajectory);
    trajectories.retain(|trajectory| trajectory.distances.len() > 1);
    Some(trajectories)
}

/// The probability of an error if the move is drawn from the legal ones.
fn chance_of_error(row: &MoveRow) -> f64 {
    1.0 - f64::from(row.n_optimal) / f64::from(row.n_legal)
}

/// Returns the ratio of each participant's errors to those expected of moves drawn from the legal ones: the lapse rate
/// of a player who otherwise moves optimally. 0 for a participant without moves that could be errors.
pub fn lapses(data: &Dataset) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); data.participants.len()];
    for attempt in &data.attempts {
        let (errors, chances) = &mut sums[attempt.participant];
        for row in data.moves_of(attempt).iter().filter(|row| row.n_legal > 0 && !row.is_dead_end()) {
            *errors += f64::from(u8::from(row.is_error()));
            *chances += chance_of_error(row);
        }
    }
    sums.into_iter().map(|(errors, chances)| if chances > 0.0 { errors / chances } else { 0.0 }).collect()
}

fn costs(context: &Context) -> Vec<CostRow> {
    let data = context.data;
    if !data.unit.is_distance() {
        return Vec::new();
    }
    let mut by_level: Vec<(Vec<Trajectory>, u64)> = data.levels.iter().map(|_| (Vec::new(), 0)).collect();
    for attempt in &data.attempts {
        let (at_level, n_untimed) = &mut by_level[attempt.level];
        match trajectories(data, attempt) {
            Some(trajectories) => at_level.extend(trajectories),
            None => *n_untimed += 1,
        }
    }
    let confidence = context.confidence();
    let all: Vec<&Trajectory> = by_level.iter().flat_map(|(trajectories, _)| trajectories).collect();
    let n_untimed = by_level.iter().map(|(_, n)| n).sum();
    let mut rows = vec![cost_row("all levels".to_owned(), &all, n_untimed, confidence)];
    rows.extend(data.levels.iter().zip(&by_level).map(|(level, (trajectories, n_untimed))| {
        cost_row(level.clone(), &trajectories.iter().collect::<Vec<_>>(), *n_untimed, confidence)
    }));
    rows
}

fn cost_row(scope: String, trajectories: &[&Trajectory], n_untimed: u64, confidence: Confidence) -> CostRow {
    let courses: Vec<Course> = trajectories
        .iter()
        .map(|trajectory| Course { distances: &trajectory.distances, times: &trajectory.times })
        .collect();
    let of_errors: ErrorCosts = error_costs(&courses);
    let summary = of_errors.summary(true, confidence);
    let reason = of_errors.reason.as_ref().or(summary.moves.reason.as_ref()).map(ToString::to_string);
    CostRow { scope, summary: Some(summary), n_untimed, reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::tests::of_line;
    use crate::testing::{Cells, add_attempt, check_cells, context, dataset, step, trial};
    use plymap_measures::label::Quality;
    use plymap_measures::testing::Line;

    /// Returns the error costs of one attempt: number of errors, number recovered from, and median moves and seconds.
    fn costs_of(words: &str) -> [String; 4] {
        let data = of_line(Line::new().attempt("p1", "A", 1, words));
        let errors = Errors::new(&context(&data));
        let table = errors.costs();
        check_cells(&table);
        ["n_errors", "n_recovered", "median_moves", "median_s"]
            .map(|column| table.cells(column)[0].clone().unwrap_or_default())
    }

    #[test]
    fn taking_back_good_moves_is_no_error() {
        assert_eq!(costs_of("d d undo undo d d d d d"), ["0", "0", "", ""]);
        assert_eq!(costs_of("d d reset d d d d d"), ["0", "0", "", ""]);
        assert_eq!(costs_of("d d undo undo undo d u d"), ["1", "1", "2", "2"]);
    }

    #[test]
    fn an_undo_recovers_from_an_error() {
        assert_eq!(costs_of("d u d d"), ["1", "1", "2", "2"]);
        assert_eq!(costs_of("d u undo d d"), ["1", "1", "2", "2"]);
        assert_eq!(costs_of("d u u undo undo"), ["1", "1", "4", "4"]);
        assert_eq!(costs_of("d fall undo d d"), ["1", "1", "2", "2"]);
        // A reset leaves the error as it is; hints and illegal moves take their time.
        assert_eq!(costs_of("d u reset d d")[..2], ["1", "0"]);
        assert_eq!(costs_of("d u hint x d"), ["1", "1", "2", "4"]);
    }

    #[test]
    fn a_trap_is_where_people_err_more_than_they_do_elsewhere() {
        let mut data = dataset((0..8).map(|p| trial(p, 0, 20.0, 40.0)).collect());
        data.positions = vec![(0, "easy".to_owned()), (0, "trap".to_owned())];
        for p in 0..8 {
            // Four moves, of which one is optimal: everybody errs once in ten moves, and always at the trap.
            let nth_move = |number: usize| {
                let (before, is_error) = if number == 10 { (1, true) } else { (0, number == 3) };
                let quality = if is_error { Quality::Worse } else { Quality::Better };
                step(quality, None).but(|fact| fact.before = before)
            };
            add_attempt(&mut data, p, 0, (0..11).map(nth_move).collect());
        }
        // Two errors of eleven moves with three ways of four to err.
        let expected = 2.0 / (11.0 * 0.75);
        lapses(&data).into_iter().for_each(|lapse| assert!((lapse - expected).abs() < 1e-12));
        let table = Errors::new(&context(&data)).traps();
        check_cells(&table);
        assert_eq!(table.cells("position"), [Some("trap".to_owned()), Some("easy".to_owned())]);
        let number = |column: &str| table.cells(column)[0].as_ref().unwrap().parse::<f64>().unwrap();
        assert!((number("expected") - expected * 0.75).abs() < 1e-12);
        // All eight err.
        assert!((number("p_value") - (expected * 0.75).powi(8)).abs() < 1e-15);
    }

    #[test]
    fn an_attempt_without_a_time_between_its_moves_is_left_out() {
        let untimed = Line::new().timed(None).attempt("p1", "A", 1, "d u d");
        let table = Errors::new(&context(&of_line(untimed))).costs();
        assert_eq!([&table.cells("n_untimed")[0], &table.cells("n_errors")[0]], [&Some("1".into()), &Some("0".into())]);
    }
}
