//! A position as a server gives it to a page: its picture, and what each legal move makes of it.

use super::page_gesture::gesture;
use crate::page_picture::{BoardShape, Paint, Shapes};
use plymap_puzzles::game::{MoveError, Picture, StateCode};
use plymap_puzzles::rules::{LegalMove, Rules};
use rand::{Rng, RngExt as _};
use serde::Serialize;

/// The shapes of a picture, in the order in which they are drawn.
pub type Drawing = Vec<BoardShape>;

/// A position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Position {
    /// In the notation of the game.
    pub state: String,
    /// True if the level is solved.
    pub solved: bool,
    /// True if no move is left, or the level is solved.
    pub ended: bool,
    /// Looks of shapes, to which they refer by index.
    pub paints: Vec<Paint>,
    /// Shapes on the board.
    pub shapes: Drawing,
    /// The legal moves, in ascending order.
    pub moves: Vec<PlayableMove>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayableMove {
    /// In the notation of logs.
    pub notation: String,
    /// Cost of the move; where values are points, the points that it gains.
    pub cost: u32,
    /// Gesture by which a hand makes it; null where the pictures before and after it tell.
    pub gesture: serde_json::Value,
    /// Shapes on the board after it, before chance has its turn.
    pub after: Drawing,
}

impl Position {
    /// Creates the position of a code without its moves, for replays.
    pub fn still(rules: &dyn Rules, state: StateCode) -> Self {
        let mut shapes = Shapes::default();
        let numbers: Vec<u32> = shapes.of(&rules.picture(state)).collect();
        let (shapes, paints) = shapes.into_lists();
        Self {
            state: rules.format_state(state),
            solved: rules.is_goal(state),
            ended: rules.is_end(state),
            paints,
            shapes: numbers.iter().map(|number| shapes[*number as usize].clone()).collect(),
            moves: Vec::new(),
        }
    }

    /// The position of a code.
    pub fn new(rules: &dyn Rules, state: StateCode) -> Self {
        let mut shapes = Shapes::default();
        let numbered = |shapes: &mut Shapes, picture: &Picture| -> Vec<u32> { shapes.of(picture).collect() };
        let shape_numbers = numbered(&mut shapes, &rules.picture(state));
        let solved = rules.is_goal(state);
        let legal = rules.legal_moves(state);
        let afters: Vec<Vec<u32>> =
            legal.iter().map(|legal| numbered(&mut shapes, &rules.picture(legal.after))).collect();
        let (shapes, paints) = shapes.into_lists();
        let drawing = |numbers: &[u32]| numbers.iter().map(|number| shapes[*number as usize].clone()).collect();
        let ended = solved || legal.is_empty();
        let playable = |(legal, after): (LegalMove, &Vec<u32>)| PlayableMove {
            notation: legal.notation,
            cost: legal.cost,
            gesture: gesture(legal.gesture),
            after: drawing(after),
        };
        Self {
            state: rules.format_state(state),
            solved,
            ended,
            paints,
            shapes: drawing(&shape_numbers),
            moves: legal.into_iter().zip(&afters).map(playable).collect(),
        }
    }
}

/// Plays an action. Where chance follows moves and the action does not tell what it did, it is drawn; the move's notation then
/// tells it.
///
/// # Errors
///
/// [`MoveError`] if the text is no move, or not legal here.
pub fn played(
    rules: &dyn Rules,
    state: StateCode,
    action: &str,
    generator: &mut impl Rng,
) -> Result<LegalMove, MoveError> {
    if rules.has_chance() {
        let chosen = rules.legal_moves(state).iter().position(|legal| legal.notation == action);
        if let Some(outcomes) = chosen.and_then(|place| rules.outcomes(state).into_iter().nth(place)) {
            return Ok(drawn(outcomes, generator).expect("a legal move has outcomes"));
        }
    }
    rules.play(state, action)
}

/// The position in which an attempt starts: drawn, where chance draws it.
pub fn started(rules: &dyn Rules, generator: &mut impl Rng) -> StateCode {
    drawn(rules.starts(), generator).unwrap_or_else(|| rules.start())
}

/// Draws one of several outcomes, each with its probability; none if there is none.
fn drawn<T>(outcomes: Vec<(T, f64)>, generator: &mut impl Rng) -> Option<T> {
    let mut left: f64 = generator.random::<f64>() * outcomes.iter().map(|(_, probability)| probability).sum::<f64>();
    let last = outcomes.len().checked_sub(1)?;
    outcomes.into_iter().enumerate().find_map(|(place, (outcome, probability))| {
        left -= probability;
        // Rounding may leave a rest behind the last one.
        (left < 0.0 || place == last).then_some(outcome)
    })
}
