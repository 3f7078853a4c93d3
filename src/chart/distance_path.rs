//! Distance to the goal along each attempt: how players came nearer, lost ground, and arrived.

use super::axis::{Axis, Plot, Scale};
use super::panels::{Multiples, PanelHead};
use super::sheet::{BLUE, INK, Key, Mark, Pen, Sheet, VERMILION, cell, grouped};
use super::{ChartError, Figure, Heading, PlottedData, Style};

/// One attempt: the distance after each move, starting with the start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempt {
    /// Who played, for the data; may be empty.
    pub name: String,
    /// Ply or seconds since the start, rising.
    pub x: Vec<f64>,
    /// Distance to the goal in moves; absent where the goal cannot be reached any more.
    pub distance: Vec<Option<f64>>,
    /// Whether this attempt is drawn as the example.
    pub highlighted: bool,
}

/// One level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Name and statistic.
    pub head: PanelHead,
    /// The attempts.
    pub attempts: Vec<Attempt>,
    /// The course of an optimal solution, as points of x and distance; drawn dashed. May be empty.
    pub optimal: Vec<(f64, f64)>,
    /// Where the horizontal axis ends if this level has one of its own, see [`Input::own_axis_factor`]; absent for the
    /// longest attempt.
    pub x_limit: Option<f64>,
}

/// Attempts of one level or many, on shared axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Title of the horizontal axis with its unit, such as `ply (moves made)` or `time (s)`.
    pub x_title: String,
    /// Title of the vertical axis with its unit; empty for `distance to goal (moves)`.
    pub y_title: String,
    /// Where the horizontal axis ends; longer attempts are cut there, and the figure counts them.
    pub x_limit: Option<f64>,
    /// Whether a distance holds until the next x: where x is time, level lines are pauses, drawn to scale.
    pub steps: bool,
    /// Gives a level a horizontal axis of its own where its attempts are more than this many times as long as those of
    /// the median level, or as short; must be above 1. Absent for one axis that all levels share.
    pub own_axis_factor: Option<f64>,
    /// What a highlighted attempt is, for the legend, such as `median participant`; empty for `example`.
    pub example: String,
    /// The levels, in the order in which they are drawn.
    pub levels: Vec<Level>,
}

/// Draws the attempts of the only level, or of all levels on top of each other.
///
/// # Errors
///
/// [`ChartError::Input`] if an attempt has not as many distances as values of x, or the factor is not above 1.
pub fn draw(input: &Input, style: &Style) -> Result<Figure, ChartError> {
    let multiples = prepared(input, style, &[])?;
    let data = data(&input.levels);
    if !shows_any(input) {
        return multiples.draw_empty(data);
    }
    multiples.draw_one(data, |sheet, plot| {
        input.levels.iter().try_for_each(|level| draw_level(sheet, plot, level, input.steps))
    })
}

/// Draws one plot for each level, on as many pages as they need.
///
/// # Errors
///
/// [`ChartError::Input`] if an attempt has not as many distances as values of x, or the factor is not above 1.
pub fn draw_levels(input: &Input, style: &Style) -> Result<Vec<Figure>, ChartError> {
    let own_x = own_axes(input);
    let multiples = prepared(input, style, &own_x)?;
    if !shows_any(input) {
        return Ok(vec![multiples.draw_empty(data(&input.levels))?]);
    }
    let mut heads: Vec<PanelHead> = input.levels.iter().map(|level| level.head.clone()).collect();
    for (head, _) in heads.iter_mut().zip(&own_x).filter(|(_, own)| own.is_some()) {
        let comma = if head.statistic.is_empty() { "" } else { ", " };
        head.statistic = format!("{}{comma}own axis", head.statistic);
    }
    multiples.draw_pages_on(
        &heads,
        &own_x,
        |range| data(&input.levels[range]),
        |sheet, plot, panel| draw_level(sheet, plot, &input.levels[panel], input.steps),
    )
}

fn attempts(input: &Input) -> impl Iterator<Item = &Attempt> + Clone {
    input.levels.iter().flat_map(|level| &level.attempts)
}

fn shows_any(input: &Input) -> bool {
    attempts(input).any(|attempt| attempt.x.iter().zip(&attempt.distance).any(|(x, d)| x.is_finite() && d.is_some()))
}

