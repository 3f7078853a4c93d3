//! What a table keeps of each position: its distance as one byte, or modulo 3 in two bits.

use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use crate::header::{Bits, HEAD, Header};
use crate::memory::Memory;
use crate::place::Place;

impl Bits {
    /// Bytes of a block of so many positions: a multiple of a word of memory, and of one of the bits of a layer.
    pub fn block_bytes(self, block_len: usize) -> usize {
        match self {
            Self::Two => block_len.div_ceil(64) * 2 * size_of::<u64>(),
            Self::Eight => block_len.next_multiple_of(size_of::<u64>()),
        }
    }

    /// Bytes of memory for so many blocks while their distances are found.
    pub fn memory(self, n_blocks: u64, block_len: usize) -> u64 {
        let layers = if self == Self::Two { self.block_bytes(block_len) as u64 } else { 0 };
        n_blocks * (self.block_bytes(block_len) as u64 + layers + 1)
    }

    /// What stands for a distance: never 0, which stands for a position that was not reached.
    #[inline]
    pub fn value(self, distance: u32) -> u8 {
        match self {
            Self::Two => 1 + (distance % 3) as u8,
            Self::Eight => 1 + distance as u8,
        }
    }

    /// What stands at a place.
    pub fn get(self, header: &Header, memory: &Memory, Place { block, inner }: Place) -> u8 {
        let start = HEAD + block as usize * header.block_bytes;
        match self {
            Self::Two => memory.bytes(start)[usize::from(inner / 4)].load(Relaxed) >> (inner % 4 * 2) & 0b11,
            Self::Eight => memory.bytes(start)[usize::from(inner)].load(Relaxed),
        }
    }
}

/// The distances of all positions while they are found, written by several threads.
pub trait Store: Sync {
    /// Sets the distance of a position that has none yet; `true` if it had none.
    fn reach(&self, place: Place, distance: u32) -> bool;

    /// Appends the positions of a block at this distance, the largest that is known or the one before it.
    fn members(&self, block: u64, distance: u32, members: &mut Vec<u16>);

    /// Adds the number of positions of a block by what stands for their distance; 0 for those that have none.
    fn count(&self, block: u64, counts: &mut [u64; 256]);

    /// Prepares to go on where all positions up to this distance are known, and some of the next one.
    fn resume(&self, distance: u32);

    /// The positions at this distance are done with.
    fn forget(&self, distance: u32);
}

/// The distance of each position as one byte.
pub struct Bytes<'a> {
    bytes: &'a [AtomicU8],
    words: &'a [AtomicU64],
    block_bytes: usize,
}

impl<'a> Bytes<'a> {
    pub fn new(header: &Header, memory: &'a Memory) -> Self {
        Self { bytes: memory.bytes(HEAD), words: memory.words(HEAD), block_bytes: header.block_bytes }
    }

    fn words(&self, block: u64) -> &[AtomicU64] {
        let n_words = self.block_bytes / size_of::<u64>();
        &self.words[block as usize * n_words..][..n_words]
    }
}

/// The lowest bit of each byte of a word.
const EACH_BYTE: u64 = u64::MAX / 0xff;

/// The highest bits of those bytes of a word that are 0.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    // No carry leaves its byte, so that each is told by itself.
    let low = 0x7f * EACH_BYTE;
    !(((word & low) + low) | word | low)
}

/// The positions of the bits that are set.
#[inline]
fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            bit
        })
    })
}

impl Store for Bytes<'_> {
    #[inline]
    fn reach(&self, Place { block, inner }: Place, distance: u32) -> bool {
        let byte = &self.bytes[block as usize * self.block_bytes + usize::from(inner)];
        byte.load(Relaxed) == 0 && byte.swap(Bits::Eight.value(distance), Relaxed) == 0
    }

    fn members(&self, block: u64, distance: u32, members: &mut Vec<u16>) {
        let each = u64::from(Bits::Eight.value(distance)) * EACH_BYTE;
        for (word, at) in self.words(block).iter().zip((0..).step_by(8)) {
            let found = zero_bytes(u64::from_le(word.load(Relaxed)) ^ each);
            members.extend(ones(found).map(|bit| at + (bit / 8) as u16));
        }
    }

    fn count(&self, block: u64, counts: &mut [u64; 256]) {
        let bytes = &self.bytes[block as usize * self.block_bytes..][..self.block_bytes];
        bytes.iter().for_each(|byte| counts[usize::from(byte.load(Relaxed))] += 1);
    }

    fn resume(&self, _distance: u32) {}

    fn forget(&self, _distance: u32) {}
}

