//! Change over trials: learning curves of the group and of each participant.

use polars::prelude::PolarsResult;
use rayon::prelude::*;

use super::Context;
use super::dataset::{Dataset, TrialRow};
use super::measures::{TrialMeasure, is_solved, mean, solved_word};
use crate::table::{Columns, Table};
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::learning::{Curve, LearningCurves, Shape, compare_curves};

/// The table `learning`.
///
/// # Errors
///
/// Never in practice: the columns are of equal length.
pub fn tables(context: &Context) -> PolarsResult<Vec<Table>> {
    Learning::new(context).tables()
}

/// Which curve fits the group's times and moves best, and how many participants' own.
pub fn sentences(context: &Context) -> Vec<String> {
    Learning::new(context).sentences()
}

/// Learning curves of all measures, of the group and of each participant. Four curves are fitted for each of them:
/// some tenths of a millisecond for thirty trials, so that thousands of participants take seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Learning {
    fits: Vec<Fit>,
    confidence: Confidence,
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
    /// Why there is nothing to fit; the curves say the rest.
    reason: Option<String>,
}

/// One curve of a fit: a row of the table.
struct Row<'a> {
    fit: &'a Fit,
    curve: &'a Curve,
}

impl Learning {
    /// Fits the curves.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let mut by_participant: Vec<Vec<&TrialRow>> = vec![Vec::new(); data.participants.len()];
        for trial in &data.trials {
            if let Some(own) = by_participant.get_mut(trial.participant) {
                own.push(trial);
            }
        }
        let levels_vary = levels_vary(data);
        let measures = TrialMeasure::of_unit(data.unit);
        let of_group = |&measure: &TrialMeasure| group(context, measure, levels_vary);
        let mut fits: Vec<Fit> = measures.par_iter().map(of_group).collect();
        let asked: Vec<(usize, TrialMeasure)> = (0..data.participants.len())
            .flat_map(|number| measures.iter().map(move |&measure| (number, measure)))
            .collect();
        let of_participant = |&(number, measure): &(usize, TrialMeasure)| Fit {
            participant: Some(data.participants[number].clone()),
            ..fit(context, measure, &by_participant[number], |trials| trials)
        };
        fits.extend(asked.par_iter().map(of_participant).collect::<Vec<_>>());
        Self { fits, confidence: context.confidence, word: solved_word(data.unit) }
    }

    /// The table `learning`.
    ///
    /// # Errors
    ///
    /// Never in practice: the columns are of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        let rows: Vec<Row> =
            self.fits.iter().flat_map(|fit| fit.result.curves.iter().map(move |curve| Row { fit, curve })).collect();
        let rows = &rows;
        let in_unit = "as in column unit";
        let parameter = |row: &Row, name: &str| row.curve.parameters.iter().find(|own| own.name == name).copied();
        let table = Columns::new()
            .text(rows, "scope", "group: means over participants at each trial number; participant: one participant's trials", |row| {
                if row.fit.participant.is_some() { "participant" } else { "group" }.to_owned()
            })
            .label(rows, "participant", "who played; empty for the group", |row| row.fit.participant.clone())
            .text(rows, "measure", "the measure, a column of the table trials", |row| row.fit.measure.column().to_owned())
            .label(rows, "unit", "unit of the measure; empty for counts and shares", |row| row.fit.unit.map(str::to_owned))
            .text(
                rows,
                "shape",
                "constant a; linear a + b t; exponential a + b exp(−c (t − 1)); power a + b t^(−c); t is the trial number within the participant, from 1",
                |row| row.curve.shape.name().to_owned(),
            )
            .count(rows, "n", "number of points that the curve is fitted to: trial numbers, or trials", |row| row.curve.n as u64)
            .count(rows, "n_participants", "number of participants in them", |row| row.fit.n_participants as u64)
            .count(rows, "n_trials", "number of solved trials in them", |row| row.fit.n_trials as u64)
            .count(rows, "n_missing", "number of solved trials without the measure", |row| row.fit.n_missing as u64)
            .count(
                rows,
                "n_excluded",
                "number of trials that were not solved or are not known to have been, or whose trial number is not known",
                |row| row.fit.n_excluded as u64,
            )
            .flag(
                rows,
                "levels_vary",
                "of the group: whether participants played different levels at some trial number; where they did not, practice is confounded with the difficulty of levels",
                |row| row.fit.levels_vary,
            )
            .number(rows, "a", in_unit, "level or asymptote", |row| parameter(row, "a").map(|own| own.estimate))
            .number(rows, "a_lower", in_unit, "lower end of the interval of a", |row| parameter(row, "a").and_then(|own| own.lower))
            .number(rows, "a_upper", in_unit, "upper end of the interval of a", |row| parameter(row, "a").and_then(|own| own.upper))
            .number(rows, "b", in_unit, "amount that is learnt, or slope per trial", |row| parameter(row, "b").map(|own| own.estimate))
            .number(rows, "b_lower", in_unit, "lower end of the interval of b", |row| parameter(row, "b").and_then(|own| own.lower))
            .number(rows, "b_upper", in_unit, "upper end of the interval of b", |row| parameter(row, "b").and_then(|own| own.upper))
            .number(rows, "c", "", "rate of learning", |row| parameter(row, "c").map(|own| own.estimate))
            .number(rows, "c_lower", "", "lower end of the interval of c", |row| parameter(row, "c").and_then(|own| own.lower))
            .number(rows, "c_upper", "", "upper end of the interval of c", |row| parameter(row, "c").and_then(|own| own.upper))
            .number(rows, "confidence", "", "level of the intervals, by Student's t", |_| Some(self.confidence.level()))
            .number(rows, "r_squared", "", "coefficient of determination: share of the variance that the curve explains", |row| row.curve.r_squared)
            .whole(rows, "df", "", "degrees of freedom of the residuals", |row| row.curve.df.map(|df| df as i64))
            .number(rows, "aicc", "", "Akaike information criterion, corrected for small samples (AICc)", |row| row.curve.aicc)
            .number(rows, "delta", "", "aicc minus the smallest of the curves of the same points", |row| row.curve.delta)
            .number(rows, "weight", "", "Akaike weight among the curves of the same points that could be fitted", |row| row.curve.weight)
            .number(
                rows,
                "exponential_over_power",
                "",
                "evidence ratio of the exponential over the power curve, the same in all rows of the same points",
                |row| row.fit.result.exponential_over_power.filter(|ratio| ratio.is_finite()),
            )
            .flag(rows, "is_best", "whether aicc is smallest for this curve; empty if no curve could be fitted", |row| {
                row.fit.result.best.map(|best| best == row.curve.shape)
            })
            .flag(rows, "converged", "whether the least-squares optimiser converged", |row| Some(row.curve.converged))
            .text(rows, "sentence", "APA-formatted result", |row| row.curve.sentence())
            .label(rows, "reason", "why the first of the missing values is missing", |row| {
                row.fit.reason.clone().or(row.curve.reason.as_ref().map(ToString::to_string))
            })
            .into_table(
                "learning",
                "Learning curves of solved trials by least squares, compared by AICc (Heathcote, Brown and Mewhort, 2000). Means of several people can follow a power curve where no single one does. Trials differ by their levels as well.",
            )?;
        Ok(vec![table])
    }

    /// Of time and of moves: the best curve of the group's means, of how many participants each shape is the best, and
    /// of how many the exponential is better than the power curve.
    pub fn sentences(&self) -> Vec<String> {
        [TrialMeasure::Time, TrialMeasure::NMoves].into_iter().filter_map(|measure| self.sentence(measure)).collect()
    }

    fn sentence(&self, measure: TrialMeasure) -> Option<String> {
        let group = self.fits.iter().find(|fit| fit.measure == measure && fit.participant.is_none())?;
        let (title, word) = (measure.title(), self.word);
        if let Some(reason) = &group.reason {
            return Some(format!("Change of {title} over {word} trials: not estimable ({reason})."));
        }
        let own = || self.fits.iter().filter(|fit| fit.measure == measure && fit.participant.is_some());
        let n_best = |shape: Shape| own().filter(|fit| fit.result.best == Some(shape)).count();
        let counts: Vec<String> =
            Shape::ALL.iter().map(|&shape| format!("{} {}", shape.name(), n_best(shape))).collect();
        let n_fitted = own().filter(|fit| fit.result.best.is_some()).count();
        let (result, counts) = (group.result.sentence(), counts.join(", "));
        let confound = if group.levels_vary == Some(false) {
            " All participants played the same levels in the same order, so that practice is confounded with difficulty."
        } else {
            ""
        };
        let ratios: Vec<f64> = own().filter_map(|fit| fit.result.exponential_over_power).collect();
        let n_exponential = ratios.iter().filter(|&&ratio| ratio > 1.0).count();
        let race = match ratios.len() {
            0 => String::new(),
            n => format!(
                " Of {n} participants with both, the exponential is better than the power curve for {n_exponential}."
            ),
        };
        let n = group.n_participants;
        Some(format!(
            "Mean {title} of {word} trials over their order ({n} participants): {result}. Best curves of single participants (n = {n_fitted}): {counts}.{race}{confound}"
        ))
    }
}

