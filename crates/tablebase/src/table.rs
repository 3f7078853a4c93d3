//! A table of the distances of all positions of a level.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use plymap_puzzles::distance::{Evaluation, ValuedMove, regret};
use plymap_puzzles::game::{Distance, StateCode, Value};
use plymap_puzzles::rules::{LegalMove, Rules};

use crate::error::TablebaseError;
use crate::header::{Bits, Header, PART};
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
    /// The parts of a file that were compared with their checksums.
    checked: Vec<AtomicBool>,
}

impl<'a> Tablebase<'a> {
    /// The finished table of a file.
    ///
    /// # Errors
    ///
    /// [`TablebaseError`] if the file cannot be read, is not finished, or is the table of another level. A level that
    /// differs in its start alone has the same table.
    pub fn open(path: &Path, rules: &'a dyn Rules) -> Result<Self, TablebaseError> {
        let space = Space::new(rules)?;
        let (memory, header) = Self::read(path)?;
        checked(path, &memory, &header, &space.numbering(rules))?;
        if !header.is_complete {
            return Err(TablebaseError::Unfinished { path: path.into(), n_layers: header.layers.len() });
        }
        Ok(Self::new(rules, space, header, memory, Some(path)))
    }

    fn new(rules: &'a dyn Rules, space: Space<'a>, header: Header, memory: Memory, path: Option<&Path>) -> Self {
        let n_parts = if path.is_some() { header.n_parts() } else { 0 };
        let checked = (0..n_parts).map(|_| AtomicBool::new(false)).collect();
        Self { rules, space, header, memory, path: path.map(Path::to_owned), checked }
    }

    fn read(path: &Path) -> Result<(Memory, Header), TablebaseError> {
        if path.is_dir() {
            return Err(TablebaseError::NotATable { path: path.into(), reason: "it is a folder".to_owned() });
        }
        let memory = Memory::read(path).map_err(|source| TablebaseError::Read { path: path.into(), source })?;
        let header = memory.header();
        let header = header.map_err(|reason| TablebaseError::NotATable { path: path.into(), reason })?;
        Ok((memory, header))
    }

    /// The head of a file.
    pub(crate) fn head(path: &Path) -> Result<Header, TablebaseError> {
        Self::read(path).map(|(_, header)| header)
    }

    /// A table of which nothing is found, or one that is gone on with.
    pub(crate) fn begin(
        rules: &'a dyn Rules,
        space: Space<'a>,
        header: Header,
        path: Option<&Path>,
        resumes: bool,
    ) -> Result<Self, TablebaseError> {
        let Some(path) = path else {
            let failed = |source| TablebaseError::Write { path: "memory".into(), source };
            let memory = Memory::new(header.file_bytes() as usize).map_err(failed)?;
            return Ok(Self::new(rules, space, header, memory, None));
        };
        let failed = |source| TablebaseError::Write { path: path.into(), source };
        if path.exists() {
            if !resumes {
                return Err(TablebaseError::Exists(path.into()));
            }
            let (memory, begun) = Self::read(path)?;
            if !begun.layers.is_empty() {
                checked(path, &memory, &begun, &header.numbering)?;
                if begun.bits != header.bits {
                    let (has, wanted) = (begun.bits.into(), header.bits.into());
                    return Err(TablebaseError::OtherBits { path: path.into(), has, wanted });
                }
                let memory = if begun.is_complete { memory } else { Memory::open(path).map_err(failed)? };
                return Ok(Self::new(rules, space, begun, memory, Some(path)));
            }
            // Not even its goals are known: it is begun again.
            std::fs::remove_file(path).map_err(failed)?;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let memory = Memory::create(path, &header).map_err(failed)?;
        Ok(Self::new(rules, space, header, memory, Some(path)))
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

    /// The distance of a position; absent if no goal can be reached from it.
    ///
    /// # Errors
    ///
    /// [`TablebaseError`] if it is no position of the level, or the file is damaged where it stands.
    pub fn distance(&self, state: StateCode) -> Result<Option<Distance>, TablebaseError> {
        let unknown = || TablebaseError::NoPosition(self.rules.format_state(state));
        let place = self.space.place(state).ok_or_else(unknown)?;
        let damaged = Cell::new(None);
        let value = |place: Place| {
            if let Some(byte) = self.damage(place) {
                damaged.set(Some(byte));
            }
            self.header.bits.get(&self.header, &self.memory, place)
        };
        let distance = distance_of(&self.space, &self.header, &value, place);
        match (damaged.into_inner(), &self.path) {
            (Some(byte), Some(path)) => Err(TablebaseError::Damaged { path: path.clone(), byte }),
            _ => Ok(distance.map(Distance)),
        }
    }

    /// The first byte of the part of a file in which a position stands, if the part is damaged.
    fn damage(&self, Place { block, inner }: Place) -> Option<usize> {
        let inner = usize::from(inner) * usize::from(u8::from(self.header.bits)) / 8;
        let part = (block as usize * self.header.block_bytes + inner) / PART;
        let is_checked = self.checked.get(part)?;
        if !is_checked.load(Relaxed) && !self.memory.is_whole(&self.header, part) {
            return Some(crate::header::HEAD + part * PART);
        }
        is_checked.store(true, Relaxed);
        None
    }

    /// The distance of a position, and that behind each of its moves.
    ///
    /// # Errors
    ///
    /// As for [`Self::distance`].
    pub fn evaluate(&self, state: StateCode) -> Result<Evaluation, TablebaseError> {
        let value = |state| Ok::<_, TablebaseError>(self.distance(state)?.map(Value::Distance));
        let before = value(state)?;
        let valued = |legal: LegalMove| {
            let after = value(legal.after)?;
            let regret = regret(legal.cost, before, after);
            Ok(ValuedMove { legal, after, regret })
        };
        let moves = self.rules.legal_moves(state).into_iter().map(valued).collect::<Result<_, TablebaseError>>()?;
        Ok(Evaluation { state, is_goal: self.rules.is_goal(state), value: before, moves })
    }
}

/// Checks that a file is a table of these positions.
fn checked(path: &Path, memory: &Memory, header: &Header, expected: &Numbering) -> Result<(), TablebaseError> {
    if let Some(difference) = expected.difference(&header.numbering) {
        return Err(TablebaseError::OtherLevel { path: path.into(), difference });
    }
    let (has, should_have) = (memory.len() as u64, header.file_bytes());
    if has != should_have {
        let reason = format!("it has {has} bytes, and a table of these positions takes {should_have}");
        return Err(TablebaseError::NotATable { path: path.into(), reason });
    }
    Ok(())
}

/// The distance of the position at a place, from what stands at each; absent if no goal can be reached from it.
pub fn distance_of(space: &Space, header: &Header, value: &impl Fn(Place) -> u8, mut place: Place) -> Option<u32> {
    match (header.bits, value(place)) {
        (_, 0) => None,
        (Bits::Eight, value) => Some(u32::from(value) - 1),
        // A neighbour is at most one move nearer the goal or farther from it, so that of three values in a circle the
        // one before is nearer.
        (Bits::Two, _) => (0..header.layers.len() as u32).find(|_| {
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
