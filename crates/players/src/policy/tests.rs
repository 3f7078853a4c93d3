//! Tests of what all policies have in common, and of each of them on positions that can be judged by hand.

use std::sync::Arc;

use super::weights::*;
use super::*;
use plymap_puzzles::diagnostic::SourceText;
use plymap_puzzles::distance::{DistanceTable, Evaluation, GameOracle, MapOracle, Oracle};
use plymap_puzzles::game::{Distance, LevelText, Preparation, StateCode, Value};
use plymap_puzzles::graph::{LevelMap, MapOptions};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::rules::{LegalMove, Rules};

mod external;
mod look_ahead;
mod scripts;
mod simple;
mod spec;

/// A position and its legal moves.
type Choice = (StateCode, Vec<LegalMove>);

/// A level with its map.
struct Level {
    game: &'static str,
    rules: Box<dyn Rules>,
    map: LevelMap,
    distances: DistanceTable,
}

/// Level 1 of the article: 1,247 states, 8 moves to the goal.
const ARTICLE: &str = "BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n";

/// Block A and its goal a, with a dead end.
const TILES: &str = ".x..\nA...\n...x\n..a.\n";

fn rules(game: &str, text: &str) -> Box<dyn Rules> {
    let source = Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() });
    let level = LevelText { text, source: &source, span: 0..text.len() };
    (Game::named(game).expect("a game").load)(&level, &RuleOptions::default()).expect("a level")
}

impl Level {
    fn new(game: &'static str, text: &str) -> Self {
        let rules = rules(game, text);
        let map = rules.map(&MapOptions::default()).expect("a map");
        let distances = DistanceTable::new(&map);
        Self { game, rules, map, distances }
    }

    fn oracle(&self) -> MapOracle<'_> {
        MapOracle { rules: &*self.rules, map: &self.map, distances: &self.distances }
    }

    /// All states that are no goals, with their legal moves.
    fn open_states(&self) -> impl Iterator<Item = Choice> + '_ {
        let open = (0..self.map.n_states() as u32).filter(|&node| !self.map.is_goal(node));
        open.map(|node| (self.map.code(node), self.rules.legal_moves(self.map.code(node))))
    }

    fn distance(&self, state: StateCode) -> Option<u32> {
        let node = self.map.node(state).expect("a state of the map");
        self.distances.get(node).map(|Distance(distance)| distance)
    }
}

fn context<'a>(game: &'a str, rules: &'a dyn Rules, oracle: Option<&'a dyn Oracle>, seed: u64) -> LevelContext<'a> {
    LevelContext { rules, oracle, game, level: "one", seed }
}

fn built(toml: &str) -> Box<dyn Policy> {
    let table: toml::Table = toml.parse().expect("TOML");
    PolicySpec::new(table).expect("a policy").build("".as_ref()).expect("a policy")
}

/// The probabilities of a policy in one position, at the beginning of an attempt.
fn at_once(policy: &dyn Policy, context: &LevelContext, state: StateCode, history: &History) -> Vec<f64> {
    let moves = context.rules.legal_moves(state);
    let mut policy_state = policy.start_level(context).expect("a level that starts");
    policy_state.begin_attempt(state).expect("an attempt");
    policy_state.probabilities(&Situation::new(context, state, &moves, history)).expect("probabilities")
}

fn assert_close(actual: &[f64], expected: &[f64]) {
    assert_eq!(actual.len(), expected.len(), "{actual:?}");
    for (left, right) in actual.iter().zip(expected) {
        assert!((left - right).abs() < 1e-12, "{actual:?} is not {expected:?}");
    }
}

/// Returns true for each move that is possible.
fn support(probabilities: &[f64]) -> Vec<bool> {
    probabilities.iter().map(|&probability| probability > 0.0).collect()
}

const SCRIPT: &str = "return { choose = function(state, moves, memory)
  memory.n = (memory.n or 0) + 1
  local weights = {}
  for index = 1, #moves do weights[index] = math.random() + 0.01 end
  return weights
end }";

/// Every policy that plays without a program, as studies write it. Those for games with distances only come first.
fn every_policy() -> Vec<String> {
    let policies = [
        "kind = 'greedy'\nheuristic = 'distance'",
        "kind = 'eureka'\nwithin = 3",
        "kind = 'look-ahead'\ndepth = 2\nheuristic = 'distance'\nbeta = 0.5",
        "kind = 'chance'",
        "kind = 'chance'\nundo = 0\nsame-piece = 0.5",
        "kind = 'cyclic'",
        "kind = 'cyclic'\norder = ['left', 'up', 'H+1']",
        "kind = 'look-ahead'\ndepth = 2",
        "kind = 'look-ahead'\ndepth = 1\nbeta = 1",
        "kind = 'lapse-optimal'\nlapse = 0.2",
        "kind = 'soft-optimal'\nbeta = 1.5\nundo = 0.1",
        "kind = 'soft-optimal'\nbeta = inf",
    ];
    let scripted = format!("kind = 'lua'\nsource = '''{SCRIPT}'''");
    policies.into_iter().map(str::to_owned).chain([scripted]).collect()
}

