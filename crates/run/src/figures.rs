//! Figures of a run: those that the study asks for, drawn from its results.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::baseline;
use crate::cache::Cache;
use crate::study::Study;
use plymap_analysis::Analysis;
use plymap_figures::{MessageRecorder, Styles, begins_with, is_related};
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::figures::{FigureInput, FigureKind, KINDS, Kind, Subject, section};
use plymap_report::{FailedPart, OutputFiles, PartKind, figures};
use plymap_tables::parallel::map_in_order;

use super::baselines::compare;
use super::drawings::{Drawings, write_figures};
use super::{Results, RunError, RunOptions, Statistics, level_stems, play, statistics, study_levels};

/// Number of levels that are drawn one by one where `[figures]` names none.
const LEVELS_DRAWN: usize = 3;

/// The figures that the study wants.
///
/// # Errors
///
/// An unknown level in `[figures]`.
pub fn illustrate(
    study: &Study,
    styles: &Styles,
    levels: &[ValuedLevel],
    results: &Results,
    options: &RunOptions,
) -> Result<Drawings, RunError> {
    let &Results { play, comparison, statistics } = results;
    let is_thinking = statistics.map(Statistics::is_thinking).unwrap_or_default();
    let input = play.zip(statistics).map(|(play, statistics)| FigureInput {
        measures: &play.measures,
        levels,
        data: &statistics.data,
        is_thinking: &is_thinking,
        flow: play.row_flow(),
        tables: statistics.all_tables().collect(),
        confidence: study.statistics.confidence,
        seed: study.simulation.seed,
        is_pilot: play.is_pilot(),
        groups: study.figures.group_figures(),
        first_groups: &study.figures.first_groups,
        styles,
    });
    let sample = play.and_then(|play| play.sample.as_ref());
    let remark = sample.map(|sample| format!("; of {sample}")).unwrap_or_default();
    let mut drawings = Drawings::default();
    let kinds = input.iter().flat_map(|input| wanted_kinds(study, options).map(move |kind| (input, kind)));
    drawings.extend(map_in_order(kinds.collect(), |(input, kind): (&FigureInput, &FigureKind)| {
        Drawings::of(kind.kind.name(), || kind.sketches(input), styles, &remark)
    })?);
    let is_wanted = |subject: Subject| wanted_kinds(study, options).any(|kind| kind.subject == subject);
    if let Some(comparison) = comparison.filter(|_| options.are_usual() || is_wanted(Subject::Baseline)) {
        let sketch = || Ok(baseline::figures(comparison, study.simulation.seed));
        drawings.extend([Drawings::of(Kind::Players.name(), sketch, styles, &remark)?]);
    }
    let (stems, colours) = (level_stems(levels), study.figures.colours);
    let (with_levels, with_traffic) = (is_wanted(Subject::Level), is_wanted(Subject::PeopleOnMap));
    drawings.extend(map_in_order(drawn_levels(study, levels)?, |level| {
        let stem = stems.stem(&level.id);
        let mut of_level = Drawings::default();
        if with_levels {
            let sketch = || {
                let graph = figures::state_graph(level, &stem, colours);
                Ok(graph.into_iter().chain(figures::solution(level, &stem)).collect())
            };
            of_level.extend([Drawings::of(&format!("state-graph-{stem}"), sketch, styles, "")?]);
        }
        if let Some(input) = input.as_ref().filter(|_| with_traffic) {
            let sketch = || figures::on_the_map(input, level, &stem, colours);
            of_level.extend([Drawings::of(&format!("traffic-{stem}"), sketch, styles, &remark)?]);
        }
        Ok::<_, RunError>(of_level)
    })?);
    // What a part of a run does not draw may be named all the same.
    if options.are_usual() {
        let missing = missing_figures(study, &drawings);
        drawings.failed.extend(missing);
    }
    let Drawings { illustrations, failed } = &mut drawings;
    illustrations.retain(|illustration| study.figures.wants(&illustration.figure.name));
    failed.retain(|part| {
        study.figures.only.is_empty() || study.figures.only.iter().any(|words| is_related(&part.name, words))
    });
    Ok(drawings)
}

