//! A lower bound of the distance to the goal: a sum over colours.
//!
//! Each move moves one pebble, so of one colour; if the pebbles of one colour had the layout to themselves,
//! they would need so many moves, and the sum of these numbers over all colours never exceeds the distance
//! (additive pattern databases: Korf and Felner, 2002). The pebbles of a colour are indistinguishable, so
//! their number of moves is that of the cheapest assignment of pebbles to plates by distance along the
//! lines: for two pebbles, the cheaper of the two.

use std::collections::VecDeque;

use super::lines::{Lines, Plates, members, single};

/// The most arrangements of one colour that a table holds, 2 bytes each.
const MAX_TABLE: u32 = 1 << 18;

/// Lower bounds for every colour.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    binomials: Binomials,
    colours: Vec<ColourBound>,
}

#[derive(Clone, Debug)]
enum ColourBound {
    /// The fewest moves of every arrangement, by [`Binomials::rank`].
    Table(Vec<u16>),
    /// For colours with too many arrangements: each misplaced pebble goes to the nearest free plate of its
    /// colour, even where that is one plate for two pebbles.
    Nearest(Plates),
}

impl Bounds {
    /// The bounds for colours of which each has these plates and so many pebbles, as many as plates or one fewer.
    pub fn new(lines: &Lines, colours: &[(Plates, u32)]) -> Self {
        let binomials = Binomials::new();
        let bound = |&(plates, n_pebbles): &(Plates, u32)| {
            let n_arrangements = binomials.choose(lines.n_plates(), n_pebbles as usize);
            if n_arrangements > MAX_TABLE {
                return ColourBound::Nearest(plates);
            }
            ColourBound::Table(table(lines, &binomials, plates, n_pebbles, n_arrangements as usize))
        };
        let colours = colours.iter().map(bound).collect();
        Self { binomials, colours }
    }

    /// The bound for one colour whose pebbles lie on these plates.
    #[inline]
    pub fn of_colour(&self, lines: &Lines, colour: usize, pebbles: Plates) -> u32 {
        match &self.colours[colour] {
            ColourBound::Table(table) => u32::from(table[self.binomials.rank(pebbles)]),
            ColourBound::Nearest(plates) => nearest(lines, *plates, pebbles),
        }
    }
}

/// The fewest moves from every arrangement of one colour, breadth-first from those in which all pebbles lie on
/// plates of their colour.
fn table(lines: &Lines, binomials: &Binomials, plates: Plates, n_pebbles: u32, n_arrangements: usize) -> Vec<u16> {
    // The other colours are taken off the board, so no solution of the whole has fewer moves of this one; and since a
    // move takes one pebble, the bounds of all colours add up (additive pattern databases: Korf and Felner 2002).
    const UNSEEN: u16 = u16::MAX;
    let mut table = vec![UNSEEN; n_arrangements];
    let goals: Vec<Plates> = if plates.count_ones() == n_pebbles {
        vec![plates]
    } else {
        members(plates).map(|home_of_hole| plates & !single(home_of_hole)).collect()
    };
    let mut queue = VecDeque::from(goals);
    queue.iter().for_each(|&goal| table[binomials.rank(goal)] = 0);
    while let Some(pebbles) = queue.pop_front() {
        let next_moves = table[binomials.rank(pebbles)] + 1;
        for from in members(pebbles) {
            for to in members(lines.neighbours(from) & !pebbles) {
                let next = pebbles ^ single(from) ^ single(to);
                let moves = &mut table[binomials.rank(next)];
                if *moves == UNSEEN {
                    *moves = next_moves;
                    queue.push_back(next);
                }
            }
        }
    }
    table
}

/// By the triangle inequality some cheapest assignment leaves alone what lies well, so only misplaced pebbles and
/// free plates count.
fn nearest(lines: &Lines, plates: Plates, pebbles: Plates) -> u32 {
    let free = plates & !pebbles;
    members(pebbles & !plates).map(|from| members(free).map(|to| lines.distance(from, to)).min().unwrap_or(0)).sum()
}

/// Binomial coefficients, which number the sets of equal size (the combinatorial number system: Lehmer, 1964).
#[derive(Clone, Debug)]
struct Binomials(Vec<[u32; Self::SIDE]>);

impl Binomials {
    const SIDE: usize = super::lines::MAX_PLATES + 1;

    fn new() -> Self {
        let mut rows = vec![[0; Self::SIDE]; Self::SIDE];
        for n in 0..Self::SIDE {
            rows[n][0] = 1;
            for k in 1..=n {
                rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            }
        }
        Self(rows)
    }

    fn choose(&self, n: usize, k: usize) -> u32 {
        self.0[n][k]
    }

    /// The number of a set among all sets of its size, from 0.
    #[inline]
    fn rank(&self, mut set: Plates) -> usize {
        let mut rank = 0;
        let mut size = 1;
        while set != 0 {
            rank += self.0[set.trailing_zeros() as usize][size];
            // Clears the lowest plate.
            set &= set - 1;
            size += 1;
        }
        rank as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::triangle;
    use super::*;

    fn source_lines() -> Lines {
        Lines::new(15, &triangle(5, true))
    }

    /// All sets of so many of the first `n_plates` plates.
    fn sets(n_plates: usize, size: u32) -> impl Iterator<Item = Plates> {
        (0..1 << n_plates).filter(move |set: &Plates| set.count_ones() == size)
    }

    /// The cheapest assignment, by trying all.
    fn cheapest(lines: &Lines, pebbles: Plates, plates: Plates) -> u32 {
        let Some(from) = members(pebbles).next() else { return 0 };
        let with =
            |to: usize| lines.distance(from, to) + cheapest(lines, pebbles & !single(from), plates & !single(to));
        members(plates).map(with).min().unwrap()
    }

    #[test]
    fn sets_are_numbered_without_gaps() {
        let binomials = Binomials::new();
        for size in 1..=4 {
            let ranks: Vec<usize> = sets(10, size).map(|set| binomials.rank(set)).collect();
            assert!(ranks.iter().enumerate().all(|(expected, &rank)| rank == expected), "size {size}");
            assert_eq!(ranks.len(), binomials.choose(10, size as usize) as usize);
        }
        assert_eq!(binomials.choose(32, 16), 601_080_390);
    }

    #[test]
    fn the_bound_is_the_cheapest_assignment() {
        let lines = source_lines();
        for (plates, n_pebbles) in [(0b10, 1), (0b10_0000_0010, 2), (0b100_0001_0000_0010, 3), (0b1_0001_0011, 3)] {
            let bounds = Bounds::new(&lines, &[(plates, n_pebbles)]);
            for pebbles in sets(15, n_pebbles) {
                assert_eq!(bounds.of_colour(&lines, 0, pebbles), cheapest(&lines, pebbles, plates), "{pebbles:b}");
            }
        }
    }

    #[test]
    fn the_weaker_bound_for_many_pebbles_never_exceeds_the_cheapest_assignment() {
        let lines = Lines::new(10, &[vec![0, 1, 2], vec![2, 3], vec![3, 4], vec![4, 5, 6], vec![6, 7], vec![7, 8, 9]]);
        let plates = 0b10_0000_1101;
        let mut n_equal = 0;
        for pebbles in sets(10, 4) {
            let (bound, exact) = (nearest(&lines, plates, pebbles), cheapest(&lines, pebbles, plates));
            assert!(bound <= exact, "{pebbles:b}");
            assert_eq!(bound == 0, pebbles == plates);
            n_equal += usize::from(bound == exact);
        }
        assert!(n_equal > 0);
    }
}
