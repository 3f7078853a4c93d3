//! Thinking and acting: each participant's moves in phases, by several methods.

use super::columns::LOWER_OVER_PARTICIPANTS;
use super::context::Context;
use super::dataset::AttemptRow;
use super::move_columns::{CellKind, MoveColumn, MoveColumns};
use super::time_mixtures::mixture_of_participant;
use plymap_statistics::phase::agreement::{MethodAgreement, agreements};
use plymap_statistics::phase::em::Em;
use plymap_statistics::phase::hidden_markov::{HiddenMarkov, hidden_markov};
use plymap_statistics::phase::mixture::{Mixture, mixture};
use plymap_statistics::phase::null::{ShuffleTest, shuffle_test_by_mixture};
use plymap_statistics::phase::quality::{PlaceQuality, quality_by_place};
use plymap_statistics::phase::segments::{ModeSummary, PhaseSummary, phases_of_all};
use plymap_statistics::phase::selection::{Family, Selection};
use plymap_statistics::phase::{Mode, Move, PhaseMethod, Segmentation, Segmenter};
use plymap_statistics::stats::apa;
use plymap_statistics::stats::describe::quantile;
use plymap_tables::{Columns, Table, count, flag, number, text, whole};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::PoisonError;

/// Shuffles of the times of each stretch for the comparison with chance.
const N_SHUFFLES: usize = 999;

/// The most states that are compared.
const MOST_STATES: usize = 3;

/// The column of the table `moves` that says it.
pub const PHASE: &str = "phase";

/// The first of its labels.
const THINKING: &str = "thinking";

/// The phases of one participant.
struct PhasesOf {
    participant: String,
    /// First moves of attempts; they have a time of their own.
    n_first: u64,
    /// Later moves without a time, or with a time of 0; they split a stretch.
    n_without_time: u64,
    /// Stretches of moves, or parts of them.
    attempts: Vec<Vec<Move>>,
    /// Number of the row of each of these moves in the table `moves`.
    rows: Vec<Vec<u32>>,
    segmentations: Vec<Segmentation>,
    summaries: Vec<PhaseSummary>,
    selections: Vec<Selection>,
    agreements: Vec<MethodAgreement>,
    null: ShuffleTest,
}

impl PhasesOf {
    /// Returns true if some move has a label by a method.
    fn has_labels(&self, method: usize) -> bool {
        self.summaries[method].n_moves > 0
    }
}

/// The phases of all participants.
pub struct Phases {
    people: Vec<PhasesOf>,
    places: Vec<(PhaseMethod, Vec<PlaceQuality>)>,
}

impl Phases {
    /// Finds the phases of each participant by each of [`PhaseMethod::USUAL`]; by the hidden Markov model and the mixture none
    /// of those for whose times one state is enough by BIC. Quality is counted over all participants.
    pub fn new(context: &Context) -> Self {
        let people: Vec<PhasesOf> = context
            .data
            .attempts_by_participant()
            .into_par_iter()
            .enumerate()
            .map(|(participant, attempts)| phases_of(context, participant, &attempts))
            .collect();
        let places = PhaseMethod::USUAL
            .iter()
            .enumerate()
            .filter_map(|(place, &method)| {
                let attempts: Vec<&[Move]> =
                    people.iter().flat_map(|person| person.attempts.iter().map(Vec::as_slice)).collect();
                let owners: Vec<usize> =
                    people.iter().enumerate().flat_map(|(owner, person)| vec![owner; person.attempts.len()]).collect();
                let modes = people.iter().flat_map(|person| person.segmentations[place].modes.clone()).collect();
                let first = &people.first()?.segmentations[place];
                let all = Segmentation { modes, p_thinking: None, ..first.clone() };
                Some((method, quality_by_place(&attempts, Some(&owners), &all, context.confidence()).ok()?))
            })
            .collect();
        Self { people, places }
    }

