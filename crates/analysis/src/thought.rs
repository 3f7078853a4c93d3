//! Backward reasoning of participants: shares of moves in the AND-OR tree of their position, their depth, and
//! differences in depth of thought between moves.

use super::choice_decisions::{ChoiceDecisions, ParticipantDecisions};
use super::columns::{COVARIATE, DISTANCE, LOWER, MEAN, MEAN_OF_COVARIATE, SHARE_IN_TREE, SOURCE, TIME, UPPER};
use super::context::Context;
use super::dataset::{AttemptRow, MoveRow};
use super::mean::Mean;
use super::move_columns::{CellKind, MoveColumn, MoveColumns};
use super::thought_stopping::{ParticipantStopping, ThoughtStopping};
use plymap_choice::{FitOptions, ModelFit, Parameter, Rule, probabilities};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::record::{MEASURE, N_PARTICIPANTS};
use plymap_statistics::stats::describe::{describe, quantile};
use plymap_statistics::stats::mixed::{Criterion, Design, Grouping, MixedModel, RandomTerm, mixed_model_alone};
use plymap_statistics::stats::{Confidence, apa};
use plymap_tables::parallel::map_in_order;
use plymap_tables::{Columns, Table, count, number, text};
use rayon::prelude::*;
use std::convert::Infallible;

/// Groups of moves by distance, each participant's own tenths.
const N_BINS: usize = 10;

/// Moves from which a participant's median time is taken.
const LEAST_TIMES: usize = 5;

/// Measures of a move and its position in the AND-OR tree.
struct MoveFacts<'a> {
    move_row: &'a MoveRow,
    /// Least depth at which the move is in the tree.
    depth: Option<u32>,
    n_nodes: u32,
    n_leaves: u32,
    greatest_depth: u32,
    /// Mean least depth of the legal moves that are in the tree.
    mean_depth: Option<f64>,
    /// Probability of the move under the person's fitted model of trees.
    probability: Option<f64>,
}

/// Shares of a tenth of the moves of a participant, by distance.
#[derive(Clone, Copy, Default)]
struct Bin {
    n: f64,
    distance: f64,
    /// Sums of [`MEASURES`].
    sums: [f64; N_MEASURES],
}

/// Measures compared between people and models.
const MEASURES: [&str; N_MEASURES] = ["in-tree", "depth", "optimal", "undo", "same-piece"];
const N_MEASURES: usize = 5;

/// The place of depth among them, whose mean is over moves in the tree.
const DEPTH: usize = 1;

/// Results of a participant.
#[derive(Default)]
struct ParticipantThought<'a> {
    name: String,
    facts: Vec<MoveFacts<'a>>,
    /// Moves from positions without a tree.
    n_without: u64,
    fit: Option<ModelFit>,
    /// Bins of the participant and of each model, by tenth of distance.
    bins: Vec<(String, Vec<Bin>)>,
    stopping: ParticipantStopping,
}

/// Analysis of backward reasoning.
pub struct Thought<'a> {
    people: Vec<ParticipantThought<'a>>,
    models: Vec<ThoughtModel>,
    stopping: ThoughtStopping,
    confidence: Confidence,
    reason: Option<String>,
}

struct ThoughtModel {
    measure: &'static str,
    source: &'static str,
    covariate: &'static str,
    model: MixedModel,
}

impl MoveFacts<'_> {
    fn in_tree(&self) -> f64 {
        f64::from(u8::from(self.depth.is_some()))
    }

    /// The share of the legal moves that are in the tree.
    fn in_tree_by_chance(&self) -> f64 {
        f64::from(self.n_leaves) / f64::from(self.move_row.n_legal)
    }
}

