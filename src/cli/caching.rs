//! The option `--no-cache`, and the cache that a command uses.

use clap::Args;
use plymap_run::cache::Cache;
use plymap_run::study::Study;
use plymap_tables::store::take_damaged;

use super::say::say;

#[derive(Clone, Debug, Args)]
pub struct Caching {
    /// Do not use or fill the cache. The results are the same.
    #[arg(long)]
    no_cache: bool,
}

impl Caching {
    /// Returns the cache in the folder of the study or of the user; none with `--no-cache`.
    pub fn cache(&self, study: &Study) -> Option<Cache> {
        if self.no_cache { None } else { Cache::of_study(study) }
    }
}

/// Says on standard error which files of the cache were damaged.
pub fn say_damaged() {
    for path in take_damaged() {
        say!("plymap: {} was damaged: what it kept of an earlier run was computed anew", path.display());
    }
}