/// The curves of the group: its means at each trial number, each number counting once.
fn group(context: &Context, measure: TrialMeasure, levels_vary: Option<bool>) -> Fit {
    let trials: Vec<&TrialRow> = context.data.trials.iter().collect();
    let means = |mut points: Vec<(usize, f64)>| -> Vec<(usize, f64)> {
        points.sort_by_key(|&(order, _)| order);
        let place = |place: &[(usize, f64)]| {
            let values: Vec<f64> = place.iter().map(|&(_, value)| value).collect();
            Some((place[0].0, mean(&values)?))
        };
        points.chunk_by(|left, right| left.0 == right.0).filter_map(place).collect()
    };
    Fit { levels_vary, ..fit(context, measure, &trials, means) }
}

/// Fits the curves to the points that are made of the trial numbers and values of solved trials.
fn fit(
    context: &Context,
    measure: TrialMeasure,
    trials: &[&TrialRow],
    points: impl Fn(Vec<(usize, f64)>) -> Vec<(usize, f64)>,
) -> Fit {
    let placed: Vec<(&TrialRow, usize)> =
        trials.iter().filter(|trial| is_solved(trial)).filter_map(|&trial| Some((trial, trial.order?))).collect();
    let valued: Vec<(&TrialRow, usize, f64)> =
        placed.iter().filter_map(|&(trial, order)| Some((trial, order, measure.of(trial)?))).collect();
    let mut participants: Vec<usize> = valued.iter().map(|(trial, ..)| trial.participant).collect();
    participants.sort_unstable();
    participants.dedup();
    let points = points(valued.iter().map(|&(_, order, value)| (order, value)).collect());
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
        result: compare_curves(&places, &values, context.confidence),
        reason,
    }
}

