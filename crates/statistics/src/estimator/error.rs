//! Errors of a request, each with what to change.

use plymap_expression::ExpressionError;
use thiserror::Error;

/// An error of a request. What only a group's data do not allow is no error: its row says why.
#[derive(Debug, Error)]
pub enum EstimatorError {
    /// There is no estimator of this name.
    #[error("there is no estimator {name:?}{}; plymap stats --list-estimators lists them", hint(.nearest))]
    UnknownEstimator {
        /// The name that was asked for.
        name: String,
        /// The names nearest to it.
        nearest: Vec<String>,
    },
    /// Other programs call several estimators by this name, and the columns do not tell which is meant.
    #[error("{name:?} may be {}: name one of them", .choices.join(" or "))]
    AmbiguousEstimator {
        /// The name that was asked for.
        name: String,
        /// The estimators, each with what it does and what it needs.
        choices: Vec<String>,
    },
    /// A method that other programs have.
    #[error("plymap has no {name:?}; for the same question there are {}", .choices.join(" and "))]
    NoSuchMethod {
        /// The name that was asked for.
        name: String,
        /// The estimators, each with what it does and what it needs.
        choices: Vec<String>,
    },
    /// The table has no column of this name.
    #[error("there is no column {column:?}{}{}; the columns are {}", hint(.nearest), computed(.column), .known.join(", "))]
    UnknownColumn {
        /// The name that was asked for.
        column: String,
        /// The names nearest to it.
        nearest: Vec<String>,
        /// All names.
        known: Vec<String>,
    },
    /// An estimator that has no random effects was given a formula.
    #[error("{estimator} takes no formula; it takes {}{}", .known.join(", "), several(.estimator))]
    UselessFormula {
        /// The estimator.
        estimator: &'static str,
        /// The roles that it takes.
        known: Vec<String>,
    },
    /// A formula of a mixed model has no factor.
    #[error("the formula {formula} has no random effects; add a factor, such as (1 | participant)")]
    NoRandomEffects {
        /// The formula.
        formula: String,
    },
    /// A formula names the columns of a role that was given, too.
    #[error("the formula names the columns of --{role} already; leave it away")]
    RoleAndFormula {
        /// The role.
        role: &'static str,
    },
    /// Two columns have one name.
    #[error("two columns have the name {column:?}")]
    DoubleColumn {
        /// The name.
        column: String,
    },
    /// Columns of one table differ in length.
    #[error("column {column:?} has {found} rows, the columns before it have {wanted}")]
    UnequalColumns {
        /// The column.
        column: String,
        /// Its rows.
        found: usize,
        /// The rows of the others.
        wanted: usize,
    },
    /// A column that must be numbers is not.
    #[error("column {column:?} is no number: row {row} holds {value:?}")]
    NotNumeric {
        /// The column.
        column: String,
        /// The first value that is no number.
        value: String,
        /// Its row in the table, from 1.
        row: usize,
    },
    /// A column that must say yes or no does not.
    #[error("column {column:?} does not say yes or no: row {row} holds {value:?}; it must be true or false, or 1 or 0")]
    NotYesNo {
        /// The column.
        column: String,
        /// The first value that is neither.
        value: String,
        /// Its row in the table, from 1.
        row: usize,
    },
    /// A condition is no expression, or cannot be decided.
    #[error(transparent)]
    Condition(Box<ExpressionError>),
    /// A condition holds in no row.
    #[error("no row meets {condition}; {}", values(.column, .found, *.n_more))]
    NothingMeets {
        /// The condition.
        condition: String,
        /// The column.
        column: String,
        /// The first of its values, in their order.
        found: Vec<String>,
        /// Number of further ones.
        n_more: usize,
    },
    /// Each condition holds in some rows, but all of them in none.
    #[error("no row meets all of {}", .conditions.join(", "))]
    NothingMeetsAll {
        /// The conditions.
        conditions: Vec<String>,
    },
    /// The estimator needs a role that was not given.
    #[error("{estimator} needs --{role}, {meaning}")]
    MissingRole {
        /// The estimator.
        estimator: &'static str,
        /// The role.
        role: &'static str,
        /// Meaning of its column.
        meaning: &'static str,
    },
    /// The estimator has no use for a role that was given.
    #[error("{estimator} takes no --{role}; it takes {}{}", .known.join(", "), elsewhere(.estimator, .role))]
    UselessRole {
        /// The estimator.
        estimator: &'static str,
        /// The role.
        role: &'static str,
        /// The roles that it takes.
        known: Vec<String>,
    },
    /// A role has too few or too many columns.
    #[error("{estimator} takes {wanted} for --{role}, found {found}")]
    RoleCount {
        /// The estimator.
        estimator: &'static str,
        /// The role.
        role: &'static str,
        /// Number that it takes.
        wanted: String,
        /// Number of them.
        found: usize,
    },
    /// A reference is given for a column that is no category among the predictors.
    #[error("--reference names {column:?}, which is no predictor that is a category")]
    UselessReference {
        /// The column.
        column: String,
    },
    /// The reference is no label of its column.
    #[error("column {column:?} has no label {label:?} to be the reference{}", hint(.nearest))]
    UnknownReference {
        /// The column.
        column: String,
        /// The label.
        label: String,
        /// The labels nearest to it.
        nearest: Vec<String>,
    },
    /// An adjustment is asked for where there is no p value.
    #[error("{estimator} has no p value that could be adjusted")]
    NothingToAdjust {
        /// The estimator.
        estimator: &'static str,
    },
    /// There are too many groups of `by`.
    #[error("--by makes {found} groups, more than {most}; choose other columns, or some rows with --where")]
    TooManyGroups {
        /// Number of them.
        found: usize,
        /// Largest number that is allowed.
        most: usize,
    },
}

