//! The position of an attempt, row after row.

use super::step::{Played, Replay, Step};
use crate::canonical::CanonicalRow;
use crate::event::Event;
use crate::log::Log;
use crate::raw::RowDiagnostic;
use crate::reject::{Consequence, LogDiagnostic};
use crate::spec::{IllegalMoves, LogSpec, NullMoves};
use foldhash::fast::RandomState;
use plymap_puzzles::game::{MoveError, StateCode};
use plymap_puzzles::rules::{LegalMove, Rules};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// Plays attempts, one after the other.
pub(super) struct Player<'a> {
    illegal: IllegalMoves,
    null: NullMoves,
    log: &'a Log,
    levels: &'a [(&'a str, &'a dyn Rules)],
    /// The level of the attempt.
    level: usize,
    state: StateCode,
    /// Positions since the start or the last reset, the current one last.
    history: Vec<StateCode>,
    visited: HashSet<StateCode, RandomState>,
    last_piece: Option<u32>,
    was_solved: bool,
    /// `true` if the position is one that chance draws and no row has recorded yet.
    is_undrawn: bool,
    next_ply: u32,
    /// Numbers of moves, by level, position and number of the text of the action: most come again and again.
    known: HashMap<(usize, StateCode, u32), u32, RandomState>,
    /// These moves.
    moves: Vec<Rc<LegalMove>>,
    /// Number of the move that the last row was.
    repeated: Option<u32>,
    pub(super) replay: Replay,
}

impl<'a> Player<'a> {
    pub(super) fn new(log: &'a Log, levels: &'a [(&'a str, &'a dyn Rules)], spec: &LogSpec) -> Self {
        Self {
            illegal: spec.illegal_moves,
            null: spec.null_moves,
            log,
            levels,
            level: 0,
            state: StateCode(0),
            history: Vec::new(),
            visited: HashSet::default(),
            last_piece: None,
            was_solved: false,
            is_undrawn: false,
            next_ply: 0,
            known: HashMap::default(),
            moves: Vec::new(),
            repeated: None,
            replay: Replay::default(),
        }
    }

    pub(super) fn play(&mut self, level: usize, attempt: Range<usize>) {
        let rules = self.levels[level].1;
        self.level = level;
        self.begin(rules);
        self.visited.clear();
        self.visited.insert(self.state);
        self.was_solved = false;
        self.next_ply = 0;
        let first = attempt.start;
        for row in attempt.clone() {
            if let Some(reason) = self.broken_before(row) {
                return self.exclude(row..attempt.end, &reason);
            }
            // A number is given below only to moves that the text and the position alone determine.
            self.repeated = None;
            let next = (row + 1 < attempt.end).then_some(row + 1);
            match self.play_row(rules, row, row == first, next) {
                Ok(step) => {
                    self.replay.steps.push(Step { row: row as u32, level: level as u32, ..step });
                    self.replay.moves.push(self.repeated);
                }
                Err(diagnostic) => {
                    let at = self.log.rows.at(row);
                    let place = format!("row {} of {}", at.line(), at.file_name());
                    self.reject(row, diagnostic);
                    return self.exclude(row + 1..attempt.end, &format!("{place} of the same attempt was rejected"));
                }
            }
        }
    }

    /// Reason why the position of this row is unknown, if the reader rejected one before it.
    fn broken_before(&self, row: usize) -> Option<String> {
        let place = self.log.behind_rejected.get(&row)?;
        let file = self.log.files.get(place.file).map(|file| file.path.display().to_string()).unwrap_or_default();
        Some(match place.is_of_attempt {
            true => format!("row {} of {file} of the same attempt was rejected", place.row),
            false => format!("row {} of {file} cannot be read and may belong to this attempt", place.row),
        })
    }

