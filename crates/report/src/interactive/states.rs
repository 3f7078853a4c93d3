//! The states of a level as a map shows them: their places, distances, moves, boards and texts.
//!
//! States are numbered in the order of their codes. Neighbours in that order differ in few things, and moves of one
//! kind lead equally far in it, so that boards and moves take about a bit for each of them.

use std::collections::HashMap;

use plymap_figures::layout;
use plymap_measures::level_tables::moves_on_map;
use plymap_play::page_picture::{Board, Shapes};
use plymap_puzzles::game::{Distance, Picture};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use plymap_tables::interner::Interner;
use plymap_walks::random_walk::RandomWalks;
use rayon::prelude::*;

use super::packed::{Part, folded, steps};

/// Height of a map by its width.
const ASPECT: f64 = 0.55;

/// Places in a map are whole numbers up to this one.
const MOST_PLACE: f64 = 65_535.0;

/// Probability with which random play goes on after a move: 10 moves on average.
const CONTINUING: f64 = 0.9;

/// States whose boards and moves are in memory at once before they are packed.
const AT_ONCE: usize = 16_384;

/// Entry for a state that is not shown.
const NOT_SHOWN: u32 = u32::MAX;

/// The states of a level that are shown.
pub(super) struct ShownStates<'a> {
    progress: &'a dyn Progress,
    level: &'a ValuedLevel,
    whole: &'a WholeMap,
    /// Their numbers in the level, in the order of their codes.
    states: Vec<u32>,
    /// For each state of the level its place among them, or [`NOT_SHOWN`].
    places: Vec<u32>,
}

impl<'a> ShownStates<'a> {
    /// The given states of a level. Its parts advance the progress by the number of states each, and are incomplete
    /// where it asks to stop.
    pub fn new(level: &'a ValuedLevel, whole: &'a WholeMap, mut states: Vec<u32>, progress: &'a dyn Progress) -> Self {
        states.par_sort_unstable_by_key(|&state| whole.map.code(state));
        let mut places = vec![NOT_SHOWN; whole.map.n_states()];
        for (place, &state) in states.iter().enumerate() {
            places[state as usize] = place as u32;
        }
        Self { progress, level, whole, states, places }
    }

    /// Tells of states that a part has done with, and returns false where it is to stop.
    fn goes_on(&self, n_states: usize) -> bool {
        self.progress.advance(n_states as u64);
        !self.progress.is_cancelled()
    }

    /// Number of the states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns the place of a state of the level; none if it is not shown.
    pub fn place(&self, state: u32) -> Option<u32> {
        Some(self.places[state as usize]).filter(|&place| place != NOT_SHOWN)
    }

    /// Writes where the states stand, and how far from the goal.
    pub fn write_places(&self, part: &mut Part) {
        let distances = self.distances();
        let layers = layout::layers_while(&distances, &self.edges(), || self.goes_on(self.len() / layout::SWEEPS));
        let last = layout::centres(&layers).last().copied().unwrap_or(0.0);
        let placement = layout::place(&layers, ASPECT * (last + 1.2));
        let (left, right) = (-0.5, last + 0.5);
        let top = placement.positions.iter().map(|place| place.1.abs()).fold(placement.spacing, f64::max);
        let share = |value: f64, low: f64, high: f64| ((value - low) / (high - low) * MOST_PLACE).round() as u32;
        let x: Vec<u32> = placement.positions.iter().map(|place| share(place.0, left, right)).collect();
        let y: Vec<u32> = placement.positions.iter().map(|place| share(place.1, -top, top)).collect();
        part.set("frame", [left, right, -top, top]);
        part.set("spacing", placement.spacing);
        part.set("farthest", distances.iter().flatten().max());
        part.numbers("x", &x);
        part.numbers("y", &y);
        // 0 for those from which no goal can be reached.
        let after_none = |distance: &Option<u32>| distance.map_or(0, |distance| distance + 1);
        part.numbers("distance", &distances.iter().map(after_none).collect::<Vec<u32>>());
        let is_goal = |&state: &u32| u8::from(self.whole.map.is_goal(state));
        part.bytes("goal", &self.states.iter().map(is_goal).collect::<Vec<u8>>());
    }

    /// Returns for each state how likely random play comes to a goal from it, in thousandths of its negative decimal
    /// logarithm and from 1; 0 for never. Nothing where that cannot be found in some seconds.
    pub fn values(&self) -> Option<Vec<u32>> {
        let WholeMap { map, distances, .. } = self.whole;
        let values = RandomWalks::new(map, distances).absorption(CONTINUING, None)?;
        let logarithm = |&state: &u32| match values[state as usize] {
            value if value > 0.0 => (1.0 - 1_000.0 * value.log10()).round().clamp(1.0, MOST_PLACE) as u32,
            _ => 0,
        };
        Some(self.states.iter().map(logarithm).collect())
    }

    fn distance(&self, state: u32) -> Option<u32> {
        self.whole.distances.get(state).map(|Distance(distance)| distance)
    }

    /// Returns the distance of each state to the goal; none where none can be reached.
    pub fn distances(&self) -> Vec<Option<u32>> {
        self.states.iter().map(|&state| self.distance(state)).collect()
    }

    /// Returns the pairs of shown states that a move joins, each once.
    pub fn edges(&self) -> Vec<(u32, u32)> {
        let graph = &self.whole.map.graph;
        let is_symmetric = graph.is_symmetric();
        let of_state = |(place, &state): (usize, &u32)| {
            let place = place as u32;
            let others = graph.successors(state).iter().filter_map(|&after| self.place(after));
            // Of an edge with arcs in both directions, one is enough.
            others.filter(move |&other| !is_symmetric || place < other).map(move |other| (place, other))
        };
        self.states.iter().enumerate().flat_map(of_state).collect()
    }

