//! Solvability of positions, decided without a search.
//!
//! Let the hole walk home by any path. What can be reached from there with the hole at home again depends on
//! the blocks of the layout (its largest parts that no single plate cuts in two): each has its own pebbles, those
//! that lie in it while the hole is on the plate of the block nearest to home. Wilson (1974) gives what walks of
//! the hole within one block can do to them:
//!
//! - a single line: nothing;
//! - a ring: turn them round;
//! - one layout of seven plates, a ring of six with a seventh plate between two opposite ones: 120 of the 720
//!   arrangements;
//! - any other block that can be drawn in two shades (no line joins two plates of one shade): every even permutation;
//! - any other block: every permutation.

use std::collections::HashSet;

use super::lines::{Lines, MAX_PLATES, Plates, members, single};

/// Facts that decide which positions of one layout can be solved.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// Plates where the hole can end up, each with what the pebbles of the blocks can do while it is there.
    homes: Vec<Home>,
    /// `true` if every position can be solved.
    is_everything_solvable: bool,
}

#[derive(Clone, Debug)]
struct Home {
    plate: usize,
    blocks: Vec<Block>,
}

/// The plates of one block without the one nearest to home.
#[derive(Clone, Debug)]
struct Block {
    plates: Vec<usize>,
    permutations: Permutations,
}

/// Permutations of the pebbles of a block by walks of the hole.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Permutations {
    /// Turn them round, in the order of the block's plates; with one pebble, nothing.
    Turns,
    /// Each of these: the pebble on place `i` goes to the place at `i`.
    Listed(Vec<Vec<usize>>),
    Even,
    All,
}

impl Reach {
    /// `homes` are the plates where the hole can be when the level is solved; `has_twins` tells whether two
    /// pebbles share a colour.
    pub fn new(lines: &Lines, homes: Plates, has_twins: bool) -> Self {
        let home = |plate: usize| Home { plate, blocks: blocks(lines, plate) };
        let homes: Vec<Home> = members(homes).map(home).collect();
        let is_everything_solvable = homes.iter().any(|home| match home.blocks.as_slice() {
            [block] => {
                block.permutations == Permutations::All || (has_twins && block.permutations == Permutations::Even)
            }
            _ => false,
        });
        Self { homes, is_everything_solvable }
    }

    /// `true` if a position with the hole on `hole` can be solved. `colours` holds the colour of each plate's
    /// pebble, `wanted` that of the plate itself.
    pub fn is_solvable(&self, lines: &Lines, colours: &[u8; MAX_PLATES], hole: usize, wanted: &[u8]) -> bool {
        self.is_everything_solvable
            || self.homes.iter().any(|home| {
                let mut colours = *colours;
                let mut hole = hole;
                // Any walk home will do: two of them differ by a closed walk, whose effects the permutations of the
                // blocks list.
                while hole != home.plate {
                    let next = lines.towards(hole, home.plate);
                    colours[hole] = colours[next];
                    hole = next;
                }
                home.blocks.iter().all(|block| block.can_become(&colours, wanted))
            })
    }
}

impl Block {
    fn can_become(&self, colours: &[u8; MAX_PLATES], wanted: &[u8]) -> bool {
        let has: Vec<u8> = self.plates.iter().map(|&plate| colours[plate]).collect();
        let wants: Vec<u8> = self.plates.iter().map(|&plate| wanted[plate]).collect();
        match &self.permutations {
            Permutations::Turns => (0..has.len()).any(|turn| wants[turn..].iter().chain(&wants[..turn]).eq(&has)),
            Permutations::Listed(list) => {
                list.iter().any(|places| places.iter().zip(&has).all(|(&place, colour)| wants[place] == *colour))
            }
            // Two equal pebbles exchanged turn an odd permutation into an even one.
            Permutations::Even => is_rearranged(&has, &wants) && (has_equal(&has) || is_even(&has, &wants)),
            Permutations::All => is_rearranged(&has, &wants),
        }
    }
}

fn sorted(colours: &[u8]) -> Vec<u8> {
    let mut colours = colours.to_vec();
    colours.sort_unstable();
    colours
}

fn is_rearranged(has: &[u8], wants: &[u8]) -> bool {
    sorted(has) == sorted(wants)
}

fn has_equal(colours: &[u8]) -> bool {
    sorted(colours).windows(2).any(|pair| pair[0] == pair[1])
}

/// `true` if an even permutation makes one arrangement of distinct colours into the other.
fn is_even(has: &[u8], wants: &[u8]) -> bool {
    // Quadratic, but of 32 plates at most.
    inversions(has) % 2 == inversions(wants) % 2
}

