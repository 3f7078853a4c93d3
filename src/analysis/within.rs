//! Correlations within and between participants and levels, and over all trials with cluster-bootstrap intervals
//! (clusters: participants).

use rayon::prelude::*;

use super::Context;
use super::columns::{COEFFICIENT, CONFIDENCE, LOWER, METHOD, N_NOT_SOLVED, NO_RESULT, SENTENCE, UPPER};
use super::dataset::{Dataset, Trial};
use super::measures::{PAIRS, TrialMeasure, deviations, n_not_solved, solved, solved_word};
use crate::table::Table;
use plymap_statistics::record::{Column, DF, N, N_GROUPS, N_MISSING, P_VALUE, Record, STATISTIC, X, Y, text, whole};
use plymap_statistics::stats::apa;
use plymap_statistics::stats::correlation::CorrelationKind;
use plymap_statistics::stats::partial::partial_correlation;
use plymap_statistics::stats::repeated::{N_SINGLE, RepeatedCorrelation, SLOPE, decompose};
use plymap_statistics::stats::resample::{Bootstrap, BootstrapInterval};

const SCOPE: Column = text(
    "scope",
    "pooled: all trials; within-participants, within-levels: deviations from the group's means; between-participants, between-levels: the groups' means, each group counting once; given-start-distance: all trials, with the start distance of the level held constant",
)
.levels(&[
    "pooled",
    "within-participants",
    "within-levels",
    "between-participants",
    "between-levels",
    "given-start-distance",
]);
const INTERVAL: Column = text(
    "interval",
    "how the interval was made; the cluster bootstrap resamples participants with replacement (Davison and Hinkley, 1997, section 3.8), and is too narrow for fewer than some twenty; Fisher z with the start distance held constant is as if trials were independent",
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
        N_SINGLE.name,
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
            ("pooled", CorrelationKind::Spearman, "all together, with participants resampled"),
            ("within-participants", CorrelationKind::Pearson, "within participants"),
            ("within-levels", CorrelationKind::Pearson, "within levels"),
            ("given-start-distance", CorrelationKind::Spearman, "with the start distance held constant"),
        ];
        let find = |(scope, method, words): (&str, CorrelationKind, &str)| {
            let asked = [(X, "n_moves"), (Y, "time_s"), (SCOPE, scope), (METHOD, method.key())];
            let is_asked = |record: &&Record| asked.iter().all(|(column, value)| record.text(*column) == Some(*value));
            let result = self.records.iter().find(is_asked)?.text(SENTENCE)?;
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
        let participants: Vec<usize> = self.trials.iter().map(|trial| trial.participant).collect();
        let levels: Vec<usize> = self.trials.iter().map(|trial| trial.level).collect();
        let confidence = self.context.confidence();
        let of_participants = decompose(&participants, &self.x, &self.y, confidence);
        let of_levels = decompose(&levels, &self.x, &self.y, confidence);
        let between = |scope, groups: &[usize], means: Record| {
            // The number of means is that of the groups.
            self.record(scope, CorrelationKind::Pearson, means).set(N, self.x.len()).set(N_GROUPS, n_different(groups))
        };
        let mut records = vec![
            self.pooled(CorrelationKind::Pearson, &participants),
            self.pooled(CorrelationKind::Spearman, &participants),
            self.within("within-participants", &of_participants.within, &participants, &participants),
            self.within("within-levels", &of_levels.within, &levels, &participants),
            between("between-participants", &participants, of_participants.between.record()),
            between("between-levels", &levels, of_levels.between.record()),
        ];
        let is_first = (self.x_measure, self.y_measure) == (TrialMeasure::NMoves, TrialMeasure::Time);
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

    fn pooled(&self, method: CorrelationKind, participants: &[usize]) -> Record {
        let (found, interval) = self.resampled(method, participants, &self.x, &self.y);
        let mut sentence = found.sentence(method.symbol(), true);
        if found.estimate.is_some() {
            sentence += &format!(", {} trials of {} participants", apa::count(found.n), apa::count(found.n_units));
        }
        self.record("pooled", method, found.record(method.symbol(), true))
            .set(N_GROUPS, found.n_units)
            .set(INTERVAL, interval)
            .set(SENTENCE, sentence)
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
    fn within(&self, scope: &str, found: &RepeatedCorrelation, groups: &[usize], participants: &[usize]) -> Record {
        let (x, y) = (deviations(groups, &self.x), deviations(groups, &self.y));
        let method = CorrelationKind::Pearson;
        let (resampled, interval) = self.resampled(method, participants, &x, &y);
        let mut row = found.record().without_cells(&[STATISTIC, DF, P_VALUE, LOWER, UPPER]);
        if found.record().number(COEFFICIENT).is_some() {
            row = row
                .set(LOWER, resampled.lower)
                .set(UPPER, resampled.upper)
                .set(SENTENCE, resampled.sentence("rrm", true));
        }
        self.record(scope, method, row).set(N_GROUPS, found.n_groups).set(INTERVAL, interval)
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
        let found = partial_correlation(method, &values(&self.x), &values(&self.y), &[covariate], confidence);
        let row = found.record().without_cells(&[STATISTIC, DF, P_VALUE]);
        let sentence = match &found.coefficient {
            Ok(own) => format!("{} = {}", method.symbol(), apa::bounded(own.estimate, 2)),
            Err(_) => found.sentence(),
        };
        self.record("given-start-distance", method, row)
            .set(SENTENCE, sentence)
            .set(N_GROUPS, n_different(&participants))
            .set(N_MISSING, self.n_missing + self.x.len() - known.len())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture::{Cells, check_cells, context, dataset, hard_cases, numbers, trial};
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
        let scopes: Vec<&str> = rows[..8].iter().filter_map(|row| row.text(SCOPE)).collect();
        let expected = ["pooled", "pooled", "within-participants", "within-levels", "between-participants"];
        assert_eq!(scopes[..5], expected);
        assert_eq!(scopes[5..], ["between-levels", "given-start-distance", "given-start-distance"]);
        let participants: Vec<usize> = (0..12).map(|i| i / 3).collect();
        let levels: Vec<usize> = (0..12).map(|i| i % 3).collect();
        let confidence = Confidence::default();
        for (row, groups) in [(&rows[2], &participants), (&rows[3], &levels)] {
            let own = repeated_correlation(groups, &MOVES, &TIMES, confidence).record();
            let expected = [ESTIMATE, N_PARTICIPANTS].map(|column| own.number(column));
            assert_eq!(numbers(row, [COEFFICIENT, N_GROUPS]), expected);
            // The interval is for other participants, and there is no test.
            let x = deviations(groups, &MOVES);
            let y = deviations(groups, &TIMES);
            let method = CorrelationKind::Pearson;
            let resampled = Bootstrap::new(7).clustered_correlation(method, &participants, &x, &y);
            assert!((resampled.estimate.unwrap() - own.number(ESTIMATE).unwrap()).abs() < 1e-12);
            assert_eq!(numbers(row, [LOWER, UPPER, P_VALUE, DF]), [resampled.lower, resampled.upper, None, None]);
        }
        let pooled = Bootstrap::new(7).clustered_pairs(&participants, &MOVES, &TIMES, |x, y| {
            coefficient(CorrelationKind::Spearman, x, y).unwrap_or(f64::NAN)
        });
        // The same resamples, ranked in another way, which rounds otherwise.
        let expected = [pooled.estimate, pooled.lower, pooled.upper];
        for (own, expected) in numbers(&rows[1], [COEFFICIENT, LOWER, UPPER]).into_iter().zip(expected) {
            assert!((own.unwrap() - expected.unwrap()).abs() < 1e-14, "{own:?}, {expected:?}");
        }
        assert_eq!(numbers(&rows[1], [N, N_GROUPS, P_VALUE]), [Some(12.0), Some(4.0), None]);
        let means =
            |values: &[f64]| -> Vec<f64> { values.chunks(3).map(|own| own.iter().sum::<f64>() / 3.0).collect() };
        let between = coefficient(CorrelationKind::Pearson, &means(&MOVES), &means(&TIMES)).unwrap();
        assert!((rows[4].number(COEFFICIENT).unwrap() - between).abs() < 1e-12);
        let distances: Vec<f64> = (0..12).map(|i| 5.0 + (i % 3) as f64).collect();
        let partial = partial_correlation(CorrelationKind::Spearman, &MOVES, &TIMES, &[distances], confidence);
        assert_eq!(numbers(&rows[7], [COEFFICIENT, P_VALUE]), [Some(partial.coefficient.unwrap().estimate), None]);
    }

    #[test]
    fn trials_without_a_value_are_missing_and_unsolved_ones_left_out() {
        let mut data = small();
        data.trials[1].time_s = None;
        data.trials[2].n_moves = None;
        data.trials[11].is_solved = None;
        data.level_rows[0].measures[0].1 = None;
        let rows = rows_of(&data);
        assert_eq!(numbers(&rows[0], [N, N_MISSING, N_NOT_SOLVED]), [Some(9.0), Some(2.0), Some(1.0)]);
        // The first participant has a single trial left.
        assert_eq!(numbers(&rows[2], [N, N_GROUPS, N_SINGLE]), [Some(8.0), Some(3.0), Some(1.0)]);
        // Level l0, of which four trials are left, has no start distance.
        assert_eq!(numbers(&rows[6], [N, N_MISSING, N_GROUPS]), [Some(5.0), Some(6.0), Some(3.0)]);
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
        assert_eq!(said.len(), 4);
        assert!(
            said[0].starts_with(
                "Number of moves and time of solved trials, all together, with participants resampled: ρ = "
            )
        );
        assert!(said[0].ends_with("12 trials of 4 participants."));
        assert!(said[1].contains("within participants: rrm = "));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let made = WithinCorrelations::new(&context(&data)).tables();
            check_cells(&made[0]);
            let n_rows = if data.unit.is_distance() { 9 * 6 + 2 } else { 6 * 6 };
            assert_eq!(made[0].texts("scope").len(), n_rows);
            for (estimate, reason) in made[0].texts("estimate").iter().zip(made[0].texts("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
            assert!(WithinCorrelations::new(&context(&data)).sentences().len() >= 3);
        }
    }
}
