//! Models of choice: which rule explains the moves of each participant best?

use super::choice_decisions::ParticipantDecisions;
use super::choice_selection::ChoiceSelection;
use super::choice_sequences::{ChoiceSequences, ParticipantErrors};
use super::columns::{CRITERION, DIFFERENCE, LOWER, MEAN_DIFFERENCE, MODEL, N_BEST, UPPER};
use super::context::Context;
use super::measures::capital;
use plymap_choice::{
    Comparison, Criterion, CrossValidation, FitOptions, Folds, Model, ModelFit, Prepared, Rule, compare,
};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::record::N_PARTICIPANTS;
use plymap_tables::parallel::map_in_order;
use plymap_tables::{Columns, Table, count, flag, number, text};
use rayon::prelude::*;
use std::convert::Infallible;

/// Number of groups of levels that cross-validation leaves out in turn, where there are more levels.
const N_FOLDS: usize = 10;

/// Number of random groups of decisions that cross-validation leaves out in turn.
const N_RANDOM_FOLDS: usize = 5;

/// Models of choice fitted to each participant.
pub struct Choice {
    participants: Vec<String>,
    fits: Vec<Vec<ModelFit>>,
    held_out: Vec<Vec<CrossValidation>>,
    /// The same with random groups of decisions left out.
    random_held_out: Vec<Vec<CrossValidation>>,
    comparisons: Vec<Comparison>,
    selection: ChoiceSelection,
    sequences: ChoiceSequences,
    /// Moves of each participant from positions that could not be evaluated.
    n_unknown: Vec<u64>,
    /// Models that could not be tried, with the reason.
    left_out: Vec<(Model, String)>,
    reason: Option<String>,
}

/// Fits and cross-validations of a participant.
struct Fitted {
    /// Moves that could not be evaluated.
    n_unknown: u64,
    fits: Vec<ModelFit>,
    held_out: Vec<CrossValidation>,
    random_held_out: Vec<CrossValidation>,
    errors: Option<ParticipantErrors>,
}

/// The models, simple ones first; those of points have no distance to the goal.
fn models(is_distance: bool) -> Vec<Model> {
    let mut models = vec![Model::new(Rule::Chance), Model::new(Rule::LapseOptimal), Model::new(Rule::SoftOptimal)];
    if is_distance {
        models.extend(Rule::ALL.into_iter().filter(|rule| !has_points(*rule)).map(Model::new));
    }
    let with_habits: Vec<Model> = models.iter().map(|model| model.with_habits()).collect();
    models.extend(with_habits);
    models
}

/// Returns true if a rule also says how to play for points.
fn has_points(rule: Rule) -> bool {
    matches!(rule, Rule::Chance | Rule::LapseOptimal | Rule::SoftOptimal)
}

