//! JSON that remembers where each value stands, so that faults can point at it.

use std::ops::Range;

/// Largest depth of lists and objects; deeper input is refused before it exhausts the stack.
const MAX_DEPTH: usize = 64;

/// A value and the bytes of the text that hold it.
#[derive(Clone, Debug, PartialEq)]
pub struct Value<'a> {
    /// The bytes of the text, quotes and brackets included.
    pub span: Range<usize>,
    /// The value.
    pub kind: Kind<'a>,
}

/// A JSON value. Numbers stay as they are written.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    /// A string, its escapes resolved.
    Text(String),
    /// A list.
    List(Vec<Value<'a>>),
    /// An object, in the order of the file.
    Object(Vec<Entry<'a>>),
}

/// One entry of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'a> {
    /// The key, its escapes resolved.
    pub key: String,
    /// The bytes of the text that hold the key, quotes included.
    pub key_span: Range<usize>,
    /// The value.
    pub value: Value<'a>,
}

/// Reason why a text is not JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// The byte at which reading stopped.
    pub offset: usize,
    /// Message on what was expected there.
    pub message: String,
}

impl<'a> Value<'a> {
    /// The entries, if this is an object.
    pub fn entries(&self) -> Option<&[Entry<'a>]> {
        if let Kind::Object(entries) = &self.kind { Some(entries) } else { None }
    }

    /// The items, if this is a list.
    pub fn items(&self) -> Option<&[Value<'a>]> {
        if let Kind::List(items) = &self.kind { Some(items) } else { None }
    }

    /// The string, if this is one.
    pub fn text(&self) -> Option<&str> {
        if let Kind::Text(text) = &self.kind { Some(text) } else { None }
    }

    /// A string without its quotes, a number or a truth value as written, nothing for `null`;
    /// absent for lists and objects.
    pub fn scalar(&self) -> Option<String> {
        match &self.kind {
            Kind::Null => Some(String::new()),
            Kind::Bool(value) => Some(value.to_string()),
            Kind::Number(number) => Some((*number).to_owned()),
            Kind::Text(text) => Some(text.clone()),
            Kind::List(_) | Kind::Object(_) => None,
        }
    }
}

/// All values of a text: one for a JSON document, several for lines of JSON.
///
/// # Errors
///
/// [`SyntaxError`] at the first place that is not JSON.
pub fn values(text: &str) -> Result<Vec<Value<'_>>, SyntaxError> {
    let mut parser = Parser { text, at: 0 };
    let mut values = Vec::new();
    while parser.peek().is_some() {
        values.push(parser.value(0)?);
    }
    Ok(values)
}

/// `true` if a text starts as a JSON list or object does, and not as a matrix that R printed (`[,1] [,2]`).
pub fn looks_like_json(text: &str) -> bool {
    let text = text.trim_start();
    let printed_by_r = text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(','));
    text.starts_with(['{', '[']) && !printed_by_r && !text.starts_with("[1,]")
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn value(&mut self, depth: usize) -> Result<Value<'a>, SyntaxError> {
        if depth > MAX_DEPTH {
            return Err(self.error(format!("lists and objects nest deeper than {MAX_DEPTH}")));
        }
        let first = self.peek();
        let start = self.at;
        let kind = match first {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Kind::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Value { span: start..self.at, kind })
    }

    fn object(&mut self, depth: usize) -> Result<Kind<'a>, SyntaxError> {
        self.at += 1;
        let mut entries = Vec::new();
        if self.eat(b'}') {
            return Ok(Kind::Object(entries));
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.error("expected a key in double quotes"));
            }
            let start = self.at;
            let key = self.string()?;
            let key_span = start..self.at;
            if !self.eat(b':') {
                return Err(self.error("expected `:` after the key"));
            }
            entries.push(Entry { key, key_span, value: self.value(depth + 1)? });
            if self.eat(b'}') {
                return Ok(Kind::Object(entries));
            }
            if !self.eat(b',') {
                return Err(self.error("expected `,` or `}`"));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Kind<'a>, SyntaxError> {
        self.at += 1;
        let mut items = Vec::new();
        if self.eat(b']') {
            return Ok(Kind::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.eat(b']') {
                return Ok(Kind::List(items));
            }
            if !self.eat(b',') {
                return Err(self.error("expected `,` or `]`"));
            }
        }
    }

    fn string(&mut self) -> Result<String, SyntaxError> {
        let bytes = self.text.as_bytes();
        let mut end = self.at + 1;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let Some(literal) = self.text.get(self.at..=end) else {
            return Err(self.error("the string has no closing quote"));
        };
        let Ok(string) = serde_json::from_str(literal) else {
            return Err(self.error("the string holds a line end or an unknown escape"));
        };
        self.at = end + 1;
        Ok(string)
    }

    fn number(&mut self) -> Result<Kind<'a>, SyntaxError> {
        let literal = self.run(|byte| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'));
        if serde_json::from_str::<serde_json::Number>(literal).is_err() {
            return Err(self.error(format!("{literal:?} is not a number")));
        }
        self.at += literal.len();
        Ok(Kind::Number(literal))
    }

    fn word(&mut self) -> Result<Kind<'a>, SyntaxError> {
        let word = self.run(|byte| byte.is_ascii_alphanumeric());
        let kind = match word {
            "null" => Kind::Null,
            "true" => Kind::Bool(true),
            "false" => Kind::Bool(false),
            _ => return Err(self.error("expected a JSON value")),
        };
        self.at += word.len();
        Ok(kind)
    }

    fn run(&self, belongs: impl Fn(u8) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| !belongs(byte)).unwrap_or(rest.len());
        &rest[..length]
    }

    /// The next byte that is no white space; moves there.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn eat(&mut self, wanted: u8) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError { offset: self.at, message: message.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_where_they_stand() {
        let text = "{\"id\": 7.50, \"rows\": [\"a\\n\", null, true]}\n[]";
        let read = values(text).unwrap();
        assert_eq!(read.len(), 2);
        let entries = read[0].entries().unwrap();
        assert_eq!(entries[0].value.kind, Kind::Number("7.50"));
        let rows = entries[1].value.items().unwrap();
        assert_eq!(rows[0].text(), Some("a\n"));
        assert_eq!(&text[rows[0].span.clone()], "\"a\\n\"");
        assert_eq!((&rows[1].kind, &rows[2].kind), (&Kind::Null, &Kind::Bool(true)));
        assert_eq!(&text[read[1].span.clone()], "[]");
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_stands() {
        let cases = [
            ("[1, 2", 5, "expected `,` or `]`"),
            ("{\"a\" 1}", 5, "expected `:`"),
            ("{a: 1}", 1, "double quotes"),
            ("[\"a", 1, "closing quote"),
            ("[\"\\é\"]", 1, "unknown escape"),
            ("[01]", 1, "not a number"),
            ("[1,]", 3, "expected a JSON value"),
        ];
        for (text, offset, message) in cases {
            let error = values(text).unwrap_err();
            assert_eq!(error.offset, offset, "{text}");
            assert!(error.message.contains(message), "{text}: {error}");
        }
        assert!(values(&"[".repeat(MAX_DEPTH + 2)).unwrap_err().message.contains("deeper"));
    }
}
