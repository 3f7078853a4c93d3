//! From clicks to moves: what each raw row means, given the rows before it.

use super::click::{Click, Hand, LOOK_AT_ROW, read_pegs};
use super::game::{Game, Limit, difference, sum};
use super::imported::{
    FEEDBACK_TASK, Imported, ImportedFile, ImportedRow, LogRow, Micros, PlayedMove, RowOutcome, TOWER_TASKS,
};
use super::levels::Levels;
use super::limits::Limits;
use super::position::Pegs;
use super::read::{Columns, RawFile, RawRow};
use crate::event::Event;
use crate::raw::RowDiagnostic;
use crate::reject::{Consequence, LogDiagnostic};
use std::collections::BTreeMap;

/// Times of one event that differ by more than this are reported.
const CLOCK_TOLERANCE: Micros = Micros(100_000);

/// State of an import: everything that has been read so far.
#[derive(Default)]
pub(super) struct Import {
    files: Vec<ImportedFile>,
    rows: Vec<ImportedRow>,
    games: Vec<Game>,
    diagnostics: Vec<LogDiagnostic>,
    /// The names of the columns in the file that is read.
    columns: Columns,
    /// Number of files of each participant.
    sessions: BTreeMap<String, u32>,
    /// `true` if a game is open: the last of `games`.
    is_open: bool,
    hand: Option<Hand>,
}

fn no_play() -> String {
    format!("no row is one of {}, or to_hand and to_board", TOWER_TASKS.join(", "))
}

impl Import {
    pub fn has_no_games(&self) -> bool {
        self.games.is_empty()
    }

    /// Reason why there is no game.
    pub fn why_no_games(&self) -> String {
        match self.diagnostics.iter().find(|diagnostic| diagnostic.row > 0 && diagnostic.code.starts_with("bad-")) {
            Some(LogDiagnostic { row, column, value, rule, .. }) => {
                format!("no row of play can be used; the first is row {row}, column {column}, {value:?}: {rule}")
            }
            None => no_play(),
        }
    }

    /// Reads the rows of one file, behind those of the files before it.
    pub fn file(&mut self, file: &RawFile) {
        let number = self.files.len();
        self.columns = file.columns;
        let stem = file.name.split('.').next().unwrap_or(&file.name).to_owned();
        let participant = file.rows.iter().find_map(|row| row.participant.clone()).unwrap_or(stem);
        let session = self.sessions.entry(participant.clone()).or_insert(0);
        *session += 1;
        let session = *session;
        let (name, n_rows) = (file.name.clone(), file.rows.len());
        self.files.push(ImportedFile { name, participant: participant.clone(), session, n_rows });
        if session > 1 {
            let rule =
                format!("{participant} has more than one file: this one is session {session}, by the order of names");
            self.note(
                0,
                RowDiagnostic::uncut(
                    "several-sessions",
                    "subject_id",
                    participant.clone(),
                    rule,
                    "nothing, if the person came more than once",
                ),
            );
        }
        let n_games = self.games.len();
        for raw in &file.rows {
            self.row(number, &participant, session, n_games, raw);
        }
        self.end_game();
        if self.games.len() == n_games {
            self.note(
                0,
                RowDiagnostic::uncut("no-games", "task", String::new(), no_play(), "check that the file is complete"),
            );
        }
    }

