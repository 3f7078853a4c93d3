//! Lights Out, known as Enlight too: a press inverts a lamp and its neighbours, until no lamp is lit.
//!
//! A position is the set of lit lamps. Boards of up to 64 lamps take one machine word, larger ones more
//! ([`Bits`]). Boards of up to [`MAX_MAPPED`] lamps are mapped; on all others the distance comes from linear algebra
//! over GF(2) ([`algebra`]), which gives the same number.
//!
//! Notation of moves: `r3c4` presses the lamp in row 3, column 4, both from 1, from the top left.

use serde::{Deserialize, Serialize};

use super::picture::{Picture, Role, Shape};
use super::{
    Aim, Attribute, Gesture, Heuristic, MoveError, OwnFound, OwnSearch, Preparation, Puzzle, Specification, StateError,
    Valuation, Value, ValueError,
};
use crate::progress::Progress;

pub mod algebra;
pub mod bits;
mod board;
pub mod column_search;
mod index;
mod interner;
pub mod neighbourhood;
pub mod notation;
pub mod survey;

pub use board::{Board, MAX_LAMPS, Press, TooManyLamps};
pub use index::LampIndex;

use algebra::{Algebra, MAX_NULLITY};
use bits::Bits;
use column_search::{LastCell, limited_column_search};
use interner::Interner;
use neighbourhood::Neighbourhood;
use notation::{read_press, read_state, write_press, write_state};

/// The options of the rules, as `[rules]` of a study gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Options {
    /// Lamps that a press inverts on levels that do not say it themselves: `plus`, `torus`, `diagonal`, `moore`
    /// (or `king`), offsets such as `0,0 0,1 1,0`, or a drawing such as `*.*/.*./*.*`.
    #[serde(alias = "neighborhood", alias = "pattern")]
    pub neighbourhood: Neighbourhood,
}

/// The most lamps with which a board is mapped: 2^20 positions. Larger ones are valued by [`algebra`].
pub const MAX_MAPPED: usize = 20;

/// The rules of one level of Lights Out; `B` holds its lamps.
#[derive(Debug)]
pub struct LightsOut<B> {
    width: usize,
    height: usize,
    start: B,
    neighbourhood: Neighbourhood,
    /// The lamps that each press inverts.
    presses: Vec<B>,
    algebra: Algebra<B>,
    /// Turns and mirrorings under which the level stays the same: where each cell goes.
    symmetries: Vec<Vec<u16>>,
    /// The most lamps that one press inverts.
    largest_press: u32,
    /// `true` if the column search fits the board.
    has_column_search: bool,
    interner: Interner<B>,
}

impl<B: Bits> LightsOut<B> {
    /// The rules of a level.
    ///
    /// # Errors
    ///
    /// [`TooManyLamps`] if `B` cannot hold the lamps of the board.
    pub fn new(board: &Board) -> Result<Self, TooManyLamps> {
        let capacity = B::CAPACITY.min(MAX_LAMPS);
        if board.n_lamps() > capacity {
            return Err(TooManyLamps { lamps: board.n_lamps(), capacity });
        }
        let (width, height) = (board.width, board.height);
        let presses: Vec<B> = board.neighbourhood.presses(width, height);
        let start = B::of_cells(board.lit.iter().copied());
        let algebra = Algebra::new(&presses);
        // An image that cannot be reached from the start has no place in the level.
        let is_level = |symmetry: &Vec<u16>| {
            is_symmetry(symmetry, &presses) && algebra.is_solvable(image(start, symmetry).xor(start))
        };
        let symmetries = turns_and_mirrorings(width, height).into_iter().filter(is_level).collect();
        // A pattern or a torus may invert the same lamps as the neighbourhood plus.
        let has_column_search = width > 1 && presses == Neighbourhood::Plus.presses::<B>(width, height);
        let largest_press = presses.iter().map(|press| press.count()).max().unwrap_or(0);
        Ok(Self {
            width,
            height,
            start,
            neighbourhood: board.neighbourhood.clone(),
            presses,
            algebra,
            symmetries,
            largest_press,
            has_column_search,
            interner: Interner::new(),
        })
    }

