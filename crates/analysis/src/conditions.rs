//! Measures of participants compared between experimental conditions.

use super::columns::{self, adjusted_sentence};
use super::condition_design::{Condition, Design, ParticipantMeasure, conditions, design};
use super::context::Context;
use super::measures::{mean, solved_word};
use plymap_statistics::record::*;
use plymap_statistics::stats::adjust::Adjustment;
use plymap_statistics::stats::two_samples::{BRUNNER_MUNZEL, MANN_WHITNEY, TwoSampleTest, WELCH, WILCOXON};
use plymap_tables::Table;

/// More conditions than this are not compared: their pairs would be no table that anyone can read.
pub use plymap_statistics::estimator::MOST_COMPARED as MOST_CONDITIONS;

const COLUMNS: &[Column] = &[
    MEASURE.means("what is compared of participants: the mean over solved trials of this column of the table trials; or share_solved, solved trials / trials of which it is known"),
    UNIT,
    FIRST.means("first condition"),
    SECOND.means("second condition"),
    DESIGN,
    TEST,
    N.means("number of participants that are compared"),
    N_FIRST.means("number of them in the first condition"),
    N_SECOND.means("number of them in the second condition"),
    N_MISSING.means("number of participants of the two conditions without the measure where the test needs it, those in one condition of a mixed design among them"),
    N_EXCLUDED.means("number of trials of the two conditions that the measure leaves out: those not solved or not known to be; for share_solved the latter only"),
    N_WITHOUT_CONDITION,
    MEAN_FIRST.means("mean over the compared participants in the first condition").unit(IN_UNIT),
    MEAN_SECOND.means("mean over the compared participants in the second condition").unit(IN_UNIT),
    ESTIMATE.means("first minus second condition: the difference of means for welch, the Hodges-Lehmann shift for mann-whitney and wilcoxon").unit(IN_UNIT),
    LOWER.unit(IN_UNIT),
    UPPER.unit(IN_UNIT),
    CONFIDENCE,
    EFFECT,
    EFFECT_SIZE.means("the effect size, positive if the first condition is larger; the relative effect P(first < second) + ½ P(first = second) is below ½ then"),
    EFFECT_LOWER,
    EFFECT_UPPER,
    STATISTIC.means("t of welch, U of mann-whitney, t of brunner-munzel (positive if the second condition is larger), sum of positive ranks of wilcoxon"),
    DF.means("degrees of freedom of welch and brunner-munzel"),
    P_VALUE,
    P_METHOD,
    P_ADJUSTED,
    SENTENCE,
    REASON,
];
const IN_UNIT: &str = "as in column unit";
const UNIT: Column = text("unit", "unit of the means and of the estimate; empty for counts and shares");
const DESIGN: Column = text(
    "design",
    "between: each participant of the two conditions is in one only; within: each is in both; mixed: some are in one, some in both, and only those in both are compared",
)
.levels(&["between", "within", "mixed"]);
const TEST: Column = columns::TEST
    .means("welch, mann-whitney and brunner-munzel between, wilcoxon (signed ranks) within")
    .levels(&["welch", "mann-whitney", "brunner-munzel", "wilcoxon"]);
const N_WITHOUT_CONDITION: Column =
    count("n_without_condition", "number of trials of the study without a condition, left out");
const EFFECT: Column =
    text("effect", "which effect size: Hedges' g, Cliff's delta, relative effect, matched rank-biserial r");
const P_ADJUSTED: Column = columns::P_ADJUSTED.means(
    "p after Holm (1979), over what this test compares of the same question: share_solved, n_moves, time_s and share_optimal of all pairs of conditions are whether the conditions differ; each other measure, of all pairs, is a question of its own",
);

/// The tests of a design.
const fn tests(design: Design) -> &'static [TwoSampleTest] {
    match design {
        Design::Between => &[WELCH, MANN_WHITNEY, BRUNNER_MUNZEL],
        Design::Within | Design::Mixed => &[WILCOXON],
    }
}

