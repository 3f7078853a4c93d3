//! Estimates of values by looking a few moves ahead (expectimax: Michie 1966), and the score of a position
//! by which the source's players choose.

use super::board::{self, Board, Grid};
use super::exact::Course;
use super::network::Network;

/// Features of a board at the end of the lookahead.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Features {
    /// Empty cells, as a share of all cells.
    pub empty: f64,
    /// Pairs of equal tiles with nothing between them, for each cell.
    pub pairs: f64,
    /// Turns from rising to falling or back along rows and columns, for each cell.
    pub turns: f64,
    /// 1 if a largest tile lies in a corner, else 0.
    pub corner: f64,
}

/// The points still to come from new tiles, for each doubling of the sum of tiles and each unit of
/// [`Features::promise`].
///
/// Fitted by least squares to what came after each move of 200 games on a 4x4 board without target, in which
/// the player looked one move ahead; a test below fits it again. So an estimate is on the scale of what such
/// a player still gains there.
const SCALE: f64 = 142.0;

impl Features {
    pub fn of(grid: &Grid, board: Board) -> Self {
        let n_cells = grid.n_cells() as f64;
        let lines = Lines::of(grid, board);
        Self {
            empty: grid.empty_cells(board).count() as f64 / n_cells,
            pairs: f64::from(lines.n_pairs) / n_cells,
            turns: f64::from(lines.n_turns) / n_cells,
            corner: if best_tile_place(grid, board).0 { 1.0 } else { 0.0 },
        }
    }

    /// Expected length of the game, in a unit of its own. The weights are chosen, not fitted: room counts
    /// most, and order along the lines keeps it.
    pub fn promise(self) -> f64 {
        (4.0 * self.empty + 2.0 * self.pairs - self.turns + self.corner).max(0.0)
    }
}

/// The evaluator of the after-states at the end of the lookahead.
#[derive(Clone, Copy, Debug)]
pub(super) enum LeafEvaluator<'a> {
    /// The rule with weights chosen by hand.
    Score,
    /// A network that has learned.
    Network(&'a Network),
}

impl LeafEvaluator<'_> {
    /// The best expected points of a position, `depth` moves of the player ahead.
    pub fn value(self, course: &Course, board: Board, depth: u32) -> f64 {
        if course.is_goal(board) {
            return 0.0;
        }
        let worth = |(after, points): (Board, u32)| f64::from(points) + self.value_after(course, after, depth);
        course.moves(board).map(worth).fold(0.0, f64::max)
    }

    /// The expected points of an after-state, which is what the first of `depth` moves led to.
    pub fn value_after(self, course: &Course, after: Board, depth: u32) -> f64 {
        if course.is_goal(after) {
            return 0.0;
        }
        if depth <= 1 {
            return match self {
                Self::Score => leaf(course.grid, after, SCALE),
                Self::Network(network) => network.value(course.grid, after),
            };
        }
        // Mirror images add the same numbers in the same order, so that their values are equal to the last digit.
        let after = course.grid.canonical(after);
        let mut total = 0.0;
        let mut n_cells = 0;
        for cell in course.grid.empty_cells(after) {
            n_cells += 1;
            for (exponent, chance) in course.new_tiles() {
                total += chance * self.value(course, course.grid.with_tile(after, cell, exponent), depth - 1);
            }
        }
        if n_cells == 0 { 0.0 } else { total / f64::from(n_cells) }
    }
}

/// An estimate of the points still to come after a move, without looking further ahead: the points that
/// merging what lies there would give, and those of tiles to come. A move gains the more, the more often the
/// sum of tiles has doubled.
fn leaf(grid: &Grid, after: Board, scale: f64) -> f64 {
    unmerged_points(grid, after) + scale * outlook(grid, after)
}

fn outlook(grid: &Grid, after: Board) -> f64 {
    (grid.sum(after).max(1) as f64).log2() * Features::of(grid, after).promise()
}

/// The points that merging would give if each tile found its equal: the score of a board with the same sum
/// in the fewest tiles, less that of this board. A tile 2^n is worth (n - 1) 2^n points of merges.
fn unmerged_points(grid: &Grid, board: Board) -> f64 {
    let score = |exponent: u32| f64::from(exponent.saturating_sub(1)) * value_of(exponent);
    let sum = grid.sum(board);
    let fewest: f64 = (1..u64::BITS).filter(|exponent| sum >> exponent & 1 == 1).map(score).sum();
    fewest - grid.tiles(board).map(score).sum::<f64>()
}

fn value_of(exponent: u32) -> f64 {
    board::value(exponent) as f64
}

/// Counts along the rows and columns of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lines {
    /// Pairs of equal tiles with nothing between them.
    n_pairs: u32,
    /// Places where the tiles of a line, empty cells aside, turn from rising to falling or back.
    n_turns: u32,
}

