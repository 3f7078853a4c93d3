//! The heuristics of Panguru, both of them bounds.

use super::level::{Board, Panguru};
use crate::game::Heuristic;

/// Both heuristics, in the order of their numbers.
pub(super) fn list() -> Vec<Heuristic> {
    vec![
        Heuristic::admissible(
            "assignment",
            "moves of all pebbles alone on the board, in the cheapest assignment to plates of their colour",
        ),
        Heuristic::admissible(
            "misplaced",
            "pebbles that do not lie on a plate of their colour, and 1 more if none of them belongs where the hole is",
        ),
    ]
}

/// Estimate of a board by the heuristic of this number, in moves; 0 for a number that no heuristic has.
pub(super) fn estimate(rules: &Panguru, number: usize, board: Board) -> f64 {
    f64::from(match number {
        0 => rules.bound(&rules.spread(board)),
        1 => misplaced(rules, board),
        _ => 0,
    })
}

/// Each misplaced pebble has to move, and a move takes one pebble. If none of them has the colour of the plate that
/// is the hole, the first move brings none home, so it comes on top. In a level whose hole has one plate to end up on,
/// this is the case exactly if the hole is there.
fn misplaced(rules: &Panguru, board: Board) -> u32 {
    let hole = rules.hole(board);
    let misplaced = (0..rules.n_plates())
        .filter_map(|plate| rules.pebble_at(board, plate).filter(|&colour| colour != usize::from(rules.wanted[plate])));
    let (mut n_misplaced, mut can_come_home) = (0, false);
    for colour in misplaced {
        n_misplaced += 1;
        can_come_home |= colour == usize::from(rules.wanted[hole]);
    }
    if n_misplaced == 0 || can_come_home { n_misplaced } else { n_misplaced + 1 }
}

#[cfg(test)]
mod tests {
    use super::super::{Layout, Options};
    use super::*;
    use crate::distance::DistanceTable;
    use crate::game::Puzzle;
    use crate::graph::{MapOptions, enumerate};

    fn rules(plates: &str, pebbles: &str, lines: Option<&[&[usize]]>) -> Panguru {
        let pebble = |mark: char| (mark != '-').then_some(mark);
        let layout = Layout {
            plates: plates.chars().collect(),
            pebbles: pebbles.chars().map(pebble).collect(),
            lines: lines.map(|lines| lines.iter().map(|line| line.to_vec()).collect()),
        };
        Panguru::new(layout, &Options::default()).unwrap()
    }

    const MISPLACED: usize = 1;

    #[test]
    fn misplaced_pebbles_are_counted_by_hand() {
        // Three plates in a triangle: 0 on top, 1 and 2 below; each is joined with both others.
        let value = |plates: &str, pebbles: &str| {
            let rules = rules(plates, pebbles, None);
            rules.estimate(MISPLACED, rules.start())
        };
        assert_eq!(value("WAB", "-AB"), 0.0, "solved");
        assert_eq!(value("WAB", "A-B"), 1.0, "A goes home");
        assert_eq!(value("WAB", "-BA"), 3.0, "both are wrong, and the hole is home: the first move brings none home");
        assert_eq!(value("WAB", "AB-"), 2.0, "both are wrong, and B can go home at once");
        // Two plates A and one pebble A: the hole may end up on either.
        assert_eq!(value("AAB", "-AB"), 0.0, "solved");
        assert_eq!(value("AAB", "-BA"), 2.0, "A can go home at once, although the hole is on one of its homes");
    }

    #[test]
    fn both_heuristics_are_bounds_on_every_board_of_small_levels() {
        let ring: &[&[usize]] = &[&[0, 1], &[1, 2], &[2, 3], &[3, 4], &[4, 0]];
        let ring_and_tail: &[&[usize]] = &[&[0, 1], &[1, 2], &[2, 3], &[3, 0], &[3, 4], &[4, 5]];
        let cases = [
            rules("WABCDE", "-ABCDE", None),
            rules("WABCAB", "-BACBA", None),
            rules("AABBCC", "A-BBCC", None),
            rules("AAABBB", "-BBABA", None),
            rules("WABCD", "-ABCD", Some(ring)),
            rules("AABBC", "A-BBC", Some(ring)),
            rules("WABCDE", "-ABCDE", Some(ring_and_tail)),
            rules("AABBCC", "A-BBCC", Some(ring_and_tail)),
            rules("WABBCC", "-CCABB", Some(ring_and_tail)),
        ];
        let (mut n_with_one_more, mut n_exact) = (0, 0);
        for rules in &cases {
            let map = enumerate(rules, &MapOptions::default()).unwrap();
            let distances = DistanceTable::new(&map);
            for node in 0..map.n_states() as u32 {
                let board = rules.decode(map.code(node).0);
                let value = rules.estimate(MISPLACED, board);
                let n_misplaced = rules.n_misplaced(board) as f64;
                assert_eq!(value == 0.0, rules.is_goal(board));
                n_with_one_more += usize::from(value > n_misplaced);
                let Some(distance) = distances.get(node).map(|distance| f64::from(distance.0)) else { continue };
                for (number, heuristic) in rules.heuristics().iter().enumerate() {
                    let value = rules.estimate(number, board);
                    assert!(
                        value <= distance,
                        "{}: {value} > {distance} at {}",
                        heuristic.name,
                        rules.format_state(board)
                    );
                }
                n_exact += usize::from(value == distance);
            }
        }
        assert!(n_with_one_more > 50 && n_exact > 50, "{n_with_one_more} {n_exact}");
    }

    #[test]
    fn the_shipped_levels_keep_the_bounds_near_the_goal() {
        // The source's own level has too many boards for a map: all boards within six moves of its goal.
        let text = "WCBRBOGYGPCORPY";
        let goal = format!("-{}", &text[1..]);
        let rules = rules(text, &goal, None);
        let mut known_distances = std::collections::BTreeMap::from([(rules.start(), 0u32)]);
        let mut layer = vec![rules.start()];
        let mut sizes = Vec::new();
        for distance in 0..=6 {
            sizes.push(layer.len());
            let mut next = Vec::new();
            for board in layer {
                for number in 0..2 {
                    assert!(rules.estimate(number, board) <= f64::from(distance), "{}", rules.format_state(board));
                }
                rules.for_each_successor(board, &mut Vec::new(), &mut |after| {
                    if let std::collections::btree_map::Entry::Vacant(place) = known_distances.entry(after) {
                        place.insert(distance + 1);
                        next.push(after);
                    }
                });
            }
            layer = next;
        }
        // Golden: the boards at each distance from the goal.
        assert_eq!(sizes, [1, 10, 68, 450, 2982, 18_796, 107_622]);
    }
}
