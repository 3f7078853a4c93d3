//! Work that is compiled twice: for every processor, and for those with AVX2, on twice as many numbers at once. A product and
//! a sum stay two operations, so that both give the same bits.

/// Work on many numbers.
pub(crate) trait Work {
    type Result;

    /// Does it. To be inlined always, so that it is compiled for the processor of its caller.
    fn run(self) -> Self::Result;
}

/// Does work by AVX2, where the processor has it.
#[inline]
pub(crate) fn run<W: Work>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "instructions that not every processor has can be called in no other way")]
        // SAFETY: the processor has them.
        return unsafe { run_by_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_by_avx2<W: Work>(work: W) -> W::Result {
    work.run()
}
