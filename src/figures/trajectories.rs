//! Figures of attempts from their start to their end: distance by moves and by time, thinking and acting.

use super::groups::{Group, titled_by};
use super::{Drawn, Scene, counted, heading, on_pages};
use crate::analysis::dataset::{AttemptEnd, AttemptRow, MoveRow};
use plymap_figures::Facets;
use plymap_figures::distance_path::{self, DistancePath};
use plymap_figures::panels::PanelHead;
use plymap_figures::phase_raster::{self, PhaseRaster};
use plymap_puzzles::game::Distance;
use plymap_statistics::stats::describe::quantile;

/// Distance to the goal along each attempt: a panel for each level.
pub(super) fn along_attempts(scene: &Scene) -> Drawn {
    const NAME: &str = "distance-along-attempts";
    let facets = scene.styles.facets_of(NAME, Facets::Level);
    let data = scene.data;
    let unit = data.unit;
    let is_distance = unit.is_distance();
    let panel = |Group { name, members }: Group<&AttemptRow>| {
        let example = median_solution(&members);
        let n_solved = members.iter().filter(|attempt| attempt.end == AttemptEnd::Finished).count();
        let level = scene.levels.iter().find(|level| facets == Facets::Level && level.id == name);
        let start = level.and_then(|level| level.start_distance()).map(|Distance(distance)| f64::from(distance));
        let finished = if is_distance { "solved" } else { "finished" };
        distance_path::Level {
            head: PanelHead { title: name, statistic: format!("{n_solved} of {} {finished}", members.len()) },
            attempts: members
                .iter()
                .enumerate()
                .map(|(index, attempt)| {
                    let Trajectory { costs, values } = Trajectory::new(data.moves_of(attempt), is_distance);
                    let participant = &data.participants[attempt.participant];
                    distance_path::Attempt {
                        name: format!("{participant}, session {}, attempt {}", attempt.session, attempt.attempt),
                        x: costs,
                        distance: if is_distance { values } else { relative(&values) },
                        highlighted: Some(index) == example,
                    }
                })
                .collect(),
            optimal: start.map_or_else(Vec::new, |start| vec![(0.0, start), (start, 0.0)]),
            x_limit: None,
        }
    };
    let panels: Vec<distance_path::Level> = scene.attempts(facets).into_iter().map(panel).collect();
    let title =
        if is_distance { "Distance to the goal along each attempt" } else { "Expected points along each attempt" };
    let lengths: Vec<f64> = panels.iter().flat_map(ends).collect();
    let chart = DistancePath {
        heading: heading(
            NAME,
            &title_of(title, facets),
            counted(lengths.len() as u64, "attempt"),
            "no move was replayed",
        ),
        x_title: format!("{} made", if is_distance { unit.name() } else { "moves" }),
        y_title: if is_distance {
            format!("distance to goal ({})", unit.name())
        } else {
            "expected further points / at the start".to_owned()
        },
        x_limit: long_limit(&lengths),
        steps: false,
        own_axes_factor: Some(OWN_AXES_FACTOR),
        example: if is_distance { "solution of median length" } else { "game of median length" }.to_owned(),
        levels: panels,
    };
    let sentence = match (is_distance, facets) {
        (true, Facets::Level) => {
            "Each line is one attempt, from the start of the level to its end; the dashed line is an optimal solution"
        }
        (true, _) => "Each line is one attempt, from the start of its level to its end",
        (false, _) => {
            "Each line is one attempt: the expected further points under optimal play from each of its positions, as a share of those at its start"
        }
    };
    Ok(on_pages(&chart, scene.styles, sentence)?)
}

/// A panel has axes of its own if it is so many times as long, or as short, as the median one.
const OWN_AXES_FACTOR: f64 = 5.0;

/// The usual facets of these figures go without saying.
fn title_of(title: &str, facets: Facets) -> String {
    if facets == Facets::Level { title.to_owned() } else { titled_by(title, facets) }
}

/// The course of an attempt: values at its start and after each move.
struct Trajectory {
    /// Cost of all moves so far: their number where each counts 1, and where values are points.
    costs: Vec<f64>,
    values: Vec<Option<f64>>,
}

