use super::options::LONGEST_LIST;
use super::*;
use crate::distance::DistanceTable;
use crate::game::StateCode;
use crate::graph::{LevelMap, MapError, MapOptions, enumerate};
use crate::level::{LevelColumns, read_levels};
use crate::registry::{Game, RuleOptions};
use crate::testing::{golden, project};

/// A puzzle that counts down by 1 or 2, with parts that tests replace.
const COUNTDOWN: &str = r#"
local function moves(n)
  local result = {}
  if n >= 1 then result["minus 1"] = n - 1 end
  if n >= 2 then result["minus 2"] = n - 2 end
  return result
end
return { start = function(level) return tonumber(level.text) end, goal = function(n) return n == 0 end, moves = moves }
"#;

fn loaded_with(script: &str, level: &str, options: Options) -> Result<Scripted, Vec<Diagnostic>> {
    let source = Arc::new(SourceText { path: "levels.txt".into(), text: level.to_owned() });
    let script = Arc::new(SourceText { path: "task.lua".into(), text: script.to_owned() });
    let text = LevelText { text: level, source: &source, span: 0..level.len() };
    Scripted::load(&text, &script, &options)
}

fn loaded(script: &str, level: &str) -> Result<Scripted, Vec<Diagnostic>> {
    loaded_with(script, level, Options::default())
}

/// The only fault of a script, as it is printed.
fn fault(script: &str, level: &str) -> String {
    let faults = loaded(script, level).map(|_| ()).expect_err(script);
    assert_eq!(faults.len(), 1, "{faults:#?}");
    faults[0].to_string()
}

/// A script whose moves come from one function; its states are texts and start with the level.
fn with_moves(body: &str) -> String {
    format!(
        "local function moves(state)\n{body}\nend\nreturn {{ start = function(level) return level.text end, goal = \
         function(state) return state == 'end' end, moves = moves }}"
    )
}

/// Fault of `body` when it runs inside of `moves`.
fn fault_of(body: &str) -> String {
    fault(&with_moves(body), "x")
}

/// Result of `body` when it runs inside of `moves`, as the text of the only move.
fn result_of(body: &str) -> String {
    let script = with_moves(&format!("local function result() {body} end return {{ [tostring(result())] = 'end' }}"));
    let puzzle = loaded(&script, "x").unwrap_or_else(|faults| panic!("{body}: {}", faults[0]));
    let mut moves = Vec::new();
    puzzle.legal_moves(puzzle.start(), &mut moves);
    puzzle.format_move(puzzle.start(), moves[0])
}

fn map(puzzle: &Scripted) -> LevelMap {
    enumerate(puzzle, &MapOptions::default()).unwrap()
}

/// All states with their successors, by their texts.
fn graph(puzzle: &Scripted) -> Vec<(String, Vec<String>)> {
    let map = map(puzzle);
    let text = |node: u32| puzzle.format_state(puzzle.decode(map.code(node).0));
    let successors = |node: u32| map.graph.successors(node).iter().map(|&after| text(after)).collect();
    (0..map.n_states() as u32).map(|node| (text(node), successors(node))).collect()
}

fn shipped(name: &str) -> String {
    std::fs::read_to_string(project().join("data/lua").join(name)).unwrap()
}

#[test]
fn a_script_becomes_a_puzzle() {
    let puzzle = loaded(COUNTDOWN, "3").unwrap();
    let expected = [("3", vec!["2", "1"]), ("2", vec!["1", "0"]), ("1", vec!["0"]), ("0", vec![])];
    let expected = expected.map(|(state, after)| (state.to_owned(), after.into_iter().map(str::to_owned).collect()));
    assert_eq!(graph(&puzzle), expected);
    let start = puzzle.start();
    assert!(!puzzle.is_goal(start));
    assert!(puzzle.is_goal(puzzle.parse_state(" 0 ").unwrap()));
    assert_eq!(puzzle.move_between(start, puzzle.parse_state("1").unwrap()), Some(1));
    assert_eq!(puzzle.picture(start).to_text(), "3\n");
    assert_eq!(puzzle.script_error(), None);
}

#[test]
fn moves_are_read_as_people_write_them() {
    let puzzle = loaded(COUNTDOWN, "3").unwrap();
    let start = puzzle.start();
    for text in ["minus 2", " Minus 2 ", "minus2", "MINUS  2"] {
        assert_eq!(puzzle.parse_move(start, text), Ok(1), "{text}");
    }
    let refusal = |text: &str| puzzle.parse_move(start, text).unwrap_err().to_string();
    assert_eq!(refusal("minus 3"), "\"minus 3\" is not possible here: the moves here are minus 1, minus 2");
    assert_eq!(refusal(""), "\"\" is not a move: write a move as the script does; the moves here are minus 1, minus 2");
    let end = puzzle.parse_state("0").unwrap();
    let message = puzzle.parse_move(end, "minus 1").unwrap_err().to_string();
    assert_eq!(message, "\"minus 1\" is not possible here: this position has no moves");
    assert!(puzzle.play(start, 7).unwrap_err().starts_with("there is no move number 8; the moves here are"));
}

#[test]
fn a_script_can_read_the_moves_of_a_log() {
    let script = COUNTDOWN.replace(
        "moves = moves",
        "moves = moves, read_move = function(text) return text:match('^take (%d)$') and 'minus ' .. text:sub(-1) end",
    );
    let puzzle = loaded(&script, "3").unwrap();
    assert_eq!(puzzle.parse_move(puzzle.start(), "take 2"), Ok(1));
    assert!(matches!(puzzle.parse_move(puzzle.start(), "minus 2"), Err(MoveError::Unreadable { .. })));
}

#[test]
fn positions_are_read_with_reasons() {
    let puzzle = loaded(COUNTDOWN, "3").unwrap();
    let refusal = |text: &str| puzzle.parse_state(text).unwrap_err().to_string();
    assert_eq!(
        refusal("{3}"),
        "\"{3}\" is not a position of this level: it is a table, and the states of this puzzle are numbers"
    );
    let jugs = loaded(&shipped("water_jugs.lua"), "capacities: 5 3\ngoal: 4").unwrap();
    let error = jugs.parse_state("{1 2 3}").unwrap_err().reason;
    assert!(
        error.starts_with("task.lua:") && error.contains("attempt to perform arithmetic on a nil value"),
        "{error}"
    );
    assert_eq!(jugs.script_error(), None);
    assert_eq!(jugs.format_state(jugs.parse_state("{1, 2}").unwrap()), "{1 2}");
}

