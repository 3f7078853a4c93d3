//! Puzzles that a user describes in a short Lua script: where a level starts, which moves a state has, and
//! when it is solved. `docs/lua.md` shows how to write one.
//!
//! A state is text, a number or a table. Its text, in which the entries of tables stand in the order of their
//! keys, is its identity; its code is a hash of this text, so that codes are the same in every run and thread.
//! Goals and moves are asked of the script once for each state, and kept; heuristics, drawings and what is in the way
//! of a move are asked each time.
//!
//! Scripts run in a sandbox: they see no files, clock, chance or network, cannot depend on the order in which
//! Lua stores tables, and end with an error where they take too many instructions or too much memory.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use plymap_lua::{Problem, Value};

use super::picture::Picture;
use super::{Aim, Gesture, Heuristic, LevelText, MoveError, Puzzle, StateError, Subgoal, Unindexed, WishedMove};
use crate::diagnostic::{Diagnostic, Place, SourceText};

mod blockers;
mod drawing;
mod entries;
mod hand;
mod heuristics;
mod images;
mod level;
mod notation;
mod options;
mod positions;
mod script;

pub use notation::natural_order;
pub use options::Options;
pub use positions::Position;

use blockers::{WishedMoves, WishedValue};
use options::MORE_ROOM;
use positions::{NotKept, Positions};
use script::{Answer, Script};

/// The most gestures that are kept.
const MAX_GESTURES: usize = 10_000;

/// So many wished moves are looked at when the functions of a script are tried on the start of a level.
const TRIED_WISHED_MOVES: usize = 100;

/// The names of the settings that a script lists for its levels; absent where it lists none, and so takes any. Empty
/// where it cannot be run.
pub(crate) fn settings_of_levels(script: &str, options: &Options) -> Option<Vec<String>> {
    match Script::load(script, options) {
        Ok(script) => script.settings.map(|settings| settings.into_keys().collect()),
        Err(_) => Some(Vec::new()),
    }
}

/// The rules of one level of a scripted puzzle.
pub struct Scripted {
    script: Mutex<Script>,
    positions: RwLock<Positions>,
    wished_moves: Mutex<WishedMoves>,
    start: Position,
    max_positions: usize,
    aim: Aim,
    /// Gestures that the script has told, by the notation of their moves.
    gestures: Mutex<HashMap<String, Option<Gesture>>>,
    path: String,
    script_error: OnceLock<String>,
}

impl Scripted {
    /// Loads a script, and lets it read a level. Every function of the script is tried on the start.
    ///
    /// # Errors
    ///
    /// All faults of the script, or of the level.
    pub fn load(level: &LevelText, script: &Arc<SourceText>, options: &Options) -> Result<Self, Vec<Diagnostic>> {
        let faults = |problem: Problem| vec![problem_fault(level, script, problem)];
        let mut loaded = Script::load(&script.text, options).map_err(|problems| {
            problems.into_iter().map(|problem| problem_fault(level, script, problem)).collect::<Vec<_>>()
        })?;
        check_given(level, &loaded, options)?;
        let read = level::read(level, loaded.settings.as_ref(), &options.settings)?;
        let start = match loaded.start(&read.text, &read.rows, &read.settings) {
            Ok(Answer::State(start)) => start,
            Ok(Answer::Refusal(reason)) => {
                return Err(vec![Diagnostic::error("bad-level", level.source, level.span.clone(), reason)]);
            }
            Err(problem) => return Err(faults(loaded.located(problem))),
        };
        try_out(&loaded, &start).map_err(|problem| faults(at(loaded.located(problem), &start.to_text())))?;
        let aim = loaded.aim().map_err(|problem| faults(loaded.located(problem)))?;
        let mut positions = Positions::default();
        let kept = positions.keep(&start.to_text(), options.max_positions);
        let start = kept.map_err(|reason| faults(not_kept(&reason, options.max_positions)))?;
        Ok(Self {
            script: Mutex::new(loaded),
            positions: RwLock::new(positions),
            wished_moves: Mutex::default(),
            start,
            max_positions: options.max_positions,
            aim,
            gestures: Mutex::default(),
            path: script.path.display().to_string(),
            script_error: OnceLock::new(),
        })
    }

