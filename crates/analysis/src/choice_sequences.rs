//! Errors in a row against the model of choice of each participant: do errors come after errors more often than the
//! skill and the habits of the participant, in the positions that were met, would have it?

use super::choice_decisions::ParticipantDecisions;
use super::context::Context;
use crate::models::SIGNIFICANT;
use plymap_choice::{Criterion, ModelFit, compare::Score, probabilities_of_error};
use plymap_statistics::record::*;
use plymap_statistics::sequence::modelled::{AgainstModel, BootstrapTest, Expected, against_models};
use plymap_statistics::stats::adjust::Adjustment;
use plymap_statistics::stats::apa;
use plymap_tables::Table;

/// Interpretations of a significant difference.
const NOT_BY_MODELS: &str =
    " Either errors make errors more or less likely, or none of the models knows what makes these positions hard.";

/// Bootstrap replicates of each participant.
const N_REPLICATES: usize = 999;

const SCOPE: Column = text("scope", "all participants, or one").levels(&["all", "participant"]);
const GROUP: Column = text("group", "the participant");
const MODEL: Column =
    text("model", "the model of choice of a participant with the smallest BIC, among those that converged");
const N_LEFT_OUT: Column = count(
    "n_left_out",
    "moves that are not among them: those that follow none, and those from, or after one from, a position without an optimal move or that could not be evaluated",
);
const N_AFTER_ERROR: Column = count("n_after_error", "moves that follow an error");
const AFTER_ERROR: Column = number("after_error", "share of errors among the moves that follow an error");
const MODEL_AFTER_ERROR: Column =
    number("model_after_error", "mean probability of an error in the same positions by the model");
const SHUFFLED_AFTER_ERROR: Column =
    number("shuffled_after_error", "share of errors after an error if the moves of each stretch came in random order");
const N_AFTER_OPTIMAL: Column = count("n_after_optimal", "moves that follow an optimal one");
const AFTER_OPTIMAL: Column = number("after_optimal", "share of errors among the moves that follow an optimal one");
const MODEL_AFTER_OPTIMAL: Column = number("model_after_optimal", "mean probability of an error by the model");
const SHUFFLED_AFTER_OPTIMAL: Column =
    number("shuffled_after_optimal", "share of errors after an optimal move in random order");
const BOOTSTRAP_MEAN: Column = number(
    "bootstrap_mean",
    "mean of the estimate over bootstrap replicates, which choose by the model in the same positions; below 0, since among few moves those after an error are less often errors",
);
const BOOTSTRAP_LOWER: Column = number(
    "bootstrap_lower",
    "lower end of the percentile interval of the replicates, at the confidence level of the study",
);
const BOOTSTRAP_UPPER: Column = number("bootstrap_upper", "upper end of the interval");
const COLUMNS: &[Column] = &[
    SCOPE,
    GROUP,
    AFTER_ERROR,
    MODEL_AFTER_ERROR,
    AFTER_OPTIMAL,
    MODEL_AFTER_OPTIMAL,
    ESTIMATE.means("by how much the share of errors is further above that of the model after an error than after an optimal move, within participants"),
    BOOTSTRAP_MEAN,
    BOOTSTRAP_LOWER,
    BOOTSTRAP_UPPER,
    P_VALUE.means("share of replicates with so large or so small a difference, doubled (parametric bootstrap; Efron and Tibshirani, 1993)"),
    P_ADJUSTED,
    SENTENCE,
    N_AFTER_ERROR,
    N_AFTER_OPTIMAL,
    N_LEFT_OUT,
    SHUFFLED_AFTER_ERROR,
    SHUFFLED_AFTER_OPTIMAL,
    MODEL,
    REASON,
];
const P_ADJUSTED: Column = number(
    "p_adjusted",
    "p after Benjamini and Hochberg (1995), over the participants; that of all participants stands alone",
);

/// The moves of a participant that are errors or not, with their probabilities by the best of the models.
pub(super) struct ParticipantErrors {
    model: String,
    moves: Vec<Expected>,
    /// Moves that are not compared.
    n_left_out: u64,
}

impl ParticipantErrors {
    /// Computes the probabilities of error that the best of the fitted models by BIC gives the decisions that it was
    /// fitted to; absent where none converged.
    pub fn new(person: &ParticipantDecisions, fits: &[ModelFit]) -> Option<Self> {
        let known = fits.iter().filter_map(|fit| Some((fit, fit.score(Criterion::Bic)?)));
        let (best, _) = known.min_by(|(_, left), (_, right)| left.total_cmp(right))?;
        let probabilities = probabilities_of_error(&person.decisions, &best.model, &best.values).ok()?;
        let mut moves: Vec<Expected> = Vec::new();
        let mut last = None;
        for (decision, probability) in probabilities.into_iter().enumerate() {
            if person.decisions.has_optimal(decision) {
                // A decision without an optimal move between two others is neither an error nor none, and parts them.
                let follows = person.follows[decision] && last.is_some_and(|last| last + 1 == decision);
                moves.push(Expected { happened: !person.decisions.is_optimal_choice(decision), probability, follows });
                last = Some(decision);
            }
        }
        let n_following = moves.iter().filter(|expected| expected.follows).count() as u64;
        let n_left_out = person.n_unknown + person.decisions.n() as u64 - n_following;
        Some(Self { model: best.model.to_string(), moves, n_left_out })
    }
}

