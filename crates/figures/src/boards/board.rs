//! One position as a drawing.

use std::f64::consts::TAU;

use plotters::style::RGBColor;

use super::change::{self, Edge};
use crate::ChartError;
use crate::colours::luminance;
use crate::label::Label;
use crate::message::Message;
use crate::sheet::{INK, MM_PER_PT, Pen, Rect, SOFT_INK, Sheet, TextStyle, WHITE};
use plymap_picture::Picture;
use plymap_picture::{Form, GoalArea, Ground, Image, N_COLOURS, NAMED, Opening, Role, Shape, Side};

const RED: RGBColor = RGBColor(204, 51, 17);
const WALL: RGBColor = RGBColor(119, 119, 119);
const FRAME: RGBColor = RGBColor(187, 187, 187);
/// Field of the part of a picture that shows the goal.
const GOAL_AREA: RGBColor = RGBColor(238, 241, 244);
const LAMP_ON: RGBColor = RGBColor(255, 221, 68);
const LAMP_OFF: RGBColor = RGBColor(76, 76, 76);
/// Colours under dark letters that any colour vision can distinguish: the "light" scheme of Tol (2021,
/// technical note SRON/EPS/TN/09-002) without its grey, which is the walls', and its orange, which is near red.
///
/// Dark ones follow where these are not enough, three of them of the scheme "muted" of the same note; none is near red, the grey of
/// walls or one of the first seven.
const PIECES: [RGBColor; N_COLOURS] = [
    RGBColor(119, 170, 221),
    RGBColor(238, 221, 136),
    RGBColor(68, 187, 153),
    RGBColor(255, 170, 187),
    RGBColor(187, 204, 51),
    RGBColor(153, 221, 255),
    RGBColor(170, 170, 0),
    RGBColor(51, 34, 136),
    RGBColor(17, 119, 51),
    RGBColor(170, 68, 153),
    RGBColor(136, 84, 48),
    RGBColor(0, 90, 110),
];
/// Light red, orange, purple and white, in the order of [`NAMED`]. Not every colour vision tells them from the
/// others; they stand where a letter says the colour too.
const NAMED_COLOURS: [RGBColor; 4] =
    [RGBColor(238, 110, 100), RGBColor(255, 170, 85), RGBColor(195, 155, 215), RGBColor(247, 247, 247)];
/// From light to strong: the scheme YlOrBr with nine classes of ColorBrewer
/// (Harrower and Brewer, 2003).
const RANKS: [RGBColor; 9] = [
    RGBColor(255, 255, 229),
    RGBColor(255, 247, 188),
    RGBColor(254, 227, 145),
    RGBColor(254, 196, 79),
    RGBColor(254, 153, 41),
    RGBColor(236, 112, 20),
    RGBColor(204, 76, 2),
    RGBColor(153, 52, 4),
    RGBColor(102, 37, 6),
];
/// The rank of the strongest colour: that of the tile 131072, the largest that fits a board of 4 x 4.
const LAST_RANK: usize = 17;

/// Free room beside a label on its shape, both sides together, in millimetres.
const BESIDE_LABEL_MM: f64 = 0.3;
/// Free room above and below a label, both sides together, in millimetres.
const ABOVE_LABEL_MM: f64 = 0.4;
/// The least thickness of a piece that stands on no grid, in millimetres.
const LEAST_PIECE_MM: f64 = 1.2;
/// Number of corners that stand for an ellipse.
const ELLIPSE_CORNERS: usize = 48;

