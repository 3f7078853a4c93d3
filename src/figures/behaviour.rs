//! Figures of what people did, move by move: times, pauses, phases, and change over trials.

use std::collections::BTreeMap;

use super::{Illustration, Scene, heading, illustrated, on_pages};
use crate::analysis::TrialMeasure;
use crate::analysis::dataset::{AttemptEnd, AttemptRow, MoveRow, TrialRow};
use crate::chart::binned::{self, Bin};
use crate::chart::curve::{self, Curve};
use crate::chart::histogram::{self, Component};
use crate::chart::panels::PanelHead;
use crate::chart::phase_raster::{self, Group};
use crate::chart::{ChartError, distance_path, grouped};
use crate::game::Unit;
use crate::label::Quality;
use crate::phase::em::Em;
use crate::phase::mixture::mixture;
use crate::stats::describe::quantile;
use crate::stats::interval::median_interval;
use crate::study::Facets;

/// All figures of behaviour.
///
/// # Errors
///
/// [`ChartError`] if a drawing fails.
pub fn behaviour(scene: &Scene) -> Result<Vec<Illustration>, ChartError> {
    let mut all = Vec::new();
    if scene.data.unit.is_distance() {
        all.extend(by_distance(scene)?);
        all.extend(distance_over_time(scene)?);
    }
    all.extend(by_number_of_moves(scene)?);
    all.extend(distribution_of_times(scene)?);
    all.extend(raster(scene)?);
    all.extend(learning(scene)?);
    Ok(all)
}

/// The seconds of a move after a first one, where they are above 0.
fn inter_move_s(row: &MoveRow) -> Option<f64> {
    row.rt_s.filter(|&time| time > 0.0 && row.ply > 0)
}

/// Moves that have a whole number, in bins of about equal count: as few as needed, each number alone where they are few.
fn bins(scene: &Scene, number: impl Fn(&MoveRow) -> Option<i64>) -> Vec<Bin> {
    let mut rows: Vec<(i64, &MoveRow)> = scene.data.moves.iter().filter_map(|row| Some((number(row)?, row))).collect();
    rows.sort_by_key(|&(number, _)| number);
    let qualities = Quality::of_unit(scene.data.unit);
    let bin = |rows: &[(i64, &MoveRow)]| {
        let times: Vec<f64> = rows.iter().filter_map(|(_, row)| inter_move_s(row)).collect();
        let interval = median_interval(&times, scene.confidence);
        let at = |share| quantile(&times, share).ok();
        Bin {
            low: rows[0].0,
            high: rows[rows.len() - 1].0,
            n: rows.len() as u64,
            median: at(0.5),
            interval: interval.lower.zip(interval.upper),
            quartiles: at(0.25).zip(at(0.75)),
            counts: qualities
                .iter()
                .map(|&quality| rows.iter().filter(|(_, row)| row.quality == quality).count() as u64)
                .collect(),
        }
    };
    let mut numbers: Vec<i64> = rows.iter().map(|&(number, _)| number).collect();
    numbers.dedup();
    if numbers.len() <= MOST_BINS {
        return rows.chunk_by(|one, other| one.0 == other.0).map(bin).collect();
    }
    let width = (numbers[numbers.len() - 1] - numbers[0]) / MOST_BINS as i64 + 1;
    let place = |number: i64| (number - numbers[0]) / width;
    rows.chunk_by(|one, other| place(one.0) == place(other.0)).map(bin).collect()
}

/// The most bins of a figure.
const MOST_BINS: usize = 30;

fn qualities(unit: Unit) -> Vec<String> {
    Quality::of_unit(unit).iter().map(|quality| quality.name().to_owned()).collect()
}

