//! Traps: states in which people err more often than expected.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use statrs::function::beta::beta_reg;

use crate::adjust::benjamini_hochberg;
use crate::apa;
use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;
use crate::numeric::distribution::normal_cdf;
use crate::stats::interval::{Proportion, proportion};

/// Largest product of visits and errors of one state with the exact distribution of errors with chances that differ;
/// beyond it, it is approximated, as the time of the exact one grows with the product.
pub const MOST_STEPS: usize = 20_000_000;

/// A visit of a state, with the move made there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// Number of the state.
    pub state: u32,
    /// Number of the participant.
    pub participant: u32,
    /// True if the move was an error.
    pub is_error: bool,
    /// Probability of an error under the hypothesis: the share of errors among the legal moves of the state, if moves are
    /// drawn uniformly at random; or how often this participant is expected to err there.
    pub chance: f64,
}

/// A state and how often people err in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trap {
    /// Number of the state.
    pub state: u32,
    /// Errors (`successes`) of visits (`n`), with Wilson's interval.
    #[serde(flatten)]
    pub errors: Proportion,
    /// Number of participants who were there.
    pub n_participants: usize,
    /// Number of participants who erred there.
    pub n_participants_erring: usize,
    /// Mean probability of an error over the visits, under the hypothesis.
    pub chance: f64,
    /// Probability of so many errors or more under the hypothesis.
    pub p_value: Option<f64>,
    /// The p value adjusted over all states that were tested (Benjamini & Hochberg, 1995).
    pub p_adjusted: Option<f64>,
    /// Reason why the p value is absent.
    pub test_reason: Option<NotEstimable>,
}

/// The states of a level, by how often people err in them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Traps {
    /// Number of visits of all states.
    pub n_visits: usize,
    /// Number of different states.
    pub n_states: usize,
    /// Number of states with fewer visits than asked for, which are left out.
    pub n_rare: usize,
    /// The other states, in ascending order of their numbers.
    pub states: Vec<Trap>,
    /// Reason why there are none.
    pub reason: Option<NotEstimable>,
}

/// Tests for each state with at least `n_min` visits whether people err there more often than the visits' own
/// probabilities say, by the exact distribution of the number of errors: binomial where all visits
/// have one chance, otherwise Poisson-binomial.
///
/// Visits are taken as independent; one participant's visits of the same state are not, so give the
/// first visit of each, or read the number of participants beside. Probabilities that are estimated from the same
/// visits make the test a little conservative.
///
/// Wang (1993). On the number of successes in independent trials. *Statistica Sinica*, 3, 295–312.
/// Benjamini & Hochberg (1995). *Journal of the Royal Statistical Society B*, 57, 289–300. A state
/// with chances that differ takes time with the product of its visits and errors; beyond [`MOST_STEPS`] the
/// distribution is the normal one, corrected for skewness (Volkova, 1996, *Theory of Probability & Its Applications*, 40,
/// 791–794).
pub fn traps(visits: &[Visit], n_min: usize, confidence: Confidence) -> Traps {
    let mut result = Traps { n_visits: visits.len(), n_states: 0, n_rare: 0, states: Vec::new(), reason: None };
    if let Some(visit) = visits.iter().find(|visit| !(0.0..=1.0).contains(&visit.chance)) {
        let (quantity, value) = ("the chance of an error", visit.chance.to_string());
        result.reason = Some(NotEstimable::OutOfRange { quantity, value, allowed: "from 0 to 1" });
        return result;
    }
    let mut by_state = BTreeMap::<u32, Vec<&Visit>>::new();
    visits.iter().for_each(|visit| by_state.entry(visit.state).or_default().push(visit));
    result.n_states = by_state.len();
    let (frequent, rare): (Vec<_>, Vec<_>) = by_state.into_iter().partition(|(_, visits)| visits.len() >= n_min);
    result.n_rare = rare.len();
    result.states = frequent.into_iter().map(|(state, visits)| trap(state, &visits, confidence)).collect();
    let p_values: Vec<Option<f64>> = result.states.iter().map(|trap| trap.p_value).collect();
    let adjusted = benjamini_hochberg(&p_values);
    result.states.iter_mut().zip(adjusted).for_each(|(trap, p)| trap.p_adjusted = p);
    result
}

