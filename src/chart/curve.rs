//! Curves with bands over a continuous quantity, such as power against the number of participants.

use super::axis::{Axis, Plot, Scale, beyond_reach, reach_fault};
use super::panels::Multiples;
use super::series::{MOST_SERIES, SeriesMark, colour_of, key};
use super::sheet::{INK, Key, Mark, Pen, SOFT_INK, Sheet, cell, grouped};
use super::{ChartError, Figure, Heading, PlottedData, Reference, Style};

/// One computed point of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Horizontal value, such as the number of participants.
    pub x: f64,
    /// Vertical value, such as the power; the curve has a gap where it is not finite.
    pub y: f64,
    /// Lower and upper end of the band.
    pub band: Option<(f64, f64)>,
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Name for the legend, such as `r = 0.3`.
    pub label: String,
    /// Its points, at rising x.
    pub points: Vec<Point>,
}

/// The curves of one plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis with its unit.
    pub x_title: String,
    /// Title of the vertical axis with its unit.
    pub y_title: String,
    /// Whether the horizontal axis is logarithmic; points without a place on it are left out and counted.
    pub x_log: bool,
    /// Whether the vertical axis is logarithmic; points without a place on it are left out and counted.
    pub y_log: bool,
    /// Ends of the vertical axis, such as 0 and 1 for a power; absent to fit the points.
    pub y_range: Option<(f64, f64)>,
    /// What the bands are, for the legend, such as `95 % interval`; empty for `band`.
    pub band: String,
    /// A value on the vertical axis to compare with, such as a power of 0.8.
    pub reference: Option<Reference>,
    /// The curves, at most 8, in the order of the legend.
    pub curves: Vec<Curve>,
}

/// Draws all curves in one plot, with a mark at each computed point.
///
/// # Errors
///
/// [`ChartError::Input`] if there are more than 8 curves, the x of a curve do not rise, a band's ends are not in
/// order, the range or the reference has no place on the axis, or a value is beyond 10¹⁵ (on a logarithmic axis also
/// below 10⁻¹⁵).
pub fn draw(input: &Input, style: &Style) -> Result<Figure, ChartError> {
    let scales = (scale(input.x_log), scale(input.y_log));
    check(input, scales)?;
    let points = || input.curves.iter().flat_map(|curve| &curve.points);
    let shown = || points().filter(|point| scales.0.shows(point.x) && scales.1.shows(point.y));
    let whole = shown().all(|point| point.x.fract() == 0.0);
    let x = Axis::around(&input.x_title, scales.0, whole, shown().map(|point| point.x));
    let y = y_axis(input, scales.1, shown());
    let drawn = shown().filter(|point| y.holds(point.y)).count();
    let hidden = points().filter(|point| point.x.is_finite() && point.y.is_finite()).count() - drawn;
    let notes = match hidden {
        0 => Vec::new(),
        _ => vec![format!("{} not shown (beyond the axes)", grouped(hidden as u64))],
    };
    let (heading, keys, reading) = (&input.heading, keys(input, style)?, reading(input));
    let multiples = Multiples { heading, style, x, y, notes, keys, reading };
    match drawn {
        0 => multiples.draw_empty(data(input)),
        _ => multiples.draw_one(data(input), |sheet, plot| draw_plot(sheet, plot, input)),
    }
}

fn scale(log: bool) -> Scale {
    if log { Scale::Log } else { Scale::Linear }
}

fn y_axis<'a>(input: &Input, scale: Scale, shown: impl Iterator<Item = &'a Point>) -> Axis {
    if let Some((low, high)) = input.y_range {
        return Axis { title: input.y_title.clone(), scale, low, high, whole: false };
    }
    let ends = |point: &'a Point| point.band.into_iter().flat_map(|(low, high)| [low, high]).chain([point.y]);
    let values = shown.flat_map(ends).chain(input.reference.iter().map(|line| line.value));
    Axis::around(&input.y_title, scale, false, values)
}

