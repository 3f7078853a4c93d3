//! Boards, and the film strip of a solution.

use plotters::style::RGBColor;

use super::sheet::{Draft, INK, MARGIN, Pen, Rect, SOFT_INK, Sheet, Type, WHITE};
use super::{ChartError, Figure, Heading, PlottedData, Style};
use crate::game::Picture;
use crate::game::picture::{Opening, Role, Shape, Side};

/// The narrowest board of a film strip, in millimetres.
pub const LEAST_BOARD_MM: f64 = 14.0;
/// The widest board of a film strip, in millimetres.
const WIDEST_BOARD_MM: f64 = 30.0;
/// The widest board that stands alone, in millimetres.
const LONE_BOARD_MM: f64 = 60.0;
/// Room beside an open side of a board, for the arrow, in millimetres.
const ARROW_MM: f64 = 1.5;
/// Room beside a closed side of a board, for half its border, in millimetres.
const BORDER_MM: f64 = 0.2;
/// Room between the boards of a film strip, in millimetres.
const GAP_MM: f64 = 0.8;

const RED: RGBColor = RGBColor(204, 51, 17);
const WALL: RGBColor = RGBColor(119, 119, 119);
/// Colours under dark letters that any colour vision can tell apart: the "light" scheme of Tol (2021,
/// technical note SRON/EPS/TN/09-002) without its grey, which is the walls', and its orange, which is near red.
const PIECES: [RGBColor; 7] = [
    RGBColor(119, 170, 221),
    RGBColor(238, 221, 136),
    RGBColor(68, 187, 153),
    RGBColor(255, 170, 187),
    RGBColor(187, 204, 51),
    RGBColor(153, 221, 255),
    RGBColor(170, 170, 0),
];

/// One position.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// The position.
    pub board: Picture,
}

/// One board of a film strip.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The position after the move.
    pub board: Picture,
    /// The move that led here, such as `A+2`, or `start`.
    pub caption: String,
    /// Distance to the goal in this position, in moves.
    pub distance: Option<u32>,
}

/// The positions of a solution, the start first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StripInput {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// The boards in their order.
    pub frames: Vec<Frame>,
}

/// Draws one position.
///
/// # Errors
///
/// [`ChartError::Input`] if a shape or an opening lies outside of the board.
pub fn draw(input: &Input, style: &Style) -> Result<Figure, ChartError> {
    let frame = Frame { board: input.board.clone(), caption: String::new(), distance: None };
    let frames = std::slice::from_ref(&frame);
    check(&input.heading, frames)?;
    let reading = "The piece that the level is about is red; a gap in the frame with an arrow is an exit".to_owned();
    let draft = Draft {
        heading: &input.heading,
        style,
        page: (1, 1),
        notes: vec![],
        keys: vec![],
        reading,
        data: data(frames, 0),
    };
    if input.board.width == 0 || input.board.height == 0 {
        return draft.draw_empty();
    }
    let border = Border::around([&input.board].into_iter());
    let room = (style.width.mm() - 2.0 * MARGIN - border.across()).min(LONE_BOARD_MM);
    let height = draft.max_body_mm()? - border.down();
    let cell = (room / input.board.width as f64).min(height / input.board.height as f64).min(10.0);
    let body_mm = cell * input.board.height as f64 + border.down();
    draft.draw(body_mm, |sheet, body| {
        let place = border.inside((body.left, body.top), cell, &input.board);
        draw_board(sheet, place, &input.board, None)
    })
}

