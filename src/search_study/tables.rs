//! The tables of a study of searches.

use std::collections::BTreeMap;

use super::heuristics::HeuristicQuality;
use super::search::{Search, SearchMethod};
use plymap_puzzles::game::Unit;
use plymap_statistics::stats::describe::quantile;
use plymap_tables::{Columns, Table, count, flag, number, text, whole};

const OUTCOMES: &str = "solved; no-solution: everything was searched; cut-expanded, cut-time, cut-states: the limit that ended it; not-applicable: see reason; failed";

fn named(rows: &[Search]) -> Columns {
    Columns::new()
        .column(rows, text("level", "level that was searched"), |row| row.level.clone())
        .column(rows, text("algorithm", "how it was searched"), |row| row.method.name().to_owned())
        .column(rows, text("heuristic", "what guided it, where the algorithm needs that"), |row| row.heuristic.clone())
}

/// The table `searches`: what each search found and what it cost, without its time.
pub fn searches_table(rows: &[Search]) -> Table {
    let count = |name: fn(&Search) -> u64| move |row: &Search| row.is_made().then(|| name(row) as i64);
    // A game's own search counts its own steps and nothing else.
    let general = |name: fn(&Search) -> u64| {
        move |row: &Search| (row.is_made() && matches!(row.method, SearchMethod::General(_))).then(|| name(row) as i64)
    };
    named(rows)
        .column(rows, text("outcome", OUTCOMES), |row| row.outcome().to_owned())
        .column(rows, whole("n_moves", "number of moves of the solution"), |row| {
            row.result.moves().map(|moves| moves.len() as i64)
        })
        .column(rows, whole("cost", "sum of the costs of these moves in the level's metric"), |row| {
            row.result.cost.map(i64::from)
        })
        .column(rows, whole("optimum", "the fewest that a solution costs; empty if there is none"), |row| {
            row.optimum.map(i64::from)
        })
        .column(rows, whole("excess", "cost - optimum"), Search::excess)
        .column(rows, flag("is_optimal", "whether excess is 0; empty unless solved"), |row| {
            row.excess().map(|excess| excess == 0)
        })
        .column(
            rows,
            whole(
                "n_expanded",
                "states whose successors were generated, repeated ones included; of a game's own search, its steps",
            ),
            count(|row| row.result.n_expanded),
        )
        .column(
            rows,
            whole("n_generated", "successors that were generated, repeated ones included"),
            general(|row| row.result.n_generated),
        )
        .column(
            rows,
            whole("n_reopened", "states that were opened again because a cheaper path to them was found"),
            general(|row| row.result.n_reopened),
        )
        .column(
            rows,
            whole("peak_open", "largest size of the open list; of IDA* the longest path"),
            general(|row| row.result.peak_open),
        )
        .column(rows, whole("peak_closed", "largest size of the closed list"), general(|row| row.result.peak_closed))
        .column(rows, text("reason", "why it was not made, or failed"), |row| row.reason().map(str::to_owned))
        .into_table("searches", "Each search: its level, its search algorithm, what it found and what it cost.")
}

