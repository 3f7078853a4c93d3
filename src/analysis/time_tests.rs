//! Inter-move time by quality, by whether the move was optimal, by distance and by the number of legal moves.
//!
//! Moves of one participant are not independent, so comparisons are within participants: each gives one median
//! for each group of moves. Tests of all moves pooled stand beside them as a description.

use polars::prelude::PolarsResult;
use rayon::prelude::*;

use super::Context;
use super::measures::capital;
use super::time_comparison::{Comparison, MedianRow, TestRow};
use super::time_factors::factors;
use crate::table::{Columns, Table};
use plymap_statistics::stats::apa;

/// The tables `time_medians` and `time_tests`.
///
/// # Errors
///
/// Never in practice: the columns are of equal length.
pub fn tables(context: &Context) -> PolarsResult<Vec<Table>> {
    TimeTests::new(context).tables()
}

/// Whether times differ by quality and between optimal and other moves.
pub fn sentences(context: &Context) -> Vec<String> {
    TimeTests::new(context).sentences()
}

/// Medians and tests of all factors. Time grows with n log n of the moves, memory with their number.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeTests {
    medians: Vec<MedianRow>,
    tests: Vec<TestRow>,
}

impl TimeTests {
    /// Compares the times.
    pub fn new(context: &Context) -> Self {
        let confidence = context.confidence;
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
    ///
    /// # Errors
    ///
    /// Never in practice: the columns are of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        Ok(vec![self.medians_table()?, self.tests_table()?])
    }

    /// The tests over participants of quality, and of optimal moves.
    pub fn sentences(&self) -> Vec<String> {
        let find = |(factor, test, words): (&str, &str, &str)| {
            let row = self.tests.iter().find(|row| row.factor == factor && row.test == test)?;
            let medians = self.medians.iter().filter(|median| median.factor == factor && median.result.n > 0);
            let said: Vec<String> = medians
                .filter_map(|row| Some(format!("{} {} s", row.group, apa::number(row.result.estimate?, 2))))
                .collect();
            let said = if said.is_empty() { String::new() } else { format!(" (medians: {})", said.join(", ")) };
            Some(format!("{}{said}: {}.", capital(words), row.sentence))
        };
        let asked = [
            ("quality", "friedman", "participants' median inter-move times by the quality of the move"),
            ("optimal", "wilcoxon", "participants' median inter-move times of optimal and of other moves"),
        ];
        asked.into_iter().filter_map(find).collect()
    }

    fn medians_table(&self) -> PolarsResult<Table> {
        let rows = &self.medians;
        Columns::new()
            .text(rows, "factor", FACTOR, |row| row.factor.to_owned())
            .text(rows, "group", "the group of moves; of distance and n_legal, its smallest and largest value", |row| {
                row.group.clone()
            })
            .count(rows, "n", "number of participants with a timed move in the group", |row| row.result.n as u64)
            .count(rows, "n_participants", "number of all participants", |row| row.n_participants as u64)
            .count(rows, "n_moves", "number of moves with a time", |row| row.n_moves as u64)
            .count(rows, "n_missing", "number of moves of the group without a time", |row| row.n_missing as u64)
            .count(rows, "n_unknown", "number of moves that belong to no group of the factor, such as those without a distance", |row| {
                row.n_unknown as u64
            })
            .count(
                rows,
                "n_excluded",
                "number of first moves of attempts, of any group: their time is another one. Illegal moves are not in the data",
                |row| row.n_excluded as u64,
            )
            .number(rows, "median_s", "s", "median of the participants' medians", |row| row.result.estimate)
            .number(rows, "lower_s", "s", "lower end of its interval, from order statistics", |row| row.result.lower)
            .number(rows, "upper_s", "s", "upper end of its interval", |row| row.result.upper)
            .number(rows, "confidence", "", "level of the interval that was asked for", |row| {
                Some(row.result.confidence.level())
            })
            .number(rows, "coverage", "", "level that the interval has, at least as large", |row| row.result.coverage)
            .text(rows, "sentence", "APA-formatted result", |row| apa::median(&row.result, 2))
            .label(rows, "reason", "why the median, or its interval, is missing", |row| row.reason.clone())
            .into_table(
                "time_medians",
                "Median inter-move time of groups of moves: the median over participants of their own medians, over all trials up to the first solution.",
            )
    }

