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
