//! Shares of move quality for each level, as stacked bars.

use std::ops::Range;

use super::axis::{Axis, Plot};
use super::chart::{Chart, Page, evenly};
use super::key::Key;
use super::label::Label;
use super::message::Message;
use super::rows::Rows;
use super::sheet::{
    BLUE, INK, Mark, Number, OKABE_ITO, ORANGE, PURPLE, Pen, Rect, SKY, SOFT_INK, Sheet, VERMILION, WHITE, cell,
};
use super::{ChartError, Heading, PlottedData, Style};

/// One level: how many moves were of each quality.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Name of the level.
    pub label: String,
    /// Number of moves of each quality, in the order of [`MoveQuality::qualities`].
    pub counts: Vec<u64>,
    /// Expected share of optimal moves if every legal move were as likely as any other; 0 to 1.
    pub chance: Option<f64>,
}

/// Move quality of all levels: one bar for each, on as many pages as they need.
///
/// Every level must have one count for each quality, and chances must lie within 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveQuality {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Names of the qualities in the order of drawing, such as `better`, `same`, `worse`,
    /// `dead-end`, `illegal`. Those that never occur are not drawn.
    pub qualities: Vec<String>,
    /// The levels, from top to bottom.
    pub levels: Vec<Level>,
}

impl Chart for MoveQuality {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        for level in &self.levels {
            if level.counts.len() != self.qualities.len() {
                let (counts, qualities) = (level.counts.len(), self.qualities.len());
                return Err(format!(
                    "level {:?} has {counts} counts for {qualities} qualities: give one for each",
                    level.label
                ));
            }
            if let Some(chance) = level.chance.filter(|chance| !(0.0..=1.0).contains(chance)) {
                return Err(format!("level {:?} has a chance of {chance}: it must lie between 0 and 1", level.label));
            }
        }
        Ok(())
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        let key = |index: usize| {
            Key::Mark(Mark::Field(colour_of(&self.qualities[index], index), 1.0), Label::from(&self.qualities[index]))
        };
        let mut keys: Vec<Key> = self.shown().into_iter().map(key).collect();
        if self.levels.iter().any(|level| level.chance.is_some()) {
            keys.push(Key::Mark(Mark::Diamond(INK), Message::ChanceShare.into()));
        }
        keys
    }

    fn reading(&self) -> String {
        let chance = match self.levels.iter().any(|level| level.chance.is_some()) {
            true => {
                "; the diamond marks the share of optimal moves that uniformly random choice among the legal moves would reach (chance level)"
            }
            false => "",
        };
        format!("Each bar shows the shares of a level's moves by their quality; n counts the moves{chance}")
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        if self.shown().is_empty() {
            return Ok(vec![Page::empty(self.data(&self.levels))]);
        }
        let (bars, levels) = (Bars::new(style, room_mm, self.levels.len()), self.levels.len());
        let page = |levels: Range<usize>| {
            let levels = &self.levels[levels];
            (levels, self.data(levels), bars.above + levels.len() as f64 * bars.pitch + bars.below)
        };
        let pages = evenly(levels, levels.div_ceil(bars.per_page)).map(page).collect();
        Ok(Page::all(pages, move |sheet, body, levels| self.draw_page(sheet, body, levels, &bars)))
    }
}

impl MoveQuality {
    fn shown(&self) -> Vec<usize> {
        let occurs =
            |quality: &usize| self.levels.iter().any(|level| level.counts.get(*quality).is_some_and(|&n| n > 0));
        (0..self.qualities.len()).filter(occurs).collect()
    }

    fn data(&self, levels: &[Level]) -> PlottedData {
        let mut data = PlottedData::new("level,n,quality,count,share,chance");
        for level in levels {
            let n: u64 = level.counts.iter().sum();
            for (quality, count) in self.qualities.iter().zip(&level.counts) {
                let share = if n > 0 { cell(*count as f64 / n as f64) } else { String::new() };
                let chance = level.chance.map(cell).unwrap_or_default();
                data.rows.push(vec![
                    level.label.clone(),
                    n.to_string(),
                    quality.clone(),
                    count.to_string(),
                    share,
                    chance,
                ]);
            }
        }
        data
    }

    fn draw_page(&self, sheet: &Sheet, body: Rect, levels: &[Level], rows: &Bars) -> Result<(), ChartError> {
        let small = sheet.style.small();
        let mut names = 0.0_f64;
        let label = sheet.style.label();
        let mut numbers = label.width_of(&Message::Count)?;
        for level in &self.levels {
            names = names.max(small.width_of(&level.label)?);
            numbers = numbers.max(small.width_of(&Number::count(level.counts.iter().sum()))?);
        }
        let names = names.min(0.35 * body.width);
        let left = body.left + names + 1.2;
        // The label of 100 % needs half its width beyond the bars.
        let right = body.right() - (numbers + 1.2).max(0.5 * small.width_of(&Number::count(100))?);
        let height = levels.len() as f64 * rows.pitch;
        let place = Rect { left, top: body.top + rows.above, width: right - left, height };
        let plot = Plot {
            place,
            x: Axis::fixed(Message::ShareOfMoves, 0.0, 100.0, true),
            y: Axis::fixed(Label::none(), 0.0, 1.0, true),
        };
        sheet.text(body.right(), body.top + label.em_mm(), &Message::Count, label.right().colour(SOFT_INK))?;
        for (row, level) in levels.iter().enumerate() {
            let top = place.top + (row as f64 + 0.1) * rows.pitch;
            let bar = Rect { left, top, width: place.width, height: 0.8 * rows.pitch };
            let base = bar.centre().1 + small.half_cap_mm();
            sheet.text(left - 1.2, base, &small.cut(&level.label, names + 0.01)?, small.right())?;
            sheet.text(body.right(), base, &Number::count(level.counts.iter().sum()), small.right())?;
            self.draw_bar(sheet, bar, level)?;
        }
        // The room below the bars does not count the gap above the axis.
        Rows::draw_axis(sheet, &plot, Rect { height: body.height + 0.4, ..body })
    }

