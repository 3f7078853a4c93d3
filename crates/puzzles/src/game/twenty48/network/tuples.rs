//! Cells that an n-tuple network looks at, and the places of the weights of what lies there.

use super::super::board::images;

/// The most cells of one tuple.
const LENGTH: usize = 6;

/// Stands in a lookup for a cell that is always empty; a shorter tuple begins with it.
const NO_CELL: u8 = 127;

/// The most weights of a network: 60 MB in a file, 190 MB while it learns.
pub(super) const MAX_WEIGHTS: usize = 15_500_000;

/// Exponents up to 13 (a tile of 8,192) are distinguished if that is what the largest tuples have room for.
const MIN_WIDE_RADIX: u32 = 13;

/// The exponents of the tiles of a board, cell by cell; those behind the last cell are 0.
pub(crate) type Cells = [u8; 128];

/// One tuple, on one mirror image of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lookup {
    /// Place of the first weight of the tuple.
    first: u32,
    cells: [u8; LENGTH],
}

/// The tuples of a network. Each is looked up on every mirror image of the board, with the same weights
/// (symmetric sampling: Szubert and Jaśkowski 2014).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tuples {
    /// One more than the largest exponent that is distinguished; larger ones count as it.
    radix: u32,
    lookups: Vec<Lookup>,
    n_weights: usize,
}

impl Tuples {
    /// The tuples for a board of this size with `n_exponents` kinds of cells, the empty one included: rectangles
    /// of 2x3 and lines of four, or where these find no place or would take too many weights, squares and lines of
    /// four.
    pub fn new(width: usize, height: usize, n_exponents: u32) -> Self {
        let size = Size { width, height, images: images(width, height) };
        let lines = size.distinct(&[size.placed(4.min(width), 1), size.placed(1, 4.min(height))].concat());
        let rectangles = size.distinct(&[size.placed(3, 2), size.placed(2, 3)].concat());
        let has_rectangles = !rectangles.is_empty();
        let wide = [rectangles, lines.clone()].concat();
        let narrow = [size.distinct(&size.placed(2, 2)), lines].concat();
        let fitting = |tuples: &[Vec<usize>]| {
            let fits = |&radix: &u32| n_weights(tuples, radix).is_some_and(|n| n <= MAX_WEIGHTS);
            (2..=n_exponents).rev().find(fits).unwrap_or(2)
        };
        let radix = fitting(&wide);
        if has_rectangles && radix >= n_exponents.min(MIN_WIDE_RADIX) {
            size.looked_up(&wide, radix)
        } else {
            size.looked_up(&narrow, fitting(&narrow))
        }
    }

    /// Number of weights of the network.
    pub fn n_weights(&self) -> usize {
        self.n_weights
    }

    /// Number of weights that are added for one board.
    pub fn n_lookups(&self) -> usize {
        self.lookups.len()
    }

    /// The exponents of a board, those that are not distinguished replaced by the largest one.
    #[inline]
    pub fn cells(&self, exponents: impl Iterator<Item = u32>) -> Cells {
        let mut cells = [0; 128];
        for (cell, exponent) in cells.iter_mut().take(usize::from(NO_CELL)).zip(exponents) {
            *cell = exponent.min(self.radix - 1) as u8;
        }
        cells
    }

    /// Places of the weights of a board.
    #[inline]
    pub fn indices<'a>(&'a self, cells: &'a Cells) -> impl Iterator<Item = usize> + 'a {
        self.lookups.iter().map(move |lookup| {
            // The mask keeps the index below 128, the length of the list: no bounds are checked in the innermost
            // loop.
            let digit = |index: u32, &cell: &u8| index * self.radix + u32::from(cells[usize::from(cell & NO_CELL)]);
            lookup.first as usize + lookup.cells.iter().fold(0, digit) as usize
        })
    }
}

/// Number of weights of these tuples, if so many can be counted.
fn n_weights(tuples: &[Vec<usize>], radix: u32) -> Option<usize> {
    let size = |tuple: &Vec<usize>| (radix as usize).checked_pow(tuple.len() as u32);
    tuples.iter().try_fold(0_usize, |sum, tuple| sum.checked_add(size(tuple)?))
}

/// The size of a board, and which cells its mirror images exchange.
struct Size {
    width: usize,
    height: usize,
    images: Vec<Vec<usize>>,
}

impl Size {
    /// Rectangles of this size in all places, each as its cells row by row.
    fn placed(&self, width: usize, height: usize) -> Vec<Vec<usize>> {
        let mut tuples = Vec::new();
        for top in 0..(self.height + 1).saturating_sub(height) {
            for left in 0..(self.width + 1).saturating_sub(width) {
                let cell = |place: usize| (top + place / width) * self.width + left + place % width;
                tuples.push((0..width * height).map(cell).collect());
            }
        }
        tuples
    }