    /// The equations of the board.
    pub fn algebra(&self) -> &Algebra<B> {
        &self.algebra
    }

    /// The lightest solution of a position; nothing if there is none.
    ///
    /// # Errors
    ///
    /// [`ValueError::Beyond`] if the board has more than 2^[`MAX_NULLITY`] solutions.
    pub fn lightest(&self, state: B) -> Result<Option<algebra::Lightest<B>>, ValueError> {
        let Some(solution) = self.algebra.solution(state) else { return Ok(None) };
        self.check_nullity()?;
        Ok(Some(self.algebra.lightest(solution)))
    }

    fn check_nullity(&self) -> Result<(), ValueError> {
        let nullity = self.algebra.nullity();
        if nullity <= MAX_NULLITY {
            return Ok(());
        }
        let Self { width, height, .. } = self;
        Err(ValueError::Beyond(format!(
            "a board of {width}x{height} with this neighbourhood has 2^{nullity} solutions, and the lightest one is \
             looked for among at most 2^{MAX_NULLITY}: choose another size or neighbourhood"
        )))
    }

    /// The board in a frame, with one text for each cell.
    fn framed<'a>(&self, text: impl Fn(usize) -> &'a str) -> String {
        let row = |row: usize| {
            let cells: Vec<&str> = (0..self.width).map(|column| text(row * self.width + column)).collect();
            format!("|{}|\n", cells.join(" "))
        };
        let rows: String = (0..self.height).map(row).collect();
        let border = format!("+{}+\n", "-".repeat(2 * self.width - 1));
        format!("{border}{rows}{border}")
    }

    fn name_of(&self, cell: usize) -> String {
        write_press(cell, self.width)
    }
}

/// Image of each cell, for each turn and mirroring of the board but the identity.
fn turns_and_mirrorings(width: usize, height: usize) -> Vec<Vec<u16>> {
    let flips = [(false, false), (false, true), (true, false), (true, true)];
    let all = [false, true].into_iter().flat_map(|transposed| flips.map(|(down, across)| (transposed, down, across)));
    let kept = all.skip(1).filter(|&(transposed, ..)| !transposed || width == height);
    let cells = |(transposed, down, across): (bool, bool, bool)| {
        let place = move |cell: usize| {
            let (row, column) = (cell / width, cell % width);
            let (row, column) = if transposed { (column, row) } else { (row, column) };
            let row = if down { height - 1 - row } else { row };
            let column = if across { width - 1 - column } else { column };
            (row * width + column) as u16
        };
        (0..width * height).map(place).collect()
    };
    kept.map(cells).collect()
}

fn image<B: Bits>(set: B, symmetry: &[u16]) -> B {
    B::of_cells(set.cells().map(|cell| symmetry[cell] as usize))
}

/// `true` if the press of each cell's image inverts the images of what the press of the cell inverts.
fn is_symmetry<B: Bits>(symmetry: &[u16], presses: &[B]) -> bool {
    presses.iter().zip(symmetry).all(|(&press, &cell)| image(press, symmetry) == presses[cell as usize])
}

impl<B: Bits> Puzzle for LightsOut<B> {
    type State = B;
    type Move = Press;
    type Index = LampIndex;

    const REVERSIBLE: bool = true;

    fn start(&self) -> B {
        self.start
    }

    fn is_goal(&self, state: B) -> bool {
        state.is_empty()
    }

    fn specification(&self) -> Option<Specification> {
        let offsets = self.neighbourhood.offsets().iter().map(|(rows, columns)| format!("{rows},{columns}"));
        let edges = if self.neighbourhood.wraps() { "no" } else { "yes" };
        let settings = vec![("offsets", offsets.collect::<Vec<_>>().join(" ")), ("edges", edges.to_owned())];
        Some(Specification { kind: "lights", settings })
    }

