#![doc = include_str!("../README.md")]

pub mod experiment;
pub mod journal;
pub mod map_file;
pub mod page_files;
mod page_gesture;
pub mod page_picture;
pub mod position;

pub use journal::{
    Claim, Event, EventPage, Journal, JournalError, Lease, Numbering, Refused, Sender, claim_of, repair,
};
pub use map_file::{has_map, map_file};
pub use position::{Drawing, Position, played, started};