/// Whether at some trial number two participants played different levels; absent if no trial number has two.
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
    use crate::analysis::fixture::{Cells, check_cells, context, dataset, hard_cases, trial};

    /// Three participants of ten trials each, whose times fall exponentially around different levels.
    fn small() -> Dataset {
        let time = |p: usize, t: usize| {
            20.0 + 5.0 * p as f64 + 30.0 * (-0.5 * t as f64).exp() + 0.05 * ((7 * t + 3 * p) as f64).sin()
        };
        dataset((0..3).flat_map(|p| (0..10).map(move |t| trial(p, t, 12.0 + (t % 3) as f64, time(p, t)))).collect())
    }

    fn times(learning: &Learning, participant: Option<&str>) -> Fit {
        let is_asked = |fit: &&Fit| fit.measure == TrialMeasure::Time && fit.participant.as_deref() == participant;
        learning.fits.iter().find(is_asked).unwrap().clone()
    }

    #[test]
    fn the_group_is_fitted_by_its_means_and_each_participant_alone() {
        let data = small();
        let found = Learning::new(&context(&data));
        // The group and three participants, seven measures each.
        assert_eq!(found.fits.len(), 28);
        let places: Vec<f64> = (1..=10).map(f64::from).collect();
        let value = |p: usize, t: usize| data.trials[10 * p + t].time_s.unwrap();
        let own: Vec<f64> = (0..10).map(|t| value(1, t)).collect();
        let fit = times(&found, Some("p1"));
        assert_eq!(fit.result, compare_curves(&places, &own, Confidence::default()));
        assert_eq!((fit.n_trials, fit.n_participants, fit.result.best), (10, 1, Some(Shape::Exponential)));
        let means: Vec<f64> = (0..10).map(|t| mean(&[value(0, t), value(1, t), value(2, t)]).unwrap()).collect();
        let fit = times(&found, None);
        assert_eq!(fit.result, compare_curves(&places, &means, Confidence::default()));
        assert_eq!((fit.n_trials, fit.n_participants, fit.levels_vary), (30, 3, Some(false)));
        let table = found.tables().unwrap().remove(0);
        assert_eq!(table.texts("shape").len(), 4 * 28);
        let said = sentences(&context(&data));
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
        data.trials[12].is_solved = Some(false);
        data.trials[13].time_s = None;
        data.trials[14].order = None;
        data.trials[25].level = 3;
        let found = Learning::new(&context(&data));
        let fit = times(&found, Some("p1"));
        assert_eq!((fit.n_trials, fit.n_missing, fit.n_excluded), (7, 1, 2));
        let places = [1.0, 2.0, 6.0, 7.0, 8.0, 9.0, 10.0];
        let own: Vec<f64> = [0, 1, 5, 6, 7, 8, 9].iter().map(|t| data.trials[10 + t].time_s.unwrap()).collect();
        assert_eq!(fit.result, compare_curves(&places, &own, Confidence::default()));
        let fit = times(&found, None);
        assert_eq!((fit.result.n, fit.n_trials, fit.levels_vary), (10, 27, Some(true)));
    }

    #[test]
    fn where_the_order_is_not_known_the_rows_say_so() {
        let mut data = small();
        data.trials.iter_mut().for_each(|trial| trial.order = None);
        let table = tables(&context(&data)).unwrap().remove(0);
        let reasons = table.texts("reason");
        assert!(reasons.iter().all(|reason| reason.as_deref() == Some("the order of the trials is not known")));
        assert!(sentences(&context(&data))[0].contains("not estimable (the order of the trials is not known)"));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let table = tables(&context(&data)).unwrap().remove(0);
            check_cells(&table);
            assert!(!table.texts("scope").is_empty());
            for (aicc, reason) in table.texts("aicc").iter().zip(table.texts("reason")) {
                assert!(aicc.is_some() || reason.is_some());
            }
            assert_eq!(sentences(&context(&data)).len(), 2);
        }
    }
}
