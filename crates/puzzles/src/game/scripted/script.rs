//! The table that a script returns: its functions, and what each of them has to give back.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use mlua::{Function, MultiValue, Table};
use plymap_lua::{Key, Kind, LONGEST_TEXT, Problem, Room, SCRIPT, Sandbox, Value, described};

use super::blockers::{self, BLOCKERS, Obstacle, WishedValue};
use super::drawing;
use super::hand;
use super::heuristics::{self, Estimator};
use super::notation::{MAX_NOTATION, check_notation, natural_order};

use super::options::Options;
use crate::game::{Aim, Gesture, Picture};

/// The entries that a script's table may have, with what they are.
const ENTRIES: [(&str, &str); 16] = [
    ("name", "text"),
    ("aim", AIM_KINDS),
    ("settings", "a table"),
    ("start", "a function"),
    ("goal", "a function"),
    ("moves", "a function"),
    ("format", "a function"),
    ("parse", "a function"),
    ("heuristic", "a function"),
    ("heuristics", "a table"),
    ("admissible", "a table"),
    (BLOCKERS, "a function"),
    ("draw", "a function"),
    ("picture", "a function"),
    ("gesture", "a function"),
    ("read_move", "a function"),
];

/// What an aim can be.
const AIM_KINDS: &str = "text, a table or a function";

/// The most moves that one position may have.
pub(super) const MAX_MOVES: usize = u16::MAX as usize;

/// A script that was loaded, in a Lua state of its own.
pub(super) struct Script {
    sandbox: Sandbox,
    start: Function,
    goal: Function,
    moves: Function,
    format: Option<Function>,
    parse: Option<Function>,
    draw: Option<Function>,
    picture: Option<Function>,
    /// What all pictures of the level share, which the first of them tells: the one of the start.
    frame: OnceLock<Picture>,
    gesture: Option<Function>,
    aim: mlua::Value,
    read_move: Option<Function>,
    blockers: Option<Function>,
    /// The heuristics, in the order of their numbers.
    pub heuristics: Vec<Estimator>,
    /// The settings that a level may have, with their defaults; any, if the script does not say.
    pub settings: Option<BTreeMap<String, String>>,
    /// Kind of all states, once `start` was called.
    kind: Kind,
}

/// Answer of `start` and `parse`.
pub(super) enum Answer {
    State(Value),
    /// `nil` and a reason: the level or the text is no good.
    Refusal(String),
}

impl Script {
    /// Runs a script and looks at what it returns.
    ///
    /// # Errors
    ///
    /// All [`Problem`]s of the table, or the one that kept the script from running.
    pub fn load(text: &str, options: &Options) -> Result<Self, Vec<Problem>> {
        let sandbox = Sandbox::new(&options.limits()).map_err(|problem| vec![problem])?;
        let returned = first(sandbox.run(text.trim_start_matches('\u{feff}')).map_err(|problem| vec![problem])?);
        let mlua::Value::Table(table) = returned else {
            let message = format!("the script returns {}, and has to return a table", described(&returned));
            let help = "end it with: return { start = start, goal = goal, moves = moves }";
            return Err(vec![Problem::new("", message).with_help(help)]);
        };
        let mut problems = entry_problems(&table);
        let settings = settings(&table, &mut problems);
        let heuristics = heuristics::read(&table, &mut problems);
        let function = |name: &str| table.raw_get::<Option<Function>>(name).ok().flatten();
        match (function("start"), function("goal"), function("moves")) {
            (Some(start), Some(goal), Some(moves)) if problems.is_empty() => Ok(Self {
                start,
                goal,
                moves,
                format: function("format"),
                parse: function("parse"),
                draw: function("draw"),
                picture: function("picture"),
                frame: OnceLock::new(),
                gesture: function("gesture"),
                aim: table.raw_get("aim").unwrap_or(mlua::Value::Nil),
                read_move: function("read_move"),
                blockers: function(BLOCKERS),
                heuristics,
                settings,
                sandbox,
                kind: Kind::Text,
            }),
            _ => Err(problems),
        }
    }

