//! A whole study: levels and logs in; tables, figures and a report out.
//!
//! The stages are functions of their own, so that `plymap label` or `plymap stats` stop where they need
//! to. A run is a function of its inputs: the same study writes the same bytes, with any number of
//! threads.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::analysis::dataset::Dataset;
use crate::analysis::{self, Analysis, Context, Findings};
use crate::baseline::{self, Comparison};
use crate::claims::{Checked, ClaimsError, check_claims, claims_table};
use crate::figures::FigureError;
use crate::label::{Labelled, label};
use crate::level_tables::{distance_table, edge_table, levels_table};
use crate::log::replay::{Replay, replay};
use crate::log::{IssueSummary, Log, LogError, issues_table, read_log, summarise};
use crate::measure::{self, Measures};
use crate::parallel::map_in_order;
use crate::player::PlayError;
use crate::player::cohort::CohortError;
use crate::report::{Manifest, OutputFolder, ReportError, TableFormat, input_name, safe_stem, write_table_as};
use crate::study::Study;
use crate::table::Table;
use plymap_figures::ChartError;
use plymap_puzzles::fault::{Fault, Severity};
use plymap_puzzles::game::{Preparation, Store, Valuation, ValueError};
use plymap_puzzles::graph::{MapError, MapOptions};
use plymap_puzzles::progress::{CancelOnly, Progress};
use plymap_puzzles::valuation::{
    LevelSummary, LoadError, LoadedLevel, ValuationError, ValuationOptions, ValuedLevel, load_levels,
};
use plymap_statistics::phase::Mode;
use polars::prelude::PolarsError;
use publish::{make_folder, write_figures};

mod content;
mod drawings;
mod maps;
mod methods;
pub(crate) mod publish;
mod references;

pub use drawings::{drawn_levels, figure_labels, figures_only, illustrate};

/// Why a run ended without a result. Nothing was written, and an earlier run is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Levels could not be loaded, or hold faults.
    #[error(transparent)]
    Levels(#[from] LoadError),
    /// The positions of a level could not be valued.
    #[error("level {level:?}: {source}")]
    Valuation {
        /// The level.
        level: String,
        /// Why not.
        source: ValuationError,
    },
    /// A log could not be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// `[figures]` names a level that the study does not have.
    #[error("[figures] levels names {level:?}, and the study has no such level; it has {known}")]
    UnknownLevel {
        /// The name.
        level: String,
        /// The levels that there are.
        known: String,
    },
    /// `[figures]` names a figure that this study does not have.
    #[error(
        "[figures] names the figure {name:?}, and there is none whose name is or begins with it; there are {known}"
    )]
    UnknownFigure {
        /// The name.
        name: String,
        /// The figures that there are.
        known: String,
    },
    /// `[figures]` names a figure of an analysis that the study leaves out.
    #[error(
        "[figures] names the figure {name:?}, which is drawn from the analysis {analysis:?}; add it to analyses in [statistics]"
    )]
    FigureOfNoAnalysis {
        /// The name.
        name: String,
        /// The analysis.
        analysis: &'static str,
    },
    /// A table could not be built.
    #[error("a table could not be built")]
    Frame(#[from] PolarsError),
    /// A figure could not be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// Something could not be written.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// Claims could not be read.
    #[error(transparent)]
    Claims(#[from] ClaimsError),
    /// A cohort of simulated players is not one.
    #[error(transparent)]
    Cohort(#[from] CohortError),
    /// A simulated player could not play.
    #[error(transparent)]
    Play(PlayError),
    /// Rows of the log were lost or invented: a defect of plymap.
    #[error("{read} rows were read, but {accounted} are accounted for; please report this as a defect of plymap")]
    RowsNotConserved {
        /// Rows read.
        read: u64,
        /// Rows replayed, rejected and excluded.
        accounted: u64,
    },
    /// The caller asked to stop.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl From<FigureError> for RunError {
    fn from(error: FigureError) -> Self {
        match error {
            FigureError::Chart(error) => Self::Chart(error),
            FigureError::Table(error) => Self::Frame(error),
        }
    }
}

impl From<PlayError> for RunError {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Interrupted => Self::Interrupted,
            error => Self::Play(error),
        }
    }
}

