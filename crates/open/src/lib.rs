#![doc = include_str!("../README.md")]

use rand::distr::{Alphanumeric, SampleString as _};

mod address;
mod answers;
mod check;
mod edit;
mod examples;
mod explore;
mod notes;
mod opened;
mod page;
mod problem;
mod project;
mod proposal;
mod reading;
mod request;
mod result;
mod take;
mod task;
mod undo;
mod upload;

pub use answers::{MOST_BYTES, router};
pub use check::REMEDIES;
pub use opened::Opened;
pub use project::{Project, STUDY};
pub use task::{State, Task, Tasks, Work};

/// Number of letters and digits of a token: 190 bits.
const TOKEN_LENGTH: usize = 32;

/// Returns a token that nobody can guess, for the address of a page.
pub fn token() -> String {
    Alphanumeric.sample_string(&mut rand::rng(), TOKEN_LENGTH)
}
