//! Correlations within and between participants and levels, and over all trials with cluster-bootstrap intervals
//! (clusters: participants).

use polars::prelude::PolarsResult;
use rayon::prelude::*;

use super::Context;
use super::cluster_bootstrap::{bootstrap, dense_ranks, spearman_of_dense_ranks};
use super::dataset::{Dataset, TrialRow};
use super::measures::{PAIRS, TrialMeasure, n_not_solved, solved, solved_word};
use crate::table::{Columns, Table};
use plymap_statistics::stats::correlation::{Correlation, Method, coefficient};
use plymap_statistics::stats::partial::{Partial, partial_correlation};
use plymap_statistics::stats::repeated::{RepeatedCorrelation, decompose};
use plymap_statistics::stats::resample::{self, BootstrapInterval};
use plymap_statistics::stats::{Confidence, NotEstimable, apa};

/// The table `within_correlations`.
///
/// # Errors
///
/// Never in practice: the columns are of equal length.
pub fn tables(context: &Context) -> PolarsResult<Vec<Table>> {
    WithinCorrelations::new(context).tables()
}

/// The correlation of moves and time over all trials, within participants, and within levels.
pub fn sentences(context: &Context) -> Vec<String> {
    WithinCorrelations::new(context).sentences()
}

/// All correlations of pairs of trial measures that account for participants or levels.
///
/// The time is that of the bootstrap: 9,999 resamples of all trials up to some 1,000 trials, fewer above, but at least
/// 999; beyond 10 million trials times participants the interval is the percentile interval, which needs no jackknife.
#[derive(Clone, Debug, PartialEq)]
pub struct WithinCorrelations {
    rows: Vec<Row>,
    word: &'static str,
}

/// One correlation.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    scope: &'static str,
    x: TrialMeasure,
    y: TrialMeasure,
    method: Method,
    n: usize,
    n_groups: usize,
    n_single: Option<usize>,
    n_missing: usize,
    n_excluded: usize,
    estimate: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    confidence: Confidence,
    interval: String,
    slope: Option<f64>,
    statistic: Option<f64>,
    df: Option<usize>,
    p_value: Option<f64>,
    sentence: String,
    reason: Option<String>,
}

/// The solved trials that have both measures of a pair.
struct Pairs<'a> {
    context: &'a Context<'a>,
    x_measure: TrialMeasure,
    y_measure: TrialMeasure,
    trials: Vec<&'a TrialRow>,
    x: Vec<f64>,
    y: Vec<f64>,
    n_missing: usize,
    n_excluded: usize,
}

impl WithinCorrelations {
    /// Correlates the pairs of [`PAIRS`], moves and time first.
    pub fn new(context: &Context) -> Self {
        let unit = context.data.unit;
        let pairs: Vec<_> = PAIRS.into_iter().filter(|(x, y)| x.is_for(unit) && y.is_for(unit)).collect();
        let of_pairs: Vec<Vec<Row>> = pairs.into_par_iter().map(|(x, y)| Pairs::new(context, x, y).rows()).collect();
        Self { rows: of_pairs.into_iter().flatten().collect(), word: solved_word(unit) }
    }