/// ` (did you mean "level" or "levels"?)`, or nothing.
fn hint(nearest: &[String]) -> String {
    if nearest.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = nearest.iter().map(|name| format!("{name:?}")).collect();
    format!(" (did you mean {}?)", quoted.join(" or "))
}

/// Hint for a name such as `scale(x)`.
fn computed(name: &str) -> &'static str {
    match name.split_once('(') {
        Some(("Surv", _)) => ": a time and whether it ended are columns of --time and --event, of the estimator cox",
        Some(_) if name.ends_with(')') => {
            ": a column is taken as it is, or as log(column) or factor(column); what else is computed must be a column of the \
             table, such as x with its mean subtracted for scale(x)"
        }
        _ => "",
    }
}

/// Hint for several predictors, for which a single line has no place.
fn several(estimator: &str) -> &'static str {
    if estimator == "line" {
        ", and makes a line of each pair; a model of several predictors is mixed, with --formula 'y ~ a + b + (1 | participant)'"
    } else {
        ""
    }
}

/// Hint for columns of a role that an estimator does not take.
fn elsewhere(estimator: &str, role: &str) -> &'static str {
    match (estimator, role) {
        ("kaplan-meier" | "survival-curve", "group") => {
            "; --by makes a curve of each group, and log-rank compares them"
        }
        (_, "group") => "; --by estimates each group on its own",
        _ => several(estimator),
    }
}

/// `the values of "solved" are "no", "yes"`.
fn values(column: &str, known: &[String], n_more: usize) -> String {
    let quoted: Vec<String> = known.iter().map(|value| format!("{value:?}")).collect();
    match (quoted.as_slice(), n_more) {
        ([], _) => format!("{column:?} has no value in any row"),
        ([only], 0) => format!("the only value of {column:?} is {only}"),
        (all, 0) => format!("the values of {column:?} are {}", all.join(", ")),
        (first, more) => format!("the values of {column:?} are {} and {more} more", first.join(", ")),
    }
}

/// Up to three names near enough to `wanted` to be meant, the nearest first.
pub(crate) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let allowed = (wanted.chars().count() / 3).max(1);
    let distance = |name: &'a str| {
        let lower_case = name.to_lowercase();
        // A part of a name is near it, such as moves and n_moves.
        let is_part = wanted.chars().count() > 2
            && (lower_case.contains(&wanted) || wanted.contains(&lower_case) && lower_case.len() > 2);
        let distance = strsim::osa_distance(&wanted, &lower_case);
        (if is_part { distance.min(allowed) } else { distance }, name)
    };
    let mut near: Vec<(usize, &str)> = names.map(distance).filter(|(distance, _)| *distance <= allowed).collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_and_parts_of_names_are_near() {
        let names = ["n_moves", "level", "time_s", "participant"];
        assert_eq!(nearest("partcipant", names.into_iter()), ["participant"]);
        assert_eq!(nearest("moves", names.into_iter()), ["n_moves"]);
        assert_eq!(nearest("Time", names.into_iter()), ["time_s"]);
        assert!(nearest("colour", names.into_iter()).is_empty());
    }
}