    fn positions(&self) -> RwLockReadGuard<'_, Positions> {
        self.positions.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn positions_mut(&self) -> RwLockWriteGuard<'_, Positions> {
        self.positions.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wished_moves(&self) -> MutexGuard<'_, WishedMoves> {
        self.wished_moves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the script about a position.
    fn ask<T>(
        &self,
        position: Position,
        question: impl FnOnce(&Script, &Value) -> Result<T, Problem>,
    ) -> Result<T, String> {
        let text = self.positions().text(position).unwrap_or_default().to_owned();
        let script = self.script();
        let state = Value::from_text(&text, script.kind())
            .map_err(|reason| format!("{text:?} is no state of this level: {reason}"))?;
        question(&script, &state).map_err(|problem| self.told(&at(script.located(problem), &text)))
    }

    /// A problem as one line: file, line, function, what is wrong and what to do.
    fn told(&self, problem: &Problem) -> String {
        let line = problem.line.map(|line| format!(":{line}")).unwrap_or_default();
        let help = problem.help.as_ref().map(|help| format!(": {help}")).unwrap_or_default();
        format!("{}{line}: {}{help}", self.path, problem.text())
    }

    /// Remembers the first thing that went wrong where it cannot be returned.
    fn noted<T>(&self, answer: Result<T, String>) -> Option<T> {
        answer.map_err(|script_error| self.script_error.set(script_error)).ok()
    }

    /// Makes sure that the moves of a position are known.
    fn expand(&self, position: Position) -> Result<(), String> {
        if self.positions().moves(position).is_some() {
            return Ok(());
        }
        let (moves, _room) = self.ask(position, Script::moves)?;
        self.positions_mut()
            .set_moves(position, &moves, self.max_positions)
            .map_err(|reason| self.told(&not_kept(&reason, self.max_positions)))
    }

    fn asked_goal(&self, position: Position) -> Result<bool, String> {
        if let Some(is_goal) = self.positions().is_goal(position) {
            return Ok(is_goal);
        }
        let is_goal = self.ask(position, Script::goal)?;
        self.positions_mut().set_goal(position, is_goal);
        Ok(is_goal)
    }

    /// The moves of a position that is expanded; none for another one.
    fn with_moves<T>(
        &self,
        position: Position,
        read: impl FnOnce(&mut dyn Iterator<Item = (&str, Position)>) -> T,
    ) -> T {
        let positions = self.positions();
        match positions.moves(position) {
            Some(mut moves) => read(&mut moves),
            None => read(&mut std::iter::empty()),
        }
    }

    fn asked_gesture(&self, notation: &str) -> Result<Option<Gesture>, String> {
        let mut gestures = self.gestures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(gesture) = gestures.get(notation) {
            return Ok(*gesture);
        }
        let script = self.script();
        let gesture = script.gesture(notation).map_err(|problem| self.told(&script.located(problem)))?;
        if gestures.len() < MAX_GESTURES {
            gestures.insert(notation.to_owned(), gesture);
        }
        Ok(gesture)
    }

    fn asked_goal_moves(&self, position: Position) -> Result<Option<Subgoal>, String> {
        if self.asked_goal(position)? {
            return Ok(None);
        }
        let Some(last) = self.ask(position, Script::goal_moves)? else { return Ok(None) };
        let kept = self.wished_moves().subgoal(last, self.max_positions);
        kept.map(Some).map_err(|problem| self.told(&problem))
    }

    fn asked_obstacles(&self, position: Position, wished: WishedMove) -> Result<Option<Vec<Subgoal>>, String> {
        let Some(value) = self.wished_value(wished) else { return Ok(None) };
        self.expand(position)?;
        let is_legal = self.move_written(position, value.notation()).is_some();
        let obstacles = self.ask(position, |script, state| script.obstacles(state, &value, is_legal))?;
        let Some(obstacles) = obstacles else { return Ok(None) };
        let mut wished_moves = self.wished_moves();
        let kept: Result<Vec<_>, Problem> =
            obstacles.into_iter().map(|obstacle| wished_moves.subgoal(obstacle, self.max_positions)).collect();
        kept.map(Some).map_err(|problem| self.told(&problem))
    }

