//! What follows what: qualities of moves in sequence, streaks, and how errors and restarts depend on what was before.

use std::collections::BTreeMap;

use polars::prelude::PolarsResult;

use super::Context;
use super::dataset::{AttemptEnd, AttemptRow, Dataset, MoveRow};
use super::repetition::Repetition;
use crate::label::Quality;
use crate::sequence::dependence::{OrderTest, first_order, second_order};
use crate::sequence::hazard::{HazardBin, hazard, quantile_edges};
use crate::sequence::residuals::{TransitionResidual, transition_residuals};
use crate::sequence::runs::{Runs, runs};
use crate::sequence::shuffle::{ShuffledPairs, ShuffledRuns, Shuffles};
use crate::sequence::transitions::{Transition, transitions};
use crate::table::{Columns, Table};
use crate::valuation::ValuedLevel;

/// Shuffles of the moves of each attempt.
const N_SHUFFLES: usize = 999;

/// Bins of a covariate of a hazard.
const N_BINS: usize = 4;

/// Results about sequences.
pub struct Sequences {
    qualities: &'static [Quality],
    pairs: Vec<Pairs>,
    shuffled: ShuffledPairs,
    tests: [OrderTest; 2],
    streaks: Vec<(Runs, ShuffledRuns)>,
    hazards: Vec<HazardRow>,
    repetition: Repetition,
}

/// Which quality follows which in some of the attempts.
struct Pairs {
    scope: &'static str,
    group: String,
    transitions: Vec<Transition>,
    residuals: Vec<TransitionResidual>,
}

struct HazardRow {
    event: &'static str,
    covariate: &'static str,
    bin: Option<HazardBin>,
    reason: Option<String>,
}

/// A move at which something could happen.
#[derive(Clone, Copy)]
pub(super) struct AtRisk<'a> {
    /// Number of the participant.
    pub participant: usize,
    /// The move.
    pub row: &'a MoveRow,
    /// Whether the move before was an error; absent for the first move of an attempt.
    pub is_after_error: Option<bool>,
    /// How the attempt ends with this move, if it does.
    pub end: Option<AttemptEnd>,
}

impl Sequences {
    /// Takes the qualities of all moves of each attempt in their order.
    pub fn new(context: &Context, levels: &[ValuedLevel]) -> Self {
        let data = context.data;
        let qualities: &'static [Quality] = Quality::of_unit(data.unit);
        let code = |quality: Quality| qualities.iter().position(|&known| known == quality).unwrap_or(0) as u8;
        let codes: Vec<Vec<u8>> = data
            .attempts
            .iter()
            .map(|attempt| data.moves_of(attempt).iter().map(|row| code(row.quality)).collect())
            .collect();
        let n_codes = qualities.len();
        let shuffles = Shuffles { n: N_SHUFFLES, seed: context.seed };
        let errors: Vec<Vec<u8>> = data
            .attempts
            .iter()
            .map(|attempt| data.moves_of(attempt).iter().map(|row| u8::from(row.is_error())).collect())
            .collect();
        Self {
            qualities,
            pairs: pairs(context, &codes, n_codes),
            shuffled: shuffles.pairs(&codes, n_codes),
            tests: [first_order(&codes, n_codes), second_order(&codes, n_codes)],
            streaks: [0u8, 1].map(|code| (runs(&errors, code), shuffles.runs(&errors, code))).into_iter().collect(),
            hazards: hazards(context),
            repetition: Repetition::new(context, levels),
        }
    }