fn by_distance(scene: &Scene) -> Result<Vec<Illustration>, ChartError> {
    let distance = |row: &MoveRow| row.value_before.map(|value| value as i64);
    let unit = scene.data.unit.name();
    let input = binned::Input {
        heading: heading(
            "time-and-quality-by-distance",
            "Time and quality by distance to the goal",
            format!("{} moves", grouped(scene.data.moves.len() as u64)),
            "no move has a distance",
        ),
        x_title: format!("distance to goal ({unit})"),
        confidence: scene.confidence.to_string(),
        qualities: qualities(scene.data.unit),
        bins: bins(scene, distance),
        ..binned::Input::default()
    };
    let sentence = "Above, the time before moves that were made at each distance from the goal, first moves of attempts left out; below, their quality";
    Ok(on_pages(binned::draw(&input, &scene.styles.of(&input.heading.name))?, sentence))
}

fn by_number_of_moves(scene: &Scene) -> Result<Vec<Illustration>, ChartError> {
    let input = binned::Input {
        heading: heading(
            "time-and-quality-by-legal-moves",
            "Time and quality by the number of legal moves",
            format!("{} moves", grouped(scene.data.moves.len() as u64)),
            "no move was replayed",
        ),
        x_title: "number of legal moves".to_owned(),
        confidence: scene.confidence.to_string(),
        qualities: qualities(scene.data.unit),
        bins: bins(scene, |row| Some(i64::from(row.n_legal))),
        ..binned::Input::default()
    };
    let sentence = "Above, the time before moves in positions with so many legal moves, first moves of attempts left out; below, their quality";
    Ok(on_pages(binned::draw(&input, &scene.styles.of(&input.heading.name))?, sentence))
}

/// Distance along each attempt over time, pauses drawn to scale, by level.
fn distance_over_time(scene: &Scene) -> Result<Vec<Illustration>, ChartError> {
    let data = scene.data;
    let mut n_untimed = 0;
    let panels: Vec<distance_path::Level> = data
        .levels
        .iter()
        .enumerate()
        .map(|(level, name)| {
            let of_level: Vec<&AttemptRow> =
                data.attempts.iter().filter(|attempt| attempt.level == level && !attempt.moves.is_empty()).collect();
            let ways: Vec<(&AttemptRow, Option<Clock>)> =
                of_level.iter().map(|&attempt| (attempt, clock(data.moves_of(attempt)))).collect();
            n_untimed += ways.iter().filter(|(_, clock)| clock.is_none()).count();
            let timed: Vec<(&AttemptRow, Clock)> =
                ways.into_iter().filter_map(|(attempt, clock)| Some((attempt, clock?))).collect();
            let example = median_of(&timed);
            let attempts = timed.iter().enumerate().map(|(index, (attempt, clock))| distance_path::Attempt {
                name: data.participants[attempt.participant].clone(),
                x: clock.times.clone(),
                distance: clock.values.clone(),
                highlighted: Some(index) == example,
            });
            let attempts: Vec<distance_path::Attempt> = attempts.collect();
            let ends: Vec<f64> = attempts.iter().filter_map(|attempt| attempt.x.last().copied()).collect();
            distance_path::Level {
                head: PanelHead { title: name.clone(), statistic: format!("{} attempts", attempts.len()) },
                x_limit: long_limit(&ends),
                attempts,
                optimal: Vec::new(),
            }
        })
        .collect();
    let n: usize = panels.iter().map(|panel| panel.attempts.len()).sum();
    let ends: Vec<f64> =
        panels.iter().flat_map(|panel| &panel.attempts).filter_map(|attempt| attempt.x.last().copied()).collect();
    let untimed = if n_untimed > 0 { format!("; {n_untimed} without all times left out") } else { String::new() };
    let input = distance_path::Input {
        heading: heading(
            "distance-over-time",
            "Distance to the goal over time",
            format!("{} attempts{untimed}", grouped(n as u64)),
            "no attempt has all of its times",
        ),
        x_title: "time (s)".to_owned(),
        y_title: format!("distance to goal ({})", data.unit.name()),
        x_limit: long_limit(&ends),
        steps: true,
        own_axes_factor: Some(5.0),
        example: "solution of median length".to_owned(),
        levels: panels,
    };
    let sentence =
        "Each line is one attempt on the clock: level stretches are pauses, drawn to scale, and steps are moves";
    Ok(on_pages(distance_path::draw_levels(&input, &scene.styles.of(&input.heading.name))?, sentence))
}