impl Trap {
    /// `.64 (16 of 25), 95 % CI [.45, .80], .20 expected, p < .001` with the adjusted p.
    pub fn sentence(&self) -> String {
        let p = self.p_adjusted.map_or(String::new(), |p| format!(", {}", apa::p_value(p)));
        format!("{}, {} expected{p}", self.errors.sentence(), apa::bounded(self.chance, 2))
    }
}

fn trap(state: u32, visits: &[&Visit], confidence: Confidence) -> Trap {
    let n_errors = visits.iter().filter(|visit| visit.is_error).count();
    let chances: Vec<f64> = visits.iter().map(|visit| visit.chance).collect();
    let p_value = at_least(n_errors, &chances);
    Trap {
        state,
        errors: proportion(n_errors as u64, visits.len() as u64, confidence),
        n_participants: n_participants(&mut visits.iter()),
        n_participants_erring: n_participants(&mut visits.iter().filter(|visit| visit.is_error)),
        chance: chances.iter().sum::<f64>() / visits.len().max(1) as f64,
        p_value: p_value.as_ref().ok().copied(),
        p_adjusted: None,
        test_reason: p_value.err(),
    }
}

fn n_participants(visits: &mut dyn Iterator<Item = &&Visit>) -> usize {
    visits.map(|visit| visit.participant).collect::<BTreeSet<u32>>().len()
}

/// Probability of `k` or more events among independent ones with these probabilities.
///
/// # Errors
///
/// [`NotEstimable::OutOfRange`] for a probability that is none.
pub fn at_least(k: usize, probabilities: &[f64]) -> Result<f64, NotEstimable> {
    let out_of_range = |quantity, value, allowed| Err(NotEstimable::OutOfRange { quantity, value, allowed });
    let n = probabilities.len();
    if let Some(p) = probabilities.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return out_of_range("a probability", p.to_string(), "from 0 to 1");
    }
    if k == 0 || k > n {
        return Ok(if k == 0 { 1.0 } else { 0.0 });
    }
    let p = probabilities[0];
    if probabilities.iter().all(|other| *other == p) {
        // The binomial tail is an incomplete beta function (Abramowitz & Stegun, 1964, 26.5.24).
        return Ok(match p {
            0.0 => 0.0,
            1.0 => 1.0,
            _ => beta_reg(k as f64, (n - k + 1) as f64, p),
        });
    }
    if n.saturating_mul(k) > MOST_STEPS {
        return Ok(skewed_normal_upper(k, probabilities));
    }
    Ok(poisson_binomial_upper(k, probabilities))
}

/// The normal approximation with a term for skewness, half a count below `k`.
fn skewed_normal_upper(k: usize, probabilities: &[f64]) -> f64 {
    let sum = |value: fn(f64) -> f64| probabilities.iter().map(|&p| value(p)).sum::<f64>();
    let sd = sum(|p| p * (1.0 - p)).sqrt();
    if sd == 0.0 {
        return f64::from(u8::from(sum(|p| p) >= k as f64));
    }
    let skewness = sum(|p| p * (1.0 - p) * (1.0 - 2.0 * p)) / sd.powi(3);
    let x = (k as f64 - 0.5 - sum(|p| p)) / sd;
    let density = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    (normal_cdf(-x) - skewness * (1.0 - x * x) * density / 6.0).clamp(0.0, 1.0)
}

