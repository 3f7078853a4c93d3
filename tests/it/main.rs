//! All integration tests in one binary: each further one would link everything again.

mod common;
mod laws;
mod levels;
mod logs;
mod published;
mod report;
mod rush_hour;
mod stats;