/// When an attempt was at which distance.
struct Clock {
    times: Vec<f64>,
    values: Vec<Option<f64>>,
}

fn clock(moves: &[MoveRow]) -> Option<Clock> {
    let mut clock = Clock { times: vec![0.0], values: vec![moves.first()?.value_before] };
    let mut now = 0.0;
    for row in moves {
        now += row.rt_s.filter(|time| time.is_finite() && *time >= 0.0)?;
        // The way must rise: moves without a time of their own share their place.
        if clock.times.last().is_some_and(|&last| now <= last) {
            now = clock.times.last()? + 1e-6;
        }
        clock.times.push(now);
        clock.values.push(row.value_after);
    }
    Some(clock)
}

/// The solved attempt of median length in time.
fn median_of(timed: &[(&AttemptRow, Clock)]) -> Option<usize> {
    let mut solved: Vec<(f64, usize)> = timed
        .iter()
        .enumerate()
        .filter(|(_, (attempt, _))| attempt.end == AttemptEnd::Finished)
        .filter_map(|(index, (_, clock))| Some((clock.times.last().copied()?, index)))
        .collect();
    solved.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    solved.get(solved.len().checked_sub(1)? / 2).map(|&(_, index)| index)
}

/// Where an axis of lengths ends: at their 95th percentile, if a few are much longer.
fn long_limit(lengths: &[f64]) -> Option<f64> {
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let limit = quantile(lengths, 0.95).ok()?;
    (limit * 1.5 < longest).then(|| limit.ceil())
}

/// The groups that facets make: name and whether an attempt belongs to it.
fn groups<'a>(scene: &Scene<'a>) -> Vec<(String, Vec<&'a AttemptRow>)> {
    let data = scene.data;
    let key = |attempt: &AttemptRow| match scene.facets {
        Facets::Level => data.levels[attempt.level].clone(),
        Facets::Condition => attempt.condition.clone().unwrap_or_else(|| "no condition".to_owned()),
        Facets::Participant => data.participants[attempt.participant].clone(),
    };
    let mut groups: BTreeMap<String, Vec<&AttemptRow>> = BTreeMap::new();
    for attempt in &data.attempts {
        groups.entry(key(attempt)).or_default().push(attempt);
    }
    groups.into_iter().collect()
}

/// The distribution of inter-move times, of all moves and by facet, with a mixture of two log-normal components.
fn distribution_of_times(scene: &Scene) -> Result<Vec<Illustration>, ChartError> {
    let data = scene.data;
    let all: Vec<f64> = data.moves.iter().filter_map(inter_move_s).collect();
    let of_facet = groups(scene).into_iter().map(|(name, attempts)| {
        let times = attempts.iter().flat_map(|attempt| data.moves_of(attempt)).filter_map(inter_move_s).collect();
        (name, times)
    });
    let whole = vec![(String::new(), all)];
    let mut drawn = Vec::new();
    let facets = format!("-by-{}", scene.facets.name());
    for (suffix, panels) in [("", whole), (facets.as_str(), of_facet.collect::<Vec<(String, Vec<f64>)>>())] {
        let panels: Vec<histogram::Panel> = panels.into_iter().map(|(name, times)| panel(scene, name, times)).collect();
        let by = if suffix.is_empty() { String::new() } else { format!(", by {}", scene.facets.name()) };
        let n: usize = panels.iter().map(|panel| panel.values.len()).sum();
        let statistic = match &panels[..] {
            [one] if suffix.is_empty() && !one.head.statistic.is_empty() => format!("; {}", one.head.statistic),
            _ => String::new(),
        };
        let mut panels = panels;
        if suffix.is_empty() {
            panels.iter_mut().for_each(|panel| panel.head = PanelHead::default());
        }
        let input = histogram::Input {
            heading: heading(
                &format!("inter-move-times{suffix}"),
                &format!("Distribution of inter-move times{by}"),
                format!("{} moves{statistic}", grouped(n as u64)),
                "no move has a recorded time",
            ),
            boundary: "as probable in both".to_owned(),
            panels,
            ..histogram::Input::default()
        };
        let sentence = "Times before moves on a logarithmic axis, first moves of attempts left out, with a mixture of two log-normal distributions fitted to them; longer times are those of thinking";
        drawn.extend(on_pages(histogram::draw(&input, &scene.styles.of(&input.heading.name))?, sentence));
    }
    Ok(drawn)
}

