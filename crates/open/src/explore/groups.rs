//! Two groups or conditions of a view compared.

use plymap_analysis::two_groups::{Factor, GroupMeasure, GroupedMeans, TwoGroups};
use serde::Deserialize;

use super::View;
use crate::problem::Problem;

/// Request to compare two groups.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupRequest {
    /// What divides trials into groups: `condition`, `level`, `solved` or `participant`.
    pub by: String,
    /// Value of the first group.
    pub a: String,
    /// Value of the second group.
    pub b: String,
    /// Key of the measure.
    pub measure: String,
}

impl View {
    /// Compares two groups of the trials of the view.
    ///
    /// # Errors
    ///
    /// Neither such groups nor such a measure is there.
    pub fn groups(&self, request: &GroupRequest) -> Result<TwoGroups, Problem> {
        let measure = GroupMeasure::named(&request.measure)
            .ok_or_else(|| Problem::missing(format!("there is no measure {:?}", request.measure)))?;
        let factor = Factor::named(&request.by)
            .ok_or_else(|| Problem::missing(format!("trials cannot be divided by {:?}", request.by)))?;
        let means = GroupedMeans::new(&self.play.measures, factor, measure);
        let names = [request.a.as_str(), request.b.as_str()];
        let groups = TwoGroups::new(&means, factor, names, measure, self.study.statistics.confidence);
        Ok(if self.play.is_pilot() { groups.of_pilot() } else { groups })
    }
}
