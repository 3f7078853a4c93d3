//! Maximum likelihood by expectation and maximisation (EM), from several starts.
//!
//! Dempster, Laird & Rubin (1977). Maximum likelihood from incomplete data via the EM algorithm.
//! *Journal of the Royal Statistical Society B*, 39, 1–38. The likelihood has several maxima, so EM
//! starts from several places: each start runs for a few iterations, and the best go on until they
//! converge (Biernacki, Celeux & Govaert, 2003. Choosing starting values for the EM algorithm.
//! *Computational Statistics & Data Analysis*, 41, 561–575). EM is slow where states overlap: near the
//! maximum each iteration covers a small and constant share of the way that is left. So from two
//! iterations the next points are extrapolated, and the far point is kept where it is at least as likely
//! (Varadhan & Roland, 2008. Simple and globally convergent methods for accelerating the convergence of
//! any EM algorithm. *Scandinavian Journal of Statistics*, 35, 335–353: their scheme S3).
//!
//! The likelihood of a mixture is also infinite where a component shrinks to one value. So no
//! standard deviation may fall below a share of that of all times (Hathaway, 1985. A constrained
//! formulation of maximum-likelihood estimation for normal mixture distributions. *Annals of
//! Statistics*, 13, 795–800), and a fit that ends at that bound, or with a state of fewer than a few
//! moves, is degenerate and dropped.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::times::{LogTimes, Spread};
use crate::not_estimable::{NotEstimable, check_count};
use crate::numeric::random::{below, stream};
use crate::numeric::vector::moments;

/// The largest number of components or states.
pub const MOST_STATES: usize = 5;

/// A fit needs at least this many moves for each component or state.
pub const MOVES_PER_STATE: usize = 10;

/// No standard deviation falls below this share of that of all times.
pub const SMALLEST_SHARE_OF_SD: f64 = 0.05;

/// A state to which fewer moves than this belong (as the sum of their probabilities) is degenerate.
pub const SMALLEST_STATE: f64 = 3.0;

/// Iterations of every start before the best are chosen.
const SHORT_RUN: usize = 30;

/// Number of the starts that go on until they converge.
const N_FINALISTS: usize = 4;

/// Options of the maximisation of a likelihood.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Em {
    /// Number of starts, 1 to 1,000; 10 by default. The first splits the times into groups of equal
    /// size and the second sets the slowest tenth apart, both without chance; the others are drawn.
    pub n_starts: usize,
    /// Most iterations of one run, extrapolated ones included, 1 to 100,000; 3,000 by default.
    pub max_iterations: usize,
    /// A run has converged when an iteration gains no more than this in log-likelihood for each move;
    /// 1e-9 by default.
    pub tolerance: f64,
    /// Seed of the starts.
    pub seed: u64,
}

impl Em {
    /// Ten starts, and the usual limits.
    pub fn new(seed: u64) -> Self {
        Self { n_starts: 10, max_iterations: 3_000, tolerance: 1e-9, seed }
    }

    pub(super) fn check(&self) -> Result<(), NotEstimable> {
        let refuse = |quantity, value, allowed| Err(NotEstimable::OutOfRange { quantity, value, allowed });
        if !(1..=1_000).contains(&self.n_starts) {
            return refuse("the number of starts", self.n_starts.to_string(), "1 to 1,000");
        }
        if !(1..=100_000).contains(&self.max_iterations) {
            return refuse("the number of iterations", self.max_iterations.to_string(), "1 to 100,000");
        }
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            return refuse("the tolerance", self.tolerance.to_string(), "0 or above");
        }
        Ok(())
    }
}

/// A model that EM can improve.
pub(super) trait Model: Clone + Send + Sync {
    /// The log-likelihood of these parameters, and parameters that are no less likely.
    fn step(&self, times: &LogTimes, smallest_sd: f64) -> (f64, Self);

    /// Expected number of moves in each state.
    fn sizes(&self, times: &LogTimes) -> Vec<f64>;

    /// Standard deviations of log time.
    fn sds(&self) -> &[f64];

    /// The parameters as numbers that may be extrapolated along a line: probabilities, means, logarithms of standard
    /// deviations.
    fn values(&self) -> Vec<f64>;

    /// The model with these numbers, if they are parameters of one: no probability leaves 0 to 1, and no standard
    /// deviation falls below the smallest.
    fn with_values(&self, values: &[f64], smallest_sd: f64) -> Option<Self>;

