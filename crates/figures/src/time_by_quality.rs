//! Inter-move time by move quality: boxes on a logarithmic axis.
//!
//! Boxes rather than violins: with a few dozen illegal moves beside thousands of others, a density
//! would invent a shape, while quantiles stay what they are. A density may be given all the same.

use super::axis::{Axis, Plot, Scale};
use super::chart::{Chart, Page, with_interval};
use super::groups::common_names;
use super::key::Key;
use super::label::Label;
use super::message::Message;
use super::panels::{Multiples, PanelHead, is_alone};
use super::quality::colour_of;
use super::sheet::{INK, Mark, Pen, Rect, SOFT_INK, Sheet, WHITE, cell, grouped};
use super::{ChartError, Heading, PlottedData, Style};

/// The times of one quality, as quantiles in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Times {
    /// Name of the quality, such as `better`.
    pub label: String,
    /// Number of moves.
    pub n: u64,
    /// 5th, 25th, 50th, 75th and 95th percentile, rising and positive; absent where there is no move.
    pub quantiles: Option<[f64; 5]>,
    /// Interval of the median.
    pub median_interval: Option<(f64, f64)>,
    /// Density at rising times, in any unit, drawn behind the box; may be empty.
    pub density: Vec<(f64, f64)>,
}

/// The times of one panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Name and statistic.
    pub head: PanelHead,
    /// Its qualities, from left to right.
    pub times: Vec<Times>,
}

/// Inter-move times: one box for each quality. A single panel without a title fills the figure; several stand on as
/// many pages as they need, share the vertical axis, and have the same quality at the same place.
///
/// Quantiles must be positive and rising, and an interval must hold its median.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeByQuality {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the vertical axis; empty for `inter-move time (s)`.
    pub y_title: Label,
    /// Level of the intervals for the legend, such as `95 %`; may be empty.
    pub confidence: String,
    /// The panels, in the order in which they are drawn.
    pub panels: Vec<Panel>,
}

impl Chart for TimeByQuality {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        for Times { label, quantiles, median_interval, .. } in self.times() {
            let Some(quantiles) = quantiles else {
                continue;
            };
            let rising = quantiles.windows(2).all(|pair| pair[0] <= pair[1]);
            if !(rising && quantiles[0] > 0.0 && quantiles[4].is_finite()) {
                let rule = "they must be positive and rising, times of 0 left out";
                return Err(format!("{label:?} has the quantiles {quantiles:?}: {rule}"));
            }
            let median = quantiles[2];
            let holds = |(low, high): &(f64, f64)| *low > 0.0 && *low <= median && median <= *high && high.is_finite();
            if let Some((low, high)) = median_interval.filter(|interval| !holds(interval)) {
                return Err(format!("{label:?} has a median of {median} outside of its interval {low} to {high}"));
            }
        }
        Ok(())
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        let median =
            with_interval("median", &self.confidence, self.times().any(|times| times.median_interval.is_some()));
        vec![
            Key::mark(Mark::Line(Pen::new(INK, 0.6)), Message::PercentileRange.with(["5", "95"])),
            Key::mark(Mark::Field(SOFT_INK, 0.45), Message::InterquartileRange),
            Key::mark(Mark::Disc(INK), &median),
        ]
    }

    fn reading(&self) -> String {
        let density = match self.times().any(|times| !times.density.is_empty()) {
            true => ", the outline the density of the times",
            false => "",
        };
        let rest = if self.is_alone() { ", n counts the moves" } else { "; all panels have the same axes" };
        format!(
            "Boxes span the interquartile range of the times, whiskers the 5th to the 95th percentile, the dot is the \
             median with its interval{density}; the axis is logarithmic{rest}"
        )
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let labels = |panel: &'a Panel| panel.boxes().map(|times| times.label.as_str()).collect();
        let names = common_names(self.panels.iter().map(labels));
        let y = self.y_axis();
        if names.is_empty() {
            return Ok(vec![Page::empty(self.data(&self.panels))]);
        } else if self.is_alone() {
            let body_mm = (0.72 * style.width_mm).min(85.0);
            let paint = move |sheet: &Sheet, body| draw_boxes(sheet, body, &y, &self.panels[0]);
            return Ok(vec![Page { shrinks: true, ..Page::new(self.data(&self.panels), body_mm, paint) }]);
        }
        let x = Axis::fixed(Label::none(), 0.0, names.len() as f64, true);
        let heads = self.panels.iter().map(|panel| panel.head.clone());
        let multiples = Multiples {
            names: names.iter().map(|&name| name.to_owned()).collect(),
            ..Multiples::new(style, x, y, heads)
        };
        let draw = move |sheet: &Sheet, plot: &Plot, panel: usize| draw_panel(sheet, plot, &names, &self.panels[panel]);
        multiples.pages(room_mm, |range| self.data(&self.panels[range]), draw)
    }
}

