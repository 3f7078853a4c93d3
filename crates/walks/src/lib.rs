#![doc = include_str!("../README.md")]

mod elimination;
pub mod hitting_times;
pub mod random_walk;