    fn row(&mut self, file: usize, first: &str, session: u32, n_games: usize, raw: &RawRow) {
        let participant = raw.participant.clone().unwrap_or_else(|| first.to_owned());
        if participant != first && self.rows.last().is_none_or(|last| last.participant != participant) {
            let rule = format!("the file begins with rows of {first}");
            self.note(
                raw.line,
                RowDiagnostic::uncut(
                    "several-participants",
                    "subject_id",
                    participant.clone(),
                    rule,
                    "give each participant one file",
                ),
            );
        }
        let task = raw.task.clone().unwrap_or_default();
        let rt = RawRow::time(raw.rt.as_ref()).ok().flatten();
        self.rows.push(ImportedRow {
            file,
            line: raw.line,
            participant: participant.clone(),
            task: task.clone(),
            outcome: RowOutcome::OtherTask,
            game: None,
            move_index: None,
            rt,
        });
        if let Some(fault) = &raw.fault {
            let diagnostic = RowDiagnostic::uncut(
                "ragged-row",
                "",
                fault.value.clone(),
                fault.rule.clone(),
                "fix the row in its file",
            );
            return self.spoil(raw.line, RowOutcome::Unreadable, diagnostic);
        }
        if TOWER_TASKS.contains(&task.as_str()) {
            // jsPsych writes -1 where nobody responded in time.
            if raw.click.as_deref() == Some("-1") {
                return self.time_up(raw, &participant, session, n_games);
            }
            match self.click(raw) {
                Ok(click) => self.play(raw, click, &participant, session, n_games),
                Err(diagnostic) => {
                    self.spoil(raw.line, RowOutcome::Unreadable, diagnostic);
                    if let Some(game) = self.games.last_mut().filter(|_| self.is_open) {
                        game.last_elapsed = RawRow::time_if_any(raw.elapsed.as_ref());
                    }
                }
            }
        } else if task == FEEDBACK_TASK && self.is_open {
            self.feedback(raw);
        } else {
            self.end_game();
        }
    }

    /// Reads the cells of a row of play.
    fn click(&mut self, raw: &RawRow) -> Result<Click, RowDiagnostic> {
        let position = read_pegs(raw.position.as_ref(), "current_position")?;
        let target = read_pegs(raw.target.as_ref(), "tol_target")?;
        let peg =
            raw.click.as_deref().and_then(|click| click.rsplit('_').next()?.parse::<usize>().ok()?.checked_sub(1));
        let peg = peg.filter(|&peg| peg < position.n_pegs()).ok_or_else(|| {
            let value = raw.click.clone().unwrap_or_default();
            let rule = format!("a click is on a peg from tol_peg_1 to tol_peg_{}", position.n_pegs());
            RowDiagnostic::uncut("bad-peg", "mouse_click", value, rule, LOOK_AT_ROW)
        })?;
        if position.room() != target.room() {
            let value = raw.position.clone().unwrap_or_default();
            let rule = "position and target have different pegs".to_owned();
            return Err(RowDiagnostic::uncut("bad-position", "current_position", value, rule, LOOK_AT_ROW));
        }
        let rt = self.time(raw, raw.rt.as_ref(), "rt");
        let elapsed = self.time(raw, raw.elapsed.as_ref(), "time_elapsed");
        Ok(Click { position, target, peg, rt, elapsed, number: RawRow::whole(raw.number.as_ref()) })
    }

    fn time(&mut self, raw: &RawRow, cell: Option<&String>, column: &'static str) -> Option<Micros> {
        RawRow::time(cell).unwrap_or_else(|()| {
            let value = cell.cloned().unwrap_or_default();
            let rule = "this is no time in milliseconds".to_owned();
            self.note(
                raw.line,
                RowDiagnostic::uncut("bad-time", column, value, rule, "the time is left empty; correct the cell"),
            );
            None
        })
    }

    /// The problem ends with its limit, unless the participant goes on.
    fn time_up(&mut self, raw: &RawRow, participant: &str, session: u32, n_games: usize) {
        let cells = (read_pegs(raw.position.as_ref(), ""), read_pegs(raw.target.as_ref(), ""));
        if let (Ok(position), Ok(target)) = cells
            && position.room() == target.room()
        {
            self.enter(raw, &target, participant, session, n_games);
            if let Some(game) = self.games.last_mut().filter(|_| position.n_balls() == target.n_balls()) {
                game.meet(&position);
            }
        }
        let row = self.rows.len() - 1;
        self.rows[row].outcome = RowOutcome::NoClick;
        let fix = "nothing: the attempt ends with the event limit, unless a click follows";
        let diagnostic = RowDiagnostic::uncut(
            "no-click",
            "mouse_click",
            "-1".to_owned(),
            "the time was up before a peg was clicked".to_owned(),
            fix,
        );
        self.note(raw.line, diagnostic);
        let number = self.games.len().checked_sub(1);
        let Some(game) = self.games.last_mut().filter(|_| self.is_open) else { return };
        self.rows[row].game = number;
        game.waiting_rows.push(row);
        let onset = RawRow::time_if_any(raw.elapsed.as_ref());
        let last = std::mem::replace(&mut game.last_elapsed, onset);
        let by_clock = onset.zip(last).and_then(|(now, last)| difference(now, last));
        let recorded = RawRow::time_if_any(raw.duration.as_ref());
        // The task has a row for each half of a move, and may write a second one when the time is up already.
        game.limit.get_or_insert(Limit { line: raw.line, is_of_time: true, onset, recorded, by_clock });
    }

