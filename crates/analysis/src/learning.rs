//! Change over trials: learning curves of the group and of each participant.

use super::context::Context;
use super::dataset::{Dataset, Trial};
use super::measures::{TrialMeasure, is_solved, mean, solved_word};
use plymap_statistics::record::*;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::learning::*;
use plymap_tables::Table;
use rayon::prelude::*;

const SCOPE: Column =
    text("scope", "group: means over participants at each trial number; participant: one participant's trials")
        .levels(&["group", "participant"]);
const PARTICIPANT: Column = text("participant", "who played; empty for the group");
const UNIT: Column = text("unit", "unit of the measure; empty for counts and shares");
const N_TRIALS: Column = count("n_trials", "number of solved trials in them");
const N_LEFT_OUT: Column = count(
    "n_excluded",
    "number of trials that were not solved or are not known to have been, or whose trial number is not known",
);
const LEVELS_VARY: Column = flag(
    "levels_vary",
    "of the group: whether participants played different levels at some trial number; where they did not, practice is confounded with the difficulty of levels",
);
const RESIDUAL_DF: Column = whole("df", "degrees of freedom of the residuals");
const RATIO: Column = number(
    "exponential_over_power",
    "evidence ratio of the exponential over the power curve, the same in all rows of the same points",
);
const IS_BEST: Column = flag("is_best", "whether aicc is smallest for this curve; empty if no curve could be fitted");
const IN_UNIT: &str = "as in column unit";
const COLUMNS: &[Column] = &[
    SCOPE,
    PARTICIPANT,
    MEASURE.means("the measure, a column of the table trials"),
    UNIT,
    SHAPE
        .means("constant a; linear a + b t; exponential a + b exp(−c (t − 1)); power a + b t^(−c); t is the trial number within the participant, from 1")
        .levels(&["constant", "linear", "exponential", "power"]),
    N.means("number of points that the curve is fitted to: trial numbers, or trials"),
    N_PARTICIPANTS.means("number of participants in them"),
    N_TRIALS,
    N_MISSING.means("number of solved trials without the measure"),
    N_LEFT_OUT,
    LEVELS_VARY,
    PARAMETERS[0][0].unit(IN_UNIT),
    PARAMETERS[0][1].unit(IN_UNIT),
    PARAMETERS[0][2].unit(IN_UNIT),
    PARAMETERS[1][0].unit(IN_UNIT),
    PARAMETERS[1][1].unit(IN_UNIT),
    PARAMETERS[1][2].unit(IN_UNIT),
    PARAMETERS[2][0],
    PARAMETERS[2][1],
    PARAMETERS[2][2],
    CONFIDENCE.means("level of the intervals, by Student's t"),
    R_SQUARED.means("coefficient of determination: share of the variance that the curve explains"),
    RESIDUAL_DF,
    AICC,
    DELTA,
    WEIGHT,
    RATIO,
    IS_BEST,
    CONVERGED.means("whether the least-squares optimiser converged"),
    SENTENCE.means("APA-formatted result"),
    REASON,
];

/// Learning curves of all measures, of the group and of each participant. Four curves are fitted for each of them:
/// some tenths of a millisecond for thirty trials, so that thousands of participants take seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Learning {
    fits: Vec<Fit>,
    word: &'static str,
}

/// The curves of one measure of the group or of one participant.
#[derive(Clone, Debug, PartialEq)]
struct Fit {
    participant: Option<String>,
    measure: TrialMeasure,
    unit: Option<&'static str>,
    n_participants: usize,
    n_trials: usize,
    n_missing: usize,
    n_excluded: usize,
    levels_vary: Option<bool>,
    result: LearningCurves,
    /// Reason why there is nothing to fit; the curves hold reasons of their own.
    reason: Option<String>,
}

