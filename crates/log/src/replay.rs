//! Replay: what each logged row did to the position.
//!
//! Each attempt is played from the start of its level, or from the position that its first row records.
//! The first row that cannot be played is rejected, and the rest of its attempt is excluded: what came
//! after it happened in a position that nobody knows. Every such row becomes a [`LogIssue`].
//!
//! # Invariant
//!
//! Rows are conserved: every row of the canonical log is replayed, rejected or excluded.

use super::canonical::CanonicalRow;
use super::event::Event;
use super::log::Log;
use super::reject::{Consequence, LogIssue};
use super::spec::{IllegalMoves, LogSpec, NullMoves};
use foldhash::fast::RandomState;
use plymap_puzzles::game::{MoveError, StateCode};
use plymap_puzzles::rules::{LegalMove, Rules};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// The rows of a log that could be replayed, in the order of the log.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// What each replayed row did.
    pub steps: Vec<Step>,
    /// For each of these a number, counted from 0, that only moves share which did the same; nothing where that is not known.
    pub moves: Vec<Option<u32>>,
    /// Why the other rows were rejected or excluded, and what else was noticed.
    pub issues: Vec<LogIssue>,
    /// Rows that could not be played.
    pub n_rejected: u64,
    /// Rows after a row that could not be played, and rows that belong to no game; labels add those off the map.
    pub n_excluded: u64,
}

impl Replay {
    /// Adds what was said of other rows of the same log, whose steps were taken.
    pub fn append(&mut self, other: Self) {
        self.issues.extend(other.issues);
        self.n_rejected += other.n_rejected;
        self.n_excluded += other.n_excluded;
    }
}

/// What one row of a log did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of the row in the canonical log.
    pub row: u32,
    /// Number of the level among those that the caller gave.
    pub level: u32,
    /// Position before the row.
    pub before: StateCode,
    /// Position after the row.
    pub after: StateCode,
    /// The move, where the row is one; a logged move without it changed nothing.
    pub played: Option<Played>,
}

/// One move of a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Number of the move within its attempt, from 0.
    pub ply: u32,
    /// Whether the rules allow it; `false` only where illegal moves are kept.
    pub is_legal: bool,
    /// The position that the player chose, before chance had its turn; `Step::after` in games without chance.
    pub chosen: StateCode,
    /// Its cost in the level's metric; where values are points, what it gains.
    pub cost: u32,
    /// Whether the attempt had solved the level before it.
    pub is_after_goal: bool,
    /// Whether it leads back to the position before the previous move.
    pub is_undo: bool,
    /// Whether the attempt has been in the position after it before.
    pub is_revisit: bool,
    /// Whether it moves the same piece as the previous move; absent on the first move, and in games
    /// without pieces.
    pub same_piece_as_last: Option<bool>,
}

/// Replays rows of a log, which are whole attempts, on the levels that it names, as `spec` says what is to be done with
/// moves that are none.
///
/// # Panics
///
/// If the log does not have so many rows.
pub fn replay(log: &Log, rows: Range<usize>, levels: &[(&str, &dyn Rules)], spec: &LogSpec) -> Replay {
    let numbers: HashMap<&str, usize> = levels.iter().enumerate().map(|(number, (id, _))| (*id, number)).collect();
    let mut player = Player::new(log, levels, spec);
    player.replay.steps.reserve(rows.len());
    player.replay.moves.reserve(rows.len());
    for attempt in log.rows.attempts(rows) {
        match numbers.get(log.rows.at(attempt.start).level()) {
            Some(&level) => player.play(level, attempt),
            None => player.exclude_unknown_level(attempt),
        }
    }
    player.replay
}

/// Why a row could not be played.
struct Refusal {
    code: &'static str,
    column: &'static str,
    value: String,
    rule: String,
    fix: &'static str,
}

/// Plays attempts, one after the other.
struct Player<'a> {
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
    /// Whether the position is one that chance draws and no row has recorded yet.
    is_undrawn: bool,
    next_ply: u32,
    /// Numbers of moves, by level, position and number of the text of the action: most come again and again.
    known: HashMap<(usize, StateCode, u32), u32, RandomState>,
    /// These moves.
    moves: Vec<Rc<LegalMove>>,
    /// Which of these the last row was.
    repeated: Option<u32>,
    replay: Replay,
}

