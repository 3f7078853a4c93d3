//! Rows replayed from the starts of the levels, each question asked once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;

use super::level_names::{Levels, Names};
use plymap_puzzles::game::{MoveError, StateCode};
use plymap_puzzles::rules::Rules;

/// Number of levels at which a text is tried that may be no move at all.
const LEVELS: usize = 3;

/// Move of a row.
pub(crate) enum Said {
    /// A move as the game writes it.
    Move(String),
    /// The position that it leads to.
    After(String),
    /// Something else, such as half of a move.
    Nothing,
}

/// The rules of the levels, which remember what they were asked: a script takes long to answer, and people do the same.
pub(crate) struct Plays<'a> {
    pub levels: &'a Levels<'a>,
    pub(crate) names: Names<'a>,
    readable: RefCell<HashMap<(usize, String), bool>>,
    next: RefCell<HashMap<(usize, StateCode, String), Next>>,
}

/// Position that a row leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Next {
    Position(StateCode),
    /// It is an action that changes nothing.
    Same,
    /// The rules do not allow it.
    Nothing,
}

impl Next {
    pub(super) fn position(self) -> Option<StateCode> {
        if let Self::Position(position) = self { Some(position) } else { None }
    }

    fn of(position: Option<StateCode>) -> Self {
        position.map_or(Self::Nothing, Self::Position)
    }
}

/// Number of answers that are remembered.
pub(crate) const ANSWERS: usize = 1_000_000;

impl<'a> Plays<'a> {
    pub fn new(levels: &'a Levels<'a>) -> Self {
        Self { levels, names: Names::new(levels), readable: RefCell::default(), next: RefCell::default() }
    }

    pub(super) fn rules(&self, level: usize) -> &'a dyn Rules {
        self.levels[level].1
    }

    /// `true` if a text is a move at a level, possible or not.
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

    /// `true` if a text can be a move or position of the first levels, or names a level.
    pub fn can_be_of_play(&self, text: &str) -> bool {
        let is_it = |level: usize| {
            let rules = self.rules(level);
            let is_move = |text: &str| !matches!(rules.play(rules.start(), text), Err(MoveError::Unreadable { .. }));
            is_move(text) || is_move(&format!("@{text}")) || rules.parse_state(text).is_ok()
        };
        self.names.find(text).is_some() || (0..self.levels.len().min(LEVELS)).any(is_it)
    }

    /// `true` if a text is a move that is possible at the start of a level.
    pub fn begins(&self, level: usize, text: &str) -> bool {
        self.next(level, self.rules(level).start(), &Said::Move(text.to_owned())).position().is_some()
    }

    /// `true` if a choice leads from one position to another by one of the turns that chance may take.
    pub fn leads_to(&self, level: usize, before: &str, choice: &str, after: &str) -> bool {
        let rules = self.rules(level);
        let position = |text: &str| rules.parse_state(text).ok();
        let ends = position(before).zip(position(after));
        ends.is_some_and(|(before, after)| rules.play_to(before, choice, after).is_ok())
    }

    /// Position that a row leads to.
    pub(super) fn next(&self, level: usize, position: StateCode, said: &Said) -> Next {
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

pub(crate) fn remembered<K: Eq + Hash, V: Copy>(
    answers: &RefCell<HashMap<K, V>>,
    question: K,
    ask: impl FnOnce() -> V,
) -> V {
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
