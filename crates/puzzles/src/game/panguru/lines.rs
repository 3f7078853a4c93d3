//! The lines of a layout: which plates a pebble can move between in one move.

/// The most plates of a layout.
pub const MAX_PLATES: usize = 32;

/// A set of plates, one bit each.
pub(super) type Plates = u32;

/// The plates of a set, in ascending order.
pub(super) fn members(mut plates: Plates) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (plates != 0).then(|| {
            let plate = plates.trailing_zeros() as usize;
            plates &= plates - 1;
            plate
        })
    })
}

/// The set that holds one plate.
pub(super) fn single(plate: usize) -> Plates {
    1 << plate
}

/// Lines between plates, and the distance of any two of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    neighbours: Vec<Plates>,
    /// Moves that a pebble needs between two plates if nothing is in its way.
    distances: Vec<[u8; MAX_PLATES]>,
}

impl Lines {
    /// The lines of at most [`MAX_PLATES`] plates: any two plates of one line are joined. All plates
    /// have to be connected.
    pub fn new(n_plates: usize, lines: &[Vec<usize>]) -> Self {
        let mut neighbours = vec![0; n_plates];
        for line in lines {
            let all = line.iter().fold(0, |all, &plate| all | single(plate));
            line.iter().for_each(|&plate| neighbours[plate] |= all & !single(plate));
        }
        let distances = (0..n_plates).map(|plate| distances_from(plate, &neighbours)).collect();
        Self { neighbours, distances }
    }

    pub fn n_plates(&self) -> usize {
        self.neighbours.len()
    }

    /// The plates that one move joins with this one.
    #[inline]
    pub fn neighbours(&self, plate: usize) -> Plates {
        self.neighbours[plate]
    }

    pub fn distance(&self, from: usize, to: usize) -> u32 {
        u32::from(self.distances[from][to])
    }

    /// The next plate on a shortest path; `from` itself where that is `to`.
    pub fn towards(&self, from: usize, to: usize) -> usize {
        let nearer = |&plate: &usize| self.distances[plate][to] < self.distances[from][to];
        members(self.neighbours[from]).find(nearer).unwrap_or(from)
    }
}

/// Breadth-first distances from one plate.
fn distances_from(plate: usize, neighbours: &[Plates]) -> [u8; MAX_PLATES] {
    let mut distances = [0; MAX_PLATES];
    let (mut visited, mut layer) = (single(plate), single(plate));
    for distance in 0.. {
        // A layer is one word, and the next one a union of words: sets of 32 plates need no queue.
        members(layer).for_each(|plate| distances[plate] = distance);
        layer = members(layer).fold(0, |next, plate| next | neighbours[plate]) & !visited;
        visited |= layer;
        if layer == 0 {
            break;
        }
    }
    distances
}

/// The number of rows of a triangle of so many plates, if they make one.
pub(super) fn triangle_rows(n_plates: usize) -> Option<usize> {
    (1..=n_plates).find(|rows| rows * (rows + 1) / 2 >= n_plates).filter(|rows| rows * (rows + 1) / 2 == n_plates)
}

/// The straight lines of a triangle whose plates are numbered row by row from 0 at the top: its rows, its
/// two kinds of slanted lines and, with `centreline`, the one from the top straight down.
pub(super) fn triangle(rows: usize, centreline: bool) -> Vec<Vec<usize>> {
    let level = (0..rows).map(|row| (0..=row).map(|place| plate_at(row, place)).collect());
    let falling_left = (0..rows).map(|place| (place..rows).map(|row| plate_at(row, place)).collect());
    let falling_right = (0..rows).map(|first| (first..rows).map(|row| plate_at(row, row - first)).collect());
    let centre = centreline.then(|| (0..rows).step_by(2).map(|row| plate_at(row, row / 2)).collect());
    let lines = level.chain(falling_left).chain(falling_right).chain(centre);
    lines.filter(|line: &Vec<usize>| line.len() > 1).collect()
}

fn plate_at(row: usize, place: usize) -> usize {
    row * (row + 1) / 2 + place
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table `allowed_moves` of the program that the source prints.
    const SOURCE: [&[usize]; 15] = [
        &[1, 2, 3, 4, 5, 6, 9, 10, 12, 14],
        &[0, 2, 3, 4, 6, 8, 10, 13],
        &[0, 1, 4, 5, 7, 9, 11, 14],
        &[0, 1, 4, 5, 6, 7, 10, 12],
        &[0, 1, 2, 3, 5, 7, 8, 11, 12, 13],
        &[0, 2, 3, 4, 8, 9, 12, 14],
        &[0, 1, 3, 7, 8, 9, 10, 11],
        &[2, 3, 4, 6, 8, 9, 11, 12],
        &[1, 4, 5, 6, 7, 9, 12, 13],
        &[0, 2, 5, 6, 7, 8, 13, 14],
        &[0, 1, 3, 6, 11, 12, 13, 14],
        &[2, 4, 6, 7, 10, 12, 13, 14],
        &[0, 3, 4, 5, 7, 8, 10, 11, 13, 14],
        &[1, 4, 8, 9, 10, 11, 12, 14],
        &[0, 2, 5, 9, 10, 11, 12, 13],
    ];

    #[test]
    fn the_triangle_has_the_lines_of_the_source() {
        let lines = Lines::new(15, &triangle(5, true));
        for (plate, expected) in SOURCE.iter().enumerate() {
            assert_eq!(members(lines.neighbours(plate)).collect::<Vec<_>>(), *expected, "plate {plate}");
        }
    }

    #[test]
    fn the_centreline_is_the_only_difference_to_plain_lines() {
        let (with, without) = (Lines::new(15, &triangle(5, true)), Lines::new(15, &triangle(5, false)));
        for plate in 0..15 {
            let expected = match plate {
                0 => single(4) | single(12),
                4 => single(0) | single(12),
                12 => single(0) | single(4),
                _ => 0,
            };
            // 4 and 12 lie on no other common line.
            assert_eq!(with.neighbours(plate) & !without.neighbours(plate), expected, "plate {plate}");
        }
    }

    #[test]
    fn distances_are_those_of_the_graph() {
        let path = Lines::new(4, &[vec![0, 1], vec![1, 2], vec![2, 3]]);
        assert_eq!((0..4).map(|plate| path.distance(0, plate)).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(path.towards(3, 0), 2);
        assert_eq!(path.towards(3, 3), 3);
        let triangle = Lines::new(15, &triangle(5, true));
        let largest = (0..15).flat_map(|from| (0..15).map(move |to| (from, to)));
        assert_eq!(largest.map(|(from, to)| triangle.distance(from, to)).max(), Some(2));
    }

    #[test]
    fn triangles_are_known_by_their_number_of_plates() {
        let known: Vec<usize> = (0..=32).filter(|&n_plates| triangle_rows(n_plates).is_some()).collect();
        assert_eq!(known, [1, 3, 6, 10, 15, 21, 28]);
        assert_eq!(triangle_rows(15), Some(5));
    }
}