#[test]
fn format_and_parse_replace_the_notation_of_states() {
    let formatted = "format = function(n) return 'n' .. n end,
        parse = function(text) local n = tonumber(text:match('^n(%d+)$')) 
            if n then return n end return nil, 'write n3' end";
    let script = COUNTDOWN.replace("moves = moves", &format!("moves = moves, {formatted}"));
    let puzzle = loaded(&script, "3").unwrap();
    assert_eq!(puzzle.format_state(puzzle.start()), "n3");
    assert_eq!(puzzle.parse_state("n3"), Ok(puzzle.start()));
    assert_eq!(puzzle.parse_state("3").unwrap_err().reason, "write n3");
    let wrong = script.replace("return n end", "return n + 1 end");
    assert_eq!(
        fault(&wrong, "3"),
        "task.lua:9:9: parse: it does not read back the position \"n3\": it gives 4 in its place (at the \
         position 3) [bad-script]"
    );
}

/// The scripts under data/lua give the counts of an independent program, tests/oracles/lua_puzzles.py.
#[test]
fn shipped_scripts_give_the_golden_counts() {
    let golden = golden("games/lua.json");
    let mut n_levels = 0;
    for expected in golden["levels"].as_array().unwrap() {
        let id = expected["level"].as_str().unwrap();
        let table = toml::Table::from_iter([(
            "script".to_owned(),
            toml::Value::String(expected["rules"]["script"].as_str().unwrap().to_owned()),
        )]);
        let options = RuleOptions { table, folder: project() };
        let levels =
            read_levels(&project().join(expected["file"].as_str().unwrap()), &LevelColumns::default()).unwrap();
        let level = levels.iter().find(|level| level.id == id).unwrap();
        let text = LevelText { text: &level.text, source: &level.source, span: level.span.clone() };
        let rules = (Game::named("lua").unwrap().load)(&text, &options).unwrap();
        let map = rules.map(&MapOptions::default()).unwrap();
        let distances = DistanceTable::new(&map);
        let number = |value: Option<crate::distance::Distance>| serde_json::json!(value.map(|value| value.0));
        let counts = serde_json::json!({
            "level": id,
            "file": expected["file"],
            "rules": expected["rules"],
            "perft": perft(&map, 5),
            "n_states": map.n_states(),
            "n_arcs": map.graph.n_arcs(),
            "n_goals": map.goals().count(),
            "start_distance": number(distances.get(0)),
            "max_distance": number(distances.max()),
            "histogram": distances.histogram(),
        });
        assert_eq!(&counts, expected);
        check_laws(&*rules, &map, &distances);
        assert_eq!(rules.script_error(), None);
        n_levels += 1;
    }
    assert_eq!(n_levels, 20);
}

/// The number of ways to make so many moves, for each number up to `depth`.
fn perft(map: &LevelMap, depth: usize) -> Vec<u64> {
    let mut ways = vec![0u64; map.n_states()];
    ways[0] = 1;
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut next = vec![0; map.n_states()];
        for (node, n_ways) in ways.iter().enumerate() {
            map.graph.successors(node as u32).iter().for_each(|&after| next[after as usize] += n_ways);
        }
        counts.push(next.iter().sum());
        ways = next;
    }
    counts
}

/// States and moves survive their notation, and the heuristic never exceeds the distance; on every 97th state
/// of a large map.
fn check_laws(rules: &dyn crate::rules::Rules, map: &LevelMap, distances: &DistanceTable) {
    let step = if map.n_states() > 10_000 { 97 } else { 1 };
    for node in (0..map.n_states() as u32).step_by(step) {
        let code = map.code(node);
        assert_eq!(rules.parse_state(&rules.format_state(code)), Ok(code));
        for action in rules.legal_moves(code) {
            assert_eq!(rules.play(code, &action.notation), Ok(action.clone()));
        }
        let Some(distance) = distances.get(node) else { continue };
        for (number, heuristic) in rules.heuristics().iter().enumerate() {
            let is_bound = rules.estimate(number, code) <= f64::from(distance.0);
            assert!(is_bound || !heuristic.is_admissible, "{}: {}", heuristic.name, rules.format_state(code));
        }
    }
}

#[test]
fn pictures_come_from_draw() {
    let puzzle = loaded(&shipped("eight_puzzle.lua"), "12.\n453\n786").unwrap();
    assert_eq!(puzzle.picture(puzzle.start()).to_text(), "12.\n453\n786\n");
    let sokoban = loaded(&shipped("sokoban.lua"), "xxxxxxx\nx@ $ .x\nxxxxxxx").unwrap();
    assert_eq!(sokoban.picture(sokoban.start()).to_text(), "xxxxxxx\nx@ $ ox\nxxxxxxx\n");
    assert_eq!(sokoban.format_state(sokoban.start()), "{boxes={11} player=9}");
}

#[test]
fn levels_of_shipped_scripts_are_checked() {
    let message_of = |script: &str, level: &str| fault(&shipped(script), level);
    assert_eq!(
        message_of("eight_puzzle.lua", "12\n3x"),
        "levels.txt:1:1: a frame of 2x2 holds each of 123. once [bad-level]"
    );
    assert_eq!(
        message_of("water_jugs.lua", "capacities: 8 5 3\nstart: 8\ngoal: 4"),
        "levels.txt:1:1: `start` has one amount for each jug [bad-level]"
    );
    assert_eq!(
        message_of("water_jugs.lua", "capacities: 8 5 3\ngaol: 4"),
        "levels.txt:2:1: \"gaol\" is not a setting [unknown-setting] (the settings of the script are capacities, goal, \
         start, tap; a remark starts with #)"
    );
    assert!(message_of("sokoban.lua", "xxx\nx@x\nx.x").contains("0 boxes, and 1 goals"));
    assert!(message_of("sokoban.lua", "xxxxx\n@ $.x\nxxxxx").contains("walk out of the drawing"));
    let faults = loaded(&shipped("water_jugs.lua"), "capacities: 8 five 3\ngoal: 4").map(|_| ()).unwrap_err();
    assert!(
        faults[0]
            .to_string()
            .contains("start: numbers: \"five\" is not a number, as it read the level at levels.txt:1"),
        "{}",
        faults[0]
    );
}

