//! The map of a level in one file, of which a page plays it without rules and without a server.
//!
//! The file is packed by gzip: 8 bytes that name the format, the length of the head, the head as JSON, then arrays of
//! little-endian numbers, each padded with zeros to a multiple of four bytes, and the CRC-32 of all of it, for hosts unpack what
//! gzip would check. `play/README.md` lists them. States are numbered
//! as in the map, from the start on; distances are there only if hints are allowed, and nothing else tells the solution.

use super::page_gesture::gesture;
use crate::page_picture::{Board, Shapes};
use flate2::Compression;
use flate2::write::GzEncoder;
use plymap_measures::level_tables::moves_on_map;
use plymap_puzzles::game::{Distance, Gesture};
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use plymap_tables::interner::Interner;
use serde_json::json;
use std::io::{self, Write as _};

/// First bytes of the file: the format and its version.
const MAGIC: &[u8; 8] = b"plymap2\n";

/// The distance of a state from which no goal can be reached.
const NO_WAY: u16 = u16::MAX;

/// Lists longer than this are counted in 32 bits.
const MOST_SHORT: usize = 1 << 16;

/// The most states that a page is given at once: a level of 100,000 takes it some 0.2 s to load, and 4 MB.
pub const MAX_STATES: usize = 200_000;

/// The map of a level, where a page can be given it: the level is mapped, has no more than [`MAX_STATES`] states, and nothing
/// in it is left to chance.
fn whole(level: &ValuedLevel) -> Option<&WholeMap> {
    let is_certain = !level.rules.has_chance() && !level.rules.is_start_drawn();
    level.whole.as_deref().filter(|whole| is_certain && (1..=MAX_STATES).contains(&whole.map.n_states()))
}

/// Returns true if [`map_file()`] has a map of a level.
pub fn has_map(level: &ValuedLevel) -> bool {
    whole(level).is_some()
}

/// The map of a level with its pictures and, with `hints`, its distances; nothing where the level is not mapped, has more than
/// [`MAX_STATES`] states, or is a game of chance.
///
/// # Errors
///
/// None that memory does not make; writing into it cannot fail.
pub fn map_file(level: &ValuedLevel, hints: bool) -> io::Result<Option<Vec<u8>>> {
    let Some(whole) = whole(level) else { return Ok(None) };
    let n_states = whole.map.n_states() as u32;
    let mut shapes = Shapes::default();
    let mut actions: Interner<(String, u32, Option<Gesture>)> = Interner::default();
    let (mut first_shape, mut state_shapes) = (vec![0_u32], Vec::new());
    let (mut first_move, mut targets, mut move_actions) = (vec![0_u32], Vec::new(), Vec::new());
    let mut goals = vec![0_u8; (n_states as usize).div_ceil(8)];
    for state in 0..n_states {
        let picture = level.rules.picture(whole.map.code(state));
        state_shapes.extend(shapes.of(&picture));
        first_shape.push(state_shapes.len() as u32);
        for (legal, after) in moves_on_map(level, &whole.map, state) {
            targets.push(after);
            move_actions.push(actions.number((legal.notation, legal.cost, legal.gesture)));
        }
        first_move.push(targets.len() as u32);
        if whole.map.is_goal(state) {
            goals[state as usize / 8] |= 1 << (state % 8);
        }
    }
    // One distance that is too great for its field leaves the file without any: hints are right, or there are none.
    let distance = |state: u32| match whole.distances.get(state) {
        None => Some(NO_WAY),
        Some(Distance(distance)) => u16::try_from(distance).ok().filter(|distance| *distance != NO_WAY),
    };
    let distances: Option<Vec<u16>> = if hints { (0..n_states).map(distance).collect() } else { None };
    let board = Board::of(&level.rules.picture(level.rules.start()));
    let (shapes, paints) = shapes.into_lists();
    let action = |(notation, cost, move_gesture): (String, u32, Option<Gesture>)| json!({ "notation": notation, "cost": cost, "gesture": gesture(move_gesture) });
    let actions: Vec<_> = actions.into_items().into_iter().map(action).collect();
    let head = json!({
        "level": level.id,
        "unit": level.rules.unit().name(),
        "aim": level.rules.aim(),
        "n_states": n_states,
        "start": 0,
        "distances": distances.is_some(),
        "board": board,
        "paints": paints,
        "shapes": shapes,
        "actions": actions,
    });
    let mut file = File { packed: GzEncoder::new(Vec::new(), Compression::default()), sum: crc32fast::Hasher::new() };
    file.head(&head.to_string())?;
    file.wide(&first_shape)?;
    file.numbers(&state_shapes, shapes.len())?;
    file.wide(&first_move)?;
    file.wide(&targets)?;
    file.numbers(&move_actions, actions.len())?;
    file.padded(&goals)?;
    if let Some(distances) = distances {
        file.padded(&distances.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>())?;
    }
    Ok(Some(file.finish()?))
}

struct File {
    packed: GzEncoder<Vec<u8>>,
    /// Of all bytes so far.
    sum: crc32fast::Hasher,
}

impl File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.packed.write_all(bytes)
    }

    fn finish(mut self) -> io::Result<Vec<u8>> {
        self.packed.write_all(&self.sum.finalize().to_le_bytes())?;
        self.packed.finish()
    }

    fn head(&mut self, head: &str) -> io::Result<()> {
        let length = MAGIC.len() + size_of::<u32>() + head.len();
        // JSON may end in blanks, so that the arrays behind it are aligned, as the views of a page on them must be.
        let padding = length.next_multiple_of(4) - length;
        self.write(MAGIC)?;
        self.write(&((head.len() + padding) as u32).to_le_bytes())?;
        self.write(head.as_bytes())?;
        self.write(&b"   "[..padding])
    }

    fn wide(&mut self, numbers: &[u32]) -> io::Result<()> {
        numbers.iter().try_for_each(|number| self.write(&number.to_le_bytes()))
    }

    /// Places in a list of this length.
    fn numbers(&mut self, numbers: &[u32], length: usize) -> io::Result<()> {
        if length > MOST_SHORT {
            return self.wide(numbers);
        }
        let short = numbers.iter().flat_map(|number| (*number as u16).to_le_bytes());
        self.padded(&short.collect::<Vec<u8>>())
    }

    fn padded(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes)?;
        self.write(&[0; 3][..bytes.len().next_multiple_of(4) - bytes.len()])
    }
}
