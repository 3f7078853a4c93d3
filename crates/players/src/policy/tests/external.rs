//! Policies that are programs, in Python where there is one.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::*;

/// Returns true if `python3` is here; a test that cannot run says so, past the harness that would hide it.
fn has_python() -> bool {
    let status = Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_here = status.is_ok_and(|status| status.success());
    if !is_here {
        let _ = writeln!(std::io::stderr(), "SKIPPED: there is no python3 to play as an external program");
    }
    is_here
}

fn external(command: &[&str]) -> External {
    let command = command.iter().map(|&part| part.to_owned()).collect();
    External { start_limit_s: 60.0, time_limit_s: 20.0, ..External::new(command, PathBuf::new()) }
}

fn python(body: &str) -> External {
    external(&["python3", "-c", &format!("import json, sys, time\n{body}")])
}

/// Plays the article's level until it is solved, or so many moves are made.
fn play(policy: &External, seed: u64, n_moves: u32) -> Result<(Vec<String>, bool), PolicyError> {
    let rules = rules("rush-hour", ARTICLE);
    let level_context = context("rush-hour", &*rules, None, seed);
    let mut policy_state = policy.start_level(&level_context)?;
    let mut state = rules.start();
    policy_state.begin_attempt(state)?;
    let (mut history, mut played) = (History::default(), Vec::new());
    while !rules.is_goal(state) && history.n_moves < n_moves {
        let moves = rules.legal_moves(state);
        let probabilities = policy_state.probabilities(&Situation::new(&level_context, state, &moves, &history))?;
        let chosen = probabilities.iter().position(|&probability| probability == 1.0).expect("a certain move");
        let legal = &moves[chosen];
        played.push(legal.notation.clone());
        let previous = Previous { state, piece: legal.piece, notation: legal.notation.clone() };
        history = History { previous: Some(previous), n_moves: history.n_moves + 1, cost: history.cost + 1 };
        state = legal.next;
    }
    let is_solved = rules.is_goal(state);
    policy_state.end(Ending { is_solved, cost: history.cost });
    Ok((played, is_solved))
}

fn disqualified(policy: &External) -> Disqualification {
    match play(policy, 1, 10) {
        Err(PolicyError::Disqualified { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_example_of_the_documentation_plays_by_its_seed() {
    if !has_python() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/player.py");
    let policy = external(&["python3", path.to_str().expect("a path in UTF-8")]);
    let first = play(&policy, 1, 300).expect("a trial");
    assert!(first.0.len() >= 8, "the level takes 8 moves: {first:?}");
    assert_eq!(play(&policy, 1, 300).expect("a trial"), first);
    assert_ne!(play(&policy, 2, 300).expect("a trial"), first);
}

#[test]
fn a_program_is_told_what_the_protocol_says() {
    if !has_python() {
        return;
    }
    let program = python(
        "start = json.loads(input())
assert start['type'] == 'start' and start['protocol'] == 1 and start['seed'] == 18446744073709551615, start
assert start['game'] == 'rush-hour' and start['level'] == 'one' and start['unit'] == 'moves', start
attempt = json.loads(input())
assert attempt['type'] == 'attempt' and attempt['number'] == 1, attempt
first = json.loads(input())
assert first['type'] == 'choose' and first['state'] == attempt['state'] and len(first['moves']) == 11, first
assert first['n_moves'] == 0 and first['previous'] is None and first['last_move'] is None, first
move = first['moves'][4]
assert move['cost'] == 1 and move['goal'] is False and isinstance(move['piece'], int), move
print(move['move'], flush=True)
second = json.loads(input())
assert second['state'] == move['after'] and second['previous'] == first['state'], second
assert second['n_moves'] == 1 and second['cost'] == 1 and second['last_move'] == move['move'], second
print(json.dumps(second['moves'][0]['move']), flush=True)
end = json.loads(input())
assert end == {'type': 'end', 'solved': False, 'cost': 2}, end",
    );
    assert_eq!(play(&program, u64::MAX, 2).expect("a trial").0.len(), 2);
}

#[test]
fn programs_that_break_the_protocol_are_disqualified() {
    if !has_python() {
        return;
    }
    let crash = disqualified(&python("input(); print('oh no', file=sys.stderr); print(file=sys.stderr); sys.exit(3)"));
    assert_eq!(crash, Disqualification::Ended { exit_code: Some(3), last_line: "oh no".to_owned() });
    assert_eq!(crash.to_string(), "it ended before it answered (exit code 3): oh no");

    let cheat = disqualified(&python("print('{\"move\": \"A+5\"}', flush=True); time.sleep(600)"));
    assert!(matches!(&cheat, Disqualification::Illegal { answer, .. } if answer == "A+5"), "{cheat}");

    let unreadable = disqualified(&python("print('[1]', flush=True); time.sleep(600)"));
    assert_eq!(unreadable, Disqualification::Unreadable { answer: "[1]\n".to_owned() });

    let slow = External { start_limit_s: 0.2, ..python("time.sleep(600)") };
    assert_eq!(disqualified(&slow), Disqualification::TooSlow { limit_s: 0.2 });
    // The first answer comes, the second does not.
    let body = "for line in sys.stdin:
  message = json.loads(line)
  if message['type'] == 'choose':
    if message['n_moves'] == 1: time.sleep(600)
    print(message['moves'][0]['move'], flush=True)";
    let slow_later = External { time_limit_s: 0.2, ..python(body) };
    assert_eq!(disqualified(&slow_later), Disqualification::TooSlow { limit_s: 0.2 });

    // One line without end, and lines without end.
    assert_eq!(disqualified(&python("while True: sys.stdout.write('x' * 65536)")), Disqualification::TooLong);
    let flood = disqualified(&python("while True: print('spam')"));
    assert!(matches!(&flood, Disqualification::Illegal { answer, .. } if answer == "spam"), "{flood}");
    // Standard error without end does not stand in the way of answers.
    let noisy = python(
        "import threading\nthreading.Thread(target=lambda: [sys.stderr.write('x' * 999) for _ in range(2000)]).start()
for line in sys.stdin:
  message = json.loads(line)
  if message['type'] == 'choose': print(message['moves'][0]['move'], flush=True)",
    );
    assert_eq!(play(&noisy, 1, 3).expect("a trial").0.len(), 3);
}

#[test]
fn a_program_that_is_disqualified_stays_so() {
    if !has_python() {
        return;
    }
    let article = rules("rush-hour", ARTICLE);
    let level_context = context("rush-hour", &*article, None, 1);
    let policy = python("print('spam', flush=True); print('B+1', flush=True); time.sleep(600)");
    let moves = article.legal_moves(article.start());
    let history = History::default();
    let mut policy_state = policy.start_level(&level_context).expect("a level that starts");
    let mut ask = || policy_state.probabilities(&Situation::new(&level_context, article.start(), &moves, &history));
    let first = ask();
    assert!(matches!(first, Err(PolicyError::Disqualified { .. })), "{first:?}");
    assert_eq!(ask(), first);
}

#[test]
fn a_program_that_is_not_there_is_told() {
    let reason = disqualified(&external(&["no-such-program-of-plymap"]));
    assert!(matches!(reason, Disqualification::NotStarted { .. }), "{reason}");
    let reason = disqualified(&external(&[]));
    assert!(matches!(reason, Disqualification::NotStarted { .. }), "{reason}");
}
