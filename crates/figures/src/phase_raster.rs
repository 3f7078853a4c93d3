//! A raster of attempts: when each was thinking and when acting, to scale, with its errors and its end.

use super::axis::{Axis, Plot, Scale, within_reach};
use super::chart::{Chart, Page};
use super::key::Key;
use super::label::{Label, note};
use super::message::Message;
use super::panels::PanelHead;
use super::rows::Rows;
use super::series::SeriesMark;
use super::sheet::{BLUE, GREEN, INK, Mark, ORANGE, PALE, Pen, Rect, SOFT_INK, Sheet, VERMILION};
use super::sheet::{Translated, WHITE, cell, grouped};
use super::{ChartError, Heading, PlottedData, Style};

mod attempts;
mod layout;

use layout::{Layout, Line, PlacedLine};

pub use attempts::{Attempt, Group, Move};

/// Attempts over time: one row for each, on as many pages as they need. All pages share the axis of time.
///
/// The ends of an attempt's moves must not fall; times must be finite, durations not negative and within the attempt,
/// and the limit positive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PhaseRaster {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis; empty for `time since the start (s)`.
    pub x_title: Label,
    /// End of the axis of time, in seconds; longer attempts are cut there with an arrow, and the figure says so.
    /// Absent for the end of the longest attempt.
    pub x_limit: Option<f64>,
    /// `true` if the axis of time is logarithmic. It then starts before the first move of any attempt, but at most
    /// four decades before its end; moves that ended earlier are counted.
    pub x_log: bool,
    /// Name of an error, for the legend, such as `move that is not optimal`; empty for `error`.
    pub error: Label,
    /// Name of an attempt that ended with a solution, for the legend; empty for `solved`.
    pub solved: Label,
    /// Name of an attempt that ended without one, for the legend; empty for `not solved`.
    pub unsolved: Label,
    /// `true` if there are more attempts than these.
    pub is_sample: bool,
    /// The groups, from top to bottom.
    pub groups: Vec<Group>,
}

impl Chart for PhaseRaster {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        if let Some(limit) = self.x_limit.filter(|&limit| !(limit > 0.0 && limit.is_finite())) {
            return Err(format!("the axis of time ends at {limit} s: it must be positive and finite"));
        }
        for Attempt { label, moves, .. } in self.attempts() {
            for step in moves {
                let (end, duration) = (step.end_s, step.duration_s);
                // Logs count in milliseconds, and their sums are rounded.
                if !(end.is_finite() && duration.is_finite() && duration >= 0.0 && end - duration >= -2e-3) {
                    let rule = "times must be finite, at least 0 and within the attempt";
                    return Err(format!("attempt {label:?} has a move of {duration} s that ends at {end} s: {rule}"));
                }
            }
            if let Some(pair) = moves.windows(2).find(|pair| pair[0].end_s > pair[1].end_s) {
                let (a, b) = (pair[0].end_s, pair[1].end_s);
                return Err(format!("attempt {label:?} has a move at {a} s before one at {b} s: give them in order"));
            }
        }
        within_reach(Scale::Linear, self.moves().map(|step| step.end_s))
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        let mut keys = Vec::new();
        for (phase, name) in
            [(Some(true), Message::ThinkingHigh), (Some(false), Message::ActingLow), (None, Message::PhaseNotKnown)]
        {
            if self.moves().any(|step| step.is_thinking == phase) {
                keys.push(Key::mark(Mark::Field(look(phase).0, 1.0), name));
            }
        }
        if self.moves().any(|step| step.is_error) {
            keys.push(Key::mark(Mark::Tick(Pen::new(VERMILION, ERROR_PT)), self.error_name()));
        }
        let ends = [
            (Some(true), Label::given_or(&self.solved, Message::Solved)),
            (Some(false), Label::given_or(&self.unsolved, Message::NotSolved)),
            (None, Message::EndNotLogged.into()),
        ];
        for (end, name) in ends {
            // An attempt without a move has no mark.
            if self.attempts().any(|attempt| attempt.is_solved == end && !attempt.moves.is_empty()) {
                keys.push(Key::mark(end_mark(end), name));
            }
        }
        keys
    }

    /// The longest notes that a page may need.
    fn notes(&self) -> Vec<Label> {
        self.notes_of(&self.axis(), 99)
    }

    fn reading(&self) -> String {
        let axis = if self.x_log { "; the axis of time is logarithmic" } else { "" };
        let errors = match self.moves().any(|step| step.is_error) {
            true => format!("; a tick above the bars marks a move that is an error ({})", self.error_name().english()),
            false => String::new(),
        };
        let errors = errors.replace(" (error)", "");
        format!(
            "Each row is one attempt; a high bar is time of thinking, a low one time of acting, each up to the move that it \
             ends with{errors}; the mark behind the last bar tells how the attempt ended{axis}"
        )
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        if self.attempts().all(|attempt| attempt.moves.is_empty()) {
            return Ok(vec![Page { notes: Some(Vec::new()), ..Page::empty(self.data(&self.every_line())) }]);
        }
        let (x, below_mm) = (self.axis(), Rows::below_mm(style));
        // A tenth of a millimetre is for the rounding of the height.
        let layout = Layout::new(&self.groups, style, room_mm - below_mm - 0.1)?;
        let notes = self.notes_of(&x, layout.stride);
        let page = |lines: &Vec<Line>| (lines.clone(), self.data(lines), layout.height_mm(lines) + below_mm);
        let pages = layout.pages.iter().map(page).collect();
        let pages = Page::all(pages, move |sheet, body, lines| self.draw_page(sheet, body, &x, &layout, lines));
        Ok(pages.into_iter().map(|page| Page { notes: Some(notes.clone()), ..page }).collect())
    }
}

