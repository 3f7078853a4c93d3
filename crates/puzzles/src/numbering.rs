//! The numbers of states: an open-addressing table over packed codes.

/// A machine word that holds the code of a state.
pub(crate) trait Word: Copy + Eq + std::fmt::Debug {
    fn from_code(code: u128) -> Self;
    fn code(self) -> u128;
    fn hash(self) -> u64;
}

/// The golden ratio in 64 bits: multiplying by it spreads neighbouring codes (Knuth 1973, section 6.4).
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Word for u64 {
    fn from_code(code: u128) -> Self {
        code as u64
    }

    fn code(self) -> u128 {
        u128::from(self)
    }

    fn hash(self) -> u64 {
        // The upper half is folded in first: a product carries upwards only, and slots are taken from its highest
        // bits.
        (self ^ (self >> 32)).wrapping_mul(GOLDEN)
    }
}

impl Word for u128 {
    fn from_code(code: u128) -> Self {
        code
    }

    fn code(self) -> u128 {
        self
    }

    fn hash(self) -> u64 {
        // The products are turned against each other, or all codes with two equal halves would share the hash 0.
        (self as u64).wrapping_mul(GOLDEN).rotate_left(32) ^ ((self >> 64) as u64).wrapping_mul(GOLDEN).swap_bytes()
    }
}

/// The numbers of all codes seen so far: an open-addressing table of numbers beside the list of codes.
#[derive(Clone, Debug)]
pub(crate) struct Numbering<W> {
    words: Vec<W>,
    /// Number + 1 of the code in each slot; 0 marks an empty slot. At most half full.
    slots: Vec<u32>,
    shift: u32,
}

impl<W: Word> Numbering<W> {
    pub(crate) fn new() -> Self {
        Self { words: Vec::new(), slots: vec![0; 1 << 10], shift: 64 - 10 }
    }

    /// Number of words that were seen.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// All words seen, in the order of their numbers.
    pub(crate) fn words(&self) -> &[W] {
        &self.words
    }

    /// The number of a word, if it was seen.
    pub(crate) fn find(&self, word: W) -> Option<u32> {
        self.slots[self.slot(word)].checked_sub(1)
    }

    /// The slot that holds the word, or the empty one where it belongs.
    #[inline]
    fn slot(&self, word: W) -> usize {
        let last = self.slots.len() - 1;
        // Linear probing: the slots that come next lie in the cache line that is loaded already (Knuth 1973, section
        // 6.4).
        let mut slot = (word.hash() >> self.shift) as usize;
        loop {
            let number = self.slots[slot];
            if number == 0 || self.words[number as usize - 1] == word {
                return slot;
            }
            slot = (slot + 1) & last;
        }
    }

    /// The number of a word; a new one, which is the [`Numbering::len`] of before, if it was not seen yet.
    #[inline]
    pub(crate) fn number(&mut self, word: W) -> u32 {
        let slot = self.slot(word);
        let number = self.slots[slot];
        if number != 0 {
            return number - 1;
        }
        self.words.push(word);
        let number = self.words.len() as u32;
        self.slots[slot] = number;
        // Half full at most, since runs of taken slots grow fast beyond. Slots hold numbers of 32 bits and not codes,
        // so that empty ones cost little.
        if self.words.len() * 2 > self.slots.len() {
            self.grow();
        }
        number - 1
    }

    fn grow(&mut self) {
        let n_slots = self.slots.len() * 2;
        self.shift -= 1;
        self.slots = vec![0; n_slots];
        for number in 0..self.words.len() {
            let slot = self.slot(self.words[number]);
            self.slots[slot] = number as u32 + 1;
        }
    }

    /// Memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * size_of::<W>() + self.slots.len() * size_of::<u32>()
    }
}
