//! The search by which a solver for Enlight was first published: depth first, column by column (Osenkov 2008).
//!
//! It tries each cell pressed and not pressed, from top to bottom and column after column, and goes on only if
//! the lamp to the left is off, because no later press can reach that lamp. It is kept as it was published, for the
//! comparison of search methods; [`super::algebra`] answers the same question at once.
//!
//! # What the published search does
//!
//! - **It does not take a press back.** After the second branch the cell stays inverted, and the next visit of the cell
//!   starts from there. That does no harm: each visit tries the press that it finds and the opposite one, so a column
//!   is walked in the order of a reflected Gray code instead of counting up. The lamp that the pruning looks at depends
//!   on no later cell, so stale presses to the right cannot mislead it.
//! - **The number of steps does not depend on the lamps.** In the first column nothing is pruned: `h` rows take
//!   2^h − 1 steps. From the second column on, exactly one of the two branches leaves the lamp to the left off, so each
//!   of the 2^h ways through the first column goes through the other h (w − 1) cells once. Together
//!   2^h − 1 + 2^h h (w − 1): 93,183 on the 10x10 board, whatever is lit. It makes no difference which branch is
//!   taken, nor that the search goes on after a solution is found.
//! - **It never presses the last lamp.** At the bottom right cell it checks the board as it stands and returns. So it
//!   finds a solution only if there is one without this press: on the 10x10 board, where each board has exactly one
//!   solution, for half of all boards. For the others it ends without a result.
//! - **It keeps the solution that it finds last**, which need not be the lightest.
//! - **It needs two columns.** On a board of one column it would look left of the first one.

use super::board::Board;
use super::neighbourhood::Neighbourhood;
use crate::progress::Progress;

/// Treatment of the last cell by the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LastCell {
    /// Never presses it, as published.
    #[default]
    AsPublished,
    /// Tries it both ways, like every other cell, so that every board with a solution is solved.
    BothWays,
}

/// Result of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSearchResult {
    /// Number of calls of the search.
    pub steps: u64,
    /// Number of solutions that it came by.
    pub n_solutions: u64,
    /// The cells that the last of them presses, row by row from 0; absent if it found none.
    pub solution: Option<Vec<usize>>,
    /// `true` if it ended at a limit of steps before it had tried everything.
    pub is_cut: bool,
}

/// Reason why the search cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The board has one column.
    #[error("the column search needs two columns or more: it looks at the lamp to the left")]
    OneColumn,
    /// A press inverts other lamps than its neighbours in row and column.
    #[error("the column search works with the neighbourhood plus only, not with {neighbourhood}")]
    OtherNeighbourhood {
        /// The neighbourhood of the level.
        neighbourhood: String,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Number of steps of the search on a board of this size, whatever is lit; absent beyond 2^128.
pub fn n_steps(width: usize, height: usize) -> Option<u128> {
    let ways = 1u128.checked_shl(u32::try_from(height).ok()?)?;
    let rest = u128::try_from(height.checked_mul(width.checked_sub(1)?)?).ok()?;
    (ways - 1).checked_add(ways.checked_mul(rest)?)
}

/// Runs the search. It takes [`n_steps`], of which it tells `progress`: 2^height times the number of cells,
/// roughly.
///
/// # Errors
///
/// [`SearchError`] if the search does not fit the board, or the caller asks to stop.
pub fn column_search(
    board: &Board,
    last: LastCell,
    progress: &dyn Progress,
) -> Result<ColumnSearchResult, SearchError> {
    let (result, ended) = search_within(board, last, u64::MAX, progress)?;
    if ended == Ended::Cancelled { Err(SearchError::Interrupted) } else { Ok(result) }
}

/// Runs the search for at most `max_steps` steps, and gives what it has found by then. If the caller asks to stop,
/// that is a limit too.
///
/// # Errors
///
/// [`SearchError`] if the search does not fit the board.
pub fn limited_column_search(
    board: &Board,
    last: LastCell,
    max_steps: u64,
    progress: &dyn Progress,
) -> Result<ColumnSearchResult, SearchError> {
    search_within(board, last, max_steps, progress).map(|(result, _)| result)
}

/// End of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// Everything was tried.
    Complete,
    /// The limit of steps was reached.
    AtLimit,
    /// The caller asked to stop.
    Cancelled,
}

