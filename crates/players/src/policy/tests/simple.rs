//! Policies of one formula.

use super::*;
use plymap_puzzles::distance::ValuedMove;
use plymap_puzzles::game::Unit;
use plymap_puzzles::thought::Tree;

/// A position at distance 3 whose moves, each of cost 1, lead to these distances.
fn position(after: &[Option<u32>]) -> Evaluation {
    let legal = LegalMove {
        notation: "m".to_owned(),
        after: StateCode(0),
        next: StateCode(0),
        cost: 1,
        piece: None,
        gesture: None,
    };
    let moves = after.iter().map(|&after| ValuedMove {
        legal: legal.clone(),
        after: after.map(Value::distance),
        regret: after.map(|after| f64::from(after) - 2.0),
    });
    Evaluation { state: StateCode(0), is_goal: false, value: Some(Value::distance(3)), moves: moves.collect() }
}

#[test]
fn optimal_moves_share_what_lapses_leave() {
    // Two of four moves are optimal: each has 0.2 / 4 + 0.8 / 2.
    let evaluation = position(&[Some(2), Some(4), Some(2), Some(3)]);
    assert_close(&LapseOptimal { lapse: 0.2 }.probabilities(&evaluation), &[0.45, 0.05, 0.45, 0.05]);
    assert_eq!(LapseOptimal { lapse: 1.0 }.probabilities(&evaluation), [0.25; 4]);
    assert_eq!(LapseOptimal { lapse: 0.0 }.probabilities(&position(&[Some(4), None])), [0.5; 2]);
    assert!(LapseOptimal { lapse: 0.0 }.probabilities(&position(&[])).is_empty());
}

#[test]
fn soft_optimal_weighs_moves_by_what_they_lose() {
    // Regrets 0, 1 and 2, and a dead end; with beta = ln 2 the weights are 1, 1/2, 1/4 and 0.
    let evaluation = position(&[Some(2), Some(3), Some(4), None]);
    let soft = |beta| SoftOptimal { beta, ..Default::default() }.probabilities(&evaluation);
    assert_close(&soft(2f64.ln()), &[4.0 / 7.0, 2.0 / 7.0, 1.0 / 7.0, 0.0]);
    assert_close(&soft(0.0), &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]);
    assert_eq!(soft(f64::INFINITY), [1.0, 0.0, 0.0, 0.0]);
    assert_close(&soft(1e300), &[1.0, 0.0, 0.0, 0.0]);
    assert_eq!(SoftOptimal { beta: 1.0, ..Default::default() }.probabilities(&position(&[None, None])), [0.5, 0.5]);
    // A dead end that loses 3 weighs 1/8; one that loses 1 counts as much as the worst other move, 1/4.
    let with = |dead_end_loss| SoftOptimal { beta: 2f64.ln(), dead_end_loss }.probabilities(&evaluation);
    assert_close(&with(3.0), &[8.0 / 15.0, 4.0 / 15.0, 2.0 / 15.0, 1.0 / 15.0]);
    assert_close(&with(1.0), &[0.5, 0.25, 0.125, 0.125]);
    assert!(SoftOptimal { beta: 1.0, ..Default::default() }.probabilities(&position(&[])).is_empty());
}

/// Between the limits of beta lie chance and optimal play, on every state of a level.
#[test]
fn the_limits_of_soft_optimal_are_chance_and_optimal_play() {
    let article = Level::new("rush-hour", ARTICLE);
    let oracle = article.oracle();
    let mut n_states = 0;
    for (state, moves) in article.open_states() {
        let evaluation = oracle.evaluate(state).expect("a value");
        assert_close(
            &SoftOptimal { beta: 0.0, ..Default::default() }.probabilities(&evaluation),
            &vec![1.0 / moves.len() as f64; moves.len()],
        );
        let optimal = LapseOptimal { lapse: 0.0 }.probabilities(&evaluation);
        assert_close(&SoftOptimal { beta: f64::INFINITY, ..Default::default() }.probabilities(&evaluation), &optimal);
        assert_close(&SoftOptimal { beta: 700.0, ..Default::default() }.probabilities(&evaluation), &optimal);
        n_states += 1;
    }
    assert_eq!(n_states, 1075);
}

#[test]
fn eureka_comes_at_its_distance() {
    let evaluation = position(&[Some(2), Some(3), Some(2), None]);
    assert_eq!(Eureka { within: 2, ..Default::default() }.probabilities(&evaluation), [0.25; 4]);
    assert_eq!(Eureka { within: 3, ..Default::default() }.probabilities(&evaluation), [0.5, 0.0, 0.5, 0.0]);
    // With a lapse of 0.4, the probability 0.6 is that of the two optimal moves, and 0.1 is everyone's.
    assert_close(&Eureka { within: 3, lapse: 0.4 }.probabilities(&evaluation), &[0.4, 0.1, 0.4, 0.1]);
    // Where no goal can be reached there is nothing to see.
    let lost = Evaluation { value: None, ..position(&[None, None]) };
    assert_eq!(Eureka { within: 100, ..Default::default() }.probabilities(&lost), [0.5; 2]);
}

