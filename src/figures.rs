//! The figures of a study: from its measures and statistics to the inputs of [`crate::chart`].

use std::collections::{BTreeMap, BTreeSet};

use polars::prelude::{DataFrame, DataType, PolarsResult};

use crate::analysis::dataset::Dataset;
use crate::analysis::{QualityTimes, TrialMeasure, test_of_times};
use crate::chart::panels::PanelHead;
use crate::chart::{
    ChartError, Figure, Heading, Styles, boards, distance_path, grouped, quality, scatter, state_graph, time_by_quality,
};
use crate::distance::Oracle as _;
use crate::game::{Distance, Unit, Value};
use crate::graph::StateGraph;
use crate::label::{Quality, cost_name};
use crate::measure::{Measures, Trial, Words};
use crate::report::safe_stem;
use crate::stats::correlation::{Method, correlate};
use crate::stats::describe::quantile;
use crate::stats::interval::median_interval;
use crate::stats::regression::line;
use crate::stats::{Confidence, apa};
use crate::study::{Facets, StateColours};
use crate::table::Table;
use crate::valuation::{ValuedLevel, WholeMap};

mod behaviour;
mod cells;
mod played;
mod results;

pub use behaviour::behaviour;
pub use played::on_the_map;
pub use results::results;

/// What the figures of people are drawn from.
pub struct Scene<'a> {
    /// All measured moves.
    pub data: &'a Dataset,
    /// For each of these moves whether its time was thinking rather than acting; absent where that is not known.
    pub is_thinking: &'a [Option<bool>],
    /// The tables of the statistics.
    pub tables: Vec<&'a Table>,
    /// Level of all intervals.
    pub confidence: Confidence,
    /// Where all chance of fits begins.
    pub seed: u64,
    /// What has a panel of its own.
    pub facets: Facets,
    /// How figures look.
    pub styles: &'a Styles,
}

/// A figure with what the report says of it.
#[derive(Clone, Debug)]
pub struct Illustration {
    /// The figure.
    pub figure: Figure,
    /// One sentence in plain words: what it shows.
    pub sentence: String,
}

fn illustrated(figure: Figure, sentence: &str) -> Illustration {
    Illustration { figure, sentence: sentence.to_owned() }
}

fn on_pages(figures: Vec<Figure>, sentence: &str) -> Vec<Illustration> {
    let n_pages = figures.len();
    let page = |(index, figure)| {
        let page = if n_pages > 1 { format!(" (page {} of {n_pages})", index + 1) } else { String::new() };
        illustrated(figure, &format!("{sentence}{page}"))
    };
    figures.into_iter().enumerate().map(page).collect()
}

fn heading(name: &str, title: &str, subtitle: String, no_data_reason: &str) -> Heading {
    Heading { name: name.to_owned(), title: title.to_owned(), subtitle, no_data_reason: no_data_reason.to_owned() }
}

/// Values at which a fitted curve is drawn.
const FIT_POINTS: usize = 60;

/// The straight line of log y on log x with its band, drawn back on the scale of the data.
fn power_fit(points: &[(f64, f64)], confidence: Confidence) -> Option<scatter::Fit> {
    let positive = || points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0);
    let logs: (Vec<f64>, Vec<f64>) = positive().map(|(x, y)| (x.ln(), y.ln())).unzip();
    let fitted = line(&logs.0, &logs.1, confidence);
    let (low, high) =
        logs.0.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
    if low >= high {
        return None;
    }
    let grid: Vec<f64> =
        (0..FIT_POINTS).map(|step| low + (high - low) * step as f64 / (FIT_POINTS - 1) as f64).collect();
    let band = fitted.band(&grid);
    let column = |value: fn(&crate::stats::regression::BandPoint) -> f64| {
        band.iter().map(|point| value(point).exp()).collect::<Vec<_>>()
    };
    (!band.is_empty()).then(|| scatter::Fit {
        x: column(|point| point.x),
        y: column(|point| point.mean),
        lower: column(|point| point.lower),
        upper: column(|point| point.upper),
        confidence: confidence.to_string(),
    })
}

