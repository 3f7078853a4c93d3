//! Several rows of a participant, where an estimator takes each row as independent of the others.

use std::collections::BTreeSet;
use std::fmt;

use crate::apa::counted;
use crate::estimator::definition::Estimator;
use crate::estimator::error::EstimatorError;
use crate::estimator::request::Request;
use crate::estimator::role::{Need, Role};

/// Estimators that cannot be told whose a row is, and what does the same for rows of participants.
const INSTEAD: &[(&str, &[&str])] = &[
    ("median", &["bootstrap-median"]),
    ("proportion", &["logistic-mixed"]),
    ("pearson", &["repeated", "bootstrap-pearson"]),
    ("spearman", &["repeated", "bootstrap-spearman"]),
    ("kendall", &["repeated", "bootstrap-kendall"]),
    ("partial-pearson", &["mixed"]),
    ("partial-spearman", &["mixed"]),
    ("matrix-pearson", &["repeated", "bootstrap-pearson"]),
    ("matrix-spearman", &["repeated", "bootstrap-spearman"]),
    ("matrix-kendall", &["repeated", "bootstrap-kendall"]),
    ("wilcoxon-columns", &["wilcoxon"]),
    ("friedman-columns", &["friedman"]),
    ("chi-squared", &["logistic-mixed"]),
    ("line", &["mixed"]),
    ("alpha-columns", &["alpha"]),
    ("icc-columns", &["icc"]),
    ("log-rank", &["cox"]),
];

/// Comparisons of groups of different people, and what compares the same people in several groups.
const OF_THE_SAME_PEOPLE: &[(&str, &str)] = &[
    ("mann-whitney", "wilcoxon"),
    ("brunner-munzel", "wilcoxon"),
    ("welch", "wilcoxon or mixed"),
    ("kruskal-wallis", "friedman"),
    ("dunn", "wilcoxon"),
];

/// Rows of which several are of one participant, where the estimator was not told so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedRows {
    /// Number of rows with all values.
    pub n_rows: usize,
    /// Number of participants that they are of, fewer than rows.
    pub n_participants: usize,
    /// The labels of the group of `by`, the first that has such rows; empty where there are no groups.
    pub group: Vec<String>,
    /// Remedy.
    pub remedy: String,
}

impl fmt::Display for RepeatedRows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, people) = (counted(self.n_rows, "row"), counted(self.n_participants, "participant"));
        write!(formatter, "{rows} of {people}")?;
        if !self.group.is_empty() {
            write!(formatter, " in {}", self.group.join(", "))?;
        }
        write!(formatter, ": {}", self.remedy)
    }
}

impl Estimator {
    /// Returns the repeated rows if rows of the request repeat participants, whom this column of its table names,
    /// though the estimator takes rows as independent and was not told of the column; or if participants are in several
    /// of the groups that it takes for groups of different people, told of the column or not.
    ///
    /// # Errors
    ///
    /// As of [`ResultTable::estimate`](super::ResultTable::estimate).
    pub fn repeated_rows(&self, request: &Request, participant: &str) -> Result<Option<RepeatedRows>, EstimatorError> {
        let prepared = request.prepare(self.signature())?;
        let is_used = |role: Option<Role>| {
            let of_role = |used: &Role| role.is_none_or(|role| role == *used);
            let inputs = prepared.inputs.iter().filter(|(role, _)| of_role(role)).flat_map(|(_, inputs)| inputs);
            inputs.into_iter().any(|input| input.name == participant)
        };
        let remedy = self.remedy(request, participant).filter(|_| !is_used(None));
        let is_within = !is_used(None) || is_used(Some(Role::Participant));
        let of_the_same = OF_THE_SAME_PEOPLE.iter().find(|(name, _)| *name == self.name && is_within);
        if remedy.is_none() && of_the_same.is_none() || request.by.iter().any(|column| column == participant) {
            return Ok(None);
        }
        let people = request.frame.text(participant)?;
        // Rows are numbered as in the user's table, the frame of a request may be a part of it.
        let whose = |place: usize| {
            let row = prepared.rows[place];
            let index = request.frame.rows().binary_search(&row).ok()?;
            people[index].as_deref()
        };
        for (labels, places) in &prepared.groups {
            let has_all = |place: &&usize| prepared.inputs.values().flatten().all(|input| input.has(**place));
            let complete = || places.iter().filter(has_all);
            let owners: Vec<&str> = complete().filter_map(|&place| whose(place)).collect();
            let n_participants = owners.iter().collect::<BTreeSet<_>>().len();
            let remedy = match of_the_same {
                Some((name, instead)) => {
                    let group = &prepared.inputs[&Role::Group][0];
                    let places: BTreeSet<_> =
                        complete().filter_map(|&place| Some((whose(place)?, group.labels(&[place])))).collect();
                    match places.len() > n_participants {
                        true => Some(format!(
                            "{name} compares groups of different people, and some are in several groups; to compare the \
                             same people, use {instead}"
                        )),
                        false => remedy.clone(),
                    }
                }
                None => remedy.clone(),
            };
            if let Some(remedy) = remedy.filter(|_| owners.len() > n_participants) {
                let label = |(column, label): (&String, &Option<String>)| {
                    label.as_ref().map_or_else(|| format!("rows without {column}"), |label| format!("{column} {label}"))
                };
                let group = request.by.iter().zip(labels).map(label).collect();
                return Ok(Some(RepeatedRows { n_rows: owners.len(), n_participants, group, remedy }));
            }
        }
        Ok(None)
    }

