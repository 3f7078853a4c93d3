//! The tables of a study of searches.

use std::collections::BTreeMap;

use super::heuristics::HeuristicQuality;
use super::search::{Search, SearchMethod};
use plymap_puzzles::game::Unit;
use plymap_statistics::stats::describe::quantile;
use plymap_tables::{Columns, Table};

const OUTCOMES: &str = "solved; no-solution: everything was searched; cut-expanded, cut-time, cut-states: the limit that ended it; not-applicable: see reason; failed";

fn named(rows: &[Search]) -> Columns {
    Columns::new()
        .text(rows, "level", "level that was searched", |row| row.level.clone())
        .text(rows, "algorithm", "how it was searched", |row| row.method.name().to_owned())
        .label(rows, "heuristic", "what guided it, where the algorithm needs that", |row| row.heuristic.clone())
}

/// The table `searches`: what each search found and what it cost, without its time.
pub fn searches_table(rows: &[Search]) -> Table {
    let count = |name: fn(&Search) -> u64| move |row: &Search| row.is_made().then(|| name(row) as i64);
    // A game's own search counts its own steps and nothing else.
    let general = |name: fn(&Search) -> u64| {
        move |row: &Search| (row.is_made() && matches!(row.method, SearchMethod::General(_))).then(|| name(row) as i64)
    };
    named(rows)
        .text(rows, "outcome", OUTCOMES, |row| row.outcome().to_owned())
        .whole(rows, "n_moves", "", "number of moves of the solution", |row| {
            row.found.moves().map(|moves| moves.len() as i64)
        })
        .whole(rows, "cost", "", "sum of the costs of these moves in the level's metric", |row| {
            row.found.cost.map(i64::from)
        })
        .whole(rows, "optimum", "", "the fewest that a solution costs; empty if there is none", |row| {
            row.optimum.map(i64::from)
        })
        .whole(rows, "excess", "", "cost - optimum", Search::excess)
        .flag(rows, "is_optimal", "whether excess is 0; empty unless solved", |row| {
            row.excess().map(|excess| excess == 0)
        })
        .whole(
            rows,
            "n_expanded",
            "",
            "states whose successors were generated, repeated ones included; of a game's own search, its steps",
            count(|row| row.found.n_expanded),
        )
        .whole(
            rows,
            "n_generated",
            "",
            "successors that were generated, repeated ones included",
            general(|row| row.found.n_generated),
        )
        .whole(
            rows,
            "n_reopened",
            "",
            "states that were opened again because a cheaper path to them was found",
            general(|row| row.found.n_reopened),
        )
        .whole(
            rows,
            "peak_open",
            "",
            "largest size of the open list; of IDA* the longest path",
            general(|row| row.found.peak_open),
        )
        .whole(rows, "peak_closed", "", "largest size of the closed list", general(|row| row.found.peak_closed))
        .label(rows, "reason", "why it was not made, or failed", |row| row.reason().map(str::to_owned))
        .into_table("searches", "Each search: its level, its search algorithm, what it found and what it cost.")
}

/// The table `search_times`: how long each search took.
pub fn times_table(rows: &[Search]) -> Table {
    let seconds = |row: &Search| row.times.iter().map(std::time::Duration::as_secs_f64).collect::<Vec<_>>();
    let at = |proportion: f64| move |row: &Search| quantile(&seconds(row), proportion).ok();
    named(rows)
        .number(rows, "median_s", "s", "median time of the repeats", Search::median_s)
        .number(rows, "least_s", "s", "shortest time of the repeats", at(0.0))
        .number(rows, "most_s", "s", "longest time of the repeats", at(1.0))
        .count(rows, "n_repeats", "how often it was made; fewer than asked where it took long", |row| {
            row.times.len() as u64
        })
        .into_table(
            "search_times",
            "How long each search took on the machine of this run: the one table that differs from run to run.",
        )
}

/// All searches of one algorithm with one heuristic.
struct AlgorithmSearches<'a> {
    algorithm: &'static str,
    heuristic: Option<&'a str>,
    searches: Vec<&'a Search>,
}

impl AlgorithmSearches<'_> {
    fn made(&self) -> impl Iterator<Item = &Search> {
        self.searches.iter().copied().filter(|search| search.is_made())
    }

    fn excesses(&self) -> Vec<f64> {
        self.made().filter_map(Search::excess).map(|excess| excess as f64).collect()
    }

    fn n_optimal(&self) -> u64 {
        self.made().filter(|search| search.excess() == Some(0)).count() as u64
    }

    /// Searches of which it is known whether they are optimal: those of levels that can be solved, cut ones included.
    fn n_judged(&self) -> u64 {
        self.made().filter(|search| search.optimum.is_some()).count() as u64
    }
}

