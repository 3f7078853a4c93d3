//! Policies in Lua.

use super::*;

fn scripted(text: &str) -> LuaPolicy {
    LuaPolicy::new(Arc::new(SourceText { path: "player.lua".into(), text: text.to_owned() }))
}

/// The answers of a script in a row, always at the start of the article's level.
fn answers(policy: &LuaPolicy, seed: u64, n_answers: usize) -> Result<Vec<Vec<f64>>, PolicyError> {
    let article = rules("rush-hour", ARTICLE);
    let level_context = context("rush-hour", &*article, None, seed);
    let moves = article.legal_moves(article.start());
    let mut policy_state = policy.start_level(&level_context)?;
    policy_state.begin_attempt(article.start())?;
    let history = History::default();
    let situation = Situation::new(&level_context, article.start(), &moves, &history);
    (0..n_answers).map(|_| policy_state.probabilities(&situation)).collect()
}

fn failure(body: &str) -> String {
    let text = format!("local function choose(state, moves, memory)\n{body}\nend\nreturn {{ choose = choose }}\n");
    answers(&scripted(&text), 1, 1).unwrap_err().to_string()
}

#[test]
fn an_answer_is_a_number_a_move_or_weights() {
    // Level 1 has 11 moves.
    let chosen = |body: &str| {
        let text = format!("return {{ choose = function(state, moves, memory) {body} end }}");
        answers(&scripted(&text), 1, 1).expect("an answer").swap_remove(0)
    };
    let only = |index: usize| certain(11, index);
    assert_eq!(chosen("return 1"), only(0));
    assert_eq!(chosen("return #moves"), only(10));
    assert_eq!(chosen("return moves[3].notation"), only(2));
    assert_close(&chosen("local w = {} for i = 1, #moves do w[i] = i end return w")[..2], &[1.0 / 66.0, 2.0 / 66.0]);
}

#[test]
fn a_script_sees_position_and_moves_and_keeps_a_memory() {
    let text = "local function choose(state, moves, memory)
  memory.n = (memory.n or 0) + 1
  assert(state.game == 'rush-hour' and state.level == 'one' and state.n_moves == 0 and state.cost == 0)
  assert(state.previous == nil and state.last_move == nil and memory.attempt == 1)
  assert(moves[1].after ~= state.text and moves[1].cost == 1 and moves[1].is_goal == false and moves[1].piece)
  return memory.n
end
return { choose = choose, begin = function(number, memory) memory.attempt = number end }";
    let choices = answers(&scripted(text), 1, 3).expect("answers");
    assert_eq!(choices, [certain(11, 0), certain(11, 1), certain(11, 2)]);
}

#[test]
fn chance_in_scripts_follows_from_the_seed() {
    let policy = scripted(SCRIPT);
    let first = answers(&policy, 7, 5).expect("answers");
    assert_eq!(answers(&policy, 7, 5).expect("answers"), first);
    assert_ne!(answers(&policy, 8, 5).expect("answers"), first);
    assert_ne!(first[0], first[1]);
    // As in Lua: whole numbers of a range, all of which come.
    let dice = scripted("return { choose = function() return math.random(3, 5) end }");
    let mut faces = [0; 11];
    for answer in answers(&dice, 1, 300).expect("answers") {
        faces[answer.iter().position(|&probability| probability == 1.0).expect("a move")] += 1;
    }
    // Three faces with an expected count of 100 and a standard deviation of 8.2 each.
    assert!(faces[2..5].iter().all(|count| (60..140).contains(count)), "{faces:?}");
    assert_eq!(faces[2..5].iter().sum::<i32>(), 300);
    // All whole numbers there are, and the empty range.
    let widest = "local n = math.random(math.mininteger, math.maxinteger) return n == math.random(0) and 1 or 2";
    assert_eq!(
        answers(&scripted(&format!("return {{ choose = function() {widest} end }}")), 1, 1),
        Ok(vec![certain(11, 1)])
    );
    assert!(failure("return math.random(2, 1)").contains("there is no number from 2 to 1"));
}

#[test]
fn faults_of_a_script_are_told_with_their_line() {
    let illegal = failure("  return 12");
    assert!(illegal.starts_with("player.lua:1:1: choose: it returns 12, and the moves are numbered from 1 to 11"));
    assert!(illegal.contains("(at the position "), "{illegal}");
    assert!(failure("return 'up'").contains("it returns \"up\", which is no legal move here"));
    assert!(failure("").contains("is a `return` missing"));
    assert!(failure("return { 1, 2 }").contains("a list of 2 weights for 11 moves"));
    let weights = |value: &str| format!("local w = {{}} for i = 1, #moves do w[i] = {value} end return w");
    assert!(failure(&weights("0")).contains("all weights of its list are 0"));
    assert!(failure(&weights("-1")).contains("weight 1 of its list is not a number from 0 up"));
    assert!(failure("\n  return moves.x.y").starts_with("player.lua:3:"));
    assert!(failure("os.exit()").contains("os.exit is not available"));
    assert!(failure("n = 1 return 1").contains("the global n is set outside of start"));
    let long = scripted("return { choose = function() for i = 1, 1000000 do end return 1 end }");
    let stopped = answers(&LuaPolicy { max_instructions: 10_000, ..long }, 1, 1).unwrap_err().to_string();
    assert!(stopped.contains("more than 10000 instructions") && stopped.contains("of the player"), "{stopped}");
    let error_of = |body: &str| {
        let script = scripted(&format!("return {{ choose = function() {body} end }}"));
        answers(&LuaPolicy { max_memory_mb: 4, ..script }, 1, 1).unwrap_err().to_string()
    };
    assert!(error_of("local t = {} for i = 1, 9 do t[i] = ('x'):rep(1e6) end").contains("more than 4 MB of memory"));
    assert!(error_of("return ('x'):rep(1e8)").contains("string.rep makes a text of 100000000 bytes"));
}

#[test]
fn a_script_that_is_no_policy_is_refused() {
    let refused = |text: &str| answers(&scripted(text), 1, 0).unwrap_err().to_string();
    assert!(refused("return 1").contains("has to return a table"));
    assert!(refused("return {}").contains("has no function `choose`"));
    assert!(refused("return { choose = 1 }").contains("`choose` of the script's table is a number"));
    assert!(refused("return { choose = function() end, chose = 1 }").contains("an entry `chose`"));
    assert!(refused("x = = 1").starts_with("player.lua:1:1:"));
}
