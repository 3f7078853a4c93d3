//! A gesture as pages take it.

use serde_json::{Value, json};

use plymap_puzzles::game::Gesture;

/// A gesture as pages take it.
pub(crate) fn gesture(gesture: Option<Gesture>) -> Value {
    match gesture {
        None => Value::Null,
        Some(Gesture::Swipe(direction)) => json!({ "swipe": direction.name() }),
        Some(Gesture::Press { row, column }) => json!({ "press": [row, column] }),
    }
}