#[test]
fn greedy_by_the_distance_is_optimal_where_all_moves_cost_one() {
    let article = Level::new("rush-hour", ARTICLE);
    let oracle = article.oracle();
    let level_context = context(article.game, &*article.rules, Some(&oracle), 1);
    let greedy = built("kind = 'greedy'\nheuristic = 'distance'");
    for (state, _) in article.open_states() {
        let optimal = LapseOptimal { lapse: 0.0 }.probabilities(&oracle.evaluate(state).expect("a value"));
        assert_close(&at_once(&*greedy, &level_context, state, &History::default()), &optimal);
    }
}

#[test]
fn greedy_takes_a_goal_first() {
    let tiles = Level::new("match-the-tiles", TILES);
    let level_context = context(tiles.game, &*tiles.rules, None, 1);
    let greedy = built("kind = 'greedy'\nheuristic = 'swipes'");
    let mut n_near = 0;
    for (state, moves) in tiles.open_states() {
        let goals: Vec<bool> = moves.iter().map(|legal| tiles.rules.is_goal(legal.after)).collect();
        if goals.contains(&true) {
            assert_eq!(support(&at_once(&*greedy, &level_context, state, &History::default())), goals);
            n_near += 1;
        }
    }
    assert!(n_near > 0);
    let unknown = built("kind = 'greedy'\nheuristic = 'swipe'").start_level(&level_context).map(drop).unwrap_err();
    let message = unknown.to_string();
    assert!(
        message.starts_with("this level has no heuristic \"swipe\"; it has swipes, ")
            && message.ends_with(", distance"),
        "{message}"
    );
}

/// The notation of the moves that a policy chooses in a row from the start.
fn played(policy: &dyn Policy, context: &LevelContext, n_moves: u32) -> Vec<String> {
    let mut policy_state = policy.start_level(context).expect("a level that starts");
    let mut state = context.rules.start();
    policy_state.begin_attempt(state).expect("an attempt");
    let mut history = History::default();
    let mut chosen = Vec::new();
    for _ in 0..n_moves {
        let moves = context.rules.legal_moves(state);
        let probabilities =
            policy_state.probabilities(&Situation::new(context, state, &moves, &history)).expect("a choice");
        let index = probabilities.iter().position(|&probability| probability == 1.0).expect("a certain move");
        let legal = &moves[index];
        chosen.push(legal.notation.clone());
        let previous = Previous { state, piece: legal.piece, notation: legal.notation.clone() };
        history = History { previous: Some(previous), n_moves: history.n_moves + 1, cost: 0 };
        state = legal.next;
    }
    chosen
}

#[test]
fn cyclic_goes_round() {
    // A block alone on an open board of 3x3 with its goal in the middle, which no swipe reaches: A starts at the
    // top left, so that `up` and `left` are not possible there.
    let rules = rules("match-the-tiles", "A..\n.a.\n...\n");
    let level_context = context("match-the-tiles", &*rules, None, 1);
    let legal: Vec<String> = rules.legal_moves(rules.start()).into_iter().map(|legal| legal.notation).collect();
    assert_eq!(legal, ["right", "down"]);
    // Clockwise: right, down, left, up and so on; each is possible in its turn.
    assert_eq!(played(&Cyclic::default(), &level_context, 6), ["right", "down", "left", "up", "right", "down"]);
    // Entries that are not legal are passed over, and the turn goes on from there: `up` is not possible at the
    // top left, nor `left` at the bottom left.
    let order = |moves: &[&str]| Cyclic { order: moves.iter().map(|&name| name.to_owned()).collect() };
    assert_eq!(
        played(&order(&["up", "down", "left", "right"]), &level_context, 5),
        ["down", "right", "up", "down", "left"]
    );
    // None of the list is legal after `right`: the next one in the natural order is made.
    assert_eq!(played(&order(&["right"]), &level_context, 4), ["right", "down", "left", "right"]);
}

