#![doc = include_str!("../README.md")]

pub mod diagnostic;
pub mod distance;
pub mod foreign;
pub mod game;
pub mod graph;
pub mod level;
pub(crate) mod numbering;
pub mod progress;
pub mod registry;
pub mod rules;
pub mod search;
#[cfg(test)]
mod testing;
pub mod thought;
pub mod valuation;
