#![doc = include_str!("../README.md")]

mod joins;
mod limits;
mod pattern;
mod sandbox;
mod value;

pub use limits::{LONGEST_TEXT, Limits};
pub use sandbox::{Problem, Room, SCRIPT, Sandbox};
pub use value::{Key, Kind, MAX_BYTES, MAX_DEPTH, MAX_ENTRIES, Unfit, Value, described, is_list};
