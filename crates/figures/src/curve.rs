//! Curves with bands over a continuous quantity, such as power against the number of participants; as steps, survival
//! curves with censored observations and numbers at risk.

use super::axis::{Axis, Plot, Scale, rises, within_reach};
use super::chart::{Chart, Page};
use super::key::Key;
use super::label::{Label, note};
use super::message::Message;
use super::panels::{Multiples, PanelHead};
use super::series::{MOST_SERIES, SeriesMark, colour_of};
use super::sheet::{INK, Mark, Pen, SOFT_INK, Sheet, cell, grouped};
use super::{ChartError, Heading, PlottedData, Style};

mod input;
mod lines;
mod risk;

pub use input::{Curve, Curves, Point};

impl Chart for Curves {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        let most = self.pages.iter().map(Vec::len).max().unwrap_or(0);
        if most > MOST_SERIES {
            return Err(format!("{most} curves, but one figure keeps {MOST_SERIES} apart: draw some in another one"));
        }
        for Curve { label, points, marks, at_risk } in self.curves() {
            if let Some([a, b]) = unordered(points.iter().map(|point| point.x), f64::le) {
                return Err(format!("curve {label:?} has the x {a} before {b}: they must not fall"));
            }
            if let Some(mark) = marks.iter().find(|mark| !mark.is_finite()) {
                return Err(format!("curve {label:?} has a mark at {mark}: it must be finite"));
            }
            if let Some([a, b]) = unordered(at_risk.iter().map(|&(time, _)| time), f64::lt) {
                return Err(format!("curve {label:?} has numbers at risk at {a} before {b}: these must rise"));
            }
            if let Some((low, high)) = points.iter().filter_map(|point| point.band).find(|band| !rises(band)) {
                return Err(format!("curve {label:?} has a band from {low} to {high}: it must rise and be finite"));
            }
        }
        let points = || self.curves().flat_map(|curve| &curve.points);
        let bands = points().filter_map(|point| point.band).chain(self.y_range).flat_map(|(low, high)| [low, high]);
        let y = points().map(|point| point.y).chain(bands).chain(self.reference.iter().map(|line| line.value));
        let scales = self.scales();
        within_reach(scales.0, points().map(|point| point.x))?;
        within_reach(scales.1, y)?;
        let rule = if self.y_log { "positive on a logarithmic axis" } else { "finite" };
        if let Some((low, high)) =
            self.y_range.filter(|(low, high)| !(scales.1.shows(*low) && scales.1.shows(*high) && low < high))
        {
            return Err(format!("the vertical axis goes from {low} to {high}: its ends must rise and be {rule}"));
        }
        if let Some(line) = &self.reference {
            let (label, value) = (&line.label, line.value);
            let beyond = self.y_range.filter(|(low, high)| !(*low..=*high).contains(&value));
            if !scales.1.shows(value) {
                return Err(format!("the reference {label:?} is {value}: it must be {rule}"));
            } else if let Some((low, high)) = beyond {
                return Err(format!("the reference {label:?} is {value}, but the axis goes from {low} to {high}"));
            }
        }
        Ok(())
    }

    fn pages<'a>(&'a self, style: &'a Style, _: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let (x, y) = self.axes();
        let page = |curves: &Vec<Curve>| {
            let text = |page| Page {
                keys: Some(self.legend(curves)),
                notes: Some(self.notes_of(curves, &x, &y)),
                reading: Some(self.how_to_read(curves)),
                ..page
            };
            let data = self.data(curves);
            if !self.shown(curves).any(|point| y.holds(point.y)) {
                return text(Page::empty(data));
            }
            let (curves, strips) = (self.broken(curves), risk::strips(curves, style));
            let draw = move |sheet: &Sheet, plot: &Plot| {
                lines::draw(sheet, plot, self, &curves)?;
                risk::draw(sheet, plot, self, &curves)
            };
            let alone = std::iter::once(PanelHead::default());
            text(Multiples::new(style, x.clone(), y.clone(), alone).page(data, strips, draw))
        };
        Ok(self.pages.iter().map(page).collect())
    }
}

