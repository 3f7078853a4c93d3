//! Phases of thinking and of acting, read from the times between moves.
//!
//! A time stands before its move: a long time means that the player paused and then made that move.
//! Every method here labels every move as made while thinking or while acting ([`Mode`]); a phase
//! is a longest run of moves of one attempt with one label ([`segments`]).
//!
//! # Which method to report
//!
//! - **Hidden Markov model with two states** ([`hidden_markov`]): the one for the main text. It uses
//!   the order of the moves, gives each move a probability, and its parameters have a meaning:
//!   median times, how often thinking starts, how long it goes on. It assumes log-normal times in
//!   each state, that the next state depends on the present one alone (so lengths of phases are
//!   geometric), and one set of parameters for all attempts that are given to it.
//! - **Two-component mixture** ([`mixture`]): the same without the order. It assumes log-normal times
//!   that are independent of each other. Report it beside the hidden Markov model: phases that it
//!   finds cannot come from an assumption about order.
//! - **Quantile split** ([`quantile`]): assumes nothing and says least. It fixes the share of thinking
//!   beforehand, so neither that share nor a number of phases may be interpreted alone. Use it to
//!   compare with earlier work, and to show that a result about the quality of moves does not depend
//!   on a model.
//! - **Change points** ([`change_points`]): stretches of steady tempo. It assumes a constant mean of
//!   log time in each stretch and one noise for all. It suits slow changes of tempo; a pause before a
//!   single move is no stretch, so it misses most short phases of thinking.
//!
//! Whatever the method, a paper should also give the information criterion for one, two and three
//! states ([`selection`]): where one state suffices there are no phases to report
//! ([`Segmentation::without_labels`]). It should give the
//! comparison with shuffled times ([`null`]), because even independent times fall into runs, and how
//! far the methods agree ([`agreement`]).
//!
//! Fit each participant apart. Times of many people together are a mixture already because the
//! people differ, and two states would separate fast people from slow ones.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::not_estimable::NotEstimable;
use em::Em;
use hidden_markov::HiddenMarkov;
use labels::Labels;
use mixture::Mixture;
use times::LogTimes;

pub mod agreement;
pub mod change_points;
mod density;
pub mod em;
pub mod hidden_markov;
mod labels;
pub mod mixture;
pub mod null;
pub mod quality;
pub mod quantile;
pub mod segments;
pub mod selection;
mod times;

pub use labels::Mode;
pub use times::MOST_MOVES;

/// One move of an attempt as far as this module needs it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Move {
    /// Seconds since the previous move, or since the start for an attempt's first move; above 0.
    pub time_s: f64,
    /// True if it is the first move of its attempt, whose time includes reading the level. Only the
    /// move at the head of an attempt can be one.
    pub is_first: bool,
    /// Any code of the move's quality; absent where it is not known.
    pub quality: Option<u8>,
    /// True if no move was better; absent where it is not known.
    pub is_optimal: Option<bool>,
}

impl Move {
    /// A later move of which nothing but the time is known.
    pub fn later(time_s: f64) -> Self {
        Self { time_s, is_first: false, quality: None, is_optimal: None }
    }
}

/// Method that labels moves. The module's head says what each assumes and which to report.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum PhaseMethod {
    /// Times above a quantile are thinking; see [`quantile`].
    Quantile {
        /// Share of the times below the threshold, strictly between 0 and 1; 0.5 for the median.
        proportion: f64,
    },
    /// Log-normal mixture; moves that most probably belong to the slowest component are thinking;
    /// see [`mixture`].
    Mixture {
        /// Number of components, at least 2.
        n_components: usize,
    },
    /// Hidden Markov model; moves in the slowest state of the most probable path are thinking; see
    /// [`hidden_markov`].
    HiddenMarkov {
        /// Number of states, at least 2.
        n_states: usize,
    },
    /// Change points; stretches that are slower than the mean are thinking; see [`change_points`].
    ChangePoints {
        /// Price of a change point, in units of the noise variance times ln n; 2 for the Bayesian
        /// information criterion.
        penalty: f64,
        /// Smallest number of moves of a stretch.
        min_moves: usize,
    },
}

impl PhaseMethod {
    /// One of each kind, the one for the main text first.
    pub const USUAL: [Self; 4] = [
        Self::HiddenMarkov { n_states: 2 },
        Self::Mixture { n_components: 2 },
        Self::Quantile { proportion: 0.5 },
        Self::ChangePoints { penalty: 2.0, min_moves: 2 },
    ];

