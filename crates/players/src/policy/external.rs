//! Policies that are programs of their own, in any language.
//!
//! One process plays each level. It reads one JSON object a line, and answers each `choose` with one line;
//! `docs/policies.md` describes the protocol. A program that breaks it is disqualified: it plays no more, and the
//! reason is told.
//!
//! The clock decides only whether an answer comes too late. A program may do whatever its user may do, so it is
//! no less and no more safe than when it is started by hand.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::disqualification::Disqualification;
use super::error::PolicyError;
use super::kind::{Kind, SpecError};
use super::rule::{Policy, PolicyState};
use super::situation::{Ending, History, LevelContext, Previous, Situation};
use super::weights::certain;
use crate::parameter::{ParameterError, within};
use plymap_puzzles::game::StateCode;

mod lines;
mod program;

use lines::{lines, shortened};

use program::Program;

/// The version of the protocol, as `start` tells it.
pub const PROTOCOL: u32 = 1;

/// Policy that asks a program for each move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct External {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Time limit of an answer, in seconds; 1 by default.
    pub time_limit_s: f64,
    /// Time limit of the first answer, in which the program also starts, in seconds; 10 by default.
    pub start_limit_s: f64,
    /// The folder in which it is started, that of the study; empty for that in which plymap was started.
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Default for External {
    fn default() -> Self {
        Self { command: Vec::new(), time_limit_s: 1.0, start_limit_s: 10.0, folder: PathBuf::new() }
    }
}

impl External {
    /// The name of the kind in studies.
    pub(crate) const WORD: &'static str = "external";

    /// The policy of a command that is started in `folder`, with default limits.
    pub fn new(command: Vec<String>, folder: PathBuf) -> Self {
        Self { command, folder, ..Self::default() }
    }
}

impl Policy for External {
    fn kind(&self) -> &'static str {
        Self::NAME
    }

    fn describe(&self) -> String {
        format!("by the program `{}`", self.command.join(" "))
    }

    fn check(&self) -> Result<(), ParameterError> {
        within("time-limit-s", self.time_limit_s, 0.001, 86_400.0)?;
        within("start-limit-s", self.start_limit_s, 0.001, 86_400.0)
    }

    fn needs_oracle(&self) -> bool {
        false
    }

    fn start_level<'a>(&'a self, context: &LevelContext<'a>) -> Result<Box<dyn PolicyState + 'a>, PolicyError> {
        let program = Program::start(&self.command, &self.folder);
        let program = program.map_err(|reason| self.disqualified(reason))?;
        let start = json!({
            "type": "start", "protocol": PROTOCOL, "game": context.game, "level": context.level, "seed": context.seed,
            "unit": context.rules.unit().name(),
        });
        program.tell(&start);
        let context = *context;
        Ok(Box::new(ProgramState { policy: self, context, program, n_attempts: 0, has_answered: false, failure: None }))
    }
}

impl External {
    fn disqualified(&self, reason: Disqualification) -> PolicyError {
        PolicyError::Disqualified { program: self.command.join(" "), reason }
    }
}

impl Kind for External {
    const NAME: &'static str = Self::WORD;
    const MEANING: &'static str = "a program that speaks a protocol of lines";
    const ENTRIES: &'static [&'static str] = &["command", "time-limit-s", "start-limit-s"];

    fn complete(&self) -> Result<(), String> {
        match self.command.first().is_none_or(|program| program.trim().is_empty()) {
            true => Err("`command` is missing: as in command = [\"python3\", \"player.py\"]".to_owned()),
            false => Ok(()),
        }
    }

    fn open(&mut self, folder: &Path) -> Result<(), SpecError> {
        self.folder = folder.to_owned();
        Ok(())
    }

    /// Those parts of the command that are files of the folder.
    fn files(&self, folder: &Path) -> Vec<PathBuf> {
        self.command.iter().map(|part| folder.join(part)).filter(|path| path.is_file()).collect()
    }
}

