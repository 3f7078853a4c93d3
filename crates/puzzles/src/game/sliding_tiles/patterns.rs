//! Pattern databases that add up (Korf and Felner 2002; Felner, Korf and Hanan 2004).
//!
//! The tiles are parted into patterns. For each placement of the tiles of a pattern a table has the fewest moves of
//! these tiles that bring them home, whatever the others do, the blank in the best place. Every move is one of one
//! tile, so that the sum over all patterns never exceeds the fewest moves. A frame that a mirroring leaves with the
//! blank in its place gives a second sum, of the position in the mirror.
//!
//! Tiles are known by the cells of their goals: levels of one frame whose goals have the blank on the same cell share a
//! database.

use std::thread;

use super::frame::{Frame, MAX_CELLS};
use crate::game::ValueError;
use crate::progress::Progress;

mod kept;
mod shared;
mod table;

/// The most tiles of a pattern.
const MAX_TILES: u32 = 6;

/// The largest table.
const MAX_TABLE: usize = 1 << 24;

/// The most patterns of a frame.
pub(super) const MAX_PATTERNS: usize = 5;

/// The most ways of looking at a position: as it is and in a mirror.
pub(super) const MAX_VIEWS: usize = 2;

/// The pattern databases of a frame.
#[derive(Debug)]
pub(super) struct Database {
    patterns: Vec<Pattern>,
    views: Vec<View>,
}

/// A pattern with its table.
#[derive(Debug)]
struct Pattern {
    /// The cells of its tiles in the goal.
    homes: Vec<u8>,
    /// The fewest moves of its tiles by the number of their placement: the cells of the tiles as digits, that of the
    /// first tile lowest.
    table: Vec<u8>,
}

/// A way of looking at a position.
#[derive(Clone, Copy, Debug)]
struct View {
    /// Image of each cell.
    image: [u8; MAX_CELLS],
    /// Pattern of the tile with this home, seen this way.
    pattern: [u8; MAX_CELLS],
    /// Weight of its cell in the number of a placement.
    weight: [u32; MAX_CELLS],
}

/// What the database says of a position, kept up to date move by move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    placements: [[u32; MAX_PATTERNS]; MAX_VIEWS],
    sums: [u32; MAX_VIEWS],
}

