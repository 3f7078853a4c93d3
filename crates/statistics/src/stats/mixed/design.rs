//! The columns of a linear predictor, made of variables and of their products, and the factors whose labels have
//! effects of their own.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use crate::not_estimable::{NotEstimable, check_values};

/// Name of the column of ones.
pub const INTERCEPT: &str = "intercept";

/// Observations of a number, or of a category.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name in terms and tables.
    pub name: String,
    /// Its values.
    pub(in crate::stats) values: Observed,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::stats) enum Observed {
    Numbers(Vec<f64>),
    /// Labels in their order, the reference first, and the place of each observation's label among them.
    Labels {
        labels: Vec<String>,
        codes: Vec<usize>,
    },
}

impl Variable {
    /// A number for each observation.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if a value is not finite.
    pub fn number(name: &str, values: &[f64]) -> Result<Self, NotEstimable> {
        check_values("a column", values).map_err(|reason| not_defined(format!("{name}: {reason}")))?;
        Ok(Self { name: name.to_owned(), values: Observed::Numbers(values.to_vec()) })
    }

    /// A label for each observation, in treatment contrasts: a coefficient is the difference of a label from
    /// `reference`.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if no observation has the reference as its label, or all have.
    pub fn factor<S: AsRef<str>>(name: &str, labels: &[S], reference: &str) -> Result<Self, NotEstimable> {
        let mut others: BTreeSet<&str> = labels.iter().map(AsRef::as_ref).collect();
        if !others.remove(reference) {
            return Err(not_defined(format!("no observation has {name} = {reference}, the reference")));
        }
        if others.is_empty() {
            return Err(not_defined(format!("all observations have {name} = {reference}")));
        }
        let ordered: Vec<&str> = [reference].into_iter().chain(others).collect();
        let places: HashMap<&str, usize> = ordered.iter().enumerate().map(|(place, &label)| (label, place)).collect();
        let codes = labels.iter().map(|label| places[label.as_ref()]).collect();
        let labels = ordered.into_iter().map(str::to_owned).collect();
        Ok(Self { name: name.to_owned(), values: Observed::Labels { labels, codes } })
    }

    /// The labels of a category, its reference first; none of a number.
    pub fn labels(&self) -> &[String] {
        match &self.values {
            Observed::Numbers(_) => &[],
            Observed::Labels { labels, .. } => labels,
        }
    }

    pub(super) fn n(&self) -> usize {
        match &self.values {
            Observed::Numbers(values) => values.len(),
            Observed::Labels { codes, .. } => codes.len(),
        }
    }

    fn column_name(&self, label: Option<usize>) -> String {
        label.map_or_else(|| self.name.clone(), |label| format!("{} = {}", self.name, self.labels()[label]))
    }
}

/// Columns of a linear predictor: an intercept perhaps, variables, and products of variables.
///
/// A category is a set of columns of 0 and 1, one for each label but the reference. Where the term without it is not in
/// the design, it has a column for each label, as in R.
///
/// ```
/// use plymap_statistics::stats::mixed::Design;
///
/// let quality = ["better", "worse", "same", "better"];
/// let design = Design::with_intercept(4)
///     .factor("quality", &quality, "better")?
///     .numeric("distance", &[3.0, 4.0, 4.0, 2.0])?
///     .product(&["quality", "distance"])?;
/// let names = ["intercept", "quality = same", "quality = worse", "distance", "quality = same : distance"];
/// assert_eq!(design.names()[..5], names);
/// # Ok::<(), plymap_statistics::stats::NotEstimable>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Design {
    n: usize,
    variables: Vec<Arc<Variable>>,
    terms: Vec<Term>,
    names: Vec<String>,
    columns: Vec<Product>,
}

/// Columns that belong together: one number, all contrasts of one factor, or products of such.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::stats) struct Term {
    pub name: String,
    /// Places of its variables; none of the intercept.
    pub variables: Vec<usize>,
    pub columns: Range<usize>,
}

/// The factors of a column: places of variables, and of the label whose indicator it is.
type Product = Vec<(usize, Option<usize>)>;

impl Design {
    /// A design of `n` observations without any column.
    pub fn empty(n: usize) -> Self {
        Self { n, ..Self::default() }
    }

