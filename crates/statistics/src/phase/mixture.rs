//! Mixtures of log-normal distributions, fitted to times without regard to their order.
//!
//! The logarithm of a time is normal in each component. McLachlan & Peel (2000). *Finite mixture
//! models*, chapters 2 and 3. [`em`] says how the maximum is found. Log-likelihoods are
//! those of the logarithms of seconds, as scikit-learn's `GaussianMixture` gives them (times n) with
//! `reg_covar=0`; they can be compared with those of [`hidden_markov`](super::hidden_markov), but not
//! with those of models of the times themselves.

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::density::{Densities, Normal};
use super::em::{self, Components, Em, Fit, Model, Optimum, Sums, with_states};
use super::times::LogTimes;
use crate::apa;
use crate::not_estimable::NotEstimable;
use crate::numeric::vector::add;
use crate::phase::labels::{Labels, Mode};

const QUANTITY: &str = "the log-normal mixture";

/// Number of times taken at once: what is computed of them stays in the cache, and the product of their densities, each
/// from 1 to 5 exp(20) of the units that [`Densities`] takes, is a number.
const AT_ONCE: usize = 32;

/// Parameters of a mixture; components in ascending order of their means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// Share of the times that belong to each component; the sum is 1.
    pub weights: Vec<f64>,
    /// Mean of the natural logarithm of seconds in each component; its exponential is the median time.
    pub means: Vec<f64>,
    /// Standard deviation of the natural logarithm of seconds in each component.
    pub sds: Vec<f64>,
}

/// A fitted mixture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mixture {
    /// Number of times.
    pub n: usize,
    /// Number of components.
    pub n_components: usize,
    /// Number of free parameters, 3 `n_components` − 1.
    pub n_parameters: usize,
    /// The estimates, or why there are none.
    pub outcome: Result<Optimum<Parameters>, NotEstimable>,
}

/// Fits a mixture of 1 to 5 log-normal components to times in seconds.
///
/// Needs 10 times for each component; its time is proportional to the number of times, starts and
/// iterations; of very many times equal ones are counted first. With one component it is the normal
/// distribution of the logarithms, with the maximum likelihood standard deviation (denominator n).
///
/// ```
/// use plymap_statistics::phase::{em::Em, mixture::mixture};
///
/// // Twenty times around one second, ten around eight.
/// let times: Vec<f64> = (0..30).map(|i| if i % 3 == 0 { 8.0 } else { 1.0 } * (0.8 + 0.014 * i as f64)).collect();
/// let fit = mixture(&times, 2, &Em::new(1));
/// let medians = fit.outcome?.parameters.medians_s();
/// assert!(0.9 < medians[0] && medians[0] < 1.1 && 7.0 < medians[1] && medians[1] < 9.0);
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn mixture(times_s: &[f64], n_components: usize, em: &Em) -> Mixture {
    let fit = LogTimes::new(&[times_s]).and_then(|times| fit(&times.counting(), n_components, em));
    Mixture::new(times_s.len(), n_components, fit)
}

/// Goes on with EM from given parameters, without other starts.
///
/// The result may have a component of almost no width or weight: it is what EM reaches from there.
pub fn refine(times_s: &[f64], start: &Parameters, em: &Em) -> Mixture {
    let n_components = start.weights.len();
    let run = || {
        em.check()?;
        start.check()?;
        let times = LogTimes::new(&[times_s])?;
        em::refine(start.clone(), &times, QUANTITY, em)
    };
    Mixture::new(times_s.len(), n_components, run())
}

/// Result of given parameters for times in seconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Membership {
    /// Natural logarithm of the likelihood of the logarithms of the times.
    pub log_likelihood: f64,
    /// For each time, the probability that it came from each component.
    pub posterior: Vec<Vec<f64>>,
}

impl Parameters {
    /// Median time of each component in seconds.
    pub fn medians_s(&self) -> Vec<f64> {
        self.means.iter().map(|mean| mean.exp()).collect()
    }

    /// Computes the probabilities that each time belongs to each component, and the log-likelihood of all times.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if a time is not above 0, or the parameters are none of a mixture.
    pub fn membership(&self, times_s: &[f64]) -> Result<Membership, NotEstimable> {
        self.check()?;
        let times = LogTimes::new(&[times_s])?;
        let (log_likelihood, posterior) = self.posterior(&times);
        Ok(Membership { log_likelihood, posterior })
    }

