//! Places of states, and the courses of the arrows between them.

use crate::sheet::{MM_PER_PT, Rect};

/// Points along a curve.
const STEPS: usize = 60;
/// Free space between an arrow and its boxes in millimetres.
const CLEAR_MM: f64 = 0.3;

/// A place on the sheet in millimetres.
type Point = (f64, f64);

/// The boxes of the states.
pub(super) struct Nodes {
    pub places: Vec<Rect>,
    /// Length of a loop beyond its box, in millimetres.
    loop_mm: f64,
    /// Boxes below this height have their loops below them.
    middle: f64,
}

/// One arrow: the points of its curve between the borders of its boxes, from the first state to the second.
pub(super) struct Arrow {
    pub points: Vec<(f64, f64)>,
    pub share: f64,
    pub is_loop: bool,
}

impl Nodes {
    /// Boxes of the given widths and heights on an ellipse as large as fits; two stand side by side.
    pub fn new(body: Rect, sizes: &[(f64, f64)], label_mm: f64) -> Self {
        let widest = sizes.iter().map(|size| size.0).fold(0.0, f64::max);
        let highest = sizes.iter().map(|size| size.1).fold(0.0, f64::max);
        let loop_mm = (1.3 * label_mm).max(4.5);
        let count = sizes.len();
        let spread: Vec<(f64, f64)> = filling((0..count).map(|index| direction(index, count)).collect());
        let beyond = loop_mm + 0.4 * label_mm + highest / 2.0;
        let (left, right) = (body.left + widest / 2.0 + 1.0, body.right() - widest / 2.0 - 1.0);
        let top = body.top + beyond;
        // Boxes in one row have all loops above them.
        let bottom = if count < 3 { top } else { body.bottom() - beyond };
        let place = |(&(x, y), &(width, height)): (&(f64, f64), &(f64, f64))| {
            let (x, y) = (left + x * (right - left), top + y * (bottom - top));
            Rect { left: x - width / 2.0, top: y - height / 2.0, width, height }
        };
        let places = spread.iter().zip(sizes).map(place).collect();
        Self { places, loop_mm, middle: (top + bottom) / 2.0 }
    }

    /// The arrow from one box to another or back to the same, for a share of all transitions from the first.
    pub fn arrow(&self, from: usize, to: usize, share: f64) -> Arrow {
        let is_loop = from == to;
        let (from, to) = (self.places[from], self.places[to]);
        let points = if is_loop { self.round(from) } else { bent(from, to) };
        Arrow { points, share, is_loop }
    }

    /// The curve of a loop, outside of its box: above it, or below it where the box is in the lower half.
    fn round(&self, place: Rect) -> Vec<(f64, f64)> {
        let (x, y) = place.centre();
        let below = y > self.middle + 0.1;
        let (edge, sign) = if below { (place.bottom() + CLEAR_MM, 1.0) } else { (place.top - CLEAR_MM, -1.0) };
        let half = (0.24 * place.width).min(2.6);
        // The height of a cubic whose ends are on one line is three quarters of that of its inner points.
        let tip = edge + sign * self.loop_mm / 0.75;
        let (a, d) = ((x - sign * half, edge), (x + sign * half, edge));
        let (b, c) = ((x - sign * 2.1 * half, tip), (x + sign * 2.1 * half, tip));
        let at = |t: f64| {
            let s = 1.0 - t;
            let mix = |a: f64, b: f64, c: f64, d: f64| {
                s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
            };
            (mix(a.0, b.0, c.0, d.0), mix(a.1, b.1, c.1, d.1))
        };
        (0..=STEPS).map(|step| at(step as f64 / STEPS as f64)).collect()
    }
}

/// Direction of a box as seen from the middle: clockwise from the left, with one on top where the number is odd or six.
fn direction(index: usize, count: usize) -> (f64, f64) {
    let start = match count {
        3 | 5 => -0.5,
        4 => -0.75,
        6 => -5.0 / 6.0,
        _ => -1.0,
    };
    let turn = std::f64::consts::PI * (start + 2.0 * index as f64 / count as f64);
    if count == 1 { (0.0, 0.0) } else { (turn.cos(), turn.sin()) }
}