// What a script must not do.

#[test]
fn nothing_leads_out_of_the_sandbox() {
    for (body, expected) in [
        ("return io.open('/etc/passwd')", "io.open is not available: a script reads no files"),
        ("return os.time()", "os.time is not available"),
        ("return os.getenv('HOME')", "os.getenv is not available"),
        ("return require('os')", "require is not available: a script is one file"),
        ("return dofile('x.lua')", "dofile is not available"),
        ("return loadfile('x.lua')", "loadfile is not available"),
        ("return load('return 1')()", "load is not available"),
        ("return string.dump(moves)", "string.dump is not available"),
        ("return ('x').dump(moves)", "string.dump is not available"),
        ("return debug.getinfo(1)", "debug.getinfo is not available"),
        ("return package.loadlib('x', 'y')", "package.loadlib is not available"),
        ("return math.random()", "math.random is not available: a puzzle has to give the same results"),
        ("return math.randomseed(1)", "math.randomseed is not available"),
        ("return getmetatable('').__index", "getmetatable is not available: states are plain tables"),
        ("return setmetatable({}, { __gc = moves })", "setmetatable is not available"),
        ("return rawget(_ENV, 'x')", "rawget is not available"),
        ("return collectgarbage('count')", "collectgarbage is not available"),
        ("return pcall(moves)", "pcall is not available: a fault in a script is to be seen, not caught"),
        ("return xpcall(moves, moves)", "xpcall is not available"),
        ("return coroutine.wrap(moves)", "coroutine.wrap is not available"),
        ("print('hello')", "print is not available: to look at a value, stop with error(value)"),
        ("return _G.io", "attempt to index a nil value (global '_G')"),
        ("return jit", "it returns nothing (nil), and has to return a table"),
        ("x = 1", "the global x is set outside of start: write local before it"),
        ("function helper() end", "the global helper is set outside of start"),
        ("string.kept = state", "the function string.kept is set outside of start"),
        ("math.floor = tostring", "the function math.floor is set outside of start"),
    ] {
        let fault = fault_of(body);
        assert!(fault.starts_with("task.lua:") && fault.contains(expected), "{body}: {fault}");
        // Lua forgets the place of a call that a function ends with; then the function itself is named.
        let is_located = fault.starts_with("task.lua:2:") || body.starts_with("return");
        assert!(is_located, "{body}: {fault}");
    }
}

#[test]
fn bytecode_is_refused() {
    let message = fault("\u{1b}Lua", "x");
    assert!(message.contains("attempt to load a binary chunk"), "{message}");
}

/// All of these come to an end without the limit too, and then answer something else.
#[test]
fn a_call_has_so_many_instructions() {
    let limits = Options { max_instructions: 100_000, ..Options::default() };
    let message_of = |body: &str| {
        let faults = loaded_with(&with_moves(body), "x", limits.clone()).map(|_| ()).expect_err(body);
        faults[0].to_string()
    };
    for body in [
        "local n = 0 while n < 1000000 do n = n + 1 end",
        "local n = 0 repeat n = n + 1 until n == 1000000",
        "for i = 1, 1000000 do end",
        "local function f(n) if n > 0 then return f(n - 1) end end f(1000000)",
        "table.sort({3, 1, 2}, function(a, b) for i = 1, 1000000 do end return a < b end)",
        "('aaa'):gsub('a', function() for i = 1, 1000000 do end end)",
        "for word in ('a'):gmatch('b*') do for i = 1, 1000000 do end end",
        "local t = {} t.me = t copy(t)",
        // In Lua's own libraries these are one instruction each.
        "('a'):rep(1000):find('a-x')",
        "('a'):rep(1000):match('a*b')",
        "for word in ('a'):rep(1000):gmatch('a*b') do end",
        "('a'):rep(1000):gsub('a*b', '')",
        "('a'):rep(2000):find(('a'):rep(1000) .. 'b', 1, true)",
    ] {
        let fault = message_of(body);
        let is_over =
            fault.contains("one call takes more than 100000 instructions") || fault.contains("stack overflow");
        assert!(is_over, "{body}: {fault}");
    }
    assert_eq!(
        message_of("local n = 0\nwhile n < 1000000 do\nn = n + 1\nend"),
        "task.lua:4:1: moves: one call takes more than 100000 instructions (at the position x) [bad-script] (is there \
         a loop without an end? If it needs that many, allow more with `max-instructions` in [rules])"
    );
}

#[test]
fn the_limit_is_that_of_one_call() {
    let limits = Options { max_instructions: 20_000, ..Options::default() };
    let script = COUNTDOWN.replace("local result = {}", "local result = {} for i = 1, 3000 do end");
    let puzzle = loaded_with(&script, "300", limits).unwrap();
    assert_eq!(map(&puzzle).n_states(), 301);
}

#[test]
fn memory_ends() {
    let limits = Options { max_memory_mb: 8, ..Options::default() };
    for body in [
        "local t = {} for i = 1, 1e9 do t[i] = {} end",
        "local t = {} for i = 1, 100 do t[i] = ('x'):rep(1000000) end return table.concat(t)",
        "local t = {} for i = 1, 100 do t[i] = ('x'):rep(1000000) .. i end",
        // Held by Lua once, and by plymap as often as the answer names it.
        "local s, t = ('x'):rep(1000000), {} for i = 1, 100 do t['m' .. i] = s end return t",
        "local s, t = ('x'):rep(1000000), {} for i = 1, 100 do t[i] = {'m' .. i, s} end return t",
    ] {
        let faults = loaded_with(&with_moves(body), "x", limits.clone()).map(|_| ()).expect_err(body);
        let message = faults[0].to_string();
        assert!(message.contains("moves: the script needs more than 8 MB of memory"), "{body}: {message}");
        assert!(message.contains("`max-memory-mb` in [rules]"), "{message}");
    }
    // What one call lets go of is there for the next.
    let script = COUNTDOWN.replace(
        "local result = {}",
        "local t = {} for i = 1, 5 do t[i] = ('x'):rep(1000000 + i) end local result = {}",
    );
    assert_eq!(map(&loaded_with(&script, "50", limits).unwrap()).n_states(), 51);
}