impl Trajectory {
    fn new(moves: &[MoveRow], is_distance: bool) -> Self {
        let mut trajectory =
            Self { costs: vec![0.0], values: vec![moves.first().and_then(|first| first.value_before)] };
        let mut so_far = 0.0;
        for made in moves {
            so_far += if is_distance { f64::from(made.cost) } else { 1.0 };
            trajectory.costs.push(so_far);
            trajectory.values.push(made.value_after);
        }
        trajectory
    }
}

/// Values as shares of the first one, so that levels of different worth can stand side by side.
fn relative(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let first = values.first().copied().flatten().filter(|&first| first > 0.0);
    values.iter().map(|value| Some((*value)? / first?)).collect()
}

/// The solved attempt of median number of moves.
fn median_solution(attempts: &[&AttemptRow]) -> Option<usize> {
    let is_solved = |&index: &usize| attempts[index].end == AttemptEnd::Finished;
    let mut solved: Vec<usize> = (0..attempts.len()).filter(is_solved).collect();
    solved.sort_by_key(|&index| (attempts[index].moves.len(), index));
    solved.get(solved.len().checked_sub(1)? / 2).copied()
}

/// Where the attempts of a panel end.
fn ends(panel: &distance_path::Level) -> impl Iterator<Item = f64> {
    panel.attempts.iter().filter_map(|attempt| attempt.x.last().copied())
}

/// Where an axis of lengths ends: at their 95th percentile, so that a few very long ones do not press all others
/// together; nowhere if that would cut off little.
fn long_limit(lengths: &[f64]) -> Option<f64> {
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let limit = quantile(lengths, 0.95).ok()?;
    (limit * 1.5 < longest).then(|| limit.ceil())
}