/// Draws a solution as boards in rows, on as many pages as they need. The piece that moved has a thick
/// outline, a dashed one shows where it stood.
///
/// # Errors
///
/// [`ChartError::Input`] if a shape or an opening lies outside of its board.
pub fn draw_strip(input: &StripInput, style: &Style) -> Result<Vec<Figure>, ChartError> {
    check(&input.heading, &input.frames)?;
    let reading = "Boards follow one another from left to right and from top to bottom; the piece that moved has a \
                   thick outline, the dashed outline shows where it stood; below each board the number of the move, \
                   the move, and how many moves are left to the goal";
    let draft = |page: (usize, usize), first: usize, frames: &[Frame]| Draft {
        heading: &input.heading,
        style,
        page,
        notes: vec![],
        keys: vec![],
        reading: reading.to_owned(),
        data: data(frames, first),
    };
    if input.frames.iter().all(|frame| frame.board.width == 0 || frame.board.height == 0) {
        return Ok(vec![draft((1, 1), 0, &input.frames).draw_empty()?]);
    }
    let strip = Strip::new(input, style, draft((99, 99), 0, &[]).max_body_mm()?);
    let pages = input.frames.len().div_ceil(strip.columns * strip.rows);
    // Whole rows on each page, as evenly as they go.
    let rows = input.frames.len().div_ceil(strip.columns);
    let page_of = |page: usize| {
        let (first, end) = (page * rows / pages * strip.columns, (page + 1) * rows / pages * strip.columns);
        let end = end.min(input.frames.len());
        let body_mm = (end - first).div_ceil(strip.columns) as f64 * strip.pitch.1;
        let draft = draft((page + 1, pages), first, &input.frames[first..end]);
        draft.draw(body_mm, |sheet, body| {
            (first..end).try_for_each(|index| strip.draw_frame(sheet, body, input, index, index - first))
        })
    };
    (0..pages).map(page_of).collect()
}

/// Room around a board, in millimetres.
#[derive(Clone, Copy)]
struct Border {
    top: f64,
    right: f64,
    bottom: f64,
    left: f64,
}

impl Border {
    /// Room for the arrows of all openings of the boards.
    fn around<'a>(boards: impl Iterator<Item = &'a Picture> + Clone) -> Self {
        let room = |side: Side| {
            let mut openings = boards.clone().flat_map(|board| &board.openings);
            if openings.any(|opening| opening.side == side) { ARROW_MM } else { BORDER_MM }
        };
        Self { top: room(Side::Top), right: room(Side::Right), bottom: room(Side::Bottom), left: room(Side::Left) }
    }

    fn across(&self) -> f64 {
        self.left + self.right
    }

    fn down(&self) -> f64 {
        self.top + self.bottom
    }

    /// The place of a board whose border starts at a point.
    fn inside(&self, (x, y): (f64, f64), cell: f64, board: &Picture) -> Rect {
        let (width, height) = (cell * board.width as f64, cell * board.height as f64);
        Rect { left: x + self.left, top: y + self.top, width, height }
    }
}

/// How a film strip is laid out; lengths in millimetres.
struct Strip {
    columns: usize,
    /// Rows that fit a page.
    rows: usize,
    /// Space from one board to the next, across and down.
    pitch: (f64, f64),
    cell: f64,
    border: Border,
}

impl Strip {
    /// The columns that leave the fewest places of the last row free, of all that keep the strip no higher
    /// than 0.9 of its width; as many as fit where that cannot be.
    fn new(input: &StripInput, style: &Style, room: f64) -> Self {
        let boards = input.frames.iter().map(|frame| &frame.board);
        let border = Border::around(boards.clone());
        let across = boards.clone().map(|board| board.width).max().unwrap_or(1).max(1) as f64;
        let down = boards.map(|board| board.height).max().unwrap_or(1).max(1) as f64;
        // The last board of a row needs no gap behind it.
        let width = style.width.mm() - 2.0 * MARGIN + GAP_MM;
        let text = 2.0 * Type::new(style.small_pt).line_mm() + 2.0;
        let beside = border.across() + GAP_MM;
        let layout = |columns: usize| {
            let board = (width / columns as f64 - beside).min(WIDEST_BOARD_MM);
            // A tall board must not need more than a page.
            let cell = (board / across).min((room - text - border.down()) / down);
            let pitch = (cell * across + beside, cell * down + border.down() + text);
            Self { columns, rows: ((room / pitch.1).floor() as usize).max(1), pitch, cell, border }
        };
        let frames = input.frames.len();
        let most = ((width / (LEAST_BOARD_MM + beside)).floor() as usize).max(1);
        let fewest = ((width / (WIDEST_BOARD_MM + beside)).ceil() as usize).clamp(1, most);
        let low = |strip: &Self| frames.div_ceil(strip.columns) as f64 * strip.pitch.1 <= (0.9 * width).min(room);
        let free = |strip: &Self| (frames.next_multiple_of(strip.columns) - frames, strip.columns);
        (fewest..=most).map(layout).filter(low).min_by_key(free).unwrap_or_else(|| layout(most))
    }

