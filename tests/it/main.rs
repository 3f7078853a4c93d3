//! All integration tests in one binary: each further one would link everything again.

mod chance;
mod cli;
mod common;
mod demo;
mod games;
mod laws;
mod levels;
mod logs;
mod published;
mod recorded;
mod report;
mod rush_hour;
mod search_study;
mod stats;
