//! The interactive map of one level, as a page of its own.

use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::interactive::has_map;
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

impl View {
    /// Draws the map of a level with the play that is in view, as one HTML file.
    ///
    /// # Errors
    ///
    /// There is no level of this name, or it has no map.
    pub fn map(&self, request: &MapRequest) -> Result<String, Problem> {
        let level = self.level(&request.name)?;
        if let Some(why) = why_no_map(level) {
            return Err(Problem::missing(why));
        }
        let maps = map_of_level(level, &self.play, self.study.simulation.seed);
        let title = format!("Level {}: map of all states", level.id);
        let about = (request.place == MapPlace::Tab).then(|| self.on_map(&level.id));
        Ok(map_page(&maps, &title, about.as_deref())?)
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
