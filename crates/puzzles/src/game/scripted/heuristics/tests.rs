use std::sync::Arc;

use super::super::{Options, Scripted};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::distance::DistanceTable;
use crate::game::{LevelText, Puzzle};
use crate::graph::{MapOptions, enumerate};
use crate::testing::project;

/// Counts down by 1 or 2 to 0; `entries` are further entries of the script's table.
fn countdown(entries: &str) -> String {
    format!(
        "local function moves(n)
  local result = {{}}
  if n >= 1 then result.one = n - 1 end
  if n >= 2 then result.two = n - 2 end
  return result
end
return {{ start = function(level) return tonumber(level.text) end, goal = function(n) return n == 0 end,
  moves = moves, {entries} }}"
    )
}

fn loaded(script: &str, level: &str) -> Result<Scripted, Vec<Diagnostic>> {
    let source = Arc::new(SourceText { path: "levels.txt".into(), text: level.to_owned() });
    let script = Arc::new(SourceText { path: "task.lua".into(), text: script.to_owned() });
    let text = LevelText { text: level, source: &source, span: 0..level.len() };
    Scripted::load(&text, &script, &Options::default())
}

fn shipped(name: &str) -> String {
    std::fs::read_to_string(project().join("data/lua").join(name)).unwrap()
}

fn faults(entries: &str) -> Vec<String> {
    let faults = loaded(&countdown(entries), "5").map(|_| ()).expect_err(entries);
    faults.iter().map(ToString::to_string).collect()
}

/// The heuristics by name, with their claims and what they say of a position.
fn values(puzzle: &Scripted, position: &str) -> Vec<(String, bool, f64)> {
    let position = puzzle.parse_state(position).unwrap();
    let heuristics = puzzle.heuristics().into_iter().enumerate();
    heuristics
        .map(|(number, heuristic)| (heuristic.name, heuristic.is_admissible, puzzle.estimate(number, position)))
        .collect()
}

#[test]
fn heuristics_stand_in_the_order_of_their_names_behind_the_single_one() {
    let entries = "heuristic = function(n) return n // 2 end, admissible = { 'half' }, heuristics = {
        ['one-by-one'] = function(n) return n end, half = function(n) return n / 2 end, A1 = function() return -0.0 end }";
    let puzzle = loaded(&countdown(entries), "5").unwrap();
    let expected = [("heuristic", true, 2.0), ("A1", false, 0.0), ("half", true, 2.5), ("one-by-one", false, 5.0)];
    assert_eq!(values(&puzzle, "5"), expected.map(|(name, claim, value)| (name.to_owned(), claim, value)));
    assert!(values(&puzzle, "5")[1].2.is_sign_positive());
    assert_eq!(puzzle.heuristics()[2].meaning, "the function `half` among the `heuristics` of the script");
    assert_eq!(puzzle.estimate(4, puzzle.start()), 0.0, "no heuristic has this number");
    assert_eq!(puzzle.script_error(), None);
}

#[test]
fn fractions_and_infinity_are_kept() {
    let single = "heuristic = function(n) return n > 3 and math.huge or n / 4 end";
    let puzzle = loaded(&countdown(single), "5").unwrap();
    assert_eq!(values(&puzzle, "5")[0].2, f64::INFINITY);
    assert_eq!(values(&puzzle, "3")[0].2, 0.75);
}

#[test]
fn what_a_heuristic_must_not_return_is_named_with_its_function() {
    let first_fault = |body: &str| faults(&format!("heuristics = {{ far = function(n) {body} end }}"))[0].clone();
    for (body, expected) in [
        (
            "return -1",
            "heuristics: far: it returns -1, and has to return a number of moves, 0 or more (at the position 5)",
        ),
        ("return -0.5", "far: it returns -0.5, and has to return a number of moves"),
        ("return 0 / 0", "far: it returns what is not a number, and has to return a number of moves"),
        ("return -math.huge", "far: it returns -inf, and has to return a number of moves"),
        ("return 'far'", "far: it returns text, and has to return a number"),
        ("return", "far: it returns nothing (nil), and has to return a number"),
        ("return n.x.y", "heuristics: far: attempt to index a number value (local 'n')"),
        ("for i = 1, 100000000 do end", "far: one call takes more than"),
    ] {
        let message = first_fault(body);
        assert!(message.contains(expected), "{expected}: {message}");
        assert!(message.starts_with("task.lua:8:"), "the line is missing: {message}");
    }
    let single = &faults("heuristic = function() return -1 end")[0];
    assert!(single.contains("heuristic: it returns -1, and has to return a number of moves"), "{single}");
    // What fails beyond the start only is noted.
    let late = loaded(&countdown("heuristics = { late = function(n) return n - 3 end }"), "5").unwrap();
    assert_eq!(values(&late, "1")[0].2, 0.0);
    let script_error = late.script_error().unwrap();
    assert!(script_error.starts_with("task.lua:8: heuristics: late: it returns -2"), "{script_error}");
    assert!(script_error.contains("(at the position 1)"), "{script_error}");
}

