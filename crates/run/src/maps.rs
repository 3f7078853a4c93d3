//! The interactive state-space maps of a report: levels, their states and what people did there, as the page takes
//! them.

use std::collections::HashMap;

use super::Play;
use plymap_figures::layout;
use plymap_measures::label::{LabelledAttempt, LabelledRow, Quality};
use plymap_measures::level_tables::moves_on_map;
use plymap_play::page_picture::{Board, Shapes};
use plymap_puzzles::game::Distance;
use plymap_puzzles::graph;
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use plymap_report::figures::{Illustration, drawn};
use plymap_report::interactive::{
    AttemptTrajectory, LevelMap, MAX_ATTEMPTS, MAX_STATES, StateMaps, off_map, rounded, shown_states,
};
use plymap_tables::SafeStems;
use plymap_tables::interner::Interner;

/// Returns the maps of these levels, with the play of people; none of levels that are not mapped. The stems are those
/// of figures; the attempts that can be seen again are drawn with the seed where there are too many.
pub(super) fn maps(
    levels: &[&ValuedLevel],
    stems: &SafeStems,
    play: Option<&Play>,
    seed: u64,
    illustrations: &[Illustration],
) -> StateMaps {
    let qualities: Vec<String> = Quality::ALL.iter().map(|quality| quality.name().to_owned()).collect();
    let mut maps = StateMaps { qualities, levels: Vec::new() };
    for level in levels {
        let Some(whole) = &level.whole else { continue };
        if whole.map.n_states() == 0 || !level.rules.unit().is_distance() {
            continue;
        }
        let figure = format!("state-graph-{}", stems.stem(&level.id));
        let figure = illustrations
            .iter()
            .any(|illustration| illustration.figure.name == figure)
            .then(|| format!("figure-{figure}"));
        maps.levels.push(LevelMap { figure, ..map_of(level, whole, play, seed) });
    }
    maps
}

/// An attempt, with the play that it belongs to.
type PlayedAttempt<'a> = (&'a Play, &'a LabelledAttempt);

fn map_of(level: &ValuedLevel, whole: &WholeMap, play: Option<&Play>, seed: u64) -> LevelMap {
    let WholeMap { map, distances, .. } = whole;
    let attempts: Vec<PlayedAttempt> = play
        .into_iter()
        .flat_map(|play| play.labelled.attempts_at(&level.id).map(move |attempt| (play, attempt)))
        .collect();
    let (visits, counts) = traffic(&attempts, map);
    let on_shortest_path = on_shortest_paths(whole);
    let shown = shown_states(
        MAX_STATES,
        0,
        &visits,
        |state| on_shortest_path[state as usize],
        |state| map.graph.successors(state).to_vec(),
    );
    let distance: Vec<Option<u32>> =
        shown.iter().map(|&state| distances.get(state).map(|Distance(distance)| distance)).collect();
    let arcs_from = |(from, &state): (usize, &u32)| {
        let after = map.graph.successors(state).iter().filter_map(|&after| place_of(&shown, after));
        after.map(|place| (from as u32, place)).collect::<Vec<_>>()
    };
    let edges: Vec<(u32, u32)> = shown.iter().enumerate().flat_map(arcs_from).collect();
    let layers = layout::layers(&distance, &edges);
    let last = layout::centres(&layers).last().copied().unwrap_or(0.0);
    let placement = layout::place(&layers, ASPECT * (last + 1.2));
    let moves = Moves::of(level, whole, &shown, &counts);
    let mut shapes = Shapes::default();
    let pictures = || shown.iter().map(|&state| level.rules.picture(map.code(state)));
    let boards = pictures().map(|picture| shapes.of(&picture).collect()).collect();
    let (shapes, paints) = shapes.into_lists();
    let mut played: Interner<String> = Interner::default();
    let drawn = drawn(attempts.len(), MAX_ATTEMPTS, seed).into_iter();
    let trajectories = drawn.map(|number| trajectory(attempts[number], map, &shown, &mut played)).collect();
    LevelMap {
        level: level.id.clone(),
        unit: level.rules.unit().name().to_owned(),
        figure: None,
        n_states: map.n_states(),
        start: place_of(&shown, 0),
        x: placement.positions.iter().map(|place| rounded(place.0)).collect(),
        y: placement.positions.iter().map(|place| rounded(place.1)).collect(),
        spacing: rounded(placement.spacing),
        distance,
        goals: (0..shown.len() as u32).filter(|&place| map.is_goal(shown[place as usize])).collect(),
        visits: shown.iter().map(|&state| visits[state as usize]).collect(),
        notations: shown.iter().map(|&state| level.rules.format_state(map.code(state))).collect(),
        first_move: moves.first,
        targets: moves.targets,
        move_actions: moves.actions,
        made: moves.made,
        actions: moves.known.into_items(),
        board: pictures().next().map(|picture| Board::of(&picture)).unwrap_or_default(),
        paints,
        shapes,
        boards,
        played: played.into_items(),
        n_attempts: attempts.len(),
        attempts: trajectories,
    }
}