    /// Goes on with the open game, or begins another one where the row is of another problem.
    fn enter(&mut self, raw: &RawRow, target: &Pegs, participant: &str, session: u32, n_games: usize) {
        let task = raw.task.as_deref().unwrap_or_default();
        let problem = raw.problem.clone().unwrap_or_default();
        let condition = if task == "tol_practice" { "practice" } else { "test" };
        let is_same = |game: &Game| {
            let key = (game.participant.as_str(), &game.problem, &game.target, game.condition);
            key == (participant, &problem, target, condition)
        };
        // Feedback may be missing, so that another problem ends the one before it too.
        if self.is_open && !self.games.last().is_some_and(is_same) {
            self.end_game();
        }
        if !self.is_open {
            self.open_game(participant, session, condition, problem, target, n_games);
        }
        let number = self.games.len() - 1;
        if let Some(row) = self.rows.last_mut() {
            row.game = Some(number);
        }
        if let Some(min_moves) = RawRow::whole(raw.min_moves.as_ref()) {
            self.games[number].min_moves = Some(min_moves);
        }
    }

    fn play(&mut self, raw: &RawRow, click: Click, participant: &str, session: u32, n_games: usize) {
        let task = raw.task.as_deref().unwrap_or_default();
        self.enter(raw, &click.target, participant, session, n_games);
        self.check_clock(raw, &click);
        if let Some(game) = self.games.last_mut()
            && let Some(limit) = game.limit.take()
        {
            // Whoever clicks again was not stopped; the next move took that time too.
            game.waiting = sum(game.waiting, limit.recorded.or(limit.by_clock));
        }
        if self.is_idle(&click, task) {
            return self.idle(click);
        }
        // Rows of practice are of one task, so that only the number of balls tells a pick from a drop.
        let is_pick = click.position.n_balls() + 1 == click.target.n_balls();
        let is_drop = click.position.n_balls() == click.target.n_balls();
        let contradicts = match task {
            "tol_tohand" => !is_pick,
            "tol_toboard" => !is_drop,
            _ => !is_pick && !is_drop,
        };
        if contradicts {
            let (held, all) = (click.position.n_balls(), click.target.n_balls());
            let rule = format!("the position has {held} balls of {all}, which does not fit the task {task}");
            let value = raw.position.clone().unwrap_or_default();
            return self.spoil(
                raw.line,
                RowOutcome::Contradiction,
                RowDiagnostic::uncut("task-contradicts-position", "current_position", value, rule, LOOK_AT_ROW),
            );
        }
        if is_pick { self.pick(raw, click) } else { self.drop(raw, click) }
    }

    fn open_game(
        &mut self,
        participant: &str,
        session: u32,
        condition: &'static str,
        problem: String,
        target: &Pegs,
        n_games: usize,
    ) {
        self.is_open = true;
        self.games.push(Game {
            file: self.files.len() - 1,
            participant: participant.to_owned(),
            session,
            condition,
            problem,
            number_in_file: (self.games.len() - n_games + 1) as u32,
            target: target.clone(),
            start: None,
            first_known: None,
            current: None,
            moves: Vec::new(),
            solved: None,
            limit: None,
            recorded_time: None,
            min_moves: None,
            waiting: Some(Micros(0)),
            n_put_backs: 0,
            waiting_rows: Vec::new(),
            recorded_number: None,
            last_elapsed: None,
        });
    }

