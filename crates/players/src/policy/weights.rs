//! Probabilities of moves from their weights.

/// All of `n_moves` moves are equally probable.
pub(crate) fn equal(n_moves: usize) -> Vec<f64> {
    vec![1.0 / n_moves as f64; n_moves]
}

/// One of `n_moves` moves is certain.
pub(crate) fn certain(n_moves: usize, chosen: usize) -> Vec<f64> {
    (0..n_moves).map(|index| if index == chosen { 1.0 } else { 0.0 }).collect()
}

/// The moves that are marked are equally probable; all moves, if none is marked.
pub(crate) fn uniform_over(marked: impl ExactSizeIterator<Item = bool>) -> Vec<f64> {
    normalised(marked.map(|is_marked| if is_marked { 1.0 } else { 0.0 }).collect())
}

/// Weights that are 0 or more and finite, divided by their sum; equal shares if that is 0.
pub(crate) fn normalised(mut weights: Vec<f64>) -> Vec<f64> {
    // By the largest one first, as the sum of large weights may be infinite, and that of tiny ones inexact.
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return equal(weights.len());
    }
    weights.iter_mut().for_each(|weight| *weight /= largest);
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// The softmax rule of choice (Luce, 1959): the weight of a move is exp(−`beta` × its loss). With an infinite
/// `beta` the moves of least loss are equally probable. An infinite loss has probability 0, unless all are.
pub(crate) fn softmax(losses: &[f64], beta: f64) -> Vec<f64> {
    let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
    if least.is_infinite() {
        return equal(losses.len());
    }
    if beta.is_infinite() {
        // Expected points that differ by rounding only are equal.
        let tolerance = 1e-9 * least.abs().max(1.0);
        return uniform_over(losses.iter().map(|loss| loss - least <= tolerance));
    }
    let weight = |loss: &f64| if loss.is_infinite() { 0.0 } else { (-beta * (loss - least)).exp() };
    normalised(losses.iter().map(weight).collect())
}