/// The table `algorithms`: each algorithm with each heuristic over all levels.
pub fn algorithms_table(searches: &[Search]) -> Table {
    let mut order: Vec<(&'static str, Option<&str>)> = Vec::new();
    let mut groups: BTreeMap<usize, AlgorithmSearches> = BTreeMap::new();
    for search in searches {
        let key = (search.method.name(), search.heuristic.as_deref());
        let place = order.iter().position(|known| *known == key).unwrap_or_else(|| {
            order.push(key);
            order.len() - 1
        });
        let group = groups.entry(place).or_insert_with(|| AlgorithmSearches {
            algorithm: key.0,
            heuristic: key.1,
            searches: Vec::new(),
        });
        group.searches.push(search);
    }
    let rows: Vec<AlgorithmSearches> = groups.into_values().collect();
    let rows = &rows[..];
    let count = |holds: fn(&Search) -> bool| {
        move |row: &AlgorithmSearches| row.made().filter(|search| holds(search)).count() as u64
    };
    let median = |row: &AlgorithmSearches, value: fn(&Search) -> Option<f64>| {
        quantile(&row.made().filter_map(value).collect::<Vec<_>>(), 0.5).ok()
    };
    Columns::new()
        .text(rows, "algorithm", "how levels were searched", |row| row.algorithm.to_owned())
        .label(rows, "heuristic", "what guided it, where the algorithm needs that", |row| {
            row.heuristic.map(str::to_owned)
        })
        .count(rows, "n_searches", "levels on which it was made", count(|_| true))
        .count(rows, "n_solved", "levels that it solved", count(|search| search.found.cost.is_some()))
        .count(rows, "n_cut", "levels on which a limit ended it", count(Search::is_cut))
        .count(rows, "n_optimal", "levels that it solved at the least cost", AlgorithmSearches::n_optimal)
        .number(
            rows,
            "share_optimal",
            "",
            "n_optimal / number of levels on which it was made and that can be solved; cut searches count as not optimal",
            |row| (row.n_judged() > 0).then(|| row.n_optimal() as f64 / row.n_judged() as f64),
        )
        .number(rows, "mean_excess", "", "mean of excess over the levels that it solved", |row| {
            let excesses = row.excesses();
            (!excesses.is_empty()).then(|| excesses.iter().sum::<f64>() / excesses.len() as f64)
        })
        .number(rows, "largest_excess", "", "largest excess", |row| quantile(&row.excesses(), 1.0).ok())
        .number(rows, "median_expanded", "", "median over levels of n_expanded, cut searches included", |row| {
            median(row, |search| Some(search.found.n_expanded as f64))
        })
        .count(rows, "total_expanded", "sum over levels of n_expanded, cut searches included", |row| {
            row.made().map(|search| search.found.n_expanded).sum()
        })
        .into_table("algorithms", "Each search algorithm over all levels.")
}

/// The table `heuristics`: each heuristic over all states of each level that was mapped.
pub fn heuristics_table(rows: &[HeuristicQuality]) -> Table {
    let unit = Unit::Moves.name();
    Columns::new()
        .text(rows, "level", "level", |row| row.level.clone())
        .text(rows, "heuristic", "heuristic", |row| row.heuristic.clone())
        .text(rows, "meaning", "what it counts", |row| row.meaning.clone())
        .flag(rows, "claims_admissible", "whether its game claims that it is admissible; empty for sums", |row| {
            row.claims_admissible
        })
        .flag(rows, "is_admissible", "whether it never exceeds the distance, over all states of the level", |row| {
            Some(row.is_admissible())
        })
        .flag(
            rows,
            "is_consistent",
            "whether it never falls by more than a move costs along any move, and is 0 at goals",
            |row| Some(row.is_consistent()),
        )
        .count(rows, "n_states", "states from which a goal can be reached", |row| row.n_states)
        .count(rows, "n_overestimates", "states of which it says more than the distance", |row| row.n_overestimates)
        .number(rows, "largest_overestimate", unit, "largest overestimate of the distance", |row| {
            Some(row.largest_overestimate)
        })
        .label(rows, "example", "the first state that it overestimates", |row| row.example.clone())
        .count(
            rows,
            "n_inconsistent",
            "moves along which it falls by more than they cost, and goals of which it is not 0",
            |row| row.n_inconsistent,
        )
        .label(rows, "inconsistent_example", "the first state with such a move", |row| row.inconsistent_example.clone())
        .number(rows, "mean_ratio", "", "mean of heuristic / distance, over all states but goals", |row| row.mean_ratio)
        .number(rows, "pearson", "", "Pearson's correlation with the distance over these states", |row| {
            row.pearson.estimate()
        })
        .number(rows, "spearman", "", "Spearman's correlation with the distance over these states", |row| {
            row.spearman.estimate()
        })
        .count(rows, "n_dead_ends", "states from which no goal can be reached", |row| row.n_dead_ends)
        .count(rows, "n_dead_ends_recognised", "those of which it is infinite", |row| row.n_dead_ends_recognised)
        .into_table(
            "heuristics",
            "Each heuristic against the true distance of all states of each level that was mapped.",
        )
}
