//! Shares of ordered categories as stacked bars: in how many games the largest tile was 8, 16, 32 and so on.

use std::ops::Range;

use plotters::style::RGBColor;

use super::axis::{Axis, Plot};
use super::chart::{Chart, Page};
use super::key::Key;
use super::label::Label;
use super::message::Message;
use super::rows::Rows;
use super::sheet::{Mark, Number, Pen, Rect, SOFT_INK, Sheet, WHITE, cell, readable_on, viridis};
use super::{ChartError, Heading, PlottedData, Style};

/// One bar, such as a strategy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// Name; broken into lines where it is long.
    pub label: String,
    /// Number of cases of each category, in the order of [`ShareBars::categories`].
    pub counts: Vec<u64>,
}

/// Counts by bar and category: one bar for each entry, on as many pages as they need.
///
/// Colours follow the order of the categories, from the first that occurs to the last; categories before and behind
/// these are not in the legend. Segments show their share in percent where it fits. Every bar must have one count for
/// each category.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShareBars {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Noun for the things that are counted, in the plural, such as `games`; empty for `cases`.
    pub counted: String,
    /// Noun for the categories, for the caption, such as `largest tile`; empty for `category`.
    pub scale: String,
    /// Names of the categories from the least to the greatest, such as `8`, `16`, `32`.
    pub categories: Vec<String>,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

impl Chart for ShareBars {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        let categories = self.categories.len();
        match self.bars.iter().find(|bar| bar.counts.len() != categories) {
            Some(Bar { label, counts }) => {
                let counts = counts.len();
                Err(format!("bar {label:?} has {counts} counts for {categories} categories: give one for each"))
            }
            None => Ok(()),
        }
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        let shades = Shades::new(self);
        let key = |category| Key::mark(Mark::Field(shades.colour(category), 1.0), &self.categories[category]);
        shades.occurring.clone().map(key).collect()
    }

    fn reading(&self) -> String {
        let scale = if self.scale.is_empty() { "category" } else { &self.scale };
        let counted = self.counted();
        format!(
            "Each bar shows the shares of its {counted} by {scale}, from the least (dark) to the greatest (bright); \
             numbers are percent, n counts the {counted}"
        )
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let shades = Shades::new(self);
        if shades.occurring.is_empty() {
            return Ok(vec![Page::empty(self.data(&self.bars))]);
        }
        let labels: Vec<&String> = self.bars.iter().map(|bar| &bar.label).collect();
        let (beside_mm, least_mm) = (above_mm(style) + Rows::below_mm(style), 1.5 * style.small().em_mm());
        let rows = Rows::new(&labels, style, room_mm - beside_mm, (least_mm, 5.0))?;
        let data = |page: Range<usize>| self.data(&self.bars[page]);
        let paint = move |sheet: &Sheet, body, rows: &Rows, page: &_| self.draw_page(sheet, body, &shades, rows, page);
        Ok(rows.on_pages(beside_mm, data, paint))
    }
}

impl ShareBars {
    fn counted(&self) -> &str {
        if self.counted.is_empty() { "cases" } else { &self.counted }
    }

    fn data(&self, bars: &[Bar]) -> PlottedData {
        let mut data = PlottedData::new("bar,n,category,count,share");
        for bar in bars {
            let n = total(bar);
            for (category, &count) in self.categories.iter().zip(&bar.counts) {
                let share = if n > 0 { cell(count as f64 / n as f64) } else { String::new() };
                data.rows.push(vec![bar.label.clone(), n.to_string(), category.clone(), count.to_string(), share]);
            }
        }
        data
    }

