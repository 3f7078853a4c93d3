//! Correlations within and between participants and levels, and over all trials with cluster-bootstrap intervals
//! (clusters: participants).

use super::columns::{self, COEFFICIENT, CONFIDENCE, LOWER, METHOD, N_NOT_SOLVED, NO_RESULT, SENTENCE, UPPER};
use super::context::Context;
use super::dataset::{Dataset, Trial};
use super::measures::{PAIRS, TrialMeasure, deviations, n_not_solved, solved, solved_word};
use plymap_statistics::record::{Column, DF, N, N_GROUPS, N_MISSING, P_VALUE, Record, STATISTIC, X, Y, text, whole};
use plymap_statistics::stats::correlation::{CorrelationKind, coefficient};
use plymap_statistics::stats::counted::CountedPairs;
use plymap_statistics::stats::describe::quantile;
use plymap_statistics::stats::meta::{I_SQUARED, PREDICTION_LOWER, PREDICTION_UPPER, TAU, random_effects};
use plymap_statistics::stats::partial::partial_correlation;
use plymap_statistics::stats::repeated::{N_SINGLETONS, RepeatedCorrelation, SLOPE, decompose};
use plymap_statistics::stats::resample::{Bootstrap, BootstrapInterval};
use plymap_statistics::stats::{Confidence, apa};
use plymap_tables::Table;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Limit on the product of trials and resamples in a bootstrap of participants and levels.
const MOST_TRIALS: usize = 4_000_000;
const SCOPE: Column = columns::SCOPE.means(
    "pooled: all trials; within-participants, within-levels: deviations from the group's means; between-participants, between-levels: the groups' means, each group counting once; given-start-distance: all trials, with the start distance of the level held constant; each-level: the mean of the coefficients of single levels, by random effects of Fisher's z (Viechtbauer, 2005)",
)
.levels(&[
    "pooled",
    "within-participants",
    "within-levels",
    "between-participants",
    "between-levels",
    "given-start-distance",
    "each-level",
]);
const INTERVAL: Column = text(
    "interval",
    "how the interval was made; the cluster bootstrap resamples participants with replacement (Davison and Hinkley, 1997, section 3.8), and is too narrow for fewer than some twenty; Fisher z with the start distance held constant is as if trials were independent; the bootstrap of participants and levels resamples both (Owen, 2007), and is rather too wide",
);

const COLUMNS: &[Column] = &[
    SCOPE,
    X.means("first measure, a column of the table trials"),
    Y.means("second measure, a column of the table trials"),
    METHOD.means("coefficient: pearson or spearman").levels(&["pearson", "spearman"]),
    N.means(
        "number of solved trials that are used: those with both measures; within groups, those of groups of two or more",
    ),
    N_GROUPS.means("number of their participants, or of their levels where the scope is about levels"),
    whole(
        N_SINGLETONS.name,
        "number of groups with a single trial, which tell nothing about what goes on within a group; only within groups",
    ),
    N_MISSING.means(
        "number of solved trials in which a measure or the start distance is missing, or of which rows were left out",
    ),
    N_NOT_SOLVED,
    COEFFICIENT,
    LOWER,
    UPPER,
    CONFIDENCE,
    INTERVAL,
    SLOPE.means("slope of the parallel lines within groups, y per unit of x; only within groups"),
    TAU.means("of each-level: standard deviation of Fisher's z of levels beyond their errors, by restricted maximum likelihood"),
    I_SQUARED.means("of each-level: share of the variance of Fisher's z of levels that is not error"),
    PREDICTION_LOWER.means("of each-level: lower end of the interval in which the coefficient of a further level lies, played by these participants"),
    PREDICTION_UPPER.means("of each-level: upper end of that interval"),
    STATISTIC.means("t; empty where it is infinite, and where trials count"),
    whole("df", "degrees of freedom of t"),
    P_VALUE.means("two-sided p from t over the means of participants or of levels; empty where trials count, as those of one participant, and those at one level, are not independent: the model time-of-moves of the table models tests that"),
    SENTENCE,
    NO_RESULT,
];

/// All correlations of pairs of trial measures that account for participants or levels.
///
/// The time is that of the bootstrap, see [`Bootstrap::affordable`].
#[derive(Clone, Debug, PartialEq)]
pub struct WithinCorrelations {
    records: Vec<Record>,
    word: &'static str,
}