    fn check(&self) -> Result<(), NotEstimable> {
        em::check_normals(&self.means, &self.sds, self.weights.len())?;
        em::check_distribution("the weights", &self.weights, self.weights.len())
    }

    /// Calls `visit` with times, some after the other, and for each component the probabilities that they came from it, or
    /// how many of them are expected to where they are counted; returns the log-likelihood.
    fn expect<const K: usize>(
        &self,
        logs: &[f64],
        counts: Option<&[f64]>,
        mut visit: impl FnMut(&[f64], &[Vec<f64>; K]),
    ) -> f64 {
        let normal = |j: usize| Normal::new(self.means[j], self.sds[j]).weighted(self.weights[j]);
        let mut densities = Densities::<K>::new(std::array::from_fn(normal));
        let mut inverse = Vec::with_capacity(AT_ONCE);
        let mut log_likelihood = 0.0;
        let mut counts = counts.map(|counts| counts.chunks(AT_ONCE));
        // Blocks stay in the nearest cache through all passes, and their products of so many numbers from 1 on do not
        // overflow.
        for logs in logs.chunks(AT_ONCE) {
            let units = densities.compute(logs);
            inverse.clear();
            inverse.resize(logs.len(), 0.0);
            densities.multiples.iter().for_each(|multiple| add(1.0, multiple, &mut inverse));
            // Times come in whole milliseconds and often are equal: counted ones are passed once, with their number
            // as weight.
            match counts.as_mut().and_then(Iterator::next) {
                None => {
                    log_likelihood += units;
                    // The sum of logarithms is one logarithm, of a product.
                    log_likelihood += inverse.iter().product::<f64>().ln();
                    inverse.iter_mut().for_each(|total| *total = 1.0 / *total);
                }
                Some(counts) => {
                    for (t, (total, count)) in inverse.iter_mut().zip(counts).enumerate() {
                        log_likelihood += count * (densities.unit(t) + total.ln());
                        *total = count / *total;
                    }
                }
            }
            for multiples in &mut densities.multiples {
                multiples.iter_mut().zip(&inverse).for_each(|(multiple, inverse)| *multiple *= inverse);
            }
            visit(logs, &densities.multiples);
        }
        log_likelihood
    }

    /// For each time the probabilities of its components, and the log-likelihood.
    fn posterior(&self, times: &LogTimes) -> (f64, Vec<Vec<f64>>) {
        with_states!(self.weights.len(), K => {
            let mut posterior = Vec::with_capacity(times.len());
            let log_likelihood = self.expect::<K>(times.logs(), None, |logs, shares| {
                posterior.extend((0..logs.len()).map(|t| shares.iter().map(|share| share[t]).collect::<Vec<f64>>()));
            });
            (log_likelihood, posterior)
        })
    }

    fn step_of<const K: usize>(&self, times: &LogTimes, smallest_sd: f64) -> (f64, Self) {
        let mut sums = [Sums::default(); K];
        let (logs, counts) = match times.counted() {
            Some(counted) => (&counted.logs[..], Some(&counted.counts[..])),
            None => (times.logs(), None),
        };
        let log_likelihood = self.expect::<K>(logs, counts, |logs, shares| {
            let components = sums.iter_mut().zip(&self.means).zip(shares);
            components.for_each(|((sums, &mean), shares)| sums.add(shares, logs, mean));
        });
        let mut next = self.clone();
        for (j, sums) in sums.iter().enumerate() {
            next.weights[j] = sums.weight / times.len() as f64;
            (next.means[j], next.sds[j]) = sums.improved(self.means[j], self.sds[j], smallest_sd);
        }
        (log_likelihood, next)
    }

    fn sorted(self) -> Self {
        let mut order: Vec<usize> = (0..self.means.len()).collect();
        order.sort_by(|&left, &right| self.means[left].total_cmp(&self.means[right]));
        let pick = |values: &[f64]| order.iter().map(|&j| values[j]).collect();
        Self { weights: pick(&self.weights), means: pick(&self.means), sds: pick(&self.sds) }
    }
}

