//! Random numbers that depend on a seed alone, not on how a library makes them of it.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The generator of one resample: the stream with its number of the generator keyed by the seed.
pub fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_stream(number);
    generator
}

/// A number from 0 up to 1, of 53 random bits: all that a proportion can hold.
pub fn uniform(generator: &mut impl Rng) -> f64 {
    (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A whole number from 0 to `n` − 1, by multiplication; its bias is below n / 2^64. Written here,
/// so that a result does not change with a library's way of doing it.
pub fn below(generator: &mut impl Rng, n: usize) -> usize {
    ((u128::from(generator.next_u64()) * n as u128) >> 64) as usize
}
