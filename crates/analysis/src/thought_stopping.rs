//! Dependence of the probability that thought stops on covariates of the move.

use super::choice_decisions::ParticipantDecisions;
use super::columns::{FREQUENCY, SLOPE};
use super::context::Context;
use super::dataset::{AttemptRow, MoveRow};
use super::mean::Mean;
use super::phases::thinking_moves;
use plymap_choice::Folds;
use plymap_choice::decisions::Decisions;
use plymap_choice::selection::{ModelFrequency, Selection, select};
use plymap_choice::stopping::{Stopping, StoppingFit};
use plymap_statistics::stats::meta::{RandomEffects, random_effects};
use plymap_statistics::stats::{Confidence, apa};
use plymap_tables::interner::Interner;
use plymap_tables::{Columns, Table, count, number, text};
use std::collections::{BTreeSet, HashMap};

/// Groups of levels that are left out in turn.
const N_FOLDS: usize = 10;

const N_COVARIATES: usize = 4;

/// A property of moves with which the probability of stopping may change.
const COVARIATES: [(&str, &str); N_COVARIATES] = [
    ("distance", "distance to the goal before the move"),
    ("attempt", "attempts of the participant before this one, in tens"),
    ("after-error", "whether the move before was an error"),
    ("thinking", "whether the player paused before the move, by the hidden Markov model of the analysis phases"),
];

/// The models that are compared with those of one covariate: without any, and with all.
const CONSTANT: &str = "constant";
const ALL: &str = "all";

/// Fits of a participant.
#[derive(Default)]
pub(super) struct ParticipantStopping {
    /// Fit for each of [`COVARIATES`] to the moves of which it is known.
    fits: Vec<Option<StoppingFit>>,
    /// The covariates that are known, and the models with them on the moves of which all are known: that without any, of each
    /// one, and of all their log-likelihood of levels left out.
    compared: Option<(Vec<usize>, Vec<f64>)>,
}