    /// The state in which a level starts. Afterwards the script cannot set globals.
    pub fn start(
        &mut self,
        text: &str,
        rows: &[String],
        settings: &BTreeMap<String, String>,
    ) -> Result<Answer, Problem> {
        if text.len() > LONGEST_TEXT {
            return Ok(Answer::Refusal(format!(
                "the level has {} bytes, and a script gets at most {LONGEST_TEXT}",
                text.len()
            )));
        }
        let values = self.sandbox.call("start", &self.start, |lua| {
            let level = lua.create_table()?;
            level.raw_set("text", text)?;
            level.raw_set("rows", rows)?;
            level.raw_set("settings", settings.clone())?;
            Ok(level)
        })?;
        let answer = answer("start", "the start", &values)?;
        if let Answer::State(state) = &answer {
            self.kind = state.kind().ok_or_else(|| {
                let message = "it returns a truth value as the start";
                Problem::new("start", message).with_help("a state is text, a number or a table")
            })?;
        }
        self.sandbox.seal()?;
        Ok(answer)
    }

    /// The same problem at the line on which its function begins, where no other line is known.
    pub fn located(&self, problem: Problem) -> Problem {
        let function = match problem.function {
            "start" => Some(&self.start),
            "goal" => Some(&self.goal),
            "moves" => Some(&self.moves),
            "format" => self.format.as_ref(),
            "parse" => self.parse.as_ref(),
            "draw" => self.draw.as_ref(),
            "picture" => self.picture.as_ref(),
            "gesture" => self.gesture.as_ref(),
            "aim" => self.aim.as_function(),
            "read_move" => self.read_move.as_ref(),
            BLOCKERS => self.blockers.as_ref(),
            _ => None,
        };
        let line = problem.line.or_else(|| line_of(function?));
        Problem { line, ..problem }
    }

    /// Kind of all states.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The script's answer if a state is a goal.
    pub fn goal(&self, state: &Value) -> Result<bool, Problem> {
        match self.called("goal", &self.goal, state)? {
            mlua::Value::Boolean(is_goal) => Ok(is_goal),
            other => Err(Problem::of_returned("goal", &other, "true or false")),
        }
    }