    /// Compares the recorded duration with the clock of the experiment, within a game.
    fn check_clock(&mut self, raw: &RawRow, click: &Click) {
        let Some(game) = self.games.last_mut() else { return };
        let last = std::mem::replace(&mut game.last_elapsed, click.elapsed);
        let (Some(last), Some(now), Some(rt)) = (last, click.elapsed, click.rt) else { return };
        let difference = Micros(now.0 - last.0 - rt.0);
        if difference.0.abs() > CLOCK_TOLERANCE.0 {
            let rule = format!(
                "time_elapsed went on by {} s since the row before, and rt is {} s",
                Micros(now.0 - last.0),
                rt
            );
            let fix =
                "nothing, or leave the move out of analyses of time: rt_s follows rt, onset_s follows time_elapsed";
            let value = raw.rt.clone().unwrap_or_default();
            self.note(raw.line, RowDiagnostic::uncut("clock-disagrees", "rt", value, rule, fix));
        }
    }

    /// `true` if a click can have had no effect: on an empty peg, or on a full one with a ball in the hand.
    fn is_idle(&self, click: &Click, task: &str) -> bool {
        match &self.hand {
            Some(hand) => click.position == hand.lifted && hand.lifted.with(hand.ball, click.peg).is_none(),
            None => {
                let current = self.games.last().and_then(|game| game.current.as_ref());
                let is_whole = click.position.n_balls() == click.target.n_balls();
                let is_here = current.is_none_or(|current| *current == click.position);
                task != "tol_toboard" && is_whole && is_here && click.position.is_empty(click.peg)
            }
        }
    }

    /// A click without effect: its time is left to the next move.
    fn idle(&mut self, click: Click) {
        let row = self.rows.len() - 1;
        self.rows[row].outcome = RowOutcome::Idle;
        self.wait(&[row], click.rt);
        if let Some(game) = self.games.last_mut().filter(|_| self.hand.is_none()) {
            game.meet(&click.position);
        }
    }

    fn pick(&mut self, raw: &RawRow, click: Click) {
        self.abandon_hand();
        let value = || raw.position.clone().unwrap_or_default();
        let ball = click.position.missing_of(&click.target);
        let Some((ball, before)) = ball.and_then(|ball| Some((ball, click.position.with(ball, click.peg)?))) else {
            let rule = format!("no position from which a ball was taken off peg {} is like this", click.peg + 1);
            return self.spoil(
                raw.line,
                RowOutcome::Contradiction,
                RowDiagnostic::uncut("impossible-pick", "current_position", value(), rule, LOOK_AT_ROW),
            );
        };
        let Some(game) = self.games.last_mut() else { return };
        let jump = game.current.as_ref().filter(|current| **current != before).map(Pegs::notation);
        game.meet(&before);
        game.current = Some(before.clone());
        // The count of practice runs on through its problems.
        let expected = game.recorded_number.map(|number| number + 1).or((game.condition == "test").then_some(1));
        let miscounted = expected.zip(click.number).filter(|(expected, number)| expected != number);
        game.recorded_number = click.number;
        if let Some((expected, number)) = miscounted {
            let rule = format!("the task counts this as number {number} of the problem, and it is number {expected}");
            let fix = "look for rows that are missing before this one";
            self.note(
                raw.line,
                RowDiagnostic::uncut("move-count", "tol_num_moves_made", number.to_string(), rule, fix),
            );
        }
        if let Some(current) = jump {
            let rule = format!("the rows before lead to {current}, and this row comes from {}", before.notation());
            let fix = "look for rows that are missing before this one";
            self.note(raw.line, RowDiagnostic::uncut("position-jump", "current_position", value(), rule, fix));
        }
        let (row, recorded_number) = (self.rows.len() - 1, click.number);
        let (lifted, from) = (click.position, click.peg);
        self.hand = Some(Hand { ball, from, lifted, before, row, rt: click.rt, recorded_number });
    }