#[test]
fn texts_have_a_longest() {
    for (body, expected) in [
        ("return ('x'):rep(1 << 30)", "string.rep makes a text of 1073741824 bytes; a text has at most 1048576"),
        ("return ('x'):rep(1 << 20, 'y')", "string.rep makes a text of 2097151 bytes"),
        ("return ('x'):rep(1 << 62)", "string.rep makes a text of 4611686018427387904 bytes"),
        (
            "local s = 'x' for i = 1, 21 do s = s .. s end",
            "`..` makes a text of 2097152 bytes; a text has at most 1048576",
        ),
        ("local s = ('x'):rep(1 << 20) return s .. 1", "`..` makes a text of 1048577 bytes"),
        ("local s = ('x'):rep(1 << 19) return 'y' .. s .. s", "`..` makes a text of 1048577 bytes"),
        ("return ('x'):rep(10000):gsub('x', ('y'):rep(1000))", "string.gsub makes a text of 10000000 bytes"),
        ("local s = ('x'):rep(1 << 20) return ('%s'):format(s .. '', s) .. s", "`..` makes a text of 2097152 bytes"),
        ("local s = ('x'):rep(1 << 20) return ('%s%s'):format(s, s)", "string.format makes a text of 2097152 bytes"),
        (
            "local t = {} for i = 1, 3 do t[i] = ('x'):rep(1 << 19) end return table.concat(t)",
            "table.concat makes a text",
        ),
        ("local t = {} for i = 1, 3 do t[i] = ('x'):rep(1 << 19) end error(t)", "has more than 1048576 bytes of text"),
        (
            "local s = ('x'):rep(600000) return { a = {s, s} }",
            "the state after \"a\" has more than 1048576 bytes of text",
        ),
        ("local s = ('x'):rep(600000) return { a = {[s] = 1, {[s] = 1}} }", "has more than 1048576 bytes of text"),
    ] {
        let fault = fault_of(body);
        assert!(fault.contains(expected), "{body}: {fault}");
        // Lua forgets the place of a call that a function ends with.
        assert!(fault.starts_with("task.lua:2:1: ") || body.contains("return"), "{body}: {fault}");
    }
    for body in ["#('x'):rep(1 << 20)", "#(('x'):rep((1 << 20) - 1) .. 'y')", "#('%s'):format(('x'):rep(1 << 20))"] {
        assert_eq!(result_of(&format!("return {body}")), "1048576", "{body}");
    }
    let error = fault(COUNTDOWN, &"3".repeat((1 << 20) + 1));
    assert!(error.contains("the level has 1048577 bytes, and a script gets at most 1048576 [bad-level]"), "{error}");
}

/// Ways to work on a long text `s`, each with few instructions.
const ON_LONG_TEXTS: [&str; 24] = [
    "for i = 1, 300 do local t = s .. 'y' end",
    "for i = 1, 300 do local t = ('xx'):rep(500000) end",
    "for i = 1, 300 do local t = s:rep(2, s) end",
    "for i = 1, 300 do local t = s:sub(2) end",
    "for i = 1, 300 do local t = ('%s'):format(s) end",
    "for i = 1, 300 do local t = s:format() end",
    "for i = 1, 300 do local t = s:reverse() end",
    "for i = 1, 300 do local t = s:upper():lower() end",
    "for i = 1, 300 do local t = {} t[s .. 'y'] = 1 end",
    "for i = 1, 300 do local t = {} t[s:sub(2)] = 1 end",
    "for i = 1, 300 do local t = s:byte(1, 100000) end",
    "for i = 1, 300 do local t = table.concat({s, s}) end",
    "for i = 1, 300 do local t = tostring({s}) end",
    "for i = 1, 300 do local t = s:gsub('^x', 'y') end",
    "local t = s:find('^x*y')",
    "local t = s:find('y', 1, true)",
    "for w in s:gmatch('x+') do end",
    "for i = 1, 300 do lines(s) words(s) end",
    "for i = 1, 300 do local t = utf8.len(s) end",
    "local a, b = s .. 'y', s .. 'y' for i = 1, 150000 do local same = a == b end",
    "local a, b, t = s .. 'y', s .. 'y', {} t[a] = 1 for i = 1, 150000 do local there = t[b] end",
    // A step of a pattern that holds on to a long part, and one of a long pattern.
    "local t = s:sub(1, 20000):match('^(x*)%1y')",
    "local p = '^[' .. ('x'):rep(10000) .. ']*y' local t = s:sub(1, 10000):match(p)",
    "local p = '^[' .. ('x'):rep(10000) .. ']*y' local t = s:sub(1, 10000):gsub(p, '')",
];

/// With each instruction and each step counted once, none of them would come near the limit.
#[test]
fn work_on_long_texts_counts_by_their_bytes() {
    for body in ON_LONG_TEXTS {
        let limits = Options { max_instructions: 1_000_000, ..Options::default() };
        let script = with_moves(&format!("local s = ('x'):rep(300000) {body}"));
        let begun = std::time::Instant::now();
        let message = loaded_with(&script, "x", limits).map(|_| ()).expect_err(body)[0].to_string();
        assert!(message.contains("one call takes more than 1000000 instructions"), "{body}: {message}");
        assert!(message.contains("long texts count by their bytes"), "{body}: {message}");
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{body}: {:?}", begun.elapsed());
    }
}

#[test]
fn long_lists_count_too() {
    for body in [
        "local t = {} for i = 1, 100000 do t[i] = i end for i = 1, 300 do table.insert(t, 1, 0) table.remove(t, 1) end",
        "local t = {} for i = 1, 100000 do t[i] = i end for i = 1, 600 do table.move(t, 1, 99999, 2) end",
        "local t = {} for i = 1, 100000 do t[i] = i end for i = 1, 600 do local n = select('#', table.unpack(t)) end",
        "local t = {} for i = 1, 100000 do t[i] = '' end for i = 1, 600 do table.concat(t) end",
    ] {
        let limits = Options { max_instructions: 3_000_000, ..Options::default() };
        let begun = std::time::Instant::now();
        let message = loaded_with(&with_moves(body), "x", limits).map(|_| ()).expect_err(body)[0].to_string();
        assert!(message.contains("one call takes more than 3000000 instructions"), "{body}: {message}");
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{body}: {:?}", begun.elapsed());
    }
}

