//! The lines of a board with the blocks that slide on them.

use plymap_puzzles::game::{SlidingBlock, SlidingBlocks};

/// The most cells of a line: a set of them is a word.
const MOST_CELLS: usize = 32;

/// The most ways in which the blocks of a line can stand.
const MOST_WAYS: usize = 1 << 15;

/// A row or a column with blocks.
pub(super) struct Line {
    /// The number of its row or column.
    pub at: usize,
    pub blocks: Vec<BlockOnLine>,
    /// Its ways: how its blocks can stand, in the order in which they stand at the start and off the walls.
    pub ways: Vec<Way>,
}

/// A block of a line, as the codes of positions hold it.
pub(super) struct BlockOnLine {
    pub length: usize,
    pub shift: u32,
    /// Bits of its place, before they are shifted.
    pub mask: u64,
    /// Its number among all blocks.
    pub number: usize,
}

/// One way in which the blocks of a line can stand.
pub(super) struct Way {
    /// The place of each block: the number of cells before it.
    pub places: Vec<u8>,
    /// The cells that the blocks cover, one bit each.
    pub cells: u32,
}

/// A board whose target slides along its row, and so turned where it slides along its column.
pub(super) struct Board {
    pub rows: Vec<Line>,
    pub columns: Vec<Line>,
    /// The line of the target among `rows`, and its number there.
    pub target: (usize, usize),
    /// Number of columns.
    pub width: usize,
    /// The walls of the row of the target, one bit for each column.
    pub walls_of_target: u32,
}

impl Board {
    /// The lines of a board; nothing where they are too long, or have too many ways.
    pub(super) fn new(level: &SlidingBlocks) -> Option<Self> {
        let is_turned = !level.blocks[level.target].is_horizontal;
        let turned = |(row, column): (usize, usize)| if is_turned { (column, row) } else { (row, column) };
        let (height, width) = turned((level.height, level.width));
        if width.max(height) > MOST_CELLS {
            return None;
        }
        let walls: Vec<(usize, usize)> = level.walls.iter().map(|&wall| turned(wall)).collect();
        let blocks = level.blocks.iter().enumerate().map(|(number, block)| {
            let (row, column) = turned((block.row, block.column));
            (number, SlidingBlock { row, column, is_horizontal: block.is_horizontal != is_turned, ..*block })
        });
        let blocks: Vec<(usize, SlidingBlock)> = blocks.collect();
        let lines = |is_row: bool| -> Option<Vec<Line>> {
            let (n_lines, n_cells) = if is_row { (height, width) } else { (width, height) };
            let of_line = |&(row, column): &(usize, usize)| if is_row { (row, column) } else { (column, row) };
            let line = |at: usize| {
                let walls =
                    walls.iter().map(of_line).filter(|wall| wall.0 == at).fold(0, |set, wall| set | 1 << wall.1);
                let on_line = blocks.iter().filter(|(_, block)| block.is_horizontal == is_row);
                let on_line = on_line.map(|(number, block)| (of_line(&(block.row, block.column)), *number, *block));
                let on_line = on_line.filter(|((line, _), ..)| *line == at);
                let mut on_line: Vec<_> = on_line.map(|((_, place), number, block)| (place, number, block)).collect();
                on_line.sort_unstable_by_key(|&(place, number, _)| (place, number));
                Line::new(at, n_cells, walls, &on_line)
            };
            let lines: Vec<Line> = (0..n_lines).map(line).collect::<Option<_>>()?;
            Some(lines.into_iter().filter(|line| !line.blocks.is_empty()).collect())
        };
        let (rows, columns) = (lines(true)?, lines(false)?);
        let target = rows
            .iter()
            .enumerate()
            .find_map(|(line, row)| Some((line, row.blocks.iter().position(|block| block.number == level.target)?)))?;
        let at = rows[target.0].at;
        let walls_of_target = walls.iter().filter(|wall| wall.0 == at).fold(0, |set, wall| set | 1 << wall.1);
        Some(Self { rows, columns, target, width, walls_of_target })
    }
}

impl Line {
    /// A line with its blocks from its beginning: place, number, block. Nothing if there are too many ways.
    fn new(at: usize, n_cells: usize, walls: u32, blocks: &[(usize, usize, SlidingBlock)]) -> Option<Self> {
        let mut ways = vec![Way { places: Vec::new(), cells: 0 }];
        for (number, &(.., block)) in blocks.iter().enumerate() {
            let mut longer = Vec::new();
            for way in &ways {
                // Blocks never pass each other.
                let first = number.checked_sub(1).map_or(0, |last| way.places[last] as usize + blocks[last].2.length);
                for place in first..=n_cells.checked_sub(block.length)? {
                    let cells = (((1u64 << block.length) - 1) << place) as u32;
                    if cells & walls == 0 {
                        let mut places = way.places.clone();
                        places.push(place as u8);
                        longer.push(Way { places, cells: way.cells | cells });
                    }
                }
            }
            ways = longer;
            if ways.len() > MOST_WAYS {
                return None;
            }
        }
        let of_line = blocks.iter().map(|&(_, number, block)| {
            let last = (n_cells - block.length) as u64;
            let mask = last.checked_ilog2().map_or(0, |bits| (2 << bits) - 1);
            BlockOnLine { length: block.length, shift: block.shift, mask, number }
        });
        Some(Self { at, blocks: of_line.collect(), ways })
    }

    /// The ways that a block runs through as it slides on, all other blocks where they are: one list for each stretch of
    /// neighbouring places.
    pub(super) fn runs(&self) -> Vec<Vec<usize>> {
        let mut runs = Vec::new();
        for block in 0..self.blocks.len() {
            let mut is_done = vec![false; self.ways.len()];
            for first in 0..self.ways.len() {
                let mut run = Vec::new();
                let mut next = Some(first).filter(|&first| !is_done[first]);
                while let Some(way) = next {
                    is_done[way] = true;
                    run.push(way);
                    let mut places = self.ways[way].places.clone();
                    places[block] += 1;
                    next = self.ways.binary_search_by(|way| way.places.cmp(&places)).ok();
                }
                if run.len() > 1 {
                    runs.push(run);
                }
            }
        }
        runs
    }
}
