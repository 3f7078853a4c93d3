//! Sequential dependence of moves: transitions between qualities, streaks, and hazards of errors and restarts given
//! what came before.
//!
//! A sequence is a stretch of moves ([`super::dataset`]). It ends where no goal can be reached any more: from a lost
//! position every move is a dead end, whoever plays, so that what follows there says nothing of the player.

use super::at_risk::{AtRisk, at_risk};
use super::columns::{FROM, GROUP, LOWER_OF_PARTICIPANT, LOWER_OVER_PARTICIPANTS, N_FROM, SCOPE, SHARE, TO};
use super::context::Context;
use super::dataset::{AttemptEnd, AttemptRow, Dataset, MoveRow};
use super::repetition::Repetition;
use plymap_measures::label::Quality;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::record::N;
use plymap_statistics::sequence::dependence::{OrderTest, first_order, second_order};
use plymap_statistics::sequence::hazard::{HazardBin, hazard, quantile_edges};
use plymap_statistics::sequence::residuals::{TransitionResidual, transition_residuals};
use plymap_statistics::sequence::runs::{Runs, runs};
use plymap_statistics::sequence::shuffle::{ShuffledPairs, ShuffledRuns, Shuffles};
use plymap_statistics::sequence::transitions::{Transition, transitions};
use plymap_tables::{ColumnDoc, Columns, Table, count, number, text};
use std::collections::BTreeMap;

/// Shuffles of the moves of each attempt.
const N_SHUFFLES: usize = 999;

/// Bins of a covariate of a hazard.
const N_BINS: usize = 4;

/// Results about sequences.
pub struct Sequences {
    qualities: &'static [Quality],
    /// Qualities that moves of the study can have.
    possible: Vec<Quality>,
    pairs: Vec<Pairs>,
    shuffled: ShuffledPairs,
    tests: [OrderTest; 2],
    /// Moves from lost positions.
    n_lost: u64,
    streaks: Vec<(Runs, ShuffledRuns)>,
    hazards: Vec<HazardRow>,
    repetition: Repetition,
}

/// Transitions between qualities in some of the attempts.
struct Pairs {
    scope: &'static str,
    group: String,
    transitions: Vec<Transition>,
    residuals: Vec<TransitionResidual>,
    n_lost: u64,
}

struct HazardRow {
    event: &'static str,
    covariate: &'static str,
    bin: Option<HazardBin>,
    n_left_out: usize,
    reason: Option<String>,
}

impl Sequences {
    /// Takes the qualities of all moves of each sequence in their order.
    pub fn new(context: &Context, levels: &[ValuedLevel]) -> Self {
        let data = context.data;
        let qualities: &'static [Quality] = Quality::of_unit(data.unit);
        let code = |quality: Quality| qualities.iter().position(|&known| known == quality).unwrap_or(0) as u8;
        let sequences: Vec<&[MoveRow]> = data.attempts.iter().flat_map(|attempt| data.choices(attempt)).collect();
        let codes: Vec<Vec<u8>> =
            sequences.iter().map(|moves| moves.iter().map(|row| code(row.quality)).collect()).collect();
        let n_codes = qualities.len();
        let shuffles = Shuffles { n: context.resamples(N_SHUFFLES), seed: context.seed() };
        let errors: Vec<Vec<u8>> =
            sequences.iter().map(|moves| moves.iter().map(|row| u8::from(row.is_error())).collect()).collect();
        let moves: Vec<Vec<(u8, bool)>> = sequences
            .iter()
            .map(|moves| moves.iter().map(|row| (code(row.quality), row.is_error())).collect())
            .collect();
        let (shuffled, shuffled_streaks) = shuffles.pairs_and_runs(&moves, n_codes);
        Self {
            qualities,
            possible: data.qualities(),
            pairs: pairs(context, &code, n_codes),
            shuffled,
            tests: [first_order(&codes, n_codes), second_order(&codes, n_codes)],
            n_lost: data.attempts.iter().map(|attempt| data.n_lost(attempt)).sum(),
            streaks: shuffled_streaks.map(|shuffled| (runs(&errors, shuffled.code), shuffled)).into(),
            hazards: hazards(context),
            repetition: Repetition::new(context, levels),
        }
    }

