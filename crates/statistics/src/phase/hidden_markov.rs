//! Hidden Markov models of times: states with log-normal times that follow each other by chance.
//!
//! The state of an attempt's first labelled move is drawn from the start probabilities, that of each
//! later one from the transition probabilities of the state before; the logarithm of a time is normal
//! in each state. Rabiner (1989). A tutorial on hidden Markov models and selected applications in
//! speech recognition. *Proceedings of the IEEE*, 77, 257–286. Zucchini, MacDonald & Langrock (2016).
//! *Hidden Markov models for time series* (2nd ed.), chapters 2 to 5. Likelihood, posterior and path
//! are those of hmmlearn's `GaussianHMM` of the logarithms of seconds; EM is that of hmmlearn without
//! its priors (`covars_prior=0`).

mod parameters;
mod recursions;

use std::ops::Range;

use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::em::{self, Components, Em, Fit, Model, Optimum, Sums, with_states};
use super::times::LogTimes;
use crate::apa;
use crate::not_estimable::NotEstimable;
use crate::phase::labels::{Labels, Mode};
pub use parameters::Parameters;
use recursions::Chain;

const QUANTITY: &str = "the hidden Markov model";

/// Attempts are taken together up to so many moves: what is computed of them stays in the cache.
const AT_ONCE: usize = 1_000;

/// A fitted hidden Markov model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HiddenMarkov {
    /// Number of times.
    pub n: usize,
    /// Number of attempts that have times.
    pub n_attempts: usize,
    /// Number of states K.
    pub n_states: usize,
    /// Number of free parameters, K² + 2K − 1.
    pub n_parameters: usize,
    /// The estimates, or why there are none.
    pub outcome: Result<Optimum<Parameters>, NotEstimable>,
}

/// Result of given parameters for attempts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decoded {
    /// Natural logarithm of the likelihood of the logarithms of all times.
    pub log_likelihood: f64,
    /// For each attempt and time, the probability of each state, given all times of the attempt.
    pub posterior: Vec<Vec<Vec<f64>>>,
    /// For each attempt, the states of its most probable path.
    pub path: Vec<Vec<usize>>,
}

/// Fits a hidden Markov model of 1 to 5 states to attempts, each a list of times in seconds.
///
/// Needs 10 times for each state. Time is proportional to the number of times, starts and iterations,
/// and to the square of the number of states. With one state it is the normal distribution of the
/// logarithms, as in [`mixture`](super::mixture::mixture).
///
/// ```
/// use plymap_statistics::phase::{em::Em, hidden_markov::hidden_markov};
///
/// // In each attempt, five moves around one second follow three around eight.
/// let time = |i: usize| if i % 8 < 3 { 8.0 } else { 1.0 } * (0.8 + 0.01 * (i * 7 % 40) as f64);
/// let attempts: Vec<Vec<f64>> = (0..5).map(|a| (0..16).map(|i| time(16 * a + i)).collect()).collect();
/// let fit = hidden_markov(&attempts, 2, &Em::new(1)).outcome?.parameters;
/// assert!(fit.start[1] > 0.999);
/// let lengths = fit.mean_lengths();
/// assert!((lengths[1].unwrap() - 3.0).abs() < 1e-6);
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
pub fn hidden_markov<A: AsRef<[f64]>>(attempts: &[A], n_states: usize, em: &Em) -> HiddenMarkov {
    let fit = LogTimes::new(attempts).and_then(|times| fit(&times, n_states, em));
    HiddenMarkov::of(attempts, n_states, fit)
}

/// Goes on with EM from given parameters, without other starts.
///
/// The result may have a state of almost no width or visits: it is what EM reaches from there.
pub fn refine<A: AsRef<[f64]>>(attempts: &[A], start: &Parameters, em: &Em) -> HiddenMarkov {
    let run = || {
        em.check()?;
        start.check()?;
        let times = LogTimes::new(attempts)?;
        em::refine(start.clone(), &times, QUANTITY, em)
    };
    HiddenMarkov::of(attempts, start.means.len(), run())
}

impl Parameters {
    /// Median time in each state, in seconds.
    pub fn medians_s(&self) -> Vec<f64> {
        self.means.iter().map(|mean| mean.exp()).collect()
    }

