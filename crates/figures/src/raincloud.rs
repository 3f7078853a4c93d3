//! Groups compared at a glance: for each its values as points, a box and half of a density (Allen et al., 2019,
//! *Wellcome Open Research*, 4, 63); values of one unit in neighbouring groups joined by a line.

use std::collections::BTreeMap;

use super::axis::{Axis, Plot, Scale, within_reach};
use super::chart::{Chart, Page};
use super::key::Key;
use super::label::{Label, note};
use super::message::Message;
use super::series::colour_of;
use super::sheet::{INK, Mark, PALE, Pen, Rect, SOFT_INK, Sheet, cell, grouped};
use super::{ChartError, Heading, PlottedData, Style};

/// The most groups that one figure keeps apart.
pub const MOST_CLOUDS: usize = 6;

/// A value of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drop {
    /// What the value is of, such as a participant; the same in each group that has it.
    pub unit: String,
    /// The value, in the unit of the axis.
    pub value: f64,
}

/// A group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cloud {
    /// Name of the group.
    pub label: String,
    /// Its values.
    pub drops: Vec<Drop>,
    /// Lower whisker, first quartile, median, third quartile and upper whisker, in rising order; absent without values.
    pub summary: Option<[f64; 5]>,
    /// Values, in rising order, with their density; of one unit for all groups. May be empty.
    pub density: Vec<(f64, f64)>,
}

/// Groups of values side by side, at most 6, on one axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Raincloud {
    /// Name, title, subtitle (n, test, effect).
    pub heading: Heading,
    /// Title of the vertical axis with its unit.
    pub y_title: Label,
    /// `true` if the axis is logarithmic; values that are not positive are then left out, and the figure says how many.
    pub log: bool,
    /// Noun for what a point stands for, such as `participant`.
    pub unit: String,
    /// `true` if values of one unit in neighbouring groups are joined.
    pub is_paired: bool,
    /// Reading of the whiskers and of the density.
    pub explained: String,
    /// The groups, from left to right.
    pub clouds: Vec<Cloud>,
}

impl Chart for Raincloud {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        let n = self.clouds.len();
        if n > MOST_CLOUDS {
            return Err(format!("{n} groups, but one figure keeps {MOST_CLOUDS} apart: draw some in another one"));
        }
        for Cloud { label, summary, density, .. } in &self.clouds {
            if let Some(five) =
                summary.filter(|five| !five.is_sorted() || !five.iter().all(|&at| self.scale().shows(at)))
            {
                return Err(format!("group {label:?} has the box {five:?}: it must rise and have a place on the axis"));
            }
            if !density.is_sorted_by(|a, b| a.0 <= b.0) || density.iter().any(|point| point.1 < 0.0) {
                return Err(format!("group {label:?} has a density that is negative, or whose values do not rise"));
            }
        }
        within_reach(self.scale(), self.values())
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        let mut keys = vec![Key::Mark(Mark::Disc(SOFT_INK), Label::Given(format!("one {}", self.unit)))];
        if !self.pairs().is_empty() {
            keys.push(Key::mark(Mark::Line(Pen::new(SOFT_INK, 0.5)), &format!("the same {}", self.unit)));
        }
        keys.push(Key::mark(Mark::Quartiles, Message::BoxOfMedianAndQuartiles));
        if self.clouds.iter().any(|cloud| !cloud.density.is_empty()) {
            keys.push(Key::mark(Mark::Field(SOFT_INK, 0.35), Message::Density));
        }
        keys
    }

    fn notes(&self) -> Vec<Label> {
        let hidden = self.values().filter(|&value| !self.scale().shows(value)).count();
        let reason = if self.log { Message::NotShownMissingOrNotPositive } else { Message::NotShownMissing };
        note(hidden, reason, reason).into_iter().collect()
    }

    fn reading(&self) -> String {
        let lines = if self.pairs().is_empty() { "" } else { ", lines join the values of one" };
        let axis = if self.log { "; the axis is logarithmic" } else { "" };
        let explained = if self.explained.is_empty() { String::new() } else { format!("; {}", self.explained) };
        format!(
            "Each point is one {}, moved sideways only so that points do not hide one another{lines}; boxes span the \
             quartiles around the median{explained}{axis}",
            self.unit
        )
    }

    fn pages<'a>(&'a self, style: &'a Style, _: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let data = self.data();
        if !self.values().any(|value| self.scale().shows(value)) {
            return Ok(vec![Page::empty(data)]);
        }
        let edges = self.clouds.iter().flat_map(|cloud| cloud.summary).flatten();
        let y = Axis::around(&self.y_title, self.scale(), false, self.values().chain(edges));
        let body_mm = (0.72 * style.width_mm).min(95.0);
        let paint = move |sheet: &Sheet, body: Rect| self.paint(sheet, body, &y);
        Ok(vec![Page { shrinks: true, ..Page::new(data, body_mm, paint) }])
    }
}