fn moves_and_times<'a>(trials: impl Iterator<Item = &'a Trial>) -> Vec<(f64, f64)> {
    let solved = trials.filter(|trial| trial.solution.is_some());
    solved
        .filter_map(|trial| Some((TrialMeasure::NMoves.of_trial(trial)?, TrialMeasure::Time.of_trial(trial)?)))
        .collect()
}

fn statistic(points: &[(f64, f64)], confidence: Confidence) -> String {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    apa::correlation(&correlate(Method::Spearman, &x, &y, confidence))
}

fn scatter_points(points: &[(f64, f64)]) -> Vec<scatter::Point> {
    points.iter().map(|&(x, y)| scatter::Point { x, y, group: None }).collect()
}

fn moves_against_time_axes(words: Words) -> scatter::Axes {
    scatter::Axes {
        x_title: "number of moves".to_owned(),
        y_title: format!("{} (s)", words.time),
        ..scatter::Axes::default()
    }
}

/// The article's question: number of moves against time to solve, all levels together and each alone.
///
/// # Errors
///
/// [`ChartError`] if a drawing fails.
pub fn moves_against_time(
    measures: &Measures,
    levels: &[ValuedLevel],
    confidence: Confidence,
    facets: Facets,
    styles: &Styles,
) -> Result<Vec<Illustration>, ChartError> {
    let pooled = moves_and_times(measures.trials.iter());
    let words = measures.words();
    let none_solved = &format!("no level was {} in a recorded time", words.solved);
    let input = scatter::Input {
        heading: heading(
            "moves-against-time",
            &format!("Number of moves against {}", words.time),
            format!("{} {} trials; {}", grouped(pooled.len() as u64), words.solved, statistic(&pooled, confidence)),
            none_solved,
        ),
        axes: moves_against_time_axes(words),
        points: scatter_points(&pooled),
        groups: Vec::new(),
        fit: power_fit(&pooled, confidence),
        marginals: true,
    };
    let mut illustrations = vec![illustrated(
        scatter::draw(&input, &styles.of(&input.heading.name))?,
        &format!(
            "Each point is one {} trial, a participant at a level: all moves made until then, and the time they took. The line is the least-squares fit of the logarithms with its confidence band",
            words.solved
        ),
    )];
    let facet = |trial: &Trial| match facets {
        Facets::Level => trial.level.clone(),
        Facets::Condition => trial.condition.clone().unwrap_or_else(|| "no condition".to_owned()),
        Facets::Participant => trial.participant.clone(),
    };
    let names: Vec<String> = match facets {
        Facets::Level => played_levels(measures, levels).map(|level| level.id.clone()).collect(),
        _ => measures.trials.iter().map(facet).collect::<BTreeSet<String>>().into_iter().collect(),
    };
    let panels = names.into_iter().map(|name| {
        let points = moves_and_times(measures.trials.iter().filter(|trial| facet(trial) == name));
        let head = PanelHead { title: name, statistic: statistic(&points, confidence) };
        scatter::Level { head, points: scatter_points(&points), fit: power_fit(&points, confidence) }
    });
    let by = facets.name();
    let input = scatter::LevelsInput {
        heading: heading(
            &format!("moves-against-time-by-{by}"),
            &format!("Number of moves against {}, by {by}", words.time),
            String::new(),
            none_solved,
        ),
        axes: moves_against_time_axes(words),
        groups: Vec::new(),
        levels: panels.collect(),
    };
    let alone = match facets {
        Facets::Level => "The same for each level alone, so that the difficulty of levels cannot produce the relation",
        Facets::Condition => "The same for each experimental condition alone",
        Facets::Participant => {
            "The same for each participant alone, so that differences between people cannot produce the relation"
        }
    };
    illustrations.extend(on_pages(scatter::draw_levels(&input, &styles.of(&input.heading.name))?, alone));
    Ok(illustrations)
}

