//! Tests of the behaviour of the algorithms: order, limits, and what they refuse.

use std::sync::atomic::{AtomicU64, Ordering};

use super::roads::Roads;
use super::*;

fn none(_town: u32) -> f64 {
    0.0
}

fn path(result: &Found<u32>) -> &[u32] {
    result.moves().unwrap_or_else(|| panic!("{:?}", result.outcome))
}

#[test]
fn names_are_read_back() {
    for algorithm in Algorithm::ALL {
        assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        assert_eq!(serde_json::to_value(algorithm).unwrap(), serde_json::json!(algorithm.name()));
    }
    let error = "best-first".parse::<Algorithm>().unwrap_err().to_string();
    assert!(
        error.starts_with("\"best-first\" is no search algorithm: there are breadth-first, depth-first, "),
        "{error}"
    );
}

/// ```text
/// 0 ─1─> 1 ─1─> 2 ─1─> 9      cost 3, 3 moves
/// 0 ─5─> 3 ─5─> 9             cost 10, 2 moves
/// 0 ─1─> 4 ─9─> 5 ─9─> 6 ─9─> 9
/// ```
#[test]
fn each_algorithm_takes_the_path_that_its_order_says() {
    let roads = Roads::new("0-1>1 1-1>2 2-1>9 0-5>3 3-5>9 0-1>4 4-9>5 5-9>6 6-9>9", &[9]);
    // Town 4 looks nearest.
    let misled = |town: u32| if (4..9).contains(&town) { 0.5 } else { f64::from(9 - town) };
    let limits = Limits::default();
    assert_eq!(path(&roads.search(Algorithm::BreadthFirst, &none, &limits)), [3, 9]);
    assert_eq!(path(&roads.search(Algorithm::DepthFirst, &none, &limits)), [1, 2, 9]);
    assert_eq!(path(&roads.search(Algorithm::Greedy, &misled, &limits)), [4, 5, 6, 9]);
    for algorithm in [Algorithm::UniformCost, Algorithm::AStar, Algorithm::IdaStar] {
        assert_eq!(path(&roads.search(algorithm, &none, &limits)), [1, 2, 9], "{algorithm}");
    }
}

/// Martelli (1977) and every textbook since: the path 0, 1, 2 is cheaper, and the estimate of 1 hides it at first.
#[test]
fn a_star_reopens_a_state_that_it_reached_too_dearly() {
    let roads = Roads::new("0-1>1 1-1>2 0-3>2 2-5>3", &[3]);
    assert_eq!(roads.costs(), [7.0, 6.0, 5.0, 0.0]);
    let inconsistent = |town: u32| if town == 1 { 6.0 } else { 0.0 };
    let result = roads.search(Algorithm::AStar, &inconsistent, &Limits::default());
    assert_eq!((path(&result), result.cost, result.n_reopened), (&[1, 2, 3][..], Some(7), 1));
    // By hand: 0, 2 at a cost of 3, 1 with f = 7, 2 again.
    assert_eq!((result.n_expanded, result.n_generated), (4, 5));
    // 2 is closed, then open again: 0 and 1 are closed then, and 0, 1, 2 at the end.
    assert_eq!((result.peak_open, result.peak_closed), (2, 3));
}

/// Numbers that look random and are the same on every machine (SplitMix64: Steele, Lea and Flood, 2014).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % u64::from(limit)) as u32
    }
}

/// Costs from 0 up, dead ends, several goals, and estimates that are any part of the true cost.
#[test]
fn costs_are_the_lowest_for_every_admissible_heuristic() {
    let mut chance = Chance(1);
    let (mut n_reopened, mut n_unsolvable) = (0, 0);
    for _ in 0..400 {
        let n_towns = 3 + chance.below(40);
        let mut roads = vec![Vec::new(); n_towns as usize];
        for from in &mut roads {
            for to in 0..n_towns {
                if chance.below(n_towns) < 3 {
                    let cost = chance.below(10);
                    from.push((to, cost * cost / 4));
                }
            }
        }
        let goals = vec![1 + chance.below(n_towns - 1), 1 + chance.below(n_towns - 1)];
        let roads = Roads { roads, goals };
        let costs = roads.costs();
        let parts: Vec<f64> = costs.iter().map(|_| f64::from(chance.below(5)).min(2.0) / 2.0).collect();
        // Where no goal can be reached, nothing times infinity is no number, and counts as 0.
        let estimate = |town: u32| costs[town as usize] * parts[town as usize];
        for algorithm in [Algorithm::UniformCost, Algorithm::AStar, Algorithm::IdaStar] {
            // The paths of a larger map are too many for a search without memory.
            if algorithm == Algorithm::IdaStar && n_towns > 10 {
                continue;
            }
            for heuristic in [&none as &dyn Fn(u32) -> f64, &estimate, &|town| costs[town as usize]] {
                let result = roads.search(algorithm, heuristic, &Limits::default());
                let expected = costs[0].is_finite().then_some(costs[0] as u32);
                assert_eq!(result.cost, expected, "{algorithm}: {:?} to {:?}", roads.roads, roads.goals);
                assert_eq!(result.outcome == Outcome::NoSolution, expected.is_none());
                n_reopened += result.n_reopened;
                n_unsolvable += u32::from(expected.is_none());
            }
        }
    }
    assert!(n_reopened > 10 && n_unsolvable > 50, "{n_reopened} {n_unsolvable}");
}

