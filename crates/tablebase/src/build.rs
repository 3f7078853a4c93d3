//! Distances by layers: the neighbours of positions at one distance that have none yet are at the next.

use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use plymap_puzzles::progress::Progress;
use plymap_puzzles::rules::Rules;
use rayon::prelude::*;

use crate::error::TablebaseError;
use crate::header::{Bits, Header};
use crate::memory::Memory;
use crate::place::Place;
use crate::space::Space;
use crate::store::{Bytes, Pairs, Store};
use crate::table::{Tablebase, distance_of};

/// Options of building a table.
#[derive(Clone, Copy)]
pub struct BuildOptions<'a> {
    /// Bits of each position; absent for those of the file that is gone on with, or else two.
    pub bits: Option<Bits>,
    /// The file of the table; in memory alone where there is none.
    pub file: Option<&'a Path>,
    /// `true` to go on with a file that is there.
    pub resumes: bool,
    /// The most bytes of memory, those of the mapped file included.
    pub max_memory: u64,
    /// Told about progress in positions, and asked whether to stop.
    pub progress: &'a dyn Progress,
}

/// Blocks that one thread looks at before it asks whether to stop.
const CHUNK: u64 = 256;

/// Number of the farthest positions that a table keeps.
const N_FARTHEST: usize = 1000;

/// The distances of all positions of a level, by retrograde analysis (Ströhlein 1970; Thompson 1986. *ICCA Journal*, 9,
/// 131–139): goals first, then those one move away, and so on.
///
/// Each layer that is complete is written to the file, so that a table that was interrupted can be gone on with.
///
/// # Errors
///
/// [`TablebaseError`] if the level can have no table of these options, the file cannot be written or is of another
/// level, or the caller asks to stop.
pub fn build<'a>(rules: &'a dyn Rules, options: &BuildOptions) -> Result<Tablebase<'a>, TablebaseError> {
    let space = Space::new(rules)?;
    let begun = options.file.filter(|path| options.resumes && path.exists()).map(Tablebase::head).transpose()?;
    let bits = options.bits.or(begun.map(|begun| begun.bits)).unwrap_or_default();
    let (n_blocks, block_len) = (space.n_blocks(), space.block_len());
    let header = Header {
        numbering: space.numbering(rules),
        bits,
        block_len,
        block_bytes: bits.block_bytes(block_len),
        n_blocks,
        layers: Vec::new(),
        is_complete: false,
        farthest: Vec::new(),
    };
    let n_positions = n_blocks * block_len as u64;
    let (bytes, allowed) = (bits.memory(n_blocks, block_len), options.max_memory);
    if bytes > allowed {
        let smaller = bits != Bits::Two && Bits::Two.memory(n_blocks, block_len) <= allowed;
        return Err(TablebaseError::TooLarge { n_positions, bytes, allowed, smaller });
    }
    let mut table = Tablebase::begin(rules, space, header, options.file, options.resumes)?;
    let Tablebase { space, header, memory, path, .. } = &mut table;
    if !header.is_complete {
        let failed = |source| TablebaseError::Write { path: path.clone().unwrap_or_else(|| "memory".into()), source };
        let marks = Memory::new(n_blocks as usize).map_err(failed)?;
        let (marks, is_kept) = (marks.bytes(0), path.is_some());
        let layers = Layers { space, memory, marks, is_kept, progress: options.progress };
        let save = |header: &Header| if is_kept { memory.save(header).map_err(failed) } else { Ok(()) };
        options.progress.begin("positions by layers", Some(space.n_expected()));
        options.progress.advance(header.layers.iter().sum());
        let found = match bits {
            Bits::Two => layers.find(&Pairs::new(header, memory).map_err(failed)?, header, save),
            Bits::Eight => layers.find(&Bytes::new(header, memory), header, save),
        };
        options.progress.end();
        if let (Err(TablebaseError::TooFar), Some(path)) = (&found, &path) {
            // It cannot be gone on with.
            std::fs::remove_file(path).map_err(failed)?;
        }
        found.map_err(|error| error.in_file(path.as_deref()))?;
    }
    Ok(table)
}

/// The work on all layers of a table.
struct Layers<'a> {
    space: &'a Space<'a>,
    memory: &'a Memory,
    /// For each block whether it has positions of an even distance to be looked at, and of an odd one: a bit each.
    marks: &'a [AtomicU8],
    /// True if it is the table of a file.
    is_kept: bool,
    progress: &'a dyn Progress,
}