impl Model for Parameters {
    fn step(&self, times: &LogTimes, smallest_sd: f64) -> (f64, Self) {
        with_states!(self.weights.len(), K => self.step_of::<K>(times, smallest_sd))
    }

    fn sizes(&self, times: &LogTimes) -> Vec<f64> {
        self.weights.iter().map(|weight| weight * times.len() as f64).collect()
    }

    fn sds(&self) -> &[f64] {
        &self.sds
    }

    fn values(&self) -> Vec<f64> {
        // Logarithms of standard deviations: an extrapolated line cannot lead below 0, and the scale of times does
        // not matter.
        let logs = self.sds.iter().map(|sd| sd.ln());
        self.weights.iter().chain(&self.means).copied().chain(logs).collect()
    }

    fn with_values(&self, values: &[f64], smallest_sd: f64) -> Option<Self> {
        let k = self.weights.len();
        let (weights, means) = (values[..k].to_vec(), values[k..2 * k].to_vec());
        let sds = em::sds_of_logs(&values[2 * k..], smallest_sd)?;
        em::are_probabilities(&weights, &self.weights).then_some(Self { weights, means, sds })
    }

    fn from_components(components: Components, _: Option<&mut ChaCha8Rng>) -> Self {
        Self { weights: components.weights, means: components.means, sds: components.sds }
    }
}

impl Mixture {
    fn new(n: usize, n_components: usize, fit: Result<Fit<Parameters>, NotEstimable>) -> Self {
        let n_parameters = (3 * n_components).saturating_sub(1);
        let outcome = fit.map(|fit| fit.optimum(QUANTITY, n, n_parameters, Parameters::sorted));
        Self { n, n_components, n_parameters, outcome }
    }

    /// `mixture of 2 log-normal components: Mdn = 0.98 s (70 %), 5.90 s (30 %); log L = −640.21, BIC =
    /// 1,314.02, n = 800`, with the numbers as they are.
    pub fn sentence(&self) -> String {
        let Ok(Optimum { parameters, log_likelihood, bic, reason, .. }) = &self.outcome else {
            return apa::not_estimable("mixture", self.n, self.outcome.as_ref().err());
        };
        let components: Vec<String> =
            parameters.medians_s().into_iter().zip(&parameters.weights).map(component).collect();
        let plural = if self.n_components == 1 { "" } else { "s" };
        let caveat = reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        format!(
            "mixture of {} log-normal component{plural}: Mdn = {}; log L = {}, BIC = {}, n = {}{caveat}",
            self.n_components,
            components.join(", "),
            apa::number(*log_likelihood, 2),
            apa::number(*bic, 2),
            apa::count(self.n)
        )
    }
}

/// `0.98 s (70 %)`.
fn component((median, weight): (f64, &f64)) -> String {
    format!("{} s ({} %)", apa::number(median, 2), apa::number(100.0 * weight, 0))
}

fn fit(times: &LogTimes, n_components: usize, em: &Em) -> Result<Fit<Parameters>, NotEstimable> {
    em::maximise(QUANTITY, times, n_components, em)
}

/// Labels by the most probable component of a mixture fitted here: the slowest one is thinking.
pub(super) fn labels(times: &LogTimes, n_components: usize, em: &Em) -> Result<Labels, NotEstimable> {
    em::check_separable(n_components)?;
    Mixture::new(times.len(), n_components, fit(times, n_components, em)).labels(times)
}

