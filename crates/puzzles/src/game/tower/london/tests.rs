use std::sync::Arc;

use super::*;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::distance::DistanceTable;
use crate::game::LevelText;
use crate::graph::MapOptions;
use crate::level::{LevelColumns, levels_of_text, read_levels};
use crate::registry::{Game, RuleOptions};
use crate::rules::Rules;
use crate::testing::{golden, project};

fn source(text: &str) -> Arc<SourceText> {
    Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() })
}

fn rules(text: &str) -> TowerOfLondon {
    let layout = parse(text, &source(text), 0, &Options::default()).unwrap_or_else(|faults| panic!("{faults:#?}"));
    TowerOfLondon::new(&layout).unwrap()
}

fn faults(text: &str) -> Vec<Diagnostic> {
    parse(text, &source(text), 0, &Options::default()).unwrap_err()
}

/// Code and marked text of each fault.
fn marked(text: &str) -> Vec<(&'static str, String)> {
    faults(text).into_iter().map(|fault| (fault.code, text[fault.place.span].to_owned())).collect()
}

fn histogram(rules: &TowerOfLondon) -> Vec<u64> {
    let map = Rules::map(rules, &MapOptions::default()).unwrap();
    DistanceTable::new(&map).histogram()
}

/// The numbers of an independent program, tests/oracles/tower_of_london.py.
#[test]
fn maps_have_the_golden_counts() {
    check_golden("tower-of-london", 8);
}

/// Compares all levels of a game with its golden file.
pub(in crate::game::tower) fn check_golden(game: &str, n_levels: usize) {
    let folder = game.replace('-', "_");
    let golden = golden(&format!("games/{folder}.json"));
    let file = project().join(format!("data/{folder}/levels.txt"));
    let levels = read_levels(&file, &LevelColumns::default()).unwrap();
    let expected = golden["levels"].as_array().unwrap();
    assert_eq!((levels.len(), expected.len()), (n_levels, n_levels));
    for (level, expected) in levels.iter().zip(expected) {
        let text = LevelText { text: &level.text, source: &level.source, span: level.span.clone() };
        let rules = (Game::named(game).unwrap().load)(&text, &RuleOptions::default()).unwrap();
        let map = rules.map(&MapOptions::default()).unwrap();
        let table = DistanceTable::new(&map);
        let start = table.get(0).map(|distance| distance.0);
        let actual = serde_json::json!({
            "level": level.id, "file": format!("data/{folder}/levels.txt"), "rules": {},
            "perft": paths(rules.as_ref(), 6),
            "n_states": map.graph.n_states(), "n_arcs": map.graph.n_arcs(), "n_goals": map.goals().count(),
            "start_distance": start, "max_distance": table.max().map(|distance| distance.0),
            "histogram": table.histogram(),
        });
        assert_eq!(&actual, expected);
        for (node, distance) in table.iter().enumerate() {
            let state = map.code(node as u32);
            let bound = rules.estimate(0, state);
            assert!(bound <= f64::from(distance.unwrap().0), "{}: {bound}", rules.format_state(state));
            for image in rules.symmetric(state) {
                assert_eq!(table.get(map.node(image).unwrap()), distance, "{}", rules.format_state(image));
            }
            assert_eq!(rules.parse_state(&rules.format_state(state)).unwrap(), state);
            for legal in rules.legal_moves(state) {
                assert_eq!(rules.play(state, &legal.notation).unwrap(), legal);
                assert_eq!(rules.move_between(state, legal.next).unwrap(), legal);
            }
        }
    }
}

/// Number of move sequences of each length from the start.
fn paths(rules: &dyn Rules, depth: usize) -> Vec<u64> {
    let mut layer = std::collections::BTreeMap::from([(rules.start(), 1)]);
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut next = std::collections::BTreeMap::new();
        for (state, ways) in layer {
            rules.legal_moves(state).iter().for_each(|legal| *next.entry(legal.next).or_insert(0) += ways);
        }
        counts.push(next.values().sum());
        layer = next;
    }
    counts
}

/// Three balls on pegs of 3, 2 and 1: 36 positions (Berg and Byrd, 2002), at most 8 moves apart.
#[test]
fn the_classic_tower_has_36_states() {
    let counts = histogram(&rules("GBR/-/- > -/GB/R"));
    assert_eq!((counts.iter().sum::<u64>(), counts.len() - 1), (36, 8));
}

