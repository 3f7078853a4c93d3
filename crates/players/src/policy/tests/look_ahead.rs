//! Looking ahead, against optimal play and against a second method of computation.

use super::*;

fn optimal(oracle: &dyn Oracle, state: StateCode) -> Vec<f64> {
    LapseOptimal { lapse: 0.0 }.probabilities(&oracle.evaluate(state).expect("a value"))
}

#[test]
fn with_the_true_distance_every_depth_is_optimal() {
    let article = Level::new("rush-hour", ARTICLE);
    let oracle = article.oracle();
    let level_context = context(article.game, &*article.rules, Some(&oracle), 1);
    for depth in [1, 2, 4] {
        let policy = LookAhead { depth, heuristic: "distance".to_owned(), ..LookAhead::default() };
        let mut n_states = 0;
        for (state, _) in article.open_states().step_by(7) {
            assert_close(&at_once(&policy, &level_context, state, &History::default()), &optimal(&oracle, state));
            n_states += 1;
        }
        assert_eq!(n_states, 154);
    }
}

/// Nothing has to be estimated where the goal lies no farther than the depth.
#[test]
fn a_goal_in_sight_is_approached_without_a_heuristic() {
    let article = Level::new("rush-hour", ARTICLE);
    let oracle = article.oracle();
    let blind = context(article.game, &*article.rules, None, 1);
    let policy = LookAhead { depth: 3, ..LookAhead::default() };
    let (mut n_near, mut n_far) = (0, 0);
    for (state, moves) in article.open_states() {
        let probabilities = at_once(&policy, &blind, state, &History::default());
        if article.distance(state).expect("solvable") <= 3 {
            assert_close(&probabilities, &optimal(&oracle, state));
            n_near += 1;
        } else {
            // Each path of 3 moves ends 1 or more from the goal: all are equal.
            assert_close(&probabilities, &vec![1.0 / moves.len() as f64; moves.len()]);
            n_far += 1;
        }
    }
    // From the histogram of distances: 12 + 43 + 59 states at distances 1 to 3, and 961 beyond.
    assert_eq!((n_near, n_far), (114, 961));
}

#[test]
fn the_start_of_the_article_is_solved_by_eight_moves_of_looking_ahead() {
    let article = Level::new("rush-hour", ARTICLE);
    let oracle = article.oracle();
    let blind = context(article.game, &*article.rules, None, 1);
    let policy = LookAhead { depth: 8, ..LookAhead::default() };
    let start = article.rules.start();
    assert_eq!(article.distance(start), Some(8));
    assert_close(&at_once(&policy, &blind, start, &History::default()), &optimal(&oracle, start));
}

#[test]
fn dead_ends_in_sight_are_avoided_and_the_limit_is_told() {
    let tiles = Level::new("match-the-tiles", TILES);
    let oracle = tiles.oracle();
    let blind = context(tiles.game, &*tiles.rules, None, 1);
    // As deep as the level is large, so that a goal is in sight wherever one can be reached.
    let depth = tiles.map.n_states() as u32;
    let policy = LookAhead { depth, ..LookAhead::default() };
    for (state, _) in tiles.open_states().filter(|(state, _)| tiles.distance(*state).is_some()) {
        assert_close(&at_once(&policy, &blind, state, &History::default()), &optimal(&oracle, state));
    }
    let article = rules("rush-hour", ARTICLE);
    let level_context = context("rush-hour", &*article, None, 1);
    let policy = LookAhead { depth: 5, max_positions: 50, ..LookAhead::default() };
    let moves = article.legal_moves(article.start());
    let history = History::default();
    let situation = Situation::new(&level_context, article.start(), &moves, &history);
    let refused = policy.start_level(&level_context).unwrap().probabilities(&situation).unwrap_err();
    assert!(matches!(refused, PolicyError::TooFar { depth: 5, limit: 50, .. }), "{refused}");
}

/// The most points that can be expected within so many moves, by plain recursion on the rules.
fn most_points(rules: &dyn Rules, state: StateCode, left: u32) -> f64 {
    let expected = |outcomes: Vec<(LegalMove, f64)>| -> f64 {
        let gained = |(legal, probability): (LegalMove, f64)| {
            probability * (f64::from(legal.cost) + most_points(rules, legal.next, left - 1))
        };
        outcomes.into_iter().map(gained).sum()
    };
    let outcomes = if left > 0 { rules.outcomes(state) } else { Vec::new() };
    outcomes.into_iter().map(expected).reduce(f64::max).unwrap_or(0.0)
}

#[test]
fn expectations_over_chance_are_those_of_a_plain_recursion() {
    let (rules, positions) = board_of_four();
    let level_context = context("2048", &*rules, None, 1);
    let policy = LookAhead { depth: 3, beta: 0.25, ..LookAhead::default() };
    let mut n_compared = 0;
    for (state, moves) in positions.iter().filter(|(_, moves)| moves.len() > 1).step_by(5) {
        let values: Vec<f64> = rules
            .outcomes(*state)
            .into_iter()
            .map(|outcomes| {
                outcomes
                    .iter()
                    .map(|(legal, chance)| chance * (f64::from(legal.cost) + most_points(&*rules, legal.next, 2)))
                    .sum()
            })
            .collect();
        let weights: Vec<f64> = values.iter().map(|value: &f64| (0.25 * value).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let expected: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
        assert_eq!(expected.len(), moves.len());
        assert_close(&at_once(&policy, &level_context, *state, &History::default()), &expected);
        n_compared += 1;
    }
    assert!(n_compared > 50, "{n_compared}");
}

#[test]
fn looking_to_the_end_of_a_game_for_points_is_optimal() {
    let (rules, positions) = board_of_four();
    let oracle = GameOracle { rules: &*rules };
    let level_context = context("2048", &*rules, None, 1);
    // Each move adds a tile of 2 or 4, and four cells hold at most 32 + 16 + 8 + 4: no game has more than 30 moves.
    let policy = LookAhead { depth: 40, ..LookAhead::default() };
    for (state, moves) in positions.iter().filter(|(_, moves)| !moves.is_empty()).step_by(40) {
        let probabilities = at_once(&policy, &level_context, *state, &History::default());
        assert_eq!(probabilities.len(), moves.len());
        assert_close(&probabilities, &optimal(&oracle, *state));
    }
}
