//! Events in a row against what a model of each person expects of every move: a parametric bootstrap.
//!
//! Shuffled attempts are a poor comparison where positions that follow each other are alike: errors come in a row
//! because hard positions do. A model that gives every move its own probability of the event knows the positions. What
//! remains is how far the events after an event are more frequent than their model says, less the same after none.
//!
//! Within a person that is the difference of two mean residuals (event less probability), n₁ after an event and n₀ after
//! none. Over people it is the mean of these differences with weights n₁ n₀ / (n₁ + n₀), as least squares with an
//! intercept of each person gives: a model whose rate is off for a person, as one that was fitted to the same moves is
//! by chance, is no dependence.
//!
//! A bootstrap replicate has the positions of the person as they are recorded, and draws the event of each anew, with
//! its probability and whatever was drawn before. That other moves would have led to other positions does not matter:
//! if the model is true, residuals have mean 0 whatever the position and whatever was before. Among few moves those
//! after an event are nevertheless less often events than those after none (Miller & Sanjurjo, 2018, *Econometrica*,
//! 86, 2019–2047); so they are in the replicates.
//!
//! Efron & Tibshirani (1993). *An introduction to the bootstrap*, section 6.5. Replicates of person number `i` draw
//! from the stream `i` of a ChaCha8 generator keyed by the seed. p values are (1 + k) / (1 + n) as in
//! [`super::shuffle`].

use rayon::prelude::*;

use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;
use crate::numeric::random::{stream, uniform};
use crate::stats::resample::percentile_interval;

/// A move at which the event could happen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// True if it happened.
    pub happened: bool,
    /// The probability of it by the model of the person.
    pub probability: f64,
    /// True if the move follows the one before it in the list.
    pub follows: bool,
}

/// The moves after an event, or those after none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Following {
    /// Number of such moves.
    pub n: u64,
    /// Number of events among them.
    pub n_events: u64,
    /// Sum of the probabilities of the model.
    pub expected: f64,
    /// Mean number of such moves, and of events among them, over all orders of the moves of each stretch.
    shuffled: (f64, f64),
}

/// Shares of events after an event and after none, against the model.
#[derive(Clone, Debug, PartialEq)]
pub struct AgainstModel {
    /// The moves after none.
    pub after_none: Following,
    /// The moves after an event.
    pub after_event: Following,
    /// The difference and its bootstrap distribution, or why there is none.
    pub outcome: Result<BootstrapTest, NotEstimable>,
}

/// Test of the difference of the residuals after an event and after none, from −1 to 1, against that of the bootstrap
/// replicates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BootstrapTest {
    /// The value of the people.
    pub difference: f64,
    /// The mean of the replicates.
    pub expected: f64,
    /// Lower end of the percentile interval of the replicates at the confidence level.
    pub lower: f64,
    /// Upper end of it.
    pub upper: f64,
    /// Two-sided p value: twice the smaller of the two one-sided ones, at most 1.
    pub p_value: f64,
}

/// Weighted sum of differences, and the sum of the weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Contrast {
    sum: f64,
    weight: f64,
}

struct Person {
    after: [Following; 2],
    observed: Contrast,
    replicates: Vec<Contrast>,
}

/// Compares the moves of each person, in their order, with `n_replicates` bootstrap replicates of each: first all
/// people, then each.
///
/// Time grows with the number of moves times that of the replicates, memory with people times replicates.
pub fn against_models<M: AsRef<[Expected]> + Sync>(
    people: &[M],
    n_replicates: usize,
    seed: u64,
    confidence: Confidence,
) -> (AgainstModel, Vec<AgainstModel>) {
    let of_person = |(number, moves): (usize, &M)| {
        let (moves, mut generator) = (moves.as_ref(), stream(seed, number as u64));
        let mut replicate = |_| contrast(moves, |expected| uniform(&mut generator) < expected.probability);
        Person {
            after: following(moves),
            observed: contrast(moves, |expected| expected.happened),
            replicates: (0..n_replicates).map(&mut replicate).collect(),
        }
    };
    let summed: Vec<Person> = people.par_iter().enumerate().map(of_person).collect();
    let mut all = Person {
        after: [Following::default(); 2],
        observed: Contrast::default(),
        replicates: vec![Contrast::default(); n_replicates],
    };
    summed.iter().for_each(|person| all.add(person));
    (all.against_model(confidence), summed.iter().map(|person| person.against_model(confidence)).collect())
}

