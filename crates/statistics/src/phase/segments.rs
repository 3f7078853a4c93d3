//! Phases: longest runs of moves of one attempt with one label, and their number, length and tempo.
//!
//! The first and the last phase of an attempt are cut off by its start and its end, so their lengths are
//! lower bounds. In attempts of few moves that is true of most phases; the mean stay of a hidden Markov
//! model ([`Parameters::mean_lengths`](super::hidden_markov::Parameters::mean_lengths)) allows for it.

use serde::Serialize;

use super::{Move, Segmentation};
use crate::apa;
use crate::not_estimable::NotEstimable;
use crate::numeric::quantile::quantile;
use crate::phase::labels::Mode;

/// One phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// Number of its attempt in the input, from 0.
    pub attempt: usize,
    /// Its number in the attempt, from 0.
    pub number: usize,
    /// Thinking or acting.
    pub mode: Mode,
    /// Place of its first move in the attempt, from 0, first moves that were left out included.
    pub first_move: usize,
    /// Number of moves, at least 1.
    pub n_moves: usize,
    /// Sum of the times of its moves in seconds.
    pub seconds: f64,
    /// Tempo: moves for each second.
    pub moves_per_second: f64,
    /// Median time of its moves in seconds.
    pub median_time_s: f64,
    /// True if the attempt ends with it.
    pub is_last: bool,
}

/// Phases of one mode. All but counts and sums are absent where there are none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModeSummary {
    /// Thinking or acting.
    pub mode: Mode,
    /// Number of phases.
    pub n_phases: usize,
    /// Number of moves in them.
    pub n_moves: usize,
    /// Sum of the times of these moves in seconds.
    pub seconds: f64,
    /// Share of all labelled moves; absent if there are no such moves.
    pub share_of_moves: Option<f64>,
    /// Share of the time of all labelled moves; absent if there are no such moves.
    pub share_of_time: Option<f64>,
    /// Mean number of moves of a phase.
    pub mean_moves: Option<f64>,
    /// Median number of moves of a phase.
    pub median_moves: Option<f64>,
    /// Mean length of a phase in seconds.
    pub mean_seconds: Option<f64>,
    /// Median length of a phase in seconds.
    pub median_seconds: Option<f64>,
    /// Tempo: moves for each second.
    pub moves_per_second: Option<f64>,
    /// Median time of a move in seconds.
    pub median_time_s: Option<f64>,
}

/// Phases of one attempt, or of all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseSummary {
    /// Number of the attempt in the input, from 0; absent for all of them together.
    pub attempt: Option<usize>,
    /// Number of attempts that have labelled moves.
    pub n_attempts: usize,
    /// Number of labelled moves.
    pub n_moves: usize,
    /// Number of phases.
    pub n_phases: usize,
    /// Phases of acting.
    pub acting: ModeSummary,
    /// Phases of thinking.
    pub thinking: ModeSummary,
    /// Reason why moves have no labels, or what was wrong with the segmentation.
    pub reason: Option<NotEstimable>,
}

/// All phases of the attempts that were segmented, in their order.
///
/// # Errors
///
/// [`NotEstimable::UnequalLengths`] if the segmentation is one of other attempts.
///
/// ```
/// use plymap_statistics::phase::{Mode, Move, PhaseMethod, Segmenter, segments::phases};
///
/// let attempt = [1.0, 1.5, 6.0, 9.0, 1.2].map(Move::later);
/// let found = Segmenter::new(PhaseMethod::Quantile { proportion: 0.5 }, 1).segment(&[attempt]);
/// let phases = phases(&[attempt], &found)?;
/// assert_eq!(phases.iter().map(|phase| phase.n_moves).collect::<Vec<_>>(), [2, 2, 1]);
/// assert_eq!((phases[1].mode, phases[1].seconds), (Mode::Thinking, 15.0));
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn phases<A: AsRef<[Move]>>(attempts: &[A], segmentation: &Segmentation) -> Result<Vec<Phase>, NotEstimable> {
    check_shape(attempts, segmentation)?;
    let mut segments = Vec::new();
    for (attempt, (moves, modes)) in attempts.iter().zip(&segmentation.modes).enumerate() {
        let moves = moves.as_ref();
        let mut first_move = 0;
        let mut number = 0;
        for run in modes.chunk_by(|left, right| left == right) {
            let end = first_move + run.len();
            if let Some(mode) = run[0] {
                let times: Vec<f64> = moves[first_move..end].iter().map(|step| step.time_s).collect();
                let seconds: f64 = times.iter().sum();
                segments.push(Phase {
                    attempt,
                    number,
                    mode,
                    first_move,
                    n_moves: run.len(),
                    seconds,
                    moves_per_second: run.len() as f64 / seconds,
                    median_time_s: quantile(&times, 0.5)?,
                    is_last: end == moves.len(),
                });
                number += 1;
            }
            first_move = end;
        }
    }
    Ok(segments)
}

