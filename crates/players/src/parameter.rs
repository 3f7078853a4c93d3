//! The range of a parameter of a player.

/// Error of a parameter of a player that is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{parameter} = {value} is not from {least} to {most}")]
pub struct ParameterError {
    /// The parameter.
    pub parameter: &'static str,
    /// Its value.
    pub value: f64,
    /// The least value that it can have.
    pub least: f64,
    /// The largest value that it can have.
    pub most: f64,
}

/// Checks that a parameter is in its range, in which NaN never is.
pub(crate) fn within(parameter: &'static str, value: f64, least: f64, most: f64) -> Result<(), ParameterError> {
    if (least..=most).contains(&value) { Ok(()) } else { Err(ParameterError { parameter, value, least, most }) }
}
