//! The heuristics of a script: the function `heuristic`, and those of the table `heuristics`.

use mlua::{Function, Table};
use plymap_lua::{Problem, described};

use crate::game::Heuristic;

/// The entry of the script's table with one heuristic, which claims to be a bound. It is its name too.
const SINGLE: &str = "heuristic";

/// The entry with a function for each name.
const NAMED: &str = "heuristics";

/// The entry with the names of those that claim to be bounds.
const ADMISSIBLE: &str = "admissible";

/// One heuristic of a script.
pub(super) struct Estimator {
    name: String,
    entry: &'static str,
    is_admissible: bool,
    function: Function,
}

impl Estimator {
    /// The entry of the script's table in which it stands.
    pub fn entry(&self) -> &'static str {
        self.entry
    }

    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Description for later stages.
    pub fn described(&self) -> Heuristic {
        let meaning = match self.entry {
            SINGLE => "the function `heuristic` of the script".to_owned(),
            _ => format!("the function `{}` among the `heuristics` of the script", self.name),
        };
        Heuristic { name: self.name.clone(), meaning, is_admissible: self.is_admissible }
    }

    /// The number in what the function returned.
    pub fn number(&self, returned: &mlua::Value) -> Result<f64, Problem> {
        let number = match returned {
            mlua::Value::Integer(number) => *number as f64,
            mlua::Value::Number(number) => *number,
            _ => return Err(Problem::of_returned(self.entry, returned, "a number")),
        };
        // The comparison is false for what is not a number, too.
        if number >= 0.0 {
            // Negative zero becomes zero.
            return Ok(number + 0.0);
        }
        let number = if number.is_nan() { "what is not a number".to_owned() } else { number.to_string() };
        let help = "math.huge says that no goal can be reached";
        let message = format!("it returns {number}, and has to return a number of moves, 0 or more");
        Err(Problem::new(self.entry, message).with_help(help))
    }

    /// A problem of this heuristic, with its name where several functions share an entry, and with the line on which
    /// it begins where no other line is known.
    pub fn named(&self, problem: Problem, line: Option<usize>) -> Problem {
        let message = if self.entry == NAMED { format!("{}: {}", self.name, problem.message) } else { problem.message };
        Problem { message, line: problem.line.or(line), ..problem }
    }
}

/// The heuristics of a script's table: `heuristic` first, then those of `heuristics` by their names.
pub(super) fn read(table: &Table, problems: &mut Vec<Problem>) -> Vec<Estimator> {
    let single = table.raw_get::<Option<Function>>(SINGLE).ok().flatten();
    let single =
        single.map(|function| Estimator { name: SINGLE.to_owned(), entry: SINGLE, is_admissible: true, function });
    let mut named =
        table.raw_get::<Option<Table>>(NAMED).ok().flatten().map_or_else(Vec::new, |entries| named(&entries, problems));
    if let Some(claims) = table.raw_get::<Option<Table>>(ADMISSIBLE).ok().flatten() {
        claim(&claims, &mut named, problems);
    }
    if single.is_some() && named.iter().any(|heuristic| heuristic.name == SINGLE) {
        let message = "`heuristics` has an entry `heuristic`, and the script has a function of this name";
        problems.push(Problem::new("", message).with_help("give one of them another name"));
    }
    single.into_iter().chain(named).collect()
}

/// The functions of the table `heuristics`, in the order of their names.
fn named(entries: &Table, problems: &mut Vec<Problem>) -> Vec<Estimator> {
    let mut estimators = Vec::new();
    let mut unfit = Vec::new();
    let walked = entries.for_each(|key: mlua::Value, value: mlua::Value| {
        let name = shown(&key);
        match value {
            _ if !key.is_string() || !is_name(&name) => unfit.push(
                Problem::new("", format!("the heuristic `{name}` has a name that studies could not give"))
                    .with_help("names are letters, digits and hyphens, and begin with a letter"),
            ),
            mlua::Value::Function(function) => {
                estimators.push(Estimator { name, entry: NAMED, is_admissible: false, function });
            }
            other => {
                let other = described(&other);
                let message = format!("the entry `{name}` of `heuristics` is {other}, and has to be a function");
                unfit.push(Problem::new("", message));
            }
        }
        Ok(())
    });
    if let Err(error) = walked {
        unfit.push(Problem::new("", error.to_string()));
    }
    // Lua's own order of keys differs from run to run.
    unfit.sort_by(|first, second| first.message.cmp(&second.message));
    problems.extend(unfit);
    estimators.sort_by(|first, second| first.name.cmp(&second.name));
    estimators
}

/// Lets the heuristics that are listed claim that they are bounds.
fn claim(claims: &Table, named: &mut [Estimator], problems: &mut Vec<Problem>) {
    let mut names = Vec::new();
    // A table with other keys than 1, 2, 3 has more entries than a list of its length.
    let walked = claims.for_each(|key: mlua::Value, value: mlua::Value| {
        let is_listed = key.as_integer().is_some() && value.is_string();
        names.push(if is_listed { Ok(shown(&value)) } else { Err(()) });
        Ok(())
    });
    if walked.is_err() || names.contains(&Err(())) {
        let message = "`admissible` of the script's table is no list of names";
        problems.push(Problem::new("", message).with_help("write admissible = { \"its-name\" }"));
        return;
    }
    let known: Vec<String> = named.iter().map(|heuristic| heuristic.name.clone()).collect();
    let mut names: Vec<String> = names.into_iter().flatten().collect();
    names.sort();
    for name in names {
        match named.iter_mut().find(|heuristic| heuristic.name == name) {
            Some(heuristic) => heuristic.is_admissible = true,
            None => {
                let help = match known.is_empty() {
                    true => "there are no `heuristics`; the function `heuristic` is admissible without it".to_owned(),
                    false => format!("the `heuristics` are {}", known.join(", ")),
                };
                let message = format!("`admissible` names {name:?}, which is none of the `heuristics`");
                problems.push(Problem::new("", message).with_help(help));
            }
        }
    }
}

/// A key as a message shows it.
fn shown(key: &mlua::Value) -> String {
    match key {
        mlua::Value::String(name) => name.to_string_lossy(),
        _ => format!("[{}]", key.to_string().unwrap_or_default()),
    }
}

fn is_name(name: &str) -> bool {
    let begins = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    begins && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests;
