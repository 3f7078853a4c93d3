//! Times to solve of the trials of which they are known.

use crate::context::Context;

/// Permutations of participants between conditions.
pub(crate) const N_PERMUTATIONS: usize = 1_999;

/// Fewer permutations where there are more trials: so many times a trial is looked at.
pub(crate) const MOST_VISITS: usize = 20_000_000;

/// A trial of which the condition, the time and the end are known.
pub(crate) struct Known<'a> {
    pub participant: usize,
    pub condition: &'a str,
    pub time: f64,
    pub is_solved: bool,
}

pub(crate) fn known<'a>(context: &Context<'a>) -> Vec<Known<'a>> {
    let known = context.data.trials.iter().filter_map(|trial| {
        let condition = trial.condition.as_deref()?;
        Some(Known { participant: trial.participant, condition, time: trial.time_s?, is_solved: trial.is_solved? })
    });
    known.collect()
}
