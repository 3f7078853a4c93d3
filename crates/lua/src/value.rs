//! States of scripted puzzles, and their text, which is their identity.
//!
//! Two tables are the same state exactly if their texts are equal. The text lists the entries of a table in
//! the order of their keys, so that nothing depends on how Lua happens to store them.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::str::Chars;

use mlua::{Lua, Table};

use super::limits::LONGEST_TEXT;

/// The most entries that one state may have, those of its inner tables included.
pub const MAX_ENTRIES: usize = 10_000;

/// The most bytes that the texts of one state may have together.
pub const MAX_BYTES: usize = LONGEST_TEXT;

/// Largest depth of tables in tables.
pub const MAX_DEPTH: usize = 32;

/// Text, a number, true or false, or a table of these.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text of UTF-8.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A finite number that is not whole, or too large for a whole one.
    Number(f64),
    /// True or false.
    Truth(bool),
    /// A table, in the order of its keys.
    Table(BTreeMap<Key, Value>),
}

/// The key of an entry; whole numbers come before names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A whole number.
    Index(i64),
    /// A text.
    Name(String),
}

/// Kind of value of all states of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// A number, whole or not.
    Number,
    /// A table.
    Table,
}

/// A Lua value that is no [`Value`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// Entry of the value, as a script would write it, such as `pegs[2]`; may be empty.
    pub place: String,
    /// Predicate that says what is wrong, as in "is a function".
    pub fault: String,
}

impl Unfit {
    /// The fault, told of `what`.
    pub fn told(&self, what: &str) -> String {
        let Self { place, fault } = self;
        if place.is_empty() { format!("{what} {fault}") } else { format!("`{place}` of {what} {fault}") }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Text => "text",
            Self::Number => "a number",
            Self::Table => "a table",
        })
    }
}

/// Kind of a Lua value in words.
pub fn described(value: &mlua::Value) -> &'static str {
    match value {
        mlua::Value::Nil => "nothing (nil)",
        mlua::Value::Boolean(true) => "true",
        mlua::Value::Boolean(false) => "false",
        mlua::Value::Integer(_) | mlua::Value::Number(_) => "a number",
        mlua::Value::String(_) => "text",
        mlua::Value::Table(_) => "a table",
        mlua::Value::Function(_) => "a function",
        _ => "a value of another language",
    }
}

impl Value {
    /// Reads a Lua value.
    pub fn from_lua(value: &mlua::Value) -> Result<Self, Unfit> {
        Reader { place: Vec::new(), n_entries: 0, n_bytes: 0 }
            .value(value)
            .map_err(|(place, fault)| Unfit { place, fault })
    }

    /// A new Lua value, which shares nothing with any other.
    pub fn to_lua(&self, lua: &Lua) -> mlua::Result<mlua::Value> {
        Ok(match self {
            Self::Text(text) => mlua::Value::String(lua.create_string(text)?),
            Self::Integer(number) => mlua::Value::Integer(*number),
            Self::Number(number) => mlua::Value::Number(*number),
            Self::Truth(truth) => mlua::Value::Boolean(*truth),
            Self::Table(entries) => {
                let n_list = if is_list(entries) { entries.len() } else { 0 };
                let table = lua.create_table_with_capacity(n_list, entries.len() - n_list)?;
                for (key, value) in entries {
                    match key {
                        Key::Index(index) => table.raw_set(*index, value.to_lua(lua)?)?,
                        Key::Name(name) => table.raw_set(name.as_str(), value.to_lua(lua)?)?,
                    }
                }
                mlua::Value::Table(table)
            }
        })
    }