/// The least limit with which a script is accepted.
fn least_limit(script: &str) -> u64 {
    let is_accepted = |max_instructions| {
        let limits = Options { max_instructions, ..Options::default() };
        match loaded_with(script, "x", limits) {
            Ok(_) => true,
            Err(faults) => {
                assert!(faults[0].message.contains("one call takes more than"), "{}", faults[0]);
                false
            }
        }
    };
    let (mut refused, mut accepted) = (0, 20_000_000);
    assert!(is_accepted(accepted), "{script}");
    while accepted - refused > 1 {
        let middle = (refused + accepted) / 2;
        *if is_accepted(middle) { &mut accepted } else { &mut refused } = middle;
    }
    accepted
}

#[test]
fn the_same_scripts_are_accepted_in_every_run_and_thread() {
    let bodies = [
        "for i = 1, 5 do local t = {} t[s .. i] = 1 end",
        "for i = 1, 5 do local t = s:sub(i):reverse() .. i end",
        "for i = 1, 5 do local a, b = s .. i, s .. i while a ~= b do end end",
        "for i = 1, 5 do local t = s:gsub('x', i, 3) end",
        "local t = {} for i = 1, 3000 do t['k' .. i % 70] = i % 7 > 0 and i or nil end",
    ];
    let script = |body: &str| with_moves(&format!("local s = ('x'):rep(100000) {body} return {{ a = 'end' }}"));
    for body in bodies {
        let script = script(body);
        let expected = least_limit(&script);
        assert!(expected > 1000, "{expected}");
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| least_limit(&script))).collect();
            for thread in threads {
                assert_eq!(thread.join().unwrap(), expected, "{body}");
            }
        });
    }
}

/// Many scripts side by side wait for each other where they need much memory, and all come to their end.
#[test]
fn scripts_that_need_much_memory_take_turns() {
    let script = COUNTDOWN.replace(
        "local result = {}",
        "local t = {} for i = 1, 6 do t[i] = ('x'):rep(1000000 + i) end for i = 1, 20000 do end local result = {}",
    );
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let limits = Options { max_memory_mb: 16, ..Options::default() };
                assert_eq!(map(&loaded_with(&script, "9", limits).unwrap()).n_states(), 10);
            });
        }
    });
}

#[test]
fn joined_texts_are_what_they_were() {
    for (body, expected) in [
        ("local a, n = 'x', 3 return a .. n .. 1.5 .. -n", "x31.5-3"),
        ("local t = {a = 'x'} return t.a .. ('y'):rep(2) .. #t.a == 'xyy1'", "true"),
        ("local function f(...) return ... .. 'y' end return f('x', 'z')", "xy"),
        ("return 1 + 2 .. 3 == '33'", "true"),
    ] {
        assert_eq!(result_of(body), expected, "{body}");
    }
    let message = fault_of("local a = {}\nreturn 'x' .. a.b.c");
    assert!(message.starts_with("task.lua:3:1: moves: attempt to index a nil value (field 'b')"), "{message}");
    let message = fault_of("local a = {}\nlocal s = 'x' .. a.b");
    assert!(message.starts_with("task.lua:3:1: moves: attempt to concatenate a nil value (field 'b')"), "{message}");
    let message = fault_of("local a\nlocal s = a .. 'x' .. 'y'");
    assert!(message.starts_with("task.lua:3:1: moves: attempt to concatenate a nil value (local 'a')"), "{message}");
    let message = fault("local plymap_joined = 1 return {}", "x");
    assert!(message.contains("the script uses the name `plymap_joined`, which plymap needs itself"), "{message}");
}

/// In the program the longest list has ten million entries.
#[test]
fn lists_have_a_longest() {
    let listed = |n: u64, body: &str| format!("local t = {{}} for i = 1, {n} do t[i] = i end {body}");
    for body in ["table.insert(t, 1, 1)", "table.remove(t, 1)", "table.sort(t)"] {
        let message = fault_of(&listed(LONGEST_LIST + 1, body));
        assert!(message.contains(&format!("takes lists of at most {LONGEST_LIST} entries")), "{body}: {message}");
    }
    let message = fault_of(&listed(LONGEST_LIST + 1, "table.move(t, 1, #t, 2)"));
    assert!(message.contains(&format!("table.move moves at most {LONGEST_LIST} entries")), "{message}");
    let whole = listed(LONGEST_LIST, "table.move(t, 1, #t, 1) table.remove(t) table.insert(t, 1) return #t");
    assert_eq!(result_of(&whole), LONGEST_LIST.to_string());
    assert_eq!(result_of("return #(''):rep(1 << 60)"), "0");
}

#[test]
fn recursion_without_an_end_is_explained() {
    let message = fault_of("local function f(n) return 1 + f(n) end\nreturn f(1)");
    assert!(
        message.starts_with("task.lua:2:1: moves: too many functions have called each other (stack overflow)"),
        "{message}"
    );
    let deep = format!("return {}1{}", "(".repeat(5000), ")".repeat(5000));
    assert!(
        fault_of(&deep).contains("C stack overflow") || fault_of(&deep).contains("too many"),
        "{}",
        fault_of(&deep)
    );
}

// Results do not depend on how Lua stores tables, on addresses, time or chance.

#[test]
fn tables_are_walked_in_the_order_of_their_keys() {
    let build = "local t = {} for _, k in ipairs({'z', 10, 'a', 9, -1, 2.5, 'm', true, false, 'B'}) do t[k] = 1 end ";
    let walk = "local s = '' for k in pairs(t) do s = s .. tostring(k) .. ' ' end return s:sub(1, -2)";
    let expected = "-1 2.5 9 10 B a m z false true";
    assert_eq!(result_of(&format!("{build}{walk}")), expected);
    assert_eq!(result_of(&format!("{build}{}", walk.replace("pairs", "sorted"))), expected);
    let by_next =
        "local s, k = '', next(t) while k ~= nil do s = s .. tostring(k) .. ' ' k = next(t, k) end return s:sub(1, -2)";
    assert_eq!(result_of(&format!("{build}{by_next}")), expected);
    assert_eq!(
        result_of(
            "local t = {a = 1, b = 2, c = 3} for k in pairs(t) do t[k] = nil t.c = nil end return next(t) == nil"
        ),
        "true"
    );
    assert!(fault_of("for k in pairs({[{}] = 1}) do end").contains("a key is a table, and such keys have no order"));
}

