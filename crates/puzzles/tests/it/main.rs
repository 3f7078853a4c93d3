//! All integration tests in one binary: each further one would link everything again.

mod fixtures;
mod games;
mod laws;
mod level_settings;
mod levels;
mod red_piece;
mod rush_hour;
mod sights;
mod sliding_tiles;
mod studies;
#[path = "../../src/testing.rs"]
mod testing;
mod thought;
