//! Difficulties of levels and abilities of participants.

use serde::Serialize;

use super::table::{Count, Table};
use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;
use crate::numeric::distribution::normal_upper_quantile;

/// The difficulty of one level.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LevelDifficulty {
    /// The level.
    pub level: String,
    /// Number of participants who tried it.
    pub n: usize,
    /// Number of them who solved it.
    pub n_solved: usize,
    /// The ability, in logits, of someone who solves it half of the time; absent where all or none
    /// solved it.
    pub difficulty: Option<f64>,
    /// Its standard error, from the observed information.
    pub standard_error: Option<f64>,
    /// Lower end of its interval by the normal distribution.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// Information-weighted mean square Σ r² / Σ p (1 − p) of the residuals r at the estimated
    /// abilities; near 1 if the model holds, larger where responses are less predictable.
    pub infit: Option<f64>,
    /// Mean of r² / p (1 − p): as `infit`, but unweighted and so sensitive to outlying responses.
    pub outfit: Option<f64>,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

/// The ability of one participant.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ability {
    /// The participant.
    pub participant: String,
    /// Number of levels tried, with those that all or none solved.
    pub n: usize,
    /// Number of them that were solved.
    pub n_solved: usize,
    /// Expected a posteriori (EAP) estimate of the ability, in logits; shrunken towards 0.
    pub ability: Option<f64>,
    /// Standard deviation of these abilities.
    pub sd: Option<f64>,
    /// Information-weighted mean square, as for levels.
    pub infit: Option<f64>,
    /// Unweighted mean square, sensitive to outlying responses.
    pub outfit: Option<f64>,
    /// Reason why the first of the absent values is absent.
    pub reason: Option<NotEstimable>,
}

impl LevelDifficulty {
    /// All levels, those with no finite difficulty with the reason.
    pub(super) fn all(table: &Table) -> Vec<Self> {
        table.levels.iter().zip(table.of_levels()).map(|(level, count)| Self::new(level, count)).collect()
    }

    fn new(level: &str, count: Count) -> Self {
        let reason = count.is_extreme().then(|| {
            let who = if count.n_solved == 0 { "none" } else { "all" };
            let why = format!("{who} of the {} participants solved the level", count.n);
            NotEstimable::Undefined { quantity: "the difficulty", why: why.replace("all of the", "all") }
        });
        Self { level: level.to_owned(), n: count.n, n_solved: count.n_solved, reason, ..Self::default() }
    }

    pub(super) fn set(&mut self, difficulty: f64, standard_error: Option<f64>, confidence: Confidence) {
        let half = standard_error.map(|error| normal_upper_quantile(confidence.tail()) * error);
        self.difficulty = Some(difficulty);
        self.standard_error = standard_error;
        self.lower = half.map(|half| difficulty - half);
        self.upper = half.map(|half| difficulty + half);
    }
}

impl Ability {
    pub(super) fn all(table: &Table) -> Vec<Self> {
        let participant = |(participant, row): (&String, &Vec<(usize, bool)>)| {
            let Count { n, n_solved } = Table::of_participant(row);
            let participant = participant.clone();
            Self { participant, n, n_solved, ..Self::default() }
        };
        table.participants.iter().zip(&table.rows).map(participant).collect()
    }
}

/// Returns, for each of `n` places, its place among the `kept`.
pub(super) fn new_places(kept: &[usize], n: usize) -> Vec<Option<usize>> {
    let mut places = vec![None; n];
    kept.iter().enumerate().for_each(|(new, &old)| places[old] = Some(new));
    places
}

/// Difficulties as if all participants were equally able.
pub(super) fn start(counts: impl Iterator<Item = Count>) -> Vec<f64> {
    counts.map(|count| ((count.n - count.n_solved) as f64 / count.n_solved as f64).ln()).collect()
}