/// The points stretched so that they fill 0 to 1 both ways; where they are all the same, they are in the middle.
fn filling(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let ends = |values: &dyn Fn(&(f64, f64)) -> f64| {
        let low = points.iter().map(values).fold(f64::INFINITY, f64::min);
        (low, points.iter().map(values).fold(f64::NEG_INFINITY, f64::max))
    };
    let (x, y) = (ends(&|point| point.0), ends(&|point| point.1));
    let share =
        |value: f64, (low, high): (f64, f64)| if high - low > 1e-9 { (value - low) / (high - low) } else { 0.5 };
    points.iter().map(|point| (share(point.0, x), share(point.1, y))).collect()
}

/// A curve from box to box that keeps to its right, so that the two ways between a pair stand apart.
fn bent(from: Rect, to: Rect) -> Vec<(f64, f64)> {
    let (a, b) = (from.centre(), to.centre());
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy).max(0.01);
    let bend = (0.13 * length).clamp(3.0, 9.0);
    // The middle of a quadratic curve is half as far from its chord as its inner point.
    let inner = ((a.0 + b.0) / 2.0 - 2.0 * bend * dy / length, (a.1 + b.1) / 2.0 + 2.0 * bend * dx / length);
    let at = |t: f64| {
        let (s, u, v) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
        (s * a.0 + u * inner.0 + v * b.0, s * a.1 + u * inner.1 + v * b.1)
    };
    const FINE: usize = 400;
    let all: Vec<(f64, f64)> = (0..=FINE).map(|step| at(step as f64 / FINE as f64)).collect();
    let outside = |point: &(f64, f64)| !holds(&from, *point, CLEAR_MM) && !holds(&to, *point, CLEAR_MM);
    let free: Vec<(f64, f64)> = all.into_iter().filter(outside).collect();
    match free.len() {
        0 | 1 => vec![a, b],
        count => (0..=STEPS).map(|step| free[step * (count - 1) / STEPS]).collect(),
    }
}

fn holds(place: &Rect, (x, y): (f64, f64), border: f64) -> bool {
    x > place.left - border && x < place.right() + border && y > place.top - border && y < place.bottom() + border
}

impl Arrow {
    /// The line up to the head, and the three corners of the head.
    pub fn drawn(&self) -> (Vec<Point>, [Point; 3]) {
        let thick = width_pt(self.share) * MM_PER_PT;
        let (length, half) = (1.4 + 1.1 * thick, 0.55 + 0.8 * thick);
        let tip = self.points[self.points.len() - 1];
        // The head points along the curve, seen from as far back as it is long.
        let far = |point: &&(f64, f64)| (point.0 - tip.0).hypot(point.1 - tip.1) >= length;
        let back = self.points.iter().rev().find(far).copied().unwrap_or(self.points[0]);
        let reach = (tip.0 - back.0).hypot(tip.1 - back.1).max(0.01);
        let along = ((tip.0 - back.0) / reach, (tip.1 - back.1) / reach);
        let base = (tip.0 - length * along.0, tip.1 - length * along.1);
        let corner = |side: f64| (base.0 - side * half * along.1, base.1 + side * half * along.0);
        let mut line: Vec<(f64, f64)> =
            self.points.iter().take_while(|point| !far_within(point, tip, length)).copied().collect();
        line.push((base.0 + 0.2 * length * along.0, base.1 + 0.2 * length * along.1));
        (line, [tip, corner(1.0), corner(-1.0)])
    }
}

fn far_within(point: &(f64, f64), tip: (f64, f64), length: f64) -> bool {
    (point.0 - tip.0).hypot(point.1 - tip.1) < length
}

/// Width of the line of an arrow in points.
pub(super) fn width_pt(share: f64) -> f64 {
    0.5 + 3.5 * share
}
