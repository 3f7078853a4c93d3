//! Models of choice: which rule explains the moves of each participant best?

use std::collections::HashMap;

use polars::prelude::PolarsResult;
use rayon::prelude::*;

use super::Context;
use super::dataset::MoveRow;
use crate::distance::{Evaluation, Oracle as _};
use crate::game::Value;
use crate::model::{
    Alternative, Comparison, Criterion, CrossValidation, Decision, Decisions, FitOptions, Folds, Model, ModelFit, Rule,
    compare, cross_validate, fit,
};
use crate::table::{Columns, Table};
use crate::valuation::ValuedLevel;

/// Number of groups of levels that cross-validation leaves out in turn, where there are more levels.
const N_FOLDS: usize = 10;

/// Positions beyond which games that value positions themselves are not asked: each can take milliseconds.
const MOST_POSITIONS: usize = 20_000;

/// Models of choice fitted to each participant.
pub struct Choice {
    participants: Vec<String>,
    fits: Vec<Vec<ModelFit>>,
    held_out: Vec<Vec<CrossValidation>>,
    comparisons: Vec<Comparison>,
    left_out: Vec<LeftOut>,
    reason: Option<String>,
}

/// Moves of a participant that are no decisions.
#[derive(Clone, Copy, Default)]
struct LeftOut {
    /// From positions that could not be evaluated.
    unknown: u64,
}

/// The models, simple ones first.
fn models(is_distance: bool) -> Vec<Model> {
    let mut models = vec![Model::new(Rule::Chance), Model::new(Rule::LapseOptimal), Model::new(Rule::SoftOptimal)];
    if is_distance {
        models.push(Model::new(Rule::Eureka));
    }
    let with_habits: Vec<Model> = models.iter().map(|model| model.with_habits()).collect();
    models.extend(with_habits);
    models
}

impl Choice {
    /// Fits all models to the moves of each participant and compares them by AIC, BIC and the likelihood of levels
    /// that were left out.
    pub fn new(context: &Context, levels: &[ValuedLevel]) -> Self {
        let data = context.data;
        let participants = data.participants.clone();
        let (decisions, left_out, reason) = decisions(context, levels);
        let options = FitOptions { confidence: context.confidence, ..FitOptions::default() };
        let models = models(data.unit.is_distance());
        // By participant and model, so that a few people do not keep one thread busy with many models.
        let pairs: Vec<(&Decisions, &Model)> =
            decisions.iter().flat_map(|own| models.iter().map(move |model| (own, model))).collect();
        let fitted: Vec<(ModelFit, CrossValidation)> = pairs
            .into_par_iter()
            .map(|(own, model)| {
                let folds = match own.levels().len() {
                    n if n > N_FOLDS => Folds::Groups { n_folds: N_FOLDS, seed: context.seed },
                    _ => Folds::EachLevel,
                };
                (fit(own, model, &options), cross_validate(own, model, folds))
            })
            .collect();
        let (fits, held_out): (Vec<ModelFit>, Vec<CrossValidation>) = fitted.into_iter().unzip();
        let rows = |n: usize| n.max(1);
        let fits: Vec<Vec<ModelFit>> = fits.chunks(rows(models.len())).map(<[ModelFit]>::to_vec).collect();
        let held_out: Vec<Vec<CrossValidation>> =
            held_out.chunks(rows(models.len())).map(<[CrossValidation]>::to_vec).collect();
        let comparisons = vec![
            compare(&fits, Criterion::Bic, context.seed, context.confidence),
            compare(&fits, Criterion::Aic, context.seed, context.confidence),
            compare(&held_out, Criterion::HeldOut, context.seed, context.confidence),
        ];
        Self { participants, fits, held_out, comparisons, left_out, reason }
    }

    /// The fits, by participant and then model.
    pub fn fits(&self) -> &[Vec<ModelFit>] {
        &self.fits
    }

