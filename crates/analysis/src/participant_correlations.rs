//! Correlations between measures of participants: each participant is one row.

use super::columns::{
    self, COEFFICIENT, CONFIDENCE, CORRELATION_DF, LOWER, METHOD, N_NOT_SOLVED, NO_RESULT, P_OF_CORRELATION, SENTENCE,
    T_OR_Z, UPPER, adjusted_sentence,
};
use super::context::Context;
use super::measures::{TrialMeasure, n_not_solved, participant_means, solved_word};
use plymap_statistics::record::{Column, N, N_MISSING, P_METHOD, Record, X, Y, count, number};
use plymap_statistics::stats::adjust::Adjustment;
use plymap_statistics::stats::correlation::CorrelationKind;
use plymap_statistics::stats::matrix::{MatrixColumn, MeasurePair, correlation_matrix};
use plymap_tables::Table;

const METHODS: [CorrelationKind; 3] = [CorrelationKind::Pearson, CorrelationKind::Spearman, CorrelationKind::Kendall];

const N_TRIALS: Column = count(
    "n_trials",
    "number of solved trials of all participants, over which the means were taken where they have the measure",
);
const P_HOLM: Column = columns::P_ADJUSTED.means("p after Holm (1979), over all pairs of measures of this coefficient");
const P_FALSE_DISCOVERY: Column =
    number("p_adjusted_fdr", "p after Benjamini and Hochberg (1995), over the same pairs");
const N_TESTS: Column = count("n_tests", "number of pairs that the two adjustments count");

const COLUMNS: &[Column] = &[
    X.means("first measure: mean over the participant's solved trials of this column of the table trials"),
    Y.means("second measure, likewise"),
    METHOD.means("coefficient: pearson, spearman or kendall (tau-b)").levels(&["pearson", "spearman", "kendall"]),
    N.means("number of participants with both measures"),
    N_MISSING.means("number of participants in whom one of the two is missing"),
    N_TRIALS,
    N_NOT_SOLVED
        .means("number of trials that were not solved or are not known to have been; they are in no mean"),
    COEFFICIENT,
    LOWER.means(
        "lower end of the interval: Fisher z; for Spearman and Kendall with the standard errors of Bonett and Wright (2000); empty where the coefficient is 1 or −1",
    ),
    UPPER,
    CONFIDENCE,
    T_OR_Z,
    CORRELATION_DF,
    P_OF_CORRELATION,
    P_METHOD,
    P_HOLM,
    P_FALSE_DISCOVERY,
    N_TESTS,
    SENTENCE,
    NO_RESULT,
];

/// The correlations of all pairs of measures over participants. The time is that of sorting the participants for
/// each pair and coefficient.
#[derive(Clone, Debug, PartialEq)]
pub struct ParticipantCorrelations {
    records: Vec<Record>,
    /// The rank correlation of moves and time, in words.
    sentence: Option<String>,
}

impl ParticipantCorrelations {
    /// Correlates the participants' means.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let measures = TrialMeasure::of_unit(data.unit);
        let means: Vec<Vec<Option<f64>>> = measures.iter().map(|&measure| participant_means(data, measure)).collect();
        let named: Vec<MatrixColumn> = measures
            .iter()
            .zip(&means)
            .map(|(measure, values)| MatrixColumn { name: measure.column(), values })
            .collect();
        let (n_excluded, word) = (n_not_solved(data), solved_word(data.unit));
        let (mut all, mut sentence) = (Vec::new(), None);
        for method in METHODS {
            let matrix = correlation_matrix(&named, method, Adjustment::None, context.confidence());
            let record = |pair: &MeasurePair| {
                pair.record()
                    .set(METHOD, method.key())
                    .set(N_MISSING, data.participants.len() - pair.correlation.n)
                    .set(N_TRIALS, data.trials.len() - n_excluded)
                    .set(N_NOT_SOLVED, n_excluded)
                    .set(N_TESTS, matrix.n_tests)
            };
            let mut records: Vec<Record> = matrix.pairs.iter().map(record).collect();
            Adjustment::Holm.apply_to(&mut records, P_HOLM);
            Adjustment::BenjaminiHochberg.apply_to(&mut records, P_FALSE_DISCOVERY);
            if method == CorrelationKind::Spearman {
                sentence = said(&records, word);
            }
            all.extend(records);
        }
        Self { records: all, sentence }
    }

    /// The table `participant_correlations`.
    pub fn tables(&self) -> Vec<Table> {
        let table = Table::of_records(
            "participant_correlations",
            "Correlations between measures of participants. Each participant is one row: the means of the solved trials. Participants who solved other levels than others are compared as if levels were alike.",
            COLUMNS,
            &self.records,
        );
        vec![table]
    }

    /// The rank correlation of mean moves and mean time.
    pub fn sentences(&self) -> Vec<String> {
        self.sentence.clone().into_iter().collect()
    }
}

