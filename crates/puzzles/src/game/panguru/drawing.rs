//! Positions as drawings: a triangle where the plates make one, else a circle.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use super::level::{Board, NO_COLOUR, Panguru};
use super::lines::triangle_rows;
use crate::game::Puzzle;
use crate::game::picture::{Form, Ground, Picture, Role, Shape, colours_of_letters};

/// Height of a row of plates that touch: half of the square root of 3.
const ROW_HEIGHT: f64 = 0.866;

/// Width of a plate and of a pebble, in cells.
const PLATE: f64 = 0.96;
const PEBBLE: f64 = 0.68;

/// The position as a drawing: plates as rings, pebbles as discs with their letters.
pub(super) fn picture(rules: &Panguru, board: Board) -> Picture {
    let n_plates = rules.n_plates();
    let (centres, width, height) = match triangle_rows(n_plates) {
        Some(rows) => triangle_centres(rows),
        None => circle_centres(n_plates),
    };
    let shown = colours_of_letters(&rules.colours);
    let mut shapes = Vec::with_capacity(2 * n_plates);
    for (plate, &centre) in centres.iter().enumerate() {
        let role = match rules.wanted[plate] {
            NO_COLOUR => Role::Frame,
            colour => Role::Target(shown[usize::from(colour)]),
        };
        shapes.push(disc(centre, PLATE, role, String::new()));
        if let Some(colour) = rules.pebble_at(board, plate) {
            shapes.push(disc(centre, PEBBLE, Role::Piece(shown[colour]), rules.colours[colour].to_string()));
        }
    }
    let text = Some(text(rules, board));
    Picture { width, height, ground: Ground::Plain, shapes, text, ..Picture::grid(0, 0) }
}

/// A disc around a centre, which is a row and a column.
fn disc((row, column): (f64, f64), size: f64, role: Role, label: String) -> Shape {
    let (row, column) = (row - size / 2.0, column - size / 2.0);
    Shape { row, column, rows: size, columns: size, form: Form::Disc, role, label }
}

/// The centres of the plates of a triangle, and the width and height that hold them.
fn triangle_centres(rows: usize) -> (Vec<(f64, f64)>, f64, f64) {
    let places = (0..rows).flat_map(|row| (0..=row).map(move |place| (row as f64, place as f64)));
    let middle = rows as f64 / 2.0;
    let centres = places.map(|(row, place)| (0.5 + row * ROW_HEIGHT, middle + place - row / 2.0)).collect();
    (centres, rows as f64, 1.0 + (rows as f64 - 1.0) * ROW_HEIGHT)
}

/// Plates around a circle, clockwise from the top, so that neighbours touch.
fn circle_centres(n_plates: usize) -> (Vec<(f64, f64)>, f64, f64) {
    let radius = 0.5 / (TAU / 2.0 / n_plates as f64).sin();
    let middle = radius + 0.5;
    let angle = |plate: usize| TAU * plate as f64 / n_plates as f64;
    let centre = |plate| (middle - radius * f64::cos(angle(plate)), middle + radius * f64::sin(angle(plate)));
    ((0..n_plates).map(centre).collect(), 2.0 * middle, 2.0 * middle)
}

/// The position for terminals: pebbles beside plates, as two triangles or as two lines under the numbers of the
/// plates.
fn text(rules: &Panguru, board: Board) -> String {
    let pebbles: Vec<char> = rules.format_state(board).chars().collect();
    let plates = &rules.plates;
    match triangle_rows(rules.n_plates()) {
        Some(rows) => triangle_text(&pebbles, plates, rows),
        None => lines_text(&pebbles, plates),
    }
}

fn triangle_text(pebbles: &[char], plates: &[char], rows: usize) -> String {
    let width = (2 * rows - 1).max("pebbles".len());
    let mut text = format!("{:^width$}   {:^width$}", "pebbles", "plates").trim_end().to_owned() + "\n";
    let mut first = 0;
    for row in 1..=rows {
        let cells = |marks: &[char]| {
            let marks: Vec<String> = marks[first..first + row].iter().map(char::to_string).collect();
            format!("{:^width$}", marks.join(" "))
        };
        let line = format!("{}   {}", cells(pebbles), cells(plates));
        let _ = writeln!(text, "{}", line.trim_end());
        first += row;
    }
    text
}

fn lines_text(pebbles: &[char], plates: &[char]) -> String {
    let numbers: String = (0..plates.len()).map(|plate| format!(" {plate:>2}")).collect();
    format!("plate  {numbers}\npebbles{}\nplates {}\n", text_row(pebbles), text_row(plates))
}

fn text_row(marks: &[char]) -> String {
    marks.iter().map(|mark| format!(" {mark:>2}")).collect::<String>()
}