    fn drop(&mut self, raw: &RawRow, click: Click) {
        let value = || raw.position.clone().unwrap_or_default();
        let row = self.rows.len() - 1;
        let Some(game) = self.games.last_mut() else { return };
        let Some(hand) = self.hand.take() else {
            game.current = Some(click.position);
            game.waiting = None;
            let rule = "no ball is in the hand: the row before is no pick".to_owned();
            return self.spoil(
                raw.line,
                RowOutcome::DropWithoutPick,
                RowDiagnostic::uncut(
                    "drop-without-pick",
                    "task",
                    raw.task.clone().unwrap_or_default(),
                    rule,
                    LOOK_AT_ROW,
                ),
            );
        };
        game.current = Some(click.position.clone());
        let time = sum(hand.rt, click.rt);
        // The recorded position is believed, not the click: the rows behind it start from it.
        if hand.lifted.with(hand.ball, click.peg).as_ref() != Some(&click.position) {
            let rule =
                format!("a ball from {} that goes to peg {} does not lead here", hand.lifted.notation(), click.peg + 1);
            self.rows[hand.row].outcome = RowOutcome::Contradiction;
            self.wait(&[hand.row], hand.rt);
            return self.spoil(
                raw.line,
                RowOutcome::Contradiction,
                RowDiagnostic::uncut("impossible-drop", "current_position", value(), rule, LOOK_AT_ROW),
            );
        }
        if click.peg == hand.from {
            game.n_put_backs += 1;
            self.rows[hand.row].outcome = RowOutcome::PutBackPick;
            self.rows[row].outcome = RowOutcome::PutBackDrop;
            return self.wait(&[hand.row, row], time);
        }
        // Thought goes on while a ball is lifted and put back: its time is that of the move that is made at last.
        let put_back = game.waiting.replace(Micros(0));
        let index = game.moves.len() as u64;
        let played = PlayedMove {
            index,
            action: format!("{}>{}", hand.from + 1, click.peg + 1),
            before: hand.before.notation(),
            after: click.position.notation(),
            onset: click.elapsed,
            rt: sum(put_back, time),
            pick: hand.rt,
            drop: click.rt,
            n_put_backs: std::mem::take(&mut game.n_put_backs),
            put_back,
            recorded_number: hand.recorded_number,
            recorded_min_moves: game.min_moves,
            pick_line: self.rows[hand.row].line,
        };
        game.moves.push((played, raw.line));
        let waited = std::mem::take(&mut game.waiting_rows);
        waited.into_iter().chain([hand.row, row]).for_each(|row| self.rows[row].move_index = Some(index));
        (self.rows[hand.row].outcome, self.rows[row].outcome) = (RowOutcome::Pick, RowOutcome::Drop);
    }

    /// Leaves the time of rows to the next move.
    fn wait(&mut self, rows: &[usize], time: Option<Micros>) {
        if let Some(game) = self.games.last_mut() {
            game.waiting = sum(game.waiting, time);
            game.waiting_rows.extend(rows);
        }
    }

    /// Feedback ends a game.
    fn feedback(&mut self, raw: &RawRow) {
        self.abandon_hand();
        let correct = raw.correct.as_deref().map(str::to_ascii_lowercase);
        let (row, number) = (self.rows.len() - 1, self.games.len() - 1);
        let Some(game) = self.games.last_mut() else { return };
        if game.first_known.is_none() {
            let rule = "no row of the problem before it can be used".to_owned();
            let value = raw.correct.clone().unwrap_or_default();
            self.is_open = false;
            return self.spoil(
                raw.line,
                RowOutcome::Contradiction,
                RowDiagnostic::uncut("feedback-without-play", "task", value, rule, LOOK_AT_ROW),
            );
        }
        self.rows[row].game = Some(number);
        let game_ends_on_target = game.current.as_ref() == Some(&game.target);
        // Spellings of true by JavaScript, R and pandas.
        let is_solved = matches!(correct.as_deref(), Some("true" | "1" | "1.0"));
        let value = raw.correct.clone().unwrap_or_default();
        if is_solved {
            game.solved = Some(raw.line);
            self.rows[row].outcome = RowOutcome::Solved;
        } else {
            self.rows[row].outcome = RowOutcome::NotSolved;
            game.end_unsolved(raw);
            let rule = "the feedback does not say that the problem was solved".to_owned();
            let fix = "nothing: the attempt ends with the event limit";
            self.note(raw.line, RowDiagnostic::uncut("not-solved", "tol_correct", value.clone(), rule, fix));
        }
        if is_solved != game_ends_on_target {
            let what = if game_ends_on_target { "the target" } else { "another position than the target" };
            let rule = format!("the feedback says {value:?}, and the moves lead to {what}");
            let fix = "look for rows that are missing before this one";
            self.note(raw.line, RowDiagnostic::uncut("feedback-contradicts-position", "tol_correct", value, rule, fix));
        }
        self.is_open = false;
    }

