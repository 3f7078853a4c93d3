//! Images of things that are neither blocks nor discs: coloured outlines, read from path data as SVG has them.

use std::f64::consts::TAU;
use std::iter::Peekable;
use std::str::Chars;

/// Straight pieces that stand for a curve, and corners that stand for a circle.
const CURVE_STEPS: u32 = 12;
const CIRCLE_CORNERS: u32 = 48;
/// The most points of one part: more could be seen by nobody.
const MAX_POINTS: usize = 5_000;

/// A point, as `(x, y)`.
pub type Point = (f64, f64);

/// An image that fills the rectangle of its shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// Parts, drawn in this order.
    pub parts: Vec<ImagePart>,
}

/// Part of an image, in one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct ImagePart {
    /// Closed outlines, each of which is filled; x and y as shares of the width and the height of the image.
    pub outlines: Vec<Vec<Point>>,
    /// Colour as red, green and blue; without it that of the shape.
    pub fill: Option<[u8; 3]>,
}

impl ImagePart {
    /// Reads SVG path data (W3C, SVG 2, section 9.3) without arcs, in an image of this width and height.
    ///
    /// # Errors
    ///
    /// A reason with the remedy, if the text is no such path, or leaves the image.
    pub fn path(text: &str, (width, height): (f64, f64), fill: Option<[u8; 3]>) -> Result<Self, String> {
        let mut pen = Pen::default();
        let mut letters = text.chars().peekable();
        let mut command = None;
        loop {
            skip_blanks(&mut letters);
            let Some(&next) = letters.peek() else { break };
            if next.is_ascii_alphabetic() {
                command = Some(next);
                letters.next();
            }
            command = Some(pen.run(command.ok_or("the path does not begin with M")?, &mut letters)?);
            if pen.n_points > MAX_POINTS {
                return Err(format!("the path has more than {MAX_POINTS} points: draw it with fewer curves"));
            }
        }
        let outlines: Vec<Vec<Point>> = pen.outlines.into_iter().filter(|outline| outline.len() > 2).collect();
        if outlines.is_empty() {
            return Err("the path encloses nothing: it needs three points at least".to_owned());
        }
        Self { outlines, fill }.within(width, height)
    }

    /// A circle in an image of this width and height.
    ///
    /// # Errors
    ///
    /// A reason, if it leaves the image.
    pub fn circle(
        (x, y): Point,
        radius: f64,
        (width, height): (f64, f64),
        fill: Option<[u8; 3]>,
    ) -> Result<Self, String> {
        let corner = |corner: u32| {
            let (sine, cosine) = (TAU * f64::from(corner) / f64::from(CIRCLE_CORNERS)).sin_cos();
            (x + radius * cosine, y + radius * sine)
        };
        Self { outlines: vec![(0..CIRCLE_CORNERS).map(corner).collect()], fill }.within(width, height)
    }

    /// The same with shares in place of lengths.
    fn within(mut self, width: f64, height: f64) -> Result<Self, String> {
        for point in self.outlines.iter_mut().flatten() {
            let share = (point.0 / width, point.1 / height);
            let is_inside = |share: f64| (-1e-6..=1.0 + 1e-6).contains(&share);
            if !is_inside(share.0) || !is_inside(share.1) {
                return Err(format!(
                    "the point {}, {} lies outside of the image of {width} x {height}: draw inside of it, or give another \
                     `width` and `height`",
                    rounded(point.0),
                    rounded(point.1)
                ));
            }
            *point = share;
        }
        Ok(self)
    }
}

/// The pen that follows a path.
#[derive(Default)]
struct Pen {
    outlines: Vec<Vec<Point>>,
    at: Point,
    /// Where the outline began.
    first: Point,
    /// The last control point of a curve, for the smooth ones.
    control: Option<(char, Point)>,
    n_points: usize,
}

impl Pen {
    /// Carries out a command with its numbers; returns the command that further numbers repeat.
    fn run(&mut self, command: char, letters: &mut Peekable<Chars<'_>>) -> Result<char, String> {
        let is_relative = command.is_ascii_lowercase();
        let origin = if is_relative { self.at } else { (0.0, 0.0) };
        let kind = command.to_ascii_uppercase();
        if self.outlines.is_empty() && kind != 'M' {
            return Err("the path does not begin with M".to_owned());
        }
        let mut number = || number_of(letters, command);
        let mut point = || -> Result<Point, String> { Ok((origin.0 + number()?, origin.1 + number()?)) };
        let before = self.control.take();
        match kind {
            'M' => {
                self.at = point()?;
                self.first = self.at;
                self.outlines.push(vec![self.at]);
                return Ok(if is_relative { 'l' } else { 'L' });
            }
            'L' => self.line(point()?),
            'H' => self.line((origin.0 + number()?, self.at.1)),
            'V' => self.line((self.at.0, origin.1 + number()?)),
            'C' | 'S' => {
                let first = if kind == 'C' { point()? } else { self.mirrored(before, 'C') };
                let (second, end) = (point()?, point()?);
                self.curve([self.at, first, second, end]);
                self.control = Some(('C', second));
            }
            'Q' | 'T' => {
                let control = if kind == 'Q' { point()? } else { self.mirrored(before, 'Q') };
                let (from, end) = (self.at, point()?);
                let toward = |point: Point| between(point, control, 2.0 / 3.0);
                self.curve([from, toward(from), toward(end), end]);
                self.control = Some(('Q', control));
            }
            'Z' => {
                self.at = self.first;
                return if next_is_number(letters) {
                    Err("a number follows Z in the path".to_owned())
                } else {
                    Ok('Z')
                };
            }
            'A' => return Err("the path has an arc (A), which is not read: write it as curves (C)".to_owned()),
            _ => return Err(format!("the path has {command:?}, which is none of the commands M L H V C S Q T Z")),
        }
        Ok(command)
    }

