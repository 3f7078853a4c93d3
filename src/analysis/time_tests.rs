//! Inter-move time by quality, by whether the move was optimal, by distance and by the number of legal moves.
//!
//! Moves of one participant are not independent, so comparisons are within participants: each gives one median
//! for each group of moves. Tests of all moves pooled stand beside them as a description.

use rayon::prelude::*;

use super::Context;
use super::measures::capital;
use super::time_comparison::{Comparison, FACTOR, GROUP, MEDIAN_COLUMNS, TEST, TEST_COLUMNS};
use super::time_factors::factors;
use crate::table::Table;
use plymap_statistics::record::{ESTIMATE, Record, SENTENCE};
use plymap_statistics::stats::apa;

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
        Self { medians: medians.concat(), tests: tests.concat() }
    }

    /// The tables `time_medians` and `time_tests`.
    pub fn tables(&self) -> Vec<Table> {
        let medians = "Median inter-move time of groups of moves: the median over participants of their own medians, over all trials up to the first solution.";
        let tests = "Tests whether inter-move times differ between groups of moves: over participants by their medians, and over all moves pooled as a description.";
        vec![
            Table::of_records("time_medians", medians, MEDIAN_COLUMNS, &self.medians),
            Table::of_records("time_tests", tests, TEST_COLUMNS, &self.tests),
        ]
    }

    /// The tests over participants of quality, and of optimal moves.
    pub fn sentences(&self) -> Vec<String> {
        let say = |(factor, test, words): (&str, &str, &str)| {
            let is_asked = |row: &&Record| row.text(FACTOR) == Some(factor) && row.text(TEST) == Some(test);
            let sentence = self.tests.iter().find(is_asked)?.text(SENTENCE)?;
            let medians = self.medians.iter().filter(|row| row.text(FACTOR) == Some(factor));
            let said: Vec<String> = medians
                .filter_map(|row| Some(format!("{} {} s", row.text(GROUP)?, apa::number(row.number(ESTIMATE)?, 2))))
                .collect();
            let said = if said.is_empty() { String::new() } else { format!(" (medians: {})", said.join(", ")) };
            Some(format!("{}{said}: {sentence}.", capital(words)))
        };
        let asked = [
            ("quality", "friedman", "participants' median inter-move times by the quality of the move"),
            ("optimal", "wilcoxon", "participants' median inter-move times of optimal and of other moves"),
        ];
        asked.into_iter().filter_map(say).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::time_comparison::{GROUPS, N_MOVES, P_ADJUSTED};
    use super::*;
    use crate::analysis::dataset::{Dataset, MoveRow};
    use crate::analysis::fixture::{
        Cells, add_attempt, check_cells, context, dataset, hard_cases, numbers, step, trial,
    };
    use crate::label::Quality;
    use plymap_statistics::record::*;
    use plymap_statistics::stats::Confidence;
    use plymap_statistics::stats::adjust::holm;
    use plymap_statistics::stats::friedman::friedman;
    use plymap_statistics::stats::interval::median_interval;
    use plymap_statistics::stats::two_samples::{mann_whitney, wilcoxon};

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
        for (p, own) in times.iter().enumerate() {
            let mut moves = vec![step(Quality::Better, Some(99.0))];
            for (quality, times) in [Quality::Better, Quality::Same, Quality::Worse].into_iter().zip(own) {
                if p < 6 || quality != Quality::Worse {
                    moves.extend(times.iter().map(|&time| MoveRow { n_legal: 3, ..step(quality, Some(time)) }));
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
        let found = TimeTests::new(&context(&data));
        let rows: Vec<&Record> = found.tests.iter().filter(|row| row.text(FACTOR) == Some("quality")).collect();
        let names: Vec<&str> = rows.iter().filter_map(|row| row.text(TEST)).collect();
        let pairs = |name| [name; 3];
        assert_eq!(names, [&["friedman"][..], &pairs("wilcoxon"), &pairs("dunn"), &pairs("mann-whitney")].concat());
        let medians: Vec<[f64; 3]> = times[..6].iter().map(|own| [0, 1, 2].map(|group| median(&own[group]))).collect();
        let expected = friedman(&medians);
        assert_eq!(
            numbers(rows[0], [N, N_MISSING, STATISTIC]),
            [Some(6.0), Some(1.0), expected.record().number(STATISTIC)]
        );
        assert_eq!(rows[0].number(EFFECT_SIZE), Some(expected.test.unwrap().kendalls_w));
        assert_eq!(rows[0].text(GROUPS), Some("better; same; worse"));
        // Better against same has all seven participants, the others six.
        let (better, same): (Vec<f64>, Vec<f64>) = times.iter().map(|own| (median(&own[0]), median(&own[1]))).unzip();
        let expected = wilcoxon(&better, &same, Confidence::default()).record();
        assert_eq!(numbers(rows[1], [N, N_MISSING, P_VALUE]), [Some(7.0), Some(0.0), expected.number(P_VALUE)]);
        let columns = [ESTIMATE, EFFECT_SIZE];
        assert_eq!(numbers(rows[1], columns), numbers(&expected, columns));
        assert_eq!(numbers(rows[2], [N, N_MISSING]), [Some(6.0), Some(1.0)]);
        let p_values: Vec<Option<f64>> = rows[1..4].iter().map(|row| row.number(P_VALUE)).collect();
        let p_adjusted: Vec<Option<f64>> = rows[1..4].iter().map(|row| row.number(P_ADJUSTED)).collect();
        assert_eq!(p_adjusted, holm(&p_values));
        // Pooled: 14 better, 14 same and 12 worse moves; each participant has one same move without a time.
        assert_eq!(numbers(rows[4], [N_FIRST, N_SECOND, N_MISSING]), [Some(14.0), Some(14.0), Some(7.0)]);
        assert_eq!(numbers(rows[9], [N_FIRST, N_SECOND, N_MISSING]), [Some(14.0), Some(12.0), Some(7.0)]);
        assert!(rows.iter().all(|row| row.number(N_EXCLUDED) == Some(7.0)));
        let pooled = |group: usize, n: usize| times[..n].iter().flat_map(|own| own[group].clone()).collect::<Vec<_>>();
        let expected = mann_whitney(&pooled(1, 7), &pooled(2, 6), Confidence::default()).record();
        let columns = [STATISTIC, EFFECT_SIZE];
        assert_eq!(numbers(rows[9], columns), numbers(&expected, columns));
    }

    #[test]
    fn medians_are_over_participants() {
        let (data, times) = small();
        let found = TimeTests::new(&context(&data));
        let better: Vec<f64> = times.iter().map(|own| median(&own[0])).collect();
        let row = &found.medians[0];
        assert_eq!(row.text(GROUP), Some("better"));
        assert_eq!(numbers(row, [N_MOVES, N_EXCLUDED]), [Some(14.0), Some(7.0)]);
        let expected = median_interval(&better, Confidence::default());
        assert_eq!(numbers(row, [ESTIMATE, LOWER, UPPER]), [expected.estimate, expected.lower, expected.upper]);
        let worse = &found.medians[2];
        assert_eq!(numbers(worse, [N, N_PARTICIPANTS, N_MOVES]), [Some(6.0), Some(7.0), Some(12.0)]);
        let none = &found.medians[3];
        assert_eq!((none.text(GROUP), none.number(N)), (Some("dead-end"), Some(0.0)));
        assert!(none.text(REASON).is_some());
    }

    #[test]
    fn optimal_moves_are_one_pair() {
        let (data, _) = small();
        let found = TimeTests::new(&context(&data));
        let rows: Vec<&Record> = found.tests.iter().filter(|row| row.text(FACTOR) == Some("optimal")).collect();
        let names: Vec<&str> = rows.iter().filter_map(|row| row.text(TEST)).collect();
        assert_eq!(names, ["wilcoxon", "mann-whitney"]);
        assert_eq!(rows[0].text(GROUPS), Some("optimal; not optimal"));
        assert_eq!(rows[0].number(P_ADJUSTED), rows[0].number(P_VALUE));
        let said = TimeTests::new(&context(&data)).sentences();
        assert_eq!(said.len(), 2);
        assert!(said[0].starts_with(
            "Participants' median inter-move times by the quality of the move (medians: better 4.50 s, same "
        ));
        assert!(said[1].contains("of optimal and of other moves") && said[1].contains(": W = "));
    }

    #[test]
    fn groups_that_few_have_take_no_part_in_the_friedman_test() {
        let (mut data, _) = small();
        add_attempt(&mut data, 0, 0, vec![step(Quality::Same, None), step(Quality::DeadEnd, Some(4.0))]);
        let found = TimeTests::new(&context(&data));
        assert_eq!(found.tests[0].number(N), Some(6.0));
        assert_eq!(found.tests[0].text(GROUPS), Some("better; same; worse"));
        // Six pairs now, those with a dead end from one participant.
        assert_eq!(
            found
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
            let made = TimeTests::new(&context(&data)).tables();
            made.iter().for_each(check_cells);
            let factors = if data.unit.is_distance() { 4 } else { 3 };
            let mut names = made[0].texts("factor");
            names.dedup();
            assert_eq!(names.len(), factors);
            let mut names = made[1].texts("factor");
            names.dedup();
            assert_eq!(names.len(), factors);
            for (p, reason) in made[1].texts("p_value").iter().zip(made[1].texts("reason")) {
                assert!(p.is_some() || reason.is_some());
            }
            TimeTests::new(&context(&data)).sentences();
        }
    }
}