    /// A design of `n` observations with a column of ones, named `intercept`.
    pub fn with_intercept(n: usize) -> Self {
        let mut design = Self::empty(n);
        design.push_term(Vec::new()).expect("it is the first");
        design
    }

    /// Adds a column of numbers.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if there is not one value per observation, a value is not finite, or the
    /// name is taken.
    pub fn numeric(self, name: &str, values: &[f64]) -> Result<Self, NotEstimable> {
        self.variable(Arc::new(Variable::number(name, values)?))?.product(&[name])
    }

    /// Adds a factor in treatment contrasts: one column of 0 and 1 for each label but `reference`,
    /// named `name = label`, labels in alphabetical order. Its coefficient is the difference from
    /// the reference.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if there is not one label per observation, none is the reference, all are,
    /// or the name is taken.
    pub fn factor<S: AsRef<str>>(self, name: &str, labels: &[S], reference: &str) -> Result<Self, NotEstimable> {
        self.variable(Arc::new(Variable::factor(name, labels, reference)?))?.product(&[name])
    }

    /// Makes a variable known to [`Design::product`]; it has no column of its own by that.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if there is not one value per observation, or the name is taken.
    pub fn variable(mut self, variable: Arc<Variable>) -> Result<Self, NotEstimable> {
        if variable.n() != self.n {
            let (left_name, right_name) = ("the design", "a column");
            return Err(NotEstimable::UnequalLengths { left_name, left: self.n, right_name, right: variable.n() });
        }
        if variable.name == INTERCEPT || self.variables.iter().any(|known| known.name == variable.name) {
            return Err(not_defined(format!("{} is in it twice", variable.name)));
        }
        self.variables.push(variable);
        Ok(self)
    }

    /// Adds the product of variables that are known, the interaction of their effects.
    ///
    /// # Errors
    ///
    /// [`NotEstimable`] if a variable is not known, or the term is there.
    pub fn product<S: AsRef<str>>(mut self, names: &[S]) -> Result<Self, NotEstimable> {
        let place = |name: &S| {
            let name = name.as_ref();
            let place = self.variables.iter().position(|variable| variable.name == name);
            place.ok_or_else(|| not_defined(format!("{name} is not known to it")))
        };
        let variables = names.iter().map(place).collect::<Result<Vec<usize>, _>>()?;
        self.push_term(variables)?;
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

    /// A column: a value for each observation.
    pub(in crate::stats) fn column(&self, place: usize) -> Vec<f64> {
        let mut column = vec![1.0; self.n];
        for &(variable, label) in &self.columns[place] {
            match (&self.variables[variable].values, label) {
                (Observed::Numbers(values), _) => column.iter_mut().zip(values).for_each(|(row, value)| *row *= value),
                (Observed::Labels { codes, .. }, label) => {
                    let is_other = |code: &usize| Some(*code) != label;
                    column.iter_mut().zip(codes).filter(|(_, code)| is_other(code)).for_each(|(row, _)| *row = 0.0);
                }
            }
        }
        column
    }

    pub(in crate::stats) fn columns(&self) -> impl Iterator<Item = Vec<f64>> {
        (0..self.names.len()).map(|place| self.column(place))
    }

    pub(in crate::stats) fn is_intercept(&self) -> bool {
        self.columns.len() == 1 && self.columns[0].is_empty()
    }

    /// The part of it that estimated means and tests of terms need.
    pub(in crate::stats) fn plan(&self) -> Plan {
        Plan {
            axes: self.variables.iter().map(|variable| Axis::new(variable)).collect(),
            terms: self.terms.clone(),
            columns: self.columns.clone(),
        }
    }

    fn push_term(&mut self, variables: Vec<usize>) -> Result<(), NotEstimable> {
        let set = |variables: &[usize]| variables.iter().copied().collect::<BTreeSet<usize>>();
        let names: Vec<&str> = variables.iter().map(|&place| self.variables[place].name.as_str()).collect();
        let name = if names.is_empty() { INTERCEPT.to_owned() } else { names.join(" : ") };
        if self.terms.iter().any(|term| set(&term.variables) == set(&variables)) {
            return Err(not_defined(format!("{name} is in it twice")));
        }
        let mut products: Vec<Product> = vec![Vec::new()];
        for &place in &variables {
            let without: BTreeSet<usize> = variables.iter().copied().filter(|&other| other != place).collect();
            let is_contrast = self.terms.iter().any(|term| set(&term.variables) == without);
            let labels = match self.variables[place].labels().len() {
                0 => vec![None],
                n => (usize::from(is_contrast)..n).map(Some).collect(),
            };
            // As in R, the first factor varies fastest.
            products = labels
                .iter()
                .flat_map(|&label| products.iter().map(move |product| [product.as_slice(), &[(place, label)]].concat()))
                .collect();
        }
        let first = self.columns.len();
        for product in products {
            let parts: Vec<String> =
                product.iter().map(|&(place, label)| self.variables[place].column_name(label)).collect();
            self.names.push(if parts.is_empty() { INTERCEPT.to_owned() } else { parts.join(" : ") });
            self.columns.push(product);
        }
        self.terms.push(Term { name, variables, columns: first..self.columns.len() });
        Ok(())
    }
}

/// The terms of a design without its observations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::stats) struct Plan {
    pub axes: Vec<Axis>,
    pub terms: Vec<Term>,
    pub columns: Vec<Product>,
}