    /// The moves of a state with the texts of the states that they lead to, in the natural order of their notation.
    pub fn moves(&self, state: &Value) -> Result<(Vec<(String, String)>, Room), Problem> {
        let room = self.sandbox.room();
        let returned = self.called("moves", &self.moves, state)?;
        let mlua::Value::Table(table) = returned else {
            return Err(Problem::of_returned(
                "moves",
                &returned,
                "a table: { [\"move\"] = state } or { {\"move\", state} }",
            ));
        };
        let (mut moves, mut n_bytes) = (Vec::new(), 0);
        let mut tables = HashMap::new();
        for (notation, after) in pairs(&table)? {
            check_notation(&notation)
                .map_err(|fault| Problem::new("moves", format!("the move {notation:?} {fault}")))?;
            if let mlua::Value::Table(table) = &after
                && let Some(other) = tables.insert(table.to_pointer() as usize, notation.clone())
            {
                let message = format!("the moves {other:?} and {notation:?} lead to one and the same table");
                let help = "was it changed after the first move? Give each move a table of its own: copy(state)";
                return Err(Problem::new("moves", message).with_help(help));
            }
            let after = self.state_from("moves", &format!("the state after {notation:?}"), &after)?.to_text();
            // Many moves may lead to one long text, which Lua holds once.
            n_bytes += after.len();
            self.sandbox.check_memory("moves", n_bytes)?;
            moves.push((notation, after));
        }
        moves.sort_by(|(first, _), (second, _)| natural_order(first, second));
        if let Some(twice) = moves.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(Problem::new("moves", format!("it returns the move {:?} twice", twice[0].0)));
        }
        Ok((moves, room))
    }

    /// Estimate of a state by a heuristic: 0 or more, infinite where no goal can be reached.
    pub fn estimate(&self, heuristic: &Estimator, state: &Value) -> Result<f64, Problem> {
        let returned = self.called(heuristic.entry(), heuristic.function(), state);
        let number = returned.and_then(|returned| heuristic.number(&returned));
        // A problem tells its entry of the script's table, which does not say which of several functions it is.
        number.map_err(|problem| heuristic.named(problem, line_of(heuristic.function())))
    }

    /// The moves that end the level; absent where the script does not say what is in the way of a move, or none does.
    pub fn goal_moves(&self, state: &Value) -> Result<Option<Obstacle>, Problem> {
        let Some(blockers) = &self.blockers else { return Ok(None) };
        blockers::goal_moves(&self.called(BLOCKERS, blockers, state)?)
    }

    /// Obstacles of a wished move; absent where it can never be made. Whether it is legal is known, and what is
    /// not has something in its way.
    pub fn obstacles(
        &self,
        state: &Value,
        wished: &WishedValue,
        is_legal: bool,
    ) -> Result<Option<Vec<Obstacle>>, Problem> {
        let Some(blockers) = &self.blockers else { return Ok(None) };
        let arguments = |lua: &mlua::Lua| Ok((state.to_lua(lua)?, wished.value().to_lua(lua)?));
        let returned = self.sandbox.call(BLOCKERS, blockers, arguments).map(first);
        let answer = returned.and_then(|returned| blockers::obstacles(&returned)).and_then(|answer| match &answer {
            Some(obstacles) if obstacles.is_empty() && !is_legal => Err(blockers::not_legal()),
            _ => Ok(answer),
        });
        answer.map_err(|problem| wished.named(problem))
    }

    /// A state on one line.
    pub fn format(&self, state: &Value) -> Result<String, Problem> {
        let Some(format) = &self.format else { return Ok(state.to_text()) };
        let text = text("format", &self.called("format", format, state)?, "text on one line")?;
        if text.trim().is_empty() || text.chars().any(char::is_control) {
            return Err(Problem::new("format", format!("it returns {text:?}, and has to return text on one line")));
        }
        Ok(text)
    }

    /// The state that a text stands for.
    pub fn parse(&self, text: &str) -> Result<Answer, Problem> {
        match &self.parse {
            None => Ok(match Value::from_text(text, self.kind) {
                Ok(state) => Answer::State(state),
                Err(reason) => Answer::Refusal(reason),
            }),
            Some(parse) => {
                let values = self.sandbox.call("parse", parse, |lua| lua.create_string(text.trim()))?;
                let answer = answer("parse", "the state", &values)?;
                if let Answer::State(state) = &answer {
                    self.check_kind("parse", "the state", state)?;
                }
                Ok(answer)
            }
        }
    }

    /// The notation of a move that a log writes in its own way; absent if the script cannot read it.
    pub fn read_move(&self, text: &str) -> Result<Option<String>, Problem> {
        let Some(read_move) = &self.read_move else { return Ok(Some(text.to_owned())) };
        match first(self.sandbox.call("read_move", read_move, |lua| lua.create_string(text))?) {
            mlua::Value::Nil => Ok(None),
            returned => self::text("read_move", &returned, "the notation of a move as text, or nil").map(Some),
        }
    }

    /// The state as a drawing, if the script draws.
    pub fn draw(&self, state: &Value) -> Result<Option<Picture>, Problem> {
        let Some(draw) = &self.draw else { return Ok(None) };
        let returned = self.called("draw", draw, state)?;
        let drawn = Value::from_lua(&returned).map_err(|unfit| unfit.told("the drawing"));
        let picture = drawn.and_then(|drawn| drawing::picture(&drawn));
        picture.map(Some).map_err(|reason| Problem::new("draw", reason))
    }

    /// The state as a picture, if the script gives one; what it draws for terminals is the text of it.
    pub fn picture(&self, state: &Value) -> Result<Option<Picture>, Problem> {
        let Some(function) = &self.picture else { return self.draw(state) };
        let returned = self.called("picture", function, state)?;
        let problem = |reason: String| {
            let help = "return { width = 3, height = 2, shapes = { { row = 1, column = 1, label = \"A\" } } }";
            Problem::new("picture", reason).with_help(help)
        };
        let shapes = Value::from_lua(&returned).map_err(|unfit| unfit.told("the drawing"));
        let mut picture = shapes.and_then(|shapes| drawing::of_shapes(&shapes)).map_err(problem)?;
        let frame = self.frame.get_or_init(|| Picture { shapes: Vec::new(), text: None, ..picture.clone() });
        let is_alike = (picture.width, picture.height, picture.ground, picture.goal)
            == (frame.width, frame.height, frame.ground, frame.goal);
        if !is_alike {
            let message = "its `width`, `height`, `ground` or `goal` is another one than at the start of the level";
            return Err(Problem::new("picture", message).with_help("let them depend on what `start` has set alone"));
        }
        picture.text = match (self.draw(state)?, picture.text) {
            (Some(drawn), _) => Some(drawn.to_text()),
            (None, Some(text)) => Some(text),
            (None, None) => Some(format!("{}\n", self.format(state)?)),
        };
        Ok(Some(picture))
    }

    /// The aim of the level that was started.
    pub fn aim(&self) -> Result<Aim, Problem> {
        let returned = match &self.aim {
            mlua::Value::Nil => return Ok(Aim::default()),
            mlua::Value::Function(function) => first(self.sandbox.call("aim", function, |_| Ok(()))?),
            value => value.clone(),
        };
        let value = Value::from_lua(&returned).map_err(|unfit| Problem::new("aim", unfit.told("the aim")))?;
        hand::aim(&value)
    }

    /// The movement of the hand that makes a move; none where the script gives none.
    pub fn gesture(&self, notation: &str) -> Result<Option<Gesture>, Problem> {
        let Some(function) = &self.gesture else { return Ok(None) };
        let returned = first(self.sandbox.call("gesture", function, |lua| lua.create_string(notation))?);
        if returned.is_nil() {
            return Ok(None);
        }
        let value = Value::from_lua(&returned).map_err(|unfit| Problem::new("gesture", unfit.told("the gesture")))?;
        hand::gesture(&value).map(Some)
    }

    /// True if the script tells gestures.
    pub fn has_gestures(&self) -> bool {
        self.gesture.is_some()
    }

    /// Calls a function of one state, which gets a copy of it.
    fn called(&self, name: &'static str, function: &Function, state: &Value) -> Result<mlua::Value, Problem> {
        self.sandbox.call(name, function, |lua| state.to_lua(lua)).map(first)
    }

    fn state_from(&self, function: &'static str, what: &str, value: &mlua::Value) -> Result<Value, Problem> {
        let state = Value::from_lua(value).map_err(|unfit| Problem::new(function, unfit.told(what)))?;
        self.check_kind(function, what, &state)?;
        Ok(state)
    }

    fn check_kind(&self, function: &'static str, what: &str, state: &Value) -> Result<(), Problem> {
        if state.kind() == Some(self.kind) {
            return Ok(());
        }
        Err(Problem::new(function, format!("{what} is {}, and the start is {}", state.described(), self.kind)))
    }
}

