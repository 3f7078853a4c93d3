//! Integration tests of the crate.

#[path = "../../../puzzles/tests/it/fixtures.rs"]
#[expect(dead_code, reason = "the fixtures of puzzles, of which not all are used here")]
mod fixtures;
mod hitting_times;
mod random_walk;
#[path = "../../../puzzles/src/testing.rs"]
#[expect(dead_code, reason = "as above")]
mod testing;