    /// Kind of state; true and false are none.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Text(_) => Some(Kind::Text),
            Self::Integer(_) | Self::Number(_) => Some(Kind::Number),
            Self::Truth(_) => None,
            Self::Table(_) => Some(Kind::Table),
        }
    }

    /// Description in words.
    pub fn described(&self) -> String {
        self.kind().map_or_else(|| "a truth value".to_owned(), |kind| kind.to_string())
    }

    /// The value on one line. Values of one kind have the same text exactly if they are equal.
    pub fn to_text(&self) -> String {
        match self {
            Self::Text(text) if is_plain(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// The value of this kind that a text stands for; blanks around it do not count.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn from_text(text: &str, kind: Kind) -> Result<Self, String> {
        let text = text.trim();
        if kind == Kind::Text && !text.starts_with(QUOTE) {
            return Ok(Self::Text(text.to_owned()));
        }
        let mut parser = Parser { text, rest: text.chars() };
        let value = parser.value(0)?;
        parser.skip_blanks();
        if !parser.rest.as_str().is_empty() {
            return Err(format!("{:?} follows after its end", parser.rest.as_str()));
        }
        match value.kind() {
            Some(other) if other == kind => Ok(value),
            Some(other) => Err(format!("it is {other}, and the states of this puzzle are {}", kind.plural())),
            None => Err(format!("it is a truth value, and the states of this puzzle are {}", kind.plural())),
        }
    }
}

impl Kind {
    fn plural(self) -> &'static str {
        match self {
            Self::Text => "texts",
            Self::Number => "numbers",
            Self::Table => "tables, as in {8 0 0}",
        }
    }
}

/// The value as it stands inside of a table: `{8 0 0}`, `{at=3 done=true name='A 1'}`.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write_word(formatter, text),
            Self::Integer(number) => write!(formatter, "{number}"),
            Self::Number(number) => write!(formatter, "{number:?}"),
            Self::Truth(truth) => write!(formatter, "{truth}"),
            Self::Table(entries) => {
                let is_list = is_list(entries);
                formatter.write_char('{')?;
                for (number, (key, value)) in entries.iter().enumerate() {
                    if number > 0 {
                        formatter.write_char(' ')?;
                    }
                    match key {
                        _ if is_list => {}
                        Key::Index(index) => write!(formatter, "{index}=")?,
                        Key::Name(name) => {
                            write_word(formatter, name)?;
                            formatter.write_char('=')?;
                        }
                    }
                    write!(formatter, "{value}")?;
                }
                formatter.write_char('}')
            }
        }
    }
}

const QUOTE: char = '\'';

fn write_word(formatter: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if is_word(text) {
        return formatter.write_str(text);
    }
    formatter.write_char(QUOTE)?;
    for character in text.chars() {
        match character {
            QUOTE | '\\' => write!(formatter, "\\{character}")?,
            '\n' => formatter.write_str("\\n")?,
            other if other.is_control() => write!(formatter, "\\u{{{:x}}}", u32::from(other))?,
            other => formatter.write_char(other)?,
        }
    }
    formatter.write_char(QUOTE)
}

/// `true` if the keys are 1, 2, 3 and so on.
pub fn is_list(entries: &BTreeMap<Key, Value>) -> bool {
    entries.keys().zip(1..).all(|(key, index)| *key == Key::Index(index))
}

/// `true` if a text can stand alone without quotes.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.starts_with(QUOTE) && !text.chars().any(char::is_control)
}

/// `true` if a text can stand in a table without quotes, and is neither a number nor a truth value.
fn is_word(text: &str) -> bool {
    !text.is_empty()
        && !text.chars().any(|letter: char| !is_of_word(letter))
        && text.parse::<f64>().is_err()
        && !matches!(text, "true" | "false")
}

fn is_of_word(letter: char) -> bool {
    !letter.is_whitespace() && !letter.is_control() && !"{}=,;'\"".contains(letter)
}

/// Reads Lua values, and knows at which entry it is.
struct Reader {
    place: Vec<String>,
    n_entries: usize,
    n_bytes: usize,
}

/// The entry at fault, and what is wrong with it.
type Misfit = (String, String);

