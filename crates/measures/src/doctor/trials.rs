//! Moves that are no moves, moves of another trial, and logs without any.

use super::anomaly::Concerned;
use super::anomaly::{Anomaly, DoctorInput, rows};
use crate::label::LabelledRow;
use plymap_log::{Consequence, Event, FileRow, IllegalMoves, LogDiagnostic, NullMoves};
use plymap_puzzles::game::StateCode;
use plymap_puzzles::rules::Rules;
use std::collections::{BTreeSet, HashMap};

/// Rules of moves that cannot be played.
pub(super) fn anomalies(play: &DoctorInput<'_>) -> Vec<Anomaly> {
    [nothing_played(play), null_moves(play), wrong_trials(play)].into_iter().flatten().collect()
}

/// A log of which no row can be used.
fn nothing_played(play: &DoctorInput<'_>) -> Option<Anomaly> {
    let mut concerned = Concerned::new(play);
    if !play.labelled.rows.is_empty() {
        return None;
    }
    (concerned.n, concerned.of) = (play.log.n_read, play.log.n_read);
    let advice = "there are no results; what is said of the rows tells why, such as names of levels that the level files do \
                  not have";
    concerned.anomaly("nothing-played", "rows", "no row of the log can be used", advice)
}

/// Illegal moves that are kept and changed nothing.
fn null_moves(play: &DoctorInput<'_>) -> Option<Anomaly> {
    if play.spec.illegal_moves != IllegalMoves::Keep || play.spec.null_moves != NullMoves::Reject {
        return None;
    }
    let is_null = |row: &LabelledRow| {
        let rules = &play.levels[row.step.level as usize].rules;
        let action = play.log.rows.at(row.step.row as usize).action();
        action.is_some_and(|action| rules.is_null_move(row.step.before, action))
    };
    let advice = "they are counted as illegal moves, and so enter the number of moves, shares of qualities and times; say \
                  null_moves = \"drop\" in [log] if they are no moves";
    let message = "illegal moves that are kept change nothing, such as a piece that is put back";
    rows(play, is_illegal, is_null).anomaly("null-drags-kept", "illegal moves", message, advice)
}

fn is_illegal(row: &LabelledRow) -> bool {
    row.step.played.is_some_and(|played| !played.is_legal)
}

/// So many moves are looked at behind the one that fits elsewhere.
const MOVES: usize = 3;

/// Attempts that broke in replay at a move that fits the level played just before or after.
fn wrong_trials(play: &DoctorInput<'_>) -> Option<Anomaly> {
    let broken: Vec<&LogDiagnostic> = play
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.consequence == Consequence::Rejected)
        .filter(|diagnostic| {
            matches!(&*diagnostic.code, "illegal-move" | "unreadable-move" | "position-mismatch" | "no-single-move")
        })
        .collect();
    if broken.is_empty() {
        return None;
    }
    let people: BTreeSet<&str> = broken.iter().filter_map(|diagnostic| diagnostic.participant.as_deref()).collect();
    let history = History::new(play, &people);
    let mut concerned = Concerned::new(play);
    concerned.of = broken.len() as u64;
    let mut n_before = 0;
    for diagnostic in broken {
        let (Some(participant), Some(session), Some(level)) =
            (&diagnostic.participant, &diagnostic.session, &diagnostic.level)
        else {
            continue;
        };
        let Some(file) = play.labelled.files.iter().position(|file| *file == diagnostic.file) else { continue };
        let place = FileRow::new(file, diagnostic.row);
        if let Some(side) = history.fits(participant, place) {
            concerned.n += 1;
            n_before += u64::from(side == Side::Before);
            concerned.add_trial([participant, session, level], Some(place));
        }
    }
    let n_behind = concerned.n - n_before;
    let message = format!(
        "attempts break at a move that the rules allow at the level played just before ({n_before}) or behind it ({n_behind}): \
         it may be filed under the wrong trial"
    );
    let advice = "these rows and those behind them are left out, as rejects says. Find out whether the log writes the level \
                  late or early, and correct the column of levels";
    concerned.anomaly("wrong-trial", "broken attempts", &message, advice)
}

/// On which side of a row the level is played that it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
}

/// The rows of some participants, in the order in which they were written.
struct History<'a> {
    play: DoctorInput<'a>,
    rules: HashMap<&'a str, &'a dyn Rules>,
    /// Place and number of each row.
    rows: HashMap<&'a str, Vec<(FileRow, usize)>>,
}

impl<'a> History<'a> {
    fn new(play: &DoctorInput<'a>, people: &BTreeSet<&str>) -> Self {
        let mut rows: HashMap<&'a str, Vec<(FileRow, usize)>> = HashMap::new();
        for (number, row) in play.log.rows.iter().enumerate().filter(|(_, row)| people.contains(row.participant())) {
            rows.entry(row.participant()).or_default().push((row.file_row(), number));
        }
        rows.values_mut().for_each(|rows| rows.sort_unstable());
        let rules = play.levels.iter().map(|level| (level.id.as_str(), &*level.rules)).collect();
        Self { play: *play, rules, rows }
    }

    /// `true` if the row at this place fits the level that its participant played before, where it went on, or the one
    /// behind, from its start.
    fn fits(&self, participant: &str, place: FileRow) -> Option<Side> {
        let rows = self.rows.get(participant)?;
        let at = rows.binary_search_by_key(&place, |&(place, _)| place).ok()?;
        let level = |at: usize| Some(self.play.log.rows.at(rows.get(at)?.1).level());
        let this_level = level(at)?;
        let is_own = |at: &usize| level(*at) == Some(this_level);
        let start = (0..=at).rev().take_while(is_own).last()?;
        let end = (at..rows.len()).take_while(is_own).last()?;
        if let Some(before) = start.checked_sub(1).filter(|_| at == start)
            && let Some(rules) = level(before).and_then(|name| self.rules.get(name))
            && let Some(state) = self.end_of(rows[before].1).filter(|&state| !rules.is_end(state))
            && self.play(*rules, state, rows[at].1).is_some()
            && self.is_playable(
                self.rules.get(this_level).copied()?,
                rows[at + 1..=end].iter().map(|&(_, row)| row).take(MOVES),
            )
        {
            return Some(Side::Before);
        }
        // All that is left under this level, and what follows it, is one game at the level behind.
        let behind = rows.get(at..=end + 1)?;
        let rules = level(end + 1).and_then(|name| self.rules.get(name))?;
        self.is_playable(*rules, behind.iter().map(|&(_, row)| row)).then_some(Side::Behind)
    }

    /// The position that a row led to, if it was replayed.
    fn end_of(&self, row: usize) -> Option<StateCode> {
        let rows = &self.play.labelled.rows;
        Some(rows.at(rows.number_of(row as u32)?).step.after)
    }

    /// `true` if these rows are moves that can be played one after the other from the start of a level.
    fn is_playable(&self, rules: &dyn Rules, mut rows: impl Iterator<Item = usize>) -> bool {
        rows.try_fold(rules.start(), |state, row| self.play(rules, state, row)).is_some()
    }

    fn play(&self, rules: &dyn Rules, state: StateCode, row: usize) -> Option<StateCode> {
        let row = self.play.log.rows.at(row);
        if row.event() != Event::Move {
            return None;
        }
        if let Some(recorded) = row.state_before().filter(|text| !text.is_empty())
            && rules.parse_state(recorded).ok() != Some(state)
        {
            return None;
        }
        Some(rules.play(state, row.action()?).ok()?.next)
    }
}