/// Dependence of the probability that thought stops on covariates of the move.
#[derive(Default)]
pub(super) struct ThoughtStopping {
    slopes: Vec<SlopeRow>,
    /// The models, with the sums of their log-likelihoods beyond that without a covariate.
    models: Vec<(&'static str, Mean, f64)>,
    selection: Selection,
    n_excluded: u64,
}

/// The change of stopping with a covariate, over participants.
struct SlopeRow {
    covariate: &'static str,
    meaning: &'static str,
    n_participants: u64,
    /// Participants whose slope has no finite estimate.
    n_endless: u64,
    /// The mean of the others, each weighed by how well it is known.
    slope: Option<RandomEffects>,
    gain: Mean,
    reason: Option<String>,
    n_held_out: u64,
    total_gain: f64,
    n_better: u64,
}

impl ParticipantStopping {
    /// Fits the probability of stopping by each covariate, and compares them.
    pub fn new(context: &Context, participant: usize, played: &ParticipantDecisions, attempts: &[&AttemptRow]) -> Self {
        let thinking: HashMap<u32, bool> = thinking_moves(context, participant, attempts);
        let mut of_attempt: HashMap<u32, f64> = HashMap::new();
        let mut after_error: HashMap<u32, f64> = HashMap::new();
        for (number, attempt) in attempts.iter().enumerate() {
            let mut last: Option<&MoveRow> = None;
            for row in context.data.moves_of(attempt) {
                of_attempt.insert(row.row, 0.1 * number as f64);
                if let Some(last) = last.filter(|_| row.is_next) {
                    after_error.insert(row.row, f64::from(u8::from(last.is_error())));
                }
                last = Some(row);
            }
        }
        let of_move = |row: &MoveRow| -> [Option<f64>; N_COVARIATES] {
            [
                row.value_before.filter(|value| value.is_finite()),
                of_attempt.get(&row.row).copied(),
                after_error.get(&row.row).copied(),
                thinking.get(&row.row).map(|value| f64::from(u8::from(*value))),
            ]
        };
        // Who takes an error back moves the same piece, as the model does only where thinking stops: that would look like a
        // change of thinking.
        let is_kept =
            |decision: &usize| !played.decisions.flags_of(*decision, played.decisions.chosen(*decision)).is_undo;
        let decisions: Vec<usize> = (0..played.moves.len()).filter(is_kept).collect();
        let values: Vec<[Option<f64>; N_COVARIATES]> =
            decisions.iter().map(|&decision| of_move(played.moves[decision])).collect();
        let rows_of = |covariates: &[usize]| -> Vec<usize> {
            let is_known = |row: &usize| covariates.iter().all(|&covariate| values[*row][covariate].is_some());
            (0..decisions.len()).filter(is_known).collect()
        };
        let is_ever_known = |covariate: &usize| values.iter().any(|row| row[*covariate].is_some());
        let known: Vec<usize> = (0..N_COVARIATES).filter(is_ever_known).collect();
        // Where several covariates are known of the same decisions, where thoughts before these end is found once.
        let mut different: Interner<Vec<usize>> = Interner::default();
        let mut place = |covariates: &[usize]| different.number(rows_of(covariates)) as usize;
        let of_each: Vec<usize> = (0..N_COVARIATES).map(|covariate| place(&[covariate])).collect();
        let of_all = place(&known);
        let different = different.into_items();
        let decisions_of = |rows: &Vec<usize>| {
            let numbers: Vec<usize> = rows.iter().map(|&row| decisions[row]).collect();
            played.decisions.of(&numbers).without_undo()
        };
        let decision_sets: Vec<Decisions> = different.iter().map(decisions_of).collect();
        let stopping: Vec<Stopping> = decision_sets.iter().map(Stopping::new).collect();
        let folds = |place: usize| match decision_sets[place].levels().len() {
            0 | 1 => None,
            n => Some(Folds::Groups { n_folds: n.min(N_FOLDS), seed: context.seed() }),
        };
        let values_of = |covariate: usize, place: usize| -> Vec<f64> {
            different[place].iter().filter_map(|&row| values[row][covariate]).collect()
        };
        let fitted = |covariate: usize| {
            let place = of_each[covariate];
            Some(stopping[place].fit(&values_of(covariate, place), folds(place)?))
        };
        let compared = || {
            let values: Vec<Vec<f64>> = known.iter().map(|&covariate| values_of(covariate, of_all)).collect();
            let all: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
            let models = [&[][..]].into_iter().chain(all.chunks(1)).chain((all.len() > 1).then_some(&all[..]));
            let held_out: Option<Vec<f64>> =
                models.map(|model| stopping[of_all].held_out(model, folds(of_all)?).ok()).collect();
            Some((known.clone(), held_out?))
        };
        Self { fits: (0..N_COVARIATES).map(fitted).collect(), compared: compared() }
    }
}

impl SlopeRow {
    fn new(place: usize, people: &[&ParticipantStopping], confidence: Confidence) -> Self {
        let (covariate, meaning) = COVARIATES[place];
        let fits: Vec<&StoppingFit> = people.iter().filter_map(|person| person.fits.get(place)?.as_ref()).collect();
        let n_fitted = fits.iter().filter(|fit| fit.log_likelihood.is_some()).count();
        let known = fits.iter().filter_map(|fit| Some((fit.slope?, fit.slope_error?.powi(2))));
        let (slopes, variances): (Vec<f64>, Vec<f64>) = known.unzip();
        let slope = random_effects(&slopes, &variances, confidence);
        let gains: Vec<f64> = fits.iter().filter_map(|fit| fit.held_out_gain).collect();
        Self {
            covariate,
            meaning,
            n_participants: slopes.len() as u64,
            n_endless: (n_fitted - slopes.len()) as u64,
            reason: slope.as_ref().err().map(ToString::to_string),
            slope: slope.ok(),
            gain: Mean::new(&gains, confidence),
            n_held_out: gains.len() as u64,
            total_gain: gains.iter().sum(),
            n_better: gains.iter().filter(|gain| **gain > 0.0).count() as u64,
        }
    }

