//! Frequencies of the models of choice among participants: random-effects model selection.

use plymap_choice::compare::Score;
use plymap_choice::selection::{ModelFrequency, Selection, select};
use plymap_choice::{Criterion, CrossValidation, Model, ModelFit};
use plymap_statistics::stats::apa;
use plymap_tables::{ColumnDoc, Columns, Table, count, flag, number, text};

/// The selections by BIC and by the likelihood of levels that were left out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChoiceSelection {
    models: Vec<Model>,
    selections: Vec<CriterionResult>,
}

#[derive(Clone, Debug, PartialEq)]
struct CriterionResult {
    criterion: Criterion,
    n_excluded: usize,
    selection: Selection,
}

impl ChoiceSelection {
    /// Selects among models, given the rows of each participant with the models in this order. The log evidence is
    /// -BIC / 2, or the cross-validated log-likelihood.
    pub fn new(models: &[Model], fits: &[Vec<ModelFit>], held_out: &[Vec<CrossValidation>]) -> Self {
        let selections = vec![select_by(Criterion::Bic, fits), select_by(Criterion::HeldOut, held_out)];
        Self { models: models.to_vec(), selections }
    }

    /// The table `choice_selection`; `reason` says why there was nothing to fit, if so.
    pub fn table(&self, reason: Option<&str>) -> Table {
        struct SelectedModel<'a> {
            result: &'a CriterionResult,
            model: Option<(&'a Model, &'a ModelFrequency)>,
        }
        let rows: Vec<SelectedModel> = self
            .selections
            .iter()
            .flat_map(|result| {
                let known = self.models.iter().zip(&result.selection.models).map(Some);
                let none = result.selection.models.is_empty().then_some(None);
                known.chain(none).map(move |model| SelectedModel { result, model })
            })
            .collect();
        let rows = &rows[..];
        let model_value =
            |value: fn(&ModelFrequency) -> f64| move |row: &SelectedModel| row.model.map(|(_, model)| value(model));
        Columns::new()
            .column(rows, ColumnDoc::new("criterion", "what the log evidence of a participant is: -BIC / 2, or the log-likelihood of levels left out").levels(&[Criterion::Bic, Criterion::HeldOut].map(Criterion::symbol)), |row| row.result.criterion.symbol())
            .column(rows, text("model", "the model"), |row| row.model.map(|(model, _)| model.to_string()))
            .column(rows, count("n_participants", "participants over whom models are selected"), |row| {
                row.result.selection.n_participants as u64
            })
            .column(rows, count("n_excluded", "participants left out because a model has no criterion or did not converge"), |row| {
                row.result.n_excluded as u64
            })
            .column(rows, number("frequency", "expected share of participants who follow the model (Stephan et al., 2009)"), model_value(|model| model.frequency))
            .column(rows, number("exceedance", "probability that the model is the most frequent, if models differ in frequency"), model_value(|model| model.exceedance))
            .column(rows, number("protected_exceedance", "the same, with the chance that they do not differ taken into account (Rigoux et al., 2014)"), model_value(|model| model.protected_exceedance))
            .column(rows, number("omnibus_risk", "probability that all models are equally frequent, the same in each row of a criterion"), |row| {
                row.result.selection.omnibus_risk
            })
            .column(rows, flag("converged", "whether the scheme converged; empty where there is no selection"), |row| {
                row.model.map(|_| row.result.selection.converged)
            })
            .column(rows, text("sentence", "APA-formatted result of the selection, the same in each row of a criterion"), |row| self.sentence(row.result))
            .column(rows, text("reason", "why there is no selection"), |row| {
                let selection_reason = row.result.selection.reason.as_ref().map(ToString::to_string);
                selection_reason.map(|why| reason.map_or(why, ToOwned::to_owned))
            })
            .into_table("choice_selection", "How frequent each model of choice is among participants, if they may follow different ones: random-effects model selection.")
    }

    /// `lapse-optimal is the most frequent of 8 models: expected frequency .71, ...`.
    fn sentence(&self, result: &CriterionResult) -> String {
        let known = self.models.iter().zip(&result.selection.models);
        let best = known.max_by(|left, right| left.1.alpha.total_cmp(&right.1.alpha));
        let (Some((model, best)), Some(risk)) = (best, result.selection.omnibus_risk) else {
            return result.selection.sentence();
        };
        let probability = |value| apa::probability(value, 2);
        format!(
            "{model} is the most frequent of {} models: expected frequency {}, protected exceedance probability {}, Bayes omnibus risk {}, n = {}",
            self.models.len(),
            probability(best.frequency),
            probability(best.protected_exceedance),
            probability(risk),
            result.selection.n_participants
        )
    }

    /// The most frequent model by each criterion, in words.
    pub fn sentences(&self) -> Vec<String> {
        let has_result = |result: &&CriterionResult| !result.selection.models.is_empty();
        let sentence = |result: &CriterionResult| {
            format!("By random-effects model selection on {}, {}.", result.criterion.symbol(), self.sentence(result))
        };
        self.selections.iter().filter(has_result).map(sentence).collect()
    }
}