#[test]
fn estimates_out_of_range_count_as_nothing() {
    let roads = Roads::new("0-1>1 1-1>2 0-3>3 3-1>2", &[2]);
    for algorithm in [Algorithm::Greedy, Algorithm::AStar, Algorithm::IdaStar] {
        let plain = roads.search(algorithm, &none, &Limits::default());
        for odd in [f64::NAN, -0.0, -7.0, f64::NEG_INFINITY] {
            assert_eq!(counts(&roads.search(algorithm, &|_| odd, &Limits::default())), counts(&plain));
        }
        let result = roads.search(algorithm, &|_| f64::INFINITY, &Limits::default());
        assert_eq!((result.outcome, result.n_expanded), (Outcome::NoSolution, 0));
    }
}

/// A chain of towns: one path, 50,000 moves long.
fn chain(n_towns: u32) -> Roads {
    let mut roads: Vec<Vec<(u32, u32)>> = (1..n_towns).map(|next| vec![(next, 1)]).collect();
    roads.push(Vec::new());
    Roads { roads, goals: vec![n_towns - 1] }
}

#[test]
fn long_paths_need_no_deep_stack() {
    let roads = chain(50_000);
    for algorithm in Algorithm::ALL.into_iter().filter(|&algorithm| algorithm != Algorithm::Bidirectional) {
        if algorithm == Algorithm::IdaStar {
            continue;
        }
        let result = roads.search(algorithm, &none, &Limits::default());
        assert_eq!((result.cost, result.n_expanded), (Some(49_999), 49_999), "{algorithm}");
    }
    // A path is compared with each new state, so this one is shorter.
    let roads = chain(5_000);
    let result = roads.search(Algorithm::IdaStar, &|town| f64::from(4_999 - town), &Limits::default());
    assert_eq!((result.cost, result.n_expanded, result.peak_open, result.peak_closed), (Some(4_999), 4_999, 5_000, 0));
}

#[test]
fn a_depth_limit_never_says_that_there_is_no_solution() {
    // The long path to 3 is tried first; 4 is one move beyond 3.
    let roads = Roads::new("0-1>1 1-1>2 2-1>3 0-1>3 3-1>4", &[4]);
    let limited =
        |most| roads.search(Algorithm::DepthFirst, &none, &Limits { max_depth: Some(most), ..Limits::default() });
    assert_eq!(path(&limited(4)), [1, 2, 3, 4]);
    // 3 is at the limit on the long path, and expanded on the short one.
    assert_eq!(path(&limited(3)), [3, 4]);
    assert_eq!(path(&limited(2)), [3, 4]);
    assert_eq!(limited(1).outcome, Outcome::Cut(Cut::Depth));
    assert_eq!(limited(0).outcome, Outcome::Cut(Cut::Depth));
    assert_eq!(limited(0).n_expanded, 0);
    let unsolvable = Roads::new("0-1>1 1-1>0 2-1>2", &[2]);
    let most = |most| Limits { max_depth: Some(most), ..Limits::default() };
    assert_eq!(unsolvable.search(Algorithm::DepthFirst, &none, &most(1)).outcome, Outcome::Cut(Cut::Depth));
    // Nothing is held back by this limit.
    assert_eq!(unsolvable.search(Algorithm::DepthFirst, &none, &most(2)).outcome, Outcome::NoSolution);
    let result = unsolvable.search(Algorithm::DepthFirst, &none, &Limits::default());
    assert_eq!((result.outcome, result.n_expanded, result.n_generated), (Outcome::NoSolution, 2, 2));
}

/// Counts what it is told, and asks to stop after some questions.
struct Watch {
    n_told: AtomicU64,
    n_questions: AtomicU64,
    patience: u64,
}

impl Progress for Watch {
    fn begin(&self, _stage: &str, _total: Option<u64>) {}

    fn advance(&self, steps: u64) {
        self.n_told.fetch_add(steps, Ordering::Relaxed);
    }

    fn end(&self) {}

