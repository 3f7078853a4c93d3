//! The laws that every game obeys, and the agreement of every fast path with a slow one.
//!
//! The levels are those of `data/GAME`, which every registered game has, and of Rush Hour a few more. A level
//! that is small enough is looked at in each of its states, another one in those of a random walk.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::LazyLock;

use crate::studies::{Study, studies};
use petgraph::visit::{EdgeRef as _, IntoEdgeReferences as _};
use plymap_puzzles::distance::{Distance, DistanceTable, GameOracle, MapOracle, Oracle};
use plymap_puzzles::game::{Preparation, StateCode, Valuation, Value, WishedMove};
use plymap_puzzles::graph::metrics::Structure;
use plymap_puzzles::graph::shortest_solutions::ShortestSolutions;
use plymap_puzzles::graph::{LevelMap, MapOptions};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{GAMES, Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::thought::{NoTree, Tree};
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::fixtures::{ARTICLE, Whole as _, level, level_of, options};

/// Pieces whose names no board string can show.
const CARS: &str = r#"{"width": 4, "height": 4, "red": "red car", "pieces": [
    {"id": "red car", "position": 4, "length": 2, "orientation": "horizontal"},
    {"id": "a 1, b", "position": 3, "length": 2, "orientation": "vertical"},
    {"id": "red", "position": 12, "length": 2, "orientation": "horizontal"}]}"#;

/// A level that is mapped for a law has at most so many states.
const WHOLE: usize = 6_000;

/// Of a larger level, so many states are looked at.
const SAMPLE: usize = 250;

pub struct Case {
    pub name: String,
    pub game: &'static str,
    level: LoadedLevel,
}

impl Case {
    pub fn rules(&self) -> &dyn Rules {
        &*self.level.rules
    }

    /// The map of the level, if it is small enough.
    fn map(&self) -> Option<LevelMap> {
        self.rules().map(&MapOptions { max_states: WHOLE, ..MapOptions::default() }).ok()
    }

    /// All states of a small level, a sample of those of a large one.
    fn states(&self) -> Vec<StateCode> {
        match self.map().filter(|_| !self.rules().is_start_drawn()) {
            Some(map) => (0..map.n_states() as u32).map(|node| map.code(node)).collect(),
            None => random_walk(self.rules()),
        }
    }

    /// So many of the states as can be valued in a moment.
    fn valued_states(&self) -> Vec<StateCode> {
        let mut states = self.states();
        match self.rules().valuation() {
            Valuation::Map => {}
            Valuation::Exact => states.truncate(SAMPLE),
            Valuation::Estimate => states.truncate(SAMPLE / 25),
        }
        states
    }

    /// A value by the game's own algorithm, where it has one.
    fn own_value(&self, state: StateCode) -> Option<Option<Value>> {
        self.rules().value(state).ok()
    }
}

/// States that a player meets who chooses at random and starts anew where no move is left.
pub fn random_walk(rules: &dyn Rules) -> Vec<StateCode> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let starts = rules.starts();
    let mut state = starts[0].0;
    let mut states = vec![rules.start()];
    while states.len() < SAMPLE {
        let outcomes: Vec<_> = rules.outcomes(state).into_iter().flatten().collect();
        state = match outcomes.len() {
            0 => starts[random.random_range(0..starts.len())].0,
            n => outcomes[random.random_range(0..n)].0.next,
        };
        states.push(state);
    }
    states
}

/// Levels of Rush Hour beyond those of the demo.
fn levels_of_rush_hour() -> Vec<(&'static str, LoadedLevel)> {
    let plain = RuleOptions::default();
    vec![
        ("article", level(ARTICLE, &plain)),
        ("article by cells", level(ARTICLE, &options("metric = \"cell\""))),
        ("article, path clear", level(ARTICLE, &options("goal = \"path-clear\""))),
        ("walls", level("IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", &plain)),
        ("exit on the left", level("....B.\n....B.\n<.C.AA.\n.C....\n......\n......\n", &plain)),
        (
            "wide board",
            level(".........\n..B......\nAAB....C.\n.......C.\n.........\n.........\n.........\n.........\n", &plain),
        ),
        ("names with blanks", level(CARS, &plain)),
        ("unsolvable", level("......\n......\nAA.xBB\n......\n......\n......\n", &plain)),
    ]
}