#[test]
fn nothing_shows_an_address() {
    assert_eq!(result_of("return tostring({b = 1, a = {2, 3}})"), "{a={2 3} b=1}");
    assert_eq!(
        result_of("return tostring(moves) .. string.format('%s %5s|%q', {1}, print, 'x')"),
        "function{1} function|\"x\""
    );
    assert!(fault_of("return string.format('%%%5p', {})").contains("%p shows an address"));
    assert!(fault_of("error({x = 1})").contains("moves: {x=1} (at the position x)"));
}

#[test]
fn sorting_is_stable() {
    let body = "local t = {} for i = 1, 500 do t[i] = {i % 7, i} end
        table.sort(t, function(a, b) return a[1] < b[1] end)
        for i = 2, 500 do
          local a, b = t[i - 1], t[i]
          if a[1] > b[1] or (a[1] == b[1] and a[2] > b[2]) then return i end
        end
        return 'stable'";
    assert_eq!(result_of(body), "stable");
    assert_eq!(result_of("local t = {3, 1, 2} table.sort(t) return tostring(t)"), "{1 2 3}");
    assert_eq!(
        result_of("local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return tostring(t)"),
        "{3 2 1}"
    );
    assert_eq!(result_of("local t = {} table.sort(t) return tostring(t)"), "{}");
    assert!(fault_of("local t = {1, 'a'}\ntable.sort(t)").starts_with("task.lua:3:1: moves: attempt to compare"));
}

#[test]
fn a_table_is_the_same_state_in_whatever_order_it_was_built() {
    let script = with_moves(
        "if state.n then return {} end
         local one, two = {n = 1, x = {5, 6}}, {}
         two.x = {[2] = 6} two.x[1] = 5 two.n = 1.0
         return { one = one, two = two }",
    )
    .replace("return level.text", "return {s = level.text}");
    let puzzle = loaded(&script, "x").unwrap();
    assert_eq!(map(&puzzle).n_states(), 2);
    assert_eq!(graph(&puzzle)[1].0, "{n=1 x={5 6}}");
}

#[test]
fn a_state_cannot_be_changed_from_outside() {
    // Both functions spoil the table that they get; the next call gets a fresh one.
    let script = "return { start = function() return {1} end,
        goal = function(s) s[1] = 7 return false end,
        moves = function(s) local n = s[1] s[1] = 9 return n < 3 and { next = {n + 1} } or {} end }";
    assert_eq!(map(&loaded(script, "x").unwrap()).n_states(), 3);
}

#[test]
fn runs_and_threads_give_the_same_codes() {
    let script = shipped("water_jugs.lua");
    let level = "capacities: 21 127 3\ngoal: - 100 -\ntap: yes";
    let codes = |puzzle: &Scripted| {
        let map = map(puzzle);
        (0..map.n_states() as u32).map(|node| map.code(node)).collect::<Vec<StateCode>>()
    };
    let expected = codes(&loaded(&script, level).unwrap());
    assert_eq!(expected.len(), 6224);
    let shared = loaded(&script, level).unwrap();
    std::thread::scope(|scope| {
        let walk = |backwards: bool| {
            // Each thread meets the states in an order of its own.
            let (mut queue, mut moves) = (vec![shared.start()], Vec::new());
            let mut visited = std::collections::HashSet::new();
            while let Some(state) = queue.pop() {
                moves.clear();
                shared.legal_moves(state, &mut moves);
                if backwards {
                    moves.reverse();
                }
                let after = moves.iter().map(|&action| shared.play(state, action).unwrap());
                queue.extend(after.filter(|&after| visited.insert(after)).collect::<Vec<_>>());
            }
            assert_eq!(visited.len(), 6224);
        };
        scope.spawn(move || walk(false));
        scope.spawn(move || walk(true));
        scope.spawn(|| assert_eq!(codes(&shared), expected));
    });
    assert_eq!(codes(&shared), expected);
}

#[test]
fn the_script_is_asked_once_for_each_state() {
    // It fails when it is asked about the same state again: the two questions at loading aside.
    let script = "local asked = {}
        return { start = function() return 3 end, goal = function(n) return n == 0 end,
          moves = function(n)
            asked[n] = (asked[n] or 0) + 1
            if asked[n] > (n == 3 and 3 or 1) then error('asked again') end
            return n > 0 and { down = n - 1 } or {}
          end }";
    let puzzle = loaded(script, "x").unwrap();
    assert_eq!(map(&puzzle).n_states(), 4);
    assert_eq!(map(&puzzle).n_states(), 4);
    assert_eq!(puzzle.play(puzzle.start(), 0).map(|state| puzzle.format_state(state)), Ok("2".to_owned()));
    assert_eq!(puzzle.script_error(), None);
}

#[test]
fn a_script_that_changes_its_mind_is_found() {
    let script = "local n = 0
        return { start = function() return 1 end, goal = function() return false end,
          moves = function(state) n = n + 1 return { up = n } end }";
    assert!(fault(script, "x").contains("moves: it gives different answers to the same question"));
}

// Errors.

#[test]
fn what_a_script_returns_is_checked() {
    for (script, expected) in [
        ("", "the script returns nothing (nil), and has to return a table [bad-script] (end it with: return { start"),
        ("return 7", "the script returns a number"),
        ("return {", "unexpected symbol near <eof>"),
        ("x = = 1", "task.lua:1:1: unexpected symbol near '='"),
        ("local x = nil\nlocal y = x.z", "task.lua:2:1: attempt to index a nil value (local 'x')"),
    ] {
        let fault = fault(script, "x");
        assert!(fault.starts_with("task.lua:") && fault.contains(expected), "{script}: {fault}");
    }
}

#[test]
fn all_faults_of_the_table_are_reported_at_once() {
    let script = "return { start = 7, goal = function() end, format = function() end, heuristik = 1,
        settings = { a = true, B = '' } }";
    let faults = loaded(script, "x").map(|_| ()).unwrap_err();
    let messages: Vec<String> = faults.iter().map(|fault| fault.message.clone()).collect();
    assert_eq!(
        messages,
        [
            "`start` of the script's table is a number, and has to be a function",
            "the script has `format` and no `parse`, so that positions could be written and not read back",
            "the script's table has an entry `heuristik`, which means nothing here",
            "the script's table has no function `moves`",
            "the setting `B` could not be written in a level",
            "the entry `a` of `settings` is no name with text or a number",
        ]
    );
}