    fn draw_bar(&self, sheet: &Sheet, bar: Rect, level: &Level) -> Result<(), ChartError> {
        let total: u64 = level.counts.iter().sum();
        if total == 0 {
            let font = sheet.style.label().colour(SOFT_INK);
            return sheet.text(bar.left + 1.0, bar.centre().1 + font.half_cap_mm(), &Message::NoMoves, font);
        }
        let mut before = 0;
        for index in self.shown() {
            let count = level.counts[index];
            let at = |moves: u64| bar.left + bar.width * moves as f64 / total as f64;
            let part = Rect { left: at(before), width: at(before + count) - at(before), ..bar };
            if count > 0 {
                sheet.fill(&part.corners(), colour_of(&self.qualities[index], index), 1.0)?;
            }
            before += count;
            if count > 0 && before < total {
                // White between neighbours keeps them apart in a grey print too.
                sheet.line(&[(at(before), bar.top), (at(before), bar.bottom())], Pen::new(WHITE, 0.5))?;
            }
        }
        let Some(chance) = level.chance else {
            return Ok(());
        };
        let (centre, size) = ((bar.left + bar.width * chance, bar.centre().1), (0.42 * bar.height).min(0.9));
        sheet.mark(centre, size + 0.25, Mark::Diamond(WHITE), 1.0)?;
        sheet.mark(centre, size, Mark::Diamond(INK), 1.0)
    }
}

/// The colour of a quality: the known ones always have the same.
pub(super) fn colour_of(quality: &str, index: usize) -> plotters::style::RGBColor {
    match quality {
        "better" | "best" => BLUE,
        "same" | "slip" => SKY,
        "worse" | "mistake" => ORANGE,
        "dead-end" | "blunder" => VERMILION,
        "illegal" => PURPLE,
        _ => OKABE_ITO[index % OKABE_ITO.len()],
    }
}

/// Heights in millimetres.
struct Bars {
    pitch: f64,
    above: f64,
    below: f64,
    per_page: usize,
}

impl Bars {
    /// Bars as thick as fit, between 5 mm and what the smallest text needs.
    fn new(style: &Style, room: f64, levels: usize) -> Self {
        let (small, label) = (style.small(), style.label());
        let (above, below) = (label.line_mm() + 0.6, Plot::below_mm(&small) + 1.3 * label.em_mm());
        let least = 1.2 * small.em_mm();
        let room = room - above - below;
        let pitch = (room / levels as f64).clamp(least, least.max(5.0));
        // A page of many levels is kept moderately high where thinner bars still read.
        let pitch = if levels > 20 { pitch.min(1.45 * small.em_mm()) } else { pitch };
        Self { pitch, above, below, per_page: ((room / pitch).floor() as usize).max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Width, draw, legible};
    use super::*;

    fn input(levels: usize) -> MoveQuality {
        let level = |number: usize| Level {
            label: format!("puzzle {number}"),
            counts: vec![600 + 7 * number as u64, 120, 300, 0, (number % 3) as u64],
            chance: Some(0.1 + number as f64 / 400.0),
        };
        let qualities = ["better", "same", "worse", "dead-end", "illegal"].map(str::to_owned).to_vec();
        MoveQuality { heading: Heading::default(), qualities, levels: (1..=levels).map(level).collect() }
    }

    #[test]
    fn the_data_are_the_input() {
        let input = MoveQuality {
            qualities: vec!["better".to_owned(), "worse".to_owned()],
            levels: vec![Level { label: "1".to_owned(), counts: vec![3, 1], chance: Some(0.25) }],
            ..Default::default()
        };
        let csv = draw(&input, &Style::default()).unwrap()[0].to_csv().unwrap();
        assert_eq!(csv, "level,n,quality,count,share,chance\n1,4,better,3,0.75,0.25\n1,4,worse,1,0.25,0.25\n");
    }

    #[test]
    fn every_width_and_amount_is_legible() {
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            for levels in [0, 1, 10, 50, 300] {
                let pages = draw(&input(levels), &Style::new(width)).unwrap();
                pages.iter().for_each(legible::check);
                assert!(pages.iter().all(|page| page.height_mm <= 230.0));
                assert_eq!(pages.len(), if levels == 300 { pages.len().max(2) } else { 1 }, "{levels} levels");
                assert_eq!(pages, draw(&input(levels), &Style::new(width)).unwrap());
            }
            legible::draw_one(&input(10), &Style::new(width));
        }
    }

    #[test]
    fn qualities_that_never_occur_are_not_in_the_legend() {
        let figure = &draw(&input(6), &Style::default()).unwrap()[0];
        assert!(figure.svg.contains(">illegal<") && !figure.svg.contains(">dead-end<"));
    }

    #[test]
    fn contradictions_are_named() {
        let mut wrong = input(1);
        wrong.levels[0].chance = Some(1.5);
        assert!(draw(&wrong, &Style::default()).unwrap_err().to_string().contains("chance of 1.5"));
        wrong.levels[0].counts.pop();
        assert!(draw(&wrong, &Style::default()).unwrap_err().to_string().contains("4 counts for 5 qualities"));
    }
}