impl Reader {
    fn value(&mut self, value: &mlua::Value) -> Result<Value, Misfit> {
        match value {
            mlua::Value::String(text) => {
                // A text may stand in a table many times, and is copied each time.
                self.n_bytes += text.as_bytes().len();
                if self.n_bytes > MAX_BYTES {
                    return self.too_long();
                }
                match text.to_str() {
                    Ok(text) => Ok(Value::Text(text.to_owned())),
                    Err(_) => self.misfit("holds bytes that are no text in UTF-8"),
                }
            }
            mlua::Value::Integer(number) => Ok(Value::Integer(*number)),
            mlua::Value::Number(number) if !number.is_finite() => self.misfit("is not a finite number"),
            mlua::Value::Number(number) => Ok(whole(*number).map_or(Value::Number(*number), Value::Integer)),
            mlua::Value::Boolean(truth) => Ok(Value::Truth(*truth)),
            mlua::Value::Table(table) => self.table(table),
            other => self.misfit(&format!("is {}", described(other))),
        }
    }

    fn table(&mut self, table: &Table) -> Result<Value, Misfit> {
        if self.place.len() == MAX_DEPTH {
            let place = std::mem::take(&mut self.place).swap_remove(0);
            let fault = format!("holds tables in tables, more than {MAX_DEPTH} deep: does a table hold itself?");
            return Err((place, fault));
        }
        // Sorted before they are looked at, so that of several misfits always the same one is told.
        let mut entries = BTreeMap::new();
        let (mut wrong_key, mut n_bytes) = (None, self.n_bytes);
        let walked = table.for_each(|key: mlua::Value, value: mlua::Value| {
            n_bytes += key.as_string().map_or(0, |name| name.as_bytes().len());
            match key_of(&key) {
                _ if n_bytes > MAX_BYTES => {}
                Ok(key) => drop(entries.insert(key, value)),
                Err(fault) => wrong_key = wrong_key.take().max(Some(fault)),
            }
            let is_over = entries.len() > MAX_ENTRIES || n_bytes > MAX_BYTES;
            if is_over { Err(mlua::Error::runtime("it is too long")) } else { Ok(()) }
        });
        self.n_entries += entries.len();
        self.n_bytes = n_bytes;
        match (walked, wrong_key) {
            _ if n_bytes > MAX_BYTES => self.too_long(),
            _ if self.n_entries > MAX_ENTRIES => {
                self.place.clear();
                self.misfit(&format!("has more than {MAX_ENTRIES} entries"))
            }
            (_, Some(fault)) => self.misfit(&fault),
            (Err(error), None) => self.misfit(&format!("cannot be read: {error}")),
            (Ok(()), None) => {
                entries.into_iter().map(|entry| self.entry(entry)).collect::<Result<_, _>>().map(Value::Table)
            }
        }
    }

    fn entry(&mut self, (key, value): (Key, mlua::Value)) -> Result<(Key, Value), Misfit> {
        self.place.push(match &key {
            Key::Index(index) => format!("[{index}]"),
            Key::Name(name) if self.place.is_empty() => name.clone(),
            Key::Name(name) => format!(".{name}"),
        });
        let value = self.value(&value)?;
        self.place.pop();
        Ok((key, value))
    }

    fn too_long<T>(&mut self) -> Result<T, Misfit> {
        self.place.clear();
        self.misfit(&format!("has more than {MAX_BYTES} bytes of text"))
    }

    fn misfit<T>(&self, fault: &str) -> Result<T, Misfit> {
        Err((self.place.concat(), fault.to_owned()))
    }
}

fn key_of(key: &mlua::Value) -> Result<Key, String> {
    match key {
        mlua::Value::Integer(index) => Ok(Key::Index(*index)),
        mlua::Value::String(name) => match name.to_str() {
            Ok(name) => Ok(Key::Name(name.to_owned())),
            Err(_) => Err("has a key that is no text in UTF-8".to_owned()),
        },
        other => Err(format!("has a key that is {}; keys are text or whole numbers", described(other))),
    }
}

/// The whole number that a float is equal to, if it is one: 3.0 and 3 are one state.
fn whole(number: f64) -> Option<i64> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    (number.fract() == 0.0 && (-LIMIT..LIMIT).contains(&number)).then_some(number as i64)
}

