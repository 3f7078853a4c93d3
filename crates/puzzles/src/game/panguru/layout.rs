//! A level as its text gives it.

use super::lines::{MAX_PLATES, triangle_rows};

/// The fewest plates of a layout.
pub const MIN_PLATES: usize = 2;

/// The plates, pebbles and lines of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The colour of each plate, in the order of their numbers.
    pub plates: Vec<char>,
    /// The colour of the pebble on each plate at the start; nothing on the one that is the hole.
    pub pebbles: Vec<Option<char>>,
    /// The plates of each line; a pebble can move between any two plates of one line. Without lines, the plates
    /// make a triangle with its own.
    pub lines: Option<Vec<Vec<usize>>>,
}

/// Reason why a layout cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// More colours on more plates than a code can hold.
    #[error(
        "{colours} colours of pebbles on {plates} plates need {bits} bits, and a state code has 128: \
         take plates or colours away"
    )]
    TooManyColours {
        /// Number of plates.
        plates: usize,
        /// Number of colours that pebbles have.
        colours: usize,
        /// Bits that a code would need.
        bits: u32,
    },
    /// The parts of the layout do not fit together; the notation finds out before, and says where.
    #[error("{0}")]
    Inconsistent(String),
}

impl Layout {
    /// Checks all that the rules rely on.
    pub(super) fn check(&self) -> Result<(), LayoutError> {
        let fail = |reason: String| Err(LayoutError::Inconsistent(reason));
        let n_plates = self.plates.len();
        if !(MIN_PLATES..=MAX_PLATES).contains(&n_plates) {
            return fail(format!("there are {n_plates} plates; the rules take 2 to {}", MAX_PLATES));
        }
        if self.pebbles.len() != n_plates || self.pebbles.iter().filter(|pebble| pebble.is_none()).count() != 1 {
            return fail("every plate but one has to hold a pebble".to_owned());
        }
        let count = |colour: char| self.plates.iter().filter(|&&plate| plate == colour).count();
        let n_alike = |colour: char| self.pebbles.iter().flatten().filter(|&&pebble| pebble == colour).count();
        if let Some(colour) = self.pebbles.iter().flatten().find(|&&colour| n_alike(colour) > count(colour)) {
            return fail(format!("there are more pebbles than plates of the colour {colour}"));
        }
        match &self.lines {
            None if triangle_rows(n_plates).is_none() => {
                fail(format!("{n_plates} plates make no triangle, and there are no lines"))
            }
            Some(lines) if lines.iter().flatten().any(|&plate| plate >= n_plates) => {
                fail(format!("a line has a plate beyond the last, {}", n_plates - 1))
            }
            Some(lines) => match cut_off(n_plates, lines).first() {
                Some(plate) => fail(format!("no line leads from plate 0 to plate {plate}")),
                None => Ok(()),
            },
            None => Ok(()),
        }
    }
}

/// The plates that no lines join with plate 0.
pub(super) fn cut_off(n_plates: usize, lines: &[Vec<usize>]) -> Vec<usize> {
    let mut is_joined: Vec<bool> = (0..n_plates).map(|plate| plate == 0).collect();
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        for line in lines {
            let n_joined = line.iter().filter(|&&plate| is_joined[plate]).count();
            if n_joined > 0 && n_joined < line.len() {
                line.iter().for_each(|&plate| is_joined[plate] = true);
                has_grown = true;
            }
        }
    }
    (0..n_plates).filter(|&plate| !is_joined[plate]).collect()
}