#[test]
fn cyclic_passes_through_changing_moves_in_natural_order() {
    let moves = |notations: &[&str]| -> Vec<LegalMove> {
        let legal = |&notation: &&str| LegalMove {
            notation: notation.to_owned(),
            after: StateCode(0),
            next: StateCode(0),
            cost: 1,
            piece: None,
            gesture: None,
        };
        notations.iter().map(legal).collect()
    };
    let rules = rules("match-the-tiles", TILES);
    let level_context = context("any", &*rules, None, 1);
    let chosen = |last: Option<&str>, notations: &[&str]| {
        let previous = last.map(|last| Previous { state: StateCode(0), piece: None, notation: last.to_owned() });
        let history = History { previous, ..History::default() };
        let moves = moves(notations);
        let (policy, situation) = (Cyclic::default(), Situation::new(&level_context, StateCode(0), &moves, &history));
        let probabilities = policy
            .start_level(&level_context)
            .expect("a level that starts")
            .probabilities(&situation)
            .expect("a choice");
        probabilities.iter().position(|&probability| probability == 1.0).map(|index| notations[index].to_owned())
    };
    assert_eq!(chosen(None, &["B-1", "A+10", "A+2"]).as_deref(), Some("A+2"));
    assert_eq!(chosen(Some("A+2"), &["B-1", "A+10", "A+2"]).as_deref(), Some("A+10"));
    assert_eq!(chosen(Some("A+3"), &["B-1", "A+2"]).as_deref(), Some("B-1"));
    assert_eq!(chosen(Some("B-1"), &["B-1", "A+2"]).as_deref(), Some("A+2"));
    assert_eq!(chosen(None, &[]), None);
}

#[test]
fn habits_weigh_undoing_and_the_same_piece() {
    let article = Level::new("rush-hour", ARTICLE);
    let level_context = context(article.game, &*article.rules, None, 1);
    let start = article.rules.start();
    // Level 1 has 11 moves; after the first of them, look at what leads back and what moves its piece again.
    let first = article.rules.legal_moves(start).swap_remove(0);
    let moves = article.rules.legal_moves(first.after);
    let previous = Previous { state: start, piece: first.piece, notation: first.notation };
    let history = History { previous: Some(previous), n_moves: 1, cost: 1 };
    let at = |toml: &str| at_once(&*built(toml), &level_context, first.after, &history);
    let n = moves.len() as f64;
    let n_same = moves.iter().filter(|legal| legal.piece == first.piece).count() as f64;
    let undo: Vec<usize> = (0..moves.len()).filter(|&index| moves[index].after == start).collect();
    assert_eq!(undo.len(), 1, "in Rush Hour one move undoes another");
    let undo = undo[0];

    let never = at("kind = 'chance'\nundo = 0");
    for (index, &probability) in never.iter().enumerate() {
        let expected = if index == undo { 0.0 } else { 1.0 / (n - 1.0) };
        assert!((probability - expected).abs() < 1e-12);
    }
    // The move back is one of the same piece too, so that both factors apply.
    let both = at("kind = 'chance'\nundo = 0.5\nsame-piece = 3");
    let sum = (n - n_same) + 3.0 * (n_same - 1.0) + 1.5;
    assert!((both[undo] - 1.5 / sum).abs() < 1e-12);
    let other = moves.iter().position(|legal| legal.piece != first.piece).expect("another piece");
    assert!((both[other] - 1.0 / sum).abs() < 1e-12);
    // Without a move before there is nothing to undo.
    assert_eq!(
        at_once(&*built("kind = 'chance'\nundo = 0"), &level_context, start, &History::default()),
        [1.0 / 11.0; 11]
    );
}

#[test]
fn a_habit_of_never_does_not_leave_a_player_without_a_move() {
    // At the end of a corridor one cell wide nothing is possible but to go back.
    let rules = rules("match-the-tiles", "A.x\nxxa\n");
    let level_context = context("match-the-tiles", &*rules, None, 1);
    let start = rules.start();
    let right = rules.legal_moves(start).swap_remove(0);
    assert_eq!(rules.legal_moves(right.after).len(), 1);
    let previous = Previous { state: start, piece: right.piece, notation: right.notation };
    let history = History { previous: Some(previous), n_moves: 1, cost: 1 };
    assert_eq!(at_once(&*built("kind = 'chance'\nundo = 0"), &level_context, right.after, &history), [1.0]);
}

/// A row of cells 0 to 9 with the goal at 0; its only strategy walks towards it.
struct Corridor;

impl plymap_puzzles::game::Puzzle for Corridor {
    type State = u8;
    type Move = u8;
    type Index = plymap_puzzles::game::Unindexed;
    const REVERSIBLE: bool = true;