/// The distance of each position modulo 3 in two bits; 0 where it is not known. Beside them one bit of each position for
/// the largest distance, and one for the distance before it.
pub struct Pairs<'a> {
    words: &'a [AtomicU64],
    /// Words of a block in [`Pairs::layers`], half of those in [`Pairs::words`].
    block_words: usize,
    layers: [Memory; 2],
}

impl<'a> Pairs<'a> {
    pub fn new(header: &Header, memory: &'a Memory) -> io::Result<Self> {
        let layer = || Memory::new(header.data_bytes() as usize / 2);
        Ok(Self {
            words: memory.words(HEAD),
            block_words: header.block_bytes / (2 * size_of::<u64>()),
            layers: [layer()?, layer()?],
        })
    }

    /// The bits of the positions at a distance.
    #[inline]
    fn layer(&self, distance: u32) -> &[AtomicU64] {
        self.layers[distance as usize % 2].words(0)
    }

    fn pairs(&self, block: u64) -> &[AtomicU64] {
        &self.words[block as usize * self.block_words * 2..][..self.block_words * 2]
    }
}

/// The lower bit of each pair of a word.
const EACH_PAIR: u64 = u64::MAX / 0b11;

impl Store for Pairs<'_> {
    #[inline]
    fn reach(&self, Place { block, inner }: Place, distance: u32) -> bool {
        let pair = block as usize * self.block_words * 64 + usize::from(inner);
        let (word, shift) = (&self.words[pair / 32], pair % 32 * 2);
        if word.load(Relaxed) >> shift & 0b11 != 0 {
            return false;
        }
        // Others may write the same value at the same time, and no other one: whoever is first has reached it.
        let before = word.fetch_or(u64::from(Bits::Two.value(distance)) << shift, Relaxed);
        let is_first = before >> shift & 0b11 == 0;
        if is_first {
            self.layer(distance)[pair / 64].fetch_or(1 << (pair % 64), Relaxed);
        }
        is_first
    }

    fn members(&self, block: u64, distance: u32, members: &mut Vec<u16>) {
        let layer = &self.layer(distance)[block as usize * self.block_words..][..self.block_words];
        for (word, at) in layer.iter().zip((0..).step_by(64)) {
            members.extend(ones(word.load(Relaxed)).map(|bit| at + bit as u16));
        }
    }

    fn count(&self, block: u64, counts: &mut [u64; 256]) {
        for word in self.pairs(block) {
            let word = word.load(Relaxed);
            let (low, high) = (word & EACH_PAIR, word >> 1 & EACH_PAIR);
            counts[1] += u64::from((low & !high).count_ones());
            counts[2] += u64::from((high & !low).count_ones());
            counts[3] += u64::from((low & high).count_ones());
        }
    }

    /// The file does not tell a distance from one that differs by 3. Those nearer the goals, which have no neighbours
    /// left to reach, are looked at once more.
    fn resume(&self, distance: u32) {
        for distance in [distance, distance + 1] {
            let each = u64::from(Bits::Two.value(distance)) * EACH_PAIR;
            for (pairs, layer) in self.words.chunks_exact(2).zip(self.layer(distance)) {
                let of_pairs = |pairs: &AtomicU64| {
                    let differing = pairs.load(Relaxed) ^ each;
                    let equal = !(differing | differing >> 1) & EACH_PAIR;
                    ones(equal).fold(0u64, |bits, bit| bits | 1 << (bit / 2))
                };
                let bits = of_pairs(&pairs[0]) | of_pairs(&pairs[1]) << 32;
                if bits != 0 {
                    layer.store(bits, Relaxed);
                }
            }
        }
    }

    fn forget(&self, distance: u32) {
        for word in self.layer(distance) {
            if word.load(Relaxed) != 0 {
                word.store(0, Relaxed);
            }
        }
    }
}