    /// Returns the phase of each move by the hidden Markov model, as the table `phases` counts it.
    pub fn of_moves(&self) -> MoveColumns {
        let mut phases: Vec<(u32, f64)> = Vec::new();
        for person in &self.people {
            let Some(segmentation) = person.segmentations.first() else { continue };
            let modes = segmentation.modes.iter().flatten();
            let place = |mode: Mode| f64::from(u8::from(mode == Mode::Acting));
            let known = person.rows.iter().flatten().zip(modes).filter_map(|(&row, mode)| Some((row, place((*mode)?))));
            phases.extend(known);
        }
        phases.sort_unstable_by_key(|(row, _)| *row);
        let (rows, values) = phases.into_iter().unzip();
        let phase = MoveColumn {
            name: PHASE.to_owned(),
            meaning: "whether the player paused before the move, by the hidden Markov model with two states of the analysis phases, fitted to each participant; empty for first moves, those without a time, those behind the solution, for participants without phases, for whose times one state is enough by BIC (table phase_states), and where the model could not be fitted".to_owned(),
            kind: CellKind::Label([THINKING, "acting"].map(str::to_owned).to_vec()),
            values,
        };
        MoveColumns { rows, columns: vec![phase] }
    }

    /// The tables `phases`, `phase_states`, `phase_agreement`, `phase_null` and `phase_quality`.
    pub fn tables(&self) -> Vec<Table> {
        vec![self.phases(), self.states(), self.agreement(), self.null(), self.quality()]
    }