impl PhaseRaster {
    fn attempts(&self) -> impl Iterator<Item = &Attempt> + Clone {
        self.groups.iter().flat_map(|group| &group.attempts)
    }

    fn moves(&self) -> impl Iterator<Item = &Move> + Clone {
        self.attempts().flat_map(|attempt| &attempt.moves)
    }

    fn every_line(&self) -> Vec<Line> {
        let of_group =
            |group: usize| (0..self.groups[group].attempts.len()).map(move |row| Line::Attempt { group, row });
        (0..self.groups.len()).flat_map(of_group).collect()
    }

    fn error_name(&self) -> Label {
        Label::given_or(&self.error, Message::Error)
    }

    fn axis(&self) -> Axis {
        let title = Label::given_or(&self.x_title, Message::TimeSinceStart);
        let longest = self.moves().map(|step| step.end_s).fold(0.0, f64::max);
        let high = self.x_limit.unwrap_or(f64::INFINITY).min(1.01 * longest);
        let high = if high > 0.0 { high } else { 1.0 };
        if !self.x_log {
            return Axis::fixed(title, 0.0, high, false);
        }
        let firsts =
            self.attempts().filter_map(|attempt| attempt.moves.iter().map(|step| step.end_s).find(|&end| end > 0.0));
        let low = (firsts.fold(high, f64::min) / 1.5).max(high / 1e4);
        Axis { title, scale: Scale::Log, low, high, whole: false }
    }

    /// Notes on data without a place, or shown less than the input asks for; `stride` is how many rows share a name.
    fn notes_of(&self, x: &Axis, stride: usize) -> Vec<Label> {
        let beyond: Vec<f64> = self.attempts().map(end_of).filter(|&end| end > x.high).collect();
        let longest = beyond.iter().copied().fold(0.0, f64::max);
        let early = if self.x_log { self.moves().filter(|step| step.end_s < x.low).count() } else { 0 };
        let none = self.attempts().filter(|attempt| attempt.moves.is_empty()).count();
        let (singular, plural) = match self.is_sample {
            true => (Message::ShownAttemptBeyondTime, Message::ShownAttemptsBeyondTime),
            false => (Message::AttemptBeyondTime, Message::AttemptsBeyondTime),
        };
        let cut = (!beyond.is_empty()).then(|| {
            let numbers = [grouped(beyond.len() as u64), seconds(x.high)];
            let cut = if beyond.len() == 1 { singular } else { plural }.with(numbers);
            Label::Parts(vec![cut, Message::UpToSeconds.with([seconds(longest)])])
        });
        let notes = [
            cut,
            note(early, Message::MoveBeforeAxis, Message::MovesBeforeAxis),
            note(none, Message::AttemptWithoutMove, Message::AttemptsWithoutMove),
            match stride {
                0 | 1 => None,
                2 => Some(Message::SecondRowsNamed.count(2)),
                3 => Some(Message::ThirdRowsNamed.count(3)),
                _ => Some(Message::FurtherRowsNamed.with([stride.to_string()])),
            },
        ];
        notes.into_iter().flatten().collect()
    }

