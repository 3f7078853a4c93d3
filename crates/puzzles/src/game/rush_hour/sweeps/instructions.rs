//! Work that is compiled for the instructions PEXT and PDEP, and chosen where the processor has them.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_pdep_u64, _pext_u64};

use super::bits::{GatherScatter, Portable};

/// Work that gathers and scatters bits.
pub(super) trait Work {
    type Result;

    /// Does it. To be inlined always, so that it is compiled for the processor of its caller.
    fn run(self, bits: impl GatherScatter) -> Self::Result;
}

/// Does work by PEXT and PDEP, where the processor has them.
pub(super) fn run<W: Work>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        #[expect(unsafe_code, reason = "instructions that not every processor has can be called in no other way")]
        // SAFETY: the processor has both features.
        return unsafe { run_with_instructions(work) };
    }
    work.run(Portable)
}

/// By PEXT and PDEP. Made by [`run_with_instructions`] alone, which asks for them.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Instructions(());

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt")]
fn run_with_instructions<W: Work>(work: W) -> W::Result {
    work.run(Instructions(()))
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions that not every processor has can be called in no other way")]
impl GatherScatter for Instructions {
    #[inline(always)]
    fn gather(self, word: u64, mask: u64) -> u64 {
        // SAFETY: who made this runs on a processor that has the instruction.
        unsafe { _pext_u64(word, mask) }
    }

    #[inline(always)]
    fn scatter(self, word: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { _pdep_u64(word, mask) }
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
