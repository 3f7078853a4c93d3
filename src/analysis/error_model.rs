//! Errors, restarts and give-ups in one model each: logistic regressions on what was before the move.

use std::collections::BTreeSet;

use super::Context;
use super::dataset::AttemptEnd;
use super::sequences::{AtRisk, moves_at_risk};
use crate::table::Table;
use plymap_statistics::record::*;
use plymap_statistics::stats::Confidence;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::covariate::*;
use plymap_statistics::stats::logit::{Logit, logit};

const EVENT: Column = text(
    "event",
    "error: a move that is not optimal; restart: the attempt ends with a reset after the move; give-up: the player abandons it after the move",
)
.levels(&["error", "restart", "give-up"]);
const COVARIATE: Column = text(
    "covariate",
    "distance: value before the move, called value where values are points; legal moves: their number; after an error: 1 if the move that it follows was not optimal, else 0",
)
.levels(&["intercept", "distance", "value", "legal moves", "after an error"]);
const N_LEFT_OUT: Column = count(
    "n_left_out",
    "number of moves without a covariate: first moves of stretches, and those from positions without a value, such as dead ends",
);
const WALD: Column = number("wald", "Wald statistic of all covariates together, the same in each row of an event");
const WALD_DF: Column = number("wald_df", "its degrees of freedom");
const WALD_P: Column = number("wald_p", "its p from chi-squared");
const COLUMNS: &[Column] = &[
    EVENT,
    COVARIATE,
    N.means("number of moves at risk: those that follow another move"),
    N_EVENTS.means("number of them at which it happened"),
    N_LEFT_OUT,
    N_PARTICIPANTS,
    ESTIMATE.means(
        "change of the log odds of the event for one more of the covariate, the other covariates held constant; intercept: log odds where all covariates are 0",
    ),
    STANDARD_ERROR.means(
        "cluster-robust standard error (clusters: participants; Liang and Zeger, 1986); too small for fewer than some forty participants. With one participant, moves are assumed independent",
    ),
    WALD_LOWER,
    UPPER,
    RATIO.shown_as("odds_ratio").means("odds ratio: the exponential of the estimate; of the intercept the odds"),
    RATIO_LOWER.shown_as("odds_ratio_lower").means("lower end of its interval"),
    RATIO_UPPER.shown_as("odds_ratio_upper").means("upper end of its interval"),
    CONFIDENCE,
    Z,
    Z_P,
    WALD,
    WALD_DF,
    WALD_P,
    R_SQUARED.means("McFadden's R² of the model, the same in each row of an event"),
    SENTENCE.means("APA-formatted result"),
    REASON.means("why a result is missing"),
];

/// The models of a study. The time grows with the number of moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ErrorModel {
    records: Vec<Record>,
    sentences: Vec<String>,
}

