//! Mixtures of two log-normal distributions of the times between moves.

use super::columns::{GROUP, SCOPE};
use super::context::Context;
use super::dataset::{AttemptRow, Dataset, MoveRow};
use plymap_statistics::phase::em::Em;
use plymap_statistics::phase::mixture::{Mixture, Parameters, mixture};
use plymap_statistics::record::{Column, N, REASON, Record, number};
use plymap_tables::Table;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::PoisonError;

/// Name of the table.
pub const TIME_MIXTURES: &str = "time_mixtures";

/// The scope of all moves.
pub const POOLED: &str = "pooled";

const PARTICIPANT: &str = "participant";

/// Scopes over which moves are pooled.
const SCOPES: [&str; 4] = [POOLED, "level", "condition", PARTICIPANT];

/// The group of those who belong to no condition.
const NO_CONDITION: &str = "(none)";

/// Columns of one component.
#[derive(Clone, Copy)]
pub struct ComponentColumns {
    /// Name of the component.
    pub name: &'static str,
    /// Share of the times.
    pub weight: Column,
    /// Mean of the logarithms.
    pub log_mean: Column,
    /// Standard deviation of the logarithms.
    pub log_sd: Column,
    /// Median time.
    pub median_s: Column,
}

/// The component of short times.
pub const ACTING: ComponentColumns = ComponentColumns {
    name: "acting",
    weight: number("acting_weight", "share of the times that belong to the component of the shorter times"),
    log_mean: number("acting_log_mean", "mean of the natural logarithms of seconds in it"),
    log_sd: number("acting_log_sd", "standard deviation of these logarithms"),
    median_s: number("acting_median_s", "its median time, exp(acting_log_mean)").unit("s"),
};

/// The component of long times.
pub const THINKING: ComponentColumns = ComponentColumns {
    name: "thinking",
    weight: number("thinking_weight", "share of the times that belong to the component of the longer times"),
    log_mean: number("thinking_log_mean", "mean of the natural logarithms of seconds in it"),
    log_sd: number("thinking_log_sd", "standard deviation of these logarithms"),
    median_s: number("thinking_median_s", "its median time, exp(thinking_log_mean)").unit("s"),
};

/// Time that is as probable in one component as in the other.
pub const BOUNDARY_S: Column = number(
    "boundary_s",
    "time between the two medians that is as probable in one component as in the other; empty where there is none",
)
.unit("s");

const COLUMNS: &[Column] = &[
    SCOPE.means("all moves pooled, or those of one level, condition or participant").levels(&SCOPES),
    GROUP.means("the level, condition or participant; empty for all pooled; (none) for moves without a condition"),
    N.means("number of times, without those of first moves of attempts and those of 0"),
    ACTING.weight,
    ACTING.log_mean,
    ACTING.log_sd,
    ACTING.median_s,
    THINKING.weight,
    THINKING.log_mean,
    THINKING.log_sd,
    THINKING.median_s,
    BOUNDARY_S,
    REASON.means("why no mixture could be fitted, or that its fit did not converge"),
];

/// The attempts of each scope and group: their numbers, for the order, and the name of the group.
type Groups<'a> = BTreeMap<(usize, usize, &'a str), Vec<&'a AttemptRow>>;

/// The table `time_mixtures`. Its time grows with the number of times, which every scope has all of.
pub fn time_mixtures_table(context: &Context) -> Table {
    let data = context.data;
    let record = |(&(scope, number, name), attempts): (&(usize, usize, &str), &Vec<&AttemptRow>)| {
        let moves = attempts.iter().flat_map(|attempt| data.moves_of(attempt));
        let times: Vec<f64> = moves.filter_map(MoveRow::inter_move_s).collect();
        let fitted = match SCOPES[scope] {
            PARTICIPANT => mixture_of_participant(context, number, &times),
            _ => mixture(&times, 2, &Em::new(context.seed())),
        };
        let record = record_of(&fitted).set(SCOPE, SCOPES[scope]);
        if name.is_empty() { record } else { record.set(GROUP, name) }
    };
    let records: Vec<Record> = groups(data).par_iter().map(record).collect();
    let caption = "Mixtures of two log-normal distributions of inter-move times, of all moves and by level, condition and participant. Times of one participant are not independent of each other.";
    Table::of_records(TIME_MIXTURES, caption, COLUMNS, &records)
}