impl Learning {
    /// Fits the curves.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let mut by_participant: Vec<Vec<&Trial>> = vec![Vec::new(); data.participants.len()];
        for trial in &*data.trials {
            if let Some(trials) = by_participant.get_mut(trial.participant) {
                trials.push(trial);
            }
        }
        let levels_vary = levels_vary(data);
        let measures = TrialMeasure::of_unit(data.unit);
        let of_group = |&measure: &TrialMeasure| group(context, measure, levels_vary);
        let mut fits: Vec<Fit> = measures.par_iter().map(of_group).collect();
        let pairs: Vec<(usize, TrialMeasure)> = (0..data.participants.len())
            .flat_map(|number| measures.iter().map(move |&measure| (number, measure)))
            .collect();
        let of_participant = |&(number, measure): &(usize, TrialMeasure)| Fit {
            participant: Some(data.participants[number].clone()),
            ..fit(context, measure, &by_participant[number], |trials| trials)
        };
        fits.extend(pairs.par_iter().map(of_participant).collect::<Vec<_>>());
        Self { fits, word: solved_word(data.unit) }
    }

    /// The table `learning`.
    pub fn tables(&self) -> Vec<Table> {
        let records: Vec<Record> = self.fits.iter().flat_map(Fit::records).collect();
        let caption = "Learning curves of solved trials by least squares, compared by AICc (Heathcote, Brown and Mewhort, 2000). Means of several people can follow a power curve where no single one does. Trials differ by their levels as well.";
        vec![Table::of_records("learning", caption, COLUMNS, &records)]
    }

    /// Returns sentences on time and on moves: the best curve of the group's means, the number of participants for whom
    /// each shape is best, and of those for whom the exponential is better than the power curve.
    pub fn sentences(&self) -> Vec<String> {
        [TrialMeasure::Time, TrialMeasure::NMoves].into_iter().filter_map(|measure| self.sentence(measure)).collect()
    }

    fn sentence(&self, measure: TrialMeasure) -> Option<String> {
        let group = self.fits.iter().find(|fit| fit.measure == measure && fit.participant.is_none())?;
        let (title, word) = (measure.title(), self.word);
        if let Some(reason) = &group.reason {
            return Some(format!("Change of {title} over {word} trials: not estimable ({reason})."));
        }
        let participant_fits = || self.fits.iter().filter(|fit| fit.measure == measure && fit.participant.is_some());
        let n_best = |shape: Shape| participant_fits().filter(|fit| fit.result.best == Some(shape)).count();
        let counts: Vec<String> =
            Shape::ALL.iter().map(|&shape| format!("{} {}", shape.name(), apa::count(n_best(shape)))).collect();
        let n_fitted = apa::count(participant_fits().filter(|fit| fit.result.best.is_some()).count());
        let (result, counts) = (group.result.sentence(), counts.join(", "));
        let confound = if group.levels_vary == Some(false) {
            " All participants played the same levels in the same order, so that practice is confounded with difficulty."
        } else {
            ""
        };
        let ratios: Vec<f64> = participant_fits().filter_map(|fit| fit.result.exponential_over_power).collect();
        let n_exponential = apa::count(ratios.iter().filter(|&&ratio| ratio > 1.0).count());
        let race = match ratios.len() {
            0 => String::new(),
            n => format!(
                " Of {} with both, the exponential is better than the power curve for {n_exponential}.",
                apa::counted(n, "participant")
            ),
        };
        let n = apa::counted(group.n_participants, "participant");
        Some(format!(
            "Mean {title} of {word} trials over their order ({n}): {result}. Best curves of single participants (n = {n_fitted}): {counts}.{race}{confound}"
        ))
    }
}

impl Fit {
    /// A row for each curve.
    fn records(&self) -> Vec<Record> {
        let shared = Record::new()
            .set(SCOPE, if self.participant.is_some() { "participant" } else { "group" })
            .set(PARTICIPANT, self.participant.clone())
            .set(MEASURE, self.measure.column())
            .set(UNIT, self.unit)
            .set(N_PARTICIPANTS, self.n_participants)
            .set(N_TRIALS, self.n_trials)
            .set(N_MISSING, self.n_missing)
            .set(N_LEFT_OUT, self.n_excluded)
            .set(LEVELS_VARY, self.levels_vary)
            .set(RATIO, self.result.exponential_over_power);
        let of_curve = |curve: &Curve| {
            let row = shared.clone().overlaid(curve.record()).overlaid(curve.parameter_record());
            let row = row.set(RESIDUAL_DF, curve.df).set(IS_BEST, self.result.best.map(|best| best == curve.shape));
            row.overlaid(Record::new().set(REASON, self.reason.clone()))
        };
        self.result.curves.iter().map(of_curve).collect()
    }
}

