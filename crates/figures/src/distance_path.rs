//! Distance to the goal along each attempt: how players came nearer, lost ground, and arrived.

use super::axis::{Axis, Plot, Scale};
use super::chart::{Chart, Page};
use super::key::Key;
use super::label::{Label, note};
use super::message::Message;
use super::panels::{Multiples, PanelHead, is_alone};
use super::sheet::{BLUE, INK, Mark, Pen, Sheet, VERMILION, cell, grouped};
use super::{ChartError, Heading, PlottedData, Style};

/// One attempt: the distance after each move, starting with the start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempt {
    /// Name of the attempt, such as that of its participant, for the data; may be empty.
    pub name: String,
    /// Ply or seconds since the start, rising.
    pub x: Vec<f64>,
    /// Distance to the goal in moves; absent where the goal cannot be reached any more.
    pub distance: Vec<Option<f64>>,
    /// `true` if this attempt is drawn as the example.
    pub highlighted: bool,
}

/// One level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Name and statistic.
    pub head: PanelHead,
    /// The attempts.
    pub attempts: Vec<Attempt>,
    /// The course of an optimal solution, as points of x and distance; drawn dashed, as far as the axes of the attempts
    /// reach. May be empty.
    pub optimal: Vec<(f64, f64)>,
    /// End of the horizontal axis if this level has axes of its own, see [`DistancePath::own_axes_factor`]; absent for
    /// the longest attempt.
    pub x_limit: Option<f64>,
}

/// Attempts of one level or many, on shared axes and as many pages as they need; a single level without a title fills
/// the figure.
///
/// An attempt must have as many distances as values of x, and the factor must be above 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DistancePath {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis with its unit, such as `ply (moves made)` or `time (s)`.
    pub x_title: Label,
    /// Title of the vertical axis with its unit; empty for `distance to goal (moves)`.
    pub y_title: Label,
    /// End of the horizontal axis; longer attempts are cut there, and the figure counts them. Absent for the longest
    /// attempt.
    pub x_limit: Option<f64>,
    /// `true` if a distance holds until the next x: where x is time, level lines are pauses, drawn to scale.
    pub steps: bool,
    /// Gives a level axes of its own where its longest attempt or its greatest distance is more than this many times
    /// that of the median level, or less than that part of it; must be above 1. Absent for axes that all levels share.
    pub own_axes_factor: Option<f64>,
    /// Name of a highlighted attempt, for the legend, such as `median participant`; empty for `example`.
    pub example: Label,
    /// `true` if there are more attempts than these.
    pub is_sample: bool,
    /// The levels, in the order in which they are drawn.
    pub levels: Vec<Level>,
}

impl Chart for DistancePath {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        if let Some(factor) = self.own_axes_factor.filter(|&factor| !(factor > 1.0 && factor.is_finite())) {
            return Err(format!(
                "axes of its own for a level from a factor of {factor} on: it must be above 1 and finite"
            ));
        }
        match self.attempts().find(|attempt| attempt.x.len() != attempt.distance.len()) {
            None => Ok(()),
            Some(attempt) => Err(format!(
                "attempt {:?} has {} values of x and {} distances: give as many of each",
                attempt.name,
                attempt.x.len(),
                attempt.distance.len()
            )),
        }
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        let mut keys = vec![Key::Mark(Mark::Line(Pen::new(BLUE, 0.5)), Message::OneAttempt.into())];
        if self.attempts().any(|attempt| attempt.highlighted) {
            let name = Label::given_or(&self.example, Message::Example);
            keys.push(Key::Mark(Mark::Line(Pen::new(VERMILION, 1.2)), name));
        }
        if self.levels.iter().any(|level| !level.optimal.is_empty()) {
            keys.push(Key::Mark(Mark::Dashed(Pen::new(INK, 0.8)), Message::Optimal.into()));
        }
        if self.attempts().any(|attempt| attempt.distance.contains(&None)) {
            keys.push(Key::Mark(Mark::Cross(INK), Message::DeadEnd.into()));
        }
        keys
    }

    fn notes(&self) -> Vec<Label> {
        let own_axes = self.own_axes();
        let (x, y) = self.shared_axes(&own_axes);
        let beyond = |(index, level): (usize, &Level)| {
            let high = own_axes.get(index).and_then(Option::as_ref).map_or(x.high, |(x, _)| x.high);
            level.attempts.iter().filter(|attempt| attempt.x.iter().any(|&value| value > high)).count()
        };
        let cut: usize = self.levels.iter().enumerate().map(beyond).sum();
        let far = own_axes.iter().flatten().filter(|(_, y)| is_far(y)).count();
        let (singular, plural) = match self.is_sample {
            true => (Message::ShownAttemptBeyondEdge, Message::ShownAttemptsBeyondEdge),
            false => (Message::AttemptBeyondEdge, Message::AttemptsBeyondEdge),
        };
        let above = if far == 1 { Message::AxisOfLevelBeginsAbove } else { Message::AxesOfLevelsBeginAbove };
        let notes = [
            note(cut, singular, plural),
            note(own_axes.iter().flatten().count(), Message::LevelWithOwnAxes, Message::LevelsWithOwnAxes),
            is_far(&y).then(|| Message::AxisBeginsAbove.count(0)),
            (far > 0).then(|| above.with([grouped(far as u64), "0".to_owned()])),
        ];
        notes.into_iter().flatten().collect()
    }

    fn reading(&self) -> String {
        let dead = self.attempts().any(|attempt| attempt.distance.contains(&None));
        let dead = if dead { "; a line stops with a cross where the goal cannot be reached any more" } else { "" };
        let steps = if self.steps { ", level until its next move, so that long level lines are pauses" } else { "" };
        // Without an optimal course there is no goal to come nearer to, unless the axis is known to be the distance to it.
        let has_goal =
            self.steps && self.y_title.is_empty() || self.levels.iter().any(|level| !level.optimal.is_empty());
        match has_goal {
            true => format!("Each line is one attempt{steps}; 0 is the goal, a falling line comes nearer to it{dead}"),
            false if self.steps => format!("Each line is one attempt{steps}{dead}"),
            false => "Each line is one attempt".to_owned(),
        }
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let mut points = self.attempts().flat_map(|attempt| attempt.x.iter().zip(&attempt.distance));
        if !points.any(|(x, distance)| x.is_finite() && distance.is_some()) {
            return Ok(vec![Page::empty(data(&self.levels))]);
        }
        let own_axes = self.own_axes();
        let (x, y) = self.shared_axes(&own_axes);
        let heads = self.levels.iter().map(|level| level.head.clone());
        let multiples = Multiples { own_axes, ..Multiples::new(style, x, y, heads) };
        let draw = |sheet: &Sheet, plot: &Plot, level: usize| draw_level(sheet, plot, &self.levels[level], self.steps);
        multiples.pages(room_mm, |range| data(&self.levels[range]), draw)
    }
}

