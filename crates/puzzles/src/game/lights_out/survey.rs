//! Boards of all sizes: which can be solved, how far apart, and by which patterns.
//!
//! These are the questions that the article on Enlight ends with (Osenkov 2008): is the solution unique, which
//! boards have none, which single lamps can be turned off and by what pattern, what share of the board such lamps make,
//! and what comes of applying the solution to the solution.

use super::algebra::{Algebra, MAX_NULLITY};
use super::bits::{BitWords, Bits};
use super::board::{MAX_LAMPS, TooManyLamps};
use super::neighbourhood::Neighbourhood;
use crate::progress::Progress;

mod distances;
mod largest;

pub use largest::MAX_COST;

/// The most steps that a period is looked for.
pub const MAX_PERIOD: u64 = 10_000;

/// Facts about the square boards of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// Number of rows, and of columns.
    pub side: usize,
    /// Dimension of the null space: 2^nullity sets of presses change no lamp, so a board that has a solution has
    /// 2^nullity of them.
    pub nullity: usize,
    /// The share of all boards that have a solution, from 0 to 1: 2^-nullity.
    pub share_solvable: f64,
    /// The cells whose lamp, lit alone, can be turned off, row by row from 0: those that no quiet pattern presses,
    /// if the neighbourhood looks the same from both ends.
    pub solvable_lamps: Vec<usize>,
    /// Their share of all cells, from 0 to 1.
    pub share_solvable_lamps: f64,
    /// The largest distance of any board that has a solution; absent where it would cost more than [`MAX_COST`].
    pub largest_distance: Option<u32>,
    /// The number of boards at each distance, from 0 on; absent where that would cost more than [`MAX_COST`], or 128
    /// bits do not hold it.
    pub n_by_distance: Option<Vec<u128>>,
    /// Solution of the lamp in the upper left corner, lit alone; absent if it has none.
    pub corner: Option<Solution>,
    /// Solution of the lamp in the middle, lit alone; on boards with an even side, the upper left one
    /// of the four in the middle. Absent if it cannot be.
    pub centre: Option<Solution>,
    /// Solution of the board with all lamps on, which with the neighbourhoods plus, torus, diagonal and moore
    /// is always possible (Sutner 1989).
    pub all_on: Option<Solution>,
    /// Solution of the board on which exactly the solvable lamps are lit.
    pub solvable_lamps_on: Option<Solution>,
}

/// The lightest solution of a board, as a pattern. Absent too where the nullity is above [`MAX_NULLITY`].
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Number of presses.
    pub weight: u32,
    /// Number of solutions with so few presses. Where it is more than 1, what follows is true of the first of them.
    pub n_lightest: u64,
    /// The pressed cells, row by row from 0.
    pub presses: Vec<usize>,
    /// Their share of all cells, from 0 to 1.
    pub share_pressed: f64,
    /// The solution of the solution: the number of presses of the lightest solution of the board on which the
    /// pressed cells are lit. Absent if it has none.
    pub weight_again: Option<u32>,
    /// After how many times the solution of the solution of … is the board itself again. Absent if solutions are not
    /// unique, and beyond [`MAX_PERIOD`].
    pub period: Option<u64>,
}

