#![doc = include_str!("../README.md")]

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use rand::distr::{Alphanumeric, SampleString as _};

mod answers;
mod check;
mod edit;
mod examples;
mod explore;
mod page;
mod problem;
mod project;
mod proposal;
mod reading;
mod result;
mod take;
mod task;
mod upload;

pub use answers::MOST_BYTES;
pub use project::{Project, STUDY};
pub use task::{State, Task, Tasks};

/// Number of letters and digits of a token: 190 bits.
const TOKEN_LENGTH: usize = 32;

/// The page of one project.
#[derive(Debug)]
pub struct Opened {
    project: Project,
    language: String,
    version: &'static str,
    tasks: Arc<Tasks>,
    views: explore::Views,
    runs: result::Runs,
}

impl Opened {
    /// Opens a project; `language` is that of the page, empty for that of the browser.
    pub fn new(project: Project, language: &str, version: &'static str) -> Self {
        Self {
            project,
            language: language.to_owned(),
            version,
            tasks: Arc::default(),
            views: explore::Views::default(),
            runs: result::Runs::default(),
        }
    }

    /// Returns the folder of the project.
    pub fn folder(&self) -> &Path {
        &self.project.folder
    }

    /// Asks the task that is under way to stop.
    pub fn stop(&self) {
        self.tasks.stop();
    }
}

/// Returns a token that nobody can guess, for the address of a page.
pub fn token() -> String {
    Alphanumeric.sample_string(&mut rand::rng(), TOKEN_LENGTH)
}

/// Returns the answers to requests below a token; there is nothing at other addresses.
pub fn router(opened: Arc<Opened>, token: &str) -> Router {
    answers::router(opened, token)
}