    fn name(&self, code: u8) -> &'static str {
        self.qualities.get(usize::from(code)).map_or("", |quality| quality.name())
    }

    /// The tables `transitions`, `dependence`, `streaks`, `hazards` and `repetition`.
    pub fn tables(&self) -> Vec<Table> {
        vec![self.transitions(), self.dependence(), self.streaks(), self.hazards(), self.repetition.table()]
    }

    fn transitions(&self) -> Table {
        // Qualities that never occur, or that no move can have, would fill the table with empty rows.
        let can_be = |code: u8| self.possible.iter().any(|quality| quality.name() == self.name(code));
        let rows: Vec<(&Pairs, &Transition)> = self
            .pairs
            .iter()
            .flat_map(|pairs| pairs.transitions.iter().map(move |transition| (pairs, transition)))
            .filter(|(_, transition)| transition.share.n > 0 && can_be(transition.to))
            .collect();
        let rows = &rows[..];
        let residual = |(pairs, row): &(&Pairs, &Transition)| {
            pairs.residuals.iter().find(|cell| (cell.from, cell.to) == (row.from, row.to)).cloned()
        };
        let shuffled = |(pairs, row): &(&Pairs, &Transition)| {
            let mut all =
                self.shuffled.outcome.iter().flat_map(|test| &test.transitions).filter(|_| pairs.scope == ALL);
            all.find(|transition| (transition.from, transition.to) == (row.from, row.to))
        };
        Columns::new()
            .column(rows, SCOPE.means("all moves, or those of one condition, level or participant"), |row| {
                row.0.scope.to_owned()
            })
            .column(rows, GROUP, |row| row.0.group.clone())
            .column(rows, FROM, |row| self.name(row.1.from).to_owned())
            .column(rows, TO, |row| self.name(row.1.to).to_owned())
            .column(rows, N.means("how often the one followed the other"), |row| row.1.share.successes)
            .column(rows, N_FROM, |row| row.1.share.n)
            .column(rows, count("n_left_out", LOST), |row| row.0.n_lost)
            .column(rows, SHARE.means("n / n_from"), |row| row.1.share.estimate)
            .column(rows, ColumnDoc::new("lower", &format!("{LOWER_OVER_PARTICIPANTS}; {LOWER_OF_PARTICIPANT}")), |row| row.1.share.lower)
            .column(rows, number("upper", "upper end of its interval"), |row| row.1.share.upper)
            .column(rows, number("expected", "expected number if the next quality did not depend on the one before"), |row| residual(row).map(|cell| cell.expected))
            .column(rows, number("residual", "adjusted residual (Haberman, 1973), as a description: it would be standard normal without dependence if all pairs were independent"), |row| residual(row)?.residual)
            .column(rows, number("odds_ratio", "odds of the second quality after the first one against those after any other"), |row| residual(row)?.odds_ratio)
            .column(rows, number("expected_shuffled", "mean number over permutations of the moves of each stretch; only of all moves"), |row| shuffled(row).map(|transition| transition.expected))
            .into_table("transitions", "Which quality follows which, within stretches of moves.")
    }

    fn dependence(&self) -> Table {
        let rows = &self.tests[..];
        Columns::new()
            .column(rows, count("order", "1: does the quality of a move depend on that of the one before? 2: also on the one before that?"), |row| row.order as u64)
            .column(rows, count("n", "number of pairs, or triples, of moves"), |row| row.n)
            .column(rows, count("n_left_out", LOST), |_| self.n_lost)
            .column(rows, number("g_squared", "likelihood-ratio statistic (Anderson and Goodman, 1957)"), |row| row.outcome.as_ref().ok().map(|outcome| outcome.likelihood_ratio.statistic))
            .column(rows, number("df", "its degrees of freedom"), |row| row.outcome.as_ref().ok().map(|outcome| outcome.likelihood_ratio.df as f64))
            .column(rows, number("mutual_information_bits", "mutual information of the earlier and the next move; for order 2 conditional on the move between").unit("bits"), |row| row.outcome.as_ref().ok().map(|outcome| outcome.mutual_information))
            .column(rows, number("share_of_entropy", "the same as a share of the entropy of the next quality"), |row| row.outcome.as_ref().ok()?.share_of_entropy)
            .column(rows, text("reason", "why a result is missing"), |row| row.outcome.as_ref().err().map(ToString::to_string))
            .into_table("dependence", "How much the quality of a move tells of the next, over all moves. People and positions differ, which alone makes successive qualities alike: that is a description, and the mixed model of errors after errors is the test.")
    }

    fn streaks(&self) -> Table {
        let rows = &self.streaks[..];
        Columns::new()
            .column(rows, text("of", "optimal: optimal moves in a row; error: moves in a row that are not optimal"), |row| {
                if row.0.code == 0 { "optimal" } else { "error" }.to_owned()
            })
            .column(rows, count("n_moves", "number of such moves"), |row| row.0.n_with_code as u64)
            .column(rows, count("n_left_out", LOST), |_| self.n_lost)
            .column(rows, count("n_streaks", "number of streaks, as long as they can be, within stretches of moves"), |row| {
                row.0.n_runs as u64
            })
            .column(rows, number("mean_length", "mean length").unit("moves"), |row| row.0.mean_length)
            .column(rows, count("longest", "length of the longest"), |row| row.0.longest as u64)
            .column(rows, number("expected_streaks", "mean number over permutations of the moves of each stretch"), |row| row.1.outcome.as_ref().ok().map(|test| test.expected_runs))
            .column(rows, number("expected_longest", "mean length of the longest in these permutations").unit("moves"), |row| {
                row.1.outcome.as_ref().ok().map(|test| test.expected_longest)
            })
            .column(rows, text("reason", "why a result is missing"), |row| row.1.outcome.as_ref().err().map(ToString::to_string))
            .into_table("streaks", "Streaks of optimal moves and of errors, beside those of the same moves in random order. Positions that follow each other are alike, which permutations do not keep: that is a description, and the mixed model of errors after errors is the test.")
    }

    fn hazards(&self) -> Table {
        let rows = &self.hazards[..];
        let bin = |value: fn(&HazardBin) -> Option<f64>| move |row: &HazardRow| row.bin.as_ref().and_then(value);
        Columns::new()
            .column(rows, text("event", "error: a move that is not optimal; restart: the attempt ends with a reset after the move; give-up: the player abandons it after the move"), |row| row.event.to_owned())
            .column(rows, text("covariate", "value before the move, number of legal moves, or whether the move that it follows was an error (0 or 1)"), |row| row.covariate.to_owned())
            .column(rows, number("from", "lower end of the bin, which belongs to it"), bin(|bin| Some(bin.from)))
            .column(rows, number("to", "upper end of the bin; it belongs to the next bin, and in the last one to that"), bin(|bin| Some(bin.to)))
            .column(rows, count("n", "moves at risk in the bin"), |row| row.bin.as_ref().map_or(0, |bin| bin.hazard.n))
            .column(rows, count("n_left_out", "moves that are in no bin of this event and covariate: of errors those from positions without an optimal move; those without the covariate, a value or a move that they follow"), |row| row.n_left_out as u64)
            .column(rows, count("n_events", "moves at which it happened"), |row| row.bin.as_ref().map_or(0, |bin| bin.hazard.successes))
            .column(rows, number("hazard", "n_events / n"), bin(|bin| bin.hazard.estimate))
            .column(rows, number("lower", LOWER_OVER_PARTICIPANTS), bin(|bin| bin.hazard.lower))
            .column(rows, number("upper", "upper end of its interval"), bin(|bin| bin.hazard.upper))
            .column(rows, text("reason", "why a result, or its interval, is missing"), |row| row.reason.clone())
            .into_table("hazards", "How likely an error, a restart or a give-up is at a move, by what was before it.")
    }

    /// Returns sentences on the clustering of errors and on repeated moves.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let hazard_after = |after: f64| {
            self.hazards.iter().find(|row| {
                row.event == "error"
                    && row.covariate == AFTER_ERROR
                    && row.bin.as_ref().is_some_and(|bin| bin.from == after)
            })
        };
        let rate = |row: Option<&HazardRow>| row?.bin.as_ref()?.hazard.estimate;
        if let (Some(after), Some(otherwise)) = (rate(hazard_after(1.0)), rate(hazard_after(0.0))) {
            sentences.push(format!(
                "{:.1} % of the moves after an error are errors, {:.1} % of those after an optimal move. These are shares of all moves, of people and positions that differ; the mixed model of errors after errors compares moves of one person.",
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

/// The scope of the moves of one participant.
const PARTICIPANT: &str = "participant";

const LOST: &str = "moves from positions without an optimal move, left out: a sequence ends in a dead end";

/// The pairs of moves of all attempts, and of those of each condition, level and participant.
fn pairs(context: &Context, code: &dyn Fn(Quality) -> u8, n_codes: usize) -> Vec<Pairs> {
    let data = context.data;
    let pairs_of = |scope, group: &str, attempts: &[&AttemptRow]| {
        let sequences =
            attempts.iter().flat_map(|attempt| data.choices(attempt).map(|moves| (attempt.participant, moves)));
        let codes_of = |moves: &[MoveRow]| moves.iter().map(|row| code(row.quality)).collect();
        let (participants, codes): (Vec<usize>, Vec<Vec<u8>>) =
            sequences.map(|(participant, moves)| (participant, codes_of(moves))).unzip();
        let participants = (scope != PARTICIPANT).then_some(&participants[..]);
        Pairs {
            scope,
            group: group.to_owned(),
            transitions: transitions(&codes, participants, n_codes, context.confidence()).transitions,
            residuals: transition_residuals(&codes, n_codes, context.confidence()).unwrap_or_default(),
            n_lost: attempts.iter().map(|attempt| data.n_lost(attempt)).sum(),
        }
    };
    type Owner<'a> = (&'static str, &'a dyn Fn(&'a AttemptRow) -> Option<&'a str>);
    let owners: [Owner; 3] = [
        ("condition", &|attempt| attempt.condition.as_deref()),
        ("level", &|attempt| Some(&data.levels[attempt.level])),
        (PARTICIPANT, &|attempt| Some(&data.participants[attempt.participant])),
    ];
    let mut all = vec![pairs_of(ALL, "", &data.attempts.iter().collect::<Vec<_>>())];
    for (scope, owner) in owners {
        let mut groups: BTreeMap<&str, Vec<&AttemptRow>> = BTreeMap::new();
        for attempt in &data.attempts {
            if let Some(name) = owner(attempt) {
                groups.entry(name).or_default().push(attempt);
            }
        }
        all.extend(groups.iter().map(|(name, attempts)| pairs_of(scope, name, attempts)));
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
    // Only where an optimal move exists can a move be an error; restarts and give-ups are possible everywhere.
    let can_err = |risk: &AtRisk| !risk.row.is_dead_end();
    let always = |_: &AtRisk| true;
    type Event<'a> = (&'static str, &'a dyn Fn(&AtRisk) -> bool, &'a dyn Fn(&AtRisk) -> bool);
    type Covariate<'a> = (&'static str, &'a dyn Fn(&AtRisk) -> Option<f64>);
    let events: [Event; 3] =
        [("error", &can_err, &is_error), ("restart", &always, &restarts), ("give-up", &always, &gives_up)];
    let covariates: [Covariate; 3] = [
        (value, &|risk| risk.row.value_before),
        ("legal moves", &|risk| Some(f64::from(risk.row.n_legal))),
        (AFTER_ERROR, &|risk| risk.is_after_error.map(|after| f64::from(u8::from(after)))),
    ];
    let mut rows = Vec::new();
    for (event, is_possible, happens) in events {
        for (covariate, value) in covariates {
            let possible = at_risk.iter().filter(|risk| is_possible(risk));
            let known = possible.filter_map(|risk| Some((happens(risk), value(risk)?, risk.participant)));
            let (events, values, owners): (Vec<bool>, Vec<f64>, Vec<usize>) = known.collect();
            let n_left_out = at_risk.len() - values.len();
            let edges = match covariate {
                AFTER_ERROR => Ok(vec![0.0, 1.0, 2.0]),
                _ => quantile_edges(&values, N_BINS),
            };
            let hazard = edges.map(|edges| hazard(&events, &values, Some(&owners), &edges, context.confidence()));
            let reason = match &hazard {
                Ok(hazard) => hazard.reason.as_ref().map(ToString::to_string),
                Err(reason) => Some(reason.to_string()),
            };
            let bins = hazard.map(|hazard| hazard.bins).unwrap_or_default();
            if bins.is_empty() {
                rows.push(HazardRow { event, covariate, bin: None, n_left_out, reason });
            }
            let row = |bin: HazardBin| {
                let reason = bin.hazard.reason.as_ref().map(ToString::to_string);
                HazardRow { event, covariate, bin: Some(bin), n_left_out, reason }
            };
            rows.extend(bins.into_iter().map(row));
        }
    }
    rows
}

/// All moves, attempt by attempt.
fn moves_at_risk(data: &Dataset) -> Vec<AtRisk<'_>> {
    data.attempts.iter().flat_map(|attempt| at_risk(attempt, data.moves_of(attempt))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::tests::of_line;
    use crate::testing::{Cells, check_cells, context, hard_cases};
    use plymap_measures::testing::Line;
    use plymap_tables::Table;

    fn tables(line: Line) -> Vec<Table> {
        let data = of_line(line);
        let tables = Sequences::new(&context(&data), &[]).tables();
        tables.iter().for_each(check_cells);
        tables
    }

    /// The cells of some columns of the rows in which another one has a value.
    fn rows(table: &Table, (column, value): (&str, &str), wanted: &[&str]) -> Vec<Vec<String>> {
        let cells: Vec<_> = wanted.iter().map(|name| table.cells(name)).collect();
        let is_wanted = |row: &usize| table.cells(column)[*row].as_deref() == Some(value);
        let row = |row: usize| cells.iter().map(|column| column[row].clone().unwrap_or_default()).collect();
        (0..table.data.height()).filter(is_wanted).map(row).collect()
    }

    #[test]
    fn moves_on_both_sides_of_an_undo_or_a_reset_are_no_neighbours() {
        let tables = tables(Line::new().attempt("p1", "A", 1, "d u undo d u reset u d"));
        let pairs = rows(&tables[0], ("scope", "all"), &["from", "to", "n"]);
        assert_eq!(
            pairs.iter().map(|pair| pair.join(" ")).collect::<Vec<_>>(),
            [
                "better better 0",
                "better same 0",
                "better worse 2",
                "better dead-end 0",
                "worse better 1",
                "worse same 0",
                "worse worse 0",
                "worse dead-end 0",
            ]
        );
        // Three stretches of two moves: an error in each, and never two in a row.
        let streaks = rows(&tables[2], ("of", "error"), &["n_moves", "n_streaks", "longest", "n_left_out"]);
        assert_eq!(streaks, [["3", "3", "1", "0"]]);
        let after = rows(&tables[3], ("covariate", AFTER_ERROR), &["event", "from", "n", "n_events", "n_left_out"]);
        assert_eq!(after[..2], [["error", "0", "2", "2", "3"], ["error", "1", "1", "0", "3"]]);
    }

    #[test]
    fn who_cannot_move_optimally_makes_no_error() {
        // Two errors, of which the second is the last choice; then three moves in a dead end.
        let tables = tables(Line::new().attempt("p1", "A", 1, "d u d fall d d d reset d"));
        let dependence = rows(&tables[1], ("order", "1"), &["n", "n_left_out"]);
        assert_eq!(dependence, [["3", "3"]]);
        let streaks = rows(&tables[2], ("of", "error"), &["n_moves", "n_streaks", "longest", "n_left_out"]);
        assert_eq!(streaks, [["2", "2", "1", "3"]]);
        let after = rows(&tables[3], ("covariate", AFTER_ERROR), &["event", "from", "n", "n_events", "n_left_out"]);
        // Eight moves: the first ones of two stretches and three in the dead end are left out.
        assert_eq!(after[..2], [["error", "0", "2", "2", "5"], ["error", "1", "1", "0", "5"]]);
        // Of restarts, only what does not follow a choice.
        assert_eq!(after[2], ["restart", "0", "2", "0", "4"]);
        let all = rows(&tables[0], ("scope", "all"), &["from", "to", "n", "n_left_out"]);
        assert!(all.iter().all(|pair| pair[0] != "dead-end" && pair[3] == "3"), "{all:?}");
    }

    #[test]
    fn hard_cases_have_tables() {
        for data in hard_cases() {
            let sequences = Sequences::new(&context(&data), &[]);
            sequences.tables().iter().for_each(check_cells);
            sequences.sentences();
        }
    }
}