/// The kinds of figures of which the study can want some.
fn wanted_kinds(study: &Study, options: &RunOptions) -> impl Iterator<Item = &'static FigureKind> {
    let is_shown = |kind: &&FigureKind| options.shows(kind.section) && (kind.is_answer || !options.is_fast);
    let of_study = KINDS.iter().filter(|kind| has_analysis(study, kind) && kind.is_among(&study.figures.only));
    of_study.filter(is_shown)
}

/// Returns true if the study makes the analysis that figures of this kind are drawn from.
fn has_analysis(study: &Study, kind: &FigureKind) -> bool {
    kind.analysis().is_none_or(|needed| study.statistics.analyses().any(|analysis| analysis.name == needed.name))
}

/// Refuses names in `[figures]` that no study, or not this one, can have: of levels, of figures, and of figures of
/// analyses that the study leaves out.
///
/// # Errors
///
/// [`RunError::UnknownLevel`], [`RunError::UnknownFigure`], [`RunError::FigureOfNoAnalysis`].
pub fn check_figures(study: &Study, levels: &[ValuedLevel]) -> Result<(), RunError> {
    drawn_levels(study, levels)?;
    check_names(study, study.figures.only.iter().chain(study.figures.each.keys()), "[figures]")
}

/// Refuses names of figures that the study cannot have; `named_in` is where they stand.
fn check_names<'a>(
    study: &Study,
    names: impl IntoIterator<Item = &'a String>,
    named_in: &'static str,
) -> Result<(), RunError> {
    for name in names {
        let mut kinds = KINDS.iter().filter(|kind| kind.is_among(std::slice::from_ref(name))).peekable();
        let Some(&first) = kinds.peek() else {
            let known = KINDS.iter().map(|kind| kind.kind.name()).collect::<Vec<_>>().join(", ");
            return Err(RunError::UnknownFigure { named_in, name: name.clone(), known });
        };
        if !kinds.any(|kind| has_analysis(study, kind)) {
            let analysis = section::analysis(first.section);
            return Err(RunError::FigureOfNoAnalysis { named_in, name: name.clone(), analysis });
        }
    }
    Ok(())
}

/// Reason of a figure that the study names and does not have.
pub const NO_SUCH_FIGURE: &str = "it is asked for, and this study has no figure whose name is or begins with it";