impl Database {
    /// Computes the database of a frame with these patterns, whose goal has the blank on a cell.
    ///
    /// # Errors
    ///
    /// [`ValueError::Interrupted`] if the caller asks to stop.
    fn new(frame: &Frame, blank: usize, parted: &[Vec<u8>], progress: &dyn Progress) -> Result<Self, ValueError> {
        let mut patterns = Vec::new();
        progress.begin("pattern database", Some(n_placements(frame, parted)));
        // Two at a time: what was reached takes as much memory again as the tables. Threads of their own, since one of
        // a pool that waits might take up another level of this frame, which waits for this database.
        for pair in parted.chunks(2) {
            let table = |homes| move || table::fewest_moves(frame, blank, homes, progress);
            let tables: Vec<Option<Vec<u8>>> = thread::scope(|scope| {
                let threads: Vec<_> = pair.iter().map(|homes| scope.spawn(table(homes))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
            });
            for (homes, table) in pair.iter().zip(tables) {
                let table = table.ok_or(ValueError::Interrupted)?;
                patterns.push(Pattern { homes: homes.clone(), table });
            }
        }
        progress.end();
        Ok(Self::of_patterns(frame, blank, patterns))
    }

    fn of_patterns(frame: &Frame, blank: usize, patterns: Vec<Pattern>) -> Self {
        let identity = (0..frame.n_cells() as u8).collect();
        // In a mirror that takes patterns to patterns the sum is the same.
        let is_pattern = |homes: Vec<u8>| {
            patterns.iter().any(|other: &Pattern| {
                other.homes.len() == homes.len() && other.homes.iter().all(|home| homes.contains(home))
            })
        };
        let says_more = |image: &Vec<u8>| {
            let seen = |pattern: &Pattern| pattern.homes.iter().map(|&home| image[usize::from(home)]).collect();
            !patterns.iter().map(seen).all(is_pattern)
        };
        let mirrors = frame.symmetries(blank).into_iter().filter(says_more);
        let images = std::iter::once(identity).chain(mirrors).take(MAX_VIEWS);
        let views = images.map(|image: Vec<u8>| View::new(&image, &patterns)).collect();
        Self { patterns, views }
    }

    /// What the database says of a position: the home of the tile on each cell, and of the blank.
    pub fn estimate(&self, homes: &[u8], blank: usize) -> Estimate {
        let mut estimate = Estimate { placements: [[0; MAX_PATTERNS]; MAX_VIEWS], sums: [0; MAX_VIEWS] };
        for ((view, placements), sum) in self.views.iter().zip(&mut estimate.placements).zip(&mut estimate.sums) {
            for (cell, &home) in homes.iter().enumerate().filter(|&(cell, _)| cell != blank) {
                let home = usize::from(home);
                placements[usize::from(view.pattern[home])] += view.weight[home] * u32::from(view.image[cell]);
            }
            let tables = self.patterns.iter().zip(placements);
            *sum = tables.map(|(pattern, placement)| u32::from(pattern.table[*placement as usize])).sum();
        }
        estimate
    }

    /// What it says after the tile with this home has moved from one cell to another.
    #[inline]
    pub fn moved(&self, mut estimate: Estimate, home: usize, from: usize, to: usize) -> Estimate {
        for (number, view) in self.views.iter().enumerate() {
            let pattern = usize::from(view.pattern[home]);
            let table = &self.patterns[pattern].table;
            let placement = &mut estimate.placements[number][pattern];
            let before = table[*placement as usize];
            let way = u32::from(view.image[to]).wrapping_sub(u32::from(view.image[from]));
            *placement = placement.wrapping_add(way.wrapping_mul(view.weight[home]));
            estimate.sums[number] = estimate.sums[number] + u32::from(table[*placement as usize]) - u32::from(before);
        }
        estimate
    }
}

impl Estimate {
    /// No fewer moves can solve the position.
    #[inline]
    pub fn bound(&self) -> u32 {
        self.sums[0].max(self.sums[1])
    }
}

impl View {
    fn new(image: &[u8], patterns: &[Pattern]) -> Self {
        let mut view = Self { image: [0; MAX_CELLS], pattern: [0; MAX_CELLS], weight: [0; MAX_CELLS] };
        view.image[..image.len()].copy_from_slice(image);
        for (number, pattern) in patterns.iter().enumerate() {
            for (place, home) in pattern.homes.iter().enumerate() {
                // The tile whose home is there in the mirror.
                let seen = image.iter().position(|image| image == home).unwrap_or_default();
                view.pattern[seen] = number as u8;
                view.weight[seen] = (image.len() as u32).pow(place as u32);
            }
        }
        view
    }
}

/// Number of placements of the tiles of all patterns.
fn n_placements(frame: &Frame, parted: &[Vec<u8>]) -> u64 {
    parted.iter().map(|homes| table::n_placements(frame.n_cells(), homes.len())).sum()
}

/// The homes of the tiles of each pattern, as many as tables allow: bands of two columns are cut into patterns row by
/// row, from the blank on, and what is left of all bands makes the last ones. Tiles that lie close together get into
/// each other's way, and those about the blank most. On 4x4 searches look at a tenth of the positions that they look at
/// with patterns that begin elsewhere.
fn parted(frame: &Frame, blank: usize) -> Vec<Vec<u8>> {
    let (n_cells, width) = (frame.n_cells(), frame.width);
    let largest = (1..=MAX_TILES).rev().find(|&n_tiles| n_cells.pow(n_tiles) <= MAX_TABLE).unwrap_or(1) as usize;
    let columns = |cell: usize| (cell % width).abs_diff(blank % width);
    let band = |cell: u8| columns(cell.into()) / 2;
    let mut cells: Vec<u8> = (0..n_cells as u8).filter(|&cell| usize::from(cell) != blank).collect();
    cells.sort_by_key(|&cell| (band(cell), (usize::from(cell) / width).abs_diff(blank / width), columns(cell.into())));
    let (mut patterns, mut rest) = (Vec::new(), Vec::new());
    for band in cells.chunk_by(|&this, &other| band(this) == band(other)) {
        let whole = band.chunks_exact(largest);
        rest.extend_from_slice(whole.remainder());
        patterns.extend(whole.map(<[u8]>::to_vec));
    }
    patterns.extend(rest.chunks(largest).map(<[u8]>::to_vec));
    patterns
}

#[cfg(test)]
mod tests;