/// Parts of the place of a group, as shares of its width from the side of its points: the points, the box and the foot
/// of the density; and the width of the cloud.
const SHARES: [f64; 4] = [0.24, 0.46, 0.55, 0.4];

impl Raincloud {
    fn scale(&self) -> Scale {
        Scale::new(self.log)
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        self.clouds.iter().flat_map(|cloud| &cloud.drops).map(|drop| drop.value)
    }

    /// Values of one unit in two neighbouring groups, with the number of the first.
    fn pairs(&self) -> Vec<(usize, usize, usize)> {
        let mut pairs = Vec::new();
        for (left, pair) in self.clouds.windows(2).enumerate().filter(|_| self.is_paired) {
            let of_unit: BTreeMap<&str, usize> =
                pair[1].drops.iter().enumerate().map(|(place, drop)| (drop.unit.as_str(), place)).collect();
            let joined = pair[0].drops.iter().enumerate();
            pairs.extend(joined.filter_map(|(place, drop)| Some((left, place, *of_unit.get(drop.unit.as_str())?))));
        }
        pairs
    }

    fn data(&self) -> PlottedData {
        const EDGES: [&str; 5] = ["lower whisker", "first quartile", "median", "third quartile", "upper whisker"];
        let mut data = PlottedData::new("kind,group,unit,value,density");
        for Cloud { label, drops, summary, density } in &self.clouds {
            let mut push = |kind: &str, unit: &str, numbers: [f64; 2]| {
                let head = [kind, label, unit].map(str::to_owned);
                data.rows.push(head.into_iter().chain(numbers.map(cell)).collect());
            };
            drops.iter().for_each(|drop| push(&self.unit, &drop.unit, [drop.value, f64::NAN]));
            for (edge, value) in EDGES.into_iter().zip(summary.iter().flatten()) {
                push(edge, "", [*value, f64::NAN]);
            }
            density.iter().for_each(|&(value, density)| push("density", "", [value, density]));
        }
        data
    }

    /// Place of a part of a group, as a share of its width. Where there are two groups, the first is mirrored, so that
    /// lines between points cross neither box nor density.
    fn share(&self, group: usize, share: f64) -> f64 {
        if self.is_mirrored(group) { 1.0 - share } else { share }
    }

    fn is_mirrored(&self, group: usize) -> bool {
        self.clouds.len() == 2 && group == 0
    }

