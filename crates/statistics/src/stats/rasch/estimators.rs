//! The results of a Rasch model as rows of tables, and the model of any table.

use crate::estimator::sample::Sample;
use crate::estimator::{Estimator, Kind, Need, Role};
use crate::inference::Confidence;
use crate::not_estimable::NotEstimable;
use crate::record::*;
use crate::stats::rasch::conditional::{ConditionalRasch, rasch_conditional};
use crate::stats::rasch::levels::{Ability, LevelDifficulty};
use crate::stats::rasch::model::{Rasch, rasch};

const ITEM: Column = text("item", "the item or level");
const PARTICIPANT: Column = text("participant", "the participant");
/// Number of responses that are yes.
pub const N_TRUE: Column = count("n_true", "number of them that solved it");
/// Infit.
pub const INFIT: Column = number(
    "infit",
    "information-weighted mean square of the residuals: near 1 if the model holds, larger where responses are less predictable (Wright and Masters, 1982)",
);
/// Outfit.
pub const OUTFIT: Column = number("outfit", "unweighted mean square of the residuals, sensitive to outlying responses");
/// Number of responses to items with a finite difficulty.
pub const N_RESPONSES: Column = count("n_responses", "number of responses to items that some but not all solved");
const N_ITEMS: Column = count("n_items", "number of items");
const N_FINITE: Column = count("n_items_with_difficulty", "number of items that some but not all solved");
const N_PARAMETERS: Column = count("n_parameters", "number of parameters");

impl LevelDifficulty {
    /// The difficulty of the item, without its fit.
    fn difficulty_record(&self, confidence: Confidence) -> Record {
        Record::new()
            .set(ITEM, self.level.as_str())
            .set(N, self.n)
            .set(N_TRUE, self.n_solved)
            .set(ESTIMATE, self.difficulty)
            .set(STANDARD_ERROR, self.standard_error)
            .set(LOWER, self.lower)
            .set(UPPER, self.upper)
            .set(CONFIDENCE, confidence.level())
            .set(SENTENCE, self.sentence(confidence))
            .set(REASON, self.reason.clone())
    }

    /// The difficulty of the item, and how well the model fits its responses.
    pub fn record(&self, confidence: Confidence) -> Record {
        self.difficulty_record(confidence).set(INFIT, self.infit).set(OUTFIT, self.outfit)
    }
}

impl Ability {
    /// The ability of the participant.
    pub fn record(&self) -> Record {
        Record::new()
            .set(PARTICIPANT, self.participant.as_str())
            .set(N, self.n)
            .set(N_TRUE, self.n_solved)
            .set(ESTIMATE, self.ability)
            .set(STANDARD_ERROR, self.sd)
            .set(INFIT, self.infit)
            .set(OUTFIT, self.outfit)
            .set(REASON, self.reason.clone())
    }
}

impl Rasch {
    /// The spread of the abilities, and how well the model fits.
    pub fn record(&self) -> Record {
        let is_finite = |level: &&LevelDifficulty| 0 < level.n_solved && level.n_solved < level.n;
        Record::new()
            .set(N_PARTICIPANTS, self.n_participants)
            .set(N_ITEMS, self.levels.len())
            .set(N_FINITE, self.levels.iter().filter(is_finite).count())
            .set(N_RESPONSES, self.n_responses)
            .set(ESTIMATE, self.ability_sd)
            .set(STANDARD_ERROR, self.ability_sd_error)
            .set(LOG_LIKELIHOOD, self.log_likelihood)
            .set(N_PARAMETERS, self.n_parameters)
            .set(AIC, self.aic)
            .set(BIC, self.bic)
            .set(CONVERGED, self.converged)
            .set(SENTENCE, self.sentence())
            .set(REASON, self.reason.clone())
    }
}

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

/// Difficulties of the model of any table.
pub const RASCH: Estimator = Estimator {
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
        let (found, n_missing) = of_sample(sample);
        let rows = found.levels.iter().map(|level| level.record(found.confidence)).collect();
        whole(rows, found.converged, found.reason.as_ref(), n_missing)
    },
};

/// Conditional difficulties of any table.
pub const RASCH_CONDITIONAL: Estimator = Estimator {
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
        let (participants, items, solved, n_missing) = responses(sample);
        let found: ConditionalRasch = rasch_conditional(&participants, &items, &solved, sample.request.confidence);
        let row = |level: &LevelDifficulty| {
            level.difficulty_record(found.confidence).set(N_PARTICIPANTS, found.n_participants)
        };
        whole(found.levels.iter().map(row).collect(), found.converged, found.reason.as_ref(), n_missing)
    },
    ..RASCH
};

/// Abilities of the model of any table.
pub const RASCH_ABILITIES: Estimator = Estimator {
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
        let (found, n_missing) = of_sample(sample);
        let rows = found.participants.iter().map(Ability::record).collect();
        whole(rows, found.converged, found.reason.as_ref(), n_missing)
    },
    ..RASCH
};

/// Fit of the model of any table.
pub const RASCH_FIT: Estimator = Estimator {
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
        let (participants, items, solved, n_missing) = responses(sample);
        let found = rasch(&participants, &items, &solved, sample.request.confidence);
        vec![found.record().set(N, solved.len()).set(N_MISSING, n_missing)]
    },
    ..RASCH
};

/// Participants, items, responses, and the number of rows without a value that is needed.
fn responses<'a>(sample: &'a Sample) -> (Vec<&'a str>, Vec<&'a str>, Vec<bool>, usize) {
    let [participant, item, event] = [Role::Participant, Role::Item, Role::Event].map(|role| sample.one(role));
    let complete = sample.complete([participant, item, event]);
    let indices = &complete.indices;
    (participant.labels(indices), item.labels(indices), event.flags(indices), complete.n_missing)
}

/// The model of a sample, and the number of rows without a value that it needs.
fn of_sample(sample: &Sample) -> (Rasch, usize) {
    let (participants, items, solved, n_missing) = responses(sample);
    (rasch(&participants, &items, &solved, sample.request.confidence), n_missing)
}

/// The rows with what holds for the whole model, or one that says why there are none.
fn whole(rows: Vec<Record>, converged: bool, reason: Option<&NotEstimable>, n_missing: usize) -> Vec<Record> {
    let whole = Record::new().set(N_MISSING, n_missing).set(REASON, reason.cloned());
    if rows.is_empty() {
        return vec![whole.set(N, 0_usize)];
    }
    rows.into_iter().map(|own| whole.clone().set(CONVERGED, converged).overlaid(own)).collect()
}
