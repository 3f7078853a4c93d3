//! A request: the columns and rows of a table to estimate from, with options.

use plymap_expression::Expression;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::{EstimatorError, nearest};
use super::frame::{Frame, Values};
use super::input::Input;
use super::labels::natural;
use super::role::{Kind, Need, Role, Signature};
use crate::adjust::Adjustment;
use crate::formula::Formula;
use crate::inference::Confidence;
use crate::numeric::moments::mean;
use crate::numeric::quantile::quantile;

/// More groups of `by` than this are refused: no one reads such a table.
pub const MOST_GROUPS: usize = 10_000;

/// Average of the several values of one participant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Average {
    /// Their mean.
    #[default]
    Mean,
    /// Their median.
    Median,
}

impl Average {
    /// The mean or median of some values; NaN of none.
    pub(crate) fn of(self, values: &[f64]) -> f64 {
        match self {
            Self::Mean => mean(values),
            // A value that is infinite has no median; the estimator then refuses the NaN.
            Self::Median => quantile(values, 0.5).unwrap_or(f64::NAN),
        }
    }
}

/// A request for an estimate; change the fields of [`Request::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct Request<'a> {
    /// The data.
    pub frame: &'a Frame,
    /// The columns in each role.
    pub roles: BTreeMap<Role, Vec<String>>,
    /// The model, for estimators of models with random effects: it names their outcome, predictors and factors.
    pub formula: Option<Formula>,
    /// Conditions that all rows must meet.
    pub conditions: Vec<Expression>,
    /// Columns whose labels divide the rows; each group is estimated on its own.
    pub by: Vec<String>,
    /// Adjustment of p values for the number of hypotheses.
    pub adjust: Adjustment,
    /// Level of all intervals.
    pub confidence: Confidence,
    /// Seed of the random number generator.
    pub seed: u64,
    /// Average of the several values of one participant.
    pub measure: Average,
    /// Number of resamples or of random splits; by the size of the data where it is not given.
    pub n_resamples: Option<usize>,
    /// Threshold of an outlier, in the unit of its rule; 3 or 1.5 where it is not given.
    pub threshold: Option<f64>,
    /// For predictors that are categories, the label with which the others are compared; the first one where it is
    /// not given.
    pub references: BTreeMap<String, String>,
}

/// The labels of a group of `by`; absent where its rows have none.
pub(super) type Labels = Vec<Option<String>>;

/// A group of `by`: its labels, and the indices of its rows.
pub(super) type GroupRows = (Labels, Vec<usize>);

/// A request whose columns were found and are what they must be.
pub(super) struct Prepared {
    pub inputs: BTreeMap<Role, Vec<Input>>,
    /// The number of each row in the user's table, from 1.
    pub rows: Vec<usize>,
    pub groups: Vec<GroupRows>,
    /// The number of rows of each group that the conditions left out.
    pub n_left_out: BTreeMap<Labels, usize>,
    pub n_undecided: usize,
}

impl<'a> Request<'a> {
    /// A request without roles: 95 % intervals, all rows together, no adjustment, seed 1.
    pub fn new(frame: &'a Frame) -> Self {
        Self {
            frame,
            roles: BTreeMap::new(),
            formula: None,
            conditions: Vec::new(),
            by: Vec::new(),
            adjust: Adjustment::None,
            confidence: Confidence::default(),
            seed: 1,
            measure: Average::default(),
            n_resamples: None,
            threshold: None,
            references: BTreeMap::new(),
        }
    }

    /// The same request with these columns in a role.
    pub fn role<S: AsRef<str>>(mut self, role: Role, columns: &[S]) -> Self {
        self.roles.insert(role, columns.iter().map(|column| column.as_ref().to_owned()).collect());
        self
    }

    /// The roles that columns were given for; a formula names factors.
    pub(crate) fn given(&self) -> Vec<Role> {
        let named = self.roles.iter().filter(|(_, columns)| !columns.is_empty()).map(|(role, _)| *role);
        named.chain(self.formula.as_ref().map(|_| Role::Random)).collect()
    }

    pub(super) fn prepare(&self, method: Signature) -> Result<Prepared, EstimatorError> {
        let roles = self.roles_of(method)?;
        let filtered = self.frame.filter(&self.conditions)?;
        let frame = filtered.frame;
        let mut inputs = BTreeMap::new();
        for need in method.roles {
            let columns = roles.get(&need.role).map_or(&[][..], Vec::as_slice);
            let read: Result<Vec<Input>, _> = columns.iter().map(|column| input(&frame, column, need.kind)).collect();
            inputs.insert(need.role, read?);
        }
        self.check_references(inputs.get(&Role::Predictor).map_or(&[], Vec::as_slice))?;
        let groups = self.groups(&frame)?;
        let n_of = |frame: &Frame| -> Result<BTreeMap<Labels, usize>, _> {
            Ok(self.rows_by_labels(frame)?.into_iter().map(|(labels, rows)| (labels, rows.len())).collect())
        };
        let mut n_left_out = if self.conditions.is_empty() { BTreeMap::new() } else { n_of(self.frame)? };
        for (labels, n_kept) in n_of(&frame)? {
            n_left_out.entry(labels).and_modify(|n| *n -= n_kept);
        }
        Ok(Prepared { inputs, rows: frame.rows().to_vec(), groups, n_left_out, n_undecided: filtered.n_undecided })
    }

