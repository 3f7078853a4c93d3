//! The numbers of states by their codes.

use plymap_puzzles::game::StateCode;

/// The numbers of the states of a table, found by open addressing (Knuth 1973, section 6.4).
pub(crate) struct Index<'a> {
    states: &'a [StateCode],
    /// Number + 1 of a state; 0 marks an empty slot. At most half full.
    slots: Vec<u32>,
}

/// An odd number near 2^64 divided by the golden ratio: multiplying by it spreads neighbouring codes.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl<'a> Index<'a> {
    /// The index of these states.
    ///
    /// # Errors
    ///
    /// The number of a state that is there twice.
    pub(crate) fn new(states: &'a [StateCode]) -> Result<Self, usize> {
        let n_slots = (2 * states.len()).next_power_of_two().max(2);
        let mut index = Self { states, slots: vec![0; n_slots] };
        for (number, &state) in states.iter().enumerate() {
            let slot = index.slot(state);
            if index.slots[slot] != 0 {
                return Err(number);
            }
            index.slots[slot] = number as u32 + 1;
        }
        Ok(index)
    }

    /// The number of a state; absent if the table does not hold it.
    pub(crate) fn find(&self, state: StateCode) -> Option<usize> {
        (self.slots[self.slot(state)] as usize).checked_sub(1)
    }

    /// The slot that holds the state, or the empty one in which it would be.
    fn slot(&self, state: StateCode) -> usize {
        let (low, high) = (state.0 as u64, (state.0 >> 64) as u64);
        let product = u128::from(low ^ high.rotate_left(29)) * u128::from(SPREAD);
        let last = self.slots.len() - 1;
        let mut slot = (product as u64 ^ (product >> 64) as u64) as usize & last;
        while self.slots[slot] != 0 && self.states[self.slots[slot] as usize - 1] != state {
            slot = (slot + 1) & last;
        }
        slot
    }
}