    /// Remedy for rows that repeat participants; nothing where they do no harm, or are accounted for.
    pub(crate) fn remedy(&self, request: &Request, participant: &str) -> Option<String> {
        let need = |role: Role| self.roles.iter().find(|need| need.role == role);
        match need(Role::Participant) {
            Some(Need { least: 0, .. }) if request.roles.get(&Role::Participant).is_none_or(Vec::is_empty) => {
                return Some(format!("name --participant {participant}"));
            }
            Some(_) => return None,
            None => {}
        }
        if need(Role::Random).is_some() {
            return Some(match &request.formula {
                Some(_) => format!("add (1 | {participant}) to the formula"),
                None => format!("name --random {participant} too"),
            });
        }
        let (_, instead) = INSTEAD.iter().find(|(name, _)| *name == self.name)?;
        let instead = instead.join(" or ");
        Some(format!("{} takes each row as another person; give it one row of each, or use {instead}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::frame::{Frame, Values};
    use crate::methods::ESTIMATORS;
    use crate::methods::named;

    /// Three rows of each of six people at three levels, one of them without a time.
    fn frame() -> Frame {
        let text = |label: fn(usize) -> String| Values::Text((0..18).map(|row| Some(label(row))).collect());
        let number = |row: usize| (row != 4).then_some((row * 7 % 11) as f64);
        Frame::new(vec![
            ("person".to_owned(), text(|row| format!("p{}", row / 3))),
            ("level".to_owned(), text(|row| format!("l{}", row % 3))),
            ("condition".to_owned(), text(|row| format!("c{}", row / 9))),
            ("time_s".to_owned(), Values::Numbers((0..18).map(number).collect())),
            ("n_moves".to_owned(), Values::Numbers((0..18).map(|row| Some(row as f64)).collect())),
        ])
        .unwrap()
    }

    fn said(estimator: &str, request: &Request) -> Option<String> {
        named(estimator).unwrap().estimator.repeated_rows(request, "person").unwrap().map(|rows| rows.to_string())
    }

    #[test]
    fn rows_of_few_people_are_counted_with_what_to_do() {
        let frame = frame();
        let groups = Request::new(&frame).role(Role::Y, &["n_moves"]).role(Role::Group, &["condition"]);
        assert_eq!(said("welch", &groups).as_deref(), Some("18 rows of 6 participants: name --participant person"));
        let with_people = groups.clone().role(Role::Participant, &["person"]);
        assert_eq!(said("welch", &with_people), None);
        let by_level = Request { by: vec!["level".to_owned()], ..groups.clone() };
        assert_eq!(said("welch", &by_level), None, "one row of each person at each level");
        let by_condition = Request { by: vec!["condition".to_owned()], ..groups };
        let in_group = "9 rows of 3 participants in condition c0: name --participant person";
        assert_eq!(said("welch", &by_condition).as_deref(), Some(in_group));
        let levels = Request::new(&frame).role(Role::Y, &["n_moves"]).role(Role::Group, &["level"]);
        let of_the_same = "18 rows of 6 participants: kruskal-wallis compares groups of different people, and some are in \
                           several groups; to compare the same people, use friedman";
        assert_eq!(said("kruskal-wallis", &levels).as_deref(), Some(of_the_same));
        let with_people = levels.clone().role(Role::Participant, &["person"]);
        assert_eq!(said("kruskal-wallis", &with_people).as_deref(), Some(of_the_same), "means of rows change nothing");
        assert_eq!(said("friedman", &with_people), None);
        let by_person = Request { by: vec!["person".to_owned()], ..levels };
        assert_eq!(said("kruskal-wallis", &by_person), None);
        let pair = Request::new(&frame).role(Role::X, &["n_moves"]).role(Role::Y, &["time_s"]);
        let instead = "17 rows of 6 participants: pearson takes each row as another person; give it one row of each, or use \
                       repeated or bootstrap-pearson";
        assert_eq!(said("pearson", &pair).as_deref(), Some(instead), "a row without a time does not count");
        assert_eq!(said("repeated", &pair.clone().role(Role::Participant, &["person"])), None);
        let described = Request::new(&frame).role(Role::X, &["time_s"]);
        assert_eq!(said("describe", &described), None, "a description assumes nothing");
        let formula = |text: &str| Request { formula: Some(text.parse().unwrap()), ..Request::new(&frame) };
        let add = "17 rows of 6 participants: add (1 | person) to the formula";
        assert_eq!(said("mixed", &formula("time_s ~ condition + (1 | level)")).as_deref(), Some(add));
        assert_eq!(said("mixed", &formula("time_s ~ condition + (1 | person)")), None);
    }

    #[test]
    fn where_rows_must_be_independent_there_is_something_to_do() {
        let frame = frame();
        for estimator in ESTIMATORS.iter().filter(|estimator| estimator.assumptions.contains("independent rows")) {
            assert!(estimator.remedy(&Request::new(&frame), "person").is_some(), "{}", estimator.name);
        }
        let of_the_same = OF_THE_SAME_PEOPLE.iter().map(|(name, others)| (name, others.split(" or ").collect()));
        let instead = INSTEAD.iter().map(|(name, others)| (name, others.to_vec()));
        for (name, others) in instead.chain(of_the_same) {
            assert!(named(name).is_ok(), "{name}");
            for other in others {
                let knows = |need: &Need| matches!(need.role, Role::Participant | Role::Random);
                assert!(named(other).unwrap().estimator.roles.iter().any(knows), "{other}");
            }
        }
    }
}
