//! All integration tests in one binary: each further one would link everything again.

mod analyses;
mod architecture;
mod caching;
mod certificates;
mod chance;
mod cli;
mod common;
mod containers;
mod damage;
mod demo;
mod diff;
mod doctor;
mod documentation;
mod documents;
mod expected_moves;
mod experiment;
mod export;
mod figures;
mod fuzz;
mod gallery;
mod http;
mod imports;
mod intake;
#[cfg(unix)]
mod interruption;
mod level_tables;
mod levels_intake;
mod licenses;
mod limits;
mod log_steps;
mod logs;
mod open;
mod open_check;
mod open_reading;
mod pilot;
mod players;
mod published;
mod recorded;
mod recorded_data;
#[cfg(unix)]
mod refusals;
mod report;
#[cfg(target_os = "linux")]
mod scripts;
mod search_study;
mod seeded_studies;
mod selection;
mod serve;
mod serve_limits;
mod shards;
mod small_studies;
mod tablebase;
#[cfg(unix)]
mod terminal;
mod tutorial;
mod watch;
