//! The member crates against recorded play, and against what was published or computed elsewhere about it.
//!
//! Recorded data belong to the repository and not to the packages of these crates: docs/recorded_data.md.

mod choice;
mod labs;
mod levels;
mod mixed;
mod rush_hour;
mod thought;
mod tower_of_london;
