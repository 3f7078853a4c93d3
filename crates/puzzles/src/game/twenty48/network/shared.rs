//! One network for all levels that ask for the same lesson.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::super::kept;
use super::learn::Lesson;
use super::tuples::Tuples;
use super::weights::Network;
use crate::game::{Preparation, ValueError};

/// The networks that some level still holds. It is held while a network learns too, so that each learns once,
/// and no two at a time, as each needs much memory.
static HELD: Mutex<Vec<(Lesson, Weak<Network>)>> = Mutex::new(Vec::new());

impl Network {
    /// The network that a lesson makes: that of another level, or a kept one, or else it learns now and is kept.
    ///
    /// # Errors
    ///
    /// As for [`Network::learned`].
    pub fn shared(lesson: &Lesson, preparation: &Preparation) -> Result<Arc<Self>, ValueError> {
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(_, network)| network.strong_count() > 0);
        if let Some(network) = held.iter().find(|(known, _)| known == lesson).and_then(|(_, network)| network.upgrade())
        {
            return Ok(network);
        }
        let network = match Self::kept(lesson, preparation) {
            Some(network) => network,
            None => Self::learned_and_kept(lesson, preparation)?,
        };
        let network = Arc::new(network);
        held.push((*lesson, Arc::downgrade(&network)));
        Ok(network)
    }

    fn kept(lesson: &Lesson, preparation: &Preparation) -> Option<Self> {
        let (store, key) = (preparation.store?, store_key(lesson));
        let network = kept::read_network(store.open(&key)?, &lesson.in_words(), Tuples::of_lesson(lesson));
        network.or_else(|| {
            store.note_damage(&key);
            None
        })
    }

    fn learned_and_kept(lesson: &Lesson, preparation: &Preparation) -> Result<Self, ValueError> {
        let network = Self::learned(lesson, preparation.progress)?;
        if let Some(store) = preparation.store {
            // A network that cannot be kept is as good as one that is; it learns anew the next time.
            let _ = store.keep(&store_key(lesson), &mut |to| kept::write_network(&network, &lesson.in_words(), to));
        }
        Ok(network)
    }
}

/// Under what a network is kept.
pub(crate) fn store_key(lesson: &Lesson) -> String {
    format!("2048-network-{}.weights", lesson.in_words())
}