/// A variable of a design.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::stats) struct Axis {
    pub name: String,
    /// Labels of a category; none for a number.
    pub labels: Vec<String>,
    /// Mean of a number.
    pub mean: f64,
}

impl Axis {
    fn new(variable: &Variable) -> Self {
        let mean = match &variable.values {
            Observed::Numbers(values) => crate::numeric::moments::mean(values),
            Observed::Labels { .. } => 0.0,
        };
        Self { name: variable.name.clone(), labels: variable.labels().to_vec(), mean }
    }
}

impl Plan {
    /// Value of each column where numbers are at their means and each category has the label of this place.
    pub fn row(&self, labels: &[usize]) -> Vec<f64> {
        let value = |&(variable, label): &(usize, Option<usize>)| match label {
            None => self.axes[variable].mean,
            Some(label) => f64::from(u8::from(labels[variable] == label)),
        };
        self.columns.iter().map(|product| product.iter().map(value).product()).collect()
    }
}

pub(super) fn not_defined(why: String) -> NotEstimable {
    NotEstimable::Undefined { quantity: "the design", why }
}

/// A grouping factor, such as the participant of each observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Grouping {
    /// Name of the factor.
    pub name: String,
    /// The different labels, in alphabetical order.
    pub labels: Vec<String>,
    /// Index of the label of each observation.
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

    /// The factor whose labels are the combinations of those of the given ones, joined by a colon.
    pub fn combined(factors: &[&Self]) -> Self {
        if let [only] = factors {
            return (*only).clone();
        }
        let n = factors.iter().map(|factor| factor.codes.len()).min().unwrap_or(0);
        let key = |row: usize| factors.iter().map(|factor| factor.codes[row]).collect::<Vec<usize>>();
        // By codes and not by the joined labels: those of two combinations may read the same.
        let keys: Vec<Vec<usize>> = (0..n).map(key).collect();
        let different: BTreeSet<&Vec<usize>> = keys.iter().collect();
        let places: HashMap<&Vec<usize>, usize> =
            different.iter().enumerate().map(|(place, key)| (*key, place)).collect();
        let joined = |words: &mut dyn Iterator<Item = &str>| words.collect::<Vec<_>>().join(":");
        Self {
            name: joined(&mut factors.iter().map(|factor| factor.name.as_str())),
            labels: different
                .iter()
                .map(|key| joined(&mut factors.iter().zip(*key).map(|(factor, &code)| factor.labels[code].as_str())))
                .collect(),
            codes: keys.iter().map(|key| places[key]).collect(),
        }
    }

    /// Number of observations of each label.
    pub(in crate::stats) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.labels.len()];
        self.codes.iter().for_each(|&code| sizes[code] += 1);
        sizes
    }

    /// Returns true if a column is another one, times a number that is the same in all observations of a label.
    pub(super) fn is_multiple(&self, column: &[f64], other: &[f64]) -> bool {
        let mut first: Vec<Option<f64>> = vec![None; self.labels.len()];
        let mut fits = |(&code, (&value, &other)): (&usize, (&f64, &f64))| match other {
            0.0 => value == 0.0,
            _ => {
                let ratio = value / other;
                let first_ratio = *first[code].get_or_insert(ratio);
                (ratio - first_ratio).abs() <= 1e-9 * first_ratio.abs()
            }
        };
        self.codes.iter().zip(column.iter().zip(other)).all(&mut fits)
    }

    /// The number of observations.
    pub(super) fn n(&self) -> usize {
        self.codes.len()
    }

    /// Returns true if the two factors divide the observations into the same groups, whatever the labels.
    pub(in crate::stats) fn divides_as(&self, other: &Self) -> bool {
        let pairs: BTreeSet<(usize, usize)> = self.codes.iter().copied().zip(other.codes.iter().copied()).collect();
        pairs.len() == self.labels.len() && pairs.len() == other.labels.len()
    }
}