impl TimeByQuality {
    fn is_alone(&self) -> bool {
        is_alone(self.panels.iter().map(|panel| &panel.head))
    }

    fn times(&self) -> impl Iterator<Item = &Times> {
        self.panels.iter().flat_map(|panel| &panel.times)
    }

    fn y_axis(&self) -> Axis {
        let shown = self.panels.iter().flat_map(Panel::boxes).flat_map(|times| {
            let interval = times.median_interval.into_iter().flat_map(|(low, high)| [low, high]);
            times.quantiles.into_iter().flatten().chain(interval).chain(times.density.iter().map(|point| point.0))
        });
        let title = Label::given_or(&self.y_title, Message::InterMoveTime);
        Axis::around(title, Scale::Log, false, shown)
    }

    fn data(&self, panels: &[Panel]) -> PlottedData {
        let has_heads = !panels.is_empty() && !self.is_alone();
        let (columns, head_cells) = if has_heads { ("level,statistic,", 2) } else { ("", 0) };
        let mut data = PlottedData::new(&format!(
            "{columns}quality,n,kind,p05_s,p25_s,median_s,p75_s,p95_s,median_low_s,median_high_s,time_s,density"
        ));
        for (head, times) in panels.iter().flat_map(|panel| panel.times.iter().map(move |times| (&panel.head, times))) {
            let quantiles = times.quantiles.map_or([f64::NAN; 5], |quantiles| quantiles);
            let (low, high) = times.median_interval.unwrap_or((f64::NAN, f64::NAN));
            let head = [head.title.clone(), head.statistic.clone()].into_iter().take(head_cells);
            let row = |kind: &str| [times.label.clone(), times.n.to_string(), kind.to_owned()];
            let first = |kind: &str| head.clone().chain(row(kind)).collect::<Vec<String>>();
            let numbers = quantiles.into_iter().chain([low, high, f64::NAN, f64::NAN]).map(cell);
            data.rows.push(first("box").into_iter().chain(numbers).collect());
            for &(time, density) in &times.density {
                let numbers = [f64::NAN; 7].into_iter().chain([time, density]).map(cell);
                data.rows.push(first("density").into_iter().chain(numbers).collect());
            }
        }
        data
    }
}

impl Panel {
    /// The qualities that have a box.
    fn boxes(&self) -> impl Iterator<Item = &Times> {
        self.times.iter().filter(|times| times.quantiles.is_some())
    }
}

/// The boxes of a group, each at the place of its quality.
fn draw_panel(sheet: &Sheet, plot: &Plot, names: &[&str], panel: &Panel) -> Result<(), ChartError> {
    if panel.boxes().next().is_none() {
        return sheet.no_data(plot.place, &Label::none());
    }
    let half = (0.3 * plot.place.width / names.len() as f64).min(7.0);
    for times in panel.boxes() {
        if let Some(place) = names.iter().position(|name| *name == times.label) {
            draw_box(sheet, plot, plot.at(place as f64 + 0.5, plot.y.low).0, half, times, place)?;
        }
    }
    Ok(())
}

fn draw_boxes(sheet: &Sheet, body: Rect, y: &Axis, panel: &Panel) -> Result<(), ChartError> {
    let boxes: Vec<&Times> = panel.boxes().collect();
    let (small, label) = (sheet.style.small(), sheet.style.label());
    let below = small.line_mm() + label.line_mm() + 0.8;
    let height = body.height - below - 0.5 * small.em_mm();
    let left = Plot::left_mm(y, height, &small)? + 1.3 * label.em_mm();
    let place = Rect { left: body.left + left, top: body.top + 0.5 * small.em_mm(), width: body.width - left, height };
    let x = Axis::fixed(Label::none(), 0.0, boxes.len() as f64, true);
    let plot = Plot { place, x, y: y.clone() };
    draw_axis(sheet, &plot, body)?;
    let pitch = place.width / boxes.len() as f64;
    for (index, times) in boxes.iter().enumerate() {
        let middle = place.left + (index as f64 + 0.5) * pitch;
        draw_box(sheet, &plot, middle, (0.3 * pitch).min(7.0), times, index)?;
        let name = small.cut(&times.label, pitch - 0.6)?;
        sheet.text(middle, place.bottom() + 0.4 + small.em_mm(), &name, small.centre())?;
        let n = label.cut(&format!("n = {}", grouped(times.n)), pitch - 0.4)?;
        let font = label.centre().colour(SOFT_INK);
        sheet.text(middle, place.bottom() + 0.4 + small.em_mm() + label.line_mm(), &n, font)?;
    }
    Ok(())
}

