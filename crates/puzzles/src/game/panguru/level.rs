//! One level of Panguru: its plates, the code of its boards, and the fewest moves of each.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::bound::Bounds;
use super::layout::{Layout, LayoutError};
use super::lines::{Lines, MAX_PLATES, Plates, members, single, triangle, triangle_rows};
use super::notation::{is_between, is_hole};
use super::reach::Reach;
use super::search::{self, FewestMoves, Spread};
use super::table::DistanceTable;
use crate::game::ValueError;

/// The most arrangements of pebbles with which a level counts as small: it is mapped, and its values are kept.
const MAX_SMALL: u128 = 1_000_000;

/// The options of the rules, as `[rules]` of a study gives them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Options {
    /// `true` if pebbles also move along the line from the top of a triangle straight down. Levels with lines
    /// of their own do not change.
    pub centreline: bool,
    /// Number of positions that the search for one value may look at, from 1; beyond it the value is left open.
    pub search_limit: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { centreline: true, search_limit: 100_000_000 }
    }
}

impl Options {
    /// Checks what the types cannot say.
    ///
    /// # Errors
    ///
    /// What is wrong, with the entry in backticks.
    pub fn check(&self) -> Result<(), String> {
        if self.search_limit == 0 { Err("`search-limit` is 0; it has to be 1 or more".to_owned()) } else { Ok(()) }
    }
}

/// A position: for each plate 0 for the hole, or the number of the pebble's colour from 1, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board(pub(super) u128);

/// One move: the pebble on one plate goes into the hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The plate that the pebble leaves.
    pub from: u8,
    /// Number of the pebble's colour, from 0, in the order of the first plates of each colour.
    pub colour: u8,
}

/// The rules of one level of Panguru.
#[derive(Clone, Debug)]
pub struct Panguru {
    pub(super) plates: Vec<char>,
    /// The colours of pebbles, in the order of the first plates of each colour.
    pub(super) colours: Vec<char>,
    /// For each plate the number of its colour; [`NO_COLOUR`] where no pebble has it.
    pub(super) wanted: Vec<u8>,
    pub(super) lines: Lines,
    bounds: Bounds,
    reach: Reach,
    pub(super) start: Board,
    /// Bits of one plate in the code.
    pub(super) bits: u32,
    /// The lowest bit of every plate in the code.
    lowest_bits: u128,
    pub(super) n_arrangements: u128,
    /// Number of plates for each value in the code.
    pub(super) counts: [u8; MAX_PLATES],
    search_limit: u64,
    /// All values, if the level is small; filled when the first one is asked for.
    pub(super) table: OnceLock<DistanceTable>,
}

/// In place of the colour of a plate that no pebble shares.
pub(super) const NO_COLOUR: u8 = u8::MAX;

impl Panguru {
    /// The rules of a level with this layout.
    ///
    /// # Errors
    ///
    /// [`LayoutError`] if the level is too large for a 128-bit code, or its parts do not fit together.
    pub fn new(layout: Layout, options: &Options) -> Result<Self, LayoutError> {
        layout.check()?;
        let n_plates = layout.plates.len();
        let colours = colours(&layout);
        let number = |colour: char| colours.iter().position(|&other| other == colour);
        let bits = usize::BITS - colours.len().leading_zeros();
        if bits * n_plates as u32 > u128::BITS {
            let bits = bits * n_plates as u32;
            return Err(LayoutError::TooManyColours { plates: n_plates, colours: colours.len(), bits });
        }
        let wanted: Vec<u8> =
            layout.plates.iter().map(|&colour| number(colour).map_or(NO_COLOUR, |number| number as u8)).collect();
        let drawn = || triangle(triangle_rows(n_plates).unwrap_or_default(), options.centreline);
        let lines = Lines::new(n_plates, &layout.lines.clone().unwrap_or_else(drawn));
        let groups = groups(&layout, &colours);
        let has_twins = groups.iter().any(|&(_, n_pebbles)| n_pebbles > 1);
        let code = layout.pebbles.iter().rev().fold(0, |code, pebble| {
            let value = pebble.and_then(number).map_or(0, |number| number as u128 + 1);
            code << bits | value
        });
        Ok(Self {
            bounds: Bounds::new(&lines, &groups),
            reach: Reach::new(&lines, homes_of_hole(&layout, &groups), has_twins),
            lines,
            start: Board(code),
            bits,
            lowest_bits: (0..n_plates as u32).fold(0, |all, plate| all | 1 << (plate * bits)),
            n_arrangements: n_arrangements(n_plates, &groups),
            counts: counts(&groups),
            table: OnceLock::new(),
            search_limit: options.search_limit,
            plates: layout.plates,
            colours,
            wanted,
        })
    }

    pub(super) fn n_plates(&self) -> usize {
        self.plates.len()
    }

