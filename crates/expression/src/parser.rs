//! Parser: a tree from words and signs.

use std::ops::Range;

use super::error::ExpressionError;
use super::function::{FUNCTIONS, Function};
use super::lexer::{Token, tokens};

/// Largest depth of nested parentheses, functions and signs.
const MAX_DEPTH: usize = 64;

/// An expression as a tree.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    /// Its range, in bytes.
    pub span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Missing,
    Truth(bool),
    Number(f64),
    Text(String),
    /// A column, by its place among the names.
    Column(usize),
    Not(Box<Node>),
    Negative(Box<Node>),
    IsMissing(Box<Node>),
    In(Box<Node>, Vec<Node>),
    /// Conjunction of two or more, side by side, for a long chain must not become a deep tree.
    And(Vec<Node>),
    /// Disjunction of two or more, as `And`.
    Or(Vec<Node>),
    Compare(Comparison, Box<Node>, Box<Node>),
    /// Operations, from left to right.
    Calculate(Box<Node>, Vec<(Operation, Node)>),
    If(Box<Node>, Box<[Node; 2]>),
    Call(Function, Vec<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// A column that an expression names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub name: String,
    /// Range of its first occurrence, in bytes.
    pub span: Range<usize>,
}

/// Words that are no columns unless they stand in backticks.
const WORDS: [&str; 8] = ["and", "or", "not", "in", "is", "missing", "true", "false"];

