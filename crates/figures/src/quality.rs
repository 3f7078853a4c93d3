//! Shares of move quality for each level, as stacked bars.

use super::axis::{Axis, Plot};
use super::sheet::{
    BLUE, Draft, INK, Key, Mark, Number, OKABE_ITO, ORANGE, PURPLE, Pen, Rect, SKY, SOFT_INK, Sheet, VERMILION, WHITE,
    cell,
};
use super::{ChartError, Figure, Heading, PlottedData, Style};

/// One level: how many moves were of each quality.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Name of the level.
    pub label: String,
    /// Number of moves of each quality, in the order of [`Input::qualities`].
    pub counts: Vec<u64>,
    /// Expected share of optimal moves if every legal move were as likely as any other; 0 to 1.
    pub chance: Option<f64>,
}

/// Move quality of all levels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Names of the qualities in the order of drawing, such as `better`, `same`, `worse`,
    /// `dead-end`, `illegal`. Those that never occur are not drawn.
    pub qualities: Vec<String>,
    /// The levels, from top to bottom.
    pub levels: Vec<Level>,
}

/// Draws one bar for each level, on as many pages as they need.
///
/// # Errors
///
/// [`ChartError::Input`] if a level has not one count for each quality, or a chance outside 0 to 1.
pub fn draw(input: &Input, style: &Style) -> Result<Vec<Figure>, ChartError> {
    check(input)?;
    let draft = |page: (usize, usize), levels: &[Level]| Draft {
        heading: &input.heading,
        style,
        page,
        notes: Vec::new(),
        keys: keys(input),
        reading: reading(input),
        data: data(input, levels),
    };
    if input.levels.iter().flat_map(|level| &level.counts).all(|&count| count == 0) {
        return Ok(vec![draft((1, 1), &input.levels).draw_empty()?]);
    }
    let rows = Rows::new(style, draft((99, 99), &[]).max_body_mm()?, input.levels.len());
    let pages = input.levels.len().div_ceil(rows.per_page);
    let page_of = |page: usize| {
        let (first, end) = (page * input.levels.len() / pages, (page + 1) * input.levels.len() / pages);
        let levels = &input.levels[first..end];
        let body_mm = rows.above + levels.len() as f64 * rows.pitch + rows.below;
        draft((page + 1, pages), levels).draw(body_mm, |sheet, body| draw_page(sheet, body, input, levels, &rows))
    };
    (0..pages).map(page_of).collect()
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
struct Rows {
    pitch: f64,
    above: f64,
    below: f64,
    per_page: usize,
}

impl Rows {
    /// Bars as thick as fit, between 5 mm and what the smallest text needs.
    fn new(style: &Style, room: f64, levels: usize) -> Self {
        let (small, label) = (style.small(), style.label());
        let (above, below) = (small.line_mm() + 0.6, Plot::below_mm(&small) + 1.3 * label.em_mm());
        let least = 1.2 * small.em_mm();
        let room = room - above - below;
        let pitch = (room / levels as f64).clamp(least, 5.0);
        // A page of many levels is kept moderately high where thinner bars still read.
        let pitch = if levels > 20 { pitch.min(1.45 * small.em_mm()) } else { pitch };
        Self { pitch, above, below, per_page: ((room / pitch).floor() as usize).max(1) }
    }
}

fn shown(input: &Input) -> Vec<usize> {
    let occurs = |quality: &usize| input.levels.iter().any(|level| level.counts.get(*quality).is_some_and(|&n| n > 0));
    (0..input.qualities.len()).filter(occurs).collect()
}

fn keys(input: &Input) -> Vec<Key> {
    let key = |index: usize| {
        Key::Mark(Mark::Field(colour_of(&input.qualities[index], index), 1.0), input.qualities[index].clone())
    };
    let mut keys: Vec<Key> = shown(input).into_iter().map(key).collect();
    if input.levels.iter().any(|level| level.chance.is_some()) {
        keys.push(Key::Mark(Mark::Diamond(INK), "share of optimal moves by chance".to_owned()));
    }
    keys
}

fn reading(input: &Input) -> String {
    let chance = match input.levels.iter().any(|level| level.chance.is_some()) {
        true => {
            "; the diamond marks the share of optimal moves that uniformly random choice among the legal moves would reach (chance level)"
        }
        false => "",
    };
    format!("Each bar shows the shares of a level's moves by their quality; n counts the moves{chance}")
}

fn check(input: &Input) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: input.heading.name.clone(), what });
    for level in &input.levels {
        if level.counts.len() != input.qualities.len() {
            let (counts, qualities) = (level.counts.len(), input.qualities.len());
            return fault(format!(
                "level {:?} has {counts} counts for {qualities} qualities: give one for each",
                level.label
            ));
        }
        if let Some(chance) = level.chance.filter(|chance| !(0.0..=1.0).contains(chance)) {
            return fault(format!("level {:?} has a chance of {chance}: it must lie between 0 and 1", level.label));
        }
    }
    Ok(())
}

