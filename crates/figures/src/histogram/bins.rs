//! The bins of a distribution on a logarithmic axis.

use super::panel::{Height, Panel, shown};

/// Bins of equal width on the logarithmic axis; a power of ten is always an edge.
#[derive(Clone, Copy)]
pub(super) struct Bins {
    pub per_decade: f64,
    /// Number of the first edge, counted from 1 in the unit of the axis.
    first: i32,
    /// Number of bins.
    pub number: usize,
}

impl Bins {
    /// The bins of all panels, so many for each decade where that is given.
    pub fn new(panels: &[Panel], per_decade: Option<u32>) -> Self {
        let numbers = panels.iter().map(|panel| shown(panel).count());
        let mut numbers: Vec<usize> = numbers.filter(|&n| n > 0).collect();
        numbers.sort_unstable();
        let usual = numbers.get(numbers.len() / 2).copied().unwrap_or(0);
        let per_decade = per_decade.map_or_else(
            || match (usual, panels.len()) {
                (n, 1) if n > 2_000 => 20.0,
                (n, _) if n > 100 => 10.0,
                _ => 5.0,
            },
            f64::from,
        );
        let values = || panels.iter().flat_map(|panel| shown(panel).chain(panel.boundary));
        let least = values().fold(f64::INFINITY, f64::min);
        let greatest = values().fold(0.0, f64::max);
        if least > greatest {
            return Self { per_decade, first: 0, number: per_decade as usize };
        }
        // A millionth of a bin keeps an edge that was not hit by rounding alone in the bin above it.
        let place = |value: f64| (value.log10() * per_decade + 1e-6).floor() as i32;
        // A free bin at each end, and at least a decade in all: a single time is not a wall.
        let (first, last) = (place(least) - 1, place(greatest) + 1);
        let short = (per_decade as i32 - (last - first + 1)).max(0);
        let (first, last) = (first - short / 2, last + short - short / 2);
        Self { per_decade, first, number: (last - first + 1) as usize }
    }

    /// Place of an edge, counted from 0, in the unit of the axis.
    pub fn edge(&self, number: usize) -> f64 {
        10_f64.powf((self.first + number as i32) as f64 / self.per_decade)
    }

    /// The last edge.
    pub fn end(&self) -> f64 {
        self.edge(self.number)
    }

    /// Width in units of the natural logarithm.
    pub fn width(&self) -> f64 {
        std::f64::consts::LN_10 / self.per_decade
    }

    /// Number of times of a panel in each bin.
    pub fn counts(&self, panel: &Panel) -> Vec<u64> {
        let mut counts = vec![0; self.number];
        for value in shown(panel) {
            let bin = (value.log10() * self.per_decade + 1e-6).floor() as i32 - self.first;
            if let Some(count) = usize::try_from(bin).ok().and_then(|bin| counts.get_mut(bin)) {
                *count += 1;
            }
        }
        counts
    }

    /// Factor by which a density is multiplied to stand on the axis.
    pub fn scale(&self, height: Height) -> f64 {
        if height == Height::Density { 1.0 } else { 100.0 * self.width() }
    }

    /// Height of a bar of `count` of `n` times.
    pub fn height(&self, height: Height, count: u64, n: u64) -> f64 {
        self.scale(height) * count as f64 / n.max(1) as f64 / self.width()
    }
}
