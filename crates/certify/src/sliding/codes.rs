//! The numbers of positions by their codes.

use super::gap::{Gap, NO_RANK};
use super::lines::Line;
use super::space::{Column, Space};

/// Bits of a code that are looked up at once.
const BITS: u32 = 8;

/// Bits of rows whose ways are looked up at once.
const BITS_OF_ROWS: u32 = 12;

/// The most bits that hold the places of one line.
const MOST_BITS: u32 = 16;

/// Reads codes: the bits of each line are set side by side, and name its way.
pub(super) struct Codes<'a> {
    space: &'a Space,
    /// For each piece of a code and each of its values, its bits in their new places.
    sorted: Vec<[u64; 1 << BITS]>,
    /// For rows side by side, their part in the number of the box for each value; [`NO_BOX`] or more where blocks meet.
    rows: Vec<(Field, Vec<usize>)>,
    /// For each column, each gap and each value its rank, [`NO_RANK`] where blocks meet, and the number of ranks.
    columns: Vec<(Field, Vec<(u16, u16)>)>,
}

/// Bits of a sorted code.
#[derive(Clone, Copy)]
struct Field {
    shift: u32,
    n_bits: u32,
}

/// More than all parts of a number of a box together, and little enough to be added up.
const NO_BOX: usize = 1 << 32;

impl<'a> Codes<'a> {
    /// Codes of positions of a board; nothing if a line takes too many bits.
    pub(super) fn new(space: &'a Space) -> Option<Self> {
        let mut places = Places { places: [0; u64::BITS as usize], n_bits: 0 };
        let mut rows: Vec<(Field, Vec<usize>)> = Vec::new();
        for row in &space.rows {
            let (field, ways) = places.field(&row.line)?;
            let parts: Vec<usize> = ways.iter().map(|way| way.map_or(NO_BOX, |way| way * row.stride)).collect();
            match rows.last_mut().filter(|(before, _)| before.n_bits + field.n_bits <= BITS_OF_ROWS) {
                Some((before, sums)) => {
                    before.n_bits += field.n_bits;
                    *sums = parts.iter().flat_map(|part| sums.iter().map(move |sum| sum + part)).collect();
                }
                None => rows.push((field, parts)),
            }
        }
        let column = |column: &Column| {
            let (field, ways) = places.field(&column.line)?;
            let of_gap = |gap: &Gap| {
                let rank = |way: &Option<usize>| (way.map_or(NO_RANK, |way| gap.ranks[way]), gap.ways.len() as u16);
                ways.iter().map(rank).collect::<Vec<_>>()
            };
            Some((field, column.gaps.iter().flat_map(of_gap).collect()))
        };
        let columns = space.columns.iter().map(column).collect::<Option<_>>()?;
        Some(Self { space, sorted: places.sorted(), rows, columns })
    }

    /// The box of a position and its sorted code; nothing where blocks of a row meet.
    #[inline]
    fn number(&self, code: u64) -> Option<(usize, u64)> {
        let pieces = self.sorted.iter().enumerate();
        let sorted =
            pieces.fold(0, |sorted, (piece, values)| sorted | values[(code >> (piece as u32 * BITS)) as usize & 0xff]);
        let number: usize = self.rows.iter().map(|(field, sums)| sums[field.of(sorted)]).sum();
        (number < NO_BOX).then_some((number, sorted))
    }

    /// The number of a position; nothing where blocks meet.
    #[inline]
    pub(super) fn position(&self, code: u64) -> Option<usize> {
        let (number, sorted) = self.number(code)?;
        let (mut position, mut stride, mut is_free) = (self.space.first[number], 1, true);
        for (rank, n_ranks) in self.of_columns(number, sorted) {
            is_free &= rank != NO_RANK;
            position += rank as usize * stride;
            stride *= n_ranks as usize;
        }
        is_free.then_some(position)
    }

    /// The rank of each column of a position in a box, and how many there are.
    #[inline]
    fn of_columns(&self, number: usize, sorted: u64) -> impl Iterator<Item = (u16, u16)> {
        let gaps = &self.space.gaps[number * self.columns.len()..][..self.columns.len()];
        let columns = self.columns.iter().zip(gaps);
        columns.map(move |((field, ranks), &gap)| ranks[(gap as usize) << field.n_bits | field.of(sorted)])
    }

    /// The box of a position and the ranks of its columns; nothing where blocks meet.
    pub(super) fn ranks(&self, code: u64) -> Option<(usize, Vec<usize>)> {
        let (number, sorted) = self.number(code)?;
        let ranks = self.of_columns(number, sorted).map(|(rank, _)| (rank != NO_RANK).then_some(rank as usize));
        Some((number, ranks.collect::<Option<_>>()?))
    }
}

impl Field {
    #[inline]
    fn of(self, sorted: u64) -> usize {
        (sorted.unbounded_shr(self.shift) & ((1 << self.n_bits) - 1)) as usize
    }
}

/// Where each bit of a code goes.
struct Places {
    places: [u32; u64::BITS as usize],
    n_bits: u32,
}

impl Places {
    /// The field of a line behind the bits that others take, and the way that each of its values stands for.
    fn field(&mut self, line: &Line) -> Option<(Field, Vec<Option<usize>>)> {
        let shift = self.n_bits;
        // The lowest bit of each block in the field.
        let mut low = Vec::new();
        for block in &line.blocks {
            low.push(self.n_bits - shift);
            for bit in 0..block.mask.count_ones() {
                self.places[(block.shift + bit) as usize] = self.n_bits;
                self.n_bits += 1;
            }
        }
        let n_bits = self.n_bits - shift;
        if n_bits > MOST_BITS {
            return None;
        }
        let mut ways = vec![None; 1 << n_bits];
        for (number, way) in line.ways.iter().enumerate() {
            let value = way.places.iter().zip(&low).fold(0, |value, (&place, low)| value | (place as usize) << low);
            ways[value] = Some(number);
        }
        Some((Field { shift, n_bits }, ways))
    }

    /// For each piece of a code and each of its values, its bits in their new places.
    fn sorted(&self) -> Vec<[u64; 1 << BITS]> {
        let of_piece = |places: &[u32]| {
            let value = |piece: usize| {
                let bits = places.iter().enumerate().filter(|(bit, _)| piece >> bit & 1 == 1);
                bits.fold(0, |sorted, (_, &place)| sorted | 1 << place)
            };
            std::array::from_fn(value)
        };
        self.places.chunks(BITS as usize).map(of_piece).take(self.n_bits.div_ceil(BITS) as usize).collect()
    }
}
