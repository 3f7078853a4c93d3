//! Formulas of models, as R's lme4 writes them: `y ~ x * condition + (1 + x | participant) + (1 | level)`.
//!
//! Wilkinson & Rogers (1973). Symbolic description of factorial models for analysis of variance. *Applied Statistics*,
//! 22, 392–399.
//!
//! `a + b` is both terms, `a:b` their product, `a * b` both and the product; `- a` takes a term away, `0` or `- 1` the
//! intercept. In parentheses with a bar stand effects that each label of a factor has for its own: `(1 + x | factor)`
//! correlated, `(1 + x || factor)` not (nor are, unlike in lme4, the columns of a category); `a:b` as a factor is each combination of labels, `a/b` is `a` and `a:b`. A name
//! with other signs than letters, digits, `_` and `.` stands between backticks, `log(x)` and `factor(x)` are
//! columns.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// More parentheses within each other than this are refused.
const MOST_DEPTH: usize = 20;

/// Products with more terms than this are refused.
const MOST_TERMS: usize = 100;

/// A formula that says which columns explain which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The outcome.
    pub response: String,
    /// The fixed effects.
    pub fixed: Terms,
    /// The random effects.
    pub random: Vec<Random>,
}

/// Terms of a linear predictor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// True if there is an intercept.
    pub intercept: bool,
    /// Each term as the columns that are multiplied, those of fewer columns first.
    pub products: Vec<Vec<String>>,
}

/// Effects of the labels of a factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    /// Effects of each label.
    pub terms: Terms,
    /// Columns whose combinations of labels are the labels of the factor.
    pub factor: Vec<String>,
    /// True if the effects of a label are correlated.
    pub correlated: bool,
}

/// Error of a formula.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the formula {formula:?} is not understood at {at:?}: {why}; it is written like y ~ x * condition + (1 + x | participant) + (1 | level)"
)]
pub struct FormulaError {
    /// The formula.
    pub formula: String,
    /// Text at the place of the fault.
    pub at: String,
    /// Text that is expected there.
    pub why: &'static str,
}

impl Terms {
    /// The columns of all terms, in their order.
    pub fn columns(&self) -> Vec<&str> {
        unique(self.products.iter().flatten().map(String::as_str))
    }

    /// Returns true if there is neither an intercept nor a product.
    pub fn is_empty(&self) -> bool {
        !self.intercept && self.products.is_empty()
    }
}

impl Formula {
    /// The model with a random intercept for each label of each of the factors, and without products.
    pub fn additive<S: AsRef<str>>(response: &str, predictors: &[S], factors: &[S]) -> Self {
        let single = |name: &S| vec![name.as_ref().to_owned()];
        let intercept = || Terms { intercept: true, products: Vec::new() };
        let random = |name: &S| Random { terms: intercept(), factor: single(name), correlated: true };
        Self {
            response: response.to_owned(),
            fixed: Terms { intercept: true, products: predictors.iter().map(single).collect() },
            random: factors.iter().map(random).collect(),
        }
    }

    /// The columns of the fixed and random effects, without those that are factors only.
    pub fn predictors(&self) -> Vec<&str> {
        let random = self.random.iter().flat_map(|random| random.terms.columns());
        unique(self.fixed.columns().into_iter().chain(random))
    }

    /// The columns that make the factors of the random effects.
    pub fn factors(&self) -> Vec<&str> {
        unique(self.random.iter().flat_map(|random| &random.factor).map(String::as_str))
    }
}

impl FromStr for Formula {
    type Err = FormulaError;