    fn legal_moves(&self, _state: B, moves: &mut Vec<Press>) {
        moves.extend((0..self.presses.len() as u16).map(|cell| Press { cell }));
    }

    fn for_each_successor(&self, state: B, _moves: &mut Vec<Press>, visit: &mut impl FnMut(B)) {
        self.presses.iter().for_each(|&lamps| visit(state.xor(lamps)));
    }

    fn index(&self) -> Option<LampIndex> {
        LampIndex::new(self.presses.len())
    }

    fn gesture(&self, _state: B, press: Press) -> Option<Gesture> {
        let cell = usize::from(press.cell);
        Some(Gesture::Press { row: cell / self.width, column: cell % self.width })
    }

    fn play_unchecked(&self, state: B, press: Press) -> B {
        state.xor(self.presses[press.cell as usize])
    }

    fn play(&self, state: B, press: Press) -> Result<B, String> {
        let lamps = self.presses.get(press.cell as usize);
        lamps.map(|&lamps| state.xor(lamps)).ok_or_else(|| {
            format!("there is no cell {}: the board of {}x{} ends before it", press.cell, self.width, self.height)
        })
    }

    fn piece(&self, press: Press) -> Option<u32> {
        Some(u32::from(press.cell))
    }

    fn code_bits(&self) -> u32 {
        let has_code = B::EMPTY.to_code().is_some();
        if has_code { self.presses.len() as u32 } else { u64::BITS }
    }

    fn encode(&self, state: B) -> u128 {
        state.to_code().unwrap_or_else(|| u128::from(self.interner.number(state)))
    }

    fn decode(&self, code: u128) -> B {
        let has_code = B::EMPTY.to_code().is_some();
        if has_code { B::from_code(code) } else { self.interner.set(code as u64) }
    }

    fn parse_state(&self, text: &str) -> Result<B, StateError> {
        let lit = read_state(text, self.width, self.height);
        lit.map(B::of_cells).map_err(|reason| StateError { text: text.to_owned(), reason })
    }

    fn format_state(&self, state: B) -> String {
        write_state(self.width, self.height, |cell| state.contains(cell))
    }

    fn parse_move(&self, _state: B, text: &str) -> Result<Press, MoveError> {
        read_press(text, self.width, self.height)
    }

    fn move_between(&self, before: B, after: B) -> Option<Press> {
        let changed = before.xor(after);
        let cell = self.presses.iter().position(|&lamps| lamps == changed)?;
        Some(Press { cell: cell as u16 })
    }

    fn format_move(&self, _state: B, press: Press) -> String {
        self.name_of(press.cell as usize)
    }

    fn picture(&self, state: B) -> Picture {
        let lamp = |cell: usize| {
            let role = Role::Lamp(state.contains(cell));
            Shape::block(cell / self.width, cell % self.width, 1, 1, role, String::new())
        };
        let shapes = (0..self.presses.len()).map(lamp).collect();
        let text = self.framed(|cell| if state.contains(cell) { "*" } else { "." });
        Picture { shapes, text: Some(text), ..Picture::grid(self.width, self.height) }
    }

    fn aim(&self) -> Aim {
        Aim::new(
            "Switch all lamps off: a press switches the lamp and those beside it.",
            "Alle Lampen ausschalten: ein Druck schaltet die Lampe und die neben ihr um.",
            "Éteignez toutes les lampes\u{a0}: chaque appui inverse la lampe et ses voisines.",
        )
    }

    fn valuation(&self) -> Valuation {
        if self.presses.len() <= MAX_MAPPED { Valuation::Map } else { Valuation::Exact }
    }

    /// Refuses a level with too many solutions before the first position is valued. A level without any can always
    /// be valued: presses never make it solvable.
    fn prepare(&self, _preparation: &Preparation) -> Result<(), ValueError> {
        if self.algebra.is_solvable(self.start) { self.check_nullity() } else { Ok(()) }
    }

