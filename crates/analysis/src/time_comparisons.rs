//! Inter-move time by quality, by whether the move was optimal, by distance and by the number of legal moves.
//!
//! Moves of one participant are not independent, so comparisons are within participants: each gives one median
//! for each group of moves.

use super::columns::adjusted_sentence;
use super::context::Context;
use super::time_comparison::{Comparison, FACTOR, GROUP, MEDIAN_COLUMNS, P_ADJUSTED, TEST, TEST_COLUMNS};
use super::time_factors::factors;
use plymap_statistics::record::{ESTIMATE, Record};
use plymap_statistics::stats::adjust::Adjustment;
use plymap_statistics::stats::apa;
use plymap_tables::Table;
use rayon::prelude::*;

/// Medians and tests of all factors. Time grows with n log n of the moves, memory with their number.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeTests {
    medians: Vec<Record>,
    tests: Vec<Record>,
}

impl TimeTests {
    /// Compares the times.
    pub fn new(context: &Context) -> Self {
        let confidence = context.confidence();
        let compared: Vec<_> = factors(context.data)
            .into_par_iter()
            .map(|factor| {
                let compared = Comparison::new(&factor, confidence);
                (compared.medians(), compared.tests())
            })
            .collect();
        let (medians, tests): (Vec<_>, Vec<_>) = compared.into_iter().unzip();
        let mut tests = tests.concat();
        Adjustment::Holm.apply_to(&mut tests, P_ADJUSTED);
        Self { medians: medians.concat(), tests }
    }

    /// The tables `time_medians` and `time_tests`.
    pub fn tables(&self) -> Vec<Table> {
        let medians = "Median inter-move time of groups of moves: the median over participants of their own medians, over all trials up to the first solution.";
        let tests =
            "Tests whether inter-move times differ between groups of moves, over participants by their medians.";
        vec![
            Table::of_records("time_medians", medians, MEDIAN_COLUMNS, &self.medians),
            Table::of_records("time_tests", tests, TEST_COLUMNS, &self.tests),
        ]
    }

    /// The test over participants of quality, which a mixed model of moves has as well.
    pub fn sentences(&self) -> Vec<String> {
        let is_quality = |row: &&Record| row.text(FACTOR) == Some("quality");
        let test = self.tests.iter().filter(is_quality).find(|row| row.text(TEST) == Some("friedman"));
        let Some(sentence) = test.and_then(|row| adjusted_sentence(row, P_ADJUSTED)) else { return Vec::new() };
        let median = |row: &Record| Some(format!("{} {} s", row.text(GROUP)?, apa::number(row.number(ESTIMATE)?, 2)));
        let medians: Vec<String> = self.medians.iter().filter(is_quality).filter_map(median).collect();
        let medians = if medians.is_empty() { String::new() } else { format!(" (medians: {})", medians.join(", ")) };
        vec![format!(
            "As a check over participants, their median inter-move times by the quality of the move{medians}: {sentence}."
        )]
    }
}

#[cfg(test)]
mod tests {
    use super::super::time_comparison::{GROUPS, N_MOVES};
    use super::*;
    use crate::dataset::Dataset;
    use crate::testing::{Cells, add_attempt, check_cells, context, dataset, hard_cases, numbers, step, trial};
    use plymap_measures::label::Quality;
    use plymap_statistics::record::*;
    use plymap_statistics::stats::Confidence;
    use plymap_statistics::stats::adjust::holm;
    use plymap_statistics::stats::friedman::friedman;
    use plymap_statistics::stats::interval::median_interval;
    use plymap_statistics::stats::two_samples::wilcoxon;