/// The tree of an expression, and the columns that it names.
pub(super) fn parse(text: &str) -> Result<(Node, Vec<Name>), ExpressionError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0, names: Vec::new() };
    if parser.peek() == &Token::End {
        let help = "write a condition such as level == \"easy\"".to_owned();
        return Err(ExpressionError::new(text, 0..text.len(), "the expression is empty", Some(help)));
    }
    let root = parser.either()?;
    if parser.peek() != &Token::End {
        return Err(parser.unexpected("the expression should end here, or go on with and, or, a comparison or + - * /"));
    }
    Ok((root, parser.names))
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    depth: usize,
    names: Vec<Name>,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.at].1.clone()
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn takes_sign(&mut self, signs: &[&str]) -> Option<&'static str> {
        let Token::Sign(sign) = *self.peek() else { return None };
        signs.contains(&sign).then(|| self.next()).map(|_| sign)
    }

    /// Words of the grammar are known in any letter case, as R's `TRUE` and SQL's `AND`.
    fn takes_word(&mut self, wanted: &str) -> bool {
        let is_it = matches!(self.peek(), Token::Word(word) if word.eq_ignore_ascii_case(wanted));
        if is_it {
            self.next();
        }
        is_it
    }

    fn unexpected(&self, help: &str) -> ExpressionError {
        let span = self.span();
        let message = match self.peek() {
            Token::End => "the expression ends too early".to_owned(),
            _ => format!("{:?} is not expected here", &self.text[span.clone()]),
        };
        ExpressionError::new(self.text, span, message, Some(help.to_owned()))
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, ExpressionError>) -> Result<T, ExpressionError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("the expression is nested more than {MAX_DEPTH} deep");
            return Err(ExpressionError::new(self.text, self.span(), message, None));
        }
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn either(&mut self) -> Result<Node, ExpressionError> {
        let mut parts = vec![self.both()?];
        while self.takes_word("or") || self.takes_sign(&["||", "|"]).is_some() {
            parts.push(self.both()?);
        }
        Ok(chained(Kind::Or, parts))
    }

    fn both(&mut self) -> Result<Node, ExpressionError> {
        let mut parts = vec![self.negation()?];
        while self.takes_word("and") || self.takes_sign(&["&&", "&"]).is_some() {
            parts.push(self.negation()?);
        }
        Ok(chained(Kind::And, parts))
    }

    fn negation(&mut self) -> Result<Node, ExpressionError> {
        let start = self.span().start;
        if !(self.takes_word("not") || self.takes_sign(&["!"]).is_some()) {
            return self.comparison();
        }
        let inner = self.deeper(Self::negation)?;
        let span = start..inner.span.end;
        Ok(Node { kind: Kind::Not(Box::new(inner)), span })
    }

    fn comparison(&mut self) -> Result<Node, ExpressionError> {
        let left = self.sum()?;
        if self.takes_word("is") {
            let is_negated = self.takes_word("not");
            if !self.takes_word("missing") {
                return Err(self.unexpected("behind is stands missing or not missing"));
            }
            let span = left.span.start..self.tokens[self.at - 1].1.end;
            return Ok(negated(is_negated, Node { kind: Kind::IsMissing(Box::new(left)), span }));
        }
        let before = self.at;
        let is_negated = self.takes_word("not");
        if self.takes_word("in") {
            let list = self.list()?;
            let span = left.span.start..self.tokens[self.at - 1].1.end;
            return Ok(negated(is_negated, Node { kind: Kind::In(Box::new(left), list), span }));
        }
        self.at = before;
        let Some(sign) = self.takes_sign(&["==", "=", "!=", "<>", "<=", ">=", "<", ">"]) else { return Ok(left) };
        let comparison = match sign {
            "==" | "=" => Comparison::Equal,
            "!=" | "<>" => Comparison::Unequal,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::Greater,
            _ => Comparison::AtLeast,
        };
        let right = self.sum()?;
        if matches!(self.peek(), Token::Sign("==" | "=" | "!=" | "<>" | "<=" | ">=" | "<" | ">")) {
            return Err(self.unexpected("comparisons are joined with and, as in 200 < rt and rt < 5000"));
        }
        Ok(compared(comparison, left, right))
    }

    fn list(&mut self) -> Result<Vec<Node>, ExpressionError> {
        const HELP: &str = "a list is written as [\"easy\", \"hard\"]";
        let Some(open) = self.takes_sign(&["[", "("]) else { return Err(self.unexpected(HELP)) };
        let close = if open == "[" { "]" } else { ")" };
        let mut items = Vec::new();
        while self.takes_sign(&[close]).is_none() {
            items.push(self.sum()?);
            if self.takes_sign(&[","]).is_none() && self.peek() != &Token::Sign(close) {
                return Err(self.unexpected(HELP));
            }
        }
        Ok(items)
    }

    fn sum(&mut self) -> Result<Node, ExpressionError> {
        let first = self.product()?;
        let mut rest = Vec::new();
        while let Some(sign) = self.takes_sign(&["+", "-"]) {
            let operation = if sign == "+" { Operation::Add } else { Operation::Subtract };
            rest.push((operation, self.product()?));
        }
        Ok(calculated(first, rest))
    }

    fn product(&mut self) -> Result<Node, ExpressionError> {
        let first = self.factor()?;
        let mut rest = Vec::new();
        while let Some(sign) = self.takes_sign(&["*", "/", "%"]) {
            let operation = match sign {
                "*" => Operation::Multiply,
                "/" => Operation::Divide,
                _ => Operation::Remainder,
            };
            rest.push((operation, self.factor()?));
        }
        Ok(calculated(first, rest))
    }

    fn factor(&mut self) -> Result<Node, ExpressionError> {
        let start = self.span().start;
        if self.takes_sign(&["-"]).is_some() {
            let inner = self.deeper(Self::factor)?;
            let span = start..inner.span.end;
            return Ok(Node { kind: Kind::Negative(Box::new(inner)), span });
        }
        self.primary()
    }

    fn primary(&mut self) -> Result<Node, ExpressionError> {
        let span = self.span();
        let kind = match self.peek().clone() {
            Token::Number(number) => Kind::Number(number),
            Token::Text(text) => Kind::Text(text),
            Token::Quoted(name) => Kind::Column(self.column(name, span.clone())),
            Token::Sign("(") => {
                self.next();
                let inner = self.deeper(Self::either)?;
                if self.takes_sign(&[")"]).is_none() {
                    return Err(self.unexpected("a parenthesis is open; close it with )"));
                }
                let span = span.start..self.tokens[self.at - 1].1.end;
                return Ok(Node { span, ..inner });
            }
            Token::Word(word) if self.tokens[self.at + 1].0 == Token::Sign("(") && !is_word(&word) => {
                return self.call(&word, span);
            }
            Token::Word(word) => match word.to_ascii_lowercase().as_str() {
                "missing" => Kind::Missing,
                "true" => Kind::Truth(true),
                "false" => Kind::Truth(false),
                lower if WORDS.contains(&lower) => {
                    return Err(self.unexpected("a column, a number or a text in quotes should stand here; a column of that name stands in backticks"));
                }
                _ => Kind::Column(self.column(word, span.clone())),
            },
            _ => return Err(self.unexpected("a column, a number or a text in quotes should stand here")),
        };
        self.next();
        Ok(Node { kind, span })
    }

    fn call(&mut self, name: &str, span: Range<usize>) -> Result<Node, ExpressionError> {
        let Some(place) = Function::named(name) else {
            let help = format!("functions are {}", FUNCTIONS.map(|(name, ..)| name).join(", "));
            let message = format!("there is no function {name:?}");
            return Err(ExpressionError::new(self.text, span, message, Some(help)));
        };
        self.next();
        self.next();
        let mut arguments = Vec::new();
        while self.takes_sign(&[")"]).is_none() {
            arguments.push(self.deeper(Self::either)?);
            if self.takes_sign(&[","]).is_none() && self.peek() != &Token::Sign(")") {
                return Err(self.unexpected("arguments are parted by commas, and end with )"));
            }
        }
        let span = span.start..self.tokens[self.at - 1].1.end;
        let pattern = arguments.get(1).and_then(|argument| match &argument.kind {
            Kind::Text(text) => Some(text.as_str()),
            _ => None,
        });
        let function = Function::of(place, arguments.len(), pattern).map_err(|(message, place_of)| {
            let span = place_of.map_or(span.clone(), |place| arguments[place].span.clone());
            ExpressionError::new(self.text, span, message, Some(format!("it is used as {}", FUNCTIONS[place].1)))
        })?;
        if name == "if" {
            let [condition, yes, no] = <[Node; 3]>::try_from(arguments).expect("their number was checked");
            return Ok(Node { kind: Kind::If(Box::new(condition), Box::new([yes, no])), span });
        }
        if matches!(name, "matches" | "extract") {
            // The pattern is part of the function.
            arguments.truncate(1);
        }
        Ok(Node { kind: Kind::Call(function, arguments), span })
    }

    fn column(&mut self, name: String, span: Range<usize>) -> usize {
        self.names.iter().position(|known| known.name == name).unwrap_or_else(|| {
            self.names.push(Name { name, span });
            self.names.len() - 1
        })
    }
}

