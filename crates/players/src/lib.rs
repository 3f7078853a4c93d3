#![doc = include_str!("../README.md")]

pub mod cohort;
mod error;
mod measured;
mod parameter;
mod persistence;
mod play;
mod played;
mod player;
pub mod policy;
mod record;
pub mod section;
mod session;
mod stream;
mod tempo;
#[cfg(test)]
mod tests;

pub use error::PlayError;
pub use measured::measures_of;
pub use parameter::ParameterError;
pub use persistence::Persistence;
pub use play::play_all;
pub use played::{MadeMove, PlayedRow, PlayedTrial};
pub use player::{Player, Setting};
pub use policy::{LapseOptimal, Policy, PolicyError};
pub use record::{LOG_COLUMNS, PlayerRow, players_table, write_log};
pub use tempo::{Mode, TYPICAL_CHOICE, Tempo};