impl Layers<'_> {
    fn find(
        &self,
        store: &impl Store,
        header: &mut Header,
        save: impl Fn(&Header) -> Result<(), TablebaseError>,
    ) -> Result<(), TablebaseError> {
        let mut found_before = 0;
        if !header.layers.is_empty() {
            found_before = self.found_of_next(store, header)?;
            store.resume(header.largest() as u32);
            self.marks.par_iter().for_each(|marks| marks.store(0b11, Relaxed));
        } else {
            let n_goals = self.for_all_blocks(|block, _| {
                let is_new = |&place: &Place| store.reach(place, 0);
                let goals = self.space.goals(block).into_iter().filter(is_new);
                goals.inspect(|goal| self.mark(goal.block, 0)).count() as u64
            })?;
            header.layers.push(n_goals);
            save(header)?;
        }
        loop {
            let distance = header.largest() as u32;
            if header.bits == Bits::Eight && distance == u32::from(u8::MAX) - 1 {
                return Err(TablebaseError::TooFar);
            }
            let n_new = self.for_all_blocks(|block, members| self.expand(store, block, distance, members))?;
            let n_new = n_new + std::mem::take(&mut found_before);
            if n_new == 0 {
                break;
            }
            store.forget(distance);
            header.layers.push(n_new);
            save(header)?;
        }
        header.farthest = self.farthest(store, header);
        header.is_complete = true;
        if self.is_kept {
            self.memory.seal(header);
        }
        save(header)
    }

    /// Number of positions that were found behind the largest distance that is complete, before the work was
    /// interrupted. What stands for each other distance has to be there as often as the head says.
    fn found_of_next(&self, store: &impl Store, header: &Header) -> Result<u64, TablebaseError> {
        let mut counts = [0; 256];
        (0..self.space.n_blocks()).for_each(|block| store.count(block, &mut counts));
        for (distance, &n_positions) in (0..).zip(&header.layers) {
            let count = &mut counts[usize::from(header.bits.value(distance))];
            *count = count.checked_sub(n_positions).ok_or(TablebaseError::Miscounted)?;
        }
        counts[0] = 0;
        let found = std::mem::take(&mut counts[usize::from(header.bits.value(header.layers.len() as u32))]);
        if counts.iter().all(|&count| count == 0) { Ok(found) } else { Err(TablebaseError::Miscounted) }
    }

    /// Sets the distance of all neighbours of the positions of a block that are at a distance; how many had none.
    fn expand(&self, store: &impl Store, block: u64, distance: u32, members: &mut Vec<u16>) -> u64 {
        let mark = 1 << (distance % 2);
        let marks = &self.marks[block as usize];
        if marks.load(Relaxed) & mark == 0 {
            return 0;
        }
        marks.fetch_and(!mark, Relaxed);
        members.clear();
        store.members(block, distance, members);
        let mut n_new = 0;
        self.space.expand(block, members, &mut |block, inner| {
            if store.reach(Place { block, inner }, distance + 1) {
                n_new += 1;
                self.mark(block, distance + 1);
            }
        });
        self.progress.advance(members.len() as u64);
        n_new
    }

    #[inline]
    fn mark(&self, block: u64, distance: u32) {
        let (marks, mark) = (&self.marks[block as usize], 1 << (distance % 2));
        if marks.load(Relaxed) & mark == 0 {
            marks.fetch_or(mark, Relaxed);
        }
    }

    /// The sum of something over all blocks, which may use a list of its own.
    fn for_all_blocks(&self, of_block: impl Fn(u64, &mut Vec<u16>) -> u64 + Sync) -> Result<u64, TablebaseError> {
        let n_blocks = self.space.n_blocks();
        let sum = AtomicU64::new(0);
        (0..n_blocks.div_ceil(CHUNK)).into_par_iter().try_for_each_init(Vec::new, |members, chunk| {
            if self.progress.is_cancelled() {
                return Err(TablebaseError::Interrupted);
            }
            let blocks = chunk * CHUNK..n_blocks.min((chunk + 1) * CHUNK);
            sum.fetch_add(blocks.map(|block| of_block(block, members)).sum(), Relaxed);
            Ok(())
        })?;
        Ok(sum.into_inner())
    }

    /// The first of the farthest positions.
    fn farthest(&self, store: &impl Store, header: &Header) -> Vec<(u64, u16)> {
        let distance = header.largest() as u32;
        let mut farthest = Vec::new();
        let mut members = Vec::new();
        for block in 0..self.space.n_blocks() {
            members.clear();
            store.members(block, distance, &mut members);
            // After a table was gone on with at its last layer, there are nearer ones among them.
            let is_farthest = |&inner: &u16| {
                let value = |place| header.bits.get(header, self.memory, place);
                distance_of(self.space, header, &value, Place { block, inner }) == Some(distance)
            };
            farthest.extend(members.iter().copied().filter(is_farthest).map(|inner| (block, inner)));
            if farthest.len() >= N_FARTHEST {
                farthest.truncate(N_FARTHEST);
                break;
            }
        }
        farthest
    }
}
