#![doc = include_str!("../README.md")]

mod certificate;
mod check;
mod checks;
mod claim;
mod index;
mod sliding;
mod violation;

pub use certificate::{Certificate, CertifyError};
pub use check::{certify, certify_by_rules};
pub use checks::{CheckFile, CheckedLevel, check_files};
pub use claim::Claim;
pub use violation::{Law, Violation};