    /// The table `within_correlations`.
    ///
    /// # Errors
    ///
    /// Never in practice: the columns are of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        let rows = &self.rows;
        let table = Columns::new()
            .text(
                rows,
                "scope",
                "pooled: all trials; within-participants, within-levels: deviations from the group's means; between-participants, between-levels: the groups' means, each group counting once; given-start-distance: all trials, with the start distance of the level held constant",
                |row| row.scope.to_owned(),
            )
            .text(rows, "x", "first measure, a column of the table trials", |row| row.x.column().to_owned())
            .text(rows, "y", "second measure, a column of the table trials", |row| row.y.column().to_owned())
            .text(rows, "method", "coefficient: pearson or spearman", |row| row.method.key().to_owned())
            .count(
                rows,
                "n",
                "number of solved trials that are used: those with both measures; within groups, those of groups of two or more",
                |row| row.n as u64,
            )
            .count(
                rows,
                "n_groups",
                "number of their participants, or of their levels where the scope is about levels",
                |row| row.n_groups as u64,
            )
            .whole(
                rows,
                "n_single",
                "",
                "number of groups with a single trial, which tell nothing about what goes on within a group; only within groups",
                |row| row.n_single.map(|n| n as i64),
            )
            .count(
                rows,
                "n_missing",
                "number of solved trials in which a measure or the start distance is missing, or of which rows were left out",
                |row| row.n_missing as u64,
            )
            .count(rows, "n_excluded", "number of trials that were not solved or are not known to have been", |row| {
                row.n_excluded as u64
            })
            .number(rows, "estimate", "", "the coefficient", |row| row.estimate)
            .number(rows, "lower", "", "lower end of the interval", |row| row.lower)
            .number(rows, "upper", "", "upper end of the interval", |row| row.upper)
            .number(rows, "confidence", "", "level of the interval", |row| Some(row.confidence.level()))
            .text(
                rows,
                "interval",
                "how the interval was made; the cluster bootstrap resamples participants with replacement (Davison and Hinkley, 1997, section 3.8), and is too narrow for fewer than some twenty",
                |row| row.interval.clone(),
            )
            .number(
                rows,
                "slope",
                "",
                "slope of the parallel lines within groups, y per unit of x; only within groups",
                |row| row.slope,
            )
            .number(rows, "statistic", "", "t; empty where it is infinite, and for pooled trials", |row| {
                row.statistic.filter(|value| value.is_finite())
            })
            .whole(rows, "df", "", "degrees of freedom of t", |row| row.df.map(|df| df as i64))
            .number(
                rows,
                "p_value",
                "",
                "two-sided p from t; empty for pooled trials, of which those of one participant are not independent. Given the start distance, and within levels, they are not either: read that p with care",
                |row| row.p_value,
            )
            .text(rows, "sentence", "APA-formatted result", |row| row.sentence.clone())
            .label(rows, "reason", "why the result, or its interval, is missing", |row| row.reason.clone())
            .into_table(
                "within_correlations",
                "Correlations between measures of solved trials: pooled, with bootstrap intervals by participant; within and between participants and levels (Bakdash and Marusich, 2017); and of moves and time with the start distance held constant.",
            )?;
        Ok(vec![table])
    }

    /// Moves and time: over all trials, within participants, within levels, given the start distance.
    pub fn sentences(&self) -> Vec<String> {
        let word = self.word;
        let said = [
            ("pooled", Method::Spearman, "with participants resampled"),
            ("within-participants", Method::Pearson, "within participants"),
            ("within-levels", Method::Pearson, "within levels"),
            ("given-start-distance", Method::Spearman, "with the start distance held constant"),
        ];
        let find = |(scope, method, words): (&str, Method, &str)| {
            let is_asked = |row: &&Row| {
                let pair = (row.x, row.y) == (TrialMeasure::NMoves, TrialMeasure::Time);
                pair && row.scope == scope && row.method == method
            };
            let row = self.rows.iter().find(is_asked)?;
            Some(format!("Number of moves and time of {word} trials, {words}: {}.", row.sentence))
        };
        said.into_iter().filter_map(find).collect()
    }
}

impl<'a> Pairs<'a> {
    fn new(context: &'a Context<'a>, x_measure: TrialMeasure, y_measure: TrialMeasure) -> Self {
        let all = solved(context.data);
        let has_both = |trial: &&TrialRow| x_measure.of(trial).is_some() && y_measure.of(trial).is_some();
        let trials: Vec<&TrialRow> = all.iter().copied().filter(has_both).collect();
        let values = |measure: TrialMeasure| trials.iter().filter_map(|trial| measure.of(trial)).collect();
        let (x, y) = (values(x_measure), values(y_measure));
        let (n_missing, n_excluded) = (all.len() - trials.len(), n_not_solved(context.data));
        Self { context, x_measure, y_measure, trials, x, y, n_missing, n_excluded }
    }

    fn rows(&self) -> Vec<Row> {
        let participants = self.groups(|trial| trial.participant);
        let levels = self.groups(|trial| trial.level);
        let confidence = self.context.confidence;
        let of_participants = decompose(&participants, &self.x, &self.y, confidence);
        let of_levels = decompose(&levels, &self.x, &self.y, confidence);
        let mut rows = vec![
            self.pooled(Method::Pearson, &participants),
            self.pooled(Method::Spearman, &participants),
            self.within("within-participants", &of_participants.within),
            self.within("within-levels", &of_levels.within),
            self.between("between-participants", n_different(&participants), &of_participants.between),
            self.between("between-levels", n_different(&levels), &of_levels.between),
        ];
        let is_first = (self.x_measure, self.y_measure) == (TrialMeasure::NMoves, TrialMeasure::Time);
        if is_first && self.context.data.unit.is_distance() {
            rows.extend([Method::Pearson, Method::Spearman].map(|method| self.given_start_distance(method)));
        }
        rows
    }

    fn groups(&self, number: impl Fn(&TrialRow) -> usize) -> Vec<usize> {
        self.trials.iter().map(|trial| number(trial)).collect()
    }

    /// A row without a result.
    fn row(&self, scope: &'static str, method: Method, n_groups: usize) -> Row {
        Row {
            scope,
            x: self.x_measure,
            y: self.y_measure,
            method,
            n: self.x.len(),
            n_groups,
            n_single: None,
            n_missing: self.n_missing,
            n_excluded: self.n_excluded,
            estimate: None,
            lower: None,
            upper: None,
            confidence: self.context.confidence,
            interval: "Fisher z".to_owned(),
            slope: None,
            statistic: None,
            df: None,
            p_value: None,
            sentence: String::new(),
            reason: None,
        }
    }

