//! The notations of a Rush Hour level: text to [`Layout`] and back.
//!
//! A level is a drawn board (on one line or several), the matrix of sizes, orientations, rows and
//! columns, or JSON; `docs/levels.md` shows each by example. The notation is told from the text.

use std::fmt::Write as _;
use std::sync::Arc;

use super::layout::{Layout, Orientation};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::picture::Side;
use crate::level::Origin;
use crate::level::json::looks_like_json;

mod board;
mod checks;
mod field;
mod json;
mod marks;
mod matrix;
mod reading;
mod red;
mod red_name;
mod settings;
mod setup;

pub use red_name::{RED_LETTER, RED_NAMES};
pub use settings::MAX_SIDE;

use red::needs_red;
use settings::Settings;

/// Reads a level in any notation. `text` stands in `source` at byte `offset`, as it is or with the
/// escapes of a JSON string or quoted table cell; the faults point into `source`.
///
/// # Errors
///
/// All faults of the level, at least one, in the order of the file.
pub fn parse(text: &str, source: &Arc<SourceText>, offset: usize) -> Result<Layout, Vec<Diagnostic>> {
    parse_with_remarks(text, source, offset).map(|(layout, _)| layout)
}

/// As [`parse`], with what was taken for granted where the level allows several readings, in words.
///
/// # Errors
///
/// As of [`parse`].
pub fn parse_with_remarks(
    text: &str,
    source: &Arc<SourceText>,
    offset: usize,
) -> Result<(Layout, Vec<String>), Vec<Diagnostic>> {
    let origin = Origin::new(text, source, offset);
    let setup = if looks_like_json(text) {
        json::read(text, &origin, Settings::default(), Vec::new())
    } else {
        json::read_text(text, &origin, Settings::default())
    };
    setup.and_then(setup::Setup::finish).map_err(|mut faults| {
        faults.sort_by_key(|fault| fault.place.span.start);
        faults
    })
}

/// The level on one line, in the shortest notation that [`parse`] reads back to the same layout:
/// the cells row by row if the board is square, the red piece is `A`, the other names are letters
/// in ascending order and the exit is the default one; JSON otherwise.
pub fn to_board_string(layout: &Layout) -> String {
    let names = || layout.pieces.iter().map(|piece| &piece.name);
    let is_plain = layout.width == layout.height
        && !needs_red(layout)
        && layout.exit == layout.pieces[layout.red].default_exit()
        && names().is_sorted();
    let rows = if is_plain { rows(layout) } else { None };
    rows.map_or_else(|| to_json(layout), |rows| rows.concat())
}

/// The level as a drawing of its board, one line a row, the exit drawn where it is not the default
/// one; absent if a name is not a letter that a board can show. Read back, the pieces come in the
/// order of their letters.
pub fn to_board_text(layout: &Layout) -> Option<String> {
    let mut rows = rows(layout)?;
    let red = &layout.pieces[layout.red];
    let mut text = String::new();
    if needs_red(layout) {
        let _ = writeln!(text, "# red: {}", red.name);
    }
    // One long row could be the cells of a square board, several of them could be several levels.
    if (layout.width, layout.height) != matrix::DEFAULT_BOARD {
        let _ = writeln!(text, "# board: {}x{}", layout.width, layout.height);
    }
    let exit = layout.exit;
    // A mark alone on a line takes the column of the cell that it stands beside.
    let mark = |mark: char| format!("{mark:>width$}", width = exit.line + 1);
    match exit.side {
        _ if exit == red.default_exit() => {}
        // On a board of one column the mark could as well be a cell.
        side if layout.width == 1 => {
            let _ = writeln!(text, "# exit: {}", settings::side_name(side));
        }
        Side::Right => rows[exit.line].push('>'),
        Side::Left => {
            rows.iter_mut().for_each(|row| row.insert(0, ' '));
            rows[exit.line].replace_range(..1, "<");
        }
        Side::Top => rows.insert(0, mark('^')),
        Side::Bottom => rows.push(mark('v')),
    }
    Some(format!("{text}{}\n", rows.join("\n")))
}

