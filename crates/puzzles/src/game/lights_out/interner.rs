//! Numbers for sets of lamps that are too wide for a code of their own.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::bits::Bits;

/// Numbers each set when it is first seen. The numbers hold for one level in one run; memory grows by about
/// three times the size of a set with each new one.
#[derive(Debug)]
pub(super) struct Interner<B> {
    interned: Mutex<Interned<B>>,
}

#[derive(Debug)]
struct Interned<B> {
    numbers: HashMap<B, u64>,
    sets: Vec<B>,
}

impl<B: Bits> Interner<B> {
    pub fn new() -> Self {
        Self { interned: Mutex::new(Interned { numbers: HashMap::new(), sets: Vec::new() }) }
    }

    /// The number of a set; a new one if it was not seen before.
    pub fn number(&self, set: B) -> u64 {
        let mut interned = self.lock();
        let next = interned.sets.len() as u64;
        let number = *interned.numbers.entry(set).or_insert(next);
        if number == next {
            interned.sets.push(set);
        }
        number
    }

    /// The set with this number; the empty one if the number was never given.
    pub fn set(&self, number: u64) -> B {
        self.lock().sets.get(number as usize).copied().unwrap_or(B::EMPTY)
    }

    /// A panic elsewhere leaves at worst a number without its set, which `set` bears.
    fn lock(&self) -> MutexGuard<'_, Interned<B>> {
        self.interned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
