//! Sequences of events in the moves of an attempt: transitions, dependence, streaks, returns, and the
//! hazards and costs of errors.
//!
//! An attempt is a slice: of codes (small numbers that stand for the qualities of its moves, in their
//! order), of state numbers, of distances, or of times. Nothing is counted across the border of two
//! attempts. Names of codes and states are the caller's.

use crate::not_estimable::NotEstimable;

pub mod cost;
pub mod dependence;
pub mod hazard;
pub mod modelled;
pub mod residuals;
pub mod revisits;
pub mod runs;
pub mod same_piece;
pub mod shuffle;
pub mod transitions;
pub mod trap;

/// The largest number of different codes: tables of three codes in a row then have 32,768 cells.
pub const MOST_CODES: usize = 32;

/// Refuses codes beyond their number.
fn check_codes<A: AsRef<[u8]>>(attempts: &[A], n_codes: usize) -> Result<(), NotEstimable> {
    if n_codes == 0 || n_codes > MOST_CODES {
        let (quantity, allowed) = ("the number of codes", "from 1 to 32");
        return Err(NotEstimable::OutOfRange { quantity, value: n_codes.to_string(), allowed });
    }
    match attempts.iter().flat_map(|attempt| attempt.as_ref()).find(|&&code| usize::from(code) >= n_codes) {
        Some(code) => {
            let allowed = "below the number of codes";
            Err(NotEstimable::OutOfRange { quantity: "a code", value: code.to_string(), allowed })
        }
        None => Ok(()),
    }
}

/// Counts of the pairs of neighbours, row by row: the code before, then the code after.
fn count_pairs(attempts: &[impl AsRef<[u8]>], n_codes: usize) -> Vec<u64> {
    count_pairs_of(attempts.iter().map(AsRef::as_ref), n_codes, |&code| code)
}

/// The same of moves that have a code.
fn count_pairs_of<'a, T: 'a>(
    attempts: impl Iterator<Item = &'a [T]>,
    n_codes: usize,
    code: impl Fn(&T) -> u8,
) -> Vec<u64> {
    let mut counts = vec![0; n_codes * n_codes];
    for attempt in attempts {
        for pair in attempt.windows(2) {
            counts[usize::from(code(&pair[0])) * n_codes + usize::from(code(&pair[1]))] += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_do_not_cross_the_border_of_two_attempts() {
        assert_eq!(count_pairs(&[vec![0, 1, 1], vec![], vec![0], vec![1, 0]], 2), [0, 1, 1, 1]);
    }

    #[test]
    fn codes_beyond_their_number_are_refused() {
        assert!(check_codes(&[[0, 1]], 2).is_ok());
        assert_eq!(
            check_codes(&[[0, 2]], 2).unwrap_err().to_string(),
            "a code is 2, but must be below the number of codes"
        );
        assert!(check_codes(&[[0]], 0).is_err() && check_codes(&[[0]], 33).is_err());
    }
}