fn select_by<S: Score>(criterion: Criterion, rows: &[Vec<S>]) -> CriterionResult {
    // Scores are -2 times what counts as log evidence.
    let evidence: Vec<Vec<f64>> = rows
        .iter()
        .filter_map(|row| row.iter().map(|fit| fit.score(criterion).map(|score| -0.5 * score)).collect())
        .collect();
    CriterionResult { criterion, n_excluded: rows.len() - evidence.len(), selection: select(&evidence) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Cells, check_cells};
    use plymap_choice::{Alternative, Decision, Decisions, FitOptions, Folds, Rule, cross_validate, fit};

    const MODELS: [Rule; 3] = [Rule::Chance, Rule::LapseOptimal, Rule::SoftOptimal];

    /// A participant who moves optimally in all but every sixth decision.
    fn decisions(shift: usize) -> Decisions {
        let option =
            |regret: f64| Alternative { regret: Some(regret), is_optimal: regret == 0.0, ..Alternative::default() };
        let mut decisions = Decisions::new();
        for i in 0..60_usize {
            let alternatives = [option(0.0), option(1.0), option(2.0), option(f64::from(1 + (i % 3) as u8))];
            let chosen = if (i + shift).is_multiple_of(6) { 1 + i % 3 } else { 0 };
            let level = (i % 4) as u32;
            decisions
                .push(&Decision { alternatives: &alternatives, chosen, distance: Some(4), level, circles: &[] })
                .unwrap();
        }
        decisions
    }

    #[test]
    fn evidence_is_half_of_minus_bic_or_the_likelihood_of_levels_left_out() {
        let models = MODELS.map(Model::new);
        let people: Vec<Decisions> = (0..5).map(decisions).collect();
        let fits: Vec<Vec<ModelFit>> = people
            .iter()
            .map(|decisions| models.iter().map(|model| fit(decisions, model, &FitOptions::default())).collect())
            .collect();
        let mut held_out: Vec<Vec<CrossValidation>> = people
            .iter()
            .map(|decisions| models.iter().map(|model| cross_validate(decisions, model, Folds::EachLevel)).collect())
            .collect();
        held_out[4][1].converged = false;
        let selection = ChoiceSelection::new(&models, &fits, &held_out);
        let table = selection.table(None);
        check_cells(&table);
        assert_eq!(table.cells("n_excluded"), ["0", "0", "0", "1", "1", "1"].map(|n| Some(n.to_owned())));
        let bic: Vec<Vec<f64>> =
            fits.iter().map(|row| row.iter().map(|fit| -0.5 * fit.bic.unwrap()).collect()).collect();
        let left_out: Vec<Vec<f64>> =
            held_out[..4].iter().map(|row| row.iter().map(|model| model.log_likelihood.unwrap()).collect()).collect();
        for (index, evidence) in [bic, left_out].iter().enumerate() {
            let expected = select(evidence);
            for (model, selected) in expected.models.iter().enumerate() {
                let cell = |column: &str| table.cells(column)[3 * index + model].clone().unwrap();
                assert!((cell("frequency").parse::<f64>().unwrap() - selected.frequency).abs() < 1e-9);
                assert!((cell("exceedance").parse::<f64>().unwrap() - selected.exceedance).abs() < 1e-9);
                let protected = cell("protected_exceedance").parse::<f64>().unwrap();
                assert!((protected - selected.protected_exceedance).abs() < 1e-9);
            }
        }
        let said = selection.sentences();
        assert!(said[0].contains("is the most frequent of 3 models: expected frequency ."), "{}", said[0]);
        assert_eq!(said.len(), 2);
    }

    #[test]
    fn a_clear_selection_is_not_said_to_be_certain() {
        let rows = [-100.0, -150.0];
        let selection = select(&vec![rows.to_vec(); 40]);
        assert!(selection.models[0].protected_exceedance > 0.9999);
        let models = [Model::new(Rule::SoftOptimal), Model::new(Rule::Chance)];
        let result = CriterionResult { criterion: Criterion::Bic, n_excluded: 0, selection };
        let said = ChoiceSelection { models: models.to_vec(), selections: vec![result] }.sentences().remove(0);
        assert!(
            said.ends_with(", protected exceedance probability > .999, Bayes omnibus risk < .001, n = 40."),
            "{said}"
        );
    }

    #[test]
    fn without_participants_a_row_says_why() {
        let selection = ChoiceSelection::new(&MODELS.map(Model::new), &[], &[]);
        let table = selection.table(None);
        check_cells(&table);
        assert_eq!(table.cells("reason")[0].as_deref(), Some("model selection needs participants, found none"));
        assert_eq!(selection.table(Some("too much")).cells("reason")[1].as_deref(), Some("too much"));
        assert!(selection.sentences().is_empty());
    }
}
