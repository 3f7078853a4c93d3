//! Difficulty of items and ability of participants by the Rasch model.

use super::sample::Sample;
use super::{Estimator, Kind, Need, Role};
use crate::record::*;
use crate::stats::NotEstimable;
use crate::stats::rasch::{Ability, LevelDifficulty, rasch, rasch_conditional};

const ITEM: Column = text("item", "the item or level");
const PARTICIPANT: Column = text("participant", "the participant");
const N_TRUE: Column = count("n_true", "number of them that solved it");
const INFIT: Column =
    number("infit", "information-weighted mean square of the residuals; near 1 where the model holds");
const OUTFIT: Column = number("outfit", "unweighted mean square of the residuals, sensitive to outlying responses");
const N_RESPONSES: Column = count("n_responses", "number of responses to items that some but not all solved");
const N_ITEMS: Column = count("n_items", "number of items");
const N_FINITE: Column = count("n_items_with_difficulty", "number of items that some but not all solved");
const N_PARAMETERS: Column = count("n_parameters", "number of parameters");

const DIFFICULTY_COLUMNS: &[Column] = &[
    ITEM,
    N.means("number of participants who tried it"),
    N_TRUE,
    N_MISSING,
    ESTIMATE.means("difficulty in logits: the ability of someone who solves it half of the time"),
    STANDARD_ERROR,
    LOWER,
    UPPER,
    CONFIDENCE,
    INFIT,
    OUTFIT,
    CONVERGED,
    SENTENCE,
    REASON,
];

pub(super) const RASCH: Estimator = Estimator {
    name: "rasch",
    summary: "Difficulty of each item by the Rasch model, abilities being normal with mean 0.",
    assumptions: "A participant has one response to an item; more are refused.",
    source: "Rasch (1960); Bock and Aitkin (1981).",
    roles: &[
        Need::one(Role::Participant, Kind::Label),
        Need::one(Role::Item, Kind::Label),
        Need::one(Role::Event, Kind::Flag),
    ],
    columns: DIFFICULTY_COLUMNS,
    estimate: |sample| {
        of_responses(sample, |participants, items, solved| {
            let found = rasch(participants, items, solved, sample.request.confidence);
            difficulties(sample, &found.levels, found.converged, found.reason.as_ref())
        })
    },
};

pub(super) const RASCH_CONDITIONAL: Estimator = Estimator {
    name: "rasch-conditional",
    summary: "Difficulty of each item by conditional maximum likelihood, whatever the abilities; their mean is 0.",
    source: "Andersen (1972).",
    columns: &[
        ITEM,
        N.means("number of participants who tried it"),
        N_TRUE,
        N_MISSING,
        N_PARTICIPANTS.means("number of participants who solved some but not all of their items"),
        ESTIMATE.means("difficulty in logits, from the mean of all items"),
        STANDARD_ERROR,
        LOWER,
        UPPER,
        CONFIDENCE,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_responses(sample, |participants, items, solved| {
            let found = rasch_conditional(participants, items, solved, sample.request.confidence);
            let rows = difficulties(sample, &found.levels, found.converged, found.reason.as_ref());
            rows.into_iter()
                .map(|record| record.unset(INFIT).unset(OUTFIT).set(N_PARTICIPANTS, found.n_participants))
                .collect()
        })
    },
    ..RASCH
};

pub(super) const RASCH_ABILITIES: Estimator = Estimator {
    name: "rasch-abilities",
    summary: "Ability of each participant by the Rasch model.",
    source: "Bock and Mislevy (1982).",
    columns: &[
        PARTICIPANT,
        N.means("number of items that were tried"),
        N_TRUE.means("number of them that were solved"),
        N_MISSING,
        ESTIMATE.means("ability in logits, estimated expected a posteriori (EAP) and thus shrunken towards 0"),
        STANDARD_ERROR.means("posterior standard deviation of the ability"),
        INFIT,
        OUTFIT,
        CONVERGED,
        REASON,
    ],
    estimate: |sample| {
        of_responses(sample, |participants, items, solved| {
            let found = rasch(participants, items, solved, sample.request.confidence);
            let row = |own: &Ability| {
                Record::new()
                    .set(PARTICIPANT, own.participant.as_str())
                    .set(N, own.n)
                    .set(N_TRUE, own.n_solved)
                    .set(ESTIMATE, own.ability)
                    .set(STANDARD_ERROR, own.sd)
                    .set(INFIT, own.infit)
                    .set(OUTFIT, own.outfit)
                    .set(CONVERGED, found.converged)
                    .set(REASON, own.reason.clone().or_else(|| found.reason.clone()))
            };
            or_reason(found.participants.iter().map(row).collect(), found.reason.as_ref())
        })
    },
    ..RASCH
};

