//! Obstacles of a slide, and the slides that take each of them away.

use super::level::{RushHour, Slide};
use super::track::Position;
use crate::game::{Subgoal, WishedMove};

impl RushHour {
    /// The slide that brings the red piece to its exit; absent where it stands there.
    pub(super) fn way_out(&self, position: Position) -> Option<Slide> {
        let cells = self.exit_place as i16 - self.tracks[self.layout.red].place(position) as i16;
        (cells != 0).then_some(Slide { piece: self.layout.red as u16, cells })
    }

    /// The pieces that stand on the cells which a slide passes, nearest first; absent where one of them has no place
    /// on its line that is off these cells.
    pub(super) fn pieces_in_the_way(&self, position: Position, slide: Slide) -> Option<Vec<Subgoal>> {
        let passed = self.passed(position, slide)?;
        let pieces = self.pieces_on(position, &passed);
        let way = |piece: usize| {
            let alternatives = self.ways_off(position, piece, slide, &passed);
            (!alternatives.is_empty()).then(|| subgoal(alternatives))
        };
        pieces.into_iter().map(way).collect()
    }

    /// The number of pieces that stand on the cells which a slide passes; 0 where a wall is there.
    pub(super) fn n_in_the_way(&self, position: Position, slide: Slide) -> usize {
        self.passed(position, slide).map_or(0, |passed| self.pieces_on(position, &passed).len())
    }

    /// The pieces that stand on these cells, in their order.
    fn pieces_on(&self, position: Position, cells: &[u16]) -> Vec<usize> {
        let mut pieces: Vec<usize> = Vec::new();
        for cell in cells {
            let is_there = |piece: &usize| self.cells_of(*piece, self.tracks[*piece].place(position)).contains(cell);
            if let Some(piece) = (0..self.tracks.len()).find(is_there).filter(|piece| !pieces.contains(piece)) {
                pieces.push(piece);
            }
        }
        pieces
    }

    /// The cells that a slide passes, in its order; absent where it leaves the line of the piece or meets a wall.
    fn passed(&self, position: Position, slide: Slide) -> Option<Vec<u16>> {
        let track = &self.tracks[slide.piece as usize];
        let (place, cells) = (track.place(position), slide.cells.unsigned_abs() as usize);
        let passed: Vec<u16> = match slide.cells < 0 {
            true => track.line[place.checked_sub(cells)?..place].iter().rev().copied().collect(),
            false => track.line.get(place + track.length..place + track.length + cells)?.to_vec(),
        };
        (!passed.iter().any(|&cell| self.is_wall(cell))).then_some(passed)
    }

    fn is_wall(&self, cell: u16) -> bool {
        self.layout.walls.iter().any(|&(row, column)| row * self.layout.width + column == cell as usize)
    }

    fn cells_of(&self, piece: usize, place: usize) -> &[u16] {
        let track = &self.tracks[piece];
        &track.line[place..place + track.length]
    }

    /// The slides that take a piece off the cells that another slide passes, shortest first, backward ones before
    /// forward ones. Pieces on one line keep their order, and need their room; a piece on the line of the slide can
    /// only go ahead of it.
    fn ways_off(&self, position: Position, piece: usize, slide: Slide, passed: &[u16]) -> Vec<Slide> {
        let track = &self.tracks[piece];
        let place = track.place(position);
        // The part of its line between walls.
        let first = track.line[..place].iter().rposition(|&cell| self.is_wall(cell)).map_or(0, |wall| wall + 1);
        let behind = place + track.length;
        let last =
            track.line[behind..].iter().position(|&cell| self.is_wall(cell)).unwrap_or(track.line.len() - behind);
        let (mut least, mut most) = (first, place + last);
        let is_on_line = |other: usize| self.tracks[other].line == track.line;
        for other in (0..self.tracks.len()).filter(|&other| other != piece && is_on_line(other)) {
            let (there, length) = (self.tracks[other].place(position), self.tracks[other].length);
            if (first..place).contains(&there) {
                least += length;
            } else if (behind..behind + last).contains(&there) {
                most -= length;
            }
        }
        let is_ahead = |cells: i16| !is_on_line(slide.piece as usize) || cells.signum() == slide.cells.signum();
        let is_off = |place: usize| !self.cells_of(piece, place).iter().any(|cell| passed.contains(cell));
        (least..place)
            .rev()
            .chain(place + 1..=most)
            .filter(|&there| is_off(there))
            .map(|there| Slide { piece: piece as u16, cells: there as i16 - place as i16 })
            .filter(|way| is_ahead(way.cells))
            .collect()
    }
}

/// The subgoal that is reached by one of these slides: the same piece by the same slides is the same thought.
pub(super) fn subgoal(slides: Vec<Slide>) -> Subgoal {
    let alternatives: Vec<WishedMove> = slides.into_iter().map(wished_move).collect();
    Subgoal { name: alternatives.iter().map(|wished| wished.0).collect(), alternatives }
}

fn wished_move(slide: Slide) -> WishedMove {
    WishedMove(u64::from(slide.piece) << 16 | u64::from(slide.cells as u16))
}

pub(super) fn slide_of(wished: WishedMove) -> Slide {
    Slide { piece: (wished.0 >> 16) as u16, cells: wished.0 as u16 as i16 }
}
