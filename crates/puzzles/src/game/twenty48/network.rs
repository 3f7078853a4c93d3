//! An n-tuple network: the value of an after-state as a sum of weights, each looked up by the tiles in a few
//! cells, and learned by temporal differences (Szubert and Jaśkowski 2014).

mod learn;
mod shared;
mod tuples;
mod weights;

pub(super) use learn::Lesson;
#[cfg(test)]
pub(super) use shared::store_key;
pub(super) use tuples::Tuples;
pub(super) use weights::Network;

#[cfg(test)]
mod tests;