/// The solved trials that have both measures of a pair.
struct Pairs<'a> {
    context: &'a Context<'a>,
    x_measure: TrialMeasure,
    y_measure: TrialMeasure,
    trials: Vec<&'a Trial>,
    x: Vec<f64>,
    y: Vec<f64>,
    n_missing: usize,
}

impl WithinCorrelations {
    /// Correlates the pairs of [`PAIRS`], moves and time first.
    pub fn new(context: &Context) -> Self {
        let unit = context.data.unit;
        let pairs: Vec<_> = PAIRS.into_iter().filter(|(x, y)| x.is_for(unit) && y.is_for(unit)).collect();
        let of_pairs: Vec<Vec<Record>> =
            pairs.into_par_iter().map(|(x, y)| Pairs::new(context, x, y).records()).collect();
        Self { records: of_pairs.into_iter().flatten().collect(), word: solved_word(unit) }
    }

    /// The table `within_correlations`.
    pub fn tables(&self) -> Vec<Table> {
        let table = Table::of_records(
            "within_correlations",
            "Correlations between measures of solved trials: pooled, within and between participants and levels (Bakdash and Marusich, 2017), and of moves and time with the start distance held constant. Those of trials are descriptions.",
            COLUMNS,
            &self.records,
        );
        vec![table]
    }

    /// Moves and time: over all trials, within participants, within levels, given the start distance.
    pub fn sentences(&self) -> Vec<String> {
        let said = [
            ("pooled", CorrelationKind::Spearman, "all together, with participants and levels resampled"),
            ("within-participants", CorrelationKind::Pearson, "within participants"),
            ("within-levels", CorrelationKind::Pearson, "within levels"),
            ("each-level", CorrelationKind::Spearman, "level by level"),
            ("given-start-distance", CorrelationKind::Spearman, "with the start distance held constant"),
        ];
        let find = |(scope, method, words): (&str, CorrelationKind, &str)| {
            let cells = [(X, "n_moves"), (Y, "time_s"), (SCOPE, scope), (METHOD, method.key())];
            let is_match = |record: &&Record| cells.iter().all(|(column, value)| record.text(*column) == Some(*value));
            let result = self.records.iter().find(is_match)?.text(SENTENCE)?;
            Some(format!("Number of moves and time of {} trials, {words}: {result}.", self.word))
        };
        said.into_iter().filter_map(find).collect()
    }
}

impl<'a> Pairs<'a> {
    fn new(context: &'a Context<'a>, x_measure: TrialMeasure, y_measure: TrialMeasure) -> Self {
        let all = solved(context.data);
        let has_both = |trial: &&Trial| x_measure.of(trial).is_some() && y_measure.of(trial).is_some();
        let trials: Vec<&Trial> = all.iter().copied().filter(has_both).collect();
        let values = |measure: TrialMeasure| trials.iter().filter_map(|trial| measure.of(trial)).collect();
        let (x, y) = (values(x_measure), values(y_measure));
        let n_missing = all.len() - trials.len();
        Self { context, x_measure, y_measure, trials, x, y, n_missing }
    }

    fn records(&self) -> Vec<Record> {
        let (participants, levels) = (self.participants(), self.levels());
        let confidence = self.context.confidence();
        let of_participants = decompose(&participants, &self.x, &self.y, confidence);
        let of_levels = decompose(&levels, &self.x, &self.y, confidence);
        let between = |scope, groups: &[usize], means: Record| {
            // The number of means is that of the groups.
            self.record(scope, CorrelationKind::Pearson, means).set(N, self.x.len()).set(N_GROUPS, n_different(groups))
        };
        let mut records = vec![
            self.pooled(CorrelationKind::Pearson),
            self.pooled(CorrelationKind::Spearman),
            self.within("within-participants", &of_participants.within, &participants, &participants),
            self.within("within-levels", &of_levels.within, &levels, &participants),
            between("between-participants", &participants, of_participants.between.record()),
            between("between-levels", &levels, of_levels.between.record()),
        ];
        let is_first = (self.x_measure, self.y_measure) == (TrialMeasure::NMoves, TrialMeasure::Time);
        if is_first {
            records.extend([CorrelationKind::Pearson, CorrelationKind::Spearman].map(|method| self.each_level(method)));
        }
        if is_first && self.context.data.unit.is_distance() {
            records.extend(
                [CorrelationKind::Pearson, CorrelationKind::Spearman].map(|method| self.given_start_distance(method)),
            );
        }
        records
    }

