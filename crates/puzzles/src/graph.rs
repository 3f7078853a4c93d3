//! The whole state graph of a level.
//!
//! A [`LevelMap`] holds every position that can be reached from the start, numbered in the order of
//! a breadth-first search (the start is node 0), and the [`StateGraph`] of the moves between them.
//! The graph implements petgraph's visit traits, so petgraph's algorithms run on it as it stands.

mod connectivity;
mod distances;
mod enumerate;
mod level_map;
pub mod metrics;
mod options;
mod ranked;
pub mod shortest_solutions;
mod state_graph;
mod visit;

pub use distances::{DistanceTable, UNREACHABLE};
pub use enumerate::enumerate;
pub use level_map::LevelMap;
pub use options::{MapError, MapOptions};
pub use state_graph::{Adjacency, StateGraph};