/// Reads the text of a value.
struct Parser<'a> {
    text: &'a str,
    rest: Chars<'a>,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Result<Value, String> {
        self.skip_blanks();
        match self.peek() {
            None => Err("it is empty".to_owned()),
            Some('{') if depth == MAX_DEPTH => Err(format!("its tables lie more than {MAX_DEPTH} deep")),
            Some('{') => self.table(depth),
            Some(QUOTE) => self.quoted().map(Value::Text),
            Some(_) => self.word(),
        }
    }

    fn table(&mut self, depth: usize) -> Result<Value, String> {
        self.rest.next();
        let mut entries = BTreeMap::new();
        let mut next_index = 1;
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return Err(format!("the brace }} is missing at the end of {:?}", self.text)),
                Some('}') => {
                    self.rest.next();
                    return Ok(Value::Table(entries));
                }
                Some(_) => {}
            }
            let first = self.value(depth + 1)?;
            self.skip_blanks();
            let (key, value) = if self.peek() == Some('=') {
                self.rest.next();
                (key(first)?, self.value(depth + 1)?)
            } else {
                next_index += 1;
                (Key::Index(next_index - 1), first)
            };
            if entries.contains_key(&key) {
                return Err(format!("the entry {} is there twice", key_text(&key)));
            }
            entries.insert(key, value);
        }
    }

    fn quoted(&mut self) -> Result<String, String> {
        self.rest.next();
        let mut text = String::new();
        loop {
            match self.rest.next() {
                None => return Err("a quote ' is missing at the end of a text".to_owned()),
                Some(QUOTE) => return Ok(text),
                Some('\\') => text.push(self.escaped()?),
                Some(other) => text.push(other),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        match self.rest.next() {
            Some('n') => Ok('\n'),
            Some('u') => {
                let after = self.rest.as_str().strip_prefix('{').and_then(|rest| rest.split_once('}'));
                let (digits, rest) = after.ok_or("\\u is followed by a number in braces, as in \\u{9}")?;
                self.rest = rest.chars();
                let number = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                number.ok_or_else(|| format!("{digits:?} is not the number of a character"))
            }
            Some(other @ (QUOTE | '\\')) => Ok(other),
            _ => Err("a backslash is followed by n, u, a quote or a backslash".to_owned()),
        }
    }

    fn word(&mut self) -> Result<Value, String> {
        let rest = self.rest.as_str();
        let end = rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if word.is_empty() {
            return Err(format!("{:?} cannot stand here", rest.chars().next().unwrap_or(' ')));
        }
        self.rest = after.chars();
        Ok(match (word, word.parse::<i64>(), word.parse::<f64>()) {
            ("true", ..) => Value::Truth(true),
            ("false", ..) => Value::Truth(false),
            (_, Ok(number), _) => Value::Integer(number),
            (_, _, Ok(number)) if !number.is_finite() => return Err(format!("{word} is not a finite number")),
            (_, _, Ok(number)) => whole(number).map_or(Value::Number(number), Value::Integer),
            (word, ..) => Value::Text(word.to_owned()),
        })
    }

    fn peek(&self) -> Option<char> {
        self.rest.as_str().chars().next()
    }

    /// Skips white space and the commas that a hand may have put between entries.
    fn skip_blanks(&mut self) {
        self.rest =
            self.rest.as_str().trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',').chars();
    }
}

fn key(value: Value) -> Result<Key, String> {
    match value {
        Value::Integer(index) => Ok(Key::Index(index)),
        Value::Text(name) => Ok(Key::Name(name)),
        other => Err(format!("{other} cannot be a key; keys are text or whole numbers")),
    }
}