    fn draw_frame(
        &self,
        sheet: &Sheet,
        body: Rect,
        input: &StripInput,
        index: usize,
        slot: usize,
    ) -> Result<(), ChartError> {
        let frame = &input.frames[index];
        let small = Type::new(sheet.style.small_pt);
        let corner = (
            body.left + (slot % self.columns) as f64 * self.pitch.0,
            body.top + (slot / self.columns) as f64 * self.pitch.1,
        );
        let place = self.border.inside(corner, self.cell, &frame.board);
        let before = index.checked_sub(1).map(|before| &input.frames[before].board);
        draw_board(sheet, place, &frame.board, before)?;
        let (left, room) = (corner.0, self.pitch.0 - 0.8);
        let caption = if index == 0 { frame.caption.clone() } else { format!("{index}. {}", frame.caption) };
        let base = place.bottom() + self.border.bottom + 0.5 + small.em_mm();
        sheet.text(left, base, &small.bold().cut(&caption, room)?, small.bold())?;
        let left_to_go = match frame.distance {
            Some(0) => "goal".to_owned(),
            Some(distance) => format!("{distance} to go"),
            None => "no way to go".to_owned(),
        };
        sheet.text(left, base + small.line_mm(), &small.cut(&left_to_go, room)?, small.colour(SOFT_INK))
    }
}

fn check(heading: &Heading, frames: &[Frame]) -> Result<(), ChartError> {
    for Frame { board, .. } in frames {
        let outside =
            |shape: &&Shape| shape.row + shape.rows > board.height || shape.column + shape.columns > board.width;
        let beyond = |opening: &&Opening| opening.row >= board.height || opening.column >= board.width;
        let what = match (board.shapes.iter().find(outside), board.openings.iter().find(beyond)) {
            (Some(shape), _) => format!("the shape {:?} at row {}, column {}", shape.label, shape.row, shape.column),
            (_, Some(opening)) => format!("the opening at row {}, column {}", opening.row, opening.column),
            _ => continue,
        };
        let what = format!("{what} lies outside of the board of {} × {} cells", board.height, board.width);
        return Err(ChartError::Input { figure: heading.name.clone(), what });
    }
    Ok(())
}

fn draw_board(sheet: &Sheet, place: Rect, board: &Picture, before: Option<&Picture>) -> Result<(), ChartError> {
    if board.width == 0 || board.height == 0 {
        return sheet.no_data(place, "");
    }
    let cell = place.width / board.width as f64;
    draw_grid(sheet, place, board, cell)?;
    let field = |shape: &Shape| Rect {
        left: place.left + shape.column as f64 * cell,
        top: place.top + shape.row as f64 * cell,
        width: shape.columns as f64 * cell,
        height: shape.rows as f64 * cell,
    };
    let moved = before.map(|before| moved(before, board)).unwrap_or_default();
    for (from, _) in &moved {
        sheet.dashed(&closed(field(from).inset(0.08 * cell)), Pen::new(INK, 0.5))?;
    }
    for shape in &board.shapes {
        let is_moved = moved.iter().any(|(_, to)| *to == shape);
        draw_shape(sheet, field(shape), shape, cell, is_moved)?;
    }
    draw_frame_with_gaps(sheet, place, board, cell)
}

fn closed(field: Rect) -> Vec<(f64, f64)> {
    field.corners().into_iter().chain(field.corners().into_iter().take(1)).collect()
}

/// Shapes that stand elsewhere than before, with where they stood.
fn moved<'a>(before: &'a Picture, after: &'a Picture) -> Vec<(&'a Shape, &'a Shape)> {
    let same =
        |a: &Shape, b: &Shape| a.role == b.role && a.label == b.label && (a.rows, a.columns) == (b.rows, b.columns);
    let gone: Vec<&Shape> = before.shapes.iter().filter(|shape| !after.shapes.contains(shape)).collect();
    let came = after.shapes.iter().filter(|shape| !before.shapes.contains(shape));
    came.filter_map(|to| gone.iter().find(|from| same(from, to)).map(|from| (*from, to))).collect()
}