impl<'a> Player<'a> {
    fn new(log: &'a Log, levels: &'a [(&'a str, &'a dyn Rules)], spec: &LogSpec) -> Self {
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

    fn play(&mut self, level: usize, attempt: Range<usize>) {
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
            self.repeated = None;
            let next = (row + 1 < attempt.end).then_some(row + 1);
            match self.play_row(rules, row, row == first, next) {
                Ok(step) => {
                    self.replay.steps.push(Step { row: row as u32, level: level as u32, ..step });
                    self.replay.moves.push(self.repeated);
                }
                Err(refusal) => {
                    let at = self.log.rows.at(row);
                    let place = format!("row {} of {}", at.line(), at.file_name());
                    self.reject(row, refusal);
                    return self.exclude(row + 1..attempt.end, &format!("{place} of the same attempt was rejected"));
                }
            }
        }
    }

    /// Why nobody knows the position of this row, if the reader rejected one before it.
    fn broken_before(&self, row: usize) -> Option<String> {
        let place = self.log.behind_rejected.get(&row)?;
        let file = self.log.files.get(place.file).map(|file| file.path.display().to_string()).unwrap_or_default();
        Some(match place.is_of_attempt {
            true => format!("row {} of {file} of the same attempt was rejected", place.row),
            false => format!("row {} of {file} cannot be read and may belong to this attempt", place.row),
        })
    }

