//! Places of positions of pebbles on a graph.
//!
//! The pebbles of the last kinds are the inner ones, all others, with the free vertex, the outer ones. A block is where
//! the outer ones lie, a place in it how the inner ones lie on the vertices that are left, in ascending order. If an
//! outer pebble moves, the inner ones stay where they are; if an inner one moves, it leaves the order at one place and
//! comes back at another. So one move takes all positions of a block to another block, by a table of few that fit into
//! the cache.

use std::collections::HashMap;

use plymap_puzzles::game::PebbleMotion;

use crate::numbering::Numbering;
use crate::place::{MAX_BLOCK, Place};

/// The most vertices, of which each has a bit.
const MAX_VERTICES: usize = 32;

/// The numbering of all positions of a level of pebbles.
pub struct Pebbles {
    motion: PebbleMotion,
    all: u32,
    outer: Vec<OuterKind>,
    /// The orders of the inner pebbles, in lexicographic order.
    orders: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u16>,
    /// For each place that an inner pebble leaves and each to which it comes, what becomes of each order.
    transfers: Vec<Vec<u16>>,
    n_inner: usize,
}

/// The pebbles of one kind, as a subset of the vertices that those before it leave.
struct OuterKind {
    kind: u8,
    /// All subsets of as many vertices as there are pebbles, in colexicographic order.
    subsets: Vec<u32>,
}

/// Where the free vertex and the outer pebbles are.
struct Outer {
    free: usize,
    /// The vertices of each outer kind.
    sets: [u32; MAX_VERTICES],
    /// The vertices of the inner pebbles.
    rest: u32,
}

impl Pebbles {
    /// The numbering of these pebbles; absent where they have more positions than 63 bits can number.
    pub fn new(motion: PebbleMotion) -> Option<Self> {
        let n_vertices = motion.start.len();
        let mut kinds: Vec<(u8, usize)> = Vec::new();
        let mut sorted: Vec<u8> = motion.start.iter().copied().filter(|&kind| kind > 0).collect();
        sorted.sort_unstable();
        for kind in sorted {
            match kinds.last_mut() {
                Some((last, n)) if *last == kind => *n += 1,
                _ => kinds.push((kind, 1)),
            }
        }
        let n_outer = (0..kinds.len()).find(|&n| n_orders(&kinds[n..]).is_some_and(|n| n <= MAX_BLOCK as u64))?;
        let mut n_left = n_vertices - 1;
        let mut outer = Vec::new();
        let mut n_blocks = n_vertices as u64;
        for &(kind, n_pebbles) in &kinds[..n_outer] {
            let n_subsets = binomial(n_left, n_pebbles);
            n_blocks = n_blocks.checked_mul(n_subsets).filter(|&n| n < 1 << 50)?;
            outer.push(OuterKind { kind, subsets: subsets(n_left, n_pebbles) });
            n_left -= n_pebbles;
        }
        let first = kinds[n_outer..].iter().flat_map(|&(kind, n)| std::iter::repeat_n(kind, n)).collect();
        let orders = orders(first);
        let numbers: HashMap<_, _> = orders.iter().cloned().zip(0..).collect();
        let transfers = (0..n_left * n_left).map(|pair| transfer(&orders, &numbers, pair / n_left, pair % n_left));
        Some(Self {
            transfers: transfers.collect(),
            all: u32::MAX >> (MAX_VERTICES - n_vertices),
            outer,
            orders,
            numbers,
            n_inner: n_left,
            motion,
        })
    }

    pub fn n_blocks(&self) -> u64 {
        self.outer.iter().map(|kind| kind.subsets.len() as u64).product::<u64>() * self.motion.start.len() as u64
    }

    pub fn block_len(&self) -> usize {
        self.orders.len()
    }

    /// What a table says of them.
    pub fn numbering(&self) -> Numbering {
        Numbering::Pebbles {
            neighbours: self.motion.neighbours.iter().map(|&beside| members(beside).collect()).collect(),
            goals: self.motion.goals.clone(),
            outer_kinds: self.outer.iter().map(|outer| outer.kind).collect(),
        }
    }

    /// Number of positions that a goal reaches, as far as it is known: of pebbles that all differ, half of the positions
    /// where the graph has two parts, and each edge joins one with the other (Wilson 1974).
    pub fn n_expected(&self) -> u64 {
        let n = self.n_blocks() * self.block_len() as u64;
        let pebbles = &self.motion.start;
        let all_differ =
            (1..=pebbles.len()).all(|kind| pebbles.iter().filter(|&&other| other as usize == kind).count() < 2);
        if all_differ && self.has_two_parts() { n / 2 } else { n }
    }

    fn has_two_parts(&self) -> bool {
        let (mut one, mut other) = (1u32, 0u32);
        for _ in 0..self.motion.start.len() {
            other |= self.beside(one);
            one |= self.beside(other);
        }
        one & other == 0
    }

