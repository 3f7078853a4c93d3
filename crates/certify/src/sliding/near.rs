//! The least distance that one move leads to from each position, and the number of moves.

use super::space::{Gap, Space};

/// The byte of a position that is not in the table, and of one without a distance; a distance is less.
pub(super) const ABSENT: u8 = u8::MAX;
pub(super) const NO_GOAL: u8 = ABSENT - 1;

/// Positions with a byte each, their distances.
pub(super) struct Near<'a> {
    pub space: &'a Space,
    pub distances: &'a [u8],
    /// True if a block moves by one cell, and does not slide.
    pub one_cell: bool,
    /// The least distance of each position and those that one move leads to.
    pub least: Vec<u8>,
    /// Number of moves between positions of the table.
    pub n_moves: u64,
}

impl<'a> Near<'a> {
    pub(super) fn new(space: &'a Space, distances: &'a [u8], one_cell: bool) -> Self {
        let mut near = Self { space, distances, one_cell, least: distances.to_vec(), n_moves: 0 };
        (0..space.n_boxes()).for_each(|number| near.of_columns(number));
        for row in &space.rows {
            for number in (0..space.n_boxes()).filter(|&number| row.way(number) == 0) {
                for run in &row.runs {
                    let boxes: Vec<usize> = run.iter().map(|way| number + way * row.stride).collect();
                    near.of_run(&boxes);
                }
            }
        }
        near
    }

    /// Moves of blocks in columns, within a box.
    fn of_columns(&mut self, number: usize) {
        let range = self.space.first[number]..self.space.first[number + 1];
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
    fn of_run(&mut self, boxes: &[usize]) {
        let range = |number: usize| self.space.first[number]..self.space.first[number + 1];
        let mut lowest: Vec<Vec<u8>> = boxes.iter().map(|&number| self.distances[range(number)].to_vec()).collect();
        let mut n_before: Vec<Vec<u8>> = boxes.iter().map(|&number| vec![0; range(number).len()]).collect();
        let joints: Vec<Joint> = boxes.windows(2).map(|pair| Joint::new(self.space, pair[0], pair[1])).collect();
        for (place, joint) in joints.iter().enumerate() {
            let (before, after) = n_before.split_at_mut(place + 1);
            let one_cell = self.one_cell;
            joint.apply(&before[place], &mut after[0], &|before, after| *after = if one_cell { 1 } else { before + 1 });
            let (before, after) = lowest.split_at_mut(place + 1);
            if one_cell {
                let distances = |number: usize| &self.distances[range(number)];
                joint.apply(distances(boxes[place]), &mut after[0], &lower);
                joint.turned().apply(distances(boxes[place + 1]), &mut before[place], &lower);
            } else {
                joint.apply(&before[place], &mut after[0], &lower);
            }
        }
        if !self.one_cell {
            for (place, joint) in joints.iter().enumerate().rev() {
                let (before, after) = lowest.split_at_mut(place + 1);
                joint.turned().apply(&after[0], &mut before[place], &lower);
            }
        }
        for ((&number, lowest), n_before) in boxes.iter().zip(&lowest).zip(&n_before) {
            let range = range(number);
            self.least[range.clone()].iter_mut().zip(lowest).for_each(|(least, &lowest)| lower(lowest, least));
            let moves = self.distances[range].iter().zip(n_before);
            self.n_moves +=
                2 * moves.map(|(&distance, &n)| if distance == ABSENT { 0 } else { u64::from(n) }).sum::<u64>();
        }
    }
}

#[inline]
fn lower(distance: u8, least: &mut u8) {
    *least = distance.min(*least);
}

/// Lowers the bytes of positions to the least of those that a run of ranks joins; the number of such runs in the table.
fn slide(distances: &[u8], least: &mut [u8], (stride, size): (usize, usize), run: &[u16]) -> u64 {
    let mut n = 0;
    if stride == 1 {
        for (distances, least) in distances.chunks_exact(size).zip(least.chunks_exact_mut(size)) {
            let lowest = run.iter().fold(ABSENT, |lowest, &rank| lowest.min(distances[rank as usize]));
            run.iter().for_each(|&rank| lower(lowest, &mut least[rank as usize]));
            n += u64::from(lowest != ABSENT);
        }
        return n;
    }
    let mut lowest = vec![ABSENT; stride];
    for (distances, least) in distances.chunks_exact(size).zip(least.chunks_exact_mut(size)) {
        lowest.fill(ABSENT);
        let of_rank = |rank: u16| rank as usize * stride..(rank as usize + 1) * stride;
        for &rank in run {
            lowest.iter_mut().zip(&distances[of_rank(rank)]).for_each(|(lowest, &distance)| lower(distance, lowest));
        }
        for &rank in run {
            least[of_rank(rank)].iter_mut().zip(&lowest).for_each(|(least, &lowest)| lower(lowest, least));
        }
        n += lowest.iter().map(|&lowest| u64::from(lowest != ABSENT)).sum::<u64>();
    }
    n
}

/// The positions that two neighbouring boxes share but for the block that slides from one to the other.
struct Joint {
    /// For each column: its ranks in both boxes, one pair for each way that both leave, and its strides.
    columns: Vec<JointColumn>,
    /// Number of columns, from the fastest on, whose ranks are the same.
    n_same: usize,
    /// Number of positions that these run through side by side.
    length: usize,
}

#[derive(Clone)]
struct JointColumn {
    ranks: Vec<(u16, u16)>,
    strides: (usize, usize),
}

impl Joint {
    fn new(space: &Space, one: usize, other: usize) -> Self {
        let mut strides = (1, 1);
        let (mut columns, mut n_same, mut length) = (Vec::new(), 0, 1);
        for (number, (before, after, is_same)) in space.gaps_of_both(one, other).enumerate() {
            if is_same && n_same == number {
                n_same += 1;
                length *= before.ways.len();
            }
            columns.push(JointColumn { ranks: shared(before, after), strides });
            strides = (strides.0 * before.ways.len(), strides.1 * after.ways.len());
        }
        Self { columns, n_same, length }
    }