/// Maps levels side by side, or prepares their game to value them; the result is in their order, with the
/// faults that this reveals.
///
/// # Errors
///
/// [`RunError::Valuation`] for the first level that cannot be valued, [`RunError::Interrupted`].
pub fn value_levels<T: Send>(
    levels: Vec<LoadedLevel>,
    game: &'static str,
    options: &ValuationOptions,
    progress: &dyn Progress,
    use_level: impl Fn(ValuedLevel) -> Result<T, RunError> + Sync,
) -> Result<Vec<(T, Option<Fault>)>, RunError> {
    prepare(&levels, options, progress)?;
    progress.begin("mapping levels", Some(levels.len() as u64));
    let cancel = CancelOnly(progress);
    let options = ValuationOptions { map: MapOptions { progress: &cancel, ..options.map }, ..*options };
    let mapped = map_in_order(levels, |level| {
        if progress.is_cancelled() {
            return Err(RunError::Interrupted);
        }
        let (id, origin) = (level.origin.id.clone(), level.origin.clone());
        let mapped = ValuedLevel::new(level, game, &options).map_err(|source| match source {
            source if source.is_interruption() => RunError::Interrupted,
            source => RunError::Valuation { level: id, source },
        })?;
        let fault = origin.fault_of_start(mapped.start_value, mapped.n_states());
        let used = use_level(mapped)?;
        progress.advance(1);
        Ok((used, fault))
    })?;
    progress.end();
    Ok(mapped)
}

/// Lets games that value positions themselves do what takes long, one level after the other, so that each can
/// tell where it stands.
fn prepare(levels: &[LoadedLevel], options: &ValuationOptions, progress: &dyn Progress) -> Result<(), RunError> {
    for level in levels.iter().filter(|level| level.rules.valuation() != Valuation::Map) {
        let preparation = Preparation { progress, store: options.store };
        level.rules.prepare(&preparation).map_err(|source| match source {
            ValueError::Interrupted => RunError::Interrupted,
            source => RunError::Valuation { level: level.origin.id.clone(), source: source.into() },
        })?;
    }
    Ok(())
}

/// The levels of a study, mapped.
///
/// # Errors
///
/// Every fault of every level, the unsolvable and the already solved among them.
pub fn study_levels(study: &Study, progress: &dyn Progress) -> Result<(Vec<ValuedLevel>, Vec<PathBuf>), RunError> {
    let (game, rules) = (study.game(), study.rule_options());
    let levels = load_levels(&study.level_files(), &study.level_columns(), game, &rules)?;
    let mut files: Vec<PathBuf> = levels.iter().map(|level| level.origin.source.path.clone()).collect();
    files.dedup();
    let store = study.store();
    let options = ValuationOptions {
        map: MapOptions {
            max_states: study.map.max_states,
            expand_goals: study.map.expand_goals,
            ..MapOptions::default()
        },
        store: store.as_ref().map(|store| store as &dyn Store),
    };
    let mapped = value_levels(levels, game.name, &options, progress, Ok)?;
    let (mapped, faults): (Vec<_>, Vec<_>) = mapped.into_iter().unzip();
    let is_wanted = |fault: &Fault| study.levels.allow_unsolvable && fault.code == "unsolvable";
    let faults: Vec<Fault> = faults.into_iter().flatten().filter(|fault| !is_wanted(fault)).collect();
    if faults.iter().any(|fault| fault.severity == Severity::Error) {
        return Err(LoadError(faults).into());
    }
    Ok((mapped, files))
}

/// What people did, replayed, labelled and measured.
#[derive(Debug)]
pub struct Play {
    /// The canonical log.
    pub log: Log,
    /// Which of its rows could be replayed.
    pub replay: Replay,
    /// The labelled moves, and the replayed rows that could not be labelled.
    pub labelled: Labelled,
    /// What is measured of attempts, trials, participants and levels.
    pub measures: Measures,
}