fn key_text(key: &Key) -> String {
    match key {
        Key::Index(index) => index.to_string(),
        Key::Name(name) => name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lua: &Lua, expression: &str) -> Result<Value, Unfit> {
        Value::from_lua(&lua.load(expression).eval().unwrap())
    }

    /// The text of what an expression gives, after it was read back and sent through Lua once more.
    fn text(expression: &str) -> String {
        let lua = Lua::new();
        let value = read(&lua, expression).unwrap();
        let text = value.to_text();
        assert_eq!(Value::from_text(&text, value.kind().unwrap()), Ok(value.clone()), "{text}");
        assert_eq!(Value::from_lua(&value.to_lua(&lua).unwrap()), Ok(value));
        text
    }

    #[test]
    fn values_have_one_text() {
        assert_eq!(text("{8, 0, 0}"), "{8 0 0}");
        assert_eq!(text("{b = {1, 2}, a = 'x', [3] = true}"), "{3=true a=x b={1 2}}");
        assert_eq!(text("{a = 'x', [3] = true, b = {[2] = 2, [1] = 1}}"), "{3=true a=x b={1 2}}");
        assert_eq!(text("{}"), "{}");
        assert_eq!(text("{1, nil, 3}"), "{1=1 3=3}");
        assert_eq!(text("{3.0, -0.0, 0.5, 1e300, 2^53}"), "{3 0 0.5 1e300 9007199254740992}");
        assert_eq!(
            text("{'3', 'true', '', 'a b', \"it's\", 'x\\ny', 'a,b', 'inf', 'ä'}"),
            r"{'3' 'true' '' 'a b' 'it\'s' 'x\ny' 'a,b' 'inf' ä}"
        );
        assert_eq!(text("{['a b'] = 1, ['7'] = 2, [7] = 3}"), "{7=3 '7'=2 'a b'=1}");
        assert_eq!(text("'12345678.'"), "12345678.");
        assert_eq!(text("'123'"), "123");
        assert_eq!(text("' a'"), "' a'");
        assert_eq!(text("'a\\nb\\tc\\\\'"), r"'a\nb\u{9}c\\'");
        assert_eq!(text("''"), "''");
        assert_eq!(text("'{1}'"), "{1}");
        assert_eq!(text("7"), "7");
        assert_eq!(text("-1/4"), "-0.25");
    }

    #[test]
    fn what_is_no_state_is_named() {
        let lua = Lua::new();
        let fault = |expression: &str| read(&lua, expression).unwrap_err().told("the state");
        assert_eq!(fault("print"), "the state is a function");
        assert_eq!(fault("{pegs = {1, print}}"), "`pegs[2]` of the state is a function");
        assert_eq!(fault("{a = {b = {0/0}}}"), "`a.b[1]` of the state is not a finite number");
        assert_eq!(fault("{[1.5] = 1}"), "the state has a key that is a number; keys are text or whole numbers");
        assert_eq!(fault("{a = '\\xff'}"), "`a` of the state holds bytes that are no text in UTF-8");
        assert_eq!(
            fault("(function() local t = {} t.me = t return t end)()"),
            "`me` of the state holds tables in tables, more than 32 deep: does a table hold itself?"
        );
        assert_eq!(
            fault("(function() local t = {} for i = 1, 20000 do t[i] = i end return t end)()"),
            "the state has more than 10000 entries"
        );
        // 2 to the 31st entries, in 31 small tables.
        assert_eq!(
            fault("(function() local t = {} for i = 1, 30 do t = {t, t} end return t end)()"),
            "the state has more than 10000 entries"
        );
    }

    #[test]
    fn texts_of_states_are_read_with_care() {
        let read = |text: &str| Value::from_text(text, Kind::Table).map(|value| value.to_text());
        assert_eq!(read(" { 8, 0,0 } "), Ok("{8 0 0}".to_owned()));
        assert_eq!(read("{b=2 a = {x}}"), Ok("{a={x} b=2}".to_owned()));
        assert_eq!(read("{1=5 2=6}"), Ok("{5 6}".to_owned()));
        for (text, reason) in [
            ("", "it is empty"),
            ("{1", "the brace } is missing at the end of \"{1\""),
            ("{1} 2", "\"2\" follows after its end"),
            ("{a=1 a=2}", "the entry a is there twice"),
            ("{1=}", "'}' cannot stand here"),
            ("{'a}", "a quote ' is missing at the end of a text"),
            ("{true=1}", "true cannot be a key; keys are text or whole numbers"),
            ("5", "it is a number, and the states of this puzzle are tables, as in {8 0 0}"),
            ("{inf}", "inf is not a finite number"),
        ] {
            assert_eq!(read(text), Err(reason.to_owned()), "{text}");
        }
        assert!(read(&"{".repeat(100_000)).is_err());
    }
}
