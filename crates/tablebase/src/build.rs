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
    /// Bits of each position.
    pub bits: Bits,
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
    let bits = options.bits;
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
        let layers = Layers { space, memory, marks: marks.bytes(0), progress: options.progress };
        let save = |header: &Header| if path.is_some() { memory.save(header).map_err(failed) } else { Ok(()) };
        options.progress.begin("positions by layers", Some(space.n_expected()));
        options.progress.advance(header.layers.iter().sum());
        let found = match bits {
            Bits::Two => layers.find(&Pairs::new(header, memory).map_err(failed)?, header, save),
            Bits::Eight => layers.find(&Bytes::new(header, memory), header, save),
        };
        options.progress.end();
        found?;
    }
    Ok(table)
}

/// The work on all layers of a table.
struct Layers<'a> {
    space: &'a Space<'a>,
    memory: &'a Memory,
    /// For each block whether it has positions of an even distance to be looked at, and of an odd one: a bit each.
    marks: &'a [AtomicU8],
    progress: &'a dyn Progress,
}

impl Layers<'_> {
    fn find(
        &self,
        store: &impl Store,
        header: &mut Header,
        save: impl Fn(&Header) -> Result<(), TablebaseError>,
    ) -> Result<(), TablebaseError> {
        let mut is_resumed = !header.layers.is_empty();
        if is_resumed {
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
            let mut n_new = self.for_all_blocks(|block, members| self.expand(store, block, distance, members))?;
            if is_resumed {
                // Some of them had been found before.
                n_new = self.for_all_blocks(|block, _| store.n_reached(block))? - header.layers.iter().sum::<u64>();
                is_resumed = false;
            }
            if n_new == 0 {
                break;
            }
            store.forget(distance);
            header.layers.push(n_new);
            save(header)?;
        }
        header.farthest = self.farthest(store, header);
        header.is_complete = true;
        save(header)
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
                let place = Place { block, inner };
                distance_of(self.space, header, self.memory, place) == Some(distance)
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