    fn phases(&self) -> Table {
        let rows: Vec<(&PhasesOf, &Segmentation, &PhaseSummary)> = self
            .people
            .iter()
            .flat_map(|person| {
                person
                    .segmentations
                    .iter()
                    .zip(&person.summaries)
                    .map(move |(segmentation, summary)| (person, segmentation, summary))
            })
            .collect();
        type SegmentedPlay<'a> = (&'a PhasesOf, &'a Segmentation, &'a PhaseSummary);
        let rows = &rows[..];
        let thinking = |value: fn(&ModeSummary) -> Option<f64>| move |row: &SegmentedPlay| value(&row.2.thinking);
        let acting = |value: fn(&ModeSummary) -> Option<f64>| move |row: &SegmentedPlay| value(&row.2.acting);
        let labelled = |value: fn(&SegmentedPlay) -> usize| {
            move |row: &SegmentedPlay| (row.2.n_moves > 0).then(|| value(row) as i64)
        };
        Columns::new()
            .column(rows, text("participant", "who played"), |row| row.0.participant.clone())
            .column(rows, text("method", "how moves were labelled as thinking or acting"), |row| row.1.method.to_string())
            .column(rows, count("n_moves", "number of labelled moves; none of participants without phases"), |row| row.2.n_moves as u64)
            .column(rows, count("n_first_moves", "first moves of attempts, left out"), |row| row.0.n_first)
            .column(rows, count("n_without_time", "moves without a time, or with a time of 0, left out; they split a stretch of moves"), |row| row.0.n_without_time)
            .column(rows, count("n_attempts", "number of stretches of moves, or parts of them, with labelled moves: of attempts where nothing splits these"), |row| row.2.n_attempts as u64)
            .column(rows, whole("n_phases", "number of phases; empty of participants without any, as reason says"), labelled(|row| row.2.n_phases))
            .column(rows, whole("n_thinking", "number of phases of thinking"), labelled(|row| row.2.thinking.n_phases))
            .column(rows, number("share_thinking", "share of moves made while thinking"), thinking(|mode| mode.share_of_moves))
            .column(rows, number("share_time_thinking", "share of time spent thinking"), thinking(|mode| mode.share_of_time))
            .column(rows, number("thinking_moves", "mean number of moves of a phase of thinking"), thinking(|mode| mode.mean_moves))
            .column(rows, number("thinking_s", "median length of a phase of thinking").unit("s"), thinking(|mode| mode.median_seconds))
            .column(rows, number("thinking_median_s", "median time of a move while thinking").unit("s"), thinking(|mode| mode.median_time_s))
            .column(rows, number("acting_moves", "mean number of moves of a phase of acting"), acting(|mode| mode.mean_moves))
            .column(rows, number("acting_s", "median length of a phase of acting").unit("s"), acting(|mode| mode.median_seconds))
            .column(rows, number("acting_median_s", "median time of a move while acting").unit("s"), acting(|mode| mode.median_time_s))
            .column(rows, number("acting_tempo", "moves for each second of acting").unit("moves/s"), acting(|mode| mode.moves_per_second))
            .column(rows, whole("n_fast_thinking", "thinking moves faster than the median acting move: many are a warning"), labelled(|row| row.1.n_fast_thinking))
            .column(rows, flag("converged", "whether the fit converged; empty where nothing is fitted"), |row| row.1.converged)
            .column(rows, text("reason", "why there are no phases (by the hidden Markov model and the mixture also where BIC takes one state: table phase_states), or that the fit did not converge"), |row| {
                row.1.reason.as_ref().map(ToString::to_string)
            })
            .into_table(
                "phases",
                "Phases of thinking and of acting of each participant, by four methods; the hidden Markov model is the one for the main text.",
            )
    }

    fn states(&self) -> Table {
        struct CandidateModel<'a> {
            participant: &'a str,
            selection: &'a Selection,
            number: usize,
        }
        let rows: Vec<CandidateModel> = self
            .people
            .iter()
            .flat_map(|person| {
                person.selections.iter().flat_map(move |selection| {
                    (0..selection.candidates.len()).map(move |number| CandidateModel {
                        participant: &person.participant,
                        selection,
                        number,
                    })
                })
            })
            .collect();
        let rows = &rows[..];
        fn candidate<'a>(row: &'a CandidateModel) -> &'a plymap_statistics::phase::selection::Candidate {
            &row.selection.candidates[row.number]
        }
        Columns::new()
            .column(rows, text("participant", "who played"), |row| row.participant.to_owned())
            .column(rows, text("family", "mixture of log-normal times, or hidden Markov model"), |row| {
                match row.selection.family {
                    Family::Mixture => "mixture",
                    Family::HiddenMarkov => "hidden Markov model",
                }
                .to_owned()
            })
            .column(rows, count("n_states", "number of components or states"), |row| candidate(row).n_states as u64)
            .column(rows, count("n", "number of times"), |row| row.selection.n as u64)
            .column(rows, count("n_parameters", "number of free parameters"), |row| candidate(row).n_parameters as u64)
            .column(rows, number("log_likelihood", "log-likelihood of the times"), |row| candidate(row).log_likelihood)
            .column(rows, number("bic", "Bayesian information criterion; the smaller the better"), |row| candidate(row).bic)
            .column(rows, number("delta_bic", "difference from the smallest BIC"), |row| candidate(row).delta_bic)
            .column(rows, flag("is_chosen", "whether this number of states has the smallest criterion"), |row| {
                Some(row.selection.chosen == Some(candidate(row).n_states))
            })
            .column(rows, text("reason", "why the model could not be fitted, or that its fit did not converge"), |row| {
                candidate(row).reason.as_ref().map(ToString::to_string)
            })
            .column(rows, flag("has_phases", "whether the participant has phases by this family: not where one state is chosen, or nothing could be; the same in each row of both"), |row| {
                Some(row.selection.chosen.is_some_and(|chosen| chosen > 1))
            })
            .into_table("phase_states", "How many states the times of each participant call for: one, two or three. Where it is one, the participant has no phases.")
    }

    fn agreement(&self) -> Table {
        let rows: Vec<(&str, &MethodAgreement)> = self
            .people
            .iter()
            .flat_map(|person| person.agreements.iter().map(move |agreement| (person.participant.as_str(), agreement)))
            .collect();
        let rows = &rows[..];
        Columns::new()
            .column(rows, text("participant", "who played"), |row| row.0.to_owned())
            .column(rows, text("method", "one method"), |row| row.1.left.to_string())
            .column(rows, text("other_method", "the other method"), |row| row.1.right.to_string())
            .column(rows, count("n", "number of moves that both label"), |row| row.1.agreement.n as u64)
            .column(rows, number("share_equal", "share of moves with the same label"), |row| {
                row.1.agreement.share_equal
            })
            .column(rows, number("kappa", "Cohen's kappa: agreement beyond chance"), |row| row.1.agreement.kappa)
            .column(rows, number("adjusted_rand", "adjusted Rand index (Hubert and Arabie, 1985)"), |row| {
                row.1.agreement.adjusted_rand
            })
            .column(rows, text("reason", "why a value is missing"), |row| {
                row.1.agreement.reason.as_ref().map(ToString::to_string)
            })
            .into_table("phase_agreement", "How far the methods agree on the moves of each participant.")
    }

    fn null(&self) -> Table {
        let rows = &self.people[..];
        let null_value = |value: fn(&ShuffleTest) -> Option<f64>| move |row: &PhasesOf| value(&row.null);
        Columns::new()
            .column(rows, text("participant", "who played"), |row| row.participant.clone())
            .column(rows, text("method", "how moves were labelled"), |row| row.null.method.to_string())
            .column(rows, count("n_moves", "number of labelled moves"), |row| row.null.n_moves as u64)
            .column(rows, count("n_shuffles", "how often the times of each stretch were shuffled"), |row| row.null.n_shuffles as u64)
            .column(rows, number("n_phases", "observed number of phases"), null_value(|test| test.n_phases.observed))
            .column(rows, number("null_mean", "mean over the shuffles"), null_value(|test| test.n_phases.null_mean))
            .column(rows, number("null_sd", "standard deviation over the shuffles"), null_value(|test| test.n_phases.null_sd))
            .column(rows, number("z", "(n_phases - null_mean) / null_sd: negative where phases are longer than chance makes them"), null_value(|test| test.n_phases.z))
            .column(rows, number("p_value", "two-sided permutation p, the observed order counted as one of the shuffles"), null_value(|test| test.n_phases.p_value))
            .column(rows, number("thinking_moves", "mean number of moves of a phase of thinking"), null_value(|test| test.mean_moves_thinking.observed))
            .column(rows, number("thinking_moves_null", "its mean over the shuffles"), null_value(|test| test.mean_moves_thinking.null_mean))
            .column(rows, number("thinking_moves_p", "two-sided permutation p of that number"), null_value(|test| test.mean_moves_thinking.p_value))
            .column(rows, text("reason", "why nothing could be compared"), |row| {
                row.null.reason.as_ref().or(row.null.n_phases.reason.as_ref()).map(ToString::to_string)
            })
            .into_table("phase_null", "Are phases longer than those of the same times in random order? The times of each stretch of moves are shuffled.")
    }

    fn quality(&self) -> Table {
        let rows: Vec<(&PhaseMethod, &PlaceQuality)> =
            self.places.iter().flat_map(|(method, places)| places.iter().map(move |place| (method, place))).collect();
        let rows = &rows[..];
        let n_with = |method: &PhaseMethod| {
            let place = PhaseMethod::USUAL.iter().position(|other| other == method);
            place.map_or(0, |place| self.people.iter().filter(|person| person.has_labels(place)).count() as u64)
        };
        Columns::new()
            .column(rows, text("method", "how moves were labelled"), |row| row.0.to_string())
            .column(
                rows,
                text("place", "where in the phases the moves stand; a move can be in several places"),
                |row| row.1.place.words().to_owned(),
            )
            .column(rows, count("n_participants", "participants with phases by this method"), |row| n_with(row.0))
            .column(
                rows,
                count(
                    "n_without_phases",
                    "participants without, as the table phases says; their moves are not counted",
                ),
                |row| self.people.len() as u64 - n_with(row.0),
            )
            .column(rows, count("n", "number of moves there, over all participants with phases"), |row| row.1.n)
            .column(rows, count("n_optimal", "number of optimal ones"), |row| row.1.optimal.successes)
            .column(rows, number("share_optimal", "n_optimal / n"), |row| row.1.optimal.estimate)
            .column(rows, number("lower", LOWER_OVER_PARTICIPANTS), |row| row.1.optimal.lower)
            .column(rows, number("upper", "upper end of its interval"), |row| row.1.optimal.upper)
            .column(rows, text("sentence", "APA-formatted result"), |row| row.1.sentence())
            .into_table(
                "phase_quality",
                "Quality of moves by their position in the phases: while thinking, after a pause, while acting.",
            )
    }

    /// Returns sentences on the results of the hidden Markov model.
    pub fn sentences(&self) -> Vec<String> {
        let of_markov = |person: &PhasesOf| person.selections.first().and_then(|selection| selection.chosen);
        let chosen: Vec<usize> = self.people.iter().filter_map(of_markov).collect();
        if chosen.is_empty() {
            return vec!["No participant has enough times for phases of thinking and acting.".to_owned()];
        }
        let n_several = chosen.iter().filter(|&&states| states > 1).count();
        let without = match chosen.len() - n_several {
            0 => String::new(),
            1 => "; the other one has no phases".to_owned(),
            n => format!("; the other {} have no phases", apa::count(n)),
        };
        let unknown = match self.people.len() - chosen.len() {
            0 => String::new(),
            1 => " (one more has too few times)".to_owned(),
            n => format!(" ({} more have too few times)", apa::count(n)),
        };
        let mut sentences = vec![format!(
            "By the Bayesian information criterion, the times of {} of {} call for more than one state{without}{unknown}.",
            apa::count(n_several),
            apa::counted(chosen.len(), "participant")
        )];
        let shares: Vec<f64> =
            self.people.iter().filter_map(|person| person.summaries[0].thinking.share_of_moves).collect();
        let lengths: Vec<f64> =
            self.people.iter().filter_map(|person| person.summaries[0].thinking.median_seconds).collect();
        if let (Ok(share), Ok(length)) = (quantile(&shares, 0.5), quantile(&lengths, 0.5)) {
            sentences.push(format!(
                "In a hidden Markov model with two states, the median participant with phases (n = {}) makes {:.0} % of the moves while thinking; a phase of thinking takes {length:.1} s.",
                apa::count(shares.len()),
                100.0 * share
            ));
        }
        sentences
    }
}