    /// The position that a row leads to, where it does not say so itself and chance had its turn: that in which the `next`
    /// row of the attempt was made.
    fn told_by_next(&self, rules: &dyn Rules, row: usize, next: Option<usize>) -> Option<&'a str> {
        if !rules.has_chance() || self.log.rows.at(row).state_after().is_some_and(|text| !text.is_empty()) {
            return None;
        }
        self.log.rows.at(next?).state_before().filter(|text| !text.is_empty())
    }

    fn play_row(
        &mut self,
        rules: &dyn Rules,
        row: usize,
        is_first: bool,
        next: Option<usize>,
    ) -> Result<Step, Refusal> {
        let said = self.log.rows.at(row);
        let text = |cell: fn(CanonicalRow<'a>) -> Option<&'a str>| cell(said).filter(|text| !text.is_empty());
        let event = said.event();
        let is_alone = text(CanonicalRow::action).is_none() && text(CanonicalRow::state_before).is_none();
        let may_pose = is_first && event == Event::Move && is_alone;
        if let Some(recorded) = text(CanonicalRow::state_before) {
            self.meet_recorded(rules, row, recorded, is_first)?;
        } else if let Some(recorded) =
            text(CanonicalRow::state_after).filter(|_| self.is_undrawn && (may_pose || event != Event::Move))
        {
            self.begin_at(parse_recorded(rules, recorded, "state_after")?);
        } else if self.is_undrawn && event == Event::Move {
            return Err(Refusal {
                code: "missing-start",
                column: "state_before",
                value: String::new(),
                rule:
                    "chance draws the position in which an attempt at this level starts, and the log does not tell it"
                        .to_owned(),
                fix: "record the position before the first move of each attempt in state_before, or that of its start event in state_after",
            });
        }
        let before = self.state;
        let step = |after, played| Step { row: 0, level: 0, before, after, played };
        match event {
            Event::Move if may_pose && self.shows(rules, text(CanonicalRow::state_after)) => {
                self.note(
                    row,
                    Consequence::Kept,
                    Refusal {
                        code: "posed-position",
                        column: "state_after",
                        value: text(CanonicalRow::state_after).unwrap_or_default().to_owned(),
                        rule: "the attempt begins with the position that was posed, which nobody moved to".to_owned(),
                        fix: "nothing, if it is meant so: the row counts as a start",
                    },
                );
            }
            Event::Move if self.is_null_move(rules, text(CanonicalRow::action), text(CanonicalRow::state_after)) => {
                let refusal = Refusal {
                    code: "null-move",
                    column: "action",
                    value: text(CanonicalRow::action).unwrap_or_default().to_owned(),
                    rule: "the action changes nothing, and is no move".to_owned(),
                    fix: match self.null {
                        NullMoves::Keep => "nothing, if it is meant so: its time is its own",
                        _ => "nothing, if it is meant so: its time is part of that of the next move",
                    },
                };
                self.note(row, Consequence::Kept, refusal);
            }
            Event::Move => {
                self.was_solved |= rules.is_goal(before);
                let action = text(CanonicalRow::action).zip(said.action_code());
                let recorded = text(CanonicalRow::state_after).or_else(|| self.told_by_next(rules, row, next));
                let is_last = next.is_none() && recorded.is_none() && text(CanonicalRow::state_before).is_some();
                let untold = action.filter(|_| is_last && rules.has_chance());
                let played = match untold.and_then(|(action, _)| self.play_untold(rules, row, action)) {
                    Some(played) => played,
                    None => self.play_move(rules, action, recorded)?,
                };
                return Ok(step(self.state, Some(played)));
            }
            Event::Undo => {
                if self.history.len() > 1 {
                    self.history.pop();
                } else {
                    let rule = "there is no move to undo: the attempt stands at its start".to_owned();
                    self.note(
                        row,
                        Consequence::Kept,
                        Refusal {
                            code: "undo-at-start",
                            column: "event",
                            value: "undo".to_owned(),
                            rule,
                            fix: "look for a move that the log does not have before this row",
                        },
                    );
                }
                self.state = *self.history.last().unwrap_or(&before);
                self.last_piece = None;
            }
            Event::Reset => self.begin(rules),
            Event::Solved if !self.was_solved && !rules.is_goal(self.state) => {
                let rule =
                    format!("the log says solved, and the position {} is no goal", rules.format_state(self.state));
                let fix = "check the goal rule in [rules], and whether the last move is in the log";
                self.note(
                    row,
                    Consequence::Kept,
                    Refusal { code: "solved-but-no-goal", column: "event", value: "solved".to_owned(), rule, fix },
                );
            }
            Event::Start | Event::Hint | Event::GiveUp | Event::Solved | Event::NullMove | Event::Limit => {}
        }
        Ok(step(self.state, None))
    }

    /// Whether the study tells moves from actions that change nothing, and this is one of those.
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

    /// Whether a recorded position is the current one.
    fn shows(&self, rules: &dyn Rules, recorded: Option<&str>) -> bool {
        recorded.is_some_and(|text| rules.parse_state(text).is_ok_and(|state| state == self.state))
    }

    /// Compares a recorded position with the replayed one; the first row may set it.
    fn meet_recorded(&mut self, rules: &dyn Rules, row: usize, recorded: &str, is_first: bool) -> Result<(), Refusal> {
        let code = parse_recorded(rules, recorded, "state_before")?;
        let was_undrawn = std::mem::take(&mut self.is_undrawn);
        if was_undrawn && rules.starts().iter().any(|&(start, _)| start == code) {
            self.begin_at(code);
            return Ok(());
        }
        if code == self.state {
            return Ok(());
        }
        if !is_first && !was_undrawn {
            return Err(Refusal {
                code: "position-mismatch",
                column: "state_before",
                value: recorded.to_owned(),
                rule: format!("replaying the attempt gives {}", rules.format_state(self.state)),
                fix: "look for a move, an undo or a reset that the log does not have between this row and the one before",
            });
        }
        let rule = if was_undrawn {
            "the attempt starts from a position that chance cannot draw at this level".to_owned()
        } else {
            let start = rules.format_state(self.state);
            format!("the attempt starts from a position other than the level's, which is {start}")
        };
        let value = recorded.to_owned();
        self.note(
            row,
            Consequence::Kept,
            Refusal {
                code: "starts-elsewhere",
                column: "state_before",
                value,
                rule,
                fix: "nothing, if it is meant so",
            },
        );
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

    /// Plays the choice in the last row of an attempt, of which neither it nor a row behind it tells what chance made: the
    /// choice is known, and the position is that before chance has its turn. Nothing where the row tells it, or is no choice.
    fn play_untold(&mut self, rules: &dyn Rules, row: usize, action: &str) -> Option<Played> {
        if rules.play(self.state, action).is_ok() {
            return None;
        }
        let outcomes = rules.outcomes(self.state);
        let mut ends = outcomes.iter().filter_map(|outcomes| outcomes.first());
        let played = ends.find_map(|(end, _)| rules.play_to(self.state, action, end.next).ok())?;
        let refusal = Refusal {
            code: "last-chance-unknown",
            column: "action",
            value: action.to_owned(),
            rule: "no row behind it tells what chance made of the last move of the attempt".to_owned(),
            fix: "nothing, if the attempt ended there: the choice is known, and the position is that before chance had its turn",
        };
        self.note(row, Consequence::Kept, refusal);
        Some(self.advance(rules, &LegalMove { next: played.after, notation: action.to_owned(), ..played }))
    }

    fn play_move(
        &mut self,
        rules: &dyn Rules,
        action: Option<(&str, u32)>,
        recorded_after: Option<&str>,
    ) -> Result<Played, Refusal> {
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
                let played = rules.move_between(self.state, after).ok_or_else(|| Refusal {
                    code: "no-single-move",
                    column: "state_after",
                    value: recorded.to_owned(),
                    rule: format!("no single move leads there from {}", rules.format_state(self.state)),
                    fix: "look for moves that the log does not have",
                })?;
                Rc::new(played)
            }
            (None, None) => {
                return Err(Refusal {
                    code: "missing-action",
                    column: "action",
                    value: String::new(),
                    rule: "a move needs an action or the position after it".to_owned(),
                    fix: "fill in the action, or give the row the event that it is",
                });
            }
        };
        if let (Some((action, _)), Some(recorded)) = (action, recorded_after)
            && parse_recorded(rules, recorded, "state_after")? != played.next
        {
            return Err(Refusal {
                code: "position-mismatch",
                column: "state_after",
                value: recorded.to_owned(),
                rule: format!("the move {action} leads to {}", rules.format_state(played.next)),
                fix: "check which of the two the log has right",
            });
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

    /// Whether an illegal move may be kept: the study says so, and no recorded position says that it moved.
    fn may_be_kept(&self, rules: &dyn Rules, recorded_after: Option<&str>) -> Result<bool, Refusal> {
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

    fn exclude_unknown_level(&mut self, attempt: Range<usize>) {
        let level = self.log.rows.at(attempt.start).level();
        let closest = self
            .levels
            .iter()
            .map(|(id, _)| (strsim::jaro_winkler(level, id), *id))
            .filter(|(likeness, _)| *likeness > 0.8);
        let closest = closest.max_by(|one, other| one.0.total_cmp(&other.0));
        let hint = closest.map_or_else(String::new, |(_, id)| format!("; did you mean {id:?}?"));
        let rule = format!("the study has no level {level:?}{hint}");
        self.replay.n_excluded += attempt.len() as u64;
        for row in attempt {
            let value = level.to_owned();
            let fix = "add the level to [levels], or correct its name in the log";
            self.note(
                row,
                Consequence::Excluded,
                Refusal { code: "unknown-level", column: "level", value, rule: rule.clone(), fix },
            );
        }
    }

    /// Excludes the rows of an attempt behind one that was rejected.
    fn exclude(&mut self, rows: Range<usize>, rule: &str) {
        self.replay.n_excluded += rows.len() as u64;
        let fix = "fix that row; these rows will then be included";
        for row in rows {
            let value = self.log.rows.at(row).action().unwrap_or_default().to_owned();
            self.note(
                row,
                Consequence::Excluded,
                Refusal { code: "after-rejected-row", column: "action", value, rule: rule.to_owned(), fix },
            );
        }
    }

    fn reject(&mut self, row: usize, refusal: Refusal) {
        self.replay.n_rejected += 1;
        self.note(row, Consequence::Rejected, refusal);
    }

    fn note(&mut self, row: usize, consequence: Consequence, refusal: Refusal) {
        self.replay.issues.push(LogIssue {
            code: refusal.code.into(),
            column: refusal.column.to_owned(),
            value: refusal.value,
            rule: refusal.rule,
            fix: refusal.fix.to_owned(),
            ..self.log.rows.at(row).issue(consequence)
        });
    }
}

fn parse_recorded(rules: &dyn Rules, text: &str, column: &'static str) -> Result<StateCode, Refusal> {
    rules.parse_state(text).map_err(|error| Refusal {
        code: "bad-position",
        column,
        value: text.to_owned(),
        rule: error.reason,
        fix: "write the position as the level's board",
    })
}

fn refused_move(action: &str, error: MoveError) -> Refusal {
    let value = action.to_owned();
    match error {
        MoveError::Unreadable { expected, .. } => Refusal {
            code: "unreadable-move",
            column: "action",
            value,
            rule: expected,
            fix: "write the action in the game's notation",
        },
        MoveError::Illegal { reason, .. } => Refusal {
            code: "illegal-move",
            column: "action",
            value,
            rule: reason,
            fix: "check the level, the notation of moves, and whether a row is missing before this one",
        },
    }
}