    /// A result with what it is about.
    fn record(&self, scope: &str, method: CorrelationKind, result: Record) -> Record {
        result
            .set(SCOPE, scope)
            .set(X, self.x_measure.column())
            .set(Y, self.y_measure.column())
            .set(METHOD, method.key())
            .set(INTERVAL, "Fisher z")
            .set(N_MISSING, self.n_missing)
            .set(N_NOT_SOLVED, n_not_solved(self.context.data))
    }

    fn pooled(&self, method: CorrelationKind) -> Record {
        let estimate = match coefficient(method, &self.x, &self.y) {
            Ok(estimate) => estimate,
            Err(reason) => {
                let row = Record::new().set(SENTENCE, apa::not_estimable(method.symbol(), self.x.len(), &reason));
                let row = row.set(NO_RESULT, reason.to_string());
                return self.of_participants("pooled", method, row);
            }
        };
        let pairs = CountedPairs::new(method, &self.x, &self.y);
        let (participants, levels) = (dense(&self.participants()), dense(&self.levels()));
        let two_way = self.two_way(|of_participants, of_levels| {
            let count = |(&participant, &level): (&usize, &usize)| of_participants[participant] * of_levels[level];
            let counts: Vec<f64> = participants.iter().zip(&levels).map(count).collect();
            Some(pairs.as_ref()?.coefficient(&counts))
        });
        let sentence = format!(
            "{}, {} of {}",
            two_way.sentence(method, estimate),
            apa::counted(self.x.len(), "trial"),
            apa::counted(n_different(&self.participants()), "participant")
        );
        self.of_participants("pooled", method, two_way.record(estimate).set(SENTENCE, sentence))
    }

    /// A result over all trials of all participants.
    fn of_participants(&self, scope: &str, method: CorrelationKind, row: Record) -> Record {
        let interval = row.text(INTERVAL).map(str::to_owned);
        let row = self.record(scope, method, row).set(N, self.x.len()).set(N_GROUPS, n_different(&self.participants()));
        row.set(INTERVAL, interval)
    }

    fn participants(&self) -> Vec<usize> {
        self.trials.iter().map(|trial| trial.participant).collect()
    }

    fn levels(&self) -> Vec<usize> {
        self.trials.iter().map(|trial| trial.level).collect()
    }

    /// The percentile interval of a statistic for other participants and other levels: both are resampled with replacement, and
    /// a trial counts as often as the product says of how often its participant and its level were drawn (Owen, 2007, *Annals of
    /// Applied Statistics*, 1, 386–411). The statistic gets these, of each participant and of each level that has trials.
    fn two_way(&self, statistic: impl Fn(&[f64], &[f64]) -> Option<f64> + Sync) -> TwoWay {
        let (n_participants, n_levels) = (n_different(&self.participants()), n_different(&self.levels()));
        let n_resamples = self.context.resamples((MOST_TRIALS / self.x.len().max(1)).clamp(199, 1_999));
        let seed = self.context.seed();
        let resampled = |number: usize| -> Option<f64> {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(number as u64);
            let mut drawn = |n: usize| {
                let mut counts = vec![0.0; n];
                (0..n).for_each(|_| counts[random.random_range(0..n)] += 1.0);
                counts
            };
            let (of_participants, of_levels) = (drawn(n_participants), drawn(n_levels));
            statistic(&of_participants, &of_levels).filter(|value| value.is_finite())
        };
        let resamples: Vec<f64> = (0..n_resamples).into_par_iter().filter_map(resampled).collect();
        // With more than one in a hundred without a value there is no interval, as with other bootstraps.
        let has_interval = n_participants > 1 && n_levels > 1 && 100 * (n_resamples - resamples.len()) <= n_resamples;
        let confidence = self.context.confidence();
        let tail = (1.0 - confidence.level()) / 2.0;
        let end = |share: f64| quantile(&resamples, share).ok().filter(|_| has_interval);
        TwoWay { ends: end(tail).zip(end(1.0 - tail)), confidence, n_resamples }
    }

    /// A correlation with an interval for other participants, and how that was made.
    fn resampled(
        &self,
        method: CorrelationKind,
        participants: &[usize],
        x: &[f64],
        y: &[f64],
    ) -> (BootstrapInterval, String) {
        let usual = Bootstrap::affordable(participants, self.context.confidence(), self.context.seed());
        let bootstrap = Bootstrap { n_resamples: self.context.resamples(usual.n_resamples), ..usual };
        let interval = format!(
            "{} bootstrap of {} resamples of participants",
            bootstrap.method.name(),
            apa::count(bootstrap.n_resamples)
        );
        (bootstrap.clustered_correlation(method, participants, x, y), interval)
    }

