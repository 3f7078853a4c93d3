//! Effects that are put into simulated studies.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use plymap_players::PlayedTrial;
use plymap_puzzles::distance::{Oracle as _, OracleError};
use plymap_puzzles::game::Value;
use plymap_puzzles::valuation::ValuedLevel;

/// Effects put into a simulated study. Those on times are natural logarithms of factors; all of them but that of the
/// condition vary between people, with a standard deviation of half their size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Effects {
    /// Effect of the second condition.
    pub condition: f64,
    /// Effect of each further trial.
    pub trial: f64,
    /// Effect of each further move to the goal.
    pub distance: f64,
    /// Effect of each unit of the natural logarithm of the number of legal moves.
    pub n_legal: f64,
    /// Effect of each move made before in the attempt.
    pub ply: f64,
    /// Effect of a move that leads away from the goal.
    pub worse: f64,
    /// Factor on the rate of lapses in the second condition.
    pub condition_lapses: f64,
    /// Factor on the rate of lapses after an error.
    pub after_error_lapses: f64,
}

impl Effects {
    /// No effects: nothing is true.
    pub const NONE: Self = Self {
        condition: 0.0,
        trial: 0.0,
        distance: 0.0,
        n_legal: 0.0,
        ply: 0.0,
        worse: 0.0,
        condition_lapses: 1.0,
        after_error_lapses: 1.0,
    };

    /// The effects that docs/statistics/error-rates.md describes.
    pub const STATED: Self = Self {
        condition: 0.2,
        trial: -0.03,
        distance: 0.03,
        n_legal: 0.25,
        ply: -0.01,
        worse: 0.15,
        condition_lapses: 1.3,
        after_error_lapses: 1.4,
    };

    /// Draws the effects on one person.
    pub fn of_person(self, random: &mut ChaCha8Rng) -> Self {
        let mut varied = |effect: f64| effect * (1.0 + 0.5 * random.sample::<f64, _>(StandardNormal));
        Self {
            trial: varied(self.trial),
            distance: varied(self.distance),
            n_legal: varied(self.n_legal),
            ply: varied(self.ply),
            worse: varied(self.worse),
            ..self
        }
    }

    /// Applies the effects to the times of a trial, the `number`-th of the person, from 0.
    pub fn apply(&self, trial: &mut PlayedTrial, number: usize, level: &ValuedLevel) -> Result<(), OracleError> {
        let is_second = trial.condition.as_deref() == Some(CONDITIONS[1]);
        let of_trial = self.trial * number as f64 + if is_second { self.condition } else { 0.0 };
        for row in &mut trial.rows {
            let mut effect = of_trial;
            if let (Some(made_move), Some(ply)) = (&row.made, row.move_index) {
                let evaluation = level.oracle().evaluate_move(made_move.before, made_move.after, made_move.cost)?;
                let distance =
                    |value: Option<Value>| value.and_then(Value::as_distance).map(|distance| f64::from(distance.0));
                let before = distance(evaluation.before).unwrap_or_default();
                let is_worse = distance(evaluation.after).is_some_and(|after| after > before);
                effect +=
                    self.distance * before + self.n_legal * f64::from(row.n_legal).ln() + self.ply * f64::from(ply);
                effect += if is_worse { self.worse } else { 0.0 };
            }
            row.rt_s *= effect.exp();
        }
        Ok(())
    }
}

/// The two conditions.
pub(super) const CONDITIONS: [&str; 2] = ["one", "other"];

/// Effect of the second condition against the first, as models name it.
pub(super) const SECOND: &str = "condition = other";
