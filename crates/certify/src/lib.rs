#![doc = include_str!("../README.md")]

mod certificate;
mod claim;
mod index;
mod violation;

pub use certificate::{Certificate, CertifyError, certify};
pub use claim::Claim;
pub use violation::{Law, Violation};
