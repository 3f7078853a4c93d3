//! Pegs on a base, as shapes and as text.

use crate::game::picture::{Form, GoalArea, Ground, Picture, Role, Shape};

/// Height of the base, and thickness of a peg, in units of a ball or disk.
const BASE: f64 = 0.2;
const PEG: f64 = 0.12;
/// Part of a peg that shows above what it has room for.
const TIP: f64 = 0.3;

/// One ball or disk as it is drawn.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub label: String,
    pub width: f64,
    pub form: Form,
    pub role: Role,
    /// Its line of text.
    pub text: String,
}

/// Pegs with what is on them, bottom first.
#[derive(Clone, Debug)]
pub(super) struct Stand {
    pub pegs: Vec<Vec<Item>>,
    /// For how many balls or disks each peg is drawn.
    pub heights: Vec<usize>,
    /// From the middle of one peg to that of the next.
    pub spacing: f64,
    /// Height of a ball or disk.
    pub thickness: f64,
    /// Characters for each peg.
    pub text_width: usize,
}

impl Stand {
    /// The same as a target: outlines, which are too small for labels.
    pub(super) fn into_target(mut self) -> Self {
        for item in self.pegs.iter_mut().flatten() {
            item.label.clear();
            if let Role::Piece(colour) = item.role {
                item.role = Role::Target(colour);
            }
        }
        self
    }

    fn width(&self) -> f64 {
        self.spacing * self.pegs.len() as f64
    }

    fn height(&self) -> f64 {
        self.tallest() as f64 * self.thickness + TIP + BASE
    }

    fn tallest(&self) -> usize {
        self.heights.iter().copied().max().unwrap_or(0)
    }

    /// Its shapes, `scale` times as large, with the lower left corner of the base at `left` and `bottom`.
    fn shapes(&self, left: f64, bottom: f64, scale: f64) -> Vec<Shape> {
        let block = |row: f64, column: f64, rows: f64, columns: f64, form: &Form, role: Role, label: &str| Shape {
            row: bottom - row * scale,
            column: left + column * scale,
            rows: rows * scale,
            columns: columns * scale,
            form: form.clone(),
            role,
            label: label.to_owned(),
        };
        let mut shapes = vec![block(BASE, 0.0, BASE, self.width(), &Form::Block, Role::Frame, "")];
        for (number, (peg, &height)) in self.pegs.iter().zip(&self.heights).enumerate() {
            let middle = (number as f64 + 0.5) * self.spacing;
            let rows = height as f64 * self.thickness + TIP;
            shapes.push(block(BASE + rows, middle - PEG / 2.0, rows, PEG, &Form::Block, Role::Frame, ""));
            for (level, item) in peg.iter().enumerate() {
                let row = BASE + (level + 1) as f64 * self.thickness;
                let column = middle - item.width / 2.0;
                shapes.push(block(row, column, self.thickness, item.width, &item.form, item.role, &item.label));
            }
        }
        shapes
    }

    /// Its lines of text: pegs from the top, base, numbers of the pegs.
    fn lines(&self, title: &str) -> Vec<String> {
        let centred = |text: &str| format!("{text:^width$}", width = self.text_width);
        let mut lines = Vec::new();
        for level in (0..self.tallest()).rev() {
            let cells = self.pegs.iter().zip(&self.heights).map(|(peg, &height)| match peg.get(level) {
                Some(item) => centred(&item.text),
                None if level < height => centred("|"),
                None => centred(""),
            });
            lines.push(cells.collect());
        }
        lines.push("-".repeat(self.text_width * self.pegs.len()));
        lines.push((1..=self.pegs.len()).map(|number| centred(&number.to_string())).collect());
        if !title.is_empty() {
            lines.push(format!("{title:^width$}", width = self.text_width * self.pegs.len()));
        }
        lines
    }
}

/// Scale of the target, the gap between both, and the free border of its area.
const TARGET_SCALE: f64 = 0.55;
const GAP: f64 = 0.5;
const BORDER: f64 = 0.15;
/// Height of the caption of the target, as a share of the width of the picture: so it can be read on a telephone.
const CAPTION: f64 = 0.06;

/// A position with its target, smaller, on its right.
pub(super) fn beside_target(stand: &Stand, target: &Stand) -> Picture {
    let columns = target.width() * TARGET_SCALE + 2.0 * BORDER;
    let left = stand.width() + GAP;
    let width = left + columns;
    let rows = target.height() * TARGET_SCALE + CAPTION * width + 2.0 * BORDER;
    let height = stand.height().max(rows);
    let area = GoalArea { row: height - rows, column: left, rows, columns, caption: CAPTION * width + BORDER };
    let mut shapes = stand.shapes(0.0, height, 1.0);
    shapes.extend(target.shapes(left + BORDER, height - BORDER, TARGET_SCALE));
    let lines = stand.lines("now").into_iter().zip(target.lines("target"));
    let lines = lines.map(|(now, target)| format!("{now}    {target}")).collect();
    picture((width, height), shapes, area, lines)
}

/// A position with its target, smaller, above it: for stands that are wide and low. The text is that of the position.
pub(super) fn below_target(stand: &Stand, target: &Stand) -> Picture {
    let width = stand.width();
    let columns = target.width() * TARGET_SCALE + 2.0 * BORDER;
    let rows = target.height() * TARGET_SCALE + CAPTION * width + 2.0 * BORDER;
    let left = (width - columns) / 2.0;
    let area = GoalArea { row: 0.0, column: left, rows, columns, caption: CAPTION * width + BORDER };
    let height = rows + GAP + stand.height();
    let mut shapes = target.shapes(left + BORDER, rows - BORDER, TARGET_SCALE);
    shapes.extend(stand.shapes(0.0, height, 1.0));
    picture((width, height), shapes, area, stand.lines(""))
}

fn picture((width, height): (f64, f64), shapes: Vec<Shape>, goal: GoalArea, lines: Vec<String>) -> Picture {
    let text = lines.iter().map(|line| format!("{}\n", line.trim_end())).collect();
    Picture { width, height, ground: Ground::Plain, shapes, goal: Some(goal), text: Some(text), ..Picture::grid(0, 0) }
}