pub(super) const RASCH_FIT: Estimator = Estimator {
    name: "rasch-fit",
    summary: "Spread of the abilities and fit of the Rasch model.",
    columns: &[
        N.means("number of responses"),
        N_PARTICIPANTS,
        N_ITEMS,
        N_FINITE,
        N_RESPONSES,
        N_MISSING,
        ESTIMATE.means("standard deviation of the abilities in logits"),
        STANDARD_ERROR,
        LOG_LIKELIHOOD,
        N_PARAMETERS,
        AIC,
        BIC,
        CONVERGED,
        SENTENCE,
        REASON,
    ],
    estimate: |sample| {
        of_responses(sample, |participants, items, solved| {
            let found = rasch(participants, items, solved, sample.request.confidence);
            let n_finite = found.levels.iter().filter(|level| 0 < level.n_solved && level.n_solved < level.n).count();
            vec![
                Record::new()
                    .set(N, solved.len())
                    .set(N_PARTICIPANTS, found.n_participants)
                    .set(N_ITEMS, found.levels.len())
                    .set(N_FINITE, n_finite)
                    .set(N_RESPONSES, found.n_responses)
                    .set(ESTIMATE, found.ability_sd)
                    .set(STANDARD_ERROR, found.ability_sd_error)
                    .set(LOG_LIKELIHOOD, found.log_likelihood)
                    .set(N_PARAMETERS, found.n_parameters)
                    .set(AIC, found.aic)
                    .set(BIC, found.bic)
                    .set(CONVERGED, found.converged)
                    .set(SENTENCE, found.sentence())
                    .set(REASON, found.reason),
            ]
        })
    },
    ..RASCH
};

fn of_responses(sample: &Sample, rows: impl Fn(&[&str], &[&str], &[bool]) -> Vec<Record>) -> Vec<Record> {
    let [participant, item, event] = [Role::Participant, Role::Item, Role::Event].map(|role| sample.one(role));
    let complete = sample.complete([participant, item, event]);
    let indices = &complete.indices;
    let found = rows(&participant.labels(indices), &item.labels(indices), &event.flags(indices));
    found.into_iter().map(|record| record.set(N_MISSING, complete.n_missing)).collect()
}

fn difficulties(
    sample: &Sample,
    levels: &[LevelDifficulty],
    converged: bool,
    reason: Option<&NotEstimable>,
) -> Vec<Record> {
    let confidence = sample.request.confidence;
    let row = |own: &LevelDifficulty| {
        Record::new()
            .set(ITEM, own.level.as_str())
            .set(N, own.n)
            .set(N_TRUE, own.n_solved)
            .set(ESTIMATE, own.difficulty)
            .set(STANDARD_ERROR, own.standard_error)
            .set(LOWER, own.lower)
            .set(UPPER, own.upper)
            .set(CONFIDENCE, confidence.level())
            .set(INFIT, own.infit)
            .set(OUTFIT, own.outfit)
            .set(CONVERGED, converged)
            .set(SENTENCE, own.sentence(confidence))
            .set(REASON, own.reason.clone().or_else(|| reason.cloned()))
    };
    or_reason(levels.iter().map(row).collect(), reason)
}

/// The rows, or one that says why there are none.
fn or_reason(rows: Vec<Record>, reason: Option<&NotEstimable>) -> Vec<Record> {
    if rows.is_empty() { vec![Record::new().set(N, 0_usize).set(REASON, reason.cloned())] } else { rows }
}