    /// Mean number of moves that a stay in each state lasts, 1 / (1 − P(stay)); absent for a state that
    /// is never left.
    pub fn mean_lengths(&self) -> Vec<Option<f64>> {
        self.transitions.iter().enumerate().map(expected_stay).collect()
    }

    /// Likelihood, posterior and most probable path of attempts, each a list of times in seconds.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if a time is not above 0, or the parameters are none of such a model.
    pub fn decode<A: AsRef<[f64]>>(&self, attempts: &[A]) -> Result<Decoded, NotEstimable> {
        self.check()?;
        let times = LogTimes::new(attempts)?;
        let (log_likelihood, of_states) = self.smooth(&times);
        let posterior: Vec<Vec<f64>> =
            (0..times.len()).map(|t| of_states.iter().map(|of_state| of_state[t]).collect()).collect();
        let path: Vec<usize> = self.paths(&times).into_iter().map(usize::from).collect();
        Ok(Decoded { log_likelihood, posterior: times.split(&posterior), path: times.split(&path) })
    }

    fn check(&self) -> Result<(), NotEstimable> {
        let k = self.means.len();
        em::check_normals(&self.means, &self.sds, k)?;
        em::check_distribution("the start distribution", &self.start, k)?;
        for row in &self.transitions {
            em::check_distribution("a row of the transition matrix", row, k)?;
        }
        if self.transitions.len() == k {
            return Ok(());
        }
        let (quantity, value) = ("the number of rows of the transition matrix", self.transitions.len().to_string());
        Err(NotEstimable::OutOfRange { quantity, value, allowed: "one for each state" })
    }

    /// For each state the probabilities of all moves, and the log-likelihood.
    fn smooth(&self, times: &LogTimes) -> (f64, Vec<Vec<f64>>) {
        with_states!(self.means.len(), K => {
            let mut posterior = vec![Vec::with_capacity(times.len()); K];
            let mut transitions = [[0.0; K]; K];
            let log_likelihood = self.expect::<K>(times, &mut transitions, |_, _, shares| {
                posterior.iter_mut().zip(shares).for_each(|(of_state, shares)| of_state.extend_from_slice(shares));
            });
            (log_likelihood, posterior)
        })
    }

    /// Calls `visit` with the times of some attempts, where each of these lies among them, and for each state its
    /// probabilities; adds the expected numbers of transitions, and returns the log-likelihood.
    fn expect<const K: usize>(
        &self,
        times: &LogTimes,
        transitions: &mut [[f64; K]; K],
        mut visit: impl FnMut(&[f64], &[Range<usize>], &[Vec<f64>; K]),
    ) -> f64 {
        let mut chain = Chain::<K>::new(self);
        let mut log_likelihood = 0.0;
        for (logs, attempts) in times.batches(AT_ONCE) {
            log_likelihood += chain.forward(logs, &attempts);
            visit(logs, &attempts, chain.backward(&attempts, transitions));
        }
        log_likelihood
    }

    fn step_of<const K: usize>(&self, times: &LogTimes, smallest_sd: f64) -> (f64, Self) {
        let mut transitions = [[0.0; K]; K];
        let mut sums = [Sums::default(); K];
        let mut starts = [0.0; K];
        let log_likelihood = self.expect(times, &mut transitions, |logs, attempts, shares| {
            let firsts = || attempts.iter().filter(|range| !range.is_empty()).map(|range| range.start);
            for (j, shares) in shares.iter().enumerate() {
                sums[j].add(shares, logs, self.means[j]);
                starts[j] += firsts().map(|first| shares[first]).sum::<f64>();
            }
        });
        let mut next = self.clone();
        set_shares(&mut next.start, &starts);
        for j in 0..K {
            set_shares(&mut next.transitions[j], &transitions[j]);
            (next.means[j], next.sds[j]) = sums[j].improved(self.means[j], self.sds[j], smallest_sd);
        }
        (log_likelihood, next)
    }

    /// The most probable path of each attempt, one after the other.
    fn paths(&self, times: &LogTimes) -> Vec<u8> {
        with_states!(self.means.len(), K => {
            let chain = Chain::<K>::new(self);
            times.attempts().flat_map(|logs| chain.path(logs)).collect()
        })
    }