    /// A start from normal components: weights, means, standard deviations.
    fn from_components(components: Components, generator: Option<&mut ChaCha8Rng>) -> Self;
}

/// Components to start from.
pub(super) struct Components {
    pub weights: Vec<f64>,
    pub means: Vec<f64>,
    pub sds: Vec<f64>,
}

/// The end of a run of EM.
#[derive(Clone, Debug)]
pub(super) struct Run<M> {
    pub model: M,
    /// Log-likelihood of exactly this model.
    pub log_likelihood: f64,
    pub iterations: usize,
    pub converged: bool,
}

/// The best of several runs.
#[derive(Clone, Debug)]
pub(super) struct Fit<M> {
    pub run: Run<M>,
    /// Number of runs that went on until they converged or were stopped.
    pub n_finalists: usize,
    /// Number of those that ended at this maximum.
    pub n_agreeing: usize,
}

/// The maximum of a likelihood that EM found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Optimum<P> {
    /// The estimates, states in ascending order of their means.
    pub parameters: P,
    /// Natural logarithm of the likelihood of the logarithms of times.
    pub log_likelihood: f64,
    /// Bayesian information criterion, −2 log-likelihood + number of parameters · ln n; the smaller the better
    /// (Schwarz, 1978, *Annals of Statistics*, 6, 461–464).
    pub bic: f64,
    /// True if EM converged.
    pub converged: bool,
    /// Number of iterations of EM from the best start.
    pub iterations: usize,
    /// Number of starts that went on until they converged or were stopped.
    pub n_finalists: usize,
    /// Number of those that ended at this maximum. If it is 1, ask for more starts.
    pub n_agreeing: usize,
    /// Reason that EM did not converge, where it did not.
    pub reason: Option<NotEstimable>,
}

impl<P> Fit<P> {
    /// The maximum of a model of `n` times; `sorted` puts its states in order.
    pub fn optimum(self, quantity: &'static str, n: usize, n_parameters: usize, sorted: fn(P) -> P) -> Optimum<P> {
        let Run { model, log_likelihood, iterations, converged } = self.run;
        Optimum {
            parameters: sorted(model),
            log_likelihood,
            bic: n_parameters as f64 * (n as f64).ln() - 2.0 * log_likelihood,
            converged,
            iterations,
            n_finalists: self.n_finalists,
            n_agreeing: self.n_agreeing,
            reason: (!converged).then(|| not_converged(quantity, iterations)),
        }
    }
}

/// Goes on from given parameters, without other starts.
pub(super) fn refine<M: Model>(
    start: M,
    times: &LogTimes,
    quantity: &'static str,
    em: &Em,
) -> Result<Fit<M>, NotEstimable> {
    let smallest_sd = SMALLEST_SHARE_OF_SD * times.spread(quantity, 2)?.sd;
    Ok(Fit { run: climb(start, times, smallest_sd, em, Pace::Plain), n_finalists: 1, n_agreeing: 1 })
}

/// The steps of EM from point to point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// One iteration after the other.
    Plain,
    /// After two iterations, on along the line that they make, where that is as likely.
    Extrapolated,
}

/// Follows EM uphill from one start.
fn climb<M: Model>(start: M, times: &LogTimes, smallest_sd: f64, em: &Em, pace: Pace) -> Run<M> {
    // For each move, so that long logs are not fitted more exactly than short ones.
    let needed = em.tolerance * times.len() as f64;
    let (log_likelihood, mut next) = start.step(times, smallest_sd);
    let mut run = Run { model: start, log_likelihood, iterations: 0, converged: false };
    let mut longest = 1.0;
    while run.iterations < em.max_iterations {
        let (log_likelihood, after) = next.step(times, smallest_sd);
        run.iterations += 1;
        run.converged = log_likelihood - run.log_likelihood <= needed;
        let is_fast = pace == Pace::Extrapolated;
        let far = is_fast.then(|| extrapolated(&[&run.model, &next, &after], &mut longest, smallest_sd)).flatten();
        (run.model, run.log_likelihood) = (next, log_likelihood);
        if run.converged {
            break;
        }
        next = after;
        let Some(far) = far.filter(|_| run.iterations < em.max_iterations) else { continue };
        let (log_likelihood, after) = far.step(times, smallest_sd);
        run.iterations += 1;
        // Never downhill: EM itself never lowers the likelihood, and an extrapolation that does is given up, so that
        // the proof of convergence still holds.
        if log_likelihood >= run.log_likelihood {
            (run.model, run.log_likelihood, next) = (far, log_likelihood, after);
        } else {
            longest = (longest / 4.0_f64).max(1.0);
        }
    }
    run
}

