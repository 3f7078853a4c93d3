//! Learning the weights of a network by playing.
//!
//! The player takes the move after which the network expects most, its gain included. After the game each
//! after-state is told what came: the gain of the next move and the value of the next after-state (temporal
//! differences of after-states: Szubert and Jaśkowski 2014). The game is gone through from its end to its
//! start, so that each after-state hears of a later one that has learned already, and a part of the error is
//! passed on (λ-return: Sutton 1988). Each weight has a rate of its own, which falls when its errors differ
//! in sign (temporal coherence: Beal and Smith 1999; on 2048: Jaśkowski 2016).

use super::super::board::{Board, Grid, longest_chain, value};
use super::super::exact::Course;
use super::super::random::Random;
use super::tuples::{Cells, Tuples};
use super::weights::{Network, UNITS_PER_POINT};
use crate::game::ValueError;
use crate::progress::Progress;

/// Weight of what came after the next after-state, besides what the network expects of it.
const LAMBDA: f32 = 0.5;

/// A game is cut after so many moves, as on large boards one may go on for millions.
const MAX_GAME: usize = 1 << 16;

/// A lesson ends after so many moves for each of its games, played or not.
const MOVES_PER_GAME: u64 = 5_000;

/// After so many moves the caller is asked whether to stop.
const MOVES_BETWEEN_QUESTIONS: usize = 1 << 12;

/// The largest exponent that boards have while a network learns on up to 16 cells: the tile of 32,768, which
/// no game of a lesson comes near. With it, a tile of 4x4 takes four bits, and slides are quick.
const MAX_EXPONENT: u32 = 15;

/// Games from which a network learns. Equal lessons make equal networks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lesson {
    /// Number of columns of the board.
    pub width: usize,
    /// Number of rows of the board.
    pub height: usize,
    /// The exponent of the tile that ends the game.
    pub target: Option<u32>,
    /// The probability that a new tile is a 4.
    pub four: f64,
    /// Number of games. Each begins with two tiles that chance draws.
    pub n_games: u64,
    /// The seed of new tiles.
    pub seed: u64,
}

impl Lesson {
    /// The lesson in words, so that a kept network is not used for another one.
    pub fn in_words(&self) -> String {
        let target = self.target.map_or("none".to_owned(), |target| value(target).to_string());
        let Self { width, height, four, n_games, seed, .. } = self;
        format!("{width}x{height}-target-{target}-four-{four}-games-{n_games}-seed-{seed}")
    }

    /// The largest exponent that arises while the network learns.
    fn max_exponent(&self) -> u32 {
        let n_cells = self.width * self.height;
        let chain = longest_chain(n_cells, self.four);
        let most = if n_cells <= 16 { chain.min(MAX_EXPONENT) } else { chain };
        self.target.map_or(most, |target| target.min(most))
    }
}

impl Tuples {
    /// The tuples of the network that learns this lesson.
    pub fn of_lesson(lesson: &Lesson) -> Self {
        // At the target the game is over, so that no after-state with that tile is looked up.
        let max_exponent = lesson.max_exponent();
        let n_exponents = if lesson.target == Some(max_exponent) { max_exponent } else { max_exponent + 1 };
        Self::new(lesson.width, lesson.height, n_exponents)
    }
}

impl Network {
    /// The network that a lesson makes.
    ///
    /// # Errors
    ///
    /// [`ValueError`] if the caller asks to stop, or the board is too large.
    pub fn learned(lesson: &Lesson, progress: &dyn Progress) -> Result<Self, ValueError> {
        let grid = Grid::new(lesson.width, lesson.height, lesson.max_exponent()).ok_or_else(beyond)?;
        let course = Course { grid: &grid, target: lesson.target, four: lesson.four };
        progress.begin("learning to play 2048", Some(lesson.n_games));
        let mut learner = Learner::new(&course, Tuples::of_lesson(lesson), lesson.seed);
        let learned = learner.learn(lesson.n_games, progress);
        progress.end();
        learned.map(|()| learner.network())
    }
}

fn beyond() -> ValueError {
    ValueError::Beyond("the tiles of this board do not fit into 128 bits".to_owned())
}

/// One step of a game: the after-state, and the points that the move gained.
#[derive(Clone, Copy, Debug)]
struct Step {
    after: Board,
    points: f32,
}

