//! What there is to look at.

use std::collections::{BTreeSet, HashMap};

use plymap_analysis::two_groups::{GROUP_MEASURES, GroupMeasure, GroupedMeans};
use plymap_measures::measure::Trial;
use plymap_report::figures::{KINDS, Subject};
use serde::Serialize;

use super::{View, grouped};
use crate::problem::Problem;

/// What there is to look at.
#[derive(Debug, Serialize)]
pub struct Overview {
    n_rows: u64,
    n_participants: usize,
    n_trials: usize,
    /// Largest number of a trial within its participant; 0 where no order is known.
    last_trial: usize,
    conditions: BTreeSet<String>,
    levels: Vec<LevelLine>,
    participants: Vec<ParticipantLine>,
    /// True if the means of participants are over solved trials alone.
    only_solved: bool,
    factors: Vec<Factor>,
    measures: &'static [GroupMeasure],
    figures: Vec<&'static str>,
    tables: Vec<TableLine>,
    /// Sample that is shown, in words; none if everybody is.
    sample: Option<String>,
}

#[derive(Debug, Serialize)]
struct LevelLine {
    level: String,
    optimal: Option<u32>,
    n_states: Option<u64>,
    n_trials: usize,
    n_solved: usize,
}

#[derive(Debug, Serialize)]
struct ParticipantLine {
    participant: String,
    conditions: BTreeSet<String>,
    n_trials: usize,
    n_solved: usize,
    /// Means over trials, as groups are compared by them.
    time_s: Option<f64>,
    share_optimal: Option<f64>,
}

/// A way to divide trials into groups.
#[derive(Debug, Serialize)]
struct Factor {
    key: String,
    values: Vec<String>,
}

#[derive(Debug, Serialize)]
struct TableLine {
    name: String,
    n_rows: usize,
}

impl Overview {
    /// Returns what there is of a view.
    ///
    /// # Errors
    ///
    /// Its tables cannot be made.
    pub fn new(view: &View) -> Result<Self, Problem> {
        let measures = &view.play.measures;
        let trials = &measures.trials;
        let conditions: BTreeSet<String> = trials.iter().filter_map(|trial| trial.condition.clone()).collect();
        let by_participant = grouped(trials, measures.participants.len(), |trial| trial.participant);
        let means_of = |key: &str| {
            let measure = GroupMeasure::named(key).expect("it is one of the measures");
            let means = GroupedMeans::of_participants(measures, measure);
            let by_unit = means.by_unit(measure);
            let of_name = by_unit.into_iter().map(|(name, (mean, _))| (name.to_owned(), mean));
            (of_name.collect::<HashMap<String, f64>>(), means.only_solved)
        };
        let ((times, only_solved), (shares, _)) = (means_of("time_s"), means_of("share_optimal"));
        let participants =
            measures.participants.iter().zip(by_participant).map(|(name, of_participant)| ParticipantLine {
                participant: name.clone(),
                conditions: of_participant.iter().filter_map(|trial| trial.condition.clone()).collect(),
                n_trials: of_participant.len(),
                n_solved: n_solved(&of_participant),
                time_s: times.get(name).copied(),
                share_optimal: shares.get(name).copied(),
            });
        let by_level = grouped(trials, measures.levels.len(), |trial| trial.level);
        let levels = measures.levels.iter().zip(by_level).map(|(name, of_level)| {
            let level = view.level(name).ok();
            LevelLine {
                level: name.clone(),
                optimal: level.and_then(|level| Some(level.start_distance()?.0)),
                n_states: level.and_then(|level| level.n_states()),
                n_trials: of_level.len(),
                n_solved: n_solved(&of_level),
            }
        });
        let mut factors = Vec::new();
        if conditions.len() > 1 {
            factors.push(Factor { key: "condition".to_owned(), values: conditions.iter().cloned().collect() });
        }
        factors.push(Factor { key: "level".to_owned(), values: measures.levels.clone() });
        factors.push(Factor { key: "solved".to_owned(), values: vec!["true".to_owned(), "false".to_owned()] });
        factors.push(Factor { key: "participant".to_owned(), values: measures.participants.clone() });
        let tables = view.play.tables(&view.levels)?;
        Ok(Self {
            n_rows: view.play.labelled.rows.len() as u64,
            n_participants: measures.participants.len(),
            n_trials: trials.len(),
            last_trial: view.last_trial(),
            conditions,
            levels: levels.collect(),
            participants: participants.collect(),
            only_solved,
            factors,
            measures: GROUP_MEASURES,
            figures: KINDS.iter().filter(|kind| kind.subject == Subject::People).map(|kind| kind.kind.name()).collect(),
            tables: tables.iter().map(|table| TableLine { name: table.name.clone(), n_rows: table.n_rows() }).collect(),
            sample: view.play.sample.as_ref().map(ToString::to_string),
        })
    }
}

fn n_solved(trials: &[&Trial]) -> usize {
    trials.iter().filter(|trial| trial.is_solved == Some(true)).count()
}
