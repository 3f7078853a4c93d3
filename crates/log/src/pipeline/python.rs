//! Lists and dictionaries as Python prints them, numpy's among them, as JSON.

use std::iter::Peekable;
use std::str::Chars;

/// The JSON that says the same as what Python printed; what is not known stays as it is, and is no JSON then.
pub(super) fn as_json(cell: &str) -> String {
    let mut writer = Writer { letters: cell.chars().peekable(), text: String::new(), open: Vec::new() };
    writer.write();
    writer.text
}

/// A bracket that is open.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    /// Of a list, a dictionary or a tuple; what closes it in JSON.
    Bracket(char),
    /// Of what numpy writes around a value, such as `np.float64(`.
    Call,
}

struct Writer<'c> {
    letters: Peekable<Chars<'c>>,
    text: String,
    open: Vec<Open>,
}

impl Writer<'_> {
    fn write(&mut self) {
        while let Some(letter) = self.letters.next() {
            match letter {
                '\'' | '"' => self.quoted(letter),
                '[' | '(' => self.bracket('[', ']'),
                '{' => self.bracket('{', '}'),
                ']' | '}' | ')' => self.close(letter),
                // `array([1], dtype=int64)`: what follows the value says how numpy holds it.
                ',' if self.open.last() == Some(&Open::Call) => self.skip_arguments(),
                _ if letter.is_ascii_alphabetic() || letter == '_' => self.word(letter),
                _ if letter.is_ascii_digit() || letter == '.' => self.number(letter),
                _ => self.text.push(letter),
            }
        }
    }

    fn bracket(&mut self, open: char, close: char) {
        self.text.push(open);
        self.open.push(Open::Bracket(close));
    }

    fn close(&mut self, letter: char) {
        match self.open.pop() {
            Some(Open::Bracket(close)) => {
                // A tuple of one has a comma behind it, as lists may have.
                let end = self.text.trim_end().trim_end_matches(',').len();
                self.text.truncate(end);
                self.text.push(close);
            }
            Some(Open::Call) => {}
            None => self.text.push(letter),
        }
    }

    fn skip_arguments(&mut self) {
        let mut depth = 0;
        while let Some(&letter) = self.letters.peek() {
            match letter {
                '(' | '[' => depth += 1,
                ')' | ']' if depth == 0 => return,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            self.letters.next();
        }
    }

    fn word(&mut self, first: char) {
        let mut word = String::from(first);
        while let Some(letter) = self.letters.next_if(|&letter| letter.is_ascii_alphanumeric() || "_.".contains(letter))
        {
            word.push(letter);
        }
        let is_numpy = word == "array" || word.starts_with("np.") || word.starts_with("numpy.");
        match word.as_str() {
            "None" | "nan" | "NaN" | "inf" | "np.nan" | "np.inf" => self.text.push_str("null"),
            "True" | "np.True_" => self.text.push_str("true"),
            "False" | "np.False_" => self.text.push_str("false"),
            _ if is_numpy && self.letters.next_if_eq(&'(').is_some() => self.open.push(Open::Call),
            other => self.text.push_str(other),
        }
    }

    /// Numpy writes `1.` and `.5`, which JSON does not know.
    fn number(&mut self, first: char) {
        let mut number = String::from(first);
        while let Some(letter) = self.letters.next_if(|&letter| letter.is_ascii_digit() || ".eE".contains(letter)) {
            number.push(letter);
            if matches!(letter, 'e' | 'E') {
                number.extend(self.letters.next_if(|&sign| "+-".contains(sign)));
            }
        }
        let number = if first == '.' { format!("0{number}") } else { number };
        self.text.push_str(&number.replace(".e", ".0e"));
        if number.ends_with('.') {
            self.text.push('0');
        }
    }

    fn quoted(&mut self, quote: char) {
        self.text.push('"');
        while let Some(letter) = self.letters.next() {
            match letter {
                _ if letter == quote => break,
                '"' => self.text.push_str("\\\""),
                '\\' => match self.letters.next() {
                    // JSON knows no \'.
                    Some('\'') => self.text.push('\''),
                    next => self.text.extend([Some('\\'), next].into_iter().flatten()),
                },
                _ => self.text.push(letter),
            }
        }
        self.text.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::super::split::nested;

    fn of(cell: &str) -> String {
        nested(cell).map(|value| value.to_string()).unwrap_or_default()
    }

    #[test]
    fn lists_of_python_are_read() {
        assert_eq!(of("['E-1', 'C-1', None, True]"), r#"["E-1","C-1",null,true]"#);
        assert_eq!(of(r#"["it's", 'say "None"', 'it\'s', 1e-3]"#), r#"["it's","say \"None\"","it's",0.001]"#);
        assert_eq!(of("{'t': [1, 2]}"), r#"{"t":[1,2]}"#);
        assert_eq!(of("[(1, 'A'), (2,), ()]"), r#"[[1,"A"],[2],[]]"#);
        assert!(nested("['E-1'").is_err());
    }

    #[test]
    fn lists_of_numpy_are_read() {
        assert_eq!(of("[np.float64(1.5), np.str_('x (1, 2)'), np.True_, nan]"), r#"[1.5,"x (1, 2)",true,null]"#);
        assert_eq!(of("array([ 1., -.5, 2.e+01], dtype=float32)"), "[1.0,-0.5,20.0]");
        assert_eq!(of("[array([1, 2]), numpy.int64(3)]"), "[[1,2],3]");
        // What is no value of numpy is not taken for one.
        assert!(nested("[datetime.date(2026, 3, 1)]").is_err());
    }
}
