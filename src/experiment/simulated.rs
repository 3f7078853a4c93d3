//! Simulated people who sit at the page of an experiment, so that the whole way is tried before a person sees it.

use plymap_tables::failed;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::site::{ExperimentError, Form};
use crate::simulation::study_of_log;
use plymap_log::LogSpec;
use plymap_players::cohort::{Cohort, members};
use plymap_players::{PlayedTrial, Player, Policy, play_all};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::{Manifest, OutputFolder};
use plymap_run::study::Study;
use plymap_run::{RowAccounting, RunError};

/// Factor by which simulated people are faster than people.
pub const SPEED: f64 = 20.0;

/// Script of a simulated person: their play at each level, whichever the page brings.
#[derive(Clone, Debug)]
pub struct Script {
    /// Name of the participant.
    pub participant: String,
    /// Duration, in seconds of a person.
    pub seconds: f64,
    trials: Vec<PlayedTrial>,
    seed: u64,
}

impl Script {
    /// The script as the page reads it.
    pub fn json(&self) -> Value {
        let step = |row: &plymap_players::PlayedRow| json!({ "event": row.event.name(), "action": row.action.as_deref().unwrap_or_default(), "wait_s": row.rt_s });
        let level = |trial: &PlayedTrial| (trial.level.clone(), trial.rows.iter().map(step).collect::<Value>());
        let levels: serde_json::Map<String, Value> = self.trials.iter().map(level).collect();
        json!({ "speed": SPEED, "seed": self.seed, "levels": levels })
    }

    /// Number of its moves at a level.
    fn n_moves(&self, level: &str) -> Option<u64> {
        self.trials.iter().find(|trial| trial.level == level).map(|trial| trial.n_moves() as u64)
    }
}

/// Lets `n` people of the cohorts of a study play levels of it, one cohort after the other; people who mostly play optimally
/// where it has none.
///
/// # Errors
///
/// A cohort is at fault, or the caller asks to stop.
pub fn scripts(
    study: &Study,
    levels: &[&ValuedLevel],
    n: u32,
    progress: &dyn Progress,
) -> Result<Vec<Script>, ExperimentError> {
    let usual = || Cohort {
        name: "simulated".to_owned(),
        n,
        condition: None,
        policy: toml::toml! { kind = "lapse-optimal" lapse = 0.2 },
        tempo: toml::Table::new(),
        persistence: toml::Table::new(),
    };
    let mut cohorts = if study.cohort.is_empty() { vec![usual()] } else { study.cohort.clone() };
    let n_each = n.div_ceil(cohorts.len() as u32);
    cohorts.iter_mut().for_each(|cohort| cohort.n = n_each);
    let seed = study.simulation.seed;
    let members = members(&cohorts, seed, &study.folder).map_err(RunError::from)?;
    // Names of cohorts may be none that an address can have.
    let named = |(place, player): (usize, Player<Box<dyn Policy>>)| Player {
        participant: format!("simulated-{:0width$}", place + 1, width = n.to_string().len()),
        ..player
    };
    let players: Vec<_> =
        members.into_iter().map(|member| member.player).take(n as usize).enumerate().map(named).collect();
    let mut trials = play_all(&players, levels, seed, progress).map_err(RunError::from)?.into_iter();
    Ok(players
        .into_iter()
        .enumerate()
        .map(|(place, player)| {
            // Pages have no whole numbers beyond 2^53.
            let seed = seed.wrapping_add(place as u64) % (1 << 32);
            let trials: Vec<PlayedTrial> = trials.by_ref().take(levels.len()).collect();
            let seconds = trials.iter().flat_map(|trial| &trial.rows).map(|row| row.rt_s).sum();
            Script { participant: player.participant, seconds, trials, seed }
        })
        .collect())
}

/// Report on the play of simulated people: their logs beside their scripts.
#[derive(Clone, Debug)]
pub struct SimulationReport {
    /// Accounting of the rows of their logs.
    pub account: RowAccounting,
    /// Numbers of moves at the levels that they came to: in their scripts, and in the logs.
    pub n_moves: [u64; 2],
}

/// Writes what the page sent, each file with its name, and a study of it to `target`, and reads it as a run does.
///
/// # Errors
///
/// [`ExperimentError`]; nothing was written, and what was at `target` is as it was.
pub fn keep(
    study: &Study,
    levels: &[ValuedLevel],
    scripts: &[Script],
    (form, sent): (Form, &[(String, String)]),
    target: &Path,
    progress: &dyn Progress,
) -> Result<SimulationReport, ExperimentError> {
    let folder = OutputFolder::create(target)?;
    let files: Vec<PathBuf> = sent.iter().map(|(name, _)| PathBuf::from(name)).collect();
    for ((_, content), name) in sent.iter().zip(&files) {
        let path = folder.path().join(name);
        std::fs::write(&path, content).map_err(failed("write", &path))?;
    }
    let log = LogSpec { files, preset: Some(form.preset().to_owned()), ..LogSpec::default() };
    let of_log = study_of_log(study, target, log.clone());
    let path = folder.path().join("study.toml");
    let text = toml::to_string(&of_log).map_err(|error| failed("write", &path)(std::io::Error::other(error)))?;
    std::fs::write(&path, text).map_err(failed("write", &path))?;
    // Read where it lies now.
    let mut read = study.clone();
    read.log = LogSpec { files: log.files.iter().map(|file| folder.path().join(file)).collect(), ..log };
    read.columns.clear();
    (read.include, read.exclude) = (Vec::new(), Vec::new());
    let play = plymap_run::play_all(&read, levels, progress)?;
    let Some(play) = play else { return Err(RunError::Interrupted.into()) };
    let mut n_moves = [0, 0];
    for trial in &*play.measures.trials {
        let participant = &play.measures.participants[trial.participant];
        let script = scripts.iter().find(|script| script.participant == *participant);
        n_moves[0] += script.and_then(|script| script.n_moves(&play.measures.levels[trial.level])).unwrap_or_default();
        n_moves[1] += trial.tally.n_moves;
    }
    Manifest::new(serde_json::json!({ "study": { "name": of_log.study.name } })).write(folder.path())?;
    folder.commit()?;
    Ok(SimulationReport { account: play.account, n_moves })
}

/// Returns true if rules that the scripts do not know can end the play of simulated people.
pub fn has_limits(study: &Study) -> bool {
    let experiment = study.experiment.clone().unwrap_or_default();
    let conditions = experiment.conditions().unwrap_or_default();
    conditions.iter().any(|(_, condition)| {
        condition.seconds.is_some() || condition.moves.is_some() || !condition.give_up || !condition.reset
    })
}
