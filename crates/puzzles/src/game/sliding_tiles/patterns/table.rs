//! The table of one pattern, breadth first from the goal.
//!
//! A node of the search is a placement of the tiles of the pattern with the cells that the blank can reach without
//! moving them: what else lies there does not matter. So every arc is one move of a tile of the pattern.

use crate::game::sliding_tiles::frame::Frame;
use crate::progress::Progress;

/// In the table of a placement that is none: two tiles on one cell.
pub(super) const NONE: u8 = u8::MAX;

/// The largest number in a table. Larger ones are cut down to it, so that they stay bounds.
const MOST: u32 = NONE as u32 - 1;

/// Number of placements of some tiles.
pub(super) fn n_placements(n_cells: usize, n_tiles: usize) -> u64 {
    (n_cells - n_tiles + 1..=n_cells).map(|cells| cells as u64).product()
}

/// Calls `visit` with the number of every placement of some tiles, in ascending order.
pub(super) fn for_each_placement(n_cells: usize, n_tiles: usize, visit: &mut impl FnMut(usize)) {
    fn place(n_cells: usize, n_left: usize, higher: usize, occupied: u32, visit: &mut impl FnMut(usize)) {
        if n_left == 0 {
            return visit(higher);
        }
        for cell in (0..n_cells).filter(|cell| occupied & 1 << cell == 0) {
            place(n_cells, n_left - 1, higher * n_cells + cell, occupied | 1 << cell, visit);
        }
    }
    place(n_cells, n_tiles, 0, 0, visit);
}

/// The fewest moves of the tiles with these homes, by the number of their placement; nothing if the caller asks to stop.
pub(super) fn fewest_moves(frame: &Frame, blank: usize, homes: &[u8], progress: &dyn Progress) -> Option<Vec<u8>> {
    // The cells that were reached take most of the memory.
    if frame.n_cells() <= u16::BITS as usize {
        Layers::<u16>::table(frame, blank, homes, progress)
    } else {
        Layers::<u32>::table(frame, blank, homes, progress)
    }
}

/// A set of cells as it is kept.
trait Kept: Copy + Default + From<u16> {
    fn cells(self) -> u32;
    fn of_cells(cells: u32) -> Self;
}

impl Kept for u16 {
    fn cells(self) -> u32 {
        self.into()
    }

    fn of_cells(cells: u32) -> Self {
        cells as Self
    }
}

impl Kept for u32 {
    fn cells(self) -> u32 {
        self
    }

    fn of_cells(cells: u32) -> Self {
        cells
    }
}

/// A placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Node {
    /// Its number.
    placement: u32,
    /// The cells of its tiles, [`CELL_BITS`] each.
    cells: u32,
    /// The cells that the blank can reach.
    blanks: u32,
}

/// Bits of a cell of a node.
const CELL_BITS: u32 = 5;

struct Layers<'a, K> {
    frame: &'a Frame,
    n_tiles: u32,
    flood: Flood,
    table: Vec<u8>,
    /// The cells of the blank that were reached, of each placement.
    reached: Vec<K>,
    n_placed: u64,
}

impl<K: Kept> Layers<'_, K> {
    fn table(frame: &Frame, blank: usize, homes: &[u8], progress: &dyn Progress) -> Option<Vec<u8>> {
        let size = frame.n_cells().pow(homes.len() as u32);
        let (table, reached) = (vec![NONE; size], vec![K::default(); size]);
        let (flood, n_tiles) = (Flood::new(frame), homes.len() as u32);
        let mut layers = Layers { frame, n_tiles, flood, table, reached, n_placed: 0 };
        let (mut layer, mut next) = (Vec::new(), Vec::new());
        let packed = |base: u32| homes.iter().rev().fold(0, |number, &home| number * base + u32::from(home));
        let goal = Node { placement: packed(frame.n_cells() as u32), cells: packed(1 << CELL_BITS), blanks: 0 };
        layers.reach(goal, homes.iter().fold(0, |cells, &home| cells | 1 << home), blank, 0, &mut layer);
        for distance in 1.. {
            if layer.is_empty() {
                break;
            }
            if progress.is_cancelled() {
                return None;
            }
            // Neighbours of placements in order lie close together in memory.
            layer.sort_unstable();
            layer.drain(..).for_each(|node| layers.expand(node, distance, &mut next));
            progress.advance(std::mem::take(&mut layers.n_placed));
            std::mem::swap(&mut layer, &mut next);
        }
        Some(layers.table)
    }

    /// All moves of the tiles of the pattern into cells that the blank can reach.
    fn expand(&mut self, node: Node, distance: u32, next: &mut Vec<Node>) {
        let cell_of = |tile: u32| node.cells >> (tile * CELL_BITS) & ((1 << CELL_BITS) - 1);
        let occupied = (0..self.n_tiles).fold(0u32, |cells, tile| cells | 1 << cell_of(tile));
        let mut weight = 1u32;
        for tile in 0..self.n_tiles {
            let from = cell_of(tile);
            for to in self.frame.beside(from as usize).iter().map(|&to| u32::from(to)) {
                if node.blanks & 1 << to == 0 {
                    continue;
                }
                let after = Node {
                    placement: node.placement.wrapping_add(to.wrapping_sub(from).wrapping_mul(weight)),
                    cells: node.cells ^ (from ^ to) << (tile * CELL_BITS),
                    blanks: 0,
                };
                self.reach(after, occupied ^ 1 << from ^ 1 << to, from as usize, distance, next);
            }
            weight *= self.frame.n_cells() as u32;
        }
    }

    /// Notes a placement with the blank on a cell, unless they are known.
    #[inline]
    fn reach(&mut self, node: Node, occupied: u32, blank: usize, distance: u32, next: &mut Vec<Node>) {
        let reached = &mut self.reached[node.placement as usize];
        if reached.cells() & 1 << blank != 0 {
            return;
        }
        let blanks = self.flood.from(blank, !occupied);
        *reached = K::of_cells(reached.cells() | blanks);
        let known = &mut self.table[node.placement as usize];
        if *known == NONE {
            // Of the same parity, by which a search deepens.
            *known = if distance > MOST { MOST - (distance - MOST) % 2 } else { distance } as u8;
            self.n_placed += 1;
        }
        next.push(Node { blanks, ..node });
    }
}

/// Sets of cells that grow.
struct Flood {
    width: usize,
    all: u32,
    /// The cells that have one to their left, and to their right.
    has_left: u32,
    has_right: u32,
}

impl Flood {
    fn new(frame: &Frame) -> Self {
        let cells = |is_in: &dyn Fn(usize) -> bool| {
            (0..frame.n_cells()).filter(|&cell| is_in(cell % frame.width)).fold(0, |cells, cell| cells | 1 << cell)
        };
        let last = frame.width - 1;
        Self {
            width: frame.width,
            all: cells(&|_| true),
            has_left: cells(&|column| column > 0),
            has_right: cells(&|column| column < last),
        }
    }

    /// The free cells that can be reached from one of them.
    #[inline]
    fn from(&self, cell: usize, free: u32) -> u32 {
        let free = free & self.all;
        let mut cells = 1u32 << cell;
        loop {
            let along = (cells & self.has_left) >> 1 | (cells & self.has_right) << 1;
            let grown = (cells | along | cells << self.width | cells >> self.width) & free;
            if grown == cells {
                return cells;
            }
            cells = grown;
        }
    }
}
