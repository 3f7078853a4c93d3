//! Cells at which blocks come to rest.

use super::layout::{Cell, Layout};
use crate::game::direction::Direction;

/// For one swipe, the lanes along which blocks slide: runs of free cells between walls and edges.
///
/// All lanes stand one after the other in one list, each from its far end: the cell where the first block
/// stops comes first. A block with k blocks before it on its lane stops on cell k of the lane.
#[derive(Clone, Debug)]
pub(super) struct Slides {
    /// The cells of all lanes.
    lanes: Vec<u16>,
    /// Place of each cell in `lanes`, and of the beginning of its lane there.
    ranks: Vec<(u16, u16)>,
}

impl Slides {
    /// The lanes of a board; `places` are the places of its free cells, row by row.
    pub fn new(layout: &Layout, places: &[usize], swipe: Direction) -> Self {
        let (width, height) = (layout.width, layout.height);
        let line = |number: usize| -> Vec<usize> {
            match swipe {
                Direction::Up => (0..height).map(|row| row * width + number).collect(),
                Direction::Down => (0..height).rev().map(|row| row * width + number).collect(),
                Direction::Left => (0..width).map(|column| number * width + column).collect(),
                Direction::Right => (0..width).rev().map(|column| number * width + column).collect(),
            }
        };
        let n_lines = if matches!(swipe, Direction::Up | Direction::Down) { width } else { height };
        let mut slides = Self { lanes: Vec::with_capacity(places.len()), ranks: vec![(0, 0); places.len()] };
        for number in 0..n_lines {
            let line = line(number);
            for lane in line.split(|&place| layout.cells[place] == Cell::Wall) {
                let first = slides.lanes.len() as u16;
                for place in lane {
                    let cell = places.partition_point(|free| free < place);
                    slides.ranks[cell] = (slides.lanes.len() as u16, first);
                    slides.lanes.push(cell as u16);
                }
            }
        }
        slides
    }

    /// The cells on which the blocks of `cells` come to rest.
    #[inline]
    pub fn slide(&self, cells: &[u16], after: &mut [u16]) {
        for (&cell, after) in cells.iter().zip(after) {
            let (rank, first) = self.ranks[cell as usize];
            // Blocks of a lane keep their order, so each stops behind those before it: one pass, whatever moves
            // first.
            let n_before = cells.iter().filter(|&&other| (first..rank).contains(&self.ranks[other as usize].0)).count();
            *after = self.lanes[first as usize + n_before];
        }
    }

    /// The cells of the lane on which a cell lies.
    fn lane(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.ranks[cell].1;
        let lane = self.lanes[first as usize..].iter().map(|&other| other as usize);
        lane.take_while(move |&other| self.ranks[other].1 == first)
    }
}

/// For each cell the fewest swipes to a goal of this colour, if a block stops on whatever cell of its lane it
/// wants; the number of cells where no goal can be reached even so.
pub(super) fn swipes_to(slides: &[Slides; 4], goal_colours: &[u8], colour: u8) -> Vec<u16> {
    // A block that may stop where it wants needs no more swipes than a real one: the number is a bound.
    let unreached = goal_colours.len() as u16;
    let mut swipes = vec![unreached; goal_colours.len()];
    let mut queue: Vec<usize> = (0..goal_colours.len()).filter(|&cell| goal_colours[cell] == colour).collect();
    queue.iter().for_each(|&goal| swipes[goal] = 0);
    let mut next = 0;
    while next < queue.len() {
        let cell = queue[next];
        next += 1;
        // Lanes of opposite swipes are the same.
        for direction in [Direction::Up, Direction::Right] {
            for other in slides[direction as usize].lane(cell) {
                if swipes[other] == unreached {
                    swipes[other] = swipes[cell] + 1;
                    queue.push(other);
                }
            }
        }
    }
    swipes
}