fn panel(scene: &Scene, name: String, times: Vec<f64>) -> histogram::Panel {
    let fitted = mixture(&times, 2, &Em::new(scene.seed));
    let mut components: Vec<Component> = Vec::new();
    if let Some(found) = &fitted.parameters {
        let mut parts: Vec<(f64, f64, f64)> = found
            .weights
            .iter()
            .zip(&found.means)
            .zip(&found.sds)
            .map(|((&weight, &mean), &sd)| (weight, mean, sd))
            .collect();
        parts.sort_by(|one, other| one.1.total_cmp(&other.1));
        for (name, (weight, log_mean, log_sd)) in ["acting", "thinking"].into_iter().zip(parts) {
            components.push(Component { name: name.to_owned(), weight, log_mean, log_sd });
        }
    }
    let statistic = match &components[..] {
        [acting, thinking] => format!("medians {:.2} s and {:.2} s", acting.log_mean.exp(), thinking.log_mean.exp()),
        _ => format!("n = {}", times.len()),
    };
    let boundary = match &components[..] {
        [acting, thinking] => boundary(acting, thinking),
        _ => None,
    };
    histogram::Panel { head: PanelHead { title: name, statistic }, values: times, components, boundary }
}

/// Where, between the means of the logarithms, both components are equally probable.
fn boundary(acting: &Component, thinking: &Component) -> Option<f64> {
    let weight = |component: &Component, log: f64| {
        let z = (log - component.log_mean) / component.log_sd;
        component.weight.ln() - component.log_sd.ln() - z * z / 2.0
    };
    let difference = |log: f64| weight(thinking, log) - weight(acting, log);
    let (mut low, mut high) = (acting.log_mean, thinking.log_mean);
    if !(difference(low) < 0.0 && difference(high) > 0.0) {
        return None;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if difference(middle) < 0.0 { low = middle } else { high = middle }
    }
    Some(high.exp())
}

/// The most groups of a raster; what is beyond them is said.
const MOST_GROUPS: usize = 12;

/// Thinking and acting, attempt by attempt.
fn raster(scene: &Scene) -> Result<Vec<Illustration>, ChartError> {
    let data = scene.data;
    let all = groups(scene);
    let n_groups = all.len();
    let row = |attempt: &&AttemptRow| {
        let mut now = 0.0;
        let moves = attempt.moves.clone().filter_map(|index| {
            let move_row = &data.moves[index];
            let duration_s = move_row.rt_s.filter(|time| time.is_finite() && *time >= 0.0)?;
            now += duration_s;
            let is_thinking = scene.is_thinking.get(index).copied().flatten();
            Some(phase_raster::Move { end_s: now, duration_s, is_thinking, is_error: move_row.is_error() })
        });
        let moves: Vec<phase_raster::Move> = moves.collect();
        let label = match scene.facets {
            Facets::Participant => data.levels[attempt.level].clone(),
            _ => data.participants[attempt.participant].clone(),
        };
        let is_solved = match attempt.end {
            AttemptEnd::Finished => Some(true),
            AttemptEnd::Reset | AttemptEnd::GaveUp => Some(false),
            AttemptEnd::Open => None,
        };
        phase_raster::Attempt { label, moves, is_solved }
    };
    let shown = all.into_iter().take(MOST_GROUPS).map(|(title, attempts)| {
        let attempts: Vec<phase_raster::Attempt> =
            attempts.iter().map(row).filter(|attempt| !attempt.moves.is_empty()).collect();
        Group { head: PanelHead { title, statistic: String::new() }, attempts }
    });
    let groups: Vec<Group> = shown.filter(|group| !group.attempts.is_empty()).collect();
    let ends: Vec<f64> = groups
        .iter()
        .flat_map(|group| &group.attempts)
        .filter_map(|attempt| attempt.moves.last().map(|last| last.end_s))
        .collect();
    let beyond = match n_groups.saturating_sub(MOST_GROUPS) {
        0 => String::new(),
        _ => format!("; the first {MOST_GROUPS} of {n_groups} {}s", scene.facets.name()),
    };
    let input = phase_raster::Input {
        heading: heading(
            "thinking-and-acting",
            "Thinking and acting in each attempt",
            format!("{} attempts{beyond}", grouped(ends.len() as u64)),
            "no attempt has a recorded time",
        ),
        x_limit: long_limit(&ends),
        error: "move that is not optimal".to_owned(),
        groups,
        ..phase_raster::Input::default()
    };
    let sentence = "Each row is one attempt on the clock: time spent thinking and time spent acting, told apart by a hidden Markov model with two states for each participant; ticks are moves that were not optimal";
    Ok(on_pages(phase_raster::draw(&input, &scene.styles.of(&input.heading.name))?, sentence))
}

