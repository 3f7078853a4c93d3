//! Rush Hour, the sliding-block puzzle: pieces slide along their own line until the red one is out.
//!
//! A position is the place of every piece on its line, packed into one 64-bit word. One move slides
//! one piece over free cells: any distance under the metric `slide`, one cell under `cell`.
//!
//! Notation of moves: `A+2` slides piece `A` two cells to the right or down, `A-1` one cell to the
//! left or up; `A@14` slides it until its first cell (its left or upper end) lies on cell 14, where
//! cells are numbered row by row from 0; `A@r3c3` names the row and the column of that cell from 1.

use std::fmt::Write as _;

use super::lights_out::notation::row_and_column;
use super::picture::{Opening, Picture, Role, Shape, Side};
use super::{
    Aim, Feature, Heuristic, MoveError, Puzzle, RankedDistances, SlidingBlock, SlidingBlocks, Specification,
    StateError, Subgoal, Unit, WishedMove,
};

mod cells;
mod colours;
mod heuristics;
mod index;
pub mod layout;
mod level;
pub mod notation;
mod obstacles;
mod sweeps;
mod track;

pub use cells::MAX_CELLS;
pub use index::RushHourIndex;
pub use level::{GoalRule, LayoutError, Metric, Options, RushHour, Slide};
pub use track::Position;

use layout::Orientation;
use obstacles::{slide_of, subgoal};

impl Puzzle for RushHour {
    type State = Position;
    type Move = Slide;
    type Index = RushHourIndex;

    const REVERSIBLE: bool = true;

    fn remarks(&self) -> &[String] {
        &self.remarks
    }

    fn start(&self) -> Position {
        self.start
    }

    fn is_goal(&self, position: Position) -> bool {
        let red = &self.tracks[self.layout.red];
        let place = red.place(position);
        match self.options.goal {
            GoalRule::Exit => place == self.exit_place,
            GoalRule::PathClear => {
                let (back, forward) = self.range(position, self.layout.red);
                if self.exit_place == 0 { back == place } else { place + forward == self.exit_place }
            }
        }
    }

    fn legal_moves(&self, position: Position, moves: &mut Vec<Slide>) {
        self.for_each_range(position, |piece, back, forward| {
            let (back, forward) = self.limited((back, forward));
            let slides = (1..=back as i16).rev().map(|cells| -cells).chain(1..=forward as i16);
            moves.extend(slides.map(|cells| Slide { piece: piece as u16, cells }));
        });
    }

    fn for_each_successor(&self, position: Position, _moves: &mut Vec<Slide>, visit: &mut impl FnMut(Position)) {
        self.for_each_range(position, |piece, back, forward| {
            let (back, forward) = self.limited((back, forward));
            let step = 1u64 << self.tracks[piece].shift;
            for cells in (1..=back as u64).rev() {
                visit(Position(position.0 - cells * step));
            }
            for cells in 1..=forward as u64 {
                visit(Position(position.0 + cells * step));
            }
        });
    }

    fn index(&self) -> Option<RushHourIndex> {
        RushHourIndex::new(&self.layout, &self.tracks)
    }

    fn for_each_indexed_successor(
        &self,
        index: &RushHourIndex,
        code: u64,
        _moves: &mut Vec<Slide>,
        visit: &mut impl FnMut(u64, u64),
    ) {
        index.for_each_successor(code, self.most_cells(), visit);
    }

    fn ranked_distances(&self, index: &RushHourIndex) -> Option<RankedDistances> {
        sweeps::distances(self, index)
    }

    fn play_unchecked(&self, position: Position, slide: Slide) -> Position {
        self.shifted(position, slide.piece as usize, i64::from(slide.cells))
    }

    fn play(&self, position: Position, slide: Slide) -> Result<Position, String> {
        let piece = slide.piece as usize;
        let name = &self.tracks[piece].name;
        if slide.cells == 0 {
            return Err(format!("piece {name} stays where it is"));
        }
        let (back, forward) = self.range(position, piece);
        let wanted = slide.cells.unsigned_abs() as usize;
        let possible = if slide.cells < 0 { back } else { forward };
        if wanted > possible {
            let direction = match (self.tracks[piece].orientation, slide.cells < 0) {
                (Orientation::Horizontal, true) => "left",
                (Orientation::Horizontal, false) => "right",
                (Orientation::Vertical, true) => "up",
                (Orientation::Vertical, false) => "down",
            };
            return Err(format!("piece {name} can slide {possible} cells {direction}, not {wanted}"));
        }
        Ok(self.play_unchecked(position, slide))
    }

