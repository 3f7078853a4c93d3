//! Studies: run whole, or divided into shards.

use std::path::PathBuf;

use plymap::power;
use plymap::simulation::simulate as simulate_study;
use plymap_run::cache::Cache;
use plymap_run::study::Study;
use plymap_run::{Division, RunOptions, Shards, divide, division_within, study_levels};
use pyo3::prelude::*;

use crate::error::Failed;
use crate::work::work;

/// Runs a study, from shards if they were made before; what it did, as JSON.
#[pyfunction]
#[pyo3(signature = (study, out, only, is_fast, memory, is_cached, shards, show=None))]
#[expect(clippy::too_many_arguments, reason = "the package gives each of them a default")]
pub fn run(
    py: Python<'_>,
    study: PathBuf,
    out: Option<PathBuf>,
    only: Vec<String>,
    is_fast: bool,
    memory: Option<u64>,
    is_cached: bool,
    shards: Option<PathBuf>,
    show: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    work(py, show.as_ref(), |progress| {
        let file = Study::file(&study);
        let study = Study::read(&file)?;
        let cache = if is_cached { Cache::of_study(&study) } else { None };
        let options = RunOptions { only, is_fast, cache, memory, shards };
        let target = out.unwrap_or_else(|| options.target(&study));
        let summary = plymap_run::run(&study, &file, &target, &options, progress)?;
        serde_json::to_string(&summary).map_err(|error| Failed::of(&error))
    })
}

/// All files that a study reads, itself among them.
#[pyfunction]
pub fn study_files(py: Python<'_>, study: PathBuf) -> PyResult<Vec<PathBuf>> {
    let files = || -> Result<Vec<PathBuf>, Failed> {
        let file = Study::file(&study);
        Ok(plymap_run::study_files(&Study::read(&file)?, &file)?)
    };
    py.detach(files).map_err(|failed| failed.raised(py))
}

/// Divides the log of a study into shards; rows and participants of each.
#[pyfunction]
#[pyo3(signature = (study, out, n, memory, show=None))]
pub fn shard(
    py: Python<'_>,
    study: PathBuf,
    out: PathBuf,
    n: Option<usize>,
    memory: Option<u64>,
    show: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<(u64, u64)>> {
    work(py, show.as_ref(), |progress| {
        let study = Study::read(&study)?;
        let division = n.map_or_else(|| division_within(memory.unwrap_or_default()), Division::Shards);
        let files = plymap_report::OutputFiles::create(&out)?;
        let log = divide(&study, division, files.path(), progress)?;
        files.commit()?;
        Ok(log.sizes().collect())
    })
}

/// Labels one shard, numbered from 1, on so many threads.
#[pyfunction]
#[pyo3(signature = (study, shards, number, threads, show=None))]
pub fn label_shard(
    py: Python<'_>,
    study: PathBuf,
    shards: PathBuf,
    number: usize,
    threads: Option<usize>,
    show: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    work(py, show.as_ref(), |progress| {
        let study = Study::read(&study)?;
        let opened = Shards::open(&study, &shards)?;
        let index = opened.index(number)?;
        let (levels, _) = study_levels(&study, progress)?;
        let n_threads = threads.unwrap_or_else(rayon::current_num_threads);
        Ok(plymap_run::label_shard(&study, &levels, &opened, index, n_threads, progress)?)
    })
}

/// Lets the cohorts of a study play its levels; returns the folder, and numbers of participants, trials, solved trials
/// and rows.
#[pyfunction]
#[pyo3(signature = (study, out, seed, show=None))]
pub fn simulate(
    py: Python<'_>,
    study: PathBuf,
    out: Option<PathBuf>,
    seed: Option<u64>,
    show: Option<Bound<'_, PyAny>>,
) -> PyResult<(PathBuf, [usize; 4])> {
    work(py, show.as_ref(), |progress| {
        let file = Study::file(&study);
        let mut study = Study::read(&file)?;
        if study.cohort.is_empty() {
            return Err(Failed::new(format!(
                "{} has no [[cohort]]: nobody would play; docs/simulation.md shows how to describe one",
                file.display()
            )));
        }
        study.simulation.seed = seed.unwrap_or(study.simulation.seed);
        let target = out.unwrap_or_else(|| study.target("-simulated"));
        let summary = simulate_study(&study, &file, &target, progress)?;
        Ok((target, [summary.n_participants, summary.n_trials, summary.n_solved, summary.n_rows]))
    })
}

/// Computes the power that a study asks for; returns the folder, and the number of participants that reaches it.
#[pyfunction]
#[pyo3(signature = (study, out, repeats, show=None))]
pub fn power_curve(
    py: Python<'_>,
    study: PathBuf,
    out: Option<PathBuf>,
    repeats: Option<u32>,
    show: Option<Bound<'_, PyAny>>,
) -> PyResult<(PathBuf, Option<u32>)> {
    work(py, show.as_ref(), |progress| {
        let file = Study::file(&study);
        let study = Study::read(&file)?;
        let Some(mut question) = study.power.clone() else {
            return Err(Failed::new(format!(
                "{} has no [power]: nothing is asked; docs/simulation.md shows how to ask",
                file.display()
            )));
        };
        question.repeats = repeats.unwrap_or(question.repeats);
        let target = out.unwrap_or_else(|| study.target("-power"));
        let (curve, _) = power::run(&study, &question, &file, &target, progress)?;
        Ok((target, curve.needed))
    })
}
