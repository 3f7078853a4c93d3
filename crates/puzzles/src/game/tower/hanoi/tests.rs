use std::sync::Arc;

use super::super::london::tests::check_golden;
use super::*;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::distance::DistanceTable;
use crate::game::picture::{Role, Shape};
use crate::graph::MapOptions;
use crate::rules::Rules;

fn source(text: &str) -> Arc<SourceText> {
    Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() })
}

fn rules(text: &str) -> TowerOfHanoi {
    let layout = parse(text, &source(text), 0).unwrap_or_else(|faults| panic!("{faults:#?}"));
    TowerOfHanoi::new(&layout).unwrap()
}

fn faults(text: &str) -> Vec<Diagnostic> {
    parse(text, &source(text), 0).unwrap_err()
}

/// States and distance of the start.
fn size(text: &str) -> (usize, u32) {
    let map = Rules::map(&rules(text), &MapOptions::default()).unwrap();
    (map.graph.n_states(), DistanceTable::new(&map).get(0).unwrap().0)
}

/// The numbers of an independent program, tests/oracles/tower_of_hanoi.py.
#[test]
fn maps_have_the_golden_counts() {
    check_golden("tower-of-hanoi", 6);
}

/// 3^n states, 2^n - 1 moves (Lucas, 1883).
#[test]
fn three_pegs_take_a_power_of_two() {
    for n_disks in 1..=8u32 {
        let level = format!("{n_disks} disks");
        assert_eq!(size(&level), (3usize.pow(n_disks), 2u32.pow(n_disks) - 1));
    }
}

/// The Reve's puzzle: 1, 3, 5, 9, 13, 17, 25, 33 moves on four pegs (Frame and Stewart, 1941).
#[test]
fn four_pegs_take_fewer() {
    for (n_disks, moves) in (1..=8u32).zip([1, 3, 5, 9, 13, 17, 25, 33]) {
        assert_eq!(size(&format!("{n_disks} disks 4 pegs")), (4usize.pow(n_disks), moves));
    }
}

#[test]
fn moves_obey_the_rules() {
    let rules = rules("431/2/- > -/-/4321");
    let start = Puzzle::start(&rules);
    let play = |text: &str| Rules::play(&rules, Rules::start(&rules), text);
    let mut moves = Vec::new();
    Puzzle::legal_moves(&rules, start, &mut moves);
    let notation: Vec<_> = moves.iter().map(|&action| rules.format_move(start, action)).collect();
    assert_eq!(notation, ["1>2", "1>3", "2>3"]);
    for (text, same) in [("d2>3", "2>3"), ("Disk 1 > 3", "1>3"), ("B>C", "2>3")] {
        assert_eq!(play(text).unwrap(), play(same).unwrap(), "{text}");
    }
    assert_eq!(play("2>3").unwrap().piece, Some(1));
    let reason = |text: &str| play(text).unwrap_err().to_string();
    assert!(reason("2>1").ends_with("disk 2 cannot lie on disk 1, which is smaller"));
    assert!(reason("3>1").ends_with("there is no disk on peg 3"));
    assert!(reason("1>1").ends_with("the disk stays on peg 1: to lift it and put it back is not a move"));
    assert!(reason("d4>3").ends_with("disk 4 lies below disk 1"));
    assert!(reason("d5>3").ends_with("there is no disk 5; the disks go from 1 to 4"));
    assert!(reason("x9>3").ends_with("\"x9\" is neither a peg nor a disk"));
}

#[test]
fn positions_are_read_in_many_ways() {
    let small = rules("4 disks");
    for text in ["43/21/-", "4.3/2.1/-", "4 3 | 2 1 |", "43/21/_"] {
        assert_eq!(Rules::format_state(&small, Rules::parse_state(&small, text).unwrap()), "43/21/-", "{text}");
    }
    let reason = |text: &str| Rules::parse_state(&small, text).unwrap_err().reason;
    assert!(reason("34/21/-").starts_with("disk 4 lies on disk 3, which is smaller"));
    assert!(reason("43/2/-").starts_with("disk 1 is missing"));
    assert!(reason("43/22/1").starts_with("disk 2 is there twice"));
    assert!(reason("53/21/-").starts_with("\"5\" is no disk"));
    assert_eq!(reason("43/21"), "it has 2 pegs, and the level has 3");
    let large = rules("12 disks");
    let text = "12.11.3/10.9.8.7.6.5.4.2/1";
    assert_eq!(Rules::format_state(&large, Rules::parse_state(&large, text).unwrap()), text);
    // Ten disks on nine pegs: some peg has a dot, so `10` cannot be disks 1 and 0.
    let wide = rules("10 disks 9 pegs");
    let text = "10/9/8/7/6/5/4/3/2.1";
    assert_eq!(Rules::format_state(&wide, Rules::parse_state(&wide, text).unwrap()), text);
}