    /// Returns the legal moves: for each kind of move, which stands in the head with its cost and number of moves, the
    /// states before them and how far each leads, both as differences from the move before it. A state that is not
    /// shown has the number of states plus 1 plus its distance, or the number of states if it has none.
    pub fn moves(&self) -> Part {
        let mut part = Part::default();
        let mut kinds: Interner<(String, u32)> = Interner::default();
        let mut moves: Vec<Vec<(u32, u32)>> = Vec::new();
        let chunks = self.states.chunks(AT_ONCE).zip((0..).step_by(AT_ONCE));
        for (chunk, first) in chunks.take_while(|(chunk, _)| self.goes_on(chunk.len())) {
            let of_state = |&state: &u32| moves_on_map(self.level, &self.whole.map, state).collect::<Vec<_>>();
            let legal: Vec<Vec<_>> = chunk.par_iter().map(of_state).collect();
            for (place, legal) in (first..).zip(legal) {
                for (legal, after) in legal {
                    let kind = kinds.number((legal.notation, legal.cost)) as usize;
                    moves.resize_with(moves.len().max(kind + 1), Vec::new);
                    moves[kind].push((place, self.target(after)));
                }
            }
        }
        let (mut from, mut leads) = (Vec::new(), Vec::new());
        for moves in &moves {
            from.extend(steps(moves.iter().map(|&(from, _)| from)));
            let mut before = 0;
            for &(from, to) in moves {
                let lead = i64::from(to) - i64::from(from);
                leads.push(folded(lead - before));
                before = lead;
            }
        }
        let kinds = kinds.into_items().into_iter().zip(&moves);
        part.set("kinds", kinds.map(|((notation, cost), moves)| (notation, cost, moves.len())).collect::<Vec<_>>());
        part.small_numbers("from", &from);
        part.small_numbers("leads", &leads);
        part
    }

    fn target(&self, state: u32) -> u32 {
        let off_map = || self.states.len() as u32 + self.distance(state).map_or(0, |distance| distance + 1);
        self.place(state).unwrap_or_else(off_map)
    }

    /// Returns the boards of all states, and their notation.
    ///
    /// The head has every shape once. The shapes of a board are drawn in order; for the first, the second and each
    /// further one, an array has for each state the number of the shape among those that come there, from 1; 0 for none.
    /// The notation is an array of bytes: the first of all states, then the second ones, 0 behind the end of a text.
    pub fn boards(&self) -> Part {
        let mut part = Part::default();
        let mut boards = Boards::default();
        for chunk in self.states.chunks(AT_ONCE).take_while(|chunk| self.goes_on(chunk.len())) {
            let picture = |&state: &u32| self.level.rules.picture(self.whole.map.code(state));
            let pictures: Vec<Picture> = chunk.par_iter().map(picture).collect();
            pictures.into_iter().for_each(|picture| boards.push(picture));
        }
        boards.write(&mut part);
        let notation = |&state: &u32| self.level.rules.format_state(self.whole.map.code(state)).into_bytes();
        let notations: Vec<Vec<u8>> = self.states.par_iter().map(notation).collect();
        let length = notations.iter().map(Vec::len).max().unwrap_or(0);
        part.set("letters", length);
        let column = |place: usize| notations.iter().map(move |text| text.get(place).copied().unwrap_or(0));
        part.bytes("notation", &(0..length).flat_map(column).collect::<Vec<u8>>());
        part
    }
}

/// Boards, shape by shape.
#[derive(Default)]
struct Boards {
    shapes: Shapes,
    slots: Vec<Slot>,
    n_boards: usize,
    last: Option<Picture>,
}

/// The shapes that stand at one place of the order in which boards are drawn.
#[derive(Default)]
struct Slot {
    /// The number of each among all shapes.
    shapes: Vec<u32>,
    numbers: HashMap<u32, u32>,
    /// For each board the number here, from 1; 0 for none.
    of_board: Vec<u32>,
}

impl Boards {
    fn push(&mut self, picture: Picture) {
        let n_shapes = picture.shapes.len();
        while self.slots.len() < n_shapes {
            self.slots.push(Slot { of_board: vec![0; self.n_boards], ..Slot::default() });
        }
        for (place, slot) in self.slots.iter_mut().enumerate() {
            let shape = picture.shapes.get(place);
            // Most shapes are where they were on the board before: to number one anew takes long.
            let before = self.last.as_ref().and_then(|last| last.shapes.get(place));
            let number = match (shape, slot.of_board.last()) {
                (None, _) => 0,
                (Some(_), Some(&number)) if shape == before => number,
                (Some(shape), _) => slot.number(self.shapes.number(shape)),
            };
            slot.of_board.push(number);
        }
        self.n_boards += 1;
        self.last = Some(picture);
    }

    fn write(self, part: &mut Part) {
        part.set("board", self.last.as_ref().map(Board::of).unwrap_or_default());
        let (shapes, paints) = self.shapes.into_lists();
        part.set("shapes", shapes);
        part.set("paints", paints);
        part.set("slots", self.slots.iter().map(|slot| &slot.shapes).collect::<Vec<_>>());
        self.slots.iter().for_each(|slot| part.numbers("slot", &slot.of_board));
    }
}

impl Slot {
    fn number(&mut self, shape: u32) -> u32 {
        *self.numbers.entry(shape).or_insert_with(|| {
            self.shapes.push(shape);
            self.shapes.len() as u32
        })
    }
}
