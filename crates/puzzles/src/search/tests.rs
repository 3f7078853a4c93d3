use std::sync::Arc;

use super::*;
use crate::diagnostic::SourceText;
use crate::distance::DistanceTable;
use crate::game::{LevelText, StateCode};
use crate::graph::{LevelMap, MapOptions};
use crate::progress::Silent;
use crate::registry::{Game, RuleOptions};
use crate::rules::{Guide, LegalMove, Rules, SearchRequest};
use crate::testing::project;

mod behaviour;
mod oracle;
mod roads;

/// A level with its map.
struct Level {
    rules: Box<dyn Rules>,
    map: LevelMap,
    distances: DistanceTable,
    goals: Vec<StateCode>,
}

fn level(game: &str, text: &str) -> Level {
    level_with(game, text, "")
}

fn level_with(game: &str, text: &str, options: &str) -> Level {
    let rules = rules(game, text, options);
    let map = rules.map(&MapOptions::default()).unwrap();
    let distances = DistanceTable::new(&map);
    let goals = map.goals().map(|node| map.code(node)).collect();
    Level { rules, map, distances, goals }
}

fn rules(game: &str, text: &str, options: &str) -> Box<dyn Rules> {
    let source = Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() });
    let level = LevelText { text, source: &source, span: 0..text.len() };
    let options = RuleOptions { table: options.parse().unwrap(), folder: project() };
    (Game::named(game).unwrap().load)(&level, &options).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

impl Level {
    /// The distance by the map; infinite where there is none.
    fn distance(&self, state: StateCode) -> f64 {
        let node = self.map.node(state).expect("a state of the map");
        self.distances.get(node).map_or(f64::INFINITY, |distance| f64::from(distance.0))
    }

    /// Searches, and replays the path that was found.
    fn search(&self, start: StateCode, algorithm: Algorithm, guide: Guide, limits: &Limits) -> Found<LegalMove> {
        let request =
            SearchRequest { start, algorithm, heuristic: guide, goals: &self.goals, limits, progress: &Silent };
        let result = self.rules.search(&request);
        if let Some(moves) = result.moves() {
            let mut state = start;
            for action in moves {
                assert_eq!(&self.rules.play(state, &action.notation).unwrap(), action);
                state = action.next;
            }
            assert!(self.rules.is_goal(state));
            assert_eq!(result.cost, Some(moves.iter().map(|action| action.cost).sum()));
        }
        assert_eq!(result.cost.is_some(), result.moves().is_some());
        result
    }

    /// About so many states that are spread over the map.
    fn some_states(&self, number: usize) -> impl Iterator<Item = StateCode> + '_ {
        (0..self.map.n_states() as u32).step_by(self.map.n_states().div_ceil(number)).map(|node| self.map.code(node))
    }
}

/// The article's level 1, as rows.
const ARTICLE: &str = "BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n";

/// Game, level, options. The last one cannot be solved from all of its states.
const LEVELS: [(&str, &str, &str); 10] = [
    ("rush-hour", ARTICLE, ""),
    ("rush-hour", ARTICLE, "metric = \"cell\"\ngoal = \"path-clear\""),
    ("tower-of-hanoi", "5 disks", ""),
    ("tower-of-hanoi", "4 disks 4 pegs", ""),
    ("tower-of-london", "GBR/-/- > -/GB/R", ""),
    ("tower-of-london", "# capacities: 4 3 2\nRRGG/-/- > GRGR/-/-", ""),
    ("lights-out", "*.*/.../**.", ""),
    ("panguru", "lines: 0-1-2, 2-3-4, 4-5-0, 1-3-5\nABCABC\n-BACCB\n", ""),
    ("lua", "123\n45.\n", "script = \"data/lua/eight_puzzle.lua\""),
    ("match-the-tiles", "....x\n.A.xB\n.....\n...xb\na....", ""),
];

/// Same counts; only the time may differ.
fn counts<M: Clone>(result: &Found<M>) -> Found<M> {
    Found { elapsed: Duration::ZERO, ..result.clone() }
}

