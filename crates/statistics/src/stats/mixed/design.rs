//! The fixed effects as named columns, and the grouping factors of the random intercepts.

use std::collections::{BTreeSet, HashMap};

use crate::stats::{NotEstimable, check_values};

/// Named columns of a regression: one value per observation each.
///
/// ```
/// use plymap_statistics::stats::mixed::Design;
///
/// let quality = ["better", "worse", "same", "better"];
/// let design = Design::with_intercept(4)
///     .factor("quality", &quality, "better")?
///     .numeric("distance", &[3.0, 4.0, 4.0, 2.0])?;
/// assert_eq!(design.names(), ["intercept", "quality = same", "quality = worse", "distance"]);
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    n: usize,
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
    terms: Vec<Term>,
}

/// Columns that belong together: one number, or all contrasts of one factor.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::stats) struct Term {
    pub name: String,
    pub columns: std::ops::Range<usize>,
}

impl Design {
    /// A design of `n` observations without any column.
    pub fn empty(n: usize) -> Self {
        Self { n, names: Vec::new(), columns: Vec::new(), terms: Vec::new() }
    }

    /// A design of `n` observations with a column of ones, named `intercept`.
    pub fn with_intercept(n: usize) -> Self {
        let terms = vec![Term { name: "intercept".to_owned(), columns: 0..1 }];
        Self { n, names: vec!["intercept".to_owned()], columns: vec![vec![1.0; n]], terms }
    }

    /// Adds a column of numbers.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if there is not one value per observation, a value is not finite, or the
    /// name is taken.
    pub fn numeric(mut self, name: &str, values: &[f64]) -> Result<Self, NotEstimable> {
        self.check_new(name, values.len())?;
        check_values("a column", values).map_err(|reason| not_defined(format!("{name}: {reason}")))?;
        self.push_term(name, vec![(name.to_owned(), values.to_vec())]);
        Ok(self)
    }

    /// Adds a factor in treatment contrasts: one column of 0 and 1 for each label but `reference`,
    /// named `name = label`, labels in alphabetical order. Its coefficient is the difference from
    /// the reference.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if there is not one label per observation, none is the reference, all are,
    /// or the name is taken.
    pub fn factor<S: AsRef<str>>(mut self, name: &str, labels: &[S], reference: &str) -> Result<Self, NotEstimable> {
        self.check_new(name, labels.len())?;
        let mut others: BTreeSet<&str> = labels.iter().map(AsRef::as_ref).collect();
        if !others.remove(reference) {
            return Err(not_defined(format!("no observation has {name} = {reference}, the reference")));
        }
        if others.is_empty() {
            return Err(not_defined(format!("all observations have {name} = {reference}")));
        }
        let indicator = |label: &str| labels.iter().map(|own| f64::from(u8::from(own.as_ref() == label))).collect();
        let columns = others.into_iter().map(|label| (format!("{name} = {label}"), indicator(label))).collect();
        self.push_term(name, columns);
        Ok(self)
    }

    /// Number of observations.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Names of the columns, in their order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The columns, in the order of their names.
    pub(in crate::stats) fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }

    pub(in crate::stats) fn terms(&self) -> &[Term] {
        &self.terms
    }

    fn check_new(&self, name: &str, n: usize) -> Result<(), NotEstimable> {
        if n != self.n {
            let (left_name, right_name) = ("the design", "a column");
            return Err(NotEstimable::UnequalLengths { left_name, left: self.n, right_name, right: n });
        }
        if self.terms.iter().any(|term| term.name == name) {
            return Err(not_defined(format!("{name} is in it twice")));
        }
        Ok(())
    }

    fn push_term(&mut self, name: &str, columns: Vec<(String, Vec<f64>)>) {
        let first = self.columns.len();
        for (name, values) in columns {
            self.names.push(name);
            self.columns.push(values);
        }
        self.terms.push(Term { name: name.to_owned(), columns: first..self.columns.len() });
    }
}

fn not_defined(why: String) -> NotEstimable {
    NotEstimable::Undefined { quantity: "the design", why }
}

/// A grouping factor, such as the participant of each observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Grouping {
    /// Name of the factor.
    pub name: String,
    /// The different labels, in alphabetical order.
    pub labels: Vec<String>,
    /// For each observation the place of its label.
    pub(super) codes: Vec<usize>,
}

impl Grouping {
    /// A factor from the label of each observation.
    pub fn new<S: AsRef<str>>(name: &str, labels: &[S]) -> Self {
        let sorted: BTreeSet<&str> = labels.iter().map(AsRef::as_ref).collect();
        let places: HashMap<&str, usize> = sorted.iter().enumerate().map(|(place, &label)| (label, place)).collect();
        Self {
            name: name.to_owned(),
            labels: sorted.iter().map(|&label| label.to_owned()).collect(),
            codes: labels.iter().map(|label| places[label.as_ref()]).collect(),
        }
    }

    /// Number of observations of each label.
    pub(in crate::stats) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.labels.len()];
        self.codes.iter().for_each(|&code| sizes[code] += 1);
        sizes
    }

    /// Whether the two factors divide the observations into the same groups, whatever the labels.
    pub(in crate::stats) fn divides_as(&self, other: &Self) -> bool {
        let pairs: BTreeSet<(usize, usize)> = self.codes.iter().copied().zip(other.codes.iter().copied()).collect();
        pairs.len() == self.labels.len() && pairs.len() == other.labels.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_has_a_column_for_each_label_but_the_reference() {
        let design = Design::empty(3).factor("hand", &["left", "right", "left"], "right").unwrap();
        assert_eq!(design.names(), ["hand = left"]);
        assert_eq!(design.columns(), [[1.0, 0.0, 1.0]]);
    }

    #[test]
    fn what_does_not_fit_is_refused_by_name() {
        let reason = |result: Result<Design, NotEstimable>| result.unwrap_err().to_string();
        let design = Design::with_intercept(2);
        let absent = design.clone().factor("hand", &["left", "right"], "both");
        assert_eq!(reason(absent), "the design is not defined here: no observation has hand = both, the reference");
        let alike = design.clone().factor("hand", &["left", "left"], "left");
        assert_eq!(reason(alike), "the design is not defined here: all observations have hand = left");
        assert!(reason(design.clone().numeric("x", &[1.0, f64::NAN])).contains("x: a column holds NaN at position 1"));
        assert!(reason(design.clone().numeric("x", &[1.0])).contains("the design has 2 values but a column has 1"));
        assert!(reason(design.numeric("intercept", &[1.0, 2.0])).contains("intercept is in it twice"));
    }

    #[test]
    fn groupings_are_alike_whatever_their_labels() {
        let participant = Grouping::new("participant", &["b", "a", "b"]);
        assert_eq!((participant.labels.len(), participant.codes.clone()), (2, vec![1, 0, 1]));
        assert_eq!(participant.sizes(), [1, 2]);
        assert!(participant.divides_as(&Grouping::new("level", &["1", "2", "1"])));
        assert!(!participant.divides_as(&Grouping::new("level", &["1", "1", "2"])));
        assert!(!participant.divides_as(&Grouping::new("trial", &["1", "2", "3"])));
    }
}
