use std::sync::Arc;

use super::super::{Options, Scripted};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::LevelText;
use crate::rules::Rules;
use crate::testing::project;
use crate::thought::{MOST_THOUGHTS, NoTree, Tree};

/// Counts down to 0 by 1 or 2, where 2 is said to need an even number; `body` is that of `blockers`.
fn countdown(body: &str) -> String {
    format!(
        "local function moves(n)
  local result = {{}}
  if n >= 1 then result.one = n - 1 end
  if n >= 2 and n % 2 == 0 then result.two = n - 2 end
  return result
end
local function blockers(n, wish) {body} end
return {{ start = function(level) return tonumber(level.text) end, goal = function(n) return n == 0 end,
  moves = moves, blockers = blockers }}"
    )
}

fn loaded_with(script: &str, level: &str, options: Options) -> Result<Scripted, Vec<Diagnostic>> {
    let source = Arc::new(SourceText { path: "levels.txt".into(), text: level.to_owned() });
    let script = Arc::new(SourceText { path: "task.lua".into(), text: script.to_owned() });
    let text = LevelText { text: level, source: &source, span: 0..level.len() };
    Scripted::load(&text, &script, &options)
}

fn loaded(script: &str, level: &str) -> Scripted {
    loaded_with(script, level, Options::default()).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

fn fault(body: &str) -> String {
    let faults = loaded_with(&countdown(body), "5", Options::default()).map(|_| ()).expect_err(body);
    assert_eq!(faults.len(), 1, "{faults:#?}");
    faults[0].to_string()
}

/// The leaves of the tree of a position, by their notation.
fn leaves(rules: &dyn Rules, position: &str) -> Result<Vec<(String, u32)>, NoTree> {
    let state = rules.parse_state(position).unwrap();
    let legal = rules.legal_moves(state);
    let leaves = Tree::new(rules, state)?.leaves().into_iter();
    Ok(leaves.map(|(place, depth)| (legal[place].notation.clone(), depth)).collect())
}

const EVEN_FIRST: &str = "if wish == nil then return { 'two' } end
  if wish == 'two' and n % 2 == 1 then return { { 'one' } } end
  return {}";

#[test]
fn a_tree_grows_from_what_a_script_says() {
    let puzzle = loaded(&countdown(EVEN_FIRST), "5");
    assert_eq!(leaves(&puzzle, "5"), Ok(vec![("one".to_owned(), 2)]));
    assert_eq!(leaves(&puzzle, "4"), Ok(vec![("two".to_owned(), 1)]));
    assert_eq!(leaves(&puzzle, "0"), Err(NoTree::NoGoalMoves), "the script is not asked about a solved position");
    assert_eq!(puzzle.script_error(), None);
}

#[test]
fn a_script_without_blockers_or_without_a_last_move_has_no_tree() {
    let without = countdown("").replace(", blockers = blockers", "");
    assert_eq!(leaves(&loaded(&without, "5"), "5"), Err(NoTree::NoGoalMoves));
    assert_eq!(leaves(&loaded(&countdown("return {}"), "5"), "5"), Err(NoTree::NoGoalMoves));
    // That nothing makes the last move possible is a thought too.
    let never = loaded(&countdown("if wish == nil then return { 'two' } end"), "5");
    let ends = Tree::new(&never, never.start()).and_then(|tree| tree.ends());
    assert_eq!(ends.map(|ends| ends.circles), Ok(vec![1.0]));
}

#[test]
fn a_wished_move_comes_back_as_it_was_given() {
    let body = "if wish == nil then return { { move = 'two', why = 'last', at = { 1, 2 } }, { move = 1 }, 7 } end
      if type(wish) == 'table' and wish.why == 'last' and wish.at[2] == 2 then return { { 'one' } } end
      if wish == '7' or wish.move == '1' then return nil end
      return {}";
    let puzzle = loaded(&countdown(body), "5");
    assert_eq!(leaves(&puzzle, "5"), Ok(vec![("one".to_owned(), 2)]));
    assert_eq!(puzzle.script_error(), None);
}

/// Number of subgoals: two obstacles with the same name, or the same moves, are one.
#[test]
fn obstacles_are_the_same_by_their_name_or_else_by_their_moves() {
    for (obstacles, n_subgoals) in [
        ("{ 'one', 'two' }, { 'two', 'one', 'one' }", 1),
        ("{ 'one' }, { 'two' }", 2),
        ("{ 'one', name = 'a' }, { 'two', name = 'a' }", 1),
        ("{ 'one', name = 'a' }, { 'one', name = 'b' }", 2),
        ("{ 'one', name = { 1, 2 } }, { 'one', name = { 1, 2 } }", 1),
        ("{ 'one', name = { 1, 2 } }, { 'one', name = '{1 2}' }", 2),
    ] {
        let body = format!(
            "if wish == nil then return {{ 'last' }} end if wish == 'last' then return {{ {obstacles} }} end return nil"
        );
        let puzzle = loaded(&countdown(&body), "4");
        assert_eq!(Tree::new(&puzzle, puzzle.start()).map(|tree| tree.or_nodes().len()), Ok(n_subgoals), "{obstacles}");
    }
}

#[test]
fn answers_that_are_none_are_told_with_their_line() {
    let reply = |answer: &str| format!("if wish == nil then return {{ 'two' }} end {answer}");
    for (body, expected) in [
        (
            "return".to_owned(),
            "blockers: it returns nothing (nil), and has to return a list of the moves that end the level",
        ),
        ("return 'two'".to_owned(), "blockers: it returns text, and has to return a list of the moves that end"),
        ("return { last = 'two' }".to_owned(), "blockers: the list that it returns is no list of moves"),
        ("return { true }".to_owned(), "blockers: move 1 of the list that it returns is a truth value"),
        ("return { '' }".to_owned(), "blockers: move 1 of the list that it returns is \"\", which is empty"),
        ("return { { 'two' } }".to_owned(), "move 1 of the list that it returns is a table without an entry `move`"),
        ("return { { move = {} } }".to_owned(), "move 1 of the list that it returns has a table as its `move`"),
        ("return { { move = 'two', why = ('x'):rep(1000) } }".to_owned(), "has 1015 bytes as text, and may have 1000"),
        ("return { moves }".to_owned(), "blockers: `[1]` of what it returns is a function"),
        ("return n.x.y".to_owned(), "blockers: attempt to index a number value (local 'n') (at the position 5)"),
        (
            reply("return 5"),
            "blockers: two: it returns a number, and has to return a list of what is in the way, or nil",
        ),
        (reply("return { one = {} }"), "blockers: two: the table that it returns is no list"),
        (reply("return { 'one' }"), "blockers: two: entry 1 of the list that it returns is text"),
        (reply("return { { { 'one' } } }"), "two: move 1 of entry 1 of the list that it returns is a table without"),
        (reply("return { { move = 'one' } }"), "two: entry 1 of the list that it returns is no list of moves"),
        (reply("return wish.x.y"), "blockers: two: attempt to index a nil value (field 'x')"),
        (reply("for i = 1, 100000000 do end"), "blockers: two: one call takes more than"),
        (reply("return {}"), "blockers: two: it returns an empty list, as if nothing were in the way"),
        (reply("return wish == 'two' and { { 'three' } } or {}"), "blockers: three: it returns an empty list"),
    ] {
        let message = fault(&body);
        assert!(message.contains(expected), "{expected}: {message}");
        assert!(message.starts_with("task.lua:7:"), "the line is missing: {message}");
        assert!(message.contains("(at the position 5)"), "{message}");
    }
    let unknown = loaded_with(&countdown("").replace("blockers = blockers", "blockers = 5"), "5", Options::default());
    let faults = unknown.map(|_| ()).unwrap_err();
    assert_eq!(faults[0].message, "`blockers` of the script's table is a number, and has to be a function");
}

/// A failure beyond the start leaves no tree that could be taken for a true one.
#[test]
fn a_script_that_fails_later_has_no_tree() {
    let puzzle =
        loaded(&countdown("if wish == nil then return { 'two' } end return n == 5 and { { 'one' } } or {}"), "4");
    assert_eq!(leaves(&puzzle, "4"), Ok(vec![("two".to_owned(), 1)]));
    assert_eq!(leaves(&puzzle, "3"), Err(NoTree::Failed));
    let script_error = puzzle.script_error().unwrap();
    assert!(script_error.starts_with("task.lua:7: blockers: two: it returns an empty list"), "{script_error}");
    assert!(script_error.contains("(at the position 3)"), "{script_error}");
}

#[test]
fn endless_thoughts_end() {
    let endless = "if wish == nil then return { '1' } end return { { tostring(wish + 1) } }";
    let puzzle = loaded(&countdown(endless), "5");
    assert_eq!(Tree::new(&puzzle, puzzle.start()), Err(NoTree::TooLong));
    assert_eq!(puzzle.script_error(), None);
    assert!(puzzle.wished_moves().0.len() <= MOST_THOUGHTS + 2, "{}", puzzle.wished_moves().0.len());
    let long = "if wish == nil then return { '1' } end if wish == 'one' then return {} end
      return { { wish == '900' and 'one' or tostring(wish + 1) } }";
    let puzzle = loaded(&countdown(long), "5");
    let ends = Tree::new(&puzzle, puzzle.start()).and_then(|tree| tree.ends()).unwrap();
    assert_eq!(ends.moves[0].iter().position(|&share| share > 0.0), Some(900), "depths begin with 1");
    let options = Options { max_positions: 50, ..Options::default() };
    let puzzle = loaded_with(&countdown(endless), "5", options).unwrap_or_else(|faults| panic!("{}", faults[0]));
    assert_eq!(Tree::new(&puzzle, puzzle.start()), Err(NoTree::Failed));
    let expected = "task.lua: blockers: it has named more than 50 different moves: allow more with `max-positions` in \
                    [rules], if the memory suffices";
    assert_eq!(puzzle.script_error().as_deref(), Some(expected));
}

/// Threads that ask in different orders have the same codes.
#[test]
fn codes_do_not_depend_on_the_order_of_questions() {
    let (asked_forwards, asked_backwards) = (loaded(&countdown(EVEN_FIRST), "5"), loaded(&countdown(EVEN_FIRST), "5"));
    let last = |puzzle: &Scripted, position: &str| {
        let state = puzzle.parse_state(position).unwrap();
        let last = puzzle.goal_moves(state).unwrap();
        (puzzle.obstacles(state, last.alternatives[0]), last)
    };
    let (first, second) = (last(&asked_forwards, "5"), last(&asked_forwards, "4"));
    assert_eq!((last(&asked_backwards, "4"), last(&asked_backwards, "5")), (second.clone(), first.clone()));
    assert_eq!(first.1, second.1);
    assert_ne!(first.0, second.0);
}

/// In the first, 3 wants up, where the gap is, and 6 wants up, where 3 lies. For 6, 3 may also leave to the left,
/// where 5 leaves up, where 2 leaves to the gap. In the second, 7 wants left, where the gap is; for 8, which wants
/// left too, 7 may also leave up, where 5 leaves left, where 4 leaves to the gap.
#[test]
fn the_eight_puzzle_thinks_of_the_gap() {
    let script = std::fs::read_to_string(project().join("data/lua/eight_puzzle.lua")).unwrap();
    let puzzle = loaded(&script, "12.\n453\n786");
    assert_eq!(leaves(&puzzle, "12.453786"), Ok(vec![("2".to_owned(), 4), ("3".to_owned(), 1)]));
    assert_eq!(leaves(&puzzle, "123456.78"), Ok(vec![("4".to_owned(), 4), ("7".to_owned(), 1)]));
    assert_eq!(puzzle.script_error(), None);
}
