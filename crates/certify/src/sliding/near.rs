//! The least distance that one move leads to from each position, and the number of moves.

use super::joint::{Joint, lower};
use super::space::Space;

/// The byte of a position that is not in the table, and of one without a distance; a distance is less.
pub(super) const ABSENT: u8 = u8::MAX;
pub(super) const NO_GOAL: u8 = ABSENT - 1;

/// Positions with a byte each, their distances.
pub(super) struct Near<'a> {
    space: &'a Space,
    distances: &'a [u8],
    /// True if a block moves by one cell, and does not slide.
    one_cell: bool,
    /// The least distance of each position and those that one move leads to.
    pub least: Vec<u8>,
    /// Number of moves between positions of the table.
    pub n_moves: u64,
    /// Of the boxes of a run, the least distances, and how many positions a block has passed.
    run: Vec<(Vec<u8>, Vec<u8>)>,
    joints: Vec<Joint>,
}

impl<'a> Near<'a> {
    /// Looks at the moves in these boxes.
    pub(super) fn new(space: &'a Space, distances: &'a [u8], one_cell: bool, boxes: &[bool]) -> Self {
        let least = distances.to_vec();
        let mut near = Self { space, distances, one_cell, least, n_moves: 0, run: Vec::new(), joints: Vec::new() };
        (0..space.n_boxes()).filter(|&number| boxes[number]).for_each(|number| near.of_columns(number));
        let mut numbers = Vec::new();
        for row in &space.rows {
            let size = row.stride * row.line.ways.len();
            let firsts = (0..space.n_boxes()).step_by(size).flat_map(|first| first..first + row.stride);
            for (first, run) in firsts.flat_map(|first| row.runs.iter().map(move |run| (first, run))) {
                numbers.clear();
                numbers.extend(run.iter().map(|way| first + way * row.stride));
                let stretches = numbers.chunk_by(|&one, &other| boxes[one] && boxes[other]);
                for stretch in stretches.filter(|stretch| stretch.len() > 1) {
                    let length = if one_cell { 2 } else { stretch.len() };
                    stretch.windows(length).for_each(|stretch| near.of_run(stretch));
                }
            }
        }
        near
    }

    /// Moves of blocks in columns, within a box.
    fn of_columns(&mut self, number: usize) {
        let range = self.space.of_box(number);
        let (distances, least) = (&self.distances[range.clone()], &mut self.least[range]);
        if distances.is_empty() {
            return;
        }
        let mut stride = 1;
        for gap in self.space.gaps_of(number) {
            let size = stride * gap.ways.len();
            for run in &gap.runs {
                let length = if self.one_cell { 2 } else { run.len() };
                for run in run.windows(length) {
                    let n = slide(distances, least, (stride, size), run);
                    self.n_moves += n * (length * (length - 1)) as u64;
                }
            }
            stride = size;
        }
    }

    /// Moves of a block in a row, through these boxes.
    fn of_run(&mut self, run: &[usize]) {
        let (space, mut buffers, mut joints) =
            (self.space, std::mem::take(&mut self.run), std::mem::take(&mut self.joints));
        buffers.resize_with(buffers.len().max(run.len()), Default::default);
        for (place, (lowest, n_before)) in buffers[..run.len()].iter_mut().enumerate() {
            let distances = &self.distances[self.space.of_box(run[place])];
            lowest.clear();
            lowest.extend_from_slice(distances);
            n_before.clear();
            n_before.resize(distances.len(), 0);
        }
        joints.resize_with(joints.len().max(run.len() - 1), Default::default);
        for (place, joint) in joints[..run.len() - 1].iter_mut().enumerate() {
            joint.set(space, run[place], run[place + 1]);
            let (before, after) = buffers.split_at_mut(place + 1);
            joint.pass_on(&before[place], &mut after[0]);
        }
        for (place, joint) in joints[..run.len() - 1].iter().enumerate().rev() {
            let (before, after) = buffers.split_at_mut(place + 1);
            joint.pass_back(&after[0].0, &mut before[place].0);
        }
        for (place, (lowest, n_before)) in buffers[..run.len()].iter().enumerate() {
            let range = self.space.of_box(run[place]);
            self.least[range.clone()].iter_mut().zip(lowest).for_each(|(least, &lowest)| lower(lowest, least));
            let moves = self.distances[range].iter().zip(n_before);
            let n: u32 = moves.map(|(&distance, &n)| u32::from(n) * u32::from(distance != ABSENT)).sum();
            self.n_moves += 2 * u64::from(n);
        }
        (self.run, self.joints) = (buffers, joints);
    }
}

/// Number of positions that are looked at side by side.
const SIDE: usize = 64;

/// Lowers the bytes of positions to the least of those that a run of ranks joins; the number of such runs in the table.
fn slide(distances: &[u8], least: &mut [u8], (stride, size): (usize, usize), run: &[u16]) -> u64 {
    let mut n = 0;
    for (distances, least) in distances.chunks_exact(size).zip(least.chunks_exact_mut(size)) {
        if stride == 1 {
            let lowest = run.iter().fold(ABSENT, |lowest, &rank| lowest.min(distances[rank as usize]));
            run.iter().for_each(|&rank| lower(lowest, &mut least[rank as usize]));
            n += u64::from(lowest != ABSENT);
            continue;
        }
        for from in (0..stride).step_by(SIDE) {
            let length = SIDE.min(stride - from);
            let of_rank = |rank: u16| rank as usize * stride + from..rank as usize * stride + from + length;
            let mut lowest = [ABSENT; SIDE];
            let lowest = &mut lowest[..length];
            for &rank in run {
                lowest
                    .iter_mut()
                    .zip(&distances[of_rank(rank)])
                    .for_each(|(lowest, &distance)| lower(distance, lowest));
            }
            for &rank in run {
                least[of_rank(rank)].iter_mut().zip(&*lowest).for_each(|(least, &lowest)| lower(lowest, least));
            }
            n += lowest.iter().map(|&lowest| u64::from(lowest != ABSENT)).sum::<u64>();
        }
    }
    n
}
