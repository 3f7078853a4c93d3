//! Figures of people on the map of a level: everybody's traffic, one person's trajectory, and the positions where
//! many err.

use super::input::FigureInput;
use super::kind::Kind;
use super::levels::map_input;
use super::sketch::{Sketch, Sketched, heading};
use crate::settings::StateColours;
use plymap_analysis::columns::{LEVEL, N_ERRORS, P_ADJUSTED, POSITION};
use plymap_analysis::dataset::{AttemptEnd, AttemptRow, MoveRow};
use plymap_figures::Message;
use plymap_figures::boards::{Frame, Storyboard, StripKind};
use plymap_figures::state_graph::{Step, Traffic, Trajectory, Trap, Traps, UsedMove};
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use plymap_statistics::record::N;
use plymap_statistics::stats::apa::counted;
use polars::prelude::PolarsResult;
use std::collections::{BTreeMap, HashMap};

/// The figures of people on the map of one level, whose files are named `stem`; none if it was not mapped, or nobody played it.
///
/// # Errors
///
/// If the table `traps` does not have its columns.
pub fn on_the_map(input: &FigureInput, level: &ValuedLevel, stem: &str, colours: StateColours) -> Sketched {
    let Some(played) = Played::new(input, level, stem) else { return Ok(Vec::new()) };
    let mut all = vec![played.traffic(colours)];
    if let Some(example) = played.example() {
        all.extend([played.trajectory(input, example, colours), played.strip(input, example)]);
    }
    if let Some(traps) = played.traps(input)? {
        all.push(played.trap_map(traps, colours, input.is_pilot));
    }
    Ok(all)
}

/// A level that was mapped and played.
struct Played<'a> {
    level: &'a ValuedLevel,
    stem: &'a str,
    whole: &'a WholeMap,
    /// The attempts with moves.
    attempts: Vec<(&'a AttemptRow, &'a [MoveRow])>,
    /// The node of each position of the study that belongs to this level.
    nodes: HashMap<u32, u32>,
}

impl<'a> Played<'a> {
    fn new(input: &FigureInput<'a>, level: &'a ValuedLevel, stem: &'a str) -> Option<Self> {
        let whole = level.whole.as_ref()?;
        let data = input.data;
        let number = data.levels.iter().position(|name| *name == level.id)?;
        let positions = data.positions.iter().enumerate().filter(|(_, (level_number, _))| *level_number == number);
        let node = |text: &str| level.rules.parse_state(text).ok().and_then(|state| whole.map.node(state));
        let nodes = positions.filter_map(|(index, (_, text))| Some((index as u32, node(text)?))).collect();
        let attempts: Vec<_> = data
            .attempts
            .iter()
            .filter(|attempt| attempt.level == number && !attempt.moves.is_empty())
            .map(|attempt| (attempt, data.moves_of(attempt)))
            .collect();
        (!attempts.is_empty()).then_some(Self { level, stem, whole, attempts, nodes })
    }

    fn n_people(&self) -> usize {
        let mut people: Vec<usize> = self.attempts.iter().map(|(attempt, _)| attempt.participant).collect();
        people.sort_unstable();
        people.dedup();
        people.len()
    }

    /// A move as the map has it, if it is one of its edges.
    fn on_map(&self, row: &MoveRow) -> Option<(u32, u32)> {
        let (from, to) = (*self.nodes.get(&row.before)?, *self.nodes.get(&row.after)?);
        let graph = &self.whole.map.graph;
        // The map is drawn with one line for both directions, so a move back, such as an undo, lies on a line too.
        (graph.successors(from).contains(&to) || graph.successors(to).contains(&from)).then_some((from, to))
    }

