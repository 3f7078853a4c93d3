//! One database for all levels of a frame.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::Database;
use crate::game::sliding_tiles::frame::Frame;
use crate::game::{Preparation, ValueError};

/// The frame and the cell of the blank in the goal.
type Key = (usize, usize, usize);

/// The databases that some level still holds. It is held while one is computed too, so that each is computed once.
static HELD: Mutex<Vec<(Key, Weak<Database>)>> = Mutex::new(Vec::new());

impl Database {
    /// The database of a frame whose goal has the blank on a cell: that of another level, or else it is computed now.
    ///
    /// # Errors
    ///
    /// [`ValueError::Interrupted`] if the caller asks to stop.
    pub fn shared(frame: &Frame, blank: usize, preparation: &Preparation) -> Result<Arc<Self>, ValueError> {
        let key = (frame.width, frame.height, blank);
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(_, database)| database.strong_count() > 0);
        if let Some(database) = held.iter().find(|(known, _)| *known == key).and_then(|(_, held)| held.upgrade()) {
            return Ok(database);
        }
        let database = Arc::new(Self::new(frame, blank, preparation.progress)?);
        held.push((key, Arc::downgrade(&database)));
        Ok(database)
    }
}