/// Every level of every game, ready to be valued.
pub static CASES: LazyLock<Vec<Case>> = LazyLock::new(cases);

fn cases() -> Vec<Case> {
    let named = |name: &str, game, level| Case { name: name.to_owned(), game, level };
    let mut cases: Vec<Case> =
        levels_of_rush_hour().into_iter().map(|(name, level)| named(name, "rush-hour", level)).collect();
    let chance = Game::named("2048").expect("a game");
    for (name, text, rules) in [("begun", "2 .\n. 2\n", ""), ("begun, to 32", "2 .\n4 .\n", "target = 32")] {
        cases.push(named(name, "2048", level_of(chance, text, &options(rules))));
    }
    for game in GAMES.iter().filter(|game| game.name != "rush-hour") {
        let studies = studies(game);
        assert!(!studies.is_empty(), "the game {} has no study in data", game.name);
        for study in studies {
            let Study { name, levels } = study;
            cases.extend(levels.into_iter().map(|level| Case {
                name: format!("{name}/{}", level.origin.id),
                game: game.name,
                level,
            }));
        }
    }
    let quiet = Preparation { progress: &Silent, store: None };
    for case in &cases {
        if case.rules().valuation() != Valuation::Map {
            case.rules().prepare(&quiet).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        }
    }
    cases
}

pub fn for_every_state(check: impl Fn(&str, &dyn Rules, StateCode) + Sync) {
    CASES.par_iter().for_each(|case| {
        for state in case.states() {
            check(&case.name, case.rules(), state);
        }
    });
}

/// Every level with a map, and how many of each game there are: a law that meets no level proves nothing.
fn for_every_map(check: impl Fn(&Case, &LevelMap) + Sync) {
    let mapped: Vec<(&Case, LevelMap)> = CASES.par_iter().filter_map(|case| Some((case, case.map()?))).collect();
    for game in GAMES {
        assert!(mapped.iter().any(|(case, _)| case.game == game.name), "no level of {} is small enough", game.name);
    }
    mapped.par_iter().for_each(|(case, map)| check(case, map));
}

#[test]
fn states_survive_a_round_trip() {
    for_every_state(|name, rules, state| {
        let text = rules.format_state(state);
        assert_eq!(rules.parse_state(&text).as_ref(), Ok(&state), "{name}: {text}");
        assert!(!text.contains(['\n', '"']), "{name}: {text} cannot stand in a table");
    });
    for_every_map(|case, map| {
        for node in 0..map.n_states() as u32 {
            assert_eq!(map.node(map.code(node)), Some(node), "{}", case.name);
        }
    });
}

#[test]
fn indexes_number_each_position_once() {
    for case in CASES.iter() {
        let Some(index) = case.rules().index() else { continue };
        let n_ranks = index.n_ranks();
        let positions = (0..n_ranks.min(200_000)).filter_map(|rank| Some((rank, index.unrank(rank)?)));
        assert!(positions.map(|(rank, code)| (rank, index.rank(code))).all(|(rank, found)| found == Some(rank)));
        for state in case.states() {
            let code = u64::try_from(state.0).expect("codes of levels with an index have 64 bits");
            let rank = index.rank(code).filter(|&rank| rank < n_ranks);
            assert_eq!(rank.and_then(|rank| index.unrank(rank)), Some(code), "{}", case.name);
        }
        assert_eq!((index.unrank(n_ranks), index.rank(u64::MAX)), (None, None), "{}", case.name);
    }
}