/// The point to which three points of EM lead, if it lies beyond the last of them. `longest` bounds the length of the
/// step, and grows when it is reached.
fn extrapolated<M: Model>(points: &[&M; 3], longest: &mut f64, smallest_sd: f64) -> Option<M> {
    let [first, second, third] = points.map(Model::values);
    let step: Vec<f64> = first.iter().zip(&second).map(|(before, after)| after - before).collect();
    let change: Vec<f64> = (0..step.len()).map(|at| third[at] - second[at] - step[at]).collect();
    // The step length of scheme S3: a ratio of lengths cannot change its sign, as those of S1 and S2 can.
    let ratio = norm(&step) / norm(&change);
    if !ratio.is_finite() {
        return None;
    }
    let mut length = ratio.min(*longest);
    if ratio >= *longest {
        *longest *= 4.0;
    }
    while length > 1.01 {
        let values: Vec<f64> =
            (0..first.len()).map(|at| first[at] + 2.0 * length * step[at] + length * length * change[at]).collect();
        if let Some(model) = points[0].with_values(&values, smallest_sd) {
            return Some(model);
        }
        // Towards 1, at which the point is that of EM itself and so always allowed.
        length = (length + 1.0) / 2.0;
    }
    None
}

/// Euclidean length.
fn norm(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// Returns true if extrapolated values are probabilities, and those that were above 0 still are.
pub(super) fn are_probabilities(values: &[f64], before: &[f64]) -> bool {
    values.iter().zip(before).all(|(&value, &before)| value <= 1.0 && (value > 0.0 || before == 0.0 && value == 0.0))
}

/// Standard deviations of which these are the logarithms, if none is below the smallest.
pub(super) fn sds_of_logs(logs: &[f64], smallest_sd: f64) -> Option<Vec<f64>> {
    let sds: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
    sds.iter().all(|&sd| sd >= smallest_sd && sd.is_finite()).then_some(sds)
}

/// The most likely of several runs that is not degenerate.
pub(super) fn maximise<M: Model>(
    quantity: &'static str,
    times: &LogTimes,
    n_states: usize,
    em: &Em,
) -> Result<Fit<M>, NotEstimable> {
    em.check()?;
    check_states(n_states)?;
    let spread = times.spread(quantity, MOVES_PER_STATE * n_states)?;
    let smallest_sd = SMALLEST_SHARE_OF_SD * spread.sd;
    let mut sorted = times.logs().to_vec();
    sorted.sort_by(f64::total_cmp);
    let short = Em { max_iterations: SHORT_RUN.min(em.max_iterations), ..*em };
    let begin = |number: u64| {
        let start = start::<M>(&sorted, spread, smallest_sd, n_states, em.seed, number);
        climb(start, times, smallest_sd, &short, Pace::Plain)
    };
    // One component has one maximum, whatever the start.
    let n_starts = if n_states == 1 { 1 } else { em.n_starts as u64 };
    let runs: Vec<Run<M>> = (0..n_starts).into_par_iter().map(begin).collect();
    let mut runs: Vec<Run<M>> = runs.into_iter().filter(|run| is_sound(&run.model, times, smallest_sd)).collect();
    runs.sort_by(|left, right| right.log_likelihood.total_cmp(&left.log_likelihood));
    // Several, not the best alone: after a short run the order of the starts is not yet that of their maxima.
    runs.truncate(N_FINALISTS);
    let finalists: Vec<Run<M>> = runs.into_par_iter().map(|run| go_on(run, times, smallest_sd, em)).collect();
    let sound: Vec<Run<M>> = finalists.into_iter().filter(|run| is_sound(&run.model, times, smallest_sd)).collect();
    best(quantity, sound, times.len())
}

/// Takes a short run to its end.
fn go_on<M: Model>(run: Run<M>, times: &LogTimes, smallest_sd: f64, em: &Em) -> Run<M> {
    if run.converged || run.iterations >= em.max_iterations {
        return run;
    }
    let rest = Em { max_iterations: em.max_iterations - run.iterations, ..*em };
    let end = climb(run.model, times, smallest_sd, &rest, Pace::Extrapolated);
    Run { iterations: run.iterations + end.iterations, ..end }
}

fn best<M>(quantity: &'static str, runs: Vec<Run<M>>, n: usize) -> Result<Fit<M>, NotEstimable> {
    let n_finalists = runs.len();
    let highest = runs.iter().map(|run| run.log_likelihood).fold(f64::NEG_INFINITY, f64::max);
    // Runs at one maximum stop at slightly different heights; 1e-5 for each move is far below what
    // any criterion could distinguish.
    let n_agreeing = runs.iter().filter(|run| highest - run.log_likelihood <= 1e-5 * n as f64).count();
    let run = runs.into_iter().find(|run| run.log_likelihood == highest).ok_or_else(|| {
        let why =
            "from every start, a state shrank to fewer than 3 moves or to almost one time (is a time an outlier?)"
                .to_owned();
        NotEstimable::Undefined { quantity, why }
    })?;
    Ok(Fit { run, n_finalists, n_agreeing })
}

/// Returns true if no state has shrunk.
fn is_sound<M: Model>(model: &M, times: &LogTimes, smallest_sd: f64) -> bool {
    // A little above the bound: one that is held there may be off by rounding.
    let wide = model.sds().iter().all(|&sd| sd > smallest_sd * 1.000_001);
    wide && model.sizes(times).iter().all(|&size| size >= SMALLEST_STATE)
}

pub(super) fn check_states(n_states: usize) -> Result<(), NotEstimable> {
    if (1..=MOST_STATES).contains(&n_states) {
        return Ok(());
    }
    Err(NotEstimable::OutOfRange { quantity: "the number of states", value: n_states.to_string(), allowed: "1 to 5" })
}

/// Segmentation needs a slow state and another one.
pub(super) fn check_separable(n_states: usize) -> Result<(), NotEstimable> {
    check_states(n_states)?;
    check_count("a segmentation", "states", n_states, 2)
}

/// Reason of a fit that stopped too early.
pub(super) fn not_converged(quantity: &'static str, iterations: usize) -> NotEstimable {
    NotEstimable::Undefined { quantity, why: format!("EM did not converge in {iterations} iterations") }
}

/// The start with this number: groups of equal size, or the slowest tenth of the times and groups of equal size before
/// it, or groups cut at random, or random centres.
fn start<M: Model>(sorted: &[f64], spread: Spread, smallest_sd: f64, k: usize, seed: u64, number: u64) -> M {
    let n = sorted.len();
    let cuts: Option<Vec<usize>> = match number {
        0 => Some((1..k).map(|cut| cut * n / k).collect()),
        1 => Some((1..k).map(|cut| cut * (n - n / 10) / (k - 1)).collect()),
        _ => None,
    };
    if let Some(cuts) = cuts {
        return M::from_components(grouped(sorted, &cuts, smallest_sd), None);
    }
    let mut generator = stream(seed, number);
    let components = if number % 2 == 1 {
        let mut cuts: Vec<usize> = (1..k).map(|_| 1 + below(&mut generator, sorted.len() - 1)).collect();
        cuts.sort_unstable();
        grouped(sorted, &cuts, smallest_sd)
    } else {
        let mut means: Vec<f64> = (0..k).map(|_| sorted[below(&mut generator, sorted.len())]).collect();
        means.sort_by(f64::total_cmp);
        let sds = (0..k).map(|_| spread.sd * (0.2 + 0.8 * uniform(&mut generator))).collect();
        Components { weights: vec![1.0 / k as f64; k], means, sds }
    };
    M::from_components(components, Some(&mut generator))
}

/// Sorted times cut into groups; an empty group is one time wide.
fn grouped(sorted: &[f64], cuts: &[usize], smallest_sd: f64) -> Components {
    let bounds: Vec<usize> = [&[0], cuts, &[sorted.len()]].concat();
    let mut components = Components { weights: Vec::new(), means: Vec::new(), sds: Vec::new() };
    for pair in bounds.windows(2) {
        let group = &sorted[pair[0].min(sorted.len() - 1)..pair[1].max(pair[0] + 1).min(sorted.len())];
        let n = group.len() as f64;
        let mean = group.iter().sum::<f64>() / n;
        let variance = group.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / n;
        components.weights.push(n);
        components.means.push(mean);
        components.sds.push(variance.sqrt().max(2.0 * smallest_sd));
    }
    let total: f64 = components.weights.iter().sum();
    components.weights.iter_mut().for_each(|weight| *weight /= total);
    components
}

/// A number from 0 to below 1.
pub(super) fn uniform(generator: &mut ChaCha8Rng) -> f64 {
    (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Sums from which a component's weight, mean and standard deviation follow. Squares are taken
/// around the old mean, so that they keep their digits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub weight: f64,
    first: f64,
    second: f64,
}

impl Sums {
    /// Adds times with the shares of them that belong to a component of this mean.
    pub fn add(&mut self, shares: &[f64], logs: &[f64], mean: f64) {
        let [weight, first, second] = moments(shares, logs, mean);
        self.weight += weight;
        self.first += first;
        self.second += second;
    }

    /// The new mean and standard deviation; the old ones where nothing belongs to the component.
    pub fn improved(&self, mean: f64, sd: f64, smallest_sd: f64) -> (f64, f64) {
        // Below the smallest normal number a quotient of sums means nothing.
        if self.weight < 1e-300 {
            return (mean, sd);
        }
        let shift = self.first / self.weight;
        let variance = (self.second / self.weight - shift * shift).max(0.0);
        (mean + shift, variance.sqrt().max(smallest_sd))
    }
}

/// Runs code that is compiled for each number of states up to [`MOST_STATES`], so that loops over states are unrolled:
/// `with_states!(k, K => self.of::<K>())`.
macro_rules! with_states {
    ($k:expr, $name:ident => $code:expr) => {{
        macro_rules! code {
            ($n:literal) => {{
                const $name: usize = $n;
                $code
            }};
        }
        match $k {
            1 => code!(1),
            2 => code!(2),
            3 => code!(3),
            4 => code!(4),
            _ => code!(5),
        }
    }};
}
pub(super) use with_states;

/// Refuses parameters that are no probabilities, or no normal distributions.
pub(super) fn check_normals(means: &[f64], sds: &[f64], n_states: usize) -> Result<(), NotEstimable> {
    check_states(n_states)?;
    let refuse = |quantity, value: String, allowed| Err(NotEstimable::OutOfRange { quantity, value, allowed });
    if means.len() != n_states || sds.len() != n_states {
        let value = format!("{} means and {} standard deviations", means.len(), sds.len());
        return refuse("the number of parameters", value, "one for each state");
    }
    // Bounds that keep every squared distance from a mean finite.
    if let Some(mean) = means.iter().find(|mean| !(-1e6..=1e6).contains(*mean)) {
        return refuse("a mean of log times", mean.to_string(), "-1e6 to 1e6");
    }
    match sds.iter().find(|sd| !(1e-9..=1e6).contains(*sd)) {
        Some(sd) => refuse("a standard deviation of log times", sd.to_string(), "1e-9 to 1e6"),
        None => Ok(()),
    }
}

/// Refuses numbers that are no distribution.
pub(super) fn check_distribution(quantity: &'static str, p: &[f64], n_states: usize) -> Result<(), NotEstimable> {
    let is_distribution = p.iter().all(|&p| p >= 0.0) && (p.iter().sum::<f64>() - 1.0).abs() < 1e-6;
    if p.len() == n_states && is_distribution {
        return Ok(());
    }
    let allowed = "one probability for each state, with the sum 1";
    Err(NotEstimable::OutOfRange { quantity, value: format!("{p:?}"), allowed })
}

#[cfg(test)]
mod tests {
    use super::super::mixture::Parameters;
    use super::*;

    #[test]
    fn extrapolation_ends_at_the_maximum_of_plain_em_and_sooner() {
        // Two components that overlap, so that each plain iteration covers little of the way.
        let time =
            |i: usize| (((i * 37 % 101) as f64 / 50.0 - 1.0) * if i.is_multiple_of(3) { 1.5 } else { 0.6 }).exp();
        let times = LogTimes::new(&[(0..300).map(time).collect::<Vec<f64>>()]).unwrap();
        let start = || Parameters { weights: vec![0.5, 0.5], means: vec![-0.3, 0.3], sds: vec![0.5, 0.9] };
        let em = Em { tolerance: 1e-12, max_iterations: 100_000, ..Em::new(1) };
        let run = |pace| climb(start(), &times, 0.01, &em, pace);
        let (plain, fast) = (run(Pace::Plain), run(Pace::Extrapolated));
        assert!(plain.converged && fast.converged && 2 * fast.iterations < plain.iterations, "{plain:?}, {fast:?}");
        assert!(fast.log_likelihood > plain.log_likelihood - 1e-6, "{plain:?}, {fast:?}");
    }
}