    fn tests_table(&self) -> PolarsResult<Table> {
        let rows = &self.tests;
        let whole = |value: Option<usize>| value.map(|value| value as i64);
        Columns::new()
            .text(rows, "factor", FACTOR, |row| row.factor.to_owned())
            .text(
                rows,
                "units",
                "what is compared: participants, each with a median for each group; or all moves pooled, which are not independent: read those as a description",
                |row| row.units.to_owned(),
            )
            .text(rows, "test", "friedman, wilcoxon (signed ranks), dunn or mann-whitney", |row| row.test.to_owned())
            .text(
                rows,
                "groups",
                "the groups that take part; of friedman, those in which half of the participants or more have a median",
                |row| row.groups.clone(),
            )
            .label(rows, "first", "first group of a pair", |row| row.first.clone())
            .label(rows, "second", "second group of a pair", |row| row.second.clone())
            .count(rows, "n", "number of participants with a median in each group, or of moves", |row| row.n as u64)
            .whole(rows, "n_first", "", "number of moves of the first group", |row| whole(row.n_first))
            .whole(rows, "n_second", "", "number of moves of the second group", |row| whole(row.n_second))
            .count(
                rows,
                "n_missing",
                "number of participants with a timed move who lack a median in one of the groups; or of moves of the groups without a time",
                |row| row.n_missing as u64,
            )
            .count(rows, "n_excluded", "number of first moves of attempts, and of moves that belong to no group", |row| {
                row.n_excluded as u64
            })
            .number(
                rows,
                "estimate",
                "s",
                "Hodges-Lehmann shift, first minus second group; of dunn and friedman empty",
                |row| row.estimate,
            )
            .number(rows, "lower", "s", "lower end of the interval of the shift", |row| row.lower)
            .number(rows, "upper", "s", "upper end of the interval of the shift", |row| row.upper)
            .number(rows, "confidence", "", "level of all intervals", |row| Some(row.confidence.level()))
            .text(
                rows,
                "effect",
                "which effect size: Kendall's W, matched rank-biserial r, Cliff's delta, or the difference of mean ranks",
                |row| row.effect.to_owned(),
            )
            .number(rows, "effect_size", "", "the effect size", |row| row.effect_size)
            .number(rows, "effect_lower", "", "lower end of the interval of Cliff's delta", |row| row.effect_lower)
            .number(rows, "effect_upper", "", "upper end of the interval of Cliff's delta", |row| row.effect_upper)
            .number(
                rows,
                "statistic",
                "",
                "chi-squared of friedman, sum of positive ranks of wilcoxon, z of dunn, U of mann-whitney",
                |row| row.statistic,
            )
            .whole(rows, "df", "", "degrees of freedom of friedman", |row| whole(row.df))
            .number(rows, "p_value", "", "two-sided p; of friedman from chi-squared", |row| row.p_value)
            .label(rows, "p_method", "how the p value was computed", |row| row.p_method.clone())
            .number(
                rows,
                "p_adjusted",
                "",
                "p after Holm (1979) over all pairs of the factor that this test compares",
                |row| row.p_adjusted,
            )
            .text(rows, "sentence", "APA-formatted result", |row| row.sentence.clone())
            .label(rows, "reason", "why the first of the missing values is missing", |row| row.reason.clone())
            .into_table(
                "time_tests",
                "Tests whether inter-move times differ between groups of moves: over participants by their medians, and over all moves pooled as a description.",
            )
    }
}

