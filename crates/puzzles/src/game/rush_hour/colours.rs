//! Colours of the pieces: no colour twice where there are enough, else none twice next to each other at the start.

use super::track::Track;
use crate::game::picture::{N_COLOURS, N_LIGHT_COLOURS};

/// A colour of another piece costs more if that piece can come to stand beside this one, and most if it does so from the start.
const BESIDE: usize = 1_000;
const BESIDE_AT_START: usize = 1_000 * BESIDE;

/// Returns the number of the colour of each piece on a board of this width; the red piece needs none.
pub(super) fn colours(tracks: &[Track], red: usize, width: usize) -> Vec<usize> {
    let mut colours: Vec<usize> = Vec::with_capacity(tracks.len());
    for (piece, track) in tracks.iter().enumerate() {
        let mut costs = [0; N_COLOURS];
        for (other, &colour) in colours.iter().enumerate().filter(|(other, _)| *other != red) {
            costs[colour] += cost_of_repeating(track, &tracks[other], width);
        }
        // The first ones have the colours of their numbers; the others what is left, light ones first.
        let is_own = |colour: usize| piece < N_LIGHT_COLOURS && colour == piece;
        let cheapest = (0..N_COLOURS).min_by_key(|&colour| (costs[colour], !is_own(colour), colour));
        colours.push(cheapest.unwrap_or(0));
    }
    colours
}

/// How much two pieces should differ.
fn cost_of_repeating(track: &Track, other: &Track, width: usize) -> usize {
    match (touch(track.cells_at_start(), other.cells_at_start(), width), touch(&track.line, &other.line, width)) {
        (true, _) => BESIDE_AT_START,
        (false, true) => BESIDE,
        (false, false) => 1,
    }
}

/// Returns true if some of these cells lie side by side, or are the same.
fn touch(cells: &[u16], others: &[u16], width: usize) -> bool {
    let place = |cell: u16| (usize::from(cell) / width, usize::from(cell) % width);
    let is_near = |first: u16, second: u16| {
        let ((row, column), (other_row, other_column)) = (place(first), place(second));
        row.abs_diff(other_row) + column.abs_diff(other_column) <= 1
    };
    cells.iter().any(|&cell| others.iter().any(|&beside| is_near(cell, beside)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::SourceText;
    use crate::game::Puzzle;
    use crate::game::picture::Role;
    use crate::game::rush_hour::notation::parse;
    use crate::game::rush_hour::{Options, RushHour};
    use std::sync::Arc;

    fn level(text: &str) -> RushHour {
        let source = Arc::new(SourceText { path: "level".into(), text: text.to_owned() });
        let layout = parse(text, &source, 0).unwrap();
        RushHour::new(layout, Options::default()).unwrap()
    }

    /// Fifteen pieces beside the red one, in two columns of eight rows: three colours are used twice, in rows that do not touch.
    #[test]
    fn pieces_that_can_touch_have_different_colours() {
        let names: Vec<char> = ('A'..='P').collect();
        let rows: Vec<String> = names.chunks(2).map(|pair| format!("{0}{0}.x{1}{1}.", pair[0], pair[1])).collect();
        let rules = level(&rows.join("\n"));
        let picture = rules.picture(rules.start());
        let pieces: Vec<(f64, usize)> = picture
            .shapes
            .iter()
            .filter_map(|shape| match shape.role {
                Role::Piece(colour) => Some((shape.row, colour)),
                _ => None,
            })
            .collect();
        assert_eq!(pieces.len(), 15);
        let mut n_repeated = 0;
        for (index, (row, colour)) in pieces.iter().enumerate() {
            for (other_row, _) in pieces[..index].iter().filter(|(_, other)| other == colour) {
                assert!((row - other_row).abs() > 1.0, "colour {colour} in rows {row} and {other_row}");
                n_repeated += 1;
            }
        }
        assert_eq!(n_repeated, pieces.len() - N_COLOURS);
    }
}