/// The map's distances come from a search backwards from the goals, and know nothing of this module.
#[test]
fn optimal_algorithms_find_the_distance_of_the_map() {
    for (game, text, options) in LEVELS {
        let level = level_with(game, text, options);
        let n_states = level.map.n_states() as u64;
        let admissible: Vec<usize> = (0..)
            .zip(level.rules.heuristics())
            .filter_map(|(index, heuristic)| heuristic.is_admissible.then_some(index))
            .collect();
        // Admissible, and mostly not consistent.
        let uneven =
            |state: StateCode| if state.0.count_ones().is_multiple_of(2) { level.distance(state) } else { 0.0 };
        let exact = |state| level.distance(state);
        let mut n_solved = 0;
        for start in level.some_states(40) {
            let distance = level.distance(start);
            let check = |algorithm: Algorithm, guide: Guide| {
                let result = level.search(start, algorithm, guide, &Limits::default());
                let claim = format!("{game} {text:?} {algorithm} from {}", level.rules.format_state(start));
                match result.outcome {
                    Outcome::NoSolution => assert!(distance.is_infinite(), "{claim}"),
                    Outcome::Solved(ref moves) => assert_eq!(moves.len() as f64, distance, "{claim}"),
                    ref other => panic!("{claim}: {other:?}"),
                }
                result
            };
            let breadth_first = check(Algorithm::BreadthFirst, Guide::None);
            assert!(breadth_first.n_expanded <= n_states);
            if level.rules.is_reversible() {
                check(Algorithm::Bidirectional, Guide::None);
            }
            let uniform_cost = check(Algorithm::UniformCost, Guide::None);
            let blind = check(Algorithm::AStar, Guide::Given(&|_| 0.0));
            assert_eq!(counts(&uniform_cost), counts(&blind));
            check(Algorithm::AStar, Guide::Given(&uneven));
            for &index in &admissible {
                assert!(check(Algorithm::AStar, Guide::Game(&[index])).n_expanded <= blind.n_expanded);
            }
            for algorithm in [Algorithm::AStar, Algorithm::IdaStar, Algorithm::Greedy] {
                let result = check(algorithm, Guide::Given(&exact));
                // Each state on one shortest path but the goal, and no other.
                assert_eq!(result.n_expanded as f64, if distance.is_finite() { distance } else { 0.0 });
            }
            if distance <= 4.0 {
                check(Algorithm::IdaStar, Guide::Given(&|_| 0.0));
                check(Algorithm::IdaStar, Guide::Given(&uneven));
            }
            if distance <= 8.0 {
                admissible.iter().for_each(|&index| drop(check(Algorithm::IdaStar, Guide::Game(&[index]))));
            }
            for algorithm in [Algorithm::DepthFirst, Algorithm::Greedy] {
                let result = level.search(start, algorithm, Guide::Given(&|_| 0.0), &Limits::default());
                assert_eq!(result.moves().is_some(), distance.is_finite());
                assert!(result.n_expanded <= n_states);
                n_solved += usize::from(result.moves().is_some());
            }
        }
        assert!(n_solved >= 20, "{game} {text:?}: {n_solved}");
    }
}

/// 8 moves and 1,247 states are the published numbers of the level.
#[test]
fn the_level_of_the_article() {
    let level = level("rush-hour", ARTICLE);
    assert_eq!(level.map.n_states(), 1_247);
    for algorithm in [Algorithm::BreadthFirst, Algorithm::UniformCost, Algorithm::Bidirectional] {
        let result = level.search(level.rules.start(), algorithm, Guide::None, &Limits::default());
        assert_eq!(result.cost, Some(8), "{algorithm}");
    }
}

/// Without a goal in reach, each state is expanded once and each move of the map generated once.
#[test]
fn an_unsolvable_level_is_searched_to_its_end() {
    let levels = [
        // B lies between the red piece and its exit and cannot leave the row.
        ("rush-hour", "...C..\n...C..\nAA..BB\nD.....\nD..EEE\n......\n"),
        // One lamp alone cannot be turned off on this board: only 2^12 of its 2^16 positions can.
        ("lights-out", "*.../..../..../...."),
    ];
    for (game, text) in levels {
        let level = level(game, text);
        assert!(level.goals.is_empty());
        let (n_states, n_arcs) = (level.map.n_states() as u64, level.map.graph.n_arcs() as u64);
        for algorithm in Algorithm::ALL {
            if matches!(algorithm, Algorithm::IdaStar | Algorithm::Bidirectional) {
                continue;
            }
            let result = level.search(level.rules.start(), algorithm, Guide::Given(&|_| 0.0), &Limits::default());
            assert_eq!(result.outcome, Outcome::NoSolution, "{game} {algorithm}");
            assert_eq!((result.n_expanded, result.n_generated, result.peak_closed), (n_states, n_arcs, n_states));
        }
    }
}