impl DistancePath {
    fn attempts(&self) -> impl Iterator<Item = &Attempt> + Clone {
        self.levels.iter().flat_map(|level| &level.attempts)
    }

    /// The horizontal axis of some levels. Where nothing but whole moves was counted, half a move has no tick.
    fn x_axis<'a>(&self, levels: impl Iterator<Item = &'a Level>, least: f64, end: f64) -> Axis {
        let (high, mut values) = (end.max(least + 1.0), levels.flat_map(x_values));
        let whole = values.all(|value| value.fract() == 0.0);
        Axis { title: Label::from(&self.x_title), scale: Scale::Linear, low: least, high, whole }
    }

    /// The vertical axis of some levels, whose horizontal axis ends somewhere. It begins at the goal, unless all
    /// attempts stay so far from it that their course could not be seen.
    fn y_axis<'a>(&self, levels: impl Iterator<Item = &'a Level>, end: f64) -> Axis {
        let title = Label::given_or(&self.y_title, Message::DistanceToGoalInMoves);
        let (mut low, mut high, mut whole) = (f64::INFINITY, 1.0_f64, true);
        for distance in levels.flat_map(|level| distances(level, end)) {
            (low, high, whole) = (low.min(distance), high.max(distance), whole && distance.fract() == 0.0);
        }
        let low = if high >= FAR && low >= 0.5 * high { low.min(high - 2.0) } else { low.min(0.0) };
        // The frame leaves room for lines that run along the goal or along the greatest distance.
        let room = 0.04 * (high - low);
        Axis::fixed(title, low - room, high + room, whole)
    }

    /// The axes of each level that differs much from the median one; empty without a factor, and for a level that fills
    /// the figure.
    fn own_axes(&self) -> Vec<Option<(Axis, Axis)>> {
        let is_alone = is_alone(self.levels.iter().map(|level| &level.head));
        let Some(factor) = self.own_axes_factor.filter(|_| !is_alone) else {
            return Vec::new();
        };
        let played: Vec<&Level> = self.levels.iter().filter(|level| reach(level) > 0.0).collect();
        let median = |size: fn(&Level) -> f64| -> f64 {
            let mut sizes: Vec<f64> = played.iter().map(|level| size(level)).collect();
            sizes.sort_by(f64::total_cmp);
            sizes.get(sizes.len().saturating_sub(1) / 2).copied().unwrap_or(1.0)
        };
        let farthest = |level: &Level| farthest(level, reach(level));
        let (median_reach, median_farthest) = (median(reach), median(farthest));
        let far = |size: f64, median: f64| size > factor * median || size * factor < median;
        let axes_of = |level: &Level| {
            let (reach, farthest) = (reach(level), farthest(level));
            let differs = reach > 0.0 && (far(reach, median_reach) || far(farthest, median_farthest));
            let alone = || std::iter::once(level);
            differs.then(|| {
                let x = self.x_axis(alone(), x_values(level).fold(0.0, f64::min), reach);
                let y = self.y_axis(alone(), x.high);
                (x, y)
            })
        };
        self.levels.iter().map(axes_of).collect()
    }

    /// The axes that levels without own ones share.
    fn shared_axes(&self, own_axes: &[Option<(Axis, Axis)>]) -> (Axis, Axis) {
        let shares = |level: usize| own_axes.get(level).is_none_or(Option::is_none);
        let sharing = || self.levels.iter().enumerate().filter(|(index, _)| shares(*index)).map(|(_, level)| level);
        let least = sharing().flat_map(x_values).fold(0.0, f64::min);
        let longest = match own_axes.is_empty() {
            true => sharing().flat_map(x_values).fold(0.0, f64::max),
            false => sharing().map(reach).fold(0.0, f64::max),
        };
        let end = self.x_limit.filter(|limit| limit.is_finite() && *limit > least).unwrap_or(longest);
        let x = self.x_axis(sharing(), least, end);
        let y = self.y_axis(sharing(), x.high);
        (x, y)
    }
}