    fn sorted(self) -> Self {
        let mut order: Vec<usize> = (0..self.means.len()).collect();
        // EM numbers states as its start happens to; in ascending order the last one is the slowest in every fit.
        order.sort_by(|&left, &right| self.means[left].total_cmp(&self.means[right]));
        let pick = |values: &[f64]| -> Vec<f64> { order.iter().map(|&j| values[j]).collect() };
        let transitions = order.iter().map(|&from| pick(&self.transitions[from])).collect();
        Self { start: pick(&self.start), transitions, means: pick(&self.means), sds: pick(&self.sds) }
    }
}

/// Expected number of times in a row in a state: geometric, by the probability to leave it.
fn expected_stay((state, row): (usize, &Vec<f64>)) -> Option<f64> {
    // Summed, as 1 less the probability of staying loses the digits of a state that is hardly ever left.
    let leave: f64 = row.iter().enumerate().filter(|(to, _)| *to != state).map(|(_, p)| p).sum();
    (leave > 0.0).then_some(1.0 / leave)
}

impl Model for Parameters {
    fn step(&self, times: &LogTimes, smallest_sd: f64) -> (f64, Self) {
        with_states!(self.means.len(), K => self.step_of::<K>(times, smallest_sd))
    }

    fn sizes(&self, times: &LogTimes) -> Vec<f64> {
        self.smooth(times).1.iter().map(|shares| shares.iter().sum()).collect()
    }

    fn sds(&self) -> &[f64] {
        &self.sds
    }

    fn values(&self) -> Vec<f64> {
        // Standard deviations as logarithms, so that no extrapolation of them is negative.
        let probabilities = self.start.iter().chain(self.transitions.iter().flatten());
        probabilities.chain(&self.means).copied().chain(self.sds.iter().map(|sd| sd.ln())).collect()
    }

    fn with_values(&self, values: &[f64], smallest_sd: f64) -> Option<Self> {
        let k = self.means.len();
        let mut rows = values.chunks(k).map(<[f64]>::to_vec);
        let start = rows.next()?;
        let transitions: Vec<Vec<f64>> = rows.by_ref().take(k).collect();
        let means = rows.next()?;
        let sds = em::sds_of_logs(&rows.next()?, smallest_sd)?;
        let are_some = em::are_probabilities(&start, &self.start)
            && transitions.iter().zip(&self.transitions).all(|(row, before)| em::are_probabilities(row, before));
        are_some.then_some(Self { start, transitions, means, sds })
    }

    /// States are kept with probability 0.6 in the start without chance, else with one from 0.2 to 0.95.
    fn from_components(components: Components, generator: Option<&mut ChaCha8Rng>) -> Self {
        let k = components.means.len();
        let stay = generator.map_or(0.6, |generator| 0.2 + 0.75 * em::uniform(generator));
        let leave = if k > 1 { (1.0 - stay) / (k - 1) as f64 } else { 0.0 };
        let stay = 1.0 - leave * (k - 1) as f64;
        let transitions = (0..k).map(|from| (0..k).map(|to| if to == from { stay } else { leave }).collect()).collect();
        Self { start: components.weights, transitions, means: components.means, sds: components.sds }
    }
}

/// Turns counts into shares; keeps the old ones where nothing was counted.
fn set_shares(shares: &mut [f64], counts: &[f64]) {
    let total: f64 = counts.iter().sum();
    if total > 1e-300 {
        shares.iter_mut().zip(counts).for_each(|(share, count)| *share = count / total);
    }
}

impl HiddenMarkov {
    fn of<A: AsRef<[f64]>>(attempts: &[A], n_states: usize, fit: Result<Fit<Parameters>, NotEstimable>) -> Self {
        let lengths = attempts.iter().map(|attempt| attempt.as_ref().len());
        Self::new(lengths.clone().sum(), lengths.filter(|&length| length > 0).count(), n_states, fit)
    }

    fn new(n: usize, n_attempts: usize, n_states: usize, fit: Result<Fit<Parameters>, NotEstimable>) -> Self {
        let n_parameters = (n_states.saturating_mul(n_states.saturating_add(2))).saturating_sub(1);
        let outcome = fit.map(|fit| fit.optimum(QUANTITY, n, n_parameters, Parameters::sorted));
        Self { n, n_attempts, n_states, n_parameters, outcome }
    }