/// The curves of the group: its means at each trial number, each number counting once.
fn group(context: &Context, measure: TrialMeasure, levels_vary: Option<bool>) -> Fit {
    let trials: Vec<&Trial> = context.data.trials.iter().collect();
    Fit { levels_vary, ..fit(context, measure, &trials, means_by_order) }
}

/// The mean of the values at each trial number.
fn means_by_order(mut points: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    points.sort_by_key(|&(order, _)| order);
    let mean_point = |points: &[(usize, f64)]| {
        let values: Vec<f64> = points.iter().map(|&(_, value)| value).collect();
        Some((points[0].0, mean(&values)?))
    };
    points.chunk_by(|left, right| left.0 == right.0).filter_map(mean_point).collect()
}

/// Fits the curves to the points that are made of the trial numbers and values of solved trials.
fn fit(
    context: &Context,
    measure: TrialMeasure,
    trials: &[&Trial],
    points: impl Fn(Vec<(usize, f64)>) -> Vec<(usize, f64)>,
) -> Fit {
    let placed: Vec<(&Trial, usize)> =
        trials.iter().filter(|trial| is_solved(trial)).filter_map(|&trial| Some((trial, trial.order?))).collect();
    let valued: Vec<(&Trial, usize, f64)> =
        placed.iter().filter_map(|&(trial, order)| Some((trial, order, measure.of(trial)?))).collect();
    let mut participants: Vec<usize> = valued.iter().map(|(trial, ..)| trial.participant).collect();
    participants.sort_unstable();
    participants.dedup();
    let points = points(valued.iter().map(|&(_, order, value)| (order, value)).collect());
    // Trials count from 1, as the power curve has no value at 0.
    let (places, values): (Vec<f64>, Vec<f64>) =
        points.iter().map(|&(order, value)| (order as f64 + 1.0, value)).unzip();
    let is_unordered = !trials.is_empty() && trials.iter().all(|trial| trial.order.is_none());
    let reason = if is_unordered { Some("the order of the trials is not known".to_owned()) } else { None };
    Fit {
        participant: None,
        measure,
        unit: measure.unit(context.data.unit),
        n_participants: participants.len(),
        n_trials: valued.len(),
        n_missing: placed.len() - valued.len(),
        n_excluded: trials.len() - placed.len(),
        levels_vary: None,
        result: compare_curves(&places, &values, context.confidence()),
        reason,
    }
}

