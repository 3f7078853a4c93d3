//! The page of one project, and what it keeps while the server lives.

use std::path::Path;
use std::sync::Arc;

use crate::explore::{Maps, Views};
use crate::project::Project;
use crate::result::Runs;
use crate::task::Tasks;

/// The page of one project.
#[derive(Debug)]
pub struct Opened {
    pub(crate) project: Project,
    pub(crate) language: String,
    pub(crate) version: &'static str,
    pub(crate) tasks: Arc<Tasks>,
    pub(crate) views: Views,
    pub(crate) maps: Maps,
    pub(crate) runs: Runs,
}

impl Opened {
    /// Opens a project; `language` is that of the page, empty for that of the browser.
    pub fn new(project: Project, language: &str, version: &'static str) -> Self {
        Self {
            project,
            language: language.to_owned(),
            version,
            tasks: Arc::default(),
            views: Views::default(),
            maps: Maps::default(),
            runs: Runs::default(),
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
