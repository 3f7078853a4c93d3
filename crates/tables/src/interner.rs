//! Things numbered in the order in which they first came.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use foldhash::fast::RandomState;

/// Things in the order in which they first came, each once.
#[derive(Clone, Debug)]
pub struct Interner<T> {
    numbers: HashMap<T, u32, RandomState>,
    items: Vec<T>,
}

impl<T: Eq + Hash + Clone> Interner<T> {
    /// The number of a thing, which is the next one if it is new.
    pub fn number(&mut self, item: T) -> u32 {
        match self.numbers.entry(item) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                self.items.push(place.key().clone());
                *place.insert(self.items.len() as u32 - 1)
            }
        }
    }

    /// The number of a thing that came.
    pub fn get(&self, item: &T) -> Option<u32> {
        self.numbers.get(item).copied()
    }

    /// All things by their number.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Gives back what finding numbers takes, when all have come: what comes now is numbered anew.
    pub fn close(&mut self) {
        self.numbers = HashMap::default();
        self.items.shrink_to_fit();
    }

    /// The same, taken out.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { numbers: HashMap::default(), items: Vec::new() }
    }
}