/// Returns, by row of the table `moves`, true for each later move with a time that was made while thinking and false
/// for the others, by the hidden Markov model with two states; none of a participant for whose times one state is
/// enough.
pub(super) fn thinking_moves(context: &Context, participant: usize, played: &[&AttemptRow]) -> HashMap<u32, bool> {
    let timed = TimedMoves::new(context, played);
    let models = hidden_markov_models(context, participant, &timed.times());
    if Selection::of_hidden_markov(&models).without_phases().is_some() {
        return HashMap::new();
    }
    let TimedMoves { attempts, rows, .. } = timed;
    let segmenter = Segmenter::new(PhaseMethod::HiddenMarkov { n_states: 2 }, context.seed());
    let segmentation = segmenter.segment_by_hidden_markov(&attempts, &models[1]);
    let modes = rows.iter().flatten().zip(segmentation.modes.iter().flatten());
    modes.filter_map(|(&row, mode)| Some((row, (*mode)? == Mode::Thinking))).collect()
}

/// The later moves of a participant that have a time, in stretches.
struct TimedMoves {
    n_first: u64,
    n_without_time: u64,
    attempts: Vec<Vec<Move>>,
    rows: Vec<Vec<u32>>,
}

impl TimedMoves {
    fn new(context: &Context, played: &[&AttemptRow]) -> Self {
        let data = context.data;
        let (mut n_first, mut n_without_time) = (0, 0);
        let mut attempts: Vec<Vec<(Move, u32)>> = Vec::new();
        for stretch in played.iter().flat_map(|attempt| data.stretches(attempt)) {
            attempts.push(Vec::new());
            for row in stretch {
                if row.ply == 0 {
                    n_first += 1;
                    continue;
                }
                let Some(time_s) = row.rt_s.filter(|&time| time > 0.0) else {
                    n_without_time += 1;
                    // What comes behind is no neighbour of what came before.
                    attempts.push(Vec::new());
                    continue;
                };
                if let Some(current) = attempts.last_mut() {
                    let quality = Some(row.quality.index() as u8);
                    current
                        .push((Move { time_s, is_first: false, quality, is_optimal: Some(row.is_optimal) }, row.row));
                }
            }
        }
        attempts.retain(|attempt| !attempt.is_empty());
        let (attempts, rows): (Vec<Vec<Move>>, Vec<Vec<u32>>) =
            attempts.into_iter().map(|attempt| attempt.into_iter().unzip()).unzip();
        Self { n_first, n_without_time, attempts, rows }
    }

