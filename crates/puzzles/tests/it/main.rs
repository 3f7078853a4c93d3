//! All integration tests in one binary: each further one would link everything again.

mod fixtures;
mod games;
mod laws;
mod levels;
mod published;
#[path = "../../../../tests/it/recorded_data.rs"]
mod recorded_data;
mod rush_hour;
mod studies;
