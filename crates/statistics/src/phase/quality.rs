//! Quality of moves in phases of thinking and of acting, and right after a pause.
//!
//! A time stands before its move. So the first move of a phase of thinking is itself made after a pause,
//! and so is every further move of that phase. The first acting move after it is the first one that the
//! player makes without a new pause: what was thought out may be played there. Both places have a row.

use std::collections::BTreeMap;

use serde::Serialize;

use super::segments::check_shape;
use super::{Move, Segmentation};
use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;
use crate::phase::labels::Mode;
use crate::stats::interval::{Proportion, proportion_of};

/// Place of a move in the phases. A move can be in several places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// Any move of a phase of thinking.
    Thinking,
    /// The first move of a phase of thinking: made after the pause that opens the phase.
    FirstOfThinking,
    /// A later move of a phase of thinking.
    LaterOfThinking,
    /// Any move of a phase of acting.
    Acting,
    /// The first move of a phase of acting that follows one of thinking.
    FirstAfterThinking,
    /// Any other move of a phase of acting, also all of a phase of acting that opens an attempt.
    LaterOfActing,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Thinking,
        Self::FirstOfThinking,
        Self::LaterOfThinking,
        Self::Acting,
        Self::FirstAfterThinking,
        Self::LaterOfActing,
    ];

    /// The words that a sentence uses.
    pub fn words(self) -> &'static str {
        match self {
            Self::Thinking => "moves while thinking",
            Self::FirstOfThinking => "first moves of a phase of thinking",
            Self::LaterOfThinking => "later moves of a phase of thinking",
            Self::Acting => "moves while acting",
            Self::FirstAfterThinking => "first acting moves after thinking",
            Self::LaterOfActing => "other moves while acting",
        }
    }

    fn holds(self, mode: Mode, before: Option<Mode>) -> bool {
        match self {
            Self::Thinking => mode == Mode::Thinking,
            Self::FirstOfThinking => mode == Mode::Thinking && before != Some(Mode::Thinking),
            Self::LaterOfThinking => mode == Mode::Thinking && before == Some(Mode::Thinking),
            Self::Acting => mode == Mode::Acting,
            Self::FirstAfterThinking => mode == Mode::Acting && before == Some(Mode::Thinking),
            Self::LaterOfActing => mode == Mode::Acting && before != Some(Mode::Thinking),
        }
    }
}

/// Number of moves of one quality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct QualityCount {
    /// The code of the quality.
    pub quality: u8,
    /// Number of moves.
    pub n: u64,
}

/// Quality of the moves of one place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaceQuality {
    /// Place of the moves.
    pub place: Place,
    /// Number of labelled moves there.
    pub n: u64,
    /// Share of optimal moves among those of which it is known.
    pub optimal: Proportion,
    /// Number of moves of each quality, in the order of the codes.
    pub by_quality: Vec<QualityCount>,
    /// Number of moves without a code.
    pub n_without_quality: u64,
}

/// Quality of moves by their place in the phases, one row for each [`Place`].
///
/// Intervals: [`proportion_of`] with the participant of each attempt; without, as if moves were independent.
///
/// # Errors
///
/// [`NotEstimable::UnequalLengths`] if the segmentation is one of other attempts.
pub fn quality_by_place<A: AsRef<[Move]>>(
    attempts: &[A],
    participants: Option<&[usize]>,
    segmentation: &Segmentation,
    confidence: Confidence,
) -> Result<Vec<PlaceQuality>, NotEstimable> {
    check_shape(attempts, segmentation)?;
    let mut tallies: [Tally; Place::ALL.len()] = Default::default();
    for (moves, modes) in attempts.iter().zip(&segmentation.modes) {
        tallies.iter_mut().for_each(|tally| tally.optimal.push((0, 0)));
        let mut before = None;
        for (played, &mode) in moves.as_ref().iter().zip(modes) {
            if let Some(mode) = mode {
                let places = tallies.iter_mut().zip(Place::ALL).filter(|(_, place)| place.holds(mode, before));
                places.for_each(|(tally, _)| tally.add(played));
            }
            before = mode;
        }
    }
    let row = |(tally, place): (Tally, Place)| {
        let optimal = proportion_of(&tally.optimal, participants, confidence);
        tally.row(place, optimal)
    };
    Ok(tallies.into_iter().zip(Place::ALL).map(row).collect())
}

