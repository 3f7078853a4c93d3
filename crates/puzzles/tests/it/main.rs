//! All integration tests in one binary: each further one would link everything again.

mod fixtures;
mod games;
mod laws;
mod levels;
mod random_walk;
mod rush_hour;
mod studies;
#[path = "../../src/testing.rs"]
mod testing;
mod thought;