/// The table `search_times`: how long each search took.
pub fn times_table(rows: &[Search]) -> Table {
    let seconds = |row: &Search| row.times.iter().map(std::time::Duration::as_secs_f64).collect::<Vec<_>>();
    let at = |proportion: f64| move |row: &Search| quantile(&seconds(row), proportion).ok();
    named(rows)
        .column(rows, number("median_s", "median time of the repeats").unit("s"), Search::median_s)
        .column(rows, number("least_s", "shortest time of the repeats").unit("s"), at(0.0))
        .column(rows, number("most_s", "longest time of the repeats").unit("s"), at(1.0))
        .column(rows, count("n_repeats", "how often it was made; fewer than asked where it took long"), |row| {
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
    fn performed(&self) -> impl Iterator<Item = &Search> {
        self.searches.iter().copied().filter(|search| search.is_made())
    }

    fn excesses(&self) -> Vec<f64> {
        self.performed().filter_map(Search::excess).map(|excess| excess as f64).collect()
    }

    fn median(&self, value: fn(&Search) -> Option<f64>) -> Option<f64> {
        quantile(&self.performed().filter_map(value).collect::<Vec<_>>(), 0.5).ok()
    }

    fn n_optimal(&self) -> u64 {
        self.performed().filter(|search| search.excess() == Some(0)).count() as u64
    }

    /// Searches of which it is known whether they are optimal: those of levels that can be solved, cut ones included.
    fn n_judged(&self) -> u64 {
        self.performed().filter(|search| search.optimum.is_some()).count() as u64
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
    Columns::new()
        .column(rows, text("algorithm", "how levels were searched"), |row| row.algorithm.to_owned())
        .column(rows, text("heuristic", "what guided it, where the algorithm needs that"), |row| {
            row.heuristic.map(str::to_owned)
        })
        .column(rows, count("n_searches", "levels on which it was made"), n_with(|_| true))
        .column(rows, count("n_solved", "levels that it solved"), n_with(|search| search.result.cost.is_some()))
        .column(rows, count("n_limit_reached", "number of levels on which a limit ended the search"), n_with(Search::is_cut))
        .column(rows, count("n_optimal", "levels that it solved at the least cost"), AlgorithmSearches::n_optimal)
        .column(rows, number("share_optimal", "n_optimal / number of levels on which it was made and that can be solved; cut searches count as not optimal"), |row| (row.n_judged() > 0).then(|| row.n_optimal() as f64 / row.n_judged() as f64))
        .column(rows, number("mean_excess", "mean of excess over the levels that it solved"), |row| {
            let excesses = row.excesses();
            (!excesses.is_empty()).then(|| excesses.iter().sum::<f64>() / excesses.len() as f64)
        })
        .column(rows, number("largest_excess", "largest excess"), |row| quantile(&row.excesses(), 1.0).ok())
        .column(rows, number("median_expanded", "median over levels of n_expanded, cut searches included"), |row| {
            row.median(|search| Some(search.result.n_expanded as f64))
        })
        .column(rows, count("total_expanded", "sum over levels of n_expanded, cut searches included"), |row| {
            row.performed().map(|search| search.result.n_expanded).sum::<u64>()
        })
        .into_table("algorithms", "Each search algorithm over all levels.")
}

/// The number of searches of a row of which something holds.
fn n_with(holds: fn(&Search) -> bool) -> impl Fn(&AlgorithmSearches) -> u64 {
    move |row: &AlgorithmSearches| row.performed().filter(|search| holds(search)).count() as u64
}

/// The table `heuristics`: each heuristic over all states of each level that was mapped.
pub fn heuristics_table(rows: &[HeuristicQuality]) -> Table {
    let unit = Unit::Moves.name();
    Columns::new()
        .column(rows, text("level", "level"), |row| row.level.clone())
        .column(rows, text("heuristic", "heuristic"), |row| row.heuristic.clone())
        .column(rows, text("meaning", "what it counts"), |row| row.meaning.clone())
        .column(
            rows,
            flag("claims_admissible", "whether its game claims that it is admissible; empty for sums"),
            |row| row.claims_admissible,
        )
        .column(
            rows,
            flag("is_admissible", "whether it never exceeds the distance, over all states of the level"),
            |row| Some(row.is_admissible()),
        )
        .column(
            rows,
            flag("is_consistent", "whether it never falls by more than a move costs along any move, and is 0 at goals"),
            |row| Some(row.is_consistent()),
        )
        .column(rows, count("n_states", "states from which a goal can be reached"), |row| row.n_states)
        .column(rows, count("n_overestimates", "states of which it says more than the distance"), |row| {
            row.n_overestimates
        })
        .column(rows, number("largest_overestimate", "largest overestimate of the distance").unit(unit), |row| {
            Some(row.largest_overestimate)
        })
        .column(rows, text("example", "the first state that it overestimates"), |row| row.example.clone())
        .column(
            rows,
            count(
                "n_inconsistent",
                "moves along which it falls by more than they cost, and goals of which it is not 0",
            ),
            |row| row.n_inconsistent,
        )
        .column(rows, text("inconsistent_example", "the first state with such a move"), |row| {
            row.inconsistent_example.clone()
        })
        .column(rows, number("mean_ratio", "mean of heuristic / distance, over all states but goals"), |row| {
            row.mean_ratio
        })
        .column(rows, number("pearson", "Pearson's correlation with the distance over these states"), |row| {
            row.pearson.estimate()
        })
        .column(rows, number("spearman", "Spearman's correlation with the distance over these states"), |row| {
            row.spearman.estimate()
        })
        .column(rows, count("n_dead_ends", "states from which no goal can be reached"), |row| row.n_dead_ends)
        .column(rows, count("n_dead_ends_recognised", "those of which it is infinite"), |row| {
            row.n_dead_ends_recognised
        })
        .into_table(
            "heuristics",
            "Each heuristic against the true distance of all states of each level that was mapped.",
        )
}
