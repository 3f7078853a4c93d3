//! Cyclic: cycles through moves, whatever the position.

use super::error::PolicyError;
use super::rule::{Policy, PolicyState};
use super::situation::{LevelContext, Situation};
use super::weights::certain;
use crate::parameter::ParameterError;
use plymap_puzzles::game::StateCode;
use plymap_puzzles::game::direction::Direction;
use plymap_puzzles::game::scripted::natural_order;
use plymap_puzzles::rules::LegalMove;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Policy that cycles through moves.
///
/// With an `order` it goes round that list, and takes the next entry that is legal. A move that is not in the list
/// is made only where none of the list is legal.
///
/// Without one it makes the legal move that comes next after the one made last, and begins again at the first
/// when there is none. Directions follow each other clockwise from `up`, other moves in the order in which people
/// count: `A-2` before `A-10`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cyclic {
    /// The turn of moves, each in the notation of logs; empty for the order of the notations.
    pub order: Vec<String>,
}

impl Policy for Cyclic {
    fn kind(&self) -> &'static str {
        "cyclic"
    }

    fn describe(&self) -> String {
        match self.order.is_empty() {
            true => "cycles through the legal moves".to_owned(),
            false => format!("cycles through {}", self.order.join(", ")),
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    fn needs_oracle(&self) -> bool {
        false
    }

    fn start_level<'a>(&'a self, _seat: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        Ok(Box::new(Turns { order: &self.order, next: 0 }))
    }
}

struct Turns<'a> {
    order: &'a [String],
    /// The entry of the order whose turn it is.
    next: usize,
}

impl Turns<'_> {
    /// The next move of the list that is legal.
    fn of_list(&mut self, moves: &[LegalMove]) -> Option<usize> {
        let n_entries = self.order.len();
        for entry in (self.next..self.next + n_entries).map(|turn| turn % n_entries) {
            if let Some(chosen) = moves.iter().position(|legal| legal.notation == self.order[entry].trim()) {
                self.next = (entry + 1) % n_entries;
                return Some(chosen);
            }
        }
        None
    }
}

impl PolicyState for Turns<'_> {
    fn begin_attempt(&mut self, _state: StateCode) -> Result<(), PolicyError> {
        self.next = 0;
        Ok(())
    }

    fn probabilities(&mut self, situation: &Situation) -> Result<Vec<f64>, PolicyError> {
        let moves = situation.moves;
        let last = situation.history.previous.as_ref().map(|previous| previous.notation.as_str());
        let chosen = self.of_list(moves).or_else(|| next_after(last, moves));
        Ok(chosen.map_or_else(Vec::new, |chosen| certain(moves.len(), chosen)))
    }
}

/// The first move after the last one, or the first of all.
fn next_after(last: Option<&str>, moves: &[LegalMove]) -> Option<usize> {
    let first_of = |is_later: &dyn Fn(&str) -> bool| {
        let later = (0..moves.len()).filter(|&index| is_later(&moves[index].notation));
        later.min_by(|&left, &right| in_turn(&moves[left].notation, &moves[right].notation))
    };
    let later = last.and_then(|last| first_of(&|notation| in_turn(notation, last) == Ordering::Greater));
    later.or_else(|| first_of(&|_| true))
}

/// Directions in the order of the game, before all other moves.
fn in_turn(left: &str, right: &str) -> Ordering {
    let place = |notation| Direction::ALL.iter().position(|direction| direction.name() == notation);
    match (place(left), place(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => natural_order(left, right),
    }
}
