//! The error rates of states, summed up for the nodes of the drawing.

use plotters::style::RGBColor;

use super::super::sheet::viridis;
use super::graph::{MAX_LETTERS, Traps};

/// The bright end of viridis is too pale for white paper.
const BRIGHTEST: f64 = 0.92;

/// Error rate of a node.
#[derive(Clone, Default)]
pub(super) struct Rate {
    pub n_visits: u64,
    pub n_errors: u64,
    /// Number of its states that are flagged.
    pub n_flagged: usize,
    /// The letters of its flagged states.
    pub letters: String,
}

impl Rate {
    /// Share of errors; absent where nobody had to choose a move.
    pub fn share(&self) -> Option<f64> {
        (self.n_visits > 0).then(|| self.n_errors as f64 / self.n_visits as f64)
    }
}

/// The error rates of all nodes.
pub(super) struct Rates {
    pub by_node: Vec<Rate>,
    pub n_flagged: usize,
    /// The error rate at the end of the colours, in per cent: a multiple of 10.
    pub top_percent: u32,
    /// The greatest number of visits of a node, at least 1.
    pub most_visits: u64,
}

impl Rates {
    pub fn new(traps: &Traps, node_of: &[u32], nodes: usize) -> Self {
        let mut by_node = vec![Rate::default(); nodes];
        let n_flagged = traps.states.iter().filter(|trap| trap.flagged).count();
        let mut letters = ('A'..='Z').take(if n_flagged <= MAX_LETTERS { n_flagged } else { 0 });
        for trap in &traps.states {
            let rate = &mut by_node[node_of[trap.state as usize] as usize];
            rate.n_visits = rate.n_visits.saturating_add(trap.n_visits);
            rate.n_errors = rate.n_errors.saturating_add(trap.n_errors);
            if trap.flagged {
                rate.n_flagged += 1;
                rate.letters.extend(letters.next());
            }
        }
        let top = by_node.iter().filter_map(Rate::share).fold(0.0, f64::max);
        // A hair less: 0.3 × 10 is a hair more than 3.
        let top_percent = 10 * ((top * 10.0 - 1e-9).ceil() as u32).clamp(1, 10);
        let most_visits = by_node.iter().map(|rate| rate.n_visits).max().unwrap_or(0).max(1);
        Self { by_node, n_flagged, top_percent, most_visits }
    }

    /// The darker, the more errors.
    pub fn colour(&self, share: f64) -> RGBColor {
        viridis(Self::ramp(100.0 * share / f64::from(self.top_percent)))
    }

    /// Place on viridis of a share of the greatest error rate.
    pub fn ramp(share: f64) -> f64 {
        BRIGHTEST * (1.0 - share)
    }
}