#[test]
fn wrong_answers_are_named() {
    for (body, expected) in [
        ("", "task.lua:1:1: moves: it returns nothing (nil), and has to return a table"),
        ("return 'up'", "moves: it returns text, and has to return a table"),
        ("return { up = 7 }", "moves: the state after \"up\" is a number, and the start is text"),
        ("return { up = moves }", "moves: the state after \"up\" is a function"),
        ("return { up = {} }", "moves: the state after \"up\" is a table, and the start is text"),
        ("return { {'up'} }", "moves: entry 1 of the list that it returns has no state"),
        ("return { {'up', 'a', 'b'} }", "moves: entry 1 of the list that it returns has 3 parts"),
        ("return { {'up', 'a'}, 'b' }", "moves: entry 2 of the list that it returns is text"),
        ("return { {{}, 'a'} }", "moves: entry 1 of the list that it returns has a table as its move"),
        ("return { {'up', 'a'}, {'up', 'b'} }", "moves: it returns the move \"up\" twice"),
        ("return { [3] = 'a' }", "moves: the table that it returns has keys that are no text, and is no list"),
        ("return { [' up'] = 'a' }", "moves: the move \" up\" has blanks around it"),
        ("return { [''] = 'a' }", "moves: the move \"\" is empty"),
        ("return { ['a\\nb'] = 'a' }", "has a line end"),
        (
            "local t = {} for i = 1, 70000 do t['m' .. i] = 'end' end return t",
            "moves: it returns more than 65535 moves",
        ),
        ("return { a = '\\xff' }", "the state after \"a\" holds bytes that are no text in UTF-8"),
    ] {
        let fault = fault_of(body);
        assert!(fault.contains(expected) && fault.contains("(at the position x)"), "{body}: {fault}");
    }
    let lists =
        with_moves("return { {'m10', 'a'}, {'m9', 'end'}, {7, 'b'} }").replace("{'m10', 'a'}", "{'m10', 'end'}");
    let puzzle = loaded(&lists.replace("'b'", "'end'"), "x").unwrap();
    let notations: Vec<String> = (0..3).map(|number| puzzle.format_move(puzzle.start(), number)).collect();
    assert_eq!(notations, ["7", "m9", "m10"]);
}

#[test]
fn one_table_for_two_moves_is_refused() {
    let script = "return { start = function() return {1} end, goal = function() return false end,
        moves = function(s) local after = {2} 
          local result = { up = after } after[1] = 3 result.down = after return result end }";
    let message = fault(script, "x");
    assert!(message.contains("the moves \"down\" and \"up\" lead to one and the same table"), "{message}");
    assert!(message.contains("Give each move a table of its own: copy(state)"), "{message}");
}

#[test]
fn wrong_answers_of_other_functions_are_named() {
    let with = |part: &str| COUNTDOWN.replace("moves = moves", &format!("moves = moves, {part}"));
    let goal = |body: &str| COUNTDOWN.replace("return n == 0", body);
    for (script, expected) in [
        (goal("local _ = n"), "goal: it returns nothing (nil), and has to return true or false (at the position 3)"),
        (goal("return 1"), "goal: it returns a number, and has to return true or false"),
        (goal("return n.x.y"), "task.lua:8:1: goal: attempt to index a number value (local 'n') (at the position 3)"),
        (with("heuristic = function() return 'far' end"), "heuristic: it returns text, and has to return a number"),
        (with("heuristic = function() return -1 end"), "heuristic: it returns -1, and has to return a number of moves"),
        (with("draw = function() return 5 end"), "draw: it returns 5, and has to return text"),
        (with("draw = function() return moves end"), "draw: the drawing is a function"),
        (
            with("format = function() return 'a\\nb' end, parse = tonumber"),
            "format: it returns \"a\\nb\", and has to return text on one line",
        ),
        (
            with("format = tostring, parse = function() end"),
            "parse: it returns nothing (nil), and has to return a state, or nil and a reason",
        ),
        (COUNTDOWN.replace("tonumber(level.text)", "nil"), "start: it returns nothing (nil)"),
        (COUNTDOWN.replace("tonumber(level.text)", "true"), "start: it returns a truth value as the start"),
        (
            COUNTDOWN.replace("tonumber(level.text)", "level.txet.x"),
            "task.lua:8:1: start: attempt to index a nil value (field 'txet'), as it read the level at levels.txt:1",
        ),
    ] {
        let told_indeed = fault(&script, "3");
        assert!(told_indeed.contains(expected), "{expected}: {told_indeed}");
    }
}

#[test]
fn a_level_is_refused_with_the_reason_of_the_script() {
    let script = COUNTDOWN.replace("return tonumber(level.text)", "return nil, 'write one number'");
    assert_eq!(fault(&script, "# a\nten"), "levels.txt:1:1: write one number [bad-level]");
}

#[test]
fn an_error_deep_in_the_map_ends_it() {
    let script = COUNTDOWN.replace("local result = {}", "local result = {}\nif n == 2 then error('no twos') end");
    let puzzle = loaded(&script, "5").unwrap();
    let message = "task.lua:4: moves: no twos (at the position 2)";
    match enumerate(&puzzle, &MapOptions::default()) {
        Err(MapError::Rules(reason)) => assert_eq!(reason, message),
        other => panic!("{other:?}"),
    }
    assert_eq!(puzzle.script_error(), Some(message.to_owned()));
    // A log that comes there is told the same.
    let three = puzzle.parse_state("3").unwrap();
    let two = puzzle.play(three, 0).unwrap();
    assert_eq!(puzzle.play(two, 0), Err(message.to_owned()));
    assert_eq!(
        puzzle.parse_move(two, "minus 1").unwrap_err().to_string(),
        format!("\"minus 1\" is not possible here: {message}")
    );
}

