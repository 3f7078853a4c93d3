//! Levels to be played in a browser, and what people do there, recorded.
//!
//! The page itself is plain JavaScript, in `play/`. It knows no game: it is given pictures, legal moves and how a hand makes
//! them, by the map of a level in one file ([`map_file()`]) or position by position ([`Position`]). What is done goes into a
//! [`Journal`], a log that plymap reads as it stands.

pub mod journal;
pub mod map_file;
pub mod position;

pub use journal::{
    Claim, Event, EventPage, Journal, JournalError, Lease, Numbering, Refused, Sender, claim_of, repair,
};
pub use map_file::{has_map, map_file};
pub use position::{Drawing, Position, played, started};

use plymap_puzzles::game::Gesture;
use serde_json::{Value, json};

/// A gesture as pages take it.
fn gesture(gesture: Option<Gesture>) -> Value {
    match gesture {
        None => Value::Null,
        Some(Gesture::Swipe(direction)) => json!({ "swipe": direction.name() }),
        Some(Gesture::Press { row, column }) => json!({ "press": [row, column] }),
    }
}
