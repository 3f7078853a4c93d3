//! The generator of one participant at one level.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// Purpose of a stream of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Choices = 0,
    Times = 1,
    /// The chance of the game.
    Fortune = 2,
    /// The chance of a policy of its own, such as a script.
    Policy = 3,
    /// The parameters of a person.
    Person = 4,
}

/// ChaCha8 with the key SHA-256(`plymap player`, seed, participant, level) and the purpose as stream.
pub(super) fn stream(seed: u64, participant: &str, level: &str, purpose: Purpose) -> ChaCha8Rng {
    let mut hasher = Sha256::new();
    hasher.update(b"plymap player");
    hasher.update(seed.to_le_bytes());
    for name in [participant, level] {
        // With its length, so that ("ab", "c") and ("a", "bc") differ.
        hasher.update((name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
    }
    let mut generator = ChaCha8Rng::from_seed(hasher.finalize().into());
    generator.set_stream(purpose as u64);
    generator
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn streams_differ_in_everything_that_names_them() {
        let first = |seed, participant, level, purpose| stream(seed, participant, level, purpose).next_u64();
        let drawn = [
            first(1, "ab", "c", Purpose::Choices),
            first(2, "ab", "c", Purpose::Choices),
            first(1, "a", "bc", Purpose::Choices),
            first(1, "ab", "c", Purpose::Times),
        ];
        for (index, number) in drawn.iter().enumerate() {
            assert!(!drawn[..index].contains(number));
        }
        assert_eq!(drawn[0], first(1, "ab", "c", Purpose::Choices));
    }
}
