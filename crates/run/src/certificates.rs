//! The distances of mapped levels, certified from their rules.

use std::path::Path;

use plymap_certify::{Certificate, CertifyError, CheckedLevel, Claim, certify, check_files};
use plymap_puzzles::progress::{CancelOnly, Progress};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use plymap_tables::parallel::map_in_order;
use plymap_tables::{SafeStems, TableFormat};

use super::RunError;
use super::files::{make_folder, write};

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

/// Writes pages of Python and R into the folder `checks` that check the tables of distances with nothing of plymap, where
/// the tables are CSV, which both can read, and of levels that the pages know.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_checks<'a>(
    levels: impl Iterator<Item = (&'a str, &'a dyn Rules)>,
    stems: &SafeStems,
    expand_goals: bool,
    formats: &[TableFormat],
    folder: &Path,
) -> Result<(), RunError> {
    if !formats.contains(&TableFormat::Csv) {
        return Ok(());
    }
    let level =
        |(level, rules)| CheckedLevel { level, table: format!("{}.csv", stems.stem(level)), rules, expand_goals };
    let files = check_files(levels.map(level));
    if !files.is_empty() {
        make_folder(folder)?;
    }
    files.iter().try_for_each(|file| write(&folder.join(file.name), file.text.as_bytes()))
}