    fn data(&self, lines: &[Line]) -> PlottedData {
        let mut data = PlottedData::new("group,statistic,attempt,solved,move,start_s,end_s,phase,error");
        for line in lines {
            let Line::Attempt { group, row } = *line else {
                continue;
            };
            let (head, attempt) = (&self.groups[group].head, &self.groups[group].attempts[row]);
            let solved = attempt.is_solved.map(|is_solved| is_solved.to_string()).unwrap_or_default();
            let names = [head.title.clone(), head.statistic.clone(), attempt.label.clone(), solved];
            let mut push = |cells: [String; 5]| data.rows.push(names.iter().cloned().chain(cells).collect());
            if attempt.moves.is_empty() {
                push(Default::default());
            }
            for (number, step) in attempt.moves.iter().enumerate() {
                let phase = step.is_thinking.map_or("", |is_thinking| if is_thinking { "thinking" } else { "acting" });
                let (start, end) = (cell(step.end_s - step.duration_s), cell(step.end_s));
                push([(number + 1).to_string(), start, end, phase.to_owned(), step.is_error.to_string()]);
            }
        }
        data
    }

    fn draw_page(
        &self,
        sheet: &Sheet,
        body: Rect,
        x: &Axis,
        layout: &Layout,
        lines: &[Line],
    ) -> Result<(), ChartError> {
        let (small, label) = (sheet.style.small(), sheet.style.label());
        let mut behind = GUTTER_MM;
        if layout.stride == 1 {
            // Where rows are high enough for it, the true end of an attempt that was cut stands behind it.
            for attempt in self.attempts().filter(|attempt| end_of(attempt) > x.high) {
                behind =
                    behind.max(GUTTER_MM + label.width_of(&Message::Seconds.with([seconds(end_of(attempt))]))? + 0.3);
            }
        }
        let left = body.left + layout.left_mm();
        let room = body.right() - left;
        let overhang = x.overhang(room - behind, &small)?;
        let (left, width) = (left + overhang.0.max(0.0), room - behind.max(overhang.1) - overhang.0.max(0.0));
        let place = Rect { left, top: body.top, width, height: layout.height_mm(lines) };
        let plot = Plot { place, x: x.clone(), y: Axis::fixed(Label::none(), 0.0, 1.0, true) };
        // Rows since the last head: names that are left out are counted from there.
        let mut since = 0_usize;
        for PlacedLine { line, place: row } in layout.places(lines, place) {
            match line {
                Line::Head { group, continued } => {
                    since = 0;
                    let row = Rect { left: body.left, width: body.width, ..row };
                    draw_head(sheet, row, &self.groups[group].head, continued)?;
                }
                Line::Attempt { group, row: number } => {
                    let attempt = &self.groups[group].attempts[number];
                    let middle = bars_middle(row);
                    if since.is_multiple_of(layout.stride) {
                        let name = small.cut(&attempt.label, layout.names_mm + 0.01)?;
                        let x = body.left + layout.names_mm;
                        sheet.text(x, middle + small.half_cap_mm(), &name, small.right())?;
                        if layout.stride > 1 {
                            sheet.line(&[(x + 0.3, middle), (x + 1.0, middle)], Pen::new(INK, 0.3))?;
                        }
                    }
                    draw_attempt(sheet, &plot, row, attempt, layout.stride == 1)?;
                    since += 1;
                }
            }
        }
        Rows::draw_axis(sheet, &plot, body)
    }
}

/// Look of the time before a move: colour, and height as a share of what rows have for it.
fn look(is_thinking: Option<bool>) -> (plotters::style::RGBColor, f64) {
    match is_thinking {
        Some(true) => (BLUE, 1.0),
        Some(false) => (ORANGE, 0.48),
        None => (UNKNOWN, 0.2),
    }
}

/// The grey of the mark of an attempt whose end is not known, dark enough for a thin line.
const END_NOT_LOGGED: plotters::style::RGBColor = plotters::style::RGBColor(119, 119, 119);

/// The grey of times that are of no known phase.
const UNKNOWN: plotters::style::RGBColor = plotters::style::RGBColor(150, 150, 150);

fn end_mark(is_solved: Option<bool>) -> Mark {
    match is_solved {
        Some(true) => Mark::Disc(GREEN),
        Some(false) => Mark::Cross(INK),
        None => Mark::Series(SeriesMark { colour: END_NOT_LOGGED, ..SeriesMark::any_open() }),
    }
}

/// A time as text, whole from 10 seconds on.
fn seconds(time: f64) -> String {
    if time >= 9.95 { grouped(time.round() as u64) } else { super::axis::label((time * 10.0).round() / 10.0) }
}

/// Time of the last move of an attempt.
fn end_of(attempt: &Attempt) -> f64 {
    attempt.moves.last().map_or(0.0, |step| step.end_s)
}

/// Width of the tick of an error, in points.
const ERROR_PT: f64 = 0.6;
/// Room behind the axis for the arrow and the mark of an attempt that goes on, in millimetres.
const GUTTER_MM: f64 = 3.9;

