//! Sliding tiles: numbered tiles in a frame with one cell left blank, such as the 8-puzzle and the 15-puzzle (Johnson
//! and Story 1879). A move slides one tile beside the blank onto it. The level is solved when the tiles lie as in the
//! goal.
//!
//! A position is the tile on every cell, packed into one machine word. Frames of up to [`MAX_MAPPED`] cells are mapped.
//! On larger ones, where the 15-puzzle alone has 10,461,394,944,000 positions, the fewest moves of each come from
//! iterative deepening (Korf 1985) with pattern databases that add up (Korf and Felner 2002).
//!
//! Notation of moves: the number of the tile, as `8`.

use super::picture::Picture;
use super::{
    Aim, Attribute, Gesture, Heuristic, MoveError, PebbleMotion, Preparation, Puzzle, StateError, Valuation, Value,
    ValueError,
};

mod drawing;
mod frame;
mod heuristics;
mod index;
mod layout;
mod level;
pub mod notation;
mod patterns;
mod rank;
mod search;
mod word;

pub use frame::{Frame, MAX_CELLS, SIDES};
pub use index::TilesIndex;
pub use layout::{Directions, Goal, Layout, Options};
pub use level::{Slide, SlidingTiles};
pub use rank::{MAX_RANKED, Ranking};
pub use word::Word;

/// The most cells with which a frame is mapped: 1,814,400 positions.
pub const MAX_MAPPED: usize = 10;

impl<W: Word> Puzzle for SlidingTiles<W> {
    type State = W;
    type Move = Slide;
    type Index = TilesIndex;

    const REVERSIBLE: bool = true;

    fn remarks(&self) -> &[String] {
        &self.remarks
    }

    fn start(&self) -> W {
        self.start
    }

    fn is_goal(&self, state: W) -> bool {
        state == self.goal
    }

    fn legal_moves(&self, state: W, moves: &mut Vec<Slide>) {
        let from = self.frame.beside(state.blank());
        moves.extend(from.iter().map(|&cell| Slide { cell, tile: state.tile(cell.into()) }));
    }

    fn for_each_successor(&self, state: W, _moves: &mut Vec<Slide>, visit: &mut impl FnMut(W)) {
        let blank = state.blank();
        for &cell in self.frame.beside(blank) {
            let tile = state.tile(cell.into());
            visit(state.toggled(cell.into(), tile).toggled(blank, tile));
        }
    }

    fn pebble_motion(&self) -> Option<PebbleMotion> {
        let cells = 0..self.frame.n_cells();
        let tiles = |state: W| cells.clone().map(|cell| state.tile(cell)).collect();
        Some(PebbleMotion {
            neighbours: cells
                .clone()
                .map(|cell| self.frame.beside(cell).iter().fold(0, |all, &cell| all | 1 << cell))
                .collect(),
            start: tiles(self.start),
            goals: vec![tiles(self.goal)],
            bits: W::CELL_BITS,
        })
    }

    fn index(&self) -> Option<TilesIndex> {
        // Larger frames have too many positions, and codes of more than 64 bits.
        TilesIndex::new(&self.frame, self.frame.class(self.start))
    }

    fn for_each_indexed_successor(
        &self,
        index: &TilesIndex,
        code: u64,
        moves: &mut Vec<Slide>,
        visit: &mut impl FnMut(u64, u64),
    ) {
        self.for_each_successor(W::of_code(code.into()), moves, &mut |after| {
            visit(index.ranking.rank(after), after.code() as u64);
        });
    }

    fn play_unchecked(&self, state: W, slide: Slide) -> W {
        state.toggled(slide.cell.into(), slide.tile).toggled(state.blank(), slide.tile)
    }

    fn play(&self, state: W, slide: Slide) -> Result<W, String> {
        let (cell, blank) = (usize::from(slide.cell), state.blank());
        let name = |cell| notation::cell_name(&self.frame, cell);
        if slide.tile == 0 {
            return Err(format!("no tile slides: the blank is in {}", name(blank)));
        }
        if cell >= self.frame.n_cells() || state.tile(cell) != slide.tile {
            return Err(format!("tile {} does not lie there", slide.tile));
        }
        if !self.frame.beside(blank).contains(&slide.cell) {
            return Err(format!("tile {} lies in {}, not beside the blank in {}", slide.tile, name(cell), name(blank)));
        }
        Ok(self.play_unchecked(state, slide))
    }

