//! The interactive state-space maps of a report: levels, their states and what people did there, as the page takes
//! them.

use std::collections::HashMap;

use polars::prelude::{DataFrame, DataType, PolarsResult};

use crate::figures::Illustration;
use crate::label::Quality;
use crate::report::interactive::{
    AttemptTrajectory, Board, LevelMap, MAX_STATES, Numbered, Paint, PaintForm, PaintStyle, Shapes, StateMaps, off_map,
    rounded, shown_states,
};
use crate::report::safe_stem;
use plymap_figures::boards::paint;
use plymap_figures::layout;
use plymap_puzzles::game::picture::{Form, Ground, Role, Shape, Side};
use plymap_puzzles::game::{Distance, Picture};
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};

/// The maps of these levels, with what people did as the table `moves` has it; none of levels that are not mapped.
///
/// # Errors
///
/// If a column of the table is missing or has another type.
pub(super) fn maps(
    levels: &[&ValuedLevel],
    moves: Option<&DataFrame>,
    illustrations: &[Illustration],
) -> PolarsResult<StateMaps> {
    let qualities: Vec<String> = Quality::ALL.iter().map(|quality| quality.name().to_owned()).collect();
    let steps = moves.map(|moves| steps_by_level(moves, &qualities)).transpose()?.unwrap_or_default();
    let mut maps = StateMaps { qualities, levels: Vec::new() };
    for level in levels {
        let Some(whole) = &level.whole else { continue };
        if whole.map.n_states() == 0 || !level.rules.unit().is_distance() {
            continue;
        }
        let steps = steps.get(&level.id).map(Vec::as_slice).unwrap_or_default();
        let figure = format!("state-graph-{}", safe_stem(&level.id));
        let figure = illustrations.iter().any(|one| one.figure.name == figure).then(|| format!("figure-{figure}"));
        maps.levels.push(LevelMap { figure, ..map_of(level, whole, steps) });
    }
    Ok(maps)
}

/// A row of the table `moves`.
struct Step {
    participant: String,
    session: String,
    attempt: i64,
    condition: String,
    before: Option<String>,
    after: Option<String>,
    time_s: Option<f64>,
    action: String,
    quality: Option<u32>,
    is_end: bool,
}

fn steps_by_level(moves: &DataFrame, qualities: &[String]) -> PolarsResult<HashMap<String, Vec<Step>>> {
    let texts = |name: &str| -> PolarsResult<Vec<Option<String>>> {
        let column = moves.column(name)?.cast(&DataType::String)?;
        Ok(column.str()?.iter().map(|cell| cell.map(str::to_owned)).collect())
    };
    let attempts: Vec<Option<i64>> = moves.column("attempt")?.i64()?.iter().collect();
    let times: Vec<Option<f64>> = moves.column("rt_s")?.cast(&DataType::Float64)?.f64()?.iter().collect();
    let is_end: Vec<Option<bool>> = moves.column("is_end")?.bool()?.iter().collect();
    let [mut participants, mut sessions, mut conditions] =
        [texts("participant")?, texts("session")?, texts("condition")?];
    let [levels, mut before, mut after] = [texts("level")?, texts("state_before")?, texts("state_after")?];
    let [events, mut actions, quality] = [texts("event")?, texts("action")?, texts("quality")?];
    let mut steps: HashMap<String, Vec<Step>> = HashMap::new();
    for (row, level) in levels.into_iter().enumerate() {
        let Some(level) = level else { continue };
        let event = events[row].clone().unwrap_or_default();
        let action = actions[row].take().filter(|action| !action.is_empty());
        let place = |name: &String| qualities.iter().position(|known| known == name).map(|place| place as u32);
        steps.entry(level).or_default().push(Step {
            participant: participants[row].take().unwrap_or_default(),
            session: sessions[row].take().unwrap_or_default(),
            attempt: attempts[row].unwrap_or_default(),
            condition: conditions[row].take().unwrap_or_default(),
            before: before[row].take(),
            after: after[row].take(),
            time_s: times[row].filter(|time| time.is_finite() && *time >= 0.0),
            action: action.unwrap_or(event),
            quality: quality[row].as_ref().and_then(place),
            is_end: is_end[row] == Some(true),
        });
    }
    Ok(steps)
}

