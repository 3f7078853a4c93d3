//! Tempo of a player: the times of its moves.

use super::parameter::{ParameterError, within};
pub use plymap_statistics::phase::Mode;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use serde::{Deserialize, Serialize};

/// Number of legal moves at which [`Tempo::median_time_s`] is the median.
pub const TYPICAL_CHOICE: u32 = 10;

/// The times of a player.
///
/// A time is log-normal: ln t = ln median + `choice_exponent` · ln(n_legal / [`TYPICAL_CHOICE`]) +
/// ln `thinking_factor` (while thinking) + `sigma` · z with z standard normal. The median is
/// `first_move_median_s` for the first move of an attempt and `median_time_s` for the others.
///
/// Thinking and acting alternate as a two-state Markov chain with one step for each move after an
/// attempt's first; who has just made the first move counts as acting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tempo {
    /// Median time of a move while acting, at [`TYPICAL_CHOICE`] legal moves; seconds, 0.001 to 1,000,000.
    pub median_time_s: f64,
    /// Standard deviation of the natural logarithm of times; 0 to 5.
    pub sigma: f64,
    /// Median time of the first move of an attempt, at [`TYPICAL_CHOICE`] legal moves; seconds, 0.001
    /// to 1,000,000.
    pub first_move_median_s: f64,
    /// Exponent of the number of legal moves in times; −5 to 5, 0 for no effect.
    pub choice_exponent: f64,
    /// Probability that a move is thought about after one that was not; 0 to 1.
    pub p_start_thinking: f64,
    /// Probability that a move is thought about after one that was; 0 to 1.
    pub p_keep_thinking: f64,
    /// Factor by which a move takes longer that is thought about; 1 to 1,000.
    pub thinking_factor: f64,
}

impl Default for Tempo {
    /// A person at a puzzle on a screen: 1 s for a move, 3 s for the first, times as scattered as those that people
    /// make, more of them where the choice is larger, and a pause for thought now and then.
    fn default() -> Self {
        Self {
            median_time_s: 1.0,
            sigma: 0.45,
            first_move_median_s: 3.0,
            choice_exponent: 0.25,
            p_start_thinking: 0.08,
            p_keep_thinking: 0.45,
            thinking_factor: 4.0,
        }
    }
}

impl Tempo {
    /// Times of one log-normal distribution, whatever the choice, without pauses: median in seconds and
    /// standard deviation of the natural logarithm.
    pub fn steady(median_time_s: f64, sigma: f64) -> Self {
        Self {
            median_time_s,
            sigma,
            first_move_median_s: median_time_s,
            choice_exponent: 0.0,
            p_start_thinking: 0.0,
            p_keep_thinking: 0.0,
            thinking_factor: 1.0,
        }
    }

    /// Share of moves that are thought about in a long attempt; 0 where thinking never starts.
    pub fn share_thinking(&self) -> f64 {
        let (start, stop) = (self.p_start_thinking, 1.0 - self.p_keep_thinking);
        if start == 0.0 { 0.0 } else { start / (start + stop) }
    }

    // Bounds that keep every time finite: 10^6 s · 10^3 · (4 · 10^8)^5 · e^(5 · 9).
    pub(super) fn check(&self) -> Result<(), ParameterError> {
        within("median_time_s", self.median_time_s, 1e-3, 1e6)?;
        within("sigma", self.sigma, 0.0, 5.0)?;
        within("first_move_median_s", self.first_move_median_s, 1e-3, 1e6)?;
        within("choice_exponent", self.choice_exponent, -5.0, 5.0)?;
        within("p_start_thinking", self.p_start_thinking, 0.0, 1.0)?;
        within("p_keep_thinking", self.p_keep_thinking, 0.0, 1.0)?;
        within("thinking_factor", self.thinking_factor, 1.0, 1e3)
    }
}

/// Draws the times of one player at one level.
///
/// Every time takes one uniform and one normal number from the stream, needed or not, so that a change
/// of one parameter leaves all other chance as it is.
pub(super) struct Clock {
    tempo: Tempo,
    generator: ChaCha8Rng,
    mode: Mode,
}

impl Clock {
    pub(super) fn new(tempo: Tempo, generator: ChaCha8Rng) -> Self {
        Self { tempo, generator, mode: Mode::Acting }
    }

    /// Seconds until the first move of an attempt.
    pub(super) fn first_move(&mut self, n_legal: u32) -> f64 {
        let (_, noise) = self.chance();
        self.mode = Mode::Acting;
        self.tempo.first_move_median_s * self.of_choice(n_legal) * noise
    }

