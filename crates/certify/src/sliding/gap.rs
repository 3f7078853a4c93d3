//! What the rows leave of a column.

use std::collections::HashMap;

use super::lines::Line;

/// The ways of a column that the rows leave possible.
pub(super) struct Gap {
    /// The rows that cover the column, one bit each.
    covered: u16,
    /// The ways of the column that are possible.
    pub ways: Vec<u16>,
    /// The rank of each way among those; [`NO_RANK`] of one that is not possible.
    pub ranks: Vec<u16>,
    /// Ranks that a block runs through as it slides on, in lists of neighbours.
    pub runs: Vec<Vec<u16>>,
    /// The part of each rank: moves within the column lead to all ranks of its part and to no other.
    pub parts: Vec<u16>,
    /// Number of ranks of each part.
    pub sizes: Vec<u64>,
    /// For each row, what this and the gap in which that row covers the column, or does not, share.
    joints: Vec<Shared>,
}

/// What two gaps share.
#[derive(Default)]
pub(super) struct Shared {
    /// The ranks of each way that is possible in both.
    pub ranks: Vec<(u16, u16)>,
    /// For each part of the first the parts of the second with which it shares a way.
    pub parts: Vec<Vec<u16>>,
}

/// Number of no gap.
pub(super) const NO_GAP: u16 = u16::MAX;

/// Rank of a way that is not possible.
pub(super) const NO_RANK: u16 = u16::MAX;

impl Gap {
    /// What these rows leave of a column whose ways run so; `cells` are those that they cover.
    pub(super) fn new(line: &Line, runs: &[Vec<usize>], covered: u16, cells: u32) -> Self {
        let mut ranks = vec![NO_RANK; line.ways.len()];
        let mut ways = Vec::new();
        for (number, _) in line.ways.iter().enumerate().filter(|(_, way)| way.cells & cells == 0) {
            ranks[number] = ways.len() as u16;
            ways.push(number as u16);
        }
        let possible = |way: usize| ranks[way] != NO_RANK;
        let pieces = runs.iter().flat_map(|run| run.chunk_by(|&one, &other| possible(one) && possible(other)));
        let pieces = pieces.filter(|run| run.len() > 1);
        let runs: Vec<Vec<u16>> = pieces.map(|run| run.iter().map(|&way| ranks[way]).collect()).collect();
        let parts = parts(ways.len(), &runs);
        let mut sizes = vec![0; parts.iter().max().map_or(0, |&last| last as usize + 1)];
        parts.iter().for_each(|&part| sizes[part as usize] += 1);
        Self { covered, ways, ranks, runs, parts, sizes, joints: Vec::new() }
    }

    /// Number of parts.
    pub(super) fn n_parts(&self) -> usize {
        self.sizes.len()
    }

    /// Notes what gaps of a column share that differ in one row; `known` has the number of the gap of each set of rows.
    pub(super) fn join(gaps: &mut [Self], known: &[u16], n_rows: usize) {
        for number in 0..gaps.len() {
            let joint = |row: usize| {
                let other = known[(gaps[number].covered ^ 1 << row) as usize];
                if other == NO_GAP { Shared::default() } else { gaps[number].shared(&gaps[other as usize]) }
            };
            gaps[number].joints = (0..n_rows).map(joint).collect();
        }
    }

    /// What this gap and another one share that differs from it in one row.
    pub(super) fn joint(&self, other: &Self) -> &Shared {
        &self.joints[(self.covered ^ other.covered).trailing_zeros() as usize]
    }

    fn shared(&self, other: &Self) -> Shared {
        let rank = |way: u16| Some(other.ranks[way as usize]).filter(|&rank| rank != NO_RANK);
        let ways = self.ways.iter().enumerate();
        let ranks: Vec<(u16, u16)> = ways.filter_map(|(one, &way)| Some((one as u16, rank(way)?))).collect();
        let mut parts = vec![Vec::new(); self.n_parts()];
        for &(one, two) in &ranks {
            let parts: &mut Vec<u16> = &mut parts[self.parts[one as usize] as usize];
            let part = other.parts[two as usize];
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        Shared { ranks, parts }
    }
}

/// The parts of ranks: the least rank of each, passed on along the runs until nothing changes, then numbered.
fn parts(n: usize, runs: &[Vec<u16>]) -> Vec<u16> {
    let mut least: Vec<u16> = (0..n as u16).collect();
    loop {
        let before = least.clone();
        for run in runs {
            let lowest = run.iter().map(|&rank| least[rank as usize]).min().unwrap_or_default();
            run.iter().for_each(|&rank| least[rank as usize] = lowest);
        }
        if before == least {
            break;
        }
    }
    let mut numbers = HashMap::new();
    let mut number = |lowest| {
        let next = numbers.len() as u16;
        *numbers.entry(lowest).or_insert(next)
    };
    least.into_iter().map(&mut number).collect()
}