/// Returns true if at some trial number two participants played different levels; absent if no trial number has two.
fn levels_vary(data: &Dataset) -> Option<bool> {
    let mut placed: Vec<(usize, usize)> =
        data.trials.iter().filter_map(|trial| Some((trial.order?, trial.level))).collect();
    placed.sort_unstable();
    let mut places = placed.chunk_by(|left, right| left.0 == right.0).filter(|place| place.len() > 1).peekable();
    places.peek()?;
    // Levels ascend within a trial number.
    Some(places.any(|place| place[0].1 != place[place.len() - 1].1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Cells, check_cells, context, dataset, hard_cases, trial};
    use plymap_statistics::stats::Confidence;

    /// Three participants of ten trials each, whose times fall exponentially around different levels.
    fn small() -> Dataset {
        let time = |p: usize, t: usize| {
            20.0 + 5.0 * p as f64 + 30.0 * (-0.5 * t as f64).exp() + 0.05 * ((7 * t + 3 * p) as f64).sin()
        };
        dataset((0..3).flat_map(|p| (0..10).map(move |t| trial(p, t, 12.0 + (t % 3) as f64, time(p, t)))).collect())
    }

    fn times(learning: &Learning, participant: Option<&str>) -> Fit {
        let is_match = |fit: &&Fit| fit.measure == TrialMeasure::Time && fit.participant.as_deref() == participant;
        learning.fits.iter().find(is_match).unwrap().clone()
    }

    #[test]
    fn the_group_is_fitted_by_its_means_and_each_participant_alone() {
        let data = small();
        let learning = Learning::new(&context(&data));
        // The group and three participants, seven measures each.
        assert_eq!(learning.fits.len(), 28);
        let places: Vec<f64> = (1..=10).map(f64::from).collect();
        let value = |p: usize, t: usize| data.trials[10 * p + t].time_s.unwrap();
        let values: Vec<f64> = (0..10).map(|t| value(1, t)).collect();
        let fit = times(&learning, Some("p1"));
        assert_eq!(fit.result, compare_curves(&places, &values, Confidence::default()));
        assert_eq!((fit.n_trials, fit.n_participants, fit.result.best), (10, 1, Some(Shape::Exponential)));
        let means: Vec<f64> = (0..10).map(|t| mean(&[value(0, t), value(1, t), value(2, t)]).unwrap()).collect();
        let fit = times(&learning, None);
        assert_eq!(fit.result, compare_curves(&places, &means, Confidence::default()));
        assert_eq!((fit.n_trials, fit.n_participants, fit.levels_vary), (30, 3, Some(false)));
        let table = learning.tables().remove(0);
        assert_eq!(table.cells("shape").len(), 4 * 28);
        let said = Learning::new(&context(&data)).sentences();
        assert_eq!(said.len(), 2);
        assert!(said[0].starts_with(
            "Mean time of solved trials over their order (3 participants): AICc was smallest for the exponential curve"
        ));
        assert!(said[0].contains("(n = 3): constant 0, linear 0, exponential 3, power 0. Of 3 participants"));
        assert!(said[0].contains("with both, the exponential is better than the power curve for 3. All participants"));
    }

    #[test]
    fn places_count_all_trials_and_curves_the_solved_ones() {
        let mut data = small();
        data.trials_mut()[12].is_solved = Some(false);
        data.trials_mut()[13].time_s = None;
        data.trials_mut()[14].order = None;
        data.trials_mut()[25].level = 3;
        let learning = Learning::new(&context(&data));
        let fit = times(&learning, Some("p1"));
        assert_eq!((fit.n_trials, fit.n_missing, fit.n_excluded), (7, 1, 2));
        let places = [1.0, 2.0, 6.0, 7.0, 8.0, 9.0, 10.0];
        let values: Vec<f64> = [0, 1, 5, 6, 7, 8, 9].iter().map(|t| data.trials[10 + t].time_s.unwrap()).collect();
        assert_eq!(fit.result, compare_curves(&places, &values, Confidence::default()));
        let fit = times(&learning, None);
        assert_eq!((fit.result.n, fit.n_trials, fit.levels_vary), (10, 27, Some(true)));
    }

    #[test]
    fn where_the_order_is_not_known_the_rows_say_so() {
        let mut data = small();
        data.trials_mut().iter_mut().for_each(|trial| trial.order = None);
        let table = Learning::new(&context(&data)).tables().remove(0);
        let reasons = table.cells("reason");
        assert!(reasons.iter().all(|reason| reason.as_deref() == Some("the order of the trials is not known")));
        assert!(
            Learning::new(&context(&data)).sentences()[0]
                .contains("not estimable (the order of the trials is not known)")
        );
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let table = Learning::new(&context(&data)).tables().remove(0);
            check_cells(&table);
            assert!(!table.cells("scope").is_empty());
            for (aicc, reason) in table.cells("aicc").iter().zip(table.cells("reason")) {
                assert!(aicc.is_some() || reason.is_some());
            }
            assert_eq!(Learning::new(&context(&data)).sentences().len(), 2);
        }
    }
}