impl Choice {
    /// Fits all models to the moves of each participant and compares them by AIC, BIC and the likelihood of levels
    /// that were left out.
    pub fn new(context: &Context, levels: &[ValuedLevel]) -> Self {
        let data = context.data;
        let participants = data.participants.clone();
        let decisions = context.decisions(levels);
        let known = &decisions.positions;
        let reason = known.reason.clone();
        let options = FitOptions { confidence: context.confidence(), ..FitOptions::default() };
        // A model that nobody has would leave everyone out of the comparison.
        let (models, without): (Vec<Model>, Vec<Model>) =
            models(data.unit.is_distance()).into_iter().partition(|model| known.missing(model.rule).is_none());
        let with_reason = |model: Model| (model, known.missing(model.rule).cloned().unwrap_or_default());
        let left_out = without.into_iter().map(with_reason).collect();
        let seed = context.seed();
        // By participant, whose decisions are gone when all models are fitted, and then by model, so that a few people do not
        // keep one thread busy with many models.
        let fitted: Result<Vec<Fitted>, Infallible> = map_in_order((0..participants.len()).collect(), |participant| {
            let participant_decisions = decisions.of(participant);
            let ParticipantDecisions { decisions: choices, n_unknown, .. } = &participant_decisions;
            let folds = match choices.levels().len() {
                n if n > N_FOLDS => Folds::Groups { n_folds: N_FOLDS, seed },
                _ => Folds::EachLevel,
            };
            let random = Folds::Decisions { n_folds: N_RANDOM_FOLDS, seed };
            let tried = |model: &Model| {
                let prepared = Prepared::new(choices, model);
                let fit = prepared.fit(&options);
                decisions.keep_fit(participant, &fit);
                (fit, [folds, random].map(|folds| prepared.cross_validate(folds)))
            };
            let (fits, held_out): (Vec<_>, Vec<_>) = models.par_iter().map(tried).unzip();
            let (held_out, random_held_out) = held_out.into_iter().map(|[levels, random]| (levels, random)).unzip();
            let errors = ParticipantErrors::new(&participant_decisions, &fits);
            Ok(Fitted { n_unknown: *n_unknown, fits, held_out, random_held_out, errors })
        });
        let Ok(fitted) = fitted;
        let (mut n_unknown, mut fits, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        let (mut held_out, mut random_held_out) = (Vec::new(), Vec::new());
        for participant in fitted {
            n_unknown.push(participant.n_unknown);
            fits.push(participant.fits);
            held_out.push(participant.held_out);
            random_held_out.push(participant.random_held_out);
            errors.push(participant.errors);
        }
        let comparisons = vec![
            compare(&fits, Criterion::Bic, context.seed(), context.confidence()),
            compare(&fits, Criterion::Aic, context.seed(), context.confidence()),
            compare(&held_out, Criterion::HeldOut, context.seed(), context.confidence()),
        ];
        let selection = ChoiceSelection::new(&models, &fits, &held_out);
        let sequences = ChoiceSequences::new(context, &errors, reason.as_deref());
        Self {
            participants,
            fits,
            held_out,
            random_held_out,
            comparisons,
            selection,
            sequences,
            n_unknown,
            left_out,
            reason,
        }
    }

    /// The fits, by participant and then model.
    pub fn fits(&self) -> &[Vec<ModelFit>] {
        &self.fits
    }

    /// The tables `choice_models`, `choice_parameters`, `choice_comparison`, `choice_selection` and `choice_sequences`.
    pub fn tables(&self) -> Vec<Table> {
        let selection = self.selection.table(self.reason.as_deref());
        vec![self.models(), self.parameters(), self.comparison(), selection, self.sequences.table()]
    }

    fn models(&self) -> Table {
        struct FittedModel<'a> {
            participant: &'a str,
            n_unknown: u64,
            fit: &'a ModelFit,
            held_out: &'a CrossValidation,
            random_held_out: &'a CrossValidation,
        }
        let rows: Vec<FittedModel> = self
            .participants
            .iter()
            .zip(&self.n_unknown)
            .zip(self.fits.iter().zip(self.held_out.iter().zip(&self.random_held_out)))
            .flat_map(|((participant, &n_unknown), (fits, (held_out, random_held_out)))| {
                let cross_validated = held_out.iter().zip(random_held_out);
                fits.iter().zip(cross_validated).map(move |(fit, (held_out, random_held_out))| FittedModel {
                    participant,
                    n_unknown,
                    fit,
                    held_out,
                    random_held_out,
                })
            })
            .collect();
        let rows = &rows[..];
        let fit_value = |value: fn(&ModelFit) -> Option<f64>| move |row: &FittedModel| value(row.fit);
        Columns::new()
            .column(rows, text("participant", "who played"), |row| row.participant.to_owned())
            .column(
                rows,
                text(
                    "model",
                    "the rule of choice, and whether habits of undoing and of moving the same piece are part of it",
                ),
                |row| row.fit.model.to_string(),
            )
            .column(rows, count("n", "number of moves"), |row| row.fit.n as u64)
            .column(rows, count("n_unknown", "moves from positions that could not be evaluated, left out"), |row| {
                row.n_unknown
            })
            .column(rows, count("n_levels", "number of levels"), |row| row.fit.n_levels as u64)
            .column(rows, count("n_parameters", "number of fitted parameters"), |row| row.fit.n_parameters as u64)
            .column(
                rows,
                number("log_likelihood", "maximised log-likelihood of the moves"),
                fit_value(|fit| fit.log_likelihood),
            )
            .column(
                rows,
                number("log_likelihood_chance", "that of chance: -sum of ln(n_legal)"),
                fit_value(|fit| fit.log_likelihood_chance),
            )
            .column(
                rows,
                number("mean_log_likelihood", "log-likelihood for each move"),
                fit_value(|fit| fit.mean_log_likelihood),
            )
            .column(rows, number("aic", "Akaike information criterion (AIC)"), fit_value(|fit| fit.aic))
            .column(rows, number("bic", "Bayesian information criterion (BIC)"), fit_value(|fit| fit.bic))
            .column(
                rows,
                number("r_squared", "1 - log_likelihood / log_likelihood_chance (McFadden, 1974)"),
                fit_value(|fit| fit.r_squared),
            )
            .column(
                rows,
                number("held_out_log_likelihood", "log-likelihood of levels that were left out of the fit"),
                |row| row.held_out.log_likelihood,
            )
            .column(
                rows,
                number(
                    "random_held_out_log_likelihood",
                    "log-likelihood of random fifths of the moves that were left out of the fit in turn",
                ),
                |row| row.random_held_out.log_likelihood,
            )
            .column(rows, flag("converged", "whether the optimiser converged"), |row| Some(row.fit.converged))
            .column(rows, text("reason", "why a result is missing or cannot be trusted"), |row| {
                row.fit
                    .reason
                    .as_ref()
                    .or(row.held_out.reason.as_ref())
                    .map(ToString::to_string)
                    .or_else(|| self.reason.clone())
            })
            .into_table(
                "choice_models",
                "Models of choice fitted to the moves of each participant by maximum likelihood.",
            )
    }