/// The levels of the study that were played, in its order.
fn played_levels<'a>(measures: &'a Measures, levels: &'a [ValuedLevel]) -> impl Iterator<Item = &'a ValuedLevel> {
    let played = measures.levels();
    levels.iter().filter(move |level| played.binary_search(&level.id.as_str()).is_ok())
}

/// The way of one attempt: values at its start and after each move.
struct Way {
    name: String,
    /// Cost of all moves so far: their number where each counts 1, and where values are points.
    costs: Vec<f64>,
    values: Vec<Option<f64>>,
    is_finished: bool,
}

/// Distance to the goal along each attempt, by level.
///
/// # Errors
///
/// [`ChartError`] if a drawing fails. The inner error is that of a table `moves` without its columns.
pub fn distance_along_attempts(
    moves: &DataFrame,
    measures: &Measures,
    levels: &[ValuedLevel],
    styles: &Styles,
) -> PolarsResult<Result<Vec<Illustration>, ChartError>> {
    let unit = measures.unit;
    let is_distance = unit.is_distance();
    let mut ways = ways_by_level(moves, unit)?;
    let panels = played_levels(measures, levels).map(|level| {
        let attempts = ways.remove(level.id.as_str()).unwrap_or_default();
        let example = median_solution(&attempts);
        let n_solved = attempts.iter().filter(|way| way.is_finished).count();
        let start = level.start_distance().map(|Distance(distance)| f64::from(distance));
        distance_path::Level {
            head: PanelHead {
                title: level.id.clone(),
                statistic: format!(
                    "{n_solved} of {} {}",
                    attempts.len(),
                    if is_distance { "solved" } else { "finished" }
                ),
            },
            attempts: attempts
                .iter()
                .enumerate()
                .map(|(index, way)| distance_path::Attempt {
                    name: way.name.clone(),
                    x: way.costs.clone(),
                    distance: if is_distance { way.values.clone() } else { relative(&way.values) },
                    highlighted: Some(index) == example,
                })
                .collect(),
            optimal: start.map_or_else(Vec::new, |start| vec![(0.0, start), (start, 0.0)]),
            x_limit: None,
        }
    });
    let panels: Vec<_> = panels.collect();
    let n_attempts: usize = panels.iter().map(|panel| panel.attempts.len()).sum();
    let input = distance_path::Input {
        heading: heading(
            "distance-along-attempts",
            if is_distance { "Distance to the goal along each attempt" } else { "Expected points along each attempt" },
            format!("{} attempts", grouped(n_attempts as u64)),
            "no move was replayed",
        ),
        x_title: format!("{} made", if is_distance { unit.name() } else { "moves" }),
        y_title: if is_distance {
            format!("distance to goal ({})", unit.name())
        } else {
            "points still to be expected / at the start".to_owned()
        },
        x_limit: length_limit(&panels),
        steps: false,
        own_axes_factor: Some(5.0),
        example: if is_distance { "solution of median length" } else { "game of median length" }.to_owned(),
        levels: panels,
    };
    let sentence = if is_distance {
        "Each line is one attempt, from the start of the level to its end; the dashed line is an optimal solution"
    } else {
        "Each line is one attempt: the points that the best play would still gain from each of its positions, as a share of those at its start"
    };
    Ok(distance_path::draw_levels(&input, &styles.of(&input.heading.name)).map(|figures| on_pages(figures, sentence)))
}

