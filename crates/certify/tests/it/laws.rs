//! Tables of small levels, right and wrong in one entry each.

use plymap_certify::{Certificate, CertifyError, Law, Violation};
use plymap_puzzles::game::Distance;
use plymap_puzzles::rules::Rules;

use crate::fixtures::{Entries, board, certified, mapped, small};

fn violation(rules: &dyn Rules, entries: &Entries) -> Violation {
    match certified(rules, true, entries) {
        Err(CertifyError::Violation(violation)) => *violation,
        other => panic!("{other:?}"),
    }
}

/// B stands on rows 0 and 1 or 1 and 2, both in the way of the red car, which can never get out: 2 states, no goal.
#[test]
fn a_level_without_solution_is_proved_by_its_states() {
    let rules = board("", "..B.\nRRB.\n....");
    let entries = small(&*rules);
    assert_eq!(entries.iter().map(|entry| entry.1).collect::<Vec<_>>(), [None, None]);
    let certificate = certified(&*rules, true, &entries).unwrap();
    assert_eq!(certificate, Certificate { n_states: 2, n_moves: 2, n_goals: 0, n_without_distance: 2 });
}

/// With a row more, B can go down to rows 2 and 3, and the red car out: the places of R and B are (0, 0), (0, 1), (0, 2),
/// (1, 2) and (2, 2), at the distances 2, 2, 1, 1 and 0. By slides each place of B leads to both others, and so of R.
const SOLVABLE: &str = "..B.\nRRB.\n....\n....";

#[test]
fn every_state_and_move_of_a_table_is_counted() {
    let rules = board("", SOLVABLE);
    let certificate = |n_moves| Certificate { n_states: 5, n_moves, n_goals: 1, n_without_distance: 0 };
    assert_eq!(certified(&*rules, true, &small(&*rules)), Ok(certificate(12)));
    // By cells the moves between neighbouring places are left: 2 of B and 2 of R, both ways.
    let by_cells = board("metric = \"cell\"", SOLVABLE);
    assert_eq!(certified(&*by_cells, true, &small(&*by_cells)), Ok(certificate(8)));
    // A goal that is not expanded has no moves: the 2 of R back from the exit are gone.
    let unexpanded = mapped(&*rules, false, 5).unwrap();
    assert_eq!(certified(&*rules, false, &unexpanded), Ok(certificate(10)));
    assert!(certified(&*by_cells, true, &small(&*rules)).is_err(), "by slides and by cells are other distances");
}

#[test]
fn each_law_is_told_with_the_state_the_move_and_the_values() {
    let rules = board("", SOLVABLE);
    let whole = small(&*rules);
    // The order of the table: breadth first from the start.
    let states = ["..B.RRB.........", "....RRB...B.....", "....RR....B...B.", ".....RR...B...B.", "......RR..B...B."];
    assert!(whole.iter().map(|entry| rules.format_state(entry.0)).eq(states));
    assert!(whole.iter().map(|entry| entry.1.unwrap().0).eq([2, 2, 1, 1, 0]));
    let told = |law: Law, said: &str, change: &dyn Fn(&mut Entries)| {
        let mut entries = whole.clone();
        change(&mut entries);
        let violation = violation(&*rules, &entries);
        assert_eq!(
            (violation.law, violation.to_string()),
            (law, format!("level \"tried\": {said}; yet {}", law.text()))
        );
    };
    let distance = |value: u32| Some(Distance(value));
    told(Law::Start, "..B.RRB......... is its start, and not in the table", &|entries| {
        entries.remove(0);
    });
    told(Law::Once, "....RRB...B..... (state 5) is in the table before", &|entries| entries.push(entries[1]));
    told(
        Law::Closed,
        "....RR....B...B. (state 2) allows the move R+2 to ......RR..B...B., which is not in the table",
        &|entries| {
            entries.remove(4);
        },
    );
    told(Law::Goal, "......RR..B...B. (state 4) is a goal, and has the distance 1", &|entries| {
        // Each move still leads to a distance that is 1 less, but at the goal.
        entries.iter_mut().for_each(|entry| entry.1 = entry.1.map(|value| Distance(value.0 + 1)));
    });
    told(Law::Goal, "..B.RRB......... (state 0) has the distance 0, and is no goal", &|entries| {
        entries[0].1 = distance(0);
    });
    told(
        Law::Lowered,
        "..B.RRB......... (state 0) has the distance 3, and its move B+2 leads to ....RR....B...B., which has the distance 1",
        &|entries| entries[0].1 = distance(3),
    );
    told(
        Law::Lowered,
        "..B.RRB......... (state 0) has no distance, and its move B+2 leads to ....RR....B...B., which has the distance 1",
        &|entries| entries[0].1 = None,
    );
    told(
        Law::Attained,
        "..B.RRB......... (state 0) has the distance 1, and its move B+2 leads at best to ....RR....B...B., which has the distance 1",
        &|entries| entries[0].1 = distance(1),
    );
}

/// The red car on the other side of B, where it cannot come.
#[test]
fn a_state_that_no_moves_lead_to_is_no_state_of_the_table() {
    let rules = board("", "..B..\nRRB..\n.....");
    let mut entries = small(&*rules);
    let beyond = rules.parse_state("..B....BRR.....").expect("a position");
    assert!(rules.is_goal(beyond));
    entries.push((beyond, Some(Distance(0))));
    let violation = violation(&*rules, &entries);
    assert_eq!((violation.law, violation.number), (Law::Reached, Some(2)));
}