    /// The correlation of what remains beside the means of groups. Its t would take trials for independent.
    fn within(&self, scope: &str, result: &RepeatedCorrelation, groups: &[usize], participants: &[usize]) -> Record {
        let (x, y) = (deviations(groups, &self.x), deviations(groups, &self.y));
        let method = CorrelationKind::Pearson;
        let (resampled, interval) = self.resampled(method, participants, &x, &y);
        let mut row = result.record().without_cells(&[STATISTIC, DF, P_VALUE, LOWER, UPPER]);
        if result.record().number(COEFFICIENT).is_some() {
            row = row
                .set(LOWER, resampled.lower)
                .set(UPPER, resampled.upper)
                .set(SENTENCE, resampled.sentence("rrm", true));
        }
        self.record(scope, method, row).set(N_GROUPS, result.n_groups).set(INTERVAL, interval)
    }

    /// The mean of the coefficients of levels. Its interval is for other participants and other levels: the same people play
    /// all levels, so that the coefficients are not independent.
    fn each_level(&self, method: CorrelationKind) -> Record {
        let confidence = self.context.confidence();
        let participants = dense(&self.participants());
        let level = |rows: Vec<usize>| {
            let pairs = CountedPairs::new(method, &pick(&self.x, &rows), &pick(&self.y, &rows))?;
            Some((pairs, rows.into_iter().map(|row| participants[row]).collect::<Vec<usize>>()))
        };
        let levels: Vec<(CountedPairs, Vec<usize>)> = rows_by(&self.levels()).into_iter().filter_map(level).collect();
        let of_level = |(pairs, participants): &(CountedPairs, Vec<usize>), of_participants: &[f64]| {
            let counts: Vec<f64> = participants.iter().map(|&participant| of_participants[participant]).collect();
            fisher(method, pairs.coefficient(&counts), counts.iter().sum())
        };
        let everybody = vec![1.0; n_different(&participants)];
        let (z, variances): (Vec<f64>, Vec<f64>) =
            levels.iter().filter_map(|level| of_level(level, &everybody)).unzip();
        let pooled = match random_effects(&z, &variances, confidence) {
            Ok(pooled) => pooled,
            Err(reason) => {
                let row = self.record("each-level", method, Record::without(reason));
                return row.set(N, self.x.len()).set(N_GROUPS, z.len()).set(INTERVAL, None::<&str>);
            }
        };
        let two_way = self.two_way(|of_participants, of_levels| {
            let (mut sum, mut sum_of_weights) = (0.0, 0.0);
            // A level that none of the drawn participants played is drawn in vain.
            for (level, times) in levels.iter().zip(of_levels).filter(|(_, times)| **times > 0.0) {
                let Some((z, variance)) = of_level(level, of_participants) else { continue };
                let weight = times / (variance + pooled.tau * pooled.tau);
                sum += weight * z;
                sum_of_weights += weight;
            }
            Some((sum / sum_of_weights).tanh())
        });
        let bounded = |value: f64| apa::bounded(value, 2);
        let (lower, upper) = (pooled.prediction.0.tanh(), pooled.prediction.1.tanh());
        let sentence = format!(
            "{}; {}, I² = {} %; {confidence} prediction interval of a level [{}, {}]",
            two_way.sentence(method, pooled.estimate.tanh()),
            apa::counted(pooled.n, "level"),
            apa::number(100.0 * pooled.i_squared, 0),
            bounded(lower),
            bounded(upper)
        );
        let row = two_way.record(pooled.estimate.tanh());
        let interval = row.text(INTERVAL).map(str::to_owned);
        let row = row
            .set(TAU, pooled.tau)
            .set(I_SQUARED, pooled.i_squared)
            .set(PREDICTION_LOWER, lower)
            .set(PREDICTION_UPPER, upper)
            .set(SENTENCE, sentence);
        self.record("each-level", method, row).set(N, self.x.len()).set(N_GROUPS, pooled.n).set(INTERVAL, interval)
    }

