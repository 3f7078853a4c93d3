//! Measures of participants compared between experimental conditions.

use polars::prelude::PolarsResult;

use super::Context;
use super::condition_design::{Condition, Design, Measure, conditions, design};
use super::measures::{mean, solved_word};
use crate::table::{Columns, Table};
use plymap_statistics::stats::adjust::holm;
use plymap_statistics::stats::two_samples::{mann_whitney, welch, wilcoxon};
use plymap_statistics::stats::{Confidence, NotEstimable};

/// More conditions than this are not compared: their pairs would be no table that anyone can read.
pub const MOST_CONDITIONS: usize = 20;

/// The table `condition_tests`.
///
/// # Errors
///
/// Never in practice: the columns are of equal length.
pub fn tables(context: &Context) -> PolarsResult<Vec<Table>> {
    ConditionTests::new(context).tables()
}

/// Which design the conditions have, and whether moves and times differ between the first two.
pub fn sentences(context: &Context) -> Vec<String> {
    ConditionTests::new(context).sentences()
}

/// All comparisons of a study: each measure, for each pair of conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionTests {
    rows: Vec<Row>,
    n_conditions: usize,
    word: &'static str,
}

/// One test.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    measure: &'static str,
    title: String,
    unit: Option<&'static str>,
    first: Option<String>,
    second: Option<String>,
    design: Option<Design>,
    test: Option<&'static str>,
    n: usize,
    n_first: usize,
    n_second: usize,
    n_missing: usize,
    n_excluded: usize,
    n_without_condition: usize,
    mean_first: Option<f64>,
    mean_second: Option<f64>,
    estimate: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    confidence: Confidence,
    effect: Option<&'static str>,
    effect_size: Option<f64>,
    effect_lower: Option<f64>,
    effect_upper: Option<f64>,
    statistic: Option<f64>,
    df: Option<f64>,
    p_value: Option<f64>,
    p_method: Option<String>,
    p_adjusted: Option<f64>,
    sentence: String,
    reason: Option<String>,
}

/// Two conditions that are compared.
struct Pair<'a> {
    context: &'a Context<'a>,
    first: &'a Condition<'a>,
    second: &'a Condition<'a>,
    design: Design,
    n_without_condition: usize,
}