#[test]
fn tables_that_are_no_heuristics_are_refused_with_all_their_faults() {
    for (entries, expected) in [
        ("heuristics = 5", vec!["`heuristics` of the script's table is a number, and has to be a table"]),
        ("heuristics = { far = 5 }", vec!["the entry `far` of `heuristics` is a number, and has to be a function"]),
        (
            "heuristics = { moves, ['a+b'] = moves, [''] = moves, ['-a'] = moves }",
            vec!["heuristic `-a`", "heuristic `[1]` has a name that studies", "heuristic ``", "heuristic `a+b`"],
        ),
        (
            "heuristics = { far = moves, near = moves }, admissible = { 'nearer' }",
            vec!["`admissible` names \"nearer\", which is none of the `heuristics`"],
        ),
        ("heuristic = moves, admissible = { 'heuristic' }", vec!["`admissible` names \"heuristic\""]),
        (
            "heuristics = { far = moves }, admissible = { far = true }",
            vec!["`admissible` of the script's table is no list"],
        ),
        ("heuristics = { far = moves }, admissible = 'far'", vec!["`admissible` of the script's table is text"]),
        ("heuristic = moves, heuristics = { heuristic = moves }", vec!["`heuristics` has an entry `heuristic`"]),
    ] {
        let messages = faults(entries);
        assert_eq!(messages.len(), expected.len(), "{messages:#?}");
        for (message, expected) in messages.iter().zip(expected) {
            assert!(message.contains(expected), "{expected}: {message}");
        }
    }
    let messages = faults("heuristics = { far = moves, near = moves }, admissible = { 'nearer' }");
    assert!(messages[0].contains("the `heuristics` are far, near"), "{messages:?}");
}

#[test]
fn heuristics_of_shipped_scripts_are_counted_by_hand() {
    let value = |puzzle: &Scripted, name: &str| {
        let number = puzzle.heuristics().iter().position(|heuristic| heuristic.name == name).expect(name);
        puzzle.estimate(number, puzzle.start())
    };
    // Not at home are 2 (one column away), 8 (two rows), 6 and 5 (exchanged, one column each), and 1 (two rows and a
    // column).
    let eight = loaded(&shipped("eight_puzzle.lua"), "283\n465\n71.").unwrap();
    assert_eq!(value(&eight, "misplaced"), 5.0);
    assert_eq!(value(&eight, "manhattan"), 1.0 + 2.0 + 1.0 + 1.0 + 3.0);
    // Two boxes: one is a step right of its goal, one on a goal; the nearest goals are 1 and 0 away.
    let sokoban = loaded(&shipped("sokoban.lua"), "xxxxxxx\nx@.$ *x\nxxxxxxx").unwrap();
    assert_eq!(value(&sokoban, "nearest-goals"), 1.0);
    assert_eq!(value(&sokoban, "boxes-off-goals"), 1.0);
    // Seven pegs take six jumps.
    let pegs = loaded(&shipped("peg_solitaire.lua"), "ooo.oooo").unwrap();
    assert_eq!(value(&pegs, "heuristic"), 6.0);
}

#[test]
fn claims_of_shipped_scripts_hold_on_every_state() {
    for (script, level) in [
        ("eight_puzzle.lua", "123\n.45"),
        ("eight_puzzle.lua", "31.\n245"),
        ("sokoban.lua", "xxxxxxx\nx.  $.x\nx $@  x\nx     x\nxxxxxxx"),
        ("sokoban.lua", "# moves: step\nxxxxxxx\nx.    x\nx $@$.x\nx     x\nxxxxxxx"),
        ("peg_solitaire.lua", "# shape: triangle\no\n.o\nooo\noooo"),
    ] {
        let puzzle = loaded(&shipped(script), level).unwrap_or_else(|faults| panic!("{}", faults[0]));
        let map = enumerate(&puzzle, &MapOptions::default()).unwrap();
        let distances = DistanceTable::new(&map);
        assert!(map.n_states() >= 40, "{script} {}", map.n_states());
        for (number, heuristic) in
            puzzle.heuristics().iter().enumerate().filter(|(_, heuristic)| heuristic.is_admissible)
        {
            let mut n_positive = 0;
            for node in 0..map.n_states() as u32 {
                let Some(distance) = distances.get(node) else { continue };
                let value = puzzle.estimate(number, puzzle.decode(map.code(node).0));
                assert!(value <= f64::from(distance.0), "{script} {} {value}", heuristic.name);
                n_positive += usize::from(value > 0.0);
            }
            assert!(n_positive > 0, "{script} {} claims nothing", heuristic.name);
        }
        assert_eq!(puzzle.script_error(), None);
    }
}
