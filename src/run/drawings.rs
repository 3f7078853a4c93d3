//! Which figures a study wants, and what they need.

use plymap_figures::{MessageRecorder, Styles, begins_with};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::publish::write_figures;
use super::{Results, RunError, RunOptions, Statistics, compare, level_stems, play, statistics, study_levels};
use crate::analysis::Analysis;
use crate::baseline;
use crate::cache::Cache;
use crate::figures::{self, FigureKind, Illustration, KINDS, Scene, Subject, section};
use crate::report::OutputFiles;
use crate::study::Study;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;

/// How many levels are drawn one by one where `[figures]` names none.
const LEVELS_DRAWN: usize = 3;

/// The figure of what became of all rows and people, whoever was drawn for the others.
const OF_ALL: &str = "participant-flow";

/// The figures that the study wants.
///
/// # Errors
///
/// A figure that cannot be drawn, or an unknown level or figure in `[figures]`.
pub fn illustrate(
    study: &Study,
    styles: &Styles,
    levels: &[ValuedLevel],
    results: &Results,
    options: &RunOptions,
) -> Result<Vec<Illustration>, RunError> {
    let &Results { play, comparison, statistics } = results;
    let is_thinking = statistics.map(Statistics::is_thinking).unwrap_or_default();
    let scene = play.zip(statistics).map(|(play, statistics)| Scene {
        measures: &play.measures,
        levels,
        data: &statistics.data,
        is_thinking: &is_thinking,
        flow: play.row_flow(),
        tables: statistics.all_tables().collect(),
        confidence: study.statistics.confidence,
        seed: study.simulation.seed,
        styles,
    });
    let mut illustrations = Vec::new();
    if let Some(scene) = &scene {
        illustrations.extend(figures::people(scene, wanted_kinds(study, options))?);
    }
    let remark = play.and_then(|play| play.sample.as_ref()).map(|sample| format!("; of {sample}"));
    let of_sample = |illustrations: &mut [Illustration]| {
        for illustration in illustrations.iter_mut().filter(|one| !begins_with(&one.figure.name, OF_ALL)) {
            illustration.sentence.extend(remark.clone());
        }
    };
    of_sample(&mut illustrations);
    let is_wanted = |subject: Subject| wanted_kinds(study, options).any(|kind| kind.subject == subject);
    if let Some(comparison) = comparison.filter(|_| options.are_usual() || is_wanted(Subject::Baseline)) {
        let mut drawn = baseline::figures(comparison, study.simulation.seed, styles)?;
        of_sample(&mut drawn);
        illustrations.extend(drawn);
    }
    let stems = level_stems(levels);
    for level in drawn_levels(study, levels)? {
        let stem = stems.stem(&level.id);
        if is_wanted(Subject::Level) {
            illustrations.extend(figures::state_graph(level, &stem, study.figures.colours, styles)?);
            illustrations.extend(figures::solution(level, &stem, styles)?);
        }
        if let Some(scene) = scene.as_ref().filter(|_| is_wanted(Subject::PeopleOnMap)) {
            let mut drawn = figures::on_the_map(scene, level, &stem, study.figures.colours)?;
            of_sample(&mut drawn);
            illustrations.extend(drawn);
        }
    }
    // What a part of a run does not draw may be named all the same.
    if options.are_usual() {
        check_names(study, &illustrations)?;
    }
    illustrations.retain(|one| study.figures.wants(&one.figure.name));
    Ok(illustrations)
}

/// The kinds of figures of which the study can want some.
fn wanted_kinds(study: &Study, options: &RunOptions) -> impl Iterator<Item = &'static FigureKind> {
    let is_shown = |kind: &&FigureKind| options.shows(kind.section) && (kind.is_answer || !options.is_fast);
    let of_study = KINDS.iter().filter(|kind| has_analysis(study, kind) && kind.is_among(&study.figures.only));
    of_study.filter(is_shown)
}

/// Whether the study makes the analysis that figures of this kind are drawn from.
fn has_analysis(study: &Study, kind: &FigureKind) -> bool {
    kind.analysis().is_none_or(|needed| study.analyses().any(|analysis| analysis.name == needed.name))
}