    fn sentence(&self) -> Option<String> {
        let number = |value| apa::number(value, 2);
        let RandomEffects { estimate: slope, interval: (lower, upper), .. } = self.slope?;
        Some(format!(
            "The log odds of stopping to think changed by {} [{}, {}] for each unit of {} ({}); with that change, levels left out were told better in {} of {}, by {} in sum of ln L.",
            number(slope),
            number(lower),
            number(upper),
            self.covariate,
            apa::counted(self.n_participants, "participant"),
            self.n_better,
            self.n_held_out,
            number(self.total_gain)
        ))
    }
}

impl ThoughtStopping {
    /// Combines the fits over participants.
    pub fn new(people: &[&ParticipantStopping], confidence: Confidence) -> Self {
        let slopes = (0..N_COVARIATES).map(|place| SlopeRow::new(place, people, confidence)).collect();
        let all = || people.iter().filter_map(|person| person.compared.as_ref());
        let known: BTreeSet<usize> = all().flat_map(|(known, _)| known.iter().copied()).collect();
        let evidence: Vec<Vec<f64>> =
            all().filter(|(set, _)| set.iter().eq(known.iter())).map(|(_, held_out)| held_out.clone()).collect();
        let names = [CONSTANT].into_iter().chain(known.iter().map(|&covariate| COVARIATES[covariate].0));
        let names = names.chain((known.len() > 1).then_some(ALL));
        let model = |(place, name)| {
            let gains: Vec<f64> = evidence.iter().map(|row| row[place] - row[0]).collect();
            (name, Mean::new(&gains, confidence), gains.iter().sum())
        };
        let models = if evidence.is_empty() { Vec::new() } else { names.enumerate().map(model).collect() };
        let n_excluded = (people.len() - evidence.len()) as u64;
        Self { slopes, models, selection: select(&evidence), n_excluded }
    }

    /// The table `thought_stopping`.
    pub fn slopes(&self) -> Table {
        let rows = &self.slopes[..];
        let slope = |value: fn(&RandomEffects) -> f64| move |row: &SlopeRow| row.slope.as_ref().map(value);
        Columns::new()
            .column(rows, text("covariate", "with what the probability of stopping may change"), |row| row.covariate.to_owned())
            .column(rows, text("meaning", "what that is"), |row| row.meaning.to_owned())
            .column(rows, count("n_participants", "participants in whom the slope has an estimate"), |row| row.n_participants)
            .column(rows, count("n_endless", "participants left out because the slope, or the log odds of stopping themselves, have no finite estimate: the likelihood keeps rising as they grow or fall without end"), |row| row.n_endless)
            .column(rows, SLOPE.means("mean over participants, by random effects of their slopes: by how much the log odds of stopping rise for each unit"), slope(|slope| slope.estimate))
            .column(rows, number("lower", "lower end of its interval, by t over participants (Knapp and Hartung, 2003; never narrower than that of one slope of all: Röver, Knapp and Friede, 2015)"), slope(|slope| slope.interval.0))
            .column(rows, number("upper", "upper end of its interval"), slope(|slope| slope.interval.1))
            .column(rows, number("statistic", "t over participants"), slope(|slope| slope.statistic))
            .column(rows, number("p_value", "two-sided p of no slope"), slope(|slope| slope.p_value))
            .column(rows, number("tau", "standard deviation of the slopes of participants beyond their errors, by restricted maximum likelihood (Viechtbauer, 2005)"), slope(|slope| slope.tau))
            .column(rows, count("n_held_out", "participants in whom levels could be left out"), |row| row.n_held_out)
            .column(rows, number("held_out_gain", "sum over participants: log-likelihood of levels left out of the fit, less that of the same probability at all moves"), |row| Some(row.total_gain))
            .column(rows, number("mean_gain", "its mean over participants"), |row| row.gain.mean)
            .column(rows, number("gain_lower", "lower end of the interval of the mean"), |row| row.gain.lower)
            .column(rows, number("gain_upper", "upper end of the interval of the mean"), |row| row.gain.upper)
            .column(rows, count("n_better", "participants whose levels left out are told better with a slope"), |row| row.n_better)
            .column(rows, text("reason", "why the mean is missing"), |row| row.reason.clone())
            .into_table("thought_stopping", "Whether people stop thinking sooner at some moves than at others: the probability of stopping of the model and-or by what is known of a move.")
    }

