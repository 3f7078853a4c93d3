//! The interactive state-space maps of a report: levels with what people did there, as the page takes them.

use std::collections::BTreeSet;

use super::error::{RunError, continues};
use super::{Play, level_stems};
use plymap_measures::label::{LabelledAttempt, LabelledRow, Quality};
use plymap_puzzles::graph;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::figures::{Illustration, drawn};
use plymap_report::interactive::{
    AttemptTrajectory, LevelMap, LevelPlay, MAX_ATTEMPTS, MAX_STATES, StateMaps, rounded, shown_levels,
};
use plymap_tables::SafeStems;
use plymap_tables::interner::Interner;

/// Returns the maps of the levels, those of `first` above all, with the play of people. The stems are those of figures;
/// the attempts that can be seen again are drawn with the seed where there are too many.
///
/// # Errors
///
/// The caller asks to stop.
pub(super) fn maps(
    (levels, first): (&[ValuedLevel], &[&ValuedLevel]),
    stems: &SafeStems,
    play: Option<&Play>,
    seed: u64,
    illustrations: &[Illustration],
    progress: &dyn Progress,
) -> Result<StateMaps, RunError> {
    let (shown, n_left_out) = shown_levels(levels, first, MAX_STATES);
    progress.begin("drawing maps", Some(shown.iter().map(|level| LevelMap::n_steps(level)).sum()));
    let map_of = |level: &&ValuedLevel| {
        let map = &level.whole.as_deref()?.map;
        let played = play.map(|play| level_play(level, map, play, seed)).unwrap_or_default();
        let figure = format!("state-graph-{}", stems.stem(&level.id));
        let is_drawn = illustrations.iter().any(|illustration| illustration.figure.name == figure);
        let figure = is_drawn.then(|| format!("figure-{figure}"));
        LevelMap::new(level, &played, progress).map(|shown| shown.with_figure(figure))
    };
    let maps = StateMaps {
        qualities: Quality::ALL.iter().map(|quality| quality.name().to_owned()).collect(),
        levels: shown.iter().filter_map(map_of).collect(),
        n_left_out,
    };
    progress.end();
    continues(progress)?;
    Ok(maps)
}

/// Returns the map of one level with the play of people; there is none in it if its states have no distances or are not all
/// known.
///
/// # Errors
///
/// The caller asks to stop.
pub fn map_of_level(
    level: &ValuedLevel,
    play: &Play,
    seed: u64,
    progress: &dyn Progress,
) -> Result<StateMaps, RunError> {
    let levels = std::slice::from_ref(level);
    maps((levels, &[]), &level_stems(levels), Some(play), seed, &[], progress)
}

/// Returns what people did at a level.
fn level_play(level: &ValuedLevel, map: &graph::LevelMap, play: &Play, seed: u64) -> LevelPlay {
    let attempts: Vec<&LabelledAttempt> = play.labelled.attempts_at(&level.id).collect();
    let conditions: BTreeSet<&str> = attempts.iter().filter_map(|attempt| attempt.condition.as_deref()).collect();
    let mut result = LevelPlay {
        conditions: conditions.iter().map(|&condition| condition.to_owned()).collect(),
        n_attempts: attempts.len(),
        ..LevelPlay::default()
    };
    for &attempt in &attempts {
        let condition = conditions.iter().position(|&name| Some(name) == attempt.condition.as_deref());
        for state in states(play, attempt, map).flatten() {
            let counts = result.visits.entry(state).or_insert_with(|| vec![0; conditions.len() + 1]);
            // The last count is of attempts without a condition.
            counts[condition.unwrap_or(conditions.len())] += 1;
        }
        let moves = play.labelled.rows.range(attempt.rows.clone()).map(|row| row.step);
        let moves = moves.filter(|step| step.played.is_some_and(|played| played.is_legal));
        let arcs = moves.filter_map(|step| Some((map.node(step.before)?, map.node(step.after)?)));
        arcs.for_each(|arc| *result.moves.entry(arc).or_default() += 1);
    }
    let mut played: Interner<String> = Interner::default();
    let drawn = drawn(attempts.len(), MAX_ATTEMPTS, seed).into_iter();
    result.attempts = drawn.map(|number| trajectory(play, attempts[number], map, &mut played)).collect();
    result.played = played.into_items();
    result
}

/// Returns the states in which an attempt was, in order; none for one that is not on the map.
fn states(play: &Play, attempt: &LabelledAttempt, map: &graph::LevelMap) -> impl Iterator<Item = Option<u32>> {
    play.labelled.positions(attempt).map(|code| map.node(code))
}

/// Returns the trajectory of an attempt, row by row; actions are numbered as they are met.
fn trajectory(
    play: &Play,
    attempt: &LabelledAttempt,
    map: &graph::LevelMap,
    played: &mut Interner<String>,
) -> AttemptTrajectory {
    let rows: Vec<LabelledRow> = play.labelled.rows.range(attempt.rows.clone()).collect();
    let mut action = |row: &LabelledRow| {
        let logged = play.rows.at(row.step.row as usize).action().filter(|action| !action.is_empty());
        played.number(logged.unwrap_or(row.event.name()).to_owned())
    };
    AttemptTrajectory {
        participant: attempt.participant.clone(),
        session: attempt.session.clone(),
        attempt: attempt.attempt,
        condition: attempt.condition.clone().unwrap_or_default(),
        solved: rows.iter().any(|row| row.label.is_some_and(|label| label.is_end)),
        states: states(play, attempt, map).collect(),
        times: rows.iter().map(|row| row.rt_s.filter(|time| time.is_finite() && *time >= 0.0).map(rounded)).collect(),
        actions: rows.iter().map(&mut action).collect(),
        qualities: rows.iter().map(|row| row.label.map(|label| label.quality.index() as u32)).collect(),
    }
}
