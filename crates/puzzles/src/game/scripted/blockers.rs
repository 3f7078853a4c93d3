//! Obstacles of a move in a script: the answers of its function `blockers`.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use plymap_lua::{Key, Problem, Value, is_list};

use super::notation::check_notation;
use super::options::MORE_ROOM;
use super::positions::{NotKept, Position};
use crate::game::{Subgoal, WishedMove};

/// The entry of the script's table.
pub(super) const BLOCKERS: &str = "blockers";

/// The longest text of a wished move with all that the script wants to know of it again, in bytes.
const MAX_BYTES: usize = 1000;

/// A move that is wished, legal or not, as the script gets it back: its notation as text, or a table with the
/// notation as its entry `move`. Towers need the table: whether a disk goes home or only out of the way, the move is
/// the same.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WishedValue(Value);

/// Obstacle that must go, or the end of the level: the moves that do it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Obstacle {
    name: Option<Value>,
    pub alternatives: Vec<WishedValue>,
}

/// The wished moves that were met, by their codes.
#[derive(Debug, Default)]
pub(super) struct WishedMoves(HashMap<WishedMove, WishedValue>);

impl WishedValue {
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// In the notation of `moves`.
    pub fn notation(&self) -> &str {
        let notation = match &self.0 {
            Value::Table(entries) => entries.get(&move_key()).unwrap_or(&self.0),
            alone => alone,
        };
        if let Value::Text(text) = notation { text } else { "" }
    }

    /// Half of the hash of its text, the same in every run and thread. In a table a text stands in quotes where it
    /// could be taken for something else, so no two wished moves share a text.
    fn code(&self) -> WishedMove {
        WishedMove(Position::of(&self.0.to_string()).0 as u64)
    }

    fn read(value: Value) -> Result<Self, String> {
        let read = match value {
            Value::Table(mut entries) => {
                let notation = entries.remove(&move_key()).ok_or("is a table without an entry `move`")?;
                entries.insert(move_key(), written(notation).map_err(|kind| format!("has {kind} as its `move`"))?);
                Self(Value::Table(entries))
            }
            alone => Self(written(alone).map_err(|kind| format!("is {kind}"))?),
        };
        check_notation(read.notation()).map_err(|fault| format!("is {:?}, which {fault}", read.notation()))?;
        match read.0.to_string().len() {
            n_bytes if n_bytes > MAX_BYTES => Err(format!("has {n_bytes} bytes as text, and may have {MAX_BYTES}")),
            _ => Ok(read),
        }
    }

    /// A problem that comes up when the script is asked about this move.
    pub fn named(&self, problem: Problem) -> Problem {
        Problem { message: format!("{}: {}", self.0, problem.message), ..problem }
    }
}

fn move_key() -> Key {
    Key::Name("move".to_owned())
}

/// The notation of a move as text; a number is one, too, as in the answers of `moves`.
fn written(value: Value) -> Result<Value, String> {
    match value {
        Value::Text(_) => Ok(value),
        Value::Integer(_) | Value::Number(_) => Ok(Value::Text(value.to_text())),
        other => Err(other.described()),
    }
}

impl Obstacle {
    /// Reads a list of moves, which may have an entry `name` beside them.
    fn read(mut entries: BTreeMap<Key, Value>, what: &str) -> Result<Self, Problem> {
        let name = entries.remove(&Key::Name("name".to_owned()));
        if !is_list(&entries) {
            let help = "beside the moves it may have a `name`; a move with entries of its own is a table in the list";
            return Err(Problem::new(BLOCKERS, format!("{what} is no list of moves")).with_help(help));
        }
        let mut alternatives: Vec<WishedValue> = Vec::new();
        for (number, value) in (1..).zip(entries.into_values()) {
            let alternative = WishedValue::read(value)
                .map_err(|fault| Problem::new(BLOCKERS, format!("move {number} of {what} {fault}")))?;
            if !alternatives.contains(&alternative) {
                alternatives.push(alternative);
            }
        }
        Ok(Self { name, alternatives })
    }
}

