//! A heuristic of a level by its name in a study.

use super::error::PlanError;
use plymap_puzzles::game::{Distance, StateCode};
use plymap_puzzles::valuation::ValuedLevel;

/// The name of the heuristic that knows every distance.
pub const PERFECT: &str = "perfect";

/// A heuristic of a level by its name in the study.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedHeuristic {
    /// Its name, such as `collinear+euclidean-min-min`.
    pub name: String,
    /// Meaning, in a few words.
    pub meaning: String,
    /// True if its game claims that it is admissible; absent for sums, of which nothing is claimed.
    pub claims_admissible: Option<bool>,
    /// The heuristics of the game that it adds, by their index; empty for [`PERFECT`].
    pub(super) parts: Vec<usize>,
}

impl NamedHeuristic {
    /// Finds a heuristic by its name: one of the level, several joined by `+`, or [`PERFECT`] where the level is
    /// mapped.
    ///
    /// # Errors
    ///
    /// [`PlanError::UnknownHeuristic`].
    pub fn find(level: &ValuedLevel, name: &str) -> Result<Self, PlanError> {
        let known = level.rules.heuristics();
        if name == PERFECT && level.whole.is_some() {
            let meaning = "the distance to the goal itself, from the map of the level".to_owned();
            return Ok(Self { name: name.to_owned(), meaning, claims_admissible: Some(true), parts: Vec::new() });
        }
        let mut parts = Vec::new();
        for part in name.split('+').map(str::trim) {
            let index = known.iter().position(|heuristic| heuristic.name == part);
            parts.push(index.ok_or_else(|| {
                let perfect = level.whole.as_ref().map(|_| PERFECT.to_owned());
                let known: Vec<String> = known.iter().map(|known| known.name.clone()).chain(perfect).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                PlanError::UnknownHeuristic { name: part.to_owned(), level: level.id.clone(), known }
            })?);
        }
        let meaning = parts.iter().map(|&part| known[part].meaning.as_str()).collect::<Vec<_>>().join(" + ");
        let claims_admissible = (parts.len() == 1).then(|| known[parts[0]].is_admissible);
        Ok(Self { name: name.to_owned(), meaning, claims_admissible, parts })
    }

    /// All heuristics that a level has of itself, [`PERFECT`] at the end.
    pub fn all(level: &ValuedLevel) -> Vec<Self> {
        let names = level.rules.heuristics().into_iter().map(|known| known.name).chain([PERFECT.to_owned()]);
        names.filter_map(|name| Self::find(level, &name).ok()).collect()
    }

    /// Returns its estimate of the distance of a position to the goal; infinite where it sees a dead end.
    pub fn estimate(&self, level: &ValuedLevel, state: StateCode) -> f64 {
        match &level.whole {
            Some(whole) if self.parts.is_empty() => {
                let distance = whole.map.node(state).and_then(|node| whole.distances.get(node));
                distance.map_or(f64::INFINITY, |Distance(distance)| f64::from(distance))
            }
            _ => self.parts.iter().map(|&part| level.rules.estimate(part, state)).sum(),
        }
    }
}
