//! Integration tests of the crate.

mod damage;
mod fixtures;
mod laws;
mod pages;