fn is_word(word: &str) -> bool {
    WORDS.contains(&word.to_ascii_lowercase().as_str())
}

/// Returns the parts as one node; one part alone is that part.
fn chained(kind: fn(Vec<Node>) -> Kind, mut parts: Vec<Node>) -> Node {
    let span = parts[0].span.start..parts[parts.len() - 1].span.end;
    if parts.len() == 1 { parts.swap_remove(0) } else { Node { kind: kind(parts), span } }
}

fn calculated(first: Node, rest: Vec<(Operation, Node)>) -> Node {
    let Some((_, last)) = rest.last() else { return first };
    let span = first.span.start..last.span.end;
    Node { kind: Kind::Calculate(Box::new(first), rest), span }
}

fn negated(is_negated: bool, node: Node) -> Node {
    let span = node.span.clone();
    if is_negated { Node { kind: Kind::Not(Box::new(node)), span } } else { node }
}

/// An empty cell is a missing one, so that a comparison with the empty text asks for it.
fn compared(comparison: Comparison, left: Node, right: Node) -> Node {
    let is_empty = |node: &Node| matches!(&node.kind, Kind::Text(text) if text.is_empty());
    let is_equality = matches!(comparison, Comparison::Equal | Comparison::Unequal);
    if is_equality && (is_empty(&left) || is_empty(&right)) {
        let span = left.span.start..right.span.end;
        let operand = if is_empty(&right) { left } else { right };
        let node = Node { kind: Kind::IsMissing(Box::new(operand)), span };
        return negated(comparison == Comparison::Unequal, node);
    }
    let span = left.span.start..right.span.end;
    Node { kind: Kind::Compare(comparison, Box::new(left), Box::new(right)), span }
}
