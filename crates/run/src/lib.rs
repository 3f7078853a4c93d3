#![doc = include_str!("../README.md")]

use std::path::Path;

use crate::cache::Cache;
use crate::study::Study;
use baselines::compare;
use certificates::certify_levels;
use earlier::Earlier;
use parts::attempt;
use plymap_puzzles::progress::Progress;
use plymap_report::figures::section::{LEVELS, SCORES};
use plymap_report::{PartKind, RowCounts};
use publish::Publication;
use shards::play_within;
use tables::{Written, write_tables};

mod answers;
pub mod baseline;
mod baselines;
pub mod cache;
mod certificates;
mod content;
mod documents;
mod drawings;
mod earlier;
mod error;
mod expected_moves;
mod figures;
pub mod files;
mod inputs;
mod levels;
mod manifest;
mod maps;
mod methods;
mod options;
mod parts;
mod play;
pub mod publish;
mod results;
mod sample;
mod shards;
mod statistics;
pub mod study;
mod summary;
mod tables;

pub use certificates::{Certified, certify_level, write_checks};
pub use drawings::{Drawings, write_figures};
pub use error::RunError;
pub use error::continues;
pub use expected_moves::{ExpectedPlayer, expected_moves};
pub use figures::{
    NO_SUCH_FIGURE, check_figures, drawn_levels, figure_labels, figures_only, illustrate, named_figures,
};
pub use inputs::{files_with_ids, named_files, study_files};
use levels::n_states;
pub use levels::{level_distances, study_levels, value_levels};
pub use levels::{level_remarks, level_stems, no_script_error};
pub use manifest::{manifest, registration};
pub use maps::map_of_level;
pub use options::USUAL;
pub use options::{RunOptions, sections};
pub use play::play_of;
pub use play::{Play, RowAccounting, Totals, play_all};
pub use results::Results;
pub use sample::Sample;
pub use shards::{Division, LabelledMoves, Shards, divide, division_within, label_moves, label_shard, play};
pub use statistics::{Statistics, statistics};
pub use summary::RunSummary;
pub use tables::{write_distances, write_edges};

/// Runs a study and writes its results into `target`, which appears, or replaces an earlier run, only
/// when everything is done.
///
/// # Errors
///
/// [`RunError`]; nothing was written, and an earlier run is as it was.
pub fn run(
    study: &Study,
    study_file: &Path,
    target: &Path,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<RunSummary, RunError> {
    options.check(study)?;
    progress.begin("looking for changes", None);
    let earlier = Earlier::new(study, study_file, target, options)?;
    let unchanged = earlier.as_ref().and_then(Earlier::summary);
    progress.end();
    if let Some(summary) = unchanged {
        return Ok(summary);
    }
    let publication = Publication::new(study, study_file, target, options, progress)?;
    let (levels, level_files) = study_levels(study, progress)?;
    check_figures(study, &levels)?;
    let certified = certify_levels(&levels, progress)?;
    // What cannot be read is said before people's play is.
    let departures = manifest::departures(study, study_file, &level_files, &levels)?;
    let (play, merged) = play_within(study, &levels, options, publication.path(), progress)?;
    if let (Some(play), Some(most)) = (&play, study.log.max_unused) {
        refuse_rejects(play.account.counts, most)?;
    }
    let mut failed = Vec::new();
    let comparison = match options.wants(SCORES) {
        true => compare(study, &levels, play.as_ref(), options, &mut failed, progress)?,
        false => None,
    };
    let analyses: Vec<_> = study.statistics.analyses().filter(|analysis| options.wants(analysis.name)).collect();
    let statistics =
        play.as_ref().map(|play| statistics(study, play, &levels, &analyses, options, progress)).transpose()?;
    let results = Results { play: play.as_ref(), comparison: comparison.as_ref(), statistics: statistics.as_ref() };
    let Written { tables, n_rows, claims } =
        write_tables(study, &levels, &results, merged.as_ref(), &publication, progress)?;
    // With its folder.
    drop(merged);
    failed.extend(statistics.iter().flat_map(|statistics| statistics.failed.clone()));
    let mut drawings =
        publication.write_figures(|| illustrate(study, &study.figures.styles_of_page(), &levels, &results, options))?;
    drawings.failed.extend(failed);
    let page = publication.page("run", &tables, &drawings).of(play.as_ref(), n_rows);
    let mut content = page.content.clone();
    let make = || content::content(page, study, (&levels, certified), &results, &claims);
    match attempt(PartKind::Page, "report", make)? {
        Ok(whole) => content = whole,
        Err(part) => content.failed.push(part),
    }
    if let Some((summary, section)) = departures {
        let departed = section.paragraphs.iter().skip(1).map(String::as_str);
        let sentences: Vec<&str> = std::iter::once(summary.as_str()).chain(departed).collect();
        content.methods.push(sentences.join(" "));
        content.departures = summary;
        content.sections.insert(0, section);
    }
    if study.output.interactive && options.wants(LEVELS) && !options.is_fast {
        let (drawn, stems) = (drawn_levels(study, &levels)?, level_stems(&levels));
        let (seed, illustrations) = (study.simulation.seed, &drawings.illustrations);
        let make = || maps::maps((&levels, &drawn), &stems, play.as_ref(), seed, illustrations, progress);
        match attempt(PartKind::Maps, "of states", make)? {
            Ok(maps) => content.maps = maps,
            Err(part) => content.failed.push(part),
        }
    }
    content.failed.sort();
    let failed = publication.write_page(content, &drawings)?;
    if play.is_some() {
        publication.write_script()?;
    }
    let manifest = publication.manifest(&level_files, play.as_ref(), &levels, failed.clone())?;
    let n_files = publication.commit(manifest, &levels)?;
    let uses = options.cache.as_ref().map(Cache::uses).unwrap_or_default();
    let summary = RunSummary { failed, n_files, uses, ..RunSummary::new(target, &levels, play) };
    if let Some(earlier) = earlier {
        earlier.keep(&summary);
    }
    options.cache.iter().for_each(Cache::trim);
    Ok(summary)
}

/// Refuses a log of which more rows than the study allows cannot be used.
fn refuse_rejects(counts: RowCounts, most: f64) -> Result<(), RunError> {
    let unused = counts.rejected + counts.excluded;
    if unused as f64 > most * counts.read as f64 {
        return Err(RunError::TooManyUnused { unused, read: counts.read, most });
    }
    Ok(())
}