/// Returns the place of a state among those that are shown, which ascend.
fn place_of(shown: &[u32], state: u32) -> Option<u32> {
    shown.binary_search(&state).ok().map(|place| place as u32)
}

/// Returns the states in which an attempt was, in order; none for one that is not on the map.
fn states((play, attempt): PlayedAttempt, map: &graph::LevelMap) -> impl Iterator<Item = Option<u32>> {
    play.labelled.positions(attempt).map(|code| map.node(code))
}

/// Counts the visits of people to each state, and their legal moves by the states before and after.
fn traffic(attempts: &[PlayedAttempt], map: &graph::LevelMap) -> (Vec<u32>, HashMap<(u32, u32), u32>) {
    let mut visits = vec![0_u32; map.n_states()];
    let mut counts: HashMap<(u32, u32), u32> = HashMap::new();
    for &(play, attempt) in attempts {
        states((play, attempt), map).flatten().for_each(|state| visits[state as usize] += 1);
        let moves = play.labelled.rows.range(attempt.rows.clone()).map(|row| row.step);
        let moves = moves.filter(|step| step.played.is_some_and(|played| played.is_legal));
        let arcs = moves.filter_map(|step| Some((map.node(step.before)?, map.node(step.after)?)));
        arcs.for_each(|arc| *counts.entry(arc).or_default() += 1);
    }
    (visits, counts)
}

/// Returns the trajectory of an attempt, row by row; actions are numbered as they are met.
fn trajectory(
    (play, attempt): PlayedAttempt,
    map: &graph::LevelMap,
    shown: &[u32],
    played: &mut Interner<String>,
) -> AttemptTrajectory {
    let rows: Vec<LabelledRow> = play.labelled.rows.range(attempt.rows.clone()).collect();
    let mut action = |row: &LabelledRow| {
        let logged = play.rows.at(row.step.row as usize).action().filter(|action| !action.is_empty());
        played.number(logged.unwrap_or(row.event.name()).to_owned())
    };
    let place = |state: Option<u32>| state.and_then(|state| place_of(shown, state)).map_or(-1, i64::from);
    AttemptTrajectory {
        participant: attempt.participant.clone(),
        session: attempt.session.clone(),
        attempt: attempt.attempt,
        condition: attempt.condition.clone().unwrap_or_default(),
        solved: rows.iter().any(|row| row.label.is_some_and(|label| label.is_end)),
        states: states((play, attempt), map).map(place).collect(),
        times: rows.iter().map(|row| row.rt_s.filter(|time| time.is_finite() && *time >= 0.0).map(rounded)).collect(),
        actions: rows.iter().map(&mut action).collect(),
        qualities: rows.iter().map(|row| row.label.map(|label| label.quality.index() as u32)).collect(),
    }
}

/// Height of a map by its width.
const ASPECT: f64 = 0.55;

/// The legal moves of states, one state after the other.
#[derive(Default)]
struct Moves {
    first: Vec<u32>,
    targets: Vec<i64>,
    actions: Vec<u32>,
    made: Vec<u32>,
    known: Interner<(String, u32)>,
}

impl Moves {
    /// Collects the legal moves of the states that are shown, and how often people made each.
    fn of(level: &ValuedLevel, whole: &WholeMap, shown: &[u32], counts: &HashMap<(u32, u32), u32>) -> Self {
        let mut moves = Self::default();
        for &state in shown {
            moves.begin();
            for (played, after) in moves_on_map(level, &whole.map, state) {
                let far = || off_map(whole.distances.get(after).map(|Distance(distance)| distance));
                let target = place_of(shown, after).map_or_else(far, i64::from);
                moves.push(target, played.notation, played.cost, counts.get(&(state, after)).copied().unwrap_or(0));
            }
        }
        moves.begin();
        moves
    }

    fn begin(&mut self) {
        self.first.push(self.targets.len() as u32);
    }

    fn push(&mut self, target: i64, notation: String, cost: u32, n_made: u32) {
        self.targets.push(target);
        self.made.push(n_made);
        self.actions.push(self.known.number((notation, cost)));
    }
}

/// Returns for each state true if it lies on a shortest solution from the start.
fn on_shortest_paths(whole: &WholeMap) -> Vec<bool> {
    let WholeMap { map, distances, .. } = whole;
    let mut is_on = vec![false; map.n_states()];
    let mut waiting = vec![0_u32];
    is_on[0] = true;
    while let Some(state) = waiting.pop() {
        for &after in map.graph.successors(state) {
            if distances.is_optimal(state, after) && !is_on[after as usize] {
                is_on[after as usize] = true;
                waiting.push(after);
            }
        }
    }
    is_on
}