    fn given_start_distance(&self, method: CorrelationKind) -> Record {
        let distances = start_distances(self.context.data);
        let distance = |trial: &Trial| distances.get(trial.level).copied().flatten();
        let known: Vec<usize> =
            (0..self.trials.len()).filter(|&index| distance(self.trials[index]).is_some()).collect();
        let values = |all: &[f64]| -> Vec<f64> { known.iter().map(|&index| all[index]).collect() };
        let covariate: Vec<f64> = known.iter().filter_map(|&index| distance(self.trials[index])).collect();
        let participants: Vec<usize> = known.iter().map(|&index| self.trials[index].participant).collect();
        let confidence = self.context.confidence();
        let partial = partial_correlation(method, &values(&self.x), &values(&self.y), &[covariate], confidence);
        let row = partial.record().without_cells(&[STATISTIC, DF, P_VALUE]);
        let sentence = match &partial.coefficient {
            Ok(coefficient) => format!("{} = {}", method.symbol(), apa::bounded(coefficient.estimate, 2)),
            Err(_) => partial.sentence(),
        };
        self.record("given-start-distance", method, row)
            .set(SENTENCE, sentence)
            .set(N_GROUPS, n_different(&participants))
            .set(N_MISSING, self.n_missing + self.x.len() - known.len())
    }
}

/// An interval for other participants and other levels.
struct TwoWay {
    ends: Option<(f64, f64)>,
    confidence: Confidence,
    n_resamples: usize,
}

impl TwoWay {
    fn sentence(&self, method: CorrelationKind, estimate: f64) -> String {
        let bounded = |value: f64| apa::bounded(value, 2);
        let interval = apa::interval(self.confidence, self.ends, bounded).replace(" CI", " bootstrap CI");
        format!("{} = {}{interval}", method.symbol(), bounded(estimate))
    }

    fn record(&self, estimate: f64) -> Record {
        let n = apa::count(self.n_resamples);
        Record::new()
            .set(COEFFICIENT, estimate)
            .set(LOWER, self.ends.map(|ends| ends.0))
            .set(UPPER, self.ends.map(|ends| ends.1))
            .set(CONFIDENCE, self.confidence.level())
            .set(INTERVAL, format!("percentile bootstrap of {n} resamples of participants and levels"))
    }
}

/// Fisher's z of the coefficient of so many pairs and the variance of its error; absent with fewer than four, where there is no
/// coefficient, and where it is 1 or −1, whose z is infinite.
fn fisher(method: CorrelationKind, r: f64, n: f64) -> Option<(f64, f64)> {
    if !(r.abs() < 1.0 && n > 3.0) {
        return None;
    }
    let scale = match method {
        // Bonett and Wright (2000).
        CorrelationKind::Spearman => 1.0 + r * r / 2.0,
        _ => 1.0,
    };
    Some((r.atanh(), scale / (n - 3.0)))
}

/// The rows of each group, in ascending order of the groups.
fn rows_by(groups: &[usize]) -> Vec<Vec<usize>> {
    let mut all: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    groups.iter().enumerate().for_each(|(row, &group)| all.entry(group).or_default().push(row));
    all.into_values().collect()
}

/// Groups numbered from 0 without gaps, in ascending order.
fn dense(groups: &[usize]) -> Vec<usize> {
    let mut numbers = vec![0; groups.len()];
    let mut place = |(number, rows): (usize, Vec<usize>)| rows.into_iter().for_each(|row| numbers[row] = number);
    rows_by(groups).into_iter().enumerate().for_each(&mut place);
    numbers
}

fn pick(values: &[f64], rows: &[usize]) -> Vec<f64> {
    rows.iter().map(|&row| values[row]).collect()
}

/// The start distance of each level, by number.
fn start_distances(data: &Dataset) -> Vec<Option<f64>> {
    let of_level = |name: &String| {
        let row = data.level_rows.iter().find(|row| row.name == *name)?;
        row.measure("start_distance").filter(|value| value.is_finite())
    };
    data.levels.iter().map(of_level).collect()
}

