//! Frequencies of each code after each other.

use serde::Serialize;

use super::{check_codes, count_pairs};
use crate::apa;
use crate::inference::Confidence;
use crate::not_estimable::{NotEstimable, check_count};
use crate::stats::interval::{Proportion, proportion_of};

/// Transition from one code to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Transition {
    /// The code before.
    pub from: u8,
    /// The code after.
    pub to: u8,
    /// The share of `to` among all moves that follow a `from`, with its interval; `successes`
    /// is the count of the transition.
    #[serde(flatten)]
    pub share: Proportion,
}

/// The transitions between codes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Transitions {
    /// Number of codes.
    pub n_codes: usize,
    /// Number of attempts with at least two moves; the others hold no transition.
    pub n_attempts: usize,
    /// Number of transitions.
    pub n: u64,
    /// All pairs of codes, also those that never occur, by the code before and then the code after.
    /// Empty if there are none at all.
    pub transitions: Vec<Transition>,
    /// Reason why there are none.
    pub reason: Option<NotEstimable>,
}

/// Counts the transitions between codes within attempts, and estimates their probabilities.
///
/// Anderson & Goodman (1957). Statistical inference about Markov chains. *Annals of Mathematical
/// Statistics*, 28, 89–110. Intervals: [`proportion_of`] with the participant of each attempt; without, as if
/// transitions were independent. Codes are below `n_codes`.
///
/// ```
/// use plymap_statistics::{sequence::transitions::transitions, stats::Confidence};
///
/// let attempts = [vec![0, 0, 1, 0], vec![1, 0]];
/// let found = transitions(&attempts, None, 2, Confidence::default());
/// assert_eq!(found.n, 4);
/// assert_eq!(found.share(1, 0).unwrap().estimate, Some(1.0));
/// ```
pub fn transitions<A: AsRef<[u8]>>(
    attempts: &[A],
    participants: Option<&[usize]>,
    n_codes: usize,
    confidence: Confidence,
) -> Transitions {
    let n_attempts = attempts.iter().filter(|attempt| attempt.as_ref().len() > 1).count();
    let mut result = Transitions { n_codes, n_attempts, n: 0, transitions: Vec::new(), reason: None };
    result.reason = result.complete(attempts, participants, confidence).err();
    result
}

impl Transitions {
    /// The share of one code after another; absent if there are no transitions or no such code.
    pub fn share(&self, from: u8, to: u8) -> Option<&Proportion> {
        if usize::from(to) >= self.n_codes {
            return None;
        }
        self.transitions.get(usize::from(from) * self.n_codes + usize::from(to)).map(|transition| &transition.share)
    }

    /// `P(worse | better) = .21 (24 of 114), 95 % CI [.15, .29]`, by the names of the codes.
    pub fn sentence(&self, from: u8, to: u8, names: &[&str]) -> String {
        let name = |code: u8| names.get(usize::from(code)).map_or(code.to_string(), |&name| name.to_owned());
        let symbol = format!("P({} | {})", name(to), name(from));
        match self.share(from, to) {
            Some(share) if share.estimate.is_some() => format!("{symbol} = {}", share.sentence()),
            Some(share) => apa::not_estimable(&symbol, 0, share.reason.as_ref()),
            None => apa::not_estimable(&symbol, 0, self.reason.as_ref()),
        }
    }

    fn complete<A: AsRef<[u8]>>(
        &mut self,
        attempts: &[A],
        participants: Option<&[usize]>,
        confidence: Confidence,
    ) -> Result<(), NotEstimable> {
        check_codes(attempts, self.n_codes)?;
        let counts: Vec<Vec<u64>> =
            attempts.iter().map(|attempt| count_pairs(std::slice::from_ref(attempt), self.n_codes)).collect();
        self.n = counts.iter().flatten().sum();
        check_count("a transition", "moves after another move", self.n as usize, 1)?;
        for from in 0..self.n_codes {
            let rows = || counts.iter().map(|count| &count[from * self.n_codes..][..self.n_codes]);
            for to in 0..self.n_codes {
                let cells: Vec<(u64, u64)> = rows().map(|row| (row[to], row.iter().sum())).collect();
                let share = proportion_of(&cells, participants, confidence);
                self.transitions.push(Transition { from: from as u8, to: to as u8, share });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_after_one_code_add_up_to_one() {
        let table = transitions(&[vec![0, 1, 2, 0, 0, 1], vec![2, 2]], None, 4, Confidence::default());
        let sum = |from| (0..4).filter_map(|to| table.share(from, to).unwrap().estimate).sum::<f64>();
        assert_eq!((sum(0), sum(1), sum(2), sum(3)), (1.0, 1.0, 1.0, 0.0));
        assert_eq!((table.n_attempts, table.n), (2, 6));
        let names = ["better", "same", "worse", "dead end"];
        assert_eq!(table.sentence(0, 1, &names), "P(same | better) = .67 (2 of 3), 95 % CI [.21, .94]");
        let never = "P(better | dead end) not estimable, n = 0 (a proportion needs observations, found none)";
        assert_eq!(table.sentence(3, 0, &names), never);
        assert_eq!(table.share(0, 4), None);
    }

    #[test]
    fn single_moves_have_no_transitions() {
        let single = transitions(&[vec![0], vec![]], None, 2, Confidence::default());
        assert_eq!(single.reason.unwrap().to_string(), "a transition needs moves after another move, found none");
        assert!(transitions(&[[7]], None, 2, Confidence::default()).reason.is_some());
    }
}