/// The difference of mean residuals, with its weight.
fn contrast(moves: &[Expected], mut happens: impl FnMut(&Expected) -> bool) -> Contrast {
    let (mut n, mut sums, mut is_after) = ([0.0; 2], [0.0; 2], false);
    for step in moves {
        let happened = happens(step);
        if step.follows {
            n[usize::from(is_after)] += 1.0;
            sums[usize::from(is_after)] += f64::from(u8::from(happened)) - step.probability;
        }
        is_after = happened;
    }
    let [n_none, n_event] = n;
    if n_none == 0.0 || n_event == 0.0 {
        return Contrast::default();
    }
    let weight = n_none * n_event / (n_none + n_event);
    Contrast { sum: weight * (sums[1] / n_event - sums[0] / n_none), weight }
}

/// Counts after none, and after an event.
fn following(moves: &[Expected]) -> [Following; 2] {
    let mut after = [Following::default(); 2];
    for stretch in moves.chunk_by(|_, next| next.follows) {
        for pair in stretch.windows(2) {
            let tally = &mut after[usize::from(pair[0].happened)];
            tally.n += 1;
            tally.n_events += u64::from(pair[1].happened);
            tally.expected += pair[1].probability;
        }
        let n = stretch.len() as f64;
        let n_events = stretch.iter().filter(|expected| expected.happened).count() as f64;
        for (place, n_before, n_others) in [(0, n - n_events, n_events), (1, n_events, n_events - 1.0)] {
            after[place].shuffled.0 += n_before * (n - 1.0) / n;
            after[place].shuffled.1 += n_before * n_others / n;
        }
    }
    after
}

impl Following {
    /// Share of events; absent where there are no such moves.
    pub fn share(&self) -> Option<f64> {
        (self.n > 0).then(|| self.n_events as f64 / self.n as f64)
    }

    /// The share that the model expects.
    pub fn expected_share(&self) -> Option<f64> {
        (self.n > 0).then(|| self.expected / self.n as f64)
    }

    /// The share if the moves of each stretch came in random order: mean number of events over mean number of moves.
    pub fn shuffled_share(&self) -> Option<f64> {
        let (n, n_events) = self.shuffled;
        (n > 0.0).then(|| n_events / n)
    }

    fn add(&mut self, other: &Self) {
        self.n += other.n;
        self.n_events += other.n_events;
        self.expected += other.expected;
        self.shuffled.0 += other.shuffled.0;
        self.shuffled.1 += other.shuffled.1;
    }
}

impl Contrast {
    fn add(&mut self, other: &Self) {
        self.sum += other.sum;
        self.weight += other.weight;
    }

    fn difference(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

impl Person {
    fn add(&mut self, other: &Self) {
        self.after.iter_mut().zip(&other.after).for_each(|(following, other)| following.add(other));
        self.observed.add(&other.observed);
        self.replicates.iter_mut().zip(&other.replicates).for_each(|(contrast, other)| contrast.add(other));
    }

    fn against_model(&self, confidence: Confidence) -> AgainstModel {
        let [after_none, after_event] = self.after;
        AgainstModel { after_none, after_event, outcome: self.test(confidence) }
    }

    fn test(&self, confidence: Confidence) -> Result<BootstrapTest, NotEstimable> {
        let (quantity, why) = ("the difference", "nobody has moves after an event and moves after none");
        let none = NotEstimable::Undefined { quantity, why: why.to_owned() };
        let difference = self.observed.difference().ok_or(none)?;
        let replicates: Vec<f64> = self.replicates.iter().filter_map(Contrast::difference).collect();
        let (lower, upper) = percentile_interval(&replicates, confidence)?;
        // The same sum in another order may differ in its last digits.
        let is_beyond = |sign: f64| replicates.iter().filter(|&&value| sign * (value - difference) >= -1e-12).count();
        let one_sided = (1 + is_beyond(1.0).min(is_beyond(-1.0))) as f64 / (1 + replicates.len()) as f64;
        Ok(BootstrapTest {
            difference,
            expected: replicates.iter().sum::<f64>() / replicates.len() as f64,
            lower,
            upper,
            p_value: (2.0 * one_sided).min(1.0),
        })
    }
}