/// Draws a position. What moved since `before` has a thick outline, dashed outlines show where it stood; a line
/// runs round lamps that changed.
pub(in super::super) fn draw(
    sheet: &Sheet,
    place: Rect,
    board: &Picture,
    before: Option<&Picture>,
) -> Result<(), ChartError> {
    if board.width <= 0.0 || board.height <= 0.0 {
        return sheet.no_data(place, &Label::none());
    }
    let cell = place.width / board.width;
    if board.ground == Ground::Grid {
        draw_grid(sheet, place, board, cell)?;
    }
    if let Some(area) = &board.goal {
        draw_goal_area(sheet, place, area, cell)?;
    }
    let field = |shape: &Shape| Rect {
        left: place.left + shape.column * cell,
        top: place.top + shape.row * cell,
        width: shape.columns * cell,
        height: shape.rows * cell,
    };
    let moved = before.map(|before| change::moved(before, board)).unwrap_or_default();
    // Dashed outlines lie on what never moves: below a peg or a plate they would not be seen.
    let is_below = |shape: &&Shape| matches!(shape.role, Role::Frame | Role::Target(_));
    let (below, others): (Vec<&Shape>, Vec<&Shape>) = board.shapes.iter().partition(is_below);
    for shape in below {
        draw_shape(sheet, field(shape), shape, cell, false)?;
    }
    for (from, _) in &moved {
        draw_trace(sheet, field(from), from, cell)?;
    }
    for shape in others {
        let is_moved = moved.iter().any(|(_, to)| *to == shape);
        draw_shape(sheet, field(shape), shape, cell, is_moved)?;
    }
    if board.ground == Ground::Grid {
        draw_frame_with_gaps(sheet, place, board, cell)?;
    }
    let switched = before.map(|before| change::switched(before, board)).unwrap_or_default();
    draw_edges(sheet, place, cell, &change::border(&switched))
}

/// The side of a cell, in millimetres, at which every label fits that a reader needs: the numbers of tiles, and
/// on a board with goals the letters of pieces, which tell their goals where colours do not. Other labels may be
/// left out. Pieces that are thinner than a cell, such as disks on pegs, keep [`LEAST_PIECE_MM`].
pub(in super::super) fn least_cell_mm(board: &Picture, pt: f64) -> Result<f64, ChartError> {
    let letter = TextStyle::new(pt);
    let has_goals = board.shapes.iter().any(|shape| matches!(shape.role, Role::Target(_)));
    let is_needed = |shape: &&Shape| match shape.role {
        _ if shape.form == Form::Label => true,
        Role::Ranked(_) => true,
        Role::Hero | Role::Piece(_) => has_goals,
        _ => false,
    };
    let mut least: f64 = 0.0;
    for shape in board.shapes.iter().filter(|shape| !shape.label.is_empty()).filter(is_needed) {
        let (width, height) = (letter.width_of(&shape.label)?, cap_mm(&letter));
        let (columns, rows) = inner_size(shape);
        least = least.max(match shape.form {
            Form::Block | Form::Label | Form::Image(_) => {
                ((width + BESIDE_LABEL_MM) / columns).max((height + ABOVE_LABEL_MM) / rows)
            }
            Form::Disc => width.hypot(height) / columns.min(rows),
        });
    }
    if board.ground == Ground::Plain {
        let pieces = board.shapes.iter().filter(|shape| matches!(shape.role, Role::Hero | Role::Piece(_)));
        least = pieces.map(|shape| LEAST_PIECE_MM / shape.rows.min(shape.columns)).fold(least, f64::max);
    }
    // A little more, because lengths are rounded.
    Ok(if least.is_finite() { 1.001 * least } else { 0.0 })
}

/// Height of capitals and digits.
fn cap_mm(letter: &TextStyle) -> f64 {
    0.73 * letter.em_mm()
}

/// Columns and rows that are left inside the free border of a shape.
fn inner_size(shape: &Shape) -> (f64, f64) {
    let border = 2.0 * inset_of(shape.role) * shape.rows.min(shape.columns);
    (shape.columns - border, shape.rows - border)
}

/// Look of a shape of this role: the colour of its field, that of a letter on it, and its free border as a share of
/// its smaller side.
pub fn paint(role: Role) -> ([u8; 3], [u8; 3], f64) {
    let (fill, ink) = (colour_of(role), ink_on(colour_of(role)));
    ([fill.0, fill.1, fill.2], [ink.0, ink.1, ink.2], inset_of(role))
}

/// The free border of a shape, as a share of its smaller side.
fn inset_of(role: Role) -> f64 {
    match role {
        Role::Hero | Role::Piece(_) => 0.08,
        Role::Wall => 0.02,
        Role::Target(_) => 0.07,
        Role::Lamp(_) | Role::Ranked(_) => 0.04,
        Role::Frame => 0.0,
        Role::Mark => 0.33,
    }
}

fn colour_of(role: Role) -> RGBColor {
    match role {
        Role::Hero | Role::Mark => RED,
        Role::Piece(number) | Role::Target(number) => piece_colour(number),
        Role::Wall => WALL,
        Role::Frame => FRAME,
        Role::Lamp(true) => LAMP_ON,
        Role::Lamp(false) => LAMP_OFF,
        Role::Ranked(rank) => rank_colour(rank),
    }
}

