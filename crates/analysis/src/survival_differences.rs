//! Differences of restricted mean survival times between conditions, also under the worst and the best assumption about
//! trials that ended without a solution.
//!
//! The difference asks for no proportional hazards (Royston & Parmar, 2013, *BMC Medical Research Methodology*, 13, 152).
//! Its interval resamples participants with all of their trials; its p comes from permutations of participants between the
//! conditions, or, where each is in both, of the conditions of each participant.

use super::columns;
use super::conditions::MOST_CONDITIONS;
use super::context::Context;
use super::survival_times::{Known, MOST_VISITS, N_PERMUTATIONS};
use plymap_statistics::record::*;
use plymap_statistics::stats::adjust::Adjustment;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::resample::percentile_interval;
use plymap_statistics::stats::survival::sorted::SortedTimes;
use plymap_tables::Table;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Assumption about trials that ended without a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Censoring {
    /// They would have gone on like the trials still under way.
    Independent,
    /// They would never have been solved: the worst case.
    Never,
    /// They would have been solved the next moment: the best case.
    AtOnce,
}

/// A time, in seconds, beyond all others.
pub(super) const NO_END: f64 = 1e90;

impl Censoring {
    const ALL: [Self; 3] = [Self::Independent, Self::Never, Self::AtOnce];
    const NAMES: [&'static str; 3] = ["independent", "never", "at once"];

    fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Time and event of a trial; who never solves it is at risk for ever.
    pub fn of(self, time: f64, is_solved: bool) -> (f64, bool) {
        match self {
            Self::Never if !is_solved => (NO_END, false),
            Self::AtOnce => (time, true),
            _ => (time, is_solved),
        }
    }
}

const ASSUMPTION: Column = columns::ASSUMPTION.means(
    "what is assumed of trials that ended without a solution: independent: had they gone on, they would have been solved as those still going then; never: they would never have been solved; at once: they would have been solved the next moment",
)
.levels(&Censoring::NAMES);
const FIRST: Column = text("first", "the condition that it is compared with, the first by name");
const SECOND: Column = text("second", "the condition that is compared");
const N_FIRST: Column = count("n_first", "number of trials in the first condition");
const N_SECOND: Column = count("n_second", "number of trials in the second condition");
const N_UNSOLVED: Column = count("n_unsolved", "number of trials of both that ended without a solution");
const UNTIL: Column = number(
    "until_s",
    "times beyond this one count as so long: the smaller one of the longest times in the two conditions",
)
.unit("s");
const MEAN_FIRST: Column = number("mean_first_s", "restricted mean time to solve in the first condition").unit("s");
const MEAN_SECOND: Column = number("mean_second_s", "restricted mean time in the second condition").unit("s");
const COLUMNS: &[Column] = &[
    SECOND,
    FIRST,
    ASSUMPTION,
    N_SECOND,
    N_FIRST,
    N_UNSOLVED,
    N_PARTICIPANTS,
    UNTIL,
    MEAN_FIRST,
    MEAN_SECOND,
    ESTIMATE.means("second less first: by how much longer trials last in the second condition").unit("s"),
    LOWER.means("lower end of its interval (participants resampled with their trials, percentiles)").unit("s"),
    UPPER.means("upper end of its interval").unit("s"),
    CONFIDENCE,
    P_VALUE.means("share of permutations that give so large a difference or a larger one: of participants between the conditions, or of the two conditions of each; empty where some participants are in one and some in both, and of other assumptions than independent"),
    P_ADJUSTED,
    SENTENCE,
    REASON,
];
const P_ADJUSTED: Column = number("p_adjusted", "p after Holm (1979), over all pairs of conditions");

/// The differences between the first condition by name and each other.
pub(super) struct SurvivalDifferences {
    records: Vec<Record>,
}

/// The trials of two conditions.
struct Two<'a> {
    trials: Vec<&'a Known<'a>>,
    second: &'a str,
    /// The participants, and the places of their trials in each condition.
    people: Vec<[Vec<usize>; 2]>,
    until: f64,
}