fn any_band(input: &Input) -> bool {
    input.curves.iter().flat_map(|curve| &curve.points).any(|point| point.band.is_some())
}

fn keys(input: &Input, style: &Style) -> Result<Vec<Key>, ChartError> {
    let mut keys = Vec::new();
    for (index, curve) in input.curves.iter().enumerate() {
        keys.push(key(style, Mark::Series(SeriesMark::new(index).joined()), &curve.label)?);
    }
    if any_band(input) {
        let label = if input.band.is_empty() { "band" } else { &input.band };
        keys.push(key(style, Mark::Field(SOFT_INK, 0.25), label)?);
    }
    if let Some(line) = &input.reference {
        keys.push(key(style, Mark::Dashed(Pen::new(INK, 0.6)), &line.label)?);
    }
    Ok(keys)
}

fn reading(input: &Input) -> String {
    let band = match (any_band(input), input.band.is_empty()) {
        (false, _) => String::new(),
        (true, true) => ", with bands".to_owned(),
        (true, false) => format!(", bands are the {}", input.band),
    };
    let line = input.reference.as_ref().map_or(String::new(), |line| format!("; the dashed line is {}", line.label));
    let axes = match (input.x_log, input.y_log) {
        (true, true) => "; both axes are logarithmic",
        (true, false) => "; the horizontal axis is logarithmic",
        (false, true) => "; the vertical axis is logarithmic",
        (false, false) => "",
    };
    format!("Marks are computed points, joined by straight lines{band}{line}{axes}")
}

fn check(input: &Input, scales: (Scale, Scale)) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: input.heading.name.clone(), what });
    if input.curves.len() > MOST_SERIES {
        let number = input.curves.len();
        return fault(format!("{number} curves, but one figure keeps {MOST_SERIES} apart: draw some in another one"));
    }
    for Curve { label, points } in &input.curves {
        if let Some(pair) =
            points.windows(2).find(|pair| pair[0].x.partial_cmp(&pair[1].x) != Some(std::cmp::Ordering::Less))
        {
            let (a, b) = (pair[0].x, pair[1].x);
            return fault(format!("curve {label:?} has the x {a} before {b}: they must rise"));
        }
        let wrong = |band: &(f64, f64)| !(band.0.is_finite() && band.1.is_finite() && band.0 <= band.1);
        if let Some((low, high)) = points.iter().filter_map(|point| point.band).find(wrong) {
            return fault(format!("curve {label:?} has a band from {low} to {high}: it must rise and be finite"));
        }
    }
    let points = || input.curves.iter().flat_map(|curve| &curve.points);
    let bands = points().filter_map(|point| point.band).chain(input.y_range).flat_map(|(low, high)| [low, high]);
    let y = points().map(|point| point.y).chain(bands).chain(input.reference.iter().map(|line| line.value));
    let far = beyond_reach(scales.0, points().map(|point| point.x)).or_else(|| beyond_reach(scales.1, y));
    if let Some(value) = far {
        return fault(reach_fault(value));
    }
    let rule = if input.y_log { "positive on a logarithmic axis" } else { "finite" };
    if let Some((low, high)) =
        input.y_range.filter(|(low, high)| !(scales.1.shows(*low) && scales.1.shows(*high) && low < high))
    {
        return fault(format!("the vertical axis goes from {low} to {high}: its ends must rise and be {rule}"));
    }
    if let Some(line) = &input.reference {
        let (label, value) = (&line.label, line.value);
        let beyond = input.y_range.filter(|(low, high)| !(*low..=*high).contains(&value));
        if !scales.1.shows(value) {
            return fault(format!("the reference {label:?} is {value}: it must be {rule}"));
        } else if let Some((low, high)) = beyond {
            return fault(format!("the reference {label:?} is {value}, but the axis goes from {low} to {high}"));
        }
    }
    Ok(())
}