    fn paint(&self, sheet: &Sheet, body: Rect, y: &Axis) -> Result<(), ChartError> {
        let (small, label) = (sheet.style.small(), sheet.style.label());
        let below = small.line_mm() + label.line_mm() + 1.2;
        let height = body.height - below - 0.5 * small.em_mm();
        let left = Plot::left_mm(y, height, &small)? + 1.3 * label.em_mm();
        let place =
            Rect { left: body.left + left, top: body.top + 0.5 * small.em_mm(), width: body.width - left, height };
        let plot = Plot { place, x: Axis::fixed(Label::none(), 0.0, self.clouds.len() as f64, true), y: y.clone() };
        plot.draw_frame(sheet)?;
        plot.draw_y_ticks(sheet, true)?;
        let title = label.colour(SOFT_INK).centre().upwards();
        let words = title.cut(&self.y_title, height + 4.0)?;
        sheet.text(body.left + 0.78 * label.em_mm(), place.centre().1, &words, title)?;
        let pitch = place.width / self.clouds.len() as f64;
        for (group, left, right) in self.pairs() {
            let ends = [self.drop_at(&plot, group, left), self.drop_at(&plot, group + 1, right)];
            if let [Some(from), Some(to)] = ends {
                sheet.line(&[from, to], Pen::new(SOFT_INK, 0.3).alpha(0.55))?;
            }
        }
        let fullest = self.clouds.iter().flat_map(|cloud| &cloud.density).map(|point| point.1).fold(0.0, f64::max);
        for (group, cloud) in self.clouds.iter().enumerate() {
            self.draw_density(sheet, &plot, group, fullest)?;
            self.draw_box(sheet, &plot, group)?;
            let shown: Vec<_> = (0..cloud.drops.len()).filter_map(|drop| self.drop_at(&plot, group, drop)).collect();
            let radius = if shown.len() > 100 { 0.4 } else { 0.6 };
            for &at in &shown {
                sheet.disc(at, radius, colour_of(group), if shown.len() > 100 { 0.4 } else { 0.7 })?;
            }
            let middle = place.left + (group as f64 + 0.5) * pitch;
            let name = small.cut(&cloud.label, pitch - 0.6)?;
            sheet.text(middle, place.bottom() + 0.6 + small.em_mm(), &name, small.centre())?;
            let n = label.cut(&format!("n = {}", grouped(shown.len() as u64)), pitch - 0.6)?;
            let font = label.centre().colour(SOFT_INK);
            sheet.text(middle, place.bottom() + 0.6 + small.em_mm() + label.line_mm(), &n, font)?;
        }
        Ok(())
    }

    /// Place of a value on the sheet; nothing where the axis does not hold it.
    fn drop_at(&self, plot: &Plot, group: usize, drop: usize) -> Option<(f64, f64)> {
        let value = self.clouds[group].drops[drop].value;
        // Multiples of the golden section fill the strip evenly, the same way each time (Weyl, 1916).
        let shift = ((drop as f64 + 1.0) * 0.618_033_988_749_895).fract() - 0.5;
        let share = self.share(group, SHARES[0] + 0.22 * shift);
        plot.y.holds(value).then(|| plot.at(group as f64 + share, value))
    }

    fn draw_density(&self, sheet: &Sheet, plot: &Plot, group: usize, fullest: f64) -> Result<(), ChartError> {
        let inside: Vec<&(f64, f64)> =
            self.clouds[group].density.iter().filter(|point| plot.y.holds(point.0)).collect();
        if inside.len() < 2 || fullest <= 0.0 {
            return Ok(());
        }
        let at = |value: f64, height: f64| {
            plot.at(group as f64 + self.share(group, SHARES[2] + SHARES[3] * height / fullest), value)
        };
        let outline = inside.iter().map(|&&(value, height)| at(value, height));
        let feet = [inside[inside.len() - 1].0, inside[0].0].map(|value| at(value, 0.0));
        let outline: Vec<(f64, f64)> = outline.chain(feet).collect();
        sheet.fill(&outline, colour_of(group), 0.35)
    }

    fn draw_box(&self, sheet: &Sheet, plot: &Plot, group: usize) -> Result<(), ChartError> {
        let Some(five) = self.clouds[group].summary else { return Ok(()) };
        let (x, _) = plot.at(group as f64 + self.share(group, SHARES[1]), plot.y.low);
        let half = (0.035 * plot.place.width / self.clouds.len() as f64).clamp(0.6, 1.6);
        let [low, lower, median, upper, high] = five.map(|value| plot.at(0.0, value).1);
        let pen = Pen::new(INK, 0.6);
        sheet.line(&[(x, low), (x, lower)], pen)?;
        sheet.line(&[(x, upper), (x, high)], pen)?;
        let field = Rect { left: x - half, top: upper, width: 2.0 * half, height: lower - upper };
        sheet.fill(&field.corners(), PALE, 1.0)?;
        sheet.outline(&field.corners(), pen)?;
        sheet.line(&[(x - half, median), (x + half, median)], Pen::new(INK, 1.4))
    }
}

#[cfg(test)]
mod tests;