/// Number, length and tempo of the phases of each attempt, one row for each, also for those without
/// labelled moves.
pub fn phases_by_attempt<A: AsRef<[Move]>>(attempts: &[A], segmentation: &Segmentation) -> Vec<PhaseSummary> {
    match phases(attempts, segmentation) {
        Err(reason) => (0..attempts.len()).map(|attempt| PhaseSummary::failed(Some(attempt), reason.clone())).collect(),
        Ok(phases) => {
            let mut rest = phases.as_slice();
            let row = |(attempt, moves): (usize, &A)| {
                let (of_attempt, others) = rest.split_at(rest.partition_point(|phase| phase.attempt <= attempt));
                rest = others;
                PhaseSummary::new(Some(attempt), of_attempt, &[moves], segmentation.reason.clone())
            };
            attempts.iter().enumerate().map(row).collect()
        }
    }
}

/// Number, length and tempo of the phases of all attempts together.
pub fn phases_of_all<A: AsRef<[Move]>>(attempts: &[A], segmentation: &Segmentation) -> PhaseSummary {
    match phases(attempts, segmentation) {
        Err(reason) => PhaseSummary::failed(None, reason),
        Ok(phases) => {
            let all: Vec<&A> = attempts.iter().collect();
            PhaseSummary::new(None, &phases, &all, segmentation.reason.clone())
        }
    }
}

impl PhaseSummary {
    /// `attempts` are those of the phases, numbered on from the attempt of the first phase.
    fn new<A: AsRef<[Move]>>(
        attempt: Option<usize>,
        phases: &[Phase],
        attempts: &[&A],
        reason: Option<NotEstimable>,
    ) -> Self {
        let offset = attempt.unwrap_or(0);
        let times_of = |phase: &Phase| {
            let moves = attempts[phase.attempt - offset].as_ref();
            moves[phase.first_move..phase.first_move + phase.n_moves].iter().map(|step| step.time_s)
        };
        let n_moves = phases.iter().map(|phase| phase.n_moves).sum();
        let seconds = phases.iter().map(|phase| phase.seconds).sum();
        let of_mode = |mode: Mode| {
            let of_mode: Vec<&Phase> = phases.iter().filter(|phase| phase.mode == mode).collect();
            let times: Vec<f64> = of_mode.iter().flat_map(|phase| times_of(phase)).collect();
            ModeSummary::new(mode, &of_mode, &times, n_moves, seconds)
        };
        Self {
            attempt,
            n_attempts: phases.chunk_by(|left, right| left.attempt == right.attempt).count(),
            n_moves,
            n_phases: phases.len(),
            acting: of_mode(Mode::Acting),
            thinking: of_mode(Mode::Thinking),
            reason,
        }
    }

    fn failed(attempt: Option<usize>, reason: NotEstimable) -> Self {
        Self::new::<Vec<Move>>(attempt, &[], &[], Some(reason))
    }

    /// `61 phases of thinking (M = 1.8 moves, 9.4 s; Mdn = 5.2 s a move) and 88 of acting (M = 7.9 moves,
    /// 8.1 s; Mdn = 0.9 s a move) in 40 attempts; thinking took 65 % of the time`, with the numbers as they
    /// are.
    pub fn sentence(&self) -> String {
        if self.n_moves == 0 {
            return apa::not_estimable("number of phases", 0, self.reason.as_ref());
        }
        let share = self
            .thinking
            .share_of_time
            .map_or(String::new(), |share| format!("; thinking took {} % of the time", apa::number(100.0 * share, 0)));
        let (thinking, acting) = (&self.thinking, &self.acting);
        format!(
            "{} of thinking{} and {} of acting{} in {}{share}",
            apa::counted(thinking.n_phases, "phase"),
            thinking.in_brackets(),
            acting.n_phases,
            acting.in_brackets(),
            apa::counted(self.n_attempts, "attempt")
        )
    }
}

impl ModeSummary {
    fn new(mode: Mode, phases: &[&Phase], times: &[f64], n_of_all: usize, seconds_of_all: f64) -> Self {
        let seconds: f64 = phases.iter().map(|phase| phase.seconds).sum();
        let (n_phases, n_moves) = (phases.len(), times.len());
        let mean = |sum: f64| (n_phases > 0).then(|| sum / n_phases as f64);
        Self {
            mode,
            n_phases,
            n_moves,
            seconds,
            share_of_moves: (n_of_all > 0).then(|| n_moves as f64 / n_of_all as f64),
            share_of_time: (n_of_all > 0).then(|| seconds / seconds_of_all),
            mean_moves: mean(n_moves as f64),
            median_moves: median(phases.iter().map(|phase| phase.n_moves as f64).collect()),
            mean_seconds: mean(seconds),
            median_seconds: median(phases.iter().map(|phase| phase.seconds).collect()),
            moves_per_second: (n_phases > 0).then(|| n_moves as f64 / seconds),
            median_time_s: median(times.to_vec()),
        }
    }