    fn start(&self) -> u8 {
        5
    }
    fn is_goal(&self, cell: u8) -> bool {
        cell == 0
    }
    fn legal_moves(&self, cell: u8, moves: &mut Vec<u8>) {
        moves.extend([cell.checked_sub(1), Some(cell + 1).filter(|&after| after < 10)].into_iter().flatten());
    }
    fn play_unchecked(&self, _cell: u8, to: u8) -> u8 {
        to
    }
    fn play(&self, _cell: u8, to: u8) -> Result<u8, String> {
        Ok(to)
    }
    fn code_bits(&self) -> u32 {
        8
    }
    fn encode(&self, cell: u8) -> u128 {
        cell.into()
    }
    fn decode(&self, code: u128) -> u8 {
        code as u8
    }
    fn parse_state(&self, _text: &str) -> Result<u8, plymap_puzzles::game::StateError> {
        Ok(0)
    }
    fn format_state(&self, cell: u8) -> String {
        cell.to_string()
    }
    fn parse_move(&self, _cell: u8, _text: &str) -> Result<u8, plymap_puzzles::game::MoveError> {
        Ok(0)
    }
    fn move_between(&self, _before: u8, after: u8) -> Option<u8> {
        Some(after)
    }
    fn format_move(&self, _cell: u8, to: u8) -> String {
        to.to_string()
    }
    fn picture(&self, _cell: u8) -> plymap_puzzles::game::Picture {
        unreachable!("no test draws a corridor")
    }
    fn unit(&self) -> Unit {
        Unit::Moves
    }
    fn strategies(&self) -> Vec<plymap_puzzles::game::Strategy> {
        vec![plymap_puzzles::game::Strategy { name: "homewards".to_owned(), meaning: "towards 0".to_owned() }]
    }
    fn choose(&self, _strategy: usize, cell: u8) -> Option<u8> {
        cell.checked_sub(1).filter(|_| cell != 7)
    }
}

#[test]
fn strategies_of_a_game_are_found_by_their_name() {
    let level_context = context("corridor", &Corridor, None, 1);
    let policy = built("kind = 'game'\nstrategy = 'homewards'");
    assert_eq!(at_once(&*policy, &level_context, StateCode(5), &History::default()), [1.0, 0.0]);
    assert_eq!(played(&*policy, &level_context, 5), ["4", "3", "2", "1", "0"]);
    let unknown = built("kind = 'game'\nstrategy = 'home'").start_level(&level_context).map(drop).unwrap_err();
    assert_eq!(unknown.to_string(), "this level has no strategy \"home\"; it has homewards");
    // At 7 this one makes no move, though there are two.
    let moves = Rules::legal_moves(&Corridor, StateCode(7));
    let history = History::default();
    let chosen = policy.start_level(&level_context).unwrap().probabilities(&Situation::new(
        &level_context,
        StateCode(7),
        &moves,
        &history,
    ));
    assert!(matches!(chosen, Err(PolicyError::Unsuited { policy: "game", .. })), "{chosen:?}");
}

/// A player that never stops makes moves of the tree, on every state of a level; one that always stops makes any. A
/// hill climber is drawn to a move by what is seen after it.
#[test]
fn thought_ends_in_the_tree_unless_it_stops() {
    let article = Level::new("rush-hour", ARTICLE);
    let context = context(article.game, &*article.rules, None, 1);
    let thorough = AndOr { new_piece: false, ..AndOr::default() };
    let [thinker, careless] = [thorough, AndOr { stopping: 1.0, ..AndOr::default() }];
    let mixed = AndOr { lapse: 0.25, ..thorough };
    let hill = HillClimbing { first: -2.0, second: -0.5 };
    let mut n_outside = 0;
    for (state, moves) in article.open_states() {
        let history = History::default();
        let probabilities = |policy: &dyn Policy| -> Vec<f64> {
            let mut policy_state = policy.start_level(&context).expect("a level that starts");
            policy_state.probabilities(&Situation::new(&context, state, &moves, &history)).expect("probabilities")
        };
        let tree = Tree::new(&*article.rules, state).expect("a tree");
        let (by_thought, n) = (probabilities(&thinker), moves.len() as f64);
        assert_close(&[by_thought.iter().sum()], &[1.0]);
        for (place, probability) in by_thought.iter().enumerate() {
            // Where all thought goes in circles, any move is made.
            let leaves = tree.leaves();
            assert_eq!(*probability > 1e-12, leaves.is_empty() || leaves.iter().any(|(leaf, _)| *leaf == place));
            n_outside += usize::from(*probability <= 1e-12);
        }
        assert_close(&probabilities(&careless), &vec![1.0 / n; moves.len()]);
        let expected: Vec<f64> = by_thought.iter().map(|probability| 0.25 / n + 0.75 * probability).collect();
        assert_close(&probabilities(&mixed), &expected);
        let by_hill = probabilities(&hill);
        let look = |place: usize| {
            let feature = |number| article.rules.feature(number, moves[place].after);
            -2.0 * feature(0) - 0.5 * feature(1)
        };
        for place in 1..moves.len() {
            assert_close(&[(by_hill[place] / by_hill[0]).ln()], &[look(place) - look(0)]);
        }
    }
    assert!(n_outside > 1000, "{n_outside}");
    let tiles = Level::new("match-the-tiles", TILES);
    let other = super::context(tiles.game, &*tiles.rules, None, 1);
    assert!(matches!(thinker.start_level(&other), Err(PolicyError::Unsuited { policy: "and-or", .. })));
}