    /// `hidden Markov model with 2 states: Mdn = 0.98 s (7.4 moves long), 5.90 s (2.1); log L = −640.21,
    /// BIC = 1,327.22, n = 800 moves of 40 attempts`, with the numbers as they are. Lengths are the mean
    /// lengths of a stay.
    pub fn sentence(&self) -> String {
        let Ok(Optimum { parameters, log_likelihood, bic, reason, .. }) = &self.outcome else {
            return apa::not_estimable("hidden Markov model", self.n, self.outcome.as_ref().err());
        };
        let mut states = Vec::new();
        for (median, length) in parameters.medians_s().into_iter().zip(parameters.mean_lengths()) {
            let unit = if states.is_empty() { " moves long" } else { "" };
            let length = length.map_or("never left".to_owned(), |length| apa::number(length, 1) + unit);
            states.push(format!("{} s ({length})", apa::number(median, 2)));
        }
        let caveat = reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        let (model, moves) = (apa::counted(self.n_states, "state"), apa::counted(self.n, "move"));
        let attempts = apa::counted(self.n_attempts, "attempt");
        let (states, log_likelihood, bic) = (states.join(", "), apa::number(*log_likelihood, 2), apa::number(*bic, 2));
        format!(
            "hidden Markov model with {model}: Mdn = {states}; log L = {log_likelihood}, BIC = {bic}, \
             n = {moves} of {attempts}{caveat}"
        )
    }
}

fn fit(times: &LogTimes, n_states: usize, em: &Em) -> Result<Fit<Parameters>, NotEstimable> {
    em::maximise(QUANTITY, times, n_states, em)
}

/// Labels by the most probable path of a model fitted here: the slowest state is thinking.
pub(super) fn labels(times: &LogTimes, n_states: usize, em: &Em) -> Result<Labels, NotEstimable> {
    em::check_separable(n_states)?;
    let n_attempts = times.attempts().filter(|attempt| !attempt.is_empty()).count();
    HiddenMarkov::new(times.len(), n_attempts, n_states, fit(times, n_states, em)).labels(times)
}

