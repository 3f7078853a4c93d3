//! Bits that are gathered from a word, and scattered over one.

/// The two operations on words by which positions of one block become those of another.
pub(super) trait GatherScatter: Copy {
    /// The bits of `word` where `mask` has one, as the lowest bits, in order.
    fn gather(self, word: u64, mask: u64) -> u64;

    /// The lowest bits of `word`, in order, where `mask` has one.
    fn scatter(self, word: u64, mask: u64) -> u64;
}

/// By steps that every processor has: one for each bit of the mask.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl GatherScatter for Portable {
    fn gather(self, word: u64, mask: u64) -> u64 {
        let (mut rest, mut place, mut gathered) = (mask, 0, 0);
        while rest != 0 {
            gathered |= ((word >> rest.trailing_zeros()) & 1) << place;
            place += 1;
            rest &= rest - 1;
        }
        gathered
    }

    fn scatter(self, word: u64, mask: u64) -> u64 {
        let (mut rest, mut word, mut scattered) = (mask, word, 0);
        while rest != 0 && word != 0 {
            scattered |= (word & 1) << rest.trailing_zeros();
            word >>= 1;
            rest &= rest - 1;
        }
        scattered
    }
}

/// Work that is done with either.
pub(super) trait Work {
    type Result;

    /// Does it. To be inlined always, so that it is compiled for the processor of its caller.
    fn run(self, bits: impl GatherScatter) -> Self::Result;
}

/// Does work by the instructions PEXT and PDEP, where the processor has them.
pub(super) fn run<W: Work>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") && std::arch::is_x86_feature_detected!("popcnt") {
        return x86::run(work);
    }
    work.run(Portable)
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions that not every processor has can be called in no other way")]
mod x86 {
    use std::arch::x86_64::{_pdep_u64, _pext_u64};

    use super::{GatherScatter, Work};

    /// By PEXT and PDEP. Made by [`run`] alone, which asks for them.
    #[derive(Clone, Copy)]
    struct Instructions(());

    impl GatherScatter for Instructions {
        #[inline(always)]
        fn gather(self, word: u64, mask: u64) -> u64 {
            // SAFETY: the processor has the instruction, see `run`.
            unsafe { _pext_u64(word, mask) }
        }

        #[inline(always)]
        fn scatter(self, word: u64, mask: u64) -> u64 {
            // SAFETY: the processor has the instruction, see `run`.
            unsafe { _pdep_u64(word, mask) }
        }
    }

    /// Does work by instructions that the caller has found.
    pub(super) fn run<W: Work>(work: W) -> W::Result {
        // SAFETY: the caller has asked for both features.
        unsafe { run_with(work) }
    }

    #[target_feature(enable = "bmi2,popcnt")]
    fn run_with<W: Work>(work: W) -> W::Result {
        work.run(Instructions(()))
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    struct Compare;

    impl Work for Compare {
        type Result = ();

        fn run(self, bits: impl GatherScatter) {
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(48);
            for _ in 0..10_000 {
                let [word, mask]: [u64; 2] = random.random();
                assert_eq!(bits.gather(word, mask), Portable.gather(word, mask));
                assert_eq!(bits.scatter(word, mask), Portable.scatter(word, mask));
                assert_eq!(Portable.scatter(Portable.gather(word, mask), mask), word & mask);
            }
        }
    }

    #[test]
    fn both_ways_gather_and_scatter_alike() {
        run(Compare);
    }
}
