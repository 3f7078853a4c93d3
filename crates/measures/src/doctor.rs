//! Anomalies of a log as a whole, though each of its rows may be in order.
//!
//! Rules of rows stand where rows are read and replayed ([`LogDiagnostic`](plymap_log::LogDiagnostic)). The rules here
//! look at what came of all of them: units that people cannot play in, times that are missing, outcomes that nobody
//! knows.

mod anomaly;
mod clock;
mod groups;
mod outcomes;
mod privacy;
mod repeats;
mod times;
mod trials;

pub use anomaly::{Anomaly, DoctorInput};

/// Everything that is odd about what was played.
pub fn anomalies(play: &DoctorInput<'_>) -> Vec<Anomaly> {
    [
        times::anomalies,
        clock::anomalies,
        outcomes::anomalies,
        repeats::anomalies,
        trials::anomalies,
        groups::anomalies,
        privacy::anomalies,
    ]
    .into_iter()
    .flat_map(|rule| rule(play))
    .collect()
}