impl ConditionTests {
    /// Compares the conditions in all pairs, by name.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let conditions = conditions(data);
        let n_without_condition = data.trials.iter().filter(|trial| trial.condition.is_none()).count();
        let n_conditions = conditions.len();
        let word = solved_word(data.unit);
        if let Some(reason) = refusal(n_conditions) {
            let row = |measure: Measure| Row {
                reason: Some(reason.clone()),
                ..Row::absent(measure, context, n_without_condition)
            };
            return Self { rows: Measure::all(data).into_iter().map(row).collect(), n_conditions, word };
        }
        let mut rows = Vec::new();
        for (index, first) in conditions.iter().enumerate() {
            for second in &conditions[index + 1..] {
                let design = design(first, second);
                let pair = Pair { context, first, second, design, n_without_condition };
                rows.extend(Measure::all(data).into_iter().flat_map(|measure| pair.rows(measure)));
            }
        }
        adjust(&mut rows);
        Self { rows, n_conditions, word }
    }

    /// The table `condition_tests`.
    ///
    /// # Errors
    ///
    /// Never in practice: the columns are of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        let rows = &self.rows;
        let in_unit = "as in column unit";
        let text = |value: Option<&'static str>| value.map(str::to_owned);
        let table = Columns::new()
            .text(
                rows,
                "measure",
                "what is compared of participants: the mean over solved trials of this column of the table trials; or share_solved, solved trials / trials of which it is known",
                |row| row.measure.to_owned(),
            )
            .label(rows, "unit", "unit of the means and of the estimate; empty for counts and shares", |row| text(row.unit))
            .label(rows, "first", "first condition", |row| row.first.clone())
            .label(rows, "second", "second condition", |row| row.second.clone())
            .label(
                rows,
                "design",
                "between: each participant of the two conditions is in one only; within: each is in both; mixed: some are in one, some in both, and only those in both are compared",
                |row| row.design.map(|design| design.name().to_owned()),
            )
            .label(rows, "test", "welch and mann-whitney between, wilcoxon (signed ranks) within", |row| text(row.test))
            .count(rows, "n", "number of participants that are compared", |row| row.n as u64)
            .count(rows, "n_first", "number of them in the first condition", |row| row.n_first as u64)
            .count(rows, "n_second", "number of them in the second condition", |row| row.n_second as u64)
            .count(
                rows,
                "n_missing",
                "number of participants of the two conditions without the measure where the test needs it, those in one condition of a mixed design among them",
                |row| row.n_missing as u64,
            )
            .count(
                rows,
                "n_excluded",
                "number of trials of the two conditions that the measure leaves out: those not solved or not known to be; for share_solved the latter only",
                |row| row.n_excluded as u64,
            )
            .count(rows, "n_without_condition", "number of trials of the study without a condition, left out", |row| {
                row.n_without_condition as u64
            })
            .number(rows, "mean_first", in_unit, "mean over the compared participants in the first condition", |row| row.mean_first)
            .number(rows, "mean_second", in_unit, "mean over the compared participants in the second condition", |row| row.mean_second)
            .number(
                rows,
                "estimate",
                in_unit,
                "first minus second condition: the difference of means for welch, the Hodges-Lehmann shift for the others",
                |row| row.estimate,
            )
            .number(rows, "lower", in_unit, "lower end of the interval of the estimate", |row| row.lower)
            .number(rows, "upper", in_unit, "upper end of the interval of the estimate", |row| row.upper)
            .number(rows, "confidence", "", "level of all intervals", |row| Some(row.confidence.level()))
            .label(rows, "effect", "which effect size: Hedges' g, Cliff's delta, matched rank-biserial r", |row| text(row.effect))
            .number(rows, "effect_size", "", "the effect size, positive if the first condition is larger", |row| row.effect_size)
            .number(rows, "effect_lower", "", "lower end of the interval of the effect size, where it has one", |row| row.effect_lower)
            .number(rows, "effect_upper", "", "upper end of the interval of the effect size", |row| row.effect_upper)
            .number(rows, "statistic", "", "t of welch, U of mann-whitney, sum of positive ranks of wilcoxon", |row| row.statistic)
            .number(rows, "df", "", "degrees of freedom of welch", |row| row.df)
            .number(rows, "p_value", "", "two-sided p", |row| row.p_value)
            .label(rows, "p_method", "how the p value was computed", |row| row.p_method.clone())
            .number(
                rows,
                "p_adjusted",
                "",
                "p after Holm (1979), over all measures and pairs of conditions that this test compares",
                |row| row.p_adjusted,
            )
            .text(rows, "sentence", "APA-formatted result", |row| row.sentence.clone())
            .label(rows, "reason", "why the first of the missing values is missing", |row| row.reason.clone())
            .into_table(
                "condition_tests",
                "Measures of participants compared between experimental conditions. Each participant counts once in each condition. Conditions with other levels differ by their levels too.",
            )?;
        Ok(vec![table])
    }

    /// The design, and the tests of solved trials, moves and time between the first two conditions; nothing where there
    /// are fewer than two.
    pub fn sentences(&self) -> Vec<String> {
        let Some(first_row) = self.rows.first() else { return Vec::new() };
        let (Some(first), Some(second), Some(design)) = (&first_row.first, &first_row.second, first_row.design) else {
            return Vec::new();
        };
        let others = match self.n_conditions {
            2 => String::new(),
            n => format!(" (two of {n} conditions)"),
        };
        let is_said = |row: &&Row| {
            let is_test = matches!(row.test, Some("mann-whitney" | "wilcoxon"));
            let is_pair = row.first.as_ref() == Some(first) && row.second.as_ref() == Some(second);
            is_test && is_pair && ["share_solved", "n_moves", "time_s"].contains(&row.measure)
        };
        let word = self.word;
        let say = |row: &Row| {
            let of = if row.measure == "share_solved" { String::new() } else { format!(" of {word} trials") };
            format!("{first} against {second}, {}{of}: {}.", row.title, row.sentence)
        };
        let opening = format!("{first} against {second}{others}: {}.", design.sentence());
        std::iter::once(opening).chain(self.rows.iter().filter(is_said).map(say)).collect()
    }
}