fn groups(data: &Dataset) -> Groups<'_> {
    let mut groups = Groups::from([((0, 0, ""), Vec::new())]);
    for attempt in &data.attempts {
        let names = [
            (0, ""),
            (attempt.level, data.levels[attempt.level].as_str()),
            (0, attempt.condition.as_deref().unwrap_or(NO_CONDITION)),
            (attempt.participant, data.participants[attempt.participant].as_str()),
        ];
        for (scope, (number, name)) in names.into_iter().enumerate() {
            groups.entry((scope, number, name)).or_default().push(attempt);
        }
    }
    groups
}

/// The mixture of two components of the times of a participant: two analyses want it.
pub(crate) fn mixture_of_participant(context: &Context, participant: usize, times: &[f64]) -> Mixture {
    let new = || mixture(times, 2, &Em::new(context.seed()));
    let Some(shared) = context.shared else { return new() };
    let known = || shared.mixtures.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(fitted) = known().get(&participant) {
        return fitted.clone();
    }
    // Fitted without the lock, so that participants are fitted side by side; the same fit made twice is the same.
    let fitted = new();
    known().insert(participant, fitted.clone());
    fitted
}

fn record_of(fitted: &Mixture) -> Record {
    Record::new().set(N, fitted.n).outcome(&fitted.outcome, |record, optimum| {
        let Parameters { weights, means, sds } = &optimum.parameters;
        let medians = optimum.parameters.medians_s();
        let with = |record: Record, (place, columns): (usize, ComponentColumns)| {
            record
                .set(columns.weight, weights[place])
                .set(columns.log_mean, means[place])
                .set(columns.log_sd, sds[place])
                .set(columns.median_s, medians[place])
        };
        let record = [ACTING, THINKING].into_iter().enumerate().fold(record, with);
        let record =
            boundary_s(&optimum.parameters).into_iter().fold(record, |record, time| record.set(BOUNDARY_S, time));
        optimum.reason.iter().fold(record, |record, reason| record.set(REASON, reason.clone()))
    })
}