fn map_of(level: &ValuedLevel, whole: &WholeMap, steps: &[Step]) -> LevelMap {
    let WholeMap { map, distances, .. } = whole;
    let node = |text: &Option<String>| {
        let state = level.rules.parse_state(text.as_ref()?).ok()?;
        map.node(state)
    };
    let trajectories: Vec<(&[Step], Vec<Option<u32>>)> = steps
        .chunk_by(|one, other| {
            (&one.participant, &one.session, one.attempt) == (&other.participant, &other.session, other.attempt)
        })
        .map(|attempt| {
            let first = attempt.first().map(|step| node(&step.before));
            (attempt, first.into_iter().chain(attempt.iter().map(|step| node(&step.after))).collect())
        })
        .collect();
    let mut visits = vec![0_u32; map.n_states()];
    for state in trajectories.iter().flat_map(|(_, states)| states).flatten() {
        visits[*state as usize] += 1;
    }
    let on_shortest_path = on_shortest_paths(whole);
    let shown = shown_states(
        MAX_STATES,
        0,
        &visits,
        |state| on_shortest_path[state as usize],
        |state| map.graph.successors(state).to_vec(),
    );
    let place_of = |state: u32| shown.binary_search(&state).ok().map(|place| place as u32);
    let distance: Vec<Option<u32>> =
        shown.iter().map(|&state| distances.get(state).map(|Distance(distance)| distance)).collect();
    let edges: Vec<(u32, u32)> = shown
        .iter()
        .enumerate()
        .flat_map(|(from, &state)| {
            map.graph.successors(state).iter().filter_map(move |&after| Some((from as u32, place_of(after)?)))
        })
        .collect();
    let layers = layout::layers(&distance, &edges);
    let last = layout::centres(&layers).last().copied().unwrap_or(0.0);
    let placement = layout::place(&layers, ASPECT * (last + 1.2));
    let mut moves = Moves::default();
    let mut shapes = Shapes::default();
    let mut boards = Vec::with_capacity(shown.len());
    let mut board = Board::default();
    for &state in &shown {
        moves.begin();
        let legal =
            if map.graph.successors(state).is_empty() { Vec::new() } else { level.rules.legal_moves(map.code(state)) };
        for played in legal {
            let Some(after) = map.node(played.after) else { continue };
            let far = || off_map(distances.get(after).map(|Distance(distance)| distance));
            let target = place_of(after).map_or_else(far, i64::from);
            moves.push(target, played.notation, played.cost);
        }
        let picture = level.rules.picture(map.code(state));
        if boards.is_empty() {
            board = board_of(&picture);
        }
        let number = |shape: &Shape| {
            let rectangle = [shape.row, shape.column, shape.rows, shape.columns];
            shapes.number(rectangle, &paint_of(shape), &shape.label)
        };
        boards.push(picture.shapes.iter().map(number).collect());
    }
    moves.begin();
    let mut played: Numbered<String> = Numbered::default();
    let attempts =
        trajectories.iter().map(|(steps, states)| trajectory(steps, states, &place_of, &mut played)).collect();
    let (shapes, paints) = shapes.into_lists();
    LevelMap {
        level: level.id.clone(),
        unit: level.rules.unit().name().to_owned(),
        figure: None,
        n_states: map.n_states(),
        start: place_of(0),
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
        actions: moves.known.into_items(),
        board,
        paints,
        shapes,
        boards,
        played: played.into_items(),
        attempts,
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
    known: Numbered<(String, u32)>,
}

impl Moves {
    fn begin(&mut self) {
        self.first.push(self.targets.len() as u32);
    }

    fn push(&mut self, target: i64, notation: String, cost: u32) {
        self.targets.push(target);
        self.actions.push(self.known.number((notation, cost)));
    }
}

/// For each state whether it lies on a shortest solution from the start.
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

fn trajectory(
    steps: &[Step],
    states: &[Option<u32>],
    place_of: &impl Fn(u32) -> Option<u32>,
    played: &mut Numbered<String>,
) -> AttemptTrajectory {
    let Some(first) = steps.first() else { return AttemptTrajectory::default() };
    AttemptTrajectory {
        participant: first.participant.clone(),
        session: first.session.clone(),
        attempt: first.attempt,
        condition: first.condition.clone(),
        solved: steps.iter().any(|step| step.is_end),
        states: states.iter().map(|state| state.and_then(place_of).map_or(-1, i64::from)).collect(),
        times: steps.iter().map(|step| step.time_s.map(rounded)).collect(),
        actions: steps.iter().map(|step| played.number(step.action.clone())).collect(),
        qualities: steps.iter().map(|step| step.quality).collect(),
    }
}

fn board_of(picture: &Picture) -> Board {
    let side = |side: Side| match side {
        Side::Top => "top",
        Side::Right => "right",
        Side::Bottom => "bottom",
        Side::Left => "left",
    };
    Board {
        width: picture.width,
        height: picture.height,
        grid: picture.ground == Ground::Grid,
        openings: picture.openings.iter().map(|one| (one.row, one.column, side(one.side).to_owned())).collect(),
    }
}

fn paint_of(shape: &Shape) -> Paint {
    let (fill, ink, inset) = paint(shape.role);
    let hex = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
    let style = match shape.role {
        Role::Target(_) => PaintStyle::Target,
        Role::Wall | Role::Frame | Role::Lamp(_) | Role::Mark => PaintStyle::Plain,
        Role::Hero | Role::Piece(_) | Role::Ranked(_) => PaintStyle::Piece,
    };
    let form = match shape.form {
        Form::Disc => PaintForm::Disc,
        Form::Block if shape.role == Role::Mark => PaintForm::Disc,
        Form::Block => PaintForm::Block,
    };
    let below = matches!(shape.role, Role::Frame | Role::Target(_));
    Paint { form, style, fill: hex(fill), ink: hex(ink), inset, below }
}