fn n_different(groups: &[usize]) -> usize {
    let mut groups = groups.to_vec();
    groups.sort_unstable();
    groups.dedup();
    groups.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Cells, check_cells, context, dataset, hard_cases, numbers, trial};
    use plymap_statistics::record::{DF, ESTIMATE, N_PARTICIPANTS};
    use plymap_statistics::stats::Confidence;
    use plymap_statistics::stats::correlation::coefficient;
    use plymap_statistics::stats::repeated::repeated_correlation;

    const MOVES: [f64; 12] = [10.0, 14.0, 30.0, 12.0, 13.0, 41.0, 9.0, 22.0, 35.0, 11.0, 11.0, 50.0];
    const TIMES: [f64; 12] = [20.0, 31.0, 55.0, 14.0, 40.0, 61.0, 33.0, 30.0, 88.0, 19.0, 25.0, 70.0];

    /// Four participants at three levels.
    fn small() -> Dataset {
        dataset((0..12).map(|i| trial(i / 3, i % 3, MOVES[i], TIMES[i])).collect())
    }

    fn rows_of(data: &Dataset) -> Vec<Record> {
        WithinCorrelations::new(&context(data)).records
    }

    #[test]
    fn moves_and_time_come_first_and_are_those_of_the_estimators() {
        let data = small();
        let rows = rows_of(&data);
        let scopes: Vec<&str> = rows[..10].iter().filter_map(|row| row.text(SCOPE)).collect();
        let expected = ["pooled", "pooled", "within-participants", "within-levels", "between-participants"];
        assert_eq!(scopes[..5], expected);
        let others = ["between-levels", "each-level", "each-level", "given-start-distance", "given-start-distance"];
        assert_eq!(scopes[5..], others);
        let participants: Vec<usize> = (0..12).map(|i| i / 3).collect();
        let levels: Vec<usize> = (0..12).map(|i| i % 3).collect();
        let confidence = Confidence::default();
        for (row, groups) in [(&rows[2], &participants), (&rows[3], &levels)] {
            let record = repeated_correlation(groups, &MOVES, &TIMES, confidence).record();
            let expected = [ESTIMATE, N_PARTICIPANTS].map(|column| record.number(column));
            assert_eq!(numbers(row, [COEFFICIENT, N_GROUPS]), expected);
            // The interval is for other participants, and there is no test.
            let x = deviations(groups, &MOVES);
            let y = deviations(groups, &TIMES);
            let method = CorrelationKind::Pearson;
            let resampled = Bootstrap::new(7).clustered_correlation(method, &participants, &x, &y);
            assert!((resampled.estimate.unwrap() - record.number(ESTIMATE).unwrap()).abs() < 1e-12);
            assert_eq!(numbers(row, [LOWER, UPPER, P_VALUE, DF]), [resampled.lower, resampled.upper, None, None]);
        }
        let pooled = coefficient(CorrelationKind::Spearman, &MOVES, &TIMES).unwrap();
        assert_eq!(rows[1].number(COEFFICIENT), Some(pooled));
        assert!(rows[1].number(LOWER).unwrap() < pooled && pooled < rows[1].number(UPPER).unwrap());
        assert_eq!(numbers(&rows[1], [N, N_GROUPS, P_VALUE]), [Some(12.0), Some(4.0), None]);
        let means =
            |values: &[f64]| -> Vec<f64> { values.chunks(3).map(|chunk| chunk.iter().sum::<f64>() / 3.0).collect() };
        let between = coefficient(CorrelationKind::Pearson, &means(&MOVES), &means(&TIMES)).unwrap();
        assert!((rows[4].number(COEFFICIENT).unwrap() - between).abs() < 1e-12);
        let distances: Vec<f64> = (0..12).map(|i| 5.0 + (i % 3) as f64).collect();
        let partial = partial_correlation(CorrelationKind::Spearman, &MOVES, &TIMES, &[distances], confidence);
        assert_eq!(numbers(&rows[9], [COEFFICIENT, P_VALUE]), [Some(partial.coefficient.unwrap().estimate), None]);
    }

    #[test]
    fn the_coefficients_of_levels_are_pooled_on_the_scale_of_fisher() {
        let rows = rows_of(&small());
        let of_level = |level: usize| {
            let at_level = |values: &[f64]| values.iter().skip(level).step_by(3).copied().collect::<Vec<f64>>();
            coefficient(CorrelationKind::Pearson, &at_level(&MOVES), &at_level(&TIMES)).unwrap().atanh()
        };
        // Four trials at each level: the variance of z is 1.
        let expected = random_effects(&[0, 1, 2].map(of_level), &[1.0; 3], Confidence::default()).unwrap();
        let estimates = numbers(&rows[6], [COEFFICIENT, TAU, PREDICTION_LOWER, N, N_GROUPS]);
        let expected = [expected.estimate.tanh(), expected.tau, expected.prediction.0.tanh(), 12.0, 3.0];
        for (estimate, expected) in estimates.into_iter().zip(expected) {
            assert!((estimate.unwrap() - expected).abs() < 1e-12, "{estimate:?}, {expected}");
        }
        assert_eq!(rows[7].text(METHOD), Some("spearman"));
        // Of ranks the variance grows with the coefficient (Bonett and Wright, 2000).
        let (x, y) = ([1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 3.0, 4.0, 5.0]);
        let spearman = |y: &[f64]| coefficient(CorrelationKind::Spearman, &x, y).unwrap();
        let (z, variance) = fisher(CorrelationKind::Spearman, spearman(&y), 5.0).unwrap();
        assert!((z - 0.9_f64.atanh()).abs() < 1e-12 && (variance - 1.405 / 2.0).abs() < 1e-12);
        assert_eq!(fisher(CorrelationKind::Spearman, spearman(&x), 5.0), None);
    }

    /// If only people differ, the interval of a mean over balanced trials is that of the means of people; if only
    /// levels do, that of the means of levels. The quantiles of 1,999 resamples have errors of about 3 %.
    #[test]
    fn the_interval_knows_people_and_levels() {
        let value = |place: usize| ((place * 37 + 11) % 97) as f64;
        let half_width = |by: fn(usize, usize) -> usize, n: usize| {
            let trials = (0..40).flat_map(|p| (0..40).map(move |l| (p, l)));
            let data = dataset(trials.map(|(p, l)| trial(p, l, value(by(p, l)), 1.0 + (p + l) as f64)).collect());
            let context = context(&data);
            let pairs = Pairs::new(&context, TrialMeasure::NMoves, TrialMeasure::Time);
            let mean = |people: &[f64], levels: &[f64]| {
                let count = |row: usize| people[row / 40] * levels[row % 40];
                let sum: f64 = (0..1_600).map(|row| count(row) * pairs.x[row]).sum();
                Some(sum / (0..1_600).map(count).sum::<f64>())
            };
            let (lower, upper) = pairs.two_way(mean).ends.unwrap();
            let values: Vec<f64> = (0..n).map(value).collect();
            let middle = values.iter().sum::<f64>() / n as f64;
            let variance = values.iter().map(|value| (value - middle).powi(2)).sum::<f64>() / n as f64;
            (upper - lower) / 2.0 / (1.96 * (variance / n as f64).sqrt())
        };
        for share in [half_width(|p, _| p, 40), half_width(|_, l| l, 40)] {
            assert!((share - 1.0).abs() < 0.1, "{share}");
        }
    }

    #[test]
    fn trials_without_a_value_are_missing_and_unsolved_ones_left_out() {
        let mut data = small();
        data.trials_mut()[1].time_s = None;
        data.trials_mut()[2].n_moves = None;
        data.trials_mut()[11].is_solved = None;
        data.level_rows[0].measures[0].1 = None;
        let rows = rows_of(&data);
        assert_eq!(numbers(&rows[0], [N, N_MISSING, N_NOT_SOLVED]), [Some(9.0), Some(2.0), Some(1.0)]);
        // The first participant has a single trial left.
        assert_eq!(numbers(&rows[2], [N, N_GROUPS, N_SINGLETONS]), [Some(8.0), Some(3.0), Some(1.0)]);
        // Level l0, of which four trials are left, has no start distance.
        assert_eq!(numbers(&rows[8], [N, N_MISSING, N_GROUPS]), [Some(5.0), Some(6.0), Some(3.0)]);
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
        let said = WithinCorrelations::new(&context(&data)).sentences();
        assert_eq!(said.len(), 5);
        assert!(said[0].starts_with(
            "Number of moves and time of solved trials, all together, with participants and levels resampled: ρ = "
        ));
        assert!(said[0].ends_with("12 trials of 4 participants."));
        assert!(said[1].contains("within participants: rrm = "));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let tables = WithinCorrelations::new(&context(&data)).tables();
            check_cells(&tables[0]);
            let n_rows = if data.unit.is_distance() { 9 * 6 + 4 } else { 6 * 6 + 2 };
            assert_eq!(tables[0].cells("scope").len(), n_rows);
            for (estimate, reason) in tables[0].cells("estimate").iter().zip(tables[0].cells("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
            assert!(WithinCorrelations::new(&context(&data)).sentences().len() >= 3);
        }
    }
}
