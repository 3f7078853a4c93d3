//! Players on a corridor, where every move can be judged by hand.

use super::session::draw;
use super::*;
use plymap_log::Event;
use plymap_puzzles::diagnostic::SourceText;
use plymap_puzzles::game::LevelText;
use plymap_puzzles::game::scripted::{Options, Scripted};
use plymap_puzzles::level::LevelSource;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel};
use std::sync::Arc;

/// A corridor of five cells: the goal is cell 0, `-` and `+` walk.
const CORRIDOR: &str = "return {
  start = function(level) return { cell = tonumber(level.rows[1]) } end,
  goal = function(state) return state.cell == 0 end,
  moves = function(state)
    local result = {}
    if state.cell > 0 then result['-'] = { cell = state.cell - 1 } end
    if state.cell < 4 then result['+'] = { cell = state.cell + 1 } end
    return result
  end,
}";

fn corridor(id: &str, start: u32) -> ValuedLevel {
    let (text, script) = (start.to_string(), CORRIDOR.to_owned());
    let source = Arc::new(SourceText { path: "levels.txt".into(), text: text.clone() });
    let script = Arc::new(SourceText { path: "corridor.lua".into(), text: script });
    let span = 0..text.len();
    let level = LevelText { text: &text, source: &source, span: span.clone() };
    let rules = Scripted::load(&level, &script, &Options::default()).unwrap_or_else(|faults| panic!("{}", faults[0]));
    let (id, text, extra) = (id.to_owned(), text.clone(), Vec::new());
    let origin = LevelSource { id, source: source.clone(), span, text, column: None, extra };
    let rules = std::sync::Arc::new(rules);
    let level = LoadedLevel { origin, properties: Vec::new(), remarks: Vec::new(), rules };
    ValuedLevel::new(level, "lua", &Default::default()).expect("five states")
}

fn play<P: Policy>(player: &Player<P>, start: u32, seed: u64) -> PlayedTrial {
    player.play(&corridor("corridor", start), seed, &Silent).expect("a trial")
}

fn player(lapse: f64, persistence: Persistence) -> Player {
    let (participant, tempo) = ("p1".to_owned(), Tempo::steady(1.0, 0.5));
    Player { participant, condition: None, policy: LapseOptimal { lapse }, tempo, persistence }
}

fn actions(trial: &PlayedTrial) -> String {
    trial.rows.iter().map(|row| row.action.as_deref().unwrap_or(row.event.name())).collect()
}

#[test]
fn without_lapses_the_shortest_path_is_taken() {
    let trial = play(&player(0.0, Persistence::up_to(9)), 4, 1);
    assert_eq!((actions(&trial).as_str(), trial.is_solved), ("----", true));
    let indices: Vec<_> = trial.rows.iter().map(|row| row.move_index).collect();
    assert_eq!(indices, [Some(0), Some(1), Some(2), Some(3)]);
}

#[test]
fn a_player_gives_up_after_the_largest_number_of_moves() {
    let trial = play(&player(0.0, Persistence::up_to(3)), 4, 1);
    assert_eq!((actions(&trial).as_str(), trial.is_solved), ("---give_up", false));
    let at_once = play(&player(0.0, Persistence::up_to(4)), 0, 1);
    assert!(at_once.is_solved && at_once.rows.is_empty());
}

/// By chance alone, three steps towards the goal come before one away from it in one attempt of eight.
#[test]
fn resets_happen_astray_and_begin_a_new_attempt() {
    let persistence = Persistence { astray_by: 1, reset_chance: 1.0, max_moves: 1000 };
    let mut n_resets = 0;
    for seed in 0..20 {
        let trial = play(&player(1.0, persistence), 3, seed);
        let (mut cell, mut best, mut attempt) = (3, 3, 1);
        for row in &trial.rows {
            assert_eq!(row.event == Event::Reset, cell > best, "a reset exactly where the goal is farther");
            assert_eq!(row.attempt, attempt);
            match row.action.as_deref() {
                Some("+") => cell += 1,
                Some("-") => cell -= 1,
                Some(_) => {}
                None => (cell, best, attempt) = (3, 3, attempt + 1),
            }
            best = best.min(cell);
        }
        assert!(trial.is_solved);
        n_resets += attempt - 1;
    }
    assert!(n_resets > 20, "{n_resets}");
}

#[test]
fn choices_depend_on_seed_participant_and_level_and_not_on_tempo() {
    let play = |player: &Player, level: &str, seed| player.play(&corridor(level, 4), seed, &Silent).expect("a trial");
    let player_one = player(0.9, Persistence::up_to(500));
    let trial = play(&player_one, "corridor", 1);
    assert_eq!(play(&player_one, "corridor", 1), trial);
    let other = Player { participant: "p2".to_owned(), ..player_one.clone() };
    for different in [play(&player_one, "corridor", 2), play(&player_one, "hall", 1), play(&other, "corridor", 1)] {
        assert_ne!(actions(&different), actions(&trial));
    }
    let slow = Player { tempo: Tempo { median_time_s: 2.0, ..player_one.tempo }, ..player_one };
    let slowed = play(&slow, "corridor", 1);
    assert_eq!(actions(&slowed), actions(&trial));
    for (slow, quick) in slowed.rows.iter().zip(&trial.rows).skip(1) {
        assert!((slow.rt_s / quick.rt_s - 2.0).abs() < 1e-12);
    }
}

#[test]
fn what_cannot_be_is_said() {
    let refused = |player: Player| player.check().unwrap_err().to_string();
    let fine = player(0.5, Persistence::up_to(9));
    assert_eq!(
        refused(Player { policy: LapseOptimal { lapse: 1.5 }, ..fine.clone() }),
        "participant \"p1\": lapse = 1.5 is not from 0 to 1"
    );
    assert!(refused(Player { participant: " p1".to_owned(), ..fine.clone() }).contains("cannot be named \" p1\""));
    assert!(refused(Player { persistence: Persistence::up_to(0), ..fine.clone() }).contains("max_moves = 0"));
    let repeated = play_all::<_, ValuedLevel>(&[fine.clone(), fine], &[], 1, &Silent).unwrap_err();
    assert_eq!(repeated, PlayError::RepeatedName { name: "p1".to_owned() });
}

#[test]
fn a_draw_falls_to_alternatives_by_their_probability() {
    let quarters = [0.25, 0.0, 0.5, 0.25];
    let drawn = [0.0, 0.24, 0.25, 0.74, 0.75, 0.999].map(|uniform| draw(&quarters, uniform));
    assert_eq!(drawn, [Some(0), Some(0), Some(2), Some(2), Some(3), Some(3)]);
    assert_eq!(draw(&[1.0, 0.0], 1.0), Some(0), "never an impossible alternative");
    assert_eq!(draw(&[], 0.5), None);
}