/// Rows of the table `choice_sequences`: all participants first.
pub(super) struct ChoiceSequences {
    records: Vec<Record>,
    all: Option<AgainstModel>,
    is_pilot: bool,
}

impl ChoiceSequences {
    /// Compares participants, in the order of their names, with bootstrap replicates that choose by their models;
    /// `reason` says why there are no models.
    pub fn new(context: &Context, errors: &[Option<ParticipantErrors>], reason: Option<&str>) -> Self {
        let names = context.data.participants.iter();
        let known: Vec<(&String, &ParticipantErrors)> =
            names.zip(errors).filter_map(|(name, errors)| Some((name, errors.as_ref()?))).collect();
        if known.is_empty() {
            let why = reason.unwrap_or("no model of choice could be fitted");
            let records = vec![Record::new().set(SCOPE, "all").set(REASON, why)];
            return Self { records, all: None, is_pilot: context.is_pilot() };
        }
        let moves: Vec<&[Expected]> = known.iter().map(|(_, errors)| &errors.moves[..]).collect();
        let n_replicates = context.resamples(N_REPLICATES);
        let (all, each) = against_models(&moves, n_replicates, context.seed(), context.confidence());
        let n_left_out: u64 = known.iter().map(|(_, errors)| errors.n_left_out).sum();
        let mut records = vec![record(&all).set(SCOPE, "all").set(N_LEFT_OUT, n_left_out).family("all")];
        records.extend(known.iter().zip(&each).map(|((name, errors), comparison)| {
            let row = record(comparison).set(SCOPE, "participant").set(GROUP, name.as_str());
            row.set(MODEL, errors.model.as_str()).set(N_LEFT_OUT, errors.n_left_out).family("participant")
        }));
        Adjustment::BenjaminiHochberg.apply_to(&mut records, P_ADJUSTED);
        Self { records, all: Some(all), is_pilot: context.is_pilot() }
    }

    /// The table `choice_sequences`.
    pub fn table(&self) -> Table {
        let caption = "Whether errors come after errors more often than the model of choice of each participant expects in the same positions (parametric bootstrap), beside the share if moves came in random order.";
        Table::of_records("choice_sequences", caption, COLUMNS, &self.records)
    }

    /// Returns a sentence on all participants together; of a pilot without what a test would show.
    pub fn sentence(&self) -> Option<String> {
        let AgainstModel { after_event, after_none, outcome } = self.all.as_ref()?;
        let percent = |share: Option<f64>| share.map(|share| format!("{:.1} %", 100.0 * share));
        let test = outcome.as_ref().ok()?;
        Some(format!(
            "After an error {} of the moves are errors, and the models of choice of the participants expect {} in these positions; after an optimal move it is {}, and they expect {}: {}.{}",
            percent(after_event.share())?,
            percent(after_event.expected_share())?,
            percent(after_none.share())?,
            percent(after_none.expected_share())?,
            difference_text(test),
            if test.p_value < SIGNIFICANT && !self.is_pilot { NOT_BY_MODELS } else { "" }
        ))
    }
}

/// `difference 1.4 percentage points (bootstrap under the model: −0.2 [−1.5, 1.1]), p = .020`.
fn difference_text(test: &BootstrapTest) -> String {
    let points = |share: f64| apa::number(100.0 * share, 1);
    format!(
        "difference {} percentage points (bootstrap under the model: {} [{}, {}]), {}",
        points(test.difference),
        points(test.expected),
        points(test.lower),
        points(test.upper),
        apa::p_value(test.p_value)
    )
}

fn record(comparison: &AgainstModel) -> Record {
    let AgainstModel { after_event, after_none, outcome } = comparison;
    Record::new()
        .set(N_AFTER_ERROR, after_event.n)
        .set(AFTER_ERROR, after_event.share())
        .set(MODEL_AFTER_ERROR, after_event.expected_share())
        .set(SHUFFLED_AFTER_ERROR, after_event.shuffled_share())
        .set(N_AFTER_OPTIMAL, after_none.n)
        .set(AFTER_OPTIMAL, after_none.share())
        .set(MODEL_AFTER_OPTIMAL, after_none.expected_share())
        .set(SHUFFLED_AFTER_OPTIMAL, after_none.shuffled_share())
        .outcome(outcome, |record, test| {
            record
                .set(ESTIMATE, test.difference)
                .set(BOOTSTRAP_MEAN, test.expected)
                .set(BOOTSTRAP_LOWER, test.lower)
                .set(BOOTSTRAP_UPPER, test.upper)
                .set(P_VALUE, test.p_value)
                .set(SENTENCE, difference_text(test))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pilot_has_no_conclusion_from_a_p() {
        // Twenty errors after each other, then as many optimal moves, where the model expects each as often anywhere.
        let move_at =
            |place: usize| Expected { happened: (10..30).contains(&place), probability: 0.5, follows: place > 0 };
        let moves: Vec<Expected> = (0..40).map(move_at).collect();
        let (all, _) = against_models(&[&moves[..]], 99, 7, Default::default());
        assert!(all.outcome.as_ref().is_ok_and(|test| test.p_value < SIGNIFICANT), "{all:?}");
        let said = |is_pilot: bool| {
            let sequences = ChoiceSequences { records: Vec::new(), all: Some(all.clone()), is_pilot };
            sequences.sentence().is_some_and(|sentence| sentence.ends_with(NOT_BY_MODELS))
        };
        assert_eq!([false, true].map(said), [true, false]);
    }
}