    fn draw_page(
        &self,
        sheet: &Sheet,
        body: Rect,
        shades: &Shades,
        rows: &Rows,
        page: &Range<usize>,
    ) -> Result<(), ChartError> {
        let small = sheet.style.small();
        let label = sheet.style.label();
        let mut numbers = label.width_of(&Message::Count)?;
        for bar in &self.bars {
            numbers = numbers.max(small.width_of(&printed_total(bar))?);
        }
        let left = body.left + rows.left_mm();
        // The label of 100 % needs half its width beyond the bars.
        let right = body.right() - (numbers + 1.2).max(0.5 * small.width_of(&Number::count(100))?);
        let top = body.top + above_mm(sheet.style);
        let place = Rect { left, top, width: right - left, height: rows.height_mm(page) };
        let title = format!("share of {} (%)", self.counted());
        let plot =
            Plot { place, x: Axis::fixed(&title, 0.0, 100.0, true), y: Axis::fixed(Label::none(), 0.0, 1.0, true) };
        sheet.text(body.right(), body.top + label.em_mm(), &Message::Count, label.right().colour(SOFT_INK))?;
        for (index, row) in rows.places(page, place) {
            rows.draw_name(sheet, index, row)?;
            let bar = &self.bars[index];
            let base = row.centre().1 + small.half_cap_mm();
            sheet.text(body.right(), base, &printed_total(bar), small.right())?;
            let height = 0.84 * rows.least_mm();
            self.draw_bar(sheet, Rect { top: row.centre().1 - height / 2.0, height, ..row }, bar, shades)?;
        }
        Rows::draw_axis(sheet, &plot, body)
    }

    fn draw_bar(&self, sheet: &Sheet, place: Rect, bar: &Bar, shades: &Shades) -> Result<(), ChartError> {
        let total = total(bar);
        let small = sheet.style.small();
        let base = place.centre().1 + small.half_cap_mm();
        if total == 0 {
            let font = sheet.style.label().colour(SOFT_INK);
            return sheet.text(place.left + 1.0, base, &format!("no {}", self.counted()), font);
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
                sheet.text(
                    part.centre().0,
                    base,
                    &percent,
                    small.centre().colour(readable_on(shades.colour(category))),
                )?;
            }
            before = after;
        }
        Ok(())
    }
}

/// Categories that are drawn, and their colours.
struct Shades {
    /// From the first category that occurs to the last.
    occurring: Range<usize>,
}

impl Shades {
    fn new(input: &ShareBars) -> Self {
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
}

/// Room above the bars for the heading of the column of numbers, in millimetres.
fn above_mm(style: &Style) -> f64 {
    style.label().line_mm() + 0.6
}

/// Number of cases of a bar; as 128 bits, since counts of 64 may sum to more.
fn total(bar: &Bar) -> u128 {
    bar.counts.iter().map(|&count| u128::from(count)).sum()
}

/// The total as it is printed: the greatest number that fits stands for all beyond it.
fn printed_total(bar: &Bar) -> Number {
    Number::count(u64::try_from(total(bar)).unwrap_or(u64::MAX))
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

#[cfg(test)]
mod tests {
    use super::super::sheet::luminance;
    use super::super::{Width, draw, legible};
    use super::*;

    fn input(bars: usize) -> ShareBars {
        let names = ["random", "corner, then left", "expectimax-depth-3+snake-weights+merges+empty-cells"];
        let bar = |number: usize| Bar {
            label: format!("{} {number}", names[number % 3]),
            counts: (0..11).map(|tile: usize| 900_u64 >> (2 * tile.abs_diff(number % 9))).collect(),
        };
        ShareBars {
            heading: Heading { name: "tiles".to_owned(), title: "Largest tile".into(), ..Default::default() },
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
        let input = ShareBars { categories: vec!["8".to_owned(), "16".to_owned()], bars, ..Default::default() };
        let csv = draw(&input, &Style::default()).unwrap()[0].to_csv().unwrap();
        assert_eq!(csv, "bar,n,category,count,share\na,4,8,1,0.25\na,4,16,3,0.75\nb,0,8,0,\nb,0,16,0,\n");
    }

    #[test]
    fn every_width_and_amount_is_legible_and_the_same_twice() {
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            for bars in [0, 1, 12, 30, 200] {
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
        let input = ShareBars { categories: ["x", "y", "z"].map(str::to_owned).to_vec(), bars: vec![bar], ..input(0) };
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
            let (ground, ink) = (luminance(shades.colour(category)), luminance(readable_on(shades.colour(category))));
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
        input.heading.no_data_reason = "no game ended".into();
        input.bars.iter_mut().for_each(|bar| bar.counts.fill(0));
        assert!(draw(&input, &Style::default()).unwrap()[0].svg.contains("no data: no game ended"));
        input.bars[1].counts.pop();
        assert!(draw(&input, &Style::default()).unwrap_err().to_string().contains("10 counts for 11 categories"));
    }
}