    fn wished_value(&self, wished: WishedMove) -> Option<WishedValue> {
        self.wished_moves().get(wished).cloned()
    }

    /// The number of the move that has exactly this notation.
    fn move_written(&self, position: Position, notation: &str) -> Option<u16> {
        let is_this = |(_, (other, _)): &(usize, (&str, Position))| *other == notation;
        self.with_moves(position, |moves| moves.enumerate().find(is_this).map(|(number, _)| number as u16))
    }

    /// The number of the move that a text names, in its exact spelling or else, where only one fits, without
    /// regard to case, blanks and kinds of minus.
    fn move_named(&self, position: Position, text: &str) -> Option<u16> {
        self.with_moves(position, |moves| {
            let wanted = simplified(text);
            let mut similar = Vec::new();
            for (number, (notation, _)) in moves.enumerate() {
                if notation == text {
                    return Some(number as u16);
                }
                if simplified(notation) == wanted {
                    similar.push(number as u16);
                }
            }
            if similar.len() == 1 { similar.pop() } else { None }
        })
    }

    /// The moves of a position, as a sentence lists them.
    fn listed_moves(&self, position: Position) -> String {
        const SHOWN: usize = 12;
        let notations: Vec<String> =
            self.with_moves(position, |moves| moves.map(|(notation, _)| notation.to_owned()).collect());
        match notations.len() {
            0 => "this position has no moves".to_owned(),
            n_moves if n_moves > SHOWN => {
                format!("the moves here are {} and {} more", notations[..SHOWN].join(", "), n_moves - SHOWN)
            }
            _ => format!("the moves here are {}", notations.join(", ")),
        }
    }
}

/// A move as far as a slip of the pen does not change it.
fn simplified(notation: &str) -> String {
    let dash = |letter| if matches!(letter, '\u{2212}' | '\u{2013}') { '-' } else { letter };
    let letters = notation.chars().filter(|letter| !letter.is_whitespace()).map(dash);
    letters.flat_map(char::to_lowercase).collect()
}

fn at(problem: Problem, position: &str) -> Problem {
    Problem { position: Some(position.to_owned()), ..problem }
}

fn not_kept(reason: &NotKept, limit: usize) -> Problem {
    match reason {
        NotKept::TooMany => {
            Problem::new("moves", format!("the level has more than {limit} states")).with_help(MORE_ROOM)
        }
        NotKept::Collision => Problem::new("moves", "two states have the same code")
            .with_help("write the states in another way, for example with one more entry"),
    }
}

/// Tries every function on the start, so that a script that is wrong is found when its level is read.
fn try_out(script: &Script, start: &Value) -> Result<(), Problem> {
    let is_goal = script.goal(start)?;
    let answer = || -> Result<Vec<_>, Problem> {
        let (moves, _room) = script.moves(start)?;
        Ok(moves.into_iter().map(|(notation, after)| (notation, Position::of(&after))).collect())
    };
    let moves = answer()?;
    if answer()? != moves {
        let help = "a function may use its state and what start has set, and nothing that changes in between";
        return Err(Problem::new("moves", "it gives different answers to the same question").with_help(help));
    }
    script.heuristics.iter().try_for_each(|heuristic| script.estimate(heuristic, start).map(|_| ()))?;
    if !is_goal {
        let mut values = script.goal_moves(start)?.map(|last| last.alternatives).unwrap_or_default();
        for number in 0..TRIED_WISHED_MOVES {
            let Some(value) = values.get(number) else { break };
            let is_legal = moves.iter().any(|(notation, _)| notation == value.notation());
            let obstacles = script.obstacles(start, value, is_legal)?.unwrap_or_default();
            for alternative in obstacles.into_iter().flat_map(|obstacle| obstacle.alternatives) {
                if values.len() < TRIED_WISHED_MOVES && !values.contains(&alternative) {
                    values.push(alternative);
                }
            }
        }
    }
    script.picture(start)?;
    moves.iter().try_for_each(|(notation, _)| script.gesture(notation).map(|_| ()))?;
    let text = script.format(start)?;
    let problem =
        |reason: String| Problem::new("parse", format!("it does not read back the position {text:?}: {reason}"));
    match script.parse(&text)? {
        Answer::State(state) if state == *start => Ok(()),
        Answer::State(state) => Err(problem(format!("it gives {} in its place", state.to_text()))),
        Answer::Refusal(reason) => Err(problem(reason)),
    }
}