    fn cost(&self, _position: Position, slide: Slide) -> u32 {
        match self.options.metric {
            Metric::Slide => 1,
            Metric::Cell => u32::from(slide.cells.unsigned_abs()),
        }
    }

    fn unit(&self) -> Unit {
        match self.options.metric {
            Metric::Slide => Unit::Moves,
            Metric::Cell => Unit::Cells,
        }
    }

    fn sliding_blocks(&self) -> Option<SlidingBlocks> {
        let block = |(piece, track): (&layout::Piece, &track::Track)| SlidingBlock {
            row: piece.row,
            column: piece.column,
            length: piece.length,
            is_horizontal: piece.orientation == Orientation::Horizontal,
            shift: track.shift,
        };
        Some(SlidingBlocks {
            width: self.layout.width,
            height: self.layout.height,
            walls: self.layout.walls.clone(),
            blocks: self.layout.pieces.iter().zip(&self.tracks).map(block).collect(),
            target: self.layout.red,
            leaves_at_end: matches!(self.layout.exit.side, Side::Right | Side::Bottom),
            is_path_enough: self.options.goal == GoalRule::PathClear,
            moves_one_cell: self.options.metric == Metric::Cell,
        })
    }

    fn specification(&self) -> Option<Specification> {
        let side = match self.layout.exit.side {
            Side::Left => "left",
            Side::Right => "right",
            Side::Top => "top",
            Side::Bottom => "bottom",
        };
        let goal = if self.options.goal == GoalRule::PathClear { "path-clear" } else { "exit" };
        let metric = if self.options.metric == Metric::Cell { "cell" } else { "slide" };
        let settings = vec![
            ("width", self.layout.width.to_string()),
            ("target", self.tracks[self.layout.red].name.clone()),
            ("exit", side.to_owned()),
            ("goal", goal.to_owned()),
            ("metric", metric.to_owned()),
        ];
        self.has_board_string.then_some(Specification { kind: "sliding-blocks", settings })
    }

    fn piece(&self, slide: Slide) -> Option<u32> {
        Some(u32::from(slide.piece))
    }

    fn code_bits(&self) -> u32 {
        self.code_bits
    }

    fn encode(&self, position: Position) -> u128 {
        u128::from(position.0)
    }

    fn decode(&self, code: u128) -> Position {
        Position(code as u64)
    }

    fn parse_state(&self, text: &str) -> Result<Position, StateError> {
        let parsed = if text.contains('@') || !self.has_board_string {
            self.places_from_list(text)
        } else {
            self.places_from_board(text)
        };
        let checked = parsed.and_then(|position| {
            let collides = !self.is_free_of_collisions(position);
            if collides { Err("two pieces, or a piece and a wall, share a cell".to_owned()) } else { Ok(position) }
        });
        checked.map_err(|reason| StateError { text: text.to_owned(), reason })
    }

    fn format_state(&self, position: Position) -> String {
        if self.has_board_string {
            return self.board_string(position);
        }
        let mut text = String::new();
        for (piece, track) in self.tracks.iter().enumerate() {
            let separator = if piece == 0 { "" } else { " " };
            let _ = write!(text, "{separator}{}@{}", track.name, self.first_cell(position, piece));
        }
        text
    }

    fn parse_move(&self, position: Position, text: &str) -> Result<Slide, MoveError> {
        let text = text.trim();
        let unreadable = || MoveError::Unreadable {
            text: text.to_owned(),
            expected: "write piece@cell (A@14, A@r3c3) or piece+cells (A+2, A-1)".to_owned(),
        };
        let illegal = |reason: String| MoveError::Illegal { text: text.to_owned(), reason };
        let split = text.rfind(['@', '+', '-', '\u{2212}']).filter(|&at| at > 0).ok_or_else(unreadable)?;
        let (name, rest) = text.split_at(split);
        let sign = rest.chars().next().ok_or_else(unreadable)?;
        let number = &rest[sign.len_utf8()..];
        let is_whole = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        if !is_whole && (sign != '@' || row_and_column(number).is_none()) {
            return Err(unreadable());
        }
        let piece = self
            .piece_named(name)
            .ok_or_else(|| illegal(format!("there is no piece {name:?}; the pieces are {}", self.piece_names())))?;
        let cells = if sign == '@' {
            let place = self.place_of_cell(piece, number).map_err(illegal)?;
            place as i64 - self.tracks[piece].place(position) as i64
        } else {
            let cells: i64 = number.parse().map_err(|_| unreadable())?;
            if sign == '+' { cells } else { -cells }
        };
        let cells = i16::try_from(cells).map_err(|_| illegal(format!("no board is {cells} cells long")))?;
        Ok(Slide { piece: piece as u16, cells })
    }

