//! Choices that a model would make: for tests of recovery, and for comparing its play with people's.

use plymap_statistics::not_estimable::NotEstimable;
use plymap_statistics::numeric::random::{stream, uniform};

use crate::decisions::Decisions;
use crate::design::Design;
use crate::fit::{check_model, check_values};
use crate::model::{Model, ParameterValues};

/// The probability of every legal move under a model, for each decision in turn.
///
/// # Errors
///
/// [`NotEstimable`] for a value that is missing or out of range.
pub fn probabilities(
    decisions: &Decisions,
    model: &Model,
    values: &ParameterValues,
) -> Result<Vec<Vec<f64>>, NotEstimable> {
    check_model(model)?;
    check_values(decisions, model, values)?;
    let design = Design::new(decisions, model, values);
    let all = design.log_probabilities(&design.point(values));
    Ok((0..decisions.n())
        .map(|decision| all[decisions.range(decision)].iter().map(|log| log.exp()).collect())
        .collect())
}

/// The probability of a move that is not optimal, for each decision in turn.
///
/// # Errors
///
/// As [`probabilities`].
pub fn probabilities_of_error(
    decisions: &Decisions,
    model: &Model,
    values: &ParameterValues,
) -> Result<Vec<f64>, NotEstimable> {
    let all = probabilities(decisions, model, values)?;
    let error_rate = |(decision, probabilities): (usize, Vec<f64>)| -> f64 {
        let errors = decisions.range(decision).zip(probabilities).filter(|(place, _)| !decisions.is_optimal(*place));
        errors.map(|(_, probability)| probability).sum::<f64>().min(1.0)
    };
    Ok(all.into_iter().enumerate().map(error_rate).collect())
}

/// Draws a choice for each decision, from 0. Each depends on its position alone: what was chosen before
/// is kept as it is recorded, with the move that led to the position.
///
/// Decision number `i` draws from the stream `i` of a ChaCha8 generator with this seed.
///
/// # Errors
///
/// [`NotEstimable`] for a value that is missing or out of range.
pub fn generate(
    decisions: &Decisions,
    model: &Model,
    values: &ParameterValues,
    seed: u64,
) -> Result<Vec<usize>, NotEstimable> {
    let mut generator = stream(seed, 0);
    let draw = |(decision, probabilities): (usize, Vec<f64>)| {
        generator.set_stream(decision as u64);
        generator.set_word_pos(0);
        let mut rest = uniform(&mut generator);
        let mut last = 0;
        // The last possible choice takes what rounding leaves: probabilities may add up to a little less than 1, and
        // an impossible move must never be drawn.
        for (choice, &probability) in probabilities.iter().enumerate().filter(|(_, probability)| **probability > 0.0) {
            last = choice;
            rest -= probability;
            if rest < 0.0 {
                break;
            }
        }
        last
    };
    Ok(probabilities(decisions, model, values)?.into_iter().enumerate().map(draw).collect())
}
