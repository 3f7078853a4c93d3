//! An expression as words and signs.

use std::ops::Range;

use super::error::ExpressionError;

/// A word or sign of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Text(String),
    /// A column in backticks; never a word of the grammar.
    Quoted(String),
    /// A column, a function, or a word of the grammar.
    Word(String),
    Sign(&'static str),
    End,
}

/// Longer signs before those that they begin with.
const SIGNS: [&str; 23] = [
    "==", "!=", "<=", ">=", "&&", "||", "<>", "=", "<", ">", "!", "&", "|", "+", "-", "*", "/", "%", "(", ")", "[",
    "]", ",",
];

/// Takes an expression apart. The last token is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, ExpressionError> {
    let mut read = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (token, length) = match first {
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '"' | '\'' | '`' => quoted(text, at, first)?,
            '0'..='9' | '.' => number(text, at)?,
            _ if is_letter(first) => {
                let length = rest.find(|letter| !(is_letter(letter) || letter.is_numeric() || letter == '.'));
                let length = length.unwrap_or(rest.len());
                (Token::Word(rest[..length].to_owned()), length)
            }
            _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (Token::Sign(sign), sign.len()),
                None => {
                    let help = "a column with such a sign in its name stands in backticks, as in `Zeit (s)`";
                    let span = at..at + first.len_utf8();
                    let message = format!("{first:?} has no meaning here");
                    return Err(ExpressionError::new(text, span, message, Some(help.to_owned())));
                }
            },
        };
        read.push((token, at..at + length));
        at += length;
    }
    read.push((Token::End, text.len()..text.len()));
    Ok(read)
}

fn is_letter(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_'
}

/// A text or a column in quotes. A doubled quote stands for one.
fn quoted(text: &str, at: usize, quote: char) -> Result<(Token, usize), ExpressionError> {
    let mut content = String::new();
    let mut letters = text[at + 1..].char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        if letter != quote {
            content.push(letter);
        } else if letters.next_if(|&(_, next)| next == quote).is_some() {
            content.push(quote);
        } else {
            let token = if quote == '`' { Token::Quoted(content) } else { Token::Text(content) };
            return Ok((token, place + 2));
        }
    }
    let message = format!("the quote {quote} has no end");
    Err(ExpressionError::new(text, at..text.len(), message, Some(format!("write {quote} behind the text"))))
}

fn number(text: &str, at: usize) -> Result<(Token, usize), ExpressionError> {
    let rest = &text[at..];
    let mut length = 0;
    let mut before = ' ';
    for letter in rest.chars() {
        let is_sign = matches!(letter, '+' | '-') && matches!(before, 'e' | 'E');
        if !(letter.is_alphanumeric() || letter == '.' || is_sign) {
            break;
        }
        before = letter;
        length += letter.len_utf8();
    }
    match rest[..length].parse() {
        Ok(number) => Ok((Token::Number(number), length)),
        Err(_) => {
            let help =
                "numbers are written as 500, 0.5 or 1e3; a column whose name begins with a digit stands in backticks";
            let message = format!("{:?} is not a number", &rest[..length]);
            Err(ExpressionError::new(text, at..at + length, message, Some(help.to_owned())))
        }
    }
}
