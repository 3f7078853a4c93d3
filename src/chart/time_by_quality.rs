//! Inter-move time by move quality: boxes on a logarithmic axis.
//!
//! Boxes rather than violins: with a few dozen illegal moves beside thousands of others, a density
//! would invent a shape, while quantiles stay what they are. A density may be given all the same.

use super::axis::{Axis, Plot, Scale};
use super::quality::colour_of;
use super::sheet::{Draft, INK, Key, Mark, Pen, Rect, SOFT_INK, Sheet, WHITE, cell, grouped};
use super::{ChartError, Figure, Heading, PlottedData, Style};

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

/// Inter-move times of all qualities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the vertical axis; empty for `inter-move time (s)`.
    pub y_title: String,
    /// Level of the intervals for the legend, such as `95 %`; may be empty.
    pub confidence: String,
    /// The qualities, from left to right.
    pub times: Vec<Times>,
}

/// Draws one box for each quality.
///
/// # Errors
///
/// [`ChartError::Input`] if quantiles are not positive and rising, or an interval lies outside of them.
pub fn draw(input: &Input, style: &Style) -> Result<Figure, ChartError> {
    check(input)?;
    let boxes: Vec<&Times> = input.times.iter().filter(|times| times.quantiles.is_some()).collect();
    let draft = Draft {
        heading: &input.heading,
        style,
        page: (1, 1),
        notes: Vec::new(),
        keys: keys(input),
        reading: reading(input),
        data: data(input),
    };
    if boxes.is_empty() {
        return draft.draw_empty();
    }
    let shown = boxes.iter().flat_map(|times| {
        let interval = times.median_interval.into_iter().flat_map(|(low, high)| [low, high]);
        times.quantiles.into_iter().flatten().chain(interval).chain(times.density.iter().map(|point| point.0))
    });
    let title = if input.y_title.is_empty() { "inter-move time (s)" } else { &input.y_title };
    let y = Axis::around(title, Scale::Log, false, shown);
    let body_mm = (0.72 * style.width.mm()).min(85.0).min(draft.max_body_mm()?);
    draft.draw(body_mm, |sheet, body| draw_boxes(sheet, body, &y, &boxes))
}

fn keys(input: &Input) -> Vec<Key> {
    let mut keys = vec![Key::Mark(Mark::Line(Pen::new(INK, 0.6)), "5th to 95th percentile".to_owned())];
    keys.push(Key::Mark(Mark::Field(SOFT_INK, 0.45), "middle half".to_owned()));
    if input.times.iter().any(|times| times.median_interval.is_some()) {
        let text = ["median and its", &input.confidence, "interval"].join(" ").replace("  ", " ");
        keys.push(Key::Mark(Mark::Disc(INK), text));
    } else {
        keys.push(Key::Mark(Mark::Disc(INK), "median".to_owned()));
    }
    keys
}

fn reading(input: &Input) -> String {
    let density = match input.times.iter().any(|times| !times.density.is_empty()) {
        true => ", the outline the density of the times",
        false => "",
    };
    format!(
        "Boxes span the middle half of the times, whiskers the 5th to the 95th percentile, the dot is the median \
         with its interval{density}; the axis is logarithmic, n counts the moves"
    )
}

fn check(input: &Input) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: input.heading.name.clone(), what });
    for times in &input.times {
        let Some(quantiles) = times.quantiles else {
            continue;
        };
        let rising = quantiles.windows(2).all(|pair| pair[0] <= pair[1]);
        if !(rising && quantiles[0] > 0.0 && quantiles[4].is_finite()) {
            let rule = "they must be positive and rising, times of 0 left out";
            return fault(format!("{:?} has the quantiles {quantiles:?}: {rule}", times.label));
        }
        if let Some((low, high)) = times
            .median_interval
            .filter(|(low, high)| !(*low > 0.0 && *low <= quantiles[2] && quantiles[2] <= *high && high.is_finite()))
        {
            let median = quantiles[2];
            return fault(format!(
                "{:?} has a median of {median} outside of its interval {low} to {high}",
                times.label
            ));
        }
    }
    Ok(())
}