fn draw_plot(sheet: &Sheet, plot: &Plot, input: &Input) -> Result<(), ChartError> {
    for (index, curve) in input.curves.iter().enumerate() {
        draw_band(sheet, plot, curve, index)?;
    }
    if let Some(line) = &input.reference {
        let y = plot.at(plot.x.low, line.value).1;
        sheet.dashed(&[(plot.place.left, y), (plot.place.right(), y)], Pen::new(INK, 0.6))?;
    }
    for (index, curve) in input.curves.iter().enumerate() {
        let line: Vec<(f64, f64)> = curve.points.iter().map(|point| (point.x, point.y)).collect();
        for piece in plot.clipped(&line) {
            sheet.line(&piece, Pen::new(colour_of(index), 0.9))?;
        }
    }
    for (index, curve) in input.curves.iter().enumerate() {
        for point in curve.points.iter().filter(|point| plot.holds(point.x, point.y)) {
            let size = if curve.points.len() > 40 { 0.45 } else { 0.7 };
            sheet.mark(plot.at(point.x, point.y), size, Mark::Series(SeriesMark::new(index)), 1.0)?;
        }
    }
    Ok(())
}

/// The band between each two neighbours that have one; a single point shows its band as a line.
fn draw_band(sheet: &Sheet, plot: &Plot, curve: &Curve, index: usize) -> Result<(), ChartError> {
    let ends = |point: &Point| {
        let (low, high) = point.band?;
        let usable = plot.x.holds(point.x) && point.y.is_finite() && plot.y.scale.shows(high);
        let low = if plot.y.scale.shows(low) { low } else { plot.y.low };
        let clamped = |value: f64| plot.at(point.x, value.clamp(plot.y.low, plot.y.high));
        usable.then(|| (clamped(low), clamped(high)))
    };
    let ends: Vec<_> = curve.points.iter().map(ends).collect();
    for run in ends.split(Option::is_none) {
        let low = run.iter().flatten().map(|end| end.0);
        let high = run.iter().flatten().map(|end| end.1);
        match run {
            [] => {}
            [Some((low, high))] => sheet.line(&[*low, *high], Pen::new(colour_of(index), 1.2).alpha(0.5))?,
            _ => {
                let field: Vec<(f64, f64)> = low.chain(high.rev()).collect();
                sheet.fill(&field, colour_of(index), 0.2)?;
            }
        }
    }
    Ok(())
}

fn data(input: &Input) -> PlottedData {
    let mut data = PlottedData::new(&["kind", "curve", "x", "y", "lower", "upper"]);
    for curve in &input.curves {
        for point in &curve.points {
            let (lower, upper) = point.band.unwrap_or((f64::NAN, f64::NAN));
            let head = ["point".to_owned(), curve.label.clone()];
            data.rows.push(head.into_iter().chain([point.x, point.y, lower, upper].map(cell)).collect());
        }
    }
    if let Some(line) = &input.reference {
        let head = ["reference".to_owned(), line.label.clone()];
        data.rows.push(head.into_iter().chain([f64::NAN, line.value, f64::NAN, f64::NAN].map(cell)).collect());
    }
    data
}

#[cfg(test)]
mod tests {
    use super::super::{Width, legible};
    use super::*;

    fn input(curves: usize, points: usize) -> Input {
        let point = |curve: usize, number: usize| {
            let x = 10.0 + 10.0 * number as f64;
            let y = 1.0 - (-x * (curve + 1) as f64 / 120.0).exp();
            Point { x, y, band: Some(((y - 0.05).max(0.0), (y + 0.05).min(1.0))) }
        };
        let curve = |curve: usize| Curve {
            label: format!("r = 0.{}", curve + 1),
            points: (0..points).map(|number| point(curve, number)).collect(),
        };
        Input {
            heading: Heading { name: "power".to_owned(), title: "Power".to_owned(), ..Default::default() },
            x_title: "participants".to_owned(),
            y_title: "power".to_owned(),
            y_range: Some((0.0, 1.0)),
            band: "95 % interval".to_owned(),
            reference: Some(Reference { value: 0.8, label: "power of 0.8".to_owned() }),
            curves: (0..curves).map(curve).collect(),
            ..Default::default()
        }
    }