/// Measures whose tests are corrected together, as one question: do the conditions differ?
const OUTCOMES: [&str; 4] = ["share_solved", "n_moves", "time_s", "share_optimal"];

/// Number of conditions up to which each pair is told in sentences.
const MOST_IN_PAIRS: usize = 3;

/// The measures that the sentences are about.
const SAID: [&str; 3] = ["share_solved", "n_moves", "time_s"];

/// All comparisons of a study: each measure, for each pair of conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionTests {
    records: Vec<Record>,
    sentences: Vec<String>,
}

/// Two conditions that are compared.
struct Pair<'a> {
    first: &'a Condition<'a>,
    second: &'a Condition<'a>,
    design: Design,
}

impl ConditionTests {
    /// Compares the conditions in all pairs, by name.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let conditions = conditions(data);
        let refusal = refusal(conditions.len());
        let pairs = if refusal.is_none() { pairs(&conditions) } else { Vec::new() };
        let mut records = Vec::new();
        for (pair, measure) in
            pairs.iter().flat_map(|pair| ParticipantMeasure::all(data).into_iter().map(move |measure| (pair, measure)))
        {
            let tested = tests(pair.design).iter().map(|test| pair.test(test, measure, context));
            records.extend(tested.map(|record| name(record, measure, context)));
        }
        if let Some(reason) = refusal {
            records.extend(ParticipantMeasure::all(data).into_iter().map(|measure| {
                let counts = [N, N_FIRST, N_SECOND, N_MISSING, N_EXCLUDED];
                let empty = counts.into_iter().fold(Record::new(), |record, column| record.set(column, 0_usize));
                name(empty.set(SENTENCE, "").set(REASON, reason.as_str()), measure, context)
            }));
        }
        Adjustment::Holm.apply_to(&mut records, P_ADJUSTED);
        let told = if conditions.len() <= MOST_IN_PAIRS { pairs.len() } else { 1 };
        let sentences =
            pairs.iter().take(told).flat_map(|pair| say(pair, conditions.len(), &records, context)).collect();
        Self { records, sentences }
    }

    /// The table `condition_tests`.
    pub fn tables(&self) -> Vec<Table> {
        let caption = "Measures of participants compared between experimental conditions. Each participant counts once in each condition. Conditions with other levels differ by their levels too.";
        vec![Table::of_records("condition_tests", caption, COLUMNS, &self.records)]
    }

    /// The design, and the tests of solved trials, moves and time between each two of up to three conditions, of more
    /// between the first two; nothing where there are fewer than two.
    pub fn sentences(&self) -> Vec<String> {
        self.sentences.clone()
    }
}

impl Pair<'_> {
    fn test(&self, test: &TwoSampleTest, measure: ParticipantMeasure, context: &Context) -> Record {
        let (x, y) = self.values(measure);
        let is_paired = self.design != Design::Between;
        let n = if is_paired { x.len() } else { x.len() + y.len() };
        let trials = self.first.trials.iter().chain(&self.second.trials).flatten();
        let question = if OUTCOMES.contains(&measure.column()) { "outcomes" } else { measure.column() };
        (test.test)(&x, &y, context.confidence())
            .family(&format!("{} of {question}", test.estimator.name))
            .set(FIRST, self.first.name)
            .set(SECOND, self.second.name)
            .set(DESIGN, self.design.name())
            .set(TEST, test.estimator.name)
            .set(EFFECT, test.effect)
            .set(N, n)
            .set(N_FIRST, x.len())
            .set(N_SECOND, y.len())
            .set(N_MISSING, self.n_participants() - n)
            .set(N_EXCLUDED, trials.filter(|trial| measure.leaves_out(trial)).count())
            .set(MEAN_FIRST, mean(&x))
            .set(MEAN_SECOND, mean(&y))
    }

    /// The values of the participants in each condition; of those alone who are in both, unless nobody is.
    fn values(&self, measure: ParticipantMeasure) -> (Vec<f64>, Vec<f64>) {
        let values =
            |condition: &Condition| condition.trials.iter().map(|trials| measure.of(trials)).collect::<Vec<_>>();
        let (x, y) = (values(self.first), values(self.second));
        match self.design {
            Design::Between => (x.into_iter().flatten().collect(), y.into_iter().flatten().collect()),
            Design::Within | Design::Mixed => x.into_iter().zip(y).filter_map(|(x, y)| x.zip(y)).unzip(),
        }
    }

    /// Number of participants in any of the two conditions.
    fn n_participants(&self) -> usize {
        let trials = self.first.trials.iter().zip(&self.second.trials);
        trials.filter(|(first, second)| !(first.is_empty() && second.is_empty())).count()
    }
}

