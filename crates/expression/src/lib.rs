#![doc = include_str!("../README.md")]

mod error;
mod evaluate;
mod expression;
mod function;
mod lexer;
mod number;
mod parser;
mod template;
mod value;

pub use error::{EvalError, ExpressionError};
pub use evaluate::Cells;
pub use expression::Expression;
pub use function::FUNCTIONS;
pub use number::{MISSING, NumberStyle, is_missing};
pub use template::Template;
pub use value::Value;

#[cfg(test)]
mod tests;
