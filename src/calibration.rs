//! Calibration of the tests and intervals of a report: rates of false rejections and of coverage in simulated studies,
//! in which there is no effect, or one of known size.
//!
//! The people of each simulated study are drawn with replacement from those of the study: each has the skill and the
//! tempo of one of them, and plays the levels of the study. Where nothing is true, times do not depend on moves or
//! positions, conditions are drawn, an error makes no other more likely, no position is harder than the skill of a person
//! says, and people restart and give up after any move alike.

mod effects;
mod headlines;
mod simulated;

use effects::Effects;
use headlines::{HEADLINES, Headline, Truth};
use plymap_analysis::dataset::Dataset;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_run::study::Study;
use plymap_run::{Play, RunError};
use plymap_statistics::record::*;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::describe::quantile;
use plymap_statistics::stats::interval::proportion;
use plymap_tables::Table;
use plymap_tables::parallel::map_in_order;
use simulated::{Finding, Person, Simulated, people};

const QUESTION: Column = text("test", "the test: what it asks, and how");
const N_STUDIES: Column = count("n", "number of simulated studies in which the test could be made");
const N_FAILED: Column = count("n_failed", "number of simulated studies in which it could not");
const RATE: Column = number("rate", "share of these studies in which p is below .05");
const RATE_LOWER: Column = number("lower", "lower end of its interval (Wilson, 1927)");
const RATE_UPPER: Column = number("upper", "upper end of its interval");
const COLUMNS: &[Column] = &[QUESTION, N_STUDIES, N_FAILED, RATE, RATE_LOWER, RATE_UPPER];

const TRUTH: Column = number("truth", "the effect: what was put in, or the median of the estimates");
const IS_TRUE_EFFECT: Column =
    flag("is_true_effect", "whether it was put in; the median of the estimates tells nothing of their bias");
const MEDIAN: Column = number("median_estimate", "median of the estimates");
const COVERAGE: Column = number("coverage", "share of the studies whose interval holds the effect");
const COVERAGE_COLUMNS: &[Column] = &[
    QUESTION,
    N_STUDIES.means("number of simulated studies with an interval"),
    TRUTH,
    IS_TRUE_EFFECT,
    MEDIAN,
    COVERAGE,
    RATE_LOWER,
    RATE_UPPER,
    RATE.means("share of the studies in which p is below .05: the power, where there is an effect"),
];

/// The design of the simulated studies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Design {
    /// Number of simulated studies.
    pub n_studies: u32,
    /// Number of participants of each; that of the study where it is not given.
    pub n_participants: Option<usize>,
    /// Number of levels, the first of the study; all where it is not given.
    pub n_levels: Option<usize>,
    /// Probability of everybody to restart a level after a move; the share of each person where it is not given.
    pub restart: Option<f64>,
    /// Probability of everybody to give a level up after a move; the share of each person where it is not given.
    pub give_up: Option<f64>,
    /// Correlation of the logarithms of times of two moves in a row of an attempt; where it is not given, times come in runs
    /// of thought.
    pub autocorrelation: Option<f64>,
}

/// Computes the rates at which the tests of a report reject at 5 %, in simulated studies in which nothing is true.
///
/// # Errors
///
/// [`RunError`] if the study cannot be played, or the caller asks to stop.
pub fn calibrate(
    study: &Study,
    play: &Play,
    levels: &[ValuedLevel],
    design: Design,
    progress: &dyn Progress,
) -> Result<Table, RunError> {
    let (by_headline, of_what) = findings(study, play, levels, design, Effects::NONE, progress)?;
    let confidence = study.statistics.confidence;
    let row = |(headline, findings): (&Headline, &Vec<Finding>)| {
        let p_values: Vec<f64> = findings.iter().filter_map(|finding| finding.p_value).collect();
        let row = Record::new().set(QUESTION, headline.question).set(N_STUDIES, p_values.len());
        let row = row.set(N_FAILED, findings.len() - p_values.len());
        with_share(row, &p_values, |&p| p < 0.05, RATE, confidence)
    };
    let rows: Vec<Record> = HEADLINES.iter().zip(&by_headline).map(row).collect();
    let caption = format!("How often the tests of the report reject at 5 % what is true: {of_what}.");
    Ok(Table::of_records("calibration", &caption, COLUMNS, &rows))
}