/// All horizontal values of a level, its optimal course included.
fn x_values(level: &Level) -> impl Iterator<Item = f64> + Clone {
    let of_attempts = level.attempts.iter().flat_map(|attempt| attempt.x.iter().copied());
    of_attempts.chain(level.optimal.iter().map(|point| point.0)).filter(|value| value.is_finite())
}

/// How far a level's own axis would reach.
fn reach(level: &Level) -> f64 {
    let longest = x_values(level).fold(0.0, f64::max);
    level.x_limit.filter(|limit| limit.is_finite() && *limit > 0.0).map_or(longest, |limit| limit.min(longest))
}

fn x_axis(input: &Input, least: f64, end: f64) -> Axis {
    let high = end.max(least + 1.0);
    Axis { title: input.x_title.clone(), scale: Scale::Linear, low: least, high, whole: false }
}

/// The axis of each level that is much longer or much shorter than the median one; empty without a factor.
fn own_axes(input: &Input) -> Vec<Option<Axis>> {
    let mut reaches: Vec<f64> = input.levels.iter().map(reach).filter(|&reach| reach > 0.0).collect();
    reaches.sort_by(f64::total_cmp);
    let (Some(factor), Some(&median)) = (input.own_axis_factor, reaches.get(reaches.len().saturating_sub(1) / 2))
    else {
        return Vec::new();
    };
    let own = |level: &Level| {
        let reach = reach(level);
        let differs = reach > 0.0 && (reach > factor * median || reach * factor < median);
        differs.then(|| x_axis(input, x_values(level).fold(0.0, f64::min), reach))
    };
    input.levels.iter().map(own).collect()
}

fn prepared<'a>(input: &'a Input, style: &'a Style, own_x: &[Option<Axis>]) -> Result<Multiples<'a>, ChartError> {
    check(input)?;
    let own = |level: usize| own_x.get(level).and_then(Option::as_ref);
    let sharing = || input.levels.iter().enumerate().filter(|(index, _)| own(*index).is_none()).map(|(_, level)| level);
    let distances = attempts(input).flat_map(|attempt| attempt.distance.iter().flatten().copied());
    let optimal = input.levels.iter().flat_map(|level| &level.optimal).map(|point| point.1);
    let y_values = distances.chain(optimal).filter(|value| value.is_finite());
    let least = sharing().flat_map(x_values).fold(0.0, f64::min);
    let longest = match own_x.is_empty() {
        true => sharing().flat_map(x_values).fold(0.0, f64::max),
        false => sharing().map(reach).fold(0.0, f64::max),
    };
    let end = input.x_limit.filter(|limit| limit.is_finite() && *limit > least).unwrap_or(longest);
    let farthest = y_values.fold(1.0, f64::max);
    let y_title = if input.y_title.is_empty() { "distance to goal (moves)" } else { &input.y_title };
    let x = x_axis(input, least, end);
    // The frame leaves room for lines that run along the goal or along the greatest distance.
    let y = Axis::fixed(y_title, -0.04 * farthest, 1.04 * farthest, true);
    let beyond = |(index, level): (usize, &Level)| {
        let high = own(index).unwrap_or(&x).high;
        level.attempts.iter().filter(|attempt| attempt.x.iter().any(|&value| value > high)).count()
    };
    let cut: usize = input.levels.iter().enumerate().map(beyond).sum();
    let mut notes = Vec::new();
    if cut > 0 {
        let plural = if cut == 1 { "attempt goes" } else { "attempts go" };
        notes.push(format!("{} {plural} on beyond the right edge", grouped(cut as u64)));
    }
    match own_x.iter().flatten().count() {
        0 => {}
        1 => notes.push("1 level has a horizontal axis of its own".to_owned()),
        number => notes.push(format!("{} levels have horizontal axes of their own", grouped(number as u64))),
    }
    Ok(Multiples { heading: &input.heading, style, x, y, notes, keys: keys(input), reading: reading(input) })
}