impl Lines {
    fn of(grid: &Grid, board: Board) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let mut lines = Self::default();
        for row in 0..height {
            lines.add((0..width).map(|column| grid.tile(board, row * width + column)));
        }
        for column in 0..width {
            lines.add((0..height).map(|row| grid.tile(board, row * width + column)));
        }
        lines
    }

    fn add(&mut self, tiles: impl Iterator<Item = u32>) {
        let mut last = None;
        let mut course = None;
        for tile in tiles.filter(|&tile| tile != 0) {
            if last == Some(tile) {
                self.n_pairs += 1;
            } else if let Some(last) = last {
                let rises = tile > last;
                self.n_turns += u32::from(course == Some(!rises));
                course = Some(rises);
            }
            last = Some(tile);
        }
    }
}

/// Two answers: a largest tile lies in a corner; one lies on an edge, corners included.
fn best_tile_place(grid: &Grid, board: Board) -> (bool, bool) {
    let (width, height) = (grid.width(), grid.height());
    let largest = grid.largest(board);
    let (mut in_corner, mut on_edge) = (false, false);
    for cell in (0..grid.n_cells()).filter(|&cell| largest > 0 && grid.tile(board, cell) == largest) {
        let (row, column) = (cell / width, cell % width);
        let (is_end_row, is_end_column) = (row == 0 || row == height - 1, column == 0 || column == width - 1);
        in_corner |= is_end_row && is_end_column;
        on_edge |= is_end_row || is_end_column;
    }
    (in_corner, on_edge)
}

/// The score of a position that the source's two players maximise (Parpaite, Seegers and Le Garrec 2015,
/// section 4.2): 10 for each empty cell, -11 for each place where a row or column turns from rising to
/// falling or back, the exponent of the largest tile, 60 if one of that size lies in a corner and 50 if one
/// lies on an edge. Empty cells do not make a turn; a corner is on an edge too. It is no number of points.
pub fn source_score(grid: &Grid, board: Board) -> i32 {
    let n_empty = grid.empty_cells(board).count() as i32;
    let n_turns = Lines::of(grid, board).n_turns as i32;
    let (in_corner, on_edge) = best_tile_place(grid, board);
    10 * n_empty - 11 * n_turns + grid.largest(board) as i32 + 60 * i32::from(in_corner) + 50 * i32::from(on_edge)
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    #[test]
    fn the_score_of_the_source_is_the_weighted_sum() {
        // 2 4 2 4     two turns in each of two rows, none in a column; largest tile in a corner
        // 2 4 2 4
        let grid = Grid::new(4, 4, 15).unwrap();
        let shaken = grid.board([1, 2, 1, 2, 1, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(source_score(&grid, shaken), 10 * 8 - 11 * 4 + 2 + 60 + 50);
        let sorted = grid.board([1, 1, 2, 2, 1, 1, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(source_score(&grid, sorted), 10 * 8 + 2 + 60 + 50);
        // The largest tile inside, then on an edge.
        let inside = grid.board([0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(source_score(&grid, inside), 10 * 15 + 5);
        let on_edge = grid.board([0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(source_score(&grid, on_edge), 10 * 15 + 5 + 50);
        assert_eq!(source_score(&grid, Board::EMPTY), 160);
    }

    #[test]
    fn gaps_do_not_part_pairs() {
        let grid = Grid::new(4, 2, 9).unwrap();
        // 2 . 2 8
        // 4 8 4 8
        let lines = Lines::of(&grid, grid.board([1, 0, 1, 3, 2, 3, 2, 3]));
        assert_eq!(lines, Lines { n_pairs: 2, n_turns: 2 });
    }

    /// After-states of one game, and the points that came after each; the player looks one move ahead.
    fn game(course: &Course, random: &mut Random) -> Vec<(Board, f64)> {
        let grid = course.grid;
        let mut board = random.start(grid, course.four);
        let mut afters = Vec::new();
        let mut score = 0.0;
        loop {
            let worth = |&(after, points): &(Board, u32)| f64::from(points) + leaf(grid, after, SCALE);
            let best = course.moves(board).max_by(|left, right| worth(left).total_cmp(&worth(right)));
            let Some((after, points)) = best else { break };
            score += f64::from(points);
            afters.push((after, score));
            board = random.with_new_tile(grid, after, course.four);
        }
        afters.iter().map(|&(after, so_far)| (after, score - so_far)).collect()
    }

    #[test]
    fn the_scale_is_that_of_the_fit() {
        let grid = Grid::new(4, 4, 17).unwrap();
        let course = Course { grid: &grid, target: None, four: 0.1 };
        let mut random = Random::new(7);
        let (mut products, mut squares) = (0.0, 0.0);
        for (after, rest) in (0..200).flat_map(|_| game(&course, &mut random)) {
            let outlook = outlook(&grid, after);
            products += outlook * (rest - unmerged_points(&grid, after));
            squares += outlook * outlook;
        }
        assert_eq!((products / squares).round(), SCALE);
    }

    #[test]
    fn merging_what_lies_there_costs_nothing() {
        let grid = Grid::new(2, 2, 5).unwrap();
        // 4 and 4 give 8 points; then nothing is left to merge.
        assert_eq!(unmerged_points(&grid, grid.board([2, 2, 0, 0])), 8.0);
        assert_eq!(unmerged_points(&grid, grid.board([3, 0, 0, 0])), 0.0);
        // 2 2 4 8: 4, then 8, then 16.
        assert_eq!(unmerged_points(&grid, grid.board([1, 1, 2, 3])), 28.0);
    }
}