/// The moves that end the level; absent where none does, so that there is nothing to think about.
pub(super) fn goal_moves(returned: &mlua::Value) -> Result<Option<Obstacle>, Problem> {
    let last =
        Obstacle::read(entries(returned, "a list of the moves that end the level")?, "the list that it returns")?;
    Ok((!last.alternatives.is_empty()).then_some(last))
}

/// Obstacles of a move; absent where it can never be made.
pub(super) fn obstacles(returned: &mlua::Value) -> Result<Option<Vec<Obstacle>>, Problem> {
    if returned.is_nil() {
        return Ok(None);
    }
    let entries = entries(returned, "a list of what is in the way, or nil if the move can never be made")?;
    let help = "each entry is one thing in the way: a list of the moves that take it away";
    if !is_list(&entries) {
        return Err(Problem::new(BLOCKERS, "the table that it returns is no list").with_help(help));
    }
    let obstacle = |(number, value): (usize, Value)| match value {
        Value::Table(entries) => Obstacle::read(entries, &format!("entry {number} of the list that it returns")),
        other => {
            let message = format!("entry {number} of the list that it returns is {}", other.described());
            Err(Problem::new(BLOCKERS, message).with_help(help))
        }
    };
    (1..).zip(entries.into_values()).map(obstacle).collect::<Result<_, _>>().map(Some)
}

fn entries(returned: &mlua::Value, expected: &str) -> Result<BTreeMap<Key, Value>, Problem> {
    if !returned.is_table() {
        return Err(Problem::of_returned(BLOCKERS, returned, expected));
    }
    match Value::from_lua(returned) {
        Ok(Value::Table(entries)) => Ok(entries),
        Ok(other) => Err(Problem::new(BLOCKERS, format!("it returns {}", other.described()))),
        Err(unfit) => Err(Problem::new(BLOCKERS, unfit.told("what it returns"))),
    }
}

/// A move that nothing is in the way of, and that is no move.
pub(super) fn not_legal() -> Problem {
    let message = "it returns an empty list, as if nothing were in the way, and this is no move of the position";
    let help = "write moves as `moves` does; return what is in the way, or nil if the move can never be made";
    Problem::new(BLOCKERS, message).with_help(help)
}

impl WishedMoves {
    pub fn get(&self, wished: WishedMove) -> Option<&WishedValue> {
        self.0.get(&wished)
    }

    /// Keeps the moves of an obstacle and gives it with their codes; at most `limit` moves are kept.
    pub fn subgoal(&mut self, obstacle: Obstacle, limit: usize) -> Result<Subgoal, Problem> {
        let Obstacle { name, alternatives } = obstacle;
        let alternatives = alternatives
            .into_iter()
            .map(|alternative| self.keep(alternative, limit))
            .collect::<Result<Vec<WishedMove>, NotKept>>();
        let alternatives = alternatives.map_err(|reason| not_kept(&reason, limit))?;
        let name = match name {
            Some(name) => {
                let Position(code) = Position::of(&name.to_string());
                vec![code as u64, (code >> 64) as u64]
            }
            // The same moves are the same thought, in whatever order the script lists them.
            None => {
                let mut codes: Vec<u64> = alternatives.iter().map(|alternative| alternative.0).collect();
                codes.sort_unstable();
                codes
            }
        };
        Ok(Subgoal { name, alternatives })
    }

    fn keep(&mut self, value: WishedValue, limit: usize) -> Result<WishedMove, NotKept> {
        let (code, n_kept) = (value.code(), self.0.len());
        match self.0.entry(code) {
            Entry::Occupied(known) if *known.get() == value => Ok(code),
            Entry::Occupied(_) => Err(NotKept::Collision),
            Entry::Vacant(_) if n_kept >= limit => Err(NotKept::TooMany),
            Entry::Vacant(free) => {
                free.insert(value);
                Ok(code)
            }
        }
    }
}

fn not_kept(reason: &NotKept, limit: usize) -> Problem {
    match reason {
        NotKept::TooMany => {
            Problem::new(BLOCKERS, format!("it has named more than {limit} different moves")).with_help(MORE_ROOM)
        }
        NotKept::Collision => Problem::new(BLOCKERS, "two moves that it names have the same code")
            .with_help("write them in another way, for example as tables with one more entry"),
    }
}

#[cfg(test)]
mod tests;