    fn is_null(&self, _position: Position, slide: Slide) -> bool {
        slide.cells == 0
    }

    fn move_between(&self, before: Position, after: Position) -> Option<Slide> {
        let mut changed =
            (0..self.tracks.len()).filter(|&piece| self.tracks[piece].place(before) != self.tracks[piece].place(after));
        let piece = changed.next()?;
        if changed.next().is_some() {
            return None;
        }
        let cells = self.tracks[piece].place(after) as i16 - self.tracks[piece].place(before) as i16;
        let slide = Slide { piece: piece as u16, cells };
        self.play(before, slide).is_ok().then_some(slide)
    }

    fn format_move(&self, _position: Position, slide: Slide) -> String {
        format!("{}{:+}", self.tracks[slide.piece as usize].name, slide.cells)
    }

    fn picture(&self, position: Position) -> Picture {
        let mut shapes: Vec<Shape> = self.layout.walls.iter().map(wall_shape).collect();
        for (piece, track) in self.tracks.iter().enumerate() {
            let cell = self.first_cell(position, piece);
            let (rows, columns) = match track.orientation {
                Orientation::Horizontal => (1, track.length),
                Orientation::Vertical => (track.length, 1),
            };
            let role = if piece == self.layout.red { Role::Hero } else { Role::Piece(self.colours[piece]) };
            let (row, column) = (cell / self.layout.width, cell % self.layout.width);
            shapes.push(Shape::block(row, column, rows, columns, role, track.name.clone()));
        }
        let (row, column) = match self.layout.exit.side {
            Side::Left => (self.layout.exit.line, 0),
            Side::Right => (self.layout.exit.line, self.layout.width - 1),
            Side::Top => (0, self.layout.exit.line),
            Side::Bottom => (self.layout.height - 1, self.layout.exit.line),
        };
        let openings = vec![Opening { row, column, side: self.layout.exit.side }];
        Picture { shapes, openings, ..Picture::grid(self.layout.width, self.layout.height) }
    }

    fn aim(&self) -> Aim {
        match self.options.goal {
            GoalRule::Exit => Aim::new(
                "Get the red piece out through the exit.",
                "Den roten Stein durch den Ausgang hinausbringen.",
                "Faites sortir la pièce rouge par la sortie.",
            ),
            GoalRule::PathClear => Aim::new(
                "Clear the way of the red piece to the exit.",
                "Dem roten Stein den Weg zum Ausgang frei machen.",
                "Dégagez le chemin de la pièce rouge vers la sortie.",
            ),
        }
    }

    fn goal_moves(&self, position: Position) -> Option<Subgoal> {
        let way = self.way_out(position).filter(|_| !Puzzle::is_goal(self, position))?;
        Some(subgoal(vec![way]))
    }

    fn obstacles(&self, position: Position, wished: WishedMove) -> Option<Vec<Subgoal>> {
        self.pieces_in_the_way(position, slide_of(wished))
    }

    fn as_legal_move(&self, _position: Position, wished: WishedMove) -> Option<Slide> {
        let Slide { piece, cells } = slide_of(wished);
        let cells = if self.options.metric == Metric::Cell { cells.signum() } else { cells };
        Some(Slide { piece, cells })
    }

    fn format_wished_move(&self, position: Position, wished: WishedMove) -> String {
        self.format_move(position, slide_of(wished))
    }

    fn features(&self) -> Vec<Feature> {
        vec![
            Feature::new("pieces-before-exit", "pieces between the red piece and its exit"),
            Feature::new("cells-before-exit", "cells between the red piece and its exit"),
        ]
    }

    fn feature(&self, feature: usize, position: Position) -> f64 {
        let Some(way) = self.way_out(position) else { return 0.0 };
        match feature {
            0 => self.n_in_the_way(position, way) as f64,
            _ => f64::from(way.cells.unsigned_abs()),
        }
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        heuristics::list()
    }

    fn estimate(&self, heuristic: usize, position: Position) -> f64 {
        let places: Vec<usize> = self.tracks.iter().map(|track| track.place(position)).collect();
        heuristics::estimate(self, heuristic, &places)
    }
}

fn wall_shape(&(row, column): &(usize, usize)) -> Shape {
    Shape::block(row, column, 1, 1, Role::Wall, String::new())
}