    fn name(&self, code: u8) -> &'static str {
        self.qualities.get(usize::from(code)).map_or("", |quality| quality.name())
    }

    /// The tables `transitions`, `dependence`, `streaks`, `hazards` and `repetition`.
    ///
    /// # Errors
    ///
    /// Never in practice: polars builds the frame from columns of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        Ok(vec![self.transitions()?, self.dependence()?, self.streaks()?, self.hazards()?, self.repetition.table()?])
    }

    fn transitions(&self) -> PolarsResult<Table> {
        // Qualities that never occur would fill the table with empty rows.
        let rows: Vec<(&Pairs, &Transition)> = self
            .pairs
            .iter()
            .flat_map(|pairs| pairs.transitions.iter().map(move |transition| (pairs, transition)))
            .filter(|(_, transition)| transition.share.n > 0)
            .collect();
        let rows = &rows[..];
        let residual = |(pairs, row): &(&Pairs, &Transition)| {
            pairs.residuals.iter().find(|one| (one.from, one.to) == (row.from, row.to)).cloned()
        };
        let shuffled = |(pairs, row): &(&Pairs, &Transition)| {
            let mut all = self.shuffled.transitions.iter().filter(|_| pairs.scope == ALL);
            all.find(|one| (one.from, one.to) == (row.from, row.to))
        };
        Columns::new()
            .text(rows, "scope", "all moves, or those of one condition, level or participant", |row| {
                row.0.scope.to_owned()
            })
            .text(rows, "group", "the condition, level or participant", |row| row.0.group.clone())
            .text(rows, "from", "quality of a move", |row| self.name(row.1.from).to_owned())
            .text(rows, "to", "quality of the next move of the same attempt", |row| self.name(row.1.to).to_owned())
            .count(rows, "n", "how often the one followed the other", |row| row.1.share.successes)
            .count(rows, "n_from", "moves of the first quality that have a next one", |row| row.1.share.n)
            .number(rows, "share", "", "n / n_from", |row| row.1.share.estimate)
            .number(
                rows,
                "lower",
                "",
                "lower end of its interval (Wilson, 1927); moves of one person are not independent",
                |row| row.1.share.lower,
            )
            .number(rows, "upper", "", "upper end of its interval", |row| row.1.share.upper)
            .number(rows, "expected", "", "number if the next quality did not depend on the one before", |row| {
                residual(row).map(|one| one.expected)
            })
            .number(
                rows,
                "residual",
                "",
                "adjusted residual (Haberman, 1973): standard normal without dependence",
                |row| residual(row)?.residual,
            )
            .number(
                rows,
                "odds_ratio",
                "",
                "odds of the second quality after the first one against those after any other",
                |row| residual(row)?.odds_ratio,
            )
            .number(
                rows,
                "expected_shuffled",
                "",
                "mean number over random orders of the moves of each attempt; only of all moves",
                |row| shuffled(row).map(|one| one.expected),
            )
            .number(
                rows,
                "p_shuffled",
                "",
                "two-sided p of n among these orders, the real one counted; only of all moves",
                |row| shuffled(row).map(|one| one.p_value),
            )
            .into_table("transitions", "Which quality follows which, within attempts.")
    }

    fn dependence(&self) -> PolarsResult<Table> {
        let rows = &self.tests[..];
        Columns::new()
            .count(rows, "order", "1: does the quality of a move depend on that of the one before? 2: also on the one before that?", |row| row.order as u64)
            .count(rows, "n", "number of pairs, or triples, of moves", |row| row.n)
            .number(rows, "g_squared", "", "likelihood-ratio statistic (Anderson and Goodman, 1957)", |row| row.likelihood_ratio.as_ref().map(|test| test.statistic))
            .number(rows, "df", "", "its degrees of freedom", |row| row.likelihood_ratio.as_ref().map(|test| test.df as f64))
            .number(rows, "p_value", "", "p from chi-squared; people differ in how often they err, which alone makes pooled qualities look dependent", |row| row.likelihood_ratio.as_ref().map(|test| test.p_value))
            .number(rows, "mutual_information_bits", "bits", "how much the earlier move tells of the next", |row| row.mutual_information)
            .number(rows, "share_of_entropy", "", "the same as a share of the entropy of the next quality", |row| row.share_of_entropy)
            .number(rows, "p_shuffled", "", "p of the statistic among random orders of the moves of each attempt, the real one counted; only for order 1. It does not take differences between people for dependence", |row| {
                if row.order == 1 { self.shuffled.p_value } else { None }
            })
            .text(rows, "sentence", "the result as a paper prints it", OrderTest::sentence)
            .label(rows, "reason", "why a result is missing", |row| row.reason.as_ref().map(ToString::to_string))
            .into_table("dependence", "Does the quality of a move depend on the moves before it?")
    }

    fn streaks(&self) -> PolarsResult<Table> {
        let rows = &self.streaks[..];
        Columns::new()
            .text(rows, "of", "optimal: optimal moves in a row; error: moves in a row that are not optimal", |row| {
                if row.0.code == 0 { "optimal" } else { "error" }.to_owned()
            })
            .count(rows, "n_moves", "number of such moves", |row| row.0.n_with_code as u64)
            .count(rows, "n_streaks", "number of streaks, as long as they can be, within attempts", |row| {
                row.0.n_runs as u64
            })
            .number(rows, "mean_length", "moves", "mean length", |row| row.0.mean_length)
            .count(rows, "longest", "length of the longest", |row| row.0.longest as u64)
            .number(
                rows,
                "expected_streaks",
                "",
                "mean number over random orders of the moves of each attempt",
                |row| row.1.expected_runs,
            )
            .number(rows, "expected_longest", "moves", "mean length of the longest in such orders", |row| {
                row.1.expected_longest
            })
            .number(
                rows,
                "p_few",
                "",
                "share of orders with at most as many streaks, the real one counted: small where moves cluster",
                |row| row.1.p_few,
            )
            .number(
                rows,
                "p_longest",
                "",
                "share of orders with a streak at least as long as the longest, the real one counted",
                |row| row.1.p_longest,
            )
            .label(rows, "reason", "why a result is missing", |row| row.1.reason.as_ref().map(ToString::to_string))
            .into_table("streaks", "Do optimal moves, and errors, come in streaks?")
    }

    fn hazards(&self) -> PolarsResult<Table> {
        let rows = &self.hazards[..];
        let bin = |value: fn(&HazardBin) -> Option<f64>| move |row: &HazardRow| row.bin.as_ref().and_then(value);
        Columns::new()
            .text(rows, "event", "error: a move that is not optimal; restart: the attempt ends with a reset after the move; give-up: with giving up", |row| row.event.to_owned())
            .text(rows, "covariate", "value before the move, number of legal moves, or whether the move before was an error (0 or 1)", |row| row.covariate.to_owned())
            .number(rows, "from", "", "lower end of the bin, which belongs to it", bin(|bin| Some(bin.from)))
            .number(rows, "to", "", "upper end of the bin; it belongs to the next bin, and in the last one to that", bin(|bin| Some(bin.to)))
            .count(rows, "n", "moves at risk in the bin", |row| row.bin.as_ref().map_or(0, |bin| bin.hazard.n))
            .count(rows, "n_events", "moves at which it happened", |row| row.bin.as_ref().map_or(0, |bin| bin.hazard.successes))
            .number(rows, "hazard", "", "n_events / n", bin(|bin| bin.hazard.estimate))
            .number(rows, "lower", "", "lower end of its interval (Wilson, 1927); moves of one person are not independent", bin(|bin| bin.hazard.lower))
            .number(rows, "upper", "", "upper end of its interval", bin(|bin| bin.hazard.upper))
            .label(rows, "reason", "why a result is missing", |row| row.reason.clone())
            .into_table("hazards", "How likely an error, a restart or giving up is at a move, by what was before it.")
    }

    /// Whether errors cluster, and how often moves repeat, in words.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if let (Some(p), Some(_)) = (self.shuffled.p_value, self.shuffled.statistic) {
            sentences.push(format!(
                "Whether the quality of a move depends on that of the one before: {}; among {N_SHUFFLES} random orders of the moves of each attempt, {}.",
                self.tests[0].sentence(),
                crate::stats::apa::p_value(p)
            ));
        }
        let of = |after: f64| {
            self.hazards.iter().find(|row| {
                row.event == "error"
                    && row.covariate == AFTER_ERROR
                    && row.bin.as_ref().is_some_and(|bin| bin.from == after)
            })
        };
        let rate = |row: Option<&HazardRow>| row?.bin.as_ref()?.hazard.estimate;
        if let (Some(after), Some(otherwise)) = (rate(of(1.0)), rate(of(0.0))) {
            sentences.push(format!(
                "{:.1} % of the moves after an error are errors, {:.1} % of those after an optimal move.",
                100.0 * after,
                100.0 * otherwise
            ));
        }
        sentences.extend(self.repetition.sentences());
        sentences
    }
}

