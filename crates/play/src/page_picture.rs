//! Positions as pages draw them: the board of a level, how its shapes look, and every shape once. The page of a report and the
//! page on which people play draw from these.

use plymap_figures::boards::paint;
use plymap_puzzles::game::Picture;
use plymap_puzzles::game::picture::{Form, Ground, Image, ImagePart, Role, Shape, Side};
use serde::{Deserialize, Serialize};

use plymap_tables::interner::Interner;

/// Board that all positions of a level share; rows and columns from 0, row 0 on top.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Board {
    /// Number of columns.
    pub width: f64,
    /// Number of rows.
    pub height: f64,
    /// True if it has a frame and the lines of its cells.
    pub grid: bool,
    /// Row, column and side (`top`, `right`, `bottom`, `left`) of each cell at which the frame is open.
    pub openings: Vec<(usize, usize, String)>,
    /// Row, column, rows and columns of the part that shows the goal, and the height of its caption.
    #[serde(default)]
    pub goal: Option<(f64, f64, f64, f64, f64)>,
}

/// Form in which a shape fills its rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaintForm {
    /// All of it, with rounded corners.
    Block,
    /// As an ellipse.
    Disc,
    /// With nothing but its label.
    Label,
    /// As the image of the paint.
    Image,
}

/// Style in which a shape is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaintStyle {
    /// Its colour and a thin line around it, thick when it has moved.
    Piece,
    /// Its colour alone.
    Plain,
    /// A thick outline of its colour.
    Target,
}

/// Look of the shapes of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paint {
    /// Form in which it fills its rectangle.
    pub form: PaintForm,
    /// Style in which it is drawn.
    pub style: PaintStyle,
    /// Colour as `#rrggbb`.
    pub fill: String,
    /// Colour of a label on it.
    pub ink: String,
    /// The free border, as a share of the smaller side.
    pub inset: f64,
    /// True if it lies below everything that moves, such as a goal or a peg.
    pub below: bool,
    /// True if its label only names it, so that a board can do without.
    pub named: bool,
    /// The parts of its image, where it has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub image: Vec<PaintPart>,
}

/// Part of an image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PaintPart {
    /// Closed outlines: x and y of each point in turn, in thousandths of the width and the height of the image.
    pub outlines: Vec<Vec<u16>>,
    /// Colour as `#rrggbb`.
    pub fill: String,
}

/// A shape inside a rectangle in units of cells: row, column, rows, columns, index in `paints`, label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoardShape(pub f64, pub f64, pub f64, pub f64, pub u32, pub String);

/// The shapes of a level and how they look, each once.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// Rectangles by their bits, for numbers as such have no order.
    keys: Interner<([u64; 4], u32, String)>,
    /// The paints with what they were made of, which is cheaper to compare.
    paints: Vec<(Role, Form, Paint)>,
}

impl Shapes {
    /// The numbers of the shapes of a position, in the order in which they are drawn.
    pub fn of<'a>(&'a mut self, picture: &'a Picture) -> impl Iterator<Item = u32> + 'a {
        picture.shapes.iter().map(|shape| self.number(shape))
    }

    /// The number of a shape: its row, column, rows and columns in units of cells, how it looks, and its label.
    pub fn number(&mut self, shape: &Shape) -> u32 {
        let known = self.paints.iter().position(|(role, form, _)| *role == shape.role && *form == shape.form);
        let place = known.unwrap_or_else(|| {
            self.paints.push((shape.role, shape.form.clone(), Paint::of(shape)));
            self.paints.len() - 1
        });
        let rectangle = [shape.row, shape.column, shape.rows, shape.columns];
        self.keys.number((rectangle.map(f64::to_bits), place as u32, shape.label.clone()))
    }

    /// The shapes and the paints by their numbers.
    pub fn into_lists(self) -> (Vec<BoardShape>, Vec<Paint>) {
        let paints = self.paints.into_iter().map(|(_, _, paint)| paint).collect();
        (self.keys.into_items().into_iter().map(board_shape).collect(), paints)
    }
}

fn board_shape((bits, paint, label): ([u64; 4], u32, String)) -> BoardShape {
    let [row, column, rows, columns] = bits.map(f64::from_bits);
    BoardShape(row, column, rows, columns, paint, label)
}

impl Board {
    /// Returns the board that all positions of a level share, from one of them.
    pub fn of(picture: &Picture) -> Self {
        let side = |side: Side| match side {
            Side::Top => "top",
            Side::Right => "right",
            Side::Bottom => "bottom",
            Side::Left => "left",
        };
        Self {
            width: picture.width,
            height: picture.height,
            grid: picture.ground == Ground::Grid,
            goal: picture.goal.map(|area| (area.row, area.column, area.rows, area.columns, area.caption)),
            openings: picture.openings.iter().map(|gap| (gap.row, gap.column, side(gap.side).to_owned())).collect(),
        }
    }
}

impl Paint {
    /// Returns the look of a shape.
    pub fn of(shape: &Shape) -> Self {
        let (fill, ink, inset) = paint(shape.role);
        let style = match shape.role {
            Role::Target(_) => PaintStyle::Target,
            Role::Wall | Role::Frame | Role::Lamp(_) | Role::Mark => PaintStyle::Plain,
            Role::Hero | Role::Piece(_) | Role::Ranked(_) => PaintStyle::Piece,
        };
        let form = match &shape.form {
            Form::Disc => PaintForm::Disc,
            Form::Block if shape.role == Role::Mark => PaintForm::Disc,
            Form::Block => PaintForm::Block,
            Form::Label => PaintForm::Label,
            Form::Image(_) => PaintForm::Image,
        };
        let image = match &shape.form {
            Form::Image(image) => parts(image, fill),
            _ => Vec::new(),
        };
        let below = matches!(shape.role, Role::Frame | Role::Target(_));
        let named = shape.role.is_named() && form != PaintForm::Label;
        Self { form, style, fill: hex(fill), ink: hex(ink), inset, below, named, image }
    }
}

/// The parts of an image; those without a colour of their own have that of the shape.
fn parts(image: &Image, fill: [u8; 3]) -> Vec<PaintPart> {
    let thousandth = |share: f64| (share.clamp(0.0, 1.0) * 1000.0).round() as u16;
    let numbers =
        |outline: &Vec<(f64, f64)>| outline.iter().flat_map(|&(x, y)| [thousandth(x), thousandth(y)]).collect();
    let part = |part: &ImagePart| PaintPart {
        outlines: part.outlines.iter().map(numbers).collect(),
        fill: hex(part.fill.unwrap_or(fill)),
    };
    image.parts.iter().map(part).collect()
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_and_paints_are_kept_once() {
        let block = |row, role, label: &str| Shape::block(row, 0, 1, 2, role, label.to_owned());
        let disc = Shape { form: Form::Disc, ..block(1, Role::Hero, "A") };
        let mut picture = Picture::grid(3, 3);
        picture.shapes = vec![
            block(1, Role::Hero, "A"),
            block(0, Role::Hero, "A"),
            disc,
            block(1, Role::Hero, "A"),
            block(1, Role::Hero, "B"),
        ];
        let mut shapes = Shapes::default();
        assert_eq!(shapes.of(&picture).collect::<Vec<u32>>(), [0, 1, 2, 0, 3]);
        let (all, paints) = shapes.into_lists();
        assert_eq!(all[2], BoardShape(1.0, 0.0, 1.0, 2.0, 1, "A".to_owned()));
        assert_eq!(
            (all.len(), paints.iter().map(|paint| paint.form).collect()),
            (4, vec![PaintForm::Block, PaintForm::Disc])
        );
    }
}
