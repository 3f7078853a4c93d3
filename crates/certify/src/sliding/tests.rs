use plymap_puzzles::graph::{DistanceTable, MapOptions};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::valuation::LoadedLevel;

use super::*;
use crate::certify_by_rules;

/// Exits on all sides, walls, several pieces on a line, a board that is no square, and one without a solution.
const BOARDS: [&str; 8] = [
    "# exit: left\n.B..C\n.BRRC\n.....",
    "# exit: top\n..R.\n..R.\nBB..\n.CC.",
    "R...x\nR.BB.\nCC...\n.....",
    "..B..\nRRB..\n..x..",
    "...T\nRR.T\n...T\n....\n....",
    "RREE...\n.B.D.CC\n.B.D...",
    "B..D.\nBRRD.\n.....\nC.E..\nC.E..",
    "..B.\nRRB.\n....",
];

fn level(board: &str, goal: &str, metric: &str) -> LoadedLevel {
    let rules = format!("goal = \"{goal}\"\nmetric = \"{metric}\"").parse().expect("rules");
    let options = RuleOptions::of_game(Some("rush-hour"), rules, Default::default());
    LoadedLevel::from_text("board", board, Game::find("rush-hour").expect("a game"), &options).expect("a level")
}

fn claim(level: &LoadedLevel, expand_goals: bool) -> Claim {
    let map = level.rules.map(&MapOptions { expand_goals, ..MapOptions::default() }).expect("a map");
    let distances = DistanceTable::new(&map);
    let entries = (0..map.n_states() as u32).map(|node| (map.code(node), distances.get(node)));
    Claim::new("board", expand_goals, entries)
}

fn verdict_on(level: &LoadedLevel, claim: &Claim) -> Verdict {
    verdict(&level.rules.sliding_blocks().expect("blocks"), level.rules.start(), claim)
}

#[test]
fn a_board_is_certified_as_by_its_rules_and_each_wrong_distance_is_found() {
    for board in BOARDS {
        for (goal, metric) in [("exit", "slide"), ("path-clear", "slide"), ("exit", "cell"), ("path-clear", "cell")] {
            let level = level(board, goal, metric);
            let whole = claim(&level, true);
            let by_rules = certify_by_rules(&*level.rules, &whole, &Silent).expect("a certificate");
            let Verdict::Right(certificate) = verdict_on(&level, &whole) else { panic!("{board} {goal} {metric}") };
            assert_eq!(certificate, by_rules, "{board} {goal} {metric}");
            for number in 0..whole.n_states() {
                let distance = whole.distances[number];
                for wrong in [distance.wrapping_add(1), distance.saturating_sub(1), 0, 7, NONE] {
                    let mut damaged = whole.clone();
                    damaged.distances[number] = wrong;
                    let is_right = matches!(verdict_on(&level, &damaged), Verdict::Right(_));
                    assert_eq!(is_right, wrong == distance, "{board} {goal} {metric}: {wrong} at {number}");
                }
                let mut damaged = whole.clone();
                damaged.states.remove(number);
                damaged.distances.remove(number);
                assert!(matches!(verdict_on(&level, &damaged), Verdict::Wrong), "{board}: without {number}");
            }
        }
    }
}

#[test]
fn what_is_beyond_is_left_to_the_rules() {
    let level = level(BOARDS[2], "exit", "slide");
    assert!(matches!(verdict_on(&level, &claim(&level, false)), Verdict::Beyond), "goals without moves");
    let mut far = claim(&level, true);
    far.distances[0] = u32::from(NO_GOAL);
    assert!(matches!(verdict_on(&level, &far), Verdict::Beyond), "distances that no byte holds");
}
