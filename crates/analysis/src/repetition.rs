//! Repetition: moves that take back the one before, move the same piece, or return to a position.

use super::columns::{LOWER_OF_PARTICIPANT, LOWER_OVER_PARTICIPANTS};
use super::context::Context;
use super::dataset::{AttemptRow, MoveRow};
use plymap_puzzles::game::StateCode;
use plymap_puzzles::rules::{LegalMove, Rules};
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::sequence::revisits::revisits;
use plymap_statistics::sequence::same_piece::same_piece;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::interval::Proportion;
use plymap_tables::{ColumnDoc, Columns, Table, count, number, text};
use rayon::prelude::*;
use std::collections::HashMap;

/// Moves beyond which chance is not computed: each asks the rules for the legal moves of its position, some
/// microseconds, and of a scripted game some dozens.
const MOST_MOVES: usize = 1_000_000;

/// The repetitions of a study.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Repetition {
    rows: Vec<RepeatedMoves>,
}

/// Kind of repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RepetitionKind {
    Undo,
    SamePiece,
    Revisit,
    Loop,
}

/// Repetitions of one kind, of all participants together or of one.
#[derive(Clone, Debug, PartialEq)]
struct RepeatedMoves {
    participant: Option<String>,
    kind: RepetitionKind,
    n_attempts: usize,
    share: Proportion,
    chance: Option<f64>,
    shuffled: Option<f64>,
    reason: Option<String>,
}

/// A stretch of moves as the estimators take it.
struct Stretch {
    participant: usize,
    /// True if it is the first of its attempt.
    is_first: bool,
    /// The position before the first move, and the one after each.
    states: Vec<u32>,
    /// The pieces moved; split where one is not known.
    pieces: Vec<Vec<u32>>,
    chance: Chance,
}

/// Sums over moves of the share of legal moves that would repeat something, of those at which something could be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Chance {
    undo: f64,
    same_piece: f64,
    revisit: f64,
    loops: f64,
    /// Moves of which the legal moves are not known.
    n_unknown: u64,
}

impl RepetitionKind {
    const ALL: [Self; 4] = [Self::Undo, Self::SamePiece, Self::Revisit, Self::Loop];

    fn name(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::SamePiece => "same-piece",
            Self::Revisit => "revisit",
            Self::Loop => "loop",
        }
    }
}

impl Repetition {
    /// Counts what is repeated within stretches of moves, and what uniformly random moves would repeat at the same
    /// places.
    pub fn new(context: &Context, levels: &[ValuedLevel]) -> Self {
        let data = context.data;
        let by_name: HashMap<&str, &dyn Rules> =
            levels.iter().map(|level| (level.id.as_str(), &*level.rules)).collect();
        let rules: Vec<Option<&dyn Rules>> =
            data.levels.iter().map(|name| by_name.get(name.as_str()).copied()).collect();
        let rules = &rules[..];
        let codes: Vec<Option<StateCode>> =
            data.positions.par_iter().map(|(level, text)| rules[*level]?.parse_state(text).ok()).collect();
        let has_chance = data.moves.len() <= MOST_MOVES;
        let played: Vec<(&AttemptRow, usize, &[MoveRow])> = data
            .attempts
            .iter()
            .flat_map(|attempt| data.stretches(attempt).enumerate().map(move |(place, moves)| (attempt, place, moves)))
            .collect();
        let stretches: Vec<Stretch> = played
            .into_par_iter()
            .map(|(attempt, place, moves)| Stretch {
                participant: attempt.participant,
                is_first: place == 0,
                ..Stretch::new(moves, rules[attempt.level], &codes, has_chance)
            })
            .collect();
        let mut by_participant: Vec<Vec<&Stretch>> = vec![Vec::new(); data.participants.len()];
        stretches.iter().for_each(|stretch| by_participant[stretch.participant].push(stretch));
        let mut rows = of_group(context, None, &stretches.iter().collect::<Vec<_>>(), has_chance);
        for (participant, stretches) in data.participants.iter().zip(&by_participant) {
            rows.extend(of_group(context, Some(participant), stretches, has_chance));
        }
        Self { rows }
    }