    /// The tables `choice_models`, `choice_parameters` and `choice_comparison`.
    ///
    /// # Errors
    ///
    /// Never in practice: polars builds the frame from columns of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        Ok(vec![self.models()?, self.parameters()?, self.comparison()?])
    }

    fn models(&self) -> PolarsResult<Table> {
        struct Row<'a> {
            participant: &'a str,
            left_out: LeftOut,
            fit: &'a ModelFit,
            held_out: &'a CrossValidation,
        }
        let rows: Vec<Row> = self
            .participants
            .iter()
            .zip(&self.left_out)
            .zip(self.fits.iter().zip(&self.held_out))
            .flat_map(|((participant, &left_out), (fits, held_out))| {
                fits.iter().zip(held_out).map(move |(fit, held_out)| Row { participant, left_out, fit, held_out })
            })
            .collect();
        let rows = &rows[..];
        let of = |value: fn(&ModelFit) -> Option<f64>| move |row: &Row| value(row.fit);
        Columns::new()
            .text(rows, "participant", "who played", |row| row.participant.to_owned())
            .text(
                rows,
                "model",
                "the rule of choice, and whether habits of undoing and of moving the same piece are part of it",
                |row| row.fit.model.to_string(),
            )
            .count(rows, "n", "number of moves", |row| row.fit.n as u64)
            .count(rows, "n_unknown", "moves from positions that could not be evaluated, left out", |row| {
                row.left_out.unknown
            })
            .count(rows, "n_levels", "number of levels", |row| row.fit.n_levels as u64)
            .count(rows, "n_parameters", "number of fitted parameters", |row| row.fit.n_parameters as u64)
            .number(rows, "log_likelihood", "", "greatest log-likelihood of the moves", of(|fit| fit.log_likelihood))
            .number(
                rows,
                "log_likelihood_chance",
                "",
                "that of chance: -sum of ln(n_legal)",
                of(|fit| fit.log_likelihood_chance),
            )
            .number(rows, "mean_log_likelihood", "", "log-likelihood for each move", of(|fit| fit.mean_log_likelihood))
            .number(rows, "aic", "", "Akaike's criterion", of(|fit| fit.aic))
            .number(rows, "bic", "", "Schwarz's criterion", of(|fit| fit.bic))
            .number(
                rows,
                "r_squared",
                "",
                "1 - log_likelihood / log_likelihood_chance (McFadden, 1974)",
                of(|fit| fit.r_squared),
            )
            .number(
                rows,
                "held_out_log_likelihood",
                "",
                "log-likelihood of levels that were left out of the fit",
                |row| row.held_out.log_likelihood,
            )
            .flag(rows, "converged", "whether the maximum was reached", |row| Some(row.fit.converged))
            .label(rows, "reason", "why a result is missing or cannot be trusted", |row| {
                row.fit
                    .reason
                    .as_ref()
                    .or(row.held_out.reason.as_ref())
                    .map(ToString::to_string)
                    .or_else(|| self.reason.clone())
            })
            .into_table(
                "choice_models",
                "Models of choice fitted to the moves of each participant by greatest likelihood.",
            )
    }

    fn parameters(&self) -> PolarsResult<Table> {
        let rows: Vec<(&str, &ModelFit, usize)> = self
            .participants
            .iter()
            .zip(&self.fits)
            .flat_map(|(participant, fits)| {
                fits.iter()
                    .flat_map(move |fit| (0..fit.parameters.len()).map(move |place| (participant.as_str(), fit, place)))
            })
            .collect();
        let rows = &rows[..];
        type Row<'a> = (&'a str, &'a ModelFit, usize);
        fn parameter<'a>(row: &'a Row) -> &'a crate::model::Estimate {
            &row.1.parameters[row.2]
        }
        Columns::new()
            .text(rows, "participant", "who played", |row| row.0.to_owned())
            .text(rows, "model", "the model", |row| row.1.model.to_string())
            .text(rows, "parameter", "lapse: probability of a random move; inverse-temperature: log odds for each unit of regret; eureka-distance: distance within which the optimal moves are seen; undo, same-piece: log odds of such moves", |row| parameter(row).parameter.key().to_owned())
            .number(rows, "estimate", "", "value of greatest likelihood", |row| parameter(row).estimate)
            .number(rows, "standard_error", "", "from the observed information; empty at an end of the range", |row| parameter(row).standard_error)
            .number(rows, "lower", "", "lower end of its interval", |row| parameter(row).lower)
            .number(rows, "upper", "", "upper end of its interval", |row| parameter(row).upper)
            .flag(rows, "at_boundary", "whether the estimate is at an end of its range", |row| Some(parameter(row).at_boundary))
            .label(rows, "reason", "why a value is missing", |row| parameter(row).reason.as_ref().map(ToString::to_string))
            .into_table("choice_parameters", "The fitted parameters of the models of choice, of each participant.")
    }

    fn comparison(&self) -> PolarsResult<Table> {
        struct Row<'a> {
            comparison: &'a Comparison,
            place: Option<usize>,
        }
        let rows: Vec<Row> = self
            .comparisons
            .iter()
            .flat_map(|comparison| {
                let places = (0..comparison.models.len()).map(Some);
                let none = comparison.models.is_empty().then_some(None);
                places.chain(none).map(move |place| Row { comparison, place })
            })
            .collect();
        let rows = &rows[..];
        fn summary<'a>(row: &'a Row) -> Option<&'a crate::model::compare::ModelSummary> {
            row.place.map(|place| &row.comparison.models[place])
        }
        Columns::new()
            .text(rows, "criterion", "BIC, AIC, or -2 times the log-likelihood of levels left out", |row| {
                row.comparison.criterion.symbol().to_owned()
            })
            .label(rows, "model", "the model", |row| summary(row).map(|one| one.model.to_string()))
            .count(rows, "n_participants", "participants compared", |row| row.comparison.n_participants as u64)
            .count(
                rows,
                "n_excluded",
                "participants left out because a model has no criterion or did not converge",
                |row| row.comparison.n_excluded as u64,
            )
            .number(rows, "log_likelihood", "", "sum over participants", |row| {
                summary(row).map(|one| one.log_likelihood)
            })
            .number(rows, "score", "", "sum of the criterion over participants; the smaller the better", |row| {
                summary(row).map(|one| one.score)
            })
            .number(rows, "difference", "", "score less that of the best model", |row| {
                summary(row).map(|one| one.difference)
            })
            .count(rows, "n_best", "participants whom the model fits best", |row| {
                summary(row).map_or(0, |one| one.n_best as u64)
            })
            .number(
                rows,
                "mean_difference",
                "",
                "mean over participants of the criterion less that of the best model",
                |row| summary(row)?.mean_difference.as_ref()?.estimate,
            )
            .number(rows, "lower", "", "lower end of its interval (participants resampled, BCa)", |row| {
                summary(row)?.mean_difference.as_ref()?.lower
            })
            .number(rows, "upper", "", "upper end of its interval", |row| summary(row)?.mean_difference.as_ref()?.upper)
            .label(rows, "reason", "why there is no comparison", |row| {
                row.comparison.reason.as_ref().map(ToString::to_string).or_else(|| self.reason.clone())
            })
            .into_table("choice_comparison", "Models of choice compared over participants.")
    }

    /// Which model is best, in words.
    pub fn sentences(&self) -> Vec<String> {
        let told = |comparison: &Comparison| {
            let sentence = comparison.sentence();
            let mut letters = sentence.chars();
            let first: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
            format!("{first}{}.", letters.as_str())
        };
        self.comparisons.iter().filter(|comparison| comparison.best.is_some()).map(told).collect()
    }
}

