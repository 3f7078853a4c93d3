//! Readers of outside input in the member crates, each as a function of bytes that panics where it finds a fault.
//!
//! A driver guided by coverage (`tests/fuzz`) and a bounded test (`tests/it/fuzz.rs`) feed them.

use std::collections::HashSet;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plymap_expression::{Expression, ExpressionError, NumberStyle, Template, Value};
use plymap_puzzles::diagnostic::{Diagnostic, SourceText};
use plymap_puzzles::game::rush_hour::layout::Layout;
use plymap_puzzles::game::rush_hour::notation;
use plymap_puzzles::game::scripted::{Options, Scripted};
use plymap_puzzles::game::{LevelText, StateCode};
use plymap_puzzles::level::{LevelColumns, LevelError, levels_of_text, read_levels};
use plymap_puzzles::registry::{GAMES, Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::LoadedLevel;
use tempfile::TempDir;

/// A reader, by the name of its folder of inputs.
pub type Target = (&'static str, fn(&[u8]));

/// The targets of this file.
pub const TARGETS: [Target; 4] =
    [("expression", expression), ("level_file", level_file), ("level", level), ("script", script)];

/// An expression and a template, and behind NUL bytes the cells of the columns that they name.
pub fn expression(data: &[u8]) {
    let Some(parts) = texts(data) else { return };
    let (text, cells) = (parts[0], &parts[1..]);
    for decimal_comma in [false, true] {
        let numbers = NumberStyle { decimal_comma, thousands: decimal_comma.then_some('.') };
        let expression = match Expression::parse(text) {
            Ok(expression) => expression.with_numbers(numbers),
            Err(error) => return check_expression_error(&error),
        };
        for place in 0..expression.names().len() {
            check_expression_error(&expression.unknown(place, Some("level")));
        }
        let evaluated = expression.evaluate(&|place| cell(cells, place));
        if let Err(trouble) = &evaluated {
            check_expression_error(&expression.explain(trouble));
        }
        let _ = expression.decide(&|place| cell(cells, place));
        // Parentheses around the whole change nothing, but where they are the last that nesting allows.
        if let Ok(same) = Expression::parse(&format!("({text})")) {
            let same = same.with_numbers(numbers);
            let (evaluated, same) =
                (evaluated.map_err(|trouble| trouble.value), same.evaluate(&|place| cell(cells, place)));
            assert_eq!(evaluated, same.map_err(|trouble| trouble.value), "{text:?}");
        }
    }
    match Template::parse(text) {
        Ok(template) => drop(template.fill(&|_, place| cell(cells, place))),
        Err(error) => check_expression_error(&error),
    }
}

fn cell<'v>(cells: &[&'v str], place: usize) -> Value<'v> {
    cells.get(place).copied().map_or(Value::Missing, Value::from)
}

/// A file of levels; its first byte chooses the name of the file, and the game.
pub fn level_file(data: &[u8]) {
    const NAMES: [&str; 8] = ["a.txt", "a.csv", "a.tsv", "a.json", "a.jsonl", "a", "a.board", "a.txt.gz"];
    let Some((&first, rest)) = data.split_first() else { return };
    let name = NAMES[usize::from(first) % NAMES.len()];
    let named = || Some("id".to_owned()).filter(|_| first & 0x40 != 0);
    let columns = LevelColumns { id: named(), board: named().map(|_| "board".to_owned()) };
    let levels = match std::str::from_utf8(rest) {
        Ok(text) if first < 0x80 => {
            let source = Arc::new(SourceText { path: name.into(), text: text.to_owned() });
            levels_of_text(&source, &columns).map_err(|faults| check_diagnostics(&faults))
        }
        _ => with_files(&[(name, rest)], |folder| {
            read_levels(&folder.join(name), &columns).map_err(|error| match error {
                LevelError::Diagnostics(faults) => check_diagnostics(&faults),
                error => assert!(error.to_string().contains(name), "{error}"),
            })
        }),
    };
    let Ok(levels) = levels else { return };
    let ids: HashSet<&str> = levels.iter().map(|level| level.id.as_str()).collect();
    assert!(!levels.is_empty() && ids.len() == levels.len(), "{levels:?}");
    for level in &levels {
        assert!(level.source.text.get(level.span.clone()).is_some(), "{level:?}");
    }
    // What a level means is for its game to say; the first one stands for all of the file.
    let game = &GAMES[usize::from(first >> 3 & 7) % (GAMES.len() - 1)];
    if let Err(faults) = LoadedLevel::new(levels[0].clone(), game, &RuleOptions::default()) {
        check_diagnostics(&faults);
    }
}