impl Curves {
    fn curves(&self) -> impl Iterator<Item = &Curve> {
        self.pages.iter().flatten()
    }

    fn scales(&self) -> (Scale, Scale) {
        (Scale::new(self.x_log), Scale::new(self.y_log))
    }

    /// The points of some curves that have a place on their axes.
    fn shown<'a>(&self, curves: impl IntoIterator<Item = &'a Curve>) -> impl Iterator<Item = &'a Point> {
        let (x, y) = self.scales();
        let points = curves.into_iter().flat_map(|curve| &curve.points);
        points.filter(move |point| x.shows(point.x) && y.shows(point.y))
    }

    /// Axes that show all points.
    fn axes(&self) -> (Axis, Axis) {
        let (x_scale, scale) = self.scales();
        let shown = || self.shown(self.curves());
        let whole = shown().all(|point| point.x.fract() == 0.0);
        let x = Axis::around(&self.x_title, x_scale, whole, shown().map(|point| point.x));
        if let Some((low, high)) = self.y_range {
            return (x, Axis { title: Label::from(&self.y_title), scale, low, high, whole: false });
        }
        let ends = |point: &Point| point.band.into_iter().flat_map(|(low, high)| [low, high]).chain([point.y]);
        let values = shown().flat_map(ends).chain(self.reference.iter().map(|line| line.value));
        (x, Axis::around(&self.y_title, scale, false, values))
    }

    fn mark_name(&self) -> Label {
        Label::given_or(&self.mark, Message::Mark)
    }

    /// The curves of a page with a point without a value in each gap, see [`Curves::breaks`].
    fn broken(&self, curves: &[Curve]) -> Vec<Curve> {
        let mut curves = curves.to_vec();
        let steps = || curves.iter().flat_map(|curve| curve.points.windows(2)).map(|pair| pair[1].x - pair[0].x);
        let is_whole = curves.iter().flat_map(|curve| &curve.points).all(|point| point.x.fract() == 0.0);
        // Where longer steps are usual, the numbers between them were not asked for, and nothing is missing.
        let is_by_one = is_whole && 2 * steps().filter(|&step| step == 1.0).count() >= steps().count();
        for curve in curves.iter_mut().filter(|_| self.breaks && is_by_one) {
            let gaps = curve.points.windows(2).filter(|pair| pair[1].x - pair[0].x > 1.0);
            let missing: Vec<Point> = gaps.map(|pair| Point { x: pair[0].x + 1.0, y: f64::NAN, band: None }).collect();
            curve.points.extend(missing);
            curve.points.sort_by(|left, right| left.x.total_cmp(&right.x));
        }
        curves
    }

    fn legend(&self, curves: &[Curve]) -> Vec<Key> {
        let mut keys = Vec::new();
        for (index, curve) in curves.iter().enumerate() {
            let mark = Mark::Series(SeriesMark::new(index).joined());
            // A single curve of steps has no marks to be distinguished by.
            let line = Mark::Line(Pen::new(colour_of(index), lines::LINE_PT));
            keys.push(Key::mark(if self.distinguished_by_marks(curves) { mark } else { line }, &curve.label));
        }
        if any_mark(curves) {
            keys.push(Key::mark(Mark::Tick(Pen::new(INK, lines::TICK_PT)), self.mark_name()));
        }
        if any_band(curves) {
            keys.push(Key::mark(Mark::Field(SOFT_INK, 0.25), Label::given_or(&self.band, Message::Band)));
        }
        if let Some(line) = &self.reference {
            keys.push(Key::mark(Mark::Dashed(Pen::new(INK, 0.6)), &line.label));
        }
        keys
    }

    fn notes_of(&self, curves: &[Curve], x: &Axis, y: &Axis) -> Vec<Label> {
        let curves = &self.broken(curves);
        let finite = |point: &&Point| point.x.is_finite() && point.y.is_finite();
        let all = curves.iter().flat_map(|curve| &curve.points).filter(finite).count();
        let hidden = all - self.shown(curves).filter(|point| y.holds(point.y)).count();
        let is_off = |curve: &Curve, at: f64| lines::place(curve, self.step, (x, y), at).is_none();
        let off = |curve: &Curve| curve.marks.iter().filter(|&&at| is_off(curve, at)).count();
        let off: usize = curves.iter().map(off).sum();
        let off = (off > 0).then(|| {
            Label::Given(format!("{} ({}) not shown (no curve there)", grouped(off as u64), self.mark_name().english()))
        });
        note(hidden, Message::NotShownBeyondAxes, Message::NotShownBeyondAxes).into_iter().chain(off).collect()
    }

    fn how_to_read(&self, curves: &[Curve]) -> String {
        let band = match (any_band(curves), self.band.is_empty()) {
            (false, _) => String::new(),
            (true, true) => ", with bands".to_owned(),
            (true, false) => format!(", bands are the {}", self.band),
        };
        let line = self.reference.as_ref().map_or(String::new(), |line| format!("; the dashed line is {}", line.label));
        let axes = match (self.x_log, self.y_log) {
            (true, true) => "; both axes are logarithmic",
            (true, false) => "; the horizontal axis is logarithmic",
            (false, true) => "; the vertical axis is logarithmic",
            (false, false) => "",
        };
        let points = match (self.step, self.distinguished_by_marks(curves)) {
            (false, _) => "Marks are computed points, joined by straight lines",
            (true, false) => "The value holds until the next step",
            (true, true) => "Values hold until the next step; marks on the lines only distinguish them",
        };
        let ticks = match any_mark(curves) {
            true => format!("; short upright lines: {}", self.mark_name().english()),
            false => String::new(),
        };
        format!("{points}{band}{ticks}{line}{axes}")
    }

    fn data(&self, curves: &[Curve]) -> PlottedData {
        let mut data = PlottedData::new("kind,curve,x,y,lower,upper");
        for curve in curves {
            for point in &curve.points {
                let (lower, upper) = point.band.unwrap_or((f64::NAN, f64::NAN));
                let head = ["point".to_owned(), curve.label.clone()];
                data.rows.push(head.into_iter().chain([point.x, point.y, lower, upper].map(cell)).collect());
            }
            let marks = curve.marks.iter().map(|&x| (self.mark_name().english(), x, f64::NAN));
            let at_risk = curve.at_risk.iter().map(|&(x, count)| (self.risk_title().english(), x, count as f64));
            for (kind, x, y) in marks.chain(at_risk) {
                let head = [kind, curve.label.clone()];
                data.rows.push(head.into_iter().chain([x, y, f64::NAN, f64::NAN].map(cell)).collect());
            }
        }
        if let Some(line) = &self.reference {
            let head = ["reference".to_owned(), line.label.english()];
            data.rows.push(head.into_iter().chain([f64::NAN, line.value, f64::NAN, f64::NAN].map(cell)).collect());
        }
        data
    }
}

/// The first two neighbours that are not in this order.
fn unordered(mut numbers: impl Iterator<Item = f64>, is_ordered: fn(&f64, &f64) -> bool) -> Option<[f64; 2]> {
    let mut last = numbers.next()?;
    numbers.map(|next| [std::mem::replace(&mut last, next), next]).find(|[a, b]| !is_ordered(a, b))
}

fn any_band(curves: &[Curve]) -> bool {
    curves.iter().flat_map(|curve| &curve.points).any(|point| point.band.is_some())
}

fn any_mark(curves: &[Curve]) -> bool {
    curves.iter().any(|curve| !curve.marks.is_empty())
}

#[cfg(test)]
mod tests;