    /// ` (M = 1.8 moves, 9.4 s; Mdn = 5.2 s a move)`; empty where there is no such phase.
    fn in_brackets(&self) -> String {
        let (Some(moves), Some(seconds), Some(median)) = (self.mean_moves, self.mean_seconds, self.median_time_s)
        else {
            return String::new();
        };
        let (moves, seconds, median) = (apa::number(moves, 1), apa::number(seconds, 1), apa::number(median, 2));
        format!(" (M = {moves} moves, {seconds} s; Mdn = {median} s a move)")
    }
}

fn median(values: Vec<f64>) -> Option<f64> {
    quantile(&values, 0.5).ok()
}

/// Refuses a segmentation of other attempts.
pub(super) fn check_shape<A: AsRef<[Move]>>(attempts: &[A], segmentation: &Segmentation) -> Result<(), NotEstimable> {
    let refuse =
        |left_name, left, right_name, right| Err(NotEstimable::UnequalLengths { left_name, left, right_name, right });
    if attempts.len() != segmentation.modes.len() {
        let (left, right) = (attempts.len(), segmentation.modes.len());
        return refuse("the list of attempts", left, "the segmentation", right);
    }
    for (moves, modes) in attempts.iter().zip(&segmentation.modes) {
        if moves.as_ref().len() != modes.len() {
            return refuse("an attempt", moves.as_ref().len(), "its segmentation", modes.len());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phase::{PhaseMethod, Segmenter};

    /// Two attempts that begin with a first move; above 2 s is thinking.
    fn attempts() -> Vec<Vec<Move>> {
        let attempt = |times: &[f64]| {
            let as_move = |(index, &time_s): (usize, &f64)| Move { is_first: index == 0, ..Move::later(time_s) };
            times.iter().enumerate().map(as_move).collect()
        };
        vec![attempt(&[30.0, 1.0, 1.0, 4.0, 6.0, 2.0]), attempt(&[20.0]), attempt(&[25.0, 3.0, 1.5])]
    }

    fn segmented() -> Segmentation {
        Segmenter::new(PhaseMethod::Quantile { proportion: 0.5 }, 1).segment(&attempts())
    }

    #[test]
    fn phases_do_not_cross_attempts_and_leave_out_first_moves() {
        let phases = phases(&attempts(), &segmented()).unwrap();
        let short = |phase: &Phase| (phase.attempt, phase.number, phase.first_move, phase.n_moves, phase.is_last);
        let expected =
            [(0, 0, 1, 2, false), (0, 1, 3, 2, false), (0, 2, 5, 1, true), (2, 0, 1, 1, false), (2, 1, 2, 1, true)];
        assert_eq!(phases.iter().map(short).collect::<Vec<_>>(), expected);
        assert_eq!((phases[1].seconds, phases[1].moves_per_second, phases[1].median_time_s), (10.0, 0.2, 5.0));
    }

    #[test]
    fn attempts_add_up_to_all() {
        let (rows, all) = (phases_by_attempt(&attempts(), &segmented()), phases_of_all(&attempts(), &segmented()));
        assert_eq!((rows.len(), all.n_attempts, all.n_moves, all.n_phases), (3, 2, 7, 5));
        assert_eq!(rows.iter().map(|row| row.thinking.seconds).sum::<f64>(), all.thinking.seconds);
        assert_eq!((rows[1].n_moves, rows[1].thinking.share_of_time, rows[1].acting.mean_moves), (0, None, None));
        assert_eq!(rows[0].thinking.share_of_time, Some(10.0 / 14.0));
        // Acting: 1, 1, 2 and 1.5 s in phases of 2, 1 and 1 moves.
        assert_eq!((all.acting.mean_moves, all.acting.median_time_s), (Some(4.0 / 3.0), Some(1.25)));
        assert_eq!((all.acting.moves_per_second, all.acting.median_seconds), (Some(4.0 / 5.5), Some(2.0)));
        assert_eq!(
            all.sentence(),
            "2 phases of thinking (M = 1.5 moves, 6.5 s; Mdn = 4.00 s a move) and 3 of acting (M = 1.3 moves, \
             1.8 s; Mdn = 1.25 s a move) in 2 attempts; thinking took 70 % of the time"
        );
    }

    #[test]
    fn without_labels_there_are_no_phases_but_a_reason() {
        let failed = Segmenter::new(PhaseMethod::HiddenMarkov { n_states: 2 }, 1).segment(&attempts());
        let all = phases_of_all(&attempts(), &failed);
        assert_eq!((all.n_phases, all.n_moves, all.thinking.share_of_moves), (0, 0, None));
        assert!(all.sentence().contains("the hidden Markov model needs at least 20 moves, found 7"));
        let others = phases_by_attempt(&attempts()[..2], &segmented());
        assert!(others[1].reason.as_ref().unwrap().to_string().starts_with("the list of attempts has 2 values"));
    }
}