/// The decisions of each participant.
fn decisions(context: &Context, levels: &[ValuedLevel]) -> (Vec<Decisions>, Vec<LeftOut>, Option<String>) {
    let data = context.data;
    let by_name: HashMap<&str, &ValuedLevel> = levels.iter().map(|level| (level.id.as_str(), level)).collect();
    let is_mapped = levels.iter().all(|level| level.whole.is_some());
    let is_too_much = !is_mapped && data.positions.len() > MOST_POSITIONS;
    let reason = is_too_much.then(|| {
        format!("{} positions would have to be valued by the game; at most {MOST_POSITIONS} are", data.positions.len())
    });
    let evaluations: Vec<Option<Evaluation>> = match is_too_much {
        true => vec![None; data.positions.len()],
        false => data
            .positions
            .par_iter()
            .map(|(level, text)| {
                let level = by_name.get(data.levels[*level].as_str())?;
                let state = level.rules.parse_state(text).ok()?;
                level.oracle().evaluate(state).ok()
            })
            .collect(),
    };
    let mut all: Vec<Decisions> = data.participants.iter().map(|_| Decisions::new()).collect();
    let mut left_out = vec![LeftOut::default(); all.len()];
    for attempt in &data.attempts {
        let rules = by_name.get(data.levels[attempt.level].as_str()).map(|level| &*level.rules);
        let mut previous: Option<(Option<&Evaluation>, Option<u32>)> = None;
        for row in data.moves_of(attempt) {
            let evaluation = evaluations[row.before as usize].as_ref();
            let pushed = evaluation.zip(rules).and_then(|(evaluation, rules)| {
                let after = rules.parse_state(&data.positions[row.after as usize].1).ok()?;
                let chosen = chosen(evaluation, after, row, rules)?;
                let alternatives: Vec<Alternative> = evaluation
                    .moves
                    .iter()
                    .map(|valued| Alternative {
                        regret: valued.regret,
                        is_optimal: valued.is_optimal(),
                        is_undo: previous
                            .and_then(|(before, _)| before)
                            .is_some_and(|before| valued.legal.after == before.state),
                        is_same_piece: previous
                            .and_then(|(_, piece)| piece)
                            .is_some_and(|piece| valued.legal.piece == Some(piece)),
                        look_ahead: &[],
                    })
                    .collect();
                let decision = Decision {
                    alternatives: &alternatives,
                    chosen,
                    distance: evaluation.value.and_then(Value::as_distance).map(|distance| distance.0),
                    level: attempt.level as u32,
                };
                all[attempt.participant].push(&decision).ok()?;
                Some(evaluation.moves[chosen].legal.piece)
            });
            left_out[attempt.participant].unknown += u64::from(pushed.is_none());
            previous = Some((evaluation, pushed.flatten()));
        }
    }
    (all, left_out, reason)
}

/// Which of the legal moves was made: the one that leads to the position after it, before or after chance.
fn chosen(
    evaluation: &Evaluation,
    after: crate::game::StateCode,
    row: &MoveRow,
    rules: &dyn crate::rules::Rules,
) -> Option<usize> {
    if !rules.has_chance() {
        return evaluation.moves.iter().position(|valued| valued.legal.after == after);
    }
    let outcomes = rules.outcomes(evaluation.state);
    let leads_there =
        |outcomes: &Vec<(crate::rules::LegalMove, f64)>| outcomes.iter().any(|(one, _)| one.next == after);
    let mut places = outcomes.iter().enumerate().filter(|(_, outcomes)| leads_there(outcomes)).map(|(place, _)| place);
    // Two directions can lead to one position; then the one that lost as much as the row says.
    let first = places.clone().next();
    places.find(|&place| evaluation.moves[place].regret == row.regret).or(first)
}
