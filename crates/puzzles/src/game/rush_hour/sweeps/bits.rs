//! Bits that are gathered from a word, and scattered over one; sets of bits that are shifted.

use std::ops::Range;

/// The two operations on words by which positions of one block become those of another.
pub(super) trait GatherScatter: Copy {
    /// The bits of `word` where `mask` has one, as the lowest bits, in order.
    fn gather(self, word: u64, mask: u64) -> u64;

    /// The lowest bits of `word`, in order, where `mask` has one.
    fn scatter(self, word: u64, mask: u64) -> u64;
}

/// Adds a run of bits to a set.
pub(super) fn fill(set: &mut [u64], bits: Range<u32>) {
    let mut begin = bits.start;
    while begin < bits.end {
        let end = bits.end.min((begin / u64::BITS + 1) * u64::BITS);
        set[(begin / u64::BITS) as usize] |= u64::MAX >> (u64::BITS - (end - begin)) << (begin % u64::BITS);
        begin = end;
    }
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

/// Takes the bits of one set where `from` has some to those of another where `to` has some, in order.
#[inline(always)]
pub(super) fn transfer(bits: impl GatherScatter, set: &[u64], from: &[u64], to: &[u64], carried: &mut [u64]) {
    if let ([word], [from], [to], [carried]) = (set, from, to, &mut *carried) {
        *carried = bits.scatter(bits.gather(*word, *from), *to);
        return;
    }
    // Bits that were gathered and not yet scattered.
    let (mut waiting, mut n_waiting) = (0u128, 0);
    let mut gathered = set.iter().zip(from);
    for (&to, carried) in to.iter().zip(carried) {
        while n_waiting < to.count_ones() {
            let Some((&word, &from)) = gathered.next() else { break };
            waiting |= u128::from(bits.gather(word, from)) << n_waiting;
            n_waiting += from.count_ones();
        }
        *carried = bits.scatter(waiting as u64, to);
        waiting >>= to.count_ones();
        n_waiting = n_waiting.saturating_sub(to.count_ones());
    }
}

/// Adds to a set its positions in `mask`, `by` ranks higher.
#[inline(always)]
pub(super) fn shift_up(set: &mut [u64], mask: &[u64], by: u32) {
    let (words, bits) = parts(set.len(), by);
    for word in (words..set.len()).rev() {
        let mut shifted = (set[word - words] & mask[word - words]) << bits;
        if word > words {
            shifted |= (set[word - words - 1] & mask[word - words - 1]) >> 1 >> (u64::BITS - 1 - bits);
        }
        set[word] |= shifted;
    }
}

/// Adds to a set those of its positions `by` ranks lower that are in `mask`.
#[inline(always)]
pub(super) fn shift_down(set: &mut [u64], mask: &[u64], by: u32) {
    let (words, bits) = parts(set.len(), by);
    for word in 0..set.len() - words {
        let mut shifted = set[word + words] >> bits;
        if word + words + 1 < set.len() {
            shifted |= set[word + words + 1] << 1 << (u64::BITS - 1 - bits);
        }
        set[word] |= shifted & mask[word];
    }
}

/// Words and bits of a shift, in a set of so many words.
#[inline(always)]
fn parts(n_words: usize, by: u32) -> (usize, u32) {
    if n_words == 1 { (0, by) } else { ((by / u64::BITS) as usize, by % u64::BITS) }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    fn bits(set: &[u64]) -> Vec<u32> {
        (0..set.len() as u32 * u64::BITS).filter(|&bit| has(set, bit)).collect()
    }

    fn has(set: &[u64], bit: u32) -> bool {
        set[(bit / u64::BITS) as usize] >> (bit % u64::BITS) & 1 == 1
    }

    #[test]
    fn sets_of_several_words_shift_bit_by_bit() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(48);
        for by in 0..192 {
            let [set, mask]: [[u64; 3]; 2] = random.random();
            let (mut up, mut down) = (set, set);
            shift_up(&mut up, &mask, by);
            shift_down(&mut down, &mask, by);
            for bit in 0..192 {
                let from_below = bit >= by && has(&set, bit - by) && has(&mask, bit - by);
                assert_eq!(has(&up, bit), has(&set, bit) || from_below, "{bit} up by {by}");
                let from_above = bit + by < 192 && has(&set, bit + by) && has(&mask, bit);
                assert_eq!(has(&down, bit), has(&set, bit) || from_above, "{bit} down by {by}");
            }
        }
    }

    #[test]
    fn bits_keep_their_order_over_words() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(48);
        for _ in 0..100 {
            let [set, from]: [[u64; 3]; 2] = random.random();
            let mut to: [u64; 5] = random.random();
            // As many places as there are bits to take.
            let surplus = bits(&to).split_off(bits(&from).len());
            surplus.iter().for_each(|bit| to[(bit / u64::BITS) as usize] ^= 1 << (bit % u64::BITS));
            let mut carried = [0; 5];
            transfer(Portable, &set, &from, &to, &mut carried);
            let taken = bits(&from).into_iter().zip(bits(&to)).filter(|&(from, _)| has(&set, from));
            assert_eq!(bits(&carried), taken.map(|(_, to)| to).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn runs_of_bits_are_filled() {
        let mut set = [0; 3];
        fill(&mut set, 60..130);
        assert_eq!(set, [0xF << 60, u64::MAX, 0b11]);
    }
}