/// Distance along each attempt over time, pauses drawn to scale: a panel for each level.
pub(super) fn over_time(scene: &Scene) -> Drawn {
    const NAME: &str = "distance-over-time";
    let data = scene.data;
    if !data.unit.is_distance() {
        return Ok(Vec::new());
    }
    let facets = scene.styles.facets_of(NAME, Facets::Level);
    let mut n_untimed = 0;
    let panel = |Group { name, members }: Group<&AttemptRow>| {
        let n_all = members.len();
        let timed: Vec<(&AttemptRow, Clock)> =
            members.into_iter().filter_map(|attempt| Some((attempt, clock(data.moves_of(attempt))?))).collect();
        n_untimed += n_all - timed.len();
        let example = median_of(&timed);
        let attempts = timed.iter().enumerate().map(|(index, (attempt, clock))| distance_path::Attempt {
            name: data.participants[attempt.participant].clone(),
            x: clock.times.clone(),
            distance: clock.values.clone(),
            highlighted: Some(index) == example,
        });
        let head = PanelHead { title: name, statistic: counted(timed.len() as u64, "attempt") };
        let mut panel = distance_path::Level { head, attempts: attempts.collect(), optimal: Vec::new(), x_limit: None };
        panel.x_limit = long_limit(&ends(&panel).collect::<Vec<f64>>());
        panel
    };
    let panels: Vec<distance_path::Level> = scene.attempts(facets).into_iter().map(panel).collect();
    let lengths: Vec<f64> = panels.iter().flat_map(ends).collect();
    let untimed = if n_untimed > 0 { format!("; {n_untimed} without all times left out") } else { String::new() };
    let chart = DistancePath {
        heading: heading(
            NAME,
            &title_of("Distance to the goal over time", facets),
            format!("{}{untimed}", counted(lengths.len() as u64, "attempt")),
            "no attempt has all of its times",
        ),
        x_title: "time (s)".to_owned(),
        y_title: format!("distance to goal ({})", data.unit.name()),
        x_limit: long_limit(&lengths),
        steps: true,
        own_axes_factor: Some(OWN_AXES_FACTOR),
        example: "solution of median length".to_owned(),
        levels: panels,
    };
    let sentence =
        "Each line is one attempt on the clock: level stretches are pauses, drawn to scale, and steps are moves";
    Ok(on_pages(&chart, scene.styles, sentence)?)
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
        // The trajectory must rise: moves without a time of their own share their place.
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

/// The most groups of a raster; what is beyond them is said.
const MOST_GROUPS: usize = 36;

/// Thinking and acting, attempt by attempt: the attempts of each level together.
pub(super) fn raster(scene: &Scene) -> Drawn {
    const NAME: &str = "thinking-and-acting";
    let data = scene.data;
    let facets = scene.styles.facets_of(NAME, Facets::Level);
    let mut all = scene.attempts(facets);
    all.retain(|group| !group.members.is_empty());
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
        let label = match facets {
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
    let shown = all.into_iter().take(MOST_GROUPS).map(|Group { name, members }| {
        let attempts: Vec<phase_raster::Attempt> =
            members.iter().map(row).filter(|attempt| !attempt.moves.is_empty()).collect();
        phase_raster::Group { head: PanelHead { title: name, statistic: String::new() }, attempts }
    });
    let groups: Vec<phase_raster::Group> = shown.filter(|group| !group.attempts.is_empty()).collect();
    let ends: Vec<f64> = groups
        .iter()
        .flat_map(|group| &group.attempts)
        .filter_map(|attempt| attempt.moves.last().map(|last| last.end_s))
        .collect();
    let beyond = match n_groups.saturating_sub(MOST_GROUPS) {
        _ if ends.is_empty() => String::new(),
        0 => String::new(),
        _ => format!("; the first {MOST_GROUPS} of {n_groups} {}s", facets.name()),
    };
    let chart = PhaseRaster {
        heading: heading(
            NAME,
            &title_of("Thinking and acting in each attempt", facets),
            format!("{}{beyond}", counted(ends.len() as u64, "attempt")),
            "no attempt has a recorded time",
        ),
        x_limit: long_limit(&ends),
        error: "move that is not optimal".to_owned(),
        solved: if data.unit.is_distance() { String::new() } else { "finished".to_owned() },
        unsolved: if data.unit.is_distance() { String::new() } else { "left before its end".to_owned() },
        groups,
        ..PhaseRaster::default()
    };
    let sentence = "Each row is one attempt on the clock: time spent thinking and time spent acting, classified by a hidden Markov model with two states for each participant; ticks are moves that were not optimal";
    Ok(on_pages(&chart, scene.styles, sentence)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dataset::Dataset;
    use crate::measure::Measures;
    use crate::measure::tests::{Line, levels};
    use plymap_figures::Styles;
    use plymap_statistics::stats::Confidence;

    /// The attempts in the numbers of a figure, in their order: level, participant, and the distances along it.
    fn attempts(drawn: Drawn) -> Vec<(String, String, Vec<String>)> {
        let mut attempts: Vec<(String, String, Vec<String>)> = Vec::new();
        for illustration in drawn.expect("a figure") {
            let csv = illustration.figure.to_csv().expect("numbers");
            let mut rows = csv::Reader::from_reader(csv.as_bytes());
            let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
            for row in rows.iter().filter(|row| &row[2] == "attempt") {
                if &row[5] == "0" {
                    let participant = row[3].split(',').next().unwrap_or_default();
                    attempts.push((row[0].to_owned(), participant.to_owned(), Vec::new()));
                }
                attempts.last_mut().expect("an attempt begins at 0").2.push(row[6].to_owned());
            }
        }
        attempts
    }

    #[test]
    fn distance_along_attempts_and_over_time_show_the_same_attempts_and_moves() {
        // What stands behind a give-up, behind a solution, and in attempts after the solved one is not measured.
        let log = Line::new()
            .attempt("p1", "A", 1, "d u give_up d d d d d")
            .attempt("p1", "A", 2, "d d d d d u")
            .attempt("p1", "A", 3, "d d")
            .attempt("p2", "B", 1, "d reset d d")
            .log();
        let levels = levels(&["A", "B"]);
        let measures = Measures::new(&log, &[], &levels);
        let data = Dataset::new(&log, &measures, &levels);
        let scene = Scene {
            measures: &measures,
            levels: &levels,
            data: &data,
            is_thinking: &[],
            flow: Default::default(),
            tables: Vec::new(),
            confidence: Confidence::default(),
            seed: 1,
            styles: &Styles::default(),
        };
        let of = |level: &str, participant: &str, distances: &[&str]| {
            (level.to_owned(), participant.to_owned(), distances.iter().map(|&one| one.to_owned()).collect())
        };
        let expected = [
            of("A", "p1", &["5", "4", "5"]),
            of("A", "p1", &["5", "4", "3", "2", "1", "0"]),
            of("B", "p2", &["5", "4", "4", "3"]),
        ];
        assert_eq!(attempts(along_attempts(&scene)), expected);
        assert_eq!(attempts(over_time(&scene)), expected);
    }
}