fn draw_axis(sheet: &Sheet, plot: &Plot, body: Rect) -> Result<(), ChartError> {
    let (small, label) = (sheet.style.small(), sheet.style.label());
    let (place, pen) = (plot.place, Pen::new(INK, 0.5));
    plot.draw_frame(sheet)?;
    for value in plot.y.minor_ticks() {
        let (x, y) = plot.at(0.0, value);
        sheet.line(&[(x - 0.45, y), (x, y)], Pen::new(INK, 0.3))?;
    }
    for (value, text) in plot.y.ticks(place.height, &small, true)? {
        let (x, y) = plot.at(0.0, value);
        sheet.line(&[(x - 0.9, y), (x, y)], pen)?;
        sheet.text(x - 1.4, y + small.half_cap_mm(), &text, small.right())?;
    }
    let title = label.centre().colour(SOFT_INK).upwards();
    sheet.text(body.left + 0.78 * label.em_mm(), place.centre().1, &plot.y.title, title)
}

fn draw_box(sheet: &Sheet, plot: &Plot, x: f64, half: f64, times: &Times, index: usize) -> Result<(), ChartError> {
    let Some(quantiles) = times.quantiles else {
        return Ok(());
    };
    let colour = colour_of(&times.label, index);
    let [low, lower, median, upper, high] = quantiles.map(|value| plot.at(0.0, value).1);
    draw_density(sheet, plot, x, 1.4 * half, times, colour)?;
    let pen = Pen::new(INK, 0.6);
    sheet.line(&[(x, low), (x, lower)], pen)?;
    sheet.line(&[(x, upper), (x, high)], pen)?;
    for end in [low, high] {
        sheet.line(&[(x - 0.4 * half, end), (x + 0.4 * half, end)], pen)?;
    }
    let field = Rect { left: x - half, top: upper, width: 2.0 * half, height: lower - upper };
    // White below the colour, which the density would show through.
    sheet.fill(&field.corners(), WHITE, 1.0)?;
    sheet.fill(&field.corners(), colour, 0.75)?;
    sheet.outline(&field.corners(), pen)?;
    sheet.line(&[(x - half, median), (x + half, median)], Pen::new(INK, 0.6))?;
    if let Some((from, to)) = times.median_interval {
        let (from, to) = (plot.at(0.0, from).1, plot.at(0.0, to).1);
        sheet.line(&[(x, from + 0.15), (x, to - 0.15)], Pen::new(WHITE, 2.8))?;
        sheet.line(&[(x, from), (x, to)], Pen::new(INK, 1.4))?;
    }
    sheet.disc((x, median), 0.85, WHITE, 1.0)?;
    sheet.disc((x, median), 0.65, INK, 1.0)
}

fn draw_density(
    sheet: &Sheet,
    plot: &Plot,
    x: f64,
    half: f64,
    times: &Times,
    colour: plotters::style::RGBColor,
) -> Result<(), ChartError> {
    let fullest = times.density.iter().map(|point| point.1).fold(0.0, f64::max);
    let inside = times.density.iter().filter(|(time, height)| plot.y.holds(*time) && height.is_finite());
    let side = |sign: f64| {
        inside.clone().map(move |&(time, height)| (x + sign * half * height / fullest, plot.at(0.0, time).1))
    };
    let outline: Vec<(f64, f64)> = side(1.0).chain(side(-1.0).rev()).collect();
    if outline.len() < 3 || fullest <= 0.0 {
        return Ok(());
    }
    sheet.fill(&outline, colour, 0.25)
}

#[cfg(test)]
mod tests {
    use super::super::{Width, draw, legible};
    use super::*;
    use legible::draw_one;

    fn times(label: &str, n: u64, median: f64) -> Times {
        Times {
            label: label.to_owned(),
            n,
            quantiles: Some([0.3, 0.6, 1.0, 2.0, 8.0].map(|share| share * median)),
            median_interval: Some((0.9 * median, 1.2 * median)),
            density: Vec::new(),
        }
    }