    /// The first of all tuples that are mirror images of each other.
    fn distinct(&self, tuples: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let mut images: Vec<Vec<usize>> = Vec::new();
        let mut kept = Vec::new();
        for tuple in tuples {
            let image = |cells: &Vec<usize>| {
                let mut image: Vec<usize> = tuple.iter().map(|&cell| cells[cell]).collect();
                image.sort_unstable();
                image
            };
            let smallest = self.images.iter().map(image).min().unwrap_or_default();
            if !images.contains(&smallest) {
                images.push(smallest);
                kept.push(tuple.clone());
            }
        }
        kept
    }

    /// These tuples on every mirror image of the board.
    fn looked_up(&self, tuples: &[Vec<usize>], radix: u32) -> Tuples {
        let mut lookups = Vec::new();
        let mut first = 0;
        for tuple in tuples {
            for image in &self.images {
                // Shorter tuples are filled up with a cell that is always empty, so that all are looked up by one
                // loop.
                let mut cells = [NO_CELL; LENGTH];
                for (place, &cell) in cells[LENGTH - tuple.len()..].iter_mut().zip(tuple) {
                    *place = image[cell] as u8;
                }
                lookups.push(Lookup { first, cells });
            }
            first += radix.pow(tuple.len() as u32);
        }
        Tuples { radix, lookups, n_weights: first as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_tuples_that_fit_are_taken() {
        for (width, height, n_exponents, radix, n_tuples) in [
            // Two places of 2x3 and two lines, up to symmetry.
            (4, 4, 16, 14, 4),
            (4, 4, 11, 11, 4),
            // The whole board, its long line and its short one at the end and in the middle.
            (2, 3, 8, 8, 4),
            // Squares in a corner, at a side and in the middle; lines at three distances from the side, at one end.
            (5, 5, 27, 27, 6),
            // 2x3 at two distances from one side and three from the other, and lines of four likewise.
            (6, 6, 7, 7, 12),
            // No place for 2x3: the board as a square, and its side.
            (2, 2, 6, 6, 2),
        ] {
            let tuples = Tuples::new(width, height, n_exponents);
            let n_images = images(width, height).len();
            assert_eq!((tuples.radix, tuples.n_lookups()), (radix, n_tuples * n_images), "{width}x{height}");
            assert!(tuples.n_weights() <= MAX_WEIGHTS);
        }
        assert_eq!(Tuples::new(4, 4, 16).n_weights(), 2 * 14_usize.pow(6) + 2 * 14_usize.pow(4));
        for (width, height) in [(2, 26), (26, 2), (3, 8), (8, 8)] {
            assert!(Tuples::new(width, height, 30).n_weights() <= MAX_WEIGHTS);
        }
    }

    #[test]
    fn a_tuple_is_a_number_with_its_tiles_as_digits() {
        // 2x2: the board as a square, its row and its column, each on four images and more on eight.
        let tuples = Tuples::new(2, 2, 6);
        // 4  8      exponents 2 3
        // 2  .                1 .
        let cells = tuples.cells([2, 3, 1, 0].into_iter());
        let mut indices: Vec<usize> = tuples.indices(&cells).collect();
        let square = |a: usize, b: usize, c: usize, d: usize| ((a * 6 + b) * 6 + c) * 6 + d;
        let line = |a: usize, b: usize| 6_usize.pow(4) + a * 6 + b;
        let mut expected = vec![
            square(2, 3, 1, 0),
            square(3, 2, 0, 1),
            square(1, 0, 2, 3),
            square(0, 1, 3, 2),
            square(2, 1, 3, 0),
            square(1, 2, 0, 3),
            square(3, 0, 2, 1),
            square(0, 3, 1, 2),
            line(2, 3),
            line(3, 2),
            line(1, 0),
            line(0, 1),
            line(2, 1),
            line(1, 2),
            line(3, 0),
            line(0, 3),
        ];
        indices.sort_unstable();
        expected.sort_unstable();
        assert_eq!(indices, expected);
        // Larger tiles count as the largest one that is distinguished.
        assert_eq!(tuples.cells([17, 5].into_iter())[..3], [5, 5, 0]);
    }

    #[test]
    fn images_of_a_board_look_up_the_same_weights() {
        for (width, height) in [(4, 4), (3, 4), (5, 3), (2, 6)] {
            let tuples = Tuples::new(width, height, 16);
            let exponents: Vec<u32> =
                (0..width * height).map(|cell| (cell * cell * 7 + 3 * cell) as u32 % 13).collect();
            let sorted = |exponents: Vec<u32>| {
                let cells = tuples.cells(exponents.into_iter());
                let mut indices: Vec<usize> = tuples.indices(&cells).collect();
                indices.sort_unstable();
                assert!(indices.iter().all(|&index| index < tuples.n_weights()));
                indices
            };
            let expected = sorted(exponents.clone());
            for image in images(width, height) {
                assert_eq!(sorted(image.iter().map(|&cell| exponents[cell]).collect()), expected);
            }
        }
    }
}