    fn is_cancelled(&self) -> bool {
        self.n_questions.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
}

#[test]
fn limits_cut_and_say_so() {
    let level = level("tower-of-hanoi", "7 disks");
    let cut = |algorithm, limits: Limits| {
        let result = level.search(level.rules.start(), algorithm, Guide::Given(&|_| 0.0), &limits);
        (result.outcome, result.n_expanded)
    };
    for algorithm in Algorithm::ALL {
        for max_expanded in [0, 1, 100] {
            let limits = Limits { max_expanded, ..Limits::default() };
            assert_eq!(cut(algorithm, limits), (Outcome::Cut(Cut::Expanded), max_expanded), "{algorithm}");
        }
        let limits = Limits { max_time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(cut(algorithm, limits), (Outcome::Cut(Cut::Time), 0), "{algorithm}");
        let limits = Limits { max_states: 50, max_expanded: 60, ..Limits::default() };
        let (outcome, n_expanded) = cut(algorithm, limits);
        let expected = if algorithm == Algorithm::IdaStar { Cut::Expanded } else { Cut::States };
        assert_eq!((outcome, n_expanded < 50), (Outcome::Cut(expected), expected == Cut::States), "{algorithm}");

        let watch = Watch { n_told: AtomicU64::new(0), n_questions: AtomicU64::new(0), patience: 3 };
        let request = SearchRequest {
            start: level.rules.start(),
            algorithm,
            heuristic: Guide::Given(&|_| 0.0),
            goals: &level.goals,
            limits: &Limits::default(),
            progress: &watch,
        };
        let result = level.rules.search(&request);
        assert_eq!((result.outcome, result.n_expanded), (Outcome::Cut(Cut::Cancelled), 3 * 64), "{algorithm}");
        assert_eq!(watch.n_told.into_inner(), 3 * 64);
    }
}

#[test]
fn a_solved_start_costs_nothing() {
    let level = level("tower-of-hanoi", "3 disks");
    for algorithm in Algorithm::ALL {
        let result = level.search(level.goals[0], algorithm, Guide::Game(&[0]), &Limits::default());
        let expected =
            Found { outcome: Outcome::Solved(Vec::new()), cost: Some(0), ..Found::not_applicable(String::new()) };
        assert_eq!(counts(&result), expected, "{algorithm}");
    }
}

fn reason<M>(outcome: Outcome<M>) -> String {
    match outcome {
        Outcome::NotApplicable(reason) => reason,
        _ => panic!("it is applicable"),
    }
}

#[test]
fn what_does_not_fit_is_refused_with_a_reason() {
    let hanoi = level("tower-of-hanoi", "3 disks");
    let (start, limits) = (hanoi.rules.start(), Limits::default());
    let refusal = |level: &Level, algorithm, guide| reason(level.search(start, algorithm, guide, &limits).outcome);
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.needs_heuristic()) {
        assert_eq!(refusal(&hanoi, algorithm, Guide::None), format!("{algorithm} needs a heuristic"));
    }
    assert_eq!(refusal(&hanoi, Algorithm::AStar, Guide::Game(&[1])), "the level has no heuristic with the index 1");
    let no_goals = Level { goals: Vec::new(), ..level("tower-of-hanoi", "3 disks") };
    assert!(refusal(&no_goals, Algorithm::Bidirectional, Guide::None).ends_with("and was given none"));
    let wrong = Level { goals: vec![start], ..level("tower-of-hanoi", "3 disks") };
    assert_eq!(refusal(&wrong, Algorithm::Bidirectional, Guide::None), "321/-/- was given as a goal, and is none");

    let one_way = level("match-the-tiles", "Ax..\na...\n...x\n");
    let result = one_way.search(one_way.rules.start(), Algorithm::Bidirectional, Guide::None, &limits);
    assert!(reason(result.outcome).contains("moves that can be undone"));

    let chance = rules("2048", "2x2", "");
    let request = SearchRequest {
        start: chance.start(),
        algorithm: Algorithm::BreadthFirst,
        heuristic: Guide::None,
        goals: &[],
        limits: &limits,
        progress: &Silent,
    };
    assert!(reason(chance.search(&request).outcome).starts_with("chance follows the moves"));
}

/// A position without moves, and one whose moves cannot be computed, are not the same.
#[test]
fn a_script_that_fails_is_no_level_without_a_solution() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("task.lua");
    let text = "local function moves(n) if n == 0 then error('no more') end return { down = n - 1 } end\n\
                return { start = function(level) return 9 end, goal = function(n) return n == 99 end, moves = moves }";
    std::fs::write(&script, text).unwrap();
    let rules = rules("lua", "x", &format!("script = {:?}", script.display().to_string()));
    let request = SearchRequest {
        start: rules.start(),
        algorithm: Algorithm::DepthFirst,
        heuristic: Guide::None,
        goals: &[],
        limits: &Limits::default(),
        progress: &Silent,
    };
    match rules.search(&request).outcome {
        Outcome::Failed(reason) => assert!(reason.contains("no more"), "{reason}"),
        other => panic!("{other:?}"),
    }
}

/// No game here has a search of its own yet: none is told, and nothing is found.
#[test]
fn a_game_without_a_search_of_its_own_says_so() {
    let level = level("tower-of-hanoi", "3 disks");
    assert_eq!(level.rules.own_search(), None);
    let result = level.rules.search_own(level.rules.start(), 10, &Silent);
    assert_eq!((result.n_steps, result.moves, result.is_cut), (0, None, false));
}