/// The level as a matrix: a line with size, orientation (1 horizontal, 2 vertical), row and column
/// (from 1) for each piece, under a header that also gives names, board, walls and exit. Absent if
/// a name holds other characters than letters, digits, `_`, `-` and `.`.
pub fn to_matrix(layout: &Layout) -> Option<String> {
    let fits = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    if layout.pieces.iter().any(|piece| piece.name.is_empty() || !piece.name.chars().all(fits)) {
        return None;
    }
    let red = &layout.pieces[layout.red];
    let mut text = format!("# board: {}x{}\n", layout.width, layout.height);
    let _ = writeln!(text, "# exit: {} {}", settings::side_name(layout.exit.side), layout.exit.line + 1);
    let _ = writeln!(text, "# red: {}", red.name);
    for (row, column) in &layout.walls {
        let _ = writeln!(text, "# wall: {} {}", row + 1, column + 1);
    }
    text.push_str("piece,size,orientation,row,column\n");
    for piece in &layout.pieces {
        let orientation = if piece.orientation == Orientation::Horizontal { 1 } else { 2 };
        let (row, column) = (piece.row + 1, piece.column + 1);
        let _ = writeln!(text, "{},{},{orientation},{row},{column}", piece.name, piece.length);
    }
    Some(text)
}

/// The level as one line of JSON; [`parse`] reads every layout back from it as it was.
pub fn to_json(layout: &Layout) -> String {
    let cell = |row: usize, column: usize| row * layout.width + column;
    let pieces = layout.pieces.iter().map(|piece| {
        let orientation = match piece.orientation {
            Orientation::Horizontal => "horizontal",
            Orientation::Vertical => "vertical",
        };
        let position = cell(piece.row, piece.column);
        serde_json::json!({"id": piece.name, "position": position, "length": piece.length, "orientation": orientation})
    });
    serde_json::json!({
        "width": layout.width,
        "height": layout.height,
        "exit": {"side": settings::side_name(layout.exit.side), "line": layout.exit.line},
        "walls": layout.walls.iter().map(|&(row, column)| cell(row, column)).collect::<Vec<_>>(),
        "red": layout.pieces[layout.red].name,
        "pieces": pieces.collect::<Vec<_>>(),
    })
    .to_string()
}