impl SurvivalDifferences {
    pub fn new(context: &Context, known: &[Known]) -> Self {
        let names: BTreeSet<&str> = known.iter().map(|row| row.condition).collect();
        let mut result = Self { records: Vec::new() };
        let mut names = names.into_iter();
        let Some(first) = names.next().filter(|_| names.len() < MOST_CONDITIONS) else { return result };
        for second in names {
            let two = Two::new(known, first, second);
            result.records.extend(Censoring::ALL.map(|censoring| two.record(context, first, censoring)));
        }
        Adjustment::Holm.apply_to(&mut result.records, P_ADJUSTED);
        result
    }

    /// The table `survival_differences`; absent where there are no two conditions.
    pub fn table(&self) -> Option<Table> {
        let caption = "How much longer trials last in one condition than in another: restricted mean times to solve, and how far the difference depends on what is not known of trials that ended without a solution.";
        (!self.records.is_empty()).then(|| Table::of_records("survival_differences", caption, COLUMNS, &self.records))
    }

    /// One sentence for each pair of conditions.
    pub fn sentences(&self) -> Vec<String> {
        self.records.chunks(Censoring::ALL.len()).filter_map(sentence).collect()
    }
}

/// The sentence on the rows of a pair of conditions, one for each assumption.
fn sentence(of_pair: &[Record]) -> Option<String> {
    let [row, never, at_once] = of_pair else { return None };
    let text = |column: Column| row.text(column).unwrap_or_default();
    let estimate = row.number(ESTIMATE)?;
    let others: Vec<f64> = [never, at_once].iter().filter_map(|other| other.number(ESTIMATE)).collect();
    let holds = others.iter().all(|other| other.signum() == estimate.signum());
    let unless = if holds { "it goes the same way" } else { "it does not always go the same way" };
    let longer = if estimate < 0.0 { "shorter" } else { "longer" };
    let differences: Vec<String> = others.iter().map(|other| format!("{} s", apa::number(*other, 1))).collect();
    let sensitivity = match differences.as_slice() {
        [never, at_once] if row.number(N_UNSOLVED) > Some(0.0) => format!(
            " If trials that ended without a solution would never have been solved, the difference is {never}; if at once, {at_once}: {unless}."
        ),
        _ => String::new(),
    };
    Some(format!(
        "Trials last {} s {longer} in the condition {} than in {}, on average until {} s: {}.{sensitivity}",
        apa::number(estimate.abs(), 1),
        text(SECOND),
        text(FIRST),
        apa::number(row.number(UNTIL)?, 0),
        match row.number(P_VALUE).zip(row.number(P_ADJUSTED)) {
            Some((p, adjusted)) => apa::adjusted(text(SENTENCE), p, adjusted, row.family_of_tests()),
            None => text(SENTENCE).to_owned(),
        },
    ))
}