/// A map by the index of its game is the map by a hash table, to the number of each state.
#[test]
fn maps_do_not_depend_on_the_index() {
    for_every_map(|case, _| {
        for expand_goals in [true, false] {
            let of = |by_index| {
                let options = MapOptions { by_index, expand_goals, ..MapOptions::default() };
                case.rules().map(&options).expect("within the limits")
            };
            let (by_index, by_hash) = (of(true), of(false));
            assert_eq!(by_index.graph, by_hash.graph, "{}", case.name);
            assert!(by_index.layers().eq(by_hash.layers()) && by_index.goals().eq(by_hash.goals()), "{}", case.name);
            for node in 0..by_index.n_states() as u32 {
                assert_eq!(by_index.code(node), by_hash.code(node), "{}", case.name);
                assert_eq!(by_index.node(by_hash.code(node)), Some(node), "{}", case.name);
            }
        }
    });
}

/// Distances by the ranks of an index are those of the map, and no other rank has one.
#[test]
fn ranked_distances_are_those_of_the_map() {
    for_every_map(|case, map| {
        let Some((index, ranked)) = case.rules().ranked_distances(u64::MAX) else { return };
        let distances = DistanceTable::new(map);
        for node in 0..map.n_states() as u32 {
            let rank = index.rank(map.code(node).0 as u64).expect("a state has a rank");
            assert_eq!(ranked.get(rank), Some(distances.get(node)), "{}: {node}", case.name);
        }
        assert_eq!(ranked.histogram(), distances.histogram(), "{}", case.name);
        assert_eq!(ranked.n_states(), map.n_states() as u64, "{}", case.name);
        assert_eq!((0..index.n_ranks()).filter(|&rank| ranked.get(rank).is_some()).count(), map.n_states());
    });
}

#[test]
fn legal_moves_are_distinct_playable_and_readable() {
    for_every_state(|name, rules, state| {
        let moves = rules.legal_moves(state);
        let notations: HashSet<&str> = moves.iter().map(|legal| legal.notation.as_str()).collect();
        assert_eq!(notations.len(), moves.len(), "{name}: two moves share a notation");
        for legal in &moves {
            let action = &legal.notation;
            assert_ne!(legal.after, state, "{name}: {action} moves nothing");
            if rules.has_chance() {
                assert!(rules.play(state, action).is_err(), "{name}: {action} does not tell what chance did");
            } else {
                assert_eq!(rules.play(state, action).as_ref(), Ok(legal), "{name}: {action}");
                assert_eq!(rules.move_between(state, legal.after).map(|between| between.after), Some(legal.after));
            }
        }
    });
}

#[test]
fn moves_can_be_undone_where_the_game_says_so() {
    for_every_state(|name, rules, state| {
        for legal in rules.legal_moves(state).iter().filter(|_| rules.is_reversible()) {
            let back = rules.legal_moves(legal.after).into_iter().any(|other| other.after == state);
            assert!(back, "{name}: {} cannot be undone", legal.notation);
        }
    });
}

/// Outcomes of chance sum up to certainty, are told by its notation, and can be found by the position after it.
#[test]
fn chances_sum_to_one_and_every_outcome_can_be_played() {
    for_every_state(|name, rules, state| {
        let legal = rules.legal_moves(state);
        let outcomes = rules.outcomes(state);
        assert_eq!(legal.len(), outcomes.len(), "{name}");
        let mut successors = Vec::new();
        rules.successors(state, &mut successors);
        assert!(outcomes.iter().flatten().map(|(outcome, _)| outcome.next).eq(successors), "{name}");
        for (choice, outcomes) in legal.iter().zip(&outcomes) {
            let sum: f64 = outcomes.iter().map(|(_, chance)| chance).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{name}: {} sums to {sum}", choice.notation);
            for (outcome, chance) in outcomes {
                assert!(*chance > 0.0, "{name}: {}", outcome.notation);
                assert_eq!((outcome.after, outcome.cost), (choice.after, choice.cost), "{name}: {}", outcome.notation);
                assert_eq!(rules.play(state, &outcome.notation).as_ref(), Ok(outcome), "{name}");
                assert_eq!(rules.play_to(state, &choice.notation, outcome.next).as_ref(), Ok(outcome), "{name}");
            }
        }
    });
    for case in CASES.iter() {
        let sum: f64 = case.rules().starts().iter().map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{}: starts sum to {sum}", case.name);
    }
}