/// The time, between the medians of two components, at which both are equally probable.
fn boundary_s(parameters: &Parameters) -> Option<f64> {
    let Parameters { weights, means, sds } = parameters;
    let log_density = |place: usize, log: f64| {
        let z = (log - means[place]) / sds[place];
        weights[place].ln() - sds[place].ln() - z * z / 2.0
    };
    let difference = |log: f64| log_density(1, log) - log_density(0, log);
    let (mut low, mut high) = (means[0], means[1]);
    // The difference of two log-normal log-densities is a quadratic function of the logarithm: with these signs at the
    // medians, it has exactly one root between them.
    if !(difference(low) < 0.0 && difference(high) > 0.0) {
        return None;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if difference(middle) < 0.0 { low = middle } else { high = middle }
    }
    Some(high.exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Shared;
    use crate::testing::{add_attempt, check_cells, context, dataset, hard_cases, step, trial};
    use plymap_measures::label::Quality;

    /// Two participants at two levels: one pauses for ten times as long before every fourth move, the other hardly moves.
    fn data() -> Dataset {
        let mut data = dataset(vec![trial(0, 0, 9.0, 9.0), trial(1, 1, 9.0, 9.0)]);
        let time =
            |index: usize| if index.is_multiple_of(4) { 10.0 } else { 1.0 } * (1.0 + (index * 7 % 31) as f64 / 60.0);
        for attempt in 0..4 {
            // The third move has no time, and the fourth a time of 0.
            let rt_s = |ply: usize| match ply {
                2 => None,
                3 => Some(0.0),
                _ => Some(time(30 * attempt + ply)),
            };
            add_attempt(&mut data, 0, 0, (0..30).map(|ply| step(Quality::Better, rt_s(ply))).collect());
        }
        add_attempt(&mut data, 1, 1, (0..5).map(|ply| step(Quality::Same, Some(time(ply)))).collect());
        data.attempts[0].condition = Some("speed".to_owned());
        data
    }

    #[test]
    fn every_group_has_its_mixture() {
        let data = data();
        let table = time_mixtures_table(&context(&data));
        check_cells(&table);
        let texts = |column| table.texts(column).expect("a column");
        let names: Vec<(String, String)> = texts(SCOPE).into_iter().zip(texts(GROUP)).collect();
        let names: Vec<(&str, &str)> = names.iter().map(|(scope, group)| (scope.as_str(), group.as_str())).collect();
        let expected = [
            (POOLED, ""),
            ("level", "l0"),
            ("level", "l1"),
            ("condition", NO_CONDITION),
            ("condition", "speed"),
            (PARTICIPANT, "p0"),
            (PARTICIPANT, "p1"),
        ];
        assert_eq!(names, expected);
        assert_eq!(table.counts(N).expect("counts"), [112, 108, 4, 85, 27, 108, 4].map(Some));
        let reasons = texts(REASON);
        assert!(reasons[0].is_empty() && reasons[2] == "the log-normal mixture needs at least 20 moves, found 4");
        let at = |row, column| table.number_at(row, column);
        assert_eq!((at(2, ACTING.weight), at(2, BOUNDARY_S)), (None, None));
        // Participant p0 is all of level l0.
        assert_eq!(at(1, BOUNDARY_S), at(5, BOUNDARY_S));
        let [acting, thinking, boundary] =
            [ACTING.median_s, THINKING.median_s, BOUNDARY_S].map(|column| at(1, column).expect("a time"));
        assert!(1.0 < acting && acting < 1.6 && 10.0 < thinking && thinking < 16.0, "{acting} and {thinking}");
        assert!(acting < boundary && boundary < thinking);
        assert_eq!(at(1, ACTING.log_mean).map(f64::exp), Some(acting));
    }

    #[test]
    fn both_components_are_equally_probable_at_the_boundary() {
        let parameters = |means: [f64; 2], weights: [f64; 2]| Parameters {
            weights: weights.to_vec(),
            means: means.to_vec(),
            sds: vec![0.4, 0.9],
        };
        let even = parameters([-0.2, 1.7], [0.6, 0.4]);
        let boundary = boundary_s(&even).expect("a boundary");
        let posterior = &even.membership(&[boundary]).expect("probabilities").posterior[0];
        assert!((posterior[0] - 0.5).abs() < 1e-12, "{posterior:?}");
        // The wide component is more probable at its own mean, but not where the narrow one has almost all times.
        assert_eq!(boundary_s(&parameters([0.0, 0.1], [0.99, 0.01])), None);
    }

    #[test]
    fn a_participant_is_fitted_once() {
        let (data, shared) = (data(), Shared::default());
        let context = context(&data).sharing(&shared);
        let alone = time_mixtures_table(&crate::testing::context(&data));
        let numbers = |table: &Table| table.numbers(BOUNDARY_S).expect("numbers");
        assert_eq!(numbers(&time_mixtures_table(&context)), numbers(&alone));
        let kept = mixture_of_participant(&context, 0, &[]);
        assert_eq!(kept.n, 108, "the times were not asked for again");
        assert_eq!(shared.mixtures.lock().expect("mixtures").len(), 2);
    }

    #[test]
    fn hard_cases_have_a_row_of_all_moves() {
        for data in hard_cases() {
            let table = time_mixtures_table(&context(&data));
            check_cells(&table);
            assert_eq!(table.text_at(0, SCOPE).as_deref(), Some(POOLED));
        }
    }
}