impl PlaceQuality {
    /// `moves while thinking: .72 (36 of 50) optimal, 95 % CI [.58, .83]`.
    pub fn sentence(&self) -> String {
        let share = self.optimal.sentence();
        // Counts have commas of their own.
        let share = match share.split_once("), ") {
            _ if self.optimal.estimate.is_none() => share,
            Some((share, interval)) => format!("{share}) optimal, {interval}"),
            None => format!("{share} optimal"),
        };
        format!("{}: {share}", self.place.words())
    }
}

#[derive(Default)]
struct Tally {
    n: u64,
    /// Of each attempt the optimal moves, and those of which it is known.
    optimal: Vec<(u64, u64)>,
    by_quality: BTreeMap<u8, u64>,
}

impl Tally {
    fn add(&mut self, played: &Move) {
        self.n += 1;
        if let (Some(is_optimal), Some(counts)) = (played.is_optimal, self.optimal.last_mut()) {
            counts.0 += u64::from(is_optimal);
            counts.1 += 1;
        }
        if let Some(quality) = played.quality {
            *self.by_quality.entry(quality).or_insert(0) += 1;
        }
    }

    fn row(self, place: Place, optimal: Proportion) -> PlaceQuality {
        let n_with_quality: u64 = self.by_quality.values().sum();
        PlaceQuality {
            place,
            n: self.n,
            optimal,
            by_quality: self.by_quality.into_iter().map(|(quality, n)| QualityCount { quality, n }).collect(),
            n_without_quality: self.n - n_with_quality,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phase::{PhaseMethod, Segmenter};

    fn rows(moves: &[(f64, Option<bool>, Option<u8>)]) -> Vec<PlaceQuality> {
        let as_move = |&(time_s, is_optimal, quality)| Move { is_optimal, quality, ..Move::later(time_s) };
        let attempt: Vec<Move> = moves.iter().map(as_move).collect();
        let segmentation = Segmenter::new(PhaseMethod::Quantile { proportion: 0.5 }, 1).segment(&[attempt.as_slice()]);
        quality_by_place(&[attempt], None, &segmentation, Confidence::default()).unwrap()
    }

    #[test]
    fn every_move_is_counted_where_it_stands() {
        let (good, bad) = (Some(true), Some(false));
        // acting, acting, thinking, thinking, acting, acting, thinking, acting, thinking, thinking
        let times = [1.0, 1.1, 9.0, 8.0, 1.2, 1.3, 7.0, 1.4, 6.0, 5.0];
        let optimal = [good, bad, good, bad, good, bad, None, good, good, good];
        let moves: Vec<_> =
            times.iter().zip(optimal).map(|(&time, optimal)| (time, optimal, Some(u8::from(optimal == bad)))).collect();
        let rows = rows(&moves);
        let counts: Vec<_> = rows.iter().map(|row| (row.n, row.optimal.successes, row.optimal.n)).collect();
        assert_eq!(counts, [(5, 3, 4), (3, 2, 2), (2, 1, 2), (5, 3, 5), (2, 2, 2), (3, 1, 3)]);
        assert_eq!(rows[3].by_quality, [QualityCount { quality: 0, n: 3 }, QualityCount { quality: 1, n: 2 }]);
        assert_eq!(rows[3].sentence(), "moves while acting: .60 (3 of 5) optimal, 95 % CI [.23, .88]");
        let mut many = rows[3].clone();
        many.optimal.n = 5_000;
        many.optimal.successes = 3_000;
        assert!(many.sentence().contains("(3,000 of 5,000) optimal, 95 % CI"), "{}", many.sentence());
    }

    #[test]
    fn unknown_quality_is_not_zero() {
        let rows = rows(&[(1.0, None, None), (1.1, None, Some(3)), (5.0, None, None), (6.0, None, None)]);
        assert_eq!((rows[0].optimal.estimate, rows[0].n, rows[0].n_without_quality), (None, 2, 2));
        assert_eq!((rows[3].n_without_quality, rows[3].by_quality.len()), (1, 1));
        assert!(rows[0].sentence().starts_with("moves while thinking: proportion not estimable"));
    }
}