/// The line of the script on which a function begins.
fn line_of(function: &Function) -> Option<usize> {
    let info = function.info();
    info.line_defined.filter(|_| info.short_src.as_deref() == Some(SCRIPT))
}

/// Returns true if a value is of a kind, or of one of several.
fn is_of_kind(value: &mlua::Value, kind: &str) -> bool {
    let described = described(value);
    described == kind || (kind == AIM_KINDS && ["text", "a table", "a function"].contains(&described))
}

fn first(values: MultiValue) -> mlua::Value {
    values.into_iter().next().unwrap_or(mlua::Value::Nil)
}

/// Problems of the entries of the script's table.
fn entry_problems(table: &Table) -> Vec<Problem> {
    let mut problems = Vec::new();
    for name in ["start", "goal", "moves"] {
        if table.raw_get::<mlua::Value>(name).is_ok_and(|value| value.is_nil()) {
            let message = format!("the script's table has no function `{name}`");
            problems.push(Problem::new("", message).with_help(format!("add {name} = function(…) … end")));
        }
    }
    let mut unknown = Vec::new();
    let walked = table.for_each(|key: mlua::Value, value: mlua::Value| {
        let name = match &key {
            mlua::Value::String(name) => name.to_string_lossy(),
            _ => format!("[{}]", key.to_string().unwrap_or_default()),
        };
        match ENTRIES.iter().find(|(known, _)| *known == name) {
            None => unknown.push(name),
            Some((_, kind)) if is_of_kind(&value, kind) => {}
            Some((name, kind)) => {
                problems.push(Problem::new(
                    "",
                    format!("`{name}` of the script's table is {}, and has to be {kind}", described(&value)),
                ));
            }
        }
        Ok(())
    });
    if let Err(error) = walked {
        problems.push(Problem::new("", error.to_string()));
    }
    unknown.sort();
    for name in unknown {
        let known: Vec<&str> = ENTRIES.iter().map(|(name, _)| *name).collect();
        let message = format!("the script's table has an entry `{name}`, which means nothing here");
        problems.push(Problem::new("", message).with_help(format!("the entries are {}", known.join(", "))));
    }
    let has = |name: &str| table.raw_get::<mlua::Value>(name).is_ok_and(|value| !value.is_nil());
    if has("format") && !has("parse") {
        let message = "the script has `format` and no `parse`, so that positions could be written and not read back";
        problems.push(Problem::new("", message).with_help("add parse = function(text) … return state end"));
    }
    problems.sort_by(|first, second| first.message.cmp(&second.message));
    problems
}

