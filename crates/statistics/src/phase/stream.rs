//! Random numbers of phase methods.

/// A sampler of its own for every start or permutation, so that no result depends on threads.
pub(super) fn stream(seed: u64, number: u64) -> rand_chacha::ChaCha8Rng {
    use rand_chacha::rand_core::SeedableRng;
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut generator = rand_chacha::ChaCha8Rng::from_seed(key);
    generator.set_stream(number);
    generator
}