    /// Each participant makes a first move, then two of each of three qualities with these times; the last participant
    /// makes no worse move.
    fn small() -> (Dataset, Vec<[Vec<f64>; 3]>) {
        let times: Vec<[Vec<f64>; 3]> = (0..7)
            .map(|p| {
                let p = f64::from(p);
                [vec![1.0 + p, 2.0 + p], vec![1.5 + 2.0 * p, 2.0 + p * p], vec![3.0 + 2.0 * p, 4.5 + 3.0 * p]]
            })
            .collect();
        let mut data = dataset((0..7).map(|p| trial(p, 0, 6.0, 30.0)).collect());
        for (p, participant) in times.iter().enumerate() {
            let mut moves = vec![step(Quality::Better, Some(99.0))];
            for (quality, times) in [Quality::Better, Quality::Same, Quality::Worse].into_iter().zip(participant) {
                if p < 6 || quality != Quality::Worse {
                    moves.extend(times.iter().map(|&time| step(quality, Some(time)).but(|fact| fact.n_legal = 3)));
                }
            }
            moves.push(step(Quality::Same, None));
            add_attempt(&mut data, p, 0, moves);
        }
        (data, times)
    }

    fn median(times: &[f64]) -> f64 {
        (times[0] + times[1]) / 2.0
    }

    #[test]
    fn participants_are_compared_by_their_medians() {
        let (data, times) = small();
        let comparisons = TimeTests::new(&context(&data));
        let rows: Vec<&Record> = comparisons.tests.iter().filter(|row| row.text(FACTOR) == Some("quality")).collect();
        let names: Vec<&str> = rows.iter().filter_map(|row| row.text(TEST)).collect();
        assert_eq!(names, ["friedman", "wilcoxon", "wilcoxon", "wilcoxon"]);
        let medians: Vec<[f64; 3]> = times[..6].iter().map(|row| [0, 1, 2].map(|group| median(&row[group]))).collect();
        let expected = friedman(&medians);
        assert_eq!(
            numbers(rows[0], [N, N_MISSING, STATISTIC]),
            [Some(6.0), Some(1.0), expected.record().number(STATISTIC)]
        );
        assert_eq!(rows[0].number(EFFECT_SIZE), Some(expected.test.unwrap().kendalls_w));
        assert_eq!(rows[0].text(GROUPS), Some("better; same; worse"));
        // Better against same has all seven participants, the others six.
        let (better, same): (Vec<f64>, Vec<f64>) = times.iter().map(|row| (median(&row[0]), median(&row[1]))).unzip();
        let expected = wilcoxon(&better, &same, Confidence::default()).record();
        assert_eq!(numbers(rows[1], [N, N_MISSING, P_VALUE]), [Some(7.0), Some(0.0), expected.number(P_VALUE)]);
        let columns = [ESTIMATE, EFFECT_SIZE];
        assert_eq!(numbers(rows[1], columns), numbers(&expected, columns));
        assert_eq!(numbers(rows[2], [N, N_MISSING]), [Some(6.0), Some(1.0)]);
        let p_values: Vec<Option<f64>> = rows[1..4].iter().map(|row| row.number(P_VALUE)).collect();
        let p_adjusted: Vec<Option<f64>> = rows[1..4].iter().map(|row| row.number(P_ADJUSTED)).collect();
        assert_eq!(p_adjusted, holm(&p_values));
        assert!(rows.iter().all(|row| row.number(N_EXCLUDED) == Some(7.0)));
    }

    /// Positions differ in how far they are from the goal and in how many moves are legal, each in its own way.
    fn with_positions() -> Dataset {
        let (mut data, _) = small();
        for (number, row) in data.moves.iter_mut().enumerate() {
            row.n_legal = [2, 3, 5][number % 3];
            row.value_before = Some([4.0, 9.0][number % 8 / 4]);
        }
        data
    }