    /// All vertices beside these.
    fn beside(&self, vertices: u32) -> u32 {
        members(vertices).fold(0, |all, vertex| all | self.motion.neighbours[vertex])
    }

    pub fn goals(&self) -> impl Iterator<Item = Place> + '_ {
        self.motion.goals.iter().filter_map(|goal| self.place_of_kinds(goal))
    }

    pub fn place(&self, code: u128) -> Option<Place> {
        self.place_of_kinds(&self.motion.kinds(code))
    }

    fn place_of_kinds(&self, kinds: &[u8]) -> Option<Place> {
        let mut outer = Outer { free: kinds.iter().position(|&kind| kind == 0)?, sets: [0; MAX_VERTICES], rest: 0 };
        outer.rest = self.all & !(1 << outer.free);
        for (set, kind) in outer.sets.iter_mut().zip(&self.outer) {
            *set =
                (0..kinds.len()).filter(|&vertex| kinds[vertex] == kind.kind).fold(0, |set, vertex| set | 1 << vertex);
            outer.rest &= !*set;
            if set.count_ones() != kind.subsets[0].count_ones() {
                return None;
            }
        }
        let order: Vec<u8> = members(outer.rest).map(|vertex| kinds[vertex]).collect();
        Some(Place { block: self.block(outer.free, &outer.sets), inner: *self.numbers.get(&order)? })
    }

    /// The code of a position.
    pub fn code(&self, Place { block, inner }: Place) -> u128 {
        let outer = self.outer(block);
        let mut kinds = vec![0; self.motion.start.len()];
        for (&set, kind) in outer.sets.iter().zip(&self.outer) {
            members(set).for_each(|vertex| kinds[vertex] = kind.kind);
        }
        members(outer.rest).zip(&self.orders[usize::from(inner)]).for_each(|(vertex, &kind)| kinds[vertex] = kind);
        self.motion.code(&kinds)
    }

    /// Calls `visit` with the place of each position that one move leads to from one of these of a block.
    #[inline]
    pub fn expand(&self, block: u64, inner: &[u16], visit: &mut impl FnMut(u64, u16)) {
        let Outer { free, mut sets, rest } = self.outer(block);
        for from in members(self.motion.neighbours[free]) {
            let (leaves, comes) = (1u32 << from, 1u32 << free);
            if rest & leaves != 0 {
                let (left, after) = (below(rest, from), below(rest & !leaves, free));
                let transfer = &self.transfers[left * self.n_inner + after];
                let block = self.block(from, &sets);
                inner.iter().for_each(|&order| visit(block, transfer[usize::from(order)]));
            } else {
                let set = sets.iter().position(|set| set & leaves != 0).expect("a pebble lies on each vertex but one");
                sets[set] ^= leaves | comes;
                let block = self.block(from, &sets);
                sets[set] ^= leaves | comes;
                inner.iter().for_each(|&order| visit(block, order));
            }
        }
    }

    /// The number of a block.
    #[inline]
    fn block(&self, free: usize, sets: &[u32]) -> u64 {
        let mut left = self.all & !(1 << free);
        let mut block = free as u64;
        for (kind, &set) in self.outer.iter().zip(sets) {
            // The combinatorial number system: the rank of a subset in colexicographic order.
            let rank: u64 = members(set).zip(1..).map(|(vertex, n)| binomial(below(left, vertex), n)).sum();
            block = block * kind.subsets.len() as u64 + rank;
            left &= !set;
        }
        block
    }

    #[inline]
    fn outer(&self, mut block: u64) -> Outer {
        let mut outer = Outer { free: 0, sets: [0; MAX_VERTICES], rest: 0 };
        for (kind, set) in self.outer.iter().zip(&mut outer.sets[..self.outer.len()]).rev() {
            let n_subsets = kind.subsets.len() as u64;
            *set = kind.subsets[(block % n_subsets) as usize];
            block /= n_subsets;
        }
        outer.free = block as usize;
        outer.rest = self.all & !(1 << outer.free);
        for set in &mut outer.sets[..self.outer.len()] {
            *set = spread(*set, outer.rest);
            outer.rest &= !*set;
        }
        outer
    }
}

/// The vertices of a set, in ascending order.
#[inline]
fn members(mut vertices: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (vertices != 0).then(|| {
            let vertex = vertices.trailing_zeros() as usize;
            vertices &= vertices - 1;
            vertex
        })
    })
}

/// Number of vertices of a set before one.
#[inline]
fn below(vertices: u32, vertex: usize) -> usize {
    (vertices & ((1 << vertex) - 1)).count_ones() as usize
}

/// The vertices of `all` at the places of a subset.
#[inline]
fn spread(subset: u32, all: u32) -> u32 {
    members(all).enumerate().fold(0, |set, (place, vertex)| set | (subset >> place & 1) << vertex)
}