impl<'a> Thought<'a> {
    /// Builds the tree of each position that was met, and fits models of choice to each participant.
    pub fn new(context: &Context<'a>, levels: &'a [ValuedLevel]) -> Self {
        let data = context.data;
        let confidence = context.confidence();
        let decisions = context.decisions(levels);
        let reason = decisions.positions.reason.clone().or_else(|| decisions.positions.missing(Rule::AndOr).cloned());
        let mut result =
            Self { people: Vec::new(), models: Vec::new(), stopping: ThoughtStopping::default(), confidence, reason };
        if result.reason.is_some() {
            let unknown = |name: &String| ParticipantThought { name: name.clone(), ..ParticipantThought::default() };
            result.people = data.participants.iter().map(unknown).collect();
            return result;
        }
        let attempts = data.attempts_by_participant();
        let fit_participant = |participant: usize| -> Result<ParticipantThought<'a>, Infallible> {
            Ok(ParticipantThought::new(
                context,
                &decisions,
                &data.participants[participant],
                participant,
                &attempts[participant],
            ))
        };
        let Ok(people) = map_in_order((0..data.participants.len()).collect(), fit_participant);
        result.people = people;
        result.models = result.mixed_models(context);
        let stopping: Vec<&ParticipantStopping> = result.people.iter().map(|person| &person.stopping).collect();
        result.stopping = ThoughtStopping::new(&stopping, confidence);
        result
    }

    /// The mixed models of Olieslagers et al., linear in the covariate, with random intercepts of participants.
    fn mixed_models(&self, context: &Context) -> Vec<ThoughtModel> {
        type Value = fn(&MoveFacts) -> Option<f64>;
        let distance: Value = |facts| facts.move_row.value_before.filter(|value| value.is_finite());
        let in_tree: Value = |facts| Some(facts.in_tree());
        let by_chance: Value = |facts| Some(facts.in_tree_by_chance());
        let depth: Value = |facts| facts.depth.map(f64::from);
        let mean_depth: Value = |facts| facts.mean_depth;
        let log_time: Value = |facts| facts.move_row.rt_s.filter(|time| *time > 0.0).map(f64::log10);
        let later_log_time: Value =
            |facts| facts.move_row.rt_s.filter(|time| *time > 0.0 && facts.move_row.ply > 0).map(f64::log10);
        let first: Value = |facts| Some(f64::from(u8::from(facts.move_row.ply == 0)));
        let size: Value = |facts| Some(f64::from(facts.n_nodes).log10());
        let models: [(&str, &str, &str, Value, Value); 8] = [
            ("in-tree", "people", "distance", in_tree, distance),
            ("in-tree", "chance", "distance", by_chance, distance),
            ("depth", "people", "distance", depth, distance),
            ("depth", "chance", "distance", mean_depth, distance),
            ("log10-time", "people", "first-move", log_time, first),
            ("log10-time", "people", "distance", later_log_time, distance),
            ("log10-time", "people", "depth", later_log_time, depth),
            ("log10-time", "people", "log10-nodes", later_log_time, size),
        ];
        let fitted = |(measure, source, covariate, y, x): (&'static str, &'static str, &'static str, Value, Value)| {
            let (mut ys, mut xs, mut names) = (Vec::new(), Vec::new(), Vec::new());
            for person in &self.people {
                for facts in &person.facts {
                    if let (Some(y), Some(x)) = (y(facts), x(facts)) {
                        ys.push(y);
                        xs.push(x);
                        names.push(person.name.as_str());
                    }
                }
            }
            let terms = [RandomTerm::intercepts(Grouping::new("participant", &names))];
            let design = Design::with_intercept(ys.len()).numeric(covariate, &xs);
            // With as many moves as studies can have, what is not needed any more is much.
            drop((names, xs));
            let model = match design {
                Ok(design) => mixed_model_alone(&ys, &design, &terms, Criterion::Reml, context.confidence()),
                Err(reason) => {
                    let mut model = MixedModel::default();
                    model.reason = Some(reason);
                    model
                }
            };
            ThoughtModel { measure, source, covariate, model }
        };
        models.into_par_iter().map(fitted).collect()
    }

    /// The tables `thought`, `thought_models`, `thought_by_distance`, `thought_times`, `thought_stopping` and
    /// `thought_stopping_selection`.
    pub fn tables(&self) -> Vec<Table> {
        vec![
            self.by_participant(),
            self.models(),
            self.by_distance(),
            self.times(),
            self.stopping.slopes(),
            self.stopping.selection(),
        ]
    }

    /// Returns the columns of single moves; absent where the analysis has no result.
    pub fn of_moves(&self) -> Option<MoveColumns> {
        if self.reason.is_some() {
            return None;
        }
        let mut facts: Vec<&MoveFacts> = self.people.iter().flat_map(|person| &person.facts).collect();
        facts.sort_unstable_by_key(|facts| facts.move_row.row);
        let column = |name: &str, meaning: &str, kind: CellKind, value: fn(&MoveFacts) -> Option<f64>| MoveColumn {
            name: name.to_owned(),
            meaning: meaning.to_owned(),
            kind,
            values: facts.iter().map(|facts| value(facts).unwrap_or(f64::NAN)).collect(),
        };
        let columns = vec![
            column(
                "in_tree",
                "whether the move is in the AND-OR tree of its position: a chain of thought backwards from the goal comes to it",
                CellKind::Flag,
                |facts| Some(facts.in_tree()),
            ),
            column(
                "tree_depth",
                "least number of steps of such a chain; empty for moves that are not in the tree",
                CellKind::Whole,
                |facts| facts.depth.map(f64::from),
            ),
            column("tree_nodes", "nodes of the tree: wished moves and subgoals", CellKind::Whole, |facts| {
                Some(f64::from(facts.n_nodes))
            }),
            column("tree_leaves", "legal moves that are in the tree", CellKind::Whole, |facts| {
                Some(f64::from(facts.n_leaves))
            }),
            column(
                "p_thought",
                "probability of the move under the model and-or, fitted to the participant",
                CellKind::Number(String::new()),
                |facts| facts.probability,
            ),
            column("surprise_bit", "minus the binary logarithm of that", CellKind::Number("bit".to_owned()), |facts| {
                facts.probability.map(|p| -p.log2())
            }),
        ];
        Some(MoveColumns { rows: facts.iter().map(|facts| facts.move_row.row).collect(), columns })
    }

    fn by_participant(&self) -> Table {
        let rows = &self.people[..];
        let of_facts = |value: fn(&MoveFacts) -> Option<f64>| {
            move |row: &ParticipantThought| describe(&row.facts.iter().filter_map(value).collect::<Vec<_>>()).mean
        };
        let stopping = |value: fn(&plymap_choice::Estimate) -> Option<f64>| {
            move |row: &ParticipantThought| {
                let fit = row.fit.as_ref()?;
                value(fit.parameters.iter().find(|estimate| estimate.parameter == Parameter::Stopping)?)
            }
        };
        Columns::new()
            .column(rows, text("participant", "who played"), |row| row.name.clone())
            .column(rows, count("n", "moves from positions that have a tree"), |row| row.facts.len() as u64)
            .column(rows, count("n_without_tree", "moves from positions that have none, or could not be evaluated, left out"), |row| row.n_without)
            .column(rows, SHARE_IN_TREE, of_facts(|facts| Some(facts.in_tree())))
            .column(rows, number("share_in_tree_chance", "the same if any legal move were made: mean share of legal moves that are in the tree"), of_facts(|facts| Some(facts.in_tree_by_chance())))
            .column(rows, number("mean_depth", "mean least depth of moves that are in the tree"), of_facts(|facts| facts.depth.map(f64::from)))
            .column(rows, number("mean_depth_chance", "the same if any of the legal moves in the tree were made"), of_facts(|facts| facts.mean_depth))
            .column(rows, number("mean_greatest_depth", "mean of the greatest depth of a legal move in the tree"), of_facts(|facts| Some(f64::from(facts.greatest_depth))))
            .column(rows, number("median_nodes", "median number of nodes of the trees"), |row| {
                quantile(&row.facts.iter().map(|facts| f64::from(facts.n_nodes)).collect::<Vec<_>>(), 0.5).ok()
            })
            .column(rows, number("stopping", "probability to stop thinking at each step, of the model and-or"), stopping(|parameter| parameter.estimate))
            .column(rows, number("stopping_lower", "lower end of its interval"), stopping(|parameter| parameter.lower))
            .column(rows, number("stopping_upper", "upper end of its interval"), stopping(|parameter| parameter.upper))
            .column(rows, number("mean_surprise", "mean surprise of the moves under that model").unit("bit"), of_facts(|facts| facts.probability.map(|p| -p.log2())))
            .column(rows, text("reason", "why a result is missing"), |row| {
                let reason = row.fit.as_ref().and_then(|fit| fit.reason.as_ref()).map(ToString::to_string);
                reason.or_else(|| self.reason.clone())
            })
            .into_table("thought", "Moves of each participant in the AND-OR trees of their positions, and how soon the participant stops thinking.")
    }

    fn models(&self) -> Table {
        let rows = &self.models[..];
        let effect = |value: fn(&plymap_statistics::stats::mixed::Effect) -> Option<f64>| {
            move |row: &ThoughtModel| value(row.model.fixed.get(1)?)
        };
        Columns::new()
            .column(rows, text("measure", "in-tree: whether the move is in the tree; depth: its least depth there; log10-time: its time"), |row| row.measure.to_owned())
            .column(rows, text("source", "people, or what is expected if any legal move were made (of depth, any in the tree)"), |row| row.source.to_owned())
            .column(rows, text("covariate", "distance to the goal, whether it is the first move of its attempt, depth of the move, or number of nodes of the tree; times by all but the second are of later moves"), |row| row.covariate.to_owned())
            .column(rows, count("n", "number of moves"), |row| row.model.n as u64)
            .column(rows, number("intercept", "of the mean participant where the covariate is 0"), |row| row.model.fixed.first()?.estimate)
            .column(rows, number("slope", "change for each unit of the covariate"), effect(|slope| slope.estimate))
            .column(rows, number("standard_error", "of the slope"), effect(|slope| slope.standard_error))
            .column(rows, number("lower", "lower end of its interval"), effect(|slope| slope.lower))
            .column(rows, number("upper", "upper end of its interval"), effect(|slope| slope.upper))
            .column(rows, number("statistic", "t"), effect(|slope| slope.statistic))
            .column(rows, number("df", "degrees of freedom by Satterthwaite"), effect(|slope| slope.df))
            .column(rows, number("p_value", "two-sided p of no slope"), effect(|slope| slope.p_value))
            .column(rows, number("participant_sd", "standard deviation of the intercepts of participants"), |row| {
                Some(row.model.random.first()?.sd(0))
            })
            .column(rows, text("reason", "why a result is missing"), |row| row.model.reason.as_ref().map(ToString::to_string))
            .into_table("thought_models", "Linear mixed models of moves in the tree, their depth and their time, with random intercepts of participants.")
    }

    fn by_distance(&self) -> Table {
        struct BinRow<'a> {
            source: &'a str,
            bin: usize,
            measure: &'static str,
            distance: Option<f64>,
            n: u64,
            mean: Mean,
        }
        let mut rows: Vec<BinRow> = Vec::new();
        let sources: &[(String, Vec<Bin>)] = self.people.first().map_or(&[], |person| &person.bins);
        for (number, (source, _)) in sources.iter().enumerate() {
            for bin in 0..N_BINS {
                for (place, measure) in MEASURES.into_iter().enumerate() {
                    let values_of = |person: &ParticipantThought| {
                        let bin = person.bins.get(number)?.1[bin];
                        // Depth is that of the moves which are in the tree.
                        let n = if place == DEPTH { bin.sums[0] } else { bin.n };
                        (n > 0.0).then(|| (bin.sums[place] / n, bin.distance / bin.n))
                    };
                    let (values, distances): (Vec<f64>, Vec<f64>) = self.people.iter().filter_map(values_of).unzip();
                    let mean = Mean::new(&values, self.confidence);
                    let distance = describe(&distances).mean;
                    rows.push(BinRow { source, bin: bin + 1, measure, distance, n: values.len() as u64, mean });
                }
            }
        }
        let rows = &rows[..];
        Columns::new()
            .column(rows, SOURCE.means("people, or a model of choice fitted to each of them: what is expected of its moves in the same positions"), |row| row.source.to_owned())
            .column(rows, count("bin", "tenth of the moves of a participant by distance, 1 nearest the goal"), |row| row.bin as u64)
            .column(rows, MEASURE.means("share of moves that are in the tree, optimal, undo the move before, or move the same piece again; depth: mean least depth of those in the tree"), |row| row.measure.to_owned())
            .column(rows, N_PARTICIPANTS.means("participants with such moves"), |row| row.n)
            .column(rows, DISTANCE, |row| row.distance)
            .column(rows, MEAN, |row| row.mean.mean)
            .column(rows, LOWER.means("lower end of its interval, by t over participants"), |row| row.mean.lower)
            .column(rows, UPPER.means("upper end of its interval"), |row| row.mean.upper)
            .into_table("thought_by_distance", "What moves have in common by the distance to the goal: of people, and of each model of choice fitted to them.")
    }

    fn times(&self) -> Table {
        struct TimeRow {
            covariate: &'static str,
            x: Option<f64>,
            n: u64,
            /// Mean of the natural logarithms of times in seconds.
            mean: Mean,
        }
        let row = |covariate: &'static str, of_people: Vec<(f64, f64)>| {
            let (x, log_times): (Vec<f64>, Vec<f64>) = of_people.into_iter().unzip();
            let mean = Mean::new(&log_times, self.confidence);
            TimeRow { covariate, x: describe(&x).mean, n: x.len() as u64, mean }
        };
        // The first move of an attempt is made after the level was looked at.
        let timed = |person: &ParticipantThought, x: fn(&MoveFacts) -> Option<f64>| -> Vec<(f64, f64)> {
            let later = person.facts.iter().filter(|facts| facts.move_row.ply > 0);
            later.filter_map(|facts| Some((x(facts)?, facts.move_row.rt_s.filter(|time| *time > 0.0)?.ln()))).collect()
        };
        let by_depth: Vec<Vec<(f64, f64)>> =
            self.people.iter().map(|person| timed(person, |facts| facts.depth.map(f64::from))).collect();
        let deepest = by_depth.iter().flatten().map(|(depth, _)| *depth as u32).max().unwrap_or(0);
        let at = |depth: u32| {
            let median_at = |moves: &Vec<(f64, f64)>| {
                median_point(&moves.iter().copied().filter(|point| point.0 == f64::from(depth)).collect::<Vec<_>>())
            };
            row("depth", by_depth.iter().filter_map(median_at).collect())
        };
        let by_nodes: Vec<Vec<Vec<(f64, f64)>>> = self
            .people
            .iter()
            .map(|person| {
                let moves = timed(person, |facts| Some(f64::from(facts.n_nodes)));
                let mut bins = vec![Vec::new(); N_BINS];
                let tenths = tenths(&moves.iter().map(|(nodes, _)| Some(*nodes)).collect::<Vec<_>>());
                tenths.into_iter().zip(moves).for_each(|(tenth, point)| bins[tenth.unwrap_or(0)].push(point));
                bins
            })
            .collect();
        let in_bin = |bin: usize| row("nodes", by_nodes.iter().filter_map(|bins| median_point(&bins[bin])).collect());
        let rows: Vec<TimeRow> = (1..=deepest).map(at).chain((0..N_BINS).map(in_bin)).filter(|row| row.n > 0).collect();
        let rows = &rows[..];
        let seconds = |value: fn(&Mean) -> Option<f64>| move |row: &TimeRow| value(&row.mean).map(f64::exp);
        Columns::new()
            .column(rows, COVARIATE.means("depth: least depth of the move in the tree; nodes: number of nodes of the tree, in tenths of the moves of each participant"), |row| row.covariate.to_owned())
            .column(rows, MEAN_OF_COVARIATE, |row| row.x)
            .column(rows, N_PARTICIPANTS.means("participants with at least five such moves"), |row| row.n)
            .column(rows, TIME.means("geometric mean over participants of their median times; first moves of attempts are left out").unit("s"), seconds(|mean| mean.mean))
            .column(rows, LOWER.means("lower end of its interval, by t over participants, of logarithms").unit("s"), seconds(|mean| mean.lower))
            .column(rows, UPPER.means("upper end of its interval").unit("s"), seconds(|mean| mean.upper))
            .into_table("thought_times", "How long people take by the depth of their moves in the tree, and by its size.")
    }

    /// Returns the sentences for a paper.
    pub fn sentences(&self) -> Vec<String> {
        if let Some(reason) = &self.reason {
            return vec![format!("Whether people reason backwards from the goal is not known: {reason}.")];
        }
        let over_people = |value: fn(&MoveFacts) -> f64| {
            let mean_of =
                |person: &ParticipantThought| describe(&person.facts.iter().map(value).collect::<Vec<_>>()).mean;
            Mean::new(&self.people.iter().filter_map(mean_of).collect::<Vec<_>>(), self.confidence)
        };
        let (share, chance) = (over_people(|facts| facts.in_tree()), over_people(|facts| facts.in_tree_by_chance()));
        let mut sentences = Vec::new();
        let percent = |share: f64| format!("{} %", apa::number(100.0 * share, 1));
        if let (Some(share), Some(lower), Some(upper), Some(chance)) =
            (share.mean, share.lower, share.upper, chance.mean)
        {
            sentences.push(format!(
                "Of the moves of the mean participant, {} were in the AND-OR tree of their position, [{}, {}], against {} if any legal move were made.",
                percent(share),
                percent(lower),
                percent(upper),
                percent(chance)
            ));
        }
        sentences.extend(self.stopping.sentences());
        sentences
    }
}