    /// The table `repetition`.
    pub fn table(&self) -> Table {
        let rows = &self.rows[..];
        Columns::new()
            .column(rows, text("scope", "all: the moves of all participants; participant: those of one").levels(&["all", "participant"]), |row| if row.participant.is_some() { "participant" } else { "all" })
            .column(rows, text("participant", "who played; empty for all"), |row| row.participant.clone())
            .column(rows, text("kind", "undo: the move leads back to the position before the previous move; same-piece: it moves the piece that was moved last; revisit: it leads to a position in which the stretch of moves has been; loop: to one that it left three or more moves ago").levels(&["undo", "same-piece", "revisit", "loop"]), |row| row.kind.name())
            .column(rows, count("n_attempts", "number of attempts with a move"), |row| row.n_attempts as u64)
            .column(rows, count("n", "number of moves that could be one: of revisits all, of undos and the same piece those that follow another, of loops those that follow two others"), |row| row.share.n)
            .column(rows, count("n_repeated", "number of them that are"), |row| row.share.successes)
            .column(rows, number("share", "n_repeated / n"), |row| row.share.estimate)
            .column(rows, ColumnDoc::new("lower", &format!("{LOWER_OVER_PARTICIPANTS}; {LOWER_OF_PARTICIPANT}")), |row| row.share.lower)
            .column(rows, number("upper", "upper end of its interval"), |row| row.share.upper)
            .column(rows, number("confidence", "level of the interval"), |row| Some(row.share.confidence.level()))
            .column(rows, number("expected_by_chance", "chance level: expected share if each of these moves were uniformly random among the legal ones, given everything before it"), |row| row.chance)
            .column(rows, number("expected_shuffled", "of the same piece: expected share under random permutation of the moves of each stretch"), |row| row.shuffled)
            .column(rows, text("sentence", "APA-formatted result"), RepeatedMoves::sentence)
            .column(rows, text("reason", "why the share, its interval or its chance level is missing"), |row| row.reason.clone())
            .into_table("repetition", "How often moves repeat: take back the one before, move the same piece again, return to a position, or close a loop, with the chance level.")
    }

    /// Undos and returns of all participants, in words.
    pub fn sentences(&self) -> Vec<String> {
        let all = self.rows.iter().filter(|row| row.participant.is_none() && row.share.estimate.is_some());
        let parts: Vec<String> =
            all.map(|row| format!("{}, {}", row.kind.name().replace('-', " "), row.sentence())).collect();
        if parts.is_empty() { Vec::new() } else { vec![format!("Repeated within attempts: {}.", parts.join("; "))] }
    }
}

impl RepeatedMoves {
    /// `.12 (120 of 1000), 95 % CI [.10, .14], .08 by chance`.
    fn sentence(&self) -> String {
        let chance = self.chance.map_or(String::new(), |share| format!(", {} by chance", apa::bounded(share, 2)));
        format!("{}{chance}", self.share.sentence())
    }
}

impl Stretch {
    fn new(moves: &[MoveRow], rules: Option<&dyn Rules>, codes: &[Option<StateCode>], has_chance: bool) -> Self {
        let mut states: Vec<u32> = moves.first().iter().map(|first| first.before).collect();
        states.extend(moves.iter().map(|row| row.after));
        let code = |state: u32| codes.get(state as usize).copied().flatten();
        let mut stretch =
            Self { participant: 0, is_first: true, states, pieces: vec![Vec::new()], chance: Chance::default() };
        // By the ply at which the stretch was last in a position, as sequence::revisits counts.
        let mut last: HashMap<StateCode, usize> = code(stretch.states[0]).map(|start| (start, 0)).into_iter().collect();
        let mut previous_piece = None;
        for (index, row) in moves.iter().enumerate() {
            let place = |rules: &dyn Rules| Some((code(row.before)?, code(row.after)?, rules.has_chance()));
            let known = rules.and_then(|rules| Some((rules, place(rules)?)));
            let piece = known.and_then(
                |(rules, (before, after, by_chance))| {
                    if by_chance { None } else { rules.move_between(before, after)?.piece }
                },
            );
            // With chance, legal moves lead to positions before it, which cannot be compared with those behind it.
            let legal = known.filter(|(_, (.., by_chance))| has_chance && !by_chance);
            let legal: Vec<LegalMove> = legal.map_or(Vec::new(), |(rules, (before, ..))| rules.legal_moves(before));
            if legal.is_empty() {
                stretch.chance.n_unknown += 1;
            } else {
                stretch.chance.add(&legal, index, &last, previous_piece.filter(|_| piece.is_some()));
            }
            match piece {
                Some(piece) => stretch.pieces.last_mut().into_iter().for_each(|pieces| pieces.push(piece)),
                None => stretch.pieces.push(Vec::new()),
            }
            previous_piece = piece;
            if let Some(after) = code(row.after) {
                last.insert(after, index + 1);
            }
        }
        stretch.pieces.retain(|pieces| !pieces.is_empty());
        stretch
    }
}

impl Chance {
    /// Adds the move at `index`, from 0, of which these would have been legal.
    fn add(&mut self, legal: &[LegalMove], index: usize, last: &HashMap<StateCode, usize>, piece: Option<u32>) {
        let n = legal.len() as f64;
        let share =
            |is_such: &dyn Fn(&LegalMove) -> bool| legal.iter().filter(|legal| is_such(legal)).count() as f64 / n;
        let length = |legal: &LegalMove| last.get(&legal.after).map(|&ply| index + 1 - ply);
        self.undo += share(&|legal| length(legal) == Some(2));
        self.loops += share(&|legal| length(legal).is_some_and(|length| length > 2));
        self.revisit += share(&|legal| length(legal).is_some_and(|length| length > 1));
        self.same_piece += share(&|legal| piece.is_some() && legal.piece == piece);
    }
}

