//! Measures of trials compared between the groups of every factor.

use plymap_statistics::record::*;
use plymap_statistics::stats::adjust::Adjustment;
use plymap_tables::Table;

use super::columns::{self, EFFECT};
use super::context::Context;
use super::two_groups::{Factor, GROUP_MEASURES, GroupMeasure, GroupedMeans, TwoGroups};

const COLUMNS: &[Column] = &[
    MEASURE.means("what is compared: a column of the table trials. Of each unit of analysis and group it is the mean over its trials, of times and numbers of moves the geometric mean; over solved trials, unless the groups or the measure are solved"),
    FACTOR,
    UNIT_OF_ANALYSIS,
    N_GROUPS,
    FIRST.means("of two groups the first"),
    SECOND.means("of two groups the second"),
    N.means("number of units of analysis that are compared"),
    TEST,
    EFFECT,
    ESTIMATE.means("of two groups, second over first where the effect is a ratio, else second less first: the Hodges-Lehmann shift, of logarithms for a ratio"),
    LOWER,
    UPPER,
    CONFIDENCE,
    P_VALUE,
    P_ADJUSTED,
    SENTENCE,
    REASON,
];
const FACTOR: Column =
    text("factor", "what divides trials into groups").levels(&["condition", "level", "solved", "participant"]);
const UNIT_OF_ANALYSIS: Column =
    text("unit_of_analysis", "what gives one value to each group: participant; level where participants are compared")
        .levels(&["participant", "level"]);
const N_GROUPS: Column = count("n_groups", "number of groups");
const TEST: Column = columns::TEST
    .means("wilcoxon (signed ranks) or friedman where units are in all groups, mann-whitney or kruskal-wallis where each is in one; empty where neither holds")
    .levels(&["wilcoxon", "mann-whitney", "friedman", "kruskal-wallis"]);
const P_ADJUSTED: Column = columns::P_ADJUSTED.means("p after Holm (1979), over the measures of the same factor");

/// The table `group_tests`: each measure by each factor that divides the trials into groups, as the figures `raincloud` draw
/// and test them.
pub fn group_tests_table(context: &Context) -> Table {
    let mut records = Vec::new();
    for factor in Factor::ALL {
        let tested = GROUP_MEASURES.iter().filter_map(|measure| test(context, factor, measure));
        records.extend(tested.map(|record| record.family(factor.name())));
    }
    Adjustment::Holm.apply_to(&mut records, P_ADJUSTED);
    let caption = "Measures of trials compared between the groups of each factor by the test that is valid for the design. The figures raincloud draw these values.";
    Table::of_records("group_tests", caption, COLUMNS, &records)
}

/// Tests a measure between the groups of a factor; nothing where there is one group.
fn test(context: &Context, factor: Factor, measure: &GroupMeasure) -> Option<Record> {
    let means = GroupedMeans::new(context.data, factor, measure);
    let common = Record::new()
        .set(MEASURE, measure.key)
        .set(FACTOR, factor.name())
        .set(UNIT_OF_ANALYSIS, factor.unit_of_analysis())
        .set(N_GROUPS, means.groups.len());
    let tested = match &means.groups[..] {
        [] | [_] => return None,
        [a, b] => {
            let (groups, confidence) = ([a.label.as_str(), b.label.as_str()], context.confidence());
            let two = TwoGroups::new(&means, factor, groups, measure, confidence);
            two.record(confidence)
        }
        _ => match means.omnibus() {
            Some((test, record)) => record.set(TEST, test),
            None => Record::new()
                .set(REASON, "some have a value in several groups, and not in all: no test allows for that"),
        },
    };
    Some(common.with(tested))
}

#[cfg(test)]
mod tests {
    use plymap_statistics::stats::friedman::friedman;
    use plymap_statistics::stats::two_samples::{mann_whitney, wilcoxon};

    use super::*;
    use crate::dataset::Trial;
    use crate::testing::{context, dataset, numbers, trial};

    #[test]
    fn each_measure_is_tested_between_the_groups_of_each_factor() {
        let moves = [[4.0, 6.0, 9.0], [5.0, 11.0, 8.0], [12.0, 13.0, 20.0], [9.0, 21.0, 15.0]];
        let of_one = |p: usize, l: usize| Trial {
            condition: Some(if p < 2 { "a" } else { "b" }.to_owned()),
            ..trial(p, l, moves[p][l], 3.0 * moves[p][l])
        };
        let data = dataset((0..4).flat_map(|p| (0..3).map(move |l| of_one(p, l))).collect());
        let context = context(&data);
        let find =
            |factor: Factor, measure: &str| test(&context, factor, GroupMeasure::named(measure).unwrap()).unwrap();
        // Of each person the mean of the logarithms, for moves differ by a factor.
        let means = moves.map(|of_one| of_one.map(f64::ln).iter().sum::<f64>() / 3.0);
        let by_condition = find(Factor::Condition, "n_moves");
        let expected = mann_whitney(&means[2..], &means[..2], context.confidence()).record();
        assert_eq!(by_condition.text(TEST), Some("mann-whitney"));
        assert_eq!(numbers(&by_condition, [N, N_GROUPS, P_VALUE]), [Some(4.0), Some(2.0), expected.number(P_VALUE)]);
        assert_eq!(by_condition.number(ESTIMATE), expected.number(ESTIMATE).map(f64::exp));
        // Everybody played all three levels: Friedman's test of the logarithms.
        let by_level = find(Factor::Level, "n_moves");
        let expected = friedman(&moves.map(|of_one| of_one.map(f64::ln).to_vec())).record();
        assert_eq!((by_level.text(TEST), by_level.text(FIRST)), (Some("friedman"), None));
        assert_eq!(numbers(&by_level, [N, P_VALUE]), numbers(&expected, [N, P_VALUE]));
        assert_eq!(by_level.text(SENTENCE), expected.text(SENTENCE));
        // Participants are compared over levels, two of them in pairs; all trials were solved.
        let by_participant = find(Factor::Participant, "n_moves");
        assert_eq!((by_participant.text(UNIT_OF_ANALYSIS), by_participant.number(N)), (Some("level"), Some(3.0)));
        assert!(test(&context, Factor::Solved, GroupMeasure::named("n_moves").unwrap()).is_none());
        let two = dataset((0..2).flat_map(|p| (0..3).map(move |l| of_one(p, l))).collect());
        let two = crate::testing::context(&two);
        let pairs = test(&two, Factor::Participant, GroupMeasure::named("time_s").unwrap()).unwrap();
        let [x, y] = [0, 1].map(|p| moves[p].map(|n| (3.0 * n).ln()));
        let expected = wilcoxon(&y, &x, two.confidence()).record();
        assert_eq!((pairs.text(TEST), pairs.number(P_VALUE)), (Some("wilcoxon"), expected.number(P_VALUE)));
    }

    #[test]
    fn measures_of_a_factor_are_adjusted_together() {
        let trials = (0..8).map(|p| Trial {
            condition: Some(if p < 4 { "a" } else { "b" }.to_owned()),
            ..trial(p, 0, 3.0 + p as f64, 9.0 - p as f64)
        });
        let data = dataset(trials.collect());
        let table = group_tests_table(&context(&data));
        let number = |measure: &str, column: Column| {
            table.number_at(table.row(&[(MEASURE, measure), (FACTOR, "condition")]).unwrap(), column).unwrap()
        };
        for measure in ["n_moves", "time_s"] {
            assert_eq!(number(measure, P_ADJUSTED), 2.0 * number(measure, P_VALUE), "two measures have values");
        }
    }
}