/// How many rows of the logs went where: read = accepted + rejected, accepted = replayed + excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowCounts {
    /// Rows in the files.
    pub read: u64,
    /// Rows that could be understood and played.
    pub accepted: u64,
    /// Rows that could not.
    pub rejected: u64,
    /// Accepted rows that are in the table `moves`.
    pub replayed: u64,
    /// Accepted rows that are not: they follow a rejected row, or belong to no level of the study.
    pub excluded: u64,
}

impl Play {
    /// How many rows went where.
    pub fn counts(&self) -> RowCounts {
        let rejected = self.log.n_rejected + self.replay.n_rejected;
        let replayed = self.labelled.moves.data.height() as u64;
        let excluded = self.replay.n_excluded + self.labelled.issues.len() as u64;
        RowCounts { read: self.log.n_read, accepted: self.log.n_read - rejected, rejected, replayed, excluded }
    }

    /// The table of everything that was rejected, excluded or noticed.
    ///
    /// # Errors
    ///
    /// Never in practice: polars builds the frame from columns of equal length.
    pub fn rejects(&self) -> Result<Table, LogError> {
        issues_table(&self.issues())
    }

    /// Everything that was noticed, by kind.
    pub fn issue_summaries(&self) -> Vec<IssueSummary> {
        summarise(&self.issues())
    }

    fn issues(&self) -> Vec<crate::log::LogIssue> {
        let mut issues = [&self.log.issues[..], &self.replay.issues, &self.labelled.issues].concat();
        issues.sort_by(|one, other| (&one.file, one.row).cmp(&(&other.file, other.row)));
        issues
    }
}

/// Reads, replays, labels and measures the logs of a study; nothing if it has none.
///
/// # Errors
///
/// A log that cannot be read at all, or the request to stop.
pub fn play(study: &Study, levels: &[ValuedLevel], progress: &dyn Progress) -> Result<Option<Play>, RunError> {
    let Some(spec) = study.log_spec() else { return Ok(None) };
    let log = read_log(&spec, progress).map_err(|error| match error {
        LogError::Cancelled => RunError::Interrupted,
        error => error.into(),
    })?;
    let rules: Vec<_> = levels.iter().map(|level| (level.id.as_str(), &*level.rules)).collect();
    let replay = replay(&log, &rules, study.log.illegal_moves, progress)?;
    if progress.is_cancelled() {
        return Err(RunError::Interrupted);
    }
    let labelled = label(&log, &replay, levels, progress)?;
    if progress.is_cancelled() {
        return Err(RunError::Interrupted);
    }
    let issues = [&log.issues[..], &replay.issues, &labelled.issues].concat();
    let measures = Measures::new(&labelled.log, &issues, levels);
    let play = Play { log, replay, labelled, measures };
    let RowCounts { read, rejected, replayed, excluded, .. } = play.counts();
    if replayed + rejected + excluded != read {
        return Err(RunError::RowsNotConserved { read, accounted: replayed + rejected + excluded });
    }
    Ok(Some(play))
}

/// Participants compared with simulated baselines; nothing without people, or if the study wants no such players.
fn compare(
    study: &Study,
    levels: &[ValuedLevel],
    play: Option<&Play>,
    progress: &dyn Progress,
) -> Result<Option<Comparison>, RunError> {
    let Some(play) = play else { return Ok(None) };
    baseline::compare(study, levels, &play.measures, progress)
}

/// The statistics of a study.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// Correlations, and time and quality.
    pub tables: Vec<Table>,
    /// The analyses that the study wants, in the order of the report.
    pub findings: Vec<Findings>,
    /// All measured moves, as the analyses took them.
    pub data: Dataset,
}