fn ways_by_level(moves: &DataFrame, unit: Unit) -> PolarsResult<BTreeMap<&str, Vec<Way>>> {
    let text = |name: &str| moves.column(name)?.str();
    let number = |name: &str| moves.column(name)?.cast(&DataType::Float64);
    let (participant, session, level) = (text("participant")?, text("session")?, text("level")?);
    let (before, after, cost) = (number("value_before")?, number("value_after")?, number(cost_name(unit))?);
    let (before, after, cost) = (before.f64()?, after.f64()?, cost.f64()?);
    let is_end = moves.column("is_end")?.bool()?;
    let attempt = moves.column("attempt")?.i64()?;
    let mut ways: BTreeMap<&str, Vec<Way>> = BTreeMap::new();
    let mut current = None;
    for row in 0..moves.height() {
        let Some(name_of_level) = level.get(row) else { continue };
        let of_level = ways.entry(name_of_level).or_default();
        let key = (participant.get(row), session.get(row), level.get(row), attempt.get(row));
        if current != Some(key) {
            current = Some(key);
            let [participant, session] = [key.0, key.1].map(Option::unwrap_or_default);
            let name = format!("{participant}, session {session}, attempt {}", key.3.unwrap_or_default());
            of_level.push(Way { name, costs: vec![0.0], values: vec![before.get(row)], is_finished: false });
        }
        if let Some(way) = of_level.last_mut() {
            way.values.push(after.get(row));
            way.is_finished = is_end.get(row) == Some(true);
            let so_far = way.costs.last().copied().unwrap_or(0.0);
            way.costs.push(so_far + if unit.is_distance() { cost.get(row).unwrap_or(1.0) } else { 1.0 });
        }
    }
    Ok(ways)
}

/// Values as shares of the first one, so that levels of different worth can stand side by side.
fn relative(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let first = values.first().copied().flatten().filter(|&first| first > 0.0);
    values.iter().map(|value| Some((*value)? / first?)).collect()
}

/// The solved attempt of median length.
fn median_solution(ways: &[Way]) -> Option<usize> {
    let mut solved: Vec<usize> = (0..ways.len()).filter(|&index| ways[index].is_finished).collect();
    solved.sort_by_key(|&index| (ways[index].values.len(), index));
    solved.get(solved.len().checked_sub(1)? / 2).copied()
}

/// Where the axis of moves ends: at the 95th percentile of the lengths of attempts, so that a few very
/// long ones do not press all others together; nowhere if that would cut off little.
fn length_limit(panels: &[distance_path::Level]) -> Option<f64> {
    let lengths: Vec<f64> =
        panels.iter().flat_map(|panel| &panel.attempts).filter_map(|attempt| attempt.x.last().copied()).collect();
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let limit = quantile(&lengths, 0.95).ok()?;
    (limit * 1.5 < longest).then(|| limit.ceil())
}

/// Move quality by level, with the chance level of optimal moves.
///
/// # Errors
///
/// [`ChartError`] if a drawing fails.
pub fn quality_by_level(
    measures: &Measures,
    levels: &[ValuedLevel],
    styles: &Styles,
) -> Result<Vec<Illustration>, ChartError> {
    let qualities = Quality::of_unit(measures.unit);
    let mut n_moves = 0;
    let rows: Vec<_> = played_levels(measures, levels)
        .map(|level| {
            let mut tally = crate::measure::Tally::default();
            measures.trials.iter().filter(|trial| trial.level == level.id).for_each(|trial| tally.add(&trial.tally));
            n_moves += tally.n_moves;
            quality::Level {
                label: level.id.clone(),
                counts: qualities.iter().map(|quality| tally.n_by_quality[quality.index()]).collect(),
                chance: tally.share_optimal_by_chance(),
            }
        })
        .collect();
    let input = quality::Input {
        heading: heading(
            "quality-by-level",
            "Quality of moves by level",
            format!("{} moves", grouped(n_moves)),
            "no move was replayed",
        ),
        qualities: qualities.iter().map(|quality| quality.name().to_owned()).collect(),
        levels: rows,
    };
    let shares = if measures.unit.is_distance() {
        "Share of moves that brought the goal nearer, left it as far, or took it farther"
    } else {
        "Share of moves that gave away none of the expected points (best), up to 2 % (slip), up to 10 % (mistake) or more (blunder)"
    };
    let sentence =
        format!("{shares}; the mark is the share of optimal moves that chance would reach in the same positions");
    Ok(on_pages(quality::draw(&input, &styles.of(&input.heading.name))?, &sentence))
}