#[test]
fn too_many_positions_end_the_map() {
    let limits = Options { max_positions: 100, ..Options::default() };
    let puzzle = loaded_with(COUNTDOWN, "1000", limits).unwrap();
    match enumerate(&puzzle, &MapOptions::default()) {
        Err(MapError::Rules(reason)) => {
            assert!(
                reason.starts_with("task.lua: moves: the level has more than 100 states: allow more with"),
                "{reason}"
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn globals_may_be_set_in_start() {
    let script = "function start(level) width = #level.rows[1] return width end
        function goal(n) return n == width end
        function moves(n) return {} end
        return { start = start, goal = goal, moves = moves }";
    assert!(loaded(script, "abc").is_ok());
}

#[test]
fn helpers_do_what_they_say() {
    for (body, expected) in [
        ("return tostring(lines('a\\nb\\n\\nc'))", "{a b '' c}"),
        ("return tostring(words(' a  b '))", "{a b}"),
        ("return tostring(numbers('8 5, 3;2.5'))", "{8 5 3 2.5}"),
        ("return tostring(characters('aäb'))", "{a ä b}"),
        ("local t = {1, {2}} local c = copy(t) c[2][1] = 3 return tostring(t) .. tostring(c)", "{1 {2}}{1 {3}}"),
        ("return tostring(assert({1}))", "{1}"),
        ("return select('#', table.unpack({1, 2}))", "2"),
    ] {
        assert_eq!(result_of(body), expected, "{body}");
    }
    assert!(fault_of("numbers('8 x')").contains("numbers: \"x\" is not a number"));
    assert!(fault_of("words(nil)").contains("words takes a string, and got nil"));
    assert!(fault_of("assert(1 == 2, 'not equal')").contains("task.lua:2:1: moves: not equal"));
}

#[test]
fn pattern_functions_work_as_in_lua() {
    let plain = mlua::Lua::new();
    for expression in [
        "('hello world'):gsub('o', '0')",
        "('hello'):gsub('', '-')",
        "('abc'):gsub('%w', '%0%0')",
        "('a=1, b=2'):gsub('(%w)=(%w)', '%2=%1')",
        "('hello'):gsub('l', {l = 'L'})",
        "('hello'):gsub('[el]', function(c) if c == 'e' then return 'E' end end)",
        "('aaa'):gsub('a', 'b', 2)",
        "('abc'):gsub('^a', 'x')",
        "('aaa'):gsub('^a', 'x')",
        "('100%'):gsub('%%', '%%%%')",
        "('abc'):gsub('b*', '-')",
        "('key = value'):match('^(%w+)%s*=%s*(%w+)$')",
        "('2024-05'):match('(%d+)-(%d+)')",
        "('abc'):match('b')",
        "('abc'):match('()b()')",
        "('abc'):find('b', 1, true)",
        "('a.c'):find('.', 1, true)",
        "('abc'):find('(b)(c)')",
        "('abc'):find('x')",
        "('abc'):find('', 10)",
        "('abc'):find('', 4)",
        "('abc'):match('.', -1)",
        "(function() local s = '' for w in ('one two  three'):gmatch('%a+') do s = s .. w .. '|' end return s end)()",
        "(function() local s = '' for k, v in ('a=1,b=2'):gmatch('(%w)=(%w)') do s = s .. k .. v end return s end)()",
        "(function() local s = '' for p in ('abc'):gmatch('()') do s = s .. p end return s end)()",
        "(function() local s = '' for w in ('^a^b'):gmatch('^a') do s = s .. w end return s end)()",
        "(function() local s = '' for w in ('aabb'):gmatch('a*') do s = s .. '<' .. w .. '>' end return s end)()",
    ] {
        let all = format!(
            "(function(...) local s = '' for i = 1, select('#', ...) do s = s .. tostring((select(i, ...))) .. ';' end
            return s end)({expression})"
        );
        let expected: String = plain.load(format!("return {all}")).eval().unwrap();
        assert_eq!(result_of(&format!("return {all}")), expected, "{expression}");
    }
}

#[test]
fn options_are_checked() {
    let check = |change: fn(&mut Options)| {
        let mut options = Options { script: "a.lua".to_owned(), ..Options::default() };
        change(&mut options);
        options.check()
    };
    assert_eq!(check(|_| ()), Ok(()));
    assert!(check(|options| options.script.clear()).unwrap_err().contains("`script` is missing"));
    assert!(check(|options| options.max_instructions = 10).unwrap_err().contains("`max-instructions` is 10"));
    let options = Options { settings: [("top".to_owned(), "yes".to_owned())].into(), ..Options::default() };
    let faults = loaded_with(&shipped("water_jugs.lua"), "capacities: 5 3\ngoal: 4", options).map(|_| ()).unwrap_err();
    assert_eq!(faults[0].message, "`settings` in [rules] has an entry \"top\" that is no setting of the script");
}

#[test]
fn the_registry_finds_the_script_beside_the_study() {
    let game = Game::named("lua").unwrap();
    let folder = project().join("data/lua");
    let table: toml::Table = "script = 'water_jugs.lua'\nsettings = { tap = 'yes' }".parse().unwrap();
    let options = RuleOptions { table, folder: folder.clone() };
    assert!((game.check_options)(&options).is_ok());
    assert_eq!((game.files)(&options), [folder.join("water_jugs.lua")]);
    let settings = (game.settings)(&options);
    assert!(settings.contains(&("script".to_owned(), "water_jugs.lua".to_owned())), "{settings:?}");
    assert!(settings.contains(&("settings".to_owned(), "tap = yes".to_owned())), "{settings:?}");
    let text = "capacities: 5 3\ngoal: 4";
    let source = Arc::new(SourceText { path: "levels.txt".into(), text: text.to_owned() });
    let level = LevelText { text, source: &source, span: 0..text.len() };
    assert_eq!((game.load)(&level, &options).unwrap().map(&MapOptions::default()).unwrap().n_states(), 16);
    let missing = RuleOptions { folder: "nowhere".into(), ..options };
    let faults = (game.load)(&level, &missing).map(|_| ()).unwrap_err();
    assert_eq!(faults[0].code, "unreadable-script");
    assert!(faults[0].message.starts_with("cannot read the script nowhere/water_jugs.lua: "), "{}", faults[0].message);
    let none = RuleOptions::default();
    assert!((game.check_options)(&none).unwrap_err().to_string().contains("`script` is missing"));
    assert!((game.files)(&none).is_empty());
}
