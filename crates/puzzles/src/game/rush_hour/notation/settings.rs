//! Settings of a level beside its pieces: size, exit, walls, the red piece.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::game::picture::Side;
use crate::level::lines::{LineKind, lines};
use crate::level::{self, Origin, Spanned};

/// The longest side of a board.
pub const MAX_SIDE: usize = 255;

/// An exit as it is written; without a line it is on that of the red piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WrittenExit {
    pub side: Side,
    pub line: Option<usize>,
}

/// A cell in JSON, in the numbers that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListedCell {
    /// Its number, row by row from 0, on a board whose width only its drawing may tell.
    Number(usize),
    /// Its row and column.
    Pair(usize, usize),
}

/// Settings of the board of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Settings {
    /// Width and height.
    pub board: Option<Spanned<(usize, usize)>>,
    pub exits: Vec<Spanned<WrittenExit>>,
    /// Rows and columns, from 0.
    pub walls: Vec<Spanned<(usize, usize)>>,
    /// Walls of an object of JSON, whose cells are counted as those of its pieces.
    pub listed_walls: Vec<Spanned<ListedCell>>,
    /// The exit of an object of JSON, likewise.
    pub listed_exit: Option<Spanned<WrittenExit>>,
    /// The name of the red piece.
    pub red: Option<Spanned<String>>,
    /// The name of the red piece, or of a person.
    pub player: Option<String>,
}

/// A line of the level proper, without its comment.
pub(super) struct Content<'a> {
    pub text: &'a str,
    /// Start in the level's text, in bytes.
    pub start: usize,
}

impl Settings {
    /// Reads the lines of a text: settings, those that are the level proper, and what is wrong
    /// with the settings.
    pub fn read_lines<'a>(mut self, text: &'a str, origin: &Origin) -> (Self, Vec<Content<'a>>, Vec<Diagnostic>) {
        let mut content = Vec::new();
        let mut faults = Vec::new();
        for line in lines(text) {
            match line.kind {
                LineKind::Blank | LineKind::Comment => {}
                LineKind::Content => {
                    let text = line.text.split('#').next().unwrap_or("");
                    content.push(Content { text, start: line.start });
                }
                LineKind::Setting { key, value, value_start, hashed } => {
                    let span = value_start..value_start + value.len();
                    match self.set(key, value, origin.span(span.clone())) {
                        Ok(()) => {}
                        Err(Unset::UnknownKey) if hashed => {}
                        Err(Unset::UnknownKey) => {
                            let line = line.start..line.start + line.text.len();
                            let fault = origin.error("unknown-setting", line, format!("{key:?} is not a setting"));
                            faults.push(fault.with_help(
                                "the settings are id, board (or size), exit, wall, red and player; a remark starts with #",
                            ));
                        }
                        Err(Unset::Bad { code, message, help }) => {
                            faults.push(origin.error(code, span, message).with_help(help));
                        }
                    }
                }
            }
        }
        (self, content, faults)
    }

    fn set(&mut self, key: &str, value: &str, span: Range<usize>) -> Result<(), Unset> {
        match key.to_ascii_lowercase().as_str() {
            // The name of the level is the business of the file that holds it.
            "id" => {}
            "board" | "size" => {
                let value = board_size(value)?;
                if self.board.as_ref().is_some_and(|board| board.value != value) {
                    return Err(repeated("the size of the board"));
                }
                self.board = Some(Spanned { value, span });
            }
            "exit" => self.exits.push(Spanned { value: exit(value)?, span }),
            "wall" | "walls" => {
                for wall in value.split(',') {
                    self.walls.push(Spanned { value: wall_cell(wall)?, span: span.clone() });
                }
            }
            "red" if self.red.as_ref().is_some_and(|red| red.value != value) => return Err(repeated("the red piece")),
            "red" if !value.is_empty() => self.red = Some(Spanned { value: value.to_owned(), span }),
            "player" if !value.is_empty() => self.player = Some(value.to_owned()),
            _ => return Err(Unset::UnknownKey),
        }
        Ok(())
    }
}

/// Reason why a setting cannot be used.
enum Unset {
    UnknownKey,
    Bad { code: &'static str, message: String, help: &'static str },
}

fn repeated(what: &str) -> Unset {
    let message = format!("{what} is given twice, and differently");
    Unset::Bad { code: "repeated-setting", message, help: "keep one of the two" }
}

fn board_size(value: &str) -> Result<(usize, usize), Unset> {
    let size = level::board_size(value).filter(|&(width, height)| is_side(width) && is_side(height));
    size.ok_or_else(|| Unset::Bad {
        code: "bad-board-size",
        message: format!("{value:?} is not the size of a board"),
        help: "write columns x rows, each from 1 to 255, as in `# board: 6x6`",
    })
}

pub(super) fn is_side(side: usize) -> bool {
    (1..=MAX_SIDE).contains(&side)
}

fn exit(value: &str) -> Result<WrittenExit, Unset> {
    let mut words = value.split_whitespace();
    let side = words.next().and_then(side);
    let line = words.next().map(|line| whole_number(line)?.checked_sub(1));
    match (side, line, words.next()) {
        (Some(side), None, None) => Ok(WrittenExit { side, line: None }),
        (Some(side), Some(Some(line)), None) => Ok(WrittenExit { side, line: Some(line) }),
        _ => Err(Unset::Bad {
            code: "bad-exit",
            message: format!("{value:?} is not an exit"),
            help: "write the side (left, right, top, bottom) and the row or column from 1, as in `# exit: right 3`",
        }),
    }
}

fn wall_cell(value: &str) -> Result<(usize, usize), Unset> {
    let mut numbers = value.split_whitespace().map(|number| whole_number(number)?.checked_sub(1));
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Some(row)), Some(Some(column)), None) => Ok((row, column)),
        _ => Err(Unset::Bad {
            code: "bad-number",
            message: format!("{:?} is not a cell", value.trim()),
            help: "write row and column from 1, several cells with commas between them, as in `# wall: 1 4, 6 2`",
        }),
    }
}

/// The side of this name.
pub(super) fn side(name: &str) -> Option<Side> {
    [Side::Top, Side::Right, Side::Bottom, Side::Left]
        .into_iter()
        .find(|&side| side_name(side).eq_ignore_ascii_case(name))
}

/// The name of a side in every notation.
pub(super) fn side_name(side: Side) -> &'static str {
    match side {
        Side::Top => "top",
        Side::Right => "right",
        Side::Bottom => "bottom",
        Side::Left => "left",
    }
}

/// A whole number that leaves room for arithmetic.
pub(super) fn whole_number(text: &str) -> Option<usize> {
    usize::try_from(text.parse::<u32>().ok()?).ok()
}
