//! Differences between a position and the one before it.

use plymap_picture::{Picture, Role, Shape};

/// One side of a shape: its ends as row and column, the smaller ones first.
pub(super) type Edge = ((f64, f64), (f64, f64));

/// Pieces that stand elsewhere than before, each with where it stood. Pieces that look the same are distinguished
/// by nothing; any of those that left a place may be the one that came to another.
pub(in super::super) fn moved<'a>(before: &'a Picture, after: &'a Picture) -> Vec<(&'a Shape, &'a Shape)> {
    let is_piece = |shape: &&Shape| matches!(shape.role, Role::Hero | Role::Piece(_));
    let mut gone: Vec<&Shape> =
        before.shapes.iter().filter(is_piece).filter(|shape| !after.shapes.contains(shape)).collect();
    let came = after.shapes.iter().filter(is_piece).filter(|shape| !before.shapes.contains(shape));
    came.filter_map(|to| {
        let from = gone.iter().position(|from| is_same(from, to))?;
        Some((gone.remove(from), to))
    })
    .collect()
}

/// Returns true if two shapes look alike, wherever they stand.
fn is_same(a: &Shape, b: &Shape) -> bool {
    a.role == b.role && a.label == b.label && a.form == b.form && (a.rows, a.columns) == (b.rows, b.columns)
}

/// Lamps that were off and are on, or were on and are off.
pub(super) fn switched<'a>(before: &Picture, after: &'a Picture) -> Vec<&'a Shape> {
    let was_other = |shape: &&Shape| {
        let Role::Lamp(is_on) = shape.role else { return false };
        before.shapes.contains(&Shape { role: Role::Lamp(!is_on), ..(*shape).clone() })
    };
    after.shapes.iter().filter(was_other).collect()
}

/// The sides of shapes that no two of them share: the line round all of them.
pub(super) fn border(shapes: &[&Shape]) -> Vec<Edge> {
    let sides = |shape: &&Shape| {
        let (top, left) = (shape.row, shape.column);
        let (bottom, right) = (top + shape.rows, left + shape.columns);
        [
            ((top, left), (top, right)),
            ((bottom, left), (bottom, right)),
            ((top, left), (bottom, left)),
            ((top, right), (bottom, right)),
        ]
    };
    let all: Vec<Edge> = shapes.iter().flat_map(sides).collect();
    let near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-6;
    let is_shared = |edge: &Edge| all.iter().filter(|other| near(edge.0, other.0) && near(edge.1, other.1)).count() > 1;
    all.iter().filter(|edge| !is_shared(edge)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(shapes: Vec<Shape>) -> Picture {
        Picture { shapes, ..Picture::grid(3, 3) }
    }

    fn piece(row: usize, column: usize, role: Role) -> Shape {
        Shape::block(row, column, 1, 1, role, "A".to_owned())
    }

    #[test]
    fn pieces_that_look_the_same_are_paired_once() {
        let before = picture(vec![piece(0, 0, Role::Piece(0)), piece(0, 1, Role::Piece(0)), piece(2, 2, Role::Hero)]);
        let after = picture(vec![piece(1, 0, Role::Piece(0)), piece(1, 1, Role::Piece(0)), piece(2, 2, Role::Hero)]);
        let places = |shape: &Shape| (shape.row, shape.column);
        let moved: Vec<_> = moved(&before, &after).into_iter().map(|(from, to)| (places(from), places(to))).collect();
        assert_eq!(moved, [((0.0, 0.0), (1.0, 0.0)), ((0.0, 1.0), (1.0, 1.0))]);
    }

    #[test]
    fn only_pieces_move() {
        for role in [Role::Wall, Role::Target(0), Role::Lamp(true), Role::Ranked(1), Role::Frame, Role::Mark] {
            assert_eq!(moved(&picture(vec![piece(0, 0, role)]), &picture(vec![piece(1, 1, role)])), []);
        }
    }

    #[test]
    fn one_line_runs_round_the_lamps_of_a_press() {
        // A press in the middle of 3 x 3 switches a plus of five lamps, whose border has twelve sides.
        let pressed = |row: usize, column: usize| row == 1 || column == 1;
        let lamps = |is_on: fn(bool) -> bool| {
            let lamp = |cell: usize| piece(cell / 3, cell % 3, Role::Lamp(is_on(pressed(cell / 3, cell % 3))));
            picture((0..9).map(lamp).collect())
        };
        let (before, after) = (lamps(|_| false), lamps(|pressed| pressed));
        let switched = switched(&before, &after);
        assert_eq!(switched.len(), 5);
        let edges = border(&switched);
        assert_eq!(edges.len(), 12);
        assert!(edges.contains(&((0.0, 1.0), (0.0, 2.0))) && !edges.contains(&((1.0, 1.0), (1.0, 2.0))));
    }
}