    fn pooled(&self, method: Method, participants: &[usize]) -> Row {
        let n_groups = n_different(participants);
        let bootstrap = bootstrap(self.context, self.x.len(), n_groups);
        // The coefficient itself can say why there is none.
        let checked = coefficient(method, &self.x, &self.y);
        let interval = checked.map(|_| match method {
            Method::Spearman => {
                let (x, y) = (dense_ranks(&self.x), dense_ranks(&self.y));
                bootstrap.clustered_pairs(participants, &x, &y, spearman_of_dense_ranks)
            }
            _ => bootstrap
                .clustered_pairs(participants, &self.x, &self.y, |x, y| coefficient(method, x, y).unwrap_or(f64::NAN)),
        });
        let words = if bootstrap.method == resample::Method::Percentile { "percentile" } else { "BCa" };
        let row = Row {
            interval: format!("{words} bootstrap of {} resamples of participants", bootstrap.n_resamples),
            ..self.row("pooled", method, n_groups)
        };
        match interval {
            Ok(interval) => Row {
                estimate: interval.estimate,
                lower: interval.lower,
                upper: interval.upper,
                sentence: say_pooled(method, &interval),
                reason: interval.reason.as_ref().map(ToString::to_string),
                ..row
            },
            Err(reason) => {
                Row { sentence: say_absent(method, self.x.len(), &reason), reason: Some(reason.to_string()), ..row }
            }
        }
    }

    fn within(&self, scope: &'static str, result: &RepeatedCorrelation) -> Row {
        Row {
            n: result.n,
            n_single: Some(result.n_single),
            estimate: result.estimate,
            lower: result.lower,
            upper: result.upper,
            slope: result.slope,
            statistic: result.statistic,
            df: result.df,
            p_value: result.p_value,
            sentence: result.sentence(),
            reason: result.reason.as_ref().map(ToString::to_string),
            ..self.row(scope, Method::Pearson, result.n_groups)
        }
    }

    fn between(&self, scope: &'static str, n_groups: usize, result: &Correlation) -> Row {
        Row {
            estimate: result.estimate,
            lower: result.lower,
            upper: result.upper,
            statistic: result.statistic,
            df: result.df,
            p_value: result.p_value,
            sentence: apa::correlation(result),
            reason: result.reason.as_ref().map(ToString::to_string),
            ..self.row(scope, Method::Pearson, n_groups)
        }
    }

    fn given_start_distance(&self, method: Method) -> Row {
        let distances = start_distances(self.context.data);
        let known: Vec<(usize, f64)> = self
            .trials
            .iter()
            .enumerate()
            .filter_map(|(place, trial)| Some((place, distances.get(trial.level).copied().flatten()?)))
            .collect();
        let of = |values: &[f64]| -> Vec<f64> { known.iter().map(|&(place, _)| values[place]).collect() };
        let covariate: Vec<f64> = known.iter().map(|&(_, distance)| distance).collect();
        let confidence = self.context.confidence;
        let result: Partial = partial_correlation(method, &of(&self.x), &of(&self.y), &[covariate], confidence);
        let participants: Vec<usize> = known.iter().map(|&(place, _)| self.trials[place].participant).collect();
        Row {
            n: result.n,
            n_missing: self.n_missing + self.x.len() - known.len(),
            estimate: result.estimate,
            lower: result.lower,
            upper: result.upper,
            statistic: result.statistic,
            df: result.df,
            p_value: result.p_value,
            sentence: result.sentence(),
            reason: result.reason.as_ref().map(ToString::to_string),
            ..self.row("given-start-distance", method, n_different(&participants))
        }
    }
}

/// The start distance of each level, by number.
fn start_distances(data: &Dataset) -> Vec<Option<f64>> {
    let of_level = |name: &String| {
        let row = data.level_rows.iter().find(|row| row.name == *name)?;
        let (_, value) = row.measures.iter().find(|(measure, _)| *measure == "start_distance")?;
        value.filter(|value| value.is_finite())
    };
    data.levels.iter().map(of_level).collect()
}

fn n_different(groups: &[usize]) -> usize {
    let mut groups = groups.to_vec();
    groups.sort_unstable();
    groups.dedup();
    groups.len()
}

fn say_pooled(method: Method, result: &BootstrapInterval) -> String {
    let text = apa::bootstrap(method.symbol(), result, true);
    format!("{text}, {} trials of {} participants", result.n, result.n_units)
}