impl Mixture {
    /// Labels by the most probable component: the slowest one is thinking.
    pub(super) fn labels(&self, times: &LogTimes) -> Result<Labels, NotEstimable> {
        em::check_separable(self.n_components)?;
        let optimum = self.outcome.as_ref().map_err(Clone::clone)?;
        let slowest = self.n_components - 1;
        let (mut modes, mut p_thinking) = (Vec::with_capacity(times.len()), Vec::with_capacity(times.len()));
        for shares in optimum.parameters.posterior(times).1 {
            let is_slowest = shares[..slowest].iter().all(|&share| share < shares[slowest]);
            modes.push(if is_slowest { Mode::Thinking } else { Mode::Acting });
            p_thinking.push(shares[slowest]);
        }
        Ok(Labels::of_fit(modes, p_thinking, optimum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_times_have_the_mixture_of_all_of_them() {
        let time = |i: usize| ((i * 37 % 1_009) as f64 / 100.0 + 0.3) * if i.is_multiple_of(3) { 4.0 } else { 0.25 };
        let times: Vec<f64> = (0..12_000).map(|i| (time(i) * 1e3).round() / 1e3).collect();
        let all = LogTimes::new(&[&times]).unwrap();
        let counted = all.clone().counting();
        let n_different = counted.counted().unwrap().logs.len();
        assert!((1_000..3_000).contains(&n_different), "{n_different}");
        assert_eq!(counted.counted().unwrap().counts.iter().sum::<f64>(), 12_000.0);
        let start = Parameters { weights: vec![0.4, 0.6], means: vec![0.1, 1.9], sds: vec![0.5, 1.1] };
        let (plain, with_counts) = (start.step(&all, 0.01), start.step(&counted, 0.01));
        assert!((plain.0 / with_counts.0 - 1.0).abs() < 1e-13);
        for (left, right) in plain.1.values().into_iter().zip(with_counts.1.values()) {
            assert!((left - right).abs() < 1e-12, "{left} {right}");
        }
        // Where hardly any two are equal, nothing is counted.
        let different: Vec<f64> = (1..20_000).map(|i| f64::from(i).sqrt()).collect();
        assert!(LogTimes::new(&[&different]).unwrap().counting().counted().is_none());
    }

    /// Two groups of times that no start can mix up.
    fn apart() -> Vec<f64> {
        (0..60).map(|index| if index % 3 == 0 { 30.0 } else { 1.0 } * (1.0 + (index * 7 % 13) as f64 / 20.0)).collect()
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_digit() {
        let run = |n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| mixture(&apart(), 3, &Em::new(7)))
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn components_stand_in_the_order_of_their_means() {
        let start = Parameters { weights: vec![0.3, 0.7], means: vec![3.5, 0.2], sds: vec![0.5, 0.5] };
        let fit = refine(&apart(), &start, &Em::new(1)).outcome.unwrap().parameters;
        assert!(fit.means[0] < fit.means[1]);
        assert!((fit.weights[0] - 2.0 / 3.0).abs() < 1e-6, "{:?}", fit.weights);
    }

    #[test]
    fn no_component_shrinks_to_a_repeated_time() {
        // Half of the times are exactly 1 s: an unbounded likelihood, were it not for the floor.
        let times: Vec<f64> = (0..60).map(|i| if i < 30 { 1.0 } else { 0.5 + 0.1 * i as f64 }).collect();
        let fit = mixture(&times, 2, &Em::new(1));
        match &fit.outcome {
            Ok(optimum) => {
                assert!(optimum.parameters.sds.iter().all(|&sd| sd > 0.05), "{optimum:?}");
                assert!(optimum.log_likelihood.is_finite());
            }
            Err(reason) => assert!(reason.to_string().contains("shrank")),
        }
    }

    #[test]
    fn what_cannot_be_fitted_says_why() {
        let reason =
            |times: &[f64], n_components, em| mixture(times, n_components, &em).outcome.unwrap_err().to_string();
        let em = Em::new(1);
        assert_eq!(reason(&[1.0; 19], 2, em), "the log-normal mixture needs at least 20 moves, found 19");
        assert_eq!(reason(&[1.0; 20], 2, em), "all values of the times between moves are equal");
        assert_eq!(reason(&apart(), 0, em), "the number of states is 0, but must be 1 to 5");
        assert_eq!(reason(&apart(), 9, em), "the number of states is 9, but must be 1 to 5");
        assert!(reason(&apart(), 2, Em { n_starts: 0, ..em }).starts_with("the number of starts is 0"));
        let early = mixture(&apart(), 3, &Em { max_iterations: 2, ..em }).outcome.unwrap();
        assert!(!early.converged);
        assert!(early.reason.unwrap().to_string().ends_with("EM did not converge in 2 iterations"));
        let wrong = Parameters { weights: vec![0.5, 0.6], means: vec![0.0, 1.0], sds: vec![1.0, 1.0] };
        assert!(wrong.membership(&[1.0]).unwrap_err().to_string().starts_with("the weights is"));
    }
}