/// Pascal's triangle.
const BINOMIALS: [[u64; MAX_VERTICES + 1]; MAX_VERTICES + 1] = {
    let mut binomials = [[0; MAX_VERTICES + 1]; MAX_VERTICES + 1];
    let mut n = 0;
    while n <= MAX_VERTICES {
        binomials[n][0] = 1;
        let mut k = 1;
        while k <= n {
            binomials[n][k] = binomials[n - 1][k - 1] + binomials[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    binomials
};

#[inline]
fn binomial(n: usize, k: usize) -> u64 {
    BINOMIALS[n][k]
}

/// Number of orders of pebbles of these kinds; absent where it needs more than 64 bits.
fn n_orders(kinds: &[(u8, usize)]) -> Option<u64> {
    let mut n_pebbles = 0;
    kinds.iter().try_fold(1u64, |orders, &(_, n)| {
        n_pebbles += n;
        orders.checked_mul(binomial(n_pebbles, n))
    })
}

/// All subsets of k of the first n vertices, in ascending and so in colexicographic order.
fn subsets(n: usize, k: usize) -> Vec<u32> {
    let mut subsets = vec![(1u32 << k) - 1];
    while subsets.len() < binomial(n, k) as usize {
        // The next larger number with as many bits (Gosper's hack; Beeler et al. 1972, item 175).
        let last = subsets[subsets.len() - 1];
        let lowest = last & last.wrapping_neg();
        let carried = last + lowest;
        subsets.push(carried | (last ^ carried) >> 2 >> lowest.trailing_zeros());
    }
    subsets
}

/// All orders of pebbles, given in ascending order, in lexicographic order.
fn orders(first: Vec<u8>) -> Vec<Vec<u8>> {
    let next = |order: &Vec<u8>| {
        let mut next = order.clone();
        let place = (1..next.len()).rev().find(|&place| next[place - 1] < next[place])? - 1;
        let larger = (place + 1..next.len()).rev().find(|&other| next[other] > next[place])?;
        next.swap(place, larger);
        next[place + 1..].reverse();
        Some(next)
    };
    std::iter::successors(Some(first), next).collect()
}

/// What becomes of each order when the pebble at one place leaves it, and comes back at another.
fn transfer(orders: &[Vec<u8>], numbers: &HashMap<Vec<u8>, u16>, from: usize, to: usize) -> Vec<u16> {
    let after = |order: &Vec<u8>| {
        let mut after = order.clone();
        let pebble = after.remove(from);
        after.insert(to, pebble);
        numbers[&after]
    };
    orders.iter().map(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A way of vertices with two pebbles of one kind among four, and a ring of distinct ones.
    fn examples() -> [Pebbles; 2] {
        let way = PebbleMotion {
            neighbours: vec![0b10, 0b101, 0b1010, 0b10100, 0b01000],
            start: vec![2, 0, 1, 3, 1],
            goals: vec![vec![0, 1, 1, 2, 3]],
            bits: 2,
        };
        let ring = PebbleMotion {
            neighbours: (0..10).map(|vertex| 1 << ((vertex + 1) % 10) | 1 << ((vertex + 9) % 10)).collect(),
            start: (0..10).collect(),
            goals: Vec::new(),
            bits: 4,
        };
        [way, ring].map(|motion| Pebbles::new(motion).unwrap())
    }

    #[test]
    fn each_position_has_a_place_of_its_own() {
        let [way, ring] = examples();
        assert_eq!((way.n_blocks(), way.block_len(), way.n_expected()), (5, 12, 60));
        // 7 distinct pebbles of the 9 are inner ones.
        assert_eq!((ring.n_blocks(), ring.block_len(), ring.n_expected()), (10 * 9 * 8, 5040, 10 * 9 * 8 * 5040 / 2));
        for pebbles in [way, ring] {
            for block in 0..pebbles.n_blocks() {
                for inner in 0..pebbles.block_len() as u16 {
                    let place = Place { block, inner };
                    assert_eq!(pebbles.place(pebbles.code(place)), Some(place));
                }
            }
        }
    }

    #[test]
    fn a_move_takes_one_pebble_along_an_edge() {
        for pebbles in examples() {
            for block in (0..pebbles.n_blocks()).step_by(7) {
                let all: Vec<u16> = (0..pebbles.block_len() as u16).collect();
                let mut after: Vec<Vec<u128>> = vec![Vec::new(); all.len()];
                let mut n_visits = 0;
                pebbles.expand(block, &all, &mut |block, inner| {
                    after[n_visits % all.len()].push(pebbles.code(Place { block, inner }));
                    n_visits += 1;
                });
                for (inner, after) in all.into_iter().zip(after) {
                    let kinds = pebbles.motion.kinds(pebbles.code(Place { block, inner }));
                    let free = kinds.iter().position(|&kind| kind == 0).unwrap();
                    let expected: Vec<u128> = members(pebbles.motion.neighbours[free])
                        .map(|from| {
                            let mut kinds = kinds.clone();
                            kinds.swap(from, free);
                            pebbles.motion.code(&kinds)
                        })
                        .collect();
                    assert_eq!(after, expected);
                }
            }
        }
    }
}
