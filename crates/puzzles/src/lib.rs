//! Puzzles and their whole state graphs: level files, rules, maps, distances to the goal, searches.
//!
//! ```text
//! level file ─> level ─> game ─> graph, search ─> rules ─> distance ─> valuation
//! ```
//!
//! A level of any game, its map and the value of every move:
//!
//! ```
//! use plymap_puzzles::distance::Oracle;
//! use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel};
//!
//! // Level 1 of "a Game About Rectangles": each letter is a piece, A is the red one.
//! let text = "BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n";
//! let level = LoadedLevel::from_text("level-1", text, Default::default(), &Default::default()).unwrap();
//! let level = ValuedLevel::new(level, "rush-hour", &Default::default()).unwrap();
//! assert_eq!(level.n_states(), Some(1_247));
//!
//! // The start is 8 moves from the goal, and 4 of its 11 legal moves are optimal.
//! let start = level.oracle().evaluate(level.rules.start()).unwrap();
//! assert_eq!((start.value.unwrap().number(), start.n_optimal(), start.moves.len()), (8.0, 4, 11));
//! ```

pub mod distance;
pub mod fault;
pub mod game;
pub mod graph;
pub mod level;
pub mod progress;
pub mod rules;
pub mod search;
pub mod valuation;