    /// Everybody's moves.
    fn traffic(&self, colours: StateColours) -> Sketch {
        let mut used: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
        let mut n_beside = 0;
        for row in self.attempts.iter().flat_map(|(_, moves)| moves.iter()) {
            match self.on_map(row) {
                Some(pair) => {
                    let (count, n_errors) = used.entry(pair).or_default();
                    *count += 1;
                    *n_errors += u64::from(row.is_error());
                }
                None => n_beside += 1,
            }
        }
        let n: u64 = used.values().map(|(count, _)| count).sum();
        let moves = used.into_iter().map(|((from, to), (count, n_errors))| UsedMove { from, to, count, n_errors });
        let beside = if n_beside > 0 { format!("; {n_beside} beside the map left out") } else { String::new() };
        let mut chart = map_input(
            self.level,
            self.whole,
            colours,
            heading(
                &format!("traffic-{}", self.stem),
                Message::MovesOfAllInLevel.named(&self.level.id),
                format!("{} of {}{beside}", counted(n, "move"), counted(self.n_people() as u64, "participant")),
                Message::LevelHasNoState,
            ),
        );
        chart.traffic = Some(Traffic { moves: moves.collect() });
        let sentence = "The moves that people made on the map of the level, the wider the more often; errors are moves that were not optimal";
        Sketch::new(Kind::Traffic, chart, sentence)
    }

    /// The solved attempt of median number of moves; the longest one if none was solved.
    fn example(&self) -> Option<(&'a AttemptRow, &'a [MoveRow])> {
        let mut solved: Vec<_> =
            self.attempts.iter().filter(|(attempt, _)| attempt.end == AttemptEnd::Finished).copied().collect();
        solved.sort_by_key(|(attempt, moves)| (moves.len(), attempt.participant, attempt.attempt));
        match solved.len() {
            0 => self.attempts.iter().copied().max_by_key(|(attempt, moves)| (moves.len(), attempt.participant)),
            n => Some(solved[(n - 1) / 2]),
        }
    }

    /// Returns participant and number of an attempt, with the session if the participant has several.
    fn named(&self, input: &FigureInput, attempt: &AttemptRow) -> String {
        let others = input.data.attempts.iter().filter(|other| other.participant == attempt.participant);
        let session = match others.map(|other| &other.session).any(|session| *session != attempt.session) {
            true => format!(", session {}", attempt.session),
            false => String::new(),
        };
        format!("participant {}{session}, attempt {}", input.data.participants[attempt.participant], attempt.attempt)
    }

    fn trajectory(
        &self,
        input: &FigureInput,
        (attempt, moves): (&AttemptRow, &[MoveRow]),
        colours: StateColours,
    ) -> Sketch {
        let mut trajectory = Trajectory::default();
        for row in moves {
            let (Some(&from), Some(&to)) = (self.nodes.get(&row.before), self.nodes.get(&row.after)) else { continue };
            if trajectory.states.last() != Some(&from) {
                if !trajectory.states.is_empty() {
                    trajectory.steps.push(Step::Jump);
                }
                trajectory.states.push(from);
            }
            let step = match self.on_map(row) {
                None => Step::Jump,
                Some(_) if row.is_error() => Step::Error,
                Some(_) => Step::Optimal,
            };
            trajectory.states.push(to);
            trajectory.steps.push(step);
        }
        let n_errors = moves.iter().filter(|row| row.is_error()).count();
        let mut chart = map_input(
            self.level,
            self.whole,
            colours,
            heading(
                &format!("trajectory-{}", self.stem),
                Message::TrajectoryThroughLevel.named(&self.level.id),
                format!(
                    "{}; {}, {n_errors} of them not optimal",
                    self.named(input, attempt),
                    counted(moves.len() as u64, "move")
                ),
                Message::LevelHasNoState,
            ),
        );
        chart.trajectory = Some(trajectory);
        let sentence = "The trajectory of one attempt on the map of the level: the solved one of median length";
        Sketch::new(Kind::Trajectory, chart, sentence)
    }

