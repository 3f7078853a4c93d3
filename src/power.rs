//! Power analysis: the number of participants that an experiment needs, by simulated experiments.

use std::path::Path;

use crate::simulation::replayed;
use plymap_analysis::dataset::Dataset;
use plymap_analysis::{Context, Settings, models};
use plymap_measures::measure::{Measure, Summary};
use plymap_players::cohort::{Cohort, CohortError, Member};
use plymap_players::{PlayedTrial, measures_of};
use plymap_puzzles::progress::{CancelOnly, Progress};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_report::FailedPart;
use plymap_run::publish::Publication;
use plymap_run::study::{Power, PowerTest, Study};
use plymap_run::{RunError, USUAL, study_levels};
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::correlation::{CorrelationKind, correlate};
use plymap_statistics::stats::describe::quantile;
use plymap_statistics::stats::interval::proportion;
use plymap_statistics::stats::kruskal::kruskal_wallis;
use plymap_statistics::stats::two_samples::welch;
use plymap_tables::parallel::map_in_order;

mod curve;
mod output;

use curve::needed;
pub use curve::{PowerCurve, PowerPoint};

/// Result of one experiment.
struct ExperimentResult {
    p_value: Option<f64>,
    effect: Option<f64>,
}

/// Simulates experiments of each size that `[power]` of a study names.
///
/// Experiment number i of all sizes has the same participants, as far as there are; its seed is that of the study
/// plus i.
///
/// # Errors
///
/// [`RunError`] if a player cannot play, or the caller asks to stop.
pub fn power_curve(
    study: &Study,
    power: &Power,
    levels: &[ValuedLevel],
    progress: &dyn Progress,
) -> Result<PowerCurve, RunError> {
    let mut sizes = power.n.clone();
    sizes.sort_unstable();
    sizes.dedup();
    let most = sizes.last().copied().unwrap_or_default();
    let cohorts: Vec<Cohort> = power
        .cohorts
        .iter()
        .filter_map(|name| study.cohort.iter().find(|cohort| cohort.name == *name))
        .map(|cohort| Cohort { n: most, ..cohort.clone() })
        .collect();
    let test = power.test();
    progress.begin("simulating experiments", Some(u64::from(power.repeats)));
    let simulated = |number: u32| {
        let seed = study.simulation.seed.wrapping_add(u64::from(number));
        let played: Result<Vec<_>, RunError> =
            cohorts.iter().map(|cohort| played(cohort, seed, study, levels, progress)).collect();
        let experiment = Experiment { study, levels, power, played: played? };
        let results: Result<Vec<ExperimentResult>, RunError> = match &power.model {
            Some(model) => sizes.iter().map(|&n| experiment.by_model(model, n as usize, progress)).collect(),
            None => experiment.by_measures(test, &sizes),
        };
        progress.advance(1);
        results
    };
    // As in `calibrate`: threads of rayon would begin an experiment on top of one that waits.
    let experiments: Vec<Vec<ExperimentResult>> = map_in_order((0..power.repeats).collect(), simulated)?;
    progress.end();
    let points: Vec<PowerPoint> = sizes
        .iter()
        .enumerate()
        .map(|(place, &n)| {
            let of_size = || experiments.iter().map(|experiment| &experiment[place]);
            let significant = of_size().filter(|result| result.p_value.is_some_and(|p| p < power.alpha)).count() as u64;
            let effects: Vec<f64> = of_size().filter_map(|result| result.effect).collect();
            PowerPoint {
                n,
                power: proportion(significant, experiments.len() as u64, study.statistics.confidence),
                effect: quantile(&effects, 0.5).ok(),
                n_failed: of_size().filter(|result| result.p_value.is_none()).count() as u64,
            }
        })
        .collect();
    let needed = needed(&points, power.target);
    Ok(PowerCurve { points, needed, test })
}

/// Simulates the play of a cohort: for each participant the trials at all levels, in the order of the study.
fn played(
    cohort: &Cohort,
    seed: u64,
    study: &Study,
    levels: &[ValuedLevel],
    progress: &dyn Progress,
) -> Result<Vec<Vec<PlayedTrial>>, RunError> {
    let silent = CancelOnly(progress);
    let members = cohort.members(seed, &study.folder).map_err(|error: CohortError| RunError::from(error))?;
    let of_member = |member: Member| -> Result<Vec<PlayedTrial>, RunError> {
        levels.iter().map(|level| Ok(member.player.play(level, seed, &silent)?)).collect()
    };
    members.into_iter().map(of_member).collect()
}

/// One experiment with as many participants as are tried at most.
struct Experiment<'a> {
    study: &'a Study,
    levels: &'a [ValuedLevel],
    power: &'a Power,
    /// Trials by cohort, and then by participant.
    played: Vec<Vec<Vec<PlayedTrial>>>,
}

/// The two cohorts as conditions of a model, in the order in which they are compared.
const CONDITIONS: [&str; 2] = ["first", "second"];

