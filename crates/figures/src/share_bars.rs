//! Shares of ordered categories as stacked bars: in how many games the largest tile was 8, 16, 32 and so on.

use std::ops::Range;

use plotters::style::RGBColor;

use super::axis::{Axis, Plot};
use super::rows::Rows;
use super::sheet::{Draft, INK, Key, Mark, Number, Pen, Rect, SOFT_INK, Sheet, WHITE, cell, viridis};
use super::{ChartError, Figure, Heading, PlottedData, Style};

/// One bar, such as a strategy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// Name; broken into lines where it is long.
    pub label: String,
    /// How often each category occurred, in the order of [`Input::categories`].
    pub counts: Vec<u64>,
}

/// Counts by bar and category.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// What is counted, in the plural, such as `games`; empty for `cases`.
    pub counted: String,
    /// What the categories are, for the caption, such as `largest tile`; empty for `category`.
    pub scale: String,
    /// Names of the categories from the least to the greatest, such as `8`, `16`, `32`.
    pub categories: Vec<String>,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

/// Draws one bar for each entry, on as many pages as they need.
///
/// Colours follow the order of the categories, from the first that occurs to the last; categories before and behind
/// these are not in the legend. Segments show their share in percent where it fits.
///
/// # Errors
///
/// [`ChartError::Input`] if a bar has not one count for each category.
pub fn draw(input: &Input, style: &Style) -> Result<Vec<Figure>, ChartError> {
    check(input)?;
    let shades = Shades::new(input);
    let keys = keys(input, &shades);
    let draft = |page: (usize, usize), bars: Range<usize>| Draft {
        heading: &input.heading,
        style,
        page,
        notes: Vec::new(),
        keys: keys.clone(),
        reading: reading(input),
        data: data(input, &input.bars[bars]),
    };
    if shades.occurring.is_empty() {
        return Ok(vec![draft((1, 1), 0..input.bars.len()).draw_empty()?]);
    }
    let labels: Vec<&str> = input.bars.iter().map(|bar| bar.label.as_str()).collect();
    let around = above_mm(style) + Rows::below_mm(style);
    let em = style.small().em_mm();
    let rows = Rows::new(&labels, style, draft((99, 99), 0..0).max_body_mm()? - around, (1.5 * em, 5.0))?;
    let pages = rows.pages();
    let page_of = |(number, page): (usize, &Range<usize>)| {
        let draft = draft((number + 1, pages.len()), page.clone());
        let body_mm = around + rows.height_mm(page);
        draft.draw(body_mm, |sheet, body| draw_page(sheet, body, input, &shades, &rows, page))
    };
    pages.iter().enumerate().map(page_of).collect()
}

/// Which categories are drawn, and in which colours.
struct Shades {
    /// From the first category that occurs to the last.
    occurring: Range<usize>,
}

impl Shades {
    fn new(input: &Input) -> Self {
        let occurs = |category: &usize| input.bars.iter().any(|bar| bar.counts[*category] > 0);
        let mut all = (0..input.categories.len()).filter(occurs);
        let first = all.next().unwrap_or(0);
        let occurring = match input.bars.iter().flat_map(|bar| &bar.counts).any(|&count| count > 0) {
            true => first..all.next_back().unwrap_or(first) + 1,
            false => 0..0,
        };
        Self { occurring }
    }

    fn colour(&self, category: usize) -> RGBColor {
        let steps = self.occurring.len().saturating_sub(1).max(1);
        viridis(category.saturating_sub(self.occurring.start) as f64 / steps as f64)
    }

    /// Black or white, whichever stands out more from the category's colour.
    fn ink(&self, category: usize) -> RGBColor {
        let luminance = luminance(self.colour(category));
        // Contrast ratio (L1 + 0.05) / (L2 + 0.05), WCAG 2.1 (2018).
        if (1.05 / (luminance + 0.05)) > (luminance + 0.05) / 0.05 { WHITE } else { INK }
    }
}

/// Relative luminance of an sRGB colour, 0 for black to 1 for white (WCAG 2.1, 2018).
fn luminance(colour: RGBColor) -> f64 {
    let linear = |part: u8| {
        let share = f64::from(part) / 255.0;
        if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2)
}

fn counted(input: &Input) -> &str {
    if input.counted.is_empty() { "cases" } else { &input.counted }
}

fn keys(input: &Input, shades: &Shades) -> Vec<Key> {
    let one = |category| Key::mark(Mark::Field(shades.colour(category), 1.0), &input.categories[category]);
    shades.occurring.clone().map(one).collect()
}

fn reading(input: &Input) -> String {
    let scale = if input.scale.is_empty() { "category" } else { &input.scale };
    let counted = counted(input);
    format!(
        "Each bar shows the shares of its {counted} by {scale}, from the least (dark) to the greatest (bright); \
         numbers are percent, n counts the {counted}"
    )
}

