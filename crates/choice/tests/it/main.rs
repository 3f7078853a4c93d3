//! All integration tests in one binary: each further one would link everything again.

mod edges;
mod likelihoods;
mod oracle;
mod recovery;
mod separation;
