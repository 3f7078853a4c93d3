//! Synthetic participants as a log: the cohorts of a study play its levels.

use plymap_log::{LogSpec, read_log};
use plymap_players::cohort::members;
use plymap_players::{PlayedTrial, Player, PlayerRow, Policy, play_all, players_table, write_log};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::OutputFolder;
use plymap_run::study::Study;
use plymap_run::{Play, RunError, continues, manifest, no_script_error, play_of, study_levels};
use plymap_tables::cleanup::TemporaryFile;
use plymap_tables::{FileError, failed, write_table};
use std::path::{Path, PathBuf};

/// Summary of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulationSummary {
    /// Number of participants.
    pub n_participants: usize,
    /// Number of trials.
    pub n_trials: usize,
    /// Number of trials that were solved, or, where values are points, played to the end.
    pub n_solved: usize,
    /// Number of rows of the log.
    pub n_rows: usize,
}

/// Lets the cohorts of a study play its levels. Writes `log.csv`, the true parameters of all players as the table
/// `players`, a study of this log, and a manifest into `target`, which appears, or replaces an earlier one, only when
/// everything is done.
///
/// # Errors
///
/// [`RunError`]; nothing was written, and an earlier folder is as it was.
pub fn simulate(
    study: &Study,
    study_file: &Path,
    target: &Path,
    progress: &dyn Progress,
) -> Result<SimulationSummary, RunError> {
    let folder = OutputFolder::create(target)?;
    let (levels, level_files) = study_levels(study, progress)?;
    let members = members(&study.cohort, study.simulation.seed, &study.folder)?;
    let rows: Vec<PlayerRow> = members.iter().map(PlayerRow::from).collect();
    let players: Vec<Player<Box<dyn Policy>>> = members.into_iter().map(|member| member.player).collect();
    let trials = play_all(&players, &levels, study.simulation.seed, progress)?;
    no_script_error(&levels)?;
    write(study, target, &folder, &trials)?;
    write_table(&players_table(&rows), folder.path(), &study.output.tables)?;
    let mut manifest = manifest(study, study_file, &level_files, None, &levels)?;
    manifest.add_inputs(study.cohort.iter().flat_map(|cohort| cohort.files(&study.folder)), &study.folder)?;
    manifest.seeds.insert("cohorts".to_owned(), study.simulation.seed);
    manifest.counts.insert("participants".to_owned(), players.len() as u64);
    manifest.counts.insert("trials".to_owned(), trials.len() as u64);
    manifest.write(folder.path())?;
    continues(progress)?;
    folder.commit()?;
    Ok(SimulationSummary {
        n_participants: players.len(),
        n_trials: trials.len(),
        n_solved: trials.iter().filter(|trial| trial.is_solved).count(),
        n_rows: trials.iter().map(|trial| trial.rows.len()).sum(),
    })
}

/// Synthetic trials as a log that is read and replayed like any other, and the study of this log: it reads what `study`
/// says in all else, but leaves nobody out. The file is gone when this returns.
///
/// # Errors
///
/// [`RunError`] if the log cannot be written to a temporary file, or the caller asks to stop.
pub(crate) fn replayed(
    study: &Study,
    trials: &[PlayedTrial],
    levels: &[ValuedLevel],
    progress: &dyn Progress,
) -> Result<(Study, Play), RunError> {
    let file = TemporaryFile::new(|file| write_log(trials, file).map_err(std::io::Error::other));
    let file = file.map_err(|source| FileError { action: "write", path: std::env::temp_dir(), source })?;
    let mut study = study.clone();
    study.log = LogSpec { files: vec![file.path().to_owned()], ..LogSpec::default() };
    study.columns.clear();
    (study.include, study.exclude) = (Vec::new(), Vec::new());
    let spec = study.log_spec().unwrap_or_default();
    let log = read_log(&spec, progress).map_err(RunError::from)?;
    let play = play_of(&study, log, levels, progress)?;
    Ok((study, play))
}

/// Name of the log in the folder of a simulation.
const LOG: &str = "log.csv";

fn write(study: &Study, target: &Path, folder: &OutputFolder, trials: &[PlayedTrial]) -> Result<(), RunError> {
    let path = folder.path().join(LOG);
    let file = std::fs::File::create(&path).map_err(failed("write", &path))?;
    let file = std::io::BufWriter::new(file);
    write_log(trials, file).map_err(|error| failed("write", &path)(std::io::Error::other(error)))?;
    let path = folder.path().join("study.toml");
    let log = LogSpec { files: vec![PathBuf::from(LOG)], ..Default::default() };
    let of_log = toml::to_string(&study_of_log(study, target, log))
        .map_err(|error| failed("write", &path)(std::io::Error::other(error)))?;
    std::fs::write(&path, of_log).map_err(failed("write", &path))?;
    Ok(())
}

/// The same study with a simulated log instead of its own; its paths start from `target`.
pub(crate) fn study_of_log(study: &Study, target: &Path, log: LogSpec) -> Study {
    let mut of_log = study.clone();
    let moved = |path: &Path| path_between(target, &study.folder.join(path));
    of_log.study.name = format!("{}-simulated", study.study.name);
    of_log.study.title = Some(format!("{}: simulated participants", study.title()));
    of_log.levels.files = study.levels.files.iter().map(|file| moved(file)).collect();
    if let Some(game) = study.levels.game.as_ref().filter(|game| game.ends_with(".lua")) {
        of_log.levels.game = Some(moved(Path::new(game)).to_string_lossy().into_owned());
    }
    of_log.map.cache = study.map.cache.as_deref().map(moved);
    of_log.log = log;
    of_log.experiment = None;
    of_log.columns.clear();
    (of_log.cohort, of_log.strategy, of_log.power, of_log.baseline) = (Vec::new(), Vec::new(), None, None);
    of_log
}

/// The way from a folder, which need not be there yet, to a file; absolute where there is none.
fn path_between(folder: &Path, file: &Path) -> PathBuf {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (folder, file) = (absolute(folder), std::fs::canonicalize(file).unwrap_or_else(|_| absolute(file)));
    // What is there of the folder is seen through links, as the file is.
    let there = folder.ancestors().find_map(|above| Some((std::fs::canonicalize(above).ok()?, above)));
    let folder = match there {
        Some((real, above)) => folder.strip_prefix(above).map_or(real.clone(), |below| real.join(below)),
        None => folder,
    };
    let n_common = folder.components().zip(file.components()).take_while(|(left, right)| left == right).count();
    if n_common == 0 {
        return file;
    }
    let up = folder.components().skip(n_common).map(|_| std::path::Component::ParentDir);
    up.chain(file.components().skip(n_common)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_from_a_folder_to_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("data/levels")).unwrap();
        let between = |from: &str, to: &str| path_between(&root.join(from), &root.join(to));
        assert_eq!(between("out/new", "data/levels"), Path::new("../../data/levels"));
        assert_eq!(between("data", "data/levels"), Path::new("levels"));
        assert_eq!(between("out", "data/../data/levels"), Path::new("../data/levels"));
    }
}