/// A level, and behind NUL bytes a position and a move; the first byte chooses the game and its rules.
pub fn level(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let Some(parts) = texts(rest) else { return };
    let game = &GAMES[usize::from(first & 0x0f) % (GAMES.len() - 1)];
    assert_ne!(game.name, "lua", "scripts have a target of their own");
    let options = if first & 0x10 == 0 { RuleOptions::default() } else { other_rules(game) };
    if game.name == "rush-hour" {
        rush_hour_layout(parts[0]);
    }
    let loaded = match LoadedLevel::from_text("level", parts[0], game, &options) {
        Ok(loaded) => loaded,
        Err(faults) => return check_diagnostics(&faults),
    };
    let rules = &*loaded.rules;
    if let Some(text) = parts.get(1) {
        match rules.parse_state(text) {
            Ok(state) => check_state(rules, state),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    if let Some(text) = parts.get(2) {
        let _ = rules.is_null_move(rules.start(), text);
        if let Err(error) = rules.play(rules.start(), text) {
            assert!(!error.to_string().is_empty());
        }
    }
    // A short walk, whose turns the bytes of the input decide.
    let mut state = rules.start();
    for turn in data.iter().take(6) {
        check_state(rules, state);
        let moves = rules.legal_moves(state);
        let Some(chosen) = moves.get(usize::from(*turn) % moves.len().max(1)) else { break };
        if !rules.has_chance() {
            assert_eq!(rules.play(state, &chosen.notation).as_ref(), Ok(chosen), "{}", rules.format_state(state));
        }
        state = chosen.next;
    }
}

/// A script of a puzzle, and behind a NUL byte a level of it.
pub fn script(data: &[u8]) {
    let Some(parts) = texts(data) else { return };
    let text = *parts.get(1).unwrap_or(&"1");
    let source = Arc::new(SourceText { path: "levels.txt".into(), text: text.to_owned() });
    let script = Arc::new(SourceText { path: "task.lua".into(), text: parts[0].to_owned() });
    let level = LevelText { text, source: &source, span: 0..text.len() };
    let options = Options { max_instructions: 20_000, max_memory_mb: 4, max_positions: 100, ..Options::default() };
    let puzzle = match Scripted::load(&level, &script, &options) {
        Ok(puzzle) => puzzle,
        Err(faults) => return check_diagnostics(&faults),
    };
    let rules: &dyn Rules = &puzzle;
    let mut state = rules.start();
    for turn in data.iter().take(4) {
        let _ = (rules.is_goal(state), rules.picture(state), rules.parse_state(&rules.format_state(state)));
        let moves = rules.legal_moves(state);
        let Some(chosen) = moves.get(usize::from(*turn) % moves.len().max(1)) else { break };
        let _ = rules.play(state, &chosen.notation);
        state = chosen.next;
    }
    assert!(rules.script_error().is_none_or(|error| error.contains("task.lua")));
}

/// Hands a folder that holds nothing but these files to `read`. It is always the same one for a thread: to make a folder takes
/// longer than most readers.
pub fn with_files<T>(files: &[(&str, &[u8])], read: impl FnOnce(&Path) -> T) -> T {
    thread_local! {
        static FOLDER: (TempDir, PathBuf) = {
            let folder = tempfile::tempdir().expect("a folder");
            // Units of a log are looked for in folders above it, too, where there may be much of others.
            let inner = folder.path().join("a/b/c/d");
            fs::create_dir_all(&inner).expect("a folder");
            (folder, inner)
        };
    }
    FOLDER.with(|(_, folder)| {
        files.iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).expect("a file"));
        let result = read(folder);
        files.iter().for_each(|(name, _)| fs::remove_file(folder.join(name)).expect("the file"));
        result
    })
}

/// The parts of a text between NUL bytes; at least one. Readers of texts are never given anything else.
fn texts(data: &[u8]) -> Option<Vec<&str>> {
    Some(std::str::from_utf8(data).ok()?.split('\0').collect())
}

fn check_expression_error(error: &ExpressionError) {
    assert!(error.text.get(error.span.clone()).is_some() && !error.to_string().is_empty(), "{error:?}");
}

/// Each fault says something, of a place that its file has.
pub fn check_diagnostics(faults: &[Diagnostic]) {
    assert!(!faults.is_empty());
    for fault in faults {
        let message = fault.to_string();
        assert!(
            !fault.message.is_empty() && fault.place.source.text.get(fault.place.span.clone()).is_some(),
            "{message}: {fault:?}"
        );
    }
}

/// A position is what is read from its notation.
fn check_state(rules: &dyn Rules, state: StateCode) {
    let text = rules.format_state(state);
    assert_eq!(rules.parse_state(&text).map_err(|error| error.to_string()), Ok(state), "{text:?}");
    let _ = (rules.is_goal(state), rules.picture(state));
}

/// Rules of a game that are not its usual ones.
fn other_rules(game: &Game) -> RuleOptions {
    let text = match game.name {
        "rush-hour" => "goal = \"path-clear\"\nmetric = \"cell\"",
        "lights-out" => "neighbourhood = \"torus\"",
        "panguru" => "centreline = true",
        "sliding-tiles" => "goal = \"blank-first\"\ndirections = \"blank\"",
        _ => "",
    };
    let options = RuleOptions { table: text.parse().expect("a table"), ..RuleOptions::default() };
    (game.check_options)(&options).expect("options");
    options
}

/// A layout is what is read from each notation that it is written in.
fn rush_hour_layout(text: &str) {
    let Ok(layout) = read_layout(text) else { return };
    same(&read_layout(&notation::to_json(&layout)), &layout);
    same(&read_layout(&notation::to_board_string(&layout)), &layout);
    if let Some(matrix) = notation::to_matrix(&layout) {
        same(&read_layout(&matrix), &layout);
    }
    if let Some(board) = notation::to_board_text(&layout) {
        assert!(read_layout(&board).is_ok(), "{board}");
    }
}

fn read_layout(text: &str) -> Result<Layout, Vec<Diagnostic>> {
    let source = Arc::new(SourceText { path: "level".into(), text: text.to_owned() });
    notation::parse(text, &source, 0)
}

fn same<T: Debug + PartialEq>(actual: &Result<T, Vec<Diagnostic>>, wanted: &T) {
    assert_eq!(actual.as_ref(), Ok(wanted));
}