    fn from_str(text: &str) -> Result<Self, FormulaError> {
        let mut parser = Parser { text, rest: text.trim_start(), depth: 0 };
        let response = parser.name()?.ok_or_else(|| parser.fault("the outcome comes first"))?;
        parser.expect("~", "after the outcome comes ~")?;
        let sum = parser.sum(true)?;
        if !parser.rest.is_empty() {
            return Err(parser.fault("a sign such as + or * is expected between terms"));
        }
        let is_random = sum.random.iter().any(|random| random.terms.columns().contains(&response.as_str()));
        if is_random || sum.terms.iter().any(|term| term.contains(&response)) {
            return Err(parser.fault("the outcome cannot explain itself"));
        }
        let fixed = sum.terms();
        Ok(Self { response, fixed, random: sum.random })
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{} ~ {}", quoted(&self.response), self.fixed)?;
        self.random.iter().try_for_each(|random| write!(out, " + ({random})"))
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let terms =
            self.products.iter().map(|product| product.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(":"));
        let all: Vec<String> = [if self.intercept { "1" } else { "0" }.to_owned()].into_iter().chain(terms).collect();
        out.write_str(&all.join(" + "))
    }
}

impl fmt::Display for Random {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let factor: Vec<String> = self.factor.iter().map(|name| quoted(name)).collect();
        write!(out, "{} {} {}", self.terms, if self.correlated { "|" } else { "||" }, factor.join(":"))
    }
}

fn quoted(name: &str) -> String {
    let is_call = name
        .split_once('(')
        .is_some_and(|(function, rest)| is_plain(function) && end_of_call(&format!("({rest}")) == Some(rest.len()));
    if is_call || is_plain(name) { name.to_owned() } else { format!("`{name}`") }
}

/// Place of the parenthesis that closes the one with which a text begins.
fn end_of_call(rest: &str) -> Option<usize> {
    let mut depth = 0;
    rest.find(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        letter == ')' && depth == 0
    })
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic()) && name.chars().all(is_letter)
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '.'
}

fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut unique = BTreeSet::new();
    names.filter(|name| unique.insert(*name)).collect()
}

/// Terms as they are read: the intercept is the product of no columns.
#[derive(Clone, Debug, Default)]
struct Sum {
    terms: Vec<Vec<String>>,
    random: Vec<Random>,
}

impl Sum {
    fn add(&mut self, term: Vec<String>) {
        if !self.has(&term) {
            self.terms.push(term);
        }
    }

    fn has(&self, term: &[String]) -> bool {
        self.terms.iter().any(|known| factor_set(known) == factor_set(term))
    }

    fn remove(&mut self, term: &[String]) {
        self.terms.retain(|known| factor_set(known) != factor_set(term));
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for left in &self.terms {
            for right in &other.terms {
                let new = right.iter().filter(|name| !left.contains(name));
                product.add(left.iter().chain(new).cloned().collect());
            }
        }
        product
    }

    fn terms(&self) -> Terms {
        let mut products: Vec<Vec<String>> = self.terms.iter().filter(|term| !term.is_empty()).cloned().collect();
        products.sort_by_key(Vec::len);
        Terms { intercept: self.terms.iter().any(Vec::is_empty), products }
    }
}

/// Factors of a term, of which the order does not matter.
fn factor_set(term: &[String]) -> BTreeSet<String> {
    term.iter().cloned().collect::<BTreeSet<String>>()
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    /// Number of open parentheses.
    depth: usize,
}