impl<'a> Two<'a> {
    fn new(known: &'a [Known<'a>], first: &str, second: &'a str) -> Self {
        let trials: Vec<&Known> =
            known.iter().filter(|row| row.condition == first || row.condition == second).collect();
        let mut people: BTreeMap<usize, [Vec<usize>; 2]> = BTreeMap::new();
        let mut longest = [0.0_f64; 2];
        for (place, row) in trials.iter().enumerate() {
            let condition = usize::from(row.condition == second);
            people.entry(row.participant).or_default()[condition].push(place);
            longest[condition] = longest[condition].max(row.time);
        }
        Self { trials, second, people: people.into_values().collect(), until: longest[0].min(longest[1]) }
    }

    /// Returns true if each participant is in one condition, false if each is in both; `None` for a mixture.
    fn is_between(&self) -> Option<bool> {
        let both = |conditions: &[Vec<usize>; 2]| conditions.iter().all(|places| !places.is_empty());
        let n_both = self.people.iter().filter(|person| both(person)).count();
        if n_both == 0 { Some(true) } else { (n_both == self.people.len()).then_some(false) }
    }

    /// The times of the trials under an assumption; nothing where there is none.
    fn sorted(&self, censoring: Censoring) -> Option<SortedTimes> {
        let assumed = self.trials.iter().map(|trial| censoring.of(trial.time, trial.is_solved));
        // Beyond the end all are at risk alike, so that the curve is known until there.
        let cut = |(time, is_solved): (f64, bool)| match time > self.until {
            true => (self.until, false),
            false => (time, is_solved),
        };
        let (times, solved): (Vec<f64>, Vec<bool>) = assumed.map(cut).unzip();
        SortedTimes::new(&times, &solved).ok()
    }

    /// The restricted means of trials of people in the one condition, and in the other; who is swapped has the trials of the
    /// other one.
    fn means(&self, times: &SortedTimes, people: impl Iterator<Item = (usize, bool)> + Clone) -> Option<[f64; 2]> {
        let mean = |condition: usize| {
            let of_person =
                |(person, is_swapped): (usize, bool)| &self.people[person][condition ^ usize::from(is_swapped)];
            times.restricted_mean(people.clone().flat_map(of_person).copied(), self.until)
        };
        Some([mean(0)?, mean(1)?])
    }

    fn difference(&self, times: &SortedTimes, people: &[(usize, bool)]) -> Option<f64> {
        let [first, second] = self.means(times, people.iter().copied())?;
        Some(second - first)
    }

    fn record(&self, context: &Context, first: &str, censoring: Censoring) -> Record {
        let n_in = |condition: usize| self.people.iter().map(|person| person[condition].len()).sum::<usize>();
        let record = Record::new()
            .set(FIRST, first)
            .set(SECOND, self.second)
            .set(ASSUMPTION, censoring.name())
            .set(N_FIRST, n_in(0))
            .set(N_SECOND, n_in(1))
            .set(N_PARTICIPANTS, self.people.len())
            .set(N_UNSOLVED, self.trials.iter().filter(|row| !row.is_solved).count())
            .set(UNTIL, self.until)
            .set(CONFIDENCE, context.confidence().level());
        let n_people = self.people.len();
        let times = self.sorted(censoring);
        let means = times.as_ref().and_then(|times| self.means(times, (0..n_people).map(|person| (person, false))));
        let (Some(times), Some([mean_first, mean_second])) = (&times, means) else {
            return record.set(REASON, "a condition has no trial with a time");
        };
        let estimate = mean_second - mean_first;
        let record = record.set(MEAN_FIRST, mean_first).set(MEAN_SECOND, mean_second).set(ESTIMATE, estimate);
        let n = context.resamples((MOST_VISITS / self.trials.len().max(1)).clamp(199, N_PERMUTATIONS));
        let seeded = |number: usize| ChaCha8Rng::seed_from_u64(context.seed().wrapping_add(number as u64));
        let resampled = |number: usize| {
            let mut random = seeded(number);
            let people: Vec<(usize, bool)> = (0..n_people).map(|_| (random.random_range(0..n_people), false)).collect();
            self.difference(times, &people)
        };
        let resamples: Vec<f64> = (0..n).into_par_iter().filter_map(resampled).collect();
        let interval = percentile_interval(&resamples, context.confidence());
        let p_value = (censoring == Censoring::Independent).then(|| self.p_value(times, estimate, n, seeded)).flatten();
        let (lower, upper) = interval.clone().ok().unzip();
        let ends = apa::interval(context.confidence(), lower.zip(upper), |value| apa::number(value, 1));
        let p = p_value.map_or(String::new(), |p| format!(", {}", apa::p_value(p)));
        record
            .set(LOWER, lower)
            .set(UPPER, upper)
            .set(P_VALUE, p_value)
            .set(SENTENCE, format!("difference = {} s{ends}{p}", apa::number(estimate, 1)))
            .set(REASON, interval.err().map(|reason| reason.to_string()))
    }

    /// The share of permutations with so large a difference.
    fn p_value(
        &self,
        times: &SortedTimes,
        estimate: f64,
        n: usize,
        seeded: impl Fn(usize) -> ChaCha8Rng + Sync,
    ) -> Option<f64> {
        let is_between = self.is_between()?;
        let is_second: Vec<bool> = self.people.iter().map(|person| !person[1].is_empty()).collect();
        let is_as_large = |number: &usize| {
            let mut random = seeded(*number);
            let mut is_swapped = is_second.clone();
            if is_between {
                is_swapped.shuffle(&mut random);
                is_swapped.iter_mut().zip(&is_second).for_each(|(is_swapped, is_second)| *is_swapped ^= is_second);
            } else {
                is_swapped.fill_with(|| random.random());
            }
            let people: Vec<(usize, bool)> = is_swapped.into_iter().enumerate().collect();
            // What differs by rounding is as large.
            let least = estimate.abs() * (1.0 - 1e-9);
            self.difference(times, &people).is_some_and(|difference| difference.abs() >= least)
        };
        let n_as_large = (0..n).into_par_iter().filter(is_as_large).count();
        Some((n_as_large + 1) as f64 / (n + 1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_cells, context, dataset};
    use plymap_statistics::stats::Confidence;

    fn row(participant: usize, condition: &str, time: f64, is_solved: bool) -> Known<'_> {
        Known { participant, condition, time, is_solved }
    }

    fn differences(rows: &[Known]) -> SurvivalDifferences {
        let data = dataset(Vec::new());
        SurvivalDifferences::new(&context(&data), rows)
    }

    fn number(differences: &SurvivalDifferences, place: usize, column: Column) -> Option<f64> {
        differences.records[place].number(column)
    }

    #[test]
    fn means_until_the_shorter_end_are_compared_under_three_assumptions() {
        // In a one of two trials is given up at 4 s; in b all are solved.
        let rows = [row(0, "a", 4.0, false), row(1, "a", 10.0, true), row(2, "b", 6.0, true), row(3, "b", 8.0, true)];
        let differences = differences(&rows);
        check_cells(&differences.table().unwrap());
        // Until 8 s: in a nobody is known to have solved before; in b 6 + half of 2.
        assert_eq!(
            [UNTIL, MEAN_FIRST, MEAN_SECOND, ESTIMATE].map(|column| number(&differences, 0, column).unwrap()),
            [8.0, 8.0, 7.0, -1.0]
        );
        // If never, the same; if at once, half of a is over at 4 s.
        assert_eq!([1, 2].map(|place| number(&differences, place, ESTIMATE).unwrap()), [-1.0, 1.0]);
        let said = differences.sentences();
        assert!(said[0].starts_with("Trials last 1.0 s shorter in the condition b than in a, on average until 8 s: "));
        assert!(said[0].ends_with("the difference is −1.0 s; if at once, 1.0 s: it does not always go the same way."));
        assert!(number(&differences, 1, P_VALUE).is_none());
    }

    #[test]
    fn p_is_the_share_of_all_permutations() {
        let times = [3.0, 5.0, 6.0, 9.0, 11.0, 12.0];
        let rows: Vec<Known> =
            (0..6).map(|person| row(person, if person < 3 { "a" } else { "b" }, times[person], true)).collect();
        let differences = differences(&rows);
        // Of the twenty ways to choose three of six, this one and its mirror image are as far apart, in means until the
        // shorter end of the observed conditions.
        let mean = |people: &[usize]| people.iter().map(|&person| times[person].min(6.0)).sum::<f64>() / 3.0;
        let chosen = (0..64_u32).filter(|chosen| chosen.count_ones() == 3);
        let difference = |chosen: u32| {
            let (first, second): (Vec<usize>, Vec<usize>) = (0..6).partition(|person| chosen & (1 << person) != 0);
            (mean(&first) - mean(&second)).abs()
        };
        let observed = difference(0b111);
        assert!((number(&differences, 0, ESTIMATE).unwrap() - observed).abs() < 1e-12);
        let n = chosen.clone().filter(|&chosen| difference(chosen) >= observed - 1e-9).count();
        let exact = n as f64 / chosen.count() as f64;
        assert!((number(&differences, 0, P_VALUE).unwrap() - exact).abs() < 0.03);
    }

    #[test]
    fn who_was_in_both_conditions_is_compared_with_oneself() {
        // People differ by far more than conditions do.
        let rows: Vec<Known> = (0..8)
            .flat_map(|person| {
                let tempo = 100.0 * person as f64;
                [row(person, "a", tempo + 10.0, true), row(person, "b", tempo + 15.0 + person as f64, true)]
            })
            .collect();
        let differences = differences(&rows);
        assert!(number(&differences, 0, P_VALUE).unwrap() < 0.02);
        assert!(number(&differences, 0, LOWER).unwrap() > 0.0);
        let mut mixed = rows;
        mixed.pop();
        assert_eq!(number(&self::differences(&mixed), 0, P_VALUE), None);
        assert!(differences.records.iter().all(|row| row.number(CONFIDENCE) == Some(Confidence::default().level())));
        assert!(self::differences(&mixed[..1]).table().is_none());
    }
}
