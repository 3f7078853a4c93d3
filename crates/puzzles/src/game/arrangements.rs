//! Ranks of the arrangements of a multiset: of things of some kinds in a row.

/// All orders in which things of some kinds stand in a row, numbered by their first thing, then their second, and so on.
#[derive(Clone, Debug)]
pub(super) struct Arrangements {
    /// Number of things of each kind.
    counts: Vec<u8>,
    n_things: u64,
    n: u64,
}

impl Arrangements {
    /// The arrangements of so many things of each kind; absent if they are 2^56 or more, or of too many kinds.
    pub(super) fn new(counts: Vec<u8>) -> Option<Self> {
        let n_things = counts.iter().map(|&count| u64::from(count)).sum();
        // The product of binomial coefficients, each made factor by factor so that every division leaves no rest.
        let mut n = 1u128;
        let mut n_placed = 0;
        for &count in &counts {
            for number in 1..=u128::from(count) {
                n_placed += 1;
                n = n.checked_mul(n_placed)? / number;
            }
        }
        let is_small = n < 1 << 56 && counts.len() <= MAX_KINDS;
        is_small.then(|| Self { counts, n_things, n: n as u64 })
    }

    /// Number of arrangements.
    pub(super) fn n(&self) -> u64 {
        self.n
    }

    /// The rank of an arrangement, given by the kinds of its things; absent if it has other things.
    #[inline]
    pub(super) fn rank(&self, kinds: impl IntoIterator<Item = usize>) -> Option<u64> {
        let mut counts = [0; MAX_KINDS];
        counts[..self.counts.len()].copy_from_slice(&self.counts);
        // How many arrangements share the things seen so far, and how many things are left.
        let (mut n_alike, mut n_left) = (self.n, self.n_things);
        let mut rank = 0;
        for kind in kinds {
            let count = *counts.get(kind).filter(|&&count| count > 0)?;
            let n_smaller: u64 = counts[..kind].iter().map(|&count| u64::from(count)).sum();
            // Of the arrangements that begin alike, n_smaller of n_left have a smaller kind here. Both are counts, so that
            // the division leaves no rest.
            rank += n_alike * n_smaller / n_left;
            n_alike = n_alike * u64::from(count) / n_left;
            counts[kind] -= 1;
            n_left -= 1;
        }
        (n_left == 0).then_some(rank)
    }

    /// The kinds of the things of the arrangement with this rank, which is below [`Arrangements::n`].
    pub(super) fn unrank(&self, mut rank: u64) -> impl Iterator<Item = usize> {
        let mut counts = self.counts.clone();
        let (mut n_alike, mut n_left) = (self.n, self.n_things);
        std::iter::from_fn(move || {
            for (kind, count) in counts.iter_mut().enumerate().filter(|_| n_left > 0) {
                let n_with_kind = n_alike * u64::from(*count) / n_left;
                if rank < n_with_kind {
                    *count -= 1;
                    (n_alike, n_left) = (n_with_kind, n_left - 1);
                    return Some(kind);
                }
                rank -= n_with_kind;
            }
            None
        })
    }
}

/// Most kinds of things.
pub(super) const MAX_KINDS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_arrangements_in_their_order() {
        let arrangements = Arrangements::new(vec![1, 2, 2]).unwrap();
        assert_eq!(arrangements.n(), 30, "5! / (1! 2! 2!)");
        let all: Vec<Vec<usize>> = (0..30).map(|rank| arrangements.unrank(rank).collect()).collect();
        assert!(all.is_sorted_by(|one, other| one < other), "{all:?}");
        assert_eq!((&all[0][..], &all[29][..]), (&[0, 1, 1, 2, 2][..], &[2, 2, 1, 1, 0][..]));
        for (rank, kinds) in (0..).zip(&all) {
            assert_eq!(arrangements.rank(kinds.iter().copied()), Some(rank));
        }
        assert_eq!(arrangements.rank([0, 1, 1, 1, 2]), None);
        assert_eq!(arrangements.rank([0, 1, 1, 2]), None);
        // The 15 plates of Panguru.
        assert_eq!(Arrangements::new(vec![1, 2, 2, 2, 2, 2, 2, 2]).map(|all| all.n()), Some(10_216_206_000));
    }
}