impl<'a> ParticipantThought<'a> {
    fn new(
        context: &Context,
        decisions: &ChoiceDecisions<'a>,
        name: &str,
        participant: usize,
        attempts: &[&AttemptRow],
    ) -> Self {
        let participant_decisions = decisions.of(participant);
        let ParticipantDecisions { decisions: choices, moves, .. } = &participant_decisions;
        let options = FitOptions { confidence: context.confidence(), ..FitOptions::default() };
        let rules = Rule::ALL.into_iter().filter(|rule| decisions.positions.missing(*rule).is_none());
        let distance = |row: &&MoveRow| row.value_before.filter(|value| value.is_finite());
        let tenths = tenths(&moves.iter().map(distance).collect::<Vec<_>>());
        let mut person = Self { name: name.to_owned(), n_without: participant_decisions.n_unknown, ..Self::default() };
        // What people did, as a model that was sure of it.
        let mut observed: Vec<Vec<f64>> =
            (0..choices.n()).map(|decision| vec![0.0; choices.n_legal(decision)]).collect();
        observed.iter_mut().enumerate().for_each(|(decision, moves)| moves[choices.chosen(decision)] = 1.0);
        let binned = |all: &[Vec<f64>]| {
            let mut bins = vec![Bin::default(); N_BINS];
            for (decision, of_moves) in all.iter().enumerate() {
                let (Some(tree), Some(tenth)) = (decisions.positions.tree(moves[decision].before), tenths[decision])
                else {
                    continue;
                };
                let bin = &mut bins[tenth];
                bin.n += 1.0;
                bin.distance += moves[decision].value_before.unwrap_or_default();
                for (index, probability) in of_moves.iter().enumerate() {
                    let depth = tree.depth_of(index);
                    let flags = choices.flags_of(decision, index);
                    let value = |is_so: bool| f64::from(u8::from(is_so));
                    let depth_value = depth.map_or(0.0, f64::from);
                    let [optimal, undo, same] = [flags.is_optimal, flags.is_undo, flags.is_same_piece].map(value);
                    let values = [value(depth.is_some()), depth_value, optimal, undo, same];
                    bin.sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += probability * value);
                }
            }
            bins
        };
        person.bins.push(("people".to_owned(), binned(&observed)));
        let mut p_thought: Vec<f64> = Vec::new();
        for fit in rules.map(|rule| decisions.fit(participant, choices, rule, &options)) {
            // A model without a fit expects nothing.
            let expected = probabilities(choices, &fit.model, &fit.values).unwrap_or_default();
            person.bins.push((fit.model.to_string(), binned(&expected)));
            if fit.model.rule == Rule::AndOr {
                p_thought = expected.iter().enumerate().map(|(decision, all)| all[choices.chosen(decision)]).collect();
                person.fit = Some(fit);
            }
        }
        for (decision, &row) in moves.iter().enumerate() {
            let Some(tree) = decisions.positions.tree(row.before) else {
                person.n_without += 1;
                continue;
            };
            let depths = (0..choices.n_legal(decision)).filter_map(|index| tree.depth_of(index)).map(f64::from);
            person.facts.push(MoveFacts {
                move_row: row,
                depth: tree.depth_of(choices.chosen(decision)),
                n_nodes: tree.n_nodes,
                n_leaves: tree.n_leaves,
                greatest_depth: tree.depth,
                mean_depth: describe(&depths.collect::<Vec<_>>()).mean,
                probability: p_thought.get(decision).copied(),
            });
        }
        person.stopping = ParticipantStopping::new(context, participant, &participant_decisions, attempts);
        person
    }
}

/// Of the moves of a participant in a bin, the mean of the covariate and the median of the logarithms of times; absent
/// with fewer than [`LEAST_TIMES`] moves.
fn median_point(moves: &[(f64, f64)]) -> Option<(f64, f64)> {
    let (x, log_times): (Vec<f64>, Vec<f64>) = moves.iter().copied().unzip();
    (moves.len() >= LEAST_TIMES).then_some((describe(&x).mean?, quantile(&log_times, 0.5).ok()?))
}

/// The tenth of each value that is known, among those of a participant.
fn tenths(values: &[Option<f64>]) -> Vec<Option<usize>> {
    let known: Vec<f64> = values.iter().flatten().copied().collect();
    let ends: Vec<f64> = (1..N_BINS).filter_map(|place| quantile(&known, place as f64 / N_BINS as f64).ok()).collect();
    values.iter().map(|value| value.map(|value| ends.iter().filter(|end| value >= **end).count())).collect()
}