/// The settings that the script names, with their defaults.
fn settings(table: &Table, problems: &mut Vec<Problem>) -> Option<BTreeMap<String, String>> {
    let settings: Table = table.raw_get::<Option<Table>>("settings").ok().flatten()?;
    let value = Value::from_lua(&mlua::Value::Table(settings));
    let Ok(Value::Table(entries)) = value else {
        problems.push(Problem::new("", "`settings` holds what is neither text nor a number"));
        return None;
    };
    let mut settings = BTreeMap::new();
    for (key, value) in entries {
        match (key, value) {
            (Key::Name(name), Value::Text(text)) if is_setting(&name) => {
                settings.insert(name, text);
            }
            (Key::Name(name), value @ (Value::Integer(_) | Value::Number(_))) if is_setting(&name) => {
                settings.insert(name, value.to_text());
            }
            (Key::Name(name), Value::Text(_) | Value::Integer(_) | Value::Number(_)) => {
                let message = format!("the setting `{name}` could not be written in a level");
                problems.push(Problem::new("", message).with_help("names of settings are small letters and _"));
            }
            (key, _) => {
                let name = match key {
                    Key::Name(name) => name,
                    Key::Index(index) => index.to_string(),
                };
                let message = format!("the entry `{name}` of `settings` is no name with text or a number");
                problems.push(Problem::new("", message).with_help("write settings = { name = \"its default\" }"));
            }
        }
    }
    Some(settings)
}

