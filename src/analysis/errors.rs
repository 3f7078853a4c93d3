//! Traps and costs: where many people err, and what an error costs.

use polars::prelude::PolarsResult;

use super::Context;
use super::error_model::ErrorModel;
use crate::sequence::cost::{CostSummary, Course, ErrorCosts, error_costs};
use crate::sequence::trap::{Trap, Visit, traps};
use crate::stats::survival::kaplan_meier::SurvivalQuantile;
use crate::table::{Columns, Table};

/// First visits that a position needs to be in the table of traps.
const LEAST_VISITS: usize = 5;

/// Results about errors.
pub struct Errors {
    traps: Vec<(String, String, Trap)>,
    n_rare: usize,
    n_without_chance: usize,
    costs: Vec<CostRow>,
    model: ErrorModel,
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
        let mut seen = std::collections::HashSet::new();
        let (mut visits, mut n_without_chance) = (Vec::new(), 0);
        for attempt in &data.attempts {
            for row in data.moves_of(attempt) {
                if row.n_legal == 0 || row.n_optimal == 0 {
                    n_without_chance += 1;
                    continue;
                }
                // Visits of one person to one position are not independent: the first one counts.
                if seen.insert((attempt.participant, row.before)) {
                    visits.push(Visit {
                        state: row.before,
                        participant: attempt.participant as u32,
                        is_error: row.is_error(),
                        chance: 1.0 - f64::from(row.n_optimal) / f64::from(row.n_legal),
                    });
                }
            }
        }
        let found = traps(&visits, LEAST_VISITS, context.confidence);
        let mut rows: Vec<(String, String, Trap)> = found
            .states
            .into_iter()
            .map(|trap| {
                let (level, position) = &data.positions[trap.state as usize];
                (data.levels[*level].clone(), position.clone(), trap)
            })
            .collect();
        // The surest traps first.
        let p = |trap: &Trap| trap.p_value.unwrap_or(f64::INFINITY);
        rows.sort_by(|one, other| {
            p(&one.2).total_cmp(&p(&other.2)).then_with(|| (&one.0, &one.1).cmp(&(&other.0, &other.1)))
        });
        Self {
            traps: rows,
            n_rare: found.n_rare,
            n_without_chance,
            costs: costs(context),
            model: ErrorModel::new(context),
        }
    }

    /// The tables `traps`, `error_costs`, which games for points do not have, and `error_model`.
    ///
    /// # Errors
    ///
    /// Never in practice: polars builds the frame from columns of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        let mut tables = vec![self.traps()?];
        if !self.costs.is_empty() {
            tables.push(self.costs()?);
        }
        tables.push(self.model.table()?);
        Ok(tables)
    }

    fn traps(&self) -> PolarsResult<Table> {
        let rows = &self.traps[..];
        let caption = format!(
            "Positions in which people err, the surest traps first: first visits of each participant, at least {LEAST_VISITS} of them ({} positions have fewer; {} moves from positions without an optimal move are left out).",
            self.n_rare, self.n_without_chance
        );
        Columns::new()
            .text(rows, "level", "level that was played", |row| row.0.clone())
            .text(rows, "position", "the position, for plymap explain", |row| row.1.clone())
            .count(rows, "n", "number of participants who came here; their first visit counts", |row| row.2.errors.n)
            .count(rows, "n_errors", "how many of them did not move optimally", |row| row.2.errors.successes)
            .number(rows, "share_errors", "", "n_errors / n", |row| row.2.errors.estimate)
            .number(rows, "lower", "", "lower end of its interval (Wilson, 1927)", |row| row.2.errors.lower)
            .number(rows, "upper", "", "upper end of its interval", |row| row.2.errors.upper)
            .number(rows, "chance", "", "share of errors if moves were drawn evenly from the legal ones", |row| {
                Some(row.2.chance)
            })
            .number(rows, "p_value", "", "exact probability of so many errors or more by chance, one-sided", |row| {
                row.2.p_value
            })
            .number(rows, "p_adjusted", "", "adjusted over all these positions (Benjamini and Hochberg, 1995)", |row| {
                row.2.p_adjusted
            })
            .label(rows, "reason", "why the p value is missing", |row| {
                row.2.test_reason.as_ref().map(ToString::to_string)
            })
            .into_table("traps", &caption)
    }

    fn costs(&self) -> PolarsResult<Table> {
        let rows = &self.costs[..];
        let count = |value: fn(&CostSummary) -> usize| {
            move |row: &CostRow| row.summary.as_ref().map_or(0, |one| value(one) as u64)
        };
        let moves = |value: fn(&SurvivalQuantile) -> Option<f64>| {
            move |row: &CostRow| row.summary.as_ref().and_then(|one| value(&one.moves.median))
        };
        let seconds = |value: fn(&SurvivalQuantile) -> Option<f64>| {
            move |row: &CostRow| row.summary.as_ref().and_then(|one| value(&one.seconds.median))
        };
        Columns::new()
            .text(rows, "scope", "all levels, or one level", |row| row.scope.clone())
            .count(rows, "n_errors", "moves that led farther from the goal, made after recovery from earlier ones", count(|one| one.n))
            .count(rows, "n_recovered", "errors after which the goal was as near again as before", count(|one| one.n_recovered))
            .count(rows, "n_dead_ends", "errors after which no goal could be reached", count(|one| one.n_dead_ends))
            .count(rows, "n_untimed", "attempts that are left out because a move has no time", |row| row.n_untimed)
            .number(rows, "median_moves", "moves", "median number of moves until recovery, the error included; Kaplan-Meier, as some are never recovered from", moves(|median| median.estimate))
            .number(rows, "moves_lower", "moves", "lower end of its interval", moves(|median| median.lower))
            .number(rows, "moves_upper", "moves", "upper end of its interval", moves(|median| median.upper))
            .number(rows, "median_s", "s", "median time until recovery, the time before the error included", seconds(|median| median.estimate))
            .number(rows, "s_lower", "s", "lower end of its interval", seconds(|median| median.lower))
            .number(rows, "s_upper", "s", "upper end of its interval", seconds(|median| median.upper))
            .label(rows, "reason", "why a result is missing", |row| row.reason.clone())
            .into_table("error_costs", "What an error costs until the goal is as near as before it, in moves and in seconds.")
    }

    /// The traps, what an error costs, and what its odds depend on, in words.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let n_traps = self.traps.iter().filter(|row| row.2.p_adjusted.is_some_and(|p| p < 0.05)).count();
        if !self.traps.is_empty() {
            sentences.push(format!(
                "Of {} positions that at least {LEAST_VISITS} people met, {n_traps} are traps: people err there more often than chance would (adjusted p < .05).",
                self.traps.len()
            ));
        }
        let all = self.costs.first().and_then(|row| row.summary.as_ref());
        if let Some((summary, moves, seconds)) =
            all.and_then(|one| Some((one, one.moves.median.estimate?, one.seconds.median.estimate?)))
        {
            sentences.push(format!(
                "The median error costs {moves:.0} moves and {seconds:.1} s until the goal is as near as before it ({} of {} errors are recovered from).",
                summary.n_recovered, summary.n
            ));
        }
        sentences.extend(self.model.sentences());
        sentences
    }
}