impl Parser<'_> {
    fn fault(&self, why: &'static str) -> FormulaError {
        let at = if self.rest.is_empty() { "its end".to_owned() } else { self.rest.to_owned() };
        FormulaError { formula: self.text.to_owned(), at, why }
    }

    fn accept(&mut self, sign: &str) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.map_or(self.rest, str::trim_start);
        rest.is_some()
    }

    fn expect(&mut self, sign: &str, why: &'static str) -> Result<(), FormulaError> {
        if self.accept(sign) { Ok(()) } else { Err(self.fault(why)) }
    }

    /// Terms with + and − between them; an intercept unless it is taken away.
    fn sum(&mut self, with_random: bool) -> Result<Sum, FormulaError> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(self.fault("more than 20 parentheses are open"));
        }
        let sum = self.sum_within(with_random)?;
        self.depth -= 1;
        Ok(sum)
    }

    fn sum_within(&mut self, with_random: bool) -> Result<Sum, FormulaError> {
        let mut sum = Sum { terms: vec![Vec::new()], random: Vec::new() };
        let mut is_added = !self.accept("-");
        loop {
            if with_random && is_added && self.random(&mut sum)? {
            } else if self.accept("0") {
                if is_added { sum.remove(&[]) } else { sum.add(Vec::new()) }
            } else {
                let product = self.product()?;
                product.terms.into_iter().for_each(|term| if is_added { sum.add(term) } else { sum.remove(&term) });
            }
            is_added = if self.accept("+") {
                true
            } else if self.accept("-") {
                false
            } else {
                return Ok(sum);
            };
        }
    }

    /// Terms with * between them.
    fn product(&mut self) -> Result<Sum, FormulaError> {
        let mut sum = self.interaction()?;
        while self.accept("*") {
            let other = self.interaction()?;
            let both = self.product_of(&sum, &other)?;
            other.terms.into_iter().chain(both.terms).for_each(|term| sum.add(term));
        }
        Ok(sum)
    }

    fn product_of(&self, left: &Sum, right: &Sum) -> Result<Sum, FormulaError> {
        if left.terms.len() * right.terms.len() > MOST_TERMS {
            return Err(self.fault("the product before has more than 100 terms"));
        }
        Ok(left.times(right))
    }

    /// Terms with : between them.
    fn interaction(&mut self) -> Result<Sum, FormulaError> {
        let mut power = self.primary()?;
        while self.accept(":") {
            let other = self.primary()?;
            power = self.product_of(&power, &other)?;
        }
        Ok(power)
    }

    fn primary(&mut self) -> Result<Sum, FormulaError> {
        if self.accept("(") {
            // A sum begins with the intercept, which is no term of a parenthesis: (a + b):c is a:c + b:c, without c.
            let mut sum = self.sum(false)?;
            sum.remove(&[]);
            self.expect(")", "a parenthesis is not closed; effects of a factor cannot be multiplied")?;
            return Ok(sum);
        }
        if self.accept("1") {
            return Ok(Sum { terms: vec![Vec::new()], random: Vec::new() });
        }
        let name = self.name()?.ok_or_else(|| self.fault("a column, 0, 1 or a parenthesis is expected"))?;
        Ok(Sum { terms: vec![vec![name]], random: Vec::new() })
    }

    /// A parenthesis with a bar, if there is one.
    fn random(&mut self, sum: &mut Sum) -> Result<bool, FormulaError> {
        let start = self.rest;
        if !self.accept("(") {
            return Ok(false);
        }
        let terms = self.sum(false)?.terms();
        // Without a bar it is a parenthesis of fixed effects, which is read again as one.
        if !self.accept("|") {
            self.rest = start;
            return Ok(false);
        }
        let correlated = !self.accept("|");
        let column = "a factor is expected after the bar";
        let mut factors = vec![vec![self.name()?.ok_or_else(|| self.fault(column))?]];
        while !self.accept(")") {
            let is_nested = self.accept("/");
            if !is_nested {
                self.expect(":", "the parenthesis is not closed")?;
            }
            let name = self.name()?.ok_or_else(|| self.fault(column))?;
            let last = factors.last().expect("there is one").clone();
            let next = [last, vec![name]].concat();
            if is_nested { factors.push(next) } else { *factors.last_mut().expect("there is one") = next }
        }
        let random = |factor| Random { terms: terms.clone(), factor, correlated };
        sum.random.extend(factors.into_iter().map(random));
        Ok(true)
    }

    /// A column; absent where something else stands.
    fn name(&mut self) -> Result<Option<String>, FormulaError> {
        if let Some(rest) = self.rest.strip_prefix('`') {
            let Some((name, rest)) = rest.split_once('`') else { return Err(self.fault("a backtick is not closed")) };
            self.rest = rest.trim_start();
            return Ok(Some(name.to_owned()));
        }
        if !self.rest.starts_with(char::is_alphabetic) {
            return Ok(None);
        }
        let end = self.rest.find(|letter| !is_letter(letter)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if rest.starts_with('(') {
            let Some(end) = end_of_call(rest) else { return Err(self.fault("a parenthesis is not closed")) };
            let call = format!("{name}({})", rest[1..end].trim());
            self.rest = rest[end + 1..].trim_start();
            return Ok(Some(call));
        }
        self.rest = rest.trim_start();
        Ok(Some(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Formula {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn formulas_are_read_as_r_reads_them() {
        // On the right what R's terms() makes of them, its labels sorted by order.
        for (written, meant) in [
            ("y ~ x", "y ~ 1 + x"),
            ("y ~ 1", "y ~ 1"),
            ("y~0+x", "y ~ 0 + x"),
            ("y ~ x - 1", "y ~ 0 + x"),
            ("y ~ a*b", "y ~ 1 + a + b + a:b"),
            ("y ~ a*b*c - a:b:c", "y ~ 1 + a + b + c + a:b + a:c + b:c"),
            ("y ~ a:b + a", "y ~ 1 + a + a:b"),
            ("y ~ (a + b):c", "y ~ 1 + a:c + b:c"),
            ("y ~ (a + b) * c", "y ~ 1 + a + b + c + a:c + b:c"),
            ("y ~ b:a + a:b", "y ~ 1 + b:a"),
            ("`time (s)` ~ `a(b)(c)`", "`time (s)` ~ 1 + `a(b)(c)`"),
            ("y ~ within(log(x)) + a", "y ~ 1 + within(log(x)) + a"),
            ("log(y) ~ factor( x ) + `two words`", "log(y) ~ 1 + factor(x) + `two words`"),
            ("y ~ x + (1 + x | p) + (1 | l)", "y ~ 1 + x + (1 + x | p) + (1 | l)"),
            ("y ~ x + (x || p)", "y ~ 1 + x + (1 + x || p)"),
            ("y ~ 1 + (0 + x | p)", "y ~ 1 + (0 + x | p)"),
            ("y ~ 1 + (1 | a/b)", "y ~ 1 + (1 | a) + (1 | a:b)"),
            ("y ~ 1 + (x | a:b)", "y ~ 1 + (1 + x | a:b)"),
        ] {
            assert_eq!(read(written).to_string(), meant);
            assert_eq!(read(meant), read(written), "what is printed reads as the same");
        }
    }

    #[test]
    fn columns_are_listed_once_in_their_order() {
        let formula = read("y ~ b * a + (1 + z | p) + (1 | l)");
        assert_eq!(formula.predictors(), ["b", "a", "z"]);
        assert_eq!(formula.factors(), ["p", "l"]);
        assert_eq!(Formula::additive("y", &["b", "a"], &["p"]).to_string(), "y ~ 1 + b + a + (1 | p)");
    }

    #[test]
    fn faults_are_shown_where_they_are() {
        for (text, at, why) in [
            ("", "its end", "the outcome comes first"),
            ("y", "its end", "after the outcome comes ~"),
            ("y ~", "its end", "a column, 0, 1 or a parenthesis is expected"),
            ("y ~ a b", "b", "a sign such as + or * is expected between terms"),
            ("y ~ a + (1 | )", ")", "a factor is expected after the bar"),
            ("y ~ a + (1 | p", "its end", "the parenthesis is not closed"),
            ("y ~ a * (1 | p)", "| p)", "a parenthesis is not closed; effects of a factor cannot be multiplied"),
            ("y ~ a^2", "^2", "a sign such as + or * is expected between terms"),
            ("y ~ `a", "`a", "a backtick is not closed"),
            ("y ~ log(y", "log(y", "a parenthesis is not closed"),
            ("y ~ x + y", "its end", "the outcome cannot explain itself"),
            ("y ~ 1 + (y | p)", "its end", "the outcome cannot explain itself"),
            ("y ~ a*b*c*d*e*f*g*h", "its end", "the product before has more than 100 terms"),
        ] {
            let error = text.parse::<Formula>().unwrap_err();
            assert_eq!((error.at.as_str(), error.why), (at, why), "{text}");
        }
        let deep = format!("y ~ {}a", "(".repeat(MOST_DEPTH + 1));
        assert_eq!(deep.parse::<Formula>().unwrap_err().why, "more than 20 parentheses are open");
    }
}