fn draw_boxes(sheet: &Sheet, body: Rect, y: &Axis, boxes: &[&Times]) -> Result<(), ChartError> {
    let (small, label) = (sheet.style.small(), sheet.style.label());
    let below = 2.0 * small.line_mm() + 0.8;
    let height = body.height - below - 0.5 * small.em_mm();
    let left = Plot::left_mm(y, height, &small)? + 1.3 * label.em_mm();
    let place = Rect { left: body.left + left, top: body.top + 0.5 * small.em_mm(), width: body.width - left, height };
    let x = Axis::fixed("", 0.0, boxes.len() as f64, true);
    let plot = Plot { place, x, y: y.clone() };
    draw_axis(sheet, &plot, body)?;
    let pitch = place.width / boxes.len() as f64;
    for (index, times) in boxes.iter().enumerate() {
        let middle = place.left + (index as f64 + 0.5) * pitch;
        draw_box(sheet, &plot, middle, (0.3 * pitch).min(7.0), times, index)?;
        let name = small.cut(&times.label, pitch - 0.6)?;
        sheet.text(middle, place.bottom() + 0.4 + small.em_mm(), &name, small.centre())?;
        let n = small.cut(&format!("n = {}", grouped(times.n)), pitch - 0.4)?;
        sheet.text(
            middle,
            place.bottom() + 0.4 + small.em_mm() + small.line_mm(),
            &n,
            small.centre().colour(SOFT_INK),
        )?;
    }
    Ok(())
}

fn draw_axis(sheet: &Sheet, plot: &Plot, body: Rect) -> Result<(), ChartError> {
    let (small, label) = (sheet.style.small(), sheet.style.label());
    let (place, pen) = (plot.place, Pen::new(INK, 0.5));
    sheet.line(&[(place.left, place.top), (place.left, place.bottom()), (place.right(), place.bottom())], pen)?;
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

fn data(input: &Input) -> PlottedData {
    let header = [
        "quality",
        "n",
        "kind",
        "p05_s",
        "p25_s",
        "median_s",
        "p75_s",
        "p95_s",
        "median_low_s",
        "median_high_s",
        "time_s",
        "density",
    ];
    let mut data = PlottedData::new(&header);
    for times in &input.times {
        let quantiles = times.quantiles.map_or([f64::NAN; 5], |quantiles| quantiles);
        let (low, high) = times.median_interval.unwrap_or((f64::NAN, f64::NAN));
        let head = |kind: &str| vec![times.label.clone(), times.n.to_string(), kind.to_owned()];
        let numbers = quantiles.into_iter().chain([low, high, f64::NAN, f64::NAN]).map(cell);
        data.rows.push(head("box").into_iter().chain(numbers).collect());
        for &(time, density) in &times.density {
            let numbers = [f64::NAN; 7].into_iter().chain([time, density]).map(cell);
            data.rows.push(head("density").into_iter().chain(numbers).collect());
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::super::{Width, legible};
    use super::*;

    fn times(label: &str, n: u64, median: f64) -> Times {
        Times {
            label: label.to_owned(),
            n,
            quantiles: Some([0.3, 0.6, 1.0, 2.0, 8.0].map(|share| share * median)),
            median_interval: Some((0.9 * median, 1.2 * median)),
            density: Vec::new(),
        }
    }

    #[test]
    fn the_data_are_the_input() {
        let none = Times { label: "illegal".to_owned(), ..Default::default() };
        let input = Input { times: vec![times("better", 20, 2.0), none], ..Default::default() };
        let csv = draw(&input, &Style::default()).unwrap().to_csv().unwrap();
        assert!(csv.contains("\nbetter,20,box,0.6,1.2,2,4,16,1.8,2.4,,\n"), "{csv}");
        assert!(csv.contains("\nillegal,0,box,,,,,,,,,\n"), "{csv}");
    }

    #[test]
    fn every_width_and_amount_is_legible() {
        let all = ["better", "same", "worse", "dead-end", "illegal"];
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            for count in 0..=all.len() {
                let times = all[..count].iter().map(|label| times(label, 12_345, 1.5 + count as f64)).collect();
                let input = Input { times, ..Default::default() };
                let figure = draw(&input, &Style::new(width)).unwrap();
                legible::check(&figure);
                assert_eq!(figure, draw(&input, &Style::new(width)).unwrap());
            }
        }
    }

    #[test]
    fn a_quantile_of_zero_is_refused_with_its_reason() {
        let mut wrong = times("same", 5, 1.0);
        wrong.quantiles = Some([0.0, 1.0, 2.0, 3.0, 4.0]);
        let error =
            draw(&Input { times: vec![wrong], ..Default::default() }, &Style::default()).unwrap_err().to_string();
        assert!(error.contains("\"same\"") && error.contains("positive and rising"), "{error}");
    }
}