fn check(input: &Input) -> Result<(), ChartError> {
    let categories = input.categories.len();
    match input.bars.iter().find(|bar| bar.counts.len() != categories) {
        Some(bar) => {
            let (label, counts) = (&bar.label, bar.counts.len());
            let what = format!("bar {label:?} has {counts} counts for {categories} categories: give one for each");
            Err(ChartError::Input { figure: input.heading.name.clone(), what })
        }
        None => Ok(()),
    }
}

/// Room above the bars for the heading of the column of numbers, in millimetres.
fn above_mm(style: &Style) -> f64 {
    style.small().line_mm() + 0.6
}

/// How many cases a bar has; as 128 bits, since counts of 64 may sum to more.
fn total(bar: &Bar) -> u128 {
    bar.counts.iter().map(|&count| u128::from(count)).sum()
}

/// The total as it is printed: the greatest number that fits stands for all beyond it.
fn printed_total(bar: &Bar) -> Number {
    Number::count(u64::try_from(total(bar)).unwrap_or(u64::MAX))
}

fn draw_page(
    sheet: &Sheet,
    body: Rect,
    input: &Input,
    shades: &Shades,
    rows: &Rows,
    page: &Range<usize>,
) -> Result<(), ChartError> {
    let small = sheet.style.small();
    let mut numbers = small.width_of("n")?;
    for bar in &input.bars {
        numbers = numbers.max(small.width_of(&printed_total(bar))?);
    }
    let left = body.left + rows.left_mm();
    // The label of 100 % needs half its width beyond the bars.
    let right = body.right() - (numbers + 1.2).max(0.5 * small.width_of("100")?);
    let top = body.top + above_mm(sheet.style);
    let place = Rect { left, top, width: right - left, height: rows.height_mm(page) };
    let title = format!("share of {} (%)", counted(input));
    let plot = Plot { place, x: Axis::fixed(&title, 0.0, 100.0, true), y: Axis::fixed("", 0.0, 1.0, true) };
    sheet.text(body.right(), body.top + small.em_mm(), "n", small.right().colour(SOFT_INK))?;
    for (index, row) in rows.places(page, place) {
        rows.draw_name(sheet, index, row)?;
        let bar = &input.bars[index];
        let base = row.centre().1 + small.half_cap_mm();
        sheet.text(body.right(), base, &printed_total(bar), small.right())?;
        let height = 0.84 * rows.least_mm();
        draw_bar(sheet, Rect { top: row.centre().1 - height / 2.0, height, ..row }, input, bar, shades)?;
    }
    Rows::draw_axis(sheet, &plot, body)
}

fn draw_bar(sheet: &Sheet, place: Rect, input: &Input, bar: &Bar, shades: &Shades) -> Result<(), ChartError> {
    let total = total(bar);
    let small = sheet.style.small();
    let base = place.centre().1 + small.half_cap_mm();
    if total == 0 {
        return sheet.text(place.left + 1.0, base, &format!("no {}", counted(input)), small.colour(SOFT_INK));
    }
    let mut before = 0;
    for category in shades.occurring.clone().filter(|&category| bar.counts[category] > 0) {
        let count = bar.counts[category];
        let at = |cases: u128| place.left + place.width * cases as f64 / total as f64;
        let after = before + u128::from(count);
        let part = Rect { left: at(before), width: at(after) - at(before), ..place };
        sheet.fill(&part.corners(), shades.colour(category), 1.0)?;
        if before > 0 {
            // White between neighbours keeps them apart in a grey print too.
            sheet.line(&[(part.left, place.top), (part.left, place.bottom())], Pen::new(WHITE, 0.5))?;
        }
        let percent = Number::new(percent(count, total));
        if small.width_of(&percent)? + 1.0 <= part.width {
            sheet.text(part.centre().0, base, &percent, small.centre().colour(shades.ink(category)))?;
        }
        before = after;
    }
    Ok(())
}

/// A share in whole percent, halves rounded up. Only what is all of the bar is 100.
fn percent(count: u64, total: u128) -> String {
    let rounded = (u128::from(count) * 200 + total) / (2 * total);
    match rounded {
        100 if u128::from(count) < total => ">99".to_owned(),
        0 if count > 0 => "<1".to_owned(),
        rounded => rounded.to_string(),
    }
}