/// The four rows of some stretches.
fn of_group(
    context: &Context,
    participant: Option<&String>,
    attempts: &[&Stretch],
    has_chance: bool,
) -> Vec<RepeatedMoves> {
    let confidence = context.confidence();
    let (owners, states): (Vec<usize>, Vec<&[u32]>) =
        attempts.iter().map(|attempt| (attempt.participant, &attempt.states[..])).unzip();
    let returns = revisits(&states, participant.is_none().then_some(&owners), confidence);
    let (owners, pieces): (Vec<usize>, Vec<&[u32]>) = attempts
        .iter()
        .flat_map(|attempt| attempt.pieces.iter().map(|pieces| (attempt.participant, pieces.as_slice())))
        .unzip();
    let same = same_piece(&pieces, participant.is_none().then_some(&owners), confidence);
    let has_pieces = pieces.iter().any(|pieces| !pieces.is_empty());
    let n_unknown: u64 = attempts.iter().map(|attempt| attempt.chance.n_unknown).sum();
    let row = |kind: RepetitionKind| {
        let (share, sum): (Proportion, fn(&Chance) -> f64) = match kind {
            RepetitionKind::Undo => (returns.undos.clone(), |chance| chance.undo),
            RepetitionKind::SamePiece => (same.same.clone(), |chance| chance.same_piece),
            RepetitionKind::Revisit => (returns.revisits.clone(), |chance| chance.revisit),
            RepetitionKind::Loop => (returns.loops.clone(), |chance| chance.loops),
        };
        let is_known = n_unknown == 0 && share.n > 0;
        let total: f64 = attempts.iter().map(|attempt| sum(&attempt.chance)).sum();
        let chance = is_known.then(|| total / share.n as f64);
        let without_pieces = kind == RepetitionKind::SamePiece && !has_pieces && !attempts.is_empty();
        let reason = if without_pieces {
            Some("the game has no distinguishable pieces, or no move could be replayed".to_owned())
        } else if let Some(reason) = &share.reason {
            Some(reason.to_string())
        } else if !has_chance {
            Some(format!("there are more than {MOST_MOVES} moves: chance is not computed"))
        } else if n_unknown > 0 {
            Some(format!("the legal moves of {n_unknown} moves are not known, or chance decides between moves"))
        } else {
            None
        };
        RepeatedMoves {
            participant: participant.cloned(),
            kind,
            n_attempts: attempts.iter().filter(|stretch| stretch.is_first).count(),
            share,
            chance,
            shuffled: same.expected.filter(|_| kind == RepetitionKind::SamePiece),
            reason,
        }
    };
    RepetitionKind::ALL.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::dataset::Dataset;
    use crate::dataset::tests::of_line;
    use crate::testing::{Cells, add_attempt, check_cells, context, dataset, hard_cases, step, trial};
    use plymap_measures::label::Quality;
    use plymap_measures::testing::Line;
    use plymap_puzzles::diagnostic::SourceText;
    use plymap_puzzles::game::LevelText;
    use plymap_puzzles::registry::{Game, RuleOptions};

    fn level() -> ValuedLevel {
        let text = "3 disks 3 pegs\n";
        let source = Arc::new(SourceText { path: "level.txt".into(), text: text.to_owned() });
        let level = LevelText { text, source: &source, span: 0..text.len() };
        let rules = (Game::named("tower-of-hanoi").unwrap().load)(&level, &RuleOptions::default()).unwrap();
        ValuedLevel {
            id: "l0".to_owned(),
            game: "tower-of-hanoi",
            extra: Vec::new(),
            remarks: Vec::new(),
            rules: rules.into(),
            whole: None,
            start_value: None,
        }
    }

    /// An attempt of one participant that makes these legal moves, by their numbers.
    fn play(level: &ValuedLevel, numbers: &[usize]) -> Dataset {
        let mut data = dataset(vec![trial(0, 0, 9.0, 9.0)]);
        let mut state = level.rules.start();
        let mut codes = vec![state];
        let mut moves = Vec::new();
        for &number in numbers {
            let after = level.rules.legal_moves(state)[number].after;
            let place = |codes: &mut Vec<StateCode>, code| {
                codes.iter().position(|&known| known == code).unwrap_or_else(|| {
                    codes.push(code);
                    codes.len() - 1
                }) as u32
            };
            let (before, next) = (place(&mut codes, state), place(&mut codes, after));
            moves.push(step(Quality::Better, None).but(|fact| (fact.before, fact.after) = (before, next)));
            state = after;
        }
        add_attempt(&mut data, 0, 0, moves);
        data.positions = codes.iter().map(|&code| (0, level.rules.format_state(code))).collect();
        data
    }

    /// The smallest disk of a tower of Hanoi can always go to two other pegs.
    #[test]
    fn the_smallest_disk_going_around_is_counted_and_expected_by_hand() {
        let level = level();
        // From the start, only the smallest disk moves, to one of two pegs.
        assert_eq!(level.rules.legal_moves(level.rules.start()).len(), 2);
        let start = level.rules.start();
        let there = level.rules.legal_moves(start)[0].after;
        let back = level.rules.legal_moves(there).iter().position(|legal| legal.after == start).unwrap();
        let data = play(&level, &[0, back, 1]);
        let context = context(&data);
        let repetition = Repetition::new(&context, std::slice::from_ref(&level));
        let table = repetition.table();
        check_cells(&table);
        let row = |column: &str, row: usize| table.cells(column)[row].clone().unwrap_or_default();
        assert_eq!(
            table.cells("kind")[..4],
            ["undo", "same-piece", "revisit", "loop"].map(|kind| Some(kind.to_owned()))
        );
        // Moves: away, back (an undo), away to the other peg. Away from the start there are three legal moves: two of
        // the smallest disk, one of the second. At the start, two, and both of the smallest disk.
        assert_eq!([row("n", 0), row("n_repeated", 0)], ["2", "1"]);
        assert_eq!([row("n", 1), row("n_repeated", 1)], ["2", "2"]);
        assert_eq!([row("n", 2), row("n_repeated", 2)], ["3", "1"]);
        assert_eq!([row("n", 3), row("n_repeated", 3)], ["1", "0"]);
        let number = |column: &str, place: usize| row(column, place).parse::<f64>().unwrap();
        let close = |left: f64, right: f64| assert!((left - right).abs() < 1e-12, "{left} is not {right}");
        // The second move could undo by one of three, the third by one of two.
        close(number("expected_by_chance", 0), (1.0 / 3.0 + 1.0 / 2.0) / 2.0);
        close(number("expected_by_chance", 1), (2.0 / 3.0 + 1.0) / 2.0);
        close(number("expected_by_chance", 2), (0.0 + 1.0 / 3.0 + 1.0 / 2.0) / 3.0);
        close(number("expected_by_chance", 3), 0.0);
        close(number("expected_shuffled", 1), 1.0);
        assert_eq!(table.cells("participant")[4].as_deref(), Some("p0"));
        // Of the moves of one person alone, there is an interval only in the own row.
        assert_eq!((table.cells("lower")[0].is_some(), table.cells("lower")[4].is_some()), (false, true));
        assert!(repetition.sentences()[0].starts_with("Repeated within attempts: undo, .50 (1 of 2), .42 by chance"));
    }

    /// Around three pegs and back to the start: a loop of three, and no undo.
    #[test]
    fn a_loop_is_no_undo() {
        let level = level();
        let start = level.rules.start();
        let first = level.rules.legal_moves(start)[0].after;
        let other = level.rules.legal_moves(start)[1].after;
        let to = |from, to| level.rules.legal_moves(from).iter().position(|legal| legal.after == to).unwrap();
        let data = play(&level, &[0, to(first, other), to(other, start)]);
        let table = Repetition::new(&context(&data), &[level]).table();
        assert_eq!(table.cells("n_repeated")[..4], ["0", "2", "1", "1"].map(|n| Some(n.to_owned())));
        // At the third move, one of three legal moves takes back and one closes the loop.
        assert!(
            (table.cells("expected_by_chance")[3].as_ref().unwrap().parse::<f64>().unwrap() - 1.0 / 3.0).abs() < 1e-12
        );
    }

    /// The log takes back what the player does again: nothing of that is a move back.
    #[test]
    fn logged_undos_are_no_repetition() {
        let data = of_line(Line::new().attempt("p1", "A", 1, "d d undo undo d d d d d"));
        let table = Repetition::new(&context(&data), &[]).table();
        assert_eq!(table.cells("n_repeated")[..4], ["0"; 4].map(|n| Some(n.to_owned())));
        // Seven moves in two stretches, of two and of five.
        assert_eq!(table.cells("n")[..4], ["5", "0", "7", "3"].map(|n| Some(n.to_owned())));
        assert_eq!(table.cells("n_attempts")[0].as_deref(), Some("1"));
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let context = context(&data);
            let repetition = Repetition::new(&context, &[]);
            let table = repetition.table();
            check_cells(&table);
            assert_eq!(table.cells("kind").len(), 4 * (1 + data.participants.len()));
            for (expected, reason) in table.cells("expected_by_chance").iter().zip(table.cells("reason")) {
                assert!(expected.is_some() || reason.is_some());
            }
            repetition.sentences();
        }
    }
}