/// Adds one trial after another to the distribution of the number of events. Counts of `k` and more are
/// kept together in the last place, so that a small tail is a sum of small numbers, not a difference.
fn poisson_binomial_upper(k: usize, probabilities: &[f64]) -> f64 {
    let mut distribution = vec![0.0; k + 1];
    distribution[0] = 1.0;
    for &p in probabilities {
        distribution[k] += distribution[k - 1] * p;
        for count in (1..k).rev() {
            distribution[count] = distribution[count] * (1.0 - p) + distribution[count - 1] * p;
        }
        distribution[0] *= 1.0 - p;
    }
    distribution[k].min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(state: u32, participant: u32, is_error: bool, chance: f64) -> Visit {
        Visit { state, participant, is_error, chance }
    }

    #[test]
    fn equal_chances_are_binomial_and_others_counted_out() {
        // Three fair coins: 4 of 8.
        assert!((at_least(2, &[0.5; 3]).unwrap() - 0.5).abs() < 1e-14);
        assert!((poisson_binomial_upper(2, &[0.5; 3]) - 0.5).abs() < 1e-15);
        // 1/2 · 1/4 + 1/2 · 3/4 + 1/2 · 1/4 = 5/8 for at least one of chances 1/2 and 1/4.
        assert!((at_least(1, &[0.5, 0.25]).unwrap() - 0.625).abs() < 1e-15);
        assert_eq!((at_least(0, &[]), at_least(1, &[]), at_least(2, &[1.0, 1.0])), (Ok(1.0), Ok(0.0), Ok(1.0)));
        assert_eq!(at_least(1, &[0.0, 0.0]), Ok(0.0));
        assert!(at_least(1, &[f64::NAN]).is_err() && at_least(1, &[0.5, 1.5]).is_err());
    }

    #[test]
    fn of_many_visits_and_errors_the_approximation_is_as_good_as_exact() {
        let many: Vec<f64> = (0..2_001).map(|i| 0.02 + 0.3 * (i % 7) as f64 / 7.0).collect();
        // The bound of Neammanee (2005, International Journal of Mathematics and Mathematical Sciences, 717–728).
        let bound = 0.1618 / many.iter().map(|p| p * (1.0 - p)).sum::<f64>();
        for k in [250, 280, 300, 320, 340] {
            let (exact, approximate) = (poisson_binomial_upper(k, &many), skewed_normal_upper(k, &many));
            assert!((approximate - exact).abs() < bound, "{k}: {approximate} for {exact}, within {bound:e}");
        }
        assert_eq!(skewed_normal_upper(1, &[1.0, 0.0]), 1.0);
        // Few errors of many visits are counted out, as their tail is far from normal.
        let rare: Vec<f64> = (0..5_000).map(|i| 0.0005 + 0.001 * f64::from(u8::from(i % 2 == 0))).collect();
        assert_eq!(at_least(20, &rare), Ok(poisson_binomial_upper(20, &rare)));
        let common = [vec![0.4; 10_000], vec![0.6; 10_000]].concat();
        assert_eq!(at_least(10_100, &common), Ok(skewed_normal_upper(10_100, &common)));
    }

    #[test]
    fn states_are_judged_where_enough_people_came() {
        let mut visits: Vec<Visit> = (0..10).map(|i| visit(7, i / 2, i != 3, 0.25)).collect();
        visits.extend((0..10).map(|i| visit(2, i, i == 0, 0.5)));
        visits.push(visit(9, 0, true, 0.1));
        let traps = traps(&visits, 5, Confidence::default());
        assert_eq!((traps.n_visits, traps.n_states, traps.n_rare), (21, 3, 1));
        let states: Vec<u32> = traps.states.iter().map(|trap| trap.state).collect();
        assert_eq!(states, [2, 7]);
        let trap = &traps.states[1];
        assert_eq!((trap.n_participants, trap.n_participants_erring), (5, 5));
        // 9 or 10 of 10 at a quarter: 31 / 4^10; the smaller of two p values, doubled.
        assert!((trap.p_value.unwrap() - 31.0 / 4f64.powi(10)).abs() < 1e-18);
        assert!((trap.p_adjusted.unwrap() - 62.0 / 4f64.powi(10)).abs() < 1e-18);
        assert_eq!(trap.sentence(), ".90 (9 of 10), 95 % CI [.60, .98], .25 expected, p < .001");
    }

    #[test]
    fn nobody_is_no_trap_and_a_chance_beyond_1_is_refused() {
        assert_eq!(traps(&[], 1, Confidence::default()).states, []);
        let refused = traps(&[visit(1, 1, true, 1.5)], 1, Confidence::default());
        assert_eq!(refused.reason.unwrap().to_string(), "the chance of an error is 1.5, but must be from 0 to 1");
    }
}