const FACTOR: &str = "what the moves are grouped by: quality; optimal; distance to the goal before the move, and n_legal, the number of legal moves, both cut at the quartiles of the timed moves";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dataset::{Dataset, MoveRow};
    use crate::analysis::fixture::{Cells, add_attempt, check_cells, context, dataset, hard_cases, step, trial};
    use crate::label::Quality;
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
        let rows: Vec<&TestRow> = found.tests.iter().filter(|row| row.factor == "quality").collect();
        let names: Vec<&str> = rows.iter().map(|row| row.test).collect();
        let pairs = |name| [name; 3];
        assert_eq!(names, [&["friedman"][..], &pairs("wilcoxon"), &pairs("dunn"), &pairs("mann-whitney")].concat());
        let medians: Vec<[f64; 3]> = times[..6].iter().map(|own| [0, 1, 2].map(|group| median(&own[group]))).collect();
        let expected = friedman(&medians);
        assert_eq!((rows[0].n, rows[0].n_missing, rows[0].statistic), (6, 1, expected.statistic));
        assert_eq!((rows[0].effect_size, rows[0].groups.as_str()), (expected.kendalls_w, "better; same; worse"));
        // Better against same has all seven participants, the others six.
        let (better, same): (Vec<f64>, Vec<f64>) = times.iter().map(|own| (median(&own[0]), median(&own[1]))).unzip();
        let expected = wilcoxon(&better, &same, Confidence::default());
        assert_eq!((rows[1].n, rows[1].n_missing, rows[1].p_value), (7, 0, expected.p_value));
        assert_eq!((rows[1].estimate, rows[1].effect_size), (expected.shift, expected.rank_biserial));
        assert_eq!((rows[2].n, rows[2].n_missing), (6, 1));
        let p_values: Vec<Option<f64>> = rows[1..4].iter().map(|row| row.p_value).collect();
        let p_adjusted: Vec<Option<f64>> = rows[1..4].iter().map(|row| row.p_adjusted).collect();
        assert_eq!(p_adjusted, holm(&p_values));
        // Pooled: 14 better, 14 same and 12 worse moves; each participant has one same move without a time.
        assert_eq!((rows[4].n_first, rows[4].n_second, rows[4].n_missing), (Some(14), Some(14), 7));
        assert_eq!((rows[9].n_first, rows[9].n_second, rows[9].n_missing), (Some(14), Some(12), 7));
        assert!(rows.iter().all(|row| row.n_excluded == 7));
        let pooled = |group: usize, n: usize| times[..n].iter().flat_map(|own| own[group].clone()).collect::<Vec<_>>();
        let expected = mann_whitney(&pooled(1, 7), &pooled(2, 6), Confidence::default());
        assert_eq!((rows[9].statistic, rows[9].effect_size), (expected.u, expected.cliffs_delta));
    }

    #[test]
    fn medians_are_over_participants() {
        let (data, times) = small();
        let found = TimeTests::new(&context(&data));
        let better: Vec<f64> = times.iter().map(|own| median(&own[0])).collect();
        let row = &found.medians[0];
        assert_eq!((row.group.as_str(), row.n_moves, row.n_excluded), ("better", 14, 7));
        assert_eq!(row.result, median_interval(&better, Confidence::default()));
        let worse = &found.medians[2];
        assert_eq!((worse.result.n, worse.n_participants, worse.n_moves), (6, 7, 12));
        let none = &found.medians[3];
        assert_eq!((none.group.as_str(), none.result.n), ("dead-end", 0));
        assert!(none.reason.is_some());
    }

    #[test]
    fn optimal_moves_are_one_pair() {
        let (data, _) = small();
        let found = TimeTests::new(&context(&data));
        let rows: Vec<&TestRow> = found.tests.iter().filter(|row| row.factor == "optimal").collect();
        assert_eq!(rows.iter().map(|row| row.test).collect::<Vec<_>>(), ["wilcoxon", "mann-whitney"]);
        assert_eq!(rows[0].groups, "optimal; not optimal");
        assert_eq!(rows[0].p_adjusted, rows[0].p_value);
        let said = sentences(&context(&data));
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
        assert_eq!((found.tests[0].n, found.tests[0].groups.as_str()), (6, "better; same; worse"));
        // Six pairs now, those with a dead end from one participant.
        assert_eq!(found.tests.iter().filter(|row| row.factor == "quality" && row.test == "wilcoxon").count(), 6);
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let made = tables(&context(&data)).unwrap();
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
            sentences(&context(&data));
        }
    }
}