fn draw_page(sheet: &Sheet, body: Rect, input: &Input, levels: &[Level], rows: &Rows) -> Result<(), ChartError> {
    let small = sheet.style.small();
    let mut names = 0.0_f64;
    let mut numbers = small.width_of("n")?;
    for level in &input.levels {
        names = names.max(small.width_of(&level.label)?);
        numbers = numbers.max(small.width_of(&Number::count(level.counts.iter().sum()))?);
    }
    let names = names.min(0.35 * body.width);
    let left = body.left + names + 1.2;
    // The label of 100 % needs half its width beyond the bars.
    let right = body.right() - (numbers + 1.2).max(0.5 * small.width_of("100")?);
    let height = levels.len() as f64 * rows.pitch;
    let place = Rect { left, top: body.top + rows.above, width: right - left, height };
    let plot =
        Plot { place, x: Axis::fixed("share of moves (%)", 0.0, 100.0, true), y: Axis::fixed("", 0.0, 1.0, true) };
    sheet.text(body.right(), body.top + small.em_mm(), "n", small.right().colour(SOFT_INK))?;
    for (row, level) in levels.iter().enumerate() {
        let top = place.top + (row as f64 + 0.1) * rows.pitch;
        let bar = Rect { left, top, width: place.width, height: 0.8 * rows.pitch };
        let base = bar.centre().1 + small.half_cap_mm();
        sheet.text(left - 1.2, base, &small.cut(&level.label, names + 0.01)?, small.right())?;
        sheet.text(body.right(), base, &Number::count(level.counts.iter().sum()), small.right())?;
        draw_bar(sheet, bar, input, level)?;
    }
    draw_axis(sheet, &plot, body)
}

fn draw_bar(sheet: &Sheet, bar: Rect, input: &Input, level: &Level) -> Result<(), ChartError> {
    let total: u64 = level.counts.iter().sum();
    if total == 0 {
        let small = sheet.style.small().colour(SOFT_INK);
        return sheet.text(bar.left + 1.0, bar.centre().1 + small.half_cap_mm(), "no moves", small);
    }
    let mut before = 0;
    for index in shown(input) {
        let count = level.counts[index];
        let at = |moves: u64| bar.left + bar.width * moves as f64 / total as f64;
        let part = Rect { left: at(before), width: at(before + count) - at(before), ..bar };
        if count > 0 {
            sheet.fill(&part.corners(), colour_of(&input.qualities[index], index), 1.0)?;
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

fn draw_axis(sheet: &Sheet, plot: &Plot, body: Rect) -> Result<(), ChartError> {
    let (small, label) = (sheet.style.small(), sheet.style.label());
    let (place, pen) = (plot.place, Pen::new(INK, 0.5));
    let axis = place.bottom() + 0.4;
    sheet.line(&[(place.left, axis), (place.right(), axis)], pen)?;
    for (value, text) in plot.x.ticks(place.width, &small, false)? {
        let (x, _) = plot.at(value, 0.0);
        sheet.line(&[(x, axis), (x, axis + 0.9)], pen)?;
        sheet.text(x, axis + 1.3 + 0.75 * small.em_mm(), &text, small.centre())?;
    }
    let title = label.centre().colour(SOFT_INK);
    sheet.text(place.centre().0, body.bottom() - 0.25 * label.em_mm() + 0.4, &plot.x.title, title)
}

fn data(input: &Input, levels: &[Level]) -> PlottedData {
    let mut data = PlottedData::new(&["level", "n", "quality", "count", "share", "chance"]);
    for level in levels {
        let n: u64 = level.counts.iter().sum();
        for (quality, count) in input.qualities.iter().zip(&level.counts) {
            let share = if n > 0 { cell(*count as f64 / n as f64) } else { String::new() };
            let chance = level.chance.map(cell).unwrap_or_default();
            data.rows.push(vec![level.label.clone(), n.to_string(), quality.clone(), count.to_string(), share, chance]);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::super::{Width, legible};
    use super::*;

    fn input(levels: usize) -> Input {
        let level = |number: usize| Level {
            label: format!("puzzle {number}"),
            counts: vec![600 + 7 * number as u64, 120, 300, 0, (number % 3) as u64],
            chance: Some(0.1 + number as f64 / 400.0),
        };
        let qualities = ["better", "same", "worse", "dead-end", "illegal"].map(str::to_owned).to_vec();
        Input { heading: Heading::default(), qualities, levels: (1..=levels).map(level).collect() }
    }

    #[test]
    fn the_data_are_the_input() {
        let input = Input {
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
            for levels in [0, 1, 10, 70, 300] {
                let pages = draw(&input(levels), &Style::new(width)).unwrap();
                pages.iter().for_each(legible::check);
                assert!(pages.iter().all(|page| page.height_mm <= 230.0));
                assert_eq!(pages.len(), if levels == 300 { pages.len().max(2) } else { 1 }, "{levels} levels");
                assert_eq!(pages, draw(&input(levels), &Style::new(width)).unwrap());
            }
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
