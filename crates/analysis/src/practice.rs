//! Change with practice, apart from the difficulty of the levels that happen to come early or late.

use std::collections::BTreeMap;

use super::dataset::Dataset;
use super::measures::{TrialMeasure, is_solved};

/// What the levels do to values by trial number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// There is one level.
    One,
    /// Their difficulty is taken off.
    Corrected,
    /// Some levels are never played at a trial number of others, not even by way of third ones, so that their
    /// difficulty cannot be told from the change with practice.
    Confounded,
}

/// A measure of solved trials by their number within the participant.
#[derive(Clone, Debug, PartialEq)]
pub struct Practice {
    /// Values by participant and trial number, from 0; where [`Levels::Corrected`], as if all levels were of average
    /// difficulty.
    pub values: BTreeMap<(usize, usize), f64>,
    /// The part of the levels.
    pub levels: Levels,
}

/// A value of a trial.
#[derive(Clone, Copy)]
struct Value {
    participant: usize,
    order: usize,
    level: usize,
    value: f64,
}

/// Limit on the passes of [`level_effects`].
const MOST_PASSES: usize = 2_000;

impl Practice {
    /// Takes the values of a measure, less the effect of their level where it can be told from that of the trial number:
    /// by least squares with both as factors; of times their logarithms.
    pub fn new(data: &Dataset, measure: TrialMeasure) -> Self {
        let is_log = measure.is_time();
        let trials = data.trials.iter().filter(|trial| is_solved(trial));
        let value =
            |value: f64| if is_log { Some(value).filter(|value| *value > 0.0).map(f64::ln) } else { Some(value) };
        let values: Vec<Value> = trials
            .filter_map(|trial| {
                let value = value(measure.of(trial)?)?;
                Some(Value { participant: trial.participant, order: trial.order?, level: trial.level, value })
            })
            .collect();
        let levels = levels(&values);
        let effects = if levels == Levels::Corrected { level_effects(&values) } else { BTreeMap::new() };
        let back = |value: f64| if is_log { value.exp() } else { value };
        let corrected = values.iter().map(|one| {
            let effect = effects.get(&one.level).copied().unwrap_or(0.0);
            ((one.participant, one.order), back(one.value - effect))
        });
        Self { values: corrected.collect(), levels }
    }
}

/// Tells whether levels and trial numbers are connected: whoever compares two levels at one trial number, or by way of
/// others, can take off their difference.
fn levels(values: &[Value]) -> Levels {
    let mut of_order: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    values.iter().for_each(|one| of_order.entry(one.order).or_default().push(one.level));
    let all: Vec<usize> = values.iter().map(|one| one.level).collect();
    let Some(&first) = all.first() else { return Levels::One };
    if all.iter().all(|&level| level == first) {
        return Levels::One;
    }
    let mut reached = vec![first];
    let mut open: Vec<Vec<usize>> = of_order.into_values().collect();
    loop {
        let (met, rest): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|levels| levels.iter().any(|level| reached.contains(level)));
        if met.is_empty() {
            return if rest.is_empty() { Levels::Corrected } else { Levels::Confounded };
        }
        reached.extend(met.into_iter().flatten());
        reached.sort_unstable();
        reached.dedup();
        open = rest;
    }
}

/// The effects of levels beside those of trial numbers, by least squares; their mean over the values is 0.
fn level_effects(values: &[Value]) -> BTreeMap<usize, f64> {
    let mut of_level: BTreeMap<usize, f64> = BTreeMap::new();
    for _ in 0..MOST_PASSES {
        let before = of_level.clone();
        let of_order = means(values, |one| one.order, |one| of_level.get(&one.level).copied().unwrap_or(0.0));
        of_level = means(values, |one| one.level, |one| of_order[&one.order]);
        let moved = of_level.iter().map(|(level, effect)| (effect - before.get(level).unwrap_or(&0.0)).abs());
        if moved.fold(0.0, f64::max) <= 1e-10 {
            break;
        }
    }
    let centre = values.iter().map(|one| of_level[&one.level]).sum::<f64>() / values.len() as f64;
    of_level.values_mut().for_each(|effect| *effect -= centre);
    of_level
}

/// Means of the values less `other`, by a key.
fn means(values: &[Value], key: fn(&Value) -> usize, other: impl Fn(&Value) -> f64) -> BTreeMap<usize, f64> {
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for one in values {
        let (sum, n) = sums.entry(key(one)).or_default();
        (*sum, *n) = (*sum + one.value - other(one), *n + 1.0);
    }
    sums.into_iter().map(|(key, (sum, n))| (key, sum / n)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{dataset, trial};

    /// Trials of (participant, level, trial number, moves).
    fn practice(trials: &[(usize, usize, usize, f64)]) -> Practice {
        let trials = trials.iter().map(|&(participant, level, order, moves)| {
            let mut trial = trial(participant, level, moves, moves);
            trial.order = Some(order);
            trial
        });
        Practice::new(&dataset(trials.collect()), TrialMeasure::NMoves)
    }

    #[test]
    fn the_difficulty_of_levels_is_taken_off() {
        // Moves are 10, 20 more at level 1, and 4 fewer at the second trial.
        let practice = practice(&[(0, 0, 0, 10.0), (0, 1, 1, 26.0), (1, 1, 0, 30.0), (1, 0, 1, 6.0)]);
        assert_eq!(practice.levels, Levels::Corrected);
        let expected = [((0, 0), 20.0), ((0, 1), 16.0), ((1, 0), 20.0), ((1, 1), 16.0)];
        for (key, value) in expected {
            assert!((practice.values[&key] - value).abs() < 1e-8, "{key:?}: {}", practice.values[&key]);
        }
    }

    #[test]
    fn one_order_for_all_is_confounded_with_difficulty() {
        let practice = practice(&[(0, 0, 0, 10.0), (0, 1, 1, 26.0), (1, 0, 0, 12.0), (1, 1, 1, 22.0)]);
        assert_eq!(practice.levels, Levels::Confounded);
        assert_eq!(practice.values[&(0, 1)], 26.0, "as it was");
    }

    #[test]
    fn one_level_needs_no_correction() {
        assert_eq!(practice(&[(0, 0, 0, 10.0), (0, 0, 1, 6.0)]).levels, Levels::One);
        assert_eq!(practice(&[]).levels, Levels::One);
    }
}
