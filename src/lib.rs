//! plymap turns the logs of people playing puzzles into results that a paper can print.

pub mod analysis;
pub mod chart;
pub mod distance;
pub mod fault;
pub mod figures;
pub mod game;
pub mod graph;
pub mod label;
pub mod level;
pub mod log;
pub mod mapping;
pub mod measure;
pub mod player;
pub mod progress;
pub mod report;
pub mod run;
pub mod stats;
pub mod study;
pub mod table;
