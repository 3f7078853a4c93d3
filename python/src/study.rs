//! Studies: run whole, or divided into shards.

use std::path::PathBuf;

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
        let target = out.unwrap_or_else(|| study.target(""));
        let cache = if is_cached { Cache::of_study(&study) } else { None };
        let options = RunOptions { only, is_fast, cache, memory, shards };
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
