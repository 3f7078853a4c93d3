//! The results of a Rasch model as rows of tables, and the model of any table.

use crate::estimator::fit::{Fitted, Model, Part, Rows};
use crate::estimator::sample::Sample;
use crate::estimator::{Estimate, Estimator, Kind, Need, Role};
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

fn is_finite(level: &&LevelDifficulty) -> bool {
    0 < level.n_solved && level.n_solved < level.n
}

/// The Rasch model of any table.
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
    columns: joined!(
        &[
            ITEM,
            N.means("number of participants who tried it"),
            N_TRUE,
            N_MISSING,
            ESTIMATE.means("difficulty in logits: the ability of someone who solves it half of the time")
        ],
        INTERVAL_COLUMNS,
        &[INFIT, OUTFIT],
        CONVERGENCE_COLUMNS
    ),
    estimate: Estimate::Tables(&Model {
        fit: |sample| {
            let (participants, items, solved, n_missing) = responses(sample);
            let model = rasch(&participants, &items, &solved, sample.request.confidence);
            Fitted { whole: Record::new().set(N_MISSING, n_missing), model: Some(RaschFit { model, n: solved.len() }) }
        },
        rows: |RaschFit { model, .. }| {
            let rows = model.levels.iter().map(|level| level.record(model.confidence)).collect();
            converged(rows, model.converged, model.reason.as_ref())
        },
        parts: &[ABILITIES, FIT],
    }),
};

/// Abilities of the participants.
const ABILITIES: Part<Rows<RaschFit>> = Part {
    name: "rasch-abilities",
    summary: "Ability of each participant by the Rasch model.",
    assumptions: "",
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
    rows: |RaschFit { model, .. }| {
        let rows = model.participants.iter().map(Ability::record).collect();
        converged(rows, model.converged, model.reason.as_ref())
    },
};

/// Spread of the abilities, and fit.
const FIT: Part<Rows<RaschFit>> = Part {
    name: "rasch-fit",
    summary: "Spread of the abilities and fit of the Rasch model.",
    assumptions: "",
    source: "Rasch (1960); Bock and Aitkin (1981).",
    columns: joined!(
        &[
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
            BIC
        ],
        CONVERGENCE_COLUMNS
    ),
    rows: |RaschFit { model, n }| vec![model.record().set(N, *n)],
};

/// A model with its number of responses.
struct RaschFit {
    model: Rasch,
    n: usize,
}

/// Conditional difficulties of any table.
pub const RASCH_CONDITIONAL: Estimator = Estimator {
    name: "rasch-conditional",
    summary: "Difficulty of each item by conditional maximum likelihood, whatever the abilities; their mean is 0.",
    source: "Andersen (1972).",
    columns: joined!(
        &[
            ITEM,
            N.means("number of participants who tried it"),
            N_TRUE,
            N_MISSING,
            N_PARTICIPANTS.means("number of participants who solved some but not all of their items"),
            ESTIMATE.means("difficulty in logits, from the mean of all items")
        ],
        INTERVAL_COLUMNS,
        CONVERGENCE_COLUMNS
    ),
    estimate: Estimate::Table(|sample| {
        let (participants, items, solved, n_missing) = responses(sample);
        let model: ConditionalRasch = rasch_conditional(&participants, &items, &solved, sample.request.confidence);
        let row = |level: &LevelDifficulty| {
            level.difficulty_record(model.confidence).set(N_PARTICIPANTS, model.n_participants)
        };
        let rows = converged(model.levels.iter().map(row).collect(), model.converged, model.reason.as_ref());
        rows.into_iter().map(|row| row.set(N_MISSING, n_missing)).collect()
    }),
    ..RASCH
};

/// Participants, items, responses, and the number of rows without a value that is needed.
fn responses<'a>(sample: &'a Sample) -> (Vec<&'a str>, Vec<&'a str>, Vec<bool>, usize) {
    let [participant, item, event] = [Role::Participant, Role::Item, Role::Event].map(|role| sample.one(role));
    let complete = sample.complete([participant, item, event]);
    let indices = &complete.indices;
    (participant.labels(indices), item.labels(indices), event.flags(indices), complete.n_missing)
}

/// Rows with what holds for the whole model, or one that says why there are none.
fn converged(rows: Vec<Record>, converged: bool, reason: Option<&NotEstimable>) -> Vec<Record> {
    let whole = Record::new().set(REASON, reason.cloned());
    if rows.is_empty() { vec![whole.set(N, 0_usize)] } else { whole.set(CONVERGED, converged).shared_by(rows) }
}
