//! One participant: all trials, measures beside those of others, and the moves that cost most.

use plymap_analysis::two_groups::{GROUP_MEASURES, GroupedMeans};
use plymap_play::Position;
use plymap_play::page_picture::Board;
use serde::Serialize;

use super::{Place, TrialRow, View, grouped, none_of};
use crate::problem::Problem;

/// Number of moves that are shown of those that cost most.
const COSTLY_SHOWN: usize = 10;

/// A participant.
#[derive(Debug, Serialize)]
pub struct ParticipantView {
    participant: String,
    measures: Vec<MeasureView>,
    trials: Vec<TrialRow>,
    costly: Vec<CostlyMove>,
    n_rows: usize,
}

/// Mean of a measure over the trials of a participant, as groups are compared by it, among those of all participants.
#[derive(Debug, Serialize)]
struct MeasureView {
    key: &'static str,
    unit: &'static str,
    value: Option<f64>,
    /// Number of trials that it is over: a geometric mean is over values above 0.
    n_trials: usize,
    /// Number of solved trials.
    n_solved: usize,
    /// True if they are solved trials alone.
    only_solved: bool,
    /// True if it is the geometric mean.
    is_ratio: bool,
    #[serde(flatten)]
    place: Option<Place>,
}

/// A move that cost much.
#[derive(Debug, Serialize)]
struct CostlyMove {
    session: String,
    level: String,
    attempt: i64,
    /// Number of the row in its attempt, from 1.
    row: usize,
    action: String,
    regret: f64,
    board: Board,
    before: Position,
    after: Position,
}

impl ParticipantView {
    /// Returns a participant of a view.
    ///
    /// # Errors
    ///
    /// There is none of this name.
    pub fn new(view: &View, participant: &str) -> Result<Self, Problem> {
        let measures = &view.play.measures;
        let number = measures
            .participants
            .iter()
            .position(|name| name == participant)
            .ok_or_else(|| none_of("participant", participant, &measures.participants))?;
        let by_participant = grouped(&measures.trials, measures.participants.len(), |trial| trial.participant);
        let n_solved = by_participant[number].iter().filter(|trial| trial.is_solved == Some(true)).count();
        let means = GROUP_MEASURES.iter().map(|measure| {
            let means = GroupedMeans::of_participants(measures, measure);
            let by_name = means.by_unit(measure);
            let own = by_name.get(participant).copied();
            let all: Vec<f64> = by_name.values().map(|(mean, _)| *mean).collect();
            MeasureView {
                key: measure.key,
                unit: measure.unit,
                value: own.map(|(mean, _)| mean),
                n_trials: own.map_or(0, |(_, n_trials)| n_trials),
                n_solved,
                only_solved: means.only_solved,
                is_ratio: measure.is_ratio,
                place: Place::among(own.map(|(mean, _)| mean), &all),
            }
        });
        let attempts = view.play.labelled.attempts.iter().filter(|attempt| attempt.participant == participant);
        Ok(Self {
            participant: participant.to_owned(),
            measures: means.collect(),
            trials: by_participant[number].iter().map(|trial| TrialRow::new(view, trial)).collect(),
            costly: costly(view, participant)?,
            n_rows: attempts.map(|attempt| attempt.rows.len()).sum(),
        })
    }
}

/// Returns the moves of a participant that cost most.
fn costly(view: &View, participant: &str) -> Result<Vec<CostlyMove>, Problem> {
    let labelled = &view.play.labelled;
    let mut moves = Vec::new();
    for attempt in labelled.attempts.iter().filter(|attempt| attempt.participant == participant) {
        for number in attempt.rows.clone() {
            let row = labelled.rows.at(number);
            if let Some(regret) = row.label.as_ref().and_then(|label| label.regret).filter(|regret| *regret > 0.0) {
                moves.push((regret, number, attempt));
            }
        }
    }
    // The first of equal ones, as they stand in the log.
    moves.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    moves.truncate(COSTLY_SHOWN);
    let view_of = |(regret, number, attempt): (f64, usize, &plymap_measures::label::LabelledAttempt)| {
        let row = labelled.rows.at(number);
        let rules = &*view.level(&attempt.level)?.rules;
        Ok(CostlyMove {
            session: attempt.session.clone(),
            level: attempt.level.clone(),
            attempt: attempt.attempt,
            row: number - attempt.rows.start + 1,
            action: view.play.rows.at(row.step.row as usize).action().unwrap_or_default().to_owned(),
            regret,
            board: Board::of(&rules.picture(row.step.before)),
            before: Position::still(rules, row.step.before),
            after: Position::still(rules, row.step.after),
        })
    };
    moves.into_iter().map(view_of).collect()
}