/// The moves that a model can use.
struct Moves<'a> {
    known: Vec<&'a AtRisk<'a>>,
    columns: [(&'static str, Vec<f64>); 3],
    participants: Vec<usize>,
    n_participants: usize,
    n_left_out: usize,
}

impl ErrorModel {
    /// Fits one model for each of error, restart and give-up, to the moves that follow another.
    pub fn new(context: &Context) -> Self {
        let at_risk = moves_at_risk(context.data);
        let moves = Moves::new(&at_risk, context.data.unit.is_distance());
        let error = moves.model(|risk| risk.row.is_error(), context.confidence());
        let restart = moves.model(|risk| risk.end == Some(AttemptEnd::Reset), context.confidence());
        let give_up = moves.model(|risk| risk.end == Some(AttemptEnd::GaveUp), context.confidence());
        let said: Vec<String> = error
            .effects
            .iter()
            .map(|own| format!("{}, {}", own.name, own.sentence("OR", context.confidence())))
            .collect();
        let said = (!said.is_empty()).then(|| {
            format!("Odds of an error over {} moves, by what was before: {}.", apa::count(error.n), said.join("; "))
        });
        let models = [("error", error), ("restart", restart), ("give-up", give_up)];
        let records = models.iter().flat_map(|(event, model)| moves.records(event, model)).collect();
        Self { records, sentences: said.into_iter().collect() }
    }

    /// The table `error_model`.
    pub fn table(&self) -> Table {
        let caption = "How the odds of an error, a restart or a give-up depend on what was before the move: one logistic regression for each, with all covariates together; the table hazards takes one at a time.";
        Table::of_records("error_model", caption, COLUMNS, &self.records)
    }

    /// The odds ratios of an error, in words.
    pub fn sentences(&self) -> Vec<String> {
        self.sentences.clone()
    }
}

impl<'a> Moves<'a> {
    fn new(at_risk: &'a [AtRisk<'a>], is_distance: bool) -> Self {
        let known: Vec<&AtRisk> = at_risk
            .iter()
            .filter(|risk| risk.is_after_error.is_some() && risk.row.value_before.is_some_and(f64::is_finite))
            .collect();
        let column = |value: fn(&AtRisk) -> f64| known.iter().map(|risk| value(risk)).collect::<Vec<f64>>();
        let columns = [
            (if is_distance { "distance" } else { "value" }, column(|risk| risk.row.value_before.unwrap_or(0.0))),
            ("legal moves", column(|risk| f64::from(risk.row.n_legal))),
            ("after an error", column(|risk| f64::from(u8::from(risk.is_after_error == Some(true))))),
        ];
        let participants: Vec<usize> = known.iter().map(|risk| risk.participant).collect();
        let n_participants = participants.iter().collect::<BTreeSet<_>>().len();
        Self { n_left_out: at_risk.len() - known.len(), known, columns, participants, n_participants }
    }

    /// The covariates that vary: one that never does has no effect, and must not take that of the others with it.
    fn covariates(&self) -> Vec<Covariate<'_>> {
        let varies = |(_, values): &&(&str, Vec<f64>)| values.iter().any(|value| *value != values[0]);
        self.columns.iter().filter(varies).map(|(name, values)| Covariate { name, values }).collect()
    }

    fn model(&self, happens: fn(&AtRisk) -> bool, confidence: Confidence) -> Logit {
        let events: Vec<bool> = self.known.iter().map(|risk| happens(risk)).collect();
        let clusters = (self.n_participants > 1).then_some(&self.participants[..]);
        logit(&events, &self.covariates(), clusters, confidence)
    }

    /// The intercept, then each covariate, also those without an effect.
    fn records(&self, event: &str, model: &Logit) -> Vec<Record> {
        let shared = model
            .record()
            .set(EVENT, event)
            .set(N_LEFT_OUT, self.n_left_out)
            .set(N_PARTICIPANTS, self.n_participants)
            .set(CONFIDENCE, model.confidence.level())
            .set(WALD, model.wald.map(|test| test.statistic))
            .set(WALD_DF, model.wald.map(|test| test.df))
            .set(WALD_P, model.wald.map(|test| test.p_value))
            .set(R_SQUARED, model.mcfadden_r_squared);
        let row = |covariate: &str, effect: Option<&Effect>, is_constant: bool| {
            let constant = (is_constant && model.n > 0).then(|| format!("all values of {covariate} are equal"));
            let reason = constant.or_else(|| model.reason.as_ref().map(ToString::to_string));
            let own = match (effect, &reason) {
                (Some(effect), _) => effect.record("OR", model.confidence),
                (None, Some(why)) => {
                    Record::new().set(SENTENCE, format!("OR not estimable, n = {} ({why})", apa::count(model.n)))
                }
                (None, None) => Record::new().set(SENTENCE, format!("OR not estimable, n = {}", apa::count(model.n))),
            };
            shared.clone().overlaid(own).set(COVARIATE, covariate).set(REASON, reason)
        };
        let covariates = self.covariates();
        let of_column = |(name, _): &(&'static str, Vec<f64>)| {
            let is_constant = !covariates.iter().any(|covariate| covariate.name == *name);
            row(name, model.effects.iter().find(|effect| effect.name == *name), is_constant)
        };
        let intercept = row("intercept", model.intercept.as_ref(), false);
        [intercept].into_iter().chain(self.columns.iter().map(of_column)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dataset::{Dataset, MoveRow};
    use crate::analysis::fixture::{Cells, add_attempt, check_cells, context, dataset, hard_cases, step, trial};
    use crate::label::Quality;

    /// Six participants with one attempt each, in which errors come where the distance is large; the last gives up.
    fn small() -> Dataset {
        let mut data = dataset((0..6).map(|p| trial(p, 0, 20.0, 40.0)).collect());
        for p in 0..6_usize {
            let moves = (0..20_usize).map(|i| {
                let distance = ((i * 7 + p * 3) % 11) as f64;
                let is_error = (i * 13 + p * 5) % 10 < distance as usize;
                let quality = if is_error { Quality::Worse } else { Quality::Better };
                let n_legal = 3 + ((i * i + p) % 4) as u32;
                MoveRow { value_before: Some(distance), n_legal, ..step(quality, None) }
            });
            add_attempt(&mut data, p, 0, moves.collect());
        }
        data.attempts[5].end = AttemptEnd::GaveUp;
        data.attempts[4].end = AttemptEnd::Reset;
        data
    }

    #[test]
    fn the_model_is_that_of_the_moves_with_one_before() {
        let mut data = small();
        data.moves[7].value_before = None;
        let found = ErrorModel::new(&context(&data));
        let table = found.table();
        check_cells(&table);
        let mut columns = [Vec::new(), Vec::new(), Vec::new()];
        let (mut events, mut who) = (Vec::new(), Vec::new());
        for attempt in &data.attempts {
            for pair in data.moves_of(attempt).windows(2) {
                let Some(distance) = pair[1].value_before else { continue };
                let after = f64::from(u8::from(!pair[0].is_optimal));
                let values = [distance, f64::from(pair[1].n_legal), after];
                columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
                events.push(!pair[1].is_optimal);
                who.push(attempt.participant);
            }
        }
        let names = ["distance", "legal moves", "after an error"];
        let covariates: Vec<Covariate> =
            names.iter().zip(&columns).map(|(name, values)| Covariate { name, values }).collect();
        let expected = logit(&events, &covariates, Some(&who), Confidence::default());
        assert!(expected.converged, "{:?}", expected.reason);
        let number = |column: &str, row: usize| table.texts(column)[row].as_ref().unwrap().parse::<f64>().unwrap();
        assert_eq!((number("n", 0), number("n_left_out", 0), number("n_participants", 0)), (113.0, 7.0, 6.0));
        assert!((number("estimate", 0) - expected.intercept.as_ref().unwrap().estimate).abs() < 1e-12);
        for (index, name) in names.iter().enumerate() {
            let effect = &expected.effects[index];
            assert!((number("estimate", index + 1) - effect.estimate).abs() < 1e-12);
            assert!((number("standard_error", index + 1) - effect.standard_error).abs() < 1e-12);
            assert_eq!(table.texts("covariate")[index + 1].as_deref(), Some(*name));
        }
        assert!(number("odds_ratio", 1) > 1.2, "errors come with distance");
        assert_eq!(table.texts("n_events")[4..], ["1"; 8].map(|n| Some(n.to_owned())));
        let said = found.sentences();
        assert!(said[0].starts_with("Odds of an error over 113 moves, by what was before: distance, OR = "));
    }

    #[test]
    fn a_covariate_that_never_varies_leaves_the_others_their_effects() {
        let mut data = small();
        data.moves.iter_mut().for_each(|made| made.n_legal = 4);
        let table = ErrorModel::new(&context(&data)).table();
        assert_eq!(table.texts("reason")[2].as_deref(), Some("all values of legal moves are equal"));
        assert!(table.texts("estimate")[1].is_some() && table.texts("estimate")[2].is_none());
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let found = ErrorModel::new(&context(&data));
            let table = found.table();
            check_cells(&table);
            assert_eq!(table.texts("event").len(), 12);
            for (estimate, reason) in table.texts("estimate").iter().zip(table.texts("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
            found.sentences();
        }
    }
}