/// The figures that the study names and that were not made, though there could be such.
fn missing_figures(study: &Study, drawings: &Drawings) -> Vec<FailedPart> {
    let drawn: Vec<&str> =
        drawings.illustrations.iter().map(|illustration| illustration.figure.name.as_str()).collect();
    let is_told = |name: &String| {
        let failed = || drawings.failed.iter().map(|part| part.name.as_str());
        drawn.iter().copied().chain(failed()).any(|drawn| is_related(drawn, name))
    };
    // Kinds that are not wanted were not drawn: what they are called is known all the same.
    let is_left_out = |name: &&String| {
        let mut kinds = KINDS.iter().filter(|kind| !kind.is_among(&study.figures.only));
        !kinds.any(|kind| is_related(name, kind.kind.name()))
    };
    let changed = study.figures.each.keys().filter(is_left_out);
    let missing = study.figures.only.iter().chain(changed).filter(|name| !is_told(name));
    let failed = |name: &String| FailedPart {
        kind: PartKind::Figure,
        name: name.clone(),
        reason: NO_SUCH_FIGURE.to_owned(),
        remedy: format!("take the name out, or name one of {}", drawn.join(", ")),
    };
    missing.map(failed).collect()
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

/// Draws figures of a study. `names`, if there are any, stand for those of the study: the name of a figure is that one
/// alone, other words are all figures whose names begin with them. What the wanted figures do not need is not computed.
///
/// # Errors
///
/// As for [`run`](super::run()).
pub fn named_figures(
    study: &Study,
    names: &[String],
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Drawings, RunError> {
    let study = of_names(study, names)?;
    let Drawings { mut illustrations, failed } = drawn(&study, &study.figures.styles(), options, progress)?;
    let drawn_names: HashSet<String> =
        illustrations.iter().map(|illustration| illustration.figure.name.clone()).collect();
    let is_meant =
        |words: &String, name: &str| words == name || begins_with(name, words) && !drawn_names.contains(words);
    illustrations.retain(|illustration| {
        names.is_empty() || names.iter().any(|words| is_meant(words, &illustration.figure.name))
    });
    Ok(Drawings { illustrations, failed })
}

/// Draws only [`named_figures`] of a study into `target`, beside what may be there; figures of the same names are
/// replaced.
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
) -> Result<Drawings, RunError> {
    let Drawings { illustrations, mut failed } = named_figures(study, names, options, progress)?;
    let files = OutputFiles::create(target)?;
    failed.extend(write_figures(&study.figures, &illustrations, files.path(), options.cache.as_ref(), progress)?);
    files.commit()?;
    options.cache.iter().for_each(Cache::trim);
    Ok(Drawings { illustrations, failed })
}

/// The study with these figures in place of its own, if there are any.
fn of_names(study: &Study, names: &[String]) -> Result<Study, RunError> {
    check_names(study, names, "--only")?;
    let mut study = study.clone();
    if !names.is_empty() {
        study.figures.only = names.to_vec();
    }
    Ok(study)
}

/// The labels of the figures that a study wants, as `[figures.labels]` names them: in English, numbers as `{}`, and
/// whether there are words for each in the language of the study. Names are among those without. `names`, if there are any,
/// stand for those of the study.
///
/// # Errors
///
/// As for [`figures_only`].
pub fn figure_labels(
    study: &Study,
    names: &[String],
    progress: &dyn Progress,
) -> Result<BTreeMap<String, bool>, RunError> {
    let study = &of_names(study, names)?;
    let recorder = MessageRecorder::default();
    let styles = study.figures.styles();
    let language = styles.language.clone().recorded_by(&recorder);
    drawn(study, &Styles { language, ..styles }, &RunOptions::default(), progress)?;
    Ok(recorder.phrases())
}

/// Draws the figures that a study wants; what they do not need is not computed.
fn drawn(study: &Study, styles: &Styles, options: &RunOptions, progress: &dyn Progress) -> Result<Drawings, RunError> {
    let (levels, _) = study_levels(study, progress)?;
    check_figures(study, &levels)?;
    let needs = |subject: Subject| wanted_kinds(study, options).any(|kind| kind.subject == subject);
    let needs_play = wanted_kinds(study, options).any(|kind| kind.subject != Subject::Level);
    let play = if needs_play { play(study, &levels, progress)? } else { None };
    let mut failed = Vec::new();
    let comparison = match needs(Subject::Baseline) {
        true => compare(study, &levels, play.as_ref(), options, &mut failed, progress)?,
        false => None,
    };
    let is_needed = |analysis: &&'static Analysis| {
        wanted_kinds(study, options).any(|kind| kind.analysis().is_some_and(|needed| needed.name == analysis.name))
    };
    let analyses: Vec<_> = study.statistics.analyses().filter(is_needed).collect();
    let statistics =
        play.as_ref().map(|play| statistics(study, play, &levels, &analyses, options, progress)).transpose()?;
    let results = Results { play: play.as_ref(), comparison: comparison.as_ref(), statistics: statistics.as_ref() };
    progress.begin("drawing figures", None);
    let mut drawings = illustrate(study, styles, &levels, &results, options)?;
    progress.end();
    drawings.failed.extend(failed);
    drawings.failed.extend(statistics.into_iter().flat_map(|statistics| statistics.failed));
    Ok(drawings)
}