fn keys(input: &Input) -> Vec<Key> {
    let mut keys = vec![Key::Mark(Mark::Line(Pen::new(BLUE, 0.5)), "one attempt".to_owned())];
    if attempts(input).any(|attempt| attempt.highlighted) {
        let name = if input.example.is_empty() { "example" } else { &input.example };
        keys.push(Key::Mark(Mark::Line(Pen::new(VERMILION, 1.2)), name.to_owned()));
    }
    if input.levels.iter().any(|level| !level.optimal.is_empty()) {
        keys.push(Key::Mark(Mark::Dashed(Pen::new(INK, 0.8)), "optimal".to_owned()));
    }
    if attempts(input).any(|attempt| attempt.distance.contains(&None)) {
        keys.push(Key::Mark(Mark::Cross(INK), "dead end".to_owned()));
    }
    keys
}

fn reading(input: &Input) -> String {
    let dead = attempts(input).any(|attempt| attempt.distance.contains(&None));
    let dead = if dead { "; a line stops with a cross where the goal cannot be reached any more" } else { "" };
    let steps = if input.steps { ", level until its next move, so that long level lines are pauses" } else { "" };
    // Without an optimal course there is no goal to come nearer to, unless the axis is known to be the distance to it.
    let has_goal =
        input.steps && input.y_title.is_empty() || input.levels.iter().any(|level| !level.optimal.is_empty());
    match has_goal {
        true => format!("Each line is one attempt{steps}; 0 is the goal, a falling line comes nearer to it{dead}"),
        false if input.steps => format!("Each line is one attempt{steps}{dead}"),
        false => "Each line is one attempt".to_owned(),
    }
}

fn check(input: &Input) -> Result<(), ChartError> {
    let fault = |what: String| Err(ChartError::Input { figure: input.heading.name.clone(), what });
    if let Some(factor) = input.own_axis_factor.filter(|&factor| !(factor > 1.0 && factor.is_finite())) {
        return fault(format!("axes of their own from a factor of {factor} on: it must be above 1 and finite"));
    }
    match attempts(input).find(|attempt| attempt.x.len() != attempt.distance.len()) {
        None => Ok(()),
        Some(attempt) => fault(format!(
            "attempt {:?} has {} values of x and {} distances: give as many of each",
            attempt.name,
            attempt.x.len(),
            attempt.distance.len()
        )),
    }
}