    /// Returns true if a move's label depends on the times alone and not on their order.
    pub fn is_order_free(self) -> bool {
        matches!(self, Self::Quantile { .. } | Self::Mixture { .. })
    }
}

impl fmt::Display for PhaseMethod {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quantile { proportion: 0.5 } => formatter.write_str("median split"),
            Self::Quantile { proportion } => write!(formatter, "split at the {proportion} quantile"),
            Self::Mixture { n_components } => write!(formatter, "mixture of {n_components} components"),
            Self::HiddenMarkov { n_states } => write!(formatter, "hidden Markov model with {n_states} states"),
            Self::ChangePoints { penalty, min_moves } => {
                write!(formatter, "change points (penalty {penalty}, at least {min_moves} moves)")
            }
        }
    }
}

/// A method with its options.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Segmenter {
    /// The method.
    pub method: PhaseMethod,
    /// True if first moves are labelled as well. Usually not: their times include reading the level.
    pub with_first_moves: bool,
    /// Options of the fit of mixtures and hidden Markov models; not used by the other methods.
    pub em: Em,
}

/// A label for every move of a participant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Segmentation {
    /// Method that labelled the moves.
    pub method: PhaseMethod,
    /// Number of labelled moves.
    pub n_moves: usize,
    /// Number of first moves that were left out.
    pub n_left_out: usize,
    /// The label of each move, in the shape of the input; absent for first moves that were left out,
    /// and for all moves where the method broke down.
    pub modes: Vec<Vec<Option<Mode>>>,
    /// Probability that the move was thought about, given all times, in the same shape; absent for
    /// methods without probabilities. For a hidden Markov model it is the posterior of the move by
    /// itself, and its label comes from the path that is most probable as a whole.
    pub p_thinking: Option<Vec<Vec<Option<f64>>>>,
    /// Number of moves labelled as thinking.
    pub n_thinking: usize,
    /// Number of thinking moves that took less time than the median acting move. In a mixture it is
    /// a warning: the slow component is so wide that it also claims the fastest moves. In the methods
    /// that use order, it can be right: a fast move between slow ones.
    pub n_fast_thinking: usize,
    /// True if the fit converged; absent for methods that do not iterate.
    pub converged: Option<bool>,
    /// Number of iterations of the fit; absent for methods that do not iterate.
    pub iterations: Option<usize>,
    /// Reason why labels are absent, or that the fit behind them did not converge.
    pub reason: Option<NotEstimable>,
}

impl Segmentation {
    /// The same moves without labels, because of what a comparison of models says: see [`selection::Selection::without_phases`].
    pub fn without_labels(mut self, reason: NotEstimable) -> Self {
        self.modes.iter_mut().flatten().for_each(|mode| *mode = None);
        Self { p_thinking: None, n_thinking: 0, n_fast_thinking: 0, reason: Some(reason), ..self }
    }
}

impl Segmenter {
    /// A method without first moves, and with the usual options of a fit.
    pub fn new(method: PhaseMethod, seed: u64) -> Self {
        Self { method, with_first_moves: false, em: Em::new(seed) }
    }

    /// Labels the moves of the attempts of one participant.
    ///
    /// Where moves are missing in the middle of an attempt, give the parts as attempts of their own:
    /// the methods take neighbours in the list as neighbours in time.
    ///
    /// ```
    /// use plymap_statistics::phase::{Mode, Move, PhaseMethod, Segmenter};
    ///
    /// let attempt = [1.0, 1.2, 6.0, 0.9, 1.1, 7.5].map(Move::later);
    /// let found = Segmenter::new(PhaseMethod::Quantile { proportion: 0.6 }, 1).segment(&[attempt]);
    /// assert_eq!(found.modes[0][2], Some(Mode::Thinking));
    /// assert_eq!((found.n_thinking, found.n_fast_thinking), (2, 0));
    /// ```
    pub fn segment<A: AsRef<[Move]>>(&self, attempts: &[A]) -> Segmentation {
        self.segment_by(attempts, |times| self.labels(times))
    }

    /// The same by a hidden Markov model that was fitted to the times of the labelled moves before.
    pub fn segment_by_hidden_markov<A: AsRef<[Move]>>(&self, attempts: &[A], model: &HiddenMarkov) -> Segmentation {
        let method = PhaseMethod::HiddenMarkov { n_states: model.n_states };
        Self { method, ..*self }.segment_by(attempts, |times| model.labels(times))
    }