/// The arcs of the map are the legal moves, in their order, and where chance follows its outcomes.
/// Of games that say what is in the way of a move: reasoning backwards ends with legal moves, and all of it ends
/// somewhere.
#[test]
fn wished_moves_without_obstacles_are_legal_and_thoughts_end() {
    let met: Vec<&str> = CASES
        .par_iter()
        .filter(|case| case.states().iter().step_by(7).filter(|&&state| thoughts_end(case, state)).count() > 0)
        .map(|case| case.game)
        .collect();
    for game in ["rush-hour", "tower-of-london", "tower-of-hanoi", "lua"] {
        assert!(met.contains(&game), "no position of {game} has a tree");
    }
}

/// `true` if the position has a tree, which must be as it should.
fn thoughts_end(case: &Case, state: StateCode) -> bool {
    let (rules, name) = (case.rules(), &case.name);
    let text = rules.format_state(state);
    let Some(last) = rules.goal_moves(state) else { return false };
    let legal: Vec<StateCode> = rules.legal_moves(state).iter().map(|legal_move| legal_move.after).collect();
    let (mut visited, mut wished_moves): (HashSet<WishedMove>, Vec<WishedMove>) = (HashSet::new(), last.alternatives);
    while let Some(wished) = wished_moves.pop() {
        let obstacles = rules.obstacles(state, wished);
        if obstacles.as_ref().is_some_and(Vec::is_empty) {
            let legal_move = rules.as_legal_move(state, wished).expect("a move");
            assert!(legal.contains(&legal_move.after), "{name}: {text}: {}", legal_move.notation);
        }
        let alternatives = obstacles.into_iter().flatten().flat_map(|obstacle| obstacle.alternatives);
        wished_moves.extend(alternatives.filter(|&alternative| visited.insert(alternative)));
    }
    let tree = match Tree::new(rules, state) {
        Ok(tree) => tree,
        Err(reason) => {
            assert_eq!(reason, NoTree::TooManySteps, "{name}: {text}");
            return false;
        }
    };
    let Ok(ends) = tree.ends() else { return false };
    let total: f64 = ends.moves.iter().flatten().chain(&ends.circles).sum();
    assert!((total - 1.0).abs() < 1e-9, "{name}: {text}: {total}");
    let ended_in: Vec<usize> = (0..legal.len()).filter(|&place| !ends.moves[place].is_empty()).collect();
    let in_tree: Vec<usize> = tree.leaves().into_iter().map(|(place, _)| place).collect();
    assert!(ended_in.iter().all(|place| in_tree.contains(place)), "{name}: {text}");
    for stopping in [0.0, 0.1, 1.0] {
        let probabilities = ends.probabilities(stopping, |place| place == 0);
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{name}: {text}");
    }
    true
}

#[test]
fn maps_hold_exactly_the_legal_moves() {
    for_every_map(|case, map| {
        for node in 0..map.n_states() as u32 {
            let state = map.code(node);
            let arcs: Vec<StateCode> = map.graph.successors(node).iter().map(|&after| map.code(after)).collect();
            let outcomes = case.rules().outcomes(state).into_iter().flatten();
            let moves: Vec<StateCode> = outcomes.map(|(outcome, _)| outcome.next).collect();
            assert_eq!(arcs, moves, "{}: {}", case.name, case.rules().format_state(state));
            assert_eq!(map.is_goal(node), case.rules().is_goal(state), "{}", case.name);
        }
    });
}

