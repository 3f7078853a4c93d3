//! The levels of a study that were played and are mapped whole, with the positions that were met in each.

use std::collections::HashMap;

use super::dataset::Dataset;
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};

/// A level that was played, and its map.
pub(super) struct MappedLevel<'a> {
    pub level: &'a ValuedLevel,
    pub whole: &'a WholeMap,
    /// Numbers of the positions that were met, ascending.
    pub positions: Vec<usize>,
}

/// All levels that were played; those that the study does not have are left out.
///
/// # Errors
///
/// In words, if values are points, a level has no whole map, or the maps have more than `most_states` states in all.
pub(super) fn mapped_levels<'a>(
    data: &Dataset,
    levels: &HashMap<&str, &'a ValuedLevel>,
    most_states: usize,
) -> Result<Vec<MappedLevel<'a>>, String> {
    if !data.unit.is_distance() {
        return Err("values are points, not distances".to_owned());
    }
    let mut of_level: Vec<Vec<usize>> = vec![Vec::new(); data.levels.len()];
    for (position, (level, _)) in data.positions.iter().enumerate() {
        of_level[*level].push(position);
    }
    let mut played = Vec::new();
    for (name, positions) in data.levels.iter().zip(of_level).filter(|(_, positions)| !positions.is_empty()) {
        let Some(&level) = levels.get(name.as_str()) else { continue };
        let Some(whole) = &level.whole else { return Err(format!("{name} was not mapped whole")) };
        played.push(MappedLevel { level, whole, positions });
    }
    let n_states: usize = played.iter().map(|level| level.whole.map.n_states()).sum();
    if n_states > most_states {
        return Err(format!("the maps have {n_states} states; at most {most_states} are looked over"));
    }
    Ok(played)
}
