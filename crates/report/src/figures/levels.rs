//! Figures of levels: their state graphs, and solutions or games as storyboards.

use super::kind::Kind;
use super::sketch::{Sketch, heading};
use crate::settings::StateColours;
use plymap_figures::boards::{Frame, LoneBoard, Storyboard, StripKind};
use plymap_figures::{Heading, Label, Message, grouped, state_graph};
use plymap_puzzles::distance::Oracle as _;
use plymap_puzzles::game::{Distance, StateCode, Value};
use plymap_puzzles::graph::StateGraph;
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use plymap_statistics::stats::apa::counted;

/// The state graph of a level, with the name of its files; nothing if it was not mapped.
pub fn state_graph(level: &ValuedLevel, stem: &str, colours: StateColours) -> Option<Sketch> {
    let whole = level.whole.as_ref()?;
    let states = &whole.states;
    let distance = states.start_distance.map_or("no solution".to_owned(), |distance| {
        format!("start {distance} {} from the goal", level.rules.unit().name())
    });
    let chart = map_input(
        level,
        whole,
        colours,
        heading(
            &format!("state-graph-{stem}"),
            Message::StateGraphOfLevel.named(&level.id),
            format!(
                "{}, {}, {}; {distance}",
                counted(states.n_states, "state"),
                counted(whole.moves().n_edges, "edge"),
                counted(states.n_goals, "goal")
            ),
            Message::LevelHasNoState,
        ),
    );
    let sentence = "Every position that can be reached from the start, placed by its distance to the goal; lines are moves, the start is yellow, goals are red";
    Some(Sketch::new(Kind::StateGraph, chart, sentence))
}

/// The map of a level, to be drawn.
pub(super) fn map_input(
    level: &ValuedLevel,
    whole: &WholeMap,
    colours: StateColours,
    heading: Heading,
) -> state_graph::StateGraph {
    let WholeMap { map, distances, .. } = whole;
    let nodes = || 0..map.n_states() as u32;
    state_graph::StateGraph {
        heading,
        distance: distances.iter().map(|value| value.map(|Distance(value)| value)).collect(),
        start: Some(0),
        is_goal: nodes().map(|node| map.is_goal(node)).collect(),
        edges: nodes().flat_map(|node| joined_states(&map.graph, node)).collect(),
        colouring: match colours {
            StateColours::Distance => state_graph::Colouring::Distance,
            StateColours::Article => state_graph::Colouring::Blue,
        },
        unit: level.rules.unit().name().to_owned(),
        ..state_graph::StateGraph::default()
    }
}

/// The states that a move joins with this one, each pair once.
fn joined_states(graph: &StateGraph, node: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
    let is_first = move |after: u32| node < after || (node > after && !graph.successors(after).contains(&node));
    graph.successors(node).iter().filter(move |&&after| is_first(after)).map(move |&after| (node, after))
}

/// One position of a level.
pub fn position(level: &ValuedLevel, state: StateCode, stem: &str) -> Sketch {
    let left = level.oracle().evaluate(state).ok().and_then(|evaluation| evaluation.value);
    let unit = level.rules.unit();
    let suffix = if unit.is_distance() { "from the goal" } else { "expected" };
    let said = left.map_or("no goal can be reached".to_owned(), |left| format!("{left} {} {suffix}", unit.name()));
    let name = format!("position-{stem}");
    let heading = heading(
        &name,
        Label::untranslated(format!("Level {}", level.id)),
        said,
        Label::untranslated("there is no position"),
    );
    Sketch::new(
        Kind::Position,
        LoneBoard { heading, board: level.rules.picture(state) },
        "One position, and what it is worth",
    )
}

/// An optimal solution of a level as a storyboard of boards, nothing if the level has none; where chance decides,
/// a likely game. Files of the level are named `stem`.
pub fn solution(level: &ValuedLevel, stem: &str) -> Option<Sketch> {
    if !level.rules.unit().is_distance() {
        return Some(likely_game(level, stem));
    }
    // A position that cannot be valued has no solution that could be drawn; labels say why.
    let Ok(Some(path)) = level.solution_from(level.rules.start()) else { return None };
    let n_moves = path.moves.len();
    let left = level.start_distance().map_or(0, |Distance(distance)| distance);
    let frames = path.states.iter().enumerate().map(|(index, &state)| Frame {
        board: level.rules.picture(state),
        caption: index.checked_sub(1).map_or("start".to_owned(), |before| path.moves[before].notation.clone()),
        distance: left.checked_sub(path.moves[..index].iter().map(|played| played.cost).sum()),
        note: String::new(),
        is_error: false,
    });
    let n_shortest = match level.whole.as_ref().map(|whole| whole.solutions().and_then(|all| all.n_solutions)) {
        Some(Some(1)) => ", the only shortest solution".to_owned(),
        Some(Some(n)) => format!(", one of {} shortest solutions", grouped(n)),
        Some(None) => ", one of 2^64 or more shortest solutions".to_owned(),
        None => String::new(),
    };
    let chart = Storyboard {
        heading: heading(
            &format!("solution-{stem}"),
            Message::SolutionOfLevel.named(&level.id),
            format!("{n_moves} {}{n_shortest}", level.rules.unit().name()),
            Message::LevelHasNoSolution,
        ),
        frames: frames.collect(),
        kind: StripKind::Moves,
        note_meaning: String::new(),
    };
    let sentence = "The boards of a shortest solution, move by move; below each the move that led to it and the distance that is left";
    Some(Sketch::new(Kind::Solution, chart, sentence))
}

/// The most moves of a game that are drawn.
const LIKELY_MOVES: usize = 23;

/// A game under optimal play in which chance always does the most probable thing, as a storyboard.
fn likely_game(level: &ValuedLevel, stem: &str) -> Sketch {
    let rules = &*level.rules;
    let starts = rules.starts();
    let mut state = starts[most_probable(starts.iter().map(|(_, chance)| *chance))].0;
    let frame = |state, caption: String| {
        let board = rules.picture(state);
        Frame { board, caption, distance: None, note: String::new(), is_error: false }
    };
    let mut frames = vec![frame(state, "start".to_owned())];
    while frames.len() <= LIKELY_MOVES && !rules.is_end(state) {
        // A position that cannot be valued has no best move that could be drawn; labels say why.
        let Ok(evaluation) = level.oracle().evaluate(state) else { break };
        let Some(best) = evaluation.moves.iter().position(|valued| valued.is_optimal()) else { break };
        let outcomes = rules.outcomes(state).swap_remove(best);
        let (played, _) = &outcomes[most_probable(outcomes.iter().map(|(_, chance)| *chance))];
        state = played.next;
        frames.push(frame(state, played.notation.clone()));
    }
    let points = level.start_value.map_or(0.0, Value::number);
    let chart = Storyboard {
        heading: heading(
            &format!("game-{stem}"),
            Message::GameOfLevel.named(&level.id),
            format!("the first {} moves; {points:.1} expected points from the start", frames.len() - 1),
            Message::LevelHasNoMove,
        ),
        frames,
        kind: StripKind::Moves,
        note_meaning: String::new(),
    };
    let sentence = "The boards of a game under optimal play in which chance always does the most probable thing, the first of several; below each the move that led to it";
    Sketch::new(Kind::Game, chart, sentence)
}

/// The place of the greatest chance, the first of equals.
fn most_probable(chances: impl Iterator<Item = f64>) -> usize {
    let chances: Vec<f64> = chances.collect();
    let best = chances.iter().copied().fold(0.0, f64::max);
    chances.iter().position(|&chance| chance == best).unwrap_or(0)
}
