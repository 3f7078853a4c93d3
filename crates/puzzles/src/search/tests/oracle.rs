//! The counts of a second program for the Tower of Hanoi, which knows the definitions and nothing of plymap.
//!
//! Made by `tests/oracles/search.py`; run again, it prints these lines.

use super::*;

/// A level, an algorithm, its heuristic, and the second program's numbers of expanded, generated and reopened states,
/// the largest numbers of open and closed ones, and the moves of the path.
type Row = (&'static str, &'static str, &'static str, [u64; 6]);

#[rustfmt::skip]
const ORACLE: &[Row] = &[
    ("3 disks 3 pegs", "breadth-first", "none", [18, 52, 0, 6, 18, 7]),
    ("3 disks 3 pegs", "depth-first", "none", [18, 52, 0, 12, 18, 14]),
    ("3 disks 3 pegs", "uniform-cost", "none", [24, 70, 0, 8, 24, 7]),
    ("3 disks 3 pegs", "bidirectional", "none", [14, 38, 0, 8, 14, 7]),
    ("3 disks 3 pegs", "greedy", "zero", [24, 70, 0, 8, 24, 7]),
    ("3 disks 3 pegs", "greedy", "away", [17, 50, 0, 6, 17, 7]),
    ("3 disks 3 pegs", "greedy", "uneven", [12, 35, 0, 6, 12, 7]),
    ("3 disks 3 pegs", "greedy", "distance", [7, 20, 0, 5, 7, 7]),
    ("3 disks 3 pegs", "a-star", "zero", [24, 70, 0, 8, 24, 7]),
    ("3 disks 3 pegs", "a-star", "away", [17, 50, 0, 6, 17, 7]),
    ("3 disks 3 pegs", "a-star", "uneven", [12, 35, 0, 6, 12, 7]),
    ("3 disks 3 pegs", "a-star", "distance", [7, 20, 0, 5, 7, 7]),
    ("3 disks 3 pegs", "ida-star", "zero", [274, 806, 0, 8, 0, 7]),
    ("3 disks 3 pegs", "ida-star", "away", [85, 243, 0, 8, 0, 7]),
    ("3 disks 3 pegs", "ida-star", "uneven", [75, 210, 0, 8, 0, 7]),
    ("3 disks 3 pegs", "ida-star", "distance", [7, 13, 0, 8, 0, 7]),
    ("5 disks 3 pegs", "breadth-first", "none", [206, 616, 0, 26, 206, 31]),
    ("5 disks 3 pegs", "depth-first", "none", [162, 484, 0, 69, 162, 122]),
    ("5 disks 3 pegs", "uniform-cost", "none", [232, 694, 0, 32, 232, 31]),
    ("5 disks 3 pegs", "bidirectional", "none", [146, 434, 0, 32, 146, 31]),
    ("5 disks 3 pegs", "greedy", "zero", [232, 694, 0, 32, 232, 31]),
    ("5 disks 3 pegs", "greedy", "away", [167, 500, 0, 14, 167, 35]),
    ("5 disks 3 pegs", "greedy", "uneven", [95, 284, 0, 23, 95, 33]),
    ("5 disks 3 pegs", "greedy", "distance", [31, 92, 0, 17, 31, 31]),
    ("5 disks 3 pegs", "a-star", "zero", [232, 694, 0, 32, 232, 31]),
    ("5 disks 3 pegs", "a-star", "away", [173, 518, 0, 16, 173, 31]),
    ("5 disks 3 pegs", "a-star", "uneven", [121, 362, 27, 22, 94, 31]),
    ("5 disks 3 pegs", "a-star", "distance", [31, 92, 0, 17, 31, 31]),
    ("5 disks 3 pegs", "ida-star", "distance", [31, 63, 0, 32, 0, 31]),
    ("6 disks 3 pegs", "breadth-first", "none", [644, 1930, 0, 42, 644, 63]),
    ("6 disks 3 pegs", "depth-first", "none", [364, 1091, 0, 187, 364, 364]),
    ("6 disks 3 pegs", "uniform-cost", "none", [686, 2057, 0, 64, 686, 63]),
    ("6 disks 3 pegs", "bidirectional", "none", [423, 1265, 0, 64, 423, 63]),
    ("6 disks 3 pegs", "greedy", "zero", [686, 2057, 0, 64, 686, 63]),
    ("6 disks 3 pegs", "greedy", "away", [568, 1703, 0, 33, 568, 63]),
    ("6 disks 3 pegs", "greedy", "uneven", [213, 638, 0, 46, 213, 69]),
    ("6 disks 3 pegs", "greedy", "distance", [63, 188, 0, 33, 63, 63]),
    ("6 disks 3 pegs", "a-star", "zero", [686, 2057, 0, 64, 686, 63]),
    ("6 disks 3 pegs", "a-star", "away", [569, 1706, 0, 28, 569, 63]),
    ("6 disks 3 pegs", "a-star", "uneven", [199, 596, 2, 40, 197, 63]),
    ("6 disks 3 pegs", "a-star", "distance", [63, 188, 0, 33, 63, 63]),
    ("6 disks 3 pegs", "ida-star", "distance", [63, 110, 0, 64, 0, 63]),
    ("5 disks 4 pegs", "breadth-first", "none", [983, 5745, 0, 283, 983, 13]),
    ("5 disks 4 pegs", "depth-first", "none", [739, 4315, 0, 1766, 739, 727]),
    ("5 disks 4 pegs", "uniform-cost", "none", [1018, 5928, 0, 283, 1018, 13]),
    ("5 disks 4 pegs", "bidirectional", "none", [168, 955, 0, 135, 168, 13]),
    ("5 disks 4 pegs", "greedy", "zero", [1018, 5928, 0, 283, 1018, 13]),
    ("5 disks 4 pegs", "greedy", "away", [647, 3799, 0, 342, 647, 13]),
    ("5 disks 4 pegs", "greedy", "uneven", [819, 4761, 0, 369, 819, 14]),
    ("5 disks 4 pegs", "greedy", "distance", [13, 72, 0, 36, 13, 13]),
    ("5 disks 4 pegs", "a-star", "zero", [1018, 5928, 0, 283, 1018, 13]),
    ("5 disks 4 pegs", "a-star", "away", [498, 2913, 0, 328, 498, 13]),
    ("5 disks 4 pegs", "a-star", "uneven", [838, 4877, 22, 369, 816, 13]),
    ("5 disks 4 pegs", "a-star", "distance", [13, 72, 0, 36, 13, 13]),
    ("5 disks 4 pegs", "ida-star", "distance", [13, 28, 0, 14, 0, 13]),
];

#[test]
fn counts_are_those_of_a_second_program() {
    for &(text, name, heuristic, expected) in ORACLE {
        let level = level("tower-of-hanoi", text);
        let n_disks: u32 = text[..1].parse().unwrap();
        // Two bits for the peg of each disk; heuristics have the definitions of the script.
        let peg = |state: StateCode, disk: u32| (state.0 >> (2 * disk)) as u32 & 3;
        let target = text[8..9].parse::<u32>().unwrap() - 1;
        let away = |state| (0..n_disks).filter(|&disk| peg(state, disk) != target).count() as f64;
        let weight = |state| (0..n_disks).map(|disk| (disk + 1) * peg(state, disk)).sum::<u32>();
        let uneven = |state| if weight(state) % 5 == 1 { level.distance(state) } else { 0.0 };
        let heuristic = match heuristic {
            "none" => Guide::None,
            "zero" => Guide::Given(&|_| 0.0),
            "away" => Guide::Given(&away),
            "uneven" => Guide::Given(&uneven),
            _ => Guide::Given(&|state| level.distance(state)),
        };
        let result = level.search(level.rules.start(), name.parse().unwrap(), heuristic, &Limits::default());
        let n_moves = result.moves().unwrap().len() as u64;
        let Found { n_expanded, n_generated, n_reopened, peak_open, peak_closed, .. } = result;
        let counts = [n_expanded, n_generated, n_reopened, peak_open, peak_closed, n_moves];
        assert_eq!(counts, expected, "{text}, {name}");
    }
}
