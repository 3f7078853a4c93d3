//! A table of the distances of all positions of a level.

use std::path::{Path, PathBuf};

use plymap_puzzles::distance::{Evaluation, OracleError, ValuedMove, regret};
use plymap_puzzles::game::{Distance, StateCode, Value};
use plymap_puzzles::rules::Rules;

use crate::error::TablebaseError;
use crate::header::{Bits, HEAD, Header};
use crate::memory::Memory;
use crate::numbering::Numbering;
use crate::place::Place;
use crate::space::Space;

/// The distance of every position of a level to its nearest goal.
pub struct Tablebase<'a> {
    pub(crate) rules: &'a dyn Rules,
    pub(crate) space: Space<'a>,
    pub(crate) header: Header,
    pub(crate) memory: Memory,
    pub(crate) path: Option<PathBuf>,
}

impl<'a> Tablebase<'a> {
    /// The finished table of a file.
    ///
    /// # Errors
    ///
    /// [`TablebaseError`] if the file cannot be read, is not finished, or is the table of another level. Where the
    /// positions are those of pebbles on a graph, a level that differs in its start alone has the same table.
    pub fn open(path: &Path, rules: &'a dyn Rules) -> Result<Self, TablebaseError> {
        let space = Space::new(rules)?;
        let memory = Memory::read(path).map_err(|source| TablebaseError::Read { path: path.into(), source })?;
        let header = checked(path, &memory, &space.numbering(rules))?;
        if !header.is_complete {
            return Err(TablebaseError::Unfinished { path: path.into(), n_layers: header.layers.len() });
        }
        Ok(Self { rules, space, header, memory, path: Some(path.into()) })
    }

    /// A table of which nothing is found, or one that is gone on with.
    pub(crate) fn begin(
        rules: &'a dyn Rules,
        space: Space<'a>,
        header: Header,
        path: Option<&Path>,
        resumes: bool,
    ) -> Result<Self, TablebaseError> {
        let bytes = HEAD as u64 + header.data_bytes();
        let Some(path) = path else {
            let failed = |source| TablebaseError::Write { path: "memory".into(), source };
            let memory = Memory::new(bytes as usize).map_err(failed)?;
            return Ok(Self { rules, space, header, memory, path: None });
        };
        let failed = |source| TablebaseError::Write { path: path.into(), source };
        if path.exists() {
            if !resumes {
                return Err(TablebaseError::Exists(path.into()));
            }
            let memory = Memory::open(path).map_err(failed)?;
            let begun = checked(path, &memory, &header.numbering)?;
            if begun.bits != header.bits {
                let (has, wanted) = (begun.bits.into(), header.bits.into());
                return Err(TablebaseError::OtherBits { path: path.into(), has, wanted });
            }
            if !begun.layers.is_empty() {
                return Ok(Self { rules, space, header: begun, memory, path: Some(path.into()) });
            }
            // Not even its goals are known: it is begun again.
            std::fs::remove_file(path).map_err(failed)?;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let memory = Memory::create(path, bytes).map_err(failed)?;
        memory.save(&header).map_err(failed)?;
        Ok(Self { rules, space, header, memory, path: Some(path.into()) })
    }

    /// Number of positions at each distance, from 0 to the largest.
    pub fn layers(&self) -> &[u64] {
        &self.header.layers
    }

    /// The positions at the largest distance, at most 1,000 of them.
    pub fn farthest(&self) -> impl Iterator<Item = StateCode> + '_ {
        let places = self.header.farthest.iter().map(|&(block, inner)| Place { block, inner });
        places.filter_map(|place| self.space.code(place))
    }

    /// The distance of a position; absent if no goal can be reached from it, or if it is none of the level.
    pub fn distance(&self, state: StateCode) -> Option<Distance> {
        let place = self.space.place(state)?;
        distance_of(&self.space, &self.header, &self.memory, place).map(Distance)
    }

    /// The distance of a position, and that behind each of its moves.
    ///
    /// # Errors
    ///
    /// [`OracleError`] if it is no position of the level.
    pub fn evaluate(&self, state: StateCode) -> Result<Evaluation, OracleError> {
        if self.space.place(state).is_none() {
            return Err(OracleError::UnknownState { state: self.rules.format_state(state) });
        }
        let value = |state| self.distance(state).map(Value::Distance);
        let before = value(state);
        let valued = |legal: plymap_puzzles::rules::LegalMove| {
            let after = value(legal.after);
            let regret = regret(legal.cost, before, after);
            ValuedMove { legal, after, regret }
        };
        let moves = self.rules.legal_moves(state).into_iter().map(valued).collect();
        Ok(Evaluation { state, is_goal: self.rules.is_goal(state), value: before, moves })
    }
}

/// The head of a file that is a table of these positions.
fn checked(path: &Path, memory: &Memory, expected: &Numbering) -> Result<Header, TablebaseError> {
    let not_a_table = |reason| TablebaseError::NotATable { path: path.into(), reason };
    let header = memory.header().map_err(not_a_table)?;
    if let Some(difference) = expected.difference(&header.numbering) {
        return Err(TablebaseError::OtherLevel { path: path.into(), difference });
    }
    let (has, should_have) = (memory.len() as u64, HEAD as u64 + header.data_bytes());
    if has != should_have {
        return Err(not_a_table(format!("it has {has} bytes, and its positions take {should_have}")));
    }
    Ok(header)
}

/// The distance of the position at a place; absent if no goal can be reached from it.
pub fn distance_of(space: &Space, header: &Header, memory: &Memory, mut place: Place) -> Option<u32> {
    let value = |place| header.bits.get(header, memory, place);
    match (header.bits, value(place)) {
        (_, 0) => None,
        (Bits::Eight, value) => Some(u32::from(value) - 1),
        // A neighbour is at most one move nearer the goal or farther from it, so that of three values in a circle the
        // one before is nearer.
        (Bits::Two, _) => (0..).find(|_| {
            let nearer = Bits::Two.value(u32::from(value(place)) + 1);
            let mut next = None;
            space.expand(place.block, &[place.inner], &mut |block, inner| {
                let place = Place { block, inner };
                if value(place) == nearer {
                    next.get_or_insert(place);
                }
            });
            place = next.unwrap_or(place);
            next.is_none()
        }),
    }
}