/// The state of a program at a level.
struct ProgramState<'a> {
    policy: &'a External,
    context: LevelContext<'a>,
    program: Program,
    n_attempts: u32,
    has_answered: bool,
    /// Reason for its disqualification, once there is one.
    failure: Option<Disqualification>,
}

impl ProgramState<'_> {
    fn ask(&mut self, situation: &Situation) -> Result<usize, Disqualification> {
        let limit_s = if self.has_answered { self.policy.time_limit_s } else { self.policy.start_limit_s };
        let answer = self.program.ask(&question(situation), Duration::from_secs_f64(limit_s))?;
        self.has_answered = true;
        let chosen = move_of(&answer)?;
        situation.moves.iter().position(|legal| legal.notation == chosen).ok_or_else(|| {
            let state = situation.context.rules.format_state(situation.state);
            Disqualification::Illegal { answer: shortened(&chosen), state }
        })
    }
}

impl PolicyState for ProgramState<'_> {
    fn begin_attempt(&mut self, state: StateCode) -> Result<(), PolicyError> {
        self.n_attempts += 1;
        let state = self.context.rules.format_state(state);
        self.program.tell(&json!({ "type": "attempt", "number": self.n_attempts, "state": state }));
        Ok(())
    }

    fn probabilities(&mut self, situation: &Situation) -> Result<Vec<f64>, PolicyError> {
        if situation.moves.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(failure) = &self.failure {
            return Err(self.policy.disqualified(failure.clone()));
        }
        match self.ask(situation) {
            Ok(chosen) => Ok(certain(situation.moves.len(), chosen)),
            Err(failure) => {
                self.failure = Some(failure.clone());
                self.program.kill();
                Err(self.policy.disqualified(failure))
            }
        }
    }

    fn end(&mut self, ending: Ending) {
        self.program.tell(&json!({ "type": "end", "solved": ending.is_solved, "cost": ending.cost }));
        self.program.leave(Duration::from_secs_f64(self.policy.time_limit_s));
    }
}

fn question(situation: &Situation) -> Value {
    let rules = situation.context.rules;
    let moves = situation.moves.iter().map(|legal| {
        json!({
            "move": legal.notation, "after": rules.format_state(legal.after), "cost": legal.cost,
            "piece": legal.piece, "goal": rules.is_goal(legal.after),
        })
    });
    let moves: Vec<Value> = moves.collect();
    let History { previous, n_moves, cost } = situation.history;
    let state_before = |previous: &Previous| rules.format_state(previous.state);
    json!({
        "type": "choose", "state": rules.format_state(situation.state), "moves": moves, "n_moves": n_moves,
        "cost": cost, "previous": previous.as_ref().map(state_before),
        "last_move": previous.as_ref().map(|previous| &previous.notation),
    })
}

/// Reads the answers of a program, line by line: the moves, up to the first line that is too long. Its output is read
/// no further than the answers that are taken.
///
/// # Errors
///
/// Of a line, why the program is disqualified by it.
pub fn answers(output: impl Read) -> impl Iterator<Item = Result<String, Disqualification>> {
    lines(output).map(|line| move_of(&line?))
}

/// The move in an answer: the entry `move` of an object, a JSON text, or the line itself.
fn move_of(line: &str) -> Result<String, Disqualification> {
    let answer = line.trim();
    let chosen = if answer.starts_with(['{', '"', '[']) {
        match serde_json::from_str(answer) {
            Ok(Value::String(chosen)) => Some(chosen),
            Ok(Value::Object(mut entries)) => {
                entries.remove("move").and_then(|chosen| chosen.as_str().map(str::to_owned))
            }
            _ => None,
        }
    } else {
        Some(answer.to_owned()).filter(|answer| !answer.is_empty())
    };
    chosen.ok_or_else(|| Disqualification::Unreadable { answer: shortened(line) })
}