/// Reason why boards could not be surveyed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SurveyError {
    /// The largest board is too large.
    #[error(transparent)]
    TooManyLamps(#[from] TooManyLamps),
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Surveys the square boards with sides of 1 to `max_side`. Tells `progress` of each board.
///
/// # Errors
///
/// [`SurveyError`] if the largest board has more than [`MAX_LAMPS`] lamps, or the caller asks to stop.
pub fn survey(
    max_side: usize,
    neighbourhood: &Neighbourhood,
    progress: &dyn Progress,
) -> Result<Vec<Size>, SurveyError> {
    let lamps = max_side.saturating_mul(max_side);
    if lamps > MAX_LAMPS {
        return Err(TooManyLamps { lamps, capacity: MAX_LAMPS }.into());
    }
    progress.begin("survey", Some(max_side as u64));
    let mut sizes = Vec::with_capacity(max_side);
    for side in 1..=max_side {
        if progress.is_cancelled() {
            progress.end();
            return Err(SurveyError::Interrupted);
        }
        sizes.push(size(side, neighbourhood));
        progress.advance(1);
    }
    progress.end();
    Ok(sizes)
}

/// Surveys the square boards of one size. The board must have at most [`MAX_LAMPS`] lamps.
pub fn size(side: usize, neighbourhood: &Neighbourhood) -> Size {
    match side * side {
        ..=64 => Sheet::<u64>::new(side, neighbourhood).size(),
        65..=128 => Sheet::<u128>::new(side, neighbourhood).size(),
        129..=256 => Sheet::<BitWords<4>>::new(side, neighbourhood).size(),
        257..=512 => Sheet::<BitWords<8>>::new(side, neighbourhood).size(),
        _ => Sheet::<BitWords<16>>::new(side, neighbourhood).size(),
    }
}

/// A square board with its equations.
struct Sheet<B> {
    side: usize,
    presses: Vec<B>,
    algebra: Algebra<B>,
}

impl<B: Bits> Sheet<B> {
    fn new(side: usize, neighbourhood: &Neighbourhood) -> Self {
        let presses: Vec<B> = neighbourhood.presses(side, side);
        let algebra = Algebra::new(&presses);
        Self { side, presses, algebra }
    }

    fn size(&self) -> Size {
        let (side, n_cells, nullity) = (self.side, self.presses.len(), self.algebra.nullity());
        let solvable_lamps: Vec<usize> =
            (0..n_cells).filter(|&cell| self.algebra.is_solvable(B::single(cell))).collect();
        let middle = (side - 1) / 2 * (side + 1);
        Size {
            side,
            nullity,
            share_solvable: 0.5f64.powi(nullity as i32),
            share_solvable_lamps: self.share(solvable_lamps.len()),
            largest_distance: largest::largest_distance(n_cells, self.algebra.quiet_patterns()),
            n_by_distance: distances::n_by_distance(n_cells, self.algebra.quiet_patterns()),
            corner: self.solution(B::single(0)),
            centre: self.solution(B::single(middle)),
            all_on: self.solution(B::of_cells(0..n_cells)),
            solvable_lamps_on: self.solution(B::of_cells(solvable_lamps.iter().copied())),
            solvable_lamps,
        }
    }

    fn solution(&self, lit: B) -> Option<Solution> {
        let some = self.algebra.solution(lit).filter(|_| self.algebra.nullity() <= MAX_NULLITY)?;
        let lightest = self.algebra.lightest(some);
        let presses: Vec<usize> = lightest.presses.cells().collect();
        let again = self.algebra.solution(lightest.presses);
        Some(Solution {
            weight: lightest.weight,
            n_lightest: lightest.n_solutions,
            share_pressed: self.share(presses.len()),
            presses,
            weight_again: again.map(|solution| self.algebra.least_weight(solution)),
            period: self.period(lit),
        })
    }

    /// Pressing the lit cells of a board and taking a solution are inverse to each other, so that both come
    /// back after the same number of times; pressing is quicker.
    fn period(&self, board: B) -> Option<u64> {
        if self.algebra.nullity() > 0 {
            return None;
        }
        let press_lit = |lit: B| lit.cells().fold(B::EMPTY, |lamps, cell| lamps.xor(self.presses[cell]));
        let mut lit = board;
        (1..=MAX_PERIOD).find(|_| {
            lit = press_lit(lit);
            lit == board
        })
    }

    fn share(&self, n_cells: usize) -> f64 {
        n_cells as f64 / self.presses.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    #[test]
    fn the_published_numbers_come_out() {
        let sizes = survey(20, &Neighbourhood::Plus, &Silent).unwrap();
        let nullities: Vec<usize> = sizes.iter().map(|size| size.nullity).collect();
        assert_eq!(nullities, [0, 0, 0, 4, 2, 0, 0, 0, 8, 0, 6, 0, 0, 4, 0, 8, 2, 0, 16, 0]);
        let largest: Vec<_> = sizes.iter().take(5).map(|size| size.largest_distance).collect();
        assert_eq!(largest, [1, 4, 9, 7, 15].map(Some));
        // Without quiet patterns the board that all presses make is the farthest.
        assert!(sizes.iter().all(|size| size.nullity > 0 || size.largest_distance == Some((size.side as u32).pow(2))));
        // Fewest presses that turn all lamps off: OEIS A075464.
        let all_on: Vec<u32> = sizes.iter().map(|size| size.all_on.as_ref().unwrap().weight).collect();
        let published = [1, 4, 5, 4, 15, 28, 33, 40, 25, 44, 55, 72, 105, 56, 117, 104, 147, 188, 141, 224];
        assert_eq!(all_on, published);
    }

    #[test]
    fn the_published_nullities_of_boards_without_edges_come_out() {
        // OEIS A165738.
        let nullities = (1..=12).map(|side| size(side, &Neighbourhood::Torus).nullity);
        assert_eq!(nullities.collect::<Vec<_>>(), [0, 0, 4, 0, 8, 8, 0, 0, 4, 16, 0, 16]);
    }

    #[test]
    fn a_caller_who_stops_gets_no_half_survey() {
        struct Stopping;
        impl Progress for Stopping {
            fn begin(&self, _stage: &str, _total: Option<u64>) {}
            fn advance(&self, _steps: u64) {}
            fn end(&self) {}
            fn is_cancelled(&self) -> bool {
                true
            }
        }
        assert_eq!(survey(3, &Neighbourhood::Plus, &Stopping), Err(SurveyError::Interrupted));
    }

    #[test]
    fn single_lamps_that_no_quiet_pattern_presses_can_be_turned_off() {
        // Two quiet patterns of the 5x5 board make all others; the lamps that neither presses are solvable alone.
        // * . * . *    * * . * *    . . . . .
        // * . * . *    . . . . .    . * . * .
        // . . . . .    * * . * *    . . * . .
        // * . * . *    . . . . .    . * . * .
        // * . * . *    * * . * *    . . . . .
        let five = size(5, &Neighbourhood::Plus);
        assert_eq!(five.solvable_lamps, [6, 8, 12, 16, 18]);
        assert_eq!((five.corner, five.share_solvable, five.share_solvable_lamps), (None, 0.25, 0.2));
        let four = size(4, &Neighbourhood::Plus);
        assert_eq!((four.solvable_lamps, four.centre), (vec![], None));
        assert_eq!(four.solvable_lamps_on.map(|solution| solution.weight), Some(0));
    }

    #[test]
    fn the_solution_of_the_solution_comes_back() {
        let three = size(3, &Neighbourhood::Plus);
        let corner = three.corner.unwrap();
        // * . *
        // . . *
        // * * .
        assert_eq!(corner.presses, [0, 2, 5, 6, 7]);
        assert_eq!((corner.weight, corner.n_lightest, corner.share_pressed), (5, 1, 5.0 / 9.0));
        let algebra = Algebra::new(&Neighbourhood::Plus.presses::<u64>(3, 3));
        let start = 1u64;
        let mut board = algebra.solution(start).unwrap();
        assert_eq!(corner.weight_again, algebra.solution(board).map(u64::count_ones));
        let mut period = 1;
        while board != start {
            board = algebra.solution(board).unwrap();
            period += 1;
        }
        assert_eq!(corner.period, Some(period));
    }

    #[test]
    fn boards_beyond_the_limit_are_refused() {
        let error = survey(33, &Neighbourhood::Plus, &Silent).unwrap_err();
        assert_eq!(error.to_string(), "the board has 1089 lamps; at most 1024 are possible");
    }

    #[test]
    fn too_many_solutions_leave_weights_absent() {
        // The king's board of side 3k + 2 has nullity 2 * side - 1.
        let size = size(14, &Neighbourhood::Moore);
        assert_eq!((size.nullity, size.all_on, size.largest_distance), (27, None, None));
    }
}
