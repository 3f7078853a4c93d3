//! What comes of a way to write moves when whole runs of a sample are replayed by it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;

use super::levels::Names;
use super::{Finder, Levels};
use crate::words;
use plymap_puzzles::game::{MoveError, StateCode};
use plymap_puzzles::rules::Rules;

/// At so many levels a text is tried that may be no move at all.
const LEVELS: usize = 3;
/// About so many rows are replayed of each candidate.
const ROWS: usize = 1_500;

/// What became of the rows of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Replayed {
    /// Rows that were replayed, whether or not they have a move.
    n_rows: usize,
    /// Those that have one.
    n_told: usize,
    n_legal: usize,
    n_runs: usize,
    n_solved: usize,
}

impl Replayed {
    /// How good the candidate is, from 0: the share of moves that the rules allow and of rows that are moves, and
    /// whether runs end at a goal, which tells a wrong reading from the right one where every move is legal.
    pub fn score(&self) -> f64 {
        let share = |n: usize, of: usize| if of == 0 { 0.0 } else { n as f64 / of as f64 };
        let legal = share(self.n_legal, self.n_told) * share(self.n_legal, self.n_rows).sqrt();
        legal * (0.85 + 0.15 * share(self.n_solved, self.n_runs))
    }

    /// With a run, of which so many rows tell moves and so many of these are legal.
    pub fn add_run(&mut self, n_told: usize, n_legal: usize) {
        self.n_runs += 1;
        self.n_rows += n_told;
        self.n_told += n_told;
        self.n_legal += n_legal;
    }

    pub fn share_legal(&self) -> f64 {
        if self.n_told == 0 { 0.0 } else { self.n_legal as f64 / self.n_told as f64 }
    }
}

/// What a row says of a move.
pub(super) enum Said {
    /// A move as the game writes it.
    Move(String),
    /// The position that it leads to.
    After(String),
    /// Something else, such as half of a move.
    Nothing,
}

impl Finder<'_> {
    /// Whole runs, spread over the sample.
    pub(super) fn runs_to_replay(&self) -> Vec<Vec<usize>> {
        let mut runs = self.runs();
        let n: usize = runs.iter().map(Vec::len).sum();
        let step = n.div_ceil(ROWS).max(1);
        if step > 1 {
            runs = runs.into_iter().step_by(step).collect();
        }
        // One run may be longer than all that is wanted.
        runs.iter_mut().for_each(|run| run.truncate(ROWS));
        runs
    }

    /// Replays runs, of whose rows `said` tells the moves.
    pub(super) fn replayed(&self, runs: &[Vec<usize>], said: &mut dyn FnMut(usize) -> Said) -> Replayed {
        let mut found = Replayed::default();
        for run in runs {
            let Some(level) = self.level[run[0]] else { continue };
            let rules = self.plays.rules(level);
            let mut position = rules.start();
            let mut is_solved = false;
            found.n_runs += 1;
            for &row in run {
                found.n_rows += 1;
                let text = match said(row) {
                    Said::Nothing => continue,
                    Said::Move(text) if words::event(&text).is_some() && !self.plays.begins(level, &text) => {
                        // The rows behind it may begin anew.
                        position = rules.start();
                        continue;
                    }
                    text => text,
                };
                // An attempt may begin anew without a row that says so.
                let next = |position| self.plays.next(level, position, &text);
                let here = next(position);
                if here == Next::Same {
                    continue;
                }
                found.n_told += 1;
                if let Some(next) = here.position().or_else(|| next(rules.start()).position()) {
                    found.n_legal += 1;
                    position = next;
                    is_solved |= rules.is_goal(position);
                }
            }
            found.n_solved += usize::from(is_solved);
        }
        found
    }
}

/// The rules of the levels, which remember what they were asked: a script takes long to answer, and people do the same.
pub(crate) struct Plays<'a> {
    pub levels: &'a Levels<'a>,
    pub(super) names: Names<'a>,
    readable: RefCell<HashMap<(usize, String), bool>>,
    next: RefCell<HashMap<(usize, StateCode, String), Next>>,
}