fn search_within(
    board: &Board,
    last: LastCell,
    max_steps: u64,
    progress: &dyn Progress,
) -> Result<(ColumnSearchResult, Ended), SearchError> {
    if board.neighbourhood != Neighbourhood::Plus {
        return Err(SearchError::OtherNeighbourhood { neighbourhood: board.neighbourhood.to_string() });
    }
    if board.width < 2 {
        return Err(SearchError::OneColumn);
    }
    let mut lit = vec![false; board.n_lamps()];
    board.lit.iter().for_each(|&cell| lit[cell] = true);
    let mut search = Search {
        width: board.width,
        height: board.height,
        lit,
        pressed: vec![false; board.n_lamps()],
        last,
        result: ColumnSearchResult { steps: 0, n_solutions: 0, solution: None, is_cut: false },
        max_steps,
        progress,
    };
    let expected = n_steps(board.width, board.height).map(|steps| steps.min(max_steps.into()));
    progress.begin("column search", expected.and_then(|steps| steps.try_into().ok()));
    let ended = search.search(0, 0).map_or_else(|ended| ended, |()| Ended::Complete);
    progress.end();
    search.result.is_cut = ended != Ended::Complete;
    Ok((search.result, ended))
}

/// Number of steps between two looks at the caller.
const STEPS_BETWEEN_REPORTS: u64 = 1 << 16;

struct Search<'a> {
    width: usize,
    height: usize,
    lit: Vec<bool>,
    pressed: Vec<bool>,
    last: LastCell,
    result: ColumnSearchResult,
    max_steps: u64,
    progress: &'a dyn Progress,
}