    fn piece(&self, slide: Slide) -> Option<u32> {
        Some(u32::from(slide.tile))
    }

    /// A direction in which no tile can slide, or a press of the blank.
    fn is_null(&self, _state: W, slide: Slide) -> bool {
        slide.tile == 0
    }

    fn gesture(&self, _state: W, slide: Slide) -> Option<Gesture> {
        let (cell, width) = (usize::from(slide.cell), self.frame.width);
        Some(Gesture::Press { row: cell / width, column: cell % width })
    }

    fn code_bits(&self) -> u32 {
        W::CELL_BITS * self.frame.n_cells() as u32
    }

    fn encode(&self, state: W) -> u128 {
        state.code()
    }

    fn decode(&self, code: u128) -> W {
        W::of_code(code)
    }

    fn parse_state(&self, text: &str) -> Result<W, StateError> {
        self.state_of(text).map_err(|reason| StateError { text: text.to_owned(), reason })
    }

    fn format_state(&self, state: W) -> String {
        notation::format_state(&self.frame, |cell| state.tile(cell))
    }

    fn parse_move(&self, state: W, text: &str) -> Result<Slide, MoveError> {
        self.slide_of(state, text)
    }

    fn move_between(&self, before: W, after: W) -> Option<Slide> {
        let cell = after.blank();
        let slide = Slide { cell: cell as u8, tile: before.tile(cell) };
        (self.play(before, slide) == Ok(after)).then_some(slide)
    }

    fn format_move(&self, _state: W, slide: Slide) -> String {
        slide.tile.to_string()
    }

    fn picture(&self, state: W) -> Picture {
        drawing::picture(&self.frame, |cell| state.tile(cell), |cell| self.goal.tile(cell))
    }

    fn aim(&self) -> Aim {
        Aim::new(
            "Slide the tiles until they lie as in the goal.",
            "Die Steine verschieben, bis sie wie im Ziel liegen.",
            "Faites glisser les tuiles jusqu’à ce qu’elles soient comme dans le but.",
        )
    }

    fn valuation(&self) -> Valuation {
        if self.frame.n_cells() <= MAX_MAPPED { Valuation::Map } else { Valuation::Exact }
    }

    fn prepare(&self, preparation: &Preparation) -> Result<(), ValueError> {
        if self.is_solvable { self.database(preparation).map(drop) } else { Ok(()) }
    }

    fn value(&self, state: W) -> Result<Option<Value>, ValueError> {
        self.fewest_moves(state).map(|moves| moves.map(Value::distance))
    }

    fn values_after(&self, state: W, slides: &[Slide]) -> Result<Vec<Option<Value>>, ValueError> {
        let Some(before) = self.fewest_moves(state)? else { return Ok(vec![None; slides.len()]) };
        let after = |&slide: &Slide| self.moves_after(self.play_unchecked(state, slide), before);
        slides.iter().map(|slide| after(slide).map(|moves| Some(Value::distance(moves)))).collect()
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        heuristics::list()
    }

    fn estimate(&self, heuristic: usize, state: W) -> f64 {
        if !self.is_solvable {
            return f64::INFINITY;
        }
        heuristics::estimate(self, heuristic, state)
    }

    fn symmetric(&self, state: W, images: &mut Vec<W>) {
        images.extend(self.symmetries.iter().map(|symmetry| self.image(state, symmetry)));
    }

    fn attributes(&self, state: W) -> Vec<Attribute> {
        vec![
            Attribute::new("n_misplaced", heuristics::misplaced(self, state), "tiles that do not lie as in the goal"),
            Attribute::new("manhattan", heuristics::manhattan(self, state), "steps of all tiles to their cells"),
        ]
    }
}

#[cfg(test)]
mod tests;