#[test]
fn moves_obey_the_rules() {
    let rules = rules("RG/B/- > G/RB/-");
    let start = Puzzle::start(&rules);
    let play = |text: &str| Rules::play(&rules, Rules::start(&rules), text);
    let mut moves = Vec::new();
    Puzzle::legal_moves(&rules, start, &mut moves);
    let notation: Vec<_> = moves.iter().map(|&action| rules.format_move(start, action)).collect();
    assert_eq!(notation, ["1>2", "1>3", "2>1", "2>3"]);
    assert_eq!(Rules::format_state(&rules, play("1>2").unwrap().next), "R/BG/-");
    // Ball to peg, in either case; a ball is named by its letter and goes to a peg with a number.
    for (text, same) in [("G>3", "1>3"), ("g>3", "1>3"), ("B>3", "2>3"), ("B>C", "2>3"), ("A>C", "1>3")] {
        assert_eq!(play(text).unwrap(), play(same).unwrap(), "{text}");
    }
    let reason = |text: &str| play(text).unwrap_err().to_string();
    assert!(reason("3>1").ends_with("there is no ball on peg 3"));
    assert!(reason("1>1").ends_with("the ball stays on peg 1: to lift it and put it back is not a move"));
    assert!(reason("R>2").ends_with("ball R lies below another one"));
    assert!(reason("Y>2").ends_with("there is no ball \"Y\"; the balls are BGR"));
    assert!(reason("1>4").ends_with("there is no peg 4; the pegs go from 1 to 3"));
    assert!(reason("up").contains("write the two pegs (1>3) or the ball and the peg (R>3)"));
    let full = Rules::parse_state(&rules, "R/BG/-").unwrap();
    let error = Rules::play(&rules, full, "1>2").unwrap_err().to_string();
    assert!(error.ends_with("peg 2 is full: it has room for 2 and holds 2"));
}

#[test]
fn balls_of_one_colour_are_told_by_their_peg() {
    let rules = rules("# capacities: 4 3 2\nRRGG/-/- > GRGR/-/-");
    let state = Rules::parse_state(&rules, "RRG/G/-").unwrap();
    let error = Rules::play(&rules, state, "G>3").unwrap_err().to_string();
    assert!(error.ends_with("more than one ball G is uppermost: name the peg that it comes from"), "{error}");
    assert_eq!(Rules::play(&rules, state, "1>3").unwrap().piece, None);
}

#[test]
fn positions_are_read_in_many_ways() {
    let rules = rules("RG/B/- > G/RB/-");
    for text in ["RG/B/-", " RG | B | - ", "RG/B/", "R G/B/_"] {
        assert_eq!(Rules::format_state(&rules, Rules::parse_state(&rules, text).unwrap()), "RG/B/-", "{text}");
    }
    let reason = |text: &str| Rules::parse_state(&rules, text).unwrap_err().reason;
    assert!(reason("RG/B").starts_with("the position has 2 pegs, and the level has 3 pegs with room for 3, 2, 1"));
    assert!(reason("R/G/BY").starts_with("peg 3 has room for 1 and holds 2 balls"));
    assert_eq!(reason("RG/Y/-"), "its balls are GRY, those of the level are BGR");
    assert_eq!(reason("-/-/-"), "its balls are none, those of the level are BGR");
    assert!(reason("R?/B/-").starts_with("'?' is no name of a ball"));
}

#[test]
fn levels_are_read_in_many_ways() {
    let classic = rules("RG/B/- > G/RB/-");
    for text in [
        "RG/B/- -> G/RB/-   # a remark",
        "RG/B/-\n# target: G/RB/-",
        "start: RG/B/-\ngoal: G/RB/-\ncapacities: 3,2,1\n# author: me",
        "# id: one\nRG | B | - → G | RB | -",
    ] {
        let other = rules(text);
        assert_eq!(
            (other.start, other.target, &other.capacities),
            (classic.start, classic.target, &classic.capacities)
        );
    }
    let table = source("level,board\na,RG/B/- > G/RB/-\nb,\"# capacities: 2 2 2\nRG/B/- > G/RB/-\"\n");
    let table = Arc::new(SourceText { path: "levels.csv".into(), text: table.text.clone() });
    let levels = levels_of_text(&table, &LevelColumns::default()).unwrap();
    assert_eq!(rules(&levels[0].text).capacities, [3, 2, 1]);
    assert_eq!(rules(&levels[1].text).capacities, [2, 2, 2]);
    let options = Options { capacities: "4 4 4".to_owned() };
    let text = "RGBY/-/- > -/-/YBGR";
    assert_eq!(parse(text, &source(text), 0, &options).unwrap().capacities(), [4, 4, 4]);
}