impl Row {
    fn absent(measure: Measure, context: &Context, n_without_condition: usize) -> Self {
        Self {
            measure: measure.column(),
            title: measure.title(context.data),
            unit: measure.unit(context.data),
            first: None,
            second: None,
            design: None,
            test: None,
            n: 0,
            n_first: 0,
            n_second: 0,
            n_missing: 0,
            n_excluded: 0,
            n_without_condition,
            mean_first: None,
            mean_second: None,
            estimate: None,
            lower: None,
            upper: None,
            confidence: context.confidence,
            effect: None,
            effect_size: None,
            effect_lower: None,
            effect_upper: None,
            statistic: None,
            df: None,
            p_value: None,
            p_method: None,
            p_adjusted: None,
            sentence: String::new(),
            reason: None,
        }
    }
}

impl Pair<'_> {
    fn rows(&self, measure: Measure) -> Vec<Row> {
        let values = |condition: &Condition| -> Vec<Option<f64>> {
            condition.trials.iter().map(|trials| measure.of(trials)).collect()
        };
        let (x, y) = (values(self.first), values(self.second));
        if self.design == Design::Between {
            let present = |values: Vec<Option<f64>>| values.into_iter().flatten().collect::<Vec<f64>>();
            let (x, y) = (present(x), present(y));
            return vec![self.welch(measure, &x, &y), self.mann_whitney(measure, &x, &y)];
        }
        let (x, y): (Vec<f64>, Vec<f64>) = x.into_iter().zip(y).filter_map(|(x, y)| x.zip(y)).unzip();
        vec![self.wilcoxon(measure, &x, &y)]
    }

    fn row(&self, measure: Measure, test: &'static str, effect: &'static str, x: &[f64], y: &[f64]) -> Row {
        let is_paired = self.design != Design::Between;
        let n = if is_paired { x.len() } else { x.len() + y.len() };
        let in_any = self.first.trials.iter().zip(&self.second.trials);
        let n_in_any = in_any.filter(|(first, second)| !(first.is_empty() && second.is_empty())).count();
        let trials = self.first.trials.iter().chain(&self.second.trials).flatten();
        Row {
            first: Some(self.first.name.to_owned()),
            second: Some(self.second.name.to_owned()),
            design: Some(self.design),
            test: Some(test),
            effect: Some(effect),
            n,
            n_first: x.len(),
            n_second: y.len(),
            n_missing: n_in_any - n,
            n_excluded: trials.filter(|trial| measure.leaves_out(trial)).count(),
            mean_first: mean(x),
            mean_second: mean(y),
            ..Row::absent(measure, self.context, self.n_without_condition)
        }
    }

    fn welch(&self, measure: Measure, x: &[f64], y: &[f64]) -> Row {
        let result = welch(x, y, self.context.confidence);
        Row {
            estimate: result.difference,
            lower: result.lower,
            upper: result.upper,
            effect_size: result.hedges_g,
            effect_lower: result.hedges_g_lower,
            effect_upper: result.hedges_g_upper,
            statistic: result.statistic,
            df: result.df,
            p_value: result.p_value,
            p_method: result.p_value.map(|_| result.p_method.to_string()),
            sentence: result.sentence(),
            reason: reason_text(result.reason),
            ..self.row(measure, "welch", "Hedges' g", x, y)
        }
    }

    fn mann_whitney(&self, measure: Measure, x: &[f64], y: &[f64]) -> Row {
        let result = mann_whitney(x, y, self.context.confidence);
        Row {
            estimate: result.shift,
            lower: result.shift_lower,
            upper: result.shift_upper,
            effect_size: result.cliffs_delta,
            effect_lower: result.cliffs_delta_lower,
            effect_upper: result.cliffs_delta_upper,
            statistic: result.u,
            p_value: result.p_value,
            p_method: result.p_value.map(|_| result.p_method.to_string()),
            sentence: result.sentence(),
            reason: reason_text(result.reason),
            ..self.row(measure, "mann-whitney", "Cliff's delta", x, y)
        }
    }

    fn wilcoxon(&self, measure: Measure, x: &[f64], y: &[f64]) -> Row {
        let result = wilcoxon(x, y, self.context.confidence);
        Row {
            estimate: result.shift,
            lower: result.shift_lower,
            upper: result.shift_upper,
            effect_size: result.rank_biserial,
            statistic: result.w_plus,
            p_value: result.p_value,
            p_method: result.p_value.map(|_| result.p_method.to_string()),
            sentence: result.sentence(),
            reason: reason_text(result.reason),
            ..self.row(measure, "wilcoxon", "matched rank-biserial r", x, y)
        }
    }
}