fn draw_grid(sheet: &Sheet, place: Rect, board: &Picture, cell: f64) -> Result<(), ChartError> {
    let pen = Pen::new(RGBColor(225, 225, 225), 0.3);
    for column in 1..board.width {
        let x = place.left + column as f64 * cell;
        sheet.line(&[(x, place.top), (x, place.bottom())], pen)?;
    }
    for row in 1..board.height {
        let y = place.top + row as f64 * cell;
        sheet.line(&[(place.left, y), (place.right(), y)], pen)?;
    }
    Ok(())
}

fn colour_of(role: Role) -> RGBColor {
    match role {
        Role::Hero => RED,
        Role::Piece(number) | Role::Target(number) => PIECES[number % PIECES.len()],
        Role::Wall => WALL,
    }
}

fn draw_shape(sheet: &Sheet, field: Rect, shape: &Shape, cell: f64, is_moved: bool) -> Result<(), ChartError> {
    let inner = field.inset(0.08 * cell);
    match shape.role {
        Role::Wall => sheet.fill(&field.inset(0.02 * cell).corners(), WALL, 1.0)?,
        Role::Target(_) => sheet.outline(&field.inset(0.14 * cell).corners(), Pen::new(colour_of(shape.role), 1.2))?,
        Role::Hero | Role::Piece(_) => {
            sheet.fill(&inner.corners(), colour_of(shape.role), 1.0)?;
            let pen = if is_moved { Pen::new(INK, 1.4) } else { Pen::new(SOFT_INK, 0.35) };
            sheet.outline(&inner.corners(), pen)?;
        }
    }
    let letter =
        Type::new(sheet.style.title_pt.min(0.62 * cell / super::sheet::MM_PER_PT).max(sheet.style.small_pt)).centre();
    let letter = if shape.role == Role::Hero || shape.role == Role::Wall { letter.colour(WHITE) } else { letter };
    let fits = letter.width_of(&shape.label)? <= inner.width - 0.3 && 0.73 * letter.em_mm() <= inner.height - 0.4;
    if shape.label.is_empty() || !fits {
        return Ok(());
    }
    sheet.text(inner.centre().0, inner.centre().1 + letter.half_cap_mm(), &shape.label, letter)
}

/// The border of the board, open where the board is, with an arrow through each gap.
fn draw_frame_with_gaps(sheet: &Sheet, place: Rect, board: &Picture, cell: f64) -> Result<(), ChartError> {
    let pen = Pen::new(INK, 0.9);
    for side in [Side::Top, Side::Right, Side::Bottom, Side::Left] {
        let across = matches!(side, Side::Top | Side::Bottom);
        let (cells, length) = if across { (board.width, place.width) } else { (board.height, place.height) };
        let at = |along: f64, out: f64| match side {
            Side::Top => (place.left + along, place.top - out),
            Side::Bottom => (place.left + along, place.bottom() + out),
            Side::Left => (place.left - out, place.top + along),
            Side::Right => (place.right() + out, place.top + along),
        };
        let is_open = |index: usize| {
            let line = match side {
                Side::Top | Side::Left => 0,
                Side::Bottom => board.height - 1,
                Side::Right => board.width - 1,
            };
            let (row, column) = if across { (line, index) } else { (index, line) };
            board.openings.contains(&Opening { row, column, side })
        };
        let mut from = 0.0;
        for index in (0..cells).filter(|&index| is_open(index)) {
            sheet.line(&[at(from, 0.0), at(index as f64 * cell, 0.0)], pen)?;
            from = (index + 1) as f64 * cell;
            let (middle, half) = ((index as f64 + 0.5) * cell, (0.25 * cell).min(0.8));
            sheet.fill(&[at(middle - half, 0.35), at(middle + half, 0.35), at(middle, 0.35 + 1.5 * half)], INK, 1.0)?;
        }
        sheet.line(&[at(from, 0.0), at(length, 0.0)], pen)?;
    }
    Ok(())
}