fn inversions(colours: &[u8]) -> usize {
    let pairs = (0..colours.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    pairs.filter(|&(first, second)| colours[first] > colours[second]).count()
}

/// The blocks of a layout as seen from one plate.
fn blocks(lines: &Lines, root: usize) -> Vec<Block> {
    let mut search = BlockSearch {
        lines,
        order: [0; MAX_PLATES],
        lowest: [0; MAX_PLATES],
        open: Vec::new(),
        n_seen: 0,
        blocks: Vec::new(),
    };
    search.visit(root);
    search.blocks.iter().map(|&(entry, others)| block(lines, entry, others)).collect()
}

/// A depth-first search for blocks (Hopcroft and Tarjan, 1973).
struct BlockSearch<'a> {
    lines: &'a Lines,
    /// Order in which plates were seen, from 1; 0 if not yet.
    order: [usize; MAX_PLATES],
    /// The earliest plate that can be reached from those behind each plate by one line back.
    lowest: [usize; MAX_PLATES],
    /// Plates whose block is not complete yet.
    open: Vec<usize>,
    n_seen: usize,
    /// The plate nearest to the root, and the others, of each block.
    blocks: Vec<(usize, Plates)>,
}

impl BlockSearch<'_> {
    fn visit(&mut self, plate: usize) {
        self.n_seen += 1;
        self.order[plate] = self.n_seen;
        self.lowest[plate] = self.n_seen;
        for next in members(self.lines.neighbours(plate)) {
            if self.order[next] > 0 {
                self.lowest[plate] = self.lowest[plate].min(self.order[next]);
                continue;
            }
            let n_open = self.open.len();
            self.open.push(next);
            self.visit(next);
            self.lowest[plate] = self.lowest[plate].min(self.lowest[next]);
            // Nothing behind `next` leads back above this plate: here a block ends (Hopcroft and Tarjan, 1973).
            if self.lowest[next] >= self.order[plate] {
                let others = self.open.drain(n_open..).fold(0, |others, other| others | single(other));
                self.blocks.push((plate, others));
            }
        }
    }
}

fn block(lines: &Lines, entry: usize, others: Plates) -> Block {
    let all = others | single(entry);
    let inner = |plate: usize| lines.neighbours(plate) & all;
    let n_plates = all.count_ones();
    let permutations = if n_plates == 2 || members(all).all(|plate| inner(plate).count_ones() == 2) {
        return Block { plates: around(lines, entry, others), permutations: Permutations::Turns };
    } else if is_exception(lines, all) {
        Permutations::Listed(listed(lines, entry, others))
    } else if is_two_shaded(lines, entry, all) {
        Permutations::Even
    } else {
        Permutations::All
    };
    Block { plates: members(others).collect(), permutations }
}

/// The plates of a ring in their order, without the one where the walk begins.
fn around(lines: &Lines, entry: usize, others: Plates) -> Vec<usize> {
    let (mut here, mut left) = (entry, others);
    let mut plates = Vec::new();
    while let Some(next) = members(lines.neighbours(here) & left).next() {
        plates.push(next);
        left &= !single(next);
        here = next;
    }
    plates
}

/// `true` if a block is the ring of six with a seventh plate between two opposite ones.
fn is_exception(lines: &Lines, all: Plates) -> bool {
    let inner = |plate: usize| lines.neighbours(plate) & all;
    let forks: Vec<usize> = members(all).filter(|&plate| inner(plate).count_ones() != 2).collect();
    let n_ends: u32 = members(all).map(|plate| inner(plate).count_ones()).sum();
    match forks[..] {
        [this, other] if all.count_ones() == 7 && n_ends == 16 => {
            inner(this) & single(other) == 0 && (inner(this) & inner(other)).count_ones() == 1
        }
        _ => false,
    }
}

fn is_two_shaded(lines: &Lines, entry: usize, all: Plates) -> bool {
    let (mut shade, mut other, mut layer) = (single(entry), 0, single(entry));
    while layer != 0 {
        let next = members(layer).fold(0, |next, plate| next | lines.neighbours(plate)) & all;
        if next & shade != 0 {
            return false;
        }
        layer = next & !other;
        other |= layer;
        std::mem::swap(&mut shade, &mut other);
    }
    true
}

/// Every permutation of the pebbles that brings the hole back to `entry`, by a search over all walks.
fn listed(lines: &Lines, entry: usize, others: Plates) -> Vec<Vec<usize>> {
    let plates: Vec<usize> = members(others).collect();
    let mut start = [u8::MAX; MAX_PLATES];
    for (place, &plate) in plates.iter().enumerate() {
        start[plate] = place as u8;
    }
    let mut visited = HashSet::from([start]);
    let mut open = vec![(start, entry)];
    let mut permutations = Vec::new();
    while let Some((pebbles, hole)) = open.pop() {
        if hole == entry {
            let place_of = |pebble: usize| plates.iter().position(|&plate| usize::from(pebbles[plate]) == pebble);
            permutations.push((0..plates.len()).filter_map(place_of).collect());
        }
        for from in members(lines.neighbours(hole) & (others | single(entry))) {
            let mut next = pebbles;
            next.swap(from, hole);
            if visited.insert(next) {
                open.push((next, from));
            }
        }
    }
    permutations
}