/// A breadth-first search from one state with nothing but the rules.
fn plain_distance(rules: &dyn Rules, start: StateCode) -> Option<u32> {
    let mut distances = HashMap::from([(start, 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        if rules.is_goal(state) {
            return Some(distances[&state]);
        }
        for legal in rules.legal_moves(state) {
            if !distances.contains_key(&legal.after) {
                distances.insert(legal.after, distances[&state] + 1);
                queue.push_back(legal.after);
            }
        }
    }
    None
}

#[test]
fn the_oracle_agrees_with_a_plain_search() {
    for_every_map(|case, map| {
        if !case.rules().unit().is_distance() {
            return;
        }
        let distances = DistanceTable::new(map);
        for node in (0..map.n_states() as u32).step_by(1 + map.n_states() / 40) {
            let expected = plain_distance(case.rules(), map.code(node)).map(Distance);
            assert_eq!(distances.get(node), expected, "{}, state {node}", case.name);
        }
    });
}

/// A game that values positions by itself finds what the map of the level gives; a heuristic never promises
/// too much.
#[test]
fn own_values_are_those_of_the_map_and_heuristics_are_admissible() {
    let own_values = std::sync::Mutex::new(HashSet::new());
    let heuristics = std::sync::Mutex::new(HashSet::new());
    for_every_map(|case, map| {
        if !case.rules().unit().is_distance() {
            return;
        }
        let distances = DistanceTable::new(map);
        for node in 0..map.n_states() as u32 {
            let (state, distance) = (map.code(node), distances.get(node));
            if let Some(value) = case.own_value(state) {
                assert_eq!(value, distance.map(Value::Distance), "{}, state {node}", case.name);
                own_values.lock().unwrap().insert(case.game);
            }
            for (index, heuristic) in case.rules().heuristics().iter().enumerate() {
                let (estimate, name) = (case.rules().estimate(index, state), &heuristic.name);
                let shown = case.rules().format_state(state);
                assert!(estimate >= 0.0, "{}: {name} of {shown} is {estimate}", case.name);
                if let Some(Distance(distance)) = distance {
                    let most = if heuristic.is_admissible { f64::from(distance) } else { f64::MAX };
                    assert!(estimate <= most, "{}: {name} of {shown} is {estimate}, {distance} away", case.name);
                }
                heuristics.lock().unwrap().insert(case.game);
            }
        }
    });
    let sorted = |games: std::sync::Mutex<HashSet<&'static str>>| {
        let mut games: Vec<&str> = games.into_inner().unwrap().into_iter().collect();
        games.sort_unstable();
        games
    };
    let heuristics = sorted(heuristics);
    for game in
        ["lights-out", "match-the-tiles", "panguru", "rush-hour", "sliding-tiles", "tower-of-hanoi", "tower-of-london"]
    {
        assert!(heuristics.contains(&game), "{game} has heuristics: {heuristics:?}");
    }
    let own_values = sorted(own_values);
    for game in ["lights-out", "panguru", "sliding-tiles"] {
        assert!(own_values.contains(&game), "values of its own of {game} were looked at: {own_values:?}");
    }
}

/// Mirror images are worth the same.
#[test]
fn symmetric_states_have_equal_values() {
    let games: HashSet<&str> = CASES
        .par_iter()
        .filter_map(|case| {
            let mut n_images = 0;
            let map = case.map().map(|map| (DistanceTable::new(&map), map));
            for state in case.valued_states() {
                for image in case.rules().symmetric(state) {
                    n_images += 1;
                    let shown = || format!("{}: {}", case.name, case.rules().format_state(state));
                    match (case.own_value(state), case.own_value(image), &map) {
                        (Some(value), Some(other), _) => assert_eq!(value, other, "{}", shown()),
                        (_, _, Some((distances, map))) => {
                            let node = |state| map.node(state).expect("mirror images can be reached alike");
                            assert_eq!(distances.get(node(state)), distances.get(node(image)), "{}", shown());
                        }
                        // Too large to be mapped here; its smaller siblings are.
                        _ => n_images -= 1,
                    }
                }
            }
            (n_images > 0).then_some(case.game)
        })
        .collect();
    for game in ["2048", "lights-out", "sliding-tiles"] {
        assert!(games.contains(game), "symmetries of {game} were looked at: {games:?}");
    }
}

/// Expected points obey Bellman's equation (1957): a position is worth its best choice, a choice what it gains
/// and the mean of what chance makes of it.
#[test]
fn expected_points_are_those_of_the_best_choice() {
    let mut n_exact = 0;
    for case in CASES.iter().filter(|case| !case.rules().unit().is_distance()) {
        if case.rules().valuation() != Valuation::Exact {
            continue;
        }
        n_exact += 1;
        let points = |value: Option<Option<Value>>| value.flatten().expect("a value").number();
        for state in case.valued_states() {
            if case.rules().is_start_drawn() && state == case.rules().start() {
                continue;
            }
            let mut best: Option<f64> = None;
            for (choice, outcomes) in case.rules().legal_moves(state).iter().zip(case.rules().outcomes(state)) {
                let mean: f64 = outcomes.iter().map(|(next, chance)| chance * points(case.own_value(next.next))).sum();
                let after = points(case.rules().value_after(choice.after).ok());
                assert!((after - mean).abs() < 1e-9 * mean.max(1.0), "{}: {}", case.name, choice.notation);
                best = Some(best.unwrap_or(0.0).max(f64::from(choice.cost) + after));
            }
            let expected = if case.rules().is_goal(state) { 0.0 } else { best.unwrap_or(0.0) };
            let value = points(case.own_value(state));
            let shown = case.rules().format_state(state);
            assert!((value - expected).abs() < 1e-9 * expected.max(1.0), "{}: {shown}: {value}", case.name);
        }
    }
    assert!(n_exact >= 2, "games of chance with exact values were looked at");
}

/// Neighbours differ by at most one move where every move can be undone; every solvable state that is
/// no goal has an optimal move; regrets are never negative; the best moves have rank 1.
#[test]
fn values_are_consistent() {
    CASES.par_iter().for_each(|case| {
        let rules = case.rules();
        let map = case.map().filter(|_| rules.valuation() == Valuation::Map);
        match map.map(|map| (DistanceTable::new(&map), map)) {
            Some((distances, map)) => {
                assert_consistent(case, &MapOracle { rules, map: &map, distances: &distances });
            }
            None if rules.valuation() != Valuation::Map => assert_consistent(case, &GameOracle { rules }),
            // Too large to be mapped here; its smaller siblings are.
            None => {}
        }
    });
}

fn assert_consistent(case: &Case, oracle: &dyn Oracle) {
    let (rules, name) = (case.rules(), &case.name);
    for state in case.valued_states() {
        let evaluation = oracle.evaluate(state).expect("a state of the level");
        let shown = rules.format_state(state);
        let is_solvable = evaluation.value.is_some() && !rules.is_end(state);
        assert!(evaluation.is_goal || (evaluation.n_optimal() > 0) == is_solvable, "{name}: {shown}");
        for valued in &evaluation.moves {
            if rules.valuation() != Valuation::Map {
                assert_eq!(
                    valued.after,
                    rules.value_after(valued.legal.after).expect("a position of the level"),
                    "{name}: {shown}"
                );
            }
            let evaluated = oracle.evaluate_move(state, valued.legal.after, valued.legal.cost).expect("a legal move");
            assert_eq!(evaluated.n_optimal as usize, evaluation.n_optimal(), "{name}: {shown}");
            assert_eq!(evaluated.rank, evaluation.rank(valued.legal.cost, valued.after), "{name}: {shown}");
            assert!(evaluated.rank == 1 || !valued.is_optimal(), "{name}: {shown}");
            assert!(valued.regret.is_none_or(|regret| regret >= 0.0) || evaluation.is_goal, "{name}: {shown}");
            if let (Some(Value::Distance(before)), Some(Value::Distance(after))) = (evaluation.value, valued.after) {
                assert!(!rules.is_reversible() || before.0.abs_diff(after.0) <= 1, "{name}: {shown}");
            }
        }
    }
}

/// petgraph, on its own graph built from the map and on the map itself, finds the same distances.
#[test]
fn petgraph_agrees() {
    for (name, level) in levels_of_rush_hour() {
        for expand_goals in [true, false] {
            let map =
                level.rules.map(&MapOptions { expand_goals, ..MapOptions::default() }).expect("within the limits");
            let distances = DistanceTable::new(&map);
            let mut backwards = map.to_petgraph();
            backwards.reverse();
            let hub = backwards.add_node(StateCode(u128::MAX));
            for goal in map.goals() {
                backwards.add_edge(hub, goal.into(), 0);
            }
            let hub_distances = petgraph::algo::dijkstra(&backwards, hub, None, |_| 1u32);
            for node in 0..map.n_states() as u32 {
                let expected =
                    hub_distances.get(&petgraph::graph::NodeIndex::from(node)).map(|&from_hub| Distance(from_hub - 1));
                assert_eq!(distances.get(node), expected, "{name}, state {node}");
            }
            let arcs = (&map.graph).edge_references().map(|arc| (arc.source(), arc.target()));
            let expected = (0..map.n_states() as u32)
                .flat_map(|node| map.graph.successors(node).iter().map(move |&after| (node, after)));
            assert!(arcs.eq(expected), "{name}: the arcs as petgraph sees them");
        }
    }
}

/// petgraph finds as many articulation points and bridges, on its own graph with each edge once.
#[test]
fn petgraph_agrees_on_articulation_points_and_bridges() {
    for_every_map(|case, map| {
        let mut edges: Vec<(u32, u32)> = (0..map.n_states() as u32)
            .flat_map(|node| map.graph.successors(node).iter().map(move |&after| (node.min(after), node.max(after))))
            .filter(|(node, after)| node != after)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let graph = petgraph::Graph::<(), (), petgraph::Undirected, u32>::from_edges(&edges);
        let structure = Structure::new(map);
        let articulation_points = petgraph::algo::articulation_points::articulation_points(&graph).len() as u64;
        assert_eq!(structure.n_articulation_points, articulation_points, "{}", case.name);
        assert_eq!(structure.n_bridges, petgraph::algo::bridges::bridges(&graph).count() as u64, "{}", case.name);
        assert_eq!(map.graph.n_edges(), edges.len(), "{}", case.name);
    });
}

/// The number of shortest paths, counted backwards from the goals and forwards from the start.
#[test]
fn shortest_ways_are_counted_alike_in_both_directions() {
    for_every_map(|case, map| {
        let distances = DistanceTable::new(map);
        let from_start = ShortestSolutions::new(map, &distances).and_then(|all| all.n_solutions);
        assert_eq!(distances.n_shortest(&map.graph)[0], from_start, "{}", case.name);
    });
}

/// Articulation points and bridges by their definition: take it away, and the graph falls apart.
#[test]
fn structure_agrees_with_its_definition() {
    for name in ["exit on the left", "wide board", "unsolvable"] {
        let (_, level) =
            levels_of_rush_hour().into_iter().find(|(other, _)| *other == name).expect("a level of that name");
        let mapped = ValuedLevel::new(level, "rush-hour", &Default::default()).expect("within the limits");
        let graph = &mapped.whole().map.graph;
        let edges: Vec<(u32, u32)> = (0..graph.n_states() as u32)
            .flat_map(|node| graph.successors(node).iter().map(move |&after| (node, after)))
            .filter(|(node, after)| node < after)
            .collect();
        let n_parts = |without_node: Option<u32>, without_edge: Option<(u32, u32)>| {
            let kept = edges.iter().filter(|edge| Some(**edge) != without_edge);
            let kept = kept.filter(|edge| without_node.is_none_or(|node| edge.0 != node && edge.1 != node));
            let mut sets = petgraph::unionfind::UnionFind::<u32>::new(graph.n_states());
            kept.for_each(|&(a, b)| {
                sets.union(a, b);
            });
            let roots: HashSet<u32> = (0..graph.n_states() as u32)
                .filter(|&node| Some(node) != without_node)
                .map(|node| sets.find(node))
                .collect();
            roots.len()
        };
        let articulation = (0..graph.n_states() as u32).filter(|&node| n_parts(Some(node), None) > 1).count() as u64;
        let bridges = edges.iter().filter(|&&edge| n_parts(None, Some(edge)) > 1).count() as u64;
        let structure = mapped.whole().structure();
        assert_eq!((structure.n_articulation_points, structure.n_bridges), (articulation, bridges), "{name}");
    }
}