    /// One plot as wide as the figure.
    fn plot(times: Vec<Times>) -> TimeByQuality {
        TimeByQuality { panels: vec![Panel { times, ..Panel::default() }], ..TimeByQuality::default() }
    }

    #[test]
    fn the_data_are_the_input() {
        let none = Times { label: "illegal".to_owned(), ..Default::default() };
        let input = plot(vec![times("better", 20, 2.0), none]);
        let csv = draw_one(&input, &Style::default()).to_csv().unwrap();
        assert!(csv.contains("\nbetter,20,box,0.6,1.2,2,4,16,1.8,2.4,,\n"), "{csv}");
        assert!(csv.contains("\nillegal,0,box,,,,,,,,,\n"), "{csv}");
    }

    #[test]
    fn every_width_and_amount_is_legible() {
        let all = ["better", "same", "worse", "dead-end", "illegal"];
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            for count in 0..=all.len() {
                let times = all[..count].iter().map(|label| times(label, 12_345, 1.5 + count as f64)).collect();
                let input = plot(times);
                let figure = draw_one(&input, &Style::new(width));
                legible::check(&figure);
                assert_eq!(figure, draw_one(&input, &Style::new(width)));
            }
        }
    }

    #[test]
    fn groups_have_the_same_quality_at_the_same_place_of_the_same_axes() {
        let panel = |title: &str, times: Vec<Times>| Panel {
            head: PanelHead { title: title.to_owned(), statistic: "H(2) = 12.30, p = .002".to_owned() },
            times,
        };
        let some = vec![times("better", 20, 2.0), times("dead-end", 9, 3.0)];
        let more = vec![times("better", 20, 2.0), times("same", 7, 8.0), times("dead-end", 9, 3.0)];
        let panels = vec![panel("a", some), panel("b, c", more), panel("nobody", Vec::new())];
        let input = TimeByQuality { panels, confidence: "95 %".to_owned(), ..Default::default() };
        let pages = draw(&input, &Style::default()).unwrap();
        assert_eq!(pages.len(), 1);
        let csv = pages[0].to_csv().unwrap();
        assert!(csv.contains("\n\"b, c\",\"H(2) = 12.30, p = .002\",same,7,box,2.4,4.8,8,16,64,7.2,9.6,,\n"), "{csv}");
        // The discs of medians: behind that of the legend, a white and a black one for each box.
        let circles = pages[0].svg.split("<circle cx=\"").skip(2);
        let number = |text: &str| text.split('"').next().unwrap().parse::<f64>().unwrap();
        let places: Vec<(f64, f64)> =
            circles.step_by(2).map(|text| (number(text), number(text.split_once("cy=\"").unwrap().1))).collect();
        assert_eq!(places.len(), 5);
        assert_eq!(places[0].1, places[2].1, "the same median, in both panels at the same height");
        assert_eq!(places[1].0 - places[0].0, places[4].0 - places[2].0, "the third place, the second left free");
        assert!(pages[0].svg.contains("no data"));
    }

    #[test]
    fn groups_are_legible_on_pages_of_at_most_24_panels() {
        let all = ["better", "same", "worse", "dead-end", "a quality of a long name"];
        let panel = |index: usize| Panel {
            head: PanelHead { title: format!("puzzle {index}"), statistic: "H(4) = 123.45, p < .001".to_owned() },
            times: all[..1 + index % 5].iter().map(|label| times(label, 99, 1.0 + index as f64)).collect(),
        };
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            for count in [0, 1, 2, 5, 8, 70] {
                let input = TimeByQuality { panels: (0..count).map(panel).collect(), ..Default::default() };
                let pages = draw(&input, &Style::new(width)).unwrap();
                pages.iter().for_each(legible::check);
                assert!(pages.iter().all(|page| page.height_mm <= 230.0));
                assert!(count < 25 && pages.len() == 1 || pages.len() > 2, "{} pages", pages.len());
                assert_eq!(pages, draw(&input, &Style::new(width)).unwrap());
            }
        }
    }

    #[test]
    fn a_quantile_of_zero_is_refused_with_its_reason() {
        let mut wrong = times("same", 5, 1.0);
        wrong.quantiles = Some([0.0, 1.0, 2.0, 3.0, 4.0]);
        let error = draw(&plot(vec![wrong]), &Style::default()).unwrap_err().to_string();
        assert!(error.contains("\"same\"") && error.contains("positive and rising"), "{error}");
    }
}