/// Whether the study names only figures that there are.
fn check_names(study: &Study, illustrations: &[Illustration]) -> Result<(), RunError> {
    let made: Vec<&str> = illustrations.iter().map(|one| one.figure.name.as_str()).collect();
    // Kinds that are not wanted were not drawn: what they are called is known all the same.
    let is_left_out = |kind: &&FigureKind| has_analysis(study, kind) && !kind.is_among(&study.figures.only);
    let left_out: Vec<&str> = KINDS.iter().filter(is_left_out).map(|kind| kind.words).collect();
    let is_made = |name: &String| made.iter().any(|made| begins_with(made, name));
    let is_left_out = |name: &String| left_out.iter().any(|words| begins_with(name, words) || begins_with(words, name));
    let unknown = study.figures.only.iter().find(|name| !is_made(name));
    let unknown = unknown.or_else(|| study.figures.each.keys().find(|name| !is_made(name) && !is_left_out(name)));
    let of_name = |name: &String| KINDS.iter().find(|kind| kind.is_among(std::slice::from_ref(name)));
    match unknown {
        None => Ok(()),
        Some(name) => {
            if let Some(kind) = of_name(name).filter(|kind| !has_analysis(study, kind)) {
                let analysis = section::analysis(kind.section);
                return Err(RunError::FigureOfNoAnalysis { name: name.clone(), analysis });
            }
            let known = made.into_iter().chain(left_out).collect::<Vec<_>>().join(", ");
            Err(RunError::UnknownFigure { name: name.clone(), known })
        }
    }
}

/// The levels that are drawn one by one: those that `[figures]` names, else the first ones.
///
/// # Errors
///
/// [`RunError::UnknownLevel`] if it names one that the study does not have.
pub fn drawn_levels<'a>(study: &Study, levels: &'a [ValuedLevel]) -> Result<Vec<&'a ValuedLevel>, RunError> {
    if study.figures.levels.is_empty() {
        return Ok(levels.iter().take(LEVELS_DRAWN).collect());
    }
    let mut names = study.figures.levels.clone();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let named = names.iter().map(|name| {
        levels.iter().find(|level| level.id == *name).ok_or_else(|| {
            let known = levels.iter().map(|level| level.id.as_str()).collect::<Vec<_>>().join(", ");
            RunError::UnknownLevel { level: name.clone(), known }
        })
    });
    named.collect()
}

/// Draws only the figures of a study into `target`, beside what may be there; figures of the same names are
/// replaced. `names`, if there are any, stand for those of the study: the name of a figure is that one alone, other words
/// are all figures whose names begin with them. What the wanted figures do not need is not computed.
///
/// # Errors
///
/// As for [`run`](super::run()); if writing fails or is interrupted, what is in `target` is as it was.
pub fn figures_only(
    study: &Study,
    names: &[String],
    target: &Path,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Vec<String>, RunError> {
    let mut study = study.clone();
    if !names.is_empty() {
        study.figures.only = names.to_vec();
    }
    let mut illustrations = drawn(&study, &study.figures.styles(), options, progress)?;
    let made: HashSet<String> = illustrations.iter().map(|one| one.figure.name.clone()).collect();
    let is_meant = |words: &String, name: &str| words == name || begins_with(name, words) && !made.contains(words);
    illustrations.retain(|one| names.is_empty() || names.iter().any(|words| is_meant(words, &one.figure.name)));
    let study = &study;
    let files = OutputFiles::create(target)?;
    write_figures(&study.figures, &illustrations, files.path(), options.cache.as_ref(), progress)?;
    files.commit()?;
    options.cache.iter().for_each(Cache::trim);
    Ok(illustrations.into_iter().map(|illustration| illustration.figure.name).collect())
}

/// The labels of the figures that a study wants, as `[figures.labels]` names them: in English, numbers as `{}`, and
/// whether there are words for each in the language of the study. Names are among those without.
///
/// # Errors
///
/// As for [`figures_only`].
pub fn figure_labels(study: &Study, progress: &dyn Progress) -> Result<BTreeMap<String, bool>, RunError> {
    let recorder = MessageRecorder::default();
    let styles = study.figures.styles();
    let language = styles.language.clone().recorded_by(&recorder);
    drawn(study, &Styles { language, ..styles }, &RunOptions::default(), progress)?;
    Ok(recorder.phrases())
}

/// Draws the figures that a study wants; what they do not need is not computed.
fn drawn(
    study: &Study,
    styles: &Styles,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Vec<Illustration>, RunError> {
    let (levels, _) = study_levels(study, progress)?;
    let needs = |subject: Subject| wanted_kinds(study, options).any(|kind| kind.subject == subject);
    let needs_play = wanted_kinds(study, options).any(|kind| kind.subject != Subject::Level);
    let play = if needs_play { play(study, &levels, progress)? } else { None };
    let comparison =
        if needs(Subject::Baseline) { compare(study, &levels, play.as_ref(), options, progress)? } else { None };
    let is_needed = |analysis: &&'static Analysis| {
        wanted_kinds(study, options).any(|kind| kind.analysis().is_some_and(|own| own.name == analysis.name))
    };
    let analyses: Vec<_> = study.analyses().filter(is_needed).collect();
    let statistics =
        play.as_ref().map(|play| statistics(study, play, &levels, &analyses, options, progress)).transpose()?;
    let results = Results { play: play.as_ref(), comparison: comparison.as_ref(), statistics: statistics.as_ref() };
    progress.begin("drawing figures", None);
    let illustrations = illustrate(study, styles, &levels, &results, options)?;
    progress.end();
    Ok(illustrations)
}