/// The scope of all moves.
const ALL: &str = "all";

/// The pairs of moves of all attempts, and of those of each condition, level and participant. `codes` are the qualities
/// of the moves of each attempt.
fn pairs(context: &Context, codes: &[Vec<u8>], n_codes: usize) -> Vec<Pairs> {
    let data = context.data;
    let of = |scope, group: &str, codes: &[Vec<u8>]| Pairs {
        scope,
        group: group.to_owned(),
        transitions: transitions(codes, n_codes, context.confidence).transitions,
        residuals: transition_residuals(codes, n_codes, context.confidence).unwrap_or_default(),
    };
    type Owner<'a> = (&'static str, &'a dyn Fn(&'a AttemptRow) -> Option<&'a str>);
    let owners: [Owner; 3] = [
        ("condition", &|attempt| attempt.condition.as_deref()),
        ("level", &|attempt| Some(&data.levels[attempt.level])),
        ("participant", &|attempt| Some(&data.participants[attempt.participant])),
    ];
    let mut all = vec![of(ALL, "", codes)];
    for (scope, owner) in owners {
        let mut groups: BTreeMap<&str, Vec<Vec<u8>>> = BTreeMap::new();
        for (attempt, codes) in data.attempts.iter().zip(codes) {
            if let Some(name) = owner(attempt) {
                groups.entry(name).or_default().push(codes.clone());
            }
        }
        all.extend(groups.iter().map(|(name, codes)| of(scope, name, codes)));
    }
    all
}