/// Computes the coverage of the intervals of a report, in simulated studies whose effects are known.
///
/// # Errors
///
/// [`RunError`] if the study cannot be played, or the caller asks to stop.
pub fn coverage(
    study: &Study,
    play: &Play,
    levels: &[ValuedLevel],
    design: Design,
    progress: &dyn Progress,
) -> Result<Table, RunError> {
    let (by_headline, of_what) = findings(study, play, levels, design, Effects::STATED, progress)?;
    let confidence = study.statistics.confidence;
    let row = |(headline, findings): (&Headline, &Vec<Finding>)| {
        let effect = headline.effect.as_ref()?;
        let estimates: Vec<[f64; 3]> = findings.iter().filter_map(|finding| finding.estimate).collect();
        let p_values: Vec<f64> = findings.iter().filter_map(|finding| finding.p_value).collect();
        let median = quantile(&estimates.iter().map(|estimate| estimate[0]).collect::<Vec<f64>>(), 0.5).ok();
        let (truth, is_true_effect) = match effect.truth {
            Truth::Stated(value) => (Some(value(&Effects::STATED)), true),
            Truth::Median => (median, false),
        };
        let n_found = p_values.iter().filter(|&&p| p < 0.05).count();
        let row = Record::new()
            .set(QUESTION, headline.question)
            .set(N_STUDIES, estimates.len())
            .set(TRUTH, truth)
            .set(IS_TRUE_EFFECT, is_true_effect)
            .set(MEDIAN, median)
            .set(RATE, (!p_values.is_empty()).then(|| n_found as f64 / p_values.len() as f64));
        let holds = |[_, lower, upper]: &[f64; 3]| truth.is_some_and(|truth| (*lower..=*upper).contains(&truth));
        Some(with_share(row, &estimates, holds, COVERAGE, confidence))
    };
    let rows: Vec<Record> = HEADLINES.iter().zip(&by_headline).filter_map(row).collect();
    let caption = format!("How often the {confidence} intervals of the report hold the effect: {of_what}.");
    Ok(Table::of_records("coverage", &caption, COVERAGE_COLUMNS, &rows))
}

/// Sets the share of values for which `is_so` holds, with its interval.
fn with_share<T>(row: Record, all: &[T], is_so: impl Fn(&T) -> bool, share: Column, confidence: Confidence) -> Record {
    let n = all.iter().filter(|item| is_so(item)).count() as u64;
    let rate = proportion(n, all.len() as u64, confidence);
    row.set(share, rate.estimate).set(RATE_LOWER, rate.lower).set(RATE_UPPER, rate.upper)
}

/// Simulates the studies; returns their findings by headline, and the number of studies in words.
fn findings(
    study: &Study,
    play: &Play,
    levels: &[ValuedLevel],
    design: Design,
    effects: Effects,
    progress: &dyn Progress,
) -> Result<(Vec<Vec<Finding>>, String), RunError> {
    let data = Dataset::new(&play.labelled, &play.measures, levels);
    let of_design = |person: Person| Person {
        restart: design.restart.unwrap_or(person.restart),
        give_up: design.give_up.unwrap_or(person.give_up),
        ..person
    };
    let people: Vec<Person> = people(&data).into_iter().map(of_design).collect();
    if people.is_empty() {
        return Err(RunError::Nobody);
    }
    let levels = &levels[..design.n_levels.unwrap_or(levels.len()).min(levels.len())];
    let n_participants = design.n_participants.unwrap_or(data.participants.len());
    let has_conditions = data.trials.iter().any(|trial| trial.condition.is_some());
    progress.begin("simulating studies", Some(u64::from(design.n_studies)));
    let of_study = |number: u32| {
        let seed = study.simulation.seed.wrapping_add(u64::from(number));
        let autocorrelation = design.autocorrelation;
        let simulated = Simulated {
            study,
            levels,
            people: &people,
            n_participants,
            has_conditions,
            effects,
            autocorrelation,
            seed,
        };
        let findings = simulated.findings(progress);
        progress.advance(1);
        findings
    };
    // Not on threads of rayon: while a study waits for a part of itself, they would begin the next study on top of it, until
    // the stack is full.
    let by_study: Vec<Vec<Finding>> = map_in_order((0..design.n_studies).collect(), of_study)?;
    progress.end();
    let of_headline = |place: usize| by_study.iter().map(|study| study[place]).collect();
    let of_what =
        format!("{} simulated studies of {n_participants} participants at {} levels", design.n_studies, levels.len());
    Ok(((0..HEADLINES.len()).map(of_headline).collect(), of_what))
}
