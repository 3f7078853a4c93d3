#![doc = include_str!("../README.md")]

pub mod experiment;
pub mod journal;
pub mod map_file;
pub mod page_picture;
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
