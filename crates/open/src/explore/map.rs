//! The interactive map of one level, as a page of its own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::interactive::{StateMaps, has_map};
use plymap_report::map_page;
use plymap_run::map_of_level;
use serde::Deserialize;

use super::View;
use crate::problem::Problem;

/// Place where a map is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MapPlace {
    /// A tab of its own, where a heading says what is on the map.
    #[default]
    Tab,
    /// A frame below such a heading.
    Frame,
}

/// Request of the map of a level.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapRequest {
    /// Name of the level.
    pub name: String,
    /// Place where it is shown.
    #[serde(default, rename = "in")]
    pub place: MapPlace,
}

/// Returns the reason why a level has no map; none if it has one.
pub(super) fn why_no_map(level: &ValuedLevel) -> Option<String> {
    let why = match level.rules.unit().is_distance() {
        _ if has_map(level) => return None,
        true => "its positions are valued without listing them all",
        false => "its positions have values in points, and no distance to a goal",
    };
    Some(format!("There is no map of the level {:?}: {why}.", level.id))
}

/// Number of maps that are kept, of up to 15 MB each.
const MAPS_KEPT: usize = 4;

/// The maps that were drawn, the last one first.
#[derive(Debug, Default)]
pub struct Maps(Mutex<VecDeque<DrawnMap>>);

#[derive(Debug)]
struct DrawnMap {
    /// The view that it shows; a view that is kept no longer needs no map.
    of: Weak<View>,
    level: String,
    maps: Arc<StateMaps>,
}

impl Maps {
    /// Returns the map of a level as a view shows it; none if it was not drawn.
    pub fn drawn(&self, view: &Arc<View>, level: &str) -> Option<Arc<StateMaps>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let drawn = kept.iter().find(|map| map.level == level && map.of.as_ptr() == Arc::as_ptr(view))?;
        Some(Arc::clone(&drawn.maps))
    }

    /// Draws the map of a level with the play that is in view.
    ///
    /// # Errors
    ///
    /// There is no level of this name, it has no map, or the caller asks to stop.
    pub fn draw(&self, view: &Arc<View>, level: &str, progress: &dyn Progress) -> Result<(), Problem> {
        let maps = map_of_level(view.mapped(level)?, &view.play, view.study.simulation.seed, progress)?;
        let drawn = DrawnMap { of: Arc::downgrade(view), level: level.to_owned(), maps: Arc::new(maps) };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|map| map.of.strong_count() > 0);
        kept.push_front(drawn);
        kept.truncate(MAPS_KEPT);
        Ok(())
    }
}

impl View {
    /// Returns a level that has a map.
    ///
    /// # Errors
    ///
    /// There is no level of this name, or it has no map.
    pub fn mapped(&self, name: &str) -> Result<&ValuedLevel, Problem> {
        let level = self.level(name)?;
        why_no_map(level).map_or(Ok(level), |why| Err(Problem::missing(why)))
    }

    /// Returns the map of a level, which shows the play in view, as one HTML file.
    ///
    /// # Errors
    ///
    /// The page cannot be written.
    pub fn map_page(&self, request: &MapRequest, maps: &StateMaps) -> Result<String, Problem> {
        let title = format!("Level {}: map of all states", request.name);
        let about = (request.place == MapPlace::Tab).then(|| self.on_map(&request.name));
        Ok(map_page(maps, &title, about.as_deref())?)
    }

    /// Returns a sentence on the play that is on the map of a level.
    fn on_map(&self, level: &str) -> String {
        let attempts: Vec<_> = self.play.labelled.attempts_at(level).collect();
        let n_rows: usize = attempts.iter().map(|attempt| attempt.rows.len()).sum();
        let filters = self.filter.in_words();
        let by = if filters.is_empty() { "all trials".to_owned() } else { filters.join("; ") };
        format!("{}. Rows of the log: {n_rows}, attempts: {}; {by}.", self.study.title(), attempts.len())
    }
}