fn data(input: &Input, bars: &[Bar]) -> PlottedData {
    let mut data = PlottedData::new(&["bar", "n", "category", "count", "share"]);
    for bar in bars {
        let n = total(bar);
        for (category, &count) in input.categories.iter().zip(&bar.counts) {
            let share = if n > 0 { cell(count as f64 / n as f64) } else { String::new() };
            data.rows.push(vec![bar.label.clone(), n.to_string(), category.clone(), count.to_string(), share]);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::super::{Width, legible};
    use super::*;

    fn input(bars: usize) -> Input {
        let names = ["random", "corner, then left", "expectimax-depth-3+snake-weights+merges+empty-cells"];
        let bar = |number: usize| Bar {
            label: format!("{} {number}", names[number % 3]),
            counts: (0..11).map(|tile: usize| 900_u64 >> (2 * tile.abs_diff(number % 9))).collect(),
        };
        Input {
            heading: Heading { name: "tiles".to_owned(), title: "Largest tile".to_owned(), ..Default::default() },
            counted: "games".to_owned(),
            scale: "largest tile".to_owned(),
            categories: (3..14).map(|power| (1 << power).to_string()).collect(),
            bars: (0..bars).map(bar).collect(),
        }
    }

    #[test]
    fn the_data_are_the_input() {
        let bars =
            vec![Bar { label: "a".to_owned(), counts: vec![1, 3] }, Bar { label: "b".to_owned(), counts: vec![0, 0] }];
        let input = Input { categories: vec!["8".to_owned(), "16".to_owned()], bars, ..Default::default() };
        let csv = draw(&input, &Style::default()).unwrap()[0].to_csv().unwrap();
        assert_eq!(csv, "bar,n,category,count,share\na,4,8,1,0.25\na,4,16,3,0.75\nb,0,8,0,\nb,0,16,0,\n");
    }

    #[test]
    fn every_width_and_amount_is_legible_and_the_same_twice() {
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            for bars in [0, 1, 12, 40, 200] {
                let pages = draw(&input(bars), &Style::new(width)).unwrap();
                pages.iter().for_each(legible::check);
                assert!(pages.iter().all(|page| page.height_mm <= 230.0));
                assert_eq!(pages.len() > 1, bars == 200, "{bars} bars");
                assert_eq!(pages.iter().map(|page| page.data.rows.len()).sum::<usize>(), 11 * bars);
                assert_eq!(pages, draw(&input(bars), &Style::new(width)).unwrap());
            }
        }
    }

    #[test]
    fn segments_are_as_wide_as_their_shares() {
        let bar = Bar { label: "a".to_owned(), counts: vec![1, 0, 3] };
        let input = Input { categories: ["x", "y", "z"].map(str::to_owned).to_vec(), bars: vec![bar], ..input(0) };
        let figure = &draw(&input, &Style::default()).unwrap()[0];
        let widths: Vec<f64> = figure
            .svg
            .split("<polygon points=\"")
            .skip(1)
            .map(|polygon| {
                let points = polygon.split('"').next().unwrap().split_whitespace();
                let x: Vec<f64> = points.map(|point| point.split(',').next().unwrap().parse().unwrap()).collect();
                x.iter().copied().fold(f64::MIN, f64::max) - x.iter().copied().fold(f64::MAX, f64::min)
            })
            .collect();
        // Three fields of the legend, then the two segments.
        assert_eq!(widths.len(), 5);
        assert!((widths[4] / widths[3] - 3.0).abs() < 0.01, "{widths:?}");
    }

    #[test]
    fn shares_are_rounded_but_never_to_none_or_all() {
        assert_eq!([1, 2, 5, 199].map(|count| percent(count, 200)), ["1", "1", "3", ">99"]);
        assert_eq!((percent(1, 1_000), percent(7, 7)), ("<1".to_owned(), "100".to_owned()));
    }

    #[test]
    fn numbers_stand_out_from_their_segments() {
        let mut input = input(1);
        input.bars[0].counts.fill(1);
        let shades = Shades::new(&input);
        for category in 0..11 {
            let (ground, ink) = (luminance(shades.colour(category)), luminance(shades.ink(category)));
            let contrast = (ground.max(ink) + 0.05) / (ground.min(ink) + 0.05);
            assert!(contrast >= 4.5, "category {category}: {contrast}");
        }
    }

    #[test]
    fn categories_beyond_those_that_occur_are_not_in_the_legend() {
        let mut input = input(1);
        input.bars[0].counts = vec![0, 0, 4, 0, 4, 0, 0, 0, 0, 0, 0];
        let figure = &draw(&input, &Style::default()).unwrap()[0];
        let has = |tile: u32| figure.svg.contains(&format!(">{tile}<"));
        assert_eq!([16, 32, 64, 128, 256].map(has), [false, true, true, true, false]);
    }

    #[test]
    fn nothing_to_draw_and_contradictions_are_said() {
        let mut input = input(2);
        input.heading.no_data_reason = "no game ended".to_owned();
        input.bars.iter_mut().for_each(|bar| bar.counts.fill(0));
        assert!(draw(&input, &Style::default()).unwrap()[0].svg.contains("no data: no game ended"));
        input.bars[1].counts.pop();
        assert!(draw(&input, &Style::default()).unwrap_err().to_string().contains("10 counts for 11 categories"));
    }
}
