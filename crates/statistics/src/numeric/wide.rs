//! Work that is compiled for AVX2 too, whose registers hold four numbers, and chosen where the processor has it.
//!
//! Both ways do the same operations in the same order, and neither multiplies and adds with one rounding: not a bit of a
//! result depends on the processor.

/// Work in loops over many numbers.
pub trait Work {
    /// What it gives.
    type Result;

    /// Does it. To be inlined always, with all loops that it calls, so that it is compiled for the processor of its caller.
    fn run(self) -> Self::Result;
}

/// Does work by AVX2, where the processor has it.
#[inline]
pub fn run<W: Work>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "instructions that not every processor has can be called in no other way")]
        // SAFETY: the processor has the feature.
        return unsafe { run_by_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_by_avx2<W: Work>(work: W) -> W::Result {
    work.run()
}