    /// The same the other way round.
    fn turned(&self) -> Self {
        let turned = |column: &JointColumn| JointColumn {
            ranks: column.ranks.iter().map(|&(one, other)| (other, one)).collect(),
            strides: (column.strides.1, column.strides.0),
        };
        Self { columns: self.columns.iter().map(turned).collect(), ..*self }
    }

    /// Applies an operation to each position that is shared, as it stands in either box.
    fn apply(&self, from: &[u8], to: &mut [u8], act: &impl Fn(u8, &mut u8)) {
        if !from.is_empty() && !to.is_empty() {
            self.apply_to(self.columns.len(), (0, 0), from, to, act);
        }
    }

    /// The same within the first so many columns, the others standing as the offsets say.
    fn apply_to(
        &self,
        n_columns: usize,
        offsets: (usize, usize),
        from: &[u8],
        to: &mut [u8],
        act: &impl Fn(u8, &mut u8),
    ) {
        if n_columns == self.n_same {
            let (from, to) = (&from[offsets.0..offsets.0 + self.length], &mut to[offsets.1..offsets.1 + self.length]);
            from.iter().zip(to).for_each(|(&from, to)| act(from, to));
            return;
        }
        let JointColumn { ranks, strides } = &self.columns[n_columns - 1];
        for &(one, other) in ranks {
            let offsets = (offsets.0 + one as usize * strides.0, offsets.1 + other as usize * strides.1);
            if n_columns == 1 {
                act(from[offsets.0], &mut to[offsets.1]);
            } else {
                self.apply_to(n_columns - 1, offsets, from, to, act);
            }
        }
    }
}

/// The ranks of the ways that are possible in both.
fn shared(before: &Gap, after: &Gap) -> Vec<(u16, u16)> {
    let ways = before.ways.iter().enumerate();
    ways.filter_map(|(rank, &way)| Some((rank as u16, after.rank(way as usize)? as u16))).collect()
}