    /// The columns of each role, of which the formula may name some.
    fn roles_of(&self, method: Signature) -> Result<BTreeMap<Role, Vec<String>>, EstimatorError> {
        let mut roles = self.roles.clone();
        if let Some(formula) = &self.formula {
            let name = method.name;
            if !method.roles.iter().any(|need| need.role == Role::Random) {
                return Err(EstimatorError::UselessFormula { estimator: name, known: options(method) });
            }
            if formula.random.is_empty() {
                return Err(EstimatorError::NoRandomEffects { formula: formula.to_string() });
            }
            let is_event = method.roles.iter().any(|need| need.role == Role::Event);
            let outcome = if is_event { Role::Event } else { Role::Y };
            let owned = |columns: Vec<&str>| columns.into_iter().map(str::to_owned).collect::<Vec<String>>();
            for (role, columns) in [
                (outcome, vec![formula.response.clone()]),
                (Role::Predictor, owned(formula.predictors())),
                (Role::Random, owned(formula.factors())),
            ] {
                if roles.insert(role, columns).is_some() {
                    return Err(EstimatorError::RoleAndFormula { role: role.name() });
                }
            }
        }
        check_roles(&roles, method)?;
        Ok(roles)
    }

    /// Each reference must be a label of a predictor that is a category.
    fn check_references(&self, predictors: &[Input]) -> Result<(), EstimatorError> {
        for (column, label) in &self.references {
            let labels = predictors.iter().find_map(|predictor| match &predictor.values {
                Values::Text(labels) if predictor.name == *column => Some(labels),
                _ => None,
            });
            let labels = labels.ok_or_else(|| EstimatorError::UselessReference { column: column.clone() })?;
            if !labels.iter().flatten().any(|known| known == label) {
                let different: std::collections::BTreeSet<&str> = labels.iter().flatten().map(String::as_str).collect();
                let nearest = nearest(label, different.into_iter());
                let (column, label) = (column.clone(), label.clone());
                return Err(EstimatorError::UnknownReference { column, label, nearest });
            }
        }
        Ok(())
    }

    /// The groups in the natural order of their labels; rows without a label are a group of their own, the last.
    fn rows_by_labels(&self, frame: &Frame) -> Result<BTreeMap<Labels, Vec<usize>>, EstimatorError> {
        let labels: Vec<Labels> = self.by.iter().map(|column| frame.text(column)).collect::<Result<_, _>>()?;
        let mut groups: BTreeMap<Labels, Vec<usize>> = BTreeMap::new();
        for index in 0..frame.n_rows() {
            groups.entry(labels.iter().map(|label| label[index].clone()).collect()).or_default().push(index);
        }
        Ok(groups)
    }

    fn groups(&self, frame: &Frame) -> Result<Vec<GroupRows>, EstimatorError> {
        let mut groups = self.rows_by_labels(frame)?;
        if groups.is_empty() {
            // Where there are no rows, one result says so.
            groups.insert(vec![None; self.by.len()], Vec::new());
        }
        if groups.len() > MOST_GROUPS {
            return Err(EstimatorError::TooManyGroups { found: groups.len(), most: MOST_GROUPS });
        }
        let mut groups: Vec<GroupRows> = groups.into_iter().collect();
        groups.sort_by(|(left, _), (right, _)| {
            left.iter().zip(right).map(labels_in_order).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
        });
        Ok(groups)
    }
}

/// Order of two labels as people count, what is missing last.
fn labels_in_order((left, right): (&Option<String>, &Option<String>)) -> std::cmp::Ordering {
    match (left, right) {
        (Some(left), Some(right)) => natural(left, right),
        _ => right.is_some().cmp(&left.is_some()),
    }
}

/// The options of the roles that it takes.
fn options(method: Signature) -> Vec<String> {
    method.roles.iter().map(|need| format!("--{}", need.role)).collect()
}

fn check_roles(roles: &BTreeMap<Role, Vec<String>>, method: Signature) -> Result<(), EstimatorError> {
    let name = method.name;
    let n_columns = |role: Role| roles.get(&role).map_or(0, Vec::len);
    for &role in Role::ALL.iter().filter(|role| n_columns(**role) > 0) {
        if !method.roles.iter().any(|need| need.role == role) {
            let (role, known) = (role.name(), options(method));
            return Err(EstimatorError::UselessRole { estimator: name, role, known });
        }
    }
    for need @ Need { role, least, most, .. } in method.roles {
        let given_columns = n_columns(*role);
        if given_columns == 0 && *least > 0 {
            let (role, meaning) = (role.name(), role.meaning());
            return Err(EstimatorError::MissingRole { estimator: name, role, meaning });
        }
        if given_columns < *least || most.is_some_and(|most| given_columns > most) {
            let (role, wanted) = (role.name(), need.count());
            return Err(EstimatorError::RoleCount { estimator: name, role, wanted, found: given_columns });
        }
    }
    Ok(())
}

/// A column in the form that a role asks for.
fn input(frame: &Frame, column: &str, kind: Kind) -> Result<Input, EstimatorError> {
    let mut name = column;
    let values = match kind {
        Kind::Number => Values::Numbers(frame.numbers(column)?),
        Kind::Label => Values::Text(frame.text(column)?),
        Kind::Flag => Values::Flags(frame.flags(column)?),
        Kind::NumberOrCategory => match frame.argument(column, "factor") {
            Some(inner) => {
                name = inner;
                Values::Text(frame.text(inner)?)
            }
            None if frame.argument(column, "log").is_some() => Values::Numbers(frame.numbers(column)?),
            None => match frame.values(column)? {
                Values::Text(values) => Values::Text(values.clone()),
                _ => Values::Numbers(frame.numbers(column)?),
            },
        },
    };
    Ok(Input { name: name.to_owned(), values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measure_of_values_is_their_mean_or_median() {
        assert_eq!(Average::Mean.of(&[1.0, 2.0, 6.0]), 3.0);
        assert_eq!(Average::Median.of(&[1.0, 2.0, 6.0]), 2.0);
    }
}
