//! How a player chooses among legal moves.

use super::{ParameterError, within};
use crate::distance::Evaluation;

/// A rule of choice: how probable each legal move is in a position.
///
/// Stated as probabilities rather than as a draw, so that the same rule can play and be fitted.
pub trait Policy: Send + Sync {
    /// The probability of each move of `evaluation.moves`, in their order. They sum to 1, or there is
    /// no move.
    fn probabilities(&self, evaluation: &Evaluation) -> Vec<f64>;

    /// Whether every parameter is in its range.
    ///
    /// # Errors
    ///
    /// [`ParameterError`] of the first parameter that is not.
    fn check(&self) -> Result<(), ParameterError>;
}

/// Plays optimally but for lapses: with probability `lapse` it chooses evenly among all legal moves,
/// otherwise evenly among the optimal ones.
///
/// A lapse can hit an optimal move. With k optimal ones among n legal moves, the move is optimal with
/// probability 1 − lapse (1 − k/n). Where no move is optimal, all are equally probable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LapseOptimal {
    /// Probability of a lapse, from 0 (always optimal) to 1 (chance).
    pub lapse: f64,
}

impl Policy for LapseOptimal {
    fn probabilities(&self, evaluation: &Evaluation) -> Vec<f64> {
        let n_legal = evaluation.moves.len() as f64;
        let n_optimal = evaluation.n_optimal() as f64;
        if n_optimal == 0.0 {
            return vec![1.0 / n_legal; evaluation.moves.len()];
        }
        let by_skill = |is_optimal: bool| if is_optimal { (1.0 - self.lapse) / n_optimal } else { 0.0 };
        evaluation.moves.iter().map(|valued| self.lapse / n_legal + by_skill(valued.is_optimal())).collect()
    }

    fn check(&self) -> Result<(), ParameterError> {
        within("lapse", self.lapse, 0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::ValuedMove;
    use crate::game::{StateCode, Value};
    use crate::rules::LegalMove;

    /// A position at distance 3 whose moves lead to these distances.
    fn position(after: &[u32]) -> Evaluation {
        let legal =
            LegalMove { notation: "m".to_owned(), after: StateCode(0), next: StateCode(0), cost: 1, piece: None };
        let moves = after.iter().map(|&after| ValuedMove {
            legal: legal.clone(),
            after: Some(Value::distance(after)),
            regret: Some(f64::from(after) - 2.0),
        });
        Evaluation { state: StateCode(0), is_goal: false, value: Some(Value::distance(3)), moves: moves.collect() }
    }

    #[test]
    fn optimal_moves_share_what_lapses_leave() {
        // Two of four moves are optimal: each has 0.2 / 4 + 0.8 / 2.
        let probabilities = LapseOptimal { lapse: 0.2 }.probabilities(&position(&[2, 4, 2, 3]));
        for (found, expected) in probabilities.iter().zip([0.45, 0.05, 0.45, 0.05]) {
            assert!((found - expected).abs() < 1e-15, "{probabilities:?}");
        }
        assert_eq!(LapseOptimal { lapse: 1.0 }.probabilities(&position(&[2, 4, 3, 3])), [0.25; 4]);
        assert_eq!(LapseOptimal { lapse: 0.0 }.probabilities(&position(&[4, 4])), [0.5; 2]);
        assert!(LapseOptimal { lapse: 0.0 }.probabilities(&position(&[])).is_empty());
    }
}