/// The middle of the bars of a row, below the strip of its errors.
fn bars_middle(row: Rect) -> f64 {
    row.bottom() - 0.36 * row.height
}

/// Name and statistic of a group on one line.
fn draw_head(sheet: &Sheet, row: Rect, head: &PanelHead, continued: bool) -> Result<(), ChartError> {
    let (label, plain) = (sheet.style.label().bold(), sheet.style.label().colour(SOFT_INK));
    let base = row.bottom() - 0.3 * label.em_mm();
    let rest = label.translate(&if continued { Message::Continued.into() } else { Label::none() });
    let title = label.cut(&head.title, row.width - label.width_of(&rest)?)?;
    let title = Translated::as_is(format!("{}{}", &*title, &*rest));
    sheet.text(row.left, base, &title, label)?;
    let next = label.width_of(&title)? + 1.5;
    if row.width - next > 5.0 && !head.statistic.is_empty() {
        sheet.text(row.left + next, base, &plain.cut(&head.statistic, row.width - next)?, plain)?;
    }
    Ok(())
}

/// The bars of an attempt, its errors in the upper third of the row, and its end.
fn draw_attempt(sheet: &Sheet, plot: &Plot, row: Rect, attempt: &Attempt, roomy: bool) -> Result<(), ChartError> {
    let x = &plot.x;
    let at = |time: f64| plot.at(time.clamp(x.low, x.high), 0.0).0;
    let (base, height) = (row.bottom() - 0.07 * row.height, 0.58 * row.height);
    let end = end_of(attempt);
    sheet.line(&[(at(x.low), base), (at(end), base)], Pen::new(PALE, 0.3))?;
    // Neighbours of one phase are one field: thousands of moves stay a small file.
    let mut fields: Vec<(Option<bool>, f64, f64)> = Vec::new();
    let mut borders = Vec::new();
    let mut before = 0.0_f64;
    let in_view = attempt.moves.iter().filter(|step| step.end_s > x.low && step.end_s - step.duration_s < x.high);
    for step in in_view {
        let (from, to) = (at(step.end_s - step.duration_s), at(step.end_s));
        match fields.last_mut() {
            Some((phase, _, end)) if *phase == step.is_thinking && (from - *end).abs() < 0.015 => {
                if before.min(to - from) > 0.7 && row.height >= 2.0 {
                    borders.push(from);
                }
                *end = to;
            }
            _ => fields.push((step.is_thinking, from, to)),
        }
        before = to - from;
    }
    for (phase, from, to) in fields {
        let (colour, share) = look(phase);
        let field = Rect { left: from, top: base - share * height, width: to - from, height: share * height };
        sheet.fill(&field.corners(), colour, 1.0)?;
    }
    for border in borders {
        sheet.line(&[(border, base), (border, base - height)], Pen::new(WHITE, 0.4))?;
    }
    let (top, bottom) = (row.top + 0.04 * row.height, base - 1.03 * height);
    for step in attempt.moves.iter().filter(|step| step.is_error && x.holds(step.end_s)) {
        sheet.line(&[(at(step.end_s), top), (at(step.end_s), bottom)], Pen::new(VERMILION, ERROR_PT))?;
    }
    draw_end(sheet, plot, row, attempt, roomy)
}

/// The arrow of an attempt that goes on beyond the axis, the mark of its end and, with enough room, its time.
fn draw_end(sheet: &Sheet, plot: &Plot, row: Rect, attempt: &Attempt, roomy: bool) -> Result<(), ChartError> {
    let (end, y) = (end_of(attempt), bars_middle(row));
    let radius = (0.34 * row.height).clamp(0.36, 0.75);
    let mut x = plot.at(end.clamp(plot.x.low, plot.x.high), 0.0).0 + radius + 0.35;
    let is_cut = end > plot.x.high;
    if is_cut {
        let (tip, half) = (x - radius + 0.9, radius.min(0.6));
        sheet.fill(&[(tip - 0.9, y - half), (tip, y), (tip - 0.9, y + half)], INK, 1.0)?;
        x = tip + radius + 0.3;
    }
    if !attempt.moves.is_empty() {
        let size = if attempt.is_solved == Some(true) { radius } else { 0.8 * radius };
        sheet.mark((x, y), size, end_mark(attempt.is_solved), 1.0)?;
    }
    let font = sheet.style.label().colour(SOFT_INK);
    if roomy && is_cut {
        let base = y + font.half_cap_mm();
        return sheet.text(plot.place.right() + GUTTER_MM, base, &Message::Seconds.with([seconds(end)]), font);
    } else if roomy && attempt.moves.is_empty() {
        return sheet.text(plot.place.left + 0.8, y + font.half_cap_mm(), &Message::NoMove, font);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