impl Search<'_> {
    /// Tries a cell and all behind it; an error is how the search ended before its time.
    fn search(&mut self, row: usize, column: usize) -> Result<(), Ended> {
        self.count_step()?;
        let (next_row, next_column) = if row + 1 < self.height { (row + 1, column) } else { (0, column + 1) };
        if next_column == self.width {
            self.check_last_cell(row, column);
            if self.last == LastCell::BothWays {
                self.invert(row, column);
                self.check_last_cell(row, column);
            }
            return Ok(());
        }
        if column == 0 || self.is_left_off(row, column) {
            self.search(next_row, next_column)?;
        }
        self.invert(row, column);
        if column == 0 || self.is_left_off(row, column) {
            self.search(next_row, next_column)?;
        }
        // The cell stays inverted, see above.
        Ok(())
    }

    fn count_step(&mut self) -> Result<(), Ended> {
        if self.result.steps == self.max_steps {
            return Err(Ended::AtLimit);
        }
        self.result.steps += 1;
        if self.result.steps.is_multiple_of(STEPS_BETWEEN_REPORTS) {
            self.progress.advance(STEPS_BETWEEN_REPORTS);
            if self.progress.is_cancelled() {
                return Err(Ended::Cancelled);
            }
        }
        Ok(())
    }

    fn is_left_off(&self, row: usize, column: usize) -> bool {
        !self.lit[row * self.width + column - 1]
    }

    /// All other columns were checked on the way here.
    fn check_last_cell(&mut self, row: usize, column: usize) {
        let is_last_column_off = || (0..self.height).all(|row| !self.lit[row * self.width + self.width - 1]);
        if self.is_left_off(row, column) && is_last_column_off() {
            self.result.n_solutions += 1;
            let pressed = self.pressed.iter().enumerate().filter(|&(_, &pressed)| pressed);
            self.result.solution = Some(pressed.map(|(cell, _)| cell).collect());
        }
    }

    fn invert(&mut self, row: usize, column: usize) {
        let cell = row * self.width + column;
        self.pressed[cell] = !self.pressed[cell];
        let mut invert = |cell: usize| self.lit[cell] = !self.lit[cell];
        invert(cell);
        if row > 0 {
            invert(cell - self.width);
        }
        if row + 1 < self.height {
            invert(cell + self.width);
        }
        if column > 0 {
            invert(cell - 1);
        }
        if column + 1 < self.width {
            invert(cell + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::algebra::Algebra;
    use super::super::bits::Bits;
    use super::*;
    use crate::game::testing::Impatient;
    use crate::progress::Silent;

    fn board(width: usize, height: usize, lit: Vec<usize>) -> Board {
        Board { width, height, lit, neighbourhood: Neighbourhood::Plus }
    }

    /// Cells drawn by a multiplicative hash, about half of them.
    fn scattered(n_cells: usize, seed: u64) -> Vec<usize> {
        let is_lit = |&cell: &usize| {
            let mixed = (seed << 32 | cell as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 63 == 1
        };
        (0..n_cells).filter(is_lit).collect()
    }

    #[test]
    fn the_10x10_board_takes_93183_steps_whatever_is_lit() {
        assert_eq!(n_steps(10, 10), Some(93_183));
        let boards = [vec![], vec![0], vec![99], (0..100).collect(), scattered(100, 1), scattered(100, 2)];
        for lit in boards {
            for last in [LastCell::AsPublished, LastCell::BothWays] {
                let result = column_search(&board(10, 10, lit.clone()), last, &Silent).unwrap();
                assert_eq!(result.steps, 93_183, "{lit:?}");
            }
        }
    }

    #[test]
    fn the_published_search_finds_no_solution_with_the_last_press() {
        let presses: Vec<u128> = Neighbourhood::Plus.presses(10, 10);
        let algebra = Algebra::new(&presses);
        let mut n_missed = 0;
        for seed in 0..20 {
            let lit = scattered(100, seed);
            let solution: Vec<usize> = algebra.solution(u128::of_cells(lit.clone())).unwrap().cells().collect();
            let published = column_search(&board(10, 10, lit.clone()), LastCell::AsPublished, &Silent).unwrap();
            let complete = column_search(&board(10, 10, lit), LastCell::BothWays, &Silent).unwrap();
            assert_eq!(complete.solution.as_ref(), Some(&solution));
            let presses_last = solution.contains(&99);
            n_missed += usize::from(presses_last);
            assert_eq!(published.solution, (!presses_last).then_some(solution));
        }
        assert!((1..20).contains(&n_missed), "{n_missed}");
    }

    #[test]
    fn every_solution_is_found_once_if_the_last_cell_is_tried_both_ways() {
        // 5x5: four solutions for a board that has any. 4x5, 3x4: one. 5x4 has other columns, and one too.
        for (width, height, n_solutions) in [(5, 5, 4), (4, 5, 1), (5, 4, 1), (3, 4, 1), (4, 4, 16)] {
            let solved = column_search(&board(width, height, vec![]), LastCell::BothWays, &Silent).unwrap();
            assert_eq!(solved.n_solutions, n_solutions, "{width}x{height}");
            assert_eq!(Some(u128::from(solved.steps)), n_steps(width, height));
        }
        let unsolvable = column_search(&board(5, 5, vec![0]), LastCell::BothWays, &Silent).unwrap();
        assert_eq!((unsolvable.n_solutions, unsolvable.solution), (0, None));
    }

    #[test]
    fn boards_that_do_not_fit_are_refused() {
        let one_column = column_search(&board(1, 4, vec![]), LastCell::AsPublished, &Silent);
        assert_eq!(one_column, Err(SearchError::OneColumn));
        let torus = Board { neighbourhood: Neighbourhood::Torus, ..board(4, 4, vec![]) };
        let error = column_search(&torus, LastCell::AsPublished, &Silent).unwrap_err();
        assert!(error.to_string().contains("not with torus"));
    }

    #[test]
    fn a_limit_of_steps_cuts_the_search_and_keeps_what_it_found() {
        // 93,183 steps are the whole search of 10x10, see above; one fewer leaves it unfinished.
        let lit = scattered(100, 1);
        let limited = |max_steps: u64| {
            limited_column_search(&board(10, 10, lit.clone()), LastCell::BothWays, max_steps, &Silent).unwrap()
        };
        let whole = column_search(&board(10, 10, lit.clone()), LastCell::BothWays, &Silent).unwrap();
        assert_eq!(limited(93_183), whole);
        assert!(!whole.is_cut);
        for max_steps in [0, 1, 50, 93_182] {
            let result = limited(max_steps);
            assert_eq!((result.steps, result.is_cut), (max_steps, true));
        }
        // With 32 rows the first column alone takes 2^32 - 1 steps.
        let huge = board(32, 32, vec![0]);
        let result = limited_column_search(&huge, LastCell::BothWays, 1_000, &Silent).unwrap();
        assert_eq!((result.steps, result.is_cut, result.solution), (1_000, true, None));
        // The board without a light is solved by no press, which is the first way that is tried.
        let dark = limited_column_search(&board(10, 10, vec![]), LastCell::BothWays, 100, &Silent).unwrap();
        assert_eq!((dark.solution, dark.is_cut), (Some(vec![]), true));
    }

    #[test]
    fn the_caller_can_stop_the_search() {
        let lit = board(20, 20, vec![0]);
        assert_eq!(column_search(&lit, LastCell::BothWays, &Impatient), Err(SearchError::Interrupted));
        let result = limited_column_search(&lit, LastCell::BothWays, u64::MAX, &Impatient).unwrap();
        assert_eq!((result.steps, result.is_cut), (STEPS_BETWEEN_REPORTS, true));
    }
}