fn pairs<'a>(conditions: &'a [Condition<'a>]) -> Vec<Pair<'a>> {
    let after = |index: usize| conditions[index + 1..].iter();
    let pair = |first, second| Pair { first, second, design: design(first, second) };
    conditions.iter().enumerate().flat_map(|(index, first)| after(index).map(move |other| pair(first, other))).collect()
}

/// The record with what it is about.
fn name(record: Record, measure: ParticipantMeasure, context: &Context) -> Record {
    let data = context.data;
    record
        .set(MEASURE, measure.column())
        .set(UNIT, measure.unit(data))
        .set(CONFIDENCE, context.confidence().level())
        .set(N_WITHOUT_CONDITION, data.trials.iter().filter(|trial| trial.condition.is_none()).count())
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

/// The design of a pair of conditions, and its tests by ranks. Several tests of one hypothesis invite a choice among
/// them: so one is said, and which test counts.
fn say(pair: &Pair, n_conditions: usize, records: &[Record], context: &Context) -> Vec<String> {
    let (first, second) = (pair.first.name, pair.second.name);
    let others = match n_conditions {
        n if n <= MOST_IN_PAIRS => String::new(),
        n => format!(" (the first two of {n} conditions by name; the table has all pairs)"),
    };
    let is_first = records.first().is_some_and(|record| record.text(SECOND) == Some(second));
    let main = " Where mixed models of trials and moves have conditions, those are the main tests.";
    let main = if is_first { main } else { "" };
    let opening = format!("{first} against {second}{others}: {}.{main}", pair.design.sentence());
    let word = solved_word(context.data.unit);
    let find = |measure: &ParticipantMeasure| {
        let is_match = |record: &&Record| {
            let is_pair = record.text(FIRST) == Some(first) && record.text(SECOND) == Some(second);
            let by_ranks = [MANN_WHITNEY, WILCOXON].map(|test| Some(test.estimator.name));
            is_pair && by_ranks.contains(&record.text(TEST)) && record.text(MEASURE) == Some(measure.column())
        };
        let sentence = adjusted_sentence(records.iter().find(is_match)?, P_ADJUSTED)?;
        let trials =
            if *measure == ParticipantMeasure::ShareSolved { String::new() } else { format!(" of {word} trials") };
        let title = measure.title(context.data);
        Some(format!(
            "As a robust check over participants' means, {first} against {second}, {title}{trials}: {sentence}."
        ))
    };
    let measures = ParticipantMeasure::all(context.data).into_iter().filter(|measure| SAID.contains(&measure.column()));
    std::iter::once(opening).chain(measures.filter_map(|measure| find(&measure))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Dataset, Trial};
    use crate::testing::{Cells, check_cells, context, dataset, hard_cases, numbers, trial};
    use plymap_statistics::stats::adjust::holm;
    use plymap_statistics::stats::two_samples::{mann_whitney, welch, wilcoxon};
    use plymap_statistics::stats::{Confidence, apa};

    const MOVES: [[f64; 2]; 6] = [[10.0, 14.0], [30.0, 12.0], [13.0, 41.0], [9.0, 22.0], [35.0, 11.0], [11.0, 50.0]];

    /// Six participants at two levels; the condition of a trial follows from participant and level.
    fn study(condition: impl Fn(usize, usize) -> &'static str) -> Dataset {
        let trial_at = |p: usize, l: usize| Trial {
            condition: Some(condition(p, l).to_owned()),
            ..trial(p, l, MOVES[p][l], 2.0 * MOVES[p][l] + p as f64)
        };
        dataset((0..6).flat_map(|p| [trial_at(p, 0), trial_at(p, 1)]).collect())
    }

    fn records(data: &Dataset) -> Vec<Record> {
        ConditionTests::new(&context(data)).records
    }

    fn find<'a>(records: &'a [Record], measure: &str, test: &str) -> &'a Record {
        let is_match = |record: &&Record| record.text(MEASURE) == Some(measure) && record.text(TEST) == Some(test);
        records.iter().find(is_match).unwrap()
    }

    #[test]
    fn different_people_are_compared_by_welch_and_mann_whitney() {
        let mut data = study(|p, _| if p < 3 { "a" } else { "b" });
        data.trials_mut()[1].is_solved = Some(false);
        data.trials_mut().push(trial(0, 0, 500.0, 500.0));
        for (row, trial) in data.trials_mut().iter_mut().enumerate() {
            trial.first_move_latency_s = Some(1.0 + (row * 7 % 5) as f64);
        }
        let rows = records(&data);
        // Eight measures, three tests.
        assert_eq!(rows.len(), 24);
        let (first, second) = ([10.0, 21.0, 27.0], [15.5, 23.0, 30.5]);
        let row = find(&rows, "n_moves", "welch");
        let expected = welch(&first, &second, Confidence::default());
        assert_eq!(row.text(DESIGN), Some("between"));
        assert_eq!(numbers(row, [N_FIRST, N_SECOND, N_MISSING]), [Some(3.0), Some(3.0), Some(0.0)]);
        assert_eq!(
            numbers(row, [STATISTIC, P_VALUE, EFFECT_SIZE]),
            [expected.statistic, expected.p_value, expected.hedges_g]
        );
        assert_eq!(numbers(row, [N_EXCLUDED, N_WITHOUT_CONDITION]), [Some(1.0), Some(1.0)]);
        let row = find(&rows, "n_moves", "mann-whitney");
        let expected = mann_whitney(&first, &second, Confidence::default()).record();
        let columns = [STATISTIC, EFFECT_SIZE];
        assert_eq!(numbers(row, columns), numbers(&expected, columns));
        // The first participant solved one of two trials, all others both.
        let row = find(&rows, "share_solved", "mann-whitney");
        assert_eq!(numbers(row, [MEAN_FIRST, MEAN_SECOND, N_EXCLUDED]), [Some(2.5 / 3.0), Some(1.0), Some(0.0)]);
        // Whether the conditions differ is one question; what a measure beside the outcomes says is its own.
        let tested: Vec<&Record> = rows.iter().filter(|row| row.text(TEST) == Some("welch")).collect();
        let values_of = |is_match: fn(&str) -> bool, column: Column| -> Vec<Option<f64>> {
            let matching_rows = tested.iter().filter(|row| is_match(row.text(MEASURE).unwrap()));
            matching_rows.map(|row| row.number(column)).collect()
        };
        let is_outcome = |measure: &str| OUTCOMES.contains(&measure);
        assert_eq!(values_of(is_outcome, P_ADJUSTED), holm(&values_of(is_outcome, P_VALUE)));
        assert!(values_of(is_outcome, P_VALUE).iter().flatten().count() > 1);
        let is_other = |measure: &str| !OUTCOMES.contains(&measure);
        assert_eq!(values_of(is_other, P_ADJUSTED), values_of(is_other, P_VALUE));
        assert!(values_of(is_other, P_VALUE).iter().flatten().count() > 0);
    }

    #[test]
    fn people_in_both_conditions_are_compared_with_themselves() {
        let data = study(|_, l| if l == 0 { "b" } else { "a" });
        let rows = records(&data);
        assert_eq!(rows.len(), 8);
        let row = find(&rows, "n_moves", "wilcoxon");
        let expected = wilcoxon(&MOVES.map(|row| row[1]), &MOVES.map(|row| row[0]), Confidence::default()).record();
        assert_eq!((row.text(FIRST), row.text(DESIGN), row.number(N)), (Some("a"), Some("within"), Some(6.0)));
        let columns = [P_VALUE, EFFECT_SIZE, ESTIMATE];
        assert_eq!(numbers(row, columns), numbers(&expected, columns));
        let said = ConditionTests::new(&context(&data)).sentences();
        assert_eq!(
            said[0],
            "a against b: each participant is in both conditions (within-subjects design). Where mixed models of trials and moves have conditions, those are the main tests."
        );
        assert!(said[2].starts_with(
            "As a robust check over participants' means, a against b, mean of number of moves of solved trials: W = "
        ));
    }

    #[test]
    fn what_is_said_has_the_adjusted_p() {
        for data in [study(|p, _| if p < 3 { "a" } else { "b" }), study(|_, l| if l == 0 { "b" } else { "a" })] {
            let tests = ConditionTests::new(&context(&data));
            let is_said = |row: &&Record| {
                [Some("mann-whitney"), Some("wilcoxon")].contains(&row.text(TEST))
                    && row.text(MEASURE) == Some("n_moves")
            };
            let row = tests.records.iter().find(is_said).unwrap();
            let (p, adjusted) = (row.number(P_VALUE).unwrap(), row.number(P_ADJUSTED).unwrap());
            assert!(p < adjusted);
            let said = tests.sentences().remove(2);
            assert!(said.contains(&format!(", {} (adjusted over 2 tests), ", apa::p_value(adjusted))), "{said}");
            assert!(!said.contains(&apa::p_value(p)), "{said}");
            // The table keeps the sentence of the test alone, beside both p values.
            assert!(row.text(SENTENCE).unwrap().contains(&apa::p_value(p)));
        }
    }

    #[test]
    fn a_mixed_design_compares_those_who_are_in_both() {
        let data = study(|p, l| if p == 0 || l == 0 { "a" } else { "b" });
        let rows = records(&data);
        let row = find(&rows, "time_s", "wilcoxon");
        assert_eq!(row.text(DESIGN), Some("mixed"));
        assert_eq!(numbers(row, [N, N_MISSING]), [Some(5.0), Some(1.0)]);
    }

    #[test]
    fn three_conditions_are_three_pairs_and_too_many_are_refused() {
        let data = study(|p, _| ["a", "b", "c"][p / 2]);
        let rows = records(&data);
        let mut pairs: Vec<_> = rows.iter().map(|row| (row.text(FIRST), row.text(SECOND))).collect();
        pairs.dedup();
        assert_eq!(pairs.len(), 3);
        assert!(ConditionTests::new(&context(&data)).sentences()[0].starts_with("a against b: "));
        let said = ConditionTests::new(&context(&data)).sentences().join(" ");
        assert!(["a against c: ", "b against c: "].iter().all(|pair| said.contains(pair)), "{said}");
        let many = (0..21).map(|p| Trial { condition: Some(format!("c{p}")), ..trial(p, 0, 9.0, 9.0) });
        let rows = records(&dataset(many.collect()));
        assert_eq!(rows[0].text(REASON), Some("there are 21 conditions, but at most 20 are compared"));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let tables = ConditionTests::new(&context(&data)).tables();
            check_cells(&tables[0]);
            assert!(!tables[0].cells("measure").is_empty());
            for (p, reason) in tables[0].cells("p_value").iter().zip(tables[0].cells("reason")) {
                assert!(p.is_some() || reason.is_some());
            }
            ConditionTests::new(&context(&data)).sentences();
        }
        let none = records(&dataset(vec![trial(0, 0, 9.0, 9.0)]));
        assert_eq!(none[0].text(REASON), Some("a comparison needs at least 2 conditions, found 0"));
    }
}