    /// 0 for the hole, or the number of the colour from 1.
    #[inline]
    pub(super) fn value_at(&self, board: Board, plate: usize) -> u8 {
        (board.0 >> (plate as u32 * self.bits)) as u8 & ((1 << self.bits) - 1)
    }

    pub(super) fn pebble_at(&self, board: Board, plate: usize) -> Option<usize> {
        usize::from(self.value_at(board, plate)).checked_sub(1)
    }

    /// The plate without a pebble: the first whose bits are all 0.
    #[inline]
    pub(super) fn hole(&self, board: Board) -> usize {
        let highest_bits = self.lowest_bits << (self.bits - 1);
        // Below the hole nothing is borrowed, so its own highest bit is the first to stay.
        let empty = board.0.wrapping_sub(self.lowest_bits) & !board.0 & highest_bits;
        (empty.trailing_zeros() / self.bits) as usize
    }

    #[inline]
    pub(super) fn moved(&self, board: Board, from: usize, hole: usize) -> Board {
        let value = u128::from(self.value_at(board, from));
        Board(board.0 ^ value << (from as u32 * self.bits) ^ value << (hole as u32 * self.bits))
    }

    pub(super) fn spread(&self, board: Board) -> Spread {
        let mut spread = Spread { colours: [NO_COLOUR; MAX_PLATES], pebbles: [0; MAX_PLATES], hole: self.hole(board) };
        for plate in 0..self.n_plates() {
            if let Some(colour) = self.pebble_at(board, plate) {
                spread.colours[plate] = colour as u8;
                spread.pebbles[colour] |= single(plate);
            }
        }
        spread
    }

    pub(super) fn bound(&self, spread: &Spread) -> u32 {
        (0..self.colours.len()).map(|colour| self.bounds.of_colour(&self.lines, colour, spread.pebbles[colour])).sum()
    }

    /// `true` if all values fit into a table.
    pub(super) fn is_small(&self) -> bool {
        self.n_arrangements <= MAX_SMALL
    }

    pub(super) fn table(&self) -> &DistanceTable {
        self.table.get_or_init(|| {
            let goals = self.goals().map(|goal| (goal, self.rank(goal)));
            DistanceTable::new(self.n_arrangements as usize, goals, |board, visit| {
                let hole = self.hole(board);
                members(self.lines.neighbours(hole)).for_each(|from| {
                    let next = self.moved(board, from, hole);
                    visit(next, self.rank(next));
                });
            })
        })
    }

    /// The fewest moves by a search, if the board can be solved.
    pub(super) fn fewest_moves(&self, board: Board) -> Result<Option<u32>, ValueError> {
        let spread = self.spread(board);
        if !self.reach.is_solvable(&self.lines, &spread.colours, spread.hole, &self.wanted) {
            return Ok(None);
        }
        match search::fewest_moves(&self.lines, &self.bounds, self.colours.len(), &spread, self.search_limit) {
            FewestMoves::Moves(moves) => Ok(Some(moves)),
            FewestMoves::NoWay => Ok(None),
            FewestMoves::TooLong(at_least) => Err(ValueError::Beyond(format!(
                "the goal is at least {at_least} moves away, and the search for the fewest looked at {} positions \
                 without finding them: raise `search-limit` in [rules], or take plates away",
                self.search_limit
            ))),
        }
    }

    pub(super) fn n_misplaced(&self, board: Board) -> usize {
        let is_misplaced = |&plate: &usize| {
            self.pebble_at(board, plate).is_some_and(|colour| colour != usize::from(self.wanted[plate]))
        };
        (0..self.n_plates()).filter(is_misplaced).count()
    }

    /// The board that holds these pebbles, if they are those of the level.
    pub(super) fn board_of(&self, text: &str) -> Result<Board, String> {
        let marks: Vec<char> = text.chars().filter(|&mark| !is_between(mark)).collect();
        if marks.len() != self.n_plates() {
            let n_plates = self.n_plates();
            return Err(format!("it has {} characters, and there are {n_plates} plates", marks.len()));
        }
        let mut code = 0;
        for (plate, &mark) in marks.iter().enumerate() {
            let value = if is_hole(mark) { 0 } else { self.colour_named(mark)? + 1 };
            code |= (value as u128) << (plate as u32 * self.bits);
        }
        let board = Board(code);
        self.check_counts(board)?;
        Ok(board)
    }

    fn colour_named(&self, mark: char) -> Result<usize, String> {
        let number = self.colours.iter().position(|&colour| colour == mark.to_ascii_uppercase());
        let known = || self.colours.iter().map(char::to_string).collect::<Vec<_>>().join(" ");
        number.ok_or_else(|| format!("no pebble has the colour {mark:?}; the colours are {}", known()))
    }