fn data(frames: &[Frame], first: usize) -> PlottedData {
    let header = ["board", "caption", "distance", "kind", "label", "row", "column", "rows", "columns"];
    let mut data = PlottedData::new(&header);
    for (index, frame) in frames.iter().enumerate() {
        let distance = frame.distance.map(|distance| distance.to_string()).unwrap_or_default();
        let head = [(first + index).to_string(), frame.caption.clone(), distance];
        let mut push = |kind: String, label: &str, numbers: [usize; 4]| {
            let cells = [kind, label.to_owned()].into_iter().chain(numbers.map(|number| number.to_string()));
            data.rows.push(head.iter().cloned().chain(cells).collect());
        };
        push("board".to_owned(), "", [0, 0, frame.board.height, frame.board.width]);
        for shape in &frame.board.shapes {
            let kind = match shape.role {
                Role::Hero => "hero".to_owned(),
                Role::Piece(number) => format!("piece {number}"),
                Role::Wall => "wall".to_owned(),
                Role::Target(number) => format!("target {number}"),
            };
            push(kind, &shape.label, [shape.row, shape.column, shape.rows, shape.columns]);
        }
        for opening in &frame.board.openings {
            let kind = format!("opening {}", format!("{:?}", opening.side).to_lowercase());
            push(kind, "", [opening.row, opening.column, 1, 1]);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::super::{Width, legible};
    use super::*;

    /// A board on which the red piece stands in column `at` of row 2, with an exit to the right.
    fn board(size: usize, at: usize) -> Picture {
        let shape = |row, column, rows, columns, role, label: &str| Shape {
            row,
            column,
            rows,
            columns,
            role,
            label: label.to_owned(),
        };
        Picture {
            width: size,
            height: size,
            shapes: vec![
                shape(2, at, 1, 2, Role::Hero, "A"),
                shape(0, 0, 2, 1, Role::Piece(0), "B"),
                shape(3, 1, 1, 3, Role::Piece(1), "W"),
                shape(4, 4, 1, 1, Role::Wall, ""),
                shape(5, 5, 1, 1, Role::Target(3), "t"),
            ],
            openings: vec![Opening { row: 2, column: size - 1, side: Side::Right }],
        }
    }

    fn strip(moves: usize, size: usize) -> StripInput {
        let frame = |index: usize| Frame {
            board: board(size, index % 4),
            caption: if index == 0 { "start".to_owned() } else { "A+1".to_owned() },
            distance: Some((moves - index) as u32),
        };
        let heading = Heading { name: "solution".to_owned(), title: "A solution".to_owned(), ..Default::default() };
        StripInput { heading, frames: (0..=moves).map(frame).collect() }
    }

    #[test]
    fn the_data_are_the_input() {
        let input = StripInput { frames: strip(1, 6).frames, ..Default::default() };
        let csv = draw_strip(&input, &Style::default()).unwrap()[0].to_csv().unwrap();
        for line in [
            "0,start,1,hero,A,2,0,1,2",
            "1,A+1,0,hero,A,2,1,1,2",
            "1,A+1,0,opening right,,2,5,1,1",
            "0,start,1,board,,0,0,6,6",
        ] {
            assert!(csv.contains(&format!("\n{line}\n")), "{line} in {csv}");
        }
    }

    #[test]
    fn every_width_and_length_is_legible() {
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            let style = Style::new(width);
            for size in [6, 12, 30] {
                for moves in [0, 1, 8, 60, 200] {
                    let pages = draw_strip(&strip(moves, size), &style).unwrap();
                    pages.iter().for_each(legible::check);
                    assert!(pages.iter().all(|page| page.height_mm <= style.max_height_mm));
                    assert_eq!(pages, draw_strip(&strip(moves, size), &style).unwrap());
                }
                let input = Input { heading: Heading::default(), board: board(size, 0) };
                legible::check(&draw(&input, &style).unwrap());
            }
            let none = draw_strip(&StripInput::default(), &style).unwrap();
            assert!(none[0].svg.contains("no data"));
        }
    }

    #[test]
    fn the_moved_piece_is_found() {
        let (before, after) = (board(6, 0), board(6, 2));
        let moved = moved(&before, &after);
        assert_eq!(moved.len(), 1);
        assert_eq!((moved[0].0.column, moved[0].1.column, moved[0].1.label.as_str()), (0, 2, "A"));
    }

    #[test]
    fn shapes_outside_of_the_board_are_named() {
        let mut input = strip(1, 6);
        input.frames[1].board.shapes[2].column = 5;
        let error = draw_strip(&input, &Style::default()).unwrap_err().to_string();
        assert!(error.contains("\"W\" at row 3, column 5"), "{error}");
    }
}