    /// The table `thought_stopping_selection`.
    pub fn selection(&self) -> Table {
        struct ModelRow<'a> {
            model: Option<&'a (&'static str, Mean, f64)>,
            frequency: Option<&'a ModelFrequency>,
        }
        let known = self.models.iter().enumerate();
        let known =
            known.map(|(place, model)| ModelRow { model: Some(model), frequency: self.selection.models.get(place) });
        let none = self.models.is_empty().then_some(ModelRow { model: None, frequency: None });
        let rows: Vec<ModelRow> = known.chain(none).collect();
        let rows = &rows[..];
        let gain = |value: fn(&Mean) -> Option<f64>| move |row: &ModelRow| value(&row.model?.1);
        let model_value = |value: fn(&ModelFrequency) -> f64| move |row: &ModelRow| row.frequency.map(value);
        Columns::new()
            .column(rows, text("model", "with what the probability of stopping changes: constant, with nothing; all, with all covariates at once"), |row| row.model.map(|model| model.0.to_owned()))
            .column(rows, count("n_participants", "participants with moves of which all covariates are known; models are fitted to these moves"), |_| self.selection.n_participants as u64)
            .column(rows, count("n_excluded", "participants left out because a covariate is not known, does not vary, or a model has no maximum"), |_| self.n_excluded)
            .column(rows, number("held_out_gain", "sum over participants: log-likelihood of levels left out of the fit, less that of the model constant"), |row| Some(row.model?.2))
            .column(rows, number("mean_gain", "its mean over participants"), gain(|mean| mean.mean))
            .column(rows, number("gain_lower", "lower end of the interval of the mean"), gain(|mean| mean.lower))
            .column(rows, number("gain_upper", "upper end of the interval of the mean"), gain(|mean| mean.upper))
            .column(rows, FREQUENCY.means("expected share of participants who follow the model, by the log-likelihood of levels left out (Stephan et al., 2009)"), model_value(|model| model.frequency))
            .column(rows, number("exceedance", "probability that the model is the most frequent, if models differ in frequency"), model_value(|model| model.exceedance))
            .column(rows, number("protected_exceedance", "the same, with the chance that they do not differ taken into account (Rigoux et al., 2014)"), model_value(|model| model.protected_exceedance))
            .column(rows, number("omnibus_risk", "probability that all models are equally frequent, the same in each row"), |_| self.selection.omnibus_risk)
            .column(rows, text("reason", "why there is no selection"), |_| self.selection.reason.as_ref().map(ToString::to_string))
            .into_table("thought_stopping_selection", "Which change of the probability of stopping tells people's moves best: models of one covariate compared with each other, with none and with all, on the same moves.")
    }

    /// Returns the sentences for a paper.
    pub fn sentences(&self) -> Vec<String> {
        let best = self.models.iter().zip(&self.selection.models);
        let best = best.max_by(|left, right| left.1.alpha.total_cmp(&right.1.alpha));
        let of_best = best.map(|((model, _, gain), selected)| {
            let change = match *model {
                CONSTANT => "no change".to_owned(),
                ALL => "change with all of these".to_owned(),
                covariate => format!("change with {covariate}"),
            };
            format!(
                "Compared on the same moves, {change} of the log odds of stopping is the most frequent among participants: expected frequency {}, protected exceedance probability {}, {} in sum of ln L of levels left out beyond no change, n = {}.",
                apa::probability(selected.frequency, 2),
                apa::probability(selected.protected_exceedance, 2),
                apa::number(*gain, 2),
                self.selection.n_participants
            )
        });
        self.slopes.iter().filter_map(SlopeRow::sentence).chain(of_best).collect()
    }
}