impl Statistics {
    /// For each move of the data whether it was made while thinking; absent where that is not known.
    fn is_thinking(&self) -> Vec<Option<bool>> {
        let phases = self.findings.iter().find_map(|findings| findings.phases.as_ref());
        let by_row: HashMap<u32, Mode> = phases.into_iter().flat_map(|phases| phases.rows.iter().copied()).collect();
        self.data.moves.iter().map(|one| by_row.get(&one.row).map(|&mode| mode == Mode::Thinking)).collect()
    }

    /// All tables.
    pub fn all_tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().chain(self.findings.iter().flat_map(|findings| &findings.tables))
    }
}

/// The statistics of a study, with these analyses.
///
/// # Errors
///
/// If a column of the table `moves` is missing, or the caller asks to stop.
pub fn statistics(
    study: &Study,
    play: &Play,
    levels: &[ValuedLevel],
    analyses: &[&'static Analysis],
    progress: &dyn Progress,
) -> Result<Statistics, RunError> {
    let confidence = study.statistics.confidence;
    let times = analysis::times_by_quality(&play.measures.trials);
    let tables = vec![
        analysis::correlations_table(&analysis::correlations(&play.measures, confidence))?,
        analysis::time_by_quality_table(&times, play.measures.unit, confidence)?,
        analysis::quality_by_level_table(&play.measures, confidence)?,
    ];
    let data = Dataset::new(&play.labelled.log, &play.measures, levels);
    let context = Context { data: &data, confidence, seed: study.simulation.seed };
    progress.begin("analysing", Some(analyses.len() as u64));
    let mut findings = Vec::new();
    for analysis in analyses {
        findings.push(analysis.run(&context, levels)?);
        progress.advance(1);
        if progress.is_cancelled() {
            return Err(RunError::Interrupted);
        }
    }
    progress.end();
    Ok(Statistics { tables, findings, data })
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// Where it wrote.
    pub folder: PathBuf,
    /// Number of levels.
    pub n_levels: u64,
    /// Number of states of all levels that were mapped; absent if none was.
    pub n_states: Option<u64>,
    /// Number of participants.
    pub n_participants: u64,
    /// What became of the rows of the logs; absent for a study without logs.
    pub rows: Option<RowCounts>,
    /// What was noticed in the logs, by kind.
    pub issues: Vec<IssueSummary>,
    /// Number of files written, the manifest included.
    pub n_files: u64,
}

/// Runs a study and writes its results into `target`, which appears, or replaces an earlier run, only
/// when everything is done.
///
/// # Errors
///
/// [`RunError`]; nothing was written, and an earlier run is as it was.
pub fn run(study: &Study, study_file: &Path, target: &Path, progress: &dyn Progress) -> Result<RunSummary, RunError> {
    let folder = OutputFolder::create(target)?;
    let (levels, level_files) = study_levels(study, progress)?;
    let play = play(study, &levels, progress)?;
    let comparison = compare(study, &levels, play.as_ref(), progress)?;
    let analyses: Vec<_> = study.analyses().collect();
    let statistics = play.as_ref().map(|play| statistics(study, play, &levels, &analyses, progress)).transpose()?;
    let results = Results { play: play.as_ref(), comparison: comparison.as_ref(), statistics: statistics.as_ref() };
    let (tables, claims) = write_tables(study, &levels, &results, &folder, progress)?;
    progress.begin("drawing figures", None);
    let illustrations = illustrate(study, &study.figures.styles(), &levels, &results)?;
    progress.end();
    write_figures(study, &illustrations, &folder.path().join("figures"), progress)?;
    let mut content = content::content(study, study_file, &levels, &results, &claims, (&tables, &illustrations))?;
    if study.output.interactive {
        content.maps = maps::maps(&drawn_levels(study, &levels)?, play.as_ref(), &illustrations)?;
    }
    publish::write_report(&content, &folder)?;
    if play.is_some() {
        publish::write_script(&folder)?;
    }
    let mut manifest = manifest(study, study_file, &level_files, play.as_ref(), &levels)?;
    manifest.write(folder.path())?;
    no_script_error(&levels)?;
    if progress.is_cancelled() {
        return Err(RunError::Interrupted);
    }
    folder.commit()?;
    Ok(RunSummary {
        folder: target.to_owned(),
        n_levels: levels.len() as u64,
        n_states: n_states(&levels),
        n_participants: play.as_ref().map_or(0, |play| play.measures.participants.len() as u64),
        rows: play.as_ref().map(Play::counts),
        issues: play.as_ref().map(Play::issue_summaries).unwrap_or_default(),
        n_files: manifest.outputs.len() as u64 + 1,
    })
}

/// Scripts that failed after their level was mapped, such as in drawing a position.
pub(crate) fn no_script_error(levels: &[ValuedLevel]) -> Result<(), RunError> {
    levels.iter().try_for_each(|level| match level.rules.script_error() {
        Some(script_error) => {
            Err(RunError::Valuation { level: level.id.clone(), source: MapError::Rules(script_error).into() })
        }
        None => Ok(()),
    })
}

/// Number of states of all levels that were mapped; absent if none was.
fn n_states(levels: &[ValuedLevel]) -> Option<u64> {
    levels.iter().filter_map(ValuedLevel::n_states).reduce(|sum, n| sum + n)
}

/// What a run found of people; nothing of a study without logs.
#[derive(Clone, Copy)]
pub struct Results<'a> {
    /// What people did.
    pub play: Option<&'a Play>,
    /// Participants compared with simulated baselines.
    pub comparison: Option<&'a Comparison>,
    /// The statistics.
    pub statistics: Option<&'a Statistics>,
}