/// Checks all given policies in all given positions, one after the other as in one attempt; returns how many.
fn assert_sums(policies: &[String], context: &LevelContext, positions: &[Choice]) -> usize {
    let mut n_checked = 0;
    for text in policies {
        let policy = built(text);
        let mut policy_state = policy.start_level(context).unwrap_or_else(|error| panic!("{text}: {error}"));
        policy_state.begin_attempt(positions[0].0).expect("an attempt");
        let mut history = History::default();
        for (state, moves) in positions {
            let situation = Situation::new(context, *state, moves, &history);
            let probabilities =
                policy_state.probabilities(&situation).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(probabilities.len(), moves.len(), "{text}");
            assert!(probabilities.iter().all(|probability| (0.0..=1.0).contains(probability)), "{text}");
            let sum: f64 = probabilities.iter().sum();
            assert!(moves.is_empty() || (sum - 1.0).abs() < 1e-12, "{text}: {sum}");
            n_checked += 1;
            let Some(first) = moves.first() else { continue };
            let previous = Previous { state: first.after, piece: first.piece, notation: first.notation.clone() };
            history = History { previous: Some(previous), n_moves: history.n_moves + 1, cost: history.cost + 1 };
        }
    }
    n_checked
}

#[test]
fn probabilities_sum_to_one_in_every_position() {
    // 1,247 states, 172 of them goals.
    let article = Level::new("rush-hour", ARTICLE);
    let oracle = article.oracle();
    let level_context = context(article.game, &*article.rules, Some(&oracle), 1);
    let positions: Vec<_> = article.open_states().collect();
    assert_eq!(assert_sums(&every_policy(), &level_context, &positions), 1075 * 13);

    let tiles = Level::new("match-the-tiles", TILES);
    let oracle = tiles.oracle();
    let level_context = context(tiles.game, &*tiles.rules, Some(&oracle), 1);
    let positions: Vec<_> = tiles.open_states().collect();
    assert!(positions.iter().any(|(state, _)| tiles.distance(*state).is_none()), "a dead end is among them");
    let mut policies = every_policy();
    policies.push("kind = 'greedy'\nheuristic = 'swipes'".to_owned());
    assert_eq!(assert_sums(&policies, &level_context, &positions), positions.len() * 14);
}

/// The states of 2048 on a board of four cells: 662 (two independent programs).
fn board_of_four() -> (Box<dyn Rules>, Vec<Choice>) {
    let rules = rules("2048", "2x2\n");
    rules.prepare(&Preparation { progress: &Silent, store: None }).expect("values");
    let mut states: Vec<StateCode> = rules.starts().into_iter().map(|(state, _)| state).collect();
    let mut known: std::collections::BTreeSet<StateCode> = states.iter().copied().collect();
    while let Some(state) = states.pop() {
        for (outcome, _) in rules.outcomes(state).into_iter().flatten() {
            if known.insert(outcome.next) {
                states.push(outcome.next);
            }
        }
    }
    let positions = known.into_iter().map(|state| (state, rules.legal_moves(state))).collect();
    (rules, positions)
}

#[test]
fn probabilities_sum_to_one_where_values_are_points() {
    let (rules, positions) = board_of_four();
    assert_eq!(positions.len(), 662);
    let oracle = GameOracle { rules: &*rules };
    let level_context = context("2048", &*rules, Some(&oracle), 1);
    assert_eq!(assert_sums(&every_policy()[3..], &level_context, &positions), 662 * 10);
    for text in &every_policy()[..3] {
        let refused = built(text).start_level(&level_context).map(drop);
        assert!(matches!(refused, Err(PolicyError::Unsuited { .. })), "{text}: {refused:?}");
    }
}

#[test]
fn only_policies_that_need_values_ask_for_them() {
    let article = Level::new("rush-hour", ARTICLE);
    let blind = context(article.game, &*article.rules, None, 1);
    let (state, moves) = article.open_states().next().expect("a state");
    let history = History::default();
    let mut n_seeing = 0;
    for text in every_policy() {
        let policy = built(&text);
        let mut policy_state = policy.start_level(&blind).expect("a level that starts");
        let chosen = policy_state.probabilities(&Situation::new(&blind, state, &moves, &history));
        match policy.needs_oracle() {
            true => assert_eq!(chosen, Err(PolicyError::NoOracle), "{text}"),
            false => assert!(chosen.is_ok(), "{text}"),
        }
        n_seeing += u32::from(policy.needs_oracle());
    }
    assert_eq!(n_seeing, 6);
}