impl HiddenMarkov {
    /// Labels by the most probable path: the slowest state is thinking.
    pub(super) fn labels(&self, times: &LogTimes) -> Result<Labels, NotEstimable> {
        em::check_separable(self.n_states)?;
        let optimum = self.outcome.as_ref().map_err(Clone::clone)?;
        let slowest = self.n_states - 1;
        let mode = |state| if usize::from(state) == slowest { Mode::Thinking } else { Mode::Acting };
        let p_thinking = optimum.parameters.smooth(times).1.swap_remove(slowest);
        let modes = optimum.parameters.paths(times).into_iter().map(mode).collect();
        Ok(Labels::of_fit(modes, p_thinking, optimum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_states() -> Parameters {
        let transitions = vec![vec![0.8, 0.2], vec![0.4, 0.6]];
        Parameters { start: vec![0.7, 0.3], transitions, means: vec![0.0, 1.2], sds: vec![0.5, 0.9] }
    }

    #[test]
    fn likelihood_posterior_and_path_are_those_of_all_paths_one_by_one() {
        let parameters = two_states();
        let times: [f64; 6] = [0.8, 2.9, 4.0, 1.1, 9.0, 0.4];
        let density = |state: usize, time: f64| {
            let z = (time.ln() - parameters.means[state]) / parameters.sds[state];
            (-0.5 * z * z).exp() / parameters.sds[state] / (2.0 * std::f64::consts::PI).sqrt()
        };
        let (mut total, mut slow, mut best) = (0.0, [0.0; 6], (0.0, vec![]));
        for code in 0..64_usize {
            let path: Vec<usize> = (0..6).map(|t| code >> t & 1).collect();
            let steps: f64 = path.windows(2).map(|pair| parameters.transitions[pair[0]][pair[1]]).product();
            let emissions: f64 = path.iter().zip(times).map(|(&state, time)| density(state, time)).product();
            let p = parameters.start[path[0]] * steps * emissions;
            total += p;
            (0..6).for_each(|t| slow[t] += p * path[t] as f64);
            if p > best.0 {
                best = (p, path);
            }
        }
        let decoding = parameters.decode(&[times]).unwrap();
        assert!((decoding.log_likelihood - total.ln()).abs() < 1e-12);
        for (t, slow) in slow.into_iter().enumerate() {
            assert!((decoding.posterior[0][t][1] - slow / total).abs() < 1e-12, "move {t}");
        }
        assert_eq!(decoding.path[0], best.1);
    }

    #[test]
    fn many_attempts_are_what_each_of_them_is() {
        let parameters = two_states();
        let time = |i: usize| 0.2 + (i * 7919 % 1009) as f64 / 100.0;
        let attempts: Vec<Vec<f64>> = (0..70).map(|a| (0..a % 40).map(|i| time(40 * a + i)).collect()).collect();
        assert!(attempts.iter().map(Vec::len).sum::<usize>() > AT_ONCE);
        let decoding = parameters.decode(&attempts).unwrap();
        let mut log_likelihood = 0.0;
        for (number, attempt) in attempts.iter().enumerate() {
            let alone = parameters.decode(&[attempt]).unwrap();
            log_likelihood += alone.log_likelihood;
            for (left, right) in decoding.posterior[number].iter().flatten().zip(alone.posterior[0].iter().flatten()) {
                assert!((left - right).abs() < 1e-14, "attempt {number}");
            }
        }
        assert!((decoding.log_likelihood - log_likelihood).abs() < 1e-10);
    }

    #[test]
    fn impossible_states_and_far_away_times_keep_the_likelihood_finite() {
        let mut parameters = two_states();
        (parameters.start, parameters.transitions[0]) = (vec![1.0, 0.0], vec![1.0, 0.0]);
        parameters.sds = vec![0.01, 0.01];
        // Only the first state can be visited, though the second explains the second time.
        let times = [1.0, 1.2_f64.exp(), 1.0];
        let decoding = parameters.decode(&[times]).unwrap();
        let z = 1.2 / 0.01;
        let expected = -0.5 * z * z - 3.0 * (0.01 * (2.0 * std::f64::consts::PI).sqrt()).ln();
        assert!((decoding.log_likelihood / expected - 1.0).abs() < 1e-12, "{} {expected}", decoding.log_likelihood);
        assert_eq!((&decoding.path[0], decoding.posterior[0][1][0]), (&vec![0, 0, 0], 1.0));
        assert_eq!(parameters.mean_lengths()[0], None);
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_digit_and_empty_attempts_nothing() {
        let time = |i: usize| if i % 9 < 3 { 8.0 } else { 1.0 } * (1.0 + (i * 7 % 13) as f64 / 20.0);
        let attempts: Vec<Vec<f64>> = (0..4).map(|a| (0..20).map(|i| time(20 * a + i)).collect()).collect();
        let run = |n_threads, attempts: &[Vec<f64>]| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| hidden_markov(attempts, 2, &Em::new(7)))
        };
        let with_empty: Vec<Vec<f64>> = attempts.iter().flat_map(|attempt| [vec![], attempt.clone()]).collect();
        assert_eq!(run(1, &attempts), run(3, &attempts));
        assert_eq!(run(1, &attempts), run(1, &with_empty));
        let fit = run(1, &attempts);
        assert!(fit.sentence().starts_with("hidden Markov model with 2 states: Mdn = "), "{}", fit.sentence());
    }

    #[test]
    fn what_cannot_be_fitted_says_why() {
        let reason = |times: &[f64], k| hidden_markov(&[times], k, &Em::new(1)).outcome.unwrap_err().to_string();
        assert_eq!(reason(&[], 1), "the hidden Markov model needs at least 10 moves, found 0");
        assert_eq!(reason(&[1.0; 29], 3), "the hidden Markov model needs at least 30 moves, found 29");
        assert_eq!(reason(&[1.0; 30], 3), "all values of the times between moves are equal");
        let mut wrong = two_states();
        wrong.transitions.pop();
        assert!(wrong.decode(&[[1.0]]).unwrap_err().to_string().starts_with("the number of rows"));
        wrong.transitions.push(vec![0.4, 0.4]);
        assert!(refine(&[[1.0, 2.0]], &wrong, &Em::new(1)).outcome.unwrap_err().to_string().starts_with("a row of"));
        wrong.sds[0] = 0.0;
        assert!(wrong.decode(&[[1.0]]).unwrap_err().to_string().starts_with("a standard deviation"));
    }
}