/// Writes all tables and the distance tables of all levels; returns the tables, and the claims that were checked
/// against them.
fn write_tables(
    study: &Study,
    levels: &[ValuedLevel],
    results: &Results,
    folder: &OutputFolder,
    progress: &dyn Progress,
) -> Result<(Vec<Table>, Vec<Checked>), RunError> {
    let summaries: Vec<LevelSummary> = levels.iter().map(ValuedLevel::summary).collect();
    let mut tables = vec![levels_table(&summaries)?];
    if let Some(play) = results.play {
        tables.extend([
            measure::conditions_table(&play.measures)?,
            measure::level_play_table(&play.measures)?,
            measure::participants_table(&play.measures)?,
            measure::trials_table(&play.measures)?,
            measure::attempts_table(&play.measures)?,
        ]);
        tables.extend(results.statistics.iter().flat_map(|statistics| statistics.all_tables()).cloned());
        if let Some(comparison) = results.comparison {
            tables.extend([comparison.scores_table()?, comparison.players_table()?]);
        }
        let mut findings = results.statistics.iter().flat_map(|statistics| &statistics.findings);
        tables.push(match findings.find_map(|findings| findings.phases.as_ref()) {
            Some(phases) => phases.added_to(&play.labelled.moves)?,
            None => play.labelled.moves.clone(),
        });
        tables.push(play.rejects()?);
    }
    let mut claims = Vec::new();
    if let Some(file) = &study.study.claims {
        claims = check_claims(&study.folder.join(file), &tables)?;
        tables.push(claims_table(&claims)?);
    }
    publish::write_tables(study, &tables, folder, progress)?;
    let is_result = |table: &&Table| {
        let mut results = results.statistics.iter().flat_map(|statistics| statistics.all_tables());
        table.name == "claims" || results.any(|result| result.name == table.name)
    };
    publish::write_results(study, tables.iter().filter(is_result), folder)?;
    if !study.output.distances.is_empty() && levels.iter().any(|level| level.whole.is_some()) {
        let distances = folder.path().join("distances");
        make_folder(&distances)?;
        progress.begin("writing distances", Some(levels.len() as u64));
        map_in_order(levels.iter().collect(), |level| {
            write_distances(level, &distances, &study.output.distances)?;
            progress.advance(1);
            if progress.is_cancelled() { Err(RunError::Interrupted) } else { Ok(()) }
        })?;
        progress.end();
    }
    Ok((tables, claims))
}