    /// The positions that people met, with the errors that they made there, from the table `traps`.
    fn traps(&self, input: &FigureInput) -> PolarsResult<Option<Traps>> {
        let Some(table) = input.table("traps") else { return Ok(None) };
        let [levels, positions] = [table.texts(LEVEL)?, table.texts(POSITION)?];
        let (n, n_errors, p) = (table.counts(N)?, table.counts(N_ERRORS)?, table.numbers(P_ADJUSTED)?);
        let states = (0..table.n_rows()).filter(|&row| levels[row] == self.level.id).filter_map(|row| {
            let state = self.level.rules.parse_state(&positions[row]).ok()?;
            Some(Trap {
                state: self.whole.map.node(state)?,
                n_visits: n[row]?,
                n_errors: n_errors[row]?,
                flagged: !input.is_pilot && p[row].is_some_and(|p| p < 0.05),
            })
        });
        let states: Vec<Trap> = states.collect();
        Ok((!states.is_empty()).then(|| Traps { states, flag: Message::Trap.with([".05"]) }))
    }

    fn trap_map(&self, traps: Traps, colours: StateColours, is_pilot: bool) -> Sketch {
        let n_traps = traps.states.iter().filter(|trap| trap.flagged).count();
        let of_them = match is_pilot {
            true => String::new(),
            false => format!("; {}", counted(n_traps as u64, "trap")),
        };
        let mut chart = map_input(
            self.level,
            self.whole,
            colours,
            heading(
                &format!("traps-{}", self.stem),
                Message::ErrorsInLevel.named(&self.level.id),
                format!("{} that several people met{of_them}", counted(traps.states.len() as u64, "position"),),
                Message::LevelHasNoState,
            ),
        );
        chart.traps = Some(traps);
        let sentence = match is_pilot {
            true => {
                "Positions by the share of moves that were not optimal there, area by how often people had to choose"
            }
            false => {
                "Positions by the share of moves that were not optimal there, area by how often people had to choose; a trap is a position where they err more often than each of them does elsewhere with as many ways to err, as in the table traps"
            }
        };
        Sketch::new(Kind::Traps, chart, sentence)
    }

    /// The boards of the same attempt, with times.
    fn strip(&self, input: &FigureInput, (attempt, moves): (&AttemptRow, &[MoveRow])) -> Sketch {
        let rules = &*self.level.rules;
        let board = |position: u32| {
            let text = &input.data.positions[position as usize].1;
            rules.parse_state(text).ok().map(|state| (state, rules.picture(state)))
        };
        let mut frames = Vec::new();
        for (index, row) in moves.iter().enumerate().take(MOST_FRAMES) {
            let Some((before, picture)) = board(row.before) else { continue };
            let distance = |value: Option<f64>| value.map(|value| value as u32);
            if index == 0 {
                let caption = "start".to_owned();
                let distance = distance(row.value_before);
                frames.push(Frame { board: picture, caption, distance, note: String::new(), is_error: false });
            }
            let Some((after, picture)) = board(row.after) else { continue };
            let notation = rules.move_between(before, after).map_or(String::new(), |played| played.notation);
            let time = row.rt_s.map_or(String::new(), |time| format!("{time:.1} s"));
            frames.push(Frame {
                board: picture,
                caption: notation,
                distance: distance(row.value_after),
                note: time,
                is_error: row.is_error(),
            });
        }
        let rest = match moves.len().saturating_sub(MOST_FRAMES) {
            0 => String::new(),
            n => format!("; {} not shown", counted(n as u64, "more move")),
        };
        let chart = Storyboard {
            heading: heading(
                &format!("attempt-{}", self.stem),
                Message::OneAttemptAtLevel.named(&self.level.id),
                format!("{}; {}{rest}", self.named(input, attempt), counted(moves.len() as u64, "move")),
                Message::AttemptHasNoMove,
            ),
            frames,
            kind: StripKind::Moves,
            note_meaning: "the time of the move".to_owned(),
        };
        let sentence = "The boards of one attempt, move by move: the move, the time that it took, and the distance that is left; moves that were not optimal stand out";
        Sketch::new(Kind::Attempt, chart, sentence)
    }
}

/// The most moves of an attempt that are drawn as boards.
const MOST_FRAMES: usize = 59;