fn reason_text(reason: Option<NotEstimable>) -> Option<String> {
    reason.map(|reason| reason.to_string())
}

fn refusal(n_conditions: usize) -> Option<String> {
    match n_conditions {
        0 | 1 => Some(format!("a comparison needs at least 2 conditions, found {n_conditions}")),
        n if n > MOST_CONDITIONS => {
            Some(format!("there are {n} conditions, but at most {MOST_CONDITIONS} are compared"))
        }
        _ => None,
    }
}

/// Adjusts the p values of each test over all rows that it has.
fn adjust(rows: &mut [Row]) {
    for test in ["welch", "mann-whitney", "wilcoxon"] {
        let indices: Vec<usize> = (0..rows.len()).filter(|&index| rows[index].test == Some(test)).collect();
        let p_values: Vec<Option<f64>> = indices.iter().map(|&index| rows[index].p_value).collect();
        for (index, p) in indices.into_iter().zip(holm(&p_values)) {
            rows[index].p_adjusted = p;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dataset::{Dataset, TrialRow};
    use crate::analysis::fixture::{Cells, check_cells, context, dataset, hard_cases, trial};

    const MOVES: [[f64; 2]; 6] = [[10.0, 14.0], [30.0, 12.0], [13.0, 41.0], [9.0, 22.0], [35.0, 11.0], [11.0, 50.0]];

    /// Six participants at two levels; the condition of a trial follows from participant and level.
    fn study(condition: impl Fn(usize, usize) -> &'static str) -> Dataset {
        let of = |p: usize, l: usize| TrialRow {
            condition: Some(condition(p, l).to_owned()),
            ..trial(p, l, MOVES[p][l], 2.0 * MOVES[p][l] + p as f64)
        };
        dataset((0..6).flat_map(|p| [of(p, 0), of(p, 1)]).collect())
    }

    fn rows(data: &Dataset) -> Vec<Row> {
        ConditionTests::new(&context(data)).rows
    }

    fn find<'a>(rows: &'a [Row], measure: &str, test: &str) -> &'a Row {
        rows.iter().find(|row| row.measure == measure && row.test == Some(test)).unwrap()
    }

    #[test]
    fn different_people_are_compared_by_welch_and_mann_whitney() {
        let mut data = study(|p, _| if p < 3 { "a" } else { "b" });
        data.trials[1].is_solved = Some(false);
        data.trials.push(trial(0, 0, 500.0, 500.0));
        let found = rows(&data);
        // Eight measures, two tests.
        assert_eq!(found.len(), 16);
        let (first, second) = ([10.0, 21.0, 27.0], [15.5, 23.0, 30.5]);
        let row = find(&found, "n_moves", "welch");
        let expected = welch(&first, &second, Confidence::default());
        assert_eq!((row.design, row.n_first, row.n_second, row.n_missing), (Some(Design::Between), 3, 3, 0));
        assert_eq!(
            (row.statistic, row.p_value, row.effect_size),
            (expected.statistic, expected.p_value, expected.hedges_g)
        );
        assert_eq!((row.n_excluded, row.n_without_condition), (1, 1));
        let row = find(&found, "n_moves", "mann-whitney");
        let expected = mann_whitney(&first, &second, Confidence::default());
        assert_eq!((row.statistic, row.effect_size), (expected.u, expected.cliffs_delta));
        // The first participant solved one of two trials, all others both.
        let row = find(&found, "share_solved", "mann-whitney");
        assert_eq!((row.mean_first, row.mean_second, row.n_excluded), (Some(2.5 / 3.0), Some(1.0), 0));
        let tested: Vec<&Row> = found.iter().filter(|row| row.test == Some("welch")).collect();
        let p_values: Vec<Option<f64>> = tested.iter().map(|row| row.p_value).collect();
        let p_adjusted: Vec<Option<f64>> = tested.iter().map(|row| row.p_adjusted).collect();
        assert_eq!(p_adjusted, holm(&p_values));
        assert_eq!(p_values.iter().flatten().count(), 3);
    }

    #[test]
    fn people_in_both_conditions_are_compared_with_themselves() {
        let data = study(|_, l| if l == 0 { "b" } else { "a" });
        let found = rows(&data);
        assert_eq!(found.len(), 8);
        let row = find(&found, "n_moves", "wilcoxon");
        let expected = wilcoxon(&MOVES.map(|own| own[1]), &MOVES.map(|own| own[0]), Confidence::default());
        assert_eq!((row.first.as_deref(), row.design, row.n), (Some("a"), Some(Design::Within), 6));
        assert_eq!(
            (row.p_value, row.effect_size, row.estimate),
            (expected.p_value, expected.rank_biserial, expected.shift)
        );
        let said = sentences(&context(&data));
        assert_eq!(said[0], "a against b: each participant is in both conditions (within-subjects design).");
        assert!(said[2].starts_with("a against b, mean of number of moves of solved trials: W = "));
    }

    #[test]
    fn a_mixed_design_compares_those_who_are_in_both() {
        let data = study(|p, l| if p == 0 || l == 0 { "a" } else { "b" });
        let found = rows(&data);
        let row = find(&found, "time_s", "wilcoxon");
        assert_eq!((row.design, row.n, row.n_missing), (Some(Design::Mixed), 5, 1));
    }

    #[test]
    fn three_conditions_are_three_pairs_and_too_many_are_refused() {
        let data = study(|p, _| ["a", "b", "c"][p / 2]);
        let found = rows(&data);
        let mut pairs: Vec<_> = found.iter().map(|row| (row.first.clone(), row.second.clone())).collect();
        pairs.dedup();
        assert_eq!(pairs.len(), 3);
        assert!(sentences(&context(&data))[0].starts_with("a against b (two of 3 conditions): "));
        let many = (0..21).map(|p| TrialRow { condition: Some(format!("c{p}")), ..trial(p, 0, 9.0, 9.0) });
        let found = rows(&dataset(many.collect()));
        assert_eq!(found[0].reason.as_deref(), Some("there are 21 conditions, but at most 20 are compared"));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let made = tables(&context(&data)).unwrap();
            check_cells(&made[0]);
            assert!(!made[0].texts("measure").is_empty());
            for (p, reason) in made[0].texts("p_value").iter().zip(made[0].texts("reason")) {
                assert!(p.is_some() || reason.is_some());
            }
            sentences(&context(&data));
        }
        let none = rows(&dataset(vec![trial(0, 0, 9.0, 9.0)]));
        assert_eq!(none[0].reason.as_deref(), Some("a comparison needs at least 2 conditions, found 0"));
    }
}