/// What a row leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Next {
    Position(StateCode),
    /// It is an action that changes nothing.
    Same,
    /// The rules do not allow it.
    Nothing,
}

impl Next {
    fn position(self) -> Option<StateCode> {
        if let Self::Position(position) = self { Some(position) } else { None }
    }

    fn of(position: Option<StateCode>) -> Self {
        position.map_or(Self::Nothing, Self::Position)
    }
}

/// So many answers are remembered.
const ANSWERS: usize = 1_000_000;

impl<'a> Plays<'a> {
    pub fn new(levels: &'a Levels<'a>) -> Self {
        Self { levels, names: Names::new(levels), readable: RefCell::default(), next: RefCell::default() }
    }

    fn rules(&self, level: usize) -> &'a dyn Rules {
        self.levels[level].1
    }

    /// Whether a text is a move at a level, possible or not.
    pub fn is_move(&self, level: usize, text: &str) -> bool {
        let rules = self.rules(level);
        let start = rules.start();
        // A choice alone does not tell what chance did, and is one all the same.
        let is_choice = || {
            let outcomes = rules.outcomes(start);
            outcomes.iter().flatten().any(|(end, _)| rules.play_to(start, text, end.next).is_ok())
        };
        let ask = || match rules.play(start, text) {
            Err(MoveError::Unreadable { .. }) => rules.has_chance() && is_choice(),
            _ => true,
        };
        remembered(&self.readable, (level, text.to_owned()), ask)
    }

    /// Whether a text can be a move or position of the first levels, or names a level.
    pub fn can_be_of_play(&self, text: &str) -> bool {
        let is_it = |level: usize| {
            let rules = self.rules(level);
            let is_move = |text: &str| !matches!(rules.play(rules.start(), text), Err(MoveError::Unreadable { .. }));
            is_move(text) || is_move(&format!("@{text}")) || rules.parse_state(text).is_ok()
        };
        self.names.find(text).is_some() || (0..self.levels.len().min(LEVELS)).any(is_it)
    }

    /// Whether a text is a move that is possible at the start of a level.
    pub fn begins(&self, level: usize, text: &str) -> bool {
        self.next(level, self.rules(level).start(), &Said::Move(text.to_owned())).position().is_some()
    }

    /// Whether a choice leads from one position to another by one of the turns that chance may take.
    pub fn leads_to(&self, level: usize, before: &str, choice: &str, after: &str) -> bool {
        let rules = self.rules(level);
        let position = |text: &str| rules.parse_state(text).ok();
        let ends = position(before).zip(position(after));
        ends.is_some_and(|(before, after)| rules.play_to(before, choice, after).is_ok())
    }

    /// What a row leads to.
    fn next(&self, level: usize, position: StateCode, said: &Said) -> Next {
        let rules = self.rules(level);
        match said {
            // Where chance follows, only a recorded position tells what it did.
            Said::Move(text) if rules.has_chance() => Next::of(self.is_move(level, text).then_some(position)),
            Said::Move(text) => {
                let ask = || match rules.play(position, text) {
                    Ok(played) => Next::Position(played.next),
                    Err(_) if rules.is_null_move(position, text) => Next::Same,
                    Err(_) => Next::Nothing,
                };
                remembered(&self.next, (level, position, text.clone()), ask)
            }
            Said::After(text) => {
                let ask = || {
                    let Ok(after) = rules.parse_state(text) else { return Next::Nothing };
                    let is_next =
                        after == position || rules.has_chance() || rules.move_between(position, after).is_some();
                    Next::of(is_next.then_some(after))
                };
                // No move is written so.
                remembered(&self.next, (level, position, format!("\u{1}{text}")), ask)
            }
            Said::Nothing => Next::Nothing,
        }
    }
}

fn remembered<K: Eq + Hash, V: Copy>(answers: &RefCell<HashMap<K, V>>, question: K, ask: impl FnOnce() -> V) -> V {
    if let Some(answer) = answers.borrow().get(&question) {
        return *answer;
    }
    let answer = ask();
    let mut answers = answers.borrow_mut();
    if answers.len() >= ANSWERS {
        answers.clear();
    }
    answers.insert(question, answer);
    answer
}