    /// The times, stretch by stretch.
    fn times(&self) -> Vec<Vec<f64>> {
        self.attempts.iter().map(|attempt| attempt.iter().map(|timed| timed.time_s).collect()).collect()
    }
}

/// The hidden Markov models with one state and more of the times of a participant: two analyses want them.
fn hidden_markov_models(context: &Context, participant: usize, times: &[Vec<f64>]) -> Vec<HiddenMarkov> {
    let em = Em::new(context.seed());
    let new = || (1..=MOST_STATES).map(|n_states| hidden_markov(times, n_states, &em)).collect();
    let Some(shared) = context.shared else { return new() };
    let known = || shared.hidden_markov.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(models) = known().get(&participant) {
        return models.clone();
    }
    // Not while others wait. If they find the same, it is found twice.
    let models: Vec<HiddenMarkov> = new();
    known().insert(participant, models.clone());
    models
}

fn phases_of(context: &Context, participant: usize, played: &[&AttemptRow]) -> PhasesOf {
    let data = context.data;
    let timed = TimedMoves::new(context, played);
    let times = timed.times();
    let TimedMoves { n_first, n_without_time, attempts, rows } = timed;
    let em = Em::new(context.seed());
    let all_times = times.concat();
    let markov = hidden_markov_models(context, participant, &times);
    let mixture_of = |n: usize| match n {
        2 => mixture_of_participant(context, participant, &all_times),
        n => mixture(&all_times, n, &em),
    };
    let mixtures: Vec<Mixture> = (1..=MOST_STATES).map(mixture_of).collect();
    let selections = vec![Selection::of_hidden_markov(&markov), Selection::of_mixtures(&mixtures)];
    let [without_markov, without_mixture] = [0, 1].map(|family: usize| selections[family].without_phases());
    let segment = |&method: &PhaseMethod| {
        let segmenter = Segmenter::new(method, context.seed());
        let segmentation = match method {
            PhaseMethod::HiddenMarkov { n_states } => {
                segmenter.segment_by_hidden_markov(&attempts, &markov[n_states - 1])
            }
            PhaseMethod::Mixture { n_components } => {
                segmenter.segment_by_mixture(&attempts, &mixtures[n_components - 1])
            }
            PhaseMethod::Quantile { .. } | PhaseMethod::ChangePoints { .. } => segmenter.segment(&attempts),
        };
        let without = match method {
            PhaseMethod::HiddenMarkov { .. } => without_markov.clone(),
            PhaseMethod::Mixture { .. } => without_mixture.clone(),
            // They compare no numbers of states.
            PhaseMethod::Quantile { .. } | PhaseMethod::ChangePoints { .. } => None,
        };
        let segmentation = match without {
            Some(reason) => segmentation.without_labels(reason),
            None => segmentation,
        };
        // Nobody asks for them, and they take more room than all else that is held of the moves of everybody.
        Segmentation { p_thinking: None, ..segmentation }
    };
    let segmentations: Vec<Segmentation> = PhaseMethod::USUAL.iter().map(segment).collect();
    let split = Segmenter::new(PhaseMethod::Mixture { n_components: 2 }, context.seed());
    let null = match without_mixture {
        Some(reason) => ShuffleTest::without_phases(&times, &split, context.seed(), reason),
        None => shuffle_test_by_mixture(&times, &mixtures[1], context.resamples(N_SHUFFLES), context.seed()),
    };
    PhasesOf {
        participant: data.participants[participant].clone(),
        n_first,
        n_without_time,
        summaries: segmentations.iter().map(|segmentation| phases_of_all(&attempts, segmentation)).collect(),
        selections,
        agreements: agreements(&segmentations),
        null,
        segmentations,
        attempts,
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::tests::of_line;
    use crate::dataset::{AttemptEnd, Dataset};
    use crate::testing::{Cells, add_attempt, check_cells, context, dataset, hard_cases, step, trial};
    use plymap_measures::label::Quality;
    use plymap_measures::testing::Line;
    use plymap_statistics::stats::distribution::normal_upper_quantile;

    #[test]
    fn moves_have_the_phases_that_the_table_counts() {
        let mut data = dataset(vec![trial(0, 0, 9.0, 9.0), trial(1, 0, 9.0, 9.0)]);
        let is_slow = |index: usize| (8..14).contains(&(index % 20));
        for participant in 0..2_usize {
            for attempt in 0..6_usize {
                let time = |index: usize| {
                    let level = if is_slow(index) { 20.0 } else { 1.0 };
                    level * (1.0 + ((20 * attempt + index) * 7 % 31) as f64 / 60.0)
                };
                // The third move of each attempt has no time, which splits it.
                let moves = (0..20).map(|index| step(Quality::Better, (index != 2).then(|| time(index))));
                add_attempt(&mut data, participant, 0, moves.collect());
            }
        }
        // The second participant has times of one attempt only, too few for a model.
        for attempt in &data.attempts[7..] {
            data.moves[attempt.moves.clone()].iter_mut().for_each(|row| row.rt_s = None);
        }
        data.moves[120..].iter_mut().skip(4).for_each(|row| row.rt_s = None);
        data.attempts[0].end = AttemptEnd::Reset;
        let analysis = Phases::new(&context(&data));
        let phases = analysis.of_moves();
        assert_eq!(phases.rows.len(), 6 * 18, "neither first moves nor those without a time");
        let by_row = phases.by_row(PHASE);
        for (&row, &place) in &by_row {
            let index = row as usize % 20;
            assert!(index != 0 && index != 2);
            assert_eq!(place == 0.0, is_slow(index), "row {row}");
        }
        let n_thinking = by_row.values().filter(|place| **place == 0.0).count();
        assert_eq!(n_thinking, analysis.people[0].segmentations[0].n_thinking);
        assert!(analysis.people[1].segmentations[0].reason.is_some());
    }

    /// Log times that are quantiles of a normal distribution in a random order call for one state; with pauses in stretches, for two.
    #[test]
    fn who_plays_at_one_tempo_has_no_phases() {
        const N_MOVES: usize = 120;
        let mut data = dataset(vec![trial(0, 0, 9.0, 9.0), trial(1, 0, 9.0, 9.0)]);
        let mut order: Vec<usize> = (0..N_MOVES).collect();
        let mut random = 1_u64;
        order.sort_by_cached_key(|_| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            random >> 33
        });
        let log_time = |place: usize| normal_upper_quantile((place as f64 + 0.5) / N_MOVES as f64);
        for participant in 0..2 {
            let time = |index: usize| {
                let pause = if participant == 1 && (8..14).contains(&(index % 20)) { 3.0 } else { 0.0 };
                (pause + 0.4 * log_time(order[index])).exp()
            };
            for attempt in 0..6 {
                let move_at = |index: usize| step(Quality::Better, Some(time(20 * attempt + index)));
                add_attempt(&mut data, participant, 0, (0..20).map(move_at).collect());
            }
        }
        let analysis = Phases::new(&context(&data));
        let rows = analysis.of_moves().rows;
        assert!(rows.len() == 6 * 19 && rows.iter().all(|row| *row >= 120), "the second participant alone");
        let people = [0, 1]
            .map(|participant| thinking_moves(&context(&data), participant, &attempts_of(&data, participant)).len());
        assert_eq!(people, [0, 6 * 19]);
        let tables = analysis.tables();
        tables.iter().for_each(check_cells);
        let [phases, states, agreement, null, quality] = &tables[..] else { panic!("five tables") };
        let reason = "a phase of thinking is not defined here: one state is enough for the times between moves, by BIC";
        // Four methods of each participant; the median split and the change points compare no numbers of states.
        let texts = |table: &Table, column: &str| table.cells(column);
        let has_reason = texts(phases, "reason").iter().map(|cell| cell.as_deref() == Some(reason)).collect::<Vec<_>>();
        assert_eq!(has_reason, [true, true, false, false, false, false, false, false]);
        assert_eq!(texts(phases, "n_moves")[0].as_deref(), Some("0"));
        assert_eq!([0, 2].map(|row| texts(phases, "n_phases")[row].is_some()), [false, true]);
        let has_phases = texts(states, "has_phases");
        assert_eq!((has_phases.len(), has_phases.iter().flatten().filter(|cell| *cell == "true").count()), (12, 6));
        assert_eq!(texts(agreement, "reason")[0].as_deref(), Some(reason));
        assert_eq!([0, 1].map(|row| texts(null, "reason")[row].as_deref() == Some(reason)), [true, false]);
        let counts = ["n_participants", "n_without_phases"].map(|name| texts(quality, name));
        let of_row = |row: usize| counts.clone().map(|column| column[row].clone().expect("a count"));
        assert_eq!([of_row(0), of_row(12)], [["1", "1"], ["2", "0"]].map(|row| row.map(str::to_owned)));
        let sentences = analysis.sentences();
        assert!(
            sentences[0].ends_with("of 1 of 2 participants call for more than one state; the other one has no phases.")
        );
        assert!(sentences[1].contains("the median participant with phases (n = 1)"), "{sentences:?}");
    }

    fn attempts_of(data: &Dataset, participant: usize) -> Vec<&AttemptRow> {
        data.attempts.iter().filter(|attempt| attempt.participant == participant).collect()
    }

    #[test]
    fn undos_and_resets_part_phases() {
        let data = of_line(Line::new().attempt("p1", "A", 1, "d d d undo d d reset d d d"));
        let analysis = Phases::new(&context(&data));
        let n_moves: Vec<usize> = analysis.people[0].attempts.iter().map(Vec::len).collect();
        assert_eq!((n_moves, analysis.people[0].n_first), (vec![2, 2, 3], 1));
    }

    #[test]
    fn hard_cases_have_no_more_phases_than_moves() {
        for data in hard_cases() {
            let analysis = Phases::new(&context(&data));
            assert!(analysis.of_moves().rows.len() <= data.moves.len());
        }
    }
}