fn draw_level(sheet: &Sheet, plot: &Plot, level: &Level, steps: bool) -> Result<(), ChartError> {
    if level.attempts.iter().all(|attempt| attempt.x.is_empty()) {
        return sheet.no_data(plot.place, "");
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
    let mut data = PlottedData::new(&["level", "statistic", "kind", "attempt", "highlighted", "x", "distance"]);
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
mod tests {
    use super::super::{Width, legible};
    use super::*;

    fn level(number: usize, attempts: usize) -> Level {
        let attempt = |who: usize| {
            let length = 12 + (who * 7 + number) % 30;
            let distance = (0..length)
                .map(|ply| Some(f64::from((length - ply) as u32 * 10 / length as u32 + (ply % 3 == 1) as u32)));
            Attempt {
                name: format!("p{who}"),
                x: (0..length).map(|ply| ply as f64).collect(),
                distance: distance.collect(),
                highlighted: who == 1,
            }
        };
        let head = PanelHead { title: format!("level {number}"), statistic: format!("n = {attempts}") };
        Level {
            head,
            attempts: (0..attempts).map(attempt).collect(),
            optimal: vec![(0.0, 10.0), (10.0, 0.0)],
            x_limit: None,
        }
    }

    #[test]
    fn the_data_are_the_input_and_a_dead_end_is_empty() {
        let attempt =
            Attempt { name: "p1".to_owned(), x: vec![0.0, 1.0], distance: vec![Some(3.0), None], highlighted: true };
        let head = PanelHead { title: "1".to_owned(), statistic: "n = 1".to_owned() };
        let input = Input {
            levels: vec![Level { head, attempts: vec![attempt], optimal: vec![(0.0, 3.0)], x_limit: None }],
            ..Default::default()
        };
        let csv = draw(&input, &Style::default()).unwrap().to_csv().unwrap();
        let expected = "level,statistic,kind,attempt,highlighted,x,distance\n\
                        1,n = 1,attempt,p1,true,0,3\n1,n = 1,attempt,p1,true,1,\n1,n = 1,optimal,,,0,3\n";
        assert_eq!(csv, expected);
    }

    #[test]
    fn every_width_and_amount_is_legible() {
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            for (levels, attempts) in [(0, 0), (1, 1), (1, 400), (2, 3), (30, 12)] {
                let levels: Vec<Level> = (0..levels).map(|number| level(number, attempts)).collect();
                let input = Input { levels, x_title: "ply".to_owned(), ..Default::default() };
                legible::check(&draw(&input, &Style::new(width)).unwrap());
                let pages = draw_levels(&input, &Style::new(width)).unwrap();
                pages.iter().for_each(legible::check);
                assert_eq!(pages, draw_levels(&input, &Style::new(width)).unwrap());
            }
        }
    }

    #[test]
    fn attempts_beyond_the_limit_are_counted() {
        let input = Input { levels: vec![level(1, 9)], x_limit: Some(20.0), ..Default::default() };
        let beyond = input.levels[0].attempts.iter().filter(|attempt| attempt.x.len() > 21).count();
        let figure = draw(&input, &Style::default()).unwrap();
        legible::check(&figure);
        assert!(figure.caption.contains(&format!("{beyond} attempts go on beyond")), "{}", figure.caption);
    }

    #[test]
    fn a_step_holds_until_its_move_is_made() {
        let attempt =
            Attempt { x: vec![0.0, 4.0, 10.0], distance: [2.0, 1.0, 0.0].map(Some).to_vec(), ..Default::default() };
        let level = Level { attempts: vec![attempt], ..Default::default() };
        let points = |steps: bool, dead: bool| -> Vec<(f64, f64)> {
            let mut input = Input { levels: vec![level.clone()], steps, ..Default::default() };
            if dead {
                input.levels[0].attempts[0].distance[2] = None;
            }
            let svg = draw(&input, &Style::default()).unwrap().svg;
            // The attempt is the only line of this pen beside the one of the legend.
            let group = svg.split("<g ").filter(|group| group.contains("stroke-opacity=\"0.8\"")).last().unwrap();
            let points = group.split("points=\"").nth(1).unwrap().split('"').next().unwrap().split_whitespace();
            points
                .map(|point| point.split_once(',').unwrap())
                .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
                .collect()
        };
        let (slanted, steps, dead) = (points(false, false), points(true, false), points(true, true));
        let [a, b, c] = slanted[..] else { panic!("{slanted:?}") };
        assert_eq!(steps, [a, (b.0, a.1), b, (c.0, b.1), c]);
        assert!(((b.0 - a.0) / (c.0 - a.0) - 0.4).abs() < 0.001, "4 of 10 seconds: {slanted:?}");
        assert_eq!(dead, [a, (b.0, a.1), b, (c.0, b.1)], "the last distance holds until the dead end");
    }

    #[test]
    fn a_level_that_is_much_longer_has_its_own_axis() {
        let mut levels: Vec<Level> = (0..5).map(|number| level(number, 4)).collect();
        let x: Vec<f64> = (0..1_024).map(f64::from).collect();
        let distance = x.iter().map(|x| Some(1_023.0 - x)).collect();
        levels[2].attempts[0] = Attempt { x, distance, ..Default::default() };
        let shared = Input { levels, x_title: "moves made".to_owned(), ..Default::default() };
        let own = Input { own_axis_factor: Some(5.0), ..shared.clone() };
        let longest = |input: &Input| prepared(input, &Style::default(), &own_axes(input)).unwrap().x.high;
        assert_eq!(longest(&shared), 1_023.0);
        let others = [0, 1, 3, 4].map(|index| reach(&own.levels[index]));
        assert_eq!(longest(&own), others.into_iter().fold(0.0, f64::max));
        for width in [Width::Single, Width::OneAndHalf, Width::Double] {
            let figure = &draw_levels(&own, &Style::new(width)).unwrap()[0];
            legible::check(figure);
            assert!(figure.caption.contains("1 level has a horizontal axis of its own"), "{}", figure.caption);
            assert!(figure.svg.contains("own axis"));
            assert_eq!(figure.data, draw_levels(&shared, &Style::new(width)).unwrap()[0].data);
        }
        // A limit of its own cuts that level alone.
        let mut cut = own.clone();
        cut.levels[2].x_limit = Some(300.0);
        let figure = &draw_levels(&cut, &Style::default()).unwrap()[0];
        assert!(figure.caption.contains("1 attempt goes on beyond the right edge"), "{}", figure.caption);
        assert!(draw_levels(&Input { own_axis_factor: Some(1.0), ..cut }, &Style::default()).is_err());
    }
}
