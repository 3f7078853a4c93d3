//! Figures of attempts from their start to their end: distance by moves and by time, thinking and acting.

use super::groups::{Group, titled_by};
use super::input::FigureInput;
use super::kind::Kind;
use super::sketch::{Sketch, Sketched, distance_title, heading};
use plymap_analysis::dataset::{AttemptEnd, AttemptRow, MoveRow};
use plymap_figures::distance_path::{self, DistancePath};
use plymap_figures::panels::PanelHead;
use plymap_figures::phase_raster::{self, PhaseRaster};
use plymap_figures::{Facets, Label, Message};
use plymap_puzzles::game::Distance;
use plymap_puzzles::game::Unit;
use plymap_statistics::stats::apa::counted;
use plymap_statistics::stats::describe::quantile;
use std::collections::BTreeMap;

/// Distance to the goal along each attempt: a panel for each level.
pub(super) fn along_attempts(input: &FigureInput) -> Sketched {
    const NAME: &str = "distance-along-attempts";
    let facets = input.styles.facets_of(NAME, Facets::Level);
    let data = input.data;
    let unit = data.unit;
    let is_distance = unit.is_distance();
    let groups = input.attempts(facets);
    let panel = |group: &Group<&AttemptRow>| {
        let Group { name, members } = group;
        let example = median_solution(members);
        let n_solved = members.iter().filter(|attempt| attempt.end == AttemptEnd::Finished).count();
        let level = input.levels.iter().find(|level| facets == Facets::Level && level.id == *name);
        let start = level.and_then(|level| level.start_distance()).map(|Distance(distance)| f64::from(distance));
        let finished = if is_distance { "solved" } else { "finished" };
        distance_path::Level {
            head: PanelHead { title: name.clone(), statistic: format!("{n_solved} of {} {finished}", members.len()) },
            attempts: group
                .shown(MOST_LINES, example, input.seed)
                .into_iter()
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
    let panels: Vec<distance_path::Level> = groups.iter().map(panel).collect();
    let title =
        if is_distance { Message::DistanceToGoalAlongEachAttempt } else { Message::ExpectedPointsAlongEachAttempt };
    let length = |attempt: &&AttemptRow| course(data.moves_of(attempt), is_distance).last().unwrap_or_default();
    let lengths: Vec<f64> = groups.iter().flat_map(|group| &group.members).map(length).collect();
    let chart = DistancePath {
        heading: heading(
            NAME,
            title_of(title, facets),
            format!("{}{}", counted(lengths.len() as u64, "attempt"), note_of(&groups, MOST_LINES)),
            Message::NoMoveWasReplayed,
        ),
        x_title: if unit == Unit::Cells { Message::CellsMade } else { Message::MovesMade }.into(),
        y_title: if is_distance { distance_title(unit) } else { Message::ShareOfExpectedPoints.into() },
        x_limit: long_limit(&lengths),
        steps: false,
        own_axes_factor: Some(OWN_AXES_FACTOR),
        example: if is_distance { Message::SolutionOfMedianLength } else { Message::GameOfMedianLength }.into(),
        is_sample: has_more(&groups, MOST_LINES),
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
    Ok(vec![Sketch::new(Kind::DistanceAlongAttempts, chart, sentence)])
}

/// Largest number of lines in a panel: more hide each other, on paper and on the screen.
const MOST_LINES: usize = 200;

fn has_more<T>(groups: &[Group<T>], most: usize) -> bool {
    groups.iter().any(|group| group.members.len() > most)
}

/// Returns the part of a subtitle that says that only a sample of the attempts is shown; empty if all are.
fn note_of<T>(groups: &[Group<T>], most: usize) -> String {
    if has_more(groups, most) {
        format!("; of each panel at most {most} are shown, drawn at random")
    } else {
        String::new()
    }
}

/// Ratio of the length of a panel to that of the median one, or the inverse, from which on it has axes of its own.
const OWN_AXES_FACTOR: f64 = 5.0;

/// Returns the title with the facets, but for the usual ones, which go without saying.
fn title_of(title: Message, facets: Facets) -> Label {
    if facets == Facets::Level { title.into() } else { titled_by(title, facets) }
}

/// The course of an attempt: values at its start and after each move.
struct Trajectory {
    /// Cost of all moves so far: their number where each counts 1, and where values are points.
    costs: Vec<f64>,
    values: Vec<Option<f64>>,
}

impl Trajectory {
    fn new(moves: &[MoveRow], is_distance: bool) -> Self {
        let start = moves.first().and_then(|first| first.value_before);
        let costs = std::iter::once(0.0).chain(course(moves, is_distance)).collect();
        Self { costs, values: std::iter::once(start).chain(moves.iter().map(|row| row.value_after)).collect() }
    }
}

/// The cost of the moves so far, after each of them.
fn course(moves: &[MoveRow], is_distance: bool) -> impl Iterator<Item = f64> {
    moves.iter().scan(0.0, move |so_far, row| {
        *so_far += if is_distance { f64::from(row.cost) } else { 1.0 };
        Some(*so_far)
    })
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

/// Returns the end of an axis of lengths: their 95th percentile, so that a few very long ones do not press all
/// others together; none if that would cut off little.
fn long_limit(lengths: &[f64]) -> Option<f64> {
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let limit = quantile(lengths, 0.95).ok()?;
    (limit * 1.5 < longest).then(|| limit.ceil())
}

/// Distance along each attempt over time, pauses drawn to scale: a panel for each level.
pub(super) fn over_time(input: &FigureInput) -> Sketched {
    const NAME: &str = "distance-over-time";
    let data = input.data;
    if !data.unit.is_distance() {
        return Ok(Vec::new());
    }
    let facets = input.styles.facets_of(NAME, Facets::Level);
    let (mut n_untimed, mut lengths) = (0, Vec::new());
    let mut timed_groups: Vec<Group<(&AttemptRow, f64)>> = Vec::new();
    for Group { name, members } in input.attempts(facets) {
        let n_all = members.len();
        let end = |attempt| Some((attempt, clock(data.moves_of(attempt))?.times.last().copied()?));
        let members: Vec<(&AttemptRow, f64)> = members.into_iter().filter_map(end).collect();
        n_untimed += n_all - members.len();
        lengths.extend(members.iter().map(|(_, end)| *end));
        timed_groups.push(Group { name, members });
    }
    let panel = |group: &Group<(&AttemptRow, f64)>| {
        let example = median_of(&group.members);
        let shown = group.shown(MOST_LINES, example, input.seed).into_iter();
        let attempts = shown.filter_map(|(index, (attempt, _))| {
            let Clock { times, values } = clock(data.moves_of(attempt))?;
            let name = data.participants[attempt.participant].clone();
            Some(distance_path::Attempt { name, x: times, distance: values, highlighted: Some(index) == example })
        });
        let ends: Vec<f64> = group.members.iter().map(|(_, end)| *end).collect();
        distance_path::Level {
            head: PanelHead { title: group.name.clone(), statistic: counted(ends.len() as u64, "attempt") },
            attempts: attempts.collect(),
            optimal: Vec::new(),
            x_limit: long_limit(&ends),
        }
    };
    let panels: Vec<distance_path::Level> = timed_groups.iter().map(panel).collect();
    let untimed = if n_untimed > 0 { format!("; {n_untimed} without all times left out") } else { String::new() };
    let chart = DistancePath {
        heading: heading(
            NAME,
            title_of(Message::DistanceToGoalOverTime, facets),
            format!("{}{untimed}{}", counted(lengths.len() as u64, "attempt"), note_of(&timed_groups, MOST_LINES)),
            Message::NoAttemptHasAllOfTimes,
        ),
        x_title: Message::Time.into(),
        y_title: distance_title(data.unit),
        x_limit: long_limit(&lengths),
        steps: true,
        own_axes_factor: Some(OWN_AXES_FACTOR),
        example: Message::SolutionOfMedianLength.into(),
        is_sample: has_more(&timed_groups, MOST_LINES),
        levels: panels,
    };
    let sentence =
        "Each line is one attempt on the clock: level stretches are pauses, drawn to scale, and steps are moves";
    Ok(vec![Sketch::new(Kind::DistanceOverTime, chart, sentence)])
}

/// Distances of an attempt over time: at its start and after each move, with seconds since the start.
struct Clock {
    times: Vec<f64>,
    values: Vec<Option<f64>>,
}

fn clock(moves: &[MoveRow]) -> Option<Clock> {
    let mut clock = Clock { times: vec![0.0], values: vec![moves.first()?.value_before] };
    let mut now = 0.0;
    for row in moves {
        now += known_time(row)?;
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
fn median_of(timed: &[(&AttemptRow, f64)]) -> Option<usize> {
    let mut solved: Vec<(f64, usize)> = timed
        .iter()
        .enumerate()
        .filter(|(_, (attempt, _))| attempt.end == AttemptEnd::Finished)
        .map(|(index, (_, end))| (*end, index))
        .collect();
    solved.sort_by(|left, right| left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal));
    solved.get(solved.len().checked_sub(1)? / 2).map(|&(_, index)| index)
}

/// The most groups of a raster; what is beyond them is said.
const MOST_GROUPS: usize = 36;

/// The most attempts of a group of a raster, about a page of them.
const MOST_ROWS: usize = 100;

/// The time before a move, if it can be drawn.
fn known_time(row: &MoveRow) -> Option<f64> {
    row.rt_s.filter(|time| time.is_finite() && *time >= 0.0)
}

fn is_timed(row: &MoveRow) -> bool {
    known_time(row).is_some()
}

/// Thinking and acting, attempt by attempt: the attempts of each level together.
pub(super) fn raster(input: &FigureInput) -> Sketched {
    const NAME: &str = "thinking-and-acting";
    let data = input.data;
    let facets = input.styles.facets_of(NAME, Facets::Level);
    let mut all = input.attempts(facets);
    all.retain(|group| !group.members.is_empty());
    let n_groups = all.len();
    let row = |attempt: &&AttemptRow| {
        let mut now = 0.0;
        let moves = attempt.moves.clone().filter_map(|index| {
            let move_row = &data.moves[index];
            let duration_s = known_time(move_row)?;
            now += duration_s;
            let is_thinking = input.is_thinking.get(index).copied().flatten();
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
            AttemptEnd::Limit | AttemptEnd::Interrupted | AttemptEnd::Open => None,
        };
        phase_raster::Attempt { label, moves, is_solved }
    };
    let without = people_without_phases(input, all.iter().flat_map(|group| &group.members).copied());
    all.truncate(MOST_GROUPS);
    let timed = |attempt: &AttemptRow| data.moves_of(attempt).iter().filter_map(known_time).sum::<f64>();
    all.iter_mut().for_each(|group| group.members.retain(|attempt| data.moves_of(attempt).iter().any(is_timed)));
    all.retain(|group| !group.members.is_empty());
    let ends: Vec<f64> = all.iter().flat_map(|group| &group.members).map(|attempt| timed(attempt)).collect();
    let rows = |group: &Group<&AttemptRow>| phase_raster::Group {
        head: PanelHead { title: group.name.clone(), statistic: String::new() },
        attempts: group.shown(MOST_ROWS, None, input.seed).into_iter().map(|(_, attempt)| row(attempt)).collect(),
    };
    let groups: Vec<phase_raster::Group> = all.iter().map(rows).collect();
    let beyond = match n_groups.saturating_sub(MOST_GROUPS) {
        _ if ends.is_empty() => String::new(),
        0 => String::new(),
        _ => format!("; the first {MOST_GROUPS} of {n_groups} {}s", facets.name()),
    };
    let chart = PhaseRaster {
        heading: heading(
            NAME,
            title_of(Message::ThinkingAndActingInEachAttempt, facets),
            format!("{}{beyond}{}{without}", counted(ends.len() as u64, "attempt"), note_of(&all, MOST_ROWS)),
            Message::NoAttemptHasRecordedTime,
        ),
        x_limit: long_limit(&ends),
        error: Message::MoveThatIsNotOptimal.into(),
        solved: if data.unit.is_distance() { Label::none() } else { Message::Finished.into() },
        unsolved: if data.unit.is_distance() { Label::none() } else { Message::LeftBeforeEnd.into() },
        is_sample: has_more(&all, MOST_ROWS),
        groups,
        ..PhaseRaster::default()
    };
    let sentence = "Each row is one attempt on the clock: time spent thinking and time spent acting, classified by a hidden Markov model with two states for each participant; where one state is enough by BIC, or times are too few, a participant has no phases, and the time is shown as not known; ticks are moves that were not optimal";
    Ok(vec![Sketch::new(Kind::ThinkingAndActing, chart, sentence)])
}

/// Returns the number of participants of these attempts without phases as a part of a subtitle; empty if all have
/// some.
fn people_without_phases<'a>(input: &FigureInput, attempts: impl Iterator<Item = &'a AttemptRow>) -> String {
    let mut has_phases: BTreeMap<usize, bool> = BTreeMap::new();
    for attempt in attempts {
        let is_known = |index| input.is_thinking.get(index).copied().flatten().is_some();
        *has_phases.entry(attempt.participant).or_default() |= attempt.moves.clone().any(is_known);
    }
    match has_phases.values().filter(|has| !**has).count() {
        0 => String::new(),
        n => format!("; people without phases: {n} of {}", has_phases.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plymap_analysis::dataset::Dataset;
    use plymap_figures::Styles;
    use plymap_measures::measure::Measures;
    use plymap_measures::testing::{Line, levels};
    use plymap_statistics::stats::Confidence;

    /// The attempts in the numbers of a figure, in their order: level, participant, and the distances along it.
    fn attempts(drawn: Sketched) -> Vec<(String, String, Vec<String>)> {
        let mut attempts: Vec<(String, String, Vec<String>)> = Vec::new();
        let drawn = drawn.expect("a figure");
        for page in drawn.iter().flat_map(|sketch| sketch.draw(&Styles::default()).expect("pages")) {
            let csv = page.figure.to_csv().expect("numbers");
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
    fn of_many_attempts_some_are_drawn_and_the_example_is_among_them() {
        let group = Group { name: String::new(), members: (0..1000).collect::<Vec<u32>>() };
        let numbers = |example, seed| -> Vec<usize> {
            group.shown(MOST_LINES, example, seed).into_iter().map(|(number, _)| number).collect()
        };
        let drawn = numbers(None, 1);
        assert_eq!((drawn.len(), drawn.is_sorted()), (MOST_LINES, true));
        assert_eq!(numbers(None, 1), drawn);
        assert_ne!(numbers(None, 2), drawn);
        let other = (0..1000).find(|number| !drawn.contains(number)).unwrap();
        let with_example = numbers(Some(other), 1);
        assert!(with_example.len() == MOST_LINES && with_example.contains(&other) && with_example.is_sorted());
        assert_eq!(group.shown(1000, None, 1).len(), 1000);
        assert_eq!((note_of(&[group], 1000), note_of::<u32>(&[], 1)), (String::new(), String::new()));
    }

    #[test]
    fn the_raster_tells_of_people_without_phases() {
        let log = Line::new().attempt("p1", "A", 1, "d d d").attempt("p2", "A", 1, "d d u d").log();
        let levels = levels(&["A", "B"]);
        let measures = Measures::new(&log, &[], &levels);
        let data = Dataset::new(&log, &measures, &levels);
        let with_phases = |people: &[usize]| -> Vec<Option<bool>> {
            let mut known = vec![None; data.moves.len()];
            for attempt in data.attempts.iter().filter(|attempt| people.contains(&attempt.participant)) {
                known[attempt.moves.clone()].iter_mut().skip(1).for_each(|phase| *phase = Some(true));
            }
            known
        };
        for (people, expected) in
            [(&[0, 1][..], ""), (&[0], "; people without phases: 1 of 2"), (&[], "; people without phases: 2 of 2")]
        {
            let is_thinking = with_phases(people);
            let input = FigureInput {
                measures: &measures,
                levels: &levels,
                data: &data,
                is_thinking: &is_thinking,
                flow: Default::default(),
                tables: Vec::new(),
                confidence: Confidence::default(),
                seed: 1,
                is_pilot: false,
                groups: Vec::new(),
                first_groups: &[],
                styles: &Styles::default(),
            };
            assert_eq!(people_without_phases(&input, data.attempts.iter()), expected);
            assert_eq!(raster(&input).expect("a figure").len(), 1);
        }
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
        let input = FigureInput {
            measures: &measures,
            levels: &levels,
            data: &data,
            is_thinking: &[],
            flow: Default::default(),
            tables: Vec::new(),
            confidence: Confidence::default(),
            seed: 1,
            is_pilot: false,
            groups: Vec::new(),
            first_groups: &[],
            styles: &Styles::default(),
        };
        let attempt = |level: &str, participant: &str, distances: &[&str]| {
            (level.to_owned(), participant.to_owned(), distances.iter().map(|&distance| distance.to_owned()).collect())
        };
        let expected = [
            attempt("A", "p1", &["5", "4", "5"]),
            attempt("A", "p1", &["5", "4", "3", "2", "1", "0"]),
            attempt("B", "p2", &["5", "4", "4", "3"]),
        ];
        assert_eq!(attempts(along_attempts(&input)), expected);
        assert_eq!(attempts(over_time(&input)), expected);
    }
}