fn piece_colour(number: usize) -> RGBColor {
    let named = NAMED.iter().position(|&(_, known)| known == number);
    named.map_or(PIECES[number % PIECES.len()], |index| NAMED_COLOURS[index])
}

/// The colour of a rank from 1 to [`LAST_RANK`]; those beyond share the colour of their end.
fn rank_colour(rank: usize) -> RGBColor {
    let share = (rank.clamp(1, LAST_RANK) - 1) as f64 / (LAST_RANK - 1) as f64;
    let position = share * (RANKS.len() - 1) as f64;
    let below = (position.floor() as usize).min(RANKS.len() - 2);
    let part = position - below as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    let (a, b) = (RANKS[below], RANKS[below + 1]);
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// Black or white, whichever stands out more on a colour (relative luminance of WCAG 2.2).
fn ink_on(colour: RGBColor) -> RGBColor {
    // Contrast with black and with white is equal where (l + 0.05)² = 1.05 · 0.05.
    if luminance(colour) > 0.179 { INK } else { WHITE }
}

fn draw_shape(sheet: &Sheet, field: Rect, shape: &Shape, cell: f64, is_moved: bool) -> Result<(), ChartError> {
    let size = shape.rows.min(shape.columns) * cell;
    let inner = field.inset(inset_of(shape.role) * size);
    let colour = colour_of(shape.role);
    let form = &shape.form;
    match shape.role {
        _ if *form == Form::Label => {}
        Role::Wall | Role::Frame | Role::Lamp(_) => fill(sheet, inner, form, colour)?,
        Role::Target(_) => {
            // A dark rim on both sides: some of the colours are pale on white.
            let width_pt = (0.1 * size / MM_PER_PT).clamp(0.8, 2.4);
            fill(sheet, inner, form, WHITE)?;
            outline(sheet, inner, form, Pen::new(SOFT_INK, width_pt + 0.6))?;
            outline(sheet, inner, form, Pen::new(colour, width_pt))?;
        }
        Role::Mark => {
            let radius = (inner.width.min(inner.height) / 2.0).min(1.2);
            sheet.disc(inner.centre(), radius + 0.15, WHITE, 1.0)?;
            sheet.disc(inner.centre(), radius, colour, 1.0)?;
        }
        Role::Hero | Role::Piece(_) | Role::Ranked(_) => {
            fill(sheet, inner, form, colour)?;
            let thick_pt = (0.25 * size / MM_PER_PT).clamp(0.6, 1.4);
            let pen = if is_moved { Pen::new(INK, thick_pt) } else { Pen::new(SOFT_INK, 0.35) };
            outline(sheet, inner, form, pen)?;
        }
    }
    draw_label(sheet, inner, shape, size)
}

/// The label in the middle of its shape, where it fits.
fn draw_label(sheet: &Sheet, inner: Rect, shape: &Shape, size: f64) -> Result<(), ChartError> {
    if shape.label.is_empty() {
        return Ok(());
    }
    let small = sheet.style.small_pt;
    let mut pt = sheet.style.title_pt.min(0.62 * size / MM_PER_PT).max(small);
    let room = inner.width - BESIDE_LABEL_MM;
    if matches!(shape.role, Role::Ranked(_)) {
        // Long numbers are set smaller; by a little more than they must, because lengths are rounded.
        pt = pt.min(0.99 * pt * room / TextStyle::new(pt).width_of(&shape.label)?).max(small);
    }
    let is_on_white = matches!(shape.role, Role::Target(_)) || shape.form == Form::Label;
    let ink = if is_on_white { INK } else { ink_on(colour_of(shape.role)) };
    let letter = TextStyle::new(pt).centre().colour(ink);
    let width = letter.width_of(&shape.label)?;
    let fits = match shape.form {
        Form::Block | Form::Label | Form::Image(_) => width <= room && cap_mm(&letter) <= inner.height - ABOVE_LABEL_MM,
        Form::Disc => width.hypot(cap_mm(&letter)) <= inner.width.min(inner.height),
    };
    if !fits {
        return Ok(());
    }
    sheet.text(inner.centre().0, inner.centre().1 + letter.half_cap_mm(), &shape.label, letter)
}

/// The dashed outline where a shape stood.
fn draw_trace(sheet: &Sheet, field: Rect, shape: &Shape, cell: f64) -> Result<(), ChartError> {
    let size = shape.rows.min(shape.columns) * cell;
    let inner = field.inset(inset_of(shape.role) * size);
    let outlines = match &shape.form {
        Form::Block => vec![inner.corners().to_vec()],
        Form::Disc => vec![ellipse(inner)],
        Form::Label => Vec::new(),
        Form::Image(image) => parts(image, inner).map(|(outline, _)| outline).collect(),
    };
    for mut points in outlines {
        points.extend(points.first().copied());
        // Full dashes are as long as the side of a small shape.
        sheet.dashed_in(&points, Pen::new(INK, 0.5), (size / 2.0).min(1.0))?;
    }
    Ok(())
}

/// The outlines of an image in its place, each with its colour where it has one.
fn parts(image: &Image, place: Rect) -> impl Iterator<Item = (Vec<(f64, f64)>, Option<RGBColor>)> {
    let at = move |&(x, y): &(f64, f64)| (place.left + x * place.width, place.top + y * place.height);
    image.parts.iter().flat_map(move |part| {
        let colour = part.fill.map(|[red, green, blue]| RGBColor(red, green, blue));
        part.outlines.iter().map(move |outline| (outline.iter().map(at).collect(), colour))
    })
}

/// The part of a picture that shows the goal: a field with its caption.
fn draw_goal_area(sheet: &Sheet, place: Rect, area: &GoalArea, cell: f64) -> Result<(), ChartError> {
    let field = Rect {
        left: place.left + area.column * cell,
        top: place.top + area.row * cell,
        width: area.columns * cell,
        height: area.rows * cell,
    };
    sheet.fill(&field.corners(), GOAL_AREA, 1.0)?;
    let letter = TextStyle::new(sheet.style.small_pt).centre().colour(INK);
    let room = area.caption * cell;
    if letter.width_of(&Message::Goal)? > field.width - BESIDE_LABEL_MM || cap_mm(&letter) > room {
        return Ok(());
    }
    sheet.text(field.centre().0, field.top + room / 2.0 + letter.half_cap_mm(), &Message::Goal, letter)
}

fn fill(sheet: &Sheet, place: Rect, form: &Form, colour: RGBColor) -> Result<(), ChartError> {
    match form {
        Form::Label => Ok(()),
        Form::Image(image) => {
            parts(image, place).try_for_each(|(outline, own)| sheet.fill(&outline, own.unwrap_or(colour), 1.0))
        }
        Form::Block => sheet.fill(&place.corners(), colour, 1.0),
        Form::Disc if is_round(place) => sheet.disc(place.centre(), place.width / 2.0, colour, 1.0),
        Form::Disc => sheet.fill(&ellipse(place), colour, 1.0),
    }
}

fn outline(sheet: &Sheet, place: Rect, form: &Form, pen: Pen) -> Result<(), ChartError> {
    match form {
        Form::Label => Ok(()),
        Form::Image(image) => parts(image, place).try_for_each(|(outline, _)| sheet.outline(&outline, pen)),
        Form::Block => sheet.outline(&place.corners(), pen),
        Form::Disc if is_round(place) => sheet.ring(place.centre(), place.width / 2.0, pen),
        Form::Disc => sheet.outline(&ellipse(place), pen),
    }
}

fn is_round(place: Rect) -> bool {
    (place.width - place.height).abs() < 0.005
}

fn ellipse(place: Rect) -> Vec<(f64, f64)> {
    let (x, y) = place.centre();
    let angle = |corner: usize| TAU * corner as f64 / ELLIPSE_CORNERS as f64;
    let corner = |corner: usize| {
        let (sine, cosine) = angle(corner).sin_cos();
        (x + place.width / 2.0 * cosine, y + place.height / 2.0 * sine)
    };
    (0..ELLIPSE_CORNERS).map(corner).collect()
}

fn draw_grid(sheet: &Sheet, place: Rect, board: &Picture, cell: f64) -> Result<(), ChartError> {
    let pen = Pen::new(RGBColor(225, 225, 225), 0.3);
    for column in 1..board.width as usize {
        let x = place.left + column as f64 * cell;
        sheet.line(&[(x, place.top), (x, place.bottom())], pen)?;
    }
    for row in 1..board.height as usize {
        let y = place.top + row as f64 * cell;
        sheet.line(&[(place.left, y), (place.right(), y)], pen)?;
    }
    Ok(())
}

/// Red lines along edges, half a line longer at both ends, which closes the corners.
fn draw_edges(sheet: &Sheet, place: Rect, cell: f64, edges: &[Edge]) -> Result<(), ChartError> {
    const WIDTH_PT: f64 = 1.3;
    for (from, to) in edges {
        let beyond = WIDTH_PT / 2.0 * MM_PER_PT;
        let (across, down) = if from.0 == to.0 { (beyond, 0.0) } else { (0.0, beyond) };
        let at = |(row, column): (f64, f64)| (place.left + column * cell, place.top + row * cell);
        let (from, to) = (at(*from), at(*to));
        sheet.line(&[(from.0 - across, from.1 - down), (to.0 + across, to.1 + down)], Pen::new(RED, WIDTH_PT))?;
    }
    Ok(())
}

/// The border of the board, open where the board is, with an arrow through each gap.
fn draw_frame_with_gaps(sheet: &Sheet, place: Rect, board: &Picture, cell: f64) -> Result<(), ChartError> {
    let (n_columns, n_rows) = (board.width as usize, board.height as usize);
    let pen = Pen::new(INK, 0.9);
    for side in [Side::Top, Side::Right, Side::Bottom, Side::Left] {
        let across = matches!(side, Side::Top | Side::Bottom);
        let (cells, length) = if across { (n_columns, place.width) } else { (n_rows, place.height) };
        let at = |along: f64, out: f64| match side {
            Side::Top => (place.left + along, place.top - out),
            Side::Bottom => (place.left + along, place.bottom() + out),
            Side::Left => (place.left - out, place.top + along),
            Side::Right => (place.right() + out, place.top + along),
        };
        let is_open = |index: usize| {
            let line = match side {
                Side::Top | Side::Left => 0,
                Side::Bottom => n_rows - 1,
                Side::Right => n_columns - 1,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_has_the_colour_of_its_piece() {
        for number in 0..20 {
            assert_eq!(colour_of(Role::Piece(number)), colour_of(Role::Target(number)));
        }
        let colours: Vec<RGBColor> = (0..7).map(|number| colour_of(Role::Piece(number))).collect();
        assert!((1..7).all(|number| !colours[..number].contains(&colours[number])));
    }

    #[test]
    fn higher_tiles_are_darker() {
        let sum = |rank: usize| {
            let RGBColor(red, green, blue) = rank_colour(rank);
            u32::from(red) + u32::from(green) + u32::from(blue)
        };
        assert!((1..LAST_RANK).all(|rank| sum(rank + 1) < sum(rank)));
        assert_eq!((rank_colour(0), rank_colour(40)), (RANKS[0], RANKS[8]));
        assert_eq!((ink_on(rank_colour(1)), ink_on(rank_colour(LAST_RANK))), (INK, WHITE));
    }

    #[test]
    fn the_least_cell_holds_the_labels_that_are_needed() {
        let board = |role: Role, label: &str| {
            let shapes = vec![Shape::block(0, 0, 1, 1, role, label.to_owned())];
            Picture { shapes, ..Picture::grid(4, 4) }
        };
        let least = |picture: &Picture| least_cell_mm(picture, 6.0).unwrap();
        assert_eq!(least(&board(Role::Hero, "A")), 0.0);
        let (short, long) = (least(&board(Role::Ranked(1), "2")), least(&board(Role::Ranked(17), "131072")));
        assert!(short > 1.5 && short < 3.0 && long > 8.0 && long < 10.0, "{short} {long}");
        let mut with_goal = board(Role::Piece(0), "A");
        assert_eq!(least(&with_goal), 0.0);
        with_goal.shapes.push(Shape::block(1, 1, 1, 1, Role::Target(0), String::new()));
        assert!(least(&with_goal) > 1.5);
        let thin = Shape { rows: 0.6, ..Shape::block(0, 0, 1, 2, Role::Piece(0), "1".to_owned()) };
        let disks = Picture { shapes: vec![thin], ground: Ground::Plain, ..Picture::grid(4, 4) };
        assert!((least(&disks) - LEAST_PIECE_MM / 0.6).abs() < 0.01);
    }
}