/// Inter-move time by the quality of the move.
///
/// # Errors
///
/// [`ChartError`] if a drawing fails.
pub fn time_by_quality(
    groups: &[QualityTimes],
    confidence: Confidence,
    styles: &Styles,
) -> Result<Illustration, ChartError> {
    let times = groups.iter().map(|group| {
        let positive: Vec<f64> = group.times_s.iter().copied().filter(|&time| time > 0.0).collect();
        let at = |share| quantile(&positive, share).ok();
        let quantiles = (|| Some([at(0.05)?, at(0.25)?, at(0.5)?, at(0.75)?, at(0.95)?]))();
        let interval = median_interval(&positive, confidence);
        time_by_quality::Times {
            label: group.quality.name().to_owned(),
            n: positive.len() as u64,
            quantiles,
            median_interval: interval.lower.zip(interval.upper),
            density: Vec::new(),
        }
    });
    let input = time_by_quality::Input {
        heading: heading(
            "time-by-quality",
            "Inter-move time by the quality of the move",
            apa::kruskal_wallis(&test_of_times(groups)),
            "no move has a recorded time",
        ),
        y_title: String::new(),
        confidence: confidence.to_string(),
        times: times.collect(),
    };
    let sentence = "Time before moves of each quality; first moves of attempts are left out";
    Ok(illustrated(time_by_quality::draw(&input, &styles.of(&input.heading.name))?, sentence))
}

/// The state graph of a level; nothing if it was not mapped.
///
/// # Errors
///
/// [`ChartError`] if the drawing fails.
pub fn state_graph(
    level: &ValuedLevel,
    colours: StateColours,
    styles: &Styles,
) -> Result<Option<Illustration>, ChartError> {
    let Some(whole) = &level.whole else { return Ok(None) };
    let metrics = &whole.metrics;
    let distance = metrics.start_distance.map_or("no solution".to_owned(), |distance| {
        format!("start {distance} {} from the goal", level.rules.unit().name())
    });
    let input = map_input(
        level,
        whole,
        colours,
        heading(
            &format!("state-graph-{}", safe_stem(&level.id)),
            &format!("State graph of level {}", level.id),
            format!(
                "{}, {}, {}; {distance}",
                counted(metrics.n_states, "state"),
                counted(metrics.n_edges, "edge"),
                counted(metrics.n_goals, "goal")
            ),
            "the level has no state",
        ),
    );
    let sentence = "Every position that can be reached from the start, placed by its distance to the goal; lines are moves, the start is yellow, goals are red";
    Ok(Some(illustrated(state_graph::draw(&input, &styles.of(&input.heading.name))?, sentence)))
}

/// The map of a level, to be drawn.
fn map_input(level: &ValuedLevel, whole: &WholeMap, colours: StateColours, heading: Heading) -> state_graph::Input {
    let WholeMap { map, distances, .. } = whole;
    let nodes = || 0..map.n_states() as u32;
    state_graph::Input {
        heading,
        distance: distances.iter().map(|value| value.map(|Distance(value)| value)).collect(),
        start: Some(0),
        is_goal: nodes().map(|node| map.is_goal(node)).collect(),
        edges: nodes().flat_map(|node| joined_states(&map.graph, node)).collect(),
        colouring: match colours {
            StateColours::Distance => state_graph::Colouring::Distance,
            StateColours::Article => state_graph::Colouring::Blue,
        },
        unit: level.rules.unit().name().to_owned(),
        ..state_graph::Input::default()
    }
}

/// A number of things, one or several.
fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// The states that a move joins with this one, each pair once.
fn joined_states(graph: &StateGraph, node: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
    let is_first = move |after: u32| node < after || (node > after && !graph.successors(after).contains(&node));
    graph.successors(node).iter().filter(move |&&after| is_first(after)).map(move |&after| (node, after))
}