/// Checks the settings that the study gives for all levels.
fn check_given(level: &LevelText, script: &Script, options: &Options) -> Result<(), Vec<Diagnostic>> {
    let Some(known) = &script.settings else { return Ok(()) };
    let unknown = options.settings.keys().filter(|name| !known.contains_key(*name));
    let faults: Vec<Diagnostic> = unknown
        .map(|name| {
            let message = format!("`settings` in [rules] has an entry {name:?} that is no setting of the script");
            Diagnostic::error("bad-rules", level.source, level.span.start..level.span.start, message)
                .with_help(level::listed(known))
        })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// A problem of a script as a fault that points at its line.
fn problem_fault(level: &LevelText, script: &Arc<SourceText>, problem: Problem) -> Diagnostic {
    let span = problem.line.map_or(0..0, |line| line_span(&script.text, line));
    let message = if problem.function == "start" {
        let (line, _) = Place { source: level.source.clone(), span: level.span.clone() }.line_and_column();
        format!("{}, as it read the level at {}:{line}", problem.text(), level.source.path.display())
    } else {
        problem.text()
    };
    let fault = Diagnostic::error("bad-script", script, span, message);
    match problem.help {
        Some(help) => fault.with_help(help),
        None => fault,
    }
}

/// The bytes of a line, from 1, without the blanks around it.
pub fn line_span(text: &str, number: usize) -> Range<usize> {
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if index + 1 == number {
            let indent = line.len() - line.trim_start().len();
            return start + indent..start + indent.max(line.trim_end().len());
        }
        start += line.len();
    }
    text.len()..text.len()
}

impl Puzzle for Scripted {
    type State = Position;
    /// The number of a move among the moves of its position.
    type Move = u16;
    type Index = Unindexed;

    /// A script cannot promise it, so maps hold backward arcs.
    const REVERSIBLE: bool = false;

    fn start(&self) -> Position {
        self.start
    }

    fn is_goal(&self, position: Position) -> bool {
        self.noted(self.asked_goal(position)).unwrap_or(false)
    }

    fn legal_moves(&self, position: Position, moves: &mut Vec<u16>) {
        if self.noted(self.expand(position)).is_some() {
            let n_moves = self.with_moves(position, |moves| moves.count());
            moves.extend(0..n_moves as u16);
        }
    }

    fn for_each_successor(&self, position: Position, _moves: &mut Vec<u16>, visit: &mut impl FnMut(Position)) {
        if self.noted(self.expand(position)).is_some() {
            let after: Vec<Position> = self.with_moves(position, |moves| moves.map(|(_, after)| after).collect());
            after.into_iter().for_each(visit);
        }
    }

    fn play_unchecked(&self, position: Position, action: u16) -> Position {
        self.noted(self.expand(position));
        self.with_moves(position, |moves| moves.nth(action as usize).map_or(position, |(_, after)| after))
    }

    fn play(&self, position: Position, action: u16) -> Result<Position, String> {
        self.expand(position)?;
        let after = self.with_moves(position, |moves| moves.nth(action as usize).map(|(_, after)| after));
        after.ok_or_else(|| format!("there is no move number {}; {}", action + 1, self.listed_moves(position)))
    }

    fn code_bits(&self) -> u32 {
        u128::BITS
    }

    fn encode(&self, position: Position) -> u128 {
        position.0
    }

    fn decode(&self, code: u128) -> Position {
        Position(code)
    }

