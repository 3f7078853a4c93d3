//! Synthetic play of the small studies of every game.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use plymap_players::{LapseOptimal, Persistence, Player, Tempo, play_all, write_log};
use plymap_puzzles::progress::Silent;
use plymap_run::study::Study;
use plymap_run::study_levels;

const SEED: u64 = 3;
const N_PARTICIPANTS: u32 = 12;

/// The studies: the TOML files in the folders of `data` that have a log, except the demo and the studies of recorded
/// play, which have participants of their own.
pub fn studies() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut files = Vec::new();
    for folder in entries(&data)?.into_iter().filter(|path| path.is_dir()) {
        if !folder.ends_with("demo") && !folder.ends_with("studies") {
            files.extend(entries(&folder)?);
        }
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut with_logs = Vec::new();
    for file in files {
        if !Study::read(&file)?.log.files.is_empty() {
            with_logs.push(file);
        }
    }
    Ok(with_logs)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    Ok(fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?)
}

/// The file of the log of a study, and what its participants did at all of its levels.
pub fn log_of(file: &Path) -> Result<(PathBuf, Vec<u8>), Box<dyn Error>> {
    let study = Study::read(file)?;
    let log_file = study.folder.join(study.log.files.first().ok_or("the study has no log")?);
    let (levels, _) = study_levels(&study, &Silent)?;
    let trials = play_all(&cohort(), &levels, SEED, &Silent)?;
    let mut log = Vec::new();
    write_log(&trials, &mut log)?;
    Ok((log_file, log))
}

/// Returns the players, from one who errs at every twentieth choice to one who errs at more than every second.
pub fn cohort() -> Vec<Player> {
    (1..=N_PARTICIPANTS).map(participant).collect()
}

fn participant(number: u32) -> Player {
    let step = f64::from(number - 1);
    Player {
        participant: format!("p{number:02}"),
        condition: None,
        policy: LapseOptimal { lapse: (5.0 * step + 5.0) / 100.0 },
        tempo: Tempo {
            median_time_s: 0.8 + 0.1 * f64::from(number * 5 % N_PARTICIPANTS),
            sigma: 0.45,
            first_move_median_s: 3.0 + 0.25 * f64::from(number * 7 % N_PARTICIPANTS),
            choice_exponent: 0.25,
            p_start_thinking: 0.08,
            p_keep_thinking: 0.45,
            thinking_factor: 4.0,
        },
        persistence: Persistence { astray_by: 3, reset_chance: 0.2, max_moves: 60 },
    }
}
