//! Two groups or conditions of a view compared.

use plymap_analysis::two_groups::{Factor, GroupMeasure, GroupedMeans, TwoGroups};
use serde::Deserialize;

use super::View;
use super::figures::{TableFormatWord, ViewFile};
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
    /// Format of the table of both groups.
    #[serde(default)]
    pub format: TableFormatWord,
}

impl View {
    /// Compares two groups of the trials of the view.
    ///
    /// # Errors
    ///
    /// Neither such groups nor such a measure is there.
    pub fn groups(&self, request: &GroupRequest) -> Result<TwoGroups, Problem> {
        self.compared(request).map(|(groups, ..)| groups)
    }

    /// Writes the table of two groups.
    ///
    /// # Errors
    ///
    /// As of [`View::groups`].
    pub fn groups_table(&self, request: &GroupRequest) -> Result<ViewFile, Problem> {
        let (groups, factor, measure) = self.compared(request)?;
        self.file_of(&groups.table(factor, measure), request.format)
    }

    fn compared(&self, request: &GroupRequest) -> Result<(TwoGroups, Factor, &'static GroupMeasure), Problem> {
        let measure = GroupMeasure::named(&request.measure)
            .ok_or_else(|| Problem::missing(format!("there is no measure {:?}", request.measure)))?;
        let factor = Factor::named(&request.by)
            .ok_or_else(|| Problem::missing(format!("trials cannot be divided by {:?}", request.by)))?;
        let means = GroupedMeans::new(&self.play.measures, factor, measure);
        let names = [request.a.as_str(), request.b.as_str()];
        let groups = TwoGroups::new(&means, factor, names, measure, self.study.statistics.confidence);
        Ok((if self.play.is_pilot() { groups.of_pilot() } else { groups }, factor, measure))
    }
}