fn is_setting(name: &str) -> bool {
    name != "id" && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// Answer of `start` or `parse`: a state, or nil with a reason.
fn answer(function: &'static str, what: &str, values: &MultiValue) -> Result<Answer, Problem> {
    let value = values.front().unwrap_or(&mlua::Value::Nil);
    match (value, values.get(1)) {
        (mlua::Value::Nil, Some(reason @ mlua::Value::String(_))) => {
            Ok(Answer::Refusal(text(function, reason, "nil and the reason as text")?))
        }
        (mlua::Value::Nil, _) => Err(Problem::of_returned(function, value, "a state, or nil and a reason as text")),
        _ => match Value::from_lua(value) {
            Ok(state) => Ok(Answer::State(state)),
            Err(unfit) => Err(Problem::new(function, unfit.told(what))),
        },
    }
}

fn text(function: &'static str, returned: &mlua::Value, expected: &str) -> Result<String, Problem> {
    match Value::from_lua(returned) {
        Ok(Value::Text(text)) => Ok(text),
        Ok(value @ (Value::Integer(_) | Value::Number(_))) => Ok(value.to_text()),
        Ok(_) => Err(Problem::of_returned(function, returned, expected)),
        Err(unfit) => Err(Problem::new(function, unfit.told("what it returns"))),
    }
}

/// The moves in what `moves` returned: a list of pairs, or a table with the notations as keys.
fn pairs(table: &Table) -> Result<Vec<(String, mlua::Value)>, Problem> {
    let mut entries: Vec<(mlua::Value, mlua::Value)> = Vec::new();
    let walked = table.for_each(|key, value| {
        entries.push((key, value));
        if entries.len() > MAX_MOVES { Err(mlua::Error::runtime("it is too long")) } else { Ok(()) }
    });
    if entries.len() > MAX_MOVES {
        return Err(Problem::new("moves", format!("it returns more than {MAX_MOVES} moves")));
    }
    walked.map_err(|error| Problem::new("moves", error.to_string()))?;
    let n_texts = entries.iter().filter(|(key, _)| key.is_string()).count();
    if n_texts == entries.len() {
        let moves = entries.into_iter().map(|(key, after)| Ok((notation(&key)?, after)));
        let mut moves = moves.collect::<Result<Vec<_>, Problem>>()?;
        moves.sort_by(|(first, _), (second, _)| first.cmp(second));
        return Ok(moves);
    }
    let mut indices: Vec<i64> = entries.iter().filter_map(|(key, _)| key.as_integer()).collect();
    indices.sort_unstable();
    if n_texts > 0 || !indices.iter().copied().eq(1..=entries.len() as i64) {
        let message = "the table that it returns has keys that are no text, and is no list";
        let help = "write moves as text, as in [\"3\"] = state, or return a list of { move, state }";
        return Err(Problem::new("moves", message).with_help(help));
    }
    entries.sort_by_key(|(key, _)| key.as_integer());
    entries.iter().zip(1..).map(|((_, entry), number)| pair(entry, number)).collect()
}

/// One entry of a list of moves.
fn pair(entry: &mlua::Value, number: usize) -> Result<(String, mlua::Value), Problem> {
    let fail = |kind: String| {
        Problem::new("moves", format!("entry {number} of the list that it returns {kind}"))
            .with_help("each entry is a pair: { move, state }")
    };
    let mlua::Value::Table(pair) = entry else {
        return Err(fail(format!("is {}", described(entry))));
    };
    let (notation, after): (mlua::Value, mlua::Value) =
        (pair.raw_get(1).unwrap_or(mlua::Value::Nil), pair.raw_get(2).unwrap_or(mlua::Value::Nil));
    let mut n_entries = 0;
    let _ = pair.for_each(|_: mlua::Value, _: mlua::Value| {
        n_entries += 1;
        Ok(())
    });
    match (&notation, &after) {
        (mlua::Value::String(_) | mlua::Value::Integer(_) | mlua::Value::Number(_), state) if !state.is_nil() => {
            if n_entries > 2 {
                return Err(fail(format!("has {n_entries} parts")));
            }
            Ok((self::notation(&notation)?, after))
        }
        (_, mlua::Value::Nil) => Err(fail("has no state".to_owned())),
        _ => Err(fail(format!("has {} as its move", described(&notation)))),
    }
}

/// The notation of a move; of one that is far too long the beginning, as many moves may share it.
fn notation(value: &mlua::Value) -> Result<String, Problem> {
    match value {
        mlua::Value::String(long) if long.as_bytes().len() > 4 * MAX_NOTATION => {
            Ok(String::from_utf8_lossy(&long.as_bytes()[..=4 * MAX_NOTATION]).into_owned())
        }
        value => text("moves", value, "moves as text"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_stand_in_natural_order() {
        let mut moves = ["m10", "m2", "B>A", "m02", "A>B", "10", "9", "a", "", "m2x", "m"];
        moves.sort_by(|first, second| natural_order(first, second));
        assert_eq!(moves, ["", "9", "10", "A>B", "B>A", "a", "m", "m02", "m2", "m2x", "m10"]);
    }
}