    fn check_counts(&self, board: Board) -> Result<(), String> {
        let count = |board: Board, value: usize| {
            (0..self.n_plates()).filter(|&plate| usize::from(self.value_at(board, plate)) == value).count()
        };
        let n_holes = count(board, 0);
        if n_holes != 1 {
            return Err(format!("it has {n_holes} plates without a pebble (-), and the level has 1"));
        }
        for (number, colour) in self.colours.iter().enumerate() {
            let (has, wants) = (count(board, number + 1), count(self.start, number + 1));
            if has != wants {
                return Err(format!("it has {has} pebbles of the colour {colour}, and the level has {wants}"));
            }
        }
        Ok(())
    }

    /// The number of a plate as a log has it.
    pub(super) fn plate_numbered(&self, number: &str) -> Option<Result<usize, String>> {
        let number = number.trim();
        let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        let last = self.n_plates() - 1;
        is_number.then(|| {
            let plate = number.parse().ok().filter(|&plate| plate <= last);
            plate.ok_or_else(|| format!("there is no plate {number}; plates go from 0 to {last}"))
        })
    }

    pub(super) fn step_from(&self, board: Board, from: usize) -> Step {
        Step { from: from as u8, colour: self.pebble_at(board, from).map_or(NO_COLOUR, |colour| colour as u8) }
    }

    /// The boards in which every pebble lies on a plate of its colour.
    pub(super) fn goals(&self) -> impl Iterator<Item = Board> + '_ {
        (0..self.n_plates()).filter_map(|hole| {
            let value = |plate: usize| if plate == hole { 0 } else { u128::from(self.wanted[plate]) + 1 };
            let is_full = (0..self.n_plates()).all(|plate| plate == hole || self.wanted[plate] != NO_COLOUR);
            let code = (0..self.n_plates()).fold(0, |code, plate| code | value(plate) << (plate as u32 * self.bits));
            (is_full && self.check_counts(Board(code)).is_ok()).then_some(Board(code))
        })
    }

    /// The number of a board among all arrangements of its pebbles, from 0: they are in the order of their first
    /// plates, then their second, and so on.
    pub(super) fn rank(&self, board: Board) -> usize {
        let mut counts = self.counts;
        // How many arrangements share the plates seen so far.
        let mut n_alike = self.n_arrangements as usize;
        let mut rank = 0;
        for plate in 0..self.n_plates() {
            let value = usize::from(self.value_at(board, plate));
            let n_left = self.n_plates() - plate;
            let n_smaller: usize = counts[..value].iter().map(|&count| usize::from(count)).sum();
            // Of the arrangements that begin alike, n_smaller of n_left have a smaller value here. Both are counts,
            // so that the division leaves no rest.
            rank += n_alike * n_smaller / n_left;
            n_alike = n_alike * usize::from(counts[value]) / n_left;
            counts[value] -= 1;
        }
        rank
    }
}

/// The colours of pebbles, in the order of the first plates of each colour.
pub(super) fn colours(layout: &Layout) -> Vec<char> {
    let mut colours = Vec::new();
    for &colour in &layout.plates {
        if layout.pebbles.contains(&Some(colour)) && !colours.contains(&colour) {
            colours.push(colour);
        }
    }
    colours
}

/// The plates and the number of pebbles of each colour.
fn groups(layout: &Layout, colours: &[char]) -> Vec<(Plates, u32)> {
    let group = |&colour: &char| {
        let n_pebbles = layout.pebbles.iter().filter(|&&pebble| pebble == Some(colour)).count();
        (plates_of(layout, colour), n_pebbles as u32)
    };
    colours.iter().map(group).collect()
}

fn plates_of(layout: &Layout, colour: char) -> Plates {
    let plates = layout.plates.iter().enumerate().filter(|&(_, &plate)| plate == colour);
    plates.fold(0, |all, (plate, _)| all | single(plate))
}

/// The plates of the colour that has one pebble fewer than plates.
fn homes_of_hole(layout: &Layout, groups: &[(Plates, u32)]) -> Plates {
    let short = groups.iter().find(|&&(plates, n_pebbles)| plates.count_ones() > n_pebbles);
    let coloured = groups.iter().fold(0, |all, &(plates, _)| all | plates);
    let all = layout.plates.iter().enumerate().fold(0, |all, (plate, _)| all | single(plate));
    short.map_or(all & !coloured, |&(plates, _)| plates)
}

/// Number of arrangements of the pebbles and the hole.
fn n_arrangements(n_plates: usize, groups: &[(Plates, u32)]) -> u128 {
    groups.iter().fold(factorial(n_plates as u128), |ways, &(_, n_pebbles)| ways / factorial(u128::from(n_pebbles)))
}

fn factorial(n: u128) -> u128 {
    (1..=n).product::<u128>()
}

/// Numbers of plates that are the hole, and that hold each colour.
pub(super) fn counts(groups: &[(Plates, u32)]) -> [u8; MAX_PLATES] {
    let mut counts = [0; MAX_PLATES];
    counts[0] = 1;
    groups.iter().zip(&mut counts[1..]).for_each(|(&(_, n_pebbles), count)| *count = n_pebbles as u8);
    counts
}