/// A network that learns.
struct Learner<'a> {
    course: &'a Course<'a>,
    tuples: Tuples,
    weights: Vec<f32>,
    /// For each weight the sum of the errors it was told, and of their sizes.
    errors: Vec<[f32; 2]>,
    random: Random,
    /// The last game.
    steps: Vec<Step>,
}

impl<'a> Learner<'a> {
    fn new(course: &'a Course<'a>, tuples: Tuples, seed: u64) -> Self {
        let (weights, errors) = (vec![0.0; tuples.n_weights()], vec![[0.0; 2]; tuples.n_weights()]);
        Self { course, tuples, weights, errors, random: Random::new(seed), steps: Vec::new() }
    }

    fn learn(&mut self, n_games: u64, progress: &dyn Progress) -> Result<(), ValueError> {
        let mut n_moves_left = n_games.saturating_mul(MOVES_PER_GAME);
        for game in 0..n_games {
            let is_over = self.play(progress)?;
            self.learn_from_game(is_over);
            n_moves_left = n_moves_left.saturating_sub(self.steps.len() as u64);
            if n_moves_left == 0 {
                progress.advance(n_games - game);
                break;
            }
            progress.advance(1);
        }
        Ok(())
    }

    /// The network with the weights as they are now.
    fn network(self) -> Network {
        let weights = self.weights.iter().map(|weight| (weight * UNITS_PER_POINT).round() as i32).collect();
        Network { tuples: self.tuples, weights }
    }

    fn cells(&self, board: Board) -> Cells {
        self.tuples.cells(self.course.grid.tiles(board))
    }

    fn sum(&self, cells: &Cells) -> f32 {
        self.tuples.indices(cells).map(|index| self.weights[index]).sum()
    }

    /// The points that are expected after an after-state: none where the game is over.
    fn value(&self, after: Board) -> f32 {
        if self.course.is_goal(after) { 0.0 } else { self.sum(&self.cells(after)) }
    }

    /// Plays a game into `steps`; whether it came to its end.
    fn play(&mut self, progress: &dyn Progress) -> Result<bool, ValueError> {
        let course = self.course;
        self.steps.clear();
        let mut board = self.random.start(course.grid, course.four);
        while self.steps.len() < MAX_GAME {
            if self.steps.len().is_multiple_of(MOVES_BETWEEN_QUESTIONS) && progress.is_cancelled() {
                return Err(ValueError::Interrupted);
            }
            let Some(step) = self.best_step(board) else { return Ok(true) };
            self.steps.push(step);
            if course.is_goal(step.after) {
                return Ok(true);
            }
            board = self.random.with_new_tile(course.grid, step.after, course.four);
        }
        Ok(false)
    }

    fn best_step(&self, board: Board) -> Option<Step> {
        let mut best: Option<(Step, f32)> = None;
        for (after, points) in self.course.moves(board) {
            let step = Step { after, points: points as f32 };
            let worth = step.points + self.value(after);
            if best.is_none_or(|(_, most)| worth > most) {
                best = Some((step, worth));
            }
        }
        best.map(|(step, _)| step)
    }

    /// Tells each after-state of the last game what came after it, from the last one to the first.
    fn learn_from_game(&mut self, is_over: bool) {
        let steps = std::mem::take(&mut self.steps);
        // What came after the after-state at hand. Of the last one of a game that was cut nothing is known.
        let mut rest = is_over.then_some(0.0);
        // Backwards, so that each after-state learns from a value that is corrected already.
        for &Step { after, points } in steps.iter().rev() {
            let value = match rest {
                Some(rest) if !self.course.is_goal(after) => {
                    let value = self.correct(after, rest);
                    value + LAMBDA * (rest - value)
                }
                _ => self.value(after),
            };
            rest = Some(points + value);
        }
        self.steps = steps;
    }

    /// Moves the value of an after-state towards what came after it; the new value.
    fn correct(&mut self, after: Board, rest: f32) -> f32 {
        let cells = self.cells(after);
        let error = rest - self.sum(&cells);
        // All weights were added to make the value, so each takes an equal part of the error.
        let share = error / self.tuples.n_lookups() as f32;
        let mut sum = 0.0;
        for index in self.tuples.indices(&cells) {
            let ([net, total], weight) = (&mut self.errors[index], &mut self.weights[index]);
            let rate = if *total == 0.0 { 1.0 } else { net.abs() / *total };
            *weight += rate * share;
            *net += error;
            *total += error.abs();
            sum += *weight;
        }
        sum
    }
}
