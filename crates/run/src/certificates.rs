//! The distances of mapped levels, certified from their rules.

use plymap_certify::{Certificate, CertifyError, Claim, certify};
use plymap_puzzles::progress::{CancelOnly, Progress};
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use plymap_tables::parallel::map_in_order;

use super::RunError;

/// Amount of what was certified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Certified {
    /// Number of levels.
    pub n_levels: u64,
    /// Number of their states.
    pub n_states: u64,
}

impl Certified {
    /// The sum of certificates; levels without a map have none.
    pub fn of(certificates: impl IntoIterator<Item = Option<Certificate>>) -> Self {
        certificates.into_iter().flatten().fold(Self::default(), |sum, certificate| Self {
            n_levels: sum.n_levels + 1,
            n_states: sum.n_states + certificate.n_states,
        })
    }
}

/// Certifies the distances of a level that was mapped; nothing if it was not.
///
/// # Errors
///
/// [`RunError::Uncertified`] if a distance is wrong, [`RunError::Interrupted`].
pub fn certify_level(level: &ValuedLevel, progress: &dyn Progress) -> Result<Option<Certificate>, RunError> {
    let Some(WholeMap { map, distances, .. }) = level.whole.as_deref() else { return Ok(None) };
    let entries = (0..map.n_states() as u32).map(|node| (map.code(node), distances.get(node)));
    let claim = Claim::new(&level.id, map.goals_expanded(), entries);
    match certify(&*level.rules, &claim, progress) {
        Ok(certificate) => Ok(Some(certificate)),
        Err(CertifyError::Interrupted) => Err(RunError::Interrupted),
        Err(error) => Err(RunError::Uncertified(error)),
    }
}

/// Certifies the distances of all levels that were mapped, side by side.
///
/// # Errors
///
/// As of [`certify_level`], for the first level.
pub(super) fn certify_levels(levels: &[ValuedLevel], progress: &dyn Progress) -> Result<Certified, RunError> {
    progress.begin("certifying distances", Some(levels.len() as u64));
    let certificates = map_in_order(levels.iter().collect(), |level| {
        let certificate = certify_level(level, &CancelOnly(progress))?;
        progress.advance(1);
        Ok::<_, RunError>(certificate)
    })?;
    progress.end();
    Ok(Certified::of(certificates))
}
