//! What is kept of pattern databases; see [`kept`](crate::game::kept) for the files.
//!
//! For each pattern the number of its tiles, the cells of their goals, and the fewest moves of every placement in the
//! order of their numbers, one byte each.

use std::io::{self, Read, Write};

use super::table::{NONE, for_each_placement, n_placements};
use super::{Database, Pattern};
use crate::game::kept::{read, write};

/// The first words of a file; the number grows when the format, or the meaning of its numbers, changes.
const FORMAT: &str = "plymap pattern database of sliding tiles, format 1";

/// Writes the database of a frame.
pub(super) fn write_database(database: &Database, frame: &str, to: &mut dyn Write) -> io::Result<()> {
    write(FORMAT, frame, to, |to| {
        database.patterns.iter().try_for_each(|Pattern { homes, table }| {
            to.put(&[homes.len() as u8])?;
            to.put(homes)?;
            let moves: Vec<u8> = table.iter().copied().filter(|&moves| moves != NONE).collect();
            to.put(&moves)
        })
    })
}

/// Reads the patterns of a frame that are grown so; nothing if the file is damaged, or has others.
pub(super) fn read_patterns(from: impl Read, frame: &str, n_cells: usize, grown: &[Vec<u8>]) -> Option<Vec<Pattern>> {
    read(FORMAT, frame, from, |from| {
        let mut patterns = Vec::new();
        for homes in grown {
            if from.bytes(1)? != [homes.len() as u8] || from.bytes(homes.len())? != *homes {
                return None;
            }
            let moves = from.bytes(n_placements(n_cells, homes.len()) as usize)?;
            if moves.contains(&NONE) {
                return None;
            }
            let mut table = vec![NONE; n_cells.pow(homes.len() as u32)];
            let mut moves = moves.into_iter();
            for_each_placement(n_cells, homes.len(), &mut |placement| {
                table[placement] = moves.next().unwrap_or(NONE);
            });
            patterns.push(Pattern { homes: homes.clone(), table });
        }
        Some(patterns)
    })
}