    /// Ends a game for which no feedback came.
    fn end_game(&mut self) {
        self.abandon_hand();
        if std::mem::replace(&mut self.is_open, false)
            && let Some(game) = self.games.last()
        {
            let rule = format!("no feedback follows problem {:?} of {}", game.problem, game.participant);
            let file = game.file;
            let last =
                self.rows.iter().rev().find(|row| row.file == file && row.game.is_some()).map_or(0, |row| row.line);
            let fix = "nothing: the attempt stays as it is; check that the file is complete";
            self.note(last, RowDiagnostic::uncut("no-feedback", "task", String::new(), rule, fix));
        }
    }

    /// A ball in the hand that is never put down.
    fn abandon_hand(&mut self) {
        let Some(hand) = self.hand.take() else { return };
        self.rows[hand.row].outcome = RowOutcome::PickWithoutDrop;
        let line = self.rows[hand.row].line;
        let task = self.rows[hand.row].task.clone();
        let rule = format!("ball taken off peg {}, and no drop follows", hand.from + 1);
        let fix = "its time is counted with the next move, or with the end of the problem";
        self.note(line, RowDiagnostic::uncut("pick-without-drop", "task", task, rule, fix));
        self.wait(&[hand.row], hand.rt);
    }

    /// Says that the last row cannot be used.
    fn spoil(&mut self, line: u64, outcome: RowOutcome, diagnostic: RowDiagnostic) {
        let row = self.rows.len() - 1;
        self.rows[row].outcome = outcome;
        self.say(line, diagnostic, Consequence::Rejected);
        if self.is_open {
            self.rows[row].game = Some(self.games.len() - 1);
            self.wait(&[row], self.rows[row].rt);
        }
    }

    fn note(&mut self, line: u64, diagnostic: RowDiagnostic) {
        self.say(line, diagnostic, Consequence::Kept);
    }

    fn say(&mut self, line: u64, mut diagnostic: RowDiagnostic, consequence: Consequence) {
        diagnostic.column = self.columns.name_of(&diagnostic.column).to_owned();
        let file = self.files.last().map_or("", |file| &file.name);
        self.diagnostics.push(LogDiagnostic::new(diagnostic, consequence, file, line));
    }

    /// Names the levels and numbers the attempts.
    pub fn finish(mut self) -> Imported {
        let mut levels = Levels::of(&self.games);
        levels.report(&mut self.diagnostics);
        let limits = Limits::of(&self.games);
        limits.report(&self.games, &self.files, &mut self.diagnostics);
        let mut attempts: BTreeMap<(String, u32, String), u32> = BTreeMap::new();
        let mut log = Vec::new();
        for (number, game) in self.games.into_iter().enumerate() {
            let Some(level) = levels.of_game[number] else { continue };
            let id = levels.levels[level].id.clone();
            levels.count(level, &game);
            let attempt = attempts.entry((game.participant.clone(), game.session, id.clone())).or_insert(0);
            *attempt += 1;
            let rest = game.rest(&self.rows, limits.of_game[number]);
            let row = |event, line, played, rest| LogRow {
                game: number,
                participant: game.participant.clone(),
                session: game.session,
                level: id.clone(),
                attempt: *attempt,
                condition: game.condition,
                problem: game.problem.clone(),
                problem_number: game.number_in_file,
                event,
                played,
                rest,
                file: game.file,
                line,
            };
            let moves = game.moves.iter().map(|(played, line)| row(Event::Move, *line, Some(played.clone()), None));
            let solved = game.solved.map(|line| row(Event::Solved, line, None, None));
            let rest = rest.map(|(event, line, rest)| row(event, line, None, Some(rest)));
            log.extend(moves.chain(solved).chain(rest));
        }
        Imported { files: self.files, levels: levels.levels, log, rows: self.rows, diagnostics: self.diagnostics }
    }
}
