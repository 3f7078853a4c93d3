//! State of the server: the page of a study, its levels, and the journal of what is recorded.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::experiment::plan::Page;
use axum::body::Bytes;
use plymap_play::{Claim, Journal, map_file};
use plymap_puzzles::valuation::ValuedLevel;
use serde_json::json;
use tokio::sync::{Mutex, Semaphore};

use plymap_server::MOST_THREADS;

/// Maps, positions and hints that are computed at once; the other threads are left to what is recorded.
pub(super) const MOST_COMPUTED: usize = MOST_THREADS / 4;

/// State that all requests share. What many may ask for at once is there once, however many do.
pub(super) struct Served {
    pub page: Page,
    /// The page as JSON.
    pub study: Bytes,
    /// The images by their names, each with its type, as they were when the server was started.
    pub media: HashMap<String, (&'static str, Bytes)>,
    /// The levels, in their order.
    pub levels: Vec<PlayedLevel>,
    /// Their places by name.
    pub places: HashMap<String, usize>,
    /// Permits for what is computed, as many as may be at once.
    pub computing: Arc<Semaphore>,
    pub journal: Journal,
    /// The claims of those who were invited; nothing where anybody may take part.
    pub links: Option<HashMap<String, Claim>>,
}

impl Served {
    pub fn new(
        page: Page,
        levels: Vec<ValuedLevel>,
        media: HashMap<String, (&'static str, Bytes)>,
        journal: Journal,
        links: Option<HashMap<String, Claim>>,
    ) -> Self {
        let study = json!(page).to_string().into();
        let places = levels.iter().enumerate().map(|(place, level)| (level.id.clone(), place)).collect();
        let levels = levels.into_iter().map(|valued| PlayedLevel { valued, maps: Default::default() }).collect();
        let computing = Arc::new(Semaphore::new(MOST_COMPUTED));
        Self { page, study, media, levels, places, computing, journal, links }
    }
}

/// A level with its maps as a page takes them, without distances and with them.
pub(super) struct PlayedLevel {
    pub valued: ValuedLevel,
    pub maps: [LevelMap; 2],
}

/// A map, made when it is first asked for; nothing where a level has none.
#[derive(Default)]
pub(super) struct LevelMap {
    pub file: OnceLock<Option<Bytes>>,
    /// Held while it is made, so that all others who ask for it wait without a thread.
    pub making: Arc<Mutex<()>>,
}

impl PlayedLevel {
    pub fn map(&self, hints: bool) -> &Option<Bytes> {
        let make = || map_file(&self.valued, hints).ok().flatten().map(Bytes::from);
        self.maps[usize::from(hints)].file.get_or_init(make)
    }
}