    fn parameters(&self) -> Table {
        let rows: Vec<(&str, &ModelFit, usize)> = self
            .participants
            .iter()
            .zip(&self.fits)
            .flat_map(|(participant, fits)| {
                fits.iter()
                    .flat_map(move |fit| (0..fit.parameters.len()).map(move |index| (participant.as_str(), fit, index)))
            })
            .collect();
        let rows = &rows[..];
        type FittedParameter<'a> = (&'a str, &'a ModelFit, usize);
        fn parameter<'a>(row: &'a FittedParameter) -> &'a plymap_choice::Estimate {
            &row.1.parameters[row.2]
        }
        Columns::new()
            .column(rows, text("participant", "who played"), |row| row.0.to_owned())
            .column(rows, text("model", "the model"), |row| row.1.model.to_string())
            .column(rows, text("parameter", "lapse: probability of a random move; inverse-temperature: log odds for each unit of regret, or of value by look-ahead; eureka-distance: distance within which the optimal moves are seen; depth: number of moves that are looked ahead, the move itself included; first-feature, second-feature: log odds for each unit of what is seen of the position after the move; rollout-length: moves of a rollout on average; rollouts: their number; stopping: probability to stop thinking at each step; undo, same-piece: log odds of such moves"), |row| parameter(row).parameter.key().to_owned())
            .column(rows, number("estimate", "maximum likelihood estimate; empty where it is infinite, as the likelihood keeps rising with the value (log-likelihood, AIC and BIC of choice_models are then those of the limit), and where the data do not tell it"), |row| parameter(row).estimate)
            .column(rows, number("standard_error", "from the observed information; empty at an end of the range, and of an infinite estimate"), |row| parameter(row).standard_error)
            .column(rows, number("lower", "lower end of its interval; where the estimate is infinite, the interval has its near end alone, or none if other parameters are infinite with it"), |row| parameter(row).lower)
            .column(rows, number("upper", "upper end of its interval, likewise"), |row| parameter(row).upper)
            .column(rows, flag("at_boundary", "whether the estimate is at an end of its range, or infinite"), |row| Some(parameter(row).at_boundary))
            .column(rows, text("limit", "plus infinity or minus infinity: what an infinite estimate tends to; empty of one that is infinite together with others, of which the data tell no more than how they go together"), |row| parameter(row).limit.map(|limit| limit.name().to_owned()))
            .column(rows, text("reason", "why a value is missing"), |row| parameter(row).reason.as_ref().map(ToString::to_string))
            .into_table("choice_parameters", "The fitted parameters of the models of choice, of each participant.")
    }

    fn comparison(&self) -> Table {
        struct ComparedModel<'a> {
            comparison: &'a Comparison,
            index: Option<usize>,
            left_out: Option<&'a (Model, String)>,
        }
        let rows: Vec<ComparedModel> = self
            .comparisons
            .iter()
            .flat_map(|comparison| {
                let indices = (0..comparison.models.len()).map(Some);
                let none = comparison.models.is_empty().then_some(None);
                let compared =
                    indices.chain(none).map(move |index| ComparedModel { comparison, index, left_out: None });
                let model = |model| ComparedModel { comparison, index: None, left_out: Some(model) };
                compared.chain(self.left_out.iter().map(model))
            })
            .collect();
        let rows = &rows[..];
        fn summary<'a>(row: &'a ComparedModel) -> Option<&'a plymap_choice::compare::ModelSummary> {
            row.index.map(|index| &row.comparison.models[index])
        }
        Columns::new()
            .column(rows, CRITERION.means("BIC, AIC, or -2 times the log-likelihood of levels left out"), |row| {
                row.comparison.criterion.symbol().to_owned()
            })
            .column(rows, MODEL, |row| {
                let model = summary(row).map(|summary| summary.model);
                model.or(row.left_out.map(|(model, _)| *model)).map(|model| model.to_string())
            })
            .column(rows, N_PARTICIPANTS.means("participants compared"), |row| match row.left_out {
                Some(_) => 0,
                None => row.comparison.n_participants as u64,
            })
            .column(
                rows,
                count("n_excluded", "participants left out because a model has no criterion or did not converge"),
                |row| row.comparison.n_excluded as u64,
            )
            .column(rows, number("log_likelihood", "sum over participants"), |row| {
                summary(row).map(|summary| summary.log_likelihood)
            })
            .column(rows, number("score", "sum of the criterion over participants; the smaller the better"), |row| {
                summary(row).map(|summary| summary.score)
            })
            .column(rows, DIFFERENCE, |row| summary(row).map(|summary| summary.difference))
            .column(rows, N_BEST, |row| summary(row).map_or(0, |summary| summary.n_best as u64))
            .column(rows, MEAN_DIFFERENCE, |row| summary(row)?.mean_difference.as_ref()?.estimate)
            .column(rows, LOWER.means("lower end of its interval (participants resampled, BCa)"), |row| {
                summary(row)?.mean_difference.as_ref()?.lower
            })
            .column(rows, UPPER.means("upper end of its interval"), |row| summary(row)?.mean_difference.as_ref()?.upper)
            .column(rows, text("reason", "why there is no comparison, or why this model was left out"), |row| {
                let left_out = row.left_out.map(|(_, reason)| reason.clone());
                left_out
                    .or_else(|| row.comparison.reason.as_ref().map(ToString::to_string))
                    .or_else(|| self.reason.clone())
            })
            .into_table("choice_comparison", "Models of choice compared over participants.")
    }

    /// Returns sentences on the comparison of models.
    pub fn sentences(&self) -> Vec<String> {
        let full_sentence = |comparison: &Comparison| format!("{}.", capital(&comparison.sentence()));
        let best = self.comparisons.iter().filter(|comparison| comparison.best.is_some()).map(full_sentence);
        best.chain(self.selection.sentences()).chain(self.sequences.sentence()).collect()
    }
}