    fn line(&mut self, to: Point) {
        // After Z the next outline begins where the last one did.
        if self.at == self.first && self.outlines.last().is_some_and(|outline| outline.len() > 1) {
            self.outlines.push(vec![self.first]);
        }
        self.at = to;
        self.n_points += 1;
        if let Some(outline) = self.outlines.last_mut() {
            outline.push(to);
        }
    }

    /// A cubic curve of Bézier, in straight pieces.
    fn curve(&mut self, [from, first, second, end]: [Point; 4]) {
        for step in 1..=CURVE_STEPS {
            let share = f64::from(step) / f64::from(CURVE_STEPS);
            let (low, middle, high) =
                (between(from, first, share), between(first, second, share), between(second, end, share));
            let at = between(between(low, middle, share), between(middle, high, share), share);
            self.line(if step == CURVE_STEPS { end } else { at });
        }
    }

    /// The control point that continues a curve of the same kind smoothly.
    fn mirrored(&self, before: Option<(char, Point)>, kind: char) -> Point {
        match before {
            Some((known, control)) if known == kind => (2.0 * self.at.0 - control.0, 2.0 * self.at.1 - control.1),
            _ => self.at,
        }
    }
}

fn between(from: Point, to: Point, share: f64) -> Point {
    (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1))
}

fn skip_blanks(letters: &mut Peekable<Chars<'_>>) {
    while letters.next_if(|letter| letter.is_ascii_whitespace() || *letter == ',').is_some() {}
}

fn next_is_number(letters: &mut Peekable<Chars<'_>>) -> bool {
    skip_blanks(letters);
    letters.peek().is_some_and(|letter| !letter.is_ascii_alphabetic())
}

/// Reads a number as SVG writes it: the next one may begin with its sign or its point.
fn number_of(letters: &mut Peekable<Chars<'_>>, command: char) -> Result<f64, String> {
    skip_blanks(letters);
    let mut text: String = letters.next_if(|letter| matches!(letter, '+' | '-')).into_iter().collect();
    let mut has_point = false;
    while let Some(letter) = letters.next_if(|letter| letter.is_ascii_digit() || (*letter == '.' && !has_point)) {
        has_point |= letter == '.';
        text.push(letter);
    }
    text.parse().map_err(|_| {
        let next = letters.peek().map_or("the end".to_owned(), |letter| format!("{letter:?}"));
        format!("the path needs a number after {command}, and has {next}")
    })
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: (f64, f64) = (10.0, 20.0);

    fn outlines(path: &str) -> Vec<Vec<Point>> {
        ImagePart::path(path, BOX, None).unwrap().outlines
    }

    #[test]
    fn the_same_outline_can_be_written_in_many_ways() {
        let square = outlines("M0 0 L5 0 L5 10 L0 10 Z");
        assert_eq!(square, [[(0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5)]]);
        for path in ["M0,0H5V10H0z", "m0 0h5v10h-5", "M0 0 5 0 5 10 0 10", "m0 0l5 0 0 10-5 0z"] {
            assert_eq!(outlines(path), square, "{path}");
        }
        assert_eq!(outlines("M0 0H5V5zM1.5.5H3V1z").len(), 2);
        // A second outline may begin where the first one was closed.
        assert_eq!(outlines("M0 0H5V5zH2V2z").len(), 2);
    }

    #[test]
    fn curves_go_through_their_middle() {
        let curve = &outlines("M0 0C0 10 10 10 10 0Z")[0];
        assert_eq!((curve.len(), curve[12]), (13, (1.0, 0.0)));
        assert_eq!(curve[6], (0.5, 7.5 / 20.0));
        // A quadratic curve is the cubic one with control points at two thirds; S and T mirror the last control point.
        let middle = outlines("M0 0Q5 10 10 0Z")[0][6];
        assert!((middle.0 - 0.5).abs() < 1e-12 && (middle.1 - 0.25).abs() < 1e-12);
        assert_eq!(outlines("M0 5Q2 10 4 5T8 5V0Z"), outlines("M0 5Q2 10 4 5Q6 0 8 5V0Z"));
        assert_eq!(outlines("M0 5C1 8 3 8 4 5S7 2 8 5V0Z"), outlines("M0 5C1 8 3 8 4 5C5 2 7 2 8 5V0Z"));
    }

    #[test]
    fn what_is_no_path_is_refused_with_a_remedy() {
        for (path, words) in [
            ("5 5", "does not begin with M"),
            ("L5 5", "does not begin with M"),
            ("M0 0A5 5 0 0 0 5 5", "write it as curves (C)"),
            ("M0 0L5", "needs a number after L, and has the end"),
            ("M0 0LxZ", "needs a number after L, and has 'x'"),
            ("M0 0K5", "'K'"),
            ("M0 0Z5", "a number follows Z"),
            ("M0 0L5 5", "three points"),
            ("M0 0H11V5Z", "outside of the image of 10 x 20"),
        ] {
            let error = ImagePart::path(path, BOX, None).unwrap_err();
            assert!(error.contains(words), "{path}: {error}");
        }
        let long = format!("M0 0{}Z", "L1 1 2 2".repeat(MAX_POINTS));
        assert!(ImagePart::path(&long, BOX, None).unwrap_err().contains("more than 5000 points"));
        assert!(ImagePart::circle((5.0, 5.0), 6.0, BOX, None).unwrap_err().contains("outside"));
        let circle = ImagePart::circle((5.0, 10.0), 5.0, BOX, Some([1, 2, 3])).unwrap();
        assert_eq!(circle.outlines[0].len(), 48);
    }
}