    /// The position that a row leads to, where it does not say so itself and chance had its turn: that in which the
    /// `next` row of the attempt was made.
    fn told_by_next(&self, rules: &dyn Rules, row: usize, next: Option<usize>) -> Option<&'a str> {
        if !rules.has_chance() || self.log.rows.at(row).state_after().is_some_and(|text| !text.is_empty()) {
            return None;
        }
        self.log.rows.at(next?).state_before().filter(|text| !text.is_empty())
    }

    /// Plays one row, which may be followed by another one of its attempt, `next`.
    fn play_row(
        &mut self,
        rules: &dyn Rules,
        row: usize,
        is_first: bool,
        next: Option<usize>,
    ) -> Result<Step, RowDiagnostic> {
        let said = self.log.rows.at(row);
        let event = said.event();
        let [action, before, after] = [CanonicalRow::action, CanonicalRow::state_before, CanonicalRow::state_after]
            .map(|cell| filled(cell(said)));
        let may_pose = is_first && event == Event::Move && action.is_none() && before.is_none();
        // Before the event is looked at: a recorded position may differ from the replayed one, and decides.
        self.settle(rules, row, is_first, may_pose)?;
        let state = self.state;
        let mut played = None;
        match event {
            Event::Move if may_pose && self.shows(rules, after) => {
                let rule = "the attempt begins with the position that was posed, which nobody moved to";
                let fix = "nothing, if it is meant so: the row counts as a start";
                let value = after.unwrap_or_default();
                self.notice(row, RowDiagnostic::uncut("posed-position", "state_after", value, rule, fix));
            }
            Event::Move if self.is_null_move(rules, action, after) => {
                let fix = match self.null {
                    NullMoves::Keep => "nothing, if it is meant so: its time is its own",
                    _ => "nothing, if it is meant so: its time is part of that of the next move",
                };
                let rule = "the action changes nothing, and is no move";
                self.notice(row, RowDiagnostic::uncut("null-move", "action", action.unwrap_or_default(), rule, fix));
            }
            Event::Move => {
                self.was_solved |= rules.is_goal(state);
                let recorded = after.or_else(|| self.told_by_next(rules, row, next));
                // Behind the last row nothing tells what chance did; the choice itself is still worth a label.
                let is_last = next.is_none() && recorded.is_none() && before.is_some();
                let untold = action.filter(|_| is_last && rules.has_chance());
                played = Some(match untold.and_then(|action| self.play_untold(rules, row, action)) {
                    Some(played) => played,
                    None => self.play_move(rules, action.zip(said.action_code()), recorded)?,
                });
            }
            Event::Undo => self.undo(row),
            Event::Reset => self.begin(rules),
            Event::Solved if !self.was_solved && !rules.is_goal(state) => {
                let rule = format!("the log says solved, and the position {} is no goal", rules.format_state(state));
                let fix = "check the goal rule in [rules], and whether the last move is in the log";
                self.notice(row, RowDiagnostic::uncut("solved-but-no-goal", "event", "solved", rule, fix));
            }
            Event::Start | Event::Hint | Event::GiveUp | Event::Solved | Event::NullMove | Event::Limit => {}
        }
        Ok(Step { row: 0, level: 0, before: state, after: self.state, played })
    }

    /// Takes over the position in which a row was made, as far as the log tells it.
    fn settle(&mut self, rules: &dyn Rules, row: usize, is_first: bool, may_pose: bool) -> Result<(), RowDiagnostic> {
        let said = self.log.rows.at(row);
        if let Some(recorded) = filled(said.state_before()) {
            return self.meet_recorded(rules, row, recorded, is_first);
        }
        if !self.is_undrawn {
            return Ok(());
        }
        let is_move = said.event() == Event::Move;
        match filled(said.state_after()).filter(|_| may_pose || !is_move) {
            Some(recorded) => self.begin_at(parse_recorded(rules, recorded, "state_after")?),
            None if is_move => {
                let rule =
                    "chance draws the position in which an attempt at this level starts, and the log does not tell it";
                let fix = "record the position before the first move of each attempt in state_before, or that of its \
                           start event in state_after";
                return Err(RowDiagnostic::uncut("missing-start", "state_before", "", rule, fix));
            }
            None => {}
        }
        Ok(())
    }

    /// Goes back to the position before the last move.
    fn undo(&mut self, row: usize) {
        if self.history.len() > 1 {
            self.history.pop();
        } else {
            let rule = "there is no move to undo: the attempt stands at its start";
            let fix = "look for a move that the log does not have before this row";
            self.notice(row, RowDiagnostic::uncut("undo-at-start", "event", "undo", rule, fix));
        }
        self.state = *self.history.last().unwrap_or(&self.state);
        self.last_piece = None;
    }

    /// `true` if the study tells moves from actions that change nothing, and this is one of those.
    fn is_null_move(&self, rules: &dyn Rules, action: Option<&str>, recorded_after: Option<&str>) -> bool {
        if self.null == NullMoves::Reject {
            return false;
        }
        match action {
            Some(action) if recorded_after.is_none() => rules.is_null_move(self.state, action),
            // A recorded position tells it of actions that the rules do not even allow, such as a step into a wall; a study
            // may want them as failed tries.
            Some(action) => {
                let is_tried = || matches!(rules.play(self.state, action), Err(MoveError::Illegal { .. }));
                self.shows(rules, recorded_after)
                    && (rules.is_null_move(self.state, action) || self.illegal == IllegalMoves::Reject && is_tried())
            }
            None => self.shows(rules, recorded_after),
        }
    }

    /// `true` if a recorded position is the current one.
    fn shows(&self, rules: &dyn Rules, recorded: Option<&str>) -> bool {
        recorded.is_some_and(|text| rules.parse_state(text).is_ok_and(|state| state == self.state))
    }

    /// Compares a recorded position with the replayed one; the first row may set it.
    fn meet_recorded(
        &mut self,
        rules: &dyn Rules,
        row: usize,
        recorded: &str,
        is_first: bool,
    ) -> Result<(), RowDiagnostic> {
        let code = parse_recorded(rules, recorded, "state_before")?;
        let was_undrawn = std::mem::take(&mut self.is_undrawn);
        // One of the drawn starts is no deviation, and is not noted.
        if was_undrawn && rules.starts().iter().any(|&(start, _)| start == code) {
            self.begin_at(code);
            return Ok(());
        }
        if code == self.state {
            return Ok(());
        }
        if !is_first && !was_undrawn {
            let rule = format!("replaying the attempt gives {}", rules.format_state(self.state));
            let fix =
                "look for a move, an undo or a reset that the log does not have between this row and the one before";
            return Err(RowDiagnostic::uncut("position-mismatch", "state_before", recorded, rule, fix));
        }
        let rule = if was_undrawn {
            "the attempt starts from a position that chance cannot draw at this level".to_owned()
        } else {
            let start = rules.format_state(self.state);
            format!("the attempt starts from a position other than the level's, which is {start}")
        };
        let fix = "nothing, if it is meant so";
        self.notice(row, RowDiagnostic::uncut("starts-elsewhere", "state_before", recorded, rule, fix));
        self.begin_at(code);
        Ok(())
    }

    /// Takes the position in which the level starts.
    fn begin(&mut self, rules: &dyn Rules) {
        self.state = rules.start();
        self.history.clear();
        self.history.push(self.state);
        self.last_piece = None;
        self.is_undrawn = rules.is_start_drawn();
    }

    fn begin_at(&mut self, code: StateCode) {
        self.is_undrawn = false;
        self.state = code;
        self.history.clear();
        self.history.push(code);
        // Before the first move nothing was visited, not even the start of the level.
        if self.next_ply == 0 {
            self.visited.clear();
        }
        self.visited.insert(code);
    }

    /// Plays the choice in the last row of an attempt, of which neither it nor a row behind it tells what chance made:
    /// the choice is known, and the position is that before chance has its turn. Nothing where the row tells it, or is
    /// no choice.
    fn play_untold(&mut self, rules: &dyn Rules, row: usize, action: &str) -> Option<Played> {
        if rules.play(self.state, action).is_ok() {
            return None;
        }
        let outcomes = rules.outcomes(self.state);
        // Any outcome will do to find the choice; its position is taken back below.
        let mut ends = outcomes.iter().filter_map(|outcomes| outcomes.first());
        let played = ends.find_map(|(end, _)| rules.play_to(self.state, action, end.next).ok())?;
        let rule = "no row behind it tells what chance made of the last move of the attempt";
        let fix = "nothing, if the attempt ended there: the choice is known, and the position is that before chance \
                   had its turn";
        self.notice(row, RowDiagnostic::uncut("last-chance-unknown", "action", action, rule, fix));
        Some(self.advance(rules, &LegalMove { next: played.after, notation: action.to_owned(), ..played }))
    }

    fn play_move(
        &mut self,
        rules: &dyn Rules,
        action: Option<(&str, u32)>,
        recorded_after: Option<&str>,
    ) -> Result<Played, RowDiagnostic> {
        let played = match (action, recorded_after) {
            (Some((action, code)), _) => match self.move_of(rules, (action, code), recorded_after) {
                Ok(played) => played,
                Err(MoveError::Illegal { .. }) if self.may_be_kept(rules, recorded_after)? => {
                    return Ok(self.kept_illegal());
                }
                Err(error) => return Err(refused_move(action, error)),
            },
            (None, Some(recorded)) => {
                let after = parse_recorded(rules, recorded, "state_after")?;
                let Some(played) = rules.move_between(self.state, after) else {
                    let rule = format!("no single move leads there from {}", rules.format_state(self.state));
                    let fix = "look for moves that the log does not have";
                    return Err(RowDiagnostic::uncut("no-single-move", "state_after", recorded, rule, fix));
                };
                Rc::new(played)
            }
            (None, None) => {
                let rule = "a move needs an action or the position after it";
                let fix = "fill in the action, or give the row the event that it is";
                return Err(RowDiagnostic::uncut("missing-action", "action", "", rule, fix));
            }
        };
        if let (Some((action, _)), Some(recorded)) = (action, recorded_after)
            && parse_recorded(rules, recorded, "state_after")? != played.next
        {
            let rule = format!("the move {action} leads to {}", rules.format_state(played.next));
            let fix = "check which of the two the log has right";
            return Err(RowDiagnostic::uncut("position-mismatch", "state_after", recorded, rule, fix));
        }
        Ok(self.advance(rules, &played))
    }

    /// The move that an action is, whose text has this number.
    fn move_of(
        &mut self,
        rules: &dyn Rules,
        (action, code): (&str, u32),
        recorded_after: Option<&str>,
    ) -> Result<Rc<LegalMove>, MoveError> {
        // With chance one action leads to several positions, so that these moves cannot be shared.
        if let Some(Ok(next)) = recorded_after.map(|text| rules.parse_state(text)) {
            return rules.play_to(self.state, action, next).map(Rc::new);
        }
        let number = match self.known.entry((self.level, self.state, code)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                self.moves.push(Rc::new(rules.play(self.state, action)?));
                *place.insert(self.moves.len() as u32 - 1)
            }
        };
        self.repeated = Some(number);
        Ok(self.moves[number as usize].clone())
    }

    fn advance(&mut self, rules: &dyn Rules, played: &LegalMove) -> Played {
        let before_last = self.history.len().checked_sub(2).map(|index| self.history[index]);
        let step = Played {
            ply: self.next_ply,
            is_legal: true,
            is_after_goal: self.was_solved,
            chosen: played.after,
            cost: played.cost,
            is_undo: before_last == Some(played.next),
            is_revisit: !self.visited.insert(played.next),
            same_piece_as_last: played.piece.and_then(|piece| self.last_piece.map(|last| piece == last)),
        };
        self.was_solved |= rules.is_goal(played.next);
        self.state = played.next;
        self.history.push(played.next);
        self.last_piece = played.piece;
        self.next_ply += 1;
        step
    }

    /// `true` if an illegal move may be kept: the study says so, and no recorded position says that it moved.
    fn may_be_kept(&self, rules: &dyn Rules, recorded_after: Option<&str>) -> Result<bool, RowDiagnostic> {
        let after = recorded_after.map(|text| parse_recorded(rules, text, "state_after")).transpose()?;
        Ok(self.illegal == IllegalMoves::Keep && after.is_none_or(|after| after == self.state))
    }

    fn kept_illegal(&mut self) -> Played {
        let ply = self.next_ply;
        self.next_ply += 1;
        let is_after_goal = self.was_solved;
        Played {
            ply,
            is_legal: false,
            is_after_goal,
            chosen: self.state,
            cost: 0,
            is_undo: false,
            is_revisit: false,
            same_piece_as_last: None,
        }
    }

    pub(super) fn exclude_unknown_level(&mut self, attempt: Range<usize>) {
        let level = self.log.rows.at(attempt.start).level();
        let closest = self
            .levels
            .iter()
            .map(|(id, _)| (strsim::jaro_winkler(level, id), *id))
            .filter(|(likeness, _)| *likeness > 0.8);
        // Only one name is offered: a list of unlike ones would help nobody.
        let closest = closest.max_by(|left, right| left.0.total_cmp(&right.0));
        let hint = closest.map_or_else(String::new, |(_, id)| format!("; did you mean {id:?}?"));
        let rule = format!("the study has no level {level:?}{hint}");
        self.replay.n_excluded += attempt.len() as u64;
        for row in attempt {
            let fix = "add the level to [levels], or correct its name in the log";
            let diagnostic = RowDiagnostic::uncut("unknown-level", "level", level, rule.as_str(), fix);
            self.note(row, Consequence::Excluded, diagnostic);
        }
    }

    /// Excludes the rows of an attempt behind one that was rejected.
    fn exclude(&mut self, rows: Range<usize>, rule: &str) {
        self.replay.n_excluded += rows.len() as u64;
        let fix = "fix that row; these rows will then be included";
        for row in rows {
            let value = self.log.rows.at(row).action().unwrap_or_default();
            let diagnostic = RowDiagnostic::uncut("after-rejected-row", "action", value, rule, fix);
            self.note(row, Consequence::Excluded, diagnostic);
        }
    }

    fn reject(&mut self, row: usize, diagnostic: RowDiagnostic) {
        self.replay.n_rejected += 1;
        self.note(row, Consequence::Rejected, diagnostic);
    }

    fn notice(&mut self, row: usize, diagnostic: RowDiagnostic) {
        self.note(row, Consequence::Kept, diagnostic);
    }

    fn note(&mut self, row: usize, consequence: Consequence, diagnostic: RowDiagnostic) {
        let RowDiagnostic { code, column, value, rule, fix } = diagnostic;
        let place = self.log.rows.at(row).diagnostic(consequence);
        self.replay.diagnostics.push(LogDiagnostic { code, column, value, rule, fix, ..place });
    }
}

fn filled(cell: Option<&str>) -> Option<&str> {
    cell.filter(|text| !text.is_empty())
}

fn parse_recorded(rules: &dyn Rules, text: &str, column: &'static str) -> Result<StateCode, RowDiagnostic> {
    let fix = "write the position as the level's board";
    rules.parse_state(text).map_err(|error| RowDiagnostic::uncut("bad-position", column, text, error.reason, fix))
}

fn refused_move(action: &str, error: MoveError) -> RowDiagnostic {
    let (code, rule, fix) = match error {
        MoveError::Unreadable { expected, .. } => {
            ("unreadable-move", expected, "write the action in the game's notation")
        }
        MoveError::Illegal { reason, .. } => (
            "illegal-move",
            reason,
            "check the level, the notation of moves, and whether a row is missing before this one",
        ),
    };
    RowDiagnostic::uncut(code, "action", action, rule, fix)
}