#[test]
fn levels_are_read_in_many_ways() {
    let classic = rules("4 disks 3 pegs");
    for text in [
        "4 disks",
        "4 disks on 3 pegs # a remark",
        "3 pegs, 4 discs",
        "4321/-/-",
        "4321/-/- > -/-/4321",
        "disks: 4",
        "# disks: 4\n# pegs: 3\n4 disks",
        "start: 4321/-/-",
        "target: -/-/4321",
    ] {
        let other = rules(text);
        let size = |rules: &TowerOfHanoi| (rules.n_disks, rules.n_pegs, rules.start, rules.target);
        assert_eq!(size(&other), size(&classic), "{text}");
    }
}

#[test]
fn every_fault_marks_its_place() {
    let first_fault = |text: &str| {
        let fault = faults(text).remove(0);
        (fault.code, text[fault.place.span].to_owned())
    };
    let is = |code: &'static str, marked: &str| (code, marked.to_owned());
    assert_eq!(first_fault("# nothing").0, "empty-level");
    assert_eq!(first_fault("3 pegs"), is("missing-disks", ""));
    assert_eq!(first_fault("4 disks 3 sticks"), is("bad-size", "4 disks 3 sticks"));
    assert_eq!(first_fault("4 disks 2 pegs"), is("bad-number", "2"));
    assert_eq!(first_fault("99 disks"), is("bad-number", "99"));
    assert_eq!(first_fault("4 disks\ndisks: 5"), is("size-differs", "5"));
    assert_eq!(first_fault("disks: four"), is("bad-number", "four"));
    assert_eq!(first_fault("towers: 4"), is("unknown-setting", "towers: 4"));
    assert_eq!(first_fault("4321/-/- > 4321/-"), is("peg-count", "4321/-"));
    assert_eq!(first_fault("4321/-"), is("peg-count", "4321/-"));
    assert_eq!(first_fault("4312/-/-"), is("disk-on-smaller", "2"));
    assert_eq!(first_fault("432/2/1"), is("disk-twice", "2"));
    assert_eq!(first_fault("43/1/-"), is("disk-missing", "43/1/-"));
    assert_eq!(first_fault("-/-/-"), is("disk-missing", "-/-/-"));
    assert_eq!(first_fault("43x/21/-"), is("bad-disk", "x"));
    assert_eq!(first_fault("4321/-/- > -/-/54321"), is("bad-disk", "5"));
    assert_eq!(first_fault("4321/-/-\n-/-/4321"), is("repeated-position", "-/-/4321"));
    let message = faults("4312/-/-")[0].to_string();
    assert!(message.contains("level.txt:1:4: disk 2 lies on disk 1, which is smaller [disk-on-smaller]"), "{message}");
}

#[test]
fn too_large_levels_are_refused() {
    let text = "32 disks 5 pegs";
    let error = TowerOfHanoi::new(&parse(text, &source(text), 0).unwrap()).unwrap_err();
    assert_eq!((error.bits, error.most), (96, 21));
    assert_eq!(rules("32 disks 4 pegs").code_bits(), 64);
}

#[test]
fn no_text_breaks_the_reader() {
    let pieces = [
        "43/21/-",
        ">",
        "/",
        "-",
        "\n",
        "#",
        ":",
        "disks",
        "4 ",
        "é",
        " pegs",
        ".",
        "→",
        "0",
        "12.",
        "99999999999999999999",
    ];
    for number in 0..pieces.len().pow(4) {
        let text: String = (0..4).map(|digit| pieces[number / pieces.len().pow(digit) % pieces.len()]).collect();
        for fault in parse(&text, &source(&text), 0).err().unwrap_or_default() {
            assert!(text.get(fault.place.span.clone()).is_some(), "{text:?} {fault:?}");
        }
    }
}

#[test]
fn the_drawing_shows_the_disks() {
    let rules = rules("31/2/- > -/-/321");
    let picture = Rules::picture(&rules, Rules::start(&rules));
    let expected = "
    |        |        |
   =1=       |        |
 ===3===   ==2==      |
---------------------------
    1        2        3
";
    assert_eq!(format!("\n{}", picture.to_text()), expected);
    // The target stands above it, in a part of its own.
    let area = picture.goal.unwrap();
    assert_eq!(picture.shapes.len(), 2 * (1 + 3 + 3));
    let targets: Vec<&Shape> = picture.shapes.iter().filter(|shape| matches!(shape.role, Role::Target(_))).collect();
    assert_eq!(targets.len(), 3);
    assert!(targets.iter().all(|shape| shape.row > area.caption && shape.row + shape.rows < area.rows), "{area:?}");
    for shape in &picture.shapes {
        assert!(shape.row >= -1e-9 && shape.row + shape.rows <= picture.height + 1e-9, "{shape:?}");
        assert!(shape.column >= -1e-9 && shape.column + shape.columns <= picture.width + 1e-9, "{shape:?}");
    }
}