    /// The same by a mixture that was fitted to the times of the labelled moves before.
    pub fn segment_by_mixture<A: AsRef<[Move]>>(&self, attempts: &[A], model: &Mixture) -> Segmentation {
        let method = PhaseMethod::Mixture { n_components: model.n_components };
        Self { method, ..*self }.segment_by(attempts, |times| model.labels(times))
    }

    fn segment_by<A: AsRef<[Move]>>(
        &self,
        attempts: &[A],
        labels: impl FnOnce(&LogTimes) -> Result<Labels, NotEstimable>,
    ) -> Segmentation {
        let kept = |attempt: &A| -> Vec<f64> { self.kept(attempt.as_ref()).map(|kept| kept.time_s).collect() };
        let times: Vec<Vec<f64>> = attempts.iter().map(kept).collect();
        let n_moves = times.iter().map(Vec::len).sum();
        let labels = check_first(attempts)
            .and_then(|()| LogTimes::new(&times))
            .and_then(|times| Ok((labels(&times)?, times)))
            .map(|(labels, times)| {
                let n_fast = n_fast_thinking(&labels.modes, times.logs());
                (labels, n_fast)
            });
        let (labels, n_fast_thinking) =
            labels.unwrap_or_else(|reason| (Labels { reason: Some(reason), ..Labels::default() }, 0));
        Segmentation {
            method: self.method,
            n_moves,
            n_left_out: attempts.iter().map(|attempt| attempt.as_ref().len()).sum::<usize>() - n_moves,
            modes: self.in_shape(attempts, &labels.modes),
            p_thinking: labels.p_thinking.map(|p| self.in_shape(attempts, &p)),
            n_thinking: labels.modes.iter().filter(|&&mode| mode == Mode::Thinking).count(),
            n_fast_thinking,
            converged: labels.converged,
            iterations: labels.iterations,
            reason: labels.reason,
        }
    }

    fn labels(&self, times: &LogTimes) -> Result<Labels, NotEstimable> {
        match self.method {
            PhaseMethod::Quantile { proportion } => quantile::labels(times, proportion),
            PhaseMethod::Mixture { n_components } => mixture::labels(times, n_components, &self.em),
            PhaseMethod::HiddenMarkov { n_states } => hidden_markov::labels(times, n_states, &self.em),
            PhaseMethod::ChangePoints { penalty, min_moves } => change_points::labels(times, penalty, min_moves),
        }
    }

    /// The moves that are to be labelled.
    fn kept<'a>(&self, attempt: &'a [Move]) -> impl Iterator<Item = &'a Move> {
        let with_first = self.with_first_moves;
        attempt.iter().filter(move |step| with_first || !step.is_first)
    }

    /// Values of the kept moves in the shape of the attempts; all absent if there are no values.
    fn in_shape<A: AsRef<[Move]>, T: Copy>(&self, attempts: &[A], values: &[T]) -> Vec<Vec<Option<T>>> {
        let mut values = values.iter().copied();
        let mut value = |step: &Move| if self.with_first_moves || !step.is_first { values.next() } else { None };
        attempts.iter().map(|attempt| attempt.as_ref().iter().map(&mut value).collect()).collect()
    }
}

fn check_first<A: AsRef<[Move]>>(attempts: &[A]) -> Result<(), NotEstimable> {
    for (number, attempt) in attempts.iter().enumerate() {
        if let Some(index) = attempt.as_ref().iter().skip(1).position(|step| step.is_first) {
            let value = format!("move {} of attempt {number} (both from 0)", index + 1);
            return Err(NotEstimable::OutOfRange {
                quantity: "a first move",
                value,
                allowed: "at the head of its attempt",
            });
        }
    }
    Ok(())
}

