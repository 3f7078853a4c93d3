//! Remarks on levels that can be played: readings that were taken for granted, columns that change nothing, and
//! published numbers of moves that are not those of the map. Each is said once for all levels that it is about.

use plymap_puzzles::game::Unit;
use plymap_puzzles::valuation::{LoadedLevel, ValuedLevel, published_moves};
use plymap_statistics::stats::apa::{counted, first_of};

/// The most levels that are named.
const SHOWN: usize = 10;

/// Remarks on assumptions made when levels were read.
pub fn of_loaded(levels: &[LoadedLevel]) -> Vec<String> {
    grouped(levels.iter().map(|level| (level.origin.id.as_str(), level.remarks.as_slice())))
}

/// Remarks on assumptions made when levels were read.
pub fn of_valued(levels: &[ValuedLevel]) -> Vec<String> {
    grouped(levels.iter().map(|level| (level.id.as_str(), level.remarks.as_slice())))
}

fn grouped<'a>(levels: impl Iterator<Item = (&'a str, &'a [String])>) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for (id, remark) in levels.flat_map(|(id, remarks)| remarks.iter().map(move |remark| (id, remark.as_str()))) {
        match groups.iter_mut().find(|(known, _)| *known == remark) {
            Some((_, ids)) => ids.push(id.to_owned()),
            None => groups.push((remark, vec![id.to_owned()])),
        }
    }
    groups
        .into_iter()
        .map(|(remark, ids)| format!("{} {}: {remark}", counted_levels(ids.len()), first_of(&ids, SHOWN)))
        .collect()
}

/// The columns of tables of levels, and keys of JSON, that are kept as properties of levels; nothing where there are
/// none.
pub fn properties(levels: &[ValuedLevel]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in levels.iter().flat_map(|level| &level.extra) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    (!names.is_empty())
        .then(|| format!("columns of the levels that are kept as properties and change nothing: {}", names.join(", ")))
}

/// The levels whose number of moves to the goal is published, in a column such as `moves`, and is not that of the map.
/// Where the map counts cells, `by_moves` are the same levels with slides as moves, for published numbers may be of
/// either.
pub fn published(levels: &[ValuedLevel], by_moves: Option<&[ValuedLevel]>) -> Option<String> {
    let mut column = "";
    let (mut n_known, mut differing) = (0, Vec::new());
    for (at, level) in levels.iter().enumerate() {
        let Some(((name, listed), start)) = published_moves(&level.extra).zip(start_distance(level)) else {
            continue;
        };
        let by_moves = by_moves.and_then(|levels| start_distance(levels.get(at)?));
        n_known += 1;
        if listed != start && Some(listed) != by_moves {
            column = name;
            differing.push(format!("{} ({listed} in the column, {} on the map)", level.id, by_moves.unwrap_or(start)));
        }
    }
    let n = differing.len();
    let all = if n > 1 && n == n_known {
        "; that is every level with such a number: perhaps it follows another goal or metric than [rules]"
    } else {
        ""
    };
    (n > 0).then(|| {
        let levels = counted_levels(n);
        format!(
            "[published-moves] the column {column:?} and the map differ in the fewest moves of {levels} {}{all}",
            first_of(&differing, SHOWN)
        )
    })
}

fn start_distance(level: &ValuedLevel) -> Option<u32> {
    Some(level.start_distance()?.0)
}

/// `true` if a number of moves is published that a map which counts cells may not show.
pub fn needs_moves(levels: &[ValuedLevel]) -> bool {
    levels.iter().any(|level| level.rules.unit() == Unit::Cells && published_moves(&level.extra).is_some())
}

fn counted_levels(n: usize) -> String {
    if n == 1 { "level".to_owned() } else { counted(n, "level") }
}
