//! Random Rush Hour boards that are made as hard as a level is to be.

use plymap_puzzles::distance::{Distance, DistanceTable};
use plymap_puzzles::game::picture::Side;
use plymap_puzzles::game::rush_hour::layout::{Exit, Layout, Orientation, Piece};
use plymap_puzzles::game::rush_hour::{Options, RushHour};
use plymap_puzzles::graph::{LevelMap, MapOptions};
use plymap_puzzles::rules::Rules;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Distance of the start of each level to its goal.
pub const DISTANCES: [u32; 12] = [3, 4, 6, 8, 10, 12, 14, 17, 20, 23, 26, 30];

/// Number of states that a level may have: a search worth the name, and still quick to map.
const STATES: std::ops::RangeInclusive<usize> = 200..=8_000;

/// Maximum distance beyond that of the start that the furthest state of a level may have.
const SLACK: u32 = 4;

/// Changes of one board after which another one is tried.
const PATIENCE: usize = 150;

const SIDE: usize = 6;
const RED_ROW: usize = 2;

/// Returns one board for each of [`DISTANCES`], each in a state that is that far from the goal.
pub fn choose(seed: u64) -> Vec<Layout> {
    DISTANCES.into_par_iter().map(|distance| board_at(distance, seed)).collect()
}

/// Takes a random board and replaces one piece after the other, as long as no change brings its furthest
/// state nearer to the goal, until that state is far enough.
fn board_at(distance: u32, seed: u64) -> Layout {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // Boards are made side by side: with a stream each, none depends on the others.
    random.set_stream(u64::from(distance));
    loop {
        let Some(mut board) = Board::new(random_layout(&mut random)) else { continue };
        for _ in 0..PATIENCE {
            if board.furthest() >= distance {
                break;
            }
            let changed = Board::new(with_another_piece(&board.layout, &mut random));
            // Changes that leave the distance as it is are taken too, so that the search does not get stuck.
            board = changed.filter(|changed| changed.furthest() >= board.furthest()).unwrap_or(board);
        }
        if (distance..=distance + SLACK).contains(&board.furthest()) {
            return board.in_state_at(distance, &mut random);
        }
    }
}

/// A board with its map.
struct Board {
    layout: Layout,
    rules: RushHour,
    map: LevelMap,
    distances: DistanceTable,
}

impl Board {
    /// None if the board cannot be solved or has too few or too many states.
    fn new(layout: Layout) -> Option<Self> {
        let rules = RushHour::new(layout.clone(), Options::default()).ok()?;
        let options = MapOptions { max_states: *STATES.end(), ..MapOptions::default() };
        let map = Rules::map(&rules, &options).ok().filter(|map| STATES.contains(&map.n_states()))?;
        let distances = DistanceTable::new(&map);
        distances.max().map(|_| Self { layout, rules, map, distances })
    }

    fn furthest(&self) -> u32 {
        self.distances.max().map_or(0, |Distance(distance)| distance)
    }

    /// The board with its pieces as they are in one of the states at this distance.
    fn in_state_at(mut self, distance: u32, random: &mut ChaCha8Rng) -> Layout {
        let nodes = 0..self.map.n_states() as u32;
        let states: Vec<u32> = nodes.filter(|&node| self.distances.get(node) == Some(Distance(distance))).collect();
        let state = self.map.code(states[random.random_range(0..states.len())]);
        let cells = Rules::format_state(&self.rules, state);
        for piece in &mut self.layout.pieces {
            let first = cells.find(&piece.name).expect("every piece is on the board");
            (piece.row, piece.column) = (first / SIDE, first % SIDE);
        }
        self.layout
    }
}

/// Red in row 3, up to thirteen other pieces as they fit, on some boards a wall or two.
fn random_layout(random: &mut ChaCha8Rng) -> Layout {
    let (column, orientation) = (random.random_range(0..SIDE - 2), Orientation::Horizontal);
    let red = Piece { name: "A".to_owned(), row: RED_ROW, column, length: 2, orientation };
    let exit = Exit { side: Side::Right, line: RED_ROW };
    let mut layout = Layout { width: SIDE, height: SIDE, walls: Vec::new(), pieces: vec![red], red: 0, exit };
    for _ in 0..[0, 0, 0, 0, 1, 2][random.random_range(0..6)] {
        // A wall in the red row could bar the way for good.
        layout.walls.push((other_row(random), random.random_range(0..SIDE)));
    }
    layout.walls.sort_unstable();
    layout.walls.dedup();
    for _ in 1..random.random_range(8..=14) {
        let name = char::from(b'A' + layout.pieces.len() as u8).to_string();
        layout.pieces.extend(fitting_piece(&layout, name, random));
    }
    layout
}

/// The layout with one of its pieces, red excepted, replaced by one of another kind or in another place.
fn with_another_piece(layout: &Layout, random: &mut ChaCha8Rng) -> Layout {
    let mut layout = layout.clone();
    if layout.pieces.len() > 1 {
        let index = random.random_range(1..layout.pieces.len());
        let old = layout.pieces.remove(index);
        let new = fitting_piece(&layout, old.name.clone(), random).unwrap_or(old);
        layout.pieces.insert(index, new);
    }
    layout
}

/// A piece that overlaps nothing; none if it is hard to find one.
fn fitting_piece(layout: &Layout, name: String, random: &mut ChaCha8Rng) -> Option<Piece> {
    let is_free = |cell: (usize, usize)| {
        !layout.walls.contains(&cell) && !layout.pieces.iter().any(|piece| piece.cells().any(|other| other == cell))
    };
    (0..50).map(|_| random_piece(name.clone(), random)).find(|piece| piece.cells().all(is_free))
}

/// Two thirds cars, one third trucks. None lies in the red row, which it could never leave.
fn random_piece(name: String, random: &mut ChaCha8Rng) -> Piece {
    let length = [2, 2, 3][random.random_range(0..3)];
    let along = random.random_range(0..=SIDE - length);
    if random.random() {
        let column = random.random_range(0..SIDE);
        Piece { name, row: along, column, length, orientation: Orientation::Vertical }
    } else {
        Piece { name, row: other_row(random), column: along, length, orientation: Orientation::Horizontal }
    }
}

/// Any row but the red one.
fn other_row(random: &mut ChaCha8Rng) -> usize {
    let row = random.random_range(0..SIDE - 1);
    if row < RED_ROW { row } else { row + 1 }
}