fn n_fast_thinking(modes: &[Mode], logs: &[f64]) -> usize {
    let logs_of = |wanted: Mode| modes.iter().zip(logs).filter(move |(mode, _)| **mode == wanted).map(|(_, log)| *log);
    let acting: Vec<f64> = logs_of(Mode::Acting).collect();
    let median = crate::numeric::quantile::quantile(&acting, 0.5);
    median.map_or(0, |median| logs_of(Mode::Thinking).filter(|&log| log < median).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(times: &[f64]) -> Vec<Move> {
        let as_move = |(index, &time_s): (usize, &f64)| Move { is_first: index == 0, ..Move::later(time_s) };
        times.iter().enumerate().map(as_move).collect()
    }

    #[test]
    fn first_moves_are_left_out_and_keep_their_place() {
        let attempts = [attempt(&[90.0, 1.0, 5.0]), attempt(&[80.0]), vec![], attempt(&[70.0, 4.0, 2.0])];
        let segmenter = Segmenter::new(PhaseMethod::Quantile { proportion: 0.5 }, 1);
        let segmentation = segmenter.segment(&attempts);
        let (acting, thinking) = (Some(Mode::Acting), Some(Mode::Thinking));
        let expected = [vec![None, acting, thinking], vec![None], vec![], vec![None, thinking, acting]];
        assert_eq!(segmentation.modes, expected);
        assert_eq!((segmentation.n_moves, segmentation.n_left_out, segmentation.n_thinking), (4, 3, 2));
        let all = Segmenter { with_first_moves: true, ..segmenter }.segment(&attempts);
        assert_eq!((all.n_moves, all.n_left_out, all.modes[0][0]), (7, 0, thinking));
    }

    #[test]
    fn what_cannot_be_labelled_says_why_and_keeps_its_shape() {
        let reason = |times: &[f64], method| {
            let attempts = [times.iter().copied().map(Move::later).collect::<Vec<_>>()];
            let segmentation = Segmenter::new(method, 1).segment(&attempts);
            assert_eq!(segmentation.modes, [vec![None; times.len()]], "no labels, one place for each move");
            segmentation.reason.unwrap().to_string()
        };
        for method in PhaseMethod::USUAL {
            assert!(reason(&[], method).contains("at least"), "{method}");
            assert!(reason(&[2.0], method).contains("at least"), "{method}");
            assert_eq!(reason(&[2.0; 50], method), "all values of the times between moves are equal", "{method}");
            for wrong in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
                let times = [&[1.0; 30][..], &[wrong], &[2.0; 30]].concat();
                let expected = format!("a time between moves is {wrong} at move 30 of attempt 0 (both from 0)");
                assert!(reason(&times, method).starts_with(&expected), "{method}: {}", reason(&times, method));
            }
        }
        let two_firsts = [attempt(&[1.0, 2.0]), vec![Move::later(1.0), Move { is_first: true, ..Move::later(2.0) }]];
        let segmentation = Segmenter::new(PhaseMethod::USUAL[2], 1).segment(&two_firsts);
        assert!(segmentation.reason.unwrap().to_string().starts_with("a first move is move 1 of attempt 1"));
    }

    #[test]
    fn every_method_finds_pauses_that_nobody_can_miss() {
        // Ten attempts of quick moves, slow moves, quick moves; no two times are equal.
        let time = |index: usize| {
            let level = if (8..14).contains(&(index % 20)) { 20.0 } else { 1.0 };
            level * (1.0 + (index * 7 % 31) as f64 / 60.0)
        };
        let attempts: Vec<Vec<Move>> =
            (0..10).map(|a| (0..20).map(|m| Move::later(time(20 * a + m))).collect()).collect();
        for method in PhaseMethod::USUAL {
            let proportion = if let PhaseMethod::Quantile { .. } = method {
                PhaseMethod::Quantile { proportion: 0.7 }
            } else {
                method
            };
            let segmentation = Segmenter::new(proportion, 1).segment(&attempts);
            assert_eq!(segmentation.reason, None, "{method}");
            for (index, mode) in segmentation.modes.iter().flatten().enumerate() {
                assert_eq!(mode.unwrap() == Mode::Thinking, (8..14).contains(&(index % 20)), "{method}, move {index}");
            }
            let probabilistic = matches!(method, PhaseMethod::Mixture { .. } | PhaseMethod::HiddenMarkov { .. });
            assert_eq!(segmentation.p_thinking.is_some(), probabilistic, "{method}");
        }
    }

    #[test]
    fn a_method_can_be_written_in_a_study() {
        for method in PhaseMethod::USUAL {
            let text = serde_json::to_string(&method).unwrap();
            assert_eq!(serde_json::from_str::<PhaseMethod>(&text).unwrap(), method, "{text}");
        }
        assert_eq!(PhaseMethod::USUAL.map(|method| method.to_string())[0], "hidden Markov model with 2 states");
    }
}
