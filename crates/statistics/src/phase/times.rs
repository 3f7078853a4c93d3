//! Times between moves as natural logarithms, attempt after attempt.

use std::ops::Range;

use crate::not_estimable::{NotEstimable, check_count};

/// More moves than this in one fit are refused; a fit takes some 100 bytes for each move.
pub const MOST_MOVES: usize = 10_000_000;

/// Number of times from which on equal ones are looked for.
const MANY: usize = 10_000;

/// Equal times are counted where there are as many of each as this on average.
const REPEATED: usize = 4;

/// Logarithms of times in seconds, and where each attempt ends.
#[derive(Clone, Debug)]
pub(super) struct LogTimes {
    logs: Vec<f64>,
    ends: Vec<usize>,
    counted: Option<Counted>,
}

/// The different logarithms of times in ascending order, and how often each occurs.
#[derive(Clone, Debug, Default)]
pub(super) struct Counted {
    pub logs: Vec<f64>,
    pub counts: Vec<f64>,
}

/// Mean and standard deviation (denominator n) of logarithms of times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    pub mean: f64,
    pub sd: f64,
}

impl LogTimes {
    /// Takes times in seconds; all must be finite and above 0.
    pub fn new<A: AsRef<[f64]>>(attempts: &[A]) -> Result<Self, NotEstimable> {
        let n = attempts.iter().map(|attempt| attempt.as_ref().len()).sum();
        if n > MOST_MOVES {
            let (value, allowed) = (format!("{n}"), "at most 10,000,000");
            return Err(NotEstimable::OutOfRange { quantity: "the number of moves", value, allowed });
        }
        let (mut logs, mut ends) = (Vec::with_capacity(n), Vec::with_capacity(attempts.len()));
        for (number, attempt) in attempts.iter().enumerate() {
            for (index, &time) in attempt.as_ref().iter().enumerate() {
                if !(time > 0.0 && time.is_finite()) {
                    let value = format!("{time} at move {index} of attempt {number} (both from 0)");
                    let allowed = "a number of seconds above 0";
                    return Err(NotEstimable::OutOfRange { quantity: "a time between moves", value, allowed });
                }
                logs.push(time.ln());
            }
            ends.push(logs.len());
        }
        Ok(Self { logs, ends, counted: None })
    }

    /// Counts equal times, where that pays: clocks are coarse, so that of very many times few are different.
    pub fn counting(mut self) -> Self {
        if self.len() < MANY {
            return self;
        }
        let mut sorted = self.logs.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let mut counted = Counted::default();
        for same in sorted.chunk_by(|left, right| left == right) {
            counted.logs.push(same[0]);
            counted.counts.push(same.len() as f64);
        }
        self.counted = Some(counted).filter(|counted| REPEATED * counted.logs.len() <= self.len());
        self
    }

    /// The different times, where they are counted.
    pub fn counted(&self) -> Option<&Counted> {
        self.counted.as_ref()
    }

    /// Logarithms of all times.
    pub fn logs(&self) -> &[f64] {
        &self.logs
    }

    /// Number of all times.
    pub fn len(&self) -> usize {
        self.logs.len()
    }

    /// Range of each attempt in the row of all times.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }

    /// Logarithms of the times of each attempt.
    pub fn attempts(&self) -> impl Iterator<Item = &[f64]> {
        self.ranges().map(|range| &self.logs[range])
    }

    /// Neighbouring attempts together, with at most `most` moves unless one attempt has more: their logarithms, and where
    /// each attempt lies among these.
    pub fn batches(&self, most: usize) -> impl Iterator<Item = (&[f64], Vec<Range<usize>>)> {
        let mut left = self.ends.as_slice();
        let mut start = 0;
        std::iter::from_fn(move || {
            let first = *left.first()?;
            let n_attempts = left.iter().take_while(|&&end| end <= first.max(start + most)).count();
            let (batch, others) = left.split_at(n_attempts);
            let (from, end) = (start, batch[n_attempts - 1]);
            let starts = std::iter::once(&from).chain(batch);
            let ranges = starts.zip(batch).map(|(start, end)| start - from..end - from).collect();
            (left, start) = (others, end);
            Some((&self.logs[from..end], ranges))
        })
    }

    /// The same times in another order within their attempts.
    pub fn reordered(&self, order: impl FnOnce(&mut [f64], &[usize])) -> Self {
        let mut logs = self.logs.clone();
        order(&mut logs, &self.ends);
        Self { logs, ends: self.ends.clone(), counted: None }
    }

    /// End of each attempt in the row of all times.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Values of all moves, cut into attempts.
    pub fn split<T: Clone>(&self, values: &[T]) -> Vec<Vec<T>> {
        self.ranges().map(|range| values[range].to_vec()).collect()
    }

    /// Mean and standard deviation of the logarithms.
    pub fn spread(&self, quantity: &'static str, needed: usize) -> Result<Spread, NotEstimable> {
        check_count(quantity, "moves", self.len(), needed)?;
        // Exactly: a rounded mean would leave equal times a little variance.
        if self.logs.iter().all(|&log| log == self.logs[0]) {
            return Err(NotEstimable::NoVariance { variable: "the times between moves" });
        }
        let n = self.len() as f64;
        let mean = self.logs.iter().sum::<f64>() / n;
        let sd = (self.logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / n).sqrt();
        Ok(Spread { mean, sd })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_the_attempts_in_their_order() {
        let attempts: Vec<Vec<f64>> = [2, 0, 3, 9, 0, 1, 2].map(|n| vec![1.0; n]).to_vec();
        let times = LogTimes::new(&attempts).unwrap();
        let batches: Vec<_> = times.batches(5).map(|(logs, ranges)| (logs.len(), ranges)).collect();
        assert_eq!(batches, [(5, vec![0..2, 2..2, 2..5]), (9, vec![0..9, 9..9]), (3, vec![0..1, 1..3])]);
        assert_eq!(LogTimes::new(&[[0.0; 0]; 0]).unwrap().batches(5).count(), 0);
    }
}