/// The correlation of moves and time among those of one coefficient.
fn said(records: &[Record], word: &str) -> Option<String> {
    let is_match = |record: &&Record| record.text(X) == Some("n_moves") && record.text(Y) == Some("time_s");
    let record = records.iter().find(is_match)?;
    let (n, result) = (record.number(N)?, adjusted_sentence(record, P_HOLM)?);
    let n = plymap_statistics::stats::apa::counted(n as u64, "participant");
    Some(format!(
        "Over {n}, rank correlation of the mean number of moves and the mean time of {word} trials: {result}."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Trial;
    use crate::testing::{Cells, check_cells, context, dataset, hard_cases, trial};
    use plymap_statistics::stats::apa;
    use plymap_statistics::stats::correlation::correlate;

    #[test]
    fn participants_are_correlated_by_their_means() {
        let moves = [[10.0, 20.0], [12.0, 30.0], [8.0, 14.0], [40.0, 44.0], [9.0, 50.0]];
        let times = [[20.0, 90.0], [31.0, 35.0], [80.0, 11.0], [60.0, 77.0], [25.0, 88.0]];
        let mut trials: Vec<_> =
            (0..5).flat_map(|p| (0..2).map(move |l| trial(p, l, moves[p][l], times[p][l]))).collect();
        // An unsolved trial, and a participant without any solved one.
        let mut unsolved = trial(0, 2, 900.0, 900.0);
        unsolved.is_solved = Some(false);
        trials.push(unsolved.clone());
        unsolved.participant = 5;
        trials.push(unsolved);
        let data = dataset(trials);
        let table = ParticipantCorrelations::new(&context(&data)).tables().remove(0);
        // 7 measures are 21 pairs for each of three coefficients.
        assert_eq!(table.cells("x").len(), 63);
        let mean_moves = [15.0, 21.0, 11.0, 42.0, 29.5];
        let mean_times = [55.0, 33.0, 45.5, 68.5, 56.5];
        for (index, method) in
            [(0, CorrelationKind::Pearson), (21, CorrelationKind::Spearman), (42, CorrelationKind::Kendall)]
        {
            let cell = |name: &str| table.cells(name)[index].clone().unwrap_or_default();
            let expected = correlate(method, &mean_moves, &mean_times, context(&data).confidence());
            assert_eq!([cell("x"), cell("y"), cell("method")], ["n_moves", "time_s", method.key()]);
            assert_eq!([cell("n"), cell("n_missing"), cell("n_trials"), cell("n_excluded")], ["5", "1", "10", "2"]);
            assert_eq!(cell("estimate"), expected.estimate().unwrap().to_string());
            // Only this pair has values, so it is the only test.
            assert_eq!(
                (cell("p_adjusted"), cell("n_tests")),
                (expected.p_value().unwrap().to_string(), "1".to_owned())
            );
        }
        let said = ParticipantCorrelations::new(&context(&data)).sentences();
        assert!(
            said[0].starts_with(
                "Over 5 participants, rank correlation of the mean number of moves and the mean time of solved trials: ρ(3) ="
            )
        );
    }

    #[test]
    fn both_adjustments_count_the_pairs_of_one_coefficient() {
        let trials = (0..8).map(|p| {
            let mut trial = trial(p, 0, (p * p) as f64, (p + 3) as f64);
            trial.share_optimal = Some(1.0 / (p + 2) as f64 + if p == 4 { 0.3 } else { 0.0 });
            trial
        });
        let data = dataset(trials.collect());
        let table = ParticipantCorrelations::new(&context(&data)).tables().remove(0);
        let number = |name: &str, row: usize| table.cells(name)[row].as_ref().map(|cell| cell.parse::<f64>().unwrap());
        // Pearson: n_moves with time_s, n_moves with share_optimal, time_s with share_optimal are rows 0, 2 and 7.
        let rows = [0, 2, 7];
        let mut p: Vec<(f64, usize)> = rows.iter().map(|&row| (number("p_value", row).unwrap(), row)).collect();
        p.sort_by(|left, right| left.0.total_cmp(&right.0));
        assert_eq!(number("n_tests", 0), Some(3.0));
        assert_eq!(number("p_adjusted", p[0].1), Some(3.0 * p[0].0));
        assert_eq!(number("p_adjusted_fdr", p[2].1), Some(p[2].0));
        assert_eq!(number("p_adjusted", 1), None);
        assert!(table.cells("reason")[1].is_some());
    }

    #[test]
    fn what_is_said_has_the_p_that_holm_adjusted() {
        let times = [12.0, 9.0, 15.0, 11.0, 20.0, 13.0, 22.0, 16.0];
        let shares = [0.9, 0.4, 0.7, 0.8, 0.3, 0.5, 0.6, 0.2];
        let trial_of = |p: usize| Trial { share_optimal: Some(shares[p]), ..trial(p, 0, 10.0 + p as f64, times[p]) };
        let data = dataset((0..8).map(trial_of).collect());
        let correlations = ParticipantCorrelations::new(&context(&data));
        // Spearman's rows come after the 21 of Pearson.
        let record = &correlations.records[21];
        assert_eq!((record.text(METHOD), record.text(Y)), (Some("spearman"), Some("time_s")));
        let [p, adjusted, other] = [P_OF_CORRELATION, P_HOLM, P_FALSE_DISCOVERY].map(|column| record.number(column));
        assert!(p < adjusted && other < adjusted, "{p:?}, {adjusted:?}, {other:?}");
        let said = correlations.sentences().remove(0);
        assert!(said.ends_with(&format!(", {} (adjusted over 3 tests).", apa::p_value(adjusted.unwrap()))), "{said}");
        assert!(!said.contains(&apa::p_value(p.unwrap())), "{said}");
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let table = ParticipantCorrelations::new(&context(&data)).tables().remove(0);
            check_cells(&table);
            let n_pairs = if data.unit.is_distance() { 21 } else { 15 };
            assert_eq!(table.cells("x").len(), 3 * n_pairs);
            for (estimate, reason) in table.cells("estimate").iter().zip(table.cells("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
            assert_eq!(ParticipantCorrelations::new(&context(&data)).sentences().len(), 1);
        }
    }
}