    fn value(&self, state: B) -> Result<Option<Value>, ValueError> {
        let Some(solution) = self.algebra.solution(state) else { return Ok(None) };
        self.check_nullity()?;
        Ok(Some(Value::distance(self.algebra.least_weight(solution))))
    }

    /// All from one walk over the solutions.
    fn values_after(&self, state: B, presses: &[Press]) -> Result<Vec<Option<Value>>, ValueError> {
        // A press never makes a board solvable.
        let Some(solution) = self.algebra.solution(state) else { return Ok(vec![None; presses.len()]) };
        self.check_nullity()?;
        let light = self.algebra.light_presses(solution);
        Ok(presses.iter().map(|press| Some(Value::distance(light.weight_after(usize::from(press.cell))))).collect())
    }

    fn heuristics(&self) -> Vec<Heuristic> {
        let meaning = "lamps that are on, divided by the most lamps that one press inverts, rounded up";
        vec![Heuristic::admissible("lamps-per-press", meaning)]
    }

    /// Each press turns off at most as many lamps as it inverts.
    fn estimate(&self, _heuristic: usize, state: B) -> f64 {
        f64::from(state.count().div_ceil(self.largest_press.max(1)))
    }

    fn own_search(&self) -> Option<OwnSearch> {
        let meaning = "each lamp pressed and not pressed, column by column, as long as the lamp to the left is off \
                       (Osenkov 2008; the last lamp is tried both ways too); a step is one call of the search";
        self.has_column_search.then_some(OwnSearch { name: "column-search", meaning })
    }

    /// The moves are those of the solution that the search finds last, in the order in which it presses them: column
    /// by column. It need not be the lightest.
    fn search_own(&self, state: B, max_steps: u64, progress: &dyn Progress) -> OwnFound<Press> {
        let nothing = OwnFound { n_steps: 0, moves: None, is_cut: false };
        if !self.has_column_search {
            return nothing;
        }
        let Self { width, height, .. } = *self;
        let board = Board { width, height, lit: state.cells().collect(), neighbourhood: Neighbourhood::Plus };
        let Ok(result) = limited_column_search(&board, LastCell::BothWays, max_steps, progress) else { return nothing };
        let moves = result.solution.map(|mut cells| {
            cells.sort_by_key(|cell| (cell % width, cell / width));
            cells.into_iter().map(|cell| Press { cell: cell as u16 }).collect()
        });
        OwnFound { n_steps: result.steps, moves, is_cut: result.is_cut }
    }

    fn symmetric(&self, state: B, images: &mut Vec<B>) {
        images.extend(self.symmetries.iter().map(|symmetry| image(state, symmetry)));
    }

    fn attributes(&self, state: B) -> Vec<Attribute> {
        let nullity = self.algebra.nullity();
        let is_solvable = self.algebra.is_solvable(state);
        let n_solutions = match 1u128.checked_shl(nullity as u32) {
            _ if !is_solvable => "0".to_owned(),
            Some(count) => count.to_string(),
            None => format!("2^{nullity}"),
        };
        let mut attributes = vec![
            Attribute::new("nullity", nullity, "the board has 2^nullity sets of presses that change no lamp"),
            Attribute::new("n_solutions", n_solutions, "sets of presses that turn all lamps off"),
        ];
        if let Ok(Some(lightest)) = self.lightest(state) {
            let cells: Vec<String> = lightest.presses.cells().map(|cell| self.name_of(cell)).collect();
            let count = lightest.n_solutions.to_string();
            attributes.push(Attribute::new(
                "lightest",
                lightest.weight.to_string(),
                "fewest presses that turn all lamps off",
            ));
            attributes.push(Attribute::new("n_lightest", count, "sets of so few presses that turn all lamps off"));
            attributes.push(Attribute::new("lightest_presses", cells.join(" "), "the first of these sets, row by row"));
        }
        attributes
    }
}

#[cfg(test)]
mod tests;
