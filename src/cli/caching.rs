//! Whether results of earlier runs may be used.

use crate::cache::Cache;
use crate::study::Study;
use clap::Args;

/// The variable that keeps commands from keeping anything, for tests and for whoever measures time.
const NO_CACHE: &str = "PLYMAP_NO_CACHE";

#[derive(Clone, Debug, Args)]
pub struct Caching {
    /// Compute everything anew, and keep nothing for the next run. The results are the same.
    #[arg(long)]
    no_cache: bool,
}

impl Caching {
    /// What is kept of stages, in the folder of the study or of the user.
    pub fn cache(&self, study: &Study) -> Option<Cache> {
        let is_wanted = !self.no_cache && std::env::var_os(NO_CACHE).is_none();
        study.store().filter(|_| is_wanted).map(Cache::new)
    }
}