fn say_absent(method: Method, n: usize, reason: &NotEstimable) -> String {
    format!("{} not estimable, n = {n} ({reason})", method.symbol())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture::{Cells, check_cells, context, dataset, hard_cases, trial};
    use plymap_statistics::stats::repeated::repeated_correlation;
    use plymap_statistics::stats::resample::Bootstrap;

    const MOVES: [f64; 12] = [10.0, 14.0, 30.0, 12.0, 13.0, 41.0, 9.0, 22.0, 35.0, 11.0, 11.0, 50.0];
    const TIMES: [f64; 12] = [20.0, 31.0, 55.0, 14.0, 40.0, 61.0, 33.0, 30.0, 88.0, 19.0, 25.0, 70.0];

    /// Four participants at three levels.
    fn small() -> Dataset {
        dataset((0..12).map(|i| trial(i / 3, i % 3, MOVES[i], TIMES[i])).collect())
    }

    fn rows_of(data: &Dataset) -> Vec<Row> {
        WithinCorrelations::new(&context(data)).rows
    }

    #[test]
    fn moves_and_time_come_first_and_are_those_of_the_estimators() {
        let data = small();
        let rows = rows_of(&data);
        let scopes: Vec<&str> = rows[..8].iter().map(|row| row.scope).collect();
        let expected = ["pooled", "pooled", "within-participants", "within-levels", "between-participants"];
        assert_eq!(scopes[..5], expected);
        assert_eq!(scopes[5..], ["between-levels", "given-start-distance", "given-start-distance"]);
        let participants: Vec<usize> = (0..12).map(|i| i / 3).collect();
        let levels: Vec<usize> = (0..12).map(|i| i % 3).collect();
        let confidence = Confidence::default();
        for (row, groups) in [(&rows[2], &participants), (&rows[3], &levels)] {
            let own = repeated_correlation(groups, &MOVES, &TIMES, confidence);
            assert_eq!((row.estimate, row.df, row.n_groups), (own.estimate, own.df, own.n_groups));
        }
        let pooled = Bootstrap::new(7).clustered_pairs(&participants, &MOVES, &TIMES, |x, y| {
            coefficient(Method::Spearman, x, y).unwrap_or(f64::NAN)
        });
        // The same resamples, ranked in another way.
        assert_eq!((rows[1].estimate, rows[1].lower, rows[1].upper), (pooled.estimate, pooled.lower, pooled.upper));
        assert_eq!((rows[1].n, rows[1].n_groups, rows[1].p_value), (12, 4, None));
        let means =
            |values: &[f64]| -> Vec<f64> { values.chunks(3).map(|own| own.iter().sum::<f64>() / 3.0).collect() };
        let between = coefficient(Method::Pearson, &means(&MOVES), &means(&TIMES)).unwrap();
        assert!((rows[4].estimate.unwrap() - between).abs() < 1e-12);
        let distances: Vec<f64> = (0..12).map(|i| 5.0 + (i % 3) as f64).collect();
        let partial = partial_correlation(Method::Spearman, &MOVES, &TIMES, &[distances], confidence);
        assert_eq!((rows[7].estimate, rows[7].df), (partial.estimate, Some(9)));
    }

    #[test]
    fn trials_without_a_value_are_missing_and_unsolved_ones_left_out() {
        let mut data = small();
        data.trials[1].time_s = None;
        data.trials[2].n_moves = None;
        data.trials[11].is_solved = None;
        data.level_rows[0].measures[0].1 = None;
        let rows = rows_of(&data);
        assert_eq!((rows[0].n, rows[0].n_missing, rows[0].n_excluded), (9, 2, 1));
        // The first participant has a single trial left.
        assert_eq!((rows[2].n, rows[2].n_groups, rows[2].n_single), (8, 3, Some(1)));
        // Level l0, of which four trials are left, has no start distance.
        assert_eq!((rows[6].n, rows[6].n_missing, rows[6].n_groups), (5, 6, 3));
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_digit() {
        let data = small();
        let run = |n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| rows_of(&data))
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn the_sentences_are_about_moves_and_time() {
        let data = small();
        let said = sentences(&context(&data));
        assert_eq!(said.len(), 4);
        assert!(said[0].starts_with("Number of moves and time of solved trials, with participants resampled: ρ = "));
        assert!(said[0].ends_with("12 trials of 4 participants."));
        assert!(said[1].contains("within participants: rrm(7) = "));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let made = tables(&context(&data)).unwrap();
            check_cells(&made[0]);
            let n_rows = if data.unit.is_distance() { 9 * 6 + 2 } else { 6 * 6 };
            assert_eq!(made[0].texts("scope").len(), n_rows);
            for (estimate, reason) in made[0].texts("estimate").iter().zip(made[0].texts("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
            assert!(sentences(&context(&data)).len() >= 3);
        }
    }
}