/// All horizontal values of a level. Its optimal course may be far longer than anything that was played.
fn x_values(level: &Level) -> impl Iterator<Item = f64> + Clone {
    level.attempts.iter().flat_map(|attempt| attempt.x.iter().copied()).filter(|value| value.is_finite())
}

/// Reach of a level's own axis.
fn reach(level: &Level) -> f64 {
    let longest = x_values(level).fold(0.0, f64::max);
    level.x_limit.filter(|limit| limit.is_finite() && *limit > 0.0).map_or(longest, |limit| limit.min(longest))
}

/// The distances of the attempts at a level, up to some x.
fn distances(level: &Level, end: f64) -> impl Iterator<Item = f64> {
    let points = level.attempts.iter().flat_map(|attempt| attempt.x.iter().zip(&attempt.distance));
    points.filter(move |(x, _)| **x <= end).filter_map(|(_, distance)| *distance).filter(|value| value.is_finite())
}

/// The greatest distance of a level up to the end of its axis, at least 1.
fn farthest(level: &Level, end: f64) -> f64 {
    distances(level, end).fold(1.0, f64::max)
}

/// Threshold of the greatest distance of an axis; from it on the axis may begin above 0.
const FAR: f64 = 50.0;

/// `true` if a vertical axis leaves out the goal.
fn is_far(y: &Axis) -> bool {
    y.low > 0.0
}

fn draw_level(sheet: &Sheet, plot: &Plot, level: &Level, steps: bool) -> Result<(), ChartError> {
    if level.attempts.iter().all(|attempt| attempt.x.is_empty()) {
        return sheet.no_data(plot.place, &Label::none());
    }
    // The more lines, the fainter each: what many did stays darker than what few did.
    let alpha = (2.4 / (level.attempts.len() as f64).sqrt()).clamp(0.06, 0.8);
    for attempt in level.attempts.iter().filter(|attempt| !attempt.highlighted) {
        draw_attempt(sheet, plot, attempt, steps, Pen::new(BLUE, 0.35).alpha(alpha))?;
    }
    for attempt in level.attempts.iter().filter(|attempt| attempt.highlighted) {
        draw_attempt(sheet, plot, attempt, steps, Pen::new(VERMILION, 1.0))?;
    }
    plot.clipped(&level.optimal).iter().try_for_each(|piece| sheet.dashed(piece, Pen::new(INK, 0.8)))
}

fn draw_attempt(sheet: &Sheet, plot: &Plot, attempt: &Attempt, steps: bool, pen: Pen) -> Result<(), ChartError> {
    let mut run: Vec<(f64, f64)> = Vec::new();
    for (&x, distance) in attempt.x.iter().zip(&attempt.distance) {
        // A step holds the last distance until this move is made.
        let held = run.last().filter(|_| steps).map(|last| (x, last.1));
        run.extend(held);
        if let Some(distance) = distance {
            run.push((x, *distance));
        } else if let Some(&(x, y)) = run.last() {
            draw_run(sheet, plot, &run, pen)?;
            if plot.holds(x, y) {
                sheet.mark(plot.at(x, y), 0.6, Mark::Cross(INK), 1.0)?;
            }
            run.clear();
        }
    }
    draw_run(sheet, plot, &run, pen)
}

fn draw_run(sheet: &Sheet, plot: &Plot, run: &[(f64, f64)], pen: Pen) -> Result<(), ChartError> {
    plot.clipped(run).iter().try_for_each(|piece| sheet.line(piece, pen))
}

fn data(levels: &[Level]) -> PlottedData {
    let mut data = PlottedData::new("level,statistic,kind,attempt,highlighted,x,distance");
    for level in levels {
        let head = [level.head.title.clone(), level.head.statistic.clone()];
        let mut push = |cells: [String; 5]| data.rows.push(head.iter().cloned().chain(cells).collect());
        for attempt in &level.attempts {
            for (x, distance) in attempt.x.iter().zip(&attempt.distance) {
                let distance = distance.map(cell).unwrap_or_default();
                let (name, highlighted) = (attempt.name.clone(), attempt.highlighted.to_string());
                push(["attempt".to_owned(), name, highlighted, cell(*x), distance]);
            }
        }
        for &(x, distance) in &level.optimal {
            push(["optimal".to_owned(), String::new(), String::new(), cell(x), cell(distance)]);
        }
    }
    data
}

#[cfg(test)]
mod tests;