const AFTER_ERROR: &str = "after an error";

fn hazards(context: &Context) -> Vec<HazardRow> {
    let data = context.data;
    let at_risk = moves_at_risk(data);
    let is_error = |risk: &AtRisk| risk.row.is_error();
    let restarts = |risk: &AtRisk| risk.end == Some(AttemptEnd::Reset);
    let gives_up = |risk: &AtRisk| risk.end == Some(AttemptEnd::GaveUp);
    let value = if data.unit.is_distance() { "distance" } else { "value" };
    type Event<'a> = (&'static str, &'a dyn Fn(&AtRisk) -> bool);
    type Covariate<'a> = (&'static str, &'a dyn Fn(&AtRisk) -> Option<f64>);
    let events: [Event; 3] = [("error", &is_error), ("restart", &restarts), ("give-up", &gives_up)];
    let covariates: [Covariate; 3] = [
        (value, &|risk| risk.row.value_before),
        ("legal moves", &|risk| Some(f64::from(risk.row.n_legal))),
        (AFTER_ERROR, &|risk| risk.is_after_error.map(|after| f64::from(u8::from(after)))),
    ];
    let mut rows = Vec::new();
    for (event, happens) in events {
        for (covariate, value) in covariates {
            let known = at_risk.iter().filter_map(|risk| Some((happens(risk), value(risk)?)));
            let (events, values): (Vec<bool>, Vec<f64>) = known.unzip();
            let edges = match covariate {
                AFTER_ERROR => Ok(vec![0.0, 1.0, 2.0]),
                _ => quantile_edges(&values, N_BINS),
            };
            let found = edges.map(|edges| hazard(&events, &values, &edges, context.confidence));
            let reason = match &found {
                Ok(found) => found.reason.as_ref().map(ToString::to_string),
                Err(reason) => Some(reason.to_string()),
            };
            let bins = found.map(|found| found.bins).unwrap_or_default();
            if bins.is_empty() {
                rows.push(HazardRow { event, covariate, bin: None, reason });
            }
            rows.extend(bins.into_iter().map(|bin| HazardRow { event, covariate, bin: Some(bin), reason: None }));
        }
    }
    rows
}

/// All moves, attempt by attempt.
pub(super) fn moves_at_risk(data: &Dataset) -> Vec<AtRisk<'_>> {
    data.attempts.iter().flat_map(|attempt| at_risk(attempt, data.moves_of(attempt))).collect()
}

fn at_risk<'a>(attempt: &AttemptRow, moves: &'a [MoveRow]) -> impl Iterator<Item = AtRisk<'a>> {
    let (end, n, participant) = (attempt.end, moves.len(), attempt.participant);
    moves.iter().enumerate().map(move |(index, row)| AtRisk {
        participant,
        row,
        is_after_error: index.checked_sub(1).map(|before| moves[before].is_error()),
        end: (index + 1 == n).then_some(end),
    })
}