#[test]
fn every_fault_marks_its_place() {
    let first_fault = |text: &str| marked(text).into_iter().next().unwrap();
    assert_eq!(first_fault("# nothing").0, "empty-level");
    assert_eq!(first_fault("RG/B/-").0, "missing-target");
    assert_eq!(first_fault("target: RG/B/-").0, "missing-start");
    assert_eq!(first_fault("RG/B/- > G?/RB/-"), ("bad-ball", "?".to_owned()));
    assert_eq!(first_fault("RG/B/- > G/R/BY"), ("too-many-balls", "BY".to_owned()));
    assert_eq!(first_fault("RG/B/- > G/RB"), ("peg-count", "G/RB".to_owned()));
    assert_eq!(first_fault("RG/B/- > G/RY/-"), ("different-balls", "G/RY/-".to_owned()));
    assert_eq!(first_fault("-/-/- > G/RY/-"), ("no-balls", "-/-/-".to_owned()));
    assert_eq!(first_fault("RG/B/- > G/RB/-\ncapacities: 3 2 x"), ("bad-capacities", "3 2 x".to_owned()));
    assert_eq!(first_fault("RG/B/- > G/RB/-\ncapacities: 3"), ("bad-capacities", "3".to_owned()));
    assert_eq!(first_fault("RG/B/- > G/RB/-\npegs: 3"), ("unknown-setting", "pegs: 3".to_owned()));
    assert_eq!(first_fault("RG/B/- > G/RB/-\nRG/B/- > -/RB/G"), ("repeated-position", "RG/B/-".to_owned()));
    let all = marked("R!/B/- > GGGG/R/BB\nroom: 3");
    let codes: Vec<_> = all.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, ["bad-ball", "too-many-balls", "too-many-balls", "unknown-setting"]);
    assert!(
        faults("RG/B/- > G/R/BY")[0].to_string().contains("level.txt:1:14: peg 3 has room for 1 and holds 2 balls")
    );
}

#[test]
fn too_large_levels_are_refused() {
    let text = "# capacities: 20 20 20\nRGB/-/- > BGR/-/-";
    let layout = parse(text, &source(text), 0, &Options::default()).unwrap();
    assert_eq!(TowerOfLondon::new(&layout).unwrap_err().bits, 120);
    let error = Options { capacities: "3 two 1".to_owned() }.check().unwrap_err();
    assert!(error.starts_with("`capacities`: \"two\" is no room of a peg"), "{error}");
}

#[test]
fn no_text_breaks_the_reader() {
    let pieces = ["RG/B/-", ">", "/", "-", "\n", "#", ":", "start", "capacities: ", "é", " ", "3 2 1", "→", "0", "?"];
    for number in 0..pieces.len().pow(4) {
        let text: String = (0..4).map(|digit| pieces[number / pieces.len().pow(digit) % pieces.len()]).collect();
        for fault in parse(&text, &source(&text), 0, &Options::default()).err().unwrap_or_default() {
            assert!(text.get(fault.place.span.clone()).is_some(), "{text:?} {fault:?}");
        }
    }
}

#[test]
fn the_drawing_shows_position_and_target() {
    let picture = Rules::picture(&rules("RG/B/- > G/RB/-"), Rules::start(&rules("RG/B/- > G/RB/-")));
    let expected = "
 |               |
 G   |           |   B
 R   B   |       G   R   |
------------    ------------
 1   2   3       1   2   3
    now            target
";
    assert_eq!(format!("\n{}", picture.to_text()), expected);
    assert_eq!(picture.shapes.len(), 2 * (1 + 3 + 3));
    for shape in &picture.shapes {
        assert!(shape.row >= -1e-9 && shape.row + shape.rows <= picture.height + 1e-9, "{shape:?}");
        assert!(shape.column >= -1e-9 && shape.column + shape.columns <= picture.width + 1e-9, "{shape:?}");
    }
}