/// A random term: each label of the factor has its own intercept, its own slopes, or both.
///
/// The effects of a label are normal. If they are correlated, so are their estimates with any covariance; if not, each
/// has a variance of its own, and where the zero of a number lies then matters.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomTerm {
    /// The factor.
    pub grouping: Grouping,
    /// The columns that have effects of each label: a column of ones for random intercepts.
    pub effects: Design,
    /// True if effects of the same label are correlated.
    pub correlated: bool,
}

impl RandomTerm {
    /// Random intercepts.
    pub fn intercepts(grouping: Grouping) -> Self {
        let effects = Design::with_intercept(grouping.codes.len());
        Self { grouping, effects, correlated: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_has_a_column_for_each_label_but_the_reference() {
        let labels = ["left", "right", "left"];
        let design = Design::with_intercept(3).factor("hand", &labels, "right").unwrap();
        assert_eq!(design.names(), ["intercept", "hand = left"]);
        assert_eq!(design.columns().collect::<Vec<_>>(), [[1.0, 1.0, 1.0], [1.0, 0.0, 1.0]]);
        let design = Design::empty(3).factor("hand", &labels, "right").unwrap();
        assert_eq!(design.names(), ["hand = right", "hand = left"], "without an intercept, all of them");
    }

    #[test]
    fn products_are_of_contrasts_where_the_parts_are_in_the_design() {
        let (a, b) = (["x", "y", "z", "x"], ["p", "q", "p", "q"]);
        let main = Design::with_intercept(4).factor("a", &a, "x").unwrap().factor("b", &b, "p").unwrap();
        let both = main.product(&["a", "b"]).unwrap();
        assert_eq!(both.names()[4..], ["a = y : b = q", "a = z : b = q"]);
        assert_eq!(both.column(4), [0.0, 1.0, 0.0, 0.0]);
        let x = Arc::new(Variable::number("n", &[1.0, 2.0, 3.0, 4.0]).unwrap());
        let slopes = Design::with_intercept(4).factor("b", &b, "p").unwrap().variable(x).unwrap();
        let slopes = slopes.product(&["b", "n"]).unwrap();
        assert_eq!(slopes.names()[2..], ["b = p : n", "b = q : n"], "a slope for each label");
        assert_eq!(slopes.column(3), [0.0, 2.0, 0.0, 4.0]);
        assert_eq!(slopes.plan().row(&[1, 0]), [1.0, 1.0, 0.0, 2.5]);
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
        assert!(reason(design.clone().numeric("intercept", &[1.0, 2.0])).contains("intercept is in it twice"));
        assert!(reason(design.product(&["x"])).contains("x is not known to it"));
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

    #[test]
    fn combinations_that_read_the_same_stay_apart() {
        let left = Grouping::new("a", &["x:y", "x", "x:y"]);
        let right = Grouping::new("b", &["z", "y:z", "z"]);
        let both = Grouping::combined(&[&left, &right]);
        assert_eq!((both.name.as_str(), both.sizes()), ("a:b", vec![1, 2]));
        assert_eq!(both.labels, ["x:y:z", "x:y:z"]);
    }

    #[test]
    fn a_slope_times_what_labels_have_is_theirs() {
        let people = Grouping::new("p", &["a", "a", "b", "b"]);
        let (x, ones) = ([1.0, 2.0, 0.0, 5.0], [1.0; 4]);
        assert!(people.is_multiple(&[3.0, 3.0, 0.0, 0.0], &ones) && !people.is_multiple(&x, &ones));
        // x in one of two conditions.
        assert!(people.is_multiple(&[1.0, 2.0, 0.0, 0.0], &x) && people.is_multiple(&x, &x));
        assert!(!people.is_multiple(&[1.0, 1.0, 0.0, 0.0], &x));
    }
}