    #[test]
    fn the_tests_of_all_groups_are_adjusted_over_factors_of_a_question() {
        let data = with_positions();
        let comparisons = TimeTests::new(&context(&data));
        let of_all: Vec<&Record> = comparisons.tests.iter().filter(|row| row.text(TEST) == Some("friedman")).collect();
        let factors: Vec<&str> = of_all.iter().filter_map(|row| row.text(FACTOR)).collect();
        assert_eq!(factors, ["quality", "distance", "n_legal"]);
        let p_values: Vec<Option<f64>> = of_all.iter().map(|row| row.number(P_VALUE)).collect();
        assert!(p_values.iter().flatten().count() > 1, "{p_values:?}");
        let p_adjusted: Vec<Option<f64>> = of_all.iter().map(|row| row.number(P_ADJUSTED)).collect();
        // Quality is one question, what makes a position hard another.
        assert_eq!(p_adjusted, [&p_values[..1], &holm(&p_values[1..])].concat());
        let said = comparisons.sentences().remove(0);
        let p = apa::p_value(p_values[0].unwrap());
        assert!(said.contains(&format!(", {p}, Kendall's W = ")), "{said}");
    }

    #[test]
    fn medians_are_over_participants() {
        let (data, times) = small();
        let comparisons = TimeTests::new(&context(&data));
        let better: Vec<f64> = times.iter().map(|row| median(&row[0])).collect();
        let row = &comparisons.medians[0];
        assert_eq!(row.text(GROUP), Some("better"));
        assert_eq!(numbers(row, [N_MOVES, N_EXCLUDED]), [Some(14.0), Some(7.0)]);
        let expected = median_interval(&better, Confidence::default());
        assert_eq!(numbers(row, [ESTIMATE, LOWER, UPPER]), [expected.estimate, expected.lower, expected.upper]);
        let worse = &comparisons.medians[2];
        assert_eq!(numbers(worse, [N, N_PARTICIPANTS, N_MOVES]), [Some(6.0), Some(7.0), Some(12.0)]);
        let none = &comparisons.medians[3];
        assert_eq!((none.text(GROUP), none.number(N)), (Some("dead-end"), Some(0.0)));
        assert!(none.text(REASON).is_some());
    }

    #[test]
    fn optimal_moves_are_one_pair() {
        let (data, _) = small();
        let comparisons = TimeTests::new(&context(&data));
        let rows: Vec<&Record> = comparisons.tests.iter().filter(|row| row.text(FACTOR) == Some("optimal")).collect();
        let names: Vec<&str> = rows.iter().filter_map(|row| row.text(TEST)).collect();
        assert_eq!(names, ["wilcoxon"]);
        assert_eq!(rows[0].text(GROUPS), Some("optimal; not optimal"));
        assert_eq!(rows[0].number(P_ADJUSTED), rows[0].number(P_VALUE));
        let said = TimeTests::new(&context(&data)).sentences();
        assert_eq!(said.len(), 1);
        assert!(said[0].starts_with(
            "As a check over participants, their median inter-move times by the quality of the move (medians: better 4.50 s, same "
        ));
        assert!(said[0].contains(", Kendall's W = ") && !said[0].contains(", W = "), "{}", said[0]);
    }

    #[test]
    fn groups_that_few_have_take_no_part_in_the_friedman_test() {
        let (mut data, _) = small();
        add_attempt(&mut data, 0, 0, vec![step(Quality::Same, None), step(Quality::DeadEnd, Some(4.0))]);
        let comparisons = TimeTests::new(&context(&data));
        assert_eq!(comparisons.tests[0].number(N), Some(6.0));
        assert_eq!(comparisons.tests[0].text(GROUPS), Some("better; same; worse"));
        // Six pairs now, those with a dead end from one participant.
        assert_eq!(
            comparisons
                .tests
                .iter()
                .filter(|row| row.text(FACTOR) == Some("quality") && row.text(TEST) == Some("wilcoxon"))
                .count(),
            6
        );
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let tables = TimeTests::new(&context(&data)).tables();
            tables.iter().for_each(check_cells);
            let factors = if data.unit.is_distance() { 4 } else { 3 };
            let mut names = tables[0].cells("factor");
            names.dedup();
            assert_eq!(names.len(), factors);
            let mut names = tables[1].cells("factor");
            names.dedup();
            assert_eq!(names.len(), factors);
            for (p, reason) in tables[1].cells("p_value").iter().zip(tables[1].cells("reason")) {
                assert!(p.is_some() || reason.is_some());
            }
            TimeTests::new(&context(&data)).sentences();
        }
    }
}