impl Experiment<'_> {
    /// A test of the measures of participants, for each number of them.
    fn by_measures(&self, test: PowerTest, sizes: &[u32]) -> Result<Vec<ExperimentResult>, RunError> {
        let measures: Vec<&Measure> = (self.power.measure.iter().chain(&self.power.with))
            .filter_map(|name| Some(Measure::of_power_named(name)?.0))
            .collect();
        let of_person = |trials: &Vec<PlayedTrial>| -> Result<Vec<Option<f64>>, RunError> {
            let person = Summary::new(measures_of(trials, self.levels)?.trials.iter());
            Ok(measures.iter().map(|measure| measure.of(&person)).collect())
        };
        let of_cohort = |people: &Vec<Vec<PlayedTrial>>| people.iter().map(of_person).collect();
        let values: Vec<Vec<Vec<Option<f64>>>> = self.played.iter().map(of_cohort).collect::<Result<_, RunError>>()?;
        Ok(sizes.iter().map(|&n| result_of(test, &values, n as usize, self.study.statistics.confidence)).collect())
    }

    /// The test of the condition in a mixed model of the trials or moves of the first `n` participants of each cohort.
    fn by_model(&self, model: &str, n: usize, progress: &dyn Progress) -> Result<ExperimentResult, RunError> {
        let of_cohort = |(people, condition): (&Vec<Vec<PlayedTrial>>, &str)| {
            let trials: Vec<PlayedTrial> = people.iter().take(n).flatten().cloned().collect();
            let condition = Some(condition.to_owned());
            trials.into_iter().map(move |trial| PlayedTrial { condition: condition.clone(), ..trial })
        };
        let trials: Vec<PlayedTrial> = self.played.iter().zip(CONDITIONS).flat_map(of_cohort).collect();
        let (study, play) = replayed(self.study, &trials, self.levels, &CancelOnly(progress))?;
        let data = Dataset::new(&play.labelled, &play.measures, self.levels);
        let settings = Settings::new(study.statistics.confidence, study.simulation.seed, false);
        let settings = settings.with_models(&study.statistics.model);
        let estimate = models::effect(&Context::new(&data, &settings), model, models::CONDITION);
        Ok(ExperimentResult { p_value: estimate.map(|(p, _)| p), effect: estimate.map(|(_, effect)| effect) })
    }
}

/// The test of an experiment with the first `n` participants of each cohort.
fn result_of(test: PowerTest, values: &[Vec<Vec<Option<f64>>>], n: usize, confidence: Confidence) -> ExperimentResult {
    let first = |cohort: usize| -> Vec<f64> { values[cohort].iter().take(n).filter_map(|of_one| of_one[0]).collect() };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    match test {
        PowerTest::Welch => {
            let result = welch(&first(1), &first(0), confidence);
            ExperimentResult { p_value: result.p_value, effect: result.difference }
        }
        PowerTest::KruskalWallis => {
            let (reference, compared) = (first(0), first(1));
            let effect = (!reference.is_empty() && !compared.is_empty()).then(|| mean(&compared) - mean(&reference));
            ExperimentResult {
                p_value: kruskal_wallis(&[&reference, &compared]).test.ok().map(|test| test.p_value),
                effect,
            }
        }
        PowerTest::Model => unreachable!("the test of a model is not one of measures"),
        PowerTest::Pearson | PowerTest::Spearman => {
            let both = |of_one: &Vec<Option<f64>>| Some((of_one[0]?, of_one[1]?));
            let (x, y): (Vec<f64>, Vec<f64>) = values[0].iter().take(n).filter_map(both).unzip();
            let method = if test == PowerTest::Pearson { CorrelationKind::Pearson } else { CorrelationKind::Spearman };
            let result = correlate(method, &x, &y, confidence);
            ExperimentResult { p_value: result.p_value(), effect: result.estimate() }
        }
    }
}

/// Answers the question of `[power]` and writes a table, a figure and a report into `target`, which appears, or
/// replaces an earlier one, only when everything is done; what could not be made is told beside the answer.
///
/// # Errors
///
/// [`RunError`]; nothing was written, and an earlier run is as it was.
pub fn run(
    study: &Study,
    power: &Power,
    study_file: &Path,
    target: &Path,
    progress: &dyn Progress,
) -> Result<(PowerCurve, Vec<FailedPart>), RunError> {
    let publication = Publication::new(study, study_file, target, &USUAL, progress)?;
    let (levels, level_files) = study_levels(study, progress)?;
    let curve = power_curve(study, power, &levels, progress)?;
    let tables = vec![curve.table()];
    publication.write_tables(&tables)?;
    let drawings = publication.draw_figures(vec![output::figure(&curve, power, study)])?;
    let page = publication.page("power", &tables, &drawings);
    let failed = publication.write_page(output::report(page, study, power, levels.len(), &curve)?, &drawings)?;
    let mut manifest = publication.manifest(&level_files, None, &levels, failed.clone())?;
    manifest.seeds.insert("experiments".to_owned(), study.simulation.seed);
    manifest.add_inputs(study.cohort.iter().flat_map(|cohort| cohort.files(&study.folder)), &study.folder)?;
    publication.commit(manifest, &levels)?;
    Ok((curve, failed))
}