/// Writes the distance table of a level; nothing if it was not mapped.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_distances(level: &ValuedLevel, folder: &Path, formats: &[TableFormat]) -> Result<(), RunError> {
    if let Some(table) = distance_table(level)? {
        write_table_as(&table, folder, &safe_stem(&level.id), formats)?;
    }
    Ok(())
}

/// Writes the table of edges of a level; nothing if it was not mapped.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_edges(level: &ValuedLevel, folder: &Path, formats: &[TableFormat]) -> Result<(), RunError> {
    if let Some(table) = edge_table(level)? {
        write_table_as(&table, folder, &safe_stem(&level.id), formats)?;
    }
    Ok(())
}

pub(crate) fn manifest(
    study: &Study,
    study_file: &Path,
    level_files: &[PathBuf],
    play: Option<&Play>,
    levels: &[ValuedLevel],
) -> Result<Manifest, RunError> {
    let mut configuration = serde_json::to_value(study).map_err(|error| ReportError::Io {
        action: "record the configuration of",
        path: study_file.to_owned(),
        source: error.into(),
    })?;
    // Defaults are in force too: a manifest that leaves them out would change its meaning with them.
    let failed = |error: serde_json::Error| ReportError::from(error);
    let settings = (study.game().settings)(&study.rule_options());
    configuration["rules"] = settings
        .into_iter()
        .collect::<BTreeMap<_, _>>()
        .into_iter()
        .map(|(name, value)| (name, value.into()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    configuration["levels"]["game"] = study.game().name.into();
    configuration["simulation"] = serde_json::to_value(&study.simulation).map_err(failed)?;
    let mut seeds = BTreeMap::new();
    if play.is_some() {
        let analyses: Vec<&str> = study.analyses().map(|analysis| analysis.name).collect();
        configuration["statistics"]["analyses"] = analyses.into();
        let cohorts = baseline::cohorts(study, levels);
        configuration["baseline"] = serde_json::to_value(&cohorts).map_err(failed)?;
        // Each begins anew at the same seed, so that what one draws does not depend on the others.
        let drawn = ["analyses", "figures"].into_iter().chain((!cohorts.is_empty()).then_some("baseline"));
        seeds.extend(drawn.map(|what| (what.to_owned(), study.simulation.seed)));
    }
    let mut manifest = Manifest::new(configuration);
    manifest.seeds = seeds;
    manifest.add_input(&input_name(study_file, &study.folder), study_file)?;
    for file in level_files {
        manifest.add_input(&input_name(file, &study.folder), file)?;
    }
    for file in (study.game().files)(&study.rule_options()) {
        manifest.add_input(&input_name(&file, &study.folder), &file)?;
    }
    for file in study.baseline.iter().flatten().flat_map(|cohort| cohort.files(&study.folder)) {
        manifest.add_input(&input_name(&file, &study.folder), &file)?;
    }
    if let Some(file) = &study.study.claims {
        manifest.add_input(&input_name(file, &study.folder), &study.folder.join(file))?;
    }
    for file in &study.log.files {
        manifest.add_input(&input_name(file, &study.folder), &study.folder.join(file))?;
    }
    manifest.counts = BTreeMap::from([("levels".to_owned(), levels.len() as u64)]);
    manifest.counts.extend(n_states(levels).map(|n| ("states".to_owned(), n)));
    if let Some(play) = play {
        let RowCounts { read, accepted, rejected, replayed, excluded } = play.counts();
        let counts = [
            ("rows_read", read),
            ("rows_accepted", accepted),
            ("rows_rejected", rejected),
            ("rows_replayed", replayed),
            ("rows_excluded", excluded),
        ];
        manifest.counts.extend(counts.map(|(name, n)| (name.to_owned(), n)));
        manifest.counts.insert("participants".to_owned(), play.measures.participants.len() as u64);
    }
    Ok(manifest)
}