    /// Seconds until the next move, and how they were spent.
    pub(super) fn next_move(&mut self, n_legal: u32) -> (f64, Mode) {
        let (uniform, noise) = self.chance();
        let p_thinking = match self.mode {
            Mode::Thinking => self.tempo.p_keep_thinking,
            Mode::Acting => self.tempo.p_start_thinking,
        };
        self.mode = if uniform < p_thinking { Mode::Thinking } else { Mode::Acting };
        let factor = if self.mode == Mode::Thinking { self.tempo.thinking_factor } else { 1.0 };
        (self.tempo.median_time_s * self.of_choice(n_legal) * factor * noise, self.mode)
    }

    /// Seconds until the player resets the level or gives up.
    pub(super) fn decision(&mut self) -> f64 {
        let (_, noise) = self.chance();
        self.tempo.median_time_s * noise
    }

    fn of_choice(&self, n_legal: u32) -> f64 {
        (f64::from(n_legal.max(1)) / f64::from(TYPICAL_CHOICE)).powf(self.tempo.choice_exponent)
    }

    fn chance(&mut self) -> (f64, f64) {
        let uniform = self.generator.random();
        let normal: f64 = self.generator.sample(StandardNormal);
        (uniform, (self.tempo.sigma * normal).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    const PENSIVE: Tempo = Tempo {
        median_time_s: 2.0,
        sigma: 0.4,
        first_move_median_s: 6.0,
        choice_exponent: 0.5,
        p_start_thinking: 0.1,
        p_keep_thinking: 0.6,
        thinking_factor: 4.0,
    };

    const N: usize = 20_000;

    fn clock(tempo: Tempo) -> Clock {
        Clock::new(tempo, ChaCha8Rng::seed_from_u64(1))
    }

    /// Mean of the logarithms of N times; its standard error is sigma / √N, and 4 of them are allowed.
    fn assert_median(times: impl Iterator<Item = f64>, median: f64) {
        let logs: Vec<f64> = times.map(f64::ln).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let error = PENSIVE.sigma / (logs.len() as f64).sqrt();
        assert!((mean - median.ln()).abs() < 4.0 * error, "{} is not {median}", mean.exp());
    }

    #[test]
    fn times_have_their_medians() {
        let mut clock = clock(PENSIVE);
        assert_median((0..N).map(|_| clock.first_move(10)), 6.0);
        assert_median((0..N).map(|_| clock.decision()), 2.0);
        let moves: Vec<_> = (0..N).map(|_| clock.next_move(10)).collect();
        let times_of = |wanted: Mode| moves.iter().filter(move |(_, mode)| *mode == wanted).map(|(time, _)| *time);
        assert_median(times_of(Mode::Acting), 2.0);
        assert_median(times_of(Mode::Thinking), 8.0);
        // Four times the typical choice: √4 times the median.
        assert_median((0..N).map(|_| clock.first_move(40)), 12.0);
    }

    #[test]
    fn thinking_is_a_markov_chain() {
        let mut clock = clock(PENSIVE);
        let modes: Vec<Mode> = (0..N).map(|_| clock.next_move(10).1).collect();
        let share_after = |before: Mode| {
            let pairs: Vec<_> = modes.windows(2).filter(|pair| pair[0] == before).collect();
            let share = pairs.iter().filter(|pair| pair[1] == Mode::Thinking).count() as f64 / pairs.len() as f64;
            (share, 4.0 * (share * (1.0 - share) / pairs.len() as f64).sqrt())
        };
        for (before, p) in [(Mode::Acting, 0.1), (Mode::Thinking, 0.6)] {
            let (share, four_errors) = share_after(before);
            assert!((share - p).abs() < four_errors, "{before:?}: {share} is not {p}");
        }
        assert!((PENSIVE.share_thinking() - 0.2).abs() < 1e-12);
        assert_eq!(Tempo::steady(1.0, 0.3).share_thinking(), 0.0);
    }

    #[test]
    fn the_first_move_ends_thinking() {
        let mut clock = clock(Tempo { p_start_thinking: 0.0, p_keep_thinking: 1.0, ..PENSIVE });
        clock.mode = Mode::Thinking;
        assert_eq!(clock.next_move(10).1, Mode::Thinking);
        clock.first_move(10);
        assert_eq!(clock.next_move(10).1, Mode::Acting);
    }
}