/// An optimal solution of a level as a film strip of boards, nothing if the level has none; where chance decides,
/// a likely game.
///
/// # Errors
///
/// [`ChartError`] if the drawing fails.
pub fn solution(level: &ValuedLevel, styles: &Styles) -> Result<Vec<Illustration>, ChartError> {
    if !level.rules.unit().is_distance() {
        return likely_game(level, styles);
    }
    // A position that cannot be valued has no solution that could be drawn; labels say why.
    let Ok(Some(way)) = level.solution_from(level.rules.start()) else { return Ok(Vec::new()) };
    let n_moves = way.moves.len();
    let left = level.start_distance().map_or(0, |Distance(distance)| distance);
    let frames = way.states.iter().enumerate().map(|(index, &state)| boards::Frame {
        board: level.rules.picture(state),
        caption: index.checked_sub(1).map_or("start".to_owned(), |before| way.moves[before].notation.clone()),
        distance: left.checked_sub(way.moves[..index].iter().map(|played| played.cost).sum()),
        note: String::new(),
        is_error: false,
    });
    let n_shortest = match level.whole.as_ref().map(|whole| whole.metrics.n_shortest) {
        Some(Some(1)) => ", the only shortest solution".to_owned(),
        Some(Some(n)) => format!(", one of {} shortest solutions", grouped(n)),
        Some(None) => ", one of 2^64 or more shortest solutions".to_owned(),
        None => String::new(),
    };
    let input = boards::StripInput {
        heading: heading(
            &format!("solution-{}", safe_stem(&level.id)),
            &format!("Solution of level {}", level.id),
            format!("{n_moves} {}{n_shortest}", level.rules.unit().name()),
            "the level has no solution",
        ),
        frames: frames.collect(),
        kind: boards::StripKind::Moves,
        note_meaning: String::new(),
    };
    let sentence = "The boards of a shortest solution, move by move; below each the move that led to it and the distance that is left";
    Ok(on_pages(boards::draw_strip(&input, &styles.of(&input.heading.name))?, sentence))
}

/// The most moves of a game that are drawn.
const LIKELY_MOVES: usize = 23;

/// A game under the best play in which chance always does the most probable thing, as a film strip.
fn likely_game(level: &ValuedLevel, styles: &Styles) -> Result<Vec<Illustration>, ChartError> {
    let rules = &*level.rules;
    let most_probable = |chances: &mut dyn Iterator<Item = f64>| {
        let chances: Vec<f64> = chances.collect();
        let best = chances.iter().copied().fold(0.0, f64::max);
        chances.iter().position(|&chance| chance == best).unwrap_or(0)
    };
    let starts = rules.starts();
    let mut state = starts[most_probable(&mut starts.iter().map(|(_, chance)| *chance))].0;
    let frame = |state, caption: String| {
        let board = rules.picture(state);
        boards::Frame { board, caption, distance: None, note: String::new(), is_error: false }
    };
    let mut frames = vec![frame(state, "start".to_owned())];
    while frames.len() <= LIKELY_MOVES && !rules.is_end(state) {
        // A position that cannot be valued has no best move that could be drawn; labels say why.
        let Ok(evaluation) = level.oracle().evaluate(state) else { break };
        let Some(best) = evaluation.moves.iter().position(|valued| valued.is_optimal()) else { break };
        let outcomes = rules.outcomes(state).swap_remove(best);
        let (played, _) = &outcomes[most_probable(&mut outcomes.iter().map(|(_, chance)| *chance))];
        state = played.next;
        frames.push(frame(state, played.notation.clone()));
    }
    let points = level.start_value.map_or(0.0, Value::number);
    let input = boards::StripInput {
        heading: heading(
            &format!("game-{}", safe_stem(&level.id)),
            &format!("A game of level {}", level.id),
            format!("the first {} moves; {points:.1} points to be expected from the start", frames.len() - 1),
            "the level has no move",
        ),
        frames,
        kind: boards::StripKind::Moves,
        note_meaning: String::new(),
    };
    let sentence = "The boards of a game under the best play in which chance always does the most probable thing, the first of several; below each the move that led to it";
    Ok(on_pages(boards::draw_strip(&input, &styles.of(&input.heading.name))?, sentence))
}
