//! One database for all levels of a frame.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::{Database, kept, n_placements, parted};
use crate::game::sliding_tiles::frame::Frame;
use crate::game::{Preparation, ValueError};

/// The frame and the cell of the blank in the goal.
type Key = (usize, usize, usize);

/// The databases that some level still holds. It is held while one is computed too, so that each is computed once.
static HELD: Mutex<Vec<(Key, Weak<Database>)>> = Mutex::new(Vec::new());

impl Database {
    /// The database of a frame whose goal has the blank on a cell: that of another level, or a kept one, or else it is
    /// computed now and kept.
    ///
    /// # Errors
    ///
    /// As for [`Database::new`].
    pub fn shared(frame: &Frame, blank: usize, preparation: &Preparation) -> Result<Arc<Self>, ValueError> {
        let key = (frame.width, frame.height, blank);
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(_, database)| database.strong_count() > 0);
        if let Some(database) = held.iter().find(|(known, _)| *known == key).and_then(|(_, held)| held.upgrade()) {
            return Ok(database);
        }
        let database = match Self::kept(frame, blank, preparation) {
            Some(database) => database,
            None => Self::computed(frame, blank, preparation)?,
        };
        let database = Arc::new(database);
        held.push((key, Arc::downgrade(&database)));
        Ok(database)
    }

    fn kept(frame: &Frame, blank: usize, preparation: &Preparation) -> Option<Self> {
        let (store, words) = (preparation.store?, in_words(frame, blank));
        let key = store_key(&words);
        let from = store.open(&key)?;
        let patterns = kept::read_patterns(from, &words, frame.n_cells(), &parted(frame, blank));
        if patterns.is_none() {
            store.note_damage(&key);
        }
        Some(Self::of_patterns(frame, blank, patterns?))
    }

    fn computed(frame: &Frame, blank: usize, preparation: &Preparation) -> Result<Self, ValueError> {
        let parted = parted(frame, blank);
        let database = Self::new(frame, blank, &parted, preparation.progress)?;
        if let Some(store) = preparation.store.filter(|_| n_placements(frame, &parted) >= MIN_KEPT) {
            let words = in_words(frame, blank);
            // A database that cannot be kept is as good as one that is; it is computed anew the next time.
            let _ = store.keep(&store_key(&words), &mut |to| kept::write_database(&database, &words, to));
        }
        Ok(database)
    }
}

/// Databases of fewer placements are computed faster than they are worth keeping.
const MIN_KEPT: u64 = 500_000;

/// The frame and the cell of the blank in the goal.
pub(super) fn in_words(frame: &Frame, blank: usize) -> String {
    format!("{}x{}-blank-{blank}", frame.width, frame.height)
}

/// Under what a database is kept.
pub(super) fn store_key(words: &str) -> String {
    format!("sliding-tiles-{words}.patterns")
}