    #[test]
    fn the_data_are_the_input() {
        let points =
            vec![Point { x: 10.0, y: 0.25, band: Some((0.2, 0.375)) }, Point { x: 20.0, y: f64::NAN, band: None }];
        let input = Input { curves: vec![Curve { label: "d, 1".to_owned(), points }], ..input(0, 0) };
        assert_eq!(
            draw(&input, &Style::default()).unwrap().to_csv().unwrap(),
            "kind,curve,x,y,lower,upper\npoint,\"d, 1\",10,0.25,0.2,0.375\npoint,\"d, 1\",20,,,\n\
             reference,power of 0.8,,0.8,,\n"
        );
    }

    #[test]
    fn every_width_and_amount_is_legible_and_the_same_twice() {
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            for (curves, points) in [(0, 0), (1, 1), (1, 12), (3, 12), (8, 60)] {
                for log in [false, true] {
                    let y_range = input(0, 0).y_range.filter(|_| !log);
                    let input = Input { x_log: log, y_log: log, y_range, ..input(curves, points) };
                    let figure = draw(&input, &Style::new(width)).unwrap();
                    legible::check(&figure);
                    assert_eq!(figure.data.rows.len(), curves * points + 1);
                    assert_eq!(figure, draw(&input, &Style::new(width)).unwrap());
                }
            }
        }
    }

    #[test]
    fn curves_and_bands_break_at_missing_values() {
        let mut input = input(1, 7);
        let count = |input: &Input| {
            let svg = draw(input, &Style::default()).unwrap().svg;
            let filled = svg.split("<g").filter(|group| group.contains("fill-opacity=\"0.2\""));
            (svg.matches("<circle").count(), filled.map(|group| group.matches("<polygon").count()).sum::<usize>())
        };
        // One disc is that of the legend.
        assert_eq!(count(&input), (8, 1));
        input.curves[0].points[3].y = f64::NAN;
        assert_eq!(count(&input), (7, 2));
    }

    #[test]
    fn points_beyond_the_axes_are_counted() {
        let mut input = input(1, 5);
        input.curves[0].points[0].y = -0.5;
        let caption = draw(&input, &Style::default()).unwrap().caption;
        assert!(caption.contains("1 not shown (beyond the axes)"), "{caption}");
    }

    #[test]
    fn nothing_to_draw_is_said_with_its_reason() {
        let mut input = input(0, 0);
        input.heading.no_data_reason = "no effect was simulated".to_owned();
        assert!(draw(&input, &Style::default()).unwrap().svg.contains("no data: no effect was simulated"));
    }

    #[test]
    fn contradictions_are_named() {
        let fault = |input: &Input| draw(input, &Style::default()).unwrap_err().to_string();
        assert!(fault(&input(9, 1)).contains("9 curves"));
        let mut wrong = input(1, 3);
        wrong.curves[0].points[2].x = f64::MAX;
        assert!(fault(&wrong).contains("beyond the reach"), "{}", fault(&wrong));
        wrong.curves[0].points[2].x = 30.0;
        wrong.reference = Some(Reference { value: 1.5, label: "limit".to_owned() });
        assert!(fault(&wrong).contains("\"limit\" is 1.5, but the axis goes from 0 to 1"), "{}", fault(&wrong));
        wrong.y_range = Some((1.0, 0.0));
        assert!(fault(&wrong).contains("from 1 to 0"), "{}", fault(&wrong));
        wrong.curves[0].points[1].band = Some((0.5, 0.4));
        assert!(fault(&wrong).contains("band from 0.5 to 0.4"), "{}", fault(&wrong));
        wrong.curves[0].points[2].x = 20.0;
        assert!(fault(&wrong).contains("x 20 before 20"), "{}", fault(&wrong));
    }
}