/// The rows of the drawn board; absent if a name is not a letter that a board can show.
fn rows(layout: &Layout) -> Option<Vec<String>> {
    let mut cells = vec![vec!['.'; layout.width]; layout.height];
    for &(row, column) in &layout.walls {
        cells[row][column] = board::WALL;
    }
    for piece in &layout.pieces {
        let mut letters = piece.name.chars();
        let letter = letters.next().filter(|&letter| board::is_piece(letter) && letters.next().is_none())?;
        for (row, column) in piece.cells() {
            cells[row][column] = letter;
        }
    }
    Some(cells.into_iter().map(String::from_iter).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::rush_hour::layout::{Exit, Piece};

    fn source(text: &str) -> Arc<SourceText> {
        Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() })
    }

    fn read(text: &str) -> Layout {
        parse(text, &source(text), 0).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"))
    }

    /// A tried piece: row, column, length, whether it lies horizontally.
    type Tried = (usize, usize, usize, bool);

    /// The layout of those tried pieces and walls that find room, the first piece red; names are
    /// one letter each, in ascending order.
    fn placed(width: usize, height: usize, tried: Vec<Tried>, walls: Vec<(usize, usize)>, far: bool) -> Option<Layout> {
        let mut used = vec![false; width * height];
        let mut pieces: Vec<Piece> = Vec::new();
        let letters = ('A'..='Z').chain('a'..='z').filter(|&letter| board::is_piece(letter));
        for ((row, column, length, horizontal), letter) in tried.into_iter().zip(letters) {
            let orientation = if horizontal { Orientation::Horizontal } else { Orientation::Vertical };
            let piece = Piece { name: letter.to_string(), row, column, length, orientation };
            let fits = |(row, column): (usize, usize)| row < height && column < width && !used[row * width + column];
            // The first piece keeps the letter A, so that it is red.
            if !piece.cells().all(fits) {
                if pieces.is_empty() { return None } else { continue }
            }
            piece.cells().for_each(|(row, column)| used[row * width + column] = true);
            pieces.push(piece);
        }
        let mut walls: Vec<_> = walls
            .into_iter()
            .filter(|&(row, column)| row < height && column < width && !used[row * width + column])
            .collect();
        walls.sort_unstable();
        walls.dedup();
        let default = pieces.first()?.default_exit();
        let side = match (far, default.side) {
            (false, side) => side,
            (true, Side::Right) => Side::Left,
            (true, _) => Side::Top,
        };
        Some(Layout { width, height, walls, pieces, red: 0, exit: Exit { side, ..default } })
    }

    fn any_layout() -> impl Strategy<Value = Layout> {
        let piece = (0..8_usize, 0..8_usize, 2..5_usize, any::<bool>());
        let walls = prop::collection::vec((0..8_usize, 0..8_usize), 0..4);
        let parts = (1..9_usize, 1..9_usize, prop::collection::vec(piece, 1..30), walls, any::<bool>());
        parts.prop_filter_map("the first piece has no room", |(width, height, tried, walls, far)| {
            placed(width, height, tried, walls, far)
        })
    }

    proptest! {
        #[test]
        fn every_notation_reads_back(layout in any_layout()) {
            prop_assert_eq!(&read(&to_board_string(&layout)), &layout);
            prop_assert_eq!(&read(&to_json(&layout)), &layout);
            prop_assert_eq!(&read(&to_matrix(&layout).unwrap()), &layout);
            prop_assert_eq!(&read(&to_board_text(&layout).unwrap()), &layout);
        }

        #[test]
        fn names_and_order_survive(mut layout in any_layout(), suffix in "[a-z0-9 \"\\\\é]{0,3}") {
            layout.pieces.iter_mut().for_each(|piece| piece.name.push_str(&suffix));
            layout.pieces.reverse();
            layout.red = layout.pieces.len() - 1;
            prop_assert_eq!(&read(&to_board_string(&layout)), &layout);
            if let Some(matrix) = to_matrix(&layout) {
                prop_assert_eq!(&read(&matrix), &layout);
            }
        }

        #[test]
        fn no_text_breaks_the_reader(text in "[AB.ox<>^v0-9 ,\n#:\"c()\\[\\]{}é]{0,60}", before in "[aé\n]{0,3}") {
            let file = source(&format!("{before}{text}"));
            if let Err(faults) = parse(&text, &file, before.len()) {
                prop_assert!(!faults.is_empty());
                for fault in faults {
                    prop_assert!(file.text.get(fault.place.span.clone()).is_some(), "{:?}", fault);
                }
            }
        }

        #[test]
        fn no_json_breaks_the_reader(
            values in prop::collection::vec(
                prop::sample::select(vec![
                    "0", "-1", "2", "1e9", "18446744073709551615", "\"h\"", "\"A\"", "\"A.\\n\"", "null", "true", "[]",
                    "[1, 2]", "{}", "[[2, 1, 3, 2]]", "{\"side\": \"left\", \"line\": 0}",
                ]),
                9,
            )
        ) {
            let [position, length, orientation, id, width, walls, exit, red, more] = values[..] else { unreachable!() };
            let piece = format!(
                "{{\"id\": {id}, \"position\": {position}, \"length\": {length}, \"orientation\": {orientation}}}"
            );
            let text = format!(
                "{{\"width\": {width}, \"height\": 6, \"walls\": {walls}, \"exit\": {exit}, \"red\": {red}, \
                \"pieces\": [{piece}, {more}]}}"
            );
            let file = source(&text);
            for fault in parse(&text, &file, 0).err().unwrap_or_default() {
                prop_assert!(file.text.get(fault.place.span.clone()).is_some(), "{:?}", fault);
            }
        }
    }

    #[test]
    fn the_shortest_notation_is_chosen() {
        assert_eq!(to_board_string(&read("AA.\n..B\n..B")), "AA...B..B");
        assert_eq!(to_board_text(&read("AA.\n..x\n...\n# exit: left")).unwrap(), "# board: 3x3\n<AA.\n ..x\n ...\n");
        assert!(to_board_string(&read("AA.\n...")).starts_with("{\"width\":3,\"height\":2"));
    }
}