    fn parse_state(&self, text: &str) -> Result<Position, StateError> {
        let fail = |reason: String| StateError { text: text.to_owned(), reason };
        let answer = {
            let script = self.script();
            script.parse(text).map_err(|problem| fail(self.told(&script.located(problem))))?
        };
        let state = match answer {
            Answer::State(state) => state.to_text(),
            Answer::Refusal(reason) => return Err(fail(reason)),
        };
        let kept = self.positions_mut().keep(&state, self.max_positions);
        let position = kept.map_err(|reason| fail(self.told(&not_kept(&reason, self.max_positions))))?;
        // A position that the script cannot go on from is none of this level.
        self.asked_goal(position).and_then(|_| self.expand(position)).map_err(fail)?;
        Ok(position)
    }

    fn format_state(&self, position: Position) -> String {
        let formatted = self.noted(self.ask(position, Script::format));
        formatted.unwrap_or_else(|| self.positions().text(position).unwrap_or_default().to_owned())
    }

    fn parse_move(&self, position: Position, text: &str) -> Result<u16, MoveError> {
        let text = text.trim();
        let unreadable = || {
            let expected = format!("write a move as the script does; {}", self.listed_moves(position));
            MoveError::Unreadable { text: text.to_owned(), expected }
        };
        let illegal = |reason: String| MoveError::Illegal { text: text.to_owned(), reason };
        self.expand(position).map_err(illegal)?;
        let notation = {
            let script = self.script();
            script.read_move(text).map_err(|problem| illegal(self.told(&script.located(problem))))?
        };
        let notation = notation.filter(|notation| !notation.is_empty()).ok_or_else(unreadable)?;
        self.move_named(position, &notation).ok_or_else(|| illegal(self.listed_moves(position)))
    }

    fn move_between(&self, before: Position, after: Position) -> Option<u16> {
        self.noted(self.expand(before))?;
        let numbered = self.with_moves(before, |moves| {
            moves.enumerate().find(|&(_, (_, other))| other == after).map(|numbered| numbered.0)
        });
        numbered.map(|number| number as u16)
    }

    fn format_move(&self, position: Position, action: u16) -> String {
        self.noted(self.expand(position));
        self.with_moves(position, |moves| moves.nth(action as usize).map(|(notation, _)| notation.to_owned()))
            .unwrap_or_default()
    }

    fn picture(&self, position: Position) -> Picture {
        let drawn = self.noted(self.ask(position, Script::picture)).flatten();
        drawn.unwrap_or_else(|| drawing::line(&self.format_state(position)))
    }

    fn aim(&self) -> Aim {
        self.aim.clone()
    }

    fn gesture(&self, position: Position, action: u16) -> Option<Gesture> {
        if !self.script().has_gestures() {
            return None;
        }
        let notation = Puzzle::format_move(self, position, action);
        self.noted(self.asked_gesture(&notation)).flatten()
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        self.script().heuristics.iter().map(|heuristic| heuristic.described()).collect()
    }

    fn estimate(&self, heuristic: usize, position: Position) -> f64 {
        let estimated = self.ask(position, |script, state| match script.heuristics.get(heuristic) {
            Some(heuristic) => script.estimate(heuristic, state),
            None => Ok(0.0),
        });
        self.noted(estimated).unwrap_or(0.0)
    }

    fn goal_moves(&self, position: Position) -> Option<Subgoal> {
        self.noted(self.asked_goal_moves(position)).flatten()
    }

    fn obstacles(&self, position: Position, wished: WishedMove) -> Option<Vec<Subgoal>> {
        self.noted(self.asked_obstacles(position, wished)).flatten()
    }

    fn as_legal_move(&self, position: Position, wished: WishedMove) -> Option<u16> {
        self.noted(self.expand(position))?;
        self.move_written(position, self.wished_value(wished)?.notation())
    }

    fn format_wished_move(&self, _position: Position, wished: WishedMove) -> String {
        self.wished_value(wished).map(|value| value.notation().to_owned()).unwrap_or_default()
    }

    fn script_error(&self) -> Option<String> {
        self.script_error.get().cloned()
    }
}

#[cfg(test)]
mod tests;