/// Measures that may change with practice.
const PRACTISED: [TrialMeasure; 3] = [TrialMeasure::Time, TrialMeasure::ExcessMoves, TrialMeasure::MedianInterMove];

/// Medians by the place of a trial in the order of its participant, by condition where there are several.
fn learning(scene: &Scene) -> Result<Vec<Illustration>, ChartError> {
    let trials: Vec<&TrialRow> = scene.data.trials.iter().filter(|trial| trial.is_solved == Some(true)).collect();
    let mut conditions: Vec<Option<String>> = trials.iter().map(|trial| trial.condition.clone()).collect();
    conditions.sort();
    conditions.dedup();
    let is_split = (2..=6).contains(&conditions.len());
    let mut all = Vec::new();
    for measure in PRACTISED.into_iter().filter(|measure| TrialMeasure::of_unit(scene.data.unit).contains(measure)) {
        let curve = |condition: Option<&Option<String>>| {
            let mut values: Vec<(usize, f64)> = trials
                .iter()
                .filter(|trial| condition.is_none_or(|condition| trial.condition == *condition))
                .filter_map(|trial| Some((trial.order? + 1, measure.of(trial)?)))
                .collect();
            values.sort_by_key(|one| one.0);
            let point = |run: &[(usize, f64)]| {
                let values: Vec<f64> = run.iter().map(|one| one.1).collect();
                let interval = median_interval(&values, scene.confidence);
                let band = interval.lower.zip(interval.upper);
                curve::Point { x: run[0].0 as f64, y: quantile(&values, 0.5).unwrap_or(f64::NAN), band }
            };
            let label = match condition {
                None => "all participants".to_owned(),
                Some(condition) => condition.clone().unwrap_or_else(|| "no condition".to_owned()),
            };
            let points = values.chunk_by(|one, other| one.0 == other.0).map(point).collect();
            Curve { label, points, ..Curve::default() }
        };
        let curves: Vec<Curve> = if is_split {
            conditions.iter().map(|condition| curve(Some(condition))).collect()
        } else {
            vec![curve(None)]
        };
        let unit = measure.unit(scene.data.unit).map_or(String::new(), |unit| format!(" ({unit})"));
        let input = curve::Input {
            heading: heading(
                &format!("learning-{}", measure.column().replace('_', "-").trim_start_matches("n-")),
                &format!("Change over trials: {}", measure.title()),
                format!("{} solved trials", grouped(trials.len() as u64)),
                "the order of the trials is not known",
            ),
            x_title: "place of the trial in the order of its participant".to_owned(),
            y_title: format!("median {}{unit}", measure.title().trim_start_matches("median ")),
            band: format!("{} interval of the median", scene.confidence),
            curves,
            ..curve::Input::default()
        };
        let sentence = "Medians over participants of the trials that they solved first, second, and so on; levels may differ between places";
        all.push(illustrated(curve::draw(&input, &scene.styles.of(&input.heading.name))?, sentence));
    }
    Ok(all)
}