/// Distances of an attempt's positions and when they were reached; nothing if a time is missing.
struct Way {
    distances: Vec<Option<u32>>,
    times: Vec<f64>,
}

fn costs(context: &Context) -> Vec<CostRow> {
    let data = context.data;
    if !data.unit.is_distance() {
        return Vec::new();
    }
    let mut by_level: Vec<(Vec<Way>, u64)> = data.levels.iter().map(|_| (Vec::new(), 0)).collect();
    for attempt in &data.attempts {
        let moves = data.moves_of(attempt);
        let Some(first) = moves.first() else { continue };
        let whole = |value: Option<f64>| value.map(|value| value as u32);
        let mut way = Way { distances: vec![whole(first.value_before)], times: vec![0.0] };
        for row in moves {
            let Some(time) = row.rt_s.or((row.ply == 0).then_some(0.0)) else { break };
            way.times.push(way.times[way.times.len() - 1] + time);
            way.distances.push(whole(row.value_after));
        }
        let (ways, n_untimed) = &mut by_level[attempt.level];
        match way.times.len() == moves.len() + 1 {
            true => ways.push(way),
            false => *n_untimed += 1,
        }
    }
    let row = |scope: String, ways: &[&Way], n_untimed: u64| {
        let courses: Vec<Course> =
            ways.iter().map(|way| Course { distances: &way.distances, times: &way.times }).collect();
        let found: ErrorCosts = error_costs(&courses);
        let summary = found.summary(true, context.confidence);
        let reason = found.reason.as_ref().or(summary.moves.reason.as_ref()).map(ToString::to_string);
        CostRow { scope, summary: Some(summary), n_untimed, reason }
    };
    let all: Vec<&Way> = by_level.iter().flat_map(|(ways, _)| ways).collect();
    let mut rows = vec![row("all levels".to_owned(), &all, by_level.iter().map(|(_, n)| n).sum())];
    rows.extend(
        data.levels
            .iter()
            .zip(&by_level)
            .map(|(level, (ways, n_untimed))| row(level.clone(), &ways.iter().collect::<Vec<_>>(), *n_untimed)),
    );
    rows
}
